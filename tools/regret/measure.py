"""Runs the catalogue and computes regrets from what the runs cost."""
import csv
import math
import pathlib
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

METHODS = ["hht", "bdf-i3", "bdf-si2", "radau", "rosenbrock", "adams", "dop853"]
TOLERANCES = ["1e-2", "1e-3", "1e-5", "1e-7"]
JUDGED = (1e-3, 1e-5, 1e-7)  # tolerances at which `auto` is judged
BEYOND = 100.0               # how far below its least error a method is trusted to go on
LOST = 0.1                   # an error of a tenth of the range is no result
FIELDS = ["model", "family", "set", "method", "tolerance", "error", "cpu", "steps", "choice"]


def run_one(command, entry, folder, args):
    """Rows of one model: all methods and `auto`, errors against a tight run of another method."""
    table = pathlib.Path(folder) / (entry.name.replace("/", "_").replace(" ", "_") + ".csv")
    call = [command, "compare", str(entry.file(folder)), "-i", ",".join(args.methods + ["auto"]), "-t", ",".join(TOLERANCES),
            "--repeat", str(args.repeat), "--limit", str(args.limit), "--csv", str(table)]
    call += ["-e", str(entry.end)] if entry.end else []
    call += [x for name, value in entry.sets for x in ("--set", f"{name}={value}")]
    call += ["--channels", ",".join(entry.channels)] if entry.channels else []
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if not table.exists():
        print(f"{entry.name}: left out: {done.stderr.strip()}", flush=True)
        return []
    rows = []
    with open(table, encoding="utf-8") as f:
        for row in csv.DictReader(f):
            ok = row["status"] == "TML_OK" and row["max_error"] not in ("", "nan")
            rows.append({"model": entry.name, "family": entry.family, "set": "learn" if entry.learn else "test",
                         "method": row["method"], "tolerance": float(row["tolerance"]),
                         "error": float(row["max_error"]) if ok else math.inf,
                         "cpu": float(row["cpu_seconds"]) if ok else math.inf, "steps": int(row["steps"] or 0),
                         "choice": row.get("used", "")})
    return rows


def measure(entries, args):
    rows = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.jobs) as pool:
        for entry, part in zip(entries, pool.map(lambda e: run_one(args.trammel, e, folder, args), entries)):
            rows += part
            if args.save:
                write(rows, args.save)
            print(f"{entry.name}: {sum(r['cpu'] for r in part if r['cpu'] < math.inf):.2f} s", flush=True)
    return rows


def write(rows, path):
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, FIELDS, lineterminator="\n")
        out.writeheader()
        out.writerows({**r, "error": f"{r['error']:.4g}", "cpu": f"{r['cpu']:.4g}"} for r in rows)


def read(path):
    with open(path, encoding="utf-8") as f:
        return [{**r, "tolerance": float(r["tolerance"]), "error": float(r["error"]), "cpu": float(r["cpu"]),
                 "steps": int(r["steps"])} for r in csv.DictReader(f)]


def cost_at(points, error):
    """The cost of a method at an error: its runs (error, cost), the lower left of them, straight lines between on logarithmic axes. The last
    line goes on to a hundredth of the least error, so that a method is not left out because it was not asked for more."""
    hull = []
    for e, c in sorted(points, key=lambda p: p[1]):
        if not hull or e < hull[-1][0]:
            hull.append((e, c))
    if not hull or (hull[-1][0] > error and len(hull) == 1) or hull[-1][0] > BEYOND * error:
        return math.inf
    if hull[0][0] <= error:
        return hull[0][1]
    for (e0, c0), (e1, c1) in zip(hull, hull[1:]):
        if e1 <= error or (e1, c1) == hull[-1]:
            return c0 * (c1 / c0) ** (math.log(e0 / error) / math.log(e0 / e1))
    return math.inf


def name_choice(runs, auto):
    """The method that made the steps of `auto`: the one that has as many at that tolerance, else at another one."""
    every = [(m, r) for m, points in runs.items() for r in points if r["steps"] == auto["steps"]]
    same = [m for m, r in every if r["tolerance"] == auto["tolerance"]]
    other = [f"{m} at {r['tolerance']:.0e}" for m, r in every if abs(r["error"] - auto["error"]) <= 0.02 * auto["error"]]
    return same[0] if len(same) == 1 else auto["choice"] or "+".join(same) or "".join(other[:1]) or "another tolerance, or several"


def regrets(rows):
    """One record for each model and tolerance at which `auto` is judged."""
    out = []
    for model in dict.fromkeys(r["model"] for r in rows):
        mine = [r for r in rows if r["model"] == model]
        floor = max(1e-10, 2.0 * min(r["error"] for r in mine))
        runs = {m: [r for r in mine if r["method"] == m] for m in dict.fromkeys(r["method"] for r in mine) if m != "auto"}
        for auto in (r for r in mine if r["method"] == "auto" and r["tolerance"] in JUDGED):
            error = max(auto["error"], floor)
            costs = {m: cost_at([(max(r["error"], floor), r["cpu"]) for r in points if r["error"] < math.inf], error)
                     for m, points in runs.items()}
            choice = name_choice(runs, auto)
            cost = min([auto["cpu"]] + [r["cpu"] for r in runs.get(choice, []) if r["tolerance"] == auto["tolerance"]])
            best = min(costs, key=costs.get)
            out.append({"model": model, "family": auto["family"], "set": auto["set"], "tolerance": auto["tolerance"],
                        "error": auto["error"], "choice": choice, "best": best,
                        "regret": max(1.0, cost / costs[best]) if costs[best] < math.inf else 1.0,
                        "judged": auto["error"] < LOST, "costs": costs})
    return out


def median(values):
    values = sorted(values)
    n = len(values)
    return math.nan if n == 0 else 0.5 * (values[(n - 1) // 2] + values[n // 2])
