/* system/contact/onset.c - when the next gap closes, and how long the first step behind it may be.
 *
 *   (O1)  a step of size h from the onset does not know the force F(v h) that it ends with; an implicit method of
 *         order two is wrong by C h^2 F / m in the position, C = 1/12 + alpha^2 / 4 < 1/9
 *   (O2)  1 / m = sum over both bodies of n.M^-1 n along the normal, by the diagonal metric of the system
 *   (O3)  a step of size T that passes an onset at t is wrong by T^2 F(v (T - t)) / (2 m) at most, whatever the method: it
 *         need not end there while that is allowed. T_k: how long it may be for the k-th onset
 *   (O5)  a step of size T within which the force of a point ends at t takes it for a straight line from the F at its start to the
 *         end of the step, whatever is between: the impulse is too large by up to F (T - t) / 2, and bodies part with too
 *         much energy. The displacement T^2 F / (2 m) is allowed or the step ends at t, as with (O3). F is that of two
 *         steps before: methods with a memory have it in their formulas
 *   (O6)  the acceleration that tells t has a part F / m that ends there: the gap opens later, by F t^2 / (m v) times 1/2 - 1/(n+2) for a
 *         force as d^n; a third is behind it for n up to 4
 *   (O7)  a step that lands behind a release by x takes the force 0 for the F(x) that its formulas go on with, and a force as d^n
 *         has no derivatives of high order there: an impulse of up to T max(F(x), |F(d) - 2 F(d/2)| / 50), which methods of high
 *         order feel in velocities. Where that is not allowed the step takes a part of the time that is left
 *   (O4)  steps end on the last onset that is no later than all T_k: several that are close together take one landing
 */
#include "system/contact/touching.h"

#include "math/vec3.h"
#include "system/matrix/blocks.h"

#include <math.h>

static const double error_constant = 1.0 / 9.0; // (O1)
static const double part_of_bend = 0.02;        // (O7)

double tml_near_reach(const TmlSystem *sys, const TmlNear *near)
{
    return tml_carrier_of(sys, near->shape[0])->margin +
           tml_carrier_of(sys, near->shape[1])->margin;
}

/* Returns (O2) of a point of a flexible body, by the vectors of its element. */
static double point_mobility(const TmlSystem *sys, int end, const TmlRow *w)
{
    const TmlParts *p = tml_end_parts(sys, end);
    double *x = sys->room.row[0], sum = 0.0;
    tml_end_dual_one(sys, end, w, x);
    for (int k = 0; k < p->cols; ++k) {
        sum += x[k] * x[k] * sys->inverse_mass[tml_parts_unknown(sys, p, k)];
    }
    return sum;
}

/* Returns (O2) of one body: what a force of 1 N along n at p accelerates the point by. */
static double mobility(const TmlSystem *sys, const TmlCarrier *c, TmlVec3 p, TmlVec3 n)
{
    const TmlVec3 arm = v3_cross(v3_sub(p, sys->kin[c->end].r), n);
    const TmlRow w = {n, arm};
    if (c->point > 0) {
        return point_mobility(sys, c->end, &w);
    }
    const TmlBodySpan *span = &sys->dim.span[c->body];
    const double *inv = sys->inverse_mass + span->u0;
    const double x[6] = {n.x, n.y, n.z, arm.x, arm.y, arm.z};
    double sum = 0.0;
    for (int k = 0; k < span->nu && k < 6; ++k) {
        sum += x[k] * x[k] * inv[k];
    }
    return sum;
}

/* (O1): displacement that a step of size h does not see. */
static double unseen(const TmlPairIn *in, const TmlPairPoint *p, double mobility, double h)
{
    const double depth = fmax(p->rate * h, 0.0);
    const TmlPressIn press = {.data = in->law->press_data,
                              .depth = depth,
                              .size = 0.0,
                              .rate = p->rate,
                              .curvature = {p->curvature[0], p->curvature[1]},
                              .entry = fmax(p->rate, 0.0)};
    TmlPress out;
    in->law->press->press(&press, &out);
    return error_constant * h * h * fabs(out.force) * (in->weight > 0.0 ? in->weight : 1.0) *
           mobility;
}

static double point_step(const TmlPairIn *in, const TmlPairPoint *p, double mobility,
                         double allowed, double most)
{
    double h = most;
    // the force grows with h: halves are near enough to the root
    for (int k = 0; k < 60 && unseen(in, p, mobility, h) > allowed; ++k) {
        h *= 0.5;
    }
    return h;
}

double tml_system_onset_step(TmlSystem *sys, double allowed, double most)
{
    const struct TmlTouching *t = sys->touching;
    TmlPairPoint point[TML_TOUCH_MAX];
    double h = most;
    tml_near_look(sys, most);
    for (int k = 0; k < t->n; ++k) {
        TmlNear *near = &t->near[k];
        if (tml_near_sleeps(t, near)) {
            continue;
        }
        const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
        const TmlCarrier *a = tml_carrier_of(sys, near->shape[0]);
        const TmlCarrier *b = tml_carrier_of(sys, near->shape[1]);
        TmlPairForce force;
        const int n = tml_pair_force(&in, &force, point);
        for (int i = 0; i < n; ++i) {
            const TmlPairPoint *p = &point[i];
            // a point that closes within the step, or has closed in less time than it takes
            if (p->rate > 0.0 && fabs(p->depth) < p->rate * h && p->size == 0.0) {
                const double sum = mobility(sys, a, p->p, p->n) + mobility(sys, b, p->p, p->n);
                h = point_step(&in, p, sum, allowed, h);
            }
        }
    }
    return h;
}

/* --- landing --------------------------------------------------------------------------------------- */

/* (O3) of one point: v is the speed with which it closes, at constant acceleration. */
static double point_passes(const TmlPairIn *in, const TmlPairPoint *p, double mobility,
                           double onset, double allowed, double most)
{
    enum { HALVES = 20 };
    TmlPairPoint closing = *p;
    double low = onset, high = most;
    closing.rate = fmax(p->rate, 2.0 * fmax(-p->depth, 0.0) / onset - p->rate);
    for (int k = 0; k <= HALVES; ++k) {
        const double T = k == 0 ? most : 0.5 * (low + high);
        const double force = unseen(in, &closing, mobility, T - onset) /
                             (error_constant * (T - onset) * (T - onset));
        const bool passes = force > 0.0 && 0.5 * T * T * force <= allowed;
        if (k == 0 && passes) {
            return most;
        }
        low = passes ? T : low;
        high = passes ? high : T;
    }
    return low;
}

/* N: the elastic force at the present depth, more than which a force does not come back with while its gap opens. */
static double elastic_force(const TmlPairIn *in, const TmlPairPoint *p)
{
    const TmlPressIn press = {.data = in->law->press_data,
                              .depth = p->depth,
                              .curvature = {p->curvature[0], p->curvature[1]}};
    TmlPress out;
    in->law->press->press(&press, &out);
    return fabs(out.force) * (in->weight > 0.0 ? in->weight : 1.0);
}

/* T_k of a pair whose next onset this is. Laws that jump and patches are landed on. */
static double pair_passes(const TmlSystem *sys, const TmlNear *near, const TmlPairIn *in,
                          double onset, double allowed, double most)
{
    const TmlPressType *press = in->law->press;
    TmlPairPoint point[TML_TOUCH_MAX];
    TmlPairForce force;
    double passes = most;
    if (!(onset > 0.0) || !(most > onset) ||
        (press->jumps != NULL && press->jumps(in->law->press_data))) {
        return onset;
    }
    const int n = tml_pair_force(in, &force, point);
    for (int i = 0; i < n; ++i) {
        const TmlPairPoint *p = &point[i];
        if (p->size > 0.0) {
            return onset;
        }
        const double sum = mobility(sys, tml_carrier_of(sys, near->shape[0]), p->p, p->n) +
                           mobility(sys, tml_carrier_of(sys, near->shape[1]), p->p, p->n);
        if (p->depth > 0.0) {
            const double back = elastic_force(in, p);
            passes = back > 0.0 && 0.5 * most * most * back * sum <= allowed ? passes : onset;
            continue;
        }
        passes = fmin(passes, point_passes(in, p, sum, onset, allowed, most));
    }
    return n > 0 ? passes : onset;
}

/* N: the elastic force at a depth. */
static double elastic_at(const TmlPairIn *in, const TmlPairPoint *p, double depth)
{
    TmlPairPoint there = *p;
    there.depth = depth;
    return elastic_force(in, &there);
}

/* N: the force of (O7) of a point that opens in a time `end`, if steps end `late` behind. */
static double force_missed(const TmlPairIn *in, const TmlPairPoint *p, double late)
{
    const double bend = fabs(elastic_at(in, p, p->depth) - 2.0 * elastic_at(in, p, 0.5 * p->depth));
    return fmax(elastic_at(in, p, -p->rate * late), part_of_bend * bend);
}

/* N: the force of a point that opens, a time h ago. */
static double before(const TmlPairIn *in, const TmlPairPoint *p, double h)
{
    const TmlPressIn press = {.data = in->law->press_data,
                              .depth = p->depth - p->rate * h,
                              .rate = p->rate,
                              .curvature = {p->curvature[0], p->curvature[1]},
                              .entry = fabs(p->rate)};
    TmlPress out;
    in->law->press->press(&press, &out);
    return fabs(out.force) * (in->weight > 0.0 ? in->weight : 1.0);
}

/* (O5), (O6): the time at which a step should end for a point that opens at `end` by its acceleration; HUGE_VAL: a step as long
 * as the horizon may pass it. */
static double release_time(const TmlSystem *sys, const TmlNear *near, const TmlPairIn *in,
                           double end, const TmlOnsetBounds *b)
{
    const double horizon = b->horizon;
    TmlPairPoint point[TML_TOUCH_MAX];
    TmlPairForce force;
    const int n = tml_pair_force(in, &force, point);
    double late = 0.0;
    bool held = false, early = false;
    for (int i = 0; i < n; ++i) {
        const TmlPairPoint *p = &point[i];
        if (p->closed && p->size == 0.0 && p->rate < 0.0) {
            const double sum = mobility(sys, tml_carrier_of(sys, near->shape[0]), p->p, p->n) +
                               mobility(sys, tml_carrier_of(sys, near->shape[1]), p->p, p->n);
            const double push = fabs(p->force) * sum;
            held = held || 0.5 * horizon * horizon * before(in, p, 2.0 * horizon) * sum >
                               b->allowed;                                        // (O5)
            const double behind = fmin(push * end * end / (3.0 * -p->rate), end); // (O6)
            late = fmax(late, behind);
            early = early || end * force_missed(in, p, behind) * sum > b->swift; // (O7)
        }
    }
    const bool lands = in->sided != TML_SIDED_ALL; // else by sides
    const double landing = lands ? end + late : HUGE_VAL;
    return !held ? HUGE_VAL : early ? b->part * end : landing;
}

/* A point that travels keeps up with the other shape: of their relative motion only what is across the line opens or closes the gap.
 * Without this a head that runs along a wire was foreseen to leave it like a ball that rolls off a pin, step by step. */
static void keep_up(const TmlSystem *sys, const TmlNear *near, TmlPairIn *in, TmlFrameKin *moving)
{
    const TmlCarrier *c[2] = {tml_carrier_of(sys, near->shape[0]),
                              tml_carrier_of(sys, near->shape[1])};
    const int side = c[0]->segment ? 0 : 1;
    if (!near->travels || c[0]->segment == c[1]->segment || c[side]->sheet != TML_SHEET_NONE) {
        return; // of two lines both points travel
    }
    const TmlFrameKin *other = in->e[1 - side];
    *moving = *in->e[side];
    const TmlVec3 arm = v3_sub(moving->r, other->r), along = moving->A.cx;
    const TmlVec3 past = v3_sub(v3_add(other->v, v3_cross(other->omega, arm)), moving->v);
    moving->v = v3_axpy(v3_dot(past, along), along, moving->v);
    in->e[side] = moving;
}

double tml_system_next_onset(TmlSystem *sys, const TmlOnsetBounds *b, double *release)
{
    const double horizon = b->horizon;
    const struct TmlTouching *t = sys->touching;
    double least = HUGE_VAL, landing = HUGE_VAL;
    *release = HUGE_VAL;
    if (t == NULL) {
        return landing;
    }
    tml_near_look(sys, horizon);
    for (int k = 0; k < t->n; ++k) {
        TmlNear *near = &t->near[k];
        near->onset = HUGE_VAL;
        near->parts_at = 0.0;
        if (tml_near_sleeps(t, near)) {
            continue;
        }
        TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
        TmlFrameKin moving;
        keep_up(sys, near, &in, &moving);
        double end;
        near->onset = tml_pair_onset(&in, b->to, horizon / b->part, &end);
        near->onset = near->onset < horizon ? near->onset : HUGE_VAL;
        if (end < HUGE_VAL) {
            const double then = release_time(sys, near, &in, end, b);
            near->parts_at = then < horizon ? b->allowed : 0.0;
            *release = fmin(*release, then);
        }
        if (near->onset < HUGE_VAL) {
            const double passes = pair_passes(sys, near, &in, near->onset, b->allowed, horizon);
            least = passes < horizon ? fmin(least, passes) : least;
        }
    }
    for (int k = 0; k < t->n && least < HUGE_VAL; ++k) { // (O4)
        const double onset = t->near[k].onset;
        landing = onset <= least && (landing == HUGE_VAL || onset > landing) ? onset : landing;
    }
    return landing;
}
