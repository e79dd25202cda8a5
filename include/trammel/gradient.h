/* trammel/gradient.h - a run with the derivatives of its outputs by parameters of the model.
 *
 * The equations of motion are differentiated along the run and solved beside it, with an error control of their own; no run is
 * repeated. Any integrator makes the run. Refused by name: contacts, delays, events, drives whose velocity jumps.
 *
 *     const char *names[] = {"L", "damping"};
 *     TmlGradientOptions o = tml_gradient_options_default();
 *     o.n = 2; o.names = names;
 *     tml_gradient_create(model, NULL, &o, &g, &err)
 *     tml_gradient_run(g, on_row, user, &err)          on_row reads tml_gradient_channel(g, channel, parameter)
 */
#pragma once

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The value of a parameter of a model.
 *   TML_E_ARGUMENT  it has none of this name; the message gives the nearest one */
TML_API TML_NODISCARD TmlStatus tml_model_parameter(const TmlModel *model, const char *name,
                                                    double *out, TmlError *err);

typedef struct TmlGradient TmlGradient;

typedef struct TmlGradientOptions {
    uint32_t size; /* set by tml_gradient_options_default; do not change */
    int n;
    const char *const *names; /* parameters of the model */
    /* n sizes of the parameters, of which a hundred thousandth is a small change. NULL, or 0 as an entry: that of the
     * value, 1 where it is zero. */
    const double *scales;
    double
        tolerance; /* relative error of a step of the derivatives; NAN: 1e-7, or that of the run if it is less */
    int n_times;
    const double *
        times; /* s, rising, up to the end: rows are there, and not at output times; NULL: at these */
    bool unchecked; /* leave out the check of tml_gradient_run */
} TmlGradientOptions;

TML_API TmlGradientOptions tml_gradient_options_default(void);

/* sim NULL: the default options. They must not continue another sim.
 *   TML_E_ARGUMENT  a parameter is none of the model, changes which equations it has, or the model has what derivatives are not
 *                   computed for */
TML_API TML_NODISCARD TmlStatus tml_gradient_create(const TmlModel *model, const TmlSimOptions *sim,
                                                    const TmlGradientOptions *options,
                                                    TmlGradient **out, TmlError *err);
TML_API void tml_gradient_free(TmlGradient *g); /* NULL is fine */

/* Run to the end. `row` is called at every output time with the sim set to the row. Where the equations of a model may jump with
 * its state (if, sign, tyres), the derivatives are compared with the difference of two runs in one
 * direction, unless `unchecked`:
 *   TML_E_ARGUMENT  they differ by more than a hundredth */
TML_API TML_NODISCARD TmlStatus tml_gradient_run(TmlGradient *g, TmlRowFn row, void *user,
                                                 TmlError *err);
TML_API const TmlSim *tml_gradient_sim(const TmlGradient *g); /* the run: stop it by tml_sim_stop */
/* Derivative of a channel of the sim by the k-th parameter at the row; NAN: no such channel or parameter. */
TML_API double tml_gradient_channel(const TmlGradient *g, int channel, int k);
TML_API double tml_gradient_value(const TmlGradient *g, int k); /* of the k-th parameter */
/* Steps that the derivatives took. */
TML_API int64_t tml_gradient_steps(const TmlGradient *g);

#ifdef __cplusplus
}
#endif
