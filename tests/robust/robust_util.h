/* tests/robust/robust_util.h - a model with every element, counted memory, recorded runs. */
#pragma once

#include "test.h"

#include "trammel/trammel.h"

#include <stdlib.h>

/* Allocator that counts, and fails from the call number `fail_at` on (0: never). Blocks in use are
 * counted, so that a leak shows without a sanitizer. */
typedef struct Counter {
    long calls, live, fail_at;
    bool failed;
} Counter;

static inline void *counter_resize(void *user, void *p, size_t size)
{
    Counter *c = user;
    if (size == 0) {
        c->live -= p != NULL;
        free(p);
        return NULL;
    }
    c->calls++;
    if (c->fail_at > 0 && c->calls == c->fail_at) {
        c->failed = true;
        return NULL;
    }
    void *q = realloc(p, size);
    c->live += p == NULL && q != NULL;
    return q;
}

static inline void counter_set(Counter *c)
{
    tml_set_allocator(&(TmlAllocator){c, counter_resize});
}

/* Lets one allocation after another of a task fail, until none does: each must be told as want
 * of memory, and nothing may be left behind. The task frees what it makes. It returns how many
 * failed. */
static inline int counter_sweep(TestCtx *t, Counter *memory,
                                TmlStatus (*task)(void *arg, TmlError *err), void *arg)
{
    enum { MOST = 5000 };
    const long live = memory->live;
    TmlStatus status = TML_E_NOMEM;
    int k = 0;
    while (k < MOST && status != TML_OK) {
        TmlError err = {0};
        memory->calls = 0;
        memory->fail_at = ++k;
        memory->failed = false;
        status = task(arg, &err);
        CHECK(t, (status == TML_OK) == !memory->failed);
        CHECK(t, status == TML_OK || (status == TML_E_NOMEM && err.message[0] != '\0'));
        CHECK_INT(t, memory->live, live);
    }
    CHECK_INT(t, status, TML_OK);
    memory->fail_at = 0;
    return k - 1;
}

/* Returns the text of tests/robust/everything.yaml, which the caller frees. */
static inline char *everything_text(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/robust/everything.yaml", test_source_dir());
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (f != NULL && text != NULL) {
        (void)!fread(text, 1, (1 << 16) - 1, f);
    }
    if (f != NULL) {
        fclose(f);
    }
    return text;
}

/* Numbers of a run, in order: all channels, bodies, reactions and the certificate of each row. */
typedef struct Record {
    double *x;
    size_t n, cap;
    int rows;
} Record;

static inline void record_add(Record *r, const double *x, size_t n)
{
    if (r->n + n > r->cap) {
        r->cap = 2 * (r->n + n) + 1024;
        double *wider = realloc(r->x, r->cap * sizeof *r->x);
        if (wider == NULL) {
            abort();
        }
        r->x = wider;
    }
    memcpy(r->x + r->n, x, n * sizeof *x);
    r->n += n;
}

static inline TmlStatus record_row(void *user, const TmlSim *sim, TmlError *err)
{
    Record *r = user;
    const TmlModel *m = tml_sim_model(sim);
    (void)err;
    const double t = tml_row_time(sim);
    record_add(r, &t, 1);
    for (int k = 0; k < tml_row_channel_count(sim); ++k) {
        const double x = tml_row_channel(sim, k);
        record_add(r, &x, 1);
    }
    for (int k = 1; k < tml_model_body_count(m); ++k) {
        const TmlBodyState s = tml_row_body(sim, k);
        record_add(r, (const double *)&s, sizeof s / sizeof(double));
    }
    for (int k = 0; k < tml_model_joint_count(m); ++k) {
        const TmlReaction w = tml_row_reaction(sim, k);
        record_add(r, (const double *)&w, 12); // the four vectors
    }
    const TmlCertificate c = tml_row_certificate(sim);
    record_add(r, (const double *)&c, sizeof c / sizeof(double));
    r->rows++;
    return TML_OK;
}

static inline void record_free(Record *r)
{
    free(r->x);
    *r = (Record){0};
}
