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

/* --- for a state of another method, recursion_take.c -------------------------------------------- */

/* Call it before the others. From then on all forces act by their frames: angles of laws about axes count turns, which a state does not
 * tell. False: coordinates do not follow from the poses of the bodies. */
bool tml_recursion_take_setup(TmlRecursion *r);
/* Fills x and y with what is nearest to s in the sense of M (Q3), loops apart; *off: how far a body is from it at most, in lengths of the
 * model and radians. False: there is none. */
bool tml_recursion_take(TmlRecursion *r, const TmlState *s, double *x, double *y, double *off);
/* The speeds dy that are nearest to du[nu] of the bodies at x. False: there are none. */
bool tml_recursion_fit(TmlRecursion *r, const double *x, const double *du, double *dy);
/* x moves by c dy, in the sense of speeds. */
void tml_recursion_shift(const TmlRecursion *r, double c, const double *dy, double *x);

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

/* Multipliers of the kept rows of loops, tml_recursion_rows of them, as of the last rates. */
const double *tml_recursion_multipliers(const TmlRecursion *r);

/* --- charts of implicit methods, joint_charts.c: c of each link is its position, of a ball the rotation vector from its quaternion in `base`. There are
 * as many as speeds --------------------------------------------------------------------------- */

/* c at positions x that are the base. */
void tml_charts_begin(const TmlRecursion *r, const double *x, double *c);
/* Whether no rotation vector is near the end of its chart. */
bool tml_charts_hold(const TmlRecursion *r, const double *c);
/* (N15): x, y, y' from c, c', c''. */
void tml_charts_motion(const TmlRecursion *r, const double *base, const double *c, const double *c1,
                       const double *c2, double *x, double *y, double *y1);
/* c and c' from x and y, for balls that have turned by less than pi. */
void tml_charts_coordinates(const TmlRecursion *r, const double *base, const double *x,
                            const double *y, double *c, double *c1);
/* c'' from y'. */
void tml_charts_second(const TmlRecursion *r, const double *c, const double *c1, const double *y1,
                       double *c2);
/* dy = D dc of balls: what a change of coordinates moves, in the sense of speeds. */
void tml_charts_change(const TmlRecursion *r, const double *c, const double *dc, double *dy);
/* (N16): K[3] of tml_tangent_matrices, of n unknowns, become derivatives by c'', c' and c. */
void tml_charts_matrices(const TmlRecursion *r, const double *c, const double *c1, const double *c2,
                         int n, double *const K[3]);

/* --- equations of implicit methods, recursion_tangent.c and tangent_loops.c. Unknowns are the accelerations, the rates of the states,
 * which stand behind the speeds, and multipliers of the kept rows of loops --------------------------- */

typedef struct TmlTangent TmlTangent;

/* What of the model it cannot do; NULL: nothing. */
const char *tml_tangent_refuse(const TmlRecursion *r);
/* Belongs to r, and goes with it. */
TML_NODISCARD TmlStatus tml_tangent_create(TmlRecursion *r, TmlTangent **out, TmlError *err);
/* Number of unknowns. */
int tml_tangent_size(const TmlTangent *t);

/* Computes what is left in the equations of motion (N10), of the states, and of loops at acceleration level, out[size], at s->t, x,
 * y and the unknowns y1, which must stay for the derivatives. False: a value is not finite. */
bool tml_tangent_residual(TmlTangent *t, TmlState *s, const double *x, const double *y,
                          const double *y1, double *out);
/* Its derivatives by the unknowns, y and x at the last residual, by rows. By x of balls: by turns about axes of the parent. */
void tml_tangent_matrices(TmlTangent *t, const TmlState *s, double *K[3]);

/* Bounds what a change dy of coordinates or speeds moves: displacements of bodies over `translation`, turns over `rotation`; by the
 * distances of the last matrices. */
double tml_tangent_bound(const TmlTangent *t, const double *dy, double translation,
                         double rotation);
/* The largest angular velocity at the last residual. */
double tml_tangent_spin(const TmlTangent *t);
/* Leaves the powers of forces and of moving constraints at x, y and the multipliers in the system. */
void tml_tangent_powers(TmlTangent *t, TmlState *s, const double *x, const double *y,
                        const double *lambda);
