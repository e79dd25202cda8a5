/* system/redundancy/share_large.c - (R4) of share.h without Q, for loops with many redundant rows.
 *
 * Q has a column for each row that a loop leaves out, and as many rows as the loop: meshes of
 * hundreds of loops that share bodies would need its square in memory and its cube in time. With C
 * the combinations of (R3), one row for each row left out, N = [-C^T; 1] and
 *
 *   (R8)  Q Q^T x = N z,  (1 + C C^T) z = x_r - C x_a
 *
 * by conjugate gradients. C is not formed: C^T z is a solution of (R3) with B_r^T z on its right
 * side, and C x_a is B_r y, y the motion of tml_share_motion for x_a. On the constraints the inverse
 * of 1 + C C^T is the block of the rows left out of the projector 1 - B B^+, whatever rows are kept,
 * and a damped one comes from a sparse matrix:
 *
 *   (R9)  [-d B^T; B 1] [y; w] = [0; v]:  w = (1 - B (B^T B + d)^-1 B^T) v
 *
 * As a preconditioner it leaves a few iterations also where C is large, and decides nothing: what
 * (R8) converges to is counted by (R3).                                                       own
 */
#include "math/array.h"
#include "system/redundancy/share.h"

#include "base/fail.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 200 };

static const double damping = 1e-9; // d of (R9), where B has rows of length one

static bool is_kept(const TmlShare *share, int r)
{
    return share->sys->row_unknown[share->row[r]] >= 0;
}

/* out[n_rows] = C^T z on the rows that are kept, zero on others; z[n_rows] on the others. */
static void combine(const TmlShare *share, const double *z, double *out)
{
    double *rhs = share->cg.rhs;
    memset(rhs, 0, (size_t)(share->n_cols + share->n_rows) * sizeof *rhs);
    for (int r = 0; r < share->n_rows; ++r) {
        for (int k = share->first[r]; k < share->first[r + 1] && !is_kept(share, r); ++k) {
            rhs[share->col[k]] += z[r] * share->value[k];
        }
    }
    tml_lu_solve(share->lu, rhs);
    for (int r = 0; r < share->n_rows; ++r) {
        out[r] = is_kept(share, r) ? rhs[share->n_cols + r] : 0.0;
    }
}

/* out[n_rows] = C x on the rows that are left out, zero on others; x on those that are kept. */
static void reduce(const TmlShare *share, const double *x, double *out)
{
    double *y = share->cg.rhs;
    tml_share_motion(share, x, y);
    for (int r = 0; r < share->n_rows; ++r) {
        double sum = 0.0;
        for (int k = share->first[r]; k < share->first[r + 1] && !is_kept(share, r); ++k) {
            sum += share->value[k] * y[share->col[k]];
        }
        out[r] = sum;
    }
}

/* --- (R9) ------------------------------------------------------------------------------------ */

TmlStatus tml_share_large_create(TmlShare *share, TmlError *err)
{
    TmlArena *arena = &share->arena;
    TML_NEW(arena, share->cg.z, share->n_rows);
    TML_NEW(arena, share->cg.r, share->n_rows);
    TML_NEW(arena, share->cg.p, share->n_rows);
    TML_NEW(arena, share->cg.w, share->n_rows);
    TML_NEW(arena, share->cg.Ap, share->n_rows);
    TML_NEW(arena, share->cg.rhs, share->n_cols + share->n_rows);
    share->cg.K = share->A;
    TML_NEW(arena, share->cg.K.x, share->A.start[share->A.cols]);
    return tml_lu_create(&share->cg.K, &share->cg.lu, err);
}

void tml_share_large_renew(TmlShare *share)
{
    double *x = share->cg.K.x;
    memset(x, 0, (size_t)share->A.start[share->A.cols] * sizeof *x);
    for (int k = 0; k < share->n_cols + share->n_rows; ++k) {
        x[share->diagonal[k]] = k < share->n_cols ? -damping : 1.0;
    }
    for (int k = 0; k < share->first[share->n_rows]; ++k) {
        x[share->map[2 * k]] += share->value[k];
        x[share->map[2 * k + 1]] += share->value[k];
    }
    share->cg.factored = tml_lu_refactor(share->cg.lu, &share->cg.K) < 0;
}

/* w = (R9) for v on the rows that are left out; v itself where there are no factors. */
static void precondition(const TmlShare *share, const double *v, double *w)
{
    double *rhs = share->cg.rhs;
    memset(rhs, 0, (size_t)share->n_cols * sizeof *rhs);
    memcpy(rhs + share->n_cols, v, (size_t)share->n_rows * sizeof *rhs);
    if (share->cg.factored) {
        tml_lu_solve(share->cg.lu, rhs);
    }
    for (int r = 0; r < share->n_rows; ++r) {
        w[r] = is_kept(share, r) ? 0.0 : rhs[share->n_cols + r];
    }
}

/* --- (R8) ------------------------------------------------------------------------------------ */

/* Computes Ap = (1 + C C^T) p; scratch has n_rows. */
static void multiply(const TmlShare *share, const double *p, double *scratch, double *Ap)
{
    combine(share, p, scratch);
    reduce(share, scratch, Ap);
    for (int k = 0; k < share->n_rows; ++k) {
        Ap[k] += p[k];
    }
}

void tml_share_open_part_large(const TmlShare *share, const double *x, double *n)
{
    const int m = share->n_rows;
    double *z = share->cg.z, *r = share->cg.r, *p = share->cg.p, *w = share->cg.w;
    double *Ap = share->cg.Ap;
    reduce(share, x, r);
    for (int k = 0; k < m; ++k) {
        r[k] = is_kept(share, k) ? 0.0 : x[k] - r[k];
        z[k] = 0.0;
    }
    precondition(share, r, p);
    double now = vec_dot(m, r, p);
    const double enough = now * DBL_EPSILON * DBL_EPSILON;
    for (int it = 0; it < MAX_ITERATIONS && now > enough; ++it) {
        multiply(share, p, n, Ap);
        const double alpha = now / vec_dot(m, p, Ap), before = now;
        for (int k = 0; k < m; ++k) {
            z[k] += alpha * p[k];
            r[k] -= alpha * Ap[k];
        }
        precondition(share, r, w);
        now = vec_dot(m, r, w);
        for (int k = 0; k < m; ++k) {
            p[k] = w[k] + now / before * p[k];
        }
    }
    combine(share, z, n);
    for (int k = 0; k < m; ++k) {
        n[k] = is_kept(share, k) ? -n[k] : z[k]; // (R8)
    }
}
