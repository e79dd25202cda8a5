/* analysis/driver/image.h - what a run needs to go on from its last accepted state in another process. */
#pragma once

#include "analysis/driver/sim_internal.h"

/* The past of one delay: model/measure/past.h. Pieces are those that are there. */
typedef struct TmlImagePast {
    bool begun, next;
    double origin, start, first, now, largest;
    int n_mesh, n_pieces;
    double mesh_t[TML_PAST_MESH], mesh_y[TML_PAST_MESH];
    const TmlPiece *piece; /* n_pieces */
} TmlImagePast;

/* Arrays have the lengths that the system of the same model has. Formulas of methods that remember
 * earlier steps are not part of it: they start afresh. */
typedef struct TmlImage {
    double t;
    int nq, m_all, nx, nv, nf, n_memory, n_events, n_pasts, n_kinks; /* lengths */
    const double *q, *v, *a, *lambda, *X, *Xd, *V, *F;
    const double *memory;
    const struct TmlEventState *event;
    const TmlImagePast *past;
    const struct TmlKink *kink;
    double landed;
} TmlImage;

/* Put a sim that has not begun at the state of an image of the same model. TML_E_ARGUMENT: the
 * lengths differ, so that the model is another. */
TML_NODISCARD TmlStatus tml_sim_restore(TmlSim *sim, const TmlImage *image, TmlError *err);
