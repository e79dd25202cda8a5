/* base/pool.h - loops on several threads that sleep while they wait.
 *
 * Iterations must write to different places and leave sums to a serial loop: then every number of threads gives the same bits.
 */
#pragma once

typedef struct TmlPool TmlPool;

/* One part of a loop: iterations from `from` to before `to`. */
typedef void TmlPoolBody(void *user, int from, int to);

/* Returns a pool of n threads, the caller's being one of them, or NULL: n is 1, or there is no memory. Threads start with the first loop,
 * as many as the system lets. */
TmlPool *tml_pool_create(int n);
void tml_pool_free(TmlPool *pool); /* NULL is fine */

/* Runs body over [from, to) in as many contiguous parts as there are threads, and returns when all are done. One caller at a time. NULL:
 * in one part. */
void tml_pool_for(TmlPool *pool, int from, int to, TmlPoolBody *body, void *user);

/* The number of threads for a loop: n, or where that is 0 what the environment says by OMP_NUM_THREADS, else 1. */
int tml_pool_asked(int n);
enum { TML_POOL_MOST = 256 };
