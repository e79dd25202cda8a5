/* adams/adams.h - Adams/Solver datasets as trees that the model reader understands. */
#pragma once

#include "model/read/value.h"
#include "trammel/model.h"

/* How a dataset is to be read; all zero: as it is. */
typedef struct TmlAdamsOptions {
    const struct TmlAdmCommand *commands; /* that change it */
    int n_commands;
    int mode;                 /* value of MODE: 1 kinematics, 5 statics, else 4 (dynamics) */
    const char *user_library; /* NULL: none */
    bool for_file;            /* the tree is written to a file, which holds no routines */
    int n_inputs;             /* of a PINPUT, by name or number: a number or a file */
    const char *const *input_name, *const *input_value;
    int n_solids; /* meshes for solids of GRAPHICS, by number or name of the solid */
    const char *const *solid_name, *const *solid_file;
    int n_flex; /* parts from finite elements for FLEX_BODYs, by number or name */
    const char *const *flex_name, *const *flex_file;
    const char *solids; /* of contacts without geometry: "none", "ellipsoid", "box"; NULL: errors */
} TmlAdamsOptions;

/* Translate a dataset. Errors go to `report` (unsupported statements that would change motion or
 * forces among them), what is left out without harm to `notes`. *out NULL: there were errors that
 * leave nothing to read; else a map of sections whose values stand where the dataset has them.
 * length without the zero behind the text. Memory comes from the arena of the model, with which
 * user routines are registered. */
TML_NODISCARD TmlStatus tml_adams_parse(const char *text, size_t length, const char *file,
                                        const TmlAdamsOptions *options, TmlModel *model,
                                        TmlReport *report, TmlReport *notes, TmlValue **out,
                                        TmlError *err);

/* The units of a dataset in SI. */
typedef struct TmlAdamsUnits {
    double mass, length, force, time;
} TmlAdamsUnits;

TML_NODISCARD TmlStatus tml_adams_units(const char *text, size_t length, TmlArena *arena,
                                        TmlAdamsUnits *out, TmlError *err);

bool tml_adams_is_dataset(const char *path); /* by its suffix, .adm */

/* Statements and what becomes of them, for the guide: one line of a table each. */
void tml_adams_statements(void (*visit)(void *arg, const char *name, const char *use,
                                        const char *text),
                          void *arg);
/* Functions of expressions, by groups, in the order of the guide. */
void tml_adams_functions(void (*visit)(void *arg, const char *group, const char *name), void *arg);
