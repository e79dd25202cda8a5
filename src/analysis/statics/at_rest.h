/* analysis/statics/at_rest.h - a run that starts from the static equilibrium. */
#pragma once

#include "analysis/driver/sim_internal.h"

/* Moves a sim that has just been made to the static equilibrium beside its start. Bodies and states keep the velocities and
 * rates that they were given, as far as the constraints allow. */
TML_NODISCARD TmlStatus tml_sim_start_at_rest(TmlSim *sim, TmlError *err);
