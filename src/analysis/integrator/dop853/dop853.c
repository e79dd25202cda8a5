/* analysis/integrator/dop853/dop853.c - the explicit Runge-Kutta method of order 8(5,3) of Dormand and Prince.
 *
 * y' = f(t, y) is that of explicit/explicit_problem.h. One step h, coefficients as in dop853_tables.h [HNW]:
 *
 *   (K1)  k_i = f(t_n + c_i h, y_n + h sum_{j<i} a_ij k_j),  i = 1 .. 12;  k_1 is f at the end of the last step
 *   (K2)  y_{n+1} = y_n + h sum b_i k_i, put onto the constraints, and k_13 = f(t_{n+1}, y_{n+1})
 *   (K3)  error by (K4), step size by the law (D9) of analysis/driver/step_control.c
 *
 * docs/theory/dop853.md
 */
#include "analysis/integrator/dop853/dop853.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

void tml_dop853_combine(TmlDop853 *w, double h, const double *a, int n)
{
    memcpy(w->y, w->y0, (size_t)w->n * sizeof *w->y);
    for (int i = 0; i < n; ++i) {
        const double c = h * a[i], *k = w->k[i];
        for (int j = 0; c != 0.0 && j < w->n; ++j) {
            w->y[j] += c * k[j];
        }
    }
}

void tml_dop853_note(TmlDop853 *w, int i)
{
    if (w->accounts) {
        w->problem.type->power(&w->problem, &w->power[i]);
    }
}

/* Finds the powers at the start, where no step has led to it. */
static void note_start(TmlIntegrator *it)
{
    TmlDop853 *w = it->work;
    if (w->accounts && w->power_unknown) {
        tml_state_copy(it->sys, &it->now, &w->other);
        tml_system_residual_settled(it->sys, &w->other, TML_LEVEL_ACCELERATION,
                                    tml_system_scratch(it->sys));
        w->power[0] = tml_system_power(it->sys);
    }
    w->power_unknown = false;
}

/* (K1); out tells whether all of them are there. */
static TmlStatus stages(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    TmlDop853 *w = it->work;
    TmlExplicit *p = &w->problem;
    for (int i = 1; i < DOP853_STAGES; ++i) {
        tml_dop853_combine(w, h, dop853_a[i], i);
        if (p->type->guesses) {
            memcpy(w->k[i], w->k[i - 1], (size_t)w->n * sizeof(double));
        }
        TML_TRY(p->type->rates(p, it->now.t + dop853_c[i] * h, w->y, w->k[i], out, err));
        if (!out->converged) {
            return TML_OK;
        }
        tml_dop853_note(w, i);
    }
    memcpy(w->last, w->y, (size_t)w->n * sizeof *w->y);
    return TML_OK;
}

/* (K2) */
static TmlStatus end(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    TmlDop853 *w = it->work;
    TmlExplicit *p = &w->problem;
    tml_dop853_combine(w, h, dop853_a[DOP853_END], DOP853_STAGES);
    memcpy(w->y1, w->y, (size_t)w->n * sizeof *w->y);
    memcpy(w->k[DOP853_END], w->k[DOP853_STAGES - 1], (size_t)w->n * sizeof(double));
    TML_TRY(p->type->finish(p, it->now.t + h, w->y1, w->k[DOP853_END], NULL, out, err));
    if (out->converged) {
        tml_dop853_note(w, DOP853_END);
        bool moved = false; // trees without balls are not
        for (int j = 0; j < w->n; ++j) {
            w->d[j] = w->y1[j] - w->y[j];
            moved |= w->d[j] != 0.0;
        }
        w->move = moved ? p->type->norm(p, w->d, 1.0, NULL) : 0.0;
        p->type->state(p, it->now.t + h, w->y1, w->k[DOP853_END], true, &it->next);
    }
    return TML_OK;
}

/* Makes the end of the step that was taken the start of the next. What belongs to its inside is gone then. */
static void go_on(TmlDop853 *w)
{
    if (w->taken) {
        double *const y = w->y0, *const k = w->k[0];
        w->y0 = w->y1;
        w->y1 = y;
        w->k[0] = w->k[DOP853_END];
        w->k[DOP853_END] = k;
        w->power[0] = w->power[DOP853_END];
    }
    w->taken = w->dense = false;
}

static TmlStatus dop853_attempt(TmlIntegrator *it, double h, TmlAttempt *out, TmlError *err)
{
    TmlDop853 *w = it->work;
    *out = (TmlAttempt){.order = DOP853_ERROR_POWER - 1, .worst = -1};
    go_on(w);
    w->h = h;
    note_start(it);
    TML_TRY(w->problem.type->prepare(&w->problem, w->y0, err));
    TML_TRY(stages(it, h, out, err));
    if (out->converged) {
        TML_TRY(end(it, h, out, err));
    }
    if (!out->converged) {
        return TML_OK;
    }
    out->error = tml_dop853_error(it, &out->worst);
    out->converged = isfinite(out->error);
    out->cause = out->converged ? TML_CAUSE_NONE : TML_CAUSE_NONFINITE;
    if (out->converged && out->error <= 1.0) {
        out->message = tml_dop853_stability(it, &out->waves);
    }
    return TML_OK;
}

/* --- entries ---------------------------------------------------------------------------------- */

static TmlStatus dop853_accept(TmlIntegrator *it, double h, TmlError *err)
{
    TmlDop853 *w = it->work;
    (void)h;
    (void)err;
    w->taken = true;
    return TML_OK;
}

static void dop853_restart(TmlIntegrator *it)
{
    TmlDop853 *w = it->work;
    w->taken = w->dense = false;
    w->power_unknown = true;
    w->problem.type->begin(&w->problem, w->y0, w->k[0]);
}

typedef struct Dop853Options {
    int coordinates;
} Dop853Options;

static const TmlParam dop853_params[] = {TML_COORDINATES_PARAM(Dop853Options), {0}};

static TmlStatus dop853_setup(TmlIntegrator *it, TmlError *err)
{
    TmlDop853 *w;
    TML_NEW(it->arena, w, 1);
    it->work = w;
    const Dop853Options *o = it->opts;
    TML_TRY(tml_explicit_setup_by(&w->problem, (TmlCoordinatesChoice)o->coordinates,
                                  &tml_explicit_projected, it, err));
    w->n = w->problem.n;
    w->accounts = w->problem.type->power != NULL && !tml_system_is_conservative(it->sys);
    double **own[] = {&w->y0, &w->y1, &w->last, &w->y, &w->d};
    for (size_t k = 0; k < sizeof own / sizeof own[0]; ++k) {
        TML_NEW(it->arena, *own[k], w->n);
    }
    for (int k = 0; k < DOP853_ALL; ++k) {
        TML_NEW(it->arena, w->k[k], w->n);
    }
    for (int k = 0; k < DOP853_D; ++k) {
        TML_NEW(it->arena, w->continuous[k], w->n);
    }
    return tml_state_create_in(it->sys, it->arena, &w->other, err);
}

static void dop853_teardown(TmlIntegrator *it)
{
    TmlDop853 *w = it->work;
    if (w != NULL) {
        tml_explicit_teardown(&w->problem);
    }
}

TML_INTEGRATOR_TYPE(dop853) = {
    .info = {.name = "dop853",
             .text = "Dormand-Prince: explicit Runge-Kutta, order 8; not for stiff models.",
             .data_size = sizeof(Dop853Options),
             .params = dop853_params},
    .tolerance = 3e-9,
    .matrices = 1.5,
    .order = 8,
    .smooth_law = true,
    .keeps_rows_fresh = true,
    .setup = dop853_setup,
    .restart = dop853_restart,
    .attempt = dop853_attempt,
    .accept = dop853_accept,
    .dense = tml_dop853_dense,
    .row = tml_dop853_row,
    .work_done = tml_dop853_work_done,
    .teardown = dop853_teardown,
};
