#!/usr/bin/env python3
"""test_tolerances.py - tools/check_tolerances.py finds limits without a reason, and no others.

Each plant is a piece of a test with the number of limits and of faults that it has.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import check_tolerances  # noqa: E402

C = [
    ("a limit without a word", "TEST(a)\n{\n    CHECK_NEAR(t, x, 1, 1e-9);\n}\n", 1, 1),
    ("a word that is no reason", "TEST(a)\n{\n    CHECK_NEAR(t, x, 1, 1e-9); // the end\n}\n", 1, 1),
    ("ground, which contains a reason by chance",
     "/* A body on the ground, in order. */\nTEST(a)\n{\n    CHECK_NEAR(t, x, 1, 1e-9);\n}\n", 1, 1),
    ("in its line", "TEST(a)\n{\n    CHECK_NEAR(t, x, 1, 1e-9); // rounding\n}\n", 1, 0),
    ("above, for the paragraph",
     "TEST(a)\n{\n    // rounding\n    CHECK_NEAR(t, x, 1, 1e-9);\n    CHECK_NEAR(t, y, 1, 1e-8);\n}\n", 2, 0),
    ("not for the next paragraph",
     "TEST(a)\n{\n    // rounding\n    CHECK_NEAR(t, x, 1, 1e-9);\n\n    CHECK_NEAR(t, y, 1, 1e-8);\n}\n", 2, 1),
    ("the same number again",
     "TEST(a)\n{\n    // rounding\n    CHECK_NEAR(t, x, 1, 1e-9);\n\n    CHECK_NEAR(t, y, 1, 1e-9);\n}\n", 2, 0),
    ("not in another function",
     "TEST(a)\n{\n    CHECK_NEAR(t, x, 1, 1e-9); // rounding\n}\n\nTEST(b)\n{\n    CHECK_NEAR(t, y, 1, 1e-9);\n}\n",
     2, 1),
    ("at the head of the function", "/* Up to rounding. */\nTEST(a)\n{\n    CHECK_NEAR(t, x, 1, 1e-9);\n}\n", 1, 0),
    ("a head that speaks of errors otherwise",
     "/* The error message of a model. */\nTEST(a)\n{\n    CHECK_NEAR(t, x, 1, 1e-9);\n}\n", 1, 1),
    ("a constant with a reason",
     "/* Rounding. */\nstatic const double NEAR = 1e-9;\n\nTEST(a)\n{\n    CHECK_NEAR(t, x, 1, 10 * NEAR);\n}\n", 1, 0),
    ("a constant without", "static const double NEAR = 1e-9;\n\nTEST(a)\n{\n    CHECK_NEAR(t, x, 1, NEAR);\n}\n", 1, 1),
    ("a constant of another function",
     "TEST(a)\n{\n    const double tol = 1e-9; // rounding\n    CHECK_NEAR(t, x, 1, tol);\n}\n\n"
     "TEST(b)\n{\n    const double tol = 1e-3;\n    CHECK_NEAR(t, x, 1, tol);\n}\n", 2, 1),
    ("a function of the file with a limit",
     "static void same(TestCtx *t, double x, double tol)\n{\n    CHECK_NEAR(t, x, 1, tol);\n}\n\n"
     "TEST(a)\n{\n    same(t, x, 1e-9);\n}\n", 1, 1),
    ("over several lines", "TEST(a)\n{\n    CHECK_NEAR(t, f(x, y),\n               1, 1e-9);\n}\n", 1, 1),
    ("a comparison", "TEST(a)\n{\n    CHECK(t, fabs(x) < 1e-9 && y);\n}\n", 1, 1),
    ("exact, an order, a value far below",
     "TEST(a)\n{\n    CHECK_NEAR(t, x, 1, 0.0);\n    CHECK(t, x > 1e-3);\n    CHECK(t, x < -1e-3);\n}\n", 0, 0),
    ("a field of a table",
     "typedef struct Case {\n    double x, most;\n} Case;\n\nTEST(a)\n{\n    static const Case c[] = {{1, 1e-3}, {2, 1e-6}};\n"
     "\n    CHECK_NEAR(t, x, c[0].x, c[0].most);\n\n    CHECK(t, y < c[1].most);\n}\n", 2, 2),
    ("a field with a reason beside it",
     "typedef struct Case {\n    double x, most; // rounding\n} Case;\n\nTEST(a)\n{\n    static const Case c[] = {{1, 1e-3}};\n"
     "\n    CHECK_NEAR(t, x, c[0].x, c[0].most);\n}\n", 1, 0),
    ("a table with a reason above it, and one without",
     "typedef struct Case {\n    double x, most;\n} Case;\n\n/* Rounding. */\nstatic const Case c[] = {{1, 1e-3}};\n\n"
     "static const Case d[] = {{1, 1e-3}};\n\nTEST(a)\n{\n    CHECK_NEAR(t, x, c[0].x, c[0].most);\n}\n", 1, 1),
    ("a table without a name of its struct",
     "static const struct {\n    double x, most;\n} c[] = {{1, 1e-3}};\n\nTEST(a)\n{\n    CHECK_NEAR(t, x, 1, c[0].most);\n}\n", 1, 1),
    ("a field that no table fills",
     "typedef struct Run {\n    double end;\n} Run;\n\nTEST(a)\n{\n    CHECK_NEAR(t, x, 1, run.end);\n}\n", 0, 0),
    ("an array of limits", "TEST(a)\n{\n    const double most[] = {1e-3, 1e-6};\n\n    CHECK_NEAR(t, x, 1, most[0]);\n}\n", 1, 1),
    ("explained for all the file",
     "/* a.c - each limit is ten times the tolerance of its run. */\nTEST(a)\n{\n    CHECK_NEAR(t, x, 1, 1e-9);\n}\n", 1, 0),
]
HEADER = """
/* Eigenvalues, up to rounding. */
static const double GIVEN = 1e-9;

static const double BARE = 1e-9;

static inline void check_mode(TestCtx *t, double x, double tolerance)
{
}
"""
WITH_HEADER = [
    ("a constant of a header", "TEST(a)\n{\n    CHECK_NEAR(t, x, 1, GIVEN);\n}\n", 1, 0),
    ("a function of a header", "TEST(a)\n{\n    check_mode(t, x, 1e-9);\n    check_mode(t, x, GIVEN);\n}\n", 2, 1),
]
PYTHON = [
    ("a comparison", "def a():\n    assert abs(x) < 1e-9\n", 1, 1),
    ("with a reason", "def a():\n    assert abs(x) < 1e-9  # rounding\n", 1, 0),
    ("an assertion", "def a(self):\n    self.assertAlmostEqual(x, y, delta=1e-9)\n    self.assertLess(x, 1e-9)\n", 2, 2),
    ("a constant", "NEAR = 1e-9  # rounding\n\n\ndef a(self):\n    self.assertAlmostEqual(x, y, delta=NEAR)\n", 1, 0),
]


def main():
    failures = []
    shared = check_tolerances.Shared([HEADER])
    if shared.constants != {"GIVEN"}:
        failures.append(f"constants with a reason in the header: {shared.constants}")
    for name, plants in (("planted.c", C + WITH_HEADER), ("planted.py", PYTHON)):
        for what, text, limits, faults in plants:
            count, found = check_tolerances.check(name, text, shared)
            if (count, len(found)) != (limits, faults):
                failures.append(f"{name}, {what}: {count} limits and {found}, expected {limits} and {faults}")
    print("\n".join(failures) or f"{len(C) + len(WITH_HEADER) + len(PYTHON)} plants are judged as they should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
