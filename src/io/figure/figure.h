/* io/figure/figure.h - axes of a plot (limits, ticks, places on the page) and curves. */
#pragma once

#include "io/figure/draw.h"
#include "trammel/plot.h"

enum { TML_TICKS_MAX = 64, TML_TICK_TEXT = 40 };

typedef struct TmlTicks {
    int n;
    double at[TML_TICKS_MAX];
    bool named[TML_TICKS_MAX]; /* the others are thin lines between */
    int power;                 /* the names are multiples of 10^power */
    int decimals;
    bool powers; /* names are powers of ten */
} TmlTicks;

/* An axis with its limits settled: data from low to high stand at places from..to on the page. */
typedef struct TmlScale {
    bool log;
    double low, high; /* of the data; their logarithms (10) on a logarithmic axis */
    double from, to;
} TmlScale;

bool tml_axis_shows(const TmlAxis *axis, double x); /* finite, and positive where it must be */

/* Limits of the axis from what it is told and from the data of n plots that share it. `use_x`: the
 * x values count, else the y values. */
TML_NODISCARD TmlStatus tml_axis_scale(const TmlAxis *axis, const TmlPlot *plots, int n, bool use_x,
                                       TmlScale *out, TmlError *err);
double tml_scale_place(const TmlScale *scale, double x);

/* The ticks of a linear axis are named as multiples of 10 to this power, of three; 0 where numbers
 * are handy without. */
int tml_scale_power(const TmlScale *scale);

/* About `wanted` ticks, with what their names need. */
void tml_scale_ticks(const TmlScale *scale, int wanted, TmlTicks *out);
/* Name of a tick, a formula. */
void tml_tick_text(const TmlTicks *ticks, double at, char out[TML_TICK_TEXT]);

/* Draw series `index` of a plot as a line, thinned to what can be seen (figure_curve.c). */
void tml_curve_draw(TmlPage *page, const TmlPlot *plot, int index, const TmlScale *sx,
                    const TmlScale *sy, const TmlPen *pen);

/* Lay out and draw a figure on a page that `begin` makes when the size is known; the page is ended
 * by the caller, also after a failure, when it may be NULL. */
typedef TmlPage *TmlPageBegin(double width, double height, uint32_t paper, double scale);
TML_NODISCARD TmlStatus tml_figure_draw(const TmlFigure *figure, TmlPageBegin *begin, TmlPage **out,
                                        TmlError *err);
