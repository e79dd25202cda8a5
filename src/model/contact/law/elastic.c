/* model/contact/law/elastic.c - friction that is a spring until it yields (Dupont and others).
 *
 * u = z / |z|, x = |z|, z_max = N g(v) / s_0, z_ba = r N mu_d / s_0, r the part up to which it is a
 * mere spring:
 *
 *   (D1)  w = v - beta z,  beta = alpha max(0, v.u) / z_max
 *   (D2)  alpha = 0 for x < z_ba,  (1 - cos(pi y)) / 2,  y = (x - z_ba) / (z_max - z_ba),  1 beyond
 *
 * Below z_ba nothing slips, so that no load that swings there makes a thing creep. In one direction
 * this is the published law. In the plane the speed along the bristle takes the place of its size: the
 * bristle turns into the direction of sliding as in plasticity with radial return, and nothing jumps
 * where v is normal to z.
 */
#include "base/fail.h"
#include "math/vec3.h"
#include "model/contact/law/bristle.h"

#include <math.h>

/* beta of (D1) with its derivatives. */
typedef struct Flow {
    double value, by_force;
    TmlVec3 by_v, by_z;
} Flow;

static Flow flow(const TmlBristleData *p, const TmlSlipIn *in)
{
    const double N = in->force, x = v3_norm(in->z), s = v3_norm(in->v);
    const TmlStribeck mu = tml_bristle_stribeck(p, s);
    const double per = N / p->stiffness, z_max = per * mu.g, z_ba = per * p->break_away * p->mu_d;
    const TmlVec3 u = v3_unit(in->z);
    const double along = v3_dot(in->v, u);
    if (!(along > 0.0) || x <= z_ba) {
        return (Flow){0};
    }
    const TmlVec3 z_max_v = v3_scale(per * mu.slope, in->v);
    const double range = z_max - z_ba, y = fmin((x - z_ba) / range, 1.0);
    const double alpha = 0.5 * (1.0 - cos(M_PI * y)); // (D2)
    const double slope = y < 1.0 ? 0.5 * M_PI * sin(M_PI * y) / range : 0.0;
    const double c = along / z_max;
    // alpha depends on x, and by z_max on v; z_max and z_ba are proportional to N: dy/dN = -x / (range N)
    return (Flow){
        .value = alpha * c, // (D1)
        .by_v = v3_axpy(-c * (slope * y + alpha / z_max), z_max_v, v3_scale(alpha / z_max, u)),
        .by_z = v3_axpy(c * slope - alpha * c / x, u, v3_scale(alpha / (x * z_max), in->v)),
        .by_force = -c / N * (slope * x + alpha),
    };
}

static void elastic_slip(const TmlSlipIn *in, TmlSlip *out)
{
    if (!(in->force > 0.0)) {
        tml_bristle_unloaded(in, out);
        return;
    }
    const TmlSlipIn cut = tml_bristle_cut(in); // (B6), (B7)
    const Flow b = flow(in->data, &cut);
    const TmlMat33 I = m3_identity(), zb_v = m3_outer(cut.z, b.by_v);
    const TmlMat33 zb_z = m3_outer(cut.z, b.by_z), bI = m3_diag(-b.value, -b.value, -b.value);
    TmlBristleSlip slip = {.w = v3_axpy(-b.value, cut.z, in->v),
                           .by_force = v3_scale(-b.by_force, cut.z),
                           .by_v = m3_axpy(-1.0, &zb_v, &I),
                           .by_z = m3_axpy(-1.0, &zb_z, &bI)};
    tml_bristle_uncut(in, &slip);
    tml_bristle_force(in, &slip, out);
}

static TmlStatus elastic_check(const void *data, TmlError *err)
{
    const TmlBristleData *p = data;
    TML_TRY(tml_bristle_check(data, err));
    if (!(p->break_away < 1.0)) {
        return tml_fail(err, TML_E_MODEL, "break_away must be below 1, got %.9g", p->break_away);
    }
    return TML_OK;
}

static const TmlParam elastic_params[] = {
    TML_BRISTLE_PARAMS,
    {"break_away", TML_PARAM_REAL, TML_FRACTION, "", offsetof(TmlBristleData, break_away), "0.7",
     "share of the dynamic friction up to which sticking is purely elastic", NULL},
    {0},
};

TML_SLIP_TYPE(elastic) = {
    .info = {.name = "elastic",
             .text = "Elastic friction: a spring while it sticks, with a yield limit; no creep "
                     "under oscillating loads.",
             .data_size = sizeof(TmlBristleData),
             .params = elastic_params,
             .example = "stiffness: 1e5 N/m, damping: 300 N s/m, dynamic: 0.3"},
    .bristles = true,
    .check = elastic_check,
    .slip = elastic_slip,
    .hold = tml_bristle_hold,
    .bear = tml_bristle_bear,
    .reach = tml_bristle_reach,
};
