/* analysis/statics/balance.c - forces in play, and what of them is without balance. */
#include "analysis/statics/balance.h"

#include "math/vec3.h"

#include <math.h>

double tml_balance_size(const TmlSystem *sys, const double *r)
{
    const TmlDims *dim = tml_dims(sys);
    double big = 0.0;
    for (int k = 0; k < dim->nu; ++k) {
        const double x = fabs(r[k]) * dim->unit[k] / dim->length;
        big = x <= big ? big : x; // NaN counts as larger
    }
    return big;
}

/* Returns entry (j, j) of the step matrix, or 0 when there is none. */
static double diagonal(const TmlCsc *K, int j)
{
    const int at = tml_csc_find(K, j, j);
    return at >= 0 ? fabs(K->x[at]) : 0.0;
}

double tml_balance_stiffest(TmlSystem *sys, const TmlState *s, double *mass)
{
    const TmlDims *dim = tml_dims(sys);
    const TmlCsc *K = tml_system_matrix(sys, TML_MATRIX_STEP);
    double most = 0.0;
    tml_system_jacobian(sys, s, (TmlCoeffs){.a = 1.0, .chart = TML_CHART_ROTATION}, 0.0);
    for (int j = 0; j < dim->nu; ++j) {
        mass[j] = diagonal(K, j);
    }
    tml_system_jacobian(sys, s, (TmlCoeffs){.q = 1.0, .chart = TML_CHART_ROTATION}, 0.0);
    for (int j = 0; j < dim->nu; ++j) {
        most = mass[j] > 0.0 ? fmax(most, diagonal(K, j) / mass[j]) : most;
    }
    return most;
}
