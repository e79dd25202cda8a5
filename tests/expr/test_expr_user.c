/* tests/expr/test_expr_user.c - functions of the caller's own inside expressions.
 *
 * Each is also written out in the language, whose derivatives have tests of their own: both must
 * agree to third order, whatever stands in the arguments.
 */
#include "expr_fixture.h"

#include <stdlib.h>

enum { N = 4, ARGS = 3 }; // time, x, y, z

/* swirl(a, b, c) = a sin(b) exp(c): the derivative by a, b, c of orders i, j, k is the product of
 * one factor each. */
static void swirl(void *user, const double *arg, int order, TmlJet *out)
{
    const double a[4] = {arg[0], 1.0, 0.0, 0.0};
    const double b[4] = {sin(arg[1]), cos(arg[1]), -sin(arg[1]), -cos(arg[1])};
    const double c = exp(arg[2]);
    ++*(int *)user;
    out->value = a[0] * b[0] * c;
    for (int i = 0; order > 0 && i < ARGS; ++i) {
        out->g[i] = a[i == 0] * b[i == 1] * c;
        for (int j = 0; order > 1 && j < ARGS; ++j) {
            out->H[i * ARGS + j] = a[(i == 0) + (j == 0)] * b[(i == 1) + (j == 1)] * c;
            for (int k = 0; order > 2 && k < ARGS; ++k) {
                out->T[(i * ARGS + j) * ARGS + k] =
                    a[(i == 0) + (j == 0) + (k == 0)] * b[(i == 1) + (j == 1) + (k == 1)] * c;
            }
        }
    }
}

static void cube(void *user, const double *arg, int order, TmlJet *out)
{
    const double x = arg[0];
    (void)user;
    out->value = x * x * x;
    if (order > 0) {
        out->g[0] = 3.0 * x * x;
    }
    if (order > 1) {
        out->H[0] = 6.0 * x;
    }
    if (order > 2) {
        out->T[0] = 6.0;
    }
}

static void root(void *user, const double *arg, int order, TmlJet *out)
{
    (void)user;
    out->value = sqrt(arg[0]);
    if (order > 0) {
        out->g[0] = 0.5 / out->value;
    }
}

static int calls;
static const TmlUserFunction functions[] = {
    {.name = "swirl", .text = "", .n_args = ARGS, .order = 3, .user = &calls, .eval = swirl},
    {.name = "cube", .text = "", .n_args = 1, .order = 3, .eval = cube},
    {.name = "root", .text = "", .n_args = 1, .order = 1, .eval = root},
};

static TmlStatus find_function(void *user, const char *name, const TmlUserFunction **out,
                               TmlError *err)
{
    (void)user;
    *out = NULL;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k) {
        if (strcasecmp(functions[k].name, name) == 0) {
            *out = &functions[k];
        }
    }
    return strcasecmp(name, "secret") == 0 ? tml_fail(err, TML_E_MODEL, "not for you") : TML_OK;
}

static void open_user(TestCtx *t, Fixture *f)
{
    fixture_open(t, f);
    f->resolver.function = find_function;
}

typedef struct Eval {
    TmlJet jet;
    double g[N], H[N * N], T[N * N * N];
} Eval;

static void eval(const TmlExpr *e, const double *leaf, int order, Eval *out)
{
    double *work = malloc(tml_expr_work(e, order) * sizeof *work);
    *out = (Eval){0};
    out->jet = (TmlJet){.g = out->g, .H = out->H, .T = out->T};
    if (work != NULL) {
        tml_expr_eval(e, leaf, order, work, &out->jet);
    }
    free(work);
}

static void compare(TestCtx *t, Fixture *f, const char *with, const char *without)
{
    // "0*" of each leaf would be dropped: both sides read all four by themselves
    const TmlExpr *a = fixture_compile(t, f, with), *b = fixture_compile(t, f, without);
    if (a == NULL || b == NULL) {
        return;
    }
    CHECK_INT(t, tml_expr_leaves(a), N);
    CHECK_INT(t, tml_expr_leaves(b), N);
    for (int trial = 0; trial < 5; ++trial) {
        double leaf[N];
        Eval x, y;
        for (int k = 0; k < N; ++k) {
            leaf[k] = test_random(t, 0.5, 1.5);
        }
        for (int order = 0; order <= 3; ++order) {
            eval(a, leaf, order, &x);
            eval(b, leaf, order, &y);
            // rounding of sums of a few dozen products of size up to 100, in another order
            const double tol = 1e-11;
            CHECK_NEAR(t, x.jet.value, y.jet.value, tol);
            for (int k = 0; k < N; ++k) {
                CHECK_NEAR(t, x.g[k], y.g[k], tol);
            }
            for (int k = 0; k < N * N; ++k) {
                CHECK_NEAR(t, x.H[k], y.H[k], tol);
            }
            for (int k = 0; k < N * N * N; ++k) {
                CHECK_NEAR(t, x.T[k], y.T[k], tol);
            }
        }
    }
}

TEST(agrees_with_the_formula)
{
    Fixture f;
    open_user(t, &f);
    compare(t, &f, "swirl(x*y, z + time, x*time)", "x*y*sin(z + time)*exp(x*time)");
    compare(t, &f, "SWIRL(x, 2, z)*y + time", "x*sin(2)*exp(z)*y + time");
    compare(t, &f, "swirl(x, x, x) + y*z + time", "x*sin(x)*exp(x) + y*z + time");
    compare(t, &f, "cube(x*y + z) - time^2", "(x*y + z)^3 - time^2");
    compare(t, &f, "swirl(cube(x), swirl(y, z, time), 1)", "x^3*sin(y*sin(z)*exp(time))*exp(1)");
    compare(t, &f, "if(x > 0, cube(y)*swirl(z, time, x), cube(sqrt(-1 - y^2)))",
            "y^3*z*sin(time)*exp(x)");
    fixture_close(&f);
}

TEST(constants_are_folded)
{
    Fixture f;
    double value = 0.0;
    open_user(t, &f);
    CHECK_OK(t, tml_expr_constant("cube(k1) + root(4)", &f.resolver, &value, &f.err), &f.err);
    CHECK_NEAR(t, value, 1002.0, 0);
    const TmlExpr *e = fixture_compile(t, &f, "x*swirl(1, 2, 3)");
    const double leaf[N] = {0, 2, 0, 0};
    Eval x;
    calls = 0;
    if (e != NULL) {
        eval(e, leaf, 3, &x);
        CHECK_NEAR(t, x.g[1], sin(2) * exp(3), 0);
    }
    CHECK_INT(t, calls, 0);
    fixture_close(&f);
}

TEST(smoothness_is_known)
{
    Fixture f;
    open_user(t, &f);
    CHECK_INT(t, tml_expr_smoothness(fixture_compile(t, &f, "cube(x)")), 3);
    CHECK_INT(t, tml_expr_smoothness(fixture_compile(t, &f, "root(x)")), 1);
    CHECK_INT(t, tml_expr_smoothness(fixture_compile(t, &f, "cube(abs(x))")), 0);
    fixture_close(&f);
}

TEST(messages)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"cube(x, y)", "cube takes 1 argument, got more: cube(a)\n  cube(x, y)\n  ^"},
        {"swirl(x)", "swirl takes 3 arguments, got 1: swirl(a, b, c)\n  swirl(x)\n  ^"},
        {"cube()", "cube takes 1 argument, got 0: cube(a)\n  cube()\n  ^"},
        {"1 + root(-1)", "root(-1) is not finite\n  1 + root(-1)\n      ^"},
        {"secret(x)", "not for you\n  secret(x)\n  ^"},
    };
    Fixture f;
    open_user(t, &f);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        TmlExpr *e = NULL;
        t->name = wrong[k].text;
        CHECK_INT(t, tml_expr_compile(wrong[k].text, &f.resolver, &f.arena, &e, &f.err),
                  TML_E_MODEL);
        CHECK_STR(t, f.err.message, wrong[k].message);
    }
    fixture_close(&f);
}

TEST_SUITE(expr_user) = {CASE(agrees_with_the_formula),
                         CASE(constants_are_folded),
                         CASE(smoothness_is_known),
                         CASE(messages),
                         {0}};
