/* adams/flexible/translate_mforce.c - MFORCE: a load case of a FLEX_BODY, scaled by a function.
 *
 * The load cases of Adams are columns of the matrix MODLOAD in the modal neutral file; here they are `loads` of the part, in the
 * order of its description. JFLOAT takes the reaction on its part, at the origin of the FLEX_BODY.
 */
#include "adams/flexible/flex_part.h"

#include <math.h>

/* The names of the load cases, with their numbers. */
static const char *cases_of(TmlAdm *adm, const TmlPart *part)
{
    TmlAdmText text = {0};
    for (int l = 0; l < part->n_loads; ++l) {
        tml_adm_write(&text, "%s%d: %s", l > 0 ? ", " : "", l + 1, part->load[l].name);
    }
    return tml_adm_take(adm, &text);
}

/* The load case that CASE_INDEX counts, from 1; NULL: reported. */
static const char *find_case(TmlAdm *adm, TmlAdmItem *item, const TmlAdmItem *body)
{
    const TmlPart *part = body->flex->part;
    const TmlAdmArg *arg = tml_adm_arg(item, "CASE_INDEX");
    if (arg == NULL) {
        tml_adm_error(adm, item, tml_adm_whole(item), "argument CASE_INDEX is missing");
        return NULL;
    }
    const double index = tml_adm_real(adm, item, "CASE_INDEX", 0.0);
    if (item->failed) {
        return NULL;
    }
    if (part->n_loads == 0) {
        tml_adm_error(adm, item, arg->value,
                      "CASE_INDEX: part '%s' of FLEX_BODY/%s has no load cases; write them as "
                      "'loads' in its description, in the order of the modal neutral file, and "
                      "reduce it again",
                      part->name, body->id);
        return NULL;
    }
    if (!(index >= 1.0 && index <= part->n_loads) || index != floor(index)) {
        tml_adm_error(adm, item, arg->value,
                      "CASE_INDEX: part '%s' of FLEX_BODY/%s has load cases 1 to %d (%s), got %.9g",
                      part->name, body->id, part->n_loads, cases_of(adm, part), index);
        return NULL;
    }
    return part->load[(int)index - 1].name;
}

/* The name of the part that takes the reaction; NULL: ground, or reported. */
static const char *reaction_of(TmlAdm *adm, TmlAdmItem *item, const TmlAdmItem *body)
{
    const TmlAdmArg *arg = tml_adm_arg(item, "JFLOAT");
    TmlAdmItem *marker = arg != NULL ? tml_adm_ref(adm, item, "JFLOAT", "MARKER") : NULL;
    TmlAdmItem *owner = marker != NULL ? tml_adm_owner(adm, marker) : NULL;
    if (owner == NULL) {
        return NULL; // not given, or told there
    }
    if (owner == body || tml_adm_is_flex(owner)) {
        tml_adm_error(adm, item, arg->value,
                      "JFLOAT belongs to FLEX_BODY/%s; the reaction needs a rigid part", owner->id);
        return NULL;
    }
    return tml_adm_is_ground(owner) ? NULL : tml_adm_body_name(owner);
}

void tml_adm_mforce(TmlAdm *adm, TmlAdmItem *item)
{
    const TmlAdmSlice at = tml_adm_whole(item);
    const TmlAdmArg *scale = tml_adm_arg(item, "SCALE");
    TmlAdmItem *body = tml_adm_need(adm, item, "FLEX_BODY", "FLEX_BODY");
    if (body == NULL || body->failed || body->flex == NULL || body->flex->part == NULL) {
        return; // told there
    }
    const char *load = find_case(adm, item, body);
    if (load != NULL && scale == NULL) {
        tml_adm_error(adm, item, at, "argument SCALE is missing: the factor of the load case");
    }
    const char *reaction = reaction_of(adm, item, body);
    const char *text = scale != NULL ? tml_adm_expression(adm, item, scale->value) : NULL;
    if (load == NULL || text == NULL || item->failed) {
        return;
    }
    TmlValue *v = tml_adm_map(adm, at);
    tml_adm_set(adm, v, "type", tml_adm_scalar(adm, at, "modal_force"));
    tml_adm_set(adm, v, "body", tml_adm_scalar(adm, at, tml_adm_body_name(body)));
    tml_adm_set(adm, v, "load", tml_adm_scalar(adm, at, load));
    tml_adm_set(adm, v, "scale", tml_adm_scalar(adm, scale->value, text));
    if (reaction != NULL) {
        tml_adm_set(adm, v, "reaction", tml_adm_scalar(adm, at, reaction));
    }
    tml_adm_enter(adm, adm->forces, item, v);
}
