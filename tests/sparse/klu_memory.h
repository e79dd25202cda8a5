/* tests/sparse/klu_memory.h - counts what KLU allocates, through SuiteSparse's own hook. */
#pragma once

#include <SuiteSparse_config.h>
#include <stdbool.h>
#include <stdlib.h>

static long klu_calls; // SuiteSparse's hook has no argument for it

static inline void *klu_malloc(size_t n)
{
    klu_calls++;
    return malloc(n);
}

static inline void *klu_calloc(size_t n, size_t size)
{
    klu_calls++;
    return calloc(n, size);
}

static inline void *klu_realloc(void *p, size_t n)
{
    klu_calls++;
    return realloc(p, n);
}

/* Counts KLU's allocations from now on. */
static inline void klu_count(bool on)
{
    SuiteSparse_config.malloc_func = on ? klu_malloc : malloc;
    SuiteSparse_config.calloc_func = on ? klu_calloc : calloc;
    SuiteSparse_config.realloc_func = on ? klu_realloc : realloc;
    klu_calls = 0;
}
