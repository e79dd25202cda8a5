/* base/parallel.h - loops that may run on several threads; without OpenMP they are ordinary loops.
 *
 * Iterations must write to different places and leave sums to a serial loop: then every number of
 * threads gives the same bits.
 */
#pragma once

#include <stdlib.h>

#ifdef _OPENMP
#define TML_PRAGMA(text) _Pragma(#text)
#define TML_PARALLEL_FOR(n_threads)                                                                \
    TML_PRAGMA(omp parallel for schedule(static) num_threads(n_threads))
#else
#define TML_PARALLEL_FOR(n_threads)
#endif

/* Threads that the environment asks for by OMP_NUM_THREADS; 1 when it does not: on a machine that
 * has other work, threads that wait for each other cost more than they gain. */
static inline int tml_threads_asked(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    const int n = text != NULL ? atoi(text) : 1;
    return n < 1 ? 1 : n < 256 ? n : 256;
}
