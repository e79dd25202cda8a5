/* expr/finish.c - from the builder's values to a compiled expression: keeps what the result needs,
 * orders it, and finds breakpoints in time.
 *
 *   (F1)  A kink at u = k of a value u = a + b t lies at t = (k - a) / b.
 *   (F2)  A saw tooth u = a + b t + c floor((t - f) / p), b p + c = 0, has them at
 *         t = f + x + n p, x = (k - a - b f) / b, where 0 < x < p: for ever. Stairs (b = 0) pass k
 *         in their jumps.
 */
#include "expr/builder.h"

#include <math.h>
#include <stdlib.h>

/* Scratch for one finish. */
typedef struct Finish {
    const TmlBuilder *b;
    bool *used; // b->n
    int *place; // b->n: number of the value in the program
    TmlExpr *e;
    double *breaks; // e->n_breaks
    int n_breaks;   // found so far; storing starts when breaks is set
    TmlExprTimes *repeated;
    int n_repeated;
} Finish;

/* Backwards: operands always stand before their users. */
static void mark_used(const TmlBuilder *b, int root, bool *used)
{
    used[root] = true;
    for (int k = root; k >= 0; --k) {
        const TmlInstr *in = &b->node[k].in;
        if (!used[k] || in->op == TML_OP_CONST || in->op == TML_OP_LEAF) {
            continue;
        }
        used[in->u] = true;
        if (in->v >= 0) {
            used[in->v] = true;
        }
        if (in->c >= 0) {
            used[in->c] = true;
        }
    }
}

/* 0: fine; else the trouble that makes a used value non-finite. */
static int find_trouble(const Finish *f)
{
    for (int k = 0; k < f->b->n; ++k) {
        const TmlBuildNode *n = &f->b->node[k];
        if (!f->used[k]) {
            continue;
        }
        if (n->in.op == TML_OP_CONST ? !isfinite(n->in.p) : n->trouble != 0) {
            return n->trouble != 0 ? n->trouble : -1;
        }
    }
    return 0;
}

static int compare_int(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int compare_double(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static TmlStatus place_values(Finish *f, TmlArena *arena, TmlError *err)
{
    TmlExpr *e = f->e;
    const TmlBuildNode *node = f->b->node;
    for (int k = 0; k < f->b->n; ++k) {
        if (f->used[k]) {
            e->n_const += node[k].in.op == TML_OP_CONST;
            e->n_active += node[k].in.op == TML_OP_LEAF;
            e->n_instr += node[k].in.op != TML_OP_CONST && node[k].in.op != TML_OP_LEAF;
        }
    }
    double *constant;
    int *active, *all;
    TML_NEW(arena, constant, e->n_const);
    TML_NEW(arena, active, e->n_active);
    TML_NEW(arena, all, e->n_active);

    int n_const = 0, n_active = 0, n_instr = 0;
    for (int k = 0; k < f->b->n; ++k) {
        if (f->used[k] && node[k].in.op == TML_OP_LEAF) {
            all[n_active] = n_active;
            active[n_active++] = node[k].in.u;
        }
    }
    qsort(active, (size_t)n_active, sizeof *active, compare_int);
    for (int k = 0; k < f->b->n; ++k) {
        if (!f->used[k]) {
            continue;
        }
        if (node[k].in.op == TML_OP_CONST) {
            constant[n_const] = node[k].in.p;
            f->place[k] = n_const++;
        } else if (node[k].in.op == TML_OP_LEAF) {
            const int *found =
                bsearch(&node[k].in.u, active, (size_t)n_active, sizeof *active, compare_int);
            f->place[k] = e->n_const + (int)(found - active);
        } else {
            f->place[k] = e->n_const + e->n_active + n_instr++;
        }
    }
    e->constant = constant;
    e->active = active;
    e->all = all;
    e->n_leaves = n_active > 0 ? active[n_active - 1] + 1 : 1;
    return TML_OK;
}

static uint64_t support_of(const TmlExpr *e, const uint64_t *support, int value)
{
    return value < e->n_const ? 0 : support[value - e->n_const];
}

static TmlStatus place_instr(Finish *f, TmlArena *arena, TmlError *err)
{
    TmlExpr *e = f->e;
    TmlInstr *instr;
    uint64_t *support;
    TML_NEW(arena, instr, e->n_instr);
    TML_NEW(arena, support, e->n_active + e->n_instr);
    for (int k = 0; k < e->n_active && k < TML_SUPPORT_BITS; ++k) {
        support[k] = (uint64_t)1 << k;
    }
    int n = 0;
    for (int k = 0; k < f->b->n; ++k) {
        TmlInstr in = f->b->node[k].in;
        if (!f->used[k] || in.op == TML_OP_CONST || in.op == TML_OP_LEAF) {
            continue;
        }
        in.u = f->place[in.u];
        in.v = in.v >= 0 ? f->place[in.v] : -1;
        in.c = in.c >= 0 ? f->place[in.c] : -1;
        support[e->n_active + n] =
            support_of(e, support, in.u) | (in.v >= 0 ? support_of(e, support, in.v) : 0);
        instr[n++] = in;
    }
    e->instr = instr;
    e->support = support;
    return TML_OK;
}

static void add_times(Finish *f, double first, double period)
{
    if (isfinite(first) && isfinite(period) && period > 0.0) {
        if (f->repeated != NULL) {
            f->repeated[f->n_repeated] = (TmlExprTimes){first, period};
        }
        f->n_repeated++;
    }
}

static void add_time(Finish *f, double t)
{
    if (isfinite(t)) {
        if (f->breaks != NULL) {
            f->breaks[f->n_breaks] = t;
        }
        f->n_breaks++;
    }
}

/* Where u passes the value `kink`. */
static void add_break(Finish *f, const TmlBuildNode *u, double kink)
{
    if (u->rate == 0.0) {
        return;
    }
    if (u->linear) {
        add_time(f, (kink - u->offset) / u->rate); // (F1)
    } else if (u->wave && fabs(u->rate * u->period + u->jump) <= 1e-12 * fabs(u->jump)) {
        const double x = (kink - u->offset - u->rate * u->first) / u->rate; // (F2)
        if (x > 0.0 && x < u->period) {
            add_times(f, u->first + x, u->period);
        }
    }
}

/* u - v, of values that are linear or waves; neither when that is not known. */
static TmlBuildNode gap_of(const TmlBuildNode *u, const TmlBuildNode *v)
{
    TmlBuildNode gap = {
        .offset = u->offset - v->offset, .rate = u->rate - v->rate, .jump = u->jump - v->jump};
    const TmlBuildNode *w = u->wave ? u : v;
    gap.linear = u->linear && v->linear;
    gap.wave = (u->wave && v->linear) || (v->wave && u->linear);
    gap.first = w->first;
    gap.period = w->period;
    return gap;
}

/* Kinks of one value in time. */
static void kinks_of(Finish *f, const TmlBuildNode *n)
{
    const TmlBuildNode *u = &f->b->node[n->in.u];
    switch (n->in.op) {
    case TML_OP_LT:
    case TML_OP_LE:
    case TML_OP_EQ: {
        const TmlBuildNode gap = gap_of(u, &f->b->node[n->in.v]);
        add_break(f, &gap, 0.0);
        break;
    }
    case TML_OP_ABS:
    case TML_OP_SIGN:
    case TML_OP_CLAMP:
        add_break(f, u, 0.0);
        if (n->in.op == TML_OP_CLAMP) {
            add_break(f, u, 1.0);
        }
        break;
    case TML_OP_SPLINE: {
        const double *x;
        const int n_knots = tml_spline_knots(n->in.spline, &x);
        for (int k = 0; k < n_knots; ++k) {
            add_break(f, u, x[k]);
        }
        break;
    }
    case TML_OP_FLOOR:
    case TML_OP_CEIL:
    case TML_OP_AINT:
    case TML_OP_ANINT:
    case TML_OP_MOD:
        if (n->wave) {
            add_times(f, n->first, n->period);
        }
        break;
    default:
        break;
    }
}

static void find_breaks(Finish *f)
{
    f->n_breaks = f->n_repeated = 0;
    for (int k = 0; k < f->b->n; ++k) {
        const TmlInstr *in = &f->b->node[k].in;
        if (f->used[k] && in->op != TML_OP_CONST && in->op != TML_OP_LEAF) {
            kinks_of(f, &f->b->node[k]);
        }
    }
}

static TmlStatus place_breaks(Finish *f, TmlArena *arena, TmlError *err)
{
    // two passes: count, then store
    find_breaks(f);
    if (f->n_breaks + f->n_repeated == 0) {
        return TML_OK;
    }
    TML_NEW(arena, f->breaks, f->n_breaks + 1);
    TML_NEW(arena, f->repeated, f->n_repeated + 1);
    find_breaks(f);
    f->e->repeated = f->repeated;
    f->e->n_repeated = f->n_repeated;
    qsort(f->breaks, (size_t)f->n_breaks, sizeof *f->breaks, compare_double);
    int n = 0;
    for (int k = 0; k < f->n_breaks; ++k) {
        // the same time reached by different rounding counts once
        const double t = f->breaks[k];
        if (n == 0 || t - f->breaks[n - 1] > 1e-14 * fabs(t)) {
            f->breaks[n++] = t;
        }
    }
    f->e->breaks = f->breaks;
    f->e->n_breaks = n;
    return TML_OK;
}

/* A value that min() or max() cuts off at a constant. */
typedef struct Cut {
    int value;    /* -1: it is none */
    double bound; /* the constant */
    bool above;   /* min() */
} Cut;

static Cut cut_at(const TmlBuilder *b, int node)
{
    const TmlInstr *s = &b->node[node].in;
    Cut cut = {.value = -1};
    if (s->op != TML_OP_SELECT || b->node[s->c].in.op != TML_OP_LT) {
        return cut;
    }
    const int p = b->node[s->c].in.u, q = b->node[s->c].in.v;
    const bool least = s->u == p && s->v == q, most = s->u == q && s->v == p;
    if ((least || most) && tml_build_known(b, p, &cut.bound)) {
        cut.value = q;
    } else if ((least || most) && tml_build_known(b, q, &cut.bound)) {
        cut.value = p;
    }
    cut.above = least;
    return cut;
}

/* Finds limits between two constants, min(max(x, a), b) with a < b, and marks what they are made of: like an absolute value they show wherever one
 * looks. One cut alone may hold still and set in, as a contact does. */
static void mark_limits(const Finish *f, bool *limit)
{
    const TmlBuilder *b = f->b;
    for (int k = 0; k < b->n; ++k) {
        const Cut outer = f->used[k] ? cut_at(b, k) : (Cut){.value = -1};
        const Cut inner = outer.value >= 0 ? cut_at(b, outer.value) : (Cut){.value = -1};
        if (inner.value < 0 || inner.above == outer.above ||
            (outer.above ? inner.bound >= outer.bound : inner.bound <= outer.bound)) {
            continue;
        }
        limit[k] = limit[b->node[k].in.c] = true;
        limit[outer.value] = limit[b->node[outer.value].in.c] = true;
    }
}

/* A choice, comparison or cut-off, but at known times. */
static bool switches(const TmlBuilder *b, const TmlBuildNode *n)
{
    switch (n->in.op) {
    case TML_OP_CONST:
    case TML_OP_LEAF:
    case TML_OP_ARG:
    case TML_OP_ABS:
        return false;
    case TML_OP_CALL:
        return true;
    case TML_OP_SELECT:
        return !b->node[n->in.c].timed;
    default:
        return tml_op_info(n->in.op)->smooth < 3 && !n->timed;
    }
}

static bool any_switches(const Finish *f, bool *limit)
{
    mark_limits(f, limit);
    for (int k = 0; k < f->b->n; ++k) {
        if (f->used[k] && !limit[k] && switches(f->b, &f->b->node[k])) {
            return true;
        }
    }
    return false;
}

TmlStatus tml_build_finish(TmlBuilder *b, int root, const char *text, TmlArena *arena,
                           TmlExpr **out, int *trouble, TmlError *err)
{
    *out = NULL;
    *trouble = 0;
    if (b->oom) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    TmlArena scratch = {0};
    Finish f = {.b = b};
    f.used = tml_arena_alloc(&scratch, (size_t)b->n, sizeof *f.used);
    f.place = tml_arena_alloc(&scratch, (size_t)b->n, sizeof *f.place);
    f.e = tml_arena_alloc(arena, 1, sizeof *f.e);
    bool *limit = tml_arena_alloc(&scratch, (size_t)b->n, sizeof *limit);
    char *copy = tml_arena_strdup(arena, text);
    TmlStatus status = TML_OK;
    if (f.used == NULL || f.place == NULL || f.e == NULL || copy == NULL || limit == NULL) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory");
    } else {
        mark_used(b, root, f.used);
        *trouble = find_trouble(&f);
    }
    if (status == TML_OK && *trouble == 0) {
        f.e->text = copy;
        status = place_values(&f, arena, err);
        status = status == TML_OK ? place_instr(&f, arena, err) : status;
        status = status == TML_OK ? place_breaks(&f, arena, err) : status;
        f.e->smooth = b->node[root].smooth;
        f.e->between = b->node[root].between;
        f.e->switches = any_switches(&f, limit);
        f.e->root = f.place[root];
        *out = status == TML_OK ? f.e : NULL;
    }
    tml_arena_free(&scratch);
    return status;
}
