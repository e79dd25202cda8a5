#!/usr/bin/env python3
"""What the choice of `auto` costs: its time over that of the best method at the same error, on some ninety models.

    tools/evidence/regret.py [--only TEXT] [--part K/N] [--methods A,B] [--jobs N] [--repeat N] [--from CSV...] [--save CSV] [--write]

Every method and `auto` run each model of tools/regret/catalogue.py at four tolerances (`trammel compare`: errors against a tight run of
another method, CPU time of the steps). The regret of `auto` at a tolerance is its time over the least time of any method at the error
that it has, by straight lines between runs on logarithmic axes. Every second model is one to learn rules from, the others test them.
--save keeps the runs; --from reads them instead of running; --write makes bench/results/regret.csv and docs/evidence/regret.md.
A quarter of an hour on two busy cores; --only TEXT takes the models and families whose name has the text.
"""
import argparse
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from regret import catalogue, measure, page  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="models or families with this text")
    parser.add_argument("--methods", default=",".join(measure.METHODS), help="with commas")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=2, help="timed runs of which the fastest counts")
    parser.add_argument("--limit", type=float, default=10, help="seconds for a run")
    parser.add_argument("--part", default="1/1", help="every N-th model from the K-th on, as K/N")
    parser.add_argument("--from", dest="source", nargs="+", help="runs that were saved")
    parser.add_argument("--save", help="where to keep the runs")
    parser.add_argument("--write", action="store_true", help="the table and the page of the repository")
    parser.add_argument("--trammel", default=os.environ.get("TRAMMEL") or str(ROOT / "build/trammel"))
    args = parser.parse_args()
    args.methods = args.methods.split(",")
    return args


def main():
    args = parse()
    entries = [e for e in catalogue.catalogue() if args.only in e.name or args.only in e.family]
    part, parts = (int(x) for x in args.part.split("/"))
    entries = entries[part - 1::parts]
    rows = [r for s in args.source for r in measure.read(s)] if args.source else measure.measure(entries, args)
    rows = [r for r in rows if args.only in r["model"] or args.only in r["family"]]
    records = measure.regrets(rows)
    print("\n".join(page.report(records)))
    if args.save:
        measure.write(rows, args.save)
    if args.write:
        measure.write(rows, ROOT / "bench/results/regret.csv")
        (ROOT / "docs/evidence/regret.md").write_text(page.text(records), encoding="utf-8")


if __name__ == "__main__":
    main()
