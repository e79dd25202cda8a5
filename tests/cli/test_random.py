#!/usr/bin/env python3
"""Would tools/random_mechanisms.py see a fault? Commands with planted ones stand in for trammel:

    test_random.py TRAMMEL
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools" / "random_mechanisms.py"

# a command that does what trammel does, and then what FAULT says with its arguments and rows
COMMAND = """#!{python}
import os, pathlib, signal, subprocess, sys, time
args = sys.argv[1:]
text = pathlib.Path(args[1]).read_text()
status = subprocess.run([{trammel!r}] + args).returncode
rows = pathlib.Path(args[args.index("--csv") + 1]) if "--csv" in args else None
def scale(factor, drift=0):
    if rows is None: return
    lines = rows.read_text().splitlines()
    out = lines[:1]
    for line in lines[1:]:
        t, *values = line.split(",")
        out.append(",".join([t] + [repr(float(v) * (factor + drift * float(t))) for v in values]))
    rows.write_text("\\n".join(out) + "\\n")
{fault}
sys.exit(status)
"""

# name of a fault, its code, the check that must see it, a word that it is told with
FAULTS = [
    ("crash", "os.kill(os.getpid(), signal.SIGSEGV)", "ends", "crash"),
    ("hang", "while True: pass", "ends", "hang"),
    ("mute", "status = 1", "ends", "mute"),
    ("nan", "scale(float('nan'))", "ends", "not finite"),
    ("default", "scale(1 if '-i' in args else 1.2)", "ends", "off by"),
    ("method", "scale(1 if 'radau' in args else 1.1)", "methods", "off by"),
    ("turned", "scale(1 if 'matrix: [[1.0, 0.0, 0.0]' in text else 1.01)", "turned", "off by"),
    ("units", "scale(1.01 if '1 mm' in text else 1)", "written_units", "off by"),
    ("rows", "scale(1.01 if '--output-step' in args else 1)", "rows", "off by"),
    ("convert", "scale(1.00001 if 'converted' in args[1] else 1)", "convert", "off by"),
    ("momentum", "scale(1, 0.01)", "momentum", "changes by"),
    ("linear", "scale(1, 0.1)", "linear", "not of the eigenvalues"),
    ("none", "", "ends", "0 failures"),
]


def run(folder, trammel, name, fault, check):
    command = folder / name
    command.write_text(COMMAND.format(python=sys.executable, trammel=trammel, fault=fault))
    command.chmod(0o755)
    result = subprocess.run(
        [sys.executable, TOOL, "--trammel", command, "--seed", "30", "--count", "1", "--checks",
         check, "--limit", "3", "--no-shrink"], capture_output=True, text=True, timeout=300)
    return result.returncode, result.stdout + result.stderr


def main():
    trammel, failed = str(pathlib.Path(sys.argv[1]).resolve()), 0
    with tempfile.TemporaryDirectory() as folder:
        for name, fault, check, word in FAULTS:
            status, text = run(pathlib.Path(folder), trammel, name, fault, check)
            if status != (name != "none") or word not in text:
                print(f"fault '{name}' is not seen: status {status}\n{text}")
                failed += 1
    print(f"{len(FAULTS) - failed} of {len(FAULTS)} as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
