/* analysis/integrator/index3/lead_in.c - history for a multistep method of fixed order: steps of radau. */
#include "analysis/integrator/index3/lead_in.h"

#include "analysis/integrator/radau/radau.h"
#include "base/fail.h"

TmlStatus tml_lead_in_setup(TmlIntegrator *it, int iterations, TmlLeadIn *out, TmlError *err)
{
    TmlRadauOptions *o;
    TML_NEW(it->arena, o, 1);
    // its multipliers are wanted, and there is no state yet
    static const char *const key = "coordinates", *const value = "absolute";
    TML_TRY(tml_options_parse(&tml_integrator_radau.info, 1, &key, &value, o, err));
    o->max_iterations = iterations;
    out->it = (TmlIntegrator){.sys = it->sys, .arena = it->arena, .opts = o};
    return tml_integrator_radau.setup(&out->it, err);
}

void tml_lead_in_teardown(TmlLeadIn *lead)
{
    tml_integrator_radau.teardown(&lead->it);
}

TmlStatus tml_lead_in_attempt(TmlLeadIn *lead, TmlIntegrator *it, double h, TmlAttempt *out,
                              TmlError *err)
{
    TmlIntegrator *radau = &lead->it;
    radau->norm = it->norm;
    radau->now = it->now;
    radau->next = it->next;
    tml_integrator_radau.restart(radau); // whether the last step was kept is not known here
    TML_TRY(tml_integrator_radau.attempt(radau, h, out, err));
    if (out->converged) {
        TML_TRY(tml_integrator_radau.accept(radau, h, err));
    }
    it->next = radau->next;
    it->iterations += out->iterations;
    return TML_OK;
}
