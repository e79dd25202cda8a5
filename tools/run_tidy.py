#!/usr/bin/env python3
"""clang-tidy over all files of a build, or those that are named, in parallel; prints only what it finds.

usage: run_tidy.py BUILD [JOBS] [--most N] [FILE...]
"""
import argparse
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
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("jobs", nargs="?", type=int, default=2)
    parser.add_argument("--most", type=int, default=0, help="no more files than this; 0: all")
    parser.add_argument("file", nargs="*")
    args = parser.parse_args()
    build, jobs = args.build, args.jobs
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    files = sorted({command["file"] for command in commands})
    if args.file:
        wanted = {str(pathlib.Path(name).resolve()) for name in args.file}
        files = [name for name in files if name in wanted]
    if args.most and len(files) > args.most:
        print(f"clang-tidy: {len(files) - args.most} of {len(files)} files left out; make lint takes all")
        files = sorted(files, key=lambda name: -pathlib.Path(name).stat().st_mtime)[: args.most]
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
