"""A model from dictionaries and small classes, which have the words of model files; results as arrays."""
import numpy as np

import trammel as tml

m = tml.Model(title="Chain of rods", gravity=[0, -9.81, 0], simulate={"end": 1, "output_step": 0.01})
m.parameters["L"] = 0.4
last = "ground"
for k in range(5):
    name = f"rod{k}"
    m.bodies[name] = tml.Body(mass=0.5, inertia=[0.001, 0.007, 0.007], position=[f"({k} + 0.5)*L", 0, 0])
    m.joints[f"pin{k}"] = tml.Joint("revolute", bodies=[last, name], at=[f"{k}*L", 0, 0], axis="z")
    last = name
m.outputs["height"] = {"value": "DY(rod4)", "unit": "m"}  # a dictionary does as well

r = m.run(tol=1e-6)
print(m.describe().splitlines()[0])
print(f"lowest point: {r['height'].min():.4f} m at t = {r.time[np.argmin(r['height'])]:.2f} s")
print(f"largest force in the first pin: {np.hypot(r['pin0.reaction.fx'], r['pin0.reaction.fy']).max():.1f} N")
print(f"balance of energy: {np.abs(r['energy.balance']).max():.1e} J")
