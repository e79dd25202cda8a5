/* model/contact/law/hertz.c - two elastic bodies that touch at a point, by moduli and curvatures (Hertz).
 *
 * k_1 <= k_2: principal curvatures of the gap. The area of contact is an ellipse with the semi-axes a
 * and b along these; q = (b / a)^2, m = 1 - q. With the complete elliptic integrals K(m), E(m),
 * D = (K - E) / m and B = K - D:
 *
 *   (Z1)  k_1 / k_2 = q D / B                                  gives q
 *   (Z2)  N = kappa d^(3/2),  kappa = (2 pi / 3) E* sqrt(2 D / k_1) / K^(3/2)
 *   (Z3)  dN/dk_1 = -N D / (2 k_1 K),  dN/dk_2 = -N B / (2 k_2 K)       at constant depth
 *   (Z4)  1/E* = (1 - nu_1^2) / E_1 + (1 - nu_2^2) / E_2
 *
 * All of these are in law/elliptic.c, with the reason of (Z3). For k_1 = k_2 = 1/R: kappa = 4/3 E* sqrt(R).
 * Damping is a factor, (P4), by eta or by (R1), (R5).
 *
 * Where a curvature is 0 (lines, faces) kappa is infinite, at corners and edges it is 0. Radii may be
 * bounded for these; the patch of two faces takes a foundation.
 */
#include "base/fail.h"
#include "model/contact/law/elliptic.h"
#include "model/contact/law/restitution.h"
#include "model/contact/material.h"

#include <math.h>

typedef struct HertzData {
    double modulus, young, poisson, second_young, second_poisson;
    double least_radius, largest_radius, foundation;
    double damping, restitution, slowest;
    TmlAdhesion adhesion;
    double h, effective; /* (R1); (Z4) */
} HertzData;

static TmlStatus hertz_check(const void *data, TmlError *err)
{
    const HertzData *p = data;
    if ((p->modulus > 0.0) == (p->young > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "either young (with poisson) or modulus, the effective one, must be given");
    }
    if (!(fabs(p->poisson) < 1.0) || !(fabs(p->second_poisson) < 1.0)) {
        return tml_fail(err, TML_E_MODEL, "poisson must be between -1 and 1, got %.9g",
                        fabs(p->poisson) < 1.0 ? p->second_poisson : p->poisson);
    }
    if (p->second_young > 0.0 && !(p->young > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "second_young needs young, that of the first shape");
    }
    if (p->least_radius > 0.0 && p->largest_radius > 0.0 &&
        !(p->largest_radius > p->least_radius)) {
        return tml_fail(err, TML_E_MODEL,
                        "largest_radius (%.9g m) must be above least_radius (%.9g m)",
                        p->largest_radius, p->least_radius);
    }
    if (p->damping > 0.0 && p->restitution < 1.0) {
        return tml_fail(err, TML_E_MODEL, "damping and restitution exclude each other");
    }
    return tml_press_check(1.0, p->foundation, 1.5, &p->adhesion, err);
}

static TmlStatus hertz_suits(const void *data, unsigned touches, TmlError *err)
{
    const HertzData *p = data;
    const bool lines = (touches & TML_TOUCH_LINES) != 0 && !(p->largest_radius > 0.0);
    const bool corners = (touches & TML_TOUCH_CORNERS) != 0 && !(p->least_radius > 0.0);
    if (lines) {
        return tml_fail(
            err, TML_E_MODEL,
            "the shapes touch along lines or faces, where the stiffness of Hertz is "
            "infinite: largest_radius (m) bounds it, about the length of the line%s; or "
            "take another law",
            corners ? ". They also have edges or corners, where it is zero: least_radius (m) is "
                      "how round these are"
                    : "");
    }
    if (corners) {
        return tml_fail(err, TML_E_MODEL,
                        "the shapes have edges or corners, where the stiffness of Hertz is zero: "
                        "least_radius (m) is how round they are; or take another law");
    }
    return tml_press_suits(1.0, p->foundation, &p->adhesion, touches, err);
}

static bool hertz_pulls(const void *data)
{
    return ((const HertzData *)data)->adhesion.force > 0.0;
}

static double hertz_modulus(const HertzData *p)
{
    if (p->modulus > 0.0) {
        return p->modulus;
    }
    const bool two = p->second_young > 0.0;
    return tml_contact_modulus(p->young, p->poisson, two ? p->second_young : p->young,
                               two ? p->second_poisson : p->poisson); // (Z4)
}

static void hertz_prepare(void *data)
{
    HertzData *p = data;
    p->h = p->restitution < 1.0 ? tml_restitution_exact(p->restitution) : 0.0;
    p->effective = hertz_modulus(p);
}

/* A curvature within the bounds of the radii; moves: whether it is not at one. */
static double bounded(const HertzData *p, double k, double *moves)
{
    const double low = p->largest_radius > 0.0 ? 1.0 / p->largest_radius : 0.0;
    const double high = p->least_radius > 0.0 ? 1.0 / p->least_radius : HUGE_VAL;
    *moves = k > low && k < high;
    return fmin(fmax(k, low), high);
}

static TmlPressSpring hertz_spring(const HertzData *p, const TmlPressIn *in)
{
    if (in->size > 0.0 || !(in->depth > 0.0 || in->continued)) {
        return tml_press_spring(in, 0.0, 1.5, p->foundation);
    }
    double moves[2], k[2];
    for (int i = 0; i < 2; ++i) {
        k[i] = bounded(p, in->curvature[i], &moves[i]);
    }
    const TmlEllipse el = tml_hertz_ellipse(k[0], k[1]);
    TmlPressSpring E = tml_press_spring(in, p->effective * el.stiffness, 1.5, 0.0); // (Z2)
    for (int i = 0; i < 2; ++i) {
        E.by_curvature[i] = moves[i] * E.force * el.stiffness_by[i] / el.stiffness; // (Z3)
    }
    return E;
}

static void hertz_press(const TmlPressIn *in, TmlPress *out)
{
    const HertzData *p = in->data;
    const TmlPressSpring E = hertz_spring(p, in);
    const double eta = p->restitution < 1.0 ? p->h / fmax(in->entry, p->slowest) : p->damping;
    tml_press_add_factor(in, &E, eta, out);
    tml_press_add_adhesion(in, &p->adhesion, out);
}

static const TmlParam hertz_params[] = {
    {"young", TML_PARAM_REAL, TML_NONNEGATIVE, "N/m^2", offsetof(HertzData, young), "0",
     "Young's modulus of both shapes, or of the first", NULL},
    {"poisson", TML_PARAM_REAL, TML_ANY, "", offsetof(HertzData, poisson), "0.3",
     "Poisson's ratio of both shapes, or of the first", NULL},
    {"second_young", TML_PARAM_REAL, TML_NONNEGATIVE, "N/m^2", offsetof(HertzData, second_young),
     "0", "Young's modulus of the second shape; 0: as the first", NULL},
    {"second_poisson", TML_PARAM_REAL, TML_ANY, "", offsetof(HertzData, second_poisson), "0.3",
     "Poisson's ratio of the second shape, with second_young", NULL},
    {"modulus", TML_PARAM_REAL, TML_NONNEGATIVE, "N/m^2", offsetof(HertzData, modulus), "0",
     "the effective modulus E* of both, in place of young", NULL},
    {"least_radius", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(HertzData, least_radius), "0",
     "radius assumed for edges and corners; 0: not allowed", NULL},
    {"largest_radius", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(HertzData, largest_radius),
     "0", "radius assumed for straight lines and flat faces; 0: not allowed", NULL},
    {"foundation", TML_PARAM_REAL, TML_NONNEGATIVE, "N/m^3", offsetof(HertzData, foundation), "0",
     "pressure per depth, for faces", NULL},
    {"damping", TML_PARAM_REAL, TML_NONNEGATIVE, "s/m", offsetof(HertzData, damping), "0",
     "eta: relative growth of the force per m/s of closing speed", NULL},
    {"restitution", TML_PARAM_REAL, TML_FRACTION, "", offsetof(HertzData, restitution), "1",
     "speed after a collision over the speed before it, in place of damping", NULL},
    TML_SLOWEST_PARAM(HertzData),
    TML_ADHESION_PARAMS(HertzData, adhesion),
    {0},
};

TML_PRESS_TYPE(hertz) = {
    .info = {.name = "hertz",
             .text =
                 "Two elastic bodies that touch at a point: stiffness by moduli and curvatures.",
             .data_size = sizeof(HertzData),
             .params = hertz_params,
             .example = "young: 210 GPa, poisson: 0.3, restitution: 0.9"},
    .remembers_entry = true,
    .check = hertz_check,
    .prepare = hertz_prepare,
    .suits = hertz_suits,
    .pulls = hertz_pulls,
    .press = hertz_press,
};
