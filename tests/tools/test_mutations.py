#!/usr/bin/env python3
"""test_mutations.py - every fault of tools/mutations.py can be planted, has tests that exist, and is listed in the evidence.

Nothing is built here. A change that moves or rewrites a line that a fault replaces fails this test at once.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import mutations  # noqa: E402

PAGE = "docs/evidence/planted_faults.md"


def tests_there():
    """Names of all tests: suites of the runner, and those that the build files add by name."""
    names = set(re.findall(r"^TML_SUITE\((\w+)\)", (ROOT / "tests/suites.def").read_text(), re.M))
    for file in ("tests/CMakeLists.txt", "cmake/checks.cmake"):
        names |= set(re.findall(r"add_test\(NAME (\w+)", (ROOT / file).read_text()))
    return names


def wrong_tests(faults, known):
    """Faults without a test, and with tests that are not there."""
    out = [f"{f[0]}: no test is named" for f in faults if not f[4].split()]
    return out + [f"{f[0]}: there is no test {t}" for f in faults for t in f[4].split() if t not in known]


def wrong_rows(faults, page):
    """Faults that the page does not list in the order of the tool, with their files."""
    rows = re.findall(r"^\| (.+?) \| `(\S+?)` \|", page, re.M)
    wanted = [(f[0], f[1].removeprefix("src/")) for f in faults]
    out = [f"{name}: {PAGE} has no row for it ({file})" for name, file in wanted if (name, file) not in rows]
    return out + [f"{name}: {PAGE} lists a fault of {file} that the tool does not plant" for name, file in rows if (name, file) not in wanted]


def missed(known, page):
    """Mistakes in the table of faults that the checks above do not find."""
    fault = mutations.FAULTS[0]
    name, file, old, new, tests = fault
    if not mutations.wrong_faults([(name, file, old + " that moved", new, tests)], mutations.read_source):
        yield "a text that is gone is not found"
    if not mutations.wrong_faults([(name, file, "f", new, tests)], mutations.read_source):
        yield "a text that stands in several places is not found"
    if not mutations.wrong_faults([(name, "src/gone.c", old, new, tests)], mutations.read_source):
        yield "a file that is gone is not found"
    if not mutations.wrong_faults([(name, file, old, old, tests)], mutations.read_source):
        yield "a replacement that changes nothing is not found"
    if not mutations.wrong_faults([fault, fault], mutations.read_source):
        yield "a name that stands twice is not found"
    if not wrong_tests([(name, file, old, new, "no_such_suite")], known):
        yield "a test that is gone is not found"
    if not wrong_rows([("another fault", file, old, new, tests)], page):
        yield "a fault without a row of the page is not found"


def main():
    known, page = tests_there(), (ROOT / PAGE).read_text()
    wrong = mutations.wrong_faults(mutations.FAULTS, mutations.read_source) + wrong_tests(mutations.FAULTS, known)
    wrong += wrong_rows(mutations.FAULTS, page) + list(missed(known, page))
    print("\n".join(wrong) or f"{len(mutations.FAULTS)} faults can be planted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
