/* trammel/study.h - many runs of one model with different parameters.
 *
 * A study is a model, the values of parameters for every run, and what is asked of each run. It is constant: several
 * threads or processes may make its runs at the same time, in any order. tml_study_run makes one run and returns it as
 * a record, a piece of bytes that may travel between processes. A store collects records in a file, so that a study
 * that was killed goes on where it was, and writes the results.
 *
 *     tml_study_load("study.yaml", NULL, &study, &err)
 *     tml_store_open("study.h5", study, TML_STORE_RESUME, &store, &err)
 *     for every run that tml_store_has does not have:
 *         tml_study_run(study, run, NULL, &bytes, &size, &err); tml_store_add(store, bytes, size, &err)
 *     tml_store_finish(store, &err)
 */
#pragma once

#include "trammel/io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlStudy TmlStudy;

/* Read a description of a study (.yaml). Paths in it are relative to its folder. `load` are options for loading the
 * model; its parameters hold for all runs. NULL: none. On failure *out is NULL.
 *   TML_E_MODEL     the description or the model is wrong; the message lists all errors
 *   TML_E_ARGUMENT  a parameter of the study is none of the model */
TML_API TML_NODISCARD TmlStatus tml_study_load(const char *path, const TmlLoadOptions *load,
                                               TmlStudy **out, TmlError *err);

/* A grid over n parameters of a model. The range of each is a text: "1e5:1e7:9" (from, to, number of values),
 * "1e5:1e7:9:log" (in equal ratios), or "100,200,400". Units may follow the numbers. */
TML_API TML_NODISCARD TmlStatus tml_study_grid(const char *model, int n, const char *const *names,
                                               const char *const *ranges,
                                               const TmlLoadOptions *load, TmlStudy **out,
                                               TmlError *err);
/* Whether a file describes a study: YAML with the key `study`. A file that cannot be read does not. */
TML_API bool tml_is_study(const char *path);
TML_API void tml_study_free(TmlStudy *study); /* NULL is fine */

/* Replace settings of all runs; NULL or NAN leaves what the study or the model says. */
TML_API TML_NODISCARD TmlStatus tml_study_settings(TmlStudy *study, const char *integrator,
                                                   double end_time, double output_step,
                                                   double tolerance, TmlError *err);

TML_API const char *tml_study_title(const TmlStudy *study);
TML_API const char *tml_study_design(const TmlStudy *study); /* "grid", "sobol", ... */
TML_API const TmlModel *tml_study_model(const TmlStudy *study);
TML_API int tml_study_runs(const TmlStudy *study);
TML_API int tml_study_parameters(const TmlStudy *study);
TML_API const char *tml_study_parameter(const TmlStudy *study, int index); /* name */
TML_API double tml_study_value(const TmlStudy *study, int run, int parameter);
TML_API int tml_study_responses(const TmlStudy *study);
TML_API const char *tml_study_response(const TmlStudy *study, int index); /* name */
TML_API const char *tml_study_response_unit(const TmlStudy *study, int index);
/* Bytes that the results of all runs will take in a file, about. */
TML_API double tml_study_bytes(const TmlStudy *study);

/* Make one run. A run that fails is a result, too: its record says why, and the call succeeds. The caller frees *bytes
 * with tml_study_record_free.
 *   TML_E_CANCELLED  hooks->progress returned false; there is no record */
TML_API TML_NODISCARD TmlStatus tml_study_run(const TmlStudy *study, int run, const TmlHooks *hooks,
                                              void **bytes, size_t *size, TmlError *err);
/* Make a run again and write its report (trammel/report.h), also of a run that fails. A result file stands beside the page while it is
 * made.
 *   TML_E_ARGUMENT  no such run, or the library was built without reports
 *   other codes     the model of the run cannot be made, or the report not be written */
TML_API TML_NODISCARD TmlStatus tml_study_report(const TmlStudy *study, int run, const char *html,
                                                 TmlError *err);
/* The record of a run that nobody could make, for example as its process died. */
TML_API TML_NODISCARD TmlStatus tml_study_lost(const TmlStudy *study, int run, const char *why,
                                               void **bytes, size_t *size, TmlError *err);
TML_API void tml_study_record_free(void *bytes);

/* What a record says; it points into the record. */
typedef struct TmlStudyRecord {
    int run;
    TmlStatus status;
    int64_t steps, rejected;
    double seconds;          /* processor time */
    const double *responses; /* NAN where there is none */
    int rows;
    const double *histories; /* rows x (time, then tml_study_kept histories) */
    const char *message;     /* of a run that failed, without a zero at its end */
    int message_length;
} TmlStudyRecord;

/* TML_E_ARGUMENT  the record is damaged, or of another study */
TML_API TML_NODISCARD TmlStatus tml_study_record_read(const TmlStudy *study, const void *bytes,
                                                      size_t size, TmlStudyRecord *out,
                                                      TmlError *err);
/* Outputs whose histories are kept: name and unit; NULL past the end. */
TML_API const char *tml_study_kept(const TmlStudy *study, int index);
TML_API const char *tml_study_kept_unit(const TmlStudy *study, int index);

/* --- the results of a study ---------------------------------------------------------------------- */

typedef struct TmlStore TmlStore;

typedef enum TmlStoreMode {
    TML_STORE_NEW, /* an earlier result of this name is replaced at the end; records of an unfinished one are an error */
    TML_STORE_RESUME, /* records of an unfinished study of the same description are kept */
    TML_STORE_RESTART /* records of an unfinished study are thrown away */
} TmlStoreMode;

/* Records go to the file PATH.runs until the study is finished. Only one process at a time may have it open.
 *   TML_E_ARGUMENT  there are records of another study, or of an unfinished one (TML_STORE_NEW) */
TML_API TML_NODISCARD TmlStatus tml_store_open(const char *path, const TmlStudy *study,
                                               TmlStoreMode mode, TmlStore **out, TmlError *err);
TML_API int tml_store_count(const TmlStore *store); /* runs that are there */
TML_API bool tml_store_has(const TmlStore *store, int run);
/* Append a record. One that is damaged, or of another study, is refused; a second one of a run is ignored. *failed
 * tells whether the run failed, and *message why; it is valid until the next call. Both may be NULL. */
TML_API TML_NODISCARD TmlStatus tml_store_add(TmlStore *store, const void *bytes, size_t size,
                                              bool *failed, const char **message, TmlError *err);
/* The record of a run that is there; the caller frees *bytes with tml_study_record_free.
 *   TML_E_ARGUMENT  there is none */
TML_API TML_NODISCARD TmlStatus tml_store_record(const TmlStore *store, int run, void **bytes,
                                                 size_t *size, TmlError *err);
/* Write the results of all records as HDF5 (PATH), CSV of parameters and responses (csv), and a page (html); csv and
 * html may be NULL. When all runs are there PATH.runs is removed. */
TML_API TML_NODISCARD TmlStatus tml_store_finish(TmlStore *store, const char *csv, const char *html,
                                                 TmlError *err);
/* The page links to the report of each run, FOLDER/run-N.html with N from 1 on; the caller makes them (tml_study_report). folder: as
 * seen from the page. */
TML_API TML_NODISCARD TmlStatus tml_store_reports(TmlStore *store, const char *folder,
                                                  TmlError *err);
TML_API void tml_store_close(TmlStore *store); /* NULL is fine; records stay */

/* Effect of a parameter on a response, once runs are there.
 * For indices: first order and total, parts of the variance. For morris: mean and mean size of elementary effects,
 * and their deviation, in units of the response by the whole range. For all others: the difference between the largest
 * and the smallest mean over tenths (or values) of the parameter, and the correlation of ranks. */
typedef struct TmlEffect {
    double main, total, spread;
} TmlEffect;

TML_API TML_NODISCARD TmlStatus tml_store_effect(TmlStore *store, int parameter, int response,
                                                 TmlEffect *out, TmlError *err);

#ifdef __cplusplus
}
#endif
