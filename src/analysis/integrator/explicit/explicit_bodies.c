/* analysis/integrator/explicit/explicit_bodies.c - y and f of all bodies, and set-up of the types. */
#include "analysis/integrator/explicit/explicit_bodies.h"

#include <math.h>
#include <string.h>

void tml_explicit_load_y(const TmlSystem *sys, const TmlState *s, double *y)
{
    const TmlDims *dim = tml_dims(sys);
    const size_t nq = (size_t)dim->nq;
    memcpy(y, s->q, nq * sizeof *y);
    memcpy(y + nq, s->v, nq * sizeof *y);
    memcpy(y + 2 * nq, s->X, (size_t)dim->nx * sizeof *y);
}

void tml_explicit_store_y(const TmlSystem *sys, const double *y, TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    const size_t nq = (size_t)dim->nq;
    memcpy(s->q, y, nq * sizeof *y);
    memcpy(s->v, y + nq, nq * sizeof *y);
    memcpy(s->X, y + 2 * nq, (size_t)dim->nx * sizeof *y);
}

void tml_explicit_load_f(const TmlSystem *sys, const TmlState *s, double *f)
{
    const TmlDims *dim = tml_dims(sys);
    const size_t nq = (size_t)dim->nq;
    memcpy(f, s->v, nq * sizeof *f);
    memcpy(f + nq, s->a, nq * sizeof *f);
    memcpy(f + 2 * nq, s->Xd, (size_t)dim->nx * sizeof *f);
}

void tml_explicit_store_f(const TmlSystem *sys, const double *f, TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    const size_t nq = (size_t)dim->nq;
    memcpy(s->a, f + nq, nq * sizeof *f);
    memcpy(s->Xd, f + 2 * nq, (size_t)dim->nx * sizeof *f);
}

bool tml_explicit_finite(int n, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += fabs(y[k]);
    }
    return isfinite(sum);
}

double tml_explicit_worst(const double part[3], const int where[3], int *at)
{
    int worst = 0;
    for (int k = 1; k < 3; ++k) {
        worst = !(part[k] <= part[worst]) ? k : worst;
    }
    if (at != NULL) {
        *at = where[worst];
    }
    return part[worst];
}

TmlStatus tml_explicit_setup(TmlExplicit *p, const TmlExplicitType *type, TmlIntegrator *it,
                             TmlError *err)
{
    *p = (TmlExplicit){.type = type, .it = it};
    return type->setup(p, err);
}

void tml_explicit_teardown(TmlExplicit *p)
{
    if (p->type != NULL) {
        p->type->teardown(p);
    }
}
