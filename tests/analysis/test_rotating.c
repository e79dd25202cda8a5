/* tests/analysis/test_rotating.c - equilibrium and modes in a frame that turns.
 *
 * Closed forms: hinged rigid blades, the rotor of Jeffcott and Laval, a spinning top seen from its
 * own axes, the rotating string. Flapping of rotating cantilevers is that of (E I w'')'' - (T w')'
 * = m s^2 w, solved by shooting with 800 steps; in the plane w^2 is less by the rate squared.
 */
#include "linear_models.h"

#include "analysis/linear/spin.h"
#include "robust/robust_util.h"

/* A model with a frame that turns about z. */
static bool spinning_case(TestCtx *t, const char *text, const char *speed,
                          const TmlLinearOptions *o, Case *c)
{
    char *all = NULL;
    const bool made = asprintf(&all, "%srotating_frame: {speed: %s}\n", text, speed) > 0 &&
                      case_make(t, all, true, o, c);
    free(all);
    return made;
}

/* --- the matrix of statics -------------------------------------------------------------------- */

typedef struct Probe {
    TmlSystem *sys;
    TmlState s, moved;
    double *x, *u, *dq, *plus, *minus, *exact;
} Probe;

/* r = residual at s moved by eps x, with the rates of the frame there. */
static void probe_residual(Probe *p, const TmlSpin *spin, double eps, double *r)
{
    TmlSystem *sys = p->sys;
    tml_state_copy(sys, &p->s, &p->moved);
    tml_system_expand(sys, p->s.q, p->x, p->dq);
    for (int k = 0; k < tml_dims(sys)->nq; ++k) {
        p->moved.q[k] += eps * p->dq[k];
    }
    tml_system_retract(sys, p->moved.q);
    tml_spin_rates(sys, spin, &p->moved, p->u);
    tml_system_residual(sys, &p->moved, TML_LEVEL_POSITION, r);
}

static double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed * 0x1.0p-63;
}

static void probe_check(TestCtx *t, Probe *p, const TmlSpin *spin, TmlArena *arena)
{
    TmlSystem *sys = p->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlSpinMatrix m;
    TmlError err = {0};
    const double h = 1e-5;
    double size = 0.0, off = 0.0;
    uint64_t seed = 3;
    CHECK_OK(t, tml_spin_matrix_create(sys, spin, arena, &m, &err), &err);
    for (int round = 0; round < 2; ++round) { // away from the start, then along another direction
        for (int k = 0; k < dim->nu; ++k) {
            p->x[k] = random_number(&seed);
        }
        if (round == 0) {
            probe_residual(p, spin, 0.02, p->plus);
            tml_state_copy(sys, &p->moved, &p->s);
        }
    }
    probe_residual(p, spin, h, p->plus);
    probe_residual(p, spin, -h, p->minus);
    probe_residual(p, spin, 0.0, p->exact);
    const TmlCoeffs q = {.q = 1.0, .chart = TML_CHART_ROTATION};
    tml_system_jacobian(sys, &p->s, q, 0.0);
    tml_spin_matrix_fill(&m, sys, &p->s);
    memset(p->exact, 0, (size_t)dim->n * sizeof *p->exact);
    tml_csc_mul(&m.K, p->x, p->exact);
    for (int k = 0; k < dim->n; ++k) {
        const double difference = (p->plus[k] - p->minus[k]) / (2 * h);
        size = fmax(size, fabs(difference));
        off = fmax(off, fabs(difference - p->exact[k]));
    }
    // truncation 1e-10 of third derivatives, rounding 1e-16 / 1e-5 of forces as large as the
    // stiffness; third derivatives of slender elements are those by their length, here 0.1, so 1e3
    CHECK_NEAR(t, off / size, 0.0, 1e-7);
    tml_spin_matrix_free(&m);
}

static void probe_model(TestCtx *t, const char *name)
{
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    const TmlSpin spin = {{0.4, -0.7, 9.0}, {0.1, 0.2, -0.3}};
    TmlModel *model = study_model(t, name);
    TmlSim *sim = study_sim(t, model, &o);
    TmlArena arena = {0};
    TmlError err = {0};
    t->name = name;
    if (sim != NULL) {
        TmlSystem *sys = sim->sys;
        const TmlDims *dim = tml_dims(sys);
        Probe p = {.sys = sys};
        const size_t n = (size_t)dim->n + (size_t)dim->nq;
        double *all = tml_arena_alloc(&arena, 6 * n, sizeof *all);
        p.x = all, p.u = all + n, p.dq = all + 2 * n;
        p.plus = all + 3 * n, p.minus = all + 4 * n, p.exact = all + 5 * n;
        CHECK_OK(t, tml_state_create_in(sys, &arena, &p.s, &err), &err);
        CHECK_OK(t, tml_state_create_in(sys, &arena, &p.moved, &err), &err);
        tml_state_copy(sys, &sim->it.now, &p.s);
        probe_check(t, &p, &spin, &arena);
    }
    tml_arena_free(&arena);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(matrix_matches_differences)
{
    const char *const models[] = {
        "models/cases/swept_blade.yaml",        "models/flexible/rotor.yaml",
        "models/flexible/crank_arm.yaml",       "models/flexible/space_frame.yaml",
        "models/elements/bushing.yaml",         "models/closed_forms/steady_top.yaml",
        "models/cases/iftomm_a04_bricard.yaml", blade(2),
    };
    for (size_t k = 0; k < sizeof models / sizeof models[0]; ++k) {
        probe_model(t, models[k]);
    }
}

/* --- rigid bodies ----------------------------------------------------------------------------- */

/* The closed forms of `blade`: their hinges turn with the hub, so that axes fixed in space and axes
 * that turn have the same frequencies. */
TEST(hinged_blade)
{
    const double W = 7, m = 2, R = 0.3, l = 0.6;
    const double lag = W * sqrt(m * l * R / (0.33 + m * l * l));
    const double flap = W * sqrt((m * l * (R + l) + 0.33 - 0.05) / (0.3 + m * l * l));
    for (int k = 0; k < 2; ++k) {
        Case c;
        if (spinning_case(t, blade(k), "7", NULL, &c)) {
            check_mode(t, &c, 0.0, k == 0 ? lag : flap, EIGENVALUE);
            CHECK_NEAR(t, c.info.speed, 0.0, 1e-11); // rounding
            // the tolerance of the equilibrium, 1e-10, of accelerations of W^2 (R + l) = 44 m/s^2
            CHECK_NEAR(t, c.info.acceleration, 0.0, 1e-8);
            // rounding
            CHECK_NEAR(t, c.info.unsteady, 0.0, 1e-11);
        }
        case_free(&c);
    }
}

/* A disc of mass m on a shaft that bends alike in all directions, centre of mass off by eps. */
static const char jeffcott[] =
    "trammel: 1\n"
    "parameters: {W: 30, eps: 0}\n"
    "bodies:\n"
    "  disc: {mass: 2, inertia: [0.01, 0.01, 0.018], cm: [eps, 0, 0], angular_velocity: [0, 0, "
    "W],\n"
    "         velocity: [0, -eps*W, 0]}\n"
    "forces:\n"
    "  shaft: {type: bushing, frames: [ground, disc], stiffness: [5000, 5000, 8000, 40, 40, 0]}\n";

/* At rest 50 rad/s; seen from the disc 50 - W forwards and 50 + W backwards. Tilting: with axes
 * fixed in space I_t s^2 - I_s W s - k = 0, less W in axes that turn. */
TEST(whirl)
{
    const double W = 30, root = sqrt(pow(0.018 * W, 2) + 4 * 0.01 * 40);
    Case c;
    if (spinning_case(t, jeffcott, "30", NULL, &c)) {
        CHECK_INT(t, c.info.degrees_of_freedom, 6);
        check_mode(t, &c, 0.0, 50 - W, EIGENVALUE);
        check_mode(t, &c, 0.0, 50 + W, EIGENVALUE);
        check_mode(t, &c, 0.0, sqrt(4000), EIGENVALUE);
        check_mode(t, &c, 0.0, (0.018 * W + root) / 0.02 - W, EIGENVALUE);
        check_mode(t, &c, 0.0, (root - 0.018 * W) / 0.02 + W, EIGENVALUE);
    }
    case_free(&c);
}

/* Bow of the shaft eps W^2 / (50^2 - W^2), below and above the critical speed. */
TEST(unbalance)
{
    static const struct {
        double speed;
        bool above;
    } cases[] = {{30, false}, {45, false}, {70, true}};
    const double eps = 0.001;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        char text[1024];
        const double W = cases[k].speed, bow = eps * W * W / (2500 - W * W);
        TmlError err = {0};
        TmlStaticsInfo info = {0};
        const TmlSimOptions o = study_options(1.0, 1.0, NULL);
        snprintf(text, sizeof text, "%srotating_frame: {speed: %g}\n", jeffcott, W);
        char *number = strstr(text, "eps: 0");
        memmove(number + 10, number + 6, strlen(number + 6) + 1);
        memcpy(number, "eps: 0.001", 10);
        TmlModel *model = study_model(t, text);
        TmlSim *sim = study_sim(t, model, &o);
        if (sim != NULL) {
            CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
            const TmlBodyState s = tml_row_body(sim, 1);
            // 1e-10 of the size of the model, which is no more than 1 m here
            CHECK_NEAR(t, s.position.x, bow + eps, 1e-9);
            CHECK_NEAR(t, s.position.y, 0.0, 1e-9);
            CHECK_NEAR(t, s.velocity.y, W * (bow + eps), 1e-9 * W);
            CHECK_NEAR(t, s.omega.z, W, 1e-12);
            CHECK_INT(t, info.negative, cases[k].above ? 2 : 0); // no minimum: Coriolis holds it
            CHECK_INT(t, info.unstable, 0);
        }
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* --- flexible bodies -------------------------------------------------------------------------- */

/* Tension m W^2 (L^2 - x^2) / 2 alone: W^2 k (2 k - 1) across the plane, W^2 less in it. */
TEST(string)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 10]}\n"
        "flexible:\n"
        "  rope: {type: cable, line: [[0, 0, 0], [2, 0, 0]], elements: 8, start: {pin: hub},\n"
        "         material: {E: 1e9, density: 1000}, section: {radius: 1e-4}}\n"
        "joints:\n"
        "  axle: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: axle, function: 10*time}\n";
    static const double square[] = {1, 6, 15};
    TmlLinearOptions o = tml_linear_options_default();
    Case c;
    o.modes = 8;
    if (spinning_case(t, text, "10", &o, &c)) {
        for (int k = 0; k < 3; ++k) {
            // cubic elements, 8 of them: 1e-3 at a wave of 2.5 elements a quarter; bending
            // stiffness E I / (m W^2 L^4) = 1.6e-6 raises the third by less
            const double flap = 10 * sqrt(square[k]), lag = 10 * sqrt(square[k] - 1);
            check_mode(t, &c, 0.0, flap, 1e-3 * flap);
            check_mode(t, &c, 0.0, lag, k == 0 ? 1e-3 : 1e-3 * lag);
        }
        // what the tolerance of statics leaves: 2e-8 was measured
        CHECK_NEAR(t, c.info.unsteady, 0.0, 2e-7);
    }
    case_free(&c);
}

/* Cantilever with equal stiffness both ways, hub of no radius: frequencies over sqrt(E I / m L^4)
 * at rates 0, 5, 12 of the same measure. */
TEST(rotating_cantilever)
{
    static const struct {
        double rate, flap[3];
    } table[] = {{0, {3.51602, 22.03449, 61.69721}},
                 {5, {6.44954, 25.44608, 65.20504}},
                 {12, {13.17015, 37.60311, 79.61448}}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
        char text[1024];
        const double unit = sqrt(1e9 * 1e-8 / 12 / (1000 * 1e-4));
        TmlLinearOptions o = tml_linear_options_default();
        Case c;
        snprintf(text, sizeof text,
                 "trammel: 1\n"
                 "parameters: {W: %.17g}\n"
                 "bodies:\n"
                 "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, W]}\n"
                 "flexible:\n"
                 "  arm: {type: cable, line: [[0, 0, 0], [1, 0, 0]], elements: 8,\n"
                 "        start: {clamp: hub}, material: {E: 1e9, density: 1000},\n"
                 "        section: {width: 0.01, height: 0.01}}\n"
                 "joints:\n"
                 "  axle: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
                 "  drive: {type: motion, joint: axle, function: W*time}\n",
                 table[i].rate * unit);
        o.modes = 6;
        if (spinning_case(t, text, "W", &o, &c)) {
            for (int k = 0; k < 3; ++k) {
                const double flap = table[i].flap[k];
                const double lag = sqrt(flap * flap - table[i].rate * table[i].rate);
                // cubic elements: (beta h)^4 / 720 = 1.3e-3 of the third mode's square, half of it
                // in the frequency; stretch by W^2 m L^2 / (3 E A) = 4e-4 at the highest rate
                check_mode(t, &c, 0.0, flap * unit, 1e-3 * flap * unit);
                check_mode(t, &c, 0.0, lag * unit, 1.5e-3 * lag * unit);
            }
        }
        case_free(&c);
    }
}

/* The plane element has the modes in the plane alone. */
TEST(plane_beam)
{
    static const char text[] =
        "trammel: 1\n"
        "parameters: {W: 14.433756729740644}\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, W]}\n"
        "flexible:\n"
        "  arm: {type: beam2d, line: [[0, 0, 0], [1, 0, 0]], elements: 16,\n"
        "        start: {clamp: hub}, material: {E: 1e9, nu: 0, density: 1000},\n"
        "        section: {width: 0.01, height: 0.01}}\n"
        "joints:\n"
        "  axle: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
        "  drive: {type: motion, joint: axle, function: W*time}\n";
    TmlLinearOptions o = tml_linear_options_default();
    Case c;
    o.modes = 2;
    if (spinning_case(t, text, "W", &o, &c)) {
        const double unit = sqrt(1e9 * 1e-8 / 12 / (1000 * 1e-4));
        // as above at the rate 5, with shear and rotary inertia of L / h = 100
        check_mode(t, &c, 0.0, sqrt(pow(6.44954, 2) - 25) * unit, 4e-3 * 4.07 * unit);
        check_mode(t, &c, 0.0, sqrt(pow(25.44608, 2) - 25) * unit, 6e-3 * 25 * unit);
    }
    case_free(&c);
}

/* The sparse method on the blade with a swept tip: an independent model of geometrically exact
 * beams (docs/evidence/rotating_blade.md) has these frequencies at 45 degrees and 750 rpm. */
TEST(swept_blade)
{
    static const double hertz[] = {13.5644, 24.9004, 26.0797, 42.9938};
    const TmlSimOptions so = study_options(1.0, 1.0, NULL);
    const char *const names[] = {"sweep", "n", "damping"};
    const double values[] = {pi / 4, 4, 0};
    TmlLinearOptions o = tml_linear_options_default();
    TmlStaticsInfo info;
    TmlError err = {0};
    TmlModel *model = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/models/cases/swept_blade.yaml", TRAMMEL_SOURCE_DIR);
    TmlLoadOptions lo = tml_load_options_default();
    lo.n = 3;
    lo.names = names;
    lo.values = values;
    CHECK_OK(t, tml_load_with(path, &lo, &model, &err), &err);
    Case c = {.model = model, .sim = study_sim(t, model, &so)};
    if (c.sim != NULL) {
        CHECK_OK(t, tml_sim_statics(c.sim, NULL, &info, &err), &err);
        o.modes = 6;
        o.sparse = true;
        CHECK_OK(t, tml_sim_linearize(c.sim, &o, &c.lin, &err), &err);
        if (c.lin != NULL) {
            c.info = tml_linear_info(c.lin);
            for (int k = 0; k < 4; ++k) {
                // 20 elements are off by 4e-4 of the third mode without rotation
                check_mode(t, &c, 0.0, 2 * pi * hertz[k], 1e-3 * 2 * pi * hertz[k]);
            }
        }
    }
    case_free(&c);
}

/* --- runs, and what does not turn ------------------------------------------------------------- */

/* A run from the equilibrium keeps the shape. */
TEST(run_goes_on)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [1, 1, 1]}\n"
        "  bead: {mass: 2, inertia: [0.01, 0.02, 0.03], position: [0.8, 0, 0]}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, hub], at: [0, 0, 0], axis: z}\n"
        "  slide: {type: translational, bodies: [hub, bead], at: [0, 0, 0], axis: x}\n"
        "forces:\n"
        "  spring: {type: spring, frames: [hub, bead], stiffness: 500, free_length: 0.7}\n"
        "outputs: {r: \"hypot(DX(bead), DY(bead))\"}\n"
        "rotating_frame: {speed: 6}\n";
    // k (r - l) = m W^2 r
    const double r = 500 * 0.7 / (500 - 2 * 36.0);
    TmlSimOptions o = study_options(1.0, 0.1, NULL);
    TmlStaticsInfo info;
    TmlError err = {0};
    o.tolerance = 1e-8;
    TmlModel *model = study_model(t, text);
    TmlSim *sim = study_sim(t, model, &o);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        CHECK_NEAR(t, tml_row_channel(sim, 0), r, 1e-9); // tolerance of statics, 1e-10
        const TmlCertificate at = tml_row_certificate(sim);
        // 43 J with the tolerance of statics
        CHECK_NEAR(t, at.kinetic, 0.5 * 36 * (1 + 0.03 + 2 * r * r), 1e-7);
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
        CHECK_NEAR(t, tml_row_channel(sim, 0), r, 1e-5); // a thousand steps, errors of 1e-8
        CHECK_NEAR(t, tml_row_certificate(sim).energy_error, 0.0, 1e-4); // as above, of 43 J
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

static void check_refused(TestCtx *t, const char *text, const char *part)
{
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlModel *model = study_model(t, text);
    TmlSim *sim = study_sim(t, model, &o);
    TmlStaticsInfo info;
    TmlError err = {0};
    if (sim != NULL) {
        CHECK_INT(t, tml_sim_statics(sim, NULL, &info, &err), TML_E_ARGUMENT);
        CHECK_HAS(t, err.message, part);
    }
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(what_cannot_turn_is_named)
{
    check_refused(
        t,
        "trammel: 1\n"
        "bodies:\n"
        "  bar: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, bar], at: [1, 0, 0], axis: z}\n"
        "rotating_frame: {speed: 3}\n",
        "joint 'pin' (revolute): translation along global y does not turn with the frame");
    check_refused(t,
                  "trammel: 1\n"
                  "bodies:\n"
                  "  bar: {mass: 1, inertia: [1, 1, 1]}\n"
                  "joints:\n"
                  "  pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}\n"
                  "  drive: {type: motion, joint: pin, function: 2*time}\n"
                  "rotating_frame: {speed: 3}\n",
                  "joint 'drive' (motion): motion does not turn with the frame");
    check_refused(t,
                  "trammel: 1\n"
                  "flexible:\n"
                  "  arm: {type: cable, line: [[1, 0, 0], [2, 0, 0]], elements: 2,\n"
                  "        start: {clamp: ground}, material: {E: 1e9, density: 1000},\n"
                  "        section: {radius: 0.01}}\n"
                  "rotating_frame: {speed: 3}\n",
                  "node 1 of flexible body 'arm' does not turn with the frame");
    check_refused(t,
                  "trammel: 1\n"
                  "flexible:\n"
                  "  arm: {type: beam2d, line: [[1, 0, 0], [2, 0, 0]], elements: 2,\n"
                  "        material: {E: 1e9, density: 1000}, section: {width: 0.1, height: 0.1}}\n"
                  "rotating_frame: {speed: 3, axis: x}\n",
                  "'arm' moves in the plane x, y only");
}

/* Weight across the axis is not that of a steady motion; along it is. */
TEST(weight_fixed_in_space)
{
    for (int k = 0; k < 2; ++k) {
        char text[2048];
        Case c;
        snprintf(text, sizeof text, "%sgravity: %s\n", blade(0), k == 0 ? "-z" : "-y");
        if (spinning_case(t, text, "7", NULL, &c)) {
            // 9.8 / (7^2 * 1.5) = 0.13 of the rate squared
            CHECK(t, k == 0 ? c.info.unsteady < 1e-8 : c.info.unsteady > 1e-2);
        }
        case_free(&c);
    }
}

/* Both methods for eigenvalues, about an equilibrium that leaves the plane. */
TEST(sparse_and_dense_agree)
{
    TmlLinearOptions o = tml_linear_options_default();
    Case dense, sparse;
    const bool first = spinning_case(t, blade(2), "7", NULL, &dense);
    o.modes = 2;
    o.sparse = true;
    if (spinning_case(t, blade(2), "7", &o, &sparse) && first) {
        CHECK(t, sparse.info.sparse && !dense.info.sparse);
        CHECK_INT(t, sparse.info.modes, 2);
        for (int k = 0; k < sparse.info.modes; ++k) {
            const TmlMode m = tml_linear_mode(sparse.lin, k);
            // eigenvalues spread by 1e3, and lose as many digits of 1e-14 in the inverse
            check_mode(t, &dense, m.real, m.imag, 1e-8 * (1.0 + fabs(m.imag)));
        }
    }
    case_free(&sparse);
    case_free(&dense);
}

/* Free spin of a rotor beside its critical speed is a double zero, on which the standard shift
 * stands: what is next to it must not be lost in rounding. */
TEST(sparse_beside_a_double_zero)
{
    TmlLinearOptions o = tml_linear_options_default();
    TmlModel *model = study_model(
        t,
        "trammel: 1\n"
        "parameters: {w: 145}\n"
        "bodies: {disc: {mass: 2, inertia: [5e-3, 2.5e-3, 2.5e-3], cm: [0, 1e-4, 0],\n"
        "                angular_velocity: [w, 0, 0]}}\n"
        "flexible:\n"
        "  l: {type: beam3, formulation: elastic_line, line: [[-0.3,0,0],[0,0,0]], elements: 4,\n"
        "      material: {E: 2.1e11, nu: 0.3, density: 7850, damping: 1e-5},\n"
        "      section: {radius: 0.006}, end: {clamp: disc}, angular_velocity: [w, 0, 0]}\n"
        "  r: {type: beam3, formulation: elastic_line, line: [[0,0,0],[0.3,0,0]], elements: 4,\n"
        "      material: {E: 2.1e11, nu: 0.3, density: 7850, damping: 1e-5},\n"
        "      section: {radius: 0.006}, start: {clamp: disc}, angular_velocity: [w, 0, 0]}\n"
        "rotating_frame: {speed: w, axis: x}\n"
        "frames: {ax: {position: [0.3, 0, 0], rotation: {z: x, x: y}}}\n"
        "joints: {bl: {type: spherical, bodies: [ground, l], at: [-0.3, 0, 0]},\n"
        "         br: {type: point_on_line, frames: [ax, r.end]}}\n");
    const TmlSimOptions run = study_options(1.0, 1.0, NULL);
    TmlSim *sim = study_sim(t, model, &run);
    TmlStaticsInfo info;
    TmlLinear *lin[2] = {NULL};
    TmlError err = {0};
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_statics(sim, NULL, &info, &err), &err);
        CHECK_OK(t, tml_sim_linearize(sim, &o, &lin[0], &err), &err);
        o.modes = 12;
        o.sparse = true;
        CHECK_OK(t, tml_sim_linearize(sim, &o, &lin[1], &err), &err);
    }
    CHECK(t, lin[1] != NULL && tml_linear_info(lin[1]).sparse);
    int compared = 0;
    for (int k = 0; lin[1] != NULL && k < tml_linear_info(lin[1]).modes; ++k) {
        const TmlMode m = tml_linear_mode(lin[1], k);
        double off = HUGE_VAL;
        for (int i = 0; i < tml_linear_info(lin[0]).modes; ++i) {
            const TmlMode d = tml_linear_mode(lin[0], i);
            off = fmin(off, hypot(m.real - d.real, m.imag - d.imag));
        }
        if (hypot(m.real, m.imag) > 0.1) { // zeros of both are rounding
            // 1e-7 of pairs that are checked
            CHECK_NEAR(t, off, 0.0, 1e-6 * hypot(m.real, m.imag));
            ++compared;
        }
    }
    CHECK(t, compared >= 9);
    tml_linear_free(lin[0]);
    tml_linear_free(lin[1]);
    tml_sim_free(sim);
    tml_model_free(model);
}

/* Frequencies in turning axes from those in fixed axes where both are right: a rigid body on
 * springs alike all round, and the whole in a frame about a parallel axis elsewhere. */
TEST(axis_elsewhere)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies:\n"
        "  hub: {mass: 1, inertia: [1, 1, 1], position: [3, 1, 0]}\n"
        "  bead: {mass: 2, inertia: [0.01, 0.02, 0.03], position: [3.8, 1, 0]}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, hub], at: [3, 1, 0], axis: z}\n"
        "  slide: {type: translational, bodies: [hub, bead], at: [3, 1, 0], axis: x}\n"
        "  drive: {type: motion, joint: pin, function: 6*time}\n"
        "forces:\n"
        "  spring: {type: spring, frames: [hub, bead], stiffness: 500, free_length: 0.7}\n"
        "rotating_frame: {speed: 6, at: [3, 1, 0]}\n";
    Case c;
    if (case_make(t, text, true, NULL, &c)) {
        check_mode(t, &c, 0.0, sqrt(250 - 36), EIGENVALUE);
        // tolerance of statics
        CHECK_NEAR(t, tml_row_body(c.sim, 2).position.x, 3 + 350 / (500 - 72.0), 1e-10);
    }
    case_free(&c);
}

/* The frame of the options takes the place of the model's; `fixed` leaves out both. */
TEST(options)
{
    TmlLinearOptions o = tml_linear_options_default();
    Case c;
    o.spin = (TmlSpin){{0, 0, 20}, {0, 0, 0}};
    if (spinning_case(t, jeffcott, "30", &o, &c)) {
        check_mode(t, &c, 0.0, 70,
                   EIGENVALUE); // seen from a frame that does not stand still beside it
        check_mode(t, &c, 0.0, 30, EIGENVALUE);
        CHECK_NEAR(t, c.info.spin.rate.z, 20, 0.0);
    }
    case_free(&c);
    o.fixed = true;
    if (spinning_case(t, jeffcott, "30", &o, &c)) {
        check_mode(t, &c, 0.0, 50, EIGENVALUE);
        CHECK_NEAR(t, c.info.spin.rate.z, 0, 0.0);
    }
    case_free(&c);
}

static TmlStatus turn_once(void *arg, TmlError *err)
{
    TmlStaticsOptions o = tml_statics_options_default();
    TmlStaticsInfo info;
    o.spin.rate = v3(0, 0, 7);
    return tml_sim_statics(arg, &o, &info, err);
}

/* Each allocation of ours fails in turn: the error says so, nothing leaks, the sim keeps its state.
 */
TEST(out_of_memory)
{
    const TmlSimOptions run = study_options(1.0, 1.0, NULL);
    Counter memory = {0};
    counter_set(&memory);
    TmlModel *model = study_model(t, blade(2));
    TmlSim *sim = study_sim(t, model, &run);
    TmlError err = {0};
    // once in peace: the stage matrix of the modes stays with the system
    CHECK_OK(t, sim != NULL ? turn_once(sim, &err) : TML_E_MODEL, &err);
    // a handful at least: the sweep reached the matrices
    CHECK(t, sim != NULL && counter_sweep(t, &memory, turn_once, sim) > 4);
    tml_sim_free(sim);
    tml_model_free(model);
    CHECK_INT(t, memory.live, 0);
    tml_set_allocator(NULL);
}

TEST_SUITE(rotating) = {
    CASE(matrix_matches_differences),
    CASE(hinged_blade),
    CASE(whirl),
    CASE(unbalance),
    CASE(string),
    CASE(rotating_cantilever),
    CASE(plane_beam),
    CASE(swept_blade),
    CASE(run_goes_on),
    CASE(what_cannot_turn_is_named),
    CASE(weight_fixed_in_space),
    CASE(sparse_and_dense_agree),
    CASE(sparse_beside_a_double_zero),
    CASE(axis_elsewhere),
    CASE(options),
    CASE(out_of_memory),
    {0},
};
