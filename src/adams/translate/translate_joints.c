/* adams/translate/translate_joints.c - JOINT, JPRIM, MOTION, GCON, COUPLER, GEAR.
 *
 * The first frame of our joints is J, the second I: coordinates are then those of I relative to J,
 * and the reaction is the one on I. Where the table says `flipped` it is the other way round,
 * because x of the first frame and y of the second count.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adams/flexible/flex_part.h"
#include "adams/translate/fe.h"
#include "math/vec3.h"

typedef struct JointRule {
    const char *flag, *type;
    bool flipped;
    const char *parameter, *key; /* of the statement, of ours; NULL: none */
} JointRule;

static const JointRule joint_rules[] = {{"REVOLUTE", "revolute", false, NULL, NULL},
                                        {"TRANSLATIONAL", "translational", false, NULL, NULL},
                                        {"CYLINDRICAL", "cylindrical", false, NULL, NULL},
                                        {"SPHERICAL", "spherical", false, NULL, NULL},
                                        {"FIXED", "fixed", false, NULL, NULL},
                                        {"PLANAR", "planar", false, NULL, NULL},
                                        {"HOOKE", "universal", true, NULL, NULL},
                                        {"UNIVERSAL", "universal", true, NULL, NULL},
                                        {"CONVEL", "constant_velocity", false, NULL, NULL},
                                        {"SCREW", "screw", false, "PITCH", "pitch"},
                                        {"ATPOINT", "spherical", false, NULL, NULL},
                                        {"INLINE", "point_on_line", false, NULL, NULL},
                                        {"INPLANE", "point_in_plane", false, NULL, NULL},
                                        {"ORIENTATION", "orientation", false, NULL, NULL},
                                        {"PARALLEL_AXES", "parallel_axes", false, NULL, NULL},
                                        {"PERPENDICULAR", "perpendicular_axes", false, NULL, NULL}};

/* A frame of a part, ground or not, at its origin; its path. */
static const char *add_frame(TmlAdm *adm, TmlAdmItem *part, const char *name, TmlValue *frame)
{
    const bool ground = tml_adm_is_ground(part);
    TmlValue *section =
        ground ? adm->frames : (TmlValue *)(uintptr_t)tml_value_find(part->value, "frames");
    const char *path = ground ? name : tml_arena_printf(adm->arena, "%s.%s", part->name, name);
    adm->nomem |= path == NULL || section == NULL;
    if (!adm->nomem && tml_value_find(section, name) == NULL) {
        tml_adm_set(adm, section, name, frame);
    }
    return path;
}

/* {body, position, rotation} of a marker whose axes are taken in another order: x of the new frame
 * is axis ax of the marker, y is axis ay; 3, 4, 5 are the opposites of x, y, z. */
static TmlValue *turned_frame(TmlAdm *adm, TmlAdmItem *marker, int ax, int ay)
{
    static const char axes[] = "xyzuvw";
    const TmlAdmSlice at = tml_adm_whole(marker);
    TmlAdmItem *owner = tml_adm_owner(adm, marker);
    TmlVec3 r;
    TmlMat33 A;
    TmlValue *v = tml_adm_map(adm, at), *rotation = tml_adm_map(adm, at);
    if (owner == NULL || !tml_adm_frame(adm, marker, &r, &A)) {
        return v;
    }
    const TmlVec3 axis[] = {A.cx, A.cy, A.cz, v3_neg(A.cx), v3_neg(A.cy), v3_neg(A.cz)};
    if (tml_adm_is_fe(owner) || tml_adm_is_flex(owner)) { // a frame of its node
        const TmlMat33 turned = {axis[ax], axis[ay], v3_cross(axis[ax], axis[ay])};
        const char *name =
            tml_arena_printf(adm->arena, "%s_%c%c", marker->name, axes[ax], axes[ay]);
        TmlValue *frame = tml_adm_is_fe(owner) ? tml_adm_fe_frame(adm, marker, &turned)
                                               : tml_adm_flex_frame(adm, marker, &turned);
        const char *path =
            name != NULL && frame != NULL ? add_frame(adm, owner, name, frame) : NULL;
        return path != NULL ? tml_adm_scalar(adm, at, path) : v;
    }
    tml_adm_set(adm, rotation, "x", tml_adm_vec3(adm, at, axis[ax]));
    tml_adm_set(adm, rotation, "y", tml_adm_vec3(adm, at, axis[ay]));
    tml_adm_set(adm, v, "body", tml_adm_scalar(adm, at, tml_adm_body_name(owner)));
    tml_adm_set(adm, v, "position", tml_adm_vec3(adm, at, r));
    tml_adm_set(adm, v, "rotation", rotation);
    return v;
}

static TmlValue *two_frames(TmlAdm *adm, TmlAdmItem *item, TmlValue *first, TmlValue *second)
{
    TmlValue *items[2] = {first, second};
    TmlValue *list = tml_value_list(adm->arena, 2, items);
    const TmlValue place = tml_adm_place(item->s, 0);
    adm->nomem |= list == NULL;
    if (list != NULL) {
        list->file = place.file;
        list->line = place.line;
        list->column = place.column;
    }
    return list;
}

/* The pinion I rolls along z of J, to which its x axis is parallel. The angle is that of I against
 * a frame of the rack which begins parallel to it; the rack is on the side of -y of the pinion
 * unless the markers stand otherwise. I is named second, so that the reaction is the one on it.
 *
 *   (K1)  DZ(I, J, J) - DZ_0 = -+PD/2 angle                                                     */
static void rack_and_pinion(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *i, TmlAdmItem *j)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    TmlAdmItem *rack = tml_adm_owner(adm, j);
    const double radius = 0.5 * adm->length * tml_adm_real(adm, item, "PD", 0.0);
    TmlVec3 ri, rj, rr;
    TmlMat33 Ai, Aj, Ar;
    if (radius == 0.0 && !item->failed) {
        tml_adm_error(adm, item, at, "RACKPIN needs PD, which is not 0");
    }
    if (rack != NULL && (tml_adm_is_fe(rack) || tml_adm_is_flex(rack))) {
        tml_adm_error(adm, item, at, "not supported yet: a rack on a %s", rack->syntax->name);
    }
    if (item->failed || rack == NULL || !tml_adm_global(adm, i, &ri, &Ai) ||
        !tml_adm_global(adm, j, &rj, &Aj) || !tml_adm_frame(adm, rack, &rr, &Ar)) {
        return;
    }
    // I seen from the rack at the start: the frame that the angle is counted from
    const TmlMat33 K = m3_tmul(&Ar, &Ai);
    const TmlVec3 d = v3_sub(ri, rj);
    const bool above = v3_dot(Ai.cy, d) < -0.5 * fabs(radius); // y of the pinion points to the rack
    TmlValue *v = tml_adm_map(adm, at), *frame = tml_adm_map(adm, at);
    TmlValue *rotation = tml_adm_map(adm, at);
    const char *name = tml_arena_printf(adm->arena, "%s_start", item->name);
    tml_adm_set(adm, rotation, "z", tml_adm_vec3(adm, at, K.cz));
    tml_adm_set(adm, rotation, "x", tml_adm_vec3(adm, at, K.cx));
    tml_adm_set(adm, frame, "rotation", rotation);
    const char *start = name != NULL ? add_frame(adm, rack, name, frame) : NULL;
    const char *text =
        start != NULL
            ? tml_arena_printf(adm->arena, "-DZ(%s, %s, %s) - %s - %s*AZ(%s, %s)", j->path, i->path,
                               j->path, tml_adm_digits(adm, v3_dot(Aj.cz, d)),
                               tml_adm_digits(adm, above ? radius : -radius), i->path, start)
            : NULL;
    if (text == NULL) {
        adm->nomem = true;
        return;
    }
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, "expression"));
    tml_adm_set(adm, v, "expression", tml_adm_scalar(adm, at, text));
    tml_adm_enter(adm, adm->joints, item, v);
}

static void simple_joint(TmlAdm *adm, TmlAdmItem *item, const JointRule *rule, TmlAdmItem *i,
                         TmlAdmItem *j)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, rule->type));
    item->flipped = rule->flipped;
    if (strcmp(rule->flag, "CONVEL") == 0) {
        // z of I and J point away from each other, ours point the same way
        tml_adm_set(adm, v, "frames",
                    two_frames(adm, item, turned_frame(adm, j, 0, 4), turned_frame(adm, i, 0, 1)));
    } else if (strcmp(rule->flag, "UNIVERSAL") == 0) {
        // z of I and z of J cross: they become x of the first and y of the second frame
        tml_adm_set(adm, v, "frames",
                    two_frames(adm, item, turned_frame(adm, i, 2, 0), turned_frame(adm, j, 1, 2)));
    } else {
        tml_adm_set(adm, v, "frames",
                    tml_adm_pair(adm, at, rule->flipped ? i->path : j->path,
                                 rule->flipped ? j->path : i->path));
    }
    if (rule->parameter != NULL) {
        const TmlAdmArg *arg = tml_adm_arg(item, rule->parameter);
        const double value = adm->length * tml_adm_real(adm, item, rule->parameter, 0.0);
        if (arg == NULL) {
            tml_adm_error(adm, item, at, "argument %s is missing", rule->parameter);
            return;
        }
        tml_adm_set(adm, v, rule->key, tml_adm_number(adm, arg->value, value));
    }
    tml_adm_enter(adm, adm->joints, item, v);
}

/* One type, not two; false: reported. */
static bool one_type(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmArg *first = NULL;
    for (int k = 0; k < item->n_args; ++k) {
        const TmlAdmArg *arg = &item->args[k];
        if (arg->key->kind != TML_ADM_FLAG) {
            continue;
        }
        if (first != NULL && arg->key != first->key) {
            tml_adm_error(adm, item, arg->name, "%s and %s exclude each other", first->key->name,
                          arg->key->name);
            return false;
        }
        first = arg;
    }
    return true;
}

void tml_adm_joint(TmlAdm *adm, TmlAdmItem *item)
{
    TmlAdmItem *i, *j;
    if (!tml_adm_need_ends(adm, item, &i, &j) || !one_type(adm, item)) {
        return;
    }
    if (tml_adm_has(item, "RACKPIN")) {
        rack_and_pinion(adm, item, i, j);
        return;
    }
    for (size_t k = 0; k < sizeof joint_rules / sizeof *joint_rules; ++k) {
        if (tml_adm_has(item, joint_rules[k].flag)) {
            simple_joint(adm, item, &joint_rules[k], i, j);
            tml_adm_old_friction(adm, item);
            return;
        }
    }
    tml_adm_error(adm, item, tml_adm_whole(item),
                  strcmp(item->syntax->name, "JPRIM") == 0
                      ? "the type is missing: INLINE, INPLANE, ORIENTATION, PARALLEL_AXES, ..."
                      : "the type of the joint is missing: REVOLUTE, SPHERICAL, FIXED, ...");
}

void tml_adm_jprim(TmlAdm *adm, TmlAdmItem *item)
{
    tml_adm_joint(adm, item);
}

/* --- motions ---------------------------------------------------------------------------------- */

/* true: about the axis; false: along it. */
static bool motion_rotates(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *joint)
{
    const bool turns = tml_adm_has(item, "ROTATIONAL");
    const bool slides = tml_adm_has(item, "TRANSLATIONAL") || tml_adm_has(item, "TRANSLATION");
    if (turns || slides) {
        return turns;
    }
    if (joint != NULL && tml_adm_has(joint, "CYLINDRICAL")) {
        tml_adm_error(adm, item, tml_adm_whole(item),
                      "ROTATIONAL or TRANSLATIONAL is missing: JOINT/%s has both", joint->id);
    }
    return joint == NULL || !tml_adm_has(joint, "TRANSLATIONAL");
}

/* Has the joint the coordinate that is driven? Reports when not. */
static void check_driven(TmlAdm *adm, TmlAdmItem *item, const TmlAdmItem *joint, bool turns)
{
    const bool both = tml_adm_has(joint, "CYLINDRICAL") || tml_adm_has(joint, "SCREW");
    bool typed = false;
    for (int k = 0; k < joint->n_args; ++k) {
        typed |= joint->args[k].key->kind == TML_ADM_FLAG;
    }
    if (both || !typed || tml_adm_has(joint, turns ? "REVOLUTE" : "TRANSLATIONAL")) {
        return;
    }
    const TmlAdmArg *arg = tml_adm_arg(item, "JOINT");
    tml_adm_error(adm, item, arg->value,
                  turns
                      ? "JOINT/%s has no angle to drive: expected a REVOLUTE, CYLINDRICAL or SCREW"
                      : "JOINT/%s has no displacement to drive: expected a TRANSLATIONAL, "
                        "CYLINDRICAL or SCREW",
                  joint->id);
}

/* The frames of a motion on markers, whose z axis is the one that is driven. */
static TmlValue *motion_frames(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *i, TmlAdmItem *j)
{
    const int axis = tml_adm_has(item, "X") ? 0 : tml_adm_has(item, "Y") ? 1 : 2;
    if (axis == 2) {
        return tml_adm_pair(adm, tml_adm_whole(item), j->path, i->path);
    }
    const int ax = (axis + 1) % 3, ay = (axis + 2) % 3; // x, y that leave z where it is wanted
    return two_frames(adm, item, turned_frame(adm, j, ax, ay), turned_frame(adm, i, ax, ay));
}

/* Displacement and velocity at the start of a motion whose rate is given. */
static void set_motion_start(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, double unit)
{
    static const char *const names[] = {"ICDISP", "ICVEL"}, *const keys[] = {"initial",
                                                                             "initial_rate"};
    for (int k = 0; k < 2; ++k) {
        const TmlAdmArg *arg = tml_adm_arg(item, names[k]);
        if (arg != NULL) {
            const double value = tml_adm_real(adm, item, names[k], 0.0) * unit;
            tml_adm_set(adm, v, keys[k],
                        tml_adm_number(adm, arg->value, k == 0 ? value : value / adm->time));
        }
    }
}

/* B1, B2, B3: which of the successive angles is driven; NULL: none. */
static const char *driven_angle(const TmlAdmItem *item)
{
    return tml_adm_has(item, "B1")   ? "first"
           : tml_adm_has(item, "B2") ? "second"
           : tml_adm_has(item, "B3") ? "third"
                                     : NULL;
}

/* The coordinate of I against J that is driven. */
static void set_marker_motion(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, TmlAdmItem *i,
                              TmlAdmItem *j)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    const char *angle = driven_angle(item);
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, angle != NULL ? "angle_motion" : "motion"));
    if (angle != NULL) {
        tml_adm_set(adm, v, "frames", tml_adm_pair(adm, at, j->path, i->path));
        tml_adm_set(adm, v, "angle", tml_adm_scalar(adm, at, angle));
    } else {
        tml_adm_set(adm, v, "frames", motion_frames(adm, item, i, j));
        tml_adm_set(adm, v, "coordinate", tml_adm_scalar(adm, at, "displacement"));
    }
}

static void set_joint_motion(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const TmlAdmItem *joint,
                             bool turns)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, "motion"));
    tml_adm_set(adm, v, "joint", tml_adm_scalar(adm, at, joint->name));
    tml_adm_set(adm, v, "coordinate", tml_adm_scalar(adm, at, turns ? "angle" : "displacement"));
}

void tml_adm_motion(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    const TmlAdmArg *function = tml_adm_arg(item, "FUNCTION");
    TmlAdmItem *joint = tml_adm_ref(adm, item, "JOINT", "JOINT"), *i = NULL, *j = NULL;
    TmlValue *v = tml_adm_map(adm, at);
    if (item->failed || (!tml_adm_has(item, "JOINT") && !tml_adm_need_ends(adm, item, &i, &j))) {
        return;
    }
    const bool on_markers = joint == NULL;
    const bool turns = on_markers ? driven_angle(item) != NULL : motion_rotates(adm, item, joint);
    if (!on_markers) {
        check_driven(adm, item, joint, turns);
    }
    if (on_markers && !turns && !tml_adm_has(item, "X") && !tml_adm_has(item, "Y") &&
        !tml_adm_has(item, "Z")) {
        tml_adm_error(adm, item, at, "expected one of X, Y, Z, B1, B2, B3 with I and J");
    }
    const char *of = tml_adm_has(item, "VELOCITY")       ? "velocity"
                     : tml_adm_has(item, "ACCELERATION") ? "acceleration"
                                                         : "displacement";
    const double rate = of[0] == 'v'   ? 1.0 / adm->time
                        : of[0] == 'a' ? 1.0 / (adm->time * adm->time)
                                       : 1.0;
    const char *text = function != NULL ? tml_adm_constraint(adm, item, function->value) : NULL;
    if (function == NULL) {
        tml_adm_error(adm, item, at, "argument FUNCTION is missing");
    }
    if (text == NULL || item->failed) {
        return;
    }
    if (on_markers) {
        set_marker_motion(adm, item, v, i, j);
    } else {
        set_joint_motion(adm, item, v, joint, turns);
    }
    tml_adm_set(adm, v, "of", tml_adm_scalar(adm, at, of));
    if (of[0] != 'd') {
        set_motion_start(adm, item, v, turns ? 1.0 : adm->length);
    }
    text = tml_adm_scaled(adm, text, rate * (turns ? 1.0 : adm->length));
    tml_adm_set(adm, v, "function", tml_adm_scalar(adm, function->value, text));
    tml_adm_enter(adm, adm->joints, item, v);
}

/* --- constraints and couplings ---------------------------------------------------------------- */

/* The reaction of an expression acts on the second frame that it names; a distance may be written
 * either way round. Known for expressions of one displacement only. */
static const char *second_frame(TmlAdm *adm, TmlAdmItem *item, const TmlAdmItem *i,
                                const char *text)
{
    char first[TML_NAME_MAX], second[TML_NAME_MAX];
    const char *open = strchr(text, '('), *more = open;
    while (more != NULL && (more = strchr(more + 1, '(')) != NULL) {
        if (isalpha((unsigned char)more[-1])) {
            return text; // another function
        }
    }
    if (i == NULL || open == NULL || open - text < 2 || open[-2] != 'D' ||
        strchr("MXYZ", open[-1]) == NULL ||
        sscanf(open, "(%120[^,)], %120[^,)])", first, second) != 2) {
        return text;
    }
    if (strcmp(second, i->path) == 0) {
        item->second = i->path;
    } else if (strcmp(first, i->path) == 0 && open[-1] == 'M') {
        item->second = i->path;
        return tml_arena_printf(adm->arena, "%.*s(%s, %s)%s", (int)(open - text), text, second,
                                first, strchr(open, ')') + 1);
    }
    return text;
}

void tml_adm_gcon(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    const TmlAdmArg *function = tml_adm_arg(item, "FUNCTION");
    TmlAdmItem *i = tml_adm_ref(adm, item, "I", "MARKER");
    if (function == NULL) {
        tml_adm_error(adm, item, at, "argument FUNCTION is missing");
        return;
    }
    const char *text = tml_adm_constraint(adm, item, function->value);
    if (text == NULL || item->failed) {
        return;
    }
    text = second_frame(adm, item, i, text);
    if (text != NULL && i != NULL && item->second == NULL) {
        // the reaction is the one on the second frame: this names it, and says nothing else
        text = tml_arena_printf(adm->arena, "0*DX(ground, %s) + %s", i->path, text);
        item->second = i->path;
    }
    if (text == NULL) {
        adm->nomem = true;
        return;
    }
    TmlValue *v = tml_adm_map(adm, at);
    text = tml_adm_scaled(adm, text, adm->length);
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, "expression"));
    tml_adm_set(adm, v, "expression", tml_adm_scalar(adm, function->value, text));
    tml_adm_enter(adm, adm->joints, item, v);
}

/* {joint, coordinate, coefficient} */
static TmlValue *coupler_term(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *joint, bool slides,
                              double factor)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "joint", tml_adm_scalar(adm, at, joint->name));
    tml_adm_set(adm, v, "coordinate", tml_adm_scalar(adm, at, slides ? "displacement" : "angle"));
    tml_adm_set(adm, v, "coefficient",
                tml_adm_number(adm, at, slides ? factor / adm->length : factor));
    return v;
}

static void enter_terms(TmlAdm *adm, TmlAdmItem *item, int n, TmlValue *const *term)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    TmlValue *list = tml_adm_list(adm, at, n, term);
    TmlValue *v = tml_adm_map(adm, at);
    adm->nomem |= list == NULL;
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, "coupler"));
    tml_adm_set(adm, v, "terms", list);
    tml_adm_enter(adm, adm->joints, item, v);
}

/* Speed of the point CV of the part that a joint carries, along z of CV, a unit of the joint's
 * rate:
 *
 *   (K2)  +-(z x (r_cv - r)) . z_cv  or  +-z . z_cv,  minus where the carrier has the marker I */
static bool gear_coefficient(TmlAdm *adm, TmlAdmItem *joint, TmlAdmItem *cv, bool slides,
                             double *out)
{
    TmlAdmItem *i, *j;
    TmlVec3 r, rc;
    TmlMat33 A, Ac;
    if (!tml_adm_ends(adm, joint, &i, &j) || j == NULL || !tml_adm_global(adm, j, &r, &A) ||
        !tml_adm_global(adm, cv, &rc, &Ac)) {
        return false;
    }
    TmlAdmItem *carrier = tml_adm_owner(adm, cv);
    const double sign = tml_adm_owner(adm, i) == carrier ? -1.0 : 1.0;
    const TmlVec3 v = slides ? A.cz : v3_cross(A.cz, v3_sub(rc, r));
    *out = sign * v3_dot(v, Ac.cz);
    return tml_adm_owner(adm, i) == carrier || tml_adm_owner(adm, j) == carrier;
}

void tml_adm_gear(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmArg *joints = tml_adm_arg(item, "JOINTS");
    double id[2], c;
    TmlAdmItem *cv = tml_adm_need(adm, item, "CV", "MARKER");
    TmlValue *term[2];
    if (cv == NULL || tml_adm_reals(adm, item, "JOINTS", 2, 2, id) != 2) {
        if (!item->failed) {
            tml_adm_error(adm, item, tml_adm_whole(item), "argument JOINTS is missing");
        }
        return;
    }
    for (int k = 0; k < 2; ++k) {
        char text[32];
        snprintf(text, sizeof text, "%.0f", id[k]);
        TmlAdmItem *joint = tml_adm_find(adm, "JOINT", text);
        const bool slides = joint != NULL && tml_adm_has(joint, "TRANSLATIONAL");
        if (joint == NULL || !gear_coefficient(adm, joint, cv, slides, &c) || c == 0.0) {
            tml_adm_error(adm, item, joints->value,
                          joint == NULL ? "there is no JOINT/%s"
                                        : "JOINT/%s does not move the point CV along z of CV",
                          text);
            return;
        }
        // coefficients are in SI already
        term[k] = coupler_term(adm, item, joint, slides,
                               (k == 0 ? c : -c) * (slides ? adm->length : 1.0));
    }
    enter_terms(adm, item, 2, term);
}

TmlAdmItem *tml_adm_coupled_joint(TmlAdm *adm, TmlAdmItem *item, double id, const char **type,
                                  bool *slides)
{
    char text[32];
    snprintf(text, sizeof text, "%.0f", id);
    TmlAdmItem *joint = tml_adm_find(adm, "JOINT", text);
    if (joint == NULL) {
        tml_adm_error(adm, item, tml_adm_arg(item, "JOINTS")->value, "there is no JOINT/%s", text);
        return NULL;
    }
    *slides = tml_adm_has(joint, "TRANSLATIONAL");
    if (*type != NULL) {
        *slides = **type == 'T' || **type == 't';
        const char *colon = strchr(*type, ':');
        *type = colon != NULL ? colon + 1 + strspn(colon + 1, " ") : NULL;
    }
    return joint;
}

/* COUPLER: sum of scale times coordinate is zero; coordinates by TYPE = T:R:R or by the joint. */
void tml_adm_coupler(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    const TmlAdmArg *type = tml_adm_arg(item, "TYPE");
    double id[3], scale[3] = {1.0, 1.0, 1.0};
    if (tml_adm_has(item, "FUNCTION")) {
        tml_adm_gcon(adm, item); // an expression of the coordinates that is zero
        return;
    }
    const int n = tml_adm_reals(adm, item, "JOINTS", 2, 3, id);
    const int n_scales = tml_adm_reals(adm, item, "SCALES", 1, 3, scale);
    if (n == 0 || (n_scales != n && n_scales != n - 1)) {
        tml_adm_error(adm, item, at,
                      "expected two or three JOINTS, and as many SCALES or one less (the first is "
                      "then 1)");
        return;
    }
    if (n_scales < n) {
        memmove(scale + 1, scale, (size_t)n_scales * sizeof *scale);
        scale[0] = 1.0;
    }
    const char *word = type != NULL ? tml_adm_copy(adm->arena, type->value) : NULL;
    TmlValue *term[3];
    for (int k = 0; k < n; ++k) {
        bool slides;
        TmlAdmItem *joint = tml_adm_coupled_joint(adm, item, id[k], &word, &slides);
        if (joint == NULL) {
            return;
        }
        term[k] = coupler_term(adm, item, joint, slides, scale[k]);
    }
    enter_terms(adm, item, n, term);
}
