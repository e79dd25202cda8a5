"""An arm of two links whose joints are driven by a controller in Python, which samples 200 times a second."""
import numpy as np

import trammel as tml

m = tml.Model(title="Arm", gravity=[0, -9.81, 0], simulate={"end": 2, "output_step": 0.01})
for k, mass in enumerate((4, 2)):
    m.bodies[f"link{k}"] = tml.Body(mass=mass, inertia=[0.001, mass * 0.5**2 / 12, mass * 0.5**2 / 12],
                                    position=[0.5 * k + 0.25, 0, 0])
    m.joints[f"joint{k}"] = tml.Joint("revolute", bodies=["ground" if k == 0 else "link0", f"link{k}"], at=[0.5 * k, 0, 0],
                                      axis="z")
    m.inputs[f"torque{k}"] = 0.0
    m.forces[f"motor{k}"] = tml.Force("rotational_spring", joint=f"joint{k}", expression=f"torque{k}")
    m.outputs[f"q{k}"] = tml.Output(value=f"angle(joint{k})", unit="rad")
    m.outputs[f"w{k}"] = tml.Output(value=f"angular_velocity(joint{k})", unit="rad/s")

target = np.array([0.6, -0.9])
stiffness, damping = np.array([160.0, 40.0]), np.array([40.0, 8.0])


def weight(q):
    """Torques that hold the arm against gravity."""
    g, both = 9.81, q[0] + q[1]
    outer = 2 * g * 0.25 * np.cos(both)
    return np.array([4 * g * 0.25 * np.cos(q[0]) + 2 * g * 0.5 * np.cos(q[0]) + outer, outer])


def controller(sim):
    q, w = (np.array([sim.outputs[f"{x}{k}"] for k in (0, 1)]) for x in "qw")
    torque = weight(q) + stiffness * (target - q) - damping * w
    for k in (0, 1):
        sim.inputs[f"torque{k}"] = torque[k]


r = m.run(control=controller, every=0.005, record="outputs")
error = np.array([r["q0"][-1], r["q1"][-1]]) - target
print(f"angles after {r.time[-1]:g} s: {r['q0'][-1]:.4f}, {r['q1'][-1]:.4f}; off by {np.abs(error).max():.1e} rad")
print(f"{r.stats['steps']} steps for {round(r.time[-1] / 0.005)} samples")
assert np.abs(error).max() < 1e-3
