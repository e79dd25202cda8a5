/* cli/bench_excavator.c - the track of an excavator of [003] with 690 contacts: HHT beside BDF of order one on stabilised index 2.
 *
 * The paper runs HHT at 1e-5 and BDF at 1e-2, whose errors were measured by other norms. Here both have the same norm, and BDF at 1e-2 is
 * cheap and far less accurate: beside the ratio at the printed settings stands the one at the tolerance where BDF is nearly as accurate as HHT. That
 * run is made for the first part of the time only, as it takes some thousand steps a second.
 */
#include "machine.h"

#include "cli.h"

#include <math.h>
#include <string.h>

static const double end = 14.0;
static const double early[2] = {0.3, 0.1}; // s, of runs with small errors; in the brief form
/* frame with its share of the machine, yoke, idler, sprocket, rollers, guides, motor, shoes */
static const double weight =
    9.81 * (4.6e5 + 3000 + 5000 + 6000 + 7 * 1500 + 3 * 1000 + 4000 + 46 * 1500);
static const char order_one[] = "bdf-si2:max_order=1";

static int joints_named(const TmlModel *model, const char *const *names, int n)
{
    int count = 0;
    for (int k = 0; k < tml_model_joint_count(model); ++k) {
        const char *joint = tml_model_joint_name(model, k);
        for (int i = 0; i < n; ++i) {
            const size_t length = strlen(names[i]);
            count += strncmp(joint, names[i], length) == 0 &&
                     strspn(joint + length, "0123456789") == strlen(joint + length);
        }
    }
    return count;
}

/* Pairs of shapes that may touch, from the description of the model; NAN: it does not tell. */
static TmlStatus contact_pairs(const Machine *m, double *pairs, TmlError *err)
{
    char *text = NULL;
    int entries = 0;
    long n = 0;
    const TmlStatus status = tml_describe(m->model, NULL, &text, err);
    const char *at = status == TML_OK ? strstr(text, "contacts: ") : NULL;
    *pairs = at != NULL && sscanf(at, "contacts: %d, %ld pairs", &entries, &n) == 2 ? (double)n
                                                                                    : (double)NAN;
    tml_text_free(text);
    return status;
}

/* What the paper prints of the model. */
static TmlStatus counts(Machine *m, const TmlSimStats *s, TmlError *err)
{
    static const char *const turning[] = {"link", "hub", "idle", "axle"};
    static const char *const fixed[] = {"plate", "case"};
    double pairs;
    const TmlStatus status = contact_pairs(m, &pairs, err);
    machine_within(machine_figure(m, "", 61, s->n_bodies, "moving parts"), 61, 61);
    machine_within(machine_figure(m, "", 54, joints_named(m->model, turning, 4), "revolute joints"),
                   54, 54);
    machine_within(machine_figure(m, "", 4, joints_named(m->model, fixed, 2), "fixed joints"), 4,
                   4);
    machine_within(machine_figure(m, "", 61, s->degrees_of_freedom, "degrees of freedom"), 61, 61);
    machine_within(machine_figure(m, "", 690, pairs, "contacts, pairs of shapes that may touch"),
                   690, 690);
    machine_figure(m, "", 4675, s->n_unknowns, "equations; here contacts have none of their own");
    return status;
}

/* Sums that hold whatever the method, over the last second of the run by hht. */
static void invariants(Machine *m, int hht)
{
    const MachineResult *r = &m->result[hht];
    const double none = (double)NAN, rolled = 9 * 0.48 / (2 * 3.14159265358979323846);
    const bool whole = r->done && r->reached >= end;
    machine_within(
        machine_figure(m, "", none,
                       machine_value(m, hht, "strands", 0) / machine_value(m, hht, "push", 0),
                       "tensions beside the idler over the tensioner's push, at the start"),
        0.95, 1.05);
    machine_within(
        machine_figure(m, "", none,
                       whole ? machine_mean(m, hht, "ground", end - 1, end) / weight : none,
                       "force on the ground over the weight, last second"),
        0.995, 1.005);
    machine_within(
        machine_figure(m, "", none,
                       whole ? machine_mean(m, hht, "speed", end - 5, end) / rolled : none,
                       "speed over rate x teeth x pitch/2 pi, last five seconds"),
        0.97, 1.03);
    machine_at_most(machine_figure(m, "", none,
                                   whole ? r->stats.max_energy_error / r->stats.max_kinetic : none,
                                   "energy balance over kinetic energy"),
                    0.01);
}

/* How far a run is from the tight one before contacts have made them strangers. */
static void errors(Machine *m, int run, int tight, const char *who)
{
    const double until = early[m->order->brief];
    machine_figure(m, "", (double)NAN, machine_difference(m, run, tight, "vx_shoe", until),
                   "error of the velocity of shoe 8, %s, first %g s", who, until);
    machine_figure(m, "", (double)NAN, machine_difference(m, run, tight, "az_shoe", until),
                   "error of its acceleration, %s", who);
}

static int excavator_run(const CliBench *self, const CliBenchOrder *order)
{
    TmlError err = {0};
    Machine m;
    int hht = -1, loose = -1, start = -1, equal = -1, tight = -1;
    TmlStatus status = machine_open(&m, self, order, cli_model_papers_excavator_track, &err);
    const MachineRun runs[] = {{"hht", 1e-5, 0.0, end, end, 0.2},
                               {order_one, 1e-2, 0.0, end, end, 0.2},
                               {"hht", 1e-5, 0.0, early[0], early[0], early[1]},
                               {order_one, 1e-5, 0.0, early[0], early[0], early[1]},
                               {"hht", 1e-7, 0.0, early[0], early[0], early[1]}};
    int *const index[] = {&hht, &loose, &start, &equal, &tight};
    for (int k = 0; k < 5 && status == TML_OK; ++k) {
        status = machine_run(&m, &runs[k], index[k], &err);
    }
    if (status == TML_OK) {
        const double none = (double)NAN;
        const TmlSimStats s = m.result[hht].stats;
        status = counts(&m, &s, &err);
        MachineFigure *f = machine_figure(&m, "", 5.2, machine_ratio(&m, loose, hht),
                                          "bdf-si2 of order one at 1e-2 over hht at 1e-5");
        f->projected = m.result[loose].projected || m.result[hht].projected;
        if (!order->brief) { // at the start there is nothing to gain
            machine_at_least(f, 5.2);
        }
        f = machine_figure(&m, "", none, machine_ratio(&m, equal, start),
                           "the same with bdf-si2 at 1e-5, nearly as accurate, first %g s",
                           early[order->brief]);
        f->projected = m.result[equal].projected;
        errors(&m, start, tight, "hht at 1e-5");
        errors(&m, loose, tight, "bdf-si2 at 1e-2");
        errors(&m, equal, tight, "bdf-si2 at 1e-5");
        invariants(&m, hht);
        machine_figure(&m, "", none, (double)s.contact_touching / (double)s.residuals,
                       "contacts that touch, on average");
    }
    return machine_close(&m, status, &err);
}

const CliBench cli_bench_excavator = {
    .name = "excavator_track",
    .text = "track of an excavator of [003] with 690 contacts: HHT beside BDF of order one",
    .run = excavator_run,
};
