/* analysis/rows/row_drive.c - what drives do, in rows. */
#include "analysis/driver/sim_internal.h"

#include "model/model.h"

#include <math.h>
#include <stdio.h>

enum { COORDINATE, RATE, FORCE, POWER, CHANNELS };

static const double none = (double)NAN;

bool tml_sim_is_drive(const TmlSim *sim, int joint)
{
    return joint >= 0 && joint < tml_model_joint_count(sim->model) &&
           tml_system_is_drive(sim->sys, joint);
}

TmlDrive tml_row_drive(const TmlSim *sim, int joint)
{
    TmlDriven now;
    if (!tml_row_exists(sim, __func__) || !tml_sim_is_drive(sim, joint)) {
        return (TmlDrive){none, none, none, none, none, false};
    }
    const double *lambda = tml_system_shared_lambda(sim->sys, &sim->row);
    (void)tml_system_driven(sim->sys, &sim->row, lambda, joint, &now);
    return (TmlDrive){.coordinate = now.value,
                      .rate = now.rate,
                      .acceleration = now.second,
                      .force = now.force,
                      .power = now.force * now.rate,
                      .length = now.length};
}

double tml_row_hold(TmlSim *sim)
{
    if (!tml_row_exists(sim, __func__)) {
        return none;
    }
    tml_system_swap_factors(sim->sys);
    const double hold = tml_system_hold(sim->sys, &sim->row);
    tml_system_swap_factors(sim->sys);
    tml_system_kinematics(sim->sys, &sim->row, true);
    return hold;
}

/* Names the channels of a drive. */
static void add(TmlSim *sim, int joint)
{
    static const char *const word[CHANNELS] = {"coordinate", "rate", "force", "power"};
    static const char *const unit[2][CHANNELS] = {{"rad", "rad/s", "N m", "W"},
                                                  {"m", "m/s", "N", "W"}};
    const bool length = tml_constraint_row_is_length(sim->sys, joint, 0, sim->it.now.t);
    for (int what = 0; what < CHANNELS; ++what) {
        TmlDriveChannel *to = &sim->drive_channel[sim->n_drive_channels++];
        to->constraint = joint;
        to->what = what;
        to->unit = unit[length][what];
        snprintf(to->name, sizeof to->name, "%.100s.%s", tml_model_joint_name(sim->model, joint),
                 word[what]);
    }
}

TmlStatus tml_sim_drive_channels(TmlSim *sim, TmlError *err)
{
    const int joints = tml_model_joint_count(sim->model);
    int n = 0;
    for (int k = 0; k < joints; ++k) {
        n += tml_sim_is_drive(sim, k);
    }
    if (!sim->options.drive_channels || n == 0) {
        return TML_OK;
    }
    TML_NEW(tml_system_arena(sim->sys), sim->drive_channel, CHANNELS * n);
    tml_system_kinematics(sim->sys, &sim->it.now, true);
    for (int k = 0; k < joints; ++k) {
        if (tml_sim_is_drive(sim, k)) {
            add(sim, k);
        }
    }
    return TML_OK;
}

int tml_drive_channels(const TmlSim *sim)
{
    return sim->n_drive_channels;
}

double tml_drive_channel(const TmlSim *sim, int k)
{
    const TmlDriveChannel *c = &sim->drive_channel[k];
    const TmlDrive now = tml_row_drive(sim, c->constraint);
    return c->what == COORDINATE ? now.coordinate
           : c->what == RATE     ? now.rate
           : c->what == FORCE    ? now.force
                                 : now.power;
}
