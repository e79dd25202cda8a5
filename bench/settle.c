/* bench/settle.c - balls that fall from a loose grid, settle in a box and lie still: the whole run, by `hht`.
 *
 * The grid leaves 5 mm between balls of 0.1 m, which fly to and fro a little, and falls into itself. A process each takes the
 * run to rest, takes one more second at rest, and drives the same balls without the section `contacts` by fixed steps for
 * comparison. Candidate pairs and contacts are means over all residuals of the run.
 */
#include "bench.h"

#include <math.h>
#include <string.h>

enum { SIZES = 4, FREE_STEPS = 100 };

static const int sizes[SIZES] = {10, 100, 1000, 10000};
static const double settled = 2.0, end = 3.0; /* s */
static const double tolerance = 1e-5, limit = 1.3;

static const char *const columns[] = {
    "bodies",         "unknowns",    "steps",    "rejected",     "iterations_step", "pairs",
    "contacts",       "analyses",    "patterns", "lists",        "products",        "step_us",
    "pair_us",        "contact_us",  "steps_s",  "free_steps_s", "seconds",         "rest_steps",
    "rest_longest_s", "fastest_m_s", "peak_kB",
};
typedef enum Column {
    C_BODIES,
    C_UNKNOWNS,
    C_STEPS,
    C_REJECTED,
    C_ITERATIONS,
    C_PAIRS,
    C_CONTACTS,
    C_ANALYSES,
    C_PATTERNS,
    C_LISTS,
    C_PRODUCTS,
    C_STEP,
    C_PAIR,
    C_CONTACT,
    C_RATE,
    C_FREE,
    C_SECONDS,
    C_REST,
    C_LONGEST,
    C_FASTEST,
    C_PEAK,
    C_COUNT
} Column;

/* Loads the balls, with contacts or without, and starts a run. NULL: said on stderr. */
static TmlSim *start(int n, bool free)
{
    char text[BENCH_TEXT];
    TmlError err;
    TmlSim *sim = NULL;
    TmlSimOptions o = tml_sim_options_default();
    bench_heap_text(
        &(BenchHeap){
            .n = n, .distance = 0.105, .off = 2e-3, .aside = 0.2, .young = 1e6, .restitution = 0.1},
        text);
    const TmlModel *model = bench_load_text(text, "settle", free);
    o.integrator = "hht";
    o.tolerance = tolerance;
    o.end_time = end;
    o.step = free ? 1e-5 : 0.0; // nothing would bound it
    const bool done = model != NULL && bench_done(tml_sim_create(model, &o, &sim, &err), &err);
    return done ? sim : NULL;
}

/* m/s: the speed of the fastest ball. */
static double fastest(TmlSim *sim, int n)
{
    TmlError err;
    double most = 0.0;
    if (!bench_done(tml_sim_row_at(sim, tml_sim_time(sim), &err), &err)) {
        return (double)NAN;
    }
    for (int k = 1; k <= n; ++k) {
        const TmlVec3 v = tml_row_body(sim, k).velocity;
        most = fmax(most, sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
    }
    return most;
}

/* Takes steps until the time is reached; *longest is the longest of them. */
static bool go_to(TmlSim *sim, double time, double *longest)
{
    bool done = true;
    *longest = 0.0;
    while (done && tml_sim_time(sim) < time) {
        const double from = tml_sim_time(sim);
        done = bench_steps(sim, 1);
        *longest = fmax(*longest, tml_sim_time(sim) - from);
    }
    return done;
}

static bool measure(void *arg, double *out)
{
    const int n = *(const int *)arg;
    double longest;
    TmlSim *sim = start(n, false);
    if (sim == NULL) {
        return false;
    }
    const double begin = bench_seconds();
    bool done = go_to(sim, settled, &longest);
    const double seconds = bench_seconds() - begin;
    const TmlSimStats s = tml_sim_stats(sim);
    const double steps = (double)s.steps, looks = fmax(1.0, (double)s.residuals);
    const double step = seconds / fmax(1.0, steps);
    done = done && go_to(sim, end, &longest);
    const double values[C_COUNT] = {
        [C_BODIES] = n,
        [C_UNKNOWNS] = s.n_unknowns,
        [C_STEPS] = steps,
        [C_REJECTED] = (double)s.rejected,
        [C_ITERATIONS] = (double)s.iterations / fmax(1.0, steps),
        [C_PAIRS] = (double)s.contact_candidates / looks,
        [C_CONTACTS] = (double)s.contact_touching / looks,
        [C_ANALYSES] = (double)s.analyses,
        [C_PATTERNS] = (double)s.contact_patterns,
        [C_LISTS] = (double)s.contact_lists,
        [C_PRODUCTS] = (double)s.products / fmax(1.0, (double)s.solves_iterated),
        [C_STEP] = 1e6 * step,
        [C_PAIR] = 1e6 * step / fmax(1.0, (double)s.contact_candidates / looks),
        [C_CONTACT] = 1e6 * step / fmax(1.0, (double)s.contact_touching / looks),
        [C_RATE] = 1.0 / step,
        [C_SECONDS] = seconds,
        [C_REST] = done ? (double)(tml_sim_stats(sim).steps - s.steps) : (double)NAN,
        [C_LONGEST] = longest,
        [C_FASTEST] = fastest(sim, n),
        [C_PEAK] = bench_peak(),
    };
    memcpy(out, values, sizeof values);
    return done; // the process ends here: nothing to free
}

static bool measure_free(void *arg, double *out)
{
    TmlSim *sim = start(*(const int *)arg, true);
    if (sim == NULL || !bench_steps(sim, 1)) {
        return false;
    }
    const double begin = bench_seconds();
    const bool done = bench_steps(sim, FREE_STEPS);
    *out = FREE_STEPS / (bench_seconds() - begin);
    return done;
}

static bool settle_run(BenchReport *r)
{
    double x[SIZES], step[SIZES];
    int n = 0;
    bench_columns(r, columns, C_COUNT);
    for (int k = 0; k < SIZES && sizes[k] <= r->max_bodies; ++k) {
        double row[C_COUNT];
        int balls = sizes[k];
        if (!bench_apart(measure, &balls, row, C_COUNT) ||
            !bench_apart(measure_free, &balls, &row[C_FREE], 1)) {
            return false;
        }
        bench_row(r, "settle", row[C_PRODUCTS] > 0.0 ? "iterations" : "factors", row);
        x[n] = row[C_BODIES];
        step[n++] = row[C_STEP];
    }
    if (n > 2) { // the smallest are all overhead
        bench_fact(r, "settle: exponent of the cost of a step",
                   bench_exponent(x + 1, step + 1, n - 1), limit);
    }
    return true;
}

const Bench bench_settle = {
    "settle", "balls that settle in a box from a loose start and lie still, 10 to 10000 of them",
    settle_run, true};
