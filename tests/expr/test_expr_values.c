/* tests/expr/test_expr_values.c - values of expressions against numbers known from elsewhere. */
#include "expr_fixture.h"

#include <stdlib.h>

/* All rows are exact in real arithmetic or known to 16 digits; the tolerance is a few roundings of
 * the value's size. */
static const double ROUNDING = 4e-15;

typedef struct Row {
    const char *text;
    double value;
} Row;

static void check_rows(TestCtx *t, const Row *row, size_t n)
{
    Fixture f;
    fixture_open(t, &f);
    for (size_t k = 0; k < n; ++k) {
        double got = (double)NAN;
        t->name = row[k].text;
        CHECK_OK(t, tml_expr_constant(row[k].text, &f.resolver, &got, &f.err), &f.err);
        CHECK_NEAR(t, got, row[k].value, ROUNDING * (1.0 + fabs(row[k].value)));
    }
    fixture_close(&f);
}

TEST(operators)
{
    static const Row rows[] = {
        {"1 + 2*3", 7},
        {"(1 + 2)*3", 9},
        {"2^3^2", 512},
        {"2**10", 1024},
        {"-2^2", -4},
        {"2^-1", 0.5},
        {"8/4/2", 1},
        {"1 - 2 - 3", -4},
        {"--3", 3},
        {"+-+3", -3},
        {"-2*-3", 6},
        {".5e1 + 1.e2 + 1E-1 + 1d2", 205.1},
        {"1 < 2", 1},
        {"2 <= 1", 0},
        {"2 > 1", 1},
        {"2 >= 2", 1},
        {"1 == 1", 1},
        {"1 != 1", 0},
        {"not 1 < 2", 0},
        {"not not 5", 1},
        {"1 < 2 and 3 < 2", 0},
        {"1 < 2 or 3 < 2", 1},
        {"0 or 1 AND 0", 0},
        {"NOT 0 and 1", 1},
        {" 1\t+\n1 ", 2},
        {"pi", M_PI},
        {"PI*rtod", 180},
        {"180*dtor", M_PI},
        {"true + false", 1},
        {"2*k1 + k2", 40},
        {"'odd name' + \"odd name\"", 14},
    };
    check_rows(t, rows, sizeof rows / sizeof rows[0]);
}

TEST(units)
{
    static const Row rows[] = {
        {"30 deg", M_PI / 6},
        {"5mm", 0.005},
        {"3 mm + 2 cm", 0.023},
        {"3000 rpm", 100 * M_PI},
        {"2 rev", 4 * M_PI},
        {"1 in", 0.0254},
        {"1 ft", 0.3048},
        {"1 lb", 0.45359237},
        {"1 lbf", 4.4482216152605},
        {"2 t", 2000},
        {"5 g", 0.005},
        {"1 g0", 9.80665},
        {"3 MN", 3e6},
        {"210 GPa", 2.1e11},
        {"2 min", 120},
        {"250 us", 2.5e-4},
        {"400 N/mm", 4e5},
        {"36 km/h", 10},
        {"5 mm^2", 5e-6},
        {"(5 mm)^2", 25e-6},
        {"7850 kg/m^3", 7850},
        {"3 N*m", 3},
        {"9.81 m/s^2", 9.81},
        {"10 m/min(2, 5)", 5},
        {"-30 deg", -M_PI / 6},
        {"1 < 2 and 3 > 2", 1},
    };
    // 36 km/h: h is a unit and, in the fixture, a parameter; without a resolver it is a unit
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        double got = (double)NAN;
        TmlError err;
        t->name = rows[k].text;
        CHECK_OK(t, tml_expr_constant(rows[k].text, NULL, &got, &err), &err);
        CHECK_NEAR(t, got, rows[k].value, ROUNDING * fabs(rows[k].value));
    }
    static const Row named[] = {{"2 mm*k1", 0.02}, {"(2 m)*h", 0.5}};
    check_rows(t, named, 2);
}

TEST(functions)
{
    static const Row rows[] = {
        {"sin(pi/6)", 0.5},
        {"COS(pi/3)", 0.5},
        {"tan(pi/4)", 1},
        {"asin(1)", M_PI_2},
        {"acos(0)", M_PI_2},
        {"atan(1)", M_PI_4},
        {"atan2(-1, -1)", -3 * M_PI_4},
        {"sinh(1)", 1.1752011936438014},
        {"cosh(1)", 1.5430806348152437},
        {"tanh(1)", 0.7615941559557649},
        {"exp(1)", M_E},
        {"log(exp(2))", 2},
        {"ln(10)", M_LN10},
        {"log10(1000)", 3},
        {"sqrt(2)", M_SQRT2},
        {"pow(2, 0.5)", M_SQRT2},
        {"hypot(3, 4)", 5},
        {"abs(-3)", 3},
        {"sign(-3) + sign(0)", -1},
        {"sign(-3, 2)", 3},
        {"sign(3, -2)", -3},
        {"min(3, 1, 2)", 1},
        {"max(3, 1, 2)", 3},
        {"max(4)", 4},
        {"dim(5, 3)", 2},
        {"dim(3, 5)", 0},
        {"mod(7.5, 2)", 1.5},
        {"mod(-7.5, 2)", -1.5},
        {"aint(-2.7)", -2},
        {"anint(-2.5)", -3},
        {"floor(-2.1)", -3},
        {"ceil(2.1)", 3},
        {"wrap(2*pi + 1)", 1},
        {"wrap(-3*pi/2)", M_PI / 2},
        {"wrap(pi)", M_PI},
        {"wrap(-pi)", M_PI},
        {"if(1, 2, 3)", 2},
        {"if(2 > 3, 2, 3)", 3},
        {"IF(-1: 1, 2, 3)", 1},
        {"IF(0: 1, 2, 3)", 2},
        {"IF(1: 1, 2, 3)", 3},
    };
    check_rows(t, rows, sizeof rows / sizeof rows[0]);
}

TEST(adams_functions)
{
    static const Row rows[] = {
        {"step(0, 1, 10, 3, 20)", 10},
        {"step(1.5, 1, 10, 3, 20)", 11.5625}, // u = 1/4: u^2 (3 - 2 u) = 5/32
        {"step(4, 1, 10, 3, 20)", 20},
        {"step(1.5, 3, 20, 1, 10)", 11.5625},      // also from right to left
        {"step5(1.5, 1, 10, 3, 20)", 11.03515625}, // 53/512
        {"step5(2, 1, 0, 3, 1)", 0.5},
        {"havsin(1.5, 1, 0, 2.5, 1)", 0.25}, // (1 - cos(pi/3)) / 2
        {"havsin(9, 1, 0, 2.5, 1)", 1},
        {"impact(0.5, 0, 1, 100, 2, 10, 0.1)", 25},
        {"impact(0.5, 1, 1, 100, 2, 10, 0.1)", 15},
        {"impact(0.5, 9, 1, 100, 2, 10, 0.1)", 0}, // would pull: no adhesion
        {"impact(0.5, -1, 1, 100, 2, 10, 1)", 30}, // half the damping at half the depth
        {"impact(1, -1, 1, 100, 2, 10, 1)", 0},
        {"impact(2, -1, 1, 100, 1.5, 10, 1)", 0},
        {"bistop(0.5, 0, 1, 2, 100, 2, 10, 0.1)", 25},
        {"bistop(1.5, 5, 1, 2, 100, 2, 10, 0.1)", 0},
        {"bistop(2.5, 0, 1, 2, 100, 2, 10, 0.1)", -25},
        {"bistop(2.5, 1, 1, 2, 100, 2, 10, 0.1)", -35},
        {"bistop(2.5, -9, 1, 2, 100, 2, 10, 0.1)", 0},
        {"poly(3, 1, 1, 2, 3)", 17},
        {"poly(3, 1, 5)", 5},
        {"cheby(3, 1, 1, 2, 3, 4)", 1 + 4 + 21 + 104}, // T2(2) = 7, T3(2) = 26
        {"forcos(2, 1, pi/3, 1, 2, 4)", 0},            // 1 + 2/2 - 4/2
        {"forsin(2, 1, pi/2, 1, 2, 4)", 3},
        {"shf(2, 1, 3, pi/2, pi/3, 1)", 2.5},
        {"sweep(0.5, 2, 1, 1, 5, 3, 0.1)", 0},                   // not begun
        {"sweep(2, 2, 1, 1, 5, 3, 0.1)", 2},                     // 2 + 1/4 turns
        {"sweep(1.5, 2, 1, 1, 5, 3, 0.1)", -0.7653668647301796}, // 1 + 9/16 turns: -2 sin(pi/8)
        {"sweep(6.25, 2, 1, 1, 5, 3, 0.1)", -2},                 // at f1: 12 + 3/4 turns
        {"cubspl(1, table)", 2},
        {"CUBSPL(3.5, 0, table, 0)", 3},
        {"akispl(2, 'table')", 1},
        {"spline(1.5, short)", 1.5},
        {"spline(1.5, short, 1)", -1},
        {"curve(-1, wave)", 0},
        {"curve(0.5, wave)", 0.14112000805986722}, // sin(3)
        {"curve(-1, wave, 1)", 2},
        {"curve(0.5, wave, 2)", -0.5644800322394689},
    };
    check_rows(t, rows, sizeof rows / sizeof rows[0]);
}

TEST(leaves_and_calls)
{
    Fixture f;
    fixture_open(t, &f);
    const double leaf[FIXTURE_LEAVES] = {0.5, 2, 3, 5, 7, 11};
    double work[256], g[FIXTURE_LEAVES];
    TmlJet jet = {.g = g};

    TmlExpr *e = fixture_compile(t, &f, "2*time + x*y - DX(a.cm, 'other part', -2*k1)^2");
    CHECK_STR(t, f.last_call, "DX a.cm@18 other part@24 -20@38 .");
    CHECK_INT(t, tml_expr_leaves(e), 5);
    CHECK(t, tml_expr_uses(e, 0) && tml_expr_uses(e, 1) && tml_expr_uses(e, 4));
    CHECK(t, !tml_expr_uses(e, 3) && !tml_expr_uses(e, 5));
    CHECK(t, tml_expr_work(e, 1) <= 256);
    tml_expr_eval(e, leaf, 1, work, &jet);
    CHECK_NEAR(t, jet.value, 1 + 6 - 49, 0); // whole numbers
    const double want[5] = {2, 3, 2, 0, -14};
    for (int k = 0; k < 5; ++k) {
        CHECK_NEAR(t, g[k], want[k], 0);
    }

    e = fixture_compile(t, &f, "reaction(pin2).fx + reaction(pin2) . fx");
    CHECK_STR(t, f.last_call, "reaction pin2@29 .fx");
    tml_expr_eval(e, leaf, 0, work, &jet);
    CHECK_NEAR(t, jet.value, 22, 0);
    CHECK_STR(t, tml_expr_text(e), "reaction(pin2).fx + reaction(pin2) . fx");

    // what a parameter switches off is not in the program
    e = fixture_compile(t, &f, "(k1 - 10)*x + if(k2 > 0, y, 1/(k1 - 10))");
    CHECK(t, !tml_expr_uses(e, 1) && tml_expr_uses(e, 2));
    e = fixture_compile(t, &f, "3");
    CHECK_INT(t, tml_expr_leaves(e), 1);
    tml_expr_eval(e, leaf, 1, work, &jet);
    CHECK_NEAR(t, jet.value, 3, 0);
    CHECK_NEAR(t, g[0], 0, 0);
    fixture_close(&f);
}

TEST(branches_do_not_leak)
{
    // infinities and NaN of the branch not taken must not reach value or derivatives
    Fixture f;
    fixture_open(t, &f);
    double leaf[FIXTURE_LEAVES] = {0}, work[4096];
    double g[2], H[4], T[8];
    TmlJet jet = {.g = g, .H = H, .T = T};
    static const char *const texts[] = {"if(x > 0, sqrt(x), 2*x)", "if(x > 0, log(x), 2*x)",
                                        "impact(-x, 0, 0, 1, 1.5, 1, 1) + 2*x",
                                        "if(x: 2*x, 2*x, x^-1.5)"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; ++k) {
        TmlExpr *e = fixture_compile(t, &f, texts[k]);
        leaf[1] = -1.0;
        for (int order = 1; order <= 3; ++order) {
            tml_expr_eval(e, leaf, order, work, &jet);
            CHECK_NEAR(t, jet.value, -2, 0);
            CHECK_NEAR(t, g[1], 2, 0);
            CHECK(t, order < 2 || H[3] == 0.0);
            CHECK(t, order < 3 || T[7] == 0.0);
        }
    }
    fixture_close(&f);
}

TEST(smoothness)
{
    static const struct {
        const char *text;
        int smooth;
    } rows[] = {
        {"3", 3},
        {"sin(x)*x^2", 3},
        {"abs(x)", 0},
        {"step(x, 0, 0, 1, 1)", 1},
        {"step5(x, 0, 0, 1, 1) + x", 2},
        {"step5(abs(x), 0, 0, 1, 1)", 0},
        {"havsin(x, 0, 0, 1, 1)", 1},
        {"impact(x, y, 0, 1, 2.2, 1, 1)", 0},
        {"if(x > 0, 1, 2)", 0},
        {"if(k1 > 0, x, 2)", 3},
        {"x < 1", 0},
        {"cubspl(x, table)", 2},
        {"cubspl(x, 0, table, 1)", 1},
        {"akispl(x, table)", 1},
        {"spline(x, short)", 0},
        {"sweep(time, 1, 0, 1, 1, 2, 0.1)", 1},
        {"max(x)", 3},
        {"max(x, y)", 0},
        {"mod(x, 2)", 0},
        {"step(2, 0, 0, 1, 1)*x", 3},
    };
    Fixture f;
    fixture_open(t, &f);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        TmlExpr *e = fixture_compile(t, &f, rows[k].text);
        CHECK_INT(t, tml_expr_smoothness(e), rows[k].smooth);
    }
    fixture_close(&f);
}

/* Between the known times at which steps, tables and choices by time alone have their kinks. */
TEST(smoothness_between_breakpoints)
{
    static const struct {
        const char *text;
        int smooth;
        bool switches;
    } rows[] = {
        {"step(time, 0, 0, 1, 1)", 3, false},
        {"x*step(2*time - 1, 0, 0, 1, 1) - y", 3, false},
        {"step(time, 0, x, 1, y)", 3, false},
        {"if(time < 1, x, 2*x)", 3, false},
        {"if(time - 1: 0, x, abs(x))", 0, false},
        {"if(time - 1: 0, 1, step(x, 0, 0, 1, 1))", 1, true},
        {"cubspl(time, table) + x", 3, false},
        {"spline(3*time, short)*x", 3, false},
        {"abs(time - 3)*sin(x)", 3, false},
        {"max(time, 5)*x", 3, false},
        {"step(time, 0, 0, 1, 1)*abs(x)", 0, false},
        {"step(time, 0, 0, 1, 1) + step(x, 0, 0, 1, 1)", 1, true},
        {"step(x + time, 0, 0, 1, 1)", 1, true},
        {"step(time^2, 0, 0, 1, 1)*x", 1, true}, // its kinks are not looked for
        {"mod(time, 2)*x", 0, true},             // it has them for ever
        {"cubspl(x, table)", 2, false},
        {"min(max(x, -2), 3)", 0, false}, // a limit shows wherever one looks
        {"max(3, min(5, x))*y", 0, false},
        {"min(max(x, 3), -2)", 0, true}, // always -2, but by another way
        {"max(0, x)", 0, true},
        {"min(max(x, y), 3)", 0, true},
        {"min(max(x, -2), 3) + max(y, 0)", 0, true},
    };
    Fixture f;
    fixture_open(t, &f);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        t->name = rows[k].text;
        TmlExpr *e = fixture_compile(t, &f, rows[k].text);
        CHECK_INT(t, tml_expr_smoothness_between(e), rows[k].smooth);
        CHECK_INT(t, tml_expr_switches(e), rows[k].switches);
    }
    fixture_close(&f);
}

TEST(breakpoints)
{
    static const struct {
        const char *text;
        int n;
        double t[8];
    } rows[] = {
        {"sin(time)", 0, {0}},
        {"step(time, 1, 0, 2, 1)", 2, {1, 2}},
        {"step(2*time - 1, 1, 0, 2, 1)", 2, {1, 1.5}},
        {"step(time, 2, 0, 3, 1) + step(time, 1, 0, 2, 1)", 3, {1, 2, 3}},
        {"if(time < 0.3, 1, 2)", 1, {0.3}},
        {"IF(time - 0.3: 1, 2, 3)", 1, {0.3}},
        {"abs(1 - time/4)", 1, {4}},
        {"max(time, 5)*x", 1, {5}},
        {"cubspl(time, table)", 6, {0, 1, 2, 3.5, 4, 6}},
        {"akispl(2*time, table)", 6, {0, 0.5, 1, 1.75, 2, 3}},
        {"step(x, 1, 0, 2, 1)", 0, {0}},
        {"step(time^2, 1, 0, 2, 1)", 0, {0}},
        {"if(k1 > 3, 1, step(time, 1, 0, 2, 1))", 0, {0}},
        {"x < y", 0, {0}},
    };
    Fixture f;
    fixture_open(t, &f);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        TmlExpr *e = fixture_compile(t, &f, rows[k].text);
        double at[8] = {0};
        CHECK_INT(t, tml_expr_breakpoints(e, at, 8), rows[k].n);
        for (int j = 0; j < rows[k].n; ++j) {
            CHECK_NEAR(t, at[j], rows[k].t[j], ROUNDING * 6);
        }
        double one = -1.0;
        CHECK_INT(t, tml_expr_breakpoints(e, &one, 1), rows[k].n);
        CHECK_NEAR(t, one, rows[k].n > 0 ? rows[k].t[0] : -1.0, ROUNDING * 6);
    }
    fixture_close(&f);
}

/* One after the other from t = 0.05 on, also those that repeat for ever. Times follow from sums and
 * quotients of a few numbers: rounding. */
TEST(next_breaks)
{
    static const struct {
        const char *text;
        double t[5];
    } rows[] = {
        {"sin(time)", {HUGE_VAL}},
        {"step(time, 1, 0, 2, 1)", {1, 2, HUGE_VAL}},
        {"floor(time)", {1, 2, 3, 4, 5}},
        {"floor(10*time - 0.25)", {0.125, 0.225, 0.325, 0.425, 0.525}},
        {"ceil(3 - 2*time)", {0.5, 1, 1.5, 2, 2.5}},
        {"anint(time)", {0.5, 1.5, 2.5, 3.5, 4.5}},
        {"aint(time/4)", {4, 8, 12, 16, 20}},
        {"mod(time, 0.3)", {0.3, 0.6, 0.9, 1.2, 1.5}},
        {"mod(1 + time, 2)*x", {1, 3, 5, 7, 9}},
        {"if(mod(time, 1) - 0.25: 1, 0, -1)", {0.25, 1, 1.25, 2, 2.25}},
        {"if(0.25 < mod(time, 1), 1, -1)", {0.25, 1, 1.25, 2, 2.25}},
        {"abs(2*mod(time, 1) - 1)", {0.5, 1, 1.5, 2, 2.5}},
        {"abs(time - floor(time) - 0.5)", {0.5, 1, 1.5, 2, 2.5}},
        {"step(mod(time, 4), 1, 0, 2, 1)", {1, 2, 4, 5, 6}},
        {"cubspl(mod(time, 8), table)", {1, 2, 3.5, 4, 6}},
        {"if(floor(time) - 2: 0, 0, 1)", {1, 2, 3, 4, 5}},
        {"if(mod(time, 1) - x: 1, 0, -1)", {1, 2, 3, 4, 5}},
        {"mod(x, 2)", {HUGE_VAL}},
        {"mod(time, x)", {HUGE_VAL}},
        {"floor(time^2)", {HUGE_VAL}},
    };
    Fixture f;
    fixture_open(t, &f);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        TmlExpr *e = fixture_compile(t, &f, rows[k].text);
        double at = 0.05;
        t->name = rows[k].text;
        for (int j = 0; j < 5 && at < HUGE_VAL; ++j) {
            at = tml_expr_next_break(e, at, 1e-12);
            if (rows[k].t[j] < HUGE_VAL) {
                CHECK_NEAR(t, at, rows[k].t[j], ROUNDING * 20);
            } else {
                CHECK(t, at == HUGE_VAL);
            }
        }
    }
    t->name = NULL;
    fixture_close(&f);
}

static void *counting_resize(void *user, void *p, size_t size)
{
    int *count = user;
    (*count)++;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, size);
}

TEST(evaluation_does_not_allocate)
{
    Fixture f;
    fixture_open(t, &f);
    TmlExpr *e = fixture_compile(t, &f, "impact(x, y, 0, k1, 1.5, 3, 0.1) + cubspl(z, table)");
    double leaf[FIXTURE_LEAVES] = {0, -0.05, 0.2, 1.7, 0, 0}, work[4096], g[4], H[16], T[64];
    TmlJet jet = {.g = g, .H = H, .T = T};
    CHECK(t, tml_expr_work(e, 3) <= 4096);
    int count = 0;
    tml_set_allocator(&(TmlAllocator){&count, counting_resize});
    for (int order = 0; order <= 3; ++order) {
        tml_expr_eval(e, leaf, order, work, &jet);
    }
    tml_set_allocator(NULL);
    CHECK_INT(t, count, 0);
    fixture_close(&f);
}

/* Fails the allocation number *user, counting down. */
static void *failing_resize(void *user, void *p, size_t size)
{
    int *left = user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return (*left)-- == 0 ? NULL : realloc(p, size);
}

TEST(out_of_memory)
{
    Fixture f;
    fixture_open(t, &f);
    bool done = false;
    for (int k = 0; k < 1000 && !done; ++k) {
        int left = k;
        TmlArena arena = {0};
        TmlExpr *e;
        tml_set_allocator(&(TmlAllocator){&left, failing_resize});
        const TmlStatus status =
            tml_expr_compile("step(time, 1, 0, 2, k1)*dx(a) + cubspl(x, table) - 'odd name'/y",
                             &f.resolver, &arena, &e, &f.err);
        done = left >= 0;
        tml_arena_free(&arena);
        tml_set_allocator(NULL);
        CHECK(t, done ? status == TML_OK : status == TML_E_NOMEM);
        CHECK(t, (e != NULL) == (status == TML_OK));
    }
    CHECK(t, done);
    fixture_close(&f);
}

TEST_SUITE(expr_values) = {CASE(operators),
                           CASE(units),
                           CASE(functions),
                           CASE(adams_functions),
                           CASE(leaves_and_calls),
                           CASE(branches_do_not_leak),
                           CASE(smoothness),
                           CASE(smoothness_between_breakpoints),
                           CASE(breakpoints),
                           CASE(next_breaks),
                           CASE(evaluation_does_not_allocate),
                           CASE(out_of_memory),
                           {0}};
