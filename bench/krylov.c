/* bench/krylov.c - the loops of tlismni-hht on stiff chains: iterations and cost a step, with and
 * without the preconditioner, and where the time goes.
 *
 * Fixed steps, so that all variants do the same. A row per chain, stiffness and variant; hht, which
 * has one loop, is there for comparison. A variant that does not converge has no figures.
 */
#include "analysis/driver/sim_internal.h"
#include "base/clock.h"
#include "bench.h"

#include <math.h>
#include <string.h>

enum { WARM_UP = 10, STEPS = 20, MAX_OPTIONS = 3 };

typedef struct Variant {
    const char *name, *integrator;
    const char *key[MAX_OPTIONS], *value[MAX_OPTIONS];
    int n;
} Variant;

static const Variant variants[] = {
    {"hht", "hht", {NULL}, {NULL}, 0},
    {"auto", "tlismni-hht", {NULL}, {NULL}, 0},
    {"recursive", "tlismni-hht", {"coordinates"}, {"recursive"}, 1},
    {"simple", "tlismni-hht", {"iteration", "preconditioner"}, {"simple", "false"}, 2},
    {"arnoldi",
     "tlismni-hht",
     {"iteration", "preconditioner", "krylov"},
     {"arnoldi", "false", "400"},
     3},
    {"arnoldi-pre", "tlismni-hht", {"iteration", "preconditioner"}, {"arnoldi", "true"}, 2},
    {"iom", "tlismni-hht", {"iteration", "preconditioner", "krylov"}, {"iom", "false", "400"}, 3},
    {"iom-pre", "tlismni-hht", {"iteration", "preconditioner"}, {"iom", "true"}, 2},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static const char *const columns[] = {
    "links",          "stiffness",      "corrections",  "krylov",       "evaluations",
    "renewals",       "step_ms",        "step_us_link", "share_factor", "share_solve",
    "share_residual", "share_jacobian", "share_other",
};
typedef enum Column {
    C_LINKS,
    C_STIFFNESS,
    C_CORRECTIONS,
    C_KRYLOV,
    C_EVALUATIONS,
    C_RENEWALS,
    C_STEP,
    C_STEP_LINK,
    C_FACTOR,
    C_SOLVE,
    C_RESIDUAL,
    C_JACOBIAN,
    C_OTHER,
    C_COUNT
} Column;

typedef struct Case {
    const Variant *variant;
    int links;
    double stiffness;
} Case;

static TmlModel *load(const Case *c)
{
    char path[1024];
    TmlError err;
    TmlModel *model = NULL;
    const char *const name[] = {"N", "k"};
    const double value[] = {c->links, c->stiffness};
    snprintf(path, sizeof path, "%s/models/stiff_chain.yaml", TRAMMEL_SOURCE_DIR);
    return bench_done(tml_load(path, 2, name, value, &model, &err), &err) ? model : NULL;
}

static bool take_steps(TmlSim *sim, int n)
{
    TmlError err;
    for (int k = 0; k < n; ++k) {
        if (tml_sim_step(sim, &err) != TML_OK) {
            return false; // said by empty places in the row
        }
    }
    return true;
}

/* Counts and times a step from the difference of two sets of statistics. */
static void fill(const Case *c, TmlSim *sim, double seconds, const TmlSimStats *a,
                 const TmlTwoLoopStats *b, double *out)
{
    const TmlSimStats s = tml_sim_stats(sim);
    out[C_STEP] = 1e3 * seconds / STEPS;
    out[C_STEP_LINK] = 1e6 * seconds / STEPS / c->links;
    out[C_FACTOR] = (s.seconds_factor - a->seconds_factor) / seconds;
    out[C_SOLVE] = (s.seconds_solve - a->seconds_solve) / seconds;
    out[C_RESIDUAL] = (s.seconds_residual - a->seconds_residual) / seconds;
    out[C_JACOBIAN] = (s.seconds_jacobian - a->seconds_jacobian) / seconds;
    out[C_OTHER] = 1.0 - out[C_FACTOR] - out[C_SOLVE] - out[C_RESIDUAL] - out[C_JACOBIAN];
    out[C_CORRECTIONS] = (double)(s.iterations - a->iterations) / STEPS;
    if (strcmp(c->variant->integrator, "hht") != 0) {
        const TmlTwoLoopStats t = sim->it.loop;
        out[C_KRYLOV] = (double)(t.krylov - b->krylov) / STEPS;
        out[C_EVALUATIONS] = (double)(t.evaluations - b->evaluations) / STEPS;
        out[C_RENEWALS] = (double)(t.preconditioners - b->preconditioners) / STEPS;
    }
}

static bool measure(void *arg, double *out)
{
    const Case *c = arg;
    const Variant *v = c->variant;
    TmlError err;
    TmlSim *sim = NULL;
    TmlModel *model = load(c);
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = v->integrator;
    o.step = 1e-3;
    o.tolerance = 1e-6;
    o.record_solver = false;
    o.n_options = v->n;
    o.option_key = v->key;
    o.option_value = v->value;
    for (int k = 0; k < C_COUNT; ++k) {
        out[k] = (double)NAN;
    }
    out[C_LINKS] = c->links;
    out[C_STIFFNESS] = c->stiffness;
    if (model == NULL || !bench_done(tml_sim_create(model, &o, &sim, &err), &err)) {
        return false;
    }
    if (take_steps(sim, WARM_UP)) {
        const TmlSimStats a = tml_sim_stats(sim);
        const TmlTwoLoopStats b = sim->it.loop;
        const double start = tml_clock();
        if (take_steps(sim, STEPS)) {
            fill(c, sim, tml_clock() - start, &a, &b, out);
        }
    }
    return true; // the process ends here: nothing to free
}

/* Thousands of products a step are not worth the wait: at a tenth of the length they are counted.
 */
static bool too_long(const Case *c)
{
    const bool plain =
        strcmp(c->variant->name, "arnoldi") == 0 || strcmp(c->variant->name, "iom") == 0;
    return plain && c->links >= 1000 && c->stiffness > 1e5;
}

/* The fastest of the repeats. */
static bool best(const Case *c, int repeats, double *out)
{
    double row[C_COUNT];
    for (int k = 0; k < repeats; ++k) {
        Case copy = *c;
        if (!bench_apart(measure, &copy, row, C_COUNT)) {
            return false;
        }
        if (k == 0 || row[C_STEP] < out[C_STEP]) {
            memcpy(out, row, sizeof row);
        }
    }
    return true;
}

static bool krylov_run(BenchReport *r)
{
    static const int links[] = {10, 100, 1000};
    static const double stiffness[] = {1e2, 1e4, 1e6};
    double x[3], pre[3];
    int n = 0;
    bench_columns(r, columns, C_COUNT);
    for (int i = 0; i < 3 && links[i] <= r->max_bodies; ++i) {
        for (int j = 0; j < 3 * VARIANTS; ++j) {
            const Case c = {&variants[j % VARIANTS], links[i], stiffness[j / VARIANTS]};
            double row[C_COUNT];
            char name[32];
            snprintf(name, sizeof name, "k=%g", c.stiffness);
            if (too_long(&c)) {
                continue;
            }
            if (!best(&c, r->repeats, row)) {
                return false;
            }
            bench_row(r, name, c.variant->name, row);
            if (strcmp(c.variant->name, "arnoldi-pre") == 0 && j / VARIANTS == 1) {
                x[n] = links[i];
                pre[n++] = row[C_STEP];
            }
        }
    }
    if (n > 1) {
        bench_fact(r, "exponent of the cost of a step, preconditioned, k=1e4",
                   bench_exponent(x, pre, n), 1.1);
    }
    return true;
}

const Bench bench_krylov = {"krylov", "loops of tlismni-hht on stiff chains, by preconditioner",
                            krylov_run, false};
