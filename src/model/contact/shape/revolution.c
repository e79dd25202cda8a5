/* model/contact/shape/revolution.c - a profile of lines and arcs, revolved about z.
 *
 * The profile lies in the half-plane of radius and z. Seen from a point q at the radius rho, with
 * directions e_r and e_phi there:
 *
 *   (P17)  h = h2,  n = n2_r e_r + n2_z e_z,  H = k2 t t^T + (n2_r / rho) e_phi e_phi^T
 *   (P18)  curvature around the axis: n2_r / rho_f,  rho_f = rho - h n2_r
 */
#include "base/fail.h"
#include "math/vec3.h"
#include "model/contact/shape/mesh/mesh_pairs.h"
#include "model/contact/shape/mesh/tessellate.h"
#include "model/contact/shape/pairs.h"
#include "model/contact/shape/profile/point_touch.h"
#include "model/contact/shape/profile/profile.h"

enum { PIECES = 16 };

const TmlMeshSolid *tml_revolution_triangles(const void *data)
{
    return ((const TmlProfileData *)data)->triangles;
}

static void revolution_bounds(const void *data, TmlVec3 *low, TmlVec3 *high)
{
    const TmlProfile *p = ((const TmlProfileData *)data)->profile;
    *low = v3(-p->high.x, -p->high.x, p->low.y);
    *high = v3(p->high.x, p->high.x, p->high.y);
}

static TmlStatus revolution_check(const void *data, TmlError *err)
{
    const TmlProfileData *d = data;
    TML_TRY(tml_profile_check(d, err));
    for (int k = 0; k < d->points.n; k += 2) {
        if (d->points.value[k] < 0.0) {
            return tml_fail(err, TML_E_MODEL, "the radius of point %d is negative: %g", k / 2 + 1,
                            d->points.value[k]);
        }
    }
    return TML_OK;
}

static TmlStatus revolution_prepare(void *data, const TmlShapeSetup *setup, TmlError *err)
{
    TmlProfileData *d = data;
    TML_TRY(tml_profile_make(data, true, setup, err));
    return tml_revolved_mesh(d->profile, setup, &d->triangles, err);
}

static const TmlParam revolution_params[] = {
    TML_PROFILE_PARAMS("radius and z of the corners of a closed curve, counterclockwise"),
    {0},
};

TML_SHAPE_TYPE(revolution) = {
    .info = {.name = "revolution",
             .text = "A plane profile of lines and arcs, revolved about z: grooved pulleys, rings.",
             .data_size = sizeof(TmlProfileData),
             .params = revolution_params,
             .example = "points: [[0.02, -0.01], [0.05, -0.01], [0.05, 0.01], [0.02, 0.01]]"},
    .axis = TML_SHAPE_AXIS_Z,
    .surface = TML_SURFACE_ROUND | TML_SURFACE_STRAIGHT | TML_SURFACE_FLAT | TML_SURFACE_EDGES,
    .check = revolution_check,
    .prepare = revolution_prepare,
    .bounds = revolution_bounds,
};

/* Tells whether the foot of a point lies so close to the axis that (P18) is rounding over rounding. Where the profile
 * crosses the axis squarely both curvatures are the same there. */
static bool is_pole(const TmlProfileNear *p, double foot)
{
    static const double close =
        1e-7; // of the radius of the profile: (P18) has nine digits left there
    return fabs(p->n.x) <= close && isfinite(p->curvature) && foot * fabs(p->curvature) <= close;
}

static TmlSurfaceNear revolve(const TmlProfileNear *p, TmlVec3 q, double rho)
{
    // on the axis all directions are alike, and the normal is along it unless a corner is there
    const TmlVec3 er = rho > 0.0 ? v3(q.x / rho, q.y / rho, 0.0) : v3(1, 0, 0);
    const TmlVec3 ephi = v3(-er.y, er.x, 0.0), ez = v3(0, 0, 1);
    const TmlVec3 t = v3_axpy(p->t.y, ez, v3_scale(p->t.x, er));
    const double around = rho > 0.0 ? p->n.x / rho : p->bend, foot = rho - p->height * p->n.x;
    const TmlMat33 tt = m3_outer(t, t), pp = m3_outer(ephi, ephi), k = m3_scale(p->bend, &tt);
    TmlSurfaceNear s = {.height = p->height,
                        .n = v3_axpy(p->n.y, ez, v3_scale(p->n.x, er)), // (P17)
                        .H = m3_axpy(around, &pp, &k),
                        .curvature = {p->curvature, 0.0},
                        .id = (uint64_t)p->id};
    if (is_pole(p, foot)) {
        s.curvature[1] = p->curvature;
        return s;
    }
    s.curvature[1] = foot > 0.0 ? p->n.x / foot : 0.0; // (P18)
    for (int i = 0; i < 3; ++i) {
        const TmlVec3 d = v3(i == 0, i == 1, i == 2);
        const double dn = p->bend * p->t.x * v3_dot(t, d);
        const double dfoot = v3_dot(er, d) - v3_dot(s.n, d) * p->n.x - p->height * dn;
        s.curvature_rate[1][i] = foot > 0.0 ? (dn - s.curvature[1] * dfoot) / foot : 0.0;
    }
    return s;
}

TML_PAIR_FUNCTION(revolution, sphere)
{
    const TmlProfile *p = ((const TmlProfileData *)first)->profile;
    const double R = *(const double *)second, k[2] = {1.0 / R, 1.0 / R};
    const double rho = hypot(pose->r.x, pose->r.y);
    TmlProfileNear near[PIECES];
    const TmlVec2 x = {rho, pose->r.z};
    const int found = tml_profile_near(p, x, R + reach, PIECES, near);
    for (int i = 0; i < found; ++i) {
        const TmlSurfaceNear s = revolve(&near[i], pose->r, rho);
        tml_point_touch(&s, pose->r, NULL, R, k, &touch[i], rate != NULL ? &rate[i] : NULL);
    }
    return found;
}
