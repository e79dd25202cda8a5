/* model/measure/binding_rate.c - the derivative of an expression by time as a binding of its own.
 *
 *   (D1)  y = f(t, p_1 .. p_n),   y' = f_0 + f_a p_a'
 *   (D2)  by p_b: f_0b + f_ab p_a';   by p_a': f_a;   by t: f_00 + f_0a p_a'
 *
 * The leaves of the new binding are those of the old one and, behind them, their rates; value and
 * gradient follow from first and second derivatives of the same compiled expression. At rest, where
 * time stands still, f_0 and its derivatives count as zero.
 */
#include "base/fail.h"
#include "model/measure/measure.h"

#include <math.h>
#include <string.h>

/* --- rates of leaves ------------------------------------------------------------------------ */

bool tml_leaf_rate(const TmlLeaf *leaf, TmlLeaf *out)
{
    *out = *leaf;
    out->memory = -1;
    if (tml_leaf_is_position(leaf)) {
        out->of = leaf->kind;
        out->kind = TML_LEAF_RATE;
        return true;
    }
    if (leaf->kind == TML_LEAF_RATE) {
        out->kind = TML_LEAF_SECOND;
        return true;
    }
    out->of = leaf->kind;
    out->kind = TML_LEAF_CHANGE;
    return leaf->kind == TML_LEAF_VELOCITY || leaf->kind == TML_LEAF_SPIN;
}

static const char *const no_rate[] = {
    [TML_LEAF_SECOND] = "an acceleration",
    [TML_LEAF_CHANGE] = "an acceleration",
    [TML_LEAF_ACCELERATION] = "an acceleration",
    [TML_LEAF_SPIN_RATE] = "an acceleration",
    [TML_LEAF_REACTION] = "a reaction",
    [TML_LEAF_FORCE] = "a force",
    [TML_LEAF_OUTPUT] = "a force",
    [TML_LEAF_DELAYED] = "a delayed value",
};

/* The unknown that is the rate of another; false: there is none. */
static bool unknown_rate(const TmlModel *m, const TmlUnknown *u, TmlUnknown *out, TmlError *err)
{
    *out = *u;
    if (u->kind == TML_UNKNOWN_X) {
        out->kind = TML_UNKNOWN_XDOT;
    } else if (u->kind == TML_UNKNOWN_V) {
        out->kind = TML_UNKNOWN_VDOT;
    } else {
        const char *name = u->kind == TML_UNKNOWN_XDOT   ? m->states.at[u->index].name
                           : u->kind == TML_UNKNOWN_VDOT ? m->variables.at[u->index].name
                                                         : NULL;
        (void)tml_fail(err, TML_E_MODEL, "it reads %s%s%s, whose own rate is not known",
                       name != NULL ? "rate(" : "a force or reaction", name != NULL ? name : "",
                       name != NULL ? ")" : "");
        return false;
    }
    return true;
}

/* --- creation ------------------------------------------------------------------------------- */

/* Number of an unknown of b, entered once. */
static int enter_unknown(TmlBinding *b, TmlUnknown u)
{
    for (int k = 0; k < b->n_unknowns; ++k) {
        const TmlUnknown *v = &b->unknown[k];
        if (v->kind == u.kind && v->index == u.index && v->row == u.row) {
            return k;
        }
    }
    b->unknown[b->n_unknowns] = u;
    return b->n_unknowns++;
}

/* Entry n + a - 1 of b->leaf: the rate of leaf a. */
static TmlStatus enter_rate(TmlModel *m, const TmlBinding *of, TmlBinding *b, int a, TmlError *err)
{
    const int n = of->n_leaves;
    TmlLeaf *leaf = &b->leaf[a], *rate = &b->leaf[n - 1 + a];
    if (leaf->kind != TML_LEAF_UNKNOWN) {
        return tml_leaf_rate(leaf, rate)
                   ? TML_OK
                   : tml_fail(err, TML_E_MODEL, "it reads %s, whose rate is not known",
                              no_rate[leaf->kind]);
    }
    TmlUnknown u;
    *rate = *leaf;
    if (!tml_binding_reads(of, leaf->unknown[0])) {
        return TML_OK; // handed to a function that does not look at it: f_a = 0
    }
    if (!unknown_rate(m, &b->unknown[leaf->unknown[0]], &u, err)) {
        return TML_E_MODEL;
    }
    TML_NEW(&m->arena, rate->unknown, 1);
    rate->unknown[0] = rate->axis = enter_unknown(b, u);
    return TML_OK;
}

static TmlStatus rate_fill(TmlModel *m, const TmlBinding *of, TmlBinding *b, TmlError *err)
{
    const int n = of->n_leaves;
    b->n_leaves = 2 * n - 1;
    b->n_unknowns = of->n_unknowns;
    TML_NEW(&m->arena, b->leaf, b->n_leaves);
    TML_NEW(&m->arena, b->unknown, 2 * of->n_unknowns);
    memcpy(b->leaf, of->leaf, (size_t)n * sizeof *b->leaf);
    for (int k = 0; k < of->n_unknowns; ++k) {
        b->unknown[k] = of->unknown[k];
    }
    for (int a = 1; a < n; ++a) {
        TML_TRY(enter_rate(m, of, b, a, err));
    }
    if (b->n_unknowns > TML_BIND_MAX_UNKNOWNS) {
        return tml_fail(err, TML_E_MODEL, "it and its rate read more than %d values; split it",
                        (int)TML_BIND_MAX_UNKNOWNS);
    }
    return TML_OK;
}

TmlStatus tml_binding_rate_create(TmlModel *model, const TmlBinding *of, const char *where,
                                  TmlBinding **out, TmlError *err)
{
    TmlBinding *b = NULL;
    *out = NULL;
    if (of->rate) {
        return tml_fail(err, TML_E_MODEL, "it is a rate itself, and second ones are not known");
    }
    if (tml_expr_order(of->expr) < 2) {
        return tml_fail(err, TML_E_MODEL,
                        "it calls a function that gives first derivatives only; rates need two");
    }
    TML_NEW(&model->arena, b, 1);
    *b = *of;
    b->rate = true;
    b->where = tml_arena_strdup(&model->arena, where);
    if (b->where == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory (text of an expression)");
    }
    TML_TRY(rate_fill(model, of, b, err));
    tml_binding_settle(b);
    *out = b;
    return TML_OK;
}

/* --- evaluation ----------------------------------------------------------------------------- */

size_t tml_rate_work(const TmlBinding *b)
{
    const size_t n = (size_t)tml_expr_leaves(b->expr);
    return n + n * n + tml_expr_work(b->expr, 2);
}

void tml_rate_jet(const TmlBinding *b, const double *leaf, bool rest, int order, double *work,
                  TmlJet *out)
{
    const int n = tml_expr_leaves(b->expr);
    const double *rate = leaf + n - 1; // of leaf a >= 1: rate[a]
    TmlJet jet = {.g = work, .H = work + n};
    tml_expr_eval(b->expr, leaf, order + 1, work + n + (ptrdiff_t)n * n, &jet);
    out->value = rest ? 0.0 : jet.g[0];
    for (int a = 1; a < n; ++a) {
        out->value += jet.g[a] != 0.0 ? jet.g[a] * rate[a] : 0.0; // (D1)
    }
    for (int b1 = 0; order > 0 && b1 < n; ++b1) {
        double sum = rest ? 0.0 : jet.H[b1];
        for (int a = 1; a < n; ++a) {
            sum += jet.H[a * n + b1] != 0.0 ? jet.H[a * n + b1] * rate[a] : 0.0;
        }
        out->g[b1] = sum; // (D2)
    }
    for (int a = 1; order > 0 && a < n; ++a) {
        out->g[n - 1 + a] = jet.g[a];
    }
}
