#!/usr/bin/env python3
"""Every system call of every command goes wrong in turn.

    faults.py TRAMMEL FAULT --share 0.2            a sample: part of the tests
    faults.py TRAMMEL FAULT --sample 12            12 calls of each command and way
    faults.py TRAMMEL FAULT --distinct 2           two of all that are alike: `make robust`
    faults.py TRAMMEL FAULT --all [--jobs N]       every call, every way: `make robust ALL=1`
    faults.py TRAMMEL FAULT --all --done FILE      the same in pieces: goes on behind what FILE lists
    faults.py TRAMMEL FAULT --command run --way EIO --at 17     one again, with its output

FAULT is the program of fault.c. What must hold is told in docs/develop/testing.md.
"""
import argparse
import collections
import concurrent.futures
import ctypes
import errno
import http.client
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request

from commands import COMMANDS, WATCH, Inputs, numbers_out, prepare

OLD = b"what was here before\n"
LIMIT = 60  # s, far above what a command takes: it hangs

# What a call may fail with. EINTR is for calls that may wait.
WRITES = {"write", "pwrite64", "writev", "sendto"}
READS = {"read", "pread64", "readv", "recvfrom"}
WAYS = {
    "ENOSPC": WRITES | {"openat", "linkat", "rename", "mkdir", "ftruncate"},
    "EDQUOT": {"write", "openat"},
    "EACCES": {"open", "openat", "rename", "renameat2", "linkat", "unlink", "mkdir", "stat",
               "newfstatat", "access", "readlink"},
    "EMFILE": {"open", "openat", "dup", "fcntl", "pipe2", "socket"},
    "ENOLCK": {"flock"},
    "EINTR": WRITES | READS | {"openat", "flock", "ftruncate", "close", "fcntl"},
    "EIO": None,  # every call
    "short": WRITES | READS,
    "full": WRITES | {"ftruncate", "openat", "linkat", "mkdir"},
    "kill": WRITES | {"openat", "rename", "renameat2", "linkat", "unlink", "mkdir", "ftruncate",
                      "close", "flock"},  # between others a kill finds the same files
    "ENOMEM": {"mmap", "brk", "mremap", "mprotect"},
}
MEMORY = {"mmap", "brk", "mremap", "mprotect"}
# Ways that files of earlier runs may be lost by.
CHANGING = {"ENOSPC", "EACCES", "EIO", "full", "kill"}
# A way that the command must not feel.
TRANSPARENT = {"EINTR", "short"}
# Files of libraries: fonts, for example. Without them figures look different.
OTHERS = ("/usr/", "/etc/", "/var/", "/root/", "/home/", "/lib")


class Exporter:
    """Rows of result files as CSV, by the library in a process that has HDF5 in it already: a start of the command takes
    as long as most of the commands that are tried. Without the library beside the command it is the command."""

    def __init__(self, trammel, first):
        self.trammel, self.lib = trammel, None
        path = os.path.join(os.path.dirname(trammel), "libtrammel.so")
        if os.path.exists(path) and "TRAMMEL_NO_LIBRARY" not in os.environ:
            self.lib = ctypes.CDLL(path)
            self.error = ctypes.create_string_buffer(1 << 16)  # TmlError is smaller
            with tempfile.TemporaryDirectory() as folder:
                self.call(first, os.path.join(folder, "rows.csv"))

    def call(self, path, table):
        rows, columns = ctypes.c_int64(), ctypes.c_int()
        return self.lib.tml_export_csv(path.encode(), 0, None, False, table.encode(), ctypes.byref(rows),
                                       ctypes.byref(columns), self.error) == 0

    def __call__(self, path, table):
        if self.lib is None:
            done = subprocess.run([self.trammel, "export", path, "-q", "-o", table], check=False, timeout=LIMIT,
                                  capture_output=True, env=dict(os.environ, TMPDIR=os.path.dirname(table)))
            return done.returncode == 0
        child = os.fork()
        if child == 0:
            signal.alarm(LIMIT)
            os.environ["TMPDIR"] = os.path.dirname(table)
            os._exit(0 if self.call(path, table) else 1)
        return os.waitpid(child, 0)[1] == 0


class Trial:
    """A folder with the inputs, files of earlier runs, and a command in it."""

    def __init__(self, inputs, command, folder):
        self.inputs, self.command, self.folder = inputs, command, folder
        self.tmp = os.path.join(folder, "tmp")
        os.makedirs(self.tmp)
        for name in inputs.names:
            source, target = inputs.path(name), self.path(name)
            if name in command.changes:
                shutil.copy(source, target)
            else:
                os.link(source, target)

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read().replace(self.folder.encode(), b"FOLDER")

    def put_earlier(self):
        for name in self.command.whole + self.command.rows:
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            with open(self.path(name), "wb") as file:
                file.write(OLD)

    def run(self, options):
        environment = dict(os.environ, TMPDIR=self.tmp, LC_ALL="C", OPENBLAS_NUM_THREADS="1")
        arguments = [self.inputs.fault, *options, "--", self.inputs.trammel,
                     *self.command.arguments]
        return subprocess.run(arguments, cwd=self.folder, env=environment, capture_output=True,
                              timeout=LIMIT, check=False)

    def rows_of(self, name):
        """The rows of a file as text; None: it cannot be read."""
        if name.endswith(".csv"):
            text = self.read(name).decode()
            return text[:text.rfind("\n") + 1]  # a last row without its end is no row
        table = os.path.join(self.tmp, "rows.csv")
        if not self.inputs.export(self.path(name), table):
            return None
        with open(table, encoding="utf-8") as file:
            text = file.read()
        os.remove(table)
        return text

    def left_behind(self):
        own = {os.path.normpath(name).split("/")[0]
               for name in self.command.whole + self.command.rows + self.command.kept}
        found = set(os.listdir(self.folder)) - set(self.inputs.names) - own - {"tmp"}
        return sorted(found) + sorted(os.listdir(self.tmp))


class Reference:
    """What an undisturbed run does, and its calls as fault.c counts them with these options."""

    def __init__(self, inputs, command, folder, earlier, options):
        trial = Trial(inputs, command, folder)
        if earlier:
            trial.put_earlier()
        log = os.path.join(trial.tmp, "log")
        done = trial.run(["--log", log] + options)
        if done.returncode != command.status:
            raise RuntimeError(f"{command.name}: {done.stdout}{done.stderr}")
        self.output = numbers_out(done.stdout.decode())
        self.errors = numbers_out(done.stderr.decode())
        self.whole = {name: trial.read(name) for name in command.whole}
        self.changed = {name: trial.rows_of(name) for name in command.changes}
        self.rows = {name: trial.rows_of(name) for name in command.rows}
        with open(log, encoding="utf-8") as file:
            self.calls = [(line.split() + [""])[1:4] for line in file]
        shutil.rmtree(folder)


def same(name, got, want):
    """Is a file as it should be? Run times in it are not compared."""
    if got == want:
        return True
    if name.endswith((".json", ".csv", ".svg")):
        one, other = numbers_out(got.decode(errors="replace")), numbers_out(want.decode())
        return one == other or name.endswith(".svg") and is_whole(name, got, want)
    if name.endswith(".html"):  # data are compressed: times change their length a little
        return abs(len(got) - len(want)) < 4096 and is_whole(name, got, want)
    if name.endswith(".h5"):
        return abs(len(got) - len(want)) < 512
    return False


def is_whole(name, got, want):
    """A file that is all there, of a run that ended otherwise perhaps."""
    if name.endswith(".csv"):  # of a study, one of whose runs has failed: a line each
        return got.count(b"\n") == want.count(b"\n") and got.endswith(b"\n")
    if name.endswith(".h5"):
        return got[:4] == want[:4] and abs(len(got) - len(want)) < 16384
    if name.endswith(".json"):
        try:
            return bool(json.loads(got))
        except ValueError:
            return False
    if name.endswith((".html", ".svg", ".png")):
        return got[:8] == want[:8] and got[-6:] == want[-6:]
    return False


def fingerprint(path):
    """Of a file as it was made: any write or new file of that name gives another one."""
    if not os.path.exists(path):
        return None
    info = os.stat(path)
    return info.st_ino, info.st_size, info.st_mtime_ns


def is_part(rows, of):
    return rows is not None and of.startswith(rows)


def check_files(trial, reference, done, ended, earlier):
    """What is wrong with the files after a run that was disturbed."""
    wrong = []
    fails = trial.command.name.startswith(("run", "plot_png", "sweep"))  # whole, but another one
    for name in trial.command.whole:
        there = os.path.exists(trial.path(name))
        got = trial.read(name) if there else None
        if ended:
            if not there or not same(name, got, reference.whole[name]):
                wrong.append(f"success is told, but {name} is not as it should be")
        elif not (got == (OLD if earlier else None)
                  or there and (same if not fails else is_whole)(name, got, reference.whole[name])):
            wrong.append(f"{name} is neither as it was nor whole"
                         + (f": {len(got)} bytes" if there else ": it is gone"))
    for name in trial.command.rows:
        there = os.path.exists(trial.path(name))
        got = trial.read(name) if there else None
        if ended:
            if not there or trial.rows_of(name) != reference.rows[name]:
                wrong.append(f"success is told, but {name} has not all rows")
        elif got == OLD or (not there and not earlier):
            pass
        elif not there or not is_part(trial.rows_of(name), reference.rows[name]):
            wrong.append(f"{name} cannot be read" if there else f"{name} is gone")
    for name in trial.command.changes:
        if trial.rows_of(name) != reference.changed[name]:
            wrong.append(f"rows of {name} are lost")
    for name in trial.inputs.names:
        if name not in trial.command.changes and fingerprint(trial.path(name)) != trial.inputs.fingerprints[name]:
            wrong.append(f"the input {name} has been changed")
    return wrong


def check_message(trial, done, way, call):
    """A message that names the cause and a file."""
    text = done.stderr.decode(errors="replace")
    if call[0] in WRITES and call[2].startswith("pipe"):
        return []  # there is no place for a message
    if call[0] == "getrandom":
        return []
    if not any(line.startswith("error: ") for line in text.splitlines()):
        return ["no message"]
    if call[2].startswith(OTHERS) or call[0] in ("getcwd", "clone", "fork", "vfork"):
        return []
    wrong = []
    cause = os.strerror(errno.ENOSPC if way == "full" else getattr(errno, way, 0))
    if way == "ENOMEM":
        return [] if "memory" in text or "cannot open the user library" in text else [f"the message does not tell '{cause}'"]
    if cause not in text:
        wrong.append(f"the message does not tell '{cause}'")
    names = trial.inputs.names + trial.command.whole + trial.command.rows + trial.command.kept
    names += [os.environ["TRAMMEL_VIEWER"]] if "TRAMMEL_VIEWER" in os.environ else []
    if not any(name in text for name in names + [trial.tmp, "temporary file", "standard output", "port", "/dev/null"]):
        wrong.append("the message names no file")
    return wrong


def counting(way):
    """Options of fault.c that tell which calls are counted."""
    only = ["--only", ",".join(sorted(WAYS[way]))] if WAYS[way] else []
    return only + {"full": ["--files"], "ENOMEM": ["--memory"]}.get(way, [])


def disturbing(way, at):
    options = ["--at", str(at)]
    if way == "short":
        return options + ["--short"]
    if way == "kill":
        return options + ["--kill"]
    if way == "full":  # the first write that has not enough room is cut short
        return options + ["--short", "--after", "--error", str(errno.ENOSPC)]
    return options + ["--error", str(getattr(errno, way))]


def disturbed(inputs, command, reference, way, at, call, earlier, folder, verbose=False):
    """Runs the command with its call number `at` disturbed; a list of what is wrong."""
    trial = Trial(inputs, command, folder)
    if earlier:
        trial.put_earlier()
    try:
        done = trial.run(counting(way) + disturbing(way, at))
    except subprocess.TimeoutExpired:
        shutil.rmtree(folder)
        return ["it hangs"]
    if verbose:
        print(done.returncode, done.stdout.decode(), done.stderr.decode(), sep="\n")
    wrong = []
    if call[0] == "getrandom" and done.returncode == 134:
        pass  # the C library gives up where fontconfig asks for random numbers
    elif done.returncode not in ((137, command.status) if way == "kill" else (0, 1, 2, 3)):
        wrong.append(f"it crashed: {done.returncode}")
    others = call[2].startswith(OTHERS) or call[0] == "getrandom"
    if way in TRANSPARENT and done.returncode != command.status and not others:
        wrong.append("it failed, although nothing is lost")
    ended = done.returncode == command.status
    if ended and way not in TRANSPARENT and re.search(rb" [1-9]\d* failed", done.stdout):
        ended = False  # a run of a study: it is told, with its message in the table
    if ended and command.status != 0:  # the failure is its own, and no other
        ended = numbers_out(done.stderr.decode()) == reference.errors
    if ended and numbers_out(done.stdout.decode()) != reference.output:
        wrong.append("success is told, but standard output is not as it should be")
    if command.status == 0 and done.returncode not in (0, 137):
        wrong += check_message(trial, done, way, call)
    wrong += check_files(trial, reference, done, ended and not others, earlier)
    left = [name for name in trial.left_behind() if name not in done.stderr.decode()]
    if way == "kill":  # between the two calls by which a whole file takes its name
        left = [name for name in left if not name.endswith(".new")]
    if left:
        wrong.append("left behind, without a word: " + " ".join(left))
    if wrong:
        wrong.append("said: " + done.stderr.decode(errors="replace").strip())
    shutil.rmtree(folder)
    return wrong


class WatchRun:
    """`trammel watch`, asked for its page and its data, then ended."""

    def __init__(self, inputs, folder, options):
        self.inputs, self.tmp, self.command = inputs, os.path.join(folder, "tmp"), WATCH
        os.makedirs(self.tmp)
        os.link(inputs.path("results.h5"), os.path.join(folder, "results.h5"))
        environment = dict(os.environ, TMPDIR=self.tmp, LC_ALL="C")
        arguments = [inputs.fault, *options, "--", inputs.trammel, *WATCH.arguments]
        self.process = subprocess.Popen(arguments, cwd=folder, env=environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.tries, self.answers = {}, {}
        timer = threading.Timer(LIMIT, self.process.kill)
        timer.start()
        address = self.process.stdout.readline().decode().strip()
        if address:
            for what in ("", "data?from=0"):
                self.ask(address, what)
            self.process.send_signal(signal.SIGINT)
        self.stdout, self.stderr = self.process.communicate()
        self.hangs = not timer.is_alive()
        timer.cancel()
        self.served = bool(address)
        self.returncode = self.process.returncode

    def ask(self, address, what):
        """As a page does that was not answered: once more."""
        for k in range(3):
            self.tries[what] = k + 1
            try:
                with urllib.request.urlopen(address + what, timeout=10) as answer:
                    self.answers[what] = answer.read()
                    return
            except (OSError, http.client.HTTPException):
                pass


def disturbed_watch(inputs, reference, way, at, call, folder):
    run = WatchRun(inputs, folder, counting(way) + disturbing(way, at))
    wrong = []
    if run.hangs:
        wrong.append("it hangs")
    elif way == "kill":
        pass
    elif not run.served:
        if run.returncode not in (1, 2, 3):
            wrong.append(f"it ended with {run.returncode}")
        wrong += check_message(run, run, way, call)
    elif run.returncode not in (0, 3):
        wrong.append(f"it ended with {run.returncode}")
    elif run.answers != reference.answers:
        wrong.append("its answers are not those of an undisturbed one")
    elif way in TRANSPARENT and max(run.tries.values()) > 1:
        wrong.append("it had to be asked twice, although nothing is lost")
    if os.listdir(run.tmp):
        wrong.append("left behind: " + " ".join(os.listdir(run.tmp)))
    if wrong:
        wrong.append("said: " + run.stderr.decode(errors="replace").strip())
    shutil.rmtree(folder)
    return wrong


def points(reference, way):
    """The calls that can go wrong this way: number as fault.c counts them, and the call."""
    return [(k, call) for k, call in enumerate(reference.calls, 1)
            if WAYS[way] is None or call[0] in WAYS[way]]


def kind_of(call):
    """What calls are alike: of the same name on the same file. Names by number or by lot do not
    count, nor which of the files of other libraries it is."""
    path = call[2]
    if path.startswith(OTHERS):
        path = "/".join(path.split("/")[:2])
    return call[0], re.sub(r"trial\d+|#\d+|trammel-faults-[^/]*", "", path)


def distinct(found, count, chance):
    """So many by lot of the calls that are alike, the first among them."""
    alike = {}
    for at, call in found:
        alike.setdefault(kind_of(call), []).append((at, call))
    chosen = []
    for calls in alike.values():
        chosen += calls[:1] + chance.sample(calls[1:], min(len(calls) - 1, count - 1))
    return sorted(chosen)


def name_of(command, way, earlier, at):
    return command.name, way, "over" if earlier else "fresh", str(at)


class Session:
    def __init__(self, arguments):
        self.arguments = arguments
        base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = tempfile.TemporaryDirectory(prefix="trammel-faults-", dir=base)
        self.inputs = Inputs(os.path.abspath(arguments.trammel), os.path.abspath(arguments.fault),
                             os.path.join(self.folder.name, "inputs"))
        self.inputs.export = Exporter(self.inputs.trammel, self.inputs.path("results.h5"))
        self.inputs.fingerprints = {n: fingerprint(self.inputs.path(n)) for n in self.inputs.names}
        self.done = self.read_done()
        self.count = 0
        self.tally = {}  # of command and way

    def read_done(self):
        """Trials that an earlier piece of the same work has made, whether they were borne or not."""
        path = self.arguments.done
        if not path or not os.path.exists(path):
            return set()
        with open(path, encoding="utf-8") as file:
            return {tuple(line.split()[:4]) for line in file if line.endswith("\n")}

    def new_folder(self):
        self.count += 1
        return os.path.join(self.folder.name, f"trial{self.count}")

    def chosen(self, found, chance):
        a = self.arguments
        if a.at:
            return [p for p in found if p[0] == a.at]
        if a.distinct:
            return distinct(found, a.distinct, chance)
        return found if a.all else chance.sample(found, min(len(found), a.sample))

    def jobs(self):
        a = self.arguments
        chance = random.Random(a.seed)
        for command in COMMANDS:
            if a.command and command.name not in a.command.split(","):
                continue
            references = {}
            for way in WAYS:
                if a.way and way not in a.way.split(",") or chance.random() > a.share:
                    continue
                both = (a.all and way in CHANGING) or a.at
                for earlier in (True, False) if both else (chance.random() < 0.5,):
                    key = (earlier, *counting(way))
                    if key not in references:
                        references[key] = Reference(self.inputs, command, self.new_folder(),
                                                    earlier, counting(way))
                    found = points(references[key], way)
                    for at, call in self.chosen(found, chance):
                        if name_of(command, way, earlier, at) not in self.done:
                            yield command, references[key], way, at, call, earlier

    def watch_jobs(self):
        a = self.arguments
        chance = random.Random(a.seed)
        if a.command and "watch" not in a.command.split(","):
            return
        references = {}
        for way in WAYS:
            key = tuple(counting(way))
            if way == "full" or a.way and way not in a.way.split(",") or chance.random() > a.share:
                continue
            if key not in references:
                log = os.path.join(self.folder.name, "log")
                folder = self.new_folder()
                references[key] = WatchRun(self.inputs, folder, ["--log", log, *counting(way)])
                shutil.rmtree(folder)
                with open(log, encoding="utf-8") as file:
                    references[key].calls = [(line.split() + [""])[1:4] for line in file]
            found = points(references[key], way)
            for at, call in self.chosen(found, chance):
                if name_of(WATCH, way, False, at) not in self.done:
                    yield WATCH, references[key], way, at, call, False

    def submit(self, pool, job):
        command, reference, way, at, call, earlier = job
        folder = self.new_folder()
        if command is WATCH:
            return pool.submit(disturbed_watch, self.inputs, reference, way, at, call, folder)
        return pool.submit(disturbed, self.inputs, command, reference, way, at, call, earlier,
                           folder, bool(self.arguments.at))

    def take(self, job, future):
        """Counts what has been done; True: something was wrong."""
        command, _, way, at, call, earlier = job
        wrong = future.result()
        key = (command.name, way)
        self.tally[key] = self.tally.get(key, 0) + 1
        if self.arguments.done:
            with open(self.arguments.done, "a", encoding="utf-8") as file:
                words = *name_of(command, way, earlier, at), "not borne" if wrong else "borne"
                file.write(" ".join(words) + "\n")
        if wrong:
            print(f"{command.name} {way} at {at} ({' '.join(call)})"
                  f"{' over earlier files' if earlier else ''}:")
            for line in wrong:
                print("    " + line.replace("\n", "\n    "), flush=True)
        return bool(wrong)

    def run(self):
        """Returns how many were not borne."""
        failures = 0
        waiting = collections.deque()
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            for job in itertools.chain(self.jobs(), self.watch_jobs()):
                waiting.append((job, self.submit(pool, job)))
                if len(waiting) > 4 * self.arguments.jobs:
                    failures += self.take(*waiting.popleft())
            failures += sum(self.take(*item) for item in waiting)
        return failures


def table(tally):
    ways = [way for way in WAYS if any(key[1] == way for key in tally)]
    names = [c.name for c in COMMANDS + [WATCH] if any(key[0] == c.name for key in tally)]
    print("| command | " + " | ".join(ways) + " |")
    print("|---|" + "---|" * len(ways))
    for name in names:
        print(f"| {name} | " + " | ".join(str(tally.get((name, w), 0)) for w in ways) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trammel")
    parser.add_argument("fault")
    parser.add_argument("--all", action="store_true", help="every call, with and without earlier files")
    parser.add_argument("--distinct", type=int, default=0,
                        help="so many of the calls of one kind on one file")
    parser.add_argument("--sample", type=int, default=1, help="calls of a command and way")
    parser.add_argument("--share", type=float, default=1.0, help="of commands and ways, by lot")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--command", help="these commands only")
    parser.add_argument("--way", help="these ways only: " + ", ".join(WAYS))
    parser.add_argument("--at", type=int, help="this call only")
    parser.add_argument("--done", help="list what has been done in this file, and leave out what it lists")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # commands must not ignore it
    arguments = parser.parse_args()
    prepare(arguments.fault)
    session = Session(arguments)
    failures = session.run()
    tally = session.tally
    if session.arguments.share == 1.0:
        table(tally)
    print(f"{sum(tally.values())} calls went wrong, {failures} were not borne")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
