/* analysis/integrator/index3/lead_in.h - history for a multistep method of fixed order: steps of radau.
 *
 *   (N1)  Radau IIA of order 5 has a local error of h^6, a thousandth of that of BDF of order 5:
 *         a start by its steps leaves the order of the method as it is
 *
 * It is implicit, so that stiff models can be started with long steps.
 */
#pragma once

#include "analysis/integrator/integrator.h"

typedef struct TmlLeadIn {
    TmlIntegrator it; /* of radau; its states are those of the method that it starts */
} TmlLeadIn;

/* From the arena of `it`; up to `iterations` Newton iterations a step. */
TML_NODISCARD TmlStatus tml_lead_in_setup(TmlIntegrator *it, int iterations, TmlLeadIn *out,
                                          TmlError *err);
void tml_lead_in_teardown(TmlLeadIn *lead); /* also after a failed setup, or none */

/* it->now -> it->next, which has everything solved for. */
TML_NODISCARD TmlStatus tml_lead_in_attempt(TmlLeadIn *lead, TmlIntegrator *it, double h,
                                            TmlAttempt *out, TmlError *err);
