/* system/contact/near.c - the broad phase: which pairs of shapes may touch before the next look.
 *
 * A body may move by its margin, in translation plus rotation times the radius of its shapes, while the
 * list holds: boxes about the shapes are swollen by it. The margin is what the body does in a few steps
 * of the present size, and a part of the size of its shapes at least.
 *
 *   (N1)  moved = |r - r_0| + 2 sin(phi / 2) radius <= margin
 *
 * When one body is about to leave its margin, those that have used up much of theirs are looked at with it; the
 * others keep their boxes and what is known of their pairs (near_pairs.c).
 */
#include "system/contact/touching.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

/* Steps of the present size that the list is good for; those that couplings are; those that a pair must not be
 * about to touch within without being coupled. */
static const double steps_ahead = 4.0, steps_coupled = 4.0, steps_free = 1.5;
static const double part_at_start = 0.02; // of the size of the shapes
/* Boxes are made anew for bodies that have used up this part of their margin, or whose margin has become this part
 * of what it was. */
static const double used_up = 0.5, shrunk = 0.25;

/* The largest of some vectors: of points of a segment how far they have moved, level 0, or their rates. */
static double hull_most(const TmlSystem *sys, const TmlCarrier *c, int level)
{
    TmlVec3 now[TML_HULL];
    double most = 0.0;
    const int n = tml_segment_hull(sys, c, level, now);
    for (int k = 0; k < n; ++k) {
        most = fmax(most, v3_norm(level == 0 ? v3_sub(now[k], c->hull[k]) : now[k]));
    }
    return most;
}

static double speed_of(const TmlSystem *sys, const TmlCarrier *c)
{
    if (c->segment) {
        return hull_most(sys, c, 1);
    }
    const TmlFrameKin *k = &sys->kin[c->end];
    return v3_norm(k->v) + (c->element < 0 ? v3_norm(k->omega) * c->radius : 0.0);
}

static double margin_of(const TmlSystem *sys, const TmlCarrier *c, double h, double part)
{
    const double speed = speed_of(sys, c);
    return tml_carrier_moves(sys, c) || speed > 0.0
               ? fmax(steps_ahead * h * speed, part * c->radius)
               : 0.0;
}

/* (N1) */
static double moved(const TmlSystem *sys, const TmlCarrier *c)
{
    if (c->segment) {
        return hull_most(sys, c, 0);
    }
    const TmlFrameKin *now = &sys->kin[c->end], *then = &c->at;
    const TmlVec3 d = v3_sub(now->r, then->r);
    const TmlMat33 A = m3_axpy(-1.0, &then->A, &now->A);
    // the Frobenius norm of a difference of rotations is sqrt(8) sin(phi / 2)
    const double turn = sqrt(0.5 * (v3_dot(A.cx, A.cx) + v3_dot(A.cy, A.cy) + v3_dot(A.cz, A.cz)));
    // stations of flexible bodies are spheres about their origin
    return v3_norm(d) + (c->element < 0 ? turn * c->radius : 0.0);
}

void tml_near_look(TmlSystem *sys, double h)
{
    const struct TmlTouching *t = sys->touching;
    for (int k = 0; k < t->n_carriers; ++k) {
        TmlCarrier *c = &t->carrier[k];
        c->used = moved(sys, c);
        if (h > 0.0) { // twice what the accelerations of now would do
            const TmlFrameKin *e = &sys->kin[c->end];
            const double turn =
                c->element < 0 ? v3_norm(e->alpha) + v3_dot(e->omega, e->omega) : 0.0;
            const double a = c->segment ? hull_most(sys, c, 2) : v3_norm(e->a);
            c->used += h * speed_of(sys, c) + h * h * (a + turn * c->radius);
        }
    }
}

/* Whether a pair of moving bodies touches, or will within h as far as its motion tells. */
static bool is_imminent(const TmlSystem *sys, TmlNear *near, double h)
{
    const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
    TmlPairForce force;
    tml_pair_force(&in, &force, NULL);
    return force.depth > 0.0 ||
           (isfinite(force.depth) && tml_pair_onset(&in, 0.0, h, NULL) < HUGE_VAL);
}

/* Whether the pairs that may touch within a step of size h are coupled. */
static bool couplings_hold(TmlSystem *sys, double h)
{
    const struct TmlTouching *t = sys->touching;
    tml_near_look(sys, steps_free * h);
    for (int k = 0; k < t->n; ++k) {
        TmlNear *near = &t->near[k];
        if (near->coupling < 0 && (near->wanted || !tml_near_sleeps(t, near)) &&
            tml_near_is_mutual(sys, near) &&
            (near->wanted || is_imminent(sys, near, steps_free * h))) {
            return false;
        }
    }
    return true;
}

bool tml_system_touching_holds(TmlSystem *sys, double h)
{
    struct TmlTouching *t = sys->touching;
    if (t == NULL) {
        return true;
    }
    t->h = h > 0.0 ? h : t->h;
    int wide = 0;
    for (int k = 0; k < t->n_carriers; ++k) {
        const TmlCarrier *c = &t->carrier[k];
        if (!t->listed || moved(sys, c) + h * speed_of(sys, c) > c->margin) {
            return false;
        }
        wide += margin_of(sys, c, h, t->part) < shrunk * c->margin;
    }
    // lists of longer steps have pairs that mean nothing to these
    return h > 0.0 ? 2 * wide <= t->n_carriers && couplings_hold(sys, h) : !t->uncoupled;
}

/* --- couplings ---------------------------------------------------------------------------------- */

static int by_shapes(const void *a, const void *b)
{
    const TmlNear *x = a, *y = b;
    return x->shape[0] != y->shape[0] ? x->shape[0] - y->shape[0] : x->shape[1] - y->shape[1];
}

static int by_bodies(const void *a, const void *b)
{
    const TmlCoupling *x = a, *y = b;
    return x->body[0] != y->body[0] ? x->body[0] - y->body[0] : x->body[1] - y->body[1];
}

static TmlCoupling coupling_of(int a, int b)
{
    return (TmlCoupling){.body = {a < b ? a : b, a < b ? b : a}};
}

int tml_coupling_find(const TmlSystem *sys, int a, int b)
{
    const struct TmlTouching *t = sys->touching;
    const TmlCoupling key = coupling_of(a, b);
    const TmlCoupling *found =
        t->n_couplings > 0
            ? bsearch(&key, t->coupling, (size_t)t->n_couplings, sizeof *t->coupling, by_bodies)
            : NULL;
    return found != NULL ? (int)(found - t->coupling) : -1;
}

/* Tells the pairs their couplings, as far as there are. A station of a flexible body has one for each vector of its
 * element; all are there, or none counts. */
static void couple(TmlSystem *sys)
{
    struct TmlTouching *t = sys->touching;
    for (int k = 0; k < t->n; ++k) {
        const TmlParts *a = tml_end_parts(sys, tml_near_end(sys, &t->near[k], 0));
        const TmlParts *b = tml_end_parts(sys, tml_near_end(sys, &t->near[k], 1));
        bool all = a->n > 0 && b->n > 0;
        int first = 0;
        for (int i = a->n * b->n - 1; i >= 0 && all; --i) {
            const int x = a->body[i / b->n], y = b->body[i % b->n];
            first = x == y ? first : tml_coupling_find(sys, x, y);
            all = first >= 0;
        }
        t->near[k].coupling = all ? first : -1;
    }
}

/* Whether a pair is near enough to be worth its blocks: by `part` of the size of its bodies, or soon. */
static bool is_close(const TmlSystem *sys, TmlNear *near, double h, double part)
{
    const double a = tml_carrier_of(sys, near->shape[0])->radius;
    const double b = tml_carrier_of(sys, near->shape[1])->radius;
    TmlPairForce force;
    const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
    tml_pair_force(&in, &force, NULL);
    const double size = a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b);
    return near->wanted || force.depth > -part * size || is_imminent(sys, near, steps_coupled * h);
}

/* Appends the couplings of all bodies of a with those of b to the n that there are. */
static TmlStatus add_parts(struct TmlTouching *t, const TmlParts *a, const TmlParts *b, int *n,
                           TmlError *err)
{
    void *at = t->coupling;
    if (!tml_mem_grow(&at, &t->cap_couplings, *n + a->n * b->n, sizeof *t->coupling)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d pairs of bodies", *n);
    }
    t->coupling = at;
    for (int i = 0; i < a->n * b->n; ++i) {
        const int x = a->body[i / b->n], y = b->body[i % b->n];
        if (x != y) { // a body that the element is tied to
            t->coupling[(*n)++] = coupling_of(x, y);
        }
    }
    return TML_OK;
}

static TmlStatus add_couplings(TmlSystem *sys, const TmlNear *near, int *n, TmlError *err)
{
    return add_parts(sys->touching, tml_end_parts(sys, tml_near_end(sys, near, 0)),
                     tml_end_parts(sys, tml_near_end(sys, near, 1)), n, err);
}

/* Shapes that travel along a line come to the next elements soon, and each change of the couplings is a new pattern: a pantograph at
 * 300 km/h passes an element of 1 m every 12 ms. So many elements to both sides are coupled as well, fewer where many shapes travel. */
enum { AHEAD = 12, AHEAD_IN_ALL = 4 * AHEAD };

static TmlStatus add_ahead(TmlSystem *sys, const TmlNear *near, int ahead, int *n, TmlError *err)
{
    const int side = tml_carrier_of(sys, near->shape[0])->segment ? 0 : 1;
    const TmlCarrier *c = tml_carrier_of(sys, near->shape[side]);
    const TmlParts *other = tml_end_parts(sys, tml_near_end(sys, near, 1 - side));
    const TmlFlex *flex = sys->model->flexes.at;
    for (int e = c->element - ahead; e <= c->element + ahead; ++e) {
        const bool same =
            e >= 0 && e < sys->model->flexes.n && flex[e].mesh == flex[c->element].mesh;
        if (same && e != c->element) {
            TML_TRY(add_parts(sys->touching, tml_element_parts(sys, e), other, n, err));
        }
    }
    return TML_OK;
}

/* Whether one of the shapes is a segment of a line, and the other one a body. */
static bool passes_along(const TmlSystem *sys, const TmlNear *near)
{
    const TmlCarrier *a = tml_carrier_of(sys, near->shape[0]);
    const TmlCarrier *b = tml_carrier_of(sys, near->shape[1]);
    const TmlCarrier *own = a->segment ? a : b, *other = a->segment ? b : a;
    return own->segment && own->sheet == TML_SHEET_NONE && other->element < 0;
}

/* The couplings of what is close, no others. */
static TmlStatus couple_anew(TmlSystem *sys, double h, double part, TmlError *err)
{
    struct TmlTouching *t = sys->touching;
    int n = 0, along = 0;
    for (int k = 0; k < t->n; ++k) {
        TmlNear *near = &t->near[k];
        near->close = tml_near_is_mutual(sys, near) && is_close(sys, near, h, part);
        along += near->close && passes_along(sys, near);
    }
    const int ahead = along * AHEAD > AHEAD_IN_ALL ? AHEAD_IN_ALL / along : AHEAD;
    for (int k = 0; k < t->n; ++k) {
        if (t->near[k].close) {
            TML_TRY(add_couplings(sys, &t->near[k], &n, err));
        }
        if (t->near[k].close && passes_along(sys, &t->near[k])) {
            TML_TRY(add_ahead(sys, &t->near[k], ahead, &n, err));
        }
    }
    t->n_couplings = 0;
    if (n > 0) {
        qsort(t->coupling, (size_t)n, sizeof *t->coupling, by_bodies);
        for (int k = 0; k < n; ++k) {
            if (k == 0 || by_bodies(&t->coupling[t->n_couplings - 1], &t->coupling[k]) != 0) {
                t->coupling[t->n_couplings++] = t->coupling[k];
            }
        }
    }
    couple(sys);
    return TML_OK;
}

/* Pairs that touched without being coupled are remembered over a new list. */
static TmlStatus keep_wanted(TmlSystem *sys, TmlError *err)
{
    struct TmlTouching *t = sys->touching;
    t->n_wanted = 0;
    for (int k = 0; k < t->n; ++k) {
        void *at = t->wanted;
        if (!t->near[k].wanted) {
            continue;
        }
        if (!tml_mem_grow(&at, &t->cap_wanted, t->n_wanted + 1, sizeof *t->wanted)) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for %d pairs of shapes", t->n);
        }
        t->wanted = at;
        t->wanted[t->n_wanted++] = t->near[k]; // sorted, as the list is
    }
    return TML_OK;
}

static void mark_wanted(TmlSystem *sys)
{
    struct TmlTouching *t = sys->touching;
    for (int k = 0; k < t->n && t->n_wanted > 0; ++k) {
        t->near[k].wanted = bsearch(&t->near[k], t->wanted, (size_t)t->n_wanted, sizeof *t->wanted,
                                    by_shapes) != NULL;
    }
}

/* A margin of the present speed, from the present place, unless the one of before will do. */
static void renew_margin(TmlSystem *sys, TmlCarrier *c, double h, double part)
{
    const double speed = speed_of(sys, c), margin = margin_of(sys, c, h, part);
    c->stale = !sys->touching->listed || moved(sys, c) + h * speed > used_up * c->margin ||
               margin < shrunk * c->margin || margin * shrunk > c->margin;
    if (c->stale) {
        c->at = sys->kin[c->end];
        c->margin = margin;
        if (c->segment) {
            TmlVec3 middle;
            c->n_hull = tml_segment_hull(sys, c, 0, c->hull);
            tml_segment_ball(c->hull, c->n_hull, &middle, &c->ball);
        }
    }
}

TmlStatus tml_system_touching_renew(TmlSystem *sys, double h, double part, bool *patterns,
                                    TmlError *err)
{
    struct TmlTouching *t = sys->touching;
    *patterns = false;
    if (t == NULL) {
        return TML_OK;
    }
    t->part = part;
    for (int k = 0; k < t->n_carriers; ++k) {
        renew_margin(sys, &t->carrier[k], h, part);
    }
    TML_TRY(keep_wanted(sys, err));
    TML_TRY(tml_near_pairs_find(sys, err));
    t->stats.lists++;
    t->listed = true;
    t->uncoupled = false;
    mark_wanted(sys);
    couple(sys);
    tml_touching_remember(sys);
    if (!couplings_hold(sys, h)) {
        TML_TRY(couple_anew(sys, h, part, err));
        t->stats.patterns++;
        *patterns = true;
    }
    return TML_OK;
}

TmlStatus tml_touching_start(TmlSystem *sys, const TmlState *s, TmlError *err)
{
    bool patterns; // they are not built yet
    if (sys->touching == NULL) {
        return TML_OK;
    }
    tml_system_kinematics(sys, s, false);
    TML_TRY(tml_system_touching_renew(sys, 0.0, part_at_start, &patterns, err));
    tml_system_commit(sys, s);
    return TML_OK;
}
