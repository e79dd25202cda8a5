/* tests/io/test_figure.c - figures: limits, ticks, places, thinning, gaps, text that is not markup.
 */
#include "io/figure/figure.h"
#include "test.h"
#include "trammel/trammel.h"

#include <stdlib.h>
#include <unistd.h>

static TmlStatus one_svg(const TmlPlot *plot, const char *title, char **out, TmlError *err)
{
    TmlFigure figure = tml_figure_default();
    figure.title = title;
    figure.n_plots = 1;
    figure.plots = plot;
    figure.legend = TML_LEGEND_ONE;
    return tml_figure_svg(&figure, out, err);
}

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
    CHECK_OK(t, tml_axis_scale(&plot.x, &plot, 1, true, &scale, &err), &err);
    return scale;
}

TEST(linear_ticks_are_round)
{
    TmlTicks ticks;
    const TmlScale scale = scale_of(t, false, -0.13, 1.21);
    tml_scale_ticks(&scale, 6, &ticks);
    CHECK_INT(t, ticks.n, 7); // 0, 0.2, ..., 1.2: a sixth of the range is 0.22
    for (int k = 0; k < ticks.n; ++k) {
        CHECK_NEAR(t, ticks.at[k], 0.2 * k, 1e-12); // rounding
        CHECK(t, ticks.named[k]);
    }
}

TEST(log_ticks_are_powers_of_ten)
{
    TmlTicks ticks;
    const TmlScale scale = scale_of(t, true, 1e-6, 1e-1);
    tml_scale_ticks(&scale, 6, &ticks);
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
    tml_scale_ticks(&scale, 6, &ticks);
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
        tml_scale_ticks(&scale, 6, &ticks);
        CHECK(t, ticks.n >= 1 && ticks.n <= TML_TICKS_MAX);
    }
}

/* Numbers too small for ticks between them are shown as zero; limits are refused. */
TEST(axes_of_subnormal_numbers)
{
    static const double x[2] = {0.0, 1.0}, y[2] = {5e-324, 3e-320};
    const TmlSeries series = {.name = "rest", .n = 2, .x = x, .y = y};
    TmlPlot plot = tml_plot_default();
    TmlError err = {0};
    TmlScale scale = {0};
    plot.series = &series;
    plot.n_series = 1;
    CHECK_OK(t, tml_axis_scale(&plot.y, &plot, 1, false, &scale, &err), &err);
    CHECK_NEAR(t, scale.low, -0.5, 0.0);
    CHECK_NEAR(t, scale.high, 0.5, 0.0);
    plot.y = (TmlAxis){.low = 0.0, .high = 3e-320};
    CHECK_INT(t, tml_axis_scale(&plot.y, &plot, 1, false, &scale, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "an axis cannot go from 0 to");
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
    CHECK_INT(t, one_svg(&plot, NULL, &text, &err), TML_E_ARGUMENT);
    CHECK(t, text == NULL);
    plot.x = (TmlAxis){.log = true, .low = -1.0, .high = 1.0};
    CHECK_INT(t, one_svg(&plot, NULL, &text, &err), TML_E_ARGUMENT);
    const TmlFigure none = tml_figure_default();
    CHECK_INT(t, tml_figure_svg(&none, &text, &err), TML_E_ARGUMENT);
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
    CHECK_OK(t, one_svg(&plot, NULL, &text, &err), &err);
    CHECK_INT(t, count(text, "Z\" fill="), 4); // three points and the legend
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
    CHECK_OK(t, one_svg(&plot, "<title>", &text, &err), &err);
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
    CHECK_OK(t, one_svg(&plot, NULL, &text, &err), &err);
    CHECK_INT(t, count(text, "#0072b2"), 6);                   // every seventh, in plot and legend
    CHECK_INT(t, count(text, "stroke-dasharray=\"7 3\""), 10); // every fourth of twenty, twice
    CHECK_HAS(t, text, ">s19</text>");
    tml_text_free(text);
}

TEST(an_empty_plot_is_a_plot)
{
    TmlPlot plot[3] = {tml_plot_default(), tml_plot_default(), tml_plot_default()};
    TmlFigure figure = tml_figure_default();
    TmlError err = {0};
    char *text = NULL;
    figure.n_plots = 3;
    figure.columns = 2;
    figure.plots = plot;
    CHECK_OK(t, tml_figure_svg(&figure, &text, &err), &err);
    CHECK_INT(t, count(text, "<clipPath"), 3);
    CHECK_HAS(t, text, "</svg>\n");
    tml_text_free(text);
}

TEST(ticks_are_named_shortly)
{
    static const struct {
        bool log;
        double low, high, at;
        const char *name;
        int power;
    } row[] = {
        {false, 0, 1, 0.2, "0.2", 0},
        {false, -3, 3, -2,
         "\xe2\x88\x92"
         "2",
         0},
        {false, -0.3, 0.3, -1e-17, "0.0", 0}, // a rounded zero has no sign
        {false, 0, 7e-16, 2e-16, "200", -18},
        {false, 0, 2.5e6, 5e5, "0.5", 6},
        {false, 0, 9e4, 2e4, "20000", 0},
        {false, 1000, 1000.001, 1000.0002, "1000.0002", 0},
        {true, 1e-9, 1, 1e-4, "10^-4", 0},
        {true, 0.01, 10, 0.1, "0.1", 0},
        {true, 1e6, 9e6, 2e6,
         "2\xc2\xb7"
         "10^6",
         0},
    };
    for (size_t k = 0; k < sizeof row / sizeof row[0]; ++k) {
        TmlTicks ticks;
        char name[TML_TICK_TEXT];
        const TmlScale scale = scale_of(t, row[k].log, row[k].low, row[k].high);
        tml_scale_ticks(&scale, 6, &ticks);
        tml_tick_text(&ticks, row[k].at, name);
        t->name = row[k].name;
        CHECK_STR(t, name, row[k].name);
        CHECK_INT(t, ticks.power, row[k].power);
    }
    t->name = NULL;
}

/* --- curves on a page that remembers ------------------------------------------------------- */

enum { SEEN_MAX = 200000 };

typedef struct Recorder {
    TmlPage page;
    int n, moves;
    double x[SEEN_MAX], y[SEEN_MAX];
} Recorder;

static void record_line(TmlPage *page, double x, double y)
{
    Recorder *r = (Recorder *)page;
    if (r->n < SEEN_MAX) {
        r->x[r->n] = x;
        r->y[r->n] = y;
    }
    r->n++;
}

static void record_move(TmlPage *page, double x, double y)
{
    ((Recorder *)page)->moves++;
    record_line(page, x, y);
}

static void record_stroke(TmlPage *page, const TmlPen *pen)
{
    (void)page, (void)pen;
}

static const TmlPageKind recorder_kind = {
    .move = record_move, .line = record_line, .stroke = record_stroke};

/* The curve of n points on a panel of 500 x 200 units, data from -1 to 1 and from low to high. */
static Recorder *record(int n, const double *x, const double *y, double x_low, double x_high,
                        double low, double high)
{
    Recorder *r = calloc(1, sizeof *r);
    const TmlSeries series = {.n = n, .x = x, .y = y};
    TmlPlot plot = tml_plot_default();
    const TmlScale sx = {.low = x_low, .high = x_high, .from = 0.0, .to = 500.0};
    const TmlScale sy = {.low = low, .high = high, .from = 200.0, .to = 0.0};
    r->page.kind = &recorder_kind;
    plot.n_series = 1;
    plot.series = &series;
    tml_curve_draw(&r->page, &plot, 0, &sx, &sy, &(TmlPen){.width = 1.0});
    return r;
}

/* Noise and two spikes of one row each among 300,000: few points are drawn, and for every column of
 * the page the lowest and the highest place is that of all points. */
TEST(thinning_keeps_extremes)
{
    enum { N = 300000, COLUMNS = 1000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    double low[COLUMNS + 1], high[COLUMNS + 1], seen_low[COLUMNS + 1], seen_high[COLUMNS + 1];
    for (int c = 0; c <= COLUMNS; ++c) {
        low[c] = seen_low[c] = HUGE_VAL;
        high[c] = seen_high[c] = -HUGE_VAL;
    }
    for (int k = 0; k < N; ++k) {
        x[k] = (double)k / (N - 1);
        y[k] = k == 123456 ? 1.0 : k == 234567 ? -1.0 : 0.1 * test_random(t, -1.0, 1.0);
        const int c = (int)(x[k] * COLUMNS);
        low[c] = fmin(low[c], y[k]);
        high[c] = fmax(high[c], y[k]);
    }
    Recorder *r = record(N, x, y, 0.0, 1.0, -1.0, 1.0);
    CHECK(t, r->n <= 4 * (COLUMNS + 1));
    for (int k = 0; k < r->n; ++k) {
        const int c = (int)(r->x[k] / 500.0 * COLUMNS);
        const double value = 1.0 - r->y[k] / 100.0;
        seen_low[c] = fmin(seen_low[c], value);
        seen_high[c] = fmax(seen_high[c], value);
    }
    // a piece passes what it leaves out within 0.05 units of 100 for 1; lines into the column help
    const double tolerance = 0.05 / 100.0 + 1e-12;
    int lost = 0;
    for (int c = 0; c < COLUMNS; ++c) {
        lost += seen_low[c] > low[c] + tolerance || seen_high[c] < high[c] - tolerance;
    }
    CHECK_INT(t, lost, 0);
    free(r);
    free(x);
    free(y);
}

static double to_piece(double px, double py, const double *x, const double *y)
{
    const double dx = x[1] - x[0], dy = y[1] - y[0], d2 = dx * dx + dy * dy;
    double s = d2 > 0.0 ? ((px - x[0]) * dx + (py - y[0]) * dy) / d2 : 0.0;
    s = fmax(0.0, fmin(1.0, s));
    return hypot(px - x[0] - s * dx, py - y[0] - s * dy);
}

/* A spiral goes back in x: what is left out lies within the tolerance of what is drawn. */
TEST(curves_are_followed)
{
    enum { N = 20000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    for (int k = 0; k < N; ++k) {
        const double s = (double)k / N, angle = 40.0 * s;
        x[k] = s * cos(angle);
        y[k] = s * sin(angle);
    }
    Recorder *r = record(N, x, y, -1.0, 1.0, -1.0, 1.0);
    CHECK(t, r->n < N / 10);
    double worst = 0.0;
    for (int k = 0, piece = 0; k < N && r->n > 1; ++k) {
        const double px = 250.0 * (1.0 + x[k]), py = 100.0 * (1.0 - y[k]);
        double best = HUGE_VAL;
        for (int p = piece; p < r->n - 1 && p < piece + 3; ++p) { // points come in order
            const double d = to_piece(px, py, r->x + p, r->y + p);
            if (d < best) {
                best = d;
                piece = p;
            }
        }
        worst = fmax(worst, best);
    }
    CHECK(t, worst <= 0.05 + 1e-9); // what the file promises
    free(r);
    free(x);
    free(y);
}

/* Back and forth on one line: the turning points stay. */
TEST(turning_points_stay)
{
    static const double x[] = {0, 0, 0, 0, 0, 0}, y[] = {0, 0.5, 1, 0.5, -1, 0};
    Recorder *r = record(6, x, y, 0.0, 1.0, -1.0, 1.0);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < r->n; ++k) {
        low = fmin(low, r->y[k]);
        high = fmax(high, r->y[k]);
    }
    CHECK_NEAR(t, low, 0.0, 1e-9); // rounding
    CHECK_NEAR(t, high, 200.0, 1e-9);
    CHECK_NEAR(t, r->y[r->n - 1], 100.0, 1e-9); // the end is the end
    free(r);
}

TEST(gaps_lift_the_pencil)
{
    static const double x[] = {0, 1, 2, 3, 4, 5, 6}, gap = (double)NAN;
    const double y[] = {0, 1, gap, 1, gap, 0, 1};
    Recorder *r = record(7, x, y, 0.0, 6.0, -1.0, 1.0);
    CHECK_INT(t, r->moves, 4); // two lines, and a point alone with its short stroke
    free(r);
}

/* --- text ---------------------------------------------------------------------------------- */

TEST(text_is_made_fit)
{
    char out[TML_LINE_MAX], lengthy[3 * TML_LINE_MAX];
    tml_text_fit("Rührer \xf0\x9f\x98\x80", 12.0, 0.0, out);
    CHECK_STR(t, out, "Rührer \xf0\x9f\x98\x80");
    tml_text_fit("a\xff\nb\xc3", 12.0, 0.0, out); // not UTF-8, a control character, cut short
    CHECK_STR(t, out, "a\xef\xbf\xbd b\xef\xbf\xbd");
    tml_text_fit("\xc0\x80\xed\xa0\x80", 12.0, 0.0, out); // too long a form, half a pair
    CHECK(t, strstr(out, "\xed") == NULL && strstr(out, "\xc0") == NULL);
    tml_text_fit("a rather long name", 12.0, 60.0, out);
    CHECK_HAS(t, out, "\xe2\x80\xa6");
    CHECK(t, tml_text_width(out, 12.0) <= 60.0 + 1e-9); // the room given, and rounding
    memset(lengthy, 'x', sizeof lengthy);
    lengthy[sizeof lengthy - 1] = '\0';
    tml_text_fit(lengthy, 12.0, 0.0, out);
    CHECK(t, strlen(out) < TML_LINE_MAX);
}

TEST(exponents_are_raised)
{
    TmlPlot plot = tml_plot_default();
    TmlError err = {0};
    char *text = NULL;
    plot.y.label = "acceleration, m/s^2";
    plot.x.label = "a^b <x^-1>";
    CHECK_OK(t, one_svg(&plot, "a^2", &text, &err), &err);
    CHECK_HAS(t, text, "m/s<tspan dy=\"-0.45em\" font-size=\"75%\">2</tspan>");
    CHECK_HAS(t, text,
              "a^b &lt;x<tspan dy=\"-0.45em\" font-size=\"75%\">\xe2\x88\x92"
              "1</tspan>");
    CHECK_HAS(t, text, ">a^2</text>"); // a title is no formula
    tml_text_free(text);
}

/* --- pages --------------------------------------------------------------------------------- */

TEST(small_pages_are_refused)
{
    const TmlPlot plot[2] = {tml_plot_default(), tml_plot_default()};
    TmlFigure figure = tml_figure_default();
    TmlError err = {0};
    char *text = NULL;
    figure.n_plots = 2;
    figure.plots = plot;
    figure.width = 300;
    figure.height = 100;
    CHECK_INT(t, tml_figure_svg(&figure, &text, &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, "too small");
    figure.height = 240;
    CHECK_OK(t, tml_figure_svg(&figure, &text, &err), &err);
    CHECK_HAS(t, text, "width=\"300\" height=\"240\"");
    tml_text_free(text);
    figure.scale = 0.0;
    CHECK_INT(t, tml_figure_svg(&figure, &text, &err), TML_E_ARGUMENT);
}

static unsigned big_endian(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (unsigned)b[0] << 24 | (unsigned)b[1] << 16 | (unsigned)b[2] << 8 | b[3];
}

TEST(pictures_have_the_size_asked_for)
{
    static const double x[] = {0, 1, 2}, y[] = {0, 1, 0};
    const TmlSeries series = {.name = "\xff<b>", .n = 3, .x = x, .y = y, .marks = true};
    TmlPlot plot = tml_plot_default();
    TmlFigure figure = tml_figure_default();
    TmlError err = {0};
    char *bytes = NULL, *blank = NULL;
    size_t n = 0, n_blank = 0;
    figure.n_plots = 1;
    figure.plots = &plot;
    figure.width = 400;
    figure.height = 300;
    figure.scale = 2.0;
    if (!tml_figure_has_png()) {
        CHECK_INT(t, tml_figure_png(&figure, &bytes, &n, &err), TML_E_ARGUMENT);
        CHECK_HAS(t, err.message, "cairo");
        return;
    }
    CHECK_OK(t, tml_figure_png(&figure, &blank, &n_blank, &err), &err);
    plot.n_series = 1;
    plot.series = &series;
    CHECK_OK(t, tml_figure_png(&figure, &bytes, &n, &err), &err);
    CHECK(t, n > 24 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0);
    CHECK_INT(t, big_endian(bytes + 16), 800);
    CHECK_INT(t, big_endian(bytes + 20), 600);
    CHECK(t, n != n_blank || memcmp(bytes, blank, n) != 0);
    tml_text_free(bytes);
    tml_text_free(blank);
}

TEST(files_are_written_by_their_ending)
{
    const TmlPlot plot = tml_plot_default();
    TmlFigure figure = tml_figure_default();
    TmlError err = {0};
    char path[512];
    figure.n_plots = 1;
    figure.plots = &plot;
    CHECK_INT(t, tml_figure_write(&figure, "figure.pdf", &err), TML_E_ARGUMENT);
    CHECK_HAS(t, err.message, ".svg or .png");
    CHECK_INT(t, tml_figure_write(&figure, "no/such/folder/figure.svg", &err), TML_E_IO);
    snprintf(path, sizeof path, "%s/figure-%d.svg", TRAMMEL_BINARY_DIR, (int)getpid());
    CHECK_OK(t, tml_figure_write(&figure, path, &err), &err);
    CHECK_INT(t, unlink(path), 0);
}

TEST_SUITE(io_figure) = {CASE(linear_ticks_are_round),
                         CASE(log_ticks_are_powers_of_ten),
                         CASE(short_log_axes_name_two_and_five),
                         CASE(ticks_never_overflow),
                         CASE(ticks_are_named_shortly),
                         CASE(axes_of_subnormal_numbers),
                         CASE(places_run_along_the_axis),
                         CASE(limits_out_of_order_are_refused),
                         CASE(values_that_cannot_be_shown_leave_a_gap),
                         CASE(thinning_keeps_extremes),
                         CASE(curves_are_followed),
                         CASE(turning_points_stay),
                         CASE(gaps_lift_the_pencil),
                         CASE(names_are_not_markup),
                         CASE(text_is_made_fit),
                         CASE(exponents_are_raised),
                         CASE(series_differ_in_colour_or_dashes),
                         CASE(an_empty_plot_is_a_plot),
                         CASE(small_pages_are_refused),
                         CASE(pictures_have_the_size_asked_for),
                         CASE(files_are_written_by_their_ending),
                         {0}};
