/* tests/adams/test_adams_large.c - the time to read a dataset grows as the dataset does.
 *
 * Eight times the statements in eight times the time would be linear; what looks at all statements
 * for each of them takes 64 times as long. 24 lies between, with room for caches that no longer
 * hold everything. Processor time, the best of a few: what else runs on the machine counts little.
 */
#include "test.h"

#include "trammel/io.h"

#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

enum { SMALL = 120, LARGE = 8 * SMALL, LINE = 400 };

typedef struct Text {
    char *at;
    size_t n, cap;
} Text;

static void add(Text *text, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(text->at + text->n, text->cap - text->n, fmt, args);
    va_end(args);
    text->n += n > 0 ? (size_t)n : 0;
}

/* A chain whose joints are written from its end to ground, so that parts are reached backwards;
 * every part has markers of its own and one of ground, a force and columns of it. */
static char *make_dataset(int n)
{
    Text text = {.cap = (size_t)(n + 2) * 2 * LINE};
    text.at = calloc(text.cap, 1);
    if (text.at == NULL) {
        return NULL;
    }
    add(&text, "chain\nPART/1, GROUND\n");
    for (int k = 2; k < n + 2; ++k) {
        add(&text, "MARKER/%d, QP=%d,0,0\nMARKER/%d, FLOATING\n", 10 * k, k, 10 * k + 9);
    }
    for (int k = 2; k < n + 2; ++k) {
        add(&text, "PART/%d, MASS=1, CM=%d, IP=1,1,1, QG=%d,0,0%s\n", k, 10 * k + 1, k,
            k < n ? ", VX=0" : "");
        add(&text, "MARKER/%d, QP=0.5,0,0\nMARKER/%d\nMARKER/%d, QP=1,0,0\n", 10 * k + 1,
            10 * k + 2, 10 * k + 3);
        add(&text, "VARIABLE/%d, FUNCTION=TIME\nPOUTPUT/%d, VARIABLES=%d\n", k, k, k);
    }
    for (int k = n + 1; k > 1; --k) {
        add(&text, "JOINT/%d, REVOLUTE, I=%d, J=%d%s\n", k, 10 * k + 2,
            k > 2 ? 10 * (k - 1) + 3 : 10 * k, k == 2 ? ", IC=0, 0.1" : "");
    }
    for (int k = 2; k < n + 2; ++k) {
        add(&text, "VFORCE/%d, I=%d, JFLOAT=%d, RM=%d, FX=DX(%d)\n", k, 10 * k + 3, 10 * k + 9,
            10 * k + 1, 10 * k + 3);
        add(&text, "REQUEST/%d, F, I=%d, J=%d\nREQUEST/%d, F2=FX(%d)\n", 2 * k, 10 * k + 2,
            k > 2 ? 10 * (k - 1) + 3 : 10 * k, 2 * k + 1, 10 * k + 3);
    }
    add(&text, "MREQUEST/1, D, PARTS=2");
    for (int k = 3; k < n + 2; ++k) {
        add(&text, ":%d", k);
    }
    add(&text, "\nEND\n");
    return text.at;
}

/* Seconds of the processor, the least of three; joints: how many the model has. */
static double reading_time(TestCtx *t, int n, int *joints)
{
    char *text = make_dataset(n);
    double least = HUGE_VAL;
    CHECK(t, text != NULL);
    for (int k = 0; k < 3 && text != NULL; ++k) {
        TmlModel *m = NULL;
        TmlError err = {0};
        const clock_t before = clock();
        CHECK_OK(t, tml_load_text(text, "m.adm", 0, NULL, NULL, &m, &err), &err);
        least = fmin(least, (double)(clock() - before) / CLOCKS_PER_SEC);
        *joints = m != NULL ? tml_model_joint_count(m) : 0;
        tml_model_free(m);
    }
    free(text);
    return least;
}

TEST(reading_is_linear)
{
    int few = 0, many = 0;
    const double small = reading_time(t, SMALL, &few), large = reading_time(t, LARGE, &many);
    CHECK_INT(t, many, 8 * few);
    t->checks++;
    if (!(large <= 24.0 * small)) {
        test_fail(t, __FILE__, __LINE__, "%d parts in %.3f s, %d parts in %.3f s", (int)SMALL,
                  small, (int)LARGE, large);
    }
}

TEST_SUITE(adams_large) = {CASE(reading_is_linear), {0}};
