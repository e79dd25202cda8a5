"""trammel reduce as a user sees it.

    test_reduce.py PATH-OF-TRAMMEL [unittest arguments]
"""
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


if __name__ == "__main__":
    main()
