/* tests/system/test_share.c - reactions that redundancy leaves open: loops, the rule by which they
 * are shared, and derivatives through it.
 */
#include "stage_probe.h"
#include "step_probe.h"

#include "system/redundancy/share.h"
#include "system/system_internal.h"

#define PIN(friction, joint)                                                                       \
    "  " friction ": {type: friction, joint: " joint ", static: 0.3, dynamic: 0.2,\n"              \
    "       static_velocity: 0.01, dynamic_velocity: 0.1, radius: 0.05}\n"

/* A four-bar in a plane that is askew, with friction in its pins and a force that reads one. */
static const char four_bar[] =
    "trammel: 1\n"
    "gravity: [1, -9.81, 2]\n"
    "bodies:\n"
    "  crank: {mass: 0.5, inertia: [0.001, 0.01, 0.01], cm: [0.15, 0, 0.1],\n"
    "          rotation: {axis: z, angle: 1.2}, angular_velocity: [0, 0, 5]}\n"
    "  rod: {mass: 1, inertia: [0.001, 0.1, 0.1], position: [0.35, 0.5, 0],\n"
    "        rotation: {axis: z, angle: 0.5}}\n"
    "  rocker: {mass: 0.8, inertia: [0.001, 0.05, 0.05], cm: [0.3, 0, 0],\n"
    "           position: [0.9, 0, 0], rotation: {axis: z, angle: 1.7}}\n"
    "joints:\n"
    "  A: {type: revolute, frames: [ground, crank]}\n"
    "  B: {type: revolute, frames: [{body: crank, position: [0.3, 0, 0]},\n"
    "                               {body: rod, position: [-0.45, 0, 0]}]}\n"
    "  C: {type: revolute, frames: [{body: rod, position: [0.45, 0, 0]},\n"
    "                               {body: rocker, position: [0.6, 0, 0]}]}\n"
    "  D: {type: revolute, frames: [{body: ground, position: [0.9, 0, 0]}, rocker]}\n"
    "variables: {load: reaction(C).fm + 0.1*reaction(B).ty}\n"
    "forces:\n" PIN("rub_a", "A") PIN("rub_c", "C")
        PIN("rub_d", "D") "  push: {type: force, body: rod, fx: 0.1*load + 0.02*reaction(D).fz}\n";

/* Two groups of redundant joints that share the body `arm`, and a joint between that is in none. */
static const char two_loops[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.4, 0, 0]}\n"
    "  leaf: {mass: 0.5, inertia: [0.02, 0.03, 0.04], position: [1, 0.2, 0]}\n"
    "  tail: {mass: 0.2, inertia: [0.01, 0.01, 0.01], position: [1.5, 0.2, 0]}\n"
    "joints:\n"
    "  a1: {type: revolute, bodies: [ground, arm], at: [0, 0, 0.5], axis: z}\n"
    "  b1: {type: revolute, bodies: [arm, leaf], at: [0.8, 0, -0.1], axis: z}\n"
    "  a2: {type: revolute, bodies: [ground, arm], at: [0, 0, -0.5], axis: z}\n"
    "  t: {type: spherical, bodies: [leaf, tail], at: [1.2, 0.2, 0]}\n"
    "  b2: {type: revolute, bodies: [arm, leaf], at: [0.8, 0, 0.1], axis: z}\n"
    "forces:\n" PIN("rub", "b2");

static TmlModel *load(TestCtx *t, const char *text)
{
    TmlModel *model = NULL;
    TmlError err;
    CHECK_OK(t, tml_load_text(text, "test", 0, NULL, NULL, &model, &err), &err);
    return model;
}

/* A probe whose positions are those of the assembled model. */
static Probe open_assembled(TestCtx *t, TmlModel *model, const ProbeKind *kind)
{
    Probe p = probe_open(t, model, kind);
    TmlArena notes_arena = {0};
    TmlNotes notes = {.arena = &notes_arena};
    TmlError err;
    CHECK_OK(t, tml_system_assemble(p.sys, &p.s, NULL, &notes, &err), &err);
    CHECK_OK(t, kind->build != NULL ? kind->build(p.sys, &err) : TML_OK, &err);
    tml_mem_free(notes.text);
    tml_arena_free(&notes_arena);
    return p;
}

static void draw_rates(TestCtx *t, Probe *p)
{
    const TmlSystem *sys = p->sys;
    p->kind->random_rates(t, p);
    for (int k = 3 * sys->dim.nq; k < sys->dim.size; ++k) {
        p->s.data[k] = test_random(t, -1, 1);
    }
    for (int row = 0; row < sys->dim.m_all; ++row) {
        p->s.lambda[row] = sys->row_unknown[row] >= 0 ? 5.0 * p->s.lambda[row] : 0.0;
    }
    for (int k = 0; k < sys->dim.n; ++k) {
        p->z[k] = test_random(t, -1, 1);
    }
}

/* Both matrices against differences where redundant rows are dependent: on the constraints. */
static void check_matrices(TestCtx *t, const char *text)
{
    const ProbeKind *const kinds[] = {&step_kind, &stage_kind};
    for (int k = 0; k < 2; ++k) {
        TmlModel *model = load(t, text);
        Probe p = open_assembled(t, model, kinds[k]);
        CHECK(t, p.sys->share != NULL);
        for (int n = 0; n < 3; ++n) {
            draw_rates(t, &p);
            probe_check(t, &p);
        }
        probe_close(&p);
        tml_model_free(model);
    }
}

TEST(derivatives_of_a_plane_loop)
{
    check_matrices(t, four_bar);
}

TEST(derivatives_of_two_loops)
{
    check_matrices(t, two_loops);
}

TEST(loops_are_told_apart)
{
    TmlModel *model = load(t, two_loops);
    Probe p = open_assembled(t, model, &step_kind);
    const TmlShare *share = p.sys->share;
    CHECK_INT(t, share->n_groups, 2);
    CHECK_INT(t, share->group_of[0], share->group_of[2]);
    CHECK_INT(t, share->group_of[1], share->group_of[4]);
    CHECK(t, share->group_of[0] != share->group_of[1]);
    CHECK_INT(t, share->group_of[3], -1);
    CHECK_INT(t, share->group[0].n_open, 5);
    CHECK_INT(t, share->group[1].n_open, 5);
    // half the distances of the joints; exact but for rounding
    CHECK_NEAR(t, share->group[0].length, 0.5, 1e-12);
    CHECK_NEAR(t, share->group[1].length, 0.1, 1e-12);
    probe_close(&p);
    tml_model_free(model);
}

/* J^T lambda of all rows, in u. */
static void forces_of(TmlSystem *sys, double time, const double *lambda, double *r)
{
    memset(r, 0, (size_t)sys->dim.nu * sizeof *r);
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        const int n = sys->model->constraints.at[c].n_ends;
        const double *Ju = tml_constraint_rows(sys, c, time);
        for (int k = 0; k < sys->model->constraints.at[c].type->rows * n; ++k) {
            const TmlParts *p = tml_end_parts(sys, sys->constraint[c].end0 + k % n);
            for (int j = 0; j < p->cols; ++j) {
                r[tml_parts_unknown(sys, p, j)] += lambda[sys->constraint[c].row0 + k / n] *
                                                   Ju[(size_t)k * (size_t)sys->stride + (size_t)j];
            }
        }
    }
}

static double norm_of(const TmlShare *share, const double *lambda)
{
    double sum = 0.0;
    for (int r = 0; r < share->n_rows; ++r) {
        const double x = share->size[r] * lambda[share->row[r]];
        sum += x * x;
    }
    return sum;
}

/* (R1): the forces stay, the norm is least, and what is shared once stays as it is. */
TEST(smallest_with_the_same_forces)
{
    TmlModel *model = load(t, four_bar);
    Probe p = open_assembled(t, model, &step_kind);
    TmlSystem *sys = p.sys;
    double before[64], after[64];
    CHECK(t, sys->dim.nu <= 64);
    draw_rates(t, &p);
    tml_system_kinematics(sys, &p.s, false);
    forces_of(sys, p.s.t, p.s.lambda, before);
    const double given = norm_of(sys->share, p.s.lambda);
    tml_share_seen(sys->share, &p.s);
    const double first = norm_of(sys->share, p.s.lambda);
    CHECK(t, given == 0.0 || first > 0.0); // sizes are known from here on
    TmlError err;
    CHECK_OK(t, tml_system_min_norm_lambda(sys, &p.s, &err), &err);
    forces_of(sys, p.s.t, p.s.lambda, after);
    for (int k = 0; k < sys->dim.nu; ++k) {
        CHECK_NEAR(t, after[k], before[k], 1e-11); // rounding; the model is closed to 1e-13
    }
    const double least = norm_of(sys->share, p.s.lambda);
    CHECK(t, least < first);
    // along every null vector the norm grows to both sides
    const TmlShareGroup *group = &sys->share->group[0];
    for (int j = 0; j < group->n_open; ++j) {
        for (int side = -1; side <= 1; side += 2) {
            double other[64];
            memcpy(other, p.s.lambda, (size_t)sys->dim.m_all * sizeof *other);
            for (int r = 0; r < sys->share->n_rows; ++r) {
                other[sys->share->row[r]] +=
                    side * 1e-3 * sys->share->Q[j * sys->share->n_rows + r] / sys->share->size[r];
            }
            CHECK(t, norm_of(sys->share, other) > least);
        }
    }
    const double *again = tml_share_seen(sys->share, &p.s);
    for (int k = 0; k < sys->dim.m_all; ++k) {
        CHECK_NEAR(t, again[k], p.s.lambda[k], 1e-12);
    }
    probe_close(&p);
    tml_model_free(model);
}

/* K parallelograms in a row, three redundant rows each in one group of joints, posts askew. */
static TmlModel *load_windows(TestCtx *t, int K)
{
    static const char text[] =
        "trammel: 1\n"
        "parameters: {K: 2, c: cos(0.3), s: sin(0.3)}\n"
        "gravity: [1, -9.81, 2]\n"
        "bodies:\n"
        "  for k in 0..K:\n"
        "    \"post{k}\": {mass: 1, inertia: [0.1, 0.01, 0.1], position: [k + 0.5*s, 0.5*c, 0]}\n"
        "  for k in 1..K:\n"
        "    \"beam{k}\": {mass: 1, inertia: [0.01, 0.1, 0.1], position: [k - 0.5 + s, c, 0]}\n"
        "joints:\n"
        "  for k in 0..K:\n"
        "    \"A{k}\": {type: revolute, bodies: [ground, \"post{k}\"], at: [k, 0, 0], axis: z}\n"
        "  for k in 1..K:\n"
        "    \"B{k}\": {type: revolute, bodies: [\"post{k-1}\", \"beam{k}\"], at: [k - 1 + s, c, "
        "0],\n"
        "             axis: z}\n"
        "    \"C{k}\": {type: revolute, bodies: [\"beam{k}\", \"post{k}\"], at: [k + s, c, 0],\n"
        "             axis: z}\n";
    const char *const name = "K";
    const double value = K;
    TmlModel *model = NULL;
    TmlError err;
    CHECK_OK(t, tml_load_text(text, "windows", 1, &name, &value, &model, &err), &err);
    return model;
}

/* (R8): with many redundant rows there is no Q. What is taken out of random multipliers does no
 * forces and is at right angles to what stays; taken out again it is all; and the projector has
 * the rank of the rows left out, which is its trace. */
TEST(many_redundant_rows)
{
    enum { K = 30, ROWS = 5 * (3 * K + 1), COLS = 6 * (2 * K + 1) };
    TmlModel *model = load_windows(t, K);
    Probe p = open_assembled(t, model, &step_kind);
    TmlShare *share = p.sys->share;
    double x[ROWS], n[ROWS], again[ROWS], force[COLS] = {0}, trace = 0.0, along = 0.0;
    CHECK(t, share != NULL && share->large && share->Q == NULL);
    CHECK_INT(t, share->n_rows, ROWS);
    CHECK_INT(t, share->n_cols, COLS);
    CHECK_INT(t, share->depth, 3 * K);
    tml_system_kinematics(p.sys, &p.s, false);
    CHECK(t, tml_share_renew(share, p.s.t));
    for (int r = 0; r < ROWS; ++r) {
        x[r] = test_random(t, -1, 1);
    }
    tml_share_open_part(share, x, n);
    tml_share_open_part(share, n, again);
    for (int r = 0; r < ROWS; ++r) {
        CHECK_NEAR(t, again[r], n[r], 1e-10); // rounding of solutions with |c| of some ten
        along += n[r] * (x[r] - n[r]);
        for (int k = share->first[r]; k < share->first[r + 1]; ++k) {
            force[share->col[k]] += n[r] * share->value[k];
        }
    }
    CHECK_NEAR(t, along, 0.0, 1e-9);
    for (int k = 0; k < COLS; ++k) {
        CHECK_NEAR(t, force[k], 0.0, 1e-10);
    }
    for (int r = 0; r < ROWS; ++r) {
        memset(x, 0, sizeof x);
        x[r] = 1.0;
        tml_share_open_part(share, x, n);
        trace += n[r];
    }
    CHECK_NEAR(t, trace, 3 * K, 1e-8);
    probe_close(&p);
    tml_model_free(model);
}

TEST_SUITE(share) = {CASE(derivatives_of_a_plane_loop), CASE(derivatives_of_two_loops),
                     CASE(loops_are_told_apart),        CASE(smallest_with_the_same_forces),
                     CASE(many_redundant_rows),         {0}};
