/* cli/fit.c - trammel fit: parameters of a model from measurements. */
#include "search.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(CliSearch, field)
static const CliOption fit_options[] = {
    {"output", 'o', CLI_TEXT, "OUT.json", "write all results; default: the name of the description",
     AT(out)},
    {"csv", 0, CLI_TEXT, "OUT.csv", "write measured and fitted values, a line for each time",
     AT(csv)},
    {"report", 0, CLI_TEXT, "OUT.html", "write a page with curves, parameters and convergence",
     AT(page)},
    {"resume", 0, CLI_FLAG, NULL, "go on with a fit that was not finished", AT(resume)},
    {"restart", 0, CLI_FLAG, NULL, "throw the evaluations of an unfinished fit away", AT(restart)},
    {"integrator", 'i', CLI_TEXT, "NAME", "method of all runs", AT(integrator)},
    {"tol", 't', CLI_POSITIVE, "EPS", "local error allowed per step, relative; default 1e-8",
     AT(tol)},
    CLI_LOAD_OPTIONS(AT(load)),
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", AT(quiet)},
    {0},
};

static void print_correlations(const TmlFit *fit)
{
    const int n = tml_fit_parameters(fit);
    for (int a = 0; a < n; ++a) {
        for (int b = 0; b < a; ++b) {
            const double c = tml_fit_correlation(fit, a, b);
            if (fabs(c) > 0.95) {
                printf("  correlation  of %s and %s: %.4f\n", tml_fit_parameter(fit, b),
                       tml_fit_parameter(fit, a), c);
            }
        }
    }
}

static void print_result(const TmlFit *fit)
{
    const TmlFitResult r = tml_fit_result(fit);
    printf("%s\n  %-20s %14s %12s   %g %% confidence\n", tml_fit_title(fit), "parameter", "value",
           "deviation", 100.0 * r.confidence);
    for (int k = 0; k < tml_fit_parameters(fit); ++k) {
        printf("  %-20s %14.8g", tml_fit_parameter(fit, k), tml_fit_value(fit, k));
        if (isfinite(tml_fit_deviation(fit, k))) {
            printf(" %12.4g   %.8g to %.8g\n", tml_fit_deviation(fit, k), tml_fit_low(fit, k),
                   tml_fit_high(fit, k));
        } else {
            printf(" %12s\n", "unknown");
        }
    }
    for (int o = 0; o < tml_fit_outputs(fit); ++o) {
        printf("  %-12s %s: %.4g %s\n", o == 0 ? "noise" : "", tml_fit_output(fit, o),
               tml_fit_noise(fit, o), tml_fit_output_unit(fit, o));
    }
    print_correlations(fit);
    printf("  fit          %d values of %d measurement%s, %d iterations: %s\n", r.points,
           tml_fit_measurements(fit), tml_fit_measurements(fit) == 1 ? "" : "s", r.iterations,
           r.message);
}

static TmlStatus write_all(const TmlFit *fit, const CliSearchRun *run, TmlError *err)
{
    const CliSearch *s = run->s;
    TmlStatus status = tml_fit_write_json(fit, run->out, err);
    status = status == TML_OK && s->csv != NULL ? tml_fit_write_csv(fit, s->csv, err) : status;
    return status == TML_OK && s->page != NULL ? tml_fit_write_page(fit, s->page, err) : status;
}

static int fit_it(const CliSearch *s, const char *path, TmlError *err)
{
    const TmlLoadOptions o = cli_load_options(&s->load);
    TmlFit *fit = NULL;
    CliSearchRun run;
    TmlSearchOptions options;
    TmlStatus status = tml_fit_load(path, &o, &fit, err);
    status = status == TML_OK ? tml_fit_settings(fit, s->integrator, s->tol, err) : status;
    int result = status == TML_OK ? CLI_GO_ON : cli_fail(status, err);
    if (result == CLI_GO_ON) {
        cli_warnings(tml_fit_model(fit));
        result = cli_search_begin(&run, s, tml_fit_model(fit), path, "-fit", &options);
    }
    if (result == CLI_GO_ON) {
        status = tml_fit_run(fit, &options, err);
        status = status == TML_OK ? write_all(fit, &run, err) : status;
        result = status == TML_OK ? CLI_GO_ON : cli_search_failed(&run, status, err);
    }
    if (result == CLI_GO_ON) {
        const TmlFitResult r = tml_fit_result(fit);
        if (!s->quiet) {
            print_result(fit);
        }
        result = cli_search_end(&run, r.stopped, r.converged, r.failed, r.evaluations, r.replayed);
    }
    tml_fit_free(fit);
    return result;
}

static int fit_run(const CliCommand *self, int argc, char **argv)
{
    CliSearch settings = {.tol = (double)NAN};
    int n = 0;
    int result = cli_parse(self, argc, argv, &settings, &n);
    if (result == CLI_GO_ON) {
        TmlError *err = calloc(1, sizeof *err);
        result = err == NULL ? cli_wrong("out of memory")
                 : tml_is_description(argv[0], "optimize")
                     ? cli_wrong("'%s' is for 'trammel optimize'", argv[0])
                     : fit_it(&settings, argv[0], err);
        free(err);
    }
    cli_load_free(&settings.load);
    return result;
}

const CliCommand cli_fit = {
    .name = "fit",
    .arguments = "FIT.yaml",
    .text = "Find parameters of a model from measurements, with their deviations.",
    .n_min = 1,
    .n_max = 1,
    .options = fit_options,
    .run = fit_run,
};
