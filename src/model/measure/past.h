/* model/measure/past.h - what a delayed value was: polynomials over the accepted steps of a run.
 *
 * A past belongs to one delay of one system. Between steps it knows the value up to the time `now`
 * of the last accepted state; while a step is being tried, the delayed time may lie behind that,
 * and the value there follows from the present one: (P3) of past.c.
 */
#pragma once

#include "model/model.h"

enum {
    TML_PAST_DEGREE = 8, /* most of a piece */
    TML_PAST_MESH = 6,   /* accepted values that (P3) uses at most */
};

/* The value over one step as a sum of Chebyshev polynomials. */
typedef struct TmlPiece {
    double t0, t1;
    int n; /* degree */
    double c[TML_PAST_DEGREE + 1];
} TmlPiece;

typedef struct TmlPast {
    const TmlDelay *delay;
    bool begun;          /* `first` is known */
    double origin;       /* where the first run began; before, the history expression counts */
    double start, first; /* where the record begins, and the value there, which it had before */
    double now;          /* of the last accepted state */
    bool next;           /* at `now` and before, jumps count as done: a step is about to start */
    int n, cap, dropped; /* pieces; those from `dropped` on are there */
    TmlPiece *piece;
    int n_mesh; /* accepted values since the last restart, newest first */
    double mesh_t[TML_PAST_MESH], mesh_y[TML_PAST_MESH];
    double largest; /* magnitude of the value so far */
    double longest; /* delay so far, s */
    bool thinned;   /* pieces behind the start have been dropped */
    double *work;   /* of the history expression */
} TmlPast;

/* A delayed value and its derivatives by the present value, the delay and the time. */
typedef struct TmlDelayed {
    double value, by_y, by_tau, by_t;
} TmlDelayed;

/* The value at t - tau, where y is that at t. past NULL: y itself, as at rest. */
TmlDelayed tml_past_eval(const TmlPast *past, double t, double y, double tau);

/* The run begins at t with the value y, unless it goes on from an earlier one; a jump: what comes
 * next is not smooth with what was. */
void tml_past_begin(TmlPast *past, double t, double y);
void tml_past_restart(TmlPast *past, double t, double y);
/* At rest at t: what was is forgotten, and the value counts as having been y for long. */
void tml_past_rest(TmlPast *past, double t, double y);

/* How much the present value y at t leaves open of the value at s by (P3): the difference to one
 * degree less. 0: not known, or no more than one accepted value since a jump. */
double tml_past_doubt(const TmlPast *past, double t, double y, double s);

/* Places of the samples of a piece of degree n, j = 0 .. n from its end to its start, in [-1, 1].
 */
double tml_piece_node(int n, int j);
/* Coefficients from the samples f[0 .. n]; returns the size of the last two: what more samples
 * might change. */
double tml_piece_fit(TmlPiece *piece, int n, const double *f);

/* Make a piece a quintic: its own values and slopes at its ends, and those at the start of the
 * piece before, unless a jump or kink is between. */
void tml_past_refine(const TmlPast *past, TmlPiece *piece);
/* A kink at `now`: what comes next is not smooth with what was. */
void tml_past_part(TmlPast *past);

/* Keep a piece that begins where the last one ended; its end is the new `now`. False: no memory. */
bool tml_past_add(TmlPast *past, const TmlPiece *piece);
/* Forget what ended before t. */
void tml_past_drop(TmlPast *past, double t);
/* Whether the value at s was known and is not kept any more. */
bool tml_past_is_gone(const TmlPast *past, double s);
/* A past of the same delay goes on: its pieces and where it began. False: no memory. */
bool tml_past_take(TmlPast *past, const TmlPast *from);
/* How far the value jumps at s; 0: not there. */
double tml_past_jump(const TmlPast *past, double s);
void tml_past_free(TmlPast *past);
