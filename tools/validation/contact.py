"""Contact and friction: closed forms and the tables of the folder contact."""
import json
import math

from . import contact_rigid
from .contact_hertz import hertz
from .engine import Failed, read_table
from .measures import largest

G = 9.81


def at_both(job, case, model, compare, sets=()):
    """compare(run, setting) gives (what, error, limit) for a run at default and at tight settings."""
    for setting in job.settings:
        try:
            run = job.engine.run(f"contact/{model}.yaml", tol=job.tolerance(setting), sets=sets)
            for what, error, limit in compare(run, setting):
                job.report.check(case, setting, what, error, limit)
        except Failed as e:
            job.report.failure(case, setting, e)


def impacts(run, height):
    """(time, speed) with which each free flight begins, and ends, from rows within it."""
    out = []
    for t, x, v in zip(run.time, run["x"], run["v"]):
        if x <= height:
            continue
        speed = math.sqrt(v * v + 2 * G * (x - height))
        start, end = t - (speed - v) / G, t + (speed + v) / G
        if not out or end - out[-1][2] > 1e-3:
            out.append((start, speed, end))
    return out


def bouncing(job):
    for name, model, height in (("hunt_crossley", "bouncing_hunt_crossley", 0.1),
                                ("adams_impact", "bouncing_impact", 0.1),
                                ("kelvin_voigt", "bouncing_kelvin_voigt", 0.05)):
        table = read_table(job.case_file("contact", "bouncing_ball", name + "_impacts.csv"))

        def errors(run, setting):
            flights = impacts(run, height)
            n = min(len(flights) - 1, len(table["t_in"]))
            if n < 2:
                raise Failed("fewer than two impacts")
            times = max(abs(flights[k][2] - table["t_in"][k]) for k in range(n))
            speeds = max(abs(flights[k + 1][1] / table["v_out"][k] - 1) for k in range(n))
            stats = run.summary["statistics"]
            tries = stats["steps"] + stats["rejected"]
            yield f"{n} impact times, s", times, 1e-6 if setting == "tight" else 1e-3
            yield "exit speeds, relative", speeds, 1e-5 if setting == "tight" else 5e-3
            if setting == "default":
                yield "tries rejected", stats["rejected"] / tries, 0.15
                yield "iterations a try", stats["iterations"] / tries, 4

        at_both(job, "ball " + name, model, errors)


def incline(job):
    creep = {"creep": 1.4373548e-3, "brake": 0.47324496e-3}
    for name in ("slip", "creep", "brake"):
        table = read_table(job.case_file("contact", "incline", name + ".csv"))

        def errors(run, setting):
            run.same_times(table["t"])
            limit = 1e-6 if setting == "tight" else 1e-4
            yield "way, m", largest(run["s"], table["s"]), limit
            yield "speed, m/s", largest(run["v"], table["v"]), limit
            if name in creep:
                yield "creep, relative", abs(run["v"][-1] / creep[name] - 1), 1e-5

        at_both(job, "incline " + name, "incline_" + name, errors)


def slip_to_roll(job):
    table = read_table(job.case_file("contact", "slip_to_roll", "solid_sphere.csv"))

    def errors(run, setting):
        run.same_times(table["t"])
        if setting == "tight":
            yield "way, m", largest(run["x"], table["x"]), 1e-6
            yield "speed, m/s", largest(run["v"], table["v"]), 1e-6
        yield "speed at the end, relative", abs(run["v"][-1] / (10 / 7) - 1), 1e-4

    at_both(job, "slip to roll", "slip_to_roll", errors)


def cradle(job):
    for k, name in ((1, "cradle5"), (2, "cradle5_two")):
        table = read_table(job.case_file("contact", "newton_cradle", name + ".csv"))

        def errors(run, setting):
            run.same_times(table["t"])
            off = max(abs(run[f"v{i}"][-1] - table[f"v{i}"][-1]) for i in range(1, 6))
            yield "speeds at the end, m/s", off, 1e-6 if setting == "tight" else 1e-3

        at_both(job, f"cradle, {k} moving", f"cradle_{k}", errors)


def painleve(job):
    names = ["x", "y", "theta", "vx", "vy", "omega"]
    for name in ("normal", "paradox"):
        table = read_table(job.case_file("contact", "painleve_rod", name + ".csv"))

        def errors(run, setting):
            run.same_times(table["t"])
            k = min(range(len(run.time)), key=lambda i: abs(run.time[i] - 0.06))
            yield ("state at 0.06 s", max(abs(run[n][k] - table[n][k]) for n in names),
                   1e-5 if setting == "tight" else 1e-3)
            yield "peak force, relative", abs(max(run["N"]) / max(table["N"]) - 1), 0.01
            if name == "paradox":
                away = [next(t for t, N in zip(times, forces) if t > 1e-3 and N <= 0)
                        for times, forces in ((run.time, run["N"]), (table["t"], table["N"]))]
                yield "lift-off, s", abs(away[0] - away[1]), 2.1e-4  # one row

        at_both(job, "Painleve's rod, " + name, "painleve_" + name, errors)


def patch(job):
    with open(job.case_file("contact", "patch_690", "reference.json")) as f:
        heights = json.load(f)
    rest = heights["centre_heights_single"][0]

    def level(run, setting):
        yield "height at rest, m", max(abs(run[c][-1] - rest) for c in ("first", "last")), 1e-6
        yield "force, N", abs(run["force"][-1] - 690 * G), 1e-3

    def columns(run, setting):
        want = heights["stack23_centre_heights"]
        off = max(abs(run[f"z{k + 1}"][-1] - h) for k, h in enumerate(want))
        yield "heights at rest, m", max(off, abs(run["top"][-1] - want[-1])), 1e-6
        yield "force, N", abs(run["force"][-1] - 690 * G), 1e-3

    at_both(job, "patch of 690", "patch_690", level)
    at_both(job, "30 columns of 23", "columns_690", columns)


def chrono(job):
    for law in ("hertz", "hooke"):
        for e in (0.0, 0.25, 0.5, 0.75, 1.0):
            at_both(job, f"restitution {e:g}, {law}", f"head_on_{law}" if law != "hertz" else "head_on",
                    lambda run, setting: [("ratio of speeds", abs(run["ratio"][-1] - e), 1e-3)],
                    sets=[("e", e)])
    way = 25 / G

    def cube(run, setting):
        yield "way, relative", abs(run["x"][-1] / way - 1), 5e-3
        yield "kinetic energy, J", run["energy"][-1], 1e-8

    def stack(run, setting):
        places = max(abs(run[f"{c}{i}"][-1]) for c in ("x", "z", "turn") for i in range(5))
        yield "kinetic energy, J", run["energy"][-1], 1e-9
        yield "shift, m, and turn", places, 1e-6

    def still(end):
        def errors(run, setting):
            k = min(range(len(run.time)), key=lambda i: abs(run.time[i] - end))
            yield "angular speed, rad/s", run["w"][k], 1e-3
        return errors

    for name, v, spin, end in (("rolling", 1, 0, 1), ("spinning", 0, 1, 4)):
        at_both(job, name + " resistance", "rolling_resistance", still(end),
                sets=[("v", v), ("spin", spin)])
    at_both(job, "sliding cube", "sliding_cube", cube)
    at_both(job, "stack of five", "stacking", stack)


def stick_slip(job):
    with open(job.case_file("contact", "stick_slip", "exact.json")) as f:
        entries = json.load(f)

    def compare(case):
        def errors(run, setting):
            x, t = run["x"], run.time
            middle, late = case["mu_k"] * case["normal_force"] / case["k"], 2 * case["period"]
            ups = [t[k - 1] + (t[k] - t[k - 1]) * (middle - x[k - 1]) / (x[k] - x[k - 1])
                   for k in range(1, len(x)) if t[k] > late and x[k - 1] < middle <= x[k]]
            if len(ups) < 2:
                raise Failed("no two periods")
            settled = [v for v, time in zip(x, t) if time > late]
            yield "period, relative", abs((ups[1] - ups[0]) / case["period"] - 1), 0.01
            yield "largest x, relative", abs(max(settled) / case["x_max"] - 1), 0.01
            yield "smallest x, relative", abs(min(settled) / case["x_min"] - 1), 0.01
        return errors

    for k, case in enumerate(entries):
        sets = [("m", case["m"]), ("k", case["k"]), ("N", case["normal_force"]),
                ("mu_s", case["mu_s"]), ("mu_k", case["mu_k"]), ("vb", case["belt_speed"])]
        at_both(job, f"stick-slip {k + 1}", "stick_slip", compare(case), sets=sets)


def tippe_top(job):
    table = read_table(job.case_file("contact", "tippe_top", "tippe_top.csv"))

    def errors(run, setting):
        run.same_times(table["t"])
        off = [abs(a - b) for a, b in zip(run["tilt"], table["tilt_deg"])]
        yield "tilt to 1 s, deg", max(d for d, t in zip(off, run.time) if t <= 1), 0.1
        yield "tilt to 3 s, deg", max(off), 1

    at_both(job, "tippe top", "tippe_top", errors)


def rolling_disc(job):
    table = read_table(job.case_file("contact", "rolling_disc", "rolling_disc.csv"))

    def errors(run, setting):
        n = len(run.time)
        if abs(table["t"][n - 1] - run.time[-1]) > 1e-9:
            raise Failed("the output times differ from the table's")
        yield "centre to 1 s, m", max(largest(run[c], table[c][:n]) for c in "xyz"), 1e-3

    at_both(job, "rolling disc by contact", "rolling_disc", errors)


def clearance(job):
    contact_rigid.clearance(job, at_both)


def woodpecker(job):
    contact_rigid.woodpecker(job, at_both)


def lugre(job):
    table = read_table(job.case_file("contact", "stick_slip", "lugre.csv"))

    def errors(run, setting):
        run.same_times(table["t"])
        limit = 1e-6 if setting == "tight" else 1e-4
        yield "x, m", largest(run["x"], table["x"]), limit
        yield "v, m/s", largest(run["v"], table["v"]), limit

    at_both(job, "stick-slip of LuGre", "lugre", errors)


def compare(job):
    job.report.section("Contact and friction",
                       "The folder `contact` of the published tables; models under `models/contact`. "
                       "Tables of rigid impacts are compared as far as they are right: that of the "
                       "slider with clearance gains 13 % of energy by its step of 0.1 ms, so that runs "
                       "are compared with the same impacts integrated to 1e-9; that of the woodpecker "
                       "is a cycle, met by contacts that throw the bird back as the rigid impacts do "
                       "([how](../tools/validation/contact_rigid.py)).")
    for part in (bouncing, hertz, incline, slip_to_roll, cradle, painleve, patch, chrono, stick_slip,
                 lugre, tippe_top, rolling_disc, clearance, woodpecker):
        if job.wanted("contact_" + part.__name__):
            part(job)
