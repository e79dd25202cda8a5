/* system/contact/near_pairs.c - pairs of shapes that are near: boxes in a tree, then a look at the pair.
 *
 * A pair is near while its gap, when its boxes were made, is no larger than what its bodies may move since:
 *
 *   (B1)  gap >= -max_{x in b} (-d.x) - max_{x in a} d.x    for every direction d, |d| = 1
 *   (B2)  near: the right side of (B1) <= margin_a + margin_b    d from the middle of a to that of b
 *
 * (B1) is exact for two spheres. With a half-space d is its normal, and (B1) is exact for all convex shapes. What is
 * not convex is taken for its box. Of a pair one shape may have been looked at later than the other: (B2) holds
 * for each where it was when its margin began.
 */
#include "system/contact/touching.h"

#include "base/fail.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

/* --- where shapes are --------------------------------------------------------------------------- */

TmlStatus tml_near_pairs_setup(TmlSystem *sys, TmlError *err)
{
    const TmlModel *m = sys->model;
    struct TmlTouching *t = sys->touching;
    TML_NEW(&sys->arena, t->place, m->shapes.n);
    TML_NEW(&sys->arena, t->box, m->shapes.n);
    TML_NEW(&sys->arena, t->bounded, m->shapes.n);
    TML_NEW(&sys->arena, t->unbounded, m->shapes.n);
    return tml_bounds_tree_setup(&t->tree, &sys->arena, m->shapes.n, err);
}

/* Places a sphere about all of the element. */
static void place_segment(const TmlCarrier *c, TmlShapePlace *p, double radius, TmlBox *box)
{
    double reach;
    p->R = m3_identity();
    tml_segment_ball(c->hull, c->n_hull, &p->middle, &reach);
    p->origin = p->middle;
    p->round = reach + radius;
    p->half = v3(p->round, p->round, p->round);
    const TmlVec3 e = v3_add(p->half, v3(c->margin, c->margin, c->margin));
    *box = (TmlBox){v3_sub(p->middle, e), v3_add(p->middle, e)};
}

static void place_shape(TmlSystem *sys, int shape)
{
    struct TmlTouching *t = sys->touching;
    const TmlBodyShape *s = &sys->model->shapes.at[shape];
    const TmlCarrier *carrier = tml_carrier_of(sys, shape);
    const TmlFrameKin *k = &carrier->at;
    const double margin = carrier->margin;
    TmlShapePlace *p = &t->place[shape];
    TmlVec3 low, high;
    s->shape.type->bounds(s->shape.data, &low, &high);
    p->R = m3_mul(&k->A, &s->place.A);
    p->origin = v3_add(k->r, m3_mulv(&k->A, s->place.r));
    p->bounded = isfinite(v3_norm(v3_sub(high, low)));
    p->top = high.z;
    if (!p->bounded) {
        return;
    }
    if (carrier->segment) {
        place_segment(carrier, p, high.x, &t->box[shape]);
        return;
    }
    p->middle = v3_add(p->origin, m3_mulv(&p->R, v3_scale(0.5, v3_add(low, high))));
    p->half = v3_scale(0.5, v3_sub(high, low));
    const TmlMat33 *R = &p->R;
    const TmlVec3 h = p->half;
    const TmlVec3 e = v3(fabs(R->cx.x) * h.x + fabs(R->cy.x) * h.y + fabs(R->cz.x) * h.z + margin,
                         fabs(R->cx.y) * h.x + fabs(R->cy.y) * h.y + fabs(R->cz.y) * h.z + margin,
                         fabs(R->cx.z) * h.x + fabs(R->cy.z) * h.y + fabs(R->cz.z) * h.z + margin);
    t->box[shape] = (TmlBox){v3_sub(p->middle, e), v3_add(p->middle, e)};
}

/* Places those that have moved; the tree is one of all that are bounded. */
static void place_shapes(TmlSystem *sys)
{
    struct TmlTouching *t = sys->touching;
    const int n = sys->model->shapes.n;
    t->n_bounded = t->n_unbounded = 0;
    for (int k = 0; k < n; ++k) {
        if (tml_carrier_of(sys, k)->stale) {
            place_shape(sys, k);
        }
        if (t->place[k].bounded) {
            t->bounded[t->n_bounded++] = k;
        } else {
            t->unbounded[t->n_unbounded++] = k;
        }
    }
    tml_bounds_tree_build(&t->tree, t->box, t->bounded, t->n_bounded);
}

/* --- how far two are apart ----------------------------------------------------------------------- */

/* max d.x over a shape that is bounded. */
static double extent(const TmlSystem *sys, int shape, TmlVec3 d)
{
    const TmlShapePlace *p = &sys->touching->place[shape];
    const TmlShape *s = &sys->model->shapes.at[shape].shape;
    const TmlVec3 own = m3_tmulv(&p->R, d);
    int feature;
    if (p->round > 0.0) {
        return v3_dot(p->middle, d) + p->round;
    }
    if (s->type->support != NULL) {
        return v3_dot(p->origin, d) + v3_dot(own, s->type->support(s->data, own, &feature));
    }
    return v3_dot(p->middle, d) + fabs(own.x) * p->half.x + fabs(own.y) * p->half.y +
           fabs(own.z) * p->half.z;
}

/* (B1); -HUGE_VAL: nothing is known. */
static double least_gap(const TmlSystem *sys, int a, int b)
{
    const TmlShapePlace *pa = &sys->touching->place[a], *pb = &sys->touching->place[b];
    if (!pa->bounded && !pb->bounded) {
        return -HUGE_VAL;
    }
    if (!pa->bounded || !pb->bounded) {
        const TmlShapePlace *plane = pa->bounded ? pb : pa;
        if (tml_carrier_moves(sys, tml_carrier_of(sys, pa->bounded ? b : a))) {
            return -HUGE_VAL; // far from its body no margin holds for a plane that turns
        }
        const TmlVec3 n = plane->R.cz;
        const double surface = v3_dot(plane->origin, n) + plane->top;
        return -extent(sys, pa->bounded ? a : b, v3_neg(n)) - surface;
    }
    const TmlVec3 way = v3_sub(pb->middle, pa->middle);
    const double distance = v3_norm(way);
    if (!(distance > 0.0)) {
        return -HUGE_VAL;
    }
    const TmlVec3 d = v3_scale(1.0 / distance, way);
    return -extent(sys, b, v3_neg(d)) - extent(sys, a, d);
}

/* --- list ----------------------------------------------------------------------------------------- */

static int by_shapes(const void *a, const void *b)
{
    const TmlNear *x = a, *y = b;
    return x->shape[0] != y->shape[0] ? x->shape[0] - y->shape[0] : x->shape[1] - y->shape[1];
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
    const TmlCarrier *x = tml_carrier_of(sys, a), *y = tml_carrier_of(sys, b);
    if (x->body == y->body || (!tml_carrier_moves(sys, x) && !tml_carrier_moves(sys, y))) {
        return TML_OK;
    }
    const double clear = least_gap(sys, a, b);
    if (clear > x->margin + y->margin) { // (B2)
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
    const int bristle = bristle_of(m, first, second);
    const bool sleeps = bristle < 0 && m->contacts.at[contact].sided != TML_SIDED_ALL;
    t->near[t->n++] = (TmlNear){.shape = {first, second},
                                .carrier = {t->carried_by[first], t->carried_by[second]},
                                .contact = contact,
                                // bristles have a rate in every evaluation, zero though it be;
                                // laws that are continued have a force where the gap is open
                                .clear = sleeps ? clear : -HUGE_VAL,
                                .coupling = -1,
                                .travels = x->segment || y->segment,
                                .bristle = bristle};
    return TML_OK;
}

static bool is_stale(const TmlSystem *sys, int shape)
{
    return tml_carrier_of(sys, shape)->stale;
}

/* Pairs of two that were not looked at anew stay what they were. */
static void keep_others(TmlSystem *sys)
{
    struct TmlTouching *t = sys->touching;
    int n = 0;
    for (int k = 0; k < t->n; ++k) {
        if (!is_stale(sys, t->near[k].shape[0]) && !is_stale(sys, t->near[k].shape[1])) {
            t->near[n++] = t->near[k];
        }
    }
    t->n = n;
}

typedef struct Asking {
    TmlSystem *sys;
    int shape;
} Asking;

/* Two that were both looked at anew find each other twice. */
static TmlStatus meets(void *user, int other, TmlError *err)
{
    const Asking *a = user;
    return other == a->shape || (other < a->shape && is_stale(a->sys, other))
               ? TML_OK
               : add_near(a->sys, a->shape, other, err);
}

TmlStatus tml_near_pairs_find(TmlSystem *sys, TmlError *err)
{
    struct TmlTouching *t = sys->touching;
    place_shapes(sys);
    keep_others(sys);
    for (int k = 0; k < t->n_bounded; ++k) {
        Asking asking = {sys, t->bounded[k]};
        if (is_stale(sys, asking.shape)) {
            TML_TRY(tml_bounds_tree_ask(&t->tree, &t->box[asking.shape], meets, &asking, err));
        }
    }
    for (int i = 0; i < t->n_unbounded; ++i) {
        const int a = t->unbounded[i];
        for (int k = 0; k < t->n_bounded; ++k) {
            if (is_stale(sys, a) || is_stale(sys, t->bounded[k])) {
                TML_TRY(add_near(sys, a, t->bounded[k], err));
            }
        }
        for (int k = i + 1; k < t->n_unbounded; ++k) {
            if (is_stale(sys, a) || is_stale(sys, t->unbounded[k])) {
                TML_TRY(add_near(sys, a, t->unbounded[k], err));
            }
        }
    }
    if (t->n > 0) {
        qsort(t->near, (size_t)t->n, sizeof *t->near, by_shapes);
    }
    return TML_OK;
}
