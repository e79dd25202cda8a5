/* analysis/driver/step_breaks.c - steps end and begin on their own side of a kink or jump in time.
 *
 * Times at which expressions of time have kinks are known (expr/finish.c). Steps end on them, to
 * the bit, and see the values from before; there the accelerations are solved for anew with those
 * from behind, and the method starts afresh. The next break is looked for when the last is reached:
 * a function that repeats for ever has as many as the run is long.
 *
 * Rows at a break are those of the step that ends there: the values from before it.
 */
#include "analysis/driver/sim_internal.h"

#include <math.h>

/* Times closer than this are one: about ten units in the last place of 1 / 10 of the time, so that
 * sums that lead to it and the expressions that look at it may round. */
double tml_sim_slack(const TmlSim *sim, double t)
{
    return 2e-14 * fmax(fabs(t), 1e-3 * sim->end);
}

static void set_span(TmlSim *sim, double from)
{
    const double t = sim->it.now.t, slack = tml_sim_slack(sim, t);
    const double next = tml_system_next_break(sim->sys, t, slack);
    sim->breaks.next = next;
    tml_system_set_span(sim->sys, isfinite(from) ? from + slack : from,
                        isfinite(next) ? next - tml_sim_slack(sim, next) : next);
}

void tml_sim_breaks_setup(TmlSim *sim)
{
    sim->breaks = (TmlBreaks){.next = HUGE_VAL};
}

double tml_sim_breaks_next(const TmlSim *sim)
{
    return sim->breaks.next;
}

bool tml_sim_breaks_here(const TmlSim *sim)
{
    return sim->breaks.here;
}

void tml_sim_breaks_ready(TmlSim *sim)
{
    if (!sim->breaks.known) {
        tml_sim_breaks_start(sim);
    }
}

void tml_sim_breaks_start(TmlSim *sim)
{
    const double t = sim->it.now.t, slack = tml_sim_slack(sim, t);
    const double first = tml_system_next_break(sim->sys, t - 4.0 * slack, slack);
    const bool here = first <= t + 4.0 * slack;
    sim->breaks.known = true;
    sim->restart_pending = true;
    sim->breaks.here = here;
    set_span(sim, here ? t : -HUGE_VAL);
}

bool tml_sim_breaks_reached(TmlSim *sim)
{
    TmlState *s = &sim->it.now;
    sim->breaks.here = s->t >= sim->breaks.next - tml_sim_slack(sim, s->t);
    if (sim->breaks.here) {
        s->t = sim->breaks.next; // without the rounding of the step
    }
    return sim->breaks.here;
}

void tml_sim_breaks_cross(TmlSim *sim)
{
    if (sim->breaks.here && sim->it.now.t >= sim->breaks.next) {
        set_span(sim, sim->breaks.next);
    }
}
