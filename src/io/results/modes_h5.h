/* io/results/modes_h5.h - modes as HDF5: the state, and the group /modes. */
#pragma once

#include "trammel/analysis.h"

TML_NODISCARD TmlStatus tml_write_modes_h5(const char *path, TmlSim *sim, const TmlLinear *lin,
                                           TmlError *err);
