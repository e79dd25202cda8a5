/* io/search/search.h - what fits and optimisations share: free parameters, evaluations and where these are kept.
 *
 *   search_keys.c   keys of the descriptions
 *   search_read.c   a description: parameters, model, settings
 *   search_run.c    runs of the model with given parameters, with slopes
 *   search.c        evaluations: made, or found in the journal
 *   search_journal.c  evaluations in a file
 *   fit_read.c, fit.c, fit_spread.c        parameters from measurements
 *   optimum_read.c, optimum.c, minimise.c  best parameters by responses
 *   search_write.c                         results
 *
 * An evaluation computes m numbers y of n parameters x, and their slopes dy/dx if asked for. Methods are deterministic: those that
 * begin again ask for the same evaluations, which a journal of an interrupted search has. So a search goes on by beginning again.
 */
#pragma once

#include "io/study/response.h"
#include "model/read/sections.h"
#include "trammel/search.h"

extern const TmlKey tml_keys_of_fit[], tml_keys_of_optimize[], tml_keys_of_free[],
    tml_keys_of_measurement[], tml_keys_of_fitted[], tml_keys_of_limit[];

#define TML_SEARCH_METHODS "auto|slsqp|mma|bobyqa|cobyla|direct|isres"

/* A free parameter. */
typedef struct TmlFree {
    const char *name;
    double low, high; /* infinite: no bound */
    double start;     /* NAN until the model is there: its value */
    bool log;
    int line; /* of the description */
} TmlFree;

/* An evaluation as it is kept. */
typedef struct TmlEvaluation {
    double *x, *y; /* n, m; y NULL where only the sum is kept */
    double value;  /* sum of squares of a fit, objective */
    double excess; /* by which constraints are violated */
    double seconds;
    TmlStatus status;
    bool slopes, replayed;
    const char *message; /* NULL: none */
} TmlEvaluation;

typedef struct TmlSearchJournal {
    char *path;
    int fd; /* -1: none */
    uint64_t mark;
    int64_t at, size; /* where the next evaluation is read or written; bytes of whole ones */
} TmlSearchJournal;

typedef struct TmlSearch TmlSearch;

/* y at x, by runs of a tight tolerance where differences are made of them. */
typedef TmlStatus (*TmlSearchValues)(TmlSearch *s, const double *x, bool tight, double *y,
                                     TmlError *err);
/* y and d[m * n] at x, by derivatives of runs. */
typedef TmlStatus (*TmlSearchSlopes)(TmlSearch *s, const double *x, double *y, double *d,
                                     TmlError *err);

struct TmlSearch {
    TmlArena arena;
    const TmlModel *model;
    TmlModel *own; /* that was loaded for it */
    const char *kind, *title, *file;
    TmlStudyRun run;
    int n, m;
    TmlFree *free;
    TmlSearchValues values;
    TmlSearchSlopes slopes;
    uint64_t mark;
    /* while it goes on */
    TmlSearchHooks hooks;
    TmlSearchJournal journal;
    bool keep_values;       /* y is kept with each evaluation */
    bool differenced;       /* derivatives are differences of runs */
    const char *difference; /* why; NULL: they are not */
    bool stopped;
    int count, cap, failed, replayed;
    TmlEvaluation *done;
};

/* --- search_read.c ------------------------------------------------------------------------------------------------ */

typedef struct TmlSearchReading {
    TmlDescription d;
    TmlModel *m; /* holds the reader; no mechanism */
    const TmlLoadOptions *load;
} TmlSearchReading;

/* Parses a text and reads what both kinds have. The model is loaded unless s->model is there. */
TML_NODISCARD TmlStatus tml_search_open(TmlSearch *s, TmlSearchReading *r, const char *file,
                                        const char *text, size_t length, const TmlKey *keys,
                                        TmlError *err);
/* Loads the model and settles what depends on it: starts, bounds. bounded: all parameters need both bounds. */
TML_NODISCARD TmlStatus tml_search_settle(TmlSearch *s, TmlSearchReading *r, bool bounded,
                                          TmlError *err);
void tml_search_reading_end(TmlSearchReading *r);
void tml_search_free(TmlSearch *s);

/* --- search_run.c ------------------------------------------------------------------------------------------------- */

/* A run of the model with x, and with further parameters. */
typedef struct TmlSearchTask {
    int n_given;
    const char *const *given;
    const double *value;
    double end; /* s; NAN: that of the settings */
    int n_times;
    const double *times; /* of rows; NULL: output times */
    int n_used;
    const int *used; /* channels whose slopes are asked for */
} TmlSearchTask;

/* Rows of a run; slope NULL: none are made, else it gets rows x used x n, to be freed with tml_mem_free. */
TML_NODISCARD TmlStatus tml_search_rows(TmlSearch *s, const TmlSearchTask *task, const double *x,
                                        bool tight, TmlRows *rows, double **slope, TmlError *err);

/* --- search.c ----------------------------------------------------------------------------------------------------- */

TML_NODISCARD TmlStatus tml_search_begin(TmlSearch *s, const char *journal, bool resume,
                                         const TmlSearchHooks *hooks, TmlError *err);
/* y and, if d is not NULL, d at x. *out: what is kept of it, whose value and excess the caller sets; it is valid until the next
 * call. A failure of the runs is in its status.
 *   TML_E_CANCELLED, TML_E_NOMEM, TML_E_IO  nothing is kept */
TML_NODISCARD TmlStatus tml_search_evaluate(TmlSearch *s, const double *x, double *y, double *d,
                                            TmlEvaluation **out, TmlError *err);
/* Tells the hooks about the last evaluation and the best so far. */
void tml_search_tell(TmlSearch *s, double best, int iteration);
void tml_search_end(TmlSearch *s, bool finished);

/* --- search_journal.c ---------------------------------------------------------------------------------------------------- */

TML_NODISCARD TmlStatus tml_search_journal_open(TmlSearchJournal *j, const char *path, bool resume,
                                                uint64_t mark, TmlError *err);
/* The next evaluation if it is that of x; else what follows is forgotten, and false. */
bool tml_search_journal_next(TmlSearchJournal *j, int n, int m, const double *x, bool slopes,
                             TmlEvaluation *e, double *y, double *d, TmlArena *arena);
TML_NODISCARD TmlStatus tml_search_journal_add(TmlSearchJournal *j, int n, int m,
                                               const TmlEvaluation *e, const double *y,
                                               const double *d, TmlError *err);
void tml_search_journal_close(TmlSearchJournal *j, bool finished);
