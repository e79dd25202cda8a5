/* analysis/integrator/rosenbrock/rosenbrock.c - linearly implicit methods on the accelerations as functions of
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
 *          and a stage at t_i takes f + (t_i - t) f_t: at the start of a step that begins on a
 *          kink, and for a stage beyond the end of one that ends on it                        own
 *   (RN8)  after (RN3) the state is put onto the constraints: by the least move in the sense of M;
 *          where it is off them by more than the tolerance, independent coordinates stay, unless
 *          that moves it by more than 20 times what it is off (a singular position is near), or
 *          leaves three times as much of the error of the W-method                            own
 *   (RN9)  error of the W-method, after the accelerations at the end:                          own
 *          e_w = (u'_{n+1}) - u'_n - h (b_0 u''_{n-1} + b_1 u''_n + b_2 u''_{n+1}), of order 3,
 *          e_x = x - h/2 (w + w_{n+1}) - h^2/12 (x''_n - x''_{n+1}), then (1 - h gamma J)^-1
 *
 * Stages and errors: analysis/rosenbrock_*.c.
 */
#include "analysis/integrator/rosenbrock/rosenbrock.h"

#include "analysis/integrator/chart.h"
#include "analysis/integrator/explicit/explicit_problem.h"
#include "analysis/integrator/rosenbrock/rosenbrock_coeffs.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

/* Prepares what is needed at the start of a step, once for all tries. */
static bool prepare(TmlIntegrator *it, double h, TmlAttempt *out, TmlStatus *status, TmlError *err)
{
    TmlRosenbrock *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlRosenbrockOptions *o = it->opts;
    if (!w->ready) {
        tml_system_reduce(sys, it->now.q, it->now.v, w->w);
        memset(w->x, 0, (size_t)w->ny * sizeof *w->x);
        tml_chart_second(sys, &it->now, w->x, w->w, w->f1);
        if (w->rheonomic && !tml_rosenbrock_time(it, h, out, status, err)) {
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

/* Puts s onto the constraints; independent coordinates stay. */
static bool close_state(TmlIntegrator *it, TmlState *s, TmlStatus *status, TmlError *err)
{
    TmlRosenbrock *w = it->work;
    if (!w->chosen || tml_partition_worn(w->partition)) {
        *status = tml_partition_choose(w->partition, &it->now, err);
        w->chosen = *status == TML_OK;
    }
    return w->chosen && tml_partition_close_positions(w->partition, s) &&
           tml_partition_close_velocities(w->partition, s);
}

/* Sets it->next by (RN3). */
static void put_end(TmlIntegrator *it, double h)
{
    const TmlDims *dim = tml_dims(it->sys);
    const TmlRosenbrock *w = it->work;
    TmlState *s = &it->next;
    tml_state_copy(it->sys, &w->stage, s);
    s->t = it->now.t + h;
    tml_chart_state(it->sys, it->now.q, w->x, w->x1, s);
    memcpy(s->X, w->x1 + dim->nu, (size_t)dim->nx * sizeof *s->X);
}

/* (RN8): puts it->next, which is off its constraints by `drift`, onto them. */
static bool close_end(TmlIntegrator *it, double h, double drift, TmlStatus *status, TmlError *err)
{
    static const double far_drift = 1.0, weak_share = 0.05;
    TmlRosenbrock *w = it->work;
    const TmlRosenbrockOptions *o = it->opts;
    const bool choice = w->method->any_jacobian && w->chosen;
    const bool away = drift > far_drift && !(choice && tml_rosenbrock_least_is_better(it));
    if (away || o->norm == TML_ROSENBROCK_PAPER) {
        w->closure = TML_ROSENBROCK_INDEPENDENT;
        const bool closed = close_state(it, &it->next, status, err);
        w->move = closed ? tml_rosenbrock_move(it) : HUGE_VAL;
        if (*status != TML_OK || weak_share * w->move <= drift) {
            return closed;
        }
        put_end(it, h);
    }
    const bool closed = tml_system_project(it->sys, &it->next);
    w->move = tml_rosenbrock_move(it);
    w->closure = weak_share * w->move <= drift ? TML_ROSENBROCK_LEAST : TML_ROSENBROCK_WEAK;
    return closed;
}

/* Takes (RN3), puts the state onto the constraints and solves for accelerations. */
static bool finish(TmlIntegrator *it, double h, TmlAttempt *out, TmlStatus *status, TmlError *err)
{
    TmlRosenbrock *w = it->work;
    const TmlRosenbrockMethod *me = w->method;
    tml_rosenbrock_combine(it, h, 1.0, me->mu, me->m, me->stages);
    put_end(it, h);
    if (!close_end(it, h, tml_chart_drift(it->sys, &it->norm, &it->next), status, err)) {
        out->cause = TML_CAUSE_NEWTON;
        return false;
    }
    return tml_rosenbrock_solve(it, &it->next, out, status, err);
}

/* [001] (7); of the W-method less, or one step in eight is rejected. */
static const double safety = 0.85, safety_compared = 0.7;
static const double largest_growth = 10.0, smallest_cut = 0.2;

/* Judges the error of a step, and proposes the next. */
static void judge(TmlAttempt *out, double h, bool compared)
{
    out->converged = isfinite(out->error);
    out->cause = out->converged ? TML_CAUSE_NONE : TML_CAUSE_NONFINITE;
    const double wanted = (compared ? safety_compared : safety) *
                          pow(fmax(out->error, 1e-10), -1.0 / (out->order + 1));
    out->proposal = h * fmin(largest_growth, fmax(smallest_cut, wanted));
}

static TmlStatus rosenbrock_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    TmlRosenbrock *w = it->work;
    TmlStatus status = TML_OK;
    *out = (TmlAttempt){.order = w->method->embedded_order, .worst = -1};
    if (w->joints != NULL) {
        if (tml_rosenbrock_joints_attempt(it, h, out)) {
            judge(out, h, out->order == w->method->order);
        }
        return TML_OK;
    }
    if (!prepare(it, h, out, &status, err)) {
        return status;
    }
    tml_state_copy(it->sys, &it->now, &w->stage);
    for (int i = 0; i < w->method->stages; ++i) {
        if (!tml_rosenbrock_evaluate(it, h, i, out, &status, err)) {
            return status;
        }
        tml_rosenbrock_stage(it, h, i);
        out->iterations++;
        it->iterations++;
    }
    tml_rosenbrock_estimate(it, h);
    if (!finish(it, h, out, &status, err)) {
        return status;
    }
    const bool compared = w->method->any_jacobian && tml_rosenbrock_compare(it, h);
    const int exponent = compared ? w->method->order + 1 : w->method->order;
    out->order = exponent - 1;
    // no body turns by more than a radian: turns are counted from step to step
    out->error =
        fmax(tml_rosenbrock_error(it, &out->worst), pow(tml_rosenbrock_turn(it), w->method->order));
    judge(out, h, compared);
    return status;
}

/* --- entries ---------------------------------------------------------------------------------- */

static void rosenbrock_teardown(TmlIntegrator *it)
{
    TmlRosenbrock *w = it->work;
    if (w != NULL) {
        tml_rosenbrock_joints_free(w->joints);
        tml_partition_free(w->partition);
        tml_stages_free(&w->matrix);
    }
}

static void rosenbrock_restart(TmlIntegrator *it)
{
    TmlRosenbrock *w = it->work;
    if (w->joints != NULL) {
        tml_rosenbrock_joints_restart(it);
        return;
    }
    w->fresh = true;
    w->ready = false;
    w->stale = true;
    w->h_before = 0.0;
}

static TmlStatus rosenbrock_accept(TmlIntegrator *it, double h, TmlError *err)
{
    TmlRosenbrock *w = it->work;
    (void)err;
    if (w->joints != NULL) {
        tml_rosenbrock_joints_accept(it, h);
        return TML_OK;
    }
    tml_rosenbrock_remember(it, h);
    w->ready = false;
    w->age++;
    return TML_OK;
}

static void rosenbrock_reject(TmlIntegrator *it)
{
    TmlRosenbrock *w = it->work;
    if (w->joints != NULL) {
        tml_rosenbrock_joints_reject(it);
        return;
    }
    w->stale = w->stale || w->age > 0; // the matrices may be to blame
}

/* --- setup ---------------------------------------------------------------------------------- */

/* The stage matrix needs the derivative of every gamma. */
static TmlStatus check_model(const TmlSystem *sys, TmlError *err)
{
    const char *joint, *type;
    if (tml_system_lacks_stage(sys, &joint, &type)) {
        return tml_fail(err, TML_E_MODEL,
                        "joint '%s': type '%s' has no gamma_tangent, which rosenbrock and "
                        "rosenbrock-w need; choose another integrator",
                        joint, type);
    }
    return TML_OK;
}

static TmlStatus setup(TmlIntegrator *it, const TmlRosenbrockMethod *method, TmlError *err)
{
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlRosenbrock *w;
    TML_TRY(check_model(sys, err));
    TML_NEW(it->arena, w, 1);
    it->work = w;
    w->method = method;
    TML_TRY(tml_rosenbrock_joints_setup(it, method, err));
    if (w->joints != NULL) {
        return TML_OK;
    }
    w->ny = dim->nu + dim->nx;
    w->rheonomic = tml_system_is_rheonomic(sys);
    TML_TRY(tml_partition_create(sys, &w->partition, err));
    TML_TRY(tml_stages_create(sys, it->arena, &w->matrix, err));
    for (int k = 0; k < method->stages; ++k) {
        TML_NEW(it->arena, w->l[k], w->ny);
    }
    double **own[] = {&w->w,  &w->f1, &w->ft,  &w->f,   &w->x,
                      &w->x1, &w->z,  &w->e_x, &w->e_w, &w->before};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; ++k) {
        TML_NEW(it->arena, *own[k], w->ny);
    }
    TML_NEW(it->arena, w->r, dim->n);
    TML_NEW(it->arena, w->vector, dim->n);
    TML_NEW(it->arena, w->residual, dim->n);
    TML_NEW(it->arena, w->diagonal, dim->m);
    for (int k = 0; k < dim->m; ++k) {
        w->diagonal[k] =
            tml_csc_find(tml_system_matrix(sys, TML_MATRIX_STAGE), dim->nu + k, dim->nu + k);
    }
    return tml_state_create_in(sys, it->arena, &w->stage, err);
}

static TmlStatus nystrom_setup(TmlIntegrator *it, TmlError *err)
{
    const TmlRosenbrockOptions *o = it->opts;
    return setup(it, o->coefficients == TML_ROSENBROCK_RODAS ? &rodas4 : &nystrom4, err);
}

static TmlStatus wmethod_setup(TmlIntegrator *it, TmlError *err)
{
    return setup(it, &wmethod2, err);
}

static const TmlParam nystrom_params[] = {
    {"coefficients", TML_PARAM_CHOICE, TML_ANY, "", offsetof(TmlRosenbrockOptions, coefficients),
     "nystrom",
     "nystrom: four stages; rodas: six, which keep the order where stiff parts are driven",
     "nystrom|rodas"},
    {"norm", TML_PARAM_CHOICE, TML_ANY, "", offsetof(TmlRosenbrockOptions, norm), "body",
     "error norm: largest over the bodies, or that of Negrut et al. [001]", "body|paper"},
    {"filter", TML_PARAM_BOOL, TML_ANY, "", offsetof(TmlRosenbrockOptions, filter), "false",
     "multiply the error estimate by (1 - h gamma J)^-1", NULL},
    TML_COORDINATES_PARAM(TmlRosenbrockOptions),
    {0},
};

static const TmlParam wmethod_params[] = {
    {"norm", TML_PARAM_CHOICE, TML_ANY, "", offsetof(TmlRosenbrockOptions, norm), "body",
     "error norm: largest over the bodies, or that of Negrut et al. [001]", "body|paper"},
    {"filter", TML_PARAM_BOOL, TML_ANY, "", offsetof(TmlRosenbrockOptions, filter), "false",
     "multiply the error estimate by (1 - h gamma J)^-1", NULL},
    {"age", TML_PARAM_INT, TML_POSITIVE, "", offsetof(TmlRosenbrockOptions, age), "10",
     "steps for which a Jacobian is kept", NULL},
    TML_COORDINATES_PARAM(TmlRosenbrockOptions),
    {0},
};

TML_INTEGRATOR_TYPE(rosenbrock) = {
    .info = {.name = "rosenbrock",
             .text = "Rosenbrock-Nystrom: linearly implicit, order 4, L-stable, for stiff systems.",
             .data_size = sizeof(TmlRosenbrockOptions),
             .params = nystrom_params},
    .tolerance = 3e-7,
    .matrices = 3.5,
    .order = 4,
    .keeps_rows_fresh = true,
    .reach = 1.1457,
    .setup = nystrom_setup,
    .restart = rosenbrock_restart,
    .attempt = rosenbrock_attempt,
    .accept = rosenbrock_accept,
    .reject = rosenbrock_reject,
    .teardown = rosenbrock_teardown,
};

TML_INTEGRATOR_TYPE(rosenbrock_w) = {
    .info = {.name = "rosenbrock-w",
             .text = "W-method: linearly implicit, order 2, keeps its matrices over several steps.",
             .data_size = sizeof(TmlRosenbrockOptions),
             .params = wmethod_params},
    .tolerance = 1e-9,
    .matrices = 3.5,
    .order = 2,
    .keeps_rows_fresh = true,
    .reach = 1.0,
    .setup = wmethod_setup,
    .restart = rosenbrock_restart,
    .attempt = rosenbrock_attempt,
    .accept = rosenbrock_accept,
    .reject = rosenbrock_reject,
    .teardown = rosenbrock_teardown,
};
