/* cli/help.c - trammel help: commands, elements, functions and methods in words. */
#include "cli.h"

#include <stddef.h>
#include <stdio.h>

typedef struct HelpSettings {
    bool list;
} HelpSettings;

static const CliOption help_options[] = {
    {"list", 0, CLI_FLAG, NULL, "only the topics, one a line", offsetof(HelpSettings, list)},
    {0},
};

/* The first word of every line of the list that is set in. */
static void print_words(const char *text)
{
    for (const char *c = text; *c != '\0';) {
        const bool entry = *c == ' ';
        while (*c == ' ') {
            c++;
        }
        while (*c != '\0' && *c != ' ' && *c != '\n') {
            if (entry) {
                putchar(*c);
            }
            c++;
        }
        if (entry) {
            putchar('\n');
        }
        while (*c != '\0' && *c++ != '\n') {
        }
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
    if (status != TML_OK) {
        return cli_fail(status, &err);
    }
    if (settings.list) {
        print_words(text);
    } else {
        fputs(text, stdout);
    }
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
