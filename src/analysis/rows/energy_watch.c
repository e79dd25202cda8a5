/* analysis/rows/energy_watch.c - says when the energy of a run does not add up.
 *
 * With E the balance of a row (TmlCertificate.energy_error), T the largest kinetic energy of the
 * rows up to it, W the largest |work| + |dissipated| + |change of potential|, and P the sum of the
 * work of all steps without their signs:
 *
 *   (B1)  |E| > T / 2,  |E| > W / 100,  |E| > 1e-9 (|kinetic| + |potential|)
 *         and  |E| > 1e-6 P                                                           off
 *
 * The first says that what is missing is of the size of the motion itself: velocities then mean
 * nothing. A half, because energy that came from nowhere is kinetic mostly, so that E approaches T
 * from below. The second leaves slow drives alone, whose work is far above the kinetic energy and
 * whose account may be off by a small part of it; the third is the rounding of large potentials.
 * The last is for what passes between two rows: a drive may take a body from rest to rest, so that
 * no row has any energy.
 */
#include "analysis/driver/sim_internal.h"

#include <math.h>
#include <stdio.h>

static const double share_of_motion = 0.5, share_of_work = 0.01, rounding = 1e-9,
                    share_of_steps = 1e-6;

bool tml_energy_watch_add(TmlEnergyWatch *b, const TmlCertificate *c, double passed)
{
    const double E = fabs(c->energy_error), size = fabs(c->kinetic) + fabs(c->potential);
    if (!b->begun) {
        b->begun = true;
        b->first_potential = c->potential;
    }
    b->kinetic = fmax(b->kinetic, c->kinetic);
    b->turnover = fmax(b->turnover, fabs(c->work) + fabs(c->dissipated) +
                                        fabs(c->potential - b->first_potential));
    b->error = fmax(b->error, E);
    return E > share_of_motion * b->kinetic && E > share_of_work * b->turnover &&
           E > rounding * size && E > share_of_steps * passed; // (B1)
}

/* What is missing below this is no motion, as in a model that stands still: the kinetic energy of
 * speeds within the allowed error, and the work of the forces in play over an allowed error. */
static double unresolved(const TmlSim *sim)
{
    const double v = sim->it.norm.translation * sim->it.norm.rate;
    return fmax(0.5 * tml_dims(sim->sys)->mass * v * v, sim->tolerance * sim->rows.forces_in_play);
}

void tml_sim_energy_watch(TmlSim *sim)
{
    const TmlCertificate *c = &sim->rows.certificate;
    const bool missing = tml_energy_watch_add(&sim->rows.energy_watch, c, tml_account_scale(sim));
    const bool off = missing && fabs(c->energy_error) > unresolved(sim);
    TmlSimStats *st = &sim->stats;
    st->max_energy_error = sim->rows.energy_watch.error;
    st->max_kinetic = sim->rows.energy_watch.kinetic;
    st->unbalanced_rows += off;
    if (!off || st->unbalanced_rows > 1) {
        return;
    }
    char text[256];
    snprintf(text, sizeof text,
             "the energy balance is off by %.3g J at t = %.9g s, where the kinetic energy was at "
             "most %.3g J: the motion is wrong from then on; try a %s or another --integrator, and "
             "look for a force that jumps",
             c->energy_error, sim->row.t, sim->rows.energy_watch.kinetic,
             sim->options.step > 0.0 ? "shorter --step" : "smaller --tol");
    tml_notes_add(&sim->notes, "%s", text);
    if (sim->options.hooks.log != NULL) {
        sim->options.hooks.log(sim->options.hooks.user, TML_LOG_WARNING, text);
    }
}
