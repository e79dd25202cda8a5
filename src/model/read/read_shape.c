/* model/read/read_shape.c - shapes of bodies: keys checked, expressions replaced by their values.
 *
 * The result is a list of maps {SHAPE: {key: value, ...}} with numbers, lists of three numbers,
 * rotations as lists of four Euler parameters, and texts. Absent keys stay absent.
 */
#include <string.h>

#include "base/input.h"
#include "math/vec3.h"
#include "model/read/read.h"

static TmlValue *keep(TmlEntry *x, TmlValue *v)
{
    x->r->nomem |= v == NULL;
    return v;
}

/* Files are opened later: their errors need the place. */
static TmlValue *at_place(TmlValue *to, const TmlValue *from)
{
    if (to != NULL) {
        to->file = from->file;
        to->line = from->line;
        to->column = from->column;
    }
    return to;
}

static TmlValue *make_list(TmlEntry *x, int n, const double *a)
{
    TmlValue *item[4];
    for (int k = 0; k < n; ++k) {
        item[k] = keep(x, tml_value_real(&x->r->m->arena, a[k]));
        if (item[k] == NULL) {
            return NULL;
        }
    }
    return keep(x, tml_value_list(&x->r->m->arena, n, item));
}

static TmlValue *resolve(TmlEntry *x, const TmlKey *key, const TmlValue *v)
{
    double a;
    TmlVec3 u;
    TmlMat33 A;
    const char *text;
    switch (key->kind) {
    case TML_KEY_NUMBER:
        return tml_read_ranged(x, v, key->name, TML_POSITIVE, key->unit, &a)
                   ? keep(x, tml_value_real(&x->r->m->arena, a))
                   : NULL;
    case TML_KEY_VEC3:
        return tml_read_vec3(x, v, key->name, &u) ? make_list(x, 3, (const double[]){u.x, u.y, u.z})
                                                  : NULL;
    case TML_KEY_ROTATION: {
        if (!tml_read_rotation(x, v, key->name, &A)) {
            return NULL;
        }
        const TmlQuat p = q4_from_matrix(&A);
        return make_list(x, 4, (const double[]){p.w, p.x, p.y, p.z});
    }
    default:
        text = tml_read_text(x, v, key->name);
        return text != NULL ? at_place(keep(x, tml_value_scalar(&x->r->m->arena, text)), v) : NULL;
    }
}

static TmlValue *resolve_keys(TmlEntry *x, const TmlKey *keys, const TmlValue *map)
{
    TmlArena *arena = &x->r->m->arena;
    TmlValue *out = keep(x, tml_value_map(arena));
    for (const TmlKey *key = keys; key->name != NULL && out != NULL; ++key) {
        const TmlValue *v = tml_value_find(map, key->name);
        if (v == NULL && key->standard == NULL) {
            tml_entry_error(x, map, "shape: missing key '%s'", key->name);
        } else if (v != NULL) {
            TmlValue *item = resolve(x, key, v);
            if (item != NULL && !tml_value_set(arena, out, key->name, item)) {
                x->r->nomem = true;
            }
        }
    }
    return out;
}

/* A mesh is read with the results; its file is one that the model is read from. */
static void note_file(TmlEntry *x, const TmlValue *keys, const TmlValue *map)
{
    const TmlValue *file = keys != NULL ? tml_value_find(keys, "file") : NULL;
    const char *path =
        file != NULL ? tml_input_beside(&x->r->m->arena, map->file, file->text) : NULL;
    if (file != NULL && (path == NULL || !tml_model_input_add(x->r->m, path))) {
        x->r->nomem = true;
    }
}

/* {cylinder: {radius: ..., length: ...}} */
static TmlValue *read_one(TmlEntry *x, const TmlValue *v)
{
    const char *names[16];
    int n = 0;
    for (const TmlShapeKeys *s = tml_shapes; s->name != NULL; ++s) {
        names[n++] = s->name;
    }
    if (!tml_read_is_map(x, v, "shape")) {
        return NULL;
    }
    if (v->n != 1) {
        tml_entry_error(x, v,
                        "shape: expected one of box, cylinder, sphere, capsule, link, mesh; "
                        "write several shapes as a list");
        return NULL;
    }
    for (int k = 0; k < n; ++k) {
        if (strcmp(v->key[0]->text, names[k]) != 0) {
            continue;
        }
        if (!tml_read_is_map(x, v->item[0], names[k])) {
            return NULL;
        }
        tml_read_keys(x, v->item[0], tml_shapes[k].keys, NULL, NULL);
        TmlValue *out = keep(x, tml_value_map(&x->r->m->arena));
        TmlValue *inner = resolve_keys(x, tml_shapes[k].keys, v->item[0]);
        note_file(x, inner, v->item[0]);
        if (out == NULL || inner == NULL || !tml_value_set(&x->r->m->arena, out, names[k], inner)) {
            return NULL;
        }
        return out;
    }
    tml_entry_unknown(x, v->key[0], "shape", v->key[0]->text, names, n);
    return NULL;
}

const TmlValue *tml_read_shape(TmlEntry *x, const TmlValue *v)
{
    enum { MAX_SHAPES = 64 };
    TmlValue *item[MAX_SHAPES];
    int n = 0;
    const bool list = v->kind == TML_VALUE_LIST;
    if (list && v->n > MAX_SHAPES) {
        tml_entry_error(x, v, "shape: at most %d shapes", MAX_SHAPES);
        return NULL;
    }
    for (int k = 0; k < (list ? v->n : 1); ++k) {
        TmlValue *one = read_one(x, list ? v->item[k] : v);
        if (one != NULL) {
            item[n++] = one;
        }
    }
    return keep(x, tml_value_list(&x->r->m->arena, n, item));
}
