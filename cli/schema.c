/* cli/schema.c - trammel schema: the model format for editors. */
#include "cli.h"

static const CliOption schema_options[] = {{0}};

static int schema_run(const CliCommand *self, int argc, char **argv)
{
    int n = 0;
    const int result = cli_parse(self, argc, argv, NULL, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    TmlError err = {0};
    char *text = NULL;
    const TmlStatus status = tml_schema(&text, &err);
    return cli_print(status, text, &err);
}

const CliCommand cli_schema = {
    .name = "schema",
    .arguments = "",
    .text = "Print the JSON schema of model files, for editors and checkers.",
    .options = schema_options,
    .run = schema_run,
};
