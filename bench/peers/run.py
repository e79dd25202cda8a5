#!/usr/bin/env python3
"""Five problems (models/) by Trammel, MuJoCo, Simbody and SUNDIALS, side by side in one run, at equal errors.

    cmake --build build --target peers
    bench/peers/run.py [--build build] [--only p2,p4] [--largest 1000] [--methods auto,bdf-i3] [--out bench/results/peers.csv]
    bench/peers/run.py --references            # computes references/ anew by two of our methods (minutes)

Times are CPU seconds of the integration, loading and assembly excluded, least of several repeats. For each code every setting of a list
is tried from rough to fine, and the first that reaches the error counts. "best" is the best of our named methods, "auto" what a model
gets that names none; ratio: time of the peer over ours at the same error, above 1 we are faster. Peers that are not installed have the
times of their published measurement (KNOWN), marked with *: those belong to another machine.
"""
import argparse
import csv
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NAMED = {
    "chain": ["dop853", "adams", "bdf-i3", "hht", "radau"],
    "p3": ["adams", "dop853", "bdf-i3", "radau"],
    "p4": ["radau", "bdf-i3", "rosenbrock", "rosenbrock-w"],
    "p5": ["hht", "bdf-i3", "radau", "rosenbrock"],
}
TOLERANCES = [10.0 ** (-k / 2) for k in range(4, 25)]
LIMIT = 120  # s of CPU time that one setting may take

# problem, parameters, error asked for, peer, its settings from rough to fine, s of CPU time in our notes (another machine)
CASES = [
    ("p1", {"N": 10}, 4e-6, "mujoco", [0.02, 0.01, 0.005, 0.002], 3.4e-3),
    ("p1", {"N": 100}, 7.2e-5, "simbody", [1e-2, 3e-3, 1e-3, 3e-4, 1e-4], 85e-3),
    ("p1", {"N": 1000}, 1.45e-5, "simbody", [1e-3, 3e-4, 1e-4], 3.9),
    ("p2", {"N": 10}, 4e-6, "mujoco", [0.02, 0.01, 0.005, 0.002], 1.1e-3),
    ("p2", {"N": 100}, 5.3e-5, "simbody", [1e-2, 3e-3, 1e-3, 3e-4, 1e-4], 60e-3),
    ("p2", {"N": 1000}, 1.85e-5, "simbody", [1e-3, 3e-4, 1e-4], 3.3),
    ("p3", {"N": 2}, 0.1, "mujoco", [0.01, 0.008, 0.005, 0.004, 0.0025], 23e-3),
    ("p3", {"N": 10}, 0.1, "mujoco", [0.008, 0.005, 0.004, 0.0025, 0.002], 0.32),
    ("p3", {"N": 40}, 0.1, "mujoco", [0.005, 0.004, 0.0025, 0.002, 0.001], 2.0),
    ("p4", {}, 6.6e-6, "cvode", [1e-4, 1e-5, 1e-6, 1e-7, 1e-8], 0.75e-3),
    ("p4", {}, 8.7e-8, "cvode", [1e-6, 1e-7, 1e-8, 1e-9, 1e-10], 1.33e-3),
    ("p5", {"n": 8, "E": 2e7}, 2.1e-6, "chrono", [], 0.26),
    ("p5", {"n": 64, "E": 2e7}, 7e-7, "chrono", [], 3.8),
    ("p5", {"n": 512, "E": 2e7}, 1.6e-6, "chrono", [], 4.4),
]
HALF = {"p1": lambda p: 5.0 / p["N"], "p2": lambda p: 5.0 / p["N"]}


def family(problem):
    return "chain" if problem in ("p1", "p2") else problem


def parse(text):
    """What ours and the peers' programs print: numbers by name, points, values by name."""
    out = {"points": [], "values": {}}
    for line in text.splitlines():
        word, *rest = line.split()
        if word == "point":
            out["points"].append([float(x) for x in rest])
        elif word == "value":
            out["values"][rest[0]] = float(rest[1])
        elif word == "method":
            out["method"] = rest[0]
        else:
            out[word] = float(rest[0])
    return out


def call(command, limit=LIMIT):
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=10 * limit, check=False)
    except subprocess.TimeoutExpired:
        return None
    return parse(done.stdout) if done.returncode == 0 else None


def ours(build, problem, parameters, method, tolerance, repeats, rows=0.0):
    half = HALF[problem](parameters) if problem in HALF else 0.0
    sets = [f"{k}={v!r}" for k, v in parameters.items()]
    return call([build / "bench/peer_ours", HERE / f"models/{problem}.yaml", method, repr(tolerance), repeats, rows, half, *sets])


def peer(build, program, problem, parameters, setting, repeats):
    exe = build / f"bench/peer_{program}"
    if not exe.exists():
        return None
    if program == "cvode":
        return call([exe, setting, repeats])
    return call([exe, problem, parameters["N"], setting, repeats])


def reference_file(problem, parameters):
    name = "_".join([problem, *(f"{k}{v:g}" for k, v in parameters.items())])
    return HERE / "references" / f"{name}.csv"


def read_reference(problem, parameters):
    if problem == "p3":
        return None  # judged by its energy
    with open(reference_file(problem, parameters), encoding="utf-8") as file:
        rows = [line.split(",") for line in file if not line.startswith("#")]
    if problem in HALF:
        return [[float(x) for x in row] for row in rows]
    return {row[0]: float(row[1]) for row in rows}


def error_of(problem, run, reference):
    """Largest distance of a rod's end; largest energy error; larger angle error; distance of the tip."""
    if problem == "p3":
        return run["energy"]
    if problem in HALF:
        return max(math.dist(a, b) for a, b in zip(run["points"], reference))
    off = [run["values"][k] - reference[k] for k in reference]
    return max(abs(x) for x in off) if problem == "p4" else math.hypot(*off)


def judge(problem, run, reference):
    return math.inf if run is None else error_of(problem, run, reference)


def first_that_reaches(problem, asked, reference, settings, make, best_so_far=math.inf):
    """The first setting whose error is small enough, timed with repeats; None when none is, or when all are slower than another."""
    for setting in settings:
        run = make(setting, 1)
        if run is not None and run["cpu"] > min(LIMIT, 3.0 * best_so_far):
            return None
        error = judge(problem, run, reference)
        if error <= asked:
            repeats = 1 if run["cpu"] > 2.0 else 3 if run["cpu"] > 0.2 else 15
            again = make(setting, repeats)
            return {"setting": setting, "error": error, "cpu": min(run["cpu"], again["cpu"]), "steps": run["steps"],
                    "method": run.get("method", "")}
    return None


def measure(build, case, methods, out):
    problem, parameters, asked, program, settings, known = case
    if problem != "p3" and not reference_file(problem, parameters).exists():
        print(f"| {problem} {parameters}, {asked:g} | no reference: bench/peers/run.py --references --only {problem} | | |", flush=True)
        return
    reference = read_reference(problem, parameters)
    rows = 0.02 if problem == "p3" else 0.0
    row = {"problem": problem, **{"parameters": " ".join(f"{k}={v:g}" for k, v in parameters.items())}, "error": asked,
           "peer": program}
    found = first_that_reaches(problem, asked, reference, settings,
                               lambda s, n: peer(build, program, problem, parameters, s, n))
    row["peer_s"] = found["cpu"] if found else known
    row["peer_setting"] = found["setting"] if found else "*"
    best = None
    for method in methods or NAMED[family(problem)]:
        got = first_that_reaches(problem, asked, reference, TOLERANCES,
                                 lambda tol, n, m=method: ours(build, problem, parameters, m, tol, n, rows),
                                 best["cpu"] if best else math.inf)
        if got and (best is None or got["cpu"] < best["cpu"]):
            best = {**got, "method": method}
    auto = first_that_reaches(problem, asked, reference, TOLERANCES,
                              lambda tol, n: ours(build, problem, parameters, "auto", tol, n, rows))
    for name, got in (("best", best), ("auto", auto)):
        row[f"{name}_method"] = got["method"] if got else "not reached"
        row[f"{name}_tol"] = f"{got['setting']:.2g}" if got else ""
        row[f"{name}_s"] = got["cpu"] if got else math.nan
        row[f"{name}_steps"] = int(got["steps"]) if got else ""
        row[f"{name}_error"] = f"{got['error']:.2g}" if got else ""
        row[f"{name}_ratio"] = row["peer_s"] / got["cpu"] if got else math.nan
    out.append(row)
    print(f"| {problem} {row['parameters']}, {asked:g} | {program} {row['peer_setting']}: {row['peer_s'] * 1e3:.3g} ms | "
          f"{row['best_ratio']:.2f} (`{row['best_method']}`, {row['best_s'] * 1e3:.3g} ms, {row['best_steps']} steps) | "
          f"{row['auto_ratio']:.2f} (`{row['auto_method']}`, {row['auto_s'] * 1e3:.3g} ms, {row['auto_steps']} steps) |", flush=True)


def head(build):
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name")), "?")
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    changed = subprocess.run(["git", "-C", ROOT, "status", "--porcelain", "src"], capture_output=True, text=True, check=False).stdout
    there = [p for p in ("mujoco", "simbody", "cvode") if (build / f"bench/peer_{p}").exists()]
    return [f"commit {commit}{' and changes' if changed else ''}", f"processor {cpu}", f"peers that ran: {', '.join(there) or 'none'}",
            "a setting of * : not installed, time of a published measurement on another machine"]


# Two methods of ours, tight; they have to agree to a tenth of the error asked for.
TIGHT = {"chain": [("radau", 1e-12), ("adams", 1e-12)], "p4": [("radau", 1e-13), ("rosenbrock", 1e-12)],
         "p5": [("radau", 1e-10), ("bdf-i3", 1e-11)], "p5 large": [("radau", 1e-8), ("radau", 1e-7)]}


def make_references(build, cases):
    (HERE / "references").mkdir(exist_ok=True)
    for problem, parameters, asked, *_ in cases:
        if problem == "p3":
            continue
        tight = TIGHT["p5 large" if parameters.get("n", 0) > 100 else family(problem)]
        runs = [ours(build, problem, parameters, method, tol, 1) for method, tol in tight]
        if runs[0] is None:
            sys.exit(f"{problem} {parameters}: the tight run fails")
        path = reference_file(problem, parameters)
        name = f"# {problem} {parameters}: {tight[0][0]} at {tight[0][1]:g}"
        lines = [",".join(repr(x) for x in p) for p in runs[0]["points"]] if problem in HALF else [
            f"{k},{v!r}" for k, v in runs[0]["values"].items()]
        path.write_text("\n".join([name, *lines]) + "\n", encoding="utf-8")
        gap = judge(problem, runs[1], read_reference(problem, parameters))
        print(f"{path.name}: two methods differ by {gap:.2g} of {asked:g} asked for", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    p.add_argument("--only", default="", help="problems, with commas")
    p.add_argument("--largest", type=int, default=1000, help="most rods, windows or elements")
    p.add_argument("--methods", default="", help="of ours, beside auto")
    p.add_argument("--out", default=None, type=pathlib.Path, help="table as CSV")
    p.add_argument("--references", action="store_true")
    a = p.parse_args()
    cases = [c for c in CASES if (not a.only or c[0] in a.only.split(",")) and max([*(c[1].get(k, 0) for k in ("N", "n"))]) <= a.largest]
    if a.references:
        make_references(a.build, cases)
        return
    notes, rows = head(a.build), []
    print("\n".join(notes) + "\n\n| problem, error | peer | best of our methods | what `auto` gives |\n|---|---|---|---|")
    for case in cases:
        measure(a.build, case, a.methods.split(",") if a.methods else [], rows)
    if a.out and rows:
        with open(a.out, "w", encoding="utf-8", newline="") as file:
            file.write("".join(f"# {note}\n" for note in notes))
            table = csv.DictWriter(file, fieldnames=list(rows[0]))
            table.writeheader()
            table.writerows(rows)


if __name__ == "__main__":
    main()
