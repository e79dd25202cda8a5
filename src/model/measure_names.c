/* model/measure_names.c - names and functions of a model, as expressions write them.
 *
 * Turns DX(a, b), angle(pin), reaction(pin).fx, variable and state names into leaves. Equal leaves,
 * ends and unknowns are shared. A frame is a named frame, a body (its origin), "body.cm", or
 * "element.first" and "element.second" for the frames of a joint or force.
 */
#include "model/measure.h"

#include "math/vec3.h"

#include <string.h>
#include <strings.h>

typedef enum ArgForm {
    ARG_FRAMES, // to, from, axes, observer
    ARG_PAIR,   // to, from, observer: no axes
    ARG_JOINT,
    ARG_REACTION, // joint, axes
    ARG_FORCE,    // force, axes
    ARG_OUTPUT,   // force
    ARG_STATE,
} ArgForm;

typedef struct ModelFunction {
    const char *name;
    ArgForm form;
    int max_args;
    TmlLeafKind kind, of;
    int axis;
    unsigned needs; // TML_ALLOW_ bit
    const char *signature, *text;
} ModelFunction;

#define FRAMES3 "(to, from = ground, along = ground)"
#define FRAMES4 "(to, from = ground, along = ground, observer = ground)"
#define PAIR2 "(to, from = ground)"
#define PAIR3 "(to, from = ground, observer = ground)"
#define XYZ(f, form, n, kind, needs, signature, text)                                              \
    {f "X", form, n, kind, kind, 0, needs, f "X" signature, text " along x"},                      \
        {f "Y", form, n, kind, kind, 1, needs, f "Y" signature, text " along y"},                  \
    {                                                                                              \
        f "Z", form, n, kind, kind, 2, needs, f "Z" signature, text " along z"                     \
    }
#define MAGNITUDE(f, n, kind, needs, signature, text)                                              \
    {                                                                                              \
        f, ARG_PAIR, n, kind, kind, TML_AXIS_MAGNITUDE, needs, f signature, text                   \
    }
#define EULER(f, angle, text)                                                                      \
    {                                                                                              \
        f, ARG_PAIR, 2, TML_LEAF_EULER, TML_LEAF_EULER, angle, TML_ALLOW_MOTION, f PAIR2, text     \
    }

static const ModelFunction functions[] = {
    XYZ("D", ARG_FRAMES, 3, TML_LEAF_ALONG, TML_ALLOW_MOTION, FRAMES3, "displacement"),
    MAGNITUDE("DM", 2, TML_LEAF_DISTANCE, TML_ALLOW_MOTION, PAIR2, "distance of two frames"),
    MAGNITUDE("distance", 2, TML_LEAF_DISTANCE, TML_ALLOW_MOTION, PAIR2, "the same as DM"),
    XYZ("V", ARG_FRAMES, 4, TML_LEAF_VELOCITY, TML_ALLOW_TWIST, FRAMES4, "velocity"),
    MAGNITUDE("VM", 3, TML_LEAF_VELOCITY, TML_ALLOW_TWIST, PAIR3, "magnitude of the velocity"),
    {"VR", ARG_PAIR, 2, TML_LEAF_RATE, TML_LEAF_DISTANCE, 0, TML_ALLOW_TWIST, "VR" PAIR2,
     "rate of the distance of two frames"},
    XYZ("W", ARG_FRAMES, 3, TML_LEAF_SPIN, TML_ALLOW_TWIST, FRAMES3, "angular velocity"),
    MAGNITUDE("WM", 2, TML_LEAF_SPIN, TML_ALLOW_TWIST, PAIR2, "magnitude of the angular velocity"),
    XYZ("ACC", ARG_FRAMES, 4, TML_LEAF_ACCELERATION, TML_ALLOW_ACCELERATION, FRAMES4,
        "acceleration"),
    MAGNITUDE("ACCM", 3, TML_LEAF_ACCELERATION, TML_ALLOW_ACCELERATION, PAIR3,
              "magnitude of the acceleration"),
    XYZ("WDT", ARG_FRAMES, 4, TML_LEAF_SPIN_RATE, TML_ALLOW_ACCELERATION, FRAMES4,
        "angular acceleration"),
    MAGNITUDE("WDTM", 3, TML_LEAF_SPIN_RATE, TML_ALLOW_ACCELERATION, PAIR3,
              "magnitude of the angular acceleration"),
    {"AX", ARG_PAIR, 2, TML_LEAF_ANGLE, TML_LEAF_ANGLE, 0, TML_ALLOW_MOTION, "AX" PAIR2,
     "rotation about x of the second frame; counts turns"},
    {"AY", ARG_PAIR, 2, TML_LEAF_ANGLE, TML_LEAF_ANGLE, 1, TML_ALLOW_MOTION, "AY" PAIR2,
     "rotation about y of the second frame; counts turns"},
    {"AZ", ARG_PAIR, 2, TML_LEAF_ANGLE, TML_LEAF_ANGLE, 2, TML_ALLOW_MOTION, "AZ" PAIR2,
     "rotation about z of the second frame; counts turns"},
    EULER("PSI", TML_EULER_PSI, "first angle of the body-fixed sequence 3-1-3"),
    EULER("THETA", TML_EULER_THETA, "second angle of the body-fixed sequence 3-1-3"),
    EULER("PHI", TML_EULER_PHI, "third angle of the body-fixed sequence 3-1-3"),
    EULER("YAW", TML_EULER_YAW, "first angle of the body-fixed sequence 3-2-1"),
    EULER("PITCH", TML_EULER_PITCH, "second angle of the body-fixed sequence 3-2-1"),
    EULER("ROLL", TML_EULER_ROLL, "third angle of the body-fixed sequence 3-2-1"),
    {"angle", ARG_JOINT, 1, TML_LEAF_ANGLE, TML_LEAF_ANGLE, 2, TML_ALLOW_MOTION, "angle(joint)",
     "rotation of the second body about z of the joint; counts turns"},
    {"displacement", ARG_JOINT, 1, TML_LEAF_ALONG, TML_LEAF_ALONG, 2, TML_ALLOW_MOTION,
     "displacement(joint)", "displacement of the second body along z of the joint"},
    {"angular_velocity", ARG_JOINT, 1, TML_LEAF_RATE, TML_LEAF_ANGLE, 2, TML_ALLOW_TWIST,
     "angular_velocity(joint)", "rate of the joint's angle"},
    {"velocity", ARG_JOINT, 1, TML_LEAF_RATE, TML_LEAF_ALONG, 2, TML_ALLOW_TWIST, "velocity(joint)",
     "rate of the joint's displacement"},
    {"reaction", ARG_REACTION, 2, TML_LEAF_REACTION, TML_LEAF_REACTION, 0, TML_ALLOW_UNKNOWNS,
     "reaction(joint, axes = ground).fx",
     "force (fx, fy, fz, fm) or torque (tx, ty, tz, tm) of the first body on the second"},
    {"force", ARG_FORCE, 2, TML_LEAF_FORCE, TML_LEAF_FORCE, 0, TML_ALLOW_UNKNOWNS,
     "force(element, axes = ground).fx",
     "force (fx, fy, fz, fm) or torque (tx, ty, tz, tm) of a force element on its last end"},
    {"output", ARG_OUTPUT, 1, TML_LEAF_OUTPUT, TML_LEAF_OUTPUT, 0, TML_ALLOW_UNKNOWNS,
     "output(element).name", "an output of a force element"},
    {"rate", ARG_STATE, 1, TML_LEAF_UNKNOWN, TML_LEAF_UNKNOWN, 0, TML_ALLOW_UNKNOWNS, "rate(state)",
     "time derivative of a user state"},
};

enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

/* --- suggestions ----------------------------------------------------------------------------- */

typedef struct WordList {
    int n, cap;
    const char **at;
} WordList;

static void words_add(WordList *words, const char *word)
{
    void *at = words->at;
    if (tml_mem_grow(&at, &words->cap, words->n + 1, sizeof *words->at)) {
        words->at = at;
        words->at[words->n++] = word;
    }
}

/* Fail with "unknown <what> '<word>'" and the nearest of the words, which are freed. */
static TmlStatus fail_unknown(TmlError *err, const char *what, const char *word, WordList *words)
{
    const char *near = words->n > 0 ? tml_nearest(word, words->at, words->n) : NULL;
    const TmlStatus status =
        near != NULL
            ? tml_fail(err, TML_E_MODEL, "unknown %s '%s'; did you mean '%s'?", what, word, near)
            : tml_fail(err, TML_E_MODEL, "unknown %s '%s'", what, word);
    tml_mem_free(words->at);
    return status;
}

static TmlStatus fail_frame(const TmlModel *m, const char *word, TmlError *err)
{
    WordList words = {0};
    for (int k = 0; k < m->frames.n; ++k) {
        words_add(&words, m->frames.at[k].name);
    }
    for (int k = 0; k < m->bodies.n; ++k) {
        words_add(&words, m->bodies.at[k].name);
    }
    return fail_unknown(err, "body or frame", word, &words);
}

static TmlStatus fail_joint(const TmlModel *m, const char *word, TmlError *err)
{
    WordList words = {0};
    for (int k = 0; k < m->constraints.n; ++k) {
        words_add(&words, m->constraints.at[k].name);
    }
    return fail_unknown(err, "joint", word, &words);
}

static TmlStatus fail_force(const TmlModel *m, const char *word, TmlError *err)
{
    WordList words = {0};
    for (int k = 0; k < m->forces.n; ++k) {
        words_add(&words, m->forces.at[k].name);
    }
    return fail_unknown(err, "force", word, &words);
}

static void visit_word(void *arg, const char *name, const char *signature, const char *text)
{
    (void)signature, (void)text;
    words_add(arg, name);
}

/* "'VX' reads velocities; motion 'm1' may read only time, displacements and angles" */
static TmlStatus check_allowed(const TmlLeafList *list, const char *what, unsigned needs,
                               TmlError *err)
{
    static const char *const classes[] = {"displacements and angles", "velocities", "accelerations",
                                          "states, variables, reactions and forces"};
    if ((needs & ~list->allowed) == 0) {
        return TML_OK;
    }
    const char *reads = classes[0];
    char may[256] = "time";
    for (unsigned k = 0; k < 4; ++k) {
        if ((needs >> k & 1u) != 0) {
            reads = classes[k];
        }
        if ((list->allowed >> k & 1u) != 0) {
            strcat(may, ", ");
            strcat(may, classes[k]);
        }
    }
    return tml_fail(err, TML_E_MODEL, "'%s' reads %s; %s may read only %s", what, reads,
                    list->where, may);
}

/* --- ends, unknowns, leaves ------------------------------------------------------------------ */

static bool v3_equal(TmlVec3 a, TmlVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static TmlStatus list_end(TmlLeafList *list, const TmlEnd *end, int *out, TmlError *err)
{
    for (int k = 0; k < list->n_ends; ++k) {
        const TmlEnd *e = &list->end[k];
        if (e->body == end->body && v3_equal(e->s_b, end->s_b) &&
            v3_equal(e->A_b.cx, end->A_b.cx) && v3_equal(e->A_b.cy, end->A_b.cy) &&
            v3_equal(e->A_b.cz, end->A_b.cz)) {
            *out = k;
            return TML_OK;
        }
    }
    if (list->n_ends == TML_MAX_ENDS) {
        return tml_fail(err, TML_E_MODEL,
                        "the expression looks at more than %d frames; split it by variables",
                        (int)TML_MAX_ENDS);
    }
    list->end[list->n_ends] = *end;
    *out = list->n_ends++;
    return TML_OK;
}

static TmlStatus list_unknown(TmlLeafList *list, TmlUnknown u, int *out, TmlError *err)
{
    for (int k = 0; k < list->n_unknowns; ++k) {
        const TmlUnknown *v = &list->unknown[k];
        if (v->kind == u.kind && v->index == u.index && v->row == u.row) {
            *out = k;
            return TML_OK;
        }
    }
    if (list->n_unknowns == TML_BIND_MAX_UNKNOWNS) {
        return tml_fail(err, TML_E_MODEL,
                        "the expression reads more than %d reactions, states, variables and "
                        "forces; split it by variables",
                        (int)TML_BIND_MAX_UNKNOWNS);
    }
    void *at = list->unknown;
    if (!tml_mem_grow(&at, &list->cap_unknowns, list->n_unknowns + 1, sizeof *list->unknown)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory (unknowns of an expression)");
    }
    list->unknown = at;
    list->unknown[list->n_unknowns] = u;
    *out = list->n_unknowns++;
    return TML_OK;
}

static bool leaf_equal(const TmlLeaf *a, const TmlLeaf *b)
{
    return a->kind == b->kind && a->of == b->of && a->axis == b->axis && a->torque == b->torque &&
           a->offset == b->offset && a->element == b->element &&
           memcmp(a->slot, b->slot, sizeof a->slot) == 0;
}

/* Find the leaf or add it, with its place in memory. */
static TmlStatus list_leaf(TmlLeafList *list, TmlLeaf leaf, TmlExprSymbol *out, TmlError *err)
{
    for (int k = 1; k < list->n_leaves; ++k) {
        if (leaf_equal(&list->leaf[k], &leaf)) {
            *out = (TmlExprSymbol){.leaf = k};
            return TML_OK;
        }
    }
    int n_memory = 0;
    if (leaf.constraint != NULL) {
        n_memory = leaf.constraint->n_memory;
    } else if (leaf.force != NULL) {
        n_memory = leaf.force->n_memory;
    } else if (tml_position_turns(leaf.kind, leaf.axis)) {
        n_memory = 1;
    }
    leaf.memory = n_memory > 0 ? list->n_memory : -1;
    list->n_memory += n_memory;

    void *at = list->leaf;
    if (!tml_mem_grow(&at, &list->cap_leaves, list->n_leaves + 1, sizeof *list->leaf)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory (leaves of an expression)");
    }
    list->leaf = at;
    list->leaf[list->n_leaves] = leaf;
    *out = (TmlExprSymbol){.leaf = list->n_leaves++};
    return TML_OK;
}

static TmlLeaf leaf_empty(TmlLeafKind kind)
{
    return (TmlLeaf){
        .kind = kind, .of = kind, .slot = {-1, -1, -1, -1}, .memory = -1, .element = -1};
}

/* --- arguments ------------------------------------------------------------------------------- */

/* Is `name` the text `stem` of length n? Finds what stands before ".cm" and the like. */
static int find_stem(const TmlModel *m, const char *name, size_t n, const char *what)
{
    char stem[TML_NAME_MAX];
    if (n >= sizeof stem) {
        return -1;
    }
    memcpy(stem, name, n);
    stem[n] = '\0';
    return strcmp(what, "body") == 0    ? tml_model_find_body(m, stem)
           : strcmp(what, "joint") == 0 ? tml_model_find_constraint(m, stem)
                                        : tml_model_find_force(m, stem);
}

/* "pin1.first", "pin1.second": the frames of a joint, or of a force. NULL: no such thing. */
static const TmlEnd *find_element_end(const TmlModel *m, const char *name, size_t stem, int which)
{
    const int joint = find_stem(m, name, stem, "joint");
    if (joint >= 0) {
        const TmlConstraint *c = &m->constraints.at[joint];
        return which < c->n_ends ? &c->end[which] : NULL;
    }
    const int force = find_stem(m, name, stem, "force");
    if (force >= 0) {
        const TmlForce *f = &m->forces.at[force];
        return which < f->n_ends ? &f->end[which] : NULL;
    }
    return NULL;
}

static TmlStatus find_frame(const TmlModel *m, const char *name, TmlEnd *out, TmlError *err)
{
    const int frame = tml_model_find_frame(m, name);
    if (frame >= 0) {
        *out = m->frames.at[frame].end;
        return TML_OK;
    }
    const int whole = tml_model_find_body(m, name);
    const char *dot = strrchr(name, '.');
    const size_t stem = dot != NULL ? (size_t)(dot - name) : 0;
    const char *suffix = dot != NULL ? dot + 1 : "";
    *out = (TmlEnd){.A_b = m3_identity()};
    if (whole >= 0) { // the origin of the body, seen from its centre of mass
        out->body = whole;
        out->s_b = v3_sub(v3(0, 0, 0), m->bodies.at[whole].cm);
        return TML_OK;
    }
    if (strcmp(suffix, "cm") == 0 && find_stem(m, name, stem, "body") >= 0) {
        out->body = find_stem(m, name, stem, "body");
        return TML_OK;
    }
    if (strcmp(suffix, "first") == 0 || strcmp(suffix, "second") == 0) {
        const TmlEnd *end = find_element_end(m, name, stem, suffix[0] == 's');
        if (end != NULL) {
            *out = *end;
            return TML_OK;
        }
    }
    return fail_frame(m, name, err);
}

static TmlStatus arg_name(const TmlExprArg *arg, const char *what, const char **out, TmlError *err)
{
    if (arg->name == NULL) {
        return tml_fail(err, TML_E_MODEL, "expected the name of a %s, found the number %.9g", what,
                        arg->value);
    }
    *out = arg->name;
    return TML_OK;
}

/* Put the frame named by the argument, or the standard one, into a slot of the leaf. */
static TmlStatus arg_slot(TmlLeafList *list, const TmlExprArg *arg, TmlLeaf *leaf, int slot,
                          TmlError *err)
{
    TmlEnd end = {.body = TML_GROUND, .A_b = m3_identity()};
    if (arg != NULL) {
        const char *name = NULL;
        TML_TRY(arg_name(arg, "body or frame", &name, err));
        TML_TRY(find_frame(list->model, name, &end, err));
    }
    return list_end(list, &end, &leaf->slot[slot], err);
}

/* fx .. tm of reaction and force */
static TmlStatus arg_member(const ModelFunction *f, const char *member, TmlLeaf *leaf,
                            TmlError *err)
{
    static const char axes[] = "xyzm";
    const char *at = member != NULL && strlen(member) == 2 ? strchr(axes, member[1]) : NULL;
    if (at == NULL || (member[0] != 'f' && member[0] != 't')) {
        return tml_fail(err, TML_E_MODEL,
                        "%s(...) is followed by .fx, .fy, .fz, .fm, .tx, .ty, .tz or .tm%s%s%s",
                        f->name, member != NULL ? ", not by ." : "", member != NULL ? member : "",
                        member != NULL ? "" : "; nothing stands here");
    }
    leaf->torque = member[0] == 't';
    leaf->axis = (int)(at - axes);
    return TML_OK;
}

static TmlStatus leaf_element(TmlLeafList *list, TmlLeaf *leaf, const TmlEnd *ends, int n_ends,
                              TmlUnknownKind kind, int n_unknowns, TmlError *err)
{
    leaf->n_ends = n_ends;
    leaf->n_unknowns = n_unknowns;
    TML_NEW(&list->model->arena, leaf->end, n_ends);
    TML_NEW(&list->model->arena, leaf->unknown, n_unknowns);
    for (int k = 0; k < n_ends; ++k) {
        TML_TRY(list_end(list, &ends[k], &leaf->end[k], err));
    }
    for (int k = 0; k < n_unknowns; ++k) {
        TML_TRY(list_unknown(list, (TmlUnknown){kind, leaf->element, k}, &leaf->unknown[k], err));
    }
    return TML_OK;
}

/* --- calls ------------------------------------------------------------------------------------ */

static TmlStatus call_frames(TmlLeafList *list, const ModelFunction *f, const TmlExprArg *args,
                             int n, TmlLeaf *leaf, TmlError *err)
{
    const bool axes = f->form == ARG_FRAMES;
    const int observer = axes ? 3 : 2;
    TML_TRY(arg_slot(list, &args[0], leaf, TML_SLOT_TO, err));
    TML_TRY(arg_slot(list, n > 1 ? &args[1] : NULL, leaf, TML_SLOT_FROM, err));
    if (axes) {
        TML_TRY(arg_slot(list, n > 2 ? &args[2] : NULL, leaf, TML_SLOT_AXES, err));
    }
    const bool observed = leaf->kind == TML_LEAF_VELOCITY || leaf->kind == TML_LEAF_SPIN ||
                          leaf->kind == TML_LEAF_ACCELERATION || leaf->kind == TML_LEAF_SPIN_RATE;
    if (observed) {
        TML_TRY(
            arg_slot(list, n > observer ? &args[observer] : NULL, leaf, TML_SLOT_OBSERVER, err));
    }
    return TML_OK;
}

static TmlStatus call_joint(TmlLeafList *list, const ModelFunction *f, const TmlExprArg *args,
                            TmlLeaf *leaf, TmlError *err)
{
    const char *name = NULL;
    TML_TRY(arg_name(&args[0], "joint", &name, err));
    const int joint = tml_model_find_constraint(list->model, name);
    if (joint < 0) {
        return fail_joint(list->model, name, err);
    }
    const TmlConstraint *c = &list->model->constraints.at[joint];
    const bool angle = f->of == TML_LEAF_ANGLE;
    if (!(angle ? c->type->has_angle : c->type->has_displacement) || c->n_ends < 2) {
        return tml_fail(err, TML_E_MODEL, "joint '%s' is of type %s, which has no %s", name,
                        c->type->info.name, angle ? "angle" : "displacement");
    }
    leaf->offset = f->kind == TML_LEAF_ANGLE ? 2.0 * M_PI * (double)c->turns : 0.0;
    TML_TRY(list_end(list, &c->end[0], &leaf->slot[TML_SLOT_FROM], err));
    TML_TRY(list_end(list, &c->end[1], &leaf->slot[TML_SLOT_TO], err));
    if (!angle) {
        leaf->slot[TML_SLOT_AXES] = leaf->slot[TML_SLOT_FROM];
    }
    return TML_OK;
}

static TmlStatus call_reaction(TmlLeafList *list, const ModelFunction *f, const TmlExprArg *args,
                               int n, const char *member, TmlLeaf *leaf, TmlError *err)
{
    const char *name = NULL;
    TML_TRY(arg_name(&args[0], "joint", &name, err));
    const int joint = tml_model_find_constraint(list->model, name);
    if (joint < 0) {
        return fail_joint(list->model, name, err);
    }
    const TmlConstraint *c = &list->model->constraints.at[joint];
    if (c->n_ends < 2) {
        return tml_fail(err, TML_E_MODEL, "joint '%s' has no second body for a reaction", name);
    }
    TML_TRY(arg_member(f, member, leaf, err));
    TML_TRY(arg_slot(list, n > 1 ? &args[1] : NULL, leaf, TML_SLOT_AXES, err));
    leaf->element = joint;
    leaf->constraint = c->type;
    leaf->data = c->data;
    return leaf_element(list, leaf, c->end, c->n_ends, TML_UNKNOWN_LAMBDA, c->type->rows, err);
}

static TmlStatus output_member(const TmlForce *force, const char *member, TmlLeaf *leaf,
                               TmlError *err)
{
    const TmlOutput *outputs = force->type->info.outputs;
    WordList words = {0};
    for (int k = 0; outputs != NULL && outputs[k].name != NULL; ++k) {
        words_add(&words, outputs[k].name);
        if (member != NULL && strcmp(member, outputs[k].name) == 0) {
            leaf->axis = k;
            tml_mem_free(words.at);
            return force->type->output_tangent != NULL
                       ? TML_OK
                       : tml_fail(err, TML_E_MODEL,
                                  "output '%s' of force '%s' has no derivatives: type %s does not "
                                  "give them",
                                  member, force->name, force->type->info.name);
        }
    }
    if (member == NULL) {
        tml_mem_free(words.at);
        return tml_fail(err, TML_E_MODEL, "output(%s) is followed by a dot and the output's name",
                        force->name);
    }
    return fail_unknown(err, "output", member, &words);
}

static TmlStatus call_force(TmlLeafList *list, const ModelFunction *f, const TmlExprArg *args,
                            int n, const char *member, TmlLeaf *leaf, TmlError *err)
{
    const char *name = NULL;
    TML_TRY(arg_name(&args[0], "force", &name, err));
    const int index = tml_model_find_force(list->model, name);
    if (index < 0) {
        return fail_force(list->model, name, err);
    }
    const TmlForce *force = &list->model->forces.at[index];
    leaf->element = index;
    leaf->force = force->type;
    leaf->data = force->data;
    if (f->form == ARG_OUTPUT) {
        TML_TRY(output_member(force, member, leaf, err));
    } else {
        TML_TRY(arg_member(f, member, leaf, err));
        TML_TRY(arg_slot(list, n > 1 ? &args[1] : NULL, leaf, TML_SLOT_AXES, err));
    }
    return leaf_element(list, leaf, force->end, force->n_ends, TML_UNKNOWN_F, force->n_f, err);
}

static TmlStatus leaf_unknown(TmlLeafList *list, TmlUnknown u, TmlExprSymbol *out, TmlError *err)
{
    TmlLeaf leaf = leaf_empty(TML_LEAF_UNKNOWN);
    TML_TRY(list_unknown(list, u, &leaf.axis, err));
    leaf.n_unknowns = 1;
    TML_NEW(&list->model->arena, leaf.unknown, 1);
    leaf.unknown[0] = leaf.axis;
    return list_leaf(list, leaf, out, err);
}

static TmlStatus call_state(TmlLeafList *list, const TmlExprArg *args, TmlExprSymbol *out,
                            TmlError *err)
{
    const char *name = NULL;
    TML_TRY(arg_name(&args[0], "state", &name, err));
    const int index = tml_model_find_state(list->model, name);
    if (index < 0) {
        WordList words = {0};
        for (int k = 0; k < list->model->states.n; ++k) {
            words_add(&words, list->model->states.at[k].name);
        }
        return fail_unknown(err, "state", name, &words);
    }
    return leaf_unknown(list, (TmlUnknown){TML_UNKNOWN_XDOT, index, 0}, out, err);
}

static TmlStatus check_count(const ModelFunction *f, int n, const char *member, TmlError *err)
{
    if (n < 1 || n > f->max_args) {
        return tml_fail(err, TML_E_MODEL, "%s takes %s%d argument%s, not %d: %s", f->name,
                        f->max_args > 1 ? "1 to " : "", f->max_args, f->max_args > 1 ? "s" : "", n,
                        f->signature);
    }
    if (member != NULL && f->form != ARG_REACTION && f->form != ARG_FORCE &&
        f->form != ARG_OUTPUT) {
        return tml_fail(err, TML_E_MODEL, "%s is a number and has no .%s: %s", f->name, member,
                        f->signature);
    }
    return TML_OK;
}

static TmlStatus resolve_call(void *user, const char *function, const TmlExprArg *args, int n_args,
                              const char *member, TmlExprSymbol *out, TmlError *err)
{
    TmlLeafList *list = user;
    const ModelFunction *f = NULL;
    for (int k = 0; k < N_FUNCTIONS && f == NULL; ++k) {
        f = strcasecmp(functions[k].name, function) == 0 ? &functions[k] : NULL;
    }
    if (f == NULL) {
        WordList words = {0};
        tml_expr_functions(visit_word, &words);
        tml_binding_functions(visit_word, &words);
        return fail_unknown(err, "function", function, &words);
    }
    TML_TRY(check_allowed(list, f->name, f->needs, err));
    TML_TRY(check_count(f, n_args, member, err));

    TmlLeaf leaf = leaf_empty(f->kind);
    leaf.of = f->of;
    leaf.axis = f->axis;
    switch (f->form) {
    case ARG_FRAMES:
    case ARG_PAIR:
        TML_TRY(call_frames(list, f, args, n_args, &leaf, err));
        break;
    case ARG_JOINT:
        TML_TRY(call_joint(list, f, args, &leaf, err));
        break;
    case ARG_REACTION:
        TML_TRY(call_reaction(list, f, args, n_args, member, &leaf, err));
        break;
    case ARG_FORCE:
    case ARG_OUTPUT:
        TML_TRY(call_force(list, f, args, n_args, member, &leaf, err));
        break;
    case ARG_STATE:
        return call_state(list, args, out, err);
    }
    return list_leaf(list, leaf, out, err);
}

/* --- names standing alone --------------------------------------------------------------------- */

static void visit_names(void *user, void (*visit)(void *arg, const char *name), void *arg)
{
    const TmlModel *m = ((const TmlLeafList *)user)->model;
    for (int k = 0; k < m->parameters.n; ++k) {
        visit(arg, m->parameters.at[k].name);
    }
    for (int k = 0; k < m->variables.n; ++k) {
        visit(arg, m->variables.at[k].name);
    }
    for (int k = 0; k < m->states.n; ++k) {
        visit(arg, m->states.at[k].name);
    }
}

static void visit_all(void *user, void (*visit)(void *arg, const char *name), void *arg)
{
    visit_names(user, visit, arg);
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        visit(arg, functions[k].name);
    }
}

static void words_visit(void *arg, const char *name)
{
    words_add(arg, name);
}

static TmlStatus resolve_name(void *user, const char *name, TmlExprSymbol *out, TmlError *err)
{
    TmlLeafList *list = user;
    const TmlModel *m = list->model;
    const int parameter = tml_model_find_parameter(m, name);
    if (parameter >= 0) {
        *out = (TmlExprSymbol){.constant = true, .value = m->parameters.at[parameter].value};
        return TML_OK;
    }
    const int variable = tml_model_find_variable(m, name), state = tml_model_find_state(m, name);
    if (variable >= 0 || state >= 0) {
        TML_TRY(check_allowed(list, name, TML_ALLOW_UNKNOWNS, err));
        const TmlUnknown u = variable >= 0 ? (TmlUnknown){TML_UNKNOWN_V, variable, 0}
                                           : (TmlUnknown){TML_UNKNOWN_X, state, 0};
        return leaf_unknown(list, u, out, err);
    }
    const char *thing = tml_model_find_body(m, name) >= 0         ? "body"
                        : tml_model_find_frame(m, name) >= 0      ? "frame"
                        : tml_model_find_constraint(m, name) >= 0 ? "joint"
                        : tml_model_find_force(m, name) >= 0      ? "force"
                                                                  : NULL;
    if (thing != NULL) {
        return tml_fail(err, TML_E_MODEL, "'%s' is a %s and has no value of its own", name, thing);
    }
    WordList words = {0};
    visit_names(user, words_visit, &words);
    return fail_unknown(err, "name", name, &words);
}

static TmlStatus resolve_spline(void *user, const char *name, const TmlSpline **out, TmlError *err)
{
    const TmlModel *m = ((const TmlLeafList *)user)->model;
    const int index = tml_model_find_spline(m, name);
    if (index >= 0) {
        *out = m->splines.at[index].spline;
        return TML_OK;
    }
    WordList words = {0};
    for (int k = 0; k < m->splines.n; ++k) {
        words_add(&words, m->splines.at[k].name);
    }
    return fail_unknown(err, "spline", name, &words);
}

/* --- the list --------------------------------------------------------------------------------- */

TmlStatus tml_leaves_init(TmlLeafList *list, TmlModel *model, const char *where, unsigned allowed,
                          TmlError *err)
{
    *list = (TmlLeafList){.model = model, .where = where, .allowed = allowed};
    void *at = NULL;
    if (!tml_mem_grow(&at, &list->cap_leaves, 1, sizeof *list->leaf)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory (leaves of an expression)");
    }
    list->leaf = at;
    list->leaf[0] = leaf_empty(TML_LEAF_TIME);
    list->n_leaves = 1;
    return TML_OK;
}

void tml_leaves_free(TmlLeafList *list)
{
    tml_mem_free(list->leaf);
    tml_mem_free(list->unknown);
}

TmlExprResolver tml_leaves_resolver(TmlLeafList *list)
{
    return (TmlExprResolver){.user = list,
                             .name = resolve_name,
                             .call = resolve_call,
                             .spline = resolve_spline,
                             .names = visit_all};
}

void tml_binding_functions(void (*visit)(void *arg, const char *name, const char *signature,
                                         const char *text),
                           void *arg)
{
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        visit(arg, functions[k].name, functions[k].signature, functions[k].text);
    }
}
