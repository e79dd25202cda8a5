/* tests/io/test_compare.c - comparison of methods: errors, scales, references, callbacks. */
#include "robust/robust_util.h"
#include "test.h"
#include "trammel/trammel.h"

#include <time.h>

/* A mass on a spring in the x direction, with its closed form; z stays at zero. */
static const char spring[] = "trammel: 1\n"
                             "bodies: {ball: {type: point, mass: 1, position: [1, 0, 0]}}\n"
                             "forces: {k: {type: force, body: ball, fx: -4*DX(ball)}}\n"
                             "outputs:\n"
                             "  x: {value: DX(ball), unit: m}\n"
                             "  z: {value: DZ(ball), unit: m}\n"
                             "  off: {value: DX(ball) - cos(2*time), unit: m}\n"
                             "simulate: {end: 2, output_step: 0.05}\n";

typedef struct Heard {
    int begun, rows, notes, stop_after;
} Heard;

static bool on_begin(void *user, const TmlCompare *c)
{
    (void)c;
    ((Heard *)user)->begun++;
    return true;
}

static bool on_row(void *user, const TmlCompareRow *row)
{
    Heard *heard = user;
    (void)row;
    heard->rows++;
    return heard->rows != heard->stop_after;
}

static void on_note(void *user, const char *text)
{
    (void)text;
    ((Heard *)user)->notes++;
}

static bool stop_now(void *user)
{
    (void)user;
    return false;
}

static TmlModel *load(TestCtx *t, const char *text)
{
    TmlError err = {0};
    TmlModel *model = NULL;
    CHECK_OK(t, tml_load_text(text, "test", 0, NULL, NULL, &model, &err), &err);
    return model;
}

static TmlCompareOptions options(const char *const *method, int n, const double *tolerance)
{
    TmlCompareOptions o = tml_compare_options_default();
    o.n_methods = n;
    o.method = method;
    o.n_tolerances = 2;
    o.tolerance = tolerance;
    o.repeat = 1;
    return o;
}

static const char *const two_methods[] = {"hht", "hht:alpha=-0.3"};
static const double two_tolerances[] = {1e-4, 1e-6};

static TmlStatus keep_largest(void *user, const TmlSim *sim, TmlError *err)
{
    double *largest = user;
    (void)err;
    *largest = fmax(*largest, fabs(tml_row_channel(sim, 2)));
    return TML_OK;
}

/* Largest difference of x from its closed form in a run of hht. */
static double true_error(TestCtx *t, const TmlModel *model, double tolerance)
{
    TmlError err = {0};
    TmlSim *sim = NULL;
    double largest = 0.0;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "hht";
    o.tolerance = tolerance;
    CHECK_OK(t, tml_sim_create(model, &o, &sim, &err), &err);
    CHECK_OK(t, tml_sim_run(sim, keep_largest, &largest, &err), &err);
    tml_sim_free(sim);
    return largest;
}

/* The error against the reference is the error against the closed form. */
TEST(errors_are_true)
{
    TmlError err = {0};
    TmlCompare *c = NULL;
    TmlModel *model = load(t, spring);
    TmlCompareOptions o = options(two_methods, 2, two_tolerances);
    o.absolute = true;
    CHECK_OK(t, tml_compare(model, &o, &c, &err), &err);
    CHECK_INT(t, tml_compare_output_rows(c), 41);
    CHECK_STR(t, tml_compare_channel(c, 2), "off");
    CHECK(t, tml_compare_channel(c, 3) == NULL && tml_compare_row(c, 4) == NULL);
    for (int k = 0; k < 4; ++k) {
        const TmlCompareRow *r = tml_compare_row(c, k);
        CHECK_INT(t, r->status, TML_OK);
        CHECK_STR(t, r->method, two_methods[k / 2]);
        CHECK_NEAR(t, r->channel[1].max, 0.0, 1e-14); // rounding
        CHECK(t, r->channel[0].mean <= r->channel[0].rms);
        CHECK(t, r->channel[0].rms <= r->channel[0].max);
        CHECK_NEAR(t, r->max_error, r->channel[0].max, 1e-14); // scale 1
        if (k < 2) {
            const double e = true_error(t, model, two_tolerances[k]);
            CHECK_NEAR(t, r->max_error, e, 0.01 * e); // error of the reference
        }
        CHECK(t, r->seconds > 0.0 && r->stats.steps > 10);
    }
    CHECK(t, tml_compare_row(c, 0)->max_error > 5.0 * tml_compare_row(c, 1)->max_error);
    tml_compare_free(c);
    tml_model_free(model);
}

TEST(scales_are_ranges)
{
    TmlError err = {0};
    TmlCompare *c = NULL;
    TmlModel *model = load(t, spring);
    static const char *const channel[] = {"x", "z"};
    TmlCompareOptions o = options(two_methods, 1, two_tolerances);
    o.n_channels = 2;
    o.channel = channel;
    CHECK_OK(t, tml_compare(model, &o, &c, &err), &err);
    const TmlCompareRow *r = tml_compare_row(c, 0);
    // x goes from 1 to -1, seen at rows 0.05 s apart: cos(2 t) has an error of at most 0.00125
    // there
    CHECK_NEAR(t, r->channel[0].scale, 2.0, 2e-3);
    CHECK_NEAR(t, r->channel[1].scale, 1e-6 * r->channel[0].scale, 1e-15); // z rests; rounding
    CHECK_NEAR(t, r->max_error, r->channel[0].max / r->channel[0].scale, 1e-15); // rounding
    tml_compare_free(c);
    tml_model_free(model);
}

TEST(callbacks_hear_and_stop)
{
    TmlError err = {0};
    TmlCompare *c = NULL;
    TmlModel *model = load(t, spring);
    Heard heard = {.stop_after = 3};
    TmlCompareOptions o = options(two_methods, 2, two_tolerances);
    o.user = &heard;
    o.begin = on_begin;
    o.row = on_row;
    o.note = on_note;
    CHECK_INT(t, tml_compare(model, &o, &c, &err), TML_E_CANCELLED);
    CHECK_INT(t, heard.begun, 1);
    CHECK_INT(t, heard.rows, 3);
    CHECK(t, tml_compare_row(c, 2) != NULL && tml_compare_row(c, 3) == NULL);
    tml_compare_free(c);
    o.go_on = stop_now;
    CHECK_INT(t, tml_compare(model, &o, &c, &err), TML_E_CANCELLED);
    CHECK(t, tml_compare_row(c, 0) == NULL);
    tml_compare_free(c);
    tml_model_free(model);
}

/* At a tolerance close to that of the reference the errors are not certain. */
TEST(a_loose_reference_is_told)
{
    TmlError err = {0};
    TmlCompare *c = NULL;
    TmlModel *model = load(t, spring);
    Heard heard = {0};
    TmlCompareOptions o = options(two_methods, 1, two_tolerances);
    o.user = &heard;
    o.note = on_note;
    o.reference = "hht";
    o.reference_tolerance = 1e-5;
    CHECK_OK(t, tml_compare(model, &o, &c, &err), &err);
    CHECK(t, heard.notes >= 1);
    CHECK_STR(t, tml_compare_reference(c, 0)->method, "hht");
    tml_compare_free(c);
    tml_model_free(model);
}

TEST(wrong_options_are_refused)
{
    TmlError err = {0};
    TmlCompare *c = NULL;
    TmlModel *model = load(t, spring);
    static const char *const unknown[] = {"hth"};
    static const double negative[] = {1e-3, -1.0};
    TmlCompareOptions o = options(unknown, 1, two_tolerances);
    CHECK_INT(t, tml_compare(model, &o, &c, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "did you mean 'hht'?");
    tml_compare_free(c);
    o = options(two_methods, 1, negative);
    CHECK_INT(t, tml_compare(model, &o, &c, NULL), TML_E_ARGUMENT);
    tml_compare_free(c);
    o = options(two_methods, 0, two_tolerances);
    CHECK_INT(t, tml_compare(model, &o, &c, &err), TML_E_ARGUMENT);
    tml_compare_free(c);
    o.size = 0;
    CHECK_INT(t, tml_compare(model, &o, &c, &err), TML_E_ARGUMENT);
    CHECK(t, c == NULL);
    tml_model_free(model);
}

/* A comparison in one thread (the reference is given, and is not compared), and a plot. */
static TmlStatus compare_and_plot(const TmlModel *model, TmlError *err)
{
    TmlCompare *c = NULL;
    char *text = NULL;
    const TmlSeries series = {.name = "a", .n = 2, .x = two_tolerances, .y = two_tolerances};
    TmlPlot plot = tml_plot_default();
    TmlCompareOptions o = options(two_methods, 2, two_tolerances);
    plot.n_series = 1;
    plot.series = &series;
    o.end_time = 0.1;
    o.reference = "bdf-i3";
    TmlStatus status = tml_compare(model, &o, &c, err);
    if (status == TML_OK) {
        TmlFigure figure = tml_figure_default();
        figure.title = "title";
        figure.n_plots = 1;
        figure.plots = &plot;
        status = tml_figure_svg(&figure, &text, err);
    }
    tml_text_free(text);
    tml_compare_free(c);
    return status;
}

TEST(every_allocation_may_fail)
{
    TmlModel *model = load(t, spring);
    long told = 0;
    bool failed = true;
    for (long k = 1; failed; ++k) {
        Counter memory = {.fail_at = k};
        TmlError err = {0};
        counter_set(&memory);
        const TmlStatus status = compare_and_plot(model, &err);
        tml_set_allocator(NULL);
        failed = memory.failed;
        CHECK_INT(t, memory.live, 0);
        CHECK(t, status == TML_E_NOMEM || status == TML_OK);
        told += status == TML_E_NOMEM;
    }
    CHECK(t, told > 50); // the sweep did reach the runs
    tml_model_free(model);
}

/* A step takes a millisecond at least. */
static bool slow_step(void *user)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    (void)user;
    nanosleep(&pause, NULL);
    return true;
}

/* Runs that have no more time are rows that say so; references are told and given up after two. The
 * reference takes some tens of steps, hht at 1e-12 tens of thousands, half a second is between. */
TEST(limit_of_time)
{
    static const double tight[] = {1e-3, 1e-12};
    TmlError err = {0};
    TmlCompare *c = NULL;
    Heard heard = {0};
    TmlModel *model = load(t, spring);
    TmlCompareOptions o = options(two_methods, 1, tight);
    o.reference = "radau";
    o.reference_tolerance = 1e-8;
    o.user = &heard;
    o.note = on_note;
    o.go_on = slow_step;
    o.limit = 0.5;
    CHECK_OK(t, tml_compare(model, &o, &c, &err), &err);
    if (c != NULL && tml_compare_row(c, 1) != NULL) {
        CHECK(t, tml_compare_row(c, 0)->status == TML_OK);
        CHECK(t, tml_compare_row(c, 1)->status == TML_E_STEP);
        CHECK_HAS(t, tml_compare_row(c, 1)->message, "not finished in 0.5 s: it came to t = ");
        CHECK(t, isnan(tml_compare_row(c, 1)->max_error));
    }
    tml_compare_free(c);

    o.limit = 1e-9;
    CHECK(t, tml_compare(model, &o, &c, &err) == TML_E_STEP);
    CHECK_HAS(t, err.message, "not finished in 1e-09 s");
    tml_compare_free(c);
    o.reference = NULL;
    heard.notes = 0;
    CHECK(t, tml_compare(model, &o, &c, &err) == TML_E_STEP);
    CHECK_HAS(t, err.message, "--limit");
    CHECK_INT(t, heard.notes, 2);
    tml_compare_free(c);
    o.limit = 0.0;
    CHECK(t, tml_compare(model, &o, &c, &err) == TML_E_ARGUMENT);
    tml_compare_free(c);
    tml_model_free(model);
}

TEST_SUITE(io_compare) = {CASE(errors_are_true),           CASE(scales_are_ranges),
                          CASE(callbacks_hear_and_stop),   CASE(a_loose_reference_is_told),
                          CASE(wrong_options_are_refused), CASE(limit_of_time),
                          CASE(every_allocation_may_fail), {0}};
