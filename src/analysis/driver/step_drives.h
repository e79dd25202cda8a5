/* analysis/driver/step_drives.h - jumps of drives in time: steps end before them, velocities jump. */
#pragma once

#include "system/system.h"
#include "trammel/analysis.h"

typedef struct TmlStepDrives {
    TmlDriveJump jump; /* the next jump of velocity, with its time */
    bool ahead;        /* the present step ends before that jump */
    int impacts;       /* jumps that the run has passed */
} TmlStepDrives;

/* Shortens the step h so that it ends at the next jump of a drive's velocity; h becomes 0 where the jump is here. A jump of a
 * drive's position is an error. */
TML_NODISCARD TmlStatus tml_sim_drives_fit(TmlSim *sim, double *h, TmlError *err);
/* Tells whether the accepted state is at the jump. */
bool tml_sim_drives_reached(const TmlSim *sim);
/* Makes the impact of the jump, if the accepted state is there. */
TML_NODISCARD TmlStatus tml_sim_drives_cross(TmlSim *sim, TmlError *err);
/* Returns how many impacts there were so far. */
int tml_sim_drives_impacts(const TmlSim *sim);
