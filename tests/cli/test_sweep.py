#!/usr/bin/env python3
"""trammel sweep from outside: the same numbers for any number of processes, also under MPI; failures, kills, resuming."""
import csv
import json
import os
import pathlib
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
simulate: {end: 0.5, output_step: 0.05}
"""

STUDY = """study: Who decides
model: rod.yaml
design: indices
samples: 16
parameters:
  c: {from: 0.5, to: 4}
  L: {from: 900 mm, to: 1.4 m}
responses:
  top: {of: load, take: max}
  last: {of: angle, take: end}
keep: [angle]
"""


class Sweep(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "rod.yaml").write_text(MODEL)
        (self.folder / "study.yaml").write_text(STUDY)

    def run_it(self, *arguments, status=0, before=()):
        result = subprocess.run([*before, TRAMMEL, "sweep", *arguments], cwd=self.folder, capture_output=True, text=True,
                                timeout=300)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def text(self, name):
        return (self.folder / name).read_text()

    def test_a_grid_on_the_command_line(self):
        said = self.run_it("rod.yaml", "--set", "c=0.5:2:3", "--set", "m=1,4", "--set", "L=1 m", "--csv", "a.csv")
        self.assertIn("6 (grid) over 2 parameters, 0 failed", said)
        rows = self.rows("a.csv")
        self.assertEqual([(float(r["c"]), float(r["m"])) for r in rows],
                         [(c, m) for c in (0.5, 1.25, 2.0) for m in (1.0, 4.0)])
        one = subprocess.run([TRAMMEL, "run", "rod.yaml", "--set", "c=1.25", "--set", "m=4", "--set", "L=1", "--csv",
                              "one.csv", "-q"], cwd=self.folder)
        self.assertEqual(one.returncode, 0)
        alone = [float(r["angle"]) for r in self.rows("one.csv")]
        self.assertEqual(float(rows[3]["angle.end"]), alone[-1])  # the same run, bit for bit
        self.assertEqual(float(rows[3]["angle.min"]), min(alone))
        self.assertTrue((self.folder / "rod-study.h5").exists())
        self.assertFalse((self.folder / "rod-study.h5.runs").exists())

    def test_runs_with_other_fixed_values_are_those_of_another_study(self):
        """A value that --set gives to all runs is part of what decides about results."""
        grid = ("rod.yaml", "--set", "c=0.5:2:400", "-j", "1", "-o", "s.h5", "-q")
        begun = subprocess.Popen([TRAMMEL, "sweep", *grid, "--set", "m=1"], cwd=self.folder)
        records = self.folder / "s.h5.runs"
        while begun.poll() is None and not (records.exists() and records.stat().st_size > 0):
            time.sleep(0.001)
        begun.kill()
        begun.wait()
        if not records.exists():  # it was faster than the kill
            return
        for _ in range(100):  # its worker, which ends with it, may hold the file for a moment
            done = subprocess.run([TRAMMEL, "sweep", *grid, "--set", "m=2", "--resume"], cwd=self.folder, capture_output=True, text=True)
            if "another process" not in done.stderr:
                break
            time.sleep(0.1)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("another study", done.stderr)

    def test_reports_of_runs(self):
        """The page links to a report of each run; also of one that fails to start there is none, and a warning."""
        self.run_it("rod.yaml", "--set", "m=1,-1,3", "--report", "page.html", "--reports", "-j", "2")
        data = json.loads(re.search(r'id="study">(.*?)</script>', self.text("page.html"), re.S)[1])
        self.assertEqual(data["reports"], "page-runs")
        names = sorted(p.name for p in (self.folder / "page-runs").iterdir())
        self.assertEqual(names, ["run-1.html", "run-3.html"])
        self.assertIn("--report OUT.html", self.run_it("rod.yaml", "--set", "m=1,3", "--reports", status=2))

    def test_the_same_for_any_number_of_processes(self):
        for jobs in ("1", "2", "7"):
            self.run_it("study.yaml", "-j", jobs, "-o", f"s{jobs}.h5", "--csv", f"s{jobs}.csv", "-q")
        self.assertEqual(self.text("s1.csv"), self.text("s2.csv"))
        self.assertEqual(self.text("s1.csv"), self.text("s7.csv"))
        self.assertEqual(len(self.rows("s1.csv")), 16 * 4)

    def test_mpi(self):
        if shutil.which("mpirun") is None or not pathlib.Path(TRAMMEL).with_name("libtrammel_mpi.so").exists():
            self.skipTest("no MPI")
        self.run_it("study.yaml", "-j", "1", "--csv", "a.csv", "-q")
        for n in ("2", "4"):
            before = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", n]
            self.run_it("study.yaml", "-o", f"m{n}.h5", "--csv", f"m{n}.csv", "-q", before=before)
            self.assertEqual(self.text("a.csv"), self.text(f"m{n}.csv"))
        self.run_it("rod.yaml", "--set", "q=1:2:3", before=before, status=2)  # ends, and does not wait for ever

    def test_a_page_with_its_data(self):
        self.run_it("study.yaml", "--report", "page.html", "-q")
        page = self.text("page.html")
        data = json.loads(re.search(r'<script type="application/json" id="study">(.*?)</script>', page, re.S).group(1))
        self.assertEqual(data["total"], 64)
        self.assertEqual([p["name"] for p in data["parameters"]], ["c", "L"])
        self.assertEqual(len(data["runs"]), 64)
        self.assertEqual(len(data["histories"]), 1)
        self.assertEqual(len(data["histories"][0]["rows"][0]), 11)
        self.assertEqual(len(data["effects"]), 2)

    def test_a_failing_run_is_recorded(self):
        said = self.run_it("rod.yaml", "--set", "m=1,-1,2", "--csv", "a.csv")
        self.assertIn("run 2 failed", said)
        self.assertIn("1 failed", said)
        self.assertEqual([r["status"] for r in self.rows("a.csv")], ["done", "failed", "done"])
        self.assertIn("mass", self.rows("a.csv")[1]["message"])
        self.run_it("rod.yaml", "--set", "m=-1,-2", status=1)  # nothing but failures

    def slow(self):
        """A study of runs that take a while each."""
        self.run_it("rod.yaml", "--set", "c=0.5:2:40", "--csv", "straight.csv", "-e", "40", "-q", "-o", "straight.h5")
        return subprocess.Popen([TRAMMEL, "sweep", "rod.yaml", "--set", "c=0.5:2:40", "-e", "40", "-q", "-o", "s.h5",
                                 "-j", "2"], cwd=self.folder, stderr=subprocess.PIPE, text=True)

    def begun(self, study, least=1):
        for _ in range(3000):
            path = self.folder / "s.h5.runs"
            if path.exists() and path.stat().st_size > 500 * least or study.poll() is not None:
                return
            time.sleep(0.01)

    def test_a_killed_study_goes_on(self):
        for how in (signal.SIGKILL, signal.SIGINT):
            study = self.slow()
            self.begun(study)
            study.send_signal(how)
            study.communicate()
            if study.returncode == 0:
                continue  # it was faster
            self.assertTrue((self.folder / "s.h5.runs").exists())
            said = self.run_it("rod.yaml", "--set", "c=0.5:2:40", "-e", "40", "-o", "s.h5", status=2)
            self.assertIn("--resume", said)
            said = self.run_it("rod.yaml", "--set", "c=0.5:2:41", "-e", "40", "-o", "s.h5", "--resume", status=2)
            self.assertIn("another study", said)
            self.run_it("rod.yaml", "--set", "c=0.5:2:40", "-e", "40", "-o", "s.h5", "--resume", "--csv", "s.csv", "-q")
            self.assertEqual(self.text("straight.csv"), self.text("s.csv"))

    def test_a_killed_worker_loses_its_run_only(self):
        study = self.slow()
        self.begun(study)
        children = subprocess.run(["pgrep", "-P", str(study.pid)], capture_output=True, text=True).stdout.split()
        for child in children[:1]:
            os.kill(int(child), signal.SIGKILL)
        study.communicate()
        self.assertEqual(study.returncode, 0)
        out = subprocess.run([TRAMMEL, "sweep", "rod.yaml", "--set", "c=0.5:2:40", "-n"], cwd=self.folder,
                             capture_output=True, text=True).stdout
        self.assertEqual(len(out.splitlines()), 41)

    def test_tables(self):
        (self.folder / "t.csv").write_text("run,c,m\n1,0.5,3\n2, 2.5 ,4\n\n")
        (self.folder / "t.yaml").write_text("study: t\nmodel: rod.yaml\ntable: t.csv\nresponses: {load: {}}\n")
        self.run_it("t.yaml", "--csv", "a.csv", "-q")
        self.assertEqual([float(r["m"]) for r in self.rows("a.csv")], [3, 4])
        for text, what in (("c\n1\nx\n", "t.csv:3: expected a number, got 'x'"), ("c,m\n1\n", "t.csv:2: 1 cells"),
                           ("c\n1,2\n", "t.csv:2: more cells"), ("", "0 runs"), ("c\n", "0 runs")):
            (self.folder / "t.csv").write_text(text)
            said = self.run_it("t.yaml", status=2)
            if text:
                self.assertIn(what, said)

    def test_a_file_that_cannot_be_read_is_told(self):
        """It is neither a study nor a model that lacks ranges."""
        self.assertIn("No such file", self.run_it("missing.yaml", status=3))
        os.mkfifo(self.folder / "pipe")
        self.assertIn("not a plain file", self.run_it("pipe", status=3))

    def test_bad_input(self):
        for arguments, what in (
                (["rod.yaml"], "nothing changes"),
                (["rod.yaml", "--set", "q=1:2:3"], "no parameter 'q'"),
                (["rod.yaml", "--set", "c=1:2"], "FROM:TO:COUNT"),
                (["rod.yaml", "--set", "c=1:2:3:cubic"], "FROM:TO:COUNT"),
                (["rod.yaml", "--set", "c=-1:1:3:log"], "log"),
                (["rod.yaml", "--set", "c=1:2:0"], "1 or more"),
                (["rod.yaml", "--set", "c=1:2:100000000"], "runs"),
                (["rod.yaml", "--set", "c=1,2", "-o", "out.csv"], ".h5"),
                (["rod.yaml", "--set", "c=1,2", "--report", "out.txt"], ".html"),
                (["rod.yaml", "--set", "c=1,2", "--csv", "rod.yaml"], "rod.yaml"),
                (["rod.yaml", "--set", "c=1,2", "-i", "hhtt"], "hht"),
                (["study.yaml", "--set", "c=1,2"], "is a study"),
                (["none.yaml", "--set", "c=1,2"], "none.yaml"),
                (["rod.yaml", "--set", "c=1,2", "--resume", "--restart"], "exclude")):
            said = self.run_it(*arguments, status=1 if "hhtt" in arguments else 3 if "none.yaml" in arguments else 2)
            self.assertIn(what, said)
        for change, what in (("design: indices", "design: indicies"), ("of: load", "of: laod"),
                             ("model: rod.yaml", "modle: rod.yaml"), ("take: max", "take: most"),
                             ("samples: 16", "samples: 0"), ("keep: [angle]", "keep: [angel]"),
                             ("{from: 0.5, to: 4}", "{from: 0.5}"), ("{from: 0.5, to: 4}", "{mean: 1}")):
            (self.folder / "bad.yaml").write_text(STUDY.replace(change, what))
            said = self.run_it("bad.yaml", status=2)
            self.assertRegex(said, r"bad\.yaml:\d+")


if __name__ == "__main__":
    unittest.main()
