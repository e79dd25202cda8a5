#!/usr/bin/env python3
"""clang-tidy over all files of a build, in parallel; prints only what it finds.

usage: run_tidy.py BUILD [JOBS]
"""
import concurrent.futures
import json
import pathlib
import subprocess
import sys


def tidy(build, file):
    done = subprocess.run(
        ["clang-tidy", "-p", build, "--quiet", file], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout.strip()


def main():
    build, jobs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    files = sorted({command["file"] for command in commands})
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for code, text in pool.map(lambda file: tidy(build, file), files):
            failed += code != 0
            if text:
                print(text, flush=True)
    print(f"clang-tidy: {len(files)} files, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
