/* adams/expression/translator.c - function expressions in our language: numbers, names, operators.
 *
 * Numbers and operators are the same in both; functions: functions.c, vectors: vectors.c.
 */
#include "adams/expression/translator.h"
#include "adams/flexible/flex_part.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAX_DEPTH = 200 };

bool tml_adm_refuse(TmlAdmTranslator *t, TmlAdmSlice at, const char *what, const char *word)
{
    tml_adm_error(t->adm, t->item, at, what, word);
    return false;
}

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

static int write_number(TmlAdmTranslator *t, TmlAdmSlice s, int k)
{
    const int n = number_length(s, k);
    const char *text = s.of->text + s.start + k;
    const bool marked = at(s, k + n) == 'd' || at(s, k + n) == 'D';
    if (marked && isdigit((unsigned char)at(s, k + n + 1))) { // 1.0D3: a power of ten
        int behind = n + 1;
        while (isdigit((unsigned char)at(s, k + behind))) {
            ++behind;
        }
        tml_adm_write(t->out, "%.*se%.*s", n, text, behind - n - 1, text + n + 1);
        return k + behind;
    }
    const bool degrees = marked && !isalnum((unsigned char)at(s, k + n + 1));
    const bool sign = at(s, k + n + 1) == '-' || at(s, k + n + 1) == '+';
    if (degrees && sign && isdigit((unsigned char)at(s, k + n + 2))) {
        tml_adm_note(t->adm, t->item, (TmlAdmSlice){s.of, s.start + k, n + 1},
                     "%.*s%c is an angle in degrees; write %.*sE%c.. for a power of ten", n + 1,
                     text, at(s, k + n + 1), n, text, at(s, k + n + 1));
    }
    tml_adm_write(t->out, degrees ? "(%.*s*dtor)" : "%.*s", n, text);
    return k + n + (degrees ? 1 : 0);
}

/* Doubled commas collapse. Arguments beyond those that there is room for are only counted. */
static void keep_argument(TmlAdmCall *call, TmlAdmSlice arg, char behind)
{
    if (arg.length == 0) {
        return;
    }
    if (call->n < TML_ADM_MAX_ARGS) {
        call->behind[call->n] = behind;
        call->arg[call->n] = arg;
    }
    call->n++;
}

/* Arguments of the call whose parenthesis stands at k; the place behind it, -1: not closed. */
static int split_call(TmlAdmSlice s, int k, TmlAdmCall *call)
{
    int depth = 0, from = k + 1;
    for (; k < s.length; ++k) {
        const char c = at(s, k);
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
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
            keep_argument(call, arg, (char)(c == ':' ? ':' : ','));
            from = k + 1;
        }
        if (depth == 0) {
            keep_argument(call, sub(s, from, k), ')');
            return k + 1;
        }
    }
    return -1;
}

/* Length of the word at k, in capitals. */
static int read_word(TmlAdmSlice s, int k, char word[TML_ADM_WORD_MAX])
{
    int n = 0, length = 0;
    for (char c = at(s, k); isalnum((unsigned char)c) || c == '_'; c = at(s, k + ++length)) {
        word[n] = (char)toupper((unsigned char)c);
        n += n + 1 < TML_ADM_WORD_MAX ? 1 : 0;
    }
    word[n] = '\0';
    return length;
}

int tml_adm_read_call(TmlAdmTranslator *t, TmlAdmSlice s, int k, char word[TML_ADM_WORD_MAX],
                      TmlAdmCall *call)
{
    const int length = isalpha((unsigned char)at(s, k)) ? read_word(s, k, word) : 0;
    int open = k + length;
    while (isspace((unsigned char)at(s, open))) {
        ++open;
    }
    if (length == 0 || at(s, open) != '(') {
        return 0;
    }
    *call = (TmlAdmCall){.name = word, .at = {s.of, s.start + k, length}};
    const int behind = split_call(s, open, call);
    if (behind < 0) {
        tml_adm_refuse(t, call->at, "the parenthesis behind %s is not closed", word);
    } else if (call->n > TML_ADM_MAX_ARGS) {
        tml_adm_error(t->adm, t->item, call->at, "%s has %d arguments; %d are read at most", word,
                      call->n, (int)TML_ADM_MAX_ARGS);
        return -1;
    }
    return behind;
}

void tml_adm_write_time(TmlAdmTranslator *t, const char *delay)
{
    tml_adm_write(t->out, delay != NULL ? "(" : "");
    tml_adm_write(t->out, t->adm->time != 1.0 ? "(time*%s)" : "time%.0s",
                  tml_adm_digits(t->adm, 1.0 / t->adm->time));
    tml_adm_write(t->out, delay != NULL ? " - %s)" : "%.0s", delay != NULL ? delay : "");
}

static int write_word(TmlAdmTranslator *t, TmlAdmSlice s, int k)
{
    char word[TML_ADM_WORD_MAX];
    TmlAdmCall call;
    const int behind = tml_adm_read_call(t, s, k, word, &call);
    if (behind != 0) {
        return behind > 0 && tml_adm_write_call(t, &call) ? behind : -1;
    }
    const int length = read_word(s, k, word);
    if (strcmp(word, "TIME") == 0) {
        tml_adm_write_time(t, t->delay);
    } else if (strcmp(word, "S") == 0 && t->adm->spot != NULL) {
        const TmlAdmSpot *spot = t->adm->spot;
        tml_adm_write(t->out, "%s", spot->frame != NULL ? tml_adm_digits(t->adm, spot->s) : "s");
    } else if (t->adm->flex_mode != NULL && strcmp(word, "FXFREQ") == 0) {
        tml_adm_write(t->out, "%s", tml_adm_digits(t->adm, t->adm->flex_mode->frequency));
    } else if (t->adm->flex_mode != NULL && strcmp(word, "FXMODE") == 0) {
        tml_adm_write(t->out, "%d", t->adm->flex_mode->number);
    } else if (strcmp(word, "MODE") == 0) {
        tml_adm_write(t->out, "%d", t->adm->mode);
    } else if (strcmp(word, "PI") == 0 || strcmp(word, "DTOR") == 0 || strcmp(word, "RTOD") == 0) {
        tml_adm_write(t->out, "%s", word[0] == 'P' ? "pi" : word[0] == 'D' ? "dtor" : "rtod");
    } else {
        const TmlAdmSlice whole = {s.of, s.start + k, length};
        const bool modes = strcmp(word, "FXFREQ") == 0 || strcmp(word, "FXMODE") == 0;
        tml_adm_refuse(t, whole,
                       strcmp(word, "S") == 0 ? "%s is the place along a beam: of FE_LOAD only"
                       : modes ? "%s is for the damping of modes: of CRATIO of a FLEX_BODY only"
                               : "unknown name '%s' in an expression",
                       word);
        return -1;
    }
    return k + length;
}

int tml_adm_write_operand(TmlAdmTranslator *t, TmlAdmSlice s, int k)
{
    return isalpha((unsigned char)at(s, k)) ? write_word(t, s, k) : write_number(t, s, k);
}

bool tml_adm_deeper(TmlAdmTranslator *t, TmlAdmSlice s)
{
    if (++t->depth >= MAX_DEPTH && t->delay != NULL) { // a variable of its own past
        *t->moves = true;
        return false;
    }
    return t->depth < MAX_DEPTH ||
           tml_adm_refuse(t, s, "the expression is nested too deeply%s", "");
}

/* Length of a power's sign at k, whose stars may have a blank between them; 0: another sign. */
static int power_length(TmlAdmSlice s, int k)
{
    int next = k + 1;
    while (isspace((unsigned char)at(s, next))) {
        ++next;
    }
    return at(s, next) == '*' ? next + 1 - k : 0;
}

bool tml_adm_translate(TmlAdmTranslator *t, TmlAdmSlice s)
{
    if (tml_adm_has_vectors(s)) {
        return tml_adm_write_vectors(t, s);
    }
    bool ok = tml_adm_deeper(t, s);
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
        } else if (c == '*' && power_length(s, k) > 0) {
            tml_adm_write(t->out, "**");
            k += power_length(s, k);
        } else if (strchr("+-*/^()<>=", c) != NULL) {
            tml_adm_write(t->out, "%c", c);
            ++k;
        } else {
            const char word[2] = {c, '\0'};
            tml_adm_refuse(t, sub(s, k, k + 1), "unexpected '%s' in an expression", word);
            k = -1;
        }
        ok = k >= 0;
    }
    t->depth--;
    return ok;
}

/* Do the first and the last character enclose the whole text? */
static bool is_enclosed(const char *text)
{
    int depth = 0;
    for (const char *c = text; *c != '\0'; ++c) {
        depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
        if (depth == 0 && c[1] != '\0') {
            return false;
        }
    }
    return text[0] == '(';
}

/* Is the sign at c that of a power of ten, 1.5e-3? */
static bool is_exponent(const char *text, const char *c)
{
    ptrdiff_t k = c - text - 2;
    if (k < 0 || (c[-1] != 'e' && c[-1] != 'E') || !isdigit((unsigned char)c[1]) ||
        !(isdigit((unsigned char)text[k]) || text[k] == '.')) {
        return false;
    }
    while (k >= 0 && (isdigit((unsigned char)text[k]) || text[k] == '.')) {
        --k;
    }
    return k < 0 || (!isalnum((unsigned char)text[k]) && text[k] != '_');
}

/* May a factor follow as it is? No sums, comparisons or words between values. */
static bool is_term(const char *text)
{
    int depth = 0;
    for (const char *c = text; *c != '\0'; ++c) {
        depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
        const bool sum = (*c == '+' || *c == '-') && c > text && !is_exponent(text, c);
        if (depth == 0 && (sum || strchr("<>=! ?:\"'", *c) != NULL)) {
            return false;
        }
    }
    return text[0] != '\0';
}

/* Without parentheses around the whole. */
static const char *bare(TmlAdm *adm, const char *text)
{
    while (is_enclosed(text)) {
        const char *inner = tml_arena_strndup(adm->arena, text + 1, strlen(text) - 2);
        adm->nomem |= inner == NULL;
        if (inner == NULL) {
            return text;
        }
        text = inner;
    }
    return text;
}

static const char *translated(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice slice, bool spelled)
{
    TmlAdmText out = {0};
    TmlAdmTranslator t = {
        .adm = adm, .item = item, .out = &out, .component = -1, .spelled = spelled};
    if (slice.length == 0) {
        tml_adm_error(adm, item, slice, "an expression is missing");
        return NULL;
    }
    const bool ok = tml_adm_is_formed(adm, item, slice) && tml_adm_translate(&t, slice);
    const char *text = tml_adm_take(adm, &out);
    text = ok ? bare(adm, text) : NULL;
    return adm->nomem ? NULL : text;
}

const char *tml_adm_expression(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice slice)
{
    return translated(adm, item, slice, false);
}

const char *tml_adm_constraint(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice slice)
{
    return translated(adm, item, slice, true);
}

const char *tml_adm_factor(TmlAdm *adm, const char *expression)
{
    const char *inner = bare(adm, expression);
    const char *text = is_term(inner) ? inner : tml_arena_printf(adm->arena, "(%s)", inner);
    adm->nomem |= text == NULL;
    return text != NULL ? text : expression;
}

const char *tml_adm_scaled(TmlAdm *adm, const char *expression, double factor)
{
    if (factor == 1.0) {
        return expression;
    }
    const char *inner = tml_adm_factor(adm, expression);
    const char *text =
        factor == -1.0 ? tml_arena_printf(adm->arena, inner[0] == '-' ? "-(%s)" : "-%s", inner)
                       : tml_arena_printf(adm->arena, "%s*%s", inner, tml_adm_digits(adm, factor));
    adm->nomem |= text == NULL;
    return text != NULL ? text : expression;
}
