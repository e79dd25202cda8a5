/* tests/sparse/heap.h - bytes that a task holds at most: ours, through tml_set_allocator, and those
 * of SuiteSparse, through its own hook. */
#pragma once

#include "trammel/base.h"

#include <SuiteSparse_config.h>
#include <malloc.h>
#include <stdlib.h>

// SuiteSparse's hook has no argument for them
static size_t heap_now, heap_peak, heap_own, heap_own_peak; // of all, of ours

static inline void *heap_note(void *p, size_t before)
{
    heap_now += (p != NULL ? malloc_usable_size(p) : 0) - before;
    heap_peak = heap_now > heap_peak ? heap_now : heap_peak;
    return p;
}

static inline void heap_release(void *p)
{
    heap_now -= p != NULL ? malloc_usable_size(p) : 0;
    free(p);
}

static inline void *heap_malloc(size_t n)
{
    return heap_note(malloc(n), 0);
}

static inline void *heap_calloc(size_t n, size_t size)
{
    return heap_note(calloc(n, size), 0);
}

static inline void *heap_realloc(void *p, size_t n)
{
    const size_t before = p != NULL ? malloc_usable_size(p) : 0;
    void *q = realloc(p, n);
    return q != NULL ? heap_note(q, before) : NULL;
}

static inline void *heap_resize(void *user, void *p, size_t size)
{
    const size_t before = p != NULL ? malloc_usable_size(p) : 0;
    (void)user;
    if (size == 0) {
        heap_own -= before;
        heap_release(p);
        return NULL;
    }
    void *q = heap_realloc(p, size);
    heap_own += q != NULL ? malloc_usable_size(q) - before : 0;
    heap_own_peak = heap_own > heap_own_peak ? heap_own : heap_own_peak;
    return q;
}

/* Counts from now on, or no longer. Call when nothing is held. */
static inline void heap_count(bool on)
{
    SuiteSparse_config.malloc_func = on ? heap_malloc : malloc;
    SuiteSparse_config.calloc_func = on ? heap_calloc : calloc;
    SuiteSparse_config.realloc_func = on ? heap_realloc : realloc;
    SuiteSparse_config.free_func = on ? heap_release : free;
    tml_set_allocator(on ? &(TmlAllocator){NULL, heap_resize} : NULL);
    heap_now = heap_peak = heap_own = heap_own_peak = 0;
}
