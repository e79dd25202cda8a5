/* trammel/io.h - load models, write results, describe the format. */
#pragma once

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Read and finish a model file (.yaml, .yml, .json, or an Adams dataset .adm). n parameters of the file get other
 * values. The message lists all errors of the file, one line "file:line:column: text" each. On failure *out is
 * NULL.
 *   TML_E_MODEL  the text is wrong
 *   TML_E_IO     the file cannot be read */
TML_API TML_NODISCARD TmlStatus tml_load(const char *path, int n, const char *const *names,
                                         const double *values, TmlModel **out, TmlError *err);

/* The same from a text in memory. Messages use `name` as the name of the file. */
TML_API TML_NODISCARD TmlStatus tml_load_text(const char *text, const char *name, int n,
                                              const char *const *names, const double *values,
                                              TmlModel **out, TmlError *err);

/* Options for loading a model. */
typedef struct TmlLoadOptions {
    uint32_t size; /* set by tml_load_options_default; do not change */
    int n;         /* number of parameters that get other values */
    const char *const *names;
    const double *values; /* n numbers */
    /* The n values as texts instead: numbers with units, or expressions of parameters. NULL, as a whole or as an
     * entry: the number counts. */
    const char *const *texts;
    bool strict; /* warnings of the reader (tml_model_warning) are errors */
    /* Inputs of an Adams dataset: variables of a PINPUT by name or number. The value of each is a number, or the
     * name of a file with a table of two columns, time in s and value. */
    int n_inputs;
    const char *const *input_name, *const *input_value;
    const char *user_library; /* shared library with user-written routines; NULL: none */
    /* Solids of an Adams dataset, whose geometry cannot be read. Meshes (STL, OBJ) can replace them; GRAPHICS are
     * given by number or by the name of the solid. `solids` says what becomes of contacts of the remaining ones:
     * "none" leaves them out, "ellipsoid" and "box" use the homogeneous body with the mass and inertia of the part,
     * NULL is an error. tml_model_substitute lists what was replaced or left out. */
    int n_solids;
    const char *const *solid_name, *const *solid_file;
    const char *solids;
    /* Parts for FLEX_BODYs of an Adams dataset, which are given by number or name. A file is a part as
     * `trammel reduce` writes it, or a description (.yaml) that is reduced when the model is read. */
    int n_flex;
    const char *const *flex_name, *const *flex_file;
    /* A parameter that takes the place of time in all expressions, for tml_sim_path; `time` itself is then
     * 0. NULL or "time": none. */
    const char *follow;
    /* Further sections as YAML, for example motions: "joints: {drive: {type: motion, joint: pin, function: sin(time)}}".
     * Their names must be new. NULL: none. */
    const char *more;
} TmlLoadOptions;

TML_API TmlLoadOptions tml_load_options_default(void);
/* Here and below, options NULL means the default options. */
TML_API TML_NODISCARD TmlStatus tml_load_with(const char *path, const TmlLoadOptions *options,
                                              TmlModel **out, TmlError *err);

/* Make a new model from the text that `from` was loaded from, with other values of n parameters. Values that
 * `from` was loaded with stay unless they are given again. Model files are not read again, even if they have
 * changed; tables of splines and meshes are. `from` does not change and may be freed.
 *   TML_E_ARGUMENT  `from` was not loaded but built by tml_model_add, or is an Adams dataset, which has no
 *                   parameters */
TML_API TML_NODISCARD TmlStatus tml_model_with(const TmlModel *from, int n,
                                               const char *const *names, const double *values,
                                               TmlModel **out, TmlError *err);

/* --- command files (.acf) of Adams ----------------------------------------------------------- */

typedef enum TmlSimulationKind {
    TML_SIMULATION_DYNAMICS,
    TML_SIMULATION_KINEMATICS, /* the model must have no degrees of freedom */
    TML_SIMULATION_STATICS,    /* one equilibrium, or one at each of several times */
    TML_SIMULATION_EIGENVALUES /* of the present state, by tml_sim_linearize */
} TmlSimulationKind;

/* One simulation that a command file asks for. */
typedef struct TmlSimulation {
    TmlSimulationKind kind;
    double end, duration; /* s; NAN: not given. Statics without both: at the present time */
    double output_step;   /* s; NAN: not given */
    int steps;            /* output steps up to the end; 0: not given */
    bool changed;         /* the model differs from that of the previous simulation */
    int from; /* index of the simulation at whose end it begins, usually the last; -1: none */
    const char *file; /* file of the command; lives as long as the commands */
    int line;
} TmlSimulation;

typedef struct TmlCommands TmlCommands;

/* Read a command file. `dataset` is the path of the .adm file; NULL: the one that the commands name, in their
 * folder. The message lists all errors of the file, or those of the first simulation whose model cannot be
 * made. On failure *out is NULL. */
TML_API TML_NODISCARD TmlStatus tml_commands_open(const char *path, const char *dataset,
                                                  const TmlLoadOptions *options, TmlCommands **out,
                                                  TmlError *err);
TML_API void tml_commands_free(TmlCommands *commands);       /* NULL is fine */
TML_API int tml_commands_count(const TmlCommands *commands); /* number of simulations */
/* Whether a simulation starts from the end of an earlier one than the last. */
TML_API bool tml_commands_reload(const TmlCommands *commands);
TML_API TmlSimulation tml_commands_simulation(const TmlCommands *commands, int index);
/* The model of a simulation, after all changes by earlier commands. The caller frees it. */
TML_API TML_NODISCARD TmlStatus tml_commands_model(const TmlCommands *commands, int index,
                                                   TmlModel **out, TmlError *err);
/* Notes on what was left out without changing the motion; NULL past the end. */
TML_API const char *tml_commands_note(const TmlCommands *commands, int index);
TML_API bool tml_is_commands(const char *path); /* by its suffix, .acf */

/* Write a model file, with all files that it includes, as one YAML text; free it with tml_text_free. *model is not
 * finished and serves for tml_model_note and tml_model_warning only; the caller frees it. */
TML_API TML_NODISCARD TmlStatus tml_convert(const char *path, TmlModel **model, char **out,
                                            TmlError *err);
/* The same with options, for example inputs of an Adams dataset. */
TML_API TML_NODISCARD TmlStatus tml_convert_with(const char *path, const TmlLoadOptions *options,
                                                 TmlModel **model, char **out, TmlError *err);

/* The same for a text that will be written to the file `target`: paths of tables and meshes are relative to the
 * folder of that file. NULL: the folder of the model. */
TML_API TML_NODISCARD TmlStatus tml_convert_to(const char *path, const TmlLoadOptions *options,
                                               const char *target, TmlModel **model, char **out,
                                               TmlError *err);

/* Writes results: rows are appended during the run. The HDF5 file can be read while it is written and after the
 * process was killed. */
typedef struct TmlWriter TmlWriter;

/* The suffix chooses the kind of file: .h5, .hdf5 or .csv. A file that another process is writing is not
 * touched (TML_E_IO). */
TML_API TML_NODISCARD TmlStatus tml_writer_open(const char *path, const TmlSim *sim,
                                                TmlWriter **out, TmlError *err);
/* The same for a sim that goes on from a checkpoint: the first rows of the file that an earlier process wrote stay, and
 * later ones go. The file is replaced when it has them all.
 *   TML_E_IO  the file has fewer rows, or other channels */
TML_API TML_NODISCARD TmlStatus tml_writer_resume(const char *path, const TmlSim *sim, int64_t rows,
                                                  TmlWriter **out, TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_writer_row(TmlWriter *w, const TmlSim *sim, TmlError *err);
/* Present path of the file, which another process may have renamed. Empty: it was removed, or the system does not
 * provide the path. */
TML_API void tml_writer_path(const TmlWriter *w, char *out, size_t size);
/* Rename a file that another process is writing, for example to out-1.h5; that process continues to write it.
 * `kept` receives the new name. It is empty if no process writes the file; nothing was done then. */
TML_API TML_NODISCARD TmlStatus tml_writer_set_aside(const char *path, char *kept, size_t size,
                                                     TmlError *err);
/* Write buffered rows to the file now, so that readers see them. */
TML_API TML_NODISCARD TmlStatus tml_writer_flush(TmlWriter *w, TmlError *err);
/* Append the rows of another sim, which continues where the former one ended. It fits if it has the same bodies
 * and channels, and no joints that the first sim did not have; all are compared by name. Reactions of joints that
 * it lacks are zero. */
TML_API bool tml_writer_fits(const TmlWriter *w, const TmlSim *next);
TML_API TML_NODISCARD TmlStatus tml_writer_next(TmlWriter *w, const TmlSim *former,
                                                const TmlSim *next, TmlError *err);
/* Say how the run ended, which tml_writer_close stores. Without this call the run counts as done. message may be
 * NULL. */
TML_API void tml_writer_status(TmlWriter *w, TmlStatus status, const char *message);
/* Write what is left and free w, also on failure. w may be NULL; sim NULL: there are no further attempted steps
 * to write. */
TML_API TML_NODISCARD TmlStatus tml_writer_close(TmlWriter *w, const TmlSim *sim, TmlError *err);

/* Create a result file without a name, for runs of which only the report is kept. It lies in the folder of
 * `beside`; NULL: in TMPDIR, else in /var/tmp. The file vanishes when *fd is closed or the process ends for any
 * reason. `path` needs 32 characters. While *fd is open this process can pass it to tml_writer_open, which then
 * writes HDF5, and to tml_report. */
TML_API TML_NODISCARD TmlStatus tml_results_unnamed(const char *beside, int *fd, char *path,
                                                    size_t size, TmlError *err);

/* Write a file of n bytes. On failure no part of it is written, and an earlier file of this name stays as it was. */
TML_API TML_NODISCARD TmlStatus tml_file_write(const char *path, const void *bytes, size_t n,
                                               TmlError *err);

/* Check whether the file could be written. Fails as tml_file_write would now; creates and changes nothing. */
TML_API TML_NODISCARD TmlStatus tml_file_check(const char *path, TmlError *err);

/* Turn the HDF5 file of a killed run into an ordinary file that any reader can open. *out describes what was
 * found; free it with tml_text_free. A file that is still being written is not touched (TML_E_IO). */
TML_API TML_NODISCARD TmlStatus tml_repair(const char *path, char **out, TmlError *err);

/* Write the rows of an HDF5 result file as VTK files into a folder, which is created if necessary. There is one
 * .vtu file for each row and flexible body, one for each row with all rigid bodies (points with axes), and
 * results.pvd, which ParaView opens. *rows is the number of rows. */
TML_API TML_NODISCARD TmlStatus tml_export_vtk(const char *results, const char *folder,
                                               int64_t *rows, TmlError *err);

/* Write channels of a result file (trammel/channels.h) as comma-separated values, in the form of the CSV file of a
 * run. The n patterns select channels in their order; n = 0 selects all that have one row per output time. With
 * `units` the headings are "name [unit]". *rows and *columns are the numbers of rows and of columns without the
 * time; both pointers may be NULL.
 *   TML_E_ARGUMENT  no channel matches, or some have a row per output time and others per attempted step */
TML_API TML_NODISCARD TmlStatus tml_export_csv(const char *results, int n,
                                               const char *const *pattern, bool units,
                                               const char *csv, int64_t *rows, int *columns,
                                               TmlError *err);

/* Write the statistics of a run as one JSON object. status and message say how the run ended. sim NULL: no sim
 * could be created. */
TML_API TML_NODISCARD TmlStatus tml_write_summary(const char *path, const TmlModel *model,
                                                  const TmlSim *sim, TmlStatus status,
                                                  const char *message, TmlError *err);

/* --- dumps: a failed run as one file, from which another run can start ----------------------- */

/* Write a dump as JSON: the text of the model with the files that it includes, parameters, options, and the last
 * accepted state of a sim with the past of delays and the memory of elements. Tables, libraries and texts that are
 * not UTF-8 are stored as path and check sum only. `load` are the options that the model was loaded with; NULL:
 * none. message may be NULL.
 *   TML_E_ARGUMENT  the model was not loaded from a file */
TML_API TML_NODISCARD TmlStatus tml_dump_write(const char *path, const TmlSim *sim,
                                               const TmlLoadOptions *load, const char *message,
                                               TmlError *err);
TML_API bool tml_is_dump(const char *path); /* reads the beginning of the file */
/* Create the model, and a sim at the state of the dump with the method that was in use, which is restarted.
 * Options that are given replace those of the dump. The caller frees model and sim.
 *   TML_E_MODEL  the dump is damaged, or a file that it names has changed */
TML_API TML_NODISCARD TmlStatus tml_dump_open(const char *path, const TmlSimOptions *options,
                                              TmlModel **model, TmlSim **sim, TmlError *err);
/* The same for a run with user-written routines. Opening a library runs its code, and a dump may come from
 * anybody. So the caller gives the library, whose check sum must be that in the dump. tml_dump_open refuses dumps
 * that name a library. */
TML_API TML_NODISCARD TmlStatus tml_dump_open_with(const char *path, const char *user_library,
                                                   const TmlSimOptions *options, TmlModel **model,
                                                   TmlSim **sim, TmlError *err);

/* --- checkpoints: a run that goes on in another process ---------------------------------------- */

/* Write the whole state of a sim and its model between two steps. A later process of the same program goes on from it to the
 * same bits. An earlier file is replaced only when the new one is whole. `note` is a text of the caller; NULL: none.
 *   TML_E_ARGUMENT  elements of the model were registered from memory that another process does not have, or it has
 *                   user-written routines */
TML_API TML_NODISCARD TmlStatus tml_checkpoint_write(const char *path, const TmlSim *sim,
                                                     const char *note, TmlError *err);
/* Make the model and the sim of a checkpoint. Such a file is as powerful as a program: it must belong to the user (or to
 * root). hooks and note may be NULL; the caller frees model and sim, and *note with tml_text_free.
 *   TML_E_IO     it cannot be read, or it belongs to somebody else
 *   TML_E_MODEL  it is no checkpoint, damaged, or written by another build of the program or its libraries */
TML_API TML_NODISCARD TmlStatus tml_checkpoint_open(const char *path, const TmlHooks *hooks,
                                                    TmlModel **model, TmlSim **sim, char **note,
                                                    TmlError *err);

/* Describe a model: counts, degrees of freedom, redundancies and notes, as the text that `trammel check` prints.
 * The caller frees it with tml_text_free. */
TML_API TML_NODISCARD TmlStatus tml_describe(const TmlModel *model, const TmlSim *sim, char **out,
                                             TmlError *err);
/* Help on an element type, section, function or integrator; topic NULL: the list of topics. */
TML_API TML_NODISCARD TmlStatus tml_help(const char *topic, char **out, TmlError *err);
/* JSON schema of the model format. */
TML_API TML_NODISCARD TmlStatus tml_schema(char **out, TmlError *err);
/* JSON schema of descriptions of finite-element parts. */
TML_API TML_NODISCARD TmlStatus tml_schema_part(char **out, TmlError *err);
TML_API void tml_text_free(char *text);

#ifdef __cplusplus
}
#endif
