/* model/read/contact/read_shape.c - shapes of bodies: shapes for pictures and contacts.
 *
 * The parameters of a shape are those of its type's table; keys for its place, its names and its colour
 * belong to all of them. z of the shape's own axes is what the keys `axis` or `normal` turn. A link is
 * another way to write a capsule.
 */
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "math/vec3.h"
#include "model/read/read.h"

/* --- the types, as they are written --------------------------------------------------------------- */

typedef struct LinkData {
    TmlVec3 from, to;
    double radius;
} LinkData;

static const TmlParam link_params[] = {
    {"from", TML_PARAM_VEC3, TML_ANY, "m", offsetof(LinkData, from), NULL,
     "one end, from the body's origin, body axes", NULL},
    {"to", TML_PARAM_VEC3, TML_ANY, "m", offsetof(LinkData, to), NULL, "the other end", NULL},
    {"radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(LinkData, radius), NULL, "radius", NULL},
    {0},
};

static const TmlTypeInfo link_info = {
    .name = "link",
    .text = "A bar with round ends from one point to another: a capsule, written by its ends.",
    .data_size = sizeof(LinkData),
    .params = link_params,
    .example = "from: [0, 0, 0], to: [0.5, 0, 0], radius: 0.02",
};

const TmlTypeInfo *tml_written_shape(int k, const TmlKey **axis)
{
    *axis = tml_keys_shape_axis(TML_SHAPE_NO_AXIS);
    for (int i = 0; tml_shape_types[i] != NULL; ++i) {
        if (i == k) {
            *axis = tml_keys_shape_axis(tml_shape_types[i]->axis);
            return &tml_shape_types[i]->info;
        }
        if (tml_shape_types[i + 1] == NULL && k == i + 1) {
            return &link_info;
        }
    }
    return NULL;
}

/* --- place ------------------------------------------------------------------------------------------ */

/* Position and rotation, then the axis or normal as z. */
static TmlPose read_place(TmlEntry *x, const TmlValue *keys, TmlShapeAxis axis, TmlVec3 cm)
{
    const TmlValue *position = tml_value_find(keys, "position");
    const TmlValue *rotation = tml_value_find(keys, "rotation");
    const char *key = axis == TML_SHAPE_NORMAL ? "normal" : "axis";
    const TmlValue *direction = axis != TML_SHAPE_NO_AXIS ? tml_value_find(keys, key) : NULL;
    TmlPose place = {v3(0, 0, 0), m3_identity()};
    TmlVec3 z = axis == TML_SHAPE_AXIS_X ? v3(1, 0, 0) : v3(0, 0, 1);
    if (position != NULL) {
        tml_read_vec3(x, position, "position", &place.r);
    }
    if (rotation != NULL) {
        tml_read_rotation(x, rotation, "rotation", &place.A);
    }
    if (direction != NULL) {
        tml_read_direction(x, direction, key, &z);
    }
    if (axis == TML_SHAPE_AXIS_X || direction != NULL) {
        const TmlMat33 Z = m3_from_z(z, v3(1, 0, 0));
        place.A = m3_mul(&place.A, &Z);
    }
    place.r = v3_sub(place.r, cm);
    return place;
}

static void set_real(const TmlTypeInfo *info, void *data, const char *name, double value)
{
    for (const TmlParam *p = info->params; p->name != NULL; ++p) {
        if (strcmp(p->name, name) == 0) {
            *(double *)((char *)data + p->offset) = value;
        }
    }
}

/* A capsule between the ends. */
static void make_link(TmlEntry *x, const LinkData *link, TmlBodyShape *out)
{
    const TmlShapeType *capsule = tml_find_shape_type("capsule");
    const TmlVec3 d = v3_sub(link->to, link->from);
    void *data = tml_reader_alloc(x->r, 1, capsule->info.data_size);
    if (x->bad || data == NULL) {
        return;
    }
    if (!(v3_norm(d) > 0.0)) {
        tml_entry_error(x, x->key, "link: from and to are the same point");
        return;
    }
    set_real(&capsule->info, data, "radius", link->radius);
    set_real(&capsule->info, data, "length", v3_norm(d));
    const TmlVec3 middle = v3_scale(0.5, v3_add(link->from, link->to));
    const TmlMat33 Z = m3_from_z(d, v3(1, 0, 0));
    out->place.r = v3_add(out->place.r, m3_mulv(&out->place.A, middle));
    out->place.A = m3_mul(&out->place.A, &Z);
    out->shape = (TmlShape){capsule, data};
}

/* --- one shape -------------------------------------------------------------------------------------- */

static const char *read_word(TmlEntry *x, const TmlValue *keys, const char *key)
{
    const TmlValue *v = tml_value_find(keys, key);
    return v != NULL ? tml_read_text(x, v, key) : NULL;
}

static bool read_rolls(TmlEntry *x, const TmlValue *keys)
{
    const TmlValue *v = tml_value_find(keys, "rolls");
    bool rolls = true;
    if (v != NULL && !tml_read_bool(x, v, "rolls", &rolls)) {
        x->bad = true;
    }
    return rolls;
}

/* Its file is one that the model is read from. */
static void note_file(TmlEntry *x, const TmlValue *keys)
{
    const char *file = read_word(x, keys, "file");
    const char *path = file != NULL ? tml_input_beside(&x->r->m->arena, keys->file, file) : NULL;
    if (file != NULL && (path == NULL || !tml_model_input_add(x->r->m, path))) {
        x->r->nomem = true;
    }
}

/* A mesh is shown as its file has it: whether it is a solid matters when it touches something. */
static bool waits(const TmlShapeType *type, const TmlValue *keys)
{
    return type->support == NULL && tml_value_find(keys, "file") != NULL;
}

bool tml_read_finish_shape(TmlEntry *x, TmlBodyShape *shape)
{
    const TmlShapeType *type = shape->shape.type;
    TmlError err = {0};
    if (shape->finished) {
        return true;
    }
    // the data belong to the model, and nobody reads them yet
    const TmlStatus status = tml_shape_prepare(type, (void *)(uintptr_t)shape->shape.data,
                                               &x->r->m->arena, shape->source->file, &err);
    if (status == TML_E_NOMEM) {
        x->r->nomem = true;
    } else if (status != TML_OK) {
        tml_entry_error(x, shape->source, "shape: %s: %s", type->info.name, err.message);
    }
    shape->finished = status == TML_OK;
    return shape->finished;
}

static void read_parameters(TmlEntry *x, const TmlTypeInfo *info, const TmlShapeType *type,
                            TmlBodyShape *out)
{
    void *data = tml_reader_alloc(x->r, 1, info->data_size > 0 ? info->data_size : 1);
    if (data == NULL) {
        return;
    }
    tml_read_table(x, info->params, 0, data);
    out->shape = (TmlShape){type, data};
    if (type == NULL) {
        make_link(x, data, out);
    }
    if (!x->bad && out->shape.type != NULL && !waits(out->shape.type, x->value)) {
        tml_read_finish_shape(x, out);
    }
}

static void unknown_shape(TmlEntry *x, const TmlValue *key)
{
    enum { MAX_TYPES = 64 };
    const char *known[MAX_TYPES];
    const TmlKey *axis;
    int n = 0;
    for (const TmlTypeInfo *s; n < MAX_TYPES && (s = tml_written_shape(n, &axis)) != NULL; ++n) {
        known[n] = s->name;
    }
    for (int k = 0; k < x->r->m->user_shapes.n && n < MAX_TYPES; ++k) {
        known[n++] = x->r->m->user_shapes.at[k]->info.name;
    }
    tml_entry_unknown(x, key, "shape", key->text, known, n);
}

/* {cylinder: {radius: ..., length: ...}} */
static void read_one(TmlEntry *body, const TmlValue *v, int index, TmlVec3 cm)
{
    const TmlTypeInfo *info = NULL;
    const TmlKey *axis;
    if (!tml_read_is_map(body, v, "shape")) {
        return;
    }
    if (v->n != 1) {
        tml_entry_error(body, v,
                        "shape: expected one of box, cylinder, sphere, ... with its "
                        "parameters; write several shapes as a list");
        return;
    }
    const char *word = v->key[0]->text;
    for (int k = 0; (info = tml_written_shape(k, &axis)) != NULL; ++k) {
        if (strcmp(info->name, word) == 0) {
            break;
        }
    }
    const TmlShapeType *type = tml_contact_shape_type(body->r->m, word);
    if (info == NULL && type != NULL) {
        info = &type->info; // of the caller's own
        axis = tml_keys_shape_axis(type->axis);
    }
    if (info == NULL) {
        unknown_shape(body, v->key[0]);
        return;
    }
    static const TmlValue none = {.kind = TML_VALUE_MAP};
    const TmlValue *keys = v->item[0]->kind == TML_VALUE_NULL ? &none : v->item[0];
    if (!tml_read_is_map(body, keys, word)) {
        return;
    }
    TmlEntry x = *body;
    x.value = keys;
    x.key = v->key[0];
    x.bad = false;
    tml_read_keys(&x, keys, tml_keys_shape, axis, info->params);
    TmlBodyShape shape = {.name = body->name,
                          .group = read_word(&x, keys, "group"),
                          .color = read_word(&x, keys, "color"),
                          .material = read_word(&x, keys, "material"),
                          .body = index,
                          .source = v->key[0]};
    shape.slides = !read_rolls(&x, keys);
    const char *own = read_word(&x, keys, "name");
    if (own != NULL) {
        shape.name = tml_reader_printf(x.r, "%s.%s", body->name, own);
    }
    shape.place = read_place(&x, keys, type != NULL ? type->axis : TML_SHAPE_NO_AXIS, cm);
    read_parameters(&x, info, type, &shape);
    note_file(&x, keys);
    body->bad |= x.bad;
    bool ok = true;
    if (!x.bad && shape.shape.type != NULL) {
        TML_LIST_ADD(x.r->m->looks, shape, &ok);
    }
    x.r->nomem |= !ok;
}

void tml_read_shapes(TmlEntry *x, const TmlValue *v, int index, TmlVec3 cm)
{
    const bool list = v->kind == TML_VALUE_LIST;
    for (int k = 0; k < (list ? v->n : 1) && !x->r->nomem; ++k) {
        read_one(x, list ? v->item[k] : v, index, cm);
    }
}
