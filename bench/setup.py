#!/usr/bin/env python3
"""What a run takes up to its first step, by method and number of bodies.

    bench/setup.py [--trammel build/trammel] [--bodies 100,1000,10000] [--models pins,balls,...]
                   [--methods hht,...] [--limit-mb 8000] [--csv bench/results/setup.csv]

Chains of pins and of ball joints, a tree, plane loops side by side, loops in a row, and chains of
flexible bodies are loaded, made into a simulation and moved by one fixed step. CPU seconds and peak
memory are those of the whole process. Exponents are those of N between the last two lengths;
what the smallest model takes is taken off, since every process holds it.
"""
import argparse
import csv
import math
import os
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEAD = "trammel: 1\nparameters: {N: 10, L: 0.2, m: 0.1, J: m*L^2/12, Ja: m*1e-4}\ngravity: [0, -9.81, 0]\n"
ROD = "mass: m, inertia: [Ja, J, J]"
COLUMNS = ["model", "method", "bodies", "cpu_seconds", "peak_mb", "ends"]


def chain(joint):
    return (HEAD + f"""bodies:
  for i in 1..N:
    "rod{{i}}": {{{ROD}, position: [(i - 0.5)*L, 0, 0]}}
joints:
  j1: {{{joint}, bodies: [ground, rod1], at: [0, 0, 0]}}
  for i in 2..N:
    "j{{i}}": {{{joint}, bodies: ["rod{{i-1}}", "rod{{i}}"], at: [(i - 1)*L, 0, 0]}}
outputs: {{x: DX(rod1)}}
simulate: {{end: 1}}
""")


def tree():
    """Every rod carries two more at its end; all at one place in space, which nothing minds."""
    return (HEAD + f"""bodies:
  for i in 1..N:
    "rod{{i}}": {{{ROD}, position: [(floor(log(i)/log(2) + 1e-9) + 0.5)*L, 0, 0]}}
joints:
  j1: {{type: revolute, axis: z, bodies: [ground, rod1], at: [0, 0, 0]}}
  for i in 2..N:
    "j{{i}}": {{type: revolute, axis: z, bodies: ["rod{{floor(i/2)}}", "rod{{i}}"],
             at: [floor(log(i)/log(2) + 1e-9)*L, 0, 0]}}
outputs: {{x: DX(rod1)}}
simulate: {{end: 1}}
""")


def windows():
    """Parallelograms in a row, three redundant rows each; two bodies a loop."""
    text = (ROOT / "models/cases/include/four_bar_windows.yaml").read_text()
    return ("trammel: 1\nsimulate: {end: 1}\n" + text.split("frames:")[0]
            .replace("parameters: {", "parameters: {N: 10, ").replace("0..N", "0..floor(N/2)").replace("1..N", "1..floor(N/2)")
            + "outputs: {x: DX(post0)}\n")


def loops():
    """Four-bars that have nothing to do with each other: three bodies and three redundant rows each."""
    return (HEAD + f"""bodies:
  for k in 1..floor(N/3):
    "a{{k}}": {{{ROD}, position: [1e-3*k, 0.5, 0], inertia: [J, Ja, J]}}
    "b{{k}}": {{{ROD}, position: [1e-3*k + 1, 1, 0]}}
    "c{{k}}": {{{ROD}, position: [1e-3*k + 2, 0.5, 0], inertia: [J, Ja, J]}}
joints:
  for k in 1..floor(N/3):
    "p{{k}}": {{type: revolute, axis: z, bodies: [ground, "a{{k}}"], at: [1e-3*k, 0, 0]}}
    "q{{k}}": {{type: revolute, axis: z, bodies: ["a{{k}}", "b{{k}}"], at: [1e-3*k, 1, 0]}}
    "r{{k}}": {{type: revolute, axis: z, bodies: ["b{{k}}", "c{{k}}"], at: [1e-3*k + 2, 1, 0]}}
    "s{{k}}": {{type: revolute, axis: z, bodies: ["c{{k}}", ground], at: [1e-3*k + 2, 0, 0]}}
outputs: {{x: DX(a1)}}
simulate: {{end: 1}}
""".replace(f"{ROD}, position: [1e-3*k, 0.5, 0], inertia: [J, Ja, J]", "mass: m, inertia: [J, Ja, J], position: [1e-3*k, 0.5, 0]")
     .replace(f"{ROD}, position: [1e-3*k + 2, 0.5, 0], inertia: [J, Ja, J]", "mass: m, inertia: [J, Ja, J], position: [1e-3*k + 2, 0.5, 0]"))


def flexible():
    """Ropes of ten elements, each pinned to the one before it; N counts elements."""
    return """trammel: 1
parameters: {N: 20, L: 0.5}
gravity: [0, -9.81, 0]
flexible:
  for i in 1..N/10:
    "rope{i}": {type: cable, line: [[(i - 1)*L, 0, 0], [i*L, 0, 0]], elements: 10,
                material: {E: 2e8, nu: 0.3, density: 2000}, section: {radius: 0.01}}
joints:
  j1: {type: spherical, bodies: [ground, rope1], at: [0, 0, 0]}
  for i in 2..N/10:
    "j{i}": {type: spherical, bodies: ["rope{i-1}", "rope{i}"], at: [(i - 1)*L, 0, 0]}
outputs: {x: DX(rope1.end)}
simulate: {end: 1}
"""


MODELS = {"pins": lambda: chain("type: revolute, axis: z"), "balls": lambda: chain("type: spherical"), "tree": tree,
          "loops": loops, "windows": windows, "ropes": flexible}


def alone(command, limit_mb, seconds):
    """CPU seconds, peak memory in MB and how a command ended."""
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (limit_mb << 20, limit_mb << 20))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    p = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=bound)
    said = p.stderr.read()
    _, status, use = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    return use.ru_utime + use.ru_stime, use.ru_maxrss / 1024, p.returncode, said.strip()


def exponent(rows, column):
    a, b = rows[-2:]
    return math.log(b[column] / a[column]) / math.log(b["bodies"] / a["bodies"])


def measure(o, name, method, folder):
    path = folder / f"{name}.yaml"
    path.write_text(MODELS[name]())
    rows = []
    for n in o.bodies:
        command = [o.trammel, "run", path, "--set", f"N={n}", "-i", method, "--step", "1e-5", "-e", "1e-5",
                   "--output-step", "1e-5", "-q"]
        seconds, peak, code, said = alone([str(c) for c in command], o.limit_mb, o.limit_s)
        rows.append(dict(model=name, method=method, bodies=n, cpu_seconds=round(seconds, 3), peak_mb=round(peak, 1),
                         ends=code))
        if code != 0:
            print(f"  {name} {method} {n}: exit {code} after {seconds:.2f} s, {peak:.0f} MB: {said[-300:]}", flush=True)
            break
    return rows


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--trammel", default=ROOT / "build" / "trammel")
    p.add_argument("--bodies", default="100,1000,10000", type=lambda t: [int(x) for x in t.split(",")])
    p.add_argument("--models", default=",".join(MODELS), type=lambda t: t.split(","))
    p.add_argument("--methods", type=lambda t: t.split(","))
    p.add_argument("--limit-mb", default=8000, type=int)
    p.add_argument("--limit-s", default=120, type=int)
    p.add_argument("--csv", default=ROOT / "bench" / "results" / "setup.csv")
    o = p.parse_args()
    names = o.methods or subprocess.run([o.trammel, "integrators"], capture_output=True, text=True,
                                        check=True).stdout.split()
    everything = []
    with tempfile.TemporaryDirectory() as folder:
        for name in o.models:
            for method in names:
                rows = measure(o, name, method, pathlib.Path(folder))
                everything += rows
                good = [r for r in rows if r["ends"] == 0]
                told = "  ".join(f"{r['bodies']}: {r['cpu_seconds']:.2f} s {r['peak_mb']:.0f} MB" for r in good)
                if len(good) > 1:
                    told += f"  exponents {exponent(good, 'cpu_seconds'):.2f} {exponent(good, 'peak_mb'):.2f}"
                print(f"{name:8} {method:20} {told}", flush=True)
    with open(o.csv, "w", newline="") as f:
        out = csv.DictWriter(f, COLUMNS)
        out.writeheader()
        out.writerows(everything)


if __name__ == "__main__":
    main()
