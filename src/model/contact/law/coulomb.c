/* model/contact/law/coulomb.c - dry friction that turns round smoothly where sliding does.
 *
 * With the sliding speed s = |v| and the static velocity v_s, w = s / v_s:
 *
 *   (C1)  T = -N mu(s) v / s
 *   (C2)  mu = m(s) tanh(w),  or  m(s) w / sqrt(1 + w^2)
 *         m(s) = mu_d + (mu_s - mu_d) exp(-(s / v_d)^2)
 *   (C3)  mu = mu_s w (3 - w^2) / 2                                   cubic, s < v_s
 *         mu = mu_s + (mu_d - mu_s) u^2 (3 - 2 u), u = (s - v_s) / (v_d - v_s)    s < v_d
 *         mu = mu_d                                                   beyond: the function of Adams
 *   (C4)  dT/dv = -N (f I + f'/s v v^T),  f(s) = mu / s
 *
 * A thing under a load F below mu_s N creeps with the speed at which mu(s) N = F. At rest, (C5), the
 * law can hold things by a displacement u with a reach r instead:
 *
 *   (C5)  T = -N mu_s S(|u| / r) u / |u|,  S as in (C2), (C3)
 */
#include "base/fail.h"
#include "math/vec3.h"
#include "model/contact/law/press.h"

#include <math.h>

typedef enum CoulombShape { COULOMB_TANH, COULOMB_CUBIC, COULOMB_SQRT } CoulombShape;

typedef struct CoulombData {
    double mu_s, mu_d, v_s, v_d, hold;
    int shape;
} CoulombData;

/* f = mu / s and f' / s. */
typedef struct Secant {
    double f, slope;
} Secant;

static double coulomb_static(const CoulombData *p)
{
    return p->mu_s > 0.0 ? p->mu_s : p->mu_d;
}

static double coulomb_dynamic_velocity(const CoulombData *p)
{
    return p->v_d > 0.0 ? p->v_d : 10.0 * p->v_s;
}

static TmlStatus coulomb_check(const void *data, TmlError *err)
{
    const CoulombData *p = data;
    TML_TRY(tml_slip_check(p->mu_s, p->mu_d, err));
    if (!(coulomb_dynamic_velocity(p) > p->v_s)) {
        return tml_fail(
            err, TML_E_MODEL,
            "dynamic_velocity (%.9g m/s) must be larger than static_velocity (%.9g m/s)", p->v_d,
            p->v_s);
    }
    return TML_OK;
}

/* S(w) / w and its derivative by w over w, of the smooth shapes (C2). */
static Secant smooth_secant(int shape, double w)
{
    const double w2 = w * w;
    if (shape == COULOMB_SQRT) {
        const double r = 1.0 / sqrt(1.0 + w2);
        return (Secant){r, -r * r * r};
    }
    if (w < 0.02) { // the series: what is left out is below 1e-11
        return (Secant){1.0 - w2 / 3.0 + w2 * w2 * 2.0 / 15.0,
                        -2.0 / 3.0 + w2 * (8.0 / 15.0 - w2 * 34.0 / 105.0)};
    }
    const double S = tanh(w);
    return (Secant){S / w, ((1.0 - S * S) - S / w) / w2};
}

static Secant smooth(int shape, double mu_s, double mu_d, double v_s, double v_d, double s)
{
    const double more = (mu_s - mu_d) * exp(-(s / v_d) * (s / v_d)), m = mu_d + more;
    const Secant S = smooth_secant(shape, s / v_s); // (C2)
    return (Secant){m * S.f / v_s,
                    (m * S.slope / (v_s * v_s) - 2.0 * more / (v_d * v_d) * S.f) / v_s};
}

static Secant cubic(double mu_s, double mu_d, double v_s, double v_d, double s)
{
    if (s < v_s) { // (C3)
        const double w = s / v_s;
        return (Secant){mu_s * (3.0 - w * w) / (2.0 * v_s), -mu_s / (v_s * v_s * v_s)};
    }
    const double u = fmin((s - v_s) / (v_d - v_s), 1.0), step = mu_d - mu_s;
    const double mu = mu_s + step * u * u * (3.0 - 2.0 * u);
    const double by_s = step * 6.0 * u * (1.0 - u) / (v_d - v_s);
    return (Secant){mu / s, (by_s - mu / s) / (s * s)};
}

static Secant secant(int shape, double mu_s, double mu_d, double v_s, double v_d, double s)
{
    return shape == COULOMB_CUBIC ? cubic(mu_s, mu_d, v_s, v_d, s)
                                  : smooth(shape, mu_s, mu_d, v_s, v_d, s);
}

/* -f N x, and its derivative by x. (C1), (C4) */
static void along(Secant k, double N, TmlVec3 x, TmlSlip *out, TmlMat33 *by_x)
{
    const TmlMat33 I = m3_diag(-N * k.f, -N * k.f, -N * k.f), xx = m3_outer(x, x);
    out->force = v3_scale(-N * k.f, x);
    out->by_force = v3_scale(-k.f, x);
    *by_x = m3_axpy(-N * k.slope, &xx, &I);
}

static void coulomb_slip(const TmlSlipIn *in, TmlSlip *out)
{
    const CoulombData *p = in->data;
    *out = (TmlSlip){0};
    if (in->force > 0.0) {
        const double s = v3_norm(in->v);
        const Secant k =
            secant(p->shape, coulomb_static(p), p->mu_d, p->v_s, coulomb_dynamic_velocity(p), s);
        along(k, in->force, in->v, out, &out->by_v);
    }
}

static double coulomb_width(const void *data)
{
    return ((const CoulombData *)data)->v_s;
}

/* The integral of S(w) from 0, for the energy. */
static double shape_integral(int shape, double w)
{
    switch (shape) {
    case COULOMB_SQRT:
        return sqrt(1.0 + w * w) - 1.0;
    case COULOMB_CUBIC:
        return w < 1.0 ? w * w * (6.0 - w * w) / 8.0 : w - 0.375;
    default:
        return w + log1p(exp(-2.0 * w)) - log(2.0); // ln cosh w
    }
}

static void coulomb_hold(const TmlSlipIn *in, TmlSlip *out)
{
    const CoulombData *p = in->data;
    *out = (TmlSlip){0};
    if (in->force > 0.0 && p->hold > 0.0) { // (C5)
        const double u = v3_norm(in->z), mu = coulomb_static(p);
        along(secant(p->shape, mu, mu, p->hold, 2.0 * p->hold, u), in->force, in->z, out,
              &out->by_z);
        out->stored = in->force * mu * p->hold * shape_integral(p->shape, u / p->hold);
    }
}

static const TmlParam coulomb_params[] = {
    {"dynamic", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(CoulombData, mu_d), NULL,
     "coefficient of friction in sliding", NULL},
    {"static", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(CoulombData, mu_s), "0",
     "coefficient that is reached where sliding begins; 0: the same as dynamic", NULL},
    {"static_velocity", TML_PARAM_REAL, TML_POSITIVE, "m/s", offsetof(CoulombData, v_s), "1e-3",
     "speed across which friction turns round; below it things creep", NULL},
    {"dynamic_velocity", TML_PARAM_REAL, TML_NONNEGATIVE, "m/s", offsetof(CoulombData, v_d), "0",
     "speed at which static has become dynamic friction; 0: ten times static_velocity", NULL},
    {"smoothing", TML_PARAM_CHOICE, TML_ANY, "", offsetof(CoulombData, shape), "tanh",
     "how it turns round; cubic is that of Adams", "tanh|cubic|sqrt"},
    {"hold", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(CoulombData, hold), "0",
     "statics: displacement over which static friction builds up; 0: statics have no friction",
     NULL},
    {0},
};

TML_SLIP_TYPE(coulomb) = {
    .info = {.name = "coulomb",
             .text = "Dry friction, smoothed over a small speed: things at rest creep below it.",
             .data_size = sizeof(CoulombData),
             .params = coulomb_params,
             .example = "dynamic: 0.3"},
    .check = coulomb_check,
    .slip = coulomb_slip,
    .width = coulomb_width,
    .hold = coulomb_hold,
};
