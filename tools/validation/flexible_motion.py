"""Flexible bodies that move: large motions, forced vibration; blades that rotate."""
import math

from .engine import Failed, read_table
from .measures import largest
from . import rotating

# model, elements, table, columns, up to s, size, allowed (of the size)
RUNS = [
    ("flying_spaghetti", 20, "flying_spaghetti_2d.csv",
     ["u1_tip", "u3_tip", "u1_tail", "u3_tail"], 7.5, 10.0, 1e-2),
    ("rotation_driven_arm", 10, "rotation_driven_arm.csv", ["u1_tip", "u3_tip"], 9.0, 10.0, 3e-2),
]


def run_case(job, entry):
    model, n, name, columns, end, size, limit = entry
    table = read_table(job.case_file("beams-dynamic", name))
    setting = f"{n} elements"
    try:
        run = job.engine.run(f"cases/{model}.yaml", sets=[("n", n)])
        run.same_times(table["time"])
    except Failed as e:
        job.report.failure(model, setting, e)
        return
    rows = [k for k, t in enumerate(run.time) if t <= end + 1e-9]
    for c in columns:
        error = largest([run[c][k] for k in rows], [table[c][k] for k in rows])
        job.report.check(model, setting, f"{c} to {end:g} s, relative", error / size, limit)


def bending_roots(count):
    """beta L of a cantilever: cos b cosh b = -1, by Newton."""
    roots = []
    for k in range(1, count + 1):
        b = (k - 0.5) * math.pi
        for _ in range(8):
            f = math.cos(b) + 1.0 / math.cosh(b)
            b -= f / (-math.sin(b) - math.tanh(b) / math.cosh(b))
        roots.append(b)
    return roots


def forced_tip(time):
    """Tip of the cantilever of tip_sine.yaml by Euler and Bernoulli, from rest: the sum over modes
    of 4 F / (m (w^2 - W^2)) (sin W t - W / w sin w t)."""
    rate = math.sqrt(200e9 * 0.1 ** 4 / 12 / 78.0)
    modes = [b * b * rate for b in bending_roots(12)]
    return sum(4e3 / 78.0 / (w * w - 4e4) * (math.sin(200 * time) - 200 / w * math.sin(w * time))
               for w in modes)


def sine_case(job):
    """Twenty periods against theory. The table was made with 100 steps a period, which makes its
    free vibration slower by 0.2 %, and with rotary inertia: of theory it is 28 % off at the end,
    so only its first period is compared."""
    table = read_table(job.case_file("beams-dynamic", "tip_sine_cantilever.csv"))
    try:
        run = job.engine.run("cases/tip_sine.yaml", sets=[("n", 8)])
    except Failed as e:
        job.report.failure("tip_sine", "8 elements", e)
        return
    want = [forced_tip(t) for t in run.time]
    size = max(map(abs, want))
    job.report.check("tip_sine", "8 elements", "20 periods, theory, relative",
                     largest(run["u3_tip"], want) / size, 5e-3)
    job.report.check("tip_sine", "8 elements", "first period, table, relative",
                     largest(run["u3_tip"][:100], table["u3_tip"][:100]) / size, 2e-2)


def compare(job):
    short = job.quick and not job.only  # fine meshes take many seconds
    for entry in RUNS:
        if job.wanted(entry[0]) and not (short and entry[1] > 10):
            run_case(job, entry)
    if job.wanted("tip_sine"):
        sine_case(job)
    if not short:
        rotating.compare(job)
