/* io/read/statistics.c - channels after a low pass, and their statistics over a window.
 *
 * The low pass is a Butterworth filter of even order N with its corner at f, made from the analogue one by the bilinear
 * transformation at the frequency 1/h of the samples, K = tan(pi f h). Section k = 1 .. N/2:
 *
 *   (L1)  b = K^2 (1, 2, 1) / d,  a = (1, 2 (K^2 - 1) / d, (1 - 2 c K + K^2) / d),  d = 1 + 2 c K + K^2
 *         c = cos(pi (2 k - 1) / (2 N))
 *
 * It runs forwards and then backwards, so that nothing is late; amplitudes at f are halved (-6 dB). Both runs start in
 * the steady state of their first value, on a record that is continued at both ends by its reflection about the last
 * point, over the time 20 / f.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/fail.h"
#include "trammel/channels.h"

enum { ORDER_MAX = 12 };

static const double same_step = 1e-6; /* steps that differ by less are equal */
static const double continued = 20.0; /* periods of the corner frequency */
static const double pi = 3.14159265358979323846;

typedef struct Section {
    double b0, b1, b2, a1, a2;
} Section;

/* (L1) */
static Section section_of(double K, int order, int k)
{
    const double c = cos(pi * (2.0 * k - 1.0) / (2.0 * order));
    const double d = 1.0 + 2.0 * c * K + K * K;
    return (Section){K * K / d, 2.0 * K * K / d, K * K / d, 2.0 * (K * K - 1.0) / d,
                     (1.0 - 2.0 * c * K + K * K) / d};
}

/* One section from the first value to the last, or back. */
static void run_section(const Section *s, int64_t n, double *x, bool back)
{
    double z1 = 0.0, z2 = 0.0;
    for (int64_t k = 0; k < n; ++k) {
        double *at = &x[back ? n - 1 - k : k];
        if (k == 0) { // steady from the start: the gain at rest is one
            z1 = *at * (1.0 - s->b0);
            z2 = *at * (s->b2 - s->a2);
        }
        const double in = *at, out = s->b0 * in + z1;
        z1 = s->b1 * in - s->a1 * out + z2;
        z2 = s->b2 * in - s->a2 * out;
        *at = out;
    }
}

/* The step of times that rise uniformly; 0: they do not. */
static double uniform_step(int64_t n, const double *time)
{
    const double h = n > 1 ? (time[n - 1] - time[0]) / (double)(n - 1) : 0.0;
    for (int64_t k = 1; k < n; ++k) {
        if (!(fabs(time[k] - time[k - 1] - h) <= same_step * h)) {
            return 0.0;
        }
    }
    return h;
}

static TmlStatus low_pass(int64_t n, const double *time, const double *value, double corner,
                          int order, double *out, TmlError *err)
{
    const double h = uniform_step(n, time);
    if (order < 2 || order > ORDER_MAX || order % 2 != 0) {
        return tml_fail(err, TML_E_ARGUMENT, "a low pass has an even order from 2 to %d, not %d",
                        ORDER_MAX, order);
    }
    if (n < 3 || !(h > 0.0)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "a low pass needs rows at equal distances in time: run without additional "
                        "rows of events");
    }
    if (!(corner > 0.0) || !(corner * h < 0.5)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "a low pass at %g Hz needs more than two rows a period: rows every %g s or "
                        "less, here every %g s",
                        corner, 0.25 / corner, h);
    }
    const double wanted = ceil(continued / corner / h);
    const int64_t more = wanted < (double)(n - 1) ? (int64_t)wanted : n - 1, all = n + 2 * more;
    double *x = tml_mem_zalloc((size_t)all, sizeof *x);
    if (x == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %lld rows", (long long)all);
    }
    for (int64_t k = 0; k < more; ++k) {
        x[k] = 2.0 * value[0] - value[more - k];
        x[more + n + k] = 2.0 * value[n - 1] - value[n - 2 - k];
    }
    memcpy(x + more, value, (size_t)n * sizeof *x);
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 1; k <= order / 2; ++k) {
            const Section s = section_of(tan(pi * corner * h), order, k);
            run_section(&s, all, x, pass == 1);
        }
    }
    memcpy(out, x + more, (size_t)n * sizeof *x);
    tml_mem_free(x);
    return TML_OK;
}

TmlStatus tml_low_pass(int64_t n, const double *time, const double *value, double corner, int order,
                       double *out, TmlError *err)
{
    const double h = n > 3 ? uniform_step(n - 1, time) : 0.0,
                 last = n > 3 ? time[n - 1] - time[n - 2] : 0.0;
    if (!(h > 0.0 && last > 0.0 && last < h * (1.0 - same_step))) {
        return low_pass(n, time, value, corner, order, out, err);
    }
    // a run ends between two rows: its last row follows the others in a straight line
    TML_TRY(low_pass(n - 1, time, value, corner, order, out, err));
    out[n - 1] = out[n - 2] + (out[n - 2] - out[n - 3]) * last / h;
    return TML_OK;
}

TmlStatistics tml_statistics(int64_t n, const double *along, const double *value, double from,
                             double to, double level)
{
    TmlStatistics s = {.min = (double)NAN, .max = (double)NAN};
    double sum = 0.0, squares = 0.0;
    int64_t below = 0;
    for (int64_t k = 0; k < n; ++k) {
        if (along[k] >= from && along[k] <= to) {
            s.min = value[k] >= s.min ? s.min : value[k];
            s.max = value[k] <= s.max ? s.max : value[k];
            sum += value[k];
            below += value[k] <= level;
            s.rows++;
        }
    }
    s.mean = sum / (double)s.rows; // no rows: NAN
    for (int64_t k = 0; k < n; ++k) {
        if (along[k] >= from && along[k] <= to) {
            squares += (value[k] - s.mean) * (value[k] - s.mean);
        }
    }
    s.deviation = sqrt(squares / (double)s.rows);
    s.loss = (double)below / (double)s.rows;
    return s;
}
