/* analysis/driver/events.h - events: steps end on them, and something happens there. */
#pragma once

#include "analysis/integrator/integrator.h"
#include "trammel/analysis.h"

typedef struct TmlEventState {
    double d;    /* expression minus value at the last accepted state */
    bool holds;  /* it has happened and is still so */
    bool landed; /* the step being tried ends at it */
} TmlEventState;

typedef struct TmlEvents {
    TmlEventState *at;        /* of each event of the model */
    double *values;           /* the most that one sets */
    double step, output_step; /* that an event asks for; 0: none */
    bool row;                 /* an event asks for a row at the end of the step */
    bool halted;              /* an event ended this run and others behind it */
} TmlEvents;

/* Distances at the start; a step of size *h that has converged is taken anew, shorter,
 * when an event lies inside (good: the last try converged); what happens at the accepted state;
 * rows after it. */
TML_NODISCARD TmlStatus tml_sim_events_setup(TmlSim *sim, TmlError *err);
/* Room for events, and which of them have happened in the run that this one goes on from (or NULL):
 * these do not happen again as long as they hold. Before the setup. */
TML_NODISCARD TmlStatus tml_sim_events_take(TmlSim *sim, const TmlSim *from, TmlError *err);
TML_NODISCARD TmlStatus tml_sim_events_land(TmlSim *sim, double *h, TmlAttempt *a, bool *good,
                                            TmlError *err);
/* Make a step again from the last accepted state, of another size; good: it converged and is accurate. */
TML_NODISCARD TmlStatus tml_sim_try_again(TmlSim *sim, double h, TmlAttempt *a, bool *good,
                                          TmlError *err);
TML_NODISCARD TmlStatus tml_sim_events_happen(TmlSim *sim, TmlError *err);
void tml_sim_events_rows(TmlSim *sim);
/* Returns the step that an event has asked for, once, or 0. */
double tml_sim_events_take_step(TmlSim *sim);
bool tml_sim_events_take_row(TmlSim *sim);
/* One for each event of the model, at the last accepted state. */
const TmlEventState *tml_sim_events_state(const TmlSim *sim);
/* Sets events as they were when a run was written down. */
void tml_sim_events_restore(TmlSim *sim, int n, const TmlEventState *state);
/* After states were set by others. */
void tml_sim_events_look_again(TmlSim *sim);
