/* trammel/io.h - load models, write results, describe the format. */
#pragma once

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Read a model file (.yaml, .yml, .json, or an Adams dataset .adm) with n parameter overrides and
 * finish it. All errors of the file are in the message, one "file:line:column: text" line each. On
 * failure *out is NULL. TML_E_MODEL  the text is wrong      TML_E_IO  the file cannot be read */
TML_API TML_NODISCARD TmlStatus tml_load(const char *path, int n, const char *const *names,
                                         const double *values, TmlModel **out, TmlError *err);

/* The same from memory; `name` stands for the file in messages. */
TML_API TML_NODISCARD TmlStatus tml_load_text(const char *text, const char *name, int n,
                                              const char *const *names, const double *values,
                                              TmlModel **out, TmlError *err);

/* What a model may be loaded with. */
typedef struct TmlLoadOptions {
    uint32_t size; /* set by tml_load_options_default; do not change */
    int n;         /* parameters that are given other values */
    const char *const *names;
    const double *values; /* n */
    /* n, or NULL: the values as texts instead, numbers with units or expressions of parameters; an
     * entry that is NULL leaves the number. */
    const char *const *texts;
    bool strict; /* what the reader warns of (tml_model_warning) is an error */
    /* Inputs of an Adams dataset: variables of a PINPUT by name or number, each driven by a number,
     * or by a table in a file of two columns, time in s and value. */
    int n_inputs;
    const char *const *input_name, *const *input_value;
    const char *user_library; /* shared library with user-written routines; NULL: none */
    /* Solids of an Adams dataset whose geometry is not read: meshes (STL, OBJ) for GRAPHICS by number or by the name
     * of the solid; what becomes of the contacts of others, "none" (left out), "ellipsoid" or "box" (the homogeneous
     * body with the mass and inertia of the part touches), NULL: an error. tml_model_substitute tells all of it. */
    int n_solids;
    const char *const *solid_name, *const *solid_file;
    const char *solids;
    /* FLEX_BODYs of an Adams dataset, by number or name: files of parts as `trammel reduce` writes them, or
     * descriptions (.yaml), which are reduced when the model is read. */
    int n_flex;
    const char *const *flex_name, *const *flex_file;
    /* A parameter that takes the place of time in all expressions, for tml_sim_path; time itself is
     * 0 then. NULL or "time": none. */
    const char *follow;
} TmlLoadOptions;

TML_API TmlLoadOptions tml_load_options_default(void);
/* options NULL, here and in the calls below: the default ones. */
TML_API TML_NODISCARD TmlStatus tml_load_with(const char *path, const TmlLoadOptions *options,
                                              TmlModel **out, TmlError *err);

/* A new model from the texts that another was loaded from, with n parameters of other values; those
 * that `from` was given stay unless they are given again. Model files are not read again, whatever
 * the disk holds by now (tables of splines and meshes are). `from` stays as it is and may be freed.
 *   TML_E_ARGUMENT  `from` was not loaded but built from pieces, or is an Adams dataset, which has
 * no parameters */
TML_API TML_NODISCARD TmlStatus tml_model_with(const TmlModel *from, int n,
                                               const char *const *names, const double *values,
                                               TmlModel **out, TmlError *err);

/* --- command files (.acf) of Adams ----------------------------------------------------------- */

typedef enum TmlSimulationKind {
    TML_SIMULATION_DYNAMICS,
    TML_SIMULATION_KINEMATICS, /* nothing must be free to move */
    TML_SIMULATION_STATICS,    /* equilibrium, or one at each of several times */
    TML_SIMULATION_EIGENVALUES /* of the state that is reached: tml_sim_linearize */
} TmlSimulationKind;

/* One simulation that a command file asks for. */
typedef struct TmlSimulation {
    TmlSimulationKind kind;
    double end, duration; /* s; NAN: not given. Statics without both: at the present time */
    double output_step;   /* s; NAN: not given */
    int steps;            /* output steps up to the end; 0: not given */
    bool changed;         /* the model is another than that of the simulation before */
    int from;             /* the one at whose end it begins, in general the one before; -1: none */
    const char *file;     /* of the command; lives as long as the commands */
    int line;
} TmlSimulation;

typedef struct TmlCommands TmlCommands;

/* Read a command file. dataset: the path of the .adm file, NULL: the one that the commands name,
 * next to them. All errors of the file are in the message, or those of the first simulation whose
 * model cannot be made. On failure *out is NULL. */
TML_API TML_NODISCARD TmlStatus tml_commands_open(const char *path, const char *dataset,
                                                  const TmlLoadOptions *options, TmlCommands **out,
                                                  TmlError *err);
TML_API void tml_commands_free(TmlCommands *commands);       /* NULL is fine */
TML_API int tml_commands_count(const TmlCommands *commands); /* simulations */
/* Does one of them go back to the end of an earlier one? */
TML_API bool tml_commands_reload(const TmlCommands *commands);
TML_API TmlSimulation tml_commands_simulation(const TmlCommands *commands, int index);
/* The model as the commands before a simulation leave it; the caller frees it. */
TML_API TML_NODISCARD TmlStatus tml_commands_model(const TmlCommands *commands, int index,
                                                   TmlModel **out, TmlError *err);
/* What the commands leave out without harm; NULL past the end. */
TML_API const char *tml_commands_note(const TmlCommands *commands, int index);
TML_API bool tml_is_commands(const char *path); /* by its suffix, .acf */

/* A model file, includes and all, as one YAML text; free with tml_text_free. The model is not
 * finished and only holds notes (tml_model_note); the caller frees it. */
TML_API TML_NODISCARD TmlStatus tml_convert(const char *path, TmlModel **model, char **out,
                                            TmlError *err);
/* The same of an Adams dataset with inputs. */
TML_API TML_NODISCARD TmlStatus tml_convert_with(const char *path, const TmlLoadOptions *options,
                                                 TmlModel **model, char **out, TmlError *err);

/* The same as a text that will be written to the file `target`: tables and meshes are named as seen
 * from its folder. NULL: beside the model. */
TML_API TML_NODISCARD TmlStatus tml_convert_to(const char *path, const TmlLoadOptions *options,
                                               const char *target, TmlModel **model, char **out,
                                               TmlError *err);

/* Results: rows are appended as the run goes on; the HDF5 file can be read while it is written and
 * after the process was killed. */
typedef struct TmlWriter TmlWriter;

/* kind by suffix: .h5/.hdf5 or .csv. A file that another process is writing is left alone
 * (TML_E_IO). */
TML_API TML_NODISCARD TmlStatus tml_writer_open(const char *path, const TmlSim *sim,
                                                TmlWriter **out, TmlError *err);
TML_API TML_NODISCARD TmlStatus tml_writer_row(TmlWriter *w, const TmlSim *sim, TmlError *err);
/* Where the file of w is now: another process may have renamed it. Empty: it was removed, or the
 * system does not tell. */
TML_API void tml_writer_path(const TmlWriter *w, char *out, size_t size);
/* Give a file that another process is writing another name, such as out-1.h5, with which that
 * process goes on. kept: that name; empty: nobody writes the file, and nothing was done. */
TML_API TML_NODISCARD TmlStatus tml_writer_set_aside(const char *path, char *kept, size_t size,
                                                     TmlError *err);
/* Hand what is buffered to the file now, so that readers see it. */
TML_API TML_NODISCARD TmlStatus tml_writer_flush(TmlWriter *w, TmlError *err);
/* Let the rows of another sim follow, which goes on where the former ended. It fits when it has the
 * same bodies and channels and no joints but those of the first, found by their names; the
 * reactions of joints that it lacks are zero. */
TML_API bool tml_writer_fits(const TmlWriter *w, const TmlSim *next);
TML_API TML_NODISCARD TmlStatus tml_writer_next(TmlWriter *w, const TmlSim *former,
                                                const TmlSim *next, TmlError *err);
/* How the run ended, for tml_writer_close to store; not called: done. message may be NULL. */
TML_API void tml_writer_status(TmlWriter *w, TmlStatus status, const char *message);
/* Writes what is left and frees w, also on failure. w NULL is fine; sim NULL: no new attempts. */
TML_API TML_NODISCARD TmlStatus tml_writer_close(TmlWriter *w, const TmlSim *sim, TmlError *err);

/* A result file without a name, in the folder of `beside`; NULL: in TMPDIR, else /var/tmp. For a
 * report that alone is kept: the file is gone when *fd is closed or the process ends, however it
 * does. path: 32 characters suffice; while *fd is open this process can give it to tml_writer_open,
 * which writes HDF5 there, and to tml_report. */
TML_API TML_NODISCARD TmlStatus tml_results_unnamed(const char *beside, int *fd, char *path,
                                                    size_t size, TmlError *err);

/* Write a file of n bytes: it is there as a whole, or what had its name before stays as it was. */
TML_API TML_NODISCARD TmlStatus tml_file_write(const char *path, const void *bytes, size_t n,
                                               TmlError *err);

/* Could the file be written? Fails as tml_file_write would now; nothing is created or changed. */
TML_API TML_NODISCARD TmlStatus tml_file_check(const char *path, TmlError *err);

/* Make the HDF5 file of a run that was killed an ordinary file that any reader opens. *out: what
 * was found, as text for people; free with tml_text_free. A file that is still being written is
 * left alone (TML_E_IO). */
TML_API TML_NODISCARD TmlStatus tml_repair(const char *path, char **out, TmlError *err);

/* Write the rows of an HDF5 result file as VTK files into a folder, which is made if need be: one
 * .vtu file a row and flexible body, one a row for the rigid bodies (points with axes), and
 * results.pvd, which ParaView opens. *rows: how many. */
TML_API TML_NODISCARD TmlStatus tml_export_vtk(const char *results, const char *folder,
                                               int64_t *rows, TmlError *err);

/* Write channels of a result file (trammel/channels.h) as comma-separated values, in the form of a
 * run's CSV: n names or patterns in their order, n = 0: all that have a row per output time. units:
 * headings are "name [unit]". *rows, *columns: how many, without the time; either may be NULL.
 *   TML_E_ARGUMENT  no channel has that name; or channels of output times and of attempted steps */
TML_API TML_NODISCARD TmlStatus tml_export_csv(const char *results, int n,
                                               const char *const *pattern, bool units,
                                               const char *csv, int64_t *rows, int *columns,
                                               TmlError *err);

/* Statistics of a run as one JSON object. status, message: how the run ended. sim NULL: none. */
TML_API TML_NODISCARD TmlStatus tml_write_summary(const char *path, const TmlModel *model,
                                                  const TmlSim *sim, TmlStatus status,
                                                  const char *message, TmlError *err);

/* --- dumps: a failed run as one file that another starts from -------------------------------- */

/* Write model text with includes, parameters, options and the last accepted state of a sim (past of
 * delays and memory of elements too) as JSON. Tables, libraries and texts that are not UTF-8 are
 * named by path and check sum. load: what the model was loaded with, NULL: nothing. message may be
 * NULL. TML_E_ARGUMENT: no file holds the model. */
TML_API TML_NODISCARD TmlStatus tml_dump_write(const char *path, const TmlSim *sim,
                                               const TmlLoadOptions *load, const char *message,
                                               TmlError *err);
TML_API bool tml_is_dump(const char *path); /* by what the file begins with */
/* The model, and a sim at the state of the dump, by the method in use then, which starts afresh.
 * What options give counts instead of what the dump says (NULL: nothing). The caller frees both.
 *   TML_E_MODEL  the dump is damaged, or a file that it names has changed */
TML_API TML_NODISCARD TmlStatus tml_dump_open(const char *path, const TmlSimOptions *options,
                                              TmlModel **model, TmlSim **sim, TmlError *err);
/* The same of a run with user-written routines. Opening a library runs its code, and a dump may
 * come from anybody: the library is the one given here, and must be what that of the dump was
 * (check sum). tml_dump_open gives none: a dump that names one is refused. */
TML_API TML_NODISCARD TmlStatus tml_dump_open_with(const char *path, const char *user_library,
                                                   const TmlSimOptions *options, TmlModel **model,
                                                   TmlSim **sim, TmlError *err);

/* Counts, degrees of freedom, redundancies and notes as text for people (trammel check).
 * The caller frees the text with tml_text_free. */
TML_API TML_NODISCARD TmlStatus tml_describe(const TmlModel *model, const TmlSim *sim, char **out,
                                             TmlError *err);
/* Text on an element type, section, function or integrator; topic NULL: the list of topics. */
TML_API TML_NODISCARD TmlStatus tml_help(const char *topic, char **out, TmlError *err);
/* JSON schema of the model format. */
TML_API TML_NODISCARD TmlStatus tml_schema(char **out, TmlError *err);
/* JSON schema of descriptions of finite-element parts. */
TML_API TML_NODISCARD TmlStatus tml_schema_part(char **out, TmlError *err);
TML_API void tml_text_free(char *text);

#ifdef __cplusplus
}
#endif
