/* adams/translate/translate_contact.c - CONTACT between shapes.
 *
 *   (K1)  IMPACT: N = max(0, K g^e + C S(g / DMAX) g'), our law `impact`
 *   (K2)  POISSON: our law `restitution` with a linear spring, K = PENALTY
 *   (K3)  friction: STEP over both transition velocities, our `coulomb` with the cubic
 *
 * Adams gives no formula for (K2): what is kept is its parameters, the stiffness and the part of
 * the speed with which bodies separate.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "adams/dataset/dataset.h"
#include "model/contact/contacts.h"

enum { SIDE_MOST = 64 };

/* The shapes of IGEOM or JGEOM. */
typedef struct Side {
    const char *argument;
    TmlAdmItem *shape[SIDE_MOST];
    int n;
} Side;

/* A number that must be there, in SI. */
static double need(TmlAdm *adm, TmlAdmItem *item, const char *name, double unit)
{
    if (!tml_adm_has(item, name) && !item->failed) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument %s is missing", name);
    }
    return tml_adm_real(adm, item, name, 0.0) * unit;
}

static void set(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const char *key, const char *argument,
                double value)
{
    const TmlAdmArg *arg = tml_adm_arg(item, argument);
    const TmlAdmSlice at = arg != NULL ? arg->value : tml_adm_whole(item);
    tml_adm_set(adm, v, key, tml_adm_number(adm, at, value));
}

static void set_word(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const char *key, const char *word)
{
    tml_adm_set(adm, v, key, tml_adm_scalar(adm, tml_adm_whole(item), word));
}

/* --- who ---------------------------------------------------------------------------------------- */

/* Solids of one part have one substitute. */
static void add_once(Side *side, TmlAdmItem *shape)
{
    for (int k = 0; k < side->n; ++k) {
        if (side->shape[k] == shape) {
            return;
        }
    }
    side->shape[side->n++] = shape;
}

static void add_shape(TmlAdm *adm, TmlAdmItem *item, Side *side, TmlAdmSlice at)
{
    const char *id = tml_adm_id(adm, at);
    TmlAdmItem *shape = tml_adm_find(adm, "GRAPHICS", id);
    if (shape == NULL) {
        tml_adm_error(adm, item, at, "%s: there is no GRAPHICS/%s", side->argument, id);
    } else if (side->n == SIDE_MOST) {
        tml_adm_error(adm, item, at, "%s: at most %d shapes", side->argument, SIDE_MOST);
    } else if (tml_adm_shape(adm, shape)) {
        add_once(side, tml_adm_stand_in(adm, shape));
    } else if (shape->absent && adm->solids != TML_ADM_SOLIDS_REFUSED) {
        return; // told before
    } else {
        adm->absent_in = shape->absent && adm->absent_in == NULL ? item : adm->absent_in;
        item->failed = true; // told with the shape
    }
}

static void read_side(TmlAdm *adm, TmlAdmItem *item, Side *side)
{
    const TmlAdmArg *arg = tml_adm_arg(item, side->argument);
    TmlAdmSlice id;
    int n = 0;
    for (int at = 0; arg != NULL && tml_adm_next_id(arg->value, &at, &id); ++n) {
        add_shape(adm, item, side, id);
    }
    if (n == 0) {
        tml_adm_error(adm, item, arg != NULL ? arg->name : tml_adm_whole(item),
                      arg != NULL ? "%s: expected identifiers of GRAPHICS"
                                  : "argument %s is missing: it names GRAPHICS",
                      side->argument);
    }
}

static bool can_touch(const char *a, const char *b)
{
    const TmlShapeType *first = tml_find_shape_type(a), *second = tml_find_shape_type(b);
    return first != NULL && second != NULL && tml_can_touch(first, second);
}

/* Shapes that press on each other over an area: a mesh or a profile, and other faces. */
static bool has_surface(const TmlAdmItem *shape)
{
    return strcmp(shape->shape, "mesh") == 0 || strcmp(shape->shape, "extrusion") == 0 ||
           strcmp(shape->shape, "revolution") == 0;
}

static bool has_faces(const TmlAdmItem *shape)
{
    return strcmp(shape->shape, "box") == 0 || strcmp(shape->shape, "hull") == 0 ||
           has_surface(shape);
}

static bool is_curve(const TmlAdmItem *shape)
{
    return tml_adm_has(shape, "CURVE") || tml_adm_has(shape, "ARC");
}

static bool is_plane(const TmlAdmItem *shape)
{
    return strcmp(shape->shape, "half_space") == 0;
}

/* Tells whether two shapes touch in points, as the laws of Adams want it. */
static bool touch_in_points(const TmlAdmItem *a, const TmlAdmItem *b)
{
    const bool faces = has_faces(a) && has_faces(b) && (has_surface(a) || has_surface(b));
    const bool floor = (is_plane(a) && has_surface(b)) || (is_plane(b) && has_surface(a));
    const bool curves = (is_curve(a) || is_plane(a)) && (is_curve(b) || is_plane(b));
    return can_touch(a->shape, b->shape) && (curves || (!faces && !floor));
}

/* A mesh that cannot touch the other as it is does so as its convex hull. */
static bool touch_as_hull(TmlAdm *adm, TmlAdmItem *a, TmlAdmItem *b)
{
    const char *hull = tml_find_shape_type("hull") != NULL ? "hull" : "mesh";
    const bool first = strcmp(a->shape, "mesh") == 0, second = strcmp(b->shape, "mesh") == 0;
    TmlAdmItem *const both[2] = {a, b};
    const bool mesh[2] = {first, second};
    if ((!first && !second) || !can_touch(first ? hull : a->shape, second ? hull : b->shape)) {
        return false;
    }
    for (int k = 0; k < 2; ++k) {
        if (mesh[k]) {
            tml_adm_shape_as(adm, both[k], hull);
            tml_adm_note(adm, both[k], tml_adm_whole(both[k]),
                         "touches as the convex hull of its mesh");
        }
    }
    return true;
}

static bool is_polyhedron(const TmlAdmItem *shape)
{
    return strcmp(shape->shape, "box") == 0 || strcmp(shape->shape, "hull") == 0;
}

/* The law is one of points. Adams has one force for a region of contact; here each corner in it has one. */
static void use_corners(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *a, TmlAdmItem *b)
{
    if (is_polyhedron(a)) {
        tml_adm_shape_points(adm, a, "corners");
    }
    if (is_polyhedron(b)) {
        tml_adm_shape_points(adm, b, "corners");
    }
    const bool flat = is_polyhedron(a) || strcmp(a->shape, "half_space") == 0;
    const bool other = is_polyhedron(b) || strcmp(b->shape, "half_space") == 0;
    if (flat && other && !item->failed) {
        tml_adm_note(adm, item, tml_adm_whole(item),
                     "GRAPHICS/%s and GRAPHICS/%s touch with their corners, each of which has the "
                     "force of the law; Adams has one force for all of a face",
                     a->id, b->id);
    }
}

static bool is_rod(const TmlAdmItem *shape)
{
    return strcmp(shape->shape, "cylinder") == 0 || strcmp(shape->shape, "cone") == 0;
}

/* Rods on a plane stand on feet that share the force of the law, as they do on the faces of boxes. */
static void use_feet(TmlAdm *adm, TmlAdmItem *plane, const TmlAdmItem *rod)
{
    if (strcmp(plane->shape, "half_space") == 0 && is_rod(rod)) {
        tml_adm_shape_points(adm, plane, "feet");
    }
}

static void check_pair(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *a, TmlAdmItem *b)
{
    const TmlAdmSlice at = tml_adm_arg(item, "IGEOM")->value;
    if (a->carrier == b->carrier) {
        tml_adm_error(adm, item, at, "GRAPHICS/%s and GRAPHICS/%s are both on PART/%s", a->id,
                      b->id, a->carrier->id);
        return;
    }
    if (!touch_in_points(a, b) && !touch_as_hull(adm, a, b)) {
        tml_adm_error(adm, item, at,
                      "not supported yet: contact of %s (GRAPHICS/%s) with %s (GRAPHICS/%s)%s",
                      tml_adm_shape_kind(a), a->id, tml_adm_shape_kind(b), b->id,
                      can_touch(a->shape, b->shape)
                          ? ", which press on each other over an area; a law for points does not "
                            "apply there; in a model file they touch with a `foundation`"
                          : "");
    }
    if (!item->failed && !(tml_adm_on_free_side(adm, a, b) && tml_adm_on_free_side(adm, b, a))) {
        tml_adm_error(adm, item, at,
                      "GRAPHICS/%s or GRAPHICS/%s is an open curve that others touch from the "
                      "other side",
                      a->id, b->id);
    }
    use_corners(adm, item, a, b);
    use_feet(adm, a, b);
    use_feet(adm, b, a);
}

static TmlValue *side_value(TmlAdm *adm, TmlAdmItem *item, const Side *side)
{
    TmlValue *word[SIDE_MOST];
    const TmlAdmSlice at = tml_adm_arg(item, side->argument)->value;
    for (int k = 0; k < side->n; ++k) {
        const TmlAdmItem *s = side->shape[k];
        const char *path =
            tml_arena_printf(adm->arena, "%s.%s", tml_adm_body_name(s->carrier), s->name);
        adm->nomem |= path == NULL;
        word[k] = tml_adm_scalar(adm, at, path != NULL ? path : "");
    }
    return side->n == 1 ? word[0] : tml_adm_list(adm, at, side->n, word);
}

static bool set_between(TmlAdm *adm, TmlAdmItem *item, TmlValue *v)
{
    Side side[2] = {{.argument = "IGEOM"}, {.argument = "JGEOM"}};
    read_side(adm, item, &side[0]);
    read_side(adm, item, &side[1]);
    for (int i = 0; i < side[0].n; ++i) {
        for (int j = 0; j < side[1].n && !item->failed; ++j) {
            check_pair(adm, item, side[0].shape[i], side[1].shape[j]);
        }
    }
    if (item->failed) {
        return false;
    }
    TmlValue *both[2] = {side_value(adm, item, &side[0]), side_value(adm, item, &side[1])};
    tml_adm_set(adm, v, "between", tml_adm_list(adm, tml_adm_whole(item), 2, both));
    return true;
}

/* --- how ---------------------------------------------------------------------------------------- */

static void set_impact(TmlAdm *adm, TmlAdmItem *item, TmlValue *v) // (K1)
{
    const double F = adm->force, L = adm->length;
    const double e = need(adm, item, "EXPONENT", 1.0);
    const double damping = tml_adm_real(adm, item, "DAMPING", 0.0) * F * adm->time / L;
    set_word(adm, item, v, "law", "impact");
    set(adm, item, v, "stiffness", "STIFFNESS", need(adm, item, "STIFFNESS", F / pow(L, e)));
    set(adm, item, v, "exponent", "EXPONENT", e);
    if (damping != 0.0) {
        set(adm, item, v, "damping", "DAMPING", damping);
        set(adm, item, v, "damping_depth", "DMAX", need(adm, item, "DMAX", L));
    }
}

static void set_poisson(TmlAdm *adm, TmlAdmItem *item, TmlValue *v) // (K2)
{
    const double e = need(adm, item, "RESTITUTION_COEFFICIENT", 1.0);
    set_word(adm, item, v, "law", "restitution");
    set(adm, item, v, "stiffness", "PENALTY", need(adm, item, "PENALTY", adm->force / adm->length));
    set(adm, item, v, "exponent", "PENALTY", 1.0);
    set(adm, item, v, "restitution", "RESTITUTION_COEFFICIENT", e);
    if (!item->failed) {
        tml_adm_note(adm, item, tml_adm_arg(item, "POISSON")->name,
                     "POISSON is a linear spring, PENALTY, damped so that bodies separate with "
                     "RESTITUTION_COEFFICIENT of their speed");
    }
}

typedef enum Friction { FRICTION_OFF, FRICTION_ON, FRICTION_DYNAMICS } Friction;

static Friction friction_of(TmlAdm *adm, TmlAdmItem *item)
{
    static const struct {
        const char *word;
        Friction use;
    } words[] = {{"OFF", FRICTION_OFF},
                 {"NONE", FRICTION_OFF},
                 {"ON", FRICTION_ON},
                 {"DYNAMICS_ONLY", FRICTION_DYNAMICS},
                 {"DYNAMICSONLY", FRICTION_DYNAMICS}};
    const TmlAdmArg *arg = tml_adm_arg(item, "COULOMB_FRICTION");
    const char *text = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : NULL;
    for (size_t k = 0; text != NULL && k < sizeof words / sizeof *words; ++k) {
        if (strcasecmp(words[k].word, text) == 0) {
            return words[k].use;
        }
    }
    if (arg != NULL) {
        tml_adm_error(adm, item, arg->value,
                      "COULOMB_FRICTION: expected ON, OFF or DYNAMICS_ONLY, got '%.60s'",
                      text != NULL ? text : "");
    }
    return FRICTION_OFF;
}

static void set_friction(TmlAdm *adm, TmlAdmItem *item, TmlValue *v) // (K3)
{
    const Friction use = friction_of(adm, item);
    const double speed = adm->length / adm->time;
    const TmlAdmArg *mu = tml_adm_arg(item, "MU_DYNAMIC");
    if (use == FRICTION_OFF) {
        if (mu != NULL && !tml_adm_has(item, "COULOMB_FRICTION")) {
            tml_adm_note(adm, item, mu->name,
                         "there is no friction: it needs COULOMB_FRICTION = ON");
        }
        return;
    }
    const bool stiction = use == FRICTION_ON;
    const double dynamic = need(adm, item, "MU_DYNAMIC", 1.0);
    const double still = stiction ? need(adm, item, "MU_STATIC", 1.0) : dynamic;
    const double v_d = need(adm, item, "FRICTION_TRANSITION_VELOCITY", speed);
    const double v_s = stiction ? need(adm, item, "STICTION_TRANSITION_VELOCITY", speed) : v_d;
    if (item->failed || (still == 0.0 && dynamic == 0.0)) {
        return;
    }
    TmlValue *f = tml_adm_map(adm, tml_adm_arg(item, "COULOMB_FRICTION")->value);
    set_word(adm, item, f, "law", "coulomb");
    set_word(adm, item, f, "smoothing", "cubic");
    set(adm, item, f, "static", "MU_STATIC", still);
    set(adm, item, f, "dynamic", "MU_DYNAMIC", dynamic);
    set(adm, item, f, "static_velocity", "STICTION_TRANSITION_VELOCITY", v_s);
    // without stiction the coefficient is the same behind the only transition
    set(adm, item, f, "dynamic_velocity", "FRICTION_TRANSITION_VELOCITY",
        stiction ? v_d : 2.0 * v_d);
    tml_adm_set(adm, v, "friction", f);
}

/* Bristles of Adams: how they yield is not documented. */
static void refuse_stiction(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "STICTION");
    const char *text = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : "OFF";
    if (text != NULL && strcasecmp(text, "OFF") != 0) {
        tml_adm_error(adm, item, arg->value,
                      "STICTION is not supported yet: bodies that stick by a deformation");
    }
}

void tml_adm_contact(TmlAdm *adm, TmlAdmItem *item)
{
    TmlValue *v = tml_adm_map(adm, tml_adm_whole(item));
    const bool impact = tml_adm_has(item, "IMPACT"), poisson = tml_adm_has(item, "POISSON");
    if (impact == poisson) {
        tml_adm_error(adm, item, tml_adm_whole(item),
                      impact ? "IMPACT and POISSON exclude each other"
                             : "IMPACT or POISSON is missing: how the force follows from the "
                               "penetration");
        return;
    }
    const bool between = set_between(adm, item, v);
    (impact ? set_impact : set_poisson)(adm, item, v);
    set_friction(adm, item, v);
    refuse_stiction(adm, item);
    set_word(adm, item, v, "neighbours", "true"); // Adams asks for no joint
    if (between && !item->failed) {
        tml_adm_enter(adm, adm->contacts, item, v);
    }
}
