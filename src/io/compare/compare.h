/* io/compare/compare.h - what the files of a comparison share. */
#pragma once

#include "base/arena.h"
#include "trammel/compare.h"

enum { TML_REFERENCES = 2, TML_METHOD_OPTIONS = 16 };

/* NAME:KEY=VALUE:... taken apart; the texts live in the arena. */
typedef struct TmlCompareMethod {
    const char *text, *name;
    int n;
    const char *key[TML_METHOD_OPTIONS], *value[TML_METHOD_OPTIONS];
} TmlCompareMethod;

/* One run with its rows. */
typedef struct TmlCompareRun {
    const struct TmlCompare *compare;
    const TmlCompareMethod *method;
    double tolerance;
    TmlStatus status;
    TmlError err;
    char used[TML_NAME_MAX]; /* method that made the steps: `auto` is another one */
    int rows, cap;
    double *value; /* rows times channels */
    TmlSimStats stats;
    double seconds; /* CPU time */
    double began;   /* wall clock, s */
    bool late;      /* stopped by the limit of time */
} TmlCompareRun;

struct TmlCompare {
    const TmlModel *model;
    TmlCompareOptions options;
    TmlArena arena;
    double end_time;
    TmlCompareMethod *method; /* options.n_methods */
    int n_channels;
    int *channel_index;
    const char **channel_name, **channel_unit;
    double *range, *scale; /* n_channels */
    double doubt;
    TmlError last; /* of the reference run that failed last */
    int n_references;
    struct TmlReferenceSlot {
        TmlCompareMethod method;
        TmlCompareRun run;
        TmlReferenceRun shown;
    } reference[TML_REFERENCES];
    int n_rows;
    TmlCompareRow *rows;
};

/* Take a method apart and check its name and options. */
TML_NODISCARD TmlStatus tml_compare_parse(TmlCompare *c, const char *text, TmlCompareMethod *out,
                                          TmlError *err);
/* Methods, numbers and channels from the options. */
TML_NODISCARD TmlStatus tml_compare_prepare(TmlCompare *c, TmlError *err);
/* The reference runs, in parallel; the better one first. */
TML_NODISCARD TmlStatus tml_compare_make_references(TmlCompare *c, TmlError *err);

void tml_compare_run(TmlCompareRun *run); /* run->status and run->err tell how it went */
void tml_compare_run_free(TmlCompareRun *run);
void tml_compare_note(const TmlCompare *c, const char *fmt, ...) TML_PRINTF(2, 3);
