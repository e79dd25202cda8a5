/* analysis/driver/image.h - what a run needs to go on from its last accepted state in another process. */
#pragma once

#include "analysis/driver/events.h"
#include "analysis/driver/step_delays.h"
#include "base/block.h"

/* The past of one delay: model/measure/past.h. Pieces are those that are there. */
typedef struct TmlImagePast {
    bool begun, next, thinned;
    double origin, start, first, now, largest, longest;
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
    const TmlEventState *event;
    const TmlImagePast *past;
    const TmlKink *kink;
    double landed;
    int n_scales; /* 0: not known, they are found anew */
    const double *scale;
    double acceleration; /* of scales */
} TmlImage;

/* The image of a sim at its last accepted state, but for `past`: arrays are those of the sim, and
 * count until it goes on. The past of delay k of n_pasts. */
TmlImage tml_sim_image(const TmlSim *sim);
TmlImagePast tml_sim_image_past(const TmlSim *sim, int k);

/* Puts a sim that has not begun at the state of an image of the same model. TML_E_ARGUMENT says
 * that the lengths differ, so that the model is another. */
TML_NODISCARD TmlStatus tml_sim_restore(TmlSim *sim, const TmlImage *image, TmlError *err);

/* keep/saved.c: the whole run with its model as bytes, from which another process of the same program goes on to the same bits.
 *   TML_E_ARGUMENT  elements were registered that another process would not have
 *   TML_E_MODEL     the bytes are those of another build, or damaged */
TML_NODISCARD TmlStatus tml_sim_freeze(const TmlSim *sim, TmlBytes *out, TmlError *err);
TML_NODISCARD TmlStatus tml_sim_thaw(TmlBytes *in, const TmlHooks *hooks, TmlModel **model,
                                     TmlSim **sim, TmlError *err);
