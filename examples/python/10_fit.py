"""The length, damping and friction of a pendulum from a noisy measurement, by least squares with exact derivatives."""
import numpy as np

import trammel as tml

m = tml.Model(title="Pendulum", gravity=[0, -9.81, 0], simulate={"end": 6, "output_step": 0.05})
m.parameters.update(L=1.0, c=0.05, start=0.8)
m.bodies["bob"] = tml.Body(mass=1, inertia=[1e-3, 1e-3, 1e-3], position=["L*sin(start)", "-L*cos(start)", 0])
m.joints["pin"] = tml.Joint("revolute", bodies=["ground", "bob"], at=[0, 0, 0], axis="z")
m.forces["damper"] = tml.Force("rotational_spring", joint="pin", damping="c")
m.outputs["angle"] = tml.Output(value="angle(pin) + start", unit="rad")

# the measurement: other parameters, and noise of half a degree
truth, noise = {"L": 1.13, "c": 0.09, "start": 0.72}, np.radians(0.5)
measured = m.with_(**truth).run(tol=1e-8)["angle"] + np.random.default_rng(3).normal(0, noise, 121)

f = m.fit({"time": np.linspace(0, 6, 121), "angle": measured}, {"L": (0.5, 2), "c": (0, None), "start": None})
print(f)
for name, value in truth.items():
    assert abs(f.values[name] - value) < 4 * f.deviations[name]  # four standard deviations
