#!/usr/bin/env python3
"""Show that errors fall with the tolerance where bodies meet, stick, slip and roll, and that energy does not grow.

    tools/evidence/contact.py [--trammel PATH] [--only NAME,...] [--print]

Runs every method on models of models/contact at falling tolerances, impacts with `events: locate` too, and writes
docs/evidence/contact.md and contact.svg; --print: the page to the terminal. About five minutes.
"""
import argparse
import csv
import json
import math
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
METHODS = ["hht", "generalized-alpha", "tlismni-park", "tlismni-bdf2", "tlismni-trapezoidal", "tlismni-hht",
           "bdf-i3", "bdf-si2", "radau", "rosenbrock", "rosenbrock-w", "adams"]
TOLERANCES = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9]
COLORS = ["#1f77b4", "#6baed6", "#2ca02c", "#74c476", "#a1d99b", "#006d2c", "#9467bd", "#c5b0d5", "#d62728", "#ff7f0e",
          "#fdae6b", "#7f7f7f"]
LIMIT = 20  # s of processor time: runs that take longer are left out, and those at tighter tolerances


def flight(row):
    """Energy a mass of a ball whose floor it does not touch, J/kg."""
    return 9.81 * row["x"] + 0.5 * row["v"] ** 2 if row["x"] > row["radius"] else None


def rolling(row):
    return 0.5 * row["v"] ** 2 + 0.5 * 0.004 * row["omega"] ** 2


class Case:
    def __init__(self, name, title, model, channels, end, energy=None, radius=0.0, located=False, change=None):
        self.name, self.title, self.model, self.channels = name, title, model, channels
        self.end, self.energy, self.radius, self.located, self.change = end, energy, radius, located, change

    def text(self):
        with open(os.path.join(ROOT, "models", "contact", self.model + ".yaml")) as f:
            text = f.read()
        text = text.replace(*self.change) if self.change is not None else text
        return text.replace("law: linear", "events: locate, law: linear").replace(
            "law: hunt_crossley", "events: locate, law: hunt_crossley") if self.located else text


CASES = [
    Case("impact", "impact, Hunt and Crossley, three bounces", "bouncing_hunt_crossley", ["x", "v"], 1.2, flight, 0.1),
    Case("located impact", "the same with events: locate", "bouncing_hunt_crossley", ["x", "v"], 1.2, flight, 0.1, True),
    Case("spring", "impact on a Hertz spring without damping, two bounces", "bouncing_hunt_crossley", ["x", "v"], 1.2, flight, 0.1,
         change=("damping: 0.3", "damping: 0")),
    Case("jump", "impact on a damper that sets in by a jump, three bounces", "bouncing_kelvin_voigt", ["x", "v"], 0.45,
         flight, 0.05),
    Case("located jump", "the same with events: locate", "bouncing_kelvin_voigt", ["x", "v"], 0.45, flight, 0.05, True),
    Case("stick-slip", "mass on a spring on a belt, held by bristles", "stick_slip_lugre", ["x", "v"], 1.5),
    Case("narrow friction", "mass on a spring on a belt, smoothed friction of a width of 1e-6 m/s that falls to its dynamic value within 1e-5 m/s",
         "stick_slip", ["x", "v"], 1.0),
    Case("rolling", "sphere that slides, then rolls", "slip_to_roll", ["x", "v", "omega"], 1.0, rolling),
    Case("disc", "thin disc that rolls", "rolling_disc", ["x", "y", "wx", "wz"], 1.0),
]


class Run:
    def __init__(self, rows, summary):
        self.rows = rows
        self.steps = summary["statistics"]["steps"]
        self.lost = summary["statistics"]["rejected"]
        stats = summary["statistics"]
        self.balance = stats["max_energy_error"] / max(stats["max_kinetic"], 1e-300)


def run(trammel, case, method, tolerance, folder):
    model, out, summary = (os.path.join(folder, n) for n in ("m.yaml", "o.csv", "s.json"))
    with open(model, "w") as f:
        f.write(case.text())
    command = [trammel, "run", model, "-i", method, "-t", repr(tolerance), "-e", repr(case.end), "-q", "--csv", out,
               "--summary", summary]
    try:
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        if subprocess.run(command, capture_output=True, timeout=20 * LIMIT, preexec_fn=limit).returncode != 0:
            return None
    except subprocess.TimeoutExpired:
        return None
    with open(out, newline="") as f:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(f)]
    with open(summary) as f:
        return Run(rows, json.load(f))


def error(case, found, reference):
    """Largest difference over rows of the same times and all channels, relative to the range of the channel."""
    rows = {round(r["time"], 9): r for r in found.rows}
    worst = 0.0
    for channel in case.channels:
        values = [r[channel] for r in reference.rows]
        span = max(values) - min(values)
        for row in reference.rows:
            mine = rows.get(round(row["time"], 9))
            if mine is not None:
                worst = max(worst, abs(mine[channel] - row[channel]) / span)
    return worst


def growth(case, found):
    """How far the energy rises above what it was before, relative to the start; None: energy comes in from outside."""
    if case.energy is None:
        return None
    values = [case.energy({**r, "radius": case.radius}) for r in found.rows]
    values = [v for v in values if v is not None]
    least, worst = values[0], 0.0
    for v in values:
        worst = max(worst, v - least)
        least = min(least, v)
    return worst / values[0]


def measure(trammel, cases):
    facts = {}
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            tight = Case(case.name, "", case.model, case.channels, case.end, located="jump" in case.name
                         or "impact" in case.name or "spring" in case.name, change=case.change)
            reference = run(trammel, tight, "radau", 1e-12, folder)
            other = run(trammel, tight, "rosenbrock", 1e-10, folder)
            floor = error(case, other, reference) if other is not None else float("nan")
            table = {}
            for method in METHODS:
                line = []
                for tolerance in TOLERANCES:
                    late = len(line) > 0 and line[-1] is None
                    found = None if late else run(trammel, case, method, tolerance, folder)
                    line.append(None if found is None else (error(case, found, reference), found.steps, found.lost,
                                                            growth(case, found), found.balance))
                table[method] = line
                print(case.name, method, [f"{p[0]:.1e}" if p else "-" for p in line], file=sys.stderr)
            facts[case.name] = (floor, table)
    return facts


def slope(line, floor):
    points = [(math.log(t), math.log(p[0])) for t, p in zip(TOLERANCES, line) if p is not None and p[0] > 3.0 * floor]
    if len(points) < 2:
        return None
    mx, my = (sum(c) / len(points) for c in zip(*points))
    return sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)


def falls(line, floor):
    """Whether the tightest run is better than the loosest by the square root of what tolerances are, or below its tolerance or the floor."""
    done = [(t, p[0]) for t, p in zip(TOLERANCES, line) if p is not None]
    if len(done) < 2:
        return False
    (t0, e0), (t1, e1) = done[0], done[-1]
    return e1 <= max(e0 * math.sqrt(t1 / t0), 3.0 * floor, t1)


# --- page -----------------------------------------------------------------------------------------

INTRO = """# Contact: errors and energy over the tolerance

Written by `tools/evidence/contact.py` with the models of `models/contact`. The error of a run is the largest difference, over all rows
and channels, to `radau` at 1e-12 (impacts with `events: locate`), relative to the range of the channel; *floor* is what `rosenbrock` at
1e-10 differs from that. *Slope* is that of log error over log tolerance, without errors at the floor; 2/3 belongs to methods of order 2,
0.8 to 1 to those of order 4 and 5. *Energy grows by* the largest rise of the energy above what it was at any time before, of all tolerances,
relative to the start: rows in flight of balls, kinetic energy of what rolls. Where energy comes in from outside, or rotations are
in space, it is the error of the balance of energy relative to the largest kinetic energy, at the tightest tolerance. `-`: more than
{limit} s of processor time.

![errors over the tolerance](contact.svg)
"""


def page(facts, cases):
    out = INTRO.format(limit=LIMIT).splitlines() + [""]
    short = []
    for case in cases:
        floor, table = facts[case.name]
        out += [f"## {case.name[0].upper() + case.name[1:]}", "",
                f"{case.title[0].upper() + case.title[1:]} (`models/contact/{case.model}.yaml`, to {case.end:g} s); floor {floor:.1e}.", ""]
        head = ["method"] + [f"{t:.0e}" for t in TOLERANCES] + ["slope", "steps (lost) at 1e-07", "energy grows by"]
        out += ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
        for method, line in table.items():
            done = [p for p in line if p is not None] or [(0, 0, 0, None, float("nan"))]
            rise = max((p[3] for p in done if p[3] is not None), default=None)
            rise = f"{rise:.0e}" if rise is not None else f"balance {done[-1][4]:.0e}"
            s, middle = slope(line, floor), line[2]
            out.append("| " + " | ".join(
                [f"`{method}`"] + [f"{p[0]:.1e}" if p else "-" for p in line]
                + [f"{s:.2f}" if s is not None else "floor", f"{middle[1]} ({middle[2]})" if middle else "-", rise]) + " |")
            if not falls(line, floor):
                short.append(f"{case.name}, `{method}`: "
                             + ("too slow" if line[1] is None else "the error does not fall as the square root of the tolerance"))
        out.append("")
    out += ["## What falls short", ""] + ([f"- {x}" for x in short] or ["Nothing."])
    return "\n".join(out) + "\n"


# --- figure ---------------------------------------------------------------------------------------

WIDE, HIGH, LEFT, TOP, GAP = 230, 200, 52, 34, 62


def panel(case, facts, at, low, high):
    x0, y0 = at
    floor, table = facts[case.name]

    def px(t):
        return x0 + WIDE * (math.log10(t) + 9.3) / 4.6

    def py(e):
        return y0 + HIGH * (high - math.log10(max(e, 10.0 ** low))) / (high - low)

    out = [f'<rect x="{x0}" y="{y0}" width="{WIDE}" height="{HIGH}" fill="none" stroke="#888"/>',
           f'<text x="{x0 + WIDE / 2}" y="{y0 - 8}" text-anchor="middle" font-weight="bold">{case.name}</text>']
    for t in TOLERANCES:
        out.append(f'<text x="{px(t):.1f}" y="{y0 + HIGH + 14}" text-anchor="middle">1e{round(math.log10(t))}</text>')
    for e in range(low, high + 1, 2):
        y = py(10.0 ** e)
        out += [f'<line x1="{x0}" y1="{y:.1f}" x2="{x0 + WIDE}" y2="{y:.1f}" stroke="#ddd"/>',
                f'<text x="{x0 - 5}" y="{y + 4:.1f}" text-anchor="end">1e{e}</text>']
    out.append(f'<line x1="{x0}" y1="{py(floor):.1f}" x2="{x0 + WIDE}" y2="{py(floor):.1f}" stroke="#000" '
               'stroke-dasharray="2 3"/>')
    for method, color in zip(METHODS, COLORS):
        points = [(px(t), py(p[0])) for t, p in zip(TOLERANCES, table[method]) if p is not None]
        out.append(f'<polyline fill="none" stroke="{color}" stroke-width="1.6" points="'
                   + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{color}"/>' for x, y in points]
    return out


def figure(facts, cases):
    columns = 4
    lines = -(-len(cases) // columns)
    width, height = columns * (WIDE + GAP) + 20, lines * (HIGH + GAP) + 100
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
           'font-size="11">', f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for k, case in enumerate(cases):
        out += panel(case, facts, (LEFT + (k % columns) * (WIDE + GAP), TOP + (k // columns) * (HIGH + GAP)), -10, 0)
    out += legend(columns, TOP + lines * (HIGH + GAP))
    return "\n".join(out + ["</svg>"]) + "\n"


def legend(columns, top):
    out = []
    for i, (method, color) in enumerate(zip(METHODS, COLORS)):
        x, y = LEFT + (i % columns) * (WIDE + GAP), top + 18 * (i // columns)
        out += [f'<line x1="{x}" y1="{y}" x2="{x + 24}" y2="{y}" stroke="{color}" stroke-width="2.5"/>',
                f'<text x="{x + 30}" y="{y + 4}">{method}</text>']
    return out + [f'<text x="{LEFT}" y="{top + 56}">relative error over the tolerance; dotted: floor</text>']


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trammel", default=os.path.join(ROOT, "build", "trammel"))
    parser.add_argument("--only", default="")
    parser.add_argument("--print", action="store_true", dest="show")
    args = parser.parse_args()
    cases = [c for c in CASES if not args.only or c.name in args.only.split(",")]
    facts = measure(args.trammel, cases)
    if args.show or args.only:
        print(page(facts, cases))
        return 0
    folder = os.path.join(ROOT, "docs", "evidence")
    for name, text in (("contact.md", page(facts, cases)), ("contact.svg", figure(facts, cases))):
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
