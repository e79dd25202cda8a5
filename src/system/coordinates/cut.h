/* system/coordinates/cut.h - loops of a tree of joints: the constraints that are not tree joints, closed by
 * dependent joint coordinates.
 *
 *   (J5)  rows by joint coordinates: J S, summed over the joints between an end and the ground
 *   (J6)  [D (JS)^T; JS 0] [dx; mu] = [0; -Phi], D one for independent coordinates, else zero
 *
 * As system/coordinates/partition.h does it for the coordinates of bodies; here there are only as many rows as
 * loops have equations, none for an open chain.
 */
#pragma once

#include "system/coordinates/tree.h"

typedef struct TmlCut TmlCut;

/* Decides at s, which is on the constraints, which rows are left; redundant ones are left out. It
 * returns TML_E_MODEL for Pfaffian rows and TML_E_SINGULAR when s is a singular position. */
TML_NODISCARD TmlStatus tml_cut_create(TmlTree *tree, const TmlState *s, TmlCut **out,
                                       TmlError *err);
void tml_cut_free(TmlCut *cut);

/* Chooses independent coordinates at x. s is scratch at that time. */
TML_NODISCARD TmlStatus tml_cut_choose(TmlCut *cut, const double *x, TmlState *s, TmlError *err);
int tml_cut_count(const TmlCut *cut);
const int *tml_cut_index(const TmlCut *cut); /* of the independent ones, ascending */
bool tml_cut_worn(const TmlCut *cut);        /* another choice should be made */

/* Sets positions of s from x (velocities from x1) and moves the dependent ones until the loops
 * close. It returns false when they do not. */
bool tml_cut_positions(TmlCut *cut, double *x, TmlState *s);
bool tml_cut_velocities(TmlCut *cut, double *x1, TmlState *s);
const double *tml_cut_moved(const TmlCut *cut); /* n: what the last closing of positions added */

/* Sets the dependent components of a change dx[n] from the independent ones, with the kept
 * factors. */
void tml_cut_tangent(TmlCut *cut, double *dx);
