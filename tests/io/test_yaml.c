/* tests/io/test_yaml.c - trees of values and their places. */
#include "test.h"

#include "io/load/yaml.h"

static TmlValue *parse(TestCtx *t, TmlArena *arena, const char *text, size_t length, TmlError *err)
{
    TmlReport report = {.arena = arena};
    TmlValue *v = NULL;
    CHECK_INT(t, tml_yaml_parse(text, length, "f", arena, &report, &v, err), TML_OK);
    err->message[0] = '\0';
    CHECK_INT(t, tml_report_status(&report, err) == TML_OK, v != NULL);
    return v;
}

static void check_place(TestCtx *t, const TmlValue *v, int line, int column)
{
    CHECK(t, v != NULL);
    if (v != NULL) {
        CHECK_INT(t, v->line, line);
        CHECK_INT(t, v->column, column);
    }
}

TEST(places_are_kept)
{
    static const char text[] = "a: 1\n"
                               "b:\n"
                               "  - x\n"
                               "  - {c: 'd', e: , f: ~}\n"
                               "\"q\": \"r\"\n"
                               "for i in [a, b]:\n"
                               "  k: [1, [2, 3]]\n"
                               "t: |\n"
                               "  two\n"
                               "  lines\n";
    TmlArena arena = {0};
    TmlError err;
    const TmlValue *v = parse(t, &arena, text, sizeof text - 1, &err);
    check_place(t, tml_value_find(v, "a"), 1, 4);
    const TmlValue *b = tml_value_find(v, "b");
    check_place(t, b, 3, 3);
    CHECK_INT(t, b->kind, TML_VALUE_LIST);
    check_place(t, b->item[1], 4, 5);
    check_place(t, tml_value_find(b->item[1], "c"), 4, 9);
    CHECK(t, tml_value_find(b->item[1], "c")->quoted);
    check_place(t, tml_value_find(b->item[1], "e"), 4, 14);
    CHECK_INT(t, tml_value_find(b->item[1], "e")->kind, TML_VALUE_NULL);
    CHECK_INT(t, tml_value_find(b->item[1], "f")->kind, TML_VALUE_NULL);
    check_place(t, v->key[2], 5, 1);
    check_place(t, tml_value_find(v, "q"), 5, 6);
    const TmlValue *k = tml_value_find(tml_value_find(v, "for i in [a, b]"), "k");
    CHECK(t, k != NULL && k->n == 2);
    check_place(t, k->item[1]->item[1], 7, 14);
    CHECK_STR(t, tml_value_find(v, "t")->text, "two\nlines\n");
    CHECK(t, tml_value_find(v, "absent") == NULL && tml_value_find(NULL, "a") == NULL);
    tml_arena_free(&arena);
}

TEST(json_is_yaml)
{
    static const char text[] = "{\"a\": [1, 2.5e-3, true, null],\n \"b\": {\"c\": \"\\u00e4\"}}";
    TmlArena arena = {0};
    TmlError err;
    const TmlValue *v = parse(t, &arena, text, sizeof text - 1, &err);
    CHECK_INT(t, tml_value_find(v, "a")->n, 4);
    CHECK_STR(t, tml_value_find(v, "a")->item[1]->text, "2.5e-3");
    CHECK_STR(t, tml_value_find(tml_value_find(v, "b"), "c")->text, "\xc3\xa4");
    tml_arena_free(&arena);
}

TEST(aliases_share_a_tree)
{
    static const char text[] = "a: &x {p: 1}\nb: *x\nc: &x 3\nd: [*x, *x]\n";
    TmlArena arena = {0};
    TmlError err;
    const TmlValue *v = parse(t, &arena, text, sizeof text - 1, &err);
    CHECK(t, v != NULL && v->n == 4);
    CHECK(t, tml_value_find(v, "a") == tml_value_find(v, "b"));
    CHECK_STR(t, tml_value_find(v, "d")->item[1]->text, "3");
    tml_arena_free(&arena);
}

TEST(empty_texts_are_empty_maps)
{
    static const char *const texts[] = {"", "\n\n", "# nothing\n", "---\n", "\xef\xbb\xbf", "~"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
        TmlArena arena = {0};
        TmlError err;
        t->name = texts[k];
        const TmlValue *v = parse(t, &arena, texts[k], strlen(texts[k]), &err);
        CHECK(t, v != NULL && v->kind == TML_VALUE_MAP && v->n == 0);
        tml_arena_free(&arena);
    }
}

TEST(bad_characters)
{
    static const struct {
        const char *text;
        size_t length;
        const char *message;
    } cases[] = {
        {"a: 1\nb\0: 2", 10, "f:2:2: a NUL character; this is not a text file"},
        {"a: \xff", 4, "f:1:4: a byte that is not UTF-8"},
        {"a: \xc3", 4, "f:1:4: a byte that is not UTF-8"},
        {"a: \xc0\x80", 5, "f:1:4: a byte that is not UTF-8"},
        {"a: \xed\xa0\x80", 6, "f:1:4: a byte that is not UTF-8"},
        {"\xc3\xa4: \x01", 5, "f:1:4: a control character; this is not a text file"},
        {"a: \"x\\0y\"", 9, "f:1:5: a text holds a NUL character"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        TmlArena arena = {0};
        TmlError err;
        CHECK(t, parse(t, &arena, cases[k].text, cases[k].length, &err) == NULL);
        CHECK_STR(t, err.message, cases[k].message);
        tml_arena_free(&arena);
    }
}

TEST(many_keys_and_duplicates)
{
    enum { COUNT = 2000 };
    static char text[32 * COUNT];
    size_t fill = 0;
    for (int k = 0; k < COUNT; ++k) {
        fill += (size_t)snprintf(text + fill, sizeof text - fill, "k%d: %d\n", k, k);
    }
    TmlArena arena = {0};
    TmlError err;
    const TmlValue *v = parse(t, &arena, text, fill, &err);
    CHECK(t, v != NULL && v->n == COUNT);
    snprintf(text + fill, sizeof text - fill, "k7: 1\n");
    CHECK(t, parse(t, &arena, text, strlen(text), &err) == NULL);
    CHECK_STR(t, err.message, "f:2001:1: duplicate key 'k7' (first on line 8)");
    tml_arena_free(&arena);
}

TEST(trees_made_by_programs)
{
    TmlArena arena = {0};
    TmlValue *map = tml_value_map(&arena);
    for (int k = 0; k < 20; ++k) {
        char key[16];
        snprintf(key, sizeof key, "k%d", k);
        CHECK(t, tml_value_set(&arena, map, key, tml_value_real(&arena, 0.1 * k)));
    }
    CHECK_INT(t, map->n, 20);
    CHECK_STR(t, tml_value_find(map, "k1")->text, "0.1");
    CHECK_STR(t, tml_value_find(map, "k3")->text, "0.30000000000000004");
    CHECK(t, !tml_value_set(&arena, map, "x", NULL));
    TmlValue *items[] = {map, tml_value_scalar(&arena, "word")};
    CHECK_INT(t, tml_value_list(&arena, 2, items)->n, 2);
    tml_arena_free(&arena);
}

TEST(reports_are_sorted_and_bounded)
{
    TmlArena arena = {0};
    TmlReport report = {.arena = &arena};
    TmlError err = {0};
    CHECK_INT(t, tml_report_status(&report, &err), TML_OK);
    const TmlValue second = {.file = "f", .line = 2, .column = 1};
    const TmlValue first = {.file = "f", .line = 1, .column = 9};
    tml_report_add(&report, &second, "two");
    tml_report_add(&report, &first, "one");
    tml_report_add(&report, NULL, "nowhere");
    CHECK_INT(t, tml_report_status(&report, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, "nowhere\nf:1:9: one\nf:2:1: two");
    static char wide[TML_ERROR_MAX];
    memset(wide, 'x', sizeof wide - 1);
    for (int k = 0; k < 100; ++k) {
        tml_report_add(&report, &second, "%.500s", wide);
    }
    CHECK_INT(t, tml_report_status(&report, &err), TML_E_MODEL);
    // whole lines of 507 characters behind the first three
    CHECK_HAS(t, err.message, "x\n(and 68 more errors)");
    TmlReport one = {.arena = &arena};
    tml_report_add(&one, &first, "%s", wide);
    CHECK_INT(t, tml_report_status(&one, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "f:1:9: xxx");
    tml_arena_free(&arena);
}

TEST_SUITE(io_yaml) = {CASE(places_are_kept),
                       CASE(json_is_yaml),
                       CASE(aliases_share_a_tree),
                       CASE(empty_texts_are_empty_maps),
                       CASE(bad_characters),
                       CASE(many_keys_and_duplicates),
                       CASE(trees_made_by_programs),
                       CASE(reports_are_sorted_and_bounded),
                       {0}};
