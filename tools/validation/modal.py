"""Reduced parts against frequencies of CalculiX, Abaqus and our own dense solutions."""
import csv
import math
import os
import re
import subprocess
import tempfile

STEEL = "material: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}\n"
ENDS = """interfaces:
  A: {box: [[0, 0, 0], [0, 1, 1]], at: [0, 0.03, 0.02]}
  B: {box: [[1, 0, 0], [1, 1, 1]], at: [1, 0.03, 0.02]}
"""
ONE = "interfaces: {A: {box: [[0, -9, -9], [0, 9, 9]]}}\n"


class Failed(Exception):
    pass


def reduce_part(job, text):
    """Frequencies with interfaces held and of the part."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "part.yaml")
        with open(path, "w") as f:
            f.write("part: part\ndamping: 0.01\n" + text)
        run = subprocess.run([job.engine.path, "reduce", path, "-o", os.path.join(folder, "part.h5")],
                             capture_output=True, text=True)
    if run.returncode != 0:
        raise Failed(run.stderr.strip())
    held = [float(x) for x in re.findall(r"^ *\d+  (\S+) +(?: *\d+\.\d\d){6}$", run.stdout, re.M)]
    free = [float(x) for x in re.findall(r"^ *\d+ +(\S+) Hz", run.stdout, re.M)]
    return held, free


def rows_of(path):
    with open(path) as f:
        return list(csv.reader(f))


def off(got, want):
    """Largest relative difference over those that there are."""
    pairs = [(g, w) for g, w in zip(got, want) if w == w]
    return max(abs(g / w - 1) for g, w in pairs) if pairs else float("nan")


def case(job, name, what, text, which, want, limit):
    if not job.wanted(name):
        return
    try:
        got = reduce_part(job, text)[which]
        known = sum(w == w for w in want)
        error = off(got, want) if len(got) >= known else float("inf")
        job.report.check(name, what, f"{known} frequencies, relative", error, limit)
    except Failed as e:
        job.report.failure(name, what, e)


def numbers(row):
    return [float(x) for x in row]


def beams(job):
    """Craig-Bampton frequencies for each count of modes: from the mesh, and from matrices of 12 digits."""
    for name in ("tet10_beam_coarse", "tet10_beam"):
        folder = job.case_file("modal", name)
        mesh = f"mesh: {folder}/mesh.msh\n{STEEL}"
        matrices = f"matrices: {{stiffness: {folder}/K.mtx, mass: {folder}/M.mtx, nodes: {folder}/mesh.msh}}\n"
        for row in rows_of(os.path.join(folder, "craig_bampton.csv"))[1:]:
            n = int(row[0])
            if n < 0:
                continue
            # the table has nine digits
            case(job, name, f"{n} modes", f"{mesh}{ENDS}modes: {n}\n", 1, numbers(row[1:]), 1e-8)
            if name == "tet10_beam_coarse":
                case(job, name, f"{n} modes, matrices", f"{matrices}{ENDS}modes: {n}\n", 1, numbers(row[1:]), 1e-7)
        table = rows_of(os.path.join(folder, "frequencies.csv"))
        own = [float(r[table[0].index("fixed_own_Hz")]) for r in table[1:]]
        free = [float(r[table[0].index("free_own_Hz")]) for r in table[1:]]
        ccx = [float(r[table[0].index("fixed_ccx_Hz")]) for r in table[1:]]
        case(job, name, "held at one end", f"{mesh}{ONE}modes: 20\n", 0, own, 1e-8)
        case(job, name, "free", f"{mesh}modes: {{count: 20, method: herting}}\n", 1, free, 1e-8)
        # CalculiX prints seven digits, and its mass rule is the one that is asked for here
        case(job, name, "held, CalculiX", f"{mesh}mass_rule: ccx\n{ONE}modes: 20\n", 0, ccx, 1e-6)


def timoshenko(job):
    folder = job.case_file("modal", "timoshenko_beam")
    with tempfile.TemporaryDirectory() as other:
        nodes = os.path.join(other, "nodes.csv")
        with open(nodes, "w") as f:
            f.write("".join(f"{k + 1},{k / 20},0,0\n" for k in range(21)))
        text = f"matrices: {{stiffness: {folder}/K.mtx, mass: {folder}/M.mtx, nodes: {nodes}}}\n"
        ends = "interfaces: {A: {node: 1}, B: {node: 21}}\n"
        for row in rows_of(os.path.join(folder, "frequencies.csv"))[1:]:
            n, want = int(row[0]), numbers(row[1:])
            if n >= 0:
                case(job, "timoshenko_beam", f"{n} modes", f"{text}{ends}modes: {n}\n", 1, want, 1e-9)
            elif n == -1:
                case(job, "timoshenko_beam", "free", f"{text}modes: {{count: 10, method: herting}}\n", 1, want, 1e-9)
            else:
                case(job, "timoshenko_beam", "held", f"{text}interfaces: {{A: {{node: 1}}}}\nmodes: 10\n", 0, want,
                     1e-9)
        fixed = [float(r[1]) for r in rows_of(os.path.join(folder, "fixed_interface.csv"))[1:]]
        case(job, "timoshenko_beam", "both ends held", f"{text}{ends}modes: 12\n", 0, fixed, 1e-9)


def abaqus(job):
    """Matrices that Abaqus exported; the frequencies are those of the given matrices."""
    folder = job.case_file("modal", "abaqus_rotor")
    text = (f"matrices: {{stiffness: {folder}/rotorDiscTestSTIF1.mtx, mass: {folder}/rotorDiscTestMASS1.mtx, "
            f"nodes: {folder}/rotorDiscTest.inp, stiffness_factor: 0.01}}\n")
    table = rows_of(os.path.join(folder, "frequencies.csv"))
    want = [x for x in (float(r[-1]) for r in table[1:]) if x > 1.0]
    case(job, "abaqus_rotor", "free", f"{text}modes: {{count: {len(want)}, method: herting}}\n", 1, want, 1e-8)
    folder = job.case_file("modal", "abaqus_block_C3D10")
    matrices = (f"matrices: {{stiffness: {folder}/blockC3D10_STIF1.mtx, mass: {folder}/blockC3D10_MASS1.mtx, "
                f"nodes: {folder}/blockC3D10.inp}}\n")
    table = rows_of(os.path.join(folder, "frequencies.csv"))
    head = table[0]
    column = lambda word: [float(r[k]) for k in range(len(head)) if head[k] == word for r in table[1:] if r[k]]
    held, free = column("fixed_abaqus_matrices_Hz"), column("free_abaqus_matrices_Hz")
    case(job, "abaqus_block", "held, matrices", f"{matrices}{ONE}modes: {len(held)}\n", 0, held, 1e-8)
    case(job, "abaqus_block", "free, matrices", f"{matrices}modes: {{count: {len(free)}, method: herting}}\n", 1,
         free, 1e-8)


def plate(job):
    """A plate of 20-node bricks, by CalculiX with full and reduced integration; its own rule of mass."""
    folder = job.case_file("modal", "hex20_plate")
    rows = lambda name: rows_of(os.path.join(folder, name))
    table = rows("frequencies.csv")
    column = lambda word: [float(r[k]) for k in range(len(table[0])) if table[0][k] == word for r in table[1:] if r[k]]
    with tempfile.TemporaryDirectory() as other:
        for kind, rule, limit in (("C3D20", "ccx", 1e-6), ("C3D20R", "ccx", 1e-6), ("C3D20", "exact", 1e-6)):
            mesh = os.path.join(other, "plate.inp")
            with open(mesh, "w") as f:
                f.write("*NODE\n" + "".join(", ".join(r) + "\n" for r in rows("nodes.csv")[1:]))
                f.write(f"*ELEMENT, TYPE={kind}, ELSET=ALL\n")
                f.write("".join(", ".join(r[:11]) + ",\n" + ", ".join(r[11:]) + "\n" for r in rows("elements.csv")[1:]))
            text = f"mesh: {mesh}\nmass_rule: {rule}\n{STEEL}"
            points = "27pt" if kind == "C3D20" else "8pt"
            held = column(f"cantilever_{kind}_{points}_Hz")
            # CalculiX prints seven digits; 27 points are exact for bricks with straight edges
            what = f"{kind}, mass rule {rule}"
            case(job, "hex20_plate", f"held, {what}", f"{text}{ONE}modes: {len(held)}\n", 0, held, limit)
            free = column(f"free_{kind}_{points}_Hz")
            if free:
                case(job, "hex20_plate", f"free, {what}", f"{text}modes: {{count: {len(free)}, method: herting}}\n", 1,
                     free, limit)


SPIN_PART = """part: beam
beams:
  nodes: {A: [0, 0, 0], B: [8, 0, 0]}
  sections: {bar: {area: 7.3e-5, Iy: 8.218e-9, Iz: 8.218e-9, J: 1.6436e-8, up: z}}
  members: [{nodes: [A, B], section: bar, elements: 20}]
material: {young: 68950835361.4, poisson: 0.3, density: 2766.669}
interfaces: {root: {set: A, tie: node}, tip: {set: B, tie: node}}
modes: 8
damping: 0
frame: root
stiffening: {centrifugal: true}
"""
SPIN_MODEL = """trammel: 1
parameters: {ws: 4, Ts: 15}
modal: {arm: {part: part.yaml}}
joints:
  hub: {type: revolute, frames: [ground, arm.root]}
  drive: {type: motion, joint: hub, function: "if(time - Ts:
    ws/Ts*(time^2/2 + (Ts/(2*pi))^2*(cos(2*pi*time/Ts) - 1)), ws*(time - Ts/2), ws*(time - Ts/2))"}
outputs: {v: "DY(arm.tip, arm.root, arm.root)"}
simulate: {end: 20, output_step: 0.05}
"""


def run_model(job, files, *commands):
    """Standard output of the first of some commands on model.yaml, beside other files; what they wrote to out.csv."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            with open(os.path.join(folder, name), "w") as f:
                f.write(text)
        said = []
        for command in commands:
            run = subprocess.run([os.path.abspath(job.engine.path), *command], capture_output=True, text=True,
                                 cwd=folder)
            if run.returncode != 0:
                raise Failed(run.stderr.strip())
            said.append(run.stdout)
        out = os.path.join(folder, "out.csv")
        return said[0], rows_of(out) if os.path.exists(out) else []


def spin_up(job):
    """A bar that is spun up, clamped to a hub; without stiffening it would run away."""
    want = {round(float(r[0]), 3): float(r[2])
            for r in rows_of(job.case_file("modal", "spin_up_beam", "spinup_8m.csv"))[1:]}
    for settings in ([], ["--tol", "1e-9", "--integrator", "radau"]):
        name = "default" if not settings else "tight"
        try:
            rows = run_model(job, {"part.yaml": SPIN_PART, "model.yaml": SPIN_MODEL},
                             ["run", "model.yaml", "--csv", "out.csv", *settings])[1]
            got = {round(float(r[0]), 3): float(r[1]) for r in rows[1:]}
            most = max(abs(v) for v in want.values())
            error = max(abs(got[t] - v) for t, v in want.items() if t <= 20.0) / most
            job.report.check("spin_up_beam", name, "lag of the tip, of the largest", error, 2e-3)
        except Failed as e:
            job.report.failure("spin_up_beam", name, e)


SPIN_MESH = SPIN_MODEL.replace("modal: {arm: {part: part.yaml}}", """flexible:
  arm: {type: beam, formulation: elastic_line, plane: xy, line: [[0, 0, 0], [8, 0, 0]], elements: 8,
    material: {E: 68950835361.4, nu: 0.3, density: 2766.669},
    section: {area: 7.3e-5, Iy: 8.218e-9, Iz: 8.218e-9, J: 1.6436e-8}}""").replace("arm.root", "arm.start").replace(
        "arm.tip", "arm.end")


def spin_up_beside_mesh(job):
    """The same bar by eight elements in absolute nodal coordinates, which need no stiffening."""
    try:
        rows = [run_model(job, {"part.yaml": SPIN_PART, "model.yaml": text},
                          ["run", "model.yaml", "--csv", "out.csv", "--tol", "1e-6", "--integrator", "radau"])[1]
                for text in (SPIN_MODEL, SPIN_MESH)]
        most = max(abs(float(r[1])) for r in rows[1][1:])
        error = max(abs(float(a[1]) - float(b[1])) for a, b in zip(rows[0][1:], rows[1][1:])) / most
        job.report.check("spin_up_beam", "beside ANCF", "lag of the tip, of the largest", error, 5e-3)
    except Failed as e:
        job.report.failure("spin_up_beam", "beside ANCF", e)


BLADE_PART = """part: blade
beams:
  nodes: {A: [0, 0, 0], B: [1, 0, 0]}
  sections: {s: {area: 1, Iy: 1e-6, Iz: 1e-6, J: 2e-6, up: z}}
  members: [{nodes: [A, B], section: s, elements: 40}]
material: {young: 1e6, poisson: 0.3, density: 1}
interfaces: {A: {set: A, tie: node}}
modes: 24
damping: 0
frame: A
stiffening: {centrifugal: true}
"""
# Wright, Smith, Thresher, Wang, J. Appl. Mech. 49 (1982) 197: a uniform blade on a hub without radius, the first two
# flapping frequencies by spin, in sqrt(EI / m l^4); lagging frequencies squared are less by the square of the spin
BLADE = {0: (3.5160, 22.0345), 1: (3.6816, 22.1810), 2: (4.1373, 22.6149), 3: (4.7973, 23.3203), 4: (5.5850, 24.2733),
         5: (6.4495, 25.4461), 6: (7.3604, 26.8091)}


def blade(job):
    for spin, flap in BLADE.items():
        text = ("trammel: 1\nbodies: {hub: {mass: 1, inertia: [1, 1, 1]}}\n"
                f"modal: {{blade: {{part: part.yaml, angular_velocity: [0, 0, {spin}]}}}}\njoints:\n"
                "  axle: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
                "  root: {type: fixed, frames: [hub, blade.A]}\n"
                f"  drive: {{type: motion, joint: axle, function: \"{spin}*time\"}}\n"
                f"rotating_frame: {{speed: {spin}, axis: z}}\nsimulate: {{end: 1, output_step: 1}}\n")
        try:
            out = run_model(job, {"part.yaml": BLADE_PART, "model.yaml": text}, ["linearize", "model.yaml", "--static"])[0]
            got = [float(x) for x in re.findall(r"^ *\d+ +\S+ +(\d\S*) ", out, re.M)][:4]
            want = [math.sqrt(f * f - s * s) for f in flap for s in (spin, 0)]
            # five digits in print, 1e-4 of a lagging frequency at spin 6; rotary inertia is 2e-5 of the second mode
            job.report.check("modal_blade", f"spin {spin}", "4 frequencies, relative", off(got, want), 2e-4)
        except Failed as e:
            job.report.failure("modal_blade", f"spin {spin}", e)


def disc_mesh(radial, around):
    """An annular disc of 50 and 200 mm, 10 mm thick, of C3D20R, in mm, t, N."""
    number, nodes, elements, inner = {}, [], [], []
    edge = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]

    def node(q):
        key = (round(q[0], 6), round(q[1] * around * 2) % (2 * around), round(q[2], 6))
        if key not in number:
            number[key] = len(nodes) + 1
            turn = 2 * math.pi * q[1]
            nodes.append((q[0] * math.cos(turn), q[0] * math.sin(turn), q[2]))
            if abs(q[0] - 50) < 1e-6:
                inner.append(number[key])
        return number[key]

    for i in range(radial):
        for j in range(around):
            c = [(50 + 150 * (i + a) / radial, (j + b) / around, 10.0 * d)
                 for d in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
            middle = [tuple((x + y) / 2 for x, y in zip(c[p], c[q])) for p, q in edge]
            elements.append([node(q) for q in c + middle])
    text = "*NODE\n" + "".join(f"{k + 1}, {x:.12g}, {y:.12g}, {z:.12g}\n" for k, (x, y, z) in enumerate(nodes))
    text += "*ELEMENT, TYPE=C3D20R, ELSET=ALL\n"
    for k, e in enumerate(elements):
        text += f"{k + 1}, " + ", ".join(map(str, e[:12])) + ",\n" + ", ".join(map(str, e[12:])) + "\n"
    text += "*NSET, NSET=INNER\n" + "".join(f"{n}\n" for n in inner)
    return text + ("*MATERIAL, NAME=ST\n*ELASTIC\n210000., 0.3\n*DENSITY\n7.85e-9\n"
                   "*SOLID SECTION, ELSET=ALL, MATERIAL=ST\n"), inner, nodes


def disc(job):
    """An annular disc that spins at 100 Hz: growth and hoop stress of its inner edge, plane stress."""
    mesh, inner, nodes = disc_mesh(10, 24)
    part = ("part: disc\nmesh: disc.inp\nscale: 1 mm\ninterfaces: {hub: {set: INNER, tie: average}}\nmodes: 10\n"
            "damping: 0.02\nnodes: all\nstiffening: {shapes: true}\n")
    speed, rho, nu, a, b = 200 * math.pi, 7850.0, 0.3, 0.05, 0.2
    model = (f"trammel: 1\nmodal: {{disc: {{part: part.yaml, angular_velocity: [0, 0, {speed:.15g}]}}}}\n"
             "joints: {pin: {type: revolute, frames: [ground, disc.hub]}}\n"
             f"rotating_frame: {{axis: z, speed: {speed:.15g}}}\n")
    hoop = (3 + nu) / 4 * rho * speed**2 * (b * b + (1 - nu) / (3 + nu) * a * a)
    try:
        rows = run_model(job, {"disc.inp": mesh, "part.yaml": part, "model.yaml": model}, ["statics", "model.yaml", "-o", "o.h5"],
                         ["recover", "o.h5", "--nodes", ",".join(map(str, inner)), "-o", "out.csv"])[1]
        value = dict(zip(rows[0], map(float, rows[-1])))
        stress, growth = 0.0, 0.0
        for n in inner:
            x, y = (c / math.hypot(*nodes[n - 1][:2]) for c in nodes[n - 1][:2])
            s = {c: value[f"disc.{n}.{c}"] for c in ("sxx", "syy", "sxy", "ux", "uy")}
            stress += (s["sxx"] * y * y - 2 * s["sxy"] * x * y + s["syy"] * x * x) / len(inner)
            growth += (s["ux"] * x + s["uy"] * y) / len(inner)
        # plane stress holds to the square of thickness over radius; nodal stresses of ten elements over the width
        job.report.check("modal_disc", "statics", "growth of the inner edge", abs(growth / (hoop * a / 2.1e11) - 1), 1e-3)
        job.report.check("modal_disc", "statics", "hoop stress of the inner edge", abs(stress / hoop - 1), 0.03)
    except Failed as e:
        job.report.failure("modal_disc", "statics", e)


def curved_part(b):
    """One of five pieces of a bend of 45 deg with a radius of 100 in, eight beams each."""
    at = [math.pi / 4 * (b + k / 8) / 5 for k in range(9)]
    nodes = ", ".join(f"N{k}: [{100 * math.sin(a):.12g}, {-100 * (1 - math.cos(a)):.12g}, 0]" for k, a in enumerate(at))
    members = ", ".join(f"{{nodes: [N{k}, N{k + 1}], section: bar, elements: 1}}" for k in range(8))
    return (f"part: p{b}\nbeams:\n  nodes: {{{nodes}}}\n"
            "  sections: {bar: {area: 1, Iy: 0.08333333, Iz: 0.08333333, J: 0.1406, shear: [0.8333334, 0.8333334], up: z}}\n"
            f"  members: [{members}]\nmaterial: {{young: 1e7, poisson: 0, density: 1}}\n"
            "interfaces: {a: {set: N0, tie: node}, b: {set: N8, tie: node}}\nmodes: 12\ndamping: 0.01\n")


def curved_beam(job):
    tip = 100 * math.sin(math.pi / 4), -100 * (1 - math.cos(math.pi / 4)), 0.0
    want = -23.821, 13.732, 53.610  # Sonneville, 16 elements; quoted in Chrono's unit test
    text = ("trammel: 1\nmodal: {" + ", ".join(f"b{b}: {{part: p{b}.yaml}}" for b in range(5)) + "}\njoints:\n"
            "  clamp: {type: fixed, frames: [ground, b0.a]}\n" +
            "".join(f"  j{b}: {{type: fixed, frames: [b{b - 1}.b, b{b}.a]}}\n" for b in range(1, 5)) +
            "forces: {tip: {type: force, frame: b4.b, fz: 600}}\n"
            "outputs: {x: DX(b4.b), y: DY(b4.b), z: DZ(b4.b)}\n")
    try:
        out = run_model(job, {"model.yaml": text, **{f"p{b}.yaml": curved_part(b) for b in range(5)}},
                        ["statics", "model.yaml"])[0]
        at = [float(re.search(rf"^  {c} +(\S+)", out[out.index("channels"):], re.M).group(1)) for c in "xyz"]
        error = math.dist([a - t for a, t in zip(at, tip)], want) / math.hypot(*want)
        # five linear pieces: each turns by up to a fifth of the bend within itself
        job.report.check("curved_beam", "statics", "tip under 600 lb, of its way", error, 0.01)
    except Failed as e:
        job.report.failure("curved_beam", "statics", e)


def compare(job):
    if not job.wanted("modal") and not any(job.wanted(n) for n in ("tet10_beam", "timoshenko_beam", "abaqus_rotor",
                                                                  "abaqus_block", "hex20_plate", "spin_up_beam",
                                                                  "curved_beam", "modal_blade", "modal_disc")):
        return
    job.report.section("Reduced parts",
                       "Frequencies of parts that `trammel reduce` makes, with interfaces held and free, beside those of dense "
                       "solutions, of CalculiX and of matrices that Abaqus exported. Bars, blades and discs that turn.")
    beams(job)
    timoshenko(job)
    abaqus(job)
    if job.wanted("hex20_plate"):
        plate(job)
    if job.wanted("spin_up_beam"):
        spin_up(job)
        spin_up_beside_mesh(job)
    if job.wanted("curved_beam"):
        curved_beam(job)
    if job.wanted("modal_blade"):
        blade(job)
    if job.wanted("modal_disc"):
        disc(job)
