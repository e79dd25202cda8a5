/* analysis/integrator/two_loop/low_order.c - Park, BDF2, trapezoidal rule and HHT with variable step.
 *
 * Steps: h = t_{n+1} - t_n, h1, h2 before it; s1 = h + h1, s2 = h + h1 + h2.
 *
 *   (L2)  y' = c0 y + c1 y_n + c2 y_{n-1} + c3 y_{n-2} at t_{n+1}, y = q, v, X:
 *         r = 1/c0,  Psi[y] = -(c1 y_n + c2 y_{n-1} + c3 y_{n-2}) / c0,
 *         q = Psi[q] + r Psi[v] + r^2 a,  v = Psi[v] + r a,  X = Psi[X] + r X'
 *   (L3)  BDF2: c0 = 1/h + 1/s1,  c1 = -1/h - 1/h1,  c2 = h / (h1 s1)        [000] (22), any step
 *   (L4)  Park: mean of BDF2 and BDF3, c0 = 1/h + 1/s1 + 1/(2 s2),           [000] (19), any step
 *         c1 = -1/h - 1/h1 - s1/(2 h1 (h1 + h2)),  c2 = h/(h1 s1) + h/(2 h1 h2),
 *         c3 = -h s1/(2 s2 h2 (h1 + h2))
 *   (L5)  HHT: q = q_n + h v_n + h^2 [(1/2 - beta) A_n + beta A],  v = v_n + h [(1-gamma) A_n +
 *         gamma A],  A = (1 + alpha) a - alpha a_n,  A_n = a_n + alpha (h/h1)(a_n - a_{n-1}),
 *         gamma = 1/2 - alpha, beta = (1 - alpha)^2/4; X as v, with X' for a        [000] (28), own
 *   (L6)  trapezoidal: HHT with alpha = 0                               [000] (25), corrected
 *   (L7)  local error of q: C h^2 (a - a_n)                     [000] (21), (24), (27), (32)
 *         C = s1/(6 c0 h^2) BDF2, s1/(12 c0 h^2) Park, 1/12 + alpha^2/4 HHT
 *   (L8)  of X: C h^3 X''' with C as above, |1/12 - alpha^2/2| HHT
 *
 * A start needs points: the first step is trapezoidal, the second BDF2. Park is zero-stable for
 * ratios h/h1 up to 1.9, BDF2 up to 2.4; a step that grows more is taken with the next simpler one.
 */
#include "analysis/integrator/two_loop/low_order.h"

#include "analysis/integrator/hht_formula.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

static const double park_ratio = 1.9, bdf2_ratio = 2.4; // zero-stability

/* These return parts of a point of the history. */
static const double *part_q(const TmlLowOrder *f, int k)
{
    return f->history.past[k];
}

static const double *part_v(const TmlLowOrder *f, int k)
{
    return f->history.past[k] + f->nq;
}

static const double *part_a(const TmlLowOrder *f, int k)
{
    return f->history.past[k] + 2 * (size_t)f->nq;
}

static const double *part_X(const TmlLowOrder *f, int k)
{
    return f->history.past[k] + 3 * (size_t)f->nq;
}

static const double *part_Xd(const TmlLowOrder *f, int k)
{
    return f->history.past[k] + 3 * (size_t)f->nq + f->nx;
}

TmlPoint tml_low_order_past(const TmlLowOrder *f, int k)
{
    double *q = f->history.past[k], *X = q + 3 * (size_t)f->nq;
    return (TmlPoint){f->history.time[k], q, q + f->nq, q + 2 * (size_t)f->nq, X, X + f->nx};
}

TmlStatus tml_low_order_setup(TmlLowOrder *f, TmlArena *arena, int nq, int nx, TmlError *err)
{
    f->nq = nq;
    f->nx = nx;
    TML_TRY(tml_history_setup(&f->history, arena, 3 * nq + 2 * nx, 2 * nq, nq, 3, err));
    TML_NEW(arena, f->base_q, f->nq + 1);
    TML_NEW(arena, f->base_v, f->nq + 1);
    TML_NEW(arena, f->base_X, f->nx + 1);
    return TML_OK;
}

static void store(const TmlLowOrder *f, int k, const TmlPoint *s)
{
    const size_t nq = (size_t)f->nq, nx = (size_t)f->nx;
    memcpy(f->history.past[k], s->q, nq * sizeof(double));
    memcpy(f->history.past[k] + nq, s->v, nq * sizeof(double));
    memcpy(f->history.past[k] + 2 * nq, s->a, nq * sizeof(double));
    memcpy(f->history.past[k] + 3 * nq, s->X, nx * sizeof(double));
    memcpy(f->history.past[k] + 3 * nq + nx, s->Xd, nx * sizeof(double));
}

void tml_low_order_restart(TmlLowOrder *f, const TmlPoint *now)
{
    tml_history_restart(&f->history, now->t);
    store(f, 0, now);
}

/* --- the formulas -------------------------------------------------------------------------- */

/* Sets (L2) with the last n of c[1..3]; c[0] is c0. The sum of all c is zero: with differences from
 * y_n the rounding of weights does not add up over the steps. */
static void begin_multistep(TmlLowOrder *f, const double *c, int n)
{
    const double r = 1.0 / c[0];
    f->cv = f->cx = r;
    f->cq = r * r;
    for (int k = 0; k < f->nq; ++k) {
        const double q0 = part_q(f, 0)[k], v0 = part_v(f, 0)[k];
        double q = 0.0, v = 0.0;
        for (int i = 1; i < n; ++i) {
            q -= c[1 + i] * (part_q(f, i)[k] - q0);
            v -= c[1 + i] * (part_v(f, i)[k] - v0);
        }
        f->base_v[k] = v0 + r * v;
        f->base_q[k] = q0 + r * (q + f->base_v[k]);
    }
    for (int k = 0; k < f->nx; ++k) {
        const double x0 = part_X(f, 0)[k];
        double x = 0.0;
        for (int i = 1; i < n; ++i) {
            x -= c[1 + i] * (part_X(f, i)[k] - x0);
        }
        f->base_X[k] = x0 + r * x;
    }
}

/* (L3) */
static void begin_bdf2(TmlLowOrder *f)
{
    const double h = f->h, h1 = f->history.time[0] - f->history.time[1], s1 = h + h1;
    const double c[] = {1.0 / h + 1.0 / s1, -1.0 / h - 1.0 / h1, h / (h1 * s1)};
    begin_multistep(f, c, 2);
    f->error = f->error_x = s1 / (6.0 * c[0] * h * h);
}

/* (L4) */
static void begin_park(TmlLowOrder *f)
{
    const double h = f->h, h1 = f->history.time[0] - f->history.time[1],
                 h2 = f->history.time[1] - f->history.time[2];
    const double s1 = h + h1, s2 = s1 + h2;
    const double c[] = {
        1.0 / h + 1.0 / s1 + 0.5 / s2,
        -1.0 / h - 1.0 / h1 - 0.5 * s1 / (h1 * (h1 + h2)),
        h / (h1 * s1) + 0.5 * h / (h1 * h2),
        -0.5 * h * s1 / (s2 * h2 * (h1 + h2)),
    };
    begin_multistep(f, c, 3);
    f->error = f->error_x = s1 / (12.0 * c[0] * h * h);
}

/* (L5), (L6) */
static void begin_hht(TmlLowOrder *f, double alpha)
{
    const bool known = f->history.points > 1;
    const double h1 = known ? f->history.time[0] - f->history.time[1] : 0.0;
    const TmlHhtFormula c = hht_formula(alpha, f->h, h1);
    const int before = known ? 1 : 0;
    f->cq = c.cq;
    f->cv = f->cx = c.cv;
    f->error = c.error;
    f->error_x = c.error_x;
    for (int k = 0; k < f->nq; ++k) {
        const double v = part_v(f, 0)[k], a = part_a(f, 0)[k], b = part_a(f, before)[k];
        f->base_q[k] = hht_base_q(&c, part_q(f, 0)[k], v, a, b);
        f->base_v[k] = hht_base_v(&c, v, a, b);
    }
    for (int k = 0; k < f->nx; ++k) {
        f->base_X[k] = hht_base_v(&c, part_X(f, 0)[k], part_Xd(f, 0)[k], part_Xd(f, before)[k]);
    }
}

void tml_low_order_begin(TmlLowOrder *f, double h)
{
    const double ratio =
        f->history.points > 1 ? h / (f->history.time[0] - f->history.time[1]) : HUGE_VAL;
    f->h = h;
    if (f->formula == TML_FORMULA_PARK && f->history.points > 2 && ratio <= park_ratio) {
        begin_park(f);
    } else if ((f->formula == TML_FORMULA_PARK || f->formula == TML_FORMULA_BDF2) &&
               ratio <= bdf2_ratio) {
        begin_bdf2(f);
    } else {
        begin_hht(f, f->formula == TML_FORMULA_HHT && f->history.points > 1 ? f->alpha : 0.0);
    }
}

double tml_low_order_growth(const TmlLowOrder *f)
{
    return f->formula == TML_FORMULA_PARK ? 1.6 : 2.0;
}

/* --- prediction ---------------------------------------------------------------------------- */

void tml_low_order_predict(const TmlLowOrder *f, double *a, double *Xd)
{
    double weight[TML_HISTORY];
    const int degree = tml_history_predict(&f->history, f->history.time[0] + f->h, weight);
    memset(a, 0, (size_t)f->nq * sizeof *a);
    memset(Xd, 0, (size_t)f->nx * sizeof *Xd);
    for (int i = 0; i <= degree; ++i) {
        for (int k = 0; k < f->nq; ++k) {
            a[k] += weight[i] * part_a(f, i)[k];
        }
        for (int k = 0; k < f->nx; ++k) {
            Xd[k] += weight[i] * part_Xd(f, i)[k];
        }
    }
}

/* --- after the step ------------------------------------------------------------------------- */

void tml_low_order_error(const TmlLowOrder *f, const TmlPoint *s, double *dq, double *dX)
{
    const double h = f->h, c = f->error * h * h;
    for (int k = 0; k < f->nq; ++k) {
        dq[k] = c * (s->a[k] - part_a(f, 0)[k]); // (L7)
    }
    for (int k = 0; k < f->nx; ++k) {
        const double d1 = (s->Xd[k] - part_Xd(f, 0)[k]) / h;
        if (f->history.points > 1) { // (L8)
            const double h1 = f->history.time[0] - f->history.time[1];
            const double d0 = (part_Xd(f, 0)[k] - part_Xd(f, 1)[k]) / h1;
            dX[k] = f->error_x * h * h * h * 2.0 * (d1 - d0) / (h + h1);
        } else {
            dX[k] = h * h * d1 / 12.0;
        }
    }
}

void tml_low_order_accept(TmlLowOrder *f, const TmlPoint *s)
{
    tml_history_accept(&f->history, s->t, s->a);
    store(f, 0, s);
}

void tml_low_order_reject(TmlLowOrder *f)
{
    tml_history_reject(&f->history);
}
