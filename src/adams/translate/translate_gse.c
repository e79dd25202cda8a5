/* adams/translate/translate_gse.c - GSE: states of user-written routines, continuous and sampled; CURVE by
 * CURSUB.
 *
 * With T the unit of time, t_0 = SAMPLE_OFFSET and t_{n+1} = t_n + SAMPLE_PERIOD:
 *
 *   (G1)  x' = f(x, xd, u, t) / T,  or  0 = f(x, T x', xd, u, t) with IMPLICIT
 *         y = g(x, xd, u, t)
 *   (G2)  xd(t) = xd_n for t_n <= t < t_{n+1},    xd_{n+1} = h(x, xd_n, u, t_n) at t_n
 *
 * xd, what it will be, and the time of the next sample are states that only events change: at t_n
 * one event takes over what was found at t_{n-1}, and the next finds xd_{n+1} with it.
 */
#include <string.h>

#include "adams/dataset/dataset.h"
#include "adams/user/library.h"
#include "base/real.h"

/* The routines of a GSE; states and outputs may come from the same. */
typedef struct Parts {
    TmlAdmRoutine *deriv, *output, *update, *samp;
    int first_output; /* index of the first output among the results */
} Parts;

/* Name of a part that INTERFACE gives; NULL: the default. */
static const char *part_name(TmlAdm *adm, const TmlAdmItem *item, int k)
{
    return tml_adm_routine_word(adm, item, "INTERFACE", k);
}

static TmlAdmRoutine *part(TmlAdm *adm, TmlAdmItem *item, int kind, int values)
{
    const TmlAdmSlice at = tml_adm_arg(item, "FUNCTION")->value;
    return values > 0 ? tml_adm_routine_make(adm, item, at, kind, values,
                                             part_name(adm, item, kind - TML_ADM_GSE_DERIV))
                      : NULL;
}

/* GSESUB gives all of a continuous GSE. */
static bool has_one_routine(TmlAdm *adm, const TmlAdmItem *item)
{
    TmlAdmRoutine r = {.owner = adm->library, .kind = TML_ADM_GSESUB};
    const bool plain =
        item->gse->ND == 0 && !item->gse->IMPLICIT && !tml_adm_has(item, "INTERFACE");
    if (!plain || adm->library == NULL) {
        return plain;
    }
    return tml_adm_has(item, "ROUTINE") || tml_adm_routine_find(&r, NULL);
}

static bool is_sampled_by_routine(TmlAdm *adm, const TmlAdmItem *item)
{
    const TmlAdmArg *period = tml_adm_arg(item, "SAMPLE_PERIOD");
    (void)adm;
    return period == NULL || tml_adm_is_user(period->value);
}

/* false: reported. */
static bool find_parts(TmlAdm *adm, TmlAdmItem *item, Parts *p)
{
    const struct sAdamsGSE *g = item->gse;
    if (has_one_routine(adm, item)) {
        p->deriv = p->output =
            tml_adm_routine_make(adm, item, tml_adm_arg(item, "FUNCTION")->value, TML_ADM_GSESUB,
                                 g->NS + g->NO, tml_adm_routine_word(adm, item, "ROUTINE", 0));
        p->first_output = g->NS;
    } else {
        p->deriv = part(adm, item, TML_ADM_GSE_DERIV, g->NS);
        p->output = part(adm, item, TML_ADM_GSE_OUTPUT, g->NO);
        p->update = part(adm, item, TML_ADM_GSE_UPDATE, g->ND);
        p->samp = g->ND > 0 && is_sampled_by_routine(adm, item)
                      ? part(adm, item, TML_ADM_GSE_SAMP, 1)
                      : NULL;
    }
    return !item->failed && !adm->nomem;
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* Entries of an array: by the argument, or else as many as it has. */
static int count(TmlAdm *adm, TmlAdmItem *item, const char *argument, TmlAdmItem *array)
{
    const double n =
        tml_adm_real(adm, item, argument, array != NULL ? tml_adm_array_size(adm, array) : 0);
    if (!(n >= 0.0 && n <= TML_ADM_MAX_SIZE) && !item->failed) {
        tml_adm_error(adm, item, tml_adm_whole(item), "%s must be 0 to %d, not %g", argument,
                      (int)TML_ADM_MAX_SIZE, n);
    }
    if (n > 0.0 && array == NULL && !item->failed) {
        tml_adm_error(adm, item, tml_adm_whole(item), "%s = %g needs an ARRAY to hold them",
                      argument, n);
    }
    return item->failed ? 0 : (int)n;
}

static bool read_sizes(TmlAdm *adm, TmlAdmItem *item, struct sAdamsGSE *g)
{
    TmlAdmItem *x = tml_adm_ref(adm, item, "X", "ARRAY"), *y = tml_adm_ref(adm, item, "Y", "ARRAY");
    TmlAdmItem *u = tml_adm_ref(adm, item, "U", "ARRAY");
    TmlAdmItem *xd = tml_adm_ref(adm, item, "XD", "ARRAY");
    if (item->failed) {
        return false;
    }
    *g = (struct sAdamsGSE){.ID = tml_adm_number_of(item),
                            .NI = u != NULL ? tml_adm_array_size(adm, u) : 0,
                            .NO = count(adm, item, "NO", y),
                            .U = tml_adm_number_of(u),
                            .Y = tml_adm_number_of(y),
                            .NS = count(adm, item, "NS", x),
                            .X = tml_adm_number_of(x),
                            .IC = tml_adm_number_of(tml_adm_ref(adm, item, "IC", "ARRAY")),
                            .STATIC_HOLD = tml_adm_has(item, "STATIC_HOLD"),
                            .IMPLICIT = tml_adm_has(item, "IMPLICIT"),
                            .ND = count(adm, item, "ND", xd),
                            .XD = tml_adm_number_of(xd),
                            .ICD = tml_adm_number_of(tml_adm_ref(adm, item, "ICD", "ARRAY")),
                            .SAMPLE_OFFSET = tml_adm_real(adm, item, "SAMPLE_OFFSET", 0.0)};
    const int inputs = g->NS * (g->IMPLICIT ? 2 : 1) + g->ND + g->NI;
    if (item->failed) {
        return false;
    }
    if (!tml_adm_has(item, "FUNCTION") || g->NS + g->NO + g->ND == 0 ||
        inputs >= TML_MAX_ARGS_FIRST) {
        tml_adm_error(adm, item, tml_adm_whole(item),
                      !tml_adm_has(item, "FUNCTION") ? "argument FUNCTION is missing"
                      : inputs >= TML_MAX_ARGS_FIRST
                          ? "not supported yet: more than 63 states and inputs"
                          : "it has no states and no outputs");
    }
    return !item->failed;
}

/* --- states ----------------------------------------------------------------------------------- */

/* Entry k of an array of initial values; nothing when there is none. */
static void set_initial(TmlAdm *adm, TmlAdmItem *item, TmlValue *v, const char *argument, int k)
{
    TmlAdmItem *ic = tml_adm_ref(adm, item, argument, "ARRAY");
    TmlAdmText start = {0};
    if (ic != NULL && tml_adm_entry(adm, &start, ic, k)) {
        tml_adm_set(adm, v, "initial",
                    tml_adm_scalar(adm, tml_adm_whole(item), tml_adm_take(adm, &start)));
    }
    tml_mem_free(start.at);
}

/* A state that only events change. */
static void enter_held(TmlAdm *adm, TmlAdmItem *item, const char *name, const char *argument, int k)
{
    TmlValue *v = tml_adm_map(adm, tml_adm_whole(item));
    tml_adm_set(adm, v, "rate", tml_adm_scalar(adm, tml_adm_whole(item), "0"));
    set_initial(adm, item, v, argument, k);
    tml_adm_set(adm, adm->states, name, v);
}

static void enter_state(TmlAdm *adm, TmlAdmItem *item, const char *text, int k)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    const char *name = tml_adm_system_name(adm, item, 'x', k);
    const bool held = tml_adm_is_held(adm, item);
    TmlValue *v = tml_adm_map(adm, at);
    if (held) {
        text = "0";
    } else if (!item->gse->IMPLICIT) {
        text = tml_adm_scaled(adm, text, 1.0 / adm->time); // (G1)
    }
    tml_adm_set(adm, v, item->gse->IMPLICIT && !held ? "implicit" : "rate",
                tml_adm_scalar(adm, at, text));
    set_initial(adm, item, v, "IC", k);
    tml_adm_set(adm, adm->states, name, v);
}

/* --- sampling --------------------------------------------------------------------------------- */

/* Time until the next sample, in seconds; NULL: reported. */
static const char *period_text(TmlAdm *adm, TmlAdmItem *item, const Parts *p)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "SAMPLE_PERIOD");
    char *end = NULL, *copy = arg != NULL ? tml_adm_copy(adm->arena, arg->value) : NULL;
    const double number = copy != NULL ? tml_real_read(copy, &end) : 1.0;
    if (end != copy && *end == '\0' && !(number > 0.0)) {
        tml_adm_error(adm, item, arg->value, "SAMPLE_PERIOD must be positive, not %g", number);
        return NULL;
    }
    const char *text = p->samp != NULL ? tml_adm_routine_text(adm, item, p->samp, 0)
                                       : tml_adm_expression(adm, item, arg->value);
    return text != NULL ? tml_adm_scaled(adm, text, adm->time) : NULL;
}

/* An event of the samples; first: it may happen at the start. */
static TmlValue *add_event(TmlAdm *adm, TmlAdmItem *item, const char *what, const char *clock,
                           bool first)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    const char *name = tml_arena_printf(adm->arena, "%s_%s", item->name, what);
    const char *when = tml_arena_printf(adm->arena, "time - %s", clock);
    TmlValue *v = tml_adm_map(adm, at), *set = tml_adm_map(adm, at);
    if (name == NULL || when == NULL) {
        adm->nomem = true;
        return set;
    }
    tml_adm_set(adm, v, "when", tml_adm_scalar(adm, at, when));
    tml_adm_set(adm, v, "condition", tml_adm_scalar(adm, at, "above"));
    tml_adm_set(adm, v, "error", tml_adm_number(adm, at, 1e-9 * adm->time));
    tml_adm_set(adm, v, "silent", tml_adm_scalar(adm, at, "true"));
    if (first) {
        tml_adm_set(adm, v, "at_start", tml_adm_scalar(adm, at, "true"));
    }
    tml_adm_set(adm, v, "set", set);
    if (adm->mode != TML_ADM_MODE_STATICS) { // where no time passes
        tml_adm_set(adm, adm->events, name, v);
    }
    return set;
}

/* (G2) */
static bool enter_samples(TmlAdm *adm, TmlAdmItem *item, const Parts *p)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    const char *clock = tml_arena_printf(adm->arena, "%s_next", item->name);
    const char *period = period_text(adm, item, p);
    const char *next = period != NULL && clock != NULL
                           ? tml_arena_printf(adm->arena, "%s + %s", clock, period)
                           : NULL;
    adm->nomem |= clock == NULL || (period != NULL && next == NULL);
    if (next == NULL) {
        return false;
    }
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "rate", tml_adm_scalar(adm, at, "0"));
    tml_adm_set(adm, v, "initial", tml_adm_number(adm, at, item->gse->SAMPLE_OFFSET * adm->time));
    tml_adm_set(adm, adm->states, clock, v);
    TmlValue *take = add_event(adm, item, "sample", clock, false);
    TmlValue *find = add_event(adm, item, "update", clock, true);
    for (int k = 1; k <= item->gse->ND; ++k) {
        const char *now = tml_adm_system_name(adm, item, 'd', k);
        const char *then = tml_adm_system_name(adm, item, 'n', k);
        const char *text = tml_adm_routine_text(adm, item, p->update, k - 1);
        if (text == NULL) {
            return false;
        }
        enter_held(adm, item, now, "ICD", k);
        enter_held(adm, item, then, "ICD", k);
        tml_adm_set(adm, take, now, tml_adm_scalar(adm, at, then));
        tml_adm_set(adm, find, then, tml_adm_scalar(adm, at, text));
    }
    tml_adm_set(adm, find, clock, tml_adm_scalar(adm, at, next));
    return !adm->nomem;
}

void tml_adm_gse(TmlAdm *adm, TmlAdmItem *item)
{
    Parts p = {0};
    item->gse = tml_arena_alloc(adm->arena, 1, sizeof *item->gse);
    adm->nomem |= item->gse == NULL;
    if (adm->nomem || !read_sizes(adm, item, item->gse) || !find_parts(adm, item, &p)) {
        return;
    }
    for (int k = 1; k <= item->gse->NS; ++k) {
        const char *text = tml_adm_routine_text(adm, item, p.deriv, k - 1);
        if (text == NULL) {
            return;
        }
        enter_state(adm, item, text, k);
    }
    for (int k = 1; k <= item->gse->NO; ++k) {
        const char *text = tml_adm_routine_text(adm, item, p.output, p.first_output + k - 1);
        if (text == NULL) {
            return;
        }
        tml_adm_set(adm, adm->variables, tml_adm_system_name(adm, item, 'y', k),
                    tml_adm_scalar(adm, tml_adm_whole(item), text));
    }
    item->written = item->gse->ND == 0 || enter_samples(adm, item, &p);
}

/* --- CURVE ------------------------------------------------------------------------------------ */

void tml_adm_user_curve(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    TmlAdmRoutine *r =
        tml_adm_routine_make(adm, item, tml_adm_arg(item, "FUNCTION")->value, TML_ADM_CURSUB, 3,
                             tml_adm_routine_word(adm, item, "ROUTINE", 0));
    TmlValue *name[3], *v = tml_adm_map(adm, at);
    for (int k = 0; k < 3; ++k) {
        const char *text =
            r != NULL ? tml_adm_routine_function(adm, item, r, k, adm->length) : NULL;
        if (text == NULL) {
            item->failed = true;
            return;
        }
        name[k] = tml_adm_scalar(adm, at, text);
    }
    const double ends[2] = {r->of.curve.MINPAR, r->of.curve.MAXPAR};
    tml_adm_set(adm, v, "functions", tml_adm_list(adm, at, 3, name));
    tml_adm_set(adm, v, "range", tml_adm_numbers(adm, at, 2, ends));
    if (r->of.curve.CLOSED) {
        tml_adm_set(adm, v, "closed", tml_adm_scalar(adm, at, "true"));
    }
    adm->nomem |= !tml_adm_library_add(adm->library, 'K', (TmlAdmData){.id = r->id, .routine = r});
    tml_adm_enter(adm, adm->paths, item, v);
}
