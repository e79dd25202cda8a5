/* analysis/sensitivity/sensitivity.h - derivatives of a run by parameters, beside the run. */
#pragma once

#include "trammel/sim.h"

typedef struct TmlSensitivity TmlSensitivity;

/* Of a sim that has not been stepped, by n parameters. plus[k] and minus[k] are sims of the same model whose k-th parameter is larger and
 * smaller by shift[k]; `same` is one more of the same model. None of them is stepped; they must outlive it. All
 * have the same rows of redundant joints from here on. tolerance: relative error of a step of the derivatives.
 *   TML_E_ARGUMENT  the model has what derivatives are not computed for; the message names it */
TML_NODISCARD TmlStatus tml_sensitivity_create(TmlSim *sim, TmlSim *same, int n,
                                               TmlSim *const *plus, TmlSim *const *minus,
                                               const double *shift, double tolerance,
                                               TmlSensitivity **out, TmlError *err);
void tml_sensitivity_free(TmlSensitivity *z);

/* Runs the sim to its end with its derivatives. row: as that of tml_sim_run. times[n], rising, not before the start: rows
 * are there, and not at the output times; NULL: they are at these. */
TML_NODISCARD TmlStatus tml_sensitivity_run(TmlSensitivity *z, int n, const double *times,
                                            TmlRowFn row, void *user, TmlError *err);
/* Derivative of a channel by a parameter at the row. */
double tml_sensitivity_channel(const TmlSensitivity *z, int channel, int parameter);
int64_t tml_sensitivity_steps(const TmlSensitivity *z);
/* Whether a derivative may be wrong where the equations jump with the state. */
bool tml_sensitivity_is_rough(const TmlSensitivity *z);
