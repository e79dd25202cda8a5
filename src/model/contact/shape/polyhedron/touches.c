/* model/contact/shape/polyhedron/touches.c - polyhedra that touch: by corners, by patches, or not yet. */
#include "math/vec3.h"
#include "model/contact/shape/polyhedron/near_features.h"

enum { N = TML_TOUCH_VARIABLES };

static double height_above(const TmlPolyhedron *P, int face, TmlVec3 x)
{
    return P != NULL ? v3_dot(P->normal[face], x) - P->offset[face] : x.z;
}

/* The face of P below a point x: that of the least depth. False: x is beside P. */
static bool face_below(const TmlPolyhedron *P, TmlVec3 x, int *face, double *height)
{
    *face = 0;
    *height = height_above(P, 0, x);
    if (P == NULL) {
        return true;
    }
    TmlNearPair near;
    tml_near_point(P, x, &near);
    *face = near.a.index;
    *height = near.distance;
    return near.a.dim == 2;
}

/* Rates of a corner x at a face with the outward normal n. carried: which of the two the second shape
 * carries with it. */
static void corner_rates(TmlVec3 x, TmlVec3 n, double depth, TmlVec3 r, bool corner_moves,
                         TmlTouchRate *rate)
{
    TmlVec3 u[N];
    tml_carried(x, r, u);
    *rate = (TmlTouchRate){0};
    for (int i = 0; i < N; ++i) {
        const double along = v3_dot(n, u[i]);
        if (corner_moves) {
            rate->depth[i] = -along;
            rate->p[i] = v3_axpy(-0.5 * along, n, u[i]);
        } else { // the face moves, and the touch's normal is against its own
            const TmlVec3 dn = i < 3 ? v3(0, 0, 0) : v3_cross(v3(i == 3, i == 4, i == 5), n);
            rate->depth[i] = along;
            rate->n[i] = v3_neg(dn);
            rate->p[i] = v3_axpy(0.5 * along, n, v3_scale(0.5 * depth, dn));
        }
    }
}

/* Corners of Q in or above faces of P (NULL: the half-space). second: Q is the second shape. */
static int corners_of(const TmlPolyhedron *P, const TmlPolyhedron *Q, bool second, TmlVec3 r,
                      double reach, int count, TmlTouch *touch, TmlTouchRate *rate)
{
    for (int k = 0; k < Q->n_corners && count < TML_TOUCH_MAX; ++k) {
        const TmlVec3 x = Q->corner[k];
        int face;
        double height;
        if (!face_below(P, x, &face, &height) || height > reach) {
            continue;
        }
        const TmlVec3 n = P != NULL ? P->normal[face] : v3(0, 0, 1);
        touch[count] = (TmlTouch){.p = v3_axpy(-0.5 * height, n, x),
                                  .n = second ? n : v3_neg(n),
                                  .depth = -height,
                                  .curvature = {HUGE_VAL, HUGE_VAL},
                                  .id = ((uint64_t)(second ? 1 : 2) << 48) | ((uint64_t)k << 24) |
                                        (uint64_t)face};
        if (rate != NULL) {
            corner_rates(x, n, -height, r, second, &rate[count]);
        }
        count++;
    }
    return count;
}

int tml_corners_touch(const TmlPolyhedron *A, const TmlPolyhedron *B, TmlVec3 r, double reach,
                      TmlTouch *touch, TmlTouchRate *rate)
{
    int n = 0;
    if (B->corners) {
        n = corners_of(A, B, true, r, reach, n, touch, rate);
    }
    if (A != NULL && A->corners) {
        n = corners_of(B, A, false, r, reach, n, touch, rate);
    }
    return n;
}

/* The lowest corner above z = 0. */
static int lowest(const TmlPolyhedron *B, TmlVec3 r, double reach, TmlTouch *touch,
                  TmlTouchRate *rate)
{
    const int k = tml_polyhedron_support(B, v3(0, 0, -1));
    const TmlVec3 x = B->corner[k];
    if (x.z > reach) {
        return 0;
    }
    *touch = (TmlTouch){.p = v3(x.x, x.y, 0.5 * x.z),
                        .n = v3(0, 0, 1),
                        .depth = -x.z,
                        .curvature = {HUGE_VAL, HUGE_VAL},
                        .id = ((uint64_t)1 << 48) | ((uint64_t)k << 24)};
    if (rate != NULL) {
        corner_rates(x, v3(0, 0, 1), -x.z, r, true, rate);
    }
    return 1;
}

int tml_polyhedra_touch(const TmlPolyhedron *A, const TmlPolyhedron *B, const TmlPose *pose,
                        double reach, TmlTouch *touch, TmlTouchRate *rate)
{
    TmlPosedRoom room;
    TmlPolyhedron b;
    TmlNearPair near;
    tml_polyhedron_pose(B, pose, &room, &b);
    if (A != NULL &&
        v3_norm(v3_sub(b.centre, A->centre)) > A->radius + b.radius + fmax(reach, 0.0)) {
        return 0;
    }
    if (B->corners || (A != NULL && A->corners)) {
        return tml_corners_touch(A, &b, pose->r, reach, touch, rate);
    }
    const int n = tml_overlap_touch(A, &b, pose->r, touch, rate);
    if (n > 0) {
        return n;
    }
    if (A == NULL) {
        return lowest(&b, pose->r, reach, touch, rate);
    }
    if (!tml_near_features(A, &b, reach, &near)) {
        return 0;
    }
    tml_near_touch(&near, 0.0, pose->r, touch, rate);
    return 1;
}
