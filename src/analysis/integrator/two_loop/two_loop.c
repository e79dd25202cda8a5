/* analysis/integrator/two_loop/two_loop.c - the loops of TLISMNI [000].
 *
 *   (T4)  a change dz moves q by c_q N dz, N the tangent of the constraints; q is closed again
 *   (T5)  simple iteration: dz = -F(z); converges while c_q w^2 < 1 for the largest frequency w
 *   (T6)  Newton-Krylov: F' dz = -F, products F' y = (F(z + s y) - F(z)) / s   [000] (8) to (16)
 *         in scaled unknowns, |D^-1 y| = 1, D = allowed position error / c_q
 *   (T7)  preconditioner: K P^-1 r = K_0 N r, K the step matrix of some earlier state and step,
 *         K_0 the acceleration-level one as it was last factored; P^-1 F' is close to 1 whatever
 *         the stiffness. Applied from the left, so that |P^-1 F| estimates the error of z    own
 *   (T8)  converged when share |P^-1 F| <= newton, share = C h^2 / c_q: measured at the very state
 *         that is accepted. Simple: share |F| / (1 - rate) <= newton
 *   (T13) with flexible bodies and contacts the history and the error have a_g + N (a_f - a_g), a_f of the
 *         independent coordinates: in the fastest modes a_f and a_g differ by what the iteration
 *         leaves in q times the square of a frequency, which the next prediction would turn into
 *         strains. a_f of the dependent ones is no acceleration: it is what closing q needs, with
 *         the error of the formula over c_q, and does not obey the constraints               own
 *   (T14) a_f as it is lags behind where steps are short: what may be left of positions is so much over c_q in a_f, step
 *         after step. Of contacts the history therefore has the correction -P^-1 F that was not made any more          own
 */
#include "analysis/integrator/two_loop/two_loop.h"

#include "analysis/integrator/convergence.h"
#include "analysis/integrator/soft_start.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

static const double noise = 0.3; // (C3): corrections that stop shrinking below this are rounding
static const double rounding_steps = 64.0; // (C3): units in the last place in a sum of many terms
static const double simple_limit = 0.5;    // contraction at which (T5) is given up
static const double calm_share = 0.02;     // difference that P^-1 makes when it is not needed

/* --- evaluation ----------------------------------------------------------------------------- */

/* Remembers K_0, which the accelerations have just left in the matrix. */
static void keep_k0(const TmlIntegrator *it, const TmlTwoLoop *w)
{
    const TmlCsc *K = tml_system_matrix(it->sys, TML_MATRIX_STEP);
    memcpy(w->k0, K->x, (size_t)K->start[K->cols] * sizeof *w->k0);
}

bool tml_two_loop_accelerations(TmlIntegrator *it, TmlTwoLoop *w, TmlState *s, TmlCause *cause)
{
    TmlError err;
    const TmlStatus status = tml_system_accelerations_kept(it->sys, s, &w->kept, &err);
    *cause = status == TML_OK ? TML_CAUSE_NEWTON : tml_cause_of(status);
    if (w->kept.renewed) {
        keep_k0(it, w);
    }
    return status == TML_OK;
}

/* Evaluates F at s with its point y, whose q is near the constraints, with a_f and X' of `rates`,
 * scaled. What closing adds to q is added to a_f. It returns false when there is no state there. */
static bool evaluate(TmlIntegrator *it, TmlTwoLoop *w, TmlState *s, TmlPoint *y,
                     const TmlTwoLoopRates *rates, double *F, TmlCause *cause)
{
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlLowOrder *f = &w->formula;
    TmlCoordinates *c = &w->coordinates;
    it->loop.evaluations++;
    *cause = TML_CAUSE_NEWTON;
    const double *added = c->type->close_positions(c, s, y);
    if (added == NULL) {
        return false;
    }
    for (int k = 0; k < c->nq; ++k) {
        rates->a[k] += added[k] / f->cq; // (T2)
        y->v[k] = f->base_v[k] + f->cv * rates->a[k];
    }
    if (!c->type->close_velocities(c, s, y)) {
        return false;
    }
    for (int k = 0; k < dim->nx; ++k) {
        s->X[k] = f->base_X[k] + f->cx * rates->xd[k];
    }
    if (w->guess) {
        c->type->guess(c, s, y, rates->a);
    }
    if (s == &it->next) {
        tml_system_note_slips(it->sys); // products are made near it, with the same laws
    }
    if (!tml_two_loop_accelerations(it, w, s, cause)) {
        return false;
    }
    c->type->accelerations(c, s, y);
    for (int k = 0; k < c->nq; ++k) {
        w->dq[k] = rates->a[k] - y->a[k];
    }
    c->type->reduce(c, y, w->dq, w->du);
    const int *index = c->type->index(c);
    for (int k = 0; k < w->n_u; ++k) {
        F[k] = w->du[index[k]] / w->scale[k];
    }
    for (int k = 0; k < dim->nx; ++k) {
        F[w->n_u + k] = (rates->xd[k] - s->Xd[k]) / w->scale[w->n_u + k];
    }
    return true;
}

/* Moves y, the point of the iterate or of a trial, from the iterate by c times the scaled change z,
 * with its rates. (T4) */
static void moved(TmlIntegrator *it, TmlTwoLoop *w, double c, const double *z, TmlPoint *y,
                  const TmlTwoLoopRates *rates)
{
    TmlCoordinates *co = &w->coordinates;
    const TmlPoint from = co->type->point(co, &it->next, 0);
    const int *index = co->type->index(co);
    memset(w->du, 0, (size_t)co->n * sizeof *w->du);
    for (int k = 0; k < w->n_u; ++k) {
        w->du[index[k]] = c * w->scale[k] * z[k];
    }
    co->type->tangent(co, w->du);
    co->type->expand(co, &from, w->du, w->dq);
    for (int k = 0; k < co->nq; ++k) {
        rates->a[k] = w->rates.a[k] + w->dq[k];
        y->q[k] = from.q[k] + w->formula.cq * w->dq[k];
    }
    co->type->retract(co, y);
    for (int k = 0; k < tml_dims(it->sys)->nx; ++k) {
        rates->xd[k] = w->rates.xd[k] + c * w->scale[w->n_u + k] * z[w->n_u + k];
    }
}

/* Sets D of (T6). */
static void set_scales(const TmlIntegrator *it, const TmlTwoLoop *w)
{
    const TmlSystem *sys = it->sys;
    const TmlCoordinates *c = &w->coordinates;
    const int *index = c->type->index(c);
    for (int k = 0; k < w->n_u; ++k) {
        w->scale[k] = it->norm.rotation * c->type->unit(c, index[k]) / w->formula.cq;
    }
    for (int k = 0; k < tml_dims(sys)->nx; ++k) {
        // not below the rounding of what a state has become, or of what drives it
        const double floor = 64.0 * tml_norm_state_rounding(&it->norm, k, it->now.X[k]);
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

/* Sets r = K^-1 K_0 x on full unknowns; x has u-components and X' only. The tangent has put x onto
 * the rows of positions, where rounding is all that is left; of rows of velocities it knows nothing,
 * and what x has across them must stay. */
static void step_solve(TmlIntegrator *it, TmlTwoLoop *w)
{
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlCsc K0 = *tml_system_matrix(sys, TML_MATRIX_STEP);
    K0.x = w->k0;
    memset(w->r, 0, (size_t)dim->n * sizeof *w->r);
    tml_csc_mul(&K0, w->x, w->r);
    for (int row = 0; row < dim->m_all; ++row) {
        const TmlRowPlace place = tml_system_row(sys, row);
        if (place.unknown >= 0 && !place.velocity) {
            w->r[dim->nu + place.unknown] = 0.0;
        }
    }
    tml_step_factors_solve(&w->factors, sys, w->r);
}

/* Turns F into P^-1 F, scaled. */
static void precondition(TmlIntegrator *it, TmlTwoLoop *w, double *F)
{
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    TmlCoordinates *c = &w->coordinates;
    const TmlPoint y = c->type->point(c, &it->next, 0);
    const int *index = c->type->index(c);
    memset(w->x, 0, (size_t)dim->n * sizeof *w->x);
    memset(w->du, 0, (size_t)c->n * sizeof *w->du);
    for (int k = 0; k < w->n_u; ++k) {
        w->du[index[k]] = w->scale[k] * F[k];
    }
    c->type->tangent(c, w->du);
    c->type->to_bodies(c, &it->next, w->du, w->x);
    for (int k = 0; k < dim->nx; ++k) {
        w->x[dim->nu + dim->m + k] = w->scale[w->n_u + k] * F[w->n_u + k];
    }
    step_solve(it, w);
    c->type->from_bodies(c, &it->next, &y, w->r, w->du);
    for (int k = 0; k < w->n_u; ++k) {
        F[k] = w->du[index[k]] / w->scale[k];
    }
    for (int k = 0; k < dim->nx; ++k) {
        F[w->n_u + k] = w->r[dim->nu + dim->m + k] / w->scale[w->n_u + k];
    }
}

/* Assembles and factors K at it->next. */
static bool renew(TmlIntegrator *it, TmlTwoLoop *w)
{
    TmlSystem *sys = it->sys;
    const TmlLowOrder *f = &w->formula;
    const TmlCoeffs c = {.a = 1.0, .v = f->cv, .q = f->cq};
    tml_system_residual(sys, &it->next, TML_LEVEL_POSITION, w->r);
    tml_system_jacobian(sys, &it->next, c, f->cx);
    w->stale = tml_system_factor(sys, TML_FACTORS_STEP) >= 0;
    tml_step_factors_renewed(&w->factors, sys, f->cq);
    it->loop.preconditioners++;
    return !w->stale;
}

/* --- outer loop ----------------------------------------------------------------------------- */

/* A product needs this. */
typedef struct Loop {
    TmlIntegrator *it;
    TmlTwoLoop *w;
} Loop;

/* Makes a product of (T6), preconditioned. */
static bool product(void *user, const double *v, double *out)
{
    const Loop *l = user;
    TmlIntegrator *it = l->it;
    TmlTwoLoop *w = l->w;
    TmlCause cause;
    w->kept.loose = w->guess = false; // those of the iterate are closer
    TmlCoordinates *c = &w->coordinates;
    tml_state_copy(it->sys, &it->next, &w->trial);
    w->trial.t = it->next.t;
    TmlPoint y = c->type->point(c, &w->trial, 1);
    moved(it, w, w->increment, v, &y, &w->at);
    if (!evaluate(it, w, &w->trial, &y, &w->at, out, &cause)) {
        return false;
    }
    for (int k = 0; k < w->n; ++k) {
        out[k] = (out[k] - w->F[k]) / w->increment;
    }
    if (w->preconditioned) {
        precondition(it, w, out);
    }
    it->loop.krylov++;
    return true;
}

/* Returns s of (T6), which moves positions by 1e-8 to 1e-6 of the model, and velocities by a
 * little. */
static double increment(const TmlIntegrator *it, const TmlTwoLoop *w)
{
    const double tolerance = it->norm.rotation;
    double move = fmin(fmax(tolerance, 1e-8), 1e-6);
    move = fmin(move, 1e-3 * it->norm.rate * w->formula.cq / w->formula.cv);
    return fmax(move, 1e-10) / tolerance;
}

/* Puts the correction -F or -P^-1 F into w->b and returns its size. */
static double correction(TmlIntegrator *it, TmlTwoLoop *w)
{
    for (int k = 0; k < w->n; ++k) {
        w->b[k] = -w->F[k];
    }
    if (w->preconditioned) {
        precondition(it, w, w->b);
    }
    return norm(w->n, w->b);
}

/* Evaluates F at it->next. */
static bool evaluate_next(TmlIntegrator *it, TmlTwoLoop *w, TmlAttempt *out)
{
    TmlPoint y = w->coordinates.type->point(&w->coordinates, &it->next, 0);
    return evaluate(it, w, &it->next, &y, &w->rates, w->F, &out->cause);
}

static bool apply(TmlIntegrator *it, TmlTwoLoop *w, const double *dz, TmlAttempt *out)
{
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    w->kept.loose = false;
    w->guess = true;
    TmlCoordinates *c = &w->coordinates;
    TmlPoint y = c->type->point(c, &it->next, 0);
    moved(it, w, 1.0, dz, &y, &w->rates);
    for (int row = 0; row < dim->m_all && w->preconditioned && dz == w->b; ++row) {
        if (tml_row_unknown(sys, row) >= 0) {
            it->next.lambda[row] +=
                w->r[dim->nu + tml_row_unknown(sys, row)]; // a guess too, of (T7)
        }
    }
    out->iterations++;
    it->iterations++;
    it->loop.corrections++;
    return evaluate_next(it, w, out);
}

/* Asks of the first correction of a pass whether the simple iteration would do as well. */
static void watch_calm(TmlTwoLoop *w, double size)
{
    double sum = 0.0;
    for (int k = 0; k < w->n; ++k) {
        sum += (w->F[k] + w->b[k]) * (w->F[k] + w->b[k]);
    }
    w->calm = sqrt(sum) <= calm_share * size ? w->calm + 1 : 0;
}

/* Solves the linear system for dz, or takes the plain correction. */
static const double *next_move(TmlIntegrator *it, TmlTwoLoop *w, const TmlPass *pass, double size,
                               double share)
{
    if (!pass->krylov) {
        return w->b;
    }
    const double delta = fmax(0.05 * w->newton / share, 1e-3 * size);
    Loop l = {it, w};
    w->increment = increment(it, w);
    const TmlKrylovOut out = tml_krylov_solve(&w->krylov, product, &l, w->b, delta, w->dz);
    return out.failed && out.iterations == 0 ? NULL : w->dz;
}

/* The accelerations of a prediction are not exact; those that are accepted must be. */
static bool polish(TmlIntegrator *it, TmlTwoLoop *w, TmlAttempt *out)
{
    if (!w->kept.loose) {
        return true;
    }
    w->kept.loose = false;
    return tml_two_loop_accelerations(it, w, &it->next, &out->cause);
}

/* How (T8) is judged: by P^-1 F itself, or by corrections of the simple iteration. */
static TmlConvergence begin_convergence(const TmlIntegrator *it, const TmlTwoLoop *w,
                                        const TmlPass *pass)
{
    const TmlLowOrder *f = &w->formula;
    const double share = f->error * f->h * f->h / f->cq;
    const double floor = tml_norm_rounding(it->sys, &it->norm, it->next.q);
    return (TmlConvergence){
        .measure = w->preconditioned ? TML_ERROR_ITSELF : TML_NOT_MADE,
        .share = share,
        .target = w->newton,
        .floor = floor,
        .noise = fmax(pass->last ? noise : 0.0, rounding_steps * floor * share),
        .slowest = pass->krylov || w->preconditioned ? 0.0 : simple_limit,
        .slow_after = TML_NEVER,
        .rate = 0.5,
    };
}

/* Runs the outer loop from it->next, where F is known. It returns true when converged. */
static bool iterate(TmlIntegrator *it, TmlTwoLoop *w, const TmlPass *pass, TmlAttempt *out)
{
    TmlConvergence c = begin_convergence(it, w, pass);
    bool straight = false; // the factors are those of a tangent, not of the law
    w->rate = 0.0;
    for (int k = 0; k < w->max_iterations; ++k) {
        const bool turned = tml_system_slips_turned(it->sys);
        if ((turned || straight) && w->preconditioned) {
            if (!renew(it, w)) {
                out->cause = TML_CAUSE_SINGULAR;
                return false;
            }
            tml_convergence_again(&c, 0.5);
        }
        straight = turned;
        const double size = correction(it, w);
        if (!isfinite(size)) {
            return false;
        }
        if (turned) { // it says nothing about convergence
            const double *dz = next_move(it, w, pass, size, c.share);
            if (dz == NULL || !apply(it, w, dz, out)) {
                return false;
            }
            continue;
        }
        if (k == 0 && w->preconditioned) {
            watch_calm(w, size);
        }
        const TmlConvergenceVerdict verdict =
            tml_convergence_judge(&c, size, w->max_iterations - 1 - k);
        w->rate = c.worst;
        if (verdict == TML_CONVERGED) {
            w->stale = w->stale || (!pass->krylov && w->rate > 0.3) || k > 3;
            return polish(it, w, out);
        }
        if (verdict != TML_GO_ON) {
            return false;
        }
        const double *dz = next_move(it, w, pass, size, c.share);
        if (dz == NULL || !apply(it, w, dz, out)) {
            return false;
        }
    }
    return false;
}

/* Extrapolates it->next, closes it and evaluates it. */
static bool predict(TmlIntegrator *it, TmlTwoLoop *w, TmlAttempt *out)
{
    const TmlLowOrder *f = &w->formula;
    TmlState *s = &it->next;
    tml_state_copy(it->sys, &it->now, s);
    s->t = it->now.t + f->h;
    tml_low_order_predict(f, w->rates.a, w->rates.xd);
    TmlCoordinates *c = &w->coordinates;
    TmlPoint y = c->type->point(c, s, 0);
    for (int k = 0; k < f->nq; ++k) {
        y.q[k] = f->base_q[k] + f->cq * w->rates.a[k];
    }
    c->type->retract(c, &y);
    w->kept.loose = w->guess = true;
    const bool done = evaluate_next(it, w, out);
    w->kept.loose = w->kept.loose && !w->kept.renewed;
    return done;
}

/* Makes the factors for the iterations of a pass. */
static bool prepare(TmlIntegrator *it, TmlTwoLoop *w, bool fresh)
{
    if (fresh) {
        return renew(it, w);
    }
    tml_step_factors_begin(&w->factors, it->sys);
    return true;
}

/* Whether accelerations that are solved for have the error of positions and velocities times a stiffness:
 * that of flexible bodies, of contacts and of friction that holds. */
static bool has_stiff_forces(const TmlSystem *sys)
{
    return tml_system_is_flexible(sys) || tml_system_touches(sys);
}

/* Puts the accelerations of (T13) into w->rates, after a pass that converged. */
static void keep_accelerations(TmlIntegrator *it, TmlTwoLoop *w)
{
    TmlCoordinates *c = &w->coordinates;
    const TmlPoint y = c->type->point(c, &it->next, 0);
    const int *index = c->type->index(c);
    for (int k = 0; k < c->nq; ++k) {
        w->dq[k] = w->rates.a[k] - y.a[k];
    }
    c->type->reduce(c, &y, w->dq, w->x);
    memset(w->du, 0, (size_t)c->n * sizeof *w->du);
    const bool moves = tml_system_touches(it->sys) && !tml_system_is_flexible(it->sys); // (T14)
    for (int k = 0; k < w->n_u; ++k) {
        w->du[index[k]] = w->x[index[k]] + (moves ? w->scale[k] * w->b[k] : 0.0);
    }
    c->type->tangent(c, w->du);
    c->type->expand(c, &y, w->du, w->dq);
    for (int k = 0; k < c->nq; ++k) {
        w->rates.a[k] = y.a[k] + w->dq[k];
    }
}

typedef struct Loops {
    TmlIntegrator *it;
    TmlTwoLoop *w;
    const TmlPass *pass;
    TmlAttempt *out;
} Loops;

static bool loops(void *arg)
{
    const Loops *l = arg;
    TmlIntegrator *it = l->it;
    TmlTwoLoop *w = l->w;
    const TmlPass *pass = l->pass;
    TmlAttempt *out = l->out;
    const double cq = w->formula.cq;
    if (!predict(it, w, out)) {
        return false;
    }
    const bool fresh = pass->fresh || w->stale || tml_step_factors_far(&w->factors, cq);
    w->preconditioned = pass->precondition;
    if (pass->precondition && !prepare(it, w, fresh)) {
        out->cause = TML_CAUSE_SINGULAR;
        return false;
    }
    out->cause = TML_CAUSE_NEWTON;
    out->converged = iterate(it, w, pass, out);
    if (pass->precondition && !fresh && !pass->krylov && w->rate > 0.0) {
        tml_step_factors_judge(&w->factors, cq, w->rate);
    }
    w->stale = w->stale || !out->converged;
    if (out->converged && has_stiff_forces(it->sys)) {
        keep_accelerations(it, w);
    }
    return out->converged;
}

bool tml_two_loop_pass(TmlIntegrator *it, TmlTwoLoop *w, const TmlPass *pass, TmlAttempt *out)
{
    Loops l = {it, w, pass, out};
    return tml_system_iterate(it->sys, loops, &l);
}

TmlPoint tml_two_loop_accepted(TmlIntegrator *it, TmlTwoLoop *w)
{
    TmlCoordinates *c = &w->coordinates;
    TmlPoint y = c->type->point(c, &it->next, 0);
    y.a = has_stiff_forces(it->sys) ? w->rates.a : y.a;
    return y;
}

/* Takes from the accelerations of the one point of the history what the step cannot resolve. */
static void soften(TmlIntegrator *it, TmlTwoLoop *w)
{
    TmlLowOrder *f = &w->formula;
    const TmlPoint y = tml_low_order_past(f, 0);
    tml_state_copy(it->sys, &it->now, &w->trial);
    w->trial.t = it->now.t;
    const TmlSoftStep step = {f->cq, f->cv, f->cx};
    if (tml_soft_start(it->sys, &w->trial, step, w->r, w->du, w->dq)) {
        w->stale = false;
        tml_step_factors_renewed(&w->factors, it->sys, f->cq);
    }
    memcpy(y.a, w->trial.a, (size_t)f->nq * sizeof *y.a);
}

void tml_two_loop_begin(TmlIntegrator *it, TmlTwoLoop *w, double h)
{
    const bool bodies = w->coordinates.type->of_bodies;
    tml_low_order_begin(&w->formula, h);
    if (w->formula.history.points == 1 && tml_system_is_flexible(it->sys) && bodies) {
        soften(it, w);
        tml_low_order_begin(&w->formula, h);
    }
    set_scales(it, w);
}

void tml_two_loop_filter(TmlIntegrator *it, TmlTwoLoop *w)
{
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    memset(w->x, 0, (size_t)dim->n * sizeof *w->x);
    memcpy(w->x, w->du, (size_t)dim->nu * sizeof *w->x);
    step_solve(it, w);
    memcpy(w->du, w->r, (size_t)dim->nu * sizeof *w->du);
}

/* --- set-up --------------------------------------------------------------------------------- */

TmlStatus tml_two_loop_choose(TmlIntegrator *it, TmlTwoLoop *w, TmlError *err)
{
    TmlCoordinates *c = &w->coordinates;
    const TmlPoint y = tml_low_order_past(&w->formula, 0);
    TML_TRY(c->type->choose(c, &it->now, &y, &w->trial, err));
    w->n_u = c->type->count(c);
    w->n = w->n_u + tml_dims(it->sys)->nx;
    w->krylov.n = w->n;
    w->krylov.max = w->krylov.max < w->n ? w->krylov.max : w->n;
    it->loop.partitions++;
    return TML_OK;
}

void tml_two_loop_restart(TmlIntegrator *it, TmlTwoLoop *w)
{
    TmlCoordinates *c = &w->coordinates;
    TmlPoint y = c->type->point(c, &it->now, 0);
    c->type->read(c, &it->now, &y);
    tml_low_order_restart(&w->formula, &y);
    w->stale = true;
    w->calm = 0;
}

void tml_two_loop_accept(TmlIntegrator *it, TmlTwoLoop *w)
{
    TmlCoordinates *c = &w->coordinates;
    const TmlPoint y = tml_two_loop_accepted(it, w);
    tml_low_order_accept(&w->formula, &y);
    if (c->type->settle != NULL) {
        c->type->settle(c, &w->formula);
    }
}

void tml_two_loop_error(TmlIntegrator *it, TmlTwoLoop *w)
{
    TmlCoordinates *c = &w->coordinates;
    const TmlPoint y = tml_two_loop_accepted(it, w);
    tml_low_order_error(&w->formula, &y, w->dq, w->dX);
    c->type->reduce(c, &y, w->dq, w->x);
    c->type->to_bodies(c, &it->next, w->x, w->raw);
    if (w->least) {
        double *const change[1] = {w->du};
        memcpy(w->du, w->raw, (size_t)tml_dims(it->sys)->nu * sizeof *w->du);
        tml_system_tangent(it->sys, &it->next, false, 1, change);
        return;
    }
    c->type->tangent(c, w->x);
    c->type->to_bodies(c, &it->next, w->x, w->du);
}

/* Counts the independent coordinates, of which Pfaffian rows take none away. */
static int free_coordinates(const TmlSystem *sys)
{
    const TmlDims *dim = tml_dims(sys);
    int n = dim->nu;
    for (int k = 0; k < dim->m_all; ++k) {
        const TmlRowPlace row = tml_system_row(sys, k);
        n -= row.unknown >= 0 && !row.velocity;
    }
    return n;
}

TmlStatus tml_two_loop_setup(TmlIntegrator *it, TmlTwoLoop *w, const TmlCoordinatesType *type,
                             int krylov, int depth, TmlError *err)
{
    TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlCsc *K = tml_system_matrix(sys, TML_MATRIX_STEP);
    const int n = free_coordinates(sys) + dim->nx;
    w->coordinates.type = type;
    w->coordinates.sys = sys;
    TML_TRY(type->setup(&w->coordinates, it, err));
    const int nq = w->coordinates.nq > dim->nq ? w->coordinates.nq : dim->nq;
    TML_TRY(tml_low_order_setup(&w->formula, it->arena, w->coordinates.nq, dim->nx, err));
    TML_TRY(tml_krylov_setup(&w->krylov, it->arena, n, krylov, depth, err));
    TML_TRY(tml_state_create_in(sys, it->arena, &w->trial, err));
    TML_TRY(tml_step_factors_setup(&w->factors, sys, it->arena, err));
    TML_NEW(it->arena, w->F, n + 1);
    TML_NEW(it->arena, w->b, n + 1);
    TML_NEW(it->arena, w->dz, n + 1);
    TML_NEW(it->arena, w->scale, n + 1);
    TML_NEW(it->arena, w->rates.a, nq + 1);
    TML_NEW(it->arena, w->rates.xd, dim->nx + 1);
    TML_NEW(it->arena, w->at.a, nq + 1);
    TML_NEW(it->arena, w->at.xd, dim->nx + 1);
    TML_NEW(it->arena, w->du, nq + 1);
    TML_NEW(it->arena, w->raw, dim->nu + 1);
    TML_NEW(it->arena, w->dq, nq + 1);
    TML_NEW(it->arena, w->dX, dim->nx + 1);
    TML_NEW(it->arena, w->r, dim->n + 1);
    TML_NEW(it->arena, w->x, dim->n + nq + 1);
    TML_NEW(it->arena, w->k0, K->start[K->cols] + 1);
    return TML_OK;
}

void tml_two_loop_free(TmlTwoLoop *w)
{
    if (w->coordinates.type != NULL) {
        w->coordinates.type->teardown(&w->coordinates);
    }
}
