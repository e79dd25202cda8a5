"""What a model, a dataset, a results file or an accident must not be able to do.

    test_safety.py PATH-OF-TRAMMEL [unittest arguments]
"""
import os
import resource
import signal
import subprocess
import time

from support import Case, main

# The spring calls a function of the C library, which every library of routines is linked with.
CALLS_LIBC = """\
ADAMS View model: calls the C library
UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND
PART/1, GROUND
MARKER/1, PART = 1
PART/2, MASS = 1, CM = 4, IP = 1,1,1
MARKER/2, PART = 2
MARKER/4, PART = 2
MARKER/3, PART = 1, QP = 1,0,0
SFORCE/25705, I = 2, J = 3, TRANSLATIONAL, FUNCTION = USER(1,2)\\, ROUTINE = x::%s
RESULTS/FORMATTED
END
"""


class Memory(Case):
    def test_freed_memory_is_not_used(self):
        """glibc fills what is freed: a call through a table that is gone then fails."""
        env = dict(os.environ, MALLOC_PERTURB_="165")
        results = self.path("out.h5")
        for args in (("run", self.model, "-e", "0.1", "-o", results, "-q"),
                     ("report", results, "-o", self.path("out.html"), "-q"),
                     ("plot", results, "--list"),
                     ("repair", results)):
            done = subprocess.run([self.command, *args], env=env, capture_output=True, text=True,
                                  timeout=60, check=False)
            self.assertEqual(done.returncode, 0, f"{args}\n{done.stderr}")


def wait_for(path):
    """Until the file of a run in the background is there."""
    for _ in range(1000):
        if os.path.exists(path):
            return
        time.sleep(0.01)
    raise AssertionError(f"no {path}")


class Outputs(Case):
    """Whatever is written, nothing of another run and no input is lost."""

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def long_run(self, option, path):
        run = self.start("run", self.model, "-e", "1e6", "--output-step", "0.01", option, path)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        wait_for(path)
        return run

    def test_a_second_run_leaves_the_results_of_the_first_alone(self):
        for option, name in (("-o", "out.h5"), ("--csv", "out.csv")):
            path = self.path(name)
            run = self.long_run(option, path)
            self.wrong(f"is being written by process {run.pid}", "run", self.model, "-e", "0.1",
                       option, path, status=3)
            run.send_signal(signal.SIGTERM)
            _, said = run.communicate()
            self.assertEqual(run.returncode, 1, said)
            self.assertNotIn("renamed", said)
            # nobody holds the file any more
            self.trammel("run", self.model, "-e", "0.1", option, path)

    def test_force_renames_what_is_being_written(self):
        for option, name, kept in (("-o", "out.h5", "out-1.h5"), ("--csv", "out.csv", "out-1.csv")):
            path = self.path(name)
            run = self.long_run(option, path)
            done = self.trammel("run", self.model, "-e", "0.1", option, path, "--force")
            self.assertIn(kept, done.stderr)
            run.send_signal(signal.SIGTERM)
            _, said = run.communicate()
            self.assertIn(f"results of this run are in '{self.path(kept)}'", said)
            for file in (path, self.path(kept)):
                self.assertGreater(os.path.getsize(file), 0)
            if option == "-o":
                first = self.trammel("repair", path).stdout
                self.assertIn("up to t = 0.1 s", first)
                self.assertIn("cancelled", self.trammel("repair", self.path(kept)).stdout)

    def test_results_that_were_removed_are_not_told_as_written(self):
        path = self.path("out.h5")
        run = self.long_run("-o", path)
        os.unlink(path)
        run.send_signal(signal.SIGTERM)
        _, said = run.communicate()
        self.assertNotEqual(run.returncode, 0)
        self.assertNotIn("written", _)

    def test_a_kill_at_the_start_leaves_no_draft(self):
        for k in range(20):
            run = self.start("run", self.model, "-e", "1e6", "-o", self.path("out.h5"))
            time.sleep(0.002 * k)
            run.kill()
            run.communicate()
            self.assertLessEqual(set(os.listdir(self.folder.name)), {"pendulum.yaml", "out.h5"})

    def test_signals_end_a_run_with_all_saved(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU):
            path = self.path("out.h5")
            run = self.long_run("-o", path)
            run.send_signal(number)
            _, said = run.communicate()
            self.assertEqual(run.returncode, 1, said)
            self.assertIn("the run had ended: cancelled", self.trammel("repair", path).stdout)
            os.unlink(path)

    def test_a_limit_of_file_size_is_a_full_disk(self):
        limit = 200 * 1024
        done = subprocess.run([self.command, "run", self.model, "-e", "1000", "--output-step", "1e-3", "-o",
                               self.path("out.h5")], capture_output=True, text=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                    (limit, limit)))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("File too large", done.stderr)

    def test_inputs_are_not_overwritten(self):
        self.write("part.yaml", "parameters: {L: 1}\n")
        self.write("table.csv", "0, 0\n1, 2\n3, 4\n4, 4\n")
        self.write("body.html", "solid\nendsolid\n")
        model = self.write("model.yaml", """\
trammel: 1
include: part.yaml
splines: {s: {file: table.csv}}
bodies: {a: {mass: 1, inertia: [1, 1, 1], shape: {mesh: {file: body.html}}}}
outputs: {x: "spline(time, s)"}
""")
        for option, name in (("--csv", "table.csv"), ("--summary", "part.yaml"),
                             ("--report", "body.html")):
            before = self.read(name)
            self.wrong("is read by the model and would be overwritten", "run", model, "-e", "1",
                       option, self.path(name))
            self.assertEqual(self.read(name), before)
        for args in (("convert", model, self.path("part.yaml")),
                     ("statics", model, "--json", self.path("part.yaml")),
                     ("linearize", model, "--json", self.path("part.yaml")),
                     ("compare", model, "--csv", self.path("table.csv"))):
            self.wrong("would be overwritten", *args)
        self.assertEqual(self.read("part.yaml"), "parameters: {L: 1}\n")


class Inputs(Case):
    def test_what_a_model_names_is_a_plain_file(self):
        """A device never ends, a pipe without a writer waits for ever."""
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        for name in ("/dev/zero", pipe):
            for text in (f"include: {name}", f"splines: {{s: {{file: {name}}}}}",
                         f"bodies: {{a: {{mass: 1, inertia: [1, 1, 1], shape: {{mesh: "
                         f"{{file: {name}}}}}}}}}"):
                model = self.write("model.yaml", f"trammel: 1\n{text}\nsimulate: {{end: 1}}\n")
                done = self.trammel("run", model, "-o", self.path("out.h5"), status=2)
                self.assertIn("not a plain file", done.stderr)
            for text in (f"SPLINE/1, FILE = {name}", f"MATRIX/1, FILE = {name}"):
                data = self.write("data.adm", f"title\nPART/1, GROUND\n{text}\nEND\n")
                self.assertIn("cannot open", self.trammel("check", data, status=2).stderr)
            commands = self.write("run.acf", f"model\n\nREAD/FILE = {name}\n")
            self.trammel("run", commands, status=2)

    def test_a_model_may_come_through_a_pipe(self):
        done = subprocess.run([self.command, "check", "/dev/stdin"], input=self.model_text,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


class Texts(Case):
    """What others wrote reaches the terminal as text."""

    BAD = ("\\e[2J", "\\x07", "\\x9b31m", "\\u202e", "\\r")

    def bytes_of(self, *args):
        done = subprocess.run([self.command, *args], capture_output=True, timeout=60, check=False)
        return done.stdout + done.stderr

    def check_text(self, printed):
        for c in printed.decode("utf-8"):
            self.assertTrue(c in "\n\t" or (c.isprintable() or c == " "), repr(c))

    def test_control_characters_are_shown(self):
        for bad in self.BAD:
            good = f'title: "a{bad}b\u00e9"\nbodies: {{a: {{mass: 1, inertia: [1, 1, 1]}}}}\n'
            wrong = f'title: x\nbodies: {{"a{bad}b": {{mass: 1}}}}\njoints: {{j: {{type: "{bad}"}}}}\n'
            for text in (good, wrong):
                model = self.write("model.yaml", f"trammel: 1\n{text}simulate: {{end: 0.1}}\n")
                results = self.path("out.h5")
                for args in (("run", model, "-o", results), ("check", model), ("statics", model),
                             ("linearize", model), ("repair", results), ("plot", results, "-l")):
                    self.check_text(self.bytes_of(*args))
            data = self.write("data.adm", "title \x1b[2J\x9b \nPART/1, GROUND\nSPLINE/\x1b[1, X\nEND\n")
            self.check_text(self.bytes_of("check", data))

    def test_characters_cut_by_buffers_stay_whole(self):
        names = ", ".join(f'"{"é" * 20}{k}": {{mass: 1, inertia: [1, 1, 1]}}' for k in range(500))
        model = self.write("model.yaml", f"trammel: 1\nbodies: {{{names}}}\n")
        told = self.bytes_of("check", model).decode("utf-8")
        self.assertGreater(len(told.encode()), 4096)  # several buffers
        self.assertNotIn("\\x", told)
        self.assertIn("é" * 20 + "39", told)

    def test_a_line_end_in_a_name_begins_no_message(self):
        model = self.write("model.yaml", 'trammel: 1\nbodies: {"a\\nerror: b": {mass: 1}}\n')
        lines = self.bytes_of("check", model).decode().splitlines()
        self.assertEqual(len([x for x in lines if x.startswith("error")]), 1)
        self.assertIn("a\\nerror: b", lines[0])

    def test_headers_of_tables_are_no_formulas(self):
        model = self.write("model.yaml", """\
trammel: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
outputs: {"=1+1": time, "+a": time, "@b": time, "-c": time, plain: time}
simulate: {end: 0.1, output_step: 0.1}
""")
        self.trammel("run", model, "--csv", self.path("out.csv"))
        with open(self.path("out.csv"), encoding="utf-8") as file:
            self.assertEqual(file.readline(), 'time,"=1+1","+a","@b","-c",plain\n')

    def test_files_outside_the_folder_are_not_shown(self):
        """A model could include a private file and have its words told in messages."""
        os.mkdir(self.path("inner"))
        secrets = ("password: hunter2\n", "hunter2\n", "a: [hunter2\n", "bodies: {hunter2: {}}\n")
        for text in secrets:
            self.write("secret.yaml", text)
            self.write("inner/own.yaml", text)
            model = self.write("inner/model.yaml", "trammel: 1\ninclude: ../secret.yaml\n")
            told = self.bytes_of("check", model).decode()
            self.assertNotIn("hunter2", told)
            self.assertIn("secret.yaml:", told)
            link = self.path("inner/link.yaml")
            if not os.path.exists(link):
                os.symlink(self.path("secret.yaml"), link)
            model = self.write("inner/model.yaml", "trammel: 1\ninclude: link.yaml\n")
            self.assertNotIn("hunter2", self.bytes_of("check", model).decode())
        model = self.write("inner/model.yaml", "trammel: 1\ninclude: own.yaml\n")
        self.assertIn("hunter2", self.bytes_of("check", model).decode())

    def test_a_full_disk_behind_standard_output_is_told(self):
        with open("/dev/full", "w") as full:
            for args in (("run", self.model, "-e", "0.1"), ("check", self.model), ("help", "revolute"),
                         ("convert", self.model), ("integrators",)):
                done = subprocess.run([self.command, *args], stdout=full, stderr=subprocess.PIPE,
                                      text=True, check=False)
                self.assertEqual(done.returncode, 3, args)
                self.assertIn("cannot write to standard output", done.stderr)


class Routines(Case):
    def test_routines_are_those_of_the_library_itself(self):
        library = os.path.join(os.path.dirname(self.command), "examples", "adams_user.so")
        for name in ("system", "abort", "_exit"):
            dataset = self.write("libc.adm", CALLS_LIBC % name)
            done = self.trammel("check", dataset, "--user-library", library, status=2)
            self.assertIn(f"25705: the routine {name} is not in", done.stderr)


if __name__ == "__main__":
    main()
