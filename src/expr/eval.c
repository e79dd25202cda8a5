/* expr/eval.c - values and derivatives of a compiled expression.
 *
 * Order 0 and 1 run once forward; the gradient then comes from one sweep backwards, at a cost that
 * does not grow with the number of leaves:
 *
 *   (E1)  a_root = 1;   a_u += f_u a_w,  a_v += f_v a_w   for w = f(u, v), last instruction first
 *
 * Orders 2 and 3 carry jets over the active leaves forward by the chain rule, w = f(u, v),
 *
 *   (E2)  w_i   = f_u u_i + f_v v_i
 *   (E3)  w_ij  = f_u u_ij + f_uu u_i u_j + f_uv (u_i v_j + u_j v_i) + the same for v
 *   (E4)  w_ijk = f_u u_ijk + f_uu [u_ij u_k] + f_uv [u_ij v_k] + f_uuu u_i u_j u_k
 *                 + f_uuv [u_i u_j v_k] + the same with u and v exchanged
 *         where [ ] is the sum over the three ways to choose the index that stands alone
 *
 * A CALL of a function of the caller's own, w = f(u_1 .. u_n), has its operands in the n values in
 * front of it, the ARGs. Backwards, each ARG hands f_a to its operand and passes the rest on to the
 * ARG before, so that (E1) serves; forward, with sums over repeated a, b, c,
 *
 *   (E5)  w_ij  = f_a u_a,ij + f_ab u_a,i u_b,j
 *   (E6)  w_ijk = f_a u_a,ijk + f_ab [u_a,ij u_b,k] + f_abc u_a,i u_b,j u_c,k
 *
 * Jets are stored packed: g_i, then H_ij for i >= j at i (i + 1) / 2 + j, then T_ijk for
 * i >= j >= k at i (i + 1) (i + 2) / 6 + j (j + 1) / 2 + k.
 */
#include "base/fail.h"
#include "expr/program.h"

#include <math.h>
#include <string.h>

/* Derivatives of one value; all NULL for a constant. */
typedef struct Jet {
    double *g, *H, *T;
} Jet;

static size_t pair(size_t i, size_t j)
{
    return i * (i + 1) / 2 + j;
}

static size_t triple(size_t i, size_t j, size_t k)
{
    return i * (i + 1) * (i + 2) / 6 + pair(j, k);
}

/* Doubles of a jet over m leaves. */
static size_t jet_size(size_t m, int order)
{
    return m + pair(m, 0) + (order > 2 ? triple(m, 0, 0) : 0);
}

int tml_expr_leaves(const TmlExpr *expr)
{
    return expr->n_leaves;
}

bool tml_expr_uses(const TmlExpr *expr, int leaf)
{
    for (int k = 0; k < expr->n_active; ++k) {
        if (expr->active[k] == leaf) {
            return true;
        }
    }
    return false;
}

const char *tml_expr_text(const TmlExpr *expr)
{
    return expr->text;
}

int tml_expr_smoothness(const TmlExpr *expr)
{
    return expr->smooth;
}

int tml_expr_smoothness_between(const TmlExpr *expr)
{
    return expr->between;
}

int tml_expr_order(const TmlExpr *expr)
{
    int order = 3;
    for (int k = 0; k < expr->n_instr; ++k) {
        const TmlInstr *in = &expr->instr[k];
        order = in->op == TML_OP_CALL && in->function->order < order ? in->function->order : order;
    }
    return order;
}

int tml_expr_functions_called(const TmlExpr *expr)
{
    int n = 0;
    for (int k = 0; k < expr->n_instr; ++k) {
        n += expr->instr[k].op == TML_OP_CALL;
    }
    return n;
}

bool tml_expr_switches(const TmlExpr *expr)
{
    return expr->switches;
}

int tml_expr_breakpoints(const TmlExpr *expr, double *t, int max)
{
    for (int k = 0; k < expr->n_breaks && k < max; ++k) {
        t[k] = expr->breaks[k];
    }
    return expr->n_breaks;
}

double tml_expr_next_break(const TmlExpr *expr, double t, double slack)
{
    const double behind = t + slack;
    int low = 0, high = expr->n_breaks; // the first of breaks[] behind is in [low, high]
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (expr->breaks[middle] > behind) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    double next = low < expr->n_breaks ? expr->breaks[low] : HUGE_VAL;
    for (int i = 0; i < expr->n_repeated; ++i) {
        const TmlExprTimes *r = &expr->repeated[i];
        double k = floor((behind - r->first) / r->period);
        for (int more = 0; r->first + k * r->period <= behind && more < 3; ++more) {
            k += 1.0; // the quotient is rounded
        }
        next = fmin(next, r->first + k * r->period);
    }
    return next;
}

size_t tml_expr_work(const TmlExpr *expr, int order)
{
    const size_t values = (size_t)tml_expr_values(expr), instr = (size_t)expr->n_instr;
    if (order <= 0) {
        return values;
    }
    // of few leaves and many constants the gradient takes more than all jets
    const size_t gradient = 2 * values + 2 * instr;
    const size_t jets =
        values + ((size_t)expr->n_active + instr) * jet_size((size_t)expr->n_active, order);
    return order == 1 || gradient > jets ? gradient : jets;
}

static void load_sources(const TmlExpr *e, const double *leaf, double *value)
{
    if (e->n_const > 0) {
        memcpy(value, e->constant, (size_t)e->n_const * sizeof *value);
    }
    for (int k = 0; k < e->n_active; ++k) {
        value[e->n_const + k] = leaf[e->active[k]];
    }
}

/* Derivatives of a function of the caller's own by its arguments. */
typedef struct CallJet {
    double g[TML_MAX_ARGS_FIRST], H[TML_MAX_ARGS * TML_MAX_ARGS];
    double T[TML_MAX_ARGS * TML_MAX_ARGS * TML_MAX_ARGS];
} CallJet;

/* Value of a CALL; derivatives up to the order go to d, which may be NULL for order 0. */
static double eval_call(const TmlInstr *in, const double *value, int order, CallJet *d)
{
    const TmlUserFunction *f = in->function;
    const size_t n = (size_t)f->n_args;
    TmlJet jet = {0};
    TML_ASSERT(order <= f->order);
    if (order > 0) {
        jet.g = memset(d->g, 0, n * sizeof *d->g);
    }
    if (order > 1) {
        jet.H = memset(d->H, 0, n * n * sizeof *d->H);
    }
    if (order > 2) {
        jet.T = memset(d->T, 0, n * n * n * sizeof *d->T);
    }
    f->eval(f->user, value + in->u + 1 - f->n_args, order, &jet);
    return jet.value;
}

/* Partials of one instruction; the frequent ones without a call. */
static void partials(const TmlInstr *in, const double *value, int order, double *d)
{
    const double u = value[in->u], v = in->v >= 0 ? value[in->v] : 0.0;
    switch (in->op) {
    case TML_OP_ADD:
        d[TML_D] = u + v;
        d[TML_D_U] = d[TML_D_V] = 1.0;
        break;
    case TML_OP_SUB:
        d[TML_D] = u - v;
        d[TML_D_U] = 1.0;
        d[TML_D_V] = -1.0;
        break;
    case TML_OP_MUL:
        d[TML_D] = u * v;
        d[TML_D_U] = v;
        d[TML_D_V] = u;
        d[TML_D_UV] = 1.0;
        break;
    case TML_OP_SELECT: {
        const bool first = value[in->c] != 0.0;
        d[TML_D] = first ? u : v;
        d[TML_D_U] = first ? 1.0 : 0.0;
        d[TML_D_V] = first ? 0.0 : 1.0;
        break;
    }
    case TML_OP_ARG:
        d[TML_D] = u;
        d[TML_D_U] = 1.0;
        break;
    case TML_OP_CALL: // its derivatives are more than d holds: see eval_gradient and chain_call
        d[TML_D] = order == 0 ? eval_call(in, value, 0, NULL) : 0.0;
        break;
    default:
        tml_op_info(in->op)->partials(in, u, v, order, d);
        break;
    }
}

static double eval_value(const TmlExpr *e, const double *leaf, double *value)
{
    load_sources(e, leaf, value);
    double *result = value + e->n_const + e->n_active;
    for (int k = 0; k < e->n_instr; ++k) {
        double d[TML_PARTIALS] = {0};
        partials(&e->instr[k], value, 0, d);
        result[k] = d[TML_D];
    }
    return value[e->root];
}

/* Slopes of a CALL and of the ARGs before it, in the form of (E1); slope belongs to the CALL. */
static double call_slopes(const TmlInstr *in, const double *value, double *slope)
{
    const int n = in->function->n_args;
    CallJet d;
    const double result = eval_call(in, value, 1, &d);
    slope[0] = 1.0;
    for (int k = 0; k < n; ++k) {
        slope[2 * (k - n)] = d.g[k];
        slope[2 * (k - n) + 1] = 1.0; // unused by the first, which has none before it
    }
    return result;
}

static double eval_gradient(const TmlExpr *e, const double *leaf, double *work, double *g)
{
    const int n = tml_expr_values(e), sources = e->n_const + e->n_active;
    double *value = work, *adjoint = value + n, *slope = adjoint + n;
    load_sources(e, leaf, value);
    for (int k = 0; k < e->n_instr; ++k) {
        double d[TML_PARTIALS] = {0};
        partials(&e->instr[k], value, 1, d);
        value[sources + k] = d[TML_D];
        slope[2 * k] = d[TML_D_U];
        slope[2 * k + 1] = d[TML_D_V];
        if (e->instr[k].op == TML_OP_CALL) {
            value[sources + k] = call_slopes(&e->instr[k], value, slope + 2 * k);
        }
    }

    memset(adjoint, 0, (size_t)n * sizeof *adjoint);
    adjoint[e->root] = 1.0;
    for (int k = e->n_instr - 1; k >= 0; --k) {
        const double a = adjoint[sources + k];
        if (a == 0.0) {
            continue; // not in the branch taken, where slopes may be infinite
        }
        const TmlInstr *in = &e->instr[k];
        if (slope[2 * k] != 0.0) {
            adjoint[in->u] += slope[2 * k] * a; // (E1)
        }
        if (in->v >= 0 && slope[2 * k + 1] != 0.0) {
            adjoint[in->v] += slope[2 * k + 1] * a;
        }
    }
    memset(g, 0, (size_t)e->n_leaves * sizeof *g);
    for (int k = 0; k < e->n_active; ++k) {
        g[e->active[k]] = adjoint[e->n_const + k];
    }
    return value[e->root];
}

static Jet jet_at(const TmlExpr *e, double *jets, int order, int value)
{
    if (value < e->n_const) {
        return (Jet){0};
    }
    const size_t m = (size_t)e->n_active;
    double *g = jets + (size_t)(value - e->n_const) * jet_size(m, order);
    return (Jet){.g = g, .H = g + m, .T = order > 2 ? g + m + pair(m, 0) : NULL};
}

/* The active leaves a value depends on, in idx; returns how many. */
static int support_list(const TmlExpr *e, int value, int local[TML_SUPPORT_BITS], const int **idx)
{
    if (e->n_active > TML_SUPPORT_BITS) {
        *idx = e->all;
        return e->n_active;
    }
    int n = 0;
    const uint64_t bits = value < e->n_const ? 0 : e->support[value - e->n_const];
    for (int k = 0; k < e->n_active; ++k) {
        if ((bits >> k & 1) != 0) {
            local[n++] = k;
        }
    }
    *idx = local;
    return n;
}

/* w = f(u), f1 to f3 its derivatives. */
static void chain_one(Jet w, Jet u, double f1, double f2, double f3, const int *idx, int n)
{
    for (int a = 0; a < n; ++a) {
        const size_t i = (size_t)idx[a];
        const double ui = u.g[i];
        w.g[i] = f1 * ui; // (E2)
        for (int b = 0; b <= a; ++b) {
            const size_t j = (size_t)idx[b], ij = pair(i, j);
            const double uj = u.g[j];
            w.H[ij] = f1 * u.H[ij] + f2 * ui * uj; // (E3)
            for (int c = 0; w.T != NULL && c <= b; ++c) {
                const size_t k = (size_t)idx[c], ijk = triple(i, j, k);
                const double uk = u.g[k];
                const double mixed = u.H[ij] * uk + u.H[pair(i, k)] * uj + u.H[pair(j, k)] * ui;
                w.T[ijk] = f1 * u.T[ijk] + f2 * mixed + f3 * ui * uj * uk; // (E4)
            }
        }
    }
}

/* Third derivative of w = f(u, v) at i >= j >= k. */
static double chain_third(Jet u, Jet v, const double *d, size_t i, size_t j, size_t k)
{
    const size_t ij = pair(i, j), ik = pair(i, k), jk = pair(j, k), ijk = triple(i, j, k);
    const double ui = u.g[i], uj = u.g[j], uk = u.g[k], vi = v.g[i], vj = v.g[j], vk = v.g[k];
    const double uu = u.H[ij] * uk + u.H[ik] * uj + u.H[jk] * ui;
    const double vv = v.H[ij] * vk + v.H[ik] * vj + v.H[jk] * vi;
    const double uv =
        u.H[ij] * vk + u.H[ik] * vj + u.H[jk] * vi + v.H[ij] * uk + v.H[ik] * uj + v.H[jk] * ui;
    const double uuv = ui * uj * vk + ui * vj * uk + vi * uj * uk;
    const double uvv = ui * vj * vk + vi * uj * vk + vi * vj * uk;
    return d[TML_D_U] * u.T[ijk] + d[TML_D_V] * v.T[ijk] + d[TML_D_UU] * uu + d[TML_D_UV] * uv +
           d[TML_D_VV] * vv + d[TML_D_UUU] * ui * uj * uk + d[TML_D_UUV] * uuv +
           d[TML_D_UVV] * uvv + d[TML_D_VVV] * vi * vj * vk; // (E4)
}

static void chain_two(Jet w, Jet u, Jet v, const double *d, const int *idx, int n)
{
    for (int a = 0; a < n; ++a) {
        const size_t i = (size_t)idx[a];
        const double ui = u.g[i], vi = v.g[i];
        w.g[i] = d[TML_D_U] * ui + d[TML_D_V] * vi; // (E2)
        for (int b = 0; b <= a; ++b) {
            const size_t j = (size_t)idx[b], ij = pair(i, j);
            const double uj = u.g[j], vj = v.g[j];
            w.H[ij] = d[TML_D_U] * u.H[ij] + d[TML_D_V] * v.H[ij] + d[TML_D_UU] * ui * uj +
                      d[TML_D_UV] * (ui * vj + uj * vi) + d[TML_D_VV] * vi * vj; // (E3)
            for (int c = 0; w.T != NULL && c <= b; ++c) {
                const size_t k = (size_t)idx[c];
                w.T[triple(i, j, k)] = chain_third(u, v, d, i, j, k);
            }
        }
    }
}

/* One entry of (E5) and (E6); u: the jets of the arguments. */
static double call_second(const CallJet *d, const Jet *u, size_t n, size_t i, size_t j)
{
    double sum = 0.0;
    for (size_t a = 0; a < n; ++a) {
        sum += d->g[a] * u[a].H[pair(i, j)];
        for (size_t b = 0; b < n; ++b) {
            sum += d->H[a * n + b] * u[a].g[i] * u[b].g[j];
        }
    }
    return sum;
}

static double call_third(const CallJet *d, const Jet *u, size_t n, size_t i, size_t j, size_t k)
{
    const size_t ij = pair(i, j), ik = pair(i, k), jk = pair(j, k);
    double sum = 0.0;
    for (size_t a = 0; a < n; ++a) {
        sum += d->g[a] * u[a].T[triple(i, j, k)];
        for (size_t b = 0; b < n; ++b) {
            sum += d->H[a * n + b] *
                   (u[a].H[ij] * u[b].g[k] + u[a].H[ik] * u[b].g[j] + u[a].H[jk] * u[b].g[i]);
            for (size_t c = 0; c < n; ++c) {
                sum += d->T[(a * n + b) * n + c] * u[a].g[i] * u[b].g[j] * u[c].g[k];
            }
        }
    }
    return sum;
}

/* Jet of the CALL that is value number `at`; returns its value. */
static double chain_call(const TmlExpr *e, const TmlInstr *in, const double *value, int order,
                         int at, double *jets)
{
    const size_t n = (size_t)in->function->n_args;
    CallJet d;
    Jet u[TML_MAX_ARGS];
    const Jet w = jet_at(e, jets, order, at);
    int local[TML_SUPPORT_BITS];
    const int *idx;
    const int n_idx = support_list(e, at, local, &idx);
    const double result = eval_call(in, value, order, &d);
    for (size_t a = 0; a < n; ++a) {
        u[a] = jet_at(e, jets, order, in->u + 1 - (int)n + (int)a);
    }
    for (int p = 0; p < n_idx; ++p) {
        const size_t i = (size_t)idx[p];
        w.g[i] = 0.0;
        for (size_t a = 0; a < n; ++a) {
            w.g[i] += d.g[a] * u[a].g[i];
        }
        for (int q = 0; q <= p; ++q) {
            const size_t j = (size_t)idx[q];
            w.H[pair(i, j)] = call_second(&d, u, n, i, j); // (E5)
            for (int r = 0; order > 2 && r <= q; ++r) {
                const size_t k = (size_t)idx[r];
                w.T[triple(i, j, k)] = call_third(&d, u, n, i, j, k); // (E6)
            }
        }
    }
    return result;
}

static void instr_jet(const TmlExpr *e, const TmlInstr *in, const double *d, int order, int value,
                      double *jets)
{
    const Jet u = jet_at(e, jets, order, in->u), w = jet_at(e, jets, order, value);
    const Jet v = in->v >= 0 ? jet_at(e, jets, order, in->v) : (Jet){0};
    int local[TML_SUPPORT_BITS];
    const int *idx;
    const int n = support_list(e, value, local, &idx);
    if (in->op == TML_OP_SELECT || in->op == TML_OP_ARG) {
        // only the branch taken, or the argument: the other may hold infinities
        const Jet taken = d[TML_D_U] != 0.0 ? u : v;
        if (taken.g != NULL) {
            memcpy(w.g, taken.g, jet_size((size_t)e->n_active, order) * sizeof *w.g);
        }
    } else if (u.g != NULL && v.g != NULL) {
        chain_two(w, u, v, d, idx, n);
    } else if (u.g != NULL) {
        chain_one(w, u, d[TML_D_U], d[TML_D_UU], d[TML_D_UUU], idx, n);
    } else {
        chain_one(w, v, d[TML_D_V], d[TML_D_VV], d[TML_D_VVV], idx, n);
    }
}

/* Spread a packed jet over all leaves. */
static void unpack(const TmlExpr *e, Jet jet, int order, TmlJet *out)
{
    const size_t n = (size_t)e->n_leaves;
    memset(out->g, 0, n * sizeof *out->g);
    memset(out->H, 0, n * n * sizeof *out->H);
    if (order > 2) {
        memset(out->T, 0, n * n * n * sizeof *out->T);
    }
    for (size_t a = 0; jet.g != NULL && a < (size_t)e->n_active; ++a) {
        const size_t i = (size_t)e->active[a];
        out->g[i] = jet.g[a];
        for (size_t b = 0; b <= a; ++b) {
            const size_t j = (size_t)e->active[b];
            out->H[i * n + j] = out->H[j * n + i] = jet.H[pair(a, b)];
            for (size_t c = 0; order > 2 && c <= b; ++c) {
                const size_t k = (size_t)e->active[c];
                const double x = jet.T[triple(a, b, c)];
                out->T[(i * n + j) * n + k] = out->T[(i * n + k) * n + j] = x;
                out->T[(j * n + i) * n + k] = out->T[(j * n + k) * n + i] = x;
                out->T[(k * n + i) * n + j] = out->T[(k * n + j) * n + i] = x;
            }
        }
    }
}

static double eval_jet(const TmlExpr *e, const double *leaf, int order, double *work, TmlJet *out)
{
    const size_t m = (size_t)e->n_active, size = jet_size(m, order);
    const int first = e->n_const + e->n_active;
    double *value = work, *jets = value + tml_expr_values(e);
    load_sources(e, leaf, value);
    memset(jets, 0, (m + (size_t)e->n_instr) * size * sizeof *jets);
    for (size_t k = 0; k < m; ++k) {
        jets[k * size + k] = 1.0;
    }
    for (int k = 0; k < e->n_instr; ++k) {
        double d[TML_PARTIALS] = {0};
        if (e->instr[k].op == TML_OP_CALL) {
            value[first + k] = chain_call(e, &e->instr[k], value, order, first + k, jets);
            continue;
        }
        partials(&e->instr[k], value, order, d);
        value[first + k] = d[TML_D];
        instr_jet(e, &e->instr[k], d, order, first + k, jets);
    }
    unpack(e, jet_at(e, jets, order, e->root), order, out);
    return value[e->root];
}

void tml_expr_eval(const TmlExpr *expr, const double *leaf, int order, double *work, TmlJet *out)
{
    if (order <= 0) {
        out->value = eval_value(expr, leaf, work);
    } else if (order == 1) {
        out->value = eval_gradient(expr, leaf, work, out->g);
    } else {
        out->value = eval_jet(expr, leaf, order, work, out);
    }
}
