/* model/contact/law/lugre.c - friction of bristles (Canudas de Wit, Olsson, Astrom, Lischinsky).
 *
 *   (G1)  w = v - s_0 |v| z / (N g(v))            z' = w; the force of bristle.h
 *
 * |v| is the length of the vector and is not rounded off at zero: a rounded one lets things at rest
 * creep. Under a load that swings below the static friction this law creeps nevertheless; `elastic`
 * does not.
 */
#include "math/vec3.h"
#include "model/contact/law/bristle.h"

static void lugre_slip(const TmlSlipIn *in, TmlSlip *out)
{
    const TmlBristleData *p = in->data;
    if (!(in->force > 0.0)) {
        tml_bristle_unloaded(in, out);
        return;
    }
    const TmlSlipIn cut = tml_bristle_cut(in); // (B6), (B7)
    const TmlVec3 z = cut.z;
    const double s = v3_norm(in->v);
    const TmlStribeck mu = tml_bristle_stribeck(p, s);
    const double per = p->stiffness / (cut.force * mu.g), k = per * s; // (G1): w = v - k z
    // dk/dv = (per + s dper/ds) v / s, dper/ds = -per g' / g
    const TmlVec3 k_v = v3_scale(per * (1.0 - s * s * mu.slope / mu.g), v3_unit(in->v));
    const TmlMat33 I = m3_identity(), zk = m3_outer(z, k_v);
    TmlBristleSlip slip = {.w = v3_axpy(-k, z, in->v),
                           .by_force = v3_scale(k / cut.force, z),
                           .by_v = m3_axpy(-1.0, &zk, &I),
                           .by_z = m3_diag(-k, -k, -k)};
    tml_bristle_uncut(in, &slip);
    tml_bristle_force(in, &slip, out);
}

static const TmlParam lugre_params[] = {
    TML_BRISTLE_PARAMS,
    {0},
};

TML_SLIP_TYPE(lugre) = {
    .info = {.name = "lugre",
             .text = "Bristle friction with states (LuGre): bodies at rest stay at rest.",
             .data_size = sizeof(TmlBristleData),
             .params = lugre_params,
             .example = "stiffness: 1e5 N/m, damping: 300 N s/m, dynamic: 0.25, static: 0.4"},
    .bristles = true,
    .check = tml_bristle_check,
    .slip = lugre_slip,
    .hold = tml_bristle_hold,
    .bear = tml_bristle_bear,
    .reach = tml_bristle_reach,
};
