/* adams/dataset/syntax.c - splitting a statement into arguments. */
#include "adams/dataset/syntax.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "adams/dataset/statements.h"
#include "base/nearest.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool begins(const char *name, const char *word, int length)
{
    return strncasecmp(name, word, (size_t)length) == 0;
}

const TmlAdmSyntax *tml_adm_syntax_at(int index)
{
    return index < tml_adm_n_statements ? &tml_adm_statements[index] : NULL;
}

const TmlAdmSyntax *tml_adm_syntax(const char *word, int length)
{
    const TmlAdmSyntax *found = NULL;
    for (int k = 0; k < tml_adm_n_statements; ++k) {
        const TmlAdmSyntax *s = &tml_adm_statements[k];
        if (length >= 2 && begins(s->name, word, length)) {
            if ((int)strlen(s->name) == length) {
                return s;
            }
            found = found != NULL ? found : s;
        }
    }
    return found;
}

const char *tml_adm_syntax_near(const char *word, int length)
{
    enum { MOST = 128 };
    const char *names[MOST];
    char copy[64];
    int n = 0;
    for (; n < MOST && n < tml_adm_n_statements; ++n) {
        names[n] = tml_adm_statements[n].name;
    }
    snprintf(copy, sizeof copy, "%.*s", length, word);
    return tml_nearest(copy, names, n);
}

/* The argument that a word names; flags stand alone, all others before '='. */
static const TmlAdmKey *find_key(const TmlAdmSyntax *syntax, const char *word, int length,
                                 bool flag)
{
    const TmlAdmKey *found = NULL;
    for (const TmlAdmKey *k = syntax->keys; k != NULL && k->name != NULL; ++k) {
        if ((k->kind == TML_ADM_FLAG) != flag || !begins(k->name, word, length)) {
            continue;
        }
        if ((int)strlen(k->name) == length) {
            return k;
        }
        found = found != NULL ? found : k;
    }
    return found;
}

const TmlAdmArg *tml_adm_find_arg(const TmlAdmArg *args, int n, const char *name)
{
    for (int k = 0; k < n; ++k) {
        if (strcmp(args[k].key->name, name) == 0) {
            return &args[k];
        }
    }
    return NULL;
}

typedef struct Cursor {
    const TmlAdmStatement *s;
    const TmlAdmSyntax *syntax;
    TmlArena *arena;
    TmlReport *report;
    int at;
} Cursor;

static bool is_separator(char c)
{
    return c == ',' || c == '\\' || c == TML_ADM_JOIN;
}

static void skip(Cursor *c, bool separators)
{
    const char *text = c->s->text;
    while (text[c->at] != '\0' &&
           (isspace((unsigned char)text[c->at]) || (separators && is_separator(text[c->at])))) {
        c->at++;
    }
}

/* Does an argument begin here: NAME =, or a flag that ends at a separator? */
static bool begins_argument(const Cursor *c, int at)
{
    const char *text = c->s->text;
    while (text[at] != '\0' && (isspace((unsigned char)text[at]) || is_separator(text[at]))) {
        ++at;
    }
    const int start = at;
    while (is_word(text[at])) {
        ++at;
    }
    const int length = at - start;
    if (length == 0 || !isalpha((unsigned char)text[start])) {
        return false;
    }
    while (isspace((unsigned char)text[at])) {
        ++at;
    }
    if (text[at] == '=') {
        return text[at + 1] != '=';
    }
    return (text[at] == '\0' || is_separator(text[at])) &&
           find_key(c->syntax, text + start, length, true) != NULL;
}

/* Does the list of numbers or identifiers that is separated here go on? */
static bool list_goes_on(const Cursor *c, int at)
{
    const char *text = c->s->text;
    while (text[at] != '\0' && (isspace((unsigned char)text[at]) || is_separator(text[at]))) {
        ++at;
    }
    return isdigit((unsigned char)text[at]) ||
           (text[at] != '\0' && strchr("+-.", text[at]) != NULL);
}

static bool ends_value(const Cursor *c, TmlAdmKind kind, int at)
{
    switch (kind) {
    case TML_ADM_ID:
        return true;
    case TML_ADM_IDS:
    case TML_ADM_REALS:
        return !list_goes_on(c, at);
    default:
        return begins_argument(c, at);
    }
}

/* End of a value: the separator before the next argument. */
static int value_end(const Cursor *c, TmlAdmKind kind)
{
    const char *text = c->s->text;
    int depth = 0, at = c->at;
    char quote = '\0';
    for (; text[at] != '\0'; ++at) {
        const char ch = text[at];
        if (quote != '\0') {
            quote = ch == quote ? '\0' : quote;
            continue;
        }
        if (ch == '"') {
            quote = ch;
        }
        if (kind == TML_ADM_TEXT) {
            if (ch == TML_ADM_JOIN || ((ch == ',' || ch == '\\') && begins_argument(c, at))) {
                break;
            }
            continue;
        }
        depth += ch == '(' ? 1 : ch == ')' && depth > 0 ? -1 : 0;
        if (ch == '\\' || (is_separator(ch) && depth == 0 && ends_value(c, kind, at))) {
            break;
        }
    }
    return at;
}

/* What the writer may have meant by an argument: the table knows it in another form, or one that
 * is spelt nearly so. */
static const char *meant(const Cursor *c, const char *word, int length, bool flag, char *out,
                         size_t size)
{
    enum { MOST = 64 };
    const char *names[MOST], *near;
    char copy[64];
    int n = 0;
    const TmlAdmKey *other = find_key(c->syntax, word, length, !flag);
    snprintf(copy, sizeof copy, "%.*s", length, word);
    for (const TmlAdmKey *k = c->syntax->keys; k != NULL && k->name != NULL && n < MOST; ++k) {
        names[n++] = k->name;
    }
    if (other != NULL && (int)strlen(other->name) == length) {
        snprintf(out, size, flag ? "; '=' and its value are missing" : "; it takes no value");
    } else if ((near = tml_nearest(copy, names, n)) != NULL) {
        snprintf(out, size, "; did you mean %s?", near);
    } else {
        out[0] = '\0';
    }
    return out;
}

/* An unknown argument has no kind; its value ends where the next argument begins. */
static void unknown_argument(Cursor *c, int start, int length, bool flag)
{
    const TmlValue at = tml_adm_place(c->s, start);
    const char *word = c->s->text + start;
    char hint[128];
    if (!isalpha((unsigned char)word[0])) {
        tml_report_add(c->report, &at, "%s: expected the name of an argument, got '%.*s'",
                       c->syntax->name, length, word);
    } else {
        tml_report_add(c->report, &at, "%s: unknown argument '%.*s'%s", c->syntax->name, length,
                       word, meant(c, word, length, flag, hint, sizeof hint));
    }
    if (flag) { // up to the next separator
        while (c->s->text[c->at] != '\0' && !is_separator(c->s->text[c->at])) {
            c->at++;
        }
    }
}

/* One argument; false: it was unknown, and reported. */
static bool next_argument(Cursor *c, TmlAdmArg *arg)
{
    const char *text = c->s->text;
    const int start = c->at;
    while (is_word(text[c->at])) {
        c->at++;
    }
    const int length = c->at - start;
    skip(c, false);
    const bool flag = text[c->at] != '=';
    const TmlAdmKey *key = length > 0 ? find_key(c->syntax, text + start, length, flag) : NULL;
    if (key == NULL && (flag || length == 0)) {
        c->at += length == 0 && text[c->at] != '\0' && !is_separator(text[c->at]) ? 1 : 0;
        unknown_argument(c, start, length > 0 ? length : 1, true);
        return false;
    }
    *arg = (TmlAdmArg){key, {c->s, start, length}, {c->s, c->at, 0}};
    if (flag) {
        return true;
    }
    c->at++;
    skip(c, false);
    const int end = value_end(c, key != NULL ? key->kind : TML_ADM_EXPR);
    arg->value = tml_adm_trim((TmlAdmSlice){c->s, c->at, end - c->at});
    c->at = end;
    if (key == NULL) {
        unknown_argument(c, start, length, false);
    }
    return key != NULL;
}

TmlStatus tml_adm_arguments(const TmlAdmStatement *s, const TmlAdmSyntax *syntax, TmlArena *arena,
                            TmlReport *report, TmlAdmArg **args, int *n, TmlError *err)
{
    Cursor c = {s, syntax, arena, report, syntax->unnumbered ? s->slash : s->arguments};
    void *list = NULL;
    int cap = 0, count = 0;
    for (skip(&c, true); s->text[c.at] != '\0'; skip(&c, true)) {
        TmlAdmArg arg;
        if (!next_argument(&c, &arg)) {
            continue;
        }
        if (!tml_mem_grow(&list, &cap, count + 1, sizeof arg)) {
            tml_mem_free(list);
            return tml_fail(err, TML_E_NOMEM, "out of memory");
        }
        ((TmlAdmArg *)list)[count++] = arg;
    }
    *args = tml_arena_alloc(arena, (size_t)count, sizeof **args);
    *n = count;
    if (*args != NULL && count > 0) {
        memcpy(*args, list, (size_t)count * sizeof **args);
    }
    tml_mem_free(list);
    return *args != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory");
}
