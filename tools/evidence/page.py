"""The pages of docs/evidence that are written from measurements."""
import math

INTRO = """# Convergence

Written by `tools/convergence.py`; all figures are in
[bench/results/convergence.csv](../../bench/results/convergence.csv).

Every method on {count} models with falling tolerances. The error of a run is the largest difference,
over all rows and compared channels, to a tight run of another method, relative to the range of the
channel. References are the first two that reach the end of `adams` at 1e-13 (not where the model is
stiff), `radau` at 1e-12, `rosenbrock` at 1e-11; the first serves all methods but itself. What the two
differ by is the floor below which errors mean nothing. Published results are compared where there
are any, relative to the same ranges.

*Slope* is that of log error over log tolerance between 1e-5 and the tightest tolerance, without
errors at the floor. Step control that holds the local error at the tolerance gives 2/3 for methods of
order 2, 5/6 for `radau` (its estimate is scaled), 1 for `rosenbrock` (its estimate is one order lower
than the step) and something between for methods of variable order. *Digits* are those of the best run.
BDF is run to 1e-13, all others to 1e-11.
"""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(str(x) for x in row) + " |" for row in rows] + [""]


def number(x):
    return "-" if x is None else f"{x:.1e}"


def all_pairs(study, tolerances):
    """Models by tolerance: the largest difference of any two methods."""
    rows = []
    for model in study.models:
        fact = study.facts[model.name]
        refs = " and ".join(f"`{name}`" for name, _ in fact["references"])
        rows.append([model.name] + [f"{fact['pairs'][t]:.1e}" for t in tolerances]
                    + [refs, number(fact["floor"]), number(fact["published"])])
    head = ["model"] + [f"{t:.0e}" for t in tolerances] + ["references", "differ by", "published by"]
    return table(head, rows)


def digits_by_model(study, high):
    """Digits of the high-order methods, and against published results."""
    rows = []
    for model in study.models:
        row = [model.name]
        for method in high:
            published = [e for _, e in study.points(model.name, method, "published")]
            text = f"{study.digits(model.name, method):.1f}"
            if published:
                text += f" ({-math.log10(max(min(published), 1e-16)):.1f})"
            row.append(text)
        rows.append(row)
    return table(["model"] + [f"`{m}`" for m in high], rows)


def convergence_page(study):
    from .convergence import DIGITS, HIGH_ORDER, TIGHTEST, TOLERANCES
    out = INTRO.format(count=len(study.models)).splitlines() + [""]
    out += ["## All methods, one motion", "",
            "The largest difference between any two of the methods, at each tolerance.", ""]
    out += all_pairs(study, [t for t in TOLERANCES if t >= TIGHTEST])
    out += ["## Digits of the methods of high order", "",
            f"Of the best run; {DIGITS} are asked for. In brackets: against the published result.", ""]
    out += digits_by_model(study, [m for m in study.methods if m in HIGH_ORDER])
    short = study.shortfalls()
    out += ["## What falls short", ""]
    out += [f"- {line}" for line in short] if short else ["Nothing."]
    out += ["", "## By model", ""]
    for model in study.models:
        rows = [[f"`{m}`"] + study.line(model.name, m) for m in study.methods]
        out += [f"**{model.name}** (`models/{model.path}`)"
                + (f": {model.rough}" if model.rough else ""), ""]
        out += table(["method"] + [f"{t:.0e}" for t in TOLERANCES] + ["slope", "digits"], rows)
    return "\n".join(out).rstrip() + "\n"
