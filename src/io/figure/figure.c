/* io/figure/figure.c - a figure on a page: where the panels stand, their axes, series and legends.
 *
 * Series are told apart three ways: by colour (on light paper Okabe and Ito's set without its
 * yellow, which is too pale there; on dark paper a set that stays as far apart for people who miss
 * a kind of cones), by dashes, and by the shape of the marks where there are any.
 */
#include "io/figure/figure.h"

#include "base/arena.h"
#include "base/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_COLORS = 7, N_MARKS = 6, N_DASHES = 4 };
enum {
    PANEL_WIDTH = 470,
    WIDE_PANEL = 640,
    HEIGHT_ONE = 300,
    HEIGHT_STACKED = 150,
    HEIGHT_GRID = 250
};
enum { PAD = 10, RIGHT = 16, LINE = 18, TICK = 4, AXES_LEAST = 40 };

static const double text_size = 12.0, tick_size = 11.0, title_size = 14.0, mark_size = 3.8;
static const double line_width = 1.5, sample = 26.0; // sample: length of a line in the legend

typedef struct Theme {
    uint32_t paper, ink, quiet, axis, grid, thin, zero;
    uint32_t color[N_COLORS];
} Theme;

static const Theme light = {
    0xffffff, 0x1f2328,
    0x444b52, 0x444b52,
    0xe3e6e9, 0xf0f2f4,
    0xb4bac0, {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000}};
static const Theme dark = {
    0x16191d, 0xe6e9ec,
    0xb3bac1, 0x8b939b,
    0x2c3238, 0x22272c,
    0x59616a, {0x56b4e9, 0xe8590c, 0xf0e442, 0xd06aa5, 0x00996b, 0x7a6cf0, 0xffffff}};

TmlPlot tml_plot_default(void)
{
    const TmlAxis axis = {.low = (double)NAN, .high = (double)NAN};
    return (TmlPlot){.x = axis, .y = axis};
}

TmlFigure tml_figure_default(void)
{
    return (TmlFigure){.columns = 1, .scale = 1.0};
}

/* One plot and its place. */
typedef struct Panel {
    const TmlPlot *plot;
    TmlScale sx, sy;
    TmlTicks tx, ty;
    bool names_x;        // the names of the ticks and the label of x stand below it
    double above, below; // what the axes need beside them
} Panel;

typedef struct Layout {
    const TmlFigure *f;
    const Theme *theme;
    TmlPage *page;
    int columns, rows;
    Panel *panel;
    double width, height;
    double top;    // where the panels begin
    double cell;   // width of a panel
    double axes_h; // height of its axes
} Layout;

/* --- series -------------------------------------------------------------------------------- */

static TmlPen series_pen(const Theme *theme, int k, bool marks)
{
    static const struct {
        int n;
        double length[4];
    } dash[N_DASHES] = {{0, {0}}, {2, {7, 3}}, {4, {8, 2.5, 1.5, 2.5}}, {2, {2, 2}}};
    const int d = (marks ? k / N_COLORS : k) % N_DASHES;
    TmlPen pen = {.color = theme->color[k % N_COLORS], .width = line_width, .n_dash = dash[d].n};
    memcpy(pen.dash, dash[d].length, sizeof pen.dash);
    return pen;
}

static void draw_mark(TmlPage *page, int series, uint32_t color, double x, double y,
                      const char *note)
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
    if (shape[kind].n == 0) {
        page->kind->circle(page, x, y, mark_size);
    }
    for (int k = 0; k < shape[kind].n; ++k) {
        const double px = x + mark_size * shape[kind].at[k][0];
        const double py = y + mark_size * shape[kind].at[k][1];
        (k == 0 ? page->kind->move : page->kind->line)(page, px, py);
    }
    page->kind->fill(page, color, note);
}

static void draw_series(const Layout *l, const Panel *p)
{
    for (int k = 0; k < p->plot->n_series; ++k) {
        const TmlSeries *s = &p->plot->series[k];
        const TmlPen pen = series_pen(l->theme, k, s->marks);
        tml_curve_draw(l->page, p->plot, k, &p->sx, &p->sy, &pen);
        for (int i = 0; s->marks && i < s->n; ++i) {
            if (tml_axis_shows(&p->plot->x, s->x[i]) && tml_axis_shows(&p->plot->y, s->y[i])) {
                draw_mark(l->page, k, pen.color, tml_scale_place(&p->sx, s->x[i]),
                          tml_scale_place(&p->sy, s->y[i]), s->notes != NULL ? s->notes[i] : NULL);
            }
        }
    }
}

/* --- legend -------------------------------------------------------------------------------- */

static int named_series(const TmlPlot *plot)
{
    int n = 0;
    for (int k = 0; k < plot->n_series; ++k) {
        n += plot->series[k].name != NULL;
    }
    return n;
}

/* Samples and names in rows from (left, top) on, as many as fit side by side; only counted when
 * there is no page yet. Returns the number of rows. */
static int legend(const Layout *l, const TmlPlot *plot, double left, double top, double width)
{
    const double gap = 6.0, between = 18.0;
    double x = left;
    int rows = 1;
    for (int k = 0; k < plot->n_series; ++k) {
        const TmlSeries *s = &plot->series[k];
        char name[TML_LINE_MAX];
        if (s->name == NULL) {
            continue;
        }
        tml_text_fit(s->name, text_size, width - sample - gap, name);
        const double own = sample + gap + tml_text_width(name, text_size);
        if (x > left && x + own > left + width) {
            x = left;
            rows++;
        }
        if (l->page != NULL) {
            const TmlPen pen = series_pen(l->theme, k, s->marks);
            const TmlFont font = {.size = text_size, .color = l->theme->ink};
            const double y = top + (rows - 1) * LINE + 0.5 * LINE;
            l->page->kind->move(l->page, x, y);
            l->page->kind->line(l->page, x + sample, y);
            l->page->kind->stroke(l->page, &pen);
            if (s->marks) {
                draw_mark(l->page, k, pen.color, x + 0.5 * sample, y, NULL);
            }
            l->page->kind->text(l->page, x + sample + gap, y + 4.0, &font, name);
        }
        x += own + between;
    }
    return rows;
}

/* --- panels -------------------------------------------------------------------------------- */

/* A line one unit wide in the middle of pixels, which keeps it sharp. */
static double sharp(double x)
{
    return floor(x) + 0.5;
}

/* Grid, or marks at the ticks: lines across the axis `along` from a to b. */
static void tick_lines(const Layout *l, const TmlScale *along, const TmlTicks *ticks, bool is_x,
                       bool named, double a, double b, uint32_t color)
{
    for (int k = 0; k < ticks->n; ++k) {
        if (ticks->named[k] == named) {
            const double at = sharp(tml_scale_place(along, ticks->at[k]));
            l->page->kind->move(l->page, is_x ? at : a, is_x ? a : at);
            l->page->kind->line(l->page, is_x ? at : b, is_x ? b : at);
        }
    }
    l->page->kind->stroke(l->page, &(TmlPen){.color = color, .width = 1.0});
}

static void draw_grid(const Layout *l, const Panel *p)
{
    const TmlScale *sx = &p->sx, *sy = &p->sy;
    tick_lines(l, sx, &p->tx, true, false, sy->from, sy->to, l->theme->thin);
    tick_lines(l, sy, &p->ty, false, false, sx->from, sx->to, l->theme->thin);
    tick_lines(l, sx, &p->tx, true, true, sy->from, sy->to, l->theme->grid);
    tick_lines(l, sy, &p->ty, false, true, sx->from, sx->to, l->theme->grid);
    if (!sy->log && sy->low < 0.0 && sy->high > 0.0) {
        const double y = sharp(tml_scale_place(sy, 0.0));
        l->page->kind->move(l->page, sx->from, y);
        l->page->kind->line(l->page, sx->to, y);
        l->page->kind->stroke(l->page, &(TmlPen){.color = l->theme->zero, .width = 1.0});
    }
}

static void draw_axes(const Layout *l, const Panel *p)
{
    const TmlScale *sx = &p->sx, *sy = &p->sy;
    const double x = sharp(sx->from), y = sharp(sy->from);
    for (int named = 0; named < 2; ++named) {
        const double length = named ? TICK : 2.0;
        tick_lines(l, sx, &p->tx, true, named, y, y + length, l->theme->axis);
        tick_lines(l, sy, &p->ty, false, named, x - length, x, l->theme->axis);
    }
    l->page->kind->move(l->page, x, sy->to);
    l->page->kind->line(l->page, x, y);
    l->page->kind->line(l->page, sx->to, y);
    l->page->kind->stroke(l->page, &(TmlPen){.color = l->theme->axis, .width = 1.0});
}

static void power_text(const Layout *l, const TmlTicks *ticks, double x, double y, TmlAnchor anchor)
{
    if (ticks->power != 0) {
        char text[TML_TICK_TEXT];
        const TmlFont font = {
            .size = tick_size, .color = l->theme->quiet, .anchor = anchor, .formula = true};
        snprintf(text, sizeof text,
                 "\xc3\x97"
                 "10^%d",
                 ticks->power);
        l->page->kind->text(l->page, x, y, &font, text);
    }
}

static void draw_tick_names(const Layout *l, const Panel *p)
{
    TmlFont font = {.size = tick_size, .color = l->theme->quiet, .formula = true};
    char text[TML_TICK_TEXT];
    font.anchor = TML_ANCHOR_MIDDLE;
    for (int k = 0; p->names_x && k < p->tx.n; ++k) {
        if (p->tx.named[k]) {
            tml_tick_text(&p->tx, p->tx.at[k], text);
            l->page->kind->text(l->page, tml_scale_place(&p->sx, p->tx.at[k]), p->sy.from + 17.0,
                                &font, text);
        }
    }
    font.anchor = TML_ANCHOR_END;
    for (int k = 0; k < p->ty.n; ++k) {
        if (p->ty.named[k]) {
            tml_tick_text(&p->ty, p->ty.at[k], text);
            l->page->kind->text(l->page, p->sx.from - TICK - 3.0,
                                tml_scale_place(&p->sy, p->ty.at[k]) + 4.0, &font, text);
        }
    }
    power_text(l, &p->ty, p->sx.from, p->sy.to - 5.0, TML_ANCHOR_START);
    if (p->names_x) {
        power_text(l, &p->tx, p->sx.to, p->sy.from + 34.0, TML_ANCHOR_END);
    }
}

static void draw_labels(const Layout *l, const Panel *p, double left)
{
    TmlFont font = {.size = text_size, .color = l->theme->ink, .formula = true};
    char text[TML_LINE_MAX];
    font.anchor = TML_ANCHOR_MIDDLE;
    if (p->names_x && p->plot->x.label != NULL) {
        tml_text_fit(p->plot->x.label, text_size, p->sx.to - p->sx.from, text);
        l->page->kind->text(l->page, 0.5 * (p->sx.from + p->sx.to), p->sy.from + 35.0, &font, text);
    }
    if (p->plot->y.label != NULL) {
        font.upwards = true;
        tml_text_fit(p->plot->y.label, text_size, l->axes_h + p->above, text);
        l->page->kind->text(l->page, left + 13.0, 0.5 * (p->sy.from + p->sy.to), &font, text);
    }
}

static void draw_panel(const Layout *l, const Panel *p, double left, double top)
{
    const double width = p->sx.to - p->sx.from;
    const TmlFont bold = {.size = text_size, .color = l->theme->ink, .bold = true};
    char text[TML_LINE_MAX];
    double y = top;
    if (p->plot->title != NULL) {
        tml_text_fit(p->plot->title, text_size, width, text);
        l->page->kind->text(l->page, p->sx.from, y + 13.0, &bold, text);
        y += LINE;
    }
    if (l->f->legend == TML_LEGEND_EACH && p->plot->n_series > 1) {
        (void)legend(l, p->plot, p->sx.from, y, width);
    }
    draw_grid(l, p);
    l->page->kind->clip(l->page, p->sx.from, p->sy.to, width, p->sy.from - p->sy.to);
    draw_series(l, p);
    l->page->kind->unclip(l->page);
    draw_axes(l, p);
    draw_tick_names(l, p);
    draw_labels(l, p, left);
}

/* --- layout -------------------------------------------------------------------------------- */

static bool figure_shares(const TmlFigure *f)
{
    return f->share_x && f->columns == 1;
}

static TmlStatus panels_scale(Layout *l, TmlError *err)
{
    const TmlFigure *f = l->f;
    for (int k = 0; k < f->n_plots; ++k) {
        Panel *p = &l->panel[k];
        p->plot = &f->plots[k];
        p->names_x = !figure_shares(f) || k == f->n_plots - 1;
        if (figure_shares(f)) {
            TML_TRY(tml_axis_scale(&f->plots[0].x, f->plots, f->n_plots, true, &p->sx, err));
        } else {
            TML_TRY(tml_axis_scale(&p->plot->x, p->plot, 1, true, &p->sx, err));
        }
        TML_TRY(tml_axis_scale(&p->plot->y, p->plot, 1, false, &p->sy, err));
    }
    return TML_OK;
}

/* Room that one panel needs above and below its axes. */
static void panel_room(const Layout *l, const Panel *p, bool lowest, double *above, double *below)
{
    const TmlPlot *plot = p->plot;
    const bool names = l->f->legend == TML_LEGEND_EACH && plot->n_series > 1;
    const double width = p->sx.to - p->sx.from; // of the axes; a guess at first
    const int lines = names ? legend(l, plot, 0.0, 0.0, width > 0.0 ? width : l->cell - 90.0) : 0;
    const double head = LINE * (lines + (plot->title != NULL));
    const bool power = tml_scale_power(&p->sy) != 0;
    *above = head + (power ? 18.0 : head > 0.0 ? 6.0 : 10.0);
    *below = !p->names_x ? 10.0 : (plot->x.label != NULL ? 42.0 : 24.0) + (lowest ? 0.0 : 12.0);
}

/* The same room for all panels in a row; returns the sum of all rows. */
static double panels_room(Layout *l)
{
    double sum = 0.0;
    for (int row = 0; row < l->rows; ++row) {
        double above = 0.0, below = 0.0;
        const int first = row * l->columns;
        const int end = first + l->columns < l->f->n_plots ? first + l->columns : l->f->n_plots;
        for (int k = first; k < end; ++k) {
            double own_above, own_below;
            panel_room(l, &l->panel[k], row == l->rows - 1, &own_above, &own_below);
            above = fmax(above, own_above);
            below = fmax(below, own_below);
        }
        for (int k = first; k < end; ++k) {
            l->panel[k].above = above;
            l->panel[k].below = below;
        }
        sum += above + below;
    }
    return sum;
}

static double widest_tick(const TmlTicks *ticks)
{
    double most = 0.0;
    for (int k = 0; k < ticks->n; ++k) {
        char text[TML_TICK_TEXT];
        if (ticks->named[k]) {
            tml_tick_text(ticks, ticks->at[k], text);
            const double raised = strchr(text, '^') != NULL ? 0.3 * tick_size : 0.0;
            most = fmax(most, tml_text_width(text, tick_size) - raised);
        }
    }
    return most;
}

/* Places of the axes; those below each other begin at the same place. */
static void panels_place(Layout *l)
{
    const int n = l->f->n_plots;
    double top = l->top;
    for (int k = 0; k < n; ++k) {
        Panel *p = &l->panel[k];
        p->sy.to = floor(top + p->above);
        p->sy.from = floor(p->sy.to + l->axes_h); // y goes down on the page
        tml_scale_ticks(&p->sy, (int)lround(l->axes_h / 38.0), &p->ty);
        if (k % l->columns == l->columns - 1) {
            top += p->above + l->axes_h + p->below;
        }
    }
    for (int column = 0; column < l->columns; ++column) {
        double names = 0.0, label = 0.0;
        for (int k = column; k < n; k += l->columns) {
            names = fmax(names, widest_tick(&l->panel[k].ty));
            label = l->panel[k].plot->y.label != NULL ? 20.0 : label;
        }
        const double left = PAD + column * l->cell;
        for (int k = column; k < n; k += l->columns) {
            Panel *p = &l->panel[k];
            p->sx.from = floor(left + label + names + TICK + 3.0);
            p->sx.to = floor(left + l->cell - RIGHT);
            tml_scale_ticks(&p->sx, (int)lround((p->sx.to - p->sx.from) / 75.0), &p->tx);
        }
    }
}

static TmlStatus layout(Layout *l, TmlError *err)
{
    const TmlFigure *f = l->f;
    const bool title = f->title != NULL && f->title[0] != '\0';
    l->columns = f->columns < f->n_plots ? f->columns : f->n_plots;
    l->rows = (f->n_plots + l->columns - 1) / l->columns;
    const int panel_width = l->columns == 1 ? WIDE_PANEL : PANEL_WIDTH;
    l->width = f->width > 0 ? f->width : l->columns * panel_width;
    l->cell = (l->width - PAD) / l->columns;
    TML_TRY(panels_scale(l, err));
    l->top = PAD + (title ? 24.0 : 0.0);
    if (f->legend == TML_LEGEND_ONE && named_series(&f->plots[0]) > 0) {
        l->top += LINE * legend(l, &f->plots[0], 0.0, 0.0, l->width - 2.0 * PAD) + 6.0;
    }
    const int usual = l->rows == 1 ? HEIGHT_ONE : figure_shares(f) ? HEIGHT_STACKED : HEIGHT_GRID;
    double beside = 0.0;
    for (int pass = 0; pass < 2; ++pass) { // names of ticks need width, legends height
        beside = l->top + panels_room(l) + 4.0;
        l->height = f->height > 0 ? f->height : ceil(beside + l->rows * usual);
        l->axes_h = floor((l->height - beside) / l->rows);
        panels_place(l);
    }
    for (int k = 0; k < f->n_plots; ++k) {
        if (l->axes_h < AXES_LEAST || l->panel[k].sx.to - l->panel[k].sx.from < AXES_LEAST) {
            return tml_fail(err, TML_E_ARGUMENT,
                            "a page of %gx%g is too small for %d plot%s; %gx%g would do", l->width,
                            l->height, f->n_plots, f->n_plots > 1 ? "s" : "",
                            fmax(l->width, l->columns * 200.0),
                            ceil(fmax(l->height, beside + l->rows * AXES_LEAST)));
        }
    }
    return TML_OK;
}

static void draw_all(const Layout *l)
{
    const TmlFigure *f = l->f;
    const double left = f->columns == 1 ? l->panel[0].sx.from : PAD;
    double top = PAD;
    if (f->title != NULL && f->title[0] != '\0') {
        const TmlFont font = {.size = title_size, .color = l->theme->ink, .bold = true};
        char text[TML_LINE_MAX];
        tml_text_fit(f->title, title_size, l->width - left - PAD, text);
        l->page->kind->text(l->page, left, top + 13.0, &font, text);
        top += 24.0;
    }
    if (f->legend == TML_LEGEND_ONE && named_series(&f->plots[0]) > 0) {
        (void)legend(l, &f->plots[0], PAD, top, l->width - 2.0 * PAD);
    }
    for (int k = 0; k < f->n_plots; ++k) {
        const Panel *p = &l->panel[k];
        draw_panel(l, p, PAD + k % l->columns * l->cell, p->sy.to - p->above);
    }
}

TmlStatus tml_figure_draw(const TmlFigure *figure, TmlPageBegin *begin, TmlPage **out,
                          TmlError *err)
{
    *out = NULL;
    if (figure->n_plots < 1 || figure->columns < 1 || figure->width < 0 || figure->height < 0 ||
        !(figure->scale > 0.0 && figure->scale <= 100.0)) {
        return tml_fail(err, TML_E_ARGUMENT, "%d plots in %d columns, %dx%d, scale %g",
                        figure->n_plots, figure->columns, figure->width, figure->height,
                        figure->scale);
    }
    Layout l = {.f = figure, .theme = figure->dark ? &dark : &light};
    l.panel = tml_mem_zalloc((size_t)figure->n_plots, sizeof *l.panel);
    if (l.panel == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d plots", figure->n_plots);
    }
    const TmlStatus status = layout(&l, err);
    if (status == TML_OK) {
        *out = l.page = begin(l.width, l.height, l.theme->paper, figure->scale);
    }
    if (l.page != NULL) {
        draw_all(&l);
    }
    tml_mem_free(l.panel);
    return status;
}
