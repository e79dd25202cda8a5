/* cli/drives.c - what drives need, as a table at the end of a run. */
#include "drives.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add(CliDrive *to, const TmlDrive *now, double t, double h, bool first)
{
    to->low = first ? now->coordinate : fmin(to->low, now->coordinate);
    to->high = first ? now->coordinate : fmax(to->high, now->coordinate);
    if (first || fabs(now->force) > fabs(to->force)) {
        to->force = now->force;
        to->time = t;
    }
    to->power = first || fabs(now->power) > fabs(to->power) ? now->power : to->power;
    if (!first) { // by the trapezoidal rule over rows
        const double f = to->last.force, g = now->force;
        to->square += h * (f * f + f * g + g * g) / 3.0;
        to->work += 0.5 * h * (to->last.power + now->power);
    }
    to->last = *now;
}

void cli_drives_row(CliDrives *d, const TmlSim *sim)
{
    const int n = tml_model_joint_count(tml_sim_model(sim));
    const double t = tml_row_time(sim);
    const bool first = d->at == NULL;
    if (first) {
        d->at = calloc((size_t)n + 1, sizeof *d->at);
        d->failed = d->at == NULL;
        d->begin = d->end = t;
    }
    for (int k = 0; k < n && !d->failed; ++k) {
        if (tml_sim_is_drive(sim, k)) {
            const TmlDrive now = tml_row_drive(sim, k);
            add(&d->at[k], &now, t, t - d->end, first);
        }
    }
    d->end = t;
}

void cli_drives_print(const CliDrives *d, const TmlSim *sim)
{
    const TmlModel *model = tml_sim_model(sim);
    const double span = d->end - d->begin;
    bool head = false;
    for (int k = 0; d->at != NULL && k < tml_model_joint_count(model); ++k) {
        const CliDrive *a = &d->at[k];
        if (!tml_sim_is_drive(sim, k)) {
            continue;
        }
        if (!head) {
            printf("\n  %-20s %22s %14s %10s %14s %14s %14s\n", "drive", "coordinate",
                   "largest force", "at, s", "rms force", "largest power", "work");
        }
        head = true;
        const char *unit = a->last.length ? "N" : "Nm";
        printf("  %-20s %9.4g to %7.4g %s %11.5g %-2s %10.4g %11.5g %-2s %12.5g W %12.5g J\n",
               tml_model_joint_name(model, k), a->low, a->high, a->last.length ? "m  " : "rad",
               a->force, unit, a->time, span > 0.0 ? sqrt(a->square / span) : fabs(a->force), unit,
               a->power, a->work);
    }
    if (!head && d->at != NULL) {
        puts("  the model has no drives");
    }
}

void cli_drives_free(CliDrives *d)
{
    free(d->at);
    d->at = NULL;
}
