/* tests/test.h - checks on top of cmocka.
 *
 * A failed check prints file, line, expression, both values and the tolerance, and the test goes
 * on; the test fails at its end. CHECK_NEAR rejects NaN. A file of tests ends with
 *     TEST_SUITE(name) = {CASE(first), CASE(second), {0}};
 * and has one line TML_SUITE(name) in suites.def.
 */
#pragma once

#include <glob.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "trammel/types.h"

typedef struct TestCtx {
    const char *test; /* name of the running test */
    const char *name; /* what is being checked, shown with failures; may be NULL */
    int failures, checks;
    uint64_t seed; /* state of the random numbers */
} TestCtx;

typedef struct TestCase {
    const char *name;
    void (*run)(TestCtx *t);
} TestCase;

#define TEST(id) static void id(TestCtx *t)
// clang-format off
#define CASE(id) {#id, id}
// clang-format on
#define TEST_SUITE(id)                                                                             \
    extern const TestCase suite_##id[];                                                            \
    const TestCase suite_##id[]

void test_fail(TestCtx *t, const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Compares; with TRAMMEL_MEASURE in the environment it also prints a deviation that exceeds
 * *largest, so that a limit can be set, and explained, by what was measured. */
void test_near(TestCtx *t, const char *file, int line, const char *what, double got, double want,
               double tol, double *largest);
/* Skips the rest with one line of reason: the caller returns. */
void test_skip(TestCtx *t, const char *reason);

double test_random(TestCtx *t, double low, double high); /* fixed seed, uniform */
TmlVec3 test_vec3(TestCtx *t);                           /* components in [-1, 1] */
TmlQuat test_quat(TestCtx *t);                           /* unit */

/* Folder of the reference cases (TRAMMEL_CASES, else ../shared/cases), or NULL when absent. */
const char *test_cases_dir(void);
/* Files of that folder, to be freed by globfree. False: it is not there, and the test is skipped.
 */
bool test_cases_glob(TestCtx *t, const char *pattern, glob_t *found);
/* Folder of the source tree, for models/ and tests/data; files of it, to be freed by globfree. */
const char *test_source_dir(void);
const char *test_binary_dir(void); /* where the build is, for files that a test writes */
void test_source_glob(TestCtx *t, const char *pattern, glob_t *found);

#define CHECK(t, cond)                                                                             \
    do {                                                                                           \
        (t)->checks++;                                                                             \
        if (!(cond)) {                                                                             \
            test_fail((t), __FILE__, __LINE__, "%s", #cond);                                       \
        }                                                                                          \
    } while (0)

#define CHECK_NEAR(t, got, want, tol)                                                              \
    do {                                                                                           \
        static double check_largest = -1; /* deviation seen here so far, for TRAMMEL_MEASURE */    \
        test_near((t), __FILE__, __LINE__, #got, (got), (want), (tol), &check_largest);            \
    } while (0)

#define CHECK_INT(t, got, want)                                                                    \
    do {                                                                                           \
        const long long check_a = (long long)(got), check_b = (long long)(want);                   \
        (t)->checks++;                                                                             \
        if (check_a != check_b) {                                                                  \
            test_fail((t), __FILE__, __LINE__, "%s = %lld, expected %lld", #got, check_a,          \
                      check_b);                                                                    \
        }                                                                                          \
    } while (0)

#define CHECK_STR(t, got, want)                                                                    \
    do {                                                                                           \
        const char *check_a = (got), *check_b = (want);                                            \
        (t)->checks++;                                                                             \
        if (check_a == NULL || strcmp(check_a, check_b) != 0) {                                    \
            test_fail((t), __FILE__, __LINE__, "%s is\n%s\nexpected\n%s", #got,                    \
                      check_a != NULL ? check_a : "(null)", check_b);                              \
        }                                                                                          \
    } while (0)

/* The text must contain the part. */
#define CHECK_HAS(t, text, part)                                                                   \
    do {                                                                                           \
        const char *check_a = (text), *check_b = (part);                                           \
        (t)->checks++;                                                                             \
        if (check_a == NULL || strstr(check_a, check_b) == NULL) {                                 \
            test_fail((t), __FILE__, __LINE__, "%s is\n%s\nwhich lacks\n%s", #text,                \
                      check_a != NULL ? check_a : "(null)", check_b);                              \
        }                                                                                          \
    } while (0)

#define CHECK_OK(t, call, err)                                                                     \
    do {                                                                                           \
        (t)->checks++;                                                                             \
        if ((call) != TML_OK) {                                                                    \
            test_fail((t), __FILE__, __LINE__, "%s failed: %s", #call, (err)->message);            \
        }                                                                                          \
    } while (0)
