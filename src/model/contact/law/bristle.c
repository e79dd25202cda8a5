/* model/contact/law/bristle.c - what laws of friction with a bristle share: bristle.h. */
#include "model/contact/law/bristle.h"

#include "base/fail.h"
#include "math/vec3.h"
#include "model/contact/law/press.h"

#include <math.h>

static double static_mu(const TmlBristleData *p)
{
    return p->mu_s > 0.0 ? p->mu_s : p->mu_d;
}

TmlStribeck tml_bristle_stribeck(const TmlBristleData *p, double speed)
{
    const double x = speed / p->v_s, more = (static_mu(p) - p->mu_d) * exp(-x * x);
    return (TmlStribeck){p->mu_d + more, -2.0 * more / (p->v_s * p->v_s)}; // (B1)
}

TmlStatus tml_bristle_check(const void *data, TmlError *err)
{
    const TmlBristleData *p = data;
    return tml_slip_check(p->mu_s, p->mu_d, err);
}

/* --- the force ---------------------------------------------------------------------------------- */

/* A scalar with its derivatives. */
typedef struct Scalar {
    double value, by_force;
    TmlVec3 by_v, by_z;
} Scalar;

/* (B2): the spring, cut at L. */
typedef struct Spring {
    TmlVec3 e, by_force;
    TmlMat33 by_z;
    double room; // L^2 - |e|^2
} Spring;

static TmlMat33 m3_isotropic(double x)
{
    return m3_diag(x, x, x);
}

/* I - u u^T, times x */
static TmlMat33 m3_across(double x, TmlVec3 u)
{
    const TmlMat33 I = m3_isotropic(x), uu = m3_outer(u, u);
    return m3_axpy(-x, &uu, &I);
}

static Spring spring(const TmlBristleData *p, double N, TmlVec3 z)
{
    const double L = static_mu(p) * N, size = v3_norm(z), full = p->stiffness * size;
    if (full <= L) {
        return (Spring){.e = v3_scale(p->stiffness, z),
                        .by_z = m3_isotropic(p->stiffness),
                        .room = L * L - full * full};
    }
    const TmlVec3 u = v3_scale(1.0 / size, z);
    return (Spring){
        .e = v3_scale(L, u), .by_force = v3_scale(static_mu(p), u), .by_z = m3_across(L / size, u)};
}

/* (B7) */
static double load(const TmlSlipIn *in)
{
    const TmlBristleData *p = in->data;
    return fmax(in->force, p->stiffness * in->least / static_mu(p));
}

TmlSlipIn tml_bristle_cut(const TmlSlipIn *in)
{
    const TmlBristleData *p = in->data;
    TmlSlipIn cut = *in;
    cut.force = load(in);
    if (!in->uncut) {
        cut.z = v3_scale(1.0 / p->stiffness, spring(p, cut.force, in->z).e);
    }
    return cut;
}

void tml_bristle_uncut(const TmlSlipIn *in, TmlBristleSlip *slip)
{
    const TmlBristleData *p = in->data;
    if (in->uncut) { // a line whose slope by z is kept
        slip->by_force = v3(0, 0, 0);
        slip->by_v = m3_identity();
        return;
    }
    const Spring e = spring(p, load(in), in->z);
    const TmlMat33 by_cut = m3_scale(1.0 / p->stiffness, &slip->by_z);
    slip->by_z = m3_mul(&by_cut, &e.by_z);
    slip->by_force =
        load(in) > in->force ? v3(0, 0, 0) : v3_add(slip->by_force, m3_mulv(&by_cut, e.by_force));
}

/* (B4): the damper that the cone allows. At the end of what it allows f = e + s w has the length L:
 * f . (de + s dw + w ds) = L dL. */
static void within_cone(const TmlBristleData *p, const TmlSlipIn *in, const TmlBristleSlip *x,
                        const Spring *e, Scalar *s)
{
    const double ew = v3_dot(e->e, x->w), ww = v3_dot(x->w, x->w);
    const double root = sqrt(ew * ew + ww * e->room);
    if (!(ww > 0.0)) {
        return;
    }
    // e of length L is normal to w for `elastic` beyond its yield (B6), and stays so: there is no room
    const double rounding = 1e-12;
    if (e->room == 0.0 && fabs(ew) <= rounding * v3_norm(e->e) * sqrt(ww)) {
        *s = (Scalar){0};
        return;
    }
    const double most = ew > 0.0 ? e->room / (ew + root) : (root - ew) / ww;
    if (most >= s->value) {
        return;
    }
    const TmlVec3 f = v3_axpy(most, x->w, e->e);
    const double fw = v3_dot(f, x->w), mu = static_mu(p);
    const double per = fw > 0.0 ? 1.0 / fw : 0.0; // 0 where e, of length L, is normal to w
    s->value = most;
    s->by_v = v3_scale(-per * most, m3_tmulv(&x->by_v, f));
    s->by_z = v3_scale(-per, v3_axpy(most, m3_tmulv(&x->by_z, f), m3_tmulv(&e->by_z, f)));
    s->by_force = per * (mu * mu * in->force - v3_dot(f, v3_axpy(most, x->by_force, e->by_force)));
}

/* psi of (B5). */
static Scalar take_up(const TmlBristleData *p, const TmlSlipIn *in)
{
    const double size = v3_norm(in->z), end = static_mu(p) * load(in) / p->stiffness;
    if (size <= end || in->uncut) {
        return (Scalar){.value = 1.0};
    }
    const double phi = end / size, left = 1.0 - phi, slope = 4.0 * left * left * left;
    return (Scalar){.value = 1.0 - left * left * left * left,
                    .by_force =
                        load(in) > in->force ? 0.0 : slope * static_mu(p) / (p->stiffness * size),
                    .by_z = v3_scale(-slope * phi / (size * size), in->z)};
}

/* (B4): the damper that makes no energy. */
static void without_gain(const TmlBristleData *p, const TmlSlipIn *in, const TmlBristleSlip *x,
                         const Spring *e, const Scalar *psi, Scalar *s)
{
    const double power = v3_dot(x->w, in->v), N = in->force, s2 = p->viscous, s0 = p->stiffness;
    if (power >= 0.0) {
        return;
    }
    const double vv = v3_dot(in->v, in->v);
    const double zw = s0 * v3_dot(in->z, x->w);
    const double lost = v3_dot(e->e, in->v) + s2 * N * vv - psi->value * zw;
    const double most = fmax(0.0, lost) / -power;
    if (most >= s->value) {
        return;
    }
    // most = -lost / power: d most = -(d lost + most d power) / power
    TmlVec3 lost_v = v3_axpy(2.0 * s2 * N, in->v, e->e), lost_z = m3_tmulv(&e->by_z, in->v);
    lost_v = v3_axpy(-s0 * psi->value, m3_tmulv(&x->by_v, in->z), lost_v);
    lost_z = v3_axpy(-s0 * psi->value, v3_add(x->w, m3_tmulv(&x->by_z, in->z)), lost_z);
    lost_z = v3_axpy(-zw, psi->by_z, lost_z);
    const double lost_N = v3_dot(e->by_force, in->v) + s2 * vv - zw * psi->by_force -
                          s0 * psi->value * v3_dot(in->z, x->by_force);
    const TmlVec3 power_v = v3_add(x->w, m3_tmulv(&x->by_v, in->v));
    s->value = most;
    s->by_v = v3_scale(-1.0 / power, v3_axpy(most, power_v, lost_v));
    s->by_z = v3_scale(-1.0 / power, v3_axpy(most, m3_tmulv(&x->by_z, in->v), lost_z));
    s->by_force = -(lost_N + most * v3_dot(x->by_force, in->v)) / power;
}

/* (B5) */
static void rate(const TmlBristleData *p, const TmlSlipIn *in, const TmlBristleSlip *x,
                 const Scalar *psi, TmlSlip *out)
{
    const double size = v3_norm(in->z), end = static_mu(p) * in->force / p->stiffness;
    const TmlMat33 none = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, w_z = m3_outer(x->w, psi->by_z);
    out->rate = v3_scale(psi->value, x->w);
    out->rate_by_v = m3_axpy(psi->value, &x->by_v, &none);
    out->rate_by_z = m3_axpy(psi->value, &x->by_z, &w_z);
    out->rate_by_force = v3_axpy(psi->by_force, x->w, v3_scale(psi->value, x->by_force));
    if (size > end && p->damping > 0.0) {
        const double k = p->stiffness / p->damping;
        const TmlVec3 u = v3_scale(1.0 / size, in->z);
        const TmlMat33 uu = m3_outer(u, u), across = m3_across(1.0 - end / size, u);
        out->rate = v3_axpy(-k * (size - end), u, out->rate);
        out->rate_by_z = m3_axpy(-k, &uu, &out->rate_by_z);
        out->rate_by_z = m3_axpy(-k, &across, &out->rate_by_z);
        out->rate_by_force = v3_axpy(k * static_mu(p) / p->stiffness, u, out->rate_by_force);
    }
}

void tml_bristle_force(const TmlSlipIn *in, const TmlBristleSlip *x, TmlSlip *out)
{
    const TmlBristleData *p = in->data;
    const Spring e = spring(p, in->force, in->z);
    const Scalar psi = take_up(p, in);
    const double s2 = p->viscous;
    Scalar s = {.value = p->damping};
    within_cone(p, in, x, &e, &s);
    without_gain(p, in, x, &e, &psi, &s);

    // (B3)
    const TmlVec3 f = v3_axpy(s.value, x->w, e.e);
    const TmlMat33 ws_v = m3_outer(x->w, s.by_v), ws_z = m3_outer(x->w, s.by_z);
    TmlMat33 by_v = m3_isotropic(s2 * in->force), by_z = m3_add(&e.by_z, &ws_z);
    by_v = m3_axpy(s.value, &x->by_v, &by_v);
    by_v = m3_add(&by_v, &ws_v);
    by_z = m3_axpy(s.value, &x->by_z, &by_z);
    TmlVec3 by_force = v3_axpy(s.value, x->by_force, e.by_force);
    by_force = v3_axpy(s.by_force, x->w, v3_axpy(s2, in->v, by_force));

    *out = (TmlSlip){.force = v3_neg(v3_axpy(s2 * in->force, in->v, f)),
                     .by_v = m3_scale(-1.0, &by_v),
                     .by_z = m3_scale(-1.0, &by_z),
                     .by_force = v3_neg(by_force),
                     .stored = 0.5 * p->stiffness * v3_dot(in->z, in->z)};
    rate(p, in, x, &psi, out);
}

void tml_bristle_unloaded(const TmlSlipIn *in, TmlSlip *out)
{
    const TmlBristleData *p = in->data;
    const double k = p->damping > 0.0 ? p->stiffness / p->damping : 0.0;
    *out = (TmlSlip){.rate = v3_scale(-k, in->z),
                     .rate_by_z = m3_isotropic(-k),
                     .stored = 0.5 * p->stiffness * v3_dot(in->z, in->z)};
}

/* --- at rest ------------------------------------------------------------------------------------ */

void tml_bristle_hold(const TmlSlipIn *in, TmlSlip *out)
{
    const TmlBristleData *p = in->data;
    *out = (TmlSlip){0};
    if (in->force > 0.0) {
        const Spring e = spring(p, in->force, in->z);
        const double size = v3_norm(in->z), L = static_mu(p) * in->force, end = L / p->stiffness;
        const double bent = fmin(size, end);
        out->force = v3_neg(e.e);
        out->by_z = m3_scale(-1.0, &e.by_z);
        out->by_force = v3_neg(e.by_force);
        out->stored = 0.5 * p->stiffness * bent * bent + L * (size - bent);
    }
}

TmlVec3 tml_bristle_bear(const void *data, double normal_force, TmlVec3 T)
{
    const TmlBristleData *p = data;
    const double size = v3_norm(T), L = static_mu(p) * fmax(normal_force, 0.0);
    return v3_scale(-(size > L ? L / size : 1.0) / p->stiffness, T);
}

double tml_bristle_reach(const void *data, double normal_force)
{
    const TmlBristleData *p = data;
    return static_mu(p) * fmax(normal_force, 0.0) / p->stiffness;
}
