/* analysis/driver/runaway.h - motions and states that grow without end. */
#pragma once

#include <stdbool.h>

enum { TML_GROWTH_DOUBLINGS = 16 };

/* Keeps how the largest value that a magnitude has had doubled, again and again. */
typedef struct TmlGrowth {
    double level;                       /* the magnitude at the last doubling */
    int doublings;                      /* how many there were, but at most as many as are kept */
    double t[TML_GROWTH_DOUBLINGS + 1]; /* s: times of the last doublings, the latest first */
    double h[TML_GROWTH_DOUBLINGS + 1]; /* s: step sizes at those times */
} TmlGrowth;

typedef struct TmlRunaway {
    TmlGrowth motion, states;
    double own;    /* 1/s: the model's own rate, (W4); 0 as long as it is not known */
    double *scale; /* nx: the value that counts as one, of each state */
    bool happened; /* the run has ended because something grew without end */
} TmlRunaway;

/* Accounts for a magnitude x >= 0 at time t, after a step h. */
void tml_growth_add(TmlGrowth *g, double x, double t, double h);

/* Tells whether it has grown at one rate through all doublings kept. */
bool tml_growth_is_steady(const TmlGrowth *g);
double tml_growth_interval(const TmlGrowth *g); /* s, of a doubling */

/* Tells whether the steps have become shorter as fast as the magnitude has grown, through all
 * doublings kept. */
bool tml_growth_costs_steps(const TmlGrowth *g);
