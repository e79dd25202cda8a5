/* model/contact/shape/round/solids.c - two convex solids touch at one point: where the depth over all directions is least.
 *
 * With h the reach of a solid along a direction,
 *
 *   (S1)  depth(n) = h_A(n) + h_B(-n) - n . r,   depth = min over unit n
 *
 * which is minus the distance of separate solids, and the least way out of overlapping ones. Each is smooth
 * while n stays with the same parts of the two surfaces. So for each pair of parts the least depth
 * is sought on its own, and the one wins that is least by (S1):
 *
 *   rim, round end, ellipsoid against such: two unknowns, Newton on (p_A - p_B) . t = 0, t tangents
 *   side against one of these: n on the circle n . a = sin(slope), one unknown, the same along the circle
 *   side against side: n . a and n . b are known, closed form
 *   cap against anything: n is the axis
 *
 * What solves the equations is a pure function of the pose, to rounding. Derivatives: a last step of Newton in
 * dual numbers, which is the theorem of implicit functions.
 */
#include "model/contact/shape/round/solid.h"

enum { DIRECTIONS = 128, STARTS = 3, ITERATIONS = 20 };

/* How n depends on unknowns q0, q1, and the parts it belongs to. */
typedef enum Chart {
    CHART_SPHERE,
    CHART_CIRCLE_A,
    CHART_CIRCLE_B,
    CHART_BOTH,
    CHART_CAP_A,
    CHART_CAP_B
} Chart;

typedef struct Candidate {
    Chart chart;
    TmlPart part[2];
    TmlVec3 n;   /* in the axes of the first */
    double sign; /* of the root of CHART_BOTH, of the axis of a cap */
    double depth;
    bool certain; /* its points are those of the solids: no other is as near */
} Candidate;

typedef struct Couple {
    const TmlSolid *a, *b;
    const TmlPose *pose;
    TmlDualPose at;    /* with the six variables */
    TmlDualPose still; /* without */
} Couple;

static double true_depth(const Couple *o, TmlVec3 n, TmlPart part[2])
{
    const TmlVec3 back = v3_neg(m3_tmulv(&o->pose->A, n));
    return tml_solid_reach(o->a, n, &part[0]) + tml_solid_reach(o->b, back, &part[1]) -
           v3_dot(n, o->pose->r); // (S1)
}

/* A direction of the first in the axes of the second, turned round. */
static DualVec turned(const TmlDualPose *at, DualVec n)
{
    return d6v_times(-1.0, d6v_along(at->axis, n));
}

/* n on a circle about an axis: starting from `from`, turned by the angle q. */
static DualVec on_circle(DualVec axis, TmlVec3 from, Dual q, double slope)
{
    const DualVec f = d6v(from);
    const DualVec x = d6v_axpy(d6_neg(d6v_dot(f, axis)), axis, f);
    const DualVec e = d6v_unit(x, 1e-300, v3(1, 0, 0)), y = d6v_cross(axis, e);
    const Dual c = d6_function(q, cos(q.x), -sin(q.x)), s = d6_function(q, sin(q.x), cos(q.x));
    const DualVec round = d6v_add(d6v_scale(c, e), d6v_scale(s, y));
    return d6v_add(d6v_times(sqrt(1.0 - slope * slope), round), d6v_times(slope, axis));
}

/* The two directions with the slopes of both sides: n = x a + y b + z a x b. */
static DualVec on_both(const Couple *o, const TmlDualPose *at, double sign)
{
    const DualVec a = d6v(v3(0, 0, 1)), b = at->axis[2];
    const Dual e = b.z, sin2 = d6_linear(1.0, -1.0, d6_mul(e, e));
    const double p = tml_solid_slope(o->a), q = -tml_solid_slope(o->b);
    const Dual x = d6_div(d6_linear(p, -q, e), sin2), y = d6_div(d6_linear(q, -p, e), sin2);
    const Dual rest = d6_linear(1.0, -1.0, d6_add(d6_scale(p, x), d6_scale(q, y)));
    const Dual z = d6_scale(sign, d6_sqrt(d6_div(rest, sin2)));
    return d6v_axpy(z, d6v_cross(a, b), d6v_axpy(y, b, d6v_scale(x, a)));
}

static DualVec normal(const Couple *o, const TmlDualPose *at, const Candidate *c, const Dual q[2])
{
    DualVec u, v;
    switch (c->chart) {
    case CHART_SPHERE:
        tml_dual_tangents(d6v(c->n), &u, &v);
        return d6v_unit(d6v_axpy(q[1], v, d6v_axpy(q[0], u, d6v(c->n))), 0.0, c->n);
    case CHART_CIRCLE_A:
        return on_circle(d6v(v3(0, 0, 1)), c->n, q[0], tml_solid_slope(o->a));
    case CHART_CIRCLE_B:
        return on_circle(at->axis[2], c->n, q[0], -tml_solid_slope(o->b));
    case CHART_BOTH:
        return on_both(o, at, c->sign);
    case CHART_CAP_A:
        return d6v(v3(0, 0, c->sign));
    default:
        return d6v_times(-c->sign, at->axis[2]);
    }
}

/* p_A - p_B at a normal. */
static DualVec between(const Couple *o, const TmlDualPose *at, const Candidate *c, DualVec n)
{
    const DualVec p = tml_solid_point(o->a, c->part[0], n);
    return d6v_sub(p, tml_dual_out(at, tml_solid_point(o->b, c->part[1], turned(at, n))));
}

static int unknowns(const Candidate *c)
{
    return c->chart == CHART_SPHERE ? 2 : c->chart <= CHART_CIRCLE_B ? 1 : 0;
}

/* Tangents along which the unknowns move the normal, which turn with it. */
static void directions(const TmlDualPose *at, const Candidate *c, DualVec n, DualVec t[2])
{
    if (c->chart == CHART_SPHERE) {
        tml_dual_tangents(d6v(c->n), &t[0], &t[1]);
        t[0] = d6v_axpy(d6_neg(d6v_dot(t[0], n)), n, t[0]);
        t[1] = d6v_axpy(d6_neg(d6v_dot(t[1], n)), n, t[1]);
    } else {
        const DualVec axis = c->chart == CHART_CIRCLE_A ? d6v(v3(0, 0, 1)) : at->axis[2];
        t[0] = t[1] = d6v_cross(axis, n);
    }
}

/* The equations with their derivatives by the unknowns (variables 0 and 1) or by the pose. */
static void equations(const Couple *o, const TmlDualPose *at, const Candidate *c, bool by_unknowns,
                      Dual f[2])
{
    Dual q[2] = {d6(0.0), d6(0.0)};
    DualVec t[2];
    q[0].g[0] = q[1].g[1] = by_unknowns ? 1.0 : 0.0;
    const DualVec n = normal(o, at, c, q), gap = between(o, at, c, n);
    directions(at, c, n, t);
    f[0] = d6v_dot(gap, t[0]);
    f[1] = d6v_dot(gap, t[1]);
}

/* Solves J x = f for one or two unknowns; J is made definite by a shift when it is not. */
static void step_of(const Dual f[2], int n, double shift, double *x)
{
    const double a = f[0].g[0] + shift, b = 0.5 * (f[0].g[1] + f[1].g[0]), d = f[1].g[1] + shift;
    if (n == 1) {
        x[0] = f[0].x / a;
        x[1] = 0.0;
        return;
    }
    const double det = a * d - b * b;
    x[0] = (d * f[0].x - b * f[1].x) / det;
    x[1] = (a * f[1].x - b * f[0].x) / det;
}

/* What makes the least eigenvalue of J positive and as large as it was negative. The largest says nothing: it
 * is without bounds beside a cap. */
static double shift_of(const Dual f[2], int n)
{
    const double a = f[0].g[0], b = n == 2 ? 0.5 * (f[0].g[1] + f[1].g[0]) : 0.0;
    const double d = n == 2 ? f[1].g[1] : a;
    const double mean = 0.5 * (a + d), half = hypot(0.5 * (a - d), b);
    const double least = half > 0.0 && mean > 0.0 ? (a * d - b * b) / (mean + half) : mean - half;
    return least > 0.0 ? 0.0 : 1e-12 * (fabs(mean) + half) - 2.0 * least;
}

/* Newton from the candidate's normal; false: it does not settle. */
static bool settle(const Couple *o, Candidate *c)
{
    const int n = unknowns(c);
    const Dual zero[2] = {d6(0.0), d6(0.0)};
    double length = 0.0;
    const TmlVec3 start = c->n;
    c->n = d6v_value(normal(o, &o->still, c, zero));
    for (int k = 0; k < ITERATIONS && n > 0; ++k) {
        Dual f[2];
        double x[2];
        equations(o, &o->still, c, true, f);
        step_of(f, n, shift_of(f, n), x);
        length = hypot(x[0], x[1]);
        const double cut = length > 0.3 ? 0.3 / length : 1.0;
        const Dual q[2] = {d6(-cut * x[0]), d6(-cut * x[1])};
        c->n = d6v_value(normal(o, &o->still, c, q));
        if (!(length > (k < 8 ? 1e-15 : 1e-12))) { // rounding
            break;
        }
        if (v3_dot(c->n, start) < 0.8) {
            return false; // the walk down ends near the right one
        }
    }
    // more than rounding is left where both surfaces are nearly flat; NaN where a part has no such normal
    return length < 1e-8 && fabs(v3_norm(c->n) - 1.0) < 1e-9;
}

/* A point of the surface of the first: of the free part, or where the lines of two sides cross. */
static DualVec point_of_first(const Couple *o, const TmlDualPose *at, const Candidate *c, DualVec n,
                              Dual depth)
{
    const DualVec back = turned(at, n);
    const DualVec a = tml_solid_point(o->a, c->part[0], n);
    const DualVec b = tml_dual_out(at, tml_solid_point(o->b, c->part[1], back));
    if (c->chart == CHART_BOTH) {
        const DualVec w = d6v_sub(a, b), g = tml_solid_line(o->a, n);
        const DualVec h = d6v_sum(at->axis, tml_solid_line(o->b, back));
        const Dual gh = d6v_dot(g, h), wg = d6v_dot(w, g), wh = d6v_dot(w, h);
        const Dual s = d6_div(d6_sub(d6_mul(gh, wh), wg), d6_linear(1.0, -1.0, d6_mul(gh, gh)));
        return d6v_axpy(s, g, a);
    }
    if (c->chart == CHART_CIRCLE_A || c->chart == CHART_CAP_A) {
        return d6v_axpy(depth, n, b);
    }
    return a;
}

/* Whether a point of a solid, in its own axes, lies on the part. */
static bool lies_on(const TmlSolid *solid, TmlPart part, bool cap, TmlVec3 p)
{
    if (cap) {
        return hypot(p.x, p.y) <= (part == TML_PART_HIGH ? solid->cone.high : solid->cone.low);
    }
    return part != TML_PART_SIDE || fabs(p.z) <= solid->cone.half;
}

/* Whether both points of the candidate are points of the solids. */
static bool is_certain(const Couple *o, const Candidate *c)
{
    const DualVec n = d6v(c->n);
    const Dual depth = d6(c->depth);
    const DualVec p = point_of_first(o, &o->still, c, n, depth);
    const DualVec q = tml_dual_into(&o->still, d6v_axpy(d6_neg(depth), n, p));
    return lies_on(o->a, c->part[0], c->chart == CHART_CAP_A, d6v_value(p)) &&
           lies_on(o->b, c->part[1], c->chart == CHART_CAP_B, d6v_value(q));
}

static void try_candidate(const Couple *o, Candidate c, TmlVec3 start, Candidate *best)
{
    TmlPart part[2];
    if (best->certain && best->depth < 0.0) {
        return;
    }
    c.n = start;
    if (settle(o, &c)) {
        const DualVec n = d6v(c.n);
        c.depth = true_depth(o, c.n, part);
        // caps touch with what the other shows them
        c.part[0] = c.chart == CHART_CAP_A || c.chart == CHART_CAP_B ? part[0] : c.part[0];
        c.part[1] = c.chart == CHART_CAP_A || c.chart == CHART_CAP_B ? part[1] : c.part[1];
        // other parts may reach farther along this normal
        const double own = d6v_dot(n, between(o, &o->still, &c, n)).x, size = v3_norm(o->pose->r);
        if (c.depth < best->depth && own > c.depth - 1e-10 * (size + fabs(c.depth))) {
            *best = c;
            best->certain = is_certain(o, &c);
        }
    }
}

/* Walks down from a direction, by steps to all sides that become shorter. */
static TmlVec3 walk_down(const Couple *o, TmlVec3 n)
{
    TmlPart part[2];
    double least = true_depth(o, n, part);
    for (double step = 0.15; step > 1e-3;) {
        const TmlMat33 frame = m3_from_z(n, v3(0, 0, 0));
        TmlVec3 best = n;
        for (int k = 0; k < 8; ++k) {
            const double angle = 0.78539816339744831 * k;
            const TmlVec3 side = v3_axpy(sin(angle), frame.cy, v3_scale(cos(angle), frame.cx));
            const TmlVec3 to = v3_unit(v3_axpy(step, side, n));
            const double depth = true_depth(o, to, part);
            if (depth < least) {
                least = depth;
                best = to;
            }
        }
        step = v3_dot(best, n) < 1.0 - 1e-12 ? step : 0.5 * step;
        n = best;
    }
    return n;
}

/* Of directions spread evenly, the one of least depth that is not within 25 degrees of n others. */
static TmlVec3 next_direction(const Couple *o, const TmlVec3 *other, int n)
{
    TmlPart part[2];
    TmlVec3 best = v3(0, 0, 1);
    double least = HUGE_VAL;
    for (int k = 0; k < DIRECTIONS; ++k) {
        const double z = 1.0 - (2.0 * k + 1.0) / DIRECTIONS, rho = sqrt(1.0 - z * z);
        const double angle = 2.39996322972865332 * k; // of the golden section
        const TmlVec3 to = v3(rho * cos(angle), rho * sin(angle), z);
        const double depth = true_depth(o, to, part);
        bool apart = depth < least;
        for (int i = 0; i < n && apart; ++i) {
            apart = v3_dot(to, other[i]) < 0.906;
        }
        if (apart) {
            least = depth;
            best = to;
        }
    }
    return best;
}

static int free_parts(const TmlSolid *solid, TmlPart part[2])
{
    part[0] = solid->ellipsoid != NULL ? TML_PART_ROUND : TML_PART_LOW;
    part[1] = TML_PART_HIGH;
    return solid->ellipsoid != NULL ? 1 : 2;
}

/* A rim against what stands over its edge by little: the normal is near that of the cap, where the depth has a
 * corner. Newton starts beside it, on the side where the other solid is. */
static void try_beside_cap(const Couple *o, bool first, double sign, Candidate *best)
{
    const TmlSolid *mine = first ? o->a : o->b, *its = first ? o->b : o->a;
    const TmlMat33 *A = &o->pose->A;
    const TmlVec3 axis = first ? v3(0, 0, 1) : A->cz, n = v3_scale(first ? sign : -sign, axis);
    const TmlVec3 theirs = first ? v3_neg(m3_tmulv(A, n)) : n;
    TmlPart part[2];
    true_depth(o, n, part);
    const TmlVec3 own = d6v_value(tml_solid_point(its, part[first ? 1 : 0], d6v(theirs)));
    const TmlVec3 q = first ? v3_add(o->pose->r, m3_mulv(A, own)) : v3_sub(own, o->pose->r);
    const TmlVec3 out = v3_axpy(-v3_dot(q, axis), axis, q);
    const double radius = sign > 0.0 ? mine->cone.high : mine->cone.low;
    if (mine->swell > 0.0 || v3_norm(out) <= radius) {
        return;
    }
    const TmlVec3 start = v3_unit(v3_axpy(first ? 1e-7 : -1e-7, v3_unit(out), n));
    const TmlPart rim = sign > 0.0 ? TML_PART_HIGH : TML_PART_LOW;
    TmlPart other[2];
    const int parts = free_parts(its, other);
    for (int k = 0; k < parts; ++k) {
        const Candidate c = {
            CHART_SPHERE, {first ? rim : other[k], first ? other[k] : rim}, .sign = 1.0};
        try_candidate(o, c, start, best);
    }
    if (parts == 2) {
        const Chart circle = first ? CHART_CIRCLE_B : CHART_CIRCLE_A;
        const Candidate c = {
            circle, {first ? rim : TML_PART_SIDE, first ? TML_PART_SIDE : rim}, .sign = 1.0};
        try_candidate(o, c, start, best);
    }
}

/* Whether the walk down to n has come where this pair of parts may have the least depth. It ends within some 1e-3 of a
 * least depth, and seldom in a valley with a sharp bottom: then all parts are tried. */
static bool is_plausible(const Couple *o, const Candidate *c, TmlVec3 n, const TmlPart part[2])
{
    const double na = n.z, nb = -v3_dot(n, o->pose->A.cz), wide = 0.05;
    const bool side[2] = {fabs(na - tml_solid_slope(o->a)) < wide,
                          fabs(nb - tml_solid_slope(o->b)) < wide};
    switch (c->chart) {
    case CHART_CAP_A:
        return c->sign * na > 1.0 - wide;
    case CHART_CAP_B:
        return c->sign * nb > 1.0 - wide;
    case CHART_BOTH:
        return side[0] && side[1];
    case CHART_CIRCLE_A:
        return side[0] && (c->part[1] == part[1] || side[1]);
    case CHART_CIRCLE_B:
        return side[1] && (c->part[0] == part[0] || side[0]);
    default:
        return (c->part[0] == part[0] || side[0]) && (c->part[1] == part[1] || side[1]);
    }
}

typedef struct Trial {
    const Couple *o;
    TmlVec3 start;
    TmlPart part[2]; // at the start
    bool all;        // also those that are not plausible
} Trial;

static void try_one(const Trial *t, Candidate c, Candidate *best)
{
    if (t->all || is_plausible(t->o, &c, t->start, t->part)) {
        try_candidate(t->o, c, t->start, best);
    }
}

/* Closed forms first, which cost little. */
static void try_flat(const Trial *t, bool side_a, bool side_b, Candidate *best)
{
    for (int k = -1; k < 2; k += 2) {
        if (side_a) {
            try_one(t, (Candidate){CHART_CAP_A, .sign = k}, best);
        }
        if (side_b) {
            try_one(t, (Candidate){CHART_CAP_B, .sign = k}, best);
        }
        if (side_a && side_b) {
            try_one(t, (Candidate){CHART_BOTH, {TML_PART_SIDE, TML_PART_SIDE}, .sign = k}, best);
        }
    }
}

static void try_parts(const Trial *t, Candidate *best)
{
    const Couple *o = t->o;
    TmlPart a[2], b[2];
    const int na = free_parts(o->a, a), nb = free_parts(o->b, b);
    const bool side_a = na == 2, side_b = nb == 2;
    try_flat(t, side_a, side_b, best);
    for (int j = 0; j < nb && side_a; ++j) {
        try_one(t, (Candidate){CHART_CIRCLE_A, {TML_PART_SIDE, b[j]}, .sign = 1.0}, best);
    }
    for (int i = 0; i < na && side_b; ++i) {
        try_one(t, (Candidate){CHART_CIRCLE_B, {a[i], TML_PART_SIDE}, .sign = 1.0}, best);
    }
    for (int i = 0; i < na * nb; ++i) {
        try_one(t, (Candidate){CHART_SPHERE, {a[i % na], b[i / na]}, .sign = 1.0}, best);
    }
    for (int k = -1; k < 2; k += 2) {
        if (side_a && (t->all || k * t->start.z > 0.95)) {
            try_beside_cap(o, true, k, best);
        }
        if (side_b && (t->all || -k * v3_dot(t->start, o->pose->A.cz) > 0.95)) {
            try_beside_cap(o, false, k, best);
        }
    }
}

static void try_all(const Couple *o, TmlVec3 start, Candidate *best)
{
    Trial t = {.o = o, .start = start};
    const double least = true_depth(o, start, t.part);
    try_parts(&t, best);
    if (!best->certain || best->depth > least) {
        t.all = true;
        try_parts(&t, best);
    }
}

/* Sides of cylinders and capsules that cross. With the unit vectors a, b of the axes, sigma = |a x b|, n_0 = a x b / sigma towards the
 * second, r = (R_A + R_B - d) n_0 + x a + y b, and l the least of L_A / 2 - |x| and L_B / 2 - |y|,
 *
 *   (S5)  depth(n) - d >= R_A (|n x a| - n.n_0) + R_B (|n x b| - n.n_0) + l (|n.a| + |n.b|) - d (1 - n.n_0)
 *
 * which is nowhere negative where l sigma >= d and R_A + R_B >= d: |n x a| >= |n.n_0|, and |n.a| + |n.b| is at least sigma times the part
 * of n across n_0. Nothing needs to be looked for there. */
static bool sides_cross(const Couple *o, Candidate *c)
{
    const TmlSolid *solid[2] = {o->a, o->b};
    const TmlVec3 a = v3(0, 0, 1), b = o->pose->A.cz, r = o->pose->r, across = v3_cross(a, b);
    const double sigma = v3_norm(across), to = v3_dot(across, r);
    double sum = 0.0;
    for (int k = 0; k < 2; ++k) {
        if (solid[k]->ellipsoid != NULL || solid[k]->cone.low != solid[k]->cone.high) {
            return false;
        }
        sum += solid[k]->cone.low + solid[k]->swell;
    }
    if (!(sigma > 0.1) ||
        to == 0.0) { // nearly parallel ones have little room, and others look at them
        return false;
    }
    const double sign = to > 0.0 ? 1.0 : -1.0, d = sum - fabs(to) / sigma;
    const double e = v3_dot(a, b), ra = v3_dot(r, a), rb = v3_dot(r, b);
    const double x = (ra - e * rb) / (sigma * sigma), y = (rb - e * ra) / (sigma * sigma);
    const double room = fmin(o->a->cone.half - fabs(x), o->b->cone.half - fabs(y));
    if (!(room > 0.0) || room * sigma < d || sum < d) {
        return false;
    }
    const Dual zero[2] = {d6(0.0), d6(0.0)};
    *c = (Candidate){
        CHART_BOTH, {TML_PART_SIDE, TML_PART_SIDE}, .sign = sign, .depth = d, .certain = true};
    c->n = d6v_value(normal(o, &o->still, c, zero));
    return true;
}

/* Separate solids have one nearest point. Overlapping ones may have more than one way out: these are
 * sought from other directions. */
static Candidate least_depth(const Couple *o)
{
    Candidate best = {.depth = HUGE_VAL};
    TmlVec3 start[STARTS];
    const double apart = v3_norm(o->pose->r);
    if (sides_cross(o, &best)) {
        return best;
    }
    if (apart > 0.0) { // from the line between the centres: it does for separate solids
        try_all(o, walk_down(o, v3_scale(1.0 / apart, o->pose->r)), &best);
        if (best.certain && best.depth < 0.0) {
            return best;
        }
    }
    for (int k = 0; k < STARTS && !(best.certain && best.depth < 0.0); ++k) {
        Candidate c = {.depth = HUGE_VAL};
        start[k] = next_direction(o, start, k);
        const TmlVec3 n = walk_down(o, start[k]);
        if (best.depth == HUGE_VAL || v3_dot(n, best.n) < 0.9999) { // where it has been
            try_all(o, n, &c);
            best = c.depth < best.depth ? c : best;
        }
    }
    return best;
}

/* The normal with its derivatives: unknowns move by -J^-1 f with f by the pose. */
static DualVec exact_normal(const Couple *o, const Candidate *c)
{
    const int n = unknowns(c);
    Dual q[2] = {d6(0.0), d6(0.0)}, J[2], f[2];
    if (n > 0) {
        equations(o, &o->still, c, true, J);
        equations(o, &o->at, c, false, f);
    }
    for (int k = 0; k < DUAL_VARIABLES && n > 0; ++k) {
        const Dual right[2] = {{.x = f[0].g[k], .g = {J[0].g[0], J[0].g[1]}},
                               {.x = f[1].g[k], .g = {J[1].g[0], J[1].g[1]}}};
        double x[2];
        step_of(right, n, 0.0, x);
        q[0].g[k] = -x[0];
        q[1].g[k] = -x[1];
    }
    return normal(o, &o->at, c, q);
}

static void curvatures(const Couple *o, const Candidate *c, DualVec n, DualVec p, Dual depth,
                       Dual k[2])
{
    DualVec t[2], s[2];
    TmlBend x, y;
    tml_dual_tangents(n, &t[0], &t[1]);
    s[0] = d6v_along(o->at.axis, t[0]);
    s[1] = d6v_along(o->at.axis, t[1]);
    const DualVec other = tml_dual_into(&o->at, d6v_axpy(d6_neg(depth), n, p));
    tml_solid_bend(o->a, c->part[0], c->chart == CHART_CAP_A, p, n, t, &x);
    tml_solid_bend(o->b, c->part[1], c->chart == CHART_CAP_B, other, turned(&o->at, n), s, &y);
    k[0] = k[1] = d6(HUGE_VAL);
    if (!x.sharp && !y.sharp) {
        tml_dual_eigen(d6_add(x.m[0], y.m[0]), d6_add(x.m[1], y.m[1]), d6_add(x.m[2], y.m[2]), k);
    } else if (x.sharp != y.sharp) {
        const TmlBend *edge = x.sharp ? &x : &y, *round = x.sharp ? &y : &x;
        const DualVec e = x.sharp ? x.edge : d6v_sum(o->at.axis, y.edge);
        const Dual i = d6v_dot(e, t[0]), j = d6v_dot(e, t[1]);
        const Dual cross = d6_scale(2.0, d6_mul(round->m[1], d6_mul(i, j)));
        const Dual both =
            d6_add(d6_mul(round->m[0], d6_mul(i, i)), d6_mul(round->m[2], d6_mul(j, j)));
        k[0] = d6_add(edge->along, d6_add(cross, both));
    }
}

bool tml_solids_least(const TmlSolid *a, const TmlSolid *b, const TmlPose *pose, double reach,
                      TmlDualTouch *out)
{
    Couple o = {.a = a, .b = b, .pose = pose, .at = tml_dual_pose(pose)};
    o.still = (TmlDualPose){d6v(pose->r), {d6v(pose->A.cx), d6v(pose->A.cy), d6v(pose->A.cz)}};
    const Candidate best = least_depth(&o);
    if (!(best.depth >= -reach && best.depth < HUGE_VAL)) {
        return false;
    }
    *out = (TmlDualTouch){.n = exact_normal(&o, &best)};
    out->depth = d6v_dot(out->n, between(&o, &o.at, &best, out->n));
    const DualVec p = point_of_first(&o, &o.at, &best, out->n, out->depth);
    out->p = d6v_axpy(d6_scale(-0.5, out->depth), out->n, p);
    curvatures(&o, &best, out->n, p, out->depth, out->curvature);
    return true;
}

int tml_solids_touch(const TmlSolid *a, const TmlSolid *b, const TmlPose *pose, double reach,
                     TmlTouch *touch, TmlTouchRate *rate)
{
    TmlDualTouch out;
    if (!tml_solids_least(a, b, pose, reach, &out)) {
        return 0;
    }
    tml_touch_write(&out, 0, touch, rate);
    return 1;
}
