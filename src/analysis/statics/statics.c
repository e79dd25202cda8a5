/* analysis/statics/statics.c - static equilibrium.
 *
 * With q' = q'' = X' = 0 the residual R of (S1) to (S3), constraints at position level, is zero at
 * an equilibrium. Unknowns: positions (u), lambda, X, V, F.
 *
 *   (T1)  (R' + M / tau) dx = -R        pseudo-transient continuation: a step of M x' = -R, so that
 *                                       motion is downhill; Newton for tau -> infinity
 *   (T2)  R(x) - (1 - s) R(x_0) = 0     load stepping, s from 0 to 1: forces that the start leaves
 *                                       without balance are ramped up
 *   (T4)  |dx_k+1| <= |dx_k| / 2        Newton's method from the start: an equilibrium within
 *                                       2 |dx_1|
 *
 * tau grows while steps stay short and go downhill, -R . dx > 0; else it is cut and the step tried
 * again. tau is kept finite, so that motions without resistance (a free wheel) do no harm. A motion
 * without resistance that a force acts along runs away: it is found by inverse iteration and named.
 *
 * In a frame that turns q' and q'' are those of (W1) of spin.h, and R' is the derivative along
 * (W2).
 */
#include "analysis/driver/sim_internal.h"
#include "analysis/statics/balance.h"
#include "analysis/statics/statics_work.h"
#include "base/block.h"
#include "base/fail.h"
#include "math/vec3.h"
#include "system/coordinates/charts.h"
#include "trammel/analysis.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A step moves no body by more than this times the size of the model, or by more radians. */
static const double step_limit = 0.3;

/* A step as short as this, in the same measure, may be rounding. */
static const double rounding_limit = 1e-6;

/* Forces of springs are rounded to this part of stiffness times size: some tens of units in the last place, as positions may be
 * some times farther from the origin than the model is large. */
static const double force_rounding = 64.0 * DBL_EPSILON;

enum { NEARBY_ITERATIONS = 12 }; /* of (T4): more mean a singular position, not a near one */

typedef TmlStaticsWork Work;

/* Returns what counts as one of the first coordinates of a body: a length, or the size of a
 * gradient. */
static double length_unit(const TmlSystem *sys, int body)
{
    const TmlDims *dim = tml_dims(sys);
    return dim->span[body + 1].u0 > dim->span[body].u0 ? dim->unit[dim->span[body].u0]
                                                       : dim->length;
}

/* Returns the largest of the u-components, as translation over length or as rotation. */
static double motion_size(const TmlSystem *sys, const double *du)
{
    const TmlDims *dim = tml_dims(sys);
    double big = 0.0;
    for (int k = 0; k < dim->nu; ++k) {
        const double x = fabs(du[k]) / dim->unit[k];
        big = x <= big ? big : x; // NaN counts as larger
    }
    return big;
}

/* Sets w->r to R of (T2) at s, whose rates are made those of the frame, and notes the largest
 * force. It returns false when a number is not finite. */
static bool residual(Work *w, TmlState *s)
{
    TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    if (w->spins) {
        tml_spin_rates(sys, &w->info.spin, s, w->u);
    }
    tml_system_residual(sys, s, TML_LEVEL_POSITION, w->r);
    for (int k = 0; k < dim->m_all; ++k) { // rolling: no position is asked for
        const TmlRowPlace row = tml_system_row(sys, k);
        if (row.unknown >= 0 && row.velocity) {
            w->r[dim->nu + row.unknown] = 0.0;
        }
    }
    w->force = tml_system_largest_force(sys);
    for (int k = 0; k < dim->n; ++k) {
        w->r[k] -= (1.0 - w->ramp) * w->load[k];
        if (!isfinite(w->r[k])) {
            return false;
        }
    }
    return true;
}

/* What keeps rows of constraints regular at singular positions, e (J W^-1 J^T)_kk on their diagonal
 * (J5), takes inertia for the whole resistance. Here stiffness is, and beside that of short
 * elements it would be a joint that gives way: Newton's method would converge by its compliance. */
static void regularise(Work *w)
{
    const TmlDims *dim = tml_dims(w->sys);
    const double *inverse_mass = tml_system_inverse_mass(w->sys);
    TmlCsc *K = tml_system_matrix_to_change(w->sys, TML_MATRIX_STEP);
    for (int j = 0; j < dim->nu; ++j) {
        const int at = tml_csc_find(K, j, j);
        w->resistance[j] = 1.0 / inverse_mass[j] + (at >= 0 ? fabs(K->x[at]) : 0.0);
    }
    for (int k = dim->nu; k < dim->nu + dim->m; ++k) {
        const int at = tml_csc_find(K, k, k);
        double before = 0.0, after = 0.0;
        for (int i = K->start[k]; i < K->start[k + 1] && K->row[i] < dim->nu; ++i) {
            const int j = K->row[i];
            before += K->x[i] * K->x[i] * inverse_mass[j];
            after += K->x[i] * K->x[i] / w->resistance[j];
        }
        if (at >= 0 && before > 0.0) {
            K->x[at] *= after / before;
        }
    }
}

/* Factors the matrix of (T1) at the last residual, with c_a = 1 / tau. For user states the columns
 * of X' must hold the derivative by X: what c_x adds, plus 1 / sqrt(tau) of that by X'. */
static int matrix_factor(Work *w, const TmlState *s, double c_a)
{
    TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlCsc *K = tml_system_matrix_to_change(sys, TML_MATRIX_STEP);
    const TmlCoeffs c = {
        .a = c_a, .q = 1.0, .chart = w->spins ? TML_CHART_ROTATION : TML_CHART_COORDINATES};
    const int from = K->start[dim->nu + dim->m], to = K->start[dim->nu + dim->m + dim->nx];
    tml_system_jacobian(sys, s, c, 0.0);
    if (dim->nx > 0) {
        memcpy(w->x_rate, K->x + from, (size_t)(to - from) * sizeof *K->x);
        tml_system_jacobian(sys, s, c, 1.0);
        for (int k = from; k < to; ++k) {
            K->x[k] -= (1.0 - sqrt(c_a)) * w->x_rate[k - from];
        }
    }
    regularise(w);
    if (w->spins) {
        tml_spin_matrix_fill(&w->spin, sys, s);
        return tml_lu_refactor(w->spin.lu, &w->spin.K);
    }
    return tml_system_factor(sys, TML_FACTORS_STEP);
}

/* Puts the solution of the matrix that was factored last in the place of the right side x[n]. */
static void matrix_solve(Work *w, double *x)
{
    if (w->spins) {
        tml_lu_solve(w->spin.lu, x);
    } else {
        tml_system_solve(w->sys, TML_FACTORS_STEP, x);
    }
}

/* Sets `to` to s moved by -dx. */
static void move(Work *w, const TmlState *s, const double *dx, TmlState *to)
{
    TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    tml_state_copy(sys, s, to);
    tml_system_expand(sys, s->q, dx, w->dq);
    for (int k = 0; k < dim->nq; ++k) {
        to->q[k] -= w->dq[k];
    }
    tml_system_retract(sys, to->q);
    for (int row = 0; row < dim->m_all; ++row) {
        if (tml_row_unknown(sys, row) >= 0) {
            to->lambda[row] -= dx[dim->nu + tml_row_unknown(sys, row)];
        }
    }
    dx += dim->nu + dim->m;
    for (int k = 0; k < dim->nx; ++k) {
        to->X[k] -= dx[k];
    }
    for (int k = 0; k < dim->nv + dim->nf; ++k) {
        to->V[k] -= dx[dim->nx + k]; // F follows V in the state
    }
}

/* Returns the size of a change of the user's states, each by its own size. */
static double state_step(const Work *w, const double *dx)
{
    const TmlDims *dim = tml_dims(w->sys);
    double big = 0.0;
    for (int k = 0; k < dim->nx; ++k) {
        big = fmax(big, fabs(dx[dim->nu + dim->m + k]) / fmax(1.0, fabs(w->s.X[k])));
    }
    return big;
}

/* Tells whether nothing acts: all forces, those in balance too, are what rounding of positions makes of the stiffness that the
 * last matrix has. Loads of soft motions beside stiff ones are compared with the stiffness of their own rows. In flexible bodies
 * rows of one coordinate are stiff and soft at once (extension and bending), so that their rounding says nothing. */
static bool unloaded(const Work *w)
{
    const TmlDims *dim = tml_dims(w->sys);
    double most = 0.0;
    if (tml_system_is_flexible(w->sys)) {
        return false;
    }
    for (int k = 0; k < dim->nu; ++k) {
        most = fmax(most, w->resistance[k] * dim->unit[k] * dim->unit[k] / dim->length);
        if (!(fabs(w->r[k]) <= force_rounding * w->resistance[k] * dim->unit[k])) {
            return false;
        }
    }
    for (int k = dim->nu; k < dim->n; ++k) {
        if (!(fabs(w->r[k]) <= 1e-13 * fmin(1.0, dim->length))) {
            return false;
        }
    }
    return w->force <= force_rounding * most;
}

/* Tells whether nothing but rounding is left of the forces, and the other rows hold. */
static bool balanced(const Work *w)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    double rows = 0.0;
    for (int k = dim->nu; k < dim->n; ++k) {
        rows = fmax(rows, fabs(w->r[k]));
    }
    return (tml_balance_size(sys, w->r) <= 1e-14 * w->force &&
            rows <= 1e-14 * fmin(1.0, dim->length)) ||
           unloaded(w);
}

typedef enum Outcome { GO_ON, CONVERGED, TOO_FAR } Outcome;

/* Returns tau after a step that went too far or uphill. Above x . M x / |x . R| inertia does not
 * tell beside stiffness along the step, and a cut changes nothing: (T3). */
static double shorter_tau(Work *w)
{
    double inertia = 0.0, work = 0.0;
    tml_system_mass_mul(w->sys, &w->s, w->dx, w->inertia);
    for (int k = 0; k < tml_dims(w->sys)->nu; ++k) {
        inertia += w->dx[k] * w->inertia[k];
        work += w->dx[k] * w->r[k];
    }
    const double tau = inertia / fabs(work);
    return isfinite(tau) && tau > 0.0 ? fmin(0.25 * w->tau, tau) : 0.25 * w->tau;
}

/* Short steps that no longer shrink: rounding of stresses in slender bodies moves them. */
static bool stalled(Work *w, double length)
{
    const bool shrinks = length < 0.5 * w->shortest;
    w->shortest = fmin(w->shortest, length);
    w->stalls = shrinks || length > rounding_limit ? 0 : w->stalls + 1;
    return tml_system_is_flexible(w->sys) && w->stalls >= 5;
}

/* Bodies may move by this part of their size in a step, as far as contacts are concerned. */
static const double contact_part = 0.25;

/* Looks for pairs of shapes that a step from w->s may bring together. It returns false where there is no memory for
 * them. */
static bool look_for_contacts(Work *w)
{
    bool patterns;
    if (!tml_system_touches(w->sys)) {
        return true;
    }
    tml_system_kinematics(w->sys, &w->s, false);
    if (tml_system_touching_renew(w->sys, 0.0, contact_part, &patterns, NULL) != TML_OK ||
        (patterns && tml_system_renew_pattern(w->sys, NULL) != TML_OK)) {
        return false;
    }
    if (patterns && w->spins) { // it has the places of the matrix that was
        tml_spin_matrix_free(&w->spin);
        if (tml_spin_matrix_create(w->sys, &w->info.spin, &w->arena, &w->spin, NULL) != TML_OK) {
            return false;
        }
    }
    return residual(w, &w->s);
}

/* Makes one step (T1) from w->s, whose residual is w->r. On success w->s and w->r are the new
 * ones. */
static Outcome step(Work *w)
{
    TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    const size_t n = (size_t)dim->n;
    if (balanced(w)) {
        return CONVERGED;
    }
    w->info.iterations++;
    w->next_tau = 0.25 * w->tau;
    if (!look_for_contacts(w) || matrix_factor(w, &w->s, 1.0 / w->tau) >= 0) {
        return TOO_FAR;
    }
    memcpy(w->dx, w->r, n * sizeof *w->dx);
    matrix_solve(w, w->dx);
    const double length = motion_size(sys, w->dx);
    double downhill = 0.0;
    for (int k = 0; k < dim->nu; ++k) {
        downhill += w->r[k] * w->dx[k];
    }
    // near the solution signs are those of rounding and of the constraints' curvature
    const bool uphill = downhill < 0.0 && length >= 1e-3 && !w->ramped;
    // as long as it was before tau was cut: it leads back onto the constraints, at any cost
    const bool restores = length > 0.9 * w->refused && length < 1.1 * w->refused;
    if (!(length <= step_limit) || (uphill && !restores)) {
        w->refused = uphill && length <= step_limit ? length : 0.0;
        w->next_tau = shorter_tau(w);
        return TOO_FAR;
    }
    w->refused = 0.0;
    tml_flex_note(sys);
    move(w, &w->s, w->dx, &w->trial);
    if (!residual(w, &w->trial) || !tml_system_touching_holds(sys, 0.0)) {
        (void)residual(w, &w->s);
        return TOO_FAR;
    }
    const double states = state_step(w, w->dx);
    tml_state_copy(sys, &w->trial, &w->s);
    tml_flex_take_noted(sys);
    tml_system_commit(sys, &w->s);
    w->info.residual = w->force > 0.0 ? tml_balance_size(sys, w->r) / w->force : 0.0;
    // short because nothing moves it, not because tau is small
    const bool resolved = w->tau >= 1e6 * w->tau_first;
    const bool still = length <= w->o.tolerance && states <= w->o.tolerance;
    return resolved && (still || stalled(w, length)) ? CONVERGED : GO_ON;
}

/* Steps by (T1) until nothing moves, or the iterations allowed here are used up. */
static bool continuation(Work *w, int iterations)
{
    const double most = 1e16 * w->tau_first, least = 1e-12 * w->tau_first;
    const int last = w->info.iterations + iterations;
    tml_flex_forget(w->sys);
    w->shortest = HUGE_VAL;
    w->refused = 0.0;
    w->stalls = 0;
    if (!residual(w, &w->s)) {
        return false;
    }
    while (w->info.iterations < last) {
        switch (step(w)) {
        case CONVERGED:
            return true;
        case GO_ON:
            w->tau = fmin(w->tau * (motion_size(w->sys, w->dx) < 0.1 ? 4.0 : 1.5), most);
            break;
        case TOO_FAR:
            w->tau = w->next_tau;
            if (w->tau < least) {
                return false;
            }
            (void)residual(w, &w->s);
            break;
        }
    }
    return false;
}

/* Goes back to the start and ramps the loads up step by step, by (T2). */
static bool load_stepping(Work *w)
{
    const TmlDims *dim = tml_dims(w->sys);
    double ds = 0.1;
    w->ramped = true;
    tml_state_copy(w->sys, &w->s, &w->lost);
    tml_state_copy(w->sys, &w->start, &w->s);
    for (int row = 0; row < dim->m_all; ++row) {
        w->s.lambda[row] = 0.0;
    }
    memset(w->load, 0, (size_t)dim->n * sizeof *w->load);
    tml_system_commit(w->sys, &w->s);
    if (!residual(w, &w->s)) {
        return false;
    }
    memcpy(w->load, w->r, (size_t)dim->nu * sizeof *w->load);
    for (double s = 0.0; s < 1.0 && ds > 1e-4 && w->info.iterations < w->o.max_iterations;) {
        w->ramp = fmin(1.0, s + ds);
        w->tau = 1e6 * w->tau_first;
        tml_state_copy(w->sys, &w->s, &w->kept);
        w->info.load_steps++;
        if (continuation(w, 40)) {
            s = w->ramp;
            ds *= 2.0;
        } else {
            tml_state_copy(w->sys, &w->kept, &w->s);
            tml_system_commit(w->sys, &w->s);
            ds *= 0.25;
        }
        if (s >= 1.0) {
            return true;
        }
    }
    return false;
}

/* --- in and out ----------------------------------------------------------------------------- */

/* Returns the acceleration of one body relative to the size of the model: that of translation or of
 * rotation, whichever is larger. */
static double body_acceleration(const TmlSystem *sys, int body, const double *u)
{
    double part[2] = {0.0, 0.0};
    for (int rotation = 0; rotation < 2; ++rotation) {
        const TmlTriple t = tml_triple(sys, body, rotation == 1);
        const double unit = rotation ? 1.0 : length_unit(sys, body);
        for (int k = t.first; k < t.first + t.n; ++k) {
            part[rotation] = hypot(part[rotation], u[k] / unit);
        }
    }
    return fmax(part[0], part[1]);
}

static TmlStatus statics_setup(Work *w, TmlError *err)
{
    TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlCsc *K = tml_system_matrix(sys, TML_MATRIX_STEP);
    TML_TRY(tml_state_create_in(sys, &w->arena, &w->s, err));
    TML_TRY(tml_state_create_in(sys, &w->arena, &w->trial, err));
    TML_TRY(tml_state_create_in(sys, &w->arena, &w->start, err));
    TML_TRY(tml_state_create_in(sys, &w->arena, &w->kept, err));
    TML_TRY(tml_state_create_in(sys, &w->arena, &w->lost, err));
    TML_TRY(tml_state_create_in(sys, &w->arena, &w->near, err));
    TML_NEW(&w->arena, w->r, dim->n);
    TML_NEW(&w->arena, w->dx, dim->n);
    TML_NEW(&w->arena, w->dq, dim->nq);
    TML_NEW(&w->arena, w->inertia, dim->nu);
    TML_NEW(&w->arena, w->load, dim->n);
    TML_NEW(&w->arena, w->x_rate, K->start[dim->n]);
    TML_NEW(&w->arena, w->u, dim->nu);
    TML_NEW(&w->arena, w->resistance, dim->nu);
    tml_state_copy(sys, &w->sim->it.now, &w->s);
    w->s.still = true;
    memset(w->s.v, 0, (size_t)dim->nq * sizeof *w->s.v);
    if (w->spins) {
        TML_TRY(tml_spin_matrix_create(sys, &w->info.spin, &w->arena, &w->spin, err));
        tml_spin_rates(sys, &w->info.spin, &w->s, w->u);
        TML_TRY(tml_spin_check(sys, &w->info.spin, &w->s, w->r, err));
    }
    TML_TRY(tml_system_accelerations(sys, &w->s, err)); // multipliers; how fast it would start
    tml_statics_acceleration(w, &w->s, w->dx);
    double fastest = 0.0;
    for (int b = 1; b < dim->nb; ++b) {
        fastest = fmax(fastest, body_acceleration(sys, b, w->dx));
    }
    // the first step moves the fastest body by a tenth of the size of the model
    w->tau = w->tau_first = 0.1 / fmax(fastest, 1e-6);
    memset(w->s.a, 0, (size_t)dim->nq * sizeof *w->s.a);
    memset(w->s.Xd, 0, (size_t)dim->nx * sizeof *w->s.Xd);
    w->s.adjusts = true;
    tml_state_copy(sys, &w->s, &w->start);
    return TML_OK;
}

/* Notes how far s lies from the start, bodies in m and rad, and returns the size of the motion. */
static double way_from_start(const Work *w, const TmlState *s, double *moved, double *turned)
{
    const TmlSystem *sys = w->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlBodyChart at;
    double size = 0.0;
    *moved = *turned = 0.0;
    for (int b = 1; b < dim->nb; ++b) {
        const double *du = at.x;
        tml_body_coordinates(sys, b, &w->start, s, &at);
        const double way = v3_norm(v3(du[0], du[1], du[2]));
        *moved = dim->span[b].lengths > 0 ? fmax(*moved, way) : *moved;
        *turned = fmax(*turned, v3_norm(v3(du[3], du[4], du[5])));
        for (int k = dim->span[b].u0; k < dim->span[b + 1].u0; ++k) {
            size = fmax(size, fabs(du[k - dim->span[b].u0]) / dim->unit[k]);
        }
    }
    return size;
}

/* Makes the equilibrium the state of the sim, its row and the start of what follows. */
static TmlStatus settle(Work *w, TmlError *err)
{
    TmlSim *sim = w->sim;
    TmlSystem *sys = w->sys;
    (void)way_from_start(w, &w->s, &w->info.moved, &w->info.turned);
    tml_system_hold_constants(sys, &w->s);
    w->s.adjusts = false; // constants from here on, also along a path
    TML_TRY(tml_system_accelerations(sys, &w->s, err));
    TML_TRY(tml_system_min_norm_lambda(sys, &w->s, err));
    tml_system_commit(sys, &w->s);
    tml_state_copy(sys, &w->s, &sim->it.now);
    tml_state_copy(sys, &w->s, &sim->row);
    tml_account_begin(sim);
    sim->restart_pending = true;
    w->settled = true;
    tml_sim_row_given(sim);
    return TML_OK;
}

/* --- which equilibrium ---------------------------------------------------------------------- */

/* Goes back to the start, for another way. */
static void back_to(Work *w, const TmlState *s)
{
    tml_state_copy(w->sys, s, &w->s);
    tml_system_commit(w->sys, &w->s);
    w->tau = w->tau_first;
    w->ramped = false;
    w->ramp = 1.0;
}

/* Applies Newton's method from the start by (T4), and gives up unless each step is at most half of
 * the one before. w->s is then an equilibrium within twice the first step. */
static bool nearby(Work *w)
{
    double before = HUGE_VAL;
    w->ramped = true; // steps may go uphill, too
    w->tau = 1e10 * w->tau_first;
    w->shortest = HUGE_VAL;
    w->refused = 0.0;
    w->stalls = 0;
    tml_flex_forget(w->sys);
    if (!residual(w, &w->s)) {
        return false;
    }
    for (int k = 0; k < NEARBY_ITERATIONS; ++k) {
        const Outcome outcome = step(w);
        const double length = fmax(motion_size(w->sys, w->dx), state_step(w, w->dx));
        w->first_step = k == 0 ? motion_size(w->sys, w->dx) : w->first_step;
        if (outcome != GO_ON) {
            return outcome == CONVERGED;
        }
        if (!(length <= 0.5 * before || length <= rounding_limit)) {
            return false;
        }
        before = length;
    }
    return false;
}

/* Finds the stability of w->s, to which the sim is moved meanwhile. */
static TmlStatus judge(Work *w, TmlError *err)
{
    TmlState *now = &w->sim->it.now;
    tml_system_hold_constants(w->sys, &w->s);
    w->s.adjusts = false; // what statics adjusts gives no way to the motions that are judged
    tml_system_bear_bristles(w->sys, &w->s); // what follows starts with friction that holds
    tml_state_copy(w->sys, now, &w->trial);
    tml_state_copy(w->sys, &w->s, now);
    const TmlStatus status = tml_statics_judge(w, w->sim, &w->s, &w->info.spin,
                                               tml_statics_no_stiffness(w), &w->stability, err);
    tml_state_copy(w->sys, &w->trial, now);
    TML_TRY(status);
    (void)residual(w, &w->s);
    w->info.residual = tml_statics_balance(w);
    w->info.unstable = w->stability.known ? w->stability.unstable : -1;
    w->info.negative = w->stability.known ? w->stability.negative : -1;
    w->info.growth = w->stability.growth;
    return TML_OK;
}

/* Tells whether the equilibrium beside the start is the answer: stable, or in a frame that turns
 * not pushed away from. There a slow growth (of damping inside a rotor above its critical speed) is
 * told, but leads to no other place. */
static bool is_answer(const Work *w)
{
    return w->o.nearest || (w->spins ? !w->stability.diverges : w->stability.unstable == 0);
}

/* Notes that w->near is nearer, when w->s is another equilibrium and farther from the start. */
static void note_nearer(Work *w)
{
    double moved, turned;
    const double far = way_from_start(w, &w->s, &moved, &turned);
    const double near = way_from_start(w, &w->near, &moved, &turned);
    if (near < 0.9 * far && far - near > 1e-6) {
        w->info.nearer = true;
        w->info.nearer_moved = moved;
        w->info.nearer_turned = turned;
    } else {
        w->info.nearer_unstable = 0;
    }
}

/* Looks for an equilibrium downhill, then by the ramp of loads. near says that (T4) has found an
 * unstable equilibrium, which the ramp would find again. */
static TmlStatus go_far(Work *w, bool near, double *x, TmlError *err)
{
    double moved, turned;
    back_to(w, &w->start);
    if (continuation(w, w->o.max_iterations / 2) || (!near && load_stepping(w))) {
        TML_TRY(judge(w, err));
        const double way = way_from_start(w, &w->s, &moved, &turned);
        // ways of rounding have no ratio
        w->info.beyond = w->first_step > 0.0 && way > w->o.tolerance ? way / w->first_step : 0.0;
    } else if (near) {
        back_to(w, &w->near);
        TML_TRY(judge(w, err));
    } else {
        return tml_statics_none(w, x, err);
    }
    if (near) {
        note_nearer(w);
    }
    return TML_OK;
}

static TmlStatus statics_run(Work *w, TmlError *err)
{
    double *x, stiffness, pull;
    TML_TRY(statics_setup(w, err));
    TML_NEW(&w->arena, x, tml_dims(w->sys)->n);
    w->ramp = 1.0;
    const bool near = nearby(w);
    if (near) {
        tml_state_copy(w->sys, &w->s, &w->near);
        TML_TRY(judge(w, err));
        w->info.nearer_unstable = w->info.unstable;
    }
    if (!near || !is_answer(w)) {
        TML_TRY(go_far(w, near, x, err));
    } else {
        w->info.nearer_unstable = 0;
    }
    w->info.neutral = tml_statics_weakest(w, false, x, &stiffness, &pull) &&
                      fabs(stiffness) <= tml_statics_no_stiffness(w);
    return settle(w, err);
}

/* --- the call ------------------------------------------------------------------------------- */

TmlStaticsOptions tml_statics_options_default(void)
{
    return (TmlStaticsOptions){
        .size = sizeof(TmlStaticsOptions), .max_iterations = 1000, .tolerance = 1e-10};
}

TmlStatus tml_sim_statics(TmlSim *sim, const TmlStaticsOptions *options, TmlStaticsInfo *out,
                          TmlError *err)
{
    Work *w = NULL;
    const uint64_t former = tml_blocks_enter(sim->owner);
    const TmlStatus status = tml_statics_open(sim, options, &w, err);
    tml_blocks_enter(former);
    if (out != NULL) {
        *out = w != NULL ? w->info : (TmlStaticsInfo){0};
    }
    tml_statics_close(w);
    return status;
}

/* --- lent to statics_path.c ----------------------------------------------------------------- */

TmlStatus tml_statics_open(TmlSim *sim, const TmlStaticsOptions *options, TmlStaticsWork **out,
                           TmlError *err)
{
    const TmlStaticsOptions o = options != NULL ? *options : tml_statics_options_default();
    *out = NULL;
    if (o.size != sizeof o || o.max_iterations < 1 || !(o.tolerance > 0.0) ||
        !v3_finite(o.spin.rate) || !v3_finite(o.spin.at)) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "statics with %d iterations and tolerance %g: both must be positive, the "
                        "frame finite; start from tml_statics_options_default",
                        (int)o.max_iterations, o.tolerance);
    }
    Work *w = tml_mem_zalloc(1, sizeof *w);
    if (w == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for statics");
    }
    *w = (Work){.sim = sim, .sys = sim->sys, .o = o};
    w->info.spin = tml_spin_choose(sim->model, &o.spin, o.fixed);
    w->spins = tml_spins(&w->info.spin);
    const TmlSystemStats before = tml_system_stats(sim->sys);
    sim->it.now.alone = true; // time does not pass
    const TmlStatus status = statics_run(w, err);
    if (status != TML_OK) {
        tml_system_hold_constants(sim->sys, &sim->it.now);
    }
    tml_flex_forget(sim->sys);
    tml_system_set_stats(sim->sys, before); // the run alone is counted
    tml_sim_path_end(sim);
    if (status != TML_OK) {
        tml_system_commit(sim->sys, &sim->it.now);
    }
    *out = w;
    return status;
}

/* Time goes on from the equilibrium, which has lasted for ever. */
static void go_on_from_here(TmlSim *sim)
{
    sim->it.now.still = sim->row.still = false;
    sim->it.now.adjusts = sim->row.adjusts = false;
    tml_sim_rows_start_over(sim);
    tml_sim_delays_rest(sim);
}

void tml_statics_close(TmlStaticsWork *w)
{
    if (w != NULL) {
        tml_flex_forget(w->sys);
        if (w->settled) {
            go_on_from_here(w->sim);
        }
        tml_spin_matrix_free(&w->spin);
        tml_arena_free(&w->arena);
        tml_mem_free(w);
    }
}

bool tml_statics_residual(TmlStaticsWork *w, TmlState *s, double *r)
{
    const bool finite = residual(w, s);
    memcpy(r, w->r, (size_t)tml_dims(w->sys)->n * sizeof *r);
    return finite;
}

int tml_statics_factor(TmlStaticsWork *w, const TmlState *s, double c_a)
{
    return matrix_factor(w, s, c_a);
}

void tml_statics_solve(TmlStaticsWork *w, double *x)
{
    matrix_solve(w, x);
}

int tml_statics_sign(const TmlStaticsWork *w)
{
    return w->spins ? tml_lu_sign(w->spin.lu) : tml_system_sign(w->sys, TML_FACTORS_STEP);
}

void tml_statics_move(TmlStaticsWork *w, const TmlState *s, const double *dx, TmlState *to)
{
    move(w, s, dx, to);
}

double tml_statics_size(const TmlStaticsWork *w, const double *du)
{
    return motion_size(w->sys, du);
}

double tml_statics_balance(const TmlStaticsWork *w)
{
    return w->force > 0.0 ? tml_balance_size(w->sys, w->r) / w->force : 0.0;
}

int tml_statics_negative(const TmlStaticsWork *w)
{
    return w->info.negative > 0 ? w->info.negative : 0;
}

TmlStatus tml_statics_settle(TmlStaticsWork *w, const TmlState *s, TmlError *err)
{
    tml_flex_forget(w->sys);
    tml_state_copy(w->sys, s, &w->s);
    return settle(w, err);
}
