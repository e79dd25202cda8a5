"""One model with many values of a parameter, and a file of results that is read again."""
import pathlib
import tempfile

import numpy as np

import trammel as tml

model = tml.load(pathlib.Path(__file__).parent / "swing.yaml")
for c in np.linspace(0, 4, 5):
    r = model.with_(c=float(c)).run(record="outputs")
    print(f"c = {c:g} N m s: the rod comes to {np.degrees(r['angle'].min()):8.2f} deg, the pin bears {r['load'].max():.2f} N")

with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "swing.h5"
    model.set(L="1500 mm").run(file=file)  # as `trammel run --set L=1500mm -o swing.h5`
    again = tml.open_results(file)
    print(again, "with units such as", again.units["load"])
