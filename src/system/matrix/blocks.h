/* system/matrix/blocks.h - from small dense blocks to a sparse matrix; internal to system/.
 *
 * One routine (jacobian.c) computes all blocks in a fixed order and hands each to tml_emit. The
 * first passes, at random states, only mark which entries can be non-zero (joints are polynomials
 * in the axes, so an entry that is zero at random states is zero always; forces and expressions
 * count as full since they may switch). From the marks come the pattern and, in the same order, the
 * map from block entries to matrix entries (matrix.c). Later passes add through the map.
 */
#pragma once

#include "system/system_internal.h"

typedef enum TmlPass { TML_PASS_COUNT, TML_PASS_PROBE, TML_PASS_ADD } TmlPass;

struct TmlBlocks {
    TmlPass pass;
    size_t cursor, size; /* entries of all blocks, in order of emission */
    int *map;            /* size: place in K.x, or -1 */
    unsigned char *mark; /* size: can be non-zero; only while building */
    int *row, *col;      /* size: place in the matrix; only while building */
    double *diag;        /* nb * nu * nu: blocks of bodies with themselves; scratch behind */
};

/* Hands over a dense block with nr rows and nc columns, row major. Values that are fixed may become
 * non-zero even if they are zero now. */
void tml_emit(TmlSystem *sys, int row0, int nr, int col0, int nc, const double *x, bool fixed);
/* Hands over n values on the diagonal from `first` on, which are fixed. */
void tml_emit_diagonal(TmlSystem *sys, int first, int n, const double *x);

/* x: one row for each column of an end, n values. They are the columns [first, first + n) of the
 * matrix in the rows of the end's owner, or the rows [first, first + n) in its columns. */
void tml_emit_columns(TmlSystem *sys, const TmlParts *p, int first, int n, const double *x,
                      bool fixed);
void tml_emit_rows(TmlSystem *sys, int first, int n, const TmlParts *p, const double *x,
                   bool fixed);

/* Hands over a block between two groups of bodies. The rows of x are those of pi, its columns those
 * of pj. */
void tml_parts_block(TmlSystem *sys, const TmlParts *pi, const TmlParts *pj, const double *x,
                     bool fixed);

/* Compute all blocks for the target matrix at the last kinematics. */
void tml_blocks_all(TmlSystem *sys, const TmlState *s, TmlCoeffs c, double c_x, bool plain);

/* --- jacobian_rows.c ------------------------------------------------------------------------- */

/* (J5), (J8) for one constraint. */
void tml_rows_blocks(TmlSystem *sys, int c, const TmlState *s, TmlCoeffs co);

/* Returns how many numbers its `curvature` writes. */
size_t tml_curvature_size(const TmlConstraint *con);
/* m[e] += sum_i y_i^T K_ie over the n ends of a constraint, K as `curvature` writes it. */
void tml_curvature_times(int n, const TmlRow *y, const double *K, bool arrow, TmlRow *m);

/* Sets T^T w of one end, one value for each column of the end. */
static inline void tml_end_dual_one(const TmlSystem *sys, int end, const TmlRow *w, double *x)
{
    const double X[6] = {w->r.x, w->r.y, w->r.z, w->theta.x, w->theta.y, w->theta.z};
    tml_end_dual(sys, end, X, 1, x);
}

/* out[nu] = g . M for a frame map M. */
static inline void tml_row_times_map(const TmlRow *g, const double *M, int nu, double *out)
{
    const double x[6] = {g->r.x, g->r.y, g->r.z, g->theta.x, g->theta.y, g->theta.z};
    for (int c = 0; c < nu; ++c) {
        for (int p = 0; p < 6; ++p) {
            out[c] += x[p] * M[p * nu + c];
        }
    }
}
