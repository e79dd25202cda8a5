/* expr/op.c - values and partial derivatives of the operations.
 *
 * At a kink (abs at 0, clamp at its ends) the derivative of one side is given: that of the branch
 * the value comes from. Operations that are constant between jumps have zero derivatives. Where a
 * value is finite and its slope is not (sqrt at 0, acos at 1, atan2 at the origin), the slope
 * counts as zero: an iteration that starts there can leave.
 *
 *   (O1)  atan2(y, x) = Im log z,  z = x + i y;  d^k/dx^k = Im (log)^(k)(z),  d/dy = i d/dz
 *   (O2)  u^v:  d/du = v u^(v-1),  d/dv = u^v log u, and products of these
 */
#include "expr/op.h"

#include <math.h>

static void op_add(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)order;
    d[TML_D] = u + v;
    d[TML_D_U] = 1.0;
    d[TML_D_V] = 1.0;
}

static void op_sub(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)order;
    d[TML_D] = u - v;
    d[TML_D_U] = 1.0;
    d[TML_D_V] = -1.0;
}

static void op_mul(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)order;
    d[TML_D] = u * v;
    d[TML_D_U] = v;
    d[TML_D_V] = u;
    d[TML_D_UV] = 1.0;
}

static void op_div(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)order;
    const double q = u / v, r = 1.0 / v;
    d[TML_D] = q;
    d[TML_D_U] = r;
    d[TML_D_V] = -q * r;
    d[TML_D_UV] = -r * r;
    d[TML_D_VV] = 2.0 * q * r * r;
    d[TML_D_UVV] = 2.0 * r * r * r;
    d[TML_D_VVV] = -6.0 * q * r * r * r;
}

/* u^p times a coefficient; zero where the power is infinite. */
static double scaled_power(double coefficient, double u, double p)
{
    return coefficient == 0.0 || (u == 0.0 && p < 0.0) ? 0.0 : coefficient * pow(u, p);
}

/* Powers of log u times u^v, which vanish where u^v does. */
static double log_power(double power, double factor)
{
    return power == 0.0 ? 0.0 : power * factor;
}

static void op_pow(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in;
    const double f = pow(u, v);
    d[TML_D] = f;
    if (order < 1) {
        return;
    }
    const double L = log(u);
    d[TML_D_U] = scaled_power(v, u, v - 1.0); // (O2)
    d[TML_D_V] = log_power(f, L);
    if (order < 2) {
        return;
    }
    const double f1 = pow(u, v - 1.0), f2 = pow(u, v - 2.0);
    d[TML_D_UU] = scaled_power(v * (v - 1.0), u, v - 2.0);
    d[TML_D_UV] = log_power(f1, 1.0 + v * L);
    d[TML_D_VV] = log_power(f, L * L);
    d[TML_D_UUU] = scaled_power(v * (v - 1.0) * (v - 2.0), u, v - 3.0);
    d[TML_D_UUV] = log_power(f2, 2.0 * v - 1.0 + v * (v - 1.0) * L);
    d[TML_D_UVV] = log_power(f1, (2.0 + v * L) * L);
    d[TML_D_VVV] = log_power(f, L * L * L);
}

/* u is y, v is x. */
static void op_atan2(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in;
    d[TML_D] = atan2(u, v);
    if (order < 1) {
        return;
    }
    const double r2 = u * u + v * v;
    if (r2 == 0.0) {
        return;
    }
    const double a = v / r2, b = -u / r2; // 1/z = a + i b
    d[TML_D_U] = a;                       // (O1)
    d[TML_D_V] = b;
    const double a2 = a * a - b * b, b2 = 2.0 * a * b; // 1/z^2
    d[TML_D_UU] = b2;
    d[TML_D_UV] = -a2;
    d[TML_D_VV] = -b2;
    const double a3 = a2 * a - b2 * b, b3 = a2 * b + b2 * a; // 1/z^3
    d[TML_D_UUU] = -2.0 * a3;
    d[TML_D_UUV] = -2.0 * b3;
    d[TML_D_UVV] = 2.0 * a3;
    d[TML_D_VVV] = 2.0 * b3;
}

static void op_hypot(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in;
    const double h = hypot(u, v);
    d[TML_D] = h;
    if (order < 1 || h == 0.0) {
        return; // the tip of the cone has no tangent: zero, the mean of all sides
    }
    const double a = u / h, b = v / h;
    d[TML_D_U] = a;
    d[TML_D_V] = b;
    d[TML_D_UU] = b * b / h;
    d[TML_D_UV] = -a * b / h;
    d[TML_D_VV] = a * a / h;
    const double r = 1.0 / (h * h);
    d[TML_D_UUU] = -3.0 * a * b * b * r;
    d[TML_D_UUV] = b * (2.0 * a * a - b * b) * r;
    d[TML_D_UVV] = a * (2.0 * b * b - a * a) * r;
    d[TML_D_VVV] = -3.0 * a * a * b * r;
}

static void op_mod(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)order;
    d[TML_D] = fmod(u, v);
    d[TML_D_U] = 1.0;
    d[TML_D_V] = -nearbyint((u - d[TML_D]) / v);
}

static void op_lt(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)order;
    d[TML_D] = u < v;
}

static void op_le(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)order;
    d[TML_D] = u <= v;
}

static void op_eq(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)order;
    d[TML_D] = u == v;
}

static void op_and(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)order;
    d[TML_D] = u != 0.0 && v != 0.0;
}

static void op_or(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)order;
    d[TML_D] = u != 0.0 || v != 0.0;
}

static void op_not(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    d[TML_D] = u == 0.0;
}

/* Stores f, f', f'' and f''' of an operation with one operand. */
static void one(double *d, double f, double f1, double f2, double f3)
{
    d[TML_D] = f;
    d[TML_D_U] = f1;
    d[TML_D_UU] = f2;
    d[TML_D_UUU] = f3;
}

static void op_neg(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    one(d, -u, -1.0, 0.0, 0.0);
}

static void op_powc(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)v;
    const double p = in->p;
    d[TML_D] = pow(u, p);
    if (order > 0) {
        d[TML_D_U] = scaled_power(p, u, p - 1.0);
    }
    if (order > 1) {
        d[TML_D_UU] = scaled_power(p * (p - 1.0), u, p - 2.0);
        d[TML_D_UUU] = scaled_power(p * (p - 1.0) * (p - 2.0), u, p - 3.0);
    }
}

static void op_sqrt(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    const double r = sqrt(u), slope = u != 0.0 ? 0.5 / r : 0.0, q = u != 0.0 ? 0.5 / u : 0.0;
    one(d, r, slope, -slope * q, 3.0 * slope * q * q);
}

static void op_exp(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    const double f = exp(u);
    one(d, f, f, f, f);
}

static void op_log(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    const double r = 1.0 / u;
    one(d, log(u), r, -r * r, 2.0 * r * r * r);
}

static void op_log10(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    const double r = 1.0 / u;
    one(d, log10(u), M_LOG10E * r, -M_LOG10E * r * r, 2.0 * M_LOG10E * r * r * r);
}

static void op_sin(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v;
    d[TML_D] = sin(u);
    if (order > 0) {
        const double c = cos(u);
        one(d, d[TML_D], c, -d[TML_D], -c);
    }
}

static void op_cos(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v;
    d[TML_D] = cos(u);
    if (order > 0) {
        const double s = sin(u);
        one(d, d[TML_D], -s, -d[TML_D], s);
    }
}

static void op_tan(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    const double t = tan(u), s = 1.0 + t * t;
    one(d, t, s, 2.0 * t * s, 2.0 * s * (1.0 + 3.0 * t * t));
}

/* 1/cos^2 of the angle whose sine is u; zero at its ends. */
static double inverse_cosine(double u)
{
    const double c2 = (1.0 - u) * (1.0 + u);
    return c2 != 0.0 ? 1.0 / c2 : 0.0;
}

static void op_asin(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    const double r = inverse_cosine(u), q = sqrt(r);
    one(d, asin(u), q, u * r * q, (1.0 + 2.0 * u * u) * r * r * q);
}

static void op_acos(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    const double r = inverse_cosine(u), q = sqrt(r);
    one(d, acos(u), -q, -u * r * q, -(1.0 + 2.0 * u * u) * r * r * q);
}

static void op_atan(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    const double r = 1.0 / (1.0 + u * u);
    one(d, atan(u), r, -2.0 * u * r * r, (6.0 * u * u - 2.0) * r * r * r);
}

static void op_sinh(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    const double s = sinh(u), c = cosh(u);
    one(d, s, c, s, c);
}

static void op_cosh(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    const double s = sinh(u), c = cosh(u);
    one(d, c, s, c, s);
}

static void op_tanh(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    const double t = tanh(u), s = (1.0 - t) * (1.0 + t);
    one(d, t, s, -2.0 * t * s, -2.0 * s * (1.0 - 3.0 * t * t));
}

static void op_abs(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    one(d, fabs(u), u < 0.0 ? -1.0 : 1.0, 0.0, 0.0);
}

static void op_sign(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    d[TML_D] = (double)((u > 0.0) - (u < 0.0));
}

static void op_aint(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    d[TML_D] = trunc(u);
}

static void op_anint(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    d[TML_D] = round(u);
}

static void op_floor(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    d[TML_D] = floor(u);
}

static void op_ceil(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    d[TML_D] = ceil(u);
}

/* To (-pi, pi]. */
static void op_wrap(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    one(d, u - 2.0 * M_PI * ceil(u / (2.0 * M_PI) - 0.5), 1.0, 0.0, 0.0);
}

/* To [0, 1]. A NaN stays one. */
static void op_clamp(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)in, (void)v, (void)order;
    d[TML_D] = u <= 0.0 ? 0.0 : u >= 1.0 ? 1.0 : u;
    d[TML_D_U] = u > 0.0 && u < 1.0 ? 1.0 : 0.0;
}

static void op_spline(const TmlInstr *in, double u, double v, int order, double *d)
{
    (void)v;
    const int shift = (int)in->p;
    double s[TML_SPLINE_HIGHEST + 1] = {0};
    tml_spline_eval(in->spline, u, shift + order, s);
    one(d, s[shift], s[shift + 1], s[shift + 2], s[shift + 3]);
}

#define OP_ROW(code, operands, smooth, partials) [TML_OP_##code] = {operands, smooth, partials},
static const TmlOpInfo op_rows[] = {TML_OP_LIST(OP_ROW)};
#undef OP_ROW

const TmlOpInfo *tml_op_info(TmlOp op)
{
    return &op_rows[op];
}
