/* model/wheel/rail/creep.c - forces of an elliptic contact by its creepages.
 *
 * N load, G modulus of shear, mu friction, a and b half axes along and across:
 *
 *   linear      (K1) of kalker.c, without a bound
 *   saturated   (C1)  e = |F_linear| / (mu N),  |F| = mu N (e - e^2/3 + e^3/27) for e < 3, else mu N
 *   fastsim     (C2)  L1 = 8 a / (3 G C11),  L2 = 8 a / (3 G C22),  L3 = pi a sqrt(a/b) / (4 G C23);
 *                     fastsim.c, Fx = mu N f_0, Fy = mu N f_1, Mz = mu N (a f_2 - b f_3)
 *   table       fastsim by interpolation, creep_table.c
 *   polach      (C3)  e = (pi/4) G a b / (mu N) |(C11 xi, C22 eta_C)|,
 *                     F = -(2 mu N / pi) (k_A e / (1 + (k_A e)^2) + atan(k_S e))
 *               (C4)  Fx = F xi / s,  Fy = F eta / s + F_S phi / s,  s = |(xi, eta_C)|,
 *                     eta_C = eta + a phi where that is larger than eta, else eta
 *               (C5)  F_S = (9/16) a mu N k_M h,  h = 1 + 6.3 (1 - exp(-a/b)),
 *                     k_M = |e_S| (d^3/3 - d^2/2 + 1/6) - (1/3) (1 - d^2)^(3/2),
 *                     d = (e_S^2 - 1) / (e_S^2 + 1),  e_S = (8/3) G b sqrt(a b) / (mu N) C23 eta_C / h
 *
 * (C1): Z. Y. Shen, J. K. Hedrick, J. A. Elkins (1983). (C2): J. J. Kalker, A fast algorithm for the simplified
 * theory of rolling contact (1982). (C3) to (C5): O. Polach, A fast wheel-rail forces calculation
 * computer code (1999). The quotients by s are smooth through s = 0 as written below.
 */
#include "model/wheel/rail/creep.h"

#include <math.h>

/* Creepages are not told apart below this one. */
static const double tiny_creep = 1e-9;

typedef struct Linear {
    Dual c[KALKER_KINDS]; /* C11, C22, C23 */
    Dual ab, bound;       /* a b; mu N */
} Linear;

static Linear linear_terms(const TmlCreepLaw *law, const TmlCreepIn *in)
{
    const Dual ratio = d6_div(in->a, in->b);
    const TmlKalkerC k = tml_kalker(&law->kalker, ratio.x);
    Linear o = {.ab = d6_mul(in->a, in->b), .bound = d6_scale(law->friction, in->load)};
    for (int i = 0; i < KALKER_KINDS; ++i) {
        o.c[i] = d6_function(ratio, k.c[i], k.slope[i]);
    }
    return o;
}

static TmlCreepOut linear_forces(const TmlCreepLaw *law, const TmlCreepIn *in, const Linear *l)
{
    const Dual Gab = d6_scale(law->shear, l->ab),
               spin = d6_mul(Gab, d6_mul(d6_sqrt(l->ab), l->c[2]));
    return (TmlCreepOut){
        .fx = d6_neg(d6_mul(Gab, d6_mul(l->c[0], in->xi))), // (K1)
        .fy = d6_neg(d6_add(d6_mul(Gab, d6_mul(l->c[1], in->eta)), d6_mul(spin, in->phi))),
        .mz = d6_mul(spin, in->eta),
    };
}

/* (C1): all forces times |F| / |F_linear|, which is 1 without creep. */
static TmlCreepOut saturated_forces(const TmlCreepLaw *law, const TmlCreepIn *in, const Linear *l)
{
    const TmlCreepOut o = linear_forces(law, in, l);
    const Dual x = d6_div(o.fx, l->bound), y = d6_div(o.fy, l->bound);
    const Dual e = d6_sqrt(d6_add(d6_mul(x, x), d6_mul(y, y)));
    const double v = e.x;
    const Dual s = v < 3.0
                       ? d6_function(e, 1.0 - v / 3.0 + v * v / 27.0, -1.0 / 3.0 + 2.0 * v / 27.0)
                       : d6_function(e, 1.0 / v, -1.0 / (v * v));
    return (TmlCreepOut){d6_mul(s, o.fx), d6_mul(s, o.fy), d6_mul(s, o.mz)};
}

static TmlCreepOut fastsim_forces(const TmlCreepLaw *law, const TmlCreepIn *in, const Linear *l,
                                  bool derivatives)
{
    // a / (L mu p_0), p_0 = 2 N / (pi a b): (F1) with (C2)
    const Dual base = d6_div(d6_scale(0.5 * M_PI * law->shear, l->ab), l->bound);
    const Dual spin = d6_scale(
        4.0 / M_PI, d6_mul(base, d6_mul(l->c[2], d6_mul(d6_sqrt(d6_div(in->b, in->a)), in->phi))));
    const bool table = law->theory == TML_CREEP_TABLE;
    const Dual u[4] = {
        d6_scale(0.375, d6_mul(base, d6_mul(l->c[0], in->xi))),
        d6_scale(0.375, d6_mul(base, d6_mul(l->c[1], in->eta))),
        table ? d6_mul(d6_sqrt(l->ab), spin) : d6_mul(in->b, spin),
        table ? d6_div(in->a, in->b) : d6_mul(in->a, spin),
    };
    const double value[4] = {u[0].x, u[1].x, u[2].x, u[3].x};
    TmlFastsim s;
    if (table) {
        tml_creep_table_at(law->table, value, &s);
    } else {
        tml_fastsim(law->cells, value, derivatives, &s);
    }
    Dual f[4];
    for (int r = 0; r < 4; ++r) {
        f[r] = d6(s.f[r]);
        for (int k = 0; k < 4; ++k) {
            f[r] = d6_add(f[r], d6_function(u[k], 0.0, s.by[r][k]));
        }
    }
    const Dual arm = d6_sub(d6_mul(in->a, f[2]), d6_mul(in->b, f[3]));
    return (TmlCreepOut){d6_mul(l->bound, f[0]), d6_mul(l->bound, f[1]), d6_mul(l->bound, arm)};
}

/* k_A / (1 + (k_A e)^2) + atan(k_S e) / e as a function of e^2. */
static Dual polach_shape(const TmlCreepLaw *law, Dual e2)
{
    const double ka = law->adhesion_factor, ks = law->slip_factor, e = sqrt(e2.x),
                 v = 1.0 + ka * ka * e2.x;
    const double w = ks * e;
    double f, df;   // atan(w) / w and its derivative by w^2
    if (w < 1e-2) { // the fourth term of the series is below rounding of the first
        const double q = w * w;
        f = 1.0 - q / 3.0 + q * q / 5.0 - q * q * q / 7.0;
        df = -1.0 / 3.0 + 2.0 * q / 5.0 - 3.0 * q * q / 7.0;
    } else {
        f = atan(w) / w;
        df = (1.0 / (1.0 + w * w) - f) / (2.0 * w * w);
    }
    return d6_function(e2, ka / v + ks * f, -ka * ka * ka / (v * v) + ks * ks * ks * df);
}

/* k_M of (C5) by |e_S|. */
static Dual polach_spin(Dual es)
{
    const double e = es.x, q = e * e + 1.0, d = (e * e - 1.0) / q, dd = 4.0 * e / (q * q);
    const double cubic = d * d * d / 3.0 - d * d / 2.0 + 1.0 / 6.0,
                 root = sqrt(fmax(1.0 - d * d, 0.0));
    const double f = e * cubic - root * root * root / 3.0;
    return d6_function(es, f, cubic + e * (d * d - d) * dd + root * d * dd);
}

static TmlCreepOut polach_forces(const TmlCreepLaw *law, const TmlCreepIn *in, const Linear *l)
{
    const Dual shifted = d6_add(in->eta, d6_mul(in->a, in->phi));
    const Dual eta_c = fabs(shifted.x) > fabs(in->eta.x) ? shifted : in->eta;
    const Dual s2 =
        d6_add(d6(tiny_creep * tiny_creep), d6_add(d6_mul(in->xi, in->xi), d6_mul(eta_c, eta_c)));
    const Dual s = d6_sqrt(s2);
    const Dual x = d6_mul(l->c[0], in->xi), y = d6_mul(l->c[1], eta_c);
    const Dual per = d6_div(d6_scale(0.25 * M_PI * law->shear, l->ab), l->bound);
    const Dual c2 = d6_div(d6_add(d6(tiny_creep * tiny_creep * l->c[0].x * l->c[0].x),
                                  d6_add(d6_mul(x, x), d6_mul(y, y))),
                           s2);
    const Dual slope = d6_mul(per, d6_sqrt(c2)); // e over s
    const Dual e2 = d6_mul(d6_mul(slope, slope), s2);
    const Dual F =
        d6_scale(-2.0 / M_PI, d6_mul(l->bound, d6_mul(slope, polach_shape(law, e2)))); // over s

    const Dual ratio = d6_div(in->a, in->b);
    const double decay = exp(-ratio.x);
    const Dual h = d6_function(ratio, 1.0 + 6.3 * (1.0 - decay), 6.3 * decay);
    const Dual size = d6_sqrt(d6_add(d6_mul(eta_c, eta_c), d6(tiny_creep * tiny_creep)));
    const Dual lever = d6_mul(in->b, d6_mul(d6_sqrt(l->ab), l->c[2]));
    const Dual es =
        d6_mul(d6_div(d6_scale(8.0 / 3.0 * law->shear, lever), d6_mul(l->bound, h)), size);
    const Dual spin =
        d6_scale(9.0 / 16.0, d6_mul(in->a, d6_mul(l->bound, d6_mul(h, polach_spin(es)))));
    return (TmlCreepOut){
        .fx = d6_mul(F, in->xi), // (C4)
        .fy = d6_add(d6_mul(F, in->eta), d6_mul(spin, d6_div(in->phi, s))),
    };
}

TmlCreepOut tml_creep(const TmlCreepLaw *law, const TmlCreepIn *in, bool derivatives)
{
    const Linear l = linear_terms(law, in);
    switch (law->theory) {
    case TML_CREEP_TABLE:
    case TML_CREEP_FASTSIM:
        return fastsim_forces(law, in, &l, derivatives);
    case TML_CREEP_SATURATED:
        return saturated_forces(law, in, &l);
    case TML_CREEP_LINEAR:
        return linear_forces(law, in, &l);
    case TML_CREEP_POLACH:
        break;
    }
    return polach_forces(law, in, &l);
}
