/* adams/translate/translate_signals.c - VARIABLE, DIFF, REQUEST.
 *
 * Values of variables and states stay in the units of the dataset; time is in seconds:
 *
 *   (S1)  dx/dt[SI] = (dx/dt)[dataset] / T
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "adams/dataset/dataset.h"

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
    const TmlAdmArg *function = tml_adm_arg(item, "FUNCTION");
    const char *text = item->driven != NULL ? item->driven : need_function(adm, item);
    const double initial = tml_adm_real(adm, item, "IC", 0.0);
    if (text == NULL) {
        return;
    }
    const TmlAdmSlice at = function != NULL ? function->value : tml_adm_whole(item);
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

bool tml_adm_is_held(const TmlAdm *adm, const TmlAdmItem *item)
{
    return adm->mode == TML_ADM_MODE_STATICS && tml_adm_has(item, "STATIC_HOLD");
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
    const bool held = tml_adm_is_held(adm, item);
    TmlValue *v = tml_adm_map(adm, at);
    text = held ? "0" : implicit ? text : tml_adm_scaled(adm, text, 1.0 / adm->time); // (S1)
    tml_adm_set(adm, v, implicit && !held ? "implicit" : "rate", tml_adm_scalar(adm, at, text));
    if (n > 0) {
        tml_adm_set(adm, v, "initial", tml_adm_number(adm, at, ic[0]));
    }
    if (n > 1) {
        tml_adm_set(adm, v, "initial_rate", tml_adm_number(adm, at, ic[1] / adm->time)); // (S1)
    }
    tml_adm_enter(adm, adm->states, item, v);
}

/* --- requests --------------------------------------------------------------------------------- */

/* OUTPUT: angles of displacements, and factors of what Adams measures itself. */
void tml_adm_output(TmlAdm *adm, TmlAdmItem *item)
{
    static const char *const names[4] = {"DSCALE", "VSCALE", "ASCALE", "FSCALE"};
    TmlReport *errors = adm->report;
    adm->report = adm->notes; // motion does not depend on it
    adm->yaw = tml_adm_has(item, "YPR");
    for (int kind = 0; kind < 4; ++kind) {
        double factor[2] = {1.0, 1.0};
        if (tml_adm_reals(adm, item, names[kind], 1, 2, factor) > 0) {
            memcpy(adm->scale[kind], factor, sizeof factor);
        }
    }
    adm->report = errors;
}

/* Of column F1 to F8 of a request by kind. */
static double column_scale(const TmlAdm *adm, char kind, int number)
{
    const int row = kind == 'D' ? 0 : kind == 'V' ? 1 : kind == 'A' ? 2 : 3;
    return adm->scale[row][number > 4];
}

static const char *scaled(TmlAdm *adm, const char *text, double scale)
{
    if (text == NULL || scale == 1.0) {
        return text;
    }
    const char *product = tml_arena_printf(adm->arena, "(%s)*%s", text, tml_adm_digits(adm, scale));
    adm->nomem |= product == NULL;
    return product;
}

static void add_column(TmlAdm *adm, TmlAdmItem *item, const char *request, TmlAdmSlice at,
                       int number, const char *text)
{
    char name[80];
    snprintf(name, sizeof name, "%.60s.F%d", request, number);
    if (text != NULL) {
        tml_adm_set(adm, adm->outputs, name, tml_adm_scalar(adm, at, text));
        item->written = true;
    }
}

/* The four kinds that Adams knows itself: magnitudes in F1 and F5, components beside them. name: of
 * the columns, before the number; element: whose force, NULL: of all between the markers. */
static void standard_columns(TmlAdm *adm, TmlAdmItem *item, const char *name, char kind,
                             TmlAdmItem *i, TmlAdmItem *j, TmlAdmItem *element, const char *along)
{
    static const struct {
        char kind;
        const char *linear, *angular;
    } functions[] = {{'D', "D", NULL}, {'V', "V", "W"}, {'A', "ACC", "WDT"}};
    static const char *const euler[2][3] = {{"PSI", "THETA", "PHI"}, {"YAW", "-PITCH", "ROLL"}};
    const TmlAdmSlice at = tml_adm_whole(item);
    const char *from = j != NULL ? j->path : "ground";
    for (int number = 1; number <= 8; ++number) {
        const bool second = number > 4;
        const int axis = (number - 1) % 4; // 0: magnitude
        TmlAdmText text = {0};
        if (kind == 'F') {
            if (!(element != NULL
                      ? tml_adm_wrench(adm, &text, item, at, element, false, number, along)
                      : tml_adm_between(adm, &text, item, at, i, j, number, along))) {
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
                const bool turns = axis != 2; // THETA is from 0 to pi, PITCH within pi/2
                tml_adm_write(&text, turns ? "wrap(%s(%s, %s))" : "%s(%s, %s)",
                              euler[adm->yaw][axis - 1], i->path, from);
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
        add_column(adm, item, name, at, number,
                   scaled(adm, tml_adm_take(adm, &text), column_scale(adm, kind, number)));
    }
}

static bool floats(const TmlAdmItem *marker)
{
    return marker != NULL && tml_adm_has(marker, "FLOATING");
}

/* The same columns of markers that are no frames of ours, in the words of the dataset. */
static void floating_columns(TmlAdm *adm, TmlAdmItem *item, char kind, const char *i, const char *j,
                             const char *rm)
{
    static const char *const names[5][8] = {
        {"DM", "DX", "DY", "DZ", NULL, "PSI", "THETA", "PHI"},
        {"VM", "VX", "VY", "VZ", "WM", "WX", "WY", "WZ"},
        {"ACCM", "ACCX", "ACCY", "ACCZ", "WDTM", "WDTX", "WDTY", "WDTZ"},
        {"DM", "DX", "DY", "DZ", NULL, "YAW", "PITCH", "ROLL"},
        {"FM", "FX", "FY", "FZ", "TM", "TX", "TY", "TZ"}};
    const int row = kind == 'D' ? 0 : kind == 'V' ? 1 : kind == 'A' ? 2 : 4;
    for (int k = 0; k < 8; ++k) {
        const char *name = names[kind == 'D' && adm->yaw ? 3 : row][k], *text = NULL;
        if (row == 0 && (k == 5 || k == 7)) { // within a turn
            text = tml_arena_printf(adm->arena, "ATAN2(SIN(%s(%s,%s)),COS(%s(%s,%s)))", name, i, j,
                                    name, i, j);
        } else if (name != NULL && (k % 4 == 0 || (row == 0 && k > 4))) { // no axes that count
            text = tml_arena_printf(adm->arena, "%s(%s,%s)", name, i, j);
        } else if (name != NULL) {
            text = tml_arena_printf(adm->arena, "%s(%s,%s,%s)", name, i, j, rm);
        }
        adm->nomem |= text == NULL && name != NULL;
        if (text != NULL) {
            add_column(adm, item, item->id, tml_adm_whole(item), k + 1,
                       scaled(adm,
                              tml_adm_expression(adm, item, tml_adm_text_slice(adm, item, text)),
                              column_scale(adm, kind, k + 1)));
        }
    }
}

static void standard_request(TmlAdm *adm, TmlAdmItem *item, char kind)
{
    TmlAdmItem *i = tml_adm_need(adm, item, "I", "MARKER");
    TmlAdmItem *j = tml_adm_ref(adm, item, "J", "MARKER"),
               *rm = tml_adm_ref(adm, item, "RM", "MARKER");
    const bool axes = kind == 'F' && floats(rm);
    if (!item->failed && i != NULL &&
        (axes || (kind != 'F' && (floats(i) || floats(j) || floats(rm))))) {
        floating_columns(adm, item, kind, i->id, j != NULL ? j->id : "0",
                         rm != NULL ? rm->id : "0");
    } else if (!item->failed && i != NULL) {
        standard_columns(adm, item, item->id, kind, i, j, NULL, rm != NULL ? rm->path : "ground");
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
        add_column(adm, item, item->id, user->value, number,
                   tml_adm_user(adm, item, user->value, number - 1));
    }
    for (int number = 1; number <= 8; ++number) {
        const char name[3] = {'F', (char)('0' + number), '\0'};
        const TmlAdmArg *arg = tml_adm_arg(item, name);
        if (arg != NULL) {
            add_column(adm, item, item->id, arg->value, number,
                       tml_adm_expression(adm, item, arg->value));
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

/* Mark the elements of a kind in a list of identifiers; ALL: every one. */
static void mark_listed(TmlAdm *adm, const TmlAdmArg *list, const char *keyword)
{
    const char *text = list->value.of->text + list->value.start;
    const bool all = list->value.length == 3 && strncasecmp(text, "ALL", 3) == 0;
    for (int k = 0; k < adm->n; ++k) {
        adm->item[k].listed = all && strcmp(adm->item[k].syntax->name, keyword) == 0;
    }
    for (int from = 0, to = 0; !all && from < list->value.length; from = to + 1) {
        to = from;
        while (to < list->value.length && strchr(" ,:\001", text[to]) == NULL) {
            ++to;
        }
        const TmlAdmSlice word = {list->value.of, list->value.start + from, to - from};
        TmlAdmItem *found = to > from ? tml_adm_find(adm, keyword, tml_adm_id(adm, word)) : NULL;
        if (found != NULL) {
            found->listed = true;
        }
    }
}

/* Columns N_part2.F2 and so on. */
static void columns_of(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *element, char kind,
                       const char *along)
{
    TmlAdmItem *i = NULL, *j = NULL;
    char name[64];
    if (strcmp(element->syntax->name, "PART") == 0) {
        const TmlAdmArg *cm = tml_adm_arg(element, "CM");
        i = cm != NULL ? tml_adm_find(adm, "MARKER", tml_adm_id(adm, cm->value)) : NULL;
    } else if (!tml_adm_ends(adm, element, &i, &j)) {
        i = NULL;
    }
    if (i == NULL || element->failed) {
        return;
    }
    snprintf(name, sizeof name, "%.20s_%s%.20s", item->id, element->syntax->name, element->id);
    for (char *c = name; *c != '\0'; ++c) {
        *c = (char)tolower((unsigned char)*c);
    }
    const bool part = strcmp(element->syntax->name, "PART") == 0;
    standard_columns(adm, item, name, kind, i, j, part ? NULL : element, along);
}

static void write_mrequest(TmlAdm *adm, TmlAdmItem *item)
{
    static const struct {
        const char *argument, *keyword;
    } lists[] = {{"PARTS", "PART"},     {"JOINTS", "JOINT"},    {"JPRIMS", "JPRIM"},
                 {"APPFORS", "BEAM"},   {"APPFORS", "BUSHING"}, {"APPFORS", "FIELD"},
                 {"APPFORS", "GFORCE"}, {"APPFORS", "NFORCE"},  {"APPFORS", "SFORCE"},
                 {"APPFORS", "VFORCE"}, {"APPFORS", "VTORQUE"}, {"APPFORS", "SPRINGDAMPER"}};
    const char kind = tml_adm_has(item, "VELOCITY")       ? 'V'
                      : tml_adm_has(item, "ACCELERATION") ? 'A'
                      : tml_adm_has(item, "FORCE")        ? 'F'
                                                          : 'D';
    TmlAdmItem *rm = tml_adm_ref(adm, item, "RM", "MARKER");
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
        const TmlAdmArg *list = tml_adm_arg(item, lists[k].argument);
        if (list != NULL) {
            mark_listed(adm, list, lists[k].keyword);
        }
        for (int e = 0; list != NULL && e < adm->n; ++e) {
            if (adm->item[e].listed) {
                columns_of(adm, item, &adm->item[e], kind, rm != NULL ? rm->path : "ground");
            }
        }
    }
}

void tml_adm_mrequest(TmlAdm *adm, TmlAdmItem *item)
{
    TmlReport *errors = adm->report;
    adm->report = adm->notes;
    write_mrequest(adm, item);
    adm->report = errors;
}
