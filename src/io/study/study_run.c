/* io/study/study_run.c - one run of a study, as a record.
 *
 * A response is taken from the rows whose time is within its bounds. Means are integrals over time,
 *
 *   (V2)  mean = 1/T sum h_k (y_k + y_(k+1)) / 2,  rms^2 the same of y^2
 *
 * so that a row more at an event does not count twice.
 */
#include "io/study/study.h"

#include "base/clock.h"
#include "base/fail.h"
#include "model/model.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MESSAGE_MAX = 1000 };

typedef struct Job {
    const TmlStudy *study;
    double *rows; /* n x width: time, then all channels */
    int n, cap, width;
} Job;

static TmlStatus on_row(void *user, const TmlSim *sim, TmlError *err)
{
    Job *job = user;
    if (!tml_mem_grow((void **)&job->rows, &job->cap, job->n + 1,
                      (size_t)job->width * sizeof *job->rows)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d rows", job->n + 1);
    }
    double *to = job->rows + (size_t)job->n * (size_t)job->width;
    to[0] = tml_row_time(sim);
    for (int k = 1; k < job->width; ++k) {
        to[k] = tml_row_channel(sim, k - 1);
    }
    job->n++;
    return TML_OK;
}

/* --- responses ------------------------------------------------------------------------------------------ */

/* Mean of y or y^2 over time, (V2). */
static double mean(const Job *job, int first, int last, int channel, bool square)
{
    double sum = 0.0;
    for (int k = first; k < last; ++k) {
        const double *a = job->rows + (size_t)k * (size_t)job->width, *b = a + job->width;
        const double y = a[channel], z = b[channel];
        sum += 0.5 * (b[0] - a[0]) * (square ? y * y + z * z : y + z);
    }
    const double *from = job->rows + (size_t)first * (size_t)job->width;
    const double *to = job->rows + (size_t)last * (size_t)job->width;
    const double alone = square ? from[channel] * from[channel] : from[channel];
    return to[0] > from[0] ? sum / (to[0] - from[0]) : alone;
}

static double response_of(const Job *job, const TmlResponse *p)
{
    const int c = p->index + 1;
    int first = -1, last = -1, low = -1, high = -1;
    for (int k = 0; k < job->n; ++k) {
        const double *row = job->rows + (size_t)k * (size_t)job->width;
        if (row[0] < p->from || row[0] > p->to) {
            continue;
        }
        if (!isfinite(row[c])) {
            return (double)NAN;
        }
        first = first < 0 ? k : first;
        last = k;
        low = low < 0 || row[c] < job->rows[(size_t)low * (size_t)job->width + (size_t)c] ? k : low;
        high = high < 0 || row[c] > job->rows[(size_t)high * (size_t)job->width + (size_t)c] ? k
                                                                                             : high;
    }
    if (first < 0) {
        return (double)NAN;
    }
    const double *bottom = job->rows + (size_t)low * (size_t)job->width;
    const double *top = job->rows + (size_t)high * (size_t)job->width;
    switch (p->take) {
    case TML_TAKE_MAX:
        return top[c];
    case TML_TAKE_MIN:
        return bottom[c];
    case TML_TAKE_MEAN:
        return mean(job, first, last, c, false);
    case TML_TAKE_RMS:
        return sqrt(mean(job, first, last, c, true));
    case TML_TAKE_END:
        return job->rows[(size_t)last * (size_t)job->width + (size_t)c];
    case TML_TAKE_RANGE:
        return top[c] - bottom[c];
    case TML_TAKE_LARGEST:
        return fmax(fabs(top[c]), fabs(bottom[c]));
    case TML_TAKE_TIME_OF_MAX:
        return top[0];
    case TML_TAKE_TIME_OF_MIN:
        return bottom[0];
    }
    return (double)NAN;
}

/* --- records -------------------------------------------------------------------------------------------- */

uint64_t tml_record_sum(const void *bytes, size_t size)
{
    uint64_t h = 0xcbf29ce484222325u;
    const unsigned char *c = bytes;
    for (size_t k = 0; k < size; ++k) {
        const bool own = k >= offsetof(TmlRecord, sum) && k < offsetof(TmlRecord, sum) + sizeof h;
        h = (h ^ (own ? 0u : c[k])) * 0x100000001b3u;
    }
    return h;
}

bool tml_record_good(const TmlStudy *s, const void *bytes, size_t size)
{
    TmlRecord head;
    if (size < sizeof head) {
        return false;
    }
    memcpy(&head, bytes, sizeof head);
    if (head.size != size || head.mark != s->mark || head.run < 0 || head.run >= s->runs ||
        head.rows < 0 || head.message < 0 || head.message > MESSAGE_MAX) {
        return false;
    }
    const uint64_t values =
        (uint64_t)s->n_responses + (uint64_t)head.rows * ((uint64_t)s->n_kept + 1);
    return size == sizeof head + 8 * values + (uint64_t)head.message &&
           tml_record_sum(bytes, size) == head.sum;
}

static TmlStatus pack(const Job *job, TmlRecord *head, const char *message, void **bytes,
                      size_t *size, TmlError *err)
{
    const TmlStudy *s = job->study;
    const size_t length = message != NULL ? strlen(message) : 0;
    const int rows = s->n_kept > 0 ? job->n : 0;
    head->message = (int32_t)(length < MESSAGE_MAX ? length : MESSAGE_MAX);
    head->rows = rows;
    head->mark = s->mark;
    head->size = sizeof *head +
                 8 * ((size_t)s->n_responses + (size_t)rows * ((size_t)s->n_kept + 1)) +
                 (size_t)head->message;
    char *out = tml_mem_zalloc(1, head->size);
    if (out == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    char *at = out + sizeof *head;
    for (int k = 0; k < s->n_responses; ++k, at += 8) {
        const double value =
            head->status == TML_OK ? response_of(job, &s->response[k]) : (double)NAN;
        memcpy(at, &value, sizeof value);
    }
    for (int k = 0; k < rows; ++k) {
        const double *row = job->rows + (size_t)k * (size_t)job->width;
        memcpy(at, row, sizeof *row);
        at += 8;
        for (int c = 0; c < s->n_kept; ++c, at += 8) {
            memcpy(at, &row[s->kept[c] + 1], sizeof *row);
        }
    }
    if (head->message > 0) {
        memcpy(at, message, (size_t)head->message);
    }
    memcpy(out, head, sizeof *head);
    head->sum = tml_record_sum(out, head->size);
    memcpy(out, head, sizeof *head);
    *bytes = out;
    *size = head->size;
    return TML_OK;
}

void tml_study_record_free(void *bytes)
{
    tml_mem_free(bytes);
}

TmlStatus tml_study_lost(const TmlStudy *s, int run, const char *why, void **bytes, size_t *size,
                         TmlError *err)
{
    const Job job = {.study = s, .width = s->n_channels + 1};
    TmlRecord head = {.run = run, .status = TML_E_INTERNAL};
    *bytes = NULL;
    if (run < 0 || run >= s->runs) {
        return tml_fail(err, TML_E_ARGUMENT, "run %d: there are runs 0 to %d", run, s->runs - 1);
    }
    return pack(&job, &head, why, bytes, size, err);
}

/* --- a run ------------------------------------------------------------------------------------------------ */

static TmlStatus model_of(const TmlStudy *s, int run, TmlModel **out, TmlError *err)
{
    const char **names = tml_mem_zalloc((size_t)s->n_spreads + 1, sizeof *names);
    if (names == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    for (int p = 0; p < s->n_spreads; ++p) {
        names[p] = s->spread[p].name;
    }
    const TmlStatus status = tml_model_with(
        s->model, s->n_spreads, names, s->value + (size_t)run * (size_t)s->n_spreads, out, err);
    tml_mem_free(names);
    return status;
}

static TmlStatus simulate(Job *job, const TmlModel *model, const TmlHooks *hooks, TmlRecord *head,
                          TmlError *err)
{
    const TmlStudy *s = job->study;
    TmlSimOptions o = tml_sim_options_default();
    TmlSim *sim = NULL;
    o.integrator = s->integrator;
    o.end_time = s->end_time;
    o.output_step = s->output_step;
    o.tolerance = s->tolerance;
    o.threads = 1; // runs beside each other take the cores
    if (hooks != NULL) {
        o.hooks = *hooks;
    }
    TML_TRY(tml_sim_create(model, &o, &sim, err));
    const TmlStatus status = tml_sim_run(sim, on_row, job, err);
    const TmlSimStats stats = tml_sim_stats(sim);
    head->steps = stats.steps;
    head->rejected = stats.rejected;
    tml_sim_free(sim);
    return status;
}

TmlStatus tml_study_run(const TmlStudy *s, int run, const TmlHooks *hooks, void **bytes,
                        size_t *size, TmlError *err)
{
    Job job = {.study = s, .width = s->n_channels + 1};
    TmlRecord head = {.run = run};
    TmlModel *model = NULL;
    TmlError *own = tml_mem_zalloc(1, sizeof *own);
    *bytes = NULL;
    if (run < 0 || run >= s->runs || own == NULL) {
        tml_mem_free(own);
        return own == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory")
                           : tml_fail(err, TML_E_ARGUMENT, "run %d: there are runs 0 to %d", run,
                                      s->runs - 1);
    }
    const double began = tml_clock_cpu();
    TmlStatus status = model_of(s, run, &model, own);
    status = status == TML_OK ? simulate(&job, model, hooks, &head, own) : status;
    head.seconds = tml_clock_cpu() - began;
    head.status = (int32_t)status;
    if (status == TML_E_CANCELLED) {
        status = tml_fail(err, status, "%s", own->message);
    } else {
        status = pack(&job, &head, status != TML_OK ? own->message : NULL, bytes, size, err);
    }
    tml_model_free(model);
    tml_mem_free(job.rows);
    tml_mem_free(own);
    return status;
}
