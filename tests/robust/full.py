#!/usr/bin/env python3
"""A disk that becomes full: every command on file systems of every size, in memory.

    full.py TRAMMEL [--command NAMES]

Needs to mount a file system, as root or in a namespace of its own; else it ends with 77. What must
hold is that of faults.py, but for messages about the system's own folders.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import faults
from commands import COMMANDS, Inputs

PAGE = 4096  # the system gives space in pages


def enter_namespace():
    """Run this again where mounting is allowed; returns only there."""
    if os.environ.get("TRAMMEL_NAMESPACE"):
        return
    environment = dict(os.environ, TRAMMEL_NAMESPACE="1")
    command = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    probe = subprocess.run([*command, "mount", "-t", "tmpfs", "none", "/mnt"], check=False,
                           capture_output=True)
    if probe.returncode != 0:
        print("skipped: no file system can be mounted here")
        sys.exit(77)
    os.execvpe(command[0], [*command, sys.executable, *sys.argv], environment)


def mount(folder, size):
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)


class FullTrial(faults.Trial):
    """Inputs lie outside of the small file system, and are linked."""

    def __init__(self, inputs, command, folder):
        self.inputs, self.command, self.folder = inputs, command, folder
        self.tmp = os.path.join(folder, "tmp")
        os.makedirs(self.tmp)
        for name in inputs.names:
            if name in command.changes:
                shutil.copy(inputs.path(name), self.path(name))
            else:
                os.symlink(inputs.path(name), self.path(name))


def used(folder):
    info = os.statvfs(folder)
    return (info.f_blocks - info.f_bfree) * info.f_frsize


def try_size(inputs, command, reference, pages, base, earlier):
    """The command with so many free pages. Returns what is wrong, and whether it succeeded."""
    mount(base, "64m")
    with open(os.path.join(base, "filler"), "wb") as file:
        file.write(bytes(PAGE))  # a size of zero would mean no limit
    trial = FullTrial(inputs, command, os.path.join(base, "trial"))
    if earlier:
        trial.put_earlier()
    subprocess.run(["mount", "-o", f"remount,size={used(base) + pages * PAGE}", base], check=True)
    arguments = [inputs.trammel, *command.arguments]
    done = subprocess.run(arguments, cwd=trial.folder, capture_output=True, check=False,
                          timeout=faults.LIMIT, env=dict(os.environ, TMPDIR=trial.tmp, LC_ALL="C"))
    subprocess.run(["mount", "-o", "remount,size=64m", base], check=True)  # for readers
    wrong = []
    if done.returncode not in (0, 1, 3):
        wrong.append(f"it ended with {done.returncode}")
    ended = done.returncode == command.status
    if ended and command.status != 0:
        ended = faults.numbers_out(done.stderr.decode()) == reference.errors
    if not ended:
        wrong += faults.check_message(trial, done, "full", ["", "", ""])
    wrong += faults.check_files(trial, reference, done, ended, earlier)
    if trial.left_behind():
        wrong.append("left behind: " + " ".join(trial.left_behind()))
    if wrong:
        wrong.append("said: " + done.stderr.decode(errors="replace").strip())
    subprocess.run(["umount", base], check=True)
    return wrong, ended


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trammel")
    parser.add_argument("--command", help="these commands only")
    enter_namespace()
    arguments = parser.parse_args()
    trammel = os.path.abspath(arguments.trammel)
    fault = os.path.join(os.path.dirname(trammel), "tests", "trammel-fault")
    failures = sizes = 0
    with tempfile.TemporaryDirectory(prefix="trammel-full-") as folder:
        inputs = Inputs(trammel, fault, os.path.join(folder, "inputs"))
        for command in COMMANDS:
            if not command.whole + command.rows + command.changes or (
                    arguments.command and command.name not in arguments.command.split(",")):
                continue
            reference = faults.Reference(inputs, command, os.path.join(folder, "reference"),
                                         False, [])
            for earlier in (True, False):
                ended, pages = False, 0
                while not ended:
                    wrong, ended = try_size(inputs, command, reference, pages,
                                            os.path.join(folder, "small"), earlier)
                    sizes += 1
                    if wrong:
                        failures += 1
                        print(f"{command.name} with {pages} free pages:")
                        for line in wrong:
                            print("    " + line.replace("\n", "\n    "))
                    last, pages = pages, pages + (1 if pages < 64 else pages // 16)
                print(f"{command.name}: succeeds with {last} pages", flush=True)
    print(f"{sizes} sizes, {failures} were not borne")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
