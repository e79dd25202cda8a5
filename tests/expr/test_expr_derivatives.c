/* tests/expr/test_expr_derivatives.c - derivatives of orders 1 to 3 of every function in the table.
 *
 * Each order is compared with the sixth-order central difference of the exact order below it:
 *
 *   (D1)  f' = [45 (f_1 - f_-1) - 9 (f_2 - f_-2) + (f_3 - f_-3)] / (60 h) + O(h^6 f^(7))
 *
 * A function of the table without an expression here is a failed check.
 */
#include "expr_fixture.h"

#include <stdlib.h>

enum { N = 4 }; // time, x, y, z

/* h^6 / 140 = 1e-18 times derivatives of size up to 1e5 (swept sine); rounding 1e-15 / h = 1e-12
 * times values of size up to 1e2. Relative to the size of the terms. */
static const double H_STEP = 1e-3;
static const double TOLERANCE = 1e-9;

typedef struct Probe {
    const char *function; // name in the table, "" for operators
    const char *text;
    double at[N]; // farther than 3 h from any kink
} Probe;

static const Probe probes[] = {
    {"", "x + 2*y - z*time", {0.3, 0.7, 1.1, 0.9}},
    {"", "x*y*z*time", {0.3, 0.7, 1.1, 0.9}},
    {"", "x*y/(z + time)", {0.3, 0.7, 1.1, 0.9}},
    {"", "1/x - 3/(y*y)", {0.3, 0.7, 1.1, 0.9}},
    {"", "-x^3 + y^2.5 + z^-2", {0.3, 0.7, 1.1, 0.9}},
    {"", "x^y", {0.3, 0.7, 1.1, 0.9}},
    {"", "2^x*x^x", {0.3, 0.7, 1.1, 0.9}},
    {"", "(-x)^3 + (x - 0.7)^4 + (x - 0.7)^2", {0.3, 0.7, 1.1, 0.9}},
    {"", "(x < y) + (x <= y) + (x == y) + (x != y) + (x > 0 and y > 0) + (not x)", {0, 0.7, 1, 1}},
    {"sin", "sin(x*y)", {0.3, 0.7, 1.1, 0.9}},
    {"cos", "cos(x*y + z)", {0.3, 0.7, 1.1, 0.9}},
    {"tan", "tan(x*y)", {0.3, 0.7, 1.1, 0.9}},
    {"asin", "asin(x*y)", {0.3, 0.7, 0.8, 0.9}},
    {"acos", "acos(x*y)", {0.3, 0.7, 0.8, 0.9}},
    {"atan", "atan(3*x*y)", {0.3, 0.7, 1.1, 0.9}},
    {"atan2", "atan2(x, y)", {0.3, 0.7, 1.1, 0.9}},
    {"atan2", "atan2(-x*z, -y)", {0.3, 0.7, 1.1, 0.9}},
    {"sinh", "sinh(x*y)", {0.3, 0.7, 1.1, 0.9}},
    {"cosh", "cosh(x*y)", {0.3, 0.7, 1.1, 0.9}},
    {"tanh", "tanh(x*y)", {0.3, 0.7, 1.1, 0.9}},
    {"exp", "exp(x*y)", {0.3, 0.7, 1.1, 0.9}},
    {"log", "log(x*y)", {0.3, 0.7, 1.1, 0.9}},
    {"ln", "ln(x*y)", {0.3, 0.7, 1.1, 0.9}},
    {"log10", "log10(x*y)", {0.3, 0.7, 1.1, 0.9}},
    {"sqrt", "sqrt(x*y)", {0.3, 0.7, 1.1, 0.9}},
    {"pow", "pow(x, y*z)", {0.3, 0.7, 1.1, 0.9}},
    {"hypot", "hypot(x, y*z)", {0.3, 0.7, 1.1, 0.9}},
    {"abs", "abs(x*y)", {0.3, -0.7, 1.1, 0.9}},
    {"sign", "sign(x)*y", {0.3, -0.7, 1.1, 0.9}},
    {"sign", "sign(x*y, z)", {0.3, 0.7, 1.1, -0.9}},
    {"min", "min(x*x, y*z, 5)", {0.3, 0.7, 1.1, 0.9}},
    {"max", "max(x*x, y*z, 0)", {0.3, 0.7, 1.1, 0.9}},
    {"dim", "dim(x*y, z)", {0.3, 0.7, 1.1, 0.5}},
    {"dim", "dim(x*y, z)", {0.3, 0.7, 1.1, 0.9}},
    {"mod", "mod(x*x*40, y)", {0.3, 0.7, 1.1, 0.9}},
    {"aint", "aint(x)*y", {0.3, 2.7, 1.1, 0.9}},
    {"anint", "anint(x)*y", {0.3, 2.7, 1.1, 0.9}},
    {"floor", "floor(x)*y", {0.3, 2.7, 1.1, 0.9}},
    {"ceil", "ceil(x)*y", {0.3, 2.7, 1.1, 0.9}},
    {"wrap", "wrap(9*x)*y", {0.6, 2.7, 1.1, 0.9}},
    {"if", "if(x > y, x*x*y, x*y*y)", {0.3, 0.7, 1.1, 0.9}},
    {"if", "IF(x - y: sin(x*y), 1, cos(x))", {0.3, 1.7, 1.1, 0.9}},
    {"step", "step(x, 0, y, 1, z)", {0.3, 0.7, 1.1, 0.9}},
    {"step", "step(x, time, y, z, 2)", {0.3, 0.7, 1.1, 0.9}},
    {"step", "step(x, time, y, z, 2*y)", {0.3, 0.2, 1.1, 0.9}},
    {"step", "step(x, time, y, z, 2*y)", {0.3, 1.2, 1.1, 0.9}},
    {"step5", "step5(x, time, y, z, 2)", {0.3, 0.7, 1.1, 0.9}},
    {"step5", "step5(x, time, y, z, 2)", {0.3, 1.7, 1.1, 0.9}},
    {"havsin", "havsin(x, time, y, z, 2)", {0.3, 0.7, 1.1, 0.9}},
    {"havsin", "havsin(x, time, y*y, z, 2)", {0.3, 0.2, 1.1, 0.9}},
    // contact: shallow, deep, damped to zero, apart; constant and variable law
    {"impact", "impact(x, y, 1, 100, 2.2, 10, 0.3)", {0.3, 0.9, -1.1, 0.9}},
    {"impact", "impact(x, y, 1, 100, 2.2, 10, 0.3)", {0.3, 0.2, 1.1, 0.9}},
    {"impact", "impact(x, y, 1, 100, 2.2, 10, 0.3)", {0.3, 0.8, 9.1, 0.9}},
    {"impact", "impact(x, y, 1, 100, 2.2, 10, 0.3)", {0.3, 1.2, 1.1, 0.9}},
    {"impact", "impact(x, y, z, 50, 1 + time, 10, z)", {0.3, 0.4, -0.3, 0.9}},
    {"bistop", "bistop(x, y, 1, 2, 100, 2.2, 10, 0.3)", {0.3, 0.9, -1.1, 0.9}},
    {"bistop", "bistop(x, y, 1, 2, 100, 2.2, 10, 0.3)", {0.3, 0.2, -1.1, 0.9}},
    {"bistop", "bistop(x, y, 1, 2, 100, 2.2, 10, 0.3)", {0.3, 1.5, -1.1, 0.9}},
    {"bistop", "bistop(x, y, 1, 2, 100, 2.2, 10, 0.3)", {0.3, 2.1, 1.1, 0.9}},
    {"bistop", "bistop(x, y, 1, 2, 100, 2.2, 10, 0.3)", {0.3, 2.8, 1.1, 0.9}},
    {"bistop", "bistop(x, y, 1, 2, 100, 2.2, 10, 0.3)", {0.3, 2.2, -9.1, 0.9}},
    {"bistop", "bistop(x, y, time, z, 50, 1.5, 10, z)", {0.3, 1.4, 0.3, 0.9}},
    {"poly", "poly(x, y, 1, z, 3, -2, time)", {0.3, 0.7, 1.1, 0.9}},
    {"cheby", "cheby(x, y, 1, z, 3, -2, time)", {0.3, 0.7, 1.1, 0.9}},
    {"forcos", "forcos(x, y, z, 1, 2, time, 4)", {0.3, 0.7, 1.1, 0.9}},
    {"forsin", "forsin(x, y, z, 1, 2, time, 4)", {0.3, 0.7, 1.1, 0.9}},
    {"shf", "shf(x, y, 2, z, time, 3)", {0.3, 0.7, 1.1, 0.9}},
    {"sweep", "sweep(x, y, 0, 1, 1, z, 0.5)", {0.3, 0.2, 1.1, 0.9}},
    {"sweep", "sweep(x, y, 0, 1, 1, z, 0.5)", {0.3, 0.8, 1.1, 0.9}},
    {"sweep", "sweep(x, y, 0, 1, 1, z, 0.5)", {0.3, 1.8, 1.1, 0.9}},
    {"sweep", "sweep(x, y, 0, 1, 1, z, 0.5)", {0.3, -0.8, 1.1, 0.9}},
    {"cubspl", "cubspl(x*y, table)", {0.3, 1.1, 1.1, 0.9}},
    {"cubspl",
     "cubspl(x, 0, table, 1)*cubspl(y, 0, table, 2) + cubspl(z, table, 3)",
     {0.3, 1.1, 2.6, 3.7}},
    {"cubspl", "cubspl(x*y, table)", {0.3, -2.1, 1.1, 0.9}},
    {"cubspl", "cubspl(x*y, table)", {0.3, 7.1, 1.1, 0.9}},
    {"akispl", "akispl(x*y, table)", {0.3, 1.1, 1.1, 0.9}},
    {"akispl", "akispl(x*y, 0, table, 1)", {0.3, 3.1, 1.1, 0.9}},
    {"linspl", "linspl(x*y, table)", {0.3, 1.1, 1.1, 0.9}},
    {"spline", "spline(x*y, short)", {0.3, 1.1, 1.1, 0.9}},
    {"curve", "curve(x*y, wave)", {0.3, 1.1, 1.1, 0.9}},
    {"curve", "curve(x*y, wave, 2) + curve(x, wave, 3)*spline(y, wave, 1)", {0.3, 1.1, 1.1, 0.9}},
    // composition of many kinds
    {"",
     "sin(step(x, 0, 0, 1, y))*exp(-z^2)*atan2(x, time) + impact(x, y, z, 10, 1.5, 1, 1)",
     {0.3, 0.7, 1.1, 0.9}},
};

enum { N_PROBES = sizeof probes / sizeof probes[0] };

typedef struct Derivs {
    double value, g[N], H[N * N], T[N * N * N];
} Derivs;

static void eval(const TmlExpr *e, const double *at, int order, double *work, Derivs *out)
{
    // the expression may have fewer leaves than N: spread its arrays
    const int n = tml_expr_leaves(e);
    Derivs d;
    TmlJet jet = {.g = d.g, .H = d.H, .T = d.T};
    tml_expr_eval(e, at, order, work, &jet);
    memset(out, 0, sizeof *out);
    out->value = jet.value;
    for (int i = 0; order > 0 && i < n; ++i) {
        out->g[i] = d.g[i];
        for (int j = 0; order > 1 && j < n; ++j) {
            out->H[i * N + j] = d.H[i * n + j];
            for (int k = 0; order > 2 && k < n; ++k) {
                out->T[(i * N + j) * N + k] = d.T[(i * n + j) * n + k];
            }
        }
    }
}

/* (D1) of value, g and H along leaf i. */
static void difference(const TmlExpr *e, const double *at, int i, double *work, Derivs *out)
{
    static const double weight[] = {0, 45, -9, 1};
    memset(out, 0, sizeof *out);
    for (int s = -3; s <= 3; ++s) {
        double moved[N];
        Derivs d;
        memcpy(moved, at, sizeof moved);
        moved[i] += s * H_STEP;
        eval(e, moved, 2, work, &d);
        const double w = (s < 0 ? -weight[-s] : weight[s]) / (60.0 * H_STEP);
        out->value += w * d.value;
        for (int k = 0; k < N; ++k) {
            out->g[k] += w * d.g[k];
        }
        for (int k = 0; k < N * N; ++k) {
            out->H[k] += w * d.H[k];
        }
    }
}

static double size_of(const double *x, int n)
{
    double s = 1.0;
    for (int k = 0; k < n; ++k) {
        s = fmax(s, fabs(x[k]));
    }
    return s;
}

static void check_probe(TestCtx *t, const TmlExpr *e, const double *at, double *work)
{
    Derivs exact, low, diff;
    eval(e, at, 3, work, &exact);
    for (int order = 0; order < 3; ++order) { // lower orders give the same numbers
        eval(e, at, order, work, &low);
        CHECK_NEAR(t, low.value, exact.value, 0);
        for (int k = 0; order > 0 && k < N; ++k) {
            // the gradient sums in another order: rounding
            CHECK_NEAR(t, low.g[k], exact.g[k], 1e-13 * size_of(exact.g, N));
        }
        for (int k = 0; order > 1 && k < N * N; ++k) {
            CHECK_NEAR(t, low.H[k], exact.H[k], 0);
        }
    }
    const double g_size = size_of(exact.g, N), H_size = size_of(exact.H, N * N);
    const double T_size = size_of(exact.T, N * N * N);
    for (int i = 0; i < N; ++i) {
        difference(e, at, i, work, &diff);
        CHECK_NEAR(t, exact.g[i], diff.value, TOLERANCE * g_size);
        for (int j = 0; j < N; ++j) {
            CHECK_NEAR(t, exact.H[i * N + j], diff.g[j], TOLERANCE * H_size);
        }
        for (int j = 0; j < N * N; ++j) {
            CHECK_NEAR(t, exact.T[i * N * N + j], diff.H[j], TOLERANCE * T_size);
        }
    }
}

TEST(against_differences)
{
    Fixture f;
    fixture_open(t, &f);
    for (int k = 0; k < N_PROBES; ++k) {
        const TmlExpr *e = fixture_compile(t, &f, probes[k].text);
        if (e == NULL) {
            continue;
        }
        double *work = malloc(tml_expr_work(e, 3) * sizeof *work);
        if (work != NULL) {
            check_probe(t, e, probes[k].at, work);
        }
        free(work);
    }
    fixture_close(&f);
}

typedef struct Cover {
    TestCtx *t;
    int n;
} Cover;

static void cover(void *arg, const char *name, const char *signature, const char *text)
{
    Cover *c = arg;
    bool found = false;
    for (int k = 0; k < N_PROBES; ++k) {
        found = found || strcmp(probes[k].function, name) == 0;
    }
    c->t->name = name;
    CHECK(c->t, found);
    CHECK(c->t, strncmp(signature, name, strlen(name)) == 0);
    CHECK(c->t, text[0] != '\0' && text[strlen(text) - 1] == '.');
    c->n++;
}

TEST(every_function_is_probed)
{
    Cover c = {.t = t};
    tml_expr_functions(cover, &c);
    CHECK_INT(t, c.n, 45);
}

/* leaf(k) is leaf k. */
static TmlStatus numbered_leaf(void *user, const char *function, const TmlExprArg *args, int n_args,
                               const char *member, TmlExprSymbol *out, TmlError *err)
{
    (void)user, (void)function, (void)n_args, (void)member, (void)err;
    *out = (TmlExprSymbol){.leaf = (int)args[0].value};
    return TML_OK;
}

TEST(many_leaves)
{
    // more leaves than a support mask has bits: f = (sum of x_k^2, k = 1..70) x_1
    enum { LEAVES = 71 };
    char text[4096] = "(0";
    size_t used = 2;
    for (int k = 1; k < LEAVES; ++k) {
        used += (size_t)snprintf(text + used, sizeof text - used, " + leaf(%d)^2", k);
    }
    snprintf(text + used, sizeof text - used, ")*leaf(1)");

    TmlArena arena = {0};
    TmlError err;
    TmlExpr *e = NULL;
    const TmlExprResolver resolver = {.call = numbered_leaf};
    CHECK_OK(t, tml_expr_compile(text, &resolver, &arena, &e, &err), &err);
    CHECK_INT(t, tml_expr_leaves(e), LEAVES);
    double leaf[LEAVES], g[LEAVES];
    double *H = calloc((size_t)LEAVES * LEAVES, sizeof *H);
    double *work = malloc(tml_expr_work(e, 2) * sizeof *work);
    for (int k = 0; k < LEAVES; ++k) {
        leaf[k] = k;
    }
    if (H != NULL && work != NULL) {
        TmlJet jet = {.g = g, .H = H};
        tml_expr_eval(e, leaf, 2, work, &jet);
        const double sum = 70.0 * 71.0 * 141.0 / 6.0; // whole numbers: no rounding
        CHECK_NEAR(t, jet.value, sum, 0);
        CHECK_NEAR(t, g[1], sum + 2, 0);
        CHECK_NEAR(t, g[70], 140, 0);
        CHECK_NEAR(t, H[1 * LEAVES + 1], 6, 0);
        CHECK_NEAR(t, H[70 * LEAVES + 70], 2, 0);
        CHECK_NEAR(t, H[70 * LEAVES + 1], 140, 0);
        CHECK_NEAR(t, H[70 * LEAVES + 69], 0, 0);
    }
    free(H);
    free(work);
    tml_arena_free(&arena);
}

TEST(powers_at_zero)
{
    // whole powers have finite derivatives at 0; x^y has them too where y is large
    static const struct {
        const char *text;
        double d[4];
    } rows[] = {{"x^2", {0, 0, 2, 0}},
                {"x^3", {0, 0, 0, 6}},
                {"x^1", {0, 1, 0, 0}},
                {"x^4.5", {0, 0, 0, 0}},
                {"x^(y + 3)", {0, 0, 0, 6}}};
    Fixture f;
    fixture_open(t, &f);
    double leaf[N] = {0}, work[4096];
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        const TmlExpr *e = fixture_compile(t, &f, rows[k].text);
        Derivs d;
        eval(e, leaf, 3, work, &d);
        CHECK_NEAR(t, d.value, rows[k].d[0], 0);
        CHECK_NEAR(t, d.g[1], rows[k].d[1], 0);
        CHECK_NEAR(t, d.H[N + 1], rows[k].d[2], 0);
        CHECK_NEAR(t, d.T[(N + 1) * N + 1], rows[k].d[3], 0);
    }
    fixture_close(&f);
}

TEST_SUITE(expr_derivatives) = {CASE(against_differences),
                                CASE(every_function_is_probed),
                                CASE(many_leaves),
                                CASE(powers_at_zero),
                                {0}};
