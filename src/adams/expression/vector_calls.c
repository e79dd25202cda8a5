/* adams/expression/vector_calls.c - expressions with vectors, written out for their components.
 *
 * A vector is three numbers: [x, y, z], a measure such as DXYZ(i, j, k) in the axes of k, and what
 * becomes of them:
 *
 *   (V1)  v + w, v - w, -v, s*v, v*s, v/s     vectors
 *   (V2)  v*w = v_x w_x + v_y w_y + v_z w_z
 *   (V3)  v%w = [v_y w_z - v_z w_y, v_z w_x - v_x w_z, v_x w_y - v_y w_x]
 *   (V4)  MAG(v) = |v|,  UV(v) = v/|v|, zero when v is
 *
 * What comes out are expressions of numbers, so that derivatives and model files know no vectors.
 */
#include <ctype.h>
#include <string.h>

#include "adams/expression/translator.h"

/* Nested outer products and directions double their operands: no longer text than this. */
enum { MOST_TEXT = 1 << 14 };

typedef struct Operand {
    bool vector;
    const char *part[3]; /* a number: the first */
} Operand;

typedef struct Parser {
    TmlAdmTranslator *t;
    TmlAdmSlice s;
    int at;
    int inside; /* parentheses and brackets that are open */
} Parser;

static bool parse_sum(Parser *p, Operand *out);
static bool parse_whole(TmlAdmTranslator *t, TmlAdmSlice s, Operand *out);

static char char_at(const Parser *p, int at)
{
    return at < p->s.length ? p->s.of->text[p->s.start + at] : '\0';
}

/* The next character that is not blank; '\0': the end. */
static char next(Parser *p)
{
    for (;; ++p->at) {
        const char c = char_at(p, p->at);
        // a comma that is doubled at the end of a line means nothing
        const bool stray = c == ',' && p->inside == 0 && p->t->depth == 1;
        if (!isspace((unsigned char)c) && c != TML_ADM_JOIN && !stray) {
            return c;
        }
    }
}

static bool refuse(Parser *p, int at, const char *what, const char *word)
{
    const TmlAdmSlice place = {p->s.of, p->s.start + at, 1};
    return tml_adm_refuse(p->t, place, what, word);
}

static bool take(Parser *p, TmlAdmText *text, const char **out)
{
    *out = tml_adm_take(p->t->adm, text);
    return !p->t->adm->nomem &&
           (strlen(*out) <= MOST_TEXT ||
            refuse(p, p->at > 0 ? p->at - 1 : 0,
                   "the vectors of this expression become too long when written out%s", ""));
}

/* --- operations ------------------------------------------------------------------------------- */

/* Each component by a format with two texts. */
static bool by_parts(Parser *p, const Operand *a, const Operand *b, const char *fmt, Operand *out)
{
    *out = (Operand){.vector = a->vector || b->vector};
    for (int k = 0; k < (out->vector ? 3 : 1); ++k) {
        TmlAdmText text = {0};
        tml_adm_write(&text, fmt, a->part[a->vector ? k : 0], b->part[b->vector ? k : 0]);
        if (!take(p, &text, &out->part[k])) {
            return false;
        }
    }
    return true;
}

static bool inner_product(Parser *p, const Operand *a, const Operand *b, Operand *out)
{
    TmlAdmText text = {0};
    tml_adm_write(&text, "(%s*%s + %s*%s + %s*%s)", a->part[0], b->part[0], a->part[1], b->part[1],
                  a->part[2], b->part[2]); // (V2)
    *out = (Operand){0};
    return take(p, &text, &out->part[0]);
}

static bool outer_product(Parser *p, const Operand *a, const Operand *b, Operand *out)
{
    *out = (Operand){.vector = true};
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        TmlAdmText text = {0};
        tml_adm_write(&text, "(%s*%s - %s*%s)", a->part[l], b->part[m], a->part[m],
                      b->part[l]); // (V3)
        if (!take(p, &text, &out->part[k])) {
            return false;
        }
    }
    return true;
}

static bool magnitude(Parser *p, const Operand *v, const char **out)
{
    TmlAdmText text = {0};
    tml_adm_write(&text, "hypot(hypot(%s, %s), %s)", v->part[0], v->part[1], v->part[2]);
    return take(p, &text, out);
}

static bool direction(Parser *p, const Operand *v, Operand *out)
{
    Operand size = {0};
    TmlAdmText text = {0};
    const char *length;
    if (!magnitude(p, v, &length)) {
        return false;
    }
    tml_adm_write(&text, "if(%s > 0, %s, 1)", length, length); // (V4)
    return take(p, &text, &size.part[0]) && by_parts(p, v, &size, "(%s/%s)", out);
}

static bool add(Parser *p, int at, char op, const Operand *a, const Operand *b, Operand *out)
{
    const char *word = op == '+' ? "added to" : "subtracted from";
    if (a->vector != b->vector) {
        return refuse(p, at, "a vector and a number cannot be %s each other", word);
    }
    return by_parts(p, a, b, op == '+' ? "(%s + %s)" : "(%s - %s)", out);
}

static bool multiply(Parser *p, int at, char op, const Operand *a, const Operand *b, Operand *out)
{
    if (op == '%' && !(a->vector && b->vector)) {
        return refuse(p, at, "%s is a product of two vectors", "%");
    }
    if (op == '/' && b->vector) {
        return refuse(p, at, "a vector cannot be used under %s", "/");
    }
    if (op == '%') {
        return outer_product(p, a, b, out);
    }
    return op == '*' && a->vector && b->vector
               ? inner_product(p, a, b, out)
               : by_parts(p, a, b, op == '*' ? "(%s*%s)" : "(%s/%s)", out);
}

/* --- grammar ---------------------------------------------------------------------------------- */

/* [x, y, z], behind the bracket. */
static bool parse_components(Parser *p, Operand *out)
{
    const int open = p->at++;
    *out = (Operand){.vector = true};
    p->inside++;
    for (int k = 0; k < 3; ++k) {
        Operand number;
        if (!parse_sum(p, &number)) {
            return false;
        }
        while (next(p) == ',') { // none where lines are joined, two where one ends
            p->at++;
        }
        if (number.vector) {
            return refuse(p, open, "components of a vector must be numbers%s", "");
        }
        out->part[k] = number.part[0];
    }
    p->inside--;
    return char_at(p, p->at++) == ']' ||
           refuse(p, open, "a vector has three components: %s", "[x, y, z]");
}

static bool parse_group(Parser *p, Operand *out)
{
    const int open = p->at++;
    p->inside++;
    if (!parse_sum(p, out)) {
        return false;
    }
    p->inside--;
    return (next(p) == ')' && p->at++ >= 0) ||
           refuse(p, open, "the parenthesis is not %s", "closed");
}

/* A vector function: its components one by one. */
static bool parse_measure(Parser *p, const TmlAdmCall *call, Operand *out)
{
    TmlAdmText *kept = p->t->out;
    bool ok = true;
    *out = (Operand){.vector = true};
    for (int k = 0; ok && k < 3; ++k) {
        TmlAdmText text = {0};
        p->t->out = &text;
        p->t->component = k;
        ok = tml_adm_write_call(p->t, call);
        ok = take(p, &text, &out->part[k]) && ok;
    }
    p->t->component = -1;
    p->t->out = kept;
    return ok;
}

static bool parse_direction(Parser *p, const TmlAdmCall *call, Operand *out)
{
    Operand v;
    if (call->n != 1) {
        return tml_adm_write_call(p->t, call); // tells how many it takes
    }
    if (!parse_whole(p->t, call->arg[0], &v)) {
        return false;
    }
    return v.vector ? direction(p, &v, out)
                    : tml_adm_refuse(p->t, call->arg[0], "%s needs a vector", call->name);
}

/* A number, a name or a function. */
static bool parse_operand(Parser *p, Operand *out)
{
    char word[TML_ADM_WORD_MAX];
    TmlAdmCall call;
    TmlAdmText text = {0}, *kept = p->t->out;
    const int behind = tml_adm_read_call(p->t, p->s, p->at, word, &call);
    if (behind < 0) {
        return false;
    }
    if (behind > 0 && tml_adm_is_vector(word)) {
        p->at = behind;
        return strcmp(word, "UV") == 0 ? parse_direction(p, &call, out)
                                       : parse_measure(p, &call, out);
    }
    *out = (Operand){0};
    p->t->out = &text;
    const int end = tml_adm_write_operand(p->t, p->s, p->at);
    p->t->out = kept;
    p->at = end > p->at ? end : p->at;
    return take(p, &text, &out->part[0]) && end >= 0;
}

static bool parse_primary(Parser *p, Operand *out)
{
    const char c = next(p), word[2] = {c, '\0'};
    if (c == '[') {
        return parse_components(p, out);
    }
    if (c == '(') {
        return parse_group(p, out);
    }
    if (isalnum((unsigned char)c) || c == '.') {
        return parse_operand(p, out);
    }
    return c != '\0' ? refuse(p, p->at, "unexpected '%s' in an expression", word)
                     : refuse(p, p->s.length - 1, "the expression %s", "ends too early");
}

static bool parse_unary(Parser *p, Operand *out);

/* a**b, or a^b; b may have a sign. */
static bool parse_power(Parser *p, Operand *out)
{
    Operand a, b;
    if (!parse_primary(p, &a)) {
        return false;
    }
    const char c = next(p);
    const bool stars = c == '*' && char_at(p, p->at + 1) == '*';
    if (!stars && c != '^') {
        *out = a;
        return true;
    }
    const int at = p->at;
    p->at += stars ? 2 : 1;
    if (!parse_unary(p, &b)) {
        return false;
    }
    return a.vector || b.vector ? refuse(p, at, "%s needs numbers, not vectors", "**")
                                : by_parts(p, &a, &b, "(%s**%s)", out);
}

static bool parse_unary(Parser *p, Operand *out)
{
    static const Operand nothing = {.part = {""}};
    const char c = next(p);
    if (c != '-' && c != '+') {
        return parse_power(p, out);
    }
    Operand a;
    p->at++;
    const bool ok = tml_adm_deeper(p->t, p->s) && parse_unary(p, &a);
    p->t->depth--;
    return ok && by_parts(p, &a, &nothing, c == '-' ? "(-%s%s)" : "%s%s", out);
}

static bool parse_product(Parser *p, Operand *out)
{
    if (!parse_unary(p, out)) {
        return false;
    }
    for (char c = next(p); c == '*' || c == '/' || c == '%'; c = next(p)) {
        const Operand a = *out;
        Operand b;
        const int at = p->at++;
        if (!parse_unary(p, &b) || !multiply(p, at, c, &a, &b, out)) {
            return false;
        }
    }
    return true;
}

static bool parse_sum(Parser *p, Operand *out)
{
    bool ok = tml_adm_deeper(p->t, p->s) && parse_product(p, out);
    for (char c = next(p); ok && (c == '+' || c == '-'); c = next(p)) {
        const Operand a = *out;
        Operand b;
        const int at = p->at++;
        ok = parse_product(p, &b) && add(p, at, c, &a, &b, out);
    }
    p->t->depth--;
    return ok;
}

static bool parse_whole(TmlAdmTranslator *t, TmlAdmSlice s, Operand *out)
{
    Parser p = {.t = t, .s = s};
    if (!parse_sum(&p, out)) {
        return false;
    }
    t->depth++; // stray commas at the end
    const char word[2] = {next(&p), '\0'};
    t->depth--;
    return word[0] == '\0' || refuse(&p, p.at, "unexpected '%s' in an expression", word);
}

/* --- for others ------------------------------------------------------------------------------- */

bool tml_adm_has_vectors(TmlAdmSlice s)
{
    const char *text = s.of->text + s.start;
    for (int k = 0; k < s.length; ++k) {
        char word[TML_ADM_WORD_MAX];
        int n = 0;
        if (text[k] == '[' || text[k] == '%') {
            return true;
        }
        while (k < s.length && (isalnum((unsigned char)text[k]) || text[k] == '_')) {
            word[n] = (char)toupper((unsigned char)text[k++]);
            n += n + 1 < TML_ADM_WORD_MAX ? 1 : 0;
        }
        word[n] = '\0';
        if (n > 0 && tml_adm_is_vector(word)) {
            return true;
        }
        k -= n > 0 ? 1 : 0;
    }
    return false;
}

bool tml_adm_write_vectors(TmlAdmTranslator *t, TmlAdmSlice s)
{
    Operand a;
    if (!parse_whole(t, s, &a)) {
        return false;
    }
    if (a.vector) {
        return tml_adm_refuse(t, s, "a number is needed here, and this is a %s", "vector");
    }
    tml_adm_write(t->out, "%s", a.part[0]);
    return true;
}

bool tml_adm_write_magnitude(TmlAdmTranslator *t, const TmlAdmCall *call, const TmlAdmFunction *f)
{
    Parser p = {.t = t, .s = call->arg[0]};
    Operand v;
    const char *text;
    if (!parse_whole(t, call->arg[0], &v)) {
        return false;
    }
    if (!v.vector) {
        return tml_adm_refuse(t, call->arg[0], "%s needs a vector", f->name);
    }
    if (!magnitude(&p, &v, &text)) {
        return false;
    }
    tml_adm_write(t->out, "%s", text);
    return true;
}

bool tml_adm_vector(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice slice, const char *out[3])
{
    TmlAdmTranslator t = {.adm = adm, .item = item, .component = -1};
    Operand v;
    if (slice.length == 0) {
        tml_adm_error(adm, item, slice, "an expression is missing");
        return false;
    }
    if (!parse_whole(&t, slice, &v)) {
        return false;
    }
    if (!v.vector) {
        return tml_adm_refuse(&t, slice, "a vector is needed here, such as %s", "[x, y, z]");
    }
    for (int k = 0; k < 3; ++k) {
        out[k] = v.part[k];
    }
    return !adm->nomem;
}
