/* tests/main.c - runs the suites named on the command line, or all.
 *
 *   trammel-tests [SUITE...]        trammel-tests --list
 */
#include "test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define TML_SUITE(name) extern const TestCase suite_##name[];
#include "suites.def"
#undef TML_SUITE

typedef struct Suite {
    const char *name;
    const TestCase *cases;
} Suite;

#define TML_SUITE(name) {#name, suite_##name},
static const Suite suites[] = {
#include "suites.def"
    {NULL, NULL}};
#undef TML_SUITE

static void run_case(void **state)
{
    const TestCase *test = *state;
    TestCtx t = {.test = test->name, .seed = 20050706};
    test->run(&t);
    if (t.failures > 0) {
        fail_msg("%d of %d checks failed", t.failures, t.checks);
    }
}

static int run_suite(const Suite *suite)
{
    enum { MAX_CASES = 128 };
    static struct CMUnitTest tests[MAX_CASES];
    size_t n = 0;
    for (const TestCase *c = suite->cases; c->name != NULL && n < MAX_CASES; ++c) {
        tests[n++] = (struct CMUnitTest){c->name, run_case, NULL, NULL, (void *)(uintptr_t)c};
    }
    return _cmocka_run_group_tests(suite->name, tests, n, NULL, NULL);
}

static bool wanted(int argc, char **argv, const char *name)
{
    for (int k = 1; k < argc; ++k) {
        if (strcmp(argv[k], name) == 0) {
            return true;
        }
    }
    return argc < 2;
}

int main(int argc, char **argv)
{
    int failed = 0, ran = 0;
    const bool list = argc == 2 && strcmp(argv[1], "--list") == 0;
    for (const Suite *s = suites; s->name != NULL; ++s) {
        if (list) {
            printf("%s\n", s->name);
        } else if (wanted(argc, argv, s->name)) {
            failed += run_suite(s);
            ran++;
        }
    }
    if (!list && ran == 0) {
        fprintf(stderr, "no such suite; see --list\n");
        return 2;
    }
    return failed != 0 ? 1 : 0;
}
