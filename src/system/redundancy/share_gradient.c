/* system/redundancy/share_gradient.c - derivatives through shared reactions: (R5) of share.h.
 *
 * An equation with the gradient g by the multipliers that it sees has, by those of the rows that
 * are kept, S (1 - Q Q^T) S^-1 g. By the motion, with H(n) = (J^T n)_u at fixed n (geometric and
 * curvature blocks, (J2) and (J3) of jacobian.c):
 *
 *   (R6)  y^T H(S^-1 n_g) + y_g^T H(S^-1 n),   y, y_g in u
 */
#include "system/matrix/blocks.h"
#include "system/redundancy/share.h"

#include "math/vec3.h"

#include <string.h>

enum { NU = TML_BODY_MAX_NU };

/* Sets the values of y[n_cols], scaled, in the columns of an end. body_col holds those of the
 * loop. */
static void gather(const TmlShare *share, const TmlParts *p, const double *y, double *out)
{
    for (int a = 0; a < p->n; ++a) {
        for (int j = p->col[a]; j < p->col[a + 1]; ++j) {
            const int k = share->body_col[p->body[a]] + j - p->col[a];
            out[j] = share->unit[k] * y[k];
        }
    }
}

static void scatter(TmlShare *share, const TmlParts *p, double c_q, const double *x)
{
    for (int a = 0; a < p->n; ++a) {
        for (int j = p->col[a]; j < p->col[a + 1]; ++j) {
            share->turn[share->body_col[p->body[a]] + j - p->col[a]] += c_q * x[j];
        }
    }
}

/* Returns the motion of the frame under u. */
static TmlRow twist_of(const double *T, int cols, const double *u)
{
    double x[6] = {0};
    for (int r = 0; r < 6; ++r) {
        for (int j = 0; j < cols; ++j) {
            x[r] += T[r * cols + j] * u[j];
        }
    }
    return (TmlRow){v3(x[0], x[1], x[2]), v3(x[3], x[4], x[5])};
}

/* x[cols] += u^T G for the geometric block G of an end with wrench w. */
static void add_geometric(TmlSystem *sys, int end, const TmlRow *w, const double *u, double *x)
{
    const int cols = tml_end_parts(sys, end)->cols;
    double *G = sys->room.block;
    memset(G, 0, (size_t)(cols * cols) * sizeof *G);
    tml_end_geometric(sys, end, w, 1.0, G);
    for (int i = 0; i < cols; ++i) {
        for (int j = 0; j < cols; ++j) {
            x[j] += u[i] * G[i * cols + j];
        }
    }
}

/* Adds one term of (R6) for one constraint, with multipliers n[rows] and the motion y. */
static void add_turn(TmlSystem *sys, int c, double t, const double *n, const double *y, double c_q)
{
    static const TmlCoeffs position = {.q = 1.0};
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const TmlElementIn in = tml_constraint_in(sys, c, t);
    const int end0 = sys->constraint[c].end0;
    double *K = sys->target->blocks->diag + (size_t)sys->dim.nb * NU * NU; // scratch
    TmlRow *twist = sys->room.Gv, *m = sys->room.Gm;                       // one for each end
    TmlFrameMap map = sys->room.map[0];
    double *u = sys->room.row[0], *x = sys->room.row[1];
    for (int e = 0; e < con->n_ends; ++e) {
        const TmlParts *p = tml_end_parts(sys, end0 + e);
        twist[e] = m[e] = (TmlRow){{0, 0, 0}, {0, 0, 0}};
        if (p->cols > 0) {
            gather(sys->share, p, y, u);
            tml_end_map(sys, end0 + e, position, TML_MAP_MOTION, &map);
            twist[e] = twist_of(map.P, p->cols, u);
        }
    }
    if (con->type->curvature != NULL) {
        memset(K, 0, tml_curvature_size(con) * sizeof *K);
        con->type->curvature(&in, n, K);
        tml_curvature_times(con->n_ends, twist, K, con->type->arrow, m);
    }
    con->type->jacobian(&in, sys->room.J);
    for (int e = 0; e < con->n_ends; ++e) {
        const TmlParts *p = tml_end_parts(sys, end0 + e);
        TmlRow w = {{0, 0, 0}, {0, 0, 0}};
        if (p->cols == 0) {
            continue;
        }
        for (int k = 0; k < con->type->rows; ++k) {
            const TmlRow *j = &sys->room.J[k * con->n_ends + e];
            w.r = v3_axpy(n[k], j->r, w.r);
            w.theta = v3_axpy(n[k], j->theta, w.theta);
        }
        memset(x, 0, (size_t)p->cols * sizeof *x);
        tml_end_map(sys, end0 + e, position, TML_MAP_MOTION, &map);
        tml_row_times_map(&m[e], map.P, p->cols, x);
        gather(sys->share, p, y, u);
        add_geometric(sys, end0 + e, &w, u, x);
        scatter(sys->share, p, c_q, x);
    }
}

/* Adds (R6) for one loop to share->turn. */
static void loop_turns(TmlSystem *sys, const TmlShareGroup *group, double t, double c_q)
{
    TmlShare *share = sys->share;
    double a[TML_MAX_ROWS], b[TML_MAX_ROWS];
    int r = group->row0;
    for (int i = 0; i < group->n_bodies; ++i) {
        share->body_col[group->body[i]] = group->col0[i];
    }
    for (int i = 0; i < group->n_constraints; ++i) {
        const int c = group->constraint[i], rows = sys->model->constraints.at[c].type->rows;
        for (int k = 0; k < rows; ++k, ++r) {
            a[k] = share->n_g[r] / share->size[r];
            b[k] = share->open_part[r] / share->size[r];
        }
        add_turn(sys, c, t, a, share->y, c_q);
        add_turn(sys, c, t, b, share->y_g, c_q);
    }
}

/* Sets g and n_g, and, for derivatives by the motion, y, y_g and share->turn. */
static void prepare(TmlSystem *sys, const TmlState *s, int k, const double *gu, double c_q)
{
    TmlShare *share = sys->share;
    const TmlEquation *eq = &sys->equation[k];
    tml_share_seen(share, s);
    memset(share->g, 0, (size_t)share->n_rows * sizeof *share->g);
    for (int i = 0; i < eq->binding->n_unknowns; ++i) {
        const int r = tml_share_row(sys, eq, i);
        if (r >= 0) {
            share->g[r] += gu[i] / share->size[r];
        }
    }
    tml_share_open_part(share, share->g, share->n_g);
    for (int r = 0; r < share->n_rows; ++r) {
        share->g[r] -= share->n_g[r];
    }
    memset(share->turn, 0, (size_t)share->n_cols * sizeof *share->turn);
    if (c_q == 0.0 || !share->factored) {
        return;
    }
    tml_share_motion(share, share->g, share->y_g);
    if (!share->moved) {
        for (int r = 0; r < share->n_rows; ++r) {
            share->x[r] = share->size[r] * share->seen[share->row[r]];
        }
        tml_share_motion(share, share->x, share->y);
        share->moved = true;
    }
    for (int i = share->first_read[k]; i < share->first_read[k + 1]; ++i) {
        loop_turns(sys, &share->group[share->read[i]], s->t, c_q);
    }
}

void tml_share_blocks(TmlSystem *sys, const TmlState *s, int k, const double *gu, double sign,
                      TmlCoeffs c)
{
    TmlShare *share = sys->share;
    const int row = sys->dim.nu + sys->dim.m + k;
    prepare(sys, s, k, gu, c.q);
    for (int i = share->first_read[k]; i < share->first_read[k + 1]; ++i) {
        const TmlShareGroup *group = &share->group[share->read[i]];
        for (int r = group->row0; r < group->row0 + group->n_rows; ++r) {
            const int active = sys->row_unknown[share->row[r]];
            if (active >= 0) {
                const double x = sign * share->g[r] * share->size[r];
                tml_emit(sys, row, 1, sys->dim.nu + active, 1, &x, true);
            }
        }
        for (int b = 0; b < group->n_bodies; ++b) {
            const int body = group->body[b], nu = sys->dim.span[body].nu;
            double x[NU];
            for (int j = 0; j < nu; ++j) {
                x[j] = sign * share->turn[group->col0[b] + j];
            }
            tml_emit(sys, row, 1, sys->dim.span[body].u0, nu, x, true);
        }
    }
}
