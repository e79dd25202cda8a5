/* trammel/plot.h - line plots as SVG or PNG.
 *
 * A figure is a page with panels (plots) of series. Its colours can be distinguished by colour-blind people;
 * marks and dashes differ, too, so that it can be printed in grey. Long series are reduced to the points that a
 * page can show, so that files stay small; peaks are kept.
 */
#pragma once

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n points in order. Points that are not finite, or not positive on a logarithmic axis, leave a
 * gap. */
typedef struct TmlSeries {
    const char *name; /* for the legend; NULL: the legend leaves it out */
    int n;
    const double *x, *y;
    bool marks;               /* draw a mark at every point, not only a line */
    const char *const *notes; /* n texts, shown while the pointer is on a mark; NULL: none */
} TmlSeries;

typedef struct TmlAxis {
    const char *label; /* with its unit; exponents as in m/s^2 are raised; NULL: none */
    bool log;
    double low, high; /* limits; NAN: from the data */
    bool tight;       /* no margin beside the data */
} TmlAxis;

typedef struct TmlPlot {
    const char *title; /* NULL: none */
    TmlAxis x, y;
    int n_series;
    const TmlSeries *series;
} TmlPlot;

typedef enum TmlLegend {
    TML_LEGEND_EACH, /* one above every plot with more than one series */
    TML_LEGEND_ONE,  /* one for all plots, from the first: k-th series look the same in all */
} TmlLegend;

typedef struct TmlFigure {
    const char *title; /* NULL: none */
    int n_plots, columns;
    const TmlPlot *plots;
    TmlLegend legend;
    bool share_x;      /* plots above each other share their x axis, labelled at the bottom */
    bool dark;         /* light lines on a dark page */
    int width, height; /* size of the page; 0: as the plots need */
    double scale;      /* pixels of a PNG per unit of the page */
} TmlFigure;

TML_API TmlPlot tml_plot_default(void);     /* linear axes with limits from the data */
TML_API TmlFigure tml_figure_default(void); /* light, no plots yet, one column, scale 1 */

/* Draw the figure as one SVG document; the caller frees *out with tml_text_free.
 *   TML_E_ARGUMENT  no plot, limits that are not in order, or a page that is too small */
TML_API TML_NODISCARD TmlStatus tml_figure_svg(const TmlFigure *figure, char **out, TmlError *err);

/* Draw the figure as a PNG of *size bytes; the caller frees *out with tml_text_free.
 *   TML_E_ARGUMENT  as above, or the library was built without PNG (the message says so) */
TML_API TML_NODISCARD TmlStatus tml_figure_png(const TmlFigure *figure, char **out, size_t *size,
                                               TmlError *err);
TML_API bool tml_figure_has_png(void); /* whether the library was built with PNG */

/* Write the figure to a file, whose ending is .svg or .png. */
TML_API TML_NODISCARD TmlStatus tml_figure_write(const TmlFigure *figure, const char *path,
                                                 TmlError *err);

#ifdef __cplusplus
}
#endif
