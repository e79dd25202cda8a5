/* analysis/keep/set_inputs.c - values from outside, set between steps. */
#include "analysis/driver/sim_internal.h"

#include "base/block.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

static const TmlInput *input_of(const TmlSim *sim, int input)
{
    return input >= 0 && input < sim->model->signals.n ? &sim->model->signals.at[input] : NULL;
}

int tml_sim_input_count(const TmlSim *sim)
{
    return sim->model->signals.n;
}

const char *tml_sim_input_name(const TmlSim *sim, int input)
{
    const TmlInput *i = input_of(sim, input);
    return i != NULL ? i->name : NULL;
}

const char *tml_sim_input_unit(const TmlSim *sim, int input)
{
    const TmlInput *i = input_of(sim, input);
    return i != NULL ? i->unit : NULL;
}

int tml_sim_input_find(const TmlSim *sim, const char *name)
{
    for (int k = 0; k < sim->model->signals.n; ++k) {
        if (strcmp(sim->model->signals.at[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

bool tml_sim_is_input_state(const TmlSim *sim, int state)
{
    for (int k = 0; k < sim->model->signals.n; ++k) {
        if (sim->model->signals.at[k].state == state) {
            return true;
        }
    }
    return false;
}

double tml_sim_input(const TmlSim *sim, int input)
{
    const TmlInput *i = input_of(sim, input);
    const TmlState *s = &sim->it.now;
    return i == NULL ? (double)NAN : i->state >= 0 ? s->X[i->state] : s->V[i->variable];
}

static TmlStatus settable(const TmlSim *sim, int input, double value, TmlError *err)
{
    const TmlInput *i = input_of(sim, input);
    if (i == NULL) {
        return tml_fail(err, TML_E_ARGUMENT, "there is no input number %d: the model has %d", input,
                        sim->model->signals.n);
    }
    if (i->state < 0) {
        return tml_fail(err, TML_E_ARGUMENT, "input '%s' follows a table and cannot be set",
                        i->name);
    }
    return isfinite(value)
               ? TML_OK
               : tml_fail(err, TML_E_ARGUMENT, "input '%s' cannot be %g", i->name, value);
}

TmlStatus tml_sim_set_input(TmlSim *sim, int input, double value, TmlError *err)
{
    TML_TRY(settable(sim, input, value, err));
    TmlState *s = &sim->it.now;
    const int state = sim->model->signals.at[input].state;
    if (s->X[state] == value) {
        return TML_OK;
    }
    s->X[state] = value;
    sim->restart_pending = true;
    if (sim->stats.steps > 0) {
        tml_sim_events_look_again(sim);
        return TML_OK; // the restart solves for accelerations
    }
    const uint64_t former = tml_blocks_enter(sim->owner);
    const TmlStatus status = tml_system_accelerations(sim->sys, s, err);
    tml_blocks_enter(former);
    tml_sim_step_restarts(sim);
    tml_sim_events_look_again(sim);
    return status;
}
