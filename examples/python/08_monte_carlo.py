"""A suspension whose parameters scatter: 200 runs in threads, as the lock of Python is free while a run goes on."""
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import trammel as tml

m = tml.Model(title="Quarter car", gravity=[0, 0, -9.81], simulate={"end": 3, "output_step": 0.02})
m.parameters.update(body=350, wheel=40, k=20e3, c=1500, tyre=180e3)
m.inputs["road"] = {"x": [0, 0.5, 0.75, 1.0, 10], "y": [0, 0, 0.06, 0, 0]}  # a bump of 6 cm
m.bodies["car"] = tml.Point(mass="body", position=[0, 0, 0.8])
m.bodies["wheel"] = tml.Point(mass="wheel", position=[0, 0, 0.3])
for name in ("car", "wheel"):
    m.joints[f"{name}_guide"] = tml.Joint("point_on_line", bodies=["ground", name], at=[0, 0, 0], axis="z")
m.forces["suspension"] = tml.Force("spring", bodies=["wheel", "car"], points=[[0, 0, 0.3], [0, 0, 0.8]], stiffness="k",
                                   damping="c", free_length="0.5 + body*9.81/k")
m.forces["tyre"] = tml.Force("force", body="wheel", fz="tyre*max(0, road + 0.3 + (body + wheel)*9.81/tyre - DZ(wheel))")
m.outputs["lift"] = {"value": "1000*(DZ(car) - 0.8)", "unit": "mm"}
m.outputs["comfort"] = {"value": "ACCZ(car)", "unit": "m/s^2"}

rng = np.random.default_rng(7)
samples = [{"body": float(rng.normal(350, 30)), "k": float(rng.normal(20e3, 1e3)), "c": float(rng.uniform(1000, 2500))}
           for _ in range(200)]


def study(values):
    r = m.with_(**values).run(record="outputs", tol=1e-4)
    return r["lift"].max(), np.sqrt(np.mean(r["comfort"] ** 2))


with ThreadPoolExecutor(2) as pool:
    lift, comfort = np.array(list(pool.map(study, samples))).T
print(f"largest lift {lift.mean():.1f} mm, standard deviation {lift.std():.1f} mm, 95 % below {np.quantile(lift, 0.95):.1f} mm")
print(f"acceleration {comfort.mean():.2f} m/s^2; it depends on the damper with {np.corrcoef([s['c'] for s in samples], comfort)[0, 1]:.2f}")
