/* cli/closing.c - what `trammel run` prints at the end: a run in ten lines. */
#include "closing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

static void print_head(const CliClosing *c, const TmlModel *model, const TmlSim *sim)
{
    const double t = tml_sim_time(sim), tolerance = tml_sim_tolerance(sim);
    const char *title = tml_model_title(model);
    if (title != NULL && title[0] != '\0') {
        printf("%s\n", title);
    }
    printf("  %-12s %.6g s in %.3g s by %s", "simulated", t, c->seconds, tml_sim_integrator(sim));
    if (isfinite(tolerance)) {
        printf(", tolerance %.3g", tolerance);
    }
    printf(", %" PRId64 " row%s\n", c->rows, c->rows == 1 ? "" : "s");
    if (tml_sim_choice(sim) != NULL) {
        printf("  %-12s %s\n", "chosen", tml_sim_choice(sim));
    }
}

static void print_steps(const TmlSimStats *s)
{
    printf("  %-12s %" PRId64 " (%.2g to %.2g s), rejected %" PRId64, "steps", s->steps, s->h_min,
           s->h_max, s->rejected);
    if (s->rejected > 0) {
        printf(" (error %" PRId64 ", iteration %" PRId64 ", singular %" PRId64 ")",
               s->rejected_error, s->rejected_newton, s->rejected_singular);
    }
    const double attempts = (double)(s->steps + s->rejected);
    printf("\n  %-12s %" PRId64 " (%.1f an attempt), residuals %" PRId64 "\n", "iterations",
           s->iterations, attempts > 0.0 ? (double)s->iterations / attempts : 0.0, s->residuals);
    printf("  %-12s Jacobians %" PRId64 ", factorisations %" PRId64 " and %" PRId64
           " repeated, solves %" PRId64 "\n",
           "matrix", s->jacobians, s->factorizations, s->refactorizations, s->solves);
}

static void print_time(const TmlSimStats *s)
{
    const double known = s->seconds_setup + s->seconds_residual + s->seconds_jacobian +
                         s->seconds_factor + s->seconds_solve + s->seconds_output;
    const double total = fmax(s->seconds_total, known);
    const struct {
        const char *name;
        double seconds;
    } phase[] = {{"setup", s->seconds_setup},       {"residual", s->seconds_residual},
                 {"Jacobian", s->seconds_jacobian}, {"factor", s->seconds_factor},
                 {"solve", s->seconds_solve},       {"output", s->seconds_output},
                 {"other", total - known}};
    printf("  %-12s %.3g s:", "wall time", total);
    for (size_t k = 0; total > 0.0 && k < sizeof phase / sizeof phase[0]; ++k) {
        printf("%s %s %.0f %%", k > 0 ? "," : "", phase[k].name, 100.0 * phase[k].seconds / total);
    }
    printf("\n");
}

static void print_quality(const CliClosing *c, const TmlSimStats *s)
{
    printf("  %-12s position %.2g, velocity %.2g, acceleration %.2g at most\n", "violation",
           s->max_phi, s->max_phi_dot, s->max_phi_ddot);
    if (c->rows > 0) {
        printf("  %-12s balance off by %.2g J at most (kinetic energy up to %.3g J)\n", "energy",
               c->energy_error, c->kinetic);
    }
}

static void print_size(const TmlSimStats *s)
{
    printf("  %-12s %d bodies, %d joints, %d forces, %d degrees of freedom\n", "model", s->n_bodies,
           s->n_joints, s->n_forces, s->degrees_of_freedom);
    printf("  %-12s %d coordinates, %d constraints (%d redundant), %d unknowns\n", "system",
           s->n_coordinates, s->n_constraints, s->n_redundant, s->n_unknowns);
    printf("  %-12s %d entries, %d in the factors; %.3g MB held; first step %.2g s\n", "size",
           s->matrix_entries, s->factor_entries, 1e-6 * (double)s->memory, s->h_first);
}

/* 1234567 bytes -> "1.23 MB" */
static void print_bytes(double bytes)
{
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
    int k = 0;
    while (bytes >= 999.5 && k < 4) {
        bytes /= 1000.0;
        k++;
    }
    printf("%.3g %s", bytes, unit[k]);
}

void cli_closing_file(const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0) {
        printf("  %-12s %s, ", "written", path);
        print_bytes((double)info.st_size);
        printf("\n");
    }
}

static void print_files(const CliClosing *c)
{
    for (const char *const *f = c->files; *f != NULL; ++f) {
        cli_closing_file(*f);
    }
}

void cli_closing_print(const CliClosing *c, const TmlModel *model, const TmlSim *sim)
{
    const TmlSimStats stats = tml_sim_stats(sim);
    print_head(c, model, sim);
    print_steps(&stats);
    print_time(&stats);
    print_quality(c, &stats);
    if (c->all) {
        print_size(&stats);
    }
    print_files(c);
}
