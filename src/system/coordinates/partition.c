/* system/coordinates/partition.c - independent coordinates chosen by pivots, the others closed on them.
 *
 *   (P3)  W J^T = P^T L U Q^T        pivot rows: dependent coordinates, |l| <= 2
 *         W = L for translations, 0.1 for rotations: of two that would serve, the translation is
 *         made dependent
 *   (P4)  rates: J with the Pfaffian rows, and W raised by 1e6 for the coordinates that (P3) made
 *         dependent: they stay so, hence independent rates belong to independent coordinates
 *   (P5)  simplified Newton on (P1) and (P2) down to rounding, with kept factors that are renewed
 *         by the rules of renewal.h
 *   (P6)  worn when the dependent coordinates answer a fixed change of the independent ones five
 *         times as strongly as when they were chosen
 */
#include "system/coordinates/partition.h"

#include "base/fail.h"
#include "sparse/pivots.h"
#include "system/coordinates/renewal.h"
#include "system/coordinates/row_order.h"
#include "system/system_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 40 };

static const double rotation_weight = 0.1; // (P3)
static const double kept_weight = 1e6;     // (P4)
static const double worn_growth = 5.0;     // (P6)

/* Positions and rates have one of these each; one serves both when there are no Pfaffian rows. */
typedef struct Side {
    bool holonomic; /* leaves Pfaffian rows out */
    TmlLu *lu;
    bool *dependent;              /* nu */
    int *index, n;                /* numbers of the independent ones */
    bool ready;                   /* the factors may be used */
    bool pivoted;                 /* and have pivots of this choice */
    double *q;                    /* nq: where they were made */
    double answer, answer_chosen; /* (P6) */
} Side;

struct TmlPartition {
    TmlSystem *sys;
    TmlArena arena;
    int n_entries;      /* components of all ends of all active rows, and for each: */
    int *u, *row;       /* component and row */
    int *place;         /* entry of JT */
    int *map;           /* two: entries J^T and J of A */
    TmlCsc JT;          /* nu x m */
    TmlCsc columns;     /* the scaled columns of it that take part in a choice */
    TmlCsc A;           /* nu + m */
    int *diagonal;      /* nu + m: entry of A */
    bool *row_pfaffian; /* m */
    int *order, n_tree; /* m: active rows from the tips of a tree of joints on; those of the tree */
    double *value;      /* n_entries: J at the last kinematics that were asked for it */
    double *x;          /* nu + m */
    double *dq, *moved; /* nq: scratch; sum of the changes of q in the last closing */
    Side side[2], *position, *rate;
    TmlClosureWork work;
};

/* --- structure ----------------------------------------------------------------------------- */

/* Counts the entries; lists them when there is room for them. */
static int list_entries(TmlPartition *p)
{
    const TmlSystem *sys = p->sys;
    const TmlModel *m = sys->model;
    int n = 0;
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        for (int k = 0; k < con->type->rows * con->n_ends; ++k) {
            const int row = sys->row_unknown[sys->constraint[c].row0 + k / con->n_ends];
            const TmlParts *e = tml_end_parts(sys, sys->constraint[c].end0 + k % con->n_ends);
            for (int i = 0; i < e->cols && row >= 0; ++i, ++n) {
                if (p->u != NULL) {
                    p->u[n] = tml_parts_unknown(sys, e, i);
                    p->row[n] = row;
                    p->row_pfaffian[row] = (sys->pfaffian[c] >> k / con->n_ends & 1u) != 0;
                }
            }
        }
    }
    return n;
}

static TmlStatus patterns(TmlPartition *p, TmlError *err)
{
    const int nu = p->sys->dim.nu, n = nu + p->sys->dim.m;
    TmlPattern jt, a;
    bool ok = true;
    tml_pattern_init(&jt, nu, p->sys->dim.m);
    tml_pattern_init(&a, n, n);
    for (int k = 0; k < n && ok; ++k) {
        ok = tml_pattern_add(&a, k, k);
    }
    for (int k = 0; k < p->n_entries && ok; ++k) {
        ok = tml_pattern_add(&jt, p->u[k], p->row[k]) &&
             tml_pattern_add(&a, p->u[k], nu + p->row[k]) &&
             tml_pattern_add(&a, nu + p->row[k], p->u[k]);
    }
    TmlStatus status = ok ? tml_pattern_csc(&jt, &p->arena, &p->JT, err)
                          : tml_fail(err, TML_E_NOMEM, "out of memory for the constraints");
    status = status == TML_OK ? tml_pattern_csc(&a, &p->arena, &p->A, err) : status;
    tml_pattern_free(&jt);
    tml_pattern_free(&a);
    return status;
}

static void maps(TmlPartition *p)
{
    const int nu = p->sys->dim.nu;
    for (int k = 0; k < nu + p->sys->dim.m; ++k) {
        p->diagonal[k] = tml_csc_find(&p->A, k, k);
    }
    for (int k = 0; k < p->n_entries; ++k) {
        p->place[k] = tml_csc_find(&p->JT, p->u[k], p->row[k]);
        p->map[2 * k] = tml_csc_find(&p->A, p->u[k], nu + p->row[k]);
        p->map[2 * k + 1] = tml_csc_find(&p->A, nu + p->row[k], p->u[k]);
    }
}

static TmlStatus side_create(TmlPartition *p, Side *side, TmlError *err)
{
    TML_NEW(&p->arena, side->q, p->sys->dim.nq + 1);
    TML_NEW(&p->arena, side->dependent, p->sys->dim.nu);
    TML_NEW(&p->arena, side->index, p->sys->dim.nu);
    return tml_lu_create(&p->A, &side->lu, err);
}

static TmlStatus partition_fill(TmlPartition *p, TmlError *err)
{
    TmlSystem *sys = p->sys;
    const int n = sys->dim.nu + sys->dim.m;
    p->n_entries = list_entries(p);
    TML_NEW(&p->arena, p->row_pfaffian, sys->dim.m + 1);
    TML_NEW(&p->arena, p->row, p->n_entries + 1);
    TML_NEW(&p->arena, p->u, p->n_entries + 1);
    TML_NEW(&p->arena, p->place, p->n_entries + 1);
    TML_NEW(&p->arena, p->map, 2 * p->n_entries + 1);
    TML_NEW(&p->arena, p->value, p->n_entries + 1);
    TML_NEW(&p->arena, p->diagonal, n + 1);
    TML_NEW(&p->arena, p->x, n + 1);
    TML_NEW(&p->arena, p->dq, sys->dim.nq + 1);
    TML_NEW(&p->arena, p->moved, sys->dim.nq + 1);
    list_entries(p);
    TML_TRY(patterns(p, err));
    maps(p);
    TML_NEW(&p->arena, p->order, sys->dim.m + 1);
    TML_TRY(tml_system_row_order(sys, p->order, &p->n_tree, err));
    p->columns.rows = sys->dim.nu;
    TML_NEW(&p->arena, p->columns.start, sys->dim.m + 1);
    TML_NEW(&p->arena, p->columns.row, p->n_entries + 1);
    TML_NEW(&p->arena, p->columns.x, p->n_entries + 1);
    p->position = p->rate = &p->side[0];
    TML_TRY(side_create(p, p->position, err));
    p->position->holonomic = true;
    for (int k = 0; k < sys->dim.m; ++k) {
        if (p->row_pfaffian[k]) {
            p->rate = &p->side[1];
        }
    }
    return p->rate != p->position ? side_create(p, p->rate, err) : TML_OK;
}

TmlStatus tml_partition_create(TmlSystem *sys, TmlPartition **out, TmlError *err)
{
    TmlPartition *p = tml_mem_zalloc(1, sizeof *p);
    *out = NULL;
    if (p == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the constraints");
    }
    p->sys = sys;
    const TmlStatus status = partition_fill(p, err);
    if (status != TML_OK) {
        tml_partition_free(p);
        return status;
    }
    *out = p;
    return TML_OK;
}

void tml_partition_free(TmlPartition *p)
{
    if (p != NULL) {
        tml_lu_free(p->side[0].lu);
        tml_lu_free(p->side[1].lu);
        tml_arena_free(&p->arena);
        tml_mem_free(p);
    }
}

/* --- values -------------------------------------------------------------------------------- */

/* Sets p->value at the last kinematics. */
static void rows_fill(TmlPartition *p, double t)
{
    TmlSystem *sys = p->sys;
    const TmlModel *m = sys->model;
    double *value = p->value;
    for (int c = 0; c < m->constraints.n; ++c) {
        const TmlConstraint *con = &m->constraints.at[c];
        const double *Ju = tml_constraint_rows(sys, c, t);
        for (int k = 0; k < con->type->rows * con->n_ends; ++k) {
            if (sys->row_unknown[sys->constraint[c].row0 + k / con->n_ends] >= 0) {
                const int end = sys->constraint[c].end0 + k % con->n_ends;
                const int cols = tml_end_parts(sys, end)->cols;
                memcpy(value, Ju + (size_t)k * (size_t)sys->stride, (size_t)cols * sizeof *value);
                value += cols;
            }
        }
    }
}

/* Fills the matrix of (P1) or (P2) from p->value. */
static void matrix_fill(TmlPartition *p, const Side *side)
{
    const int nu = p->sys->dim.nu;
    double *x = p->A.x;
    memset(x, 0, (size_t)p->A.start[p->A.cols] * sizeof *x);
    for (int k = 0; k < nu; ++k) {
        x[p->diagonal[k]] = side->dependent[k] ? 0.0 : 1.0;
    }
    for (int k = 0; k < p->sys->dim.m; ++k) {
        x[p->diagonal[nu + k]] = side->holonomic && p->row_pfaffian[k] ? 1.0 : 0.0;
    }
    for (int k = 0; k < p->n_entries; ++k) {
        if (!(side->holonomic && p->row_pfaffian[p->row[k]])) {
            x[p->map[2 * k]] += p->value[k];
            x[p->map[2 * k + 1]] += p->value[k];
        }
    }
}

/* Returns the largest part of x[nu], with translations over the length of the model. */
static double move_size(const TmlPartition *p)
{
    const TmlSystem *sys = p->sys;
    double size = 0.0;
    for (int k = 0; k < sys->dim.nu; ++k) {
        const double x = p->x[k] / sys->dim.unit[k];
        size = isfinite(x) ? fmax(size, fabs(x)) : HUGE_VAL;
    }
    return size;
}

/* (P6): the change has components of alternating sign and size one, in lengths of the model or rad.
 */
static double answer(TmlPartition *p, const Side *side)
{
    const TmlSystem *sys = p->sys;
    memset(p->x, 0, (size_t)(sys->dim.nu + sys->dim.m) * sizeof *p->x);
    for (int k = 0; k < sys->dim.nu; ++k) {
        const double one = sys->dim.unit[k];
        p->x[k] = side->dependent[k] ? 0.0 : (k * 5 / 3) % 2 == 0 ? one : -one;
    }
    tml_lu_solve(side->lu, p->x);
    return move_size(p);
}

/* Makes new factors at the last kinematics. */
static bool renew(TmlPartition *p, Side *side, const TmlState *s)
{
    rows_fill(p, s->t);
    memcpy(side->q, s->q, (size_t)p->sys->dim.nq * sizeof *side->q);
    matrix_fill(p, side);
    const int column =
        side->pivoted ? tml_lu_refactor(side->lu, &p->A) : tml_lu_factor(side->lu, &p->A);
    side->ready = side->pivoted = column < 0;
    p->sys->out_of_memory |= !side->ready && tml_lu_info(side->lu)->out_of_memory;
    side->answer = side->ready ? answer(p, side) : HUGE_VAL;
    return side->ready;
}

/* Sets the right side (0, -phi) of the active rows at the level, at the last kinematics. It returns
 * false when a number is not finite. */
static bool right_side(TmlPartition *p, double t, TmlLevel level)
{
    TmlSystem *sys = p->sys;
    const TmlModel *m = sys->model;
    double phi[TML_MAX_ROWS], sum = 0.0;
    memset(p->x, 0, (size_t)sys->dim.nu * sizeof *p->x);
    for (int c = 0; c < m->constraints.n; ++c) {
        tml_constraint_level(sys, c, t, level, phi);
        for (int k = 0; k < m->constraints.at[c].type->rows; ++k) {
            const int row = sys->row_unknown[sys->constraint[c].row0 + k];
            if (row >= 0) {
                const bool skip = level == TML_LEVEL_POSITION && p->row_pfaffian[row];
                p->x[sys->dim.nu + row] = skip ? 0.0 : -phi[k];
                sum += skip ? 0.0 : fabs(phi[k]);
            }
        }
    }
    return isfinite(sum);
}

/* --- choice -------------------------------------------------------------------------------- */

static double weight(const TmlPartition *p, const Side *side, int body, int k)
{
    const bool kept = side != p->position && p->position->dependent[k];
    const int lengths = p->sys->dim.span[body].lengths;
    const double w = k - p->sys->dim.span[body].u0 < lengths ? p->sys->dim.length : rotation_weight;
    return kept ? kept_weight * w : w;
}

/* Sets W J^T of the rows that take part, from p->value, in their order, and the numbers of these
 * rows. It returns how many of them belong to the tree. */
static int scaled_columns(TmlPartition *p, const Side *side, TmlCsc *out, int *number)
{
    const TmlSystem *sys = p->sys;
    const TmlCsc *JT = &p->JT;
    memset(JT->x, 0, (size_t)JT->start[JT->cols] * sizeof *JT->x);
    for (int k = 0; k < p->n_entries; ++k) {
        JT->x[p->place[k]] += p->value[k];
    }
    for (int b = 1; b < sys->dim.nb; ++b) {
        for (int k = sys->dim.span[b].u0; k < sys->dim.span[b + 1].u0; ++k) {
            p->x[k] = weight(p, side, b, k);
        }
    }
    int n = 0, n_tree = 0;
    out->cols = 0;
    for (int at = 0; at < JT->cols; ++at) {
        const int j = p->order[at];
        if (side->holonomic && p->row_pfaffian[j]) {
            continue;
        }
        n_tree += at < p->n_tree;
        out->start[out->cols] = n;
        number[out->cols++] = j;
        for (int k = JT->start[j]; k < JT->start[j + 1]; ++k, ++n) {
            out->row[n] = JT->row[k];
            out->x[n] = p->x[JT->row[k]] * JT->x[k];
        }
    }
    out->start[out->cols] = n;
    return n_tree;
}

static TmlStatus no_pivot(const TmlPartition *p, int active, double t, TmlError *err)
{
    char name[256] = "a constraint";
    for (int row = 0; row < p->sys->dim.m_all; ++row) {
        if (p->sys->row_unknown[row] == active) {
            tml_system_row_name(p->sys, row, name, sizeof name);
        }
    }
    return tml_fail(err, TML_E_SINGULAR,
                    "%s has no hold on any coordinate at t = %.9g s: the mechanism is at a "
                    "singular position",
                    name, t);
}

/* (P3), (P4) */
static TmlStatus choose(TmlPartition *p, Side *side, const TmlState *s, TmlError *err)
{
    const TmlSystem *sys = p->sys;
    int missing = -1;
    const int n_tree = scaled_columns(p, side, &p->columns, side->index);
    TML_TRY(tml_pivot_rows(&p->columns, n_tree, side->dependent, &missing, err));
    if (missing >= 0) {
        return no_pivot(p, side->index[missing], s->t, err);
    }
    side->n = 0;
    for (int k = 0; k < sys->dim.nu; ++k) {
        if (!side->dependent[k]) {
            side->index[side->n++] = k;
        }
    }
    matrix_fill(p, side);
    memcpy(side->q, s->q, (size_t)sys->dim.nq * sizeof *side->q);
    const int column = tml_lu_factor(side->lu, &p->A);
    side->ready = side->pivoted = column < 0;
    if (!side->ready && tml_lu_info(side->lu)->out_of_memory) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the factors of %d constraints",
                        sys->dim.m);
    }
    if (!side->ready) {
        return no_pivot(p, column - sys->dim.nu, s->t, err);
    }
    side->answer = side->answer_chosen = answer(p, side);
    return TML_OK;
}

TmlStatus tml_partition_choose(TmlPartition *p, const TmlState *s, TmlError *err)
{
    tml_system_kinematics(p->sys, s, false);
    rows_fill(p, s->t);
    TML_TRY(choose(p, p->position, s, err));
    return p->rate != p->position ? choose(p, p->rate, s, err) : TML_OK;
}

int tml_partition_count(const TmlPartition *p)
{
    return p->position->n;
}

const int *tml_partition_index(const TmlPartition *p)
{
    return p->position->index;
}

int tml_partition_rate_count(const TmlPartition *p)
{
    return p->rate->n;
}

const int *tml_partition_rate_index(const TmlPartition *p)
{
    return p->rate->index;
}

bool tml_partition_worn(const TmlPartition *p)
{
    for (int k = 0; k < 2; ++k) {
        if (p->side[k].answer > worn_growth * fmax(p->side[k].answer_chosen, 1.0)) {
            return true;
        }
    }
    return false;
}

/* --- closure ------------------------------------------------------------------------------- */

/* Returns the rounding of y (positions or rates), scaled as move_size scales. */
static double rounding(const TmlPartition *p, const double *y)
{
    const TmlSystem *sys = p->sys;
    double size = 0.0;
    for (int k = 0; k < sys->dim.nq; ++k) {
        size = fmax(size, fabs(y[k]) / sys->dim.unit_q[k]);
    }
    return 4.0 * DBL_EPSILON * size;
}

/* (N4) of renewal.h. */
static bool far_from(const TmlPartition *p, const Side *side, const double *q)
{
    const TmlSystem *sys = p->sys;
    for (int k = 0; k < sys->dim.nq; ++k) {
        if (tml_renewal_is_far(q[k] - side->q[k], sys->dim.unit_q[k])) {
            return true;
        }
    }
    return false;
}

/* Moves y by p->x. */
static void move(TmlPartition *p, TmlState *s, double *y)
{
    tml_system_expand(p->sys, s->q, p->x, p->dq);
    for (int k = 0; k < p->sys->dim.nq; ++k) {
        y[k] += p->dq[k];
    }
    if (y == s->q) {
        for (int k = 0; k < p->sys->dim.nq; ++k) {
            p->moved[k] += p->dq[k];
        }
        tml_system_retract(p->sys, s->q);
    }
}

/* Makes one correction of y. It returns its size, or a number that is not finite. */
static double correct(TmlPartition *p, Side *side, TmlState *s, TmlLevel level, double *y)
{
    tml_system_kinematics(p->sys, s, false);
    if (!side->ready && !renew(p, side, s)) {
        return HUGE_VAL;
    }
    if (!right_side(p, s->t, level)) {
        return HUGE_VAL;
    }
    tml_lu_solve(side->lu, p->x);
    const double size = move_size(p);
    if (isfinite(size)) {
        move(p, s, y);
    }
    return size;
}

/* (P5) */
static bool close_level(TmlPartition *p, Side *side, TmlState *s, TmlLevel level)
{
    double *y = level == TML_LEVEL_POSITION ? s->q : s->v;
    TmlRenewalVerdict verdict = TML_CLOSURE_GOES_ON;
    side->ready = side->ready && !far_from(p, side, s->q);
    TmlRenewal r = {.floor = rounding(p, y), .renewals = side->ready ? 0 : 1};
    while (r.n < MAX_ITERATIONS && verdict <= TML_CLOSURE_RENEWS) {
        side->ready = side->ready && verdict != TML_CLOSURE_RENEWS;
        const double size = correct(p, side, s, level, y);
        if (!isfinite(size) || (level == TML_LEVEL_POSITION && size > 1.0)) {
            break; // it is singular, or the state is not close to the constraints
        }
        verdict = tml_renewal_judge(&r, size);
    }
    p->work.corrections += r.n;
    p->work.renewals += r.renewals;
    side->ready = side->ready && verdict == TML_CLOSURE_DONE;
    return verdict == TML_CLOSURE_DONE;
}

TmlClosureWork tml_partition_work(const TmlPartition *p)
{
    return p->work;
}

bool tml_partition_close_positions(TmlPartition *p, TmlState *s)
{
    memset(p->moved, 0, (size_t)p->sys->dim.nq * sizeof *p->moved);
    return p->position->n == p->sys->dim.nu || close_level(p, p->position, s, TML_LEVEL_POSITION);
}

const double *tml_partition_moved(const TmlPartition *p)
{
    return p->moved;
}

bool tml_partition_close_velocities(TmlPartition *p, TmlState *s)
{
    tml_system_retract_velocity(p->sys, s->q, s->v);
    return p->rate->n == p->sys->dim.nu || close_level(p, p->rate, s, TML_LEVEL_VELOCITY);
}

void tml_partition_tangent(TmlPartition *p, double *du)
{
    TmlSystem *sys = p->sys;
    if (p->position->n == sys->dim.nu || !p->position->pivoted) {
        return;
    }
    memset(p->x, 0, (size_t)(sys->dim.nu + sys->dim.m) * sizeof *p->x);
    for (int k = 0; k < p->position->n; ++k) {
        p->x[p->position->index[k]] = du[p->position->index[k]];
    }
    tml_lu_solve(p->position->lu, p->x);
    memcpy(du, p->x, (size_t)sys->dim.nu * sizeof *du);
}
