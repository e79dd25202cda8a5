/* adams/translate/partners.c - what touches what: a GRAPHICS becomes one shape for all CONTACTs that name it.
 *
 * Adams has contact of solids, and contact in a plane of points, circles, arcs, curves and planes. A circle of
 * the second kind is all that lies within it, and an open curve has its free side where the other stands at the start.
 */
#include <string.h>

#include "adams/dataset/dataset.h"

static bool is_flat(const TmlAdmItem *graphics)
{
    return tml_adm_has(graphics, "POINT") || tml_adm_has(graphics, "CIRCLE") ||
           tml_adm_has(graphics, "ARC") || tml_adm_has(graphics, "CURVE");
}

/* Every shape of one side learns of those of the other. */
static void introduce(TmlAdm *adm, const TmlAdmArg *mine, const TmlAdmArg *others)
{
    TmlAdmItem *shape, *other;
    for (int at = 0; tml_adm_next_ref(adm, mine, "GRAPHICS", &at, &shape);) {
        for (int to = 0; shape != NULL && tml_adm_next_ref(adm, others, "GRAPHICS", &to, &other);) {
            if (other != NULL) {
                shape->opposite = shape->opposite != NULL ? shape->opposite : other;
                shape->in_plane |= is_flat(other);
            }
        }
    }
}

/* Shapes that others touch from within. One that has another CONTACT from without would have to be two. */
static void turn_inside_out(TmlAdm *adm, TmlAdmItem *contact, const char *flip, const char *side)
{
    const TmlAdmArg *arg = tml_adm_arg(contact, flip), *names = tml_adm_arg(contact, side);
    TmlAdmItem *shape;
    for (int at = 0; arg != NULL && tml_adm_next_ref(adm, arg, "GRAPHICS", &at, &shape);) {
        if (shape == NULL || names == NULL || !tml_adm_mentions(names->value, shape->id)) {
            tml_adm_error(adm, contact, arg->value, "%s must name GRAPHICS of %s", flip, side);
        } else {
            shape->inside_out = true;
        }
    }
}

static void check_turned(TmlAdm *adm, TmlAdmItem *contact, const char *flip, const char *side)
{
    const TmlAdmArg *arg = tml_adm_arg(contact, flip), *names = tml_adm_arg(contact, side);
    TmlAdmItem *shape;
    for (int at = 0; names != NULL && tml_adm_next_ref(adm, names, "GRAPHICS", &at, &shape);) {
        if (shape != NULL && shape->inside_out &&
            (arg == NULL || !tml_adm_mentions(arg->value, shape->id))) {
            tml_adm_error(adm, contact, names->value,
                          "not supported yet: GRAPHICS/%s is turned by the %s of another CONTACT",
                          shape->id, flip);
        }
    }
}

static bool is_contact(const TmlAdmItem *item)
{
    return strcmp(item->syntax->name, "CONTACT") == 0 && !item->inactive;
}

void tml_adm_partners(TmlAdm *adm)
{
    if (adm->partners_known) {
        return;
    }
    adm->partners_known = true;
    for (int k = 0; k < adm->n; ++k) {
        TmlAdmItem *c = &adm->item[k];
        const TmlAdmArg *i = is_contact(c) ? tml_adm_arg(c, "IGEOM") : NULL;
        const TmlAdmArg *j = is_contact(c) ? tml_adm_arg(c, "JGEOM") : NULL;
        if (i != NULL && j != NULL) {
            introduce(adm, i, j);
            introduce(adm, j, i);
            turn_inside_out(adm, c, "IFLIP_GEOMETRY", "IGEOM");
            turn_inside_out(adm, c, "JFLIP_GEOMETRY", "JGEOM");
        }
    }
    for (int k = 0; k < adm->n; ++k) {
        if (is_contact(&adm->item[k])) {
            check_turned(adm, &adm->item[k], "IFLIP_GEOMETRY", "IGEOM");
            check_turned(adm, &adm->item[k], "JFLIP_GEOMETRY", "JGEOM");
        }
    }
}
