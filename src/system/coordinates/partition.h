/* system/coordinates/partition.h - independent coordinates, and closing the others on them.
 *
 * u = (dependent, independent). With D the diagonal matrix that is one for independent coordinates
 * and zero for dependent ones, J the active rows,
 *
 *   (P1)  [D J^T; J 0] [du; mu] = [0; -Phi]          positions, repeated        [000] (4)
 *   (P2)  [D J^T; J 0] [u'; mu] = [D u'; -Phi_t]     velocities                 [000] (5)
 *
 * are the same as [J; I_d]: in the rows of dependent coordinates J_d^T mu = 0 makes mu zero. The
 * pattern does not depend on which coordinates are independent; only the diagonal changes. Pfaffian
 * rows take part in (P2) only, so there may be fewer independent velocities than positions.
 */
#pragma once

#include "system/system.h"

typedef struct TmlPartition TmlPartition;

TML_NODISCARD TmlStatus tml_partition_create(TmlSystem *sys, TmlPartition **out, TmlError *err);
void tml_partition_free(TmlPartition *p);

/* Choose independent coordinates at s by a sparse LU of J^T with pivoting for size; rotations are
 * preferred as independent ones. */
TML_NODISCARD TmlStatus tml_partition_choose(TmlPartition *p, const TmlState *s, TmlError *err);

int tml_partition_count(const TmlPartition *p);        /* independent positions */
const int *tml_partition_index(const TmlPartition *p); /* their numbers among the nu, ascending */
int tml_partition_rate_count(const TmlPartition *p);   /* independent velocities */
const int *tml_partition_rate_index(const TmlPartition *p);

/* Move the dependent positions (velocities) of s onto the constraints; the independent ones stay.
 * Factors are kept from call to call and renewed when the iteration slows down. False: they do not
 * close. */
bool tml_partition_close_positions(TmlPartition *p, TmlState *s);
bool tml_partition_close_velocities(TmlPartition *p, TmlState *s);

/* Returns what the last closing of positions has added to q (nq), without the changes along
 * Euler parameters that keep their norm. It is free of the rounding that a difference of
 * positions has. */
const double *tml_partition_moved(const TmlPartition *p);

/* Sets the dependent components of a change du[nu] of positions from the independent ones, with the
 * kept factors, as a closure would make them of a small change. What du has in dependent components
 * is ignored. */
void tml_partition_tangent(TmlPartition *p, double *du);

/* True when the pivots are so much smaller than at the choice that another should be made. */
bool tml_partition_worn(const TmlPartition *p);

/* What all closures so far took. */
typedef struct TmlClosureWork {
    int64_t corrections, renewals; /* renewals: of factors */
} TmlClosureWork;
TmlClosureWork tml_partition_work(const TmlPartition *p);
