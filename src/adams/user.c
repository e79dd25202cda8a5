/* adams/user.c - elements that user-written routines define.
 *
 * A routine becomes functions of expressions, one a result, whose arguments are time and all that
 * it asks of the model. More than a few of these become variables, so that no expression sees too
 * many frames.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adams/dataset.h"
#include "adams/library.h"
#include "expr/spline.h"
#include "model/model.h"

enum { INLINE_REQUESTS = 6 }; /* more arguments than these become variables */

/* Which routine an element calls, and how many results it has. */
static const struct {
    const char *keyword;
    TmlAdmRoutineKind kind;
    int values, order; /* order: derivatives */
} rules[] = {{"SFORCE", TML_ADM_SFOSUB, 1, 1},   {"GFORCE", TML_ADM_GFOSUB, 6, 1},
             {"VFORCE", TML_ADM_VFOSUB, 3, 1},   {"VTORQUE", TML_ADM_VTOSUB, 3, 1},
             {"FIELD", TML_ADM_FIESUB, 6, 1},    {"MOTION", TML_ADM_MOTSUB, 1, 3},
             {"VARIABLE", TML_ADM_VARSUB, 1, 1}, {"DIFF", TML_ADM_DIFSUB, 1, 1},
             {"REQUEST", TML_ADM_REQSUB, 8, 1},  {"GSE", TML_ADM_GSESUB, 0, 1}};

static int find_rule(const TmlAdmItem *item)
{
    for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k) {
        if (strcmp(rules[k].keyword, item->syntax->name) == 0) {
            return (int)k;
        }
    }
    return -1;
}

/* --- the library ---------------------------------------------------------------------------------
 */

static int number_of(const TmlAdmItem *item)
{
    return item != NULL ? atoi(item->id) : 0;
}

static int number_arg(TmlAdm *adm, const TmlAdmItem *item, const char *name)
{
    const TmlAdmArg *arg = tml_adm_arg(item, name);
    return arg != NULL ? atoi(tml_adm_id(adm, arg->value)) : 0;
}

static void add_array(TmlAdm *adm, TmlAdmItem *item, char kind)
{
    const int n = tml_adm_array_size(adm, item);
    double *number = NULL;
    if (n > 0 && tml_adm_has(item, "NUMBERS")) {
        number = tml_arena_alloc(adm->arena, (size_t)n, sizeof *number);
        adm->nomem |= number == NULL;
        if (number != NULL) {
            tml_adm_reals(adm, item, "NUMBERS", 1, n, number);
        }
    }
    adm->nomem |= !tml_adm_library_add(
        adm->library, kind, (TmlAdmData){.id = number_of(item), .n = n, .number = number});
}

static void add_text(TmlAdm *adm, const TmlAdmItem *item)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "STRING");
    const char *text = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : "";
    adm->nomem |=
        text == NULL ||
        !tml_adm_library_add(adm->library, 'S', (TmlAdmData){.id = number_of(item), .text = text});
}

void tml_adm_library_fill(TmlAdm *adm)
{
    double g[3] = {0.0};
    for (int k = 0; k < adm->n && adm->library != NULL; ++k) {
        TmlAdmItem *item = &adm->item[k];
        const char *keyword = item->syntax->name;
        if (strcmp(keyword, "ARRAY") == 0) {
            add_array(adm, item, 'A');
        } else if (strcmp(keyword, "PINPUT") == 0 || strcmp(keyword, "POUTPUT") == 0) {
            add_array(adm, item, keyword[1] == 'I' ? 'I' : 'O');
        } else if (strcmp(keyword, "STRING") == 0) {
            add_text(adm, item);
        } else if (strcmp(keyword, "ACCGRAV") == 0) {
            g[0] = tml_adm_real(adm, item, "IGRAV", 0.0);
            g[1] = tml_adm_real(adm, item, "JGRAV", 0.0);
            g[2] = tml_adm_real(adm, item, "KGRAV", 0.0);
        }
    }
    if (adm->library != NULL) {
        tml_adm_library_gravity(adm->library, g[0], g[1], g[2]);
    }
}

void tml_adm_library_curve(TmlAdm *adm, TmlAdmItem *item, int n, const double *x, const double *y)
{
    TmlSpline *spline = NULL;
    if (adm->library == NULL) {
        return;
    }
    const TmlStatus status =
        tml_spline_create(TML_SPLINE_CUBIC, n, x, y, adm->arena, &spline, NULL);
    if (status == TML_OK) { // else the model reader tells what is wrong with it
        tml_spline_set_ends(spline, tml_adm_has(item, "LINEAR_EXTRAPOLATE") ? TML_SPLINE_TANGENT
                                                                            : TML_SPLINE_PARABOLA);
        adm->nomem |= !tml_adm_library_add(adm->library, 'C',
                                           (TmlAdmData){.id = number_of(item), .spline = spline});
    }
}

/* --- one routine ---------------------------------------------------------------------------------
 */

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
    while (c != NULL && *c != '\0' && *c != ')' && r->n_par < MOST) {
        char *end;
        c += 1 + strspn(c + 1, " \t,");
        if (*c == ')' || *c == '\0') {
            break;
        }
        par[r->n_par] = strtod(c, &end);
        if (end == c) {
            tml_adm_error(adm, item, s, "USER takes numbers, not '%.40s'", c);
            return false;
        }
        r->n_par++;
        c = end + strspn(end, " \t") - 1;
    }
    r->par = par;
    return true;
}

/* Facts for the routine; ID, NPAR and PAR are the first fields of all. */
static void fill_element(TmlAdm *adm, TmlAdmItem *item, TmlAdmRoutine *r)
{
    const int i = number_arg(adm, item, "I"), j = number_arg(adm, item, "J");
    const int rm = number_arg(adm, item, "RM"), jfloat = number_arg(adm, item, "JFLOAT");
    const char *turns = tml_adm_has(item, "ROTATIONAL") ? "ROTATIONAL" : "TRANSLATIONAL";
    double ic[2] = {0.0, 0.0};
    switch (r->kind) {
    case TML_ADM_SFOSUB:
        r->of.sforce = (struct sAdamsSforce){
            r->id, r->n_par, r->par, i, j, tml_adm_has(item, "ACTIONONLY"), turns};
        break;
    case TML_ADM_GFOSUB:
        r->of.gforce = (struct sAdamsGforce){r->id, r->n_par, r->par, i, rm, jfloat};
        break;
    case TML_ADM_VFOSUB:
    case TML_ADM_VTOSUB: // of one layout
        r->of.vforce = (struct sAdamsVforce){r->id, r->n_par, r->par, i, jfloat, rm};
        break;
    case TML_ADM_FIESUB:
        r->of.field = (struct sAdamsField){r->id, r->n_par, r->par, i, j};
        r->n_inputs = 12;
        break;
    case TML_ADM_MOTSUB:
        r->of.motion = (struct sAdamsMotion){r->id,
                                             r->n_par,
                                             r->par,
                                             number_arg(adm, item, "JOINT"),
                                             turns,
                                             i,
                                             j,
                                             {tml_adm_has(item, "X")   ? 'X'
                                              : tml_adm_has(item, "Y") ? 'Y'
                                              : tml_adm_has(item, "Z") ? 'Z'
                                                                       : 'B',
                                              tml_adm_has(item, "B1")   ? '1'
                                              : tml_adm_has(item, "B2") ? '2'
                                              : tml_adm_has(item, "B3") ? '3'
                                                                        : ' '},
                                             tml_adm_has(item, "VELOCITY")       ? "V"
                                             : tml_adm_has(item, "ACCELERATION") ? "A"
                                                                                 : "D"};
        break;
    case TML_ADM_VARSUB:
        tml_adm_reals(adm, item, "IC", 1, 1, ic);
        r->of.variable = (struct sAdamsVariable){r->id, r->n_par, r->par, ic[0]};
        break;
    case TML_ADM_DIFSUB:
        tml_adm_reals(adm, item, "IC", 1, 2, ic);
        r->of.diff = (struct sAdamsDiff){r->id,
                                         r->n_par,
                                         r->par,
                                         tml_adm_has(item, "STATIC_HOLD"),
                                         tml_adm_has(item, "IMPLICIT"),
                                         ic[0],
                                         ic[1]};
        break;
    default:
        r->of.request = (struct sAdamsRequest){r->id, r->n_par, r->par, "", {NULL}};
        break;
    }
}

/* The name that ROUTINE gives, without that of a library; NULL: the default. */
static const char *routine_name(TmlAdm *adm, const TmlAdmItem *item)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "ROUTINE");
    const char *text = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : NULL;
    const char *colons = text != NULL ? strstr(text, "::") : NULL;
    adm->nomem |= arg != NULL && text == NULL;
    text = colons != NULL ? colons + 2 : text;
    return text != NULL && text[0] != '\0' ? text : NULL;
}

/* Find and record it; NULL: reported. */
static TmlAdmRoutine *make_routine(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice at)
{
    const int rule = find_rule(item);
    const char *name = routine_name(adm, item);
    TmlAdmRoutine *r = tml_arena_alloc(adm->arena, 1, sizeof *r);
    if (r == NULL) {
        adm->nomem = true;
        return NULL;
    }
    if (rule < 0) {
        tml_adm_error(adm, item, at, "not supported yet: a user-written routine of this statement");
        return NULL;
    }
    *r = (TmlAdmRoutine){.owner = adm->library,
                         .kind = rules[rule].kind,
                         .id = number_of(item),
                         .n_values = rules[rule].values};
    if (adm->library == NULL) {
        tml_adm_error(adm, item, at,
                      "needs the user-written routine %s: name its library with --user-library",
                      name != NULL ? name : tml_adm_routine_name(r->kind));
        return NULL;
    }
    if (!read_parameters(adm, item, at, r)) {
        return NULL;
    }
    fill_element(adm, item, r);
    if (item->gse != NULL) {
        r->of.gse = *item->gse;
        r->of.gse.NPAR = r->n_par;
        r->of.gse.PAR = r->par;
        r->n_inputs = r->of.gse.NS + r->of.gse.NI;
        r->n_values = r->of.gse.NS + r->of.gse.NO;
    }
    if (!tml_adm_routine_find(r, name)) {
        tml_adm_error(adm, item, at, "the routine %s is not in '%s'",
                      name != NULL ? name : tml_adm_routine_name(r->kind),
                      tml_adm_library_path(adm->library));
        return NULL;
    }
    if (!tml_adm_routine_record(r)) {
        tml_adm_error(adm, item, at, "%s asks for %d values, at most %d are possible", r->name,
                      r->n_requests, (int)TML_ADM_MAX_REQUESTS);
        return NULL;
    }
    const char *stopped = tml_adm_library_stopped(adm->library);
    if (stopped != NULL) {
        tml_adm_error(adm, item, at, "%s ends the run: %s", r->name, stopped);
        return NULL;
    }
    return r;
}

/* --- arguments -----------------------------------------------------------------------------------
 */

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
    if (name != NULL && tml_value_find(adm->variables, name) == NULL) {
        tml_adm_set(adm, adm->variables, name, tml_adm_scalar(adm, tml_adm_whole(item), value));
    }
    tml_adm_write(out, ", %s", name != NULL ? name : "");
    return name != NULL;
}

static bool write_arguments(TmlAdm *adm, TmlAdmItem *item, const TmlAdmRoutine *r, TmlAdmText *out)
{
    if (adm->time != 1.0) {
        tml_adm_write(out, "time*%s", tml_adm_digits(adm, 1.0 / adm->time));
    } else {
        tml_adm_write(out, "time");
    }
    const bool apart = r->n_requests > INLINE_REQUESTS;
    for (int k = 0; k < r->n_requests; ++k) {
        if (!write_argument(adm, item, out, request_text(adm, &r->request[k]), k, apart)) {
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

/* x and u of a GSE are states and expressions of their own. */
static bool write_gse_arguments(TmlAdm *adm, TmlAdmItem *item, const TmlAdmRoutine *r,
                                TmlAdmText *out)
{
    TmlAdmItem *u = tml_adm_ref(adm, item, "U", "ARRAY");
    for (int k = 1; k <= r->of.gse.NS; ++k) {
        tml_adm_write(out, ", %s", tml_adm_system_name(adm, item, 'x', k));
    }
    for (int k = 1; k <= r->of.gse.NI; ++k) {
        tml_adm_write(out, ", ");
        if (u == NULL || !tml_adm_entry(adm, out, u, k)) {
            tml_adm_error(adm, item, tml_adm_whole(item), "array U has no entry %d", k);
            return false;
        }
    }
    return true;
}

/* --- results -------------------------------------------------------------------------------------
 */

/* Register one result as a function; its name, NULL: reported. */
static const char *make_function(TmlAdm *adm, TmlAdmItem *item, const TmlAdmRoutine *r, int index)
{
    TmlUserFunction *f = tml_arena_alloc(adm->arena, 1, sizeof *f);
    TmlAdmResult *result = tml_arena_alloc(adm->arena, 1, sizeof *result);
    const char *name =
        tml_arena_printf(adm->arena, "user_%s_%s_%d", item->syntax->name, item->name, index + 1);
    TmlError err = {0};
    if (f == NULL || result == NULL || name == NULL) {
        adm->nomem = true;
        return NULL;
    }
    *result = (TmlAdmResult){r, index};
    *f = (TmlUserFunction){.name = name,
                           .text = "A result of a user-written routine.",
                           .n_args = r->n_inputs + 1,
                           .order = r->kind == TML_ADM_MOTSUB ? 3 : 1,
                           .user = result,
                           .eval = tml_adm_result_eval};
    if (adm->model == NULL || tml_model_register_function(adm->model, f, &err) != TML_OK) {
        tml_adm_error(adm, item, tml_adm_whole(item), "%s",
                      adm->model == NULL ? "user-written routines cannot be converted"
                                         : err.message);
        return NULL;
    }
    return name;
}

const char *tml_adm_user(TmlAdm *adm, TmlAdmItem *item, TmlAdmSlice at, int index)
{
    TmlAdmText out = {0};
    if (item->routine == NULL) {
        item->routine = make_routine(adm, item, at);
    }
    const TmlAdmRoutine *r = item->routine;
    const char *name = r != NULL ? make_function(adm, item, r, index) : NULL;
    if (name == NULL) {
        return NULL;
    }
    tml_adm_write(&out, "%s(", name);
    bool ok = write_arguments(adm, item, r, &out);
    ok = ok && (r->kind != TML_ADM_FIESUB || write_field_arguments(adm, item, r, &out));
    ok = ok && (item->gse == NULL || write_gse_arguments(adm, item, r, &out));
    tml_adm_write(&out, ")");
    const char *text = tml_adm_take(adm, &out);
    return ok && !adm->nomem ? text : NULL;
}

bool tml_adm_is_user(TmlAdmSlice function)
{
    const char *c = function.of->text + function.start;
    return function.length > 4 && strncasecmp(c, "USER", 4) == 0 &&
           (c[4] == '(' || isspace((unsigned char)c[4]));
}

/* --- GSE -----------------------------------------------------------------------------------------
 */

void tml_adm_gse(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmArg *function = tml_adm_arg(item, "FUNCTION");
    TmlAdmItem *x = tml_adm_ref(adm, item, "X", "ARRAY"), *y = tml_adm_ref(adm, item, "Y", "ARRAY");
    TmlAdmItem *u = tml_adm_ref(adm, item, "U", "ARRAY"),
               *ic = tml_adm_ref(adm, item, "IC", "ARRAY");
    struct sAdamsGSE *g = tml_arena_alloc(adm->arena, 1, sizeof *g);
    const TmlAdmSlice at = tml_adm_whole(item);
    adm->nomem |= g == NULL;
    if (item->failed || g == NULL) {
        return;
    }
    const int ns = x != NULL ? (int)tml_adm_real(adm, item, "NS", tml_adm_array_size(adm, x)) : 0;
    const int no = y != NULL ? (int)tml_adm_real(adm, item, "NO", tml_adm_array_size(adm, y)) : 0;
    const int ni = u != NULL ? tml_adm_array_size(adm, u) : 0;
    if (function == NULL || tml_adm_real(adm, item, "ND", 0.0) != 0.0 ||
        tml_adm_has(item, "IMPLICIT") || ns + ni > TML_ADM_MAX_REQUESTS || ns < 0 || no < 0 ||
        ns + no > 100 || ns + no == 0) {
        tml_adm_error(adm, item, at,
                      function == NULL ? "argument FUNCTION is missing"
                                       : "not supported yet: sampled (ND) or IMPLICIT equations, "
                                         "none at all, or more than 63 states and inputs");
        return;
    }
    *g = (struct sAdamsGSE){.ID = number_of(item),
                            .NI = ni,
                            .NO = no,
                            .U = number_of(u),
                            .Y = number_of(y),
                            .NS = ns,
                            .X = number_of(x),
                            .IC = number_of(ic),
                            .STATIC_HOLD = tml_adm_has(item, "STATIC_HOLD")};
    item->gse = g;
    for (int k = 0; k < ns + no && !item->failed && !adm->nomem; ++k) {
        const char *text = tml_adm_user(adm, item, function->value, k);
        if (text == NULL) {
            return;
        }
        if (k >= ns) {
            tml_adm_set(adm, adm->variables, tml_adm_system_name(adm, item, 'y', k - ns + 1),
                        tml_adm_scalar(adm, at, text));
            continue;
        }
        TmlValue *v = tml_adm_map(adm, at);
        TmlAdmText start = {0};
        tml_adm_set(adm, v, "rate",
                    tml_adm_scalar(adm, at, tml_adm_scaled(adm, text, 1.0 / adm->time)));
        if (ic != NULL && tml_adm_entry(adm, &start, ic, k + 1)) {
            tml_adm_set(adm, v, "initial", tml_adm_scalar(adm, at, tml_adm_take(adm, &start)));
        }
        tml_mem_free(start.at);
        tml_adm_set(adm, adm->states, tml_adm_system_name(adm, item, 'x', k + 1), v);
    }
    item->written = true;
}
