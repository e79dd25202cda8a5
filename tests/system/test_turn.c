/* tests/system/test_turn.c - (R1): factors made before a body turned. */
#include "analysis/study.h"

#include "math/vec3.h"
#include "system/flexible/turn.h"
#include "system/system_internal.h"

typedef struct Body {
    const char *name, *flexible;
    bool plane; /* bends and turns about z only: a cable does not know its twist */
} Body;

static const Body bodies[] = {
    {"cable",
     "{type: cable, arc: {centre: [0, 0, 0], start: [1, 0, 0], axis: [0, 0, 1], angle: 1}, "
     "elements: 4, material: {E: 2e9, density: 1000}, section: {radius: 5e-3}}",
     true},
    {"beam2d",
     "{type: beam2d, line: [[0, 0, 0], [1, 0, 0]], elements: 4, material: {E: 2e9, nu: 0.3, "
     "density: 1000}, section: {height: 0.02, width: 0.01}}",
     true},
    {"beam",
     "{type: beam, formulation: elastic_line, line: [[0, 0, 0], [1, 0, 0]], elements: 4, "
     "material: {E: 2e9, nu: 0.3, density: 1000}, section: {height: 0.02, width: 0.01}}",
     false},
    {"beam3",
     "{type: beam3, line: [[0, 0, 0], [1, 0, 0]], elements: 3, material: {E: 2e9, nu: 0.3, "
     "density: 1000}, section: {height: 0.02, width: 0.01}}",
     false},
    {"plate",
     "{type: plate, patch: {origin: [0, 0, 0], x: [1, 0, 0], y: [0, 1, 0]}, elements: [2, 2], "
     "material: {E: 2e9, nu: 0.3, density: 1000}, section: {thickness: 0.02}}",
     false},
};

static TmlModel *free_body(TestCtx *t, const Body *b)
{
    char text[512];
    snprintf(text, sizeof text, "trammel: 1\nflexible:\n  it: %s\n", b->flexible);
    return study_model(t, text);
}

/* All coordinates are vectors, of two or three components. */
static void turn_all(const TmlSystem *sys, const TmlMat33 *R, double *q)
{
    for (int b = 1; b < sys->dim.nb; ++b) {
        const int n =
            (b + 1 < sys->dim.nb ? sys->dim.span[b + 1].q0 : sys->dim.nq) - sys->dim.span[b].q0;
        double *x = q + sys->dim.span[b].q0;
        if (n >= 2) {
            const TmlVec3 v = m3_mulv(R, v3(x[0], x[1], n > 2 ? x[2] : 0.0));
            const double out[3] = {v.x, v.y, v.z};
            memcpy(x, out, (size_t)n * sizeof *x);
        }
    }
}

static double worst(int n, const double *a, const double *b)
{
    double off = 0.0;
    for (int k = 0; k < n; ++k) {
        off = fmax(off, fabs(a[k] - b[k]));
    }
    return off;
}

/* A step matrix in which the stiffness outweighs the mass by far. */
static void matrix(TmlSystem *sys, const TmlState *s, double *r)
{
    tml_system_residual(sys, s, TML_LEVEL_POSITION, r);
    tml_system_jacobian(sys, s, (TmlCoeffs){.a = 1.0, .v = 5e-3, .q = 2.5e-5}, 5e-3);
}

/* Strained at random, then turned by a large angle as a whole: the turned factors are exact, those
 * of before are useless. */
static void check_body(TestCtx *t, const Body *b)
{
    TmlModel *model = free_body(t, b);
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlSystem *sys = sim->sys;
    TmlState *s = &sim->it.now;
    TmlTurn *turn;
    TmlError err = {0};
    double *x = calloc(3 * (size_t)sys->dim.n, sizeof *x), *r = x + sys->dim.n,
           *plain = r + sys->dim.n;
    t->name = b->name;
    CHECK_OK(t, tml_turn_create(sys, &sys->arena, &turn, &err), &err);
    CHECK(t, turn != NULL && sys->dim.m == 0);
    for (int k = 0; k < sys->dim.nq; ++k) {
        s->q[k] +=
            b->plane && sys->dim.nq % 3 == 0 && k % 3 == 2 ? 0.0 : test_random(t, -1e-3, 1e-3);
        s->v[k] = 0.0;
    }
    matrix(sys, s, r);
    CHECK(t, tml_system_factor(sys, TML_FACTORS_STEP) < 0);
    tml_turn_mark(turn, sys);

    const TmlMat33 R = q4_matrix(q4_exp(b->plane ? v3(0, 0, 0.7) : v3(0.3, -0.5, 0.4)));
    turn_all(sys, &R, s->q);
    matrix(sys, s, r);
    for (int k = 0; k < sys->dim.n; ++k) {
        x[k] = test_random(t, -1.0, 1.0);
    }
    memset(r, 0, (size_t)sys->dim.n * sizeof *r);
    tml_csc_mul(&sys->matrix[TML_MATRIX_STEP].K, x, r);
    memcpy(plain, r, (size_t)sys->dim.n * sizeof *r);
    tml_system_solve(sys, TML_FACTORS_STEP, plain);
    CHECK(t, worst(sys->dim.n, plain, x) > 0.1);
    // the angle of the rotation vector; its cosine is exact to 1e-16, the angle to 1e-15
    CHECK_NEAR(t, tml_turn_update(turn, sys), b->plane ? 0.7 : sqrt(0.5), 1e-12);
    tml_turn_solve(turn, sys, r);
    // rounding times the condition of the matrix, at most 1e7 of these meshes
    CHECK_NEAR(t, worst(sys->dim.n, r, x), 0.0, 1e-8);
    free(x);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(a_turn_of_the_whole_body_leaves_factors_exact)
{
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; ++k) {
        check_body(t, &bodies[k]);
    }
}

TEST(rigid_bodies_have_nothing_that_turns)
{
    TmlModel *model = study_model(t, "models/double_pendulum.yaml");
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlError err = {0};
    TmlTurn *turn;
    CHECK_OK(t, tml_turn_create(sim->sys, &sim->sys->arena, &turn, &err), &err);
    CHECK(t, turn == NULL);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(turn) = {CASE(a_turn_of_the_whole_body_leaves_factors_exact),
                    CASE(rigid_bodies_have_nothing_that_turns),
                    {0}};
