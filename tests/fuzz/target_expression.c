/* tests/fuzz/target_expression.c - expressions: compiled, looked into and evaluated with
 * derivatives. */
#include "fuzz.h"

#include "base/fail.h"
#include "expr/expr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 4096, LEAVES = 6, WORK = 1 << 16, TIMES = 64 };

typedef struct World {
    TmlArena arena;
    TmlSpline *table;
    TmlExprResolver resolver;
} World;

static TmlStatus find_name(void *user, const char *name, TmlExprSymbol *out, TmlError *err)
{
    (void)user;
    static const char *const leaves[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
        if (strcmp(name, leaves[k]) == 0) {
            *out = (TmlExprSymbol){.leaf = k + 1};
            return TML_OK;
        }
    }
    if (strcmp(name, "k") == 0 || strcmp(name, "odd name") == 0) {
        *out = (TmlExprSymbol){.constant = true, .value = 10.0};
        return TML_OK;
    }
    return tml_fail(err, TML_E_MODEL, "'%s' stands for nothing", name);
}

static TmlStatus find_call(void *user, const char *function, const TmlExprArg *args, int n_args,
                           const char *member, TmlExprSymbol *out, TmlError *err)
{
    (void)user, (void)args;
    if (strcasecmp(function, "dx") != 0 && strcasecmp(function, "reaction") != 0) {
        return tml_fail(err, TML_E_MODEL, "no function '%s'", function);
    }
    *out = (TmlExprSymbol){.leaf = 4 + (n_args > 1 || member != NULL)};
    return TML_OK;
}

static TmlStatus find_spline(void *user, const char *name, const TmlSpline **out, TmlError *err)
{
    World *w = user;
    *out = strcmp(name, "table") == 0 ? w->table : NULL;
    return *out != NULL ? TML_OK : tml_fail(err, TML_E_MODEL, "no spline '%s'", name);
}

static void visit_names(void *user, void (*visit)(void *arg, const char *name), void *arg)
{
    (void)user;
    static const char *const names[] = {"x", "y", "z", "k", "odd name", "dx", "reaction"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        visit(arg, names[k]);
    }
}

static void open_world(World *w)
{
    static const double x[] = {0, 1, 2, 3.5, 4, 6}, y[] = {0, 2, 1, 3, 2.5, -1};
    TmlError err = {0};
    *w = (World){
        .resolver = {
            .name = find_name, .call = find_call, .spline = find_spline, .names = visit_names}};
    w->resolver.user = w;
    fuzz_check(tml_spline_create(TML_SPLINE_CUBIC, 6, x, y, &w->arena, &w->table, &err), &err);
}

static void evaluate(const TmlExpr *e)
{
    static double work[WORK];
    static const double leaf[2][LEAVES] = {{0.5, -1.25, 3, 0, 5, 6}, {1e9, 1e300, -1e-300, 2}};
    double g[LEAVES], H[LEAVES * LEAVES], T[LEAVES * LEAVES * LEAVES];
    TmlJet jet = {.g = g, .H = H, .T = T};
    for (int order = tml_expr_order(e); order >= 0; --order) {
        for (int k = 0; k < 2 && tml_expr_work(e, order) <= WORK; ++k) {
            tml_expr_eval(e, leaf[k], order, work, &jet);
        }
    }
}

static void look_into(const TmlExpr *e)
{
    double t[TIMES];
    const int n = tml_expr_breakpoints(e, t, TIMES);
    for (int k = 1; k < n && k < TIMES; ++k) {
        if (!(t[k - 1] <= t[k])) {
            fuzz_wrong("times of kinks are not in order", tml_expr_text(e));
        }
    }
    for (int k = 0; k < 3; ++k) {
        const double from = k == 0 ? 0.0 : k == 1 ? -1e9 : 1.0 / 3.0;
        if (!(tml_expr_next_break(e, from, 1e-12) > from)) {
            fuzz_wrong("the next kink is not behind", tml_expr_text(e));
        }
    }
    (void)tml_expr_smoothness(e);
    (void)tml_expr_smoothness_between(e);
    (void)tml_expr_switches(e);
    (void)tml_expr_dimension(e);
}

void fuzz_expression(const uint8_t *data, size_t size)
{
    if (size > LONGEST) {
        return;
    }
    World w;
    TmlExpr *e = NULL;
    TmlError err = {0};
    double value;
    TmlDimension dim;
    fuzz_limit_memory();
    open_world(&w);
    char *text = fuzz_text(data, size);
    TmlStatus status = tml_expr_compile(text, &w.resolver, &w.arena, &e, &err);
    fuzz_check(status, &err);
    if (status == TML_OK) {
        look_into(e);
        evaluate(e);
        status = tml_expr_quantity(text, &w.resolver, &value, &dim, &err);
        fuzz_check(status, &err);
        if (status == TML_OK && !isfinite(value)) {
            fuzz_wrong("a constant is not finite", text);
        }
    }
    free(text);
    tml_arena_free(&w.arena);
}
