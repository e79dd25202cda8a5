#!/usr/bin/env python3
"""Runs are killed while others read their results.

    kills.py TRAMMEL FAULT                     a few: part of the tests
    kills.py TRAMMEL FAULT --kills 1000        `make robust`
    kills.py TRAMMEL FAULT --seed 7 --kills 1  one again

A run writes results that two readers and `trammel watch` look at, and is ended at a random time by
SIGKILL, or by SIGTERM, SIGHUP, SIGINT. Every other run is killed by FAULT at a random system call
instead, which finds the instants between two writes. What must hold is told in
docs/develop/testing.md.
"""
import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from commands import prepare

MODEL = """\
trammel: 1
title: Two links
gravity: [0, -9.81, 0]
bodies:
  one: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}
  two: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0]}
flexible:
  strip: {type: beam2d, line: [[0, 1, 0], [1, 1, 0]], elements: 2, start: {clamp: ground},
          material: {E: 1e7, density: 1000, damping: 1e-3}, section: {height: 0.05, width: 0.05}}
joints:
  pin: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: z}
  knee: {type: revolute, bodies: [one, two], at: [1, 0, 0], axis: z}
outputs: {height: DY(two)}
simulate: {end: 1.5, output_step: 1e-3}
"""
LIMIT = 60  # s: it hangs
SIGNALS = [signal.SIGKILL] * 7 + [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]


def lines_of(path):
    """Whole lines of a table."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return text[:text.rfind("\n") + 1].splitlines()


class Session:
    def __init__(self, arguments):
        self.trammel = os.path.abspath(arguments.trammel)
        self.fault = os.path.abspath(arguments.fault)
        self.holder = tempfile.TemporaryDirectory(prefix="trammel-kills-")
        self.folder = self.holder.name
        with open(self.path("model.yaml"), "w", encoding="utf-8") as file:
            file.write(MODEL)
        self.wrong = []
        self.tally = {"kills": 0, "signals": 0, "cut commits": 0, "before the first row": 0,
                      "reads": 0, "answers of watch": 0, "rows": 0}
        began = time.monotonic()
        self.command("run", "model.yaml", "-o", "whole.h5", "--csv", "whole.csv", "-q")
        self.seconds = time.monotonic() - began
        self.command("export", "whole.h5", "-q", "-o", "whole_h5.csv")
        self.whole = {"h5": lines_of(self.path("whole_h5.csv")),
                      "csv": lines_of(self.path("whole.csv"))}
        log = self.path("log")
        subprocess.run([self.fault, "--log", log, "--", *self.run_arguments("count")],
                       cwd=self.folder, check=True, capture_output=True, timeout=LIMIT)
        with open(log, encoding="utf-8") as file:
            self.calls = len(file.readlines())

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, *arguments, ok=True):
        done = subprocess.run([self.trammel, *arguments], cwd=self.folder, capture_output=True,
                              text=True, timeout=LIMIT, check=False)
        if ok and done.returncode != 0:
            raise RuntimeError(f"trammel {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done

    def run_arguments(self, name):
        return [self.trammel, "run", "model.yaml", "-o", f"{name}.h5", "--csv", f"{name}.csv", "-q"]

    def fail(self, name, text):
        self.wrong.append(f"{name}: {text}")

    # --- what the files hold

    def check_rows(self, name, kind, table, least=0):
        """The table is the beginning of that of the undisturbed run. Returns its rows."""
        whole = self.whole[kind]
        rows = lines_of(self.path(table))
        if rows != whole[:len(rows)]:
            first = next(k for k, row in enumerate(rows) if k >= len(whole) or row != whole[k])
            self.fail(name, f"{kind}: row {first} is not that of the undisturbed run")
        if len(rows) - 1 < least:
            self.fail(name, f"{kind}: {len(rows) - 1} rows, where {least} had been seen")
        return len(rows) - 1

    def read(self, name, reader):
        """Export as a reader sees it now. Returns the number of rows; None: nothing to see yet."""
        if not os.path.exists(self.path(f"{name}.h5")):
            return None
        table = f"{name}-{reader}.csv"
        done = self.command("export", f"{name}.h5", "-q", "-o", table, ok=False)
        if done.returncode != 0:
            self.fail(name, f"a reader failed: {done.stderr}")
            return None
        return self.check_rows(name, "h5", table)

    # --- those who look on

    def look(self, name, reader, state):
        """A reader in a loop. What it has seen must not go away."""
        while not state["ended"]:
            try:
                rows = self.read(name, reader)
                if rows is not None:
                    state["seen"] = max(state["seen"], rows)
                    self.tally["reads"] += 1
                if reader == 2 and os.path.exists(self.path(f"{name}.csv")):
                    state["lines"] = max(state["lines"], self.check_rows(name, "csv",
                                                                         f"{name}.csv"))
                if reader == 1 and rows:
                    for arguments in (("plot", f"{name}.h5", "height", "-q", "-o", f"{name}.svg"),
                                      ("report", f"{name}.h5", "-q", "-o", f"{name}.html")):
                        done = self.command(*arguments, ok=False)
                        self.tally["reads"] += 1
                        if done.returncode != 0:
                            self.fail(name, f"{arguments[0]} failed: {done.stderr}")
            except (OSError, subprocess.SubprocessError) as error:
                self.fail(name, f"a reader: {error}")
                return

    def ask_watch(self, name, address, state):
        while not state["ended"]:
            try:
                with urllib.request.urlopen(address + "data?from=0", timeout=LIMIT) as answer:
                    data = answer.read()
                if not data.startswith(b"TMLREP01"):
                    self.fail(name, "watch answered something else")
                self.tally["answers of watch"] += 1
            except urllib.error.HTTPError as error:
                text = error.read().decode(errors="replace")
                if error.code != 503 or "No such file" not in text:
                    self.fail(name, f"watch answered {error.code}: {text}")
            except OSError as error:
                self.fail(name, f"watch: {error}")
                return
            time.sleep(0.02)

    # --- one run

    def kill_once(self, number, seed):
        chance = random.Random(seed)
        name = f"run{number}"
        by_call = chance.random() < 0.5
        arguments = self.run_arguments(name)
        if by_call:
            at = chance.randrange(1, self.calls + 1)
            arguments = [self.fault, "--at", str(at), "--kill", "--", *arguments]
        watch = subprocess.Popen([self.trammel, "watch", f"{name}.h5", "--no-open", "-q"],
                                 cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True)
        address = watch.stdout.readline().strip()
        state = {"ended": False, "seen": 0, "lines": 0}
        lookers = [threading.Thread(target=self.look, args=(name, k, state)) for k in (1, 2)]
        lookers.append(threading.Thread(target=self.ask_watch, args=(name, address, state)))
        run = subprocess.Popen(arguments, cwd=self.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        for looker in lookers:
            looker.start()
        sent = signal.SIGKILL
        if not by_call:
            sent = chance.choice(SIGNALS)
            # loaded by the readers the run takes longer than alone
            time.sleep(chance.random() * 2.0 * self.seconds)
            run.send_signal(sent)
        try:
            run.wait(LIMIT)
        except subprocess.TimeoutExpired:
            run.kill()
            self.fail(name, "the run hangs")
        told = run.communicate()[1]
        state["ended"] = True
        for looker in lookers:
            looker.join()
        self.end_watch(name, watch)
        self.tally["kills" if sent == signal.SIGKILL else "signals"] += 1
        if run.returncode not in (0, 1, 137, -signal.SIGKILL, -sent):
            self.fail(name, f"ended with {run.returncode}: {told}")
        self.check_after(name, state["seen"], state["lines"])
        for left in os.listdir(self.folder):
            if left.startswith(name + "."):
                if left.endswith(".new"):
                    self.fail(name, f"left behind: {left}")
                os.remove(self.path(left))
            elif left.startswith(name + "-"):
                os.remove(self.path(left))

    def end_watch(self, name, watch):
        watch.send_signal(signal.SIGINT)
        try:
            watch.wait(LIMIT)
        except subprocess.TimeoutExpired:
            watch.kill()
            self.fail(name, "watch does not end")
        error = watch.communicate()[1]
        if watch.returncode != 0 or error:
            self.fail(name, f"watch ended with {watch.returncode}: {error}")

    def check_after(self, name, seen, lines):
        """Readable as it lies, readable after repair, and by then the same."""
        if os.path.exists(self.path(f"{name}.csv")):
            self.check_rows(name, "csv", f"{name}.csv", lines)
        if not os.path.exists(self.path(f"{name}.h5")):
            if seen > 0:
                self.fail(name, "the file is gone")
            self.tally["before the first row"] += 1
            return
        with open(self.path(f"{name}.h5"), "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 24))
            self.tally["cut commits"] += file.read(7) == b"TmlJrnl"
        before = self.read(name, "before")
        repaired = self.command("repair", f"{name}.h5", ok=False)
        after = self.read(name, "after")
        if repaired.returncode != 0:
            self.fail(name, f"repair failed: {repaired.stderr}")
        elif before is not None and before != after:
            self.fail(name, f"{before} rows before repair, {after} after")
        elif after is None or after < seen:
            self.fail(name, f"{after} rows, where a reader had seen {seen}")
        else:
            found = re.search(r"rows: (\d+)", repaired.stdout)
            if found is None or int(found.group(1)) != after:
                self.fail(name, f"repair tells {repaired.stdout}, a reader sees {after} rows")
            self.tally["rows"] += after
            self.tally["before the first row"] += after == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trammel")
    parser.add_argument("fault")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGHUP):  # whoever ignores them has children that do
        signal.signal(number, signal.SIG_DFL)
    prepare(arguments.fault)
    session = Session(arguments)
    for k in range(arguments.kills):
        had = len(session.wrong)
        session.kill_once(k, arguments.seed + k)
        for text in session.wrong[had:]:
            print(f"seed {arguments.seed + k}: {text}", flush=True)
    print(", ".join(f"{key}: {value}" for key, value in session.tally.items()))
    return 1 if session.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
