"""Models whose solution is known in closed form."""
import math

from .engine import Failed
from .measures import elliptic_k, jacobi, largest, spread


def exact_columns(run):
    """Errors of columns that have a companion <name>_exact in the model itself."""
    names = [n for n in run.columns if n + "_exact" in run.columns]
    return {n: largest(run[n], run[n + "_exact"]) for n in names}


def pendulum_errors(run):
    amplitude, g, length = math.radians(150), 9.81, 1.0
    k, w = math.sin(amplitude / 2), math.sqrt(3 * g / (2 * length))
    quarter = elliptic_k(k * k)
    pairs = [jacobi(quarter + w * t, k * k) for t in run.time]
    want = [2 * math.asin(k * sn) for sn, cn, dn in pairs]
    rates = [2 * k * w * cn for sn, cn, dn in pairs]
    return {"angle": largest(run["angle"], want), "rate": largest(run["rate"], rates)}


def free_rotation_errors(run):
    I1, I2, I3 = 1.0, 2.0, 3.0
    w1, w2, w3 = 0.02, 5.0, 0.03
    energy2 = I1 * w1**2 + I2 * w2**2 + I3 * w3**2
    square = (I1 * w1) ** 2 + (I2 * w2) ** 2 + (I3 * w3) ** 2
    if square <= energy2 * I2:  # the other family: exchange the outer axes
        raise Failed("the start is not on the family of curves this formula is for")
    a1 = math.sqrt((energy2 * I3 - square) / (I1 * (I3 - I1)))
    a2 = math.sqrt((energy2 * I3 - square) / (I2 * (I3 - I2)))
    a3 = math.sqrt((square - energy2 * I1) / (I3 * (I3 - I1)))
    rate = math.sqrt((I3 - I2) * (square - energy2 * I1) / (I1 * I2 * I3))
    m = (I2 - I1) * (energy2 * I3 - square) / ((I3 - I2) * (square - energy2 * I1))
    # start: the argument where cn, sn, dn give w1, w2, w3, by bisection on the half where cn > 0
    low, high = -elliptic_k(m), elliptic_k(m)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if a2 * jacobi(middle, m)[0] < w2 else (low, middle)
    got = {"w1": [], "w2": [], "w3": []}
    for t in run.time:
        sn, cn, dn = jacobi(low + rate * t, m)
        for name, value in (("w1", a1 * cn), ("w2", a2 * sn), ("w3", a3 * dn)):
            got[name].append(value)
    errors = {name: largest(run[name], got[name]) for name in got}
    errors["moment of momentum"] = max(spread(run[n]) for n in ("Lx", "Ly", "Lz"))
    return errors


def four_bar_errors(run):
    a, b, c, d = 0.1, 0.4, 0.25, 0.4
    worst = 0.0
    for crank, rocker in zip(run["crank"], run["rocker"]):
        x, y = d - a * math.cos(crank), -a * math.sin(crank)  # from crank pin to pivot
        f = math.hypot(x, y)
        inner = math.acos((f * f + c * c - b * b) / (2 * f * c))
        want = math.atan2(-y, -x) - inner
        worst = max(worst, abs(math.remainder(rocker - want, 2 * math.pi)))
    return {"rocker": worst}


def windows_errors(run):
    """Reduced equation of the parallelograms by a classical Runge-Kutta of small steps."""
    n, g = 5, 9.81
    factor = ((n + 1) / 2 + n) * g / ((n + 1) / 3 + n)
    y, t, worst, h = [0.0, 1.0], 0.0, 0.0, 1e-4

    def slope(y):
        return [y[1], factor * math.sin(y[0])]

    for k, time in enumerate(run.time):
        while t < time - 1e-12:
            k1 = slope(y)
            k2 = slope([y[i] + h / 2 * k1[i] for i in range(2)])
            k3 = slope([y[i] + h / 2 * k2[i] for i in range(2)])
            k4 = slope([y[i] + h * k3[i] for i in range(2)])
            y = [y[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) for i in range(2)]
            t += h
        worst = max(worst, abs(run["B0_x"][k] - math.sin(y[0])),
                    abs(run["B0_y"][k] - math.cos(y[0])))
    return {"B0": worst}


# model, what computes the errors, allowed at default and at tight settings. The global error of a
# second-order method goes with eps^(2/3): about 1e-6 times the length of the path at eps = 1e-9.
# The free rotation passes an unstable axis, which multiplies errors; a driven linkage has none.
MODELS = [
    ("pendulum", pendulum_errors, 1e-3, 1e-5),
    ("steady_top", exact_columns, 1e-3, 1e-5),
    ("free_rotation", free_rotation_errors, 5e-2, 5e-3),
    ("rolling_disc", exact_columns, 1e-4, 1e-6),
    ("projectile", exact_columns, 1e-5, 1e-6),
    ("four_bar", four_bar_errors, 1e-9, 1e-9),
    ("n_four_bar", windows_errors, 1e-4, 1e-6),
]


def compare(job):
    job.report.section("Closed forms", "Largest differences over all rows to solutions known in "
                       "closed form (SI units).")
    for name, errors, default, tight in MODELS:
        for setting in job.settings:
            if not job.wanted("closed_forms/" + name):
                continue
            limit = tight if setting == "tight" else default
            try:
                run = job.engine.run(f"closed_forms/{name}.yaml", tol=job.tolerance(setting))
                for what, error in errors(run).items():
                    job.report.check(name, setting, what, error, limit)
            except Failed as e:
                job.report.failure(name, setting, e)
