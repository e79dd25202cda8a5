/* io/part/part_value.c - numbers and vectors in the description of a part, units allowed. */
#include "io/part/part_value.h"

#include "base/real.h"
#include "expr/unit.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* "number" or "number unit". */
static bool read_quantity(const char *text, double *out, TmlDimension *dimension)
{
    char *end = NULL;
    double factor = 1.0, parts = 1.0;
    *out = tml_real_read(text, &end);
    *dimension = (TmlDimension){.kind = TML_DIM_ANY};
    if (end == text) {
        return false;
    }
    while (isspace((unsigned char)*end)) {
        ++end;
    }
    if (*end != '\0' && !tml_unit_find(end, (int)strlen(end), &factor, &parts, dimension)) {
        return false;
    }
    *out *= factor / parts;
    return isfinite(*out);
}

bool tml_part_number(TmlReport *report, const TmlValue *at, const TmlValue *v, const char *what,
                     const char *unit, double *out)
{
    TmlDimension dimension;
    if (v == NULL || v->kind == TML_VALUE_NULL) {
        tml_report_add(report, v != NULL ? v : at, "%s is missing", what);
        return false;
    }
    if (v->kind != TML_VALUE_SCALAR || !read_quantity(v->text, out, &dimension)) {
        tml_report_add(report, v, "%s: expected a number, with a unit or without", what);
        return false;
    }
    if (dimension.kind != TML_DIM_ANY &&
        (unit[0] == '\0' || !tml_dimension_fits(dimension, unit))) {
        tml_report_add(report, v, "%s: the unit does not fit%s%s", what,
                       unit[0] != '\0' ? ": it is measured in " : "", unit);
        return false;
    }
    return true;
}

bool tml_part_positive(TmlReport *report, const TmlValue *at, const TmlValue *v, const char *what,
                       const char *unit, double *out)
{
    if (!tml_part_number(report, at, v, what, unit, out)) {
        return false;
    }
    if (!(*out > 0.0)) {
        tml_report_add(report, v, "%s must be positive", what);
        return false;
    }
    return true;
}

bool tml_part_numbers(TmlReport *report, const TmlValue *at, const TmlValue *v, const char *what,
                      const char *unit, int n, double *out)
{
    if (v == NULL || v->kind != TML_VALUE_LIST || v->n != n) {
        tml_report_add(report, v != NULL ? v : at, "%s: expected a list of %d numbers", what, n);
        return false;
    }
    for (int k = 0; k < n; ++k) {
        if (!tml_part_number(report, v, v->item[k], what, unit, &out[k])) {
            return false;
        }
    }
    return true;
}

bool tml_part_direction(TmlReport *report, const TmlValue *v, const char *what, TmlVec3 *out)
{
    double x[3] = {0};
    if (v->kind == TML_VALUE_SCALAR) {
        const char *text = v->text + (v->text[0] == '-');
        const double sign = text != v->text ? -1.0 : 1.0;
        if (strlen(text) != 1 || strchr("xyz", text[0]) == NULL) {
            tml_report_add(report, v, "%s: expected x, y, z or a list of three numbers", what);
            return false;
        }
        x[text[0] - 'x'] = sign;
    } else if (!tml_part_numbers(report, v, v, what, "", 3, x)) {
        return false;
    }
    *out = (TmlVec3){x[0], x[1], x[2]};
    return true;
}

bool tml_part_keys(TmlReport *report, const TmlValue *map, const char *what,
                   const char *const *known, int n)
{
    if (map->kind != TML_VALUE_MAP) {
        tml_report_add(report, map, "%s: expected entries \"key: value\"", what);
        return false;
    }
    bool ok = true;
    for (int k = 0; k < map->n; ++k) {
        bool found = false;
        for (int i = 0; i < n; ++i) {
            found = found || strcmp(map->key[k]->text, known[i]) == 0;
        }
        if (!found) {
            const char *near = tml_nearest(map->key[k]->text, known, n);
            tml_report_add(report, map->key[k], "%s has no '%s'%s%s%s", what, map->key[k]->text,
                           near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                           near != NULL ? "'?" : "");
            ok = false;
        }
    }
    return ok;
}
