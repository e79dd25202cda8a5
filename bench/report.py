#!/usr/bin/env python3
"""What reports take: size, time and memory for 10, 100 and 1000 bodies and 10,000 rows.

    bench/report.py [--trammel build/trammel] [--bodies 10,100,1000] [--rows 10000] [--folder DIR]
                    [--csv bench/results/report.csv]

A chain of rods on pins falls for 10 s with a row every 1 ms. The results of 1000 bodies are 2.5 GB.
A run is made once for each number of bodies; of three reports the fastest counts. Times are CPU
seconds, so that a busy machine matters little.
"""
import argparse
import base64
import csv
import json
import pathlib
import re
import struct
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = ROOT / "models" / "closed_forms" / "chain_revolute.yaml"
COLUMNS = ["bodies", "rows", "results_mb", "report_mb", "page_mb", "frames", "bound_position",
           "bound_of_size", "cpu_seconds", "run_cpu_seconds", "peak_mb"]


def header_of(path):
    text = path.read_bytes()
    found = re.search(rb'<script id="trammel-data" type="text/plain">(.*?)</script>', text, re.S)
    data = base64.b64decode(found.group(1))
    page = len(text) - len(found.group(1))
    return json.loads(data[16:16 + struct.unpack("<I", data[8:12])[0]]), page


def alone(*command):
    """CPU seconds and peak memory in MB of a command, as its parent sees them."""
    code = ("import resource, subprocess, sys\n"
            "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
            "use = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
            "print(use.ru_utime + use.ru_stime, use.ru_maxrss / 1024)")
    done = subprocess.run(["python3", "-c", code, *map(str, command)], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return tuple(map(float, done.stdout.split()))


def measure(trammel, bodies, rows, folder):
    results, html = folder / "chain.h5", folder / "chain.html"
    end = 10.0
    run, _ = alone(trammel, "run", MODEL, "--set", f"N={bodies}", "--end", end, "--output-step",
                   end / rows, "--tol", "1e-5", "-i", "hht", "-o", results, "-q")
    times = [alone(trammel, "report", results, "-o", html) for _ in range(3)]
    header, page = header_of(html)
    bound = header["frames"]["error_bound"]["position"]
    row = [bodies, header["run"]["rows"], results.stat().st_size / 1e6, html.stat().st_size / 1e6,
           page / 1e6, header["frames"]["kept"], bound, bound / header["scene"]["size"],
           min(t[0] for t in times), run, max(t[1] for t in times)]
    results.unlink()
    html.unlink()
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--trammel", default=str(ROOT / "build" / "trammel"))
    parser.add_argument("--bodies", default="10,100,1000")
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--folder", help="for the results; a temporary one by default")
    parser.add_argument("--csv", default=str(ROOT / "bench" / "results" / "report.csv"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder, \
            open(args.csv, "w", encoding="ascii", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for bodies in map(int, args.bodies.split(",")):
            row = measure(args.trammel, bodies, args.rows, pathlib.Path(folder))
            table.writerow([f"{value:.6g}" for value in row])
            file.flush()
            print("  ".join(f"{name} {value:.4g}" for name, value in zip(COLUMNS, row)),
                  flush=True)


if __name__ == "__main__":
    main()
