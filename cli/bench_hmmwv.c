/* cli/bench_hmmwv.c - the HMMWV of [001]: tables 7 and 8, what an explicit method costs beside an implicit one.
 *
 * The explicit method is held by stability: its steps are some 7e-6 s at every tolerance, so that its cost over a time is
 * projected from a part of it. Methods are compared at equal tolerances, as in the paper; differences of the chassis' height
 * to a tight run stand beside the ratios.
 */
#include "machine.h"

#include <math.h>

enum { N_TOLERANCES = 4, N_ENDS = 2 };

static const double tolerance[N_TOLERANCES] = {1e-2, 1e-3, 1e-4, 1e-5};
static const double end[N_ENDS] = {1.0, 4.0};
static const double paper[N_ENDS][N_TOLERANCES] = {{646, 276, 90, 21}, {1090, 400, 138, 34}};
static const char implicit_method[] = "rosenbrock:norm=paper";

/* The counts that the paper prints. */
static void counts(Machine *m, const TmlSimStats *s)
{
    machine_within(machine_figure(m, "", 14, s->n_bodies, "bodies"), 14, 14);
    machine_within(machine_figure(m, "", 66, s->n_constraints, "rows of joints and the steering"),
                   66, 66);
    machine_within(machine_figure(m, "", 18, s->degrees_of_freedom, "degrees of freedom"), 18, 18);
}

/* At rest: the height, and the fastest eigenvalue. */
static TmlStatus at_rest(Machine *m, TmlError *err)
{
    TmlSimOptions o = tml_sim_options_default();
    TmlSim *sim = NULL;
    TmlLinear *lin = NULL;
    TmlStatus status = tml_sim_create(m->model, &o, &sim, err);
    status = status == TML_OK ? tml_sim_statics(sim, NULL, NULL, err) : status;
    if (status == TML_OK) {
        const double z = tml_row_channel(sim, tml_sim_channel_find(sim, "height"));
        const TmlSimStats s = tml_sim_stats(sim);
        counts(m, &s);
        machine_within(machine_figure(m, "m", 0.71, z, "height of the chassis at rest"), 0.69,
                       0.73);
        status = tml_sim_linearize(sim, NULL, &lin, err);
    }
    if (status == TML_OK) {
        double fastest = 0.0;
        for (int k = 0; k < tml_linear_info(lin).modes; ++k) {
            fastest = fmin(fastest, tml_linear_mode(lin, k).real);
        }
        machine_within(machine_figure(m, "1/s", -2.6e5, fastest, "dominant eigenvalue"), -3.12e5,
                       -2.08e5);
    }
    tml_linear_free(lin);
    tml_sim_free(sim);
    return status;
}

/* A run that leaps over the bump would be cheap and wrong: the largest step is shorter than the bump. */
static MachineRun implicit_run(double tol, double until)
{
    return (MachineRun){implicit_method, tol, 0.025, until, until, until > 1.0 ? 0.0 : until};
}

static TmlStatus tables(Machine *m, TmlError *err)
{
    int tight = -1, slow = -1;
    TmlStatus status =
        machine_run(m, &(MachineRun){"radau", 1e-7, 0.025, 4.0, 4.0, 1.0}, &tight, err);
    if (status == TML_OK) {
        status = machine_run(m, &(MachineRun){"adams", 1e-3, 0.0, 1.0, 1.0, 0.005}, &slow, err);
    }
    for (int e = 0; e < N_ENDS; ++e) {
        for (int k = 0; k < N_TOLERANCES && status == TML_OK; ++k) {
            const MachineRun run = implicit_run(tolerance[k], end[e]);
            int fast = -1;
            status = machine_run(m, &run, &fast, err);
            MachineFigure *f =
                machine_figure(m, "", paper[e][k], end[e] * machine_ratio(m, slow, fast),
                               "explicit over implicit, %g, first %g s", tolerance[k], end[e]);
            machine_at_least(f, paper[e][k]);
            f->projected = slow >= 0 && (m->result[slow].projected || end[e] > 1.0 || k != 1);
            if (e == (m->order->brief ? 0 : 1)) {
                machine_figure(
                    m, "", (double)NAN, machine_difference(m, fast, tight, "height", end[e]),
                    "height, largest difference from a tight run over its range, %g", tolerance[k]);
            }
        }
    }
    if (status == TML_OK) {
        if (!m->order->brief) {
            machine_within(machine_figure(m, "m", 0.71, machine_value(m, tight, "height", -1),
                                          "height after 4 s"),
                           0.69, 0.73);
        }
        const MachineResult *r = &m->result[m->n_results - 1];
        machine_figure(m, "", (double)NAN, r->run.end / r->seconds,
                       "times faster than real time, %g", tolerance[3]);
    }
    return status;
}

static int hmmwv_run(const CliBench *self, const CliBenchOrder *order)
{
    TmlError err = {0};
    Machine m;
    TmlStatus status = machine_open(&m, self, order, cli_model_papers_hmmwv, &err);
    status = status == TML_OK ? at_rest(&m, &err) : status;
    status = status == TML_OK ? tables(&m, &err) : status;
    return machine_close(&m, status, &err);
}

const CliBench cli_bench_hmmwv = {
    .name = "hmmwv",
    .text =
        "HMMWV of [001] over a half-cylinder: tables 7 and 8, explicit against implicit methods",
    .run = hmmwv_run,
};
