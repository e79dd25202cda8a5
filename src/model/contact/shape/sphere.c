/* model/contact/shape/sphere.c - a sphere about its origin, and its pairs with itself and the half-space. */
#include "math/vec3.h"
#include "model/contact/shape/round/closest.h"

#include <math.h>

typedef struct SphereData {
    double radius;
} SphereData;

double tml_sphere_radius(const void *data)
{
    return ((const SphereData *)data)->radius;
}

static void sphere_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const double R = ((const SphereData *)data)->radius;
    *low = v3(-R, -R, -R);
    *high = v3(R, R, R);
}

static TmlVec3 sphere_support(const void *data, TmlVec3 direction, int *feature)
{
    *feature = 0;
    return v3_scale(((const SphereData *)data)->radius, direction);
}

static bool sphere_curvature(const void *data, TmlVec3 n, TmlMat33 *W)
{
    const double k = 1.0 / ((const SphereData *)data)->radius;
    const TmlMat33 nn = m3_outer(n, n), I = m3_diag(k, k, k);
    *W = m3_axpy(-k, &nn, &I);
    return true;
}

static const TmlParam sphere_params[] = {
    {"radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(SphereData, radius), NULL, "radius",
     NULL},
    {0},
};

TML_SHAPE_TYPE(sphere) = {
    .info = {.name = "sphere",
             .text = "A sphere about its position.",
             .data_size = sizeof(SphereData),
             .params = sphere_params},
    .surface = TML_SURFACE_ROUND,
    .bounds = sphere_bounds,
    .support = sphere_support,
    .curvature = sphere_curvature,
};

/* The half-space z < 0 and a sphere above it. The normal stays, the point follows the centre. */
TML_PAIR_FUNCTION(half_space, sphere)
{
    const double R = ((const SphereData *)second)->radius, depth = R - pose->r.z;
    (void)first;
    if (depth < -reach) {
        return 0;
    }
    *touch = (TmlTouch){.p = v3(pose->r.x, pose->r.y, -0.5 * depth),
                        .n = v3(0, 0, 1),
                        .depth = depth,
                        .curvature = {1.0 / R, 1.0 / R}};
    if (rate != NULL) {
        *rate = (TmlTouchRate){.p = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 0.5)}, .depth = {0, 0, -1}};
    }
    return 1;
}

/* The line between the centres is the normal: dn = (I - n n^T) dx / |x|. */
TML_PAIR_FUNCTION(sphere, sphere)
{
    const double a = ((const SphereData *)first)->radius, b = ((const SphereData *)second)->radius;
    const double distance = v3_norm(pose->r), depth = a + b - distance;
    if (depth < -reach) {
        return 0;
    }
    // concentric spheres have no normal; any will do to part them
    const TmlVec3 n = distance > 0.0 ? v3_scale(1.0 / distance, pose->r) : v3(0, 0, 1);
    const double k = 1.0 / a + 1.0 / b, arm = a - 0.5 * depth;
    *touch = (TmlTouch){.p = v3_scale(arm, n), .n = n, .depth = depth, .curvature = {k, k}};
    for (int i = 0; i < TML_TOUCH_VARIABLES && rate != NULL; ++i) {
        const TmlVec3 dx = v3(i == 0, i == 1, i == 2);
        const double along = v3_dot(n, dx);
        const TmlVec3 dn =
            distance > 0.0 ? v3_scale(1.0 / distance, v3_axpy(-along, n, dx)) : v3(0, 0, 0);
        rate->n[i] = dn;
        rate->p[i] = v3_axpy(arm, dn, v3_scale(0.5 * along, n));
        rate->depth[i] = -along;
        rate->size[i] = rate->fade[i] = rate->curvature[0][i] = rate->curvature[1][i] = 0.0;
    }
    return 1;
}
