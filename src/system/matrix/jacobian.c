/* system/matrix/jacobian.c - the blocks of the Newton matrix and of the stage matrix.
 *
 * With c_a, c_v, c_q the derivatives of q'', q', q by the unknown acceleration, T the map from u to
 * a frame's motion, P = c_q T, W and B the maps to its twist and acceleration:
 *
 *   (J1)  body       tangent of inertia and weight
 *   (J2)  geometric  c_q (T^T w)_u for the total wrench w on an end
 *   (J3)  curvature  T_i^T K_ij P_j, K = (sum lambda J)' of a constraint
 *   (J4)  force      -T_i^T (Kq_ij P_j + Kv_ij W_j)
 *   (J5)  rows       of constraints: jacobian_rows.c
 *   (J6)  equations  gradient by q P + by v W + by a B, by the other unknowns
 *   (J7)  F          -T^T (dw/dF)
 *   (J9)  flexible elements: (F2) of flex.h
 *   (J10) modal bodies: derivatives of (MO6) to (MO8) of model/modal/modal.h
 */
#include "system/contact/touching.h"
#include "system/flexible/flex.h"
#include "system/matrix/blocks.h"
#include "system/modal/modal_bodies.h"

#include "base/clock.h"
#include "math/vec3.h"
#include "system/redundancy/share.h"

#include <string.h>

enum { NU = TML_BODY_MAX_NU };

static int body_nu(const TmlSystem *sys, int body)
{
    return sys->dim.span[body].nu;
}

/* X[6][nj] = scale * (K block (i, j) of a matrix of n ends) * M[6][nj], added. Most entries of K
 * are zero (a joint's curvature couples rotations only). */
static void mul_add(const double *K, int n, int i, int j, double scale, const double *M, int nj,
                    double *X)
{
    for (int r = 0; r < 6; ++r) {
        const double *k = K + (6 * i + r) * 6 * n + 6 * j;
        for (int p = 0; p < 6; ++p) {
            const double x = scale * k[p];
            if (x != 0.0) {
                for (int c = 0; c < nj; ++c) {
                    X[r * nj + c] += x * M[p * nj + c];
                }
            }
        }
    }
}

/* Hands over a block between the owners of two ends. X holds the 6 x n_j wrenches on the first. */
static void pair_block(TmlSystem *sys, int end_i, int end_j, const double *X, bool fixed)
{
    const TmlParts *pi = tml_end_parts(sys, end_i), *pj = tml_end_parts(sys, end_j);
    tml_end_dual(sys, end_i, X, pj->cols, sys->room.block);
    tml_parts_block(sys, pi, pj, sys->room.block, fixed);
}

/* Hands over one block of turning_blocks; k holds the rotations in block (i, j) of a matrix with
 * `width` columns. */
static void turning_block(TmlSystem *sys, int bi, int bj, const double *k, int width, double c_q)
{
    if (bi == bj) {
        double *d = sys->target->blocks->diag + (size_t)bi * NU * NU + 3 * NU + 3;
        for (int r = 0; r < 3; ++r) {
            for (int p = 0; p < 3; ++p) {
                d[r * NU + p] += c_q * k[r * width + p];
            }
        }
        return;
    }
    double block[9];
    for (int r = 0; r < 3; ++r) {
        for (int p = 0; p < 3; ++p) {
            block[3 * r + p] = c_q * k[r * width + p];
        }
    }
    tml_emit(sys, sys->dim.span[bi].u0 + 3, 3, sys->dim.span[bj].u0 + 3, 3, block, false);
}

/* Hands over (J3) of ends that turn with their bodies, for a matrix K of n ends that couples
 * rotations only: T is the identity there. */
static void turning_blocks(TmlSystem *sys, int end0, int n, const double *K, double c_q)
{
    const int width = 6 * n;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            if (tml_end_parts(sys, end0 + i)->cols > 0 && tml_end_parts(sys, end0 + j)->cols > 0) {
                turning_block(sys, sys->end[end0 + i].body, sys->end[end0 + j].body,
                              K + (6 * i + 3) * width + 6 * j + 3, width, c_q);
            }
        }
    }
}

/* Tells whether the frames of these ends turn just as their bodies do (or not at all). */
static bool ends_turn(const TmlSystem *sys, int end0, int n)
{
    for (int e = 0; e < n; ++e) {
        const TmlEnd *end = &sys->end[end0 + e];
        const bool turns = end->point == 0 && sys->model->bodies.at[end->body].type->turns;
        if (tml_end_parts(sys, end0 + e)->cols > 0 && !turns) {
            return false;
        }
    }
    return true;
}

/* Tells whether only accelerations count in the matrix, so that (J3) and (J4) are zero and no element need make its own: matrices
 * of (A1) and (P1). Their pattern is found with all parts there. */
static bool counts_accelerations_only(const TmlSystem *sys, TmlCoeffs c)
{
    return c.q == 0.0 && c.v == 0.0 && sys->target->blocks->pass == TML_PASS_ADD;
}

/* Hands over zeros in the places of (J3) and (J4) of an element with n ends that start at end0. */
static void zero_blocks(TmlSystem *sys, int end0, int n, bool fixed)
{
    double *block = sys->room.block;
    for (int j = 0; j < n; ++j) {
        const TmlParts *pj = tml_end_parts(sys, end0 + j);
        for (int i = 0; i < n && pj->cols > 0; ++i) {
            const TmlParts *pi = tml_end_parts(sys, end0 + i);
            if (pi->cols > 0) {
                memset(block, 0, (size_t)pi->cols * (size_t)pj->cols * sizeof *block);
                tml_parts_block(sys, pi, pj, block, fixed);
            }
        }
    }
}

/* Hands over (J3) and (J4), the q-part and the v-part of an element with n ends that start at end0.
 * Kv NULL stands for none. */
static void element_blocks(TmlSystem *sys, int end0, int n, const double *Kq, const double *Kv,
                           double sign, TmlCoeffs c, bool fixed)
{
    TmlFrameMap map = sys->room.map[0];
    double *X = sys->room.X;
    for (int j = 0; j < n; ++j) {
        const int nj = tml_end_parts(sys, end0 + j)->cols;
        if (nj == 0) {
            continue;
        }
        tml_end_map(sys, end0 + j, c, Kv != NULL ? TML_MAP_MOTION | TML_MAP_TWIST : TML_MAP_MOTION,
                    &map);
        for (int i = 0; i < n; ++i) {
            if (tml_end_parts(sys, end0 + i)->cols == 0) {
                continue;
            }
            memset(X, 0, (size_t)(6 * nj) * sizeof *X);
            mul_add(Kq, n, i, j, sign, map.P, nj, X);
            if (Kv != NULL) {
                mul_add(Kv, n, i, j, sign, map.W, nj, X);
            }
            pair_block(sys, end0 + i, end0 + j, X, fixed);
        }
    }
}

/* Hands over (J3) where K couples the first end with the others and with itself only. The pattern
 * holds all of it, whichever ends count at the moment. */
static void arrow_blocks(TmlSystem *sys, int end0, int n, const double *K, TmlCoeffs c)
{
    TmlFrameMap map = sys->room.map[0], first = sys->room.map[1];
    double *X = sys->room.X, transposed[36];
    const int n0 = tml_end_parts(sys, end0)->cols;
    tml_end_map(sys, end0, c, TML_MAP_MOTION, &first);
    for (int e = 0; e < n; ++e) {
        const int ne = tml_end_parts(sys, end0 + e)->cols;
        if (ne == 0) {
            continue;
        }
        tml_end_map(sys, end0 + e, c, TML_MAP_MOTION, &map);
        memset(X, 0, (size_t)(6 * ne) * sizeof *X);
        mul_add(K, n, 0, e, 1.0, map.P, ne, X);
        pair_block(sys, end0, end0 + e, X, true);
        if (e > 0) {
            for (int i = 0; i < 36; ++i) {
                transposed[i] = K[(i % 6) * 6 * n + 6 * e + i / 6];
            }
            memset(X, 0, (size_t)(6 * n0) * sizeof *X);
            mul_add(transposed, 1, 0, 0, 1.0, first.P, n0, X);
            pair_block(sys, end0 + e, end0, X, true);
        }
    }
}

static void constraints_blocks(TmlSystem *sys, const TmlState *s, TmlCoeffs c)
{
    const TmlModel *m = sys->model;
    // scratch behind the diagonals
    double *K = sys->target->blocks->diag + (size_t)sys->dim.nb * NU * NU;
    double lambda[TML_MAX_ROWS];
    const bool none = counts_accelerations_only(sys, c);
    for (int k = 0; k < m->constraints.n; ++k) {
        const TmlConstraint *con = &m->constraints.at[k];
        const int n = con->n_ends;
        if (con->type->curvature != NULL) {
            const TmlElementIn in = tml_constraint_in(sys, k, s->t);
            for (int i = 0; i < con->type->rows; ++i) {
                const int row = sys->constraint[k].row0 + i;
                lambda[i] = sys->row_unknown[row] >= 0 ? s->lambda[row] : 0.0;
            }
            memset(K, 0, tml_curvature_size(con) * sizeof *K);
            if (!none) {
                con->type->curvature(&in, lambda, K);
            }
            const int end0 = sys->constraint[k].end0;
            if (con->type->arrow) {
                arrow_blocks(sys, end0, n, K, c);
            } else if (con->type->turns_only && ends_turn(sys, end0, n)) {
                turning_blocks(sys, end0, n, K, c.q);
            } else if (none) {
                zero_blocks(sys, end0, n, con->type->work != NULL);
            } else {
                element_blocks(sys, end0, n, K, NULL, 1.0, c, con->type->work != NULL);
            }
        }
        tml_rows_blocks(sys, k, s, c);
    }
}

static void forces_blocks(TmlSystem *sys, const TmlState *s, TmlCoeffs c)
{
    const TmlModel *m = sys->model;
    double *Kq = sys->target->blocks->diag + (size_t)sys->dim.nb * NU * NU;
    const bool none = counts_accelerations_only(sys, c);
    for (int f = 0; f < m->forces.n; ++f) {
        const TmlForce *force = &m->forces.at[f];
        const TmlElementIn in = tml_force_in(sys, s, f);
        const int n = force->n_ends, end0 = sys->force[f].end0;
        double *Kv = Kq + 36 * n * n;
        if (force->type->tangent != NULL && none) {
            zero_blocks(sys, end0, n, true);
        } else if (force->type->tangent != NULL) {
            memset(Kq, 0, (size_t)(72 * n * n) * sizeof *Kq);
            force->type->tangent(&in, Kq, Kv);
            element_blocks(sys, end0, n, Kq, Kv, -1.0, c, true); // (J4)
        }
        if (force->n_f > 0) {
            TmlRow P[TML_MAX_OWN * TML_MAX_ENDS];
            force->type->f_map(&in, P);
            for (int k = 0; k < force->n_f; ++k) {
                const int col = sys->dim.n - sys->dim.nf + sys->force[f].row0 + k;
                for (int e = 0; e < n; ++e) {
                    const TmlParts *p = tml_end_parts(sys, end0 + e);
                    double *x = sys->room.row[0];
                    tml_end_dual_one(sys, end0 + e, &P[k * n + e], x);
                    for (int i = 0; i < p->cols; ++i) {
                        x[i] = -x[i]; // (J7)
                    }
                    tml_emit_columns(sys, p, col, 1, x, true);
                }
            }
        }
    }
}

/* (J6) */
static void equation_blocks(TmlSystem *sys, const TmlState *s, int k, TmlCoeffs c, double c_x,
                            bool unit_row)
{
    const bool plain = unit_row || tml_equation_is_held(sys, s, k);
    const TmlEquation *eq = &sys->equation[k];
    const TmlBinding *b = eq->binding;
    const int row = sys->dim.nu + sys->dim.m + k;
    const bool implicit = tml_equation_is_implicit(sys, k);
    const double sign = plain ? 0.0 : implicit ? 1.0 : -1.0;
    // the diagonal has its place in every row
    const bool given = !implicit || plain || sys->target->blocks->pass != TML_PASS_ADD;
    const double diagonal = given ? 1.0 : 0.0;
    double u[TML_BIND_MAX_UNKNOWNS], gu[TML_BIND_MAX_UNKNOWNS];
    TmlRow gq[TML_MAX_ENDS], gv[TML_MAX_ENDS], ga[TML_MAX_ENDS];
    TmlBindGrad g = {.q = gq, .v = gv, .a = ga, .u = gu};
    const TmlBindIn in = tml_equation_in(sys, s, eq, u);
    tml_binding_gradient(b, &in, &g);
    for (int e = 0; e < b->n_ends; ++e) {
        const TmlParts *p = tml_end_parts(sys, eq->end0 + e);
        const int nu = p->cols;
        TmlFrameMap map = sys->room.map[0];
        double *x = sys->room.row[0];
        if (nu == 0) {
            continue;
        }
        memset(x, 0, (size_t)nu * sizeof *x);
        tml_end_map(sys, eq->end0 + e, c, TML_MAP_ALL, &map);
        tml_row_times_map(&gq[e], map.P, nu, x);
        tml_row_times_map(&gv[e], map.W, nu, x);
        tml_row_times_map(&ga[e], map.B, nu, x);
        for (int i = 0; i < nu; ++i) {
            x[i] *= sign;
        }
        tml_emit_rows(sys, row, 1, p, x, true);
    }
    for (int i = 0; i < b->n_unknowns; ++i) {
        const bool shared = eq->shared && tml_share_row(sys, eq, i) >= 0;
        if (eq->column[i] >= 0 && !shared) {
            const double x = sign * gu[i] * (eq->is_state[i] ? c_x : 1.0);
            tml_emit(sys, row, 1, eq->column[i], 1, &x, true);
        }
    }
    if (eq->shared) {
        tml_share_blocks(sys, s, k, gu, sign, c);
    }
    tml_contact_rates_emit(sys, eq, row, gu, sign, c, c_x);
    tml_emit(sys, row, 1, row, 1, &diagonal, true);
}

/* Hands over (J1) and (J2), then what the elements have added to the diagonal blocks. */
static void bodies_blocks(TmlSystem *sys, const TmlState *s, TmlCoeffs c)
{
    const TmlModel *m = sys->model;
    double *diag = sys->target->blocks->diag;
    for (int k = 0; k < sys->n_ends_loop; ++k) {
        const TmlParts *p = tml_end_parts(sys, k);
        if (sys->end[k].point > 0 && tml_touching_has_end(sys, k)) {
            continue; // tml_touching_blocks has done that
        }
        if (sys->end[k].point > 0) {
            double *K = sys->room.block;
            memset(K, 0, (size_t)(p->cols * p->cols) * sizeof *K);
            tml_end_geometric(sys, k, &sys->wrench[k], c.q, K);
            tml_parts_block(sys, p, p, K, true);
        } else if (p->n == 1) {
            tml_end_geometric(sys, k, &sys->wrench[k], c.q, diag + (size_t)p->body[0] * NU * NU);
        }
    }
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int q0 = sys->dim.span[b].q0, nu = body_nu(sys, b);
        const TmlBodyIn in = {m->bodies.at[b].data, s->q + q0, s->v + q0, s->a + q0};
        double *d = diag + (size_t)b * NU * NU;
        m->bodies.at[b].type->tangent(&in, &sys->body[b], c, d);
        tml_emit(sys, sys->dim.span[b].u0, nu, sys->dim.span[b].u0, nu, d, false);
    }
}

void tml_blocks_all(TmlSystem *sys, const TmlState *s, TmlCoeffs c, double c_x, bool plain)
{
    sys->target->blocks->cursor = 0;
    memset(sys->target->blocks->diag, 0, (size_t)sys->dim.nb * NU * NU * sizeof(double));
    constraints_blocks(sys, s, c);
    forces_blocks(sys, s, c);
    if (sys->touching != NULL) {
        tml_touching_blocks(sys, c, c_x, plain);
    }
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        equation_blocks(sys, s, k, c, c_x, plain);
    }
    if (sys->flex != NULL) {
        tml_flex_blocks(sys, c);
    }
    if (sys->modal != NULL) {
        tml_modal_blocks(sys, c); // (J10)
    }
    bodies_blocks(sys, s, c);
}

static void assemble(TmlSystem *sys, TmlMatrixKind kind, const TmlState *s, TmlCoeffs c, double c_x,
                     bool plain)
{
    const double start = tml_clock();
    sys->cq = c.q;
    sys->target = &sys->matrix[kind];
    TmlCsc *K = &sys->target->K;
    memset(K->x, 0, (size_t)K->start[K->cols] * sizeof *K->x);
    tml_blocks_all(sys, s, c, c_x, plain);
    sys->stats.jacobians++;
    sys->stats.seconds_jacobian += tml_clock() - start;
}

void tml_system_jacobian(TmlSystem *sys, const TmlState *s, TmlCoeffs c, double c_x)
{
    assemble(sys, TML_MATRIX_STEP, s, c, c_x, false);
}

void tml_system_jacobian_plain(TmlSystem *sys, const TmlState *s, TmlCoeffs c)
{
    assemble(sys, TML_MATRIX_STEP, s, c, 0.0, true);
}

void tml_system_stage_jacobian(TmlSystem *sys, const TmlState *s, TmlCoeffs c, double c_x)
{
    c.chart = TML_CHART_ROTATION;
    assemble(sys, TML_MATRIX_STAGE, s, c, c_x, false);
}
