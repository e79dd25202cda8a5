/* io/figure/figure_axis.c - limits and ticks of an axis.
 *
 * Ticks of a linear axis are multiples of 1, 2 or 5 times a power of ten; large and small ones are
 * named as multiples of a power of ten that stands beside the axis. Those of a logarithmic axis are
 * powers of ten, every second or fifth when there are many, with thin lines at 2, 3, ... 9 times
 * them when there are few; an axis of less than two decades names 2 and 5 as well.
 */
#include "base/fail.h"
#include "io/figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double margin = 0.05; // of the range, on both sides
/* Linear axes show nothing smaller: steps between ticks would be too small to be numbers. */
static const double least_range = 1e-304;

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

/* Margins around the data; something to show around a single value, or around none. */
static void widen(const TmlAxis *axis, double *low, double *high)
{
    if (!(*low <= *high)) { // nothing to show
        *low = axis->log ? -1.0 : 0.0;
        *high = *low + 1.0;
    }
    if (!axis->log && fmax(fabs(*low), fabs(*high)) < least_range) {
        *low = *high = 0.0;
    }
    // a constant up to rounding is not worth a close look
    const double size = fmax(fabs(*low), fabs(*high)), noise = axis->log ? 1e-12 : 1e-12 * size;
    const bool flat = *high - *low <= noise;
    const double aside = axis->log ? 0.5 : size > 0.0 ? 0.5 * size : 0.5;
    const double pad = flat ? aside : axis->tight ? 0.0 : margin * (*high - *low);
    *low -= pad;
    *high += pad;
}

TmlStatus tml_axis_scale(const TmlAxis *axis, const TmlPlot *plots, int n, bool use_x,
                         TmlScale *out, TmlError *err)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < n; ++k) {
        data_limits(axis, &plots[k], use_x, &low, &high);
    }
    widen(axis, &low, &high);
    if (!isnan(axis->low)) {
        low = axis->log ? log10(axis->low) : axis->low;
    }
    if (!isnan(axis->high)) {
        high = axis->log ? log10(axis->high) : axis->high;
    }
    if (!isfinite(high - low) || !(high - low > (axis->log ? 0.0 : least_range))) {
        return tml_fail(err, TML_E_ARGUMENT, "an axis cannot go from %g to %g%s",
                        isnan(axis->low) ? low : axis->low, isnan(axis->high) ? high : axis->high,
                        axis->log ? " on a logarithmic scale" : "");
    }
    *out = (TmlScale){.log = axis->log, .low = low, .high = high};
    return TML_OK;
}

double tml_scale_place(const TmlScale *scale, double x)
{
    const double value = scale->log ? log10(x) : x;
    return scale->from +
           (scale->to - scale->from) * ((value - scale->low) / (scale->high - scale->low));
}

/* --- ticks --------------------------------------------------------------------------------- */

static void add_tick(const TmlScale *scale, double x, bool named, TmlTicks *out)
{
    const double value = scale->log ? log10(x) : x, slack = 1e-9 * (scale->high - scale->low);
    if (out->n < TML_TICKS_MAX && value >= scale->low - slack && value <= scale->high + slack) {
        out->at[out->n] = x;
        out->named[out->n++] = named;
    }
}

int tml_scale_power(const TmlScale *scale)
{
    const double size = fmax(fabs(scale->low), fabs(scale->high));
    const int magnitude = (int)floor(log10(size) + 1e-9);
    const bool handy = magnitude < 5 && magnitude > -4;
    return scale->log || handy ? 0 : 3 * (int)floor(magnitude / 3.0);
}

static void linear_ticks(const TmlScale *scale, int wanted, TmlTicks *out)
{
    const double rough = (scale->high - scale->low) / wanted;
    const double power = pow(10.0, floor(log10(rough))), part = rough / power;
    // the nearest as a ratio: the borders are the roots of 1 * 2, 2 * 5, 5 * 10
    const double step = power * (part < 1.41 ? 1.0 : part < 3.16 ? 2.0 : part < 7.07 ? 5.0 : 10.0);
    const double first = ceil(scale->low / step - 1e-9);
    for (int k = 0; k < TML_TICKS_MAX && (first + k) * step <= scale->high + 1e-9 * step; ++k) {
        add_tick(scale, (first + k) * step, true, out);
    }
    out->power = tml_scale_power(scale);
    const int decimals = out->power - (int)floor(log10(step) + 1e-9); // tell the names apart
    out->decimals = decimals < 0 ? 0 : decimals > 12 ? 12 : decimals;
}

static void log_ticks(const TmlScale *scale, int wanted, TmlTicks *out)
{
    const double decades = scale->high - scale->low;
    const double most = fmax(1.0, 1.4 * wanted);
    const int every = decades <= most         ? 1
                      : decades <= 2.0 * most ? 2
                      : decades <= 5.0 * most ? 5
                                              : (int)ceil(decades / (10.0 * most)) * 10;
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
    // axes over many decades, or far from one, are named in powers of ten
    const double far = decades < 2.0 ? 4.5 : 3.0;
    out->powers = scale->high > far || scale->low < -far;
}

void tml_scale_ticks(const TmlScale *scale, int wanted, TmlTicks *out)
{
    *out = (TmlTicks){0};
    if (scale->log) {
        log_ticks(scale, wanted < 2 ? 2 : wanted, out);
    } else {
        linear_ticks(scale, wanted < 2 ? 2 : wanted, out);
    }
}

/* A number with a true minus and a point in every locale. */
static void number_text(const char *format, int digits, double x, char out[TML_TICK_TEXT])
{
    char text[TML_TICK_TEXT];
    snprintf(text, sizeof text, format, digits, fabs(x));
    char *comma = strchr(text, ',');
    if (comma != NULL) {
        *comma = '.';
    }
    const bool zero = strspn(text, "0.") == strlen(text); // no minus before a rounded zero
    snprintf(out, TML_TICK_TEXT, "%s%.30s", x < 0.0 && !zero ? "\xe2\x88\x92" : "", text);
}

void tml_tick_text(const TmlTicks *ticks, double at, char out[TML_TICK_TEXT])
{
    if (ticks->powers) {
        const double e = floor(log10(at) + 1e-9), front = at / pow(10.0, e);
        if (fabs(front - 1.0) < 1e-6) {
            snprintf(out, TML_TICK_TEXT, "10^%d", (int)e);
        } else {
            snprintf(out, TML_TICK_TEXT,
                     "%.0f\xc2\xb7"
                     "10^%d",
                     front, (int)e);
        }
    } else if (ticks->decimals == 0 && ticks->power == 0 && fabs(at) < 1.0 && at != 0.0) {
        number_text("%.*g", 6, at, out); // logarithmic axes: 0.01
    } else {
        number_text("%.*f", ticks->decimals, at / pow(10.0, ticks->power), out);
    }
}
