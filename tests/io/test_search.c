/* tests/io/test_search.c - fits and optimisations against closed forms, intervals, journals, wrong input. */
#include "test.h"

#include "io/search/fit.h"
#include "trammel/trammel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "trammel: 1\n"

static TmlModel *make(TestCtx *t, const char *document)
{
    TmlError err = {0};
    TmlModel *model = NULL;
    if (tml_load_text(document, "text", 0, NULL, NULL, &model, &err) != TML_OK) {
        test_fail(t, __FILE__, __LINE__, "%s", err.message);
    }
    return model;
}

/* --- Student's distribution ---------------------------------------------------------------------------------- */

TEST(student)
{
    static const struct {
        double p;
        int freedom;
        double t;
    } row[] = {
        // Abramowitz and Stegun, table 26.10, has three decimals
        {0.975, 1, 12.706}, {0.975, 2, 4.303},  {0.95, 3, 2.353},    {0.975, 5, 2.571},
        {0.995, 10, 3.169}, {0.975, 30, 2.042}, {0.975, 120, 1.980},
    };
    for (size_t k = 0; k < sizeof row / sizeof row[0]; ++k) {
        // rounding of the table: half of its last decimal
        CHECK_NEAR(t, tml_student_quantile(row[k].p, row[k].freedom), row[k].t, 5.1e-4);
    }
    CHECK_NEAR(t, tml_student_quantile(0.75, 1), 1.0, 1e-12); // tan(pi/4); bisection to rounding
    // 1.959964 + (z^3 + z) / 4 nu; what follows is z^5 / 20 nu^2, 4e-12
    CHECK_NEAR(t, tml_student_quantile(0.975, 1000000), 1.9599640 + 2.3723e-6, 1e-7);
}

/* --- fits ---------------------------------------------------------------------------------------------------- */

/* x = A exp(-d t) cos(w t + phase) by d and w of a damped oscillator that starts at A with the velocity V. */
static const char oscillator[] =
    HEAD "parameters: {k: 40, c: 1, A: 0.3, V: 0}\n"
         "bodies: {ball: {type: point, mass: 2, position: [A, 0, 0], velocity: [V, 0, 0]}}\n"
         "joints: {y: {type: point_on_line, bodies: [ground, ball], at: [0, 0, 0], axis: x}}\n"
         "forces: {f: {type: force, body: ball, fx: -k*DX(ball) - c*VX(ball)}}\n"
         "outputs: {x: DX(ball), v: VX(ball)}\n"
         "simulate: {end: 3, output_step: 0.1}\n";

static double solution(double time, double k, double c, double A, double V, double *velocity)
{
    const double m = 2.0, d = c / (2.0 * m), w = sqrt(k / m - d * d);
    const double a = A, b = (V + d * A) / w, e = exp(-d * time);
    const double co = cos(w * time), si = sin(w * time);
    *velocity = e * ((b * w - d * a) * co - (a * w + d * b) * si);
    return e * (a * co + b * si);
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 11;
}

/* Box and Muller. */
static double normal(uint64_t *state)
{
    const double u = ((double)next(state) + 0.5) * 0x1p-53, v = (double)next(state) * 0x1p-53;
    return sqrt(-2.0 * log(u)) * cos(2.0 * 3.14159265358979323846 * v);
}

enum { ROWS = 60 };

static const double truth[4] = {43.0, 1.3, 0.27, 0.4};

/* Columns x and v with noise of sx and sv. */
static void measure(uint64_t seed, double sx, double sv, double *time, double *values)
{
    uint64_t state = seed * 7919u + 17u;
    for (int k = 0; k < ROWS; ++k) {
        double v;
        time[k] = 0.05 * (k + 1);
        const double x = solution(time[k], truth[0], truth[1], truth[2], truth[3], &v);
        values[2 * k] = x + sx * normal(&state);
        values[2 * k + 1] = v + sv * normal(&state);
    }
}

static const char four[] = "fit: four\nparameters: {k: {from: 10, to: 100}, c: {from: 0}, A: {}, "
                           "V: {}}\n";

static TmlFit *fit_of(TestCtx *t, const TmlModel *model, const char *text, const double *time,
                      const double *values, const TmlSearchOptions *options)
{
    static const char *const columns[] = {"x", "v"};
    TmlError err = {0};
    TmlFit *fit = NULL;
    const TmlMeasurement m = {
        .n_times = ROWS, .times = time, .n_columns = 2, .columns = columns, .values = values};
    CHECK_OK(t, tml_fit_create(model, text, 1, &m, &fit, &err), &err);
    if (fit != NULL) {
        CHECK_OK(t, tml_fit_run(fit, options, &err), &err);
    }
    return fit;
}

/* Without noise the truth comes back, to the error of runs at 1e-8. */
TEST(exact_data)
{
    double time[ROWS], values[2 * ROWS];
    TmlModel *model = make(t, oscillator);
    measure(1, 0.0, 0.0, time, values);
    TmlFit *fit = fit_of(t, model, four, time, values, NULL);
    CHECK(t, tml_fit_result(fit).converged);
    for (int k = 0; k < 4; ++k) {
        // some hundred times the tolerance of the runs after four periods
        CHECK_NEAR(t, tml_fit_value(fit, k), truth[k], 1e-6 * fabs(truth[k]));
    }
    tml_fit_free(fit);
    tml_model_free(model);
}

/* Four parameters from noise: of 10 x 4 intervals of 95 % two are expected to miss; more than seven have a probability of 1e-3. The
 * random numbers are always the same. */
TEST(four_parameters_within_their_confidence)
{
    double time[ROWS], values[2 * ROWS];
    int missed = 0;
    TmlModel *model = make(t, oscillator);
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        measure(seed, 0.01, 0.05, time, values);
        TmlFit *fit = fit_of(t, model, four, time, values, NULL);
        CHECK(t, tml_fit_result(fit).converged);
        for (int k = 0; k < 4; ++k) {
            const double off = fabs(tml_fit_value(fit, k) - truth[k]);
            missed += truth[k] < tml_fit_low(fit, k) || truth[k] > tml_fit_high(fit, k);
            CHECK(t, off < 4.0 * tml_fit_deviation(fit, k)); // one of 16000
            CHECK(t, tml_fit_deviation(fit, k) < 0.2 * truth[k]);
        }
        // of 60 values each: 9 % is one deviation
        CHECK_NEAR(t, tml_fit_noise(fit, 0) / 0.01, 1.0, 0.35);
        CHECK_NEAR(t, tml_fit_noise(fit, 1) / 0.05, 1.0, 0.35);
        tml_fit_free(fit);
    }
    CHECK(t, missed <= 7);
    tml_model_free(model);
}

/* With known noise of one output deviations are those of the linear problem: twice the noise, twice the deviation; a weight of 4 on all
 * changes no value, and no deviation either (E7). */
TEST(weights_and_known_noise)
{
    double time[ROWS], values[2 * ROWS];
    TmlModel *model = make(t, oscillator);
    measure(3, 0.01, 0.05, time, values);
    static const char *const text[] = {
        "fit: a\nparameters: {k: {}, c: {}}\noutputs: {x: {noise: 0.01}, v: {noise: 0.05}}\n",
        "fit: b\nparameters: {k: {}, c: {}}\noutputs: {x: {noise: 0.02}, v: {noise: 0.1}}\n",
        ("fit: c\nparameters: {k: {}, c: {}}\noutputs: {x: {noise: 0.01, weight: 4}, "
         "v: {noise: 0.05, weight: 4}}\n"),
    };
    TmlFit *fit[3];
    for (int k = 0; k < 3; ++k) {
        fit[k] = fit_of(t, model, text[k], time, values, NULL);
    }
    for (int p = 0; p < 2; ++p) {
        const double s = tml_fit_deviation(fit[0], p);
        // all three end where a step promises less than 1e-9 of the sum of squares: 1e-4 deviations of the minimum
        CHECK_NEAR(t, tml_fit_value(fit[1], p), tml_fit_value(fit[0], p), 3e-3 * s);
        CHECK_NEAR(t, tml_fit_value(fit[2], p), tml_fit_value(fit[0], p), 3e-3 * s);
        CHECK_NEAR(t, tml_fit_deviation(fit[1], p), 2.0 * s, 1e-3 * s);
        CHECK_NEAR(t, tml_fit_deviation(fit[2], p), s, 1e-3 * s);
    }
    for (int k = 0; k < 3; ++k) {
        tml_fit_free(fit[k]);
    }
    tml_model_free(model);
}

typedef struct Stopper {
    int after, seen;
} Stopper;

static bool stop_after(void *user, const TmlSearchProgress *p)
{
    Stopper *s = user;
    s->seen = p->evaluations;
    return p->evaluations < s->after;
}

/* Stopped after each evaluation in turn and gone on with, a fit ends with the same bits, and makes no evaluation twice. */
TEST(fit_goes_on)
{
    static const char path[] = "search-journal.tmp";
    double time[ROWS], values[2 * ROWS];
    TmlModel *model = make(t, oscillator);
    measure(5, 0.01, 0.05, time, values);
    TmlFit *whole = fit_of(t, model, four, time, values, NULL);
    const int all = tml_fit_result(whole).evaluations;
    for (int after = 1; after < all; ++after) {
        Stopper s = {.after = after};
        TmlSearchOptions o = {.journal = path, .hooks = {.user = &s, .progress = stop_after}};
        TmlFit *part = fit_of(t, model, four, time, values, &o);
        CHECK(t, tml_fit_result(part).stopped);
        CHECK(t, strstr(tml_fit_result(part).message, "best") != NULL);
        tml_fit_free(part);
        o = (TmlSearchOptions){.journal = path, .resume = true};
        part = fit_of(t, model, four, time, values, &o);
        CHECK(t, tml_fit_result(part).replayed == after);
        CHECK(t, tml_fit_result(part).evaluations == all);
        for (int k = 0; k < 4; ++k) {
            CHECK(t, tml_fit_value(part, k) == tml_fit_value(whole, k));
            CHECK(t, tml_fit_deviation(part, k) == tml_fit_deviation(whole, k));
        }
        tml_fit_free(part);
        CHECK(t, access(path, F_OK) != 0); // it has done its duty
    }
    tml_fit_free(whole);
    tml_model_free(model);
}

/* A ball that falls on a floor with an event: derivatives are differences, and gravity comes back. */
TEST(fit_by_differences)
{
    double time[ROWS], values[2 * ROWS];
    TmlError err = {0};
    TmlModel *model = make(t, HEAD "parameters: {g: 9, v: 2}\n"
                                   "gravity: [0, -g, 0]\n"
                                   "bodies: {ball: {type: point, mass: 2, velocity: [v, 0, 0]}}\n"
                                   "outputs: {x: DY(ball), v: DX(ball)}\n"
                                   "events: {low: {when: DY(ball), condition: below, value: -1}}\n"
                                   "simulate: {end: 1}\n");
    for (int k = 0; k < ROWS; ++k) {
        time[k] = (k + 1.0) / ROWS;
        values[2 * k] = -0.5 * 9.81 * time[k] * time[k];
        values[2 * k + 1] = 3.0 * time[k];
    }
    TmlFit *fit =
        fit_of(t, model, "fit: g\nparameters: {g: {from: 9, to: 12}, v: {}}\n", time, values, NULL);
    CHECK(t, err.status == TML_OK);
    CHECK_NEAR(t, tml_fit_value(fit, 0), 9.81, 1e-6); // runs at 1e-9 of a motion without error
    CHECK_NEAR(t, tml_fit_value(fit, 1), 3.0, 1e-6);
    tml_fit_free(fit);
    tml_model_free(model);
}

TEST(fits_that_are_wrong)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"fit: a\nparameters: {K: {}}\n", "did you mean 'k'?"},
        {"fit: a\nparameters: {k: {from: 2, to: 1}}\n", "'from' must be below 'to'"},
        {"fit: a\nparameters: {k: {from: 50}}\n", "give a 'start'"},
        {"fit: a\nparameter: {k: {}}\n", "did you mean 'parameters'?"},
        {"fit: a\nparameters: {k: {}}\noutputs: [y]\n", "no output 'y'"},
        {"fit: a\nparameters: {k: {}}\nconfidence: 2\n", "between 0 and 1"},
        {"fit: a\nparameters: {k: {}, c: {scale: log}}\n", "scale: log needs"},
    };
    double time[ROWS], values[2 * ROWS];
    TmlModel *model = make(t, oscillator);
    static const char *const columns[] = {"x", "v"};
    const TmlMeasurement m = {
        .n_times = ROWS, .times = time, .n_columns = 2, .columns = columns, .values = values};
    measure(1, 0.0, 0.0, time, values);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        TmlError err = {0};
        TmlFit *fit = NULL;
        CHECK(t, tml_fit_create(model, wrong[k].text, 1, &m, &fit, &err) == TML_E_MODEL);
        if (strstr(err.message, wrong[k].message) == NULL) {
            test_fail(t, __FILE__, __LINE__, "%s: %s", wrong[k].text, err.message);
        }
        CHECK(t, fit == NULL);
    }
    tml_model_free(model);
}

/* --- optimisations ------------------------------------------------------------------------------------------- */

/* A ball thrown with the speed 10 at an angle a; after 1 s it is at 10 cos a, 10 sin a - g/2. */
static const char thrown[] =
    HEAD "parameters: {a: 0.9, s: 8, T: 1}\n"
         "gravity: [0, -9.81, 0]\n"
         "bodies: {ball: {type: point, mass: 2, velocity: [s*cos(a), s*sin(a), 0]}}\n"
         "outputs: {x: DX(ball), y: DY(ball), miss: (DX(ball) - 3)^2 + (DY(ball) - 1)^2,\n"
         "  cost: \"if(a - 1.2: 1, 1, sqrt(0 - a))\"}\n"
         "simulate: {end: 1, output_step: 0.1, tolerance: 1e-9}\n";

static TmlOptimum *optimum_of(TestCtx *t, const TmlModel *model, const char *text)
{
    TmlError err = {0};
    TmlOptimum *o = NULL;
    CHECK_OK(t, tml_optimum_create(model, text, &o, &err), &err);
    if (o != NULL) {
        CHECK_OK(t, tml_optimum_run(o, NULL, &err), &err);
    }
    return o;
}

TEST(constrained)
{
    static const struct {
        const char *method;
        double off; // methods stop when steps are 1e-5 of the range of 1.3, and keep limits to 1e-6
    } row[] = {{"slsqp", 1e-4}, {"mma", 1e-4}, {"cobyla", 1e-4}, {"direct", 1e-3}, {"isres", 1e-3}};
    TmlModel *model = make(t, thrown);
    const double a = asin((0.5 + 0.5 * 9.81) / 10.0);
    for (size_t k = 0; k < sizeof row / sizeof row[0]; ++k) {
        char text[500];
        snprintf(text, sizeof text,
                 "optimize: far\nparameters: {a: {from: 0.1, to: 1.4}, s: {from: 5, to: 10}}\n"
                 "responses: {far: {of: x, take: end}, high: {of: y, take: end}}\n"
                 "maximize: far\nconstraints: {high: {min: 0.5}}\nmethod: %s\nevaluations: 600\n",
                 row[k].method);
        t->name = row[k].method;
        TmlOptimum *o = optimum_of(t, model, text);
        CHECK(t, tml_optimum_result(o).feasible);
        CHECK_NEAR(t, tml_optimum_value(o, 0), a, row[k].off);
        CHECK_NEAR(t, tml_optimum_value(o, 1), 10.0, 10.0 * row[k].off);
        CHECK_NEAR(t, tml_optimum_result(o).objective, 10.0 * cos(a), 10.0 * row[k].off);
        tml_optimum_free(o);
    }
    tml_model_free(model);
}

/* Derivatives of all responses that have one, in the objective of a hit: at the optimum the place is met. */
TEST(unconstrained)
{
    static const char *const method[] = {"slsqp", "mma", "bobyqa", "cobyla"};
    TmlModel *model = make(t, thrown);
    const double a = atan2(1.0 + 0.5 * 9.81, 3.0), s = hypot(3.0, 1.0 + 0.5 * 9.81);
    for (size_t k = 0; k < sizeof method / sizeof method[0]; ++k) {
        char text[500];
        snprintf(text, sizeof text,
                 "optimize: hit\nparameters: {a: {from: 0.1, to: 1.5}, s: {from: 2, to: 20, "
                 "scale: log}}\nresponses: {miss: {take: end}}\nminimize: {miss: 2}\nmethod: %s\n"
                 "accuracy: 1e-7\n",
                 method[k]);
        t->name = method[k];
        TmlOptimum *o = optimum_of(t, model, text);
        // the objective is flat: its start is some 10, and 1e-9 of that is left, a distance of 1e-4 m
        CHECK_NEAR(t, tml_optimum_value(o, 0), a, 1e-3);
        CHECK_NEAR(t, tml_optimum_value(o, 1), s, 5e-3);
        tml_optimum_free(o);
    }
    tml_model_free(model);
}

/* A value to keep. */
TEST(equality)
{
    TmlModel *model = make(t, thrown);
    TmlOptimum *o =
        optimum_of(t, model,
                   "optimize: kept\nparameters: {a: {from: 0.1, to: 1.4}, s: {from: 5, to: 10}}\n"
                   "responses: {far: {of: x, take: end}, high: {of: y, take: end}}\n"
                   "minimize: far\nconstraints: {high: {equals: 0.1}, far: {min: 3}}\n");
    CHECK(t, tml_optimum_result(o).feasible);
    CHECK_NEAR(t, tml_optimum_best(o, 1), 0.1,
               1e-5); // tolerance of limits: a millionth of their sizes, some 5 m
    CHECK_NEAR(t, tml_optimum_best(o, 0), 3.0, 1e-5); // tolerance of limits, as above
    tml_optimum_free(o);
    tml_model_free(model);
}

/* Weights of (V3) against differences of responses, at rows of a curve with rows at unequal distances. */
TEST(weights_of_responses)
{
    double at[] = {0.0, 1.0, 0.5, -2.0, 0.7, 1.5, 1.5, 0.3, 2.0, -0.2};
    double weight[5];
    TmlRows rows = {.at = at, .n = 5, .cap = 5, .width = 2};
    for (int take = TML_TAKE_MAX; take <= TML_TAKE_INTEGRAL; ++take) {
        const TmlResponse p = {.take = (TmlTake)take, .from = -1.0, .to = 9.0};
        const bool has = tml_response_weights(&rows, &p, weight);
        CHECK(t, has == (take != TML_TAKE_TIME_OF_MAX && take != TML_TAKE_TIME_OF_MIN));
        for (int k = 0; k < 5 && has; ++k) {
            const double old = at[2 * k + 1], d = 1e-6;
            at[2 * k + 1] = old + d;
            const double a = tml_response_value(&rows, &p);
            at[2 * k + 1] = old - d;
            const double b = tml_response_value(&rows, &p);
            at[2 * k + 1] = old;
            // of rms d^2 f''' / 6; rounding of the values over d, 1e-10
            CHECK_NEAR(t, weight[k], (a - b) / (2.0 * d), 1e-9);
        }
    }
}

/* Runs that fail are recorded, and the search goes round them: above a = 1.2 an output is not finite, and the search begins near. */
TEST(failing_runs)
{
    TmlModel *model = make(t, thrown);
    TmlOptimum *o = optimum_of(
        t, model,
        "optimize: failing\nparameters: {a: {from: 0.1, to: 1.4, start: 1.15}, s: {from: 5, to: "
        "10}}\n"
        "responses: {far: {of: x, take: end}, high: {of: y, take: end}, cost: {take: end}}\n"
        "maximize: far\nconstraints: {high: {min: 0.5}, cost: {max: 2}}\nmethod: cobyla\n");
    CHECK(t, tml_optimum_result(o).failed > 0);
    // accuracy of the search: steps of 1e-5 of the ranges, 1.3 and 5
    CHECK_NEAR(t, tml_optimum_value(o, 0), asin((0.5 + 0.5 * 9.81) / 10.0), 1e-4);
    CHECK_NEAR(t, tml_optimum_value(o, 1), 10.0, 1e-3);
    tml_optimum_free(o);
    tml_model_free(model);
}

TEST(optimisations_that_are_wrong)
{
    static const struct {
        const char *more, *message;
    } wrong[] = {
        {"minimize: fra\n", "did you mean 'far'?"},
        {"", "expected one of 'minimize' and 'maximize'"},
        {"minimize: far\nmethod: bobyqa\nconstraints: {far: {min: 0}}\n", "cobyla is like it"},
        {"minimize: far\nmethod: mma\nconstraints: {far: {equals: 0}}\n", "cannot keep a response"},
        {"minimize: far\nconstraints: {far: {min: 2, max: 1}}\n", "'min' is above 'max'"},
        {"minimize: far\nconstraints: {far: {}}\n", "expected 'min', 'max' or 'equals'"},
        {"minimize: far\nmethod: newton\n", "method"},
    };
    TmlModel *model = make(t, thrown);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        TmlError err = {0};
        TmlOptimum *o = NULL;
        char text[600];
        snprintf(text, sizeof text,
                 "optimize: wrong\nparameters: {a: {from: 0.1, to: 1.4}}\n"
                 "responses: {far: {of: x, take: end}}\n%s",
                 wrong[k].more);
        CHECK(t, tml_optimum_create(model, text, &o, &err) == TML_E_MODEL);
        if (strstr(err.message, wrong[k].message) == NULL) {
            test_fail(t, __FILE__, __LINE__, "%s: %s", wrong[k].more, err.message);
        }
    }
    TmlError err = {0};
    TmlOptimum *o = NULL;
    CHECK(t, tml_optimum_create(model,
                                "optimize: a\nparameters: {a: {from: 0}}\n"
                                "responses: {far: {of: x}}\nminimize: far\n",
                                &o, &err) == TML_E_MODEL);
    CHECK(t, strstr(err.message, "needs 'from' and 'to'") != NULL);
    tml_model_free(model);
}

TEST_SUITE(search) = {
    CASE(student),
    CASE(exact_data),
    CASE(four_parameters_within_their_confidence),
    CASE(weights_and_known_noise),
    CASE(fit_goes_on),
    CASE(fit_by_differences),
    CASE(fits_that_are_wrong),
    CASE(constrained),
    CASE(unconstrained),
    CASE(equality),
    CASE(weights_of_responses),
    CASE(failing_runs),
    CASE(optimisations_that_are_wrong),
    {0},
};
