/* analysis/integrator/dop853/dop853_error.c - the error of a step, and what bounds its size.
 *
 *   (K6)  e = e_5^2 / sqrt(e_5^2 + e_3^2 / 100), e_5 and e_3 the norms of h sum (b_i - bhat_i) k_i for the embedded
 *         formulas of order 5 and 3: of order h^8 [HNW]. With it, the larger counts: the move onto the constraints (K5),
 *         and (h omega / 2)^8 of the fastest turning body, for turns are counted from step to step
 *   (K7)  h L, L = |f(y_1) - f(y_12)| / |y_1 - y_12|, y_12 the argument of the last stage, which is at the same time [HNW].
 *         The formulas are stable up to h omega = 5.96 on the imaginary axis and 6.1 on the real one
 *   (K8)  stability bounds the steps when h L was above 2.5 in 20 steps, of which few were not. It is damping when
 *         -dv.da / dv.dv, of the same differences, is above L / 2: oscillations have it zero
 */
#include "analysis/integrator/dop853/dop853.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 20 };                                           // (K8)
static const double limit = 2.5, damped = 0.5, two_turn = 2.0; // (K8), (K6)

/* Returns |h sum e_i k_i|. */
static double embedded(TmlIntegrator *it, const double *e, int *at)
{
    TmlDop853 *w = it->work;
    for (int j = 0; j < w->n; ++j) {
        w->y[j] = 0.0;
    }
    for (int i = 0; i < DOP853_STAGES; ++i) {
        const double c = w->h * e[i], *k = w->k[i];
        for (int j = 0; c != 0.0 && j < w->n; ++j) {
            w->y[j] += c * k[j];
        }
    }
    return tml_dop853_norm(it, w->y, at);
}

double tml_dop853_error(TmlIntegrator *it, int *at)
{
    const TmlDop853 *w = it->work;
    double third[DOP853_STAGES];
    for (int i = 0; i < DOP853_STAGES; ++i) {
        third[i] = dop853_a[DOP853_END][i] - dop853_third[i];
    }
    const double e3 = embedded(it, third, NULL), e5 = embedded(it, dop853_e5, at);
    const double size = sqrt(e5 * e5 + 0.01 * e3 * e3);
    const double e = size > 0.0 ? e5 * e5 / size : 0.0;
    return fmax(fmax(e, w->move), pow(tml_dop853_turn(it, w->h) / two_turn, 8.0));
}

/* Returns -dv.da / dv.dv of a change dy and the change df that comes of it: the rate of damping. */
static double damping(const TmlIntegrator *it, const double *dy, const double *df)
{
    const TmlDims *dim = tml_dims(it->sys);
    double product = 0.0, square = 0.0;
    for (int k = 0; k < dim->nq; ++k) {
        const double dv = dy[dim->nq + k] / dim->unit_q[k], da = df[dim->nq + k] / dim->unit_q[k];
        product += dv * da;
        square += dv * dv;
    }
    for (int k = 0; k < dim->nx; ++k) {
        const double dx = dy[2 * dim->nq + k] / it->norm.state[k];
        const double df_x = df[2 * dim->nq + k] / it->norm.state[k];
        product += dx * df_x * it->norm.rotation * it->norm.rotation;
        square += dx * dx * it->norm.rotation * it->norm.rotation;
    }
    return square > 0.0 ? -product / square : 0.0;
}

const char *tml_dop853_stability(TmlIntegrator *it, double error, bool *waves)
{
    TmlDop853 *w = it->work;
    double *const dy = w->last, *const df = w->y;
    (void)error;
    for (int j = 0; j < w->n; ++j) {
        dy[j] = w->y1[j] - w->last[j];
        df[j] = w->k[DOP853_END][j] - w->k[DOP853_STAGES - 1][j];
    }
    const double apart = tml_dop853_norm(it, dy, NULL);
    const double L = apart > 0.0 ? tml_dop853_norm(it, df, NULL) / apart : 0.0;
    const bool near = w->h * L >= limit && apart * it->norm.rotation > 1e-13;
    const bool is_wave = near && damping(it, dy, df) < damped * L;
    w->stiff = near ? w->stiff + 1 : w->stiff > 2 ? w->stiff - 3 : 0;
    w->waves = near && is_wave ? w->waves + 1 : near && w->waves > 0 ? w->waves - 1 : w->waves;
    if (w->stiff < STEPS || w->told) {
        return NULL;
    }
    w->told = true;
    *waves = 2 * w->waves > w->stiff;
    snprintf(
        w->message, sizeof w->message,
        *waves ? "dop853: at t = %.4g s steps of %.2g s are limited by stability, not by accuracy: "
                 "the model has oscillations or waves of about %.2g rad/s with little damping. "
                 "No explicit method takes longer steps; hht or bdf-i3 would not follow these "
                 "waves"
               : "dop853: at t = %.4g s steps of %.2g s are limited by stability, not by accuracy: "
                 "the model is stiff (rates up to about %.2g /s). An implicit method takes longer "
                 "steps: try --integrator radau",
        it->next.t, w->h, L);
    return w->message;
}
