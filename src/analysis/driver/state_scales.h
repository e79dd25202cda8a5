/* analysis/driver/state_scales.h - how large a user state is: what its allowed error is relative to. */
#pragma once

#include "system/system.h"

typedef struct TmlStateScales {
    /* The first six are one block. */
    double *seen;   /* nx: largest magnitude of an accepted state, or what a jump leads to */
    double *acts;   /* nx: (X2), (X3); 0: the state acts on nothing */
    double *led;    /* nx: (X4), (X5); 0: nothing is known to lead it */
    double *motion; /* nx: rate that a motion of the usual size brings */
    double *noise;  /* nx: (X8) */
    double *rate;   /* nx: |dX'_k / dX_k| at the last look */
    double *q;      /* 2 nq: coordinates that differ in their last digits, and of bodies turned */
    double *J;      /* nx * nx: |dX'_j / dX_k| at j * nx + k; NULL: too many states */
    double *r, *y;  /* n: a column and its solution; a direction */
    double *column; /* entries of the columns of X' before a change */
    int entries;
    double acceleration; /* 1/s^2: (X1) */
    bool given;          /* every state has a scale of its own */
} TmlStateScales;
