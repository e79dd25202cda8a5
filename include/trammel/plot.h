/* trammel/plot.h - line plots as SVG text.
 *
 * Colours are told apart by people who are colour-blind; marks and dashes differ too, so that a
 * plot survives a grey printer.
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
    const char *label; /* with its unit; NULL: none */
    bool log;
    double low, high; /* NAN: from the data */
} TmlAxis;

typedef struct TmlPlot {
    const char *title; /* NULL: none */
    TmlAxis x, y;
    int n_series;
    const TmlSeries *series;
} TmlPlot;

TML_API TmlPlot tml_plot_default(void); /* linear axes with limits from the data */

/* One SVG document with n plots side by side, at most `columns` in a row. The legend is that of the
 * first plot: the k-th series looks the same in all. The caller frees *out with tml_text_free.
 *   TML_E_ARGUMENT  no plot, or limits that are not in order */
TML_API TML_NODISCARD TmlStatus tml_plot_svg(const TmlPlot *plots, int n, int columns,
                                             const char *title, char **out, TmlError *err);

#ifdef __cplusplus
}
#endif
