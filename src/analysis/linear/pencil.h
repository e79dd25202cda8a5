/* analysis/linear/pencil.h - the linearised equations of a system about a state, as sparse matrices.
 *
 * Unknown functions: e[nu], the displacement (dr, dtheta) of all bodies in global axes, and the
 * changes of X, lambda, V, F. With p = e', r = e'',
 *
 *   (L1)  A r + C p + K e + (derivatives by X', X, lambda, V, F) = 0
 *   (L2)  J e = 0,   J p + J' e = 0
 *
 * Axes may turn steadily: e, p, r are then displacements and their rates as seen from them.
 *
 * where (L1) holds the equations of motion, the constraints at acceleration level and the equations
 * of states, variables and forces. Docs: docs/theory/linearize.md.
 */
#pragma once

#include "analysis/linear/spin.h"

typedef struct TmlPencil {
    TmlSystem *sys;
    TmlArena *arena;
    int *body;               /* nu: which body an unknown belongs to */
    TmlMat33 frame;          /* W~ of the axes */
    TmlMat33 *turn;          /* per triple: w~ of the body, zero for positions and gradients */
    TmlMat33 *spin, *second; /* per triple: (L4), (L5) */
    bool frame_turns;
    /* pattern of the stage matrix: derivatives by q'', q', q in rotation vectors, by X, and what
     * does not depend on the coefficients */
    TmlCsc a, v, q, x, rest;
    TmlCsc step; /* [M J^T; J 0] and more, pattern of the step matrix */
    TmlCsc rate; /* same pattern: Pfaffian rows A v + b by position */
    TmlCsc saddle;
    TmlLu *saddle_lu; /* [M J^T; J 0] alone */
    TmlCsc inertia;
    TmlLu *inertia_lu;  /* (L1) solved for r, lambda, X', V, F */
    int n_pfaffian;     /* active Pfaffian rows */
    bool *row_pfaffian; /* m */
    double *z, *w, *t;  /* n each: scratch */
} TmlPencil;

/* About s, which satisfies the constraints on all levels; spin: of the axes. Memory comes from the
 * arena, but for the factors: tml_pencil_free. Builds the stage matrix if need be. */
TML_NODISCARD TmlStatus tml_pencil_create(TmlSystem *sys, const TmlState *s, const TmlSpin *spin,
                                          TmlArena *arena, TmlPencil *out, TmlError *err);
void tml_pencil_free(TmlPencil *p);

/* y[n] += A r + C p + K e; each of r, p, e may be NULL. */
void tml_pencil_apply(TmlPencil *p, const double *e, const double *rate, const double *second,
                      double *y);
/* phi[m] = J' e. */
void tml_pencil_rate(TmlPencil *p, const double *e, double *phi);
/* y[nu] = (J^T)' mu + M' d, (L8). */
void tml_pencil_turning(TmlPencil *p, const double *d, const double *mu, double *y);
void tml_pencil_mass(const TmlPencil *p, const double *e, double *y); /* y[nu] = M e */

/* The equations of (A - shift)^-1, see pencil.c; 2 (nu + m) more rows than n. */
TML_NODISCARD TmlStatus tml_pencil_shifted(TmlPencil *p, double shift, TmlCsc *out, TmlError *err);
