/* model/contact/shape/profile/profile.c - closed plane curves of lines and arcs, and where a point is nearest to them.
 *
 * An arc from a to b that turns by theta has the bulge B = tan(theta / 4). With the chord d = b - a and its
 * left normal e:
 *
 *   (P12)  radius = |d| (1 + B^2) / (4 |B|),   centre = (a + b)/2 + e |d| (1 - B^2) / (4 B)
 *
 * The curve goes counterclockwise around the solid, which is on its left. A corner that sticks out is nearest
 * to points beyond the end of one piece and before the start of the next.
 */
#include "model/contact/shape/profile/profile.h"
#include "base/fail.h"

#include <math.h>

static TmlVec2 v2(double x, double y)
{
    return (TmlVec2){x, y};
}

static TmlVec2 v2_sub(TmlVec2 a, TmlVec2 b)
{
    return v2(a.x - b.x, a.y - b.y);
}

static double v2_dot(TmlVec2 a, TmlVec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static double v2_cross(TmlVec2 a, TmlVec2 b)
{
    return a.x * b.y - a.y * b.x;
}

static TmlVec2 v2_scale(double s, TmlVec2 a)
{
    return v2(s * a.x, s * a.y);
}

static TmlVec2 left_of(TmlVec2 a)
{
    return v2(-a.y, a.x);
}

/* --- making ---------------------------------------------------------------------------------- */

static TmlVec2 point(const TmlProfileData *d, int k)
{
    const int n = d->points.n / 2, i = k % n;
    return v2(d->points.value[2 * i], d->points.value[2 * i + 1]);
}

static TmlProfilePiece make_piece(TmlVec2 a, TmlVec2 b, double bulge)
{
    const TmlVec2 d = v2_sub(b, a);
    const double chord = hypot(d.x, d.y);
    TmlProfilePiece p = {.a = a, .b = b};
    if (bulge == 0.0) {
        p.out = p.in = v2_scale(1.0 / chord, d);
        return p;
    }
    const TmlVec2 e = v2_scale(1.0 / chord, left_of(d));
    const double s = chord * (1.0 - bulge * bulge) / (4.0 * bulge); // (P12)
    p.c = v2(0.5 * (a.x + b.x) + s * e.x, 0.5 * (a.y + b.y) + s * e.y);
    p.radius = chord * (1.0 + bulge * bulge) / (4.0 * fabs(bulge));
    p.side = bulge > 0.0 ? 1.0 : -1.0;
    p.out = v2_scale(p.side / p.radius, left_of(v2_sub(a, p.c)));
    p.in = v2_scale(p.side / p.radius, left_of(v2_sub(b, p.c)));
    return p;
}

/* Twice the area that the curve encloses: chords, and segments between chord and arc. */
static double twice_area(const TmlProfileData *d)
{
    double sum = 0.0;
    for (int k = 0; k < d->points.n / 2; ++k) {
        const double bulge = k < d->bulges.n ? d->bulges.value[k] : 0.0;
        const TmlProfilePiece p = make_piece(point(d, k), point(d, k + 1), bulge);
        const double angle = 4.0 * atan(bulge);
        sum += v2_cross(p.a, p.b) + p.radius * p.radius * (angle - sin(angle));
    }
    return sum;
}

TmlStatus tml_profile_check(const TmlProfileData *d, TmlError *err)
{
    const int n = d->points.n / 2;
    if (n < 2 || d->points.n % 2 != 0) {
        return tml_fail(err, TML_E_MODEL,
                        "points has %d numbers; two for each of at least two points are wanted",
                        d->points.n);
    }
    if (d->bulges.n != 0 && d->bulges.n != n) {
        return tml_fail(err, TML_E_MODEL, "%d bulges for %d points: one for each, or none",
                        d->bulges.n, n);
    }
    for (int k = 0; k < n; ++k) {
        const TmlVec2 e = v2_sub(point(d, k + 1), point(d, k));
        if (!(hypot(e.x, e.y) > 0.0)) {
            return tml_fail(err, TML_E_MODEL, "points %d and %d are the same", k + 1,
                            (k + 1) % n + 1);
        }
    }
    if (!(twice_area(d) > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "the points go clockwise or enclose nothing (area %g m^2); the solid is on "
                        "the left of the curve",
                        0.5 * twice_area(d));
    }
    return TML_OK;
}

/* Whether an arc has a point in the direction r from its centre. */
static bool is_on_arc(const TmlProfilePiece *s, TmlVec2 r)
{
    const TmlVec2 ra = v2_sub(s->a, s->c), rb = v2_sub(s->b, s->c);
    // the arc goes from a to b, counterclockwise about c when the solid is inside
    const bool after = s->side * v2_cross(ra, r) >= 0.0, before = s->side * v2_cross(r, rb) >= 0.0;
    const bool wide = s->side * v2_cross(ra, rb) < 0.0; // more than half of the circle
    return wide ? after || before : after && before;
}

static void widen(TmlProfile *p, TmlVec2 x)
{
    p->low = v2(fmin(p->low.x, x.x), fmin(p->low.y, x.y));
    p->high = v2(fmax(p->high.x, x.x), fmax(p->high.y, x.y));
}

/* Bounds of a piece: its start, and where an arc is farthest along an axis. */
static void add_bounds(TmlProfile *p, const TmlProfilePiece *s)
{
    widen(p, s->a);
    for (int k = 0; k < 4 && s->radius > 0.0; ++k) {
        const TmlVec2 e = v2(k == 0   ? 1.0
                             : k == 1 ? -1.0
                                      : 0.0,
                             k == 2   ? 1.0
                             : k == 3 ? -1.0
                                      : 0.0);
        if (is_on_arc(s, e)) {
            widen(p, v2(s->c.x + s->radius * e.x, s->c.y + s->radius * e.y));
        }
    }
}

TmlStatus tml_profile_make(TmlProfileData *d, bool revolved, const TmlShapeSetup *setup,
                           TmlError *err)
{
    TmlProfile *p;
    TML_TAKE(setup, p, 1);
    p->n = d->points.n / 2;
    TML_TAKE(setup, p->piece, p->n);
    p->low = v2(HUGE_VAL, HUGE_VAL);
    p->high = v2(-HUGE_VAL, -HUGE_VAL);
    for (int k = 0; k < p->n; ++k) {
        const TmlProfilePiece s =
            make_piece(point(d, k), point(d, k + 1), d->bulges.n > 0 ? d->bulges.value[k] : 0.0);
        add_bounds(p, &s);
        p->piece[k] = s;
        p->piece[k].inner = revolved && s.a.x == 0.0 && s.b.x == 0.0;
    }
    d->profile = p;
    return TML_OK;
}

/* --- nearest ---------------------------------------------------------------------------------- */

/* The foot inside a piece; false: there is none. */
static bool near_piece(const TmlProfilePiece *s, TmlVec2 x, TmlProfileNear *out)
{
    const TmlVec2 d = v2_sub(x, s->a);
    if (s->radius == 0.0) {
        const double along = v2_dot(s->out, d);
        if (along < 0.0 || v2_dot(s->out, v2_sub(x, s->b)) > 0.0) {
            return false;
        }
        out->n = v2(s->out.y, -s->out.x);
        out->height = v2_dot(out->n, d);
        out->bend = out->curvature = 0.0;
    } else {
        const TmlVec2 r = v2_sub(x, s->c);
        const double far = hypot(r.x, r.y);
        if (!(far > 0.0) || !is_on_arc(s, r)) {
            return false;
        }
        out->n = v2_scale(s->side / far, r);
        out->height = s->side * (far - s->radius);
        out->bend = s->side / far;
        out->curvature = s->side / s->radius;
    }
    out->t = left_of(out->n);
    return true;
}

/* The corner between two pieces, when it is nearest. */
static bool near_corner(const TmlProfilePiece *s, const TmlProfilePiece *next, TmlVec2 x,
                        TmlProfileNear *out)
{
    const TmlVec2 d = v2_sub(x, s->b);
    const double far = hypot(d.x, d.y), turn = v2_cross(s->in, next->out);
    if (!(far > 0.0)) {
        return false;
    }
    const bool past = v2_dot(d, s->in) > 0.0, ahead = v2_dot(d, next->out) < 0.0;
    // corners that stick out have points outside beyond both ends, hollow ones points inside
    if (!past || !ahead || fabs(turn) < 1e-12) {
        return false;
    }
    const double sign = turn > 0.0 ? 1.0 : -1.0;
    *out = (TmlProfileNear){.height = sign * far,
                            .n = v2_scale(sign / far, d),
                            .bend = sign / far,
                            .curvature = HUGE_VAL};
    out->t = left_of(out->n);
    return true;
}

int tml_profile_near(const TmlProfile *p, TmlVec2 x, double most, int room, TmlProfileNear *out)
{
    TmlProfileNear best = {.height = HUGE_VAL}, near;
    int n = 0;
    for (int k = 0; k < 2 * p->n; ++k) {
        const TmlProfilePiece *s = &p->piece[k / 2], *next = &p->piece[(k / 2 + 1) % p->n];
        if (!(k % 2 == 0 ? !s->inner && near_piece(s, x, &near) : near_corner(s, next, x, &near))) {
            continue;
        }
        near.id = k;
        if (fabs(near.height) < fabs(best.height)) {
            best = near;
        }
        if (near.height > 0.0 && near.height <= most && n < room) {
            out[n++] = near;
        }
    }
    if (best.height <= 0.0) { // inside: other pieces see the point from afar
        out[0] = best;
        return 1;
    }
    return n;
}
