/* expr/dimension.c - arithmetic of dimensions, and their names. */
#include "expr/dimension.h"

#include "expr/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 60 }; // powers beyond this are not meant

bool tml_dimension_has(TmlDimension a)
{
    return a.kind == TML_DIM_LIKELY || a.kind == TML_DIM_KNOWN;
}

bool tml_dimension_same(TmlDimension a, TmlDimension b)
{
    return a.m == b.m && a.kg == b.kg && a.s == b.s;
}

static TmlDimension bounded(TmlDimension a)
{
    const bool far =
        a.m > MOST || a.m < -MOST || a.kg > MOST || a.kg < -MOST || a.s > MOST || a.s < -MOST;
    return far ? (TmlDimension){0} : a;
}

TmlDimension tml_dimension_product(TmlDimension a, TmlDimension b, int sign)
{
    if (a.kind == TML_DIM_ANY || b.kind == TML_DIM_ANY) {
        return (TmlDimension){0};
    }
    TmlDimension out = {.m = a.m + sign * b.m, .kg = a.kg + sign * b.kg, .s = a.s + sign * b.s};
    out.kind = a.kind == b.kind ? a.kind : TML_DIM_LIKELY;
    return bounded(out);
}

TmlDimension tml_dimension_power(TmlDimension a, double power)
{
    if (!tml_dimension_has(a)) {
        return a;
    }
    const double m = power * a.m, kg = power * a.kg, s = power * a.s;
    if (!(fabs(m) + fabs(kg) + fabs(s) < MOST) || m != floor(m) || kg != floor(kg) ||
        s != floor(s)) {
        return (TmlDimension){0};
    }
    return (TmlDimension){a.kind, (int)m, (int)kg, (int)s};
}

bool tml_dimension_sum(TmlDimension a, TmlDimension b, TmlDimension *out)
{
    const bool in_a = tml_dimension_has(a), in_b = tml_dimension_has(b);
    *out = in_a ? a : b;
    if (!in_a && !in_b) {
        out->kind = a.kind == b.kind ? a.kind : TML_DIM_ANY;
        return true;
    }
    if (!in_a || !in_b) {
        return true; // a number without a unit is in that of the other
    }
    if (tml_dimension_same(a, b)) {
        out->kind = a.kind > b.kind ? a.kind : b.kind;
        return true;
    }
    *out = (TmlDimension){0};
    return a.kind != TML_DIM_KNOWN || b.kind != TML_DIM_KNOWN;
}

/* --- texts ----------------------------------------------------------------------------------- */

typedef struct Named {
    const char *name, *unit;
    int m, kg, s;
} Named;

static const Named named[] = {
    {"an angle or a number", "rad", 0, 0, 0},
    {"a length", "m", 1, 0, 0},
    {"an area", "m^2", 2, 0, 0},
    {"a volume", "m^3", 3, 0, 0},
    {"a curvature", "1/m", -1, 0, 0},
    {"a mass", "kg", 0, 1, 0},
    {"a time", "s", 0, 0, 1},
    {"a frequency or angular velocity", "1/s", 0, 0, -1},
    {"a velocity", "m/s", 1, 0, -1},
    {"an acceleration", "m/s^2", 1, 0, -2},
    {"a density", "kg/m^3", -3, 1, 0},
    {"a moment of inertia", "kg m^2", 2, 1, 0},
    {"a force", "N", 1, 1, -2},
    {"a torque or energy", "N m", 2, 1, -2},
    {"a stiffness", "N/m", 0, 1, -2},
    {"a damping", "N s/m", 0, 1, -1},
    {"a damping of rotation", "N m s", 2, 1, -1},
    {"a pressure", "Pa", -1, 1, -2},
    {"a power", "W", 2, 1, -3},
};

void tml_dimension_text(TmlDimension a, char text[TML_DIMENSION_TEXT])
{
    for (size_t k = 0; k < sizeof named / sizeof *named; ++k) {
        if (named[k].m == a.m && named[k].kg == a.kg && named[k].s == a.s) {
            snprintf(text, TML_DIMENSION_TEXT, "%s (%s)", named[k].name, named[k].unit);
            return;
        }
    }
    const int power[3] = {a.kg, a.m, a.s};
    static const char *const unit[3] = {"kg", "m", "s"};
    size_t at = 0;
    text[0] = '\0';
    for (int k = 0; k < 3; ++k) {
        if (power[k] != 0) {
            const int w = power[k] == 1 ? snprintf(text + at, TML_DIMENSION_TEXT - at, "%s%s",
                                                   at > 0 ? " " : "", unit[k])
                                        : snprintf(text + at, TML_DIMENSION_TEXT - at, "%s%s^%d",
                                                   at > 0 ? " " : "", unit[k], power[k]);
            at += (size_t)w;
        }
    }
}

/* One unit with its power at *c, over or under the line. */
static bool read_unit(const char **c, const char *end, int sign, TmlDimension *out)
{
    const char *word = *c;
    while (*c < end && ((**c >= 'a' && **c <= 'z') || (**c >= 'A' && **c <= 'Z'))) {
        ++*c;
    }
    double factor, parts;
    TmlDimension unit;
    if (!tml_unit_find(word, (int)(*c - word), &factor, &parts, &unit)) {
        return false;
    }
    int power = 1;
    if (*c + 1 < end && **c == '^' && (*c)[1] >= '1' && (*c)[1] <= '9') {
        power = (*c)[1] - '0';
        *c += 2;
    }
    *out = tml_dimension_product(*out, tml_dimension_power(unit, power), sign);
    return true;
}

bool tml_dimension_read(const char *text, size_t length, TmlDimension *out)
{
    const char *c = text, *end = text + length;
    int sign = 1;
    *out = tml_dimension(0, 0, 0);
    if (c < end && *c == '1') {
        ++c; // 1/s
    } else if (!read_unit(&c, end, sign, out)) {
        return false;
    }
    while (c < end) {
        if (*c == '/') {
            sign = -1;
        } else if (*c != ' ') {
            return false;
        }
        ++c;
        if (!read_unit(&c, end, sign, out)) {
            return false;
        }
    }
    return true;
}

bool tml_dimension_fits(TmlDimension a, const char *units)
{
    if (!tml_dimension_has(a) || units == NULL || units[0] == '\0') {
        return true;
    }
    while (units[0] != '\0') {
        const size_t length = strcspn(units, ",");
        TmlDimension want;
        if (!tml_dimension_read(units, length, &want) || tml_dimension_same(a, want)) {
            return true;
        }
        units += length;
        units += strspn(units, ", ");
    }
    return false;
}
