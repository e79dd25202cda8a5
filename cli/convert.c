/* cli/convert.c - trammel convert: a model of another language as a YAML model file. */
#include "cli.h"
#include "terminal.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct ConvertSettings {
    CliPairs input, flex;
    bool strict, quiet;
} ConvertSettings;

static const CliOption convert_options[] = {
    {"input", 0, CLI_PAIR, "NAME=VALUE", "an input of an Adams dataset: a number, or a .csv table",
     offsetof(ConvertSettings, input)},
    CLI_FLEX_OPTION(offsetof(ConvertSettings, flex)),
    {"strict", 0, CLI_FLAG, NULL, "fail if anything is left out",
     offsetof(ConvertSettings, strict)},
    {"quiet", 'q', CLI_FLAG, NULL, "print errors only", offsetof(ConvertSettings, quiet)},
    {0},
};

static int convert_run(const CliCommand *self, int argc, char **argv)
{
    ConvertSettings s = {0};
    int n = 0;
    int result = cli_parse(self, argc, argv, &s, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    TmlError err = {0};
    TmlModel *model = NULL;
    char *text = NULL;
    const CliLoad load = {.input = s.input, .flex = s.flex};
    const TmlLoadOptions o = cli_load_options(&load);
    const TmlStatus status =
        tml_convert_to(argv[0], &o, n == 2 ? argv[1] : NULL, &model, &text, &err);
    cli_pairs_free(&s.input);
    cli_pairs_free(&s.flex);
    if (status != TML_OK) {
        return cli_fail(status, &err);
    }
    result = cli_notes(model, s.strict, s.quiet);
    if (result == CLI_GO_ON && n == 2) {
        result = cli_outputs_check(model, 1, (const char *const *)&argv[1]);
    }
    if (result == CLI_GO_ON && n == 2) {
        const TmlStatus written = tml_file_write(argv[1], text, strlen(text), &err);
        result = written == TML_OK ? 0 : cli_fail(written, &err);
    } else if (result == CLI_GO_ON) {
        cli_terminal_document(text);
        result = 0;
    }
    tml_text_free(text);
    tml_model_free(model);
    return result;
}

const CliCommand cli_convert = {
    .name = "convert",
    .arguments = "MODEL [OUT.yaml]",
    .text = "Convert a model, for example an Adams dataset, to a YAML model file.",
    .n_min = 1,
    .n_max = 2,
    .options = convert_options,
    .run = convert_run,
};
