/* cli/closing.c - what `trammel run` prints at the end: a run in ten lines. */
#include "closing.h"

#include <errno.h>
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
    if (tml_sim_coordinates(sim) != NULL) {
        printf("  %-12s %s\n", "coordinates", tml_sim_coordinates(sim));
    }
}

/* What stands for something that was not read: results are not those of the file. */
static void print_substitutes(const TmlModel *model)
{
    enum { SHOWN = 12 };
    int n = 0;
    for (; tml_model_substitute(model, n) != NULL; ++n) {
        if (n < SHOWN) {
            printf("  %-12s %s\n", n == 0 ? "SUBSTITUTES" : "", tml_model_substitute(model, n));
        }
    }
    if (n > SHOWN) {
        printf("  %-12s and %d more: --summary lists them\n", "", n - SHOWN);
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
    if (s->rounding > 0) {
        printf("\n  %-12s %" PRId64 " steps accepted at up to %.3g tolerances, where rounding is "
               "the error",
               "rounding", s->rounding, s->rounding_error);
    }
    const double attempts = (double)(s->steps + s->rejected);
    printf("\n  %-12s %" PRId64 " (%.1f an attempt), residuals %" PRId64 "\n", "iterations",
           s->iterations, attempts > 0.0 ? (double)s->iterations / attempts : 0.0, s->residuals);
    printf("  %-12s Jacobians %" PRId64 ", factorisations %" PRId64 " and %" PRId64
           " repeated, solves %" PRId64 "\n",
           "matrix", s->jacobians, s->factorizations, s->refactorizations, s->solves);
    if (s->loop_evaluations > 0) {
        printf("  %-12s evaluations %" PRId64 ", corrections %" PRId64 ", Krylov products %" PRId64
               ", preconditioners %" PRId64 ", choices of coordinates %" PRId64 "\n",
               "loops", s->loop_evaluations, s->loop_corrections, s->loop_krylov,
               s->loop_preconditioners, s->loop_partitions);
    }
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

/* What contacts cost, of time and of energy. */
static void print_contacts(const CliClosing *c, const TmlSim *sim, const TmlSimStats *s)
{
    if (tml_sim_contact_count(sim) == 0) {
        return;
    }
    printf("  %-12s %" PRId64 " lists of near pairs, %" PRId64 " patterns, %" PRId64
           " steps onto onsets and %" PRId64 " onto releases; %.3g pairs a residual, %.3g touch\n",
           "contact", s->contact_lists, s->contact_patterns, s->contact_onsets, s->contact_releases,
           (double)s->contact_candidates / fmax(1.0, (double)s->residuals),
           (double)s->contact_touching / fmax(1.0, (double)s->residuals));
    printf("  %-12s ", "solver");
    if (s->solves_iterated > 0) {
        printf("iterations in %.0f %% of the solves, %.1f products each; ",
               100.0 * (double)s->solves_iterated / fmax(1.0, (double)s->solves),
               (double)s->products / (double)s->solves_iterated);
    } else {
        printf("factors; ");
    }
    printf("%" PRId64 " symbolic analyses\n", s->analyses);
    if (c->rows > 0) {
        const TmlCertificate last = tml_row_certificate(sim);
        printf("  %-12s %.4g J lost in contacts, %.4g J in their friction\n", "", last.lost_contact,
               last.lost_friction);
    }
}

static void print_quality(const CliClosing *c, const TmlSimStats *s)
{
    printf("  %-12s position %.2g, velocity %.2g, acceleration %.2g at most, as integrated\n",
           "violation", s->max_phi, s->max_phi_dot, s->max_phi_ddot);
    if (c->rows > 0) {
        printf("  %-12s position %.2g, velocity %.2g, acceleration %.2g, forces %.2g in rows, put "
               "onto the constraints\n",
               "", s->max_row_phi, s->max_row_phi_dot, s->max_row_phi_ddot, s->max_row_forces);
    }
    if (s->rows_interpolated > 0) {
        printf("  %-12s reactions and accelerations of %" PRId64
               " rows are interpolated: none were found "
               "there (%s)\n",
               "", s->rows_interpolated,
               s->n_constraints > 0 ? "a singular position, or very stiff forces"
                                    : "very stiff forces");
    }
    if (c->rows > 0) {
        printf("  %-12s balance off by %.2g J at most (kinetic energy up to %.3g J)%s\n", "energy",
               c->energy_error, c->kinetic,
               s->unbalanced_rows > 0 ? ": NOT HELD, the motion is wrong" : "");
    }
}

/* Outputs that were not finite: warnings, as the run itself went on. */
static void warn_nonfinite(const CliClosing *c, const TmlSim *sim)
{
    enum { SHOWN = 10 };
    int n = 0;
    for (int k = 0; k < tml_row_channel_count(sim); ++k) {
        double first;
        const int64_t rows = tml_sim_channel_nonfinite(sim, k, &first);
        if (rows > 0 && ++n <= SHOWN) {
            printf("  %-12s output '%s' in %" PRId64 " of %" PRId64 " rows, first at t = %.6g s\n",
                   "not finite", tml_row_channel_name(sim, k), rows, c->rows, first);
        }
    }
    if (n > SHOWN) {
        printf("  %-12s and %d more outputs: --summary lists them\n", "", n - SHOWN);
    }
}

static void print_item(const char *label, const TmlErrorItem *item)
{
    printf("  %-12s %s '%s' off by %.2g %s, %.2g of its range, at t = %.6g s\n", label,
           item->body ? "body" : "output", item->name, item->difference, item->unit, item->relative,
           item->time);
}

/* The items that are off most, worst first. */
static void print_global_error(const TmlSim *sim)
{
    enum { SHOWN = 5 };
    TmlErrorInfo info;
    if (!tml_sim_error_info(sim, &info)) {
        return;
    }
    printf("  %-12s against %s at %.2g (%" PRId64 " steps): at most %.2g of a range; the tolerance "
           "suggests %.2g\n",
           "error", info.integrator, info.tolerance, info.steps, info.relative, info.suggested);
    double last = HUGE_VAL;
    for (int n = 0; n < SHOWN; ++n) {
        TmlErrorItem worst = {0};
        for (int k = 0; k < info.items; ++k) {
            const TmlErrorItem item = tml_sim_error_item(sim, k);
            worst = item.relative < last && item.relative > worst.relative ? item : worst;
        }
        if (worst.relative > 0.0) {
            print_item("", &worst);
        }
        last = worst.relative;
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
    const bool there = stat(path, &info) == 0;
    if (!there && errno == ENOENT) {
        return;
    }
    printf("  %-12s %s", "written", path);
    if (there) {
        printf(", ");
        print_bytes((double)info.st_size);
    }
    printf("\n");
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
    print_substitutes(model);
    print_steps(&stats);
    print_time(&stats);
    print_quality(c, &stats);
    print_contacts(c, sim, &stats);
    warn_nonfinite(c, sim);
    print_global_error(sim);
    if (c->all) {
        print_size(&stats);
    }
    print_files(c);
}
