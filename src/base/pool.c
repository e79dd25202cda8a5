/* base/pool.c - see pool.h.
 *
 * Helpers wait on a condition for the next loop, and the caller on another one for the last of them: nobody spins, as other work may
 * need the cores. A process that was forked has the pool but not its threads; it starts new ones.
 */
#include "base/pool.h"

#include "base/arena.h"
#include "base/block.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Helper {
    TmlPool *pool;
    int part; /* from 1: 0 is the caller's */
    pthread_t thread;
} Helper;

struct TmlPool {
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    int n, running; /* threads that are wanted; helpers that there are */
    pid_t owner;    /* the process that started them; 0: none yet */
    uint64_t loop;  /* number of the loop that is under way */
    int left;       /* helpers that have not finished it */
    bool end;
    int from, to;
    TmlPoolBody *body;
    void *user;
    Helper helper[];
};

static void freeze(const void *block, TmlBytes *out)
{
    (void)block, (void)out;
}

/* A copy has no threads: it starts its own. */
static bool thaw(void *block, TmlBytes *in)
{
    TmlPool *pool = block;
    (void)in;
    pool->owner = 0;
    pool->running = pool->left = 0;
    pool->end = false;
    return true;
}

static void drop(void *block)
{
    (void)block;
}

static const TmlBlockKind copied_without_threads = {freeze, thaw, drop};

TmlPool *tml_pool_create(int n)
{
    TmlPool *pool = n > 1 ? tml_mem_zalloc(1, sizeof *pool + (size_t)n * sizeof(Helper)) : NULL;
    if (pool != NULL) {
        tml_block_set_kind(pool, &copied_without_threads);
        pool->n = n < TML_POOL_MOST ? n : TML_POOL_MOST;
    }
    return pool;
}

/* Does a part of the loop; iterations are dealt out in contiguous pieces. */
static void do_part(const TmlPool *pool, int part)
{
    const int64_t n = pool->to - pool->from, parts = pool->running + 1;
    const int from = pool->from + (int)(n * part / parts),
              to = pool->from + (int)(n * (part + 1) / parts);
    if (to > from) {
        pool->body(pool->user, from, to);
    }
}

static void *help(void *of)
{
    const Helper *h = of;
    TmlPool *pool = h->pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->loop == seen && !pool->end) {
            pthread_cond_wait(&pool->begin, &pool->lock);
        }
        if (pool->end) {
            break;
        }
        seen = pool->loop;
        pthread_mutex_unlock(&pool->lock);
        do_part(pool, h->part);
        pthread_mutex_lock(&pool->lock);
        if (--pool->left == 0) {
            pthread_cond_signal(&pool->done);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Starts the helpers, without signals, which are the caller's. Fewer than asked for change nothing but the time. */
static void start(TmlPool *pool)
{
    sigset_t all, before;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->owner = getpid();
    pool->running = 0;
    pool->loop = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int k = 0; k < pool->n - 1; ++k) {
        Helper *h = &pool->helper[k];
        *h = (Helper){.pool = pool, .part = k + 1};
        if (pthread_create(&h->thread, NULL, help, h) != 0) {
            break;
        }
        pool->running++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void tml_pool_free(TmlPool *pool)
{
    if (pool != NULL && pool->owner == getpid()) {
        pthread_mutex_lock(&pool->lock);
        pool->end = true;
        pthread_cond_broadcast(&pool->begin);
        pthread_mutex_unlock(&pool->lock);
        for (int k = 0; k < pool->running; ++k) {
            pthread_join(pool->helper[k].thread, NULL);
        }
        pthread_cond_destroy(&pool->begin);
        pthread_cond_destroy(&pool->done);
        pthread_mutex_destroy(&pool->lock);
    }
    tml_mem_free(pool);
}

void tml_pool_for(TmlPool *pool, int from, int to, TmlPoolBody *body, void *user)
{
    if (pool != NULL && pool->owner != getpid()) {
        start(pool);
    }
    if (pool == NULL || pool->running == 0) {
        body(user, from, to);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->from = from;
    pool->to = to;
    pool->body = body;
    pool->user = user;
    pool->left = pool->running;
    pool->loop++;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    do_part(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->left > 0) {
        pthread_cond_wait(&pool->done, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

int tml_pool_asked(int n)
{
    const char *text = n == 0 ? getenv("OMP_NUM_THREADS") : NULL;
    n = text != NULL ? atoi(text) : n;
    return n < 1 ? 1 : n < TML_POOL_MOST ? n : TML_POOL_MOST;
}
