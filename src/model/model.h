/* model/model.h - the model: bodies, frames, constraints, forces, variables, states, outputs.
 *
 * Filled by tml_model_read (a tree of values) or tml_model_add, closed by tml_model_finish, which
 * resolves names, binds expressions, and checks; constant from then on.
 */
#pragma once

#include "base/names.h"
#include "expr/dimension.h"
#include "model/contact/bristle_states.h"
#include "model/contact/contact.h"
#include "model/path/path.h"
#include "model/read/value.h"
#include "trammel/element.h"
#include "trammel/model.h"

typedef struct TmlBinding TmlBinding;
typedef struct TmlSpline TmlSpline;
typedef struct TmlBodyType TmlBodyType;
typedef struct TmlFlexType TmlFlexType;
typedef struct TmlFlexData TmlFlexData;
typedef struct TmlVector TmlVector;
typedef struct TmlFlexPoint TmlFlexPoint;
typedef struct TmlFlexPlace TmlFlexPlace;
typedef struct TmlFlexLoad TmlFlexLoad;
typedef struct TmlModal TmlModal;
typedef struct TmlPart TmlPart;

enum { TML_GROUND = 0 }; /* index of the ground body */

/* A frame fixed to a body, in the body's own axes, from the body's coordinate origin (for a rigid
 * body its centre of mass). */
typedef struct TmlEnd {
    int body;
    TmlVec3 s_b;
    TmlMat33 A_b;
    int point; /* 0: of the body; else one more than the number of the point of a flexible body */
} TmlEnd;

/* A frame of the body itself. */
static inline TmlEnd tml_body_end(int body, TmlVec3 s_b, TmlMat33 A_b)
{
    return (TmlEnd){body, s_b, A_b, 0};
}

/* Bits of TmlBody.locked: initial values that assembly must not change. */
enum {
    TML_LOCK_X = 1,
    TML_LOCK_Y = 2,
    TML_LOCK_Z = 4,
    TML_LOCK_ROTATION = 8,
    TML_LOCK_POSITION = 15,
    TML_LOCK_VX = 16,
    TML_LOCK_VY = 32,
    TML_LOCK_VZ = 64,
    TML_LOCK_OMEGA = 128,
    TML_LOCK_VELOCITY = 240,
    TML_LOCK_WX = 256, /* of the angular velocity, global axes */
    TML_LOCK_WY = 512,
    TML_LOCK_WZ = 1024,
    TML_LOCK_HELD = 2048, /* others give way as far as they can */
};

typedef struct TmlBody {
    const char *name;
    const TmlBodyType *type;
    void *data;             /* laid out by type->info.params, completed by the reader */
    TmlVec3 cm;             /* centre of mass from the user's origin, body axes */
    TmlVec3 r0, v0, omega0; /* initial: centre of mass, its velocity, angular velocity (global) */
    TmlQuat p0;
    unsigned locked;
    const TmlValue *source; /* where it was written; NULL: made by a program */
    int shape0, n_shapes;   /* in TmlModel.looks */
    int owner;              /* of a hidden body: the body that stands for its flexible body */
} TmlBody;

/* Every body has the frames "rod1" (at its origin) and "rod1.cm"; ground has "ground". */
typedef struct TmlNamedFrame {
    const char *name; /* "rod1.tip" */
    TmlEnd end;
} TmlNamedFrame;

/* A flexible body. Node k of it has the vectors vector[k * type->vectors ...]. */
typedef struct TmlMesh {
    const char *name;
    const TmlFlexType *type;
    TmlFlexData *data;
    int body;       /* that stands for it */
    int flex0, n_x; /* first element; elements along the line, or along x of a patch */
    int n_y;        /* elements along y of a patch; 1 for lines */
    int n_nodes;
    bool listed; /* the file has its nodes: first and last ones of elements */
    int plane;   /* that it is kept in: 1 xy, 2 yz, 3 zx; 0: none */
    TmlVector *vector;
    double *xi; /* n_nodes: place of each node along a line, from 0 to 1; NULL for patches */
    const TmlFlexLoad *load; /* spread over it; NULL: none */
    const TmlValue *contact; /* how it touches, as it is written; NULL: as a matter of course */
    const TmlValue *source;
} TmlMesh;

/* One element of a mesh. */
typedef struct TmlFlex {
    int mesh;
    int node[4];             /* numbers of its nodes in the mesh */
    const TmlFlexData *data; /* that of the mesh, or its own */
    const void *table;
    double size[2]; /* m, at rest: along x, and along y of patches */
} TmlFlex;

typedef struct TmlConstraint {
    const char *name;
    const TmlConstraintType *type;
    void *data;
    int n_ends;
    TmlEnd *end;
    int turns; /* whole turns added to the initial angle */
    const TmlValue *source;
} TmlConstraint;

typedef struct TmlForce {
    const char *name;
    const TmlForceType *type;
    void *data;
    int n_ends;
    TmlEnd *end;
    int joint; /* whose ends it uses, -1: none */
    int n_f;
    const TmlBinding **f; /* n_f defining expressions */
    int state0;           /* first of the states that it owns */
    const TmlValue *source;
} TmlForce;

/* V: value = expression, or `implicit`: 0 = expression of V and all else. */
typedef struct TmlVariable {
    const char *name;
    const TmlBinding *binding;
    bool implicit;
    bool adjusted;  /* a constant that statics finds: 0 = expression there, and implicit */
    double initial; /* first guess; of an adjusted one its value without statics */
    const TmlValue *source;
} TmlVariable;

/* X: explicit `rate` (X' = rate) or `implicit` (0 = expression of X' and all else). */
typedef struct TmlUserState {
    const char *name;
    const TmlBinding *binding;
    bool implicit;
    double initial, initial_rate; /* the rate is a first guess */
    double scale;                 /* floor of the error weight; 0: chosen from the values */
    const TmlValue *source;
} TmlUserState;

/* An expression as it was some time ago: delay(NAME). */
typedef struct TmlDelay {
    const char *name;
    int value;            /* the variable that is delayed */
    int time;             /* the variable that tells by how much; -1: by `fixed` */
    double fixed;         /* s */
    TmlBinding **history; /* of time, before the start; NULL or to NULL: as at the start */
    const TmlValue *source;
} TmlDelay;

typedef struct TmlChannel {
    const char *name, *unit;
    const TmlBinding *binding;
} TmlChannel;

/* What happens when an expression reaches a value. */
typedef enum TmlCondition { TML_WHEN_EQUAL, TML_WHEN_ABOVE, TML_WHEN_BELOW } TmlCondition;

typedef struct TmlEventSet {
    int state, probe; /* a state, and the expression of its new value */
} TmlEventSet;

typedef struct TmlEvent {
    const char *name;
    int probe; /* the expression that it watches */
    TmlCondition condition;
    double value, error;
    bool angle;               /* the expression is an angle: whole turns do not count */
    bool stop, restart;       /* ends the run; starts the method afresh */
    bool row;                 /* writes an output row */
    bool halt;                /* ends the run, and others that would follow */
    bool at_start, silent;    /* may happen at the start; no note tells of it */
    double step, output_step; /* s, from then on; NAN: as before */
    int n_sets;
    TmlEventSet *set; /* n_sets */
    const TmlValue *source;
} TmlEvent;

/* A value that comes from outside: a state without a rate, or a variable by a table over time. */
typedef struct TmlInput {
    const char *name, *unit;
    int state, variable; /* -1: it is the other one */
} TmlInput;

/* What the caller gives an input instead: a number, or the file of a table. */
typedef struct TmlGivenInput {
    const char *name, *value;
    bool used;
} TmlGivenInput;

typedef struct TmlNamedSpline {
    const char *name;
    TmlSpline *spline;
} TmlNamedSpline;

typedef struct TmlNamedPath {
    const char *name;
    TmlPath *path;                         /* NULL: wrong, and told */
    TmlSpline *part[TML_TRACK_VECTORS][3]; /* over the parameter */
} TmlNamedPath;

typedef struct TmlNamedRoad {
    const char *name;
    const struct TmlRoad *road; /* NULL: wrong, and told */
} TmlNamedRoad;

typedef struct TmlNamedProfile {
    const char *name;
    const struct TmlRailProfile *profile; /* NULL: wrong, and told */
} TmlNamedProfile;

typedef struct TmlNamedTrack {
    const char *name;
    const struct TmlTrack *track; /* NULL: wrong, and told */
} TmlNamedTrack;

typedef struct TmlParameter {
    const char *name;
    double value;
    TmlDimension dim;
} TmlParameter;

/* Settings of a run as written under `simulate`; NAN or NULL: not given. */
typedef struct TmlRunSettings {
    double end, output_step, tolerance, first_step, min_step, max_step, length_scale, time_scale;
    const char *integrator;
    bool from_rest; /* the start is the static equilibrium beside the positions that are given */
    int n_options;
    const char **option_key, **option_value; /* integrator options, as text */
} TmlRunSettings;

#define TML_LIST(Type)                                                                             \
    struct {                                                                                       \
        int n, cap;                                                                                \
        Type *at;                                                                                  \
    }

/* A file of model text as it was read. */
typedef struct TmlSource {
    const char *path, *text;
} TmlSource;

/* A part from finite elements by its file. */
typedef struct TmlModelPart {
    const char *path;
    const TmlPart *part;
} TmlModelPart;

/* What statics finds of a model on its own: channels in their order, and of each flexible body the vectors of its nodes,
 * node by node, three numbers each. */
typedef struct TmlRestShape {
    int n_values, n_meshes;
    const double *value;
    const int *n; /* vectors of each */
    const double *const *vector;
} TmlRestShape;

struct TmlValue;

struct TmlModel {
    TmlArena arena;
    const char *title, *file, *text; /* text: the model as read, for results; may be NULL */
    TmlVec3 gravity;
    TmlBinding *gravity_at[3]; /* of a followed parameter; NULL: gravity is constant */
    TmlSpin spin;              /* of the frame that statics and linearisation use */
    TML_LIST(TmlBody) bodies;  /* 0 is ground */
    TML_LIST(TmlNamedFrame) frames;
    TML_LIST(TmlMesh) meshes;
    TML_LIST(TmlFlex) flexes;
    TML_LIST(TmlModal) modals;
    TML_LIST(TmlFlexPoint) points;
    TML_LIST(TmlFlexPlace) places;
    TML_LIST(TmlConstraint) constraints;
    TML_LIST(TmlForce) forces;
    TML_LIST(TmlBodyShape) looks;  /* all shapes, those of a body one after the other */
    TML_LIST(TmlBodyShape) shapes; /* those of them that an entry of `contacts` names */
    TML_LIST(TmlNamedMaterial) materials;
    TML_LIST(TmlContact) contacts;
    TML_LIST(TmlContactValue) contact_values; /* that expressions read */
    TML_LIST(TmlBristlePair) bristles;
    int n_neighbours; /* pairs of bodies that share a joint, sorted: contact.c */
    uint64_t *neighbours;
    TML_LIST(TmlVariable) variables;
    TML_LIST(TmlUserState) states;
    TML_LIST(TmlDelay) delays;
    TML_LIST(TmlChannel) channels;
    TML_LIST(TmlChannel) probes; /* expressions that events look at */
    TML_LIST(TmlEvent) events;
    TML_LIST(TmlInput) signals; /* section `inputs` */
    TML_LIST(TmlGivenInput) given_inputs;
    TML_LIST(TmlNamedSpline) splines;
    TML_LIST(TmlNamedPath) paths;
    TML_LIST(TmlNamedRoad) roads;
    TML_LIST(TmlNamedProfile) profiles;
    TML_LIST(TmlNamedTrack) tracks;
    TML_LIST(TmlParameter) parameters;
    TML_LIST(TmlParameter) overrides; /* those that the caller gave other values */
    const char *more;                 /* sections that the caller has added; NULL: none */
    const char *followed;             /* the parameter that takes the place of time; NULL: none */
    TML_LIST(const TmlConstraintType *) user_constraints; /* registered at run time */
    TML_LIST(const TmlForceType *) user_forces;
    TML_LIST(const TmlPressType *) user_presses;
    TML_LIST(const TmlShapeType *) user_shapes;
    TML_LIST(const TmlSlipType *) user_slips;
    TML_LIST(const TmlUserFunction *) user_functions;
    TmlNames function_names; /* of user_functions, in small letters */
    struct { /* what user functions need as long as the model lives; NULL: nothing */
        void *self;
        void (*free)(void *self);
        const char *(*message)(const void *self, int index);
    } attached;
    /* Reads a reduced part, as long as the model lives; set by who knows files of that kind. */
    TmlStatus (*load_part)(TmlModel *m, const char *path, TmlPart *out, TmlError *err);
    /* Static equilibrium of another model, given as a tree; *out lives as long as m. NULL: no statics here. */
    TmlStatus (*find_rest)(TmlModel *m, const struct TmlValue *root, TmlRestShape *out,
                           TmlError *err);
    TML_LIST(TmlModelPart) parts; /* that were read */
    TmlRunSettings run;
    TML_LIST(const char *) inputs;      /* files that it was read from, as they were opened */
    TML_LIST(TmlSource) sources;        /* texts of its own file and of those that it includes */
    TML_LIST(const char *) notes;       /* what reading left out, "file:line:column: text" */
    TML_LIST(const char *) warnings;    /* what is most likely wrong, likewise */
    TML_LIST(const char *) substitutes; /* of these, what stands for something that was not read */
    bool strict;                        /* warnings are errors */
    bool finished;
    int n_shown, *shown;         /* bodies that users see, ground first; filled at the end */
    struct TmlModelIndex *index; /* tables of names; NULL: names are searched in the lists */
    struct TmlReader *reader;    /* what tml_model_finish has still to do; NULL: nothing */
    uint64_t group;              /* of blocks, when it was made from a saved run; else 0 */
};

/* Add one item to a list; *ok becomes false when memory runs out. Items move when a list grows. */
#define TML_LIST_ADD(list, item, ok)                                                               \
    do {                                                                                           \
        void *list_at = (list).at;                                                                 \
        if (tml_mem_grow(&list_at, &(list).cap, (list).n + 1, sizeof *(list).at)) {                \
            (list).at = list_at;                                                                   \
            (list).at[(list).n++] = (item);                                                        \
        } else {                                                                                   \
            *(ok) = false;                                                                         \
        }                                                                                          \
    } while (0)

/* Index by name, or -1. */
int tml_model_find_body(const TmlModel *m, const char *name);
int tml_model_find_frame(const TmlModel *m, const char *name);
int tml_model_find_constraint(const TmlModel *m, const char *name);
int tml_model_find_force(const TmlModel *m, const char *name);
int tml_model_find_variable(const TmlModel *m, const char *name);
int tml_model_find_state(const TmlModel *m, const char *name);
int tml_model_find_delay(const TmlModel *m, const char *name);
int tml_model_find_spline(const TmlModel *m, const char *name);
int tml_model_find_parameter(const TmlModel *m, const char *name);
bool tml_model_input_add(TmlModel *m, const char *path); /* false: out of memory */
void tml_model_forget_names(TmlModel *m); /* of variables and states, when their lists change */

/* The registered function of that name, upper and lower case being equal; NULL: none. */
const TmlUserFunction *tml_model_find_function(const TmlModel *m, const char *name);

/* Bodies as users count them: ground, rigid bodies and points, no parts of flexible bodies. The
 * body of that number, -1: none. */
bool tml_body_is_shown(const TmlBody *body);
int tml_model_shown_body(const TmlModel *m, int index);
TML_NODISCARD TmlStatus tml_model_list_shown(TmlModel *m, TmlError *err);

/* Do both name one frame? Every part of an end counts: frames at different points of a flexible
 * body have the same body, and most often the same offset and axes from there. */
bool tml_end_equal(const TmlEnd *a, const TmlEnd *b);

/* Motion of a body-fixed frame at the model's initial state (before assembly). */
TmlFrameKin tml_model_initial_kin(const TmlModel *m, const TmlEnd *end);

/* Read a whole model document (sections parameters, bodies, joints, ...) from a tree. All errors of
 * the tree are collected. overrides: n pairs that replace parameters of the same name. */
TML_NODISCARD TmlStatus tml_model_read(TmlModel *m, const TmlValue *root, int n_overrides,
                                       const char *const *names, const double *values,
                                       TmlError *err);
