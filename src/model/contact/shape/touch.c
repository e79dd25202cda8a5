/* model/contact/shape/touch.c - finds the function of two types of shapes, and swaps when it must.
 *
 * Seen from the other side, with the pose (r, A) of the second in the first:
 *
 *   (T1)  r' = -A^T r,  A' = A^T            pose of the first in the second
 *   (T2)  p' = A^T (p - r),  n' = -A^T n    a point and the normal
 *   (T3)  dr' = -A^T (dr + r x dphi),  dphi' = -A^T dphi, in the axes of the second
 */
#include "math/vec3.h"
#include "model/contact/shape/pairs.h"

#include <stddef.h>

#define TML_SHAPE(name) extern const TmlShapeType tml_shape_##name;
#define TML_PRESS(name)
#define TML_SLIP(name)
#define TML_PAIR(first, second) extern TmlPairFunction tml_pair_##first##_##second;
#include "model/contact/contacts.def"
#undef TML_SHAPE
#undef TML_PAIR

#define TML_SHAPE(name)
#define TML_PAIR(first, second)                                                                    \
    {&tml_shape_##first, &tml_shape_##second, tml_pair_##first##_##second},
static const struct {
    const TmlShapeType *first, *second;
    TmlPairFunction *function;
} pairs[] = {
#include "model/contact/contacts.def"
};

static TmlPairFunction *find(const TmlShapeType *first, const TmlShapeType *second)
{
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
        if (pairs[k].first == first && pairs[k].second == second) {
            return pairs[k].function;
        }
    }
    return NULL;
}

bool tml_can_touch(const TmlShapeType *first, const TmlShapeType *second)
{
    return find(first, second) != NULL || find(second, first) != NULL ||
           tml_own_can_touch(first, second) || tml_own_can_touch(second, first);
}

/* The variables of (T3) that variable k of the other side moves. */
static void swapped_variable(const TmlPose *pose, int k, double *x)
{
    const TmlVec3 e = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    const TmlVec3 shift = k < 3 ? e : v3_cross(pose->r, e), turn = k < 3 ? v3(0, 0, 0) : e;
    const TmlVec3 a = m3_tmulv(&pose->A, v3_neg(shift)), b = m3_tmulv(&pose->A, v3_neg(turn));
    const double all[TML_TOUCH_VARIABLES] = {a.x, a.y, a.z, b.x, b.y, b.z};
    for (int i = 0; i < TML_TOUCH_VARIABLES; ++i) {
        x[i] = all[i];
    }
}

/* Derivatives that were made in the axes of the second, in those of the first. */
static void swap_rate(const TmlPose *pose, const TmlTouch *mine, const TmlTouchRate *other,
                      TmlTouchRate *rate)
{
    *rate = (TmlTouchRate){0};
    for (int k = 0; k < TML_TOUCH_VARIABLES; ++k) {
        double x[TML_TOUCH_VARIABLES];
        TmlVec3 dp = v3(0, 0, 0), dn = v3(0, 0, 0);
        swapped_variable(pose, k, x);
        for (int i = 0; i < TML_TOUCH_VARIABLES; ++i) {
            dp = v3_axpy(x[i], other->p[i], dp);
            dn = v3_axpy(x[i], other->n[i], dn);
            rate->depth[k] += x[i] * other->depth[i];
            rate->size[k] += x[i] * other->size[i];
            rate->curvature[0][k] += x[i] * other->curvature[0][i];
            rate->curvature[1][k] += x[i] * other->curvature[1][i];
            rate->fade[k] += x[i] * other->fade[i];
        }
        // p = r + A p', n = -A n': the axes of the second turn and move, too
        const TmlVec3 e = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
        const TmlVec3 carried = k < 3 ? e : v3_cross(e, v3_sub(mine->p, pose->r));
        rate->p[k] = v3_add(carried, m3_mulv(&pose->A, dp));
        rate->n[k] = v3_sub(k < 3 ? v3(0, 0, 0) : v3_cross(e, mine->n), m3_mulv(&pose->A, dn));
    }
}

/* In the order in which the types stand in the list, or have what own_pairs.c needs; -1: not in this one. */
static int touch_in_order(const TmlShape *first, const TmlShape *second, const TmlPose *pose,
                          double reach, TmlTouch *touch, TmlTouchRate *rate)
{
    TmlPairFunction *function = find(first->type, second->type);
    if (function != NULL) {
        return function(first->data, second->data, pose, reach, touch, rate);
    }
    const bool listed = find(second->type, first->type) != NULL;
    return !listed && tml_own_can_touch(first->type, second->type)
               ? tml_own_touch(first, second, pose, reach, touch, rate)
               : -1;
}

int tml_touch(const TmlShape *first, const TmlShape *second, const TmlPose *pose, double reach,
              TmlTouch *touch, TmlTouchRate *rate)
{
    int n = touch_in_order(first, second, pose, reach, touch, rate);
    if (n >= 0) {
        return n;
    }
    const TmlPose back = {v3_neg(m3_tmulv(&pose->A, pose->r)), m3_transpose(&pose->A)}; // (T1)
    n = touch_in_order(second, first, &back, reach, touch, rate);
    for (int k = 0; k < n; ++k) {
        touch[k].p = v3_add(pose->r, m3_mulv(&pose->A, touch[k].p)); // (T2)
        touch[k].n = v3_neg(m3_mulv(&pose->A, touch[k].n));
        if (rate != NULL) {
            const TmlTouchRate other = rate[k];
            swap_rate(pose, &touch[k], &other, &rate[k]);
        }
    }
    return n;
}
