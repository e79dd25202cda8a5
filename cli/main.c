/* cli/main.c - the command `trammel`: finds the subcommand. */
#include "cli.h"
#include "terminal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const CliCommand *const commands[] = {
    &cli_run,     &cli_check,      &cli_help,       &cli_schema,  &cli_repair,  &cli_integrators,
    &cli_compare, &cli_bench,      &cli_linearize,  &cli_statics, &cli_export,  &cli_convert,
    &cli_reduce,  &cli_plot,       &cli_report,     &cli_watch,   &cli_recover, &cli_rail,
    &cli_study,   &cli_statistics, &cli_kinematics, &cli_inverse, &cli_fit,     &cli_optimize};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

const CliCommand *cli_command(int index)
{
    return index >= 0 && index < N_COMMANDS ? commands[index] : NULL;
}

const CliCommand *cli_command_find(const char *name)
{
    for (int k = 0; k < N_COMMANDS; ++k) {
        if (strcmp(commands[k]->name, name) == 0) {
            return commands[k];
        }
    }
    return NULL;
}

static void print_help(FILE *to)
{
    fputs("usage: trammel COMMAND [ARGUMENT]...\n\n"
          "Dynamics of mechanisms: simulates a model file.\n\n",
          to);
    for (int k = 0; k < N_COMMANDS; ++k) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", commands[k]->name, commands[k]->arguments);
        fprintf(to, "  %-20s %s\n", left, commands[k]->text);
    }
    fputs(
        "\n  --version            print the version\n"
        "  --help               print this; 'trammel COMMAND --help' lists the options\n\n"
        "Exit status: 0 done; 1 the simulation could not continue; 2 the command or the model is\n"
        "wrong; 3 a file could not be read or written.\n",
        to);
}

static int unknown_command(const char *name)
{
    const char *names[N_COMMANDS];
    for (int k = 0; k < N_COMMANDS; ++k) {
        names[k] = commands[k]->name;
    }
    const char *near = cli_nearest(name, names, N_COMMANDS);
    if (near != NULL) {
        return cli_wrong("unknown command '%s'; did you mean '%s'?", name, near);
    }
    return cli_wrong("unknown command '%s'; 'trammel --help' lists the commands", name);
}

/* Find the command and run it. */
static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return CLI_WRONG;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("trammel %s\n", tml_version());
        return 0;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return 0;
    }
    const CliCommand *command = cli_command_find(argv[1]);
    return command != NULL ? command->run(command, argc - 2, argv + 2) : unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
    cli_terminal_init();
    int status = run_command(argc, argv);
    if (!cli_terminal_end()) {
        fprintf(stderr, "error: cannot write to standard output: %s\n", strerror(errno));
        status = status == 0 ? tml_status_exit(TML_E_IO) : status;
    }
    return status;
}
