"""Static equilibrium, modes about it, and the transfer function from an input to an output."""
import numpy as np

import trammel as tml

m = tml.Model(gravity=[0, -9.81, 0], simulate={"end": 1})
m.bodies["mass1"] = tml.Point(mass=2, position=[0, -0.5, 0])
m.bodies["mass2"] = tml.Point(mass=1, position=[0, -1, 0])
for k, (a, b) in enumerate([("ground", "mass1"), ("mass1", "mass2")]):
    m.joints[f"guide{k}"] = tml.Joint("point_on_line", bodies=["ground", b], at=[0, 0, 0], axis="y")
    m.forces[f"spring{k}"] = tml.Force("spring", bodies=[a, b], points=[[0, -0.5 * k, 0], [0, -0.5 * (k + 1), 0]],
                                       stiffness=400, damping=0.8, free_length=0.5)
m.inputs["push"] = 0.0
m.forces["push"] = tml.Force("force", body="mass2", fy="push")
m.outputs["y"] = tml.Output(value="DY(mass2)", unit="m")

at = m.statics()
print(f"equilibrium: y = {at.outputs['y']:.6f} m")  # -1 - 3 g/400 - g/400
lin = m.linearize(at)
for k, (f, d) in enumerate(zip(lin.frequencies, lin.damping)):
    print(f"mode {k}: {f:.4f} Hz, damping ratio {d:.4f}, mass2 moves {abs(lin.shape(k, 'mass2')['translation'][1]):.3f}")
for f in (0.5, 1, 2, 4):
    s = 2j * np.pi * f
    g = lin.C @ np.linalg.solve(s * np.eye(len(lin.A)) - lin.A, lin.B) + lin.D
    print(f"{f:4g} Hz: {1000 * abs(g[0, 0]):.4f} mm/N")
