/* analysis/integrator/error_norm.c - see error_norm.h. */
#include "analysis/integrator/error_norm.h"

#include <float.h>
#include <math.h>

/* Which of x[from..to) is largest in magnitude. */
static int largest_of(const double *x, int from, int to)
{
    int best = from;
    for (int k = from + 1; k < to; ++k) {
        best = fabs(x[k]) > fabs(x[best]) ? k : best;
    }
    return best;
}

double tml_norm_u(const TmlSystem *sys, const TmlNorm *norm, const double *du, int *at)
{
    double big = 0.0;
    int where = -1;
    const double t = 1.0 / norm->translation, r = 1.0 / norm->rotation;
    for (int b = 1; b < sys->nb; ++b) {
        const double *x = du + sys->u0[b];
        const int nu = sys->u0[b + 1] - sys->u0[b];
        const int lengths = sys->model->bodies.at[b].type->lengths;
        double dr = 0.0, dt = 0.0;
        for (int k = 0; k < lengths; ++k) {
            dr += t * t * x[k] * x[k];
        }
        for (int k = lengths; k < nu; ++k) {
            dt += r * r * x[k] * x[k];
        }
        const double size = dr > dt ? dr : dt;
        if (!(size <= big)) { // lets NaN through
            big = size;
            where = sys->u0[b] + largest_of(x, dr > dt ? 0 : lengths, dr > dt ? lengths : nu);
        }
    }
    if (at != NULL) {
        *at = where;
    }
    return sqrt(big);
}

double tml_norm_w(const TmlSystem *sys, const TmlNorm *norm, const double *dw, int *at)
{
    return tml_norm_u(sys, norm, dw, at) / norm->rate;
}

double tml_norm_x(const TmlSystem *sys, const TmlNorm *norm, const double *dx, int *at)
{
    double big = 0.0;
    int where = -1;
    for (int k = 0; k < sys->nx; ++k) {
        const double size = fabs(dx[k]) / norm->state[k];
        if (!(size <= big)) {
            big = size;
            where = sys->nu + sys->m + k;
        }
    }
    if (at != NULL) {
        *at = where;
    }
    return big;
}

double tml_norm_rounding(const TmlSystem *sys, const TmlNorm *norm, const double *q)
{
    double big = sys->length;
    for (int b = 1; b < sys->nb; ++b) {
        for (int k = 0; k < sys->model->bodies.at[b].type->lengths; ++k) {
            big = fmax(big, fabs(q[sys->q0[b] + k]));
        }
    }
    return DBL_EPSILON * fmax(big / norm->translation, 1.0 / norm->rotation);
}
