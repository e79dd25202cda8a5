/* tests/expr/test_dimension.c - dimensions of expressions with units, and what does not go
 * together.
 */
#include "test.h"

#include "expr/expr.h"
#include "expr/unit.h"
#include "model/read/sections.h"
#include "model/registry.h"

typedef struct Row {
    const char *text;
    TmlDimensionKind kind;
    int m, kg, s;
} Row;

/* Two parameters: L is 2 mm, k is a number without a unit. */
static TmlStatus resolve(void *user, const char *name, TmlExprSymbol *out, TmlError *err)
{
    (void)user;
    *out = (TmlExprSymbol){.constant = true, .value = 3.0};
    if (strcmp(name, "L") == 0) {
        out->dim = tml_dimension(1, 0, 0);
        return TML_OK;
    }
    return strcmp(name, "k") == 0 ? TML_OK : tml_fail(err, TML_E_MODEL, "unknown");
}

TEST(expressions_carry_dimensions)
{
    static const Row rows[] = {
        {"5", TML_DIM_FACTOR, 0, 0, 0},
        {"5.5", TML_DIM_ANY, 0, 0, 0},
        {"300", TML_DIM_ANY, 0, 0, 0},
        {"30 deg", TML_DIM_KNOWN, 0, 0, 0},
        {"5 mm", TML_DIM_KNOWN, 1, 0, 0},
        {"400 N/mm", TML_DIM_KNOWN, 0, 1, -2},
        {"7.85 g/cm^3", TML_DIM_KNOWN, -3, 1, 0},
        {"2 kN*(3 m)^2/(4 s)", TML_DIM_KNOWN, 3, 1, -3},
        {"-L", TML_DIM_KNOWN, 1, 0, 0},
        {"L/2", TML_DIM_LIKELY, 1, 0, 0},
        {"pi*L^2/4", TML_DIM_LIKELY, 2, 0, 0},
        {"7850*L", TML_DIM_ANY, 0, 0, 0}, // a density in SI units, it may be
        {"k*L", TML_DIM_ANY, 0, 0, 0},
        {"L + 0.5", TML_DIM_KNOWN, 1, 0, 0},
        {"L/2 + 3 mm", TML_DIM_KNOWN, 1, 0, 0},
        {"L^k", TML_DIM_KNOWN, 3, 0, 0},
        {"L^0.5", TML_DIM_ANY, 0, 0, 0},
        {"sqrt(4 m^2)", TML_DIM_KNOWN, 1, 0, 0},
        {"max(L, 2 m, 4)", TML_DIM_KNOWN, 1, 0, 0},
        {"sin(30 deg)*L", TML_DIM_ANY, 0, 0, 0},
        {"abs(-3 kg)", TML_DIM_KNOWN, 0, 1, 0},
        {"L < 5 mm", TML_DIM_ANY, 0, 0, 0},
        {"50 Hz*2*pi", TML_DIM_LIKELY, 0, 0, -1},
        {"1 J/(1 Nm)", TML_DIM_KNOWN, 0, 0, 0},
        {"1 W - 1 Nm*1 rpm", TML_DIM_KNOWN, 2, 1, -3},
    };
    const TmlExprResolver resolver = {.name = resolve};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        double value;
        TmlDimension dim = {0};
        TmlError err = {0};
        t->name = rows[k].text;
        CHECK_OK(t, tml_expr_quantity(rows[k].text, &resolver, &value, &dim, &err), &err);
        CHECK_INT(t, dim.kind, rows[k].kind);
        CHECK_INT(t, dim.m, rows[k].m);
        CHECK_INT(t, dim.kg, rows[k].kg);
        CHECK_INT(t, dim.s, rows[k].s);
    }
}

TEST(what_does_not_go_together)
{
    static const char *const rows[][2] = {
        {"3 kg + 2 s", "cannot add a mass (kg) and a time (s)"},
        // each of the three exponents alone
        {"3 m + 2 m/s", "cannot add a length (m) and"},
        {"3 N + 2 N/kg", "cannot add a force (N) and"},
        {"3 N + 2 J", "cannot add a force (N) and"},
        {"3 kg - L", "cannot subtract a mass (kg) and a length (m)"},
        {"L < 3 kg", "cannot compare a length (m) and a mass (kg)"},
        {"max(L, 3 N)", "max cannot compare a length (m) and a force (N)"},
        {"sin(3 mm)", "sin takes an angle or a number without a unit, got a length (m)"},
        {"(1 m)*L/L^2 m", "an exponent has no unit, got a length (m)"},
        {"2.5^L", "an exponent has no unit, got a length (m)"},
        {"2^30 deg", "an exponent has no unit, got an angle or a number"},
        {"2 + 1 m^2*(3 kg + 4 N/m^3)", "cannot add a mass (kg) and kg m^-2 s^-2"},
    };
    const TmlExprResolver resolver = {.name = resolve};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        double value;
        TmlError err = {0};
        t->name = rows[k][0];
        CHECK_INT(t, tml_expr_constant(rows[k][0], &resolver, &value, &err), TML_E_MODEL);
        CHECK_HAS(t, err.message, rows[k][1]);
    }
}

/* --- the tables ------------------------------------------------------------------------------- */

/* Every part of a list of units is one. */
static void check_text(TestCtx *t, const char *name, const char *units)
{
    t->name = name;
    while (units[0] != '\0') {
        const size_t length = strcspn(units, ",");
        TmlDimension dim;
        CHECK(t, tml_dimension_read(units, length, &dim));
        units += length;
        units += strspn(units, ", ");
    }
}

static void check_params(TestCtx *t, const TmlTypeInfo *info)
{
    for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
        if (p->kind != TML_PARAM_SPLINE) { // N over m
            check_text(t, p->name, p->unit);
        }
    }
}

TEST(units_of_the_tables_are_units)
{
    for (int k = 0; tml_constraint_types[k] != NULL; ++k) {
        check_params(t, &tml_constraint_types[k]->info);
    }
    for (int k = 0; tml_force_types[k] != NULL; ++k) {
        check_params(t, &tml_force_types[k]->info);
    }
    for (int k = 0; tml_body_types[k] != NULL; ++k) {
        check_params(t, &tml_body_types[k]->info);
    }
    for (const TmlSection *s = tml_sections; s->name != NULL; ++s) {
        for (const TmlKey *k = s->keys; k != NULL && k->name != NULL; ++k) {
            check_text(t, k->name, k->unit);
        }
    }
    static const TmlKey *const parts[] = {tml_keys_material, tml_keys_cross, tml_keys_arc,
                                          tml_keys_rest,     tml_keys_patch, tml_keys_load,
                                          tml_keys_rotation, tml_keys_node,  tml_keys_path};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        for (const TmlKey *k = parts[i]; k->name != NULL; ++k) {
            check_text(t, k->name, k->unit);
        }
    }
}

TEST(every_unit_has_the_dimension_of_its_SI_unit)
{
    static const char *const same[][2] = {
        {"rpm", "1/s"},  {"Hz", "1/s"},  {"ft", "m"},       {"lb", "kg"},        {"h", "s"},
        {"lbf", "N"},    {"Nm", "N m"},  {"bar", "N/m^2"},  {"J", "kg m^2/s^2"}, {"W", "N m/s"},
        {"g0", "m/s^2"}, {"deg", "rad"}, {"N", "kg m/s^2"},
    };
    for (size_t k = 0; k < sizeof same / sizeof *same; ++k) {
        TmlDimension a, b;
        t->name = same[k][0];
        CHECK(t, tml_dimension_read(same[k][0], strlen(same[k][0]), &a) || same[k][0][1] == '0');
        CHECK(t, tml_dimension_read(same[k][1], strlen(same[k][1]), &b));
        double factor, parts;
        CHECK(t, tml_unit_find(same[k][0], (int)strlen(same[k][0]), &factor, &parts, &a));
        CHECK(t, tml_dimension_same(a, b));
    }
}

TEST_SUITE(dimension) = {CASE(expressions_carry_dimensions),
                         CASE(what_does_not_go_together),
                         CASE(units_of_the_tables_are_units),
                         CASE(every_unit_has_the_dimension_of_its_SI_unit),
                         {0}};
