"""trammel convert: every shipped model and dataset, written anew into another folder, moves the same.

    test_convert.py PATH-OF-TRAMMEL [unittest arguments]
"""
import csv
import glob
import os
import re
import subprocess

from support import SOURCE, Case, main

ROWS = 4  # of the two runs
# The trees differ in the digits of numbers at most, so that the same steps follow; this share of a
# column's size leaves room for the last digit of a number that was written.
AGREE = 1e-9


def columns(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(x) for x in row] for row in rows[1:]]


class Convert(Case):
    def end_of(self, model):
        """A short run: a hundredth of what the model asks for."""
        with open(model, encoding="utf-8", errors="replace") as file:
            found = re.search(r"\bend: *([0-9.e+-]+)", file.read())
        return 0.01 * float(found.group(1)) if found else 1e-3

    def run_model(self, model, name, end):
        out = self.path(name)
        done = subprocess.run([self.command, "run", model, "-e", f"{end}", "--output-step",
                               f"{end / ROWS}", "--csv", out, "-q"], capture_output=True, text=True,
                              timeout=120, check=False)
        return done, out

    def compare(self, model):
        end = self.end_of(model)
        before, old = self.run_model(model, "before.csv", end)
        if before.returncode != 0:
            return False  # needs a library, or is meant for another command
        copy = self.path("copy.yaml")
        self.trammel("convert", model, copy, "-q")
        after, new = self.run_model(copy, "after.csv", end)
        self.assertEqual(after.returncode, 0, f"{model}\n{after.stderr}")
        (names, a), (again, b) = columns(old), columns(new)
        self.assertEqual(names, again, model)
        self.assertEqual(len(a), len(b), model)
        for k, name in enumerate(names):
            size = max(abs(row[k]) for row in a) or 1.0
            for x, y in zip(a, b):
                self.assertLessEqual(abs(x[k] - y[k]), AGREE * max(size, 1e-3), f"{model} {name}")
        return True

    def test_shipped_models_and_datasets(self):
        files = sorted(glob.glob(f"{SOURCE}/models/**/*.yaml", recursive=True) +
                       glob.glob(f"{SOURCE}/examples/**/*.adm", recursive=True))
        files = [f for f in files if "/parts/" not in f]  # descriptions for `trammel reduce`
        same = [self.compare(file) for file in files]
        self.assertGreater(len(same), 100)
        # a folder that cannot be run proves nothing
        self.assertGreater(sum(same), 0.9 * len(same), [f for f, s in zip(files, same) if not s])

    def test_tables_of_included_files(self):
        """A table is named relative to the file that names it, wherever the model is written."""
        for folder in ("parts", "other"):
            os.mkdir(self.path(folder))
        self.write("parts/table.csv", "0, 0\n1, 2\n3, 4\n4, 4\n")
        self.write("parts/table.yaml", "splines: {s: {file: table.csv}}\n")
        model = self.write("model.yaml", """\
trammel: 1
include: parts/table.yaml
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
outputs: {x: "spline(time, s)"}
simulate: {end: 1, output_step: 0.25}
""")
        for name in ("other/copy.yaml", "parts/copy.yaml", "copy.yaml"):
            copy = self.path(name)
            self.trammel("convert", model, copy)
            self.trammel("run", copy, "--csv", self.path("out.csv"))
            _, rows = columns(self.path("out.csv"))
            self.assertAlmostEqual(rows[-1][1], 2.0, delta=1e-15)  # rounding


if __name__ == "__main__":
    main()
