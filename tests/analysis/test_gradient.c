/* tests/analysis/test_gradient.c - derivatives of runs by parameters: closed forms, differences, what is refused. */
#include "test.h"

#include "trammel/trammel.h"

#include <stdlib.h>

#define HEAD "trammel: 1\n"
enum { CHANNELS_MAX = 8, PARAMETERS_MAX = 4 };

static TmlModel *make(TestCtx *t, const char *document)
{
    TmlError err = {0};
    TmlModel *model = NULL;
    if (tml_load_text(document, "text", 0, NULL, NULL, &model, &err) != TML_OK) {
        test_fail(t, __FILE__, __LINE__, "%s", err.message);
    }
    return model;
}

/* The derivatives of the last row, out[channel][parameter]. */
static TmlStatus run(const TmlModel *model, const char *integrator, double tolerance, int n,
                     const char *const *names, double out[][PARAMETERS_MAX], TmlError *err)
{
    TmlSimOptions o = tml_sim_options_default();
    TmlGradientOptions g = tml_gradient_options_default();
    TmlGradient *gradient = NULL;
    o.integrator = integrator;
    o.tolerance = tolerance;
    g.n = n;
    g.names = names;
    TmlStatus status = tml_gradient_create(model, &o, &g, &gradient, err);
    status = status == TML_OK ? tml_gradient_run(gradient, NULL, NULL, err) : status;
    for (int c = 0; status == TML_OK && c < tml_row_channel_count(tml_gradient_sim(gradient));
         ++c) {
        for (int k = 0; k < n; ++k) {
            out[c][k] = tml_gradient_channel(gradient, c, k);
        }
    }
    tml_gradient_free(gradient);
    return status;
}

/* x = A cos(w t) with w^2 = k / m, and the force of the spring. */
TEST(oscillator)
{
    static const struct {
        const char *name;
        double tolerance, limit;
    } method[] = {
        // the run is off by some hundred times its tolerance after two periods, the derivatives as much
        {"radau", 1e-9, 1e-6},  {"rosenbrock", 1e-9, 1e-6}, {"adams", 1e-9, 1e-6},
        {"dop853", 1e-9, 1e-6}, {"bdf-si2", 1e-8, 1e-4},    {"hht", 1e-8, 1e-4},
    };
    static const char *const names[] = {"k", "m", "A"};
    const double k = 40.0, m = 2.0, A = 0.3, T = 2.0, w = sqrt(k / m), x = A * cos(w * T),
                 s = A * T * sin(w * T);
    TmlModel *model =
        make(t, HEAD
             "parameters: {k: 40, m: 2, A: 0.3}\n"
             "bodies: {ball: {type: point, mass: m, position: [A, 0, 0]}}\n"
             "joints: {y: {type: point_on_line, bodies: [ground, ball], at: [0, 0, 0], axis: x}}\n"
             "forces: {spring: {type: force, body: ball, fx: -k*DX(ball)}}\n"
             "outputs: {x: DX(ball), v: VX(ball), a: ACCX(ball)}\n"
             "simulate: {end: 2, output_step: 0.5}\n");
    for (size_t i = 0; model != NULL && i < sizeof method / sizeof method[0]; ++i) {
        TmlError err = {0};
        double d[CHANNELS_MAX][PARAMETERS_MAX];
        const double off = method[i].limit;
        t->name = method[i].name;
        if (run(model, t->name, method[i].tolerance, 3, names, d, &err) != TML_OK) {
            test_fail(t, __FILE__, __LINE__, "%s: %s", t->name, err.message);
            continue;
        }
        const double by_w = -s, v_by_w = -A * sin(w * T) - A * w * T * cos(w * T);
        CHECK_NEAR(t, d[0][0] * k, by_w * w / 2.0, off); // dw/dk = w / 2k; off as in the table
        CHECK_NEAR(t, d[0][1] * m, -by_w * w / 2.0, off);
        CHECK_NEAR(t, d[0][2], x / A, off);
        CHECK_NEAR(t, d[1][0] * k, v_by_w * w / 2.0, off * w); // a velocity has w times as much
        CHECK_NEAR(t, d[2][0] * k, -w * w * x - w * w * by_w * w / 2.0, off * w * w);
    }
    tml_model_free(model);
}

/* A force sets in at the time p: derivatives by p would jump; those by others do not. */
TEST(breaks_that_move)
{
    TmlError err = {0};
    static const char *const names[] = {"F", "p"};
    double d[CHANNELS_MAX][PARAMETERS_MAX] = {{0}};
    TmlModel *model =
        make(t, HEAD "parameters: {p: 0.7, F: 3}\n"
                     "bodies: {ball: {type: point, mass: 2}}\n"
                     "forces: {push: {type: force, body: ball, fx: \"if(time - p: 0, F, F)\"}}\n"
                     "outputs: {x: DX(ball), v: VX(ball)}\n"
                     "simulate: {end: 2, output_step: 0.25}\n");
    CHECK(t, run(model, "radau", 1e-8, 1, names, d, &err) == TML_OK);
    CHECK_NEAR(t, d[0][0], 1.3 * 1.3 / 4.0,
               1e-6); // F (T - p)^2 / 2m; some tolerances of 1e-7 of the derivatives
    CHECK_NEAR(t, d[1][0], 1.3 / 2.0, 1e-6);
    CHECK(t, run(model, "radau", 1e-8, 2, names, d, &err) == TML_E_ARGUMENT);
    CHECK(t, strstr(err.message, "moves with parameter number 2") != NULL);
    tml_model_free(model);
}

/* A parameter that moves the end would move the rows as well. */
TEST(the_end_moves)
{
    TmlError err = {0};
    static const char *const names[] = {"T"};
    double d[CHANNELS_MAX][PARAMETERS_MAX] = {{0}};
    TmlModel *model = make(t, HEAD "parameters: {T: 0.7}\n"
                                   "bodies: {ball: {type: point, mass: 2, velocity: [1, 0, 0]}}\n"
                                   "outputs: {x: DX(ball)}\n"
                                   "simulate: {end: 2*T, output_step: 0.25}\n");
    CHECK(t, run(model, "radau", 1e-8, 1, names, d, &err) == TML_E_ARGUMENT);
    CHECK(t, strstr(err.message, "'T' changes the end of the run") != NULL);
    tml_model_free(model);
}

static double end_value(TestCtx *t, const TmlModel *model, const char *name, double value,
                        int channel)
{
    TmlError err = {0};
    TmlModel *other = NULL;
    TmlSim *sim = NULL;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "radau";
    o.tolerance = 1e-11;
    CHECK(t, tml_model_with(model, 1, &name, &value, &other, &err) == TML_OK);
    CHECK(t, tml_sim_create(other, &o, &sim, &err) == TML_OK);
    CHECK(t, tml_sim_run(sim, NULL, NULL, &err) == TML_OK);
    const double y = tml_row_channel(sim, channel);
    tml_sim_free(sim);
    tml_model_free(other);
    return y;
}

/* A four-bar with redundant rows, a spring, a damper and reactions among the outputs, against differences of order four. */
TEST(loop_against_differences)
{
    TmlError err = {0};
    static const char *const names[] = {"a", "c", "m"};
    double d[CHANNELS_MAX][PARAMETERS_MAX] = {{0}};
    TmlModel *model = make(
        t, HEAD
        "parameters: {a: 0.1, b: 0.4, r: 0.25, d: 0.4, m: 1, c: 0.3, f: d - a, psi: pi - "
        "acos((f^2 + r^2 - b^2)/(2*f*r)), x: d + r*cos(psi), y: r*sin(psi)}\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  crank: {mass: 0.5, inertia: [0.001, 0.01, 0.01], cm: [a/2, 0, 0], "
        "angular_velocity: [0, 0, 6]}\n"
        "  rod: {mass: m, inertia: [0.001, m*b^2/12, m*b^2/12], cm: [b/2, 0, 0], position: [a, "
        "0, 0], rotation: {axis: z, angle: \"atan2(y, x - a)\"}}\n"
        "  rocker: {mass: 0.8, inertia: [0.001, 0.02, 0.02], cm: [r/2, 0, 0], position: "
        "[d, 0, 0], rotation: {axis: z, angle: psi}}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"
        "  B: {type: revolute, bodies: [crank, rod], at: [a, 0, 0], axis: z}\n"
        "  C: {type: revolute, bodies: [rod, rocker], at: [x, y, 0], axis: z}\n"
        "  D: {type: revolute, bodies: [ground, rocker], at: [d, 0, 0], axis: z}\n"
        "forces: {damper: {type: rotational_spring, joint: D, damping: c}}\n"
        "outputs: {crank: \"AZ(crank, ground)\", rate: WZ(rocker), pin: reaction(B).fx}\n"
        "simulate: {end: 0.1, output_step: 0.1}\n");
    CHECK(t, run(model, "radau", 1e-10, 3, names, d, &err) == TML_OK);
    const double value[] = {0.1, 0.3, 1.0};
    for (int k = 0; k < 3; ++k) {
        const double h = 1e-3 * value[k];
        for (int c = 0; c < 3; ++c) {
            t->name = names[k];
            const double near = end_value(t, model, names[k], value[k] + h, c) -
                                end_value(t, model, names[k], value[k] - h, c);
            const double far = end_value(t, model, names[k], value[k] + 2 * h, c) -
                               end_value(t, model, names[k], value[k] - 2 * h, c);
            const double want = (8.0 * near - far) / (12.0 * h);
            // runs at 1e-11 leave 1e-10 / 2e-3 of a value in the difference, and the derivatives have 1e-7 a step
            CHECK_NEAR(t, d[c][k], want, 1e-6 * fmax(fabs(want), 1.0 / value[k]));
        }
    }
    tml_model_free(model);
}

TEST(what_is_refused)
{
    static const struct {
        const char *text, *name, *message;
    } bad[] = {
        {HEAD "parameters: {k: 1}\nbodies: {b: {type: point, mass: k}}\noutputs: {x: "
              "DX(b)}\nsimulate: {end: 1}\n",
         "kk", "the model has no parameter 'kk'; did you mean 'k'?"},
        {HEAD "parameters: {k: 1}\nbodies: {b: {type: point, mass: k}}\nsimulate: {end: 1}\n", "k",
         "no outputs"},
        {HEAD "parameters: {k: 1}\nbodies: {b: {type: point, mass: k}}\noutputs: {x: "
              "DX(b)}\nsimulate: {end: 1}\n"
              "events: {e: {when: DX(b), condition: above, value: 2, stop: true}}\n",
         "k", "events, at which derivatives jump"},
        // a force that changes its sign with the state, whose derivatives jump where x passes zero
        {HEAD "parameters: {k: 1}\nbodies: {b: {type: point, mass: 1, position: [0.1, 0, 0], "
              "velocity: [-4, 0, 0]}}\n"
              "forces: {f: {type: force, body: b, fx: \"if(DX(b) - 0.01*k: 0, 50, 50)\"}}\n"
              "outputs: {x: DX(b)}\nsimulate: {end: 0.5}\n",
         "k", "derivatives jump there"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        TmlError err = {0};
        double d[CHANNELS_MAX][PARAMETERS_MAX];
        TmlModel *model = make(t, bad[k].text);
        if (model != NULL &&
            (run(model, NULL, (double)NAN, 1, &bad[k].name, d, &err) != TML_E_ARGUMENT ||
             strstr(err.message, bad[k].message) == NULL)) {
            test_fail(t, __FILE__, __LINE__, "case %d: %s", (int)k, err.message);
        }
        tml_model_free(model);
    }
}

TEST_SUITE(gradient) = {CASE(oscillator),      CASE(breaks_that_move),
                        CASE(the_end_moves),   CASE(loop_against_differences),
                        CASE(what_is_refused), {0}};
