"""The package as users see it: models, runs, results, steps, states, analyses, errors."""
import gc
import json
import math
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

import trammel as tml

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pendulum(**words):
    """A rod on a pin with a drive: theta'' = (20 u - c theta') / 1.1 without gravity."""
    m = tml.Model(gravity=[0, 0, 0], simulate={"end": 1, "output_step": 0.05}, **words)
    m.parameters.update(c=0.0)
    m.bodies["rod"] = tml.Body(mass=1, inertia=[0.1, 0.1, 0.1], position=[1, 0, 0])
    m.joints["pin"] = tml.Joint("revolute", bodies=["ground", "rod"], at=[0, 0, 0], axis="z")
    m.inputs["u"] = 0.5
    m.forces["drive"] = tml.Force("torque", body="rod", tz="20*u - c*angular_velocity(pin)")
    m.outputs["angle"] = tml.Output(value="angle(pin)", unit="rad")
    m.outputs["speed"] = tml.Output(value="angular_velocity(pin)", unit="rad/s")
    return m


class Runs(unittest.TestCase):
    def test_closed_form(self):
        r = pendulum().run(tol=1e-8)
        # 10 / 1.1 t^2 / 2 to the tolerance times a few steps
        self.assertLess(np.abs(r["angle"] - 5 / 1.1 * r.time**2).max(), 1e-6)
        self.assertEqual(r.units["angle"], "rad")
        self.assertEqual(len(r.time), 21)
        self.assertEqual(r["rod.position.x"].shape, (21,))
        self.assertEqual(r.vector("rod.orientation").shape, (21, 4))

    def test_inputs_set_between_steps(self):
        for method in tml.integrators():
            with self.subTest(method=method):
                sim = pendulum().simulation(integrator=method, tol=1e-7)
                sim.advance(0.5)
                self.assertEqual(sim.time, 0.5)
                sim.inputs["u"] = -0.5
                sim.advance(1.0)
                # v = 10/1.1 * 0.5 and back to 0; angle 2 * 5/1.1/4. Methods of low order have errors of 1e4 tolerances
                self.assertLess(abs(sim.outputs["speed"]), 1e-3)
                self.assertLess(abs(sim.outputs["angle"] - 10 / 4.4), 1e-3)

    def test_an_input_before_the_first_step(self):
        a = pendulum().run(tol=1e-8, inputs={"u": 0.25})
        self.assertLess(np.abs(a["angle"] - 2.5 / 1.1 * a.time**2).max(), 1e-6)  # as above

    def test_tables_and_inputs_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            model, table = pathlib.Path(folder) / "m.yaml", pathlib.Path(folder) / "u.csv"
            model.write_text(json.dumps(pendulum().data))
            table.write_text("0, 0\n1, 1\n")
            ramp = tml.load(model, inputs={"u": table}).run(tol=1e-9)
            # theta'' = 20 t / 1.1: 20/6.6 t^3
            self.assertLess(np.abs(ramp["angle"] - 20 / 6.6 * ramp.time**3).max(), 1e-6)
            self.assertLess(np.abs(tml.load(model, inputs={"u": 0.25}).run(tol=1e-9)["angle"][-1] - 2.5 / 1.1), 1e-6)
            with self.assertRaisesRegex(tml.ModelError, "unknown input 'v'|'v'.*did you mean 'u'|there is no input"):
                tml.load(model, inputs={"v": 1})
            sim = tml.load(model, inputs={"u": table}).simulation()
            with self.assertRaisesRegex(tml.ArgumentError, "follows a table"):
                sim.inputs["u"] = 1

    def test_the_command_gives_the_same_numbers(self):
        trammel = os.environ.get("TRAMMEL_COMMAND")
        if not trammel:
            self.skipTest("TRAMMEL_COMMAND is not set")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.h5"
            model = ROOT / "models" / "double_pendulum.yaml"
            subprocess.run([trammel, "run", model, "-o", file, "-q"], check=True)
            command, here = tml.open_results(file), tml.load(model).run()
            self.assertEqual(set(command.names) - set(here.names),
                             {n for n in command.names if n.startswith("certificate.integrated")})
            for name in here.names:
                np.testing.assert_array_equal(command[name], here[name], err_msg=name)

    def test_results_outlive_all(self):
        angle = pendulum().run()["angle"]
        gc.collect()
        self.assertTrue(np.isfinite(angle).all())
        self.assertFalse(angle.flags.owndata)  # a view, not a copy

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "out.h5"
            r = pendulum().run(file=path)
            np.testing.assert_array_equal(r["angle"], pendulum().run()["angle"])
            again = tml.open_results(path)
            self.assertEqual(again.units["angle"], "rad")
            with self.assertRaisesRegex(KeyError, "did you mean 'angle'"):
                again["angel"]

    def test_parameters(self):
        m = pendulum()
        slow = m.with_(c=5.0)
        self.assertLess(slow.run()["speed"][-1], m.run()["speed"][-1])
        with self.assertRaisesRegex(tml.ArgumentError, "no parameter 'cc'; did you mean 'c'"):
            m.set(cc=1)
        file = tml.load(ROOT / "models" / "double_pendulum.yaml", k2="400 kN/m*1 m/1")
        self.assertRaises(tml.TrammelError, file.set, nothing_like_it=1)

    def test_controller_that_samples(self):
        target, m = 0.3, pendulum()

        def pd(sim):
            sim.inputs["u"] = 2 * (target - sim.outputs["angle"]) - 0.6 * sim.outputs["speed"]

        r = m.run(end=3, control=pd, every=0.01)
        self.assertLess(abs(r["angle"][-1] - target), 1e-3)  # poles at 9.3 and 1.6 1/s leave e^-4.8 of 0.3 N m at most

    def test_functions_in_python(self):
        m = pendulum()
        m.function("drag", lambda w: 2 * w + 0.5 * tml.tanh(w))
        m.forces["air"] = tml.Force("torque", body="rod", tz="-drag(angular_velocity(pin))")
        same = pendulum()
        same.forces["air"] = tml.Force("torque", body="rod",
                                       tz="-(2*angular_velocity(pin) + 0.5*tanh(angular_velocity(pin)))")
        a, b = (x.run(tol=1e-8, integrator="adams") for x in (m, same))
        # the same formula, rounded in another order: steps may differ, each by the tolerance
        np.testing.assert_allclose(a["angle"], b["angle"], rtol=1e-6, atol=1e-8)

    def test_derivatives_of_duals(self):
        for f in (lambda x, y: x * y / (1 + x**2), lambda x, y: tml.atan2(y, x) * tml.exp(-x), lambda x, y: x**y - abs(y),
                  lambda x, y: tml.sin(x) ** 2 + 2**y - y / 3 + 1 / x - tml.sqrt(x) * tml.cos(y)):
            x, y, h = 0.7, 1.3, 1e-6
            got = f(tml.Dual(x, (1, 0)), tml.Dual(y, (0, 1)))
            # central differences are right to h^2 and rounding / h: 1e-9
            self.assertAlmostEqual(got.g[0], (f(x + h, y) - f(x - h, y)) / 2 / h, delta=1e-8)
            self.assertAlmostEqual(got.g[1], (f(x, y + h) - f(x, y - h)) / 2 / h, delta=1e-8)

    def test_events(self):
        m = pendulum()
        m.function("gap", lambda a: 1 - a)
        m.events["there"] = tml.Event(when="gap(angle(pin))", condition="below", value=0, stop=True)
        r = m.run(tol=1e-8)
        self.assertLess(abs(r.stats["degrees_of_freedom"] - 1), 1)
        self.assertLess(abs(r.time[-1] - math.sqrt(1.1 / 5)), 1e-5)  # as far as the angle at 1e-8 tells the time

    def test_plot_and_pandas(self):
        r = pendulum().run()
        try:
            import matplotlib
        except ImportError:
            self.skipTest("no matplotlib")
        matplotlib.use("Agg")
        self.assertEqual(len(r.plot("angle", "speed")), 2)
        try:
            import pandas  # noqa: F401
        except ImportError:
            return
        self.assertEqual(list(r.to_pandas("angle").columns), ["angle"])

    def test_report(self):
        with tempfile.TemporaryDirectory() as folder:
            r = pendulum().run(file=pathlib.Path(folder) / "out.h5")
            try:
                page = r.report(pathlib.Path(folder) / "out.html")
            except tml.ArgumentError as built_without:
                self.assertIn("viewer", str(built_without))
                return
            self.assertIn("<iframe", page._repr_html_())
        with self.assertRaisesRegex(tml.ArgumentError, "run.file"):
            pendulum().run().report()


class States(unittest.TestCase):
    def test_saved_restored_copied(self):
        sim = pendulum().simulation(tol=1e-6)
        sim.advance(0.3)
        saved, copy = sim.save(), sim.copy()
        sim.run()
        want = sim.outputs["angle"]
        copy.run()
        self.assertEqual(copy.outputs["angle"], want)  # the same bits
        sim.restore(saved)
        self.assertEqual(sim.time, 0.3)
        sim.run()
        self.assertEqual(sim.outputs["angle"], want)
        with self.assertRaisesRegex(tml.ArgumentError, "another model"):
            pendulum().simulation().restore(saved)

    def test_checkpoints(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "state"
            sim = pendulum().simulation(tol=1e-6)
            sim.advance(0.3)
            sim.checkpoint(file)
            sim.run()
            code = f"import trammel as tml; s = tml.resume({str(file)!r}); s.run(); print(s.outputs['angle'].hex())"
            there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            self.assertEqual(there.stdout.strip(), sim.outputs["angle"].hex())
            m = pendulum()
            m.function("drag", lambda w: 0 * w)
            with self.assertRaisesRegex(tml.ArgumentError, "drag.*registered from memory"):
                m.simulation().checkpoint(file)


class Analyses(unittest.TestCase):
    def test_linear_system(self):
        m = pendulum()
        m.set(c=0.5)
        lin = m.linearize()
        self.assertEqual((lin.inputs, lin.outputs), (["u"], ["angle", "speed"]))
        s = 2.0j
        transfer = lin.C @ np.linalg.solve(s * np.eye(len(lin.A)) - lin.A, lin.B) + lin.D
        # angle / u = 20 / (1.1 s^2 + 0.5 s), exact to rounding
        np.testing.assert_allclose(transfer[:, 0], [20 / (1.1 * s * s + 0.5 * s), 20 * s / (1.1 * s * s + 0.5 * s)],
                                   rtol=1e-12)

    def test_statics_and_modes(self):
        m = pendulum()
        m.data["gravity"] = [0, -9.81, 0]
        m.data["inputs"]["u"] = 0
        at = m.statics()
        self.assertLess(abs(at.outputs["angle"] + math.pi / 2), 1e-8)  # the search ends at 1e-10 of the size
        lin = m.linearize(at)
        self.assertAlmostEqual(lin.frequencies[0], math.sqrt(9.81 / 1.1) / 2 / math.pi, places=8)  # that angle's square
        self.assertEqual(len(lin.modes), 1)  # the input is none

    def test_compare(self):
        rows = pendulum().compare(["hht", "radau"], [1e-3, 1e-5], end=0.2)
        self.assertEqual(len(rows), 4)
        self.assertLess(rows[1]["max_error"], 1e-2)  # a tenth of what the looser tolerance asks for


class Errors(unittest.TestCase):
    def test_elements_are_named(self):
        m = pendulum()
        m.bodies["rod"]["masss"] = 1
        with self.assertRaises(tml.ModelError) as caught:
            m.run()
        self.assertEqual(caught.exception.element, "bodies.rod")
        self.assertIn("did you mean 'mass'", str(caught.exception))

    def test_files_and_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.yaml"
            path.write_text("trammel: 1\nbodies:\n  a: {mass: -1, inertia: [1, 1, 1]}\n")
            with self.assertRaises(tml.ModelError) as caught:
                tml.load(path)
            self.assertEqual((caught.exception.file, caught.exception.line), (str(path), 3))
            with self.assertRaises(OSError):
                tml.load(pathlib.Path(folder) / "none.yaml")

    def test_bad_values(self):
        for value, words in ((np.array([1j, 0, 0]), "array of complex128"), ([math.nan, 0, 0], "not a finite number"),
                             (np.zeros((2, 2)), "position"), ([1, 2], "position"), (object(), "object is not possible"),
                             ({1, 2}, "set is not possible")):
            m = pendulum()
            m.bodies["rod"]["position"] = value
            with self.subTest(value=value), self.assertRaisesRegex(tml.ModelError, words):
                m.run()

    def test_bad_arguments(self):
        m = pendulum()
        for words, message in (({"integrator": "hhtt"}, "did you mean 'hht'"), ({"tol": -1}, "positive"),
                               ({"tol": "small"}, "tol is a number"), ({"end": "late"}, "end is a number"),
                               ({"inputs": {"v": 1}}, "no input 'v'"), ({"inputs": {"u": "x"}}, "is a number"),
                               ({"inputs": {"u": math.nan}}, "cannot be nan"), ({"record": "some"}, "record"),
                               ({"options": {"none": 1}}, "none"), ({"control": print}, "belong together"),
                               ({"tolerance": 1e-6}, "did you mean 'tol'"), ({"end_time": 1}, "did you mean 'end'"),
                               ({"method": "hht"}, "did you mean 'integrator'"), ({"max_stepp": 1}, "did you mean 'max_step'"),
                               ({"size": 1}, "no argument 'size'")):
            with self.subTest(words=words), self.assertRaisesRegex(tml.ArgumentError, message):
                m.run(**words)
        with self.assertRaisesRegex(tml.ArgumentError, "function 'f'"):
            m.function("f", lambda x: math.sin(x))
        with self.assertRaises(AttributeError):
            m.body  # noqa: B018 - the section is 'bodies'

    def test_callbacks_that_raise(self):
        def wrong(sim):
            raise ZeroDivisionError("in the callback")

        with self.assertRaisesRegex(ZeroDivisionError, "in the callback") as caught:
            pendulum().run(between=wrong)
        self.assertEqual(len(caught.exception.results.time), 1)

    def test_failures_keep_results(self):
        m = pendulum()
        m.forces["wall"] = tml.Force("torque", body="rod", tz="1/max(0, 0.5 - time)")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with self.assertRaises(tml.TrammelError) as caught:
                m.run()
        self.assertGreater(len(caught.exception.results.time), 3)
        self.assertIs(m.last, caught.exception.results)


class Gradients(unittest.TestCase):
    """x = A cos(w t): derivatives by A and k."""

    def test_oscillator(self):
        m = tml.Model(parameters={"k": 40.0, "A": 0.3}, bodies={"b": {"type": "point", "mass": 2, "position": ["A", 0, 0]}},
                      forces={"s": {"type": "force", "body": "b", "fx": "-k*DX(b)"}}, outputs={"x": "DX(b)"})
        g = m.gradient(["k", "A"], end=1, tol=1e-9, integrator="radau", output_step=0.1)
        w = np.sqrt(20)
        self.assertLess(np.max(np.abs(g.by("x", "A") - np.cos(w * g.time))), 1e-6)  # errors of the run
        self.assertLess(np.max(np.abs(g.by("x", "k") + 0.3 * g.time * np.sin(w * g.time) * w / 80)), 1e-7)
        self.assertEqual(g.jacobian("x").shape, (11, 2))
        with self.assertRaisesRegex(tml.ArgumentError, "no parameter 'kk'"):
            m.gradient(["kk"], end=1)


class Fits(unittest.TestCase):
    """A pendulum whose length, damping, start and stiffness are recovered from noise."""

    def model(self):
        m = tml.Model(gravity=[0, -9.81, 0], simulate={"end": 4, "output_step": 0.04})
        m.parameters.update(L=1.0, c=0.05, start=0.8, k=0.5)
        m.bodies["bob"] = tml.Body(mass=1, inertia=[1e-3, 1e-3, 1e-3], position=["L*sin(start)", "-L*cos(start)", 0])
        m.joints["pin"] = tml.Joint("revolute", bodies=["ground", "bob"], at=[0, 0, 0], axis="z")
        m.forces["damper"] = tml.Force("rotational_spring", joint="pin", damping="c", stiffness="k", free_angle="-start")
        m.outputs["angle"] = tml.Output(value="angle(pin) + start", unit="rad")
        m.outputs["load"] = tml.Output(value="reaction(pin).fm", unit="N")
        return m

    def test_four_parameters_from_noise(self):
        m, truth = self.model(), {"L": 1.13, "c": 0.09, "start": 0.72, "k": 0.8}
        r = m.with_(**truth).run(tol=1e-9)
        random = np.random.default_rng(3)
        data = {"time": r.time, "angle": r["angle"] + random.normal(0, 0.01, len(r.time)),
                "load": r["load"] + random.normal(0, 0.2, len(r.time))}
        f = m.fit(data, {"L": (0.5, 2), "c": (0, None), "start": None, "k": (0, 5)})
        self.assertTrue(f.converged, f.message)
        for name, value in truth.items():
            # one of a thousand fits is farther off than 3.3 deviations; the random numbers are always the same
            self.assertLess(abs(f.values[name] - value), 3.3 * f.deviations[name])
            self.assertLess(f.deviations[name], 0.2 * value)  # the stiffness is told from the weight by the load alone
        self.assertLess(abs(f.noise["angle"] / 0.01 - 1), 0.2)  # of 101 values: 7 % is one deviation
        self.assertLess(abs(f.noise["load"] / 0.2 - 1), 0.2)
        self.assertAlmostEqual(f.correlation[0, 0], 1.0)

    def test_what_data_do_not_determine(self):
        m = self.model()
        m.parameters["unused"] = 1.0
        r = m.run(tol=1e-8)
        f = m.fit({"time": r.time, "angle": r["angle"]}, {"L": (0.5, 2), "unused": None})
        self.assertIn("do not determine unused", f.message)
        self.assertTrue(math.isnan(f.deviations["unused"]))

    def test_mistakes(self):
        m = self.model()
        data = {"time": [0, 1, 2], "angle": [1, 2, 3]}
        for wrong, free, message in (({"time": [0, 2, 1], "angle": [1, 2, 3]}, {"L": None}, "must increase"),
                                     ({"time": [0, 1], "angle": [1, 2, 3]}, {"L": None}, "values for"),
                                     (data, {"M": None}, "no parameter 'M'"), (data, {"L": (2, 3)}, "give a 'start'"),
                                     ({"time": [0, 1], "angle": [1, 2]}, {"L": None, "c": None}, "do not determine")):
            with self.subTest(message=message), self.assertRaisesRegex(tml.ArgumentError, message):
                m.fit(wrong, free)
        with self.assertRaisesRegex(tml.ArgumentError, "has no output 'speed'"):
            m.fit(data, {"L": None}, outputs=["speed"])
        with self.assertRaisesRegex(tml.ArgumentError, "no column"):
            m.fit({"time": [0, 1, 2], "angel": [1, 2, 3]}, {"L": None})


    def test_a_model_with_functions_in_python(self):
        m = self.model()

        @m.function("twice")
        def twice(x):
            return 2 * x

        m.outputs["double"] = "twice(angle(pin) + start)"
        r = m.with_(L=1.1).run(end=2, tol=1e-9)
        f = m.fit({"time": r.time[1:], "double": r["double"][1:]}, {"L": (0.5, 2)})
        self.assertIn("differences of runs", f.message)
        self.assertAlmostEqual(f.values["L"], 1.1, delta=1e-5)  # what runs at 1e-9 leave in differences over 1e-3

    def test_journal(self):
        m = self.model()
        r = m.with_(L=1.1, c=0.07).run(end=2, tol=1e-9)
        data, free = {"time": r.time[1:], "angle": r["angle"][1:]}, {"L": (0.5, 2), "c": (0, None)}
        with tempfile.TemporaryDirectory() as folder:
            seen = []
            with self.assertRaises(RuntimeError):
                def stop(iteration, values, cost):
                    seen.append(values)
                    raise RuntimeError("enough")

                m.fit(data, free, journal=f"{folder}/j", progress=stop)
            self.assertEqual(seen, [{"L": 1.0, "c": 0.05}])
            again, plain = m.fit(data, free, journal=f"{folder}/j", resume=True), m.fit(data, free)
            self.assertEqual(again.values, plain.values)
            self.assertEqual(os.listdir(folder), [])

    def test_optimize(self):
        m = self.model()
        o = m.optimize({"L": (0.5, 2), "c": (0.01, 1)}, {"load": "max", "last": ("angle", "end")}, minimize="load",
                       constraints={"last": (None, 0.5)}, end=1, output_step=0.05)
        self.assertTrue(o.converged and o.feasible, o.message)
        self.assertLess(o.responses["load"], o.first["load"])
        tight = m.with_(**o.values).run(end=1, output_step=0.05)
        self.assertEqual(tight["load"].max(), o.responses["load"])  # the same run
        with self.assertRaisesRegex(tml.ArgumentError, "did you mean 'load'"):
            m.optimize({"L": (0.5, 2)}, {"load": "max"}, minimize="laod")
        with self.assertRaisesRegex(tml.ArgumentError, "bounds"):
            m.optimize({"L": 3}, {"load": "max"}, minimize="load")
        with tempfile.TemporaryDirectory() as folder:
            o.report(f"{folder}/o.html")
            o.write(f"{folder}/o.csv")
            self.assertEqual(sorted(os.listdir(folder)), ["o.csv", "o.html"])

    def test_sweep(self):
        m = self.model()
        s = m.sweep({"L": (1.0, 1.5, 3)}, c=[0.1, 0.2], end=1, output_step=0.1)
        self.assertEqual((len(s), s["angle.end"].shape, s.histories["angle"].shape), (6, (6,), (6, 11)))
        alone = m.with_(L=1.25, c=0.2).run(end=1, output_step=0.1)
        self.assertEqual(s["angle.end"][3], alone["angle"][-1])
        np.testing.assert_array_equal(s.histories["load"][3], alone["load"])
        np.testing.assert_array_equal(s.time[3], alone.time)
        self.assertEqual(s.units["load"], "N")
        one = m.sweep({"L": (1.0, 1.5, 3)}, c=[0.1, 0.2], end=1, output_step=0.1, workers=1)
        np.testing.assert_array_equal(one["load.max"], s["load.max"])
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(tml.TrammelError, "did you mean"):
                m.sweep(l=[1, 2], file=f"{folder}/s.h5")
            m.parameters["mass"] = 1.0
            m.bodies["bob"]["mass"] = "mass"
            failing = m.sweep(mass=[1.0, 2.0, -1.0], responses={"top": ("load", "max")}, keep=[], file=f"{folder}/s.h5", end=0.5)
            self.assertEqual(os.listdir(folder), ["s.h5"])
            self.assertTrue(failing.failed[2] and failing.messages[2] and np.isnan(failing["top"][2]))
            self.assertFalse(failing.failed[0])
            with self.assertRaisesRegex(tml.ArgumentError, "no 'speed'"):
                failing["speed"]


class GivenMotions(unittest.TestCase):
    """A mass on a slide: force m x'' and positions are known."""

    def test_inverse_dynamics(self):
        m = tml.Model(bodies={"b": {"mass": 3, "inertia": [1, 1, 1]}},
                      joints={"s": {"type": "translational", "bodies": ["ground", "b"], "at": [0, 0, 0], "axis": "x"}},
                      outputs={"x": "DX(b)"})
        r = m.inverse(end=1, motions={"s": "0.2*sin(5*time)"})
        want = -3 * 0.2 * 25 * np.sin(5 * r.time)
        self.assertLess(np.max(np.abs(r["s_motion.force"] - want)), 1e-11)  # rounding of 15 N
        self.assertEqual(r.units["s_motion.force"], "N")
        w = m.workspace(s=(-1, 1, 5))
        self.assertLess(np.max(np.abs(w["x"] - np.linspace(-1, 1, 5))), 1e-14)  # rounding
        self.assertTrue(w.reached.all())

    def test_what_is_free_is_named(self):
        with self.assertRaisesRegex(tml.ModelError, "1 degree of freedom is not driven"):
            pendulum().kinematics(end=1)


class Threads(unittest.TestCase):
    def test_ctrl_c_keeps_what_was_done(self):
        m = pendulum()
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt) as caught:
            m.run(end=1e6, output_step=1.0, step=1e-3, integrator="hht")
        self.assertGreater(len(caught.exception.results.time), 0)

    def test_threads_run_in_parallel(self):
        done = []

        def work(u):
            done.append((u, pendulum().run(tol=1e-8, inputs={"u": u})["angle"][-1]))

        threads = [threading.Thread(target=work, args=(0.1 * k,)) for k in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(done), 8)
        for u, angle in done:
            self.assertLess(abs(angle - 10 * u / 1.1), 1e-6)  # as in closed_form

    def test_the_lock_is_free_during_a_run(self):
        sim, ticks = pendulum().simulation(end=1e6, step=1e-3, integrator="hht"), 0
        thread = threading.Thread(target=lambda: self.assertRaises(tml.Cancelled, sim.run))
        thread.start()
        end = time.monotonic() + 0.2
        while time.monotonic() < end:
            ticks += 1
        sim.stop()
        thread.join(30)
        self.assertFalse(thread.is_alive())
        self.assertGreater(ticks, 1000)


class Memory(unittest.TestCase):
    def test_no_leaks(self):
        def some(n):
            for _ in range(n):
                m = pendulum()
                m.function("drag", lambda w: w)
                m.simulation().step()
                m.with_(c=1.0)
                try:
                    m.set(d=1)
                except tml.ArgumentError:
                    pass
            gc.collect()
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        some(30)
        first = some(30)
        # a model takes 100 kB and more: 300 of them that stay would be 30 MB
        self.assertLess(some(300) - first, 6000)


if __name__ == "__main__":
    unittest.main()
