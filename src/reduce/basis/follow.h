/* reduce/basis/follow.h - freedoms that follow from others, by rigid spiders and by the linear relations of a mesh.
 *
 * Freedoms are those of the nodes, then six of each frame. A relation sum a_k u_k = 0 makes one of its freedoms follow,
 *
 *     u_p = -sum_{k != p} (a_k / a_p) u_k                                                     (FO1)
 *
 * after all that follow already have been replaced by what they follow from. p is the first freedom of the relation if that is
 * free and its factor is not small, else the one with the largest factor. Of a relation that says nothing new nothing is left.
 */
#pragma once

#include "reduce/finite.h"

typedef struct TmlFollow {
    TmlArena arena;
    int n;              /* freedoms */
    int *first, *count; /* n: entries of one that follows; first -1: it is free */
    bool *kept;         /* n: may not follow from others */
    int n_order;
    int *order; /* n_order: freedoms that follow, in the order in which they were found */
    int n_entries, cap_at, cap_x;
    int *at; /* n_entries: freedoms */
    double *x;
    double *sum; /* n: work */
    bool *in;
    int *touched, n_touched;
} TmlFollow;

TML_NODISCARD TmlStatus tml_follow_create(int n, TmlFollow *out, TmlError *err);
void tml_follow_free(TmlFollow *f);

/* Freedom i = sum x[k] u[at[k]]; i is free so far. */
TML_NODISCARD TmlStatus tml_follow_add(TmlFollow *f, int i, int n, const int *at, const double *x,
                                       TmlError *err);

/* sum x[k] u[at[k]] = 0. `weight` of a freedom makes factors comparable: 1 of displacements, 1 / length of rotations.
 *   TML_E_MODEL  all freedoms that are left are kept */
TML_NODISCARD TmlStatus tml_follow_relation(TmlFollow *f, int n, const int *at, const double *x,
                                            const double *weight, TmlError *err);

/* Entries of all that follow become free freedoms; then nothing can be added. */
TML_NODISCARD TmlStatus tml_follow_resolve(TmlFollow *f, TmlError *err);
