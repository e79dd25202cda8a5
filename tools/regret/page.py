"""The report of tools/evidence/regret.py as lines, and the page docs/evidence/regret.md."""
import math

from regret.measure import JUDGED, median

INTRO = """# Regret of `auto`

Written by `tools/evidence/regret.py --write`; the runs are in [bench/results/regret.csv](../../bench/results/regret.csv). The rules are those of
[decision 9](../decisions/0009-auto.md).

The regret is the CPU time of a run by `auto` over the least time of any method at the same error, between tolerances by straight lines on
logarithmic axes. Errors are the largest of any channel relative to its range, against a tight run of another method. Runs whose error is more than
a tenth of the range are not judged. {models} models, three tolerances; every second model served to find the rules (*learn*), the others test them.

"""


def kept(records, **wanted):
    return [r for r in records if r["judged"] and all(r[k] == v for k, v in wanted.items())]


def summary(name, records):
    values = [r["regret"] for r in records]
    if not values:
        return f"| {name} | 0 | - | - | - |"
    above = sum(v > 2.0 for v in values)
    return f"| {name} | {len(values)} | {median(values):.2f} | {max(values):.1f} | {above} |"


def summaries(records):
    lines = ["| runs | number | median | worst | above 2 |", "|---|---|---|---|---|", summary("all", kept(records))]
    lines += [summary(s, kept(records, set=s)) for s in ("learn", "test")]
    lines += [summary(f"{t:.0e}", kept(records, tolerance=t)) for t in JUDGED]
    lines += [summary(f, kept(records, family=f)) for f in sorted({r["family"] for r in records})]
    return lines


def table(records):
    lines = ["| model | set | tolerance | error | `auto` took | regret | best |", "|---|---|---|---|---|---|---|"]
    for r in sorted(records, key=lambda r: -r["regret"]):
        regret = f"{r['regret']:.2f}" if r["judged"] else "not judged"
        lines.append(f"| {r['model']} | {r['set']} | {r['tolerance']:.0e} | {r['error']:.1e} | {r['choice']} | {regret} | {r['best']} |")
    return lines


def costs(r):
    least = min(r["costs"].values())
    return ", ".join(f"{m} {c / least:.2g}" for m, c in sorted(r["costs"].items(), key=lambda x: x[1]) if c < math.inf)


def report(records):
    lines = summaries(records) + [""]
    for r in sorted(records, key=lambda r: -r["regret"]):
        if r["regret"] > 1.3:
            lines.append(f"{r['regret']:6.2f} {r['model']} ({r['family']}) {r['tolerance']:.0e} error {r['error']:.1e} {r['choice']}: {costs(r)}"
                         + ("" if r["judged"] else " (not judged)"))
    return lines


def text(records):
    models = len({r["model"] for r in records})
    return INTRO.format(models=models) + "\n".join(summaries(records) + ["", "## All runs", ""] + table(records)) + "\n"
