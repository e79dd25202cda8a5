/* io/recover/rainflow.c - cycles of a history, and the damage that they do.
 *
 * Rainflow counting of ASTM E1049-85, 5.4.4. X is the range of the last two turning points, Y that of
 * the two before: Y is counted when X is not smaller, as a half where it begins at the first point.
 */
#include "trammel/recover.h"

#include "base/arena.h"

#include <math.h>

typedef struct Stack {
    double *at;
    int64_t n;
    TmlCycle *out;
    int cycles;
} Stack;

static void count(Stack *s, double a, double b, double share)
{
    s->out[s->cycles++] = (TmlCycle){fabs(b - a), 0.5 * (a + b), share};
}

/* All that the newest point closes. */
static void close_ranges(Stack *s)
{
    while (s->n >= 3) {
        double *p = s->at + s->n - 3;
        if (fabs(p[2] - p[1]) < fabs(p[1] - p[0])) {
            return;
        }
        if (s->n == 3) {
            count(s, p[0], p[1], 0.5);
            p[0] = p[1];
            p[1] = p[2];
            s->n = 2;
        } else {
            count(s, p[0], p[1], 1.0);
            p[0] = p[2];
            s->n -= 2;
        }
    }
}

/* The history goes on in the same direction, or stands still: no turning point. */
static bool goes_on(const Stack *s, double x)
{
    const double *p = s->at + s->n - 2;
    return (p[1] - p[0]) * (x - p[1]) >= 0.0;
}

int tml_rainflow(int64_t n, const double *x, TmlCycle *out)
{
    Stack s = {.at = tml_mem_zalloc((size_t)n + 1, sizeof *s.at), .out = out};
    if (s.at == NULL) {
        return -1;
    }
    for (int64_t k = 0; k < n; ++k) {
        if (!isfinite(x[k]) || (s.n == 1 && x[k] == s.at[0])) {
            continue;
        }
        if (s.n >= 2 && goes_on(&s, x[k])) {
            s.at[s.n - 1] = x[k];
        } else {
            close_ranges(&s); // the last point is a turning point now
            s.at[s.n++] = x[k];
        }
    }
    close_ranges(&s);
    for (int64_t k = 0; k + 1 < s.n; ++k) {
        count(&s, s.at[k], s.at[k + 1], 0.5);
    }
    tml_mem_free(s.at);
    return s.cycles;
}

/* The amplitude without a mean stress that does as much damage. */
static double alone(const TmlCycle *cycle, const TmlStressLife *line)
{
    const double amplitude = 0.5 * cycle->range, mean = cycle->mean;
    if (line->mean == TML_MEAN_SWT) {
        return sqrt(fmax(amplitude + mean, 0.0) * amplitude);
    }
    if (!(line->ultimate > 0.0) || !(mean > 0.0) || amplitude == 0.0) {
        return amplitude;
    }
    const double x = mean / line->ultimate, share = line->mean == TML_MEAN_GERBER ? x * x : x;
    return x < 1.0 ? amplitude / (1.0 - share) : (double)INFINITY;
}

double tml_miner(int n, const TmlCycle *cycle, const TmlStressLife *line)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        const double amplitude = alone(&cycle[k], line);
        if (amplitude > line->limit) {
            sum += cycle[k].count * pow(amplitude / line->stress, line->slope) / line->cycles;
        }
    }
    return sum;
}
