/* analysis/integrator/chart.c - changes of states, seen along the constraints. */
#include "analysis/integrator/chart.h"

#include <math.h>
#include <string.h>

bool tml_chart_tangent(TmlSystem *sys, TmlState *from, const TmlState *to, bool renew, double *du,
                       double *dw)
{
    const TmlDims *dim = tml_dims(sys);
    double *before = tml_system_scratch(sys);
    tml_system_reduce(sys, from->q, from->v, before);
    tml_system_reduce(sys, to->q, to->v, dw);
    for (int k = 0; k < dim->nu; ++k) {
        dw[k] -= before[k];
    }
    for (int k = 0; k < dim->nq; ++k) {
        from->q[k] = to->q[k] - from->q[k];
    }
    tml_system_reduce(sys, to->q, from->q, du);
    double *const change[2] = {du, dw};
    return tml_system_tangent(sys, to, renew, 2, change);
}

double tml_chart_drift(TmlSystem *sys, const TmlNorm *norm, const TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    double off[3], speed = 1.0;
    tml_system_violation(sys, s, off);
    for (int b = 1; b < dim->nb; ++b) { // off[1] is over this
        const TmlFrameKin *k = tml_body_motion(sys, b);
        speed = fmax(speed, fmax(v3_norm(k->v), v3_norm(k->omega)));
    }
    return fmax(off[0], off[1] * speed / (dim->length * norm->rate)) / norm->rotation;
}
