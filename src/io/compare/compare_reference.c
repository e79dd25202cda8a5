/* io/compare/compare_reference.c - the tight runs that errors are measured against.
 *
 * Two methods, each in a thread of its own. One that fails is replaced by the next of the list.
 */
#include "analysis/integrator/integrator.h"
#include "io/compare/compare.h"

#include "base/fail.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* Best first: high order that a stiff model does not stop, then second order, then explicit. */
static const char *const preference[] = {
    "radau",
    "rosenbrock",
    "bdf-si2",
    "tlismni-park",
    "hht",
    "tlismni-trapezoidal",
    "generalized-alpha",
    "tlismni-hht",
    "tlismni-bdf2",
    "bdf-i3",
    "rosenbrock-w",
    "adams",
};

/* When so many had no more time, the others, which are slower, would not end either. */
enum { N_PREFERENCE = sizeof preference / sizeof preference[0], MOST_LATE = 2 };

/* Well below the tightest tolerance that is compared, and not below what rounding allows. */
static double tight(const TmlCompare *c, const char *name)
{
    const TmlIntegratorType *type = tml_find_integrator(name);
    const bool high = type != NULL && type->order > 2;
    double least = HUGE_VAL;
    for (int k = 0; k < c->options.n_tolerances; ++k) {
        least = fmin(least, c->options.tolerance[k]);
    }
    return fmax(high ? 1e-12 : 1e-11, fmin(high ? 1e-10 : 1e-9, 1e-2 * least));
}

static TmlStatus fill_slot(TmlCompare *c, struct TmlReferenceSlot *slot, const char *method,
                           double tolerance, TmlError *err)
{
    TML_TRY(tml_compare_parse(c, method, &slot->method, err));
    slot->run = (TmlCompareRun){.compare = c, .method = &slot->method};
    slot->run.tolerance = isnan(tolerance) ? tight(c, slot->method.name) : tolerance;
    return TML_OK;
}

/* The next registered method of the list that is not used yet; false at its end. */
static TmlStatus next_candidate(TmlCompare *c, int *next, struct TmlReferenceSlot *slot,
                                bool *found, TmlError *err)
{
    const char *given = c->options.reference != NULL ? c->reference[0].method.name : "";
    *found = false;
    while (*next < N_PREFERENCE && !*found) {
        const char *name = preference[(*next)++];
        if (tml_find_integrator(name) != NULL && strcmp(name, given) != 0) {
            TML_TRY(fill_slot(c, slot, name, (double)NAN, err));
            *found = true;
        }
    }
    return TML_OK;
}

static void *thread_run(void *slot)
{
    tml_compare_run(&((struct TmlReferenceSlot *)slot)->run);
    return NULL;
}

static void run_slots(struct TmlReferenceSlot **slot, int n)
{
    pthread_t thread[TML_REFERENCES];
    bool started[TML_REFERENCES] = {false};
    for (int k = 0; k + 1 < n; ++k) {
        started[k] = pthread_create(&thread[k], NULL, thread_run, slot[k]) == 0;
    }
    for (int k = 0; k < n; ++k) {
        if (!started[k]) { // the last one, or no thread could be had
            thread_run(slot[k]);
        }
    }
    for (int k = 0; k < n; ++k) {
        if (started[k]) {
            pthread_join(thread[k], NULL);
        }
    }
}

/* Run what has not been run; slots that failed are empty afterwards. late: counts those that had no
 * more time. */
static TmlStatus run_open_slots(TmlCompare *c, bool *full, int *late, TmlError *err)
{
    struct TmlReferenceSlot *open[TML_REFERENCES];
    int n = 0;
    for (int k = 0; k < TML_REFERENCES; ++k) {
        if (full[k] && c->reference[k].run.value == NULL) {
            open[n++] = &c->reference[k];
        }
    }
    run_slots(open, n);
    for (int k = 0; k < TML_REFERENCES; ++k) {
        TmlCompareRun *run = &c->reference[k].run;
        if (!full[k] || run->status == TML_OK) {
            continue;
        }
        if (run->status == TML_E_CANCELLED || run->status == TML_E_NOMEM) {
            return tml_fail(err, run->status, "reference run by %s: %s", run->method->text,
                            run->err.message);
        }
        *late += run->late;
        c->last = run->err;
        c->last.status = run->status;
        tml_compare_note(c, "no reference by %s at tolerance %g: %s", run->method->text,
                         run->tolerance, run->err.message);
        tml_compare_run_free(run);
        full[k] = false;
    }
    return TML_OK;
}

/* Keep the full slots, in front. */
static void close_ranks(TmlCompare *c, const bool *full)
{
    if (!full[0] && full[1]) {
        c->reference[0] = c->reference[1];
        c->reference[0].run.method = &c->reference[0].method;
        c->reference[1].run = (TmlCompareRun){0};
    }
    c->n_references = full[0] + full[1];
    for (int k = 0; k < c->n_references; ++k) {
        const TmlCompareRun *run = &c->reference[k].run;
        c->reference[k].shown = (TmlReferenceRun){run->method->text, run->tolerance, run->stats};
    }
}

/* Tell what weakens the comparison. */
static void note_weakness(const TmlCompare *c)
{
    const TmlCompareRun *first = &c->reference[0].run;
    for (int m = 0; m < c->options.n_methods; ++m) {
        if (c->n_references == 1 && strcmp(c->method[m].name, first->used) == 0) {
            tml_compare_note(c,
                             "%s is measured against itself at tolerance %g, for want of another "
                             "method: an error that it always makes is not seen",
                             c->method[m].text, first->tolerance);
        }
    }
    for (int k = 0; k < c->options.n_tolerances; ++k) {
        if (c->options.tolerance[k] <= 2.0 * first->tolerance) {
            tml_compare_note(c, "tolerance %g is not looser than that of the reference, %g",
                             c->options.tolerance[k], first->tolerance);
        }
    }
}

/* A reference that the caller chose stands alone, unless it is compared too. */
static bool wants_second(const TmlCompare *c)
{
    if (c->options.reference == NULL) {
        return true;
    }
    for (int m = 0; m < c->options.n_methods; ++m) {
        if (strcmp(c->method[m].name, c->reference[0].method.name) == 0) {
            return true;
        }
    }
    return false;
}

TmlStatus tml_compare_make_references(TmlCompare *c, TmlError *err)
{
    const TmlCompareOptions *o = &c->options;
    bool full[TML_REFERENCES] = {false};
    int next = 0, late = 0;
    if (o->reference != NULL) {
        TML_TRY(fill_slot(c, &c->reference[0], o->reference, o->reference_tolerance, err));
        full[0] = true;
    }
    const int wanted = wants_second(c) ? TML_REFERENCES : 1;
    for (bool again = true; again;) {
        again = full[0] && c->reference[0].run.value == NULL;
        for (int k = 0; k < wanted; ++k) {
            if (!full[k] && late < MOST_LATE) {
                TML_TRY(next_candidate(c, &next, &c->reference[k], &full[k], err));
                again |= full[k];
            }
        }
        TML_TRY(run_open_slots(c, full, &late, err));
        if (o->reference != NULL && !full[0]) {
            return tml_fail(err, c->last.status, "the reference run by %s failed: %s", o->reference,
                            c->last.message);
        }
    }
    close_ranks(c, full);
    if (c->n_references == 0) {
        return tml_fail(err, c->last.status, "no reference run came to its end; the last one: %s%s",
                        c->last.message,
                        late > 0 ? "; try a shorter --end, a larger --limit, or a --reference of "
                                   "your own"
                                 : "");
    }
    note_weakness(c);
    return TML_OK;
}
