/* tests/expr/test_expr_hostile.c - long, deep and senseless input: an error or a value, never a
 * crash. */
#include "expr_fixture.h"

#include <stdlib.h>

enum { HUGE_TEXT = 1 << 20 };

static char *repeat(const char *head, const char *part, int n, const char *tail)
{
    char *text = malloc(strlen(head) + strlen(part) * (size_t)n + strlen(tail) + 1);
    if (text == NULL) {
        abort();
    }
    char *end = text + sprintf(text, "%s", head);
    for (int k = 0; k < n; ++k) {
        end += sprintf(end, "%s", part);
    }
    sprintf(end, "%s", tail);
    return text;
}

static void check_fails(TestCtx *t, char *text, const char *part)
{
    Fixture f;
    fixture_open(t, &f);
    TmlExpr *e;
    CHECK_INT(t, tml_expr_compile(text, &f.resolver, &f.arena, &e, &f.err), TML_E_MODEL);
    CHECK_HAS(t, f.err.message, part);
    CHECK(t, strlen(f.err.message) < 400);
    fixture_close(&f);
    free(text);
}

TEST(deep)
{
    const char *deep = "nested too deeply (more than 200 levels)";
    check_fails(t, repeat("", "(", 50000, "1"), deep);
    check_fails(t, repeat("", "-", 50000, "1"), deep);
    check_fails(t, repeat("", "not ", 15000, "1"), deep);
    check_fails(t, repeat("", "2^", 30000, "1"), deep);
    check_fails(t, repeat("", "sin(", 15000, "x"), deep);
    check_fails(t, repeat("", "if(", 15000, "x"), deep);
    check_fails(t, repeat("", "cubspl(", 9000, "x"), deep);
    check_fails(t, repeat("", "-2^-(", 13000, "x"), deep);
    check_fails(t, repeat("", "dx(1+", 9000, "x"), deep);
}

TEST(too_long)
{
    check_fails(t, repeat("1", "+1", HUGE_TEXT, ""), "the expression is too long: 2097153");
    check_fails(t, repeat("", "9", 5000, ""), "a number of 5000 characters; at most 320 are read");
    check_fails(t, repeat("", "a", 60000, ""), "unknown name 'aaaa");
    check_fails(t, repeat("max(1", ",1", 100, ")"), "max takes 1 to 34 arguments, got more");
    check_fails(t, repeat("dx(1", ",1", 100, ")"), "'dx' has more than 16 arguments");
}

/* Bytes that only continue characters, around the place that a message points at. */
TEST(continuation_bytes)
{
    check_fails(t, repeat("1 + ", "\x80", 5000, " + 2"), "unexpected");
    check_fails(t, repeat("1 + $", "\xbf", 5000, ""), "unexpected");
    check_fails(t, repeat("", "\x80", 5000, "$"), "unexpected");
}

TEST(long_but_right)
{
    Fixture f;
    fixture_open(t, &f);
    double leaf[FIXTURE_LEAVES] = {0.5, 1.25, 3, 4, 5, 6}, g[FIXTURE_LEAVES];
    TmlJet jet = {.g = g};
    char *text = repeat("x", " + x*y", 8000, "");
    TmlExpr *e = NULL;
    CHECK_OK(t, tml_expr_compile(text, &f.resolver, &f.arena, &e, &f.err), &f.err);
    double *work = malloc(tml_expr_work(e, 1) * sizeof *work);
    if (work != NULL) {
        tml_expr_eval(e, leaf, 1, work, &jet);
        CHECK_NEAR(t, jet.value, 1.25 + 8000 * 1.25 * 3, 0); // exact in binary
        CHECK_NEAR(t, g[1], 1 + 8000 * 3, 0);
        CHECK_NEAR(t, g[2], 8000 * 1.25, 0);
    }
    free(work);
    free(text);

    // just within the depth
    text = repeat("", "(", 199, "x");
    char *closed = repeat(text, ")", 199, "");
    CHECK_OK(t, tml_expr_compile(closed, &f.resolver, &f.arena, &e, &f.err), &f.err);
    free(text);
    free(closed);
    fixture_close(&f);
}

/* Compiles and, where that works, evaluates to order 2. */
static bool try_text(TestCtx *t, Fixture *f, const char *text)
{
    enum { WORK = 1 << 16 };
    static double work[WORK];
    const double leaf[FIXTURE_LEAVES] = {0.5, -1.25, 3, 0, 5, 6};
    double g[FIXTURE_LEAVES], H[FIXTURE_LEAVES * FIXTURE_LEAVES];
    TmlJet jet = {.g = g, .H = H};
    const TmlArenaMark mark = tml_arena_mark(&f->arena);
    TmlExpr *e;
    const TmlStatus status = tml_expr_compile(text, &f->resolver, &f->arena, &e, &f->err);
    CHECK(t, status == TML_OK || status == TML_E_MODEL);
    CHECK(t, status == TML_OK || f->err.message[0] != '\0');
    if (status == TML_OK && tml_expr_work(e, 2) <= WORK) {
        tml_expr_eval(e, leaf, 2, work, &jet);
        tml_expr_eval(e, leaf, 1, work, &jet);
    }
    tml_arena_release(&f->arena, mark);
    return status == TML_OK;
}

TEST(random_bytes)
{
    Fixture f;
    fixture_open(t, &f);
    for (int k = 0; k < 20000; ++k) {
        char text[64] = "";
        const int n = (int)test_random(t, 1, 63);
        for (int j = 0; j < n; ++j) {
            text[j] = (char)(int)test_random(t, 1, 255.99);
        }
        try_text(t, &f, text);
    }
    fixture_close(&f);
}

TEST(random_words)
{
    static const char *const words[] = {
        "x",     "y",    "time",   "1",          "2.5",  "1e3",   "(",       ")",     ",",
        ":",     "+",    "-",      "*",          "/",    "^",     "**",      "<",     "==",
        "and",   "not",  "or",     "if(",        "sin(", "step(", "max(",    "table", "cubspl(",
        "dx(",   "a.b",  ".fx",    "'odd name'", "mm",   "0",     "impact(", "k1",    "pi",
        "sqrt(", "log(", "atan2(", "abs(",       "poly("};
    const size_t n_words = sizeof words / sizeof words[0];
    Fixture f;
    fixture_open(t, &f);
    int fine = 0;
    for (int k = 0; k < 40000; ++k) {
        char text[512] = "";
        const int n = (int)test_random(t, 1, 14);
        for (int j = 0; j < n; ++j) {
            strcat(text, words[(int)test_random(t, 0, (double)n_words)]);
            strcat(text, test_random(t, 0, 1) < 0.3 ? " " : "");
        }
        fine += try_text(t, &f, text);
    }
    CHECK(t, fine > 100); // some of it means something
    fixture_close(&f);
}

TEST(mutations)
{
    static const char *const seeds[] = {
        "impact(x, y, 0.1, k1, 1.5, 3, 0.01)*sin(2*pi*time) + 30 deg",
        "IF(x - 1: a_(y), cubspl(time, 0, table, 1), reaction(pin2).fx/k2)",
        "step5(time, 0, 0, 1.5 s, 400 N/mm) - dx(a.cm, 'b c', ground)^2 ** -1",
        "if(not x < 2 and (y >= 3 or z != 4), max(x, y, z), -min(1e-3, .5))",
    };
    Fixture f;
    fixture_open(t, &f);
    for (int k = 0; k < 20000; ++k) {
        char text[256];
        snprintf(text, sizeof text, "%s", seeds[k % 4]);
        const double n = (double)strlen(text);
        for (int j = 0; j < 1 + k % 3; ++j) {
            const int from = (int)test_random(t, 0, n), to = (int)test_random(t, 0, n);
            text[to] = test_random(t, 0, 1) < 0.7 ? text[from] : (char)(int)test_random(t, 1, 255);
        }
        if (k % 5 == 0) {
            text[(int)test_random(t, 0, n)] = '\0'; // cut short
        }
        try_text(t, &f, text);
    }
    fixture_close(&f);
}

/* One leaf and many different constants: memory for the third order is enough for the others. */
TEST(many_constants)
{
    enum { COUNT = 300 };
    Fixture f;
    fixture_open(t, &f);
    double leaf[FIXTURE_LEAVES] = {0.5, 2, 3, 4, 5, 6}, g[FIXTURE_LEAVES];
    char text[12 * COUNT];
    TmlJet jet = {.g = g};
    TmlExpr *e = NULL;
    int n = 0;
    for (int k = 0; k < COUNT; ++k) {
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%d*x", k > 0 ? "+" : "", k + 2);
    }
    CHECK_OK(t, tml_expr_compile(text, &f.resolver, &f.arena, &e, &f.err), &f.err);
    CHECK(t, tml_expr_work(e, 3) >= tml_expr_work(e, 1));
    CHECK(t, tml_expr_work(e, 1) >= tml_expr_work(e, 0));
    double *work = malloc(tml_expr_work(e, 3) * sizeof *work);
    if (work != NULL) {
        tml_expr_eval(e, leaf, 1, work, &jet);
        CHECK_NEAR(t, g[1], COUNT * (COUNT + 3) / 2.0, 0); // whole numbers
    }
    free(work);
    fixture_close(&f);
}

TEST_SUITE(expr_hostile) = {CASE(deep),           CASE(too_long),       CASE(continuation_bytes),
                            CASE(long_but_right), CASE(random_bytes),   CASE(random_words),
                            CASE(mutations),      CASE(many_constants), {0}};
