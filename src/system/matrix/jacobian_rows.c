/* system/matrix/jacobian_rows.c - the rows of constraints in the Newton matrix and in the stage matrix.
 *
 * With T, P, W, B as in jacobian.c:
 *
 *   (J5)  J T and its transpose; Pfaffian rows add (c_q / c_v) (A v + b)_q T;
 *         -e (J W^-1 J^T)_kk on the diagonal, e = 1e-10 or less, (P5) of project.c: at a singular position the motion that has
 *         lost its constraint is then left to inertia for the moment of passage. It does not move
 *         the solution, only the rate of convergence (by e over the least eigenvalue of what it stands beside)
 *   (J8)  rows of the stage matrix: (J a - gamma)' = J B + (a^T K - gamma_m) P - gamma_v W, the
 *         derivative of the constraints at acceleration level
 */
#include "system/matrix/blocks.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { NU = TML_BODY_MAX_NU };

const double *tml_constraint_rows(TmlSystem *sys, int c, double t)
{
    TmlRow *J = sys->room.J;
    double *Ju = sys->room.Ju;
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const TmlElementIn in = tml_constraint_in(sys, c, t);
    con->type->jacobian(&in, J);
    for (int k = 0; k < con->type->rows * con->n_ends; ++k) {
        tml_end_dual_one(sys, sys->constraint[c].end0 + k % con->n_ends, &J[k],
                         Ju + (size_t)k * (size_t)sys->stride);
    }
    return Ju;
}

/* sum[n] += (J W^-1 J^T)_kk of n rows, the part of one end; W a diagonal metric close to M. x: as
 * for tml_emit_rows. */
static void add_mobility(const TmlSystem *sys, const TmlParts *p, const double *x, int n,
                         double *sum)
{
    for (int a = 0; a < p->n; ++a) {
        const double *w = sys->inverse_mass + sys->dim.span[p->body[a]].u0 - p->col[a];
        for (int i = p->col[a]; i < p->col[a + 1]; ++i) {
            for (int r = 0; r < n; ++r) {
                sum[r] += x[i * n + r] * x[i * n + r] * w[i];
            }
        }
    }
}

static void add_column(const double x[6], TmlRow *m)
{
    m->r = v3_add(m->r, v3(x[0], x[1], x[2]));
    m->theta = v3_add(m->theta, v3(x[3], x[4], x[5]));
}

/* m[e] += a_i^T K_ie for one i. */
static void add_curvature_of(int n, int i, const TmlRow *y, const double *K, bool arrow, TmlRow *m)
{
    const int width = 6 * n;
    const double a[6] = {y->r.x, y->r.y, y->r.z, y->theta.x, y->theta.y, y->theta.z};
    // of an arrow only the first row of blocks is stored, and K_i0 is its K_0i transposed
    const bool stored = i == 0 || !arrow;
    for (int e = 0; e < (stored ? n : 1); ++e) {
        const double *k = stored ? K + 6 * i * width + 6 * e : K + 6 * i;
        const int by_row = stored ? width : 1, by_column = stored ? 1 : width;
        double x[6] = {0};
        for (int r = 0; r < 6; ++r) {
            for (int p = 0; p < 6; ++p) {
                x[p] += a[r] * k[r * by_row + p * by_column];
            }
        }
        add_column(x, &m[e]);
    }
}

void tml_curvature_times(int n, const TmlRow *y, const double *K, bool arrow, TmlRow *m)
{
    for (int i = 0; i < n; ++i) {
        add_curvature_of(n, i, &y[i], K, arrow, m);
    }
}

/* Adds K times the accelerations of all ends. */
static void add_curvature(const TmlElementIn *in, const double *K, bool arrow, TmlRow *m)
{
    for (int i = 0; i < in->n_ends; ++i) {
        const TmlRow a = {in->e[i].a, in->e[i].alpha};
        add_curvature_of(in->n_ends, i, &a, K, arrow, m);
    }
}

size_t tml_curvature_size(const TmlConstraint *con)
{
    const size_t n = (size_t)con->n_ends;
    return con->type->arrow ? 36 * n : 36 * n * n;
}

/* Sets what (J8) multiplies P and W by, in room.Gm and room.Gv, for one row of a constraint. */
static void stage_row_prepare(TmlSystem *sys, const TmlConstraint *con, const TmlElementIn *in,
                              int k)
{
    const int n = con->n_ends;
    TmlRow *m = sys->room.Gm + k * n, *v = sys->room.Gv + k * n;
    for (int e = 0; e < n; ++e) {
        m[e] = (TmlRow){v3_neg(m[e].r), v3_neg(m[e].theta)};
        v[e] = (TmlRow){v3_neg(v[e].r), v3_neg(v[e].theta)};
    }
    if (con->type->curvature != NULL) {
        double *K = sys->target->blocks->diag + (size_t)sys->dim.nb * NU * NU;
        double unit[TML_MAX_ROWS] = {0};
        unit[k] = 1.0;
        memset(K, 0, tml_curvature_size(con) * sizeof *K);
        con->type->curvature(in, unit, K);
        add_curvature(in, K, con->type->arrow, m);
    }
}

/* Sets the nu values of (J8) for row k and end e. */
static void stage_row(TmlSystem *sys, int c, int k, int e, TmlCoeffs co, double *y)
{
    const int at = k * sys->model->constraints.at[c].n_ends + e;
    const int end = sys->constraint[c].end0 + e, nu = tml_end_parts(sys, end)->cols;
    TmlFrameMap map = sys->room.map[0];
    tml_end_map(sys, end, co, TML_MAP_ALL, &map);
    memset(y, 0, (size_t)nu * sizeof *y);
    tml_row_times_map(&sys->room.J[at], map.B, nu, y);
    tml_row_times_map(&sys->room.Gm[at], map.P, nu, y);
    tml_row_times_map(&sys->room.Gv[at], map.W, nu, y);
}

/* Sets (J5) for a Pfaffian row and one end: the derivative of A v + b over c_v, its twist through W
 * and its motion through P. */
static void pfaffian_row(TmlSystem *sys, int end, const TmlRow *j, const TmlRow *d, TmlCoeffs co,
                         double *y)
{
    const int nu = tml_end_parts(sys, end)->cols;
    TmlFrameMap map = sys->room.map[0];
    tml_end_map(sys, end, co, TML_MAP_MOTION | TML_MAP_TWIST, &map);
    memset(y, 0, (size_t)nu * sizeof *y);
    tml_row_times_map(j, map.W, nu, y);
    tml_row_times_map(d, map.P, nu, y);
    for (int i = 0; i < nu; ++i) {
        y[i] /= co.v;
    }
}

/* The active rows of one constraint. */
typedef struct RowsWork {
    int row[TML_MAX_ROWS], n;
} RowsWork;

static void rows_prepare(TmlSystem *sys, int c, double t, RowsWork *w)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const TmlElementIn in = tml_constraint_in(sys, c, t);
    const size_t size = (size_t)(con->type->rows * con->n_ends) * sizeof *sys->room.D;
    con->type->jacobian(&in, sys->room.J);
    if (sys->pfaffian[c] != 0) {
        memset(sys->room.D, 0, size);
        if (con->type->velocity_tangent != NULL) {
            con->type->velocity_tangent(&in, sys->room.D);
        }
    }
    w->n = 0;
    for (int k = 0; k < con->type->rows; ++k) {
        if (sys->row_unknown[sys->constraint[c].row0 + k] >= 0) {
            w->row[w->n++] = k;
        }
    }
    if (sys->target->kind == TML_MATRIX_STAGE) {
        con->type->gamma_tangent(&in, sys->room.Gm, sys->room.Gv);
        for (int r = 0; r < w->n; ++r) {
            stage_row_prepare(sys, con, &in, w->row[r]);
        }
    }
}

/* x[cols * n] = T^T J^T of the active rows for end e of n_ends. */
static void rows_dual(const TmlSystem *sys, int end, const RowsWork *w, int e, int n_ends,
                      double *x)
{
    double X[6 * TML_MAX_ROWS];
    for (int r = 0; r < w->n; ++r) {
        const TmlRow *j = &sys->room.J[w->row[r] * n_ends + e];
        X[r] = j->r.x;
        X[w->n + r] = j->r.y;
        X[2 * w->n + r] = j->r.z;
        X[3 * w->n + r] = j->theta.x;
        X[4 * w->n + r] = j->theta.y;
        X[5 * w->n + r] = j->theta.z;
    }
    tml_end_dual(sys, end, X, w->n, x);
}

/* Changes rows that are not J T: those of the stage matrix, and Pfaffian ones. x is as rows_dual
 * gives it. */
static void rows_replace(TmlSystem *sys, int c, TmlCoeffs co, const RowsWork *w, int e, double *x)
{
    const int n = sys->model->constraints.at[c].n_ends, end = sys->constraint[c].end0 + e;
    const bool stage = sys->target->kind == TML_MATRIX_STAGE;
    double *y = sys->room.row[0];
    for (int r = 0; r < w->n; ++r) {
        const int k = w->row[r], at = k * n + e;
        const bool pfaffian = (sys->pfaffian[c] >> k & 1u) != 0;
        if (stage) {
            stage_row(sys, c, k, e, co, y);
        } else if (pfaffian && co.v != 0.0) { // at c_v = 0 the row itself remains
            pfaffian_row(sys, end, &sys->room.J[at], &sys->room.D[at], co, y);
        } else {
            continue;
        }
        for (int i = 0; i < tml_end_parts(sys, end)->cols; ++i) {
            x[i * w->n + r] = y[i];
        }
    }
}

/* (J5), (J8) for one constraint. Its active rows are neighbours in the matrix. */
void tml_rows_blocks(TmlSystem *sys, int c, const TmlState *s, TmlCoeffs co)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const bool user = con->type->work != NULL;
    const bool other = sys->target->kind == TML_MATRIX_STAGE || sys->pfaffian[c] != 0;
    double *x = sys->room.rows, mobility[TML_MAX_ROWS] = {0};
    RowsWork w;
    rows_prepare(sys, c, s->t, &w);
    if (w.n == 0) {
        return;
    }
    const int first = sys->dim.nu + sys->row_unknown[sys->constraint[c].row0 + w.row[0]];
    for (int e = 0; e < con->n_ends; ++e) {
        const int end = sys->constraint[c].end0 + e;
        const TmlParts *p = tml_end_parts(sys, end);
        if (p->cols == 0) {
            continue;
        }
        rows_dual(sys, end, &w, e, con->n_ends, x);
        add_mobility(sys, p, x, w.n, mobility);
        // expressions may switch: what is zero now need not stay so
        tml_emit_columns(sys, p, first, w.n, x, user);
        if (other) {
            rows_replace(sys, c, co, &w, e, x);
        }
        tml_emit_rows(sys, first, w.n, p, x, user || other);
    }
    for (int r = 0; r < w.n; ++r) {
        mobility[r] *= -sys->regularisation;
    }
    tml_emit_diagonal(sys, first, w.n, mobility);
}

double tml_row_length(const TmlSystem *sys, int k)
{
    const TmlCsc *K = &sys->matrix[TML_MATRIX_STEP].K;
    const int at = tml_csc_find(K, sys->dim.nu + k, sys->dim.nu + k);
    return at >= 0 ? sqrt(fabs(K->x[at]) / sys->regularisation) : 0.0;
}
