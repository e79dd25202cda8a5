/* analysis/driver/step_drives.h - jumps of drives in time: steps end before them, velocities jump. */
#pragma once

#include "system/system.h"
#include "trammel/analysis.h"

typedef struct TmlStepDrives {
    TmlDriveJump jump; /* the next jump of velocity, when */
    bool ahead;        /* the step under way ends before it */
    int impacts;       /* such jumps so far */
} TmlStepDrives;

/* A step no longer than to the next jump of a drive's velocity (0: it is here), an error
 * for one of position; whether the accepted state is there; the impact, when it is. */
TML_NODISCARD TmlStatus tml_sim_drives_fit(TmlSim *sim, double *h, TmlError *err);
int tml_sim_drives_impacts(const TmlSim *sim); /* so far */
bool tml_sim_drives_reached(const TmlSim *sim);
TML_NODISCARD TmlStatus tml_sim_drives_cross(TmlSim *sim, TmlError *err);
