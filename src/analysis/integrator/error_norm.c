/* analysis/integrator/error_norm.c - see error_norm.h. */
#include "analysis/integrator/error_norm.h"

#include <float.h>
#include <math.h>

/* Units in the last place that count as rounding: a sum of a few products loses about as many. */
static const double rounding_units = 16.0;

/* Returns which of x[from..to) is largest in magnitude. */
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
    const TmlDims *dim = tml_dims(sys);
    double big = 0.0;
    int where = -1;
    const double t = 1.0 / norm->translation, r = 1.0 / norm->rotation;
    for (int b = 1; b < dim->nb; ++b) {
        const double *x = du + dim->span[b].u0;
        const int nu = dim->span[b].nu;
        const int lengths = dim->span[b].lengths;
        double dr = 0.0, dt = 0.0;
        for (int k = 0; k < lengths; ++k) {
            dr += t * t * x[k] * x[k];
        }
        for (int k = lengths; k < nu; ++k) {
            dt += r * r * x[k] * x[k];
        }
        const double size = dr > dt ? dr : dt;
        if (!(size <= big)) { // NaN counts as larger
            big = size;
            where = dim->span[b].u0 + largest_of(x, dr > dt ? 0 : lengths, dr > dt ? lengths : nu);
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
    const TmlDims *dim = tml_dims(sys);
    double big = 0.0;
    int where = -1;
    for (int k = 0; k < dim->nx; ++k) {
        const double size = fabs(dx[k]) / norm->state[k];
        if (!(size <= big)) {
            big = size;
            where = dim->nu + dim->m + k;
        }
    }
    if (at != NULL) {
        *at = where;
    }
    return big;
}

double tml_norm_state_rounding(const TmlNorm *norm, int k, double X)
{
    return DBL_EPSILON * fabs(X) + norm->state_rounding[k];
}

bool tml_norm_state_rounded(const TmlNorm *norm, int k, double X, double dx)
{
    return fabs(dx) <= rounding_units * tml_norm_state_rounding(norm, k, X);
}

double tml_norm_farthest(const TmlSystem *sys, const double *q)
{
    const TmlDims *dim = tml_dims(sys);
    double big = 0.0;
    for (int b = 1; b < dim->nb; ++b) {
        for (int k = 0; k < dim->span[b].lengths; ++k) {
            big = fmax(big, fabs(q[dim->span[b].q0 + k]));
        }
    }
    return big;
}

double tml_norm_rounding(const TmlSystem *sys, const TmlNorm *norm, const double *q)
{
    const double big = fmax(tml_dims(sys)->length, tml_norm_farthest(sys, q));
    return DBL_EPSILON * fmax(big / norm->translation, 1.0 / norm->rotation);
}

double tml_norm_rounding_floor(const TmlSystem *sys, const TmlNorm *norm, const double *q)
{
    return rounding_units * tml_norm_rounding(sys, norm, q);
}
