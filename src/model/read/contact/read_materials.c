/* model/read/contact/read_materials.c - what surfaces are made of, and what two of them give to a law.
 *
 * A law takes a number from the materials when its table has a parameter of that name and the entry does
 * not give it.
 */
#include "model/read/contact/read_laws.h"

#include <string.h>

static void read_property(TmlEntry *x, const char *key, TmlRange range, const char *unit,
                          double *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v != NULL) {
        tml_read_ranged(x, v, key, range, unit, out);
    }
}

static void read_material(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    TmlNamedMaterial material = {.name = x->name, .is = tml_material_none()};
    TmlContactMaterial *is = &material.is;
    TmlError err = {0};
    (void)arg;
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_surface, NULL, NULL);
    read_property(x, "young", TML_POSITIVE, "N/m^2", &is->young);
    read_property(x, "poisson", TML_ANY, "", &is->poisson);
    read_property(x, "foundation", TML_POSITIVE, "N/m^3", &is->foundation);
    read_property(x, "restitution", TML_FRACTION, "", &is->restitution);
    read_property(x, "friction", TML_NONNEGATIVE, "", &is->friction_dynamic);
    read_property(x, "static_friction", TML_NONNEGATIVE, "", &is->friction_static);
    read_property(x, "rolling", TML_NONNEGATIVE, "m", &is->rolling);
    read_property(x, "spinning", TML_NONNEGATIVE, "m", &is->spinning);
    if (!x->bad && tml_material_check(is, x->name, &err) != TML_OK) {
        tml_entry_error(x, x->key, "%s", err.message);
    }
    if (tml_find_material(m, x->name) >= 0) {
        tml_entry_error(x, x->key, "there is already a material of this name");
    }
    bool ok = true;
    TML_LIST_ADD(m->materials, material, &ok); // a bad one, too: its name stays known
    x->r->nomem |= !ok;
}

void tml_read_materials(TmlReader *r, const TmlValue *section)
{
    if (section != NULL && section->kind != TML_VALUE_NULL) {
        tml_read_entries(r, section, "material", NULL, read_material, NULL);
    }
}

int tml_find_material(const TmlModel *m, const char *name)
{
    for (int k = 0; k < m->materials.n; ++k) {
        if (strcmp(m->materials.at[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/* --- what a law takes ------------------------------------------------------------------------------- */

static bool gives(const TmlValue *entry, const char *key)
{
    return entry != NULL && tml_value_find(entry, key) != NULL;
}

static bool has_param(const TmlParam *params, const char *name)
{
    for (const TmlParam *p = params; p != NULL && p->name != NULL; ++p) {
        if (strcmp(p->name, name) == 0) {
            return true;
        }
    }
    return false;
}

const TmlValue *tml_law_values(TmlReader *r, const TmlParam *params, const TmlValue *entry,
                               const TmlMaterialPair *pair)
{
    // a number of the entry that says the same in another way counts, too
    const struct {
        const char *param, *instead;
        double value;
    } property[] = {
        {"modulus", "young", pair->modulus},
        {"foundation", "foundation", pair->foundation},
        {"restitution", "damping", pair->restitution},
        {"dynamic", "dynamic", pair->friction_dynamic},
        {"static", "dynamic", pair->friction_static},
        {"rolling", "rolling", pair->rolling},
        {"spinning", "spinning", pair->spinning},
    };
    TmlArena *arena = &r->m->arena;
    TmlValue *all = tml_value_map(arena);
    bool ok = all != NULL;
    for (int k = 0; entry != NULL && k < entry->n && ok; ++k) {
        ok = tml_value_set(arena, all, entry->key[k]->text, entry->item[k]);
    }
    for (size_t k = 0; k < sizeof property / sizeof *property && ok; ++k) {
        if (property[k].value >= 0.0 && has_param(params, property[k].param) &&
            !gives(entry, property[k].param) && !gives(entry, property[k].instead)) {
            TmlValue *v = tml_value_real(arena, property[k].value);
            ok = v != NULL && tml_value_set(arena, all, property[k].param, v);
        }
    }
    r->nomem |= !ok;
    return ok ? all : NULL;
}
