/* model/path/path_arcs.c - a path in a plane as lines and arcs that go over into each other smoothly.
 *
 * Between two points with the tangents t_0 and t_1 stand two arcs that have these and a common tangent where they meet.
 * With v from the one to the other and t = t_0 + t_1, both tangent lengths equal to d:
 *
 *   (A1)  2 (1 - t_0.t_1) d^2 + 2 v.t d - v.v = 0,   d = v.v / (v.t + sqrt((v.t)^2 + 2 (1 - t_0.t_1) v.v))
 *   (A2)  they meet at (x_0 + x_1 + d (t_0 - t_1)) / 2
 *   (A3)  bulge = tan(a / 2), a the angle from the tangent at the one end to the chord
 *
 * Their distance from a smooth curve falls with the cube of the length.
 */
#include "model/path/path_arcs.h"
#include "math/vec3.h"

#include <math.h>

enum { HALVINGS = 10, LOOKS = 7 };

typedef struct Spot {
    double s;
    TmlVec3 x, t;
} Spot;

typedef struct Making {
    const TmlPath *path;
    double tolerance;
    TmlArcs *out; // points NULL: they are counted
} Making;

static double cross(TmlVec3 a, TmlVec3 b)
{
    return a.x * b.y - a.y * b.x;
}

/* The place at s; `end`: of the piece that ends there, -1, or begins there, 1, whose tangent it has. */
static Spot spot_at(const TmlPath *p, double s, double inwards)
{
    TmlVec3 d[2], near[2];
    tml_path_derivatives(p, s, 1, d);
    // tangents jump in polygons: that of the piece is the one a little farther inside
    tml_path_derivatives(p, p->order == 2 ? s + inwards : s, 1, near);
    return (Spot){s, d[0], v3_unit(v3(near[1].x, near[1].y, 0.0))};
}

static TmlVec3 meeting(const Spot *a, const Spot *b) // (A1), (A2)
{
    const TmlVec3 v = v3_sub(b->x, a->x), t = v3_add(a->t, b->t);
    const double vv = v3_dot(v, v), vt = v3_dot(v, t), c = 1.0 - v3_dot(a->t, b->t);
    const double d = vv / (vt + sqrt(vt * vt + 2.0 * c * vv));
    return v3_scale(0.5, v3_axpy(d, v3_sub(a->t, b->t), v3_add(a->x, b->x)));
}

/* From the tangent to the chord. */
static double bulge(TmlVec3 tangent, TmlVec3 chord) // (A3)
{
    return tan(0.5 * atan2(cross(tangent, chord), v3_dot(tangent, chord)));
}

/* How far a point is from an arc that starts at a with the tangent t and goes to b. */
static double off_arc(TmlVec3 x, TmlVec3 a, TmlVec3 t, TmlVec3 b)
{
    const TmlVec3 n = v3(-t.y, t.x, 0.0), c = v3_sub(b, a), r = v3_sub(x, a);
    const double k = 2.0 * v3_dot(n, c) / v3_dot(c, c); // curvature
    // |x - centre| - radius, without a radius that may be infinite
    const double q = k * (r.x * r.x + r.y * r.y) - 2.0 * v3_dot(n, r);
    return fabs(q) / (1.0 + sqrt(fmax(1.0 + k * q, 0.0)));
}

static bool is_near(const Making *m, const Spot *a, const Spot *b)
{
    const TmlVec3 middle = meeting(a, b), chord = v3_sub(middle, a->x);
    const double turn = 2.0 * atan2(cross(a->t, chord), v3_dot(a->t, chord));
    const TmlVec3 t =
        v3(a->t.x * cos(turn) - a->t.y * sin(turn), a->t.x * sin(turn) + a->t.y * cos(turn), 0.0);
    if (fabs(turn) > 1.0 || v3_dot(a->t, b->t) < 0.0) {
        return false;
    }
    for (int k = 1; k <= LOOKS; ++k) {
        TmlVec3 x;
        tml_path_derivatives(m->path, a->s + (b->s - a->s) * k / (LOOKS + 1), 0, &x);
        x.z = middle.z;
        const double off = v3_dot(v3_sub(x, middle), t) < 0.0 ? off_arc(x, a->x, a->t, middle)
                                                              : off_arc(x, middle, t, b->x);
        if (!(off <= m->tolerance)) {
            return false;
        }
    }
    return true;
}

static void put(const Making *m, TmlVec3 x, double b)
{
    TmlArcs *out = m->out;
    if (out->points != NULL) {
        out->points[2 * out->n] = x.x;
        out->points[2 * out->n + 1] = x.y;
        out->bulges[out->n] = b;
    }
    out->n++;
}

static void between(const Making *m, const Spot *a, const Spot *b, int halvings)
{
    if (halvings > 0 && !is_near(m, a, b)) {
        const Spot middle = spot_at(m->path, 0.5 * (a->s + b->s), 0.0);
        between(m, a, &middle, halvings - 1);
        between(m, &middle, b, halvings - 1);
        return;
    }
    const TmlVec3 x = meeting(a, b), first = v3_sub(x, a->x), second = v3_sub(b->x, x);
    const double turn = cross(a->t, b->t);
    if (fabs(turn) < 1e-12 && fabs(cross(a->t, first)) < 1e-12 * v3_norm(first)) {
        put(m, a->x, 0.0); // straight
        return;
    }
    put(m, a->x, bulge(a->t, first));
    put(m, x, -bulge(b->t, second));
}

static void make(const Making *m)
{
    const TmlPath *p = m->path;
    m->out->n = 0;
    for (int k = 0; k < p->n; ++k) {
        const double inwards = 1e-3 * (p->knot[k + 1] - p->knot[k]);
        const Spot a = spot_at(p, p->knot[k], inwards), b = spot_at(p, p->knot[k + 1], -inwards);
        between(m, &a, &b, HALVINGS);
    }
    if (!p->closed) {
        put(m, spot_at(p, p->knot[p->n], 0.0).x, 0.0);
    }
}

TmlStatus tml_path_arcs(const TmlPath *path, double tolerance, TmlArena *arena, TmlArcs *out,
                        TmlError *err)
{
    const Making m = {path, tolerance, out};
    *out = (TmlArcs){0};
    if (path->function[0] != NULL) {
        return tml_fail(err, TML_E_MODEL, "a curve by functions has no arcs");
    }
    make(&m);
    out->points = tml_arena_alloc(arena, 2 * (size_t)out->n, sizeof *out->points);
    out->bulges = tml_arena_alloc(arena, (size_t)out->n, sizeof *out->bulges);
    if (out->points == NULL || out->bulges == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory");
    }
    make(&m);
    return TML_OK;
}
