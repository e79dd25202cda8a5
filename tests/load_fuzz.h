/* tests/load_fuzz.h - hostile texts for the reader of models, and memory that runs out.
 *
 * No text may crash, hang or leak (the sanitizers watch), and every failure has a message.
 */
#pragma once

#include "test.h"

#include "trammel/io.h"

#include <stdlib.h>

static inline int pick(TestCtx *t, int n)
{
    return (int)test_random(t, 0, n);
}

/* Put a piece into a text where it has room. */
static inline void insert(char *text, size_t size, size_t at, const char *piece)
{
    const size_t n = strlen(text), m = strlen(piece);
    if (n + m < size && at <= n) {
        memmove(text + at + m, text + at, n - at + 1);
        for (size_t k = 0; k < m; ++k) {
            text[at + k] = piece[k];
        }
    }
}

/* Load `count` texts of up to four mutations each; errors begin with `place`. Returns how many were
 * good. */
static inline int fuzz_mutations(TestCtx *t, const char *good_text, const char *name,
                                 const char *place, int count,
                                 void (*mutate)(TestCtx *t, char *text, size_t size))
{
    const size_t size = 2 * strlen(good_text);
    char *text = malloc(size);
    int good = 0;
    for (int k = 0; k < count; ++k) {
        snprintf(text, size, "%s", good_text);
        for (int j = pick(t, 4); j >= 0 && text[0] != '\0'; --j) {
            mutate(t, text, size);
        }
        TmlModel *m = NULL;
        TmlError err = {0};
        const TmlStatus status = tml_load_text(text, name, 0, NULL, NULL, &m, &err);
        if (status == TML_OK) {
            good++;
        } else if (status != TML_E_MODEL || err.message[0] == '\0' || m != NULL ||
                   strncmp(err.message, place, strlen(place)) != 0) {
            test_fail(t, __FILE__, __LINE__, "mutation %d: %s '%s'\n%s", k, tml_status_name(status),
                      err.message, text);
        }
        tml_model_free(m);
    }
    free(text);
    return good;
}

typedef struct Failing {
    int countdown; /* allocations until failure */
    int live;      /* blocks in use */
} Failing;

static inline void *failing_resize(void *user, void *p, size_t size)
{
    Failing *f = user;
    if (size == 0) {
        f->live -= p != NULL;
        free(p);
        return NULL;
    }
    if (f->countdown == 0) {
        return NULL;
    }
    f->countdown--;
    void *q = realloc(p, size);
    f->live += q != NULL && p == NULL;
    return q;
}

/* Each allocation of a load fails in turn: a status, a message, nothing left behind. */
static inline void fuzz_memory(TestCtx *t, const char *text, const char *name)
{
    Failing f = {0};
    const TmlAllocator allocator = {&f, failing_resize};
    tml_set_allocator(&allocator);
    TmlStatus status = TML_E_NOMEM;
    int k = 0;
    for (; status == TML_E_NOMEM && k < 100000; ++k) {
        TmlModel *m = NULL;
        TmlError err = {0};
        f = (Failing){.countdown = k};
        status = tml_load_text(text, name, 0, NULL, NULL, &m, &err);
        if (status != TML_OK && (status != TML_E_NOMEM || m != NULL || err.message[0] == '\0')) {
            test_fail(t, __FILE__, __LINE__, "allocation %d: %s '%s'", k, tml_status_name(status),
                      err.message);
            status = TML_E_NOMEM;
        }
        tml_model_free(m);
        if (f.live != 0) {
            test_fail(t, __FILE__, __LINE__, "allocation %d: %d blocks leak", k, f.live);
        }
    }
    tml_set_allocator(NULL);
    CHECK_INT(t, status, TML_OK);
    CHECK(t, k > 50);
}
