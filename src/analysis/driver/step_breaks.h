/* analysis/driver/step_breaks.h - kinks and jumps that expressions of time have: steps end on them. */
#pragma once

#include "trammel/analysis.h"

typedef struct TmlBreaks {
    double next; /* s: time of the next break; it is infinite where there is none */
    bool known;  /* the first break has been looked for */
    bool here;   /* the last accepted state is at a break */
} TmlBreaks;

/* Returns the distance within which times count as equal to t, s. */
double tml_sim_slack(const TmlSim *sim, double t);
/* Before a run: no break is known. */
void tml_sim_breaks_setup(TmlSim *sim);
/* Looks for the first break from the present time on. `ready` does so only if nobody has looked yet. */
void tml_sim_breaks_start(TmlSim *sim);
void tml_sim_breaks_ready(TmlSim *sim);
/* Tells whether the accepted state is at a break, and gives it the time of the break to the last bit then. */
bool tml_sim_breaks_reached(TmlSim *sim);
/* Makes the span behind the break the one in which the next step evaluates expressions, and looks for the next break. */
void tml_sim_breaks_cross(TmlSim *sim);
/* Returns the time of the next break, s; it is infinite where there is none. */
double tml_sim_breaks_next(const TmlSim *sim);
/* Tells whether the last accepted state is at a break. */
bool tml_sim_breaks_here(const TmlSim *sim);
