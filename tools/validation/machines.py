"""Chains, sprockets, ropes and belts: the folders tracked and belts, and the same with other numbers.

Beside the tables stand variations whose closed forms are computed here: hanging_chain() finds the equilibrium of any chain
between two points by shooting, the others have formulas.
"""
import json
import math
import os
import re
import tempfile

from .engine import MODELS, Failed, read_table
from .measures import largest

G = 9.81


def compare(job):
    job.report.section(
        "Chains and belts",
        "A chain of track shoes between two points, the polygon effect of sprockets, an elastic rope over a pulley, belts on a drum and on "
        "two pulleys (models/machines): the tables of the folders tracked and belts, and closed forms for other numbers.")
    for name, case in (("hanging chain", chain), ("rope over a pulley", rope), ("capstan", capstan), ("sprocket", sprocket), ("belt creep", creep), ("moving string", moving_string)):
        if not job.wanted(name):
            continue
        try:
            case(job, name)
        except Failed as e:
            job.report.failure(name, "-", e)


# --- chain --------------------------------------------------------------------------------------

def hanging_chain(n, pitch, mass, span, rise):
    """Horizontal force, vertical force at the second end and pins of a chain whose n links lie between (0, 0) and (span, rise).

    Link i makes the angle th with the horizontal, tan th = (V - m g (i + 1/2))/H; V, the force at the first end, and H follow
    from the place of the second end by Newton's method.
    """
    def pins(V, H):
        x, y, out = 0.0, 0.0, [(0.0, 0.0)]
        for i in range(n):
            th = math.atan2(-(V - mass * G * (i + 0.5)), H)
            x, y = x + pitch * math.cos(th), y + pitch * math.sin(th)
            out.append((x, y))
        return out

    V, H = 0.5 * n * mass * G, 0.5 * n * mass * G
    for _ in range(60):
        ends = [pins(*p)[-1] for p in ((V, H), (V + 1e-3, H), (V, H + 1e-3))]
        dx, dy = span - ends[0][0], rise - ends[0][1]
        a, c = ((ends[1][k] - ends[0][k]) / 1e-3 for k in (0, 1))
        b, d = ((ends[2][k] - ends[0][k]) / 1e-3 for k in (0, 1))
        det = a * d - b * c
        step_V, step_H = (d * dx - b * dy) / det, (a * dy - c * dx) / det
        share = min(1.0, 0.5 * H / abs(step_H)) if step_H else 1.0
        V, H = V + share * step_V, H + share * step_H
    return H, n * mass * G - V, pins(V, H)


def chain(job, name):
    with open(job.case_file("tracked", "hanging_chain", "chain20.json")) as f:
        exact = json.load(f)
    table = read_table(job.case_file("tracked", "hanging_chain", "chain20.csv"))
    pins = list(zip(table["x"], table["y"]))
    cases = [("20 links", (), exact["horizontal_force"], exact["vertical_force_left"], pins)]
    for n, span, rise, mass in ((20, 2.0, 0.5, 18.02), (8, 1.0, -0.2, 5.0), (40, 5.5, 0.0, 18.02)):
        H, V, shape = hanging_chain(n, exact["pitch"], mass, span, rise)
        cases.append((f"{n} links, {span:g} m, {rise:g} m", (("N", n), ("span", span), ("rise", rise), ("mass", mass)), H, V, shape))
    for title, sets, H, V, shape in cases:
        out = job.engine.statics("machines/hanging_chain.yaml", sets)["channels"]
        got = {row["name"]: row["value"] for row in out} if isinstance(out, list) else out
        off = max(math.hypot(got[f"x{k}"] - x, got[f"z{k}"] - z) for k, (x, z) in enumerate(shape) if k > 0)
        job.report.check(name, title, "pins, m", off, 1e-8)  # limits of the table's page
        job.report.check(name, title, "horizontal force, relative", abs(got["horizontal"] / H - 1), 1e-7)
        job.report.check(name, title, "vertical force, relative", abs(got["vertical"] / V - 1), 1e-7)
    modes = job.engine.modes("machines/hanging_chain.yaml", 2 * len(exact["frequencies_Hz"]), extra=("--static",))
    found = sorted({round(abs(m["imag"]) / (2 * math.pi), 12) for m in modes})
    job.report.check(name, "20 links", f"{len(found)} frequencies, relative",
                     max(abs(a / b - 1) for a, b in zip(found, exact["frequencies_Hz"], strict=True)), 1e-7)
    if not job.quick:
        # falls from two straight legs and comes to rest: 60 s with 40 N m s/rad in each pin leave 1e-6 m of the motion
        run = job.engine.run("machines/hanging_chain.yaml", sets=(("damping", 40.0),))
        job.report.check(name, "by dynamics", "pins after 60 s, m",
                         max(abs(run[f"z{k}"][-1] - pins[k][1]) for k in range(1, 20)), 1e-4)


# --- rope ---------------------------------------------------------------------------------------

def rope(job, name):
    table = read_table(job.case_file("belts", "atwood_elastic", "atwood.csv"))
    for setting in job.settings:
        run = job.engine.run("machines/atwood_elastic.yaml", tol=job.tolerance(setting))
        run.same_times(table["t"])
        for column in ("x1", "x2", "theta"):
            # the table is good to 1e-9; the default tolerance gives 5e-6 at the end of 3.7 rad
            job.report.check(name, setting, f"{column}", largest(run[column], table[column]), 1e-5 if setting == "tight" else 1e-4)
    # a stiff rope falls as a rigid one: (m1 - m2) g R^2/(J + (m1 + m2) R^2)
    sets = (("EA", 5e7), ("m1", 3.0), ("J", 0.02), ("R", 0.3))
    run = job.engine.run("machines/atwood_elastic.yaml", sets=sets)
    rigid = 1.5 * G * 0.09 / (0.02 + 4.5 * 0.09)
    # the strain of the rope (1e-6) and what its first vibration leaves
    job.report.check(name, "stiff", "fall against a rigid rope, relative", abs((run["x1"][-1] - 1.5) / (0.5 * rigid * 1.2 ** 2) - 1), 1e-3)


# --- capstan ------------------------------------------------------------------------------------

def capstan(job, name):
    table = read_table(job.case_file("belts", "capstan", "capstan.csv"))
    rows = list(zip(table["mu"], table["wrap_deg"], table["T1_over_T2"]))
    rows = [row for row in rows if row[:2] in ((0.1, 180), (0.3, 90))] if job.quick else rows
    others = [] if job.quick else [(0.25, 140.0), (0.45, 210.0)]
    rows += [(mu, wrap, math.exp(mu * math.radians(wrap))) for mu, wrap in others]
    for mu, wrap, ratio in rows:
        fine = max(8, round(wrap / 4.5))
        sets = (("mu", mu), ("wrap", math.radians(wrap)), ("EA", 1e6), ("thin", 1e-4), ("stations", 4), ("elements", fine))
        run = job.engine.run("machines/capstan.yaml", sets=sets)
        # 1 % of the table's page; the belt's ends carry no contact over half a station, friction acts 0.1 % nearer to the axle
        job.report.check(name, f"mu {mu:g}, {wrap:g} deg", f"tension ratio, {fine} elements", abs(run["ratio"][-1] / ratio - 1), 0.01)
        if not job.quick and wrap in (90, 180):
            coarse = max(4, fine // 4)
            run = job.engine.run("machines/capstan.yaml", sets=sets[:4] + (("stations", 8), ("elements", coarse)))
            job.report.check(name, f"mu {mu:g}, {wrap:g} deg", f"tension ratio, {coarse} elements", abs(run["ratio"][-1] / ratio - 1), 0.05)


# --- sprocket -----------------------------------------------------------------------------------

def with_teeth(teeth):
    """The text of the model with another number of teeth."""
    with open(os.path.join(MODELS, "machines", "sprocket_polygon.yaml")) as f:
        text = f.read()
    lines = [line for line in text.split("\n") if re.match(r" +- \[(tip|seat)_a\*cos\(0\*turn\)", line)]
    whole = "\n".join(line.replace("(0*turn)", f"({k}*turn)") for k in range(teeth) for line in lines)
    text = re.sub(r"(?m)(^ +- \[(tip|seat)_a.*\n)+", lambda _: whole + "\n", text, count=1)
    text = re.sub(r"bulges: \[.*\]", "bulges: [" + ", ".join(["0, bulge, 0, 0"] * teeth) + "]", text)
    text = re.sub(r"teeth: \d+", f"teeth: {teeth}", text)
    return re.sub(r"wrap: \d+", f"wrap: {max(4, teeth // 3)}", text)


def sprocket(job, name):
    table = read_table(job.case_file("tracked", "sprocket_polygon", "polygon.csv"))
    rows = list(zip(table["teeth"], table["pitch"], table["pitch_radius"], table["v_min_over_v_max"]))
    for teeth, pitch, radius, slowest in rows[:1] if job.quick else rows:
        teeth = int(teeth)
        turn = 2 * math.pi / teeth
        with tempfile.TemporaryDirectory(prefix="trammel-validate-") as folder:
            path = os.path.join(folder, "sprocket.yaml")
            with open(path, "w") as f:
                f.write(with_teeth(teeth))
            # as fast at the pitch circle as the sprocket of the model; through two teeth
            rate = 0.5 * 0.249177 / radius
            run = job.engine.run(path, end=0.3 + 2.2 * turn / rate, sets=(("pitch", pitch), ("rate", rate)))
        title = f"{teeth} teeth, {1e3 * pitch:g} mm"
        got, want, engaged = [], [], []
        for angle, v in zip(run["angle"], run["speed"]):
            # a pin comes into its pocket at half a tooth before the top
            phase = (angle / turn) % 1.0
            exact = math.cos((phase - 0.5) * turn)
            if angle > 0.3 * turn:
                # around the instant at which the next pin comes down the chain rings: a tenth of a tooth to each side is left out
                if 0.1 < phase < 0.9:
                    got.append(v)
                    want.append(exact)
                elif phase > 0.95 or phase < 0.05:
                    engaged.append(v)
        # 0.5 % of the table's page; after a pin has come down hard, single rows ring
        off = sorted(abs(a - b) for a, b in zip(got, want))
        job.report.check(name, title, "speed over the curve, 98 % of rows", off[int(0.98 * len(off))], 0.005)
        job.report.check(name, title, "largest speed", abs(max(got) - 1), 0.005)
        # the mean of cos over 5 % of a tooth to both sides of its end
        near = sum(engaged) / len(engaged)
        mean = (math.sin(turn / 2) - math.sin(0.45 * turn)) / (0.05 * turn)
        job.report.check(name, title, "smallest speed, mean around it", abs(near / mean - 1), 0.005)
        job.report.check(name, title, "ripple, from both", abs(near / mean * slowest - slowest), 0.005)


# --- creep --------------------------------------------------------------------------------------

def slip_arc(run, rows, centre, upper_first, mu):
    """Degrees of a pulley over which the tension changes: between the two places at which the exponential that fits
    its middle has the tensions of both strands."""
    angles = {}
    for k in rows:
        for piece in "abcd":
            for i in range(1, 31):
                x, y = run[f"x_{piece}{i}"][k] - centre, run[f"y_{piece}{i}"][k]
                if (x < 0) == (centre == 0) and abs(x) > 1e-3:
                    a = math.atan2(abs(x), y if upper_first else -y)
                    angles.setdefault(round(math.degrees(a) / 6), []).append((a, run[f"T_{piece}{i}"][k]))
    means = [(sum(a for a, _ in v) / len(v), sum(t for _, t in v) / len(v)) for v in angles.values()]
    low, high = min(t for _, t in means), max(t for _, t in means)
    middle = [(a, math.log(t)) for a, t in means if low + 0.2 * (high - low) < t < high - 0.2 * (high - low)]
    n, sa, st = len(middle), sum(a for a, _ in middle), sum(t for _, t in middle)
    slope = (n * sum(a * t for a, t in middle) - sa * st) / (n * sum(a * a for a, _ in middle) - sa * sa)
    return math.degrees(math.log(high / low) / abs(slope))


def creep(job, name):
    with open(job.case_file("belts", "two_pulley_creep", "exact.json")) as f:
        exact = json.load(f)
    for k, e in enumerate([] if job.quick else exact[:3]):
        sets = (("EA", e["EA"]), ("preload", e["preload_T0"]), ("mu", e["mu"]), ("radius", e["radius"]), ("rate", e["driver_omega"]),
                ("torque", e["torque"]), ("density", max(0.1, e["rhoA"])))
        turn = 4 * math.pi * e["radius"] / (e["driver_omega"] * e["radius"])  # of the belt
        run = job.engine.run("machines/two_pulley_creep.yaml", end=max(1.0, 1.2 * turn), sets=sets)
        late = [i for i, t in enumerate(run.time) if t > 0.6 * run.time[-1]]
        distance, strands = math.pi * e["radius"], {True: [], False: []}
        for i in late:
            for piece in "abcd":
                for j in range(1, 31):
                    x, y = run[f"x_{piece}{j}"][i], run[f"y_{piece}{j}"][i]
                    if 0.2 * distance < x < 0.8 * distance:
                        strands[y > 0].append(run[f"T_{piece}{j}"][i])
        tight, slack = (sum(strands[up]) / len(strands[up]) for up in (True, False))
        speed = sum(run["driven"][i] for i in late) / len(late)
        title = f"set {k + 1}"
        # limits of the page; in a mean over the last part, as the speed ripples with the passing of points
        job.report.check(name, title, "tension, tight strand, relative", abs(tight / e["T_tight"] - 1), 0.01)
        job.report.check(name, title, "tension, slack strand, relative", abs(slack / e["T_slack"] - 1), 0.01)
        job.report.check(name, title, "creep, relative", abs((1 - speed / e["driver_omega"]) / e["creep"] - 1), 0.05)
        job.report.check(name, title, "slip arc of the driver, deg", abs(slip_arc(run, late, 0.0, True, e["mu"]) - e["slip_arc_deg"]), 5.0)
        job.report.check(name, title, "slip arc of the driven, deg", abs(slip_arc(run, late, distance, False, e["mu"]) - e["slip_arc_deg"]), 5.0)


# --- moving string ------------------------------------------------------------------------------

def moving_string(job, name):
    table = read_table(job.case_file("belts", "moving_string", "frequencies.csv"))
    for k, speed in enumerate(table["v"]):
        sets = [("T", table["tension"][k]), ("rhoA", table["rhoA"][k]), ("L", table["L"][k]), ("v", speed)]
        got = sorted(m["imag"] for m in job.engine.modes("machines/moving_string.yaml", 6, sets) if m["imag"] > 0)
        worst = max(abs(got[i] / (2 * math.pi) / table[f"f{i + 1}_Hz"][k] - 1) for i in range(3))
        # the page allows 1 %; 32 elements and the stretch are off by 2e-3 near v = c, by 3e-4 and less below
        job.report.check(name, f"T {table['tension'][k]:g}, v {speed:g}", "three frequencies, relative", worst, 5e-3)
