/* cli/optimize.c - trammel optimize: the best parameters of a model. */
#include "search.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(CliSearch, field)
static const CliOption optimize_options[] = {
    {"output", 'o', CLI_TEXT, "OUT.json", "write all results; default: the name of the description",
     AT(out)},
    {"csv", 0, CLI_TEXT, "OUT.csv", "write all evaluations, a line for each", AT(csv)},
    {"report", 0, CLI_TEXT, "OUT.html", "write a page with parameters, responses and evaluations",
     AT(page)},
    {"method", 0, CLI_TEXT, "NAME", "slsqp, mma, bobyqa, cobyla, direct, isres, or auto",
     AT(method)},
    {"evaluations", 0, CLI_POSITIVE, "N", "evaluations at most", AT(evaluations)},
    {"resume", 0, CLI_FLAG, NULL, "go on with a search that was not finished", AT(resume)},
    {"restart", 0, CLI_FLAG, NULL, "throw the evaluations of an unfinished search away",
     AT(restart)},
    {"integrator", 'i', CLI_TEXT, "NAME", "method of all runs", AT(integrator)},
    {"tol", 't', CLI_POSITIVE, "EPS", "local error allowed per step, relative", AT(tol)},
    CLI_LOAD_OPTIONS(AT(load)),
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", AT(quiet)},
    {0},
};

static void print_limit(const TmlOptimum *o, int r)
{
    const double low = tml_optimum_min(o, r), high = tml_optimum_max(o, r);
    if (low == high) {
        printf("   = %.6g", low);
    } else {
        if (isfinite(low)) {
            printf("   >= %.6g", low);
        }
        if (isfinite(high)) {
            printf("   <= %.6g", high);
        }
    }
    printf("\n");
}

static void print_result(const TmlOptimum *o)
{
    const TmlOptimumResult r = tml_optimum_result(o);
    printf("%s\n  %-20s %14s %14s   between\n", tml_optimum_title(o), "parameter", "start", "best");
    for (int k = 0; k < tml_optimum_parameters(o); ++k) {
        printf("  %-20s %14.8g %14.8g   %.6g and %.6g\n", tml_optimum_parameter(o, k),
               tml_optimum_start(o, k), tml_optimum_value(o, k), tml_optimum_low(o, k),
               tml_optimum_high(o, k));
    }
    printf("  %-20s %14s %14s   constraint\n", "response", "start", "best");
    for (int k = 0; k < tml_optimum_responses(o); ++k) {
        printf("  %-20s %14.8g %14.8g", tml_optimum_response(o, k), tml_optimum_first(o, k),
               tml_optimum_best(o, k));
        print_limit(o, k);
    }
    printf("  %-20s %14s %14.8g\n", "objective", "", r.objective);
    printf("  method       %s: %s\n", r.method, r.message);
}

static TmlStatus write_all(const TmlOptimum *o, const CliSearchRun *run, TmlError *err)
{
    const CliSearch *s = run->s;
    TmlStatus status = tml_optimum_write_json(o, run->out, err);
    status = status == TML_OK && s->csv != NULL ? tml_optimum_write_csv(o, s->csv, err) : status;
    return status == TML_OK && s->page != NULL ? tml_optimum_write_page(o, s->page, err) : status;
}

static int optimize_it(const CliSearch *s, const char *path, TmlError *err)
{
    const TmlLoadOptions load = cli_load_options(&s->load);
    TmlOptimum *o = NULL;
    CliSearchRun run;
    TmlSearchOptions options;
    TmlStatus status = tml_optimum_load(path, &load, &o, err);
    status = status == TML_OK ? tml_optimum_settings(o, s->method, s->integrator, s->tol,
                                                     (int)fmin(s->evaluations, 1e9), err)
                              : status;
    int result = status == TML_OK ? CLI_GO_ON : cli_fail(status, err);
    if (result == CLI_GO_ON) {
        cli_warnings(tml_optimum_model(o));
        result = cli_search_begin(&run, s, tml_optimum_model(o), path, "-optimum", &options);
    }
    if (result == CLI_GO_ON) {
        status = tml_optimum_run(o, &options, err);
        status = status == TML_OK ? write_all(o, &run, err) : status;
        result = status == TML_OK ? CLI_GO_ON : cli_search_failed(&run, status, err);
    }
    if (result == CLI_GO_ON) {
        const TmlOptimumResult r = tml_optimum_result(o);
        if (!s->quiet) {
            print_result(o);
        }
        result = cli_search_end(&run, r.stopped, r.converged && r.feasible, r.failed, r.evaluations,
                                r.replayed);
    }
    tml_optimum_free(o);
    return result;
}

static int optimize_run(const CliCommand *self, int argc, char **argv)
{
    CliSearch settings = {.tol = (double)NAN};
    int n = 0;
    int result = cli_parse(self, argc, argv, &settings, &n);
    if (result == CLI_GO_ON) {
        TmlError *err = calloc(1, sizeof *err);
        result = err == NULL ? cli_wrong("out of memory")
                 : tml_is_description(argv[0], "fit")
                     ? cli_wrong("'%s' is for 'trammel fit'", argv[0])
                     : optimize_it(&settings, argv[0], err);
        free(err);
    }
    cli_load_free(&settings.load);
    return result;
}

const CliCommand cli_optimize = {
    .name = "optimize",
    .arguments = "OPTIMIZE.yaml",
    .text = "Find the best parameters of a model under bounds and constraints.",
    .n_min = 1,
    .n_max = 1,
    .options = optimize_options,
    .run = optimize_run,
};
