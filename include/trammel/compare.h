/* trammel/compare.h - work against precision: several methods and tolerances on one model.
 *
 * Every run is measured against a tight run of another method, so that a method cannot confirm its
 * own mistakes. Two reference runs are made, by two methods; how far they are apart tells which of
 * the errors mean something.
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
    double scale;          /* by which TmlCompareRow divides it */
} TmlChannelError;

typedef struct TmlCompareRow {
    const char *method;
    double tolerance;
    int reference;                  /* index of the reference run it is measured against */
    TmlStatus status;               /* how the run ended; not TML_OK: there are no errors */
    const char *message;            /* "" when it is done */
    double max_error, rms_error;    /* over all channels and rows, scaled; NAN when failed */
    const TmlChannelError *channel; /* one for each channel */
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
    int n_channels; /* 0: all */
    const char *const *channel;
    const char *reference;      /* a method; NULL: chosen. It is not used for itself. */
    double reference_tolerance; /* NAN: chosen */
    double end_time;            /* s; NAN: the model's */
    double output_step;         /* s; NAN: the model's, else end_time / 100 */
    bool absolute;              /* errors are not divided by the range of the channel */
    int repeat;                 /* number of timed runs, of which the fastest counts; default: 3 */
    double limit; /* s of wall time that a run may take, references too; HUGE_VAL: any; 300 */
    void *user;
    void (*note)(void *user, const char *text); /* what a person should know; NULL: silence */
    /* after the reference runs, and after every run; false to stop. NULL: nobody listens. */
    bool (*begin)(void *user, const TmlCompare *compare);
    bool (*row)(void *user, const TmlCompareRow *row);
    bool (*go_on)(void *user); /* asked after every step, in any thread; false to stop */
} TmlCompareOptions;

TML_API TmlCompareOptions tml_compare_options_default(void);

/* Run all methods with all tolerances. Reference runs go in parallel, timed ones one at a time. A
 * run that fails is a row; what stops the comparison is
 *   TML_E_ARGUMENT   an unknown method, option or channel, or a number out of range
 *   TML_E_CANCELLED  a callback said so; *out holds the rows up to there
 * and the failure of every reference. Free *out, also after a failure. */
TML_API TML_NODISCARD TmlStatus tml_compare(const TmlModel *model, const TmlCompareOptions *options,
                                            TmlCompare **out, TmlError *err);
TML_API void tml_compare_free(TmlCompare *compare); /* NULL is fine */

/* All below are owned by the comparison; NULL past the end. */
TML_API const TmlCompareRow *tml_compare_row(const TmlCompare *compare, int index);
TML_API const TmlReferenceRun *tml_compare_reference(const TmlCompare *compare, int index);
TML_API const char *tml_compare_channel(const TmlCompare *compare, int index);
TML_API int tml_compare_output_rows(const TmlCompare *compare);
/* Largest scaled difference of the two references; NAN when there is only one. Errors of this size
 * say as much about the references as about the method. */
TML_API double tml_compare_doubt(const TmlCompare *compare);

#ifdef __cplusplus
}
#endif
