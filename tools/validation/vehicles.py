"""Tyres, bicycles and cars against closed forms and tables."""
import json
import math
import os
import re
import tempfile

from .engine import Failed, read_table

HUGE = 1e16  # kg: wheels so heavy that no tyre changes their motion
SPEED = 10.0


# --- steady tyres on a rig ---------------------------------------------------------------------

class Rig:
    """Wheels side by side on a plane, each with its own slips, camber and load, in uniform motion.

    Rows are (load, kappa, alpha, camber) in N and rad, in axes of ISO. The forces that stand after
    `way` metres are the steady ones. `deflection` and `effective` give the tyre's deflection at a
    load and its rolling radius at a deflection."""

    def __init__(self, tyre, radius, deflection, effective, axes=(1.0, 1.0), way=30.0, speed=SPEED):
        self.tyre, self.radius, self.deflection = tyre, radius, deflection
        self.effective, self.way, self.speed = effective, way, speed
        self.forward, self.left = axes

    def wheel(self, k, row):
        load, kappa, alpha, camber = row
        rho = self.deflection(load)
        height, speed = (self.radius - rho) * math.cos(camber), self.speed
        spin = abs(speed) * (kappa + math.copysign(1.0, speed)) / self.effective(rho)
        body = (f"  w{k}: {{mass: {HUGE}, inertia: [{HUGE}, {HUGE}, {HUGE}], "
                f"position: [0, {2 * k}, {height!r}], rotation: {{axis: x, angle: {camber!r}}}, "
                f"velocity: [{speed!r}, {abs(speed) * math.tan(alpha)!r}, 0], "
                f"angular_velocity: [0, {spin * math.cos(camber)!r}, {spin * math.sin(camber)!r}]}}")
        axle = f"[0, {math.cos(camber)!r}, {math.sin(camber)!r}]"
        force = (f"  t{k}: {{bodies: [ground, w{k}], at: [0, {2 * k}, {height!r}], axis: {axle}, "
                 f"{self.tyre}}}")
        outputs = [f"  {name}{k}: output(t{k}).{name}" for name in ("load", "fx", "fy", "mz")]
        return body, force, outputs

    def forces(self, job, rows, tol):
        """(load, fx, fy, mz) of each row."""
        wheels = [self.wheel(k, row) for k, row in enumerate(rows)]
        end = self.way / abs(self.speed)
        text = "\n".join(["trammel: 1", "title: Tyres on a rig", "bodies:", *[w[0] for w in wheels],
                          "forces:", *[w[1] for w in wheels],
                          "outputs:", *[line for w in wheels for line in w[2]],
                          f"simulate: {{end: {end!r}, output_step: {end!r}, integrator: radau, tolerance: 1e-9}}", ""])
        with tempfile.TemporaryDirectory(prefix="trammel-validate-") as folder:
            path = os.path.join(folder, "rig.yaml")
            with open(path, "w") as f:
                f.write(text)
            run = job.engine.run(path, tol)
        return [tuple(run[f"{name}{k}"][-1] for name in ("load", "fx", "fy", "mz"))
                for k in range(len(rows))]


def steady(job, name, rig, rows, wanted, limit, what):
    """Forces of a rig against those wanted, of each row (index of the force, value)."""
    if job.quick:
        rows, wanted = rows[::4], wanted[::4]
    for setting in job.settings:
        try:
            got = rig.forces(job, rows, job.tolerance(setting))
        except Failed as e:
            job.report.failure(name, setting, e)
            continue
        error = load = 0.0
        for row, force, want in zip(rows, got, wanted):
            load = max(load, abs(force[0] / row[0] - 1.0))
            for k, value in want:
                error = max(error, abs(force[k] - value) / row[0])
        job.report.check(name, setting, "load, relative", load, 1e-9)
        job.report.check(name, setting, what, error, limit)


def linear_spring(stiffness):
    return lambda load: load / stiffness


def unchanged(radius):
    return lambda rho: radius


VERTICAL = "radius: 0.35, stiffness: 3e5, rolling: 0, relaxation_x: 0.2, relaxation_y: 0.4"


def degrees(x):
    return math.radians(x)


def fiala(job):
    table = read_table(job.case_file("vehicles", "tyre_fiala", "fiala.csv"))
    tyre = (f"type: fiala_tyre, {VERTICAL}, mu_static: 0.9835, mu_sliding: 0.5568, "
            "longitudinal: 193929, lateral: 50000, width: 0.318")
    rows = [(f, k, degrees(a), 0.0) for f, k, a in zip(table["Fz"], table["kappa"], table["alpha_deg"])]
    # the forces of the table have the sign of slip angles that are positive to the right
    wanted = [[(1, x), (2, y), (3, m)] for x, y, m in zip(table["Fx"], table["Fy"], table["Mz"])]
    rig = Rig(tyre, 0.35, linear_spring(3e5), unchanged(0.35))
    steady(job, "tyre_fiala", rig, rows, wanted, 1e-9, "Fx, Fy, Mz by load")
    reverse(job, "tyre_fiala", tyre, rows, wanted)


def reverse(job, name, tyre, rows, wanted):
    """Backwards the forces of a symmetric tyre are the same by the slips in its own axes."""
    rig = Rig(tyre, 0.35, linear_spring(3e5), unchanged(0.35), speed=-SPEED)
    back = [[(k, v) for k, v in want if k < 3] for want in wanted]
    steady(job, name, rig, rows, back, 1e-9, "backwards, Fx, Fy by load")


def tmeasy(job):
    table = read_table(job.case_file("vehicles", "tyre_tmeasy", "tmeasy.csv"))
    tyre = (f"type: tmeasy_tyre, {VERTICAL}, load: 3000, longitudinal: [90000, 3300, 0.11, 3200, 0.5], "
            "lateral: [65000, 3200, 0.18, 3150, 0.6]")
    rows = [(3000.0, s, 0.0, 0.0) for s in table["slip"]]
    rows += [(3000.0, 0.0, -math.atan(s), 0.0) for s in table["slip"]]
    wanted = [[(1, f), (2, 0.0)] for f in table["Fx"]] + [[(1, 0.0), (2, f)] for f in table["Fy"]]
    rig = Rig(tyre, 0.35, linear_spring(3e5), unchanged(0.35))
    steady(job, "tyre_tmeasy", rig, rows, wanted, 1e-9, "Fx, Fy by load")
    reverse(job, "tyre_tmeasy", tyre, rows, wanted)


def plain_json(path):
    """JSON with comments."""
    with open(path) as f:
        return json.loads(re.sub(r"//[^\n]*", "", f.read()))


def pac89(job):
    table = read_table(job.case_file("vehicles", "tyre_pac89", "pac89.csv"))
    data = plain_json(job.case_file("vehicles", "hmmwv", "tire", "HMMWV_Pac89Tire.json"))
    groups = [("a", "Lateral Coefficients"), ("b", "Longitudinal Coefficients"), ("c", "Aligning Coefficients")]
    lists = ", ".join(f"{g}: {[data[s][key] for key in sorted(data[s], key=lambda w: int(w[1:]))]}"
                      for g, s in groups)
    tyre = f"type: pac89_tyre, {VERTICAL}, {lists}"
    rows = [(f, k, degrees(a), degrees(g)) for f, k, a, g
            in zip(table["Fz"], table["kappa"], table["alpha_deg"], table["gamma_deg"])]
    # a positive slip angle of the table is one to the right
    rows = [(f, k, -a, g) for f, k, a, g in rows]
    wanted = [[(1, x), (2, y), (3, m)] for x, y, m in zip(table["Fx"], table["Fy"], table["Mz"])]
    rig = Rig(tyre, 0.35, linear_spring(3e5), unchanged(0.35))
    steady(job, "tyre_pac89", rig, rows, wanted, 1e-9, "Fx, Fy, Mz by load")


# --- PAC2002 -----------------------------------------------------------------------------------

def tir_numbers(path):
    """Keys of a property file with their numbers."""
    found = {}
    with open(path) as f:
        for line in f:
            match = re.match(r"\s*([A-Z][A-Z0-9_]*)\s*=\s*([-+0-9.eE]+)", line)
            if match:
                found[match.group(1)] = float(match.group(2))
    return found


class Pac2002:
    """Magic formula 5.2 as Pacejka's book prints it, for values inside all ranges of the file."""

    def __init__(self, keys):
        self.keys = keys

    def __getattr__(self, name):
        return self.keys.get(name, 1.0 if name[0] == "L" else 0.0)

    def forces(self, load, kappa, alpha, camber):
        """Fx, Fy and Mz at combined slip."""
        nominal = self.LFZO * self.FNOMIN
        f = (load - nominal) / nominal
        x = self.along(load, nominal, f, kappa, camber)
        y = self.across(load, nominal, f, alpha, camber)
        fx = x["F"] * self.weight(alpha, self.RHX1, self.RBX1 * math.cos(math.atan(self.RBX2 * kappa)),
                                  self.RCX1, self.REX1 + self.REX2 * f)
        bend = self.RBY1 * math.cos(math.atan(self.RBY2 * (alpha - self.RBY3)))
        part = self.weight(kappa, self.RHY1 + self.RHY2 * f, bend, self.RCY1, self.REY1 + self.REY2 * f)
        by_kappa = (y["mu"] * load * (self.RVY1 + self.RVY2 * f + self.RVY3 * camber)
                    * math.cos(math.atan(self.RVY4 * alpha)) * math.sin(self.RVY5 * math.atan(self.RVY6 * kappa)))
        fy = y["F"] * part + by_kappa
        return fx, fy, self.moment(load, f, kappa, alpha, camber, x, y, fx, fy, fy - by_kappa)

    def along(self, load, nominal, f, kappa, camber):
        shift = self.PHX1 + self.PHX2 * f
        top = (self.PDX1 + self.PDX2 * f) * (1 - self.PDX3 * camber ** 2) * load
        slope = load * (self.PKX1 + self.PKX2 * f) * math.exp(self.PKX3 * f)
        x = kappa + shift
        bend = (self.PEX1 + self.PEX2 * f + self.PEX3 * f * f) * (1 - self.PEX4 * math.copysign(1, x))
        lift = load * (self.PVX1 + self.PVX2 * f)
        return {"F": self.magic(x, slope / (self.PCX1 * top), self.PCX1, top, bend) + lift, "K": slope}

    def across(self, load, nominal, f, alpha, camber):
        mu = (self.PDY1 + self.PDY2 * f) * (1 - self.PDY3 * camber ** 2)
        slope = (self.PKY1 * nominal * math.sin(2 * math.atan(load / (self.PKY2 * nominal)))
                 * (1 - self.PKY3 * abs(camber)))
        shift = self.PHY1 + self.PHY2 * f + self.PHY3 * camber
        lift = load * (self.PVY1 + self.PVY2 * f + (self.PVY3 + self.PVY4 * f) * camber)
        y, B = alpha + shift, slope / (self.PCY1 * mu * load)
        bend = (self.PEY1 + self.PEY2 * f) * (1 - (self.PEY3 + self.PEY4 * camber) * math.copysign(1, y))
        return {"F": self.magic(y, B, self.PCY1, mu * load, bend) + lift, "K": slope, "B": B, "mu": mu,
                "shift": shift + lift / slope}

    def moment(self, load, f, kappa, alpha, camber, x, y, fx, fy, fy_alone):
        R, F0 = self.UNLOADED_RADIUS, self.LFZO * self.FNOMIN
        angle = alpha + self.QHZ1 + self.QHZ2 * f + (self.QHZ3 + self.QHZ4 * f) * camber
        B = ((self.QBZ1 + self.QBZ2 * f + self.QBZ3 * f * f)
             * (1 + self.QBZ4 * camber + self.QBZ5 * abs(camber)))
        D = (load * (self.QDZ1 + self.QDZ2 * f) * (1 + self.QDZ3 * camber + self.QDZ4 * camber ** 2) * R / F0)
        E = ((self.QEZ1 + self.QEZ2 * f + self.QEZ3 * f * f)
             * (1 + (self.QEZ4 + self.QEZ5 * camber) * 2 / math.pi * math.atan(B * self.QCZ1 * angle)))
        turn = B * self.equivalent(angle, kappa, x, y)
        trail = D * math.cos(self.QCZ1 * math.atan(turn - min(E, 1) * (turn - math.atan(turn)))) * math.cos(alpha)
        rest = (load * R * (self.QDZ6 + self.QDZ7 * f + (self.QDZ8 + self.QDZ9 * f) * camber)
                * math.cos(math.atan((self.QBZ9 + self.QBZ10 * y["B"] * self.PCY1)
                                     * self.equivalent(alpha + y["shift"], kappa, x, y))) * math.cos(alpha))
        arm = R * (self.SSZ1 + self.SSZ2 * fy / F0 + (self.SSZ3 + self.SSZ4 * f) * camber)
        return -trail * fy_alone + rest + arm * fx

    @staticmethod
    def equivalent(angle, kappa, x, y):
        size = math.hypot(math.tan(angle), x["K"] / y["K"] * kappa)
        return math.copysign(math.atan(size), angle)

    @staticmethod
    def magic(x, B, C, D, E):
        return D * math.sin(C * math.atan(B * x - min(E, 1) * (B * x - math.atan(B * x))))

    @staticmethod
    def weight(x, shift, B, C, E):
        def g(s):
            return math.cos(C * math.atan(B * s - E * (B * s - math.atan(B * s))))
        return g(x + shift) / g(shift)


def pac2002_rig(keys, tyre):
    stiffness, radius = keys["LCZ"] * keys["VERTICAL_STIFFNESS"], keys["UNLOADED_RADIUS"]
    depth = keys["LFZO"] * keys["FNOMIN"] / stiffness

    def rolling(rho):
        u = rho / depth
        return radius - depth * (keys["DREFF"] * math.atan(keys["BREFF"] * u) + keys["FREFF"] * u)
    return Rig(tyre, radius, linear_spring(stiffness), rolling)


def pac2002(job):
    path = job.case_file("vehicles", "hmmwv", "tire", "HMMWV_Pac02Tire.tir")
    table = read_table(job.case_file("vehicles", "tyre_pac2002", "pac2002_hmmwv.csv"))
    keys = tir_numbers(path)
    columns = ("Fz", "kappa", "alpha_deg", "gamma_deg", "Fx_pure", "Fy_pure")
    wanted, rows = {0.0: [], 3.0: []}, {0.0: [], 3.0: []}
    for load, kappa, alpha, camber, fx, fy in zip(*(table[c] for c in columns)):
        rows[camber].append((load, kappa, degrees(alpha), degrees(camber)))
        # the force of the direction without slip is pure only where the other slip is zero
        wanted[camber].append(([(1, fx)] if alpha == camber == 0.0 else []) + ([(2, fy)] if kappa == 0.0 else []))
    rig = pac2002_rig(keys, f"type: pac2002_tyre, file: {path}")
    steady(job, "tyre_pac2002", rig, rows[0.0], wanted[0.0], 1e-6, "pure slip, by load")
    steady(job, "tyre_pac2002", rig, rows[3.0], wanted[3.0], 1e-6, "camber 3 deg, by load")
    combined(job, keys, path)


def combined(job, keys, path):
    """Both slips, against the book's equations; a mirrored tyre turns over what is lateral."""
    law = Pac2002(keys)
    # loads above FZMIN and its margin; slips on both sides, locked and spinning
    rows = [(load, kappa, degrees(a), 0.0) for load in (4000.0, 8000.0, 20000.0)
            for kappa in (-0.9, -0.1, -0.02, 0.03, 0.15, 0.8) for a in (-12.0, -3.0, 0.5, 5.0)]
    values = [law.forces(*row) for row in rows]
    wanted = [[(1, x), (2, y), (3, m)] for x, y, m in values]
    rig = pac2002_rig(keys, f"type: pac2002_tyre, file: {path}")
    steady(job, "tyre_pac2002", rig, rows, wanted, 1e-6, "combined slip, Fx, Fy, Mz by load")
    rig = pac2002_rig(keys, f"type: pac2002_tyre, file: {path}, mounted: right")
    turned = [(load, kappa, -a, g) for load, kappa, a, g in rows]
    mirrored = [[(1, x), (2, -y), (3, -m)] for x, y, m in values]
    steady(job, "tyre_pac2002", rig, turned, mirrored, 1e-6, "mounted on the right, mirrored")
    leaning = [(load, kappa, a, degrees(2.0)) for load, kappa, a, g in rows]
    values = [law.forces(*row) for row in leaning]
    wanted = [[(1, x), (2, y), (3, m)] for x, y, m in values]
    rig = pac2002_rig(keys, f"type: pac2002_tyre, file: {path}")
    steady(job, "tyre_pac2002", rig, leaning, wanted, 1e-6, "combined slip, camber 2 deg, by load")


# --- the bicycle -------------------------------------------------------------------------------

def bicycle_values(job, speed):
    """The four eigenvalues of lean and steer: those that are not about zero."""
    modes = job.engine.modes("wheel/bicycle.yaml", 12, [("v", speed)])
    values = []
    for m in modes:
        value = complex(m["real"], m["imag"])
        values += [value, value.conjugate()] if value.imag else [value]
    # five positions of the bicycle and its speed do not change what follows
    values = sorted(values, key=abs)[-4:]
    if abs(values[0]) < 0.1 and not values[0].imag:
        # near the zeros, which are not simple, a root is better found by the product of all four
        values[0] = product_of_four(job, speed) / (values[1] * values[2] * values[3]).real
    return values


def matched(got, want):
    """Largest relative difference of two sets of numbers, each to its nearest; of small ones, by 0.1."""
    left, worst = list(got), 0.0
    for w in want:
        best = min(left, key=lambda g: abs(g - w))
        left.remove(best)
        worst = max(worst, abs(best - w) / max(abs(w), 0.1))
    return worst


def crossing(speeds, value):
    """The speed at which a value is zero: the polynomial of speeds by values, at zero (Neville's rule)."""
    x, y = [value(v) for v in speeds], list(speeds)
    for width in range(1, len(y)):
        y = [(x[k + width] * y[k] - x[k] * y[k + 1]) / (x[k + width] - x[k]) for k in range(len(y) - 1)]
    return y[0]


def product_of_four(job, speed):
    """The sum of all products of four eigenvalues, of which but four are zero, as a coefficient of the
    characteristic polynomial (Faddeev and LeVerrier). It is zero where the bicycle begins to capsize; the
    root itself is lost there among the zeros, which are not simple."""
    lin = job.engine._analysis("linearize", "wheel/bicycle.yaml", [("v", speed)], ["--partition"])
    n, flat = lin["order"], lin["matrix"]
    A = [[flat[n * j + i] for j in range(n)] for i in range(n)]
    M, c = [[0.0] * n for _ in range(n)], 1.0
    for k in range(1, 5):
        M = [[sum(A[i][m] * M[m][j] for m in range(n)) + (c if i == j else 0.0) for j in range(n)] for i in range(n)]
        c = -sum(A[i][m] * M[m][i] for i in range(n) for m in range(n)) / k
    return c


def bicycle(job):
    table = read_table(job.case_file("vehicles", "bicycle_whipple", "eigenvalues.csv"))
    columns = [[table[f"{part}{k}"] for part in ("re", "im")] for k in range(1, 5)]
    worst = 0.0
    try:
        for row, speed in enumerate(table["v"]):
            if speed > 0.0 and (not job.quick or speed in (1.0, 4.6, 8.0)):
                want = [complex(re[row], im[row]) for re, im in columns]
                worst = max(worst, matched(bicycle_values(job, speed), want))
        job.report.check("bicycle_whipple", "linearize", "eigenvalues, relative", worst, 1e-9)
        at_rest = bicycle_values(job, 0.0)
        want = [complex(re[0], im[0]) for re, im in columns]
        job.report.check("bicycle_whipple", "linearize", "eigenvalues at rest, relative",
                         matched(at_rest, want), 1e-10)
        weave = crossing([4.292 + 0.002 * k for k in (-3, -2, -1, 1, 2, 3)], lambda v: max(
            x.real for x in bicycle_values(job, v) if abs(x.imag) > 1.0))
        capsize = crossing([6.024 + 0.02 * k for k in (-3, -2, -1, 1, 2, 3)],
                           lambda v: product_of_four(job, v))
        job.report.check("bicycle_whipple", "linearize", "weave speed, m/s", abs(weave - 4.292382536341102), 1e-9)
        job.report.check("bicycle_whipple", "linearize", "capsize speed, m/s", abs(capsize - 6.024262015388363), 1e-9)
    except Failed as e:
        job.report.failure("bicycle_whipple", "linearize", e)
    for setting in job.settings:
        try:
            bicycle_runs(job, setting)
        except Failed as e:
            job.report.failure("bicycle_whipple", setting, e)


def bicycle_runs(job, setting):
    """After a push it recovers between the two speeds and falls outside."""
    tol = job.tolerance(setting)
    lean = {v: job.engine.run("wheel/bicycle.yaml", tol, end=end, sets=[("v", v), ("lean_rate", push)])["lean"]
            for v, push, end in ((4.6, 0.5, 5.0), (3.8, 0.01, 4.0), (8.0, 0.01, 10.0))}
    job.report.check("bicycle_whipple", setting, "4.6 m/s: lean left of the largest",
                     abs(lean[4.6][-1]) / max(map(abs, lean[4.6])), 0.1)
    for v in (3.8, 8.0):
        half = len(lean[v]) // 2
        growth = max(map(abs, lean[v][half:])) / max(map(abs, lean[v][:half]))
        job.report.at_least("bicycle_whipple", setting, f"{v} m/s: growth of the lean", growth, 1.2)


# --- linear cars -------------------------------------------------------------------------------

def single_track(job):
    table = read_table(job.case_file("vehicles", "single_track", "single_track.csv"))
    for setting in job.settings:
        worst = roots = 0.0
        try:
            for row, speed in enumerate(table["V"]):
                run = job.engine.run("vehicles/single_track.yaml", job.tolerance(setting), sets=[("v", speed)])
                for name, column in (("beta", "beta_per_delta"), ("yaw_rate", "yawrate_per_delta"),
                                     ("lateral", "ay_per_delta")):
                    worst = max(worst, abs(run[name][-1] / table[column][row] - 1.0))
                modes = job.engine.modes("vehicles/single_track.yaml", 20, [("v", speed), ("delta", 0.0)])
                values = [complex(m["real"], abs(m["imag"])) for m in modes]
                want = complex(table["re2"][row], table["im2"][row])
                roots = max(roots, min(abs(x - want) for x in values) / abs(want))
        except Failed as e:
            job.report.failure("single_track", setting, e)
            continue
        job.report.check("single_track", setting, "steady gains, relative", worst, 1e-3)
        job.report.check("single_track", setting, "eigenvalues, relative", roots, 1e-3)


def suspension(job):
    table = read_table(job.case_file("vehicles", "suspension_front", "kinematics.csv"))
    names = (("x", "wheel_x", 1e-8), ("y", "wheel_y", 1e-8), ("spring", "spring_length", 1e-8),
             ("shock", "shock_length", 1e-8), ("camber", "camber_deg", math.degrees(1e-7)),
             ("toe", "toe_deg", math.degrees(1e-7)))
    for setting in job.settings:
        worst = 0.0
        try:
            for row, travel in enumerate(table["travel"]):
                # a quarter of the rig's period takes the wheel to the travel
                run = job.engine.run("vehicles/front_suspension.yaml", job.tolerance(setting), end=1.0,
                                     output_step=1.0, sets=[("travel", travel)])
                for name, column, limit in names:
                    worst = max(worst, abs(run[name][-1] - table[column][row]) / limit)
        except Failed as e:
            job.report.failure("suspension_front", setting, e)
            continue
        job.report.check("suspension_front", setting, "by 1e-8 m and 1e-7 rad", worst, 1.0)


def solved(A, b):
    """x of A x = b by elimination with pivots."""
    n, rows = len(b), [list(r) + [v] for r, v in zip(A, b)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                part = rows[i][k] / rows[k][k]
                rows[i] = [x - part * y for x, y in zip(rows[i], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


def covariance(A, q):
    """P of A P + P A^T + q = 0."""
    n = len(A)
    system = [[0.0] * (n * n) for _ in range(n * n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                system[i * n + j][k * n + j] += A[i][k]
                system[i * n + j][i * n + k] += A[j][k]
    flat = solved(system, [-q[i][j] for i in range(n) for j in range(n)])
    return [flat[i * n:(i + 1) * n] for i in range(n)]


def quarter_car_linear(job, want):
    """Root mean squares on a road of white velocity, by the matrix of the mechanism: the road is a post
    whose height is a state. States: tyre and spring, from their free lengths, and two velocities."""
    lin = job.engine._analysis("linearize", "vehicles/quarter_car.yaml", [], ["--partition"])
    roots = [complex(m["real"], s * m["imag"]) for m in lin["modes"] for s in (1, -1)]
    given = [complex(re, im) for re, im in want["eigenvalues"]]
    error = max(min(abs(v - w) for v in roots) / abs(w) for w in given)
    job.report.check("quarter_car_iso8608", "linearize", "eigenvalues, relative", error, 1e-8)

    def entry(row, column):  # of (z_post, z_wheel, z_body, v_post, v_wheel, v_body)
        return lin["matrix"][6 * column + row]
    wheel = [entry(4, 1) + entry(4, 2), entry(4, 2), entry(4, 4), entry(4, 5)]
    body = [entry(5, 1) + entry(5, 2), entry(5, 2), entry(5, 4), entry(5, 5)]
    A = [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, -1.0, 1.0], wheel, body]
    power = 4 * math.pi ** 2 * want["n0"] ** 2 * want["Gd_n0_m3"] * want["speed"]
    P = covariance(A, [[power / 2 if i == j == 0 else 0.0 for j in range(4)] for i in range(4)])
    square = sum(body[i] * P[i][j] * body[j] for i in range(4) for j in range(4))
    got = {"rms_body_acceleration": math.sqrt(square), "rms_suspension_travel": math.sqrt(P[1][1]),
           "rms_dynamic_tyre_force": want["k_tyre"] * math.sqrt(P[0][0])}
    error = max(abs(got[name] / want[name] - 1.0) for name in got)
    job.report.check("quarter_car_iso8608", "linearize", "rms of Lyapunov's equation, relative", error, 1e-8)


def quarter_car(job):
    """The run is left out of quick ones: 5 km are needed for 5 %."""
    with open(job.case_file("vehicles", "quarter_car_iso8608", "class_B.json")) as f:
        want = json.load(f)
    try:
        quarter_car_linear(job, want)
        run = None if job.quick else job.engine.run("vehicles/quarter_car.yaml")
    except Failed as e:
        job.report.failure("quarter_car_iso8608", "linearize", e)
        return
    for name, column in (("acceleration", "rms_body_acceleration"), ("travel", "rms_suspension_travel"),
                         ("load", "rms_dynamic_tyre_force")):
        if run is not None:
            x = run[name][300:]  # from where the road has grown to its class
            mean = sum(x) / len(x)
            rms = math.sqrt(sum((v - mean) ** 2 for v in x) / len(x))
            job.report.check("quarter_car_iso8608", "default", f"{name}, rms over 5 km, relative",
                             abs(rms / want[column] - 1.0), 0.05)


# --- whole cars --------------------------------------------------------------------------------

def car(job):
    """Static loads are the weight; steady quantities of runs by two methods."""
    try:
        found = job.engine.statics("vehicles/car.yaml", [("v", 0.0)])
    except Failed as e:
        job.report.failure("hmmwv", "statics", e)
        return
    channels = found["channels"]
    loads = [channels[f"load_{a}{s}"] for a in "fr" for s in "lr"]
    job.report.check("hmmwv", "statics", "sum of the loads by the weight", abs(sum(loads) / (2584.924 * 9.81) - 1), 1e-9)
    # the centre of mass by the masses and places of the design position; the suspension moves it by
    # some millimetres, 1e-3 of the wheelbase
    moment = 2086.52 * 0.056 + 9.072 * (1.688965 - 0.25)
    for x, wheel, upper, inner, outer in ((1.688965, -0.040, -0.106, -0.250, -0.176),
                                          (-1.688965, 0.036, 0.124, 0.223, 0.170)):
        moment += 2 * ((71.105 + 19.45) * (x + wheel) + 5.813 * (x + upper) + 23.965 * x
                       + 2 * (x + (inner + outer) / 2))
    front, rear = 1.688965 - 0.040, -1.688965 + 0.036
    share = (moment / 2584.924 - rear) / (front - rear)
    job.report.check("hmmwv", "statics", "front axle's share of the weight",
                     abs((loads[0] + loads[1]) / sum(loads) - share), 2e-3)
    for setting in job.settings:
        try:
            run = job.engine.run("vehicles/braking.yaml", job.tolerance(setting))
        except Failed as e:
            job.report.failure("hmmwv", setting, e)
            continue
        at = [run["x"][k] for k, t in enumerate(run.time) if t >= 10.0]
        job.report.check("hmmwv", setting, "creep in a minute on a slope, m", abs(at[-1] - at[0]), 1e-5)


def compare(job):
    job.report.section("Tyres and vehicles", (
        "Cases of `vehicles`. Tyres run on a rig, each row of a table with a wheel of its own; combined slip of PAC2002 is "
        "compared with the book's equations written again in `tools/validation/vehicles.py`. The bicycle is the benchmark "
        "of Meijaard and others; the cars are those of `models/vehicles`."))
    cases = (("tyre_fiala", fiala), ("tyre_tmeasy", tmeasy), ("tyre_pac89", pac89), ("tyre_pac2002", pac2002),
             ("bicycle_whipple", bicycle), ("single_track", single_track), ("suspension_front", suspension),
             ("quarter_car_iso8608", quarter_car), ("hmmwv", car))
    for name, run in cases:
        if job.wanted(name):
            run(job)
