#!/usr/bin/env python3
"""trammel fit and trammel optimize from outside: files, kills and resuming, failures, wrong input, pages."""
import csv
import json
import math
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TRAMMEL = os.path.abspath(sys.argv.pop(1))

MODEL = """trammel: 1
title: Rod on a pin
parameters: {L: 1.2, m: 3, c: 2}
gravity: [0, -9.81, 0]
bodies: {rod: {mass: m, inertia: [0.01, m*L^2/12, m*L^2/12], position: [L/2, 0, 0]}}
joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}}
forces: {damper: {type: rotational_spring, joint: pin, damping: c}}
outputs:
  angle: {value: angle(pin), unit: rad}
  load: {value: reaction(pin).fm, unit: N}
simulate: {end: 1, output_step: 0.02}
"""

FIT = """fit: Rod from a camera
model: rod.yaml
parameters:
  L: {from: 0.5, to: 2}
  c: {from: 0}
measurements:
  - {file: one.csv, columns: {angle: phi}, to: 0.9}
  - {file: two.csv, given: {m: 6}}
"""

OPTIMIZE = """optimize: Least load
model: rod.yaml
parameters: {L: {from: 0.9, to: 1.4}, c: {from: 0.5, to: 6}}
responses:
  load: {take: max}
  last: {of: angle, take: end}
minimize: load
constraints: {last: {max: -1.2}}
"""


class Search(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name, text in (("rod.yaml", MODEL), ("fit.yaml", FIT), ("optimize.yaml", OPTIMIZE)):
            (self.folder / name).write_text(text)
        numbers = random.Random(4)
        for name, m, column in (("one.csv", 3, "phi"), ("two.csv", 6, "angle")):
            self.call("run", "rod.yaml", "--set", "L=1.1", "--set", "c=1.7", "--set", f"m={m}", "--tol", "1e-9", "--csv", "r.csv", "-q")
            with open(self.folder / name, "w") as to:
                to.write(f"time,{column}\n")
                for r in self.rows("r.csv"):
                    to.write(f"{r['time']},{float(r['angle']) + numbers.gauss(0, 0.005)}\n")

    def call(self, *arguments, status=0):
        result = subprocess.run([TRAMMEL, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def json(self, name):
        """The results, without what depends on the machine."""
        r = json.loads((self.folder / name).read_text())
        for e in r["evaluations"]:
            del e["seconds"]
        return r

    def test_fit(self):
        said = self.call("fit", "fit.yaml", "--csv", "fit.csv", "--report", "fit.html")
        self.assertIn("of 2 measurements", said)
        r = self.json("fit-fit.json")
        for p, truth in zip(r["parameters"], (1.1, 1.7)):
            self.assertLess(abs(p["value"] - truth), 4 * p["deviation"])  # four deviations: one of 16000 is farther off
            self.assertLess(p["deviation"], 0.02 * truth)
        rows = self.rows("fit.csv")
        self.assertEqual(len(rows), 46 + 51)  # times up to 0.9 s, and all
        left = [float(q["angle"]) - float(q["angle.fitted"]) for q in rows]
        self.assertLess(abs(math.sqrt(sum(x * x for x in left) / len(left)) / 0.005 - 1), 0.25)  # 97 values: 7 % is one deviation
        page = (self.folder / "fit.html").read_text()
        self.assertEqual(json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])["kind"], "fit")
        self.assertFalse((self.folder / "fit-fit.json.evaluations").exists())

    def test_optimize(self):
        said = self.call("optimize", "optimize.yaml", "--csv", "o.csv", "--report", "o.html")
        self.assertIn("slsqp, then cobyla: converged", said)
        other = self.call("optimize", "optimize.yaml", "--method", "cobyla", "-o", "other.json")
        self.assertIn("cobyla: converged", other)
        a, b = self.json("optimize-optimum.json"), self.json("other.json")
        # both stop when steps are 1e-5 of the ranges; the load changes by some 50 N over these
        self.assertLess(abs(a["objective"] - b["objective"]), 1e-2)
        self.assertTrue(a["feasible"] and b["feasible"])
        self.assertEqual(len(self.rows("o.csv")), len(a["evaluations"]))

    def test_killed_and_resumed(self):
        for command, file, out in (("fit", "fit.yaml", "fit-fit.json"), ("optimize", "optimize.yaml", "optimize-optimum.json")):
            with self.subTest(command=command):
                self.call(command, file, "-q")
                whole = self.json(out)
                os.remove(self.folder / out)
                kept = 0
                for wait in (0.05, 0.1, 0.2, 0.3):
                    p = subprocess.Popen([TRAMMEL, command, file, "-q", "--resume"], cwd=self.folder)
                    time.sleep(wait)
                    p.kill()
                    p.wait()
                    journal = self.folder / (out + ".evaluations")
                    kept = journal.stat().st_size if journal.exists() else kept
                if (self.folder / (out + ".evaluations")).exists() and kept > 0:
                    self.assertIn("--resume", self.call(command, file, status=2))
                self.call(command, file, "-q", "--resume")
                self.assertEqual(self.json(out), whole)

    def test_a_torn_journal(self):
        p = subprocess.Popen([TRAMMEL, "optimize", "optimize.yaml", "-q", "--method", "isres"], cwd=self.folder)
        journal = self.folder / "optimize-optimum.json.evaluations"
        while p.poll() is None and not (journal.exists() and journal.stat().st_size > 2000):
            time.sleep(0.01)
        p.send_signal(signal.SIGINT)
        self.assertEqual(p.wait(), 1)
        self.assertTrue((self.folder / "optimize-optimum.json").exists())  # the best so far
        with open(journal, "r+b") as file:
            file.truncate(journal.stat().st_size - 7)
        said = self.call("optimize", "optimize.yaml", "--resume", "--method", "isres", "--evaluations", "2000", status=2)
        self.assertIn("another search", said)  # the number of evaluations is one of its settings
        self.call("optimize", "optimize.yaml", "--restart", "--method", "cobyla")
        self.assertFalse(journal.exists())

    def test_wrong_input(self):
        def fails(text, message, status=2, file="fit.yaml", command="fit"):
            (self.folder / file).write_text(text)
            said = self.call(command, file, status=status)
            self.assertIn(message, said)

        fails(FIT.replace("L: {", "l: {"), "did you mean 'L'?")
        fails(FIT.replace("angle: phi", "angle: psi"), "'one.csv' has no column 'psi'")
        fails(FIT.replace("angle: phi", "angel: phi"), "did you mean 'angle'?")
        fails(FIT.replace("one.csv", "none.csv"), "none.csv", status=3)
        fails(FIT.replace(", to: 0.9", ", from: 5"), "no rows that count")
        fails(FIT.replace("{m: 6}", "{L: 6}"), "given and free")
        fails(FIT.replace("model: rod.yaml", ""), "missing key 'model'")
        fails(OPTIMIZE, "is for 'trammel optimize'")
        fails(FIT, "is for 'trammel fit'", file="optimize.yaml", command="optimize")
        (self.folder / "one.csv").write_text("time,phi\n0,1\n0,2\n")
        fails(FIT, "times must increase")
        (self.folder / "one.csv").write_text("time,phi\n0.1,1\n0.2,2\n")
        (self.folder / "fit.yaml").write_text(FIT)
        self.assertIn("description itself", self.call("fit", "fit.yaml", "--csv", "fit.yaml", status=2))
        self.assertIn("must end in .html", self.call("fit", "fit.yaml", "--report", "fit.yaml", status=2))
        self.assertEqual((self.folder / "fit.yaml").read_text(), FIT)

    def test_a_start_that_fails(self):
        (self.folder / "optimize.yaml").write_text(OPTIMIZE.replace("c: {from: 0.5, to: 6}", "c: {from: 0.5, to: 6}, m: {from: -1, to: 3, start: -1}"))
        self.assertIn("the first run, with the parameters of the start", self.call("optimize", "optimize.yaml", status=2))


if __name__ == "__main__":
    unittest.main()
