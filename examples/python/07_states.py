"""States that are kept: from one moment on, many futures."""
import pathlib

import trammel as tml

m = tml.load(pathlib.Path(__file__).parent / "swing.yaml")
sim = m.simulation(end=3)
sim.advance(1.0)
moment = sim.save()
print(sim, f"angle {sim.outputs['angle']:.6f} rad, reaction {sim.reaction('pin').force[1]:.3f} N")

for k in range(3):
    sim.step()
print(f"three steps later: t = {sim.time:.6f} s, h = {sim.stats['h_max']:.4f} s at most")

other = sim.copy()
sim.restore(moment)
sim.run()
other.run()
assert sim.outputs["angle"] == other.outputs["angle"]  # to the last bit
print(f"both end at {sim.outputs['angle']:.9f} rad")
