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


def run_model(job, files, command):
    """Standard output of a command on model.yaml, beside other files; what it wrote to out.csv."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            with open(os.path.join(folder, name), "w") as f:
                f.write(text)
        run = subprocess.run([os.path.abspath(job.engine.path), *command], capture_output=True, text=True,
                             cwd=folder)
        if run.returncode != 0:
            raise Failed(run.stderr.strip())
        out = os.path.join(folder, "out.csv")
        return run.stdout, rows_of(out) if os.path.exists(out) else []


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
                                                                  "curved_beam")):
        return
    job.report.section("Reduced parts",
                       "Frequencies of parts that `trammel reduce` makes, with interfaces held and free, beside those of dense "
                       "solutions, of CalculiX and of matrices that Abaqus exported.")
    beams(job)
    timoshenko(job)
    abaqus(job)
    if job.wanted("hex20_plate"):
        plate(job)
    if job.wanted("spin_up_beam"):
        spin_up(job)
    if job.wanted("curved_beam"):
        curved_beam(job)
