/* trammel/modal.h - modal bodies: what they are made of, and their coordinates at an output row.
 *
 * A modal body is a part from finite elements: a floating frame, which is a body of
 * tml_model_body_count of the same name, and modal coordinates. Coordinates are those of the part: a
 * point of it moves by the sum of shapes times coordinates. Modal bodies are numbered from 0, and so
 * are their modes.
 */
#pragma once

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlModalInfo {
    const char *part;      /* path of its file, as the model was loaded */
    int32_t modes, frames; /* of the part */
    int32_t nodes;         /* that the part has shapes or stresses of; 0: it keeps none */
    int32_t body;          /* the floating frame, as bodies are counted: 0 is ground */
    bool stresses;         /* the part has stress modes */
    bool stiffened;        /* by spin */
    int32_t loads;         /* load cases of the part that stiffen it */
    int32_t static_modes;  /* modes above the limit that are held static */
    bool second_order;     /* terms of inertia of modes with each other */
    double mass;           /* kg */
    double size;           /* m: the diagonal of the box around the part */
    double lowest,
        highest; /* Hz: frequencies of its modes, those held static at the limit; 0: it has none */
} TmlModalInfo;

TML_API int tml_model_modal_count(const TmlModel *model);
/* Names are owned by the model; NULL out of range. */
TML_API const char *tml_model_modal_name(const TmlModel *model, int modal);
TML_API int tml_model_modal_find(const TmlModel *model, const char *name); /* -1: unknown */
/* Out of range: zeros. */
TML_API TmlModalInfo tml_model_modal(const TmlModel *model, int modal);
/* Frequency of a mode, Hz; NAN out of range. */
TML_API double tml_model_modal_hertz(const TmlModel *model, int modal, int mode);

/* --- at the output row ---------------------------------------------------------------------- */

/* A modal coordinate and its rate, as the part normalises its modes. NAN out of range. */
TML_API double tml_row_mode(const TmlSim *sim, int modal, int mode);
TML_API double tml_row_mode_rate(const TmlSim *sim, int modal, int mode);

#ifdef __cplusplus
}
#endif
