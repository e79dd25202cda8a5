/* tests/test_util.c - failures, random numbers, folders. */
#include "test.h"

#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>

void test_fail(TestCtx *t, const char *file, int line, const char *fmt, ...)
{
    enum { SHOWN = 20 };
    t->failures++;
    if (t->failures > SHOWN) {
        return;
    }
    va_list args;
    va_start(args, fmt);
    printf("%s:%d: %s%s%s: ", file, line, t->test, t->name != NULL ? " / " : "",
           t->name != NULL ? t->name : "");
    vprintf(fmt, args);
    printf(t->failures == SHOWN ? "\n(further failures of this test not shown)\n" : "\n");
    va_end(args);
}

void test_near(TestCtx *t, const char *file, int line, const char *what, double got, double want,
               double tol, double *largest)
{
    const double off = fabs(got - want);
    t->checks++;
    if (off > *largest && getenv("TRAMMEL_MEASURE") != NULL) {
        *largest = off;
        printf("measured %s:%d: off %.2g of %.2g, value %.3g\n", file, line, off, tol, want);
    }
    if (!(off <= tol)) {
        test_fail(t, file, line, "%s = %.17g, expected %.17g within %.3g (off %.3g)", what, got,
                  want, tol, off);
    }
}

void test_skip(TestCtx *t, const char *reason)
{
    printf("%s: skipped: %s\n", t->test, reason);
}

/* splitmix64 */
double test_random(TestCtx *t, double low, double high)
{
    t->seed += 0x9e3779b97f4a7c15u;
    uint64_t z = t->seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) * 0x1.0p-53);
}

TmlVec3 test_vec3(TestCtx *t)
{
    const double x = test_random(t, -1, 1), y = test_random(t, -1, 1), z = test_random(t, -1, 1);
    return (TmlVec3){x, y, z};
}

TmlQuat test_quat(TestCtx *t)
{
    for (;;) {
        TmlQuat p = {test_random(t, -1, 1), test_random(t, -1, 1), test_random(t, -1, 1),
                     test_random(t, -1, 1)};
        const double n = sqrt(p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
        if (n > 0.1 && n < 1.0) {
            return (TmlQuat){p.w / n, p.x / n, p.y / n, p.z / n};
        }
    }
}

const char *test_source_dir(void)
{
    const char *dir = getenv("TRAMMEL_SOURCE");
    return dir != NULL ? dir : TRAMMEL_SOURCE_DIR;
}

const char *test_binary_dir(void)
{
    return TRAMMEL_BINARY_DIR;
}

const char *test_cases_dir(void)
{
    static char path[4096];
    struct stat st;
    const char *env = getenv("TRAMMEL_CASES");
    if (env != NULL) {
        snprintf(path, sizeof path, "%s", env);
    } else {
        snprintf(path, sizeof path, "%s/../shared/cases", test_source_dir());
    }
    return stat(path, &st) == 0 ? path : NULL;
}

static void glob_below(TestCtx *t, const char *dir, const char *pattern, glob_t *found)
{
    char path[5120];
    snprintf(path, sizeof path, "%s/%s", dir, pattern);
    CHECK_INT(t, glob(path, 0, NULL, found), 0);
}

bool test_cases_glob(TestCtx *t, const char *pattern, glob_t *found)
{
    const char *dir = test_cases_dir();
    if (dir == NULL) {
        test_skip(t, "the reference data are not there");
        return false;
    }
    glob_below(t, dir, pattern, found);
    return true;
}

void test_source_glob(TestCtx *t, const char *pattern, glob_t *found)
{
    glob_below(t, test_source_dir(), pattern, found);
}
