/* adams/translate/translate_profiles.c - GRAPHICS that are profiles: ARC, CURVE, EXTRUSION, REVOLUTION.
 *
 * A curve is the outline of a plane solid. Closed ones are filled. An arc is a sector. An open curve has its solid on the
 * side that the other geometry of its CONTACT does not stand on at the start, as deep as the curve is wide:
 *
 *   (S3)  the free side is the sign of t x (x - p), p the place of the curve nearest to the other at x, t its tangent
 *
 * Splines become arcs that go over into each other (model/path/path_arcs.c), within `fit` of the size of the curve.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adams/translate/shapes.h"
#include "math/vec3.h"
#include "model/path/path_arcs.h"

static const double fit = 1e-6;
static const double pi = 3.14159265358979323846;

/* A profile while it is made. */
typedef struct Outline {
    TmlArcs arcs;
    bool closed;
    double z;    // of its plane, in the axes of the marker
    double size; // the largest extent
} Outline;

static double size_of(int n, const TmlVec3 *x)
{
    TmlVec3 low = x[0], high = x[0];
    for (int k = 1; k < n; ++k) {
        low = v3(fmin(low.x, x[k].x), fmin(low.y, x[k].y), fmin(low.z, x[k].z));
        high = v3(fmax(high.x, x[k].x), fmax(high.y, x[k].y), fmax(high.z, x[k].z));
    }
    return fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

/* --- points ------------------------------------------------------------------------------------- */

/* Tells whether points lie in a plane z = const. */
static bool is_plane(int n, const TmlVec3 *x, double size)
{
    for (int k = 1; k < n; ++k) {
        if (fabs(x[k].z - x[0].z) > 1e-9 * size) {
            return false;
        }
    }
    return true;
}

static bool polygon(const TmlAdmShape *s, int n, const TmlVec3 *x, Outline *o)
{
    TmlAdm *adm = s->adm;
    o->arcs.n = n;
    o->arcs.points = tml_arena_alloc(adm->arena, 2 * (size_t)n, sizeof *o->arcs.points);
    o->arcs.bulges = tml_arena_alloc(adm->arena, (size_t)n, sizeof *o->arcs.bulges);
    adm->nomem |= o->arcs.points == NULL || o->arcs.bulges == NULL;
    for (int k = 0; k < n && !adm->nomem; ++k) {
        o->arcs.points[2 * k] = x[k].x;
        o->arcs.points[2 * k + 1] = x[k].y;
        o->arcs.bulges[k] = 0.0;
    }
    return !adm->nomem;
}

/* Points that a spline goes through, as arcs. */
static bool spline(const TmlAdmShape *s, TmlAdmItem *curve, int n, const TmlVec3 *x, Outline *o)
{
    TmlAdm *adm = s->adm;
    TmlError err = {0};
    TmlPath *path = NULL;
    const TmlPathPoints given = {.n = n,
                                 .point = x,
                                 .closed = o->closed,
                                 .control = !tml_adm_has(curve, "CURVE_POINTS"),
                                 .order = (int)tml_adm_real(adm, curve, "ORDER", TML_PATH_ORDER)};
    if (tml_path_create(&given, adm->arena, &path, &err) != TML_OK ||
        tml_path_arcs(path, fit * o->size, adm->arena, &o->arcs, &err) != TML_OK) {
        tml_adm_error(adm, s->item, tml_adm_shape_place(s, "CID"), "CURVE/%s: %s", curve->id,
                      err.message);
        return false;
    }
    return true;
}

/* The curve of CID. revolved: radius and z, else x and y. */
static bool by_curve(const TmlAdmShape *s, bool revolved, Outline *o)
{
    TmlAdm *adm = s->adm;
    TmlAdmItem *curve = tml_adm_need(adm, s->item, "CID", "CURVE");
    int n = 0;
    if (curve != NULL && tml_adm_has(curve, "FUNCTION")) {
        tml_adm_error(adm, s->item, tml_adm_shape_place(s, "CID"),
                      "not supported yet in contact: CURVE/%s, a curve by a user-written routine; "
                      "points of it in a MATRIX would do",
                      curve->id);
        return false;
    }
    TmlVec3 *x = curve != NULL && !curve->failed ? tml_adm_curve_points(adm, curve, &n) : NULL;
    if (x == NULL) {
        s->item->failed = true; // told before
        return false;
    }
    for (int k = 0; k < n && revolved; ++k) {
        x[k] = v3(hypot(x[k].x, x[k].y), x[k].z, 0.0);
    }
    o->closed = tml_adm_has(curve, "CLOSED");
    o->size = size_of(n, x);
    o->z = x[0].z;
    if (!is_plane(n, x, o->size)) {
        tml_adm_error(adm, s->item, tml_adm_shape_place(s, "CID"),
                      "not supported yet in contact: CURVE/%s, a curve in space; its points must "
                      "have the same z",
                      curve->id);
        return false;
    }
    return spline(s, curve, n, x, o);
}

/* x, y, z of points, one after the other. */
static bool by_points(const TmlAdmShape *s, bool revolved, Outline *o)
{
    enum { MOST = 3000 };
    TmlAdm *adm = s->adm;
    double *v = tml_arena_alloc(adm->arena, MOST, sizeof *v);
    TmlVec3 *x = tml_arena_alloc(adm->arena, MOST / 3, sizeof *x);
    adm->nomem |= v == NULL || x == NULL;
    int n = adm->nomem ? 0 : tml_adm_reals(adm, s->item, "POINTS_FOR_PROFILE", 9, MOST, v);
    if (n == 0 || n % 3 != 0) {
        if (n > 0) {
            tml_adm_error(adm, s->item, tml_adm_shape_place(s, "POINTS_FOR_PROFILE"),
                          "%d numbers: three for each point are wanted", n);
        }
        return false;
    }
    n /= 3;
    for (int k = 0; k < n; ++k) {
        const TmlVec3 r = v3_scale(adm->length, v3(v[3 * k], v[3 * k + 1], v[3 * k + 2]));
        x[k] = revolved ? v3(hypot(r.x, r.y), r.z, 0.0) : r;
    }
    o->size = size_of(n, x);
    o->closed = v3_norm(v3_sub(x[0], x[n - 1])) <= 1e-9 * o->size;
    o->z = x[0].z;
    if (!is_plane(n, x, o->size)) {
        tml_adm_error(adm, s->item, tml_adm_shape_place(s, "POINTS_FOR_PROFILE"),
                      "not supported yet: a profile that does not lie in a plane across z");
        return false;
    }
    return polygon(s, o->closed ? n - 1 : n, x, o);
}

static bool outline_of(const TmlAdmShape *s, bool revolved, Outline *o)
{
    const bool points = tml_adm_has(s->item, "POINTS_FOR_PROFILE");
    if (points == tml_adm_has(s->item, "CID")) {
        tml_adm_error(s->adm, s->item, tml_adm_whole(s->item),
                      points ? "CID and POINTS_FOR_PROFILE exclude each other"
                             : "CID or POINTS_FOR_PROFILE is missing: the profile");
        return false;
    }
    return points ? by_points(s, revolved, o) : by_curve(s, revolved, o);
}

/* --- closing and writing ------------------------------------------------------------------------- */

/* Twice the area, with what lies between chords and arcs. */
static double twice_area(const TmlArcs *a)
{
    double sum = 0.0;
    for (int k = 0; k < a->n; ++k) {
        const double *p = &a->points[2 * k], *q = &a->points[2 * ((k + 1) % a->n)];
        const double b = a->bulges[k], angle = 4.0 * atan(b);
        const double R = b != 0.0 ? hypot(q[0] - p[0], q[1] - p[1]) * (1 + b * b) / (4 * b) : 0.0;
        sum += p[0] * q[1] - p[1] * q[0] + R * R * (angle - sin(angle));
    }
    return sum;
}

static void swap(double *a, double *b)
{
    const double c = *a;
    *a = *b;
    *b = c;
}

/* The same curve from its end to its beginning; closed ones from the first point on. */
static void reverse(TmlArcs *a, bool closed)
{
    for (int i = closed ? 1 : 0, j = a->n - 1; i < j; ++i, --j) {
        swap(&a->points[2 * i], &a->points[2 * j]);
        swap(&a->points[2 * i + 1], &a->points[2 * j + 1]);
    }
    for (int i = 0, j = a->n - (closed ? 1 : 2); i < j; ++i, --j) {
        swap(&a->bulges[i], &a->bulges[j]);
    }
    for (int k = 0; k < a->n; ++k) {
        a->bulges[k] = -a->bulges[k];
    }
}

/* Without what sums and rotations leave behind the last digits that count. */
static void tidy(int n, double *x, double size)
{
    for (int k = 0; k < n; ++k) {
        char text[32];
        snprintf(text, sizeof text, "%.13g", fabs(x[k]) > 1e-13 * size ? x[k] : 0.0);
        x[k] = strtod(text, NULL);
    }
}

static void set_outline(const TmlAdmShape *s, Outline *o)
{
    TmlAdm *adm = s->adm;
    const TmlAdmSlice at = tml_adm_whole(s->item);
    TmlValue **point = tml_arena_alloc(adm->arena, (size_t)o->arcs.n, sizeof *point);
    bool bent = false;
    adm->nomem |= point == NULL;
    if (twice_area(&o->arcs) < 0.0) {
        reverse(&o->arcs, true);
    }
    tidy(2 * o->arcs.n, o->arcs.points, o->size);
    tidy(o->arcs.n, o->arcs.bulges, 1.0);
    for (int k = 0; k < o->arcs.n && !adm->nomem; ++k) {
        point[k] = tml_adm_numbers(adm, at, 2, &o->arcs.points[2 * k]);
        bent |= o->arcs.bulges[k] != 0.0;
    }
    if (adm->nomem) {
        return;
    }
    tml_adm_set(adm, s->keys, "points", tml_adm_list(adm, at, o->arcs.n, point));
    if (bent) {
        tml_adm_set(adm, s->keys, "bulges", tml_adm_numbers(adm, at, o->arcs.n, o->arcs.bulges));
    }
}

/* A plane curve, as thick as it is wide: nothing leaves it sideways. */
static const char *set_curve(const TmlAdmShape *s, Outline *o)
{
    set_outline(s, o);
    tml_adm_shape_number(s, "thickness", s->marker, o->size);
    tml_adm_set(s->adm, s->keys, "touches",
                tml_adm_scalar(s->adm, tml_adm_whole(s->item), "curve"));
    tml_adm_shape_position(s, v3(0, 0, o->z));
    tml_adm_shape_rotation(s);
    return "extrusion";
}

static bool refuse_inside(const TmlAdmShape *s, const char *what)
{
    if (s->item->inside_out) {
        tml_adm_error(s->adm, s->item, tml_adm_whole(s->item),
                      "not supported yet: contact with %s from within (IFLIP_GEOMETRY, "
                      "JFLIP_GEOMETRY); circles have it, and open curves have their solid where "
                      "the other geometry is not",
                      what);
    }
    return s->item->inside_out;
}

/* --- open curves ---------------------------------------------------------------------------------- */

/* Where another GRAPHICS is at the start, in the axes of the marker of this one; false: it cannot be told. */
static bool place_seen(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *other, double size, TmlVec3 *out)
{
    TmlVec3 r, x;
    TmlMat33 A, B;
    if (other == NULL || !tml_adm_shape_global(adm, item, &r, &A) ||
        !tml_adm_shape_global(adm, other, &x, &B)) {
        return false;
    }
    TmlAdmItem *curve = tml_adm_has(other, "CURVE") && tml_adm_has(other, "CID")
                            ? tml_adm_ref(adm, other, "CID", "CURVE")
                            : NULL;
    if (tml_adm_has(other, "PLANE")) {
        x = v3_axpy(-10.0 * size, B.cz, x); // within its solid
    } else if (curve != NULL && !curve->failed && !tml_adm_has(curve, "FUNCTION")) {
        int n;
        const TmlVec3 *point = tml_adm_curve_points(adm, curve, &n), *p = point;
        TmlVec3 middle = v3(0, 0, 0);
        for (int k = 0; p != NULL && k < n; ++k) {
            middle = v3_axpy(1.0 / n, p[k], middle);
        }
        x = v3_add(x, m3_mulv(&B, middle));
    }
    *out = m3_tmulv(&A, v3_sub(x, r));
    return true;
}

/* 1: left of the curve, -1: right, 0: on it. */
static int side_of(const TmlArcs *a, TmlVec3 x, double size) // (S3)
{
    double least = HUGE_VAL, side = 0.0;
    for (int k = 0; k + 1 < a->n; ++k) {
        const double *p = &a->points[2 * k], *q = p + 2;
        const TmlVec3 d = v3(q[0] - p[0], q[1] - p[1], 0.0), r = v3(x.x - p[0], x.y - p[1], 0.0);
        const double u = fmax(0.0, fmin(1.0, v3_dot(d, r) / v3_dot(d, d)));
        const TmlVec3 off = v3_axpy(-u, d, r);
        const double far = v3_norm(off);
        if (far < least) {
            least = far;
            side = d.x * r.y - d.y * r.x;
        }
    }
    return least < 1e-9 * size ? 0 : side > 0.0 ? 1 : -1;
}

static int free_side(const TmlAdmShape *s, const Outline *o, TmlAdmItem *other)
{
    TmlVec3 x;
    return place_seen(s->adm, s->item, other, o->size, &x) ? side_of(&o->arcs, x, o->size) : 0;
}

bool tml_adm_on_free_side(TmlAdm *adm, TmlAdmItem *item, TmlAdmItem *other)
{
    const TmlAdmShape s = {.adm = adm, .item = item};
    Outline o = {0};
    return item->free_side == 0 || !by_curve(&s, false, &o) ||
           free_side(&s, &o, other) == item->free_side;
}

/* The solid of an open curve: on its left, with a back that is parallel to the chord. */
static bool close_curve(const TmlAdmShape *s, Outline *o)
{
    TmlAdm *adm = s->adm;
    TmlArcs *a = &o->arcs, closed = {.n = a->n + 2};
    const int side = free_side(s, o, s->item->opposite);
    closed.points = tml_arena_alloc(adm->arena, 2 * (size_t)closed.n, sizeof *closed.points);
    closed.bulges = tml_arena_alloc(adm->arena, (size_t)closed.n, sizeof *closed.bulges);
    adm->nomem |= closed.points == NULL || closed.bulges == NULL;
    if (side == 0 || adm->nomem) {
        tml_adm_error(adm, s->item, tml_adm_shape_place(s, "CID"),
                      "an open curve has its solid on the side away from the other geometry at the "
                      "start, which cannot be determined here");
        return false;
    }
    s->item->free_side = side;
    if (side > 0) {
        reverse(a, false);
    }
    memcpy(closed.points, a->points, 2 * (size_t)a->n * sizeof *a->points);
    memcpy(closed.bulges, a->bulges, (size_t)a->n * sizeof *a->bulges);
    const double *first = a->points, *last = a->points + 2 * (a->n - 1);
    const double dx = last[0] - first[0], dy = last[1] - first[1], chord = hypot(dx, dy);
    if (!(chord > 1e-9 * o->size)) {
        tml_adm_error(adm, s->item, tml_adm_shape_place(s, "CID"),
                      "the curve ends where it begins: CLOSED is missing");
        return false;
    }
    const double back[2] = {-2.0 * o->size * dy / chord, 2.0 * o->size * dx / chord};
    for (int k = 0; k < 2; ++k) {
        closed.points[2 * a->n + k] = last[k] + back[k];
        closed.points[2 * a->n + 2 + k] = first[k] + back[k];
    }
    o->arcs = closed;
    tml_adm_note(adm, s->item, tml_adm_whole(s->item),
                 "the solid of this open curve is on its %s, where the other geometry is not at "
                 "the start",
                 side > 0 ? "right" : "left");
    return true;
}

/* --- kinds ---------------------------------------------------------------------------------------- */

const char *tml_adm_make_curve(const TmlAdmShape *s)
{
    Outline o = {0};
    if (!by_curve(s, false, &o) || (o.closed && refuse_inside(s, "a closed curve")) ||
        (!o.closed && !close_curve(s, &o))) {
        return NULL;
    }
    return set_curve(s, &o);
}

/* A sector, or the whole circle; from x of the marker on. */
const char *tml_adm_make_arc(const TmlAdmShape *s)
{
    const double R = tml_adm_shape_length(s, "RADIUS", false);
    const double range = tml_adm_real(s->adm, s->item, "RANGLE", 2.0 * pi);
    const double angle = fmax(-2.0 * pi, fmin(2.0 * pi, range));
    const bool whole = fabs(angle) > 2.0 * pi - 1e-9;
    double points[8], bulges[4] = {0};
    Outline o = {{whole ? 2 : 4, points, bulges}, true, 0.0, 2.0 * R};
    if (s->item->failed || refuse_inside(s, "an arc")) {
        return NULL;
    }
    if (fabs(angle) < 1e-6) {
        tml_adm_error(s->adm, s->item, tml_adm_shape_place(s, "RANGLE"), "RANGLE must not be 0");
        return NULL;
    }
    for (int k = 0; k < 3; ++k) {
        points[2 * k] = R * cos(0.5 * k * angle);
        points[2 * k + 1] = R * sin(0.5 * k * angle);
        bulges[k] = k < 2 ? tan(0.125 * angle) : 0.0;
    }
    points[6] = points[7] = 0.0;
    if (!whole) {
        tml_adm_note(s->adm, s->item, tml_adm_whole(s->item),
                     "touches as the sector of its circle");
    }
    return set_curve(s, &o);
}

static bool is_convex(const TmlArcs *a)
{
    for (int k = 0; k < a->n; ++k) {
        const double *p = &a->points[2 * k], *q = &a->points[2 * ((k + 1) % a->n)],
                     *r = &a->points[2 * ((k + 2) % a->n)];
        if (a->bulges[k] != 0.0 ||
            (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]) < 0.0) {
            return false;
        }
    }
    return true;
}

/* The corners of a convex prism, from z on. */
static const char *set_prism(const TmlAdmShape *s, const Outline *o, double length)
{
    TmlAdm *adm = s->adm;
    const TmlAdmSlice at = tml_adm_whole(s->item);
    TmlValue **corner = tml_arena_alloc(adm->arena, 2 * (size_t)o->arcs.n, sizeof *corner);
    adm->nomem |= corner == NULL;
    for (int k = 0; k < 2 * o->arcs.n && !adm->nomem; ++k) {
        const double *p = &o->arcs.points[2 * (k / 2)];
        const double x[3] = {p[0], p[1], o->z + (k % 2 == 0 ? 0.0 : length)};
        corner[k] = tml_adm_numbers(adm, at, 3, x);
    }
    if (adm->nomem) {
        return NULL;
    }
    tml_adm_set(adm, s->keys, "vertices", tml_adm_list(adm, at, 2 * o->arcs.n, corner));
    tml_adm_shape_position(s, v3(0, 0, 0));
    tml_adm_shape_rotation(s);
    return "hull";
}

const char *tml_adm_make_extrusion(const TmlAdmShape *s)
{
    enum { HULL_MOST = 120 }; // corners of the profile; hulls have 256 faces at most
    const double length = tml_adm_shape_length(s, "LENGTH", true);
    Outline o = {0};
    if (tml_adm_has(s->item, "PATH_POINTS")) {
        tml_adm_error(s->adm, s->item, tml_adm_shape_place(s, "PATH_POINTS"),
                      "not supported yet in contact: an extrusion along a path; LENGTH is along z");
    }
    if (s->item->failed || !outline_of(s, false, &o)) {
        return NULL;
    }
    if (!o.closed) {
        tml_adm_error(s->adm, s->item, tml_adm_whole(s->item),
                      "the profile is open, which is no solid: its last point must be the first");
        return NULL;
    }
    if (twice_area(&o.arcs) < 0.0) {
        reverse(&o.arcs, true);
    }
    if (o.arcs.n <= HULL_MOST && is_convex(&o.arcs)) {
        return set_prism(s, &o, length);
    }
    set_outline(s, &o);
    tml_adm_shape_number(s, "thickness", "LENGTH", fabs(length));
    tml_adm_shape_position(s, v3(0, 0, o.z + 0.5 * length));
    tml_adm_shape_rotation(s);
    return "extrusion";
}

const char *tml_adm_make_revolution(const TmlAdmShape *s)
{
    const double extent = tml_adm_real(s->adm, s->item, "ANGLE_EXTENT", 2.0 * pi);
    Outline o = {0};
    if (fabs(fabs(extent) - 2.0 * pi) > 1e-9) {
        tml_adm_error(s->adm, s->item, tml_adm_shape_place(s, "ANGLE_EXTENT"),
                      "not supported yet in contact: a revolution by less than a whole turn");
    }
    if (s->item->failed || !outline_of(s, true, &o)) {
        return NULL;
    }
    const double *last = &o.arcs.points[2 * (o.arcs.n - 1)], axis = 1e-9 * o.size;
    if (!o.closed && (o.arcs.points[0] > axis || last[0] > axis)) {
        tml_adm_error(s->adm, s->item, tml_adm_whole(s->item),
                      "the profile is open, which is no solid: its last point must be the first, "
                      "or both must lie on the z axis");
        return NULL;
    }
    for (int k = 0; k < o.arcs.n; ++k) { // rounding beside the axis is no surface
        double *radius = &o.arcs.points[2 * k];
        *radius = *radius <= axis ? 0.0 : *radius;
    }
    set_outline(s, &o);
    tml_adm_shape_position(s, v3(0, 0, 0));
    tml_adm_shape_rotation(s);
    return "revolution";
}
