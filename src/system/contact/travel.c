/* system/contact/travel.c - points that travel along flexible lines: the closest one of an element to another shape.
 *
 * The axis r(x) of an element is smooth, and so is the next one where it begins. With N the normal out of the other
 * shape and G its derivative by the place of a sphere (all at c = r(x), a = r_x):
 *
 *   (V1)  phi = N . a = 0, the depth is largest there: -phi falls through zero; x in [0, l) of each element, so that a
 *         point at a node belongs to one of the two alone
 *   (V2)  phi_x = a . G a + N . r_xx
 *   (V3)  dN = G (dc - dr_o - dtheta_o x (c - r_o)) + dtheta_o x N          o: the frame of the other shape
 *   (V4)  dx = -(a . G dr + N . da - q . dr_o + dtheta_o . (N x a - (c - r_o) x q)) / phi_x,  q = G^T a, dr, da at fixed x
 *   (V5)  dw = Kq (dX + (a dx)) + Kv (dV + (r_x', omega_x) dx);  d(T^T w) = T^T dw + (T_x^T w) dx + geometric
 *
 * Where a polyline has a corner two elements end. A shape that is closest to the corner itself touches it once: the point is that of the
 * element behind, while the one before would go on beyond its end and the one behind before its beginning.
 *
 * The depth itself does not see (V4), an envelope; the force N does. At a free end of a line the point stays: dx = 0.
 * Text: docs/theory/contact_flexible.md
 */
#include "system/contact/travel.h"

#include "math/vec3.h"
#include "model/force/pair.h"
#include "system/matrix/blocks.h"

#include <math.h>
#include <string.h>

enum { PIECES = 4, ROUNDS = 60 };

/* --- the axis of an element -------------------------------------------------------------------------- */

static const TmlFlexType *type_of(const TmlSystem *sys, int element)
{
    return sys->model->meshes.at[sys->model->flexes.at[element].mesh].type;
}

static TmlVec3 weighted(const TmlSystem *sys, int element, int level, const double *s)
{
    const TmlFlexType *type = type_of(sys, element);
    TmlVec3 sum = v3(0, 0, 0);
    for (int i = 0; i < type->nodes * type->vectors; ++i) {
        sum = v3_axpy(s[i], tml_flex_vector(sys, element, i, level), sum);
    }
    return sum;
}

int tml_segment_hull(const TmlSystem *sys, const TmlCarrier *c, int level, TmlVec3 out[TML_HULL])
{
    const int element = c->element;
    if (c->sheet != TML_SHEET_NONE) {
        return tml_sheet_hull(sys, c, level, out);
    }
    const TmlFlexType *type = type_of(sys, element);
    const double third = sys->model->flexes.at[element].size[0] / 3.0;
    for (int node = 0; node < 2; ++node) {
        TmlVec3 r = v3(0, 0, 0), a = r;
        for (int k = 0; k < type->vectors; ++k) {
            const TmlVec3 x = tml_flex_vector(sys, element, node * type->vectors + k, level);
            r = type->kind[k] == TML_FLEX_R ? x : r;
            a = type->kind[k] == TML_FLEX_RX ? x : a;
        }
        out[3 * node] = r;
        out[1 + node] = v3_axpy(node == 0 ? third : -third, a, r);
    }
    return 4;
}

void tml_segment_ball(const TmlVec3 *hull, int n, TmlVec3 *middle, double *radius)
{
    *middle = v3(0, 0, 0);
    *radius = 0.0;
    for (int k = 0; k < n; ++k) {
        *middle = v3_axpy(1.0 / n, hull[k], *middle);
    }
    for (int k = 0; k < n; ++k) {
        *radius = fmax(*radius, v3_norm(v3_sub(hull[k], *middle)));
    }
}

/* Weights of r_x, and of r_xx: the former are polynomials of degree two, whose differences are exact. */
static void bend_weights(const TmlSystem *sys, int element, double xi, double *slope, double *bend)
{
    const TmlFlex *flex = &sys->model->flexes.at[element];
    const TmlFlexType *type = type_of(sys, element);
    const double h = 0.25, by = 1.0 / (2.0 * h * flex->size[0]);
    const double low[3] = {xi - h, 0, 0}, at[3] = {xi, 0, 0}, high[3] = {xi + h, 0, 0};
    double before[TML_FLEX_MAX_VECTORS];
    type->shape(flex->data, flex->table, at, TML_FLEX_RX, slope);
    type->shape(flex->data, flex->table, low, TML_FLEX_RX, before);
    type->shape(flex->data, flex->table, high, TML_FLEX_RX, bend);
    for (int i = 0; i < type->nodes * type->vectors; ++i) {
        bend[i] = (bend[i] - before[i]) * by;
    }
}

TmlCurveSpot tml_curve_spot(const TmlSystem *sys, int element, double xi)
{
    const TmlFlex *flex = &sys->model->flexes.at[element];
    const double at[3] = {xi, 0, 0};
    double s[TML_FLEX_MAX_VECTORS], bend[TML_FLEX_MAX_VECTORS];
    TmlCurveSpot out;
    type_of(sys, element)->shape(flex->data, flex->table, at, TML_FLEX_R, s);
    bend_weights(sys, element, xi, out.slope, bend);
    out.r = weighted(sys, element, 0, s);
    out.a = weighted(sys, element, 0, out.slope);
    out.bend = weighted(sys, element, 0, bend);
    return out;
}

void tml_travel_place(const TmlSystem *sys, const TmlCarrier *c, const double xi[3])
{
    tml_flex_point_move(sys->model, &sys->flex->at[c->point - 1], xi);
    tml_flex_point_kin(sys, c->point - 1);
    sys->kin[c->end] = sys->flex->point[c->point - 1].k; // the end has no offset
}

/* --- where the other shape is closest ------------------------------------------------------------------ */

TmlOther tml_other_of(const TmlSystem *sys, const TmlNear *near, int side, double reach)
{
    const TmlBodyShape *o = &sys->model->shapes.at[near->shape[1 - side]];
    const TmlBodyShape *s = &sys->model->shapes.at[near->shape[side]];
    const TmlFrameKin *e = &sys->kin[tml_near_end(sys, near, 1 - side)];
    const TmlCarrier *c = tml_carrier_of(sys, near->shape[side]);
    return (TmlOther){.shape = o->shape,
                      .sphere = s->shape,
                      .origin = v3_add(e->r, m3_mulv(&e->A, o->place.r)),
                      .R = m3_mul(&e->A, &o->place.A),
                      // what is within reach somewhere on the element is seen from all of it
                      .reach =
                          fmax(reach, tml_near_reach(sys, near)) + 4.0 * (c->ball + c->margin)};
}

bool tml_other_look(const TmlOther *o, TmlVec3 centre, TmlLook *out)
{
    TmlTouch touch[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    const TmlMat33 back = m3_transpose(&o->R);
    const TmlPose pose = {m3_tmulv(&o->R, v3_sub(centre, o->origin)), back};
    const int n = tml_touch(&o->shape, &o->sphere, &pose, o->reach, touch, rate);
    int best = 0;
    for (int k = 1; k < n; ++k) {
        best = touch[k].depth > touch[best].depth ? k : best;
    }
    if (n <= 0) {
        return false;
    }
    const TmlMat33 own = {rate[best].n[0], rate[best].n[1], rate[best].n[2]};
    const TmlMat33 half = m3_mul(&o->R, &own);
    *out = (TmlLook){touch[best].depth, m3_mulv(&o->R, touch[best].n), m3_mul(&half, &back)};
    return true;
}

/* The pair with the sphere at one place of the axis. */
typedef struct Look {
    double fall, slope; /* -phi of (V1), and its derivative by x */
    TmlVec3 c, a;
    TmlLook at;
} Look;

static bool look(const TmlSystem *sys, int element, double xi, const TmlOther *o, Look *out)
{
    const TmlCurveSpot spot = tml_curve_spot(sys, element, xi);
    out->c = spot.r;
    out->a = spot.a;
    if (!tml_other_look(o, spot.r, &out->at)) {
        return false;
    }
    const TmlVec3 N = out->at.N;
    out->fall = -v3_dot(N, out->a);
    out->slope = -(v3_dot(out->a, m3_mulv(&out->at.G, out->a)) + v3_dot(N, spot.bend)); // (V2)
    return true;
}

/* (V1) between two places with fall >= 0 and fall < 0: Newton, halves where that leaves them. */
static bool descend(const TmlSystem *sys, int element, const TmlOther *o, double low, double high,
                    double *xi, Look *at)
{
    const double size = sys->model->flexes.at[element].size[0];
    double x = 0.5 * (low + high);
    for (int k = 0; k < ROUNDS; ++k) {
        if (!look(sys, element, x, o, at)) {
            return false;
        }
        if (at->fall >= 0.0) {
            low = x;
        } else {
            high = x;
        }
        const double next = x - at->fall / (at->slope * size);
        *xi = x;
        if (fabs(next - x) <= 1e-15 || high - low <= 1e-15) {
            break;
        }
        x = next > low && next < high ? next : 0.5 * (low + high);
    }
    return true;
}

bool tml_travel_end_counts(const TmlSystem *sys, const TmlCarrier *c, int end, TmlVec3 N)
{
    if (c->corner[end] == 0) {
        return true;
    }
    return end == 0 && -v3_dot(N, tml_curve_spot(sys, c->corner[0] - 1, 1.0).a) >= 0.0;
}

typedef struct Best {
    bool found, fixed;
    double xi, depth;
} Best;

static void better(Best *best, double xi, bool fixed, double depth)
{
    if (!best->found || depth > best->depth) {
        *best = (Best){true, fixed, xi, depth};
    }
}

static Best closest(const TmlSystem *sys, const TmlCarrier *c, const TmlOther *o)
{
    Best best = {0};
    Look at[PIECES + 1];
    for (int k = 0; k <= PIECES; ++k) {
        if (!look(sys, c->element, (double)k / PIECES, o, &at[k])) {
            return best;
        }
    }
    for (int k = 0; k < PIECES; ++k) {
        double xi;
        Look root;
        if (at[k].fall >= 0.0 && at[k + 1].fall < 0.0 &&
            descend(sys, c->element, o, (double)k / PIECES, (double)(k + 1) / PIECES, &xi, &root)) {
            better(&best, xi, false, root.at.depth);
        }
    }
    if (c->open[0] && at[0].fall < 0.0 && tml_travel_end_counts(sys, c, 0, at[0].at.N)) {
        better(&best, 0.0, true, at[0].at.depth);
    }
    if (c->open[1] && at[PIECES].fall >= 0.0 && tml_travel_end_counts(sys, c, 1, at[PIECES].at.N)) {
        better(&best, 1.0, true, at[PIECES].at.depth);
    }
    return best;
}

static bool travel_line(const TmlSystem *sys, const TmlNear *near, int side, double reach)
{
    TmlCarrier *c = &sys->touching->carrier[near->carrier[side]];
    const TmlOther o = tml_other_of(sys, near, side, reach);
    const Best best = closest(sys, c, &o);
    const double xi[3] = {best.xi, 0.0, 0.0};
    if (best.found) {
        c->fixed[0] = best.fixed;
        tml_travel_place(sys, c, xi);
    }
    return best.found;
}

/* The segment of a pair whose other shape is none. */
static int side_of(const TmlSystem *sys, const TmlNear *near)
{
    return tml_carrier_of(sys, near->shape[0])->segment ? 0 : 1;
}

static bool both_travel(const TmlSystem *sys, const TmlNear *near)
{
    return tml_carrier_of(sys, near->shape[0])->segment &&
           tml_carrier_of(sys, near->shape[1])->segment;
}

bool tml_travel(const TmlSystem *sys, const TmlNear *near, double reach)
{
    const int side = side_of(sys, near);
    const bool sheet = tml_carrier_of(sys, near->shape[side])->sheet != TML_SHEET_NONE;
    return both_travel(sys, near) ? tml_travel_both(sys, near)
           : sheet                ? tml_travel_sheet(sys, near, side, reach)
                                  : travel_line(sys, near, side, reach);
}

/* --- derivatives ----------------------------------------------------------------------------------------- */

void tml_travel_row(const TmlSystem *sys, const TmlNear *near, int side, const TmlLook *at,
                    TmlVec3 c, TmlVec3 a, const double *slope, double by,
                    double row[2][TML_END_MAX_NU])
{
    const TmlCarrier *own = tml_carrier_of(sys, near->shape[side]);
    const TmlFlexOwner *owner = &sys->flex->element[own->element];
    const TmlFlexPoint *p = &sys->flex->at[own->point - 1];
    const int other = tml_near_end(sys, near, 1 - side);
    const TmlVec3 q = m3_tmulv(&at->G, a), arm = v3_sub(c, sys->kin[other].r);
    memset(row[side], 0, (size_t)owner->parts.cols * sizeof **row);
    for (int i = 0; i < owner->n; ++i) {
        const TmlVec3 f = v3_scale(by, v3_axpy(p->s[0][i], q, v3_scale(slope[i], at->N)));
        const double F[3] = {f.x, f.y, f.z};
        tml_vector_dual(sys, owner->vector[i], &owner->parts, F, 1, row[side]);
    }
    const TmlRow w = {v3_scale(-by, q), v3_scale(by, v3_sub(v3_cross(at->N, a), v3_cross(arm, q)))};
    if (tml_end_parts(sys, other)->cols > 0) {
        tml_end_dual_one(sys, other, &w, row[1 - side]);
    }
}

/* (V4) of a line. */
static int line_ways(const TmlSystem *sys, const TmlNear *near, int side, double c_q,
                     TmlWay out[TML_WAYS])
{
    const TmlCarrier *c = tml_carrier_of(sys, near->shape[side]);
    const double xi = sys->flex->at[c->point - 1].xi[0];
    const TmlOther o = tml_other_of(sys, near, side, 0.0);
    double slope[TML_FLEX_MAX_VECTORS], bend[TML_FLEX_MAX_VECTORS];
    Look at;
    if (c->fixed[0] || !look(sys, c->element, xi, &o, &at)) {
        return 0;
    }
    out[0] = (TmlWay){.side = side, .way = 0, .a = at.a};
    bend_weights(sys, c->element, xi, slope, bend);
    // phi_x is minus the slope
    tml_travel_row(sys, near, side, &at.at, at.c, at.a, slope, c_q / at.slope, out[0].row);
    return 1;
}

int tml_travel_ways(const TmlSystem *sys, const TmlNear *near, double c_q, TmlWay out[TML_WAYS])
{
    const int side = side_of(sys, near);
    const bool sheet = tml_carrier_of(sys, near->shape[side])->sheet != TML_SHEET_NONE;
    const int n = both_travel(sys, near) ? tml_travel_both_ways(sys, near, c_q, out)
                  : sheet                ? tml_travel_sheet_ways(sys, near, side, c_q, out)
                                         : line_ways(sys, near, side, c_q, out);
    const TmlRow none = {{0, 0, 0}, {0, 0, 0}};
    double turned[TML_END_MAX_NU];
    for (int k = 0; k < n; ++k) {
        TmlWay *x = &out[k];
        tml_flex_end_travel(sys, tml_near_end(sys, near, x->side), x->way, &none, &x->v_x,
                            &x->omega_x, turned);
    }
    return n;
}

/* How the wrenches on both frames change along a way at fixed vectors, (V5). */
static void way_wrench(const double *Kq, const double *Kv, const TmlWay *x, TmlRow dw[2])
{
    const double motion[3] = {x->a.x, x->a.y, x->a.z};
    const double twist[6] = {x->v_x.x,     x->v_x.y,     x->v_x.z,
                             x->omega_x.x, x->omega_x.y, x->omega_x.z};
    double d[PAIR_SIZE];
    for (int r = 0; r < PAIR_SIZE; ++r) {
        d[r] = 0.0;
        for (int k = 0; k < 3; ++k) {
            d[r] += Kq[r * PAIR_SIZE + 6 * x->side + k] * motion[k];
        }
        for (int k = 0; k < 6; ++k) {
            d[r] += Kv[r * PAIR_SIZE + 6 * x->side + k] * twist[k];
        }
    }
    for (int e = 0; e < 2; ++e) {
        dw[e] = (TmlRow){{d[6 * e], d[6 * e + 1], d[6 * e + 2]},
                         {d[6 * e + 3], d[6 * e + 4], d[6 * e + 5]}};
    }
}

/* Adds what one way does to the blocks of a pair: column times row, (V5). */
static void add_way(TmlSystem *sys, const TmlNear *near, const TmlPairForce *force,
                    const double *Kq, const double *Kv, const TmlWay *x)
{
    const int end[2] = {tml_near_end(sys, near, 0), tml_near_end(sys, near, 1)};
    double column[2][TML_END_MAX_NU], turned[TML_END_MAX_NU];
    double block[TML_END_MAX_NU * TML_END_MAX_NU];
    TmlVec3 v_x, omega_x;
    TmlRow dw[2];
    tml_flex_end_travel(sys, end[x->side], x->way, &force->w[x->side], &v_x, &omega_x, turned);
    way_wrench(Kq, Kv, x, dw);
    for (int e = 0; e < 2; ++e) {
        if (tml_end_parts(sys, end[e])->cols > 0) {
            tml_end_dual_one(sys, end[e], &dw[e], column[e]);
        }
    }
    for (int k = 0; k < tml_end_parts(sys, end[x->side])->cols; ++k) {
        column[x->side][k] += turned[k];
    }
    for (int i = 0; i < 2; ++i) {
        const int ni = tml_end_parts(sys, end[i])->cols;
        for (int j = 0; j < 2; ++j) {
            const int nj = tml_end_parts(sys, end[j])->cols;
            for (int k = 0; k < ni * nj; ++k) {
                block[k] = -column[i][k / nj] * x->row[j][k % nj];
            }
            if (ni > 0 && nj > 0) {
                tml_near_add(sys, near, i, j, block);
            }
        }
    }
}

/* What turning axes do to the force on a segment, where its point is. */
static void add_geometric(TmlSystem *sys, const TmlNear *near, int side, const TmlRow *w,
                          TmlCoeffs co)
{
    const TmlRow back = {v3_neg(w->r), v3_neg(w->theta)};
    double G[TML_END_MAX_NU * TML_END_MAX_NU] = {0};
    tml_end_geometric(sys, tml_near_end(sys, near, side), &back, co.q, G);
    tml_near_add(sys, near, side, side, G);
}

void tml_travel_blocks(TmlSystem *sys, TmlNear *near, const TmlPairIn *in, const double *Kq,
                       const double *Kv, TmlCoeffs co)
{
    TmlPairIn quiet = *in;
    TmlPairForce force;
    TmlWay way[TML_WAYS];
    quiet.watch = NULL;
    tml_pair_force(&quiet, &force, NULL);
    for (int side = 0; side < 2; ++side) {
        if (tml_carrier_of(sys, near->shape[side])->segment) {
            add_geometric(sys, near, side, &force.w[side], co);
        }
    }
    const int n = tml_travel_ways(sys, near, co.q, way);
    for (int k = 0; k < n; ++k) {
        add_way(sys, near, &force, Kq, Kv, &way[k]);
    }
}
