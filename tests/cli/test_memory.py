#!/usr/bin/env python3
"""Runs with little memory end with a message that says what helps, and 'auto' takes what fits:

    test_memory.py TRAMMEL
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

MODEL = """trammel: 1
parameters: {N: 10, L: 0.2, m: 0.1, J: m*L^2/12, Ja: m*1e-4}
gravity: [0, -9.81, 0]
bodies:
  for i in 1..N:
    "rod{i}": {mass: m, inertia: [Ja, J, J], position: [(i - 0.5)*L, 0, 0]}
joints:
  j1: {type: spherical, bodies: [ground, rod1], at: [0, 0, 0]}
  for i in 2..N:
    "j{i}": {type: spherical, bodies: ["rod{i-1}", "rod{i}"], at: [(i - 1)*L, 0, 0]}
simulate: {end: 1e-5, output_step: 1e-5}
"""
# a force that reads a reaction is not served in joint coordinates, which need less memory than hht
READS = MODEL + "forces: {feed: {type: torque, body: rod1, at: [0, 0, 0], tz: 1e-9*reaction(j2).fx}}\n"
BODIES = 4000


def run(trammel, model, method, megabytes):
    """Exit status and what was printed, with so much address space."""
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    p = subprocess.run([trammel, "run", model, "--set", f"N={BODIES}", "-i", method, "--step", "1e-5"],
                       capture_output=True, text=True, timeout=120, preexec_fn=bound if megabytes else None)
    return p.returncode, p.stdout + p.stderr


def least(trammel, model, method):
    """The smallest limit in MB under which the method ends, to 1 MB."""
    low, high = 50, 220
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if run(trammel, model, method, middle)[0] == 0 else (middle, high)
    return high


def main():
    trammel = sys.argv[1]
    if b"__asan_init" in pathlib.Path(trammel).read_bytes():
        print("skipped: a sanitizer takes all address space")
        return 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "chain.yaml"
        model.write_text(MODEL)
        reads = pathlib.Path(folder) / "reads.yaml"
        reads.write_text(READS)
        status, text = run(trammel, model, "auto", 0)
        if status != 0 or "dop853: the model is smooth" not in text or "of joints: 12000" not in text:
            wrong.append(f"without a limit: {status}\n{text}")
        fell_back = refused = 0
        for megabytes in range(50, 221, 10):
            ended = {}
            for method in ("hht", "radau", "auto"):
                status, text = run(trammel, model, method, megabytes)
                ended[method] = status
                if status != 0 and ("memory" not in text or status < 0 or "singular" in text):
                    wrong.append(f"{method}, {megabytes} MB: {status}\n{text}")
                refused += "'radau' would take about" in text and "-i hht" in text
            status, text = run(trammel, reads, "auto", megabytes)
            if status != 0 and ("memory" not in text or status < 0 or "singular" in text):
                wrong.append(f"reads, {megabytes} MB: {status}\n{text}")
            if ended["hht"] == 0 and ended["auto"] != 0:
                wrong.append(f"{megabytes} MB are enough for hht, and auto does not take it")
        if ended != {"hht": 0, "radau": 0, "auto": 0}:
            wrong.append(f"with {megabytes} MB: {ended}")
        # the methods differ by a few megabytes only: where hht just ends there is too little for dop853
        enough = least(trammel, reads, "hht")
        for megabytes in range(enough, enough + 3):
            status, text = run(trammel, reads, "auto", megabytes)
            fell_back += status == 0 and "hht: too little memory for 'dop853'" in text
            if status != 0:
                wrong.append(f"reads: {megabytes} MB are enough for hht, auto ends with {status}\n{text}")
        if fell_back == 0 or refused == 0:
            wrong.append(f"fell back {fell_back} times, refused beforehand {refused} times")
    print("\n".join(wrong) or "memory: all is told")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
