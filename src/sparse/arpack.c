/* sparse/arpack.c - eigenvalues of operators that are known by their products, by ARPACK. */
#include "sparse/arpack.h"

#include "base/arena.h"

#include <arpack/arpack.h>

#include <pthread.h>
#include <string.h>

/* ARPACK keeps the state of an iteration in static variables between calls, so that only one
 * iteration may be under way in a process. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

typedef struct Work {
    int n, k, ncv;
    double *V, *workd, *workl, *workev; /* n * ncv, 3 n, 3 ncv (ncv + 2), 3 ncv */
    int *select;                        /* ncv */
    int iparam[11], ipntr[14];
} Work;

static const double tolerance = 1e-13; // the Ritz values are asked for to this relative accuracy

static int work_length(const Work *w)
{
    return 3 * w->ncv * w->ncv + 6 * w->ncv;
}

/* Reverse communication: ARPACK asks for products until it has converged. Returns its info. */
static int iterate(const TmlOperator *op, Work *w, double *resid)
{
    int ido = 0, info = 1; // 1 says that resid is the starting vector
    w->iparam[0] = 1;      // exact shifts
    w->iparam[2] = 1000;   // restarts
    w->iparam[3] = 1;
    w->iparam[6] = 1; // the operator is taken as it is
    for (;;) {
        dnaupd_c(&ido, "I", w->n, "LM", w->k, tolerance, resid, w->ncv, w->V, w->n, w->iparam,
                 w->ipntr, w->workd, w->workl, work_length(w), &info);
        if (ido != 1 && ido != -1) {
            return info;
        }
        op->apply(op->user, w->workd + w->ipntr[0] - 1, w->workd + w->ipntr[1] - 1);
    }
}

static int extract(Work *w, double *resid, double *re, double *im, double *vectors)
{
    int info = 0;
    dneupd_c(1, "A", w->select, re, im, vectors, w->n, 0.0, 0.0, w->workev, "I", w->n, "LM", w->k,
             tolerance, resid, w->ncv, w->V, w->n, w->iparam, w->ipntr, w->workd, w->workl,
             work_length(w), &info);
    return info;
}

static TmlStatus work_create(Work *w, TmlArena *arena, TmlError *err)
{
    const size_t n = (size_t)w->n, ncv = (size_t)w->ncv;
    TML_NEW(arena, w->V, n * ncv);
    TML_NEW(arena, w->workd, 3 * n);
    TML_NEW(arena, w->workl, work_length(w));
    TML_NEW(arena, w->workev, 3 * ncv);
    TML_NEW(arena, w->select, ncv);
    return TML_OK;
}

TmlStatus tml_arpack_largest(const TmlOperator *op, int dimension, int k, double *start, double *re,
                             double *im, double *vectors, int *found, TmlError *err)
{
    TmlArena arena = {0};
    Work w = {.n = op->n, .k = k, .ncv = 2 * k + 20};
    w.ncv = w.ncv < dimension ? w.ncv : dimension;
    *found = 0;
    TmlStatus status = work_create(&w, &arena, err);
    if (status == TML_OK) {
        pthread_mutex_lock(&one_at_a_time);
        int info = iterate(op, &w, start);
        info = info == 0 ? extract(&w, start, re, im, vectors) : info;
        pthread_mutex_unlock(&one_at_a_time);
        *found = info == 0 ? w.iparam[4] : 0;
        if (info != 0) {
            status =
                tml_fail(err, TML_E_STEP,
                         "the %d eigenvalues nearest the shift do not converge (ARPACK %d); ask "
                         "for more of them, or choose another shift",
                         k, info);
        }
    }
    tml_arena_free(&arena);
    return status;
}

/* --- symmetric pairs, by shift-invert about zero (mode 3) --------------------------------------- */

/* As iterate(), in the metric of M. ARPACK has the product with M of its vector ready when it asks
 * for 1. Mx[n]: workspace. */
static int iterate_symmetric(const TmlOperator *inverse, const TmlOperator *mass, Work *w,
                             double *resid, double *Mx)
{
    int ido = 0, info = 1;
    w->iparam[0] = 1;
    w->iparam[2] = 1000;
    w->iparam[3] = 1;
    w->iparam[6] = 3; // shift-invert
    for (;;) {
        dsaupd_c(&ido, "G", w->n, "LM", w->k, 0.0, resid, w->ncv, w->V, w->n, w->iparam, w->ipntr,
                 w->workd, w->workl, work_length(w), &info);
        double *x = w->workd + w->ipntr[0] - 1, *y = w->workd + w->ipntr[1] - 1;
        if (ido == -1) {
            mass->apply(mass->user, x, Mx);
            inverse->apply(inverse->user, Mx, y);
        } else if (ido == 1) {
            inverse->apply(inverse->user, w->workd + w->ipntr[2] - 1, y);
        } else if (ido == 2) {
            mass->apply(mass->user, x, y);
        } else {
            return info;
        }
    }
}

TmlStatus tml_arpack_smallest(const TmlOperator *inverse, const TmlOperator *mass, int dimension,
                              int k, double *start, double *w, double *vectors, TmlError *err)
{
    TmlArena arena = {0};
    Work work = {.n = inverse->n, .k = k, .ncv = 2 * k + 20};
    work.ncv = work.ncv < dimension ? work.ncv : dimension;
    TmlStatus status = work_create(&work, &arena, err);
    double *Mx = tml_arena_alloc(&arena, (size_t)work.n, sizeof *Mx);
    if (status == TML_OK && Mx == NULL) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    if (status == TML_OK) {
        pthread_mutex_lock(&one_at_a_time);
        int info = iterate_symmetric(inverse, mass, &work, start, Mx);
        if (info == 0) {
            dseupd_c(1, "A", work.select, w, vectors, work.n, 0.0, "G", work.n, "LM", k, 0.0, start,
                     work.ncv, work.V, work.n, work.iparam, work.ipntr, work.workd, work.workl,
                     work_length(&work), &info);
        }
        pthread_mutex_unlock(&one_at_a_time);
        if (info != 0 || work.iparam[4] < k) {
            status = tml_fail(err, TML_E_STEP, "the %d lowest modes do not converge (ARPACK %d)", k,
                              info);
        }
    }
    tml_arena_free(&arena);
    return status;
}
