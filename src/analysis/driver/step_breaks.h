/* analysis/driver/step_breaks.h - kinks and jumps that expressions of time have: steps end on them. */
#pragma once

#include "trammel/analysis.h"

typedef struct TmlBreaks {
    double next; /* s; infinite: none */
    bool known;  /* the first has been looked for */
    bool here;   /* the last accepted state is at one */
} TmlBreaks;

/* Times closer to t than this are t; none is known yet; the first break, at the start of a run, or
 * only where it has not been looked for; whether the accepted state is at one, to the bit then;
 * the span behind it, for the next step. */
double tml_sim_slack(const TmlSim *sim, double t);
void tml_sim_breaks_setup(TmlSim *sim);
void tml_sim_breaks_start(TmlSim *sim);
void tml_sim_breaks_ready(TmlSim *sim);
bool tml_sim_breaks_reached(TmlSim *sim);
void tml_sim_breaks_cross(TmlSim *sim);
/* The next break, s, infinite: none; whether the last accepted state is at one. */
double tml_sim_breaks_next(const TmlSim *sim);
bool tml_sim_breaks_here(const TmlSim *sim);
