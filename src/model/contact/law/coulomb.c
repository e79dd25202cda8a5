/* model/contact/law/coulomb.c - dry friction that turns round smoothly where sliding does.
 *
 * With the sliding speed s = |v| and the static velocity v_s, w = s / v_s:
 *
 *   (C1)  T = -N mu(s) v / s
 *   (C2)  mu = m(s) tanh(w),  or  m(s) w / sqrt(1 + w^2)
 *         m(s) = mu_d + D exp(-(s / v_d)^2)
 *   (C3)  mu = mu_s w (3 - w^2) / 2                                   cubic, s < v_s
 *         mu = mu_s + (mu_d - mu_s) u^2 (3 - 2 u), u = (s - v_s) / (v_d - v_s)    s < v_d
 *         mu = mu_d                                                   beyond: the function of Adams
 *   (C4)  dT/dv = -N (f I + f'/s v v^T),  f(s) = mu / s
 *
 *   (C6)  D is such that the largest mu of all speeds is mu_s. With D = mu_s - mu_d things would slide before: one factor of (C2)
 *         falls before the other has risen. The largest mu grows with D, so that halving finds it
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
    double excess; /* D */
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

static Secant smooth(int shape, double excess, double mu_d, double v_s, double v_d, double s)
{
    const double more = excess * exp(-(s / v_d) * (s / v_d)), m = mu_d + more;
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

/* mu of (C2) at s = w v_s. */
static double smooth_mu(const CoulombData *p, double excess, double w)
{
    const double x = w * p->v_s / coulomb_dynamic_velocity(p);
    return (p->mu_d + excess * exp(-x * x)) * smooth_secant(p->shape, w).f * w;
}

/* The largest mu of (C2): it lies between the two speeds, which may be decades apart. */
static double largest_mu(const CoulombData *p, double excess)
{
    enum { SAMPLES = 100, SECTIONS = 60 };
    static const double golden = 0.6180339887498949;
    const double first = log(0.1), span = log(10.0 * coulomb_dynamic_velocity(p) / p->v_s) - first;
    double low = 0.0, high = 0.0, most = -1.0;
    for (int k = 0; k <= SAMPLES; ++k) {
        const double mu = smooth_mu(p, excess, exp(first + span * k / SAMPLES));
        if (mu > most) {
            most = mu;
            low = first + span * (k - 1) / SAMPLES;
            high = first + span * (k + 1) / SAMPLES;
        }
    }
    for (int k = 0; k < SECTIONS; ++k) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        const double at_a = smooth_mu(p, excess, exp(a)), at_b = smooth_mu(p, excess, exp(b));
        most = fmax(most, fmax(at_a, at_b));
        low = at_a < at_b ? a : low;
        high = at_a < at_b ? high : b;
    }
    return most;
}

/* (C6) */
static void coulomb_prepare(void *data)
{
    CoulombData *p = data;
    enum { HALVES = 52 };
    double low = coulomb_static(p) - p->mu_d,
           high = 4.0 * coulomb_static(p); // exp(-1) sqrt(1/2) > 1/4
    p->excess = low;
    for (int k = 0; k < HALVES && low > 0.0 && p->shape != COULOMB_CUBIC; ++k) {
        p->excess = 0.5 * (low + high);
        if (largest_mu(p, p->excess) < p->mu_s) {
            low = p->excess;
        } else {
            high = p->excess;
        }
    }
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
        const double v_d = coulomb_dynamic_velocity(p);
        const Secant k = p->shape == COULOMB_CUBIC
                             ? cubic(coulomb_static(p), p->mu_d, p->v_s, v_d, s)
                             : smooth(p->shape, p->excess, p->mu_d, p->v_s, v_d, s);
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
        const Secant k = p->shape == COULOMB_CUBIC
                             ? cubic(mu, mu, p->hold, 2.0 * p->hold, u)
                             : smooth(p->shape, 0.0, mu, p->hold, 2.0 * p->hold, u);
        along(k, in->force, in->z, out, &out->by_z);
        out->stored = in->force * mu * p->hold * shape_integral(p->shape, u / p->hold);
    }
}

static const TmlParam coulomb_params[] = {
    {"dynamic", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(CoulombData, mu_d), NULL,
     "coefficient of friction in sliding", NULL},
    {"static", TML_PARAM_REAL, TML_NONNEGATIVE, "", offsetof(CoulombData, mu_s), "0",
     "largest coefficient of all speeds, where sliding begins; 0: the same as dynamic", NULL},
    {"static_velocity", TML_PARAM_REAL, TML_POSITIVE, "m/s", offsetof(CoulombData, v_s), "1e-3",
     "speed over which friction reverses; below it bodies creep", NULL},
    {"dynamic_velocity", TML_PARAM_REAL, TML_NONNEGATIVE, "m/s", offsetof(CoulombData, v_d), "0",
     "speed at which static has become dynamic friction; 0: ten times static_velocity", NULL},
    {"smoothing", TML_PARAM_CHOICE, TML_ANY, "", offsetof(CoulombData, shape), "tanh",
     "function of the smoothing; cubic is that of Adams", "tanh|cubic|sqrt"},
    {"hold", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(CoulombData, hold), "0",
     "statics: displacement over which static friction builds up; 0: no friction in statics", NULL},
    {0},
};

TML_SLIP_TYPE(coulomb) = {
    .info = {.name = "coulomb",
             .text = "Dry friction, smoothed over a small speed, below which bodies creep.",
             .data_size = sizeof(CoulombData),
             .params = coulomb_params,
             .example = "dynamic: 0.3"},
    .check = coulomb_check,
    .prepare = coulomb_prepare,
    .slip = coulomb_slip,
    .width = coulomb_width,
    .hold = coulomb_hold,
};
