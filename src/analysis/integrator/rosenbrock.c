/* analysis/integrator/rosenbrock.c - linearly implicit methods on the accelerations as functions of
 * the state: Rosenbrock-Nystrom of order 4, and a W-method of order 2.
 *
 * Coordinates of a step are translations and rotation vectors x from the position q_n, with rates
 * w; x'' = f(t, x, x', X) and X' = phi(t, x, x', X) come from the augmented equations at
 * acceleration level. With g = h gamma and J1, J2, J3 the derivatives by x, x', X:
 *
 *   (RN1)  x_i = h alpha_i w + h sum_{j<i} theta_ij l_j,  w_i = w + sum_{j<i} a_ij l_j    [001] (2)
 *          X_i = X_n + sum_{j<i} a_ij u_j
 *   (RN2)  (1/g - J2 - g J1) l_i - J3 u_i = r + h J1 z                                    [001] (3)
 *          r = f(t_n + alpha_i h, x_i, w_i, X_i) + (1/h) sum_{j<i} c_ij l_j + h gamma_i f_t
 *          z = gamma_i w + sum_{j<i} delta_ij l_j,  and the same with u, phi in the rows of X
 *   (RN3)  x = h w + h sum mu_i l_i,  w_{n+1} = w + sum m_i l_i,  X_{n+1} = X_n + sum m_i u_i
 *
 * f is not formed: let K(c_a, c_v, c_q, c_x) be the stage matrix (system.h) at t_n. Then (RN2) is
 *
 *   (RN4)  K(1, g, g^2, g) [y; mu] = K(1, 0, 0, 0) [r; 0] - K_q [h z; 0],  (l, u) = g y      own
 *
 * with K_q the part of K that belongs to c_q. The matrix is sparse, K is linear in its
 * coefficients, so three assemblies serve every h. docs/theory/rosenbrock.md
 *
 *   (RN5)  error: e_x = h sum (mu_i - muh_i) l_i,  e_w = sum (m_i - mh_i) l_i               [001]
 *          (4) or (1 - h gamma J)^-1 of it, which is (RN4) with r = e_w / g, h z = e_x
 *   (RN6)  f_t by differences in t of the whole solution at fixed x, w, X; taken forwards, for a
 *          step may begin at a kink: (-3 f(t) + 4 f(t + d) - f(t + 2 d)) / (2 d)              own
 *
 *   (RN7)  at a kink in time f is evaluated beside it, at t 1e-6 h away on the side of the step,
 * and a stage at t_i takes f + (t_i - t) f_t: at the start of a step that begins on a kink, and for
 * a stage beyond the end of one that ends on it                            own
 *
 * After (RN3) the state is put onto the constraints; independent coordinates stay.
 */
#include "analysis/chart.h"
#include "analysis/integrator.h"
#include "analysis/integrator/rosenbrock_coeffs.h"
#include "base/fail.h"
#include "system/partition.h"
#include "system/stages.h"

#include <math.h>
#include <string.h>

typedef struct Options {
    int norm, age;
    bool filter;
} Options;

enum { NORM_BODY, NORM_PAPER };

static const double near_kink = 1e-6; // (RN7)

enum { MAX_BREAKS = 4096 };

typedef struct Work {
    const Method *method;
    TmlPartition *partition;
    bool chosen; /* the partition has been chosen */
    int ny;      /* nu + nx: x and X together, in this order */
    TmlStages matrix;
    double factor_g;               /* h gamma of the factors; 0: none */
    double *r, *vector, *residual; /* n */
    int *diagonal;     /* m: places of the multipliers' diagonal among the values of the matrix */
    double *w;         /* nu: rates at the start */
    double *f1, *ft;   /* ny: right side at the start, its partial derivative by time */
    double *l[STAGES]; /* ny: stages, l and u */
    double *f;         /* ny: right side of the present stage */
    double *x, *x1;    /* ny: coordinates and rates of a stage; of the end of the step */
    double *z;         /* nu */
    double *e_x, *e_w; /* nu, ny: error estimates */
    TmlState stage;    /* where f is evaluated */
    int n_breaks;
    double *breaks; /* kinks in time, ascending */
    bool fresh;     /* the step begins at the start or at a kink */
    bool rheonomic; /* time appears in the equations */
    bool ready;     /* f1, ft and w belong to it->now */
    bool stale;     /* the parts must be renewed before use */
    int age;        /* steps since the parts were renewed */
    double move;    /* how far the last closure has moved the state, in tolerances */
} Work;

/* --- right side ----------------------------------------------------------------------------- */

/* Accelerations at s. A failure is an outcome of the try: false, and out says why. */
static bool solve_at(TmlIntegrator *it, TmlState *s, TmlAttempt *out, TmlStatus *status,
                     TmlError *err)
{
    TmlError own = {0};
    *status = tml_system_accelerations(it->sys, s, &own);
    if (*status == TML_OK) {
        return true;
    }
    out->cause = *status == TML_E_SINGULAR    ? TML_CAUSE_SINGULAR
                 : *status == TML_E_NONFINITE ? TML_CAUSE_NONFINITE
                                              : TML_CAUSE_NEWTON;
    if (*status == TML_E_SINGULAR || *status == TML_E_NONFINITE || *status == TML_E_STEP) {
        *status = TML_OK;
    } else if (err != NULL) {
        *err = own;
    }
    return false;
}

/* f and phi at it->now with the time t, into f. */
static bool evaluate_now(TmlIntegrator *it, double t, double *f, TmlAttempt *out, TmlStatus *status,
                         TmlError *err)
{
    Work *w = it->work;
    tml_state_copy(it->sys, &it->now, &w->stage);
    w->stage.t = t;
    memset(w->x, 0, (size_t)w->ny * sizeof *w->x);
    if (!solve_at(it, &w->stage, out, status, err)) {
        return false;
    }
    tml_chart_second(it->sys, &w->stage, w->x, w->w, f);
    return true;
}

/* (RN6) into w->ft, where w->f1 belongs to the time t. */
static bool time_derivative(TmlIntegrator *it, double t, double h, TmlAttempt *out,
                            TmlStatus *status, TmlError *err)
{
    static const double weight[2] = {4.0, -1.0};
    Work *w = it->work;
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

/* What a kink does to a stage that lies beyond the end of the step, (RN7): the time at which f is
 * evaluated instead, or t itself. */
static double before_kink(const TmlIntegrator *it, double h, double t)
{
    const Work *w = it->work;
    const double end = it->now.t + h;
    for (int k = 0; k < w->n_breaks && w->breaks[k] <= t; ++k) {
        if (w->breaks[k] >= end - near_kink * h) {
            return end - near_kink * h;
        }
    }
    return t;
}

/* --- stage systems --------------------------------------------------------------------------- */

/* x = K^-1 r for the factored matrix without its small diagonal (system/jacobian.c, (J5)), which
 * would be an error of the derivatives and cost the method its order: one refinement. */
static void solve_refined(TmlIntegrator *it, const double *r, double *x, double *residual)
{
    const Work *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlCsc *K = &sys->matrix[TML_MATRIX_STAGE].K;
    const size_t size = (size_t)sys->n * sizeof *x;
    memcpy(x, r, size);
    tml_stages_solve(sys, x);
    memset(residual, 0, size);
    tml_csc_mul(K, x, residual);
    for (int k = 0; k < sys->n; ++k) {
        residual[k] = r[k] - residual[k];
    }
    for (int k = 0; k < sys->m; ++k) {
        residual[sys->nu + k] += K->x[w->diagonal[k]] * x[sys->nu + k];
    }
    tml_stages_solve(sys, residual);
    for (int k = 0; k < sys->n; ++k) {
        x[k] += residual[k];
    }
}

/* (RN4): out[ny] = g y for the right side r[ny] and hz[nu]. Factors kept for another step size are
 * those of J2 and J3 scaled by the ratio, J1 by its square. */
static void stage_solve(TmlIntegrator *it, double g, const double *r, const double *hz, double *out)
{
    const Work *w = it->work;
    const TmlSystem *sys = it->sys;
    const size_t nu = (size_t)sys->nu, nx = (size_t)sys->nx;
    const int x0 = sys->nu + sys->m;
    const double ratio = w->factor_g / g;
    memset(w->vector, 0, (size_t)sys->n * sizeof *w->vector);
    memset(w->r, 0, (size_t)sys->n * sizeof *w->r);
    memcpy(w->vector, hz, nu * sizeof *hz);
    tml_stages_mul(sys, &w->matrix, 2, -ratio * ratio, w->vector, w->r);
    memcpy(w->vector, r, nu * sizeof *r);
    memcpy(w->vector + x0, r + nu, nx * sizeof *r);
    tml_stages_mul(sys, &w->matrix, 0, 1.0, w->vector, w->r);
    solve_refined(it, w->r, w->vector, w->residual);
    for (int k = 0; k < sys->nu; ++k) {
        out[k] = g * w->vector[k];
    }
    for (int k = 0; k < sys->nx; ++k) {
        out[sys->nu + k] = g * w->vector[x0 + k];
    }
}

/* --- one step ------------------------------------------------------------------------------- */

/* sum of coefficient[j] l_j for j < n, added to y. */
static void add_stages(const Work *w, int n, int length, double scale, const double *coefficient,
                       double *y)
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
static void combine(const TmlIntegrator *it, double h, double alpha, const double *theta,
                    const double *a, int n)
{
    Work *w = it->work;
    const int nu = it->sys->nu;
    for (int k = 0; k < nu; ++k) {
        w->x[k] = h * alpha * w->w[k];
        w->x1[k] = w->w[k];
    }
    memcpy(w->x1 + nu, it->now.X, (size_t)it->sys->nx * sizeof *w->x1);
    add_stages(w, n, nu, h, theta, w->x);
    add_stages(w, n, w->ny, 1.0, a, w->x1);
}

/* (RN1): w->f at stage i. */
static bool stage_evaluate(TmlIntegrator *it, double h, int i, TmlAttempt *out, TmlStatus *status,
                           TmlError *err)
{
    Work *w = it->work;
    const Method *me = w->method;
    if (i == 0) {
        memcpy(w->f, w->f1, (size_t)w->ny * sizeof *w->f);
        return true;
    }
    if (me->same_point[i]) {
        return true;
    }
    combine(it, h, me->alpha[i], me->theta[i], me->a[i], i);
    const double t = it->now.t + me->alpha[i] * h;
    w->stage.t = before_kink(it, h, t);
    tml_chart_state(it->sys, it->now.q, w->x, w->x1, &w->stage);
    memcpy(w->stage.X, w->x1 + it->sys->nu, (size_t)it->sys->nx * sizeof *w->x1);
    if (!solve_at(it, &w->stage, out, status, err)) {
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
static void stage_step(TmlIntegrator *it, double h, int i)
{
    Work *w = it->work;
    const Method *me = w->method;
    double *r = w->l[i];
    for (int k = 0; k < w->ny; ++k) {
        r[k] = w->f[k] + h * me->gamma_i[i] * w->ft[k];
    }
    add_stages(w, i, w->ny, 1.0 / h, me->c[i], r);
    for (int k = 0; k < it->sys->nu; ++k) {
        w->z[k] = h * me->gamma_i[i] * w->w[k];
    }
    add_stages(w, i, it->sys->nu, h, me->delta[i], w->z);
    stage_solve(it, h * me->gamma, r, w->z, w->l[i]);
}

/* (RN5) into e_x, e_w. */
static void estimate(TmlIntegrator *it, double h)
{
    Work *w = it->work;
    const Method *me = w->method;
    const Options *o = it->opts;
    const int nu = it->sys->nu;
    double dmu[STAGES], dm[STAGES];
    for (int i = 0; i < me->stages; ++i) {
        dmu[i] = me->mu[i] - me->mu_hat[i];
        dm[i] = me->m[i] - me->m_hat[i];
    }
    memset(w->e_x, 0, (size_t)nu * sizeof *w->e_x);
    memset(w->e_w, 0, (size_t)w->ny * sizeof *w->e_w);
    add_stages(w, me->stages, nu, h, dmu, w->e_x);
    add_stages(w, me->stages, w->ny, 1.0, dm, w->e_w);
    if (o->filter) {
        const double g = h * me->gamma;
        for (int k = 0; k < w->ny; ++k) {
            w->f[k] = w->e_w[k] / g;
        }
        stage_solve(it, g, w->f, w->e_x, w->e_w);
        for (int k = 0; k < nu; ++k) {
            w->e_x[k] += g * w->e_w[k];
        }
    }
}

/* Position along component k of the unknowns of body b, for scaling. */
static double coordinate(const TmlSystem *sys, const TmlState *s, int b, int k)
{
    double origin[TML_BODY_MAX_NQ] = {0, 0, 0, 1}, x[TML_BODY_MAX_NU], x1[TML_BODY_MAX_NU];
    const int q0 = sys->q0[b];
    sys->model->bodies.at[b].type->chart_coordinates(origin, s->q + q0, s->v + q0, x, x1);
    return x[k];
}

/* [001] (5): root mean square over independent coordinates and rates, each over
 * tolerance (1 + largest magnitude at the ends of the step). */
static double paper_norm(const TmlIntegrator *it)
{
    const Work *w = it->work;
    const TmlSystem *sys = it->sys;
    const int n = tml_partition_count(w->partition), *index = tml_partition_index(w->partition);
    double sum = 0.0;
    int b = 1;
    for (int k = 0; k < n; ++k) {
        while (index[k] >= sys->u0[b + 1]) {
            ++b;
        }
        const int c = index[k] - sys->u0[b];
        const double x =
            fmax(fabs(coordinate(sys, &it->now, b, c)), fabs(coordinate(sys, &it->next, b, c)));
        const double v = fmax(fabs(w->w[index[k]]), fabs(w->x1[index[k]]));
        const double ex = w->e_x[index[k]] / (1.0 + x), ew = w->e_w[index[k]] / (1.0 + v);
        sum += ex * ex + ew * ew;
    }
    for (int k = 0; k < sys->nx; ++k) {
        const double x = fmax(fabs(it->now.X[k]), fabs(it->next.X[k]));
        const double e = w->e_w[sys->nu + k] / (1.0 + x);
        sum += e * e;
    }
    return sqrt(sum / fmax(2 * n + sys->nx, 1)) / it->norm.rotation;
}

/* The largest of the errors of positions, rates and states, by the driver's norm. */
static double body_norm(const TmlIntegrator *it, int *at)
{
    const Work *w = it->work;
    const TmlSystem *sys = it->sys;
    int at_w = -1, at_x = -1;
    double e = tml_norm_u(sys, &it->norm, w->e_x, at);
    const double e_w = tml_norm_w(sys, &it->norm, w->e_w, &at_w);
    const double e_x = tml_norm_x(sys, &it->norm, w->e_w + sys->nu, &at_x);
    if (e_w > e) {
        e = e_w;
        *at = at_w;
    }
    if (e_x > e) {
        e = e_x;
        *at = at_x;
    }
    return e;
}

/* How far the closure has moved the end of the step and its rates, in units of the tolerance. */
static double closure_move(const TmlIntegrator *it)
{
    const Work *w = it->work;
    const TmlSystem *sys = it->sys;
    double *dx = w->z, *dw = w->f;
    for (int b = 1; b < sys->nb; ++b) {
        const int q0 = sys->q0[b], u0 = sys->u0[b];
        sys->model->bodies.at[b].type->chart_coordinates(it->now.q + q0, it->next.q + q0,
                                                         it->next.v + q0, dx + u0, dw + u0);
    }
    for (int k = 0; k < sys->nu; ++k) {
        dx[k] -= w->x[k];
        dw[k] -= w->x1[k];
    }
    return fmax(tml_norm_u(sys, &it->norm, dx, NULL), tml_norm_w(sys, &it->norm, dw, NULL));
}

/* Errors of dependent coordinates are those that the closure makes of the others. A mechanism that
 * is driven altogether has none then, yet its motion must be resolved: the errors before the
 * closure count with a share. */
static double error_norm(const TmlIntegrator *it, int *at)
{
    static const double raw_share = 0.1;
    const Work *w = it->work;
    const Options *o = it->opts;
    if (o->norm == NORM_PAPER) {
        return paper_norm(it);
    }
    int at_raw = -1;
    const double raw = raw_share * fmax(body_norm(it, &at_raw), w->move);
    tml_partition_tangent(w->partition, w->e_x);
    tml_partition_tangent(w->partition, w->e_w);
    const double e = body_norm(it, at);
    *at = raw > e ? at_raw : *at;
    return raw > e ? raw : e;
}

/* Largest rotation of a body over the step, rad. */
static double largest_turn(const TmlIntegrator *it)
{
    const Work *w = it->work;
    const TmlSystem *sys = it->sys;
    double big = 0.0;
    for (int b = 1; b < sys->nb; ++b) {
        if (sys->u0[b + 1] - sys->u0[b] == 6) {
            const double *x = w->x + sys->u0[b] + 3;
            big = fmax(big, sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
        }
    }
    return big;
}

/* w->f1 and w->ft at the start of a step, where time appears in the equations. At a kink they are
 * those of the branch that follows: (RN7). */
static bool time_terms(TmlIntegrator *it, double h, TmlAttempt *out, TmlStatus *status,
                       TmlError *err)
{
    Work *w = it->work;
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

/* What is needed at the start of a step, once for all tries. */
static bool prepare(TmlIntegrator *it, double h, TmlAttempt *out, TmlStatus *status, TmlError *err)
{
    Work *w = it->work;
    TmlSystem *sys = it->sys;
    const Options *o = it->opts;
    if (!w->ready) {
        tml_system_reduce(sys, it->now.q, it->now.v, w->w);
        memset(w->x, 0, (size_t)w->ny * sizeof *w->x);
        tml_chart_second(sys, &it->now, w->x, w->w, w->f1);
        if (w->rheonomic && !time_terms(it, h, out, status, err)) {
            return false;
        }
        w->stale = w->stale || !w->method->any_jacobian || w->age >= o->age;
        w->ready = true;
    }
    if (w->stale) {
        tml_system_residual(sys, &it->now, TML_LEVEL_ACCELERATION, w->r);
        tml_stages_assemble(sys, &w->matrix, &it->now);
        w->stale = false;
        w->age = 0;
        w->factor_g = 0.0;
    }
    const double g = h * w->method->gamma, ratio = w->factor_g / g;
    const bool keep = w->method->any_jacobian ? ratio > 0.8 && ratio < 1.25 : w->factor_g == g;
    const int column = keep ? -1 : tml_stages_factor(sys, &w->matrix, g);
    w->factor_g = keep ? w->factor_g : g;
    if (column >= 0) {
        out->cause = TML_CAUSE_SINGULAR;
        out->worst = column;
        w->factor_g = 0.0;
    }
    return column < 0;
}

/* Put s onto the constraints; independent coordinates stay. */
static bool close_state(TmlIntegrator *it, TmlState *s, TmlStatus *status, TmlError *err)
{
    Work *w = it->work;
    if (!w->chosen || tml_partition_worn(w->partition)) {
        *status = tml_partition_choose(w->partition, &it->now, err);
        w->chosen = *status == TML_OK;
    }
    return w->chosen && tml_partition_close_positions(w->partition, s) &&
           tml_partition_close_velocities(w->partition, s);
}

/* (RN3) into it->next. */
static void put_end(TmlIntegrator *it, double h)
{
    const Work *w = it->work;
    TmlState *s = &it->next;
    tml_state_copy(it->sys, &w->stage, s);
    s->t = it->now.t + h;
    tml_chart_state(it->sys, it->now.q, w->x, w->x1, s);
    memcpy(s->X, w->x1 + it->sys->nu, (size_t)it->sys->nx * sizeof *s->X);
}

/* (RN3), then onto the constraints. Near a singular position the closure would move dependent
 * coordinates far: there the least move is taken. */
static bool finish(TmlIntegrator *it, double h, TmlAttempt *out, TmlStatus *status, TmlError *err)
{
    static const double far = 10.0;
    Work *w = it->work;
    const Method *me = w->method;
    combine(it, h, 1.0, me->mu, me->m, me->stages);
    put_end(it, h);
    bool closed = close_state(it, &it->next, status, err);
    w->move = closed ? closure_move(it) : HUGE_VAL;
    if (*status == TML_OK && !(w->move <= far)) {
        put_end(it, h);
        closed = tml_system_project(it->sys, &it->next);
        w->move = closure_move(it);
    }
    if (!closed) {
        out->cause = TML_CAUSE_NEWTON;
        return false;
    }
    return solve_at(it, &it->next, out, status, err);
}

/* [001] (7) */
static const double safety = 0.85, largest_growth = 10.0, smallest_cut = 0.2;

static TmlStatus rosenbrock_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    Work *w = it->work;
    TmlStatus status = TML_OK;
    *out = (TmlAttempt){.order = w->method->embedded_order, .worst = -1};
    if (!prepare(it, h, out, &status, err)) {
        return status;
    }
    tml_state_copy(it->sys, &it->now, &w->stage);
    for (int i = 0; i < w->method->stages; ++i) {
        if (!stage_evaluate(it, h, i, out, &status, err)) {
            return status;
        }
        stage_step(it, h, i);
        out->iterations++;
        it->iterations++;
    }
    estimate(it, h);
    if (!finish(it, h, out, &status, err)) {
        return status;
    }
    // no body turns by more than a radian: turns are counted from step to step
    out->error = fmax(error_norm(it, &out->worst), pow(largest_turn(it), w->method->order));
    out->converged = isfinite(out->error);
    out->cause = out->converged ? TML_CAUSE_NONE : TML_CAUSE_NONFINITE;
    const double wanted = safety * pow(fmax(out->error, 1e-10), -1.0 / w->method->order);
    out->proposal = h * fmin(largest_growth, fmax(smallest_cut, wanted));
    return status;
}

/* --- entries ---------------------------------------------------------------------------------- */

static void rosenbrock_teardown(TmlIntegrator *it)
{
    Work *w = it->work;
    if (w != NULL) {
        tml_partition_free(w->partition);
        tml_stages_free(&w->matrix);
    }
}

static void rosenbrock_restart(TmlIntegrator *it)
{
    Work *w = it->work;
    w->fresh = true;
    w->ready = false;
    w->stale = true;
}

static TmlStatus rosenbrock_accept(TmlIntegrator *it, double h, TmlError *err)
{
    Work *w = it->work;
    (void)h;
    (void)err;
    w->ready = false;
    w->age++;
    return TML_OK;
}

static void rosenbrock_reject(TmlIntegrator *it)
{
    Work *w = it->work;
    w->stale = w->stale || w->age > 0; // the matrices may be to blame
}

/* --- setup ---------------------------------------------------------------------------------- */

/* The stage matrix needs the derivative of every gamma. */
static TmlStatus check_model(const TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    for (int c = 0; c < m->constraints.n; ++c) {
        if (m->constraints.at[c].type->gamma_tangent == NULL) {
            return tml_fail(err, TML_E_MODEL,
                            "joint '%s': type '%s' has no gamma_tangent, which rosenbrock and "
                            "rosenbrock-w need; choose another integrator",
                            m->constraints.at[c].name, m->constraints.at[c].type->info.name);
        }
    }
    return TML_OK;
}

static TmlStatus setup(TmlIntegrator *it, const Method *method, TmlError *err)
{
    TmlSystem *sys = it->sys;
    Work *w;
    TML_TRY(check_model(sys, err));
    TML_NEW(it->arena, w, 1);
    it->work = w;
    w->method = method;
    w->ny = sys->nu + sys->nx;
    w->rheonomic = tml_system_is_rheonomic(sys);
    TML_NEW(it->arena, w->breaks, MAX_BREAKS);
    w->n_breaks = tml_system_breakpoints(sys, w->breaks, MAX_BREAKS);
    TML_TRY(tml_partition_create(sys, &w->partition, err));
    TML_TRY(tml_stages_create(sys, it->arena, &w->matrix, err));
    for (int k = 0; k < method->stages; ++k) {
        TML_NEW(it->arena, w->l[k], w->ny);
    }
    double **own[] = {&w->w, &w->f1, &w->ft, &w->f, &w->x, &w->x1, &w->z, &w->e_x, &w->e_w};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; ++k) {
        TML_NEW(it->arena, *own[k], w->ny);
    }
    TML_NEW(it->arena, w->r, sys->n);
    TML_NEW(it->arena, w->vector, sys->n);
    TML_NEW(it->arena, w->residual, sys->n);
    TML_NEW(it->arena, w->diagonal, sys->m);
    for (int k = 0; k < sys->m; ++k) {
        w->diagonal[k] = tml_csc_find(&sys->matrix[TML_MATRIX_STAGE].K, sys->nu + k, sys->nu + k);
    }
    return tml_state_create_in(sys, it->arena, &w->stage, err);
}

static TmlStatus nystrom_setup(TmlIntegrator *it, TmlError *err)
{
    return setup(it, &nystrom4, err);
}

static TmlStatus wmethod_setup(TmlIntegrator *it, TmlError *err)
{
    return setup(it, &wmethod2, err);
}

static const TmlParam nystrom_params[] = {
    {"norm", TML_PARAM_CHOICE, TML_ANY, "", offsetof(Options, norm), "body",
     "error norm: largest over the bodies, or that of Negrut et al. [001]", "body|paper"},
    {"filter", TML_PARAM_BOOL, TML_ANY, "", offsetof(Options, filter), "false",
     "multiply the error estimate by (1 - h gamma J)^-1", NULL},
    {0},
};

static const TmlParam wmethod_params[] = {
    {"norm", TML_PARAM_CHOICE, TML_ANY, "", offsetof(Options, norm), "body",
     "error norm: largest over the bodies, or that of Negrut et al. [001]", "body|paper"},
    {"filter", TML_PARAM_BOOL, TML_ANY, "", offsetof(Options, filter), "false",
     "multiply the error estimate by (1 - h gamma J)^-1", NULL},
    {"age", TML_PARAM_INT, TML_POSITIVE, "", offsetof(Options, age), "10",
     "steps for which a Jacobian is kept", NULL},
    {0},
};

const TmlIntegratorType tml_integrator_rosenbrock = {
    .info = {.name = "rosenbrock",
             .text = "Rosenbrock-Nystrom: linearly implicit, order 4, L-stable, for stiff systems.",
             .data_size = sizeof(Options),
             .params = nystrom_params},
    .tolerance = 3e-7,
    .order = 4,
    .setup = nystrom_setup,
    .restart = rosenbrock_restart,
    .attempt = rosenbrock_attempt,
    .accept = rosenbrock_accept,
    .reject = rosenbrock_reject,
    .teardown = rosenbrock_teardown,
};

const TmlIntegratorType tml_integrator_rosenbrock_w = {
    .info = {.name = "rosenbrock-w",
             .text = "W-method: linearly implicit, order 2, keeps its matrices over several steps.",
             .data_size = sizeof(Options),
             .params = wmethod_params},
    .tolerance = 2e-7,
    .order = 2,
    .setup = wmethod_setup,
    .restart = rosenbrock_restart,
    .attempt = rosenbrock_attempt,
    .accept = rosenbrock_accept,
    .reject = rosenbrock_reject,
    .teardown = rosenbrock_teardown,
};
