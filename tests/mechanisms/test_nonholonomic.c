/* tests/mechanisms/test_nonholonomic.c - rows of velocities that are written as expressions.
 *
 * Chaplygin's sleigh: a body in a plane whose blade, a behind the centre of mass, does not slip
 * sideways. With v the speed of the blade along the body and w the turning speed,
 *
 *   v' = a w^2,   w' = -m a v w / (I + m a^2)
 *   v = V tanh s,  w = W / cosh s,  s = c t + s0,  c = m a V / (I + m a^2),  W^2 = V c / a
 *   angle = (W / c) (gd s - gd s0),  gd s = 2 atan(tanh(s / 2))
 *
 * Chaplygin, On the theory of motion of nonholonomic systems, 1911; derivation: insert.
 */
#include "analysis/study.h"

#include "analysis/integrator/integrator.h"

#define SLEIGH(more)                                                                               \
    "trammel: 1\n"                                                                                 \
    "bodies:\n"                                                                                    \
    "  sleigh: {mass: 2, inertia: [1, 1, 0.3], cm: [0.4, 0, 0], position: [0, 0, 0],\n"            \
    "           velocity: [0.7, 0, 0], angular_velocity: [0, 0, 1.5]}\n"                           \
    "joints:\n"                                                                                    \
    "  floor: {type: planar, frames: [ground, sleigh]}\n"                                          \
    "  blade: {type: expression, expression: '" more "'}\n"                                        \
    "outputs:\n"                                                                                   \
    "  angle: angle(floor)\n"                                                                      \
    "  v: VX(sleigh, ground, sleigh)\n"                                                            \
    "  slip: VY(sleigh, ground, sleigh)\n"

typedef struct Sleigh {
    double m, I, a, V, W, c, s0;
} Sleigh;

static Sleigh sleigh(double v, double w)
{
    Sleigh k = {.m = 2.0, .I = 0.3, .a = 0.4};
    const double J = k.I + k.m * k.a * k.a;
    k.V = sqrt(v * v + J * w * w / k.m); // the energy
    k.c = k.m * k.a * k.V / J;
    k.W = sqrt(k.V * k.c / k.a);
    k.s0 = atanh(v / k.V);
    return k;
}

static double gudermann(double s)
{
    return 2.0 * atan(tanh(0.5 * s));
}

static void check_sleigh(TestCtx *t, const char *method, const char *text, const OneOption *option)
{
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = study_options(2.0, 0.5, option);
    Trace run;
    o.integrator = method;
    t->name = method;
    const Sleigh k = sleigh(0.7, 1.5);
    if (study_run(t, model, &o, &run)) {
        for (int row = 0; row < run.rows; ++row) {
            const double s = k.s0 + k.c * 0.5 * row;
            const double angle = k.W / k.c * (gudermann(s) - gudermann(k.s0));
            // default tolerances leave up to 2e-6 (tlismni, of second order); 1e-5 tells a wrong
            // row
            CHECK_NEAR(t, trace_value(&run, row, 0), angle, 1e-5);
            CHECK_NEAR(t, trace_value(&run, row, 1), k.V * tanh(s), 1e-5);
            CHECK_NEAR(t, trace_value(&run, row, 2), 0.0, 1e-7);
        }
    }
    trace_free(&run);
    tml_model_free(model);
}

/* The blade by a component of a velocity, and written out in global components and an angle: the
 * same row by other leaves. */
TEST(chaplygins_sleigh_by_every_method)
{
    static const char *const texts[] = {
        SLEIGH("VY(sleigh, ground, sleigh)"),
        SLEIGH("VY(sleigh)*cos(angle(floor)) - VX(sleigh)*sin(angle(floor))"),
    };
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
            check_sleigh(t, tml_integrator_types[k]->info.name, texts[i], NULL);
        }
    }
    check_sleigh(t, "auto", texts[0], NULL);
}

/* A velocity that follows a function of time: b(q, t) of the row. x' = 1 + sin t by every method.
 */
TEST(a_driven_velocity_by_every_method)
{
    static const char text[] =
        "trammel: 1\n"
        "bodies: {b: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
        "joints:\n"
        "  slide: {type: translational, bodies: [ground, b], at: [0, 0, 0], axis: x}\n"
        "  drive: {type: expression, expression: '(2 + cos(time))*(VX(b) - 1 - sin(time))'}\n"
        "outputs: {x: DX(b), force: reaction(drive).fx}\n";
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        TmlModel *model = study_model(t, text);
        TmlSimOptions o = study_options(2.0, 1.0, NULL);
        Trace run;
        o.integrator = t->name = tml_integrator_types[k]->info.name;
        if (study_run(t, model, &o, &run)) {
            for (int row = 0; row < run.rows; ++row) {
                // errors of a default run: 4e-6 was measured
                CHECK_NEAR(t, trace_value(&run, row, 0), row + 1.0 - cos(row), 1e-5);
            }
        }
        trace_free(&run);
        tml_model_free(model);
    }
}

/* --- what is refused -------------------------------------------------------------------------- */

static void check_refused(TestCtx *t, const char *expression, const char *part)
{
    char text[512];
    TmlModel *model = NULL;
    TmlError err = {0};
    t->name = expression;
    snprintf(text, sizeof text,
             "trammel: 1\n"
             "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {e: {type: expression, expression: '%s'}}\n",
             expression);
    CHECK_INT(t, tml_load_text(text, "test", 0, NULL, NULL, &model, &err), TML_E_MODEL);
    CHECK_HAS(t, err.message, part);
    CHECK(t, strstr(err.message, "(null)") == NULL);
    CHECK(t, strchr(err.message, '\n') == NULL); // one message, and none that follows from it
    tml_model_free(model);
}

TEST(what_is_not_linear_is_refused)
{
    check_refused(t, "VX(b)^2 - 1", "is not linear in the velocities");
    check_refused(t, "VM(b) - DX(b)", "is not linear in the velocities");
    check_refused(t, "VX(b)*WZ(b)", "is not linear in the velocities");
    check_refused(t, "abs(VY(b))", "is not linear in the velocities");
    check_refused(t, "ACCX(b)", "reads accelerations");
    check_refused(t, "time", "depends on no motion");
}

TEST_SUITE(nonholonomic) = {CASE(chaplygins_sleigh_by_every_method),
                            CASE(a_driven_velocity_by_every_method),
                            CASE(what_is_not_linear_is_refused),
                            {0}};
