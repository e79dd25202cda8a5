/* system/contact/onset.c - when the next gap closes, and how long the first step behind it may be.
 *
 *   (O1)  a step of size h from the onset does not know the force F(v h) that it ends with; an implicit method of
 *         order two is wrong by C h^2 F / m in the position, C = 1/12 + alpha^2 / 4 < 1/9
 *   (O2)  1 / m = sum over both bodies of n.M^-1 n along the normal, by the diagonal metric of the system
 */
#include "system/contact/touching.h"

#include "math/vec3.h"
#include "system/matrix/blocks.h"

#include <math.h>

static const double error_constant = 1.0 / 9.0; // (O1)

double tml_near_reach(const TmlSystem *sys, const TmlNear *near)
{
    return tml_carrier_of(sys, near->shape[0])->margin +
           tml_carrier_of(sys, near->shape[1])->margin;
}

double tml_system_next_onset(TmlSystem *sys, double to, double horizon)
{
    const struct TmlTouching *t = sys->touching;
    double onset = HUGE_VAL;
    if (t == NULL) {
        return onset;
    }
    tml_near_look(sys, horizon);
    for (int k = 0; k < t->n; ++k) {
        if (tml_near_sleeps(t, &t->near[k])) {
            continue;
        }
        const TmlPairIn in = tml_near_in(sys, &t->near[k], tml_near_reach(sys, &t->near[k]));
        onset = fmin(onset, tml_pair_onset(&in, to, horizon));
    }
    return onset;
}

/* (O2), of a point of a flexible body: by the vectors of its element. */
static double point_mobility(const TmlSystem *sys, int end, const TmlRow *w)
{
    const TmlParts *p = tml_end_parts(sys, end);
    double x[TML_END_MAX_NU], sum = 0.0;
    tml_end_dual_one(sys, end, w, x);
    for (int k = 0; k < p->cols; ++k) {
        sum += x[k] * x[k] * sys->inverse_mass[tml_parts_unknown(sys, p, k)];
    }
    return sum;
}

/* (O2), of one body: what a force of 1 N along n at p accelerates the point by. */
static double mobility(const TmlSystem *sys, const TmlCarrier *c, TmlVec3 p, TmlVec3 n)
{
    const TmlVec3 arm = v3_cross(v3_sub(p, sys->kin[c->end].r), n);
    const TmlRow w = {n, arm};
    if (c->element >= 0) {
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
