/* analysis/integrator/tlismni.c - two-loop implicit sparse matrix numerical integration [000].
 *
 * Unknown of a step: z, the accelerations of the independent coordinates (and X' of user states).
 * The formulas (low_order.h) hold for all coordinates:
 *
 *   (T1)  q = base_q + c_q a_f,  v = base_v + c_v a_f,  X = base_X + c_x X'_f
 *   (T2)  inner loop: q closed on Phi = 0 by the dependent coordinates, a_f = (q - base_q) / c_q;
 *         then v; accelerations a_g, lambda, X'_g of (S1) to (S3) at (q, v, X)      [000] (2) to
 * (5) (T3)  outer loop: F(z) = a_f - a_g on the independent coordinates, X'_f - X'_g       [000]
 * (7) (T4)  a change dz moves q by c_q N dz, N the tangent of the constraints, and q is closed
 * again
 *
 *   (T5)  simple iteration: dz = -F(z); converges while c_q w^2 < 1 for the largest frequency w
 *   (T6)  Newton-Krylov: F' dz = -F with products F' y = (F(z + s y) - F(z)) / s   [000] (8) to
 * (16) in scaled unknowns, |D^-1 y| = 1, D = allowed position error / c_q (T7)  preconditioner: K
 * P^-1 r = K_0 N r, K the step matrix at some earlier state and step, K_0 the acceleration-level
 * one; P^-1 F' is close to 1 whatever the stiffness           own Applied from the left, so that
 * |P^-1 F| estimates the error of z (T8)  converged when share |P^-1 F| <= c, share = C h^2 / c_q:
 * measured at the very state that is accepted. (T5): share |F| / (1 - rate) <= c (T9)  local error:
 * C h^2 (a - a_n) on independent coordinates, spread by N, filtered by P^-1 when there is one
 *
 * With iteration=auto the loop begins simple and changes to corrections -P^-1 F when it contracts
 * too little, to Krylov vectors when these do; and back when |F - P^-1 F| says that simple would
 * do.
 */
#include "analysis/integrator/tlismni.h"

#include "analysis/krylov.h"
#include "analysis/low_order.h"
#include "base/fail.h"
#include "system/partition.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { CALM_STEPS = 10 };

static const double bias = 6.0;         // of the driver's step law
static const double raw_share = 0.1;    // of the error across the constraints, see implicit.c
static const double noise = 0.3;        // corrections that stop shrinking below are rounding
static const double simple_limit = 0.5; // contraction at which (T5) is given up
static const double simple_rate = 0.25; // that the next step should have
static const double calm_share = 0.02;  // difference that P^-1 makes when it is not needed

typedef enum Iteration { AUTO, SIMPLE, ARNOLDI, IOM } Iteration;
typedef enum Precondition { PRE_AUTO, PRE_YES, PRE_NO } Precondition;

typedef struct Options {
    double alpha, newton;
    int iteration, depth, krylov, preconditioner, coordinates, max_iterations;
    bool filter;
} Options;

/* a_f and X'_f: carried along and not taken from positions, whose rounding over c_q would be noise
 * in the velocities. */
typedef struct Rates {
    double *a, *xd; /* nq, nx */
} Rates;

typedef struct Work {
    TmlLowOrder formula;
    TmlPartition *partition;
    TmlKrylov krylov;
    TmlState trial;
    bool choose;         /* independent coordinates must be chosen before the next step */
    int n_u, n;          /* independent coordinates; and user states */
    Rates rates, at;     /* of the iterate; of the trial under way */
    double *F, *b;       /* n, scaled: F at the iterate, right side */
    double *dz, *scale;  /* n: correction; D */
    double *du, *dq;     /* nu, nq: scratch */
    double *dX;          /* nx */
    double *r, *x;       /* system n */
    double *k0;          /* values of K_0 at the iterate */
    double increment;    /* s of (T6) */
    bool preconditioned; /* (T7) in use */
    bool stiff;          /* with auto: (T7) from the first pass on */
    bool stale;          /* its factors should be renewed */
    double factor_cq;
    int calm;    /* steps in a row for which the simple iteration would have done */
    double rate; /* of the last iteration */
    TmlTlismniStats stats;
} Work;

TmlTlismniStats tml_tlismni_stats(const TmlIntegrator *it)
{
    const Work *w = it->work;
    return w->stats;
}

/* --- evaluation ----------------------------------------------------------------------------- */

/* F at s, whose q is near the constraints, with a_f and X' of `rates`, scaled. What closing adds to
 * q is added to a_f. False: no state there. */
static bool evaluate(TmlIntegrator *it, TmlState *s, const Rates *rates, double *F, TmlCause *cause)
{
    Work *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlLowOrder *f = &w->formula;
    TmlError err;
    w->stats.evaluations++;
    *cause = TML_CAUSE_NEWTON;
    if (!tml_partition_close_positions(w->partition, s)) {
        return false;
    }
    const double *added = tml_partition_moved(w->partition);
    for (int k = 0; k < sys->nq; ++k) {
        rates->a[k] += added[k] / f->cq; // (T2)
        s->v[k] = f->base_v[k] + f->cv * rates->a[k];
    }
    if (!tml_partition_close_velocities(w->partition, s)) {
        return false;
    }
    for (int k = 0; k < sys->nx; ++k) {
        s->X[k] = f->base_X[k] + f->cx * rates->xd[k];
    }
    const TmlStatus status = tml_system_accelerations(sys, s, &err);
    if (status != TML_OK) {
        *cause = status == TML_E_SINGULAR    ? TML_CAUSE_SINGULAR
                 : status == TML_E_NONFINITE ? TML_CAUSE_NONFINITE
                                             : TML_CAUSE_NEWTON;
        return false;
    }
    for (int k = 0; k < sys->nq; ++k) {
        w->dq[k] = rates->a[k] - s->a[k];
    }
    tml_system_reduce(sys, s->q, w->dq, w->du);
    const int *index = tml_partition_index(w->partition);
    for (int k = 0; k < w->n_u; ++k) {
        F[k] = w->du[index[k]] / w->scale[k];
    }
    for (int k = 0; k < sys->nx; ++k) {
        F[w->n_u + k] = (rates->xd[k] - s->Xd[k]) / w->scale[w->n_u + k];
    }
    return true;
}

/* s = it->next moved by c times the scaled change y, with its rates. (T4) */
static void moved(TmlIntegrator *it, double c, const double *y, TmlState *s, const Rates *rates)
{
    const Work *w = it->work;
    TmlSystem *sys = it->sys;
    const int *index = tml_partition_index(w->partition);
    if (s != &it->next) {
        tml_state_copy(sys, &it->next, s);
        s->t = it->next.t;
    }
    memset(w->du, 0, (size_t)sys->nu * sizeof *w->du);
    for (int k = 0; k < w->n_u; ++k) {
        w->du[index[k]] = c * w->scale[k] * y[k];
    }
    tml_partition_tangent(w->partition, w->du);
    tml_system_expand(sys, s->q, w->du, w->dq);
    for (int k = 0; k < sys->nq; ++k) {
        rates->a[k] = w->rates.a[k] + w->dq[k];
        s->q[k] += w->formula.cq * w->dq[k];
    }
    tml_system_retract(sys, s->q);
    for (int k = 0; k < sys->nx; ++k) {
        rates->xd[k] = w->rates.xd[k] + c * w->scale[w->n_u + k] * y[w->n_u + k];
    }
}

/* D of (T6). */
static void set_scales(TmlIntegrator *it)
{
    const Work *w = it->work;
    const TmlSystem *sys = it->sys;
    const int *index = tml_partition_index(w->partition);
    int body = 0;
    for (int k = 0; k < w->n_u; ++k) {
        while (index[k] >= sys->u0[body + 1]) {
            body++;
        }
        const bool translation = index[k] - sys->u0[body] < 3;
        w->scale[k] = (translation ? it->norm.translation : it->norm.rotation) / w->formula.cq;
    }
    for (int k = 0; k < sys->nx; ++k) {
        // not below the rounding of what a state has become
        const double floor = 64.0 * DBL_EPSILON * fabs(it->now.X[k]);
        w->scale[w->n_u + k] = fmax(it->norm.state[k], floor) / w->formula.cx;
    }
}

static double norm(int n, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

/* --- preconditioner ------------------------------------------------------------------------- */

/* r = K^-1 K_0 x on full unknowns; x has u-components and X' only. */
static void step_solve(TmlIntegrator *it)
{
    Work *w = it->work;
    TmlSystem *sys = it->sys;
    TmlCsc K0 = sys->matrix[TML_MATRIX_STEP].K;
    K0.x = w->k0;
    memset(w->r, 0, (size_t)sys->n * sizeof *w->r);
    tml_csc_mul(&K0, w->x, w->r);
    memset(w->r + sys->nu, 0, (size_t)sys->m * sizeof *w->r);
    tml_system_solve(sys, w->r);
}

/* F <- P^-1 F, scaled. */
static void precondition(TmlIntegrator *it, double *F)
{
    Work *w = it->work;
    const TmlSystem *sys = it->sys;
    const int *index = tml_partition_index(w->partition);
    memset(w->x, 0, (size_t)sys->n * sizeof *w->x);
    for (int k = 0; k < w->n_u; ++k) {
        w->x[index[k]] = w->scale[k] * F[k];
    }
    tml_partition_tangent(w->partition, w->x);
    for (int k = 0; k < sys->nx; ++k) {
        w->x[sys->nu + sys->m + k] = w->scale[w->n_u + k] * F[w->n_u + k];
    }
    step_solve(it);
    for (int k = 0; k < w->n_u; ++k) {
        F[k] = w->r[index[k]] / w->scale[k];
    }
    for (int k = 0; k < sys->nx; ++k) {
        F[w->n_u + k] = w->r[sys->nu + sys->m + k] / w->scale[w->n_u + k];
    }
}

/* K at it->next. */
static bool renew(TmlIntegrator *it)
{
    Work *w = it->work;
    TmlSystem *sys = it->sys;
    const TmlLowOrder *f = &w->formula;
    const TmlCoeffs c = {.a = 1.0, .v = f->cv, .q = f->cq};
    tml_system_residual(sys, &it->next, TML_LEVEL_POSITION, w->r);
    tml_system_jacobian(sys, &it->next, c, f->cx);
    w->stale = tml_system_factor(sys) >= 0;
    w->factor_cq = f->cq;
    w->stats.preconditioners++;
    return !w->stale;
}

/* Remember K_0, which the last evaluation has left in the matrix. */
static void keep_k0(TmlIntegrator *it)
{
    const TmlCsc *K = &it->sys->matrix[TML_MATRIX_STEP].K;
    const Work *w = it->work;
    memcpy(w->k0, K->x, (size_t)K->start[K->cols] * sizeof *w->k0);
}

/* --- outer loop ----------------------------------------------------------------------------- */

/* A product of (T6), preconditioned. */
static bool product(void *user, const double *v, double *out)
{
    TmlIntegrator *it = user;
    Work *w = it->work;
    TmlCause cause;
    moved(it, w->increment, v, &w->trial, &w->at);
    if (!evaluate(it, &w->trial, &w->at, out, &cause)) {
        return false;
    }
    for (int k = 0; k < w->n; ++k) {
        out[k] = (out[k] - w->F[k]) / w->increment;
    }
    if (w->preconditioned) {
        precondition(it, out);
    }
    w->stats.krylov++;
    return true;
}

/* Size of s: moves positions by 1e-8 to 1e-6 of the model, velocities by little of what they are.
 */
static double increment(const TmlIntegrator *it)
{
    const Work *w = it->work;
    const double tolerance = it->norm.rotation;
    double move = fmin(fmax(tolerance, 1e-8), 1e-6);
    move = fmin(move, 1e-3 * it->norm.rate * w->formula.cq / w->formula.cv);
    return fmax(move, 1e-10) / tolerance;
}

/* Corrections below this are rounding: a unit in the last place of the largest position. */
static double rounding_size(const TmlIntegrator *it)
{
    double big = it->sys->length;
    for (int b = 1; b < it->sys->nb; ++b) {
        for (int k = 0; k < 3; ++k) {
            big = fmax(big, fabs(it->next.q[it->sys->q0[b] + k]));
        }
    }
    return DBL_EPSILON * fmax(big / it->norm.translation, 1.0 / it->norm.rotation);
}

/* The correction -F or -P^-1 F into w->b; its size. */
static double correction(TmlIntegrator *it)
{
    Work *w = it->work;
    for (int k = 0; k < w->n; ++k) {
        w->b[k] = -w->F[k];
    }
    if (w->preconditioned) {
        precondition(it, w->b);
    }
    return norm(w->n, w->b);
}

/* F at it->next. */
static bool evaluate_next(TmlIntegrator *it, TmlAttempt *out)
{
    const Work *w = it->work;
    if (!evaluate(it, &it->next, &w->rates, w->F, &out->cause)) {
        return false;
    }
    keep_k0(it);
    return true;
}

static bool apply(TmlIntegrator *it, const double *dz, TmlAttempt *out)
{
    Work *w = it->work;
    moved(it, 1.0, dz, &it->next, &w->rates);
    out->iterations++;
    it->iterations++;
    w->stats.corrections++;
    return evaluate_next(it, out);
}

/* How a pass of the outer loop works. */
typedef struct Pass {
    bool precondition, fresh, krylov;
    bool last; /* nothing else is left to try */
} Pass;

/* Would the simple iteration do as well? Asked of the first correction of a pass. */
static void watch_calm(Work *w, double size)
{
    double sum = 0.0;
    for (int k = 0; k < w->n; ++k) {
        sum += (w->F[k] + w->b[k]) * (w->F[k] + w->b[k]);
    }
    w->calm = sqrt(sum) <= calm_share * size ? w->calm + 1 : 0;
}

/* dz of the linear system, or the plain correction. */
static const double *next_move(TmlIntegrator *it, const Pass *pass, double size, double share)
{
    Work *w = it->work;
    const Options *o = it->opts;
    if (!pass->krylov) {
        return w->b;
    }
    const double delta = fmax(0.05 * o->newton / share, 1e-3 * size);
    w->increment = increment(it);
    const TmlKrylovOut out = tml_krylov_solve(&w->krylov, product, it, w->b, delta, w->dz);
    return out.failed && out.iterations == 0 ? NULL : w->dz;
}

/* The outer loop from it->next, where F is known. True when converged. */
static bool iterate(TmlIntegrator *it, const Pass *pass, TmlAttempt *out)
{
    Work *w = it->work;
    const Options *o = it->opts;
    const TmlLowOrder *f = &w->formula;
    const double share = f->error * f->h * f->h / f->cq, floor = rounding_size(it);
    double last = HUGE_VAL;
    w->rate = 0.0;
    for (int k = 0; k < o->max_iterations; ++k) {
        const double size = correction(it), rate = k > 0 ? size / last : 0.5;
        if (!isfinite(size)) {
            return false;
        }
        if (k == 0 && w->preconditioned) {
            watch_calm(w, size);
        }
        w->rate = k > 0 ? fmax(w->rate, size > floor ? rate : 0.0) : 0.0;
        const double left = w->preconditioned ? size : size / (1.0 - fmin(rate, 0.9));
        const bool stalled = k > 0 && rate > 0.9;
        const bool rounded =
            stalled && (size <= 64.0 * floor || (pass->last && share * size <= noise));
        if (share * left <= o->newton || size <= floor || rounded) {
            w->stale = w->stale || (!pass->krylov && w->rate > 0.3) || k > 3;
            return true;
        }
        if (stalled || (k > 0 && !pass->krylov && !w->preconditioned && rate > simple_limit)) {
            return false;
        }
        const double *dz = next_move(it, pass, size, share);
        if (dz == NULL || !apply(it, dz, out)) {
            return false;
        }
        last = size;
    }
    return false;
}

/* it->next by extrapolation, closed and evaluated. */
static bool predict(TmlIntegrator *it, TmlAttempt *out)
{
    Work *w = it->work;
    const TmlLowOrder *f = &w->formula;
    TmlState *s = &it->next;
    tml_state_copy(it->sys, &it->now, s);
    s->t = it->now.t + f->h;
    tml_low_order_predict(f, w->rates.a, w->rates.xd);
    for (int k = 0; k < f->nq; ++k) {
        s->q[k] = f->base_q[k] + f->cq * w->rates.a[k];
    }
    tml_system_retract(it->sys, s->q);
    return evaluate_next(it, out);
}

static bool try_pass(TmlIntegrator *it, const Pass *pass, TmlAttempt *out)
{
    Work *w = it->work;
    const double cq = w->formula.cq;
    if (!predict(it, out)) {
        return false;
    }
    w->preconditioned = pass->precondition;
    if (pass->precondition) {
        const bool far = !(cq <= 4.0 * w->factor_cq && cq >= 0.25 * w->factor_cq);
        if ((pass->fresh || w->stale || far) && !renew(it)) {
            out->cause = TML_CAUSE_SINGULAR;
            return false;
        }
    }
    out->cause = TML_CAUSE_NEWTON;
    out->converged = iterate(it, pass, out);
    return out->converged;
}

/* The passes that the options allow, in the order in which they are tried. */
static int plan(const TmlIntegrator *it, Pass *pass)
{
    const Options *o = it->opts;
    const Work *w = it->work;
    const bool krylov = o->iteration == ARNOLDI || o->iteration == IOM;
    int n = 0;
    if (o->iteration != AUTO) {
        const bool p = o->preconditioner == PRE_YES || (krylov && o->preconditioner == PRE_AUTO);
        pass[n++] = (Pass){.precondition = p, .krylov = krylov};
        if (p) {
            pass[n++] = (Pass){.precondition = true, .fresh = true, .krylov = krylov};
        }
        return n;
    }
    if (o->preconditioner == PRE_NO) {
        pass[n++] = (Pass){.krylov = false};
        pass[n++] = (Pass){.krylov = true};
        return n;
    }
    pass[n++] = (Pass){.precondition = w->stiff || o->preconditioner == PRE_YES};
    pass[n++] = (Pass){.precondition = true, .fresh = true};
    pass[n++] = (Pass){.precondition = true, .krylov = true};
    return n;
}

/* (T9) */
static double local_error(TmlIntegrator *it, int *at)
{
    Work *w = it->work;
    const Options *o = it->opts;
    TmlSystem *sys = it->sys;
    int at_raw = -1, at_x = -1;
    tml_low_order_error(&w->formula, &it->next, w->dq, w->dX);
    memset(w->x, 0, (size_t)sys->n * sizeof *w->x);
    tml_system_reduce(sys, it->next.q, w->dq, w->x);
    const double raw = raw_share * tml_norm_u(sys, &it->norm, w->x, &at_raw);
    tml_partition_tangent(w->partition, w->x);
    double u = tml_norm_u(sys, &it->norm, w->x, at);
    if (o->filter && w->preconditioned) {
        step_solve(it);
        u = tml_norm_u(sys, &it->norm, w->r, at);
    }
    *at = raw > u ? at_raw : *at;
    const double x = tml_norm_x(sys, &it->norm, w->dX, &at_x);
    *at = x > fmax(u, raw) ? at_x : *at;
    return fmax(x, fmax(u, raw));
}

/* Next step: by the error, the formula's stability, and what the simple iteration bears. */
static double proposal(const TmlIntegrator *it, double error)
{
    const Work *w = it->work;
    const Options *o = it->opts;
    double factor = pow(bias * fmax(error, 1e-10), -1.0 / 3.0);
    factor = fmin(tml_low_order_growth(&w->formula), fmax(0.2, factor));
    if (o->iteration == SIMPLE && !w->preconditioned && w->rate > 0.0) {
        factor = fmin(factor, fmax(0.5, sqrt(simple_rate / w->rate))); // the rate goes with h^2
    }
    return factor * w->formula.h;
}

static TmlStatus choose(TmlIntegrator *it, TmlError *err)
{
    Work *w = it->work;
    TML_TRY(tml_partition_choose(w->partition, &it->now, err));
    w->choose = false;
    w->n_u = tml_partition_count(w->partition);
    w->n = w->n_u + it->sys->nx;
    w->krylov.n = w->n;
    w->krylov.max = w->krylov.max < w->n ? w->krylov.max : w->n;
    w->stats.partitions++;
    return TML_OK;
}

static TmlStatus tlismni_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    Work *w = it->work;
    const Options *o = it->opts;
    Pass pass[3];
    *out = (TmlAttempt){.order = 2, .worst = -1};
    if (w->choose && choose(it, err) != TML_OK) {
        out->cause = TML_CAUSE_SINGULAR;
        return err->status == TML_E_NOMEM ? TML_E_NOMEM : TML_OK;
    }
    tml_low_order_begin(&w->formula, h);
    set_scales(it);
    const int n = plan(it, pass);
    pass[n - 1].last = true;
    for (int k = 0; k < n && !out->converged; ++k) {
        try_pass(it, &pass[k], out);
    }
    if (!out->converged) {
        w->stale = true;
        return TML_OK;
    }
    if (o->iteration == AUTO && o->preconditioner == PRE_AUTO) {
        w->stiff = w->preconditioned ? w->calm < CALM_STEPS : w->rate > 0.3;
    }
    out->cause = TML_CAUSE_NONE;
    out->error = local_error(it, &out->worst);
    out->proposal = out->error <= 1.0 ? proposal(it, out->error) : 0.0;
    return TML_OK;
}

/* --- the method's frame --------------------------------------------------------------------- */

static void tlismni_restart(TmlIntegrator *it)
{
    Work *w = it->work;
    tml_low_order_restart(&w->formula, &it->now);
    w->choose = w->stale = true;
    w->calm = 0;
}

static TmlStatus tlismni_accept(TmlIntegrator *it, double h, TmlError *err)
{
    Work *w = it->work;
    (void)h;
    (void)err;
    tml_low_order_accept(&w->formula, &it->next);
    w->choose = w->choose || tml_partition_worn(w->partition);
    return TML_OK;
}

static void tlismni_reject(TmlIntegrator *it)
{
    Work *w = it->work;
    tml_low_order_reject(&w->formula);
}

static void tlismni_teardown(TmlIntegrator *it)
{
    const Work *w = it->work;
    if (w != NULL) {
        tml_partition_free(w->partition);
    }
}

/* Independent coordinates: Pfaffian rows take none away. */
static int free_coordinates(const TmlSystem *sys)
{
    int n = sys->nu;
    for (int c = 0; c < sys->model->constraints.n; ++c) {
        for (int k = 0; k < sys->model->constraints.at[c].type->rows; ++k) {
            n -= sys->row_unknown[sys->constraint[c].row0 + k] >= 0 &&
                 (sys->pfaffian[c] >> k & 1u) == 0;
        }
    }
    return n;
}

static TmlStatus setup(TmlIntegrator *it, TmlFormula formula, TmlError *err)
{
    TmlSystem *sys = it->sys;
    const Options *o = it->opts;
    const TmlCsc *K = &sys->matrix[TML_MATRIX_STEP].K;
    Work *w;
    TML_NEW(it->arena, w, 1);
    it->work = w;
    w->formula.formula = formula;
    w->formula.alpha = o->alpha;
    const int n = free_coordinates(sys) + sys->nx;
    TML_TRY(tml_low_order_setup(&w->formula, it, err));
    TML_TRY(tml_krylov_setup(&w->krylov, it->arena, n, o->krylov,
                             o->iteration == IOM ? o->depth : o->krylov, err));
    TML_TRY(tml_state_create_in(sys, it->arena, &w->trial, err));
    double **const vector[] = {&w->F, &w->b, &w->dz, &w->scale};
    for (size_t k = 0; k < sizeof vector / sizeof vector[0]; ++k) {
        TML_NEW(it->arena, *vector[k], n + 1);
    }
    TML_NEW(it->arena, w->rates.a, sys->nq + 1);
    TML_NEW(it->arena, w->rates.xd, sys->nx + 1);
    TML_NEW(it->arena, w->at.a, sys->nq + 1);
    TML_NEW(it->arena, w->at.xd, sys->nx + 1);
    TML_NEW(it->arena, w->du, sys->nu + 1);
    TML_NEW(it->arena, w->dq, sys->nq + 1);
    TML_NEW(it->arena, w->dX, sys->nx + 1);
    TML_NEW(it->arena, w->r, sys->n + 1);
    TML_NEW(it->arena, w->x, sys->n + 1);
    TML_NEW(it->arena, w->k0, K->start[K->cols] + 1);
    return tml_partition_create(sys, &w->partition, err);
}

static TmlStatus setup_park(TmlIntegrator *it, TmlError *err)
{
    return setup(it, TML_FORMULA_PARK, err);
}

static TmlStatus setup_bdf2(TmlIntegrator *it, TmlError *err)
{
    return setup(it, TML_FORMULA_BDF2, err);
}

static TmlStatus setup_trapezoidal(TmlIntegrator *it, TmlError *err)
{
    return setup(it, TML_FORMULA_TRAPEZOIDAL, err);
}

static TmlStatus setup_hht(TmlIntegrator *it, TmlError *err)
{
    return setup(it, TML_FORMULA_HHT, err);
}

static TmlStatus tlismni_check(const void *opts, TmlError *err)
{
    const Options *o = opts;
    if (!(o->alpha >= -1.0 / 3.0 && o->alpha <= 0.0)) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'alpha' is %g; it must be from -1/3 to 0",
                        o->alpha);
    }
    if (o->max_iterations < 2) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'iterations' is %d; it must be at least 2",
                        o->max_iterations);
    }
    if (o->coordinates != 0) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "option 'coordinates' is 'recursive', which is not available yet; use "
                        "'partitioned'");
    }
    return TML_OK;
}

#define SHARED_PARAMS                                                                              \
    {"iteration",                                                                                  \
     TML_PARAM_CHOICE,                                                                             \
     TML_ANY,                                                                                      \
     "",                                                                                           \
     offsetof(Options, iteration),                                                                 \
     "auto",                                                                                       \
     "outer loop: simple, Newton with Arnoldi's method or its incomplete form, or by the "         \
     "measured "                                                                                   \
     "rate",                                                                                       \
     "auto|simple|arnoldi|iom"},                                                                   \
        {"preconditioner",                                                                         \
         TML_PARAM_CHOICE,                                                                         \
         TML_ANY,                                                                                  \
         "",                                                                                       \
         offsetof(Options, preconditioner),                                                        \
         "auto",                                                                                   \
         "correct through the factors of an earlier step matrix; auto: where it pays",             \
         "auto|true|false"},                                                                       \
        {"krylov",                                                                                 \
         TML_PARAM_INT,                                                                            \
         TML_POSITIVE,                                                                             \
         "",                                                                                       \
         offsetof(Options, krylov),                                                                \
         "20",                                                                                     \
         "largest dimension of the Krylov subspace",                                               \
         NULL},                                                                                    \
        {"depth",                                                                                  \
         TML_PARAM_INT,                                                                            \
         TML_POSITIVE,                                                                             \
         "",                                                                                       \
         offsetof(Options, depth),                                                                 \
         "5",                                                                                      \
         "vectors that iom makes a new one orthogonal to",                                         \
         NULL},                                                                                    \
        {"newton",                                                                                 \
         TML_PARAM_REAL,                                                                           \
         TML_POSITIVE,                                                                             \
         "",                                                                                       \
         offsetof(Options, newton),                                                                \
         "1e-4",                                                                                   \
         "share of the tolerance that the outer loop may leave",                                   \
         NULL},                                                                                    \
        {"iterations",                                                                             \
         TML_PARAM_INT,                                                                            \
         TML_POSITIVE,                                                                             \
         "",                                                                                       \
         offsetof(Options, max_iterations),                                                        \
         "10",                                                                                     \
         "corrections before a step is cut",                                                       \
         NULL},                                                                                    \
        {"filter",                                                                                 \
         TML_PARAM_BOOL,                                                                           \
         TML_ANY,                                                                                  \
         "",                                                                                       \
         offsetof(Options, filter),                                                                \
         "true",                                                                                   \
         "judge the error without modes stiffer than the step, where the preconditioner is in "    \
         "use",                                                                                    \
         NULL},                                                                                    \
    {                                                                                              \
        "coordinates", TML_PARAM_CHOICE, TML_ANY, "", offsetof(Options, coordinates),              \
            "partitioned",                                                                         \
            "independent coordinates: chosen among those of the bodies, or joint angles",          \
            "partitioned|recursive"                                                                \
    }

static const TmlParam params[] = {SHARED_PARAMS, {0}};

static const TmlParam hht_params[] = {
    {"alpha", TML_PARAM_REAL, TML_ANY, "", offsetof(Options, alpha), "-0.2",
     "numerical damping, from -1/3 (most) to 0 (none)", NULL},
    SHARED_PARAMS,
    {0},
};

#define TLISMNI(id, words, table)                                                                  \
    const TmlIntegratorType tml_integrator_tlismni_##id = {                                        \
        .info = {.name = "tlismni-" #id,                                                           \
                 .text = words,                                                                    \
                 .data_size = sizeof(Options),                                                     \
                 .params = table},                                                                 \
        .tolerance = 1e-9,                                                                         \
        .order = 2,                                                                                \
        .check = tlismni_check,                                                                    \
        .setup = setup_##id,                                                                       \
        .restart = tlismni_restart,                                                                \
        .attempt = tlismni_attempt,                                                                \
        .accept = tlismni_accept,                                                                  \
        .reject = tlismni_reject,                                                                  \
        .teardown = tlismni_teardown,                                                              \
    }

TLISMNI(park, "TLISMNI with Park's formula: implicit, order 2, constraints held exactly.", params);
TLISMNI(bdf2, "TLISMNI with BDF of order 2: implicit, constraints held exactly.", params);
TLISMNI(trapezoidal, "TLISMNI with the trapezoidal rule: order 2, no damping, constraints exact.",
        params);
TLISMNI(hht, "TLISMNI with HHT: order 2, numerical damping, constraints held exactly.", hht_params);
