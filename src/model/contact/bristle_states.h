/* model/contact/bristle_states.h - states of the bristles between shapes. */
#pragma once

#include "trammel/base.h"

typedef struct TmlModel TmlModel;

enum { TML_BRISTLES_A_PAIR = 16, TML_BRISTLES_MOST = 4000 };

/* The bristles of one pair of shapes: three states each, one after another. */
typedef struct TmlBristlePair {
    int shape[2]; /* the smaller number first */
    int first, n; /* of all bristles of the model */
    int state0;   /* in model->states */
} TmlBristlePair;

/* When everything else of the model is finished: pairs whose friction has bristles, and their states. */
TML_NODISCARD TmlStatus tml_contacts_add_bristles(TmlModel *m, TmlError *err);
