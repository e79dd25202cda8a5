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
    return force >= 0 && force < sim->model->forces.n ? sim->model->forces.at[force].name : NULL;
}

int tml_sim_force_find(const TmlSim *sim, const char *name)
{
    return tml_model_find_force(sim->model, name);
}

TmlReaction tml_row_force(const TmlSim *sim, int force)
{
    TmlReaction out = {.unique = true};
    TmlRow w[TML_MAX_ENDS];
    if (tml_sim_force_name(sim, force) == NULL) {
        return out;
    }
    if (!tml_row_exists(sim, __func__)) {
        const TmlVec3 none = {(double)NAN, (double)NAN, (double)NAN};
        return (TmlReaction){none, none, none, none, false};
    }
    const TmlForce *f = &sim->model->forces.at[force];
    const TmlElementIn in = tml_force_in(sim->sys, &sim->row, force);
    f->type->wrench(&in, w);
    const TmlMat33 *A = &in.e[f->n_ends - 1].A;
    out.force = w[f->n_ends - 1].r;
    out.torque = w[f->n_ends - 1].theta;
    out.force_local = m3_tmulv(A, out.force);
    out.torque_local = m3_tmulv(A, out.torque);
    return out;
}

bool tml_row_force_output(const TmlSim *sim, int force, int index, const char **name,
                          const char **unit, double *value)
{
    enum { MOST = 32 };
    double all[MOST];
    if (tml_sim_force_name(sim, force) == NULL) {
        return false;
    }
    const TmlForceType *type = sim->model->forces.at[force].type;
    int n = 0;
    while (type->info.outputs != NULL && type->info.outputs[n].name != NULL) {
        ++n;
    }
    if (index < 0 || index >= n || n > MOST) {
        return false;
    }
    *name = type->info.outputs[index].name;
    *unit = type->info.outputs[index].unit;
    *value = (double)NAN;
    if (tml_row_exists(sim, __func__)) {
        const TmlElementIn in = tml_force_in(sim->sys, &sim->row, force);
        type->output(&in, all);
        *value = all[index];
    }
    return true;
}
