/* analysis/linear/linear_work.h - what the files of the linearisation share.
 *
 *   linearize.c       the state, the choice between small and large, reading of results
 *   linear_dense.c    small systems: the matrix, all eigenvalues
 *   linear_sparse.c   large systems: eigenvalues near a shift
 *   linear_modes.c    from eigenvectors to modes of bodies
 */
#pragma once

#include "analysis/driver/sim_internal.h"
#include "analysis/linear/pencil.h"
#include "trammel/analysis.h"
#include "trammel/flexible.h"
#include "trammel/modal.h"

struct TmlLinear {
    TmlArena arena;
    const TmlSim *sim;
    TmlLinearInfo info;
    TmlMode *mode;  /* info.modes */
    double *shape;  /* info.modes * 2 * (nu + nx): real part, imaginary part */
    double *energy; /* info.modes * nb; of a flexible body with the body that stands for it */
    TmlState base;  /* about which was linearised */
    int vectors;    /* of all nodes of all flexible bodies */
    TmlVec3 *node;  /* info.modes * vectors * 2: change, imaginary part */
    double *matrix; /* order * order, NULL: sparse */
};

/* What is needed while the modes are computed. */
typedef struct LinearWork {
    TmlSim *sim;
    TmlSystem *sys;
    TmlArena arena;
    TmlState s;
    TmlPencil p;
    TmlLinear *lin;
    double shift;
    bool partition;
    int np, nv, order, wanted; /* wanted: modes, 0: all */
    double *N, *MN, *Nv, *MNv; /* nu * np, nu * nv */
    const int *at, *at_v;      /* np, nv: independent coordinates; NULL: (E2) */
    TmlCsc shifted;
    TmlLu *lu;
    double *rhs, *h; /* of the shifted system; nu */
} LinearWork;

/* Compute the modes by each way. */
TML_NODISCARD TmlStatus tml_linear_dense(LinearWork *w, TmlError *err);
TML_NODISCARD TmlStatus tml_linear_sparse(LinearWork *w, TmlError *err);

/* Fill w->lin from n eigenvalues and vectors of the given length: the wanted modes nearest the
 * shift. */
TML_NODISCARD TmlStatus tml_linear_modes(LinearWork *w, int n, const double *re, const double *im,
                                         const double *vectors, size_t length, TmlError *err);
