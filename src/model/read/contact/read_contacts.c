/* model/read/contact/read_contacts.c - shapes of the ground, and the section `contacts`.
 *
 * An entry speaks of pairs of shapes. Where these have materials it has one law for each two of them.
 */
#include <string.h>

#include "model/contact/contact.h"
#include "model/flexible/mesh.h"
#include "model/read/contact/read_laws.h"

void tml_read_ground(TmlReader *r, const TmlValue *section)
{
    TmlModel *m = r->m;
    TmlBody *ground = &m->bodies.at[TML_GROUND];
    TmlEntry x = {.r = r, .kind = "section", .name = "ground", .value = section, .key = section};
    if (section == NULL || section->kind == TML_VALUE_NULL || !tml_read_is_map(&x, section, NULL)) {
        return;
    }
    tml_read_keys(&x, section, tml_keys_ground, NULL, NULL);
    const TmlValue *shape = tml_value_find(section, "shape");
    if (shape != NULL && ground->n_shapes > 0) {
        tml_entry_error(&x, shape, "the ground has shapes already: give them in one place");
    } else if (shape != NULL) {
        ground->shape0 = m->looks.n;
        tml_read_shapes(&x, shape, TML_GROUND, ground->cm);
        ground->n_shapes = m->looks.n - ground->shape0;
    }
}

/* --- entries ------------------------------------------------------------------------------------ */

/* How precisely a word names shapes: a shape, a body, a group, all of them. */
enum { RANK_ALL, RANK_GROUP, RANK_BODY, RANK_SHAPE };

/* A flexible body belongs to all shapes when it says how it touches; else it has to be named. */
static bool is_invited(const TmlModel *m, const TmlBodyShape *s)
{
    return m->meshes.at[m->flexes.at[s->element - 1].mesh].contact != NULL;
}

/* Whether a word names a shape; *rank: how. */
static bool names(const TmlModel *m, const TmlBodyShape *s, const char *word, int *rank)
{
    if (strcmp(word, "all") == 0) {
        *rank = RANK_ALL;
        return s->element == 0 || is_invited(m, s);
    }
    if (strcmp(word, s->name) == 0 && strchr(s->name, '.') != NULL) {
        *rank = RANK_SHAPE;
        return true;
    }
    if (strcmp(word, m->bodies.at[s->body].name) == 0) {
        *rank = RANK_BODY;
        return true;
    }
    *rank = RANK_GROUP;
    return s->group != NULL && strcmp(word, s->group) == 0;
}

static void unknown_word(TmlEntry *x, const TmlValue *at, const char *word)
{
    const TmlModel *m = x->r->m;
    const int body = tml_model_find_body(m, word);
    if (body >= 0) {
        tml_entry_error(x, at,
                        "between: body '%s' has no shape that can touch; give it one with '%s'",
                        word, tml_mesh_of_body(m, body) >= 0 ? "contact: {radius: ...}" : "shape");
        return;
    }
    const char **known = tml_mem_zalloc((size_t)m->shapes.n * 3 + 1, sizeof *known);
    int n = 0;
    for (int k = 0; known != NULL && k < m->shapes.n; ++k) {
        known[n++] = m->shapes.at[k].name;
        known[n++] = m->bodies.at[m->shapes.at[k].body].name;
        if (m->shapes.at[k].group != NULL) {
            known[n++] = m->shapes.at[k].group;
        }
    }
    tml_entry_unknown(x, at, "body, shape or group", word, known, n);
    tml_mem_free(known);
}

/* One side of `between`: a word or a list of words. */
static const unsigned char *read_side(TmlEntry *x, const TmlValue *v, int *rank)
{
    const TmlModel *m = x->r->m;
    unsigned char *side = tml_reader_alloc(x->r, (size_t)m->shapes.n + 1, 1);
    const bool list = v->kind == TML_VALUE_LIST;
    *rank = RANK_SHAPE;
    for (int k = 0; side != NULL && k < (list ? v->n : 1); ++k) {
        const TmlValue *item = list ? v->item[k] : v;
        const char *word = tml_read_text(x, item, "between");
        bool found = false;
        for (int s = 0; word != NULL && s < m->shapes.n; ++s) {
            int how;
            if (names(m, &m->shapes.at[s], word, &how)) {
                side[s] = 1;
                found = true;
                *rank = how < *rank ? how : *rank;
            }
        }
        if (word != NULL && !found) {
            unknown_word(x, item, word);
        }
    }
    return side;
}

static void read_between(TmlEntry *x, TmlContact *c)
{
    const TmlValue *v = tml_value_find(x->value, "between");
    int rank[2];
    if (v != NULL && v->kind == TML_VALUE_SCALAR && strcmp(v->text, "all") == 0) {
        c->side[0] = c->side[1] = read_side(x, v, &rank[0]);
        return;
    }
    if (v == NULL || v->kind != TML_VALUE_LIST || v->n != 2) {
        tml_entry_expected(x, v != NULL ? v : x->key, "between",
                           "all, or two bodies, shapes or groups (or lists of them)");
        return;
    }
    for (int k = 0; k < 2; ++k) {
        c->side[k] = read_side(x, v->item[k], &rank[k]);
    }
    c->rank = rank[0] + rank[1];
}

/* --- materials ---------------------------------------------------------------------------------- */

/* The bodies of one side whose shapes have a material: the smallest and the largest number. */
typedef struct Bodies {
    int low, high; /* low > high: none */
} Bodies;

static Bodies bodies_of(const TmlModel *m, const unsigned char *side, int material)
{
    Bodies b = {m->bodies.n, -1};
    for (int s = 0; s < m->shapes.n; ++s) {
        const int body = m->shapes.at[s].body;
        if (side[s] != 0 && m->shapes.at[s].made_of == material) {
            b.low = body < b.low ? body : b.low;
            b.high = body > b.high ? body : b.high;
        }
    }
    return b;
}

/* Whether there are two bodies, one for each side. */
static bool have_pair(Bodies a, Bodies b)
{
    return a.low <= a.high && b.low <= b.high &&
           !(a.low == a.high && b.low == b.high && a.low == b.low);
}

/* One law for each two materials that the sides have. */
static const TmlContactLaw *read_laws(TmlEntry *x, const TmlLawEntry *entry, const TmlContact *c)
{
    TmlModel *m = x->r->m;
    const int none = -1, n = m->materials.n + 1;
    TmlContactLaw *law = tml_reader_alloc(x->r, (size_t)n * (size_t)n, sizeof *law);
    for (int a = none; law != NULL && a + 1 < n; ++a) {
        const Bodies first = bodies_of(m, c->side[0], a);
        for (int b = none; b + 1 < n && !x->bad; ++b) {
            TmlContactLaw *one = &law[(a + 1) * n + b + 1], *other = &law[(b + 1) * n + a + 1];
            if (one->press == NULL && have_pair(first, bodies_of(m, c->side[1], b))) {
                tml_read_law(x, entry, a, b, one);
                *other = *one;
            }
        }
    }
    return law;
}

static bool have_materials(const TmlModel *m, const TmlContact *c)
{
    for (int s = 0; s < m->shapes.n; ++s) {
        if (m->shapes.at[s].made_of >= 0 && (c->side[0][s] != 0 || c->side[1][s] != 0)) {
            return true;
        }
    }
    return false;
}

static void add_contact(TmlEntry *x, const TmlLawEntry *entry, TmlContact c)
{
    bool ok = true;
    if (entry->press != NULL && have_materials(x->r->m, &c)) {
        c.by_material = read_laws(x, entry, &c);
        c.law = (TmlContactLaw){.press = entry->press, .slip = entry->slip};
    } else {
        tml_read_law(x, entry, -1, -1, &c.law);
    }
    if (!x->bad) {
        TML_LIST_ADD(x->r->m->contacts, c, &ok);
    }
    x->r->nomem |= !ok;
}

/* events: jumps, the default, foresee or locate. */
static TmlSided read_sided(TmlEntry *x)
{
    static const char *const known[] = {"foresee", "jumps", "locate"}; // in the order of TmlSided
    const TmlValue *v = tml_value_find(x->value, "events");
    const char *word = v != NULL ? tml_read_text(x, v, "events") : NULL;
    for (int k = 0; word != NULL && k < 3; ++k) {
        if (strcmp(word, known[k]) == 0) {
            return (TmlSided)k;
        }
    }
    if (word != NULL) {
        tml_entry_unknown(x, v, "way to meet events", word, known, 3);
    }
    return TML_SIDED_JUMPS;
}

/* Which of two shapes is the first is told by `between`, unless one shape is on both sides. */
static void read_acts(TmlEntry *x, TmlContact *c)
{
    const TmlModel *m = x->r->m;
    const TmlValue *v = tml_value_find(x->value, "acts");
    int choice = TML_ACTS_MIDDLE;
    if (v == NULL || !tml_read_choice(x, v, "acts", TML_ACTS_CHOICES, &choice)) {
        return;
    }
    c->acts = (TmlContactActs)choice;
    for (int s = 0; choice != TML_ACTS_MIDDLE && c->side[0] != NULL && c->side[1] != NULL &&
                    s < m->shapes.n && !x->bad;
         ++s) {
        if (c->side[0][s] != 0 && c->side[1][s] != 0) {
            tml_entry_error(x, v,
                            "acts: shape '%s' is on both sides of 'between', so that there is no "
                            "first and no second; say 'middle', or name two sides",
                            m->shapes.at[s].name);
        }
    }
}

static void read_contact(TmlEntry *x, void *arg)
{
    TmlContact c = {.name = x->name, .source = x->key};
    TmlLawEntry law;
    (void)arg;
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_law_entry(x, &law);
    read_between(x, &c);
    const TmlValue *neighbours = tml_value_find(x->value, "neighbours");
    if (neighbours != NULL) {
        tml_read_bool(x, neighbours, "neighbours", &c.neighbours);
    }
    c.sided = read_sided(x);
    const TmlValue *flexible = tml_value_find(x->value, "flexible");
    if (flexible != NULL) {
        int k = 0;
        tml_read_choice(x, flexible, "flexible", "spread|closest", &k);
        c.closest = k == 1;
    }
    read_acts(x, &c);
    if (!x->bad && c.side[0] != NULL && c.side[1] != NULL) {
        add_contact(x, &law, c);
    }
}

/* --- which shapes touch --------------------------------------------------------------------------- */

static void find_materials(TmlReader *r)
{
    TmlModel *m = r->m;
    for (int s = 0; s < m->looks.n; ++s) {
        TmlBodyShape *shape = &m->looks.at[s];
        TmlEntry x = {
            .r = r, .kind = "body", .name = m->bodies.at[shape->body].name, .key = shape->source};
        shape->made_of = shape->material != NULL ? tml_find_material(m, shape->material) : -1;
        if (shape->material != NULL && shape->made_of < 0) {
            tml_entry_unknown_name(&x, shape->source, "material", shape->material, m->materials.at,
                                   m->materials.n, sizeof *m->materials.at);
        }
    }
}

/* Stations and segments: whether the entry has another shape for them. */
static bool is_wanted(const TmlModel *m, const TmlContact *c, int s)
{
    const TmlBodyShape *shape = &m->shapes.at[s];
    for (int k = 0; shape->element > 0 && k < m->shapes.n; ++k) {
        const TmlBodyShape *other = &m->shapes.at[k];
        if (other->body != shape->body && tml_contact_names(c, s, k) &&
            tml_contact_fits(c, shape, other)) {
            return true;
        }
    }
    return shape->element == 0;
}

/* Shapes that no entry names leave the list. */
static void keep_named(TmlReader *r)
{
    TmlModel *m = r->m;
    int *from = tml_reader_alloc(r, (size_t)m->shapes.n + 1, sizeof *from), n = 0;
    // none moves before all are judged: entries know shapes by their old numbers
    for (int s = 0; s < m->shapes.n && from != NULL; ++s) {
        bool named = false;
        for (int k = 0; k < m->contacts.n && !named; ++k) {
            const TmlContact *c = &m->contacts.at[k];
            named = c->law.press != NULL && (c->side[0][s] != 0 || c->side[1][s] != 0) &&
                    is_wanted(m, c, s);
        }
        if (named) {
            from[n++] = s;
        }
    }
    for (int k = 0; k < n; ++k) {
        m->shapes.at[k] = m->shapes.at[from[k]];
    }
    for (int k = 0; k < m->contacts.n && from != NULL; ++k) {
        const unsigned char *old[2] = {m->contacts.at[k].side[0], m->contacts.at[k].side[1]};
        for (int i = 0; i < 2 && !r->nomem; ++i) {
            unsigned char *side = tml_reader_alloc(r, (size_t)n + 1, 1);
            for (int s = 0; side != NULL && s < n; ++s) {
                side[s] = old[i][from[s]];
            }
            m->contacts.at[k].side[i] = side;
        }
        if (old[0] == old[1]) {
            m->contacts.at[k].side[1] = m->contacts.at[k].side[0];
        }
    }
    m->shapes.n = n;
}

static void finish_shapes(TmlReader *r)
{
    for (int s = 0; s < r->m->shapes.n && !r->nomem; ++s) {
        TmlBodyShape *shape = &r->m->shapes.at[s];
        TmlEntry x = {.r = r,
                      .kind = "body",
                      .name = r->m->bodies.at[shape->body].name,
                      .key = shape->source};
        tml_read_finish_shape(&x, shape);
    }
}

void tml_read_contacts(TmlReader *r)
{
    TmlModel *m = r->m;
    find_materials(r);
    if (r->contacts.n == 0) {
        return;
    }
    for (int s = 0; s < m->looks.n && !r->nomem; ++s) {
        bool ok = true;
        TML_LIST_ADD(m->shapes, m->looks.at[s], &ok);
        r->nomem |= !ok;
    }
    tml_read_stations(r);
    for (int k = 0; k < r->contacts.n && !r->nomem; ++k) {
        tml_read_entries(r, r->contacts.at[k], "contact", NULL, read_contact, NULL);
    }
    if (!r->nomem) {
        tml_check_stations(r);
        keep_named(r);
        tml_place_stations(r);
        finish_shapes(r);
    }
}
