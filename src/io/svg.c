/* io/svg.c - line plots as SVG: panels with axes, series, one legend.
 *
 * Series are told apart three ways: by colour (Okabe and Ito's set without its yellow, which is too
 * pale on white), by the shape of the marks, and, past the last colour, by dashes.
 */
#include "io/svg.h"

#include "base/fail.h"
#include "io/textbuf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PANEL_W = 470, PANEL_H = 380, LEFT = 74, RIGHT = 18, TOP = 38, BOTTOM = 56, HEAD = 34 };
enum { LINE_H = 20, LETTER_W = 7, N_COLORS = 7, N_MARKS = 6, N_DASHES = 3 };

static const char *const color[N_COLORS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                            "#e69f00", "#56b4e9", "#000000"};
static const char *const dash[N_DASHES] = {"", "7 3", "2 3"};
static const double mark_size = 3.8; // px, half of the width

TmlPlot tml_plot_default(void)
{
    const TmlAxis axis = {.low = (double)NAN, .high = (double)NAN};
    return (TmlPlot){.x = axis, .y = axis};
}

/* --- small pieces -------------------------------------------------------------------------- */

/* A coordinate: two decimals, a point in every locale. */
static const char *px(double x, char out[TML_NUMBER_MAX])
{
    snprintf(out, TML_NUMBER_MAX, "%.2f", fmax(-1e6, fmin(1e6, x)));
    char *comma = strchr(out, ',');
    if (comma != NULL) {
        *comma = '.';
    }
    return out;
}

static void put_xy(TmlTextBuf *b, const char *before, double x, double y)
{
    char tx[TML_NUMBER_MAX], ty[TML_NUMBER_MAX];
    tml_textbuf_add(b, "%s%s,%s", before, px(x, tx), px(y, ty));
}

static void put_line(TmlTextBuf *b, const char *look, double x1, double y1, double x2, double y2)
{
    put_xy(b, "<path d=\"M", x1, y1);
    put_xy(b, "L", x2, y2);
    tml_textbuf_add(b, "\" class=\"%s\"/>\n", look);
}

/* Text of the caller, so that it cannot be taken for markup; control characters are left out. */
static void put_escaped(TmlTextBuf *b, const char *text)
{
    for (const char *c = text; *c != '\0'; ++c) {
        switch (*c) {
        case '&':
            tml_textbuf_put(b, "&amp;");
            break;
        case '<':
            tml_textbuf_put(b, "&lt;");
            break;
        case '>':
            tml_textbuf_put(b, "&gt;");
            break;
        case '"':
            tml_textbuf_put(b, "&quot;");
            break;
        default:
            if ((unsigned char)*c >= 0x20 || *c == '\n' || *c == '\t') {
                tml_textbuf_add(b, "%c", *c);
            }
        }
    }
}

/* `more`: further attributes, such as the anchor. */
static void open_text(TmlTextBuf *b, double x, double y, const char *more)
{
    char tx[TML_NUMBER_MAX], ty[TML_NUMBER_MAX];
    tml_textbuf_add(b, "<text x=\"%s\" y=\"%s\"%s>", px(x, tx), px(y, ty), more);
}

static void put_text(TmlTextBuf *b, double x, double y, const char *more, const char *text)
{
    if (text != NULL) {
        open_text(b, x, y, more);
        put_escaped(b, text);
        tml_textbuf_put(b, "</text>\n");
    }
}

/* --- series -------------------------------------------------------------------------------- */

static void put_mark(TmlTextBuf *b, int series, double x, double y)
{
    static const struct {
        int n;
        double at[4][2];
    } shape[N_MARKS] = {
        {0, {{0}}}, // a circle
        {4, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}},
        {3, {{0, -1.2}, {1.1, 0.8}, {-1.1, 0.8}}},
        {4, {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}}},
        {3, {{0, 1.2}, {1.1, -0.8}, {-1.1, -0.8}}},
        {4, {{-0.5, -1.2}, {0.5, -1.2}, {0.5, 1.2}, {-0.5, 1.2}}},
    };
    const int kind = series % N_MARKS;
    char tx[TML_NUMBER_MAX], ty[TML_NUMBER_MAX], tr[TML_NUMBER_MAX];
    if (shape[kind].n == 0) {
        tml_textbuf_add(b, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"%s\">", px(x, tx),
                        px(y, ty), px(mark_size, tr), color[series % N_COLORS]);
        return;
    }
    for (int k = 0; k < shape[kind].n; ++k) {
        put_xy(b, k == 0 ? "<path d=\"M" : "L", x + mark_size * shape[kind].at[k][0],
               y + mark_size * shape[kind].at[k][1]);
    }
    tml_textbuf_add(b, "Z\" fill=\"%s\">", color[series % N_COLORS]);
}

static void close_mark(TmlTextBuf *b, int series, const char *note)
{
    if (note != NULL) {
        tml_textbuf_put(b, "<title>");
        put_escaped(b, note);
        tml_textbuf_put(b, "</title>");
    }
    tml_textbuf_put(b, series % N_MARKS == 0 ? "</circle>\n" : "</path>\n");
}

/* Closes the path that stands open, with the look of a series. */
static void end_curve(TmlTextBuf *b, int series)
{
    tml_textbuf_add(b,
                    "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" "
                    "stroke-linejoin=\"round\"",
                    color[series % N_COLORS]);
    const char *dashes = dash[series / N_COLORS % N_DASHES];
    if (dashes[0] != '\0') {
        tml_textbuf_add(b, " stroke-dasharray=\"%s\"", dashes);
    }
    tml_textbuf_put(b, "/>\n");
}

/* Points closer than a quarter of a pixel to the last one are not seen. */
static void put_curve(TmlTextBuf *b, const TmlPlot *plot, int index, const TmlScale *sx,
                      const TmlScale *sy)
{
    const TmlSeries *s = &plot->series[index];
    double last_x = HUGE_VAL, last_y = HUGE_VAL;
    bool down = false;
    tml_textbuf_put(b, "<path d=\"");
    for (int k = 0; k < s->n; ++k) {
        if (!tml_axis_shows(&plot->x, s->x[k]) || !tml_axis_shows(&plot->y, s->y[k])) {
            down = false;
            continue;
        }
        const double x = tml_scale_place(sx, s->x[k]), y = tml_scale_place(sy, s->y[k]);
        if (!down || fabs(x - last_x) > 0.25 || fabs(y - last_y) > 0.25) {
            put_xy(b, down ? "L" : "M", x, y);
            last_x = x;
            last_y = y;
        }
        down = true;
    }
    end_curve(b, index);
    for (int k = 0; s->marks && k < s->n; ++k) {
        if (tml_axis_shows(&plot->x, s->x[k]) && tml_axis_shows(&plot->y, s->y[k])) {
            put_mark(b, index, tml_scale_place(sx, s->x[k]), tml_scale_place(sy, s->y[k]));
            close_mark(b, index, s->notes != NULL ? s->notes[k] : NULL);
        }
    }
}

/* --- panels -------------------------------------------------------------------------------- */

/* Logarithmic axes over many decades, or far from one, are named in powers of ten. */
static void put_tick_name(TmlTextBuf *b, const TmlScale *scale, double at)
{
    const double e = scale->log ? log10(at) : 0.5, far = scale->high - scale->low < 2.0 ? 4.5 : 3.0;
    const bool powers = scale->log && (scale->high > far || scale->low < -far);
    char text[TML_NUMBER_MAX];
    if (fabs(e - round(e)) < 1e-9 && powers) {
        tml_textbuf_add(b, "10<tspan dy=\"-5\" font-size=\"9\">%s%d</tspan>",
                        e < 0.0 ? "\xe2\x88\x92" : "", (int)fabs(round(e)));
        return;
    }
    const double zero = 1e-9 * (scale->high - scale->low); // 0.1 * 3 - 0.3 is not a number to show
    snprintf(text, sizeof text, "%.6g", !scale->log && fabs(at) < zero ? 0.0 : at);
    char *comma = strchr(text, ',');
    if (comma != NULL) {
        *comma = '.';
    }
    tml_textbuf_put(b, text);
}

static void put_axes(TmlTextBuf *b, const TmlScale *sx, const TmlScale *sy)
{
    TmlTicks ticks;
    tml_scale_ticks(sx, &ticks);
    for (int k = 0; k < ticks.n; ++k) {
        const double x = tml_scale_place(sx, ticks.at[k]);
        put_line(b, ticks.named[k] ? "grid" : "thin", x, sy->from, x, sy->to);
        if (ticks.named[k]) {
            open_text(b, x, sy->from + 17.0, " text-anchor=\"middle\"");
            put_tick_name(b, sx, ticks.at[k]);
            tml_textbuf_put(b, "</text>\n");
        }
    }
    tml_scale_ticks(sy, &ticks);
    for (int k = 0; k < ticks.n; ++k) {
        const double y = tml_scale_place(sy, ticks.at[k]);
        put_line(b, ticks.named[k] ? "grid" : "thin", sx->from, y, sx->to, y);
        if (ticks.named[k]) {
            open_text(b, sx->from - 7.0, y + 4.0, " text-anchor=\"end\"");
            put_tick_name(b, sy, ticks.at[k]);
            tml_textbuf_put(b, "</text>\n");
        }
    }
}

static void put_labels(TmlTextBuf *b, const TmlPlot *plot, const TmlScale *sx, const TmlScale *sy)
{
    const double mx = 0.5 * (sx->from + sx->to), my = 0.5 * (sy->from + sy->to);
    put_text(b, mx, sy->to - 12.0, " text-anchor=\"middle\" font-weight=\"bold\"", plot->title);
    put_text(b, mx, sy->from + 40.0, " text-anchor=\"middle\"", plot->x.label);
    if (plot->y.label != NULL) {
        put_xy(b, "<g transform=\"translate(", sx->from - 54.0, my);
        tml_textbuf_put(b, ") rotate(-90)\">");
        put_text(b, 0.0, 0.0, " text-anchor=\"middle\"", plot->y.label);
        tml_textbuf_put(b, "</g>\n");
    }
}

static TmlStatus put_panel(TmlTextBuf *b, const TmlPlot *plot, int index, double left, double top,
                           TmlError *err)
{
    TmlScale sx, sy;
    TML_TRY(tml_axis_scale(&plot->x, plot, true, &sx, err));
    TML_TRY(tml_axis_scale(&plot->y, plot, false, &sy, err));
    sx.from = left + LEFT;
    sx.to = left + PANEL_W - RIGHT;
    sy.from = top + PANEL_H - BOTTOM; // y goes down on the page
    sy.to = top + TOP;
    char x[TML_NUMBER_MAX], y[TML_NUMBER_MAX], box[128];
    snprintf(box, sizeof box, "x=\"%s\" y=\"%s\" width=\"%d\" height=\"%d\"", px(sx.from, x),
             px(sy.to, y), PANEL_W - LEFT - RIGHT, PANEL_H - TOP - BOTTOM);
    put_axes(b, &sx, &sy);
    put_labels(b, plot, &sx, &sy);
    tml_textbuf_add(b, "<clipPath id=\"panel%d\"><rect %s/></clipPath>\n", index, box);
    tml_textbuf_add(b, "<rect %s class=\"frame\"/>\n<g clip-path=\"url(#panel%d)\">\n", box, index);
    for (int k = 0; k < plot->n_series; ++k) {
        put_curve(b, plot, k, &sx, &sy);
    }
    tml_textbuf_put(b, "</g>\n");
    return TML_OK;
}

/* --- legend and page ----------------------------------------------------------------------- */

/* Characters, not bytes, of UTF-8 text. */
static int length_of(const char *text)
{
    int n = 0;
    for (const char *c = text; *c != '\0'; ++c) {
        n += ((unsigned char)*c & 0xc0) != 0x80;
    }
    return n;
}

static int legend_width(const TmlPlot *plot)
{
    int longest = 0;
    for (int k = 0; k < plot->n_series; ++k) {
        const char *name = plot->series[k].name;
        const int n = name != NULL ? length_of(name) : 0;
        longest = n > longest ? n : longest;
    }
    return longest > 0 ? 56 + LETTER_W * longest : 0;
}

static void put_legend(TmlTextBuf *b, const TmlPlot *plot, double left, double top)
{
    double y = top + TOP + 8.0;
    for (int k = 0; k < plot->n_series; ++k) {
        if (plot->series[k].name == NULL) {
            continue;
        }
        put_xy(b, "<path d=\"M", left, y);
        put_xy(b, "L", left + 28.0, y);
        end_curve(b, k);
        if (plot->series[k].marks) {
            put_mark(b, k, left + 14.0, y);
            close_mark(b, k, NULL);
        }
        put_text(b, left + 36.0, y + 4.0, "", plot->series[k].name);
        y += LINE_H;
    }
}

static void put_head(TmlTextBuf *b, int width, int height)
{
    tml_textbuf_add(b,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                    "viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, sans-serif\" "
                    "font-size=\"12\" fill=\"#222\">\n",
                    width, height, width, height);
    tml_textbuf_put(b, "<style>.grid{stroke:#d4d4d4;fill:none}.thin{stroke:#efefef;fill:none}"
                       ".frame{stroke:#444;fill:none}</style>\n"
                       "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

TmlStatus tml_plot_svg(const TmlPlot *plots, int n, int columns, const char *title, char **out,
                       TmlError *err)
{
    *out = NULL;
    if (n < 1 || columns < 1) {
        return tml_fail(err, TML_E_ARGUMENT, "%d plots in %d columns", n, columns);
    }
    TmlTextBuf b = {0};
    const int across = n < columns ? n : columns, down = (n + columns - 1) / columns;
    const int head = title != NULL && title[0] != '\0' ? HEAD : 0, top = head > 0 ? head - 10 : 0;
    const int names = 30 + LINE_H * plots[0].n_series + TOP, height = down * PANEL_H;
    put_head(&b, across * PANEL_W + legend_width(&plots[0]),
             top + (legend_width(&plots[0]) > 0 && names > height ? names : height));
    put_text(&b, LEFT, 24.0, " font-size=\"15\" font-weight=\"bold\"", head > 0 ? title : NULL);
    TmlStatus status = TML_OK;
    for (int k = 0; k < n && status == TML_OK; ++k) {
        const int column = k % columns, row = k / columns;
        status = put_panel(&b, &plots[k], k, column * PANEL_W, top + row * PANEL_H, err);
    }
    put_legend(&b, &plots[0], across * PANEL_W, top);
    tml_textbuf_put(&b, "</svg>\n");
    if (status != TML_OK) {
        tml_textbuf_free(&b);
        return status;
    }
    return tml_textbuf_take(&b, out, err);
}
