"""Errors of all methods at falling tolerances, and what follows from them."""
import csv
import itertools
import math
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from validation.engine import Engine, Failed

from .models import MODELS, SHORT, cases_folder, published_of

TOLERANCES = [1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-12, 1e-13]
TIGHTEST = 1e-11
# BDF, whose global error is the farthest from its tolerance among methods of high order, goes further.
TIGHTEST_OF = {"bdf-i3": 1e-13, "bdf-si2": 1e-13}
HIGH_ORDER = ("radau", "rosenbrock", "adams", "bdf-i3", "bdf-si2")
DIGITS = 8  # of a high-order method at its tightest tolerance
# methods and tolerances of reference runs, the best first; adams is out where the model is stiff
REFERENCES = [("adams", 1e-13), ("radau", 1e-12), ("rosenbrock", 1e-11), ("bdf-si2", 1e-11)]


def list_methods(trammel):
    done = subprocess.run([trammel, "integrators"], capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split() if name != "auto"]


def scales(reference, columns):
    """Range of each column; one that hardly moves is left out."""
    ranges = {c: max(reference[c]) - min(reference[c]) for c in columns}
    top = max(ranges.values())
    return {c: r for c, r in ranges.items() if r > 1e-6 * top}


def distance(a, b, ranges):
    """Largest difference over rows and columns, relative to the range of the column."""
    return max(max(abs(x - y) for x, y in zip(a[c], b[c], strict=True)) / r
               for c, r in ranges.items())


def distance_to_table(run, table, ranges):
    """The same at those times that both have."""
    rows = {round(t, 9): k for k, t in enumerate(run["time"])}
    pairs = [(rows[round(t, 9)], k) for k, t in enumerate(table["time"]) if round(t, 9) in rows]
    return max(abs(run[c][i] - table[c][k]) / r for c, r in ranges.items() if c in table
               for i, k in pairs)


def slope(points, floor):
    """Of log error over log tolerance, where errors are above what the reference is good for."""
    logs = [(math.log(t), math.log(e)) for t, e in points if e > 10 * floor and t < 2e-4]
    if len(logs) < 2:
        return None
    mx, my = (sum(c) / len(logs) for c in zip(*logs))
    return sum((x - mx) * (y - my) for x, y in logs) / sum((x - mx) ** 2 for x, _ in logs)


class Runs:
    """Runs of one model by method and tolerance, on all cores."""

    def __init__(self, trammel, model, end=None):
        self.trammel, self.model, self.kept = trammel, model, {}
        self.end = end or model.end

    def make(self, jobs):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for job, run in zip(jobs, pool.map(lambda job: self._one(*job), jobs)):
                self.kept[job] = run

    def _one(self, method, tolerance):
        engine, m = Engine(self.trammel, method), self.model
        try:
            return engine.run(m.path, tol=tolerance, end=self.end, sets=m.sets)
        except Failed as e:
            return e

    def good(self, job):
        return not isinstance(self.kept[job], Failed)

    def references(self):
        """The first two of the list that reach their end."""
        usable = [r for r in REFERENCES if not (self.model.stiff and r[0] == "adams")]
        self.make(usable[:2])
        for spare in usable[2:]:
            if sum(self.good(r) for r in usable if r in self.kept) < 2:
                self.make([spare])
        return [r for r in usable if r in self.kept and self.good(r)][:2]


class Study:
    def __init__(self, trammel, methods, models):
        self.trammel, self.methods, self.models = trammel, methods, models
        self.rows, self.facts, self.seconds = [], {}, 0.0

    def measure(self):
        start = time.monotonic()
        if cases_folder() is None:
            print("skipped: published results (TRAMMEL_CASES is not set, ../shared/cases is absent)")
        for model in self.models:
            self.measure_model(model)
        self.seconds = time.monotonic() - start

    def tolerances(self, method):
        return [t for t in TOLERANCES if t >= 0.99 * TIGHTEST_OF.get(method, TIGHTEST)]

    def measure_model(self, model):
        runs = Runs(self.trammel, model)
        refs = runs.references()
        first, second = (runs.kept[r].columns for r in refs)
        ranges = scales(first, model.columns)
        floor = distance(second, first, ranges)
        published = published_of(model)
        fact = {"references": refs, "floor": floor, "published": None, "pairs": {}}
        if published is not None:
            fact["published"] = distance_to_table(first, published, ranges)
        self.facts[model.name] = fact
        print(f"{model.name}: references {refs[0][0]} and {refs[1][0]} differ by {floor:.1e}"
              + (f", published by {fact['published']:.1e}" if published else ""))
        jobs = [(m, t) for m in self.methods for t in self.tolerances(m)]
        runs.make(jobs)
        for method, tolerance in jobs:
            run = runs.kept[method, tolerance]
            row = {"model": model.name, "method": method, "tolerance": tolerance, "error": None,
                   "published": None, "steps": None, "residuals": None, "status": "ok"}
            if isinstance(run, Failed):
                row["status"] = str(run).splitlines()[-1][:120]
            else:
                other = first if refs[0][0] != method else second
                row["error"] = distance(run.columns, other, ranges)
                if published is not None:
                    row["published"] = distance_to_table(run.columns, published, ranges)
                statistics = run.summary["statistics"]
                row["steps"], row["residuals"] = statistics["steps"], statistics["residuals"]
            self.rows.append(row)
        for tolerance in (t for t in TOLERANCES if t >= TIGHTEST):
            good = [runs.kept[j].columns for j in jobs if j[1] == tolerance and runs.good(j)]
            fact["pairs"][tolerance] = max((distance(a, b, ranges)
                                            for a, b in itertools.combinations(good, 2)),
                                           default=0.0)
        self.print_model(model)

    # --- what comes out -----------------------------------------------------------------------

    def points(self, model, method, key="error"):
        return [(r["tolerance"], r[key]) for r in self.rows
                if r["model"] == model and r["method"] == method and r[key] is not None]

    def line(self, model, method):
        """Errors by tolerance, slope, digits at the tightest tolerance that ran."""
        errors = dict(self.points(model, method))
        cells = [f"{errors[t]:.1e}" if t in errors else self.why_empty(method, t)
                 for t in TOLERANCES]
        p = slope(sorted(errors.items()), self.facts[model]["floor"])
        return cells + ["-" if p is None else f"{p:.2f}", f"{self.digits(model, method):.1f}"]

    def why_empty(self, method, tolerance):
        return "not run" if tolerance not in self.tolerances(method) else "fails"

    def digits(self, model, method):
        """The most that any tolerance gives."""
        points = self.points(model, method)
        best = min((e for _, e in points), default=1.0)
        return -math.log10(max(best, 1e-16))

    def print_model(self, model):
        for method in self.methods:
            print(f"  {method:20} " + " ".join(f"{c:>8}" for c in self.line(model.name, method)))
        pairs = self.facts[model.name]["pairs"]
        print(f"  {'largest of all pairs':20} "
              + " ".join(f"{d:8.1e}" for d in pairs.values()), flush=True)

    def write_csv(self, path):
        names = ["model", "method", "tolerance", "error", "published", "steps", "residuals",
                 "status"]
        with open(path, "w", newline="") as f:
            out = csv.DictWriter(f, names, lineterminator="\n")
            out.writeheader()
            for row in self.rows:
                out.writerow({k: f"{v:.4g}" if isinstance(v, float) else v
                              for k, v in row.items()})

    def shortfalls(self):
        """Every place where a high-order method stays below its digits, and every failed run."""
        out = []
        for model, method in itertools.product(self.models, self.methods):
            digits = self.digits(model.name, method)
            if method in HIGH_ORDER and digits < DIGITS:
                out.append(f"`{method}` on {model.name}: {digits:.1f} digits"
                           + (f" ({model.rough})" if model.rough else ""))
        for row in self.rows:
            if row["status"] != "ok":
                out.append(f"`{row['method']}` on {row['model']} at {row['tolerance']:.0e} fails: "
                           f"{row['status']}")
        return out

    def write_page(self, path):
        from .page import convergence_page
        with open(path, "w") as f:
            f.write(convergence_page(self))


# --- the short check --------------------------------------------------------------------------

def check(trammel, methods, loose=1e-4, tight=1e-7):
    """All pairs of methods come together.

    A method of order 2 whose local error is held at eps takes steps of eps^(1/3) and has a global
    error of eps^(2/3) times a constant of the motion: the number of times that local errors add up,
    a few characteristic times here, and their growth. 30 is allowed for it; methods of higher order
    are better. From 1e-4 to 1e-7 the largest difference falls by 1e-3^(2/3) = 0.01; 0.04 leaves room
    for starts, where steps are not yet chosen by the error."""
    ok = True
    for model in (m for m in MODELS if m.name in SHORT):
        runs = Runs(trammel, model, end=1)
        runs.make([(m, t) for m in methods for t in (loose, tight)])
        failed = [job for job in runs.kept if not runs.good(job)]
        for job in failed:
            print(f"FAIL {model.name} {job[0]} at {job[1]:g}: {runs.kept[job]}")
        if failed:
            ok = False
            continue
        ranges = scales(runs.kept[methods[0], tight].columns, model.columns)
        far = {}
        for a, b in itertools.combinations(methods, 2):
            d = [distance(runs.kept[a, t].columns, runs.kept[b, t].columns, ranges)
                 for t in (loose, tight)]
            far[a, b] = d
            limit = 2 * 30 * tight ** (2 / 3)
            if d[1] > limit:
                ok = False
                print(f"FAIL {model.name} {a}, {b}: {d[1]:.1e} apart at {tight:g}, {limit:.1e} allowed")
        worst = [max(d[k] for d in far.values()) for k in (0, 1)]
        falls = worst[1] <= 0.04 * worst[0]
        ok = ok and falls
        print(f"{'ok  ' if falls else 'FAIL'} {model.name}: {len(far)} pairs, at most {worst[0]:.1e} "
              f"apart at {loose:g}, {worst[1]:.1e} at {tight:g}")
    return ok
