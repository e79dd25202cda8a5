/* adams/commands/commands.h - command files: simulations of a dataset, and what changes between them. */
#pragma once

#include "adams/dataset/syntax.h"

/* One command, or a statement that changes the dataset. */
typedef struct TmlAdmCommand {
    const TmlAdmStatement *s;
    const TmlAdmSyntax *syntax; /* of a command or of a statement */
    bool statement;             /* of the dataset */
    TmlAdmArg *args;            /* of commands; statements are read with the dataset */
    int n_args;
} TmlAdmCommand;

typedef enum TmlAdmSimulate {
    TML_ADM_DYNAMICS,
    TML_ADM_KINEMATICS,
    TML_ADM_STATICS,
    TML_ADM_TRANSIENT, /* kinematics where nothing is free to move, else dynamics */
    TML_ADM_EIGENVALUES
} TmlAdmSimulate;

typedef struct TmlAdmSimulation {
    TmlAdmSimulate kind;
    double end, duration, output_step; /* in the unit of the dataset; NAN: not given */
    int steps;                         /* 0: not given */
    int first, before;                 /* commands that count: from first up to it */
    int from;                          /* simulation at whose end it begins; -1: the start */
    bool changed;                      /* the model is not that of the simulation before */
    const char *file;
    int line;
} TmlAdmSimulation;

/* A SAVE: what RELOAD goes back to. */
typedef struct TmlAdmSave {
    const char *name;
    bool system;       /* the model as well */
    int first, before; /* its commands */
    int simulation;    /* the last one before it; -1: none */
} TmlAdmSave;

typedef struct TmlAdmCommands {
    const char *model, *results; /* names as written; NULL: none */
    int n_sources, cap_sources;
    TmlAdmSource *source; /* the file, and those that it reads */
    int n, cap;
    TmlAdmCommand *command;
    int n_simulations, cap_simulations;
    TmlAdmSimulation *simulation;
    int n_saves, cap_saves;
    TmlAdmSave *save;
    bool reloads;
} TmlAdmCommands;

/* Read a command file, and those that it reads, next to it. library: of user-written routines;
 * NULL: none. What is wrong or unknown goes to `report`, what changes nothing to `notes`. Texts
 * come from the arena, the rest is freed with tml_adm_commands_free. */
TML_NODISCARD TmlStatus tml_adm_commands_read(const char *text, size_t length, const char *file,
                                              const char *library, TmlArena *arena,
                                              TmlReport *report, TmlReport *notes,
                                              TmlAdmCommands *out, TmlError *err);
void tml_adm_commands_free(TmlAdmCommands *commands);

/* The kind of simulation that a model is made for: eigenvalues are those of the one before. */
TmlAdmSimulate tml_adm_simulation_kind(const TmlAdmCommands *all, int index);

bool tml_adm_is_command(const char *word, int length); /* may be cut short */

/* Commands and what becomes of them, for the guide. */
void tml_adm_commands_list(void (*visit)(void *arg, const char *name, const char *use,
                                         const char *text),
                           void *arg);
