/* trammel/compare.h - work against precision: several methods and tolerances on one model.
 *
 * The error of every run is its difference from a reference run by another method with a tight tolerance, so
 * that no method confirms its own mistakes. There are two reference runs, by two methods. Errors that are no
 * larger than the difference between these two mean little.
 *
 * A method is written NAME or NAME:KEY=VALUE:KEY=VALUE, with options of the integrator.
 */
#pragma once

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlCompare TmlCompare;

/* Error of one channel over all rows. */
typedef struct TmlChannelError {
    double max, mean, rms; /* absolute, in the unit of the channel */
    double scale;          /* by which the errors of TmlCompareRow are divided */
} TmlChannelError;

typedef struct TmlCompareRow {
    const char *method;
    double tolerance;
    int reference;                  /* index of the reference run that it is compared with */
    TmlStatus status;               /* how the run ended; errors are known only with TML_OK */
    const char *message;            /* why it failed; "" when it succeeded */
    double max_error, rms_error;    /* scaled, over all channels and rows; NAN when it failed */
    const TmlChannelError *channel; /* one entry for each channel */
    TmlSimStats stats;
    double seconds; /* CPU time of the steps, without setup and output */
} TmlCompareRow;

typedef struct TmlReferenceRun {
    const char *method;
    double tolerance;
    TmlSimStats stats;
} TmlReferenceRun;

typedef struct TmlCompareOptions {
    uint32_t size; /* set by tml_compare_options_default; do not change */
    int n_methods;
    const char *const *method;
    int n_tolerances;
    const double *tolerance;
    int n_channels; /* 0: all channels */
    const char *const *channel;
    const char *reference;      /* method, not used for its own runs; NULL: chosen automatically */
    double reference_tolerance; /* NAN: chosen automatically */
    double end_time;            /* s; NAN: the model's */
    double output_step;         /* s; NAN: the model's, else end_time / 100 */
    bool absolute;              /* errors are not divided by the range of the channel */
    int repeat;                 /* number of timed runs, of which the fastest counts; default: 3 */
    double limit;               /* s: wall time limit of each run; HUGE_VAL: none; default: 300 */
    void *user;
    void (*note)(void *user, const char *text); /* receives notes for the user; may be NULL */
    /* Called after the reference runs, and after every run. They return false to stop, and may be NULL. */
    bool (*begin)(void *user, const TmlCompare *compare);
    bool (*row)(void *user, const TmlCompareRow *row);
    bool (*go_on)(void *user); /* called after every step, from any thread; returns false to stop */
} TmlCompareOptions;

TML_API TmlCompareOptions tml_compare_options_default(void);

/* Run all methods with all tolerances. Reference runs are made in parallel, timed runs one after another. A run
 * that fails gives a row, too. The comparison itself fails if all references fail, and with
 *   TML_E_ARGUMENT   a method, option or channel is unknown, or a number is out of range
 *   TML_E_CANCELLED  a callback returned false; *out holds the rows so far
 * Free *out, also after a failure. */
TML_API TML_NODISCARD TmlStatus tml_compare(const TmlModel *model, const TmlCompareOptions *options,
                                            TmlCompare **out, TmlError *err);
TML_API void tml_compare_free(TmlCompare *compare); /* NULL is fine */

/* The comparison owns what these return; NULL past the end. */
TML_API const TmlCompareRow *tml_compare_row(const TmlCompare *compare, int index);
TML_API const TmlReferenceRun *tml_compare_reference(const TmlCompare *compare, int index);
TML_API const char *tml_compare_channel(const TmlCompare *compare, int index);
TML_API int tml_compare_output_rows(const TmlCompare *compare);
/* Largest scaled difference between the two references; NAN when there is only one. An error of this size may
 * be that of the reference as well as that of the method. */
TML_API double tml_compare_doubt(const TmlCompare *compare);

#ifdef __cplusplus
}
#endif
