/* analysis/driver/events.h - events: steps end on them, and something happens there. */
#pragma once

#include "analysis/integrator/integrator.h"
#include "trammel/analysis.h"

typedef struct TmlEventState {
    double d;    /* expression minus value at the last accepted state */
    bool holds;  /* the event has happened, and its condition still holds */
    bool landed; /* the step that is being tried ends at the event */
} TmlEventState;

typedef struct TmlEvents {
    TmlEventState *at;        /* the state of each event of the model */
    double *values;           /* room for as many values as any event sets */
    double step, output_step; /* the steps that an event has asked for; 0: none */
    bool row;                 /* an event asks for a row at the end of the step */
    bool halted;              /* an event has ended this run and the analyses that follow it */
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
/* Returns the state of each event of the model, at the last accepted state of the run. */
const TmlEventState *tml_sim_events_state(const TmlSim *sim);
/* Sets events as they were when a run was written down. */
void tml_sim_events_restore(TmlSim *sim, int n, const TmlEventState *state);
/* Computes the distances anew after a caller has set states. */
void tml_sim_events_look_again(TmlSim *sim);
