/* tests/io/test_svg.c - plots: limits, ticks, places, gaps and text that is not markup. */
#include "io/svg.h"
#include "test.h"
#include "trammel/trammel.h"

#include <stdlib.h>

/* How often `part` stands in text. */
static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *c = strstr(text, part); c != NULL; c = strstr(c + 1, part)) {
        n++;
    }
    return n;
}

static TmlScale scale_of(TestCtx *t, bool log_axis, double low, double high)
{
    TmlError err = {0};
    TmlPlot plot = tml_plot_default();
    TmlScale scale = {0};
    plot.x = (TmlAxis){.log = log_axis, .low = low, .high = high};
    CHECK_OK(t, tml_axis_scale(&plot.x, &plot, true, &scale, &err), &err);
    return scale;
}

TEST(linear_ticks_are_round)
{
    TmlTicks ticks;
    const TmlScale scale = scale_of(t, false, -0.13, 1.21);
    tml_scale_ticks(&scale, &ticks);
    CHECK_INT(t, ticks.n, 3); // 0, 0.5, 1: a sixth of the range is 0.22
    for (int k = 0; k < ticks.n; ++k) {
        CHECK_NEAR(t, ticks.at[k], 0.5 * k, 1e-12); // rounding
        CHECK(t, ticks.named[k]);
    }
}

TEST(log_ticks_are_powers_of_ten)
{
    TmlTicks ticks;
    const TmlScale scale = scale_of(t, true, 1e-6, 1e-1);
    tml_scale_ticks(&scale, &ticks);
    CHECK_INT(t, ticks.n, 6);
    for (int k = 0; k < ticks.n; ++k) {
        CHECK_NEAR(t, log10(ticks.at[k]), k - 6, 1e-12); // rounding
    }
}

TEST(short_log_axes_name_two_and_five)
{
    TmlTicks ticks;
    int named = 0;
    const TmlScale scale = scale_of(t, true, 1.0, 9.0);
    tml_scale_ticks(&scale, &ticks);
    for (int k = 0; k < ticks.n; ++k) {
        named += ticks.named[k];
    }
    CHECK_INT(t, ticks.n, 9); // 1 to 9
    CHECK_INT(t, named, 3);   // 1, 2, 5
}

TEST(ticks_never_overflow)
{
    static const double low[] = {-1e300, 1e-300, 0.0, 1e-12}, high[] = {1e300, 1e300, 1e-300, 1e12};
    TmlTicks ticks;
    for (int k = 0; k < 4; ++k) {
        const TmlScale scale = scale_of(t, k == 1 || k == 3, low[k], high[k]);
        tml_scale_ticks(&scale, &ticks);
        CHECK(t, ticks.n >= 1 && ticks.n <= TML_TICKS_MAX);
    }
}

TEST(places_run_along_the_axis)
{
    TmlScale linear = scale_of(t, false, 2.0, 4.0), log_scale = scale_of(t, true, 1e-2, 1e2);
    linear.from = log_scale.from = 100.0;
    linear.to = log_scale.to = 300.0;
    CHECK_NEAR(t, tml_scale_place(&linear, 3.0), 200.0, 1e-9); // rounding
    CHECK_NEAR(t, tml_scale_place(&log_scale, 1.0), 200.0, 1e-9);
    CHECK_NEAR(t, tml_scale_place(&log_scale, 1e2), 300.0, 1e-9);
}

TEST(limits_out_of_order_are_refused)
{
    TmlError err = {0};
    TmlPlot plot = tml_plot_default();
    char *text = NULL;
    plot.x.low = 2.0;
    plot.x.high = 1.0;
    CHECK_INT(t, tml_plot_svg(&plot, 1, 1, NULL, &text, &err), TML_E_ARGUMENT);
    CHECK(t, text == NULL);
    plot.x = (TmlAxis){.log = true, .low = -1.0, .high = 1.0};
    CHECK_INT(t, tml_plot_svg(&plot, 1, 1, NULL, &text, &err), TML_E_ARGUMENT);
    CHECK_INT(t, tml_plot_svg(&plot, 0, 1, NULL, &text, &err), TML_E_ARGUMENT);
}

TEST(values_that_cannot_be_shown_leave_a_gap)
{
    static const double x[] = {1, 2, 3, 4, 5}, y[] = {1, 0, 3, (double)NAN, 5};
    const TmlSeries series = {.name = "a", .n = 5, .x = x, .y = y, .marks = true};
    TmlPlot plot = tml_plot_default();
    TmlError err = {0};
    char *text = NULL;
    plot.n_series = 1;
    plot.series = &series;
    plot.y.log = true;
    CHECK_OK(t, tml_plot_svg(&plot, 1, 1, NULL, &text, &err), &err);
    CHECK_INT(t, count(text, "<circle"), 4); // three points and the legend
    CHECK(t, strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
    tml_text_free(text);
}

TEST(names_are_not_markup)
{
    static const double x[] = {1, 2};
    static const char *const notes[] = {"<b>", "\"&\""};
    const TmlSeries series = {
        .name = "</text><script>", .n = 2, .x = x, .y = x, .marks = true, .notes = notes};
    TmlPlot plot = tml_plot_default();
    TmlError err = {0};
    char *text = NULL;
    plot.n_series = 1;
    plot.series = &series;
    plot.title = "a & b";
    CHECK_OK(t, tml_plot_svg(&plot, 1, 1, "<title>", &text, &err), &err);
    CHECK_HAS(t, text, "&lt;/text&gt;&lt;script&gt;");
    CHECK_HAS(t, text, "<title>&quot;&amp;&quot;</title>");
    CHECK_HAS(t, text, "a &amp; b");
    CHECK(t, strstr(text, "<script>") == NULL);
    tml_text_free(text);
}

TEST(series_differ_in_colour_or_dashes)
{
    enum { N = 20 };
    static const double x[] = {1, 2};
    TmlSeries series[N];
    TmlPlot plot = tml_plot_default();
    TmlError err = {0};
    char *text = NULL, name[N][8];
    for (int k = 0; k < N; ++k) {
        snprintf(name[k], sizeof name[k], "s%d", k);
        series[k] = (TmlSeries){.name = name[k], .n = 2, .x = x, .y = x};
    }
    plot.n_series = N;
    plot.series = series;
    CHECK_OK(t, tml_plot_svg(&plot, 1, 1, NULL, &text, &err), &err);
    CHECK_INT(t, count(text, "#0072b2"), 6);                   // every seventh, in plot and legend
    CHECK_INT(t, count(text, "stroke-dasharray=\"7 3\""), 14); // the second seven
    CHECK_HAS(t, text, ">s19</text>");
    tml_text_free(text);
}

TEST(an_empty_plot_is_a_plot)
{
    TmlPlot plot[3] = {tml_plot_default(), tml_plot_default(), tml_plot_default()};
    TmlError err = {0};
    char *text = NULL;
    CHECK_OK(t, tml_plot_svg(plot, 3, 2, NULL, &text, &err), &err);
    CHECK_INT(t, count(text, "class=\"frame\""), 3);
    CHECK_HAS(t, text, "</svg>\n");
    tml_text_free(text);
}

TEST_SUITE(io_svg) = {CASE(linear_ticks_are_round),
                      CASE(log_ticks_are_powers_of_ten),
                      CASE(short_log_axes_name_two_and_five),
                      CASE(ticks_never_overflow),
                      CASE(places_run_along_the_axis),
                      CASE(limits_out_of_order_are_refused),
                      CASE(values_that_cannot_be_shown_leave_a_gap),
                      CASE(names_are_not_markup),
                      CASE(series_differ_in_colour_or_dashes),
                      CASE(an_empty_plot_is_a_plot),
                      {0}};
