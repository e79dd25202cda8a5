/* tests/base/test_names.c - the table of names. */
#include "test.h"

#include "base/names.h"

TEST(finds_what_was_added)
{
    enum { COUNT = 5000 };
    static char key[COUNT][24];
    TmlNames names = {0};
    CHECK_INT(t, tml_names_find(&names, "a"), -1);
    for (int k = 0; k < COUNT; ++k) {
        snprintf(key[k], sizeof key[k], "link%d", k);
        CHECK(t, tml_names_add(&names, key[k], k));
    }
    for (int k = 0; k < COUNT; ++k) {
        char again[24];
        snprintf(again, sizeof again, "link%d", k);
        CHECK_INT(t, tml_names_find(&names, again), k);
    }
    CHECK_INT(t, tml_names_find(&names, "link5000"), -1);
    CHECK_INT(t, tml_names_find(&names, ""), -1);
    CHECK_INT(t, names.n, COUNT);
    tml_names_free(&names);
    CHECK_INT(t, names.n, 0);
}

TEST(keeps_the_first_value)
{
    TmlNames names = {0};
    CHECK(t, tml_names_add(&names, "a", 1));
    CHECK(t, tml_names_add(&names, "a", 2));
    CHECK_INT(t, tml_names_find(&names, "a"), 1);
    CHECK_INT(t, names.n, 1);
    tml_names_free(&names);
}

TEST_SUITE(base_names) = {CASE(finds_what_was_added), CASE(keeps_the_first_value), {0}};
