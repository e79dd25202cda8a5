/* analysis/integrator/dop853/dop853_error.c - the error of a step, and what bounds its size.
 *
 *   (K4)  e = e_5^2 / sqrt(e_5^2 + e_3^2 / 100), e_5 and e_3 the norms of h sum (b_i - bhat_i) k_i for the embedded
 *         formulas of order 5 and 3: of order h^8 [HNW]. With it, the larger counts: the move onto the constraints (K2),
 *         and (h omega / 2)^8 of the fastest turning body, for turns are counted from step to step
 *   (K5)  L = sqrt(A / X), X and A the sizes of the differences of positions and of accelerations between the end y_1 and the
 *         argument y_12 of the last stage, which is at the same time: the frequency of an oscillation in any phase; and of a
 *         damping at the limit its rate, for there the differences of positions are those of velocities over L. (The ratio
 *         |f(y_1) - f(y_12)| / |y_1 - y_12| of [HNW] depends on the phase.) The formulas are stable up to h L = 5.96 on the
 *         imaginary axis and 6.4 on the real one
 *   (K6)  stability bounds the steps when h L was above 3.5 in 20 steps, each in which it was not taking two away. Steps that
 *         are bounded by how far a body turns do not count. It is damping when in three of four of them -dv.da / dv.dv is
 *         above L / 2; that of an oscillation changes its sign
 */
#include "analysis/integrator/dop853/dop853.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 20 };                                              // (K6)
static const double limit = 3.5, damped = 0.5, most_turned = 2.0; // (K6), (K4)
/* (K5): of the limit. Joint coordinates without weights tell rates within a factor of two or so. */
static const double far_below = 0.4;
static const double rounding = 1e-14; // of positions, in lengths of the model

/* Returns |h sum e_i k_i|. */
static double embedded(TmlDop853 *w, const double *e, int *at)
{
    memset(w->d, 0, (size_t)w->n * sizeof *w->d);
    for (int i = 0; i < DOP853_STAGES; ++i) {
        const double c = e[i], *k = w->k[i];
        for (int j = 0; c != 0.0 && j < w->n; ++j) {
            w->d[j] += c * k[j];
        }
    }
    return w->problem.type->norm(&w->problem, w->d, w->h, at);
}

/* Returns the fastest turning of a body at the last kinematics, rad/s. */
static double spin(const TmlSystem *sys)
{
    double big = 0.0;
    for (int b = 1; b < tml_dims(sys)->nb; ++b) {
        big = fmax(big, v3_norm(tml_body_motion(sys, b)->omega));
    }
    return big;
}

double tml_dop853_combined(double e5, double e3)
{
    const double size = sqrt(e5 * e5 + 0.01 * e3 * e3);
    return size > 0.0 ? e5 * e5 / size : 0.0;
}

double tml_dop853_third(int i)
{
    return dop853_a[DOP853_END][i] - dop853_third[i];
}

double tml_dop853_error(TmlIntegrator *it, int *at)
{
    TmlDop853 *w = it->work;
    double third[DOP853_STAGES];
    for (int i = 0; i < DOP853_STAGES; ++i) {
        third[i] = tml_dop853_third(i);
    }
    const double e3 = embedded(w, third, NULL), e5 = embedded(w, dop853_e5, at);
    const double e = tml_dop853_combined(e5, e3);
    return fmax(fmax(e, w->move), pow(w->h * spin(it->sys) / most_turned, 8.0));
}

/* Sums of squares of the differences of two states, and of the product of those of velocities and accelerations. */
typedef struct Differences {
    double x, v, a, product;
} Differences;

static void add(Differences *d, double x, double v, double a)
{
    d->x += x * x;
    d->v += v * v;
    d->a += a * a;
    d->product += v * a;
}

static Differences differences(TmlIntegrator *it)
{
    TmlDop853 *w = it->work;
    const TmlDims *dim = tml_dims(it->sys);
    const TmlState *s = &it->next, *o = &w->other;
    Differences d = {0};
    tml_state_copy(it->sys, s, &w->other);
    w->problem.type->state(&w->problem, s->t, w->last, w->k[DOP853_STAGES - 1], false, &w->other);
    for (int k = 0; k < dim->nq; ++k) {
        const double unit = 1.0 / dim->unit_q[k];
        add(&d, unit * (s->q[k] - o->q[k]), unit * (s->v[k] - o->v[k]), unit * (s->a[k] - o->a[k]));
    }
    for (int k = 0; k < dim->nx; ++k) { // a state is like a velocity: its rate answers it
        const double unit = it->norm.rate * it->norm.rotation / it->norm.state[k];
        add(&d, 0.0, unit * (s->X[k] - o->X[k]), unit * (s->Xd[k] - o->Xd[k]));
    }
    return d;
}

/* (K5); of states alone, which have no positions, A / V. */
static double answer(const Differences *d)
{
    return d->x > 0.0 ? sqrt(sqrt(d->a / d->x)) : d->v > 0.0 ? sqrt(d->a / d->v) : 0.0;
}

/* Tells whether the rate by a look in passing is so far below the limit that (K5) need not be computed. */
static bool is_far(TmlDop853 *w)
{
    const double *f1 = w->k[DOP853_END], *f12 = w->k[DOP853_STAGES - 1];
    double *dy = w->d, *df = w->y;
    if (w->problem.type->answer == NULL) {
        return false;
    }
    for (int k = 0; k < w->n; ++k) {
        dy[k] = w->y1[k] - w->last[k];
        df[k] = f1[k] - f12[k];
    }
    return w->h * w->problem.type->answer(&w->problem, dy, df) < far_below * limit;
}

const char *tml_dop853_stability(TmlIntegrator *it, bool *waves)
{
    TmlDop853 *w = it->work;
    if (is_far(w)) {
        w->near = w->near > 1 ? w->near - 2 : 0;
        w->damped = w->near == 0 ? 0 : w->damped;
        w->counted = w->near == 0 ? 0 : w->counted;
        return NULL;
    }
    const Differences d = differences(it);
    const double L = answer(&d);
    const bool seen = sqrt(d.x) > rounding || (d.x == 0.0 && d.v > 0.0);
    const bool near = w->h * L >= limit && seen && w->h * spin(it->sys) < 0.6 * most_turned;
    w->near = near ? w->near + 1 : w->near > 1 ? w->near - 2 : 0;
    w->damped = w->near == 0 ? 0 : w->damped + (near && -d.product > damped * L * d.v);
    w->counted = w->near == 0 ? 0 : w->counted + near;
    if (w->near < STEPS || w->told) {
        return NULL;
    }
    w->told = true;
    *waves = 4 * w->damped < 3 * w->counted;
    snprintf(
        w->message, sizeof w->message,
        *waves ? "dop853: at t = %.4g s steps of %.2g s are limited by stability, not by accuracy: "
                 "the model has waves or oscillations of some %.2g rad/s with little damping. "
                 "No explicit method takes longer steps; an implicit one does not follow them: "
                 "try --integrator hht where they do not matter"
               : "dop853: at t = %.4g s steps of %.2g s are limited by stability, not by accuracy: "
                 "the model is stiff (rates up to about %.2g /s). An implicit method takes longer "
                 "steps: try --integrator radau",
        it->next.t, w->h, L);
    return w->message;
}
