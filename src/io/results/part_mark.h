/* io/results/part_mark.h - a number for each mode of a part that changes with its sign and its shape.
 *
 * Frequencies alone do not tell two reductions of one mesh apart: modes may have other signs, and stresses would be wrong
 * without a word.
 */
#pragma once

#include "model/modal/part.h"

#include <math.h>

/* Sum with weights that tell places and directions apart; *size: the same of magnitudes. */
static inline double tml_part_mark(const TmlPart *p, int mode, double *size)
{
    double sum = 0.0;
    *size = 0.0;
    for (int f = 0; f < p->n_frames; ++f) {
        for (int c = 0; c < 3; ++c) {
            const double phi = (1 + 6 * f + c) * p->frame[f].phi[3 * mode + c];
            const double psi = (4 + 6 * f + c) * p->frame[f].psi[3 * mode + c];
            sum += phi + psi;
            *size += fabs(phi) + fabs(psi);
        }
    }
    for (int k = 0; p->shape != NULL && k < p->n_nodes; ++k) {
        for (int c = 0; c < 3; ++c) {
            const double u =
                (1 + (3 * k + c) % 97) *
                (double)p->shape[3 * ((size_t)k * (size_t)p->m + (size_t)mode) + (size_t)c];
            sum += u;
            *size += fabs(u);
        }
    }
    return sum;
}
