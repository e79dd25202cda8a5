/* tests/mechanisms/test_redundancy.c - overconstrained mechanisms: found, named, reactions of least
 * norm and flagged.
 */
#include "analysis/study.h"

static const double g = 9.81;

/* Reactions of all joints at the end of a run. */
typedef struct Reactions {
    TmlReaction of[8];
    TmlBodyState body;
} Reactions;

static TmlStatus keep_reactions(void *user, const TmlSim *sim, TmlError *err)
{
    Reactions *r = user;
    (void)err;
    for (int k = 0; k < sim->model->constraints.n && k < 8; ++k) {
        r->of[k] = tml_row_reaction(sim, k);
    }
    r->body = tml_row_body(sim, 1);
    return TML_OK;
}

static Reactions last_reactions(TestCtx *t, const TmlModel *model, double end, TmlSimStats *stats)
{
    Reactions r = {0};
    TmlError err;
    const TmlSimOptions o = study_options(end, end / 10, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(sim, keep_reactions, &r, &err), &err);
    *stats = tml_sim_stats(sim);
    tml_sim_free(sim);
    return r;
}

/* A door of 20 kg, its centre 0.5 m from two hinges that are 2 m apart. */
static const char door[] =
    "trammel: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  door: {mass: 20, inertia: [8, 10, 2], position: [0.5, 0, 0],\n"
    "         velocity: [0, 1, 0], angular_velocity: [0, 0, 2]}\n"
    "joints:\n"
    "  upper: {type: revolute, bodies: [ground, door], at: [0, 0, 1], axis: z}\n"
    "  lower: {type: revolute, bodies: [ground, door], at: [0, 0, -1], axis: z}\n";

/* With b = 1 m half the distance of the hinges: they share the weight and the centripetal force,
 * and the moment m g d is carried by forces F = b m g d / (2 (1 + b^2)) and torques m g d / (2 (1 +
 * b^2)), which is where 2 F^2 + 2 T^2 with 2 b F + 2 T = m g d is least. */
TEST(door_on_two_hinges)
{
    TmlModel *model = study_model(t, door);
    TmlSimStats stats;
    const Reactions r = last_reactions(t, model, 0.6, &stats);
    CHECK_INT(t, stats.n_constraints, 10);
    CHECK_INT(t, stats.n_redundant, 5);
    CHECK_INT(t, stats.degrees_of_freedom, 1);
    const double m = 20.0, d = 0.5, w = 2.0, angle = w * 0.6, share = 0.25 * m * g * d;
    const double cx = cos(angle), cy = sin(angle);
    // 1e-5: global error of a default run, which turns the directions
    const double tol = 1e-5 * m * g;
    for (int k = 0; k < 2; ++k) {
        const TmlReaction *f = &r.of[k];
        const double up = k == 0 ? -1.0 : 1.0; // the upper hinge pulls the door towards the wall
        const double radial = -0.5 * m * w * w * d + up * share;
        CHECK_NEAR(t, f->force.x, radial * cx, tol);
        CHECK_NEAR(t, f->force.y, radial * cy, tol);
        CHECK_NEAR(t, f->force.z, 0.5 * m * g, tol);
        // about the horizontal axis across the door, against the weight
        CHECK_NEAR(t, f->torque.x, share * cy, tol);
        CHECK_NEAR(t, f->torque.y, -share * cx, tol);
        CHECK_NEAR(t, f->torque.z, 0.0, tol);
        CHECK(t, !f->unique);
    }
    tml_model_free(model);
}

/* Largest difference of the weight on each hinge from its half, N, and whether all are flagged. */
typedef struct Doors {
    double off;
    bool flagged;
    int n;
} Doors;

static TmlStatus weigh_doors(void *user, const TmlSim *sim, TmlError *err)
{
    Doors *d = user;
    (void)err;
    d->n = sim->model->constraints.n;
    d->flagged = true;
    for (int k = 0; k < d->n; ++k) {
        const TmlReaction f = tml_row_reaction(sim, k);
        const double up = k % 2 == 0 ? -1.0 : 1.0, share = 0.25 * 20.0 * g * 0.5;
        const double radial = hypot(f.force.x, f.force.y);
        d->off = fmax(d->off, fabs(f.force.z - 0.5 * 20.0 * g));
        d->off = fmax(d->off, fabs(radial - fabs(-0.5 * 20.0 * 4.0 * 0.5 + up * share)));
        d->flagged = d->flagged && !f.unique;
    }
    return TML_OK;
}

/* Sixty doors have 300 redundant rows in groups of five, which know nothing of each other. */
TEST(many_doors)
{
    TmlModel *model = study_model(
        t, "trammel: 1\n"
           "gravity: [0, 0, -9.81]\n"
           "bodies:\n"
           "  for k in 1..60:\n"
           "    \"door{k}\": {mass: 20, inertia: [8, 10, 2], position: [0.5, 0, 0],\n"
           "                velocity: [0, 1, 0], angular_velocity: [0, 0, 2]}\n"
           "joints:\n"
           "  for k in 1..60:\n"
           "    \"upper{k}\": {type: revolute, bodies: [ground, \"door{k}\"], at: [0, 0, 1],\n"
           "                 axis: z}\n"
           "    \"lower{k}\": {type: revolute, bodies: [ground, \"door{k}\"], at: [0, 0, -1],\n"
           "                 axis: z}\n");
    Doors doors = {0};
    TmlError err;
    const TmlSimOptions o = study_options(0.1, 0.05, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_OK(t, tml_sim_run(sim, weigh_doors, &doors, &err), &err);
    CHECK_INT(t, doors.n, 120);
    CHECK_NEAR(t, doors.off, 0.0, 1e-5 * 20.0 * g); // as one door: the global error
    CHECK(t, doors.flagged);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(redundant_rows_are_named)
{
    TmlModel *model = study_model(t, door);
    TmlSimOptions o = study_options(0.1, 0.1, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    CHECK_INT(t, tml_sim_note_count(sim), 1);
    CHECK_HAS(t, tml_sim_note(sim, 0), "the loop of '");
    CHECK_HAS(t, tml_sim_note(sim, 0), " has 5 redundant equations");
    tml_sim_free(sim);
    o.every_row = true;
    sim = study_sim(t, model, &o);
    CHECK_INT(t, tml_sim_note_count(sim), 5);
    for (int k = 0; k < tml_sim_note_count(sim); ++k) {
        CHECK_HAS(t, tml_sim_note(sim, k), "joint '");
        CHECK_HAS(t, tml_sim_note(sim, k), "is redundant with '");
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

/* A four-bar whose pins at B and C are given by `joints`. */
#define FOUR_BAR(B, C)                                                                             \
    "trammel: 1\n"                                                                                 \
    "gravity: [0, -9.81, 0]\n"                                                                     \
    "bodies:\n"                                                                                    \
    "  crank: {mass: 0.5, inertia: [0.001, 0.01, 0.01], cm: [0.15, 0, 0],\n"                       \
    "          rotation: {axis: z, angle: 1.2}, angular_velocity: [0, 0, 5]}\n"                    \
    "  rod: {mass: 1, inertia: [0.001, 0.1, 0.1], position: [0.35, 0.5, 0],\n"                     \
    "        rotation: {axis: z, angle: 0.5}}\n"                                                   \
    "  rocker: {mass: 0.8, inertia: [0.001, 0.05, 0.05], cm: [0.3, 0, 0],\n"                       \
    "           position: [0.9, 0, 0], rotation: {axis: z, angle: 1.7}}\n"                         \
    "joints:\n"                                                                                    \
    "  A: {type: revolute, frames: [ground, crank]}\n"                                             \
    "  B: {type: " B ", frames: [{body: crank, position: [0.3, 0, 0]},\n"                          \
    "                            {body: rod, position: [-0.45, 0, 0]}]}\n"                         \
    "  C: {type: " C ", frames: [{body: rod, position: [0.45, 0, 0]},\n"                           \
    "                            {body: rocker, position: [0.6, 0, 0]}]}\n"                        \
    "  D: {type: revolute, frames: [{body: ground, position: [0.9, 0, 0]}, rocker]}\n"

/* The plane loop in space has three redundant rows. What they leave open are forces along z and
 * torques across it, which a plane load does not need: of least norm they are zero, and the forces
 * in the plane are those of the same loop without redundancy. */
TEST(four_bar_in_space)
{
    // a point on a line along z is what a pin in the plane asks for
    TmlModel *loop = study_model(t, FOUR_BAR("revolute", "revolute"));
    TmlModel *plain = study_model(t, FOUR_BAR("revolute", "point_on_line"));
    TmlSimStats stats, stats_plain;
    const Reactions r = last_reactions(t, loop, 0.5, &stats);
    const Reactions p = last_reactions(t, plain, 0.5, &stats_plain);
    CHECK_INT(t, stats.n_redundant, 3);
    CHECK_INT(t, stats.degrees_of_freedom, 1);
    CHECK_INT(t, stats_plain.n_redundant, 0);
    CHECK_INT(t, stats_plain.degrees_of_freedom, 1);
    double size = 0.0;
    for (int k = 0; k < 4; ++k) {
        size = fmax(size, hypot(p.of[k].force.x, p.of[k].force.y));
    }
    for (int k = 0; k < 4; ++k) {
        // two runs with different matrices: the global error of each
        CHECK_NEAR(t, r.of[k].force.x, p.of[k].force.x, 1e-4 * size);
        CHECK_NEAR(t, r.of[k].force.y, p.of[k].force.y, 1e-4 * size);
        CHECK_NEAR(t, r.of[k].force.z, 0.0, 1e-9 * size);
        CHECK_NEAR(t, r.of[k].torque.x, 0.0, 1e-9 * size);
        CHECK_NEAR(t, r.of[k].torque.y, 0.0, 1e-9 * size);
        CHECK(t, !r.of[k].unique);
        CHECK(t, p.of[k].unique);
    }
    tml_model_free(loop);
    tml_model_free(plain);
}

/* Three legs of a table, then four: with three the loads are unique. */
TEST(table_on_three_and_on_four_legs)
{
    static const char three[] =
        "trammel: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {table: {mass: 12, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  leg1: {type: point_in_plane, frames: [ground, {body: table, position: [1, 0, 0]}]}\n"
        "  leg2: {type: point_in_plane, frames: [ground, {body: table, position: [-1, 1, 0]}]}\n"
        "  leg3: {type: point_in_plane, frames: [ground, {body: table, position: [-1, -1, 0]}]}\n";
    char four[1024];
    snprintf(
        four, sizeof four, "%s%s", three,
        "  leg4: {type: point_in_plane, frames: [ground, {body: table, position: [1, 0, 0]}]}\n");
    TmlModel *unique = study_model(t, three), *shared = study_model(t, four);
    TmlSimStats stats;
    const Reactions a = last_reactions(t, unique, 0.1, &stats);
    CHECK_INT(t, stats.n_redundant, 0);
    const Reactions b = last_reactions(t, shared, 0.1, &stats);
    CHECK_INT(t, stats.n_redundant, 1);
    const double G = 12.0 * g, tol = 1e-9 * G; // at rest: rounding of the solve
    CHECK_NEAR(t, a.of[0].force.z, G / 2, tol);
    CHECK_NEAR(t, a.of[1].force.z, G / 4, tol);
    CHECK_NEAR(t, a.of[2].force.z, G / 4, tol);
    CHECK(t, a.of[0].unique && a.of[1].unique && a.of[2].unique);
    // the two legs at one place share; the others are as before and still unique
    CHECK_NEAR(t, b.of[0].force.z, G / 4, tol);
    CHECK_NEAR(t, b.of[3].force.z, G / 4, tol);
    CHECK_NEAR(t, b.of[1].force.z, G / 4, tol);
    CHECK(t, !b.of[0].unique && !b.of[3].unique && b.of[1].unique && b.of[2].unique);
    tml_model_free(unique);
    tml_model_free(shared);
}

/* Entries of the factors after a run of n parallelograms in a row, with closures on revolute joints or of two rows. */
static int fill_of_windows(TestCtx *t, int n, const char *closure, const char *method)
{
    char text[1600];
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "gravity: [0, -9.81, 0]\n"
             "bodies:\n"
             "  'for k in 0..%d':\n"
             "    'post{k}': {mass: 1, inertia: [0.08, 0.01, 0.08], position: [k, 0.5, 0],\n"
             "               velocity: [15, 0, 0], angular_velocity: [0, 0, -30]}\n"
             "  'for k in 1..%d':\n"
             "    'beam{k}': {mass: 1, inertia: [0.01, 0.08, 0.08], position: [k - 0.5, 1, 0],\n"
             "               velocity: [30, 0, 0]}\n"
             "joints:\n"
             "  'for k in 0..%d':\n"
             "    'A{k}': {type: revolute, bodies: [ground, 'post{k}'], at: [k, 0, 0], axis: z}\n"
             "  'for k in 1..%d':\n"
             "    'B{k}': {type: revolute, bodies: ['post{k-1}', 'beam{k}'], at: [k - 1, 1, 0], "
             "axis: z}\n"
             "    'C{k}': {type: %s, bodies: ['beam{k}', 'post{k}'], at: [k, 1, 0], axis: z}\n",
             n, n, n, n, closure);
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(0.12, 0.12, NULL); // past the singular position at 0.05 s
    o.integrator = method;
    o.tolerance = 1e-5;
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err = {0};
    CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
    const int fill = (int)tml_sim_stats(sim).factor_entries;
    tml_sim_free(sim);
    tml_model_free(model);
    return fill;
}

/* Redundant rows of loops are left out of the joint that closes them, so that factors have no more entries than those of a
 * mechanism without redundant rows, and as many for each loop. */
TEST(redundant_loops_do_not_fill_the_factors)
{
    const int few = fill_of_windows(t, 5, "revolute", "hht"),
              many = fill_of_windows(t, 20, "revolute", "hht"),
              least = fill_of_windows(t, 20, "point_on_line", "hht");
    CHECK(t, few > 0 && many <= 2 * least);
    CHECK(t, many <= 5 * few); // four times as many, but for the ends
    if (study_verbose()) {
        printf("fill: %d, %d, %d\n", few, many, least);
    }
}

TEST_SUITE(redundancy) = {CASE(redundant_loops_do_not_fill_the_factors),
                          CASE(door_on_two_hinges),
                          CASE(many_doors),
                          CASE(redundant_rows_are_named),
                          CASE(four_bar_in_space),
                          CASE(table_on_three_and_on_four_legs),
                          {0}};
