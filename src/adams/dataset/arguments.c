/* adams/dataset/arguments.c - arguments of statements: identifiers and numbers. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adams/dataset/dataset.h"
#include "adams/tables/numbers.h"
#include "base/real.h"

enum { KEY_MAX = 160 };

const TmlAdmArg *tml_adm_arg(const TmlAdmItem *item, const char *name)
{
    return tml_adm_find_arg(item->args, item->n_args, name);
}

bool tml_adm_has(const TmlAdmItem *item, const char *name)
{
    return tml_adm_arg(item, name) != NULL;
}

const char *tml_adm_id(TmlAdm *adm, TmlAdmSlice slice)
{
    slice = tml_adm_trim(slice);
    bool digits = slice.length > 0;
    for (int k = 0; k < slice.length; ++k) {
        digits &= isdigit((unsigned char)slice.of->text[slice.start + k]) != 0;
    }
    while (digits && slice.length > 1 && slice.of->text[slice.start] == '0') {
        slice.start++;
        slice.length--;
    }
    char *id = tml_arena_strndup(adm->arena, slice.of->text + slice.start, (size_t)slice.length);
    adm->nomem |= id == NULL;
    for (char *c = id; c != NULL && *c != '\0'; ++c) {
        *c = (char)toupper((unsigned char)*c);
    }
    return id != NULL ? id : "";
}

TmlAdmItem *tml_adm_find(const TmlAdm *adm, const char *keyword, const char *id)
{
    char key[KEY_MAX];
    snprintf(key, sizeof key, "%s/%.80s", keyword, id);
    const int k = tml_names_find(&adm->ids, key);
    return k >= 0 ? &adm->item[k] : NULL;
}

/* Nothing, a comma, a colon or a parenthesis at k, going by step; a number only over blanks. */
static bool is_edge(TmlAdmSlice s, int k, int step, char parenthesis)
{
    const int first = k;
    char c = '\0';
    for (; k >= 0 && k < s.length; k += step) {
        c = s.of->text[s.start + k];
        if (!isspace((unsigned char)c) && c != TML_ADM_JOIN) {
            break;
        }
    }
    return k < 0 || k >= s.length || c == ',' || c == ':' || c == parenthesis ||
           (k != first && isdigit((unsigned char)c));
}

bool tml_adm_next_id(TmlAdmSlice s, int *at, TmlAdmSlice *id)
{
    const char *text = s.of->text + s.start;
    for (int from = *at; from < s.length;) {
        int to = from;
        while (to < s.length && isdigit((unsigned char)text[to])) {
            ++to;
        }
        if (to > from && is_edge(s, from - 1, -1, '(') && is_edge(s, to, 1, ')')) {
            *id = (TmlAdmSlice){s.of, s.start + from, to - from};
            *at = to;
            return true;
        }
        from = to > from ? to : from + 1;
    }
    return false;
}

bool tml_adm_mentions(TmlAdmSlice s, const char *id)
{
    TmlAdmSlice word;
    for (int at = 0; tml_adm_next_id(s, &at, &word);) {
        const char *digits = word.of->text + word.start;
        while (word.length > 1 && *digits == '0') { // leading zeros do not count
            ++digits;
            --word.length;
        }
        if (strlen(id) == (size_t)word.length && memcmp(digits, id, strlen(id)) == 0) {
            return true;
        }
    }
    return false;
}

bool tml_adm_next_ref(TmlAdm *adm, const TmlAdmArg *arg, const char *keyword, int *at,
                      TmlAdmItem **found)
{
    TmlAdmSlice word = arg->value;
    if (arg->key->kind == TML_ADM_ID ? (*at)++ > 0 : !tml_adm_next_id(arg->value, at, &word)) {
        return false;
    }
    *found = tml_adm_find(adm, keyword, tml_adm_id(adm, word));
    return true;
}

TmlAdmItem *tml_adm_ref(TmlAdm *adm, TmlAdmItem *item, const char *name, const char *keyword)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    if (arg == NULL) {
        return NULL;
    }
    const char *id = tml_adm_id(adm, arg->value);
    TmlAdmItem *found = tml_adm_find(adm, keyword, id);
    if (found == NULL) {
        tml_adm_error(adm, item, arg->value, "%s: there is no %s/%s", name, keyword, id);
    }
    return found;
}

TmlAdmItem *tml_adm_need(TmlAdm *adm, TmlAdmItem *item, const char *name, const char *keyword)
{
    if (!tml_adm_has(item, name)) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument %s is missing", name);
        return NULL;
    }
    return tml_adm_ref(adm, item, name, keyword);
}

bool tml_adm_need_ends(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem **i, TmlAdmItem **j)
{
    *i = tml_adm_need(adm, item, "I", "MARKER");
    *j = tml_adm_need(adm, item, "J", "MARKER");
    return *i != NULL && *j != NULL && !item->failed;
}

/* Does a power of ten follow: E+3, or D+3 as Fortran writes it? D alone means degrees. */
static bool is_power(const char *c)
{
    if (*c == '\0' || strchr("eEdD", *c) == NULL) {
        return false;
    }
    c += c[1] == '+' || c[1] == '-' ? 2 : 1;
    return isdigit((unsigned char)*c);
}

const char *tml_adm_read_real(const char *text, double *out, bool *degrees)
{
    char word[64];
    size_t n = 0;
    bool power = false;
    const char *c = text + strspn(text, " \t");
    for (; n + 2 < sizeof word && *c != '\0'; ++c) {
        if (!power && is_power(c)) {
            power = true;
            word[n++] = 'e';
            if (!isdigit((unsigned char)c[1])) {
                word[n++] = *++c;
            }
        } else if (isdigit((unsigned char)*c) || *c == '.' ||
                   (n == 0 && (*c == '+' || *c == '-'))) {
            word[n++] = *c;
        } else {
            break;
        }
    }
    word[n] = '\0';
    char *end;
    *out = tml_real_read(word, &end);
    if (n == 0 || *end != '\0' || !isfinite(*out)) {
        return NULL;
    }
    *degrees = *c == 'D' || *c == 'd';
    if (*degrees) {
        *out *= M_PI / 180.0;
        ++c;
    }
    return c;
}

/* Lengths and masses are no angles. */
static bool takes_degrees(const char *name)
{
    static const char *const plain[] = {"QP", "QG", "ZP", "XP", "ZG", "XG", "MASS", "IP"};
    for (size_t k = 0; k < sizeof plain / sizeof *plain; ++k) {
        if (strcmp(name, plain[k]) == 0) {
            return false;
        }
    }
    return true;
}

int tml_adm_arg_reals(TmlAdm *adm, TmlAdmItem *item, const TmlAdmArg *arg, int min, int max,
                      double *out)
{
    char *text = tml_adm_copy(adm->arena, arg->value);
    if (text == NULL) {
        adm->nomem = true;
        return 0;
    }
    int n = 0;
    bool degrees = false;
    const char *c = text;
    while (c != NULL && *c != '\0' && n < max) {
        bool angle = false;
        c = tml_adm_read_real(c, &out[n], &angle);
        degrees |= angle;
        n += c != NULL ? 1 : 0;
        if (c != NULL) {
            const char *next = c + strspn(c, " \t");
            c = *next != '\0' && *next != ',' && next == c ? NULL : next + strspn(next, " \t,");
        }
    }
    if (c == NULL || *c != '\0' || n < min) {
        tml_adm_error(adm, item, arg->value, "%s: expected %d%s%.0d number%s, got '%.60s'%s",
                      arg->key->name, min, max > min ? " or more of " : "", max > min ? max : 0,
                      max > 1 ? "s" : "", text,
                      strchr(text, '=') != NULL ? "; is a comma missing?" : "");
        return 0;
    }
    if (degrees && !takes_degrees(arg->key->name)) {
        tml_adm_error(adm, item, arg->value, "%s: D is for angles, got '%.60s'", arg->key->name,
                      text);
        return 0;
    }
    return n;
}

int tml_adm_reals(TmlAdm *adm, TmlAdmItem *item, const char *name, int min, int max, double *out)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    return arg != NULL ? tml_adm_arg_reals(adm, item, arg, min, max, out) : 0;
}

double tml_adm_real(TmlAdm *adm, TmlAdmItem *item, const char *name, double standard)
{
    double value;
    return tml_adm_reals(adm, item, name, 1, 1, &value) == 1 ? value : standard;
}
