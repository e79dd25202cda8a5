/* model/wheel/tyre/pac2002.c - the magic formula of 2002; see pac2002.h.
 *
 * Axes of ISO: alpha above 0 when the wheel moves to the left, F_y = K_y alpha with K_y < 0. F is the load within its range,
 * N = LFZO FNOMIN, f = (F - N) / N, g the camber.
 *
 *   (P1)  F_x0: C = PCX1 LCX, D = (PDX1 + PDX2 f)(1 - PDX3 g^2) LMUX F, E = (PEX1 + PEX2 f + PEX3 f^2)(1 - PEX4 sign(kappa_x)) LEX,
 *               K = F (PKX1 + PKX2 f) exp(PKX3 f) LKX, kappa_x = kappa + S_H, S_H = (PHX1 + PHX2 f) LHX,
 *               S_V = F (PVX1 + PVX2 f) LVX LMUX
 *   (P2)  F_y0: C = PCY1 LCY, D = (PDY1 + PDY2 f)(1 - PDY3 g^2) LMUY F, E = (PEY1 + PEY2 f)(1 - (PEY3 + PEY4 g) sign(alpha_y)) LEY,
 *               K = PKY1 N sin(2 atan(F / (PKY2 N)))(1 - PKY3 |g|) LKY, S_H = (PHY1 + PHY2 f) LHY + PHY3 g LKG,
 *               S_V = F ((PVY1 + PVY2 f) LVY + (PVY3 + PVY4 f) g LKG) LMUY
 *   (P3)  F_x = F_x0 w(alpha + RHX1) / w(RHX1),  w(x) = cos(C atan(B x - E (B x - atan(B x)))),
 *               B = RBX1 cos(atan(RBX2 kappa)) LXAL, C = RCX1, E = REX1 + REX2 f
 *   (P4)  F_y = F_y0 w(kappa + S) / w(S) + V, S = RHY1 + RHY2 f, B = RBY1 cos(atan(RBY2 (alpha - RBY3))) LYKA, C = RCY1,
 *               E = REY1 + REY2 f, V = mu_y F (RVY1 + RVY2 f + RVY3 g) cos(atan(RVY4 alpha)) sin(RVY5 atan(RVY6 kappa)) LVYKA
 *   (P5)  M_z = -t (F_y - V) + M_r + s F_x, with the trail t and M_r at slip angles that count kappa as well
 *   (P6)  M_x = R F (QSX1 LVMX - QSX2 g + QSX3 F_y / N) LMX,  M_y against rolling, R F (QSY1 + QSY2 F_x / N + QSY3 |V / V_0| + QSY4 (V / V_0)^4) LMY
 *   (P7)  sigma_x = F (PTX1 + PTX2 f) exp(-PTX3 f) R / N LSGKP,  sigma_y = PTY1 sin(2 atan(F / (PTY2 N)))(1 - PKY3 |g|) R LSGAL
 *   (P8)  dp = (LIP IP - IP_NOM) / IP_NOM: K_x times 1 + PPX1 dp + PPX2 dp^2, mu_x times 1 + PPX3 dp + PPX4 dp^2, PKY1 times 1 + PPY1 dp,
 *               PKY2 times 1 + PPY2 dp, mu_y times 1 + PPY3 dp + PPY4 dp^2, the trail times 1 - QPZ1 dp, QDZ8 and QDZ9 times 1 + QPZ2 dp
 *
 * E is at most 1, slip and load stay in the ranges of the file, weights above 0; these bounds are reached smoothly within
 * five per cent. sign() multiplies what is zero to third order there and needs no smoothing.
 */
#include "model/wheel/tyre/pac2002.h"

#include "model/wheel/tyre/magic.h"

static Dual arctan(Dual a)
{
    return d6_function(a, atan(a.x), 1.0 / (1.0 + a.x * a.x));
}

static Dual exponential(Dual a)
{
    return d6_function(a, exp(a.x), exp(a.x));
}

/* sin(2 atan(x)) = 2 x / (1 + x^2) */
static Dual double_turn(Dual x)
{
    return d6_div(d6_scale(2.0, x), d6_linear(1.0, 1.0, d6_mul(x, x)));
}

/* cos(atan(x)) */
static Dual cos_atan(Dual x)
{
    return d6_div(d6(1.0), d6_sqrt(d6_linear(1.0, 1.0, d6_mul(x, x))));
}

/* At most `most`, smoothly between most - width and most + width. */
static Dual at_most(Dual a, double most, double width)
{
    const double from = most - width, u = a.x - from;
    if (u <= 0.0) {
        return a;
    }
    return u >= 2.0 * width ? d6(most)
                            : d6_function(a, a.x - u * u / (4.0 * width), 1.0 - u / (2.0 * width));
}

static Dual at_least(Dual a, double least, double width)
{
    return d6_neg(at_most(d6_neg(a), -least, width));
}

/* |camber|, smooth within 1e-3 rad. */
static Dual absolute(Dual g)
{
    static const double soft = 1e-3;
    return tml_amount(g, soft);
}

/* What the curves of one call share. */
typedef struct Call {
    const TmlPac2002 *p;
    const double *c;
    Dual F, f, gx, gy, gz, lean; /* load, its change, cambers, |camber| */
    Dual kappa, alpha;           /* within their ranges */
    Dual mu_x, mu_y, Kx, Ky, Dx, Dy, Bx, By, Shy, Svy;
    double N, dp; /* nominal load, change of pressure */
} Call;

static Dual line(Dual f, double a, double b)
{
    return d6_linear(a, b, f);
}

/* (P1) without the combination */
static Dual pure_x(const Call *at, Dual kappa)
{
    const double *c = at->c;
    const Dual shift = d6_scale(c[PAC_LHX], line(at->f, c[PAC_PHX1], c[PAC_PHX2]));
    const double sign = kappa.x + shift.x < 0.0 ? -1.0 : 1.0;
    const Dual E =
        d6_scale((1.0 - c[PAC_PEX4] * sign) * c[PAC_LEX],
                 d6_linear(c[PAC_PEX1], 1.0, d6_mul(at->f, line(at->f, c[PAC_PEX2], c[PAC_PEX3]))));
    const TmlMagic m = {.B = at->Bx,
                        .C = d6(c[PAC_PCX1] * c[PAC_LCX]),
                        .D = at->Dx,
                        .E = at_most(E, 1.0, 0.05),
                        .shift_h = shift,
                        .shift_v = d6_scale(c[PAC_LVX] * c[PAC_LMUX],
                                            d6_mul(at->F, line(at->f, c[PAC_PVX1], c[PAC_PVX2])))};
    return tml_magic(&m, kappa);
}

/* (P2) without the combination */
static Dual pure_y(const Call *at, Dual alpha)
{
    const double *c = at->c, sign = alpha.x + at->Shy.x < 0.0 ? -1.0 : 1.0;
    const Dual bend = d6_linear(1.0 - c[PAC_PEY3] * sign, -c[PAC_PEY4] * sign, at->gy);
    const Dual E = d6_scale(c[PAC_LEY], d6_mul(line(at->f, c[PAC_PEY1], c[PAC_PEY2]), bend));
    const TmlMagic m = {.B = at->By,
                        .C = d6(c[PAC_PCY1] * c[PAC_LCY]),
                        .D = at->Dy,
                        .E = at_most(E, 1.0, 0.05),
                        .shift_h = at->Shy,
                        .shift_v = at->Svy};
    return tml_magic(&m, alpha);
}

/* w of (P3), (P4) */
static Dual weight(Dual x, Dual B, double C, Dual E)
{
    const Dual inner = d6_mul(B, x);
    const Dual turned = d6_sub(inner, d6_mul(E, d6_sub(inner, arctan(inner))));
    const Dual angle = d6_scale(C, arctan(turned));
    return d6_function(angle, cos(angle.x), -sin(angle.x));
}

static Dual relative_weight(Dual slip, Dual shift, Dual B, double C, Dual E)
{
    const Dual part = d6_div(weight(d6_add(slip, shift), B, C, E), weight(shift, B, C, E));
    return at_least(part, 1e-3, 9e-4);
}

/* The force by kappa at the slip angle of the call: (P3). */
static Dual force_x(const void *data, Dual kappa)
{
    const Call *at = data;
    const double *c = at->c, width = 0.05;
    const Dual bounded = at_most(at_least(kappa, c[PAC_KPUMIN], -width * c[PAC_KPUMIN]),
                                 c[PAC_KPUMAX], width * c[PAC_KPUMAX]);
    const Dual F = pure_x(at, bounded);
    if (!at->p->combined_x) {
        return F;
    }
    const Dual B = d6_scale(c[PAC_RBX1] * c[PAC_LXAL], cos_atan(d6_scale(c[PAC_RBX2], bounded)));
    const Dual E = at_most(line(at->f, c[PAC_REX1], c[PAC_REX2]), 1.0, 0.05);
    return d6_mul(F, relative_weight(at->alpha, d6(c[PAC_RHX1]), B, c[PAC_RCX1], E));
}

/* V of (P4) */
static Dual side_by_kappa(const Call *at, Dual alpha)
{
    const double *c = at->c;
    const Dual size = d6_linear(
        c[PAC_RVY1], 1.0, d6_add(d6_scale(c[PAC_RVY2], at->f), d6_scale(c[PAC_RVY3], at->gy)));
    const Dual angle = d6_scale(c[PAC_RVY5], arctan(d6_scale(c[PAC_RVY6], at->kappa)));
    const Dual turn = d6_function(angle, sin(angle.x), cos(angle.x));
    return d6_scale(c[PAC_LVYKA], d6_mul(d6_mul(d6_mul(at->mu_y, at->F), size),
                                         d6_mul(cos_atan(d6_scale(c[PAC_RVY4], alpha)), turn)));
}

/* The force by the slip angle at the kappa of the call, (P4); without V. */
static Dual force_y_alone(const Call *at, Dual alpha)
{
    const double *c = at->c;
    const Dual F = pure_y(at, alpha);
    if (!at->p->combined_y) {
        return F;
    }
    const Dual off = d6_linear(-c[PAC_RBY2] * c[PAC_RBY3], c[PAC_RBY2], alpha);
    const Dual B = d6_scale(c[PAC_RBY1] * c[PAC_LYKA], cos_atan(off));
    const Dual E = at_most(line(at->f, c[PAC_REY1], c[PAC_REY2]), 1.0, 0.05);
    const Dual shift = line(at->f, c[PAC_RHY1], c[PAC_RHY2]);
    return d6_mul(F, relative_weight(at->kappa, shift, B, c[PAC_RCY1], E));
}

/* By `side`, -tan(alpha). */
static Dual force_y(const void *data, Dual side)
{
    const Call *at = data;
    const Dual alpha = d6_neg(arctan(side));
    return d6_add(force_y_alone(at, alpha), side_by_kappa(at, alpha));
}

/* The slip angle that counts kappa as well, with the sign of its own: of (P5). */
static Dual angle_with(const Call *at, Dual angle)
{
    const Dual tangent = d6_function(angle, tan(angle.x), 1.0 + tan(angle.x) * tan(angle.x));
    const Dual more = d6_mul(d6_div(at->Kx, at->Ky), at->kappa);
    if (more.x == 0.0) {
        return angle;
    }
    const Dual size = d6_sqrt(d6_add(d6_mul(tangent, tangent), d6_mul(more, more)));
    return angle.x < 0.0 ? d6_neg(arctan(size)) : arctan(size);
}

static Dual cosine(Dual a)
{
    return d6_function(a, cos(a.x), -sin(a.x));
}

/* t of (P5) at the slip angle of the call */
static Dual trail_of(const Call *at, double R)
{
    const double *c = at->c;
    const Dual shift = d6_add(line(at->f, c[PAC_QHZ1], c[PAC_QHZ2]),
                              d6_mul(line(at->f, c[PAC_QHZ3], c[PAC_QHZ4]), at->gz));
    const Dual f2 = d6_mul(at->f, at->f);
    Dual B = d6_add(line(at->f, c[PAC_QBZ1], c[PAC_QBZ2]), d6_scale(c[PAC_QBZ3], f2));
    B = d6_mul(B, d6_linear(1.0, 1.0,
                            d6_add(d6_scale(c[PAC_QBZ4], at->gz),
                                   d6_scale(c[PAC_QBZ5], absolute(at->gz)))));
    B = d6_scale(c[PAC_LKY] / c[PAC_LMUY], B);
    const Dual lean =
        d6_add(d6_scale(c[PAC_QDZ3], at->gz), d6_scale(c[PAC_QDZ4], d6_mul(at->gz, at->gz)));
    Dual D =
        d6_mul(d6_mul(at->F, line(at->f, c[PAC_QDZ1], c[PAC_QDZ2])), d6_linear(1.0, 1.0, lean));
    D = d6_scale(R / at->N * c[PAC_LTR] * (1.0 - c[PAC_QPZ1] * at->dp), D);
    const Dual angle = d6_add(at->alpha, shift);
    const Dual way = arctan(d6_scale(c[PAC_QCZ1], d6_mul(B, angle)));
    Dual E = d6_add(line(at->f, c[PAC_QEZ1], c[PAC_QEZ2]), d6_scale(c[PAC_QEZ3], f2));
    E = d6_mul(
        E, d6_linear(1.0, 2.0 / M_PI, d6_mul(d6_linear(c[PAC_QEZ4], c[PAC_QEZ5], at->gz), way)));
    const Dual w = weight(angle_with(at, angle), B, c[PAC_QCZ1], at_most(E, 1.0, 0.05));
    return d6_mul(d6_mul(D, w), cosine(at->alpha));
}

/* M_r of (P5) */
static Dual residual_torque(const Call *at, double R)
{
    const double *c = at->c;
    const Dual shift = d6_add(at->Shy, d6_div(at->Svy, at->Ky));
    const Dual B = d6_linear(c[PAC_QBZ9] * c[PAC_LKY] / c[PAC_LMUY],
                             c[PAC_QBZ10] * c[PAC_PCY1] * c[PAC_LCY], at->By);
    const Dual D = d6_add(d6_scale(c[PAC_LRES], line(at->f, c[PAC_QDZ6], c[PAC_QDZ7])),
                          d6_scale(1.0 + c[PAC_QPZ2] * at->dp,
                                   d6_mul(line(at->f, c[PAC_QDZ8], c[PAC_QDZ9]), at->gz)));
    const Dual angle = angle_with(at, d6_add(at->alpha, shift));
    return d6_mul(d6_scale(R * c[PAC_LMUY], d6_mul(at->F, D)),
                  d6_mul(cos_atan(d6_mul(B, angle)), cosine(at->alpha)));
}

static void begin(const TmlPac2002 *p, const TmlTyreSlip *in, Call *at)
{
    const double *c = p->c, side = p->mirrored ? -1.0 : 1.0;
    const Dual g = d6_scale(side, in->camber);
    *at = (Call){.p = p, .c = c, .N = c[PAC_LFZO] * c[PAC_FNOMIN]};
    const double dp = at->dp = p->pressure; // (P8)
    const double stiff_x = 1.0 + dp * (c[PAC_PPX1] + dp * c[PAC_PPX2]);
    const double grip_x = 1.0 + dp * (c[PAC_PPX3] + dp * c[PAC_PPX4]);
    const double grip_y = 1.0 + dp * (c[PAC_PPY3] + dp * c[PAC_PPY4]);
    const double stiff_y = 1.0 + dp * c[PAC_PPY1], where_y = 1.0 + dp * c[PAC_PPY2];
    // above FZMIN and below FZMAX the load is that of the tyre
    const double least = fmax(0.5 * c[PAC_FZMIN], 1e-3 * at->N);
    const Dual low = in->load.x >= 2.0 * least
                         ? in->load
                         : d6_function(in->load, least + 0.25 * in->load.x * in->load.x / least,
                                       0.5 * in->load.x / least);
    at->F = at_most(low, c[PAC_FZMAX], 0.05 * c[PAC_FZMAX]);
    at->f = d6_linear(-1.0, 1.0 / at->N, at->F);
    at->gx = d6_scale(c[PAC_LGAX], g);
    at->gy = d6_scale(c[PAC_LGAY], g);
    at->gz = d6_scale(c[PAC_LGAZ], g);
    at->lean = absolute(at->gy);
    at->kappa = at_most(at_least(in->kappa, c[PAC_KPUMIN], -0.05 * c[PAC_KPUMIN]), c[PAC_KPUMAX],
                        0.05 * c[PAC_KPUMAX]);
    at->alpha = d6_neg(arctan(d6_scale(side, in->side)));
    at->mu_x = d6_scale(c[PAC_LMUX] * in->friction * grip_x,
                        d6_mul(line(at->f, c[PAC_PDX1], c[PAC_PDX2]),
                               d6_linear(1.0, -c[PAC_PDX3], d6_mul(at->gx, at->gx))));
    at->mu_y = d6_scale(c[PAC_LMUY] * in->friction * grip_y,
                        d6_mul(line(at->f, c[PAC_PDY1], c[PAC_PDY2]),
                               d6_linear(1.0, -c[PAC_PDY3], d6_mul(at->gy, at->gy))));
    at->Dx = d6_mul(at->mu_x, at->F);
    at->Dy = d6_mul(at->mu_y, at->F);
    at->Kx =
        d6_scale(c[PAC_LKX] * stiff_x, d6_mul(d6_mul(at->F, line(at->f, c[PAC_PKX1], c[PAC_PKX2])),
                                              exponential(d6_scale(c[PAC_PKX3], at->f))));
    at->Ky = d6_scale(c[PAC_PKY1] * at->N * c[PAC_LKY] * stiff_y,
                      d6_mul(double_turn(d6_scale(1.0 / (c[PAC_PKY2] * where_y * at->N), at->F)),
                             d6_linear(1.0, -c[PAC_PKY3], at->lean)));
    at->Bx = d6_div(at->Kx, d6_scale(c[PAC_PCX1] * c[PAC_LCX], at->Dx));
    at->By = d6_div(at->Ky, d6_scale(c[PAC_PCY1] * c[PAC_LCY], at->Dy));
    at->Shy = d6_add(d6_scale(c[PAC_LHY], line(at->f, c[PAC_PHY1], c[PAC_PHY2])),
                     d6_scale(c[PAC_PHY3] * c[PAC_LKG], g));
    at->Svy = d6_scale(
        c[PAC_LMUY],
        d6_mul(at->F,
               d6_add(d6_scale(c[PAC_LVY], line(at->f, c[PAC_PVY1], c[PAC_PVY2])),
                      d6_scale(c[PAC_LKG], d6_mul(line(at->f, c[PAC_PVY3], c[PAC_PVY4]), g)))));
}

/* (P7), not below 1 cm; 0.1 and 0.3 m where the file has none */
static void relaxation(const Call *at, TmlTyreSteady *out)
{
    const double *c = at->c, R = c[PAC_UNLOADED_RADIUS];
    out->sigma_x = d6(0.1);
    out->sigma_y = d6(0.3);
    if (at->p->relaxes_x) {
        const Dual s = d6_mul(d6_mul(at->F, line(at->f, c[PAC_PTX1], c[PAC_PTX2])),
                              exponential(d6_scale(-c[PAC_PTX3], at->f)));
        out->sigma_x = at_least(d6_scale(R / at->N * c[PAC_LSGKP], s), 0.01, 5e-4);
    }
    if (at->p->relaxes_y) {
        const Dual s = double_turn(d6_scale(1.0 / (c[PAC_PTY2] * at->N), at->F));
        out->sigma_y = at_least(d6_scale(c[PAC_PTY1] * R * c[PAC_LSGAL],
                                         d6_mul(s, d6_linear(1.0, -c[PAC_PKY3], at->lean))),
                                0.01, 5e-4);
    }
}

/* (P5), (P6) */
static void moments(const Call *at, const TmlTyreSlip *in, Dual fx, Dual fy, TmlTyreSteady *out)
{
    const double *c = at->c, R = c[PAC_UNLOADED_RADIUS];
    const Dual v = d6_scale(1.0 / c[PAC_LONGVL], in->speed.x < 0.0 ? d6_neg(in->speed) : in->speed);
    if (at->p->aligns) {
        out->trail = trail_of(at, R);
        const Dual arm =
            d6_scale(R * c[PAC_LS],
                     d6_linear(c[PAC_SSZ1], 1.0,
                               d6_add(d6_scale(c[PAC_SSZ2] / at->N, fy),
                                      d6_mul(line(at->f, c[PAC_SSZ3], c[PAC_SSZ4]), at->gz))));
        const Dual own = d6_sub(fy, side_by_kappa(at, at->alpha));
        out->mz = d6_add(d6_sub(residual_torque(at, R), d6_mul(out->trail, own)), d6_mul(arm, fx));
    }
    const Dual over =
        d6_linear(c[PAC_QSX1] * c[PAC_LVMX], 1.0,
                  d6_sub(d6_scale(c[PAC_QSX3] / at->N, fy), d6_scale(c[PAC_QSX2], at->gy)));
    out->mx = d6_scale(R * c[PAC_LMX], d6_mul(at->F, over));
    const Dual v2 = d6_mul(v, v);
    const Dual by_speed =
        d6_add(d6_linear(c[PAC_QSY1], c[PAC_QSY3], v), d6_scale(c[PAC_QSY4], d6_mul(v2, v2)));
    const Dual resist = d6_mul(at->F, d6_add(by_speed, d6_scale(c[PAC_QSY2] / at->N, fx)));
    out->my = d6_scale(in->speed.x > 0.0 ? -R * c[PAC_LMY] : R * c[PAC_LMY], resist);
}

void tml_pac2002_steady(const TmlPac2002 *p, const TmlTyreSlip *in, TmlTyreSteady *out)
{
    const double turn = p->mirrored ? -1.0 : 1.0;
    const Dual side = d6_scale(turn, in->side);
    Call at;
    begin(p, in, &at);
    out->cx = at.Kx;
    out->cy = d6_neg(at.Ky);
    out->fx0 = force_x(&at, d6(0.0));
    out->fy0 = force_y(&at, d6(0.0));
    out->psi_x = at_least(tml_secant(force_x, &at, in->kappa, out->fx0, out->cx), 1e-9, 9e-10);
    out->psi_y = at_least(tml_secant(force_y, &at, side, out->fy0, out->cy), 1e-9, 9e-10);
    relaxation(&at, out);
    moments(&at, in, force_x(&at, in->kappa), force_y(&at, side), out);
    // forces below FZMIN are in proportion to the load, above FZMAX those of FZMAX
    const Dual part = in->load.x < at.F.x ? d6_div(in->load, at.F) : d6(1.0);
    Dual *const forces[] = {&out->cx, &out->cy, &out->fx0, &out->fy0, &out->mx, &out->my, &out->mz};
    for (size_t k = 0; k < sizeof forces / sizeof forces[0]; ++k) {
        *forces[k] = d6_mul(part, *forces[k]);
    }
    if (p->mirrored) {
        out->fy0 = d6_neg(out->fy0);
        out->mz = d6_neg(out->mz);
        out->mx = d6_neg(out->mx);
    }
}
