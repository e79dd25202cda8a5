/* tests/io/test_help.c - help, schema and reference agree with the tables. */
#include "test.h"

#include "io/help/example.h"
#include "model/contact/contacts.h"
#include "model/registry.h"
#include "trammel/io.h"

#include <stdlib.h>

static char *help(TestCtx *t, const char *topic)
{
    char *text = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_help(topic, &text, &err), &err);
    return text;
}

TEST(every_type_is_explained)
{
    char *list = help(t, NULL);
    for (int k = 0; tml_constraint_types[k] != NULL; ++k) {
        const TmlTypeInfo *info = &tml_constraint_types[k]->info;
        t->name = info->name;
        char *text = help(t, info->name);
        CHECK_HAS(t, list, info->name);
        CHECK_HAS(t, text, "(joint)");
        for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
            CHECK_HAS(t, text, p->name);
        }
        tml_text_free(text);
    }
    for (int k = 0; tml_force_types[k] != NULL; ++k) {
        t->name = tml_force_types[k]->info.name;
        char *text = help(t, t->name);
        CHECK_HAS(t, list, t->name);
        CHECK_HAS(t, text, "(force)");
        tml_text_free(text);
    }
    tml_text_free(list);
}

TEST(topics_of_all_kinds)
{
    static const struct {
        const char *topic, *part;
    } cases[] = {
        {"bodies", "inertia_about"}, {"for", "for i in 1..N"}, {"rotation", "euler_parameters"},
        {"shape", "capsule"},        {"expressions", "deg"},   {"units", "rpm"},
        {"DX", "(function)"},        {"STEP", "h1"},           {"distance", "(function)"},
        {"simulate", "output_step"}, {"hht", "(integrator)"},  {"rigid", "(body)"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        t->name = cases[k].topic;
        char *text = help(t, cases[k].topic);
        CHECK_HAS(t, text, cases[k].part);
        tml_text_free(text);
    }
    TmlError err = {0};
    char *text = NULL;
    CHECK_INT(t, tml_help("revolut", &text, &err), TML_E_ARGUMENT);
    CHECK_STR(t, err.message, "no help on 'revolut'; did you mean 'revolute'?");
    CHECK(t, text == NULL);
}

static void check_example(TestCtx *t, const TmlTypeInfo *info, TmlEndsKind ends, bool joint)
{
    static const char base[] =
        "trammel: 1\n"
        "bodies:\n"
        "  rod: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
        "  bar: {mass: 1, inertia: [1, 1, 1], position: [0, 1, 0]}\n"
        "flexible:\n"
        "  rope: {type: cable, line: [[0, 0, 0], [2, 0, 0]], elements: 2,\n"
        "         material: {E: 1e7, density: 1000}, "
        "section: {radius: 0.01}}\n"
        "splines: {table: {type: linear, x: [0, 1], y: [0, 1]}}\n"
        "profiles: {S1002: {points: [[-0.06, -0.003], [0.06, 0.003]]},\n"
        "           head: {points: [[-0.03, -0.002], [0, 0], [0.03, -0.002]]}}\n"
        "tracks: {line: {rail: head, rail_base: 1.5}}\n";
    static const char others[] =
        "  pin: {type: revolute, bodies: [ground, rod], at: [0, 0, 0]}\n"
        "  pin2: {type: revolute, bodies: [ground, bar], at: [0, 0, 0]}\n"
        "  slide: {type: translational, bodies: [rod, bar], at: [0, 0, 0], axis: x}\n"
        "  on_rail: {type: rail_contact, bodies: [ground, bar], at: [0, 0.75, 0.46], axis: y,\n"
        "            track: line, side: left, profile: S1002, radius: 0.46}\n";
    char example[TML_EXAMPLE_MAX], text[8192];
    TmlModel *m = NULL;
    TmlError err = {0};
    t->name = info->name;
    tml_example_element(info, ends, joint ? "joints" : "forces", example, sizeof example);
    snprintf(text, sizeof text, "%s%s%s%s", base, example, joint ? "" : "joints:\n", others);
    CHECK_OK(t, tml_load_text(text, "example", 0, NULL, NULL, &m, &err), &err);
    tml_model_free(m);
}

/* Also that the numbers make a shape: sizes of zero, say, are refused. */
static void check_shape(TestCtx *t, const TmlTypeInfo *info)
{
    char example[TML_EXAMPLE_MAX], text[4096];
    TmlModel *m = NULL;
    TmlError err = {0};
    t->name = info->name;
    tml_example_shape(info, example, sizeof example);
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "ground:\n"
             "  %s"
             "bodies:\n"
             "  ball: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 9],\n"
             "         shape: {sphere: {radius: 0.01}}}\n"
             "contacts: {c: {between: all, law: linear, stiffness: 1e6, foundation: 1e9}}\n",
             example);
    CHECK_OK(t, tml_load_text(text, "example", 0, NULL, NULL, &m, &err), &err);
    tml_model_free(m);
}

TEST(examples_can_be_read)
{
    for (int k = 0; tml_shape_types[k] != NULL; ++k) {
        const char *said = tml_shape_types[k]->info.example;
        if (said == NULL || strstr(said, ".stl") == NULL) { // a file of the user
            check_shape(t, &tml_shape_types[k]->info);
        }
    }
    for (int k = 0; tml_constraint_types[k] != NULL; ++k) {
        check_example(t, &tml_constraint_types[k]->info, tml_constraint_types[k]->ends, true);
    }
    for (int k = 0; tml_force_types[k] != NULL; ++k) {
        const char *said = tml_force_types[k]->info.example;
        const bool part =
            tml_force_types[k]->ends == TML_ENDS_MODAL; // pressed_bracket.yaml has one
        if (!part && (said == NULL || strstr(said, ".tir") == NULL)) { // a file of the user
            check_example(t, &tml_force_types[k]->info, tml_force_types[k]->ends, false);
        }
    }
}

/* The page in docs/ must be what the program writes now. */
static void check_page(TestCtx *t, const char *name, const char *command, const char *now)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/docs/reference/%s", test_source_dir(), name);
    FILE *file = fopen(path, "rb");
    const size_t n = now != NULL ? strlen(now) : 0;
    char *kept = calloc(n + 2, 1);
    const size_t got = file != NULL && kept != NULL ? fread(kept, 1, n + 1, file) : 0;
    t->name = name;
    if (now == NULL || got != n || memcmp(kept, now, n) != 0) {
        test_fail(t, __FILE__, __LINE__, "out of date; write it with: %s > docs/reference/%s",
                  command, name);
    }
    if (file != NULL) {
        fclose(file);
    }
    free(kept);
}

TEST(pages_are_up_to_date)
{
    char *reference = help(t, "reference"), *schema = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_schema(&schema, &err), &err);
    CHECK_HAS(t, schema, "draft/2020-12");
    check_page(t, "elements.md", "trammel help reference", reference);
    check_page(t, "model.schema.json", "trammel schema", schema);
    tml_text_free(reference);
    tml_text_free(schema);
    CHECK_OK(t, tml_schema_part(&schema, &err), &err);
    check_page(t, "part.schema.json", "trammel schema part", schema);
    tml_text_free(schema);
}

TEST_SUITE(io_help) = {CASE(every_type_is_explained),
                       CASE(topics_of_all_kinds),
                       CASE(examples_can_be_read),
                       CASE(pages_are_up_to_date),
                       {0}};
