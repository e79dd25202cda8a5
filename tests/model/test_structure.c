/* tests/model/test_structure.c - which unknowns of implicit equations are algebraic.
 *
 * The number of states is the largest sum of orders of derivatives over all ways to give each
 * equation an unknown that it holds: for a few unknowns all ways are tried here.
 */
#include "test.h"

#include "model/read/structure.h"

#include <string.h>

enum { MOST = 5 };

static TmlStructureResult solve(TestCtx *t, int n, const short *entry, TmlArena *arena,
                                TmlStructure *s)
{
    TmlError err = {0};
    TmlStructureResult result = TML_STRUCTURE_SINGULAR;
    CHECK_OK(t, tml_structure_create(n, arena, s, &err), &err);
    memcpy(s->entry, entry, (size_t)n * (size_t)n * sizeof *entry);
    CHECK_OK(t, tml_structure_solve(s, arena, &result, &err), &err);
    return result;
}

/* Largest sum over the rest of the rows, -100: none. */
static int best_sum(int n, const short *entry, int row, unsigned used)
{
    int best = row == n ? 0 : -100;
    for (int j = 0; j < n && row < n && row < MOST; ++j) {
        const int order = entry[row * n + j];
        if ((used >> j & 1u) == 0 && order >= TML_BY_VALUE) {
            const int sum = order + best_sum(n, entry, row + 1, used | 1u << j);
            best = sum > best ? sum : best;
        }
    }
    return best < -50 ? -100 : best;
}

static void check_random(TestCtx *t, int count[3])
{
    const int n = 1 + (int)test_random(t, 0, MOST);
    short entry[MOST * MOST];
    TmlArena arena = {0};
    TmlStructure s;
    for (int k = 0; k < n * n; ++k) {
        const double x = test_random(t, 0, 1);
        entry[k] = x < 0.45 ? TML_ABSENT : x < 0.8 ? TML_BY_VALUE : TML_BY_RATE;
    }
    const int states = best_sum(n, entry, 0, 0);
    const TmlStructureResult result = solve(t, n, entry, &arena, &s);
    count[result]++;
    CHECK(t, (result == TML_STRUCTURE_SINGULAR) == (states < 0));
    if (result == TML_STRUCTURE_FOUND) {
        unsigned given = 0;
        int rates = 0;
        for (int j = 0; j < n; ++j) {
            const int i = s.equation[j];
            given |= 1u << i;
            rates += !s.algebraic[j];
            CHECK(t, !s.algebraic[j] || entry[i * n + j] == TML_BY_VALUE);
            CHECK(t, s.times[i] == 0 || s.algebraic[j]); // solved, then differentiated
        }
        CHECK_INT(t, given, (1u << n) - 1);
        CHECK_INT(t, rates, states);
    } else {
        CHECK(t, s.bad_equation >= 0 && s.bad_equation < n);
        CHECK(t, s.bad_unknown >= 0 && s.bad_unknown < n);
    }
    tml_arena_free(&arena);
}

TEST(random_structures)
{
    int count[3] = {0};
    for (int k = 0; k < 3000; ++k) {
        check_random(t, count);
    }
    for (int k = 0; k < 3; ++k) {
        CHECK(t, count[k] > 100); // all three outcomes occur
    }
}

enum { O = TML_ABSENT, A = TML_BY_VALUE, R = TML_BY_RATE, W = TML_THROUGH };

static void check_known(TestCtx *t, const char *name, int n, const short *entry,
                        TmlStructureResult want, const char *algebraic)
{
    TmlArena arena = {0};
    TmlStructure s;
    t->name = name;
    CHECK_INT(t, solve(t, n, entry, &arena, &s), want);
    for (int j = 0; want == TML_STRUCTURE_FOUND && j < n; ++j) {
        CHECK(t, s.algebraic[j] == (algebraic[j] == 'a'));
    }
    tml_arena_free(&arena);
}

TEST(known_structures)
{
    check_known(t, "x^3 = t", 1, (const short[]){A}, TML_STRUCTURE_FOUND, "a");
    check_known(t, "x' = t", 1, (const short[]){R}, TML_STRUCTURE_FOUND, "s");
    check_known(t, "0 = t", 1, (const short[]){O}, TML_STRUCTURE_SINGULAR, "");
    check_known(t, "0 = acceleration", 1, (const short[]){W}, TML_STRUCTURE_FOUND, "a");
    check_known(t, "x' + y' = u, x = y", 2, (const short[]){R, R, A, A}, TML_STRUCTURE_FOUND, "sa");
    check_known(t, "x' = y, x = sin t", 2, (const short[]){R, A, A, O}, TML_STRUCTURE_FOUND, "aa");
    check_known(t, "x' = y, x' = u", 2, (const short[]){R, A, R, O}, TML_STRUCTURE_FOUND, "sa");
    check_known(t, "x' = y, y' = z, x = sin t", 3, (const short[]){R, A, O, O, R, A, A, O, O},
                TML_STRUCTURE_HIGH, "");
    check_known(t, "x = t, y unknown", 2, (const short[]){A, O, A, O}, TML_STRUCTURE_SINGULAR, "");
}

TEST_SUITE(structure) = {CASE(random_structures), CASE(known_structures), {0}};
