"""Five lines: a model file, a run, numbers."""
import pathlib

import trammel as tml

model = tml.load(pathlib.Path(__file__).parent / "swing.yaml")
results = model.run(end=2)
print(results)
print(f"angle after {results.time[-1]:g} s: {results['angle'][-1]:.6f} {results.units['angle']}")
