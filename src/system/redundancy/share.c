/* system/redundancy/share.c - multipliers of smallest norm: (R1) to (R4) of share.h. */
#include "system/redundancy/share.h"

#include "base/fail.h"
#include "math/array.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* e of (R3): where the rows that are kept become dependent it bounds their combinations. */
static const double damping = 1e-13;

/* Entries of a null vector of length one that are smaller count as zero. */
static const double least_part = 1e-6;

/* Rows that one loop leaves out from which on Q costs more than (R8), which takes some 40 solutions
 * of (R3) where Q takes one for each row and their square in dense work. */
enum { LARGE = 64 };

/* --- set-up --------------------------------------------------------------------------------- */

static void columns_number(TmlShare *share)
{
    const TmlSystem *sys = share->sys;
    for (int k = 0; k < share->n_groups; ++k) {
        TmlShareGroup *group = &share->group[k];
        for (int i = 0; i < group->n_bodies; ++i) {
            const int b = group->body[i];
            group->col0[i] = share->n_cols;
            share->n_cols += sys->dim.span[b].nu;
        }
        group->row0 = share->n_rows;
        for (int i = 0; i < group->n_constraints; ++i) {
            group->n_rows += sys->model->constraints.at[group->constraint[i]].type->rows;
        }
        share->n_rows += group->n_rows;
        share->depth = group->n_open > share->depth ? group->n_open : share->depth;
    }
}

/* Numbers the columns of the bodies of one loop and sets their units. */
static void columns_of(TmlShare *share, const TmlShareGroup *group)
{
    for (int i = 0; i < group->n_bodies; ++i) {
        share->body_col[group->body[i]] = group->col0[i];
    }
}

static void units_fill(TmlShare *share)
{
    const TmlSystem *sys = share->sys;
    for (int k = 0; k < share->n_groups; ++k) {
        const TmlShareGroup *group = &share->group[k];
        for (int i = 0; i < group->n_bodies; ++i) {
            const int b = group->body[i];
            for (int u = sys->dim.span[b].u0; u < sys->dim.span[b + 1].u0; ++u) {
                const bool length = u - sys->dim.span[b].u0 < sys->dim.span[b].lengths;
                share->unit[group->col0[i] + u - sys->dim.span[b].u0] =
                    length ? group->length : 1.0;
            }
        }
    }
}

/* Counts the entries of B, then, with share->col, notes their columns. */
static int entries(TmlShare *share)
{
    const TmlSystem *sys = share->sys;
    int n = 0, r = 0;
    for (int k = 0; k < share->n_groups; ++k) {
        const TmlShareGroup *group = &share->group[k];
        columns_of(share, group);
        for (int i = 0; i < group->n_constraints; ++i) {
            const int c = group->constraint[i];
            const TmlConstraint *con = &sys->model->constraints.at[c];
            for (int row = 0; row < con->type->rows; ++row, ++r) {
                if (share->col != NULL) {
                    share->row[r] = sys->constraint[c].row0 + row;
                    share->row_at[share->row[r]] = r;
                    share->first[r] = n;
                }
                for (int e = 0; e < con->n_ends; ++e) {
                    const TmlParts *p = tml_end_parts(sys, sys->constraint[c].end0 + e);
                    for (int a = 0; a < p->n; ++a) {
                        for (int j = p->col[a]; j < p->col[a + 1]; ++j, ++n) {
                            if (share->col != NULL) {
                                share->col[n] = share->body_col[p->body[a]] + j - p->col[a];
                            }
                        }
                    }
                }
            }
        }
    }
    if (share->col != NULL) {
        share->first[r] = n;
    }
    return n;
}

static TmlStatus pattern_fill(TmlShare *share, TmlError *err)
{
    const int n = share->n_cols + share->n_rows;
    TmlPattern p;
    bool ok = true;
    tml_pattern_init(&p, n, n);
    for (int k = 0; k < n && ok; ++k) {
        ok = tml_pattern_add(&p, k, k);
    }
    for (int r = 0; r < share->n_rows; ++r) {
        const int row = share->n_cols + r;
        for (int k = share->first[r]; k < share->first[r + 1] && ok; ++k) {
            ok = tml_pattern_add(&p, row, share->col[k]) && tml_pattern_add(&p, share->col[k], row);
        }
    }
    const TmlStatus status = ok ? tml_pattern_csc(&p, &share->arena, &share->A, err)
                                : tml_fail(err, TML_E_NOMEM, "out of memory for the reactions");
    tml_pattern_free(&p);
    TML_TRY(status);
    for (int k = 0; k < n; ++k) {
        share->diagonal[k] = tml_csc_find(&share->A, k, k);
    }
    for (int r = 0; r < share->n_rows; ++r) {
        const int row = share->n_cols + r;
        for (int k = share->first[r]; k < share->first[r + 1]; ++k) {
            share->map[2 * k] = tml_csc_find(&share->A, row, share->col[k]);
            share->map[2 * k + 1] = tml_csc_find(&share->A, share->col[k], row);
        }
    }
    return tml_lu_create(&share->A, &share->lu, err);
}

/* Notes which rows are left out, loop by loop. */
static void open_fill(TmlShare *share)
{
    const TmlSystem *sys = share->sys;
    for (int k = 0; k < share->n_groups; ++k) {
        TmlShareGroup *group = &share->group[k];
        for (int r = group->row0, i = 0; r < group->row0 + group->n_rows; ++r) {
            if (sys->row_unknown[share->row[r]] < 0) {
                group->open[i++] = r;
            }
        }
    }
}

void tml_share_rows_changed(TmlShare *share)
{
    open_fill(share);
    share->motion = 0;
    share->factored = false;
}

static TmlStatus projector_room(TmlShare *share, TmlError *err)
{
    share->large = share->depth > LARGE;
    if (!share->large) {
        TML_NEW(&share->arena, share->Q, (size_t)share->depth * (size_t)share->n_rows);
        TML_NEW(&share->arena, share->pivots, (size_t)share->depth * (size_t)share->n_rows);
    }
    return TML_OK;
}

static TmlStatus arrays_fill(TmlShare *share, TmlError *err)
{
    TmlSystem *sys = share->sys;
    TmlArena *arena = &share->arena;
    columns_number(share);
    const int n = share->n_cols + share->n_rows;
    TML_NEW(arena, share->body_col, sys->dim.nb);
    const int count = entries(share);
    TML_NEW(arena, share->row, share->n_rows);
    TML_NEW(arena, share->row_at, sys->dim.m_all);
    TML_NEW(arena, share->first, share->n_rows + 1);
    TML_NEW(arena, share->map, 2 * (size_t)count);
    TML_NEW(arena, share->value, count);
    TML_NEW(arena, share->diagonal, n);
    TML_NEW(arena, share->unit, share->n_cols);
    TML_NEW(arena, share->size, share->n_rows);
    TML_TRY(projector_room(share, err));
    TML_NEW(arena, share->kept, sys->dim.m_all);
    TML_NEW(arena, share->given, sys->dim.m_all);
    TML_NEW(arena, share->seen, sys->dim.m_all);
    TML_NEW(arena, share->open_part, share->n_rows);
    TML_NEW(arena, share->y, n);
    TML_NEW(arena, share->y_g, n);
    TML_NEW(arena, share->g, share->n_rows);
    TML_NEW(arena, share->n_g, share->n_rows);
    TML_NEW(arena, share->x, share->n_rows);
    TML_NEW(arena, share->turn, share->n_cols);
    TML_NEW(arena, share->col, count);
    for (int k = 0; k < sys->dim.m_all; ++k) {
        share->row_at[k] = -1;
    }
    entries(share);
    units_fill(share);
    open_fill(share);
    TML_TRY(pattern_fill(share, err));
    return share->large ? tml_share_large_create(share, err) : TML_OK;
}

/* Lists the loops that an equation reads, without repetition. With out NULL it returns their
 * number. */
static int loops_read(const TmlSystem *sys, const TmlEquation *eq, int *out)
{
    const TmlShare *share = sys->share;
    int n = 0;
    for (int k = 0; k < share->n_groups; ++k) {
        const TmlShareGroup *group = &share->group[k];
        bool reads = false;
        for (int i = 0; i < eq->binding->n_unknowns; ++i) {
            const int r = tml_share_row(sys, eq, i);
            reads = reads || (r >= group->row0 && r < group->row0 + group->n_rows);
        }
        if (reads && out != NULL) {
            out[n] = k;
        }
        n += reads;
    }
    return n;
}

static TmlStatus reads_fill(TmlSystem *sys, TmlError *err)
{
    TmlShare *share = sys->share;
    const int n = sys->dim.nx + sys->dim.nv + sys->dim.nf;
    TML_NEW(&share->arena, share->first_read, n + 1);
    for (int k = 0; k < n; ++k) {
        share->first_read[k + 1] = share->first_read[k] + loops_read(sys, &sys->equation[k], NULL);
    }
    TML_NEW(&share->arena, share->read, share->first_read[n]);
    for (int k = 0; k < n; ++k) {
        loops_read(sys, &sys->equation[k], share->read + share->first_read[k]);
        sys->equation[k].shared = share->first_read[k + 1] > share->first_read[k];
    }
    for (int k = 0; k < sys->model->channels.n + sys->model->probes.n; ++k) {
        sys->channel[k].shared = loops_read(sys, &sys->channel[k], NULL) > 0;
    }
    return TML_OK;
}

TmlStatus tml_share_create(TmlSystem *sys, const TmlState *s, TmlError *err)
{
    tml_share_free(sys);
    if (sys->dim.m == sys->dim.m_all) {
        return TML_OK;
    }
    TmlShare *share = tml_mem_zalloc(1, sizeof *share);
    if (share == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the reactions");
    }
    sys->share = share;
    share->sys = sys;
    TmlStatus status = tml_share_find_groups(share, s, err);
    status = status == TML_OK ? arrays_fill(share, err) : status;
    status = status == TML_OK ? reads_fill(sys, err) : status;
    if (status != TML_OK) {
        tml_share_free(sys);
    }
    tml_system_kinematics(sys, s, false);
    return status;
}

void tml_share_free(TmlSystem *sys)
{
    TmlShare *share = sys->share;
    if (share == NULL) {
        return;
    }
    sys->share = NULL;
    for (int k = 0; k < sys->dim.nx + sys->dim.nv + sys->dim.nf; ++k) {
        sys->equation[k].shared = false;
    }
    for (int k = 0; k < sys->model->channels.n + sys->model->probes.n; ++k) {
        sys->channel[k].shared = false;
    }
    tml_lu_free(share->lu);
    tml_lu_free(share->cg.lu);
    tml_arena_free(&share->arena);
    tml_mem_free(share);
}

/* --- null vectors --------------------------------------------------------------------------- */

/* Returns s_k of (R2) for row k of a constraint, with J in room.J. */
static double row_size(const TmlSystem *sys, const TmlConstraint *con, int k, double length)
{
    double r = 0.0, theta = 0.0;
    for (int e = 0; e < con->n_ends; ++e) {
        const TmlRow *x = &sys->room.J[k * con->n_ends + e];
        r = fmax(r, v3_norm(x->r));
        theta = fmax(theta, v3_norm(x->theta));
    }
    const double size = length * r > least_part * theta ? length * r : theta;
    return size > 0.0 ? size : 1.0;
}

/* Sets B, S and the matrix of (R3) at the last kinematics. */
static void matrix_fill(TmlShare *share, double t)
{
    TmlSystem *sys = share->sys;
    double *A = share->A.x, *x = share->value;
    int r = 0;
    memset(A, 0, (size_t)share->A.start[share->A.cols] * sizeof *A);
    for (int k = 0; k < share->n_cols; ++k) {
        A[share->diagonal[k]] = 1.0;
    }
    for (int k = 0; k < share->n_groups; ++k) {
        const TmlShareGroup *group = &share->group[k];
        for (int i = 0; i < group->n_constraints; ++i) {
            const int c = group->constraint[i];
            const TmlConstraint *con = &sys->model->constraints.at[c];
            const double *Ju = tml_constraint_rows(sys, c, t);
            for (int row = 0; row < con->type->rows; ++row, ++r) {
                const bool kept = sys->row_unknown[share->row[r]] >= 0;
                const double size = row_size(sys, con, row, group->length);
                const int *map = share->map + 2 * share->first[r];
                const int *col = share->col + share->first[r];
                share->size[r] = size;
                A[share->diagonal[share->n_cols + r]] = kept ? -damping : 1.0;
                for (int e = 0; e < con->n_ends; ++e) {
                    const double *u = Ju + (size_t)(row * con->n_ends + e) * (size_t)sys->stride;
                    const int cols = tml_end_parts(sys, sys->constraint[c].end0 + e)->cols;
                    for (int j = 0; j < cols; ++j, ++x, ++col, map += 2) {
                        *x = u[j] * share->unit[*col] / size;
                        A[map[0]] += kept ? *x : 0.0;
                        A[map[1]] += kept ? *x : 0.0;
                    }
                }
            }
        }
    }
}

/* Makes the j-th vector of a loop orthogonal to those before it, and of length one. The second pass
 * is for vectors that are nearly parallel, as those of worn rows are. */
static void orthonormalise(TmlShare *share, const TmlShareGroup *group, int j)
{
    const int n = group->n_rows;
    double *x = share->Q + (size_t)j * (size_t)share->n_rows + group->row0;
    for (int pass = 0; pass < 2; ++pass) {
        const double before = sqrt(vec_dot(n, x, x));
        for (int k = 0; k < n; ++k) {
            x[k] = before > 0.0 ? x[k] / before : 0.0;
        }
        for (int i = 0; i < j; ++i) {
            const double *y = share->Q + (size_t)i * (size_t)share->n_rows + group->row0;
            const double along = vec_dot(n, x, y);
            for (int k = 0; k < n; ++k) {
                x[k] -= along * y[k];
            }
        }
    }
    const double norm = sqrt(vec_dot(n, x, x));
    for (int k = 0; k < n; ++k) {
        x[k] = norm > 0.0 ? x[k] / norm : 0.0;
    }
}

/* Solves (R3) for the j-th row that each loop leaves out, all at once, as loops do not touch each
 * other. */
static void null_vectors(TmlShare *share, int j)
{
    const TmlSystem *sys = share->sys;
    double *rhs = share->y, *N = share->Q + (size_t)j * (size_t)share->n_rows;
    memset(rhs, 0, (size_t)(share->n_cols + share->n_rows) * sizeof *rhs);
    for (int k = 0; k < share->n_groups; ++k) {
        const TmlShareGroup *group = &share->group[k];
        const int r = j < group->n_open ? group->open[j] : -1;
        for (int i = r >= 0 ? share->first[r] : 0; r >= 0 && i < share->first[r + 1]; ++i) {
            rhs[share->col[i]] += share->value[i];
        }
    }
    tml_lu_solve(share->lu, rhs);
    for (int r = 0; r < share->n_rows; ++r) {
        const double c = rhs[share->n_cols + r];
        N[r] = sys->row_unknown[share->row[r]] >= 0 ? -c : 0.0;
        share->wear = fmax(share->wear, fabs(N[r]));
    }
    for (int k = 0; k < share->n_groups; ++k) {
        if (j < share->group[k].n_open) {
            N[share->group[k].open[j]] = 1.0;
        }
    }
}

bool tml_share_renew(TmlShare *share, double t)
{
    const TmlSystem *sys = share->sys;
    if (share->motion == sys->motion) {
        return share->factored;
    }
    share->motion = sys->motion;
    share->projected = share->moved = false;
    matrix_fill(share, t);
    share->factored = tml_lu_refactor(share->lu, &share->A) < 0;
    share->wear = 0.0;
    if (share->factored && share->large) {
        tml_share_large_renew(share);
    }
    for (int j = 0; j < share->depth && share->factored && !share->large; ++j) {
        null_vectors(share, j);
        for (int k = 0; k < share->n_groups; ++k) {
            if (j < share->group[k].n_open) {
                orthonormalise(share, &share->group[k], j);
            }
        }
    }
    return share->factored;
}

void tml_share_open_part(const TmlShare *share, const double *x, double *n)
{
    if (share->large) {
        tml_share_open_part_large(share, x, n);
        return;
    }
    memset(n, 0, (size_t)share->n_rows * sizeof *n);
    for (int k = 0; k < share->n_groups; ++k) {
        const TmlShareGroup *group = &share->group[k];
        for (int j = 0; j < group->n_open; ++j) {
            const double *q = share->Q + (size_t)j * (size_t)share->n_rows;
            const double along = vec_dot(group->n_rows, q + group->row0, x + group->row0);
            for (int r = group->row0; r < group->row0 + group->n_rows; ++r) {
                n[r] += along * q[r]; // (R4)
            }
        }
    }
}

void tml_share_motion(const TmlShare *share, const double *x, double *y)
{
    memset(y, 0, (size_t)share->n_cols * sizeof *y);
    for (int r = 0; r < share->n_rows; ++r) {
        const bool kept = share->sys->row_unknown[share->row[r]] >= 0;
        y[share->n_cols + r] = kept ? x[r] : 0.0;
    }
    tml_lu_solve(share->lu, y);
}

void tml_share_carry(TmlShare *share, double *lambda)
{
    const TmlSystem *sys = share->sys;
    double *rhs = share->y;
    share->moved = false;
    memset(rhs, 0, (size_t)(share->n_cols + share->n_rows) * sizeof *rhs);
    for (int r = 0; r < share->n_rows; ++r) {
        if (sys->row_unknown[share->row[r]] < 0) {
            const double mu = share->size[r] * lambda[share->row[r]];
            for (int k = share->first[r]; k < share->first[r + 1]; ++k) {
                rhs[share->col[k]] += mu * share->value[k];
            }
        }
    }
    tml_lu_solve(share->lu, rhs);
    for (int r = 0; r < share->n_rows; ++r) {
        double *x = &lambda[share->row[r]];
        const bool kept = sys->row_unknown[share->row[r]] >= 0;
        *x = kept ? *x + rhs[share->n_cols + r] / share->size[r] : 0.0;
    }
}

/* --- what is seen --------------------------------------------------------------------------- */

const double *tml_share_seen(TmlShare *share, const TmlState *s)
{
    const size_t size = (size_t)share->sys->dim.m_all * sizeof *share->seen;
    if (!tml_share_renew(share, s->t)) {
        memcpy(share->seen, s->lambda, size);
        return share->seen;
    }
    if (share->projected && memcmp(share->given, s->lambda, size) == 0) {
        return share->seen;
    }
    memcpy(share->given, s->lambda, size);
    memcpy(share->seen, s->lambda, size);
    for (int r = 0; r < share->n_rows; ++r) {
        share->g[r] = share->size[r] * s->lambda[share->row[r]];
    }
    tml_share_open_part(share, share->g, share->open_part);
    for (int r = 0; r < share->n_rows; ++r) {
        share->seen[share->row[r]] = (share->g[r] - share->open_part[r]) / share->size[r];
    }
    share->projected = true;
    share->moved = false;
    return share->seen;
}

void tml_share_read(const TmlSystem *sys, const TmlState *s, const TmlEquation *eq,
                    double *unknowns)
{
    const double *seen = tml_share_seen(sys->share, s);
    for (int k = 0; k < eq->binding->n_unknowns; ++k) {
        const int r = tml_share_row(sys, eq, k);
        unknowns[k] = r >= 0 ? seen[sys->share->row[r]] : unknowns[k];
    }
}

/* Marks the same rows by the open part of a random vector, in the first rows of results and then
 * in some. Rows that are not open have no part in it; others have one, but for an unlikely draw. */
static void mark_open_large(TmlSystem *sys)
{
    enum { FIRST = 4, BETWEEN = 16 };
    TmlShare *share = sys->share;
    uint64_t seed = 5;
    if (share->looks++ >= FIRST && share->looks % BETWEEN != 0) {
        return;
    }
    for (int r = 0; r < share->n_rows; ++r) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        share->g[r] = (double)(int64_t)seed * 0x1.0p-63;
    }
    tml_share_open_part(share, share->g, share->n_g);
    for (int r = 0; r < share->n_rows; ++r) {
        sys->not_unique[share->row[r]] |= fabs(share->n_g[r]) > least_part;
    }
}

/* Marks the rows that have part in a null vector. Marks add up, as some parts vanish in special
 * positions only. */
static TmlStatus mark_open(TmlSystem *sys, TmlError *err)
{
    const TmlShare *share = sys->share;
    if (sys->not_unique == NULL) {
        TML_NEW(&sys->arena, sys->not_unique, sys->dim.m_all);
    }
    if (share->large) {
        mark_open_large(sys);
        return TML_OK;
    }
    for (int k = 0; k < share->n_groups; ++k) {
        const TmlShareGroup *group = &share->group[k];
        for (int j = 0; j < group->n_open; ++j) {
            const double *q = share->Q + (size_t)j * (size_t)share->n_rows;
            for (int r = group->row0; r < group->row0 + group->n_rows; ++r) {
                sys->not_unique[share->row[r]] |= fabs(q[r]) > least_part;
            }
        }
    }
    return TML_OK;
}

double *tml_system_shared_lambda(TmlSystem *sys, const TmlState *s)
{
    TmlShare *share = sys->share;
    if (share == NULL) {
        return s->lambda;
    }
    if (share->marked != sys->motion) {
        tml_share_seen(share, s);
        if (share->factored) {
            (void)!mark_open(sys, NULL); // without memory for marks there are none
        }
        share->marked = sys->motion;
    }
    return share->seen;
}

TmlStatus tml_system_min_norm_lambda(TmlSystem *sys, TmlState *s, TmlError *err)
{
    if (sys->share == NULL) {
        return TML_OK;
    }
    const double *seen = tml_share_seen(sys->share, s);
    memcpy(s->lambda, seen, (size_t)sys->dim.m_all * sizeof *seen);
    return sys->share->factored ? mark_open(sys, err) : TML_OK;
}
