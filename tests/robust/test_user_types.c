/* tests/robust/test_user_types.c - types and functions registered at run time, in whole models.
 *
 * A model that calls a function of the caller's own must move as the one that has the formula
 * written out, wherever the call stands.
 */
#include "robust_util.h"

/* wave(x) = sin(x) + x^2 / 4, to third order */
static void wave(void *user, const double *arg, int order, TmlJet *out)
{
    const double x = arg[0];
    (void)user;
    out->value = sin(x) + 0.25 * x * x;
    if (order >= 1) {
        out->g[0] = cos(x) + 0.5 * x;
    }
    if (order >= 2) {
        out->H[0] = 0.5 - sin(x);
    }
    if (order >= 3) {
        out->T[0] = -cos(x);
    }
}

/* leak(level, flow) = flow - 3 level^2, first derivatives only */
static void leak(void *user, const double *arg, int order, TmlJet *out)
{
    const double factor = *(const double *)user;
    out->value = arg[1] - factor * arg[0] * arg[0];
    if (order >= 1) {
        out->g[0] = -2.0 * factor * arg[0];
        out->g[1] = 1.0;
    }
}

static double three = 3.0;
static const TmlUserFunction wave_function = {
    .name = "wave", .text = "A wave.", .n_args = 1, .order = 3, .eval = wave};
static const TmlUserFunction leak_function = {
    .name = "Leak", .text = "A leak.", .n_args = 2, .order = 1, .user = &three, .eval = leak};

/* The calls in `with` and the formulas in `without` stand in the same places. */
static const char *const with[] = {"wave(DX(bead))", "wave(3*time)", "LEAK(level, DX(bead))",
                                   "wave(pi/2)"};
static const char *const without[] = {"sin(DX(bead)) + DX(bead)^2/4", "sin(3*time) + (3*time)^2/4",
                                      "DX(bead) - 3*level^2", "1 + (pi/2)^2/4"};

static TmlModel *build(TestCtx *t, const char *const *part, TmlStatus expected, TmlError *err)
{
    char text[2048];
    TmlModel *m = NULL;
    snprintf(text, sizeof text,
             "parameters: {m: \"%s\"}\n"
             "gravity: [0, 0, -9.81]\n"
             "bodies:\n"
             "  bead: {type: point, mass: m, position: [1, 0, sin(1) + 0.25]}\n"
             "  wheel: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 3]}\n"
             "joints:\n"
             "  wire: {type: expression, expression: \"DZ(bead) - (%s)\"}\n"
             "  axle: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: z}\n"
             "  drive: {type: motion, joint: axle, function: \"%s\"}\n"
             "states: {level: {rate: \"%s\", initial: 0.1}}\n"
             "forces: {push: {type: force, body: bead, fy: -level*VY(bead) - DY(bead) + level}}\n"
             "outputs: {level: level}\n"
             "simulate: {end: 0.5, output_step: 0.05, tolerance: 1e-7}\n",
             part[3], part[0], part[1], part[2]);
    *err = (TmlError){0};
    CHECK_OK(t, tml_model_create(&m, err), err);
    if (m != NULL) {
        CHECK_OK(t, tml_model_register_function(m, &wave_function, err), err);
        CHECK_OK(t, tml_model_register_function(m, &leak_function, err), err);
        TmlStatus status = tml_model_add(m, text, err);
        status = status == TML_OK ? tml_model_finish(m, err) : status;
        CHECK_INT(t, status, expected);
        if (status != TML_OK && expected == TML_OK) {
            test_fail(t, __FILE__, __LINE__, "%s", err->message);
        }
    }
    return m;
}

static int64_t run(TestCtx *t, const TmlModel *m, Record *record)
{
    TmlSim *sim = NULL;
    TmlError err = {0};
    int64_t iterations = -1;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "hht"; // one method for all: auto knows nothing of a user function's smoothness
    CHECK_OK(t, tml_sim_create(m, &o, &sim, &err), &err);
    if (sim != NULL) {
        CHECK_OK(t, tml_sim_run(sim, record_row, record, &err), &err);
        iterations = tml_sim_stats(sim).iterations;
    }
    tml_sim_free(sim);
    return iterations;
}

TEST(functions_move_as_their_formulas)
{
    TmlError err;
    TmlModel *a = build(t, with, TML_OK, &err), *b = build(t, without, TML_OK, &err);
    Record x = {0}, y = {0};
    if (a != NULL && b != NULL) {
        // equal counts of iterations: the derivatives are as good as the built-in ones
        CHECK_INT(t, run(t, a, &x), run(t, b, &y));
        CHECK(t, x.rows == 11 && x.n == y.n);
        for (size_t k = 0; k < x.n && x.n == y.n; ++k) {
            // the same steps; rounding differs and grows through accelerations of size 10
            CHECK_NEAR(t, x.x[k], y.x[k], 1e-8 * fmax(1.0, fabs(y.x[k])));
        }
    }
    record_free(&x);
    record_free(&y);
    tml_model_free(a);
    tml_model_free(b);
}

TEST(constraints_ask_for_three_derivatives)
{
    const char *part[4] = {with[0], with[1], with[2], with[3]};
    TmlError err;
    part[0] = "leak(DX(bead), time)";
    tml_model_free(build(t, part, TML_E_MODEL, &err));
    CHECK_HAS(t, err.message,
              "'Leak' gives derivatives of order 1; constraints and motions need 3");
    part[0] = with[0];
    part[1] = "leak(time, 1)";
    tml_model_free(build(t, part, TML_E_MODEL, &err));
    CHECK_HAS(t, err.message,
              "'Leak' gives derivatives of order 1; constraints and motions need 3");
    part[1] = "leek(time, 1)";
    tml_model_free(build(t, part, TML_E_MODEL, &err));
    CHECK_HAS(t, err.message, "unknown function 'leek'; did you mean 'Leak'?");
}

TEST(registration_is_checked)
{
    static const struct {
        TmlUserFunction f;
        const char *message;
    } wrong[] = {
        {{.name = NULL}, "'' is no name for a function: use letters, digits and _"},
        {{.name = "2x"}, "'2x' is no name for a function: use letters, digits and _"},
        {{.name = "a b"}, "'a b' is no name for a function: use letters, digits and _"},
        {{.name = "Sin"}, "there is already a function 'Sin'"},
        {{.name = "dx"}, "there is already a function 'dx'"},
        {{.name = "WAVE"}, "there is already a function 'WAVE'"},
        {{.name = "f", .n_args = 0, .order = 2, .eval = wave},
         "function 'f': 1 to 8 arguments, order 1 to 3 and eval are required"},
        {{.name = "f", .n_args = 9, .order = 2, .eval = wave},
         "function 'f': 1 to 8 arguments, order 1 to 3 and eval are required"},
        {{.name = "f", .n_args = 1, .order = 4, .eval = wave},
         "function 'f': 1 to 8 arguments, order 1 to 3 and eval are required"},
        {{.name = "f", .n_args = 1, .order = 1},
         "function 'f': 1 to 64 arguments, order 1 to 3 and eval are required"},
    };
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_model_create(&m, &err), &err);
    CHECK_OK(t, tml_model_register_function(m, &wave_function, &err), &err);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        CHECK_INT(t, tml_model_register_function(m, &wrong[k].f, &err), TML_E_ARGUMENT);
        CHECK_STR(t, err.message, wrong[k].message);
    }
    const TmlForceType no_wrench = {.info = {.name = "magnet"}};
    CHECK_INT(t, tml_model_register_force(m, &no_wrench, &err), TML_E_ARGUMENT);
    CHECK_STR(t, err.message,
              "type 'magnet': wrench is required, f_map with n_f, output with outputs");
    const TmlForceType taken = {.info = {.name = "spring"}};
    CHECK_INT(t, tml_model_register_force(m, &taken, &err), TML_E_ARGUMENT);
    CHECK_STR(t, err.message, "there is already a type 'spring'");
    const TmlConstraintType no_rows = {.info = {.name = "rope"}};
    CHECK_INT(t, tml_model_register_constraint(m, &no_rows, &err), TML_E_ARGUMENT);
    const TmlPressType no_press = {.info = {.name = "rubber"}},
                       linear = {.info = {.name = "linear"}};
    CHECK_INT(t, tml_model_register_press(m, &no_press, &err), TML_E_ARGUMENT);
    CHECK_STR(t, err.message, "law 'rubber': press is required");
    CHECK_INT(t, tml_model_register_press(m, &linear, &err), TML_E_ARGUMENT);
    CHECK_STR(t, err.message, "there is already a type 'linear'");
    const TmlSlipType no_slip = {.info = {.name = "film"}}, coulomb = {.info = {.name = "coulomb"}};
    CHECK_INT(t, tml_model_register_slip(m, &no_slip, &err), TML_E_ARGUMENT);
    CHECK_STR(t, err.message, "law 'film': slip is required, and reach with bristles");
    CHECK_INT(t, tml_model_register_slip(m, &coulomb, &err), TML_E_ARGUMENT);
    CHECK_STR(t, err.message, "there is already a type 'coulomb'");
    CHECK_OK(t, tml_model_finish(m, &err), &err);
    CHECK_INT(t, tml_model_register_function(m, &leak_function, &err), TML_E_ARGUMENT);
    CHECK_STR(t, err.message, "the model is finished");
    CHECK_INT(t, tml_model_register_function(m, &leak_function, NULL), TML_E_ARGUMENT);
    tml_model_free(m);
}

TEST_SUITE(robust_user_types) = {CASE(functions_move_as_their_formulas),
                                 CASE(constraints_ask_for_three_derivatives),
                                 CASE(registration_is_checked),
                                 {0}};
