/* tests/system/test_tree.c - joint coordinates: the tree, motion from them and back, loops. */
#include "analysis/study.h"

#include "system/coordinates/cut.h"
#include "system/system_internal.h"

/* Every joint that has coordinates, each also with its child as the first body; a body that floats,
 * and a point. */
static const char forest[] =
    "trammel: 1\n"
    "bodies:\n"
    "  for i in 1..19:\n"
    "    \"b{i}\": {mass: 1, inertia: [0.1, 0.2, 0.15], position: [0.3*i, 0.1*i, -0.2*i],\n"
    "             rotation: {axis: [1, 2, i], angle: 0.4*i}}\n"
    "  grain: {type: point, mass: 1, position: [1, 1, 1]}\n"
    "joints:\n"
    "  j1: {type: revolute, bodies: [ground, b1], at: [0.2, 0, 0], axis: y}\n"
    "  j2: {type: revolute, bodies: [b2, b1], at: [0.5, 0, 0], axis: [1, 1, 0]}\n"
    "  j3: {type: translational, bodies: [b2, b3], at: [0.8, 0, 0], axis: [0, 1, 1]}\n"
    "  j4: {type: translational, bodies: [b4, b3], at: [1.1, 0, 0], axis: x}\n"
    "  j5: {type: cylindrical, bodies: [b4, b5], at: [1.4, 0, 0], axis: y}\n"
    "  j6: {type: cylindrical, bodies: [b6, b5], at: [1.7, 0, 0], axis: z}\n"
    "  j7: {type: spherical, bodies: [b6, b7], at: [2, 0, 0]}\n"
    "  j8: {type: spherical, bodies: [b8, b7], at: [2.3, 0, 0]}\n"
    "  j9: {type: planar, bodies: [b8, b9], at: [2.6, 0, 0], axis: [1, 0, 1]}\n"
    "  j10: {type: planar, bodies: [b10, b9], at: [2.9, 0, 0], axis: x}\n"
    "  j11: {type: fixed, bodies: [b10, b11], at: [3.2, 0, 0]}\n"
    "  j12: {type: orientation, bodies: [b12, b1], at: [3.5, 0, 0]}\n"
    "  j13: {type: parallel_axes, bodies: [b13, b1], at: [3.8, 0, 0], axis: y}\n"
    "  j14: {type: point_in_plane, bodies: [b14, b1], at: [4.1, 0, 0], axis: x}\n"
    "  j15: {type: point_on_line, bodies: [b15, b1], at: [4.4, 0, 0], axis: x}\n"
    "  j16: {type: universal, bodies: [b1, b16], at: [1, 1, 0]}\n"
    "  j17: {type: universal, bodies: [b17, b1], at: [1, 0, 1]}\n"
    "  j18: {type: revolute, bodies: [b18, b19], at: [1, 0, 1], axis: x}\n";

enum {
    COORDINATES = 1 + 1 + 1 + 1 + 2 + 2 + 3 + 3 + 3 + 3 + 0 + 3 + 4 + 5 + 4 + 2 + 2 + 6 + 1 + 3
};

typedef struct Case {
    TmlModel *model;
    TmlSim *sim;
    TmlSystem *sys;
    TmlTree *tree;
    double *x, *x1, *x2, *y; /* n */
} Case;

static Case case_create(TestCtx *t, const char *text)
{
    Case c = {.model = study_model(t, text)};
    TmlError err = {0};
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    c.sim = study_sim(t, c.model, &o);
    c.sys = c.sim->sys;
    CHECK_OK(t, tml_tree_create(c.sys, &c.tree, &err), &err);
    tml_tree_begin(c.tree, &c.sim->it.now);
    double **const all[] = {&c.x, &c.x1, &c.x2, &c.y};
    for (int k = 0; k < 4; ++k) {
        *all[k] = calloc((size_t)c.tree->n + 1, sizeof(double));
    }
    for (int k = 0; k < c.tree->n; ++k) {
        c.x[k] = test_random(t, -1, 1);
        c.x1[k] = test_random(t, -1, 1);
        c.x2[k] = test_random(t, -1, 1);
    }
    return c;
}

static void case_free(Case *c)
{
    free(c->x);
    free(c->x1);
    free(c->x2);
    free(c->y);
    tml_tree_free(c->tree);
    tml_sim_free(c->sim);
    tml_model_free(c->model);
}

/* The state at x + x1 h + x2 h^2/2. */
static void place(Case *c, double h, TmlState *s)
{
    for (int k = 0; k < c->tree->n; ++k) {
        c->y[k] = c->x[k] + h * c->x1[k] + 0.5 * h * h * c->x2[k];
    }
    tml_tree_positions(c->tree, c->y, s);
    for (int k = 0; k < c->tree->n; ++k) {
        c->y[k] = c->x1[k] + h * c->x2[k];
    }
    tml_tree_velocities(c->tree, c->y, s);
}

TEST(all_bodies_hang)
{
    Case c = case_create(t, forest);
    bool *placed = calloc((size_t)c.sys->dim.nb, sizeof *placed);
    placed[TML_GROUND] = true;
    CHECK_INT(t, c.tree->n, COORDINATES);
    CHECK_INT(t, c.tree->n_joints, c.sys->dim.nb - 1);
    for (int k = 0; k < c.tree->n_joints; ++k) {
        CHECK(t, placed[c.tree->joint[k].parent]);
        placed[c.tree->joint[k].body] = true;
    }
    for (int k = 0; k < c.model->constraints.n; ++k) {
        CHECK(t, c.tree->in_tree[k]);
    }
    free(placed);
    case_free(&c);
}

/* At zero the state that the coordinates count from comes back, signs of Euler parameters and all.
 */
TEST(zero_is_where_it_began)
{
    Case c = case_create(t, forest);
    TmlState *now = &c.sim->it.now, *s = &c.sim->it.next;
    tml_state_copy(c.sys, now, s);
    memset(s->q, 0, (size_t)c.sys->dim.nq * sizeof *s->q);
    memset(c.x, 0, (size_t)c.tree->n * sizeof *c.x);
    tml_tree_positions(c.tree, c.x, s);
    for (int k = 0; k < c.sys->dim.nq; ++k) {
        CHECK_NEAR(t, s->q[k], now->q[k], 1e-13); // rounding of a dozen joints in a row
    }
    case_free(&c);
}

/* Whatever the coordinates, the joints of the tree hold. */
TEST(joints_hold)
{
    Case c = case_create(t, forest);
    TmlState *s = &c.sim->it.next;
    double violation[3];
    tml_state_copy(c.sys, &c.sim->it.now, s);
    place(&c, 0.0, s);
    memset(s->a, 0, (size_t)c.sys->dim.nq * sizeof *s->a);
    tml_system_violation(c.sys, s, violation);
    // the assembled start leaves 1e-14, twelve joints add their rounding
    CHECK_NEAR(t, violation[0], 0.0, 1e-12);
    CHECK_NEAR(t, violation[1], 0.0, 1e-12);
    case_free(&c);
}

/* Velocities against differences of positions; second rates from differences of velocities. With a
 * third derivative of about 10 a central difference at 1e-4 is off by 2e-8, and rounding over the
 * step adds 1e-11. */
TEST(rates_match_differences)
{
    static const double h = 1e-4, off = 1e-6;
    Case c = case_create(t, forest);
    TmlState *s = &c.sim->it.next, *now = &c.sim->it.now;
    const size_t bytes = (size_t)c.sys->dim.nq * sizeof(double);
    double *q = malloc(bytes), *v = malloc(bytes);
    tml_state_copy(c.sys, now, s);
    place(&c, h, s);
    memcpy(q, s->q, bytes);
    memcpy(v, s->v, bytes);
    place(&c, -h, s);
    for (int k = 0; k < c.sys->dim.nq; ++k) {
        q[k] = (q[k] - s->q[k]) / (2.0 * h);
        v[k] = (v[k] - s->v[k]) / (2.0 * h);
    }
    place(&c, 0.0, s);
    for (int k = 0; k < c.sys->dim.nq; ++k) {
        CHECK_NEAR(t, s->v[k], q[k], off * (1.0 + fabs(q[k])));
    }
    tml_tree_accelerations(c.tree, c.x, c.x1, c.x2, s);
    for (int k = 0; k < c.sys->dim.nq; ++k) {
        CHECK_NEAR(t, s->a[k], v[k], 10 * off * (1.0 + fabs(v[k])));
    }
    tml_tree_read_rates(c.tree, s, c.x, c.y);
    for (int k = 0; k < c.tree->n; ++k) {
        CHECK_NEAR(t, c.y[k], c.x1[k], 1e-12); // the same numbers there and back
    }
    tml_tree_read_second(c.tree, s, c.x, c.x1, c.y);
    for (int k = 0; k < c.tree->n; ++k) {
        CHECK_NEAR(t, c.y[k], c.x2[k], 1e-11); // there and back, accelerations of up to 100
    }
    free(q);
    free(v);
    case_free(&c);
}

/* A rotation vector told from another base: same rotation, angular velocity and acceleration. */
TEST(rotation_vectors_change_base)
{
    Case c = case_create(t, "models/closed_forms/steady_top.yaml");
    TmlState *s = &c.sim->it.next;
    const size_t bytes = (size_t)c.sys->dim.nq * sizeof(double);
    double *q = malloc(bytes), *v = malloc(bytes);
    TmlVec3 base;
    tml_state_copy(c.sys, &c.sim->it.now, s);
    place(&c, 0.0, s);
    memcpy(q, s->q, bytes);
    memcpy(v, s->v, bytes);
    TmlError err = {0};
    CHECK_OK(t, tml_system_accelerations(c.sys, s, &err), &err);
    tml_tree_read_second(c.tree, s, c.x, c.x1, c.x2);
    const int k = tml_tree_rebase(c.tree, c.x, -1, &base);
    CHECK_INT(t, k, 0);
    CHECK_INT(t, tml_tree_rebase(c.tree, c.x, k, &base), -1);
    const int x0 = c.tree->joint[0].x0 + c.tree->joint[0].n_along;
    // another point of the history, not the base itself
    TmlVec3 near = base;
    near.x += 0.2;
    c.x[x0] -= 0.2;
    tml_tree_rotate(base, c.x + x0, c.x1 + x0, c.x2 + x0);
    tml_tree_rotate((TmlVec3){-base.x, -base.y, -base.z}, c.x + x0, c.x1 + x0, c.x2 + x0);
    c.x[x0] += 0.2;
    CHECK_NEAR(t, c.x[x0], base.x, 1e-14); // there and back: some tens of roundings
    c.x[x0] = base.x;
    tml_tree_rotate(base, c.x + x0, c.x1 + x0, c.x2 + x0);
    double rates[3], second[3];
    memcpy(rates, c.x1 + x0, sizeof rates);
    memcpy(second, c.x2 + x0, sizeof second);
    tml_tree_positions(c.tree, c.x, s);
    tml_tree_velocities(c.tree, c.x1, s);
    for (int i = 0; i < c.sys->dim.nq; ++i) {
        CHECK_NEAR(t, s->q[i], q[i], 1e-14); // rounding
        CHECK_NEAR(t, s->v[i], v[i], 1e-13);
    }
    tml_tree_read_second(c.tree, s, c.x, c.x1, c.y);
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(t, c.y[x0 + i], second[i], 1e-11); // accelerations of about 100
        CHECK_NEAR(t, c.x1[x0 + i], rates[i], 0.0);
    }
    free(q);
    free(v);
    case_free(&c);
}

/* Loops close from moved coordinates, the independent ones stay, and all rows hold, redundant ones
 * too. */
static void check_loops(TestCtx *t, const char *path, int n, double size)
{
    Case c = case_create(t, path);
    TmlState *s = &c.sim->it.next;
    TmlError err = {0};
    TmlCut *cut = NULL;
    double violation[3];
    t->name = path;
    CHECK_OK(t, tml_cut_create(c.tree, &c.sim->it.now, &cut, &err), &err);
    memset(c.y, 0, (size_t)c.tree->n * sizeof *c.y);
    tml_state_copy(c.sys, &c.sim->it.now, s);
    s->t = c.sim->it.now.t;
    CHECK_OK(t, tml_cut_choose(cut, c.y, s, &err), &err);
    CHECK_INT(t, tml_cut_count(cut), n);
    for (int k = 0; k < c.tree->n; ++k) {
        c.x[k] *= size * c.sys->dim.length;
        c.x2[k] = c.x[k];
    }
    CHECK(t, tml_cut_positions(cut, c.x, s));
    CHECK(t, tml_cut_velocities(cut, c.x1, s));
    for (int k = 0; k < n; ++k) {
        const int i = tml_cut_index(cut)[k];
        CHECK_NEAR(t, c.x[i], c.x2[i], 1e-15); // not touched: the rounding of one product
    }
    CHECK_OK(t, tml_system_accelerations(c.sys, s, &err), &err);
    tml_system_violation(c.sys, s, violation);
    // rounding, times the condition of the rows
    CHECK_NEAR(t, violation[0], 0.0, 1e-13);
    CHECK_NEAR(t, violation[1], 0.0, 1e-12);
    CHECK_NEAR(t, violation[2], 0.0, 1e-11);
    tml_cut_free(cut);
    case_free(&c);
    t->name = NULL;
}

TEST(loops_close)
{
    check_loops(t, "models/cases/iftomm_a02_four_bar.yaml", 1, 0.01);
    check_loops(t, "models/cases/andrews.yaml", 1, 0.01);
    check_loops(t, "models/cases/iftomm_a04_bricard.yaml", 1, 0.01);
    check_loops(t, "models/cases/revolute_spherical_1.yaml", 4, 0.01);
    check_loops(t, "models/closed_forms/four_bar.yaml", 0, 0.01);
    check_loops(t, "models/closed_forms/pendulum.yaml", 1, 0.01);
}

TEST_SUITE(tree) = {CASE(all_bodies_hang),
                    CASE(zero_is_where_it_began),
                    CASE(joints_hold),
                    CASE(rates_match_differences),
                    CASE(rotation_vectors_change_base),
                    CASE(loops_close),
                    {0}};
