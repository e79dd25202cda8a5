/* tests/system/test_partition.c - choosing independent coordinates and closing the others on them.
 */
#include "analysis/study.h"

#include "sparse/pivots.h"
#include "system/coordinates/partition.h"
#include "system/system_internal.h"

typedef struct Case {
    TmlModel *model;
    TmlSim *sim;
    TmlSystem *sys;
    TmlPartition *p;
    double *du, *before; /* nu */
} Case;

static Case case_create(TestCtx *t, const char *text)
{
    Case c = {.model = study_model(t, text)};
    TmlError err = {0};
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    c.sim = study_sim(t, c.model, &o);
    c.sys = c.sim->sys;
    CHECK_OK(t, tml_partition_create(c.sys, &c.p, &err), &err);
    CHECK_OK(t, tml_partition_choose(c.p, &c.sim->it.now, &err), &err);
    c.du = calloc((size_t)c.sys->dim.nu, sizeof *c.du);
    c.before = calloc((size_t)c.sys->dim.nu, sizeof *c.before);
    return c;
}

static void case_free(Case *c)
{
    free(c->du);
    free(c->before);
    tml_partition_free(c->p);
    tml_sim_free(c->sim);
    tml_model_free(c->model);
}

/* Moves all independent positions and rates at random by up to `size`, closes, and looks whether
 * the independent ones stay and the constraints hold at all levels. */
static void check_closure(TestCtx *t, Case *c, double size)
{
    TmlSystem *sys = c->sys;
    TmlState *s = &c->sim->it.next;
    TmlError err = {0};
    double *dq = calloc((size_t)sys->dim.nq, sizeof *dq), violation[3];
    const int n = tml_partition_count(c->p), nr = tml_partition_rate_count(c->p);
    const int *index = tml_partition_index(c->p), *rate = tml_partition_rate_index(c->p);
    tml_state_copy(sys, &c->sim->it.now, s);
    s->t = c->sim->it.now.t;
    memset(c->du, 0, (size_t)sys->dim.nu * sizeof *c->du);
    for (int k = 0; k < n; ++k) {
        c->du[index[k]] = test_random(t, -size, size);
    }
    tml_system_expand(sys, s->q, c->du, dq);
    for (int k = 0; k < sys->dim.nq; ++k) {
        s->q[k] += dq[k];
        s->v[k] += dq[k];
    }
    tml_system_retract(sys, s->q);
    memcpy(dq, s->q, (size_t)sys->dim.nq * sizeof *dq);
    CHECK(t, tml_partition_close_positions(c->p, s));

    // translations stay to the bit, but rotations about several axes do not commute: what the
    // dependent ones turn changes the others by its square: second order
    for (int k = 0; k < sys->dim.nq; ++k) {
        dq[k] = s->q[k] - dq[k];
    }
    tml_system_reduce(sys, s->q, dq, c->du);
    for (int k = 0; k < n; ++k) {
        CHECK_NEAR(t, c->du[index[k]], 0.0, size * size);
    }
    tml_system_retract_velocity(sys, s->q, s->v);
    tml_system_reduce(sys, s->q, s->v, c->before);
    CHECK(t, tml_partition_close_velocities(c->p, s));
    tml_system_reduce(sys, s->q, s->v, c->du);
    for (int k = 0; k < nr; ++k) {
        // rounding of rates of about one
        CHECK_NEAR(t, c->du[rate[k]], c->before[rate[k]], 1e-13);
    }
    CHECK_OK(t, tml_system_accelerations(sys, s, &err), &err);
    tml_system_violation(sys, s, violation);
    // rounding, times the condition of the rows
    CHECK_NEAR(t, violation[0], 0.0, 1e-13);
    CHECK_NEAR(t, violation[1], 0.0, 1e-12);
    CHECK_NEAR(t, violation[2], 0.0, 1e-11);
    free(dq);
}

/* The largest size leaves the dead points of the loops alone. */
static const double sizes[] = {0.0, 1e-6, 1e-3, 3e-2};

static void check_model(TestCtx *t, const char *path, int n, int rates)
{
    Case c = case_create(t, path);
    t->name = path;
    CHECK_INT(t, tml_partition_count(c.p), n);
    CHECK_INT(t, tml_partition_rate_count(c.p), rates);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
        check_closure(t, &c, sizes[k]);
    }
    CHECK(t, !tml_partition_worn(c.p));
    case_free(&c);
}

TEST(pendulum)
{
    check_model(t, "models/closed_forms/pendulum.yaml", 1, 1);
}

/* Driven altogether: nothing is independent, and closing is still asked for. */
TEST(four_bar_driven)
{
    check_model(t, "models/closed_forms/four_bar.yaml", 0, 0);
}

TEST(loops)
{
    check_model(t, "models/cases/iftomm_a02_four_bar.yaml", 1, 1);
    check_model(t, "models/cases/andrews.yaml", 1, 1);
}

/* One row is redundant; closing on the others closes it too. */
TEST(bricard)
{
    check_model(t, "models/cases/iftomm_a04_bricard.yaml", 1, 1);
}

/* Rolling: five coordinates may be chosen freely, three rates. */
TEST(rolling_disc)
{
    check_model(t, "models/closed_forms/rolling_disc.yaml", 5, 3);
    Case c = case_create(t, "models/closed_forms/rolling_disc.yaml");
    const int *index = tml_partition_index(c.p), *rate = tml_partition_rate_index(c.p);
    for (int k = 0; k < tml_partition_rate_count(c.p); ++k) {
        int found = 0;
        for (int i = 0; i < tml_partition_count(c.p); ++i) {
            found += index[i] == rate[k];
        }
        CHECK_INT(t, found, 1);
    }
    case_free(&c);
}

TEST(free_bodies)
{
    check_model(t, "models/closed_forms/free_rotation.yaml", 6, 6);
}

/* The independent coordinate of a pendulum is its rotation, not a translation. */
TEST(rotations_are_preferred)
{
    Case c = case_create(t, "models/closed_forms/pendulum.yaml");
    CHECK_INT(t, tml_partition_index(c.p)[0], 5);
    case_free(&c);
}

/* What a small change becomes by the factors is what closing makes of it, to second order. */
TEST(tangent)
{
    Case c = case_create(t, "models/cases/iftomm_a04_bricard.yaml");
    TmlSystem *sys = c.sys;
    TmlState *s = &c.sim->it.next;
    double *dq = calloc((size_t)sys->dim.nq, sizeof *dq);
    const double size = 1e-5;
    c.du[tml_partition_index(c.p)[0]] = size;
    tml_partition_tangent(c.p, c.du);
    tml_state_copy(sys, &c.sim->it.now, s);
    s->t = c.sim->it.now.t;
    tml_system_expand(sys, s->q, c.du, dq);
    for (int k = 0; k < sys->dim.nq; ++k) {
        s->q[k] += dq[k];
    }
    tml_system_retract(sys, s->q);
    memcpy(dq, s->q, (size_t)sys->dim.nq * sizeof *dq);
    CHECK(t, tml_partition_close_positions(c.p, s));
    for (int k = 0; k < sys->dim.nq; ++k) {
        // what is left out is of second order: half of size^2 was measured
        CHECK_NEAR(t, s->q[k], dq[k], 3 * size * size);
    }
    free(dq);
    case_free(&c);
}

/* A rod that turns about an axis which itself turns: the rotation that was chosen at first loses
 * its hold on the others after a quarter turn, and another must be chosen. */
static const char gimbal[] =
    "trammel: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  ring: {mass: 1, inertia: [1, 1, 1]}\n"
    "  rod: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  a: {type: revolute, bodies: [ground, ring], at: [0, 0, 0], axis: z}\n"
    "  b: {type: revolute, bodies: [ring, rod], at: [0, 0, 0], axis: x}\n";

TEST(worn_after_a_quarter_turn)
{
    Case c = case_create(t, gimbal);
    TmlSystem *sys = c.sys;
    TmlState *s = &c.sim->it.now;
    TmlError err = {0};
    bool worn = false;
    double *dq = calloc((size_t)sys->dim.nq, sizeof *dq);
    CHECK_INT(t, tml_partition_count(c.p), 2);
    double turned = 0.0;
    for (int k = 0; k < 40 && !worn; ++k, turned += 0.04) {
        // both bodies turn about z; the rod off its constraints, so that closing has work to do
        memset(c.du, 0, (size_t)sys->dim.nu * sizeof *c.du);
        c.du[5] = c.du[11] = 0.04;
        c.du[10] = 0.02;
        tml_system_expand(sys, s->q, c.du, dq);
        for (int i = 0; i < sys->dim.nq; ++i) {
            s->q[i] += dq[i];
        }
        tml_system_retract(sys, s->q);
        CHECK(t, tml_partition_close_positions(c.p, s));
        CHECK_OK(t, tml_system_accelerations(sys, s, &err), &err);
        worn = tml_partition_worn(c.p);
    }
    CHECK(t, worn);
    CHECK(t, turned > 0.7 && turned < 1.57);
    CHECK_OK(t, tml_partition_choose(c.p, s, &err), &err);
    CHECK(t, !tml_partition_worn(c.p));
    free(dq);
    case_free(&c);
}

/* Pivot rows of a small matrix: scales decide, and a column without a pivot is named. */
TEST(pivot_rows)
{
    int start[] = {0, 3, 6}, row[] = {0, 1, 2, 0, 1, 2};
    double x[] = {1, 10, 0.1, 1, 10.001, 100};
    bool pivot[3];
    int missing;
    TmlError err = {0};
    const TmlCsc A = {.rows = 3, .cols = 2, .start = start, .row = row, .x = x};
    CHECK_OK(t, tml_pivot_rows(&A, 0, pivot, &missing, &err), &err);
    CHECK_INT(t, missing, -1);
    CHECK(t, !pivot[0] && pivot[1] && pivot[2]);
    x[3] = 2;
    x[4] = 20;
    x[5] = 0.2;
    CHECK_OK(t, tml_pivot_rows(&A, 0, pivot, &missing, &err), &err);
    CHECK(t, missing >= 0);
}

TEST_SUITE(partition) = {CASE(pendulum),
                         CASE(four_bar_driven),
                         CASE(loops),
                         CASE(bricard),
                         CASE(rolling_disc),
                         CASE(free_bodies),
                         CASE(rotations_are_preferred),
                         CASE(tangent),
                         CASE(worn_after_a_quarter_turn),
                         CASE(pivot_rows),
                         {0}};
