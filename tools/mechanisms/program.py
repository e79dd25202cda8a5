"""Runs of the command on model texts: exit status, messages, rows, summary; within limits."""
import csv
import json
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile


class Broken(Exception):
    """The program did what it must never do: crashed, hung, or failed without a message."""


class Slow(Broken):
    """A run took more CPU time than it may. Of a default run that is a hang; tight tolerances and
    methods that do not suit a model may just be slow. `singular`: it was warned of at the start."""

    def __init__(self, text, singular=False):
        super().__init__(text)
        self.singular = singular


class Run:
    def __init__(self, status, text, rows, names, summary, command):
        self.status, self.text, self.rows, self.names = status, text, rows, names
        self.summary, self.command = summary, command

    @property
    def done(self):
        return self.status == 0

    def series(self, name):
        k = self.names.index(name)
        return {row[0]: row[k] for row in self.rows}


class Program:
    """`trammel` with a limit of CPU seconds and memory a run; `seconds` counts what runs took."""

    def __init__(self, path, limit=20, folder=None):
        self.path, self.limit = str(pathlib.Path(path).resolve()), limit
        self.temporary = tempfile.TemporaryDirectory() if folder is None else None
        self.folder = pathlib.Path(self.temporary.name if folder is None else folder)
        self.runs = 0

    def model(self, text, name="model.yaml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def limits(self):
        """Of a process that begins: CPU seconds, no core files."""
        resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def call(self, arguments):
        """Output and status of a command; what must never happen is Broken."""
        self.runs += 1
        command = [self.path] + [str(a) for a in arguments]
        try:
            result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    preexec_fn=self.limits, timeout=40 * self.limit, cwd=self.folder)
        except subprocess.TimeoutExpired:
            raise Broken(f"hang: no end within {40 * self.limit} s of the clock") from None
        text = result.stdout.decode(errors="replace")
        if result.returncode in (-signal.SIGXCPU, -signal.SIGKILL) or "cancelled at t" in text:
            at_start = "the start is a singular position" in text
            raise Slow(f"hang: no end within {self.limit} s of CPU time", at_start)
        if result.returncode < 0 or result.returncode > 3:
            raise Broken(f"crash: exit status {result.returncode}: {text[-400:]}")
        if "defect in Trammel" in text or "Sanitizer" in text:
            raise Broken(f"crash: {text[-400:]}")
        if result.returncode and not re.search(r"error: .{10}", text):
            raise Broken(f"mute: exit status {result.returncode} without a message: {text[-400:]}")
        if result.returncode == 3:
            raise Broken(f"mute: a file could not be written: {text[-400:]}")
        return result.returncode, text

    def run(self, text, *options, name="model.yaml", path=None):
        """Simulate a model text."""
        path = path or self.model(text, name)
        rows, summary = self.folder / "rows.csv", self.folder / "summary.json"
        for old in (rows, summary):
            old.unlink(missing_ok=True)
        arguments = ["run", path, "--csv", rows, "--summary", summary, *options]
        status, said = self.call(arguments)
        names, values = read_rows(rows) if rows.exists() else ([], [])
        numbers = json.loads(summary.read_text()) if summary.exists() else {}
        run = Run(status, said, values, names, numbers, " ".join(map(str, options)))
        if status == 0:
            finite(run)
        return run


def read_rows(path):
    with open(path, newline="") as file:
        reader = csv.reader(file)
        names = next(reader, [])
        return names, [[float(c) for c in row] for row in reader]


def finite(run):
    """Numbers that are not finite are told (exit 0 says that all is well)."""
    bad = {run.names[k] for row in run.rows for k, c in enumerate(row) if not math.isfinite(c)}
    told = json.dumps(run.summary.get("not_finite", []))
    silent = [n for n in bad if f'"{n}"' not in told or n not in run.text]
    if silent:
        raise Broken(f"mute: outputs {sorted(silent)} are not finite without a word")
    if not run.rows:
        raise Broken("mute: no rows")


os.environ.setdefault("OMP_NUM_THREADS", "1")
