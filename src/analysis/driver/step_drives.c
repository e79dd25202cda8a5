/* analysis/driver/step_drives.c - jumps of drives in time: an error in position, an impact in velocity.
 *
 * No mass follows a jump of position. A jump of velocity is an impact: positions stay, and the
 * joints act by an impulse L at once,
 *
 *   (V1)  M (v+ - v-) + Phi_q^T L = 0,   Phi_q v+ + Phi_t(t+) = 0
 *
 * which is the projection of v- in the sense of M. All that acts is a constraint, so the work of
 * the impact is the change of kinetic energy. Steps end before the jump and begin after it; the
 * force of the moment is in no row.
 */
#include "analysis/driver/sim_internal.h"

#include "base/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Jumps of velocity below this part of the largest rate of the model so far are none. */
static const double least_jump = 1e-6;

/* Returns the time a few numbers to a side of t, so that a time that is reached by a sum lies
 * there. */
static double beside(double t, double part)
{
    return t + part * 1e-15 * fmax(fabs(t), 1e-3);
}

static bool is_length(const TmlSim *sim, const TmlDriveJump *j)
{
    return tml_constraint_row_is_length(sim->sys, j->constraint, j->row, sim->it.now.t);
}

static TmlStatus refuse(const TmlSim *sim, const TmlDriveJump *j, TmlError *err)
{
    char name[256];
    tml_system_row_name(sim->sys, tml_constraint_row(sim->sys, j->constraint, j->row), name,
                        sizeof name);
    return tml_fail(err, TML_E_ASSEMBLY,
                    "at t = %.9g s %s jumps by %.6g %s; nothing that has mass can follow: make the "
                    "function continuous, by step() for one",
                    j->left, name, j->position, is_length(sim, j) ? "m" : "rad");
}

static void tell(TmlSim *sim, const TmlDriveJump *j)
{
    enum { TOLD = 3 };
    char name[256], text[512];
    if (++sim->drives.impacts > TOLD + 1) {
        return;
    }
    tml_system_row_name(sim->sys, tml_constraint_row(sim->sys, j->constraint, j->row), name,
                        sizeof name);
    if (sim->drives.impacts > TOLD) {
        snprintf(text, sizeof text, "further velocity jumps of drives are not reported");
    } else {
        snprintf(text, sizeof text,
                 "at t = %.9g s %s changes its velocity by %.6g %s at once: an impact; velocities "
                 "jump with it, and the force of that moment is in no row",
                 j->left, name, fabs(j->rate), is_length(sim, j) ? "m/s" : "rad/s");
    }
    tml_notes_add(&sim->notes, "%s", text);
    if (sim->options.hooks.log != NULL) {
        sim->options.hooks.log(sim->options.hooks.user, TML_LOG_WARNING, text);
    }
}

/* (V1) */
static TmlStatus impact(TmlSim *sim, const TmlDriveJump *j, TmlError *err)
{
    TmlState *s = &sim->it.now;
    TmlSystem *sys = sim->sys;
    const double before = tml_system_energy(sys, s).kinetic;
    tell(sim, j);
    s->t = beside(j->right, 1.0);
    if (!tml_system_project_velocity(sys, s)) {
        return tml_fail(err, TML_E_SINGULAR,
                        "at t = %.9g s a drive jumps in velocity where the joints are singular",
                        s->t);
    }
    TML_TRY(tml_system_accelerations(sys, s, err));
    tml_account_impact(sim, tml_system_energy(sys, s).kinetic - before);
    tml_system_commit(sys, s);
    TmlStepEnd *end = tml_sim_step_end(sim);
    tml_state_copy(sys, s, &end->s);
    end->ready = false;
    tml_account_work(sim, end->work);
    tml_sim_row_gone(sim);
    return TML_OK;
}

/* Finds the first jump up to `end` that counts. One of position is an error. */
static TmlStatus next_jump(TmlSim *sim, double end, TmlDriveJump *j, bool *found, TmlError *err)
{
    const double least = least_jump * sim->it.norm.rate;
    *found = tml_system_drive_jump(sim->sys, &sim->it.now, fmin(end, sim->end), least, j);
    return *found && j->position > 0.0 ? refuse(sim, j, err) : TML_OK;
}

int tml_sim_drives_impacts(const TmlSim *sim)
{
    return sim->drives.impacts;
}

bool tml_sim_drives_reached(const TmlSim *sim)
{
    return sim->drives.ahead && sim->it.now.t >= beside(sim->drives.jump.left, -8.0);
}

TmlStatus tml_sim_drives_cross(TmlSim *sim, TmlError *err)
{
    tml_sim_breaks_cross(sim); // what is behind the jump is seen from there
    bool found = tml_sim_drives_reached(sim);
    TmlDriveJump j = sim->drives.jump;
    sim->drives.ahead = false;
    if (!found) {
        TML_TRY(next_jump(sim, beside(sim->it.now.t, 8.0), &j, &found, err));
    }
    return found ? impact(sim, &j, err) : TML_OK;
}

TmlStatus tml_sim_drives_fit(TmlSim *sim, double *h, TmlError *err)
{
    const double t = sim->it.now.t;
    TML_TRY(next_jump(sim, beside(t + *h, 8.0), &sim->drives.jump, &sim->drives.ahead, err));
    if (sim->drives.ahead) {
        *h = fmax(0.0, fmin(*h, beside(sim->drives.jump.left, -2.0) - t));
    }
    return TML_OK;
}
