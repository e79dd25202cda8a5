/* model/read/read.h - turning a tree of values into a model.
 *
 * A reader belongs to a model from its creation to tml_model_finish. It reads one or several
 * trees; whatever needs names that may come later (expressions of the state, initial lengths) is
 * kept as pending work and done by tml_reader_finish. Errors are collected, never the first only:
 * an entry that is wrong is reported, marked, and its name stays known, so that no errors follow
 * from errors.
 */
#pragma once

#include "base/names.h"
#include "expr/dimension.h"
#include "model/model.h"
#include "model/read/sections.h"

struct TmlTir;
struct TmlRailProfile;
struct TmlTrack;
struct TmlRoad;

typedef struct TmlReader TmlReader;

/* A loop variable and those around it; immutable, so that entries can be read later. */
typedef struct TmlScope {
    const struct TmlScope *outer;
    const char *name;
    const char *word; /* NULL: a number */
    double value;
} TmlScope;

/* One named entry of a section, or a whole section (name NULL). */
typedef struct TmlEntry {
    TmlReader *r;
    const char *kind, *name; /* "body", "rod1" */
    const TmlScope *scope;
    const TmlValue *value, *key;
    bool bad; /* an error was reported */
} TmlEntry;

typedef enum TmlParamState {
    TML_PARAM_NEW,
    TML_PARAM_BUSY,
    TML_PARAM_DONE,
    TML_PARAM_FAILED
} TmlParamState;

typedef struct TmlParamDef {
    const char *name;
    const TmlValue *value;
    double result;
    TmlParamState state;
    TmlDimension dim;
    bool moves; /* it takes the place of time, or follows from the one that does */
    bool given; /* its value comes from outside, not from the model */
} TmlParamDef;

/* An expression to be bound when all names are known. */
typedef enum TmlTarget {
    TML_TARGET_SLOT,
    TML_TARGET_VARIABLE,
    TML_TARGET_STATE,
    TML_TARGET_CHANNEL,
    TML_TARGET_PROBE,
} TmlTarget;

typedef struct TmlPending {
    TmlTarget target;
    int index;          /* variable, state, channel */
    TmlBinding **slot;  /* TML_TARGET_SLOT */
    const TmlValue *at; /* as written; text: with loop variables replaced */
    const char *text, *where;
    const char *owner;       /* name of the entry that it belongs to */
    const char *what, *unit; /* key and unit that its value has; NULL: any */
    const TmlScope *scope;
    unsigned allowed;
} TmlPending;

/* Where the nodes of a flexible body start, whatever its entry says: n vectors, three numbers each. */
typedef struct TmlFoundShape {
    const char *name;
    int n;
    const double *vector;
} TmlFoundShape;

/* A joint or force that was declared; index: into the model's list. */
typedef struct TmlElement {
    TmlEntry x;
    int index;
} TmlElement;

struct TmlReader {
    TmlModel *m;
    TmlReport report;
    TmlReport warnings;
    bool nomem;
    bool has_units; /* a parameter has a dimension */
    TML_LIST(TmlParamDef) params;
    TmlNames param_names, channel_names;
    TML_LIST(int) busy; /* parameters being evaluated */
    int wanted;         /* one that is needed first, -1: none */
    TML_LIST(TmlPending) pending;
    int unbound; /* expressions that failed */
    TML_LIST(TmlBinding *) bound;
    TML_LIST(TmlFoundShape) found;
    TML_LIST(TmlElement) joints, forces;
    TML_LIST(const TmlValue *) contacts; /* sections, to be read in the end */
    int joints_read, forces_read;        /* how many are complete */
    int64_t repeats;                     /* entries made by `for` so far */
    TmlNames seen;                       /* places reported inside loops */
    TmlNames broken;                     /* names of entries with errors */
};

TmlReader *tml_reader_create(TmlModel *m); /* NULL: out of memory */
void tml_reader_free(TmlReader *r);

/* Parameters that are given other values from outside: numbers, or texts of numbers with units and
 * of expressions (texts, or an entry of it, NULL: the number). */
typedef struct TmlOverrides {
    int n;
    const char *const *names;
    const double *values;
    const char *const *texts;
} TmlOverrides;

/* Read one document. Errors go to r->report. whole: the document must state its version. given may
 * be NULL. */
void tml_reader_document(TmlReader *r, const TmlValue *root, bool whole, const TmlOverrides *given);

/* Implicit states that are algebraic become variables; rates of variables (read_implicit.c). */
void tml_read_implicit(TmlReader *r);

/* Do the pending work and close the model; all errors so far are in the message. */
TML_NODISCARD TmlStatus tml_reader_finish(TmlReader *r, TmlError *err);

/* --- memory and messages --------------------------------------------------------------------- */

/* From the model's arena; NULL also marks the reader as out of memory. */
void *tml_reader_alloc(TmlReader *r, size_t n, size_t size);
char *tml_reader_printf(TmlReader *r, const char *fmt, ...) TML_PRINTF(2, 3);

/* Report an error of the entry; `at` NULL: at the entry itself. */
void tml_entry_error(TmlEntry *x, const TmlValue *at, const char *fmt, ...) TML_PRINTF(3, 4);
/* The same of something that is most likely wrong, or does harm; the entry stays good. */
void tml_entry_warning(TmlEntry *x, const TmlValue *at, const char *fmt, ...) TML_PRINTF(3, 4);
/* "WHAT: expected EXPECTED, got ..." */
void tml_entry_expected(TmlEntry *x, const TmlValue *at, const char *what, const char *expected);
/* "unknown KIND 'WORD'; did you mean 'NEAR'?" with candidates. */
void tml_entry_unknown(TmlEntry *x, const TmlValue *at, const char *kind, const char *word,
                       const char *const *candidates, int n);
/* The same with the names of a list of the model. names come first in every item. */
void tml_entry_unknown_name(TmlEntry *x, const TmlValue *at, const char *kind, const char *word,
                            const void *list, int n, size_t stride);
/* Report a failure of expr or binding: its caret becomes the column. text: what was compiled. */
void tml_entry_expr_error(TmlEntry *x, const TmlValue *at, const char *what, const char *text,
                          const TmlError *err);

/* --- scalars and vectors (read_value.c) ------------------------------------------------------ */
/* All return false after reporting an error. what: the key, for messages. */

const char *tml_read_text(TmlEntry *x, const TmlValue *v, const char *what);
bool tml_read_number(TmlEntry *x, const TmlValue *v, const char *what, double *out);
bool tml_read_ranged(TmlEntry *x, const TmlValue *v, const char *what, TmlRange range,
                     const char *unit, double *out);
bool tml_read_int(TmlEntry *x, const TmlValue *v, const char *what, int *out);
bool tml_read_bool(TmlEntry *x, const TmlValue *v, const char *what, bool *out);
bool tml_read_vec3(TmlEntry *x, const TmlValue *v, const char *what, TmlVec3 *out);
bool tml_read_direction(TmlEntry *x, const TmlValue *v, const char *what, TmlVec3 *out);
bool tml_read_reals(TmlEntry *x, const TmlValue *v, const char *what, TmlReals *out);
/* choices: words separated by |; out: index. */
bool tml_read_choice(TmlEntry *x, const TmlValue *v, const char *what, const char *choices,
                     int *out);
/* A list of exactly n numbers. expected: "a list of three numbers". */
bool tml_read_numbers(TmlEntry *x, const TmlValue *v, const char *what, int n, const char *expected,
                      double *out);
/* Every key of the map is in one of the lists (params may be NULL), else an error. */
void tml_read_keys(TmlEntry *x, const TmlValue *map, const TmlKey *a, const TmlKey *b,
                   const TmlParam *params);
bool tml_read_is_map(TmlEntry *x, const TmlValue *v, const char *what);

/* --- text and loops (read_for.c, read_params.c) ---------------------------------------------- */

/* {expr} replaced by values. NULL after reporting. */
const char *tml_read_substitute(TmlEntry *x, const TmlValue *at, const char *text);
/* Loop variables replaced by their values in an expression of the state. */
const char *tml_read_bind_scope(TmlEntry *x, const char *text);
/* Value of an expression of parameters and loop variables. */
bool tml_read_constant(TmlEntry *x, const TmlValue *at, const char *what, const char *text,
                       double *out);
/* Whether it is one, without a message. */
bool tml_read_is_constant(TmlEntry *x, const char *text, double *out);
/* A parameter that exists; for words of `for` lists. */
bool tml_reader_has_parameter(const TmlReader *r, const char *name);
/* Inputs; root: where an input that was given from outside and is not there is told. */
void tml_read_inputs(TmlReader *r, const TmlValue *root, const TmlValue *section);
/* The table of an input: in its map, or in a file that was named from outside. NULL: wrong, and told. */
struct TmlSpline *tml_read_input_table(TmlEntry *x, const TmlValue *map);
struct TmlSpline *tml_read_table_file(TmlEntry *x, const char *path);
void tml_read_parameters(TmlReader *r, const TmlValue *section, const TmlOverrides *given);
/* Its dimension; false: it is no such expression. */
bool tml_read_dimension(TmlEntry *x, const char *text, TmlDimension *out);

/* --- units (read_units.c) -------------------------------------------------------------------- */

/* Values under a key or parameter that carry units have the dimension of the table. */
void tml_check_key(TmlEntry *x, const TmlValue *v, const TmlKey *key);
void tml_check_param(TmlEntry *x, const TmlValue *v, const TmlParam *param);
/* A list of values, possibly nested. */
void tml_check_units(TmlEntry *x, const TmlValue *v, const char *what, const char *unit);
void tml_check_dimension(TmlEntry *x, const TmlValue *at, const char *what, const char *unit,
                         TmlDimension dim);

/* Calls `read` for every entry of a named section, `for` keys repeated. */
typedef void (*TmlEntryFn)(TmlEntry *x, void *arg);
void tml_read_entries(TmlReader *r, const TmlValue *section, const char *kind,
                      const TmlScope *scope, TmlEntryFn read, void *arg);
/* The parameter to follow exists; reports. */
void tml_check_followed(TmlReader *r);

/* Whether a bare name (parameter, variable, state) is an identifier and free; reports. */
bool tml_read_bare_name(TmlEntry *x, const TmlValue *at, const char *name);

/* --- parts ----------------------------------------------------------------------------------- */

bool tml_read_rotation(TmlEntry *x, const TmlValue *v, const char *what, TmlMat33 *out);
/* Inertia of a rigid body about its centre of mass in body axes. */
/* Hooks of the types of bodies. */
void tml_read_rigid(TmlEntry *x, TmlBody *body);
void tml_read_point(TmlEntry *x, TmlBody *body);
bool tml_read_inertia(TmlEntry *x, double mass, TmlVec3 cm, TmlMat33 *J);
/* One shape or a list, for the body of that number. cm: its centre of mass, from the user's origin. */
void tml_read_shapes(TmlEntry *x, const TmlValue *v, int index, TmlVec3 cm);
/* The type prepares it, unless that is done; reports. */
bool tml_read_finish_shape(TmlEntry *x, TmlBodyShape *shape);
void tml_read_bodies(TmlReader *r, const TmlValue *section);
void tml_read_frames(TmlReader *r, const TmlValue *section);
void tml_read_modal(TmlReader *r, const TmlValue *section);
/* The frame of a modal body that is nearest to a global place, with the offset from there. */
TmlEnd tml_modal_end(const TmlModel *m, int modal, TmlVec3 r, const TmlMat33 *A_f);
/* Initial state of a body's centre of mass, at body->cm, from that of the origin. */
void tml_read_state(TmlEntry *x, TmlBody *body);
/* A frame with its full name; one that is there already is reported. */
void tml_add_frame(TmlEntry *x, const TmlValue *at, const char *name, TmlEnd end);
void tml_read_flexible(TmlReader *r, const TmlValue *section);
void tml_read_catenaries(TmlReader *r, const TmlValue *section);
void tml_read_splines(TmlReader *r, const TmlValue *section);
void tml_read_paths(TmlReader *r, const TmlValue *section);
bool tml_read_path_ref(TmlEntry *x, const TmlValue *v, const char *what, const TmlPath **out);
void tml_read_roads(TmlReader *r, const TmlValue *section);
bool tml_read_road_ref(TmlEntry *x, const TmlValue *v, const char *what,
                       const struct TmlRoad **out);
/* Cross sections of wheels and rails, and tracks. */
void tml_read_profiles(TmlReader *r, const TmlValue *section);
void tml_read_tracks(TmlReader *r, const TmlValue *section);
bool tml_read_profile_ref(TmlEntry *x, const TmlValue *v, const char *what,
                          const struct TmlRailProfile **out);
bool tml_read_track_ref(TmlEntry *x, const TmlValue *v, const char *what,
                        const struct TmlTrack **out);
/* A tyre property file, by its name relative to the file that names it. */
bool tml_read_tir_ref(TmlEntry *x, const TmlValue *v, const char *what, const struct TmlTir **out);
bool tml_read_spline_ref(TmlEntry *x, const TmlValue *v, const char *what, const TmlSpline **out);
/* What a type of joint says to the reader beyond its parameters; each may be NULL. */
typedef struct TmlJointReading {
    /* Makes the ends that the equations see of the two that were read. */
    void (*ends)(TmlEntry *x, TmlConstraint *c);
    /* Completes the data when the expressions are bound. */
    TmlStatus (*complete)(TmlModel *m, void *data, TmlError *err);
    /* The joint is a wheel on a rail: its data are a TmlRailWheel (model/wheel/rail/rail_wheel.h). */
    bool on_rail;
} TmlJointReading;

/* What only built-in types of forces may do while they are read. */
typedef struct TmlForceReading {
    /* Makes the ends, and completes the data that the model tells. */
    void (*ends)(TmlEntry *x, TmlForce *f);
} TmlForceReading;

void tml_read_joints(TmlReader *r, const TmlValue *section);
void tml_read_forces(TmlReader *r, const TmlValue *section);
void tml_read_signals(TmlReader *r, const TmlValue *root); /* variables, states, outputs */
void tml_read_delays(TmlReader *r, const TmlValue *section);
void tml_read_systems(TmlReader *r, const TmlValue *section);
void tml_read_events(TmlReader *r, const TmlValue *section);
/* Shapes of ground; what surfaces are made of; shapes in contact, and by which law: when all documents
 * are there. Then what only all of them together tell: pairs without an entry, with two, ... */
void tml_read_ground(TmlReader *r, const TmlValue *section);
void tml_read_materials(TmlReader *r, const TmlValue *section);
void tml_read_contacts(TmlReader *r);
/* Stations of flexible bodies as shapes, before entries of `contacts` name them; those that are named get their points. */
void tml_read_stations(TmlReader *r);
void tml_place_stations(TmlReader *r);
/* Reports flexible bodies that an entry names, and that cannot touch in the way it says; before shapes leave the list. */
void tml_check_stations(TmlReader *r);
void tml_check_contacts(TmlReader *r);
void tml_read_simulate(TmlReader *r, const TmlValue *section);

/* Fill `data` from the entry's map by the table. allowed: leaves of its expressions. */
void tml_read_table(TmlEntry *x, const TmlParam *params, unsigned allowed, void *data);
/* The ends of an element whose kind does not depend on other elements. */
bool tml_read_ends(TmlEntry *x, TmlEndsKind kind, TmlEnd **end, int *n_ends);
/* A frame by name or in place. */
bool tml_read_frame_ref(TmlEntry *x, const TmlValue *v, const char *what, TmlEnd *out);
bool tml_read_body_ref(TmlEntry *x, const TmlValue *v, const char *what, int *out);
/* Frame of a body that is now at a global place. */
TmlEnd tml_end_at(TmlModel *m, int body, TmlVec3 r, const TmlMat33 *A);
/* An error for a joint that needs the spin of an element without it; all else is in order. */
void tml_check_spin(TmlElement *element);

/* Keep an expression for tml_reader_finish. */
void tml_read_expression(TmlEntry *x, const TmlValue *v, const char *what, TmlPending pending);
/* The same for a text that the reader of an entry has made itself; NULL: out of memory. */
void tml_read_made(TmlEntry *x, TmlTarget target, int index, const char *text);
