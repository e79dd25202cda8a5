/* io/study/study_run.c - one run of a study, as a record. */
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
    TmlRows rows;
} Job;

static TmlStatus on_row(void *user, const TmlSim *sim, TmlError *err)
{
    Job *job = user;
    return tml_rows_add(&job->rows, sim, err);
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
    const int rows = s->n_kept > 0 ? job->rows.n : 0;
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
            head->status == TML_OK ? tml_response_value(&job->rows, &s->response[k]) : (double)NAN;
        memcpy(at, &value, sizeof value);
    }
    for (int k = 0; k < rows; ++k) {
        const double *row = job->rows.at + (size_t)k * (size_t)job->rows.width;
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

TmlStatus tml_study_record_read(const TmlStudy *s, const void *bytes, size_t size,
                                TmlStudyRecord *out, TmlError *err)
{
    TmlRecord head;
    *out = (TmlStudyRecord){.run = -1};
    if (!tml_record_good(s, bytes, size)) {
        return tml_fail(err, TML_E_ARGUMENT, "a record is damaged, or of another study");
    }
    memcpy(&head, bytes, sizeof head);
    const char *at = (const char *)bytes + sizeof head;
    const double *values = (const double *)(const void *)at; // records begin where any number may
    *out = (TmlStudyRecord){.run = head.run,
                            .status = (TmlStatus)head.status,
                            .steps = head.steps,
                            .rejected = head.rejected,
                            .seconds = head.seconds,
                            .responses = values,
                            .rows = head.rows,
                            .histories = values + s->n_responses,
                            .message = (const char *)bytes + size - head.message,
                            .message_length = head.message};
    return TML_OK;
}

const char *tml_study_kept(const TmlStudy *s, int index)
{
    return index >= 0 && index < s->n_kept ? s->kept_name[index] : NULL;
}

const char *tml_study_kept_unit(const TmlStudy *s, int index)
{
    return index >= 0 && index < s->n_kept ? s->kept_unit[index] : NULL;
}

TmlStatus tml_study_lost(const TmlStudy *s, int run, const char *why, void **bytes, size_t *size,
                         TmlError *err)
{
    const Job job = {.study = s, .rows = {.width = s->n_channels + 1}};
    TmlRecord head = {.run = run, .status = TML_E_INTERNAL};
    *bytes = NULL;
    if (run < 0 || run >= s->runs) {
        return tml_fail(err, TML_E_ARGUMENT, "run %d: there are runs 0 to %d", run, s->runs - 1);
    }
    return pack(&job, &head, why, bytes, size, err);
}

/* --- a run ------------------------------------------------------------------------------------------------ */

TmlStatus tml_study_model_of(const TmlStudy *s, int run, TmlModel **out, TmlError *err)
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

TmlSimOptions tml_study_options(const TmlStudy *s)
{
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = s->run.integrator;
    o.end_time = s->run.end_time;
    o.output_step = s->run.output_step;
    o.tolerance = s->run.tolerance;
    o.threads = 1; // runs beside each other take the cores
    return o;
}

static TmlStatus simulate(Job *job, const TmlModel *model, const TmlHooks *hooks, TmlRecord *head,
                          TmlError *err)
{
    TmlSimOptions o = tml_study_options(job->study);
    TmlSim *sim = NULL;
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
    Job job = {.study = s, .rows = {.width = s->n_channels + 1}};
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
    TmlStatus status = tml_study_model_of(s, run, &model, own);
    status = status == TML_OK ? simulate(&job, model, hooks, &head, own) : status;
    head.seconds = tml_clock_cpu() - began;
    head.status = (int32_t)status;
    if (status == TML_E_CANCELLED) {
        status = tml_fail(err, status, "%s", own->message);
    } else {
        status = pack(&job, &head, status != TML_OK ? own->message : NULL, bytes, size, err);
    }
    tml_model_free(model);
    tml_mem_free(job.rows.at);
    tml_mem_free(own);
    return status;
}
