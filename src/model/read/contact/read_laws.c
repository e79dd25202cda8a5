/* model/read/contact/read_laws.c - the law of an entry of `contacts`, with its own numbers and those of materials. */
#include "model/read/contact/read_laws.h"
#include "model/contact/law/press.h"

#include <math.h>
#include <string.h>

/* --- which laws ---------------------------------------------------------------------------------- */

static bool is_none(const TmlValue *v)
{
    return v->kind == TML_VALUE_SCALAR && strcmp(v->text, "none") == 0;
}

static const TmlPressType *press_type(TmlEntry *x)
{
    enum { MAX_TYPES = 64 };
    const TmlValue *v = tml_value_find(x->value, "law");
    const char *word = v != NULL ? tml_read_text(x, v, "law") : NULL, *known[MAX_TYPES];
    const TmlPressType *type = word != NULL ? tml_contact_press_type(x->r->m, word) : NULL;
    int n = 0;
    for (; tml_press_types[n] != NULL && n < MAX_TYPES; ++n) {
        known[n] = tml_press_types[n]->info.name;
    }
    for (int k = 0; k < x->r->m->user_presses.n && n < MAX_TYPES; ++k) {
        known[n++] = x->r->m->user_presses.at[k]->info.name;
    }
    if (v == NULL) {
        tml_entry_error(x, x->key, "missing key 'law': how force follows from depth");
    } else if (type == NULL && word != NULL) {
        tml_entry_unknown(x, v, "law of contact", word, known, n);
    }
    return type;
}

static const TmlSlipType *slip_type(TmlEntry *x, const TmlValue *friction)
{
    enum { MAX_TYPES = 64 };
    const TmlValue *v = tml_value_find(friction, "law");
    const char *word = v != NULL ? tml_read_text(x, v, "friction: law") : "coulomb",
               *known[MAX_TYPES];
    const TmlSlipType *type = word != NULL ? tml_contact_slip_type(x->r->m, word) : NULL;
    int n = 0;
    for (; tml_slip_types[n] != NULL && n < MAX_TYPES; ++n) {
        known[n] = tml_slip_types[n]->info.name;
    }
    for (int k = 0; k < x->r->m->user_slips.n && n < MAX_TYPES; ++k) {
        known[n++] = x->r->m->user_slips.at[k]->info.name;
    }
    if (type == NULL && word != NULL) {
        tml_entry_unknown(x, v != NULL ? v : friction, "law of friction", word, known, n);
    }
    return type;
}

static void read_friction(TmlEntry *x, TmlLawEntry *out)
{
    const TmlValue *v = tml_value_find(x->value, "friction");
    if (v == NULL) {
        return;
    }
    out->smooth = is_none(v);
    if (out->smooth) {
        return;
    }
    if (v->kind != TML_VALUE_MAP) {
        tml_entry_expected(x, v, "friction", "none, or a map such as {dynamic: 0.3}");
        return;
    }
    out->friction = v;
    out->slip = slip_type(x, v);
    if (out->slip != NULL) {
        tml_read_keys(x, v, tml_keys_friction, NULL, out->slip->info.params);
    }
}

/* `rolling: {rolling: 1 mm, ...}`: the only law so far. */
static void read_rolling(TmlEntry *x, TmlLawEntry *out)
{
    const TmlValue *v = tml_value_find(x->value, "rolling");
    if (v == NULL) {
        return;
    }
    out->rolls = is_none(v);
    if (!out->rolls && v->kind != TML_VALUE_MAP) {
        tml_entry_expected(x, v, "rolling", "none, or a map such as {rolling: 1 mm}");
    } else if (!out->rolls) {
        out->rolling = v;
        tml_read_keys(x, v, NULL, NULL, tml_roll_types[0]->info.params);
    }
}

static void read_mixing(TmlEntry *x, TmlLawEntry *out)
{
    const TmlValue *v = tml_value_find(x->value, "mixing");
    int rule = TML_MIX_SMALLER;
    if (v != NULL) {
        tml_read_choice(x, v, "mixing", TML_MIXING_CHOICES, &rule);
    }
    out->rules = (TmlMixingRules){(TmlMixing)rule, (TmlMixing)rule, (TmlMixing)rule};
}

bool tml_read_law_entry(TmlEntry *x, TmlLawEntry *out)
{
    const TmlValue *law = tml_value_find(x->value, "law");
    const bool never = law != NULL && is_none(law);
    *out = (TmlLawEntry){.press = never ? NULL : press_type(x)};
    tml_read_keys(x, x->value, tml_keys_contact, NULL,
                  out->press != NULL ? out->press->info.params : NULL);
    read_friction(x, out);
    read_rolling(x, out);
    read_mixing(x, out);
    if (never && out->friction != NULL) {
        tml_entry_error(x, out->friction,
                        "friction is given, but law: none means that nothing touches");
    }
    return !x->bad;
}

/* --- their numbers ------------------------------------------------------------------------------- */

/* " (materials 'a' and 'b')", where numbers do not go together. */
static const char *between_materials(TmlReader *r, int first, int second)
{
    const TmlNamedMaterial *at = r->m->materials.at;
    if (first < 0 && second < 0) {
        return "";
    }
    if (first < 0 || second < 0 || first == second) {
        return tml_reader_printf(r, " (material '%s')", at[first < 0 ? second : first].name);
    }
    return tml_reader_printf(r, " (materials '%s' and '%s')", at[first].name, at[second].name);
}

/* What else does not give a number that is missing. */
static const char *of_materials(TmlReader *r, int first, int second)
{
    const TmlNamedMaterial *at = r->m->materials.at;
    if (first < 0 && second < 0) {
        return "; the shapes have no material";
    }
    if (first < 0 || second < 0) {
        return tml_reader_printf(r, "; nor does the material '%s'",
                                 at[first < 0 ? second : first].name);
    }
    if (first == second) {
        return tml_reader_printf(r, "; nor does the material '%s'", at[first].name);
    }
    return tml_reader_printf(r, "; nor do the materials '%s' and '%s'", at[first].name,
                             at[second].name);
}

typedef TmlStatus CheckFn(const void *data, TmlError *err);

/* Data of a law from what is said; NULL after reporting. */
static void *read_data(TmlEntry *x, const char *what, const TmlTypeInfo *info, const TmlValue *said,
                       const char *nor, const char *of, CheckFn *check)
{
    TmlEntry inner = *x;
    TmlError err = {0};
    void *data = tml_reader_alloc(x->r, 1, info->data_size);
    if (said == NULL || data == NULL || nor == NULL || of == NULL) {
        return NULL;
    }
    for (const TmlParam *p = info->params; p != NULL && p->name != NULL; ++p) {
        if (p->standard == NULL && tml_value_find(said, p->name) == NULL) {
            const bool unit = p->unit[0] != '\0';
            tml_entry_error(x, x->key, "%s: '%s' (%s%s%s) is needed and not given%s", what, p->name,
                            p->text, unit ? ", " : "", p->unit, nor);
            return NULL;
        }
    }
    inner.value = said;
    tml_read_table(&inner, info->params, 0, data);
    x->bad |= inner.bad;
    if (!x->bad && check != NULL && check(data, &err) != TML_OK) {
        tml_entry_error(x, x->key, "%s: %s%s", what, err.message, of);
    }
    return x->bad ? NULL : data;
}

/* One law, with what the entry says of it and what the materials have. */
typedef struct Wanted {
    TmlEntry *x;
    const TmlMaterialPair *pair;
    const char *nor, *of;
} Wanted;

static void *law_data(const Wanted *w, const char *what, const TmlTypeInfo *info,
                      const TmlValue *said, CheckFn *check)
{
    return read_data(w->x, what, info, tml_law_values(w->x->r, info->params, said, w->pair), w->nor,
                     w->of, check);
}

void tml_read_law(TmlEntry *x, const TmlLawEntry *entry, int first, int second, TmlContactLaw *out)
{
    TmlReader *r = x->r;
    const TmlNamedMaterial *at = r->m->materials.at;
    const TmlContactMaterial none = tml_material_none();
    const TmlMaterialPair pair = tml_material_pair(
        first >= 0 ? &at[first].is : &none, second >= 0 ? &at[second].is : &none, &entry->rules);
    const Wanted w = {x, &pair, of_materials(r, first, second),
                      between_materials(r, first, second)};
    const TmlSlipType *slip = entry->slip;
    const bool rolls =
        entry->rolling != NULL || (!entry->rolls && fmax(pair.rolling, pair.spinning) > 0.0);
    *out = (TmlContactLaw){.press = entry->press};
    if (entry->press == NULL) {
        return;
    }
    const char *name = entry->press->info.name;
    void *data = law_data(&w, name, &entry->press->info, x->value, entry->press->check);
    if (data != NULL && entry->press->prepare != NULL) {
        entry->press->prepare(data);
    }
    out->press_data = data;
    if (slip == NULL && !entry->smooth && pair.friction_dynamic > 0.0) {
        slip = tml_find_slip_type("coulomb");
    }
    if (slip != NULL) {
        void *friction = law_data(&w, "friction", &slip->info, entry->friction, slip->check);
        if (friction != NULL && slip->prepare != NULL) {
            slip->prepare(friction);
        }
        out->slip = slip;
        out->slip_data = friction;
    }
    if (rolls) {
        out->roll = tml_roll_types[0];
        out->roll_data =
            law_data(&w, "rolling", &out->roll->info, entry->rolling, out->roll->check);
    }
}
