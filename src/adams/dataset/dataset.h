/* adams/dataset/dataset.h - a dataset whose statements know each other, and the model being made of it.
 *
 * Numbers of a dataset are in its own units. Constants are converted to SI when they are written
 * into the model; expressions keep the units of the dataset: every function of the motion is
 * divided by its unit, and the result of the expression is multiplied with the unit of its use.
 */
#pragma once

#include "adams/commands/commands.h"
#include "base/names.h"
#include "model/model.h"
#include "trammel/model.h"
#include "trammel/types.h"

enum { TML_ADM_MODE_STATICS = 5 }; /* of MODE */

/* A rigid motion: x becomes R x + d. */
typedef struct TmlAdmMove {
    TmlMat33 R;
    TmlVec3 d;
} TmlAdmMove;

typedef struct TmlAdmItem {
    const TmlAdmStatement *s;
    const TmlAdmSyntax *syntax;
    TmlAdmArg *args;
    int n_args;
    const char *id;            /* without leading zeros */
    const char *name;          /* in the model, in its section */
    const char *path;          /* MARKER: as expressions and joints write it */
    TmlValue *value;           /* its entry in the model; NULL: none yet */
    struct TmlAdmItem *behind; /* the body that it stands behind; NULL: none that is read */
    bool flipped;              /* joints: the last end is J, not I */
    bool written;              /* it is in the model */
    bool failed;               /* an error was reported, or it is not supported */
    bool inactive;             /* taken away by a command: not in the model, and does nothing */
    const char *second;     /* GCON: path of the frame that its reaction acts on; NULL: unknown */
    const TmlAdmMove *move; /* PART: by initial conditions of joints; NULL: stands as it says */
    bool held;              /* PART: a joint of it has initial conditions */
    int n_curves;           /* SPLINE: of a family over z, else 0 */
    double *curve_z;        /* n_curves */
    bool history;           /* SPLINE: of a file of a test rig */
    struct TmlAdmRoutine *routine;    /* user-written; NULL: none, or not asked for yet */
    bool listed;                      /* in a list that is being made */
    bool is_output;                   /* VARIABLE: it has a column, by a POUTPUT */
    const char *driven;               /* VARIABLE: value from outside; NULL: its FUNCTION */
    struct TmlAdmFe *fe;              /* FE_PART: its nodes, when it was asked for them */
    struct TmlAdmFlex *flex;          /* FLEX_BODY: its part; NULL: none was named */
    struct sAdamsGSE *gse;            /* GSE: its sizes; NULL: another statement */
    struct TmlAdmItem *carrier;       /* GRAPHICS: the part that has it; NULL: not known yet */
    const char *shape;                /* GRAPHICS: our type of shape; NULL: none yet */
    bool absent;                      /* GRAPHICS of a contact, whose file is not read */
    const char *mesh;                 /* GRAPHICS: file that stands for it; NULL: none was given */
    bool substitute;                  /* GRAPHICS: its shape is that of absent_solids.c */
    struct TmlAdmItem *opposite;      /* GRAPHICS: the first that a CONTACT lets it touch; NULL */
    bool in_plane;                    /* GRAPHICS: it touches curves, circles or points */
    bool inside_out;                  /* GRAPHICS: others touch it from within */
    int free_side;                    /* CURVE, open: 1 the left is free, -1 the right; 0 closed */
    struct TmlAdmItem *first_pair[2]; /* CONTACT: the first two shapes, one a substitute; NULL */
} TmlAdmItem;

/* A place of a beam that the expressions of a load are written for. */
typedef struct TmlAdmSpot {
    double s;          /* from 0 to 1 along it */
    const char *frame; /* there; NULL: for all places at once, s is written as a name */
} TmlAdmSpot;

/* A user-written routine that is asked for where there is no library. */
typedef struct TmlAdmMissing {
    const char *name;
    TmlValue place;
    const TmlAdmItem *item;
} TmlAdmMissing;

/* What becomes of contacts with solids whose geometry is not read. */
typedef enum TmlAdmSolids {
    TML_ADM_SOLIDS_REFUSED, /* an error */
    TML_ADM_SOLIDS_NONE,    /* they are left out */
    TML_ADM_SOLIDS_ELLIPSOID,
    TML_ADM_SOLIDS_BOX /* a homogeneous body of this shape stands for the part */
} TmlAdmSolids;

typedef struct TmlAdm {
    TmlArena *arena;
    TmlReport *report, *notes;
    TmlReport warnings; /* the model is not that of the dataset */
    TmlAdmSolids solids;
    const char *file;
    int mode;                      /* of the analysis, as MODE tells it */
    bool for_file;                 /* the model is written to a file, which holds no routines */
    TmlModel *model;               /* that user-written routines are registered with; NULL: none */
    struct TmlAdmLibrary *library; /* NULL: none was named */
    TmlAdmSource source;
    const TmlAdmCommand *commands; /* that change it; NULL: none */
    int n_commands;
    int n;
    TmlAdmItem *item;                 /* n */
    TmlNames ids, names;              /* "PART/2"; "joints hinge" */
    TmlAdmItem *last_body;            /* PART or POINT_MASS while statements are entered */
    int *acting_start, *acting;       /* acting.c: n + 1, and its last entry; NULL: not asked yet */
    bool velocities_open;             /* some part leaves its velocity open */
    double mass, length, force, time; /* SI values of the units */
    bool yaw;                         /* requests: YAW, PITCH, ROLL instead of PSI, THETA, PHI */
    double scale[4][2];               /* of D, V, A, F requests: linear, angular */
    const TmlAdmSpot *spot;           /* FE_LOAD, while it is written; NULL: not along a beam */
    const struct TmlAdmMode
        *flex_mode; /* that CRATIO is worked out for; NULL: another expression */
    TmlValue *root, *bodies, *modal, *flexible, *frames, *joints, *forces, *variables, *states,
        *splines, *systems, *paths, *events, *delays, *contacts, *outputs;
    bool partners_known;   /* partners.c has looked at all CONTACTs */
    TmlAdmItem *absent_in; /* the first CONTACT with geometry that is not read; NULL: none */
    TML_LIST(TmlAdmMissing) missing;
    bool nomem;
} TmlAdm;

/* Text that grows. */
typedef struct TmlAdmText {
    void *at;
    int n, cap;
    bool nomem;
} TmlAdmText;

void tml_adm_write(TmlAdmText *text, const char *fmt, ...) TML_PRINTF(2, 3);
/* A number as text that reads back as the same number. */
const char *tml_adm_digits(TmlAdm *adm, double value);
const char *tml_adm_take(TmlAdm *adm, TmlAdmText *text); /* into the arena; frees the text */

/* The whole path of a file that an option names: options are seen from the folder of the caller, models from that of the dataset. */
const char *tml_adm_whole_path(TmlAdm *adm, const char *path);

/* --- statements ------------------------------------------------------------------------------- */

/* Read the statements, their ids and their names. */
TML_NODISCARD TmlStatus tml_adm_read(TmlAdm *adm, const char *text, size_t length, TmlError *err);
void tml_adm_free(TmlAdm *adm);
/* One statement that is not entered yet; out->syntax NULL: unknown, and reported. */
TML_NODISCARD TmlStatus tml_adm_read_item(TmlAdm *adm, const TmlAdmStatement *s, TmlAdmItem *out,
                                          TmlError *err);
void tml_adm_add_item(TmlAdm *adm, const TmlAdmItem *item);
/* What commands change: arguments, and which elements are active. */
TML_NODISCARD TmlStatus tml_adm_amend(TmlAdm *adm, TmlError *err);
/* The next number in a text that may be an identifier: one that stands between commas, blanks and
 * parentheses. *at: behind it; false: no more. */
bool tml_adm_next_id(TmlAdmSlice text, int *at, TmlAdmSlice *id);
/* Is an identifier among those? */
bool tml_adm_mentions(TmlAdmSlice text, const char *id);
/* The next statement that an argument names, alone or in a list; *found NULL: it is not there.
 * *at: 0 at first; false: no more. */
bool tml_adm_next_ref(TmlAdm *adm, const TmlAdmArg *arg, const char *keyword, int *at,
                      TmlAdmItem **found);

const TmlAdmArg *tml_adm_arg(const TmlAdmItem *item, const char *name); /* NULL: not there */
bool tml_adm_has(const TmlAdmItem *item, const char *name);
/* A statement by keyword and id, NULL: none. */
TmlAdmItem *tml_adm_find(const TmlAdm *adm, const char *keyword, const char *id);
/* The statement that an argument names; reports when there is none. NULL also when not given. */
TmlAdmItem *tml_adm_ref(TmlAdm *adm, TmlAdmItem *item, const char *arg, const char *keyword);
/* The same for an argument that must be there. */
TmlAdmItem *tml_adm_need(TmlAdm *adm, TmlAdmItem *item, const char *arg, const char *keyword);
/* Both markers of a statement, I and J; false: reported. */
bool tml_adm_need_ends(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem **i, TmlAdmItem **j);
/* Identifier without leading zeros and blanks. */
const char *tml_adm_id(TmlAdm *adm, TmlAdmSlice slice);

/* Numbers of an argument, angles in radians: between min and max of them. 0: not given or wrong. */
int tml_adm_reals(TmlAdm *adm, TmlAdmItem *item, const char *arg, int min, int max, double *out);
double tml_adm_real(TmlAdm *adm, TmlAdmItem *item, const char *arg, double standard);
/* The same of one of several arguments that have the same name. */
int tml_adm_arg_reals(TmlAdm *adm, TmlAdmItem *item, const TmlAdmArg *arg, int min, int max,
                      double *out);

/* Messages; slice.of NULL: about the statement as a whole. */
void tml_adm_error(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice at, const char *fmt, ...)
    TML_PRINTF(4, 5);
void tml_adm_note(TmlAdm *adm, const TmlAdmItem *item, TmlAdmSlice at, const char *fmt, ...)
    TML_PRINTF(4, 5);
/* What stands in the model for something that could not be read. */
void tml_adm_warn(TmlAdm *adm, const TmlAdmItem *item, const char *fmt, ...) TML_PRINTF(3, 4);
TmlAdmSlice tml_adm_whole(const TmlAdmItem *item);

/* --- values with places ----------------------------------------------------------------------- */

TmlValue *tml_adm_scalar(TmlAdm *adm, TmlAdmSlice at, const char *text);
TmlValue *tml_adm_number(TmlAdm *adm, TmlAdmSlice at, double value);
TmlValue *tml_adm_numbers(TmlAdm *adm, TmlAdmSlice at, int n, const double *value);
TmlValue *tml_adm_angles(TmlAdm *adm, TmlAdmSlice at, const double value[3]); /* rad */
TmlValue *tml_adm_vec3(TmlAdm *adm, TmlAdmSlice at, TmlVec3 v);
/* A vector that was turned from other axes: rounding of that is left out. */
TmlValue *tml_adm_turned(TmlAdm *adm, TmlAdmSlice at, TmlVec3 v);
TmlValue *tml_adm_pair(TmlAdm *adm, TmlAdmSlice at, const char *first, const char *second);
TmlValue *tml_adm_list(TmlAdm *adm, TmlAdmSlice at, int n, TmlValue *const *items);
TmlValue *tml_adm_map(TmlAdm *adm, TmlAdmSlice at);
void tml_adm_set(TmlAdm *adm, TmlValue *map, const char *key, TmlValue *value);
/* An entry of a section under the name of the statement. */
void tml_adm_enter(TmlAdm *adm, TmlValue *section, TmlAdmItem *item, TmlValue *value);

/* --- frames ----------------------------------------------------------------------------------- */

/* Place of a MARKER on its part, or of a PART on ground; metres. */
bool tml_adm_frame(TmlAdm *adm, TmlAdmItem *item, TmlVec3 *r, TmlMat33 *A);
/* A marker in global axes at the start. */
bool tml_adm_global(TmlAdm *adm, TmlAdmItem *marker, TmlVec3 *r, TmlMat33 *A);
/* PART, POINT_MASS, FE_PART or FLEX_BODY; NULL: error */
TmlAdmItem *tml_adm_owner(TmlAdm *adm, TmlAdmItem *marker);
bool tml_adm_is_ground(const TmlAdmItem *part);
const char *tml_adm_body_name(const TmlAdmItem *part); /* "ground" or its name */
/* The frame that moves as what carries a marker, floating or not: a body, or a node of a beam. */
const char *tml_adm_carrier(TmlAdm *adm, TmlAdmItem *marker);
TmlMat33 tml_adm_euler(const double a[3]); /* body-fixed 3-1-3, rad */
TmlVec3 tml_adm_tidy(TmlVec3 v);           /* without what products of rotations leave */
/* A rotation by two of its axes. */
TmlValue *tml_adm_axes(TmlAdm *adm, TmlAdmSlice at, const TmlMat33 *A);

/* --- translation ------------------------------------------------------------------------------ */

void tml_adm_units(TmlAdm *adm);
void tml_adm_gravity(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_part(TmlAdm *adm, TmlAdmItem *item);
/* Mass, centre and inertia about it in the axes of a PART, SI; false: it has no centre or inertia. */
bool tml_adm_inertia(TmlAdm *adm, TmlAdmItem *part, double *mass, TmlVec3 *c, TmlMat33 *J);
/* Does some moving part leave its velocity open? Then the given ones must not be shared out. */
bool tml_adm_velocities_open(const TmlAdm *adm);
void tml_adm_marker(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_fe_part(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_fe_marker(TmlAdm *adm, TmlAdmItem *marker, TmlAdmItem *part);
void tml_adm_fe_load(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_mforce(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_flex_body(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_flex_marker(TmlAdm *adm, TmlAdmItem *marker, TmlAdmItem *body);
/* Parts of FLEX_BODYs that the caller names, before anything is written. */
struct TmlAdamsOptions;
void tml_adm_flexes(TmlAdm *adm, const struct TmlAdamsOptions *options);
/* Place of a body, m, as it is written or moved; what assembly must not change of it. */
void tml_adm_set_place(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, TmlVec3 r, const TmlMat33 *A);
void tml_adm_set_locked(TmlAdm *adm, TmlAdmItem *item, TmlValue *v);
/* Three arguments as a vector in the axes of a marker, or of `standard`, global; is one given? */
bool tml_adm_rates(TmlAdm *adm, TmlAdmItem *item, const char *const names[3], const char *marker,
                   const TmlMat33 *standard, const TmlMat33 *A_part, TmlVec3 *out);
void tml_adm_joint(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_jprim(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_motion(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_gcon(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_coupler(TmlAdm *adm, TmlAdmItem *item);

/* A joint of a coupler, NULL after an error, and which of its coordinates is meant: *type is at its
 * letter of TYPE = T:R:R and moves behind it, NULL: by the joint. */
TmlAdmItem *tml_adm_coupled_joint(TmlAdm *adm, TmlAdmItem *item, double id, const char **type,
                                  bool *slides);
void tml_adm_gear(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_sforce(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_springdamper(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_vector_force(TmlAdm *adm, TmlAdmItem *item);
bool tml_adm_component(const TmlAdmItem *item, char kind); /* has it forces 'F', torques 'T'? */
void tml_adm_bushing(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_field(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_beam(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_nforce(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_friction(TmlAdm *adm, TmlAdmItem *item);
/* Friction that a JOINT asks for itself, when the joint is written. */
void tml_adm_old_friction(TmlAdm *adm, TmlAdmItem *joint);
/* The shape of a GRAPHICS as {type: keys}, its value; false: reported, or absent. */
bool tml_adm_shape(TmlAdm *adm, TmlAdmItem *graphics);
const char *tml_adm_shape_kind(const TmlAdmItem *graphics); /* "BOX" */
/* partners.c: what touches what, before shapes are made. */
void tml_adm_partners(TmlAdm *adm);
/* translate_profiles.c: whether another GRAPHICS stands on the free side of an open curve at the start; of others true. */
bool tml_adm_on_free_side(TmlAdm *adm, TmlAdmItem *graphics, TmlAdmItem *other);
/* The same geometry as another type of shape, with the same keys. */
void tml_adm_shape_as(TmlAdm *adm, TmlAdmItem *graphics, const char *type);
/* How a shape touches in points, for laws of Adams give forces of points: "corners" of boxes and hulls, "feet" of what
 * lies on a plane. */
void tml_adm_shape_points(TmlAdm *adm, TmlAdmItem *graphics, const char *which);
/* Shapes of all parts, when contacts are written; tells of geometry that contacts lack. */
void tml_adm_shapes(TmlAdm *adm);
void tml_adm_contact(TmlAdm *adm, TmlAdmItem *item);
/* absent_solids.c: what the caller gives for solids; contacts that are left out, told with what stands for others, before
 * anything is written; a substitute as keys of a shape, its type, NULL: none; the GRAPHICS whose shape it is. */
struct TmlAdamsOptions;
void tml_adm_solids(TmlAdm *adm, const struct TmlAdamsOptions *options);
void tml_adm_leave_out(TmlAdm *adm);
const char *tml_adm_substitute(TmlAdm *adm, TmlAdmItem *graphics, TmlValue *keys);
TmlAdmItem *tml_adm_stand_in(TmlAdm *adm, TmlAdmItem *graphics);
void tml_adm_variable(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_diff(TmlAdm *adm, TmlAdmItem *item);
bool tml_adm_is_held(const TmlAdm *adm, const TmlAdmItem *item); /* STATIC_HOLD, in statics */
void tml_adm_spline(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_curve(TmlAdm *adm, TmlAdmItem *item);
/* Points of the MATRIX of a CURVE, n of them, SI; a last one that repeats the first of a closed curve is left out. NULL:
 * reported. */
TmlVec3 *tml_adm_curve_points(TmlAdm *adm, TmlAdmItem *curve, int *n);
void tml_adm_ptcv(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_cvcv(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_sensor(TmlAdm *adm, TmlAdmItem *item);
/* The state that holds what a SENSOR evaluates. */
const char *tml_adm_sensor_value(TmlAdm *adm, const TmlAdmItem *sensor);
void tml_adm_lse(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_tfsiso(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_request(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_output(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_mrequest(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_integrator(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_pinput(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_poutput(TmlAdm *adm, TmlAdmItem *item);
/* Variables of PINPUTs that the caller drives. */
void tml_adm_inputs(TmlAdm *adm, const struct TmlAdamsOptions *options);

/* --- tables ----------------------------------------------------------------------------------- */

/* A MATRIX by rows, from the arena; NULL: reported. */
double *tml_adm_matrix(TmlAdm *adm, TmlAdmItem *item, int *rows, int *columns);
void tml_adm_check_matrix(TmlAdm *adm, TmlAdmItem *item);
/* The VARIABLE that is entry k >= 1 of an ARRAY, PINPUT or POUTPUT; NULL: none. */
TmlAdmItem *tml_adm_listed(TmlAdm *adm, TmlAdmItem *list, int k);
/* Entry k >= 1 of an ARRAY, PINPUT or POUTPUT as an expression; false: there is none. States and
 * outputs of the GSE, LSE or TFSISO that an array belongs to are variables and states named by
 * tml_adm_system_name, what: 'x' or 'y'. */
bool tml_adm_entry(TmlAdm *adm, TmlAdmText *out, TmlAdmItem *list, int k);
const char *tml_adm_system_name(TmlAdm *adm, const TmlAdmItem *owner, char what, int k);
int tml_adm_array_size(TmlAdm *adm, TmlAdmItem *array); /* 0: it does not say */
/* Curves of a SPLINE: 1, or those of a family over z; its value at expressions x and z. */
int tml_adm_curves(const TmlAdmItem *spline);
bool tml_adm_spline_value(TmlAdm *adm, TmlAdmText *out, const TmlAdmItem *spline,
                          const char *function, const char *x, const char *z, int order);

/* Initial displacements of joints move parts, before anything is written. */
void tml_adm_displace(TmlAdm *adm);
/* --- user-written routines -------------------------------------------------------------------- */

/* Result `index` of the routine of an element as an expression; at: USER(...). NULL: reported. */
const char *tml_adm_user(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice at, int index);
bool tml_adm_is_user(TmlAdmSlice function); /* is it USER(...)? */
/* The routine of a kind (TmlAdmRoutineKind) under a name, NULL the default: found, asked what it
 * needs, and added to those of the element. NULL: reported. */
void tml_adm_tell_missing(TmlAdm *adm); /* routines without a library, in one message */
struct TmlAdmRoutine *tml_adm_routine_make(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice at, int kind,
                                           int values, const char *name);
/* A result of it as a function, times a factor: its name; as an expression. NULL: reported. */
const char *tml_adm_routine_function(TmlAdm *adm, TmlAdmItem *item, struct TmlAdmRoutine *r,
                                     int index, double factor);
const char *tml_adm_routine_text(TmlAdm *adm, TmlAdmItem *item, struct TmlAdmRoutine *r, int index);
/* Name k of a list of routines, without that of a library; NULL: none. */
const char *tml_adm_routine_word(TmlAdm *adm, const TmlAdmItem *item, const char *argument, int k);
int tml_adm_number_of(const TmlAdmItem *item); /* 0: NULL */
/* user_facts.c: the structure that the routine is told, and how many arguments it is handed. */
void tml_adm_routine_facts(TmlAdm *adm, TmlAdmItem *item, struct TmlAdmRoutine *r);
void tml_adm_gse(TmlAdm *adm, TmlAdmItem *item);
void tml_adm_user_curve(TmlAdm *adm, TmlAdmItem *item); /* CURVE by CURSUB */
/* Numbers and texts that routines read; one curve of a SPLINE. */
void tml_adm_library_fill(TmlAdm *adm);
void tml_adm_library_curve(TmlAdm *adm, TmlAdmItem *item, int n, const double *x, const double *y);
/* A text as if it stood where the statement does. */
TmlAdmSlice tml_adm_text_slice(TmlAdm *adm, const TmlAdmItem *item, const char *text);

/* Initial velocities of joints, when all is written. */
void tml_adm_initial(TmlAdm *adm);

/* A function expression in our language, in the units of the dataset. NULL: reported. */
const char *tml_adm_expression(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice slice);
/* The same of a constraint: variables are written as their functions. */
const char *tml_adm_constraint(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice slice);
/* The components of an expression that is a vector. false: reported. */
bool tml_adm_vector(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice slice, const char *out[3]);
/* Component k >= 1 of an orientation of frame i against j, as ORIENT counts systems. false: there
 * is no such system or component. */
bool tml_adm_orient(TmlAdmText *out, int system, int k, const char *i, const char *j);
/* "(expression)*factor", or the expression alone when the factor is 1. */
const char *tml_adm_scaled(TmlAdm *adm, const char *expression, double factor);
/* An expression that a factor may follow: in parentheses unless it needs none. */
const char *tml_adm_factor(TmlAdm *adm, const char *expression);
/* Component 1..8 (fm, fx, fy, fz, tm, tx, ty, tz) of what an element does to its I marker (on_j:
 * its J marker) in the axes of a frame ("ground"), dataset units. false: reported. */
bool tml_adm_wrench(TmlAdm *adm, TmlAdmText *out, TmlAdmItem *user, TmlAdmSlice at,
                    TmlAdmItem *element, bool on_j, int component, const char *axes);
/* The same of all elements between two markers; j NULL: of all that act on i. */
bool tml_adm_between(TmlAdm *adm, TmlAdmText *out, TmlAdmItem *user, TmlAdmSlice at, TmlAdmItem *i,
                     TmlAdmItem *j, int component, const char *axes);
/* The same of an NFORCE on one of its markers; j: the part that is between i and j, NULL: all. */
bool tml_adm_nforce_wrench(TmlAdm *adm, TmlAdmText *out, TmlAdmItem *user, TmlAdmSlice at,
                           TmlAdmItem *element, const TmlAdmItem *i, const TmlAdmItem *j,
                           int component, const char *axes);
/* Does an NFORCE act on i, from j unless that is NULL? */
bool tml_adm_in_nforce(TmlAdm *adm, TmlAdmItem *element, const TmlAdmItem *i, const TmlAdmItem *j);
/* Forces and constraints that name a marker, in the order of the dataset: numbers of their items.
 * How many. */
int tml_adm_acting(TmlAdm *adm, const TmlAdmItem *marker, const int **list);
/* The markers of a joint or force; false: it has none. */
bool tml_adm_ends(TmlAdm *adm, TmlAdmItem *element, TmlAdmItem **i, TmlAdmItem **j);
