/* cli/check.c - trammel check: what a model consists of and how it can move; no run. */
#include "cli.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

typedef struct CheckSettings {
    CliLoad load;
    bool verbose;
} CheckSettings;

static const CliOption check_options[] = {
    CLI_LOAD_OPTIONS(offsetof(CheckSettings, load)),
    {"verbose", 'v', CLI_FLAG, NULL, "list redundant constraint equations one by one, not by loops",
     offsetof(CheckSettings, verbose)},
    {0},
};

static int check_model(const TmlModel *model, bool verbose, bool strict)
{
    TmlError err = {0}, describe_err = {0};
    TmlSim *sim = NULL;
    char *text = NULL;
    TmlSimOptions options = tml_sim_options_default();
    options.strict = strict;
    options.end_time = tml_model_end_time(model);
    options.every_row = verbose;
    if (isnan(options.end_time)) {
        options.end_time = 1.0; // nothing is run, and a model need not say how long
    }
    const TmlStatus status = tml_sim_create(model, &options, &sim, &err);
    const TmlStatus described = tml_describe(model, sim, &text, &describe_err);
    if (described == TML_OK) {
        fputs(text, stdout);
    }
    tml_text_free(text);
    tml_sim_free(sim);
    if (status != TML_OK) {
        return cli_fail(status, &err);
    }
    return described == TML_OK ? 0 : cli_fail(described, &describe_err);
}

static int check_run(const CliCommand *self, int argc, char **argv)
{
    CheckSettings settings = {0};
    int n = 0;
    int result = cli_parse(self, argc, argv, &settings, &n);
    TmlModel *model = NULL;
    result = result == CLI_GO_ON ? cli_load(argv[0], &settings.load, &model) : result;
    result = result == CLI_GO_ON ? cli_notes(model, settings.load.strict, false) : result;
    result =
        result == CLI_GO_ON ? check_model(model, settings.verbose, settings.load.strict) : result;
    tml_model_free(model);
    cli_load_free(&settings.load);
    return result;
}

const CliCommand cli_check = {
    .name = "check",
    .arguments = "MODEL",
    .text = "Check a model without a run: list bodies, joints, degrees of freedom, redundancies "
            "and the integrator.",
    .n_min = 1,
    .n_max = 1,
    .options = check_options,
    .run = check_run,
};
