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

void tml_segment_hull(const TmlSystem *sys, int element, int level, TmlVec3 out[4])
{
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

void tml_travel_place(const TmlSystem *sys, const TmlCarrier *c, double xi)
{
    tml_flex_point_move(sys->model, &sys->flex->at[c->point - 1], xi);
    tml_flex_point_kin(sys, c->point - 1);
    sys->kin[c->end] = sys->flex->point[c->point - 1].k; // the end has no offset
}

/* --- where the other shape is closest ------------------------------------------------------------------ */

/* The pair with the sphere at one place of the element. */
typedef struct Look {
    double fall, slope; /* -phi of (V1), and its derivative by x */
    double depth;
    TmlVec3 c, a, N;
    TmlMat33 G;
} Look;

typedef struct Other {
    TmlShape shape, sphere;
    TmlVec3 origin;
    TmlMat33 R;
    double reach;
} Other;

static Other other_of(const TmlSystem *sys, const TmlNear *near, int side, double reach)
{
    const TmlBodyShape *o = &sys->model->shapes.at[near->shape[1 - side]];
    const TmlBodyShape *s = &sys->model->shapes.at[near->shape[side]];
    const TmlFrameKin *e = &sys->kin[tml_near_end(sys, near, 1 - side)];
    TmlVec3 hull[4];
    double size = 0.0;
    tml_segment_hull(sys, s->element - 1, 0, hull);
    for (int k = 0; k < 3; ++k) {
        size += v3_norm(v3_sub(hull[k + 1], hull[k]));
    }
    return (Other){.shape = o->shape,
                   .sphere = s->shape,
                   .origin = v3_add(e->r, m3_mulv(&e->A, o->place.r)),
                   .R = m3_mul(&e->A, &o->place.A),
                   // what is within reach somewhere on the element is seen from all of it
                   .reach = fmax(reach, tml_near_reach(sys, near)) + 2.0 * size};
}

/* False: the shapes are too far apart. */
static bool look(const TmlSystem *sys, int element, double xi, const Other *o, Look *out)
{
    const TmlCurveSpot spot = tml_curve_spot(sys, element, xi);
    TmlTouch touch[TML_TOUCH_MAX];
    TmlTouchRate rate[TML_TOUCH_MAX];
    out->c = spot.r;
    out->a = spot.a;
    const TmlMat33 back = m3_transpose(&o->R);
    const TmlPose pose = {m3_tmulv(&o->R, v3_sub(out->c, o->origin)), back};
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
    out->depth = touch[best].depth;
    out->N = m3_mulv(&o->R, touch[best].n);
    out->G = m3_mul(&half, &back);
    out->fall = -v3_dot(out->N, out->a);
    out->slope = -(v3_dot(out->a, m3_mulv(&out->G, out->a)) + v3_dot(out->N, spot.bend)); // (V2)
    return true;
}

/* (V1) between two places with fall >= 0 and fall < 0: Newton, halves where that leaves them. */
static bool descend(const TmlSystem *sys, int element, const Other *o, double low, double high,
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

static Best closest(const TmlSystem *sys, const TmlCarrier *c, const Other *o)
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
            better(&best, xi, false, root.depth);
        }
    }
    if (c->open[0] && at[0].fall < 0.0) {
        better(&best, 0.0, true, at[0].depth);
    }
    if (c->open[1] && at[PIECES].fall >= 0.0) {
        better(&best, 1.0, true, at[PIECES].depth);
    }
    return best;
}

bool tml_travel(const TmlSystem *sys, const TmlNear *near, double reach)
{
    if (tml_carrier_of(sys, near->shape[0])->segment &&
        tml_carrier_of(sys, near->shape[1])->segment) {
        return tml_travel_both(sys, near);
    }
    for (int side = 0; side < 2; ++side) {
        TmlCarrier *c = &sys->touching->carrier[near->carrier[side]];
        if (!c->segment) {
            continue;
        }
        const Other o = other_of(sys, near, side, reach);
        const Best best = closest(sys, c, &o);
        if (!best.found) {
            return false;
        }
        c->fixed = best.fixed;
        tml_travel_place(sys, c, best.xi);
    }
    return true;
}

/* --- derivatives ----------------------------------------------------------------------------------------- */

/* What moves the point: rows of (V4) for both ends, by their columns. */
static void place_rows(const TmlSystem *sys, const TmlNear *near, int side, const Look *at,
                       double c_q, double row[2][TML_END_MAX_NU])
{
    const TmlCarrier *c = &sys->touching->carrier[near->carrier[side]];
    const TmlFlexOwner *owner = &sys->flex->element[c->element];
    const int other = tml_near_end(sys, near, 1 - side);
    const TmlVec3 q = m3_tmulv(&at->G, at->a), arm = v3_sub(at->c, sys->kin[other].r);
    const double by = c_q / at->slope; // phi_x is minus that
    const TmlFlexPoint *p = &sys->flex->at[c->point - 1];
    double slope[TML_FLEX_MAX_VECTORS], bend[TML_FLEX_MAX_VECTORS];
    bend_weights(sys, c->element, p->xi[0], slope, bend);
    memset(row[side], 0, (size_t)owner->parts.cols * sizeof **row);
    for (int i = 0; i < owner->n; ++i) {
        const TmlVec3 f = v3_scale(by, v3_axpy(p->s[0][i], q, v3_scale(slope[i], at->N)));
        const double F[3] = {f.x, f.y, f.z};
        tml_vector_dual(sys, owner->vector[i], &owner->parts, F, 1, row[side]);
    }
    const TmlRow w = {v3_scale(-by, q),
                      v3_scale(by, v3_sub(v3_cross(at->N, at->a), v3_cross(arm, q)))};
    if (tml_end_parts(sys, other)->cols > 0) {
        tml_end_dual_one(sys, other, &w, row[1 - side]);
    }
}

void tml_travel_wrench(const double *Kq, const double *Kv, int side, TmlVec3 a, TmlVec3 v_x,
                       TmlVec3 omega_x, TmlRow dw[2])
{
    const double motion[3] = {a.x, a.y, a.z};
    const double twist[6] = {v_x.x, v_x.y, v_x.z, omega_x.x, omega_x.y, omega_x.z};
    double d[PAIR_SIZE];
    for (int r = 0; r < PAIR_SIZE; ++r) {
        d[r] = 0.0;
        for (int k = 0; k < 3; ++k) {
            d[r] += Kq[r * PAIR_SIZE + 6 * side + k] * motion[k];
        }
        for (int k = 0; k < 6; ++k) {
            d[r] += Kv[r * PAIR_SIZE + 6 * side + k] * twist[k];
        }
    }
    for (int e = 0; e < 2; ++e) {
        dw[e] = (TmlRow){{d[6 * e], d[6 * e + 1], d[6 * e + 2]},
                         {d[6 * e + 3], d[6 * e + 4], d[6 * e + 5]}};
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

/* One point travels. */
static void one_blocks(TmlSystem *sys, TmlNear *near, const TmlPairForce *force, const double *Kq,
                       const double *Kv, TmlCoeffs co)
{
    const int side = tml_carrier_of(sys, near->shape[0])->segment ? 0 : 1;
    const TmlCarrier *c = tml_carrier_of(sys, near->shape[side]);
    const Other o = other_of(sys, near, side, 0.0);
    Look at;
    if (c->fixed || !look(sys, c->element, sys->flex->at[c->point - 1].xi[0], &o, &at)) {
        return;
    }
    double row[2][TML_END_MAX_NU], column[2][TML_END_MAX_NU], turned[TML_END_MAX_NU];
    double block[TML_END_MAX_NU * TML_END_MAX_NU];
    TmlVec3 v_x, omega_x;
    TmlRow dw[2];
    place_rows(sys, near, side, &at, co.q, row);
    tml_flex_end_travel(sys, c->end, &force->w[side], &v_x, &omega_x, turned);
    tml_travel_wrench(Kq, Kv, side, at.a, v_x, omega_x, dw);
    for (int e = 0; e < 2; ++e) {
        if (tml_end_parts(sys, tml_near_end(sys, near, e))->cols > 0) {
            tml_end_dual_one(sys, tml_near_end(sys, near, e), &dw[e], column[e]);
        }
    }
    for (int k = 0; k < tml_end_parts(sys, c->end)->cols; ++k) {
        column[side][k] += turned[k];
    }
    for (int i = 0; i < 2; ++i) {
        const int ni = tml_end_parts(sys, tml_near_end(sys, near, i))->cols;
        for (int j = 0; j < 2; ++j) {
            const int nj = tml_end_parts(sys, tml_near_end(sys, near, j))->cols;
            for (int k = 0; k < ni * nj; ++k) {
                block[k] = -column[i][k / nj] * row[j][k % nj];
            }
            if (ni > 0 && nj > 0) {
                tml_near_add(sys, near, i, j, block);
            }
        }
    }
}

void tml_travel_blocks(TmlSystem *sys, TmlNear *near, const TmlPairIn *in, const double *Kq,
                       const double *Kv, TmlCoeffs co)
{
    TmlPairIn quiet = *in;
    TmlPairForce force;
    int segments = 0;
    quiet.watch = NULL;
    tml_pair_force(&quiet, &force, NULL);
    for (int side = 0; side < 2; ++side) {
        const TmlCarrier *c = tml_carrier_of(sys, near->shape[side]);
        if (c->segment) {
            add_geometric(sys, near, side, &force.w[side], co);
            ++segments;
        }
    }
    if (segments == 2) {
        tml_travel_both_blocks(sys, near, &force, Kq, Kv, co);
    } else {
        one_blocks(sys, near, &force, Kq, Kv, co);
    }
}
