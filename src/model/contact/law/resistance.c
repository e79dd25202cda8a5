/* model/contact/law/resistance.c - resistance to rolling and to spinning of one point.
 *
 * The relative angular velocity has the part w_n along the normal n, and w_t = w - (w.n) n across it.
 * With the lever arms r_t and r_n:
 *
 *   (W1)  M = -N [ r_t S(|w_t| / w_0) w_t / |w_t| + r_n S(w.n / w_0) n ],   S = tanh
 *   (W2)  f(x) = S(x / w_0) / x:  dM_t = -N r_t (f I + f'/x w_t w_t^T) dw_t
 *
 * Below w_0 it is viscous, so that things at rest on a slope roll slowly.
 */
#include "math/vec3.h"
#include "model/contact/contacts.h"

#include <math.h>

typedef struct ResistanceData {
    double rolling, spinning, velocity;
} ResistanceData;

/* f of (W2), and f' / x. */
static void secant(double x, double w_0, double *f, double *slope)
{
    const double w = x / w_0, w2 = w * w;
    if (w < 0.02) { // the series: what is left out is below 1e-11
        *f = (1.0 - w2 / 3.0 + w2 * w2 * 2.0 / 15.0) / w_0;
        *slope = (-2.0 / 3.0 + w2 * (8.0 / 15.0 - w2 * 34.0 / 105.0)) / (w_0 * w_0 * w_0);
    } else {
        const double S = tanh(w);
        *f = S / x;
        *slope = (1.0 - S * S - S / w) / (w2 * w_0 * w_0 * w_0);
    }
}

static void resistance_roll(const TmlRollIn *in, TmlRoll *out)
{
    const ResistanceData *p = in->data;
    const double N = in->force, spin = v3_dot(in->omega, in->n);
    *out = (TmlRoll){0};
    if (!(N > 0.0)) {
        return;
    }
    const TmlVec3 n = in->n, across = v3_axpy(-spin, n, in->omega);
    double f, slope;
    secant(v3_norm(across), p->velocity, &f, &slope);
    const double S = tanh(spin / p->velocity), S_spin = (1.0 - S * S) / p->velocity;
    const TmlVec3 M = v3_axpy(p->spinning * S, n, v3_scale(p->rolling * f, across));
    out->torque = v3_scale(-N, M); // (W1)
    out->by_force = v3_neg(M);

    // F: derivative of the rolling part by w_t, (W2); d w_t = (I - n n^T) dw - (n w^T + spin I) dn
    const TmlMat33 I = m3_identity(), nn = m3_outer(n, n), tt = m3_outer(across, across);
    const TmlMat33 nw = m3_outer(n, in->omega);
    const double r = -N * p->rolling, s = -N * p->spinning;
    TmlMat33 F = m3_scale(r * f, &I);
    F = m3_axpy(r * slope, &tt, &F);
    const TmlMat33 P = m3_axpy(-1.0, &nn, &I), Q = m3_axpy(spin, &I, &nw);
    const TmlMat33 FP = m3_mul(&F, &P), FQ = m3_mul(&F, &Q);
    out->by_omega = m3_axpy(s * S_spin, &nn, &FP);
    out->by_n = m3_scale(-1.0, &FQ);
    out->by_n = m3_axpy(s * S_spin, &nw, &out->by_n);
    out->by_n = m3_axpy(s * S, &I, &out->by_n);
}

static double resistance_width(const void *data)
{
    return ((const ResistanceData *)data)->velocity;
}

static const TmlParam resistance_params[] = {
    {"rolling", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(ResistanceData, rolling), "0",
     "torque against rolling over the normal force: a lever arm", NULL},
    {"spinning", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(ResistanceData, spinning), "0",
     "torque against spinning about the normal over the normal force: a lever arm", NULL},
    {"velocity", TML_PARAM_REAL, TML_POSITIVE, "rad/s", offsetof(ResistanceData, velocity), "0.01",
     "angular velocity over which the torques reverse", NULL},
    {0},
};

TML_ROLL_TYPE(resistance) = {
    .info = {.name = "resistance",
             .text = "Torques against rolling and spinning, proportional to the normal force.",
             .data_size = sizeof(ResistanceData),
             .params = resistance_params,
             .example = "rolling: 0.1 mm, spinning: 0.05 mm"},
    .roll = resistance_roll,
    .width = resistance_width,
};
