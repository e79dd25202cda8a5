/* io/study/study.h - a study: a model, the values of its parameters for every run, and what is kept of a run.
 *
 *   study_read.c     a description becomes a study
 *   study_design.c   values of the parameters from the kind of design
 *   sobol.c          points that fill a cube evenly
 *   response.c       numbers of a run, and settings, which fits and optimisations share
 *   study_run.c      one run, as a record
 *   study_report.c   the report of a run
 *   store.c          records in a file
 *   store_write.c    the results as HDF5 and CSV
 *   store_effects.c  what parameters do to responses
 *   store_page.c     a page with pictures
 */
#pragma once

#include "io/study/response.h"
#include "trammel/study.h"

typedef enum TmlDesign {
    TML_DESIGN_GRID,
    TML_DESIGN_LIST,
    TML_DESIGN_RANDOM,
    TML_DESIGN_LATIN,
    TML_DESIGN_SOBOL,
    TML_DESIGN_MORRIS,
    TML_DESIGN_INDICES
} TmlDesign;

#define TML_DESIGN_NAMES "grid|list|random|latin_hypercube|sobol|morris|indices"

typedef enum TmlSpreadKind { TML_SPREAD_RANGE, TML_SPREAD_VALUES, TML_SPREAD_NORMAL } TmlSpreadKind;

/* The values that a parameter may have. */
typedef struct TmlSpread {
    const char *name;
    TmlSpreadKind kind;
    double from, to; /* a range */
    int count;       /* of a grid; 0: not given */
    bool log;
    int n; /* values */
    double *value;
    double mean, deviation; /* normal */
} TmlSpread;

struct TmlStudy {
    TmlArena arena;
    TmlModel *model;
    const char *title;
    TmlDesign design;
    int samples, levels;
    uint64_t seed;
    int n_spreads, n_responses, n_kept;
    TmlSpread *spread;
    TmlResponse *response;
    int *kept;              /* channels whose histories are kept */
    const char **kept_name; /* and their names and units */
    const char **kept_unit;
    int n_channels;
    int runs;
    double *value; /* runs x spreads */
    TmlStudyRun run;
    uint64_t mark; /* of all that decides about results: records of another study are told by it */
};

/* study_run.c: the model of a run, and how it is run. */
TML_NODISCARD TmlStatus tml_study_model_of(const TmlStudy *s, int run, TmlModel **out,
                                           TmlError *err);
TmlSimOptions tml_study_options(const TmlStudy *s);

/* The values of all runs. Errors are of the designs themselves: too many runs, too many parameters. */
TML_NODISCARD TmlStatus tml_study_design_make(TmlStudy *study, TmlError *err);

/* A number in [0, 1) that depends on its three arguments alone. */
double tml_study_random(uint64_t seed, uint64_t stream, uint64_t index);
/* The value at a place u in [0, 1) of a spread. */
double tml_spread_value(const TmlSpread *spread, double u);

/* --- Sobol's sequence ------------------------------------------------------------------------------ */

enum { TML_SOBOL_MAX = 21 };

/* Coordinate `dimension` (below TML_SOBOL_MAX) of point `index`, shifted digit by digit. */
double tml_sobol(int dimension, uint32_t index, uint32_t shift);
/* For tests: the primitive polynomial of a dimension above 0 (degree, inner coefficients) and its numbers. */
const uint32_t *tml_sobol_numbers(int dimension, int *degree, uint32_t *coefficients);

/* --- records ------------------------------------------------------------------------------------------ */

/* A run as it is kept: the head, then responses, then rows x (time and kept channels), then the message. */
typedef struct TmlRecord {
    uint64_t size; /* bytes of all */
    uint64_t mark; /* of the study */
    uint64_t sum;  /* of all bytes, this one taken as 0 */
    int32_t run, status;
    int32_t rows, message; /* bytes of the message, without a zero at its end */
    int64_t steps, rejected;
    double seconds;
} TmlRecord;

uint64_t tml_record_sum(const void *bytes, size_t size);
/* Whether the bytes are a whole record of the study. */
bool tml_record_good(const TmlStudy *study, const void *bytes, size_t size);

/* --- the store ---------------------------------------------------------------------------------------- */

struct TmlStore {
    TmlStudy const *study;
    char *path, *records; /* PATH, PATH.runs */
    int fd;               /* of the records */
    bool own;             /* the file is open as asked for: without records it goes away */
    int64_t end;          /* bytes of whole records */
    int64_t *at;          /* where the record of a run begins; -1: not there */
    int count;
    char *message; /* of the last failed run that was added */
    char *reports; /* folder of the reports of runs, as the page names it; NULL: there are none */
};

/* The head, responses and message of a run that is there; rows too, if asked for. All are freed with tml_mem_free
 * of *block. */
typedef struct TmlRecordParts {
    TmlRecord head;
    const double *response, *rows;
    const char *message;
    void *block;
} TmlRecordParts;

TML_NODISCARD TmlStatus tml_store_read(TmlStore *store, int run, bool rows, TmlRecordParts *out,
                                       TmlError *err);

TML_NODISCARD TmlStatus tml_store_write_h5(TmlStore *store, TmlError *err);
TML_NODISCARD TmlStatus tml_store_write_csv(TmlStore *store, const char *path, TmlError *err);
TML_NODISCARD TmlStatus tml_store_write_page(TmlStore *store, const char *path, TmlError *err);

/* Responses of all runs, runs x responses; NAN where there is none. Free with tml_mem_free. */
TML_NODISCARD TmlStatus tml_store_responses(TmlStore *store, double **out, TmlError *err);
TmlEffect tml_study_effect(const TmlStudy *study, const double *responses, int parameter,
                           int response);
