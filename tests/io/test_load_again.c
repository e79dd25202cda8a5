/* tests/io/test_load_again.c - a model once more with other parameters; numbers of names. */
#include "test.h"

#include "trammel/analysis.h"
#include "trammel/flexible.h"
#include "trammel/io.h"

#include <stdlib.h>
#include <unistd.h>

static const char text[] = "trammel: 1\n"
                           "parameters: {L: 2, half: L/2, m: 3}\n"
                           "bodies:\n"
                           "  one: {type: point, mass: m, position: [half, 0, 0]}\n"
                           "  two: {mass: 1, inertia: [1, 1, 1], position: [0, L, 0]}\n"
                           "joints: {hold: {type: fixed, bodies: [ground, two], at: [0, 0, 0]}}\n"
                           "states: {charge: {initial: 4, rate: -1}}\n"
                           "forces: {push: {type: force, body: one, fx: 1}}\n"
                           "simulate: {end: 1}\n";

/* Position of `one` along x at the start. */
static double place(TestCtx *t, const TmlModel *model)
{
    TmlSim *sim = NULL;
    TmlError err = {0};
    double x = (double)NAN;
    CHECK_OK(t, tml_sim_create(model, NULL, &sim, &err), &err);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_row_at(sim, 0.0, &err), &err);
        x = tml_row_body(sim, tml_model_body_find(model, "one")).position.x;
    }
    tml_sim_free(sim);
    return x;
}

TEST(parameters_change)
{
    static const char *const L[] = {"L"}, *const m[] = {"m"}, *const wrong[] = {"M"};
    const double three = 3.0, five = 5.0, six = 6.0;
    TmlModel *model = NULL, *other = NULL, *third = NULL, *none = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "text", 1, L, &three, &model, &err), &err);
    if (model == NULL) {
        return;
    }
    CHECK_OK(t, tml_model_with(model, 1, m, &five, &other, &err), &err);
    CHECK_OK(t, tml_model_with(model, 1, L, &six, &third, &err), &err);
    CHECK_INT(t, tml_model_with(model, 1, wrong, &six, &none, &err), TML_E_MODEL);
    CHECK(t, none == NULL && strstr(err.message, "M") != NULL);
    tml_model_free(model); // the others have their own memory
    if (other != NULL && third != NULL) {
        CHECK_NEAR(t, place(t, other), 1.5, 0.0); // L = 3 stays
        CHECK_NEAR(t, place(t, third), 3.0, 0.0); // and what follows from it goes along
    }
    tml_model_free(other);
    tml_model_free(third);
}

/* The file and what it includes may be gone. */
TEST(files_are_not_read_again)
{
    static const char *const L[] = {"L"};
    const double six = 6.0;
    char folder[] = "/tmp/trammel_again_XXXXXX", path[128], part[128];
    TmlModel *model = NULL, *other = NULL;
    TmlError err = {0};
    CHECK(t, mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/model.yaml", folder);
    snprintf(part, sizeof part, "%s/part.yaml", folder);
    FILE *file = fopen(path, "w"), *include = fopen(part, "w");
    CHECK(t, file != NULL && include != NULL);
    if (file != NULL && include != NULL) {
        fprintf(file, "trammel: 1\ninclude: part.yaml\nsimulate: {end: 1}\n");
        fprintf(include, "parameters: {L: 2}\n"
                         "bodies: {one: {type: point, mass: 1, position: [L/2, 0, 0]}}\n");
        fclose(file);
        fclose(include);
        CHECK_OK(t, tml_load(path, 0, NULL, NULL, &model, &err), &err);
    }
    unlink(path);
    unlink(part);
    rmdir(folder);
    if (model != NULL) {
        CHECK_OK(t, tml_model_with(model, 1, L, &six, &other, &err), &err);
    }
    if (other != NULL) {
        CHECK_NEAR(t, place(t, other), 3.0, 0.0);
    }
    tml_model_free(model);
    tml_model_free(other);
}

TEST(models_of_pieces_are_told)
{
    TmlModel *model = NULL, *other = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_model_create(&model, &err), &err);
    CHECK_OK(t, tml_model_add(model, "bodies: {ball: {type: point, mass: 2}}", &err), &err);
    CHECK_OK(t, tml_model_finish(model, &err), &err);
    CHECK_INT(t, tml_model_with(model, 0, NULL, NULL, &other, &err), TML_E_ARGUMENT);
    CHECK(t, other == NULL && strstr(err.message, "pieces") != NULL);
    tml_model_free(model);
}

TEST(names_have_numbers)
{
    TmlModel *model = NULL;
    TmlSim *sim = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "text", 0, NULL, NULL, &model, &err), &err);
    if (model == NULL) {
        return;
    }
    CHECK_INT(t, tml_model_body_find(model, "ground"), 0);
    CHECK_STR(t, tml_model_body_name(model, tml_model_body_find(model, "two")), "two");
    CHECK_INT(t, tml_model_body_find(model, "three"), -1);
    CHECK_STR(t, tml_model_joint_name(model, tml_model_joint_find(model, "hold")), "hold");
    CHECK_INT(t, tml_model_joint_find(model, "two"), -1);
    CHECK_INT(t, tml_model_state_count(model), 1);
    CHECK_STR(t, tml_model_state_name(model, tml_model_state_find(model, "charge")), "charge");
    CHECK_INT(t, tml_model_state_find(model, ""), -1);
    CHECK_OK(t, tml_sim_create(model, NULL, &sim, &err), &err);
    if (sim != NULL) {
        CHECK_STR(t, tml_sim_force_name(sim, tml_sim_force_find(sim, "push")), "push");
        CHECK_INT(t, tml_sim_force_find(sim, "pull"), -1);
        CHECK_OK(t, tml_sim_row_at(sim, 0.0, &err), &err);
        CHECK_NEAR(t, tml_row_state(sim, 0), 4.0, 0.0);
        CHECK(t, isnan(tml_row_state(sim, 1)));
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Bodies of users are counted without the parts of flexible ones that lie between them. */
TEST(bodies_beside_flexible_ones)
{
    TmlModel *model = NULL;
    TmlError err = {0};
    CHECK_OK(t,
             tml_load_text("trammel: 1\n"
                           "flexible:\n"
                           "  rod: {type: cable, line: [[0, 0, 0], [1, 0, 0]],\n"
                           "        elements: 2, section: {radius: 0.01},\n"
                           "        material: {E: 1e9, density: 1000}}\n"
                           "bodies: {ball: {type: point, mass: 1}}\n"
                           "simulate: {end: 1}\n",
                           "text", 0, NULL, NULL, &model, &err),
             &err);
    if (model != NULL) {
        CHECK_STR(t, tml_model_body_name(model, tml_model_body_find(model, "ball")), "ball");
        CHECK_INT(t, tml_model_flexible_find(model, "rod"), 0);
    }
    tml_model_free(model);
}

TEST_SUITE(io_load_again) = {
    CASE(parameters_change),  CASE(files_are_not_read_again),    CASE(models_of_pieces_are_told),
    CASE(names_have_numbers), CASE(bodies_beside_flexible_ones), {0},
};
