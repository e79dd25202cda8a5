/* analysis/linear/spin.h - motion with a frame that turns steadily.
 *
 * Everything turns with the frame as if rigid: rate W, axis through the point o,
 *
 *   (W1)  r' = W x (r - o),  r'' = W x r',  omega = W,  alpha = 0
 *         gradients: g' = W x g,  g'' = W x g'
 *
 * A change of position e (dr, dtheta, dg) that stays the same as seen from the frame changes rates
 * as well, in the rotation vectors of the matrices:
 *
 *   (W2)  r, g:  d r' = W~ e,      d r'' = W~ W~ e
 *         theta' = W~ e / 2,       theta'' = W~ W~ e / 6            (L3) to (L5) with w = W
 *
 * Docs: docs/theory/rotating_frame.md.
 */
#pragma once

#include "system/system.h"

double tml_mat33_at(const TmlMat33 *A, int row, int col);

static inline bool tml_spins(const TmlSpin *spin)
{
    return spin->rate.x != 0.0 || spin->rate.y != 0.0 || spin->rate.z != 0.0;
}

/* What is asked for: none, that of the options, or that of the model. */
TmlSpin tml_spin_choose(const TmlModel *model, const TmlSpin *own, bool fixed);

/* u[nu] becomes the velocity of the motion (W1) at q, or its acceleration. */
void tml_spin_motion(const TmlSystem *sys, const TmlSpin *spin, const double *q, bool second,
                     double *u);

/* s->v, s->a of (W1). u: nu, scratch. */
void tml_spin_rates(const TmlSystem *sys, const TmlSpin *spin, TmlState *s, double *u);

/* TML_E_ARGUMENT names a joint or a flexible body that does not move like (W1) at s, whose rates
 * are those of (W1), or a plane body that would leave its plane. r: n, scratch. */
TML_NODISCARD TmlStatus tml_spin_check(TmlSystem *sys, const TmlSpin *spin, const TmlState *s,
                                       double *r, TmlError *err);

/* The step matrix along (W2): R_q + R_v S_1 + R_a S_2, and c_a R_a. */
typedef struct TmlSpinMatrix {
    TmlCsc K;
    TmlLu *lu;
    int *to;       /* 3 for each entry of the step matrix: its place and those of its triple */
    double *v, *a; /* entries of the step matrix: scratch */
    TmlMat33 S1[2], S2[2]; /* positions and gradients, rotations */
} TmlSpinMatrix;

TML_NODISCARD TmlStatus tml_spin_matrix_create(TmlSystem *sys, const TmlSpin *spin, TmlArena *arena,
                                               TmlSpinMatrix *out, TmlError *err);
void tml_spin_matrix_free(TmlSpinMatrix *m);

/* Add (W2) to the step matrix in place, assembled at s with rotation vectors; the result is in
 * m->K. Changes the step matrix. */
void tml_spin_matrix_fill(TmlSpinMatrix *m, TmlSystem *sys, const TmlState *s);
