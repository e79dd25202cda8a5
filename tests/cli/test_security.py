"""The sentences of SECURITY.md, each by the test whose name begins with its number.

    test_security.py PATH-OF-TRAMMEL [unittest arguments]

Some sentences are tested elsewhere, under names of the same kind: see SENTENCES_ELSEWHERE.
"""
import errno
import glob
import json
import os
import random
import re
import resource
import socket
import stat
import subprocess
import time
import xml.etree.ElementTree

from support import SOURCE, Case, main

# files with tests of sentences besides this one
SENTENCES_ELSEWHERE = ("tests/cli/test_checkpoint.py", "tests/io/test_hostile_results.c", "tests/cli/test_memcheck.py", "tests/cli/test_completion.py",
                       "viewer/tests/browser.test.ts", "viewer/tests/real.test.ts")

BODY = "trammel: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
DATASET = """\
a mass
UNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND
PART/1, GROUND
MARKER/1, PART = 1
PART/2, MASS = 1, CM = 2, IP = 1,1,1
MARKER/2, PART = 2
%s
END
"""


def source(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


class Page(Case):
    def test_every_sentence_has_a_test(self):
        said = set(re.findall(r"^- \*\*S(\d+)\*\* ", source("SECURITY.md"), re.MULTILINE))
        tested = set()
        for path in ("tests/cli/test_security.py", *SENTENCES_ELSEWHERE):
            tested |= set(re.findall(r'(?:def test_|TEST\(|test\(")s(\d+)[_ ]', source(path)))
        self.assertGreater(len(said), 30)
        self.assertEqual(said, tested)

    def test_it_can_be_found(self):
        for path in ("README.md", "docs/README.md"):
            self.assertIn("SECURITY.md", source(path))


class Models(Case):
    def listing(self):
        return sorted(os.listdir(self.folder.name))

    def told(self, *args):
        done = subprocess.run([self.command, *args], capture_output=True, timeout=120, cwd=self.folder.name, check=False)
        return done.returncode, (done.stdout + done.stderr).decode()

    def test_s1_nothing_is_run(self):
        for word in ("$(touch evil)", "`touch evil`", "|touch evil", ";touch evil;", "touch evil|"):
            quoted = json.dumps(word)
            model = self.write("model.yaml", f"trammel: 1\ntitle: {quoted}\ninclude: {quoted}\nsplines: {{s: {{file: {quoted}}}}}\n"
                               f"bodies: {{a: {{mass: 1, inertia: [1, 1, 1], shape: {{mesh: {{file: {quoted}}}}}}}}}\n")
            self.assertEqual(self.told("run", model, "--report", "out.html")[0], 2)
            self.write("data.adm", DATASET % f"SPLINE/1, FILE = {word}")
            self.assertEqual(self.told("check", "data.adm")[0], 2)
            self.write("go.acf", f"{word}\n{word}\nREAD/FILE = {word}\n")
            self.assertNotEqual(self.told("run", "go.acf")[0], 0)
        model = self.write("model.yaml", "trammel: 1\ninclude: $HOME/part.yaml\n")
        self.assertIn("$HOME/part.yaml: cannot open", self.told("check", model)[1])
        self.assertNotIn("evil", self.listing())
        # no file of the engine or the command could; watch starts a browser with its own address
        for path in glob.glob(os.path.join(SOURCE, "src", "**", "*.c"), recursive=True) + glob.glob(os.path.join(SOURCE, "cli", "*.c")):
            calls = re.findall(r"\b(system|popen|exec[lv]p?e?|posix_spawnp?|wordexp)\(", source(path))
            self.assertEqual(calls, ["execlp"] if path.endswith("cli/watch.c") else [], path)

    def test_s2_files_outside_the_folder_may_be_read(self):
        os.mkdir(self.path("inner"))
        self.write("part.yaml", "parameters: {L: 3}\n")
        self.write("table.csv", "0, 5\n1, 5\n2, 5\n3, 5\n")
        model = self.write("inner/model.yaml", BODY + f"include: ../part.yaml\nsplines: {{s: {{file: {self.path('table.csv')}}}}}\n"
                           'outputs: {x: "L + spline(time, s)"}\nsimulate: {end: 1, output_step: 1}\n')
        self.trammel("run", model, "--csv", self.path("out.csv"))
        with open(self.path("out.csv"), encoding="utf-8") as file:
            self.assertEqual(file.read().split()[1], "0,8")

    def test_s3_messages_keep_secrets(self):
        os.mkdir(self.path("inner"))
        self.write("secret", "password: hunter2\nhunter2 1 2\n[hunter2\n")
        for text in ("include: ../secret", "splines: {s: {file: ../secret}}",
                     "bodies: {b: {mass: 1, inertia: [1, 1, 1], shape: {mesh: {file: ../secret}}}}"):
            model = self.write("inner/model.yaml", f"trammel: 1\n{text}\nsimulate: {{end: 1}}\n")
            status, told = self.told("run", model, "-o", "out.h5")
            self.assertEqual(status, 2, told)
            self.assertNotIn("hunter2", told)
        for text in ("SPLINE/1, FILE = ../secret", "MATRIX/1, FILE = ../secret", "MATRIX/1, FILE = ../secret, NAME = hunter"):
            self.write("inner/data.adm", DATASET % text)
            status, told = self.told("check", "inner/data.adm")
            self.assertEqual(status, 2, told)
            self.assertNotIn("hunter2", told)
        os.rename(self.path("secret"), self.path("secret.acf"))
        self.write("inner/data.adm", DATASET % "")
        self.write("inner/go.acf", "data\nout\nREAD/FILE = ../secret.acf\n")
        self.assertNotIn("hunter2", self.told("run", "inner/go.acf")[1])

    def test_s4_plain_files_of_a_bounded_size(self):
        os.mkfifo(self.path("pipe"))
        with open(self.path("long"), "wb") as file:
            file.truncate((256 << 20) + 1)
        for name in ("/dev/zero", "pipe", ".", "long"):
            for text in (f"include: {name}", f"splines: {{s: {{file: {name}}}}}",
                         f"bodies: {{b: {{mass: 1, inertia: [1, 1, 1], shape: {{mesh: {{file: {name}}}}}}}}}"):
                model = self.write("model.yaml", f"trammel: 1\n{text}\nsimulate: {{end: 1}}\n")
                status, told = self.told("run", model, "-o", "out.h5")
                self.assertEqual(status, 2, told)
                self.assertRegex(told, "not a plain file|not a file|MB")
        self.parts_are_plain_files()
        self.files_of_wheels_are_plain_files()
        self.files_of_studies_are_plain_files()

    def files_of_wheels_are_plain_files(self):
        """Property files of tyres, road data, profiles of rails."""
        at = "bodies: [ground, b], at: [0, 0, 0.3], axis: y"
        for name in ("/dev/zero", "pipe", ".", "long"):
            for text in (f"roads: {{r: {{type: flat}}}}\nforces: {{t: {{type: pac2002_tyre, {at}, road: r, file: {name}}}}}",
                         f"roads: {{r: {{type: triangles, file: {name}}}}}",
                         f"profiles: {{w: {{file: {name}}}}}"):
                model = self.write("model.yaml", BODY.replace(" a:", " b:") + text + "\nsimulate: {end: 1}\n")
                status, told = self.told("check", model)
                self.assertEqual(status, 2, told)
                self.assertRegex(told, "not a plain file|not a file|MB")

    def files_of_studies_are_plain_files(self):
        """Models and tables that a study names, and tables of inputs."""
        self.write("model.yaml", BODY + "parameters: {k: 1}\ninputs: {u: 1}\nsimulate: {end: 1}\n")
        for name in ("/dev/zero", "pipe", "."):
            for text in (f"model: {name}\nparameters: {{k: {{values: [1, 2]}}}}", f"model: model.yaml\ndesign: list\ntable: {name}"):
                study = self.write("study.yaml", f"study: s\n{text}\n")
                status, told = self.told("sweep", study, "-o", "study.h5")
                self.assertIn(status, (2, 3), told)
                self.assertRegex(told, "not a plain file|not a file")
            self.assertRegex(self.told("run", "model.yaml", "--input", f"u={name}")[1], "not a plain file|not a file")

    def test_s4_results_are_plain_files(self):
        os.mkfifo(self.path("pipe"))
        for command in (("report", "pipe", "-o", "out.html"), ("plot", "pipe", "x", "-o", "out.svg"), ("export", "pipe", "-o", "out.csv"),
                        ("statistics", "pipe", "x"), ("recover", "pipe"), ("watch", "pipe", "--no-open"), ("repair", "pipe")):
            status, told = self.told(*command)
            self.assertIn(status, (2, 3), (command, told))
            self.assertRegex(told, "plain file|not an HDF5 file")

    def parts_are_plain_files(self):
        """Parts of modal bodies: descriptions, meshes that these name, and parts in HDF5."""
        for name in ("pipe.yaml", "pipe.h5", "pipe.inp"):
            os.mkfifo(self.path(name))
        for name in ("folder.yaml", "folder.h5"):
            os.mkdir(self.path(name))
        os.link(self.path("long"), self.path("long.yaml"))
        for name in ("pipe.inp", "long"):
            mesh = self.path("mesh.yaml")
            with open(mesh, "w", encoding="utf-8") as file:
                file.write(f"part: p\nmesh: {name}\nmaterial: {{young: 1e9, poisson: 0.3, density: 1}}\n"
                           "interfaces: {a: {set: a}}\n")
            told = self.part("mesh.yaml")
            self.assertRegex(told, "not a plain file|MB|ends with" if name == "long" else "plain file")
        for name in ("pipe.yaml", "pipe.h5", "/dev/zero", "folder.yaml", "folder.h5", "long.yaml"):
            self.assertRegex(self.part(name), "not a plain file|not a file|MB")

    def part(self, name):
        model = self.write("model.yaml", f"trammel: 1\nmodal: {{p: {{part: {name}}}}}\nsimulate: {{end: 1}}\n")
        status, told = self.told("check", model)
        self.assertEqual(status, 2, told)
        return told

    def test_s5_the_command_line_alone_names_outputs(self):
        out = self.path("evil")
        self.write("data.adm", DATASET % f"OUTPUT/REQSAVE, GRSAVE\nRESULTS/FORMATTED, XRF\nREQUEST/1, DISPLACEMENT, I = 2, J = 1, COMMENT = {out}")
        self.write("go.acf", f"data\n{out}\nFILE/REQUEST = {out}\nSAVE/SYSTEM, FILE = {out}\nSIM/DYN, END = 0.1, STEPS = 2\n"
                   f"LINEAR/STATEMAT, FILE = {out}\nSTOP\n")
        before = self.listing()
        for commands in (("run", "go.acf"), ("run", "data.adm", "-e", "0.1"), ("linearize", "data.adm"), ("check", "data.adm")):
            self.told(*commands)
            self.assertEqual([name for name in self.listing() if name not in before], [], commands)
        model = self.write("model.yaml", BODY + f"title: {out}\noutputs: {{\"{out}\": time}}\nsimulate: {{end: 0.1}}\n")
        self.trammel("run", model, "-q")
        self.assertEqual(self.listing(), sorted([*before, "model.yaml"]))

    def test_s6_inputs_are_kept(self):
        self.write("part.yaml", "parameters: {L: 3}\n")
        os.symlink("part.yaml", self.path("link.json"))
        self.write("table.csv", "0, 5\n1, 5\n2, 5\n3, 5\n")
        model = self.write("model.yaml", BODY + "include: part.yaml\nsplines: {s: {file: table.csv}}\nsimulate: {end: 0.1}\n")
        for args in (("--csv", "table.csv"), ("--summary", "link.json"), ("--summary", "./model.yaml")):
            status, told = self.told("run", model, *args)
            self.assertEqual(status, 2, told)
            self.assertIn("would be overwritten", told)
        with open(self.path("part.yaml"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "parameters: {L: 3}\n")

    def test_s7_one_file_opens_sockets_and_none_connects(self):
        for path in glob.glob(os.path.join(SOURCE, "src", "**", "*.c"), recursive=True) + glob.glob(os.path.join(SOURCE, "cli", "*.c")):
            text = source(path)
            self.assertIsNone(re.search(r"\b(connect|getaddrinfo|gethostbyname)\(", text), path)
            self.assertEqual("socket(" in text, path.endswith("cli/server.c"), path)

    def user_library(self):
        return os.path.join(os.path.dirname(self.command), "examples", "adams_user.so")

    ROUTINE = DATASET % "SFORCE/1, TRANSLATIONAL, I = 2, J = 1, FUNCTION = USER(1, 2)\\, ROUTINE = adams_user::Sfosub"

    def test_s8_libraries_are_named_by_the_command(self):
        self.write("data.adm", self.ROUTINE)
        os.symlink(self.user_library(), self.path("adams_user.so"))
        self.assertIn("--user-library", self.told("check", "data.adm")[1])
        os.mkdir(self.path("other"))
        os.rename(self.path("adams_user.so"), self.path("other/adams_user.so"))
        done = subprocess.run([self.command, "check", "data.adm", "--user-library", "adams_user.so"], cwd=self.folder.name,
                              env=dict(os.environ, LD_LIBRARY_PATH=self.path("other")), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot open the user library", done.stderr)

    def test_s9_routines_of_that_library_only(self):
        self.write("data.adm", self.ROUTINE.replace("adams_user::Sfosub", "x::system"))
        status, told = self.told("check", "data.adm", "--user-library", self.user_library())
        self.assertEqual(status, 2)
        self.assertIn("the routine system is not in", told)

    def dump(self, **changes):
        """A dump of a run that failed, changed."""
        model = self.write("fails.yaml", BODY + "forces: {f: {type: torque, body: a, tz: sqrt(0.1 - time)}}\nsimulate: {end: 1}\n")
        self.assertEqual(self.told("run", model, "--dump", "dump.json")[0], 1)
        with open(self.path("dump.json"), encoding="utf-8") as file:
            tree = json.load(file)
        tree.update(changes)
        return self.write("dump.json", json.dumps(tree))

    @staticmethod
    def fnv1a(path):
        total = 14695981039346656037
        with open(path, "rb") as file:
            for byte in file.read():
                total = (total ^ byte) * 1099511628211 % 2 ** 64
        return f"{total:016x}"

    def test_s10_a_dump_opens_no_library(self):
        library = self.user_library()
        dump = self.dump(load={"user_library": {"path": library, "fnv1a": self.fnv1a(library), "bytes": os.path.getsize(library)}})
        status, told = self.told("run", dump)
        self.assertEqual(status, 2, told)
        self.assertIn("name it with --user-library if you trust it", told)
        # named, it is the very one
        self.assertEqual(self.told("run", dump, "--user-library", library)[0], 1)
        other = self.write("other.so", "not that one")
        self.assertIn("its check sum differs", self.told("run", dump, "--user-library", other)[1])
        self.assertIn("had no user library", self.told("run", self.dump(), "--user-library", library)[1])

    def test_s11_files_of_a_dump(self):
        os.mkfifo(self.path("pipe"))
        for path, word in ((self.path("pipe"), "not a plain file"), ("/dev/zero", "not a plain file"), (self.model, "check sum differs")):
            status, told = self.told("run", self.dump(data_files=[{"path": path, "fnv1a": "0" * 16, "bytes": 0}]))
            self.assertNotEqual(status, 0)
            self.assertIn(word, told)

    def test_s12_text_reaches_the_terminal_as_text(self):
        bad = "\\e[2J\\x9b31m\\u202e\\r"
        model = self.write("model.yaml", f'trammel: 1\ntitle: "a{bad}"\nbodies: {{a: {{mass: 1, inertia: [1, 1, 1]}}}}\n'
                           f'outputs: {{"x{bad}": time}}\nsimulate: {{end: 0.1}}\n')
        for args in (("run", model, "-o", "out.h5", "--csv", "out.csv"), ("check", model), ("repair", "out.h5"),
                     ("plot", "out.h5", "--list"), ("plot", "out.csv", "--list"), ("export", "out.h5", "--list")):
            _, told = self.told(*args)
            self.assertTrue(all(c in "\n\t" or c.isprintable() for c in told), (args, told))

    def test_s13_names_like_formulas_are_quoted(self):
        model = self.write("model.yaml", BODY + 'outputs: {"=1+1": time, "@b": time}\nsimulate: {end: 0.1, output_step: 0.1}\n')
        self.trammel("run", model, "-o", self.path("out.h5"), "--csv", self.path("a.csv"))
        self.trammel("export", self.path("out.h5"), "=1+1", "@b", "-o", self.path("b.csv"))
        for name in ("a.csv", "b.csv"):
            with open(self.path(name), encoding="utf-8") as file:
                self.assertEqual(file.readline(), 'time,"=1+1","@b"\n')

    def test_s14_names_are_escaped_in_markup(self):
        bad = "<script>x\"'&]]>"
        model = self.write("model.yaml", f"trammel: 1\ntitle: {json.dumps(bad)}\nbodies: {{{json.dumps(bad)}: {{mass: 1, inertia: [1, 1, 1]}}}}\n"
                           f"outputs: {{{json.dumps(bad)}: {{value: time, unit: s}}}}\nsimulate: {{end: 0.1}}\n")
        self.trammel("run", model, "-o", self.path("out.h5"), "--summary", self.path("out.json"))
        self.trammel("plot", self.path("out.h5"), bad, "--title", bad, "-o", self.path("out.svg"))
        self.trammel("export", self.path("out.h5"), "--vtk", self.path("vtk"))
        root = xml.etree.ElementTree.parse(self.path("out.svg"))
        self.assertIn(bad, "".join(root.getroot().itertext()))
        self.assertFalse([e for e in root.iter() if e.tag.endswith("script")])
        for file in glob.glob(self.path("vtk/*")):
            xml.etree.ElementTree.parse(file)
        with open(self.path("out.json"), encoding="utf-8") as file:
            json.load(file)

    def test_s15_a_few_bytes_stay_small(self):
        laughs = "".join(f"  a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 12))
        self.write("self.acf", "READ/FILE = self.acf\n")
        for k in range(40):
            self.write(f"chain{k}.yaml", f"include: chain{k + 1}.yaml\n")
        beam = ("flexible: {b: {type: beam2d, line: [[0, 0, 0], [1, 0, 0]], elements: 1000001, material: {E: 1e7, nu: 0.3, "
                "density: 1000}, section: {height: 0.1, width: 0.1}}}\n")
        for text, word in ((BODY + "outputs: {x: " + "[" * 100000, "nested too deeply"),
                           (f"trammel: 1\nparameters:\n  a0: &a0 [1]\n{laughs}", "aliases stand for more"),
                           ("trammel: 1\ninclude: chain0.yaml\n", "32 deep"),
                           ("trammel: 1\ninclude: [" + ", ".join(["model.yaml"] * 3) + "]\n", "includes itself"),
                           (BODY + f"outputs: {{x: {'-' * 70000}1}}\n", "too long"),
                           (BODY + f"outputs: {{x: {'(' * 300}1{')' * 300}}}\n", "200 levels"),
                           ("trammel: 1\nbodies:\n  for i in 1..1e9:\n    \"c{i}\": {mass: 1}\n", "more than 10000000"),
                           ("trammel: 1\n" + beam, "1 to 1000000"),
                           (BODY + "simulate: {end: 1, output_step: 1e-12}\n", "more than 1e9 rows")):
            model = self.write("model.yaml", text)
            status, told = self.limited("run", model, memory=1 << 30)
            self.assertEqual(status, 2, told[:500])
            self.assertIn(word, told)
        self.write("data.adm", DATASET % "")
        for text, word in (("READ/FILE = self.acf\n", "read each other"), ("SIM/DYN, END = 1, STEPS = 2000000000\n", "STEPS: expected 1 to 1e9")):
            self.write("go.acf", f"data\nout\n{text}")
            status, told = self.told("run", "go.acf")
            self.assertEqual(status, 2, told)
            self.assertIn(word, told)

    def limited(self, *args, memory):
        done = subprocess.run([self.command, *args], capture_output=True, timeout=120, cwd=self.folder.name, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))
        return done.returncode, done.stderr.decode()

    def test_s16_limits_of_the_system_end_a_run(self):
        model = self.write("model.yaml", 'trammel: 1\nbodies:\n  for i in 1..1000000:\n    "b{i}": {mass: 1, inertia: [1, 1, 1]}\n')
        status, told = self.limited("check", model, memory=300 << 20)
        self.assertEqual((status, told), (1, "error: out of memory\n"))
        run = subprocess.run([self.command, "run", self.model, "-e", "1e9", "-o", self.path("out.h5")], capture_output=True, text=True,
                             timeout=120, check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 5)))
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("the run had ended: cancelled", self.trammel("repair", self.path("out.h5")).stdout)


class Results(Case):
    def test_s24_vtk_stays_in_its_folder(self):
        model = self.write("model.yaml", 'trammel: 1\nbodies: {"/tmp/evil": {mass: 1, inertia: [1, 1, 1]}, "a/b": {mass: 1, inertia: [1, 1, 1]}}\nflexible: {"/tmp/evil2": '
                           '{type: beam2d, line: [[0, 0, 0], [1, 0, 0]], elements: 1, material: {E: 1e7, nu: 0.3, density: 1000}, '
                           'section: {height: 0.1, width: 0.1}}}\nsimulate: {end: 0.1, output_step: 0.1}\n')
        os.mkdir(self.path("a"))
        self.trammel("run", model, "-o", self.path("out.h5"))
        before = sorted(os.listdir(self.folder.name))
        self.trammel("export", self.path("out.h5"), "--vtk", self.path("a/b"))
        self.assertEqual(sorted(os.listdir(self.folder.name)), before)
        self.assertEqual(os.listdir(self.path("a")), ["b"])
        self.assertGreater(len(os.listdir(self.path("a/b"))), 3)


class Reports(Case):
    PLACE = "<!--TRAMMEL-DATA-->"

    def test_s30_the_policy_allows_no_request(self):
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', source("viewer/index.html")).group(1)
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        self.assertEqual(rules["default-src"], "'none'")
        self.assertNotRegex(policy, r"https?:|\*|unsafe-eval|wasm")
        for allowed in rules.values():
            self.assertLessEqual(set(allowed.split()), {"'none'", "'self'", "'unsafe-inline'", "data:", "blob:"})
        head = source("viewer/index.html")
        self.assertLess(head.index("Content-Security-Policy"), head.index("<link"))

    def test_s32_what_a_report_holds(self):
        page = self.write("page.html", f"<body>{self.PLACE}</body>")
        self.write("part.yaml", "parameters: {L: 1}  # of the included file\n")
        model = self.write("model.yaml", BODY + "# of the model\ninclude: part.yaml\nsimulate: {end: 0.1}\n")
        subprocess.run([self.command, "run", model, "--report", self.path("out.html"), "-q"], check=True,
                       env=dict(os.environ, TRAMMEL_VIEWER=page, PRIVATE="hunter2"))
        with open(self.path("out.html"), encoding="utf-8") as file:
            text = file.read()
        import base64  # pylint: disable=import-outside-toplevel
        import zlib  # pylint: disable=import-outside-toplevel
        data = base64.b64decode(re.search(r">([A-Za-z0-9+/=]+)<", text).group(1))
        header = json.loads(data[16:16 + int.from_bytes(data[8:12], "little")])
        self.assertIn(model, header["run"]["command"])
        blocks = json.dumps(header)

        def inflate(node):
            nonlocal blocks
            if isinstance(node, dict) and {"at", "bytes"} <= node.keys():
                try:
                    blocks += zlib.decompress(data[node["at"]:node["at"] + node["bytes"]]).decode("latin-1")
                except zlib.error:
                    blocks += data[node["at"]:node["at"] + node["bytes"]].decode("latin-1")
            for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
                inflate(child)

        inflate(header)
        self.assertIn("# of the model", blocks)
        self.assertNotIn("of the included file", blocks)
        self.assertNotIn("hunter2", blocks)


class Watch(Case):
    def setUp(self):
        super().setUp()
        self.write("page.html", f"<body>{Reports.PLACE}</body>")
        self.trammel("run", self.model, "-e", "0.1", "-o", self.path("out.h5"), "-q")
        self.port, self.token = self.serve()

    def serve(self):
        env = dict(os.environ, TRAMMEL_VIEWER=self.path("page.html"))
        server = self.start("watch", self.path("out.h5"), "--no-open", env=env)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", server.stdout.readline().strip())
        return int(found.group(1)), found.group(2)

    def get(self, path, host=None, method="GET", more=""):
        """Status and head of an answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as link:
            link.sendall(f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{self.port}'}\r\n{more}\r\n".encode())
            answer = b""
            while part := link.recv(65536):
                answer += part
        head = answer.partition(b"\r\n\r\n")[0].decode().lower()
        return int(head.split()[1]), head

    def test_s40_loopback_only(self):
        with open("/proc/net/tcp", encoding="ascii") as table:
            local = [line.split()[1] for line in table.readlines()[1:]
                     if line.split()[3] == "0A" and line.split()[1].endswith(f":{self.port:04X}")]
        self.assertEqual(local, [f"0100007F:{self.port:04X}"])
        with open("/proc/net/tcp6", encoding="ascii") as table:
            self.assertNotIn(f":{self.port:04X} 0", table.read())

    def test_s41_a_token_of_each_start(self):
        self.assertEqual(len(self.token), 32)
        self.assertIn("getrandom(", source("cli/server.c"))
        tokens = {self.token, *(self.serve()[1] for _ in range(3))}
        self.assertEqual(len(tokens), 4)
        digits = f"{(int(self.token[-1], 16) + 1) % 16:x}"
        for wrong in ("", "0" * 32, self.token[:-1], self.token[:-1] + digits, self.token.upper() + "x", "x" + self.token[1:]):
            for path in ("", "data?from=0"):
                self.assertIn(self.get(f"/{wrong}/{path}")[0], (400, 404))
        self.assertEqual(self.get(f"/{self.token}/")[0], 200)

    def test_s42_other_names_of_this_machine(self):
        for host in ("evil.example", f"evil.example:{self.port}", f"127.0.0.1.evil.example:{self.port}", f"[::1]:{self.port}",
                     f"0.0.0.0:{self.port}", "127.0.0.1:1"):
            self.assertEqual(self.get(f"/{self.token}/", host=host)[0], 403, host)
        self.assertEqual(self.get(f"/{self.token}/", host=f"localhost:{self.port}")[0], 200)

    def test_s43_pages_of_others(self):
        for path in ("", "data?from=0"):
            status, head = self.get(f"/{self.token}/{path}", more="Origin: http://evil.example\r\n")
            self.assertEqual(status, 200)
            self.assertNotIn("access-control-allow", head)
            for line in ("cross-origin-resource-policy: same-origin", "x-frame-options: deny", "x-content-type-options: nosniff",
                         "referrer-policy: no-referrer", "frame-ancestors 'none'"):
                self.assertIn(line, head)

    def test_s44_one_file_and_no_other(self):
        for path in ("../pendulum.yaml", "pendulum.yaml", "out.h5", "%2e%2e/pendulum.yaml", "/etc/passwd", "data?from=0&file=/etc/passwd",
                     "data?from=-1", "..%2f..%2fetc/passwd"):
            self.assertIn(self.get(f"/{self.token}/{path}")[0], (400, 404), path)
        before = os.stat(self.path("out.h5"))
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
            self.assertEqual(self.get(f"/{self.token}/", method=method)[0], 405)
        after = os.stat(self.path("out.h5"))
        self.assertEqual((before.st_size, before.st_mtime_ns), (after.st_size, after.st_mtime_ns))

    def send(self, request):
        """Status of the answer to these bytes; 0: none, the connection was closed."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as link:
            answer = b""
            try:
                link.sendall(request)
                link.shutdown(socket.SHUT_WR)
                while part := link.recv(65536):
                    answer += part
            except ConnectionError:
                pass  # hung up at once
            except OSError as error:  # hung up before the end was told: that is no ConnectionError
                if error.errno != errno.ENOTCONN:
                    raise
        return int(answer.split()[1]) if answer else 0

    def test_s44_broken_requests(self):
        host, page = f"Host: 127.0.0.1:{self.port}", f"/{self.token}/"
        good = f"GET {page} HTTP/1.1\r\n{host}\r\n\r\n"
        self.assertEqual(self.send(good.encode()), 200)
        broken = [
            f"GET {page}\r\n{host}\r\n\r\n", f"GET {page} HTTP/2.0\r\n{host}\r\n\r\n", f"get {page} HTTP/1.1\r\n{host}\r\n\r\n",
            f"GET  {page} HTTP/1.1\r\n{host}\r\n\r\n", f"GET http://127.0.0.1{page} HTTP/1.1\r\n{host}\r\n\r\n",
            f"GET {page} HTTP/1.1\r\n\r\n", f"GET {page} HTTP/1.1\r\n{host}\r\n{host}\r\n\r\n",
            f"GET {page} HTTP/1.1\r\n{host}\r\nHost: evil.example\r\n\r\n", f"GET {page} HTTP/1.1\n{host}\n\n",
            f"GET {page} HTTP/1.1\r\n {host}\r\n\r\n", f"GET {page} HTTP/1.1\r\nHost : 127.0.0.1:{self.port}\r\n\r\n",
            f"GET {page} HTTP/1.1\r\nX: a\r\n b{host}\r\n\r\n", f"GET {page}\0 HTTP/1.1\r\n{host}\r\n\r\n",
            f"\r\n\r\nGET {page} HTTP/1.1\r\n{host}\r\n\r\n", f"GET {page} HTTP/1.1\r\n{host}\r\nX: {'x' * 5000}\r\n\r\n",
        ]
        for request in broken:
            self.assertIn(self.send(request.encode()), (0, 400, 403, 404, 405, 431), request[:200])
        # by lot: bytes of a request without the token are changed, lost, doubled, and cut off
        lot, other = random.Random(1), good.replace(self.token, "0" * 32).encode()
        for number in range(1000):
            request = bytearray(other)
            for _ in range(lot.randrange(1, 8)):
                at = lot.randrange(len(request))
                request[at:at + lot.randrange(2)] = bytes(lot.choice(b"\0\r\n :/GETHost\xff") for _ in range(lot.randrange(3)))
            if lot.random() < 0.3:
                request = request[:lot.randrange(len(request))] * lot.randrange(1, 30)
            self.assertIn(self.send(bytes(request)), (0, 400, 403, 404, 405, 431), (number, bytes(request)))
        self.assertEqual(self.send(good.encode()), 200)  # it is as it was

    def test_s45_slow_and_many(self):
        idle = [socket.create_connection(("127.0.0.1", self.port), timeout=60) for _ in range(24)]
        try:
            for link in idle:
                link.sendall(b"GET / HTTP/1.1\r\nX: ")
            start = time.monotonic()
            self.assertEqual(self.get(f"/{self.token}/")[0], 200)
            self.assertLess(time.monotonic() - start, 20)  # twice 5 s for those before it, and a busy machine
        finally:
            for link in idle:
                link.close()
        self.assertEqual(self.get("/" + "x" * 3000)[0] // 100, 4)
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as link:
            try:
                link.sendall(b"X" * 10_000_000)
                self.assertIn(b" 431 ", link.recv(100))
            except ConnectionError:
                pass  # hung up at once


class Files(Case):
    def test_s50_variables_of_the_environment(self):
        read = set()
        for path in glob.glob(os.path.join(SOURCE, "src", "**", "*.[ch]"), recursive=True) + glob.glob(os.path.join(SOURCE, "cli", "*.c")):
            text = source(path)
            read |= set(re.findall(r'getenv\("(\w+)"\)', text))
            self.assertEqual(len(re.findall(r"getenv\(", text)), len(re.findall(r'getenv\("', text)), path)
        line = re.search(r"\*\*S50\*\* (.*?) are looked at", source("SECURITY.md"), re.DOTALL).group(1)
        self.assertEqual(read, set(re.findall(r"`(\w+)`", line)))
        page = self.write("page.html", f"<body>mine {Reports.PLACE}</body>")
        subprocess.run([self.command, "run", self.model, "-e", "0.1", "--report", self.path("out.html"), "-q"], check=True,
                       env=dict(os.environ, TRAMMEL_VIEWER=page))
        with open(self.path("out.html"), encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("<body>mine "))

    def test_s60_links_are_replaced(self):
        victim = self.write("victim", "precious\n")
        page = self.write("page.html", f"<body>{Reports.PLACE}</body>")
        env = dict(os.environ, TRAMMEL_VIEWER=page)
        for option, name in (("-o", "out.h5"), ("--report", "out.html")):
            for link in (name, name + ".new"):
                os.symlink(victim, self.path(link))
            subprocess.run([self.command, "run", self.model, "-e", "0.1", option, self.path(name), "-q"], check=True, env=env)
            self.assertFalse(os.path.islink(self.path(name)))
            with open(victim, encoding="utf-8") as file:
                self.assertEqual(file.read(), "precious\n")
        os.symlink(victim, self.path("link.csv"))
        self.trammel("run", self.model, "-e", "0.1", "--csv", self.path("link.csv"))
        with open(victim, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("time"))
        # where a file must have a name from the start, it is a new one
        self.assertRegex(source("src/io/file/draft.c"), r"open\(d->temporary, O_RDWR \| O_CREAT \| O_EXCL \| O_NOFOLLOW")

    def test_s61_temporary_files(self):
        os.mkdir(self.path("tmp"))
        page = self.write("page.html", f"<body>{Reports.PLACE}</body>")
        env = dict(os.environ, TRAMMEL_VIEWER=page, TMPDIR=self.path("tmp"))
        subprocess.run([self.command, "linearize", self.model, "--report", self.path("out.html"), "-q"], check=True, env=env)
        self.assertEqual(os.listdir(self.path("tmp")), [])
        # nobody else makes temporary files, and these ways make them for their owner alone
        ways = {}
        for path in glob.glob(os.path.join(SOURCE, "src", "**", "*.c"), recursive=True) + glob.glob(os.path.join(SOURCE, "cli", "*.c")):
            for way in re.findall(r"\b(mko?stemps?|tmpfile|tmpnam|tempnam|mktemp|O_TMPFILE)\b", source(path)):
                ways.setdefault(way, set()).add(os.path.basename(path))
        self.assertLessEqual(ways.keys(), {"mkostemp", "tmpfile", "O_TMPFILE"})
        for path in ("src/io/report/container.c", "src/io/file/unnamed.c"):
            self.assertIn("O_TMPFILE | O_RDWR | O_CLOEXEC, 0600", source(path))

    def test_s62_permissions_follow_the_umask(self):
        page = self.write("page.html", f"<body>{Reports.PLACE}</body>")
        names = {"-o": "out.h5", "--csv": "out.csv", "--summary": "out.json", "--report": "out.html"}
        for mask in (0o077, 0o022):
            subprocess.run([self.command, "run", self.model, "-e", "0.1", "-q", *(x for o, n in names.items() for x in (o, self.path(n)))],
                           check=True, env=dict(os.environ, TRAMMEL_VIEWER=page), umask=mask)
            for name in names.values():
                self.assertEqual(stat.S_IMODE(os.stat(self.path(name)).st_mode), 0o666 & ~mask, name)
                os.unlink(self.path(name))


if __name__ == "__main__":
    main()
