/* io/study/response.c - numbers of a run from its rows, and their derivatives.
 *
 * A response is taken from the rows whose time is within its bounds. Integrals are those of straight lines between rows,
 *
 *   (V2)  integral = sum h_k (y_k + y_(k+1)) / 2,  mean = integral / T,  rms^2 the mean of y^2
 *
 * so that a row more at an event does not count twice. Rows have times that do not depend on parameters; so the derivative of a response is
 *
 *   (V3)  dR/dp = sum_k w_k dy_k/dp,  w_k = dR/dy_k
 *
 * with one weight of 1 at the row of a maximum, which is the derivative wherever one row alone is the largest. (own)
 */
#include "io/study/response.h"

#include "base/fail.h"
#include "trammel/sim.h"

#include <math.h>
#include <string.h>

TmlStatus tml_rows_add(TmlRows *rows, const TmlSim *sim, TmlError *err)
{
    if (!tml_mem_grow((void **)&rows->at, &rows->cap, rows->n + 1,
                      (size_t)rows->width * sizeof *rows->at)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d rows", rows->n + 1);
    }
    double *to = rows->at + (size_t)rows->n * (size_t)rows->width;
    to[0] = tml_row_time(sim);
    for (int k = 1; k < rows->width; ++k) {
        to[k] = tml_row_channel(sim, k - 1);
    }
    rows->n++;
    return TML_OK;
}

/* Rows that count, and where the channel is largest and least; first < 0: none counts; bad: a value is not finite. */
typedef struct Span {
    int first, last, low, high;
    bool bad;
} Span;

static double row_time(const TmlRows *rows, int k)
{
    return rows->at[(size_t)k * (size_t)rows->width];
}

static double row_value(const TmlRows *rows, const TmlResponse *p, int k)
{
    return rows->at[(size_t)k * (size_t)rows->width + (size_t)p->index + 1];
}

static Span span_of(const TmlRows *rows, const TmlResponse *p)
{
    Span s = {-1, -1, -1, -1, false};
    for (int k = 0; k < rows->n; ++k) {
        const double t = row_time(rows, k), y = row_value(rows, p, k);
        if (t < p->from || t > p->to) {
            continue;
        }
        s.bad = s.bad || !isfinite(y);
        s.first = s.first < 0 ? k : s.first;
        s.last = k;
        s.low = s.low < 0 || y < row_value(rows, p, s.low) ? k : s.low;
        s.high = s.high < 0 || y > row_value(rows, p, s.high) ? k : s.high;
    }
    return s;
}

/* Integral of y or y^2 over the rows of the span, (V2). */
static double integral(const TmlRows *rows, const TmlResponse *p, const Span *s, bool square)
{
    double sum = 0.0;
    for (int k = s->first; k < s->last; ++k) {
        const double h = row_time(rows, k + 1) - row_time(rows, k);
        const double y = row_value(rows, p, k), z = row_value(rows, p, k + 1);
        sum += 0.5 * h * (square ? y * y + z * z : y + z);
    }
    return sum;
}

/* The same over its length; of a single row the value itself. */
static double mean(const TmlRows *rows, const TmlResponse *p, const Span *s, bool square)
{
    const double T = row_time(rows, s->last) - row_time(rows, s->first);
    const double alone = row_value(rows, p, s->first);
    return T > 0.0 ? integral(rows, p, s, square) / T : square ? alone * alone : alone;
}

double tml_response_value(const TmlRows *rows, const TmlResponse *p)
{
    const Span s = span_of(rows, p);
    if (s.first < 0 || s.bad) {
        return (double)NAN;
    }
    const double top = row_value(rows, p, s.high), bottom = row_value(rows, p, s.low);
    switch (p->take) {
    case TML_TAKE_MAX:
        return top;
    case TML_TAKE_MIN:
        return bottom;
    case TML_TAKE_MEAN:
        return mean(rows, p, &s, false);
    case TML_TAKE_RMS:
        return sqrt(mean(rows, p, &s, true));
    case TML_TAKE_END:
        return row_value(rows, p, s.last);
    case TML_TAKE_RANGE:
        return top - bottom;
    case TML_TAKE_LARGEST:
        return fmax(fabs(top), fabs(bottom));
    case TML_TAKE_TIME_OF_MAX:
        return row_time(rows, s.high);
    case TML_TAKE_TIME_OF_MIN:
        return row_time(rows, s.low);
    case TML_TAKE_INTEGRAL:
        return integral(rows, p, &s, false);
    }
    return (double)NAN;
}

/* Weights of the integral, (V2). */
static void add_integral(const TmlRows *rows, const Span *s, double *weight)
{
    for (int k = s->first; k < s->last; ++k) {
        const double h = row_time(rows, k + 1) - row_time(rows, k);
        weight[k] += 0.5 * h;
        weight[k + 1] += 0.5 * h;
    }
}

/* The same of the mean, or of the root of the mean square: (1/T) y_k / rms times those of the integral. */
static void add_mean(const TmlRows *rows, const TmlResponse *p, const Span *s, bool square,
                     double *weight)
{
    const double T = row_time(rows, s->last) - row_time(rows, s->first);
    const double rms = square ? sqrt(mean(rows, p, s, true)) : 1.0;
    if (T > 0.0) {
        add_integral(rows, s, weight);
    } else {
        weight[s->first] = 1.0;
    }
    for (int k = s->first; k <= s->last; ++k) {
        const double y = !square ? 1.0 : rms > 0.0 ? row_value(rows, p, k) / rms : 0.0;
        weight[k] *= y / (T > 0.0 ? T : 1.0);
    }
}

bool tml_response_weights(const TmlRows *rows, const TmlResponse *p, double *weight)
{
    const Span s = span_of(rows, p);
    memset(weight, 0, (size_t)rows->n * sizeof *weight);
    if (p->take == TML_TAKE_TIME_OF_MAX || p->take == TML_TAKE_TIME_OF_MIN) {
        return false;
    }
    if (s.first < 0 || s.bad) {
        return true;
    }
    const double top = row_value(rows, p, s.high), bottom = row_value(rows, p, s.low);
    const bool upper = fabs(top) >= fabs(bottom);
    switch (p->take) {
    case TML_TAKE_MAX:
        weight[s.high] = 1.0;
        break;
    case TML_TAKE_MIN:
        weight[s.low] = 1.0;
        break;
    case TML_TAKE_RANGE:
        weight[s.high] += 1.0;
        weight[s.low] -= 1.0;
        break;
    case TML_TAKE_END:
        weight[s.last] = 1.0;
        break;
    case TML_TAKE_LARGEST:
        weight[upper ? s.high : s.low] = copysign(1.0, upper ? top : bottom);
        break;
    case TML_TAKE_MEAN:
    case TML_TAKE_RMS:
        add_mean(rows, p, &s, p->take == TML_TAKE_RMS, weight);
        break;
    case TML_TAKE_INTEGRAL:
        add_integral(rows, &s, weight);
        break;
    case TML_TAKE_TIME_OF_MAX:
    case TML_TAKE_TIME_OF_MIN:
        break;
    }
    return true;
}
