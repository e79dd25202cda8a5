/* cli/bench_tracks.c - the rigid tracked vehicle of [000], section 9.2: low-order implicit methods beside explicit Adams.
 *
 * The paper ramps the sprockets over 8 s of 10 and compares Adams at 1e-6 with Park at 1e-7 (10 rad/s), and Adams with Park and BDF2 at 1e-5
 * (25 rad/s). Two methods that agree may both be wrong where shoes hit the ground, so that sums over time stand beside their differences:
 * the ground carries the weight, and the hull is as fast as the sprockets' pitch polygons times (1 - slip).
 */
#include "machine.h"

#include <math.h>

static const double end = 10.0;
static const double weight =
    9.81 * (7819.24 + 2 * (27.68 + 10 + 25.76) + 10 * (75.26 + 35.56) + 128 * 18.02);

/* The counts that the paper prints, or that follow from what it prints. */
static void counts(Machine *m, const TmlSimStats *s)
{
    machine_within(machine_figure(m, "", 155, s->n_bodies, "bodies"), 155, 155);
    machine_within(machine_figure(m, "", 2184, 14 * (s->n_bodies + 1),
                                  "equations, 14 for each body and the ground"),
                   2184, 2184);
    machine_within(machine_figure(m, "", (double)NAN, s->degrees_of_freedom, "degrees of freedom"),
                   164, 164);
}

/* The state of motion at `until`, by one result, and its sums over the second before. */
static void invariants(Machine *m, int index, double rate)
{
    const MachineResult *r = index >= 0 ? &m->result[index] : NULL;
    if (r == NULL || !r->done || r->reached < end) {
        return;
    }
    const double rolled = rate * 10 * 0.154 / (2 * 3.14159265358979323846);
    machine_within(machine_figure(m, "", (double)NAN,
                                  machine_mean(m, index, "ground", end - 1, end) / weight,
                                  "force on the ground over the weight, last second"),
                   0.995, 1.005);
    machine_within(machine_figure(m, "", (double)NAN,
                                  machine_mean(m, index, "speed", end - 1, end) / rolled,
                                  "speed over rate x teeth x pitch/2 pi, last second"),
                   0.98, 1.02);
    machine_at_most(machine_figure(m, "", (double)NAN,
                                   r->stats.max_energy_error / r->stats.max_kinetic,
                                   "energy balance over kinetic energy"),
                    0.01);
}

typedef struct Channel {
    const char *name, *what;
    double limit; /* of the paper */
} Channel;

/* How far two results agree, over the ranges of the channels. */
static void agreement(Machine *m, int a, int b, double acceleration, const char *who)
{
    const Channel channel[] = {{"x", "position", 0.01},
                               {"speed", "velocity", 0.01},
                               {"az_wheel", "wheel's acceleration", acceleration}};
    for (int k = 0; k < 3; ++k) {
        MachineFigure *f = machine_figure(m, "", channel[k].limit,
                                          machine_difference(m, a, b, channel[k].name, end),
                                          "%s, %s", channel[k].what, who);
        if (k < 2) {
            machine_at_most(f, channel[k].limit);
        }
    }
}

static TmlStatus ratio(Machine *m, const char *method, double tolerance, double brief, double paper,
                       int slow, const char *what, int *index, TmlError *err)
{
    const MachineRun run = {method, tolerance, 0.0, end, end, brief};
    const TmlStatus status = machine_run(m, &run, index, err);
    if (status == TML_OK) {
        MachineFigure *f = machine_figure(m, "", paper, machine_ratio(m, slow, *index), "%s", what);
        f->projected = *index >= 0 && (m->result[slow].projected || m->result[*index].projected);
        if (isfinite(paper) && !m->order->brief) { // before it moves there is less to gain

            machine_at_least(f, paper);
        }
    }
    return status;
}

static TmlStatus first_speed(Machine *m, TmlError *err)
{
    int slow = -1, park = -1, tree = -1, other = -1, index3 = -1;
    const double nothing = (double)NAN;
    TmlStatus status =
        machine_run(m, &(MachineRun){"adams", 1e-6, 0.0, end, end, 0.01}, &slow, err);
    if (status == TML_OK) {
        counts(m, &m->result[slow].stats);
        status = ratio(m, "tlismni-park:coordinates=recursive", 1e-7, 0.02, 10, slow,
                       "adams over park, joint coordinates, 10 rad/s", &tree, err);
    }
    if (status == TML_OK) {
        status = ratio(m, "tlismni-park", 1e-7, 0.02, 5, slow,
                       "adams over park, partitioned, 10 rad/s", &park, err);
    }
    static const char *const rest[] = {"tlismni-bdf2:coordinates=recursive",
                                       "tlismni-hht:coordinates=recursive",
                                       "tlismni-trapezoidal:coordinates=recursive"};
    static const char *const what[] = {"adams over bdf2, 10 rad/s", "adams over hht, 10 rad/s",
                                       "adams over trapezoidal, 10 rad/s"};
    for (int k = 0; k < 3 && status == TML_OK; ++k) {
        status = ratio(m, rest[k], 1e-7, 0.02, nothing, slow, what[k], &other, err);
    }
    if (status == TML_OK) {
        status = ratio(m, "hht", 1e-4, 0.2, nothing, slow,
                       "adams over hht on index 3 at 1e-4, 10 rad/s", &index3, err);
    }
    if (status == TML_OK) {
        agreement(m, tree, slow, 0.02, "park and adams, 10 rad/s");
        agreement(m, tree, park, 0.02, "park in both coordinates, 10 rad/s");
        agreement(m, tree, index3, 0.02, "park and hht on index 3, 10 rad/s");
        machine_within(
            machine_figure(m, "", (double)NAN,
                           machine_mean(m, index3, "strands", 0.0, 0.2) /
                               machine_mean(m, index3, "push", 0.0, 0.2),
                           "tensions beside the idler over the tensioner's push, at the start"),
            0.98, 1.02);
        invariants(m, index3, 10.0);
    }
    return status;
}

static TmlStatus second_speed(Machine *m, TmlError *err)
{
    static const char *const name[] = {"rate"};
    const double rate[] = {25.0};
    int slow = -1, park = -1, bdf2 = -1, index3 = -1;
    TmlStatus status =
        machine_change(m, cli_model_papers_tracked_vehicle, "25 rad/s", 1, name, rate, err);
    if (status == TML_OK) {
        status = machine_run(m, &(MachineRun){"adams", 1e-5, 0.0, end, end, 0.01}, &slow, err);
    }
    if (status == TML_OK) {
        status = ratio(m, "tlismni-park", 1e-5, 0.02, 6, slow,
                       "adams over park, partitioned, 25 rad/s", &park, err);
    }
    if (status == TML_OK) {
        status = ratio(m, "tlismni-bdf2", 1e-5, 0.02, 6, slow,
                       "adams over bdf2, partitioned, 25 rad/s", &bdf2, err);
    }
    if (status == TML_OK) {
        status = ratio(m, "hht", 1e-4, 0.2, (double)NAN, slow,
                       "adams over hht on index 3 at 1e-4, 25 rad/s", &index3, err);
    }
    if (status == TML_OK) {
        agreement(m, park, slow, 0.03, "park and adams, 25 rad/s");
        agreement(m, bdf2, slow, 0.03, "bdf2 and adams, 25 rad/s");
        invariants(m, index3, 25.0);
    }
    return status;
}

static int tracks_run(const CliBench *self, const CliBenchOrder *order)
{
    TmlError err = {0};
    Machine m;
    TmlStatus status = machine_open(&m, self, order, cli_model_papers_tracked_vehicle, &err);
    status = status == TML_OK ? first_speed(&m, &err) : status;
    status = status == TML_OK ? second_speed(&m, &err) : status;
    return machine_close(&m, status, &err);
}

const CliBench cli_bench_tracked_vehicle = {
    .name = "tracked_vehicle_rigid",
    .text = "tracked vehicle of [000] with 128 rigid shoes: low-order implicit methods beside "
            "explicit Adams",
    .run = tracks_run,
};
