#!/usr/bin/env python3
"""Random mechanisms: each ends or is refused with a reason, and what must hold for it holds.

    tools/random_mechanisms.py --count 500 --seed 1 --trammel build/trammel --keep out/random

A mechanism is made from its seed alone, so a failure can be had again by --seed N --count 1. Failures
are made smaller and kept in a folder: the model, the command, what was wrong. docs/develop/testing.md
tells more.
"""
import argparse
import collections
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from mechanisms import checks, equilibrium, linear, shrink  # noqa: E402
from mechanisms.generate import mechanism  # noqa: E402
from mechanisms.program import Broken, Program, Slow  # noqa: E402

ALL = checks.CHECKS + [linear.linear, equilibrium.statics]
KIND = {"linear": "quiet", "momentum": "floating"}  # of mechanism that a check wants


def attempt(check, program, m, seed):
    """The failure of a check on a mechanism as (kind, detail, command), or None; Skip passes."""
    try:
        check(checks.Case(program, m, seed) if not isinstance(m, checks.Case) else m)
    except checks.Failure as failure:
        return failure.kind, failure.detail, failure.command
    except Slow as slow:
        if check is not checks.ends:
            raise checks.Skip("slow") from None
        if slow.singular:
            raise checks.Skip("slow from a singular start, which is warned of") from None
        return "hang", str(slow), ""
    except Broken as broken:
        return str(broken).split(":")[0], str(broken), ""
    return None


class Report:
    """Counts and kept failures."""

    def __init__(self, keep):
        self.keep, self.failures = keep, []
        self.held, self.skipped = collections.Counter(), collections.Counter()

    def fail(self, seed, check, failure, m):
        kind, detail, command = failure
        self.failures.append((seed, check.__name__, kind))
        print(f"    {detail}\n    trammel run MODEL {command}")
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            stem = self.keep / f"{check.__name__}_{seed}"
            stem.with_suffix(".yaml").write_text(checks.write(m.tree))
            checks.write_parts(m, self.keep)
            stem.with_suffix(".txt").write_text(
                f"{detail}\ncheck {check.__name__}, seed {seed}\ncommand: {command}\n")
        sys.stdout.flush()


def chosen(seed, names, share):
    """The checks of a seed: those that were named, or all; of these so many in turn, if asked."""
    some = [c for c in ALL if not names or c.__name__ in names]
    if share:
        some = [some[0]] + [some[1:][(seed * share + k) % (len(some) - 1)] for k in range(share)]
    return some


def examine(program, seed, some, report, minimise, **also):
    """Some checks of one seed."""
    made = {}
    for check in some:
        kind = KIND.get(check.__name__, "")
        if kind not in made:
            made[kind] = checks.Case(program, mechanism(seed, kind, **also), seed)
        case = made[kind]
        case.rng.seed(f"{check.__name__} {seed}")
        try:
            failure = attempt(check, program, case, seed)
        except checks.Skip as skip:
            report.skipped[f"{check.__name__}: {skip}"] += 1
            continue
        if failure is None:
            report.held[check.__name__] += 1
            continue
        m = case.m
        print(f"seed {seed}, {check.__name__}: {failure[0]}", flush=True)
        if minimise:
            m, failure = shrink.smaller(m, failure, lambda n: trial(check, program, n, seed))
        report.fail(seed, check, failure, m)


def trial(check, program, m, seed):
    """What a check says of a smaller mechanism, from the same random numbers."""
    case = checks.Case(program, m, seed)
    case.rng.seed(f"{check.__name__} {seed}")
    try:
        return attempt(check, program, case, seed)
    except checks.Skip:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100, help="how many mechanisms")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--trammel", default="build/trammel", help="the command")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for failures")
    parser.add_argument("--checks", default="", help="names of checks, separated by commas")
    parser.add_argument("--share", type=int, default=0,
                        help="so many checks a mechanism, in turn, beside the first; 0: all")
    parser.add_argument("--shapes", action="store_true", help="bodies touch walls and each other")
    parser.add_argument("--parts", action="store_true", help="each has a modal body")
    parser.add_argument("--faces", action="store_true",
                        help="shapes as above, and flexible bodies that balls touch")
    parser.add_argument("--tyres", action="store_true", help="wheels with tyres on roads")
    parser.add_argument("--limit", type=int, default=20, help="CPU seconds a run may take")
    parser.add_argument("--no-shrink", action="store_true", help="do not make failures smaller")
    parser.add_argument("--print", action="store_true", help="print the models and do nothing else")
    options = parser.parse_args()
    names = {n for n in options.checks.split(",") if n}
    unknown = names - {c.__name__ for c in ALL}
    if unknown:
        parser.error(f"no checks {sorted(unknown)}; there are {[c.__name__ for c in ALL]}")
    also = {"shapes": options.shapes, "parts": options.parts, "faces": options.faces,
            "tyres": options.tyres}
    if options.print:
        for seed in range(options.seed, options.seed + options.count):
            print(checks.write(mechanism(seed, KIND.get("".join(names), ""), **also).tree))
        return 0
    program, report, start = Program(options.trammel, options.limit), Report(options.keep), time.time()
    for seed in range(options.seed, options.seed + options.count):
        examine(program, seed, chosen(seed, names, options.share), report, not options.no_shrink,
                **also)
    summary(report, program, options.count, time.time() - start)
    return 1 if report.failures else 0


def summary(report, program, count, seconds):
    print(f"{count} mechanisms, {program.runs} runs, {seconds:.0f} s, "
          f"{len(report.failures)} failures")
    print("held:    " + ", ".join(f"{k} {v}" for k, v in report.held.items()))
    for reason, n in report.skipped.most_common(30):
        print(f"skipped: {n:5d}  {reason}")


if __name__ == "__main__":
    sys.exit(main())
