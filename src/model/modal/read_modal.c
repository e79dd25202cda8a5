/* model/modal/read_modal.c - modal bodies of a document.
 *
 *   (N2)  the mesh's axes are at `position`, turned by `rotation`; the part's frame lies in them at part.origin with part.axes
 */
#include "base/input.h"
#include "math/vec3.h"
#include "model/body/rigid.h"
#include "model/flexible/flexible.h"
#include "model/modal/modal.h"
#include "model/read/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The part that the entry names; NULL: reported. */
static const TmlPart *load_part(TmlEntry *x, const char **where)
{
    TmlModel *m = x->r->m;
    const TmlValue *v = tml_value_find(x->value, "part");
    const char *file = v != NULL ? tml_read_text(x, v, "part") : NULL;
    if (file == NULL) {
        return NULL;
    }
    const char *path = tml_input_beside(&m->arena, v->file, file);
    const TmlPart *part = NULL;
    TmlError err = {0};
    if (path == NULL) {
        x->r->nomem = true;
        return NULL;
    }
    if (tml_model_part(m, path, &part, &err) != TML_OK) {
        x->r->nomem |= err.status == TML_E_NOMEM;
        tml_entry_error(x, v, "part: %s", err.message);
        return NULL;
    }
    *where = path;
    return part;
}

/* Some modes of the part, by their numbers; NULL: reported. */
static const TmlPart *pick_modes(TmlEntry *x, const TmlPart *part)
{
    const TmlValue *v = tml_value_find(x->value, "modes");
    TmlReals list = {0};
    if (v == NULL || part == NULL) {
        return part;
    }
    if (!tml_read_reals(x, v, "modes", &list)) {
        return NULL;
    }
    TmlPart *out = tml_reader_alloc(x->r, 1, sizeof *out);
    int *mode = tml_reader_alloc(x->r, (size_t)list.n + 1, sizeof *mode);
    for (int k = 0; k < list.n && mode != NULL; ++k) {
        const double number = list.value[k];
        if (!(number >= 1.0 && number <= part->m) || number != floor(number) ||
            (k > 0 && number <= list.value[k - 1])) {
            tml_entry_error(x, v->item[k],
                            "modes: the part has modes 1 to %d, which are named in rising order",
                            part->m);
            return NULL;
        }
        mode[k] = (int)number - 1;
    }
    TmlError err = {0};
    if (out == NULL || mode == NULL ||
        tml_part_pick(part, list.n, mode, &x->r->m->arena, out, &err) != TML_OK) {
        x->r->nomem = true;
        return NULL;
    }
    return out;
}

/* One ratio for all modes, or one for each. */
static bool read_damping(TmlEntry *x, const TmlPart *part, TmlModalOptions *o)
{
    const TmlValue *v = tml_value_find(x->value, "damping");
    TmlReals list = {0};
    o->damping = (double)NAN;
    o->ratio = NULL;
    if (v == NULL) {
        return true;
    }
    const bool one = v->kind != TML_VALUE_LIST;
    if (one ? !tml_read_number(x, v, "damping", &o->damping)
            : !tml_read_reals(x, v, "damping", &list)) {
        return false;
    }
    bool ok = one ? o->damping >= 0.0 : list.n == part->m;
    for (int k = 0; k < list.n; ++k) {
        ok &= list.value[k] >= 0.0;
    }
    if (!ok) {
        tml_entry_expected(x, v, "damping",
                           tml_reader_printf(x->r,
                                             "a ratio that is not negative, such as 0.02, or "
                                             "a list of %d, one for each mode",
                                             part->m));
        return false;
    }
    o->ratio = one ? NULL : list.value;
    return true;
}

static bool read_options(TmlEntry *x, const TmlPart *part, TmlModalOptions *o)
{
    const TmlValue *stiffening = tml_value_find(x->value, "stiffening");
    const TmlValue *terms = tml_value_find(x->value, "terms");
    const TmlValue *limit = tml_value_find(x->value, "static_above");
    enum { AUTO, NONE, CENTRIFUGAL, LOADS, ALL };
    int order = 0, choice = AUTO;
    bool ok = stiffening == NULL || tml_read_choice(x, stiffening, "stiffening",
                                                    "auto|none|centrifugal|loads|all", &choice);
    ok &= terms == NULL || tml_read_choice(x, terms, "terms", "second_order|first_order", &order);
    o->second_order = order == 0;
    o->stiffened = choice == CENTRIFUGAL || choice == ALL ||
                   (choice == AUTO && part->centrifugal != NULL && o->second_order);
    o->loads = choice == LOADS || choice == ALL ||
               (choice == AUTO && part->n_stiffening > 0 && part->stiffening[0].load != NULL);
    o->limit = 0.0;
    ok &= limit == NULL || tml_read_number(x, limit, "static_above", &o->limit);
    if (ok && limit != NULL && !(o->limit > 0.0)) {
        tml_entry_expected(x, limit, "static_above", "a positive frequency, such as 2 kHz");
        return false;
    }
    return read_damping(x, part, o) && ok;
}

/* Amplitudes of the first modes, as the part scales them; the others are zero. */
static bool read_amplitudes(TmlEntry *x, const char *key, const TmlModal *b, double *out)
{
    const TmlValue *v = tml_value_find(x->value, key);
    if (v == NULL) {
        return true;
    }
    if (v->kind != TML_VALUE_LIST || v->n > b->m) {
        tml_entry_error(x, v, "'%s' is a list of at most %d numbers, one for each mode", key, b->m);
        return false;
    }
    for (int j = 0; j < v->n; ++j) {
        if (!tml_read_number(x, v->item[j], key, &out[j])) {
            return false;
        }
        out[j] *= b->scale[j];
    }
    return true;
}

/* Hidden bodies for the coordinates, three each. */
static void add_coordinates(TmlEntry *x, TmlModal *b, const double *value, const double *rate)
{
    TmlModel *m = x->r->m;
    bool ok = true;
    b->first = m->bodies.n;
    for (int j = 0; j < b->m && !x->r->nomem; j += 3) {
        const int n = b->m - j < 3 ? b->m - j : 3;
        double q[3] = {0}, v[3] = {0};
        memcpy(q, value + j, (size_t)n * sizeof *q);
        memcpy(v, rate + j, (size_t)n * sizeof *v);
        const TmlBody body = {
            .name = tml_reader_printf(x->r, "%s.mode%d", x->name, j + 1),
            .type = tml_body_modes[n - 1],
            .r0 = v3(q[0], q[1], q[2]),
            .v0 = v3(v[0], v[1], v[2]),
            .p0 = {1, 0, 0, 0},
            .source = x->key,
            .owner = b->body,
            .locked = TML_LOCK_HELD, // parts are joined as they are, as far as that is possible
        };
        TML_LIST_ADD(m->bodies, body, &ok);
        x->r->nomem |= !ok || body.name == NULL;
    }
}

/* One point of the model for each frame of the part, two for each of its loads. */
static void add_points(TmlEntry *x, int modal)
{
    TmlModel *m = x->r->m;
    TmlModal *b = &m->modals.at[modal];
    bool ok = true;
    b->point0 = m->points.n;
    for (int f = 0; f < tml_modal_points(b); ++f) {
        const bool turns = f < b->part->n_frames && b->part->frame[f].turns;
        // a node of a solid has no rotation, as a point of a cable has no spin
        const TmlFlexPoint p = {.flex = -1,
                                .modal = modal,
                                .frame = f,
                                .axes = turns ? TML_TRIAD_ALONG : TML_TRIAD_LEAST,
                                .start = m3_identity(),
                                .turn = m3_identity()};
        TML_LIST_ADD(m->points, p, &ok);
    }
    x->r->nomem |= !ok;
}

static int find_frame(const TmlPart *part, const char *name)
{
    for (int f = 0; f < part->n_frames; ++f) {
        if (strcmp(part->frame[f].name, name) == 0) {
            return f;
        }
    }
    return -1;
}

/* A frame of one's own, carried by one of the part's, or by the floating frame. */
static void read_frame(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    const TmlModal *b = &m->modals.at[*(const int *)arg];
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_modal_frame, NULL, NULL);
    const TmlValue *at = tml_value_find(x->value, "at");
    const TmlValue *position = tml_value_find(x->value, "position");
    const TmlValue *rotation = tml_value_find(x->value, "rotation");
    const char *name = at != NULL ? tml_read_text(x, at, "at") : NULL;
    const int f = name != NULL ? find_frame(b->part, name) : -1;
    if (f < 0 && at != NULL && name == NULL) {
        return;
    }
    if (f < 0 && name != NULL) {
        tml_entry_unknown_name(x, at, "frame of the part", name, b->part->frame, b->part->n_frames,
                               sizeof *b->part->frame);
        return;
    }
    TmlEnd end = {b->body, {0, 0, 0}, m3_identity(), f >= 0 ? b->point0 + f + 1 : 0};
    if (position != NULL) {
        tml_read_vec3(x, position, "position", &end.s_b);
    }
    if (rotation != NULL) {
        tml_read_rotation(x, rotation, "rotation", &end.A_b);
    }
    if (f < 0) { // as it is seen from the mesh
        end.s_b = m3_tmulv(&b->part->axes, v3_sub(end.s_b, b->part->origin));
        end.A_b = m3_tmul(&b->part->axes, &end.A_b);
    }
    const char *full = tml_reader_printf(x->r, "%s.%s", b->name, x->name);
    if (full != NULL) {
        tml_add_frame(x, x->key, full, end);
    }
}

static void add_frames(TmlEntry *x, int modal)
{
    TmlModel *m = x->r->m;
    const TmlModal *b = &m->modals.at[modal];
    const TmlPart *part = b->part;
    const TmlMat33 back = m3_transpose(&part->axes);
    const TmlVec3 s = m3_mulv(&back, v3_neg(part->origin));
    tml_add_frame(x, x->key, x->name, tml_body_end(b->body, s, back)); // the mesh's axes
    for (int f = 0; f < part->n_frames && !x->r->nomem; ++f) {
        const char *name = tml_reader_printf(x->r, "%s.%s", x->name, part->frame[f].name);
        const TmlEnd end = {b->body, {0, 0, 0}, back, b->point0 + f + 1};
        if (name != NULL) {
            tml_add_frame(x, x->key, name, end);
        }
    }
    tml_read_entries(x->r, tml_value_find(x->value, "frames"), "frame", x->scope, read_frame,
                     &modal);
}

/* Shapes that a frame of the part carries. */
static void read_carried(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    const TmlModal *b = &m->modals.at[*(const int *)arg];
    const int f = find_frame(b->part, x->name), first = m->looks.n;
    if (f < 0) {
        tml_entry_unknown_name(x, x->key, "frame of the part", x->name, b->part->frame,
                               b->part->n_frames, sizeof *b->part->frame);
        return;
    }
    if (!b->part->frame[f].turns) {
        tml_entry_error(x, x->key,
                        "'%s' is a node without rotation, which can carry no shape; "
                        "tie it to its neighbours by an interface of the part",
                        x->name);
        return;
    }
    TmlEntry of_body = *x;
    of_body.name = b->name;
    tml_read_shapes(&of_body, x->value, b->body, v3(0, 0, 0));
    x->bad |= of_body.bad;
    for (int k = first; k < m->looks.n; ++k) {
        TmlBodyShape *s = &m->looks.at[k];
        s->point = b->point0 + f + 1;
        s->place.r = m3_tmulv(&b->part->axes, s->place.r);
        s->place.A = m3_tmul(&b->part->axes, &s->place.A);
    }
}

static void add_shapes(TmlEntry *x, int modal)
{
    TmlModel *m = x->r->m;
    const int body = m->modals.at[modal].body, first = m->looks.n;
    tml_read_entries(x->r, tml_value_find(x->value, "shapes"), "shape at frame", x->scope,
                     read_carried, &modal);
    m->bodies.at[body].shape0 = first;
    m->bodies.at[body].n_shapes = m->looks.n - first;
}

/* The floating frame; false: out of memory, or reported. */
static bool add_floating(TmlEntry *x, const TmlPart *part, int *index)
{
    TmlModel *m = x->r->m;
    TmlBody body = {.name = x->name,
                    .type = &tml_body_floating,
                    .source = x->key,
                    .p0 = {1, 0, 0, 0},
                    .shape0 = m->looks.n};
    bool ok = true;
    body.cm = part->origin;
    tml_read_state(x, &body); // (N2)
    const TmlMat33 A = q4_matrix(body.p0), own = m3_mul(&A, &part->axes);
    body.p0 = q4_from_matrix(&own);
    *index = m->bodies.n;
    TML_LIST_ADD(m->bodies, body, &ok);
    x->r->nomem |= !ok;
    return ok && !x->bad;
}

static void read_modal(TmlEntry *x, void *arg)
{
    TmlModel *m = x->r->m;
    (void)arg;
    if (tml_model_find_frame(m, x->name) >= 0) {
        tml_entry_error(x, x->key, "there is already a body or frame of this name");
        return;
    }
    if (!tml_read_is_map(x, x->value, NULL)) {
        return;
    }
    tml_read_keys(x, x->value, tml_keys_modal, NULL, NULL);
    TmlModal b = {.name = x->name, .source = x->key};
    b.part = pick_modes(x, load_part(x, &b.path));
    if (b.part == NULL || !read_options(x, b.part, &b.options)) {
        return;
    }
    TmlError err = {0};
    if (tml_modal_prepare(&b, &m->arena, &err) != TML_OK) {
        x->r->nomem |= err.status == TML_E_NOMEM;
        tml_entry_error(x, x->key, "%s", err.message);
        return;
    }
    double *start = tml_reader_alloc(x->r, 2 * (size_t)b.m + 1, sizeof *start);
    if (start == NULL || !add_floating(x, b.part, &b.body) ||
        !read_amplitudes(x, "amplitudes", &b, start) ||
        !read_amplitudes(x, "amplitude_rates", &b, start + b.m)) {
        return;
    }
    bool ok = true;
    add_coordinates(x, &b, start, start + b.m);
    TML_LIST_ADD(m->modals, b, &ok);
    x->r->nomem |= !ok;
    if (!x->r->nomem) {
        add_points(x, m->modals.n - 1);
        add_frames(x, m->modals.n - 1);
        add_shapes(x, m->modals.n - 1);
    }
}

void tml_read_modal(TmlReader *r, const TmlValue *section)
{
    tml_read_entries(r, section, "modal body", NULL, read_modal, NULL);
}

TmlEnd tml_modal_end(const TmlModel *m, int modal, TmlVec3 r, const TmlMat33 *A_f)
{
    const TmlModal *b = &m->modals.at[modal];
    double least = HUGE_VAL;
    TmlEnd end = {b->body, {0, 0, 0}, m3_identity(), 0};
    for (int f = 0; f < b->part->n_frames; ++f) {
        const TmlFrameKin k = tml_modal_initial_point(m, b->point0 + f);
        const TmlVec3 s = m3_tmulv(&k.A, v3_sub(r, k.r));
        if (v3_norm(s) < least) {
            least = v3_norm(s);
            end = (TmlEnd){b->body, s, m3_tmul(&k.A, A_f), b->point0 + f + 1};
        }
    }
    // a place is written with a few digits less than numbers have
    end.s_b = least <= 1e-9 * b->part->size ? v3(0, 0, 0) : end.s_b;
    return end;
}
