/* io/figure/figure_curve.c - a series as a line, thinned to what can be seen.
 *
 * Where x does not go back, the points of one column of the page (half a unit wide) are replaced by
 * the first, the lowest, the highest and the last of them, in their order: the line covers the same
 * places as with all points, and no peak is lost. What is left, and any other curve, is followed by
 * straight pieces that pass all points left out within a twentieth of a unit: a piece goes on as
 * long as one direction does so for all points since its start (C1), and ends where the curve turns
 * back.
 *
 *   (C1)  |angle(P - A) - d| <= asin(tolerance / |P - A|)   for all points P since A         own
 */
#include "io/figure/figure.h"

#include <math.h>

static const double column_width = 0.5, tolerance = 0.05; // units of the page

typedef struct Point {
    double x, y;
} Point;

/* Straight pieces. */
typedef struct Pencil {
    TmlPage *page;
    bool down;        // a point is drawn
    Point from, last; // last point drawn, and last point seen
    bool pending;     // `last` is not drawn yet
    double ux, uy;    // direction that the angles refer to; 0, 0: none yet
    double low, high; // directions allowed by (C1)
    double reach;     // distance of `last` from `from`
    int drawn;        // points since the last gap
} Pencil;

static void pencil_draw(Pencil *p, Point to)
{
    p->page->kind->line(p->page, to.x, to.y);
    p->from = to;
    p->pending = false;
    p->ux = p->uy = p->reach = 0.0;
    p->drawn++;
}

/* Does the point lie in the directions allowed? Then they are narrowed by it. */
static bool pencil_follows(Pencil *p, Point at)
{
    const double dx = at.x - p->from.x, dy = at.y - p->from.y, d = hypot(dx, dy);
    if (d <= tolerance) {
        return p->reach <= tolerance; // nothing moved yet, or the curve came back
    }
    const double half = asin(tolerance / d);
    if (p->ux == 0.0 && p->uy == 0.0) {
        p->ux = dx / d;
        p->uy = dy / d;
        p->low = -half;
        p->high = half;
    } else {
        const double angle = atan2(p->ux * dy - p->uy * dx, p->ux * dx + p->uy * dy);
        if (d < p->reach || angle < p->low || angle > p->high) { // (C1)
            return false;
        }
        p->low = fmax(p->low, angle - half);
        p->high = fmin(p->high, angle + half);
    }
    p->reach = d;
    return true;
}

static void pencil_put(Pencil *p, Point at)
{
    if (!p->down) {
        p->page->kind->move(p->page, at.x, at.y);
        p->from = p->last = at;
        p->down = true;
        p->pending = false;
        p->ux = p->uy = p->reach = 0.0;
        p->drawn = 1;
        return;
    }
    if (!pencil_follows(p, at)) {
        pencil_draw(p, p->last);
        (void)pencil_follows(p, at);
    }
    p->last = at;
    p->pending = true;
}

/* A gap or the end; a point alone is a short stroke. */
static void pencil_lift(Pencil *p)
{
    if (p->down && p->pending) {
        pencil_draw(p, p->last);
    } else if (p->down && p->drawn == 1) {
        p->page->kind->move(p->page, p->from.x - 1.0, p->from.y);
        p->page->kind->line(p->page, p->from.x + 1.0, p->from.y);
    }
    p->down = false;
}

/* Points of one column of the page. */
typedef struct Column {
    double id; // NAN: empty
    int n;
    int at_low, at_high;
    Point first, low, high, last;
} Column;

static void column_flush(Column *c, Pencil *p)
{
    const bool low_first = c->at_low < c->at_high;
    const int before = low_first ? c->at_low : c->at_high;
    const int after = low_first ? c->at_high : c->at_low;
    if (c->n > 0) {
        pencil_put(p, c->first);
        if (before > 0 && before < c->n - 1) {
            pencil_put(p, low_first ? c->low : c->high);
        }
        if (after > 0 && after < c->n - 1 && after != before) {
            pencil_put(p, low_first ? c->high : c->low);
        }
        if (c->n > 1) {
            pencil_put(p, c->last);
        }
    }
    c->n = 0;
}

static void column_put(Column *c, Pencil *p, Point at)
{
    const double id = floor(at.x / column_width);
    if (c->n > 0 && id != c->id) {
        column_flush(c, p);
    }
    if (c->n == 0) {
        *c = (Column){.id = id, .first = at, .low = at, .high = at};
    }
    if (at.y < c->low.y) {
        c->low = at;
        c->at_low = c->n;
    }
    if (at.y > c->high.y) {
        c->high = at;
        c->at_high = c->n;
    }
    c->last = at;
    c->n++;
}

static bool never_back(const TmlSeries *s)
{
    double last = -HUGE_VAL;
    for (int k = 0; k < s->n; ++k) {
        if (s->x[k] < last) {
            return false;
        }
        last = isfinite(s->x[k]) ? s->x[k] : last;
    }
    return true;
}

/* Far outside the page is as good as outside, and numbers stay small. */
static double near_page(double x)
{
    return fmax(-1e5, fmin(1e5, x));
}

void tml_curve_draw(TmlPage *page, const TmlPlot *plot, int index, const TmlScale *sx,
                    const TmlScale *sy, const TmlPen *pen)
{
    const TmlSeries *s = &plot->series[index];
    const bool columns = never_back(s);
    Pencil pencil = {.page = page};
    Column column = {0};
    for (int k = 0; k < s->n; ++k) {
        if (!tml_axis_shows(&plot->x, s->x[k]) || !tml_axis_shows(&plot->y, s->y[k])) {
            column_flush(&column, &pencil);
            pencil_lift(&pencil);
            continue;
        }
        const Point at = {near_page(tml_scale_place(sx, s->x[k])),
                          near_page(tml_scale_place(sy, s->y[k]))};
        if (columns) {
            column_put(&column, &pencil, at);
        } else {
            pencil_put(&pencil, at);
        }
    }
    column_flush(&column, &pencil);
    pencil_lift(&pencil);
    page->kind->stroke(page, pen);
}
