/* bench/contact.c - cost of contacts: heaps of spheres, brick walls, rows, tracks, patches.
 *
 * A process loads the model, makes the sim and steps until bodies press on each other; from that state each repeat, again a
 * process, takes the same steps by `hht` at its default tolerance, and the one with the least processor time counts. The same
 * bodies without the section `contacts` fall freely by fixed steps, for comparison.
 */
#include "bench.h"

#include <math.h>

enum { STEPS = 20, SIZES = 4, CASES = 5 };

/* --- models ------------------------------------------------------------------------------------- */

/* N balls in a cubic heap, in each other by 10 micrometres, that presses itself together. */
static void heap_text(int n, char *text)
{
    bench_heap_text(&(BenchHeap){.n = n,
                                 .distance = 0.09999,
                                 .off = 2e-6,
                                 .aside = 0.02,
                                 .down = 0.1,
                                 .young = 1e7,
                                 .restitution = 0.5},
                    text);
}

/* N bricks in courses of ten, each over the joint of two below. */
static void wall_text(int n, char *text)
{
    snprintf(text, BENCH_TEXT,
             "trammel: 1\n"
             "parameters: {N: %d}\n"
             "gravity: [0, 0, -9.81]\n"
             "ground: {shape: {half_space: {normal: z}}}\n"
             "bodies:\n"
             "  for n in 0..N-1:\n"
             "    \"b{n}\":\n"
             "      mass: 4\n"
             "      inertia: [0.01, 0.02, 0.02]\n"
             "      position:\n"
             "        - \"0.21*mod(n, 10) + 0.105*mod(aint(n/10), 2)\"\n"
             "        - 0\n"
             "        - \"0.05 + 0.0999*aint(n/10)\"\n"
             "      velocity: [0, 0, \"-0.1 - 0.01*sin(n)\"]\n"
             "      shape: {box: {size: [0.2, 0.1, 0.1]}}\n"
             "contacts:\n"
             "  all: {between: all, law: linear, foundation: 1e8, friction: {law: "
             "coulomb, dynamic: 0.5}}\n",
             n);
}

/* N balls in a line between two walls, pressed together: every contact is one of the chain. */
static void row_text(int n, char *text)
{
    snprintf(text, BENCH_TEXT,
             "trammel: 1\n"
             "parameters: {N: %d, d: 0.09999}\n"
             "gravity: [0, 0, -9.81]\n"
             "ground:\n"
             "  shape:\n"
             "    - {half_space: {normal: z, name: floor}}\n"
             "    - {half_space: {normal: x, name: left}}\n"
             "    - {half_space: {normal: -x, position: [N*d, 0, 0], name: right}}\n"
             "bodies:\n"
             "  for n in 0..N-1:\n"
             "    \"s{n}\": {mass: 1, inertia: [0.001, 0.001, 0.001], position: [d*(n + 0.5), 0, "
             "0.04999], velocity: [0.01*sin(n), 0, 0], shape: {sphere: {radius: 0.05}}}\n"
             "contacts:\n"
             "  all: {between: all, law: hertz, young: 1e7, poisson: 0.3, restitution: 0.5, "
             "friction: {law: coulomb, dynamic: 0.3}}\n",
             n);
}

/* N shoes on pins, a straight track on the ground that sinks in and wags. */
static void track_text(int n, char *text)
{
    snprintf(
        text, BENCH_TEXT,
        "trammel: 1\n"
        "parameters: {N: %d}\n"
        "gravity: [0, 0, -9.81]\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies:\n"
        "  for n in 1..N:\n"
        "    \"s{n}\": {mass: 4, inertia: [0.01, 0.01, 0.02], position: [0.2*n, 0, 0.0499], "
        "velocity: [0.1, 0, -0.1], shape: {box: {size: [0.18, 0.3, 0.1]}}}\n"
        "joints:\n"
        "  for n in 2..N:\n"
        "    \"p{n}\": {type: revolute, bodies: [\"s{n - 1}\", \"s{n}\"], at: [\"0.2*n - 0.1\", 0, "
        "0.0499], axis: y}\n"
        "contacts:\n"
        "  all: {between: [all, ground], law: linear, foundation: 1e8, friction: "
        "{law: "
        "coulomb, dynamic: 0.5}}\n",
        n);
}

/* The 690 spheres of models/contact/patch_690.yaml, N at a time, in rows of 23. */
static void patch_text(int n, char *text)
{
    snprintf(
        text, BENCH_TEXT,
        "trammel: 1\n"
        "parameters: {N: %d, R: 0.05, drop: -1e-5}\n"
        "gravity: [0, 0, -9.81]\n"
        "ground: {shape: {half_space: {normal: z}}}\n"
        "bodies:\n"
        "  for n in 0..N-1:\n"
        "    \"s{n}\": {mass: 1, inertia: [0.001, 0.001, 0.001], position: [\"0.12*aint(n/23)\", "
        "\"0.12*mod(n, 23)\", R + drop], shape: {sphere: {radius: R}}}\n"
        "contacts:\n"
        "  all: {between: all, law: hertz, young: 1e8, poisson: 0.3, damping: 50}\n",
        n);
}

typedef struct Case {
    const char *name;
    void (*text)(int n, char *text);
    int size[SIZES]; /* bodies; 0: no more */
    double limit;    /* of the exponent; 0: none */
    double warm_up;  /* s */
} Case;

static const Case cases[CASES] = {
    {"heap", heap_text, {10, 100, 1000, 10000}, 1.3, 2e-3},
    {"wall", wall_text, {10, 100, 1000, 0}, 1.3, 1e-3},
    {"row", row_text, {10, 100, 1000, 10000}, 1.1, 2e-3},
    {"track", track_text, {10, 100, 1000, 0}, 1.1, 2e-3},
    {"patch", patch_text, {69, 690, 6900, 0}, 1.1, 2e-3},
};

/* --- measurement --------------------------------------------------------------------------------- */

static const char *const columns[] = {
    "bodies",     "unknowns", "pairs",    "contacts",     "iterations_step", "jacobians_step",
    "products",   "analyses", "patterns", "lists",        "step_us",         "pair_us",
    "contact_us", "body_us",  "steps_s",  "free_steps_s", "create_s",        "resident_kB",
};
typedef enum Column {
    C_BODIES,
    C_UNKNOWNS,
    C_PAIRS,
    C_CONTACTS,
    C_ITERATIONS,
    C_JACOBIANS,
    C_PRODUCTS,
    C_ANALYSES,
    C_PATTERNS,
    C_LISTS,
    C_STEP,
    C_PAIR,
    C_CONTACT,
    C_BODY,
    C_RATE,
    C_FREE,
    C_CREATE,
    C_RESIDENT,
    C_COUNT
} Column;

typedef enum Part {
    P_SECONDS,
    P_ITERATIONS,
    P_JACOBIANS,
    P_RESIDUALS,
    P_PAIRS,
    P_CONTACTS,
    P_SOLVES,
    P_PRODUCTS,
    P_COUNT
} Part;

typedef struct Work {
    const Case *of;
    int n, repeats;
    bool free; /* without contacts */
    TmlSim *sim;
} Work;

static bool repeat(void *arg, double *out)
{
    const Work *w = arg;
    bool done = bench_steps(w->sim, 1); // pages shared with the parent become our own
    const TmlSimStats s0 = tml_sim_stats(w->sim);
    const double start = bench_seconds();
    done = done && bench_steps(w->sim, STEPS);
    out[P_SECONDS] = bench_seconds() - start;
    const TmlSimStats s1 = tml_sim_stats(w->sim);
    out[P_ITERATIONS] = (double)(s1.iterations - s0.iterations);
    out[P_JACOBIANS] = (double)(s1.jacobians - s0.jacobians);
    out[P_RESIDUALS] = (double)(s1.residuals - s0.residuals);
    out[P_PAIRS] = (double)(s1.contact_candidates - s0.contact_candidates);
    out[P_CONTACTS] = (double)(s1.contact_touching - s0.contact_touching);
    out[P_SOLVES] = (double)(s1.solves_iterated - s0.solves_iterated);
    out[P_PRODUCTS] = (double)(s1.products - s0.products);
    return done;
}

static TmlModel *load(const Work *w)
{
    char text[BENCH_TEXT];
    w->of->text(w->n, text);
    return bench_load_text(text, w->of->name, w->free);
}

static bool measure(void *arg, double *out)
{
    Work *w = arg;
    TmlError err;
    double best[P_COUNT] = {(double)INFINITY};
    TmlModel *model = load(w);
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "hht"; // not what `auto` may choose one day
    o.end_time = 1.0;
    o.step = w->free ? 1e-5 : 0.0; // nothing would bound it
    const double start = bench_seconds();
    bool done = model != NULL && bench_done(tml_sim_create(model, &o, &w->sim, &err), &err);
    out[C_CREATE] = bench_seconds() - start;
    while (done && tml_sim_time(w->sim) < w->of->warm_up) {
        done = bench_steps(w->sim, 1);
    }
    out[C_RESIDENT] = bench_resident();
    done = done && bench_fastest(repeat, w, w->repeats, best, P_COUNT, NULL);
    const TmlSimStats s = done ? tml_sim_stats(w->sim) : (TmlSimStats){0};
    const double step = best[P_SECONDS] / STEPS;
    out[C_BODIES] = w->n;
    out[C_UNKNOWNS] = s.n_unknowns;
    out[C_PAIRS] = best[P_PAIRS] / fmax(1.0, best[P_RESIDUALS]);
    out[C_CONTACTS] = best[P_CONTACTS] / fmax(1.0, best[P_RESIDUALS]);
    out[C_ITERATIONS] = best[P_ITERATIONS] / STEPS;
    out[C_JACOBIANS] = best[P_JACOBIANS] / STEPS;
    out[C_PRODUCTS] = best[P_PRODUCTS] / fmax(1.0, best[P_SOLVES]);
    out[C_ANALYSES] = (double)s.analyses;
    out[C_PATTERNS] = (double)s.contact_patterns;
    out[C_LISTS] = (double)s.contact_lists;
    out[C_STEP] = 1e6 * step;
    out[C_PAIR] = 1e6 * step / fmax(1.0, out[C_PAIRS]);
    out[C_CONTACT] = 1e6 * step / fmax(1.0, out[C_CONTACTS]);
    out[C_BODY] = 1e6 * step / w->n;
    out[C_RATE] = 1.0 / step;
    out[C_FREE] = 0.0;
    return done; // the process ends here: nothing to free
}

static bool measure_case(BenchReport *r, const Case *c)
{
    double x[SIZES], step[SIZES];
    char text[128];
    int n = 0;
    for (int k = 0; k < SIZES && c->size[k] > 0 && c->size[k] <= r->max_bodies; ++k) {
        double row[C_COUNT], free_row[C_COUNT];
        Work w = {.of = c, .n = c->size[k], .repeats = r->repeats};
        if (!bench_apart(measure, &w, row, C_COUNT)) {
            return false;
        }
        w.free = true;
        if (!bench_apart(measure, &w, free_row, C_COUNT)) {
            return false;
        }
        row[C_FREE] = free_row[C_RATE];
        bench_row(r, c->name, row[C_PRODUCTS] > 0.0 ? "iterations" : "factors", row);
        x[n] = row[C_BODIES];
        step[n++] = row[C_STEP];
    }
    if (n > 2) { // the smallest are all overhead
        snprintf(text, sizeof text, "%s: exponent of the cost of a step", c->name);
        bench_fact(r, text, bench_exponent(x + 1, step + 1, n - 1), c->limit);
    }
    return true;
}

static bool contact_run(BenchReport *r)
{
    bench_columns(r, columns, C_COUNT);
    for (int k = 0; k < CASES; ++k) {
        if (!measure_case(r, &cases[k])) {
            return false;
        }
    }
    return true;
}

const Bench bench_contact = {
    "contact", "cost a step of heaps, walls, rows, tracks and patches of 10 to 10000 bodies",
    contact_run, true};
