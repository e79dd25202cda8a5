/* trammel/fit.h - parameters of a model from measurements.
 *
 * Free parameters are changed within their bounds until outputs are nearest to measured columns, in the sense of least squares, by
 * the method of Levenberg and Marquardt with derivatives of the equations of motion (trammel/gradient.h). Where these are
 * refused (contacts, events) derivatives are differences of runs.
 *
 *     tml_fit_load("fit.yaml", NULL, &fit, &err)
 *     tml_fit_run(fit, NULL, &err)
 *     tml_fit_value(fit, k), tml_fit_deviation(fit, k)
 */
#pragma once

#include "trammel/search.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlFit TmlFit;

/* What was measured once. */
typedef struct TmlMeasurement {
    const char *name;    /* for messages and pages; NULL: "measurement 1" and so on */
    int n_times;         /* 1 or more */
    const double *times; /* s, rising, from 0 on */
    int n_columns;
    const char *const *columns; /* names of outputs */
    const double *values;       /* n_times x n_columns; NAN: a gap */
    int n_given;                /* parameters of the model in this measurement alone */
    const char *const *given;
    const double *given_values;
    double weight; /* how much its squares count; 0 counts as 1 */
} TmlMeasurement;

/* Read a description (.yaml) with its measurements. Paths in it are relative to its folder. load: options for the model;
 * NULL: none.
 *   TML_E_MODEL     the description, a measurement or the model is wrong; the message lists all errors */
TML_API TML_NODISCARD TmlStatus tml_fit_load(const char *path, const TmlLoadOptions *load,
                                             TmlFit **out, TmlError *err);
/* The same of a model that is there already, which must outlive the fit, with a description as text. n measurements are given
 * beside those of the text. */
TML_API TML_NODISCARD TmlStatus tml_fit_create(const TmlModel *model, const char *text, int n,
                                               const TmlMeasurement *measurements, TmlFit **out,
                                               TmlError *err);
TML_API void tml_fit_free(TmlFit *fit); /* NULL is fine */
/* Replace settings of all runs; NULL or NAN leaves what the description or the model says. */
TML_API TML_NODISCARD TmlStatus tml_fit_settings(TmlFit *fit, const char *integrator,
                                                 double tolerance, TmlError *err);

/* Fit. Once it was run a fit keeps its results. A fit that does not converge is no failure; tml_fit_result says why. One that was
 * stopped keeps the best parameters so far.
 *   TML_E_STEP and others  the first run fails: there is nothing to begin with */
TML_API TML_NODISCARD TmlStatus tml_fit_run(TmlFit *fit, const TmlSearchOptions *options,
                                            TmlError *err);

typedef struct TmlFitResult {
    bool converged, stopped;
    bool differenced; /* derivatives are differences of runs */
    int points, iterations, evaluations, failed, replayed;
    double cost;       /* sum of squares of what is left, each over its standard deviation */
    double confidence; /* of the intervals */
    const char *message;
} TmlFitResult;

TML_API TmlFitResult tml_fit_result(const TmlFit *fit);
TML_API const char *tml_fit_title(const TmlFit *fit);
TML_API const TmlModel *tml_fit_model(const TmlFit *fit);
TML_API int tml_fit_parameters(const TmlFit *fit);
TML_API const char *tml_fit_parameter(const TmlFit *fit, int k); /* name */
TML_API double tml_fit_value(const TmlFit *fit, int k);
/* Standard deviation and interval; NAN: the data do not determine the parameter. */
TML_API double tml_fit_deviation(const TmlFit *fit, int k);
TML_API double tml_fit_low(const TmlFit *fit, int k);
TML_API double tml_fit_high(const TmlFit *fit, int k);
TML_API double tml_fit_correlation(const TmlFit *fit, int a, int b);

TML_API int tml_fit_outputs(const TmlFit *fit);
TML_API const char *tml_fit_output(const TmlFit *fit, int output); /* name */
TML_API const char *tml_fit_output_unit(const TmlFit *fit, int output);
/* Standard deviation of the measurements of an output, as given or as estimated. */
TML_API double tml_fit_noise(const TmlFit *fit, int output);

TML_API int tml_fit_measurements(const TmlFit *fit);
TML_API const char *tml_fit_measurement(const TmlFit *fit, int measurement); /* name */
TML_API int tml_fit_times(const TmlFit *fit, int measurement);
TML_API double tml_fit_time(const TmlFit *fit, int measurement, int row);
TML_API double tml_fit_measured(const TmlFit *fit, int measurement, int row, int output);
TML_API double tml_fit_predicted(const TmlFit *fit, int measurement, int row, int output);

/* All results and evaluations as JSON; measured and fitted values as CSV, a line for each time; a page with curves. */
TML_API TML_NODISCARD TmlStatus tml_fit_write_json(const TmlFit *fit, const char *path,
                                                   TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_fit_write_csv(const TmlFit *fit, const char *path,
                                                  TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_fit_write_page(const TmlFit *fit, const char *path,
                                                   TmlError *err);

#ifdef __cplusplus
}
#endif
