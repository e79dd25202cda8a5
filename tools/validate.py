#!/usr/bin/env python3
"""Run the models under models/ and compare them with published tables and closed forms.

    tools/validate.py [--quick] [--only NAME,...] [--trammel PATH] [--integrator NAME] [--doc FILE]

Closed forms are computed here. The published tables are not part of the project: their folder is
TRAMMEL_CASES, else ../shared/cases beside the project; without it that part is skipped.
--quick leaves out the tolerance ladders and most tight runs and writes no page; otherwise
docs/validation.md is written. Exit status: 0 all within their limits, 1 not, 2 wrong use.
"""
import argparse
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODELS = os.path.join(ROOT, "models")
TIGHT = {"hht": 1e-11, "generalized-alpha": 1e-11}  # second order; others 1e-9
FLOOR = 1e-9  # SI; what a column that is zero in the table may show of our own rounding


class Failed(Exception):
    """A run that did not end well; the text says why."""


class Run:
    """The columns of one run and its statistics."""

    def __init__(self, columns, summary):
        self.columns, self.summary = columns, summary
        self.time = columns["time"]

    def __getitem__(self, name):
        return self.columns[name]

    def steps(self):
        return find_number(self.summary, "steps")


def find_number(tree, key):
    """First number under `key` in a nested JSON object, or None."""
    if isinstance(tree, dict):
        if isinstance(tree.get(key), (int, float)):
            return tree[key]
        for item in tree.values():
            found = find_number(item, key)
            if found is not None:
                return found
    return None


def read_table(path):
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    columns = {name.strip(): [] for name in rows[0]}
    for row in rows[1:]:
        for name, text in zip(columns, row):
            columns[name].append(float(text))
    return columns


class Engine:
    """Runs the command; every result is kept, so that the same run is made once."""

    def __init__(self, path, integrator):
        self.path, self.integrator, self.kept = path, integrator, {}

    def tight(self):
        return TIGHT.get(self.integrator or "hht", 1e-9)

    def run(self, model, tol=None, end=None, output_step=None, sets=(), extra=()):
        key = (model, tol, end, output_step, tuple(sets), tuple(extra))
        if key not in self.kept:
            self.kept[key] = self._run(*key)
        return self.kept[key]

    def _run(self, model, tol, end, output_step, sets, extra):
        path = model if os.path.isabs(model) else os.path.join(MODELS, model)
        with tempfile.TemporaryDirectory(prefix="trammel-validate-") as folder:
            table, summary = os.path.join(folder, "t.csv"), os.path.join(folder, "s.json")
            command = [self.path, "run", path, "--quiet", "--csv", table, "--summary", summary]
            if self.integrator:
                command += ["--integrator", self.integrator]
            for flag, value in (("--tol", tol), ("--end", end), ("--output-step", output_step)):
                if value is not None:
                    command += [flag, repr(float(value))]
            for name, value in sets:
                command += ["--set", f"{name}={value!r}"]
            done = subprocess.run(command + list(extra), capture_output=True, text=True)
            if done.returncode != 0:
                raise Failed((done.stderr or done.stdout).strip() or f"exit {done.returncode}")
            with open(summary) as f:
                return Run(read_table(table), json.load(f))


# --- measures -------------------------------------------------------------------------------


def rms(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) / len(a))


def largest(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def spread(a):
    return max(abs(x - a[0]) for x in a)


def digits(got, want):
    """Mixed error significant digits, the least over all pairs."""
    worst = max(abs(g - w) / (1 + abs(w)) for g, w in zip(got, want, strict=True))
    return 16.0 if worst == 0 else -math.log10(worst)


def quaternion(x, y):
    """Euler parameters from the first two axes of a rotation matrix, well conditioned."""
    z = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
    trace = x[0] + y[1] + z[2]
    squares = [1 + trace, 1 + 2 * x[0] - trace, 1 + 2 * y[1] - trace, 1 + 2 * z[2] - trace]
    products = {(0, 1): y[2] - z[1], (0, 2): z[0] - x[2], (0, 3): x[1] - y[0],
                (1, 2): x[1] + y[0], (1, 3): x[2] + z[0], (2, 3): y[2] + z[1]}
    k = squares.index(max(squares))
    return [math.sqrt(squares[k]) / 2 if i == k
            else products[min(i, k), max(i, k)] / (2 * math.sqrt(squares[k])) for i in range(4)]


def euler_parameters(run, table):
    """e0..e3 of the run, each row with the sign of the table's."""
    names = ["e0", "e1", "e2", "e3"]
    out = {name: [] for name in names}
    for k in range(len(run.time)):
        p = quaternion([run["x_axis_" + c][k] for c in "xyz"], [run["y_axis_" + c][k] for c in "xyz"])
        sign = math.copysign(1, sum(a * table[n][k] for a, n in zip(p, names)))
        for name, a in zip(names, p):
            out[name].append(sign * a)
    return out


# --- elliptic functions ---------------------------------------------------------------------


def jacobi(u, m):
    """sn, cn, dn of u for the parameter m = k^2, by descending Landen steps."""
    a, c, scale = [1.0], [math.sqrt(m)], 1.0
    b = math.sqrt(1 - m)
    while abs(c[-1] / a[-1]) > 1e-16 and len(a) < 12:
        a_next, c_next, b = (a[-1] + b) / 2, (a[-1] - b) / 2, math.sqrt(a[-1] * b)
        a.append(a_next)
        c.append(c_next)
        scale *= 2
    phi, last = scale * a[-1] * u, 0.0
    for k in range(len(a) - 1, 0, -1):
        last = phi
        phi = (math.asin(c[k] * math.sin(phi) / a[k]) + phi) / 2
    sn, cn = math.sin(phi), math.cos(phi)
    return sn, cn, math.sqrt(1 - m * sn * sn)


def elliptic_k(m):
    a, b = 1.0, math.sqrt(1 - m)
    while abs(a - b) > 1e-16 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
        if abs(a - b) <= 4e-16 * a:
            break
    return math.pi / (2 * a)


# --- report ---------------------------------------------------------------------------------


class Report:
    """Lines of the comparison: what, measured, allowed."""

    def __init__(self):
        self.sections, self.bad = [], 0

    def section(self, title, text):
        self.sections.append({"title": title, "text": text, "rows": [], "tables": []})

    def check(self, case, setting, what, error, limit):
        """error, limit: numbers with error <= limit wanted; or digits given as (got, least)."""
        ok = error <= limit
        self._add(case, setting, what, f"{error:.2g}", f"{limit:.2g}", ok)

    def at_least(self, case, setting, what, got, least):
        self._add(case, setting, what, f"{got:.1f}", f">= {least:g}", got >= least)

    def failure(self, case, setting, text):
        self._add(case, setting, text.splitlines()[0][:100], "-", "-", False)

    def _add(self, case, setting, what, got, limit, ok):
        self.bad += not ok
        self.sections[-1]["rows"].append((case, setting, what, got, limit, "yes" if ok else "**no**"))
        mark = "ok  " if ok else "FAIL"
        print(f"{mark} {case:28} {setting:9} {what:34} {got:>9} {limit:>9}", flush=True)

    def table(self, head, rows):
        self.sections[-1]["tables"].append((head, rows))
        for row in [head] + rows:
            print("     " + "  ".join(f"{str(x):>10}" for x in row), flush=True)

    def write(self, path):
        out = ["# Validation", "",
               "Generated by `tools/validate.py`; the models are under `models/`. Each line is a "
               "largest error (or digits) and what is allowed.", ""]
        for s in self.sections:
            out += [f"## {s['title']}", "", s["text"], ""]
            if s["rows"]:
                out += ["| case | run | quantity | error | allowed | within |", "|---|---|---|---|---|---|"]
                out += ["| " + " | ".join(row) + " |" for row in s["rows"]] + [""]
            for head, rows in s["tables"]:
                out += ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
                out += ["| " + " | ".join(str(x) for x in row) + " |" for row in rows] + [""]
        with open(path, "w") as f:
            f.write("\n".join(out).rstrip() + "\n")


# --- Adams joint tables ---------------------------------------------------------------------

# model, table, case whose tolerances apply when it is another, parameters
ADAMS = [
    ("revolute_1", "Revolute_Case01", None, []),
    ("spherical_1", "Spherical_Case01", None, []),
    ("cylindrical_1", "Cylindrical_Case01", None, []),
    ("cylindrical_2", "Cylindrical_Case02", None, []),
    ("prismatic_1", "Prismatic_Case01", None, []),
    ("prismatic_3", "Prismatic_Case03", None, []),
    ("universal_1", "Universal_Case01", None, []),
    ("universal_2", "Universal_Case02", None, []),
    ("distance_1", "Distance_Case01", None, []),
    ("distance_3", "Distance_Case03", None, []),
    ("translational_spring_1", "TranSpring_Case01", None, []),
    ("function_spring_1", "TranSpringCB_Case01", None, []),
    ("function_spring_3", "TranSpringCB_Case03", None, []),
    ("rotational_spring_1", "RotSpring_Case01", None, []),
    ("revolute_spherical_1", "RevSpherical_Case01", None, []),
    ("linear_actuator_1", "LinActuator_Case01", None, []),
    ("rotational_spring_1", "RotSpring_adm_computed", "RotSpring_Case01",
     [("stiffness", math.degrees(1.0)), ("damping", math.degrees(0.05))]),
    ("translational_spring_adm", "TransSpring_adm_computed", "TranSpringCB_Case03", []),
]

# quantity of the tables -> its columns
QUANTITIES = {
    "Pos": ["X", "Y", "Z"], "Vel": ["VX", "VY", "VZ"], "Acc": ["AX", "AY", "AZ"],
    "Quat": ["e0", "e1", "e2", "e3"], "Avel": ["WX", "WY", "WZ"], "Aacc": ["WDX", "WDY", "WDZ"],
}
for _name, _suffix in (("", "_ground"), ("P", "_P"), ("A", "_A"), ("_Body1", "_Body1"),
                       ("_Body2", "_Body2")):
    QUANTITIES["Rforce" + _name] = [f"F{c}{_suffix}" for c in "XYZ"]
    QUANTITIES["Rtorque" + _name] = [f"T{c}{_suffix}" for c in "XYZ"]
# the two tables computed from datasets name the spring's own columns
ALTERNATIVE = {"Rforce": [f"F{c}_on_ground" for c in "XYZ"],
               "Rtorque": [f"T{c}_spring_on_ground" for c in "XYZ"]}


def rounding(column):
    """Half a unit of the sixth digit of the column's largest value."""
    top = max(abs(x) for x in column)
    return 0.0 if top == 0 else 0.5 * 10.0 ** (math.floor(math.log10(top)) - 5)


def adams_case(engine, report, cases, entry, settings):
    model, name, rules, sets = entry
    case = name if sets else model
    table = read_table(os.path.join(cases, "adams-joints", name + ".csv"))
    with open(os.path.join(cases, "adams-joints", (rules or name) + ".json")) as f:
        facts = json.load(f)
    own = facts.get("rms_difference_of_independent_integration", {})
    for setting in settings:
        try:
            run = engine.run(f"cases/{model}.yaml", sets=sets,
                             tol=engine.tight() if setting == "tight" else None)
        except Failed as e:
            report.failure(case, setting, str(e))
            continue
        if largest(run.time, table["Time"]) > 1e-9:
            report.failure(case, setting, "the output times differ from the table's")
            continue
        got = dict(run.columns, **euler_parameters(run, table))
        for quantity, limit in facts["rms_tolerance"].items():
            names = QUANTITIES[quantity]
            if names[0] not in table:
                names = ALTERNATIVE.get(quantity, names)
            if names[0] not in table:
                continue
            error = max(rms(got[n], table[n]) for n in names)
            if setting == "tight":
                limit = (3 * own.get(quantity, [0.0])[0] + max(rounding(table[n]) for n in names)
                         + FLOOR)
            report.check(case, setting, quantity, error, limit)


def rack_pinion_case(engine, report, settings):
    """The rack falls with g/(1 + J/(m r^2)); constant in time."""
    for setting in settings:
        try:
            run = engine.run("cases/rack_pinion_1.yaml",
                             tol=engine.tight() if setting == "tight" else None)
        except Failed as e:
            report.failure("rack_pinion_1", setting, str(e))
            continue
        fall = 9.80665 / (1 + 0.1 / 0.0025)
        turn = fall / 0.05
        report.check("rack_pinion_1", setting, "rack acceleration, relative",
                     max(abs(abs(a) / fall - 1) for a in run["rack_acc"]), 1e-9)
        report.check("rack_pinion_1", setting, "pinion acceleration, relative",
                     max(abs(abs(a) / turn - 1) for a in run["pinion_acc"]), 1e-9)


# --- benchmark problems ---------------------------------------------------------------------


def energy_of(run):
    columns = [c for name, c in run.columns.items() if name.startswith("energy")]
    return [sum(values) for values in zip(*columns)]


def ladder(report, case, head, run_at, tolerances):
    """One row per tolerance: steps and what run_at gives; failed runs are said to be."""
    rows = []
    for tol in tolerances:
        try:
            run, values = run_at(tol)
            rows.append([f"{tol:.0e}", run.steps()] + values)
        except Failed as e:
            rows.append([f"{tol:.0e}", "-", str(e).splitlines()[0][:80]] + [""] * (len(head) - 1))
    report.table([case, "steps"] + head, rows)


def energy_case(engine, report, cases, model, table, columns, criterion, near, far, until, quick):
    """The loosest run that keeps the energy within the criterion must be `near`, a tight one `far`."""
    want = read_table(os.path.join(cases, "iftomm", table, "reference.csv"))
    rows = [k for k, t in enumerate(want["time"]) if t <= until + 1e-9]

    def error(run):
        if largest(run.time, want["time"]) > 1e-9:
            raise Failed("the output times differ from the table's")
        return max(abs(run[c][k] - want[c][k]) for c in columns for k in rows)

    case = os.path.basename(model)
    met = None
    for tol in (None, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10):
        try:
            run = engine.run(model + ".yaml", tol=tol)
            drift = spread(energy_of(run))
        except Failed as e:
            report.failure(case, "default" if tol is None else f"{tol:.0e}", str(e))
            continue
        if drift <= criterion:
            met = "default" if tol is None else f"{tol:.0e}"
            report.check(case, met, f"energy, J", drift, criterion)
            report.check(case, met, "position", error(run), near)
            break
    if met is None:
        report.failure(case, "1e-10", f"no run keeps the energy within {criterion:g} J")
    if quick:
        return
    try:
        report.check(case, "tight", "position", error(engine.run(model + ".yaml", tol=engine.tight())),
                     far)
    except Failed as e:
        report.failure(case, "tight", str(e))


ANGLES = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"]


def end_values(cases, problem, names):
    with open(os.path.join(cases, "ivp-testset", problem, "reference.json")) as f:
        reference = json.load(f)["reference_at_end"]
    return [float(reference[name]) for name in names]


def ivp_cases(engine, report, cases, quick):
    problems = (("andrews", "cases/andrews.yaml", ANGLES, 4, 8),
                ("car_axis", "cases/car_axis.yaml", ["xl", "yl", "xr", "yr"], 4, 8))
    for case, model, names, least, tight_least in problems:
        want = end_values(cases, case, names)
        rates = [n + "_dot" for n in names]
        want_rates = end_values(cases, case, rates)

        def at(tol):
            run = engine.run(model, tol=tol)
            return run, [f"{digits([run[n][-1] for n in names], want):.1f}",
                         f"{digits([run[n][-1] for n in rates], want_rates):.1f}"]

        for setting, tol, limit in (("default", None, least), ("tight", engine.tight(), tight_least)):
            if quick and setting == "tight":
                continue
            try:
                run = engine.run(model, tol=tol)
                report.at_least(case, setting, "digits at the end",
                                digits([run[n][-1] for n in names], want), limit)
            except Failed as e:
                report.failure(case, setting, str(e))
        if not quick:
            ladder(report, case, ["digits", "digits of rates"], at, [10.0**-k for k in range(4, 12)])


def table_case(engine, report, path, model, columns, setting, tol, limit, extra=()):
    want = read_table(path)
    case = os.path.basename(model)
    try:
        run = engine.run(model + ".yaml", tol=tol, extra=extra)
        if largest(run.time, want["time"]) > 1e-9:
            raise Failed("the output times differ from the table's")
        report.check(case, setting, ", ".join(columns),
                     max(largest(run[c], want[c]) for c in columns), limit)
    except Failed as e:
        report.failure(case, setting, str(e))


# --- scara ----------------------------------------------------------------------------------

SCARA_JOINTS = [f"{j}.{c}" for j in ("JOINT_1", "JOINT_2", "FIX") for c in
                ("FX", "FY", "FZ", "TX", "TY", "TZ")]


def scara_states(engine, report, cases, every):
    """Accelerations and reactions at given states and torques."""
    table = read_table(os.path.join(cases, "adams-models", "scara", "scara_states.csv"))
    rows = range(0, len(table["time.TIME"]), every)

    def state(k):
        sets = [("q1", table["Q1.Q"][k]), ("q2", table["Q2.Q"][k]), ("w1", table["QP1.Q"][k]),
                ("w2", table["QP2.Q"][k]), ("torque1", table["GAMMA1.Q"][k]),
                ("torque2", table["GAMMA2.Q"][k])]
        return engine.run("cases/scara.yaml", end=1e-4, output_step=1e-4, sets=sets)

    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = list(pool.map(state, rows))
    except Failed as e:
        report.failure("scara", f"{len(rows)} states", str(e))
        return
    setting = f"{len(rows)} states"
    for group, pairs in (("angular accelerations", [("link1_WDZ", "Link1_XFORM.WDZ"),
                                                    ("link2_WDZ", "Link2_XFORM.WDZ")]),
                         ("reactions", [(n.replace(".", "_"), n) for n in SCARA_JOINTS])):
        worst = 0.0
        for ours, theirs in pairs:
            top = max(1.0, max(abs(x) for x in table[theirs]))
            worst = max(worst, max(abs(run[ours][0] - table[theirs][k])
                                   for run, k in zip(runs, rows)) / top)
        report.check("scara", setting, group + ", relative", worst, 1e-7)


def scara_motion(engine, report, cases):
    """Driven by a spline through the torques: within 2e-3 rad of the table up to 2 s."""
    table = read_table(os.path.join(cases, "adams-models", "scara", "scara_torques.csv"))
    rows = [k for k, t in enumerate(table["time"]) if t <= 2.5]
    with tempfile.TemporaryDirectory(prefix="trammel-scara-") as folder:
        path = os.path.join(folder, "scara_motion.yaml")
        with open(path, "w") as f:
            f.write(f"trammel: 1\ninclude: {os.path.join(MODELS, 'cases/include/scara_arm.yaml')}\n"
                    "splines:\n")
            for n in (1, 2):
                points = ", ".join(f"[{table['time'][k]!r}, {table[f'GAMMA{n}'][k]!r}]" for k in rows)
                f.write(f"  torque{n}: {{type: cubic, points: [{points}]}}\n")
            f.write("variables:\n  gamma1: 'cubspl(time, torque1)'\n  gamma2: 'cubspl(time, torque2)'\n"
                    "simulate: {end: 2, output_step: 0.005}\n")
        sets = [("q1", table["Q1"][0]), ("q2", table["Q2"][0]), ("w1", table["QP1"][0]),
                ("w2", table["QP2"][0])]
        try:
            run = engine.run(path, sets=sets)
        except Failed as e:
            report.failure("scara", "motion", str(e))
            return
    for name in ("Q1", "Q2"):
        report.check("scara", "motion", name + " up to 2 s, rad",
                     largest(run[name], table[name][:len(run.time)]), 2e-3)


# --- closed forms ---------------------------------------------------------------------------


def exact_columns(run):
    """Errors of columns that have a companion <name>_exact in the model itself."""
    return {n: largest(run[n], run[n + "_exact"]) for n in run.columns if n + "_exact" in run.columns}


def pendulum_errors(run):
    amplitude, g, length = math.radians(150), 9.81, 1.0
    k, w = math.sin(amplitude / 2), math.sqrt(3 * g / (2 * length))
    quarter = elliptic_k(k * k)
    want = [2 * math.asin(k * jacobi(quarter + w * t, k * k)[0]) for t in run.time]
    rates = []
    for t in run.time:
        rates.append(2 * k * w * jacobi(quarter + w * t, k * k)[1])
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
        x, y = d - a * math.cos(crank), -a * math.sin(crank)  # from the crank pin to the rocker pivot
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
        worst = max(worst, abs(run["B0_x"][k] - math.sin(y[0])), abs(run["B0_y"][k] - math.cos(y[0])))
    return {"B0": worst}


# model, what computes the errors, allowed at default and at tight settings. The limits follow the
# global error of a second-order method, eps^(2/3) times a factor for speed and length of the run.
CLOSED = [
    ("pendulum", pendulum_errors, 1e-2, 1e-5),
    ("steady_top", exact_columns, 5e-2, 1e-4),
    ("free_rotation", free_rotation_errors, 5e-2, 1e-4),
    ("rolling_disc", exact_columns, 1e-2, 1e-5),
    ("projectile", exact_columns, 1e-3, 1e-8),
    ("four_bar", four_bar_errors, 1e-6, 1e-9),
    ("n_four_bar", windows_errors, 1e-3, 1e-6),
]


def closed_forms(engine, report, settings):
    for name, errors, default, tight in CLOSED:
        for setting in settings:
            try:
                run = engine.run(f"closed_forms/{name}.yaml",
                                 tol=engine.tight() if setting == "tight" else None)
                for what, error in errors(run).items():
                    report.check(name, setting, what, error, tight if setting == "tight" else default)
            except Failed as e:
                report.failure(name, setting, str(e))


def all_models(engine, report):
    """Every model must run to its end as it stands."""
    for folder, _, files in sorted(os.walk(MODELS)):
        if os.path.basename(folder) == "include":
            continue
        for file in sorted(files):
            path = os.path.relpath(os.path.join(folder, file), MODELS)
            if not file.endswith(".yaml") or path.startswith(("cases", "closed_forms")):
                continue
            try:
                run = engine.run(path)
                finite = all(math.isfinite(x) for c in run.columns.values() for x in c)
                report.check(path[:-5], "default", "runs, finite channels", 0 if finite else 1, 0)
                for what, error in exact_columns(run).items():
                    report.check(path[:-5], "default", what, error, 1e-3)
            except Failed as e:
                report.failure(path[:-5], "default", str(e))


# --- main -----------------------------------------------------------------------------------


def find_cases():
    path = os.environ.get("TRAMMEL_CASES") or os.path.join(os.path.dirname(ROOT), "shared", "cases")
    return path if os.path.isdir(path) else None


def prefetch(engine, jobs):
    """Make the runs of the common cases on all cores; errors show up again when they are used."""
    def one(job):
        try:
            engine.run(*job)
        except Failed:
            pass
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, jobs))


def published(engine, report, cases, settings, quick, only):
    wanted = lambda *names: not only or any(o in n for o in only for n in names)
    report.section("Single joints and forces", "Root mean square over 501 rows against Adams tables "
                   "(all columns of a quantity). Default runs: the tolerances Chrono is tested with; "
                   "tight runs: three times the difference of an independent integration to the "
                   "table, plus half a unit of the sixth digit.")
    for entry in ADAMS:
        if wanted(entry[0]):
            adams_case(engine, report, cases, entry, settings)
    if wanted("rack_pinion_1"):
        rack_pinion_case(engine, report, settings)

    report.section("Benchmark problems", "IFToMM benchmarks (the loosest run that keeps the energy), "
                   "problems of the IVP test set, a heavy top and a slider-crank.")
    for model, table, columns, criterion, near, far, until in (
            ("cases/iftomm_a01_distance", "a01_pendulum", ["x", "y"], 5e-5, 1e-4, 1e-8, 10),
            ("cases/iftomm_a01_revolute", "a01_pendulum", ["x", "y"], 5e-5, 1e-4, 1e-8, 10),
            ("cases/iftomm_a02_four_bar", "a02_four_bar_n2", ["B0_x", "B0_y"], 0.1, 1e-3, 1e-6, 10),
            ("cases/iftomm_a04_bricard", "a04_bricard", ["P3_x", "P3_y", "P3_z"], 1e-3, 1e-3, 1e-6,
             5)):
        if wanted(model):
            energy_case(engine, report, cases, model, table, columns, criterion, near, far, until, quick)
    if wanted("heavy_top"):
        path = os.path.join(cases, "rigid-misc", "heavy_top", "reference.csv")
        columns = ["cm_x", "cm_y", "cm_z"]
        if not quick:
            table_case(engine, report, path, "cases/heavy_top", columns, "tight", engine.tight(), 1e-6)
        table_case(engine, report, path, "cases/heavy_top", columns, "step 1e-4", None, 1e-3,
                   ("--step", "1e-4"))
    if wanted("slider_crank_spring"):
        path = os.path.join(cases, "rigid-misc", "slider_crank_spring", "reference.csv")
        for setting, tol, limit in (("1e-6", 1e-6, 1e-4), ("tight", engine.tight(), 1e-8)):
            if setting != "tight" or not quick:
                table_case(engine, report, path, "cases/slider_crank_spring", ["q", "x", "p"], setting,
                           tol, limit)
    if wanted("andrews", "car_axis"):
        ivp_cases(engine, report, cases, quick)

    if wanted("scara"):
        report.section("SCARA arm with a massless link", "Accelerations and reactions at states of an "
                       "Adams table, relative to the largest value; and a motion driven by a spline "
                       "through its torques (held between samples in the original).")
        scara_states(engine, report, cases, 20 if quick else 1)
        scara_motion(engine, report, cases)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="no ladders, few tight runs, no page")
    parser.add_argument("--only", default="", help="parts of case names, separated by commas")
    parser.add_argument("--trammel", default=os.environ.get("TRAMMEL")
                        or os.path.join(ROOT, "build", "trammel"), help="the command")
    parser.add_argument("--integrator", help="instead of the models' own")
    parser.add_argument("--doc", default=os.path.join(ROOT, "docs", "validation.md"),
                        help="page to write")
    args = parser.parse_args()
    if not os.access(args.trammel, os.X_OK):
        parser.error(f"'{args.trammel}' is not there; build it, or give --trammel")
    only = [word for word in args.only.split(",") if word]
    engine, report, cases = Engine(args.trammel, args.integrator), Report(), find_cases()
    settings = ["default"] if args.quick else ["default", "tight"]

    if not only or "closed" in only:
        report.section("Closed forms", "Largest differences over all rows to solutions known in "
                       "closed form (SI units).")
        closed_forms(engine, report, settings)
        report.section("Examples", "Every other model runs to its end; columns with a known answer.")
        all_models(engine, report)
    if cases is None:
        print("skipped: the published tables (TRAMMEL_CASES is not set, ../shared/cases is absent)")
    else:
        if not only:
            prefetch(engine, [(f"cases/{m}.yaml", engine.tight() if s == "tight" else None)
                              for m, _, _, _ in ADAMS for s in settings])
        published(engine, report, cases, settings, args.quick, only)
    if not args.quick and not only and cases is not None:
        report.write(args.doc)
    print(f"{report.bad} outside their limits" if report.bad else "all within their limits")
    return 1 if report.bad else 0


if __name__ == "__main__":
    sys.exit(main())
