/* expr/functions.c - the mathematical functions, made of operations.
 *
 * With u = (x - x0) / (x1 - x0) cut off at 0 and 1:
 *
 *   (M1)  step   = h0 + (h1 - h0) u^2 (3 - 2 u)
 *   (M2)  step5  = h0 + (h1 - h0) u^3 (10 - 15 u + 6 u^2)
 *   (M3)  havsin = h0 + (h1 - h0) (1 - cos(pi u)) / 2
 *
 * One-sided contact at x1 and two-sided at x1 < x2, w = penetration / d cut off at 0 and 1:
 *
 *   (M4)  impact = max(0, k (x1 - x)^e - c w^2 (3 - 2 w) xdot)  for x < x1, else 0
 *   (M5)  bistop = (M4) below x1;  min(0, -k (x - x2)^e - c w^2 (3 - 2 w) xdot)  for x > x2
 *
 * Series in s = x - x0, and the swept sine with phase phi in turns:
 *
 *   (M6)  poly = sum a_j s^j;   cheby = sum a_j T_j(s),  T_j = 2 s T_{j-1} - T_{j-2}
 *   (M7)  forcos = sum a_j cos(j w s);   forsin = a_0 + sum_{j>0} a_j sin(j w s)
 *   (M8)  shf = a sin(w s - phi) + b
 *   (M9)  sweep = step5(x, x0, 0, x0 + dx, 1) a sin(2 pi phi),  dphi/dx from f0 at x0 to f1 at x1:
 *         phi = f0 x + (f1 - f0) ((x1 - x0) u^2 / 2 + max(x - x1, 0))
 */
#include "expr/functions.h"

#include <math.h>
#include <strings.h>

// short names for formulas
static int num(TmlBuilder *b, double value)
{
    return tml_build_const(b, value);
}

static int add(TmlBuilder *b, int u, int v)
{
    return tml_build_op2(b, TML_OP_ADD, u, v);
}

static int sub(TmlBuilder *b, int u, int v)
{
    return tml_build_op2(b, TML_OP_SUB, u, v);
}

static int mul(TmlBuilder *b, int u, int v)
{
    return tml_build_op2(b, TML_OP_MUL, u, v);
}

static int quo(TmlBuilder *b, int u, int v)
{
    return tml_build_op2(b, TML_OP_DIV, u, v);
}

static int fun(TmlBuilder *b, TmlOp op, int u)
{
    return tml_build_op1(b, op, u);
}

static int larger(TmlBuilder *b, int u, int v)
{
    return tml_build_select(b, tml_build_op2(b, TML_OP_LT, u, v), v, u);
}

static int smaller(TmlBuilder *b, int u, int v)
{
    return tml_build_select(b, tml_build_op2(b, TML_OP_LT, v, u), v, u);
}

static int build_op1(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)n;
    return tml_build_op1(b, op, a[0]);
}

static int build_op2(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)n;
    return tml_build_op2(b, op, a[0], a[1]);
}

static int build_pow(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)op, (void)n;
    return tml_build_power(b, a[0], a[1]);
}

static int build_min(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)op;
    int f = a[0];
    for (int k = 1; k < n; ++k) {
        f = smaller(b, f, a[k]);
    }
    return f;
}

static int build_max(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)op;
    int f = a[0];
    for (int k = 1; k < n; ++k) {
        f = larger(b, f, a[k]);
    }
    return f;
}

static int build_dim(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)op, (void)n;
    return larger(b, sub(b, a[0], a[1]), num(b, 0.0));
}

/* sign(x), or |a| with the sign of c as in Fortran. */
static int build_sign(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    if (n == 1) {
        return fun(b, op, a[0]);
    }
    const int size = fun(b, TML_OP_ABS, a[0]);
    const int negative = tml_build_op2(b, TML_OP_LT, a[1], num(b, 0.0));
    return tml_build_select(b, negative, fun(b, TML_OP_NEG, size), size);
}

/* (x - x0) / (x1 - x0) cut off at 0 and 1. */
static int ramp(TmlBuilder *b, int x, int x0, int x1)
{
    return fun(b, TML_OP_CLAMP, quo(b, sub(b, x, x0), sub(b, x1, x0)));
}

/* u^2 (3 - 2 u) */
static int cubic(TmlBuilder *b, int u)
{
    return mul(b, mul(b, u, u), sub(b, num(b, 3.0), mul(b, num(b, 2.0), u)));
}

/* u^3 (10 - 15 u + 6 u^2) */
static int quintic(TmlBuilder *b, int u)
{
    const int tail = sub(b, mul(b, num(b, 6.0), u), num(b, 15.0));
    return mul(b, mul(b, u, mul(b, u, u)), add(b, num(b, 10.0), mul(b, u, tail)));
}

/* h0 + (h1 - h0) s */
static int between(TmlBuilder *b, int h0, int h1, int s)
{
    return add(b, h0, mul(b, sub(b, h1, h0), s));
}

static int build_step(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)op, (void)n;
    return between(b, a[2], a[4], cubic(b, ramp(b, a[0], a[1], a[3]))); // (M1)
}

static int build_step5(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)op, (void)n;
    return between(b, a[2], a[4], quintic(b, ramp(b, a[0], a[1], a[3]))); // (M2)
}

static int build_havsin(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)op, (void)n;
    const int c = fun(b, TML_OP_COS, mul(b, num(b, M_PI), ramp(b, a[0], a[1], a[3])));
    return between(b, a[2], a[4], mul(b, num(b, 0.5), sub(b, num(b, 1.0), c))); // (M3)
}

/* k depth^e and c w^2 (3 - 2 w) rate, w = depth / d. */
static int spring_part(TmlBuilder *b, int depth, int k, int e)
{
    return mul(b, k, tml_build_power(b, depth, e));
}

static int damper_part(TmlBuilder *b, int depth, int rate, int c, int d)
{
    const int w = fun(b, TML_OP_CLAMP, quo(b, depth, d));
    return mul(b, mul(b, c, cubic(b, w)), rate);
}

/* Push up while x is below x1. */
static int lower_stop(TmlBuilder *b, int x, int rate, int x1, const int *law)
{
    const int depth = sub(b, x1, x);
    const int spring = spring_part(b, depth, law[0], law[1]);
    const int force = sub(b, spring, damper_part(b, depth, rate, law[2], law[3]));
    const int touching = tml_build_op2(b, TML_OP_LT, x, x1);
    return tml_build_select(b, touching, larger(b, force, num(b, 0.0)), num(b, 0.0)); // (M4)
}

static int build_impact(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)op, (void)n;
    return lower_stop(b, a[0], a[1], a[2], a + 3);
}

static int build_bistop(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)op, (void)n;
    const int x = a[0], rate = a[1], x2 = a[3];
    const int *law = a + 4;
    const int depth = sub(b, x, x2);
    const int damper = damper_part(b, depth, rate, law[2], law[3]);
    const int force = fun(b, TML_OP_NEG, add(b, spring_part(b, depth, law[0], law[1]), damper));
    const int touching = tml_build_op2(b, TML_OP_LT, x2, x);
    return tml_build_select(b, touching, smaller(b, force, num(b, 0.0)),
                            lower_stop(b, x, rate, a[2], law)); // (M5)
}

static int build_poly(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)op;
    const int s = sub(b, a[0], a[1]);
    int f = a[n - 1];
    for (int k = n - 2; k >= 2; --k) {
        f = add(b, a[k], mul(b, s, f)); // (M6), Horner
    }
    return f;
}

static int build_cheby(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)op;
    const int s = sub(b, a[0], a[1]), s2 = mul(b, num(b, 2.0), s);
    int before = num(b, 1.0), now = s, f = a[2];
    for (int k = 3; k < n; ++k) {
        f = add(b, f, mul(b, a[k], now));
        const int next = sub(b, mul(b, s2, now), before); // (M6)
        before = now;
        now = next;
    }
    return f;
}

static int build_fourier(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    const int phase = mul(b, a[2], sub(b, a[0], a[1]));
    int f = a[3];
    for (int k = 4; k < n; ++k) {
        const int wave = fun(b, op, mul(b, num(b, (double)(k - 3)), phase));
        f = add(b, f, mul(b, a[k], wave)); // (M7)
    }
    return f;
}

static int build_shf(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    const int phase = mul(b, a[3], sub(b, a[0], a[1]));
    const int wave = fun(b, op, n > 4 ? sub(b, phase, a[4]) : phase);
    const int f = mul(b, a[2], wave);
    return n > 5 ? add(b, f, a[5]) : f; // (M8)
}

static int build_sweep(TmlBuilder *b, TmlOp op, const int *a, int n)
{
    (void)n;
    const int x = a[0], x0 = a[2], f0 = a[3], x1 = a[4], f1 = a[5];
    const int u = ramp(b, x, x0, x1);
    const int curved = mul(b, mul(b, num(b, 0.5), sub(b, x1, x0)), mul(b, u, u));
    const int beyond = larger(b, sub(b, x, x1), num(b, 0.0));
    const int turns = add(b, mul(b, f0, x), mul(b, sub(b, f1, f0), add(b, curved, beyond)));
    const int wave = fun(b, op, mul(b, num(b, 2.0 * M_PI), turns));
    const int start = quintic(b, ramp(b, x, x0, add(b, x0, a[6])));
    return mul(b, start, mul(b, a[1], wave)); // (M9)
}

static const char *check_step(const double *a, int n)
{
    (void)n;
    return a[1] == a[3] ? "x0 and x1 must differ" : NULL;
}

static const char *check_law(const double *law)
{
    if (law[0] < 0.0) {
        return "the stiffness k must not be negative";
    }
    if (law[1] <= 0.0) {
        return "the exponent e must be positive";
    }
    if (law[2] < 0.0) {
        return "the damping cmax must not be negative";
    }
    return law[3] <= 0.0 ? "the depth d must be positive" : NULL;
}

static const char *check_impact(const double *a, int n)
{
    (void)n;
    return check_law(a + 3);
}

static const char *check_bistop(const double *a, int n)
{
    (void)n;
    return a[2] >= a[3] ? "x1 must be less than x2" : check_law(a + 4);
}

static const char *check_sweep(const double *a, int n)
{
    (void)n;
    if (a[2] >= a[4]) {
        return "x0 must be less than x1";
    }
    return a[6] <= 0.0 ? "dx must be positive" : NULL;
}

static const char *check_mod(const double *a, int n)
{
    (void)n;
    return a[1] == 0.0 ? "the period p must not be zero" : NULL;
}

#define ONE(id, code, smoothness, words)                                                           \
    {                                                                                              \
        .name = id, .min_args = 1, .max_args = 1, .signature = id "(x)", .text = words,            \
        .smooth = smoothness, .op = code, .build = build_op1                                       \
    }
#define SPLINE(id, kind, words)                                                                    \
    {                                                                                              \
        .name = id, .min_args = 2, .max_args = 4, .signature = id "(x, spline)", .text = words,    \
        .smooth = 3, .form = TML_FORM_SPLINE, .spline_kind = kind                                  \
    }

static const TmlFunction functions[] = {
    ONE("sin", TML_OP_SIN, 3, "Sine of an angle in radians."),
    ONE("cos", TML_OP_COS, 3, "Cosine of an angle in radians."),
    ONE("tan", TML_OP_TAN, 3, "Tangent of an angle in radians."),
    ONE("asin", TML_OP_ASIN, 3, "Angle in [-pi/2, pi/2] whose sine is x."),
    ONE("acos", TML_OP_ACOS, 3, "Angle in [0, pi] whose cosine is x."),
    ONE("atan", TML_OP_ATAN, 3, "Angle in (-pi/2, pi/2) whose tangent is x."),
    {"atan2", 2, 2, "atan2(y, x)", "Angle in (-pi, pi] of the point (x, y).", 3, TML_FORM_PLAIN,
     TML_OP_ATAN2, build_op2, NULL, 0},
    ONE("sinh", TML_OP_SINH, 3, "Hyperbolic sine."),
    ONE("cosh", TML_OP_COSH, 3, "Hyperbolic cosine."),
    ONE("tanh", TML_OP_TANH, 3, "Hyperbolic tangent."),
    ONE("exp", TML_OP_EXP, 3, "e to the power x."),
    ONE("log", TML_OP_LOG, 3, "Natural logarithm."),
    ONE("ln", TML_OP_LOG, 3, "Natural logarithm."),
    ONE("log10", TML_OP_LOG10, 3, "Logarithm to base 10."),
    ONE("sqrt", TML_OP_SQRT, 3, "Square root."),
    {"pow", 2, 2, "pow(x, p)", "x to the power p, as x^p.", 3, TML_FORM_PLAIN, TML_OP_POW,
     build_pow, NULL, 0},
    {"hypot", 2, 2, "hypot(x, y)", "Square root of x^2 + y^2.", 3, TML_FORM_PLAIN, TML_OP_HYPOT,
     build_op2, NULL, 0},
    ONE("abs", TML_OP_ABS, 0, "Absolute value."),
    {"sign", 1, 2, "sign(x) or sign(a, x)", "-1, 0 or 1 by the sign of x; |a| with the sign of x.",
     0, TML_FORM_PLAIN, TML_OP_SIGN, build_sign, NULL, 0},
    {"min", 1, TML_FUNCTION_ARGS, "min(a, b, ...)", "Smallest argument.", 0, TML_FORM_PLAIN,
     TML_OP_COUNT, build_min, NULL, 0},
    {"max", 1, TML_FUNCTION_ARGS, "max(a, b, ...)", "Largest argument.", 0, TML_FORM_PLAIN,
     TML_OP_COUNT, build_max, NULL, 0},
    {"dim", 2, 2, "dim(a, b)", "a - b where positive, else 0.", 0, TML_FORM_PLAIN, TML_OP_COUNT,
     build_dim, NULL, 0},
    {"mod", 2, 2, "mod(a, p)", "Remainder of a / p with the sign of a.", 0, TML_FORM_PLAIN,
     TML_OP_MOD, build_op2, check_mod, 0},
    ONE("aint", TML_OP_AINT, 0, "x without its fraction, towards zero."),
    ONE("anint", TML_OP_ANINT, 0, "Nearest integer, halves away from zero."),
    ONE("floor", TML_OP_FLOOR, 0, "Largest integer not above x."),
    ONE("ceil", TML_OP_CEIL, 0, "Smallest integer not below x."),
    ONE("wrap", TML_OP_WRAP, 0, "An angle without whole turns, above -pi and up to pi."),
    {"if", 3, 4, "if(cond, a, b) or if(x: a, b, c)",
     "a where cond is not 0, else b; or a, b, c for x below, at, above 0.", 0, TML_FORM_IF,
     TML_OP_COUNT, NULL, NULL, 0},
    {"step", 5, 5, "step(x, x0, h0, x1, h1)", "From h0 at x0 to h1 at x1 by a cubic.", 1,
     TML_FORM_PLAIN, TML_OP_COUNT, build_step, check_step, 0},
    {"step5", 5, 5, "step5(x, x0, h0, x1, h1)", "From h0 at x0 to h1 at x1 by a quintic.", 2,
     TML_FORM_PLAIN, TML_OP_COUNT, build_step5, check_step, 0},
    {"havsin", 5, 5, "havsin(x, x0, h0, x1, h1)",
     "From h0 at x0 to h1 at x1 by half a cosine wave.", 1, TML_FORM_PLAIN, TML_OP_COUNT,
     build_havsin, check_step, 0},
    {"impact", 7, 7, "impact(x, xdot, x1, k, e, cmax, d)",
     "Contact force that keeps x above x1: k depth^e and damping that grows to cmax at depth d.", 0,
     TML_FORM_PLAIN, TML_OP_COUNT, build_impact, check_impact, 0},
    {"bistop", 8, 8, "bistop(x, xdot, x1, x2, k, e, cmax, d)",
     "Contact force that keeps x between x1 and x2; see impact.", 0, TML_FORM_PLAIN, TML_OP_COUNT,
     build_bistop, check_bistop, 0},
    {"poly", 3, 33, "poly(x, x0, a0, a1, ...)", "Polynomial in x - x0.", 3, TML_FORM_PLAIN,
     TML_OP_COUNT, build_poly, NULL, 0},
    {"cheby", 3, 33, "cheby(x, x0, a0, a1, ...)", "Chebyshev series in x - x0.", 3, TML_FORM_PLAIN,
     TML_OP_COUNT, build_cheby, NULL, 0},
    {"forcos", 4, 34, "forcos(x, x0, w, a0, a1, ...)", "Cosine series of w (x - x0).", 3,
     TML_FORM_PLAIN, TML_OP_COS, build_fourier, NULL, 0},
    {"forsin", 4, 34, "forsin(x, x0, w, a0, a1, ...)", "a0 and a sine series of w (x - x0).", 3,
     TML_FORM_PLAIN, TML_OP_SIN, build_fourier, NULL, 0},
    {"shf", 4, 6, "shf(x, x0, a, w, phi, b)", "a sin(w (x - x0) - phi) + b.", 3, TML_FORM_PLAIN,
     TML_OP_SIN, build_shf, NULL, 0},
    {"sweep", 7, 7, "sweep(x, a, x0, f0, x1, f1, dx)",
     "Sine of amplitude a whose frequency goes from f0 at x0 to f1 at x1; starts over dx.", 1,
     TML_FORM_PLAIN, TML_OP_SIN, build_sweep, check_sweep, 0},
    SPLINE("cubspl", TML_SPLINE_CUBIC,
           "Table by natural cubics; also cubspl(x, z, spline, order)."),
    SPLINE("akispl", TML_SPLINE_AKIMA, "Table by Akima's rule; also akispl(x, z, spline, order)."),
    SPLINE("linspl", TML_SPLINE_LINEAR,
           "Table by straight lines; also linspl(x, z, spline, order)."),
    SPLINE("spline", -1, "Table by its own rule; also spline(x, z, spline, order)."),
    {.name = "curve",
     .min_args = 2,
     .max_args = 3,
     .signature = "curve(alpha, path.x)",
     .text = "Coordinate x, y or z of a path, from alpha = -1 to 1 or over its range; also "
             "curve(alpha, path.x, order).",
     .smooth = 3,
     .form = TML_FORM_CURVE,
     .spline_kind = -1},
};

enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

const TmlFunction *tml_function_find(const char *name)
{
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        if (strcasecmp(name, functions[k].name) == 0) {
            return &functions[k];
        }
    }
    return NULL;
}

/* Smoothness is that of the whole function: the cut-off inside STEP has a kink, STEP has none. */
static void set_smoothness(TmlBuilder *b, const TmlFunction *f, int before, const int *arg, int n,
                           int node)
{
    if (node < before || b->node[node].in.op == TML_OP_CONST) {
        return; // came down to an argument or a constant
    }
    TmlBuildNode *made = &b->node[node];
    int smooth = f->smooth, between = f->smooth;
    for (int k = 0; k < n; ++k) {
        smooth = b->node[arg[k]].smooth < smooth ? b->node[arg[k]].smooth : smooth;
        between = b->node[arg[k]].between < between ? b->node[arg[k]].between : between;
    }
    made->smooth = smooth;
    // what the parts of the function say may be better: those that switch may look at time alone
    made->between = made->between > between ? made->between : between;
}

int tml_function_build(TmlBuilder *b, const TmlFunction *f, const int *arg, int n)
{
    const int before = b->n, node = f->build(b, f->op, arg, n);
    set_smoothness(b, f, before, arg, n, node);
    return node;
}

int tml_build_function(TmlBuilder *b, const char *name, const int *arg, int n)
{
    const TmlFunction *f = tml_function_find(name);
    return f != NULL && f->build != NULL && n >= f->min_args && n <= f->max_args
               ? tml_function_build(b, f, arg, n)
               : tml_build_const(b, (double)NAN);
}

const TmlFunction *tml_function_at(int index)
{
    return index >= 0 && index < N_FUNCTIONS ? &functions[index] : NULL;
}

void tml_expr_functions(void (*visit)(void *arg, const char *name, const char *signature,
                                      const char *text),
                        void *arg)
{
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        visit(arg, functions[k].name, functions[k].signature, functions[k].text);
    }
}
