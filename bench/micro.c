/* bench/micro.c - what a Newton iteration costs beside its linear algebra.
 *
 * On the matrix of a running chain: microseconds a body of residual, Jacobian, refactorisation and
 * solve, and of a whole iteration of a run: all that its steps do, new factors apart, over their
 * iterations. Bare is residual, solve and correction. The yardstick is the linear algebra alone: an
 * iteration with kept factors should cost at most four solves, one with new factors at most twice a
 * refactorisation.
 */
#include "analysis/driver/sim_internal.h"
#include "base/clock.h"
#include "bench.h"

#include <math.h>
#include <string.h>

enum { WARM_UP = 12, STEPS = 20 };

static const char *const columns[] = {
    "bodies",
    "unknowns",
    "entries",
    "fill",
    "residual_us_body",
    "jacobian_us_body",
    "refactor_us_body",
    "solve_us_body",
    "correct_us_body",
    "iteration_us_body",
    "bare_over_solve",
    "kept_over_solve",
    "new_over_refactor",
};
typedef enum Column {
    C_BODIES,
    C_UNKNOWNS,
    C_ENTRIES,
    C_FILL,
    C_RESIDUAL,
    C_JACOBIAN,
    C_REFACTOR,
    C_SOLVE,
    C_CORRECT,
    C_ITERATION,
    C_BARE,
    C_KEPT,
    C_NEW,
    C_COUNT
} Column;

typedef struct Micro {
    const char *file;
    int bodies, repeats;
    TmlSim *sim;
    double *r, *dq;
} Micro;

static const TmlCoeffs step_coeffs = {.a = 1.0, .v = 7e-4, .q = 2.9e-7}; // of a step of 1 ms

static void do_residual(Micro *m)
{
    tml_system_residual(m->sim->sys, &m->sim->it.now, TML_LEVEL_POSITION, m->r);
}

static void do_jacobian(Micro *m)
{
    tml_system_jacobian(m->sim->sys, &m->sim->it.now, step_coeffs, 7e-4);
}

static void do_refactor(Micro *m)
{
    (void)tml_system_factor(m->sim->sys, TML_FACTORS_STEP);
}

static void do_solve(Micro *m)
{
    tml_system_solve(m->sim->sys, TML_FACTORS_STEP, m->r);
}

/* With a zero correction, so that the state stays. */
static void do_correct(Micro *m)
{
    TmlSystem *sys = m->sim->sys;
    memset(m->r, 0, (size_t)tml_dims(sys)->n * sizeof *m->r);
    tml_system_correct(sys, &m->sim->it.now, m->r, m->dq);
    tml_system_retract(sys, m->sim->it.now.q);
}

/* Smallest time of one call, in microseconds a body; short ones are timed together. */
static double fastest(Micro *m, void (*call)(Micro *))
{
    const int together = 1 + 2000 / m->bodies;
    double best = (double)INFINITY;
    for (int k = 0; k <= 4 * m->repeats; ++k) {
        const double start = tml_clock();
        for (int i = 0; i < together; ++i) {
            call(m);
        }
        best = fmin(best, (tml_clock() - start) / together);
    }
    return 1e6 * best / m->bodies;
}

/* A whole iteration, new factors apart; smallest over a few runs of STEPS steps. */
static bool iteration(const Micro *m, double *us)
{
    bool done = true;
    *us = (double)INFINITY;
    for (int k = 0; k < m->repeats && done; ++k) {
        const TmlSimStats s0 = tml_sim_stats(m->sim);
        const double start = tml_clock();
        done = bench_steps(m->sim, STEPS);
        const double total = tml_clock() - start;
        const TmlSimStats s1 = tml_sim_stats(m->sim);
        const double fresh =
            s1.seconds_jacobian - s0.seconds_jacobian + s1.seconds_factor - s0.seconds_factor;
        *us =
            fmin(*us, 1e6 * (total - fresh) / (double)(s1.iterations - s0.iterations) / m->bodies);
    }
    return done;
}

static bool measure(void *arg, double *out)
{
    Micro *m = arg;
    TmlError err;
    TmlModel *model = bench_load(m->file, m->bodies);
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "hht"; // not what `auto` may choose one day
    o.step = 1e-3;
    o.tolerance = 1e-6;
    if (model == NULL || !bench_done(tml_sim_create(model, &o, &m->sim, &err), &err) ||
        !bench_steps(m->sim, WARM_UP) || !iteration(m, &out[C_ITERATION])) {
        return false;
    }
    TmlSystem *sys = m->sim->sys;
    const TmlDims *dim = tml_dims(sys);
    m->r = tml_arena_alloc(tml_system_arena(sys), (size_t)dim->n, sizeof *m->r);
    m->dq = tml_arena_alloc(tml_system_arena(sys), (size_t)dim->nq, sizeof *m->dq);
    if (m->r == NULL || m->dq == NULL) {
        return false;
    }
    const TmlSimStats s = tml_sim_stats(m->sim);
    out[C_BODIES] = m->bodies;
    out[C_UNKNOWNS] = (double)s.n_unknowns / m->bodies;
    out[C_ENTRIES] = (double)s.matrix_entries / m->bodies;
    out[C_FILL] = (double)s.factor_entries / m->bodies;
    out[C_RESIDUAL] = fastest(m, do_residual);
    out[C_JACOBIAN] = fastest(m, do_jacobian);
    out[C_REFACTOR] = fastest(m, do_refactor);
    do_residual(m);
    out[C_SOLVE] = fastest(m, do_solve);
    out[C_CORRECT] = fastest(m, do_correct);
    out[C_BARE] = (out[C_RESIDUAL] + out[C_SOLVE] + out[C_CORRECT]) / out[C_SOLVE];
    out[C_KEPT] = out[C_ITERATION] / out[C_SOLVE];
    out[C_NEW] = (out[C_ITERATION] + out[C_JACOBIAN] + out[C_REFACTOR]) / out[C_REFACTOR];
    return true;
}

static bool micro_run(BenchReport *r)
{
    static const struct {
        const char *name, *file;
    } model[] = {{"spherical", "closed_forms/chain_spherical.yaml"},
                 {"revolute", "closed_forms/chain_revolute.yaml"}};
    static const int bodies[] = {10, 100, 1000, 10000};
    double row[2][C_COUNT];
    char text[128];
    bool done = true;
    bench_columns(r, columns, C_COUNT);
    for (int k = 0; k < 8 && done; ++k) {
        Micro m = {.file = model[k % 2].file, .bodies = bodies[k / 2], .repeats = r->repeats};
        if (m.bodies <= r->max_bodies) {
            done = bench_apart(measure, &m, row[k % 2], C_COUNT);
            bench_row(r, model[k % 2].name, "step", row[k % 2]);
        }
    }
    for (int k = 0; k < 2 && done; ++k) {
        snprintf(text, sizeof text, "%s: bare iteration, in solves", model[k].name);
        bench_fact(r, text, row[k][C_BARE], (double)NAN);
        snprintf(text, sizeof text, "%s: iteration with kept factors, in solves", model[k].name);
        bench_fact(r, text, row[k][C_KEPT], 4.0);
        snprintf(text, sizeof text, "%s: iteration with new factors, in refactorisations",
                 model[k].name);
        bench_fact(r, text, row[k][C_NEW], 2.0);
    }
    return done;
}

const Bench bench_micro = {"micro", "parts of a Newton iteration against the linear algebra in it",
                           micro_run, false};
