#!/usr/bin/env python3
"""Where the instructions of a step go: every method on a chain of 1000 links, by phase.

    bench/profile.py [--trammel PATH] [--links N] [--steps N] [--only METHOD,...]
    bench/profile.py --growth [--trammel PATH]

Runs fixed steps under valgrind's callgrind, which counts instructions inside `tml_sim_step` only.
What a function executes itself counts for the phase of the nearest function of PHASES above it in
the call stack; where several call it, in proportion to what they make it cost. The choice of
independent coordinates, made at the start and when it is worn, is told apart. Writes
bench/results/profile.csv when nothing is left out, and prints the table with the largest functions
of "else". Needs valgrind; about five minutes.

--growth instead tells how the instructions of `hht` grow with the chain, on ball joints and on pins:
those of the 20 steps that the benchmark `chain` times, from two runs whose difference they are.
Writes bench/results/growth.csv.
"""
import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODELS = os.path.join(ROOT, "models", "closed_forms")
MODEL = os.path.join(MODELS, "chain_spherical.yaml")
STEP = 1e-3  # s
WARM_UP, TIMED = 14, 20  # steps of the benchmark `chain` before and while it looks at the clock

PHASES = {
    # the nearest counts, so that factors made inside a projection are factors
    "factor": ["tml_lu_factor", "tml_lu_refactor", "tml_zlu_factor", "tml_zlu_refactor"],
    "solve": ["tml_lu_solve", "tml_zlu_solve"],
    "Jacobian": ["tml_system_jacobian", "tml_system_stage_jacobian", "tml_stages_assemble",
                 "tml_stages_factor", "tml_stages_factor_complex"],
    "residual": ["tml_system_residual", "tml_system_residual_settled", "tml_system_kinematics"],
    "projection": ["tml_system_project", "tml_system_project_velocity",
                   "tml_partition_close_positions", "tml_partition_close_velocities",
                   "tml_partition_tangent"],
    # once at the start, and again when the partition is worn
    "partition": ["tml_partition_choose"],
}
NAMES = list(PHASES) + ["else"]


class Graph:
    """Functions of a callgrind file: own instructions, and what calls cost."""

    def __init__(self, path):
        self.own, self.edges = defaultdict(int), defaultdict(int)
        names, now, callee = {}, None, None

        def name_of(text):
            number, name = re.match(r"\((\d+)\)(?: (.*))?$", text).groups()
            # one function that the compiler has split or specialised
            names.setdefault(number, re.sub(r"(\.(part|constprop|isra|cold)(\.\d+)?|'\d+)+$", "",
                                            name or ""))
            return names[number]

        with open(path) as file:
            for line in file:
                if line.startswith("fn="):
                    now = name_of(line[3:].strip())
                elif line.startswith("cfn="):
                    callee = name_of(line[4:].strip())
                elif line.startswith("calls="):
                    cost = int(next(file).split()[-1])
                    if callee != now:
                        self.edges[now, callee] += cost
                elif line[0] in "+-*0123456789" and now is not None:
                    self.own[now] += int(line.split()[-1])

    def shares(self):
        """Part of each phase in each function, by the calls that reach it."""
        root = {f: phase for phase, functions in PHASES.items() for f in functions}
        callers = defaultdict(list)
        for (caller, callee), cost in self.edges.items():
            callers[callee].append((caller, cost))
        share = {f: {root.get(f, "else"): 1.0} for f in set(self.own) | set(callers)}
        for _ in range(40):  # deeper than any stack here
            for f, above in callers.items():
                total = sum(cost for _, cost in above)
                if f in root or total == 0:
                    continue
                mixed = defaultdict(float)
                for caller, cost in above:
                    for phase, part in share.get(caller, {"else": 1.0}).items():
                        mixed[phase] += part * cost / total
                share[f] = dict(mixed)
        return share

    def by_phase(self):
        """Instructions of each phase, and the functions of "else", largest first."""
        total, rest = dict.fromkeys(NAMES, 0.0), []
        for f, parts in self.shares().items():
            for phase, part in parts.items():
                total[phase] += part * self.own[f]
            rest.append((parts.get("else", 0.0) * self.own[f], f))
        return total, sorted(rest, reverse=True)


def count(args, model, method, links, steps, folder, *more):
    """Callgrind on fixed steps: (path of its file, None), or (None, why not)."""
    out = os.path.join(folder, f"callgrind.{links}.{steps}")
    command = ["valgrind", "--tool=callgrind", "--collect-atstart=no",
               "--toggle-collect=tml_sim_step", f"--callgrind-out-file={out}", args.trammel,
               "run", model, "--set", f"N={links}", "--integrator", method, "--step",
               repr(STEP), "--end", repr(steps * STEP), "--output-step",
               repr(steps * STEP), "--summary", out + ".json", "--quiet", *more]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[-1:]
    return out, None


def profile(args, method):
    with tempfile.TemporaryDirectory(prefix="trammel-profile-") as folder:
        out, why = count(args, MODEL, method, args.links, args.steps, folder)
        return (method, None, why) if out is None else (method,) + Graph(out).by_phase()


def grown(args, case):
    """Instructions by phase, iterations and new factors of steps 15 to 34."""
    kind, links = case
    parts = []
    with tempfile.TemporaryDirectory(prefix="trammel-profile-") as folder:
        for steps in (WARM_UP, WARM_UP + TIMED):
            model = os.path.join(MODELS, f"chain_{kind}.yaml")
            out, why = count(args, model, "hht", links, steps, folder, "--tol", "1e-6")
            if out is None:
                sys.exit(f"{kind} {links}: {why}")
            with open(out + ".json") as file:
                told = json.load(file)["statistics"]
            parts.append(dict(Graph(out).by_phase()[0], iterations=told["iterations"],
                              jacobians=told["jacobians"]))
    part = {key: parts[1][key] - parts[0][key] for key in parts[0]}
    total = sum(part[name] for name in NAMES)
    kept = total - part["factor"] - part["Jacobian"]
    row = {"joints": kind, "bodies": links, "iterations": part["iterations"],
           "factors": part["jacobians"], "step_body": round(total / links / TIMED),
           "iteration_body": round(kept / links / part["iterations"])}
    row.update({name: f"{part[name] / total:.3f}" for name in NAMES if name != "partition"})
    return row


def exponent(rows, key):
    """p of key times bodies = c bodies^p, least squares."""
    x = [math.log(r["bodies"]) for r in rows]
    y = [math.log(r["bodies"] * r[key]) for r in rows]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return (sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x))


def write_csv(name, rows):
    with open(os.path.join(ROOT, "bench", "results", name), "w", newline="") as f:
        out = csv.DictWriter(f, list(rows[0]), lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def growth(args):
    cases = [(kind, n) for kind in ("spherical", "revolute") for n in (100, 1000, 10000)]
    rows = []
    for row in map(lambda case: grown(args, case), cases):
        rows.append(row)
        print(" ".join(f"{k} {v}" for k, v in row.items()), flush=True)
    for kind in ("spherical", "revolute"):
        own = [r for r in rows if r["joints"] == kind]
        print(f"{kind}: exponent of a step {exponent(own, 'step_body'):.3f}, "
              f"of an iteration {exponent(own, 'iteration_body'):.3f}")
    write_csv("growth.csv", rows)
    return 0


def line_of(args, method, total):
    steps = sum(total.values()) - total["partition"]
    row = {"method": method, "links": args.links, "steps": args.steps,
           "instructions": round(steps), "instructions_link_step": round(steps / args.links / args.steps)}
    row.update({name: f"{total[name] / steps:.3f}" for name in NAMES if name != "partition"})
    row["partition_instructions"] = round(total["partition"])
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trammel", default=os.environ.get("TRAMMEL")
                        or os.path.join(ROOT, "build", "trammel"))
    parser.add_argument("--links", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--only", default="", help="names of methods, separated by commas")
    parser.add_argument("--growth", action="store_true", help="hht on chains of 100 to 10000")
    args = parser.parse_args()
    if args.growth:
        return growth(args)
    done = subprocess.run([args.trammel, "integrators"], capture_output=True, text=True, check=True)
    methods = [m for m in done.stdout.split() if m != "auto"]
    methods = [m for m in methods if not args.only or m in args.only.split(",")]
    rows = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for method, total, rest in pool.map(lambda m: profile(args, m), methods):
            if total is None:
                print(f"{method}: {rest}")
                continue
            row = line_of(args, method, total)
            rows.append(row)
            print(" ".join(f"{k} {v}" for k, v in row.items()))
            print("    else: " + ", ".join(f"{f} {100 * n / row['instructions']:.1f} %"
                                           for n, f in rest[:8]), flush=True)
    if not args.only and rows:
        write_csv("profile.csv", rows)
    return 0 if len(rows) == len(methods) else 1


if __name__ == "__main__":
    sys.exit(main())
