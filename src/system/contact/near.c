/* system/contact/near.c - the broad phase: which pairs of shapes may touch before the next look.
 *
 * A body may move by its margin, in translation plus rotation times the radius of its shapes, while the
 * list holds: boxes about the shapes are swollen by it. The margin is what the body does in a few steps
 * of the present size, and a part of the size of its shapes at least.
 *
 *   (N1)  moved = |r - r_0| + 2 sin(phi / 2) radius <= margin
 *
 * Boxes are sorted along x and swept. Shapes without bounds (half-spaces) are held against all.
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

/* Whether a pair of moving bodies touches, or will within h as far as its motion tells. */
static bool is_imminent(const TmlSystem *sys, TmlNear *near, double h)
{
    const TmlPairIn in = tml_near_in(sys, near, tml_near_reach(sys, near));
    TmlPairForce force;
    tml_pair_force(&in, &force, NULL);
    return force.depth > 0.0 || (isfinite(force.depth) && tml_pair_onset(&in, 0.0, h) < HUGE_VAL);
}

/* Whether the pairs that may touch within a step of size h are coupled. */
static bool couplings_hold(const TmlSystem *sys, double h)
{
    const struct TmlTouching *t = sys->touching;
    for (int k = 0; k < t->n; ++k) {
        TmlNear *near = &t->near[k];
        if (near->coupling < 0 && tml_near_is_mutual(sys, near) &&
            (near->wanted || is_imminent(sys, near, steps_free * h))) {
            return false;
        }
    }
    return true;
}

bool tml_system_touching_holds(TmlSystem *sys, double h)
{
    const struct TmlTouching *t = sys->touching;
    if (t == NULL) {
        return true;
    }
    for (int k = 0; k < t->n_bodies; ++k) {
        const int b = t->bodies[k];
        if (!t->listed || moved(sys, b) + h * speed_of(sys, b) > t->margin[b]) {
            return false;
        }
    }
    return h > 0.0 ? couplings_hold(sys, h) : !t->uncoupled;
}

/* --- boxes -------------------------------------------------------------------------------------- */

/* The box of a shape in global axes, swollen by its margin. */
static TmlBounds bounds_of(const TmlSystem *sys, int shape)
{
    const struct TmlTouching *t = sys->touching;
    const TmlBodyShape *s = &sys->model->shapes.at[shape];
    const TmlFrameKin *k = &sys->kin[t->end_of[s->body]];
    const double margin = t->margin[s->body];
    TmlBounds b = {.shape = shape};
    TmlVec3 low, high;
    s->shape.type->bounds(s->shape.data, &low, &high);
    if (!isfinite(v3_norm(v3_sub(high, low)))) {
        b.low = v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
        b.high = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
        return b;
    }
    const TmlMat33 R = m3_mul(&k->A, &s->place.A);
    const TmlVec3 middle = v3_scale(0.5, v3_add(low, high)),
                  half = v3_scale(0.5, v3_sub(high, low));
    const TmlVec3 c = v3_add(v3_add(k->r, m3_mulv(&k->A, s->place.r)), m3_mulv(&R, middle));
    const TmlVec3 e =
        v3(fabs(R.cx.x) * half.x + fabs(R.cy.x) * half.y + fabs(R.cz.x) * half.z + margin,
           fabs(R.cx.y) * half.x + fabs(R.cy.y) * half.y + fabs(R.cz.y) * half.z + margin,
           fabs(R.cx.z) * half.x + fabs(R.cy.z) * half.y + fabs(R.cz.z) * half.z + margin);
    b.low = v3_sub(c, e);
    b.high = v3_add(c, e);
    return b;
}

static int by_low(const void *a, const void *b)
{
    const TmlBounds *x = a, *y = b;
    return x->low.x < y->low.x ? -1 : x->low.x > y->low.x ? 1 : x->shape - y->shape;
}

static bool overlap(const TmlBounds *a, const TmlBounds *b)
{
    return a->low.y <= b->high.y && b->low.y <= a->high.y && a->low.z <= b->high.z &&
           b->low.z <= a->high.z;
}

/* --- list --------------------------------------------------------------------------------------- */

static int by_shapes(const void *a, const void *b)
{
    const TmlNear *x = a, *y = b;
    return x->shape[0] != y->shape[0] ? x->shape[0] - y->shape[0] : x->shape[1] - y->shape[1];
}

static bool moves(const TmlSystem *sys, int body)
{
    return sys->dim.span[body].nu > 0;
}

static int by_bristle(const void *a, const void *b)
{
    const TmlBristlePair *x = a, *y = b;
    return x->shape[0] != y->shape[0] ? x->shape[0] - y->shape[0] : x->shape[1] - y->shape[1];
}

/* The bristles of a pair, which are in the order of the shapes; -1: none. */
static int bristle_of(const TmlModel *m, int first, int second)
{
    const TmlBristlePair key = {.shape = {first, second}};
    const TmlBristlePair *found =
        m->bristles.n > 0
            ? bsearch(&key, m->bristles.at, (size_t)m->bristles.n, sizeof key, by_bristle)
            : NULL;
    return found != NULL ? (int)(found - m->bristles.at) : -1;
}

static TmlStatus add_near(TmlSystem *sys, int a, int b, TmlError *err)
{
    struct TmlTouching *t = sys->touching;
    const TmlModel *m = sys->model;
    const int first = a < b ? a : b, second = a < b ? b : a;
    if (!moves(sys, m->shapes.at[a].body) && !moves(sys, m->shapes.at[b].body)) {
        return TML_OK;
    }
    const int contact = tml_contact_of(m, first, second);
    void *at = t->near;
    if (contact < 0) {
        return TML_OK;
    }
    if (!tml_mem_grow(&at, &t->cap, t->n + 1, sizeof *t->near)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for %d pairs of shapes", t->n + 1);
    }
    t->near = at;
    t->near[t->n++] = (TmlNear){.shape = {first, second},
                                .contact = contact,
                                .coupling = -1,
                                .bristle = bristle_of(m, first, second)};
    return TML_OK;
}

static TmlStatus sweep(TmlSystem *sys, TmlError *err)
{
    struct TmlTouching *t = sys->touching;
    const int n = sys->model->shapes.n;
    for (int k = 0; k < n; ++k) {
        t->bounds[k] = bounds_of(sys, k);
    }
    qsort(t->bounds, (size_t)n, sizeof *t->bounds, by_low);
    t->n = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = i + 1; j < n && t->bounds[j].low.x <= t->bounds[i].high.x; ++j) {
            if (overlap(&t->bounds[i], &t->bounds[j])) {
                TML_TRY(add_near(sys, t->bounds[i].shape, t->bounds[j].shape, err));
            }
        }
    }
    if (t->n > 0) {
        qsort(t->near, (size_t)t->n, sizeof *t->near, by_shapes);
    }
    return TML_OK;
}

/* --- couplings ---------------------------------------------------------------------------------- */

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

TmlStatus tml_system_touching_renew(TmlSystem *sys, double h, double part, bool *patterns,
                                    TmlError *err)
{
    struct TmlTouching *t = sys->touching;
    *patterns = false;
    if (t == NULL) {
        return TML_OK;
    }
    for (int k = 0; k < t->n_bodies; ++k) {
        const int b = t->bodies[k];
        t->at[b] = sys->kin[t->end_of[b]];
        t->margin[b] = moves(sys, b) || speed_of(sys, b) > 0.0
                           ? fmax(steps_ahead * h * speed_of(sys, b), part * t->radius[b])
                           : 0.0;
    }
    TML_TRY(keep_wanted(sys, err));
    TML_TRY(sweep(sys, err));
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
