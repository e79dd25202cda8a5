"""Commands of trammel for the tests of robustness, with the files that they read and write.

A Command tells the arguments, and for each file that it writes what must hold of it: "whole" files
are there as they should be or as they were before; "rows" grow, and may end early when the command
fails. `scratch` files need not be looked at, but must not stay behind.
"""
import os
import re
import shutil
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

MODEL = """\
trammel: 1
title: Arm
include: part.yaml
gravity: [0, -g, 0]
bodies:
  arm:
    mass: 2
    inertia: [0.01, 0.2, 0.2]
    position: [L, 0, 0]
    shape: {mesh: {file: arm.stl}}
flexible:
  strip: {type: beam2d, line: [[0, 1, 0], [1, 1, 0]], elements: 2, start: {clamp: ground},
          material: {E: 1e7, density: 1000, damping: 1e-3}, section: {height: 0.05, width: 0.05}}
splines:
  push: {file: push.txt}
joints:
  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: z}
forces:
  motor: {type: torque, body: arm, tz: "cubspl(time, 0, push) - 20*AZ(arm) - 5*WZ(arm)"}
outputs: {angle: {value: AZ(arm), unit: rad}, height: DY(arm)}
simulate: {end: 0.05, output_step: 0.01}
"""
PART = "parameters: {L: 1, g: 9.81}\n"
PUSH = "0 0\n0.01 2\n0.02 3\n0.05 3\n1 0\n"
FAILS = """\
trammel: 1
include: part.yaml
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
forces: {f: {type: force, body: b, fx: "sqrt(0.02 - time)*g"}}
outputs: {x: DX(b)}
simulate: {end: 0.05, output_step: 0.01}
"""
RAIL = """\
trammel: 1
bodies: {set: {mass: 1000, inertia: [500, 100, 500], position: [0, 0, 0.46]}}
profiles: {wheel: {file: cone.txt}, rail: {arcs: [[-0.03, -0.0046], [0.03, -0.0046, 0.1]]}}
tracks: {line: {rail: rail, rail_base: 1.5}}
forces:
  l: {type: rail_wheel, bodies: [ground, set], at: [0, 0.75, 0.46], axis: y, track: line, side: left, profile: wheel, radius: 0.46}
  r: {type: rail_wheel, bodies: [ground, set], at: [0, -0.75, 0.46], axis: y, track: line, side: right, profile: wheel, radius: 0.46}
"""
CONE = "-0.06 -0.006\n0.06 0.006\n"
STL = """solid a
facet normal 0 0 1
outer loop
vertex -1 0 0
vertex 1 0 0
vertex 0 0.1 0
endloop
endfacet
endsolid a
"""


# a finite-element part that is reduced
PORTAL = """\
part: portal
beams:
  nodes: {A: [0, 0, 0], B: [0, 0, 1], C: [1, 0, 1]}
  sections: {bar: {rectangle: [60 mm, 40 mm], up: y}}
  members: [{nodes: [A, B, C], section: bar, elements: 2}]
material: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}
interfaces: {left: {set: A}, right: {set: C}}
modes: 2
damping: 0.01
"""


# two runs of a study, each in a process of its own
STUDY = "study: Lengths\nmodel: arm.yaml\ndesign: list\ntable: cases.csv\n"
CASES = "L\n1\n1.5\n"
ARM = """\
trammel: 1
parameters: {L: 1}
gravity: [0, -9.81, 0]
bodies: {arm: {mass: 1, inertia: [1, 1, 1], position: [L, 0, 0]}}
joints: {pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: z}}
outputs: {angle: {value: angle(pin), unit: rad}}
simulate: {end: 0.05, output_step: 0.01}
"""
FIT = "fit: Length\nmodel: arm.yaml\nparameters: {L: {from: 0.5, to: 2}}\nmeasurements: [measured.csv]\n"
MEASURED = "time,angle\n0.02,-0.0009\n0.04,-0.0038\n"
OPTIMIZE = """\
optimize: Length
model: arm.yaml
parameters: {L: {from: 0.5, to: 2}}
responses: {angle: {take: end}}
minimize: angle
"""
# a modal body on its left foot, whose stresses are recovered
STANDING = """\
trammel: 1
gravity: [0, 0, -9.81]
modal: {frame: {part: portal.h5}}
joints: {foot: {type: fixed, frames: [ground, frame.left]}}
simulate: {end: 0.002, output_step: 0.001}
"""


class Command:
    def __init__(self, name, arguments, whole=(), rows=(), changes=(), status=0, errors=True, kept=()):
        self.name, self.arguments = name, arguments.split()
        self.whole, self.rows = list(whole), list(rows)
        self.changes = list(changes)  # inputs that it changes
        self.status = status  # of an undisturbed run
        self.errors = errors  # it tells what went wrong
        self.kept = list(kept)  # may stay behind, for the same command to go on with


COMMANDS = [
    Command("run", "run model.yaml -o out.h5", rows=["out.h5"]),
    Command("run_files", "run model.yaml -o out.h5 --csv out.csv --summary out.json "
            "--report out.html", whole=["out.json", "out.html"], rows=["out.h5", "out.csv"]),
    Command("run_report", "run model.yaml --report out.html", whole=["out.html"]),
    Command("run_dump", "run fails.yaml -i hht --dump out.json", whole=["out.json"], status=1),
    Command("run_replay", "run dump.json -o out.h5", rows=["out.h5"], status=1),
    Command("run_commands", "run drive.acf -o out.h5 --csv out.csv", rows=["out.h5", "out.csv"]),
    Command("run_routines", "run user.adm --user-library adams_user.so -e 0.1 -o out.h5",
            rows=["out.h5"]),
    Command("check", "check model.yaml"),
    Command("check_dataset", "check drive.adm"),
    Command("help", "help revolute"),
    Command("help_list", "help"),
    Command("schema", "schema"),
    Command("integrators", "integrators"),
    Command("version", "--version"),
    Command("bench", "bench"),
    Command("repair", "repair killed.h5", changes=["killed.h5"]),
    Command("compare", "compare model.yaml -e 0.01 -i hht,radau -t 1e-3 --repeat 1 --csv out.csv --svg "
            "out.svg --report out.html", whole=["out.csv", "out.svg", "out.html"]),
    Command("linearize", "linearize model.yaml --json out.json --csv out.csv -o out.h5 --report "
            "out.html", whole=["out.json", "out.csv", "out.html"], rows=["out.h5"]),
    Command("linearize_over", "linearize model.yaml --over g=9:10:3 --csv out.csv --json out.json --svg out.svg",
            whole=["out.csv", "out.json", "out.svg"]),
    Command("rail", "rail rail.yaml --step 1e-3 --csv out.csv --json out.json --svg out.svg",
            whole=["out.csv", "out.json", "out.svg"]),
    Command("linearize_report", "linearize model.yaml --report out.html", whole=["out.html"]),
    Command("linearize_commands", "linearize drive.acf --json out.json", whole=["out.json"]),
    Command("statics", "statics model.yaml --json out.json", whole=["out.json"]),
    Command("statics_path", "statics model.yaml --path g=9:10 --csv out.csv -o out.h5",
            rows=["out.csv", "out.h5"]),
    Command("export", "export results.h5 -o out.csv", whole=["out.csv"]),
    Command("export_list", "export results.h5 --list"),
    Command("export_killed", "export killed.h5 -o out.csv", whole=["out.csv"]),
    Command("export_vtk", "export results.h5 --vtk out", whole=["out/results.pvd"]),
    Command("convert", "convert model.yaml out.yaml", whole=["out.yaml"]),
    Command("convert_print", "convert drive.adm"),
    Command("reduce", "reduce portal.yaml -q -o out.h5", whole=["out.h5"]),
    Command("plot_svg", "plot results.h5 angle -o out.svg", whole=["out.svg"]),
    Command("plot_png", "plot table.csv angle -o out.png", whole=["out.png"]),
    Command("sweep", "sweep study.yaml -j 1 -o out.h5 --csv out.csv --report out.html",
            whole=["out.h5", "out.csv", "out.html"], kept=["out.h5.runs"]),
    Command("fit", "fit fit.yaml -o out.json --csv out.csv --report out.html",
            whole=["out.json", "out.csv", "out.html"], kept=["out.json.evaluations"]),
    Command("optimize", "optimize optimize.yaml -o out.json --csv out.csv --report out.html",
            whole=["out.json", "out.csv", "out.html"], kept=["out.json.evaluations"]),
    Command("statistics", "statistics results.h5 angle --json out.json", whole=["out.json"]),
    Command("recover", "recover standing.h5 -o out.csv --peaks peaks.csv", whole=["out.csv", "peaks.csv"]),
    Command("run_checkpoint", "run arm.yaml --checkpoint out.chk -o out.h5", rows=["out.h5"], kept=["out.chk"]),
    Command("report", "report results.h5 -o out.html", whole=["out.html"]),
    Command("report_two", "report results.h5 killed.h5 -o out.html", whole=["out.html"]),
]

WATCH = Command("watch", "watch results.h5 --no-open -q")


class Inputs:
    """The files that the commands read, made once."""

    def __init__(self, trammel, fault, folder):
        self.trammel, self.fault, self.folder = trammel, fault, folder
        os.makedirs(folder, exist_ok=True)
        for name, text in (("model.yaml", MODEL), ("part.yaml", PART), ("push.txt", PUSH),
                           ("fails.yaml", FAILS), ("rail.yaml", RAIL), ("cone.txt", CONE), ("arm.stl", STL), ("portal.yaml", PORTAL),
                           ("study.yaml", STUDY), ("cases.csv", CASES), ("fit.yaml", FIT), ("optimize.yaml", OPTIMIZE), ("measured.csv", MEASURED), ("arm.yaml", ARM), ("standing.yaml", STANDING)):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        for name in ("drive.acf", "drive.adm"):
            shutil.copy(os.path.join(SOURCE, "tests/data/commands", name), folder)
        shutil.copy(os.path.join(SOURCE, "examples/adams/user.adm"), folder)
        library = os.path.join(os.path.dirname(trammel), "examples", "adams_user.so")
        if os.path.exists(library):
            shutil.copy(library, folder)
        self.run("run", "model.yaml", "-o", "results.h5", "--csv", "table.csv")
        self.run("reduce", "portal.yaml", "-q", "-o", "portal.h5")
        self.run("run", "standing.yaml", "-o", "standing.h5")
        self.run("run", "fails.yaml", "-i", "hht", "--dump", "dump.json", status=1)
        self.make_killed()
        self.names = sorted(os.listdir(folder))

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *arguments, status=0):
        done = subprocess.run([self.trammel, *arguments], cwd=self.folder, capture_output=True,
                              text=True, check=False, timeout=60)
        if done.returncode != status:
            raise RuntimeError(f"trammel {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done

    def make_killed(self):
        """The results of a run that was killed in the midst of the last commit: half of its writes
        in place are done."""
        log = self.path("log")
        arguments = [self.trammel, "run", "model.yaml", "-o", "killed.h5"]
        subprocess.run([self.fault, "--log", log, "--", *arguments], cwd=self.folder, check=True,
                       capture_output=True)
        with open(log, encoding="utf-8") as file:
            names = [line.split()[1] for line in file]
        last = [k for k, name in enumerate(names) if name == "ftruncate"]
        at = (last[-2] + last[-1]) // 2 + 1
        while names[at - 1] != "pwrite64":
            at += 1
        subprocess.run([self.fault, "--at", str(at), "--kill", "--", *arguments],
                       cwd=self.folder, check=False, capture_output=True)
        os.remove(log)


def prepare(fault):
    """Ends the script with 77 where processes cannot be traced."""
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"  # which needs to trace them itself
    if subprocess.run([fault, "--", "true"], check=False, capture_output=True).returncode != 0:
        print("skipped: processes cannot be traced here")
        sys.exit(77)


def numbers_out(text):
    """Times differ from run to run: numbers and the room before them do not count."""
    text = re.sub(r"[-+]?\b(\d+\.?\d*([eE][-+]?\d+)?|inf|nan)\b", "#", text)
    text = re.sub(r"[ \t]+", " ", text)
    return re.sub(r", # (B|kB|MB)\n", "\n", text)  # told only where the system tells it
