#!/usr/bin/env python3
"""Work and precision of all methods on the five problems (models/), in small sizes: docs/evidence/precision.md and its diagrams.

    bench/peers/precision.py [--trammel build/trammel] [--only p1,p4] [--limit 10]

Each diagram is one `trammel compare`: every method at seven tolerances against a tight reference, CPU seconds, the faster of two
runs. The table reads from them the least time of each method at an error, between tolerances by straight lines on logarithmic axes.
"""
import argparse
import csv
import math
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "evidence" / "precision.md"
TOLERANCES = ",".join(f"1e-{k}" for k in range(2, 9))

# problem, what it is, options, error that the table reads, relative to the range of the channel
CASES = [
    ("p1", "chain of 10 rods on balls", ["--set", "N=10", "--reference", "dop853:1e-13"], 1e-6),
    ("p2", "chain of 10 rods on pins", ["--set", "N=10", "--reference", "dop853:1e-13"], 1e-6),
    ("p3", "two four-bars, 2 s, past singular positions", ["--set", "N=2", "--end", "2", "--reference", "adams:1e-12"], 1e-4),
    ("p4", "stiff double pendulum", ["--reference", "radau:1e-12"], 1e-6),
    ("p5", "ANCF cable of 8 elements", ["--set", "n=8", "--set", "E=2e7", "--reference", "radau:1e-10"], 1e-6),
]


def least_time(points, error):
    """CPU seconds at an error; None: no run is as good. Points are (error, seconds)."""
    points = sorted(points)
    if not points or points[0][0] > error:
        return None
    times = [s for e, s in points if e <= error]
    for (e0, s0), (e1, s1) in zip(points, points[1:]):
        if 0 < e0 <= error < e1:
            part = math.log(error / e0) / math.log(e1 / e0)
            times.append(s0 * (s1 / s0) ** part)
    return min(times)


def measure(case, args, folder):
    name, _, options, error = case
    table = folder / f"{name}.csv"
    done = subprocess.run([args.trammel, "compare", HERE / "models" / f"{name}.yaml", *options, "--tols", TOLERANCES, "--repeat", "2",
                           "--limit", str(args.limit), "--csv", table, "--svg", PAGE.parent / f"precision_{name}.svg"],
                          capture_output=True, text=True, check=False)
    if not table.exists():
        raise SystemExit(f"{name}: {done.stderr.strip()}")
    methods = {}
    with open(table, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            points = methods.setdefault(row["method"], [])
            if row["status"] == "TML_OK":
                points.append((float(row["max_error"]), float(row["cpu_seconds"])))
    return {method: least_time(points, error) for method, points in methods.items()}


def cell(seconds):
    return "-" if seconds is None else f"{1e3 * seconds:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trammel", default=str(ROOT / "build" / "trammel"))
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=10.0, help="seconds that a run may take")
    args = parser.parse_args()
    cases = [c for c in CASES if not args.only or c[0] in args.only.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        found = {case[0]: measure(case, args, pathlib.Path(folder)) for case in cases}
    if args.only:
        print(found)
        return
    lines = ["# Work and precision of all methods", "",
             "Written by `bench/peers/precision.py`, which runs `trammel compare` on the five problems of `bench/peers`, in small sizes.",
             "The table has the CPU time in ms of each method at the error in the head of the column, relative to the range of the channels. A dash:",
             f"no run at 1e-2 to 1e-8 that ended within {args.limit:g} s was as good. Both cores had other work to do; ratios are what counts.", "",
             "| method | " + " | ".join(f"{text}, {error:g}" for _, text, _, error in cases) + " |", "|---|" + "---|" * len(cases)]
    methods = sorted({m for times in found.values() for m in times},
                     key=lambda m: [-sum(found[c[0]].get(m) is not None for c in cases), m])
    for method in methods:
        row = []
        for name, *_ in cases:
            times = found[name]
            best = min((s for s in times.values() if s is not None), default=None)
            seconds = times.get(method)
            row.append(f"**{cell(seconds)}**" if seconds is not None and seconds == best else cell(seconds))
        lines.append(f"| `{method}` | " + " | ".join(row) + " |")
    for name, text, _, _ in cases:
        lines += ["", f"## {name.upper()}: {text}", "", f"![errors over CPU time and over evaluations of the equations](precision_{name}.svg)"]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
