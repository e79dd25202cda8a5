/* adams/user/user.c - elements that user-written routines define.
 *
 * A routine becomes functions of expressions, one a result, whose arguments are time, what it is
 * handed and all that it asks of the model. More than a few of these become variables, so that no
 * expression sees too many frames; not in constraints, which may not depend on variables.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adams/dataset/dataset.h"
#include "adams/tables/numbers.h"
#include "adams/user/library.h"
#include "model/model.h"

enum { INLINE_REQUESTS = 6 }; /* more arguments than these become variables */

/* --- one routine ------------------------------------------------------------------------------ */

/* Numbers of USER(1, 2, 3); false: reported, or not of that form. */
static bool read_parameters(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice s, TmlAdmRoutine *r)
{
    enum { MOST = 1000 };
    const char *text = tml_adm_copy(adm->arena, s);
    double *par = tml_arena_alloc(adm->arena, MOST, sizeof *par);
    if (text == NULL || par == NULL) {
        adm->nomem = true;
        return false;
    }
    const char *c = strchr(text, '(');
    for (c = c != NULL ? c + 1 : ""; c += strspn(c, " \t,"), *c != '\0' && *c != ')';) {
        bool degrees;
        const char *end = r->n_par < MOST ? tml_adm_read_real(c, &par[r->n_par], &degrees) : NULL;
        if (end == NULL) {
            tml_adm_error(adm, item, s,
                          r->n_par < MOST ? "USER takes numbers, not '%.40s'"
                                          : "USER takes at most 1000 numbers%.0s",
                          c);
            return false;
        }
        r->n_par++;
        c = end;
    }
    r->par = par;
    return true;
}

const char *tml_adm_routine_word(TmlAdm *adm, const TmlAdmItem *item, const char *argument, int k)
{
    static const char between[] = " \t,\001"; // the last: where a line goes on
    const TmlAdmArg *arg = tml_adm_arg(item, argument);
    const char *text = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : "";
    if (text == NULL) {
        adm->nomem = true;
        return NULL;
    }
    for (text += strspn(text, between); k > 0; --k) {
        text += strcspn(text, between);
        text += strspn(text, between);
    }
    const char *word = tml_arena_printf(adm->arena, "%.*s", (int)strcspn(text, between), text);
    const char *colons = word != NULL ? strstr(word, "::") : NULL;
    adm->nomem |= word == NULL;
    word = colons != NULL ? colons + 2 : word;
    return word != NULL && word[0] != '\0' ? word : NULL;
}

/* What it asks for is known now: is it too much, or nothing that its element may depend on? */
static bool check_requests(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice at, const TmlAdmRoutine *r,
                           bool fits)
{
    const bool three = tml_adm_routine_order(r) == 3;
    const int most = (three ? TML_MAX_ARGS : TML_MAX_ARGS_FIRST) - 1 - r->n_own;
    const char *stopped = tml_adm_library_stopped(adm->library);
    if (stopped != NULL) {
        tml_adm_error(adm, item, at, "%s ends the run: %s", r->name, stopped);
    } else if (!fits || r->n_requests > most) {
        tml_adm_error(adm, item, at, "%s asks for more values than the %d that are possible",
                      r->name, most);
    } else if (r->n_requests > 0 && (r->kind == TML_ADM_MOTSUB || r->kind == TML_ADM_CURSUB)) {
        tml_adm_error(adm, item, at, "%s asks for %s; it may depend on %s only", r->name,
                      r->request[0].name, r->kind == TML_ADM_MOTSUB ? "time" : "its parameter");
    } else if (r->n_requests == 0 && r->kind == TML_ADM_UCOSUB) {
        tml_adm_error(adm, item, at, "%s names no coordinates with UCOVAR", r->name);
    }
    return !item->failed;
}

/* Couxx and Couxx2 of a COUPLER; default ones belong to the default Cousub. */
static void find_derivatives(TmlAdm *adm, TmlAdmItem *item, TmlAdmRoutine *r, const char *name)
{
    const char *first = tml_adm_routine_word(adm, item, "ROUTINE", 1);
    const char *second = first != NULL ? tml_adm_routine_word(adm, item, "ROUTINE", 2) : NULL;
    if (name == NULL || first != NULL) {
        tml_adm_routine_find_other(r, first, second);
    }
}

/* Without a library all routines are missing: they are told together. */
static void routine_missing(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice at, const char *name)
{
    bool ok = true;
    const TmlAdmMissing missing = {name, tml_adm_place(at.of != NULL ? at.of : item->s, at.start),
                                   item};
    item->failed = true;
    for (int k = 0; k < adm->missing.n; ++k) {
        if (adm->missing.at[k].item == item && strcmp(adm->missing.at[k].name, name) == 0) {
            return;
        }
    }
    TML_LIST_ADD(adm->missing, missing, &ok);
    adm->nomem |= !ok;
}

void tml_adm_tell_missing(TmlAdm *adm)
{
    enum { SHOWN = 12 };
    char list[TML_ERROR_MAX / 4] = "";
    size_t fill = 0;
    int names = 0;
    for (int k = 0; k < adm->missing.n; ++k) {
        int uses = 1, before = 0;
        for (int i = 0; i < adm->missing.n; ++i) {
            const bool same = strcmp(adm->missing.at[i].name, adm->missing.at[k].name) == 0;
            before += same && i < k;
            uses += same && i > k;
        }
        const TmlAdmItem *item = adm->missing.at[k].item;
        if (before > 0 || ++names > SHOWN) {
            continue;
        }
        char more[32] = "";
        if (uses > 1) {
            snprintf(more, sizeof more, " and %d more", uses - 1);
        }
        const int w =
            snprintf(list + fill, sizeof list - fill, "%s%s (%s/%s%s)", names > 1 ? ", " : "",
                     adm->missing.at[k].name, item->syntax->name, item->id, more);
        fill += w > 0 && (size_t)w < sizeof list - fill ? (size_t)w : 0;
    }
    if (adm->missing.n == 0) {
        return;
    }
    const TmlAdmMissing *first = &adm->missing.at[0];
    char all[sizeof list + 128] = "";
    if (adm->missing.n > 1) {
        snprintf(all, sizeof all, "; in all: %s%s", list, names > SHOWN ? ", and others" : "");
    }
    tml_report_add(adm->report, &first->place,
                   adm->for_file
                       ? "%s/%s: is defined by the user-written routine %s, which a model file "
                         "cannot hold%s"
                       : "%s/%s: needs the user-written routine %s: name its library with "
                         "--user-library%s",
                   first->item->syntax->name, first->item->id, first->name, all);
}

TmlAdmRoutine *tml_adm_routine_make(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice at, int kind,
                                    int values, const char *name)
{
    TmlAdmRoutine *r = tml_arena_alloc(adm->arena, 1, sizeof *r);
    const char *statement = tml_arena_printf(adm->arena, "%s/%s", item->syntax->name, item->id);
    if (r == NULL || statement == NULL) {
        adm->nomem = true;
        return NULL;
    }
    *r = (TmlAdmRoutine){.owner = adm->library,
                         .next = item->routine,
                         .kind = (TmlAdmRoutineKind)kind,
                         .statement = statement,
                         .id = tml_adm_number_of(item),
                         .n_values = values};
    if (adm->library == NULL) {
        routine_missing(adm, item, at, name != NULL ? name : tml_adm_routine_name(r->kind));
        return NULL;
    }
    if (!read_parameters(adm, item, at, r)) {
        return NULL;
    }
    tml_adm_routine_facts(adm, item, r);
    if (!item->failed && !tml_adm_routine_find(r, name)) {
        tml_adm_error(adm, item, at, "the routine %s is not in '%s'",
                      name != NULL ? name : tml_adm_routine_name(r->kind),
                      tml_adm_library_path(adm->library));
    }
    if (r->kind == TML_ADM_COUSUB && !item->failed) {
        find_derivatives(adm, item, r, name);
    }
    if (item->failed || !check_requests(adm, item, at, r, tml_adm_routine_record(r))) {
        return NULL;
    }
    if (r->third != NULL && !tml_adm_routine_check_second(r)) {
        tml_adm_note(adm, item, at,
                     "Couxx2 is not called: its result is not the derivative of Couxx, by rows "
                     "with one number for each joint");
    }
    adm->nomem |= !tml_adm_routine_prepare(r, adm->arena);
    item->routine = r;
    return r;
}

/* --- arguments -------------------------------------------------------------------------------- */

TmlAdmSlice tml_adm_text_slice(TmlAdm *adm, const TmlAdmItem *item, const char *text)
{
    const int n = (int)strlen(text);
    TmlAdmStatement *s = tml_arena_alloc(adm->arena, 1, sizeof *s);
    int *line = tml_arena_alloc(adm->arena, (size_t)n + 1, sizeof *line);
    int *column = tml_arena_alloc(adm->arena, (size_t)n + 1, sizeof *column);
    if (s == NULL || line == NULL || column == NULL) {
        adm->nomem = true;
        return tml_adm_whole(item);
    }
    for (int k = 0; k <= n; ++k) {
        line[k] = item->s->line[0];
        column[k] = item->s->column[0];
    }
    *s = (TmlAdmStatement){
        .file = item->s->file, .text = text, .line = line, .column = column, .length = n};
    return (TmlAdmSlice){s, 0, n};
}

static const char *request_text(TmlAdm *adm, const TmlAdmRequest *q)
{
    TmlAdmText text = {0};
    tml_adm_write(&text, "%s(", q->name);
    for (int k = 0; k < q->n; ++k) {
        tml_adm_write(&text, k > 0 ? ",%d" : "%d", q->id[k]);
    }
    tml_adm_write(&text, ")");
    return tml_adm_take(adm, &text);
}

/* One argument as an expression, or as a variable that is made for it. */
static bool write_argument(TmlAdm *adm, TmlAdmItem *item, TmlAdmText *out, const char *text, int k,
                           bool apart)
{
    const char *value = tml_adm_expression(adm, item, tml_adm_text_slice(adm, item, text));
    if (value == NULL || !apart) {
        tml_adm_write(out, ", %s", value != NULL ? value : "");
        return value != NULL;
    }
    const char *name = tml_arena_printf(adm->arena, "%s_in%d", item->name, k + 1);
    adm->nomem |= name == NULL;
    const char *key = name != NULL ? tml_arena_printf(adm->arena, "argument %s", name) : NULL;
    adm->nomem |= key == NULL;
    if (key != NULL && tml_names_find(&adm->names, key) < 0) { // several results have it
        tml_adm_set(adm, adm->variables, name, tml_adm_scalar(adm, tml_adm_whole(item), value));
        adm->nomem |= !tml_names_add(&adm->names, key, 0);
    }
    tml_adm_write(out, ", %s", name != NULL ? name : "");
    return name != NULL;
}

/* Coordinates of the joints of a COUPLER, in the units of the dataset. */
static bool write_coupler_arguments(TmlAdm *adm, TmlAdmItem *item, const TmlAdmRoutine *r,
                                    TmlAdmText *out)
{
    for (int k = 0; k < r->n_own; ++k) {
        const char *id = tml_arena_printf(adm->arena, "%d", r->of.coupler.JOINTS[k]);
        TmlAdmItem *joint = id != NULL ? tml_adm_find(adm, "JOINT", id) : NULL;
        TmlAdmItem *i = NULL, *j = NULL;
        if (joint == NULL || !tml_adm_ends(adm, joint, &i, &j) || i == NULL || j == NULL) {
            tml_adm_error(adm, item, tml_adm_whole(item), "JOINT/%s has no markers", id);
            return false;
        }
        const char *text = r->of.coupler.TYPE[k] == 'T'
                               ? tml_arena_printf(adm->arena, "DZ(%s,%s,%s)", i->id, j->id, j->id)
                               : tml_arena_printf(adm->arena, "AZ(%s,%s)", i->id, j->id);
        adm->nomem |= text == NULL;
        if (text == NULL || !write_argument(adm, item, out, text, k, false)) {
            return false;
        }
    }
    return true;
}

/* Displacements and rates of a FIELD, twelve variables. */
static bool write_field_arguments(TmlAdm *adm, TmlAdmItem *item, const TmlAdmRoutine *r,
                                  TmlAdmText *out)
{
    static const char *const name[12] = {"DX", "DY", "DZ", "AX", "AY", "AZ",
                                         "VX", "VY", "VZ", "WX", "WY", "WZ"};
    const int i = r->of.field.I, j = r->of.field.J;
    for (int k = 0; k < 12; ++k) {
        const bool angle = k >= 3 && k < 6;
        const char *text =
            k >= 6 && k < 9 ? tml_arena_printf(adm->arena, "%s(%d,%d,%d,%d)", name[k], i, j, j, j)
            : angle         ? tml_arena_printf(adm->arena, "%s(%d,%d)", name[k], i, j)
                            : tml_arena_printf(adm->arena, "%s(%d,%d,%d)", name[k], i, j, j);
        adm->nomem |= text == NULL;
        if (text == NULL || !write_argument(adm, item, out, text, k, true)) {
            return false;
        }
    }
    return true;
}

/* x, with IMPLICIT x', xd and u of a GSE are states and expressions of their own. */
static bool write_gse_arguments(TmlAdm *adm, TmlAdmItem *item, const TmlAdmRoutine *r,
                                TmlAdmText *out)
{
    const struct sAdamsGSE *g = &r->of.gse;
    TmlAdmItem *u = tml_adm_ref(adm, item, "U", "ARRAY");
    for (int k = 1; k <= g->NS; ++k) {
        tml_adm_write(out, ", %s", tml_adm_system_name(adm, item, 'x', k));
    }
    for (int k = 1; g->IMPLICIT && k <= g->NS; ++k) {
        tml_adm_write(out, ", rate(%s)*%s", tml_adm_system_name(adm, item, 'x', k),
                      tml_adm_digits(adm, adm->time));
    }
    for (int k = 1; k <= g->ND; ++k) {
        tml_adm_write(out, ", %s", tml_adm_system_name(adm, item, 'd', k));
    }
    for (int k = 1; k <= g->NI; ++k) {
        tml_adm_write(out, ", ");
        if (u == NULL || !tml_adm_entry(adm, out, u, k)) {
            tml_adm_error(adm, item, tml_adm_whole(item), "array U has no entry %d", k);
            return false;
        }
    }
    return true;
}

static bool write_arguments(TmlAdm *adm, TmlAdmItem *item, const TmlAdmRoutine *r, TmlAdmText *out)
{
    if (adm->time != 1.0) {
        tml_adm_write(out, "time*%s", tml_adm_digits(adm, 1.0 / adm->time));
    } else {
        tml_adm_write(out, "time");
    }
    const bool own = r->kind == TML_ADM_FIESUB   ? write_field_arguments(adm, item, r, out)
                     : r->kind == TML_ADM_COUSUB ? write_coupler_arguments(adm, item, r, out)
                     : item->gse != NULL         ? write_gse_arguments(adm, item, r, out)
                                                 : true;
    const bool apart = r->n_requests > INLINE_REQUESTS && tml_adm_routine_order(r) < 3;
    for (int k = 0; own && k < r->n_requests; ++k) {
        // variables of a routine are counted behind the twelve of a FIELD
        if (!write_argument(adm, item, out, request_text(adm, &r->request[k]), r->n_own + k,
                            apart)) {
            return false;
        }
    }
    return own;
}

/* --- results ---------------------------------------------------------------------------------- */

const char *tml_adm_routine_function(TmlAdm *adm, TmlAdmItem *item, TmlAdmRoutine *r, int index,
                                     double factor)
{
    TmlUserFunction *f = tml_arena_alloc(adm->arena, 1, sizeof *f);
    TmlAdmResult *result = tml_arena_alloc(adm->arena, 1, sizeof *result);
    const bool curve = r->kind == TML_ADM_CURSUB;
    const char *name =
        tml_arena_printf(adm->arena, "user_%s_%s_%s_%d%s", item->syntax->name, item->name,
                         tml_adm_routine_name(r->kind), index + 1, factor != 1.0 ? "_si" : "");
    TmlError err = {0};
    if (f == NULL || result == NULL || name == NULL) {
        adm->nomem = true;
        return NULL;
    }
    *result = (TmlAdmResult){r, index, factor};
    *f = (TmlUserFunction){.name = name,
                           .text = "A result of a user-written routine.",
                           .n_args = curve ? 1 : tml_adm_routine_inputs(r) + 1,
                           .order = tml_adm_routine_order(r),
                           .user = result,
                           .eval = curve ? tml_adm_curve_eval : tml_adm_result_eval};
    if (tml_model_register_function(adm->model, f, &err) != TML_OK) {
        tml_adm_error(adm, item, tml_adm_whole(item), "%s", err.message);
        return NULL;
    }
    return name;
}

const char *tml_adm_routine_text(TmlAdm *adm, TmlAdmItem *item, TmlAdmRoutine *r, int index)
{
    TmlAdmText out = {0};
    const char *name = tml_adm_routine_function(adm, item, r, index, 1.0);
    if (name == NULL) {
        return NULL;
    }
    tml_adm_write(&out, "%s(", name);
    const bool ok = write_arguments(adm, item, r, &out);
    tml_adm_write(&out, ")");
    const char *text = tml_adm_take(adm, &out);
    return ok && !adm->nomem ? text : NULL;
}

/* The second routine of a SENSOR, whose USER(...) stands in EVALUATE. */
static bool is_evaluation(const TmlAdmItem *item, TmlAdmSlice at)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "EVALUATE");
    return strcmp(item->syntax->name, "SENSOR") == 0 && arg != NULL &&
           at.start >= arg->value.start && at.start < arg->value.start + arg->value.length;
}

const char *tml_adm_user(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice at, int index)
{
    const bool second = is_evaluation(item, at);
    if (item->syntax->routine_values == 0) {
        tml_adm_error(adm, item, at, "a user-written routine has no place in this statement");
        return NULL;
    }
    const int kind = second ? (int)TML_ADM_SEVSUB : item->syntax->routine;
    TmlAdmRoutine *r = item->routine;
    while (r != NULL && (int)r->kind != kind) {
        r = r->next;
    }
    if (r == NULL) {
        r = tml_adm_routine_make(
            adm, item, at, kind, item->syntax->routine_values,
            tml_adm_routine_word(adm, item, second ? "EVALUATE_ROUTINE" : "ROUTINE", 0));
    }
    return r != NULL ? tml_adm_routine_text(adm, item, r, index) : NULL;
}

bool tml_adm_is_user(TmlAdmSlice function)
{
    const char *c = function.of->text + function.start;
    return function.length > 4 && strncasecmp(c, "USER", 4) == 0 &&
           (c[4] == '(' || isspace((unsigned char)c[4]));
}
