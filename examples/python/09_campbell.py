"""The Campbell diagram of an overhung rotor: its frequencies over its speed, compared with the formula."""
import numpy as np

import trammel as tml

disc, diameter, polar, lateral, tilting = 10.0, 0.1, 0.18, 4e5, 3e4  # kg, kg m^2, N/m, N m/rad

m = tml.Model(title="Rotor", simulate={"end": 1})
m.parameters["speed"] = 0.0
m.bodies["disc"] = tml.Body(mass=disc, inertia=[diameter, diameter, polar], angular_velocity=[0, 0, "speed"],
                            frames={"tip": {"position": [0, 0, 1]}})
# the shaft: it bends, and does not hold the disc from turning about z
m.forces["shaft"] = tml.Force("force", body="disc", fx=f"-{lateral}*DX(disc)", fy=f"-{lateral}*DY(disc)",
                              fz=f"-{10 * lateral}*DZ(disc)")
tip_x, tip_y = "(DX(disc.tip) - DX(disc))", "(DY(disc.tip) - DY(disc))"
m.forces["tilt"] = tml.Force("torque", body="disc", tx=f"{tilting}*{tip_y}", ty=f"-{tilting}*{tip_x}")

speeds = np.linspace(0, 600, 7)  # rad/s
print("speed, rad/s   frequencies, Hz (lateral, backward and forward whirl of the tilt)")
for speed in speeds:
    lin = m.with_(speed=float(speed)).linearize()
    found = np.sort([x for x in lin.frequencies if x > 1])
    # I_d w^2 -+ I_p speed w - k = 0
    gyro = polar * speed / (2 * diameter)
    whirl = np.sqrt(gyro**2 + tilting / diameter) + np.array([-gyro, gyro])
    formula = np.sort([*np.sqrt(np.array([lateral, lateral, 10 * lateral]) / disc), *whirl]) / (2 * np.pi)
    print(f"{speed:8.0f}      ", "  ".join(f"{x:7.3f}" for x in found))
    assert np.allclose(found, formula, rtol=1e-6), formula  # the matrices are exact, the eigenvalues to 1e-10
