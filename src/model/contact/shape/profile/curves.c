/* model/contact/shape/profile/curves.c - plane curves that touch in their plane: two profiles, and a profile on a plane.
 *
 * A piece of a profile is a line, an arc, or a corner that sticks out, which is an arc of radius zero. With the
 * outward normal n of the solid, arcs are x = c + s n, where s is the radius, negative where the solid is outside of the
 * circle. Two arcs that touch have opposite normals along the line of their centres d = c_2 - c_1:
 *
 *   (P29)  n = d / |d| when s_1 + s_2 >= 0, else -d / |d|;   depth = s_1 + s_2 - n . d
 *   (P30)  it is a place of least gap when 1/s_1 + 1/s_2 > 0
 *
 * A line has its own normal and no curvature. Both pieces must have the normal among theirs. Where the depth is positive,
 * the two points are the ends of the widest chord of a lens: the first lies in the second profile and the
 * second in the first, which leaves out sides that face away from each other.
 *
 * Pieces meet where arcs go over into each other. Ranges of normals are wider by `slack`, so that no place falls between two
 * of them, and the same place is taken once.
 */
#include "model/contact/shape/profile/curves.h"
#include "model/contact/shape/round/closest.h"

#include <math.h>

static const double slack = 1e-9; /* rad; what is left between arcs by rounding is 1e-15 of it */

/* What one piece, or the corner behind it, offers. */
typedef struct Feature {
    bool line;
    TmlVec2 c;        // centre, or a point of the line
    double s;         // signed radius
    TmlVec2 from, to; // normals at both ends; of a line, ends
    TmlVec2 n;        // of a line
    double turn;      // 1: normals turn counterclockwise, -1
    int id;
} Feature;

static double dot(TmlVec2 a, TmlVec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static double cross(TmlVec2 a, TmlVec2 b)
{
    return a.x * b.y - a.y * b.x;
}

static TmlVec2 right_of(TmlVec2 a)
{
    return (TmlVec2){a.y, -a.x};
}

/* Feature number k of 2 n; false: there is nothing that could touch. */
static bool feature_of(const TmlProfile *p, int k, Feature *f)
{
    const TmlProfilePiece *a = &p->piece[k / 2], *b = &p->piece[(k / 2 + 1) % p->n];
    if (k % 2 == 0) {
        *f = (Feature){.line = a->radius == 0.0,
                       .c = a->radius == 0.0 ? a->a : a->c,
                       .s = a->side * a->radius,
                       .from = a->radius == 0.0 ? a->a : right_of(a->out),
                       .to = a->radius == 0.0 ? a->b : right_of(a->in),
                       .n = right_of(a->out),
                       .turn = a->side,
                       .id = k};
        return !a->inner;
    }
    *f =
        (Feature){.c = a->b, .from = right_of(a->in), .to = right_of(b->out), .turn = 1.0, .id = k};
    return cross(a->in, b->out) > slack || (dot(a->in, b->out) < 0.0 && cross(a->in, b->out) > 0.0);
}

/* Whether an arc has a normal. */
static bool has_normal(const Feature *f, TmlVec2 n)
{
    const bool after = f->turn * cross(f->from, n) >= -slack,
               before = f->turn * cross(n, f->to) >= -slack;
    const bool wide = f->turn * cross(f->from, f->to) < 0.0; // more than half of a turn
    if (!wide && dot(f->from, f->to) > 0.0 && dot(f->from, n) < 0.0) {
        return false; // the opposite of a short range
    }
    return wide ? after || before : after && before;
}

/* Whether a point lies beside a line. */
static bool beside(const Feature *f, TmlVec2 x)
{
    const TmlVec2 t = {-f->n.y, f->n.x};
    const double far = slack * (fabs(f->to.x) + fabs(f->to.y) + fabs(f->from.x) + fabs(f->from.y));
    return dot(t, x) >= dot(t, f->from) - far && dot(t, x) <= dot(t, f->to) + far;
}

static double curvature_of(const Feature *f)
{
    return f->line ? 0.0 : f->s == 0.0 ? HUGE_VAL : 1.0 / f->s;
}

/* --- two profiles ------------------------------------------------------------------------------- */

/* A circle around something. */
typedef struct Round {
    TmlVec2 c;
    double radius;
} Round;

/* Around a feature: about the middle of the chord, with half of the length of the arc. */
static Round around(const TmlProfile *p, const Feature *f)
{
    const TmlProfilePiece *s = &p->piece[f->id / 2];
    if (f->id % 2 != 0) {
        return (Round){f->c, 0.0};
    }
    const double half = 0.5 * hypot(s->b.x - s->a.x, s->b.y - s->a.y);
    // chords of less than a quarter of a turn are at least 0.9 of their arcs
    const bool narrow = f->line || dot(f->from, f->to) > 0.0;
    return (Round){{0.5 * (s->a.x + s->b.x), 0.5 * (s->a.y + s->b.y)},
                   narrow ? 1.12 * half : half + 2.0 * fabs(f->s)};
}

static Round around_all(const TmlProfile *p)
{
    const double x = p->high.x - p->low.x, y = p->high.y - p->low.y;
    return (Round){{0.5 * (p->low.x + p->high.x), 0.5 * (p->low.y + p->high.y)}, 0.5 * hypot(x, y)};
}

static bool is_far(Round a, Round b, double reach)
{
    return hypot(a.c.x - b.c.x, a.c.y - b.c.y) > a.radius + b.radius + reach;
}

typedef struct Meeting {
    const TmlProfile *profile[2];
    const TmlPose *pose;
    TmlDualPose at;
    double reach;
    TmlTouch *touch;
    TmlTouchRate *rate;
    int n;
} Meeting;

/* Places and directions in the plane of the first, of the second and back; what leans out of the plane is left out. */
static TmlVec2 out_of(const TmlPose *pose, TmlVec2 x)
{
    const TmlVec3 y = v3_add(pose->r, m3_mulv(&pose->A, v3(x.x, x.y, 0.0)));
    return (TmlVec2){y.x, y.y};
}

static TmlVec2 unit(double x, double y)
{
    const double far = hypot(x, y);
    return far > 0.0 ? (TmlVec2){x / far, y / far} : (TmlVec2){1.0, 0.0};
}

static TmlVec2 turned(const TmlPose *pose, TmlVec2 n)
{
    const TmlVec3 y = m3_mulv(&pose->A, v3(n.x, n.y, 0.0));
    return unit(y.x, y.y);
}

static TmlVec2 into(const TmlPose *pose, TmlVec2 x)
{
    const TmlVec3 y = m3_tmulv(&pose->A, v3_sub(v3(x.x, x.y, pose->r.z), pose->r));
    return (TmlVec2){y.x, y.y};
}

static bool inside(const TmlProfile *p, TmlVec2 x)
{
    TmlProfileNear near;
    return tml_profile_near(p, x, 0.0, 1, &near) == 1 && near.height <= 0.0;
}

/* The normal of two features, in the plane of the first; false: they do not face each other. */
static bool common_normal(const Meeting *m, const Feature *a, const Feature *b, TmlVec2 *n)
{
    const TmlVec2 cb = out_of(m->pose, b->c), d = {cb.x - a->c.x, cb.y - a->c.y};
    if ((a->line && b->line) || !(curvature_of(a) + curvature_of(b) > 0.0)) { // (P30)
        return false;
    }
    if (a->line) {
        *n = a->n;
    } else if (b->line) {
        const TmlVec2 nb = turned(m->pose, b->n);
        *n = (TmlVec2){-nb.x, -nb.y};
    } else {
        const double sign = a->s + b->s >= 0.0 ? 1.0 : -1.0; // (P29)
        if (!(hypot(d.x, d.y) > 1e-12 * (fabs(a->s) + fabs(b->s)))) {
            return false;
        }
        *n = unit(sign * d.x, sign * d.y);
    }
    const TmlVec3 back = m3_tmulv(&m->pose->A, v3(-n->x, -n->y, 0.0));
    return (a->line || has_normal(a, *n)) && (b->line || has_normal(b, unit(back.x, back.y)));
}

static DualVec flat(DualVec x)
{
    return (DualVec){x.x, x.y, d6(0.0)};
}

static DualVec flat_unit(DualVec x)
{
    return d6v_unit(flat(x), 0.0, v3(1, 0, 0));
}

/* The touch with its derivatives. */
static TmlDualTouch exact(const Meeting *m, const Feature *a, const Feature *b)
{
    const DualVec ca = d6v(v3(a->c.x, a->c.y, 0.0));
    const DualVec cb = flat(tml_dual_out(&m->at, d6v(v3(b->c.x, b->c.y, 0.0))));
    const DualVec d = d6v_sub(cb, ca);
    DualVec n;
    if (a->line) {
        n = d6v(v3(a->n.x, a->n.y, 0.0));
    } else if (b->line) {
        n = d6v_times(-1.0, flat_unit(d6v_sum(m->at.axis, d6v(v3(b->n.x, b->n.y, 0.0)))));
    } else {
        n = d6v_times(a->s + b->s >= 0.0 ? 1.0 : -1.0, flat_unit(d));
    }
    TmlDualTouch o = {.n = n, .depth = d6_linear(a->s + b->s, -1.0, d6v_dot(n, d))};
    const DualVec x = b->line ? d6v_axpy(d6(a->s), n, ca)   // of the first
                              : d6v_axpy(d6(-b->s), n, cb); // of the second
    o.p = d6v_axpy(d6_scale(b->line ? -0.5 : 0.5, o.depth), n, x);
    o.p.z = d6_scale(0.5, m->at.r.z);
    o.curvature[1] = d6(curvature_of(a) + curvature_of(b));
    o.id = ((uint64_t)a->id << 24) | (uint64_t)b->id;
    return o;
}

static bool is_known(const Meeting *m, const TmlDualTouch *o)
{
    const TmlVec3 p = d6v_value(o->p), n = d6v_value(o->n);
    for (int k = 0; k < m->n; ++k) {
        // turned by the slack, a place moves by it times a radius, of which lines have none
        if (v3_dot(m->touch[k].n, n) > 1.0 - 1e-12 &&
            v3_norm(v3_sub(m->touch[k].p, p)) <
                1e-7 * (fabs(p.x) + fabs(p.y) + fabs(m->touch[k].depth))) {
            return true;
        }
    }
    return false;
}

static void meet(Meeting *m, const Feature *a, const Feature *b)
{
    TmlVec2 n;
    if (!common_normal(m, a, b, &n)) {
        return;
    }
    const TmlVec2 cb = out_of(m->pose, b->c), d = {cb.x - a->c.x, cb.y - a->c.y};
    const double depth = a->s + b->s - dot(n, d);
    if (!(depth >= -m->reach) || m->n == TML_TOUCH_MAX) {
        return;
    }
    // both points; that of a line is the foot of the other
    TmlVec2 xa = {a->c.x + a->s * n.x, a->c.y + a->s * n.y};
    TmlVec2 xb = {cb.x - b->s * n.x, cb.y - b->s * n.y};
    if (a->line) {
        xa = (TmlVec2){xb.x + depth * n.x, xb.y + depth * n.y};
    }
    if (b->line) {
        xb = (TmlVec2){xa.x - depth * n.x, xa.y - depth * n.y};
    }
    const TmlVec2 first = into(m->pose, xa), second = into(m->pose, xb);
    if ((a->line && !beside(a, xa)) || (b->line && !beside(b, second)) ||
        (depth > 0.0 && !(inside(m->profile[1], first) && inside(m->profile[0], xb)))) {
        return;
    }
    const TmlDualTouch o = exact(m, a, b);
    if (!is_known(m, &o)) {
        tml_touch_write(&o, m->n++, m->touch, m->rate);
    }
}

int tml_curves_touch(const TmlProfile *first, const TmlProfile *second, const TmlPose *pose,
                     double reach, TmlTouch *touch, TmlTouchRate *rate)
{
    Meeting m = {.profile = {first, second},
                 .pose = pose,
                 .at = tml_dual_pose(pose),
                 .reach = reach,
                 .touch = touch,
                 .rate = rate};
    const Round all[2] = {around_all(first), around_all(second)};
    const Round other = {out_of(pose, all[1].c), all[1].radius};
    Feature a, b;
    for (int i = 0; i < 2 * first->n && !is_far(all[0], other, reach); ++i) {
        if (!feature_of(first, i, &a) || is_far(around(first, &a), other, reach)) {
            continue;
        }
        // pieces that are as deep as both are wide do not see each other
        const Round near = {into(pose, around(first, &a).c), around(first, &a).radius};
        const double most = reach + fmin(all[0].radius, all[1].radius);
        for (int j = 0; j < 2 * second->n; ++j) {
            if (feature_of(second, j, &b) && !is_far(around(second, &b), near, most)) {
                meet(&m, &a, &b);
            }
        }
    }
    return m.n;
}

/* --- a profile on a plane ------------------------------------------------------------------------ */

int tml_curve_floor(const TmlProfile *second, const TmlPose *pose, double reach, TmlTouch *touch,
                    TmlTouchRate *rate)
{
    const TmlDualPose at = tml_dual_pose(pose);
    // down, in the plane of the profile
    const DualVec along = d6v_along(at.axis, d6v(v3(0, 0, -1))), down = flat_unit(along);
    const TmlVec2 n = {down.x.x, down.y.x};
    Meeting m = {.touch = touch, .rate = rate};
    Feature b;
    if (!(hypot(along.x.x, along.y.x) > slack)) {
        return 0; // it lies flat: nothing is lowest
    }
    for (int k = 0; k < 2 * second->n && m.n < TML_TOUCH_MAX; ++k) {
        if (!feature_of(second, k, &b) || b.line || b.s < 0.0 || !has_normal(&b, n)) {
            continue;
        }
        const DualVec x = tml_dual_out(&at, d6v_axpy(d6(b.s), down, d6v(v3(b.c.x, b.c.y, 0.0))));
        TmlDualTouch o = {.n = d6v(v3(0, 0, 1)), .depth = d6_neg(x.z), .id = (uint64_t)b.id};
        o.p = d6v_axpy(d6_scale(0.5, o.depth), o.n, x);
        o.curvature[1] = d6(curvature_of(&b));
        if (o.depth.x >= -reach && !is_known(&m, &o)) {
            tml_touch_write(&o, m.n++, touch, rate);
        }
    }
    return m.n;
}
