"""Runs the command and reads what it wrote."""
import csv
import json
import math
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODELS = os.path.join(ROOT, "models")
# what a tight run is: methods of second order and BDF, whose order drops wherever motion is rough,
# need 1e-11; others 1e-9. Auto must do at 1e-11 what it chose, with the errors of a high order.
SECOND = {"tlismni-hht": 1e-11, "tlismni-park": 1e-11, "tlismni-bdf2": 1e-11,
          "tlismni-trapezoidal": 1e-11, "hht": 1e-11, "generalized-alpha": 1e-11, "bdf-i3": 1e-11,
          "bdf-si2": 1e-10, "rosenbrock-w": 1e-11}
TIGHT = {"auto": 1e-11, **SECOND}


class Failed(Exception):
    """A run that did not end well; the text says why."""


class Run:
    """The columns of one run and its statistics."""

    def __init__(self, columns, summary):
        self.columns, self.summary = columns, summary
        self.time = columns["time"]

    def __getitem__(self, name):
        return self.columns[name]

    def steps(self):
        return find_number(self.summary, "steps")

    def same_times(self, times):
        same = len(times) == len(self.time)
        if not same or any(abs(a - b) > 1e-9 for a, b in zip(times, self.time)):
            raise Failed("the output times differ from the table's")


def find_number(tree, key):
    """First number under `key` in a nested JSON object, or None."""
    if isinstance(tree, dict):
        if isinstance(tree.get(key), (int, float)):
            return tree[key]
        for item in tree.values():
            found = find_number(item, key)
            if found is not None:
                return found
    return None


def read_table(path):
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    columns = {name.strip(): [] for name in rows[0]}
    for row in rows[1:]:
        for name, text in zip(columns, row):
            columns[name].append(float(text))
    return columns


class Engine:
    """Runs the command; every result is kept, so that the same run is made once."""

    def __init__(self, path, integrator):
        self.path, self.integrator, self.kept = path, integrator, {}

    def high_order(self):
        return (self.integrator or "auto") not in SECOND

    def tight(self):
        return TIGHT.get(self.integrator or "auto", 1e-9)

    def run(self, model, tol=None, end=None, output_step=None, sets=(), extra=()):
        key = (model, tol, end, output_step, tuple(sets), tuple(extra))
        if key not in self.kept:
            self.kept[key] = self._run(*key)
        return self.kept[key]

    def _run(self, model, tol, end, output_step, sets, extra):
        path = model if os.path.isabs(model) else os.path.join(MODELS, model)
        with tempfile.TemporaryDirectory(prefix="trammel-validate-") as folder:
            table, summary = os.path.join(folder, "t.csv"), os.path.join(folder, "s.json")
            command = [self.path, "run", path, "--quiet", "--csv", table, "--summary", summary]
            if self.integrator:
                command += ["--integrator", self.integrator]
            for flag, value in (("--tol", tol), ("--end", end), ("--output-step", output_step)):
                if value is not None:
                    command += [flag, repr(float(value))]
            for name, value in sets:
                command += ["--set", f"{name}={value!r}"]
            done = subprocess.run(command + list(extra), capture_output=True, text=True)
            if done.returncode != 0:
                raise Failed((done.stderr or done.stdout).strip() or f"exit {done.returncode}")
            with open(summary) as f:
                run = Run(read_table(table), json.load(f))
        for name, column in run.columns.items():
            if not all(map(math.isfinite, column)):
                raise Failed(f"channel '{name}' is not finite")
        return run

    def statics(self, model, sets=()):
        """The equilibrium as `trammel statics --json` writes it."""
        return self._analysis("statics", model, sets, [])

    def follow(self, model, name, start, end, sets=()):
        """Columns of the points of an equilibrium path."""
        with tempfile.TemporaryDirectory(prefix="trammel-validate-") as folder:
            table = os.path.join(folder, "p.csv")
            words = [self.path, "statics", os.path.join(MODELS, model), "--quiet", "--csv", table,
                     "--path", f"{name}={start!r}:{end!r}"]
            for key, value in sets:
                words += ["--set", f"{key}={value!r}"]
            done = subprocess.run(words, capture_output=True, text=True)
            if done.returncode != 0:
                raise Failed((done.stderr or done.stdout).strip() or f"exit {done.returncode}")
            return read_table(table)

    def modes(self, model, count, sets=(), extra=()):
        """Modes nearest zero; extra: `--static`, or `--at` and a time."""
        words = ["--modes", str(count), *extra]
        return self._analysis("linearize", model, sets, words)["modes"]

    def _analysis(self, command, model, sets, extra):
        with tempfile.TemporaryDirectory(prefix="trammel-validate-") as folder:
            path = os.path.join(folder, "a.json")
            words = [self.path, command, os.path.join(MODELS, model), "--quiet", "--json", path]
            for name, value in sets:
                words += ["--set", f"{name}={value!r}"]
            done = subprocess.run(words + extra, capture_output=True, text=True)
            if done.returncode != 0:
                raise Failed((done.stderr or done.stdout).strip() or f"exit {done.returncode}")
            with open(path) as f:
                return json.load(f)

    def prefetch(self, jobs):
        """Make runs on all cores; errors show up again when a run is used."""
        def one(job):
            try:
                self.run(*job)
            except Failed:
                pass
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(one, jobs))
