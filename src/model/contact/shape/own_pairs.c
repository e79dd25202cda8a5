/* model/contact/shape/own_pairs.c - pairs of shapes that have no function of their own: by the support or the distance that
 * a type gives. With them a type is one table, of the library or of its user.
 *
 * Half-space z < 0, first, and a convex shape of support s, seen along m = -A^T z:
 *
 *   (W1)  P = r + A s(m), the lowest point;  depth = -P_z
 *   (W2)  dP = dr + dphi x (P - r) + A ds,  dm = A^T (dphi x z) = W ds,  W: its shape operator; ds = 0 at edges and corners
 *
 * A shape of distance h(x), first, and a point x of the second, a ball's centre or a corner, with the radius R, 0 of corners:
 *
 *   (W3)  depth = R - h,  n = grad h,  dn = H dx, H = grad n     point_touch.h has the rest
 *   (W4)  curvatures k of the surface below x from the eigenvalues e of H: k = e / (1 - h e)
 *
 * How curvatures change is not known: laws that read them (hertz) have derivatives without that part.
 */
#include "math/vec3.h"
#include "model/contact/shape/box.h"
#include "model/contact/shape/hull.h"
#include "model/contact/shape/mesh/mesh_pairs.h"
#include "model/contact/shape/pairs.h"
#include "model/contact/shape/polyhedron/polyhedron.h"
#include "model/contact/shape/profile/point_touch.h"
#include "model/contact/shape/round/closest.h"

#include <math.h>

extern const TmlShapeType tml_shape_half_space, tml_shape_sphere, tml_shape_box, tml_shape_hull,
    tml_shape_triangle_mesh;

/* --- half-spaces -------------------------------------------------------------------------------- */

/* x with (W + m m^T) x = b, by the adjugate: both are of full rank where the surface is curved. */
static TmlVec3 solve_curved(const TmlMat33 *W, TmlVec3 m, TmlVec3 b)
{
    const TmlMat33 mm = m3_outer(m, m), M = m3_add(W, &mm);
    const double det = m3_det(&M);
    const TmlVec3 rows[3] = {v3_cross(M.cy, M.cz), v3_cross(M.cz, M.cx), v3_cross(M.cx, M.cy)};
    return det != 0.0
               ? v3_scale(1.0 / det, v3(v3_dot(rows[0], b), v3_dot(rows[1], b), v3_dot(rows[2], b)))
               : v3(0, 0, 0);
}

/* The two eigenvalues of a symmetric matrix across the unit vector n, the smaller first. */
static void eigenvalues(const TmlMat33 *H, TmlVec3 n, double k[2])
{
    const TmlMat33 T = m3_from_z(n, v3(1, 0, 0));
    const TmlVec3 Hu = m3_mulv(H, T.cx), Hv = m3_mulv(H, T.cy);
    const double a = v3_dot(T.cx, Hu), b = v3_dot(T.cx, Hv), d = v3_dot(T.cy, Hv);
    const double half = 0.5 * (a + d), root = hypot(0.5 * (a - d), b);
    k[0] = half - root;
    k[1] = half + root;
}

static int on_plane(const TmlShape *b, const TmlPose *pose, double reach, TmlTouch *touch,
                    TmlTouchRate *rate)
{
    const TmlVec3 z = v3(0, 0, 1), m = v3_neg(m3_tmulv(&pose->A, z));
    int feature = 0;
    TmlMat33 W;
    const TmlVec3 arm = m3_mulv(&pose->A, b->type->support(b->data, m, &feature));
    const TmlVec3 P = v3_add(pose->r, arm); // (W1)
    const bool curved = b->type->curvature != NULL && b->type->curvature(b->data, m, &W);
    if (!(-P.z > -reach)) {
        return 0;
    }
    *touch = (TmlTouch){.p = v3(P.x, P.y, 0.5 * P.z),
                        .n = z,
                        .depth = -P.z,
                        .curvature = {HUGE_VAL, HUGE_VAL},
                        .id = (uint64_t)(unsigned)feature};
    if (curved) {
        eigenvalues(&W, m, touch->curvature);
    }
    for (int k = 0; rate != NULL && k < TML_TOUCH_VARIABLES; ++k) {
        const TmlVec3 e = v3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
        TmlVec3 dP = k < 3 ? e : v3_cross(e, arm); // (W2)
        if (k == 0) {
            *rate = (TmlTouchRate){0};
        }
        rate->depth[k] = -dP.z;
        if (k >= 3 && curved) {
            const TmlVec3 ds = solve_curved(&W, m, m3_tmulv(&pose->A, v3_cross(e, z)));
            dP = v3_add(dP, m3_mulv(&pose->A, ds));
        }
        rate->p[k] = v3(dP.x, dP.y, 0.5 * dP.z);
    }
    return 1;
}

/* --- distances ---------------------------------------------------------------------------------- */

static TmlSurfaceNear surface_at(const TmlShape *a, TmlVec3 x)
{
    TmlSurfaceNear s = {0};
    double e[2];
    s.height = a->type->distance(a->data, x, &s.n, &s.H); // (W3)
    eigenvalues(&s.H, s.n, e);
    for (int k = 0; k < 2; ++k) {
        const double rest = 1.0 - s.height * e[k];
        s.curvature[k] = rest > 0.0 ? e[k] / rest : HUGE_VAL; // (W4)
    }
    return s;
}

static int at_ball(const TmlShape *a, double radius, const TmlPose *pose, double reach,
                   TmlTouch *touch, TmlTouchRate *rate)
{
    const double along[2] = {1.0 / radius, 1.0 / radius};
    const TmlSurfaceNear s = surface_at(a, pose->r);
    if (!(radius - s.height > -reach)) {
        return 0;
    }
    tml_point_touch(&s, pose->r, NULL, radius, along, touch, rate);
    return 1;
}

/* The corners of a box, a hull or a mesh; how many. */
static int corners_of(const TmlShape *b, TmlBoxRoom *room, const TmlVec3 **corner)
{
    if (b->type == &tml_shape_triangle_mesh) {
        const TmlMeshSolid *m = tml_triangle_mesh_triangles(b->data);
        *corner = m->t.corner;
        return m->t.n_corners;
    }
    if (b->type == &tml_shape_hull) {
        const TmlPolyhedron *P = ((const TmlHullData *)b->data)->solid;
        *corner = P->corner;
        return P->n_corners;
    }
    const TmlPolyhedron P = tml_box_polyhedron(((const TmlBoxData *)b->data)->size, room);
    *corner = P.corner;
    return P.n_corners;
}

static int shallowest(const TmlTouch *touch, int n)
{
    int at = 0;
    for (int k = 1; k < n; ++k) {
        at = touch[k].depth < touch[at].depth ? k : at;
    }
    return at;
}

static int at_corners(const TmlShape *a, const TmlShape *b, const TmlPose *pose, double reach,
                      TmlTouch *touch, TmlTouchRate *rate)
{
    static const double sharp[2] = {HUGE_VAL, HUGE_VAL};
    TmlBoxRoom room;
    const TmlVec3 *corner = NULL;
    const int corners = corners_of(b, &room, &corner);
    int n = 0;
    for (int c = 0; c < corners; ++c) {
        const TmlVec3 x = v3_add(pose->r, m3_mulv(&pose->A, corner[c]));
        TmlVec3 dx[TML_TOUCH_VARIABLES];
        TmlSurfaceNear s = surface_at(a, x);
        const int to = n < TML_TOUCH_MAX ? n : shallowest(touch, n); // the deepest ones stay
        if (!(-s.height > -reach) || (n == TML_TOUCH_MAX && -s.height <= touch[to].depth)) {
            continue;
        }
        s.id = (uint64_t)c;
        tml_carried(x, pose->r, dx);
        tml_point_touch(&s, x, dx, 0.0, sharp, &touch[to], rate != NULL ? &rate[to] : NULL);
        n += to == n;
    }
    return n;
}

/* --- which -------------------------------------------------------------------------------------- */

static bool has_corners(const TmlShapeType *type)
{
    return type == &tml_shape_box || type == &tml_shape_hull || type == &tml_shape_triangle_mesh;
}

bool tml_own_can_touch(const TmlShapeType *first, const TmlShapeType *second)
{
    return (first == &tml_shape_half_space && second->support != NULL) ||
           (first->distance != NULL && (second == &tml_shape_sphere || has_corners(second)));
}

int tml_own_touch(const TmlShape *first, const TmlShape *second, const TmlPose *pose, double reach,
                  TmlTouch *touch, TmlTouchRate *rate)
{
    if (first->type == &tml_shape_half_space) {
        return on_plane(second, pose, reach, touch, rate);
    }
    if (second->type == &tml_shape_sphere) {
        return at_ball(first, tml_sphere_radius(second->data), pose, reach, touch, rate);
    }
    return at_corners(first, second, pose, reach, touch, rate);
}
