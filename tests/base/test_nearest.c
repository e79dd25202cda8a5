/* tests/base/test_nearest.c - suggestions for misspelt words. */
#include "base/nearest.h"
#include "test.h"

TEST(nearest_spelling)
{
    static const char *const words[] = {"stiffness", "damping", "free_angle", "k2", "k", ""};
    static const int n = sizeof words / sizeof words[0];
    CHECK_STR(t, tml_nearest("stifness", words, n), "stiffness");
    CHECK_STR(t, tml_nearest("dampnig", words, n), "damping");     // neighbours swapped
    CHECK_STR(t, tml_nearest("tsiffnses", words, n), "stiffness"); // at the start, and once more
    CHECK_STR(t, tml_nearest("ampingd", words, n), "damping");     // first and last letter
    CHECK_STR(t, tml_nearest("Free_Angle", words, n), "free_angle");
    CHECK_STR(t, tml_nearest("k3", words, n), "k2");
    CHECK_STR(t, tml_nearest("K", words, n), "k");
    CHECK(t, tml_nearest("x", words, n) == NULL); // one letter changed is another name
    CHECK(t, tml_nearest("mass", words, n) == NULL);
    CHECK(t, tml_nearest("", words, n) == NULL);
    CHECK(t, tml_nearest("stiffness", NULL, 0) == NULL);
}

TEST(long_words)
{
    char word[400];
    memset(word, 'a', sizeof word);
    word[sizeof word - 1] = '\0';
    const char *const words[] = {word, "aa"};
    CHECK(t, tml_nearest(word, words, 2) == NULL);
    CHECK_STR(t, tml_nearest("aaa", words, 2), "aa");
}

TEST_SUITE(base_nearest) = {CASE(nearest_spelling), CASE(long_words), {0}};
