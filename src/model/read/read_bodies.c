/* model/read/read_bodies.c - bodies and frames.
 *
 *   (B1)  r_cm = r_o + A c        (B2)  v_cm = v_o + omega x A c        (B3)  s_b = s_o - c
 */
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "model/body/body.h"
#include "model/body/rigid.h"
#include "model/elements.h"
#include "model/read/read.h"
#include "model/registry.h"

void tml_add_frame(TmlEntry *x, const TmlValue *at, const char *name, TmlEnd end)
{
    TmlModel *m = x->r->m;
    if (tml_model_find_frame(m, name) >= 0) {
        tml_entry_error(x, at, "there is already a frame or body '%s'", name);
        return;
    }
    bool ok = true;
    const TmlNamedFrame frame = {name, end};
    TML_LIST_ADD(m->frames, frame, &ok);
    x->r->nomem |= !ok;
}

/* position and rotation of a map, from the origin of a body. */
static bool read_place(TmlEntry *x, const TmlValue *map, int body, TmlEnd *out)
{
    const TmlValue *position = tml_value_find(map, "position");
    const TmlValue *rotation = tml_value_find(map, "rotation");
    TmlVec3 s = {0};
    TmlMat33 A = m3_identity();
    bool ok = position == NULL || tml_read_vec3(x, position, "position", &s);
    ok &= rotation == NULL || tml_read_rotation(x, rotation, "rotation", &A);
    *out = tml_body_end(body, v3_sub(s, x->r->m->bodies.at[body].cm), A); // (B3)
    return ok;
}

static void read_body_frame(TmlEntry *x, void *arg)
{
    const int body = *(const int *)arg;
    const char *owner = x->r->m->bodies.at[body].name;
    TmlEnd end = tml_body_end(body, v3(0, 0, 0), m3_identity());
    if (strcmp(x->name, "cm") == 0) {
        tml_entry_error(x, x->key, "'cm' is the frame at the centre of mass; choose another name");
        return;
    }
    if (x->value->kind != TML_VALUE_NULL && tml_read_is_map(x, x->value, NULL)) {
        tml_read_keys(x, x->value, tml_keys_frame, NULL, NULL);
        read_place(x, x->value, body, &end);
    }
    const char *name = tml_reader_printf(x->r, "%s.%s", owner, x->name);
    if (name != NULL) {
        tml_add_frame(x, x->key, name, end);
    }
}

static bool lock_bit(const char *word, unsigned *bits)
{
    static const struct {
        const char *word;
        unsigned bits;
    } locks[] = {{"x", TML_LOCK_X},
                 {"y", TML_LOCK_Y},
                 {"z", TML_LOCK_Z},
                 {"rotation", TML_LOCK_ROTATION},
                 {"position", TML_LOCK_X | TML_LOCK_Y | TML_LOCK_Z},
                 {"vx", TML_LOCK_VX},
                 {"vy", TML_LOCK_VY},
                 {"vz", TML_LOCK_VZ},
                 {"omega", TML_LOCK_OMEGA},
                 {"wx", TML_LOCK_WX},
                 {"wy", TML_LOCK_WY},
                 {"wz", TML_LOCK_WZ},
                 {"held", TML_LOCK_HELD},
                 {"velocity", TML_LOCK_VX | TML_LOCK_VY | TML_LOCK_VZ}};
    for (size_t k = 0; k < sizeof locks / sizeof *locks; ++k) {
        if (strcmp(locks[k].word, word) == 0) {
            *bits |= locks[k].bits;
            return true;
        }
    }
    return false;
}

static void read_locked(TmlEntry *x, const TmlValue *v, unsigned *bits)
{
    static const char *const words = "true, false, or words of x, y, z, rotation, position, vx, "
                                     "vy, vz, omega, velocity, wx, wy, wz, held";
    const bool list = v->kind == TML_VALUE_LIST;
    if (!list && v->kind == TML_VALUE_SCALAR && !v->quoted && strcmp(v->text, "true") == 0) {
        *bits = TML_LOCK_POSITION | TML_LOCK_VELOCITY;
        return;
    }
    if (!list && v->kind == TML_VALUE_SCALAR && !v->quoted && strcmp(v->text, "false") == 0) {
        return;
    }
    for (int k = 0; k < (list ? v->n : 1); ++k) {
        const TmlValue *word = list ? v->item[k] : v;
        if (word->kind != TML_VALUE_SCALAR || !lock_bit(word->text, bits)) {
            tml_entry_expected(x, word, "locked", words);
        }
    }
}

static void read_vector(TmlEntry *x, const char *key, TmlVec3 *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v != NULL) {
        tml_read_vec3(x, v, key, out);
    }
}

void tml_read_state(TmlEntry *x, TmlBody *body)
{
    const TmlValue *rotation = tml_value_find(x->value, "rotation");
    const TmlValue *axes = tml_value_find(x->value, "angular_velocity_axes");
    const TmlValue *locked = tml_value_find(x->value, "locked");
    TmlVec3 r = {0}, v = {0}, omega = {0};
    TmlMat33 A = m3_identity();
    int in_body = 0;
    read_vector(x, "cm", &body->cm);
    read_vector(x, "position", &r);
    read_vector(x, "velocity", &v);
    read_vector(x, "angular_velocity", &omega);
    if (rotation != NULL) {
        tml_read_rotation(x, rotation, "rotation", &A);
    }
    if (axes != NULL) {
        tml_read_choice(x, axes, "angular_velocity_axes", "global|body", &in_body);
    }
    if (locked != NULL) {
        read_locked(x, locked, &body->locked);
    }
    body->p0 = q4_from_matrix(&A);
    body->omega0 = in_body == 1 ? m3_mulv(&A, omega) : omega;
    const TmlVec3 c = m3_mulv(&A, body->cm);
    body->r0 = v3_add(r, c);                         // (B1)
    body->v0 = v3_add(v, v3_cross(body->omega0, c)); // (B2)
}

/* Inertia without mass is no harm by itself, but under gravity something is forgotten. */
static void check_weight(TmlEntry *x, const TmlRigidData *rigid)
{
    const TmlVec3 g = x->r->m->gravity;
    const double inertia = rigid->J.cx.x + rigid->J.cy.y + rigid->J.cz.z;
    if (!x->bad && rigid->mass == 0.0 && inertia > 0.0 && v3_dot(g, g) > 0.0) {
        tml_entry_warning(x, tml_value_find(x->value, "mass"),
                          "has inertia but no mass: gravity does not act on it");
    }
}

static void read_data(TmlEntry *x, TmlBody *body)
{
    const TmlTypeInfo *info = &body->type->info;
    body->data = tml_reader_alloc(x->r, 1, info->data_size);
    if (body->data == NULL) {
        return;
    }
    tml_read_table(x, info->params, 0, body->data);
    if (body->type->read != NULL && !x->r->nomem) {
        body->type->read(x, body);
    }
    TmlError err = {0};
    if (!x->bad && body->type->check != NULL && body->type->check(body->data, &err) != TML_OK) {
        tml_entry_error(x, NULL, "%s", err.message);
    }
}

void tml_read_rigid(TmlEntry *x, TmlBody *body)
{
    TmlRigidData *rigid = body->data;
    tml_read_inertia(x, rigid->mass, body->cm, &rigid->J);
    check_weight(x, rigid);
}

/* A point has no axes: keys that speak of them are mistakes. */
void tml_read_point(TmlEntry *x, TmlBody *body)
{
    (void)body;
    static const char *const keys[] = {"inertia",  "inertia_about",    "inertia_axes",         "cm",
                                       "rotation", "angular_velocity", "angular_velocity_axes"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
        const TmlValue *v = tml_value_find(x->value, keys[k]);
        if (v != NULL) {
            tml_entry_error(x, v, "a point body has no '%s'", keys[k]);
        }
    }
}

/* The types that documents name, in the order of the registry; the first is the default. */
static const TmlBodyType *read_type(TmlEntry *x)
{
    enum { MOST = 16 };
    const TmlBodyType *types[MOST];
    char words[MOST * TML_NAME_MAX] = "";
    const TmlValue *type = tml_value_find(x->value, "type");
    size_t fill = 0;
    int n = 0, chosen = 0;
    for (int k = 0; tml_body_types[k] != NULL && n < MOST; ++k) {
        if (tml_body_types[k]->read != NULL) {
            fill += (size_t)snprintf(words + fill, TML_NAME_MAX, "%s%.100s", n > 0 ? "|" : "",
                                     tml_body_types[k]->info.name);
            types[n++] = tml_body_types[k];
        }
    }
    if (type != NULL) {
        tml_read_choice(x, type, "type", words, &chosen);
    }
    return types[chosen];
}

static void read_body(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    (void)arg;
    if (strcmp(x->name, "ground") == 0) {
        tml_entry_error(x, x->key, "the ground exists already; choose another name");
        return;
    }
    if (tml_model_find_frame(m, x->name) >= 0) {
        tml_entry_error(x, x->key, "there is already a body or frame of this name");
        return;
    }
    TmlBody body = {.name = x->name, .type = &tml_body_rigid, .source = x->key, .p0 = {1, 0, 0, 0}};
    if (tml_read_is_map(x, x->value, NULL)) {
        tml_read_keys(x, x->value, tml_keys_body, NULL, NULL);
        body.type = read_type(x);
        tml_read_state(x, &body);
        read_data(x, &body);
        const TmlValue *shape = tml_value_find(x->value, "shape");
        body.shape0 = m->looks.n;
        if (shape != NULL) {
            tml_read_shapes(x, shape, m->bodies.n, body.cm);
        }
        body.n_shapes = m->looks.n - body.shape0;
    }
    bool ok = true;
    int index = m->bodies.n;
    TML_LIST_ADD(m->bodies, body, &ok);
    const char *cm = tml_reader_printf(x->r, "%s.cm", x->name);
    x->r->nomem |= !ok;
    if (x->r->nomem) {
        return;
    }
    tml_add_frame(x, x->key, x->name, tml_body_end(index, v3_neg(body.cm), m3_identity()));
    tml_add_frame(x, x->key, cm, tml_body_end(index, v3(0, 0, 0), m3_identity()));
    tml_read_entries(x->r, tml_value_find(x->value, "frames"), "frame", x->scope, read_body_frame,
                     &index);
}

void tml_read_bodies(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "body", NULL, read_body, NULL);
}

static void read_top_frame(TmlEntry *x, void *arg)
{
    (void)arg;
    TmlEnd end = tml_body_end(TML_GROUND, v3(0, 0, 0), m3_identity());
    if (x->value->kind != TML_VALUE_NULL && tml_read_is_map(x, x->value, NULL)) {
        tml_read_keys(x, x->value, tml_keys_top_frame, NULL, NULL);
        const TmlValue *owner = tml_value_find(x->value, "body");
        int body = TML_GROUND;
        if (owner == NULL || tml_read_body_ref(x, owner, "body", &body)) {
            read_place(x, x->value, body, &end);
        }
    }
    tml_add_frame(x, x->key, x->name, end);
}

void tml_read_frames(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "frame", NULL, read_top_frame, NULL);
}

bool tml_read_body_ref(TmlEntry *x, const TmlValue *v, const char *what, int *out)
{
    const TmlModel *m = x->r->m;
    const char *name = tml_read_text(x, v, what);
    if (name == NULL) {
        return false;
    }
    *out = tml_model_find_body(m, name);
    if (*out < 0) {
        *out = TML_GROUND;
        tml_entry_unknown_name(x, v, "body", name, m->bodies.at, m->bodies.n, sizeof *m->bodies.at);
        return false;
    }
    return true;
}

bool tml_read_frame_ref(TmlEntry *x, const TmlValue *v, const char *what, TmlEnd *out)
{
    const TmlModel *m = x->r->m;
    if (v->kind == TML_VALUE_MAP) {
        tml_read_keys(x, v, tml_keys_top_frame, NULL, NULL);
        const TmlValue *owner = tml_value_find(v, "body");
        int body = TML_GROUND;
        const bool ok = owner == NULL || tml_read_body_ref(x, owner, "body", &body);
        return read_place(x, v, body, out) && ok;
    }
    if (v->kind != TML_VALUE_SCALAR) {
        tml_entry_expected(x, v, what,
                           "a frame: body.frame, a body, or {body, position, rotation}");
        return false;
    }
    const char *name = tml_read_substitute(x, v, v->text);
    const int k = name != NULL ? tml_model_find_frame(m, name) : -1;
    if (k >= 0) {
        *out = m->frames.at[k].end;
    } else if (name != NULL) {
        tml_entry_unknown_name(x, v, "body or frame", name, m->frames.at, m->frames.n,
                               sizeof *m->frames.at);
    }
    return k >= 0;
}
