/* bench/chain.c - cost and memory of long chains.
 *
 * For each number of bodies a process loads the model, makes the sim and warms it up; from that
 * state each repeat, again a process, takes the same steps, so all repeats have the same counts.
 * The fastest repeat counts. The cost of an iteration is that of the steps without new factors over
 * their iterations, so predictor and error estimate are in it. Two ways to step: a fixed size,
 * equal steps at every length (iterations may differ), and by tolerance, as users do (longer chains
 * then take shorter steps).
 */
#include "base/clock.h"
#include "bench.h"

#include <math.h>
#include <string.h>

enum { WARM_UP = 12, STEPS = 20, SETTLE = 2 };

typedef struct Case {
    const char *file;
    int bodies, repeats;
    double step, tolerance; /* step > 0: fixed */
    TmlSim *sim;
} Case;

/* One repeat. */
typedef enum Part {
    P_SECONDS,
    P_FACTOR,
    P_SOLVE,
    P_RESIDUAL,
    P_JACOBIAN,
    P_ITERATIONS,
    P_JACOBIANS,
    P_FACTORS,
    P_REFACTORS,
    P_SOLVES,
    P_COUNT
} Part;

static const char *const columns[] = {
    "bodies",        "steps",          "iterations",       "jacobians",        "factors",
    "refactors",     "solves",         "step_ms",          "step_us_body",     "iteration_us_body",
    "solve_us_body", "factor_us_body", "jacobian_us_body", "residual_us_body", "spread_percent",
    "share_factor",  "share_solve",    "share_residual",   "share_jacobian",   "share_elsewhere",
    "load_s",        "create_s",       "resident_kB",      "peak_kB",
};
typedef enum Column {
    C_BODIES,
    C_STEPS,
    C_ITERATIONS,
    C_JACOBIANS,
    C_FACTORS,
    C_REFACTORS,
    C_SOLVES,
    C_STEP,
    C_STEP_BODY,
    C_ITERATION_BODY,
    C_SOLVE_BODY,
    C_FACTOR_BODY,
    C_JACOBIAN_BODY,
    C_RESIDUAL_BODY,
    C_SPREAD,
    C_SHARE_FACTOR,
    C_SHARE_SOLVE,
    C_SHARE_RESIDUAL,
    C_SHARE_JACOBIAN,
    C_SHARE_ELSEWHERE,
    C_LOAD,
    C_CREATE,
    C_RESIDENT,
    C_PEAK,
    C_COUNT
} Column;

static bool repeat(void *arg, double *out)
{
    const Case *c = arg;
    bool done = bench_steps(c->sim, SETTLE); // pages shared with the parent become our own
    const TmlSimStats s0 = tml_sim_stats(c->sim);
    const double start = tml_clock();
    done = done && bench_steps(c->sim, STEPS);
    out[P_SECONDS] = tml_clock() - start;
    const TmlSimStats s1 = tml_sim_stats(c->sim);
    out[P_FACTOR] = s1.seconds_factor - s0.seconds_factor;
    out[P_SOLVE] = s1.seconds_solve - s0.seconds_solve;
    out[P_RESIDUAL] = s1.seconds_residual - s0.seconds_residual;
    out[P_JACOBIAN] = s1.seconds_jacobian - s0.seconds_jacobian;
    out[P_ITERATIONS] = (double)(s1.iterations - s0.iterations);
    out[P_JACOBIANS] = (double)(s1.jacobians - s0.jacobians);
    out[P_FACTORS] = (double)(s1.factorizations - s0.factorizations);
    out[P_REFACTORS] = (double)(s1.refactorizations - s0.refactorizations);
    out[P_SOLVES] = (double)(s1.solves - s0.solves);
    return done;
}

/* The columns that follow from the fastest repeat p. */
static void fill(const Case *c, const double *p, double slowest, double *out)
{
    const double us = 1e6 / c->bodies, total = p[P_SECONDS], it = p[P_ITERATIONS];
    const double fresh = p[P_FACTOR] + p[P_JACOBIAN];
    out[C_BODIES] = c->bodies;
    out[C_STEPS] = STEPS;
    out[C_ITERATIONS] = it;
    out[C_JACOBIANS] = p[P_JACOBIANS];
    out[C_FACTORS] = p[P_FACTORS];
    out[C_REFACTORS] = p[P_REFACTORS];
    out[C_SOLVES] = p[P_SOLVES];
    out[C_STEP] = 1e3 * total / STEPS;
    out[C_STEP_BODY] = us * total / STEPS;
    out[C_ITERATION_BODY] = us * (total - fresh) / it; // all but new factors
    out[C_SOLVE_BODY] = us * p[P_SOLVE] / p[P_SOLVES];
    out[C_FACTOR_BODY] = us * p[P_FACTOR] / p[P_JACOBIANS];
    out[C_JACOBIAN_BODY] = us * p[P_JACOBIAN] / p[P_JACOBIANS];
    out[C_RESIDUAL_BODY] = us * p[P_RESIDUAL] / it;
    out[C_SPREAD] = 100.0 * (slowest / total - 1.0);
    out[C_SHARE_FACTOR] = p[P_FACTOR] / total;
    out[C_SHARE_SOLVE] = p[P_SOLVE] / total;
    out[C_SHARE_RESIDUAL] = p[P_RESIDUAL] / total;
    out[C_SHARE_JACOBIAN] = p[P_JACOBIAN] / total;
    out[C_SHARE_ELSEWHERE] = 1.0 - (fresh + p[P_SOLVE] + p[P_RESIDUAL]) / total;
}

static bool measure(void *arg, double *out)
{
    Case *c = arg;
    TmlError err;
    double best[P_COUNT] = {(double)INFINITY}, slowest = 0.0;
    const double start = tml_clock();
    TmlModel *model = bench_load(c->file, c->bodies);
    out[C_LOAD] = tml_clock() - start;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "hht"; // not what `auto` may choose one day
    o.step = c->step;
    o.tolerance = c->tolerance;
    o.record_solver = false;
    bool done = model != NULL && bench_done(tml_sim_create(model, &o, &c->sim, &err), &err);
    out[C_CREATE] = tml_clock() - start - out[C_LOAD];
    done = done && bench_steps(c->sim, WARM_UP);
    out[C_RESIDENT] = bench_resident();
    out[C_PEAK] = bench_peak();
    done = done && bench_fastest(repeat, c, c->repeats, best, P_COUNT, &slowest);
    if (done) {
        fill(c, best, slowest, out);
    }
    return done; // the process ends here: nothing to free
}

static void facts(BenchReport *r, const char *what, const char *variant, double row[][C_COUNT],
                  int n)
{
    char text[128];
    double x[8], step[8], iteration[8];
    int used = 0;
    for (int k = 0; k < n; ++k) {
        if (row[k][C_BODIES] >= 100.0) {
            x[used] = row[k][C_BODIES];
            step[used] = row[k][C_STEP];
            iteration[used++] = row[k][C_ITERATION_BODY] * row[k][C_BODIES];
        }
    }
    if (used > 1) {
        const double *a = row[n - 2], *b = row[n - 1];
        const bool equal = strcmp(variant, "step") == 0; // equal steps at all lengths
        snprintf(text, sizeof text, "%s %s: exponent of the cost of a step", what, variant);
        bench_fact(r, text, bench_exponent(x, step, used), equal ? 1.1 : (double)NAN);
        snprintf(text, sizeof text, "%s %s: exponent of the cost of an iteration", what, variant);
        bench_fact(r, text, bench_exponent(x, iteration, used), 1.1);
        snprintf(text, sizeof text, "%s %s: resident memory, kB a body", what, variant);
        bench_fact(r, text, (b[C_RESIDENT] - a[C_RESIDENT]) / (b[C_BODIES] - a[C_BODIES]), 20.0);
        snprintf(text, sizeof text, "%s %s: peak memory, kB a body", what, variant);
        bench_fact(r, text, (b[C_PEAK] - a[C_PEAK]) / (b[C_BODIES] - a[C_BODIES]), (double)NAN);
    }
}

static bool chain_run(BenchReport *r)
{
    static const struct {
        const char *name, *file;
    } model[] = {{"spherical", "closed_forms/chain_spherical.yaml"},
                 {"revolute", "closed_forms/chain_revolute.yaml"}};
    static const struct {
        const char *name;
        double step, tolerance;
    } variant[] = {{"step", 1e-3, 1e-6}, {"tolerance", 0.0, 1e-6}};
    static const int bodies[] = {10, 100, 1000, 10000};
    double row[2][2][4][C_COUNT];
    int n = 0;
    bench_columns(r, columns, C_COUNT);
    for (int k = 0; k < 4 && bodies[k] <= r->max_bodies; ++k) {
        for (int i = 0; i < 4; ++i) {
            const int v = i / 2, m = i % 2;
            Case c = {.file = model[m].file,
                      .bodies = bodies[k],
                      .repeats = r->repeats,
                      .step = variant[v].step,
                      .tolerance = variant[v].tolerance};
            if (!bench_apart(measure, &c, row[v][m][k], C_COUNT)) {
                return false;
            }
            bench_row(r, model[m].name, variant[v].name, row[v][m][k]);
        }
        n = k + 1;
    }
    for (int i = 0; i < 4; ++i) {
        facts(r, model[i % 2].name, variant[i / 2].name, row[i / 2][i % 2], n);
    }
    return true;
}

const Bench bench_chain = {"chain", "cost a step and memory of chains of 10 to 10000 bodies",
                           chain_run, false};
