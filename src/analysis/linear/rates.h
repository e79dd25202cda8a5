/* analysis/linear/rates.h - the time scales of a model at its present state. */
#pragma once

#include "analysis/integrator/integrator.h"

typedef struct TmlRates {
    double damping;     /* 1/s: |J2|, accelerations by velocities */
    double oscillation; /* 1/s: sqrt |J1|, accelerations by positions */
    double states;      /* 1/s: |J3|, rates of user states by states */
    double motion;      /* 1/s: (U2) */
} TmlRates;

/* Estimates the rates at s, which has its accelerations; the run ends at `end`. */
TmlRates tml_rates_at(TmlSystem *sys, const TmlState *s, double end);

/* The largest of the three that bound explicit steps. */
double tml_rates_fastest(const TmlRates *r);
