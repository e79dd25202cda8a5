#!/usr/bin/env python3
"""What every tuning constant does: a third and three times its value, on a few short runs of each kind.

    tools/evidence/constants_bulk.py [--only TEXT] [--jobs N] [--keep FOLDER] [--write]

One build, in which constants are variables (tunable.py), serves for all. A constant is tried on the runs that read it, of dynamics by
all families of methods, contact, flexible and modal bodies, statics, eigenvalues. A whole number is at least 1. --write
puts the table into docs/develop/constants.md, between the marks `bulk`. Times are not measured; a quarter of an hour of processor time.
Runs of more than 10 s of processor time, some hundred times what they take, count as failed.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import constants
import tunable

MARKS = ("<!-- bulk: begin -->", "<!-- bulk: end -->")
ROOT = tunable.ROOT
# kind, model, end time (None: its own), method; the kinds are dynamics, contact, modal bodies, statics and eigenvalues
CASES = [
    ("d", "demo", 0.1, "auto"), ("d", "demo", 0.1, "hht"), ("d", "closed_forms/n_four_bar", 0.3, "radau"),
    ("d", "closed_forms/n_four_bar", 0.3, "rosenbrock"), ("d", "cases/iftomm_a04_bricard", 0.5, "radau"),
    ("d", "cases/iftomm_a04_bricard", 0.5, "hht"), ("d", "cases/iftomm_a04_bricard", 0.5, "adams"),
    ("d", "studies/four_bar", 0.5, "bdf-si2"), ("d", "studies/four_bar", 0.5, "dop853"), ("d", "studies/four_bar", 0.05, "tlismni-park"),
    ("d", "studies/four_bar", 0.1, "rosenbrock-w"), ("d", "studies/four_bar", 0.05, "tlismni-hht coordinates=recursive"),
    ("d", "reaction_time", 1.0, "radau"), ("d", "elements/friction", None, "hht"), ("d", "closed_forms/rolling_disc", 0.5, "adams"),
    ("d", "double_pendulum", 0.05, "auto"), ("d", "flexible/four_bar", 0.01, "hht"),
    ("c", "contact/bouncing_impact", None, "auto"), ("c", "contact/bouncing_ball", 0.5, "radau"), ("c", "contact/cradle", 0.1, "auto"),
    ("c", "contact/stacking", 0.1, "auto"), ("c", "contact/ball_on_cable", 0.02, "auto"), ("c", "contact/lugre", 0.3, "auto"),
    ("c", "contact/tippe_top", 0.1, "rosenbrock"), ("c", "contact/incline_brake", None, "hht"), ("m", "modal/slider_crank", 0.005, "auto"),
    ("s", "statics/toggle", None, "statics"), ("s", "flexible/arch", None, "statics"), ("s", "statics/cable_gravity", None, "statics"),
    ("s", "demo", None, "linearize"), ("s", "studies/controlled_arm", None, "linearize"),
    # tight tolerances at singular positions, stiff forces, checks of errors, many bodies, tracks of joints
    ("d", "closed_forms/n_four_bar", 2.0, "hht tol=1e-11"), ("d", "closed_forms/n_four_bar", 2.0, "radau tol=1e-11"),
    ("d", "closed_forms/n_four_bar", 2.0, "bdf-si2 tol=1e-10"), ("d", "closed_forms/n_four_bar", 0.5, "tlismni-hht tol=1e-9"),
    ("d", "stiff_chain", 0.01, "dop853"), ("d", "stiff_chain", 0.01, "auto"), ("d", "pid", 0.2, "radau"), ("d", "cases/scara", 0.2, "auto"),
    ("d", "cases/andrews", 0.005, "tlismni-hht"), ("d", "cases/andrews", 0.01, "auto"), ("d", "cases/car_axis", 0.5, "rosenbrock"),
    ("d", "flexible/four_bar", 0.01, "bdf-i3"), ("d", "flexible/cable", 0.05, "radau"), ("d", "flexible/sheets", 0.002, "auto"),
    ("d", "elements/point_on_curve", 0.3, "auto"), ("d", "elements/friction", None, "radau"), ("d", "machines/atwood_elastic", 0.05, "auto"),
    ("d", "studies/four_bar", 0.05, "hht --check-error"), ("d", "double_pendulum", 0.05, "radau --check-error tol=1e-12"),
    ("d", "vehicles/lane_change", 0.1, "auto"), ("d", "vehicles/kerb", 0.05, "auto"), ("d", "rail/hunting", 0.05, "auto"), ("d", "pantograph/two_mass", 0.1, "auto"),
    ("c", "contact/patch_690", 0.001, "hht"), ("c", "contact/columns_690", 0.0005, "hht"), ("c", "contact/geneva", 0.05, "auto"),
    ("c", "contact/gripper", 0.05, "auto"), ("c", "contact/clearance", 0.1, "auto"), ("c", "contact/painleve_paradox", 0.05, "auto"),
    ("c", "contact/bouncing_ball", 1.5, "hht"), ("c", "contact/rolling_resistance", 0.1, "auto"), ("c", "contact/stick_slip_lugre", 0.2, "rosenbrock"),
    ("m", "modal/pressed_bracket", 0.002, "auto"),
    ("s", "statics/lateral_buckling", None, "statics"), ("s", "statics/lee_frame", None, "statics"), ("s", "statics/bend45", None, "statics"),
    ("s", "statics/toggle", None, "statics --nearest"), ("s", "flexible/lee_frame", None, "statics --path P=0:5e3"),
    ("s", "statics/cantilever_modes", None, "linearize"), ("s", "flexible/blade", None, "linearize"), ("s", "flexible/cable", None, "linearize"),
]
# layers in the order in which they are looked at
FIRST = ("analysis/driver/step_control", "analysis/integrator", "analysis/contact", "system", "analysis/driver", "sparse", "analysis", "model/contact", "reduce", "model")
LIMIT = 10  # s of processor time
WORDS = ("steps", "residuals", "jacobians")


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))


def numbers(value):
    """All numbers of a JSON value, in order."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [x for item in value for x in numbers(item)]
    return [float(value)] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def run(command, case, tune="", tolerance=None, seen=None):
    """Counts and channels of a case; None when it fails."""
    _, model, end, method = case
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        name, *words = method.split()
        flags = [w for w in words if w.startswith("--") or ":" in w]
        option = [w for w in words if w not in flags and not w.startswith("tol=")]
        tolerance = tolerance or next((w[4:] for w in words if w.startswith("tol=")), None)
        path = ROOT / "models" / (model + ".yaml")
        if name in ("statics", "linearize"):
            call = [command, name, path, "-q", "--json", out / "s.json", *flags]
        else:
            call = [command, "run", path, "-q", "-i", name, "--csv", out / "t.csv", "--summary", out / "s.json", *flags]
            call += (["-e", str(end)] if end else []) + (["-t", tolerance] if tolerance else []) + (["--option", option[0]] if option else [])
        env = {**os.environ, **({"TRAMMEL_TUNE": tune} if tune else {}), **({"TRAMMEL_TUNE_SEEN": str(seen)} if seen else {})}
        done = subprocess.run(call, capture_output=True, env=env, preexec_fn=limited)
        if done.returncode != 0:
            return None
        said = json.loads((out / "s.json").read_text())
        if name in ("statics", "linearize"):
            return {}, {"all": numbers(said)}
        with open(out / "t.csv", newline="") as f:
            rows = list(csv.DictReader(f))
    statistics = said["statistics"]
    channels = {c: [float(r[c]) for r in rows] for c in rows[0] if c and not c.startswith("time")}
    statistics["check"] = [said["global_error"][k] for k in ("relative", "suggested", "tolerance")] if said.get("global_error") else []
    return {k: statistics[k] for k in (*WORDS, "rejected", "factorizations", "refactorizations", "solves", "iterations", "check")}, channels


def error_of(case, channels, references):
    """To a tight run; of statics and eigenvalues to what the unchanged sources say."""
    want = references.get((case[0], case[1], case[2]) if case[0] != "s" else case)
    return constants.difference(channels, want) if want else None


def readings(pool, command):
    """Which constants each case reads: {case: numbers}. A run is much the same with another value, so that what it does not read there
    does not change it."""
    with tempfile.TemporaryDirectory() as folder:
        def one(job):
            k, case = job
            path = pathlib.Path(folder) / str(k)
            run(command, case, seen=path)
            return case, {int(n) for n in path.read_text().split()} if path.exists() else set()
        return dict(pool.map(one, enumerate(CASES)))


def measure(pool, command, cases, references, tune=""):
    done = list(pool.map(lambda c: run(command, c, tune), cases))
    return {c: (r[0], error_of(c, r[1], references), r[1]) if r else None for c, r in zip(cases, done)}


def short(case):
    return f"{case[1].split('/')[-1]} `{case[3].split()[0]}`"


def judge(base, other):
    """One cell: how many runs change, geometric means of ratios, the worst of the errors, what fails."""
    changed = [c for c in other if (base[c] is None) != (other[c] is None) or (base[c] and (base[c][0], base[c][2]) != (other[c][0], other[c][2]))]
    if not changed:
        return "nothing changes"
    both = [c for c in changed if base[c] and other[c]]
    said = []
    for what in WORDS:
        pairs = [(base[c][0][what], other[c][0][what]) for c in both if base[c][0].get(what) and other[c][0].get(what)]
        ratio = math.exp(sum(math.log(b / a) for a, b in pairs) / len(pairs)) if pairs else 1.0
        if abs(ratio - 1.0) >= 0.005:
            said.append(f"{ {'steps': 'steps', 'residuals': 'evaluations', 'jacobians': 'matrices'}[what] } {ratio:.3g}")
    pairs = [(base[c][1], other[c][1]) for c in both if c[0] != "s" and base[c][1] and other[c][1]]
    ratio = math.exp(sum(math.log(b / a) for a, b in pairs) / len(pairs)) if pairs else 1.0
    if abs(ratio - 1.0) >= 0.02:
        said.append(f"errors {ratio:.3g}")
    apart = max((other[c][1] or 0.0 for c in both if c[0] == "s"), default=0.0)
    if apart > 1e-9:
        said.append(f"answers off by {apart:.1e}")
    fails = [short(c) for c in changed if not other[c]]
    heals = [short(c) for c in changed if not base[c]]
    said += ["fails: " + ", ".join(fails)] * bool(fails) + ["ends: " + ", ".join(heals)] * bool(heals)
    return f"{len(changed)} of {len(other)} runs" + (": " + ", ".join(said) if said else ": rounding alone")


def values(text):
    if re.fullmatch(r"\d+", text):
        n = int(text)
        return str(max(1, round(n / 3))), str(3 * n)
    return f"{float(text) / 3.0:.6g}", f"{float(text) * 3.0:.6g}"


def row(key, value, cells):
    return f"| `{key[0].removeprefix('src/')}` | `{key[1]}` | {value} | " + " | ".join(cells) + " |"


def write(rows):
    """Puts the rows in the place of those of the same constants in the page."""
    page = constants.PAGE.read_text()
    before, rest = page.split(MARKS[0])
    old, after = rest.split(MARKS[1])
    kept = {tuple(line.split("|")[1:3]): line for line in old.splitlines() + rows if line.startswith("| `")}
    lines = ["| file | constant | value | a third | three times |", "|---|---|---|---|---|", *(kept[k] for k in sorted(kept))]
    constants.PAGE.write_text(before + MARKS[0] + "\n" + "\n".join(lines) + "\n" + MARKS[1] + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="constants whose file or name holds one of these texts, separated by commas")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, default=len(CASES), help="runs of each constant, of those that read it")
    parser.add_argument("--keep", type=pathlib.Path, help="folder of the copy, used again")
    parser.add_argument("--write", action="store_true", help="put the table into the page, after each constant")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        copy = args.keep or pathlib.Path(scratch) / "copy"
        known, number, variable = tunable.build(copy, args.jobs, constants.constants_of(constants.PAGE.read_text()))
        command = copy / "build/trammel"
        rows = []
        with ThreadPoolExecutor(args.jobs) as pool:
            references = {}
            for case in CASES:
                key = case if case[0] == "s" else (case[0], case[1], case[2])
                if key not in references:
                    tight = run(command, case) if case[0] == "s" else run(command, (*case[:3], "radau"), tolerance="1e-10")
                    references[key] = tight[1] if tight else None
            base = measure(pool, command, CASES, references)
            read = readings(pool, command)
            print(f"{len(base)} runs, of which fail: {[short(c) for c in base if base[c] is None]}; without reference: "
                  f"{[k[1] for k in references if references[k] is None]}", flush=True)
            for key in sorted(number, key=lambda k: next((i for i, s in enumerate(FIRST) if k[0].startswith("src/" + s)), len(FIRST))):
                if not any(text in " ".join(key) for text in args.only.split(",")):
                    continue
                if number[key] not in variable:
                    cells = ["not varied: it sizes an array or stands in another constant", ""]
                elif not any(number[key] in read[c] for c in CASES):
                    cells = ["no run reads it", ""]
                else:
                    cases = [c for c in CASES if number[key] in read[c]]
                    cases = [cases[round(k * (len(cases) - 1) / max(1, args.most - 1))] for k in range(min(args.most, len(cases)))]
                    cells = [judge(base, measure(pool, command, cases, references, f"{number[key]}={v}")) for v in values(known[key])]
                rows.append(row(key, known[key], cells))
                print(rows[-1], flush=True)
                if args.write:
                    write(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
