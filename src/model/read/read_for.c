/* model/read/read_for.c - names, {expr} in texts, and `for` in named sections. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/lexer.h"
#include "model/read/read.h"

enum { MAX_REPEATS = 10000000, MAX_TEXT = 1 << 16 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_identifier(const char *s)
{
    if (!is_letter(*s)) {
        return false;
    }
    while (is_letter(*s) || is_digit(*s)) {
        s++;
    }
    return *s == '\0';
}

/* --- {expr} ---------------------------------------------------------------------------------- */

/* Whole numbers without decimals, others as short as they read back. */
static void print_number(double value, char *out, size_t size)
{
    if (value == floor(value) && fabs(value) < 1e15) {
        snprintf(out, size, "%.0f", value + 0.0); // no "-0"
    } else {
        snprintf(out, size, "%.15g", value);
    }
    char *comma = strchr(out, ',');
    if (comma != NULL) {
        *comma = '.';
    }
}

static const TmlScope *scope_find(const TmlScope *scope, const char *name)
{
    while (scope != NULL && strcmp(scope->name, name) != 0) {
        scope = scope->outer;
    }
    return scope;
}

/* Text that {inner} stands for. */
static bool substitute_one(TmlEntry *x, const TmlValue *at, const char *inner, char *out,
                           size_t size)
{
    const TmlScope *s = scope_find(x->scope, inner);
    if (s != NULL && s->word != NULL) {
        snprintf(out, size, "%s", s->word);
        return true;
    }
    double value = s != NULL ? s->value : 0.0;
    if (s == NULL && !tml_read_constant(x, at, NULL, inner, &value)) {
        return false;
    }
    print_number(value, out, size);
    return true;
}

const char *tml_read_substitute(TmlEntry *x, const TmlValue *at, const char *text)
{
    if (strchr(text, '{') == NULL) {
        return text;
    }
    if (strlen(text) > MAX_TEXT) {
        tml_entry_error(x, at, "a text with {} is longer than %d characters", MAX_TEXT);
        return NULL;
    }
    const char *done = "";
    while (*text != '\0') {
        const size_t plain = strcspn(text, "{");
        const char *close = text[plain] == '{' ? strchr(text + plain, '}') : NULL;
        char inner[TML_NAME_MAX], value[TML_NAME_MAX] = "";
        if (text[plain] == '{') {
            const size_t length = close != NULL ? (size_t)(close - text) - plain - 1 : 0;
            if (close == NULL || length == 0 || length >= sizeof inner) {
                tml_entry_error(x, at, "'{' without an expression and '}' in '%s'", text);
                return NULL;
            }
            snprintf(inner, sizeof inner, "%.*s", (int)length, text + plain + 1);
            if (!substitute_one(x, at, inner, value, sizeof value)) {
                return NULL;
            }
        }
        char *longer = tml_arena_printf(&x->r->m->arena, "%s%.*s%s", done, (int)plain, text, value);
        x->r->nomem |= longer == NULL;
        if (longer == NULL) {
            return NULL;
        }
        done = longer;
        text = close != NULL ? close + 1 : text + plain;
    }
    return done;
}

/* --- loop variables in expressions of the state ---------------------------------------------- */

static const TmlScope *token_scope(const TmlEntry *x, const char *text, const TmlToken *token)
{
    char name[TML_NAME_MAX];
    if (token->kind != TML_TOK_NAME || token->length >= (int)sizeof name) {
        return NULL;
    }
    snprintf(name, sizeof name, "%.*s", token->length, text + token->name);
    return scope_find(x->scope, name);
}

const char *tml_read_bind_scope(TmlEntry *x, const char *text)
{
    if (x->scope == NULL) {
        return text;
    }
    const char *done = "";
    int copied = 0;
    bool after_number = false; // a name there is a unit
    for (int at = 0;;) {
        TmlToken token;
        if (tml_lex(text, at, &token, NULL) != TML_OK || token.kind == TML_TOK_END) {
            break; // what cannot be read is reported when it is compiled
        }
        const TmlScope *s = after_number ? NULL : token_scope(x, text, &token);
        const char *next = text + token.end + strspn(text + token.end, " ");
        if (s != NULL && *next != '(') {
            char value[TML_NAME_MAX] = "";
            if (s->word != NULL) {
                snprintf(value, sizeof value, "%s", s->word);
            } else {
                print_number(s->value, value, sizeof value);
            }
            const bool wrap = value[0] == '-';
            char *longer =
                tml_arena_printf(&x->r->m->arena, "%s%.*s%s%s%s", done, token.start - copied,
                                 text + copied, wrap ? "(" : "", value, wrap ? ")" : "");
            x->r->nomem |= longer == NULL;
            if (longer == NULL) {
                return text;
            }
            done = longer;
            copied = token.end;
        }
        after_number = token.kind == TML_TOK_NUMBER;
        at = token.end;
    }
    if (copied == 0) {
        return text;
    }
    char *longer = tml_arena_printf(&x->r->m->arena, "%s%s", done, text + copied);
    x->r->nomem |= longer == NULL;
    return longer != NULL ? longer : text;
}

/* --- names ----------------------------------------------------------------------------------- */

/* A name may hold all that can be seen, but for the dot of "body.frame"; nothing is looked up by
 * the name of an output, which may hold dots ("4.F2"). Expressions take names in quotes. */
static bool name_good(TmlEntry *x, const TmlValue *at, const char *name)
{
    const size_t n = strlen(name);
    const bool output = strcmp(x->kind, "output") == 0;
    if (n == 0 || n >= TML_NAME_MAX / 2) {
        tml_entry_error(x, at, "a name has 1 to %d characters", TML_NAME_MAX / 2 - 1);
        return false;
    }
    for (const char *c = name; *c != '\0'; ++c) {
        const bool outer = c == name || c[1] == '\0';
        const unsigned char u = (unsigned char)*c;
        if (*c == '.' && (outer || !output)) {
            tml_entry_error(x, at,
                            "a name holds no '.', which stands between a body and its frame");
            return false;
        }
        if (u < 0x20 || u == 0x7f || (*c == ' ' && outer)) {
            tml_entry_error(x, at, "a name holds no control characters, and no space at its ends");
            return false;
        }
    }
    return true;
}

bool tml_read_bare_name(TmlEntry *x, const TmlValue *at, const char *name)
{
    static const char *const reserved[] = {"time", "pi", "dtor", "rtod", "and", "or", "not"};
    const TmlModel *m = x->r->m;
    if (!is_identifier(name) || strlen(name) >= TML_NAME_MAX / 2) {
        tml_entry_error(x, at,
                        "a name that expressions use has letters, digits and _, begins with "
                        "a letter or _, and is at most 63 long");
        return false;
    }
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; ++k) {
        if (strcasecmp(reserved[k], name) == 0) {
            tml_entry_error(x, at, "'%s' has a meaning in expressions and cannot be a name",
                            reserved[k]);
            return false;
        }
    }
    const char *owner = tml_reader_has_parameter(x->r, name)    ? "parameter"
                        : tml_model_find_variable(m, name) >= 0 ? "variable"
                        : tml_model_find_state(m, name) >= 0    ? "state"
                        : tml_model_find_delay(m, name) >= 0    ? "delay"
                                                                : NULL;
    if (owner != NULL) {
        tml_entry_error(x, at, "there is already a %s of this name", owner);
        return false;
    }
    return true;
}

/* --- for ------------------------------------------------------------------------------------- */

typedef struct Loop {
    TmlEntry x; /* for messages */
    const TmlValue *key, *body;
    const char *kind;
    TmlEntryFn read;
    void *arg;
} Loop;

static void loop_turn(Loop *loop, const char *name, const char *word, double value)
{
    TmlScope *scope = tml_reader_alloc(loop->x.r, 1, sizeof *scope);
    if (scope == NULL) {
        return;
    }
    *scope = (TmlScope){loop->x.scope, name, word, value};
    tml_read_entries(loop->x.r, loop->body, loop->kind, scope, loop->read, loop->arg);
}

static void loop_range(Loop *loop, const char *name, const char *low, const char *high)
{
    double a, b;
    if (!tml_read_constant(&loop->x, loop->key, "for", low, &a) ||
        !tml_read_constant(&loop->x, loop->key, "for", high, &b)) {
        return;
    }
    if (a != floor(a) || b != floor(b) || fabs(a) > 1e9 || fabs(b) > 1e9) {
        tml_entry_error(&loop->x, loop->key, "'for' counts whole numbers, got %.9g..%.9g", a, b);
        return;
    }
    const double each = loop->body->n > 0 ? loop->body->n : 1; // empty turns take time too
    if ((b - a + 1.0) * each + (double)loop->x.r->repeats > MAX_REPEATS) {
        tml_entry_error(&loop->x, loop->key, "'for' makes more than %d entries", MAX_REPEATS);
        return;
    }
    for (double i = a; i <= b && !loop->x.r->nomem && loop->x.r->repeats <= MAX_REPEATS; ++i) {
        loop->x.r->repeats++;
        loop_turn(loop, name, NULL, i);
    }
}

/* "[a, b, c]": numbers, expressions of parameters, or words that are no parameters. */
static void loop_list(Loop *loop, const char *name, char *list)
{
    TmlReader *r = loop->x.r;
    char *end = list + strlen(list);
    if (end[-1] != ']') {
        tml_entry_error(&loop->x, loop->key, "'for %s in [' has no ']' at its end", name);
        return;
    }
    end[-1] = '\0';
    char *rest = list + 1;
    for (char *item = strsep(&rest, ","); item != NULL && !r->nomem; item = strsep(&rest, ",")) {
        item += strspn(item, " ");
        for (size_t n = strlen(item); n > 0 && item[n - 1] == ' '; --n) {
            item[n - 1] = '\0';
        }
        double value = 0.0;
        const bool word = is_identifier(item) && !tml_reader_has_parameter(r, item) &&
                          scope_find(loop->x.scope, item) == NULL;
        if (!word && !tml_read_constant(&loop->x, loop->key, "for", item, &value)) {
            return;
        }
        r->repeats++;
        loop_turn(loop, name, word ? item : NULL, value);
    }
}

/* "for NAME in A..B" or "for NAME in [a, b, c]". */
static void loop_run(Loop *loop)
{
    static const char *const form = "expected 'for NAME in A..B' or 'for NAME in [a, b, c]'";
    TmlReader *r = loop->x.r;
    char *text = tml_reader_printf(r, "%s", loop->key->text + strlen("for "));
    if (text == NULL) {
        return;
    }
    char *name = text + strspn(text, " ");
    char *after = name + strcspn(name, " ");
    char *in = after + strspn(after, " ");
    if (*after == '\0' || strncmp(in, "in", 2) != 0 || (in[2] != ' ' && in[2] != '[')) {
        tml_entry_error(&loop->x, loop->key, "%s", form);
        return;
    }
    *after = '\0';
    char *range = in + 2 + strspn(in + 2, " ");
    char *dots = strstr(range, "..");
    if (!is_identifier(name) || (range[0] != '[' && dots == NULL)) {
        tml_entry_error(&loop->x, loop->key, "%s", form);
    } else if (tml_reader_has_parameter(r, name) || scope_find(loop->x.scope, name) != NULL) {
        tml_entry_error(&loop->x, loop->key,
                        "'%s' is already a parameter or loop variable; choose another", name);
    } else if (range[0] == '[') {
        loop_list(loop, name, range);
    } else {
        *dots = '\0';
        loop_range(loop, name, range, dots + 2);
    }
}

void tml_read_entries(TmlReader *r, const TmlValue *section, const char *kind,
                      const TmlScope *scope, TmlEntryFn read, void *arg)
{
    if (section == NULL || section->kind == TML_VALUE_NULL) {
        return;
    }
    TmlEntry whole = {.r = r, .kind = kind, .scope = scope, .value = section};
    if (section->kind != TML_VALUE_MAP) {
        tml_entry_expected(&whole, section, NULL, "a map from names to entries");
        return;
    }
    for (int k = 0; k < section->n && !r->nomem; ++k) {
        const TmlValue *key = section->key[k];
        if (strncmp(key->text, "for ", 4) == 0) {
            Loop loop = {.x = whole,
                         .key = key,
                         .body = section->item[k],
                         .kind = kind,
                         .read = read,
                         .arg = arg};
            loop_run(&loop);
            continue;
        }
        TmlEntry x = whole;
        const char *name = tml_read_substitute(&x, key, key->text);
        x.name = name;
        x.value = section->item[k];
        x.key = key;
        if (name != NULL && name_good(&x, key, name)) {
            read(&x, arg);
        }
    }
}
