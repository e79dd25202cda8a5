/* analysis/driver/choose.h - chooses the method by the model, and another one where it fails. */
#pragma once

#include "analysis/integrator/integrator.h"
#include "trammel/analysis.h"

typedef struct TmlChooser {
    bool automatic;                     /* the type was chosen, and another may take over */
    char choice[512];                   /* says what was chosen and why */
    const TmlIntegratorType *successor; /* it takes over before the next step; NULL: none does */
    const char *why;                    /* the reason for the successor */
    double struggle;                    /* a running count of failed iterations, which fades */
    int64_t looked_steps;               /* steps when creeping was looked for last */
    int looked_failures;                /* failed iterations since then */
    double looked_t;                    /* the time then, s */
    bool explicit_fits;                 /* explicit steps are not bound by stability */
    double
        share; /* the part of the tolerance that was asked for which the method gets; 0: all of it */
    int n_methods;                       /* how many methods have had their turn */
    const TmlIntegratorType *methods[5]; /* these: the chosen one, dop853, radau, hht */
} TmlChooser;

/* Sets the type of the sim by the model's structure, time scales and options, and says why. */
TML_NODISCARD TmlStatus tml_sim_choose(TmlSim *sim, TmlError *err);
/* Returns the part of the tolerance that was asked for which the method gets. */
double tml_sim_tolerance_share(const TmlSim *sim);
/* Looks at an accepted step with so many failed iterations before it, and may name a successor.
 * stiff is what the method says of the stiffness of the model, or NULL. */
void tml_sim_watch(TmlSim *sim, int failures, const char *stiff);
/* Tells whether a successor has been named, which takes over before the next step. */
bool tml_sim_is_succeeded(const TmlSim *sim);
/* Tells whether another method can be tried after a failure, and names it. */
bool tml_sim_has_successor(TmlSim *sim, TmlStatus failure);
/* The successor starts at the last accepted state. */
TML_NODISCARD TmlStatus tml_sim_hand_over(TmlSim *sim, TmlError *err);
