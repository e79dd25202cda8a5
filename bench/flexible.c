/* bench/flexible.c - cost and memory of flexible bodies of many elements.
 *
 * A cable and a spatial beam hang from a pin and swing: 8 to 4096 elements of 5 cm, and a length of
 * 1 m cut into as many ("refined"). A process loads the model, makes the sim and warms it up; from
 * that state each repeat, again a process, takes the same steps, and the one with the least
 * processor time counts. By fixed steps and by tolerance.
 */
#include "bench.h"

#include <math.h>
#include <string.h>

enum { WARM_UP = 16, STEPS = 10 };

typedef struct Case {
    const char *file;
    int elements, repeats;
    double step, length; /* 0: by tolerance; elements of 5 cm */
    TmlSim *sim;
} Case;

static const char *const columns[] = {
    "elements",        "unknowns", "iterations_step", "factors_step", "step_ms",
    "step_us_element", "load_s",   "create_s",        "resident_kB",  "peak_kB",
};
typedef enum Column {
    C_ELEMENTS,
    C_UNKNOWNS,
    C_ITERATIONS,
    C_FACTORS,
    C_STEP,
    C_STEP_ELEMENT,
    C_LOAD,
    C_CREATE,
    C_RESIDENT,
    C_PEAK,
    C_COUNT
} Column;

static TmlModel *load(const Case *c)
{
    static const char *const name[] = {"N", "L"};
    const double value[] = {c->elements, c->length};
    char path[1024];
    TmlError err;
    TmlModel *model = NULL;
    snprintf(path, sizeof path, "%s/models/%s", TRAMMEL_SOURCE_DIR, c->file);
    const int given = c->length > 0.0 ? 2 : 1;
    return bench_done(tml_load(path, given, name, value, &model, &err), &err) ? model : NULL;
}

static bool measure(void *arg, double *out)
{
    Case *c = arg;
    TmlError err;
    BenchSteps best = {0};
    const double start = bench_seconds();
    TmlModel *model = load(c);
    out[C_LOAD] = bench_seconds() - start;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = "hht"; // not what `auto` may choose one day
    o.step = c->step;
    bool done = model != NULL && bench_done(tml_sim_create(model, &o, &c->sim, &err), &err);
    out[C_CREATE] = bench_seconds() - start - out[C_LOAD];
    done = done && bench_steps(c->sim, WARM_UP);
    out[C_RESIDENT] = bench_resident();
    out[C_PEAK] = bench_peak();
    done = done && bench_fastest_steps(c->sim, STEPS, c->repeats, &best);
    out[C_ELEMENTS] = c->elements;
    out[C_UNKNOWNS] = done ? tml_sim_stats(c->sim).n_unknowns : 0;
    out[C_ITERATIONS] = best.iterations / STEPS;
    out[C_FACTORS] = best.factors / STEPS;
    out[C_STEP] = 1e3 * best.seconds / STEPS;
    out[C_STEP_ELEMENT] = 1e3 * out[C_STEP] / c->elements;
    return done; // the process ends here: nothing to free
}

static void facts(BenchReport *r, const char *what, const char *variant, double row[][C_COUNT],
                  int n)
{
    char text[128];
    double x[4], step[4];
    for (int k = 0; k < n; ++k) {
        x[k] = row[k][C_ELEMENTS];
        step[k] = row[k][C_STEP];
    }
    const double *a = row[n - 2], *b = row[n - 1], *first = row[0];
    snprintf(text, sizeof text, "%s %s: exponent of the cost of a step", what, variant);
    bench_fact(r, text, bench_exponent(x, step, n), 1.1);
    snprintf(text, sizeof text, "%s %s: iterations a step, longest over shortest", what, variant);
    bench_fact(r, text, b[C_ITERATIONS] / first[C_ITERATIONS], 1.5);
    snprintf(text, sizeof text, "%s %s: factors a step, longest less shortest", what, variant);
    bench_fact(r, text, b[C_FACTORS] - first[C_FACTORS], (double)NAN);
    snprintf(text, sizeof text, "%s %s: resident memory, kB an element", what, variant);
    bench_fact(r, text, (b[C_RESIDENT] - a[C_RESIDENT]) / (b[C_ELEMENTS] - a[C_ELEMENTS]),
               (double)NAN);
}

static bool flexible_run(BenchReport *r)
{
    static const struct {
        const char *name, *file;
    } model[] = {{"cable", "flexible/swinging_cable.yaml"},
                 {"beam", "flexible/swinging_beam.yaml"}};
    static const struct {
        const char *name;
        double step, length;
    } variant[] = {{"step", 1e-3, 0.0},
                   {"tolerance", 0.0, 0.0},
                   {"refined step", 1e-3, 1.0},
                   {"refined tolerance", 0.0, 1.0}};
    enum { KINDS = 8 };
    static const int elements[] = {8, 64, 512, 4096};
    double row[KINDS][4][C_COUNT];
    int n = 0;
    bench_columns(r, columns, C_COUNT);
    for (int k = 0; k < 4 && elements[k] <= r->max_bodies; ++k) {
        for (int i = 0; i < KINDS; ++i) {
            Case c = {.file = model[i % 2].file,
                      .elements = elements[k],
                      .repeats = r->repeats,
                      .step = variant[i / 2].step,
                      .length = variant[i / 2].length};
            if (!bench_apart(measure, &c, row[i][k], C_COUNT)) {
                return false;
            }
            bench_row(r, model[i % 2].name, variant[i / 2].name, row[i][k]);
        }
        n = k + 1;
    }
    for (int i = 0; i < KINDS && n > 1; ++i) {
        facts(r, model[i % 2].name, variant[i / 2].name, row[i], n);
    }
    return true;
}

const Bench bench_flexible = {"flexible",
                              "cost a step and memory of cables and beams of 8 to 4096 elements",
                              flexible_run, false};
