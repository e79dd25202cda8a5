/* tests/wheel/test_rail_table.c - contact points and conicity of a wheelset of a model, and what is refused. */
#include "trammel/trammel.h"

#include "test.h"

#include <math.h>
#include <string.h>

static TmlModel *wheelset(TestCtx *t, const char *wheel, const char *left, const char *right)
{
    char text[2048];
    TmlModel *m = NULL;
    TmlError err = {0};
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "bodies: {set: {mass: 1000, inertia: [500, 100, 500], position: [3, 0, 0.46]}}\n"
             "profiles:\n"
             "  wheel: {arcs: %s}\n"
             "  rail: {arcs: [[-0.03, -0.0046], [0.03, -0.0046, 0.1]]}\n"
             "tracks: {line: {rail: rail, rail_base: 1.5}, other: {rail: rail, rail_base: 1.5, "
             "position: [0, 9, 0]}}\n"
             "forces:\n"
             "  lever: {type: force, body: set, fz: 1}\n"
             "  l: {type: rail_wheel, bodies: [ground, set], at: [3, 0.75, 0.46], axis: y, track: "
             "line, side: left, profile: wheel, radius: %s}\n"
             "  r: {type: rail_wheel, bodies: [ground, set], at: [3, -0.75, 0.46], axis: y, track: "
             "line, side: right, profile: wheel, radius: %s}\n",
             wheel, left, right);
    CHECK_OK(t, tml_load_text(text, "table.yaml", 0, NULL, NULL, &m, &err), &err);
    return m;
}

/* A cone has its own slope as its conicity, at every amplitude, also about a middle that another radius has moved. */
TEST(cone_has_its_slope)
{
    static const char *const left[] = {"0.46", "0.4595"};
    for (int k = 0; k < 2; ++k) {
        TmlModel *m = wheelset(t, "[[-0.06, -0.006], [0.06, 0.006, 0]]", left[k], "0.46");
        TmlRailTable *table = NULL;
        TmlError err = {0};
        CHECK_OK(t, tml_rail_table(m, NULL, &table, &err), &err);
        tml_model_free(m); // the table stands alone
        if (table == NULL) {
            return;
        }
        CHECK_INT(t, tml_rail_table_rows(table), 161);
        for (double a = 1e-3; a < 5e-3; a += 1e-3) {
            // roll turns the cone against the crown of the rail: 0.1 * 0.1 / 0.75 = 1.3 % of its slope at most
            CHECK_NEAR(t, tml_rail_table_conicity(table, a), 0.1, 2e-3);
        }
        const TmlRailTableRow *middle = tml_rail_table_row(table, 80),
                              *end = tml_rail_table_row(table, 160);
        CHECK_NEAR(t, middle->y, 0.0, 1e-15); // a whole step
        CHECK_NEAR(t, middle->delta, k == 0 ? 0.0 : -5e-4,
                   2e-5); // the other radius; its roll moves contacts
        CHECK_NEAR(t, end->delta - middle->delta, 2.0 * 0.1 * 8e-3, 3e-5); // the slope, as above
        CHECK_NEAR(t, atan(0.1), middle->contact[0][0].angle, 1e-3); // roll of the smaller wheel
        CHECK_INT(t, middle->n[0], 1);
        CHECK(t, tml_rail_table_row(table, 161) == NULL && tml_rail_table_row(table, -1) == NULL);
        CHECK(t, isnan(tml_rail_table_conicity(table, 1.0)) &&
                     isnan(tml_rail_table_conicity(table, -1.0)));
        tml_rail_table_free(table);
    }
}

/* Two cones with a corner between them: on the round rail the contact jumps over the corner, where both touch. */
TEST(jump_over_a_corner)
{
    TmlModel *m =
        wheelset(t, "[[-0.06, -0.0115], [-0.01, -0.0005, 0], [0.06, 0.003, 0]]", "0.46", "0.46");
    TmlRailTable *table = NULL;
    TmlRailTableOptions o = tml_rail_table_options_default();
    TmlError err = {0};
    o.range = 0.012;
    o.step = 5e-4;
    CHECK_OK(t, tml_rail_table(m, &o, &table, &err), &err);
    int jumps = 0;
    for (int k = 0; table != NULL && k + 1 < tml_rail_table_rows(table); ++k) {
        const TmlRailTableRow *a = tml_rail_table_row(table, k), *b = a + 1;
        if (!a->jump) {
            CHECK(t, b->y > a->y);
            continue;
        }
        const int side = a->y > 0.0 ? 1 : 0; // the wheel that moves inward comes off its steep part
        CHECK_NEAR(t, b->y, a->y, 2e-9);     // found to 1e-9
        CHECK(t, a->n[side] == 2 && b->n[side] == 2);
        CHECK_NEAR(t, a->contact[side][1].wheel_y, b->contact[side][0].wheel_y,
                   1e-6); // gap below 1e-9
        ++jumps;
    }
    CHECK_INT(t, jumps, 2);
    tml_rail_table_free(table);
    tml_model_free(m);
}

static void refused(TestCtx *t, const TmlModel *m, const TmlRailTableOptions *o, const char *text)
{
    TmlRailTable *table = NULL;
    TmlError err = {0};
    CHECK(t, tml_rail_table(m, o, &table, &err) != TML_OK && table == NULL);
    CHECK_HAS(t, err.message, text);
}

TEST(bad_tables_are_refused)
{
    TmlModel *m = wheelset(t, "[[-0.06, -0.006], [0.06, 0.006, 0]]", "0.46", "0.46"), *none = NULL;
    TmlError err = {0};
    TmlRailTableOptions o = tml_rail_table_options_default();
    o.left = "r";
    refused(t, m, &o, "force 'r' is no rail_wheel on the left rail");
    o.left = "x";
    refused(t, m, &o, "there is no force 'x'");
    o.left = "lever";
    refused(t, m, &o, "'lever' is no rail_wheel");
    o = tml_rail_table_options_default();
    o.step = 1.0;
    refused(t, m, &o, "a step that is not larger");
    o = tml_rail_table_options_default();
    o.step = 1e-9;
    refused(t, m, &o, "shifts are more than");
    o = tml_rail_table_options_default();
    o.yaw = 1.0;
    refused(t, m, &o, "out of range");
    CHECK_OK(t, tml_load_text("trammel: 1\n", "none.yaml", 0, NULL, NULL, &none, &err), &err);
    refused(t, none, NULL, "no rail_wheel on the left rail");
    tml_model_free(none);
    tml_model_free(m);
}

/* All outputs of a wheel are told, of which there are many. */
TEST(outputs_are_told)
{
    TmlModel *m = wheelset(t, "[[-0.06, -0.006], [0.06, 0.006, 0]]", "0.46", "0.46");
    TmlSim *sim = NULL;
    TmlError err = {0};
    const char *name = "", *unit;
    double value = 0.0;
    TmlSimOptions o = tml_sim_options_default();
    o.end_time = 1.0;
    CHECK_OK(t, tml_sim_create(m, &o, &sim, &err), &err);
    CHECK(t, sim != NULL && tml_row_force_output(sim, 1, 59, &name, &unit, &value));
    CHECK_HAS(t, name, "angle3");
    CHECK(t, sim != NULL && !tml_row_force_output(sim, 1, 60, &name, &unit, &value));
    tml_sim_free(sim);
    tml_model_free(m);
}

TEST_SUITE(rail_table) = {CASE(cone_has_its_slope),
                          CASE(jump_over_a_corner),
                          CASE(bad_tables_are_refused),
                          CASE(outputs_are_told),
                          {0}};
