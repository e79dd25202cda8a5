/* analysis/rows/between.c - the motion between the ends of an accepted step, in all its quantities.
 *
 * On the chart of the step's start (translations and rotation vectors x), with h the step:
 *
 *   (B1)  x by the quintic through x, x', x'' of both ends: error O(h^6)
 *   (B2)  x' and X by Hermite's polynomial through values and rates of both ends, O(h^4), and of
 *         the end before where the method's order asks for it, O(h^6); x'', X' as its derivative.
 *         The derivative of (B1) would see the local error of x divided by the step; it is the
 *         velocity along the path of (B1), for which the work of a potential is its difference.
 *
 * Then q and v are put onto the constraints, and a, lambda, X', V, F solve
 *
 *   (B3)  M a + Phi_q^T lambda = Q,  Phi_q a = gamma,  d = 0     at (t, q, v, X)
 *
 * so that they have the order of q and v. Forces that are stiff for the step would take the error
 * of q for a deflection. That is the case when the difference g = a - a_I between (B3) and the
 * derivative a_I of (B2) would change (B3) much over the step:
 *
 *   (B4)  |f(q + c_q g, v + c_v g) - f(q, v)| > |g| / 10,   c_v = 2 x (1 - x) h, c_q = c_v^2,
 *         x the place in the step from 0 to 1
 *
 * Then the state is corrected as an implicit step would be, with (B2) as its prediction:
 *
 *   (B5)  (B3) at q_I + c_q (a - a_I), v_I + c_v (a - a_I), X_I + c_v (X' - X'_I)
 *
 * which leaves errors e of the interpolation as they are, where (B3) has k e of a stiffness k.
 * docs/decisions/0005-output-rows.md                                                          own
 */
#include "analysis/rows/between.h"

#include "base/fail.h"
#include "system/coordinates/charts.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NU = TML_BODY_MAX_NU };

static const double end_slack = 1e-9; // places in the step this close to an end are the end

/* --- interpolation ------------------------------------------------------------------------- */

/* Evaluates the quintic of Hermite over h at x in [0, 1] through values y, first and second
 * derivatives d, c. */
static double quintic(const double y[2], const double d[2], const double c[2], double h, double x,
                      double *rate)
{
    // y0 + h d0 x + h^2/2 c0 x^2 + x^3 (p + q x + r x^2), three conditions at x = 1
    const double r0 = y[1] - y[0] - h * d[0] - 0.5 * h * h * c[0];
    const double r1 = h * (d[1] - d[0]) - h * h * c[0], r2 = h * h * (c[1] - c[0]);
    const double p = 10.0 * r0 - 4.0 * r1 + 0.5 * r2, q = -15.0 * r0 + 7.0 * r1 - r2,
                 r = 6.0 * r0 - 3.0 * r1 + 0.5 * r2;
    *rate = d[0] + x * (h * c[0] + x * (3.0 * p + x * (4.0 * q + x * 5.0 * r)) / h);
    return y[0] + x * (h * d[0] + x * (0.5 * h * h * c[0] + x * (p + x * (q + x * r))));
}

/* Evaluates Hermite's polynomial of (B2) through values y and rates d at n times, by divided
 * differences. */
static double hermite(int n, const double *t, const double *y, const double *d, double at,
                      double *rate)
{
    double z[2 * TML_BETWEEN_POINTS] = {0}, f[2 * TML_BETWEEN_POINTS] = {0};
    const int m = 2 * n;
    for (int k = 0; k < m; ++k) {
        z[k] = t[k / 2];
        f[k] = y[k / 2];
    }
    for (int order = 1; order < m; ++order) {
        for (int k = m - 1; k >= order; --k) {
            const bool same = order == 1 && k % 2 == 1;
            f[k] = same ? d[k / 2] : (f[k] - f[k - 1]) / (z[k] - z[k - order]);
        }
    }
    double value = f[m - 1];
    *rate = 0.0;
    for (int k = m - 2; k >= 0; --k) {
        *rate = *rate * (at - z[k]) + value;
        value = value * (at - z[k]) + f[k];
    }
    return value;
}

/* Hermite's polynomial as a sum over values and rates: these weights are the same for all coordinates. */
typedef struct Weights {
    double y[TML_BETWEEN_POINTS], d[TML_BETWEEN_POINTS];   /* of its value */
    double y1[TML_BETWEEN_POINTS], d1[TML_BETWEEN_POINTS]; /* of its derivative */
} Weights;

static Weights weights(const TmlBetween *b, double t)
{
    Weights w = {0};
    double time[TML_BETWEEN_POINTS];
    for (int i = 0; i < b->n; ++i) {
        time[i] = b->at[i]->t;
    }
    for (int i = 0; i < b->n; ++i) {
        double one[TML_BETWEEN_POINTS] = {0};
        const double none[TML_BETWEEN_POINTS] = {0};
        one[i] = 1.0;
        w.y[i] = hermite(b->n, time, one, none, t, &w.y1[i]);
        w.d[i] = hermite(b->n, time, none, one, t, &w.d1[i]);
    }
    return w;
}

static void interpolate_body(const TmlSystem *sys, const TmlBetween *b, const Weights *w, int body,
                             double t, TmlState *out)
{
    const double h = b->at[1]->t - b->at[0]->t, place = (t - b->at[0]->t) / h;
    TmlBodyChart m[TML_BETWEEN_POINTS], to;
    for (int i = 0; i < b->n; ++i) {
        tml_body_on_chart(sys, body, b->at[0], b->at[i], &m[i]);
    }
    for (int k = 0; k < tml_dims(sys)->span[body].nu; ++k) {
        const double q[2] = {m[0].x[k], m[1].x[k]}, d[2] = {m[0].x1[k], m[1].x1[k]},
                     c[2] = {m[0].x2[k], m[1].x2[k]};
        double along;
        to.x[k] = quintic(q, d, c, h, place, &along); // (B1)
        to.x1[k] = to.x2[k] = 0.0;
        for (int i = 0; i < b->n; ++i) { // (B2)
            to.x1[k] += w->y[i] * m[i].x1[k] + w->d[i] * m[i].x2[k];
            to.x2[k] += w->y1[i] * m[i].x1[k] + w->d1[i] * m[i].x2[k];
        }
        to.x1[k] = b->path ? along : to.x1[k];
    }
    tml_body_from_chart(sys, body, b->at[0], &to, out);
}

/* Interpolates a state by (B2). Its rates at the ends are those of the method, or those solved
 * for, whichever agree better with how far it has come: the former have the jitter of
 * multipliers of index 3 where the state reads reactions, the latter the error of the state
 * times its stiffness. */
static double interpolate_state(const TmlBetween *b, int k, double t, double *rate)
{
    double time[TML_BETWEEN_POINTS], y[TML_BETWEEN_POINTS], d[TML_BETWEEN_POINTS];
    for (int i = 0; i < b->n; ++i) {
        time[i] = b->at[i]->t;
        y[i] = b->at[i]->X[k];
        d[i] = b->at[i]->Xd[k];
    }
    const double solved[2] = {b->solved[0]->Xd[k], b->solved[1]->Xd[k]};
    const double mean = (y[1] - y[0]) / (time[1] - time[0]);
    const bool better =
        fabs(0.5 * (solved[0] + solved[1]) - mean) < fabs(0.5 * (d[0] + d[1]) - mean);
    return better ? hermite(2, time, y, solved, t, rate) : hermite(b->n, time, y, d, t, rate);
}

void tml_between_interpolate(const TmlSystem *sys, const TmlBetween *b, double t, TmlState *out)
{
    const TmlDims *dim = tml_dims(sys);
    const TmlState *s0 = b->at[0], *s1 = b->at[1];
    const double h = s1->t - s0->t, place = h > 0.0 ? (t - s0->t) / h : 1.0;
    if (place > 1.0 - end_slack || place < end_slack) {
        tml_state_copy(sys, place < 0.5 ? s0 : s1, out);
        return;
    }
    for (int k = 3 * dim->nq; k < dim->size; ++k) {
        out->data[k] = (1.0 - place) * s0->data[k] + place * s1->data[k];
    }
    const Weights w = weights(b, t);
    for (int body = 1; body < dim->nb; ++body) {
        interpolate_body(sys, b, &w, body, t, out);
    }
    for (int k = 0; k < dim->nx; ++k) {
        out->X[k] = interpolate_state(b, k, t, &out->Xd[k]);
    }
    out->t = t;
}

/* --- accelerations and multipliers ----------------------------------------------------------- */

static const double stiff_share = 0.1;   // (B4)
static const double range_factor = 10.0; // how far a solution may lie beyond the range of the ends
static const double surely_tame = 0.1;   // part of it that needs no ends that are solved for

/* Return the largest of n numbers, and of u-coordinates in their units. */
static double largest(int n, const double *x)
{
    double big = 0.0;
    for (int k = 0; k < n; ++k) {
        big = fmax(big, fabs(x[k]));
    }
    return big;
}

static double largest_u(const TmlSystem *sys, const double *du)
{
    const TmlDims *dim = tml_dims(sys);
    double big = 0.0;
    for (int k = 0; k < dim->nu; ++k) {
        big = fmax(big, fabs(du[k]) / dim->unit[k]);
    }
    return big;
}

/* Sets du to the u-components of a - b (b NULL: of a) and returns the largest in its unit. */
static double difference(const TmlSystem *sys, const double *q, const double *a, const double *b,
                         double *dq, double *du)
{
    for (int k = 0; k < tml_dims(sys)->nq; ++k) {
        dq[k] = a[k] - (b != NULL ? b[k] : 0.0);
    }
    tml_system_reduce(sys, q, dq, du);
    return largest_u(sys, du);
}

/* Returns c_v of (B4). */
static double reach(const TmlBetween *b, double t)
{
    const double h = b->at[1]->t - b->at[0]->t, x = (t - b->at[0]->t) / h;
    return 2.0 * x * (1.0 - x) * h;
}

/* Moves q, v and X of s by what changes da[nu] of accelerations and dXd[nx] of rates do to them. */
static void move(const TmlSystem *sys, TmlState *s, double c_v, const double *da, const double *dXd,
                 double *dq)
{
    const TmlDims *dim = tml_dims(sys);
    tml_system_expand(sys, s->q, da, dq);
    for (int k = 0; k < dim->nq; ++k) {
        s->q[k] += c_v * c_v * dq[k];
        s->v[k] += c_v * dq[k];
    }
    for (int k = 0; k < dim->nx; ++k) {
        s->X[k] += c_v * dXd[k];
    }
    tml_system_retract(sys, s->q);
    tml_system_retract_velocity(sys, s->q, s->v);
}

/* Returns what a rate of a state may be off by: its rounding, or what changes the state by no more
 * than the tolerance allows. The rate of a state that rests may be rounding of larger numbers, of
 * which it tells nothing itself. A state that is stiff for the step (rate k, k c_v > 1) with an
 * error e of the size allowed shows a change of (k c_v)^2 e / c_v, which is above that. */
static double rate_slack(const TmlBetweenWork *w, const TmlState *s, double c_v, int k)
{
    static const double rate_rounding = 1e-10;
    return fmax(rate_rounding * fabs(s->Xd[k]), w->allowed[k] / c_v);
}

/* Tells whether the rates solved for differ from the derivative of the interpolation by more than
 * rounding, of themselves or of positions over the step. It leaves the differences in w->du and
 * w->dx. */
static bool differs(const TmlSystem *sys, TmlBetweenWork *w, const TmlState *s, double c_v,
                    double *gap)
{
    static const double rounding = 1e-10; // of what is solved for, as in system/accelerations.c
    const double size = difference(sys, s->q, w->guess.a, NULL, w->dq, w->du);
    *gap = difference(sys, s->q, s->a, w->guess.a, w->dq, w->du);
    bool any = *gap > rounding * size && *gap * c_v * c_v > DBL_EPSILON;
    for (int k = 0; k < tml_dims(sys)->nx; ++k) {
        w->dx[k] = s->Xd[k] - w->guess.Xd[k];
        any = any || fabs(w->dx[k]) > rate_slack(w, s, c_v, k);
    }
    return any;
}

/* (B4) of the changes du of u' and dX of X'. */
static bool much(const TmlSystem *sys, const TmlBetweenWork *w, const TmlState *s, double c_v,
                 double gap, const double *du, const double *dX)
{
    bool stiff = !(largest_u(sys, du) <= stiff_share * gap);
    for (int k = 0; k < tml_dims(sys)->nx; ++k) {
        const double floor = fmax(stiff_share * fabs(w->dx[k]), rate_slack(w, s, c_v, k));
        stiff = stiff || !(fabs(dX[k]) <= floor);
    }
    return stiff;
}

/* Tells whether (B4) holds, after the accelerations of s were solved for. */
static bool is_stiff(TmlSystem *sys, TmlBetweenWork *w, double c_v, const TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    double gap;
    if (!differs(sys, w, s, c_v, &gap)) {
        return false;
    }
    tml_state_copy(sys, s, &w->other);
    move(sys, &w->other, c_v, w->du, w->dx, w->dq);
    tml_system_residual_settled(sys, &w->other, TML_LEVEL_ACCELERATION, w->r);
    tml_system_solve(sys, TML_FACTORS_ACCELERATION, w->r);
    return much(sys, w, s, c_v, gap, w->r, w->r + dim->nu + dim->m);
}

/* Returns the size of a correction r relative to what it corrects, or HUGE_VAL when it is not
 * finite. */
static double relative_size(const TmlSystem *sys, TmlBetweenWork *w, double c_v, const TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    const double *lambda = w->r + dim->nu, *Xd = lambda + dim->m, tiny = 1e-30;
    const double size = difference(sys, s->q, s->a, NULL, w->dq, w->du);
    double off = largest_u(sys, w->r) / fmax(size, tiny);
    off = fmax(off, largest(dim->m, lambda) / fmax(largest(dim->m_all, s->lambda), tiny));
    for (int k = 0; k < dim->nx; ++k) {
        const bool slack = fabs(Xd[k]) <= rate_slack(w, s, c_v, k);
        off = slack ? off : fmax(off, fabs(Xd[k]) / fmax(fabs(s->Xd[k]), tiny));
    }
    return isfinite(off) ? off : HUGE_VAL;
}

/* Makes one iteration of Newton's method on (B5) with the present factors and returns its relative
 * size. */
static double sweep(TmlSystem *sys, TmlBetweenWork *w, double c_v, TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    tml_system_solve(sys, TML_FACTORS_ACCELERATION, w->r);
    const double size = relative_size(sys, w, c_v, s);
    if (size < HUGE_VAL) {
        tml_system_correct(sys, s, w->r, w->dq);
        for (int k = 0; k < dim->n; ++k) {
            w->r[k] = -w->r[k];
        }
        move(sys, s, c_v, w->r, w->r + dim->nu + dim->m, w->dq);
    }
    return size;
}

/* Solves (B5) from the guess, with the matrix there. The constraints hold to first order after the
 * iteration, then to rounding. Stiff forces are differences of positions times the stiffness, so
 * that rounding may be all of a small reaction but its first digits: the iteration may end where it
 * gains no more. */
static bool correct(TmlSystem *sys, TmlBetweenWork *w, double c_v, TmlState *s)
{
    enum { MAX_ITERATIONS = 15 };
    static const double target = 1e-10, rounding = 1e-2, gain = 0.3;
    const TmlCoeffs c = {.a = 1.0, .v = c_v, .q = c_v * c_v};
    double size = HUGE_VAL, last = HUGE_VAL;
    tml_state_copy(sys, &w->guess, s);
    for (int it = 0; it < MAX_ITERATIONS && size > target; ++it) {
        tml_system_residual_settled(sys, s, TML_LEVEL_ACCELERATION, w->r);
        if (it == 0) {
            tml_system_jacobian(sys, s, c, c_v);
            if (tml_system_factor(sys, TML_FACTORS_ACCELERATION) >= 0) {
                return false;
            }
        }
        last = size;
        size = sweep(sys, w, c_v, s);
        if (it > 0 && !(size <= gain * last)) {
            break;
        }
    }
    if (!(size <= target || last <= rounding) || !tml_system_project_kept(sys, s)) {
        return false;
    }
    tml_system_residual_settled(sys, s, TML_LEVEL_ACCELERATION, w->r);
    return sweep(sys, w, c_v, s) <= rounding;
}

/* Tells whether accelerations lie far beyond what the ends of the step and the interpolation say:
 * those are of a matrix that is nearly singular. */
static bool is_beyond(const TmlSystem *sys, const TmlBetweenWork *w, const TmlState *const end[2],
                      const TmlState *s, double share)
{
    const TmlDims *dim = tml_dims(sys);
    const double *a0 = end[0]->a, *a1 = end[1]->a, *a = w->guess.a;
    const double h = end[1]->t - end[0]->t, x = (s->t - end[0]->t) / h;
    double range = 0.0, size = 0.0, off = 0.0;
    for (int k = 0; k < dim->nq; ++k) {
        const double line = (1.0 - x) * a0[k] + x * a1[k], unit = dim->unit_q[k];
        range = fmax(range, (fabs(a1[k] - a0[k]) + fabs(a[k] - line)) / unit);
        size = fmax(size, fmax(fabs(a0[k]), fabs(a1[k])) / unit);
        off = fmax(off, fabs(s->a[k] - line) / unit);
    }
    // what moves nothing by more than a billionth of the model's size within the step is no matter
    return !(off <= share * (range_factor * range + size + 1e-9 / (h * h)));
}

/* The accelerations of the method at the ends settle most cases; a singular position shows in them, too. */
static bool may_be_wild(const TmlSystem *sys, const TmlBetweenWork *w, const TmlBetween *b,
                        const TmlState *s)
{
    return is_beyond(sys, w, b->at, s, surely_tame);
}

static bool is_wild(const TmlSystem *sys, const TmlBetweenWork *w, const TmlBetween *b,
                    const TmlState *s)
{
    return is_beyond(sys, w, b->solved, s, 1.0);
}

/* Interpolates a, lambda, V and F linearly; q, v, X and X' stay those of the guess. */
static void fall_back(TmlSystem *sys, TmlBetweenWork *w, const TmlBetween *b, TmlState *s)
{
    const TmlDims *dim = tml_dims(sys);
    const TmlState *s0 = b->solved[0], *s1 = b->solved[1];
    const double h = s1->t - s0->t, x = (s->t - s0->t) / h;
    tml_state_copy(sys, &w->guess, s);
    for (int k = 0; k < dim->nq; ++k) {
        s->a[k] = (1.0 - x) * s0->a[k] + x * s1->a[k];
    }
    for (int k = 0; k < dim->m_all; ++k) {
        s->lambda[k] = (1.0 - x) * s0->lambda[k] + x * s1->lambda[k];
    }
    tml_system_project(sys, s); // where it cannot, the certificate tells
}

/* Puts s onto the constraints; where these are singular, the guess stays as it is. */
static void put_on_constraints(TmlSystem *sys, TmlBetweenWork *w, TmlState *s)
{
    const bool kept = w->keep && tml_system_is_factored(sys, TML_FACTORS_ACCELERATION);
    if (!kept) {
        tml_system_drop_factors(sys, TML_FACTORS_ACCELERATION);
    }
    if (kept && tml_system_project_kept(sys, s)) {
        return;
    }
    tml_state_copy(sys, &w->guess, s); // s may have been moved away
    if (!tml_system_project(sys, s)) {
        tml_state_copy(sys, &w->guess, s);
    }
}

TmlStatus tml_between_settle(TmlSystem *sys, TmlBetweenWork *w, TmlState *s, TmlError *err)
{
    tml_state_copy(sys, s, &w->guess);
    if (w->joints != NULL && tml_row_joints_solve(w->joints, !w->keep, s)) {
        return TML_OK;
    }
    put_on_constraints(sys, w, s);
    TmlKept kept = {.ready = tml_system_is_factored(sys, TML_FACTORS_ACCELERATION)};
    const TmlStatus status = tml_system_accelerations_kept(sys, s, &kept, err);
    if (status != TML_OK) {
        tml_state_copy(sys, &w->guess, s);
    }
    return status;
}

static bool ends_are_solved(const TmlBetween *b)
{
    return b->solved[0] != NULL && b->solved[1] != NULL;
}

/* There is no solution, or perhaps none: the ends have to be solved for, or are what is left. */
static TmlBetweenWay give_up(TmlSystem *sys, TmlBetweenWork *w, const TmlBetween *b, TmlState *s)
{
    if (!ends_are_solved(b)) {
        return TML_BETWEEN_WANTS_ENDS;
    }
    fall_back(sys, w, b, s);
    return TML_BETWEEN_INTERPOLATED;
}

/* The same in joint coordinates, with the links where the last solution left them. */
static bool is_stiff_for_joints(TmlSystem *sys, TmlBetweenWork *w, double c_v, const TmlState *s)
{
    double gap, *du = w->r, *dX = w->r + tml_dims(sys)->nu;
    if (!differs(sys, w, s, c_v, &gap)) {
        return false;
    }
    memcpy(du, w->du, (size_t)tml_dims(sys)->nu * sizeof *du);
    memcpy(dX, w->dx, (size_t)tml_dims(sys)->nx * sizeof *dX);
    return !tml_row_joints_probe(w->joints, s, c_v, du, dX) || much(sys, w, s, c_v, gap, du, dX);
}

/* Solves for all of s in joint coordinates, where forces are not stiff. False: s is as it was. */
static bool solve_by_joints(TmlSystem *sys, TmlBetweenWork *w, const TmlBetween *b, TmlState *s)
{
    if (w->joints == NULL || !tml_row_joints_solve(w->joints, !w->keep, s)) {
        return false;
    }
    const uint64_t motion = tml_system_motion(sys);
    if (is_stiff_for_joints(sys, w, reach(b, s->t), s) || may_be_wild(sys, w, b, s)) {
        tml_state_copy(sys, &w->guess, s);
        return false;
    }
    w->placed = w->keep ? 0 : motion;
    return true;
}

static TmlBetweenWay solve(TmlSystem *sys, TmlBetweenWork *w, const TmlBetween *b, TmlState *s)
{
    const double c_v = reach(b, s->t);
    if (solve_by_joints(sys, w, b, s)) {
        return TML_BETWEEN_SOLVED;
    }
    put_on_constraints(sys, w, s);
    tml_state_copy(sys, s, &w->guess);
    TmlKept kept = {.ready = tml_system_is_factored(sys, TML_FACTORS_ACCELERATION)};
    const bool solved = tml_system_accelerations_kept(sys, s, &kept, NULL) == TML_OK;
    if (!solved) {
        return give_up(sys, w, b, s);
    }
    TmlBetweenWay way = TML_BETWEEN_SOLVED;
    if (is_stiff(sys, w, c_v, s)) {
        way = correct(sys, w, c_v, s) ? TML_BETWEEN_CORRECTED : TML_BETWEEN_INTERPOLATED;
    }
    if (way == TML_BETWEEN_INTERPOLATED) {
        return give_up(sys, w, b, s);
    }
    if (may_be_wild(sys, w, b, s) && (!ends_are_solved(b) || is_wild(sys, w, b, s))) {
        return give_up(sys, w, b, s);
    }
    return way;
}

TmlBetweenWay tml_between_complete(TmlSystem *sys, TmlBetweenWork *w, const TmlBetween *b,
                                   TmlState *s)
{
    tml_state_copy(sys, s, &w->guess);
    w->placed = 0;
    const TmlBetweenWay way = solve(sys, w, b, s);
    if (way != TML_BETWEEN_SOLVED) {
        tml_system_drop_factors(sys, TML_FACTORS_ACCELERATION); // others expect another matrix
    }
    return way;
}

TmlStatus tml_between_setup(TmlSystem *sys, TmlBetweenWork *w, TmlError *err)
{
    const TmlDims *dim = tml_dims(sys);
    TML_TRY(tml_state_create(sys, &w->guess, err));
    TML_TRY(tml_state_create(sys, &w->other, err));
    TML_NEW(tml_system_arena(sys), w->du, dim->nu);
    TML_NEW(tml_system_arena(sys), w->dq, dim->nq);
    TML_NEW(tml_system_arena(sys), w->dx, dim->nx);
    TML_NEW(tml_system_arena(sys), w->r, dim->n);
    return TML_OK;
}
