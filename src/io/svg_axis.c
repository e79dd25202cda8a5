/* io/svg_axis.c - limits and ticks of an axis.
 *
 * Ticks of a linear axis are multiples of 1, 2 or 5 times a power of ten. Those of a logarithmic
 * one are powers of ten, every second or fifth when there are many, with thin lines at 2, 3, ... 9
 * times them when there are few; an axis of less than two decades names 2 and 5 as well.
 */
#include "io/svg.h"

#include "base/fail.h"

#include <math.h>

static const double margin = 0.05; // of the range, on both sides

bool tml_axis_shows(const TmlAxis *axis, double x)
{
    return isfinite(x) && (!axis->log || x > 0.0);
}

static void data_limits(const TmlAxis *axis, const TmlPlot *plot, bool use_x, double *low,
                        double *high)
{
    for (int s = 0; s < plot->n_series; ++s) {
        const TmlSeries *series = &plot->series[s];
        for (int k = 0; k < series->n; ++k) {
            if (tml_axis_shows(&plot->x, series->x[k]) && tml_axis_shows(&plot->y, series->y[k])) {
                const double x = use_x ? series->x[k] : series->y[k];
                *low = fmin(*low, axis->log ? log10(x) : x);
                *high = fmax(*high, axis->log ? log10(x) : x);
            }
        }
    }
}

TmlStatus tml_axis_scale(const TmlAxis *axis, const TmlPlot *plot, bool use_x, TmlScale *out,
                         TmlError *err)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    data_limits(axis, plot, use_x, &low, &high);
    if (!(low <= high)) { // nothing to show
        low = axis->log ? -1.0 : 0.0;
        high = low + 1.0;
    }
    const double flat = axis->log ? 0.5 : fmax(0.5 * fabs(low), 1e-300);
    const double pad = high > low ? margin * (high - low) : flat;
    low -= pad;
    high += pad;
    if (!isnan(axis->low)) {
        low = axis->log ? log10(axis->low) : axis->low;
    }
    if (!isnan(axis->high)) {
        high = axis->log ? log10(axis->high) : axis->high;
    }
    if (!isfinite(low) || !isfinite(high) || !(low < high)) {
        return tml_fail(err, TML_E_ARGUMENT, "an axis cannot go from %g to %g%s", axis->low,
                        axis->high, axis->log ? " on a logarithmic scale" : "");
    }
    *out = (TmlScale){.log = axis->log, .low = low, .high = high};
    return TML_OK;
}

double tml_scale_place(const TmlScale *scale, double x)
{
    const double value = scale->log ? log10(x) : x;
    return scale->from +
           (scale->to - scale->from) * (value - scale->low) / (scale->high - scale->low);
}

static void add_tick(const TmlScale *scale, double x, bool named, TmlTicks *out)
{
    const double value = scale->log ? log10(x) : x, slack = 1e-9 * (scale->high - scale->low);
    if (out->n < TML_TICKS_MAX && value >= scale->low - slack && value <= scale->high + slack) {
        out->at[out->n] = x;
        out->named[out->n++] = named;
    }
}

static void linear_ticks(const TmlScale *scale, TmlTicks *out)
{
    const double rough = (scale->high - scale->low) / 6.0;
    const double power = pow(10.0, floor(log10(rough))), part = rough / power;
    const double step = power * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0);
    for (double k = ceil(scale->low / step - 1e-9); k * step <= scale->high + 1e-9 * step;
         k += 1.0) {
        add_tick(scale, k * step, true, out);
    }
}

static void log_ticks(const TmlScale *scale, TmlTicks *out)
{
    const double decades = scale->high - scale->low;
    const int every = decades <= 8.0 ? 1 : decades <= 16.0 ? 2 : decades <= 40.0 ? 5 : 20;
    const int from = (int)floor(scale->low), to = (int)ceil(scale->high);
    for (int e = from; e <= to; ++e) {
        const double power = pow(10.0, e);
        const bool named = ((e % every) + every) % every == 0;
        if (named || every <= 2) {
            add_tick(scale, power, named, out);
        }
        for (int k = 2; k <= 9 && decades <= 4.0; ++k) {
            add_tick(scale, k * power, decades < 2.0 && (k == 2 || k == 5), out);
        }
    }
}

void tml_scale_ticks(const TmlScale *scale, TmlTicks *out)
{
    out->n = 0;
    if (scale->log) {
        log_ticks(scale, out);
    } else {
        linear_ticks(scale, out);
    }
}
