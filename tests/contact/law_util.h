/* tests/contact/law_util.h - random data of laws, their dimensions, and differences that know kinks. */
#pragma once

#include "base/arena.h"
#include "expr/dimension.h"
#include "math/vec3.h"
#include "model/contact/contacts.h"
#include "model/contact/law/press.h"
#include "test.h"

#include <stdarg.h>
#include <stdlib.h>

/* A parameter at random within its range. One whose default is 0 is left out in one of three samples:
 * laws take 0 for "not given". */
static inline void law_param(TestCtx *t, const TmlParam *p, char *data)
{
    char *at = data + p->offset;
    const bool absent = p->standard != NULL && strcmp(p->standard, "0") == 0;
    const bool unity = p->standard != NULL && strcmp(p->standard, "1") == 0; // a restitution
    switch (p->kind) {
    case TML_PARAM_BOOL:
        *(bool *)at = test_random(t, 0, 1) < 0.5;
        break;
    case TML_PARAM_CHOICE: {
        int n = 1;
        for (const char *c = p->choices; *c != '\0'; ++c) {
            n += *c == '|';
        }
        *(int *)at = (int)test_random(t, 0, n);
        break;
    }
    case TML_PARAM_REAL:
        *(double *)at = absent && test_random(t, 0, 3) < 1.0 ? 0.0 : test_random(t, 0.1, 1.0);
        *(double *)at = unity && test_random(t, 0, 2) < 1.0 ? 1.0 : *(double *)at;
        if (strcmp(p->name, "exponent") == 0) {
            *(double *)at = test_random(t, 0, 1) < 0.3 ? 1.0 : test_random(t, 1.0, 3.0);
        }
        break;
    default:
        test_fail(t, __FILE__, __LINE__, "parameter '%s': kind not known to the tests", p->name);
    }
}

/* Data of a law that its check accepts. */
/* As a reader does with data that it has read. */
static inline void law_prepare(const TmlTypeInfo *info, void *data)
{
    for (const TmlPressType *const *p = tml_press_types; *p != NULL; ++p) {
        if (&(*p)->info == info && (*p)->prepare != NULL) {
            (*p)->prepare(data);
        }
    }
    for (const TmlSlipType *const *p = tml_slip_types; *p != NULL; ++p) {
        if (&(*p)->info == info && (*p)->prepare != NULL) {
            (*p)->prepare(data);
        }
    }
}

static inline void *law_data(TestCtx *t, TmlArena *arena, const TmlTypeInfo *info,
                             TmlStatus (*check)(const void *data, TmlError *err))
{
    char *data = tml_arena_alloc(arena, 1, info->data_size);
    TmlError err = {0};
    for (int k = 0; k < 1000; ++k) {
        for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
            law_param(t, p, data);
        }
        if (check == NULL || check(data, &err) == TML_OK) {
            law_prepare(info, data);
            return data;
        }
    }
    test_fail(t, __FILE__, __LINE__, "%s: no random data accepted: %s", info->name, err.message);
    return data;
}

/* Data with defaults, and the values named: name, value, ..., NULL. Choices and flags by number. */
static inline void *law_given(TestCtx *t, TmlArena *arena, const TmlTypeInfo *info, ...)
{
    char *data = tml_arena_alloc(arena, 1, info->data_size);
    for (const TmlParam *p = info->params; p->name != NULL; ++p) {
        if (p->kind == TML_PARAM_REAL && p->standard != NULL) {
            *(double *)(data + p->offset) = strtod(p->standard, NULL);
        }
    }
    va_list list;
    va_start(list, info);
    for (const char *name; (name = va_arg(list, const char *)) != NULL;) {
        const double value = va_arg(list, double);
        const TmlParam *p = info->params;
        while (p->name != NULL && strcmp(p->name, name) != 0) {
            ++p;
        }
        if (p->name == NULL) {
            test_fail(t, __FILE__, __LINE__, "%s: no parameter '%s'", info->name, name);
        } else if (p->kind == TML_PARAM_REAL) {
            *(double *)(data + p->offset) = value;
        } else if (p->kind == TML_PARAM_BOOL) {
            *(bool *)(data + p->offset) = value != 0.0;
        } else {
            *(int *)(data + p->offset) = (int)value;
        }
    }
    va_end(list);
    law_prepare(info, data);
    return data;
}

/* Units of length, mass and time, as factors on the numbers. */
typedef struct Units {
    double m, kg, s;
} Units;

static inline double units_factor(const Units *u, double m, double kg, double s)
{
    return pow(u->m, m) * pow(u->kg, kg) * pow(u->s, s);
}

static inline double law_exponent(const TmlTypeInfo *info, const char *data)
{
    for (const TmlParam *p = info->params; p->name != NULL; ++p) {
        if (strcmp(p->name, "exponent") == 0) {
            return *(const double *)(data + p->offset);
        }
    }
    return 0.0;
}

/* The same data in other units, by the units of the table. */
static inline void *law_rescaled(TestCtx *t, TmlArena *arena, const TmlTypeInfo *info,
                                 const void *data, const Units *u)
{
    char *to = tml_arena_alloc(arena, 1, info->data_size);
    memcpy(to, data, info->data_size);
    for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
        TmlDimension dim = tml_dimension(0, 0, 0);
        double *at = (double *)(to + p->offset), power = 0.0;
        if (p->kind != TML_PARAM_REAL || p->unit[0] == '\0') {
            continue;
        }
        if (strcmp(p->unit, "N/m^n") == 0) {
            dim = tml_dimension(1, 1, -2);
            power = law_exponent(info, data);
        } else if (!tml_dimension_read(p->unit, strlen(p->unit), &dim)) {
            test_fail(t, __FILE__, __LINE__, "%s: unit '%s' is none", p->name, p->unit);
        }
        *at *= units_factor(u, dim.m - power, dim.kg, dim.s);
    }
    law_prepare(info, to);
    return to;
}

/* --- differences ------------------------------------------------------------------------------- */

/* A difference of sixth order, and how far one with half the step is from it: where a kink lies within
 * the stencil the two differ, and the sample says nothing. The bound on that does not know what is
 * compared with. */
typedef struct Difference {
    double value, doubt;
} Difference;

static inline Difference difference(double (*f)(void *user, double x), void *user, double h)
{
    static const double weight[] = {-1.0 / 60, 9.0 / 60,  -45.0 / 60,
                                    45.0 / 60, -9.0 / 60, 1.0 / 60};
    static const double at[] = {-3, -2, -1, 1, 2, 3};
    double sum[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 6; ++i) {
            sum[k] += weight[i] / h * f(user, at[i] * h);
        }
        h *= 0.5;
    }
    return (Difference){sum[1], fabs(sum[1] - sum[0])};
}
