/* analysis/rows/row_modal.c - modal bodies at the output row. */
#include "trammel/modal.h"

#include "analysis/driver/sim_internal.h"

#include <math.h>

static double mode_value(const TmlSim *sim, int modal, int mode, int level, const char *function)
{
    if (mode < 0 || mode >= tml_model_modal(sim->model, modal).modes ||
        !tml_row_exists(sim, function)) {
        return (double)NAN;
    }
    return tml_modal_value(sim->sys, modal, mode, level);
}

double tml_row_mode(const TmlSim *sim, int modal, int mode)
{
    return mode_value(sim, modal, mode, 0, __func__);
}

double tml_row_mode_rate(const TmlSim *sim, int modal, int mode)
{
    return mode_value(sim, modal, mode, 1, __func__);
}
