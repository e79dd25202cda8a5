/* analysis/driver/memory.h - whether a method fits into the memory that there is. */
#pragma once

#include "analysis/driver/sim_internal.h"

/* Estimates the bytes that the method takes beyond what the assembled system has, for its set-up,
 * first steps and rows. */
double tml_sim_memory_needed(const TmlSim *sim, const TmlIntegratorType *type);

/* Tells whether the method fits into what there is. */
bool tml_sim_memory_suffices(const TmlSim *sim, const TmlIntegratorType *type);

/* Returns TML_E_NOMEM with the numbers where there is no hope: one before the system is assembled,
 * the other before a method is set up. */
TML_NODISCARD TmlStatus tml_sim_memory_system(const TmlSim *sim, TmlError *err);
TML_NODISCARD TmlStatus tml_sim_memory_method(const TmlSim *sim, TmlError *err);

/* Gives back the factors of the start of a large model, before rows take theirs: most implicit methods need none of
 * accelerations again. */
void tml_sim_memory_spare(TmlSim *sim);

/* Tells where memory ran out, what was being done, how much there is and what to try. Other
 * statuses pass as they are, but those of factorisations that had no memory. */
TmlStatus tml_sim_memory_told(const TmlSim *sim, TmlStatus status, TmlError *err);
