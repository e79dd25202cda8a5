/* adams/translate/translate_friction.c - FRICTION, and the friction arguments that JOINT had in older Adams.
 *
 * Coefficients, speeds and the creep of sticking joints have the meaning of our own friction. What
 * is left out of INPUTS has a lever of zero. Axial loads of an old joint press on a ring:
 *
 *   (R1)  arm = 2/3 (R_o^3 - R_i^3) / (R_o^2 - R_i^2)
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "adams/dataset/dataset.h"

/* What presses; bits of INPUTS. */
enum { PRELOAD = 1, REACTION_FORCE = 2, BENDING_MOMENT = 4, TORSIONAL_MOMENT = 8, ALL_INPUTS = 15 };

typedef struct Word {
    const char *name;
    int value;
} Word;

/* Sum of the values of words separated by colons; -1: reported. */
static int read_words(TmlAdm *adm, TmlAdmItem *item, const char *name, const Word *list,
                      int standard)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    const char *text = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : NULL;
    if (arg == NULL || text == NULL) {
        adm->nomem |= arg != NULL;
        return standard;
    }
    int sum = 0;
    for (const char *c = text + strspn(text, " :("); *c != '\0'; c += strspn(c, " :)")) {
        const size_t n = strcspn(c, " :)");
        const Word *w = list;
        while (w->name != NULL && (n > strlen(w->name) || strncasecmp(w->name, c, n) != 0)) {
            ++w;
        }
        if (w->name == NULL) {
            tml_adm_error(adm, item, arg->value, "%s: unknown word '%.*s'", name, (int)n, c);
            return -1;
        }
        sum |= w->value;
        c += n;
    }
    return sum;
}

static void set(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const char *key, double value)
{
    tml_adm_set(adm, v, key, tml_adm_number(adm, tml_adm_whole(item), value));
}

static void set_word(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const char *key, const char *word)
{
    tml_adm_set(adm, v, key, tml_adm_scalar(adm, tml_adm_whole(item), word));
}

/* A number that must not be negative, in SI. */
static double amount(TmlAdm *adm, TmlAdmItem *item, const char *name, double standard, double unit)
{
    const double value = tml_adm_real(adm, item, name, standard);
    if (value < 0.0 && !item->failed) {
        tml_adm_error(adm, item, tml_adm_arg(item, name)->value, "%s must not be negative", name);
    }
    return value * unit;
}

/* Our friction of a kind of joint; NULL: it has none. */
static const char *motion_of(const TmlAdmItem *joint, bool j_yoke)
{
    static const struct {
        const char *flag, *motion;
    } rows[] = {{"REVOLUTE", "rotation"},
                {"TRANSLATIONAL", "translation"},
                {"CYLINDRICAL", "both"},
                {"SPHERICAL", "ball"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        if (tml_adm_has(joint, rows[k].flag)) {
            return rows[k].motion;
        }
    }
    if (tml_adm_has(joint, "UNIVERSAL") || tml_adm_has(joint, "HOOKE")) {
        return j_yoke ? "second_axis" : "first_axis";
    }
    return NULL;
}

/* STICTION without SLIDING and the other way round leave out one of the coefficients. */
static void set_law(TmlAdm *adm, TmlAdmItem *item, TmlValue *v)
{
    enum { STICTION = 1, SLIDING = 2 };
    static const Word effects[] = {
        {"ALL", STICTION | SLIDING}, {"STICTION", STICTION}, {"SLIDING", SLIDING}, {NULL, 0}};
    const double L = adm->length, speed = L / adm->time;
    const int effect = read_words(adm, item, "EFFECT", effects, STICTION | SLIDING);
    const double dynamic = amount(adm, item, "MU_DYNAMIC", 0.0, 1.0);
    const double still = amount(adm, item, "MU_STATIC", 0.0, 1.0);
    const double v_s = amount(adm, item, "STICTION_TRANSITION_VELOCITY", 0.1, speed);
    const double ratio = amount(adm, item, "TRANSITION_VELOCITY_COEFFICIENT", 1.5, 1.0);
    const double creep = amount(adm, item, "MAX_STICTION_DEFORMATION", 0.01, L);
    if (ratio <= 1.0 && !item->failed) {
        tml_adm_error(adm, item, tml_adm_arg(item, "TRANSITION_VELOCITY_COEFFICIENT")->value,
                      "the coefficient must be larger than 1");
    }
    set(adm, item, v, "static", (effect & STICTION) != 0 ? still : dynamic);
    set(adm, item, v, "dynamic", (effect & SLIDING) != 0 ? dynamic : 0.0);
    set(adm, item, v, "static_velocity", v_s);
    set(adm, item, v, "dynamic_velocity", ratio * v_s);
    if ((effect & STICTION) != 0) {
        set(adm, item, v, "creep", creep);
    }
}

/* Levers and loads of what INPUTS names. */
static void set_load(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const char *motion)
{
    static const Word inputs[] = {{"ALL", ALL_INPUTS},
                                  {"NONE", 0},
                                  {"PRELOAD", PRELOAD},
                                  {"REACTION_FORCE", REACTION_FORCE},
                                  {"BENDING_MOMENT", BENDING_MOMENT},
                                  {"TORSIONAL_MOMENT", TORSIONAL_MOMENT},
                                  {NULL, 0}};
    static const Word overlaps[] = {{"CONSTANT", 0}, {"INCREASE", 1}, {"DECREASE", 2}, {NULL, 0}};
    const double L = adm->length, F = adm->force;
    const int in = read_words(adm, item, "INPUTS", inputs, ALL_INPUTS);
    const bool ball = strcmp(motion, "ball") == 0, both = strcmp(motion, "both") == 0;
    const bool slides = strcmp(motion, "translation") == 0;
    if (!slides) {
        const double r = amount(adm, item, ball ? "BALL_RADIUS" : "PIN_RADIUS", 1.0, L);
        set(adm, item, v, "radius", r);
    }
    if (!slides && !both && !ball) {
        set(adm, item, v, "arm", amount(adm, item, "FRICTION_ARM", 1.0, L));
    }
    if ((in & BENDING_MOMENT) != 0 && (slides || both)) {
        const int overlap = read_words(adm, item, "OVERLAP_DELTA", overlaps, 0);
        set(adm, item, v, "reach", amount(adm, item, "INITIAL_OVERLAP", 1000.0, L));
        if (overlap > 0) {
            set(adm, item, v, "reach_rate", overlap == 1 ? 1.0 : -1.0);
        }
    } else if ((in & BENDING_MOMENT) != 0 && !ball) {
        set(adm, item, v, "reach", amount(adm, item, "BENDING_REACTION_ARM", 1.0, L));
    }
    if ((in & TORSIONAL_MOMENT) != 0 && slides) {
        set(adm, item, v, "torsion", amount(adm, item, "REACTION_ARM", 1.0, L));
    } else if (slides && (in & BENDING_MOMENT) != 0) {
        set(adm, item, v, "torsion", 1e9); // metres: torques about z as good as do not press
    }
    if ((in & REACTION_FORCE) == 0) {
        set_word(adm, item, v, "load", "false");
    }
    if ((in & PRELOAD) != 0 && tml_adm_has(item, "FRICTION_FORCE_PRELOAD")) {
        set(adm, item, v, "drag", amount(adm, item, "FRICTION_FORCE_PRELOAD", 0.0, F));
    }
    if ((in & PRELOAD) != 0 && tml_adm_has(item, "FRICTION_TORQUE_PRELOAD")) {
        set(adm, item, v, "drag_torque", amount(adm, item, "FRICTION_TORQUE_PRELOAD", 0.0, F * L));
    }
}

static TmlValue *start_friction(TmlAdm *adm, TmlAdmItem *item, const char *joint,
                                const char *motion)
{
    TmlValue *v = tml_adm_map(adm, tml_adm_whole(item));
    set_word(adm, item, v, "type", "friction");
    set_word(adm, item, v, "joint", joint);
    set_word(adm, item, v, "motion", motion);
    set(adm, item, v, "smoothing", 1e-6 * adm->force); // far below any load that matters
    return v;
}

void tml_adm_friction(TmlAdm *adm, TmlAdmItem *item)
{
    static const Word yokes[] = {{"I_YOKE", 1}, {"J_YOKE", 2}, {NULL, 0}};
    TmlAdmItem *joint = tml_adm_need(adm, item, "JOINT", "JOINT");
    const TmlAdmArg *formulation = tml_adm_arg(item, "FORMULATION");
    const bool j_yoke = read_words(adm, item, "YOKE", yokes, 1) == 2 || tml_adm_has(item, "J_YOKE");
    if (joint == NULL || joint->failed || item->failed) {
        return;
    }
    const char *motion = motion_of(joint, j_yoke);
    if (motion == NULL) {
        tml_adm_error(adm, item, tml_adm_arg(item, "JOINT")->value,
                      "JOINT/%s must be a revolute, translational, cylindrical, spherical, hooke "
                      "or universal joint",
                      joint->id);
        return;
    }
    if (formulation != NULL && formulation->value.length > 0 &&
        strchr("Ll", formulation->value.of->text[formulation->value.start]) != NULL) {
        tml_adm_error(adm, item, formulation->value,
                      "not supported yet: friction by LuGre; forces would follow another law");
        return;
    }
    TmlValue *v = start_friction(adm, item, joint->name, motion);
    set_law(adm, item, v);
    set_load(adm, item, v, motion);
    if (!item->failed) {
        tml_adm_enter(adm, adm->forces, item, v);
    }
}

/* --- arguments of JOINT ----------------------------------------------------------------------- */

static void set_old_load(TmlAdm *adm, TmlAdmItem *joint, TmlValue *v, bool turns)
{
    const double L = adm->length, F = adm->force;
    if (!turns) {
        const double x = amount(adm, joint, "PRELOAD_X", 0.0, F);
        const double y = amount(adm, joint, "PRELOAD_Y", 0.0, F);
        const double width = amount(adm, joint, "WIDTH", 1.0, L);
        set(adm, joint, v, "preload", hypot(x, y));
        set(adm, joint, v, "reach", amount(adm, joint, "HEIGHT", 1.0, L));
        set(adm, joint, v, "torsion", 0.5 * width);
        return;
    }
    const double inner = amount(adm, joint, "INNER_RADIUS", 1.0, L);
    const double outer = amount(adm, joint, "OUTER_RADIUS", 1.1, L);
    const double ring = outer * outer - inner * inner;
    const double arm = ring > 0.0
                           ? 2.0 / 3.0 * (outer * outer * outer - inner * inner * inner) / ring
                           : inner; // (R1)
    if (!(inner > 0.0) && !joint->failed) {
        tml_adm_error(adm, joint, tml_adm_whole(joint), "INNER_RADIUS must be positive");
        return;
    }
    const double axial = amount(adm, joint, "PRELOAD_AXIAL", 0.0, F) * arm / inner;
    set(adm, joint, v, "radius", inner);
    set(adm, joint, v, "arm", arm);
    set(adm, joint, v, "preload", axial + amount(adm, joint, "PRELOAD_RADIAL", 0.0, F));
}

void tml_adm_old_friction(TmlAdm *adm, TmlAdmItem *joint)
{
    enum { ON = 1, PRELOAD_ONLY = 2 };
    static const Word words[] = {{"OFF", 0}, {"ON", ON}, {"PRELOAD_ONLY", PRELOAD_ONLY}, {NULL, 0}};
    const int use = read_words(adm, joint, "FRICTION", words, 0);
    const bool turns = tml_adm_has(joint, "REVOLUTE");
    const bool given = tml_adm_has(joint, "MU_DYN_ROT") || tml_adm_has(joint, "MU_DYN_TRANS") ||
                       tml_adm_has(joint, "MU_STAT_ROT") || tml_adm_has(joint, "MU_STAT_TRANS");
    if (use <= 0) {
        if (given && !joint->failed) {
            tml_adm_note(adm, joint, tml_adm_whole(joint),
                         "no friction: it is off without FRICTION = ON");
        }
        return;
    }
    if (!turns && !tml_adm_has(joint, "TRANSLATIONAL")) {
        tml_adm_error(adm, joint, tml_adm_arg(joint, "FRICTION")->value,
                      "only revolute and translational joints can have friction");
        return;
    }
    const char *name = tml_arena_printf(adm->arena, "%s_friction", joint->name);
    if (name == NULL) {
        adm->nomem = true;
        return;
    }
    const char *still = turns ? "MU_STAT_ROT" : "MU_STAT_TRANS";
    const char *moving = turns ? "MU_DYN_ROT" : "MU_DYN_TRANS";
    const double dynamic = amount(adm, joint, moving, 0.0, 1.0);
    const double v_s = amount(adm, joint, "DELTA_V", 0.01, adm->length / adm->time);
    TmlValue *v = start_friction(adm, joint, joint->name, turns ? "rotation" : "translation");
    set(adm, joint, v, "static",
        tml_adm_has(joint, still) ? amount(adm, joint, still, 0.0, 1.0) : dynamic);
    set(adm, joint, v, "dynamic", dynamic);
    set(adm, joint, v, "static_velocity", v_s);
    set(adm, joint, v, "dynamic_velocity", 1.5 * v_s);
    set(adm, joint, v, "creep", amount(adm, joint, "MAXIMUM_DEFORMATION", 0.01, adm->length));
    set_old_load(adm, joint, v, turns);
    if (use == PRELOAD_ONLY) {
        set_word(adm, joint, v, "load", "false");
    }
    if (!joint->failed) {
        tml_adm_set(adm, adm->forces, name, v);
    }
}
