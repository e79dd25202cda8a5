/* cli/integrators.c - trammel integrators: names of the methods. */
#include "cli.h"

#include <stdio.h>

static const CliOption integrators_options[] = {{0}};

static int integrators_run(const CliCommand *self, int argc, char **argv)
{
    int n = 0;
    const int result = cli_parse(self, argc, argv, NULL, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    for (int k = 0; tml_integrator_name(k) != NULL; ++k) {
        printf("%s\n", tml_integrator_name(k));
    }
    return 0;
}

const CliCommand cli_integrators = {
    .name = "integrators",
    .arguments = "",
    .text = "List the integrators, the default first; 'trammel help NAME' explains one.",
    .options = integrators_options,
    .run = integrators_run,
};
