/* tests/expr/expr_fixture.h - a small world for expressions: parameters, leaves, one spline.
 *
 *   constants  k1 = 10, k2 = 20, length = 1.5, "odd name" = 7, bad = NaN
 *   leaves     x = 1, y = 2, z = 3;  dx(a, b) = 4;  reaction(pin2).fx = 5
 *   spline     table (cubic), short (3 points, linear)
 *   path       wave: sin(s) with s = 2 (alpha + 1)
 */
#pragma once

#include "base/fail.h"
#include "expr/expr.h"
#include "test.h"

#include <strings.h>

enum { FIXTURE_LEAVES = 6, FIXTURE_KNOTS = 6 };

typedef struct Fixture {
    TmlArena arena;
    TmlSpline *table, *brief, *wave;
    TmlExprResolver resolver;
    TmlError err;
    char last_call[160]; /* what `call` was asked for, written out */
} Fixture;

static inline TmlStatus fixture_name(void *user, const char *name, TmlExprSymbol *out,
                                     TmlError *err)
{
    (void)user;
    static const struct {
        const char *name;
        TmlExprSymbol symbol;
    } known[] = {
        {"k1", {true, 10, 0, {0}}},
        {"k2", {true, 20, 0, {0}}},
        {"length", {true, 1.5, 0, {0}}},
        {"odd name", {true, 7, 0, {0}}},
        {"x", {false, 0, 1, {0}}},
        {"y", {false, 0, 2, {0}}},
        {"z", {false, 0, 3, {0}}},
        {"h", {true, 0.25, 0, {0}}},
        {"bad", {true, (double)NAN, 0, {0}}},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k) {
        if (strcmp(name, known[k].name) == 0) {
            *out = known[k].symbol;
            return TML_OK;
        }
    }
    return tml_fail(err, TML_E_MODEL, "'%s' stands for nothing", name);
}

static inline TmlStatus fixture_call(void *user, const char *function, const TmlExprArg *args,
                                     int n_args, const char *member, TmlExprSymbol *out,
                                     TmlError *err)
{
    Fixture *f = user;
    int used = snprintf(f->last_call, sizeof f->last_call, "%s", function);
    for (int k = 0; k < n_args; ++k) {
        const size_t room = sizeof f->last_call - (size_t)used;
        used += args[k].name != NULL
                    ? snprintf(f->last_call + used, room, " %s@%d", args[k].name, args[k].column)
                    : snprintf(f->last_call + used, room, " %g@%d", args[k].value, args[k].column);
    }
    snprintf(f->last_call + used, sizeof f->last_call - (size_t)used, " .%s",
             member != NULL ? member : "");
    if (strcasecmp(function, "dx") == 0) {
        *out = (TmlExprSymbol){.leaf = 4};
        return n_args > 0 ? TML_OK : tml_fail(err, TML_E_MODEL, "dx wants a frame");
    }
    if (strcasecmp(function, "reaction") == 0) {
        *out = (TmlExprSymbol){.leaf = 5};
        return TML_OK;
    }
    return tml_fail(err, TML_E_MODEL, "no function '%s'", function);
}

static inline void fixture_wave(const void *user, double s, int order, double *d)
{
    (void)user;
    for (int k = 0; k <= order; ++k) {
        d[k] = k % 2 == 0 ? sin(s) : cos(s);
        d[k] = k % 4 > 1 ? -d[k] : d[k];
    }
}

static inline TmlStatus fixture_spline(void *user, const char *name, const TmlSpline **out,
                                       TmlError *err)
{
    Fixture *f = user;
    *out = strcmp(name, "table") == 0   ? f->table
           : strcmp(name, "short") == 0 ? f->brief
           : strcmp(name, "wave") == 0  ? f->wave
                                        : NULL;
    return *out != NULL ? TML_OK : tml_fail(err, TML_E_MODEL, "no spline '%s'", name);
}

static inline void fixture_names(void *user, void (*visit)(void *arg, const char *name), void *arg)
{
    (void)user;
    static const char *const names[] = {"k1", "k2", "length", "odd name", "x",       "y",
                                        "z",  "h",  "bad",    "dx",       "reaction"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        visit(arg, names[k]);
    }
}

static inline void fixture_open(TestCtx *t, Fixture *f)
{
    static const double x[FIXTURE_KNOTS] = {0, 1, 2, 3.5, 4, 6};
    static const double y[FIXTURE_KNOTS] = {0, 2, 1, 3, 2.5, -1};
    *f = (Fixture){.resolver = {.name = fixture_name,
                                .call = fixture_call,
                                .spline = fixture_spline,
                                .names = fixture_names}};
    f->resolver.user = f;
    CHECK_OK(
        t, tml_spline_create(TML_SPLINE_CUBIC, FIXTURE_KNOTS, x, y, &f->arena, &f->table, &f->err),
        &f->err);
    CHECK_OK(t, tml_spline_create(TML_SPLINE_LINEAR, 3, x, y, &f->arena, &f->brief, &f->err),
             &f->err);
    static const TmlSplineSource wave = {.eval = fixture_wave, .smooth = 3, .from = -1, .per = 2};
    CHECK_OK(t, tml_spline_from_source(&wave, &f->arena, &f->wave, &f->err), &f->err);
}

static inline void fixture_close(Fixture *f)
{
    tml_arena_free(&f->arena);
}

/* NULL, with a failed check, when it does not compile. */
static inline TmlExpr *fixture_compile(TestCtx *t, Fixture *f, const char *text)
{
    TmlExpr *e = NULL;
    t->name = text;
    CHECK_OK(t, tml_expr_compile(text, &f->resolver, &f->arena, &e, &f->err), &f->err);
    return e;
}
