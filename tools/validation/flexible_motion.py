"""Flexible bodies that move: large motions, forced vibration, blades that rotate."""
import math

from .engine import Failed, read_table
from .measures import largest

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


def shoot(omega, spin):
    """Determinant of the root's displacement and slope over those of the free tip, for flapping of
    the straight blade: (E I w'')'' - (T w')' = m omega^2 w by Runge and Kutta's rule."""
    stiffness, mass = 1.06e7 * 0.063 ** 3 / 12, 2.51e-4 * 0.063
    length, tip, n = 37.5, 40.0, 200
    step = length / n

    def rate(s, y):  # displacement, slope, moment, shear by the distance from the tip
        tension = 0.5 * mass * spin ** 2 * (tip ** 2 - (tip - s) ** 2)
        return (-y[1], -y[2] / stiffness, y[3] - tension * y[1], mass * omega ** 2 * y[0])

    def moved(y, d, h):
        return [a + h * b for a, b in zip(y, d)]

    ends = []
    for y in ([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]):
        for k in range(n):
            s = k * step
            a = rate(s, y)
            b = rate(s + step / 2, moved(y, a, step / 2))
            c = rate(s + step / 2, moved(y, b, step / 2))
            d = rate(s + step, moved(y, c, step))
            y = [v + step / 6 * (p + 2 * q + 2 * r + t)
                 for v, p, q, r, t in zip(y, a, b, c, d)]
        ends.append(y)
    return ends[0][0] * ends[1][1] - ends[0][1] * ends[1][0]


def is_flapping(frequency, spin):
    """Is there a root of `shoot` within 0.5 % of the frequency in Hz?"""
    w = 2 * math.pi * frequency
    return shoot(0.995 * w, spin) * shoot(1.005 * w, spin) < 0


def flapping(modes):
    """Frequencies in Hz of the modes whose tip moves across the plane of rotation."""
    tips = [(m["imag"] / (2 * math.pi), m["flexible"]["blade"]["nodes"][-1]) for m in modes]
    return [f for f, tip in tips if abs(tip[2]) > max(abs(tip[0]), abs(tip[1]))]


def measured_rows(table, sweep, rpm, got):
    """The measured modes, ours, and by how much ours are off."""
    rows = []
    for s, mode, f in zip(table["sweep_deg"], table["mode"], table[f"f_{rpm}rpm"]):
        if s == sweep:
            g = got[int(mode) - 1]
            rows.append([sweep, rpm, int(mode), f"{f:.1f}", f"{g:.2f}", f"{100 * (g / f - 1):.1f}"])
    return rows


def blade_case(job):
    """Flapping of a blade: the straight one must have the frequencies of theory. Measured values
    are a table: theory with the same data is itself up to 10 % below them, where 7 % is asked
    (10 % of the first mode at rest)."""
    table = read_table(job.case_file("beams-modal", "rotating_swept_tip.csv"))
    rows = []
    for sweep, rpm in ((s, r) for s in (0, 30) for r in (0, 500, 750)):
        setting = f"{sweep} deg, {rpm} rpm"
        sets = [("n", 4), ("sweep", math.radians(sweep)), ("rpm", rpm)]
        try:
            modes = job.engine.modes("cases/swept_blade.yaml", 6, sets, ["--at", "1"])
        except Failed as e:
            job.report.failure("swept_blade", setting, e)
            continue
        got = flapping(modes)
        rows += measured_rows(table, sweep, rpm, got)
        if sweep == 0:
            found = sum(is_flapping(g, rpm * math.pi / 30) for g in got[:3])
            job.report.at_least("swept_blade", setting, "modes within 0.5 % of theory", found, 3)
    job.report.table(["sweep, deg", "rpm", "mode", "measured, Hz", "computed, Hz", "off, %"], rows)


def compare(job):
    short = job.quick and not job.only  # fine meshes take many seconds
    for entry in RUNS:
        if job.wanted(entry[0]) and not (short and entry[1] > 10):
            run_case(job, entry)
    if job.wanted("tip_sine"):
        sine_case(job)
    if job.wanted("swept_blade") and not short:
        blade_case(job)
