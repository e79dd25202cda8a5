/* expr/builder.c - values with constant folding. */
#include "expr/builder.h"

#include <math.h>

static const TmlBuildNode *at(const TmlBuilder *b, int k)
{
    return &b->node[k];
}

static bool is_const(const TmlBuilder *b, int k)
{
    return at(b, k)->in.op == TML_OP_CONST;
}

static bool is_value(const TmlBuilder *b, int k, double value)
{
    return is_const(b, k) && at(b, k)->in.p == value;
}

static int push(TmlBuilder *b, TmlBuildNode node)
{
    void *p = b->node;
    if (!tml_mem_grow(&p, &b->cap, b->n + 1, sizeof *b->node)) {
        b->oom = true;
        return 0;
    }
    b->node = p;
    b->node[b->n] = node;
    return b->n++;
}

TmlStatus tml_build_init(TmlBuilder *b, TmlError *err)
{
    *b = (TmlBuilder){0};
    tml_build_const(b, 0.0);
    return b->oom ? tml_fail(err, TML_E_NOMEM, "out of memory") : TML_OK;
}

void tml_build_free(TmlBuilder *b)
{
    tml_mem_free(b->node);
    *b = (TmlBuilder){0};
}

int tml_build_const(TmlBuilder *b, double value)
{
    return push(b, (TmlBuildNode){.in = {.op = TML_OP_CONST, .u = -1, .v = -1, .c = -1, .p = value},
                                  .smooth = 3,
                                  .between = 3,
                                  .timed = true,
                                  .linear = isfinite(value),
                                  .offset = value});
}

int tml_build_leaf(TmlBuilder *b, int leaf)
{
    for (int k = 0; k < b->n; ++k) {
        if (at(b, k)->in.op == TML_OP_LEAF && at(b, k)->in.u == leaf) {
            return k;
        }
    }
    return push(b, (TmlBuildNode){.in = {.op = TML_OP_LEAF, .u = leaf, .v = -1, .c = -1},
                                  .smooth = 3,
                                  .between = 3,
                                  .timed = leaf == 0,
                                  .linear = leaf == 0,
                                  .rate = leaf == 0 ? 1.0 : 0.0});
}

bool tml_build_known(const TmlBuilder *b, int node, double *value)
{
    *value = at(b, node)->in.p;
    return is_const(b, node);
}

void tml_build_blame(TmlBuilder *b, int node, int trouble)
{
    if (b->node[node].trouble == 0) {
        b->node[node].trouble = trouble;
    }
}

static bool same(double a, double c)
{
    return fabs(a - c) <= 1e-14 * fmax(fabs(a), fabs(c));
}

/* A number that does not change with time. */
static bool is_still(const TmlBuildNode *n)
{
    return n->linear && n->rate == 0.0;
}

/* Whether a sum of both, or a multiple by the other, is of their kind. */
static bool in_step(const TmlBuildNode *u, const TmlBuildNode *v)
{
    return !u->wave || !v->wave || (same(u->first, v->first) && same(u->period, v->period));
}

/* Stairs and saw teeth of u = a + b time, as they are from where u is zero on:
 *
 *   (W1)  b > 0:  floor(u) = k,  ceil(u) = k + 1,  trunc(u) = k,  mod(u, p) = u - p k(u / p)
 *   (W2)  b < 0:  floor(u) = -k - 1,  ceil(u) = -k,  trunc(u) = -k,  mod(u, p) = u + p k(-u / p)
 *
 * with k = floor((time + a / b) |b|); round(u) = floor(u + 1/2). */
static void find_wave(const TmlBuilder *b, TmlBuildNode *n)
{
    const TmlBuildNode *u = at(b, n->in.u);
    const bool up = u->rate > 0.0;
    double size = 1.0, shift = 0.0;
    n->jump = up ? 1.0 : -1.0;
    switch (n->in.op) {
    case TML_OP_FLOOR:
        n->offset = up ? 0.0 : -1.0;
        break;
    case TML_OP_CEIL:
        n->offset = up ? 1.0 : 0.0;
        break;
    case TML_OP_AINT:
        break;
    case TML_OP_ANINT:
        n->offset = up ? 0.0 : -1.0;
        shift = 0.5;
        break;
    case TML_OP_MOD:
        size = is_const(b, n->in.v) ? fabs(at(b, n->in.v)->in.p) : 0.0;
        n->offset = u->offset;
        n->rate = u->rate;
        n->jump = up ? -size : size;
        break;
    default:
        return;
    }
    n->wave = u->linear && u->rate != 0.0 && size > 0.0;
    n->first = -(u->offset + shift) / u->rate;
    n->period = size / fabs(u->rate);
}

/* Follows values that are linear in time, but for stairs, through the operations that keep them so.
 */
static void find_rate(const TmlBuilder *b, TmlBuildNode *n)
{
    const TmlBuildNode *u = at(b, n->in.u), *v = n->in.v >= 0 ? at(b, n->in.v) : NULL;
    find_wave(b, n);
    if (n->wave || !(u->linear || u->wave) || (v != NULL && !(v->linear || v->wave)) ||
        (v != NULL && !in_step(u, v))) {
        return;
    }
    double s = 0.0; // result = s u + r v
    double r = 0.0;
    switch (n->in.op) {
    case TML_OP_ADD:
        s = r = 1.0;
        break;
    case TML_OP_SUB:
        s = 1.0;
        r = -1.0;
        break;
    case TML_OP_NEG:
        s = -1.0;
        break;
    case TML_OP_MUL:
        s = is_still(v) ? v->offset : 0.0;
        r = !is_still(v) && is_still(u) ? u->offset : 0.0;
        break;
    case TML_OP_DIV:
        s = is_still(v) && v->offset != 0.0 ? 1.0 / v->offset : 0.0;
        break;
    default:
        break;
    }
    const TmlBuildNode *w = u->wave ? u : v;
    n->wave = (s != 0.0 && u->wave) || (r != 0.0 && v->wave);
    n->linear = !n->wave && (s != 0.0 || r != 0.0);
    n->jump = s * u->jump + (r != 0.0 ? r * v->jump : 0.0);
    n->first = n->wave ? w->first : 0.0;
    n->period = n->wave ? w->period : 0.0;
    n->offset = s * u->offset + (r != 0.0 ? r * v->offset : 0.0);
    n->rate = s * u->rate + (r != 0.0 ? r * v->rate : 0.0);
}

/* Value of an operation on constants, keeping the blame for a non-finite operand. */
static int fold(TmlBuilder *b, const TmlInstr *in)
{
    const int v = in->v >= 0 ? in->v : in->u;
    const TmlBuildNode *nu = at(b, in->u), *nv = at(b, v);
    const int trouble = !isfinite(nu->in.p) ? nu->trouble : !isfinite(nv->in.p) ? nv->trouble : 0;
    double d[TML_PARTIALS] = {0};
    tml_op_info(in->op)->partials(in, nu->in.p, nv->in.p, 0, d);
    const int k = tml_build_const(b, d[TML_D]);
    b->node[k].trouble = trouble;
    return k;
}

static int least(int a, int c)
{
    return a < c ? a : c;
}

/* Are the kinks of the operation itself among those that find_breaks (finish.c) finds? */
static bool kinks_known(const TmlBuilder *b, const TmlInstr *in)
{
    switch (in->op) {
    case TML_OP_LT:
    case TML_OP_LE:
    case TML_OP_EQ:
        return at(b, in->u)->linear && at(b, in->v)->linear;
    case TML_OP_ABS:
    case TML_OP_SIGN:
    case TML_OP_CLAMP:
    case TML_OP_SPLINE:
        return at(b, in->u)->linear;
    default:
        return tml_op_info(in->op)->smooth >= 3;
    }
}

/* n->timed and n->between from the operands; own: continuous derivatives of the operation. */
static void find_between(const TmlBuilder *b, TmlBuildNode *n, int own)
{
    const TmlBuildNode *u = at(b, n->in.u), *v = n->in.v >= 0 ? at(b, n->in.v) : u;
    n->timed = u->timed && v->timed && kinks_known(b, &n->in);
    n->between = n->timed ? 3 : least(own, least(u->between, v->between));
}

static int make(TmlBuilder *b, TmlInstr in)
{
    if (is_const(b, in.u) && (in.v < 0 || is_const(b, in.v))) {
        return fold(b, &in);
    }
    TmlBuildNode node = {.in = in,
                         .smooth = least(tml_op_info(in.op)->smooth, at(b, in.u)->smooth)};
    if (in.v >= 0) {
        node.smooth = least(node.smooth, at(b, in.v)->smooth);
    }
    find_rate(b, &node);
    find_between(b, &node, tml_op_info(in.op)->smooth);
    return push(b, node);
}

int tml_build_op1(TmlBuilder *b, TmlOp op, int u)
{
    return make(b, (TmlInstr){.op = op, .u = u, .v = -1, .c = -1});
}

/* Operand that an operation with a neutral or absorbing constant comes down to; -1: none. A zero
 * factor drops the other one, so that a term switched off by a parameter costs nothing. */
static int shortcut(TmlBuilder *b, TmlOp op, int u, int v)
{
    if (is_const(b, u) && is_const(b, v)) {
        return -1;
    }
    switch (op) {
    case TML_OP_ADD:
        return is_value(b, u, 0.0) ? v : is_value(b, v, 0.0) ? u : -1;
    case TML_OP_SUB:
        return is_value(b, v, 0.0) ? u : is_value(b, u, 0.0) ? tml_build_op1(b, TML_OP_NEG, v) : -1;
    case TML_OP_MUL:
        if (is_value(b, u, 0.0) || is_value(b, v, 1.0)) {
            return u;
        }
        return is_value(b, v, 0.0) || is_value(b, u, 1.0) ? v : -1;
    case TML_OP_DIV:
        return is_value(b, u, 0.0) || is_value(b, v, 1.0) ? u : -1;
    default:
        return -1;
    }
}

int tml_build_op2(TmlBuilder *b, TmlOp op, int u, int v)
{
    const int known = shortcut(b, op, u, v);
    return known >= 0 ? known : make(b, (TmlInstr){.op = op, .u = u, .v = v, .c = -1});
}

int tml_build_power(TmlBuilder *b, int u, int v)
{
    double p;
    if (!tml_build_known(b, v, &p) || is_const(b, u)) {
        return make(b, (TmlInstr){.op = TML_OP_POW, .u = u, .v = v, .c = -1});
    }
    if (p == 0.0) {
        return tml_build_const(b, 1.0);
    }
    if (p == 1.0) {
        return u;
    }
    if (p == 2.0) {
        return make(b, (TmlInstr){.op = TML_OP_MUL, .u = u, .v = u, .c = -1});
    }
    return make(b, (TmlInstr){.op = TML_OP_POWC, .u = u, .v = -1, .c = -1, .p = p});
}

int tml_build_select(TmlBuilder *b, int c, int u, int v)
{
    if (is_const(b, c)) {
        return at(b, c)->in.p != 0.0 ? u : v;
    }
    if (u == v) {
        return u;
    }
    const TmlBuildNode *nu = at(b, u), *nv = at(b, v);
    const bool known = at(b, c)->timed;
    return push(b, (TmlBuildNode){.in = {.op = TML_OP_SELECT, .u = u, .v = v, .c = c},
                                  .between = known ? least(nu->between, nv->between) : 0,
                                  .timed = known && nu->timed && nv->timed});
}

int tml_build_spline(TmlBuilder *b, const TmlSpline *spline, int derivative, int u)
{
    const int k = make(b, (TmlInstr){.op = TML_OP_SPLINE,
                                     .u = u,
                                     .v = -1,
                                     .c = -1,
                                     .p = (double)derivative,
                                     .spline = spline});
    const int more = tml_spline_smoothness(spline) - derivative, left = more > 0 ? more : 0;
    if (!is_const(b, k)) {
        b->node[k].smooth = least(b->node[k].smooth, left);
        find_between(b, &b->node[k], left);
    }
    return k;
}

int tml_build_call(TmlBuilder *b, const TmlUserFunction *f, const int *arg)
{
    double x[TML_MAX_ARGS_FIRST];
    bool known = true;
    int smooth = f->order;
    for (int k = 0; k < f->n_args; ++k) {
        known = tml_build_known(b, arg[k], &x[k]) && known;
        smooth = least(smooth, at(b, arg[k])->smooth);
    }
    if (known) {
        TmlJet jet = {0};
        f->eval(f->user, x, 0, &jet);
        return tml_build_const(b, jet.value);
    }
    int last = -1;
    for (int k = 0; k < f->n_args; ++k) {
        const TmlInstr in = {.op = TML_OP_ARG, .u = arg[k], .v = last, .c = -1};
        last = push(b, (TmlBuildNode){.in = in, .smooth = 3, .between = 3});
    }
    const TmlInstr in = {.op = TML_OP_CALL, .u = last, .v = -1, .c = -1, .function = f};
    return push(b, (TmlBuildNode){.in = in, .smooth = smooth, .between = smooth});
}
