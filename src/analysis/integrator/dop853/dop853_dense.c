/* analysis/integrator/dop853/dop853_dense.c - the motion inside the last step.
 *
 *   (K7)  y(t_0 + x h) = y_0 + x (r_1 + z (r_2 + x (r_3 + z (r_4 + x (r_5 + z (r_6 + x r_7)))))),  z = 1 - x
 *         r_1 = y_1 - y_0,  r_2 = h f_0 - r_1,  r_3 = r_1 - h f_1 - r_2,  r_4 .. r_7 = h sum d_i k_i over all stages and
 *         three more: order 7 [HNW]. They are made when the first state of a step is asked for
 *   (K8)  the work W of forces is a component like others, W' = P(t, y): (K2) and (K7) with the powers P of the stages
 */
#include "analysis/integrator/dop853/dop853.h"

#include <math.h>
#include <string.h>

/* Makes the stages of the continuous extension. False: one of them is unusable. */
static bool more_stages(TmlIntegrator *it, double t0)
{
    TmlDop853 *w = it->work;
    TmlExplicit *p = &w->problem;
    const int64_t before = it->iterations;
    TmlAttempt out = {.converged = true};
    TmlStatus status = TML_OK;
    for (int i = DOP853_END + 1; i < DOP853_ALL && out.converged && status == TML_OK; ++i) {
        tml_dop853_combine(w, w->h, dop853_a[i], i);
        memcpy(w->k[i], w->k[0], (size_t)w->n * sizeof(double)); // a guess
        status = p->type->rates(p, t0 + dop853_c[i] * w->h, w->y, w->k[i], &out, NULL);
        tml_dop853_note(w, i);
    }
    it->iterations = before; // rows leave no trace in the counts
    return out.converged && status == TML_OK;
}

/* Makes r_4 to r_7, or zeros where a stage is missing: a cubic is left. */
static void prepare(TmlIntegrator *it, double t0)
{
    TmlDop853 *w = it->work;
    const bool good = more_stages(it, t0);
    for (int d = 0; d < DOP853_D; ++d) {
        memset(w->continuous[d], 0, (size_t)w->n * sizeof(double));
        for (int i = 0; good && i < DOP853_ALL; ++i) {
            const double c = w->h * dop853_d[d][i], *k = w->k[i];
            for (int j = 0; c != 0.0 && j < w->n; ++j) {
                w->continuous[d][j] += c * k[j];
            }
        }
    }
    w->dense = true;
}

/* Returns (K7) of one component with y_0 = 0: r[7]; and its derivative by x. */
static double polynomial(const double r[7], double x, double *rate)
{
    double value = r[6], slope = 0.0;
    for (int i = 6; i >= 0; --i) { // factors x, 1 - x, x, ... from the outside
        const double factor = i % 2 == 0 ? x : 1.0 - x, sign = i % 2 == 0 ? 1.0 : -1.0;
        slope = sign * value + factor * slope;
        value = factor * value + (i > 0 ? r[i - 1] : 0.0);
    }
    *rate = slope;
    return value;
}

/* Sets r_1 to r_3 from the change over the step and the slopes at its ends times h. */
static void by_ends(double change, double f0, double f1, double r[7])
{
    r[0] = change;
    r[1] = f0 - change;
    r[2] = change - f1 - r[1];
}

/* Sets w->y and w->d to y and y' at t. */
static void interpolate(TmlIntegrator *it, const TmlState *end, double t)
{
    TmlDop853 *w = it->work;
    const double t0 = end->t - w->h, x = (t - t0) / w->h;
    if (!w->dense) {
        prepare(it, t0);
    }
    for (int j = 0; j < w->n; ++j) {
        double r[7];
        by_ends(w->y1[j] - w->y0[j], w->h * w->k[0][j], w->h * w->k[DOP853_END][j], r);
        for (int d = 0; d < DOP853_D; ++d) {
            r[3 + d] = w->continuous[d][j];
        }
        w->y[j] = w->y0[j] + polynomial(r, x, &w->d[j]);
        w->d[j] /= w->h;
    }
}

void tml_dop853_dense(TmlIntegrator *it, const TmlState *end, double t, TmlState *out)
{
    TmlDop853 *w = it->work;
    interpolate(it, end, t);
    tml_state_copy(it->sys, end, out);
    w->problem.type->state(&w->problem, t, w->y, w->d, false, out);
}

bool tml_dop853_row(TmlIntegrator *it, const TmlState *end, double t, TmlState *out)
{
    TmlDop853 *w = it->work;
    if (w->problem.type->row == NULL || !w->taken) {
        return false;
    }
    interpolate(it, end, t);
    tml_state_copy(it->sys, end, out);
    return w->problem.type->row(&w->problem, t, w->y, w->d, out);
}

/* --- work -------------------------------------------------------------------------------------- */

enum { POWERS = sizeof(TmlPower) / sizeof(double) };

/* Returns the sum of weight[i] P_i over n stages, times h, of the power k. */
static double sum_powers(const TmlDop853 *w, int k, const double *weight, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += weight[i] * ((const double *)&w->power[i])[k];
    }
    return w->h * sum;
}

bool tml_dop853_work_done(TmlIntegrator *it, const TmlState *end, double x, TmlPower *out,
                          double *doubt)
{
    TmlDop853 *w = it->work;
    if (!w->accounts) {
        return false;
    }
    if (x < 1.0 && !w->dense) {
        prepare(it, end->t - w->h);
    }
    double third[DOP853_STAGES], rate;
    for (int i = 0; i < DOP853_STAGES; ++i) {
        third[i] = tml_dop853_third(i);
    }
    *doubt = 0.0;
    for (int k = 0; k < POWERS; ++k) { // (K8)
        const double all = sum_powers(w, k, dop853_a[DOP853_END], DOP853_STAGES);
        double r[7];
        *doubt = fmax(*doubt, tml_dop853_combined(sum_powers(w, k, dop853_e5, DOP853_STAGES),
                                                  sum_powers(w, k, third, DOP853_STAGES)));
        by_ends(all, w->h * ((const double *)&w->power[0])[k],
                w->h * ((const double *)&w->power[DOP853_END])[k], r);
        for (int d = 0; d < DOP853_D && x < 1.0; ++d) {
            r[3 + d] = sum_powers(w, k, dop853_d[d], DOP853_ALL);
        }
        ((double *)out)[k] = x < 1.0 ? polynomial(r, x, &rate) : all;
    }
    return true;
}
