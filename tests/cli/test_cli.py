"""The command line as a user sees it: exit status, messages, files, signals.

    test_cli.py PATH-OF-TRAMMEL [unittest arguments]

Python's standard library only.
"""
import csv
import json
import math
import os
import pty
import re
import select
import signal
import subprocess
import time

from support import PENDULUM, SOURCE, Case as Base, main

MODEL = PENDULUM + """\
simulate: {end: 1, output_step: 0.01}
outputs: {angle: angle(pin), x: DX(rod)}
"""


class Case(Base):
    model_text = MODEL


class StandsStill(Case):
    model_text = """\
trammel: 1
gravity: -y
bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints:
  p: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: z}
  q: {type: revolute, bodies: [ground, b], at: [0, 0, 1], axis: [0, 0.1, 1]}
simulate: {end: 1}
"""

    def test_rounding_is_no_missing_energy(self):
        """A mechanism without freedom is told; its 1e-281 J are not."""
        done = self.trammel("run", self.model)
        self.assertIn("body 'b' cannot move", done.stderr)
        self.assertNotIn("energy", done.stderr)


class Commands(Case):
    def test_version_and_help(self):
        self.assertRegex(self.trammel("--version").stdout, r"^trammel \d+\.\d+\.\d+\n$")
        overview = self.trammel("--help").stdout
        for name in ("run", "check", "help", "schema", "repair", "integrators"):
            self.assertIn(f"  {name} ", overview)
            self.assertIn(f"usage: trammel {name}", self.trammel(name, "--help").stdout)
            self.assertIn(f"usage: trammel {name}", self.trammel("help", name).stdout)

    def test_no_command_is_wrong(self):
        self.assertIn("usage:", self.trammel(status=2).stderr)

    def test_topics(self):
        topics = self.trammel("help", "--list").stdout.split()
        for name in ("revolute", "spring", "hht"):
            self.assertIn(name, topics)
        self.assertIn("rotation", self.trammel("help", "revolute").stdout)
        self.assertIn("revolute", self.trammel("help", "revolut", status=2).stderr)

    def test_every_topic_has_a_text(self):
        for topic in self.trammel("help", "--list").stdout.split():
            self.assertTrue(self.trammel("help", topic).stdout.strip(), topic)

    def test_schema_is_json(self):
        self.assertIn("properties", json.loads(self.trammel("schema").stdout))

    def test_integrators(self):
        names = self.trammel("integrators").stdout.split()
        self.assertIn("hht", names)
        self.assertEqual(names[0], "auto")

    def test_the_method_chosen_and_why(self):
        why = "dop853: the model is smooth and not stiff"
        summary = self.path("s.json")
        done = self.trammel("run", self.model, "--summary", summary)
        self.assertRegex(done.stdout, r"\n  chosen +" + why)
        with open(summary) as f:
            self.assertIn(why, json.load(f)["choice"])
        self.assertIn("\nintegrator: " + why, self.trammel("check", self.model).stdout)
        done = self.trammel("run", self.model, "--integrator", "hht", "--summary", summary)
        self.assertNotIn("chosen", done.stdout)

    def test_check(self):
        text = self.trammel("check", self.model).stdout
        self.assertRegex(text, r"bodies: 1\n  rod +rigid")
        self.assertRegex(text, r"pin +revolute +5 rows +ground - rod")
        self.assertIn("degrees of freedom: 1 ", text)

    def test_check_tells_what_nothing_holds(self):
        # a corner, and a spring between its own ends, hold a body to nothing
        text = ("trammel: 1\n"
                "flexible: {b: {type: beam, polyline: [[0, 0, 0], [1, 0, 0], [1, 1, 0]],"
                " elements: [2, 2], material: {E: 1e9, density: 1000},"
                " section: {height: 0.05, width: 0.1}%s}}\n"
                "forces: {s: {type: spring, frames: [b.start, b.end], stiffness: 10}}\n")
        warning = "warning: no joint and no force holds flexible body 'b'"
        for more, told in (("", True), (", start: {pin: ground}", False)):
            done = self.trammel("check", self.write("loose.yaml", text % more))
            self.assertEqual(warning in done.stdout + done.stderr, told)

    def test_completions_know_every_option(self):
        options = set(re.findall(r"--[a-z-]+", self.trammel("run", "--help").stdout))
        for name in ("trammel.bash", "_trammel"):
            with open(os.path.join(SOURCE, "completions", name), encoding="utf-8") as file:
                text = file.read()
            for option in options:
                self.assertIn(option, text)


class WrongCommandLines(Case):
    def test_unknown_command(self):
        self.wrong("did you mean 'run'?", "rnu")

    def test_options(self):
        model = self.model
        self.wrong("did you mean '--tol'?", "run", model, "--tole", "1")
        self.wrong("'--tol' needs a value", "run", model, "--tol")
        self.wrong("'--tol' needs a value", "run", model, "--tol", "--end", "1")
        self.wrong("positive number, not 'nan'", "run", model, "--tol", "nan")
        self.wrong("positive number, not '1e999'", "run", model, "--end=1e999")
        self.wrong("positive number, not '-1'", "run", model, "--end", "-1")
        self.wrong("positive number, not '1x'", "run", model, "--step", "1x")
        self.wrong("needs NAME=VALUE, not 'L'", "run", model, "--set", "L")
        self.wrong("unknown parameter 'two'", "run", model, "--set", "L=two")
        self.wrong("parameter 'L': ", "run", model, "--set", "L=2 mmm")
        self.wrong("takes no value", "run", model, "--quiet=yes")
        self.wrong("needs MODEL", "run")
        self.wrong("one argument too many", "run", model, model)

    def test_values_that_the_library_checks(self):
        self.wrong("hht", "run", self.model, "--integrator", "hth")
        self.wrong("alpha", "run", self.model, "--option", "alpah=-0.3")
        self.wrong("alpha", "run", self.model, "--option", "alpha=7")
        self.wrong("'LL'", "run", self.model, "--set", "LL=2")
        self.wrong("must end in .h5 or .hdf5", "run", self.model, "-o", self.path("out.txt"))
        self.wrong("--csv writes channels", "run", self.model, "-o", self.path("out.csv"))
        self.wrong("must end in .csv", "run", self.model, "--csv", self.path("out.h5"))
        self.wrong("did you mean '--tol'?", "run", self.model, "--tolerance", "1e-6")

    def test_threads(self):
        """Any number of threads has the same rows, to the last digit; what is no number of threads is told."""
        rope = self.write("rope.yaml", """\
trammel: 1
gravity: [0, -9.81, 0]
flexible:
  rope: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: 140, start: {pin: ground},
         material: {E: 1e7, density: 1000}, section: {radius: 5e-3}}
outputs: {x: DX(rope.end), y: DY(rope.end)}
simulate: {end: 0.01, output_step: 0.005}
""")
        texts = []
        for n in ("1", "3"):
            table = self.path(f"rope{n}.csv")
            self.trammel("run", rope, "--threads", n, "--csv", table, "-q")
            with open(table, encoding="utf-8") as file:
                texts.append(file.read())
        self.assertEqual(*texts)
        self.wrong("needs a whole number, not 1.5", "run", rope, "--threads", "1.5")
        self.wrong("threads is 1000", "run", rope, "--threads", "1000")
        self.wrong("needs a positive number", "run", rope, "--threads", "0")

    def test_values_with_units(self):
        table = self.path("units.csv")
        for value, x in (("250 cm", 2.5), ("m*2", 4.0), ("2.5", 2.5)):
            self.trammel("run", self.model, "--csv", table, "--end", "0.1", "--set", "L=" + value,
                         "--quiet")
            with open(table, newline="", encoding="utf-8") as file:
                self.assertEqual(float(list(csv.reader(file))[1][2]), x)
        self.wrong("expected m, got a mass (kg)", "run", self.model, "--set", "L=3 kg")

    def test_fixed_steps_that_are_too_long(self):
        for method in (["adams", "--option", "coordinates=absolute"], ["hht"], ["radau"], ["bdf-i3"]):
            done = self.trammel("run", self.model, "--end", "5", "--step", "0.7", "-i", *method,
                                status=1)
            self.assertRegex(done.stderr, "step .* is too long")
            self.assertIn("--step", done.stderr)
        # joint coordinates have nothing to solve, so that no iteration fails: the energy tells
        done = self.trammel("run", self.model, "--end", "5", "--step", "0.7", "-i", "adams")
        self.assertIn("the motion is wrong", done.stderr)

    def test_strict(self):
        rough = self.write("rough.yaml", MODEL + "\nforces: {d: {type: rotational_spring, joint: pin, damping: -0.1}}\n")
        done = self.trammel("run", rough, "--end", "0.1")
        self.assertIn("warning: ", done.stderr)
        self.assertIn("damping is negative, -0.1 N m s/rad", done.stderr)
        for command in ("run", "check", "statics", "linearize"):
            self.wrong("damping is negative", command, rough, "--strict")
        stuck = self.write("stuck.yaml", MODEL.replace("simulate:", "  two: {type: revolute, bodies: "
                           "[ground, rod], at: [0, 0, 1], axis: [0.1, 0, 1]}\nsimulate:"))
        self.assertIn("warning: body 'rod' cannot move: the joints 'pin', 'two'",
                      self.trammel("run", stuck).stderr)
        for command in ("run", "check", "statics", "linearize"):
            done = self.trammel(command, stuck, "--strict", status=1)
            self.assertIn("body 'rod' cannot move", done.stderr)

    def test_the_model_is_not_overwritten(self):
        self.wrong("would be overwritten", "run", self.model, "--summary", self.model)
        with open(self.model, encoding="utf-8") as file:
            self.assertEqual(file.read(), MODEL)

    def test_wrong_model(self):
        bad = self.write("bad.yaml", MODEL.replace("mass: m", "mass: -1")
                         .replace("type: revolute", "type: revolut"))
        done = self.trammel("run", bad, "--summary", self.path("s.json"), status=2)
        self.assertRegex(done.stderr, r"bad\.yaml:6:\d+: ")
        self.assertRegex(done.stderr, r"bad\.yaml:8:\d+: .*revolute")
        with open(self.path("s.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["status"], "TML_E_MODEL")

    def test_files(self):
        for args in (["run", self.path("none.yaml")],
                     ["run", self.model, "-o", self.path("none/out.h5")],
                     ["run", self.model, "--csv", self.path("none/out.csv")],
                     ["run", self.model, "--summary", self.path("none/out.json")],
                     ["repair", self.path("none.h5")],
                     ["repair", self.model]):
            done = self.trammel(*args, status=3)
            self.assertTrue(done.stderr.startswith("error: "), done.stderr)
            self.assertIn(os.path.basename(args[-1]), done.stderr)


class Runs(Case):
    def test_files_of_a_run(self):
        out, table, summary = self.path("out.h5"), self.path("out.csv"), self.path("out.json")
        text = self.trammel("run", self.model, "-o", out, "--csv", table, "--summary", summary,
                            "--tol", "1e-6", "--stats").stdout
        for words in ("Pendulum", "simulated", "steps", "violation", "energy", out, table, summary):
            self.assertIn(words, text)
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0], ["time", "angle", "x"])
        self.assertEqual(len(rows), 102)
        # x = L cos(angle) holds in every row; 1e-6 is the tolerance of the run
        for row in rows[1:]:
            self.assertAlmostEqual(float(row[2]), math.cos(float(row[1])), delta=1e-6)
        with open(summary, encoding="utf-8") as file:
            data = json.load(file)
        self.assertEqual(data["status"], "TML_OK")
        self.assertEqual(data["exit"], 0)
        self.assertEqual(data["tolerance"], 1e-6)
        self.assertEqual(data["statistics"]["degrees_of_freedom"], 1)
        self.assertGreater(data["statistics"]["steps"], 0)
        with open(out, "rb") as file:
            self.assertEqual(file.read(4), b"\x89HDF")
        self.assertFalse(os.path.exists(out + ".new"))

    def test_options_change_the_run(self):
        table = self.path("out.csv")
        self.trammel("run", self.model, "--csv", table, "--end", "0.5", "--output-step", "0.1",
                     "--set", "L=2", "--quiet")
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(len(rows), 7)
        self.assertEqual([float(x) for x in rows[1]], [0.0, 0.0, 2.0])
        self.assertEqual(float(rows[-1][0]), 0.5)

    def test_statistics_of_a_channel(self):
        """A tone of 5 Hz about 100 passes a low pass at 20 Hz, one of 60 Hz does not; the window is one of places."""
        lines = ["time,f,x"]
        for k in range(4001):
            t = k/1000
            lines.append(f"{t},{100 + 30*math.sin(10*math.pi*t) + 8*math.sin(120*math.pi*t)},{50*t}")
        table = self.write("tones.csv", "\n".join(lines) + "\n")
        out = self.path("s.json")
        done = self.trammel("statistics", table, "f", "--low-pass", "20", "--along", "x", "--from", "50", "--to", "149.99",
                            "--every", "50", "--level", "65", "--json", out)
        self.assertIn("low pass 20 Hz", done.stdout)
        with open(out, encoding="utf-8") as file:
            got = json.load(file)
        self.assertEqual(got["rows"], 2000)
        self.assertEqual(len(got["pieces"]), 2)
        gain = 1/(1 + (math.tan(0.005*math.pi)/math.tan(0.02*math.pi))**8)
        rest = 1/(1 + (math.tan(0.06*math.pi)/math.tan(0.02*math.pi))**8)
        want = math.sqrt((30*gain)**2/2 + (8*rest)**2/2)
        self.assertAlmostEqual(got["mean"], 100, 6)  # whole periods
        self.assertAlmostEqual(got["deviation"], want, 6)
        self.assertAlmostEqual(got["statistical_max"], 100 + 3*want, 5)
        for piece in got["pieces"]:  # a row between two pieces belongs to the second
            self.assertEqual(piece["rows"], 1000)
            self.assertAlmostEqual(piece["deviation"], want, 6)
        self.assertGreater(got["loss_percent"], 0)  # counted on the raw values: 100 - 38 < 65
        self.assertIn("at equal distances", self.trammel("statistics", self.write("u.csv", "time,f\n0,1\n1,2\n3,4\n"), "f",
                                                         "--low-pass", "0.1", status=2).stderr)
        self.assertIn("unknown", self.trammel("statistics", table, "g", status=2).stderr)
        self.assertIn("no rows", self.trammel("statistics", table, "f", "--from", "7", status=2).stderr)

    def test_two_runs_are_equal(self):
        texts = []
        for name in ("a.csv", "b.csv"):
            self.trammel("run", self.model, "--csv", self.path(name), "-q")
            with open(self.path(name), "rb") as file:
                texts.append(file.read())
        self.assertEqual(texts[0], texts[1])

    def test_quiet_is_quiet(self):
        done = self.trammel("run", self.model, "-q")
        self.assertEqual(done.stdout + done.stderr, "")

    def test_a_failed_run_is_kept(self):
        # from t = 0.5 s on the torque has no value
        bad = self.write("bad.yaml", MODEL +
                         "forces: {f: {type: torque, body: rod, tz: sqrt(0.5 - time)}}\n")
        done = self.trammel("run", bad, "--csv", self.path("o.csv"), "--summary",
                            self.path("o.json"), "-o", self.path("o.h5"), status=1)
        self.assertIn("error: ", done.stderr)
        with open(self.path("o.json"), encoding="utf-8") as file:
            data = json.load(file)
        self.assertEqual(data["exit"], 1)
        self.assertIn(data["message"].splitlines()[0], done.stderr)
        with open(self.path("o.csv"), encoding="utf-8") as file:
            rows = file.read().splitlines()
        self.assertGreater(len(rows), 40)
        self.assertLess(len(rows), 54)
        self.assertIn("rows: ", self.trammel("repair", self.path("o.h5")).stdout)


    def summary(self):
        with open(self.path("s.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_outputs_that_are_not_finite(self):
        bad = self.write("nan.yaml", PENDULUM + "simulate: {end: 1, output_step: 0.1}\n"
                         "outputs: {x: DX(rod), ratio: VX(rod)/VY(rod)}\n")
        done = self.trammel("run", bad, "--summary", self.path("s.json"), "--csv",
                            self.path("o.csv"))
        self.assertIn("warning: output 'ratio' is not finite (not a number) at t = 0 s",
                      done.stderr)
        self.assertIn("output 'ratio' in 1 of 11 rows, first at t = 0 s", done.stdout)
        self.assertEqual(self.summary()["not_finite"],
                         [{"channel": "ratio", "rows": 1, "first_time": 0}])
        done = self.trammel("run", bad, "--strict", "-q", "--summary", self.path("s.json"),
                            status=1)
        self.assertIn("error: output 'ratio' is not finite in 1 of 11 rows", done.stderr)
        self.assertEqual(self.summary()["status"], "TML_E_NONFINITE")
        self.trammel("run", self.model, "--summary", self.path("s.json"), "--strict")
        self.assertEqual(self.summary()["not_finite"], [])

    def test_check_error(self):
        done = self.trammel("run", self.model, "-i", "hht", "--tol", "1e-5", "--check-error",
                            "--end", "10", "--summary", self.path("s.json"))
        self.assertIn("against radau at 1e-08", done.stdout)
        error = self.summary()["global_error"]
        self.assertEqual([x.get("channel", x.get("body")) for x in error["items"]],
                         ["angle", "x", "rod"])
        self.assertEqual(len(error["by_time"]), 100)
        self.assertEqual(error["rows"], 1001)
        self.assertEqual(error["relative"], max(x["relative"] for x in error["items"]))
        self.assertEqual(error["exceeds"], error["relative"] > error["suggested"])
        self.assertEqual(error["exceeds"], "warning: " in done.stderr)
        # the same from two runs
        paths = [self.path("a.csv"), self.path("b.csv")]
        self.trammel("run", self.model, "-i", "hht", "--tol", "1e-5", "--end", "10", "-q",
                     "--csv", paths[0])
        self.trammel("run", self.model, "-i", "radau", "--tol", "1e-8", "--end", "10", "-q",
                     "--csv", paths[1])
        tables = []
        for path in paths:
            with open(path, newline="", encoding="utf-8") as file:
                tables.append([[float(x) for x in row] for row in list(csv.reader(file))[1:]])
        off = max(abs(a[1] - b[1]) for a, b in zip(*tables))
        # CSV holds all digits; only the order of sums differs
        self.assertAlmostEqual(error["items"][0]["difference"], off, delta=1e-9 * off)
        self.trammel("run", self.model, "--summary", self.path("s.json"))
        self.assertNotIn("global_error", self.summary())

    def test_check_error_of_flexible_bodies_and_delays(self):
        for more in ("flexible: {rod: {type: beam2d, line: [[0, 0, 0], [0.4, 0, 0]], elements: 2,"
                     " material: {E: 1e7, nu: 0.3, density: 1000},"
                     " section: {height: 0.04, width: 0.04}, start: {pin: ground}}}\n",
                     "bodies: {p: {type: point, mass: 1}}\n"
                     "states: {x: {rate: -2*delay(late), initial: 1}}\n"
                     "delays: {late: {value: x, time: 0.2}}\n"
                     "outputs: {x: x}\n"):
            model = self.write("more.yaml", "trammel: 1\ngravity: [0, -9.81, 0]\n" + more +
                               "simulate: {end: 0.3, tolerance: 1e-5}\n")
            self.trammel("run", model, "--check-error", "--summary", self.path("s.json"))
            self.assertLess(self.summary()["global_error"]["relative"], 0.05)

    def test_counts_of_two_loops(self):
        done = self.trammel("run", self.model, "-i", "tlismni-hht", "--summary",
                            self.path("s.json"))
        self.assertRegex(done.stdout, r"loops +evaluations \d+, corrections \d+, Krylov products")
        counts = self.summary()["statistics"]
        self.assertGreaterEqual(counts["loop_evaluations"], counts["steps"])
        self.assertEqual(counts["loop_corrections"], counts["iterations"])
        self.assertGreaterEqual(counts["loop_partitions"], 1)
        done = self.trammel("run", self.model, "-i", "hht", "--summary", self.path("s.json"))
        self.assertNotIn("loops", done.stdout)
        self.assertEqual(self.summary()["statistics"]["loop_evaluations"], 0)


    def test_includes_of_includes(self):
        for k in range(1, 31):  # 32 are allowed, the model among them
            self.write(f"i{k}.yaml", f"include: i{k + 1}.yaml\nparameters: {{p{k}: {k}}}\n")
        self.write("i31.yaml", "gravity: [0, -9.81, 0]\n")
        self.trammel("check", self.write("deep.yaml", MODEL + "include: i1.yaml\n"))
        self.write("i31.yaml", "include: i32.yaml\n")
        self.write("i32.yaml", "gravity: [0, -9.81, 0]\n")
        self.assertIn("32", self.trammel("check", self.path("deep.yaml"), status=2).stderr)

    def test_a_failed_run_is_repeated_from_its_dump(self):
        self.write("gravity.yaml", "gravity: [0, -9.81, 0]\n")
        table = self.write("table.csv", "0 0\n0.3 1\n0.6 0\n0.9 1\n")
        text = (MODEL.replace("outputs: {", "outputs: {late: delay(old), ") +
                "include: gravity.yaml\n"
                "splines: {curve: {file: table.csv}}\n"
                "delays: {old: {value: angle(pin), time: 0.1}}\n"
                "forces: {f: {type: torque, body: rod,\n"
                "             tz: 'akispl(time, curve) + 0*delay(old) + sqrt(0.5 - time)'}}\n")
        bad, dump = self.write("bad.yaml", text), self.path("dump.json")
        done = self.trammel("run", bad, status=1)
        self.assertIn("note: --dump FILE.json saves what is needed", done.stderr)
        for method in ("hht", "radau", "adams", "bdf-i3", "tlismni-park", "rosenbrock"):
            done = self.trammel("run", bad, "-i", method, "--set", "L=2 m", "--dump", dump, "--tol",
                                "1e-5", status=1)
            self.assertIn(f"written      {dump}", done.stdout)
            first = re.search(r"error: at t = ([\d.e+-]+) s.*not finite", done.stderr)
            os.rename(bad, bad + ".away")  # the dump needs none of the model's texts
            again = self.trammel("run", dump, "--csv", self.path("again.csv"), status=1)
            os.rename(bad + ".away", bad)
            second = re.search(r"error: at t = ([\d.e+-]+) s.*not finite", again.stderr)
            # the last step before the square root has no value; the smallest is 1e-13
            self.assertAlmostEqual(float(first.group(1)), 0.5, delta=1e-6)
            self.assertAlmostEqual(float(second.group(1)), 0.5, delta=1e-6)
            self.assertIn(f"by {method}", again.stdout)
        self.trammel("run", dump, "-i", "hht", "--tol", "1e-4", status=1)
        self.assertIn("a dump contains these settings",
                      self.trammel("run", dump, "--set", "L=1", status=2).stderr)
        self.assertIn("is one", self.trammel("run", dump, "--dump", self.path("d.json"),
                                             status=2).stderr)
        self.write("table.csv", "0 0\n0.3 2\n0.6 0\n0.9 1\n")
        self.assertIn(f"'{table}' is not what it was", self.trammel("run", dump, status=2).stderr)
        # a run that ends well leaves none
        os.remove(dump)
        self.trammel("run", self.model, "--dump", dump)
        self.assertFalse(os.path.exists(dump))


class Signals(Case):
    def wait_for(self, path):
        for _ in range(1000):
            if os.path.exists(path):
                return
            time.sleep(0.01)
        self.fail(f"{path} did not appear")

    def long_run(self, *more):
        return ["run", self.model, "-o", self.path("out.h5"), "--end", "1e5", "--output-step",
                "0.001", *more]

    def test_interrupt_saves(self):
        process = self.start(*self.long_run("--summary", self.path("s.json")))
        self.wait_for(self.path("out.h5"))
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("error: ", errors)
        with open(self.path("s.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["status"], "TML_E_CANCELLED")
        self.assertIn("had ended", self.trammel("repair", self.path("out.h5")).stdout)

    def test_kill_leaves_a_readable_file(self):
        for delay in (0.0, 0.05, 0.2, 0.7):
            process = self.start(*self.long_run())
            self.wait_for(self.path("out.h5"))
            time.sleep(delay)
            if delay == 0.7:  # a file in use is left alone
                done = self.trammel("repair", self.path("out.h5"), status=3)
                self.assertIn("is being written", done.stderr)
            process.kill()
            process.communicate(timeout=60)
            text = self.trammel("repair", self.path("out.h5")).stdout
            rows = int(re.match(r"rows: (\d+)", text).group(1))
            self.assertIn("was killed", text)
            if delay >= 0.2:
                self.assertGreater(rows, 0)
            again = self.trammel("repair", self.path("out.h5")).stdout
            self.assertIn(f"rows: {rows}", again)
            self.assertIn("had ended: killed", again)
            os.remove(self.path("out.h5"))

    def test_progress_on_a_terminal_only(self):
        try:
            ours, theirs = pty.openpty()
        except OSError as reason:
            self.skipTest(f"no terminal to be had here: {reason}")
        process = self.start(*self.long_run(), stderr=theirs, env=dict(os.environ, TERM="xterm"))
        os.close(theirs)
        seen, end = "", time.time() + 30
        while "left" not in seen and time.time() < end:
            if select.select([ours], [], [], 1)[0]:
                seen += os.read(ours, 4096).decode()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        os.close(ours)
        self.assertRegex(seen, r"\r *\d+ %  t = .* of 1e\+05 s  step .* s  speed .*  left ")
        process = self.start(*self.long_run())
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertNotIn("left", process.communicate(timeout=60)[1])


DATASET = """\
Adams View model name: pendulum
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND
ACCGRAV/JGRAV=-9806.65
PART/1, GROUND
MARKER/1, PART=1
!  adams_view_name='rod'
PART/2, MASS=2, CM=20, IP=1E4, 2E5, 2E5, QG=1000,0,0
MARKER/20, PART=2
MARKER/21, PART=2, QP=-1000,0,0
JOINT/1, REVOLUTE, I=21, J=1
REQUEST/1, D, I=20, J=1
REQUEST/2, F2=JOINT(1,0,2,0)\\F3=JOINT(1,0,3,0)
GRAPHICS/1, FORCE, ETYPE=JOINT, EID=1, EMARKER=20
END
"""


class Datasets(Case):
    def run_csv(self, model, out):
        self.trammel("run", model, "--end", "1", "--output-step", "0.1", "--csv", self.path(out))
        with open(self.path(out), encoding="utf-8") as file:
            return list(csv.reader(file))

    def test_run_and_convert(self):
        model = self.write("pendulum.adm", DATASET)
        first = self.run_csv(model, "first.csv")
        self.assertEqual(first[0][:5], ["time", "1.F1", "1.F2", "1.F3", "1.F4"])
        self.assertEqual(first[0][-2:], ["2.F2", "2.F3"])
        self.trammel("convert", model, self.path("pendulum.yaml"))
        second = self.run_csv(self.path("pendulum.yaml"), "second.csv")
        self.assertEqual(first[0], second[0])
        for a, b in zip(first[1:], second[1:]):
            for x, y in zip(a, b):
                # the same numbers are written and read, so the same steps follow, up to rounding of units
                self.assertAlmostEqual(float(x), float(y), delta=1e-12 * max(1, abs(float(x))))

    def test_what_is_left_out(self):
        model = self.write("pendulum.adm", DATASET)
        run = ("run", model, "--end", "0.1", "--output-step", "0.1")
        self.assertIn("note: " + model + ":13:1: ignored", self.trammel(*run).stderr)
        self.assertEqual(self.trammel(*run, "-q").stderr, "")
        self.wrong("ignored, as they change no motion: GRAPHICS (1)", *run, "--strict")
        wrong = self.write("wrong.adm", DATASET.replace("END", "TIRE/1\nPART/2\nEND"))
        self.wrong("wrong.adm:14:1: TIRE/1: not supported yet: a tyre", "check", wrong)
        self.wrong("wrong.adm:15:6: PART/2: there is already a PART/2", "check", wrong)

    def test_commands(self):
        self.write("pendulum.adm", DATASET)
        commands = self.write("go.acf", "pendulum\nout\nDEACTIVATE/JOINT, ID=1\n"
                              "SIM/DYN, END=0.5, STEPS=5\nSIM/DYN, DUR=0.5, DTOUT=0.1\n"
                              "LIST/JOINT\nSTOP\n")
        out = self.path("out.csv")
        done = self.trammel("run", commands, "--csv", out, "-o", self.path("out.h5"))
        self.assertIn("go.acf:6:1: LIST: ignored", done.stderr)
        with open(out, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([round(float(r["time"]), 12) for r in rows],
                         [round(0.1 * k, 12) for k in range(11)])
        for r in rows:  # free fall in mm: a parabola, which all steps follow to rounding
            drop = -0.5 * 9806.65 * float(r["time"]) ** 2
            self.assertAlmostEqual(min(float(r[k]) for k in ("1.F2", "1.F3", "1.F4")), drop,
                                   delta=1e-9)
            self.assertEqual(float(r["2.F2"]), 0)
        # the same joints in both: one file of results
        self.assertFalse(os.path.exists(self.path("out-2.h5")))
        self.trammel("plot", self.path("out.h5"), "1.F2", "-o", self.path("out.svg"))
        self.wrong("the command file says when", "run", commands, "--end", "1")
        self.wrong("LIST: ignored", "run", commands, "--strict")

    def test_eigenvalues_in_commands(self):
        """I s^2 + c s + m g r = 0 of a pendulum about rest: with c, then without."""
        self.write("arm.adm", "a pendulum with a damper\n"
                   "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
                   "ACCGRAV/JGRAV=-9.81\nPART/1, GROUND\nMARKER/1, PART=1\n"
                   "PART/2, MASS=1, CM=20, IP=0.1, 0.1, 0.1\nMARKER/20, PART=2, QP=1, 0, 0\n"
                   "MARKER/21, PART=2\nJOINT/1, REVOLUTE, I=21, J=1\n"
                   "SFORCE/1, ROTATIONAL, I=21, J=1, FUNCTION=-0.5*WZ(21,1)\nEND\n")
        commands = self.write("go.acf", "arm\nout\nSIM/STATIC\nLINEAR/EIGENSOL, NODAMPIN\n"
                              "SFORCE/1, FUNCTION=0\nLINEAR/EIG\nLINEAR/STATEMAT, FILE=a\nSTOP\n")
        done = self.trammel("run", commands)
        self.assertIn("go.acf:4:18: LINEAR: NODAMPIN is ignored", done.stderr)
        rows = [line.split() for line in done.stdout.splitlines() if line.startswith("    1 ")]
        self.assertEqual(len(rows), 2)
        for c, row in zip((0.5, 0.0), rows):  # six digits are printed
            self.assertAlmostEqual(float(row[1]), -c / 2.2, delta=1e-6)
            self.assertAlmostEqual(float(row[2]), math.sqrt(9.81 / 1.1 - (c / 2.2) ** 2), delta=1e-5)

    def test_reload_in_commands(self):
        """Columns go on with an earlier time, result files in parts."""
        self.write("pendulum.adm", DATASET)
        commands = self.write("go.acf", "pendulum\nout\nDEACTIVATE/JOINT, ID=1\n"
                              "SIM/DYN, END=0.2, STEPS=2\nSAVE/STATES, BUFFER=a\n"
                              "SIM/DYN, END=0.4, STEPS=2\nRELOAD/STATES, BUFFER=a\n"
                              "SIM/DYN, DUR=0.1, STEPS=1\nSTOP\n")
        out = self.path("out.csv")
        self.trammel("run", commands, "--csv", out, "-o", self.path("out.h5"))
        with open(out, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([round(float(r["time"]), 7) for r in rows],
                         [0, 0.1, 0.2, 0.3, 0.4, 0.2, 0.3])
        for r in rows:
            # free fall, as above
            drop = -0.5 * 9806.65 * float(r["time"]) ** 2
            self.assertAlmostEqual(min(float(r[k]) for k in ("1.F2", "1.F3", "1.F4")), drop,
                                   delta=1e-9)
        self.assertTrue(os.path.exists(self.path("out-2.h5")))
        self.assertFalse(os.path.exists(self.path("out-3.h5")))

    def test_contacts_in_commands(self):
        """A ball that is saved in the midst of a bounce knows the speed it came with: it leaves with 0.6 of it, again after a
        reload. Momentum is what CONTACT() has pushed; a sensor stops where it has reached 300 N."""
        self.write("hit.adm", "a ball flies against a plane\n"
                   "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n"
                   "PART/1, GROUND\nMARKER/1, PART=1, ZP=0, 0, -1\nGRAPHICS/1, PLANE, RM=1\n"
                   "PART/2, MASS=2, CM=20, IP=1E3,1E3,1E3, QG=0,0,-20, VZ=500\nMARKER/20, PART=2\n"
                   "! adams_view_name='the ball'\nGRAPHICS/0007, SPHERE, CM=20, RADIUS=10\n"
                   "CONTACT/0012, IGEOM=7, JGEOM=1, POISSON, PENALTY=1E3, RESTITUTION_COEFFICIENT=0.6\n"
                   "DIFF/1, IC=0, FUNCTION=CONTACT(12,0,4,0)\n"
                   "SENSOR/1, FUNCTION=CONTACT(12,0,1,0), VALUE=300, ERROR=1E-3, GE, RETURN\n"
                   "REQUEST/1, F2=VZ(20)\\F3=DIF(1)\\F4=CONTACT(12,0,4,0)\nEND\n")
        commands = self.write("go.acf", "hit\nout\nSIM/DYN, END=0.04, STEPS=2\nDEACT/SENSOR, ID=1\n"
                              "SAVE/STATES, BUFFER=a\nSIM/DYN, END=0.04, STEPS=1\n"
                              "RELOAD/STATES, BUFFER=a\nSIM/DYN, END=0.04, STEPS=1\n"
                              "RELOAD/STATES, BUFFER=a\nDEACT/CONTACT, ID=12\nSIM/DYN, END=0.04, STEPS=1\n")
        out = self.path("hit.csv")
        self.trammel("run", commands, "--csv", out, "--tol", "1e-9")
        with open(out, encoding="utf-8") as file:
            rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(file)]
        stops = [r for r in rows if 0.02 < r["time"] < 0.0399]
        ends = [r for r in rows if r["time"] > 0.0399]
        self.assertAlmostEqual(stops[0]["1.F4"], -300.0, delta=2e-3)  # the error of the sensor
        self.assertEqual(len(ends), 3)
        for r in ends[:2]:
            self.assertAlmostEqual(r["1.F2"], -300.0, delta=1e-3)  # some hundred steps at 1e-9
        self.assertEqual(ends[0], ends[1])
        self.assertAlmostEqual(ends[2]["1.F2"], stops[0]["1.F2"], delta=1e-9)  # it flies on
        for r in rows:
            # rounding of sums
            self.assertAlmostEqual(2.0 * (r["1.F2"] - 500.0), 1000.0 * r["1.F3"], delta=1e-6)

    def test_sensors_in_commands(self):
        """RETURN ends one simulation, HALT all; PRINT writes a row."""
        for word, last in (("RETURN", 0.5), ("HALT", 0.25)):
            self.write("sensor.adm", DATASET.replace(
                "END", "SENSOR/1, FUNCTION=TIME\\VALUE=0.25, GE, ERROR=1E-9, " + word + "\n"
                "SENSOR/2, FUNCTION=TIME\\VALUE=0.13, GE, ERROR=1E-9, PRINT\nEND"))
            commands = self.write("go.acf", "sensor\nout\nSIM/DYN, END=0.4, DTOUT=0.1\n"
                                  "DEACTIVATE/SENSOR, ID=1\nSIM/DYN, END=0.5, DTOUT=0.1\n")
            out = self.path("sensor.csv")
            self.trammel("run", commands, "--csv", out)
            with open(out, encoding="utf-8") as file:
                times = [round(float(r["time"]), 7) for r in csv.DictReader(file)]
            self.assertEqual(times[:5], [0, 0.1, 0.13, 0.2, 0.25])
            self.assertEqual(times[-1], last)


if __name__ == "__main__":
    main()
