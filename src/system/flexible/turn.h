/* system/flexible/turn.h - factors of a flexible body that go on serving while it turns.
 *
 * Stresses and masses do not care where a body points: turned by R, the matrix A of its equations
 * is T A T^T, T = diag(R, ..., R). Factors made before the turn solve the present system as
 *
 *   (R1)  x = T A^-1 T^T b
 *
 * With a turn R_k of its own for each node, (R1) errs by what neighbours turn against each other,
 * the strain of an element, where factors as they are err by the whole turn: by c_q omega^2 phi^2
 * for a stiff direction, frequency omega, and an angle phi. Unknowns of rigid bodies, multipliers
 * and states stay as they are.
 */
#pragma once

#include "system/system.h"

typedef struct TmlTurn TmlTurn;

/* *out is NULL when nothing can turn: no flexible bodies. */
TML_NODISCARD TmlStatus tml_turn_create(TmlSystem *sys, TmlArena *arena, TmlTurn **out,
                                        TmlError *err);

/* The factors are of the last kinematics. */
void tml_turn_mark(TmlTurn *turn, const TmlSystem *sys);

/* R_k from the last kinematics; returns the largest angle, rad. */
double tml_turn_update(TmlTurn *turn, const TmlSystem *sys);

/* (R1) with the factors of the step matrix, r[n] as in tml_system_solve. */
void tml_turn_solve(const TmlTurn *turn, TmlSystem *sys, double *r);
