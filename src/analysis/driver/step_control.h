/* analysis/driver/step_control.h - how long the next try is, and whether a try is taken.
 *
 * An object without a model: it sees sizes, errors and failures of tries, and asks one question,
 * how large an error rounding can be at the state from which the step starts. Tests drive it with
 * sequences of errors (tests/analysis/test_step_control.c).
 */
#pragma once

#include "analysis/integrator/integrator.h"

/* Returns the largest error, over the allowed one, that rounding can make of a step from here. */
typedef double (*TmlRoundingFn)(void *user);

/* What becomes of a try. */
typedef enum TmlVerdict {
    TML_STEP_REJECTED,
    TML_STEP_TAKEN,
    TML_STEP_ROUNDED, /* taken above the tolerance: rounding is the reason */
} TmlVerdict;

typedef struct TmlStepControl {
    double h;               /* s: the size of the next try */
    double h_min, h_max;    /* s */
    double fixed;           /* s: all steps have this size, whatever their errors; 0: none */
    bool smooth;            /* (D9) instead of (D1) */
    TmlRoundingFn rounding; /* asked once a step at most, and only when its rules would apply */
    TmlRoundingFn weakness; /* the part of it that weak constraints cause; NULL: all */
    void *user;

    /* memory over steps */
    double h_reference, error_reference; /* of the step where steps began to shrink */
    double error_before;                 /* of the last accepted step, for (D9); 0: none */
    double h_usual;                      /* the largest recent step, which is slowly forgotten */
    int since_recovery;                  /* steps since the method last started afresh */
    int leaps; /* how often in a row a size was tried again at which an iteration had failed */

    /* the present step */
    double bound;              /* answer of `rounding`; negative: not asked */
    double weak;               /* answer of `weakness`; negative: not asked */
    int tries;                 /* number of rejected tries */
    int failures;              /* iterations that failed, since the method last started afresh */
    int n_failed;              /* iterations that failed, all of them */
    double failed;             /* s: where an iteration failed first; 0: none did */
    double first, last, error; /* sizes of the first and last inaccurate try; its error */
    double best, best_error;   /* the size among these that had the least error, and that error */
    double slope;              /* of the last two errors over size, logarithmic; 0: not known */
    int order;                 /* order of the method in the last try */
    int others;                /* sizes that were tried because shorter ones do not help */
    bool others_tried;         /* all of these sizes have been tried */
    bool repeating;            /* the best size is being tried again, to be taken */
    bool restarted;            /* the method has started afresh */
} TmlStepControl;

/* Forgets everything, before the first step and when another method takes over. */
void tml_step_forget(TmlStepControl *c);

/* Is called before the tries of a step. */
void tml_step_begin(TmlStepControl *c);

/* Tells, before a step, whether the steps have collapsed near a singular position. *h is then the
 * size with which the method should start afresh. */
bool tml_step_collapsed(TmlStepControl *c, double *h);

/* Judges a try of size h and remembers it. */
TmlVerdict tml_step_judge(TmlStepControl *c, double h, const TmlAttempt *a);

/* Sets c->h after a try of size h that was taken when `wanted` was asked for: a break, an event or
 * the end may have shortened it. */
void tml_step_taken(TmlStepControl *c, double h, double wanted, const TmlAttempt *a, TmlVerdict v);

/* Sets c->h after a try of size h that was rejected. True: the method should start afresh before it
 * is tried. */
bool tml_step_rejected(TmlStepControl *c, double h, const TmlAttempt *a);
