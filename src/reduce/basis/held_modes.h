/* reduce/basis/held_modes.h - the lowest modes of a part that is held. */
#pragma once

#include "reduce/basis/held_part.h"

/* K v = w M v with D v = 0 and v = 0 at held freedoms: the k lowest, fewer where there are no more
 * (*found). w[k]: squares of circular frequencies, ascending; V[t->n * k] with V^T M V = 1. */
TML_NODISCARD TmlStatus tml_held_modes(TmlHeld *h, int k, double *w, double *V, int *found,
                                       TmlError *err);
