/* bench/bench.h - what the benchmarks share: a table of them, their report, processes to measure
 * in.
 *
 * A benchmark hands over rows and facts; the report prints them, keeps them as CSV in the folder of
 * results and, on demand, as JSON. Commit, compiler and processor stand in the head of both.
 */
#pragma once

#include "trammel/trammel.h"

#include <stdio.h>

typedef struct BenchReport {
    const char *name; /* of the running benchmark */
    const char *results;
    FILE *csv, *json; /* NULL: not written */
    int n_columns, n_rows, n_facts;
    const char *const *columns;
    int max_bodies, repeats; /* what the caller asks for */
    bool limits_hold;        /* no fact has gone past its limit */
} BenchReport;

typedef struct Bench {
    const char *name, *text;
    bool (*run)(BenchReport *report); /* false: could not be measured, said on stderr */
    bool on_demand;                   /* takes minutes: only when it is named */
} Bench;

extern const Bench bench_chain, bench_projection, bench_krylov, bench_micro, bench_orders,
    bench_flexible, bench_violations, bench_contact, bench_settle, bench_modal, bench_reduction;

/* The numbers of each row; texts `model` and `variant` come before them. */
void bench_columns(BenchReport *r, const char *const *columns, int n);
void bench_row(BenchReport *r, const char *model, const char *variant, const double *values);

/* A number that follows from the rows. limit NAN: none. */
void bench_fact(BenchReport *r, const char *what, double value, double limit);

/* Run work(arg, out) in a process of its own, so that memory and caches of one measurement do not
 * reach the next and many can start from one state. out[n] comes back. False: it failed. */
typedef bool (*BenchWork)(void *arg, double *out);
bool bench_apart(BenchWork work, void *arg, double *out, int n);

/* The same work several times, each from the state of now: `best` is that of the run with the least
 * best[0], its seconds; *slowest (may be NULL) the most seconds. */
enum { BENCH_PARTS_MAX = 32 };
bool bench_fastest(BenchWork work, void *arg, int repeats, double *best, int n, double *slowest);

double bench_resident(void); /* kB held by this process now */
double bench_peak(void);     /* kB at most so far */

/* Exponent p of y = c x^p, least squares. */
double bench_exponent(const double *x, const double *y, int n);

/* A model of models/ with parameter N when n > 0. NULL: said on stderr. */
TmlModel *bench_load(const char *file, int n);
bool bench_done(TmlStatus status, const TmlError *err); /* says the message on stderr if not */
bool bench_steps(TmlSim *sim, int n);                   /* take n steps; says why not on stderr */

/* N balls of a radius of 50 mm in a cubic grid between walls: their distance, how far they are off the grid, m, how fast they
 * move sideways and fall, m/s, and what they are made of, Pa. The text has room for BENCH_TEXT bytes. */
enum { BENCH_TEXT = 4096 };
typedef struct BenchHeap {
    int n;
    double distance, off, aside, down, young, restitution;
} BenchHeap;
void bench_heap_text(const BenchHeap *heap, char *text);
/* Loads a text; `free`: without its section `contacts`, which is the last. NULL: said on stderr. */
TmlModel *bench_load_text(char *text, const char *name, bool free);

/* What n steps cost from the state of now: the fastest of several repeats, each a process. */
typedef struct BenchSteps {
    double seconds, iterations, factors;
} BenchSteps;
bool bench_fastest_steps(TmlSim *sim, int n, int repeats, BenchSteps *out);
double bench_seconds(void); /* processor time of this process: the machine may have other work */
