/* adams/expression.c - function expressions in our language.
 *
 * Numbers and operators are the same. Functions of the motion take names instead of identifiers,
 * and are divided by their units: L^l T^t. Reactions and forces: element.c.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adams/dataset.h"

enum { MAX_ARGS = 64, MAX_DEPTH = 200, WORD_MAX = 64 };

typedef struct Translator {
    TmlAdm *adm;
    TmlAdmItem *item;
    TmlAdmText *out;
    int depth;
} Translator;

typedef struct Call {
    const char *name; /* in capitals */
    TmlAdmSlice at, arg[MAX_ARGS];
    char behind[MAX_ARGS]; /* ',' or ':' or ')' */
    int n;
} Call;

static bool translate(Translator *t, TmlAdmSlice s);

static bool refuse(Translator *t, TmlAdmSlice at, const char *what, const char *word)
{
    tml_adm_error(t->adm, t->item, at, what, word);
    return false;
}

/* --- frames -------------------------------------------------------------------------------------
 */

/* A marker by its identifier; 0 is ground. NULL: reported. */
static const char *frame_of(Translator *t, TmlAdmSlice arg)
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
    if (tml_adm_has(marker, "FLOATING")) {
        tml_adm_error(t->adm, t->item, arg, "not supported yet: the place of floating MARKER/%s",
                      id);
        return NULL;
    }
    return marker->path;
}

static TmlAdmItem *element_of(Translator *t, TmlAdmSlice arg, const char *keyword)
{
    const char *id = tml_adm_id(t->adm, arg);
    TmlAdmItem *found = tml_adm_find(t->adm, keyword, id);
    if (found == NULL) {
        tml_adm_error(t->adm, t->item, arg, "there is no %s/%s", keyword, id);
    }
    return found;
}

/* --- functions of the motion
 * ---------------------------------------------------------------------- */

typedef struct Measure {
    const char *name;
    int max_args, length, time; /* exponents of the unit */
} Measure;

static const Measure measures[] = {
    {"DX", 3, 1, 0},    {"DY", 3, 1, 0},    {"DZ", 3, 1, 0},    {"DM", 2, 1, 0},
    {"VX", 4, 1, -1},   {"VY", 4, 1, -1},   {"VZ", 4, 1, -1},   {"VM", 3, 1, -1},
    {"VR", 2, 1, -1},   {"WX", 3, 0, -1},   {"WY", 3, 0, -1},   {"WZ", 3, 0, -1},
    {"WM", 2, 0, -1},   {"ACCX", 4, 1, -2}, {"ACCY", 4, 1, -2}, {"ACCZ", 4, 1, -2},
    {"ACCM", 3, 1, -2}, {"WDTX", 4, 0, -2}, {"WDTY", 4, 0, -2}, {"WDTZ", 4, 0, -2},
    {"WDTM", 3, 0, -2}, {"AX", 2, 0, 0},    {"AY", 2, 0, 0},    {"AZ", 2, 0, 0},
    {"PSI", 2, 0, 0},   {"THETA", 2, 0, 0}, {"PHI", 2, 0, 0},   {"YAW", 2, 0, 0},
    {"PITCH", 2, 0, 0}, {"ROLL", 2, 0, 0},
};

static bool write_measure(Translator *t, const Call *call, const Measure *m)
{
    const double unit = pow(t->adm->length, m->length) * pow(t->adm->time, m->time);
    if (call->n < 1 || call->n > m->max_args) {
        return refuse(t, call->at, "wrong number of arguments of %s", m->name);
    }
    tml_adm_write(t->out, unit != 1.0 ? "(%s(" : "%s(", m->name);
    for (int k = 0; k < call->n; ++k) {
        const char *frame = frame_of(t, call->arg[k]);
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

/* ORIENT(system, component, I, J): systems 1 to 12 are body-fixed sequences. */
static bool write_orient(Translator *t, const Call *call)
{
    enum { N_SEQUENCES = 12, EULER_PARAMETERS = 27 };
    static const int sequences[N_SEQUENCES][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1},
                                                  {1, 0, 2}, {2, 1, 0}, {0, 1, 0}, {0, 2, 0},
                                                  {1, 0, 1}, {1, 2, 1}, {2, 0, 2}, {2, 1, 2}};
    const int system = call->n > 1 ? atoi(tml_adm_id(t->adm, call->arg[0])) : 0;
    const int k = call->n > 1 ? atoi(tml_adm_id(t->adm, call->arg[1])) : 0;
    const char *i = call->n > 2 ? frame_of(t, call->arg[2]) : NULL;
    const char *j = call->n > 3 ? frame_of(t, call->arg[3]) : "ground";
    if (call->n < 3 || call->n > 4) {
        return refuse(t, call->at, "wrong number of arguments of %s", "ORIENT");
    }
    if (i == NULL || j == NULL) {
        return false;
    }
    if (system == EULER_PARAMETERS && k >= 1 && k <= 4) {
        tml_adm_euler_parameter(t->out, k - 1, i, j);
    } else if (system >= 1 && system <= N_SEQUENCES && k >= 1 && k <= 3) {
        tml_adm_sequence(t->out, sequences[system - 1], k - 1, i, j);
    } else {
        return refuse(t, call->at, "not supported yet: this orientation of %s", "ORIENT");
    }
    return true;
}

/* INCANG(i, j, k): the angle at j between the lines to i and to k. */
static bool write_included_angle(Translator *t, const Call *call)
{
    const char *i = call->n == 3 ? frame_of(t, call->arg[0]) : NULL;
    const char *j = call->n == 3 ? frame_of(t, call->arg[1]) : NULL;
    const char *k = call->n == 3 ? frame_of(t, call->arg[2]) : NULL;
    if (call->n != 3) {
        return refuse(t, call->at, "wrong number of arguments of %s", "INCANG");
    }
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
static bool write_element(Translator *t, const Call *call, const char *keyword)
{
    TmlAdmItem *element = call->n >= 3 ? element_of(t, call->arg[0], keyword) : NULL;
    const char *axes = call->n > 3 ? frame_of(t, call->arg[3]) : "ground";
    if (call->n < 3 || call->n > 4) {
        return refuse(t, call->at, "wrong number of arguments of %s", call->name);
    }
    const bool on_j = atoi(tml_adm_id(t->adm, call->arg[1])) != 0;
    const int component = atoi(tml_adm_id(t->adm, call->arg[2]));
    if (element == NULL || axes == NULL) {
        return false;
    }
    if (component < 1 || component > 8) {
        return refuse(t, call->arg[2], "the component of %s must be 1 to 8", call->name);
    }
    return tml_adm_wrench(t->adm, t->out, t->item, call->at, element, on_j, component, axes);
}

/* FX(i, j, rm) .. TM(i, j) */
static bool write_between(Translator *t, const Call *call, int component)
{
    TmlAdmItem *i = call->n > 0 ? element_of(t, call->arg[0], "MARKER") : NULL, *j = NULL;
    const char *axes = call->n > 2 ? frame_of(t, call->arg[2]) : "ground";
    if (call->n < 1 || call->n > 3) {
        return refuse(t, call->at, "wrong number of arguments of %s", call->name);
    }
    if (call->n > 1 && strcmp(tml_adm_id(t->adm, call->arg[1]), "0") != 0) {
        j = element_of(t, call->arg[1], "MARKER");
        if (j == NULL) {
            return false;
        }
    }
    return i != NULL && axes != NULL &&
           tml_adm_between(t->adm, t->out, t->item, call->at, i, j, component, axes);
}

/* VARVAL, DIF, DIF1, and ARYVAL of an array of variables or numbers. */
static bool write_value(Translator *t, const Call *call)
{
    const bool variable = strcmp(call->name, "VARVAL") == 0;
    if (call->n != 1) {
        return refuse(t, call->at, "wrong number of arguments of %s", call->name);
    }
    TmlAdmItem *found = element_of(t, call->arg[0], variable ? "VARIABLE" : "DIFF");
    if (found == NULL) {
        return false;
    }
    if (strcmp(call->name, "DIF1") != 0) {
        tml_adm_write(t->out, "%s", found->name);
    } else if (t->adm->time != 1.0) {
        tml_adm_write(t->out, "(rate(%s)*%s)", found->name, tml_adm_digits(t->adm, t->adm->time));
    } else {
        tml_adm_write(t->out, "rate(%s)", found->name);
    }
    return true;
}

static bool write_array_value(Translator *t, const Call *call)
{
    TmlAdmItem *array = call->n == 2 ? element_of(t, call->arg[0], "ARRAY") : NULL;
    const int k = call->n == 2 ? atoi(tml_adm_id(t->adm, call->arg[1])) : 0;
    double x[1024];
    if (call->n != 2) {
        return refuse(t, call->at, "wrong number of arguments of %s", "ARYVAL");
    }
    if (array == NULL) {
        return false;
    }
    const bool numbers = tml_adm_has(array, "NUMBERS");
    const int n = tml_adm_reals(t->adm, array, numbers ? "NUMBERS" : "VARIABLES", 1, 1024, x);
    if (n == 0 || k < 1 || k > n) {
        return refuse(t, call->at, "not supported yet: this element of an array of %s", "ARYVAL");
    }
    if (numbers) {
        tml_adm_write(t->out, "(%s)", tml_adm_digits(t->adm, x[k - 1]));
        return true;
    }
    char id[32];
    snprintf(id, sizeof id, "%.0f", x[k - 1]);
    TmlAdmItem *variable = tml_adm_find(t->adm, "VARIABLE", id);
    if (variable == NULL) {
        return refuse(t, call->at, "an entry of the array is no %s", "VARIABLE");
    }
    tml_adm_write(t->out, "%s", variable->name);
    return true;
}

/* CUBSPL(x, z, spline, order) */
static bool write_spline(Translator *t, const Call *call)
{
    TmlAdmItem *spline = call->n >= 3 ? element_of(t, call->arg[2], "SPLINE") : NULL;
    const bool order = call->n > 3 && strcmp(tml_adm_id(t->adm, call->arg[3]), "0") != 0;
    if (call->n < 3 || call->n > 4 || order) {
        return refuse(t, call->at, "not supported yet: derivatives by %s", call->name);
    }
    if (spline == NULL) {
        return false;
    }
    tml_adm_write(t->out, "%s(", strcmp(call->name, "AKISPL") == 0 ? "akispl" : "cubspl");
    if (!translate(t, call->arg[0])) {
        return false;
    }
    tml_adm_write(t->out, ", %s)", spline->name);
    return true;
}

/* --- mathematics
 * ---------------------------------------------------------------------------------- */

static const char *const mathematics[] = {
    "ABS",  "ACOS",  "AINT",   "ANINT",  "ASIN", "ATAN",  "ATAN2",  "COS",    "COSH",
    "DIM",  "EXP",   "LOG",    "LOG10",  "MAX",  "MIN",   "MOD",    "SIGN",   "SIN",
    "SINH", "SQRT",  "TAN",    "TANH",   "STEP", "STEP5", "HAVSIN", "IMPACT", "BISTOP",
    "POLY", "CHEBY", "FORCOS", "FORSIN", "SHF",  "SWEEP", "IF",
};

static bool write_plain(Translator *t, const Call *call)
{
    char name[WORD_MAX];
    snprintf(name, sizeof name, "%s", call->name);
    for (char *c = name; *c != '\0'; ++c) {
        *c = (char)tolower((unsigned char)*c);
    }
    tml_adm_write(t->out, "%s(", name);
    for (int k = 0; k < call->n; ++k) {
        if (!translate(t, call->arg[k])) {
            return false;
        }
        if (k + 1 < call->n) {
            tml_adm_write(t->out, "%c ", call->behind[k]);
        }
    }
    tml_adm_write(t->out, ")");
    return true;
}

typedef struct ElementRule {
    const char *function, *keyword;
} ElementRule;

static const ElementRule element_rules[] = {
    {"JOINT", "JOINT"},   {"JPRIM", "JPRIM"},     {"MOTION", "MOTION"},     {"SFORCE", "SFORCE"},
    {"VFORCE", "VFORCE"}, {"VTORQ", "VTORQUE"},   {"VTORQUE", "VTORQUE"},   {"GFORCE", "GFORCE"},
    {"BUSH", "BUSHING"},  {"BUSHING", "BUSHING"}, {"SPDP", "SPRINGDAMPER"}, {"BEAM", "BEAM"},
    {"FIELD", "FIELD"},
};

static bool write_call(Translator *t, const Call *call)
{
    static const char *const wrench[] = {"FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"};
    for (size_t k = 0; k < sizeof measures / sizeof *measures; ++k) {
        if (strcmp(call->name, measures[k].name) == 0) {
            return write_measure(t, call, &measures[k]);
        }
    }
    for (size_t k = 0; k < sizeof mathematics / sizeof *mathematics; ++k) {
        if (strcmp(call->name, mathematics[k]) == 0) {
            return write_plain(t, call);
        }
    }
    for (size_t k = 0; k < sizeof element_rules / sizeof *element_rules; ++k) {
        if (strcmp(call->name, element_rules[k].function) == 0) {
            return write_element(t, call, element_rules[k].keyword);
        }
    }
    for (int k = 0; k < 8; ++k) {
        if (strcmp(call->name, wrench[k]) == 0) {
            return write_between(t, call, k + 1);
        }
    }
    if (strcmp(call->name, "VARVAL") == 0 || strcmp(call->name, "DIF") == 0 ||
        strcmp(call->name, "DIF1") == 0) {
        return write_value(t, call);
    }
    if (strcmp(call->name, "ARYVAL") == 0) {
        return write_array_value(t, call);
    }
    if (strcmp(call->name, "CUBSPL") == 0 || strcmp(call->name, "AKISPL") == 0) {
        return write_spline(t, call);
    }
    if (strcmp(call->name, "ORIENT") == 0) {
        return write_orient(t, call);
    }
    if (strcmp(call->name, "INCANG") == 0) {
        return write_included_angle(t, call);
    }
    if (strcmp(call->name, "USER") == 0) {
        return refuse(t, call->at, "%s needs a user-written routine, which is not supported yet",
                      call->name);
    }
    return refuse(t, call->at, "function %s is not supported yet", call->name);
}

/* --- tokens
 * --------------------------------------------------------------------------------------- */

static char at(TmlAdmSlice s, int k)
{
    return k < s.length ? s.of->text[s.start + k] : '\0';
}

static TmlAdmSlice sub(TmlAdmSlice s, int from, int to)
{
    return tml_adm_trim((TmlAdmSlice){s.of, s.start + from, to - from});
}

/* Length of a number at k, without the D of degrees. */
static int number_length(TmlAdmSlice s, int k)
{
    int n = k;
    while (isdigit((unsigned char)at(s, n)) || at(s, n) == '.') {
        ++n;
    }
    if (at(s, n) == 'e' || at(s, n) == 'E') {
        const int sign = at(s, n + 1) == '+' || at(s, n + 1) == '-' ? 1 : 0;
        if (isdigit((unsigned char)at(s, n + 1 + sign))) {
            n += 1 + sign;
            while (isdigit((unsigned char)at(s, n))) {
                ++n;
            }
        }
    }
    return n - k;
}

static int write_number(Translator *t, TmlAdmSlice s, int k)
{
    const int n = number_length(s, k);
    const bool degrees =
        (at(s, k + n) == 'd' || at(s, k + n) == 'D') && !isalnum((unsigned char)at(s, k + n + 1));
    tml_adm_write(t->out, degrees ? "(%.*s*dtor)" : "%.*s", n, s.of->text + s.start + k);
    return k + n + (degrees ? 1 : 0);
}

/* Arguments of the call whose parenthesis stands at k; the place behind it, -1: not closed. */
static int split_call(TmlAdmSlice s, int k, Call *call)
{
    int depth = 0, from = k + 1;
    for (; k < s.length; ++k) {
        const char c = at(s, k);
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        const bool joint = c == TML_ADM_JOIN && depth == 1;
        if (joint) { // a comma where two operands would meet, else only the mark
            int before = k - 1, behind = k + 1;
            while (before > from && isspace((unsigned char)at(s, before))) {
                --before;
            }
            while (isspace((unsigned char)at(s, behind))) {
                ++behind;
            }
            const bool operand = isalnum((unsigned char)at(s, before)) || at(s, before) == ')' ||
                                 at(s, before) == '.';
            if (!operand || (!isalnum((unsigned char)at(s, behind)) && at(s, behind) != '(')) {
                continue;
            }
        }
        if ((c == ',' || c == ':' || joint) && depth == 1) {
            const TmlAdmSlice arg = sub(s, from, k);
            if (arg.length > 0 && call->n < MAX_ARGS) { // doubled commas collapse
                call->behind[call->n] = c == ':' ? ':' : ',';
                call->arg[call->n++] = arg;
            }
            from = k + 1;
        }
        if (depth == 0) {
            const TmlAdmSlice arg = sub(s, from, k);
            if (arg.length > 0 && call->n < MAX_ARGS) {
                call->behind[call->n] = ')';
                call->arg[call->n++] = arg;
            }
            return k + 1;
        }
    }
    return -1;
}

static int write_word(Translator *t, TmlAdmSlice s, int k)
{
    char word[WORD_MAX];
    int n = 0, start = k;
    while (isalnum((unsigned char)at(s, k)) || at(s, k) == '_') {
        if (n + 1 < WORD_MAX) {
            word[n++] = (char)toupper((unsigned char)at(s, k));
        }
        ++k;
    }
    word[n] = '\0';
    int open = k;
    while (isspace((unsigned char)at(s, open))) {
        ++open;
    }
    const TmlAdmSlice whole = {s.of, s.start + start, k - start};
    if (at(s, open) == '(') {
        Call call = {.name = word, .at = whole};
        const int behind = split_call(s, open, &call);
        if (behind < 0) {
            refuse(t, whole, "the parenthesis behind %s is not closed", word);
            return -1;
        }
        return write_call(t, &call) ? behind : -1;
    }
    if (strcmp(word, "TIME") == 0) {
        tml_adm_write(t->out, t->adm->time != 1.0 ? "(time*%s)" : "time%.0s",
                      tml_adm_digits(t->adm, 1.0 / t->adm->time));
    } else if (strcmp(word, "PI") == 0 || strcmp(word, "DTOR") == 0 || strcmp(word, "RTOD") == 0) {
        tml_adm_write(t->out, "%s", word[0] == 'P' ? "pi" : word[0] == 'D' ? "dtor" : "rtod");
    } else {
        refuse(t, whole, "unknown name '%s' in an expression", word);
        return -1;
    }
    return k;
}

static bool translate(Translator *t, TmlAdmSlice s)
{
    bool ok = ++t->depth < MAX_DEPTH;
    if (!ok) {
        refuse(t, s, "the expression is nested too deeply%s", "");
    }
    for (int k = 0; ok && k < s.length;) {
        const char c = at(s, k);
        if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)at(s, k + 1)))) {
            k = write_number(t, s, k);
        } else if (isalpha((unsigned char)c)) {
            k = write_word(t, s, k);
        } else if (isspace((unsigned char)c) || c == TML_ADM_JOIN) {
            tml_adm_write(t->out, " ");
            ++k;
        } else if (c == ',' && t->depth == 1) { // doubled at the end of a line
            ++k;
        } else if (strchr("+-*/^()<>=", c) != NULL) {
            tml_adm_write(t->out, "%c", c);
            ++k;
        } else {
            const char word[2] = {c, '\0'};
            refuse(t, sub(s, k, k + 1), "unexpected '%s' in an expression", word);
            k = -1;
        }
        ok = k >= 0;
    }
    t->depth--;
    return ok;
}

const char *tml_adm_expression(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice slice)
{
    TmlAdmText out = {0};
    Translator t = {adm, item, &out, 0};
    if (slice.length == 0) {
        tml_adm_error(adm, item, slice, "an expression is missing");
        return NULL;
    }
    const bool ok = translate(&t, slice);
    const char *text = tml_adm_take(adm, &out);
    return ok && !adm->nomem ? text : NULL;
}

const char *tml_adm_scaled(TmlAdm *adm, const char *expression, double factor)
{
    if (factor == 1.0) {
        return expression;
    }
    const char *text = factor == -1.0 ? tml_arena_printf(adm->arena, "-(%s)", expression)
                                      : tml_arena_printf(adm->arena, "(%s)*%s", expression,
                                                         tml_adm_digits(adm, factor));
    adm->nomem |= text == NULL;
    return text != NULL ? text : expression;
}
