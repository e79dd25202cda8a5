/* analysis/integrator/rosenbrock/rosenbrock_joints.c - the linearly implicit methods in joint coordinates: (RN1) to (RN9) of rosenbrock.c with
 *
 *   (RN10) x the coordinates of a chart from the start of the step, f their second rates, which the recursion over the tree gives, and K of (RN4)
 *          the derivatives (N10) to (N16) of what is left of the equations; the multipliers of loops are unknowns of (RN4) alone
 *   (RN11) the end is moved onto the loops by (N8). Errors count by what that leaves of them, and by a tenth of the whole with the move
 *          itself
 *
 * Matrices are dense: see joint_steps.h.
 */
#include "analysis/integrator/rosenbrock/rosenbrock.h"

#include "analysis/integrator/joint_steps.h"
#include "base/fail.h"
#include "math/small_lu.h"

#include <math.h>
#include <string.h>

enum { STAGES = TML_ROSENBROCK_STAGES };

static const double near_kink = 1e-6; // (RN7)
static const double widest_gap = 0.1; // of loops in a stage, as (X5) has it
static const double raw_share = 0.1;  // (RN11)

struct TmlRosenbrockJoints {
    TmlJointSteps j;
    const TmlRosenbrockMethod *method;
    double *f1, *ft, *f, *l[STAGES]; /* as in TmlRosenbrock; all */
    double *x, *c, *x1;              /* way of a stage, its coordinates and rates */
    double *r, *z;                   /* size, n */
    double *e_x, *e_w, *move;        /* errors; (RN11) */
    double *before;                  /* y' and X' at the start of the last accepted step */
    double *real;                    /* factors */
    int *pivot;
    double factor_g, h_before;
    bool fresh, rheonomic, ready, stale, taken;
    int age;
};

/* --- (RN6), (RN7) ----------------------------------------------------------------------------- */

/* Puts c'' and X' at c, c' and t into f. */
static bool evaluate(TmlRosenbrockJoints *w, double t, const double *c, const double *c1, double *f)
{
    TmlJointSteps *j = &w->j;
    if (!tml_charts_hold(j->recursion, c)) {
        return false;
    }
    tml_joint_steps_move(j, c, c1, j->start);
    if (!tml_joint_steps_solve(j, t, widest_gap, j->X, j->Y, j->Y1)) {
        return false;
    }
    tml_charts_second(j->recursion, c, c1, j->Y1, f);
    memcpy(f + j->n, j->Y1 + j->n, (size_t)(j->all - j->n) * sizeof *f);
    return true;
}

/* Sets f1 and ft where time appears in the equations. */
static bool begin_time(TmlIntegrator *it, TmlRosenbrockJoints *w, double h)
{
    static const double weight[2] = {4.0, -1.0};
    const double beside = w->fresh ? near_kink * h : 0.0, t = it->now.t + beside, d = 1e-3 * h;
    const TmlJointSteps *j = &w->j;
    if (w->fresh && !evaluate(w, t, j->x_n, j->w_n, w->f1)) {
        return false;
    }
    w->fresh = false;
    for (int k = 0; k < j->all; ++k) {
        w->ft[k] = -1.5 * w->f1[k] / d;
    }
    for (int i = 0; i < 2; ++i) {
        if (!evaluate(w, t + (i + 1) * d, j->x_n, j->w_n, w->f)) {
            return false;
        }
        for (int k = 0; k < j->all; ++k) {
            w->ft[k] += weight[i] * w->f[k] / (2.0 * d);
        }
    }
    for (int k = 0; k < j->all; ++k) {
        w->f1[k] -= beside * w->ft[k];
    }
    return true;
}

/* --- (RN4) ------------------------------------------------------------------------------------ */

static bool factor(TmlRosenbrockJoints *w, double g)
{
    double *const *K = w->j.K;
    for (int k = 0; k < w->j.size * w->j.size; ++k) {
        w->real[k] = K[0][k] + g * (K[1][k] + g * K[2][k]);
    }
    const bool good = tml_small_factor(w->j.size, w->real, w->pivot);
    w->factor_g = good ? g : 0.0;
    return good;
}

/* out[all] = g y for r[all] and hz[n]; kept factors of another step size are those of scaled derivatives. */
static void linear(TmlRosenbrockJoints *w, double g, const double *r, const double *hz, double *out)
{
    const int size = w->j.size;
    const double ratio = w->factor_g / g;
    for (int i = 0; i < size; ++i) {
        const double *K0 = w->j.K[0] + (ptrdiff_t)i * size, *K2 = w->j.K[2] + (ptrdiff_t)i * size;
        double sum = 0.0;
        for (int k = 0; k < w->j.all; ++k) {
            sum += K0[k] * r[k];
        }
        for (int k = 0; k < w->j.n; ++k) {
            sum -= ratio * ratio * K2[k] * hz[k];
        }
        w->r[i] = sum;
    }
    tml_small_solve(size, w->real, w->pivot, w->r);
    for (int k = 0; k < w->j.all; ++k) {
        out[k] = g * w->r[k];
    }
}

/* Prepares what is needed at the start of a step, once for all tries, and factors for h. */
static bool prepare(TmlIntegrator *it, TmlRosenbrockJoints *w, double h, TmlAttempt *out)
{
    const TmlRosenbrockOptions *o = it->opts;
    TmlJointSteps *j = &w->j;
    out->cause = TML_CAUSE_NONFINITE;
    if (!w->ready) {
        w->stale |= tml_joint_steps_choose(it, j);
        memcpy(w->f1, j->start, (size_t)j->all * sizeof(double)); // charts begin with c'' = y'
        if (w->rheonomic && !begin_time(it, w, h)) {
            return false;
        }
        w->stale = w->stale || !w->method->any_jacobian || w->age >= o->age;
        w->ready = true;
    }
    if (w->stale) {
        if (!tml_joint_steps_residual(j, it->now.t, j->x_n, j->w_n, j->start, w->r)) {
            return false;
        }
        tml_joint_steps_matrices(j, j->x_n, j->w_n, j->start);
        w->stale = false;
        w->age = 0;
        w->factor_g = 0.0;
    }
    const double g = h * w->method->gamma, ratio = w->factor_g / g;
    const bool keep = w->method->any_jacobian ? ratio > 0.8 && ratio < 1.25 : w->factor_g == g;
    out->cause = TML_CAUSE_SINGULAR;
    return keep || factor(w, g);
}

/* --- stages ----------------------------------------------------------------------------------- */

/* y[length] += scale sum_{i<n} coefficient[i] l_i */
static void add(const TmlRosenbrockJoints *w, int n, int length, double scale,
                const double *coefficient, double *y)
{
    for (int i = 0; i < n; ++i) {
        const double c = scale * coefficient[i];
        for (int k = 0; k < length && c != 0.0; ++k) {
            y[k] += c * w->l[i][k];
        }
    }
}

/* x = h alpha w + h sum theta l,  c = c_n + x,  x1 = (w, X_n) + sum a l over n stages. */
static void combine(TmlRosenbrockJoints *w, double h, double alpha, const double *theta,
                    const double *a, int n)
{
    const TmlJointSteps *j = &w->j;
    for (int k = 0; k < j->n; ++k) {
        w->x[k] = h * alpha * j->w_n[k];
    }
    memcpy(w->x1, j->w_n, (size_t)j->all * sizeof(double));
    add(w, n, j->n, h, theta, w->x);
    add(w, n, j->all, 1.0, a, w->x1);
    for (int k = 0; k < j->n; ++k) {
        w->c[k] = j->x_n[k] + w->x[k];
    }
}

/* (RN1), with (RN7) */
static bool evaluate_stage(TmlIntegrator *it, TmlRosenbrockJoints *w, double h, int i)
{
    const TmlRosenbrockMethod *me = w->method;
    if (i == 0) {
        memcpy(w->f, w->f1, (size_t)w->j.all * sizeof(double));
        return true;
    }
    if (me->same_point[i]) {
        return true;
    }
    combine(w, h, me->alpha[i], me->theta[i], me->a[i], i);
    const double t = it->now.t + me->alpha[i] * h;
    const double at = tml_rosenbrock_before_kink(it, h, t);
    if (!evaluate(w, at, w->c, w->x1, w->f)) {
        return false;
    }
    for (int k = 0; k < w->j.all && at < t; ++k) {
        w->f[k] += (t - at) * w->ft[k];
    }
    return true;
}

/* (RN2) */
static void solve_stage(TmlRosenbrockJoints *w, double h, int i)
{
    const TmlRosenbrockMethod *me = w->method;
    double *r = w->l[i];
    for (int k = 0; k < w->j.all; ++k) {
        r[k] = w->f[k] + h * me->gamma_i[i] * w->ft[k];
    }
    add(w, i, w->j.all, 1.0 / h, me->c[i], r);
    for (int k = 0; k < w->j.n; ++k) {
        w->z[k] = h * me->gamma_i[i] * w->j.w_n[k];
    }
    add(w, i, w->j.n, h, me->delta[i], w->z);
    linear(w, h * me->gamma, r, w->z, r);
}

/* --- errors ----------------------------------------------------------------------------------- */

/* Multiplies the errors by (1 - h gamma J)^-1. */
static void filter(TmlRosenbrockJoints *w, double h)
{
    const double g = h * w->method->gamma;
    for (int k = 0; k < w->j.all; ++k) {
        w->f[k] = w->e_w[k] / g;
    }
    linear(w, g, w->f, w->e_x, w->e_w);
    for (int k = 0; k < w->j.n; ++k) {
        w->e_x[k] += g * w->e_w[k];
    }
}

/* (RN5) */
static void estimate(const TmlIntegrator *it, TmlRosenbrockJoints *w, double h)
{
    const TmlRosenbrockMethod *me = w->method;
    const TmlRosenbrockOptions *o = it->opts;
    double dmu[STAGES], dm[STAGES];
    for (int i = 0; i < me->stages; ++i) {
        dmu[i] = me->mu[i] - me->mu_hat[i];
        dm[i] = me->m[i] - me->m_hat[i];
    }
    memset(w->e_x, 0, (size_t)w->j.n * sizeof(double));
    memset(w->e_w, 0, (size_t)w->j.all * sizeof(double));
    add(w, me->stages, w->j.n, h, dmu, w->e_x);
    add(w, me->stages, w->j.all, 1.0, dm, w->e_w);
    if (o->filter) {
        filter(w, h);
    }
}

/* (RN9) in place of (RN5); false: there is no step before to compare with, or the step ends on a kink. */
static bool compare(TmlIntegrator *it, TmlRosenbrockJoints *w, double h)
{
    TmlJointSteps *j = &w->j;
    double *c = w->c, *c1 = w->x1, *end = w->f;
    if (!(w->h_before > 0.0) || tml_rosenbrock_before_kink(it, h, it->now.t + h) < it->now.t + h) {
        return false;
    }
    tml_charts_coordinates(j->recursion, j->base, j->end_x, j->end_w, c, c1);
    tml_charts_second(j->recursion, c, c1, j->end_a, end);
    for (int k = 0; k < j->n; ++k) {
        w->e_x[k] =
            c[k] - j->x_n[k] - 0.5 * h * (j->w_n[k] + c1[k]) - h * h / 12.0 * (w->f1[k] - end[k]);
    }
    const double *slope[3] = {w->before, j->start, j->end_a};
    memcpy(w->e_w, j->end_w, (size_t)j->all * sizeof(double));
    tml_rosenbrock_compare_rates(j->all, h, w->h_before, j->w_n, slope, w->e_w);
    filter(w, h);
    return true;
}

/* (RN11); the coordinates of the end are w->c as the method has them. */
static double local_error(const TmlIntegrator *it, TmlRosenbrockJoints *w, int *at)
{
    TmlJointSteps *j = &w->j;
    double raw = 0.0;
    int where = -1;
    if (j->size > j->all) {
        raw = raw_share * fmax(tml_joint_steps_norm(it, j, w->c, w->e_x, w->e_w, &where),
                               tml_joint_steps_norm(it, j, w->c, w->move, w->move + j->n, at));
        if (!tml_joint_steps_along(j, w->e_x) || !tml_joint_steps_along(j, w->e_w)) {
            return (double)NAN;
        }
    }
    const double e = tml_joint_steps_norm(it, j, w->c, w->e_x, w->e_w, at);
    *at = raw > e ? where : *at;
    return raw > e ? raw : e;
}

/* How far the loops have moved the end: coordinates, then rates, with nothing of states. */
static void note_move(TmlRosenbrockJoints *w)
{
    TmlJointSteps *j = &w->j;
    if (j->size > j->all) {
        tml_charts_coordinates(j->recursion, j->base, j->end_x, j->end_w, w->z, w->r);
        memset(w->move, 0, (size_t)(j->n + j->all) * sizeof(double));
        for (int k = 0; k < j->n; ++k) {
            w->move[k] = w->z[k] - w->c[k];
            w->move[j->n + k] = w->r[k] - w->x1[k];
        }
    }
}

/* --- entries ---------------------------------------------------------------------------------- */

static bool make_step(TmlIntegrator *it, TmlRosenbrockJoints *w, double h, TmlAttempt *out)
{
    const TmlRosenbrockMethod *me = w->method;
    TmlJointSteps *j = &w->j;
    if (!prepare(it, w, h, out)) {
        return false;
    }
    out->cause = TML_CAUSE_NONFINITE;
    for (int i = 0; i < me->stages; ++i) {
        if (!evaluate_stage(it, w, h, i)) {
            return false;
        }
        solve_stage(w, h, i);
        out->iterations++;
        it->iterations++;
    }
    estimate(it, w, h);
    combine(w, h, 1.0, me->mu, me->m, me->stages);
    if (!tml_charts_hold(j->recursion, w->c)) {
        return false;
    }
    tml_joint_steps_move(j, w->c, w->x1, j->start);
    out->cause = TML_CAUSE_NEWTON;
    // a tree has accelerations to solve for as well
    return tml_joint_steps_end(j, it->now.t + h) &&
           (j->size > j->all ||
            tml_joint_steps_solve(j, it->now.t + h, widest_gap, j->end_x, j->end_w, j->end_a));
}

bool tml_rosenbrock_joints_attempt(TmlIntegrator *it, double h, TmlAttempt *out)
{
    const TmlRosenbrock *all = it->work;
    TmlRosenbrockJoints *w = all->joints;
    TmlJointSteps *j = &w->j;
    if (w->taken) {
        memcpy(j->start, j->end_a, (size_t)j->size * sizeof(double));
        tml_joint_steps_advance(j);
        w->taken = false;
    }
    if (!make_step(it, w, h, out)) {
        return false;
    }
    out->cause = TML_CAUSE_NONE;
    tml_joint_steps_put(j, it->now.t + h, j->end_x, j->end_w, j->end_a, true, &it->next);
    tml_joint_steps_put_values(it, j, &it->next);
    note_move(w);
    const double spin = tml_tangent_spin(j->tangent);
    const bool compared = w->method->any_jacobian && compare(it, w, h);
    out->order = compared ? w->method->order : w->method->order - 1;
    out->error = fmax(local_error(it, w, &out->worst), pow(spin * h, w->method->order));
    return true;
}

void tml_rosenbrock_joints_restart(TmlIntegrator *it)
{
    const TmlRosenbrock *all = it->work;
    TmlRosenbrockJoints *w = all->joints;
    tml_joint_steps_restart(it, &w->j);
    memset(w->ft, 0, (size_t)w->j.all * sizeof(double));
    w->fresh = w->stale = true;
    w->ready = w->taken = false;
    w->h_before = 0.0;
}

void tml_rosenbrock_joints_accept(TmlIntegrator *it, double h)
{
    const TmlRosenbrock *all = it->work;
    TmlRosenbrockJoints *w = all->joints;
    memcpy(w->before, w->j.start, (size_t)w->j.all * sizeof(double));
    w->h_before = h;
    w->taken = true;
    w->ready = false;
    w->age++;
}

void tml_rosenbrock_joints_reject(TmlIntegrator *it)
{
    const TmlRosenbrock *all = it->work;
    TmlRosenbrockJoints *w = all->joints;
    w->stale = w->stale || w->age > 0; // the matrices may be to blame
}

/* --- set-up ----------------------------------------------------------------------------------- */

static TmlStatus take_room(TmlIntegrator *it, TmlRosenbrockJoints *w, TmlError *err)
{
    const int n = w->j.size;
    double **own[] = {&w->f1, &w->ft, &w->f,   &w->x,   &w->c,     &w->x1,
                      &w->r,  &w->z,  &w->e_x, &w->e_w, &w->before};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; ++k) {
        TML_NEW(it->arena, *own[k], n);
    }
    for (int i = 0; i < w->method->stages; ++i) {
        TML_NEW(it->arena, w->l[i], n);
    }
    TML_NEW(it->arena, w->move, 2 * (size_t)n);
    TML_NEW(it->arena, w->real, (size_t)n * (size_t)n);
    TML_NEW(it->arena, w->pivot, n);
    return TML_OK;
}

TmlStatus tml_rosenbrock_joints_setup(TmlIntegrator *it, const TmlRosenbrockMethod *method,
                                      TmlError *err)
{
    TmlRosenbrock *all = it->work;
    const TmlRosenbrockOptions *o = it->opts;
    const char *paper =
        o->norm == TML_ROSENBROCK_PAPER ? "norm=paper is one of coordinates of bodies" : NULL;
    TmlRosenbrockJoints *w;
    TML_NEW(it->arena, w, 1);
    all->joints = w; // which frees what it has
    TML_TRY(tml_joint_steps_setup(it, o->coordinates, paper, &w->j, err));
    if (w->j.recursion == NULL) {
        all->joints = NULL;
        return TML_OK;
    }
    w->method = method;
    w->rheonomic = tml_system_is_rheonomic(it->sys);
    return take_room(it, w, err);
}

void tml_rosenbrock_joints_free(TmlRosenbrockJoints *w)
{
    if (w != NULL) {
        tml_joint_steps_free(&w->j);
    }
}
