"""Blades that rotate: frequencies seen from axes that turn with them."""
import math

from .engine import Failed, read_table

# sweep in degrees, rpm: out of the plane 1 to 3 and in the plane 1, in Hz, of an independent model
# (tools/evidence/blade.py, 48 quadratic elements; another mesh of 24 differs by 3e-5 at most)
SWEPT = {
    (0, 0): (1.4872, 9.3188, 26.0875, 23.5930),
    (0, 500): (9.1908, 23.8344, 44.5430, 24.0215),
    (0, 750): (13.5496, 34.0005, 59.4787, 24.5387),
    (15, 0): (1.4903, 9.3412, 25.7829, 23.6372),
    (15, 500): (9.1924, 23.5024, 42.3053, 24.0642),
    (15, 750): (13.5513, 32.8580, 53.7295, 24.5798),
    (30, 0): (1.4994, 9.4115, 24.8753, 23.7678),
    (30, 500): (9.1969, 22.5415, 37.6503, 24.1908),
    (30, 750): (13.5563, 29.6642, 46.5356, 24.7018),
    (45, 0): (1.5139, 9.5396, 23.4812, 23.9794),
    (45, 500): (9.2043, 21.1864, 33.8975, 24.3963),
    (45, 750): (13.5644, 26.0797, 42.9935, 24.9004),
}

# rpm: rad/s of the first two modes out of the plane and the first in it, of the same model and as
# AeroBeams keeps them in its tests (30 linear elements); Hz of the first two, measured by Epps and
# Chandra
STRAIGHT = {
    0: ((31.912, 199.230, 271.851), (31.9231, 200.0708, 271.9457), (5.2374, 32.999)),
    250: ((43.595, 210.997, 272.219), (43.6029, 211.8323, 272.3131), (7.4239, 34.582)),
    500: ((66.966, 242.872, 273.316), (66.9707, 243.7093, 273.4098), (11.018, 40.188)),
    750: ((93.105, 288.106, 275.127), (93.1083, 288.9760, 275.2196), (15.820, 47.001)),
}


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


def split(modes):
    """Frequencies in Hz of the modes whose tip moves across the plane of rotation, and in it."""
    out, within = [], []
    for m in modes:
        tip = m["flexible"]["blade"]["nodes"][-1]
        across = abs(tip[2]) > max(abs(tip[0]), abs(tip[1]))
        (out if across else within).append(m["imag"] / (2 * math.pi))
    return out, within


def off(got, want):
    """Largest relative difference."""
    return max(abs(g / w - 1) for g, w in zip(got, want))


def measured_rows(table, sweep, rpm, got):
    """The measured modes, theory, ours, and by how much ours are off the measured ones."""
    rows = []
    for s, mode, f in zip(table["sweep_deg"], table["mode"], table[f"f_{rpm}rpm"]):
        if s == sweep:
            k = int(mode) - 1
            theory = SWEPT[sweep, rpm][k]
            rows.append([sweep, rpm, k + 1, f"{f:.1f}", f"{theory:.3f}", f"{got[k]:.3f}",
                         f"{100 * (got[k] / f - 1):.1f}"])
    return rows


def swept_case(job):
    """Theory with the data of the case is up to 12 % off what was measured, where 7 % is asked (10 %
    of the first mode at rest): docs/evidence/rotating_blade.md. So ours are held to theory within
    0.1 %, and to the measured ones within the 12 % that theory itself needs."""
    table = read_table(job.case_file("beams-modal", "rotating_swept_tip.csv"))
    rows = []
    for (sweep, rpm), want in SWEPT.items():
        setting = f"{sweep} deg, {rpm} rpm"
        sets = [("n", 4), ("sweep", math.radians(sweep)), ("rpm", rpm), ("damping", 0)]
        try:
            out, within = split(job.engine.modes("cases/swept_blade.yaml", 6, sets, ["--static"]))
        except Failed as e:
            job.report.failure("swept_blade", setting, e)
            continue
        job.report.check("swept_blade", setting, "3 modes and lag, theory, relative",
                         off(out[:3] + within[:1], want), 1e-3)
        if sweep == 0:
            found = sum(is_flapping(g, rpm * math.pi / 30) for g in out[:3])
            job.report.at_least("swept_blade", setting, "modes within 0.5 % of shooting", found, 3)
        lines = measured_rows(table, sweep, rpm, out)
        if lines:
            job.report.check("swept_blade", setting, "3 modes, measured (theory: 12 %)",
                             max(abs(float(x[-1])) for x in lines) / 100, 0.12)
        rows += lines
    job.report.table(["sweep, deg", "rpm", "mode", "measured, Hz", "theory, Hz", "computed, Hz",
                      "off measured, %"], rows)


def straight_case(job):
    """A blade of a composite; the measured frequencies are 2 to 7 % above theory here as well."""
    for rpm, (theory, other, measured) in STRAIGHT.items():
        setting = f"{rpm} rpm"
        try:
            out, within = split(job.engine.modes("cases/straight_rotor.yaml", 4, [("rpm", rpm)],
                                                 ["--static"]))
        except Failed as e:
            job.report.failure("straight_rotor", setting, e)
            continue
        got = [2 * math.pi * f for f in out[:2] + within[:1]]
        job.report.check("straight_rotor", setting, "2 modes and lag, theory, relative",
                         off(got, theory), 1e-3)
        job.report.check("straight_rotor", setting, "2 modes and lag, AeroBeams, relative",
                         off(got, other), 5e-3)
        job.report.check("straight_rotor", setting, "2 modes, measured, relative",
                         off(out[:2], measured), 0.07)


def compare(job):
    if job.wanted("swept_blade"):
        swept_case(job)
    if job.wanted("straight_rotor"):
        straight_case(job)
