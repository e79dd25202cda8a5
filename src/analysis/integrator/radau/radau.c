/* analysis/integrator/radau/radau.c - Radau IIA of order 5 on the underlying ordinary equations.
 *
 * State of a step from q_n: x, coordinates on the chart from q_n (translation, rotation vector),
 * w = x', and the user states X. Unknowns of stage i: z_i = (x''_i, lambda_i, X'_i, V_i, F_i).
 *
 *   (R1)  w_i = w_n + h sum_j A_ij x''_j,  x_i = h sum_j A_ij w_j,  X_i = X_n + h sum_j A_ij X'_j
 *   (R2)  (S1), (S3) of system.h and the constraints at acceleration level at (x_i, w_i, X_i)
 *   (R3)  (1 x K_0 + h A x K_1 + h^2 A A x K_2) dz = -r, K of stages.h        simplified Newton
 *   (R4)  with dz = (T x 1) dy this is one real and one complex system,            [HW] (IV.8.10)
 *         K(h / g) dy_1 = -s_1,  K(h / (a + i b)) (dy_2 + i dy_3) = -(s_2 + i s_3),
 *         s = (T^-1 x 1) r
 *   (R5)  stop when xi / (1 - xi) |dx, dw, dX| <= newton * tolerance      xi: rate of convergence
 *   (R6)  e = (1 - g' J)^-1 g' [f(y_n) + sum_i d_i (Y_i - y_n) / h], g' = h/g,     [HW] (IV.8.19)
 *         of y = (x, w, X): K(g') s = K_0 (c_w, c_X) - g' K_2 c_x; e_w = g' s_w,
 *         e_x = g' (e_w + c_x),  e_X = g' s_X;  the bracket is c = (c_x, c_w, c_X)
 *   (R7)  local error: 10 tolerance^(1/3) |e|, since e is of order 3, the step of order 5     [HW]
 *   (R8)  p(s) = sum_j l_j(s) x''_j through s = 0 and the stages; its integrals are w and x inside
 *         the step. They end at w_3 and x_3: the quadrature with nodes 0, c has no weight at 0
 *   (R9)  near a singular position corrections and errors are judged along the constraints at the
 *         end of the step: the rest is what the projection after the step takes away          own
 *   (R10) flexible bodies: stiff directions, frequency f, turn by phi within a step, and one matrix
 *         for all stages converges with the rate (h f phi)^2 ~ h^4; steps for a rate of 0.2    own
 *
 *   (R11) where a correction turns a slip round in any stage, from beyond the width of the law of friction to beyond it
 *         on the other side, the tangent at v = 0 stands for the law once, in all stages and in their
 *         matrix; that correction says nothing about convergence, and the next has a matrix of the law          own
 *   (R12) small corrections are not the end of an iteration while a slip is far beyond the width of its law and the matrix was made
 *         within it: it is made anew. Where stages stay on both sides the step is cut          own
 *
 * The chart makes x'' the second derivative of coordinates, so that (R1) holds for rotations as it
 * stands. K is taken at the predicted second stage: the middle of the step represents all stages
 * better than its start. After an accepted step q and q' are moved onto the constraints and the
 * accelerations are solved for. Stages, Newton iteration and local error: analysis/radau_*.c.
 * docs/theory/radau.md
 */
#include "analysis/integrator/radau/radau.h"
#include "analysis/integrator/explicit/explicit_problem.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

/* Charts end at 2 pi. */
static const double chart_end = 5.0;

static void begin(TmlIntegrator *it, double h)
{
    TmlRadau *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    w->h = h;
    w->present = w->present && h == w->h_matrix;
    memcpy(w->q_n, it->now.q, (size_t)dim->nq * sizeof *w->q_n);
    memcpy(w->X_n, it->now.X, (size_t)dim->nx * sizeof *w->X_n);
    tml_system_reduce(sys, it->now.q, it->now.v, w->w_n);
}

/* Iterates once from the prediction with the matrix at hand, or with a new one. */
static bool try_step(TmlIntegrator *it, bool renew, TmlAttempt *out)
{
    tml_radau_predict(it);
    out->cause = TML_CAUSE_NEWTON;
    return tml_radau_rotation(it) < chart_end && tml_radau_factor(it, renew, out) &&
           tml_radau_iterate(it, out);
}

/* Returns the longest next step that the iteration will bear by (R10), or 0 for any. */
static double step_limit(const TmlIntegrator *it, const TmlAttempt *out)
{
    static const double wanted_rate = 0.2, largest_cut = 0.7, smallest_factor = 0.3;
    const TmlRadau *w = it->work;
    const bool known = w->present && w->measured && w->rate > 0.5 * wanted_rate;
    const bool slow = out->converged || out->cause == TML_CAUSE_NEWTON;
    if (!tml_system_is_flexible(it->sys) || !known || !slow) {
        return 0.0;
    }
    const double factor = fmax(smallest_factor, pow(wanted_rate / w->rate, 0.25));
    return w->h * (out->converged ? factor : fmin(largest_cut, factor));
}

static TmlStatus radau_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    TmlRadau *w = it->work;
    const TmlRadauOptions *o = it->opts;
    (void)err;
    if (w->joints != NULL) {
        tml_radau_joints_attempt(it, h, out);
        return TML_OK;
    }
    *out = (TmlAttempt){.order = 3, .worst = -1};
    begin(it, h);
    const bool renew = !w->assembled || (!w->present && w->rate > o->reuse);
    if (!try_step(it, renew, out) && !w->present) {
        try_step(it, true, out);
    }
    out->limit = step_limit(it, out);
    if (out->converged) {
        tml_radau_stage_state(it, TML_RADAU_STAGES - 1, &it->next);
        out->error = tml_radau_error(it, &out->worst);
    }
    return TML_OK;
}

static void radau_restart(TmlIntegrator *it)
{
    TmlRadau *w = it->work;
    if (w->joints != NULL) {
        tml_radau_joints_restart(it);
        return;
    }
    tml_radau_pack(it->sys, &it->now, w->start);
    w->h_last = 0.0;
    w->assembled = w->present = false;
    w->rejected = true;
    w->rate = 1.0;
}

static TmlStatus radau_accept(TmlIntegrator *it, double h, TmlError *err)
{
    TmlRadau *w = it->work;
    (void)h;
    if (w->joints != NULL) {
        tml_radau_joints_accept(it);
        return TML_OK;
    }
    tml_radau_remember(it);
    w->present = w->rejected = false;
    tml_system_project(it->sys, &it->next); // where it cannot, the reported violation tells
    TmlKept kept = {.ready = tml_system_is_factored(it->sys, TML_FACTORS_ACCELERATION)};
    return tml_system_accelerations_kept(it->sys, &it->next, &kept, err);
}

static void radau_reject(TmlIntegrator *it)
{
    TmlRadau *w = it->work;
    if (w->joints != NULL) {
        tml_radau_joints_reject(it);
    }
    w->rejected = true;
}

static bool radau_row(TmlIntegrator *it, const TmlState *end, double t, TmlState *out)
{
    const TmlRadau *w = it->work;
    return w->joints != NULL && tml_radau_joints_row(it, end, t, out);
}

static bool radau_work_done(TmlIntegrator *it, const TmlState *end, double x, TmlPower *out,
                            double *doubt)
{
    const TmlRadau *w = it->work;
    (void)end;
    return w->joints != NULL && tml_radau_joints_work(it, x, out, doubt);
}

static void radau_dense(TmlIntegrator *it, const TmlState *end, double t, TmlState *out)
{
    const TmlRadau *w = it->work;
    if (w->joints != NULL) {
        tml_radau_joints_dense(it, end, t, out);
        return;
    }
    tml_radau_interpolate(it, end->t, t, out);
}

static void radau_teardown(TmlIntegrator *it)
{
    TmlRadau *w = it->work;
    if (w != NULL) {
        tml_stages_free(&w->matrix);
        tml_radau_joints_free(w->joints);
    }
}

static TmlStatus radau_setup(TmlIntegrator *it, TmlError *err)
{
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlRadau *w;
    TML_NEW(it->arena, w, 1);
    it->work = w;
    TML_TRY(tml_radau_joints_setup(it, err));
    if (w->joints != NULL) {
        return TML_OK;
    }
    for (int i = 0; i < TML_RADAU_STAGES; ++i) {
        TML_NEW(it->arena, w->z[i], dim->n);
        TML_NEW(it->arena, w->r[i], dim->n);
        TML_NEW(it->arena, w->x[i], dim->nu);
        TML_NEW(it->arena, w->w[i], dim->nu);
        TML_NEW(it->arena, w->dw[i], dim->nu);
        TML_NEW(it->arena, w->X[i], dim->nx);
    }
    for (int i = 0; i < TML_RADAU_NODES; ++i) {
        TML_NEW(it->arena, w->node[i], dim->n);
    }
    TML_NEW(it->arena, w->complex, 2 * (size_t)dim->n);
    TML_NEW(it->arena, w->q_n, dim->nq);
    TML_NEW(it->arena, w->w_n, dim->nu);
    TML_NEW(it->arena, w->X_n, dim->nx);
    TML_NEW(it->arena, w->start, dim->n);
    TML_NEW(it->arena, w->y, dim->n);
    TML_NEW(it->arena, w->du, dim->nu);
    TML_NEW(it->arena, w->dx, dim->nx);
    TML_TRY(tml_state_create_in(sys, it->arena, &w->s, err));
    return tml_stages_create(sys, it->arena, &w->matrix, err);
}

static TmlStatus radau_check(const void *opts, TmlError *err)
{
    const TmlRadauOptions *o = opts;
    if (o->max_iterations < 3) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'iterations' is %d; it must be at least 3",
                        o->max_iterations);
    }
    return TML_OK;
}

static const TmlParam radau_params[] = {
    {"newton", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(TmlRadauOptions, newton), "0.01",
     "share of the tolerance that the Newton iteration may leave", NULL},
    {"iterations", TML_PARAM_INT, TML_POSITIVE, "", offsetof(TmlRadauOptions, max_iterations), "10",
     "Newton iterations before a step is cut", NULL},
    {"reuse", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(TmlRadauOptions, reuse), "0.03",
     "rate of convergence up to which the matrix is kept for the next step", NULL},
    {"error", TML_PARAM_CHOICE, TML_ANY, "", offsetof(TmlRadauOptions, error), "scaled",
     "what is compared with the tolerance: the estimate of order 3 scaled to the order 5 of the "
     "step as Hairer and Wanner do, or the estimate itself",
     "scaled|embedded"},
    {"waves", TML_PARAM_CHOICE, TML_ANY, "", offsetof(TmlRadauOptions, waves), "auto",
     "fast waves of small displacement: damped where steps do not resolve them, or resolved; auto "
     "damps those of flexible "
     "bodies at tolerances of 1e-8 and looser",
     "auto|damped|resolved"},
    TML_COORDINATES_PARAM(TmlRadauOptions),
    {0},
};

TML_INTEGRATOR_TYPE(radau) = {
    .info = {.name = "radau",
             .text = "Radau IIA: implicit, order 5, L-stable, projected onto the constraints.",
             .data_size = sizeof(TmlRadauOptions),
             .params = radau_params},
    .tolerance = 1e-7,
    .matrices = 3.5,
    .order = 5,
    .keeps_rows_fresh = true,
    .check = radau_check,
    .setup = radau_setup,
    .restart = radau_restart,
    .attempt = radau_attempt,
    .accept = radau_accept,
    .reject = radau_reject,
    .dense = radau_dense,
    .row = radau_row,
    .work_done = radau_work_done,
    .teardown = radau_teardown,
};
