/* model/measure/binding.c - expressions of the state: value, derivatives, rates.
 *
 * y = f(t, p_1 .. p_n) with f and its derivatives from the compiled expression (jets) and the
 * leaves p_a with theirs from measure*.c. For position-level leaves, with time as leaf 0 whose rate
 * is 1, everything is the chain rule (N1) to (N3) of measure_chain.h, and
 *
 *   (J1)  dy = f_a dp_a
 *   (J2)  J = f_a J_a,   dJ/dx = f_a K_a + f_ab J_a J_b^T,   dJ/dt = f_0a J_a
 */
#include "model/measure/binding.h"

#include "model/measure/measure.h"
#include "model/measure/measure_chain.h"
#include "model/measure/past.h"

#include <math.h>
#include <string.h>

// parts of the work memory; arrays have the length that stands behind them
typedef struct BindingWork {
    double *leaf;             // n
    double *rate, *second;    // n
    double *by_row, *by_rate; // n
    TmlJet jet;               // g: n, H: n^2, T: n^3, as far as the order asks
    TmlRow *rows;             // n * n_ends: rows of all leaves
    double *scratch;          // of element leaves, and the expression's own
} BindingWork;

static bool is_positional(const TmlBinding *b)
{
    for (int k = 1; k < b->n_leaves; ++k) {
        if (!tml_leaf_is_position(&b->leaf[k])) {
            return false;
        }
    }
    return true;
}

static size_t work_size(const TmlBinding *b)
{
    const size_t n = (size_t)b->n_leaves;
    const int order = is_positional(b) && !b->rate ? 3 : 1;
    size_t scratch = b->rate ? tml_rate_work(b) : tml_expr_work(b->expr, order);
    for (int k = 1; k < b->n_leaves; ++k) {
        const size_t need = tml_element_scratch(&b->leaf[k]);
        scratch = need > scratch ? need : scratch;
    }
    const size_t jets = order == 3 ? n + n * n + n * n * n : n;
    return 5 * n + jets + (order == 3 ? 6 * n * (size_t)b->n_ends : 0) + scratch;
}

static BindingWork work_split(const TmlBinding *b, double *work, int order)
{
    const size_t n = (size_t)b->n_leaves;
    BindingWork w = {.leaf = work, .rate = work + n, .second = work + 2 * n};
    w.by_row = work + 3 * n;
    w.by_rate = work + 4 * n;
    double *at = work + 5 * n;
    if (order >= 1) {
        w.jet.g = at;
        at += n;
    }
    if (order >= 2) {
        w.jet.H = at;
        at += n * n;
        w.rows = (TmlRow *)at;
        at += 6 * n * (size_t)b->n_ends;
    }
    if (order >= 3) {
        w.jet.T = at;
        at += n * n * n;
    }
    w.scratch = at;
    return w;
}

/* delay(NAME), see past.c. */
static TmlDelayed leaf_delayed(const TmlLeaf *leaf, const TmlBindIn *in)
{
    const TmlPast *past = in->past != NULL ? &in->past[leaf->element] : NULL;
    const double tau = leaf->n_unknowns > 1 ? in->u[leaf->unknown[1]] : leaf->offset;
    return tml_past_eval(past, in->t + in->shift, in->u[leaf->unknown[0]], tau);
}

static double leaf_value(const TmlLeaf *leaf, const TmlBindIn *in, double *scratch)
{
    TmlPosition p;
    switch (leaf->kind) {
    case TML_LEAF_TIME:
        return in->t;
    case TML_LEAF_UNKNOWN:
        return in->u[leaf->unknown[0]];
    case TML_LEAF_ALONG:
    case TML_LEAF_DISTANCE:
    case TML_LEAF_ANGLE:
    case TML_LEAF_EULER:
        tml_position_eval(leaf, leaf->kind, in, 0, &p);
        return p.value;
    case TML_LEAF_RATE:
    case TML_LEAF_VELOCITY:
    case TML_LEAF_SPIN:
    case TML_LEAF_SECOND:
    case TML_LEAF_CHANGE:
    case TML_LEAF_ACCELERATION:
    case TML_LEAF_SPIN_RATE:
        return tml_rate_value(leaf, in);
    case TML_LEAF_REACTION:
    case TML_LEAF_FORCE:
    case TML_LEAF_OUTPUT:
        return tml_element_value(leaf, in, scratch);
    case TML_LEAF_DELAYED:
        return leaf_delayed(leaf, in).value;
    }
    return (double)NAN;
}

/* Values of all leaves, then the jet of the expression. */
static BindingWork eval_jet(const TmlBinding *b, const TmlBindIn *in, int order)
{
    BindingWork w = work_split(b, in->work, order);
    for (int k = 0; k < b->n_leaves; ++k) {
        w.leaf[k] = leaf_value(&b->leaf[k], in, w.scratch);
    }
    if (b->rate) {
        tml_rate_jet(b, w.leaf, in->rest, order, w.scratch, &w.jet);
    } else {
        tml_expr_eval(b->expr, w.leaf, order, w.scratch, &w.jet);
    }
    return w;
}

static void leaf_gradient(const TmlLeaf *leaf, const TmlBindIn *in, double scale, double *scratch,
                          TmlBindGrad *out)
{
    if (leaf->kind == TML_LEAF_UNKNOWN) {
        out->u[leaf->unknown[0]] += scale;
    } else if (tml_leaf_is_position(leaf)) {
        TmlPosition p;
        tml_position_eval(leaf, leaf->kind, in, 1, &p);
        for (int k = 0; k < tml_position_slots(leaf->kind); ++k) {
            tml_row_add(&out->q[leaf->slot[k]], scale, &p.J[k]);
        }
    } else if (leaf->kind == TML_LEAF_DELAYED) {
        const TmlDelayed d = leaf_delayed(leaf, in);
        out->u[leaf->unknown[0]] += scale * d.by_y;
        if (leaf->n_unknowns > 1) {
            out->u[leaf->unknown[1]] += scale * d.by_tau;
        }
    } else if (leaf->kind <= TML_LEAF_SPIN_RATE) {
        tml_rate_gradient(leaf, in, scale, out);
    } else {
        tml_element_gradient(leaf, in, scale, scratch, out);
    }
}

/* --- creation ------------------------------------------------------------------------------- */

static void binding_uses(TmlBinding *b)
{
    for (int k = 1; k < b->n_leaves; ++k) {
        const TmlLeafKind kind = b->leaf[k].kind;
        if (kind == TML_LEAF_DELAYED) {
            continue;
        }
        b->uses_motion |= kind != TML_LEAF_UNKNOWN;
        b->uses_twist |= kind >= TML_LEAF_RATE && kind != TML_LEAF_REACTION;
        b->uses_acceleration |= kind >= TML_LEAF_SECOND && kind <= TML_LEAF_SPIN_RATE;
    }
}

void tml_binding_settle(TmlBinding *b)
{
    binding_uses(b);
    b->work = work_size(b);
}

static TmlStatus binding_copy(TmlModel *model, const TmlLeafList *list, TmlBinding *b,
                              TmlError *err)
{
    b->n_leaves = tml_expr_leaves(b->expr);
    b->n_ends = list->n_ends;
    b->n_unknowns = list->n_unknowns;
    b->n_memory = list->n_memory;
    TML_NEW(&model->arena, b->leaf, b->n_leaves);
    TML_NEW(&model->arena, b->end, b->n_ends);
    TML_NEW(&model->arena, b->unknown, b->n_unknowns);
    memcpy(b->leaf, list->leaf, (size_t)b->n_leaves * sizeof *b->leaf);
    for (int k = 0; k < b->n_ends; ++k) {
        b->end[k] = list->end[k];
    }
    for (int k = 0; k < b->n_unknowns; ++k) {
        b->unknown[k] = list->unknown[k];
    }
    tml_binding_settle(b);
    return TML_OK;
}

TmlStatus tml_binding_make(const TmlLeafList *list, TmlExpr *expr, const char *text,
                           const char *where, TmlBinding **out, TmlError *err)
{
    TmlBinding *b = NULL;
    *out = NULL;
    TML_NEW(&list->model->arena, b, 1);
    b->text = text;
    b->where = where;
    b->expr = expr;
    TML_TRY(binding_copy(list->model, list, b, err));
    *out = b;
    return TML_OK;
}

TmlStatus tml_binding_create(TmlModel *model, const char *text, const char *where, unsigned allowed,
                             TmlBinding **out, TmlError *err)
{
    *out = NULL;
    const char *kept = tml_arena_strdup(&model->arena, text);
    const char *whose = tml_arena_strdup(&model->arena, where);
    if (kept == NULL || whose == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory (text of an expression)");
    }
    TmlLeafList list;
    TmlExpr *expr = NULL;
    TML_TRY(tml_leaves_init(&list, model, whose, allowed, err));
    const TmlExprResolver resolver = tml_leaves_resolver(&list);
    TmlStatus status = tml_expr_compile(kept, &resolver, &model->arena, &expr, err);
    status = status != TML_OK ? tml_fail_ctx(err, status, "%s", whose)
                              : tml_binding_make(&list, expr, kept, whose, out, err);
    tml_leaves_free(&list);
    return status;
}

/* --- value and gradient --------------------------------------------------------------------- */

double tml_binding_value(const TmlBinding *b, const TmlBindIn *in)
{
    return eval_jet(b, in, 0).jet.value;
}

void tml_binding_gradient(const TmlBinding *b, const TmlBindIn *in, TmlBindGrad *out)
{
    const BindingWork w = eval_jet(b, in, 1);
    for (int k = 0; k < b->n_ends; ++k) {
        out->q[k] = out->v[k] = out->a[k] = (TmlRow){0};
    }
    for (int k = 0; k < b->n_unknowns; ++k) {
        out->u[k] = 0.0;
    }
    out->value = w.jet.value;
    for (int k = 1; k < b->n_leaves; ++k) {
        if (w.jet.g[k] != 0.0) { // (J1); also keeps infinite slopes of unused branches out
            leaf_gradient(&b->leaf[k], in, w.jet.g[k], w.scratch, out);
        }
    }
}

bool tml_binding_reads(const TmlBinding *b, int k)
{
    enum { TRIES = 3 };
    // only what a function of the caller's own looks at cannot be seen in the expression
    if (b->rate || tml_expr_functions_called(b->expr) == 0) {
        return true;
    }
    bool reads = false;
    double *leaf =
        tml_mem_zalloc(2 * (size_t)b->n_leaves + tml_expr_work(b->expr, 1), sizeof *leaf);
    for (int try = 0; try < TRIES && leaf != NULL && !reads; ++try) {
        TmlJet jet = {.g = leaf + b->n_leaves};
        for (int a = 0; a < b->n_leaves; ++a) {
            leaf[a] = sin(1.0 + 7.3 * a + 2.1 * try); // of no pattern
        }
        tml_expr_eval(b->expr, leaf, 1, jet.g + b->n_leaves, &jet);
        for (int a = 1; a < b->n_leaves; ++a) {
            for (int i = 0; i < b->leaf[a].n_unknowns; ++i) {
                reads |= b->leaf[a].unknown[i] == k && jet.g[a] != 0.0;
            }
        }
    }
    reads |= leaf == NULL;
    tml_mem_free(leaf);
    return reads;
}

/* --- rates ---------------------------------------------------------------------------------- */

double tml_binding_dt(const TmlBinding *b, const TmlBindIn *in)
{
    const BindingWork w = eval_jet(b, in, 1);
    double rate = w.jet.g[0];
    for (int k = 1; k < b->n_leaves; ++k) {
        rate += b->leaf[k].kind == TML_LEAF_DELAYED
                    ? w.jet.g[k] * leaf_delayed(&b->leaf[k], in).by_t
                    : 0.0;
    }
    return rate;
}

void tml_binding_rows_dt(const TmlBinding *b, const TmlBindIn *in, TmlRow *Jt)
{
    const BindingWork w = eval_jet(b, in, 2);
    for (int k = 0; k < b->n_ends; ++k) {
        Jt[k] = (TmlRow){0};
    }
    for (int a = 1; a < b->n_leaves; ++a) {
        const TmlLeaf *leaf = &b->leaf[a];
        TmlPosition p;
        tml_position_eval(leaf, leaf->kind, in, 1, &p);
        for (int k = 0; k < tml_position_slots(leaf->kind); ++k) {
            tml_row_add(&Jt[leaf->slot[k]], w.jet.H[a], &p.J[k]); // (J2)
        }
    }
}

/* Rates and second rates of all leaves into w. */
static void eval_rates(const TmlBinding *b, const TmlBindIn *in, BindingWork *w)
{
    w->rate[0] = 1.0;
    w->second[0] = 0.0;
    for (int a = 1; a < b->n_leaves; ++a) {
        TmlPosition p;
        tml_position_eval(&b->leaf[a], b->leaf[a].kind, in, 2, &p);
        w->rate[a] = p.rate;
        w->second[a] = p.second;
    }
}

double tml_binding_second_rate(const TmlBinding *b, const TmlBindIn *in)
{
    BindingWork w = eval_jet(b, in, 2);
    eval_rates(b, in, &w);
    return tml_chain_second(b->n_leaves, &w.jet, w.rate, w.second, NULL, NULL); // (N2)
}

/* K += scale * (the leaf's own K, scattered to its slots) */
static void add_curvature(const TmlLeaf *leaf, const TmlPosition *p, double scale, int n, double *K)
{
    const int m = tml_position_slots(leaf->kind);
    for (int r = 0; r < 6 * m; ++r) {
        const int row = 6 * leaf->slot[r / 6] + r % 6;
        for (int c = 0; c < 6 * m; ++c) {
            K[row * 6 * n + 6 * leaf->slot[c / 6] + c % 6] += scale * p->K[r * 6 * m + c];
        }
    }
}

void tml_binding_curvature(const TmlBinding *b, const TmlBindIn *in, double scale, double *K)
{
    const int n = b->n_ends;
    const BindingWork w = eval_jet(b, in, 2);
    memset(w.rows, 0, (size_t)(b->n_leaves * n) * sizeof *w.rows);
    for (int a = 1; a < b->n_leaves; ++a) {
        const TmlLeaf *leaf = &b->leaf[a];
        TmlPosition p;
        tml_position_eval(leaf, leaf->kind, in, 2, &p);
        add_curvature(leaf, &p, scale * w.jet.g[a], n, K); // (J2)
        for (int k = 0; k < tml_position_slots(leaf->kind); ++k) {
            tml_row_add(&w.rows[a * n + leaf->slot[k]], 1.0, &p.J[k]);
        }
    }
    for (int a = 1; a < b->n_leaves; ++a) {
        for (int c = 1; c < b->n_leaves; ++c) {
            const double h = scale * w.jet.H[a * b->n_leaves + c];
            if (h != 0.0) {
                tml_chain_outer(K, n, h, &w.rows[a * n], &w.rows[c * n]);
            }
        }
    }
}

void tml_binding_second_rate_tangent(const TmlBinding *b, const TmlBindIn *in, TmlRow *Gm,
                                     TmlRow *Gv)
{
    BindingWork w = eval_jet(b, in, 3);
    eval_rates(b, in, &w);
    tml_chain_second(b->n_leaves, &w.jet, w.rate, w.second, w.by_row, w.by_rate);
    for (int k = 0; k < b->n_ends; ++k) {
        Gm[k] = Gv[k] = (TmlRow){0};
    }
    for (int a = 1; a < b->n_leaves; ++a) { // (N3)
        const TmlLeaf *leaf = &b->leaf[a];
        TmlPosition p;
        tml_position_eval(leaf, leaf->kind, in, 3, &p);
        for (int k = 0; k < tml_position_slots(leaf->kind); ++k) {
            TmlRow *m = &Gm[leaf->slot[k]], *v = &Gv[leaf->slot[k]];
            tml_row_add(m, w.jet.g[a], &p.Sm[k]);
            tml_row_add(m, w.by_row[a], &p.J[k]);
            tml_row_add(m, w.by_rate[a], &p.D[k]);
            tml_row_add(v, w.jet.g[a], &p.Sv[k]);
            tml_row_add(v, w.by_rate[a], &p.J[k]);
        }
    }
}

double tml_binding_second_rate_dt(const TmlBinding *b, const TmlBindIn *in)
{
    BindingWork w = eval_jet(b, in, 3);
    eval_rates(b, in, &w);
    tml_chain_second(b->n_leaves, &w.jet, w.rate, w.second, w.by_row, w.by_rate);
    return w.by_row[0]; // (N3): time is leaf 0
}

void tml_binding_time(const TmlBinding *b, double t, double *work, double d[4])
{
    const BindingWork w = eval_jet(b, &(TmlBindIn){.t = t, .work = work}, 3);
    d[0] = w.jet.value;
    d[1] = w.jet.g[0];
    d[2] = w.jet.H[0];
    d[3] = w.jet.T[0];
}

void tml_binding_commit(const TmlBinding *b, const TmlBindIn *in, double *memory)
{
    for (int k = 1; k < b->n_leaves; ++k) {
        const TmlLeaf *leaf = &b->leaf[k];
        if (leaf->memory < 0) {
            continue;
        }
        if (tml_leaf_is_position(leaf)) {
            TmlPosition p;
            tml_position_eval(leaf, leaf->kind, in, 0, &p);
            memory[leaf->memory] = p.value - leaf->offset;
        } else {
            tml_element_commit(leaf, in, memory + leaf->memory);
        }
    }
}
