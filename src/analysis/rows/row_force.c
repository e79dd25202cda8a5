/* analysis/rows/row_force.c - force elements at the row: names, wrenches, outputs. */
#include "analysis/driver/sim_internal.h"
#include "trammel/analysis.h"

#include <math.h>

int tml_sim_force_count(const TmlSim *sim)
{
    return sim->model->forces.n;
}

const char *tml_sim_force_name(const TmlSim *sim, int force)
{
    return force >= 0 && force < sim->model->forces.n ? tml_force_name(sim->sys, force) : NULL;
}

int tml_sim_force_find(const TmlSim *sim, const char *name)
{
    return tml_model_find_force(sim->model, name);
}

TmlReaction tml_row_force(const TmlSim *sim, int force)
{
    TmlReaction out = {.unique = true};
    if (tml_sim_force_name(sim, force) == NULL) {
        return out;
    }
    if (!tml_row_exists(sim, __func__)) {
        const TmlVec3 none = {(double)NAN, (double)NAN, (double)NAN};
        return (TmlReaction){none, none, none, none, false};
    }
    TmlMat33 axes;
    const TmlRow w = tml_force_wrench(sim->sys, &sim->row, force, &axes);
    out.force = w.r;
    out.torque = w.theta;
    out.force_local = m3_tmulv(&axes, w.r);
    out.torque_local = m3_tmulv(&axes, w.theta);
    return out;
}

bool tml_row_force_output(const TmlSim *sim, int force, int index, const char **name,
                          const char **unit, double *value)
{
    TmlForceOutput out = {.value = (double)NAN};
    if (tml_sim_force_name(sim, force) == NULL ||
        !tml_force_output(sim->sys, NULL, force, index, &out)) {
        return false;
    }
    if (tml_row_exists(sim, __func__)) {
        (void)tml_force_output(sim->sys, &sim->row, force, index, &out);
    }
    *name = out.name;
    *unit = out.unit;
    *value = out.value;
    return true;
}
