/* analysis/driver/state_scales.h - how large a user state is: what its allowed error is relative to. */
#pragma once

#include "system/system.h"

typedef struct TmlStateScales {
    /* The first six are one block. */
    double *
        seen; /* nx: the largest magnitude of an accepted state, or the value to which a jump leads */
    double *acts; /* nx: the scale by what the state moves, (X2), (X3); 0: it acts on nothing */
    double *
        led; /* nx: the scale by what leads the state, (X4), (X5); 0: nothing is known to lead it */
    double *motion; /* nx: the rate that a motion of the usual size brings */
    double *noise;  /* nx: what rounding makes of the state, (X8) */
    double *rate;   /* nx: |dX'_k / dX_k| when it was last looked at */
    double *
        q; /* 2 nq: coordinates that differ in their last digits, and those of bodies that are turned */
    double *J;      /* nx * nx: |dX'_j / dX_k| at j * nx + k; NULL: there are too many states */
    double *r, *y;  /* n: a column and its solution; a direction */
    double *column; /* the entries of the columns of X' before a change */
    int entries;    /* how many these are */
    double acceleration; /* 1/s^2: how fast the model gathers speed, (X1) */
    bool given;          /* every state has a scale that the model gives */
} TmlStateScales;
