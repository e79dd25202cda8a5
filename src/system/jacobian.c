/* system/jacobian.c - the matrix of the Newton iteration: blocks, pattern, scatter maps.
 *
 * With c_a, c_v, c_q the derivatives of q'', q', q by the unknown acceleration, T the map from u to
 * a frame's motion, P = c_q T, W and B the maps to its twist and acceleration:
 *
 *   (J1)  body       tangent of inertia and weight
 *   (J2)  geometric  c_q (T^T w)_u for the total wrench w on an end
 *   (J3)  curvature  T_i^T K_ij P_j, K = (sum lambda J)' of a constraint
 *   (J4)  force      -T_i^T (Kq_ij P_j + Kv_ij W_j)
 *   (J5)  rows       J T and its transpose; Pfaffian rows add (c_q / c_v) (A v + b)_q T;
 *                    -e (J W^-1 J^T)_kk on the diagonal, e = 1e-10: at a singular position the
 *                    motion that has lost its constraint is then left to inertia for the moment of
 *                    passage. It does not move the solution, only the rate of convergence (by e)
 *   (J6)  equations  gradient by q P + by v W + by a B, by the other unknowns
 *   (J7)  F          -T^T (dw/dF)
 *
 * One routine computes all small dense blocks in a fixed order and hands each to `emit`. The first
 * passes, at random states, only mark which entries can be non-zero (joints are polynomials in the
 * axes, so an entry that is zero at random states is zero always; forces and expressions count as
 * full since they may switch). From the marks come the pattern and, in the same order, the map from
 * block entries to matrix entries. Later passes add through the map.
 */
#include "system/system.h"

#include "base/clock.h"
#include "base/fail.h"
#include "math/vec3.h"

#include <string.h>

enum { NU = TML_BODY_MAX_NU };

typedef enum Pass { PASS_COUNT, PASS_PROBE, PASS_ADD } Pass;

struct TmlBlocks {
    Pass pass;
    size_t cursor, size;   /* entries of all blocks, in order of emission */
    int *map;              /* size: place in K.x, or -1 */
    unsigned char *mark;   /* size: can be non-zero; only while building */
    int *row, *col;        /* size: place in the matrix; only while building */
    double *diag;          /* nb * NU * NU: blocks of bodies with themselves */
};

/* A dense block with nr rows and nc columns, row major; fixed: the entries may become non-zero
 * even if they are zero now. */
static void emit(TmlSystem *sys, int row0, int nr, int col0, int nc, const double *x, bool fixed)
{
    TmlBlocks *b = sys->blocks;
    const size_t count = (size_t)(nr * nc), at = b->cursor;
    b->cursor += count;
    if (b->pass == PASS_ADD) {
        const int *map = b->map + at;
        for (size_t k = 0; k < count; ++k) {
            if (map[k] >= 0) {
                sys->K.x[map[k]] += x[k];
            }
        }
    } else if (b->pass == PASS_PROBE) {
        for (int i = 0; i < nr; ++i) {
            for (int j = 0; j < nc; ++j) {
                const size_t k = at + (size_t)(i * nc + j);
                b->mark[k] |= (unsigned char)(fixed || x[i * nc + j] != 0.0);
                b->row[k] = row0 + i;
                b->col[k] = col0 + j;
            }
        }
    }
}

static int body_nu(const TmlSystem *sys, int body)
{
    return sys->u0[body + 1] - sys->u0[body];
}

/* T^T w of one end: nu values. */
static void end_dual(const TmlSystem *sys, int end, const TmlRow *w, double *x)
{
    const int b = sys->end[end].body;
    memset(x, 0, (size_t)NU * sizeof *x);
    sys->model->bodies.at[b].type->frame_wrench(&sys->body[b], &sys->end[end], w, x);
}

/* block[nu_i][nu_j] = T_i^T X, X 6 x nu_j. */
static void dual_columns(const TmlSystem *sys, int end_i, const double *X, int nj, double *block)
{
    const int ni = body_nu(sys, sys->end[end_i].body);
    for (int c = 0; c < nj; ++c) {
        const TmlRow w = {{X[c], X[nj + c], X[2 * nj + c]},
                          {X[3 * nj + c], X[4 * nj + c], X[5 * nj + c]}};
        double x[NU];
        end_dual(sys, end_i, &w, x);
        for (int r = 0; r < ni; ++r) {
            block[r * nj + c] = x[r];
        }
    }
}

/* X[6][nj] = scale * (K block (i, j) of a matrix of n ends) * M[6][nj], added. Most entries of K are
 * zero (a joint's curvature couples rotations only). */
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

static void frame_map(const TmlSystem *sys, int end, TmlCoeffs c, unsigned what, TmlFrameMap *out)
{
    const int b = sys->end[end].body;
    sys->model->bodies.at[b].type->frame_map(&sys->body[b], &sys->end[end], c, what, out);
}

/* A block between the bodies of two ends: collected per body on the diagonal, emitted off it. */
static void pair_block(TmlSystem *sys, int end_i, int end_j, const double *X, bool fixed)
{
    const int bi = sys->end[end_i].body, bj = sys->end[end_j].body;
    const int ni = body_nu(sys, bi), nj = body_nu(sys, bj);
    double block[NU * NU];
    dual_columns(sys, end_i, X, nj, block);
    if (bi == bj) {
        double *d = sys->blocks->diag + (size_t)bi * NU * NU;
        for (int k = 0; k < ni * nj; ++k) {
            d[k] += block[k];
        }
        if (fixed && sys->blocks->pass != PASS_ADD) {
            for (int k = 0; k < ni * nj; ++k) {
                d[k] += 1.0; // marks the entry while probing
            }
        }
    } else {
        emit(sys, sys->u0[bi], ni, sys->u0[bj], nj, block, fixed);
    }
}

/* (J3), (J4): K q-part and v-part of an element with n ends starting at end0. Kv NULL: none. */
static void element_blocks(TmlSystem *sys, int end0, int n, const double *Kq, const double *Kv,
                           double sign, TmlCoeffs c, bool fixed)
{
    TmlFrameMap map;
    double X[6 * NU];
    for (int j = 0; j < n; ++j) {
        const int bj = sys->end[end0 + j].body, nj = body_nu(sys, bj);
        if (bj == TML_GROUND) {
            continue;
        }
        frame_map(sys, end0 + j, c, Kv != NULL ? TML_MAP_MOTION | TML_MAP_TWIST : TML_MAP_MOTION,
                  &map);
        for (int i = 0; i < n; ++i) {
            if (sys->end[end0 + i].body == TML_GROUND) {
                continue;
            }
            memset(X, 0, sizeof X);
            mul_add(Kq, n, i, j, sign, map.P, nj, X);
            if (Kv != NULL) {
                mul_add(Kv, n, i, j, sign, map.W, nj, X);
            }
            pair_block(sys, end0 + i, end0 + j, X, fixed);
        }
    }
}

void tml_constraint_rows(TmlSystem *sys, int c, double t, TmlRow *J, double *Ju)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const TmlElementIn in = tml_constraint_in(sys, c, t);
    con->type->jacobian(&in, J);
    for (int k = 0; k < con->type->rows * con->n_ends; ++k) {
        end_dual(sys, sys->constraint[c].end0 + k % con->n_ends, &J[k], Ju + (size_t)k * NU);
    }
}

static const double regularisation = 1e-10;

/* (J W^-1 J^T)_kk of one row, W a diagonal metric close to M. */
static double row_mobility(const TmlSystem *sys, int c, int k, const double *Ju)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    double sum = 0.0;
    for (int e = 0; e < con->n_ends; ++e) {
        const int b = sys->end[sys->constraint[c].end0 + e].body;
        const double *x = Ju + (size_t)(k * con->n_ends + e) * NU;
        for (int i = sys->u0[b]; i < sys->u0[b + 1]; ++i) {
            sum += x[i - sys->u0[b]] * x[i - sys->u0[b]] * sys->inverse_mass[i];
        }
    }
    return sum;
}

/* (J5) for one constraint. D: derivative of Pfaffian rows by the motions, already times T. */
static void constraint_rows_blocks(TmlSystem *sys, int c, const TmlState *s, TmlCoeffs co)
{
    const TmlConstraint *con = &sys->model->constraints.at[c];
    const int n = con->n_ends, row0 = sys->constraint[c].row0, end0 = sys->constraint[c].end0;
    TmlRow J[TML_MAX_ROWS * TML_MAX_ENDS], D[TML_MAX_ROWS * TML_MAX_ENDS];
    double Ju[TML_MAX_ROWS * TML_MAX_ENDS * NU];
    const uint32_t pfaffian = sys->pfaffian[c];
    const bool user = con->type->work != NULL; // expressions may switch
    tml_constraint_rows(sys, c, s->t, J, Ju);
    if (pfaffian != 0 && con->type->velocity_tangent != NULL) {
        const TmlElementIn in = tml_constraint_in(sys, c, s->t);
        con->type->velocity_tangent(&in, D);
    }
    for (int k = 0; k < con->type->rows; ++k) {
        const int active = sys->row_unknown[row0 + k];
        if (active < 0) {
            continue;
        }
        const double delta = -regularisation * row_mobility(sys, c, k, Ju);
        emit(sys, sys->nu + active, 1, sys->nu + active, 1, &delta, true);
        for (int e = 0; e < n; ++e) {
            const int b = sys->end[end0 + e].body, nb = body_nu(sys, b);
            double *x = Ju + (size_t)(k * n + e) * NU;
            if (b == TML_GROUND) {
                continue;
            }
            emit(sys, sys->u0[b], nb, sys->nu + active, 1, x, user);
            if ((pfaffian >> k & 1u) != 0) {
                // derivative of A v + b over c_v: twist through W, motion through P
                TmlFrameMap map;
                double y[NU];
                frame_map(sys, end0 + e, co, TML_MAP_MOTION | TML_MAP_TWIST, &map);
                const double scale = co.v != 0.0 ? 1.0 / co.v : 0.0;
                const TmlRow *j = &J[k * n + e], *d = &D[k * n + e];
                const double jr[6] = {j->r.x, j->r.y, j->r.z, j->theta.x, j->theta.y, j->theta.z};
                const double dr[6] = {d->r.x, d->r.y, d->r.z, d->theta.x, d->theta.y, d->theta.z};
                for (int i = 0; i < nb; ++i) {
                    double sum = 0.0;
                    for (int p = 0; p < 6; ++p) {
                        sum += jr[p] * map.W[p * nb + i];
                        sum += con->type->velocity_tangent != NULL ? dr[p] * map.P[p * nb + i] : 0;
                    }
                    y[i] = co.v != 0.0 ? scale * sum : x[i];
                }
                emit(sys, sys->nu + active, 1, sys->u0[b], nb, y, true);
            } else {
                emit(sys, sys->nu + active, 1, sys->u0[b], nb, x, user);
            }
        }
    }
}

static void constraints_blocks(TmlSystem *sys, const TmlState *s, TmlCoeffs c)
{
    const TmlModel *m = sys->model;
    double *K = sys->blocks->diag + (size_t)sys->nb * NU * NU; // scratch behind the diagonals
    double lambda[TML_MAX_ROWS];
    for (int k = 0; k < m->constraints.n; ++k) {
        const TmlConstraint *con = &m->constraints.at[k];
        const int n = con->n_ends;
        if (con->type->curvature != NULL) {
            const TmlElementIn in = tml_constraint_in(sys, k, s->t);
            for (int i = 0; i < con->type->rows; ++i) {
                const int row = sys->constraint[k].row0 + i;
                lambda[i] = sys->row_unknown[row] >= 0 ? s->lambda[row] : 0.0;
            }
            memset(K, 0, (size_t)(36 * n * n) * sizeof *K);
            con->type->curvature(&in, lambda, K);
            element_blocks(sys, sys->constraint[k].end0, n, K, NULL, 1.0, c,
                           con->type->work != NULL);
        }
        constraint_rows_blocks(sys, k, s, c);
    }
}

static void forces_blocks(TmlSystem *sys, const TmlState *s, TmlCoeffs c)
{
    const TmlModel *m = sys->model;
    double *Kq = sys->blocks->diag + (size_t)sys->nb * NU * NU;
    for (int f = 0; f < m->forces.n; ++f) {
        const TmlForce *force = &m->forces.at[f];
        const TmlElementIn in = tml_force_in(sys, s, f);
        const int n = force->n_ends, end0 = sys->force[f].end0;
        double *Kv = Kq + 36 * n * n;
        if (force->type->tangent != NULL) {
            memset(Kq, 0, (size_t)(72 * n * n) * sizeof *Kq);
            force->type->tangent(&in, Kq, Kv);
            element_blocks(sys, end0, n, Kq, Kv, -1.0, c, true); // (J4)
        }
        if (force->n_f > 0) {
            TmlRow P[TML_MAX_OWN * TML_MAX_ENDS];
            force->type->f_map(&in, P);
            for (int k = 0; k < force->n_f; ++k) {
                const int col = sys->n - sys->nf + sys->force[f].row0 + k;
                for (int e = 0; e < n; ++e) {
                    const int b = sys->end[end0 + e].body;
                    double x[NU];
                    if (b == TML_GROUND) {
                        continue;
                    }
                    end_dual(sys, end0 + e, &P[k * n + e], x);
                    for (int i = 0; i < NU; ++i) {
                        x[i] = -x[i]; // (J7)
                    }
                    emit(sys, sys->u0[b], body_nu(sys, b), col, 1, x, true);
                }
            }
        }
    }
}

/* out[nu] = g . M for a frame map M. */
static void row_times_map(const TmlRow *g, const double *M, int nu, double *out)
{
    const double x[6] = {g->r.x, g->r.y, g->r.z, g->theta.x, g->theta.y, g->theta.z};
    for (int c = 0; c < nu; ++c) {
        for (int p = 0; p < 6; ++p) {
            out[c] += x[p] * M[p * nu + c];
        }
    }
}

/* (J6) */
static void equation_blocks(TmlSystem *sys, const TmlState *s, int k, TmlCoeffs c, double c_x)
{
    const TmlEquation *eq = &sys->equation[k];
    const TmlBinding *b = eq->binding;
    const int row = sys->nu + sys->m + k;
    const bool implicit = k < sys->nx && sys->model->states.at[k].implicit;
    const double sign = implicit ? 1.0 : -1.0, one = 1.0;
    double u[TML_BIND_MAX_UNKNOWNS], gu[TML_BIND_MAX_UNKNOWNS];
    TmlRow gq[TML_MAX_ENDS], gv[TML_MAX_ENDS], ga[TML_MAX_ENDS];
    TmlBindGrad g = {.q = gq, .v = gv, .a = ga, .u = gu};
    const TmlBindIn in = tml_equation_in(sys, s, eq, u);
    tml_binding_gradient(b, &in, &g);
    for (int e = 0; e < b->n_ends; ++e) {
        const int body = sys->end[eq->end0 + e].body, nu = body_nu(sys, body);
        TmlFrameMap map;
        double x[NU] = {0};
        if (body == TML_GROUND) {
            continue;
        }
        frame_map(sys, eq->end0 + e, c, TML_MAP_ALL, &map);
        row_times_map(&gq[e], map.P, nu, x);
        row_times_map(&gv[e], map.W, nu, x);
        row_times_map(&ga[e], map.B, nu, x);
        for (int i = 0; i < nu; ++i) {
            x[i] *= sign;
        }
        emit(sys, row, 1, sys->u0[body], nu, x, true);
    }
    for (int i = 0; i < b->n_unknowns; ++i) {
        if (eq->column[i] >= 0) {
            const double x = sign * gu[i] * (eq->is_state[i] ? c_x : 1.0);
            emit(sys, row, 1, eq->column[i], 1, &x, true);
        }
    }
    if (!implicit) {
        emit(sys, row, 1, row, 1, &one, true);
    }
}

/* (J1), (J2), then what the elements have added to the diagonal blocks. */
static void bodies_blocks(TmlSystem *sys, const TmlState *s, TmlCoeffs c)
{
    const TmlModel *m = sys->model;
    double *diag = sys->blocks->diag;
    for (int k = 0; k < sys->n_ends_loop; ++k) {
        const int b = sys->end[k].body;
        if (b != TML_GROUND) {
            m->bodies.at[b].type->frame_geometric(&sys->body[b], &sys->end[k], &sys->wrench[k], c.q,
                                                  diag + (size_t)b * NU * NU);
        }
    }
    for (int b = 1; b < sys->nb; ++b) {
        const int q0 = sys->q0[b], nu = body_nu(sys, b);
        const TmlBodyIn in = {m->bodies.at[b].data, s->q + q0, s->v + q0, s->a + q0};
        double *d = diag + (size_t)b * NU * NU;
        m->bodies.at[b].type->tangent(&in, &sys->body[b], c, d);
        emit(sys, sys->u0[b], nu, sys->u0[b], nu, d, false);
    }
}

static void all_blocks(TmlSystem *sys, const TmlState *s, TmlCoeffs c, double c_x)
{
    sys->blocks->cursor = 0;
    memset(sys->blocks->diag, 0, (size_t)sys->nb * NU * NU * sizeof(double));
    constraints_blocks(sys, s, c);
    forces_blocks(sys, s, c);
    for (int k = 0; k < sys->nx + sys->nv + sys->nf; ++k) {
        equation_blocks(sys, s, k, c, c_x);
    }
    bodies_blocks(sys, s, c);
}

void tml_system_jacobian(TmlSystem *sys, const TmlState *s, TmlCoeffs c, double c_x)
{
    const double start = tml_clock();
    memset(sys->K.x, 0, (size_t)sys->K.start[sys->K.cols] * sizeof *sys->K.x);
    all_blocks(sys, s, c, c_x);
    sys->stats.jacobians++;
    sys->stats.seconds_jacobian += tml_clock() - start;
}

/* --- building ------------------------------------------------------------------------------ */

/* Deterministic numbers in (-1, 1) for the probing states. */
static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed * 0x1.0p-63;
}

static void random_state(const TmlSystem *sys, uint64_t *seed, TmlState *s)
{
    tml_system_initial(sys, s);
    for (int k = 0; k < sys->nq; ++k) {
        s->q[k] += noise(seed);
        s->v[k] = noise(seed);
        s->a[k] = noise(seed);
    }
    for (int k = 3 * sys->nq; k < sys->size; ++k) {
        s->data[k] += 0.1 * noise(seed);
    }
    tml_system_retract(sys, s->q);
}

/* Count block entries, then mark the ones that can be non-zero. */
static TmlStatus probe(TmlSystem *sys, TmlState *s, double *r, TmlError *err)
{
    TmlBlocks *b = sys->blocks;
    uint64_t seed = 1;
    for (int k = 0; k < 3; ++k) {
        const TmlCoeffs c = {1.0, 0.5 + 0.1 * k, 0.3 + 0.1 * k};
        random_state(sys, &seed, s);
        tml_system_residual(sys, s, TML_LEVEL_POSITION, r);
        if (k == 0) {
            b->pass = PASS_COUNT;
            all_blocks(sys, s, c, 0.1);
            b->size = b->cursor;
            b->map = tml_mem_zalloc(b->size, sizeof *b->map);
            b->mark = tml_mem_zalloc(b->size, 1);
            b->row = tml_mem_zalloc(b->size, sizeof *b->row);
            b->col = tml_mem_zalloc(b->size, sizeof *b->col);
            if (b->map == NULL || b->mark == NULL || b->row == NULL || b->col == NULL) {
                return tml_fail(err, TML_E_NOMEM, "out of memory for the matrix");
            }
        }
        b->pass = PASS_PROBE;
        all_blocks(sys, s, c, 0.1);
    }
    return TML_OK;
}

static TmlStatus pattern_fill(TmlSystem *sys, TmlArena *arena, TmlError *err)
{
    TmlBlocks *b = sys->blocks;
    TmlPattern p;
    bool ok = true;
    tml_pattern_init(&p, sys->n, sys->n);
    for (size_t k = 0; k < b->size && ok; ++k) {
        ok = b->mark[k] == 0 || tml_pattern_add(&p, b->row[k], b->col[k]);
    }
    for (int k = 0; k < sys->nu && ok; ++k) {
        ok = tml_pattern_add(&p, k, k);
    }
    const TmlStatus status = ok ? tml_pattern_csc(&p, arena, &sys->K, err)
                                : tml_fail(err, TML_E_NOMEM, "out of memory for the matrix");
    tml_pattern_free(&p);
    if (status == TML_OK) {
        for (size_t k = 0; k < b->size; ++k) {
            b->map[k] = b->mark[k] != 0 ? tml_csc_find(&sys->K, b->row[k], b->col[k]) : -1;
        }
    }
    return status;
}

static size_t scratch_size(const TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    int n = 2;
    for (int k = 0; k < m->constraints.n; ++k) {
        n = m->constraints.at[k].n_ends > n ? m->constraints.at[k].n_ends : n;
    }
    for (int k = 0; k < m->forces.n; ++k) {
        n = m->forces.at[k].n_ends > n ? m->forces.at[k].n_ends : n;
    }
    return (size_t)(72 * n * n);
}

static void building_free(TmlBlocks *b)
{
    tml_mem_free(b->mark);
    tml_mem_free(b->row);
    tml_mem_free(b->col);
    b->mark = NULL;
    b->row = b->col = NULL;
}

/* The random states go through commit-free evaluations only, so memory values stay as they are. */
static TmlStatus pattern_build(TmlSystem *sys, TmlError *err)
{
    TmlState s;
    double *r;
    TML_NEW(&sys->arena, r, sys->n);
    TML_TRY(tml_state_create(sys, &s, err));
    TML_TRY(probe(sys, &s, r, err));
    TML_TRY(pattern_fill(sys, &sys->arena, err));
    TML_TRY(tml_lu_create(&sys->K, &sys->lu[0], err));
    return tml_lu_create(&sys->K, &sys->lu[1], err);
}

TmlStatus tml_system_build_pattern(TmlSystem *sys, TmlError *err)
{
    tml_blocks_free(sys);
    TmlBlocks *b = tml_mem_zalloc(1, sizeof *b);
    if (b == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the matrix");
    }
    sys->blocks = b;
    b->diag = tml_mem_zalloc((size_t)sys->nb * NU * NU + scratch_size(sys), sizeof *b->diag);
    if (b->diag == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the matrix");
    }
    const TmlStatus status = pattern_build(sys, err);
    building_free(b);
    b->pass = PASS_ADD;
    sys->stats = (TmlSystemStats){0};
    return status;
}

void tml_blocks_free(TmlSystem *sys)
{
    if (sys->blocks != NULL) {
        building_free(sys->blocks);
        tml_mem_free(sys->blocks->map);
        tml_mem_free(sys->blocks->diag);
        tml_mem_free(sys->blocks);
        sys->blocks = NULL;
    }
    for (int k = 0; k < 2; ++k) {
        tml_lu_free(sys->lu[k]);
        sys->lu[k] = NULL;
    }
}

int tml_system_factor(TmlSystem *sys)
{
    const double start = tml_clock();
    const int column = tml_lu_refactor(sys->lu[sys->use], &sys->K);
    sys->stats.seconds_factor += tml_clock() - start;
    return column;
}

void tml_system_solve(TmlSystem *sys, double *r)
{
    const double start = tml_clock();
    tml_lu_solve(sys->lu[sys->use], r);
    sys->stats.solves++;
    sys->stats.seconds_solve += tml_clock() - start;
}
