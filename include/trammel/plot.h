/* trammel/plot.h - line plots as SVG or PNG.
 *
 * A figure is a page with panels (plots) of series. Colours are told apart by people who are
 * colour-blind; marks and dashes differ too, so that a figure survives a grey printer. Long series
 * are thinned to what a page can show: peaks survive, and files stay small.
 */
#pragma once

#include "trammel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n points in order. Points that are not finite, or not positive on a logarithmic axis, leave a
 * gap. */
typedef struct TmlSeries {
    const char *name; /* for the legend; NULL: not in it */
    int n;
    const double *x, *y;
    bool marks;               /* a mark at every point, not only a line */
    const char *const *notes; /* n texts shown when the pointer rests on a mark; NULL: none */
} TmlSeries;

typedef struct TmlAxis {
    const char *label; /* with its unit, of which m/s^2 shows a raised 2; NULL: none */
    bool log;
    double low, high; /* NAN: from the data */
    bool tight;       /* no margin beside the data */
} TmlAxis;

typedef struct TmlPlot {
    const char *title; /* NULL: none */
    TmlAxis x, y;
    int n_series;
    const TmlSeries *series;
} TmlPlot;

typedef enum TmlLegend {
    TML_LEGEND_EACH, /* above every plot of more than one series */
    TML_LEGEND_ONE,  /* one for all, of the first plot: the k-th series looks the same in all */
} TmlLegend;

typedef struct TmlFigure {
    const char *title; /* NULL: none */
    int n_plots, columns;
    const TmlPlot *plots;
    TmlLegend legend;
    bool share_x;      /* plots above each other have the same x axis, named once at the bottom */
    bool dark;         /* light on dark */
    int width, height; /* of the page; 0: what the plots need */
    double scale;      /* pixels of a PNG per unit of the page */
} TmlFigure;

TML_API TmlPlot tml_plot_default(void);     /* linear axes with limits from the data */
TML_API TmlFigure tml_figure_default(void); /* light, no plots yet, one column, scale 1 */

/* The figure as one SVG document; the caller frees *out with tml_text_free.
 *   TML_E_ARGUMENT  no plot, limits that are not in order, or a page that is too small */
TML_API TML_NODISCARD TmlStatus tml_figure_svg(const TmlFigure *figure, char **out, TmlError *err);

/* The figure as a PNG of *size bytes; the caller frees *out with tml_text_free.
 *   TML_E_ARGUMENT  as above, or built without PNG (the message tells) */
TML_API TML_NODISCARD TmlStatus tml_figure_png(const TmlFigure *figure, char **out, size_t *size,
                                               TmlError *err);
TML_API bool tml_figure_has_png(void); /* built with it */

/* Write the figure to a file, by its ending .svg or .png. */
TML_API TML_NODISCARD TmlStatus tml_figure_write(const TmlFigure *figure, const char *path,
                                                 TmlError *err);

#ifdef __cplusplus
}
#endif
