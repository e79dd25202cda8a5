/* adams/expression/function_list.c - the functions of expressions, and those that are ours under another case. */
#include <ctype.h>
#include <string.h>

#include "adams/adams.h"
#include "adams/expression/translator.h"
#include "base/nearest.h"

enum { MANY = TML_ADM_MAX_ARGS };

/* --- mathematics ------------------------------------------------------------------------------ */

static TmlAdmWriter write_plain;

/* The place of the last division in a text that is one quotient, a/b or a*c/b; -1: it is none. */
static int quotient_at(TmlAdmSlice s)
{
    int depth = 0, at = -1;
    for (int k = 0; k < s.length; ++k) {
        const char c = s.of->text[s.start + k];
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth == 0 && (c == '+' || c == '-' || (c == '*' && at >= 0))) {
            return -1; // a sum, or a factor behind
        }
        at = depth == 0 && c == '/' ? k : at;
    }
    return at;
}

static TmlAdmSlice part_of(TmlAdmSlice s, int from, int to)
{
    s.start += from;
    s.length = to - from;
    return s;
}

/* ATAN(a/b) has a value where b is 0, and is taken as 0 where a is, too: bodies start at rest. */
static bool write_arctangent(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const TmlAdmSlice s = call->arg[0];
    const int at = quotient_at(s);
    if (at < 0) {
        return write_plain(t, call, f);
    }
    const TmlAdmSlice a = part_of(s, 0, at), b = part_of(s, at + 1, s.length);
    tml_adm_write(t->out, "atan2((");
    bool ok = tml_adm_translate(t, a);
    tml_adm_write(t->out, ")*sign(1, ");
    ok = ok && tml_adm_translate(t, b);
    tml_adm_write(t->out, "), abs(");
    ok = ok && tml_adm_translate(t, b);
    tml_adm_write(t->out, "))");
    return ok;
}

static bool write_plain(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    if (strcmp(f->name, "IF") == 0 && call->behind[0] != ':') {
        return tml_adm_refuse(t, call->at, "%s(x: a, b, c): expected ':' behind the first value",
                              f->name);
    }
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
static bool write_user(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const TmlAdmSlice last = call->n > 0 ? call->arg[call->n - 1] : call->at;
    const TmlAdmSlice whole = {call->at.of, call->at.start,
                               last.start + last.length - call->at.start};
    const char *text = tml_adm_user(t->adm, t->item, whole, 0);
    (void)f;
    tml_adm_write(t->out, "%s", text != NULL ? text : "");
    return text != NULL;
}

/* A name that somebody gives arguments. */
static bool write_refused(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    tml_adm_error(t->adm, t->item, call->at,
                  "%s takes no arguments: it belongs to the mode that CRATIO of a FLEX_BODY is "
                  "worked out for",
                  f->name);
    return false;
}

/* --- the table -------------------------------------------------------------------------------- */

static const char displacement[] = "displacements", angle[] = "angles", velocity[] = "velocities",
                  acceleration[] = "accelerations", between[] = "forces between markers",
                  element[] = "forces of elements", system_element[] = "variables and tables",
                  mathematics[] = "mathematics", general[] = "general", vectors[] = "vectors",
                  coordinates[] = "modal coordinates",
                  modes[] = "of a mode, in `CRATIO`, without arguments",
                  beam[] = "along a beam, in `FE_LOAD`";

#define MOTION(name, group, most, l, t)                                                            \
    {                                                                                              \
        name, group, 1, most, tml_adm_write_measure, l, t, NULL                                    \
    }
#define ELEMENT(name, keyword)                                                                     \
    {                                                                                              \
        name, element, 3, 4, tml_adm_write_element, 0, 0, keyword                                  \
    }
#define BETWEEN(name, component)                                                                   \
    {                                                                                              \
        name, between, 1, 3, tml_adm_write_between, component, 0, NULL                             \
    }
#define VECTOR(name, most)                                                                         \
    {                                                                                              \
        name, vectors, 1, most, tml_adm_write_vector, 0, 0, NULL                                   \
    }
#define PLAIN(name, group, least, most)                                                            \
    {                                                                                              \
        name, group, least, most, write_plain, 0, 0, NULL                                          \
    }
#define OTHER(name, group, least, most, write, keyword)                                            \
    {                                                                                              \
        name, group, least, most, write, 0, 0, keyword                                             \
    }

static const TmlAdmFunction functions[] = {
    MOTION("DX", displacement, 3, 1, 0),
    MOTION("DY", displacement, 3, 1, 0),
    MOTION("DZ", displacement, 3, 1, 0),
    MOTION("DM", displacement, 2, 1, 0),
    OTHER("AX", angle, 1, 2, tml_adm_write_angle, "PROJX"),
    OTHER("AY", angle, 1, 2, tml_adm_write_angle, "PROJY"),
    OTHER("AZ", angle, 1, 2, tml_adm_write_angle, "PROJZ"),
    MOTION("PSI", angle, 2, 0, 0),
    MOTION("THETA", angle, 2, 0, 0),
    MOTION("PHI", angle, 2, 0, 0),
    MOTION("YAW", angle, 2, 0, 0),
    OTHER("PITCH", angle, 1, 2, tml_adm_write_angle, "-PITCH"),
    MOTION("ROLL", angle, 2, 0, 0),
    OTHER("INCANG", angle, 3, 3, tml_adm_write_included_angle, NULL),
    OTHER("ORIENT", angle, 3, 4, tml_adm_write_orient, NULL),
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
    OTHER("NFORCE", element, 3, 4, tml_adm_write_nforce, "NFORCE"),
    OTHER("FRICTION", element, 2, 2, tml_adm_write_friction, "FRICTION"),
    OTHER("CONTACT", element, 3, 4, tml_adm_write_contact, "CONTACT"),
    OTHER("VARVAL", system_element, 1, 1, tml_adm_write_variable, "VARIABLE"),
    OTHER("SENVAL", system_element, 1, 1, tml_adm_write_sensor, "SENSOR"),
    OTHER("DIF", system_element, 1, 1, tml_adm_write_variable, "DIFF"),
    OTHER("DIF1", system_element, 1, 1, tml_adm_write_rate, "DIFF"),
    OTHER("ARYVAL", system_element, 2, 2, tml_adm_write_entry, "ARRAY"),
    OTHER("PINVAL", system_element, 2, 2, tml_adm_write_entry, "PINPUT"),
    OTHER("POUVAL", system_element, 2, 2, tml_adm_write_entry, "POUTPUT"),
    OTHER("CUBSPL", system_element, 3, 4, tml_adm_write_spline, NULL),
    OTHER("AKISPL", system_element, 3, 4, tml_adm_write_spline, NULL),
    OTHER("CURVE", system_element, 4, 4, tml_adm_write_curve, "CURVE"),
    OTHER("INTERP", system_element, 3, 4, tml_adm_write_interpolation, "SPLINE"),
    OTHER("USER", system_element, 0, MANY, write_user, NULL),
    PLAIN("ABS", mathematics, 1, 1),
    PLAIN("ACOS", mathematics, 1, 1),
    PLAIN("AINT", mathematics, 1, 1),
    PLAIN("ANINT", mathematics, 1, 1),
    PLAIN("ASIN", mathematics, 1, 1),
    OTHER("ATAN", mathematics, 1, 1, write_arctangent, NULL),
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
    OTHER("SD", beam, 1, 1, tml_adm_write_along, NULL),
    OTHER("SV", beam, 1, 1, tml_adm_write_along, NULL),
    OTHER("SA", beam, 1, 1, tml_adm_write_along, NULL),
    OTHER("INVPSD", general, 7, 7, tml_adm_write_density, "SPLINE"),
    OTHER("DELAY", general, 3, 4, tml_adm_write_delay, NULL),
    VECTOR("DXYZ", 3),
    VECTOR("VXYZ", 4),
    VECTOR("WXYZ", 3),
    VECTOR("ACCXYZ", 4),
    VECTOR("WDTXYZ", 4),
    VECTOR("FXYZ", 3),
    VECTOR("TXYZ", 3),
    OTHER("UVX", vectors, 1, 2, tml_adm_write_axis, NULL),
    OTHER("UVY", vectors, 1, 2, tml_adm_write_axis, NULL),
    OTHER("UVZ", vectors, 1, 2, tml_adm_write_axis, NULL),
    OTHER("UV", vectors, 1, 1, tml_adm_write_vector, NULL),
    OTHER("MAG", vectors, 1, 1, tml_adm_write_magnitude, NULL),
    {"Q", coordinates, 2, 2, tml_adm_write_modal, 0, 0, "FLEX_BODY"},
    {"QDOT", coordinates, 2, 2, tml_adm_write_modal, 0, 1, "FLEX_BODY"},
    OTHER("FXFREQ", modes, 0, MANY, write_refused, NULL),
    OTHER("FXMODE", modes, 0, MANY, write_refused, NULL),
};

enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

static bool refuse_count(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const char *more = f->max_args == MANY              ? " or more"
                       : f->max_args == f->min_args     ? ""
                       : f->max_args == f->min_args + 1 ? " or "
                                                        : " to ";
    const bool two = f->max_args != MANY && f->max_args != f->min_args;
    tml_adm_error(t->adm, t->item, call->at, "%s takes %d%s%.0d argument%s, got %d", f->name,
                  f->min_args, more, two ? f->max_args : 0, f->max_args == 1 ? "" : "s", call->n);
    return false;
}

static bool refuse_name(TmlAdmTranslator *t, const TmlAdmCall *call)
{
    const char *names[N_FUNCTIONS];
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        names[k] = functions[k].name;
    }
    const char *near = tml_nearest(call->name, names, N_FUNCTIONS);
    tml_adm_error(t->adm, t->item, call->at,
                  near != NULL ? "function %s is not known; did you mean %s?"
                               : "function %s is not known%.0s",
                  call->name, near != NULL ? near : "");
    return false;
}

static const TmlAdmFunction *find(const char *name)
{
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        if (strcmp(name, functions[k].name) == 0) {
            return &functions[k];
        }
    }
    return NULL;
}

bool tml_adm_is_vector(const char *name)
{
    const TmlAdmFunction *f = find(name);
    return f != NULL && f->group == vectors && f->write != tml_adm_write_magnitude;
}

bool tml_adm_is_plain(TmlAdmSlice s)
{
    static const char *const names[] = {"TIME", "S", "PI", "DTOR", "RTOD"};
    for (int k = 0; k < s.length; ++k) {
        const char *c = s.of->text + s.start + k;
        char word[TML_ADM_WORD_MAX] = "";
        int n = 0;
        for (; k + n < s.length && (isalnum((unsigned char)c[n]) || c[n] == '_' || c[n] == '.');
             ++n) {
            word[n < TML_ADM_WORD_MAX - 1 ? n : TML_ADM_WORD_MAX - 2] =
                (char)toupper((unsigned char)c[n]);
        }
        if (n > 0 && isalpha((unsigned char)word[0])) {
            const TmlAdmFunction *f = find(word);
            bool known = f != NULL && (f->write == write_plain || f->write == write_arctangent);
            for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
                known = known || strcmp(word, names[i]) == 0;
            }
            if (!known) {
                return false;
            }
        }
        k += n > 0 ? n - 1 : 0;
    }
    return true;
}

/* Does it depend on its arguments alone, and these on time? */
static bool needs_no_state(const TmlAdmFunction *f)
{
    static TmlAdmWriter *const writers[] = {tml_adm_write_spline,        tml_adm_write_curve,
                                            tml_adm_write_interpolation, tml_adm_write_variable,
                                            tml_adm_write_entry,         tml_adm_write_magnitude};
    for (size_t k = 0; k < sizeof writers / sizeof *writers; ++k) {
        if (f->write == writers[k] && strcmp(f->name, "DIF") != 0) {
            return true;
        }
    }
    return f->group == mathematics || f->group == general;
}

/* Is it an angle, or an axis, of a marker that follows a curve? */
static bool is_turned(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    const bool orient = f->write == tml_adm_write_orient;
    const bool turns = f->write == tml_adm_write_measure && f->length == 0 && f->time == 0;
    TmlAdmFollower follower;
    for (int k = orient ? 2 : 0; k < call->n; ++k) {
        if ((orient || turns || f->write == tml_adm_write_angle ||
             f->write == tml_adm_write_axis) &&
            tml_adm_follower(t, call->arg[k], &follower)) {
            return true;
        }
    }
    return false;
}

static bool write_function(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    bool written;
    if (is_turned(t, call, f)) {
        return tml_adm_write_turned_angle(t, call, f);
    }
    const bool ok = tml_adm_write_along_follower(t, call, f, &written);
    return written || !ok ? ok : f->write(t, call, f);
}

bool tml_adm_write_call(TmlAdmTranslator *t, const TmlAdmCall *call)
{
    const TmlAdmFunction *f = find(call->name);
    if (f == NULL) {
        return refuse_name(t, call);
    }
    if (t->delay != NULL && !needs_no_state(f)) {
        *t->moves = true;
        return false;
    }
    return call->n >= f->min_args && call->n <= f->max_args ? write_function(t, call, f)
                                                            : refuse_count(t, call, f);
}

void tml_adams_functions(void (*visit)(void *arg, const char *group, const char *name), void *arg)
{
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        visit(arg, functions[k].group, functions[k].name);
    }
}
