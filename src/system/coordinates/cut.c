/* system/coordinates/cut.c - closing the loops of a tree of joints. See cut.h.
 *
 *   (J7)  Newton on (J6) to rounding with kept factors, renewed by the rules of renewal.h
 *   (J8)  worn when dependent coordinates answer a fixed change of the independent ones five times
 *         as strongly as at the choice
 *   (J9)  rows in which all cancels out are no rows
 */
#include "system/coordinates/cut.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "sparse/pivots.h"
#include "sparse/qr.h"
#include "system/coordinates/renewal.h"
#include "system/system_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NU = TML_BODY_MAX_NU, MAX_ITERATIONS = 30 };

static const double worn_growth = 5.0; // (J8)
static const double rank_tolerance = 1e-6;
static const double rounding_share = 1e-12; // (J9); thousands of links leave 1e-13

/* A component of a row: a coordinate that moves one of the ends of the row. */
typedef struct Entry {
    int row, end, x;   /* number of the row; of its end; coordinate */
    int place, map[2]; /* in JT; in A */
} Entry;

/* An equation that the tree does not fulfil by itself. */
typedef struct Row {
    int constraint, k; /* its place there */
} Row;

struct TmlCut {
    TmlTree *tree;
    TmlArena arena;
    int m, n_entries;
    Row *row;      /* m */
    Entry *entry;  /* n_entries, by rows in order */
    double *value; /* n_entries: (J5) */
    double *bound; /* n_entries: what the value would be if nothing in it cancelled out */
    TmlCsc JT, A;  /* n x m; n + m */
    int *diagonal; /* n + m */
    TmlLu *lu;
    bool *dependent;
    int *index, n_free;
    double *b;          /* n + m */
    double *at, *moved; /* n: where the factors were made; what a closing has added */
    double *x;          /* n: coordinates of the last positions */
    bool ready, pivoted;
    double answer, answer_chosen;
};

static double unit(const TmlCut *cut, int k)
{
    return cut->tree->length[k] ? cut->tree->sys->dim.length : 1.0;
}

/* --- structure ------------------------------------------------------------------------------ */

/* Lists the rows of the constraints that are cut, or counts them when there is no room yet. */
static int list_rows(TmlCut *cut, const bool *kept)
{
    const TmlModel *m = cut->tree->sys->model;
    int n = 0, all = 0;
    for (int c = 0; c < m->constraints.n; ++c) {
        for (int k = 0; k < m->constraints.at[c].type->rows && !cut->tree->in_tree[c]; ++k) {
            if (kept == NULL || kept[all]) {
                if (cut->row != NULL) {
                    cut->row[n] = (Row){c, k};
                }
                n++;
            }
            all++;
        }
    }
    return n;
}

static int list_entries(TmlCut *cut)
{
    const TmlTree *tree = cut->tree;
    int n = 0;
    for (int r = 0; r < cut->m; ++r) {
        const TmlConstraint *con = &tree->sys->model->constraints.at[cut->row[r].constraint];
        for (int e = 0; e < con->n_ends; ++e) {
            for (int b = con->end[e].body; b != TML_GROUND;) {
                const TmlTreeJoint *t = &tree->joint[tree->of_body[b]];
                for (int i = 0; i < t->n; ++i, ++n) {
                    if (cut->entry != NULL) {
                        cut->entry[n] = (Entry){.row = r, .end = e, .x = t->x0 + i};
                    }
                }
                b = t->parent;
            }
        }
    }
    return n;
}

static TmlStatus patterns(TmlCut *cut, TmlError *err)
{
    const int n = cut->tree->n;
    TmlPattern jt, a;
    bool ok = true;
    tml_pattern_init(&jt, n, cut->m);
    tml_pattern_init(&a, n + cut->m, n + cut->m);
    for (int k = 0; k < n + cut->m && ok; ++k) {
        ok = tml_pattern_add(&a, k, k);
    }
    for (int k = 0; k < cut->n_entries && ok; ++k) {
        const Entry *e = &cut->entry[k];
        ok = tml_pattern_add(&jt, e->x, e->row) && tml_pattern_add(&a, e->x, n + e->row) &&
             tml_pattern_add(&a, n + e->row, e->x);
    }
    TmlStatus status = ok ? tml_pattern_csc(&jt, &cut->arena, &cut->JT, err)
                          : tml_fail(err, TML_E_NOMEM, "out of memory for the loops");
    status = status == TML_OK ? tml_pattern_csc(&a, &cut->arena, &cut->A, err) : status;
    tml_pattern_free(&jt);
    tml_pattern_free(&a);
    return status;
}

/* Makes entries, patterns and maps for the rows listed. */
static TmlStatus structure(TmlCut *cut, TmlError *err)
{
    const int n = cut->tree->n;
    cut->entry = NULL;
    cut->n_entries = list_entries(cut);
    TML_NEW(&cut->arena, cut->entry, cut->n_entries + 1);
    TML_NEW(&cut->arena, cut->value, cut->n_entries + 1);
    TML_NEW(&cut->arena, cut->bound, cut->n_entries + 1);
    list_entries(cut);
    TML_TRY(patterns(cut, err));
    for (int k = 0; k < cut->n_entries; ++k) {
        Entry *e = &cut->entry[k];
        e->place = tml_csc_find(&cut->JT, e->x, e->row);
        e->map[0] = tml_csc_find(&cut->A, e->x, n + e->row);
        e->map[1] = tml_csc_find(&cut->A, n + e->row, e->x);
    }
    return TML_OK;
}

/* --- values --------------------------------------------------------------------------------- */

/* Evaluates (J5) at the last kinematics, which are those of the tree. */
static void values_fill(TmlCut *cut, const TmlState *s)
{
    TmlSystem *sys = cut->tree->sys;
    const double *Ju = NULL;
    int loaded = -1;
    for (int k = 0; k < cut->n_entries; ++k) {
        const Entry *e = &cut->entry[k];
        const Row *row = &cut->row[e->row];
        const TmlConstraint *con = &sys->model->constraints.at[row->constraint];
        if (loaded != row->constraint) {
            Ju = tml_constraint_rows(sys, row->constraint, s->t);
            loaded = row->constraint;
        }
        const double *u = Ju + (size_t)(row->k * con->n_ends + e->end) * NU;
        const int b = con->end[e->end].body;
        const double *q = s->q + sys->dim.span[b].q0;
        const bool turns = sys->dim.span[b].nu == 6;
        const TmlVec3 f = v3(u[0], u[1], u[2]);
        const TmlVec3 w = turns ? v3(u[3], u[4], u[5]) : v3(0, 0, 0);
        const TmlVec3 torque = v3_add(w, v3_cross(v3(q[0], q[1], q[2]), f));
        const TmlTwist *S = &cut->tree->S[e->x];
        cut->value[k] = v3_dot(f, S->v) + v3_dot(torque, S->w);
        cut->bound[k] = v3_norm(f) * v3_norm(S->v) + v3_norm(torque) * v3_norm(S->w);
    }
}

/* Fills JT with coordinates weighted by their units. */
static void transpose_fill(TmlCut *cut)
{
    TmlCsc *JT = &cut->JT;
    memset(JT->x, 0, (size_t)JT->start[JT->cols] * sizeof *JT->x);
    for (int k = 0; k < cut->n_entries; ++k) {
        JT->x[cut->entry[k].place] += unit(cut, cut->entry[k].x) * cut->value[k];
    }
}

/* Gives the rows of JT unit length. A row may cancel out in every coordinate, as three of those that close a loop of parallel pins do:
 * what is left of it is rounding, and is put to zero (J9). */
static TmlStatus unit_rows(TmlCut *cut, TmlError *err)
{
    TmlCsc *JT = &cut->JT;
    double *part = tml_mem_zalloc((size_t)JT->cols + 1, sizeof *part);
    if (part == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the loops");
    }
    for (int k = 0; k < cut->n_entries; ++k) {
        const double x = unit(cut, cut->entry[k].x) * cut->bound[k];
        part[cut->entry[k].row] += x * x;
    }
    for (int j = 0; j < JT->cols; ++j) {
        double sum = 0.0;
        for (int k = JT->start[j]; k < JT->start[j + 1]; ++k) {
            sum += JT->x[k] * JT->x[k];
        }
        const bool rounding = sum <= rounding_share * rounding_share * part[j];
        for (int k = JT->start[j]; k < JT->start[j + 1] && sum > 0.0; ++k) {
            JT->x[k] = rounding ? 0.0 : JT->x[k] / sqrt(sum);
        }
    }
    tml_mem_free(part);
    return TML_OK;
}

/* Fills the matrix of (J6). */
static void matrix_fill(TmlCut *cut)
{
    const int n = cut->tree->n;
    double *x = cut->A.x;
    memset(x, 0, (size_t)cut->A.start[cut->A.cols] * sizeof *x);
    for (int k = 0; k < n; ++k) {
        x[cut->diagonal[k]] = cut->dependent[k] ? 0.0 : 1.0;
    }
    for (int k = 0; k < cut->n_entries; ++k) {
        x[cut->entry[k].map[0]] += cut->value[k];
        x[cut->entry[k].map[1]] += cut->value[k];
    }
}

/* Returns the largest part of b[n], in units of the coordinates. */
static double size_of(const TmlCut *cut, const double *b)
{
    double size = 0.0;
    for (int k = 0; k < cut->tree->n; ++k) {
        const double y = fabs(b[k]) / unit(cut, k);
        size = isfinite(y) ? fmax(size, y) : HUGE_VAL;
    }
    return size;
}

/* (J8) */
static double answer(TmlCut *cut)
{
    const int n = cut->tree->n;
    memset(cut->b, 0, (size_t)(n + cut->m) * sizeof *cut->b);
    for (int k = 0; k < n; ++k) {
        cut->b[k] = cut->dependent[k] ? 0.0 : (k * 5 / 3) % 2 == 0 ? unit(cut, k) : -unit(cut, k);
    }
    tml_lu_solve(cut->lu, cut->b);
    return size_of(cut, cut->b);
}

static bool renew(TmlCut *cut, const TmlState *s)
{
    values_fill(cut, s);
    matrix_fill(cut);
    memcpy(cut->at, cut->x, (size_t)cut->tree->n * sizeof *cut->at);
    const int column =
        cut->pivoted ? tml_lu_refactor(cut->lu, &cut->A) : tml_lu_factor(cut->lu, &cut->A);
    cut->ready = cut->pivoted = column < 0;
    cut->tree->sys->out_of_memory |= !cut->ready && tml_lu_info(cut->lu)->out_of_memory;
    cut->answer = cut->ready ? answer(cut) : HUGE_VAL;
    return cut->ready;
}

/* --- set-up --------------------------------------------------------------------------------- */

static TmlStatus singular(double t, TmlError *err)
{
    return tml_fail(err, TML_E_SINGULAR,
                    "the joint coordinates of a loop do not determine its motion at t = %.9g s: a "
                    "singular position; use coordinates=partitioned",
                    t);
}

/* Counts the equations that the tree's own joints stand for, as far as they are independent of
 * others. */
static int tree_rows(const TmlTree *tree)
{
    int n = 0;
    for (int k = 0; k < tree->n_joints; ++k) {
        const int b = tree->joint[k].body;
        n += tree->sys->dim.span[b + 1].u0 - tree->sys->dim.span[b].u0 - tree->joint[k].n;
    }
    return n;
}

/* Keeps a largest set of independent rows. The rank is known from that of all constraints. */
static TmlStatus drop_redundant(TmlCut *cut, const TmlState *s, TmlError *err)
{
    const int expected = cut->tree->sys->dim.m - tree_rows(cut->tree);
    TmlCsc J;
    TmlPattern p;
    bool *kept, ok = true;
    int rank = 0;
    TML_NEW(&cut->arena, kept, cut->m + 1);
    values_fill(cut, s);
    transpose_fill(cut);
    TML_TRY(unit_rows(cut, err));
    tml_pattern_init(&p, cut->m, cut->tree->n);
    for (int k = 0; k < cut->n_entries && ok; ++k) {
        ok = tml_pattern_add(&p, cut->entry[k].row, cut->entry[k].x);
    }
    TmlStatus status = ok ? tml_pattern_csc(&p, &cut->arena, &J, err)
                          : tml_fail(err, TML_E_NOMEM, "out of memory for the loops");
    tml_pattern_free(&p);
    TML_TRY(status);
    for (int k = 0; k < cut->n_entries; ++k) {
        const Entry *e = &cut->entry[k];
        J.x[tml_csc_find(&J, e->row, e->x)] = cut->JT.x[e->place];
    }
    TML_TRY(tml_qr_row_rank(&J, rank_tolerance, kept, &rank, err));
    if (rank < expected) {
        return singular(s->t, err);
    }
    cut->m = list_rows(cut, kept);
    return rank < cut->JT.cols ? structure(cut, err) : TML_OK;
}

static TmlStatus no_pfaffian(const TmlSystem *sys, TmlError *err)
{
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        if (sys->pfaffian[c] != 0) {
            return tml_fail(err, TML_E_MODEL,
                            "joint '%s' constrains velocities only, which coordinates=recursive "
                            "cannot do; use coordinates=partitioned",
                            sys->model->constraints.at[c].name);
        }
    }
    return TML_OK;
}

static TmlStatus cut_fill(TmlCut *cut, const TmlState *s, TmlError *err)
{
    const int n = cut->tree->n;
    TML_TRY(no_pfaffian(cut->tree->sys, err));
    cut->m = list_rows(cut, NULL);
    TML_NEW(&cut->arena, cut->row, cut->m + 1);
    list_rows(cut, NULL);
    TML_TRY(structure(cut, err));
    if (cut->m > 0) {
        tml_tree_begin(cut->tree, s);
        tml_system_kinematics(cut->tree->sys, s, false);
        TML_TRY(drop_redundant(cut, s, err));
    }
    TML_NEW(&cut->arena, cut->dependent, n + 1);
    TML_NEW(&cut->arena, cut->index, n + 1);
    TML_NEW(&cut->arena, cut->at, n + 1);
    TML_NEW(&cut->arena, cut->moved, n + 1);
    TML_NEW(&cut->arena, cut->x, n + 1);
    TML_NEW(&cut->arena, cut->b, n + cut->m + 1);
    TML_NEW(&cut->arena, cut->diagonal, n + cut->m + 1);
    for (int k = 0; k < n + cut->m; ++k) {
        cut->diagonal[k] = tml_csc_find(&cut->A, k, k);
    }
    return cut->m > 0 ? tml_lu_create(&cut->A, &cut->lu, err) : TML_OK;
}

TmlStatus tml_cut_create(TmlTree *tree, const TmlState *s, TmlCut **out, TmlError *err)
{
    TmlCut *cut = tml_mem_zalloc(1, sizeof *cut);
    *out = NULL;
    if (cut == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the loops");
    }
    cut->tree = tree;
    const TmlStatus status = cut_fill(cut, s, err);
    if (status != TML_OK) {
        tml_cut_free(cut);
        return status;
    }
    *out = cut;
    return TML_OK;
}

void tml_cut_free(TmlCut *cut)
{
    if (cut != NULL) {
        tml_lu_free(cut->lu);
        tml_arena_free(&cut->arena);
        tml_mem_free(cut);
    }
}

static void place(TmlCut *cut, const double *y, TmlState *s, TmlLevel level)
{
    if (level == TML_LEVEL_POSITION) {
        memcpy(cut->x, y, (size_t)cut->tree->n * sizeof *cut->x);
        tml_tree_positions(cut->tree, y, s);
    } else {
        tml_tree_velocities(cut->tree, y, s);
    }
}

TmlStatus tml_cut_choose(TmlCut *cut, const double *x, TmlState *s, TmlError *err)
{
    int missing = -1;
    place(cut, x, s, TML_LEVEL_POSITION);
    memset(cut->dependent, 0, (size_t)cut->tree->n * sizeof *cut->dependent);
    cut->n_free = 0;
    if (cut->m > 0) {
        tml_system_kinematics(cut->tree->sys, s, false);
        values_fill(cut, s);
        transpose_fill(cut);
        TML_TRY(tml_pivot_rows(&cut->JT, 0, cut->dependent, &missing, err));
    }
    if (missing >= 0) {
        return singular(s->t, err);
    }
    for (int k = 0; k < cut->tree->n; ++k) {
        if (!cut->dependent[k]) {
            cut->index[cut->n_free++] = k;
        }
    }
    cut->pivoted = false;
    if (cut->m > 0 && !renew(cut, s)) {
        return singular(s->t, err);
    }
    cut->answer_chosen = cut->answer;
    return TML_OK;
}

int tml_cut_count(const TmlCut *cut)
{
    return cut->n_free;
}

const int *tml_cut_index(const TmlCut *cut)
{
    return cut->index;
}

bool tml_cut_worn(const TmlCut *cut)
{
    return cut->answer > worn_growth * fmax(cut->answer_chosen, 1.0);
}

/* --- closing -------------------------------------------------------------------------------- */

/* Sets b = (0, -phi) at the last kinematics. It returns false when a number is not finite. */
static bool right_side(TmlCut *cut, double t, TmlLevel level)
{
    const int n = cut->tree->n;
    double phi[TML_MAX_ROWS], sum = 0.0;
    int loaded = -1;
    memset(cut->b, 0, (size_t)n * sizeof *cut->b);
    for (int r = 0; r < cut->m; ++r) {
        if (loaded != cut->row[r].constraint) {
            loaded = cut->row[r].constraint;
            tml_constraint_level(cut->tree->sys, loaded, t, level, phi);
        }
        cut->b[n + r] = -phi[cut->row[r].k];
        sum += fabs(phi[cut->row[r].k]);
    }
    return isfinite(sum);
}

static bool far_off(const TmlCut *cut, const double *x)
{
    for (int k = 0; k < cut->tree->n; ++k) {
        if (tml_renewal_is_far(x[k] - cut->at[k], unit(cut, k))) { // (N4)
            return true;
        }
    }
    return false;
}

/* Makes one correction of y. It returns its size, or a number that is not finite. */
static double correct(TmlCut *cut, double *y, TmlState *s, TmlLevel level)
{
    tml_system_kinematics(cut->tree->sys, s, false);
    if ((!cut->ready && !renew(cut, s)) || !right_side(cut, s->t, level)) {
        return HUGE_VAL;
    }
    tml_lu_solve(cut->lu, cut->b);
    const double size = size_of(cut, cut->b);
    for (int k = 0; k < cut->tree->n && isfinite(size); ++k) {
        y[k] += cut->b[k];
        cut->moved[k] += level == TML_LEVEL_POSITION ? cut->b[k] : 0.0;
    }
    return size;
}

/* (J7) */
static bool close_level(TmlCut *cut, double *y, TmlState *s, TmlLevel level)
{
    TmlRenewalVerdict verdict = TML_CLOSURE_GOES_ON;
    cut->ready = cut->ready && !far_off(cut, cut->x);
    // of what the rows are made of: positions of the bodies, of unit size
    TmlRenewal r = {.floor = 8.0 * DBL_EPSILON * fmax(1.0, size_of(cut, y)),
                    .renewals = cut->ready ? 0 : 1};
    while (r.n < MAX_ITERATIONS && verdict <= TML_CLOSURE_RENEWS) {
        cut->ready = cut->ready && verdict != TML_CLOSURE_RENEWS;
        const double size = correct(cut, y, s, level);
        if (!isfinite(size) || (level == TML_LEVEL_POSITION && size > 1.0)) {
            break; // it is singular, or the loops are far from closed
        }
        place(cut, y, s, level);
        verdict = tml_renewal_judge(&r, size);
    }
    cut->ready = cut->ready && verdict == TML_CLOSURE_DONE;
    return verdict == TML_CLOSURE_DONE;
}

bool tml_cut_positions(TmlCut *cut, double *x, TmlState *s)
{
    memset(cut->moved, 0, (size_t)cut->tree->n * sizeof *cut->moved);
    place(cut, x, s, TML_LEVEL_POSITION);
    return cut->m == 0 || close_level(cut, x, s, TML_LEVEL_POSITION);
}

bool tml_cut_velocities(TmlCut *cut, double *x1, TmlState *s)
{
    place(cut, x1, s, TML_LEVEL_VELOCITY);
    return cut->m == 0 || close_level(cut, x1, s, TML_LEVEL_VELOCITY);
}

const double *tml_cut_moved(const TmlCut *cut)
{
    return cut->moved;
}

void tml_cut_tangent(TmlCut *cut, double *dx)
{
    const int n = cut->tree->n;
    if (cut->m == 0 || !cut->pivoted) {
        return;
    }
    memset(cut->b, 0, (size_t)(n + cut->m) * sizeof *cut->b);
    for (int k = 0; k < cut->n_free; ++k) {
        cut->b[cut->index[k]] = dx[cut->index[k]];
    }
    tml_lu_solve(cut->lu, cut->b);
    memcpy(dx, cut->b, (size_t)n * sizeof *dx);
}
