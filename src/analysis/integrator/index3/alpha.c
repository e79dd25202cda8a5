/* analysis/integrator/index3/alpha.c - generalised alpha on index 3, in true accelerations.
 *
 * a: true accelerations, A: those of the Newmark formulas, a lagging or leading copy:
 *
 *   (G1)  (1 - alpha_m) A_{n+1} + alpha_m A_n = (1 - alpha_f) a_{n+1} + alpha_f a_n
 *   (G2)  q = q_n + h v_n + h^2 [(1/2 - beta) A_n + beta A]
 *         v = v_n + h [(1 - gamma) A_n + gamma A]
 *   (G3)  alpha_m = (2 rho - 1) / (rho + 1),  alpha_f = rho / (rho + 1),  d = alpha_m - alpha_f,
 *         gamma = 1/2 - d,  beta = (1 - d)^2 / 4          rho: spectral radius at infinity
 *   (G4)  A_n approximates q''(t_n + d h): on a change of step A_n - a_n is scaled by h / h1   own
 *   (G5)  e = (1/12 + d^2/4) h^2 (a - a_n): as for HHT, with d in place of its alpha           own
 *   (G6)  user states by the velocity formula; e_X = |1/12 - d^2/2| h^3 X'''                   own
 *
 * Chung and Hulbert (1993) for linear systems, Arnold and Bruels (2007) on index 3. HHT is
 * alpha_m = 0. The first step has no a': it is taken with rho = 1, A = a (trapezoidal rule).
 */
#include "analysis/integrator/index3/implicit.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

typedef struct AlphaOptions {
    TmlImplicitOptions implicit;
    double radius;
    int projection;
} AlphaOptions;

typedef struct AlphaWork {
    TmlImplicit core;  /* first: shared functions see this part */
    double *lead;      /* nq + nx: (A_n - a_n) / h1, then the same for X' (G4) */
    double *lead_next; /* nq + nx */
} AlphaWork;

typedef struct AlphaStep {
    double h, am, af, d, beta, gamma; /* (G3) */
} AlphaStep;

static AlphaStep step_coefficients(const AlphaOptions *o, TmlImplicit *w, double h)
{
    const double rho = o->radius;
    AlphaStep c = {.h = h};
    if (w->history.points > 1) {
        c.am = (2.0 * rho - 1.0) / (rho + 1.0);
        c.af = rho / (rho + 1.0);
    }
    c.d = c.am - c.af;
    c.gamma = 0.5 - c.d;
    c.beta = 0.25 * (1.0 - c.d) * (1.0 - c.d);
    const double k = (1.0 - c.af) / (1.0 - c.am); // dA / da by (G1)
    w->h = h;
    w->cq = c.beta * h * h * k;
    w->cv = c.gamma * h * k;
    w->cx = w->cv;
    w->share = (1.0 / 12.0 + 0.25 * c.d * c.d) * h * h / w->cq;
    return c;
}

/* Computes what A_{n+1} is without the unknown, from a_n and A_n. */
static double known_part(const AlphaStep *c, double an, double An)
{
    return (c->af * an - c->am * An) / (1.0 - c->am);
}

static void step_base(const TmlIntegrator *it, const AlphaStep *c)
{
    const AlphaWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlState *s = &it->now;
    const double h = c->h;
    for (int k = 0; k < dim->nq; ++k) {
        const double an = s->a[k], An = an + h * w->lead[k]; // (G4)
        const double rest = known_part(c, an, An);
        w->core.base_q[k] = s->q[k] + h * s->v[k] + h * h * ((0.5 - c->beta) * An + c->beta * rest);
        w->core.base_v[k] = s->v[k] + h * ((1.0 - c->gamma) * An + c->gamma * rest); // (G2)
    }
    for (int k = 0; k < dim->nx; ++k) {
        const double xn = s->Xd[k], Bn = xn + h * w->lead[dim->nq + k];
        w->core.base_X[k] =
            s->X[k] + h * ((1.0 - c->gamma) * Bn + c->gamma * known_part(c, xn, Bn)); // (G6)
    }
}

/* Computes the new lead of A over a per unit of time, by (G4), at the end of the step. */
static void lead_update(const TmlIntegrator *it, const AlphaStep *c, double radius)
{
    AlphaWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const double rho = radius, d = (2.0 * rho - 1.0) / (rho + 1.0) - rho / (rho + 1.0);
    const bool first = w->core.history.points < 2;
    const double k = (1.0 - c->af) / (1.0 - c->am);
    for (int i = 0; i < dim->nq + dim->nx; ++i) {
        const bool state = i >= dim->nq;
        const double a0 = state ? it->now.Xd[i - dim->nq] : it->now.a[i];
        const double a1 = state ? it->next.Xd[i - dim->nq] : it->next.a[i];
        const double A0 = a0 + c->h * w->lead[i];
        w->lead_next[i] =
            first ? d * (a1 - a0) / c->h : (k * a1 + known_part(c, a0, A0) - a1) / c->h;
    }
}

/* (G5), (G6) */
static double local_error(const TmlIntegrator *it, const AlphaStep *c, int *at)
{
    AlphaWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const TmlDims *dim = tml_dims(sys);
    const TmlState *s0 = &it->now, *s1 = &it->next;
    const double h = c->h, constant = 1.0 / 12.0 + 0.25 * c->d * c->d;
    int at_x = -1;
    for (int k = 0; k < dim->nq; ++k) {
        w->core.dq[k] = constant * h * h * (s1->a[k] - s0->a[k]);
    }
    tml_system_reduce(sys, s1->q, w->core.dq, w->core.du);
    const double u = tml_implicit_error(it, &w->core, at);
    const ptrdiff_t xd = s0->Xd - s0->a;
    for (int k = 0; k < dim->nx; ++k) {
        const double d1 = (s1->Xd[k] - s0->Xd[k]) / h;
        double curve = d1 / h; // no second difference yet
        if (w->core.history.points > 1) {
            const double h1 = w->core.history.time[0] - w->core.history.time[1];
            curve = 2.0 * (d1 - (s0->Xd[k] - w->core.history.past[1][xd + k]) / h1) / (h + h1);
        }
        w->core.dx[k] = fabs(1.0 / 12.0 - 0.5 * c->d * c->d) * h * h * h * curve;
    }
    const double x = tml_norm_x(sys, &it->norm, w->core.dx, &at_x);
    *at = x > u ? at_x : *at;
    return fmax(x, u);
}

static TmlStatus alpha_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    AlphaWork *w = it->work;
    const AlphaOptions *o = it->opts;
    const AlphaStep c = step_coefficients(o, &w->core, h);
    (void)err;
    *out = (TmlAttempt){.order = 2, .worst = -1};
    tml_implicit_soften(it, &w->core);
    step_base(it, &c);
    tml_implicit_solve(it, &w->core, out);
    if (out->converged) {
        out->error = local_error(it, &c, &out->worst);
        lead_update(it, &c, o->radius);
    }
    return TML_OK;
}

static void alpha_restart(TmlIntegrator *it)
{
    const TmlDims *dim = tml_dims(it->sys);
    AlphaWork *w = it->work;
    memset(w->lead, 0, (size_t)(dim->nq + dim->nx) * sizeof *w->lead);
    tml_implicit_restart(it, &w->core);
}

static TmlStatus alpha_accept(TmlIntegrator *it, double h, TmlError *err)
{
    AlphaWork *w = it->work;
    const AlphaOptions *o = it->opts;
    (void)h;
    // -d of (G3)
    const double damping = (1.0 - o->radius) / (1.0 + o->radius);
    TML_TRY(tml_implicit_project(it, (TmlProjection)o->projection, damping, err));
    double *spare = w->lead;
    w->lead = w->lead_next;
    w->lead_next = spare;
    tml_implicit_accept(it, &w->core);
    return TML_OK;
}

static void alpha_reject(TmlIntegrator *it)
{
    tml_implicit_reject(it->work);
}

static TmlStatus alpha_setup(TmlIntegrator *it, TmlError *err)
{
    const TmlDims *dim = tml_dims(it->sys);
    const AlphaOptions *o = it->opts;
    AlphaWork *w;
    TML_NEW(it->arena, w, 1);
    TML_NEW(it->arena, w->lead, dim->nq + dim->nx);
    TML_NEW(it->arena, w->lead_next, dim->nq + dim->nx);
    it->work = w;
    return tml_implicit_setup(it, &w->core, &o->implicit, err);
}

static TmlStatus alpha_check(const void *opts, TmlError *err)
{
    const AlphaOptions *o = opts;
    return tml_implicit_check(&o->implicit, err);
}

static const TmlParam alpha_params[] = {
    {"radius", TML_PARAM_REAL, TML_FRACTION, "", offsetof(AlphaOptions, radius), "0.6",
     "spectral radius at infinity: 0 takes fast modes out in one step, 1 keeps them", NULL},
    TML_IMPLICIT_PARAMS(AlphaOptions),
    {"projection", TML_PARAM_CHOICE, TML_ANY, "", offsetof(AlphaOptions, projection), "auto",
     "put velocities, or velocities and accelerations, onto the constraints after each step; auto: "
     "full when the radius is above 0.96, else none",
     TML_PROJECTION_CHOICES},
    {0},
};

TML_INTEGRATOR_TYPE(generalized_alpha) = {
    .info = {.name = "generalized-alpha",
             .text = "Generalised alpha: implicit, order 2, damping set by the spectral radius, "
                     "directly on index 3.",
             .data_size = sizeof(AlphaOptions),
             .params = alpha_params},
    .tolerance = 1e-9,
    .matrices = 1.2,
    .order = 2,
    .check = alpha_check,
    .setup = alpha_setup,
    .other_matrices = tml_implicit_other_matrices,
    .restart = alpha_restart,
    .attempt = alpha_attempt,
    .accept = alpha_accept,
    .reject = alpha_reject,
};
