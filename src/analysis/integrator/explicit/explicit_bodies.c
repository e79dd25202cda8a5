/* analysis/integrator/explicit/explicit_bodies.c - y and f of all bodies, and set-up of the types. */
#include "analysis/integrator/explicit/explicit_bodies.h"

#include "base/fail.h"

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

TmlStatus tml_explicit_evaluate(TmlExplicit *p, TmlState *s, double t, double *y, double *f,
                                TmlExplicitClose *close, TmlAttempt *out, TmlError *err)
{
    TmlIntegrator *it = p->it;
    TmlError why; // 16 kB, which are not cleared in every evaluation
    why.message[0] = '\0';
    it->iterations++;
    out->iterations++;
    out->converged = false;
    out->cause = TML_CAUSE_NONFINITE;
    if (!tml_explicit_finite(p->n, y)) {
        return TML_OK;
    }
    s->t = t;
    tml_explicit_store_y(it->sys, y, s);
    tml_system_retract(it->sys, s->q);
    tml_system_retract_velocity(it->sys, s->q, s->v);
    out->cause = TML_CAUSE_NEWTON;
    if (close != NULL && !close(p)) {
        return TML_OK;
    }
    const TmlStatus status = tml_system_accelerations(it->sys, s, &why);
    out->converged = status == TML_OK;
    out->cause = tml_cause_of(status);
    tml_explicit_load_y(it->sys, s, y);
    tml_explicit_load_f(it->sys, s, f);
    return status == TML_E_NOMEM ? tml_fail(err, status, "%s", why.message) : TML_OK;
}

void tml_explicit_state(const TmlExplicit *p, const TmlState *last, double t, const double *y,
                        const double *f, bool solved, TmlState *s)
{
    if (solved) {
        tml_state_copy(p->it->sys, last, s);
    }
    s->t = t;
    tml_explicit_store_y(p->it->sys, y, s);
    tml_explicit_store_f(p->it->sys, f, s);
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
