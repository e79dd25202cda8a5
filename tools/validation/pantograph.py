"""Pantographs and overhead lines: the cases of the folder `pantograph`."""
import csv
import json
import math
import os
import subprocess
import tempfile

from .engine import MODELS, Failed, read_table


def analysis(job, model, sets):
    """Channels of the equilibrium."""
    with tempfile.TemporaryDirectory(prefix="trammel-validate-") as folder:
        table = os.path.join(folder, "t.csv")
        words = [job.engine.path, "statics", os.path.join(MODELS, model), "--quiet", "--csv", table]
        for name, value in sets:
            words += ["--set", f"{name}={value!r}"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(done.stderr.strip())
        return {name: column[0] for name, column in read_table(table).items()}


def rows(path):
    with open(path) as f:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(f)]


def static_wire(job):
    name = "pantograph/static_wire"
    if not job.wanted(name):
        return
    try:
        worst = 0.0
        for r in rows(job.case_file("pantograph", "static_wire", "sag.csv")):
            got = analysis(job, "pantograph/wire.yaml", [("T", r["horizontal_tension_N"]), ("m", r["mass_per_m"]), ("L", r["span_m"])])
            worst = max(worst, abs(got["sag"] / r["sag_catenary_m"] - 1))
        job.report.check(name, "own weight", "sag against the catenary, relative", worst, 1e-4)
        worst = [0.0, 0.0]
        for r in rows(job.case_file("pantograph", "static_wire", "beam_under_tension.csv")):
            # linear: the load is so small that the tension stays as it is
            small, sets = 1e-3, [("T", r["T"]), ("EI", r["EI"]), ("L", r["L"]), ("g", 0.0), ("m", 1.0)]
            got = analysis(job, "pantograph/wire.yaml", sets + [("q", small)])["sag"] * r["q"] / small
            worst[0] = max(worst[0], abs(got / r["midspan_deflection"] - 1))
            got = small / analysis(job, "pantograph/wire.yaml", sets + [("P", small)])["sag"]
            worst[1] = max(worst[1], abs(got / r["midspan_stiffness"] - 1))
        job.report.check(name, "tensioned beam", "deflection under a line load, relative", worst[0], 1e-6)
        job.report.check(name, "tensioned beam", "stiffness in the middle, relative", worst[1], 3e-6)
    except Failed as e:
        job.report.failure(name, "statics", e)


def moving_load(job):
    name = "pantograph/moving_load"
    if not job.wanted(name):
        return
    try:
        want = read_table(job.case_file("pantograph", "moving_load", "string.csv"))
        run = job.engine.run("pantograph/moving_load.yaml", end=want["t"][-1])
        run.same_times(want["t"])
        for channel in ("w_midspan", "w_under_load"):
            size = max(abs(x) for x in want[channel])
            off = max(abs(a - b) for a, b in zip(run[channel], want[channel])) / size
            job.report.check(name, "default", channel + ", relative to the largest", off, 5e-3)
    except Failed as e:
        job.report.failure(name, "default", e)


def two_mass(job):
    name = "pantograph/two_mass_periodic"
    if not job.wanted(name):
        return
    want = read_table(job.case_file("pantograph", "two_mass_periodic", "v250.csv"))
    for setting in ("default", "tight"):
        try:
            run = job.engine.run("pantograph/two_mass.yaml", tol=job.tolerance(setting))
            run.same_times(want["t"])
            force = [f for t, f in zip(run.time, run["Fc"]) if t > 5]
            mean = sum(force) / len(force)
            std = math.sqrt(sum((f - mean) ** 2 for f in force) / len(force))
            limit = 1e-6 if setting == "tight" else 1e-3
            off = max(abs(a / b - 1) for a, b in zip(run["Fc"], want["Fc"]))
            job.report.check(name, setting, "contact force, relative", off, limit)
            job.report.check(name, setting, "mean after 5 s, relative", abs(mean / 117.4537 - 1), max(limit, 2e-5))
            job.report.check(name, setting, "deviation after 5 s, relative", abs(std / 22.5793 - 1), max(limit, 2e-3))
        except Failed as e:
            job.report.failure(name, setting, e)


# --- ten spans ------------------------------------------------------------------------------------


def statistics(job, sets, speed):
    """The run, and its numbers over spans 5 and 6 as `trammel statistics` tells them."""
    run = job.engine.run("pantograph/catenary.yaml", sets=[("V", speed), *sets])
    out = {}
    with tempfile.TemporaryDirectory(prefix="trammel-validate-") as folder:
        table, answer = os.path.join(folder, "t.csv"), os.path.join(folder, "s.json")
        with open(table, "w", newline="") as f:
            writer = csv.writer(f)
            writer.writerow(["time", "Fc", "x_head"])
            writer.writerows(zip(run.time, run["Fc"], run["x_head"]))
        words = [job.engine.path, "statistics", table, "Fc", "--along", "x_head", "--from", "240", "--to", "360", "--quiet", "--json", answer]
        for key, more in (("raw", []), ("filtered", ["--low-pass", "20"])):
            done = subprocess.run(words + more, capture_output=True, text=True)
            if done.returncode != 0:
                raise Failed(done.stderr.strip())
            with open(answer) as f:
                out[key] = json.load(f)
    uplift = max(max(run[f"uplift_support{k}"]) for k in (4, 5, 6))
    out["uplift"] = 1000 * uplift
    return run, out


def catenary_fe(job):
    """Against the FE program of the case, whose displacements are small and whose tensions constant. The case allows
    5 % for real sags; the least force, in which tension counts most, and the uplift are given twice of that."""
    name = "pantograph/catenary_fe"
    if job.quick or not job.wanted(name):
        return
    with open(job.case_file("pantograph", "catenary_fe", "variants_v250.json")) as f:
        variants = json.load(f)
    more = {"base": [], "presag_30mm": [("sag", 0.03)], "masses_soft_arm": [("clamp", 0.15), ("arm_mass", 0.5), ("arm", 50.0)]}
    for variant, sets in more.items():
        try:
            run, got = statistics(job, sets, 250 / 3.6)
            want = variants[variant]["results"]
            f = got["filtered"]
            for what, a, key, limit in (("mean", f["mean"], "mean_N", 0.005), ("deviation", f["deviation"], "std_N", 0.05),
                                        ("largest", f["max"], "actual_max_N", 0.05), ("least", f["min"], "actual_min_N", 0.1)):
                job.report.check(name, variant, what + ", filtered, relative", abs(a / want[key] - 1), limit)
            job.report.check(name, variant, "uplift, mm", abs(got["uplift"] - want["max_uplift_support_mm"]), 2.0)
        except Failed as e:
            job.report.failure(name, variant, e)


def en50318(job):
    """Every row of the standard's ranges, with the variant of the case that has 30 mm of pre-sag."""
    name = "pantograph/en50318"
    if job.quick or not job.wanted(name):
        return
    with open(job.case_file("pantograph", "en50318", "ranges.json")) as f:
        ranges = json.load(f)["ranges"]
    for speed in (250, 300):
        try:
            _, got = statistics(job, [("sag", 0.03)], speed / 3.6)
            f = got["filtered"]
            values = {"mean_N": f["mean"], "std_N": f["deviation"], "statistical_max_N": f["statistical_max"],
                      "statistical_min_N": f["statistical_min"], "actual_max_N": f["max"], "actual_min_N": f["min"],
                      "max_uplift_support_mm": got["uplift"], "contact_loss_percent": f["loss_percent"]}
            for key, (low, high) in ranges[f"{speed}_km_h"].items():
                outside = max(low - values[key], values[key] - high, 0.0)
                job.report.check(name, f"{speed} km/h", f"{key} {values[key]:.4g}, outside {low} to {high} by", outside, 0.0)
        except Failed as e:
            job.report.failure(name, f"{speed} km/h", e)


def compare(job):
    job.report.section("Pantographs and overhead lines", "Closed forms, an integration of order 8, a finite element program of small displacements, and "
                       "the ranges of EN 50318:2002.")
    static_wire(job)
    moving_load(job)
    two_mass(job)
    catenary_fe(job)
    en50318(job)
