/* io/search/search.c - evaluations of a search: made, or found in the journal.
 *
 * Where derivatives of runs are refused (contacts, events), they are differences of runs at a tight tolerance,
 *
 *   (E6)  dy/dx_k = (y(x + d) - y(x - d)) / 2 d,  at a bound (-3 y(x) + 4 y(x + d) - y(x + 2 d)) / 2 d
 *
 * with d a thousandth of the size of the parameter: both have errors of d^2, and neither leaves the bounds.
 */
#include "io/search/search.h"

#include "base/clock.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

static const double apart = 1e-3; // of a parameter's size, by which runs of (E6) differ

TmlStatus tml_search_begin(TmlSearch *s, const char *journal, bool resume,
                           const TmlSearchHooks *hooks, TmlError *err)
{
    s->hooks = hooks != NULL ? *hooks : (TmlSearchHooks){0};
    s->count = s->failed = s->replayed = 0;
    s->stopped = s->differenced = false;
    s->difference = NULL;
    return tml_search_journal_open(&s->journal, journal, resume, s->mark, err);
}

void tml_search_end(TmlSearch *s, bool finished)
{
    tml_search_journal_close(&s->journal, finished);
    s->hooks = (TmlSearchHooks){0};
}

/* --- slopes as differences --------------------------------------------------------------------------------------- */

static TmlStatus difference(TmlSearch *s, const double *x, int k, const double *y, double *d,
                            double *buffer, TmlError *err)
{
    const TmlFree *f = &s->free[k];
    const double own = fmax(fabs(x[k]), fabs(f->start)), range = f->high - f->low;
    const double size = apart * (own > 0.0 ? own : isfinite(range) ? range : 1.0);
    const double h = isfinite(range) ? fmin(size, 0.25 * range) : size;
    const bool inside = x[k] - h >= f->low && x[k] + h <= f->high;
    const double sign = x[k] + 2.0 * h <= f->high ? 1.0 : -1.0;
    double *at = buffer, *a = buffer + s->n, *b = a + s->m;
    memcpy(at, x, (size_t)s->n * sizeof *at);
    at[k] = inside ? x[k] + h : x[k] + sign * h;
    TML_TRY(s->values(s, at, true, a, err));
    at[k] = inside ? x[k] - h : x[k] + 2.0 * sign * h;
    TML_TRY(s->values(s, at, true, b, err));
    for (int i = 0; i < s->m; ++i) { // (E6)
        d[(size_t)i * (size_t)s->n + (size_t)k] =
            inside ? (a[i] - b[i]) / (2.0 * h)
                   : sign * (-3.0 * y[i] + 4.0 * a[i] - b[i]) / (2.0 * h);
    }
    return TML_OK;
}

static TmlStatus differences(TmlSearch *s, const double *x, double *y, double *d, TmlError *err)
{
    double *buffer = tml_mem_zalloc((size_t)s->n + 2 * (size_t)s->m + 1, sizeof *buffer);
    TmlStatus status = buffer != NULL ? s->values(s, x, true, y, err)
                                      : tml_fail(err, TML_E_NOMEM, "out of memory");
    for (int k = 0; k < s->n && status == TML_OK; ++k) {
        status = difference(s, x, k, y, d, buffer, err);
    }
    tml_mem_free(buffer);
    return status;
}

/* The first refusal of exact derivatives holds for all that follows. */
static TmlStatus slopes_of(TmlSearch *s, const double *x, double *y, double *d, TmlError *err)
{
    if (!s->differenced) {
        const TmlStatus status = s->slopes(s, x, y, d, err);
        if (status != TML_E_ARGUMENT) {
            return status;
        }
        s->differenced = true; // the journal has it as the message of this evaluation
        s->difference = tml_arena_strdup(&s->arena, err->message);
    }
    return differences(s, x, y, d, err);
}

/* --- evaluations ----------------------------------------------------------------------------------------------------- */

static TmlEvaluation *new_evaluation(TmlSearch *s, const double *x, bool slopes)
{
    if (!tml_mem_grow((void **)&s->done, &s->cap, s->count + 1, sizeof *s->done)) {
        return NULL;
    }
    TmlEvaluation *e = &s->done[s->count];
    *e = (TmlEvaluation){.slopes = slopes, .value = (double)NAN};
    e->x = tml_arena_alloc(&s->arena, (size_t)s->n, sizeof *e->x);
    e->y = s->keep_values ? tml_arena_alloc(&s->arena, (size_t)s->m, sizeof *e->y) : NULL;
    if (e->x == NULL || (s->keep_values && e->y == NULL)) {
        return NULL;
    }
    memcpy(e->x, x, (size_t)s->n * sizeof *x);
    return e;
}

/* Whether a failure is one of the parameters, not of the search as a whole. */
static bool is_of_run(TmlStatus status)
{
    return status != TML_OK && status != TML_E_CANCELLED && status != TML_E_NOMEM &&
           status != TML_E_IO;
}

static TmlStatus make(TmlSearch *s, TmlEvaluation *e, double *y, double *d, TmlError *err)
{
    TmlError *own = tml_mem_zalloc(1, sizeof *own);
    if (own == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    const double began = tml_clock_cpu();
    const bool before = s->differenced;
    TmlStatus status =
        d != NULL ? slopes_of(s, e->x, y, d, own) : s->values(s, e->x, s->differenced, y, own);
    e->seconds = tml_clock_cpu() - began;
    e->message = s->differenced && !before ? s->difference : NULL;
    for (int k = 0; k < s->m && status == TML_OK; ++k) {
        if (!isfinite(y[k])) {
            status = tml_fail(own, TML_E_NONFINITE, "number %d of %d is not finite", k + 1, s->m);
        }
    }
    if (is_of_run(status)) {
        e->status = status;
        e->message = tml_arena_strdup(&s->arena, own->message);
        status = TML_OK;
        memset(y, 0, (size_t)s->m * sizeof *y);
        if (d != NULL) {
            memset(d, 0, (size_t)s->m * (size_t)s->n * sizeof *d);
        }
    } else if (status != TML_OK) {
        status = tml_fail(err, status, "%s", own->message);
    }
    tml_mem_free(own);
    return status == TML_OK ? tml_search_journal_add(&s->journal, s->n, s->m, e, y, d, err)
                            : status;
}

TmlStatus tml_search_evaluate(TmlSearch *s, const double *x, double *y, double *d,
                              TmlEvaluation **out, TmlError *err)
{
    TmlEvaluation *e = new_evaluation(s, x, d != NULL);
    *out = e;
    if (e == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    if (s->stopped) {
        return tml_fail(err, TML_E_CANCELLED, "stopped");
    }
    e->replayed =
        tml_search_journal_next(&s->journal, s->n, s->m, x, d != NULL, e, y, d, &s->arena);
    if (!e->replayed) {
        TML_TRY(make(s, e, y, d, err));
    } else if (e->status == TML_OK && e->message != NULL) {
        s->differenced = true;
        s->difference = e->message;
    }
    if (e->y != NULL) {
        memcpy(e->y, y, (size_t)s->m * sizeof *y);
    }
    s->count++;
    s->failed += e->status != TML_OK;
    s->replayed += e->replayed;
    return TML_OK;
}

void tml_search_tell(TmlSearch *s, double best, int iteration)
{
    if (s->hooks.progress == NULL || s->count == 0) {
        return;
    }
    const TmlEvaluation *e = &s->done[s->count - 1];
    const TmlSearchProgress p = {.evaluations = s->count,
                                 .failed = s->failed,
                                 .replayed = s->replayed,
                                 .iteration = iteration,
                                 .value = e->value,
                                 .best = best,
                                 .n = s->n,
                                 .x = e->x,
                                 .message = e->status != TML_OK ? e->message : NULL};
    if (!s->hooks.progress(s->hooks.user, &p)) {
        s->stopped = true;
    }
}
