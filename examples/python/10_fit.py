"""The length, damping and friction of a pendulum from a noisy measurement, by Gauss and Newton with numpy alone."""
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

names, x = list(truth), np.array([1.0, 0.05, 0.8])


def residual(values):
    return m.with_(**dict(zip(names, map(float, values)))).run(tol=1e-8, record="outputs")["angle"] - measured


for iteration in range(8):
    r = residual(x)
    J = np.stack([(residual(x + d) - residual(x - d)) / 2e-4 for d in 1e-4 * np.eye(3)], axis=1)
    step = -np.linalg.solve(J.T @ J, J.T @ r)
    x += step
    if np.abs(step).max() < 1e-8:
        break
sigma = noise * np.sqrt(np.diag(np.linalg.inv(J.T @ J)))
for name, value, s in zip(names, x, sigma):
    print(f"{name:6s} {value:.5f} +- {s:.5f}   (true: {truth[name]})")
    assert abs(value - truth[name]) < 4 * s  # four standard deviations
