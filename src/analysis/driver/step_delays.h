/* analysis/driver/step_delays.h - delayed values in a run: their past, and kinks that come back. */
#pragma once

#include "analysis/integrator/integrator.h"
#include "model/measure/past.h"
#include "trammel/analysis.h"

typedef struct TmlKink {
    double t;
    int generation; /* delays that it has come through */
} TmlKink;

typedef struct TmlStepDelays {
    int n_kinks, kink_cap;
    TmlKink *kink;   /* n_kinks: times to come at which a delayed value is not smooth, ascending */
    bool kinks_lost; /* for want of memory */
    double landed;   /* the last of them */
    bool *follows;   /* of each delay: tml_system_delay_follows */
    double *end;     /* of each delay */
    double (*sample)[TML_PAST_DEGREE + 1]; /* of each delay */
} TmlStepDelays;

/* The past at the start; before a step; after a restart. */
TML_NODISCARD TmlStatus tml_sim_delays_setup(TmlSim *sim, TmlError *err);
void tml_sim_delays_rest(TmlSim *sim); /* at an equilibrium */
void tml_sim_delays_ready(TmlSim *sim);
void tml_sim_delays_restart(TmlSim *sim);
/* Fails for a model whose motion depends on its past, which has no modes. */
TML_NODISCARD TmlStatus tml_sim_delays_none(const TmlSim *sim, TmlError *err);
/* A step no longer than the delays allow; the next kink. */
double tml_sim_delays_fit(TmlSim *sim, double h);
double tml_sim_delays_kink(const TmlSim *sim);
/* What delays leave open of a step that converged, as a part of its error; what it leaves for later
 * steps, when it is accepted and now and next are swapped. */
void tml_sim_delays_judge(const TmlSim *sim, double h, TmlAttempt *a);
TML_NODISCARD TmlStatus tml_sim_delays_record(TmlSim *sim, TmlError *err);
/* Kinks to come, and the last one; as they were when a run was written down; give all back. */
int tml_sim_delays_kinks(const TmlSim *sim, const TmlKink **kink, double *landed);
TML_NODISCARD TmlStatus tml_sim_delays_restore(TmlSim *sim, int n, const TmlKink *kink,
                                               double landed, TmlError *err);
void tml_sim_delays_free(TmlSim *sim);
