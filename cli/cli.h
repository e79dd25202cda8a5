/* cli/cli.h - commands, their options, and messages.
 *
 * A command is one file with one table; main.c lists them. The command line sees the public
 * headers only.
 */
#pragma once

#include "trammel/trammel.h"

typedef enum CliKind {
    CLI_FLAG,        /* bool */
    CLI_TEXT,        /* const char * */
    CLI_POSITIVE,    /* double, finite, > 0 */
    CLI_NUMBER,      /* double, finite */
    CLI_PAIR,        /* CliPairs: key=value, any number of times */
    CLI_PAIR_NUMBER, /* CliPairs: the value is a finite number */
} CliKind;

typedef struct CliPairs {
    int n;
    const char **key, **value;
    double *number; /* CLI_PAIR_NUMBER */
} CliPairs;

typedef struct CliOption {
    const char *name; /* "output-step"; NULL ends a table */
    char letter;      /* 'o' for -o; 0: none */
    CliKind kind;
    const char *value; /* placeholder in the help */
    const char *text;  /* one line */
    size_t offset;     /* into the settings of the command */
} CliOption;

typedef struct CliCommand {
    const char *name, *arguments, *text;
    int n_min, n_max; /* arguments that are not options */
    const CliOption *options;
    int (*run)(const struct CliCommand *self, int argc, char **argv); /* exit status */
} CliCommand;

extern const CliCommand cli_run, cli_check, cli_help, cli_schema, cli_repair, cli_integrators;
extern const CliCommand cli_linearize, cli_statics, cli_recover;
extern const CliCommand cli_compare, cli_bench, cli_export, cli_convert, cli_reduce, cli_plot,
    cli_report, cli_watch, cli_rail, cli_study, cli_statistics, cli_kinematics, cli_inverse,
    cli_fit, cli_optimize;

/* The commands in order; NULL past the end. */
const CliCommand *cli_command(int index);
const CliCommand *cli_command_find(const char *name); /* NULL: unknown */

enum { CLI_GO_ON = -1, CLI_WRONG = 2 };

/* Read the options behind the command's name into its settings. What is no option is moved to the
 * front of argv, *n_args of them. Returns CLI_GO_ON, or the exit status when all is said (--help,
 * or a wrong command line). */
int cli_parse(const CliCommand *command, int argc, char **argv, void *settings, int *n_args);
void cli_pairs_free(CliPairs *pairs);

/* Help on one command, to standard output. */
void cli_usage(const CliCommand *command);

/* Nearest of n words, NULL when none is near. */
const char *cli_nearest(const char *word, const char *const *words, int n);

/* "error: ..." on standard error; returns the exit status. */
int cli_fail(TmlStatus status, const TmlError *err);
int cli_wrong(const char *fmt, ...) TML_PRINTF(1, 2);

/* How a model is loaded: options that commands share. */
typedef struct CliLoad {
    CliPairs set, input, solid, flex;
    const char *library, *solids;
    const char *follow; /* parameter of a path; NULL: none */
    char *more;         /* further sections (tml_motions_text); NULL: none */
    bool strict;
} CliLoad;

// clang-format off
#define CLI_LOAD_OPTIONS(at)                                                                       \
    {"set", 0, CLI_PAIR, "NAME=VALUE", "change a parameter, for example to '60 N/mm'; may be repeated", (at) + offsetof(CliLoad, set)},                                                   \
    {"strict", 0, CLI_FLAG, NULL, "turn warnings into errors; omissions from Adams datasets, too",  \
     (at) + offsetof(CliLoad, strict)},                                                            \
    {"input", 0, CLI_PAIR, "NAME=VALUE", "an input of the model: a number, or a .csv table",\
     (at) + offsetof(CliLoad, input)},                                                             \
    {"user-library", 0, CLI_TEXT, "LIB.so", "user-written routines of an Adams dataset",           \
     (at) + offsetof(CliLoad, library)},                                                           \
    {"solid", 0, CLI_PAIR, "ID=FILE.stl", "a mesh for a solid of an Adams dataset, by its number " \
     "or name; may be repeated", (at) + offsetof(CliLoad, solid)},                                 \
    {"solids", 0, CLI_TEXT, "WHAT", "replacement for solids of an Adams dataset that are not read: none, ellipsoid or box", (at) + offsetof(CliLoad, solids)},                                  \
    CLI_FLEX_OPTION((at) + offsetof(CliLoad, flex))
#define CLI_FLEX_OPTION(at)                                                                        \
    {"flex", 0, CLI_PAIR, "ID=PART.h5", "part file (or its description) for a FLEX_BODY of an Adams dataset, by its number or name; may be repeated", (at)}
// clang-format on

TmlLoadOptions cli_load_options(const CliLoad *load); /* lives as long as load */
void cli_load_free(CliLoad *load);

/* Load a model. Returns CLI_GO_ON, or the exit status and NULL. */
int cli_load(const char *path, const CliLoad *load, TmlModel **out);

/* The frame of --spin, text may be NULL. Returns CLI_GO_ON, or the exit status. */
int cli_spin(const TmlModel *model, const char *text, TmlSpin *out);

/* A table of eigenvalues and of the bodies that carry the modes, to standard output. */
void cli_print_modes(const TmlModel *model, const TmlLinear *lin, const TmlStaticsInfo *statics);
/* Lines about the stability of an equilibrium, and about others. */
void cli_print_stability(const TmlStaticsInfo *info);

/* Channels and their units, to standard output: all, or those that match. Returns the exit status.
 */
int cli_list_channels(const TmlChannels *c, int n, char **patterns);

/* The state to which the commands of a file (.acf) lead: up to the first request for eigenvalues,
 * else to the end. Returns CLI_GO_ON, or the exit status and NULL. */
int cli_commands_reach(const char *path, const CliLoad *load, TmlModel **model, TmlSim **sim);

/* Tell what is most likely wrong in a model. */
void cli_warnings(const TmlModel *model);

/* The same, and what a converted model leaves out. strict: that is an error. Returns CLI_GO_ON, or
 * the exit status. */
int cli_notes(const TmlModel *model, bool strict, bool quiet);

/* Print a text that the library made, or say why there is none; frees it. Returns the exit status.
 */
int cli_print(TmlStatus status, char *text, const TmlError *err);

/* Do both name one file that exists? NULL: no. */
bool cli_same_file(const char *a, const char *b);

/* Refuse to write over a file that the model was read from: itself, tables, meshes, libraries. An
 * output may be NULL. Returns CLI_GO_ON, or the exit status. */
int cli_outputs_check(const TmlModel *model, int n, const char *const *output);

/* The path of a report ends in .html, is not the input, and reports can be written at all. Returns
 * CLI_GO_ON, or the exit status when something is wrong. */
int cli_html_check(const char *path, const char *input);
