#!/usr/bin/env python3
"""What tuning constants do: each gets other values in a copy of the sources, and steps, evaluations, matrices and errors are counted.

    tools/evidence/constants.py [--only TEXT] [--jobs N] [--keep FOLDER] [--write]

The constants and their values in the code are those of docs/develop/constants.md; TRIALS says which are tried and how. Counts are
compared with those of the unchanged sources on the runs that change: geometric means of the ratios. An error is the largest
difference of any channel to a tight run of `radau`, relative to the range of the channel. --write puts the figures into the page.
--keep uses a folder again and leaves it. Times are not measured, so that the machine does not matter; an hour on two cores.
"""
import argparse
import csv
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/develop/constants.md"
MARKS = ("<!-- measured: begin -->", "<!-- measured: end -->")

# model, end time (None: its own); what it is there for stands in the page
MODELS = [("double_pendulum", 1.0), ("studies/four_bar", None), ("cases/andrews", None), ("cases/iftomm_a04_bricard", 5.0),
          ("closed_forms/n_four_bar", None), ("demo", 1.0), ("flexible/rotor", 0.02), ("flexible/four_bar", 0.1),
          ("studies/controlled_arm", 0.5), ("studies/rough_pendulum", None), ("elements/friction", None), ("reaction_time", None),
          ("closed_forms/rolling_disc", 2.0)]
METHODS = ["auto", "hht", "bdf-i3", "radau", "rosenbrock", "adams", "tlismni-hht", "tlismni-hht coordinates=recursive"]
REFERENCE = ("radau", "1e-10")
# adams on a stiff model takes as long as all others; recursive coordinates know no rolling
LEFT_OUT = {("double_pendulum", "adams"), ("closed_forms/rolling_disc", METHODS[-1])}
COUNTED = ("steps", "rejected", "residuals", "jacobians")

DRIVER, METHOD, SYSTEM = "src/analysis/driver/", "src/analysis/integrator/", "src/system/"
# file, name, values that are tried: half and double where nothing else makes sense
TRIALS = [
    (DRIVER + "step_control.c", "bias", ("3.0", "12.0")),
    (DRIVER + "step_control.c", "growth", ("1.4", "4.0")),
    (DRIVER + "step_control.c", "cut", ("0.1", "0.4")),
    (DRIVER + "step_control.c", "newton_cut", ("0.2", "0.8")),
    (DRIVER + "step_control.c", "idle_growth", ("1.05", "1.6")),
    (DRIVER + "step_control.c", "near", ("0.01", "1.0")),
    (DRIVER + "step_control.c", "small_rounding", ("5.0", "20.0")),
    (DRIVER + "step_control.c", "unfallen_ratio", ("0.5", "0.9")),
    (DRIVER + "step_control.c", "FAILURES_BEFORE_RESTART", ("4", "16")),
    (DRIVER + "state_scales.c", "guessed_part", ("1e-4", "1e-2")),
    (DRIVER + "choose.c", "stiff_ratio", ("10.0", "250.0")),
    (DRIVER + "choose.c", "failure_limit", ("35.0", "140.0")),
    (DRIVER + "step_delays.c", "share", ("0.05", "0.2")),
    (METHOD + "convergence.c", "stall_ratio", ("0.7", "1.0")),
    (METHOD + "convergence.c", "careful_rate", ("0.1", "0.6")),
    (METHOD + "convergence.c", "divergence", ("1.0", "4.0")),
    (METHOD + "error_norm.c", "rounding_units", ("4.0", "64.0")),
    (METHOD + "step_factors.c", "quick_rate", ("0.025", "0.1")),
    (METHOD + "step_factors.c", "slow_rate", ("0.1", "0.4")),
    (METHOD + "step_factors.c", "extra_corrections", ("1", "6")),
    (METHOD + "step_factors.c", "patience", ("5", "20")),
    (METHOD + "index3/implicit.c", "noise", ("0.1", "0.9")),
    (METHOD + "index3/implicit.c", "renewals", ("1", "4")),
    (METHOD + "index3/implicit.c", "raw_share", ("0.05", "0.2")),
    (METHOD + "index3/bdf.c", "share", ("0.025", "0.1")),
    (METHOD + "radau/radau.c", "wanted_rate", ("0.1", "0.4")),
    (METHOD + "radau/radau_newton.c", "noise", ("0.1", "0.9")),
    (METHOD + "rosenbrock/rosenbrock.c", "safety", ("0.7", "0.95")),
    (METHOD + "rosenbrock/rosenbrock.c", "largest_growth", ("5.0", "20.0")),
    (METHOD + "rosenbrock/rosenbrock_error.c", "raw_share", ("0.05", "0.2")),
    (METHOD + "two_loop/two_loop.c", "simple_limit", ("0.25", "0.9")),
    (METHOD + "two_loop/two_loop.c", "rounding_steps", ("16.0", "256.0")),
    (METHOD + "two_loop/tlismni.c", "simple_rate", ("0.12", "0.5")),
    (METHOD + "two_loop/tlismni.c", "CALM_STEPS", ("5", "20")),
    (METHOD + "explicit/explicit_absolute.c", "worn", ("1.2", "3.0")),
    (METHOD + "abm/abm_order.c", "STIFF_STEPS", ("25", "100")),
    (SYSTEM + "coordinates/renewal.c", "failing_rate", ("0.15", "0.6")),
    (SYSTEM + "coordinates/renewal.c", "far_distance", ("0.01", "0.04")),
    (SYSTEM + "accelerations.c", "slow_rate", ("0.05", "0.2")),
    (SYSTEM + "accelerations.c", "least_gain", ("0.0005", "0.008")),
    (SYSTEM + "coordinates/partition.c", "rotation_weight", ("0.01", "1.0")),
    (SYSTEM + "coordinates/partition.c", "worn_growth", ("2.5", "10.0")),
    (SYSTEM + "coordinates/cut.c", "worn_growth", ("2.5", "10.0")),
    (SYSTEM + "system_internal.h", "TML_RANK_TOLERANCE", ("1e-8", "1e-4")),
    ("src/sparse/pivots.c", "threshold", ("0.1", "1.0")),
    ("src/sparse/factors.c", "GROWTH_LOSS", ("0.005", "0.5")),
    ("src/sparse/factors.c", "WEAK_SHARE", ("0.002", "0.2")),
]

# methods that a file concerns; the others are not run
TWO_LOOP = [m for m in METHODS if m.startswith("tlismni")]
CONCERNS = {"index3/": ["auto", "hht", "bdf-i3"], "step_factors.c": ["auto", "hht", "bdf-i3"], "radau/": ["auto", "radau"],
            "rosenbrock/": ["rosenbrock"], "two_loop/": TWO_LOOP, "abm/": ["auto", "adams"], "choose.c": ["auto"],
            "coordinates/": ["auto", "adams", "rosenbrock"] + TWO_LOOP}


def place_of(text, name, value):
    """Where `name = value` stands in a source, also of a macro; None when it does not stand there exactly once."""
    found = list(re.finditer(rf"(?<![\w.>]){re.escape(name)}(?: =|(?<=[A-Z])) ({re.escape(value)})(?![\w.])", text))
    return found[0].span(1) if len(found) == 1 else None


def constants_of(page):
    """(file, name): value, of all rows of the tables of the page. A file above a table is that of its rows."""
    where, out = None, {}
    for line in page.splitlines():
        head = re.match(r"`(src/[\w/.]+)`", line)
        row = re.match(r"\| `(\w+)` \| `([^`]+)` \|", line)
        where = head.group(1) if head else where
        if row and where:
            out[where, row.group(1)] = row.group(2)
    return out


def shell(command, where):
    done = subprocess.run(command, cwd=where, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{(done.stdout + done.stderr)[-3000:]}")


def make_copy(copy, jobs):
    """The sources and a build of the command alone."""
    if not copy.exists():
        shutil.copytree(ROOT, copy, symlinks=True,
                        ignore=lambda d, names: [n for n in names if n in (".git", "out", "node_modules") or
                                                 (n.startswith("build") and pathlib.Path(d) == ROOT)])
    shell(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DTRAMMEL_TESTS=OFF"], copy)
    build(copy, jobs)


def build(copy, jobs):
    shell(["ninja", "-C", "build", f"-j{jobs}", "trammel"], copy)


def run(command, model, end, method, tolerance=None):
    """Counts and channels of a run; None when it fails."""
    name, *option = method.split()
    with tempfile.TemporaryDirectory() as folder:
        table, summary = pathlib.Path(folder) / "t.csv", pathlib.Path(folder) / "s.json"
        call = [command, "run", ROOT / "models" / (model + ".yaml"), "-q", "-i", name, "--csv", table, "--summary", summary]
        call += ["-e", str(end)] if end else []
        call += ["-t", tolerance] if tolerance else []
        call += ["--option", option[0]] if option else []
        try:
            done = subprocess.run(call, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode != 0:
            return None
        statistics = json.loads(summary.read_text())["statistics"]
        with open(table, newline="") as f:
            rows = list(csv.DictReader(f))
    channels = {c: [float(r[c]) for r in rows] for c in rows[0] if c and not c.startswith("time")}
    return {k: statistics[k] for k in COUNTED}, channels


def difference(a, b):
    """Of the channels of a run to those of the reference, over their ranges."""
    worst = 0.0
    for name, want in b.items():
        size = max(want) - min(want)
        if size > 1e-9 * max(map(abs, want), default=0.0) and len(a.get(name, ())) == len(want):
            worst = max(worst, max(abs(x - y) for x, y in zip(a[name], want)) / size)
    return worst


def measure(command, jobs, references, file=""):
    """(model, method): counts and the error, or None; of the methods that the file concerns."""
    methods = next((CONCERNS[c] for c in CONCERNS if c in file), METHODS)
    todo = [(m, e, i) for m, e in MODELS for i in methods if (m, i) not in LEFT_OUT]
    with ThreadPoolExecutor(jobs) as pool:
        done = list(pool.map(lambda j: run(command, *j), todo))
    out = {}
    for (model, _, method), result in zip(todo, done):
        error = difference(result[1], references[model]) if result else None
        out[model, method] = dict(result[0], error=error) if result else None
    return out


def compare(base, other):
    """The row of a trial: runs that change, ratios over them, and what fails."""
    changed = [k for k in other if base[k] != other[k]]
    both = [k for k in changed if base[k] and other[k]]
    cells = [f"{len(changed)}"]
    for what in ("steps", "residuals", "jacobians", "error"):
        pairs = [(base[k][what], other[k][what]) for k in both if base[k][what] and other[k][what]]
        cells.append(f"{math.exp(sum(math.log(b / a) for a, b in pairs) / len(pairs)):.3g}" if pairs else "-")
    rejected = [sum(x[k]["rejected"] for k in both) for x in (base, other)]
    cells.append(f"{rejected[0]} → {rejected[1]}" if both else "-")
    fails = [f"{m} `{i}`" for m, i in changed if base[m, i] and not other[m, i]]
    heals = [f"{m} `{i}`" for m, i in changed if other[m, i] and not base[m, i]]
    cells.append("; ".join(["fails: " + ", ".join(fails)] * bool(fails) + ["ends: " + ", ".join(heals)] * bool(heals)))
    return cells


def try_values(copy, jobs, base, references, file, name, value, values):
    path = copy / file
    text = path.read_text()
    place = place_of(text, name, value)
    if place is None:
        sys.exit(f"{file}: {name} = {value} does not stand there once")
    rows = []
    try:
        for trial in values:
            path.write_text(text[:place[0]] + trial + text[place[1]:])
            build(copy, jobs)
            cells = compare(base, measure(copy / "build/trammel", jobs, references, file))
            rows.append([f"`{file.rsplit('/', 1)[1]}` `{name}`", value, trial] + cells)
            print(" | ".join(rows[-1]), flush=True)
    finally:
        path.write_text(text)
    return rows


def write(rows):
    """Puts the rows in the place of those of the same constants in the page."""
    page = PAGE.read_text()
    before, rest = page.split(MARKS[0])
    old, after = rest.split(MARKS[1])
    kept = {}
    for line in old.splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if len(cells) > 3 and cells[0].startswith("`"):
            kept[cells[0], cells[2]] = cells
    kept.update({(r[0], r[2]): r for r in rows})
    order = [(f"`{f.rsplit('/', 1)[1]}` `{n}`", v) for f, n, vs in TRIALS for v in vs]
    lines = ["| constant | value | tried | runs that change | steps | evaluations | matrices | error | rejected | |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    lines += ["| " + " | ".join(kept[k]) + " |" for k in order if k in kept]
    PAGE.write_text(before + MARKS[0] + "\n" + "\n".join(lines) + "\n" + MARKS[1] + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="constants whose file or name holds one of these texts, separated by commas")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="folder of the copy, used again")
    parser.add_argument("--write", action="store_true", help="put the figures into the page")
    args = parser.parse_args()
    known = constants_of(PAGE.read_text())
    trials = [t for t in TRIALS if any(text in t[0] + " " + t[1] for text in args.only.split(","))]
    with tempfile.TemporaryDirectory() as scratch:
        copy = args.keep or pathlib.Path(scratch) / "copy"
        make_copy(copy, args.jobs)
        command = copy / "build/trammel"
        references = {m: run(command, m, e, *REFERENCE)[1] for m, e in MODELS}
        base = measure(command, args.jobs, references)
        print(f"{len(base)} runs, of which fail: {[k for k in base if base[k] is None]}", flush=True)
        rows = []
        for file, name, values in trials:
            rows += try_values(copy, args.jobs, base, references, file, name, known[file, name], values)
            if args.write:
                write(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
