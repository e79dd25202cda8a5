/* analysis/contact/step_contacts.h - steps and contacts: lists of near pairs, and steps that end on an onset. */
#pragma once

#include "analysis/integrator/integrator.h"
#include "trammel/analysis.h"

typedef struct TmlStepContacts {
    bool landing;  /* the step being tried ends on an onset or a release */
    bool located;  /* it ends exactly there: rows of both sides are wanted */
    bool released; /* on a release */
    bool parting;  /* it ends behind a release at which no force jumps */
    bool row,
        behind;     /* located: rows are wanted at the end of the step; at the start of the next */
    bool beyond;    /* the last try left what the near pairs are good for */
    bool landed;    /* the last step has ended on one */
    int64_t onsets; /* that steps ended on */
    int64_t releases; /* the same, where contacts are located */
} TmlStepContacts;

/* Before a try of size *h from the present state: near pairs are those that it may meet, and it ends on
 * the first onset that is foreseen. *anew: matrices are others, the method must start afresh. */
TML_NODISCARD TmlStatus tml_sim_contacts_fit(TmlSim *sim, double *h, bool *anew, TmlError *err);
/* `events: locate`: points keep their sides in steps; before a step. A try that has converged and passes an onset or a
 * release is made again, shorter, until it ends there (good: the last try converged). *shorter: it is. The step behind
 * starts with other sides; whether any is another. */
void tml_sim_contacts_ready(TmlSim *sim);
TML_NODISCARD TmlStatus tml_sim_contacts_land(TmlSim *sim, double *h, TmlAttempt *a, bool *good,
                                              bool *shorter, TmlError *err);
bool tml_sim_contacts_cross(TmlSim *sim);
/* How far a step may miss an onset or a release, m; 0: the rounding of gaps. */
TmlMiss tml_sim_contacts_miss(const TmlSim *sim);
/* Rows of both sides: whether one is wanted at the end of the last step, or at its start, once. */
bool tml_sim_contacts_take_row(TmlSim *sim);
bool tml_sim_contacts_take_row_behind(TmlSim *sim);
/* Whether the state that a try has come to is within what the near pairs are good for. */
bool tml_sim_contacts_bear(TmlSim *sim);
/* After an accepted step: whether it ended on an onset, so that the method starts afresh. */
bool tml_sim_contacts_landed(TmlSim *sim);
/* The step with which it does, up to h: one that the force that sets in bears. */
double tml_sim_contacts_first(TmlSim *sim, double h);
/* A note of what overlaps at the start of a run: how many points, and the deepest by its names. */
TML_NODISCARD TmlStatus tml_sim_contacts_start(TmlSim *sim, TmlError *err);
