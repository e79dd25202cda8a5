/* system/matrix/blocks.c - hands blocks over to the matrix: by their places when these are known, else it
 * notes them.
 */
#include "system/matrix/blocks.h"

#include <string.h>

enum { NU = TML_BODY_MAX_NU };

static int body_nu(const TmlSystem *sys, int body)
{
    return sys->dim.span[body].nu;
}

/* Adds the next `count` values to the matrix by their places. It returns false in the passes that
 * find them. */
static bool add_values(TmlSystem *sys, size_t count, const double *x)
{
    TmlBlocks *b = sys->target->blocks;
    const size_t at = b->cursor;
    b->cursor += count;
    if (b->pass != TML_PASS_ADD) {
        return false;
    }
    const int *map = b->map + at;
    double *K = sys->target->K.x;
    for (size_t k = 0; k < count; ++k) {
        if (map[k] >= 0) {
            K[map[k]] += x[k];
        }
    }
    return true;
}

/* Notes the place of value k. A fixed one may become non-zero even if it is zero now. */
static void probe_value(TmlBlocks *b, size_t k, int row, int col, double x, bool fixed)
{
    if (b->pass == TML_PASS_PROBE) {
        b->mark[k] |= (unsigned char)(fixed || x != 0.0);
        b->row[k] = row;
        b->col[k] = col;
    }
}

void tml_emit(TmlSystem *sys, int row0, int nr, int col0, int nc, const double *x, bool fixed)
{
    const size_t at = sys->target->blocks->cursor;
    const int count = nr * nc;
    if (!add_values(sys, (size_t)count, x)) {
        for (int k = 0; k < count; ++k) {
            probe_value(sys->target->blocks, at + (size_t)k, row0 + k / nc, col0 + k % nc, x[k],
                        fixed);
        }
    }
}

/* Does the same as tml_emit for values by columns. */
static void emit_transposed(TmlSystem *sys, int row0, int nr, int col0, int nc, const double *x,
                            bool fixed)
{
    const size_t at = sys->target->blocks->cursor;
    const int count = nr * nc;
    if (!add_values(sys, (size_t)count, x)) {
        for (int k = 0; k < count; ++k) {
            probe_value(sys->target->blocks, at + (size_t)k, row0 + k % nr, col0 + k / nr, x[k],
                        fixed);
        }
    }
}

void tml_emit_diagonal(TmlSystem *sys, int first, int n, const double *x)
{
    const size_t at = sys->target->blocks->cursor;
    if (!add_values(sys, (size_t)n, x)) {
        for (int k = 0; k < n; ++k) {
            probe_value(sys->target->blocks, at + (size_t)k, first + k, first + k, x[k], true);
        }
    }
}

/* Collects a block between two bodies on the diagonal, and emits it off the diagonal. */
static void body_block(TmlSystem *sys, int bi, int bj, const double *block, bool fixed)
{
    const int ni = body_nu(sys, bi), nj = body_nu(sys, bj);
    if (bi == bj) {
        double *d = sys->target->blocks->diag + (size_t)bi * NU * NU;
        for (int k = 0; k < ni * nj; ++k) {
            d[k] += block[k];
        }
        if (fixed && sys->target->blocks->pass != TML_PASS_ADD) {
            for (int k = 0; k < ni * nj; ++k) {
                d[k] += 1.0; // marks the entry while probing
            }
        }
    } else {
        tml_emit(sys, sys->dim.span[bi].u0, ni, sys->dim.span[bj].u0, nj, block, fixed);
    }
}

/* Returns the columns [col, col + nc) of the rows [row, row + nr) of x, which has `width`
 * columns. */
static const double *slice(const double *x, int width, int row, int nr, int col, int nc,
                           double *out)
{
    if (nc == width) {
        return x + row * width;
    }
    for (int i = 0; i < nr; ++i) {
        memcpy(out + i * nc, x + (row + i) * width + col, (size_t)nc * sizeof *out);
    }
    return out;
}

void tml_parts_block(TmlSystem *sys, const TmlParts *pi, const TmlParts *pj, const double *x,
                     bool fixed)
{
    double part[NU * NU];
    for (int a = 0; a < pi->n; ++a) {
        const int row = pi->col[a], nr = pi->col[a + 1] - row;
        for (int b = 0; b < pj->n; ++b) {
            const int col = pj->col[b], nc = pj->col[b + 1] - col;
            body_block(sys, pi->body[a], pj->body[b], slice(x, pj->cols, row, nr, col, nc, part),
                       fixed);
        }
    }
}

void tml_emit_columns(TmlSystem *sys, const TmlParts *p, int first, int n, const double *x,
                      bool fixed)
{
    for (int a = 0; a < p->n; ++a) {
        tml_emit(sys, sys->dim.span[p->body[a]].u0, p->col[a + 1] - p->col[a], first, n,
                 x + p->col[a] * n, fixed);
    }
}

void tml_emit_rows(TmlSystem *sys, int first, int n, const TmlParts *p, const double *x, bool fixed)
{
    for (int a = 0; a < p->n; ++a) {
        emit_transposed(sys, first, n, sys->dim.span[p->body[a]].u0, p->col[a + 1] - p->col[a],
                        x + p->col[a] * n, fixed);
    }
}
