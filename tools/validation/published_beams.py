"""Flexible bodies against figures that others published; they are typed in here.

Where the exact solution of the rod is known it is compared with, and the published figures are a
column of the table.
"""
import math

from . import rods
from .engine import Failed

# model, settings, elements, our figures, exact or published ones, size, allowed, where from
STATICS = [
    # The rod's equations by shooting (Runge and Kutta, 400 steps a half). AeroBeams with 80 elements
    # has -0.02673 and -0.003824 m; at normal = 11, where it has -0.0245, there is no more
    # symmetrical equilibrium.
    ("arch_pressure", [("vertical", 4.35), ("normal", 5.5)], 16,
     {"vertical": -0.02686028, "normal": -0.003832718}, None, 5e-3,
     "Pancini, AeroBeams, archUnderDeadPressure and archUnderFollowerPressure"),
    ("arch_pressure", [("vertical", 6.96), ("normal", 9.9)], 24,
     {"vertical": -0.06708797, "normal": -0.01149457}, None, 5e-3, "the same"),
    # computed by others with 20 elements a leg: 0.1 % of the length
    ("right_angle_frame", [("force", 1000)], 8, {"u1": -0.1529312, "u3": 0.0028268}, 0.24, 2e-3,
     "Argyris and Symeonidis 1981, by AeroBeams"),
    ("right_angle_frame", [("force", 3000)], 8, {"u1": -0.2436855, "u3": 0.1404808}, 0.24, 2e-3,
     "the same"),
    ("right_angle_frame", [("force", 5000)], 8, {"u1": -0.2221038, "u3": 0.2581800}, 0.24, 2e-3,
     "the same"),
    # 40 elements of AeroBeams; Simo and Vu-Quoc's curve, digitised, is at 33 where the force is 1500
    ("bend_follower", [("force", 300)], 16, {"u3": 47.16217}, 60.0, 2e-3,
     "Simo and Vu-Quoc 1986, by AeroBeams"),
    ("bend_follower", [("force", 1500)], 16, {"u3": 31.42119}, 60.0, 2e-3, "the same"),
    ("bend_follower", [("force", 3000)], 16, {"u3": -1.05168}, 60.0, 4e-3, "the same"),
    # beams by theory; solids have 5.424e-3 and 1.754e-3
    ("twisted_beam", [], 8, {"uz": 5.429321e-3, "uy": -1.718744e-3}, None, 5e-4,
     "MacNeal and Harder 1985"),
    ("twisted_beam", [("fy", 1), ("fz", 0)], 8, {"uy": 1.749623e-3}, None, 5e-4, "the same"),
    # 22 elements of AeroBeams; measured at 400 g: u3 = 0.245 and 0.154 m
    ("laminate_beam", [("weight", 4.903325)], 11,
     {"u1": -0.1149839, "u2": 0.0219683, "u3": -0.2866270}, 0.5, 1e-3,
     "Minguet and Dugundji 1990, by AeroBeams"),
    ("laminate_beam", [("weight", 4.903325), ("angle", math.pi / 4)], 11,
     {"u1": -0.0795481, "u2": 0.1528643, "u3": -0.1875739}, 0.5, 1e-3, "the same"),
    # Chrono has 4 x 4 of its elements 3423; ours converge to -0.6489 m
    ("plate_corner", [("force", 50)], 8, {"u": -0.643744}, None, 1e-2,
     "Yamashita et al. 2015, by Chrono"),
]

# model, elements, which of our modes, their frequencies, unit in rad/s, allowed, where from
MODES = [
    ("tapered_beam", 32, [0, 2, 4], [4.31517, 23.5193, 63.1992], 1.0, 1e-3,
     "Hodges and Pierce, table 3.14"),
    ("two_storey_frame", 4, [0, 3], [11.8, 34.1], 2 * math.pi, 5e-3, "Petyt 1990"),
    # limits of the refinement by Exudyn, 256 elements; the first of ours turns about the axis
    ("thick_beam", 16, [1, 2, 3, 4, 5], [95.6356, 95.6356, 280.3225, 319.3466, 332.2542], 1.0, 1e-3,
     "Nachbagauer, Gruber and Gerstmayr 2013, by Exudyn"),
]


def name_of(sets):
    return ", ".join(f"{k} {v:.4g}" for k, v in sets) or "statics"


def static_case(job, entry, rows):
    model, sets, n, want, size, limit, source = entry
    try:
        got = job.engine.statics(f"cases/{model}.yaml", [("n", n), *sets])["channels"]
    except Failed as e:
        job.report.failure(model, name_of(sets), e)
        return
    error = max(abs(got[c] - x) / (size or abs(x)) for c, x in want.items())
    job.report.check(model, name_of(sets), f"{n} elements, relative", error, limit)
    rows += [[model, name_of(sets), c, f"{x:.6g}", f"{got[c]:.6g}", source]
             for c, x in want.items()]


def modes_case(job, entry, rows):
    model, n, which, want, unit, limit, source = entry
    try:
        modes = job.engine.modes(f"cases/{model}.yaml", max(which) + 2, [("n", n)])
    except Failed as e:
        job.report.failure(model, "modes", e)
        return
    moving = sorted(m["imag"] / unit for m in modes if m["imag"] > 1e-3 * want[0] * unit)
    first = 1 if model == "thick_beam" else 0
    got = [moving[k - first] for k in which]
    error = max(abs(g / w - 1) for g, w in zip(got, want))
    job.report.check(model, "modes", f"{n} elements, relative", error, limit)
    rows += [[model, "modes", k + 1, f"{w:.6g}", f"{g:.6g}", source]
             for k, (g, w) in enumerate(zip(got, want))]


def bend_case(job):
    """Bathe and Bolourchi's bend: positions of the tip by shooting. Their own at 600, with eight
    elements, is (47.2, 15.9, 53.4)."""
    for force in (300, 450, 600):
        got = job.engine.statics("statics/bend45.yaml", [("n", 16), ("force", force)])["channels"]
        error = max(abs(got[c] - x) for c, x in zip("xyz", rods.tip_of_bend(force)))
        job.report.check("bend45", f"force {force}", "position, of 100", error / 100.0, 1e-3)


def motion_case(job):
    """Arm brought to speed (Kane et al. 1987, Simo and Vu-Quoc 1986): it is longer by
    rho A w^2 L^3 / (3 EA). Bend with a force of 100 t: AeroBeams, 20 elements."""
    run = job.engine.run("cases/spin_up_arm.yaml", sets=[("n", 4)])
    stretch = 1.2 * 36.0 * 1e3 / (3 * 2.8e7)
    mean = sum(run["stretch"][-20:]) / 20
    job.report.check("spin_up_arm", "4 elements", "stretch at 6 rad/s, relative",
                     abs(mean / stretch - 1), 5e-3)
    run = job.engine.run("cases/bend_follower.yaml",
                         sets=[("n", 8), ("force", 0), ("rate", 100)])
    job.report.check("bend_follower", "100 t, 8 elements", "largest u3, of 63.1",
                     abs(max(run["u3"]) / 63.11486 - 1), 5e-3)
    job.report.check("bend_follower", "100 t, 8 elements", "u3 at 7.5 s, of 63.1",
                     abs(run["u3"][-1] - 39.17684) / 63.1, 5e-3)


def compare(job):
    job.report.section("Flexible bodies, published",
                       "Beams, frames and plates against figures of others, and against theory where "
                       "it is exact.")
    rows = []
    for entry in STATICS:
        if job.wanted(entry[0]):
            static_case(job, entry, rows)
    for entry in MODES:
        if job.wanted(entry[0]):
            modes_case(job, entry, rows)
    for names, case in ((("bend45",), bend_case), (("spin_up_arm", "bend_follower"), motion_case)):
        if any(job.wanted(name) for name in names):
            try:
                case(job)
            except Failed as e:
                job.report.failure(names[0], "run", e)
    if rows:
        job.report.table(["case", "run", "quantity", "theory or published", "ours", "source"], rows)
