/* tests/model/test_warnings.c - what the reader warns of, and what strict makes of it. */
#include "test.h"

#include "model/model.h"
#include "trammel/io.h"

typedef struct Row {
    const char *text, *want; /* NULL: no warning */
} Row;

static const char head[] = "trammel: 1\n"
                           "parameters: {L: 2 m, M: 3 kg}\n"
                           "gravity: -z\n";

static const Row rows[] = {
    // negative damping
    {"bodies: {b: {type: point, mass: 1}}\n"
     "forces: {s: {type: spring, bodies: [ground, b], points: [[1, 0, 0], [0, 0, 0]],\n"
     "             damping: -3}}\n",
     "force 's': damping is negative, -3 N s/m: it feeds energy in"},
    {"bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
     "forces: {s: {type: bushing, frames: [ground, b], stiffness: [1, 1, 1, 1, 1, 1],\n"
     "             damping: [1, 1, 1, 0, -2, 0]}}\n",
     "force 's': damping: entry 5 of the diagonal is negative, -2: it feeds energy in"},
    // forces that the joint takes
    {"bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
     "joints: {j: {type: translational, frames: [ground, b]}}\n"
     "forces: {s: {type: rotational_spring, joint: j, stiffness: 3}}\n",
     "force 's': has no effect: joint 'j' (translational) does not turn"},
    {"bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
     "joints: {j: {type: revolute, frames: [ground, b]}}\n"
     "forces: {s: {type: rotational_spring, joint: j, stiffness: 3}}\n",
     NULL},
    // no weight
    {"bodies: {b: {mass: 0, inertia: [1, 1, 1]}}\n",
     "body 'b': has inertia but no mass: gravity does not act on it"},
    {"bodies: {b: {mass: 0, inertia: [0, 0, 0]}}\n", NULL},
    {"gravity: [0, 0, 0]\nbodies: {b: {mass: 0, inertia: [1, 1, 1]}}\n", NULL},
    // dimensions that are likely: halves of lengths, quarters of areas
    {"bodies: {b: {type: point, mass: 1, position: [M/2, 0, 0]}}\n",
     "body 'b': position: expected m, got a mass (kg) as its units say"},
    {"bodies: {b: {type: point, mass: 1, position: [L/2, 3*L, 0.5*L]}}\n", NULL},
    {"bodies: {b: {type: point, mass: 7850*L^3, position: [0.2*M, 0, 0]}}\n", NULL},
    // inertias: rounded ones pass, with the amount; 0.8938 - 0.8 is 10.5 % of 0.8938
    {"bodies: {b: {mass: 1, inertia: [0.4, 0.4, 0.8938]}}\n",
     "exceeds the sum of the others by 10.5 % of itself"},
    {"bodies: {b: {mass: 1, inertia: [0.4, 0.4, 0.99]}}\n",
     "exceeds the sum of the others by 19.2 % of itself"},
    {"bodies: {b: {mass: 1, inertia: [0.4, 0.4, 0.8]}}\n", NULL},
    {"bodies: {b: {mass: 1, inertia: [0.4, 0.4, 0.9], solid: false}}\n", NULL},
};

/* The text with the gravity of the row, or ours. */
static void write_text(const Row *row, char *text, size_t size)
{
    const bool own = strncmp(row->text, "gravity", 7) == 0;
    snprintf(text, size, "%.*s%s", own ? (int)(strstr(head, "gravity") - head) : (int)strlen(head),
             head, row->text);
}

static void write_file(TestCtx *t, const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK(t, file != NULL && fputs(text, file) >= 0);
    if (file != NULL) {
        fclose(file);
    }
}

TEST(warnings_name_what_they_are_about)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        char text[1024];
        TmlModel *m = NULL;
        TmlError err = {0};
        write_text(&rows[k], text, sizeof text);
        t->name = rows[k].text;
        CHECK_OK(t, tml_load_text(text, "test", 0, NULL, NULL, &m, &err), &err);
        if (m != NULL && rows[k].want != NULL) {
            CHECK(t, tml_model_warning(m, 0) != NULL);
            CHECK_HAS(t, tml_model_warning(m, 0) != NULL ? tml_model_warning(m, 0) : "",
                      rows[k].want);
            CHECK(t, tml_model_warning(m, 1) == NULL);
        } else if (m != NULL) {
            CHECK(t, tml_model_warning(m, 0) == NULL);
        }
        tml_model_free(m);
    }
}

TEST(strict_makes_them_errors)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        char text[1024];
        TmlModel *m = NULL;
        TmlError err = {0};
        TmlLoadOptions o = tml_load_options_default();
        write_text(&rows[k], text, sizeof text);
        write_file(t, "test_warnings.yaml", text);
        o.strict = true;
        t->name = rows[k].text;
        const TmlStatus status = tml_load_with("test_warnings.yaml", &o, &m, &err);
        CHECK_INT(t, status, rows[k].want != NULL ? TML_E_MODEL : TML_OK);
        if (rows[k].want != NULL) {
            CHECK_HAS(t, err.message, rows[k].want);
        }
        tml_model_free(m);
    }
    remove("test_warnings.yaml");
}

/* The bound: an excess of 19.2 % is a warning above, one of 21.6 % an error. */
TEST(inertia_beyond_the_bound_is_an_error)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_INT(t,
              tml_load_text("trammel: 1\nbodies: {b: {mass: 1, inertia: [0.4, 0.4, 1.02]}}\n",
                            "test", 0, NULL, NULL, &m, &err),
              TML_E_MODEL);
    CHECK_HAS(t, err.message, "by 21.6 % of itself; solid: false takes any");
    tml_model_free(m);
}

/* The same by the calls that build a model piece by piece. */
TEST(strict_models_of_pieces)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    tml_model_strict(m, true);
    CHECK_INT(t, tml_model_add(m, "bodies: {b: {mass: 1, inertia: [0.4, 0.4, 0.85]}}", &err),
              TML_E_MODEL);
    tml_model_free(m);
}

/* --- values from outside ---------------------------------------------------------------------- */

/* Values as texts: units, expressions of other parameters, in any order; circles are found. */
TEST(parameters_are_set_by_texts)
{
    static const char text[] = "trammel: 1\n"
                               "parameters: {k: 1, c: 2*k, d: 5}\n"
                               "bodies: {b: {type: point, mass: k, position: [c, d, 0]}}\n";
    static const char *const names[] = {"k", "d"};
    static const char *const values[] = {"60 N/mm", "c + 1"};
    TmlModel *m = NULL;
    TmlError err = {0};
    TmlLoadOptions o = tml_load_options_default();
    write_file(t, "test_set.yaml", text);
    o.n = 2;
    o.names = names;
    o.texts = values;
    // the mass has a stiffness for its value: told as if the model said so
    CHECK_INT(t, tml_load_with("test_set.yaml", &o, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "mass: expected kg, got a stiffness (N/m)");

    static const char *const good[] = {"60 g/mm*2 m", "c + 1"}; // 120 kg
    o.texts = good;
    CHECK_OK(t, tml_load_with("test_set.yaml", &o, &m, &err), &err);
    // rounding of the factors of units
    CHECK_NEAR(t, m->parameters.at[tml_model_find_parameter(m, "k")].value, 120.0, 1e-12);
    CHECK_NEAR(t, m->parameters.at[tml_model_find_parameter(m, "d")].value, 241.0, 1e-12);
    tml_model_free(m);

    static const char *const circle[] = {"d + 1", "k"};
    o.texts = circle;
    CHECK_INT(t, tml_load_with("test_set.yaml", &o, &m, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, "in a circle: k -> d -> k");
    remove("test_set.yaml");
}

TEST_SUITE(warnings) = {CASE(warnings_name_what_they_are_about),    CASE(strict_makes_them_errors),
                        CASE(inertia_beyond_the_bound_is_an_error), CASE(strict_models_of_pieces),
                        CASE(parameters_are_set_by_texts),          {0}};
