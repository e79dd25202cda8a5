"""trammel plot: figures of whole runs, and what is refused.

    test_plot.py PATH-OF-TRAMMEL [unittest arguments]
"""
import os
import random
import re
import signal
import struct
import time
import xml.etree.ElementTree
import zlib

from support import Case, main

MODEL = """\
trammel: 1
title: Pendulum
gravity: [0, -9.81, 0]
bodies:
  rod: {mass: 2, inertia: [0.01, 0.2, 0.2], position: [1, 0, 0]}
joints:
  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: z}
outputs:
  theta: {value: angle(pin), unit: rad}
  omega: {value: angular_velocity(pin), unit: rad/s}
simulate: {end: 2, output_step: 0.01}
"""

MANY = """\
trammel: 1
gravity: [0, -10, 0]
bodies:
  for i in 1..501:
    "p{i}": {type: point, mass: 1, position: [i, 0, 0]}
simulate: {end: 1, output_step: 0.1}
"""


def png_pixels(path):
    """Width, height and the rows of (r, g, b) bytes of an 8-bit RGB picture."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, head = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, depth, color = head[:4]
    assert (depth, color) == (8, 2)
    raw, rows, above = zlib.decompress(packed), [], bytearray(3 * width)
    for y in range(height):
        line = raw[y * (3 * width + 1) : (y + 1) * (3 * width + 1)]
        row = bytearray(line[1:])
        for k, byte in enumerate(row):
            a = row[k - 3] if k >= 3 else 0
            b, c = above[k], above[k - 3] if k >= 3 else 0
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[k] = (byte + (0, a, b, (a + b) // 2, paeth)[line[0]]) & 0xFF
        rows.append(row)
        above = row
    return width, height, rows


class Plot(Case):
    model_text = MODEL

    def setUp(self):
        super().setUp()
        self.h5, self.csv, self.svg = (self.path(n) for n in ("a.h5", "a.csv", "a.svg"))
        self.trammel("run", self.model, "-q", "-o", self.h5, "--csv", self.csv)

    def figure(self, *args, source=None):
        """The SVG of a plot, as text; it must be well-formed."""
        self.trammel("plot", source or self.h5, *args, "-q", "-o", self.svg)
        with open(self.svg, encoding="utf-8") as file:
            text = file.read()
        xml.etree.ElementTree.fromstring(text)
        return text

    def panels(self, text):
        return text.count("<clipPath")

    def test_channels_with_one_unit_share_a_panel(self):
        text = self.figure("theta", "omega", "rod.position.x", "rod.position.y")
        self.assertEqual(self.panels(text), 3)
        self.assertIn(">theta, rad</text>", text)
        self.assertIn(">position, m</text>", text)
        self.assertIn(">rod.position.y</text>", text)
        self.assertEqual(text.count(">time, s</text>"), 1)

    def test_patterns(self):
        text = self.figure("pin.reaction.*")
        self.assertEqual(self.panels(text), 2)  # N and N m
        self.assertIn(">pin.reaction.tz_local</text>", text)

    def test_energies_and_solver(self):
        text = self.figure("energy.*", "certificate.phi", "solver.h")
        self.assertEqual(self.panels(text), 3)
        self.assertIn(">energy.kinetic</text>", text)

    def test_over_another_channel(self):
        text = self.figure("omega", "-x", "theta")
        self.assertIn(">theta, rad</text>", text)
        self.assertNotIn("time, s", text)

    def test_options(self):
        text = self.figure("theta", "--title", "<A & B>", "--size", "500x300", "--style", "dark",
                           "--xlabel", "t", "--ylabel", "angle", "--from", "0.5", "--to", "1")
        self.assertIn('width="500" height="300"', text)
        self.assertIn("&lt;A &amp; B&gt;", text)
        self.assertIn("#16191d", text)
        self.assertIn(">angle</text>", text)
        ticks = [float(x) for x in re.findall(r'text-anchor="middle">([\d.]+)</text>', text)]
        self.assertEqual((ticks[0], ticks[-1]), (0.5, 1.0))

    def test_log(self):
        self.assertIn("10<tspan", self.figure("solver.h", "--log"))
        self.wrong("no positive value", "plot", self.h5, "rod.position.z", "--log", "-o", self.svg)

    def test_csv_gives_the_same_curve(self):
        def curve(text):
            return re.search(r'<path d="([^"]*)" fill="none" stroke="#0072b2"', text).group(1)

        self.assertEqual(curve(self.figure("theta")), curve(self.figure("theta", source=self.csv)))

    def test_list(self):
        done = self.trammel("plot", self.h5, "--list")
        names = [line.split()[0] for line in done.stdout.splitlines()]
        for name in ("theta", "rod.position.x", "pin.reaction.fx", "energy.kinetic", "solver.h"):
            self.assertIn(name, names)
        done = self.trammel("plot", self.h5, "-l", "rod.velocity.*")
        self.assertEqual([line.split() for line in done.stdout.splitlines()],
                         [[f"rod.velocity.{c}", "m/s"] for c in "xyz"])

    def test_packed_files(self):
        model = self.write("many.yaml", MANY)
        self.trammel("run", model, "-q", "-o", self.h5)
        text = self.figure("p501.position.y", "p1.velocity.y")
        self.assertEqual(self.panels(text), 2)
        done = self.trammel("plot", self.h5, "--list", "p50[01].position.x")
        self.assertEqual(len(done.stdout.splitlines()), 2)
        self.wrong("could not be distinguished", "plot", self.h5, "p1*.position.x", "-o", self.svg)

    def test_png(self):
        png = self.path("a.png")
        args = ("plot", self.h5, "theta", "--size", "300x200", "--scale", "2", "-o", png)
        if "built without PNG support" in self.start(*args).communicate()[1]:
            self.skipTest("built without cairo")
        width, height, rows = png_pixels(png)
        self.assertEqual((width, height), (600, 400))
        blue = sum(bytes(row[k : k + 3]) == b"\x00\x72\xb2"
                   for row in rows for k in range(0, len(row), 3))
        # the curve crosses about 250 units of the page, two pixels each, and is three pixels thick
        self.assertGreater(blue, 500)
        self.assertLess(blue, 600 * 400 // 10)

    def test_a_killed_run(self):
        model = self.write("long.yaml", MODEL.replace("end: 2", "end: 1e6"))
        run = self.start("run", model, "-q", "-o", self.path("k.h5"))
        for _ in range(500):
            done = self.start("plot", self.path("k.h5"), "theta", "-o", self.svg)
            _, error = done.communicate()
            if done.returncode == 0:
                break
            time.sleep(0.02)
        self.assertIn("note: the run is not finished", error)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        done = self.trammel("plot", self.path("k.h5"), "theta", "-o", self.svg)
        self.assertIn("note: the run was killed", done.stderr)

    def test_unknown_channels(self):
        self.wrong("did you mean 'theta'?", "plot", self.h5, "thta", "-o", self.svg)
        self.wrong("did you mean 'rod.position.x'", "plot", self.h5, "rod.postion.x", "-o", self.svg)
        self.wrong("no channel matches", "plot", self.h5, "nix*", "-o", self.svg)
        self.wrong("did you mean 'omega'?", "plot", self.h5, "theta", "-x", "omeg", "-o", self.svg)
        self.assertFalse(os.path.exists(self.svg))

    def test_wrong_commands(self):
        plot = ("plot", self.h5, "theta")
        self.wrong("no channel given", "plot", self.h5, "-o", self.svg)
        self.wrong("nothing to write", *plot)
        self.wrong(".svg or .png", *plot, "-o", self.path("a.pdf"))
        self.wrong("would be overwritten", *plot, "-o", self.link("link.svg"))
        self.wrong("--size", *plot, "-o", self.svg, "--size", "wide")
        self.wrong("too small", *plot, "-o", self.svg, "--size", "50x50")
        self.wrong("light or dark", *plot, "-o", self.svg, "--style", "pink")
        self.wrong("not before", *plot, "-o", self.svg, "--from", "2", "--to", "1")
        self.wrong("no rows", *plot, "-o", self.svg, "--from", "5", "--to", "6")
        self.wrong("no rows in common", "plot", self.h5, "solver.h", "-x", "theta", "-o", self.svg)

    def test_damaged_bytes(self):
        """Whatever byte is wrong: a figure, or an error, and never a crash."""
        with open(self.h5, "rb") as file:
            whole = file.read()
        chance = random.Random(5)
        # what HDF5 itself does not free after an error is none of ours
        env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
        for k in range(40):
            data = bytearray(whole)
            for _ in range(chance.choice([1, 20])):
                data[chance.randrange(len(data) if k % 2 else 20000)] = chance.randrange(256)
            with open(self.path("bad.h5"), "wb") as file:
                file.write(data)
            run = self.start("plot", self.path("bad.h5"), "*.x", "-o", self.svg, "-q", env=env)
            _, error = run.communicate()
            self.assertIn(run.returncode, (0, 3), error)
            self.assertEqual(error.startswith("error: "), run.returncode == 3, error)

    def link(self, name):
        os.symlink(self.h5, self.path(name))
        return self.path(name)

    def test_bad_files(self):
        end = ("theta", "-o", self.svg)
        self.wrong("No such file", "plot", self.path("none.h5"), *end, status=3)
        foreign = self.write("text.h5", "not HDF5 at all")
        self.wrong("not an HDF5 file", "plot", foreign, *end, status=3)
        with open(self.h5, "rb") as file:
            whole = file.read()
        with open(self.path("cut.h5"), "wb") as file:
            file.write(whole[: len(whole) // 2])
        self.wrong("damaged", "plot", self.path("cut.h5"), *end, status=3)
        bad = self.write("bad.csv", "time,theta\n0,1\n1,x\n2,3\n")
        self.wrong("bad.csv:3: not a number", "plot", bad, *end, status=3)
        self.wrong("cannot create", "plot", self.h5, "theta", "-o", self.path("no/a.svg"), status=3)


if __name__ == "__main__":
    main()
