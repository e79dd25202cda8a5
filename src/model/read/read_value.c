/* model/read/read_value.c - numbers, words, vectors and keys. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "model/read/read.h"

static bool is_scalar(const TmlValue *v)
{
    return v != NULL && v->kind == TML_VALUE_SCALAR;
}

const char *tml_read_text(TmlEntry *x, const TmlValue *v, const char *what)
{
    if (!is_scalar(v)) {
        tml_entry_expected(x, v, what, "a text");
        return NULL;
    }
    return tml_read_substitute(x, v, v->text);
}

/* Plain decimal numbers that are exact by one multiplication or division: at most 15 digits and a
 * power of ten up to 22. The rest goes through the compiler of expressions. Not strtod: the locale
 * of the host program must not matter. */
static bool plain_number(const char *text, double *out)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { MAX_DIGITS = 15, MAX_POWER = 22 };
    const bool negative = text[0] == '-';
    const char *c = text + (text[0] == '-' || text[0] == '+');
    int64_t mantissa = 0;
    int digits = 0, scale = 0, seen = 0;
    for (bool point = false; (*c >= '0' && *c <= '9') || (*c == '.' && !point); ++c) {
        if (*c == '.') {
            point = true;
            continue;
        }
        mantissa = 10 * mantissa + (*c - '0');
        digits += mantissa > 0;
        scale -= point;
        seen++;
        if (digits > MAX_DIGITS) {
            return false;
        }
    }
    if (seen > 0 && (*c == 'e' || *c == 'E')) {
        const bool down = c[1] == '-';
        c += 1 + (c[1] == '-' || c[1] == '+');
        int exponent = 0, count = 0;
        for (; *c >= '0' && *c <= '9' && count < 3; ++c, ++count) {
            exponent = 10 * exponent + (*c - '0');
        }
        scale += down ? -exponent : exponent;
        seen = count;
    }
    if (seen == 0 || *c != '\0' || scale > MAX_POWER || scale < -MAX_POWER) {
        return false;
    }
    const double value =
        scale < 0 ? (double)mantissa / power[-scale] : (double)mantissa * power[scale];
    *out = negative ? -value : value;
    return true;
}

static bool is_nonfinite_word(const char *text)
{
    static const char *const words[] = {".inf", ".nan", "inf", "nan", "infinity"};
    text += text[0] == '-' || text[0] == '+';
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k) {
        if (strcasecmp(text, words[k]) == 0) {
            return true;
        }
    }
    return false;
}

bool tml_read_number(TmlEntry *x, const TmlValue *v, const char *what, double *out)
{
    if (!is_scalar(v)) {
        tml_entry_expected(x, v, what, "a number");
        return false;
    }
    if (plain_number(v->text, out)) {
        return true;
    }
    if (is_nonfinite_word(v->text) && !tml_reader_has_parameter(x->r, v->text)) {
        tml_entry_error(x, v, "%s%sa number must be finite, got %s", what != NULL ? what : "",
                        what != NULL ? ": " : "", v->text);
        return false;
    }
    const char *text = tml_read_substitute(x, v, v->text);
    return text != NULL && tml_read_constant(x, v, what, text, out);
}

bool tml_read_ranged(TmlEntry *x, const TmlValue *v, const char *what, TmlRange range,
                     const char *unit, double *out)
{
    static const char *const texts[] = {"", "must be greater than 0", "must not be negative",
                                        "must be from 0 to 1", ""};
    if (!tml_read_number(x, v, what, out)) {
        return false;
    }
    const double value = *out;
    if (range == TML_USUALLY_NONNEGATIVE && value < 0.0) {
        tml_entry_warning(x, v, "%s is negative, %.9g%s%s: it feeds energy in", what, value,
                          unit != NULL && unit[0] != '\0' ? " " : "", unit != NULL ? unit : "");
    }
    const bool ok = range == TML_ANY || range == TML_USUALLY_NONNEGATIVE ||
                    (range == TML_POSITIVE && value > 0.0) ||
                    (range == TML_NONNEGATIVE && value >= 0.0) ||
                    (range == TML_FRACTION && value >= 0.0 && value <= 1.0);
    if (!ok) {
        const bool has_unit = unit != NULL && unit[0] != '\0';
        tml_entry_error(x, v, "%s %s, got %.9g%s%s", what, texts[range], value, has_unit ? " " : "",
                        has_unit ? unit : "");
    }
    return ok;
}

bool tml_read_int(TmlEntry *x, const TmlValue *v, const char *what, int *out)
{
    double value;
    if (!tml_read_number(x, v, what, &value)) {
        return false;
    }
    if (value != floor(value) || fabs(value) > 1e9) {
        tml_entry_error(x, v, "%s: expected a whole number, got %.9g", what, value);
        return false;
    }
    *out = (int)value;
    return true;
}

bool tml_read_bool(TmlEntry *x, const TmlValue *v, const char *what, bool *out)
{
    const bool yes = is_scalar(v) && !v->quoted && strcmp(v->text, "true") == 0;
    const bool no = is_scalar(v) && !v->quoted && strcmp(v->text, "false") == 0;
    if (!yes && !no) {
        tml_entry_expected(x, v, what, "true or false");
        return false;
    }
    *out = yes;
    return true;
}

bool tml_read_numbers(TmlEntry *x, const TmlValue *v, const char *what, int n, const char *expected,
                      double *out)
{
    if (v == NULL || v->kind != TML_VALUE_LIST || v->n != n) {
        tml_entry_expected(x, v, what, expected);
        return false;
    }
    bool ok = true;
    for (int k = 0; k < n; ++k) {
        ok &= tml_read_number(x, v->item[k], what, &out[k]);
    }
    return ok;
}

bool tml_read_vec3(TmlEntry *x, const TmlValue *v, const char *what, TmlVec3 *out)
{
    if (is_scalar(v)) {
        const char *word = tml_read_substitute(x, v, v->text);
        if (word == NULL) {
            return false;
        }
        const double sign = word[0] == '-' ? -1.0 : 1.0;
        const char *axis = word + (word[0] == '-' || word[0] == '+');
        if (axis[0] >= 'x' && axis[0] <= 'z' && axis[1] == '\0') {
            *out = v3(axis[0] == 'x' ? sign : 0.0, axis[0] == 'y' ? sign : 0.0,
                      axis[0] == 'z' ? sign : 0.0);
            return true;
        }
    }
    double a[3];
    if (!tml_read_numbers(x, v, what, 3, "a list of three numbers or x, y, z, -x, -y, -z", a)) {
        return false;
    }
    *out = v3(a[0], a[1], a[2]);
    return true;
}

bool tml_read_direction(TmlEntry *x, const TmlValue *v, const char *what, TmlVec3 *out)
{
    if (!tml_read_vec3(x, v, what, out)) {
        return false;
    }
    // scaled first: the square of a tiny or huge component must not vanish or overflow
    const double size = fmax(fabs(out->x), fmax(fabs(out->y), fabs(out->z)));
    if (!(size > 0.0)) {
        tml_entry_error(x, v, "%s: the vector is zero and has no direction", what);
        return false;
    }
    *out = v3_unit(v3(out->x / size, out->y / size, out->z / size));
    return true;
}

bool tml_read_reals(TmlEntry *x, const TmlValue *v, const char *what, TmlReals *out)
{
    if (v == NULL || v->kind != TML_VALUE_LIST) {
        tml_entry_expected(x, v, what, "a list of numbers");
        return false;
    }
    double *value = tml_reader_alloc(x->r, (size_t)v->n, sizeof *value);
    if (value == NULL || !tml_read_numbers(x, v, what, v->n, "a list of numbers", value)) {
        return false;
    }
    *out = (TmlReals){v->n, value};
    return true;
}

bool tml_read_choice(TmlEntry *x, const TmlValue *v, const char *what, const char *choices,
                     int *out)
{
    enum { MAX_WORDS = 32 };
    const char *text = tml_read_text(x, v, what);
    char *copy = text != NULL ? tml_reader_printf(x->r, "%s", choices) : NULL;
    if (copy == NULL) {
        return false;
    }
    const char *words[MAX_WORDS];
    int n = 0;
    char *rest = copy;
    for (char *word = strsep(&rest, "|"); word != NULL && n < MAX_WORDS;
         word = strsep(&rest, "|")) {
        if (strcmp(word, text) == 0) {
            *out = n;
            return true;
        }
        words[n++] = word;
    }
    const char *near = tml_nearest(text, words, n);
    tml_entry_error(x, v, "%s: expected one of %s, got '%s'%s%s%s", what, choices, text,
                    near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "");
    return false;
}

bool tml_read_is_map(TmlEntry *x, const TmlValue *v, const char *what)
{
    if (v == NULL || v->kind != TML_VALUE_MAP) {
        tml_entry_expected(x, v, what, "a map");
        return false;
    }
    return true;
}

void tml_read_keys(TmlEntry *x, const TmlValue *map, const TmlKey *a, const TmlKey *b,
                   const TmlParam *params)
{
    enum { MAX_KEYS = 128 };
    const char *known[MAX_KEYS];
    const TmlKey *key[MAX_KEYS] = {NULL};
    const TmlParam *param[MAX_KEYS] = {NULL};
    int n = 0;
    for (const TmlKey *k = a; k != NULL && k->name != NULL && n < MAX_KEYS; ++k) {
        key[n] = k;
        known[n++] = k->name;
    }
    for (const TmlKey *k = b; k != NULL && k->name != NULL && n < MAX_KEYS; ++k) {
        key[n] = k;
        known[n++] = k->name;
    }
    for (const TmlParam *p = params; p != NULL && p->name != NULL && n < MAX_KEYS; ++p) {
        param[n] = p;
        known[n++] = p->name;
    }
    for (int i = 0; i < map->n; ++i) {
        int k = 0;
        while (k < n && strcmp(known[k], map->key[i]->text) != 0) {
            k++;
        }
        if (k == n) {
            tml_entry_unknown(x, map->key[i], "key", map->key[i]->text, known, n);
        } else if (key[k] != NULL) {
            tml_check_key(x, map->item[i], key[k]);
        } else {
            tml_check_param(x, map->item[i], param[k]);
        }
    }
}
