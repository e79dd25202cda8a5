/* analysis/rows/row_check.c - what is not right in output rows: channels that are not finite.
 *
 * A motion that is not finite ends the run. A channel that nothing else depends on (a quotient that
 * is 0/0 at rest, the logarithm of a length that is zero once) is the model's own affair: the row
 * is kept as it is, and the run says which channel it was, when first and how often.
 */
#include "analysis/driver/sim_internal.h"

#include "base/fail.h"

#include <math.h>
#include <stdio.h>

TmlStatus tml_sim_row_check_setup(TmlSim *sim, TmlError *err)
{
    sim->rows.n_checked = tml_row_channel_count(sim);
    TML_NEW(tml_system_arena(sim->sys), sim->rows.checked, sim->rows.n_checked);
    return TML_OK;
}

static void tell_first(const TmlSim *sim, int channel, double x)
{
    char text[512];
    const TmlHooks *hooks = &sim->options.hooks;
    if (hooks->log != NULL) {
        snprintf(text, sizeof text, "output '%.200s' is not finite (%s) at t = %.9g s",
                 tml_row_channel_name(sim, channel), isnan(x) ? "not a number" : "infinite",
                 sim->row.t);
        hooks->log(hooks->user, TML_LOG_WARNING, text);
    }
}

void tml_sim_row_check(TmlSim *sim)
{
    for (int k = 0; k < sim->rows.n_checked; ++k) {
        const double x = tml_row_channel(sim, k);
        if (isfinite(x)) {
            continue;
        }
        if (sim->rows.checked[k].rows++ == 0) {
            sim->rows.checked[k].first = sim->row.t;
            tell_first(sim, k, x);
        }
    }
}

int64_t tml_sim_channel_nonfinite(const TmlSim *sim, int channel, double *first)
{
    if (channel < 0 || channel >= sim->rows.n_checked || sim->rows.checked[channel].rows == 0) {
        return 0;
    }
    if (first != NULL) {
        *first = sim->rows.checked[channel].first;
    }
    return sim->rows.checked[channel].rows;
}
