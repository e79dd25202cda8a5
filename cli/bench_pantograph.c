/* cli/bench_pantograph.c - the pantograph on a railway vehicle of [000], section 9.4: TLISMNI-HHT beside explicit Adams.
 *
 * The paper compares Adams at 1e-5 with TLISMNI-HHT at 1e-7 over 3.87 s. A wire of fully parameterised beams as continua has modes of its
 * section near 1e6 rad/s, which hold an explicit method at steps below a microsecond: Adams is run for the first milliseconds, and its
 * cost goes on from there. The whole time is compared with another implicit method.
 */
#include "machine.h"

#include <math.h>

static const double end = 3.87;

/* The counts that the paper prints. */
static void counts(Machine *m, const TmlSimStats *s)
{
    machine_within(machine_figure(m, "", 20, s->n_bodies, "rigid bodies, 14 and 6"), 20, 20);
    const int ours = 8 + 15 + 2 + 1; // wheels on rails, droppers, springs of the head, its drive
    machine_within(
        machine_figure(m, "", 48 + 8, s->n_forces - ours, "bushings and bearings of the vehicle"),
        56, 56);
    machine_figure(m, "", 744, s->n_coordinates + s->n_constraints,
                   "equations, coordinates and rows of joints");
}

/* Of the contact force, without a filter. */
static void force(Machine *m, int run)
{
    const MachineResult *r = &m->result[run];
    const double mean = machine_mean(m, run, "Fc", 0.0, end);
    double square = 0.0, low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < r->rows; ++k) {
        const double F = machine_value(m, run, "Fc", k);
        square += (F - mean) * (F - mean);
        low = fmin(low, F);
        high = fmax(high, F);
    }
    machine_figure(m, "N", (double)NAN, mean, "contact force, mean (100 N at rest)");
    machine_figure(m, "N", (double)NAN, sqrt(square / r->rows), "contact force, deviation");
    machine_figure(m, "N", (double)NAN, low, "contact force, least");
    machine_figure(m, "N", (double)NAN, high, "contact force, largest");
}

/* Sums that hold whatever the method. */
static void invariants(Machine *m, int run)
{
    const double mass = 3.5e4 + 2 * (900.0 + 2500 + 2 * 200 + 2 * 1800) + 40 + 20 + 6 + 3 + 3 + 8;
    const double pressed = 9.81 * mass + machine_mean(m, run, "Fc", 0.0, end);
    machine_within(
        machine_figure(
            m, "", (double)NAN,
            (machine_mean(m, run, "Q0", 0.0, end) + machine_mean(m, run, "Q1", 0.0, end)) / pressed,
            "wheel loads over weight and contact force"),
        0.999, 1.001);
    machine_within(machine_figure(m, "", (double)NAN,
                                  machine_mean(m, run, "spin", 0.0, end) * 0.42 / 20.0,
                                  "rate x radius of a wheel over the speed"),
                   0.998, 1.002);
}

static void agreement(Machine *m, int a, int b, const char *who)
{
    static const struct {
        const char *channel, *what;
    } of[] = {{"Fc", "contact force"},
              {"spin", "angular velocity of a wheelset"},
              {"z_node", "height of a node of the wire"}};
    for (int k = 0; k < 3; ++k) {
        MachineFigure *f =
            machine_figure(m, "", 0.01, machine_difference(m, a, b, of[k].channel, end), "%s, %s",
                           of[k].what, who);
        if (!m->order->brief) { // the wire has hardly moved
            machine_at_most(f, 0.01);
        }
    }
}

static int pantograph_run(const CliBench *self, const CliBenchOrder *order)
{
    TmlError err = {0};
    Machine m;
    int slow = -1, fast = -1, other = -1;
    const MachineRun runs[] = {{"tlismni-hht", 1e-7, 0.0, end, end, 0.1},
                               {"hht", 1e-6, 0.0, end, end, 0.1},
                               {"adams", 1e-5, 0.0, end, 0.006, 1e-4}};
    int *const index[] = {&fast, &other, &slow};
    TmlStatus status = machine_open(&m, self, order, cli_model_papers_pantograph_catenary, &err);
    for (int k = 0; k < 3 && status == TML_OK; ++k) {
        status = machine_run(&m, &runs[k], index[k], &err);
    }
    if (status == TML_OK) {
        counts(&m, &m.result[fast].stats);
        MachineFigure *f = machine_figure(&m, "", 8, machine_ratio(&m, slow, fast),
                                          "adams at 1e-5 over tlismni-hht at 1e-7");
        f->projected = true;
        machine_at_least(f, 8);
        f = machine_figure(&m, "", (double)NAN, machine_ratio(&m, slow, other),
                           "adams at 1e-5 over hht on index 3 at 1e-6");
        f->projected = true;
        machine_figure(&m, "s", (double)NAN, m.result[slow].cost, "projected time of adams");
        m.figure[m.n_figures - 1].projected = true;
        agreement(&m, other, fast, "hht and tlismni-hht");
        machine_figure(&m, "", (double)NAN, machine_difference(&m, slow, fast, "Fc", end),
                       "contact force, adams and tlismni-hht, in the time of adams");
        force(&m, fast);
        invariants(&m, fast);
    }
    return machine_close(&m, status, &err);
}

const CliBench cli_bench_pantograph = {
    .name = "pantograph_catenary",
    .text = "pantograph of a railway vehicle under a wire of ANCF beams, of [000]: TLISMNI-HHT "
            "beside explicit Adams",
    .run = pantograph_run,
};
