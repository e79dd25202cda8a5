/* io/report/thinning.c - which rows of a table may be left out when lines are drawn between the others.
 *
 *   (1)  slope of the line to row j:       s_j = (x_j - x_0) / (t_j - t_0)
 *   (2)  row k is passed within b when     (x_k - b - x_0) / dt_k <= s <= (x_k + b - x_0) / dt_k
 */
#include "io/report/thinning.h"

#include <math.h>
#include <string.h>

TmlStatus tml_cone_init(TmlCone *c, TmlArena *arena, size_t n, TmlError *err)
{
    *c = (TmlCone){.n = n};
    TML_NEW(arena, c->x, n);
    TML_NEW(arena, c->low, n);
    TML_NEW(arena, c->high, n);
    TML_NEW(arena, c->bound, n);
    return TML_OK;
}

void tml_cone_start(TmlCone *c, double t, const double *x)
{
    c->t = t;
    for (size_t k = 0; k < c->n; ++k) {
        c->x[k] = x != NULL ? x[k] : 0.0;
        c->low[k] = -HUGE_VAL;
        c->high[k] = HUGE_VAL;
    }
}

bool tml_cone_fits(const TmlCone *c, double t, const double *x)
{
    const double dt = t - c->t;
    if (!(dt > 0.0)) {
        return false;
    }
    for (size_t k = 0; k < c->n; ++k) {
        const double s = (x[k] - c->x[k]) / dt; // (1)
        if (!(s >= c->low[k] && s <= c->high[k])) {
            return false; // also for what is no number
        }
    }
    return true;
}

void tml_cone_take(TmlCone *c, double t, const double *x)
{
    const double dt = t - c->t;
    for (size_t k = 0; k < c->n; ++k) { // (2)
        c->low[k] = fmax(c->low[k], (x[k] - c->bound[k] - c->x[k]) / dt);
        c->high[k] = fmin(c->high[k], (x[k] + c->bound[k] - c->x[k]) / dt);
    }
}
