/* tests/base/test_real.c - numbers with a point, in programs with any locale. */
#include "test.h"

#include "base/real.h"
#include "trammel/io.h"

#include <locale.h>

TEST(numbers_have_an_end)
{
    static const struct {
        const char *text;
        double value;
        int length;
    } rows[] = {{"1.5", 1.5, 3}, {"-2e3x", -2e3, 4}, {" .25,3", 0.25, 4},   {"7,5", 7.0, 1},
                {"x", 0.0, 0},   {"", 0.0, 0},       {"1e400", HUGE_VAL, 5}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        char *end = NULL;
        const double got = tml_real_read(rows[k].text, &end);
        CHECK(t, got == rows[k].value);
        CHECK_INT(t, (int)(end - rows[k].text), rows[k].length);
    }
    CHECK(t, tml_real_read("0.5", NULL) == 0.5);
}

/* A dataset of numbers with fractions can be read: the reader takes no commas. */
static void check_model(TestCtx *t)
{
    static const char dataset[] = "title\nPART/1, GROUND\nMARKER/1, PART=1, QP=1.5D0, 0.5, .25\n"
                                  "PART/2, MASS=0.5, CM=2, IP=0.1, 0.2, 0.25, REULER=45.5D, 0, 0\n"
                                  "MARKER/2, PART=2\nVARIABLE/1, FUNCTION=0.5*TIME+1.25\nEND\n";
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(dataset, "m.adm", 0, NULL, NULL, &m, &err), &err);
    tml_model_free(m);
}

TEST(a_locale_with_a_comma_changes_nothing)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool found = false;
    for (size_t k = 0; k < sizeof names / sizeof *names && !found; ++k) {
        found = setlocale(LC_ALL, names[k]) != NULL;
    }
    if (!found) {
        test_skip(t, "no locale with a decimal comma is installed");
        return;
    }
    CHECK(t, tml_real_read("1.5", NULL) == 1.5);
    check_model(t);
    setlocale(LC_ALL, "C");
}

TEST_SUITE(real) = {CASE(numbers_have_an_end), CASE(a_locale_with_a_comma_changes_nothing), {0}};
