/* cli/help.c - trammel help: commands, elements, functions and methods in words. */
#include "cli.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct HelpSettings {
    bool list;
} HelpSettings;

static const CliOption help_options[] = {
    {"list", 0, CLI_FLAG, NULL, "only the topics, one per line", offsetof(HelpSettings, list)},
    {0},
};

/* Topics are set in by two blanks; their texts may go on in lines that are set in further. */
static void print_topics(const char *text)
{
    for (const char *line = text; *line != '\0';) {
        if (strspn(line, " ") == 2) {
            printf("%.*s\n", (int)strcspn(line + 2, " \n"), line + 2);
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

static int help_run(const CliCommand *self, int argc, char **argv)
{
    HelpSettings settings = {0};
    int n = 0;
    const int result = cli_parse(self, argc, argv, &settings, &n);
    if (result != CLI_GO_ON) {
        return result;
    }
    const char *topic = n > 0 ? argv[0] : NULL;
    const CliCommand *command = topic != NULL ? cli_command_find(topic) : NULL;
    if (command != NULL) {
        cli_usage(command);
        return 0;
    }
    TmlError err = {0};
    char *text = NULL;
    const TmlStatus status = tml_help(topic, &text, &err);
    if (status != TML_OK || !settings.list) {
        return cli_print(status, text, &err);
    }
    print_topics(text);
    tml_text_free(text);
    return 0;
}

const CliCommand cli_help = {
    .name = "help",
    .arguments = "[TOPIC]",
    .text = "Explain a command, element, function or integrator; without TOPIC, list them.",
    .n_max = 1,
    .options = help_options,
    .run = help_run,
};
