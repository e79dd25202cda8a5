/* model/wheel/tyre/linear_tyre.c - a tyre whose forces grow with slip without a bound: for small motions and linear vehicle models.
 *
 *   (L1)  F_x = C_x kappa,  F_y = C_y side + C_g camber,  M_z = -t F_y
 *
 * C by the load (per N) when `per_load` is set. A bound on the forces, mu F_z, may be set; then psi = 1 / sqrt(1 + s^2), s the slip by
 * that at which the line meets the bound.
 */
#include "base/fail.h"
#include "model/registry.h"
#include "model/wheel/tyre/tyre.h"

typedef struct LinearTyre {
    TmlTyre tyre;
    double longitudinal, lateral, camber, trail, sigma_x, sigma_y, mu, resistance;
    bool per_load;
} LinearTyre;

static void linear_steady(const void *data, const TmlTyreSlip *in, TmlTyreSteady *out)
{
    const LinearTyre *p = data;
    const Dual load = p->per_load ? in->load : d6(1.0);
    out->cx = d6_scale(p->longitudinal, load);
    out->cy = d6_scale(p->lateral, load);
    out->psi_x = out->psi_y = d6(1.0);
    if (p->mu > 0.0) {
        const Dual most = d6_scale(p->mu * in->friction, in->load);
        const Dual fx = d6_div(d6_mul(out->cx, in->kappa), most);
        const Dual fy = d6_div(d6_mul(out->cy, in->side), most);
        const Dual s = d6_add(d6_mul(fx, fx), d6_mul(fy, fy));
        out->psi_x = out->psi_y = d6_div(d6(1.0), d6_sqrt(d6_linear(1.0, 1.0, s)));
    }
    out->fy0 = d6_mul(d6_scale(p->camber, load), in->camber);
    out->trail = d6(p->trail);
    const Dual fy = d6_add(out->fy0, d6_mul(d6_mul(out->cy, out->psi_y), in->side));
    out->mz = d6_scale(-p->trail, fy);
    out->my = d6_scale(in->speed.x > 0.0 ? -p->resistance : p->resistance, in->load);
    out->sigma_x = d6(p->sigma_x);
    out->sigma_y = d6(p->sigma_y);
}

static const TmlTyreLaw linear_law = {linear_steady};

static TmlStatus linear_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    (void)n_ends, (void)err;
    return tml_tyre_prepare(data, &linear_law, e);
}

static const TmlParam linear_params[] = {
    TYRE_PARAMS(LinearTyre),
    {"longitudinal", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(LinearTyre, longitudinal), NULL,
     "slip stiffness along the wheel, N; by load with per_load", NULL},
    {"lateral", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(LinearTyre, lateral), NULL,
     "cornering stiffness, N/rad; by load with per_load", NULL},
    {"camber_stiffness", TML_PARAM_REAL, TML_ANY, "", offsetof(LinearTyre, camber), "0",
     "camber thrust towards the lean, N/rad, below 0 in axes of ISO; by load with per_load", NULL},
    {"per_load", TML_PARAM_BOOL, TML_ANY, "", offsetof(LinearTyre, per_load), "false",
     "whether the stiffnesses are for each N of load", NULL},
    {"mu", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(LinearTyre, mu), "0",
     "largest force by load; 0: there is none", NULL},
    {"trail", TML_PARAM_REAL, TML_ANY, "m", offsetof(LinearTyre, trail), "0", "pneumatic trail",
     NULL},
    {"resistance", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(LinearTyre, resistance), "0",
     "moment of rolling resistance by load", NULL},
    {"relaxation_x", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(LinearTyre, sigma_x), "0.1",
     "relaxation length along the wheel", NULL},
    {"relaxation_y", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(LinearTyre, sigma_y), "0.3",
     "lateral relaxation length", NULL},
    {0},
};

TML_FORCE_TYPE(linear_tyre) = {
    .info = {.name = "linear_tyre",
             .text = "Tyre with forces in proportion to slip, with or without a bound.",
             .example = "bodies: [ground, rod], at: [0, 0, 0.3], axis: y, radius: 0.3, stiffness: "
                        "2e5, longitudinal: 1e5, lateral: 8e4",
             .data_size = sizeof(LinearTyre),
             .params = linear_params,
             .outputs = tml_tyre_outputs},
    TYRE_FUNCTIONS,
    .check = tml_tyre_check,
    .prepare = linear_prepare,
};
