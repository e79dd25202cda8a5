/* adams/calls.c - functions of expressions in our language.
 *
 * Functions of the motion take names instead of identifiers, and are divided by their units,
 * L^l T^t. Reactions and forces: element.c.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adams/adams.h"
#include "adams/expression.h"

enum { MANY = TML_ADM_MAX_ARGS };

/* One function: what it is in the guide, how many arguments it takes, and who writes it. */
typedef struct Function {
    const char *name, *group;
    int min_args, max_args;
    bool (*write)(TmlAdmTranslator *t, const TmlAdmCall *call, const struct Function *f);
    int length, time;    /* of the motion: exponents of the unit; FX..: component */
    const char *keyword; /* of an element: its statement */
} Function;

/* --- markers and elements -----------------------------------------------------------------------
 */

/* What is asked of a marker: a floating one stands where I is, with the axes of its part. */
typedef enum Role { PLACE, AXES, VELOCITY } Role;

/* The marker I of the element whose JFLOAT this is; NULL: none. */
static const TmlAdmItem *floats_on(TmlAdm *adm, const TmlAdmItem *marker)
{
    for (int k = 0; k < adm->n; ++k) {
        const TmlAdmArg *arg = tml_adm_arg(&adm->item[k], "JFLOAT");
        const TmlAdmArg *i = tml_adm_arg(&adm->item[k], "I");
        if (arg != NULL && i != NULL && strcmp(tml_adm_id(adm, arg->value), marker->id) == 0) {
            return tml_adm_find(adm, "MARKER", tml_adm_id(adm, i->value));
        }
    }
    return NULL;
}

static const char *floating_frame(TmlAdmTranslator *t, TmlAdmSlice arg, TmlAdmItem *marker,
                                  Role role)
{
    TmlAdmItem *part = tml_adm_owner(t->adm, marker);
    const TmlAdmItem *i = floats_on(t->adm, marker);
    const bool ground = part != NULL && tml_adm_is_ground(part);
    if (part != NULL && (role == AXES || (role == VELOCITY && ground))) {
        return tml_adm_body_name(part);
    }
    if (i == NULL || role == VELOCITY) {
        tml_adm_error(t->adm, t->item, arg,
                      i == NULL ? "floating MARKER/%s belongs to no element"
                                : "not supported yet: the velocity of floating MARKER/%s",
                      marker->id);
        return NULL;
    }
    return i->path;
}

/* A marker by its identifier; 0 is ground. NULL: reported. */
static const char *frame_of(TmlAdmTranslator *t, TmlAdmSlice arg, Role role)
{
    const char *id = tml_adm_id(t->adm, arg);
    if (strcmp(id, "0") == 0) {
        return "ground";
    }
    TmlAdmItem *marker = tml_adm_find(t->adm, "MARKER", id);
    if (marker == NULL || marker->path == NULL) {
        tml_adm_error(t->adm, t->item, arg, "there is no MARKER/%s", id);
        return NULL;
    }
    return tml_adm_has(marker, "FLOATING") ? floating_frame(t, arg, marker, role) : marker->path;
}

static TmlAdmItem *element_of(TmlAdmTranslator *t, TmlAdmSlice arg, const char *keyword)
{
    const char *id = tml_adm_id(t->adm, arg);
    TmlAdmItem *found = tml_adm_find(t->adm, keyword, id);
    if (found == NULL) {
        tml_adm_error(t->adm, t->item, arg, "there is no %s/%s", keyword, id);
    }
    return found;
}

static int whole_number(TmlAdmTranslator *t, TmlAdmSlice arg)
{
    return atoi(tml_adm_id(t->adm, arg));
}

/* --- functions of the motion --------------------------------------------------------------------
 */

static Role role_of(const Function *f, int k)
{
    const bool turns = f->length == 0; // angles and angular velocities
    return k >= 2 || turns ? AXES : f->time == 0 ? PLACE : VELOCITY;
}

static bool write_measure(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    const double unit = pow(t->adm->length, f->length) * pow(t->adm->time, f->time);
    tml_adm_write(t->out, unit != 1.0 ? "(%s(" : "%s(", f->name);
    for (int k = 0; k < call->n; ++k) {
        const char *frame = frame_of(t, call->arg[k], role_of(f, k));
        if (frame == NULL) {
            return false;
        }
        tml_adm_write(t->out, k > 0 ? ", %s" : "%s", frame);
    }
    tml_adm_write(t->out, ")");
    if (unit != 1.0) {
        tml_adm_write(t->out, "*%s)", tml_adm_digits(t->adm, 1.0 / unit));
    }
    return true;
}

/* Angles that have another name or sign with us: AX is the angle of the projected z axis, PITCH
 * turns against the second angle of its sequence. */
static bool write_angle(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    const char *i = frame_of(t, call->arg[0], AXES);
    const char *j = call->n > 1 ? frame_of(t, call->arg[1], AXES) : "ground";
    if (i == NULL || j == NULL) {
        return false;
    }
    tml_adm_write(t->out, f->keyword[0] == '-' ? "(%s(%s, %s))" : "%s(%s, %s)", f->keyword, i, j);
    return true;
}

/* ORIENT(system, component, I, J). */
static bool write_orient(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    const int system = whole_number(t, call->arg[0]), k = whole_number(t, call->arg[1]);
    const char *i = frame_of(t, call->arg[2], AXES);
    const char *j = call->n > 3 ? frame_of(t, call->arg[3], AXES) : "ground";
    if (i == NULL || j == NULL) {
        return false;
    }
    return tml_adm_orient(t->out, system, k, i, j) ||
           tml_adm_refuse(t, call->at, "%s: there is no such system and component", f->name);
}

/* INCANG(i, j, k): the angle at j between the lines to i and to k. */
static bool write_included_angle(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    const char *i = frame_of(t, call->arg[0], PLACE);
    const char *j = frame_of(t, call->arg[1], PLACE);
    const char *k = frame_of(t, call->arg[2], PLACE);
    (void)f;
    if (i == NULL || j == NULL || k == NULL) {
        return false;
    }
    tml_adm_write(t->out, "acos((");
    for (int a = 0; a < 3; ++a) {
        const char axis = "XYZ"[a];
        tml_adm_write(t->out, "%sD%c(%s, %s)*D%c(%s, %s)", a > 0 ? " + " : "", axis, i, j, axis, k,
                      j);
    }
    tml_adm_write(t->out, ")/(DM(%s, %s)*DM(%s, %s)))", i, j, k, j);
    return true;
}

/* --- elements -----------------------------------------------------------------------------------
 */

/* JOINT(id, jflag, comp, rm) and the like. */
static bool write_element(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    TmlAdmItem *element = element_of(t, call->arg[0], f->keyword);
    const char *axes = call->n > 3 ? frame_of(t, call->arg[3], AXES) : "ground";
    const bool on_j = whole_number(t, call->arg[1]) != 0;
    const int component = whole_number(t, call->arg[2]);
    if (element == NULL || axes == NULL) {
        return false;
    }
    if (component < 1 || component > 8) {
        return tml_adm_refuse(t, call->arg[2], "the component of %s must be 1 to 8", call->name);
    }
    return tml_adm_wrench(t->adm, t->out, t->item, call->at, element, on_j, component, axes);
}

/* FX(i, j, rm) .. TM(i, j) */
static bool write_between(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    TmlAdmItem *i = element_of(t, call->arg[0], "MARKER"), *j = NULL;
    const char *axes = call->n > 2 ? frame_of(t, call->arg[2], AXES) : "ground";
    if (call->n > 1 && strcmp(tml_adm_id(t->adm, call->arg[1]), "0") != 0) {
        j = element_of(t, call->arg[1], "MARKER");
        if (j == NULL) {
            return false;
        }
    }
    return i != NULL && axes != NULL &&
           tml_adm_between(t->adm, t->out, t->item, call->at, i, j, f->length, axes);
}

static bool write_variable(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    TmlAdmItem *found = element_of(t, call->arg[0], f->keyword);
    if (found != NULL) {
        tml_adm_write(t->out, "%s", found->name);
    }
    return found != NULL;
}

/* DIF1: per unit of time of the dataset. */
static bool write_rate(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    TmlAdmItem *found = element_of(t, call->arg[0], f->keyword);
    if (found != NULL && t->adm->time != 1.0) {
        tml_adm_write(t->out, "(rate(%s)*%s)", found->name, tml_adm_digits(t->adm, t->adm->time));
    } else if (found != NULL) {
        tml_adm_write(t->out, "rate(%s)", found->name);
    }
    return found != NULL;
}

/* SENVAL(sensor): what it has evaluated. */
static bool write_sensor(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    TmlAdmItem *sensor = element_of(t, call->arg[0], f->keyword);
    if (sensor != NULL) {
        const bool evaluates = tml_adm_has(sensor, "EVALUATE");
        tml_adm_write(t->out, "%s", evaluates ? tml_adm_sensor_value(t->adm, sensor) : "0");
    }
    return sensor != NULL;
}

/* ARYVAL(array, k), PINVAL(pinput, k), POUVAL(poutput, k). */
static bool write_entry(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    TmlAdmItem *list = element_of(t, call->arg[0], f->keyword);
    const int k = whole_number(t, call->arg[1]);
    return list != NULL && (tml_adm_entry(t->adm, t->out, list, k) ||
                            tml_adm_refuse(t, call->at, "%s: there is no such entry", f->name));
}

/* CUBSPL(x, z, spline, order): between curves of a family, linear in z. */
static bool write_spline(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    TmlAdmItem *spline = element_of(t, call->arg[2], "SPLINE");
    const int order = call->n > 3 ? whole_number(t, call->arg[3]) : 0;
    TmlAdmText x = {0}, z = {0};
    TmlAdmText *out = t->out;
    if (spline == NULL) {
        return false;
    }
    if (order < 0 || order > 2) {
        return tml_adm_refuse(t, call->arg[3], "%s: the order of a derivative is 0, 1 or 2",
                              f->name);
    }
    t->out = &x;
    bool ok = tml_adm_translate(t, call->arg[0]);
    t->out = &z;
    ok = ok && tml_adm_translate(t, call->arg[1]);
    t->out = out;
    const char *at = tml_adm_take(t->adm, &x), *along = tml_adm_take(t->adm, &z);
    if (ok && order > 0 && tml_adm_curves(spline) > 1) {
        return tml_adm_refuse(t, call->arg[3], "%s: derivatives of a single curve only", f->name);
    }
    return ok && tml_adm_spline_value(t->adm, out, spline, f->name[0] == 'A' ? "akispl" : "cubspl",
                                      at, along, order);
}

/* --- mathematics ---------------------------------------------------------------------------------
 */

static bool write_plain(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    for (const char *c = f->name; *c != '\0'; ++c) {
        tml_adm_write(t->out, "%c", tolower((unsigned char)*c));
    }
    tml_adm_write(t->out, "(");
    for (int k = 0; k < call->n; ++k) {
        if (!tml_adm_translate(t, call->arg[k])) {
            return false;
        }
        if (k + 1 < call->n) {
            tml_adm_write(t->out, "%c ", call->behind[k]);
        }
    }
    tml_adm_write(t->out, ")");
    return true;
}

/* USER(...) is the whole of an expression. */
static bool write_user(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    const TmlAdmSlice last = call->n > 0 ? call->arg[call->n - 1] : call->at;
    const TmlAdmSlice whole = {call->at.of, call->at.start,
                               last.start + last.length - call->at.start};
    const char *text = tml_adm_user(t->adm, t->item, whole, 0);
    (void)f;
    tml_adm_write(t->out, "%s", text != NULL ? text : "");
    return text != NULL;
}

static bool write_refused(TmlAdmTranslator *t, const TmlAdmCall *call, const Function *f)
{
    return tml_adm_refuse(t, call->at, "function %s is not supported yet", f->name);
}

/* --- the table -----------------------------------------------------------------------------------
 */

static const char displacement[] = "displacements", angle[] = "angles", velocity[] = "velocities",
                  acceleration[] = "accelerations", between[] = "forces between markers",
                  element[] = "forces of elements", system_element[] = "variables and tables",
                  mathematics[] = "mathematics", general[] = "general",
                  none[] = "not supported yet";

#define MOTION(name, group, most, l, t)                                                            \
    {                                                                                              \
        name, group, 1, most, write_measure, l, t, NULL                                            \
    }
#define ELEMENT(name, keyword)                                                                     \
    {                                                                                              \
        name, element, 3, 4, write_element, 0, 0, keyword                                          \
    }
#define BETWEEN(name, component)                                                                   \
    {                                                                                              \
        name, between, 1, 3, write_between, component, 0, NULL                                     \
    }
#define PLAIN(name, group, least, most)                                                            \
    {                                                                                              \
        name, group, least, most, write_plain, 0, 0, NULL                                          \
    }
#define OTHER(name, group, least, most, write, keyword)                                            \
    {                                                                                              \
        name, group, least, most, write, 0, 0, keyword                                             \
    }

static const Function functions[] = {
    MOTION("DX", displacement, 3, 1, 0),
    MOTION("DY", displacement, 3, 1, 0),
    MOTION("DZ", displacement, 3, 1, 0),
    MOTION("DM", displacement, 2, 1, 0),
    OTHER("AX", angle, 1, 2, write_angle, "PROJX"),
    OTHER("AY", angle, 1, 2, write_angle, "PROJY"),
    OTHER("AZ", angle, 1, 2, write_angle, "PROJZ"),
    MOTION("PSI", angle, 2, 0, 0),
    MOTION("THETA", angle, 2, 0, 0),
    MOTION("PHI", angle, 2, 0, 0),
    MOTION("YAW", angle, 2, 0, 0),
    OTHER("PITCH", angle, 1, 2, write_angle, "-PITCH"),
    MOTION("ROLL", angle, 2, 0, 0),
    OTHER("INCANG", angle, 3, 3, write_included_angle, NULL),
    OTHER("ORIENT", angle, 3, 4, write_orient, NULL),
    MOTION("VX", velocity, 4, 1, -1),
    MOTION("VY", velocity, 4, 1, -1),
    MOTION("VZ", velocity, 4, 1, -1),
    MOTION("VM", velocity, 3, 1, -1),
    MOTION("VR", velocity, 2, 1, -1),
    MOTION("WX", velocity, 3, 0, -1),
    MOTION("WY", velocity, 3, 0, -1),
    MOTION("WZ", velocity, 3, 0, -1),
    MOTION("WM", velocity, 2, 0, -1),
    MOTION("ACCX", acceleration, 4, 1, -2),
    MOTION("ACCY", acceleration, 4, 1, -2),
    MOTION("ACCZ", acceleration, 4, 1, -2),
    MOTION("ACCM", acceleration, 3, 1, -2),
    MOTION("WDTX", acceleration, 4, 0, -2),
    MOTION("WDTY", acceleration, 4, 0, -2),
    MOTION("WDTZ", acceleration, 4, 0, -2),
    MOTION("WDTM", acceleration, 3, 0, -2),
    BETWEEN("FM", 1),
    BETWEEN("FX", 2),
    BETWEEN("FY", 3),
    BETWEEN("FZ", 4),
    BETWEEN("TM", 5),
    BETWEEN("TX", 6),
    BETWEEN("TY", 7),
    BETWEEN("TZ", 8),
    ELEMENT("JOINT", "JOINT"),
    ELEMENT("JPRIM", "JPRIM"),
    ELEMENT("MOTION", "MOTION"),
    ELEMENT("PTCV", "PTCV"),
    ELEMENT("CVCV", "CVCV"),
    ELEMENT("GCON", "GCON"),
    ELEMENT("SFORCE", "SFORCE"),
    ELEMENT("VFORCE", "VFORCE"),
    ELEMENT("VTORQ", "VTORQUE"),
    ELEMENT("VTORQUE", "VTORQUE"),
    ELEMENT("GFORCE", "GFORCE"),
    ELEMENT("BUSH", "BUSHING"),
    ELEMENT("BUSHING", "BUSHING"),
    ELEMENT("SPDP", "SPRINGDAMPER"),
    ELEMENT("BEAM", "BEAM"),
    ELEMENT("FIELD", "FIELD"),
    OTHER("VARVAL", system_element, 1, 1, write_variable, "VARIABLE"),
    OTHER("SENVAL", system_element, 1, 1, write_sensor, "SENSOR"),
    OTHER("DIF", system_element, 1, 1, write_variable, "DIFF"),
    OTHER("DIF1", system_element, 1, 1, write_rate, "DIFF"),
    OTHER("ARYVAL", system_element, 2, 2, write_entry, "ARRAY"),
    OTHER("PINVAL", system_element, 2, 2, write_entry, "PINPUT"),
    OTHER("POUVAL", system_element, 2, 2, write_entry, "POUTPUT"),
    OTHER("CUBSPL", system_element, 3, 4, write_spline, NULL),
    OTHER("AKISPL", system_element, 3, 4, write_spline, NULL),
    OTHER("USER", system_element, 0, MANY, write_user, NULL),
    PLAIN("ABS", mathematics, 1, 1),
    PLAIN("ACOS", mathematics, 1, 1),
    PLAIN("AINT", mathematics, 1, 1),
    PLAIN("ANINT", mathematics, 1, 1),
    PLAIN("ASIN", mathematics, 1, 1),
    PLAIN("ATAN", mathematics, 1, 1),
    PLAIN("ATAN2", mathematics, 2, 2),
    PLAIN("COS", mathematics, 1, 1),
    PLAIN("COSH", mathematics, 1, 1),
    PLAIN("DIM", mathematics, 2, 2),
    PLAIN("EXP", mathematics, 1, 1),
    PLAIN("LOG", mathematics, 1, 1),
    PLAIN("LOG10", mathematics, 1, 1),
    PLAIN("MAX", mathematics, 2, MANY),
    PLAIN("MIN", mathematics, 2, MANY),
    PLAIN("MOD", mathematics, 2, 2),
    PLAIN("SIGN", mathematics, 2, 2),
    PLAIN("SIN", mathematics, 1, 1),
    PLAIN("SINH", mathematics, 1, 1),
    PLAIN("SQRT", mathematics, 1, 1),
    PLAIN("TAN", mathematics, 1, 1),
    PLAIN("TANH", mathematics, 1, 1),
    PLAIN("IF", general, 4, 4),
    PLAIN("STEP", general, 5, 5),
    PLAIN("STEP5", general, 5, 5),
    PLAIN("HAVSIN", general, 5, 5),
    PLAIN("IMPACT", general, 7, 7),
    PLAIN("BISTOP", general, 8, 8),
    PLAIN("POLY", general, 3, MANY),
    PLAIN("CHEBY", general, 3, MANY),
    PLAIN("FORCOS", general, 4, MANY),
    PLAIN("FORSIN", general, 4, MANY),
    PLAIN("SHF", general, 4, 6),
    PLAIN("SWEEP", general, 7, 7),
    OTHER("CONTACT", none, 0, MANY, write_refused, NULL),
    OTHER("INVPSD", none, 0, MANY, write_refused, NULL),
    OTHER("FXFREQ", none, 0, MANY, write_refused, NULL),
    OTHER("FXMODE", none, 0, MANY, write_refused, NULL),
    OTHER("INTERP", none, 0, MANY, write_refused, NULL),
};

enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

bool tml_adm_write_call(TmlAdmTranslator *t, const TmlAdmCall *call)
{
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        const Function *f = &functions[k];
        if (strcmp(call->name, f->name) == 0) {
            return (call->n >= f->min_args && call->n <= f->max_args) ||
                           tml_adm_refuse(t, call->at, "wrong number of arguments of %s", f->name)
                       ? f->write(t, call, f)
                       : false;
        }
    }
    return tml_adm_refuse(t, call->at, "function %s is not known", call->name);
}

void tml_adams_functions(void (*visit)(void *arg, const char *group, const char *name), void *arg)
{
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        visit(arg, functions[k].group, functions[k].name);
    }
}
