/* analysis/driver/step_delays.h - delayed values in a run: their past, and kinks that come back. */
#pragma once

#include "analysis/integrator/integrator.h"
#include "model/measure/past.h"
#include "trammel/analysis.h"

typedef struct TmlKink {
    double t;
    int generation; /* how many delays it has come through */
} TmlKink;

typedef struct TmlStepDelays {
    int n_kinks, kink_cap;
    TmlKink *kink;   /* n_kinks: future times at which a delayed value is not smooth, ascending */
    bool kinks_lost; /* memory did not suffice to keep them all */
    double landed;   /* the last kink on which a step ended, s */
    bool *follows;   /* of each delay, whether it follows the motion: tml_system_delay_follows */
    double *end;     /* of each delay, its value at the end of the step */
    double (*sample)[TML_PAST_DEGREE + 1]; /* of each delay, its values inside of the step */
} TmlStepDelays;

/* Makes the past at the start of a run. */
TML_NODISCARD TmlStatus tml_sim_delays_setup(TmlSim *sim, TmlError *err);
/* Makes the past of an equilibrium that has lasted for ever. */
void tml_sim_delays_rest(TmlSim *sim);
/* Prepares the past before a step, and after a restart. */
void tml_sim_delays_ready(TmlSim *sim);
void tml_sim_delays_restart(TmlSim *sim);
/* Fails for a model whose motion depends on its past, which has no modes. */
TML_NODISCARD TmlStatus tml_sim_delays_none(const TmlSim *sim, TmlError *err);
/* Returns h, or the longest step that the delays allow. */
double tml_sim_delays_fit(TmlSim *sim, double h);
/* Returns the time of the next kink, s. */
double tml_sim_delays_kink(const TmlSim *sim);
/* Adds to the error of a step that has converged what its delays leave open. */
void tml_sim_delays_judge(const TmlSim *sim, double h, TmlAttempt *a);
/* Records the values of an accepted step for later steps. Now and next have been swapped by then. */
TML_NODISCARD TmlStatus tml_sim_delays_record(TmlSim *sim, TmlError *err);
/* Returns the number of future kinks, with their times and the last one on which a step ended. */
int tml_sim_delays_kinks(const TmlSim *sim, const TmlKink **kink, double *landed);
/* Puts kinks back as they were when the run was written down. */
TML_NODISCARD TmlStatus tml_sim_delays_restore(TmlSim *sim, int n, const TmlKink *kink,
                                               double landed, TmlError *err);
void tml_sim_delays_free(TmlSim *sim);
