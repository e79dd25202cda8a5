/* model/wheel/rail/track.c - the curve of a track.
 *
 * The plan is made of segments with the curvature k, the heading psi = int k ds and
 *
 *   (T1)  x' = cos(psi),  y' = sin(psi),  z' = gradient
 *   (T2)  axes without cant: x = r' / |r'|,  y = (-sin(psi), cos(psi), 0),  z = x x y
 *   (T3)  with cant: y and z turned by -phi about x,  sin(phi) = cant / base; with `pivot: low` the middle rises by |cant| / 2
 *
 *   (T5)  twist = y' . z = k f z' - phi',  f = 1 / |r'|: how the axes turn about x
 *
 * In a segment k, cant and gradient go from one end to the other by p(u), u = (s - s_0) / length, p = u (clothoid) or
 * p = 3 u^2 - 2 u^3. psi and z are polynomials. x and y are integrated by Gauss's formula with 8 points from
 * nodes that are so near each other that psi changes by less than 0.1 rad: to rounding.
 *
 *   (T4)  station of a point c: (c - r) . r' = 0, the nearest of all. The curve beside a node is not farther from it than it is
 *         long, which leaves out what is too far away (branch and bound); then Newton
 */
#include "model/wheel/rail/track.h"

#include <math.h>

typedef struct TmlTrackNode {
    double s, x, y, psi, z;
    int segment;
    double start, psi0, z0; /* of the segment: where it begins, heading and height there */
} TmlTrackNode;

enum { GAUSS = 8, MOST_NODES = 1000000 };

static const double most_turn = 0.1;  // rad, between two nodes
static const double most_gap = 100.0; // m, between two nodes

/* Points and weights on [-1, 1]. */
static const double gauss_x[GAUSS / 2] = {0.1834346424956498, 0.5255324099163290,
                                          0.7966664774136267, 0.9602898564975363};
static const double gauss_w[GAUSS / 2] = {0.3626837833783620, 0.3137066458778873,
                                          0.2223810344533745, 0.1012285362903763};

/* p(u), its derivative and its integral. */
static void blend(const TmlTrackSegment *g, double u, double p[3])
{
    if (g->smooth) {
        p[0] = u * u * (3.0 - 2.0 * u);
        p[1] = 6.0 * u * (1.0 - u);
        p[2] = u * u * u * (1.0 - 0.5 * u);
    } else {
        p[0] = u;
        p[1] = 1.0;
        p[2] = 0.5 * u * u;
    }
}

static double mixed(const double ends[2], double p)
{
    return ends[0] + p * (ends[1] - ends[0]);
}

/* The integral from the start of the segment. */
static double mixed_sum(const TmlTrackSegment *g, const double ends[2], double s, double sum)
{
    return ends[0] * s + sum * g->length * (ends[1] - ends[0]);
}

static double heading(const TmlTrackSegment *g, double psi0, double s)
{
    double p[3];
    blend(g, s / g->length, p);
    return psi0 + mixed_sum(g, g->curvature, s, p[2]);
}

/* x and y from s_0 on to s, both counted from the start of the segment. */
static void travel(const TmlTrackSegment *g, double psi0, double from, double to, double xy[2])
{
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double x = 0.0, y = 0.0;
    for (int k = 0; k < GAUSS; ++k) {
        const double at = k % 2 == 0 ? gauss_x[k / 2] : -gauss_x[k / 2];
        const double psi = heading(g, psi0, middle + half * at);
        x += gauss_w[k / 2] * cos(psi);
        y += gauss_w[k / 2] * sin(psi);
    }
    xy[0] += half * x;
    xy[1] += half * y;
}

static const TmlTrackSegment straight = {.length = 1.0};

static const TmlTrackSegment *segment_of(const TmlTrack *t, const TmlTrackNode *n)
{
    return t->n > 0 ? &t->segment[n->segment] : &straight;
}

static int pieces_of(const TmlTrackSegment *g)
{
    const double turn = fmax(fabs(g->curvature[0]), fabs(g->curvature[1])) * g->length;
    return 1 + (int)fmin(fmax(turn / most_turn, g->length / most_gap), MOST_NODES);
}

TmlStatus tml_track_prepare(TmlTrack *t, TmlArena *arena, TmlError *err)
{
    TmlTrackNode *node;
    int count = 1;
    for (int k = 0; k < t->n; ++k) {
        count += pieces_of(&t->segment[k]);
        if (count > MOST_NODES) {
            return tml_fail(err, TML_E_MODEL, "segment %d turns too often", k + 1);
        }
    }
    TML_NEW(arena, node, count);
    TmlTrackNode at = {0};
    int n = 0;
    for (int k = 0; k < t->n; ++k) {
        const TmlTrackSegment *g = &t->segment[k];
        const int pieces = pieces_of(g);
        double p[3];
        at.segment = k, at.start = at.s, at.psi0 = at.psi, at.z0 = at.z;
        for (int i = 0; i < pieces; ++i) {
            node[n++] = at;
            const double from = at.s - at.start, to = g->length * (i + 1) / pieces;
            double xy[2] = {at.x, at.y};
            travel(g, at.psi0, from, to, xy);
            blend(g, to / g->length, p);
            at.x = xy[0], at.y = xy[1], at.s = at.start + to;
            at.psi = heading(g, at.psi0, to);
            at.z = at.z0 + mixed_sum(g, g->gradient, to, p[2]);
        }
    }
    node[n++] = at;
    t->node = node;
    t->n_nodes = n;
    t->length = at.s;
    return TML_OK;
}

/* --- the curve --------------------------------------------------------------------------------- */

static const TmlTrackNode *node_before(const TmlTrack *t, double s)
{
    int low = 0, high = t->n_nodes - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(t->node[middle].s > s ? &high : &low) = middle;
    }
    return &t->node[low];
}

/* Plan, height and cant with derivatives by s. */
typedef struct Plan {
    TmlVec3 r;
    double psi, k, k1, z1, z2, z3, cant, cant1, cant2, cant3;
} Plan;

/* Beyond its ends a track goes on straight. */
static Plan plan_at(const TmlTrack *t, double s)
{
    const double inside = t->n > 0 ? fmin(fmax(s, 0.0), t->length) : 0.0, on = s - inside;
    const TmlTrackNode *n = node_before(t, inside);
    const TmlTrackSegment *g = segment_of(t, n);
    const double way = inside - n->start, u = way / g->length, L = g->length;
    double p[3], xy[2] = {n->x, n->y};
    blend(g, u, p);
    travel(g, n->psi0, n->s - n->start, way, xy);
    const double p1 = on == 0.0 ? p[1] / L : 0.0;
    const bool bends = on == 0.0 && g->smooth;
    const double p2 = bends ? 6.0 * (1.0 - 2.0 * u) / (L * L) : 0.0;
    const double p3 = bends ? -12.0 / (L * L * L) : 0.0;
    Plan o = {.psi = heading(g, n->psi0, way),
              .k = on == 0.0 ? mixed(g->curvature, p[0]) : 0.0,
              .k1 = p1 * (g->curvature[1] - g->curvature[0]),
              .z1 = mixed(g->gradient, p[0]),
              .z2 = p1 * (g->gradient[1] - g->gradient[0]),
              .z3 = p2 * (g->gradient[1] - g->gradient[0]),
              .cant = mixed(g->cant, p[0]),
              .cant1 = p1 * (g->cant[1] - g->cant[0]),
              .cant2 = p2 * (g->cant[1] - g->cant[0]),
              .cant3 = p3 * (g->cant[1] - g->cant[0])};
    o.r = v3(xy[0] + on * cos(o.psi), xy[1] + on * sin(o.psi),
             n->z0 + mixed_sum(g, g->gradient, way, p[2]) + on * o.z1);
    if (t->pivot_low) { // the cant changes its sign between two segments only
        const double sign = o.cant + o.cant1 < 0.0 ? -0.5 : 0.5;
        o.r.z += sign * o.cant;
        o.z1 += sign * o.cant1;
        o.z2 += sign * o.cant2;
        o.z3 += sign * o.cant3;
    }
    return o;
}

/* Columns turned about the first by the angle, with derivatives. */
static void canted(const Plan *q, double base, TmlTrackPoint *o)
{
    const double sine = q->cant / base, c = sqrt(1.0 - sine * sine);
    const double s1 = q->cant1 / base, c1 = -sine * s1 / c;
    TmlMat33 *A = &o->A, *dA = &o->dA;
    const TmlVec3 y = A->cy, z = A->cz, y1 = dA->cy, z1 = dA->cz;
    A->cy = v3_axpy(-sine, z, v3_scale(c, y)); // (T3)
    A->cz = v3_axpy(sine, y, v3_scale(c, z));
    dA->cy = v3_axpy(-s1, z, v3_axpy(c1, y, v3_axpy(-sine, z1, v3_scale(c, y1))));
    dA->cz = v3_axpy(s1, y, v3_axpy(c1, z, v3_axpy(sine, y1, v3_scale(c, z1))));
    o->twist -= s1 / c; // (T5)
    o->twist_rate -= q->cant2 / base / c + sine * s1 * s1 / (c * c * c);
}

void tml_track_at(const TmlTrack *t, double s, TmlTrackPoint *o)
{
    const Plan q = plan_at(t, s);
    const double c = cos(q.psi), n = sin(q.psi), f = 1.0 / sqrt(1.0 + q.z1 * q.z1);
    const double f1 = -f * f * f * q.z1 * q.z2;
    *o = (TmlTrackPoint){.r = q.r, .curvature = q.k, .cant = q.cant};
    o->dr = v3(c, n, q.z1); // (T1)
    o->ddr = v3(-n * q.k, c * q.k, q.z2);
    o->A.cx = v3_scale(f, o->dr); // (T2)
    o->dA.cx = v3_axpy(f1, o->dr, v3_scale(f, o->ddr));
    o->A.cy = v3(-n, c, 0.0);
    o->dA.cy = v3(-c * q.k, -n * q.k, 0.0);
    o->A.cz = v3_cross(o->A.cx, o->A.cy);
    o->dA.cz = v3_add(v3_cross(o->dA.cx, o->A.cy), v3_cross(o->A.cx, o->dA.cy));
    o->twist = q.k * f * q.z1; // (T5)
    o->twist_rate = q.k1 * f * q.z1 + q.k * (f1 * q.z1 + f * q.z2);
    canted(&q, t->base, o);
}

/* (a b)'' for the cross product of two vectors with their derivatives. */
static TmlVec3 cross_second(const TmlVec3 a[3], const TmlVec3 b[3])
{
    const TmlVec3 ends = v3_add(v3_cross(a[2], b[0]), v3_cross(a[0], b[2]));
    return v3_axpy(2.0, v3_cross(a[1], b[1]), ends);
}

/* (p a + q b)'' */
static TmlVec3 mixed_second(const double p[3], const TmlVec3 a[3], const double q[3],
                            const TmlVec3 b[3])
{
    TmlVec3 out = v3(0, 0, 0);
    for (int k = 0; k < 3; ++k) {
        const double times = k == 1 ? 2.0 : 1.0;
        out = v3_axpy(times * p[k], a[2 - k], v3_axpy(times * q[k], b[2 - k], out));
    }
    return out;
}

/* Derivatives of (T1) to (T3) once more. */
void tml_track_bend(const TmlTrack *t, double s, TmlTrackBend *o)
{
    const Plan q = plan_at(t, s);
    const double c = cos(q.psi), n = sin(q.psi), f = 1.0 / sqrt(1.0 + q.z1 * q.z1), f3 = f * f * f;
    const double f1 = -f3 * q.z1 * q.z2;
    const double f2 = -3.0 * f * f * f1 * q.z1 * q.z2 - f3 * (q.z2 * q.z2 + q.z1 * q.z3);
    const TmlVec3 r1 = v3(c, n, q.z1), r2 = v3(-n * q.k, c * q.k, q.z2), left = v3(-n, c, 0.0);
    const TmlVec3 along = v3(c, n, 0.0);
    o->dddr = v3_axpy(q.k1, left, v3_axpy(-q.k * q.k, along, v3(0, 0, q.z3)));
    const TmlVec3 x[3] = {v3_scale(f, r1), v3_axpy(f1, r1, v3_scale(f, r2)),
                          v3_axpy(f2, r1, v3_axpy(2.0 * f1, r2, v3_scale(f, o->dddr)))};
    const TmlVec3 y[3] = {left, v3_scale(-q.k, along),
                          v3_axpy(-q.k1, along, v3_scale(-q.k * q.k, left))};
    const TmlVec3 z[3] = {v3_cross(x[0], y[0]), v3_add(v3_cross(x[1], y[0]), v3_cross(x[0], y[1])),
                          cross_second(x, y)};
    const double sine[3] = {q.cant / t->base, q.cant1 / t->base, q.cant2 / t->base};
    const double C = sqrt(1.0 - sine[0] * sine[0]), C1 = -sine[0] * sine[1] / C;
    const double C2 = -(sine[1] * sine[1] + sine[0] * sine[2] + C1 * C1) / C;
    const double cosine[3] = {C, C1, C2}, minus[3] = {-sine[0], -sine[1], -sine[2]};
    o->ddA = (TmlMat33){x[2], mixed_second(cosine, y, minus, z), mixed_second(sine, y, cosine, z)};
}

/* --- stations ----------------------------------------------------------------------------------- */

/* The best piece so far, by its chord. */
typedef struct Search {
    const TmlTrack *t;
    TmlVec3 c;
    double s, distance;
} Search;

static TmlVec3 node_place(const TmlTrackNode *n)
{
    return v3(n->x, n->y, n->z);
}

/* The piece between a node and the next. */
static void look_at(Search *q, int k)
{
    const TmlTrackNode *a = &q->t->node[k], *b = a + 1;
    const TmlVec3 from = node_place(a), chord = v3_sub(node_place(b), from);
    const double u = v3_dot(v3_sub(q->c, from), chord) / v3_dot(chord, chord);
    const double inside = fmin(fmax(u, 0.0), 1.0);
    const double d = v3_norm(v3_sub(q->c, v3_axpy(inside, chord, from)));
    if (d < q->distance) {
        q->distance = d;
        q->s = a->s + u * (b->s - a->s);
    }
}

/* Looks at pieces from a node to another, unless none of them can be nearer than what is known. */
static void search(Search *q, int from, int to)
{
    enum { DEPTH = 64 };
    int left[DEPTH][2] = {{from, to}}, n = 1;
    while (n > 0) {
        --n;
        const int a = left[n][0], b = left[n][1], m = (a + b) / 2;
        if (b - a == 1) {
            look_at(q, a);
            continue;
        }
        const TmlTrackNode *node = q->t->node;
        const double reach = fmax(node[b].s - node[m].s, node[m].s - node[a].s);
        const double d = v3_norm(v3_sub(q->c, node_place(&node[m])));
        // a gradient makes the curve longer than its plan: 5 % for one of 30 %
        if (d - 1.05 * reach > q->distance) {
            continue;
        }
        const bool first = v3_norm(v3_sub(q->c, node_place(&node[a]))) <
                           v3_norm(v3_sub(q->c, node_place(&node[b])));
        left[n][0] = first ? m : a, left[n][1] = first ? b : m; // the nearer one is looked at next
        left[n + 1][0] = first ? a : m, left[n + 1][1] = first ? m : b;
        n += 2;
    }
}

double tml_track_station(const TmlTrack *t, TmlVec3 c)
{
    if (t->n == 0) {
        return c.x;
    }
    Search q = {.t = t, .c = c, .distance = HUGE_VAL};
    search(&q, 0, t->n_nodes - 1);
    double s = q.s;
    TmlTrackPoint p;
    for (int k = 0; k < 50; ++k) { // (T4)
        tml_track_at(t, s, &p);
        const TmlVec3 d = v3_sub(c, p.r);
        const double step = v3_dot(d, p.dr) / (v3_dot(p.dr, p.dr) - v3_dot(d, p.ddr));
        s += step;
        if (!(fabs(step) > 1e-12 * (1.0 + fabs(s)))) {
            break;
        }
    }
    return s;
}
