/* tests/base/test_pool.c - loops on several threads: every iteration once, any number of threads, many loops, forked processes. */
#include "test.h"

#include "base/pool.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 1000 };

static void count(void *user, int from, int to)
{
    int *hits = user;
    for (int k = from; k < to; ++k) {
        hits[k]++;
    }
}

static bool each_once(TmlPool *pool, int from, int to)
{
    int hits[MOST] = {0};
    tml_pool_for(pool, from, to, count, hits);
    for (int k = 0; k < MOST; ++k) {
        if (hits[k] != (k >= from && k < to)) {
            return false;
        }
    }
    return true;
}

TEST(every_iteration_is_done_once)
{
    for (int n = 1; n <= 9; ++n) {
        TmlPool *pool = tml_pool_create(n);
        CHECK(t, (pool == NULL) == (n == 1));
        for (int loop = 0; loop < 200; ++loop) {
            CHECK(t, each_once(pool, loop, MOST - loop));
        }
        CHECK(t, each_once(pool, 5, 5)); // none
        CHECK(t, each_once(pool, 5, 7)); // fewer than threads
        tml_pool_free(pool);
    }
    tml_pool_free(tml_pool_create(4)); // never used
    tml_pool_free(NULL);
}

/* A child has the memory of the pool and none of its threads. */
TEST(a_forked_process_has_threads_of_its_own)
{
    TmlPool *pool = tml_pool_create(3);
    CHECK(t, each_once(pool, 0, MOST));
    const pid_t child = fork();
    if (child == 0) {
        const bool good = each_once(pool, 0, MOST);
        tml_pool_free(pool);
        _exit(good ? 0 : 1);
    }
    int status = -1;
    CHECK(t, waitpid(child, &status, 0) == child);
    CHECK(t, WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(t, each_once(pool, 0, MOST));
    tml_pool_free(pool);
}

TEST(the_environment_is_asked_where_nothing_is_said)
{
    const char *before = getenv("OMP_NUM_THREADS");
    char *kept = before != NULL ? strdup(before) : NULL;
    setenv("OMP_NUM_THREADS", "3", 1);
    CHECK_INT(t, tml_pool_asked(0), 3);
    CHECK_INT(t, tml_pool_asked(2), 2);
    setenv("OMP_NUM_THREADS", "many", 1);
    CHECK_INT(t, tml_pool_asked(0), 1);
    setenv("OMP_NUM_THREADS", "100000", 1);
    CHECK_INT(t, tml_pool_asked(0), TML_POOL_MOST);
    unsetenv("OMP_NUM_THREADS");
    CHECK_INT(t, tml_pool_asked(0), 1);
    if (kept != NULL) {
        setenv("OMP_NUM_THREADS", kept, 1);
    }
    free(kept);
}

TEST_SUITE(base_pool) = {CASE(every_iteration_is_done_once),
                         CASE(a_forked_process_has_threads_of_its_own),
                         CASE(the_environment_is_asked_where_nothing_is_said),
                         {0}};
