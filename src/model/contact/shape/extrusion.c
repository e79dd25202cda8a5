/* model/contact/shape/extrusion.c - a profile of lines and arcs, extruded along z about its origin.
 *
 * Seen from the centre q of a sphere, with the profile's height h2, normal n2, direction t and bend k2 and the
 * excess dz of |z| over half of the thickness, unit vector e along z away from the middle:
 *
 *   (P14)  beside:  h = h2,  n = n2,  H = k2 t t^T
 *   (P15)  at a rim:  h^2 = h2^2 + dz^2,  n = (h2 n2 + dz e) / h,
 *          H = (1 - n n^T - t t^T) / h + (h2 k2 / h) t t^T
 *   (P16)  above the face:  h = dz,  n = e,  H = 0
 */
#include "base/fail.h"
#include "math/vec3.h"
#include "model/contact/shape/mesh/mesh_pairs.h"
#include "model/contact/shape/mesh/tessellate.h"
#include "model/contact/shape/pairs.h"
#include "model/contact/shape/profile/curves.h"
#include "model/contact/shape/profile/pins.h"
#include "model/contact/shape/profile/point_touch.h"
#include "model/contact/shape/profile/profile.h"

enum { PIECES = 16 };

typedef struct ExtrusionData {
    TmlProfileData head;
    double thickness;
    int touches; /* SOLID or CURVE */
} ExtrusionData;

enum { SOLID, CURVE };

const TmlMeshSolid *tml_extrusion_triangles(const void *data)
{
    return ((const ExtrusionData *)data)->head.triangles;
}

static void extrusion_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const ExtrusionData *d = data;
    const TmlProfile *p = d->head.profile;
    *low = v3(p->low.x, p->low.y, -0.5 * d->thickness);
    *high = v3(p->high.x, p->high.y, 0.5 * d->thickness);
}

static TmlStatus extrusion_check(const void *data, TmlError *err)
{
    return tml_profile_check(data, err);
}

static TmlStatus extrusion_prepare(void *data, const TmlShapeSetup *setup, TmlError *err)
{
    ExtrusionData *d = data;
    TML_TRY(tml_profile_make(data, false, setup, err));
    return tml_extruded_mesh(d->head.profile, d->thickness, setup, &d->head.triangles, err);
}

static const TmlParam extrusion_params[] = {
    TML_PROFILE_PARAMS("x, y of the corners of a closed curve, counterclockwise"),
    {"thickness", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(ExtrusionData, thickness), NULL,
     "length along z, half of it to each side", NULL},
    {"touches", TML_PARAM_CHOICE, TML_ANY, "", offsetof(ExtrusionData, touches), "solid",
     "curve: half-spaces and other curves in the plane of the profile, at one point for each "
     "region "
     "of overlap; joints keep both in the plane",
     "solid|curve"},
    {0},
};

TML_SHAPE_TYPE(extrusion) = {
    .info = {.name = "extrusion",
             .text = "A plane profile of lines and arcs with a thickness: sprockets, cams, guides.",
             .data_size = sizeof(ExtrusionData),
             .params = extrusion_params,
             .example = "points: [[0, 0], [0.1, 0], [0.1, 0.05], [0, 0.05]], thickness: 0.01"},
    .axis = TML_SHAPE_AXIS_Z,
    .surface = TML_SURFACE_STRAIGHT | TML_SURFACE_FLAT | TML_SURFACE_EDGES,
    .check = extrusion_check,
    .prepare = extrusion_prepare,
    .bounds = extrusion_bounds,
};

static TmlMat33 scaled_outer(double s, TmlVec3 a)
{
    const TmlMat33 m = m3_outer(a, a);
    return m3_scale(s, &m);
}

/* Beside the curve, dz <= 0, or at its rim. */
static TmlSurfaceNear at_side(const TmlProfileNear *p, double dz, double up)
{
    const TmlVec3 n2 = v3(p->n.x, p->n.y, 0.0), t = v3(p->t.x, p->t.y, 0.0), e = v3(0, 0, up);
    TmlSurfaceNear s = {.height = p->height,
                        .n = n2,
                        .H = scaled_outer(p->bend, t), // (P14)
                        .curvature = {p->curvature, 0.0},
                        .id = (uint64_t)p->id};
    if (dz > 0.0) { // (P15)
        const double h = hypot(p->height, dz);
        const TmlVec3 n = v3_scale(1.0 / h, v3_axpy(dz, e, v3_scale(p->height, n2)));
        const TmlMat33 nn = scaled_outer(-1.0 / h, n), I = m3_diag(1.0 / h, 1.0 / h, 1.0 / h);
        const TmlMat33 tt = scaled_outer((p->height * p->bend - 1.0) / h, t);
        const TmlMat33 across = m3_add(&I, &nn);
        s.height = h;
        s.n = n;
        s.H = m3_add(&across, &tt);
        s.curvature[0] = s.curvature[1] = HUGE_VAL;
        s.id |= (uint64_t)(up > 0.0 ? 1 : 2) << 32;
    }
    return s;
}

static TmlSurfaceNear at_face(double dz, double up)
{
    return (TmlSurfaceNear){
        .height = dz, .n = v3(0, 0, up), .id = (uint64_t)(up > 0.0 ? 3 : 4) << 32};
}

TML_PAIR_FUNCTION(extrusion, sphere)
{
    const ExtrusionData *d = first;
    const double R = *(const double *)second, k[2] = {1.0 / R, 1.0 / R};
    const double dz = fabs(pose->r.z) - 0.5 * d->thickness, up = pose->r.z >= 0.0 ? 1.0 : -1.0;
    TmlProfileNear near[PIECES];
    if (dz > R + reach) {
        return 0;
    }
    const TmlVec2 x = {pose->r.x, pose->r.y};
    const int found = tml_profile_near(d->head.profile, x, R + reach, PIECES, near);
    const bool inside = found == 1 && near[0].height <= 0.0;
    if (inside && dz > near[0].height) { // (P16); also of a centre within, nearer to a face
        const TmlSurfaceNear s = at_face(dz, up);
        tml_point_touch(&s, pose->r, NULL, R, k, touch, rate);
        return 1;
    }
    int n = 0;
    for (int i = 0; i < found; ++i) {
        const TmlSurfaceNear s = at_side(&near[i], inside ? 0.0 : dz, up);
        if (s.height <= R + reach) {
            tml_point_touch(&s, pose->r, NULL, R, k, &touch[n], rate != NULL ? &rate[n] : NULL);
            n++;
        }
    }
    return n;
}

/* --- with pins -------------------------------------------------------------------------------- */

/* The true profile for a pin along the axis, triangles for what is left of the share. */
static int pin(const ExtrusionData *d, const TmlRod *rod, const TmlSolid *S, const TmlPose *pose,
               double reach, TmlTouch *touch, TmlTouchRate *rate)
{
    TmlTouchRate own[TML_PIN_TOUCHES];
    Dual share;
    int n = tml_pin_touch(d->head.profile, d->thickness, rod, pose, reach, touch, own, &share);
    for (int k = 0; k < n && rate != NULL; ++k) {
        rate[k] = own[k];
    }
    if (share.x < 1.0) {
        TmlTouch other[TML_TOUCH_MAX];
        TmlTouchRate its[TML_TOUCH_MAX];
        const int more = tml_mesh_solid_touch(d->head.triangles, S, pose, reach, other, its);
        tml_fade_touches(other, its, more, d6_linear(1.0, -1.0, share));
        for (int k = 0; k < more && n < TML_TOUCH_MAX; ++k, ++n) {
            touch[n] = other[k];
            if (rate != NULL) {
                rate[n] = its[k];
            }
        }
    }
    return n;
}

TML_PAIR_FUNCTION(extrusion, capsule)
{
    const TmlRod rod = tml_capsule_rod(second);
    const TmlSolid S = tml_capsule_solid(second);
    return pin(first, &rod, &S, pose, reach, touch, rate);
}

TML_PAIR_FUNCTION(extrusion, cylinder)
{
    const TmlRod rod = tml_cylinder_rod(second);
    const TmlSolid S = tml_cylinder_solid(second);
    return pin(first, &rod, &S, pose, reach, touch, rate);
}

/* --- with planes and each other ---------------------------------------------------------------- */

TML_PAIR_FUNCTION(half_space, extrusion)
{
    const ExtrusionData *d = second;
    (void)first;
    return d->touches == CURVE ? tml_curve_floor(d->head.profile, pose, reach, touch, rate)
                               : tml_mesh_floor_touch(d->head.triangles, pose, reach, touch, rate);
}

TML_PAIR_FUNCTION(extrusion, extrusion)
{
    const ExtrusionData *a = first, *b = second;
    return a->touches == CURVE && b->touches == CURVE
               ? tml_curves_touch(a->head.profile, b->head.profile, pose, reach, touch, rate)
               : tml_meshes_touch(a->head.triangles, b->head.triangles, pose, reach, touch, rate);
}
