/* io/study/store_effects.c - what parameters do to responses.
 *
 * With y of the runs of a design,
 *
 *   indices   V = variance of y_A and y_B together
 *   (V3)        S_i = mean(y_B (y_i - y_A)) / V                   first order [Saltelli et al. 2010, table 2 (b)]
 *   (V4)        T_i = mean((y_A - y_i)^2) / (2 V)                 total [Jansen 1999, there (f)]
 *
 *   morris    d = (y(u + step e_i) - y(u)) / step along each path, u in the unit cube
 *   (V5)        main: mean of d, total: mean of |d|, spread: deviation of d [Campolongo et al. 2007]
 *
 *   others    main: largest less smallest mean of y over tenths of the order of the parameter, or over its values
 *             total: rank correlation of parameter and response [Spearman], spread: deviation of y
 *
 * Runs without a number are left out; of indices and morris the points and paths that have one.
 */
#include "io/study/study.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 10 };

typedef struct Sample {
    double x, y, rank_x, rank_y;
} Sample;

static double y_of(const TmlStudy *s, const double *y, int run, int response)
{
    return y[(size_t)run * (size_t)s->n_responses + (size_t)response];
}

/* Means are taken off first: (V3) loses digits where y is far from zero. */
static TmlEffect indices(const TmlStudy *s, const double *y, int p, int response)
{
    const int P = s->n_spreads, n = s->runs / (P + 2);
    double mean = 0.0, square = 0.0, first = 0.0, total = 0.0;
    int count = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < n; ++k) {
            const double a = y_of(s, y, k * (P + 2), response);
            const double i = y_of(s, y, k * (P + 2) + p + 1, response);
            const double b = y_of(s, y, k * (P + 2) + P + 1, response);
            if (!isfinite(a + i + b)) {
                continue;
            }
            if (pass == 0) {
                mean += 0.5 * (a + b);
                ++count;
                continue;
            }
            square += 0.5 * ((a - mean) * (a - mean) + (b - mean) * (b - mean));
            first += (b - mean) * (i - a);
            total += 0.5 * (a - i) * (a - i);
        }
        mean = pass == 0 ? mean / count : mean;
    }
    return (TmlEffect){.main = first / square,
                       .total = total / square,
                       .spread = sqrt(square / fmax(1.0, count - 1.0))};
}

/* The place of a value in the unit cube. */
static double place_of(const TmlSpread *x, double value)
{
    if (x->kind == TML_SPREAD_VALUES) {
        for (int k = 0; k < x->n; ++k) {
            if (x->value[k] == value) {
                return x->n > 1 ? k / (double)(x->n - 1) : 0.0;
            }
        }
    }
    return x->log ? log(value / x->from) / log(x->to / x->from)
                  : (value - x->from) / (x->to - x->from);
}

static TmlEffect morris(const TmlStudy *s, const double *y, int p, int response)
{
    const int P = s->n_spreads, paths = s->runs / (P + 1);
    double sum = 0.0, size = 0.0, square = 0.0;
    int count = 0;
    for (int path = 0; path < paths; ++path) {
        for (int k = 0; k < P; ++k) {
            const int run = path * (P + 1) + k;
            const double *u = s->value + (size_t)run * (size_t)P, *v = u + P;
            const double step = place_of(&s->spread[p], v[p]) - place_of(&s->spread[p], u[p]);
            const double d = (y_of(s, y, run + 1, response) - y_of(s, y, run, response)) / step;
            if (v[p] != u[p] && isfinite(d)) {
                sum += d;
                size += fabs(d);
                square += d * d;
                ++count;
            }
        }
    }
    const double mean = sum / count;
    return (TmlEffect){
        .main = mean,
        .total = size / count,
        .spread = sqrt(fmax(0.0, square / count - mean * mean) * count / fmax(1.0, count - 1.0))};
}

static int by_x(const void *a, const void *b)
{
    const double x = ((const Sample *)a)->x, y = ((const Sample *)b)->x;
    return (x > y) - (x < y);
}

static int by_y(const void *a, const void *b)
{
    const double x = ((const Sample *)a)->y, y = ((const Sample *)b)->y;
    return (x > y) - (x < y);
}

/* Ranks of sorted samples, equal values sharing theirs. */
static void rank(Sample *at, int n, bool of_x)
{
    for (int k = 0; k < n;) {
        int m = k;
        while (m < n && (of_x ? at[m].x == at[k].x : at[m].y == at[k].y)) {
            ++m;
        }
        for (int i = k; i < m; ++i) {
            *(of_x ? &at[i].rank_x : &at[i].rank_y) = 0.5 * (k + m - 1);
        }
        k = m;
    }
}

/* Largest less smallest mean over classes of the samples, which are sorted by x; equal x are in one class. */
static double difference_of_means(const Sample *at, int n)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    int values = 1;
    for (int k = 1; k < n; ++k) {
        values += at[k].x != at[k - 1].x;
    }
    const int classes = values < 2 * CLASSES ? values : CLASSES;
    for (int k = 0, c = 0; k < n; ++c) {
        const int to = values < 2 * CLASSES ? k + 1 : (int)((int64_t)n * (c + 1) / classes);
        double sum = 0.0;
        int m = k;
        while (m < n && (m < to || at[m].x == at[m - 1].x)) {
            sum += at[m++].y;
        }
        low = fmin(low, sum / (m - k));
        high = fmax(high, sum / (m - k));
        k = m;
    }
    return high - low;
}

static TmlEffect plain(const TmlStudy *s, const double *y, int p, int response)
{
    Sample *at = tml_mem_zalloc((size_t)s->runs, sizeof *at);
    TmlEffect out = {(double)NAN, (double)NAN, (double)NAN};
    int n = 0;
    double mean = 0.0, square = 0.0, xy = 0.0, xx = 0.0, yy = 0.0;
    for (int run = 0; run < s->runs && at != NULL; ++run) {
        const Sample one = {.x = s->value[(size_t)run * (size_t)s->n_spreads + (size_t)p],
                            .y = y_of(s, y, run, response)};
        if (isfinite(one.y)) {
            at[n++] = one;
            mean += one.y;
        }
    }
    if (n > 1) {
        qsort(at, (size_t)n, sizeof *at, by_y);
        rank(at, n, false);
        qsort(at, (size_t)n, sizeof *at, by_x);
        rank(at, n, true);
        mean /= n;
        for (int k = 0; k < n; ++k) {
            const double dx = at[k].rank_x - 0.5 * (n - 1), dy = at[k].rank_y - 0.5 * (n - 1);
            square += (at[k].y - mean) * (at[k].y - mean);
            xy += dx * dy;
            xx += dx * dx;
            yy += dy * dy;
        }
        out = (TmlEffect){.main = difference_of_means(at, n),
                          .total = xx > 0.0 && yy > 0.0 ? xy / sqrt(xx * yy) : 0.0,
                          .spread = sqrt(square / (n - 1))};
    }
    tml_mem_free(at);
    return out;
}

TmlEffect tml_study_effect(const TmlStudy *s, const double *y, int parameter, int response)
{
    return s->design == TML_DESIGN_INDICES  ? indices(s, y, parameter, response)
           : s->design == TML_DESIGN_MORRIS ? morris(s, y, parameter, response)
                                            : plain(s, y, parameter, response);
}

TmlStatus tml_store_effect(TmlStore *store, int parameter, int response, TmlEffect *out,
                           TmlError *err)
{
    const TmlStudy *s = store->study;
    double *y;
    if (parameter < 0 || parameter >= s->n_spreads || response < 0 || response >= s->n_responses) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "effect of parameter %d on response %d: there are %d and %d", parameter,
                        response, s->n_spreads, s->n_responses);
    }
    TML_TRY(tml_store_responses(store, &y, err));
    *out = tml_study_effect(s, y, parameter, response);
    tml_mem_free(y);
    return TML_OK;
}
