/* tests/analysis/test_adams.c - orders, closed forms, order and step selection, dense output,
 * stiffness and restarts of `adams`.
 */
#include "analysis/integrator/abm/abm_formula.h"
#include "math/gauss.h"
#include "mechanisms.h"
#include "study.h"

static const char measured_pendulum[] =
    "trammel: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  bar: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0.5, 0, 0], angular_velocity: [0, 0, 1]}\n"
    "joints:\n"
    "  pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}\n"
    "outputs: {x: DX(bar), y: DY(bar), w: WZ(bar)}\n";

static TmlSimOptions adams(double end, double output_step, double tolerance)
{
    TmlSimOptions o = study_options(end, output_step, NULL);
    o.integrator = "adams";
    o.tolerance = tolerance;
    return o;
}

/* --- order ----------------------------------------------------------------------------------- */

/* Steps over 2 s, all multiples of eight so that rows are ends of steps. */
static const int counts[] = {32, 48, 64, 88, 128, 184, 256, 360, 512, 728, 1024, 1448, 2048, 2896};

/* Where the error has become asymptotic and is still above rounding, about 1e-13: the first of four
 * runs, and how far the slope may be from k + 1 (the formula of order k is corrected once, which
 * gives order k + 1); for k = 5 the next term still bends the slope by a sixth. From k = 7 on steps
 * that are too long and rounding leave less room, and the slope is only known to be above that of
 * the order before; that the formulas are of their orders is shown below. */
typedef struct Study {
    int first;
    double low, high;
} Study;

static const Study studies[13] = {
    [1] = {10, 0.1, 0.1}, [2] = {5, 0.1, 0.1},  [3] = {10, 0.1, 0.1}, [4] = {4, 0.1, 0.1},
    [5] = {7, 0.2, 0.1},  [6] = {5, 0.1, 0.1},  [7] = {4, 1.0, 9.0},  [8] = {3, 1.0, 9.0},
    [9] = {2, 1.0, 9.0},  [10] = {2, 1.0, 9.0}, [11] = {2, 1.0, 9.0}, [12] = {2, 1.0, 9.0},
};

/* Root of the sum of squares of all differences: smooth in h, unlike the largest. */
static double distance(const Trace *a, const Trace *b)
{
    double sum = a->n[CHANNEL] == b->n[CHANNEL] ? 0.0 : (double)NAN;
    for (int k = 0; k < a->n[CHANNEL] && k < b->n[CHANNEL]; ++k) {
        const double d = a->x[CHANNEL][k] - b->x[CHANNEL][k];
        sum += d * d;
    }
    return sqrt(sum);
}

static double fixed_run(TestCtx *t, const TmlModel *model, const char *coordinates, int k,
                        int steps, const Trace *exact)
{
    char order[8];
    const char *const key[] = {"order", "coordinates"}, *const value[] = {order, coordinates};
    Trace run;
    snprintf(order, sizeof order, "%d", k);
    TmlSimOptions o = study_options(2.0, 0.25, NULL);
    o.integrator = "adams";
    o.step = 2.0 / steps;
    o.n_options = 2;
    o.option_key = key;
    o.option_value = value;
    study_run(t, model, &o, &run);
    const double e = distance(&run, exact);
    trace_free(&run);
    return e;
}

/* more: how much less the slope may be from order 8 on, where errors come down to rounding. */
static void check_orders(TestCtx *t, const char *coordinates, double more)
{
    enum { RUNS = 4 };
    TmlModel *model = study_model(t, measured_pendulum);
    const TmlSimOptions tight = adams(2.0, 0.25, 1e-14);
    Trace exact;
    study_run(t, model, &tight, &exact);
    for (int k = 1; k <= 12; ++k) {
        double h[RUNS], error[RUNS];
        char name[32];
        snprintf(name, sizeof name, "%s, order %d", coordinates, k);
        t->name = name;
        for (int i = 0; i < RUNS; ++i) {
            const int steps = counts[studies[k].first + i];
            h[i] = 2.0 / steps;
            error[i] = fixed_run(t, model, coordinates, k, steps, &exact);
        }
        const double slope = study_slope(RUNS, h, error);
        if (study_verbose()) {
            printf("order %2d: slope %.2f, error %.1e .. %.1e\n", k, slope, error[0],
                   error[RUNS - 1]);
        }
        // how far the slope may be from the order: see Study, and `more`
        const double low = studies[k].low + (k < 8 ? 0.0 : more);
        CHECK(t, slope >= k + 1 - low && slope <= k + 1 + studies[k].high);
    }
    t->name = NULL;
    trace_free(&exact);
    tml_model_free(model);
}

TEST(every_order_converges_with_one_power_more)
{
    check_orders(t, "absolute", 0.0);
    check_orders(t, "recursive", 1.5); // measured 11.2 at order 12, where the least error is 3e-13
}

/* N(t) = prod (t - t_{n-j}) / (t_{n+1} - t_{n-j}) over j < d, t_n = 0: the polynomials of degree d
 * that are one at the end of the step. past: steps before, newest first. */
static double newton_polynomial(const double *past, double h, int d, double x)
{
    double y = 1.0, node = 0.0;
    for (int j = 0; j < d; ++j) {
        y *= (x - node) / (h - node);
        node -= past[j];
    }
    return y;
}

/* phi_i(n) of N, i from 1 to k: (F3) by divided differences. */
static void differences(const double *past, double h, int d, int k, double *phi)
{
    double f[ADAMS_PHI], node[ADAMS_PHI] = {0.0}, factor = 1.0;
    for (int j = 0; j < k; ++j) {
        node[j] = j > 0 ? node[j - 1] - past[j - 1] : 0.0;
        f[j] = newton_polynomial(past, h, d, node[j]);
    }
    for (int i = 1; i <= k; ++i) {
        phi[i] = factor * f[0];
        for (int j = 0; j + i < k; ++j) {
            f[j] = (f[j] - f[j + 1]) / (node[j] - node[j + i]);
        }
        factor *= i < k ? -node[i] : 1.0;
    }
}

/* Error of the predicted and of the corrected integral of N over the step, relative to h. */
static void formula_errors(const double *past, double h, int d, int k, double *predicted,
                           double *corrected)
{
    const AdamsStep c = adams_step(past, h, k);
    double phi[ADAMS_PHI], x[TML_GAUSS_MAX], weight[TML_GAUSS_MAX], p = 0.0, S = 0.0, exact = 0.0;
    differences(past, h, d, k, phi);
    for (int i = 1; i <= k; ++i) {
        p += c.g[i] * c.beta[i] * phi[i];
        S += c.beta[i] * phi[i];
    }
    // exact to degree 11; of degree 12 and 13 it leaves 2e-16 (6!^4 / (13 12!^3) times 12!/12!)
    tml_gauss(TML_GAUSS_MAX, x, weight);
    for (int i = 0; i < TML_GAUSS_MAX; ++i) {
        exact += weight[i] * newton_polynomial(past, h, d, h * x[i]);
    }
    *predicted = p - exact;
    *corrected = p + c.g[k + 1] * (1.0 - S) - exact;
}

/* A formula of order k integrates polynomials of degree k - 1 exactly, corrected of degree k, at
 * whatever steps, and no higher ones: there the error is (F4), some gamma_k > 4e-3. Rounding of the
 * differences: numbers up to C(11, 5) = 462 with weights whose sum is 2^11. */
TEST(formulas_are_of_their_order)
{
    static const double past[ADAMS_PHI] = {1.1, 0.9, 1.3, 0.8, 1.0, 1.2, 0.7,
                                           1.1, 0.9, 1.0, 1.2, 0.8, 1.0, 1.0};
    const double rounding = 2048 * 462 * 2.2e-16;
    for (int k = 1; k <= ADAMS_MAX; ++k) {
        double predicted, corrected;
        for (int d = 0; d <= k + 1; ++d) {
            formula_errors(past, 1.05, d, k, &predicted, &corrected);
            CHECK(t, d < k ? fabs(predicted) < rounding : d > k || fabs(predicted) > 1e-3);
            CHECK(t, d <= k ? fabs(corrected) < rounding : fabs(corrected) > 1e-4);
        }
    }
}

/* The order follows the tolerance; on a smooth problem at 1e-10 it reaches at least eight. */
TEST(order_rises_on_smooth_problems)
{
    const char *const texts[] = {measured_pendulum, double_pendulum};
    for (int m = 0; m < 2; ++m) {
        TmlModel *model = study_model(t, texts[m]);
        TmlSimOptions o = adams(5.0, 1.0, 1e-10);
        o.record_solver = true;
        TmlSim *sim = study_sim(t, model, &o);
        TmlError err = {0};
        const TmlAttemptRow *row;
        CHECK_OK(t, tml_sim_run(sim, NULL, NULL, &err), &err);
        const int64_t n = tml_sim_attempts(sim, &row);
        int highest = 0;
        for (int64_t k = 0; k < n; ++k) {
            highest = row[k].order > highest ? row[k].order : highest;
            // one evaluation for a rejected step, two for an accepted one
            CHECK_INT(t, row[k].iterations, row[k].accepted ? 2 : 1);
        }
        if (study_verbose()) {
            printf("highest order %d in %d steps\n", highest, (int)n);
        }
        CHECK(t, highest >= 8);
        tml_sim_free(sim);
        tml_model_free(model);
    }
}

/* --- closed forms ---------------------------------------------------------------------------- */

/* Arithmetic-geometric mean. */
static double agm(double a, double b)
{
    for (int k = 0; k < 8; ++k) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

/* After five quarters of its period a pendulum from rest at an angle of 150 deg passes the lowest
 * point with angular velocity 2 w sin(75 deg). */
TEST(pendulum_agrees_with_its_closed_form)
{
    const double half = 75.0 * M_PI / 180.0, w = sqrt(1.5 * 9.81),
                 period = 2.0 * M_PI / w / agm(1.0, cos(half));
    TmlModel *model =
        study_model(t, "trammel: 1\n"
                       "gravity: [0, -9.81, 0]\n"
                       "bodies:\n"
                       "  bar: {mass: 1, inertia: ['1/12', 0, '1/12'], cm: [0, -0.5, 0],\n"
                       "        rotation: {axis: z, angle: '5*pi/6'}}\n"
                       "joints:\n"
                       "  pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: z}\n"
                       "outputs: {x: DX(bar), w: WZ(bar)}\n");
    const TmlSimOptions o = adams(1.25 * period, 1.25 * period, 1e-12);
    Trace run;
    study_run(t, model, &o, &run);
    const double *last = run.x[CHANNEL] + run.n[CHANNEL] - 2;
    // errors of 1e-12 a step add up: 3e-12 was measured
    CHECK_NEAR(t, last[0], 0.0, 1e-10);
    CHECK_NEAR(t, fabs(last[1]), 2.0 * w * sin(half), 1e-10);
    trace_free(&run);
    tml_model_free(model);
}

/* X' = -2 (X - cos t), X(0) = 0: X = (4 cos t + 2 sin t - 4 exp(-2 t)) / 5. */
TEST(states_agree_with_their_closed_form)
{
    TmlModel *model = study_model(t, "trammel: 1\n"
                                     "bodies: {p: {type: point, mass: 1}}\n"
                                     "states: {x: {rate: -2*(x - cos(time)), initial: 0}}\n"
                                     "outputs: {x: x}\n");
    const TmlSimOptions o = adams(3.0, 0.1, 1e-12);
    Trace run;
    study_run(t, model, &o, &run);
    CHECK_INT(t, run.n[CHANNEL], 31);
    for (int k = 0; k < run.n[CHANNEL]; ++k) {
        const double s = 0.1 * k;
        const double x = (4.0 * cos(s) + 2.0 * sin(s) - 4.0 * exp(-2.0 * s)) / 5.0;
        // errors of 1e-12 a step, most of them damped: 5e-14 was measured
        CHECK_NEAR(t, run.x[CHANNEL][k], x, 1e-11);
    }
    trace_free(&run);
    tml_model_free(model);
}

/* --- rows ------------------------------------------------------------------------------------ */

/* Rows between the steps are as good as the steps: against a run whose steps end on the rows. */
TEST(rows_between_steps_are_as_accurate)
{
    TmlModel *model =
        study_model(t, "trammel: 1\n"
                       "gravity: [0, -9.81, 0]\n"
                       "bodies:\n"
                       "  bar: {mass: 2, inertia: [0.02, 0.2, 0.21], cm: [0.5, 0, 0]}\n"
                       "joints:\n"
                       "  pin: {type: revolute, bodies: [ground, bar], at: [0, 0, 0],\n"
                       "        axis: z}\n"
                       "outputs: {a: angle(pin), w: WZ(bar), e: WDTZ(bar)}\n");
    const TmlSimOptions loose = adams(2.0, 0.01, 1e-10), tight = adams(2.0, 0.01, 1e-14);
    Trace run, exact;
    study_run(t, model, &loose, &run);
    study_run(t, model, &tight, &exact);
    const double e = trace_error(&run, &exact, CHANNEL), r = trace_error(&run, &exact, REACTION);
    if (study_verbose()) {
        printf("rows: channels %.1e, reactions %.1e; %d rows, %d steps\n", e, r, run.rows,
               (int)run.stats.steps);
    }
    CHECK(t, run.stats.steps < run.rows); // most rows lie between steps
    CHECK(t, e < 2e-10 && r < 2e-10);     // ten times the error of the steps; cubic rows have 1e-9
    trace_free(&run);
    trace_free(&exact);
    tml_model_free(model);
}

/* --- constraints ----------------------------------------------------------------------------- */

TEST(constraints_hold_on_all_levels)
{
    static const char *const files[] = {
        "models/closed_forms/four_bar.yaml", "models/closed_forms/n_four_bar.yaml",
        "models/closed_forms/rolling_disc.yaml", "models/closed_forms/steady_top.yaml",
        "models/cases/slider_crank_spring.yaml"};
    for (size_t k = 0; k < sizeof files / sizeof files[0]; ++k) {
        TmlModel *model = study_model(t, files[k]);
        // violations are noted at the ends of steps with rows: with rows this close, of nearly all
        const TmlSimOptions o = adams(20.0, 0.004, 1e-7);
        Trace run;
        t->name = files[k];
        study_run(t, model, &o, &run);
        if (study_verbose()) {
            printf("%-40s %5d steps, violation %.1e %.1e %.1e\n", files[k], (int)run.stats.steps,
                   run.stats.max_phi, run.stats.max_phi_dot, run.stats.max_phi_ddot);
        }
        // the accuracy that state-space methods promise
        CHECK(t, run.stats.max_phi <= 1e-10);
        CHECK(t, run.stats.max_phi_dot <= 1e-10);
        CHECK(t, run.stats.max_phi_ddot <= 1e-10);
        t->name = NULL;
        trace_free(&run);
        tml_model_free(model);
    }
}

/* --- stiffness ------------------------------------------------------------------------------- */

typedef struct Heard {
    int stiff;
    char text[512];
} Heard;

static void hear(void *user, TmlLogLevel level, const char *text)
{
    Heard *heard = user;
    if (level == TML_LOG_WARNING && strstr(text, "stiff") != NULL) {
        heard->stiff++;
        snprintf(heard->text, sizeof heard->text, "%s", text);
    }
}

static Heard listen(TestCtx *t, const char *text, double end, double tolerance)
{
    Heard heard = {0};
    TmlModel *model = study_model(t, text);
    TmlSimOptions o = adams(end, end, tolerance);
    o.hooks = (TmlHooks){.user = &heard, .log = hear};
    Trace run;
    study_run(t, model, &o, &run);
    trace_free(&run);
    tml_model_free(model);
    return heard;
}

/* The damper between the rods has a rate near 1e5 1/s: stability allows steps of 1e-5 s. */
TEST(a_stiff_model_is_reported_once)
{
    const Heard damped = listen(t, "models/double_pendulum.yaml", 0.02, 1e-6);
    CHECK_INT(t, damped.stiff, 1);
    CHECK(t, strstr(damped.text, "--integrator") != NULL); // says what to do
    if (study_verbose()) {
        printf("%s\n", damped.text);
    }
}

TEST(smooth_models_are_not_called_stiff)
{
    static const double tolerances[] = {1e-2, 1e-3, 1e-4, 1e-6, 1e-9};
    for (int k = 0; k < 5; ++k) {
        CHECK_INT(t, listen(t, measured_pendulum, 20.0, tolerances[k]).stiff, 0);
        CHECK_INT(t, listen(t, double_pendulum, 20.0, tolerances[k]).stiff, 0);
    }
}

/* --- restarts and options -------------------------------------------------------------------- */

/* A push from 0.5 s on: v = t - 0.5, x = v^2/2 afterwards, nothing before. Each restart begins with
 * order one; polynomials are then exact but for what the first steps left. */
TEST(breakpoints_restart_the_method)
{
    TmlModel *model =
        study_model(t, "trammel: 1\n"
                       "bodies: {p: {type: point, mass: 1, velocity: [0, 1, 0]}}\n"
                       "forces: {push: {type: force, body: p, fx: 'if(time - 0.5: 0, 0, 1)',\n"
                       "                fy: 'if(time - 1: 0, 0, sin(3*(time - 1)))'}}\n"
                       "outputs: {x: DX(p), vx: VX(p), vy: VY(p)}\n");
    TmlSimOptions o = adams(2.0, 0.25, 1e-11);
    o.record_solver = true;
    TmlSim *sim = study_sim(t, model, &o);
    Trace run = {0};
    TmlError err = {0};
    const TmlAttemptRow *row;
    CHECK_OK(t, tml_sim_run(sim, trace_row, &run, &err), &err);
    const int64_t n = tml_sim_attempts(sim, &row);
    int restarts = 0;
    for (int64_t k = 1; k < n; ++k) {
        const bool kink = row[k].t == 0.5 || row[k].t == 1.0;
        restarts += kink && row[k].accepted;
        CHECK(t, !kink || row[k].order == 1);
    }
    CHECK_INT(t, restarts, 2);
    CHECK_INT(t, run.rows, 9);
    for (int k = 0; k < run.rows; ++k) {
        const double s = 0.25 * k, v = fmax(s - 0.5, 0.0), u = fmax(s - 1.0, 0.0);
        const double *x = run.x[CHANNEL] + 3 * (size_t)k;
        CHECK_NEAR(t, x[0], 0.5 * v * v, 1e-10); // tolerance 1e-11 a step
        CHECK_NEAR(t, x[1], v, 1e-10);
        CHECK_NEAR(t, x[2], 1.0 + (1.0 - cos(3.0 * u)) / 3.0, 1e-9);
    }
    trace_free(&run);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST(wrong_options_are_named)
{
    static const OneOption wrong[] = {
        {"order", "13"}, {"order", "-1"}, {"aim", "2"}, {"ordre", "3"}};
    TmlModel *model = study_model(t, measured_pendulum);
    for (int k = 0; k < 4; ++k) {
        TmlSimOptions o = study_options(1.0, 1.0, &wrong[k]);
        TmlSim *sim = NULL;
        TmlError err = {0};
        o.integrator = "adams";
        CHECK_INT(t, tml_sim_create(model, &o, &sim, &err), TML_E_ARGUMENT);
        CHECK(t, sim == NULL && strstr(err.message, wrong[k].key) != NULL);
    }
    tml_model_free(model);
}

TEST_SUITE(adams) = {CASE(every_order_converges_with_one_power_more),
                     CASE(formulas_are_of_their_order),
                     CASE(order_rises_on_smooth_problems),
                     CASE(pendulum_agrees_with_its_closed_form),
                     CASE(states_agree_with_their_closed_form),
                     CASE(rows_between_steps_are_as_accurate),
                     CASE(constraints_hold_on_all_levels),
                     CASE(a_stiff_model_is_reported_once),
                     CASE(smooth_models_are_not_called_stiff),
                     CASE(breakpoints_restart_the_method),
                     CASE(wrong_options_are_named),
                     {0}};
