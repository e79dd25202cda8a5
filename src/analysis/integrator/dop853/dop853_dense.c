/* analysis/integrator/dop853/dop853_dense.c - the motion inside the last step.
 *
 *   (K9)  y(t_0 + x h) = y_0 + x (r_1 + z (r_2 + x (r_3 + z (r_4 + x (r_5 + z (r_6 + x r_7)))))),  z = 1 - x
 *         r_1 = y_1 - y_0,  r_2 = h f_0 - r_1,  r_3 = r_1 - h f_1 - r_2,  r_4 .. r_7 = h sum d_i k_i over all stages and
 *         three more: order 7 [HNW]. They are made when the first state of a step is asked for
 */
#include "analysis/integrator/dop853/dop853.h"

#include <math.h>
#include <string.h>

/* Makes the stages of the continuous extension. False: one of them is unusable. */
static bool more_stages(TmlIntegrator *it, double t0)
{
    TmlDop853 *w = it->work;
    const int64_t before = it->iterations;
    TmlAttempt out = {0};
    TmlStatus status = TML_OK;
    bool good = true;
    for (int i = DOP853_END + 1; i < DOP853_ALL && good; ++i) {
        tml_dop853_combine(w, w->h, dop853_a[i], i);
        good = tml_dop853_rhs(it, t0 + dop853_c[i] * w->h, w->k[i], &out, &status, NULL);
    }
    it->iterations = before; // rows leave no trace in the counts
    return good;
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

/* (K9) of one component, and its derivative by x. */
static double polynomial(const TmlDop853 *w, int j, double x, double *rate)
{
    const double z = 1.0 - x, r1 = w->y1[j] - w->y0[j], r2 = w->h * w->k[0][j] - r1;
    const double r3 = r1 - w->h * w->k[DOP853_END][j] - r2;
    const double r[] = {r1,
                        r2,
                        r3,
                        w->continuous[0][j],
                        w->continuous[1][j],
                        w->continuous[2][j],
                        w->continuous[3][j]};
    double value = r[6], slope = 0.0;
    for (int i = 6; i >= 0; --i) { // factors x, z, x, ... from the outside
        const double factor = i % 2 == 0 ? x : z, sign = i % 2 == 0 ? 1.0 : -1.0;
        slope = sign * value + factor * slope;
        value *= factor;
        value += i > 0 ? r[i - 1] : w->y0[j];
    }
    *rate = slope;
    return value;
}

void tml_dop853_dense(TmlIntegrator *it, const TmlState *end, double t, TmlState *out)
{
    TmlDop853 *w = it->work;
    const TmlDims *dim = tml_dims(it->sys);
    const double t0 = end->t - w->h, x = (t - t0) / w->h;
    if (!w->dense) {
        prepare(it, t0);
    }
    tml_state_copy(it->sys, end, out);
    for (int j = 0; j < w->n; ++j) {
        double rate;
        w->y[j] = polynomial(w, j, x, &rate);
        rate /= w->h;
        if (j >= 2 * dim->nq) {
            out->Xd[j - 2 * dim->nq] = rate;
        } else if (j >= dim->nq) {
            out->a[j - dim->nq] = rate;
        }
    }
    tml_dop853_store_y(it->sys, w->y, out);
    out->t = t;
}
