/* io/svg.h - axes of a plot: limits, ticks, and places on the page. */
#pragma once

#include "trammel/plot.h"

enum { TML_TICKS_MAX = 64 };

typedef struct TmlTicks {
    int n;
    double at[TML_TICKS_MAX];
    bool named[TML_TICKS_MAX]; /* the others are thin lines between */
} TmlTicks;

/* An axis with its limits settled: data from low to high stand at places from..to on the page. */
typedef struct TmlScale {
    bool log;
    double low, high; /* of the data; their logarithms (10) on a logarithmic axis */
    double from, to;
} TmlScale;

bool tml_axis_shows(const TmlAxis *axis, double x); /* finite, and positive where it must be */

/* Limits of the axis from what it is told and from the data, which a margin surrounds. `use_x`: the
 * x values count, else the y values. */
TML_NODISCARD TmlStatus tml_axis_scale(const TmlAxis *axis, const TmlPlot *plot, bool use_x,
                                       TmlScale *out, TmlError *err);
double tml_scale_place(const TmlScale *scale, double x);
void tml_scale_ticks(const TmlScale *scale, TmlTicks *out);
