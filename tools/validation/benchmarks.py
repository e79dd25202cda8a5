"""IFToMM benchmarks, the IVP test set, heavy top and slider-crank."""
import json

from .engine import Failed, read_table
from .measures import digits, largest, spread

LADDER = [10.0**-k for k in range(4, 12)]  # tolerances

# The error of a second-order method goes with tolerance^(2/3): a tight run (1e-11) is 20 times better
# than a default one (1e-9), no more. What methods of higher order have to reach stands beside it.
#
# model, table, columns, energy allowed to change (J), errors allowed at default settings, in tight
# runs of second order, of higher order (m), rows compared up to this time
IFTOMM = [
    ("iftomm_a01_distance", "a01_pendulum", ["x", "y"], 5e-5, 1e-4, (5e-6, 1e-8), 10),
    ("iftomm_a01_revolute", "a01_pendulum", ["x", "y"], 5e-5, 1e-4, (5e-6, 1e-8), 10),
    ("iftomm_a02_four_bar", "a02_four_bar_n2", ["B0_x", "B0_y"], 0.1, 1e-3, (1e-5, 1e-6), 10),
    ("iftomm_a04_bricard", "a04_bricard", ["P3_x", "P3_y", "P3_z"], 1e-3, 1e-3, (1e-6, 1e-6), 5),
]
# problem, columns at the end, digits wanted at default and at tight tolerance (as above)
IVP = [
    ("andrews", ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"], 4, (6, 8)),
    ("car_axis", ["xl", "yl", "xr", "yr"], 4, (6, 8)),
]


def energy_of(run):
    columns = [c for name, c in run.columns.items() if name.startswith("energy")]
    return [sum(values) for values in zip(*columns)]


def iftomm_case(job, entry):
    """Energy kept within the criterion, and positions."""
    case, folder, columns, criterion, near, far, until = entry
    want = read_table(job.case_file("iftomm", folder, "reference.csv"))
    rows = [k for k, t in enumerate(want["time"]) if t <= until + 1e-9]

    def run_at(tol):
        run = job.engine.run(f"cases/{case}.yaml", tol=tol)
        run.same_times(want["time"])
        return run, max(abs(run[c][k] - want[c][k]) for c in columns for k in rows)

    for setting, limit in (("default", near), ("tight", far[job.engine.high_order()])):
        if setting not in job.settings:
            continue
        try:
            run, error = run_at(job.tolerance(setting))
        except Failed as e:
            job.report.failure(case, setting, e)
            continue
        job.report.check(case, setting, "energy, J", spread(energy_of(run)), criterion)
        job.report.check(case, setting, "position, m", error, limit)
    if job.quick:
        return
    lines = []
    for tol in LADDER:
        try:
            run, error = run_at(tol)
            drift = spread(energy_of(run))
            lines.append([f"{tol:.0e}", run.steps(), f"{drift:.1e}", f"{error:.1e}"])
        except Failed as e:
            lines.append([f"{tol:.0e}", "-", str(e).splitlines()[0][:80], ""])
    job.report.table([case, "steps", "energy, J", "position, m"], lines)


def ivp_case(job, entry):
    case, names, least, tight_least = entry
    rates = [n + "_dot" for n in names]
    with open(job.case_file("ivp-testset", case, "reference.json")) as f:
        reference = json.load(f)["reference_at_end"]

    def digits_of(run, columns):
        return digits([run[n][-1] for n in columns], [float(reference[n]) for n in columns])

    for setting, limit in (("default", least), ("tight", tight_least[job.engine.high_order()])):
        if setting not in job.settings:
            continue
        try:
            run = job.engine.run(f"cases/{case}.yaml", tol=job.tolerance(setting))
            job.report.at_least(case, setting, "digits at the end", digits_of(run, names), limit)
            # forces depend on accelerations, about three digits behind the positions
            forces = [n for n in reference if n.startswith("lambda") and n in run.columns]
            if forces:
                job.report.at_least(case, setting, "digits of forces", digits_of(run, forces),
                                    limit - 3)
        except Failed as e:
            job.report.failure(case, setting, e)
    if job.quick:
        return
    rows = []
    for tol in LADDER:
        try:
            run = job.engine.run(f"cases/{case}.yaml", tol=tol)
            rows.append([f"{tol:.0e}", run.steps(), f"{digits_of(run, names):.1f}",
                         f"{digits_of(run, rates):.1f}"])
        except Failed as e:
            rows.append([f"{tol:.0e}", "-", str(e).splitlines()[0][:80], ""])
    job.report.table([case, "steps", "digits", "digits of rates"], rows)


def table_case(job, case, columns, setting, tol, limit, extra=()):
    if setting == "tight" and job.quick:
        return
    want = read_table(job.case_file("rigid-misc", case, "reference.csv"))
    try:
        run = job.engine.run(f"cases/{case}.yaml", tol=tol, extra=extra)
        run.same_times(want["time"])
    except Failed as e:
        job.report.failure(case, setting, e)
        return
    error = max(largest(run[c], want[c]) for c in columns)
    job.report.check(case, setting, ", ".join(columns), error, limit)


def compare(job):
    job.report.section(
        "Benchmark problems",
        "IFToMM benchmarks: change of the energy and largest difference of positions. Problems of "
        "the IVP test set: digits at the end. A heavy top and a slider-crank: largest differences "
        "over all rows.")
    tight = job.engine.tight()
    for entry in IFTOMM:
        if job.wanted(entry[0]):
            iftomm_case(job, entry)
    if job.wanted("heavy_top"):
        columns = ["cm_x", "cm_y", "cm_z"]
        table_case(job, "heavy_top", columns, "tight", tight, 1e-6)
        table_case(job, "heavy_top", columns, "step 1e-4", None, 1e-3, ("--step", "1e-4"))
    if job.wanted("slider_crank_spring"):
        table_case(job, "slider_crank_spring", ["q", "x", "p"], "default", None, 1e-4)
        table_case(job, "slider_crank_spring", ["q", "x", "p"], "tight", tight,
                   (1e-6, 1e-8)[job.engine.high_order()])
    for entry in IVP:
        if job.wanted(entry[0]):
            ivp_case(job, entry)
