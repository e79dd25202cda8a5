/* trammel/search.h - what fits (trammel/fit.h) and optimisations (trammel/optimize.h) share. */
#pragma once

#include "trammel/io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlSearchProgress {
    int evaluations, failed, replayed; /* replayed: found in the journal of an interrupted search */
    int iteration;
    double value, best; /* of the last evaluation and of the best: sum of squares, or objective */
    int n;
    const double *x;     /* n parameters of the last evaluation */
    const char *message; /* of a failed evaluation; else NULL */
} TmlSearchProgress;

/* Functions of the caller; all may be NULL. A function that returns false stops the search, which keeps the best. */
typedef struct TmlSearchHooks {
    void *user;
    bool (*progress)(void *user, const TmlSearchProgress *p); /* after each evaluation */
    bool (*go_on)(void *user);                                /* after each step of a run */
    /* Makes a model with other values of parameters, which the library frees. NULL: tml_model_with, for models that were loaded. */
    TmlStatus (*model)(void *user, int n, const char *const *names, const double *values,
                       TmlModel **out, TmlError *err);
} TmlSearchHooks;

/* Evaluations go to the file `journal` as they are made; NULL: to no file. With `resume` those of an interrupted search of the
 * same description are not made again, and the result is that of an uninterrupted one. Without it they are thrown away. */
typedef struct TmlSearchOptions {
    const char *journal;
    bool resume;
    TmlSearchHooks hooks;
} TmlSearchOptions;

/* Whether a file has this key ("study", "fit", "optimize") at the beginning of a line. A file that cannot be read has not. */
TML_API bool tml_is_description(const char *path, const char *key);

#ifdef __cplusplus
}
#endif
