"""Eigenvalues against a run: near an equilibrium every output is

    y(t) = sum_k c_k exp(lambda_k t)

so the rows of a run from small velocities must lie in the span of these functions (and of t times
them where eigenvalues meet). The part of the rows outside the span is what is judged.
"""
import cmath
import json
import math

from mechanisms.checks import Failure, Skip, reason

MOST = 24  # states; more functions would fit anything that 161 rows hold


def linear(case):
    m, program = case.m, case.program
    if m.traits & {"rolling", "delay", "loud", "nonsmooth"}:
        raise Skip("not near an equilibrium")
    path, out = program.model(case.text()), program.folder / "modes.json"
    status, said = program.call(["linearize", path, "--json", out, "-q"])
    if status:
        raise Failure("linearize refused", reason(said), "linearize")
    found = json.loads(out.read_text())
    values = [complex(k["real"], k["imag"]) for k in found["modes"]]
    if found["order"] > MOST or len(values) == 0:
        raise Skip("too many states" if found["order"] > MOST else "no states")
    if found["acceleration"] > 1e-3:
        raise Skip("not near an equilibrium")
    slow = min([abs(v) for v in values if abs(v) > 0.5] or [6.0])
    end = min(8.0, 2 * math.pi / slow * 1.5)
    run = program.run("", "-i", "radau", "-t", "1e-12", "-e", repr(end), "--output-step",
                      repr(end / 160), path=path)
    if not run.done:
        raise Skip("refused: " + reason(run.text))
    basis = functions(values, [row[0] for row in run.rows])
    for k, name in enumerate(run.names):
        output = m.tree["outputs"].get(name)
        if output is None or output.kind != "motion" or "VM(" in "".join(map(str, output.pieces)):
            continue  # the magnitude of a velocity near zero is no linear function of it
        rows = [row[k] for row in run.rows]
        size = max(rows) - min(rows)
        # velocities of 1e-5 make squares of 1e-10; below 1e-8 an output hardly moves
        if size < 1e-8:
            continue
        off = outside(basis, rows)
        if off > 1e-3 * size + 1e-9:
            raise Failure("linear", f"{name}: {off / size:.2g} of its motion is not of the "
                          f"eigenvalues {[f'{v:.4g}' for v in values]}", f"-e {end} -i radau")


def functions(values, times):
    """Orthonormal columns that span 1, t and the real and imaginary parts of t^j exp(lambda t)."""
    columns = [[1.0] * len(times), list(times)]
    seen = []
    for v in sorted(values, key=abs):
        v = complex(v.real, abs(v.imag))
        again = sum(abs(v - w) < 1e-3 * (1 + abs(v)) for w in seen)
        seen.append(v)
        for power in range(min(again, 2) + 1):
            e = [t**power * cmath.exp(v * t) for t in times]
            columns.append([z.real for z in e])
            if v.imag > 1e-9:
                columns.append([z.imag for z in e])
    basis = []
    for c in columns:
        size = math.sqrt(sum(x * x for x in c))
        for _ in range(2):
            for b in basis:
                s = sum(x * y for x, y in zip(b, c))
                c = [y - s * x for x, y in zip(b, c)]
        left = math.sqrt(sum(x * x for x in c))
        if left > 1e-9 * size:
            basis.append([x / left for x in c])
    return basis


def outside(basis, rows):
    left = list(rows)
    for _ in range(2):
        for b in basis:
            s = sum(x * y for x, y in zip(b, left))
            left = [y - s * x for x, y in zip(b, left)]
    return max(map(abs, left))
