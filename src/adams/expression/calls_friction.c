/* adams/expression/calls_friction.c - FRICTION(id, index): what friction in a joint is made of.
 *
 * Coefficients are those of (F1), (F4) and (F5) in model/force/friction.c, written out here with
 * the numbers of the model's friction; as Adams has them, they point as the friction does, against
 * the velocity. Indices in the order of Adams' results: forces 1-3, torques 4-6 on I, coefficients
 * along 7-9 and about 10-12 the axes, 13 the part of sticking, velocities 14-16, angular ones
 * 17-19, creep along 20-22 and about 23-25, 26 how far sticking has given way to sliding.
 *
 * The axes are those of I, as results of Adams show (its text says J). Ours are those of J; z of
 * both is the same but in ball joints, with R_ba = b_J . a_I:
 *
 *   (A1)  m_a of I = sum_b R_ba m_b of J
 */
#include <string.h>

#include "adams/expression/translator.h"
#include "base/real.h"
#include "model/read/value.h"

enum { FORCE = 1, TORQUE = 4, MU = 7, MU_ABOUT = 10, STUCK = 13, VELOCITY, ANGULAR = 17 };
enum { CREEP = 20, CREEP_ABOUT = 23, SLIDING = 26 };

typedef struct Law {
    TmlAdm *adm;
    const char *name, *joint;
    const char *along, *about;         /* axes of sliding, in the order of the model's unknowns */
    double mu_s, mu_d, v_s, v_d, D, R; /* SI; D 0: no creep */
} Law;

static double number(const TmlValue *map, const char *key)
{
    const TmlValue *v = tml_value_find(map, key);
    return v != NULL && v->text != NULL ? tml_real_read(v->text, NULL) : 0.0;
}

/* false: a joint whose axes are not those of J. */
static bool read_law(TmlAdm *adm, const TmlAdmItem *friction, const TmlAdmItem *joint, Law *law)
{
    static const struct {
        const char *motion, *along, *about;
    } rows[] = {
        {"rotation", "", "Z"}, {"translation", "Z", ""}, {"both", "Z", "Z"}, {"ball", "", "XYZ"}};
    const TmlValue *map = friction->value;
    const TmlValue *motion = map != NULL ? tml_value_find(map, "motion") : NULL;
    for (size_t k = 0; motion != NULL && k < sizeof rows / sizeof *rows; ++k) {
        if (strcmp(motion->text, rows[k].motion) == 0) {
            *law = (Law){.adm = adm,
                         .name = friction->name,
                         .joint = joint->name,
                         .along = rows[k].along,
                         .about = rows[k].about,
                         .mu_s = number(map, "static"),
                         .mu_d = number(map, "dynamic"),
                         .v_s = number(map, "static_velocity"),
                         .v_d = number(map, "dynamic_velocity"),
                         .D = number(map, "creep"),
                         .R = number(map, "radius")};
            return true;
        }
    }
    return false;
}

/* Number of the unknown for an axis along or about which it slides; -1: it does not. */
static int unknown_of(const Law *law, int axis, bool about)
{
    const char *list = about ? law->about : law->along;
    const char *at = strchr(list, "XYZ"[axis]);
    return at != NULL ? (int)(at - list) + (about ? (int)strlen(law->along) : 0) : -1;
}

static int n_unknowns(const Law *law)
{
    return (int)(strlen(law->along) + strlen(law->about));
}

/* s_k */
static void write_speed_of(TmlAdmText *out, const Law *law, int k)
{
    const int n_along = (int)strlen(law->along);
    if (k < n_along) {
        tml_adm_write(out, "velocity(%s)", law->joint);
    } else if (strlen(law->about) == 1) {
        tml_adm_write(out, "%s*angular_velocity(%s)", tml_adm_digits(law->adm, law->R), law->joint);
    } else {
        tml_adm_write(out, "%s*W%c(%s.second, %s.first, %s.first)",
                      tml_adm_digits(law->adm, law->R), law->about[k - n_along], law->joint,
                      law->joint, law->joint);
    }
}

/* s, or c of the creep, rounded off at zero. */
static const char *size_text(const Law *law, bool creep)
{
    TmlAdmText text = {0};
    tml_adm_write(&text, "sqrt(%s^2", tml_adm_digits(law->adm, 1e-3 * (creep ? law->D : law->v_s)));
    for (int k = 0; k < n_unknowns(law); ++k) {
        tml_adm_write(&text, " + (");
        if (creep) {
            tml_adm_write(&text, "%s.x%d", law->name, k + 1);
        } else {
            write_speed_of(&text, law, k);
        }
        tml_adm_write(&text, ")^2");
    }
    tml_adm_write(&text, ")");
    return tml_adm_take(law->adm, &text);
}

/* (F1) of a speed that is not negative, or of any */
static void write_mu(TmlAdmText *out, const Law *law, const char *speed)
{
    const char *v_s = tml_adm_digits(law->adm, law->v_s), *v_d = tml_adm_digits(law->adm, law->v_d);
    const char *mu = tml_adm_digits(law->adm, law->mu_s);
    const char *drop = tml_adm_digits(law->adm, law->mu_s - law->mu_d);
    tml_adm_write(out, "(step5(%s, -%s, -%s, %s, %s)", speed, v_s, mu, v_s, mu);
    tml_adm_write(out, " - step5(%s, %s, 0, %s, %s)", speed, v_s, v_d, drop);
    tml_adm_write(out, " + step5(%s, -%s, %s, -%s, 0))", speed, v_d, drop, v_s);
}

/* b of (F5); rest: what step5 is at a thousandth of the way. */
static void write_sliding(TmlAdmText *out, const Law *law, const char *speed)
{
    const double rest = (1.875 - 1.25e-6 + 0.375e-12) * 1e-3;
    const char *v_s = tml_adm_digits(law->adm, law->v_s);
    tml_adm_write(out, "(step5(%s, -%s, -1, %s, 1) - %s/%s)", speed, v_s, v_s,
                  tml_adm_digits(law->adm, rest * 1e-3 * law->v_s), speed);
}

/* The part of sticking: (1 - b) times the coefficient of the creep. */
static void write_stuck(TmlAdmText *out, const Law *law, const char *speed, const char *creep)
{
    const char *D = tml_adm_digits(law->adm, law->D), *mu = tml_adm_digits(law->adm, law->mu_s);
    tml_adm_write(out, "(1 - ");
    write_sliding(out, law, speed);
    tml_adm_write(out, ")*step5(%s, -%s, -%s, %s, %s)", creep, D, mu, D, mu);
}

/* m_k of (F4) or (F5) */
static void write_coefficient(TmlAdmText *out, const Law *law, int k)
{
    TmlAdmText text = {0};
    if (n_unknowns(law) == 1 && !(law->D > 0.0)) {
        write_speed_of(&text, law, 0);
        write_mu(out, law, tml_adm_take(law->adm, &text));
        return;
    }
    const char *speed = size_text(law, false), *creep = size_text(law, true);
    tml_adm_write(out, "(");
    write_mu(out, law, speed);
    tml_adm_write(out, "*");
    write_speed_of(out, law, k);
    tml_adm_write(out, "/%s", speed);
    if (law->D > 0.0) {
        tml_adm_write(out, " + ");
        write_stuck(out, law, speed, creep);
        tml_adm_write(out, "*%s.x%d/%s", law->name, k + 1, creep);
    }
    tml_adm_write(out, ")");
}

/* A coefficient or the creep of unknown k, SI. */
static void write_unknown(TmlAdmText *out, const Law *law, int k, bool creep)
{
    if (creep) {
        tml_adm_write(out, "%s.x%d", law->name, k + 1);
    } else {
        write_coefficient(out, law, k);
    }
}

/* Along an axis of I, of unknown k that is along the same axis of J. */
static void write_turned(TmlAdmText *out, const Law *law, int k, bool creep)
{
    if (n_unknowns(law) < 3) {
        write_unknown(out, law, k, creep);
        return;
    }
    for (int b = 0; b < 3; ++b) { // (A1)
        tml_adm_write(out, "%sC%c%c(%s.second, %s.first)*", b > 0 ? " + " : "", "XYZ"[b], "XYZ"[k],
                      law -> joint, law -> joint);
        write_unknown(out, law, b, creep);
    }
}

/* Coefficients, creep and the change from sticking to sliding. */
static void write_law(TmlAdmText *out, const Law *law, int index, bool flipped)
{
    const bool creep = index >= CREEP && index < SLIDING;
    const bool about = index >= CREEP_ABOUT || (!creep && index >= MU_ABOUT);
    const int k = unknown_of(law, (index - (creep ? CREEP : MU)) % 3, about);
    const char *sign = flipped != creep ? "" : "-"; // ours are along the velocity of the last end
    const double unit = about ? law->R : law->adm->length;
    if (index == SLIDING) {
        write_sliding(out, law, size_text(law, false));
    } else if (index == STUCK && law->D > 0.0) {
        tml_adm_write(out, "(");
        write_stuck(out, law, size_text(law, false), size_text(law, true));
        tml_adm_write(out, ")");
    } else if (index == STUCK || k < 0 || (creep && !(law->D > 0.0))) {
        tml_adm_write(out, "0");
    } else {
        tml_adm_write(out, "(%s(", sign);
        write_turned(out, law, k, creep);
        tml_adm_write(out, ")*%s)", tml_adm_digits(law->adm, creep ? 1.0 / unit : 1.0));
    }
}

/* Force and velocities, in the axes of I. */
static void write_motion(TmlAdm *adm, TmlAdmText *out, const TmlAdmItem *friction,
                         TmlAdmItem *joint, int index)
{
    TmlAdmItem *i = NULL, *j = NULL;
    const char axis = "xyz"[(index - (index < MU ? FORCE : VELOCITY)) % 3];
    const char capital = (char)(axis - 'x' + 'X');
    const double length = adm->length;
    const double unit = index < TORQUE    ? adm->force
                        : index < MU      ? adm->force * length
                        : index < ANGULAR ? length / adm->time
                                          : 1.0 / adm->time;
    const char *factor = tml_adm_digits(adm, 1.0 / unit);
    tml_adm_ends(adm, joint, &i, &j);
    if (i == NULL || j == NULL) {
        tml_adm_write(out, "0"); // the joint tells what is missing
    } else if (index < MU) {
        tml_adm_write(out, "(%sforce(%s, %s).%c%c*%s)", joint->flipped ? "-" : "", friction->name,
                      i->path, index < TORQUE ? 'f' : 't', axis, factor);
    } else if (index < ANGULAR) {
        tml_adm_write(out, "(V%c(%s, %s, %s, %s)*%s)", capital, i->path, j->path, i->path, j->path,
                      factor);
    } else {
        tml_adm_write(out, "(W%c(%s, %s, %s)*%s)", capital, i->path, j->path, i->path, factor);
    }
}

bool tml_adm_write_friction(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const TmlAdmItem *friction = tml_adm_element_of(t, call->arg[0], f->keyword);
    const TmlAdmArg *arg = friction != NULL ? tml_adm_arg(friction, "JOINT") : NULL;
    const int index = tml_adm_whole_number(t, call->arg[1]);
    Law law;
    if (friction == NULL) {
        return false;
    }
    if (index < FORCE || index > SLIDING) {
        return tml_adm_refuse(t, call->arg[1], "the index of %s must be 1 to 26", f->name);
    }
    TmlAdmItem *joint =
        arg != NULL ? tml_adm_find(t->adm, "JOINT", tml_adm_id(t->adm, arg->value)) : NULL;
    if (friction->inactive || friction->failed || joint == NULL) {
        tml_adm_write(t->out, "0"); // what is wrong is told there
        return true;
    }
    if (index < MU || (index >= VELOCITY && index < CREEP)) {
        write_motion(t->adm, t->out, friction, joint, index);
        return true;
    }
    if (!read_law(t->adm, friction, joint, &law)) {
        return tml_adm_refuse(t, call->at,
                              "%s: coefficients and creep of this joint are not "
                              "supported yet",
                              f->name);
    }
    write_law(t->out, &law, index, joint->flipped);
    return true;
}
