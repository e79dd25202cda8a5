"""trammel reduce as a user sees it.

    test_reduce.py PATH-OF-TRAMMEL [unittest arguments]
"""
import json
import os
import re

from support import Case as Base, main

PART = """\
part: portal
parameters: {h: 0.8, n: 6}
beams:
  nodes: {A: [0, 0, 0], B: [0, 0, h], C: [1, 0, h], D: [1, 0, 0]}
  sections: {bar: {rectangle: [60 mm, 40 mm], up: y}, pillar: {tube: [30 mm, 4 mm]}}
  members:
    - {nodes: [A, B], section: pillar, elements: 4}
    - {nodes: [B, C], section: bar, elements: 4}
    - {nodes: [C, D], section: pillar, elements: 4}
material: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}
interfaces: {left: {set: A}, right: {set: D}}
modes: n
"""


class Reduce(Base):
    def setUp(self):
        super().setUp()
        self.part = self.write("portal.yaml", PART)

    def test_prints_and_writes(self):
        done = self.trammel("reduce", self.part, "-o", self.path("portal.h5"))
        self.assertIn("portal: 13 nodes, 78 freedoms, 12 modes", done.stdout)
        self.assertIn("note: damping is not given", done.stderr)
        mass = re.search(r"mass +(\S+)  kg; of the mesh (\S+)", done.stdout)
        self.assertEqual(mass.group(1), mass.group(2))
        self.assertEqual(len(re.findall(r"^ *\d+ +\S+ Hz", done.stdout, re.M)), 12)
        self.assertGreater(os.path.getsize(self.path("portal.h5")), 1000)

    def test_quiet_strict_set(self):
        done = self.trammel("reduce", self.part, "-q", "-o", self.path("portal.h5"), "--set", "n=2")
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        done = self.trammel("reduce", self.part, "--strict", "-o", self.path("no.h5"), status=1)
        self.assertIn("error: damping is not given", done.stderr)
        self.assertFalse(os.path.exists(self.path("no.h5")))

    def test_wrong(self):
        self.wrong("portal.yaml", "reduce", self.path("portal.yaml") + "x", status=3)
        bad = self.write("bad.yaml", PART.replace("set: D", "set: E"))
        self.wrong("bad.yaml:11", "reduce", bad)
        loose = self.write("loose.yaml", PART.replace("  members:", "  members:\n    - {nodes: [C, D], section: none}"))
        self.wrong("there is no section of this name", "reduce", loose)
        self.wrong("would be written over", "reduce", self.part, "-o", self.part)
        self.trammel("reduce", self.part, "-q", "-o", self.path("no/portal.h5"), status=3)

    def test_report(self):
        page = self.write("page.html", "<!doctype html><title>t</title><body><!--TRAMMEL-DATA--></body>")
        run = self.start("reduce", self.part, "-q", "--report", self.path("portal.html"),
                         env={**os.environ, "TRAMMEL_VIEWER": page})
        self.assertEqual((run.communicate(), run.returncode), (("", ""), 0))
        with open(self.path("portal.html")) as f:
            self.assertIn("trammel-data", f.read())
        self.wrong("must end in .html", "reduce", self.part, "--report", self.path("portal.txt"))

    def test_stresses_of_an_equilibrium(self):
        """A bar of bricks under a force along it: one row of results, from which recover tells F / A and its strains."""
        nodes = [(x, y, z) for x in (0, 1, 2) for z in (0, 0.1) for y in (0, 0.1)]
        brick = [0, 4, 5, 1, 2, 6, 7, 3]
        self.write("bar.inp", "*NODE\n" + "".join(f"{k + 1}, {x}, {y}, {z}\n" for k, (x, y, z) in enumerate(nodes)) +
                   "*ELEMENT, TYPE=C3D8I, ELSET=ALL\n" +
                   "".join(f"{e + 1}, " + ", ".join(str(4 * e + i + 1) for i in brick) + "\n" for e in range(2)))
        self.write("bar.yaml", "part: bar\nmesh: bar.inp\nmaterial: {young: 200 GPa, poisson: 0, density: 7800}\n"
                   "interfaces: {a: {box: [[0, 0, 0], [0, 1, 1]]}, b: {box: [[2, 0, 0], [2, 1, 1]]}}\n"
                   "modes: 2\ndamping: 0.01\nframe: a\n")
        model = self.write("model.yaml", "trammel: 1\nmodal: {bar: {part: bar.yaml}}\n"
                           "joints: {clamp: {type: fixed, frames: [ground, bar.a]}}\n"
                           "forces: {pull: {type: force, frame: bar.b, fx: 1e6}}\n"
                           "outputs: {x: DX(bar.b)}\n")
        out = self.path("out.h5")
        self.trammel("statics", model, "-q", "-o", out, "--csv", self.path("out.csv"))
        with open(self.path("out.csv")) as f:
            self.assertEqual(len(f.read().splitlines()), 2)
        self.trammel("recover", out, "-q", "--nodes", "all", "-o", self.path("nodes.csv"))
        with open(self.path("nodes.csv")) as f:
            head, row = (line.strip().split(",") for line in f)
        at = dict(zip(head, map(float, row)))
        self.assertEqual(len([name for name in head if name.endswith(".sxx")]), 12)
        for node in range(1, 13):
            self.assertAlmostEqual(at[f"bar.{node}.sxx"] / 1e8, 1.0, 6)  # single precision of stress modes
            self.assertAlmostEqual(at[f"bar.{node}.exx"] / 5e-4, 1.0, 6)
            self.assertAlmostEqual(at[f"bar.{node}.e1"] / 5e-4, 1.0, 6)
        self.wrong("belong to --path", "statics", model, "--path-step", "0.1")
        self.wrong("belongs to --stress-life", "recover", out, "--ultimate", "5e8")

    def test_places_of_a_frame(self):
        """A cantilever of beams under a force across it and a spring that makes it swing: fibres, their names, fatigue."""
        self.write("arm.yaml", "part: arm\nbeams:\n  nodes: {a: [0, 0, 0], b: [1, 0, 0]}\n"
                   "  sections: {bar: {area: 2e-4, Iy: 1.6e-9, Iz: 6.4e-9, J: 5e-9, up: z, reach: [10 mm, 5 mm]}}\n"
                   "  members: [{nodes: [a, b], section: bar, elements: 2}]\n"
                   "material: {young: 200 GPa, poisson: 0.3, density: 7800}\n"
                   "interfaces: {root: {set: a, tie: node}, tip: {set: b, tie: node}}\n"
                   "modes: 2\ndamping: 0.01\nframe: root\n")
        model = self.write("model.yaml", "trammel: 1\ngravity: [0, 0, 0]\nmodal: {arm: {part: arm.yaml}}\n"
                           "joints: {clamp: {type: fixed, frames: [ground, arm.root]}}\n"
                           "forces: {load: {type: force, frame: arm.tip, fz: -16*(1 + sin(40*time))}}\n"
                           "outputs: {z: DZ(arm.tip)}\nsimulate: {end: 0.6, output_step: 0.005}\n")
        out = self.path("out.h5")
        self.trammel("statics", model, "-q", "-o", out)
        table = self.trammel("recover", out, "--hottest", "3").stdout
        # M z / I = 16 * 0.005 / 1.6e-9 = 50 MPa at the root, half of it in the middle
        self.assertRegex(table, r"1 +1\.f[2-4] +5(\.0+\d*)?e\+07")
        self.assertRegex(table, r"2 +3\.e[12]\.f[2-4] +2\.5(0+\d*)?e\+07")
        self.trammel("recover", out, "-q", "--nodes", "1,2", "-o", self.path("arm.csv"))
        with open(self.path("arm.csv")) as f:
            head = f.readline().split(",")
        self.assertEqual(sum(name.endswith(".von_mises") for name in head), 16)
        self.assertIn("arm.1.f8.sxx", head)
        self.trammel("run", model, "-q", "-o", out)
        life = ("--stress-life", "1e8,1e6,5", "--hottest", "1")
        damage = lambda *more: float(self.trammel("recover", out, *life, *more).stdout.split()[-1])
        plain = damage()
        self.assertGreater(plain, 0)
        self.assertGreater(damage("--ultimate", "4e8"), damage("--ultimate", "4e8", "--mean", "gerber"))
        self.assertGreater(damage("--mean", "soderberg", "--yield", "2e8"), damage("--ultimate", "4e8"))
        self.assertNotEqual(damage("--mean", "swt"), plain)
        # a uniaxial state: principal stress, von Mises and the plane across the beam are one; signs may differ
        self.assertAlmostEqual(damage("--measure", "principal") / plain, 1, 3)  # four printed digits
        self.assertAlmostEqual(damage("--measure", "plane") / plain, 1, 3)
        self.wrong("--mean x: expected goodman", "recover", out, *life, "--mean", "x")
        self.wrong("--measure x: expected mises", "recover", out, *life, "--measure", "x")
        self.wrong("needs --yield SY", "recover", out, *life, "--mean", "soderberg")
        self.wrong("needs --ultimate SU", "recover", out, *life, "--mean", "gerber")
        self.wrong("--yield belongs to", "recover", out, *life, "--yield", "1e8")
        self.wrong("--ultimate belongs to", "recover", out, *life, "--mean", "swt", "--ultimate", "1e8")
        self.wrong("belongs to --stress-life", "recover", out, "--mean", "swt")

    def test_schema(self):
        schema = json.loads(self.trammel("schema", "part").stdout)
        self.assertEqual(schema["required"], ["part"])
        self.assertIn("interface", schema["$defs"])
        self.wrong("no schema of", "schema", "car")


if __name__ == "__main__":
    main()
