#!/usr/bin/env python3
"""Show that all integrators converge to one motion as the tolerance falls.

    tools/convergence.py [--only MODEL,...] [--methods NAME,...] [--trammel PATH] [--check]

Runs every method of `trammel integrators` on the models of tools/evidence/models.py with falling
tolerances and measures the error of each run against a tight run of another method, and against
published results where there are any: their folder is TRAMMEL_CASES, else ../shared/cases beside
the project. Writes bench/results/convergence.csv and docs/evidence/convergence.md when nothing is
left out. --check: three models, two tolerances, some seconds; exit status 1 when the methods do not
come together. About eight minutes otherwise.
"""
import argparse
import os
import sys

from evidence import convergence, models
from validation.engine import ROOT


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="names of models, separated by commas")
    parser.add_argument("--methods", default="", help="names of methods, separated by commas")
    parser.add_argument("--trammel", default=os.environ.get("TRAMMEL")
                        or os.path.join(ROOT, "build", "trammel"), help="the command")
    parser.add_argument("--check", action="store_true", help="a short run with a verdict")
    args = parser.parse_args()
    if not os.access(args.trammel, os.X_OK):
        parser.error(f"'{args.trammel}' is not there; build it, or give --trammel")
    return args


def main():
    args = parse()
    methods = convergence.list_methods(args.trammel)
    if args.check:
        return 0 if convergence.check(args.trammel, methods) else 1
    chosen = [m for m in models.MODELS if not args.only or m.name in args.only.split(",")]
    wanted = [m for m in methods if not args.methods or m in args.methods.split(",")]
    study = convergence.Study(args.trammel, wanted, chosen)
    study.measure()
    if not args.only and not args.methods:
        study.write_csv(os.path.join(ROOT, "bench", "results", "convergence.csv"))
        study.write_page(os.path.join(ROOT, "docs", "evidence", "convergence.md"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
