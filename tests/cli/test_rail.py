"""Wheels on rails as a user sees them: trammel rail, methods, frames, conversion, the end of a run that leaves the track.

    test_rail.py TRAMMEL
"""
import csv
import json
import math
import os
import unittest

from support import Case as Base
from support import main

MODELS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "models", "rail")
HUNTING = os.path.join(MODELS, "hunting.yaml")


class Rail(Base):
    def columns(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return {key: [float(row[key]) for row in rows] for key in rows[0]}

    def run_model(self, model, *args, name="out.csv"):
        self.trammel("run", model, "--quiet", "--csv", self.path(name), *args)
        return self.columns(name)

    def assert_near(self, a, b, limit):
        self.assertEqual(len(a), len(b))
        self.assertLess(max(abs(x - y) for x, y in zip(a, b)), limit)

    def test_methods_agree(self):
        """0.3 s of hunting at 30 m/s from 2 mm: each method at 1e-8 against radau at 1e-10."""
        want = self.run_model(HUNTING, "-e", "0.3", "--set", "speed=30", "-i", "radau", "-t", "1e-10")
        self.assertLess(min(want["y"]), -1e-3)  # it swings to the other side
        for method in ("radau", "rosenbrock", "bdf-si2", "hht", "bdf-i3", "tlismni-hht"):
            got = self.run_model(HUNTING, "-e", "0.3", "--set", "speed=30", "-i", method, "-t", "1e-8")
            # second order at 1e-8 of 1 m: 1e-2 of the 2 mm is far more than all have
            self.assert_near(got["y"], want["y"], 2e-5)

    def test_turned_track(self):
        """The same motion on a track that begins elsewhere, turned and shifted."""
        with open(HUNTING, encoding="utf-8") as file:
            text = file.read().replace("s1002.csv", os.path.join(MODELS, "s1002.csv"))
        straight = self.write("straight.yaml", text)
        c, s, x, y, z = math.cos(0.7), math.sin(0.7), 5.0, -3.0, 1.5

        def turn(at):
            return f"[{x} + {c}*({at[0]}) - {s}*({at[1]}), {y} + {s}*({at[0]}) + {c}*({at[1]}), {z} + {at[2]}]"
        text = text.replace("position: [0, y0, r - depth]", "position: " + turn(("0", "y0", "r - depth")) +
                            "\n    rotation: {axis: z, angle: 0.7}")
        text = text.replace("velocity: [speed, 0, 0]\n", f"velocity: [speed*{c}, speed*{s}, 0]\n")
        text = text.replace("angular_velocity: [0, speed/r, 0]", f"angular_velocity: [-{s}*speed/r, {c}*speed/r, 0]")
        for sign in ("0.75", "-0.75"):
            text = text.replace(f"at: [0, {sign} + y0, r - depth], axis: y",
                                "at: " + turn(("0", f"{sign} + y0", "r - depth")) + f", axis: [-{s}, {c}, 0]")
        text = text.replace("line: {rail: rail}", f"line: {{rail: rail, position: [{x}, {y}, {z}], rotation: {{axis: z, angle: 0.7}}}}")
        shift = f"({c}*(DY(wheelset) - {y}) - {s}*(DX(wheelset) - {x}))"
        text = text.replace("VX(wheelset) - speed)", f"{c}*VX(wheelset) + {s}*VY(wheelset) - speed)")
        text = text.replace("DY(wheelset) - 2*cy*VY(wheelset)", f"{shift} - 2*cy*({c}*VY(wheelset) - {s}*VX(wheelset))")
        text = text.replace("body: wheelset, fx", "body: wheelset, axes: first, frames: [turned, wheelset], fx").replace(
            "body: wheelset, axes: first, frames", "axes: first, frames")
        text = text.replace("y: {value: DY(wheelset), unit: m}", f'y: {{value: "{shift}", unit: m}}')
        text += f"frames: {{turned: {{position: [0, 0, 0], rotation: {{axis: z, angle: 0.7}}}}}}\n"
        turned = self.write("turned.yaml", text)
        options = ("-e", "0.3", "--set", "speed=30", "-i", "radau", "-t", "1e-9")
        a, b = self.run_model(straight, *options), self.run_model(turned, *options, name="b.csv")
        # both are off by what radau at 1e-9 leaves; measured 2e-9
        self.assert_near(a["y"], b["y"], 1e-7)
        self.assert_near(a["load"], b["load"], 1.0)  # N, of 50000

    def test_converted(self):
        """trammel convert keeps the motion, also from another folder."""
        self.trammel("convert", HUNTING, self.path("again.yaml"))
        options = ("-e", "0.2", "-i", "radau")
        a = self.run_model(HUNTING, *options)
        b = self.run_model(self.path("again.yaml"), *options, name="b.csv")
        self.assertEqual(a["y"], b["y"])

    def test_rows_do_not_disturb(self):
        """Rows between steps lie on the motion of a run with few of them."""
        few = self.run_model(HUNTING, "-e", "0.2", "--output-step", "0.1", "-i", "radau", "-t", "1e-8")
        many = self.run_model(HUNTING, "-e", "0.2", "--output-step", "0.001", "-i", "radau", "-t", "1e-8", name="b.csv")
        self.assert_near(few["y"], many["y"][::100], 1e-12)  # the same steps: rounding

    def test_derailment(self):
        """A push of 250 kN over the springs: the run ends where a wheel loses its rail, with all rows."""
        done = self.trammel("run", HUNTING, "-e", "2", "--set", "push=250e3", "--csv", self.path("out.csv"),
                            "-o", self.path("out.h5"))
        self.assertIn("has lost its rail", done.stdout + done.stderr)
        run = self.columns("out.csv")
        self.assertLess(run["time"][-1], 1.0)
        self.assertLess(abs(run["hold"][-1]), 1e-6)  # the row of the event, located to rounding of the motion
        self.assertGreater(min(run["hold"][:-1]), 0.0)
        self.trammel("export", self.path("out.h5"), "y", "-o", self.path("y.csv"))
        self.assertEqual(self.columns("y.csv")["y"], run["y"])

    def test_end_of_the_track(self):
        with open(HUNTING, encoding="utf-8") as file:
            text = file.read().replace("line: {rail: rail}", "line: {rail: rail, position: [-1, 0, 0], segments: [{straight: 5}]}")
        done = self.trammel("run", self.write("short.yaml", text), "-e", "2", "--csv", self.path("out.csv"))
        self.assertIn("is at the end of the track", done.stdout + done.stderr)
        self.assertAlmostEqual(self.columns("out.csv")["time"][-1], 4 / 20, delta=1e-3)  # the wheelset is braked by creep on its way, measured 6e-5 s

    def test_statics_and_critical_speed(self):
        """The load settles to half of the weight; hunting begins where linearize says."""
        self.trammel("statics", HUNTING, "--set", "y0=0", "--set", "depth=0.2 mm", "--set", "speed=0", "--json", self.path("out.json"))
        with open(self.path("out.json"), encoding="utf-8") as file:
            out = json.load(file)
        self.assertAlmostEqual(out["forces"]["left"]["outputs"]["vertical"], 5e4, delta=1e-3)  # the residual of statics
        self.assertEqual(len(out["forces"]["left"]["outputs"]), 60)
        self.trammel("linearize", HUNTING, "--set", "y0=0", "--set", "depth=0.2 mm", "--over", "speed=60:66:2", "--at", "0.1", "--critical",
                     "--json", self.path("out.json"))
        with open(self.path("out.json"), encoding="utf-8") as file:
            crossings = json.load(file)["crossings"]
        self.assertEqual(len(crossings), 1)
        # a run of 0.1 s leaves the load off by 1 %, which moves it by 0.02; measured 63.66
        self.assertAlmostEqual(crossings[0]["value"], 63.66, delta=0.05)
        self.assertTrue(crossings[0]["unstable"])

    def test_contact_points(self):
        done = self.trammel("rail", HUNTING, "--csv", self.path("out.csv"), "--json", self.path("out.json"),
                            "--svg", self.path("out.svg"))
        self.assertIn("left and right, shifts from -8 to 8 mm", done.stdout)
        table = self.columns("out.csv")
        # the tread is a cone of 1 in 20; roll moves its contact on the crown of 300 mm: 2 %
        middle = [k for k, y in enumerate(table["y"]) if abs(y) < 3e-3]
        slope = (table["delta_r"][middle[-1]] - table["delta_r"][middle[0]]) / (table["y"][middle[-1]] - table["y"][middle[0]])
        self.assertAlmostEqual(slope, 0.1, delta=0.003)
        with open(self.path("out.json"), encoding="utf-8") as file:
            out = json.load(file)
        self.assertAlmostEqual(out["conicity"][19]["tan_gamma_e"], 0.05, delta=0.0015)  # half the slope
        self.assertTrue(any(len(row["left"]) > 1 for row in out["shifts"]))  # tread and flange at once
        with open(self.path("out.svg"), encoding="utf-8") as file:
            self.assertIn("Equivalent conicity", file.read())

    def test_wrong_options(self):
        def refused(args, text):
            self.assertIn(text, self.trammel("rail", *args, status=2).stderr)
        refused([HUNTING, "--left", "right"], "is no rail_wheel on the left rail")
        refused([HUNTING, "--left", "load"], "is no rail_wheel")
        refused([HUNTING, "--right", "nobody"], "there is no force 'nobody'")
        refused([HUNTING, "--range", "0.5"], "a range below 0.1 m")
        refused([HUNTING, "--csv", HUNTING], "overwritten")
        refused([self.write("none.yaml", "trammel: 1\n")], "no rail_wheel on the left rail")


if __name__ == "__main__":
    main()
