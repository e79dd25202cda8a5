/* bench/orders.c - measured orders of every method at fixed step and order, what stiffness leaves
 * of them, and how stiff modes are damped.
 *
 * The order is the slope of log error over log step; the error is the Euclidean distance of q (and
 * of v) at ROWS times to a tight run of another method, relative to the size of that run. Steps are
 * tried from coarse to fine; the slope is that of the finest ones whose error is above a floor, a
 * factor of two in h. The floor is 30 times what is not known: what two references differ by, and
 * rounding; one rule for all.
 *
 * The stiff test is a point pulled to x = cos t by a spring of k = 1e8 /s^2, without and with a
 * damper of d = 1e6 /s (Prothero and Robinson's problem for second order); its solution is cos t.
 * Damping is the energy norm of x'' = -x after one and ten steps of h = 1e3 and 1e6, of 1 before;
 * rate is the factor of a step, over the later half of up to 40 steps.
 */
#include "analysis/driver/sim_internal.h"
#include "bench.h"
#include "trammel/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COARSEST = 32, LADDER = 64, ROWS = 8, MAX_Q = 64 };

static const char *const columns[] = {"expected",     "order_q",        "order_v",
                                      "h_longest",    "error_longest",  "error_shortest",
                                      "after_1_step", "after_10_steps", "rate"};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

typedef struct Variant {
    const char *integrator, *key, *value; /* one option; NULL: none */
    double order;
} Variant;

static const Variant variants[] = {
    {"hht", NULL, NULL, 2},
    {"hht", "alpha", "0", 2},
    {"generalized-alpha", NULL, NULL, 2},
    {"tlismni-park", NULL, NULL, 2},
    {"tlismni-bdf2", NULL, NULL, 2},
    {"tlismni-trapezoidal", NULL, NULL, 2},
    {"tlismni-hht", NULL, NULL, 2},
    {"rosenbrock-w", "age", "1", 2},
    {"rosenbrock-w", "age", "1000000", 2}, /* the Jacobian of the start, wrong ever after */
    {"rosenbrock", NULL, NULL, 4},
    {"radau", NULL, NULL, 5},
    {"bdf-i3", "order", "1", 1},
    {"bdf-i3", "order", "2", 2},
    {"bdf-i3", "order", "3", 3},
    {"bdf-i3", "order", "4", 4},
    {"bdf-i3", "order", "5", 5},
    {"bdf-si2", "order", "1", 1},
    {"bdf-si2", "order", "2", 2},
    {"bdf-si2", "order", "3", 3},
    {"bdf-si2", "order", "4", 4},
    {"bdf-si2", "order", "5", 5},
    /* a predictor of order k, corrected once: order k + 1 */
    {"adams", "order", "1", 2},
    {"adams", "order", "2", 3},
    {"adams", "order", "3", 4},
    {"adams", "order", "4", 5},
    {"adams", "order", "5", 6},
    {"adams", "order", "6", 7},
    {"adams", "order", "7", 8},
    {"adams", "order", "8", 9},
    {"adams", "order", "9", 10},
    {"adams", "order", "10", 11},
    {"adams", "order", "11", 12},
    {"adams", "order", "12", 13},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* --- runs ------------------------------------------------------------------------------------- */

/* q and v at the rows of a run. */
typedef struct Trace {
    int n; /* numbers in all rows together */
    double q[ROWS * MAX_Q], v[ROWS * MAX_Q];
} Trace;

static bool is_method(const Variant *v, const char *name)
{
    return strncmp(v->integrator, name, strlen(name)) == 0;
}

/* hht, generalized-alpha, bdf-i3. */
static bool is_index_3(const Variant *v)
{
    return is_method(v, "hht") || is_method(v, "generalized") || is_method(v, "bdf-i3");
}

static void name_of(const Variant *v, char *name, size_t size)
{
    snprintf(name, size, v->key != NULL ? "%s %s=%s" : "%s", v->integrator, v->key, v->value);
}

/* Outer and Newton iterations stop at a share of it, far below what is measured. Rosenbrock methods
 * do not iterate; they put a state onto the constraints by the least move unless it is farther off
 * than the tolerance (RN8), and a large one keeps that from changing between the steps of a slope.
 */
static double tolerance_of(const Variant *v)
{
    return is_method(v, "rosenbrock") ? 1e-2 : is_method(v, "radau") ? 1e-14 : 1e-12;
}

static TmlSim *make(const TmlModel *model, const Variant *v, double end, double step)
{
    // long steps converge slowly
    const bool more = is_method(v, "radau") || is_method(v, "bdf");
    const char *key[2] = {"iterations", v->key}, *value[2] = {"60", v->value};
    TmlSim *sim = NULL;
    TmlError err;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = v->integrator;
    o.end_time = o.output_step = end;
    o.tolerance = tolerance_of(v);
    o.step = step;
    o.n_options = (more ? 1 : 0) + (v->key != NULL ? 1 : 0);
    o.option_key = more ? key : key + 1;
    o.option_value = more ? value : value + 1;
    return bench_done(tml_sim_create(model, &o, &sim, &err), &err) ? sim : NULL;
}

static void keep(const TmlSim *sim, const TmlState *s, Trace *out)
{
    const int n = tml_dims(sim->sys)->nq;
    if (out->n + n <= ROWS * MAX_Q) {
        memcpy(out->q + out->n, s->q, (size_t)n * sizeof *out->q);
        memcpy(out->v + out->n, s->v, (size_t)n * sizeof *out->v);
        out->n += n;
    }
}

/* One step past the driver, kept whatever its error. */
static bool one_step(TmlSim *sim, double h)
{
    TmlIntegrator *it = &sim->it;
    TmlAttempt a;
    TmlError err;
    if (sim->type->attempt(it, h, &a, &err) != TML_OK || !a.converged ||
        (sim->type->accept != NULL && sim->type->accept(it, h, &err) != TML_OK)) {
        return false;
    }
    const TmlState old = it->now;
    it->now = it->next;
    it->next = old;
    tml_system_commit(sim->sys, &it->now);
    return true;
}

/* n steps, a multiple of ROWS; false when a step fails. */
static bool fixed_run(const TmlModel *model, const Variant *v, int n, double end, Trace *out)
{
    const double h = end / n;
    TmlSim *sim = make(model, v, end, h);
    TmlError err;
    bool done = sim != NULL;
    out->n = 0;
    for (int k = 0; k < n && done; ++k) {
        done = tml_sim_step(sim, &err) == TML_OK;
        if (done && (k + 1) % (n / ROWS) == 0) {
            keep(sim, &sim->it.now, out);
        }
    }
    tml_sim_free(sim);
    return done;
}

static TmlStatus tight_row(void *user, const TmlSim *sim, TmlError *err)
{
    (void)err;
    if (sim->row.t > 0.0) {
        keep(sim, &sim->row, user);
    }
    return TML_OK;
}

static bool tight_run(const TmlModel *model, const char *integrator, double tolerance, double end,
                      Trace *out)
{
    TmlSim *sim = NULL;
    TmlError err;
    TmlSimOptions o = tml_sim_options_default();
    o.integrator = integrator;
    o.end_time = end;
    o.output_step = end / ROWS;
    o.tolerance = tolerance;
    out->n = 0;
    bool done = bench_done(tml_sim_create(model, &o, &sim, &err), &err);
    done = done && bench_done(tml_sim_run(sim, tight_row, out, &err), &err);
    tml_sim_free(sim);
    return done;
}

static double distance(int n, const double *a, const double *b)
{
    double sum = 0.0, size = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
        size += b[k] * b[k];
    }
    return sqrt(sum / fmax(size, 1e-300));
}

/* --- orders ----------------------------------------------------------------------------------- */

/* How well q and v are known, for floors. */
typedef struct Known {
    double q, v;   /* what two references differ by */
    bool quotient; /* v is a difference quotient of q */
    double eps;    /* rounding of a step */
} Known;

/* BDF takes the rates of Euler parameters across their norm from positions. */
static Known known_by(const Variant *v, const Trace *a, const Trace *b)
{
    return (Known){.q = distance(a->n, a->q, b->q),
                   .v = distance(a->n, a->v, b->v),
                   .quotient = is_index_3(v) || is_method(v, "bdf"),
                   .eps = 2.2e-16};
}

/* Error of q or v below which a run of n steps of h says nothing about the order: TIMES the
 * difference of the references and the rounding of n steps that go astray at random; of quotients,
 * over h too. */
static double floor_at(const Known *k, bool rates, int n, double h)
{
    const double TIMES = 30.0;
    return TIMES *
           ((rates ? k->v : k->q) + k->eps * sqrt(n) + (rates && k->quotient ? k->eps / h : 0.0));
}

/* Steps of the ladder: second order is past its asymptote long before rounding; the W-method, whose
 * next terms are large, is taken further. */
static int finest_of(const Variant *v)
{
    return is_method(v, "rosenbrock-w") || v->order < 2.0 ? 16384 : v->order == 2.0 ? 4096 : 8192;
}

/* Errors over steps, coarse to fine. */
typedef struct Ladder {
    int n;
    double h[LADDER], q[LADDER], v[LADDER];
    bool above_q[LADDER], above_v[LADDER]; /* their floors */
} Ladder;

/* Of one step of the ladder to the next: errors of higher orders pass the same span sooner. */
static double ratio_of(double order)
{
    return order <= 2.0 ? sqrt(2.0) : pow(2.0, 0.25);
}

static void climb(const TmlModel *model, const Variant *v, double end, int finest,
                  const Known *known, const Trace *exact, Ladder *out)
{
    int last = 0;
    out->n = 0;
    for (double x = COARSEST; x <= 1.01 * finest && out->n < LADDER; x *= ratio_of(v->order)) {
        Trace run;
        const int steps = ROWS * (int)lround(x / ROWS), n = out->n;
        if (steps == last) {
            continue;
        }
        last = steps;
        if (!fixed_run(model, v, steps, end, &run)) {
            continue; // a step of this size did not converge
        }
        out->h[n] = end / steps;
        out->q[n] = distance(run.n, run.q, exact->q);
        out->v[n] = distance(run.n, run.v, exact->v);
        out->above_q[n] = out->q[n] > floor_at(known, false, steps, out->h[n]);
        out->above_v[n] = out->v[n] > floor_at(known, true, steps, out->h[n]);
        out->n++;
        if (!out->above_q[n] && !out->above_v[n]) {
            break; // so is nothing finer
        }
    }
}

/* Slope over the finest steps with errors e above the floor, a factor of `span` in h. *first, *n:
 * which ones. NAN: there are fewer than three. */
static double slope(const Ladder *l, const double *e, const bool *above, double span, int *first,
                    int *n)
{
    int last = 0;
    while (last < l->n && above[last]) {
        ++last;
    }
    *first = last > 0 ? last - 1 : 0;
    while (*first > 0 && l->h[*first] < 0.99 * span * l->h[last - 1]) {
        --*first;
    }
    *n = last - *first;
    return *n >= 3 ? bench_exponent(l->h + *first, e + *first, *n) : (double)NAN;
}

/* Fill `row` with the slopes. */
static void measure(const TmlModel *model, const Variant *v, double end, int finest, double span,
                    Known known, const Trace *exact, double *row)
{
    Ladder l;
    int first, n;
    climb(model, v, end, finest, &known, exact, &l);
    row[2] = slope(&l, l.v, l.above_v, span, &first, &n);
    row[1] = slope(&l, l.q, l.above_q, span, &first, &n);
    if (n >= 3) {
        row[3] = l.h[first];
        row[4] = l.q[first];
        row[5] = l.q[first + n - 1];
    }
}

static void empty_row(double *row)
{
    for (int k = 0; k < COLUMNS; ++k) {
        row[k] = (double)NAN;
    }
}

typedef struct Task {
    const char *name, *file;
    double end;
} Task;

/* worst[VARIANTS]: distance of the slopes from the order so far. */
static bool measure_task(BenchReport *r, const Task *task, double *worst)
{
    TmlModel *model = bench_load(task->file, 0);
    Trace by_radau, by_adams;
    const bool done = model != NULL && tight_run(model, "radau", 1e-14, task->end, &by_radau) &&
                      tight_run(model, "adams", 1e-14, task->end, &by_adams);
    for (int k = 0; k < VARIANTS && done; ++k) {
        const Variant *v = &variants[k];
        const bool adams = is_method(v, "adams");
        double row[COLUMNS];
        char name[64];
        name_of(v, name, sizeof name);
        empty_row(row);
        row[0] = v->order;
        measure(model, v, task->end, finest_of(v), 2.0, known_by(v, &by_radau, &by_adams),
                adams ? &by_radau : &by_adams, row);
        worst[k] = fmax(worst[k], fmax(fabs(row[1] - v->order), fabs(row[2] - v->order)));
        bench_row(r, task->name, name, row);
    }
    tml_model_free(model);
    return done;
}

/* --- stiffness -------------------------------------------------------------------------------- */

static const char pulled[] =
    "trammel: 1\n"
    "parameters: {k: 1e8, d: 0}\n"
    "bodies: {mass: {type: point, mass: 1, position: [1, 0, 0]}}\n"
    "forces: {pull: {type: force, body: mass,\n"
    "         fx: -k*(DX(mass) - cos(time)) - d*(VX(mass) + sin(time)) - cos(time)}}\n";

static const char oscillator[] = "trammel: 1\n"
                                 "bodies: {mass: {type: point, mass: 1, position: [1, 0, 0]}}\n"
                                 "forces: {pull: {type: force, body: mass, fx: -DX(mass)}}\n";

static TmlModel *from_text(const char *text, int n, const char *const *name, const double *value)
{
    TmlModel *model = NULL;
    TmlError err;
    return bench_done(tml_load_text(text, "bench", n, name, value, &model, &err), &err) ? model
                                                                                        : NULL;
}

static bool measure_stiff(BenchReport *r, const char *label, double damping)
{
    static const char *const name[] = {"d"};
    const double end = 4.0;
    TmlModel *model = from_text(pulled, 1, name, &damping);
    Trace exact = {.n = 3 * ROWS};
    for (int k = 0; k < ROWS; ++k) {
        exact.q[3 * k] = cos(end * (k + 1) / ROWS);
        exact.v[3 * k] = -sin(end * (k + 1) / ROWS);
    }
    for (int k = 0; k < VARIANTS && model != NULL; ++k) {
        double row[COLUMNS];
        char text[64];
        if (is_method(&variants[k], "adams")) {
            continue;
        }
        name_of(&variants[k], text, sizeof text);
        empty_row(row);
        // from h = 1/16 to 1/256: h sqrt(k) is above 39 all the time
        measure(model, &variants[k], end, 1024, 16.0, (Known){.q = 3e-17, .v = 3e-17}, &exact, row);
        bench_row(r, label, text, row);
    }
    tml_model_free(model);
    return model != NULL;
}

/* Steps that the method has others make for its history. */
static int steps_before(const Variant *v)
{
    return is_method(v, "bdf") && v->order > 2.0 ? (int)v->order - 1 : 0;
}

/* The rate is taken while something is left: what the iterations leave is about 1e-14. */
static void measure_mode(TmlSim *sim, const Variant *v, double h, double *row)
{
    enum { STEPS = 40 };
    double size[STEPS + 1] = {1.0};
    int last = 0;
    sim->type->restart(&sim->it);
    for (int n = 1; n <= STEPS; ++n) {
        if (!one_step(sim, h)) {
            return;
        }
        size[n] = hypot(sim->it.now.q[0], sim->it.now.v[0]);
        last = last == n - 1 && size[n] > 1e-12 ? n : last;
    }
    row[6] = size[1];
    row[7] = size[10];
    const int half = last / 2;
    if (steps_before(v) == 0 || half >= steps_before(v) + 2) {
        row[8] = last > 0 ? pow(size[last] / size[half], 1.0 / (last - half)) : size[1];
    }
}

static bool measure_damping(BenchReport *r)
{
    static const double step[] = {1e3, 1e6};
    static const char *const label[] = {"mode hw=1e3", "mode hw=1e6"};
    TmlModel *model = from_text(oscillator, 0, NULL, NULL);
    for (int k = 0; k < 2 * VARIANTS && model != NULL; ++k) {
        const Variant *v = &variants[k % VARIANTS];
        const double h = step[k / VARIANTS];
        TmlSim *sim = is_method(v, "adams") ? NULL : make(model, v, 50.0 * h, h);
        double row[COLUMNS];
        char text[64];
        if (sim == NULL) {
            continue;
        }
        name_of(v, text, sizeof text);
        empty_row(row);
        measure_mode(sim, v, h, row);
        bench_row(r, label[k / VARIANTS], text, row);
        tml_sim_free(sim);
    }
    tml_model_free(model);
    return model != NULL;
}

static bool orders_run(BenchReport *r)
{
    static const Task task[] = {{"pendulum", "studies/pendulum.yaml", 2.0},
                                {"ball pendulum", "studies/ball_pendulum.yaml", 1.0},
                                {"four-bar", "studies/four_bar.yaml", 1.0},
                                {"double pendulum", "studies/double_pendulum.yaml", 1.0}};
    double worst[VARIANTS] = {0};
    bench_columns(r, columns, COLUMNS);
    bool done = true;
    for (int k = 0; k < 4 && done; ++k) {
        done = measure_task(r, &task[k], worst);
    }
    done = done && measure_stiff(r, "stiff spring", 0.0);
    done = done && measure_stiff(r, "stiff damper", 1e6);
    done = done && measure_damping(r);
    for (int k = 0; k < VARIANTS && done; ++k) {
        char name[64], what[128];
        name_of(&variants[k], name, sizeof name);
        snprintf(what, sizeof what, "slopes of %s, from order %g", name, variants[k].order);
        bench_fact(r, what, worst[k], 0.1);
    }
    return done;
}

const Bench bench_orders = {"orders",
                            "measured orders, stiff order reduction and damping of every method",
                            orders_run, true};
