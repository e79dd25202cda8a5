/* io/study/response.h - what studies, fits and optimisations share: settings of runs, and numbers that are taken from their
 * rows.
 *
 *   response_read.c  from a description
 *   response.c       from rows
 */
#pragma once

#include "base/arena.h"
#include "model/read/read.h"
#include "trammel/io.h"

#define TML_TAKES "max|min|mean|rms|end|range|largest|time_of_max|time_of_min|integral"
typedef enum TmlTake {
    TML_TAKE_MAX,
    TML_TAKE_MIN,
    TML_TAKE_MEAN,
    TML_TAKE_RMS,
    TML_TAKE_END,
    TML_TAKE_RANGE,
    TML_TAKE_LARGEST,
    TML_TAKE_TIME_OF_MAX,
    TML_TAKE_TIME_OF_MIN,
    TML_TAKE_INTEGRAL
} TmlTake;

/* One number of a run. */
typedef struct TmlResponse {
    const char *name, *channel;
    const char *unit;
    int index; /* of the channel; before tml_responses_bind the line of its entry */
    TmlTake take;
    double from, to; /* s: rows that count */
} TmlResponse;

/* Settings that all runs share; NAN, NULL: the model's. */
typedef struct TmlStudyRun {
    double end_time, output_step, tolerance;
    const char *integrator;
} TmlStudyRun;

/* A description that is being read. Texts that stay are copied to the arena. */
typedef struct TmlDescription {
    TmlArena *arena;
    TmlReader *r;
    const TmlValue *root;
    const char *file;
} TmlDescription;

/* Section `run`. */
TmlStudyRun tml_run_settings_read(const TmlDescription *d);
/* Section `responses`: *n is 0 where there is none. Wrong entries go to the report of the reader. */
TML_NODISCARD TmlStatus tml_responses_read(const TmlDescription *d, TmlResponse **out, int *n,
                                           TmlError *err);
/* Finds the channels and units of responses. */
TML_NODISCARD TmlStatus tml_responses_bind(TmlArena *arena, const char *file, const TmlModel *model,
                                           int n, TmlResponse *response, TmlError *err);
int tml_channel_of(const TmlModel *model, const char *name); /* -1: none */
TmlStatus tml_channel_unknown(const char *file, const TmlModel *model, int line, const char *name,
                              TmlError *err);

/* The file that the key `model` names. */
TML_NODISCARD TmlStatus tml_description_model(const TmlDescription *d, const TmlLoadOptions *load,
                                              TmlModel **out, TmlError *err);

/* A mark of all that decides about results, by which records of another study are told: texts and parameters of the model,
 * then what is stirred in. */
uint64_t tml_mark_begin(const TmlModel *model);
uint64_t tml_stir(uint64_t mark, const void *bytes, size_t n);
uint64_t tml_mark_settings(uint64_t mark, const TmlStudyRun *s);
uint64_t tml_mark_responses(uint64_t mark, int n, const TmlResponse *response);

/* Rows of a run: the time, then all channels. */
typedef struct TmlRows {
    double *at; /* n x width */
    int n, cap, width;
} TmlRows;

/* Appends a row of the sim. */
TML_NODISCARD TmlStatus tml_rows_add(TmlRows *rows, const TmlSim *sim, TmlError *err);

double tml_response_value(const TmlRows *rows, const TmlResponse *p); /* NAN: no row counts */
/* The derivative of a response by the value of its channel in each row. False: it has none (a time). */
bool tml_response_weights(const TmlRows *rows, const TmlResponse *p, double *weight);
