"""trammel statics and trammel linearize as a user sees them.

    test_linear.py PATH-OF-TRAMMEL [unittest arguments]
"""
import csv
import json
import math

from support import PENDULUM, Case as Base, main

# Newton's method squares its error with each step: where it ends, rounding is left, of places and
# rates of size one and of forces of 20 N. JSON and CSV have all digits.
ROUNDING = 1e-12
MODEL = PENDULUM + "outputs: {angle: angle(pin), x: DX(rod)}\n"


class Case(Base):
    model_text = MODEL

    def json(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)


class Statics(Case):
    def test_equilibrium(self):
        done = self.trammel("statics", self.model, "--json", self.path("out.json"))
        self.assertIn("equilibrium  in ", done.stdout)
        out = self.json("out.json")
        self.assertAlmostEqual(out["bodies"]["rod"]["position"][1], -1.0, delta=ROUNDING)
        self.assertAlmostEqual(out["joints"]["pin"]["force"][1], 2 * 9.81, delta=20 * ROUNDING)
        self.assertAlmostEqual(out["channels"]["angle"], -math.pi / 2, delta=ROUNDING)

    def test_free_body(self):
        free = self.write("free.yaml", "trammel: 1\ngravity: [0, 0, -9.81]\n"
                                       "bodies: {brick: {type: point, mass: 1}}\n")
        done = self.trammel("statics", free, status=1)
        self.assertIn("nothing holds body 'brick' along (0, 0, -1)", done.stderr)

    def test_stability_is_told(self):
        """From beside the upright position: it hangs, and the other one is told."""
        up = self.write("upright.yaml", "trammel: 1\ngravity: [0, -9.81, 0]\n"
                        "bodies: {bar: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0, 0.5, 0],\n"
                        "               rotation: {axis: z, angle: 0.04}}}\n"
                        "joints: {pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}}\n")
        done = self.trammel("statics", self.model)
        self.assertIn("stability    stable", done.stdout)
        done = self.trammel("statics", up, "--json", self.path("out.json"))
        self.assertIn("another equilibrium is nearer to the start", done.stdout)
        out = self.json("out.json")
        self.assertEqual((out["unstable"], out["nearer"]["unstable"]), (0, 1))
        for command in (["statics"], ["linearize", "--static"]):
            done = self.trammel(*command, up, "--nearest")
            self.assertIn("unstable: 1 motion leads away from it, in 0.269 s", done.stdout)

    def test_cannot_write(self):
        self.trammel("statics", self.model, "--quiet", "--json", self.path("no/out.json"), status=3)


class Rotating(Case):
    """A bead on a spring on an arm that turns: k (r - l) = m W^2 r, softened to k / m - W^2."""

    model_text = ("trammel: 1\n"
                  "parameters: {W: 6}\n"
                  "bodies:\n"
                  "  hub: {mass: 1, inertia: [1, 1, 1]}\n"
                  "  bead: {type: point, mass: 2, position: [0.8, 0, 0]}\n"
                  "joints:\n"
                  "  pin: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
                  "  drive: {type: motion, joint: pin, function: W*time}\n"
                  "  slide: {type: point_on_line, frames: [{body: hub, rotation: {axis: y, angle: pi/2}},\n"
                  "          bead]}\n"
                  "forces:\n"
                  "  spring: {type: spring, frames: [hub, bead], stiffness: 500, free_length: 0.7}\n"
                  "rotating_frame: {speed: W}\n")

    def test_equilibrium_and_mode(self):
        done = self.trammel("statics", self.model, "--json", self.path("out.json"))
        self.assertIn("turns with (0, 0, 6) rad/s", done.stdout)
        out = self.json("out.json")
        self.assertEqual(out["spin"], [0, 0, 6])
        self.assertAlmostEqual(out["bodies"]["bead"]["position"][0], 350 / (500 - 72), delta=ROUNDING)
        done = self.trammel("linearize", self.model, "--static", "--json", self.path("out.json"))
        self.assertNotIn("note", done.stdout)
        self.assertAlmostEqual(self.json("out.json")["modes"][0]["imag"], math.sqrt(250 - 36),
                               delta=20 * ROUNDING)

    def test_other_frame(self):
        done = self.trammel("statics", self.model, "--spin", "0,0,5", status=2)
        self.assertIn("joint 'drive' (motion): motion does not turn with the frame", done.stderr)
        self.trammel("statics", self.model, "--spin", "0,0,5", "--set", "W=5")
        self.assertIn("three numbers", self.trammel("statics", self.model, "--spin", "5",
                                                    status=2).stderr)
        self.trammel("statics", self.model, "--fixed", "--json", self.path("out.json"))
        out = self.json("out.json")
        self.assertEqual(out["spin"], [0, 0, 0])
        self.assertAlmostEqual(out["bodies"]["bead"]["position"][0], 0.7, delta=ROUNDING)

    def test_bad_section(self):
        bad = self.write("bad.yaml", "trammel: 1\nrotating_frame: {axis: [0, 0, 0], speed: 3}\n")
        self.assertIn("bad.yaml:2:24: rotating_frame: axis: the vector is zero",
                      self.trammel("check", bad, status=2).stderr)
        bad = self.write("bad.yaml", "trammel: 1\nrotating_frame: {axis: z}\n")
        self.assertIn("missing key 'speed'", self.trammel("check", bad, status=2).stderr)


class Path(Case):
    """A truss of two springs that snaps through: P = 2000 y (sqrt(1.09) / sqrt(1 + y^2) - 1)."""
    model_text = """trammel: 1
parameters: {P: 0, k: 1000}
bodies: {apex: {type: point, mass: 1, position: [0, 0.3, 0]}}
joints: {guide: {type: point_on_line, frames: [{body: ground, rotation: {z: y, x: x}}, apex]}}
forces:
  left: {type: spring, frames: [{body: ground, position: [-1, 0, 0]}, apex], stiffness: k}
  right: {type: spring, frames: [{body: ground, position: [1, 0, 0]}, apex], stiffness: k}
  push: {type: force, frame: apex, fy: -P}
outputs: {y: DY(apex)}
"""

    def test_files(self):
        done = self.trammel("statics", self.model, "--path", "P=0:50", "--csv", self.path("out.csv"),
                            "-o", self.path("out.h5"), "--json", self.path("out.json"))
        self.assertIn("limit point  P = 9.9499", done.stdout)
        self.assertIn("met          2 limit points, 0 branch points", done.stdout)
        with open(self.path("out.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["length", "y", "P", "unstable", "point"])
        self.assertEqual([row["point"] for row in rows].count("1"), 2)
        for row in rows:
            y = float(row["y"])
            load = 2000 * y * (math.sqrt(1.09 / (1 + y * y)) - 1)
            # the tolerance of the path, 1e-10 of forces of 1000 N
            self.assertAlmostEqual(float(row["P"]), load, delta=1e-7)
        self.assertEqual(float(rows[-1]["P"]), 50.0)
        self.assertEqual(self.json("out.json")["channels"]["P"], 50.0)
        listed = self.trammel("plot", self.path("out.h5"), "--list").stdout
        self.assertIn("unstable", listed)

    def test_too_few_points(self):
        done = self.trammel("statics", self.model, "--path", "P=0:50", "--path-points", "5",
                            "--path-step", "0.01")
        self.assertIn("50 was not reached", done.stdout)

    def test_wrong(self):
        def refused(words, text, status=2):
            done = self.trammel("statics", self.model, *words, status=status)
            self.assertIn(text, done.stderr)
        refused(["--path", "P"], "needs NAME=FROM:TO")
        refused(["--path", "P=1:1"], "needs NAME=FROM:TO")
        refused(["--path", "P=0:x"], "needs NAME=FROM:TO")
        refused(["--path-points", "5"], "belong to --path")
        refused(["--path", "Q=0:1"], "no parameter 'Q' to follow")
        refused(["--path", "k=0:1"], "'k' moves along the path and is no number here")
        refused(["--path", "time=0:1"], "time acts on nothing")


class Linearize(Case):
    def test_equilibrium(self):
        done = self.trammel("linearize", self.model, "--static", "--set", "L=0.5", "--json",
                            self.path("out.json"), "--csv", self.path("out.csv"))
        self.assertIn("rod 100 %", done.stdout)
        self.assertNotIn("no equilibrium", done.stdout)
        mode = self.json("out.json")["modes"][0]
        want = math.sqrt(2 * 9.81 * 0.5 / (0.2 + 2 * 0.25))
        self.assertAlmostEqual(mode["imag"], want, delta=ROUNDING)
        self.assertAlmostEqual(mode["bodies"]["rod"]["energy"], 1.0, delta=ROUNDING)
        with open(self.path("out.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 1)
        self.assertEqual(float(rows[0]["imag"]), mode["imag"])

    def test_state_of_a_run(self):
        done = self.trammel("linearize", self.model, "--at", "0.3", "--partition")
        self.assertIn("about t = 0.3 s", done.stdout)
        self.assertIn("no equilibrium: speeds up to", done.stdout)

    def test_wrong_options(self):
        for args in (["--modes", "0"], ["--modes", "x"], ["--shift", "inf"], ["--shift", "1 2"]):
            self.assertIn(args[0], self.trammel("linearize", self.model, *args, status=2).stderr)

    def test_modes_as_results(self):
        done = self.trammel("linearize", self.model, "--static", "-o", self.path("modes.h5"))
        self.assertIn("stability    stable", done.stdout)
        done = self.trammel("export", self.path("modes.h5"), "rod.position.y", "--units", "-o",
                            self.path("rod.csv"))
        self.assertIn("1 rows of 1 channel in", done.stdout)
        with open(self.path("rod.csv"), encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0], ["time", "rod.position.y [m]"])
        self.assertAlmostEqual(float(rows[1][1]), -1.0, delta=ROUNDING)
        self.assertIn(".h5", self.trammel("linearize", self.model, "-o", "x.csv", status=2).stderr)

    def test_results_have_the_state_of_the_modes(self):
        """At the start, an equilibrium and inside a run: the one row is that state."""
        for args, time in (((), 0.0), (("--static",), 0.0), (("--at", "0.3"), 0.3)):
            self.trammel("linearize", self.model, *args, "-o", self.path("modes.h5"))
            self.trammel("export", self.path("modes.h5"), "rod.position.x", "rod.position.y", "-o",
                         self.path("out.csv"))
            with open(self.path("out.csv"), encoding="utf-8") as file:
                row = [float(x) for x in file.read().splitlines()[1].split(",")]
            self.assertEqual(row[0], time)
            # the rod of 1 m stays on its pin; assembly and steps keep that to rounding
            self.assertAlmostEqual(math.hypot(row[1], row[2]), 1.0, delta=1e-9)

    def test_command_file(self):
        """A pendulum about rest, as the commands before the first request leave it."""
        self.write("arm.adm", "a pendulum with a damper\n"
                   "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
                   "ACCGRAV/JGRAV=-9.81\nPART/1, GROUND\nMARKER/1, PART=1\n"
                   "PART/2, MASS=1, CM=20, IP=0.1, 0.1, 0.1\nMARKER/20, PART=2, QP=1, 0, 0\n"
                   "MARKER/21, PART=2\nJOINT/1, REVOLUTE, I=21, J=1\n"
                   "SFORCE/1, ROTATIONAL, I=21, J=1, FUNCTION=-0.5*WZ(21,1)\nEND\n")
        for text in ("SIM/DYN, END=0.1, DTOUT=0.1\nSIM/STATIC\nSFORCE/1, FUNCTION=0\nLINEAR/EIG\n"
                     "SIM/DYN, END=9, DTOUT=1\n", "SFORCE/1, FUNCTION=0\nSIM/STATIC\n"):
            commands = self.write("go.acf", "arm\nout\n" + text + "STOP\n")
            self.trammel("linearize", commands, "--json", self.path("out.json"))
            mode = self.json("out.json")["modes"][0]
            self.assertAlmostEqual(mode["real"], 0, delta=ROUNDING)
            self.assertAlmostEqual(mode["imag"], math.sqrt(9.81 / 1.1), delta=ROUNDING)
        self.assertIn("--at", self.trammel("linearize", commands, "--at", "1", status=2).stderr)

    def test_over_a_parameter(self):
        """A damper c - p: the oscillation grows from p = c on; a table, the crossing, three files."""
        model = self.write("grow.yaml", "trammel: 1\nparameters: {p: 0, c: 1.25}\n"
                           "bodies: {m: {type: point, mass: 2}}\nforces:\n"
                           "  f: {type: force, body: m, fx: -8*DX(m) - (c - p)*VX(m), fy: -DY(m) - VY(m), fz: -DZ(m) - VZ(m)}\n")
        done = self.trammel("linearize", model, "--over", "p=0:3:4", "--critical", "--csv",
                            self.path("out.csv"), "--json", self.path("out.json"), "--svg", self.path("out.svg"))
        self.assertIn("critical     p = 1.25: an oscillation of 0.318309886 Hz becomes unstable", done.stdout)
        out = self.json("out.json")
        self.assertEqual([point["unstable"] for point in out["points"]], [0, 0, 2, 2])
        self.assertAlmostEqual(out["crossings"][0]["value"], 1.25, delta=1e-10)  # stops at 1e-11 of the range
        with open(self.path("out.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 4 * 3)
        with open(self.path("out.svg"), encoding="utf-8") as file:
            self.assertIn("Root locus", file.read())
        done = self.trammel("linearize", model, "--over", "p=0:1:3", "--critical", "--set", "c=9")
        self.assertIn("critical     none between the ends", done.stdout)
        done = self.trammel("linearize", model, "--over", "p=0:1", "--quiet")
        self.assertEqual(done.stdout, "")

    def test_wrong_sweeps(self):
        def refused(args, text):
            self.assertIn(text, self.trammel("linearize", self.model, *args, status=2).stderr)
        refused(["--over", "L"], "needs NAME=FROM:TO:N")
        refused(["--over", "L=1:1:5"], "needs NAME=FROM:TO:N")
        refused(["--over", "L=1:2:1"], "needs NAME=FROM:TO:N")
        refused(["--over", "no=1:2:3"], "no parameter 'no'")
        refused(["--critical"], "belong to --over")
        refused(["--over", "L=1:2:3", "-o", "x.h5"], "use --csv, --json and --svg")
        refused(["--over", "L=1:2:3", "--csv", self.model], "model")

    def test_negative_shift(self):
        self.trammel("linearize", self.model, "--shift", "-3", "--modes", "1")


if __name__ == "__main__":
    main()
