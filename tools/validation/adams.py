"""Single-body cases against Adams tables, and the SCARA arm."""
import json
import math
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor

from .engine import MODELS, Failed, read_table
from .measures import euler_parameters, largest, rms

FLOOR = 1e-9  # SI; what a column that is zero in the table may show of our own rounding

# model, table, case whose tolerances apply when it is another, parameters
CASES = [
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

FALLING = ("cylindrical_1", "prismatic_1")

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

SCARA_JOINTS = [f"{j}.{c}" for j in ("JOINT_1", "JOINT_2", "FIX")
                for c in ("FX", "FY", "FZ", "TX", "TY", "TZ")]


def rounding(column):
    """Half a unit of the sixth digit of the column's largest value."""
    top = max(abs(x) for x in column)
    return 0.0 if top == 0 else 0.5 * 10.0 ** (math.floor(math.log10(top)) - 5)


def columns_of(quantity, table):
    """Columns of the table for a quantity, or none."""
    for names in (QUANTITIES[quantity], ALTERNATIVE.get(quantity, [])):
        if names and names[0] in table:
            return names
    return []


def joint_case(job, entry, setting):
    model, name, rules, sets = entry
    case = name if rules else model
    table = read_table(job.case_file("adams-joints", name + ".csv"))
    with open(job.case_file("adams-joints", (rules or name) + ".json")) as f:
        facts = json.load(f)
    own = facts.get("rms_difference_of_independent_integration", {})
    try:
        run = job.engine.run(f"cases/{model}.yaml", tol=job.tolerance(setting), sets=sets)
        run.same_times(table["Time"])
    except Failed as e:
        job.report.failure(case, setting, e)
        return
    got = dict(run.columns, **euler_parameters(run, table))
    for quantity, limit in facts["rms_tolerance"].items():
        names = columns_of(quantity, table)
        if not names:
            continue
        if setting == "tight":
            limit = 3 * own.get(quantity, [0.0])[0] + max(rounding(table[n]) for n in names) + FLOOR
        job.report.check(case, setting, quantity, max(rms(got[n], table[n]) for n in names), limit)
    balance(job, case, setting, run)


def balance(job, case, setting, run):
    """Energy and constraints; bodies that fall for 5 s reach 1200 J and may lose more."""
    limit = 0.1 if case in FALLING else 0.01
    error = abs(run.summary["certificate"]["energy_error"])
    job.report.check(case, setting, "energy balance at the end, J", error, limit)
    job.report.check(case, setting, "constraint violation", run.summary["statistics"]["max_phi"],
                     1e-5)


def rack_pinion_case(job, setting):
    """The rack falls with g/(1 + J/(m r^2)), constant in time."""
    try:
        run = job.engine.run("cases/rack_pinion_1.yaml", tol=job.tolerance(setting))
    except Failed as e:
        job.report.failure("rack_pinion_1", setting, e)
        return
    fall = 9.80665 / (1 + 0.1 / 0.0025)
    for column, want in (("rack_acc", fall), ("pinion_acc", fall / 0.05)):
        error = max(abs(abs(a) / want - 1) for a in run[column])
        limit = 1e-6 if setting == "tight" else 1e-5  # eps^(2/3) of a second-order method
        job.report.check("rack_pinion_1", setting, column + ", relative", error, limit)


def scara_states(job):
    """Accelerations and reactions at given states and torques."""
    table = read_table(job.case_file("adams-models", "scara", "scara_states.csv"))
    rows = range(0, len(table["time.TIME"]), 20 if job.quick else 1)
    setting = f"{len(rows)} states"

    def state(k):
        names = (("q1", "Q1"), ("q2", "Q2"), ("w1", "QP1"), ("w2", "QP2"), ("torque1", "GAMMA1"),
                 ("torque2", "GAMMA2"))
        sets = [(ours, table[theirs + ".Q"][k]) for ours, theirs in names]
        return job.engine.run("cases/scara.yaml", end=1e-4, output_step=1e-4, sets=sets)

    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = list(pool.map(state, rows))
    except Failed as e:
        job.report.failure("scara", setting, e)
        return
    groups = {"angular accelerations": [("link1_WDZ", "Link1_XFORM.WDZ"),
                                        ("link2_WDZ", "Link2_XFORM.WDZ")],
              "reactions": [(n.replace(".", "_"), n) for n in SCARA_JOINTS]}
    for group, pairs in groups.items():
        worst = 0.0
        for ours, theirs in pairs:
            top = max(1.0, max(abs(x) for x in table[theirs]))
            got, want = [run[ours][0] for run in runs], [table[theirs][k] for k in rows]
            worst = max(worst, largest(got, want) / top)
        job.report.check("scara", setting, group + ", relative", worst, 1e-7)


def scara_motion(job):
    """Driven by a spline through the torques: within 2e-3 rad of the table up to 2 s."""
    table = read_table(job.case_file("adams-models", "scara", "scara_torques.csv"))
    rows = [k for k, t in enumerate(table["time"]) if t <= 2.5]
    arm = os.path.join(MODELS, "cases/include/scara_arm.yaml")
    text = ["trammel: 1", f"include: {arm}", "splines:"]
    for n in (1, 2):
        points = ", ".join(f"[{table['time'][k]}, {table[f'GAMMA{n}'][k]}]" for k in rows)
        text.append(f"  torque{n}: {{type: cubic, points: [{points}]}}")
    text += ["variables:", "  gamma1: 'cubspl(time, torque1)'", "  gamma2: 'cubspl(time, torque2)'",
             "simulate: {end: 2, output_step: 0.005}", ""]
    with tempfile.TemporaryDirectory(prefix="trammel-scara-") as folder:
        path = os.path.join(folder, "scara_motion.yaml")
        with open(path, "w") as f:
            f.write("\n".join(text))
        names = (("q1", "Q1"), ("q2", "Q2"), ("w1", "QP1"), ("w2", "QP2"))
        try:
            run = job.engine.run(path, sets=[(ours, table[theirs][0]) for ours, theirs in names])
        except Failed as e:
            job.report.failure("scara", "motion", e)
            return
    for name in ("Q1", "Q2"):
        error = largest(run[name], table[name][:len(run.time)])
        job.report.check("scara", "motion", name + " up to 2 s, rad", error, 2e-3)


def compare(job):
    job.report.section(
        "Single joints and forces",
        "Root mean square over 501 rows against Adams tables, the worst column of a quantity. "
        "Default runs: the tolerances Chrono is tested with. Tight runs: three times the "
        "difference of an independent integration to the table, plus half a unit of the sixth "
        f"digit of the column's largest value, plus {FLOOR:g} for columns that are zero.")
    wanted = [(entry, s) for entry in CASES if job.wanted(entry[0]) for s in job.settings]
    job.engine.prefetch([(f"cases/{entry[0]}.yaml", job.tolerance(s), None, None, tuple(entry[3]))
                         for entry, s in wanted])
    for entry, setting in wanted:
        joint_case(job, entry, setting)
    if job.wanted("rack_pinion_1"):
        for setting in job.settings:
            rack_pinion_case(job, setting)
    if job.wanted("scara"):
        job.report.section(
            "SCARA arm with a massless link",
            "Accelerations and reactions at states of an Adams table, relative to the largest "
            "value of the column; and a motion driven by a spline through its torques, which the "
            "original held constant between samples.")
        scara_states(job)
        scara_motion(job)
