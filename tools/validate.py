#!/usr/bin/env python3
"""Run the models under models/ and compare them with published tables and closed forms.

    tools/validate.py [--quick] [--only NAME,...] [--renew] [--trammel PATH] [--integrator NAME] [--doc FILE]

Closed forms are computed here. The published tables are not part of the project: their folder is
TRAMMEL_CASES, else ../shared/cases beside the project; without it that part is skipped.
--quick leaves out the tolerance ladders and the tight runs and writes no page; otherwise
docs/validation.md is written. With --only no page is written, unless --renew is given: the sections
that have results take the place of those with the same title. Exit status: 0 all within their limits, 1 not, 2 wrong use.
"""
import argparse
import os
import sys

from validation import (adams, benchmarks, closed_forms, contact, examples, flexible, machines, modal, pantograph,
                        published_beams, rail, vehicles)
from validation.engine import ROOT, Engine
from validation.report import Report


class Job:
    """What is to be compared, and where the results go."""

    def __init__(self, args):
        self.quick = args.quick
        self.only = [word for word in args.only.split(",") if word]
        self.engine, self.report = Engine(args.trammel, args.integrator), Report()
        self.settings = ["default"] if args.quick else ["default", "tight"]
        path = os.environ.get("TRAMMEL_CASES")
        path = path or os.path.join(os.path.dirname(ROOT), "shared", "cases")
        self.cases = path if os.path.isdir(path) else None

    def wanted(self, name):
        return not self.only or any(part in name for part in self.only)

    def tolerance(self, setting):
        return self.engine.tight() if setting == "tight" else None

    def case_file(self, *parts):
        return os.path.join(self.cases, *parts)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="no tight runs, no ladders, no page")
    parser.add_argument("--only", default="", help="parts of case names, separated by commas")
    parser.add_argument("--renew", action="store_true",
                        help="with --only: put the sections that ran into the page")
    parser.add_argument("--trammel", default=os.environ.get("TRAMMEL")
                        or os.path.join(ROOT, "build", "trammel"), help="the command")
    parser.add_argument("--integrator", help="instead of the models' own")
    parser.add_argument("--doc", default=os.path.join(ROOT, "docs", "validation.md"),
                        help="page to write")
    args = parser.parse_args()
    if not os.access(args.trammel, os.X_OK):
        parser.error(f"'{args.trammel}' is not there; build it, or give --trammel")
    return args


def main():
    args = parse()
    job = Job(args)
    closed_forms.compare(job)
    examples.compare(job)
    published_beams.compare(job)
    if job.cases is None:
        print("skipped: the published tables (TRAMMEL_CASES is not set, ../shared/cases is absent)")
    else:
        adams.compare(job)
        benchmarks.compare(job)
        flexible.compare(job)
        contact.compare(job)
        modal.compare(job)
        pantograph.compare(job)
        rail.compare(job)
        vehicles.compare(job)
        machines.compare(job)
        if not job.quick and not job.only:
            job.report.write(args.doc)
        elif not job.quick and args.renew:
            job.report.renew(args.doc)
    bad = job.report.bad
    print(f"{bad} outside their limits" if bad else "all within their limits")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
