/* adams/translate_signals.c - VARIABLE, DIFF, REQUEST, INTEGRATOR.
 *
 * Values of variables and states stay in the units of the dataset; time is in seconds:
 *
 *   (S1)  dx/dt[SI] = (dx/dt)[dataset] / T
 */
#include <stdio.h>
#include <string.h>

#include "adams/dataset.h"

/* The expression FUNCTION, NULL: reported. */
static const char *need_function(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "FUNCTION");
    if (arg == NULL) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument FUNCTION is missing");
        return NULL;
    }
    return tml_adm_expression(adm, item, arg->value);
}

void tml_adm_variable(TmlAdm *adm, TmlAdmItem *item)
{
    const char *text = need_function(adm, item);
    const double initial = tml_adm_real(adm, item, "IC", 0.0);
    if (text == NULL) {
        return;
    }
    const TmlAdmSlice at = tml_adm_arg(item, "FUNCTION")->value;
    TmlValue *v = tml_adm_scalar(adm, at, text);
    if (initial != 0.0) {
        TmlValue *map = tml_adm_map(adm, at);
        tml_adm_set(adm, map, "value", v);
        tml_adm_set(adm, map, "initial",
                    tml_adm_number(adm, tml_adm_arg(item, "IC")->value, initial));
        v = map;
    }
    tml_adm_enter(adm, adm->variables, item, v);
}

void tml_adm_diff(TmlAdm *adm, TmlAdmItem *item)
{
    const char *text = need_function(adm, item);
    double ic[2] = {0.0, 0.0};
    const bool implicit = tml_adm_has(item, "IMPLICIT");
    const int n = tml_adm_reals(adm, item, "IC", 1, 2, ic);
    if (text == NULL) {
        return;
    }
    const TmlAdmSlice at = tml_adm_arg(item, "FUNCTION")->value;
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(
        adm, v, implicit ? "implicit" : "rate",
        tml_adm_scalar(adm, at, implicit ? text : tml_adm_scaled(adm, text, 1.0 / adm->time)));
    if (n > 0) {
        tml_adm_set(adm, v, "initial", tml_adm_number(adm, tml_adm_arg(item, "IC")->value, ic[0]));
    }
    if (n > 1) {
        tml_adm_set(adm, v, "initial_rate",
                    tml_adm_number(adm, tml_adm_arg(item, "IC")->value, ic[1] / adm->time)); // (S1)
    }
    tml_adm_enter(adm, adm->states, item, v);
}

/* --- requests -----------------------------------------------------------------------------------
 */

static void add_column(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice at, int number, const char *text)
{
    char name[80];
    snprintf(name, sizeof name, "%.60s.F%d", item->id, number);
    if (text != NULL) {
        tml_adm_set(adm, adm->outputs, name, tml_adm_scalar(adm, at, text));
        item->written = true;
    }
}

/* The four kinds that Adams knows itself: magnitudes in F1 and F5, components beside them. */
static void standard_request(TmlAdm *adm, TmlAdmItem *item, char kind)
{
    static const struct {
        char kind;
        const char *linear, *angular;
    } functions[] = {{'D', "D", NULL}, {'V', "V", "W"}, {'A', "ACC", "WDT"}};
    static const char *const euler[3] = {"PSI", "THETA", "PHI"};
    TmlAdmItem *i = tml_adm_need(adm, item, "I", "MARKER");
    TmlAdmItem *j = tml_adm_ref(adm, item, "J", "MARKER"),
               *rm = tml_adm_ref(adm, item, "RM", "MARKER");
    const TmlAdmSlice at = tml_adm_whole(item);
    const char *from = j != NULL ? j->path : "ground", *along = rm != NULL ? rm->path : "ground";
    if (item->failed || i == NULL) {
        return;
    }
    for (int number = 1; number <= 8; ++number) {
        const bool second = number > 4;
        const int axis = (number - 1) % 4; // 0: magnitude
        TmlAdmText text = {0};
        if (kind == 'F') {
            if (!tml_adm_between(adm, &text, item, at, i, j, number, along)) {
                tml_mem_free(text.at);
                return;
            }
        } else {
            const int row = kind == 'D' ? 0 : kind == 'V' ? 1 : 2;
            const double L = second ? 1.0 : adm->length;
            const double unit = row == 0   ? L
                                : row == 1 ? L / adm->time
                                           : L / (adm->time * adm->time);
            const char *stem = second ? functions[row].angular : functions[row].linear;
            if (stem == NULL && axis == 0) {
                continue; // no magnitude of three angles
            }
            if (stem == NULL) {
                tml_adm_write(&text, "%s(%s, %s)", euler[axis - 1], i->path, from);
            } else if (axis == 0) {
                tml_adm_write(&text, "%sM(%s, %s)", stem, i->path, from);
            } else {
                tml_adm_write(&text, "%s%c(%s, %s, %s)", stem, "XYZ"[axis - 1], i -> path, from,
                              along);
            }
            if (unit != 1.0 && stem != NULL) {
                tml_adm_write(&text, "*%s", tml_adm_digits(adm, 1.0 / unit));
            }
        }
        add_column(adm, item, at, number, tml_adm_take(adm, &text));
    }
}

static void write_request(TmlAdm *adm, TmlAdmItem *item)
{
    static const struct {
        const char *flag;
        char kind;
    } kinds[] = {{"DISPLACEMENT", 'D'}, {"VELOCITY", 'V'}, {"ACCELERATION", 'A'}, {"FORCE", 'F'}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        if (tml_adm_has(item, kinds[k].flag)) {
            standard_request(adm, item, kinds[k].kind);
            return;
        }
    }
    const TmlAdmArg *user = tml_adm_arg(item, "FUNCTION");
    for (int number = 1; user != NULL && number <= 8 && !item->failed; ++number) {
        add_column(adm, item, user->value, number,
                   tml_adm_user(adm, item, user->value, number - 1));
    }
    for (int number = 1; number <= 8; ++number) {
        const char name[3] = {'F', (char)('0' + number), '\0'};
        const TmlAdmArg *arg = tml_adm_arg(item, name);
        if (arg != NULL) {
            add_column(adm, item, arg->value, number, tml_adm_expression(adm, item, arg->value));
        }
    }
}

/* A column that cannot be written is no error: the motion is the same without it. */
void tml_adm_request(TmlAdm *adm, TmlAdmItem *item)
{
    TmlReport *errors = adm->report;
    adm->report = adm->notes;
    write_request(adm, item);
    adm->report = errors;
}

/* --- settings ------------------------------------------------------------------------------------
 */

/* HMAX and HINIT count; error and method of Adams have other meanings than ours. */
void tml_adm_integrator(TmlAdm *adm, TmlAdmItem *item)
{
    static const struct {
        const char *name, *key;
    } rows[] = {{"HMAX", "max_step"}, {"HINIT", "first_step"}};
    TmlValue *v = tml_adm_map(adm, tml_adm_whole(item));
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        const TmlAdmArg *arg = tml_adm_arg(item, rows[k].name);
        const double h = tml_adm_real(adm, item, rows[k].name, 0.0) * adm->time;
        if (arg != NULL && h > 0.0) {
            tml_adm_set(adm, v, rows[k].key, tml_adm_number(adm, arg->value, h));
        }
    }
    tml_adm_set(adm, adm->root, "simulate", v);
    tml_adm_note(adm, item, tml_adm_whole(item),
                 "method and ERROR are not taken over: --integrator and --tol set ours");
}
