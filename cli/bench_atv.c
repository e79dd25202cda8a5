/* cli/bench_atv.c - the all-terrain vehicle of [003]: hot spots of a flexible frame by two methods, and what they cost.
 *
 * Table 1 of the paper: the ten hottest nodes of the frame by von Mises stress, each with its largest stress and its time, by HHT at 1e-5
 * and BDF at 1e-4, steps of at most 0.5 ms. Hot spots are at least 50 mm from each other: of neighbours the hotter one counts.
 */
#include "machine.h"

#include "cli.h"
#include "trammel/part.h"
#include "trammel/recover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPOTS = 10 };

typedef struct Spots {
    int n;
    TmlHotSpot at[SPOTS];
    char name[SPOTS][TML_PLACE_MAX];
} Spots;

static TmlStatus out_of_memory(TmlError *err)
{
    *err = (TmlError){.status = TML_E_NOMEM};
    snprintf(err->message, sizeof err->message, "out of memory for hot spots");
    return TML_E_NOMEM;
}

static TmlStatus find_spots(TmlRecovery *r, Spots *out, TmlError *err)
{
    static const double apart = 0.05;
    const int n = tml_recovery_body(r, 0).nodes;
    TmlHotSpot *peak = calloc((size_t)n + 1, sizeof *peak);
    if (peak == NULL) {
        return out_of_memory(err);
    }
    const TmlStatus status = tml_recovery_peaks(r, 0, peak, err);
    out->n = status == TML_OK ? tml_recovery_hottest(n, peak, SPOTS, apart, out->at) : 0;
    for (int k = 0; k < out->n; ++k) {
        (void)tml_recovery_place(r, 0, out->at[k].index, out->name[k]);
    }
    free(peak);
    return status;
}

/* The hottest nodes of a run; none where it was not done. */
static TmlStatus hottest(const Machine *m, int result, Spots *out, TmlError *err)
{
    TmlRecovery *r = NULL;
    *out = (Spots){0};
    if (result < 0 || !m->result[result].done) {
        return TML_OK;
    }
    TmlStatus status = tml_recovery_open(m->result[result].file, 0, NULL, NULL, &r, err);
    status = status == TML_OK ? find_spots(r, out, err) : status;
    tml_recovery_free(r);
    return status;
}

/* Place of a node among the spots; -1: it is none of them. */
static int rank_of(const Spots *s, int64_t node)
{
    for (int k = 0; k < s->n; ++k) {
        if (s->at[k].node == node) {
            return k;
        }
    }
    return -1;
}

/* wanted: whether these are the two runs of the paper's table. */
static void compare_spots(Machine *m, const Spots *bdf, const Spots *hht, bool wanted)
{
    const bool both = bdf->n > 0 && hht->n > 0;
    double worst = 0.0, later = 0.0;
    int shared = 0;
    for (int k = 0; k < bdf->n; ++k) {
        const int other = rank_of(hht, bdf->at[k].node);
        if (other >= 0) {
            const double s = bdf->at[k].von_mises, t = hht->at[other].von_mises;
            worst = fmax(worst, fabs(t - s) / s);
            later = fmax(later, fabs(bdf->at[k].time - hht->at[other].time));
            shared++;
        }
    }
    const double none = (double)NAN;
    if (!wanted) {
        machine_figure(m, "", none, both ? worst : none, "the same, bdf-i3 at 1e-5");
        return;
    }
    MachineFigure *same = machine_figure(m, "", SPOTS, both ? shared : none,
                                         "of the ten hottest nodes, those that both methods name");
    machine_figure(m, "s", 0.0, both ? later : none, "largest difference of their times");
    MachineFigure *stress = machine_figure(m, "", 0.005, both ? worst : none,
                                           "largest difference of their von Mises stresses");
    if (!m->order->brief) { // a brief run shows how the frame takes its load up at the start
        machine_within(same, SPOTS, SPOTS);
        machine_at_most(stress, 0.005);
    }
}

static void print_spots(const Spots *bdf, const Spots *hht)
{
    if (bdf->n == 0 || hht->n == 0) {
        return;
    }
    printf(
        "\nHot spots of the frame by von Mises stress\n"
        " no.  bdf-i3, node   stress, MPa   time, s   hht, stress, MPa   time, s   difference\n");
    for (int k = 0; k < bdf->n; ++k) {
        const int other = rank_of(hht, bdf->at[k].node);
        const double s = bdf->at[k].von_mises;
        printf("%4d  %12s  %12.3f  %8.4f", k + 1, bdf->name[k], 1e-6 * s, bdf->at[k].time);
        if (other >= 0) {
            const double t = hht->at[other].von_mises;
            printf("  %17.3f  %8.4f  %10.3f %%", 1e-6 * t, hht->at[other].time,
                   100.0 * (t - s) / s);
        }
        printf("\n");
    }
}

/* What the paper prints of the vehicle: bodies, joints, motions, modes. */
static TmlStatus counts(Machine *m, TmlError *err)
{
    TmlReducedPart *frame = NULL;
    int motions = 0;
    const int joints = tml_model_joint_count(m->model);
    for (int k = 0; k < joints; ++k) {
        const char *name = tml_model_joint_name(m->model, k);
        motions += strncmp(name, "shaker", 6) == 0 || strcmp(name, "steering") == 0;
    }
    const int bodies = m->n_results > 0 ? m->result[0].stats.n_bodies : 0;
    machine_within(machine_figure(m, "", 28, bodies - 1, "moving parts beside the frame"), 28, 28);
    machine_within(machine_figure(m, "", 43, joints - motions, "joints"), 43, 43);
    machine_within(machine_figure(m, "", 5, motions, "motions"), 5, 5);
    const TmlStatus status = tml_part_reduce(m->made[2], 0, NULL, NULL, &frame, err);
    if (status == TML_OK) {
        const int n = tml_part_info(frame).modes;
        machine_within(machine_figure(m, "", 134, n, "modes of the frame"), 134, 134);
        machine_figure(m, "Hz", 56.7, tml_part_mode(frame, 0).hertz, "the lowest of them");
        machine_figure(m, "Hz", 13100, tml_part_mode(frame, n - 1).hertz, "the highest of them");
    }
    tml_part_free(frame);
    return status;
}

static void add_figures(Machine *m, int hht, int bdf, int fine, double end)
{
    machine_figure(m, "", 3.0, machine_ratio(m, bdf, hht),
                   "CPU time of bdf-i3 at 1e-4 over that of hht at 1e-5");
    machine_figure(m, "", (double)NAN, machine_ratio(m, fine, hht),
                   "CPU time of bdf-i3 at 1e-5 over that of hht at 1e-5");
    machine_at_most(machine_figure(m, "", 0.016,
                                   machine_difference(m, bdf, hht, "engine_rate", end),
                                   "pitch rate of the engine, hht and bdf-i3, over its range"),
                    0.016);
    machine_figure(m, "", (double)NAN, machine_difference(m, bdf, hht, "pivot", end),
                   "force in a ball of the rear suspension, over its range");
}

static int atv_run(const CliBench *self, const CliBenchOrder *order)
{
    static const MachineFile files[] = {{"atv.yaml", cli_model_papers_atv},
                                        {"parts/atv_frame.yaml", cli_model_papers_parts_atv_frame}};
    static const double end = 2.0, brief = 0.025, step = 5e-4;
    TmlError err = {0};
    Machine m;
    Spots of_hht = {0}, of_bdf = {0}, of_fine = {0};
    int hht = -1, bdf = -1, fine = -1;
    TmlStatus status = machine_open_files(&m, self, order, 2, files, &err);
    m.keeps = true;
    if (status == TML_OK) {
        status = machine_run(&m, &(MachineRun){"hht", 1e-5, step, end, end, brief}, &hht, &err);
    }
    if (status == TML_OK) {
        status = machine_run(&m, &(MachineRun){"bdf-i3", 1e-4, step, end, end, brief}, &bdf, &err);
    }
    if (status == TML_OK) {
        status = machine_run(&m, &(MachineRun){"bdf-i3", 1e-5, step, end, end, 0.0}, &fine, &err);
    }
    status = status == TML_OK ? hottest(&m, hht, &of_hht, &err) : status;
    status = status == TML_OK ? hottest(&m, fine, &of_fine, &err) : status;
    status = status == TML_OK ? hottest(&m, bdf, &of_bdf, &err) : status;
    status = status == TML_OK ? counts(&m, &err) : status;
    if (status == TML_OK) {
        add_figures(&m, hht, bdf, fine, end);
        compare_spots(&m, &of_bdf, &of_hht, true);
        compare_spots(&m, &of_fine, &of_hht, false);
    }
    const int result = machine_close(&m, status, &err);
    if (status == TML_OK) {
        print_spots(&of_bdf, &of_hht);
    }
    return result;
}

const CliBench cli_bench_atv = {
    .name = "atv",
    .text = "all-terrain vehicle of [003] on four posts: stresses of its frame of 134 modes, HHT "
            "beside BDF",
    .run = atv_run,
};
