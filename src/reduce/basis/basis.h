/* reduce/basis/basis.h - the displacements that a reduced part is capable of, before they are made
 * orthogonal.
 *
 * Craig-Bampton: one static shape for each unit motion of an interface, all others held (constraint
 * modes), the lowest modes with all interfaces held, and, for loads elsewhere, what these lack of
 * the static answer (residual attachment vectors). Constraint modes are orthogonal in energy to all
 * others, so that K has blocks:
 *
 *     K = [ K_bb 0; 0 diag(w^2) ],   M = [ M_bb M_bi; M_ib 1 ]                                (CB1)
 *
 * Herting: free modes, and static answers with inertia relief to unit loads at the interfaces, less
 * the part that the modes have. All are orthogonal to rigid motion.
 */
#pragma once

#include "reduce/basis/tied.h"

typedef enum TmlReductionMethod { TML_CRAIG_BAMPTON, TML_HERTING } TmlReductionMethod;

/* A unit force on a node that is no interface, in one direction (0, 1, 2). */
typedef struct TmlUnitLoad {
    int node, direction;
} TmlUnitLoad;

typedef struct TmlReduction {
    TmlReductionMethod method;
    int count;    /* modes, at most; -1: as many as `hertz` says */
    double hertz; /* modes up to this frequency; INFINITY: no limit */
    double
        effective; /* modes with at least this share of the mass in one of six directions; 0: all */
    int n_loads;
    const TmlUnitLoad *load;
    int n_forces; /* loads on all freedoms of the nodes, fe->n numbers each */
    const double *force;
} TmlReduction;

typedef struct TmlBasis {
    TmlArena arena;
    const TmlTied *t;
    TmlReductionMethod method;
    int n; /* vectors: motions, modes, extra, in this order */
    int n_motions, n_modes,
        n_extra;       /* of interfaces; modes; of loads, or Herting's of interfaces */
    double *V;         /* t->n x n */
    double *K, *M;     /* n x n */
    double *w2;        /* n_modes + n_extra: squares of circular frequencies */
    double *effective; /* 6 x n_modes: shares of mass and of moments of inertia */
    double factor_bytes, factor_flops; /* of the factors that it took */
} TmlBasis;

TML_NODISCARD TmlStatus tml_basis_create(const TmlTied *t, const TmlReduction *how, TmlBasis *out,
                                         TmlError *err);
void tml_basis_free(TmlBasis *b);
