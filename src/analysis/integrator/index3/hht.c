/* analysis/integrator/index3/hht.c - HHT-I3 on the index-3 equations, in true accelerations.
 *
 * Unknowns of one step h: a = q''_{n+1}, lambda, X', V, F at t_{n+1}. h1 is the step before.
 *
 *   (H1)  q = q_n + h v_n + h^2 [(1/2 - beta) A_n + beta A]                         [003] (2a)
 *   (H2)  v = v_n + h [(1 - gamma) A_n + gamma A]                                   [003] (2b)
 *   (H3)  A = (1 + alpha) a - alpha a_n,  A_n = a_n + alpha (h / h1) (a_n - a_{n-1})      own
 *   (H4)  M(q) a + Phi_q^T lambda - Q = 0 at t_{n+1}        analysis/integrator/index3/implicit.c     [003] (10)
 *   (H5)  Phi(q, t) / c_q = 0,  (A q' + b) / c_v = 0        analysis/integrator/index3/implicit.c     [003] (13)
 *         c_q = (1 + alpha) beta h^2,  c_v = (1 + alpha) gamma h
 *   (H6)  gamma = 1/2 - alpha,  beta = (1 - alpha)^2 / 4,  -1/3 <= alpha <= 0       [003] (6)
 *   (H7)  X = X_n + h [(1 - gamma) B_n + gamma B], B from X' as A from a            own
 *         or X = X_n + h X'_n + h rho (X' - X'_n)                                   [003] (9a)
 *   (H8)  e = C h^2 (a - a_n),  C = 1/12 + alpha^2/4  local error of q              own
 *         or |beta - 1/(6 (1 + alpha))| h^2 (A - A_n)        option error=paper     [003] (26)
 *   (H9)  e_X = |1/12 - alpha^2/2| h^3 X''',  or (rho - 1/2) h (X' - X'_n)          own, [003] (34)
 *   (H10) stop when C h^2 / c_q * xi / (1 - xi) * |c_q da| <= c                     [003] (46)
 *   (H11) K [e; mu] = [M e; 0] with the Newton matrix: keeps the part of e along the     own
 *         constraints (the rest is jitter of the multipliers after step changes; positions do
 *         not have it) and takes out modes that are stiffer than the step
 *
 *   (H12) option norm=paper: sqrt(1/p sum (e_i / Y_i)^2) over all p coordinates, and the same over
 *         the states, against the tolerance; Y_i = max(1, largest |q_i| so far)     [003] (35)
 *
 * For constant M and step (H3), (H4) are equation (10) of [003]; written so, the method stays
 * second order when M depends on q and when steps vary. docs/decisions/0002-true-accelerations.md
 *
 * The first step of a run has no a_{n-1}: it is taken with alpha = 0.
 */
#include "analysis/integrator/hht_formula.h"
#include "analysis/integrator/index3/implicit.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

typedef struct HhtOptions {
    TmlImplicitOptions implicit;
    double alpha, rho;
    int error, norm, projection;
} HhtOptions;

enum { ERROR_SHARP, ERROR_PAPER };
enum { NORM_BODY, NORM_PAPER };

typedef struct HhtWork {
    TmlImplicit core;        /* first: shared functions see this part */
    double *most_q, *most_X; /* nq, nx: largest magnitudes so far, at least one (H12) */
} HhtWork;

/* Returns the length of the step before, or 0 when there is none. */
static double step_before(const TmlImplicit *w)
{
    return w->history.points > 1 ? w->history.time[0] - w->history.time[1] : 0.0;
}

static TmlHhtFormula step_coefficients(const HhtOptions *o, TmlImplicit *w, double h)
{
    const double h1 = step_before(w);
    TmlHhtFormula f = hht_formula(h1 > 0.0 ? o->alpha : 0.0, h, h1);
    if (o->error == ERROR_PAPER) {
        f.error = fabs(f.beta - 1.0 / (6.0 * (1.0 + f.alpha))); // (H8)
    }
    w->h = h;
    w->cq = f.cq; // (H5)
    w->cv = f.cv;
    w->cx = o->rho > 0.0 ? o->rho * h : w->cv;
    w->share = f.error * h * h / w->cq; // (H10)
    return f;
}

/* Sets the known parts of (H1), (H2), (H7). */
static void step_base(const TmlIntegrator *it, const TmlHhtFormula *f)
{
    const TmlImplicit *w = it->work;
    const HhtOptions *o = it->opts;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlState *s = &it->now;
    const double *before = w->history.past[f->ratio > 0.0 ? 1 : 0];
    for (int k = 0; k < dim->nq; ++k) {
        w->base_q[k] = hht_base_q(f, s->q[k], s->v[k], s->a[k], before[k]);
        w->base_v[k] = hht_base_v(f, s->v[k], s->a[k], before[k]);
    }
    const ptrdiff_t xd = s->Xd - s->a;
    for (int k = 0; k < dim->nx; ++k) {
        w->base_X[k] = o->rho > 0.0 ? s->X[k] + f->h * (1.0 - o->rho) * s->Xd[k]
                                    : hht_base_v(f, s->X[k], s->Xd[k], before[xd + k]);
    }
}

/* Puts (H8) into w->dq. */
static void position_error(const TmlIntegrator *it, const TmlHhtFormula *c)
{
    TmlImplicit *w = it->work;
    const HhtOptions *o = it->opts;
    const TmlState *s0 = &it->now, *s1 = &it->next;
    const double *before = w->history.past[c->ratio > 0.0 ? 1 : 0];
    for (int k = 0; k < tml_dims(it->sys)->nq; ++k) {
        double x = s1->a[k] - s0->a[k];
        if (o->error == ERROR_PAPER) { // A - A_n of (H3)
            x = (1.0 + c->alpha) * s1->a[k] - c->alpha * s0->a[k] -
                hht_mean_start(c, s0->a[k], before[k]);
        }
        w->dq[k] = c->error * c->h * c->h * x;
    }
}

/* Returns (H12) of w->dq and w->dx, in tolerances. *at is the state that decides, or -1 for a
 * coordinate. */
static double paper_norm(const TmlIntegrator *it, int *at)
{
    const TmlDims *dim = tml_dims(it->sys);
    const HhtWork *w = it->work;
    const int p = dim->nq, nd = dim->nx;
    double q = 0.0, d = 0.0;
    for (int k = 0; k < p; ++k) {
        q += w->core.dq[k] * w->core.dq[k] / (w->most_q[k] * w->most_q[k]);
    }
    for (int k = 0; k < nd; ++k) {
        d += w->core.dx[k] * w->core.dx[k] / (w->most_X[k] * w->most_X[k]);
    }
    *at = -1;
    return sqrt(fmax(q / fmax(p, 1), d / fmax(nd, 1))) / it->norm.rotation;
}

/* Updates the largest magnitudes so far, for (H12). */
static void note_sizes(const TmlIntegrator *it, const TmlState *s)
{
    const TmlDims *dim = tml_dims(it->sys);
    const HhtWork *w = it->work;
    for (int k = 0; k < dim->nq; ++k) {
        w->most_q[k] = fmax(fmax(w->most_q[k], 1.0), fabs(s->q[k]));
    }
    for (int k = 0; k < dim->nx; ++k) {
        w->most_X[k] = fmax(fmax(w->most_X[k], 1.0), fabs(s->X[k]));
    }
}

/* Puts (H9) into w->dx. */
static void state_error(const TmlIntegrator *it, const TmlHhtFormula *c)
{
    TmlImplicit *w = it->work;
    const HhtOptions *o = it->opts;
    const TmlState *s0 = &it->now, *s1 = &it->next;
    const ptrdiff_t xd = s0->Xd - s0->a;
    for (int k = 0; k < tml_dims(it->sys)->nx; ++k) {
        const double d1 = (s1->Xd[k] - s0->Xd[k]) / c->h;
        if (o->rho > 0.5) {
            w->dx[k] = (o->rho - 0.5) * c->h * c->h * d1;
        } else if (w->history.points > 1) {
            const double h1 = step_before(w);
            const double d0 = (s0->Xd[k] - w->history.past[1][xd + k]) / h1;
            w->dx[k] = c->error_x * c->h * c->h * c->h * 2.0 * (d1 - d0) / (c->h + h1);
        } else {
            w->dx[k] = c->h * c->h * d1 / 12.0;
        }
    }
}

/* (H8), (H9) */
static double local_error(const TmlIntegrator *it, const TmlHhtFormula *c, int *at)
{
    TmlImplicit *w = it->work;
    const HhtOptions *o = it->opts;
    int at_x = -1;
    position_error(it, c);
    state_error(it, c);
    if (o->norm == NORM_PAPER) {
        return paper_norm(it, at);
    }
    tml_system_reduce(it->sys, it->next.q, w->dq, w->du);
    const double u = tml_implicit_error(it, w, at); // (H11)
    const double x = tml_norm_x(it->sys, &it->norm, w->dx, &at_x);
    if (x > u) {
        *at = at_x;
    }
    return x > u ? x : u;
}

static TmlStatus hht_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    TmlImplicit *w = it->work;
    const TmlHhtFormula c = step_coefficients(it->opts, w, h);
    (void)err;
    *out = (TmlAttempt){.order = 2, .worst = -1};
    tml_implicit_soften(it, w);
    step_base(it, &c);
    tml_implicit_solve(it, w, out);
    if (out->converged) {
        out->error = local_error(it, &c, &out->worst);
    }
    return TML_OK;
}

static void hht_restart(TmlIntegrator *it)
{
    note_sizes(it, &it->now);
    tml_implicit_restart(it, it->work);
}

static TmlStatus hht_accept(TmlIntegrator *it, double h, TmlError *err)
{
    const HhtOptions *o = it->opts;
    (void)h;
    TML_TRY(tml_implicit_project(it, (TmlProjection)o->projection, -o->alpha, err));
    tml_implicit_accept(it, it->work);
    note_sizes(it, &it->next);
    return TML_OK;
}

static void hht_reject(TmlIntegrator *it)
{
    tml_implicit_reject(it->work);
}

static TmlStatus hht_setup(TmlIntegrator *it, TmlError *err)
{
    const TmlDims *dim = tml_dims(it->sys);
    const HhtOptions *o = it->opts;
    HhtWork *w;
    TML_NEW(it->arena, w, 1);
    it->work = w;
    TML_NEW(it->arena, w->most_q, dim->nq);
    TML_NEW(it->arena, w->most_X, dim->nx);
    return tml_implicit_setup(it, &w->core, &o->implicit, err);
}

static TmlStatus hht_check(const void *opts, TmlError *err)
{
    const HhtOptions *o = opts;
    if (!(o->alpha >= -1.0 / 3.0 && o->alpha <= 0.0)) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'alpha' is %g; it must be from -1/3 to 0",
                        o->alpha);
    }
    if (o->rho != 0.0 && !(o->rho >= 0.5 && o->rho <= 1.0)) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'rho' is %g; it must be 0 or from 0.5 to 1",
                        o->rho);
    }
    return tml_implicit_check(&o->implicit, err);
}

static const TmlParam hht_params[] = {
    {"alpha", TML_PARAM_REAL, TML_ANY, "", offsetof(HhtOptions, alpha), "-0.2",
     "numerical damping, from -1/3 (most) to 0 (none)", NULL},
    {"rho", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(HhtOptions, rho), "0",
     "rule for user states: 0 as for velocities, else the weight of Negrut [003], 0.5 to 1", NULL},
    {"error", TML_PARAM_CHOICE, TML_ANY, "", offsetof(HhtOptions, error), "sharp",
     "estimate of the local error: sharp, or equation (26) of Negrut [003]", "sharp|paper"},
    {"norm", TML_PARAM_CHOICE, TML_ANY, "", offsetof(HhtOptions, norm), "body",
     "what is compared with the tolerance: the largest error of a body, or the root mean square "
     "over "
     "all coordinates of Negrut [003], without the filter, whose ERROR is then the tolerance",
     "body|paper"},
    TML_IMPLICIT_PARAMS(HhtOptions),
    {"projection", TML_PARAM_CHOICE, TML_ANY, "", offsetof(HhtOptions, projection), "auto",
     "put velocities, or velocities and accelerations, onto the constraints after each step; auto: "
     "full when alpha is above -0.02, else none",
     TML_PROJECTION_CHOICES},
    {0},
};

TML_INTEGRATOR_TYPE(hht) = {
    .info = {.name = "hht",
             .text = "HHT-I3: implicit, order 2, numerical damping, directly on index 3.",
             .data_size = sizeof(HhtOptions),
             .params = hht_params},
    .tolerance = 1e-9,
    .matrices = 1.2,
    .order = 2,
    .check = hht_check,
    .setup = hht_setup,
    .other_matrices = tml_implicit_other_matrices,
    .restart = hht_restart,
    .attempt = hht_attempt,
    .accept = hht_accept,
    .reject = hht_reject,
};
