/* cli/repair.c - trammel repair: open the result file of a killed run to all readers. */
#include "cli.h"

static const CliOption repair_options[] = {{0}};

static int repair_run(const CliCommand *self, int argc, char **argv)
{
    int n = 0;
    const int result = cli_parse(self, argc, argv, NULL, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    TmlError err = {0};
    char *text = NULL;
    const TmlStatus status = tml_repair(argv[0], &text, &err);
    return cli_print(status, text, &err);
}

const CliCommand cli_repair = {
    .name = "repair",
    .arguments = "OUT.h5",
    .text = "Repair the result file of a killed run, so that it is an ordinary HDF5 file.",
    .n_min = 1,
    .n_max = 1,
    .options = repair_options,
    .run = repair_run,
};
