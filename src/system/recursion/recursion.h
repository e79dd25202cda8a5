/* system/recursion/recursion.h - accelerations of a tree of joints by a recursion of order n.
 *
 * The equations of motion in joint coordinates: positions x and speeds y of the joints of a spanning tree
 * (system/coordinates/tree.h), with the other constraints as rows whose multipliers are solved for. The recursion is that of
 * docs/theory/recursion.md, (N1) to (N8); tags are those of that page.
 *
 *   x   one number for each turn about an axis and each displacement, a quaternion for each ball
 *   y   rates of the same; of a ball the angular velocity relative to the parent, in the parent's axes
 *
 * Coordinates count from the state that tml_recursion_begin was given.
 */
#pragma once

#include "system/system.h"

typedef struct TmlRecursion TmlRecursion;

/* Makes the recursion of a system that is assembled at s. *why: what of the model it cannot do (TML_E_MODEL then), a text
 * that lasts as long as the system. */
TML_NODISCARD TmlStatus tml_recursion_create(TmlSystem *sys, const TmlState *s, TmlRecursion **out,
                                             const char **why, TmlError *err);
void tml_recursion_free(TmlRecursion *r); /* NULL is fine */

/* How many x and y there are, and rows that close loops. */
int tml_recursion_positions(const TmlRecursion *r);
int tml_recursion_speeds(const TmlRecursion *r);
int tml_recursion_rows(const TmlRecursion *r);
/* What multipliers of loops cost for one body, relative to the recursion: above one it is not what saves time. */
double tml_recursion_burden(const TmlRecursion *r);

/* Lets coordinates count from s, which is on the constraints; fills x and y. False: the rows of loops that were kept hold no
 * longer, and no others could be found. */
bool tml_recursion_begin(TmlRecursion *r, const TmlState *s, double *x, double *y);

/* Whether rows of loops that are kept have become close to dependent while others were left out; choose anew at x, y, on the
 * loops. False: there is no factor. */
bool tml_recursion_worn(const TmlRecursion *r);
bool tml_recursion_choose(TmlRecursion *r, double t, const double *x, const double *y);

/* Computes x' and y' at s->t, x, y and s->X; sets X', V and F of s. Loops may be off by `gap` lengths of the model; false:
 * they are further off, or a body cannot be accelerated. */
bool tml_recursion_rates(TmlRecursion *r, TmlState *s, const double *x, const double *y, double gap,
                         double *x1, double *y1);

/* Moves x and y onto the loops, least in the sense of M (N8). False: too far. */
bool tml_recursion_close(TmlRecursion *r, double t, double *x, double *y);

/* Both for a row of results: rates at x and y moved onto the loops. Leaves no trace in what the next step starts from.
 * False: next to a singular position, too. */
bool tml_recursion_row(TmlRecursion *r, TmlState *s, double *x, double *y, double *x1, double *y1);

/* Fills q, v and a of s from x, y and y1; multipliers of loops too when y1 is that of the last call of tml_recursion_rates.
 * `place`: bodies of the system are there then, as tml_body_pace and tml_body_motion tell, but not their frames. */
void tml_recursion_state(TmlRecursion *r, const double *x, const double *y, const double *y1,
                         bool solved, bool place, TmlState *s);

/* Sets all multipliers of s, which tml_recursion_state was given as solved and whose kinematics are the last ones: those of the
 * tree follow link by link. */
void tml_recursion_reactions(TmlRecursion *r, TmlState *s);

/* du[nu] of the bodies that belongs to a change dx of positions, or dy of speeds, at the last rates. */
void tml_recursion_spread_positions(const TmlRecursion *r, const double *dx, double *du);
void tml_recursion_spread_speeds(const TmlRecursion *r, const double *dy, double *du);

/* --- for implicit methods, recursion_tangent.c: trees without balls. States stand behind speeds, their rates behind
 * accelerations ------------------------------------------------------------------------------- */

typedef struct TmlTangent TmlTangent;

/* What of the tree it cannot do; NULL: nothing. */
const char *tml_tangent_refuse(const TmlRecursion *r);
/* Belongs to r, and goes with it. */
TML_NODISCARD TmlStatus tml_tangent_create(TmlRecursion *r, TmlTangent **out, TmlError *err);

/* Computes what is left in the equations of motion (N10) and of the states, out[speeds + states], at s->t, x, y and accelerations y1. False: a value is
 * not finite. */
bool tml_tangent_residual(TmlTangent *t, TmlState *s, const double *x, const double *y,
                          const double *y1, double *out);
/* Its derivatives by y1, y and x at the last residual, by rows. */
void tml_tangent_matrices(TmlTangent *t, const TmlState *s, double *K[3]);

/* Bounds what a change dy of coordinates or speeds moves: displacements of bodies over `translation`, turns over `rotation`; by the
 * distances of the last matrices. */
double tml_tangent_bound(const TmlTangent *t, const double *dy, double translation,
                         double rotation);
/* The largest angular velocity at the last residual. */
double tml_tangent_spin(const TmlTangent *t);
/* Leaves the powers of forces at x and y in the system. */
void tml_tangent_powers(TmlTangent *t, TmlState *s, const double *x, const double *y);
