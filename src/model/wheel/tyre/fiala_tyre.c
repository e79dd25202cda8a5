/* model/wheel/tyre/fiala_tyre.c - the tyre of Fiala.
 *
 *   (F1)  S = min(1, sqrt(kappa^2 + tan(alpha)^2)),  U = U_max - (U_max - U_min) S
 *   (F2)  F_x = C_x kappa up to |kappa| = U F_z / (2 C_x), then sign(kappa) (U F_z - (U F_z)^2 / (4 |kappa| C_x))
 *   (F3)  a = C_y |tan(alpha)| / (3 U F_z):  |F_y| = U F_z (1 - (1 - a)^3) = C_y |tan(alpha)| (1 - a + a^2 / 3), a < 1;  U F_z beyond
 *   (F4)  M_z = -t F_y,  t = W H^3 / (1 + H + H^2),  H = 1 - a;  0 beyond: M_z = U F_z W (1 - H) H^3 sign(alpha)
 *
 * As published, the two forces together may exceed U F_z. `together: true` scales them back to it.
 */
#include "base/fail.h"
#include "model/registry.h"
#include "model/wheel/tyre/tyre.h"

typedef struct FialaTyre {
    TmlTyre tyre;
    double mu_static, mu_sliding, cx, cy, width, sigma_x, sigma_y, resistance;
    bool together;
} FialaTyre;

static Dual absolute(Dual a)
{
    return a.x < 0.0 ? d6_neg(a) : a;
}

static Dual one_over(Dual a)
{
    return d6_div(d6(1.0), a);
}

static void fiala_steady(const void *data, const TmlTyreSlip *in, TmlTyreSteady *out)
{
    const FialaTyre *p = data;
    const Dual s2 = d6_add(d6_mul(in->kappa, in->kappa), d6_mul(in->side, in->side));
    const Dual S = s2.x < 1.0 ? d6_sqrt(s2) : d6(1.0); // (F1)
    const Dual U = d6_linear(p->mu_static, p->mu_sliding - p->mu_static, S);
    const Dual most = d6_mul(d6_scale(in->friction, U), in->load);
    const Dual kappa = absolute(in->kappa), tan_a = absolute(in->side);
    out->cx = d6(p->cx);
    out->cy = d6(p->cy);
    out->psi_x = out->psi_y = d6(1.0);
    if (2.0 * p->cx * kappa.x > most.x) { // (F2)
        const Dual part = d6_scale(0.25 / p->cx, d6_mul(most, one_over(kappa)));
        out->psi_x =
            d6_mul(d6_mul(most, d6_linear(1.0, -1.0, part)), one_over(d6_scale(p->cx, kappa)));
    }
    const Dual a = d6_mul(d6_scale(p->cy / 3.0, tan_a), one_over(most));
    if (a.x < 1.0) { // (F3)
        out->psi_y = d6_linear(1.0, 1.0, d6_mul(a, d6_linear(-1.0, 1.0 / 3.0, a)));
        const Dual H = d6_linear(1.0, -1.0, a), H2 = d6_mul(H, H);
        out->trail = d6_div(d6_scale(p->width, d6_mul(H, H2)), d6_linear(1.0, 1.0, d6_add(H, H2)));
    } else {
        out->psi_y = d6_div(most, d6_scale(p->cy, tan_a));
    }
    if (p->together) {
        const Dual fx = d6_scale(p->cx, d6_mul(out->psi_x, in->kappa));
        const Dual fy = d6_scale(p->cy, d6_mul(out->psi_y, in->side));
        const Dual both = d6_sqrt(d6_add(d6_mul(fx, fx), d6_mul(fy, fy)));
        const Dual part = both.x > most.x ? d6_div(most, both) : d6(1.0);
        out->psi_x = d6_mul(part, out->psi_x);
        out->psi_y = d6_mul(part, out->psi_y);
    }
    out->mz = d6_neg(d6_mul(out->trail, d6_scale(p->cy, d6_mul(out->psi_y, in->side)))); // (F4)
    out->my = d6_scale(in->speed.x > 0.0 ? -p->resistance : p->resistance, in->load);
    out->sigma_x = d6(p->sigma_x);
    out->sigma_y = d6(p->sigma_y);
}

static const TmlTyreLaw fiala_law = {fiala_steady};

static TmlStatus fiala_check(const void *data, TmlError *err)
{
    const FialaTyre *p = data;
    if (p->mu_sliding > p->mu_static) {
        return tml_fail(err, TML_E_MODEL, "mu_sliding (%.9g) must not exceed mu_static (%.9g)",
                        p->mu_sliding, p->mu_static);
    }
    return tml_tyre_check(data, err);
}

static TmlStatus fiala_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    (void)n_ends, (void)err;
    return tml_tyre_prepare(data, &fiala_law, e);
}

static const TmlParam fiala_params[] = {
    TYRE_PARAMS(FialaTyre),
    {"mu_static", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(FialaTyre, mu_static), NULL,
     "coefficient of friction without slip (UMAX)", NULL},
    {"mu_sliding", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(FialaTyre, mu_sliding), NULL,
     "coefficient of friction at a slip of 1 (UMIN)", NULL},
    {"longitudinal", TML_PARAM_REAL, TML_POSITIVE, "N", offsetof(FialaTyre, cx), NULL,
     "slip stiffness along the wheel (CSLIP)", NULL},
    {"lateral", TML_PARAM_REAL, TML_POSITIVE, "N/rad", offsetof(FialaTyre, cy), NULL,
     "cornering stiffness (CALPHA)", NULL},
    {"width", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FialaTyre, width), "0",
     "of the tyre, for the aligning torque", NULL},
    {"together", TML_PARAM_BOOL, TML_ANY, "", offsetof(FialaTyre, together), "false",
     "whether both forces together are bounded by the friction; as published they are not", NULL},
    {"resistance", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(FialaTyre, resistance), "0",
     "moment of rolling resistance by load", NULL},
    {"relaxation_x", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(FialaTyre, sigma_x), "0.1",
     "relaxation length along the wheel", NULL},
    {"relaxation_y", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(FialaTyre, sigma_y), "0.3",
     "lateral relaxation length", NULL},
    {0},
};

TML_FORCE_TYPE(fiala_tyre) = {
    .info = {.name = "fiala_tyre",
             .text = "Tyre of Fiala: few parameters, friction that falls with slip.",
             .example = "bodies: [ground, rod], at: [0, 0, 0.3], axis: y, radius: 0.3, stiffness: "
                        "2e5, mu_static: 1, mu_sliding: 0.8, longitudinal: 1e5, lateral: 5e4",
             .data_size = sizeof(FialaTyre),
             .params = fiala_params,
             .outputs = tml_tyre_outputs},
    TYRE_FUNCTIONS,
    .check = fiala_check,
    .prepare = fiala_prepare,
};
