/* trammel/modal.h - modal bodies: their parts, and their coordinates at an output row.
 *
 * A modal body is a part from finite elements in motion. It has a floating frame, which is a body of
 * tml_model_body_count with the same name, and modal coordinates as the part defines them: relative to the
 * frame, a point of the part is displaced by the sum of shapes times coordinates. Modal bodies and their modes
 * are numbered from 0.
 */
#pragma once

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlModalInfo {
    const char *part;      /* path of the part's file, as the model was loaded */
    int32_t modes, frames; /* numbers of modes and of frames of the part */
    int32_t nodes;         /* nodes whose shapes or stresses the part keeps; 0: it keeps none */
    int32_t body;          /* index of the floating frame among bodies (0 is ground) */
    bool stresses;         /* the part has stress modes */
    bool stiffened;        /* spin stiffens the body */
    int32_t loads;         /* number of load cases of the part that stiffen the body */
    int32_t static_modes;  /* number of modes above `static_above`, which respond statically */
    bool second_order;     /* inertia terms that are quadratic in modal coordinates are included */
    double mass;           /* kg */
    double size;           /* m: the diagonal of the box around the part */
    /* Hz: lowest and highest frequency of its modes, where a static mode has that of the limit; 0: the body
     * has no modes. */
    double lowest, highest;
} TmlModalInfo;

TML_API int tml_model_modal_count(const TmlModel *model);
/* The model owns the names; an index out of range gives NULL. */
TML_API const char *tml_model_modal_name(const TmlModel *model, int modal);
TML_API int tml_model_modal_find(const TmlModel *model, const char *name); /* -1: unknown */
/* An index out of range gives zeros. */
TML_API TmlModalInfo tml_model_modal(const TmlModel *model, int modal);
/* Frequency of a mode, Hz; NAN out of range. */
TML_API double tml_model_modal_hertz(const TmlModel *model, int modal, int mode);

/* --- at the output row ---------------------------------------------------------------------- */

/* A modal coordinate and its rate; the part defines how its modes are normalised. NAN out of range. */
TML_API double tml_row_mode(const TmlSim *sim, int modal, int mode);
TML_API double tml_row_mode_rate(const TmlSim *sim, int modal, int mode);

#ifdef __cplusplus
}
#endif
