/* analysis/integrator/rosenbrock/rosenbrock_stages.c - right sides and stages of the linearly implicit methods: (RN1),
 * (RN2), (RN4), (RN6), (RN7) of analysis/integrator/rosenbrock/rosenbrock.c.
 */
#include "analysis/integrator/rosenbrock/rosenbrock.h"

#include "analysis/integrator/chart.h"

#include <string.h>

static const double near_kink = 1e-6; // (RN7)

/* Solves for the accelerations at s. A failure is an outcome of the try: it returns false, and out
 * says why. */
bool tml_rosenbrock_solve(TmlIntegrator *it, TmlState *s, TmlAttempt *out, TmlStatus *status,
                          TmlError *err)
{
    TmlError own; // 16 kB, which clearing in each stage would cost
    own.status = TML_OK;
    own.message[0] = '\0';
    *status = tml_system_accelerations(it->sys, s, &own);
    if (*status == TML_OK) {
        return true;
    }
    out->cause = tml_cause_of(*status);
    if (*status == TML_E_SINGULAR || *status == TML_E_NONFINITE || *status == TML_E_STEP) {
        *status = TML_OK;
    } else if (err != NULL) {
        *err = own;
    }
    return false;
}

/* Puts f and phi at it->now with the time t into f. */
static bool evaluate_now(TmlIntegrator *it, double t, double *f, TmlAttempt *out, TmlStatus *status,
                         TmlError *err)
{
    TmlRosenbrock *w = it->work;
    tml_state_copy(it->sys, &it->now, &w->stage);
    w->stage.t = t;
    memset(w->x, 0, (size_t)w->ny * sizeof *w->x);
    if (!tml_rosenbrock_solve(it, &w->stage, out, status, err)) {
        return false;
    }
    tml_chart_second(it->sys, &w->stage, w->x, w->w, f);
    return true;
}

/* Puts (RN6) into w->ft, where w->f1 belongs to the time t. */
static bool time_derivative(TmlIntegrator *it, double t, double h, TmlAttempt *out,
                            TmlStatus *status, TmlError *err)
{
    static const double weight[2] = {4.0, -1.0};
    TmlRosenbrock *w = it->work;
    const double d = 1e-3 * h;
    for (int k = 0; k < w->ny; ++k) {
        w->ft[k] = -1.5 * w->f1[k] / d;
    }
    for (int i = 0; i < 2; ++i) {
        if (!evaluate_now(it, t + (i + 1) * d, w->f, out, status, err)) {
            return false;
        }
        for (int k = 0; k < w->ny; ++k) {
            w->ft[k] += weight[i] * w->f[k] / (2.0 * d);
        }
    }
    return true;
}

/* Sets w->f1 and w->ft at the start of a step, where time appears in the equations. At a kink they
 * are those of the branch that follows: (RN7). */
bool tml_rosenbrock_time(TmlIntegrator *it, double h, TmlAttempt *out, TmlStatus *status,
                         TmlError *err)
{
    TmlRosenbrock *w = it->work;
    const double t = it->now.t, beside = w->fresh ? near_kink * h : 0.0;
    if (w->fresh) {
        if (!evaluate_now(it, t + beside, w->f1, out, status, err)) {
            return false;
        }
        // interpolation begins with these accelerations as well
        tml_state_copy(it->sys, &w->stage, &it->now);
        it->now.t = t;
        w->fresh = false;
    }
    if (!time_derivative(it, t + beside, h, out, status, err)) {
        return false;
    }
    for (int k = 0; k < w->ny; ++k) {
        w->f1[k] -= beside * w->ft[k];
    }
    return true;
}

/* Returns what a kink does to a stage that lies beyond the end of the step, (RN7): the time at
 * which f is evaluated instead, or t itself. */
double tml_rosenbrock_before_kink(const TmlIntegrator *it, double h, double t)
{
    const double end = it->now.t + h;
    const bool kink = it->kink <= t && it->kink >= end - near_kink * h;
    return kink ? end - near_kink * h : tml_system_is_beyond(it->sys, t) ? fmin(t, end) : t;
}

/* Solves x = K^-1 r with one refinement, for the factored matrix without its small diagonal
 * (system/matrix/jacobian.c, (J5)), which would be an error of the derivatives and cost the method
 * its order. */
static void solve_refined(TmlIntegrator *it, const double *r, double *x, double *residual)
{
    const TmlRosenbrock *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlCsc *K = tml_system_matrix(sys, TML_MATRIX_STAGE);
    const size_t size = (size_t)dim->n * sizeof *x;
    memcpy(x, r, size);
    tml_stages_solve(sys, x);
    memset(residual, 0, size);
    tml_csc_mul(K, x, residual);
    for (int k = 0; k < dim->n; ++k) {
        residual[k] = r[k] - residual[k];
    }
    for (int k = 0; k < dim->m; ++k) {
        residual[dim->nu + k] += K->x[w->diagonal[k]] * x[dim->nu + k];
    }
    tml_stages_solve(sys, residual);
    for (int k = 0; k < dim->n; ++k) {
        x[k] += residual[k];
    }
}

/* (RN4): out[ny] = g y for the right side r[ny] and hz[nu]. Factors kept for another step size are
 * those of J2 and J3 scaled by the ratio, J1 by its square. */
void tml_rosenbrock_linear(TmlIntegrator *it, double g, const double *r, const double *hz,
                           double *out)
{
    const TmlRosenbrock *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const size_t nu = (size_t)dim->nu, nx = (size_t)dim->nx;
    const int x0 = dim->nu + dim->m;
    const double ratio = w->factor_g / g;
    memset(w->vector, 0, (size_t)dim->n * sizeof *w->vector);
    memset(w->r, 0, (size_t)dim->n * sizeof *w->r);
    memcpy(w->vector, hz, nu * sizeof *hz);
    tml_stages_mul(sys, &w->matrix, 2, -ratio * ratio, w->vector, w->r);
    memcpy(w->vector, r, nu * sizeof *r);
    memcpy(w->vector + x0, r + nu, nx * sizeof *r);
    tml_stages_mul(sys, &w->matrix, 0, 1.0, w->vector, w->r);
    solve_refined(it, w->r, w->vector, w->residual);
    for (int k = 0; k < dim->nu; ++k) {
        out[k] = g * w->vector[k];
    }
    for (int k = 0; k < dim->nx; ++k) {
        out[dim->nu + k] = g * w->vector[x0 + k];
    }
}

/* Adds the sum of coefficient[j] l_j for j < n to y. */
void tml_rosenbrock_add(const TmlRosenbrock *w, int n, int length, double scale,
                        const double *coefficient, double *y)
{
    for (int j = 0; j < n; ++j) {
        const double c = scale * coefficient[j];
        if (c != 0.0) {
            for (int k = 0; k < length; ++k) {
                y[k] += c * w->l[j][k];
            }
        }
    }
}

/* x = h alpha w + h sum theta l, x1 = (w, X_n) + sum a l. */
void tml_rosenbrock_combine(const TmlIntegrator *it, double h, double alpha, const double *theta,
                            const double *a, int n)
{
    const TmlDims *dim = tml_dims(it->sys);
    TmlRosenbrock *w = it->work;
    const int nu = dim->nu;
    for (int k = 0; k < nu; ++k) {
        w->x[k] = h * alpha * w->w[k];
        w->x1[k] = w->w[k];
    }
    memcpy(w->x1 + nu, it->now.X, (size_t)dim->nx * sizeof *w->x1);
    tml_rosenbrock_add(w, n, nu, h, theta, w->x);
    tml_rosenbrock_add(w, n, w->ny, 1.0, a, w->x1);
}

/* (RN1): w->f at stage i. */
bool tml_rosenbrock_evaluate(TmlIntegrator *it, double h, int i, TmlAttempt *out, TmlStatus *status,
                             TmlError *err)
{
    const TmlDims *dim = tml_dims(it->sys);
    TmlRosenbrock *w = it->work;
    const TmlRosenbrockMethod *me = w->method;
    if (i == 0) {
        memcpy(w->f, w->f1, (size_t)w->ny * sizeof *w->f);
        return true;
    }
    if (me->same_point[i]) {
        return true;
    }
    tml_rosenbrock_combine(it, h, me->alpha[i], me->theta[i], me->a[i], i);
    const double t = it->now.t + me->alpha[i] * h;
    w->stage.t = tml_rosenbrock_before_kink(it, h, t);
    tml_chart_state(it->sys, it->now.q, w->x, w->x1, &w->stage);
    memcpy(w->stage.X, w->x1 + dim->nu, (size_t)dim->nx * sizeof *w->x1);
    if (!tml_rosenbrock_solve(it, &w->stage, out, status, err)) {
        return false;
    }
    tml_chart_second(it->sys, &w->stage, w->x, w->x1, w->f);
    if (w->stage.t < t) {
        for (int k = 0; k < w->ny; ++k) {
            w->f[k] += (t - w->stage.t) * w->ft[k]; // (RN7)
        }
    }
    return true;
}

/* (RN2): w->l[i]. */
void tml_rosenbrock_stage(TmlIntegrator *it, double h, int i)
{
    const TmlDims *dim = tml_dims(it->sys);
    TmlRosenbrock *w = it->work;
    const TmlRosenbrockMethod *me = w->method;
    double *r = w->l[i];
    for (int k = 0; k < w->ny; ++k) {
        r[k] = w->f[k] + h * me->gamma_i[i] * w->ft[k];
    }
    tml_rosenbrock_add(w, i, w->ny, 1.0 / h, me->c[i], r);
    for (int k = 0; k < dim->nu; ++k) {
        w->z[k] = h * me->gamma_i[i] * w->w[k];
    }
    tml_rosenbrock_add(w, i, dim->nu, h, me->delta[i], w->z);
    tml_rosenbrock_linear(it, h * me->gamma, r, w->z, w->l[i]);
}
