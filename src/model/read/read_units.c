/* model/read/read_units.c - values that are written with a unit must have the dimension that is asked
 * for. The tables of keys and parameters tell it: every map is looked at where its keys are.
 *
 * What is surely wrong is an error, what is most likely wrong a warning (expr/dimension.h).
 */
#include <string.h>

#include "expr/expr.h"
#include "model/read/read.h"

/* Whether a unit may stand in the text: a letter after a digit, spaces between. */
static bool may_hold_unit(const char *text)
{
    bool digit = false;
    for (const char *c = text; *c != '\0'; ++c) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (letter && digit) {
            return true;
        }
        digit = (*c >= '0' && *c <= '9') || *c == '.' || (*c == ' ' && digit);
    }
    return false;
}

void tml_check_dimension(TmlEntry *x, const TmlValue *at, const char *what, const char *unit,
                         TmlDimension dim)
{
    char got[TML_DIMENSION_TEXT];
    if (tml_dimension_fits(dim, unit)) {
        return;
    }
    tml_dimension_text(dim, got);
    if (dim.kind == TML_DIM_KNOWN) {
        tml_entry_error(x, at, "%s: expected %s, got %s", what, unit, got);
    } else {
        tml_entry_warning(x, at, "%s: expected %s, got %s as its units say", what, unit, got);
    }
}

/* One number; what is wrong with it otherwise is told where it is read. */
static void check_number(TmlEntry *x, const TmlValue *v, const char *what, const char *unit)
{
    TmlDimension dim = {0};
    const bool unlikely = !x->r->has_units && !may_hold_unit(v->text);
    if (unlikely || strchr(v->text, '{') != NULL) {
        return;
    }
    if (tml_read_dimension(x, v->text, &dim)) {
        tml_check_dimension(x, v, what, unit, dim);
    }
}

void tml_check_units(TmlEntry *x, const TmlValue *v, const char *what, const char *unit)
{
    if (unit == NULL || unit[0] == '\0') {
        return;
    }
    for (int k = 0; v->kind == TML_VALUE_LIST && k < v->n; ++k) {
        const TmlValue *item = v->item[k];
        if (item->kind == TML_VALUE_SCALAR) {
            check_number(x, item, what, unit);
        } else {
            tml_check_units(x, item, what, unit);
        }
    }
}

/* A single value: a number, or a list of them. Words that stand for vectors are no numbers. */
static void check_key(TmlEntry *x, const TmlValue *v, const char *name, bool number,
                      const char *unit)
{
    if (number && v->kind == TML_VALUE_SCALAR && unit != NULL && unit[0] != '\0') {
        check_number(x, v, name, unit);
    } else {
        tml_check_units(x, v, name, unit);
    }
}

void tml_check_key(TmlEntry *x, const TmlValue *v, const TmlKey *key)
{
    const bool expression = key->kind == TML_KEY_EXPR || key->kind == TML_KEY_EXPRS;
    if (!expression) {
        check_key(x, v, key->name, key->kind == TML_KEY_NUMBER || key->kind == TML_KEY_ELEMENTS,
                  key->unit);
    }
}

void tml_check_param(TmlEntry *x, const TmlValue *v, const TmlParam *param)
{
    const bool number = param->kind == TML_PARAM_REAL;
    const bool list = param->kind == TML_PARAM_VEC3 || param->kind == TML_PARAM_REALS ||
                      param->kind == TML_PARAM_POINTS || param->kind == TML_PARAM_MAT66;
    if (number || list) {
        check_key(x, v, param->name, number, param->unit);
    }
}
