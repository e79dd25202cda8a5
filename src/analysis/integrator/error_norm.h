/* analysis/integrator/error_norm.h - the one error norm of steps and iterations.
 *
 * A step passes when every body's position error is at most tolerance * length, its rotation error
 * at most tolerance, and every user state's error at most tolerance times its own magnitude.
 * docs/theory/error_norm.md
 */
#pragma once

#include "system/system.h"

typedef struct TmlNorm {
    double translation, rotation; /* allowed errors: m, rad */
    double *state;                /* nx: allowed errors of the user states */
    double *state_rounding; /* nx: what one unit in the last place of positions does to a state */
    double rate; /* 1/s: allowed errors of velocities are those of positions times this: the largest
                  * speed so far over the length scale, at least one over the end time */
} TmlNorm;

/* Return the largest weighted part of a change du[nu] of positions, and of a change dx[nx] of
 * states. *at tells which unknown (body or state) it belongs to, and may be NULL. */
double tml_norm_u(const TmlSystem *sys, const TmlNorm *norm, const double *du, int *at);
double tml_norm_x(const TmlSystem *sys, const TmlNorm *norm, const double *dx, int *at);
/* Does the same for a change dw[nu] of velocities. */
double tml_norm_w(const TmlSystem *sys, const TmlNorm *norm, const double *dw, int *at);

/* Returns one unit in the last place of state k, which is X now, or what one of the positions that drive it makes of it. */
double tml_norm_state_rounding(const TmlNorm *norm, int k, double X);

/* Tells whether a change dx of state k, which is X now, is rounding: a few units in the last place
 * of the state, or of the positions that drive it. Its allowed error may be below both. */
bool tml_norm_state_rounded(const TmlNorm *norm, int k, double X, double dx);

/* Returns the largest coordinate at q[nq] that is a length, m. */
double tml_norm_farthest(const TmlSystem *sys, const double *q);

/* Returns a change of the size of one unit in the last place: of the largest position at q[nq], or
 * of an angle. */
double tml_norm_rounding(const TmlSystem *sys, const TmlNorm *norm, const double *q);

/* Corrections of positions up to this size are rounding: as many units in the last place as
 * tml_norm_state_rounded grants a state. */
double tml_norm_rounding_floor(const TmlSystem *sys, const TmlNorm *norm, const double *q);
