"""trammel compare and trammel bench as a user sees them.

    test_compare.py PATH-OF-TRAMMEL [unittest arguments]

Python's standard library only.
"""
import csv
import json
import os
import re
import signal
import time
import xml.etree.ElementTree

from support import PENDULUM, SOURCE, Case as Base, main

SVG = "{http://www.w3.org/2000/svg}"
MODEL = PENDULUM.replace("Pendulum", "Pendulum & <friends>") + """\
simulate: {end: 0.5, output_step: 0.01, integrator: hht, options: {alpha: -0.1}}
outputs: {angle: {value: angle(pin), unit: rad}, x: {value: DX(rod), unit: m}}
"""


class Case(Base):
    model_text = MODEL

    def compare(self, *args, status=0):
        """Rows of the CSV, as dictionaries, and what was printed."""
        done = self.trammel("compare", self.model, "--csv", self.path("out.csv"), "--repeat", "1",
                            *args, status=status)
        with open(self.path("out.csv"), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file)), done

    def names(self):
        return [n for n in self.trammel("integrators").stdout.split() if n != "auto"]


class Compare(Case):
    def test_errors_fall_with_the_tolerance(self):
        rows, done = self.compare("-i", "hht", "-t", "1e-3,1e-5,1e-7")
        self.assertEqual([float(r["tolerance"]) for r in rows], [1e-3, 1e-5, 1e-7])
        errors = [float(r["max_error"]) for r in rows]
        # second order: the error goes like tolerance^(2/3), 21 for a factor of 100
        self.assertGreater(errors[0], 5 * errors[1])
        self.assertGreater(errors[1], 5 * errors[2])
        steps = [int(r["steps"]) for r in rows]
        self.assertLess(steps[0], steps[1])
        self.assertLess(steps[1], steps[2])
        for row in rows:
            self.assertEqual(row["status"], "TML_OK")
            self.assertLessEqual(float(row["rms_error"]), float(row["max_error"]))
            self.assertGreater(float(row["cpu_seconds"]), 0.0)
            self.assertGreater(int(row["residuals"]), int(row["steps"]))
        self.assertIn("51 rows of 2 channels", done.stdout)

    def test_the_reference_is_another_method(self):
        rows, done = self.compare("-t", "1e-4")
        self.assertEqual([r["method"] for r in rows], self.names())
        for row in rows:
            self.assertNotEqual(row["reference"], row["method"])
            self.assertLess(float(row["reference_tolerance"]), 1e-5)  # a tenth of the tolerance
        self.assertIn("differ by", done.stdout)

    def test_a_reference_of_ones_own(self):
        rows, done = self.compare("-i", "hht,bdf-i3", "-t", "1e-3", "--reference", "hht:1e-8")
        self.assertNotEqual(rows[0]["reference"], "hht")
        self.assertEqual(rows[1]["reference"], "hht")
        self.assertEqual(float(rows[1]["reference_tolerance"]), 1e-8)
        rows, done = self.compare("-i", "hht", "-t", "1e-3", "--reference", "bdf-i3")
        self.assertEqual(rows[0]["reference"], "bdf-i3")
        self.assertNotIn("differ by", done.stdout)

    def test_methods_with_options(self):
        rows, _ = self.compare("-i", "hht,hht:alpha=-0.3,hht:alpha=0:degree=1", "-t", "1e-4")
        self.assertEqual([r["method"] for r in rows],
                         ["hht", "hht:alpha=-0.3", "hht:alpha=0:degree=1"])
        # each has its own damping, and so its own error
        self.assertEqual(len({r["max_error"] for r in rows}), 3)

    def test_channels_and_scale(self):
        both, _ = self.compare("-i", "hht", "-t", "1e-4")
        angle, _ = self.compare("-i", "hht", "-t", "1e-4", "--channels", "angle")
        absolute, done = self.compare("-i", "hht", "-t", "1e-4", "--channels", "angle",
                                      "--absolute")
        self.assertGreaterEqual(float(both[0]["max_error"]), float(angle[0]["max_error"]))
        ratio = float(absolute[0]["max_error"]) / float(angle[0]["max_error"])
        # the range of the angle: g L m / J_pin = 8.92 rad/s^2 at the start, over half a second
        self.assertGreater(ratio, 0.9)
        self.assertLess(ratio, 1.2)
        self.assertIn("absolute", done.stdout)

    def test_parameters_and_times(self):
        one, done = self.compare("-i", "hht", "-t", "1e-4", "--set", "L=2", "--end", "1",
                                 "--output-step", "0.1")
        self.assertIn("11 rows", done.stdout)
        two, _ = self.compare("-i", "hht", "-t", "1e-4", "--end", "1", "--output-step", "0.1")
        self.assertNotEqual(one[0]["max_error"], two[0]["max_error"])

    def test_failures_are_rows(self):
        # steps of a millisecond are too long for a tight tolerance
        self.model = self.write("bad.yaml", MODEL.replace("end: 0.5", "end: 0.5, min_step: 1e-3"))
        rows, done = self.compare("-i", "hht", "-t", "1e-3,1e-12", "--reference", "bdf-i3:1e-3")
        self.assertEqual(rows[0]["status"], "TML_OK")
        self.assertEqual(rows[1]["status"], "TML_E_STEP")
        self.assertEqual(rows[1]["max_error"], "")
        self.assertIn("the step fell to", rows[1]["message"])
        self.assertRegex(done.stdout, r"1\.0e-12 +failed: at t = ")

    def test_no_reference(self):
        bad = self.write("bad.yaml", MODEL +
                         "forces: {f: {type: torque, body: rod, tz: sqrt(0.2 - time)}}\n")
        done = self.trammel("compare", bad, "-i", "hht", "-t", "1e-3", status=1)
        self.assertIn("error: no reference run came to its end", done.stderr)

    def test_diagram(self):
        self.trammel("compare", self.model, "-i", "hht,bdf-i3", "-t", "1e-3,1e-4", "--repeat", "1",
                     "--svg", self.path("out.svg"))
        root = xml.etree.ElementTree.parse(self.path("out.svg")).getroot()
        texts = ["".join(e.itertext()) for e in root.iter(SVG + "text")]
        for text in ("Pendulum & <friends>", "hht", "bdf-i3", "CPU time, s",
                     "residual evaluations"):
            self.assertIn(text, texts)
        notes = [e.text for e in root.iter(SVG + "title")]
        self.assertEqual(len(notes), 8)  # two methods, two tolerances, two panels
        self.assertTrue(notes[0].startswith("hht, tolerance 0.001: error "), notes[0])

    def test_runs_repeat(self):
        one, _ = self.compare("-i", "hht", "-t", "1e-4")
        two, _ = self.compare("-i", "hht", "-t", "1e-4")
        for key in ("max_error", "rms_error", "steps", "residuals", "solves"):
            self.assertEqual(one[0][key], two[0][key])

    def test_wrong_command_lines(self):
        model = self.model
        self.wrong("did you mean 'hht'?", "compare", model, "-i", "hth")
        self.wrong("did you mean 'alpha'?", "compare", model, "-i", "hht:alhpa=0")
        self.wrong("KEY=VALUE", "compare", model, "-i", "hht:alpha")
        self.wrong("from -1/3 to 0", "compare", model, "-i", "hht:alpha=7")
        self.wrong("between two commas", "compare", model, "-i", "hht,,hht")
        self.wrong("'x' is not a positive number", "compare", model, "-t", "1e-3,x")
        self.wrong("'-1' is not a positive number", "compare", model, "--tols=-1")
        self.wrong("'nan' is not a positive number", "compare", model, "-t", "nan")
        self.wrong("did you mean 'angle'?", "compare", model, "-t", "1e-3", "--channels", "angel")
        self.wrong("'0' is not a positive number", "compare", model, "--reference", "hht:0")
        self.wrong("did you mean 'hht'?", "compare", model, "--reference", "hhht:1e-9")
        self.wrong("whole number", "compare", model, "--repeat", "1.5")
        self.wrong("must end in .svg", "compare", model, "--svg", self.path("out.png"))
        self.wrong("must end in .csv", "compare", model, "--csv", self.path("out.svg"))
        self.wrong("cannot create", "compare", model, "--svg", self.path("none/out.svg"), status=3)
        self.wrong("did you mean '--tols'?", "compare", model, "--tol", "1e-3")
        self.wrong("needs MODEL", "compare")

    def test_completions_know_every_option(self):
        for command in ("compare", "bench"):
            options = set(re.findall(r"--[a-z-]+", self.trammel(command, "--help").stdout))
            for name in ("trammel.bash", "_trammel"):
                with open(os.path.join(SOURCE, "completions", name), encoding="utf-8") as file:
                    text = file.read()
                for option in options:
                    self.assertIn(option, text)

    def test_interrupt_keeps_what_was_measured(self):
        process = self.start("compare", self.model, "-i", "hht", "-t", "1e-3,1e-10", "--end", "50",
                             "--output-step", "1", "--reference", "bdf-i3:1e-3", "--repeat",
                             "1000000", "--csv", self.path("out.csv"))
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("cancelled", errors)


class Bench(Case):
    def test_steps_and_errors_of_the_paper(self):
        """What 'trammel bench double_pendulum' measures, without its slow runs."""
        if "rosenbrock" not in self.names():
            self.skipTest("no rosenbrock")
        self.model = os.path.join(SOURCE, "models", "double_pendulum.yaml")
        rows, _ = self.compare("-i", "rosenbrock:norm=paper", "--channels", "theta1", "--absolute",
                               "-t", "1e-2,1e-3,1e-4,1e-5,1e-6,1e-7")
        steps = [29, 49, 85, 148, 264, 467]  # table 5 of [001]
        for row, paper in zip(rows, steps):
            # a quarter: step control of the paper is known in outline only
            self.assertLess(int(row["steps"]), 1.25 * paper)
            # the accuracy that the paper claims for its tolerances
            self.assertLess(float(row["max_error"]), 7 * float(row["tolerance"]))

    def test_list(self):
        self.assertIn("  double_pendulum ", self.trammel("bench").stdout)

    def test_wrong_command_lines(self):
        self.wrong("did you mean 'double_pendulum'?", "bench", "double-pendulum")
        self.wrong("lists them", "bench", "xyzzy")
        self.wrong("needs the NAME", "bench", "--json", self.path("out.json"))
        self.wrong("cannot create", "bench", "double_pendulum", "--json",
                   self.path("none/out.json"), status=3)
        self.wrong("where the numbers are", "bench", "--table")
        self.wrong("no results of an experiment", "bench", "--table", "--results", self.path("."))
        self.wrong("two places", "bench", "belt_drive", "--json", self.path("a.json"), "--results", self.path("."))
        self.wrong("take all experiments", "bench", "belt_drive", "--all")
        self.wrong("draws nothing", "bench", "belt_drive", "--svg", self.path("a.svg"))

    def test_machine(self):
        """A machine of the papers in its brief form: figures, JSON and the page that is made from it."""
        self.trammel("bench", "belt_drive", "--brief", "--results", self.path("."))
        with open(self.path("belt_drive.json"), encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual(found["form"], "brief")
        self.assertEqual([run["method"] for run in found["runs"]], ["hht", "bdf-i3", "bdf-i3"])
        figures = {f["figure"]: f for f in found["figures"]}
        self.assertEqual(figures["segments of the belt"]["here"], 100)
        # what the paper has of two methods: 1 % in speeds, 3 % in forces
        self.assertLess(figures["speed of the crank, hht and bdf-i3 at 1e-5, over its range"]["here"], 0.01)
        self.assertLess(figures["force in the alternator's hub, hht and bdf-i3 at 1e-5"]["here"], 0.03)
        # the crank drives: at 20 ms it has begun to; 200 rad/s is 6 m/s on the nominal radius, which contact makes smaller by 1 %
        self.assertTrue(198 < figures["speed of the alternator at the end"]["here"] < 206)
        page = self.trammel("bench", "--table", "--results", self.path(".")).stdout
        self.assertIn("## belt_drive", page)
        self.assertIn("(brief form)", page)
        self.assertIn("| segments of the belt | 100 | 100 | 100 to 100 | yes |", page)
        self.assertNotIn("## hmmwv", page)

    def test_frame(self):
        """The vehicle whose frame is a part in a file of its own, in its brief form: counts of the paper, hot spots of both methods."""
        run = self.trammel("bench", "atv", "--brief", "--results", self.path("."))
        with open(self.path("atv.json"), encoding="utf-8") as file:
            found = json.load(file)
        figures = {f["figure"]: f for f in found["figures"]}
        for name in ("moving parts beside the frame", "joints", "motions", "modes of the frame"):
            self.assertEqual(figures[name]["here"], figures[name]["paper"], name)
        # in the first 25 ms the frame takes up its load: stresses of the two methods differ by 1.3 % there
        self.assertGreaterEqual(figures["of the ten hottest nodes, those that both methods name"]["here"], 8)
        self.assertLess(figures["largest difference of their von Mises stresses"]["here"], 0.05)
        self.assertIn("Hot spots of the frame", run.stdout)

    def test_tracked_vehicle(self):
        """Counts of the paper, and the tracks' tension at rest; a limit of time stops runs and says so."""
        self.trammel("bench", "tracked_vehicle_rigid", "--brief", "--limit", "0.3", "--results", self.path("."))
        with open(self.path("tracked_vehicle_rigid.json"), encoding="utf-8") as file:
            found = json.load(file)
        figures = {f["figure"]: f for f in found["figures"]}
        self.assertEqual(figures["bodies"]["here"], 155)
        self.assertEqual(figures["degrees of freedom"]["here"], 164)
        # statics of the idler; the model starts within 0.5 % of rest
        tension = figures["tensions beside the idler over the tensioner's push, at the start"]["here"]
        self.assertTrue(0.98 < tension < 1.02)
        adams = found["runs"][0]
        self.assertLess(adams["end"], 0.01)
        # a step takes some 30 ms of CPU time at most, under sanitizers ten times that
        self.assertLess(adams["cpu_seconds"], 0.3 + 0.5)
        self.assertTrue(figures["adams over park, partitioned, 10 rad/s"]["projected"])


if __name__ == "__main__":
    main()
