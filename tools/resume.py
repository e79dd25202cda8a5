#!/usr/bin/env python3
"""Runs that are killed at random times and gone on with end with the same bits as those that were not.

    tools/resume.py TRAMMEL [--seed N] [--models N] [--methods NAMES] [--out FILE.md]

For each model and method: an uninterrupted run, then a run with checkpoints that is killed (SIGKILL) at random times and resumed until it
ends. Rows of the results (CSV) and the number of steps are compared, bit for bit. Runs are as long as some tenths of a second of
processor time; those that ended before they could be killed are tried again with earlier times.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
METHODS = ["hht", "generalized-alpha", "bdf-i3", "bdf-si2", "adams", "dop853", "tlismni-park", "tlismni-bdf2", "tlismni-trapezoidal",
           "tlismni-hht", "rosenbrock", "rosenbrock-w", "radau", "auto"]
# model, seconds to simulate
CASES = [("demo", 0.3), ("double_pendulum", 0.05), ("pid", 2), ("reaction_time", 4), ("closed_forms/four_bar", 1), ("closed_forms/n_four_bar", 0.5),
         ("closed_forms/steady_top", 1), ("closed_forms/rolling_disc", 2), ("closed_forms/chain_revolute", 1), ("elements/bushing", 1),
         ("elements/friction", 1), ("elements/point_on_curve", 1), ("elements/universal", 1), ("elements/screw", 1), ("elements/gear", 1),
         ("elements/rack_pinion", 1), ("studies/controlled_arm", 1), ("studies/rough_pendulum", 0.5), ("studies/ball_pendulum", 0.5),
         ("studies/driven_crank", 1)]


def call(command, folder, limit=60.0):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit, check=False)


def steps_of(file):
    s = json.loads(file.read_text())
    return {k: v for k, v in s.items() if k in ("steps", "rejected")} or s.get("steps")


class Case:
    def __init__(self, trammel, model, end, method, folder):
        self.folder = pathlib.Path(folder)
        self.command = [trammel, "run", str(MODELS / f"{model}.yaml"), "-i", method, "--end", str(end), "-q"]

    def whole(self):
        """Seconds of the uninterrupted run; None with the reason: the method does not run this model."""
        begun = time.monotonic()
        try:
            done = call([*self.command, "--csv", "whole.csv", "--summary", "whole.json"], self.folder, 20)
        except subprocess.TimeoutExpired:
            return None, "more than 20 s"
        if done.returncode != 0:
            return None, done.stderr.strip().split("\n")[0][:100]
        return time.monotonic() - begun, ""

    def parts(self, seconds, random_numbers, kills):
        """The same in pieces; how often it was killed in the midst, and what failed."""
        killed, whole = 0, [*self.command, "--csv", "parts.csv", "--summary", "parts.json", "--checkpoint", "state", "--resume"]
        command = [*whole, "--checkpoint-every", f"{max(0.002, seconds / 50):.3g}"]  # checkpoints of large models take longer
        for _attempt in range(12):
            if killed >= kills:
                break
            p = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                p.wait(random_numbers.uniform(0.2, 1.0) * seconds)
            except subprocess.TimeoutExpired:
                p.kill()
                p.communicate()
                killed += (self.folder / "state").exists()
                continue
            said = p.communicate()[1]
            if p.returncode != 0:
                return killed, said.strip().split("\n")[0]
            if killed > 0:
                break
            for name in ("state", "parts.csv"):  # it was faster than the kill
                (self.folder / name).unlink(missing_ok=True)
            seconds *= 0.6
        try:
            done = call(whole, self.folder, 60 + 10 * seconds)
        except subprocess.TimeoutExpired:
            return killed, "did not end when it went on"
        return killed, "" if done.returncode == 0 else done.stderr.strip().split("\n")[0]

    def differs(self):
        a, b = ((self.folder / f"{n}.csv").read_bytes() for n in ("whole", "parts"))
        if a != b:
            pairs = zip(a.splitlines(), b.splitlines())
            row = next((k for k, (x, y) in enumerate(pairs) if x != y), min(a.count(b"\n"), b.count(b"\n")))
            return f"rows differ from row {row} on ({a.count(10)} and {b.count(10)} lines)"
        s, t = (steps_of(self.folder / f"{n}.json") for n in ("whole", "parts"))
        return "" if s == t else f"steps differ: {s} and {t}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("trammel")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--models", type=int, default=len(CASES))
    arguments.add_argument("--skip", type=int, default=0, help="models at the beginning that are left out")
    arguments.add_argument("--kills", type=int, default=2)
    arguments.add_argument("--methods", default=",".join(METHODS))
    arguments.add_argument("--seconds", type=float, default=1e9, help="stop after this time")
    arguments.add_argument("--out")
    o = arguments.parse_args()
    trammel, numbers, rows, failed, begun = os.path.abspath(o.trammel), random.Random(o.seed), [], 0, time.monotonic()
    total = {"equal": 0, "killed": 0, "not killed": 0, "refused": 0, "left": 0}
    for model, end in CASES[o.skip:o.models]:
        row, notes = [], []
        for method in o.methods.split(","):
            if time.monotonic() - begun > o.seconds:
                total["left"] += 1
                row.append("-")
                continue
            with tempfile.TemporaryDirectory() as folder:
                case = Case(trammel, model, end, method, folder)
                seconds, why = case.whole()
                if seconds is None:
                    total["refused"] += 1
                    row.append("n")
                    notes.append(f"{method}: {why}")
                    continue
                killed, why = case.parts(seconds, numbers, o.kills)
                why = why or case.differs()
                total["killed"] += killed
                total["not killed"] += killed == 0
                total["equal"] += not why
                failed += bool(why)
                row.append(f"**{why}**" if why else str(killed))
                if why:
                    print(f"{model} by {method}: {why}", flush=True)
        rows.append(f"| {model} | " + " | ".join(row) + " |")
        print(rows[-1], *notes, sep="\n    ", flush=True)
    words = (f"{total['equal']} of {total['equal'] + failed} runs equal the uninterrupted ones, with {total['killed']} kills; {total['not killed']} "
             f"ended before they could be killed, {total['refused']} models are refused by a method or fail without a kill, too, {total['left']} not tried")
    print(words)
    if o.out:
        head = "| model | " + " | ".join(o.methods.split(",")) + " |\n|" + "---|" * (1 + len(o.methods.split(",")))
        pathlib.Path(o.out).write_text(f"{words}\n\n{head}\n" + "\n".join(rows) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
