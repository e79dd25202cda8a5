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

static double speed_of(const TmlSystem *sys, int body)
{
    const struct TmlTouching *t = sys->touching;
    const TmlFrameKin *k = &sys->kin[t->end_of[body]];
    return v3_norm(k->v) + v3_norm(k->omega) * t->radius[body];
}

/* (N1) */
static double moved(const TmlSystem *sys, int body)
{
    const struct TmlTouching *t = sys->touching;
    const TmlFrameKin *now = &sys->kin[t->end_of[body]], *then = &t->at[body];
    const TmlVec3 d = v3_sub(now->r, then->r);
    const TmlMat33 A = m3_axpy(-1.0, &then->A, &now->A);
    // the Frobenius norm of a difference of rotations is sqrt(8) sin(phi / 2)
    const double turn = sqrt(0.5 * (v3_dot(A.cx, A.cx) + v3_dot(A.cy, A.cy) + v3_dot(A.cz, A.cz)));
    return v3_norm(d) + turn * t->radius[body];
}

void tml_near_look(TmlSystem *sys, double h)
{
    const struct TmlTouching *t = sys->touching;
    for (int k = 0; k < t->n_bodies; ++k) {
        const int b = t->bodies[k];
        t->used[b] = moved(sys, b);
        if (h > 0.0) { // twice what the accelerations of now would do
            const TmlFrameKin *e = &sys->kin[t->end_of[b]];
            const double turn = v3_norm(e->alpha) + v3_dot(e->omega, e->omega);
            t->used[b] += h * speed_of(sys, b) + h * h * (v3_norm(e->a) + turn * t->radius[b]);
        }
    }
}

/* Whether a pair of moving bodies touches, or will within h as far as its motion tells. */
static bool is_imminent(const TmlSystem *sys, TmlNear *near, double h)
{
    const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
    TmlPairForce force;
    tml_pair_force(&in, &force, NULL);
    return force.depth > 0.0 || (isfinite(force.depth) && tml_pair_onset(&in, 0.0, h) < HUGE_VAL);
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
    for (int k = 0; k < t->n_bodies; ++k) {
        const int b = t->bodies[k];
        if (!t->listed || moved(sys, b) + h * speed_of(sys, b) > t->margin[b]) {
            return false;
        }
    }
    return h > 0.0 ? couplings_hold(sys, h) : !t->uncoupled;
}

/* --- couplings ---------------------------------------------------------------------------------- */

static int by_shapes(const void *a, const void *b)
{
    const TmlNear *x = a, *y = b;
    return x->shape[0] != y->shape[0] ? x->shape[0] - y->shape[0] : x->shape[1] - y->shape[1];
}

static bool moves(const TmlSystem *sys, int body)
{
    return sys->dim.span[body].nu > 0;
}

static int by_bodies(const void *a, const void *b)
{
    const TmlCoupling *x = a, *y = b;
    return x->body[0] != y->body[0] ? x->body[0] - y->body[0] : x->body[1] - y->body[1];
}

static TmlCoupling coupling_of(const TmlSystem *sys, const TmlNear *near)
{
    const int a = sys->model->shapes.at[near->shape[0]].body;
    const int b = sys->model->shapes.at[near->shape[1]].body;
    return (TmlCoupling){.body = {a < b ? a : b, a < b ? b : a}};
}

/* Tells the pairs their couplings, as far as there are. */
static void couple(TmlSystem *sys)
{
    struct TmlTouching *t = sys->touching;
    for (int k = 0; k < t->n; ++k) {
        const TmlCoupling key = coupling_of(sys, &t->near[k]);
        t->near[k].coupling = -1;
        if (!moves(sys, key.body[0]) || !moves(sys, key.body[1])) {
            continue;
        }
        const TmlCoupling *found =
            t->n_couplings > 0
                ? bsearch(&key, t->coupling, (size_t)t->n_couplings, sizeof *t->coupling, by_bodies)
                : NULL;
        t->near[k].coupling = found != NULL ? (int)(found - t->coupling) : -1;
    }
}

/* Whether a pair is near enough to be worth its blocks: by `part` of the size of its bodies, or soon. */
static bool is_close(const TmlSystem *sys, TmlNear *near, double h, double part)
{
    const struct TmlTouching *t = sys->touching;
    const int a = sys->model->shapes.at[near->shape[0]].body;
    const int b = sys->model->shapes.at[near->shape[1]].body;
    TmlPairForce force;
    const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
    tml_pair_force(&in, &force, NULL);
    const double size = t->radius[a] > 0.0 && t->radius[b] > 0.0 ? fmin(t->radius[a], t->radius[b])
                                                                 : fmax(t->radius[a], t->radius[b]);
    return near->wanted || force.depth > -part * size || is_imminent(sys, near, steps_coupled * h);
}

/* The couplings of what is close, no others. */
static TmlStatus couple_anew(TmlSystem *sys, double h, double part, TmlError *err)
{
    struct TmlTouching *t = sys->touching;
    void *at = t->coupling;
    if (!tml_mem_grow(&at, &t->cap_couplings, t->n, sizeof *t->coupling)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d pairs of bodies", t->n);
    }
    t->coupling = at;
    int n = 0;
    for (int k = 0; k < t->n; ++k) {
        if (tml_near_is_mutual(sys, &t->near[k]) && is_close(sys, &t->near[k], h, part)) {
            t->coupling[n++] = coupling_of(sys, &t->near[k]);
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
static void renew_margin(TmlSystem *sys, int b, double h, double part)
{
    struct TmlTouching *t = sys->touching;
    const double speed = speed_of(sys, b);
    const double margin =
        moves(sys, b) || speed > 0.0 ? fmax(steps_ahead * h * speed, part * t->radius[b]) : 0.0;
    t->stale[b] = !t->listed || moved(sys, b) + h * speed > used_up * t->margin[b] ||
                  margin < shrunk * t->margin[b] || margin * shrunk > t->margin[b];
    if (t->stale[b]) {
        t->at[b] = sys->kin[t->end_of[b]];
        t->margin[b] = margin;
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
    for (int k = 0; k < t->n_bodies; ++k) {
        renew_margin(sys, t->bodies[k], h, part);
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
