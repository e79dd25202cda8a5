/* adams/translate/inputs.c - PINPUT and POUTPUT: variables that are driven from outside, and given to it.
 *
 * An input is a VARIABLE that a PINPUT lists. It keeps its FUNCTION unless it is given a number, or
 * a table of time in seconds and value, linear between its rows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adams/adams.h"
#include "adams/dataset/dataset.h"
#include "adams/tables/numbers.h"
#include "base/real.h"
#include "model/model.h"

enum { MOST = 1000 };

/* Called for every variable that a statement lists. */
typedef void Visit(TmlAdm *adm, TmlAdmItem *list, TmlAdmItem *variable, void *arg);

static void for_each(TmlAdm *adm, TmlAdmItem *list, Visit *visit, void *arg)
{
    double id[MOST];
    const int n = tml_adm_reals(adm, list, "VARIABLES", 1, MOST, id);
    for (int i = 0; i < n; ++i) {
        char text[32];
        snprintf(text, sizeof text, "%.0f", id[i]);
        TmlAdmItem *variable = tml_adm_find(adm, "VARIABLE", text);
        if (variable != NULL) {
            visit(adm, list, variable, arg);
        } else {
            tml_adm_error(adm, list, tml_adm_arg(list, "VARIABLES")->value,
                          "there is no VARIABLE/%s", text);
        }
    }
}

/* --- inputs ----------------------------------------------------------------------------------- */

typedef struct Wanted {
    const char *name;
    TmlAdmItem *found;
    TmlAdmText known; /* names of all inputs */
} Wanted;

static bool is_named(const TmlAdmItem *variable, const char *name)
{
    return strcasecmp(variable->name, name) == 0 || strcmp(variable->id, name) == 0 ||
           (variable->s->view_name != NULL && strcasecmp(variable->s->view_name, name) == 0);
}

static void look_for(TmlAdm *adm, TmlAdmItem *list, TmlAdmItem *variable, void *arg)
{
    Wanted *w = arg;
    (void)adm, (void)list;
    w->found = is_named(variable, w->name) ? variable : w->found;
    if (!variable->listed) { // several PINPUTs may name it
        tml_adm_write(&w->known, "%s%s", w->known.n > 0 ? ", " : "", variable->name);
    }
    variable->listed = true;
}

static void complain(TmlAdm *adm, const char *name, const char *text, const char *more)
{
    const TmlValue at = {.file = adm->file, .line = 1, .column = 1};
    tml_report_add(adm->report, &at, "--input %s: %s%s", name, text, more);
}

static bool times_increase(const TmlAdmNumbers *f)
{
    const double *value = f->value;
    for (int r = 0; r < f->rows; ++r) {
        if (!isfinite(value[2 * r]) || (r > 0 && !(value[2 * r] > value[2 * r - 2]))) {
            return false;
        }
    }
    return true;
}

/* Rows of time and value as a spline of its own; the expression that reads it. */
static const char *table_value(TmlAdm *adm, const TmlAdmItem *variable, const char *name,
                               const char *path)
{
    TmlAdmNumbers f = {0};
    const TmlAdmSlice nowhere = {0};
    const char *spline = tml_arena_printf(adm->arena, "%s_input", variable->name);
    const char *text = NULL;
    const bool opened = tml_adm_numbers_read(path, "", &f);
    adm->nomem |= adm->model != NULL && !tml_model_input_add(adm->model, path);
    double *column =
        f.rows > 0 ? tml_arena_alloc(adm->arena, 2 * (size_t)f.rows, sizeof *column) : NULL;
    if (!opened || f.ragged || f.wrong > 0 || f.columns != 2 || f.rows < 2) {
        complain(adm, name, opened ? "expected rows of time and value in " : "cannot open ", path);
    } else if (!times_increase(&f)) {
        complain(adm, name, "times must be finite and increase in ", path);
    } else if (column == NULL || spline == NULL) {
        adm->nomem = true;
    } else {
        for (int r = 0; r < f.rows; ++r) {
            column[r] = ((const double *)f.value)[2 * r];
            column[f.rows + r] = ((const double *)f.value)[2 * r + 1];
        }
        TmlValue *v = tml_adm_map(adm, nowhere);
        tml_adm_set(adm, v, "type", tml_adm_scalar(adm, nowhere, "linear"));
        tml_adm_set(adm, v, "x", tml_adm_numbers(adm, nowhere, f.rows, column));
        tml_adm_set(adm, v, "y", tml_adm_numbers(adm, nowhere, f.rows, column + f.rows));
        tml_adm_set(adm, adm->splines, spline, v);
        text = tml_arena_printf(adm->arena, "spline(time, %s)", spline);
        adm->nomem |= text == NULL;
    }
    tml_adm_numbers_free(&f);
    return text;
}

static const char *input_value(TmlAdm *adm, const TmlAdmItem *variable, const char *name,
                               const char *value)
{
    char *end;
    const double number = tml_real_read(value, &end);
    if (strcasecmp(value, "zero") == 0) {
        return "0";
    }
    if (end != value && *end == '\0' && isfinite(number)) {
        return tml_adm_digits(adm, number);
    }
    return table_value(adm, variable, name, value);
}

void tml_adm_inputs(TmlAdm *adm, const TmlAdamsOptions *o)
{
    for (int k = 0; k < o->n_inputs && !adm->nomem; ++k) {
        Wanted w = {.name = o->input_name[k]};
        for (int i = 0; i < adm->n; ++i) {
            adm->item[i].listed = false;
        }
        for (int i = 0; i < adm->n; ++i) {
            if (strcmp(adm->item[i].syntax->name, "PINPUT") == 0 && !adm->item[i].failed) {
                for_each(adm, &adm->item[i], look_for, &w);
            }
        }
        const char *known = tml_adm_take(adm, &w.known);
        if (w.found == NULL) {
            complain(adm, w.name,
                     known[0] != '\0' ? "no such input; there are " : "no PINPUT at all", known);
        } else {
            w.found->driven = input_value(adm, w.found, w.name, o->input_value[k]);
        }
    }
}

static void nothing(TmlAdm *adm, TmlAdmItem *list, TmlAdmItem *variable, void *arg)
{
    (void)adm, (void)list, (void)variable, (void)arg;
}

void tml_adm_pinput(TmlAdm *adm, TmlAdmItem *item)
{
    for_each(adm, item, nothing, NULL); // tells variables that are not there
}

/* --- outputs ---------------------------------------------------------------------------------- */

static void give_output(TmlAdm *adm, TmlAdmItem *list, TmlAdmItem *variable, void *arg)
{
    (void)arg;
    if (!variable->is_output) {
        tml_adm_set(adm, adm->outputs, variable->name,
                    tml_adm_scalar(adm, tml_adm_whole(list), variable->name));
    }
    variable->is_output = true;
}

void tml_adm_poutput(TmlAdm *adm, TmlAdmItem *item)
{
    for_each(adm, item, give_output, NULL);
}
