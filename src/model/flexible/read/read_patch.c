/* model/flexible/read/read_patch.c - nodes of patches: parallelograms, four corners, parts of a cylinder.
 *
 * A patch is a map r(u, v) of the unit square. All its elements share the sizes
 *
 *   (P1)  l_x = (mean length of the lines v = const)/n_x,  l_y alike;   r_x = r_u/(n_x l_x)
 *
 * so that neighbours have the same gradients at the nodes between them; r_z is the unit normal.
 */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "model/flexible/read/read_mesh.h"

typedef struct Surface {
    TmlVec3 corner[4]; /* at (0,0), (1,0), (1,1), (0,1) */
    bool cylinder;     /* corner[0] turned by u angle about the axis, moved by v height along it */
    TmlVec3 centre, axis; /* unit */
    double angle, height, radius;
} Surface;

static void surface_at(const Surface *s, double u, double v, TmlVec3 *r, TmlVec3 *ru, TmlVec3 *rv)
{
    if (s->cylinder) {
        const TmlVec3 out = v3_sub(s->corner[0], s->centre), side = v3_cross(s->axis, out);
        const double c = cos(u * s->angle), d = sin(u * s->angle);
        *rv = v3_scale(s->height, s->axis);
        *r = v3_axpy(v, *rv, v3_add(s->centre, v3_axpy(c, out, v3_scale(d, side))));
        *ru = v3_scale(s->angle, v3_axpy(-d, out, v3_scale(c, side)));
        return;
    }
    const double w[4] = {(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v};
    const double wu[4] = {v - 1, 1 - v, v, -v}, wv[4] = {u - 1, -u, u, 1 - u};
    *r = *ru = *rv = v3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        *r = v3_axpy(w[k], s->corner[k], *r);
        *ru = v3_axpy(wu[k], s->corner[k], *ru);
        *rv = v3_axpy(wv[k], s->corner[k], *rv);
    }
}

/* Lengths of the middle lines of the two directions: the means for all three shapes. */
static void surface_lengths(const Surface *s, double length[2])
{
    TmlVec3 r, ru, rv;
    surface_at(s, 0.5, 0.5, &r, &ru, &rv);
    length[0] = v3_norm(ru);
    length[1] = v3_norm(rv);
}

static bool missing(TmlEntry *x, const TmlValue *v, const char *key)
{
    if (tml_value_find(v, key) != NULL) {
        return false;
    }
    tml_entry_error(x, v,
                    "patch: missing key '%s'; write origin, x and y, or corners, or origin, start, "
                    "axis, angle and length",
                    key);
    return true;
}

static bool read_plane(TmlEntry *x, const TmlValue *v, Surface *s)
{
    TmlVec3 o, a, b;
    if (missing(x, v, "origin") || missing(x, v, "x") || missing(x, v, "y")) {
        return false;
    }
    bool ok = tml_read_vec3(x, tml_value_find(v, "origin"), "origin", &o);
    ok &= tml_read_vec3(x, tml_value_find(v, "x"), "x", &a);
    ok &= tml_read_vec3(x, tml_value_find(v, "y"), "y", &b);
    if (ok) {
        const TmlVec3 c[4] = {o, v3_add(o, a), v3_add(v3_add(o, a), b), v3_add(o, b)};
        memcpy(s->corner, c, sizeof c);
    }
    return ok;
}

static bool read_corners(TmlEntry *x, const TmlValue *v, Surface *s)
{
    if (v->kind != TML_VALUE_LIST || v->n != 4) {
        tml_entry_expected(x, v, "corners", "a list of four points, going round");
        return false;
    }
    bool ok = true;
    for (int k = 0; k < 4; ++k) {
        ok &= tml_read_vec3(x, v->item[k], "corners", &s->corner[k]);
    }
    return ok;
}

/* start: the first corner; origin and axis: of the cylinder. */
static bool read_cylinder(TmlEntry *x, const TmlValue *v, Surface *s)
{
    if (missing(x, v, "origin") || missing(x, v, "start") || missing(x, v, "angle") ||
        missing(x, v, "length")) {
        return false;
    }
    const TmlValue *axis = tml_value_find(v, "axis");
    TmlVec3 o;
    s->cylinder = true;
    s->axis = v3(0, 0, 1);
    bool ok = tml_read_vec3(x, tml_value_find(v, "origin"), "origin", &o);
    ok &= tml_read_vec3(x, tml_value_find(v, "start"), "start", &s->corner[0]);
    ok &= axis == NULL || tml_read_direction(x, axis, "axis", &s->axis);
    ok &= tml_read_number(x, tml_value_find(v, "angle"), "angle", &s->angle);
    ok &= tml_read_number(x, tml_value_find(v, "length"), "length", &s->height);
    if (ok) {
        s->centre = v3_axpy(v3_dot(v3_sub(s->corner[0], o), s->axis), s->axis, o);
    }
    return ok;
}

static bool read_surface(TmlEntry *x, Surface *s)
{
    const TmlValue *v = tml_value_find(x->value, "patch");
    if (v == NULL) {
        tml_entry_error(x, x->key, "missing key 'patch': where the middle surface lies");
        return false;
    }
    if (!tml_read_is_map(x, v, "patch")) {
        return false;
    }
    tml_read_keys(x, v, tml_keys_patch, NULL, NULL);
    const TmlValue *corners = tml_value_find(v, "corners");
    const bool ok = corners != NULL                      ? read_corners(x, corners, s)
                    : tml_value_find(v, "angle") != NULL ? read_cylinder(x, v, s)
                                                         : read_plane(x, v, s);
    double length[2];
    if (ok) {
        surface_lengths(s, length);
    }
    if (ok && !(length[0] > 0.0 && length[1] > 0.0)) {
        tml_entry_error(x, v, "patch: it has no size along %s", length[0] > 0.0 ? "y" : "x");
        return false;
    }
    return ok;
}

static bool read_grid(TmlMeshDraft *d)
{
    TmlEntry *x = &d->x;
    const TmlValue *v = tml_value_find(x->value, "elements");
    if (v == NULL || v->kind != TML_VALUE_LIST || v->n != 2) {
        tml_entry_error(x, v != NULL ? v : x->key,
                        "elements: a patch needs two numbers, [along x, along y]");
        return false;
    }
    const bool ok = tml_read_count(x, v->item[0], "elements", &d->mesh.n_x);
    if (!tml_read_count(x, v->item[1], "elements", &d->mesh.n_y) || !ok) {
        return false;
    }
    if ((double)d->mesh.n_x * d->mesh.n_y > 1e6) {
        tml_entry_error(x, v, "elements: more than 1000000 in all");
        return false;
    }
    d->mesh.n_nodes = (d->mesh.n_x + 1) * (d->mesh.n_y + 1);
    return true;
}

static bool fill_nodes(TmlMeshDraft *d, const Surface *s, const double length[2], TmlMeshNode *node)
{
    for (int k = 0; k < d->mesh.n_nodes; ++k) {
        const int row = d->mesh.n_x + 1, i = k % row, j = k / row;
        TmlVec3 *x = node[k].x;
        surface_at(s, (double)i / d->mesh.n_x, (double)j / d->mesh.n_y, &x[TML_FLEX_R],
                   &x[TML_FLEX_RX], &x[TML_FLEX_RY]);
        x[TML_FLEX_RX] = v3_scale(1.0 / length[0], x[TML_FLEX_RX]); // (P1)
        x[TML_FLEX_RY] = v3_scale(1.0 / length[1], x[TML_FLEX_RY]);
        const TmlVec3 n = v3_cross(x[TML_FLEX_RX], x[TML_FLEX_RY]);
        if (!(v3_norm(n) > 1e-9)) { // sine of the angle between the edges
            tml_entry_error(&d->x, tml_value_find(d->x.value, "patch"),
                            "patch: its sides are parallel or it is folded at node %d", k);
            return false;
        }
        x[TML_FLEX_RZ] = v3_unit(n);
    }
    return true;
}

/* A patch of four corners must not be folded: all normals point to one side. */
static bool check_folds(TmlMeshDraft *d)
{
    const TmlVec3 first = d->start[0].x[TML_FLEX_RZ];
    TmlVec3 last = first;
    for (int k = 1; k < d->mesh.n_nodes; ++k) {
        const TmlVec3 n = d->start[k].x[TML_FLEX_RZ];
        const bool next_row = k % (d->mesh.n_x + 1) == 0;
        if (v3_dot(next_row ? d->start[k - d->mesh.n_x - 1].x[TML_FLEX_RZ] : last, n) <= 0.0) {
            tml_entry_error(&d->x, tml_value_find(d->x.value, "patch"),
                            "patch: it is folded, an element is inverted; the corners must go "
                            "round the patch, and "
                            "an element must turn by less than 90 degrees");
            return false;
        }
        last = n;
    }
    return true;
}

static bool read_stretch(TmlEntry *x, double stretch[2])
{
    const TmlValue *v = tml_value_find(x->value, "stretch");
    stretch[0] = stretch[1] = 1.0;
    if (v != NULL && v->kind == TML_VALUE_LIST) {
        return tml_read_numbers(x, v, "stretch", 2, "a number or two", stretch) &&
               stretch[0] > 0.0 && stretch[1] > 0.0;
    }
    const bool ok = v == NULL || tml_read_ranged(x, v, "stretch", TML_POSITIVE, "", &stretch[0]);
    stretch[1] = stretch[0];
    return ok;
}

/* The patch with its sides divided by the stretches. */
static Surface shrink(const Surface *s, const double stretch[2])
{
    const TmlVec3 *c = s->corner, o = c[0];
    const TmlVec3 a = v3_scale(1.0 / stretch[0], v3_sub(c[1], o));
    const TmlVec3 b = v3_scale(1.0 / stretch[1], v3_sub(c[3], o));
    const TmlVec3 twist = v3_sub(v3_sub(c[2], c[1]), v3_sub(c[3], o));
    const TmlVec3 far = v3_axpy(1.0 / sqrt(stretch[0] * stretch[1]), twist, v3_add(a, b));
    return (Surface){.corner = {o, v3_add(o, a), v3_add(o, far), v3_add(o, b)}};
}

/* The shape without stress: that of the start, or a flat rectangle of its lengths. */
static bool read_rest(TmlMeshDraft *d, const Surface *s, const double length[2])
{
    TmlEntry *x = &d->x;
    const TmlValue *v = tml_value_find(x->value, "rest");
    double stretch[2], size[2];
    int word = 0;
    if (!read_stretch(x, stretch) || (v != NULL && !tml_read_choice(x, v, "rest", "flat", &word))) {
        return false;
    }
    const bool stretched = stretch[0] != 1.0 || stretch[1] != 1.0;
    if (v == NULL && s->cylinder && stretched) {
        tml_entry_error(x, tml_value_find(x->value, "stretch"),
                        "stretch: a curved patch needs 'rest: flat' with it");
        return false;
    }
    const double a = length[0] / stretch[0], b = length[1] / stretch[1];
    const Surface flat = {.corner = {{0, 0, 0}, {a, 0, 0}, {a, b, 0}, {0, b, 0}}};
    const Surface rest = v != NULL ? flat : stretched ? shrink(s, stretch) : *s;
    surface_lengths(&rest, size);
    for (int e = 0; e < d->mesh.n_x * d->mesh.n_y; ++e) {
        d->size[2 * e] = size[0] / d->mesh.n_x;
        d->size[2 * e + 1] = size[1] / d->mesh.n_y;
    }
    return fill_nodes(d, &rest, size, d->rest) && fill_nodes(d, s, size, d->start);
}

bool tml_read_patch_nodes(TmlMeshDraft *d)
{
    Surface s = {0};
    double length[2];
    const bool ok = read_surface(&d->x, &s);
    if (!read_grid(d) || !ok || !tml_mesh_draft_alloc(d)) {
        return false;
    }
    surface_lengths(&s, length);
    d->length = fmax(length[0], length[1]);
    return read_rest(d, &s, length) && check_folds(d);
}
