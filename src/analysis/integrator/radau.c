/* analysis/integrator/radau.c - Radau IIA of order 5 on the underlying ordinary equations.
 *
 * State of a step from q_n: x, coordinates on the chart from q_n (translation, rotation vector),
 * w = x', and the user states X. Unknowns of stage i: z_i = (x''_i, lambda_i, X'_i, V_i, F_i).
 *
 *   (R1)  w_i = w_n + h sum_j A_ij x''_j,  x_i = h sum_j A_ij w_j,  X_i = X_n + h sum_j A_ij X'_j
 *   (R2)  (S1), (S3) of system.h and the constraints at acceleration level at (x_i, w_i, X_i)
 *   (R3)  (1 x K_0 + h A x K_1 + h^2 A A x K_2) dz = -r, K of stages.h        simplified Newton
 *   (R4)  with dz = (T x 1) dy this is one real and one complex system,            [HW] (IV.8.10)
 *         K(h / g) dy_1 = -s_1,  K(h / (a + i b)) (dy_2 + i dy_3) = -(s_2 + i s_3), s = (T^-1 x 1)
 * r (R5)  stop when xi / (1 - xi) |dx, dw, dX| <= newton * tolerance          xi: rate of
 * convergence (R6)  e = (1 - g' J)^-1 g' [f(y_n) + sum_i d_i (Y_i - y_n) / h], g' = h/g,  [HW]
 * (IV.8.19) of y = (x, w, X): K(g') s = K_0 (c_w, c_X) - g' K_2 c_x; e_w = g' s_w,  e_x = g' (e_w +
 * c_x),  e_X = g' s_X;  the bracket is c = (c_x, c_w, c_X) (R7)  local error: 10 tolerance^(1/3)
 * |e|, since e is of order 3, the step of order 5   [HW] (R8)  p(s) = sum_j l_j(s) x''_j through s
 * = 0 and the stages; its integrals are w and x inside the step. They end at w_3 and x_3: the
 * quadrature with nodes 0, c has no weight at 0
 *
 * The chart makes x'' the second derivative of coordinates, so that (R1) holds for rotations as it
 * stands. K is taken at the predicted second stage: the middle of the step represents all stages
 * better than its start. After an accepted step q and q' are moved onto the
 * constraints and the accelerations are solved for. docs/theory/radau.md
 */
#include "analysis/integrator.h"
#include "system/stages.h"

#include "analysis/integrator/radau_tables.h"
#include "base/fail.h"

#include <math.h>
#include <string.h>

enum { STAGES = 3, NODES = 4 };

typedef struct RadauOptions {
    double newton, reuse;
    int max_iterations, error;
} RadauOptions;

typedef struct RadauWork {
    TmlStages matrix;
    double *z[STAGES];             /* n: unknowns of the stages */
    double *x[STAGES], *w[STAGES]; /* nu: (R1) */
    double *X[STAGES];             /* nx */
    double *r[STAGES];             /* n: residuals, then corrections */
    double *dw[STAGES];            /* nu: changes of w by the corrections */
    double *complex;               /* 2 n */
    double *q_n, *w_n, *X_n;       /* start of the step: nq, nu, nx */
    double *start;           /* n: u-acceleration, lambda, X', V, F at the start of the step */
    double *node[NODES];     /* n: the same at the start and stages of the last accepted step */
    double *y, *du, *dx;     /* n, nu, nx: scratch */
    TmlState s;              /* of a stage */
    double h, h_last;        /* of the stages; of the last accepted step, 0: none */
    double h_factor;         /* of the factors, 0: none */
    double rate;             /* last measured convergence rate xi */
    bool assembled, present; /* the matrix is there; it belongs to this step */
    bool rejected;           /* the step is tried again, or is the first */
} RadauWork;

/* --- stages -------------------------------------------------------------------------------- */

/* out = (base) + h sum_j A_ij y_j over n numbers; base NULL: none. */
static void integrate(int i, int n, double h, const double *base, double *const y[STAGES],
                      ptrdiff_t from, double *out)
{
    const double *a = radau_A[i];
    for (int k = 0; k < n; ++k) {
        const ptrdiff_t at = from + k;
        const double sum = a[0] * y[0][at] + a[1] * y[1][at] + a[2] * y[2][at];
        out[k] = (base != NULL ? base[k] : 0.0) + h * sum;
    }
}

/* (R1) */
static void stage_values(const TmlIntegrator *it)
{
    const RadauWork *w = it->work;
    const TmlSystem *sys = it->sys;
    for (int i = 0; i < STAGES; ++i) {
        integrate(i, sys->nu, w->h, w->w_n, w->z, 0, w->w[i]);
        integrate(i, sys->nx, w->h, w->X_n, w->z, sys->nu + sys->m, w->X[i]);
    }
    for (int i = 0; i < STAGES; ++i) {
        integrate(i, sys->nu, w->h, NULL, w->w, 0, w->x[i]);
    }
}

/* lambda, X', V, F of s from the unknowns z. */
static void unpack(const TmlSystem *sys, const double *z, TmlState *s)
{
    const double *lambda = z + sys->nu, *rest = lambda + sys->m;
    for (int row = 0; row < sys->m_all; ++row) {
        s->lambda[row] = sys->row_unknown[row] >= 0 ? lambda[sys->row_unknown[row]] : 0.0;
    }
    memcpy(s->Xd, rest, (size_t)sys->nx * sizeof *rest);
    memcpy(s->V, rest + sys->nx, (size_t)(sys->nv + sys->nf) * sizeof *rest); // F follows V
}

/* z = (u-acceleration, lambda, X', V, F) of s. */
static void pack(const TmlSystem *sys, const TmlState *s, double *z)
{
    double *lambda = z + sys->nu, *rest = lambda + sys->m;
    tml_system_reduce(sys, s->q, s->a, z);
    for (int row = 0; row < sys->m_all; ++row) {
        if (sys->row_unknown[row] >= 0) {
            lambda[sys->row_unknown[row]] = s->lambda[row];
        }
    }
    memcpy(rest, s->Xd, (size_t)sys->nx * sizeof *rest);
    memcpy(rest + sys->nx, s->V, (size_t)(sys->nv + sys->nf) * sizeof *rest);
}

/* q, q', q'' from chart coordinates x, x', x''. */
static void chart_motion(const TmlSystem *sys, const double *q_n, const double *x, const double *x1,
                         const double *x2, TmlState *s)
{
    for (int b = 1; b < sys->nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        const int q0 = sys->q0[b], u0 = sys->u0[b];
        double udot[TML_BODY_MAX_NU];
        type->chart_state(q_n + q0, x + u0, x1 + u0, s->q + q0, s->v + q0);
        type->chart_acceleration(x + u0, x1 + u0, x2 + u0, udot);
        type->acceleration(s->q + q0, s->v + q0, udot, s->a + q0);
    }
}

static void stage_state(const TmlIntegrator *it, int i, TmlState *s)
{
    const RadauWork *w = it->work;
    s->t = it->now.t + radau_c[i] * w->h;
    chart_motion(it->sys, w->q_n, w->x[i], w->w[i], w->z[i], s);
    unpack(it->sys, w->z[i], s);
    memcpy(s->X, w->X[i], (size_t)it->sys->nx * sizeof *s->X);
}

/* --- polynomials --------------------------------------------------------------------------- */

/* Weights at s of the polynomial through 0 and the stages (R8): its value, integral from 0, double
 * integral from 0. */
static void weights(double s, double l[3][NODES])
{
    static const double node[NODES] = {0.0, 0.155051025721682190, 0.644948974278317810, 1.0};
    for (int j = 0; j < NODES; ++j) {
        double p[NODES] = {1.0}, scale = 1.0; // coefficients, lowest power first
        int degree = 0;
        for (int i = 0; i < NODES; ++i) {
            if (i == j) {
                continue;
            }
            scale *= node[j] - node[i];
            ++degree;
            for (int k = degree; k >= 0; --k) {
                p[k] = (k > 0 ? p[k - 1] : 0.0) - node[i] * (k < degree ? p[k] : 0.0);
            }
        }
        l[0][j] = l[1][j] = l[2][j] = 0.0;
        for (int k = NODES - 1; k >= 0; --k) {
            l[0][j] = l[0][j] * s + p[k] / scale;
            l[1][j] = l[1][j] * s + p[k] / (scale * (k + 1));
            l[2][j] = l[2][j] * s + p[k] / (scale * (k + 1) * (k + 2));
        }
        l[1][j] *= s;
        l[2][j] *= s * s;
    }
}

/* Second rates on the chart from u-accelerations, at the present values of x and w. */
static void chart_second(const TmlIntegrator *it, int i, const double *udot, double *x2)
{
    const RadauWork *w = it->work;
    const TmlSystem *sys = it->sys;
    for (int b = 1; b < sys->nb; ++b) {
        const int u0 = sys->u0[b];
        sys->model->bodies.at[b].type->chart_second(w->x[i] + u0, w->w[i] + u0, udot + u0, x2 + u0);
    }
}

/* Unknowns by extrapolation of the last step. The polynomial is one of u-accelerations, which do
 * not depend on the chart; x'' follows from them, x and w by iteration. */
static void predict(const TmlIntegrator *it)
{
    enum { PASSES = 2 };
    const RadauWork *w = it->work;
    const TmlSystem *sys = it->sys;
    double l[3][NODES];
    for (int i = 0; i < STAGES; ++i) {
        if (w->h_last > 0.0) {
            weights(1.0 + radau_c[i] * w->h / w->h_last, l);
            for (int k = 0; k < sys->n; ++k) {
                w->z[i][k] = l[0][0] * w->node[0][k] + l[0][1] * w->node[1][k] +
                             l[0][2] * w->node[2][k] + l[0][3] * w->node[3][k];
            }
        } else {
            memcpy(w->z[i], w->start, (size_t)sys->n * sizeof(double));
        }
        memcpy(w->r[i], w->z[i], (size_t)sys->nu * sizeof(double));
    }
    stage_values(it);
    for (int pass = 0; pass < PASSES; ++pass) {
        for (int i = 0; i < STAGES; ++i) {
            chart_second(it, i, w->r[i], w->z[i]);
        }
        stage_values(it);
    }
}

/* --- Newton iteration ---------------------------------------------------------------------- */

/* (R2) of all stages. False when something is not finite. */
static bool residuals(TmlIntegrator *it, TmlAttempt *out)
{
    RadauWork *w = it->work;
    for (int i = 0; i < STAGES; ++i) {
        stage_state(it, i, &w->s);
        tml_system_residual(it->sys, &w->s, TML_LEVEL_ACCELERATION, w->r[i]);
        for (int k = it->sys->n - 1; k >= 0; --k) { // expressions come last and name it best
            if (!isfinite(w->r[i][k])) {
                out->cause = TML_CAUSE_NONFINITE;
                out->worst = k;
                return false;
            }
        }
    }
    return true;
}

/* (R4): residuals in, corrections out. */
static void solve(TmlIntegrator *it)
{
    RadauWork *w = it->work;
    double *const *r = w->r, *z = w->complex;
    const double(*T)[3] = radau_T_inverse;
    const int n = it->sys->n;
    for (int k = 0; k < n; ++k) {
        const double a = r[0][k], b = r[1][k], c = r[2][k];
        r[0][k] = T[0][0] * a + T[0][1] * b + T[0][2] * c;
        z[2 * (ptrdiff_t)k] = T[1][0] * a + T[1][1] * b + T[1][2] * c;
        z[2 * (ptrdiff_t)k + 1] = T[2][0] * a + T[2][1] * b + T[2][2] * c;
    }
    tml_stages_solve(it->sys, r[0]);
    tml_stages_solve_complex(it->sys, &w->matrix, z);
    T = radau_T;
    for (int k = 0; k < n; ++k) {
        const double a = r[0][k], b = z[2 * (ptrdiff_t)k], c = z[2 * (ptrdiff_t)k + 1];
        r[0][k] = T[0][0] * a + T[0][1] * b + T[0][2] * c;
        r[1][k] = T[1][0] * a + T[1][1] * b + T[1][2] * c;
        r[2][k] = T[2][0] * a + T[2][1] * b + T[2][2] * c;
    }
}

/* A few units in the last place. */
static const double rounding = 16.0 * 2.2e-16;

/* Corrections below this are rounding of the largest position. */
static double rounding_size(const TmlIntegrator *it)
{
    double big = it->sys->length;
    for (int b = 1; b < it->sys->nb; ++b) {
        for (int k = 0; k < 3; ++k) {
            big = fmax(big, fabs(it->now.q[it->sys->q0[b] + k]));
        }
    }
    return rounding * fmax(big / it->norm.translation, 1.0 / it->norm.rotation);
}

/* Largest of positions, velocities and states in units of their allowed errors. */
static double norm_of(const TmlIntegrator *it, const double *x, const double *w, const double *X,
                      int *at)
{
    int at_w = -1, at_x = -1;
    double size = tml_norm_u(it->sys, &it->norm, x, at);
    const double rates = tml_norm_w(it->sys, &it->norm, w, &at_w);
    const double states = tml_norm_x(it->sys, &it->norm, X, &at_x);
    if (!(rates <= size)) {
        size = rates;
        *at = at_w;
    }
    if (!(states <= size)) {
        size = states;
        *at = at_x;
    }
    return size;
}

/* What the corrections change, largest over the stages. */
static double correction_size(const TmlIntegrator *it, int *at)
{
    const RadauWork *w = it->work;
    const TmlSystem *sys = it->sys;
    double big = 0.0;
    for (int i = 0; i < STAGES; ++i) {
        integrate(i, sys->nu, w->h, NULL, w->r, 0, w->dw[i]);
    }
    for (int i = 0; i < STAGES; ++i) {
        int where = -1;
        integrate(i, sys->nu, w->h, NULL, w->dw, 0, w->du);
        integrate(i, sys->nx, w->h, NULL, w->r, sys->nu + sys->m, w->dx);
        for (int k = 0; k < sys->nx; ++k) { // its allowed error may be below its rounding
            w->dx[k] = fabs(w->dx[k]) <= rounding * fabs(w->X[i][k]) ? 0.0 : w->dx[k];
        }
        const double size = norm_of(it, w->du, w->dw[i], w->dx, &where);
        if (!(size <= big)) {
            big = size;
            *at = where;
        }
    }
    return big;
}

static void correct(const TmlIntegrator *it)
{
    const RadauWork *w = it->work;
    for (int i = 0; i < STAGES; ++i) {
        for (int k = 0; k < it->sys->n; ++k) {
            w->z[i][k] -= w->r[i][k];
        }
    }
    stage_values(it);
}

/* Corrections that no longer shrink but are this small a part of the tolerance are rounding. */
static const double noise = 0.3;

/* Iteration from the prediction. True when converged. */
static bool iterate(TmlIntegrator *it, TmlAttempt *out)
{
    RadauWork *w = it->work;
    const RadauOptions *o = it->opts;
    const double floor = rounding_size(it);
    double last = 0.0;
    out->cause = TML_CAUSE_NEWTON;
    for (int k = 0; k < o->max_iterations; ++k) {
        if (!residuals(it, out)) {
            return false;
        }
        solve(it);
        const double size = correction_size(it, &out->worst);
        if (!isfinite(size)) {
            return false;
        }
        correct(it);
        out->iterations++;
        it->iterations++;
        if (k > 0) {
            const double ratio = size / last;
            w->rate = k == 1 ? ratio : sqrt(ratio * w->rate);
        }
        // the first correction has no measured rate: be careful with the remembered one
        const double xi = fmin(fmax(w->rate, k > 0 ? 1e-3 : 0.3), 0.999);
        const double left = size * xi / (1.0 - xi); // (R5)
        const bool stalled = k > 0 && size > 0.9 * last;
        if (left <= o->newton || size <= floor || (stalled && size <= noise)) {
            out->converged = true;
            out->cause = TML_CAUSE_NONE;
            return true;
        }
        const double end = left * pow(xi, o->max_iterations - 1 - k);
        if (stalled || (k > 0 && size > noise && end > o->newton)) {
            return false; // it would not get there
        }
        last = size;
    }
    return false;
}

/* Matrix at the predicted middle stage when it is asked for, factors for the step size. */
static bool prepare_factors(TmlIntegrator *it, bool renew, TmlAttempt *out)
{
    RadauWork *w = it->work;
    TmlSystem *sys = it->sys;
    if (renew) {
        stage_state(it, STAGES - 2, &w->s);
        tml_system_residual(sys, &w->s, TML_LEVEL_ACCELERATION, w->y);
        tml_stages_assemble(sys, &w->matrix, &w->s);
        w->assembled = w->present = true;
        w->h_factor = 0.0;
    }
    if (w->h_factor == w->h) {
        return true;
    }
    const double square = radau_a * radau_a + radau_b * radau_b;
    int column = tml_stages_factor(sys, &w->matrix, w->h / radau_g);
    if (column < 0) {
        column = tml_stages_factor_complex(sys, &w->matrix, w->h * radau_a / square,
                                           -w->h * radau_b / square);
    }
    w->h_factor = column < 0 ? w->h : 0.0;
    if (column >= 0) {
        out->cause = TML_CAUSE_SINGULAR;
        out->worst = column;
    }
    return column < 0;
}

/* --- local error --------------------------------------------------------------------------- */

/* (R6): c_x in du, (c_w, 0, c_X, 0, 0) in y; e_x, e_w, e_X out in du, y, dx. */
static void filter(const TmlIntegrator *it)
{
    const RadauWork *w = it->work;
    TmlSystem *sys = it->sys;
    const double g = w->h / radau_g;
    double *s = w->r[0], *x = w->r[1];
    memset(s, 0, (size_t)sys->n * sizeof *s);
    memset(x, 0, (size_t)sys->n * sizeof *x);
    memcpy(x, w->du, (size_t)sys->nu * sizeof *x);
    tml_stages_mul(sys, &w->matrix, 0, 1.0, w->y, s);
    tml_stages_mul(sys, &w->matrix, 2, -g, x, s);
    tml_stages_solve(sys, s);
    for (int k = 0; k < sys->nu; ++k) {
        w->y[k] = g * s[k];
        w->du[k] = g * (w->y[k] + w->du[k]);
    }
    for (int k = 0; k < sys->nx; ++k) {
        w->dx[k] = g * s[sys->nu + sys->m + k];
    }
}

/* The bracket of (R6). */
static void defect(const TmlIntegrator *it)
{
    const RadauWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const double *e = radau_e, *f = radau_f;
    memset(w->y, 0, (size_t)sys->n * sizeof *w->y);
    for (int k = 0; k < sys->nu; ++k) {
        const double a = w->z[0][k], b = w->z[1][k], c = w->z[2][k];
        w->du[k] = w->h * (f[0] * a + f[1] * b + f[2] * c);
        w->y[k] = w->start[k] + e[0] * a + e[1] * b + e[2] * c;
    }
    for (int k = sys->nu + sys->m; k < sys->nu + sys->m + sys->nx; ++k) {
        w->y[k] = w->start[k] + e[0] * w->z[0][k] + e[1] * w->z[1][k] + e[2] * w->z[2][k];
    }
}

/* Filter once more: fast transients of a start that the step has damped. */
static void filter_again(const TmlIntegrator *it)
{
    const RadauWork *w = it->work;
    const TmlSystem *sys = it->sys;
    const double g = w->h / radau_g;
    memset(w->y + sys->nu, 0, (size_t)(sys->n - sys->nu) * sizeof *w->y);
    for (int k = 0; k < sys->nu; ++k) {
        w->du[k] /= g;
        w->y[k] /= g;
    }
    for (int k = 0; k < sys->nx; ++k) {
        w->y[sys->nu + sys->m + k] = w->dx[k] / g;
    }
    filter(it);
}

/* Largest rotation of a body over the step, rad. */
static double rotation(const TmlIntegrator *it)
{
    const RadauWork *w = it->work;
    const TmlSystem *sys = it->sys;
    double big = 0.0;
    for (int b = 1; b < sys->nb; ++b) {
        double sum = 0.0;
        for (int k = sys->u0[b] + 3; k < sys->u0[b + 1]; ++k) {
            sum += w->x[STAGES - 1][k] * w->x[STAGES - 1][k];
        }
        big = fmax(big, sum);
    }
    return sqrt(big);
}

/* Two bodies that turn against each other by this much keep their count of turns. */
static const double largest_rotation = 1.5;
/* Charts end at 2 pi. */
static const double chart_end = 5.0;

/* (R6), (R7) */
static double local_error(const TmlIntegrator *it, int *at)
{
    const RadauWork *w = it->work;
    const RadauOptions *o = it->opts;
    const double scale = o->error == 0 ? 10.0 * cbrt(it->norm.rotation) : 1.0;
    defect(it);
    filter(it);
    double e = scale * norm_of(it, w->du, w->y, w->dx, at);
    if (e >= 1.0 && w->rejected) {
        filter_again(it);
        e = scale * norm_of(it, w->du, w->y, w->dx, at);
    }
    const double turn = rotation(it) / largest_rotation;
    return fmax(e, turn * turn * turn * turn);
}

/* --- steps --------------------------------------------------------------------------------- */

static void begin(TmlIntegrator *it, double h)
{
    RadauWork *w = it->work;
    const TmlSystem *sys = it->sys;
    w->h = h;
    memcpy(w->q_n, it->now.q, (size_t)sys->nq * sizeof *w->q_n);
    memcpy(w->X_n, it->now.X, (size_t)sys->nx * sizeof *w->X_n);
    tml_system_reduce(sys, it->now.q, it->now.v, w->w_n);
}

/* One iteration from the prediction with the matrix at hand, or a new one. */
static bool try_step(TmlIntegrator *it, bool renew, TmlAttempt *out)
{
    predict(it);
    out->cause = TML_CAUSE_NEWTON;
    return rotation(it) < chart_end && prepare_factors(it, renew, out) && iterate(it, out);
}

static TmlStatus radau_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    RadauWork *w = it->work;
    const RadauOptions *o = it->opts;
    (void)err;
    *out = (TmlAttempt){.order = 3, .worst = -1};
    begin(it, h);
    const bool renew = !w->assembled || (!w->present && w->rate > o->reuse);
    if (!try_step(it, renew, out) && !w->present) {
        try_step(it, true, out);
    }
    if (out->converged) {
        stage_state(it, STAGES - 1, &it->next);
        out->error = local_error(it, &out->worst);
    }
    return TML_OK;
}

static void radau_restart(TmlIntegrator *it)
{
    RadauWork *w = it->work;
    pack(it->sys, &it->now, w->start);
    w->h_last = 0.0;
    w->assembled = w->present = false;
    w->rejected = true;
    w->rate = 1.0;
}

/* u-accelerations of the stages for the next prediction, and for output. */
static void remember(TmlIntegrator *it)
{
    RadauWork *w = it->work;
    const TmlSystem *sys = it->sys;
    double *oldest = w->node[0];
    w->node[0] = w->start;
    w->start = oldest;
    for (int i = 0; i < STAGES; ++i) {
        memcpy(w->node[i + 1], w->z[i], (size_t)sys->n * sizeof(double));
        for (int b = 1; b < sys->nb; ++b) {
            const int u0 = sys->u0[b];
            sys->model->bodies.at[b].type->chart_acceleration(w->x[i] + u0, w->w[i] + u0,
                                                              w->z[i] + u0, w->node[i + 1] + u0);
        }
    }
    memcpy(w->start, w->node[STAGES], (size_t)sys->n * sizeof(double));
    w->h_last = w->h;
}

static TmlStatus radau_accept(TmlIntegrator *it, double h, TmlError *err)
{
    RadauWork *w = it->work;
    (void)h;
    remember(it);
    w->present = w->rejected = false;
    tml_system_project(it->sys, &it->next); // where it cannot, the reported violation tells
    return tml_system_accelerations(it->sys, &it->next, err);
}

static void radau_reject(TmlIntegrator *it)
{
    RadauWork *w = it->work;
    w->rejected = true;
}

/* (R8) */
static TmlStatus radau_dense(TmlIntegrator *it, double t, TmlState *out, TmlError *err)
{
    const RadauWork *w = it->work;
    TmlSystem *sys = it->sys;
    const double h = w->h_last, s = 1.0 - (it->now.t - t) / h;
    const int states = sys->nu + sys->m;
    double l[3][NODES], *x = w->r[0], *x1 = w->r[1], *udot = w->y;
    weights(s, l);
    for (int k = 0; k < sys->nu; ++k) {
        const double p[NODES] = {w->node[0][k], w->z[0][k], w->z[1][k], w->z[2][k]};
        x1[k] = w->w_n[k];
        x[k] = h * s * w->w_n[k];
        for (int j = 0; j < NODES; ++j) {
            x1[k] += h * l[1][j] * p[j];
            x[k] += h * h * l[2][j] * p[j];
        }
    }
    for (int k = 0; k < sys->n; ++k) {
        udot[k] = 0.0;
        for (int j = 0; j < NODES; ++j) {
            udot[k] += l[0][j] * w->node[j][k];
        }
    }
    for (int k = 0; k < sys->nx; ++k) {
        out->X[k] = w->X_n[k];
        for (int j = 0; j < NODES; ++j) {
            out->X[k] += h * l[1][j] * w->node[j][states + k];
        }
    }
    unpack(sys, udot, out);
    for (int b = 1; b < sys->nb; ++b) {
        const TmlBodyType *type = sys->model->bodies.at[b].type;
        const int q0 = sys->q0[b], u0 = sys->u0[b];
        type->chart_state(w->q_n + q0, x + u0, x1 + u0, out->q + q0, out->v + q0);
        type->acceleration(out->q + q0, out->v + q0, udot + u0, out->a + q0);
    }
    out->t = t;
    tml_system_project(sys, out); // where it cannot, the certificate tells
    return tml_system_min_norm_lambda(sys, out, err);
}

static void radau_teardown(TmlIntegrator *it)
{
    RadauWork *w = it->work;
    if (w != NULL) {
        tml_stages_free(&w->matrix);
    }
}

static TmlStatus radau_setup(TmlIntegrator *it, TmlError *err)
{
    TmlSystem *sys = it->sys;
    RadauWork *w;
    TML_NEW(it->arena, w, 1);
    it->work = w;
    for (int i = 0; i < STAGES; ++i) {
        TML_NEW(it->arena, w->z[i], sys->n);
        TML_NEW(it->arena, w->r[i], sys->n);
        TML_NEW(it->arena, w->x[i], sys->nu);
        TML_NEW(it->arena, w->w[i], sys->nu);
        TML_NEW(it->arena, w->dw[i], sys->nu);
        TML_NEW(it->arena, w->X[i], sys->nx);
    }
    for (int i = 0; i < NODES; ++i) {
        TML_NEW(it->arena, w->node[i], sys->n);
    }
    TML_NEW(it->arena, w->complex, 2 * (size_t)sys->n);
    TML_NEW(it->arena, w->q_n, sys->nq);
    TML_NEW(it->arena, w->w_n, sys->nu);
    TML_NEW(it->arena, w->X_n, sys->nx);
    TML_NEW(it->arena, w->start, sys->n);
    TML_NEW(it->arena, w->y, sys->n);
    TML_NEW(it->arena, w->du, sys->nu);
    TML_NEW(it->arena, w->dx, sys->nx);
    TML_TRY(tml_state_create_in(sys, it->arena, &w->s, err));
    return tml_stages_create(sys, it->arena, &w->matrix, err);
}

static TmlStatus radau_check(const void *opts, TmlError *err)
{
    const RadauOptions *o = opts;
    if (o->max_iterations < 3) {
        return tml_fail(err, TML_E_ARGUMENT, "option 'iterations' is %d; it must be at least 3",
                        o->max_iterations);
    }
    return TML_OK;
}

static const TmlParam radau_params[] = {
    {"newton", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(RadauOptions, newton), "0.01",
     "share of the tolerance that the Newton iteration may leave", NULL},
    {"iterations", TML_PARAM_INT, TML_POSITIVE, "", offsetof(RadauOptions, max_iterations), "10",
     "Newton iterations before a step is cut", NULL},
    {"reuse", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(RadauOptions, reuse), "0.03",
     "rate of convergence up to which the matrix is kept for the next step", NULL},
    {"error", TML_PARAM_CHOICE, TML_ANY, "", offsetof(RadauOptions, error), "scaled",
     "what is compared with the tolerance: the estimate of order 3 scaled to the order 5 of the "
     "step as Hairer and Wanner do, or the estimate itself",
     "scaled|embedded"},
    {0},
};

const TmlIntegratorType tml_integrator_radau = {
    .info = {.name = "radau",
             .text = "Radau IIA: implicit, order 5, L-stable, projected onto the constraints.",
             .data_size = sizeof(RadauOptions),
             .params = radau_params},
    .tolerance = 1e-7,
    .order = 5,
    .check = radau_check,
    .setup = radau_setup,
    .restart = radau_restart,
    .attempt = radau_attempt,
    .accept = radau_accept,
    .reject = radau_reject,
    .dense = radau_dense,
    .teardown = radau_teardown,
};
