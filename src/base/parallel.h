/* base/parallel.h - loops that may run on several threads; without OpenMP they are ordinary loops.
 *
 * Iterations must write to different places and leave sums to a serial loop: then every number of
 * threads gives the same bits. The number is OpenMP's own (OMP_NUM_THREADS).
 */
#pragma once

#ifdef _OPENMP
#define TML_PRAGMA(text) _Pragma(#text)
#define TML_PARALLEL_FOR_IF(worth) TML_PRAGMA(omp parallel for schedule(static) if (worth))
#else
#define TML_PARALLEL_FOR_IF(worth)
#endif
