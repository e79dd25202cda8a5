/* analysis/driver/choose.h - which method: by the model at first, another where it fails. */
#pragma once

#include "analysis/integrator/integrator.h"
#include "trammel/analysis.h"

typedef struct TmlChooser {
    bool automatic;                     /* the type was chosen, and another may take over */
    char choice[512];                   /* what was chosen and why */
    const TmlIntegratorType *successor; /* takes over before the next step; NULL: none */
    const char *why;                    /* it does */
    double struggle;                    /* failed iterations of late */
    bool explicit_fits;                 /* explicit steps are not bound by stability */
    double share;  /* of the tolerance that was asked for, which the method gets; 0: all of it */
    int n_methods; /* that have had their turn: the chosen one, dop853, radau, hht */
    const TmlIntegratorType *methods[5];
} TmlChooser;

/* Set the type of the sim by the model's structure, time scales and options, and say why. */
TML_NODISCARD TmlStatus tml_sim_choose(TmlSim *sim, TmlError *err);
/* What the method gets of the tolerance that was asked for. */
double tml_sim_tolerance_share(const TmlSim *sim);
/* Looks at an accepted step with so many failed iterations before it, and may name a successor.
 * stiff is what the method says of the stiffness of the model, or NULL. */
void tml_sim_watch(TmlSim *sim, int failures, const char *stiff);
/* Whether a successor has been named, which takes over before the next step. */
bool tml_sim_is_succeeded(const TmlSim *sim);
/* Tells whether another method can be tried after a failure, and names it. */
bool tml_sim_has_successor(TmlSim *sim, TmlStatus failure);
/* The successor starts at the last accepted state. */
TML_NODISCARD TmlStatus tml_sim_hand_over(TmlSim *sim, TmlError *err);
