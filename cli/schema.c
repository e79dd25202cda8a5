/* cli/schema.c - trammel schema: the model format for editors. */
#include "cli.h"

#include <string.h>

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
    if (n > 0 && strcmp(argv[0], "part") != 0) {
        return cli_wrong(
            "there is no schema of '%s'; known: part, and without a name that of models", argv[0]);
    }
    const TmlStatus status = n > 0 ? tml_schema_part(&text, &err) : tml_schema(&text, &err);
    return cli_print(status, text, &err);
}

const CliCommand cli_schema = {
    .name = "schema",
    .arguments = "[part]",
    .text = "Print the JSON schema of model files, or of descriptions of parts, for editors and "
            "checkers.",
    .n_max = 1,
    .options = schema_options,
    .run = schema_run,
};
