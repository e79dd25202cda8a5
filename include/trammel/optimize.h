/* trammel/optimize.h - the best parameters of a model, by numbers of its runs.
 *
 * Parameters are changed within their bounds until a response (or a sum of responses) is least, or largest, while others keep
 * their limits. Methods with derivatives (slsqp, mma) take those of the equations of motion (trammel/gradient.h); cobyla and
 * bobyqa do without; direct and isres look everywhere, and a method without derivatives finishes what they found.
 *
 *     tml_optimum_load("optimize.yaml", NULL, &optimum, &err)
 *     tml_optimum_run(optimum, NULL, &err)
 *     tml_optimum_value(optimum, k), tml_optimum_best(optimum, response)
 */
#pragma once

#include "trammel/search.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlOptimum TmlOptimum;

/* Read a description (.yaml). Paths in it are relative to its folder. load: options for the model; NULL: none.
 *   TML_E_MODEL     the description or the model is wrong; the message lists all errors */
TML_API TML_NODISCARD TmlStatus tml_optimum_load(const char *path, const TmlLoadOptions *load,
                                                 TmlOptimum **out, TmlError *err);
/* The same of a model that is there already, which must outlive the result, with a description as text. */
TML_API TML_NODISCARD TmlStatus tml_optimum_create(const TmlModel *model, const char *text,
                                                   TmlOptimum **out, TmlError *err);
TML_API void tml_optimum_free(TmlOptimum *o); /* NULL is fine */
/* Replace settings; NULL, NAN or 0 leaves what the description or the model says. method: "slsqp" and so on.
 *   TML_E_ARGUMENT  the method cannot do what is asked for */
TML_API TML_NODISCARD TmlStatus tml_optimum_settings(TmlOptimum *o, const char *method,
                                                     const char *integrator, double tolerance,
                                                     int evaluations, TmlError *err);

/* Search. Afterwards the results are there; a search that does not converge is no failure, and tml_optimum_result says why.
 * One that was stopped keeps the best so far.
 *   TML_E_STEP and others  the first run fails: there is nothing to begin with */
TML_API TML_NODISCARD TmlStatus tml_optimum_run(TmlOptimum *o, const TmlSearchOptions *options,
                                                TmlError *err);

typedef struct TmlOptimumResult {
    bool converged, stopped;
    bool feasible;    /* the best keeps all limits, to a millionth of their sizes */
    bool differenced; /* derivatives are differences of runs */
    int evaluations, failed, replayed;
    double objective; /* of the best, as it was asked for */
    const char *method, *message;
} TmlOptimumResult;

TML_API TmlOptimumResult tml_optimum_result(const TmlOptimum *o);
TML_API const char *tml_optimum_title(const TmlOptimum *o);
TML_API const TmlModel *tml_optimum_model(const TmlOptimum *o);
TML_API int tml_optimum_parameters(const TmlOptimum *o);
TML_API const char *tml_optimum_parameter(const TmlOptimum *o, int k); /* name */
TML_API double tml_optimum_start(const TmlOptimum *o, int k);
TML_API double tml_optimum_value(const TmlOptimum *o, int k); /* of the best */
TML_API double tml_optimum_low(const TmlOptimum *o, int k);   /* bounds */
TML_API double tml_optimum_high(const TmlOptimum *o, int k);
TML_API int tml_optimum_responses(const TmlOptimum *o);
TML_API const char *tml_optimum_response(const TmlOptimum *o, int response); /* name */
TML_API const char *tml_optimum_response_unit(const TmlOptimum *o, int response);
TML_API double tml_optimum_first(const TmlOptimum *o, int response); /* at the start */
TML_API double tml_optimum_best(const TmlOptimum *o, int response);
/* Limits of a response: infinite where there is none, equal where it has a value to keep. */
TML_API double tml_optimum_min(const TmlOptimum *o, int response);
TML_API double tml_optimum_max(const TmlOptimum *o, int response);

/* All results and evaluations as JSON; evaluations as CSV, a line for each; a page. */
TML_API TML_NODISCARD TmlStatus tml_optimum_write_json(const TmlOptimum *o, const char *path,
                                                       TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_optimum_write_csv(const TmlOptimum *o, const char *path,
                                                      TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_optimum_write_page(const TmlOptimum *o, const char *path,
                                                       TmlError *err);

#ifdef __cplusplus
}
#endif
