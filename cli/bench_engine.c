/* cli/bench_engine.c - an engine of more than 18,000 unknowns, the scale that [003] names: what a step costs, and where.
 *
 * The paper prints no more of its engine than that number, and a ratio of 2 to 3 of BDF to HHT for all of its models. Here the share of the
 * sparse algebra in the time of the steps shows whether the rest grows no faster than it.
 */
#include "machine.h"

#include <math.h>

static const double end = 0.06;

/* What a step of a run costs. */
static void costs(Machine *m, int run)
{
    const double none = (double)NAN;
    const MachineResult *r = &m->result[run];
    const TmlSimStats s = r->stats;
    // of the method alone: the energy balance and rows solve, too, and are not counted as steps
    const double algebra = s.seconds_factor + s.seconds_solve;
    const double steps = algebra + s.seconds_residual + s.seconds_jacobian;
    machine_at_least(machine_figure(m, "", 18000, s.n_unknowns, "unknowns"), 18000);
    machine_figure(m, "", none, s.n_bodies, "bodies");
    machine_figure(m, "", none, s.n_constraints, "rows of joints");
    machine_figure(m, "", none, s.degrees_of_freedom, "degrees of freedom");
    machine_figure(m, "1/s", none, (double)s.steps / r->seconds,
                   "steps in a second of CPU time, hht");
    machine_figure(m, "MB", none, 1e-6 * (double)s.memory, "memory that the run holds");
    machine_figure(m, "", none, (double)s.factor_entries / s.matrix_entries,
                   "entries of the factors over those of the matrix");
    machine_at_least(machine_figure(m, "", none, algebra / steps,
                                    "factors and solutions in the work of hht, by time"),
                     0.6);
}

static void invariants(Machine *m, int run)
{
    const double none = (double)NAN;
    const MachineResult *r = &m->result[run];
    const bool turns = r->done && r->reached > 0.02;
    const double crank = machine_mean(m, run, "crank", 0.02, end);
    machine_within(machine_figure(m, "", none,
                                  turns ? machine_mean(m, run, "shaft", 0.02, end) / crank : none,
                                  "speed of a camshaft over that of the crankshaft"),
                   0.495, 0.505);
    machine_at_most(machine_figure(m, "", none,
                                   turns ? r->stats.max_energy_error / r->stats.max_kinetic : none,
                                   "energy balance over kinetic energy"),
                    0.01);
}

static int engine_run(const CliBench *self, const CliBenchOrder *order)
{
    TmlError err = {0};
    Machine m;
    int hht = -1, bdf = -1;
    TmlStatus status = machine_open(&m, self, order, cli_model_papers_engine_scale, &err);
    if (status == TML_OK) {
        status = machine_run(&m, &(MachineRun){"hht", 1e-4, 0.0, end, end, 2e-4}, &hht, &err);
    }
    if (status == TML_OK) {
        status = machine_run(&m, &(MachineRun){"bdf-i3", 1e-4, 0.0, end, end, 0.0}, &bdf, &err);
    }
    if (status == TML_OK) {
        costs(&m, hht);
        MachineFigure *f = machine_figure(&m, "", (double)NAN, machine_ratio(&m, bdf, hht),
                                          "bdf-i3 over hht, both at 1e-4");
        f->projected = true;
        invariants(&m, hht);
    }
    return machine_close(&m, status, &err);
}

const CliBench cli_bench_engine = {
    .name = "engine_scale",
    .text = "engine of 16 cylinders with more than 18,000 unknowns, the scale of [003]",
    .run = engine_run,
};
