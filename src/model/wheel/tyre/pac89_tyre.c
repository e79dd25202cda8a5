/* model/wheel/tyre/pac89_tyre.c - Pacejka's magic formula of 1989.
 *
 * Inside: F = load in kN, slip angle in degrees, kappa in per cent, camber in degrees. With (G1) of magic.h:
 *
 *   (P1)  F_x: C = b0, D = b1 F^2 + b2 F, B C D = (b3 F^2 + b4 F) exp(-b5 F), E = b6 F^2 + b7 F + b8, S_h = b9 F + b10
 *   (P2)  F_y: C = a0, D = a1 F^2 + a2 F, B C D = a3 sin(2 atan(F / a4)) (1 - a5 |g|), E = a6 F + a7,
 *              S_h = a9 F + a10 + a8 g, S_v = a11 F g + a12 F + a13
 *   (P3)  M_z: C = c0, D = c1 F^2 + c2 F, B C D = (c3 F^2 + c4 F) (1 - c6 |g|) exp(-c5 F),
 *              E = (c7 F^2 + c8 F + c9) (1 - c10 |g|), S_h = c11 g + c12 F + c13, S_v = (c14 F^2 + c15 F) g + c16 F + c17
 *
 * D is multiplied by the friction by that of the measurement. A positive slip angle gives a positive force in the formulas,
 * so that the angle inside is that of `side`. A force behind the wheel's centre has a moment of the other sign, with z up and with z
 * down: the coefficients c3 and c4 of M_z are below 0. Both slips together:
 *
 *   (P4)  s = |(kappa / kappa_m, side / side_m)|: F_x is that of the slip kappa_m s, by the part |kappa| / (kappa_m s), and F_y alike;
 *         kappa_m, side_m: slips of the largest forces
 *   (P5)  (1 - E) y + E atan(y) = tan(pi / (2 C)),  y = B x_m: the place of the largest force, x_m less S_h
 *
 * (P4) is the rule of normalised slips (Bakker, Nyborg and Pacejka, SAE 870421; Pacejka and Bakker, The magic formula tyre model, 1993).
 * Where C <= 1 or E is too large for (P5), the force has no largest value; then the given slips stand in, or those of a passenger tyre.
 */
#include "base/fail.h"
#include "model/registry.h"
#include "model/wheel/tyre/magic.h"
#include "model/wheel/tyre/tyre.h"

enum { PAC_A = 14, PAC_B = 11, PAC_C = 18 };

typedef struct Pac89Tyre {
    TmlTyre tyre;
    TmlReals a, b, c;
    double measured, peak_kappa, peak_angle, sigma_x, sigma_y, resistance;
} Pac89Tyre;

static double at(const TmlReals *r, int k)
{
    return k < r->n ? r->value[k] : 0.0;
}

static TmlStatus pac89_check(const void *data, TmlError *err)
{
    const Pac89Tyre *p = data;
    if (p->a.n < 8 || p->a.n > PAC_A || p->b.n < 9 || p->b.n > PAC_B || p->c.n > PAC_C) {
        return tml_fail(err, TML_E_MODEL,
                        "expected 8 to 14 coefficients a, 9 to 11 b, up to 18 c; got %d, %d, %d",
                        p->a.n, p->b.n, p->c.n);
    }
    if (!(at(&p->a, 0) > 0.0 && at(&p->b, 0) > 0.0 && at(&p->a, 4) > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "a0, b0 and a4 must be above 0");
    }
    return tml_tyre_check(data, err);
}

static Dual exponential(Dual a)
{
    return d6_function(a, exp(a.x), exp(a.x));
}

/* x F^2 + y F + z */
static Dual parabola(Dual F, double x, double y, double z)
{
    return d6_linear(z, 1.0, d6_mul(F, d6_linear(y, x, F)));
}

/* |camber| in degrees, smooth within a tenth of a degree. */
static Dual lean_of(Dual camber)
{
    return tml_amount(d6_scale(180.0 / M_PI, camber), 0.1);
}

static Dual slope_factor(Dual BCD, Dual C, Dual D)
{
    return d6_div(BCD, d6_mul(C, D));
}

static TmlMagic longitudinal(const Pac89Tyre *p, Dual F, double mu)
{
    const TmlReals *b = &p->b;
    TmlMagic m = {.C = d6(at(b, 0)), .D = parabola(F, at(b, 1), at(b, 2), 0.0)};
    const Dual BCD =
        d6_mul(parabola(F, at(b, 3), at(b, 4), 0.0), exponential(d6_scale(-at(b, 5), F)));
    m.B = slope_factor(BCD, m.C, m.D);
    m.E = parabola(F, at(b, 6), at(b, 7), at(b, 8));
    m.shift_h = d6_linear(at(b, 10), at(b, 9), F);
    m.D = d6_scale(mu, m.D);
    return m;
}

static TmlMagic lateral(const Pac89Tyre *p, Dual F, Dual g, Dual lean, double mu)
{
    const TmlReals *a = &p->a;
    TmlMagic m = {.C = d6(at(a, 0)), .D = parabola(F, at(a, 1), at(a, 2), 0.0)};
    const Dual turn = d6_function(F, sin(2.0 * atan(F.x / at(a, 4))),
                                  2.0 * cos(2.0 * atan(F.x / at(a, 4))) /
                                      (at(a, 4) * (1.0 + F.x * F.x / (at(a, 4) * at(a, 4)))));
    const Dual BCD = d6_mul(d6_scale(at(a, 3), turn), d6_linear(1.0, -at(a, 5), lean));
    m.B = slope_factor(BCD, m.C, m.D);
    m.E = d6_linear(at(a, 7), at(a, 6), F);
    m.shift_h = d6_add(d6_linear(at(a, 10), at(a, 9), F), d6_scale(at(a, 8), g));
    m.shift_v = d6_add(d6_mul(d6_scale(at(a, 11), F), g), d6_linear(at(a, 13), at(a, 12), F));
    m.D = d6_scale(mu, m.D);
    return m;
}

static TmlMagic aligning(const Pac89Tyre *p, Dual F, Dual g, Dual lean, double mu)
{
    const TmlReals *c = &p->c;
    TmlMagic m = {.C = d6(at(c, 0)), .D = parabola(F, at(c, 1), at(c, 2), 0.0)};
    Dual BCD = d6_mul(parabola(F, at(c, 3), at(c, 4), 0.0), d6_linear(1.0, -at(c, 6), lean));
    BCD = d6_mul(BCD, exponential(d6_scale(-at(c, 5), F)));
    m.B = slope_factor(BCD, m.C, m.D);
    m.E = d6_mul(parabola(F, at(c, 7), at(c, 8), at(c, 9)), d6_linear(1.0, -at(c, 10), lean));
    m.shift_h = d6_add(d6_scale(at(c, 11), g), d6_linear(at(c, 13), at(c, 12), F));
    m.shift_v = d6_add(d6_mul(parabola(F, at(c, 14), at(c, 15), 0.0), g),
                       d6_linear(at(c, 17), at(c, 16), F));
    m.D = d6_scale(mu, m.D);
    return m;
}

/* x_m of (P5) inside of the formula, by Newton's method and its derivative; `other` where there is none. */
static Dual peak_of(const TmlMagic *m, double other)
{
    if (!(m->C.x > 1.05 && m->E.x <= 1.0 && m->B.x != 0.0)) {
        return d6(other);
    }
    const double wanted = tan(0.5 * M_PI / m->C.x), E = m->E.x;
    double y = wanted, slope = 1.0;
    for (int k = 0; k < 60; ++k) { // the left side grows with y, and is convex or concave: no cycle
        const double off = (1.0 - E) * y + E * atan(y) - wanted;
        slope = 1.0 - E + E / (1.0 + y * y);
        const double step = fmax(off / slope, -2.0 * (1.0 + fabs(y)));
        y = fmax(y - step, 0.5 * y);
        if (fabs(off) <= 1e-14 * wanted) {
            break;
        }
    }
    slope = fmax(1.0 - E + E / (1.0 + y * y), 1e-9);
    const Dual root = d6_function(m->E, y, (y - atan(y)) / slope);
    const Dual B = m->B.x < 0.0 ? d6_neg(m->B) : m->B;
    return d6_div(root, B);
}

typedef struct Curve {
    const TmlMagic *m;
    Dual other, peak; /* the other slip by that of its largest force; that of this one */
    double unit;      /* from the slip to what is inside of the formula */
    bool angle;       /* the slip is tan of what is inside */
} Curve;

static Dual inside_of(const Curve *c, Dual slip)
{
    const Dual x = c->angle ? d6_function(slip, atan(slip.x), 1.0 / (1.0 + slip.x * slip.x)) : slip;
    return d6_scale(c->unit, x);
}

/* The force of one direction over its own slip, (P4). */
static Dual combined(const void *data, Dual slip)
{
    const Curve *c = data;
    if (c->other.x == 0.0) {
        return tml_magic(c->m, inside_of(c, slip));
    }
    const Dual own = d6_div(slip, c->peak);
    const Dual s = d6_sqrt(d6_add(d6_mul(own, own), d6_mul(c->other, c->other)));
    const Dual zero = tml_magic(c->m, d6(0.0)), part = d6_div(own, s); // with its sign
    const Dual as_large = d6_mul(c->peak, slip.x < 0.0 ? d6_neg(s) : s);
    const Dual force = d6_sub(tml_magic(c->m, inside_of(c, as_large)), zero);
    return d6_add(zero, d6_mul(slip.x < 0.0 ? d6_neg(part) : part, force));
}

static void pac89_steady(const void *data, const TmlTyreSlip *in, TmlTyreSteady *out)
{
    const Pac89Tyre *p = data;
    const double mu = in->friction / p->measured, degree = 180.0 / M_PI;
    const Dual F = d6_scale(1e-3, in->load), g = d6_scale(degree, in->camber);
    const Dual lean = lean_of(in->camber);
    const TmlMagic mx = longitudinal(p, F, mu), my = lateral(p, F, g, lean, mu);
    const Dual kappa_m =
        isnan(p->peak_kappa) ? d6_scale(0.01, peak_of(&mx, 10.0)) : d6(p->peak_kappa);
    const Dual angle_m =
        isnan(p->peak_angle) ? d6_scale(1.0 / degree, peak_of(&my, 8.0)) : d6(p->peak_angle);
    const double steepest = fmin(angle_m.x, 1.4); // rad: a peak beyond is none
    const Dual side_m = d6_function(angle_m.x < 1.4 ? angle_m : d6(1.4), tan(steepest),
                                    1.0 + tan(steepest) * tan(steepest));
    const Curve x = {.m = &mx, .other = d6_div(in->side, side_m), .peak = kappa_m, .unit = 100.0};
    const Curve y = {.m = &my,
                     .other = d6_div(in->kappa, kappa_m),
                     .peak = side_m,
                     .unit = degree,
                     .angle = true};
    out->cx = d6_scale(100.0, d6_mul(d6_mul(mx.B, mx.C), mx.D));
    out->cy = d6_scale(degree, d6_mul(d6_mul(my.B, my.C), my.D));
    out->fx0 = combined(&x, d6(0.0));
    out->fy0 = combined(&y, d6(0.0));
    out->psi_x = tml_secant(combined, &x, in->kappa, out->fx0, out->cx);
    out->psi_y = tml_secant(combined, &y, in->side, out->fy0, out->cy);
    if (p->c.n > 0) {
        const TmlMagic mz = aligning(p, F, g, lean, mu);
        const Dual angle = inside_of(&y, in->side);
        out->mz = tml_magic(&mz, angle);
        const Dual slope = d6_scale(degree, d6_mul(d6_mul(mz.B, mz.C), mz.D));
        out->trail = d6_neg(d6_div(slope, out->cy)); // behind the wheel's centre above 0
    }
    out->my = d6_scale(in->speed.x > 0.0 ? -p->resistance : p->resistance, in->load);
    out->sigma_x = d6(p->sigma_x);
    out->sigma_y = d6(p->sigma_y);
}

static const TmlTyreLaw pac89_law = {pac89_steady};

static TmlStatus pac89_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    (void)n_ends, (void)err;
    return tml_tyre_prepare(data, &pac89_law, e);
}

static const TmlParam pac89_params[] = {
    TYRE_PARAMS(Pac89Tyre),
    {"a", TML_PARAM_REALS, TML_ANY, "", offsetof(Pac89Tyre, a), NULL,
     "a0 to a13 of the lateral force; those from a8 on may be left out", NULL},
    {"b", TML_PARAM_REALS, TML_ANY, "", offsetof(Pac89Tyre, b), NULL,
     "b0 to b10 of the longitudinal force; b9 and b10 may be left out", NULL},
    {"c", TML_PARAM_REALS, TML_ANY, "", offsetof(Pac89Tyre, c), "",
     "c0 to c17 of the aligning torque; none without it", NULL},
    {"measured_friction", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(Pac89Tyre, measured), "1",
     "coefficient of friction for which the coefficients hold", NULL},
    {"peak_kappa", TML_PARAM_REAL, TML_POSITIVE, "", offsetof(Pac89Tyre, peak_kappa), "",
     "slip of the largest longitudinal force, by which slips are compared where both occur; that "
     "of "
     "the curve without it",
     NULL},
    {"peak_angle", TML_PARAM_REAL, TML_POSITIVE, "rad", offsetof(Pac89Tyre, peak_angle), "",
     "slip angle of the largest lateral force, likewise", NULL},
    {"resistance", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(Pac89Tyre, resistance), "0",
     "moment of rolling resistance by load", NULL},
    {"relaxation_x", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(Pac89Tyre, sigma_x), "0.1",
     "relaxation length along the wheel", NULL},
    {"relaxation_y", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(Pac89Tyre, sigma_y), "0.3",
     "lateral relaxation length", NULL},
    {0},
};

TML_FORCE_TYPE(pac89_tyre) = {
    .info = {.name = "pac89_tyre",
             .text = "Tyre by Pacejka's magic formula of 1989.",
             .example = "bodies: [ground, rod], at: [0, 0, 0.3], axis: y, radius: 0.3, stiffness: "
                        "2e5, a: [1.65, -34, 1250, 3036, 12.8, 0.005, -0.021, 0.77], b: [1.57, 35, "
                        "1750, 0, 1000, 0, 0, 0, 0.5]",
             .data_size = sizeof(Pac89Tyre),
             .params = pac89_params,
             .outputs = tml_tyre_outputs},
    TYRE_FUNCTIONS,
    .check = pac89_check,
    .prepare = pac89_prepare,
};
