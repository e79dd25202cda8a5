"""Reports and the server of `trammel watch`, as a user and as a stranger sees them.

    test_report.py PATH-OF-TRAMMEL [unittest arguments]

The page is a stand-in with the place for the data; the real one is tested by viewer/tests.
"""
import base64
import json
import os
import re
import signal
import socket
import struct
import subprocess
import time
import zlib

from support import Case, main

PAGE = "<!doctype html><title>t</title><body><!--TRAMMEL-DATA--><script>0</script></body>"


def container(data):
    """The header of a container."""
    assert data[:8] == b"TMLREP01", data[:8]
    return json.loads(data[16:16 + struct.unpack("<I", data[8:12])[0]])


def values(data, block):
    """Numbers of a block of floats."""
    raw = zlib.decompress(data[block["at"]:block["at"] + block["bytes"]])
    size = {"f64": 8, "f32": 4}[block["type"]]
    n = len(raw) // size
    if block.get("shuffle"):
        raw = b"".join(bytes(raw[p * n + k] for p in range(size)) for k in range(n))
    return struct.unpack("<%d%s" % (n, "d" if size == 8 else "f"), raw)


class ReportCase(Case):
    def setUp(self):
        super().setUp()
        os.environ["TRAMMEL_VIEWER"] = self.write("page.html", PAGE)
        self.addCleanup(os.environ.pop, "TRAMMEL_VIEWER")

    def report(self, name):
        """Data and header of a report."""
        with open(self.path(name), encoding="utf-8") as file:
            text = file.read()
        found = re.search(r'<script id="trammel-data" type="text/plain">(.*?)</script>', text)
        self.assertEqual(text, PAGE.replace("<!--TRAMMEL-DATA-->", found.group(0)))
        data = base64.b64decode(found.group(1), validate=True)
        return data, container(data)


class Report(ReportCase):
    def test_results(self):
        self.trammel("run", self.model, "-o", self.path("a.h5"), "--end", "1")
        done = self.trammel("report", self.path("a.h5"))
        self.assertIn("a.html", done.stdout)
        data, header = self.report("a.html")
        self.assertEqual(header["status"], "done")
        times = values(data, header["frames"]["time"])
        self.assertEqual(len(times), 101)
        self.assertEqual(times[-1], 1.0)

    def test_run(self):
        self.trammel("run", self.model, "--report", self.path("a.html"), "--end", "1", "--set",
                     "m=3", "--option", "alpha=-0.1", "--integrator", "hht")
        _, header = self.report("a.html")
        self.assertEqual(sorted(os.listdir(self.folder.name)),
                         ["a.html", "page.html", "pendulum.yaml"])
        command = header["run"]["command"].split()
        self.assertEqual(command[:2], ["trammel", "run"])
        # the command makes the same run again
        self.trammel(*command[1:], "-o", self.path("b.h5"), "-q")
        self.trammel("report", self.path("b.h5"))
        _, again = self.report("b.html")
        for key in ("integrator", "tolerance", "end_time", "output_step", "options", "model", "rows",
                    "command"):
            self.assertEqual(again["run"][key], header["run"][key], key)
        for key in ("steps", "rejected", "iterations", "factorizations"):
            self.assertEqual(again["run"]["statistics"][key], header["run"]["statistics"][key], key)

    def commands(self, text):
        """A slider that a motion drives, and commands about it."""
        self.write("slide.adm", "slider\nUNITS/SYSTEM=MKS\nPART/1, GROUND\n"
                   "MARKER/1, PART=1, REULER=90D, 90D, 0\n"
                   "PART/2, MASS=2, CM=20, IP=1,1,1, VX=2\nMARKER/20, PART=2, REULER=90D, 90D, 0\n"
                   "JOINT/1, TRANSLATIONAL, I=20, J=1\nMOTION/1, JOINT=1, FUNCTION=2*TIME\n"
                   "REQUEST/1, F2=DX(20,1)\nEND\n")
        return self.write("slide.acf", "slide\nout\n" + text + "STOP\n")

    def test_commands_are_joined(self):
        model = self.commands("SIM/KIN, END=0.5, STEPS=5\nDEACTIVATE/MOTION, ID=1\n"
                              "SIM/DYN, END=1, STEPS=5\n")
        self.trammel("run", model, "--report", self.path("a.html"))
        data, header = self.report("a.html")
        times = values(data, header["frames"]["time"])
        self.assertEqual([round(t, 12) for t in times], [round(0.1 * k, 12) for k in range(11)])
        self.assertEqual(header["run"]["end_time"], 1)
        self.assertEqual(header["status"], "done")
        self.assertEqual(sorted(os.listdir(self.folder.name)),
                         ["a.html", "page.html", "pendulum.yaml", "slide.acf", "slide.adm"])

    def test_commands_that_bring_joints(self):
        model = self.commands("DEACTIVATE/MOTION, ID=1\nSIM/DYN, END=0.5, STEPS=5\n"
                              "ACTIVATE/MOTION, ID=1\nSIM/DYN, END=1, STEPS=5\n")
        self.trammel("run", model, "--report", self.path("a.html"), "-o", self.path("a.h5"))
        for name, rows in (("a.html", 6), ("a-2.html", 5)):
            _, header = self.report(name)
            self.assertEqual(header["run"]["rows"], rows)
        self.assertTrue(os.path.exists(self.path("a-2.h5")))
        kept = [values(data, header["frames"]["time"]) for data, header in map(self.report, ("a.html", "a-2.html"))]
        before = sorted(os.listdir(self.folder.name))
        self.trammel("run", model, "--report", self.path("b.html"))  # results of both parts have no name
        for name, want in zip(("b.html", "b-2.html"), kept):
            data, header = self.report(name)
            self.assertEqual((values(data, header["frames"]["time"]), header["run"]["results"]), (want, ""))
        self.assertEqual(sorted(os.listdir(self.folder.name)), sorted(before + ["b.html", "b-2.html"]))

    def test_commands_that_fail_later(self):
        model = self.commands("SIM/KIN, END=0.5, STEPS=5\nDEACTIVATE/MOTION, ID=1\n"
                              "SIM/KIN, END=1, STEPS=5\n")
        done = self.trammel("run", model, "--report", self.path("a.html"), status=2)
        self.assertIn("slide.acf:5:1: SIMULATE/KINEMATICS needs", done.stderr)
        _, header = self.report("a.html")  # what was reached
        self.assertEqual(header["run"]["rows"], 6)
        self.assertIn("SIMULATE/KINEMATICS", header["status"])

    def test_failed_run(self):
        model = self.write("fails.yaml", self.model_text +
                           "forces:\n  f: {type: torque, body: rod, tz: sqrt(0.5 - time)}\n")
        self.trammel("run", model, "--report", self.path("a.html"), "--end", "1", "--output-step",
                     "0.01", status=1)
        _, header = self.report("a.html")
        self.assertNotIn(header["status"], ("done", "running"))
        self.assertGreater(header["run"]["rows"], 10)

    def test_interrupted_run(self):
        with self.start("run", self.model, "--report", self.path("a.html"), "--end", "1e6",
                        "--output-step", "0.01") as run:
            time.sleep(1.0)
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=60)
            self.assertEqual(run.returncode, 1)
        _, header = self.report("a.html")
        self.assertIn("cancelled", header["status"])
        self.assertGreater(header["run"]["rows"], 0)

    def test_compare(self):
        self.trammel("compare", self.model, "--end", "0.5", "-i", "hht,radau", "--tols", "1e-3,1e-4",
                     "--repeat", "1", "--report", self.path("a.html"))
        _, header = self.report("a.html")
        rows = header["compare"]["rows"]
        self.assertEqual([(r["method"], r["tolerance"]) for r in rows],
                         [("hht", 1e-3), ("hht", 1e-4), ("radau", 1e-3), ("radau", 1e-4)])
        self.assertTrue(all(r["error"] > 0 and r["steps"] > 0 for r in rows))
        self.assertNotIn("frames", header)

    def test_two_runs(self):
        """Runs of different models and output times, each whole."""
        other = self.write("other.yaml", "trammel: 1\ntitle: Other\nbodies:\n"
                           "  ball: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}\n"
                           "outputs: {x: {value: DX(ball), unit: m}}\n")
        self.trammel("run", self.model, "-o", self.path("a.h5"), "--end", "1")
        self.trammel("run", other, "-o", self.path("b.h5"), "--end", "2", "--output-step", "0.5")
        self.trammel("report", self.path("a.h5"), self.path("b.h5"), "-o", self.path("two.html"))
        with open(self.path("two.html"), encoding="utf-8") as file:
            text = file.read()
        found = re.findall(r'<script id="(.*?)" type="text/plain">(.*?)</script>', text)
        self.assertEqual([name for name, _ in found], ["trammel-data", "trammel-data-2"])
        data = [base64.b64decode(one, validate=True) for _, one in found]
        headers = [container(one) for one in data]
        self.assertEqual([h["run"]["results"] for h in headers], ["a.h5", "b.h5"])
        self.assertEqual([h["scene"]["bodies"][1]["name"] for h in headers], ["rod", "ball"])
        times = [values(d, h["frames"]["time"]) for d, h in zip(data, headers)]
        self.assertEqual((len(times[0]), times[1]), (101, (0.0, 0.5, 1.0, 1.5, 2.0)))
        # the first is bit for bit what it is alone
        self.trammel("report", self.path("a.h5"), "-o", self.path("one.html"))
        self.assertEqual(self.report("one.html")[0], data[0])
        self.wrong("No such file", "report", self.path("a.h5"), self.path("none.h5"), status=3)
        self.assertFalse(os.path.exists(self.path("a.html")))

    def test_modes(self):
        """Shapes of rigid and flexible bodies are those of --json, about the state of --static."""
        model = self.write("beam.yaml", """trammel: 1
title: Mast
bodies:
  car:
    mass: 3
    inertia: [1, 1, 1]
    position: [0, 0, 0.2]
joints:
  track: {type: translational, bodies: [ground, car], at: [0, 0, 0], axis: x}
flexible:
  mast:
    type: beam
    line: [[0, 0, 0.2], [0, 0, 1.2]]
    elements: 3
    material: {E: 2e9, nu: 0.3, density: 1000}
    section: {width: 30 mm, height: 20 mm}
    start: {clamp: car}
forces:
  spring:
    {type: spring, bodies: [ground, car], points: [[-1, 0, 0.2], [0, 0, 0.2]], stiffness: 500,
     damping: 2, free_length: 0.8}
""")
        os.environ["TMPDIR"] = self.folder.name
        self.addCleanup(os.environ.pop, "TMPDIR")
        self.trammel("linearize", model, "--static", "--json", self.path("m.json"), "--report",
                     self.path("m.html"), "-q")
        self.assertFalse([f for f in os.listdir(self.folder.name) if f.endswith(".h5")])
        with open(self.path("m.json"), encoding="utf-8") as file:
            told = json.load(file)
        data, header = self.report("m.html")
        modes = header["modes"]
        self.assertEqual(header["frames"]["kept"], 1)
        self.assertEqual(modes["time"], told["time"])
        self.assertEqual(len(modes["list"]), len(told["modes"]))
        translation = values(data, modes["translation"])
        rotation = values(data, modes["rotation"])
        nodes = values(data, modes["flexible"][0])
        count, parts, vectors, _ = modes["flexible"][0]["shape"]
        self.assertEqual((count, parts), (len(told["modes"]), 2))
        per_node = vectors // 4  # four nodes
        for k, (mode, want) in enumerate(zip(modes["list"], told["modes"])):
            for key in ("real", "imag", "frequency", "natural_frequency", "damping_ratio"):
                self.assertEqual(mode[key], want[key], key)
            shares = {"car": want["bodies"]["car"]["energy"], "mast": want["flexible"]["mast"]["energy"]}
            self.assertEqual(mode["energy"],
                             sorted(([n, e] for n, e in shares.items() if e >= 0.005),
                                    key=lambda pair: -pair[1]))
            for part, suffix in enumerate(("", "_imag")):
                at = 3 * (2 * k + part)
                # blocks are in single precision, of numbers up to 1 m or 1 rad
                for got, name in ((translation, "translation"), (rotation, "rotation")):
                    for x, y in zip(got[at:at + 3], want["bodies"]["car"][name + suffix]):
                        self.assertAlmostEqual(x, y, delta=1e-6)
                for n, place in enumerate(want["flexible"]["mast"]["nodes" + suffix]):
                    at = 3 * ((2 * k + part) * vectors + n * per_node)
                    for x, y in zip(nodes[at:at + 3], place):
                        self.assertAlmostEqual(x, y, delta=1e-6)
        self.wrong("must end in .html", "linearize", model, "--report", self.path("m.txt"))

    def test_mistakes(self):
        self.trammel("run", self.model, "-o", self.path("a.h5"), "--end", "0.1")
        self.wrong("must end in .html", "report", self.path("a.h5"), "-o", self.path("a.txt"))
        self.wrong("must end in .html", "run", self.model, "--report", self.path("a.h5"))
        self.wrong("No such file", "report", self.path("none.h5"), status=3)
        self.wrong("not an HDF5 file", "report", self.model, status=3)
        self.wrong("not between 0 and 0.1", "report", self.path("a.h5"), "--error", "0.5")
        self.wrong("cannot create", "report", self.path("a.h5"), "-o", self.path("no/a.html"),
                   status=3)
        os.environ["TRAMMEL_VIEWER"] = self.path("none.html")
        self.wrong("none.html", "run", self.model, "--report", self.path("a.html"), status=3)


class Watch(ReportCase):
    def setUp(self):
        super().setUp()
        self.results = self.path("a.h5")

    def serve(self, *args):
        self.server = self.start("watch", self.results, "--no-open", *args)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.stderr.close)
        address = self.server.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", address)
        self.assertIsNotNone(found, address)
        self.port, self.token = int(found.group(1)), found.group(2)

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def send(self, request):
        """The answer to the bytes of a request: status, headers, body; status 0: hung up."""
        with self.connect() as link:
            answer = b""
            try:
                link.sendall(request)
                while True:
                    part = link.recv(65536)
                    if not part:
                        break
                    answer += part
            except ConnectionError:
                pass
        if not answer:
            return 0, {}, b""
        head, _, body = answer.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:])
        self.assertEqual(int(headers["content-length"]), len(body))
        return int(lines[0].split()[1]), headers, body

    def get(self, path, host=None, method="GET", more=""):
        host = f"127.0.0.1:{self.port}" if host is None else host
        return self.send(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode())

    def rows(self, first):
        status, _, body = self.get(f"/{self.token}/data?from={first}")
        self.assertEqual(status, 200, body[:200])
        return body, container(body)

    def test_page_and_data(self):
        self.trammel("run", self.model, "-o", self.results, "--end", "1")
        self.serve()
        status, headers, body = self.get(f"/{self.token}/")
        self.assertEqual(status, 200)
        self.assertIn(b'<script id="trammel-watch" type="application/json">', body)
        self.assertIn("default-src 'none'", headers["content-security-policy"])
        self.assertEqual(headers["cache-control"], "no-store")
        data, header = self.rows(0)
        self.assertEqual((header["run"]["rows"], header["run"]["first"]), (101, 0))
        data, header = self.rows(90)
        self.assertEqual(header["run"]["first"], 90)
        times = values(data, header["frames"]["time"])
        self.assertEqual(len(times), 11)
        self.assertEqual(times[-1], 1.0)
        _, header = self.rows(1000)
        self.assertEqual(header["frames"]["kept"], 0)
        # Ctrl-C is the way to end it
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.server.wait(timeout=10), 0)

    def test_strangers(self):
        self.trammel("run", self.model, "-o", self.results, "--end", "0.1")
        self.serve()
        page = f"/{self.token}/"
        for path in ("/", "/data?from=0", f"/{'0' * 32}/", page[:-1], page[1:-1], "/../" + page,
                     f"/{self.token[:-1]}/", f"/{self.token}x/", page + "other",
                     page + "../a.h5", page + "data", page + "%2e%2e/pendulum.yaml"):
            self.assertIn(self.get(path)[0], (400, 404), path)
        for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS", "get"):
            self.assertEqual(self.get(page, method=method)[0], 405, method)
        for host in ("example.org", "127.0.0.1", f"example.org:{self.port}", "",
                     f"127.0.0.1:{self.port}.example.org"):
            self.assertEqual(self.get(page, host=host)[0], 403, host)
        self.assertEqual(self.send(f"GET {page} HTTP/1.1\r\n\r\n".encode())[0], 403)
        self.assertEqual(self.get(page, more=f"Host: 127.0.0.1:{self.port}\r\n")[0], 403)
        self.assertEqual(self.get(page, host=f"localhost:{self.port}")[0], 200)
        for number in ("", "-1", "1x", "9" * 40, "0 ", "0&x=1", "%30"):
            self.assertIn(self.get(f"{page}data?from={number}")[0], (400, 404), number)
        self.assertEqual(self.get(page)[0], 200)

    def test_garbage(self):
        self.trammel("run", self.model, "-o", self.results, "--end", "0.1")
        self.serve()
        random = bytes((k * 7919 + k // 3) % 256 for k in range(3000))
        for request in (b"\r\n\r\n", b"\0" * 100, random, b"GET\r\n\r\n", b"GET / \r\n\r\n",
                        b"GET / FTP/1.0\r\n\r\n", b"GET " + b"/" * 3000 + b" HTTP/1.1\r\n\r\n",
                        b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 100000 + b"\r\n\r\n",
                        b"A" * 1000000, b"GET / HTTP/1.1\nHost: x\n\n\r\n\r\n"):
            self.assertIn(self.send(request)[0], (0, 400, 403, 404, 405, 431), request[:40])
        self.assertEqual(self.get(f"/{self.token}/")[0], 200)
        with open(f"/proc/{self.server.pid}/status", encoding="ascii") as status:
            memory = int(re.search(r"VmHWM:\s*(\d+) kB", status.read()).group(1))
        self.assertLess(memory, 200000)  # libraries take most of it

    def test_slow_and_many(self):
        """Clients that take their time hold nobody up for longer than the limit of 5 s."""
        self.trammel("run", self.model, "-o", self.results, "--end", "0.1")
        self.serve()
        idle = [self.connect() for _ in range(24)]
        try:
            for link in idle:
                link.sendall(b"GET / HTTP/1.1\r\n")
            # 16 places are taken, 8 wait before this one: two times 5 s at most, and some
            start = time.monotonic()
            self.assertEqual(self.get(f"/{self.token}/")[0], 200)
            self.assertLess(time.monotonic() - start, 15)
        finally:
            for link in idle:
                link.close()
        start = time.monotonic()
        self.assertEqual(self.get(f"/{self.token}/")[0], 200)
        self.assertLess(time.monotonic() - start, 6)

    def test_other_addresses(self):
        """Bound to the loopback address alone."""
        self.serve()
        with open("/proc/net/tcp", encoding="ascii") as table:
            local = [line.split()[1] for line in table.readlines()[1:]
                     if line.split()[3] == "0A" and line.split()[1].endswith(f":{self.port:04X}")]
        self.assertEqual(local, [f"0100007F:{self.port:04X}"])

    def test_run_that_begins_later(self):
        self.serve()
        status, _, body = self.get(f"/{self.token}/")
        self.assertEqual(status, 200)
        self.assertIn(b"Waiting for", body)
        self.assertEqual(self.get(f"/{self.token}/data?from=0")[0], 503)
        with self.start("run", self.model, "-o", self.results, "--end", "1e6", "--output-step",
                        "0.01") as run:
            end = time.monotonic() + 60
            while not os.path.exists(self.results) and time.monotonic() < end:
                time.sleep(0.05)
            self.assertIn(b"trammel-watch", self.get(f"/{self.token}/")[2])
            _, header = self.rows(0)
            self.assertEqual(header["status"], "running")
            self.assertIsNone(header["run"]["statistics"])
            first = header["run"]["rows"]
            while header["run"]["rows"] <= first + 10 and time.monotonic() < end:
                time.sleep(0.2)
                _, header = self.rows(first)
            self.assertGreater(header["run"]["rows"], first + 10)
            self.assertEqual(header["frames"]["of"], header["run"]["rows"] - first)
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=60)
        _, header = self.rows(first)
        self.assertIn("cancelled", header["status"])
        self.assertGreater(header["run"]["statistics"]["steps"], 0)

    def test_waiting_page_escapes(self):
        self.results = self.path("<b>&a.h5")
        self.serve()
        self.assertIn(b"&lt;b&gt;&amp;a.h5", self.get(f"/{self.token}/")[2])

    def test_mistakes(self):
        self.wrong("not an HDF5 file", "watch", self.model, "--no-open", status=3)
        self.wrong("whole number", "watch", self.results, "--port", "70000")
        with socket.socket() as busy:
            busy.bind(("127.0.0.1", 0))
            busy.listen()
            self.wrong("cannot listen", "watch", self.results, "--port",
                       str(busy.getsockname()[1]), status=3)


if __name__ == "__main__":
    main()
