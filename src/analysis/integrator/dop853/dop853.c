/* analysis/integrator/dop853/dop853.c - the explicit Runge-Kutta method of order 8(5,3) of Dormand and Prince.
 *
 * y = (q, q', X), f = (q', q'', X') of all coordinates (K4). One step h, coefficients as in dop853_tables.h [HNW]:
 *
 *   (K1)  k_i = f(t_n + c_i h, y_n + h sum_{j<i} a_ij k_j),  i = 1 .. 12;  k_1 is f at the end of the last step
 *   (K2)  y_{n+1} = y_n + h sum b_i k_i, moved onto the constraints (K5), and k_13 = f(t_{n+1}, y_{n+1})
 *   (K3)  error by (K6), step size by the law (D9) of analysis/driver/step_control.c
 *
 * docs/theory/dop853.md
 */
#include "analysis/integrator/dop853/dop853.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

void tml_dop853_combine(TmlDop853 *w, double h, const double *a, int n)
{
    memcpy(w->y, w->y0, (size_t)w->n * sizeof *w->y);
    for (int i = 0; i < n; ++i) {
        const double c = h * a[i], *k = w->k[i];
        for (int j = 0; c != 0.0 && j < w->n; ++j) {
            w->y[j] += c * k[j];
        }
    }
}

/* (K1) */
static bool stages(TmlIntegrator *it, double h, TmlAttempt *out, TmlStatus *status, TmlError *err)
{
    TmlDop853 *w = it->work;
    for (int i = 1; i < DOP853_STAGES; ++i) {
        tml_dop853_combine(w, h, dop853_a[i], i);
        if (i == DOP853_STAGES - 1) {
            memcpy(w->last, w->y, (size_t)w->n * sizeof *w->y);
        }
        if (!tml_dop853_rhs(it, it->now.t + dop853_c[i] * h, w->k[i], out, status, err)) {
            return false;
        }
    }
    return true;
}

static TmlStatus dop853_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    TmlDop853 *w = it->work;
    TmlStatus status = TML_OK;
    *out = (TmlAttempt){.order = 7, .worst = -1}; // (K6) is of order h^8
    w->h = h;
    w->dense = false;
    tml_state_copy(it->sys, &it->now, &w->stage);
    tml_dop853_load_y(it->sys, &it->now, w->y0);
    tml_dop853_load_f(it->sys, &it->now, w->k[0]);
    if (!stages(it, h, out, &status, err)) {
        return status;
    }
    tml_dop853_combine(w, h, dop853_a[DOP853_END], DOP853_STAGES); // (K2)
    if (!tml_dop853_end(it, it->now.t + h, out, &status, err)) {
        return status;
    }
    out->error = tml_dop853_error(it, &out->worst);
    out->converged = isfinite(out->error);
    out->cause = out->converged ? TML_CAUSE_NONE : TML_CAUSE_NONFINITE;
    if (out->converged && out->error <= 1.0) {
        out->message = tml_dop853_stability(it, out->error, &out->waves);
    }
    return status;
}

static void dop853_restart(TmlIntegrator *it)
{
    TmlDop853 *w = it->work;
    w->kept = (TmlKept){0};
}

static TmlStatus dop853_setup(TmlIntegrator *it, TmlError *err)
{
    const TmlDims *dim = tml_dims(it->sys);
    TmlDop853 *w;
    TML_NEW(it->arena, w, 1);
    it->work = w;
    w->n = 2 * dim->nq + dim->nx;
    double **own[] = {&w->y0, &w->y1, &w->last, &w->y};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; ++k) {
        TML_NEW(it->arena, *own[k], w->n);
    }
    for (int k = 0; k < DOP853_ALL; ++k) {
        TML_NEW(it->arena, w->k[k], w->n);
    }
    for (int k = 0; k < DOP853_D; ++k) {
        TML_NEW(it->arena, w->continuous[k], w->n);
    }
    TML_NEW(it->arena, w->du, dim->nu);
    return tml_state_create_in(it->sys, it->arena, &w->stage, err);
}

TML_INTEGRATOR_TYPE(dop853) = {
    .info = {.name = "dop853",
             .text = "Dormand-Prince: explicit Runge-Kutta, order 8; not for stiff models."},
    .tolerance = 3e-9,
    .matrices = 1.5,
    .order = 8,
    .smooth_law = true,
    .keeps_rows_fresh = true,
    .setup = dop853_setup,
    .restart = dop853_restart,
    .attempt = dop853_attempt,
    .dense = tml_dop853_dense,
};
