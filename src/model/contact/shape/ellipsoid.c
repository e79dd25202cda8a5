/* model/contact/shape/ellipsoid.c - an ellipsoid about its origin with its semi-axes along x, y, z.
 *
 * With D = diag(a^2, b^2, c^2):
 *
 *   (E1)  point with the outward normal n: x = D n / s, s^2 = n^T D n
 *   (E2)  shape operator there: W = s P D^-1 P, P = I - n n^T
 *   (E3)  the point nearest to y: x = D (D + t)^-1 y with |D^1/2 (D + t)^-1 y| = 1, the largest root t
 */
#include "base/fail.h"
#include "model/contact/shape/round/closest.h"
#include "model/contact/shape/round/solid.h"

#include <stddef.h>

typedef struct EllipsoidData {
    TmlVec3 axes;
} EllipsoidData;

TmlSolid tml_ellipsoid_solid(const void *data)
{
    return (TmlSolid){.ellipsoid = data};
}

static void ellipsoid_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    *high = ((const EllipsoidData *)data)->axes;
    *low = v3_neg(*high);
}

static TmlVec3 squares(TmlVec3 a)
{
    return v3(a.x * a.x, a.y * a.y, a.z * a.z);
}

static TmlVec3 ellipsoid_support(const void *data, TmlVec3 n, int *feature)
{
    const TmlVec3 D = squares(((const EllipsoidData *)data)->axes);
    const TmlVec3 Dn = v3(D.x * n.x, D.y * n.y, D.z * n.z);
    *feature = 0;
    return v3_scale(1.0 / sqrt(v3_dot(n, Dn)), Dn); // (E1)
}

static bool ellipsoid_curvature(const void *data, TmlVec3 n, TmlMat33 *W)
{
    const TmlVec3 D = squares(((const EllipsoidData *)data)->axes);
    const double s = sqrt(D.x * n.x * n.x + D.y * n.y * n.y + D.z * n.z * n.z);
    const TmlMat33 I = m3_identity(), nn = m3_outer(n, n), P = m3_axpy(-1.0, &nn, &I);
    const TmlMat33 inverse = m3_diag(s / D.x, s / D.y, s / D.z), right = m3_mul(&inverse, &P);
    *W = m3_mul(&P, &right); // (E2)
    return true;
}

DualVec tml_ellipsoid_point(const void *data, DualVec n)
{
    const TmlVec3 D = squares(((const EllipsoidData *)data)->axes);
    const DualVec Dn = {d6_scale(D.x, n.x), d6_scale(D.y, n.y), d6_scale(D.z, n.z)};
    return d6v_scale(d6_div(d6(1.0), d6_sqrt(d6v_dot(n, Dn))), Dn); // (E1)
}

double tml_ellipsoid_reach(const void *data, TmlVec3 n)
{
    const TmlVec3 D = squares(((const EllipsoidData *)data)->axes);
    return sqrt(D.x * n.x * n.x + D.y * n.y * n.y + D.z * n.z * n.z);
}

Dual tml_ellipsoid_bend(const void *data, DualVec n, DualVec u, DualVec v)
{
    const TmlVec3 D = squares(((const EllipsoidData *)data)->axes);
    const DualVec Dn = {d6_scale(D.x, n.x), d6_scale(D.y, n.y), d6_scale(D.z, n.z)};
    const DualVec Dv = {d6_scale(1.0 / D.x, v.x), d6_scale(1.0 / D.y, v.y),
                        d6_scale(1.0 / D.z, v.z)};
    return d6_mul(d6_sqrt(d6v_dot(n, Dn)), d6v_dot(u, Dv)); // (E2)
}

static void curvatures(const void *data, DualVec n, Dual k[2])
{
    DualVec u, v;
    tml_dual_tangents(n, &u, &v);
    tml_dual_eigen(tml_ellipsoid_bend(data, n, u, u), tml_ellipsoid_bend(data, n, u, v),
                   tml_ellipsoid_bend(data, n, v, v), k);
}

/* The root t of (E3) by Newton: the sum falls and is convex, so that it comes from the left. */
static Dual nearest_root(const TmlVec3 *axes, DualVec y)
{
    const double a[3] = {axes->x, axes->y, axes->z};
    const Dual *at[3] = {&y.x, &y.y, &y.z};
    double t = -HUGE_VAL, slope = 1.0;
    for (int i = 0; i < 3; ++i) {
        t = fmax(t, a[i] * (fabs(at[i]->x) - a[i]));
    }
    for (int iteration = 0; iteration < 100; ++iteration) {
        double sum = -1.0;
        slope = 0.0;
        for (int i = 0; i < 3; ++i) {
            const double q = a[i] * at[i]->x / (a[i] * a[i] + t);
            sum += q * q;
            slope -= 2.0 * q * q / (a[i] * a[i] + t);
        }
        const double step = -sum / slope;
        t += step;
        if (!(step > 1e-16 * (fabs(t) + a[0] * a[0]))) { // rounding
            break;
        }
    }
    Dual root = {.x = t};
    for (int k = 0; k < DUAL_VARIABLES; ++k) {
        for (int i = 0; i < 3; ++i) {
            const double q = a[i] / (a[i] * a[i] + t);
            root.g[k] -= 2.0 * q * q * at[i]->x * at[i]->g[k] / slope;
        }
    }
    return root;
}

void tml_ellipsoid_near(const void *data, DualVec point, TmlNear *near)
{
    const TmlVec3 axes = ((const EllipsoidData *)data)->axes, D = squares(axes);
    // a point on a plane of symmetry is taken just beside it: within, two points are equally near
    const double least = 1e-15 * fmin(axes.x, fmin(axes.y, axes.z));
    Dual *const part[3] = {&point.x, &point.y, &point.z};
    for (int i = 0; i < 3; ++i) {
        part[i]->x = fabs(part[i]->x) < least ? copysign(least, part[i]->x) : part[i]->x;
    }
    const Dual t = nearest_root(&axes, point);
    const DualVec q = {d6_div(point.x, d6_linear(D.x, 1.0, t)),
                       d6_div(point.y, d6_linear(D.y, 1.0, t)),
                       d6_div(point.z, d6_linear(D.z, 1.0, t))}; // D^-1 x of (E3)
    near->n = d6v_unit(q, 0.0, v3(0, 0, 1));
    near->distance = d6v_dot(near->n, d6v_sub(point, tml_ellipsoid_point(data, near->n)));
    curvatures(data, near->n, near->curvature);
}

static TmlStatus ellipsoid_check(const void *data, TmlError *err)
{
    const TmlVec3 a = ((const EllipsoidData *)data)->axes;
    if (!(a.x > 0.0 && a.y > 0.0 && a.z > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "semi_axes: %g, %g, %g m; each must be positive", a.x,
                        a.y, a.z);
    }
    return TML_OK;
}

static const TmlParam ellipsoid_params[] = {
    {"semi_axes", TML_PARAM_VEC3, TML_ANY, "m", offsetof(EllipsoidData, axes), NULL,
     "semi-axes along x, y, z", NULL},
    {0},
};

TML_SHAPE_TYPE(ellipsoid) = {
    .info = {.name = "ellipsoid",
             .text = "An ellipsoid about its position.",
             .data_size = sizeof(EllipsoidData),
             .params = ellipsoid_params,
             .example = "semi_axes: [0.1, 0.2, 0.05]"},
    .surface = TML_SURFACE_ROUND,
    .check = ellipsoid_check,
    .bounds = ellipsoid_bounds,
    .support = ellipsoid_support,
    .curvature = ellipsoid_curvature,
};

TML_PAIR_FUNCTION(half_space, ellipsoid)
{
    const TmlDualPose at = tml_dual_pose(pose);
    const DualVec down = d6v_along(at.axis, d6v(v3(0, 0, -1)));
    (void)first;
    TmlDualTouch o = {.p = tml_dual_out(&at, tml_ellipsoid_point(second, down)),
                      .n = d6v(v3(0, 0, 1))};
    o.depth = d6_neg(o.p.z);
    if (!(o.depth.x >= -reach)) {
        return 0;
    }
    o.p.z = d6_scale(-0.5, o.depth);
    curvatures(second, down, o.curvature);
    tml_touch_write(&o, 0, touch, rate);
    return 1;
}

TML_PAIR_FUNCTION(ellipsoid, sphere)
{
    const double R = tml_sphere_radius(second);
    return tml_near_sphere(tml_ellipsoid_near, first, pose, R, reach, touch, rate);
}
