/* model/read/signals/read_inputs.c - section `inputs`: named values that come from outside.
 *
 *   (I1)  u' = 0, u(start) = value        a number, which a program sets between steps
 *   (I2)  u = s(t)                        a table over time, with the derivatives of its spline
 *
 * An input by (I1) is a state whose rate is zero, so that forces have their derivatives by it, and that setting it is what
 * setting a state at an event is. The column of the state in a linearised model is that of the matrix B. One by (I2) is a
 * variable. --input of the command, and TmlLoadOptions, give an input another number, or the file of a table.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/real.h"
#include "model/measure/binding.h"
#include "model/read/read.h"
#include "model/read/sections.h"

const TmlKey tml_keys_input[] = {
    {"value", TML_KEY_NUMBER, "", "", "a number, which a program may set between steps", NULL},
    {"unit", TML_KEY_TEXT, "", "", "unit shown with the input", NULL},
    {"type", TML_KEY_CHOICE, "", "linear", "of a table: rule of interpolation",
     "cubic|akima|linear"},
    {"x", TML_KEY_NUMBERS, "", "", "of a table: increasing times, with y", NULL},
    {"y", TML_KEY_NUMBERS, "", "", "values at x", NULL},
    {"points", TML_KEY_POINTS, "", "", "list of [time, value], instead of x and y", NULL},
    {"file", TML_KEY_TEXT, "", "",
     "file with two columns of numbers, relative to the model; instead of x and y", NULL},
    {"extrapolate", TML_KEY_CHOICE, "", "tangent",
     "beyond the ends: the tangent, the parabola through the last three points, the last value",
     "tangent|parabola|constant"},
    {0},
};

/* (I1) */
static void add_number(TmlEntry *x, double value, TmlInput *input)
{
    TmlModel *m = x->r->m;
    const TmlUserState state = {.name = x->name, .source = x->key, .initial = value};
    bool ok = true;
    TML_LIST_ADD(m->states, state, &ok);
    x->r->nomem |= !ok;
    if (ok) {
        input->state = m->states.n - 1;
        tml_read_made(x, TML_TARGET_STATE, input->state, "0");
    }
}

/* (I2) */
static void add_table(TmlEntry *x, TmlSpline *spline, TmlInput *input)
{
    TmlModel *m = x->r->m;
    const TmlNamedSpline named = {tml_reader_printf(x->r, "%s_of_time", x->name), spline};
    const TmlVariable variable = {.name = x->name, .source = x->key};
    bool ok = named.name != NULL;
    TML_LIST_ADD(m->splines, named, &ok);
    TML_LIST_ADD(m->variables, variable, &ok);
    x->r->nomem |= !ok;
    if (ok) {
        input->variable = m->variables.n - 1;
        tml_read_made(x, TML_TARGET_VARIABLE, input->variable,
                      tml_reader_printf(x->r, "spline(time, %s)", named.name));
    }
}

static TmlGivenInput *given_of(TmlModel *m, const char *name)
{
    for (int k = 0; k < m->given_inputs.n; ++k) {
        if (strcmp(m->given_inputs.at[k].name, name) == 0) {
            return &m->given_inputs.at[k];
        }
    }
    return NULL;
}

static bool is_number(const char *text, double *out)
{
    char *end;
    *out = tml_real_read(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

static const TmlValue *value_of(TmlEntry *x, bool *table)
{
    static const char *const of_table[] = {"points", "x", "y", "file"};
    const TmlValue *v = x->value;
    *table = false;
    if (v->kind != TML_VALUE_MAP) {
        return v;
    }
    tml_read_keys(x, v, tml_keys_input, NULL, NULL);
    for (size_t k = 0; k < sizeof of_table / sizeof *of_table; ++k) {
        *table |= tml_value_find(v, of_table[k]) != NULL;
    }
    const TmlValue *number = tml_value_find(v, "value");
    if (*table == (number != NULL)) {
        tml_entry_error(x, x->key, "give either 'value', or a table: points, x and y, or file");
        return NULL;
    }
    return *table ? v : number;
}

static void read_input(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    (void)arg;
    if (!tml_read_bare_name(x, x->key, x->name)) {
        return;
    }
    TmlInput input = {.name = x->name, .unit = "", .state = -1, .variable = -1};
    const TmlValue *unit =
        x->value->kind == TML_VALUE_MAP ? tml_value_find(x->value, "unit") : NULL;
    bool table;
    const TmlValue *v = value_of(x, &table);
    TmlGivenInput *given = given_of(m, x->name);
    double number = 0.0;
    if (unit != NULL) {
        input.unit = tml_read_text(x, unit, "unit");
    }
    if (given != NULL) {
        given->used = true;
        if (is_number(given->value, &number)) {
            add_number(x, number, &input);
        } else {
            TmlSpline *spline = tml_read_table_file(x, given->value);
            if (spline != NULL) {
                add_table(x, spline, &input);
            }
        }
    } else if (v != NULL && table) {
        TmlSpline *spline = tml_read_input_table(x, v);
        if (spline != NULL) {
            add_table(x, spline, &input);
        }
    } else if (v != NULL && tml_read_ranged(x, v, "value", TML_ANY, input.unit, &number)) {
        add_number(x, number, &input);
    }
    bool ok = true;
    TML_LIST_ADD(m->signals, input, &ok);
    x->r->nomem |= !ok;
}

void tml_read_inputs(TmlReader *r, const TmlValue *root, const TmlValue *section)
{
    tml_read_entries(r, section, "input", NULL, read_input, NULL);
    TmlModel *m = r->m;
    for (int k = 0; k < m->given_inputs.n; ++k) {
        if (!m->given_inputs.at[k].used) {
            const TmlValue *at = section != NULL ? section : root;
            TmlEntry x = {.r = r, .value = at};
            tml_entry_unknown_name(&x, at, "input", m->given_inputs.at[k].name, m->signals.at,
                                   m->signals.n, sizeof *m->signals.at);
        }
    }
}
