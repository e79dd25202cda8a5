/* model/read/read_contacts.c - shapes that touch, and the section `contacts`.
 *
 * The shapes of bodies are those that pictures show. Round ones have their axis along z of their own axes,
 * half-spaces their normal; links are capsules.
 */
#include <stdio.h>
#include <string.h>

#include "base/real.h"
#include "math/vec3.h"
#include "model/contact/contact.h"
#include "model/read/read.h"

/* --- shapes ------------------------------------------------------------------------------------- */

static bool read_vector(const TmlValue *keys, const char *key, int n, double *out)
{
    const TmlValue *v = tml_value_find(keys, key);
    for (int k = 0; v != NULL && k < n && k < v->n; ++k) {
        out[k] = tml_real_read(v->item[k]->text, NULL);
    }
    return v != NULL;
}

/* Position and rotation, then the axis or normal as z. */
static TmlPose place_of(const TmlBody *body, const TmlValue *keys)
{
    double r[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0};
    TmlPose place;
    read_vector(keys, "position", 3, r);
    read_vector(keys, "rotation", 4, q);
    place.r = v3_sub(v3(r[0], r[1], r[2]), body->cm);
    place.A = q4_matrix((TmlQuat){q[0], q[1], q[2], q[3]});
    return place;
}

/* The direction that z of the shape's own axes has in those that `rotation` gives. */
static bool axis_of(const char *type, const TmlValue *keys, TmlVec3 *axis)
{
    const bool half_space = strcmp(type, "half_space") == 0;
    double z[3] = {half_space ? 0 : 1, 0, half_space ? 1 : 0};
    const bool given = read_vector(keys, half_space ? "normal" : "axis", 3, z);
    *axis = v3_unit(v3(z[0], z[1], z[2]));
    return given || half_space || tml_value_find(keys, "length") != NULL;
}

static const char *text_of(const TmlValue *keys, const char *key)
{
    const TmlValue *v = tml_value_find(keys, key);
    return v != NULL ? v->text : NULL;
}

/* Files are read and solids made. A mesh that is no solid stays a picture, with a warning. */
static bool finish_shape(TmlEntry *x, const TmlShapeType *type, void *data)
{
    TmlError err = {0};
    const TmlStatus status =
        x->bad ? TML_OK : tml_shape_prepare(type, data, &x->r->m->arena, x->key->file, &err);
    if (status == TML_E_NOMEM) {
        x->r->nomem = true;
    } else if (status != TML_OK && type->prepare != NULL) {
        tml_entry_warning(x, x->key, "shape %s does not touch: %s", type->info.name, err.message);
    } else if (status != TML_OK) {
        tml_entry_error(x, x->key, "shape %s: %s", type->info.name, err.message);
    }
    return status == TML_OK && !x->bad;
}

static void add_shape(TmlReader *r, int index, const TmlValue *one)
{
    TmlModel *m = r->m;
    const TmlBody *body = &m->bodies.at[index];
    const TmlValue *keys = one->item[0];
    const TmlShapeType *type = tml_find_shape_type(one->key[0]->text);
    if (type == NULL) {
        return; // pictures only
    }
    TmlEntry x = {.r = r, .kind = "body", .name = body->name, .value = keys, .key = one->key[0]};
    TmlBodyShape shape = {
        .name = body->name, .group = text_of(keys, "group"), .body = index, .source = body->source};
    const char *own = text_of(keys, "name");
    if (own != NULL) {
        shape.name = tml_reader_printf(r, "%s.%s", body->name, own);
    }
    void *data = tml_reader_alloc(r, 1, type->info.data_size > 0 ? type->info.data_size : 1);
    TmlVec3 axis;
    if (data == NULL) {
        return;
    }
    shape.place = place_of(body, keys);
    if (axis_of(type->info.name, keys, &axis)) {
        const TmlMat33 Z = m3_from_z(axis, v3(1, 0, 0));
        shape.place.A = m3_mul(&shape.place.A, &Z);
    }
    tml_read_table(&x, type->info.params, 0, data);
    if (!finish_shape(&x, type, data)) {
        return;
    }
    shape.shape = (TmlShape){type, data};
    bool ok = true;
    TML_LIST_ADD(m->shapes, shape, &ok);
    r->nomem |= !ok;
}

static void add_shapes(TmlReader *r)
{
    r->m->shapes.n = 0;
    for (int b = 0; b < r->m->bodies.n; ++b) {
        const TmlValue *list = r->m->bodies.at[b].shape;
        for (int k = 0; list != NULL && k < list->n && !r->nomem; ++k) {
            add_shape(r, b, list->item[k]);
        }
    }
}

void tml_read_ground(TmlReader *r, const TmlValue *section)
{
    TmlEntry x = {.r = r, .kind = "section", .name = "ground", .value = section};
    if (section == NULL || section->kind == TML_VALUE_NULL || !tml_read_is_map(&x, section, NULL)) {
        return;
    }
    tml_read_keys(&x, section, tml_keys_ground, NULL, NULL);
    const TmlValue *shape = tml_value_find(section, "shape");
    if (shape != NULL) {
        r->m->bodies.at[TML_GROUND].shape = tml_read_shape(&x, shape);
    }
}

/* --- entries ------------------------------------------------------------------------------------ */

/* How precisely a word names shapes: a shape, a body, a group, all of them. */
enum { RANK_ALL, RANK_GROUP, RANK_BODY, RANK_SHAPE };

/* Whether a word names a shape; *rank: how. */
static bool names(const TmlModel *m, const TmlBodyShape *s, const char *word, int *rank)
{
    if (strcmp(word, "all") == 0) {
        *rank = RANK_ALL;
        return true;
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
    if (tml_model_find_body(m, word) >= 0) {
        tml_entry_error(x, at,
                        "between: body '%s' has no shape that can touch; give it one with 'shape'",
                        word);
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

static void check_law(TmlEntry *x, const char *what, TmlStatus (*check)(const void *, TmlError *),
                      const void *data)
{
    TmlError err = {0};
    if (!x->bad && check != NULL && data != NULL && check(data, &err) != TML_OK) {
        tml_entry_error(x, x->key, "%s: %s", what, err.message);
    }
}

static const TmlPressType *press_type(TmlEntry *x)
{
    enum { MAX_TYPES = 64 };
    const TmlValue *v = tml_value_find(x->value, "law");
    const char *word = v != NULL ? tml_read_text(x, v, "law") : NULL, *known[MAX_TYPES];
    const TmlPressType *type = word != NULL ? tml_find_press_type(word) : NULL;
    int n = 0;
    for (; tml_press_types[n] != NULL && n < MAX_TYPES; ++n) {
        known[n] = tml_press_types[n]->info.name;
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
    const TmlSlipType *type = word != NULL ? tml_find_slip_type(word) : NULL;
    int n = 0;
    for (; tml_slip_types[n] != NULL && n < MAX_TYPES; ++n) {
        known[n] = tml_slip_types[n]->info.name;
    }
    if (type == NULL && word != NULL) {
        tml_entry_unknown(x, v != NULL ? v : friction, "law of friction", word, known, n);
    }
    return type;
}

static void read_friction(TmlEntry *x, TmlContactLaw *law)
{
    const TmlValue *v = tml_value_find(x->value, "friction");
    if (v == NULL || !tml_read_is_map(x, v, "friction")) {
        return;
    }
    law->slip = slip_type(x, v);
    if (law->slip == NULL) {
        return;
    }
    TmlEntry inner = *x;
    void *data = tml_reader_alloc(x->r, 1, law->slip->info.data_size);
    inner.value = v;
    tml_read_keys(&inner, v, tml_keys_friction, NULL, law->slip->info.params);
    if (data != NULL) {
        tml_read_table(&inner, law->slip->info.params, 0, data);
    }
    law->slip_data = data;
    x->bad |= inner.bad;
    check_law(x, "friction", law->slip->check, data);
}

/* `rolling: {rolling: 1 mm, ...}`: the only law so far. */
static void read_rolling(TmlEntry *x, TmlContactLaw *law)
{
    const TmlValue *v = tml_value_find(x->value, "rolling");
    if (v == NULL || !tml_read_is_map(x, v, "rolling")) {
        return;
    }
    law->roll = tml_roll_types[0];
    TmlEntry inner = *x;
    void *data = tml_reader_alloc(x->r, 1, law->roll->info.data_size);
    inner.value = v;
    tml_read_keys(&inner, v, NULL, NULL, law->roll->info.params);
    if (data != NULL) {
        tml_read_table(&inner, law->roll->info.params, 0, data);
    }
    law->roll_data = data;
    x->bad |= inner.bad;
    check_law(x, "rolling", law->roll->check, data);
}

static void read_contact(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    TmlContact c = {.name = x->name, .source = x->key};
    (void)arg;
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    c.law.press = press_type(x);
    tml_read_keys(x, x->value, tml_keys_contact, NULL,
                  c.law.press != NULL ? c.law.press->info.params : NULL);
    read_between(x, &c);
    if (c.law.press != NULL) {
        void *data = tml_reader_alloc(x->r, 1, c.law.press->info.data_size);
        if (data != NULL) {
            tml_read_table(x, c.law.press->info.params, 0, data);
        }
        c.law.press_data = data;
        check_law(x, c.law.press->info.name, c.law.press->check, data);
    }
    read_friction(x, &c.law);
    read_rolling(x, &c.law);
    const TmlValue *neighbours = tml_value_find(x->value, "neighbours");
    if (neighbours != NULL) {
        tml_read_bool(x, neighbours, "neighbours", &c.neighbours);
    }
    if (x->bad || c.side[0] == NULL || c.side[1] == NULL) {
        return;
    }
    bool ok = true;
    TML_LIST_ADD(m->contacts, c, &ok);
    x->r->nomem |= !ok;
}

void tml_read_contacts(TmlReader *r, const TmlValue *section)
{
    if (section == NULL || section->kind == TML_VALUE_NULL) {
        return;
    }
    add_shapes(r);
    tml_read_entries(r, section, "contact", NULL, read_contact, NULL);
}
