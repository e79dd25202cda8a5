/* analysis/integrator/radau/radau_stages.c - the stages of radau: values from the unknowns, polynomials through
 * them. (R1) and (R8) of analysis/integrator/radau/radau.c.
 */
#include "analysis/integrator/radau/radau.h"

#include "analysis/integrator/radau/radau_tables.h"
#include "system/coordinates/charts.h"

#include <string.h>

/* out = (base) + h sum_j A_ij y_j over n numbers; base NULL: none. */
void tml_radau_integrate(int i, int n, double h, const double *base,
                         double *const y[TML_RADAU_STAGES], ptrdiff_t from, double *out)
{
    const double *a = radau_A[i];
    for (int k = 0; k < n; ++k) {
        const ptrdiff_t at = from + k;
        const double sum = a[0] * y[0][at] + a[1] * y[1][at] + a[2] * y[2][at];
        out[k] = (base != NULL ? base[k] : 0.0) + h * sum;
    }
}

/* (R1) */
void tml_radau_stage_values(const TmlIntegrator *it)
{
    const TmlRadau *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    for (int i = 0; i < TML_RADAU_STAGES; ++i) {
        tml_radau_integrate(i, dim->nu, w->h, w->w_n, w->z, 0, w->w[i]);
        tml_radau_integrate(i, dim->nx, w->h, w->X_n, w->z, dim->nu + dim->m, w->X[i]);
    }
    for (int i = 0; i < TML_RADAU_STAGES; ++i) {
        tml_radau_integrate(i, dim->nu, w->h, NULL, w->w, 0, w->x[i]);
    }
}

/* Sets lambda, X', V, F of s from the unknowns z. */
static void unpack(const TmlSystem *sys, const double *z, TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    const double *lambda = z + dim->nu, *rest = lambda + dim->m;
    for (int row = 0; row < dim->m_all; ++row) {
        s->lambda[row] = tml_row_unknown(sys, row) >= 0 ? lambda[tml_row_unknown(sys, row)] : 0.0;
    }
    memcpy(s->Xd, rest, (size_t)dim->nx * sizeof *rest);
    memcpy(s->V, rest + dim->nx, (size_t)(dim->nv + dim->nf) * sizeof *rest); // F follows V
}

/* z = (u-acceleration, lambda, X', V, F) of s. */
void tml_radau_pack(const TmlSystem *sys, const TmlState *s, double *z)
{
    const TmlDims *dim = tml_dims(sys);
    double *lambda = z + dim->nu, *rest = lambda + dim->m;
    tml_system_reduce(sys, s->q, s->a, z);
    for (int row = 0; row < dim->m_all; ++row) {
        if (tml_row_unknown(sys, row) >= 0) {
            lambda[tml_row_unknown(sys, row)] = s->lambda[row];
        }
    }
    memcpy(rest, s->Xd, (size_t)dim->nx * sizeof *rest);
    memcpy(rest + dim->nx, s->V, (size_t)(dim->nv + dim->nf) * sizeof *rest);
}

void tml_radau_stage_state(const TmlIntegrator *it, int i, TmlState *s)
{
    const TmlRadau *w = it->work;
    s->t = it->now.t + radau_c[i] * w->h;
    tml_chart_motion(it->sys, w->q_n, w->x[i], w->w[i], w->z[i], s);
    unpack(it->sys, w->z[i], s);
    memcpy(s->X, w->X[i], (size_t)tml_dims(it->sys)->nx * sizeof *s->X);
}

void tml_radau_weights(double s, double l[3][TML_RADAU_NODES])
{
    const double a = s, b = s - radau_c[0], c = s - radau_c[1], d = s - radau_c[2];
    const double others[TML_RADAU_NODES] = {b * c * d, a * c * d, a * b * d, a * b * c};
    for (int j = 0; j < TML_RADAU_NODES; ++j) {
        const double *p = radau_basis[j];
        l[0][j] = others[j] * p[3]; // beyond the step sums of powers would lose digits
        l[1][j] = s * (p[0] + s * (p[1] / 2.0 + s * (p[2] / 3.0 + s * p[3] / 4.0)));
        l[2][j] = s * s * (p[0] / 2.0 + s * (p[1] / 6.0 + s * (p[2] / 12.0 + s * p[3] / 20.0)));
    }
}

/* Extrapolates the unknowns of the last step. The polynomial is one of u-accelerations, which do
 * not depend on the chart; x'' follows from them, x and w by iteration. */
void tml_radau_predict(const TmlIntegrator *it)
{
    enum { PASSES = 2 };
    const TmlRadau *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double l[3][TML_RADAU_NODES];
    for (int i = 0; i < TML_RADAU_STAGES; ++i) {
        if (w->h_last > 0.0) {
            tml_radau_weights(1.0 + radau_c[i] * w->h / w->h_last, l);
            for (int k = 0; k < dim->n; ++k) {
                w->z[i][k] = l[0][0] * w->node[0][k] + l[0][1] * w->node[1][k] +
                             l[0][2] * w->node[2][k] + l[0][3] * w->node[3][k];
            }
        } else {
            memcpy(w->z[i], w->start, (size_t)dim->n * sizeof(double));
        }
        memcpy(w->r[i], w->z[i], (size_t)dim->nu * sizeof(double));
    }
    tml_radau_stage_values(it);
    for (int pass = 0; pass < PASSES; ++pass) {
        for (int i = 0; i < TML_RADAU_STAGES; ++i) {
            tml_chart_rates(sys, w->x[i], w->w[i], w->r[i], w->z[i]);
        }
        tml_radau_stage_values(it);
    }
}

/* Keeps the u-accelerations of the stages for the next prediction and for output. */
void tml_radau_remember(TmlIntegrator *it)
{
    TmlRadau *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    double *oldest = w->node[0];
    w->node[0] = w->start;
    w->start = oldest;
    for (int i = 0; i < TML_RADAU_STAGES; ++i) {
        memcpy(w->node[i + 1], w->z[i], (size_t)dim->n * sizeof(double));
        tml_chart_acceleration(sys, w->x[i], w->w[i], w->z[i], w->node[i + 1]);
    }
    memcpy(w->start, w->node[TML_RADAU_STAGES], (size_t)dim->n * sizeof(double));
    w->h_last = w->h;
}

/* (R8) */
void tml_radau_interpolate(const TmlIntegrator *it, double end, double t, TmlState *out)
{
    const TmlRadau *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const double h = w->h_last, s = 1.0 - (end - t) / h;
    const int states = dim->nu + dim->m;
    double l[3][TML_RADAU_NODES], *x = w->r[0], *x1 = w->r[1], *udot = w->y;
    tml_radau_weights(s, l);
    for (int k = 0; k < dim->nu; ++k) {
        const double p[TML_RADAU_NODES] = {w->node[0][k], w->z[0][k], w->z[1][k], w->z[2][k]};
        x1[k] = w->w_n[k];
        x[k] = h * s * w->w_n[k];
        for (int j = 0; j < TML_RADAU_NODES; ++j) {
            x1[k] += h * l[1][j] * p[j];
            x[k] += h * h * l[2][j] * p[j];
        }
    }
    for (int k = 0; k < dim->n; ++k) {
        udot[k] = 0.0;
        for (int j = 0; j < TML_RADAU_NODES; ++j) {
            udot[k] += l[0][j] * w->node[j][k];
        }
    }
    for (int k = 0; k < dim->nx; ++k) {
        out->X[k] = w->X_n[k];
        for (int j = 0; j < TML_RADAU_NODES; ++j) {
            out->X[k] += h * l[1][j] * w->node[j][states + k];
        }
    }
    unpack(sys, udot, out);
    tml_chart_state(sys, w->q_n, x, x1, out);
    tml_system_set_accelerations(sys, udot, out);
    out->t = t;
}
