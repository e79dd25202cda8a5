"""Every command under valgrind: memory that is freed, foreign or not set must not be read, in any library.

    test_memcheck.py PATH-OF-TRAMMEL [unittest arguments]

The address sanitizer sees the code it compiled; valgrind sees that of HDF5, LAPACK and the others, too, and bytes without
a value that are written to files. Memory that nothing points to any more at the end is an error as well.
Each class is a ctest entry of its own, so that they run beside each other.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

from support import SOURCE, Case, main

VALGRIND = shutil.which("valgrind")
FAULT = 99  # exit status when valgrind has found something

# A bit of everything: a table, an included file, a mesh, a flexible body, a delay, an event, friction, a redundant joint.
MODEL = """\
trammel: 1
title: A bit of everything
include: part.yaml
gravity: [0, -9.81, 0]
splines: {s: {file: table.csv}}
bodies:
  rod: {mass: m, inertia: [0.01, 0.2, 0.2], position: [1, 0, 0], shape: {mesh: {file: body.obj}}}
  door: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 3]}
flexible:
  beam: {type: beam2d, line: [[0, -3, 0], [1, -3, 0]], elements: 2, material: {E: 1e7, nu: 0.3, density: 1000},
         section: {height: 0.1, width: 0.1}, start: {clamp: ground}}
joints:
  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}
  hinge: {type: revolute, bodies: [ground, door], at: [0, 0, 3], axis: z}
  second: {type: revolute, bodies: [ground, door], at: [0, 0, 4], axis: z}
forces:
  spring: {type: rotational_spring, joint: pin, stiffness: 3, damping: 0.1}
  load: {type: torque, body: rod, tz: "0.1*spline(time, s) - 0.1*delay(late)"}
  rub: {type: friction, joint: hinge, static: 0.2, dynamic: 0.1, radius: 0.1}
delays: {late: {value: angle(pin), time: tau}}
states: {x: {rate: -x, initial: 1}}
events: {hit: {when: time, value: 0.015, set: {x: 2}}}
outputs: {angle: {value: angle(pin), unit: rad}, x: x}
simulate: {end: 0.02, output_step: 0.01, tolerance: 1e-2}
"""
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n"


# a frame of beams, with spiders of one node, stiffening and a loaded node
PART = """\
part: portal
parameters: {n: 2}
beams:
  nodes: {A: [0, 0, 0], B: [0, 0, 1], C: [1, 0, 1]}
  sections: {bar: {rectangle: [60 mm, 40 mm], up: y}}
  members: [{nodes: [A, B, C], section: bar, elements: 2}]
material: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}
interfaces: {left: {set: A}, right: {set: C}}
modes: n
keep: {corner: {node: 2, load: true}}
stiffening: {loads: {weight: {acceleration: [0, 0, -9.81], held: left}}}
"""


class Memcheck(Case):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.write("part.yaml", "parameters: {m: 2, tau: 0.005}\n")
        self.write("table.csv", "0, 0\n1, 2\n3, 4\n4, 4\n")
        self.write("body.obj", OBJ)
        self.rich = self.write("model.yaml", MODEL)

    def valgrind(self, log):
        return [VALGRIND, "-q", "--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite",
                f"--error-exitcode={FAULT}", f"--log-file={log}", "--num-callers=24",
                f"--suppressions={SOURCE}/tests/valgrind.supp", self.command]

    def check_log(self, args):
        with open(self.path("log"), encoding="utf-8", errors="replace") as file:
            found = file.read()
        self.assertEqual(found, "", args)

    def clean(self, *args, status=0):
        """trammel does its work and valgrind has nothing to say."""
        done = subprocess.run([*self.valgrind(self.path("log")), *args], capture_output=True, text=True, timeout=300,
                              cwd=self.folder.name, check=False)
        self.check_log(args)
        self.assertEqual(done.returncode, status, f"{args}\n{done.stdout}{done.stderr}")
        return done.stdout

    def start_clean(self, *args):
        run = subprocess.Popen([*self.valgrind(self.path("log")), *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, cwd=self.folder.name)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        return run

    def results(self):
        """A result file, of a run without valgrind."""
        self.trammel("run", self.rich, "-o", self.path("out.h5"), "-q")
        return self.path("out.h5")


class Runs(Memcheck):
    def test_s63_all_outputs(self):
        self.clean("run", self.rich, "-o", "out.h5", "--csv", "out.csv", "--summary", "out.json", "--stats")

    def test_report_of_a_run(self):
        os.environ["TRAMMEL_VIEWER"] = self.write("page.html", "<body><!--TRAMMEL-DATA--></body>")
        self.addCleanup(os.environ.pop, "TRAMMEL_VIEWER")
        self.clean("run", self.model, "-e", "0.1", "--report", "out.html", "--check-error")

    def test_a_failed_run_and_its_repetition(self):
        model = self.write("fails.yaml", self.model_text +
                           "forces: {f: {type: torque, body: rod, tz: sqrt(0.05 - time)}}\nsimulate: {end: 0.1}\n")
        self.clean("run", model, "-o", "out.h5", "--dump", "dump.json", status=1)
        self.clean("run", "dump.json", status=1)

    def test_given_motions(self):
        arm = os.path.join(SOURCE, "models/studies/arm.yaml")
        drives = ["--motion", "shoulder=0.5*sin(2*time)", "--motion", "elbow=table.csv:1"]
        self.write("table.csv", "time,1\n0,0\n0.1,0.1\n0.2,0.1\n0.3,0\n")
        self.clean("kinematics", arm, *drives, "-e", "0.2", "--output-step", "0.1", "-o", "out.h5", "--csv", "out.csv")
        self.clean("inverse", arm, *drives, "-e", "0.2", "--output-step", "0.1", "--summary", "out.json")
        self.clean("kinematics", arm, "--grid", "shoulder=-1:1:2", "--grid", "elbow=0:2:2", "--csv", "space.csv")
        self.clean("kinematics", arm, "--motion", "shoulder=time", status=2)

    def test_wrong_models(self):
        folder = os.path.join(SOURCE, "tests", "data", "broken")
        for name in ("alias_bomb", "body_unknown_key", "deep"):
            self.clean("run", os.path.join(folder, name + ".yaml"), status=2)

    def test_a_cancelled_run(self):
        run = self.start_clean("run", self.model, "-e", "1e6", "-o", "out.h5")
        for _ in range(12000):  # a busy machine takes its time under valgrind
            if os.path.exists(self.path("out.h5")):
                break
            time.sleep(0.01)
        run.send_signal(signal.SIGTERM)
        run.communicate()
        self.check_log("cancelled")
        self.assertEqual(run.returncode, 1)


class Methods(Memcheck):
    def test_every_integrator(self):
        listed = self.trammel("integrators").stdout
        names = re.findall(r"^([a-z][a-z0-9-]*)", listed, re.MULTILINE)
        self.assertGreater(len(names), 8, listed)
        for name in names:
            if name != "auto":
                self.clean("run", self.model, "-i", name, "-e", "0.01", "--output-step", "0.01", "-q")


class Models(Memcheck):
    def test_check(self):
        self.clean("check", self.rich, "-v")

    def test_statics(self):
        self.clean("statics", self.model, "--json", "out.json")

    def test_path(self):
        self.clean("statics", os.path.join(SOURCE, "models/statics/toggle.yaml"), "--path", "P=0:400", "--path-points", "4", "--csv", "out.csv",
                   "-o", "out.h5", "--json", "out.json")

    def test_linearize(self):
        self.clean("linearize", self.model, "--static", "--json", "out.json", "--csv", "out.csv", "-o", "out.h5")

    def test_linearize_by_arpack(self):
        self.clean("linearize", self.rich, "-k", "2", "--at", "0.001", "--set", "tau=0")

    def test_compare(self):
        self.clean("compare", self.model, "-i", "hht,radau", "-t", "1e-3,1e-4", "-e", "0.05", "--repeat", "1", "--csv",
                   "out.csv", "--svg", "out.svg")

    def test_convert(self):
        self.clean("convert", self.rich, "out.yaml")
        self.clean("check", "out.yaml")

    def test_reduce(self):
        part = self.write("portal.yaml", PART)
        self.clean("reduce", part, "-o", "out.h5")
        self.clean("reduce", part, "-q", "--set", "n=3")

    def test_recover(self):
        model = os.path.join(SOURCE, "models", "modal", "bell_crank.yaml")
        self.clean("run", model, "--end", "0.001", "-o", "crank.h5")
        self.clean("recover", "crank.h5", "--hottest", "3", "-o", "hot.csv")

    def test_sweep(self):
        model = self.write("pin.yaml", """trammel: 1
parameters: {L: 1}
bodies: {rod: {mass: 1, inertia: [1, 1, 1], position: [L, 0, 0]}}
joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}}
outputs: {angle: angle(pin)}
simulate: {end: 0.02}
""")
        self.clean("sweep", model, "--set", "L=1:2:3", "-j", "1", "-o", "s.h5", "--csv", "s.csv", "--report", "s.html")

    def test_searches(self):
        model = self.write("pin.yaml", """trammel: 1
parameters: {L: 1}
gravity: [0, -9.81, 0]
bodies: {rod: {mass: 1, inertia: [1, 1, 1], position: [L, 0, 0]}}
joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}}
outputs: {angle: angle(pin)}
simulate: {end: 0.2, output_step: 0.1}
""")
        self.write("measured.csv", "time,angle\n0.1,-0.024\n0.2,-0.097\n")
        self.write("fit.yaml", f"fit: a\nmodel: {model}\nparameters: {{L: {{from: 0.5, to: 2}}}}\nmeasurements: [measured.csv]\n")
        self.clean("fit", "fit.yaml", "--csv", "out.csv", "-o", "out.json", "--report", "fit.html")
        self.write("best.yaml", f"optimize: a\nmodel: {model}\nparameters: {{L: {{from: 0.5, to: 2}}}}\n"
                   "responses: {low: {of: angle, take: min}}\nmaximize: low\n")
        self.clean("optimize", "best.yaml", "-o", "out.json", "--report", "best.html")

    def test_rail(self):
        model = os.path.join(SOURCE, "models", "rail", "klingel.yaml")
        self.clean("rail", model, "--step", "2e-3", "--csv", "out.csv", "--json", "out.json", "--svg", "out.svg")

    def test_words(self):
        self.clean("help", "revolute")
        self.clean("help")
        self.clean("schema")
        self.clean("integrators")
        self.clean("bench")
        self.clean("--version")


class Files(Memcheck):
    def setUp(self):
        super().setUp()
        os.environ["TRAMMEL_VIEWER"] = self.write("page.html", "<body><!--TRAMMEL-DATA--></body>")
        self.addCleanup(os.environ.pop, "TRAMMEL_VIEWER")

    def test_report(self):
        results = self.results()
        self.clean("report", results)
        self.clean("report", results, results, "-o", "two.html")

    def test_plot(self):
        results = self.results()
        self.clean("plot", results, "angle", "x", "-o", "out.svg")
        self.clean("plot", results, "--list")

    def test_statistics(self):
        self.clean("statistics", self.results(), "angle", "--json", "out.json")

    def test_plot_png(self):
        self.clean("plot", self.results(), "angle", "-o", "out.png")

    def test_export(self):
        results = self.results()
        self.clean("export", results, "-o", "out.csv")
        self.clean("export", results, "--vtk", "folder")
        self.clean("plot", "out.csv", "angle", "-o", "out.svg")

    def test_repair(self):
        run = self.start("run", self.model, "-e", "1e6", "-o", self.path("torn.h5"))
        time.sleep(0.3)
        run.kill()
        run.communicate()
        shutil.copy(self.path("torn.h5"), self.path("torn2.h5"))
        self.clean("plot", "torn2.h5", "--list")
        self.clean("repair", "torn.h5")
        self.clean("repair", "torn.h5")

    def test_watch(self):
        watch = self.start_clean("watch", self.results(), "--no-open")
        address = watch.stdout.readline().strip()
        for path in ("", "data?from=0", "data?from=2"):
            with urllib.request.urlopen(address + path, timeout=60) as answer:
                self.assertEqual(answer.status, 200)
                answer.read()
        watch.send_signal(signal.SIGTERM)
        watch.communicate()
        self.check_log("watch")


class Datasets(Memcheck):
    def test_dataset(self):
        data = os.path.join(SOURCE, "tests/data/adams/fe_part.adm")
        self.clean("check", data)
        self.clean("convert", data, "out.yaml")
        self.clean("run", data, "-e", "0.001", "-o", "out.h5")

    def test_commands(self):
        shutil.copy(os.path.join(SOURCE, "tests/data/adams/spring.adm"), self.path("spring.adm"))
        commands = self.write("go.acf", "spring\nout\nSIM/DYN, END=0.02, STEPS=2\nLINEAR/EIGENSOL\nSIM/DYN, END=0.04, STEPS=2\n"
                                        "STOP\n")
        self.clean("run", commands, "-o", "out.h5")
        self.clean("linearize", commands)

    def test_user_library(self):
        library = os.path.join(os.path.dirname(self.command), "examples", "adams_user.so")
        data = os.path.join(SOURCE, "examples/adams/user.adm")
        self.clean("run", data, "--user-library", library, "-e", "0.002", "--output-step", "0.001", "-o", "out.h5")


class Coverage(Case):
    def test_every_command_is_here(self):
        """A new command must be among the runs above."""
        with open(__file__, encoding="utf-8") as file:
            text = file.read()
        commands = re.findall(r"^  ([a-z]+)", self.trammel("--help").stdout, re.MULTILINE)
        self.assertGreater(len(commands), 14)
        for command in commands:
            self.assertRegex(text, rf'clean\("{command}"', command)


if __name__ == "__main__":
    if VALGRIND is None:
        print("valgrind is not installed")
        sys.exit(77)
    main()
