/* bench/modal.c - cost of a step of a modal body over the number of its modes, and of reductions over the number of nodes.
 *
 * A bar of 100 beams swings from a pin and carries a ball at its end: 10, 50, 134 and 500 modes. Each repeat is a process that goes on from
 * one state with the same fixed steps, and the one with the least processor time counts. Reductions are of that bar, and of bars of
 * more beams.
 */
#include "bench.h"

#include "trammel/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WARM_UP = 8, STEPS = 10 };

typedef struct Case {
    const char *integrator;
    int modes, beams, repeats;
    TmlSim *sim;
} Case;

static const char *const columns[] = {"modes",        "beams",   "unknowns", "iterations_step",
                                      "factors_step", "step_ms", "reduce_s", "peak_kB"};
typedef enum Column {
    C_MODES,
    C_BEAMS,
    C_UNKNOWNS,
    C_ITERATIONS,
    C_FACTORS,
    C_STEP,
    C_REDUCE,
    C_PEAK,
    C_COUNT
} Column;

/* The description of the bar in a file of its own, which the caller removes. */
static bool describe(const Case *c, char *path, size_t size)
{
    snprintf(path, size, "/tmp/trammel-bench-%ld.yaml", (long)getpid());
    FILE *f = fopen(path, "w");
    if (f == NULL) {
        return false;
    }
    fprintf(f,
            "part: bar\n"
            "beams:\n"
            "  nodes: {a: [0, 0, 0], b: [1, 0, 0]}\n"
            "  sections: {bar: {rectangle: [20 mm, 10 mm], up: z}}\n"
            "  members: [{nodes: [a, b], section: bar, elements: %d}]\n"
            "material: {young: 210 GPa, poisson: 0.3, density: 7850}\n"
            "interfaces: {root: {set: a, tie: node}, tip: {set: b, tie: node}}\n"
            "modes: %d\ndamping: 0.01\n",
            c->beams, c->modes - 6); // twelve static shapes less six rigid motions
    return fclose(f) == 0;
}

static TmlModel *load(const char *part)
{
    char text[2000];
    TmlError err;
    TmlModel *model = NULL;
    snprintf(text, sizeof text,
             "trammel: 1\ngravity: [0, 0, -9.81]\n"
             "modal: {bar: {part: %s}}\n"
             "bodies: {ball: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [1, 0, 0]}}\n"
             "joints:\n"
             "  pin: {type: revolute, frames: [ground, bar.root]}\n"
             "  weld: {type: fixed, frames: [bar.tip, ball]}\n",
             part);
    return bench_done(tml_load_text(text, "bench", 0, NULL, NULL, &model, &err), &err) ? model
                                                                                       : NULL;
}

static bool measure(void *arg, double *out)
{
    Case *c = arg;
    TmlError err;
    TmlReducedPart *part = NULL;
    BenchSteps best = {0};
    char path[200], file[208];
    const double start = bench_seconds();
    bool done = describe(c, path, sizeof path) &&
                bench_done(tml_part_reduce(path, 0, NULL, NULL, &part, &err), &err);
    out[C_REDUCE] = bench_seconds() - start;
    snprintf(file, sizeof file, "%s.h5", path);
    done = done && bench_done(tml_part_write(part, file, &err), &err);
    TmlModel *model = done ? load(file) : NULL;
    remove(path);
    remove(file);
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = c->integrator;
    o.step = 1e-4;
    o.end_time = 1.0;
    done = model != NULL && bench_done(tml_sim_create(model, &o, &c->sim, &err), &err);
    done = done && bench_steps(c->sim, WARM_UP);
    done = done && bench_fastest_steps(c->sim, STEPS, c->repeats, &best);
    out[C_PEAK] = bench_peak();
    out[C_MODES] = c->modes;
    out[C_BEAMS] = c->beams;
    out[C_UNKNOWNS] = done ? tml_sim_stats(c->sim).n_unknowns : 0;
    out[C_ITERATIONS] = best.iterations / STEPS;
    out[C_FACTORS] = best.factors / STEPS;
    out[C_STEP] = 1e3 * best.seconds / STEPS;
    return done; // the process ends here: nothing to free
}

static bool modal_run(BenchReport *r)
{
    static const char *const integrator[] = {"hht", "radau"};
    static const int modes[] = {10, 50, 134, 500};
    bench_columns(r, columns, C_COUNT);
    for (int i = 0; i < 2; ++i) {
        double x[4], step[4];
        for (int k = 0; k < 4; ++k) {
            Case c = {.integrator = integrator[i], .modes = modes[k], .beams = 100, .repeats = 3};
            double row[C_COUNT];
            char text[128];
            if (!bench_apart(measure, &c, row, C_COUNT)) {
                return false;
            }
            snprintf(text, sizeof text, "%d modes", modes[k]);
            bench_row(r, text, integrator[i], row);
            x[k] = row[C_MODES];
            step[k] = row[C_STEP];
        }
        char text[128];
        snprintf(text, sizeof text, "%s: exponent of the cost of a step from 50 modes on",
                 integrator[i]);
        // dense blocks: products with the moments take the square, factors the cube
        bench_fact(r, text, bench_exponent(x + 1, step + 1, 3), 3.0);
    }
    return true;
}

const Bench bench_modal = {"modal", "cost of a step of a modal body over its modes", modal_run,
                           true};
