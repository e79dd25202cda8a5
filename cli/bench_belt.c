/* cli/bench_belt.c - the poly-V belt drive of [003]: HHT beside BDF in speed, forces and cost.
 *
 * The paper's ratio of 2.65 compares two codes, of which one evaluates its Jacobian anew much more often; here both methods
 * keep theirs by the same rules. The ratio at the printed settings (HHT at 1e-5, BDF at 1e-4) stands beside that of the BDF run
 * that is as accurate.
 */
#include "machine.h"

#include <math.h>

static int belt_run(const CliBench *self, const CliBenchOrder *order)
{
    TmlError err = {0};
    Machine m;
    int hht = -1, loose = -1, fine = -1, tight = -1;
    const double end = 0.2, brief = 0.02;
    TmlStatus status = machine_open(&m, self, order, cli_model_papers_belt_drive, &err);
    if (status == TML_OK) {
        status = machine_run(&m, &(MachineRun){"hht", 1e-5, 0, end, end, brief}, &hht, &err);
    }
    if (status == TML_OK) {
        status = machine_run(&m, &(MachineRun){"bdf-i3", 1e-4, 0, end, end, brief}, &loose, &err);
    }
    if (status == TML_OK) {
        status = machine_run(&m, &(MachineRun){"bdf-i3", 1e-5, 0, end, end, brief}, &fine, &err);
    }
    if (status == TML_OK) {
        status = machine_run(&m, &(MachineRun){"hht", 1e-7, 0, end, end, 0.0}, &tight, &err);
    }
    if (status == TML_OK) {
        const TmlSimStats s = m.result[0].stats;
        machine_within(machine_figure(&m, "", 100, s.n_bodies - 5, "segments of the belt"), 100,
                       100);
        machine_figure(&m, "", 2.65, machine_ratio(&m, loose, hht),
                       "CPU time of bdf-i3 at 1e-4 over that of hht at 1e-5");
        machine_figure(&m, "", (double)NAN, machine_ratio(&m, fine, hht),
                       "CPU time of bdf-i3 at 1e-5 over that of hht at 1e-5");
        static const char *const speed[] = {"crank", "alternator"};
        for (int k = 0; k < 2; ++k) {
            machine_at_most(
                machine_figure(&m, "", 0.01, machine_difference(&m, fine, hht, speed[k], end),
                               "speed of the %s, hht and bdf-i3 at 1e-5, over its range", speed[k]),
                0.01);
        }
        machine_at_most(machine_figure(&m, "", 0.03, machine_difference(&m, fine, hht, "hub", end),
                                       "force in the alternator's hub, hht and bdf-i3 at 1e-5"),
                        0.03);
        machine_figure(&m, "", (double)NAN, machine_difference(&m, loose, hht, "hub", end),
                       "the same, bdf-i3 at 1e-4");
        machine_figure(&m, "", (double)NAN, machine_difference(&m, hht, tight, "hub", end),
                       "the same, hht at 1e-5 and at 1e-7");
        machine_figure(&m, "rad/s", (double)NAN, machine_value(&m, hht, "alternator", -1),
                       "speed of the alternator at the end");
    }
    return machine_close(&m, status, &err);
}

const CliBench cli_bench_belt_drive = {
    .name = "belt_drive",
    .text = "poly-V belt drive of [003]: 100 segments over four pulleys, HHT beside BDF",
    .run = belt_run,
};
