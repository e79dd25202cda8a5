/* model/force/rope.c - a rope between two points: a spring and damper that pulls and never pushes.
 *
 * d = r_1 - r_0, L = |d|, u = d / L, as for a spring. L_0 + a is the length without tension, a an expression:
 *
 *   (R1)  x = k (L - L_0 - a)                      elastic tension, were the rope a rod
 *   (R2)  s(x) = 0 below -b, (x + b)^2 / (4 b) up to b, x above;  b = 0: max(0, x)
 *   (R3)  T = s + c L', but not below 0 and not above 2 s
 *   (R4)  force on end 1: -T u,  on end 0: T u;  its derivatives as (S4) of spring.c
 *   (R5)  E = (1/k) int s dx = (x + b)^3 / (12 b k) up to b, (x^2 / 2 + b^2 / 6) / k above
 *
 * By (R3) the damper has no force in a slack rope, and none that jumps when it comes taut.
 * Text: docs/theory/forces.md#rope
 */
#include "model/force/pair.h"
#include "model/registry.h"

typedef struct RopeData {
    double stiffness, damping;
    double free_length; // NAN until prepare: the initial length
    double blend;       // b
    TmlBinding *longer; // a
} RopeData;

typedef struct RopeState {
    TmlVec3 u, p; /* p: derivative of the rate by d */
    double length, rate, x, tension, by_x, by_rate;
} RopeState;

// below this the square of the length underflows; m
static const double rope_least = 1e-150;

static TmlStatus rope_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    RopeData *p = data;
    (void)n_ends, (void)err;
    if (isnan(p->free_length)) {
        p->free_length = v3_norm(v3_sub(e[1].r, e[0].r));
    }
    return TML_OK;
}

static int rope_n_f(const void *data)
{
    return ((const RopeData *)data)->longer != NULL;
}

static const TmlBinding *rope_f_binding(const void *data, int k)
{
    (void)k;
    return ((const RopeData *)data)->longer;
}

/* (R2); *slope is its derivative. */
static double pulled(double x, double b, double *slope)
{
    if (x >= b) {
        *slope = 1.0;
        return x;
    }
    *slope = x > -b ? (x + b) / (2.0 * b) : 0.0;
    return x > -b ? 0.5 * (x + b) * *slope : 0.0;
}

/* (R3) with its derivatives by x and L'. */
static void rope_law(const RopeData *p, RopeState *s)
{
    double slope;
    const double elastic = pulled(s->x, p->blend, &slope);
    const double damper = p->damping * s->rate;
    if (fabs(damper) <= elastic) {
        s->tension = elastic + damper;
        s->by_x = slope;
        s->by_rate = p->damping;
    } else {
        s->tension = damper > 0.0 ? 2.0 * elastic : 0.0;
        s->by_x = damper > 0.0 ? 2.0 * slope : 0.0;
        s->by_rate = 0.0;
    }
}

static RopeState rope_state(const TmlElementIn *in)
{
    const RopeData *p = in->data;
    const TmlVec3 d = v3_sub(in->e[1].r, in->e[0].r), d_dot = v3_sub(in->e[1].v, in->e[0].v);
    RopeState s = {.length = v3_norm(d)};
    if (s.length >= rope_least) { // else there is no direction to pull in
        s.u = v3_scale(1.0 / s.length, d);
        s.rate = v3_dot(s.u, d_dot);
        s.p = v3_scale(1.0 / s.length, v3_axpy(-s.rate, s.u, d_dot));
    }
    s.x = p->stiffness * (s.length - p->free_length - (p->longer != NULL ? in->f[0] : 0.0)); // (R1)
    rope_law(p, &s);
    return s;
}

static void rope_wrench(const TmlElementIn *in, TmlRow *w)
{
    const RopeState s = rope_state(in);
    w[0] = (TmlRow){.r = v3_scale(s.tension, s.u)}; // (R4)
    w[1] = (TmlRow){.r = v3_scale(-s.tension, s.u)};
}

static void rope_scatter(double *K, const TmlMat33 *B)
{
    pair_add(K, PAIR_R1, PAIR_R1, -1.0, B);
    pair_add(K, PAIR_R1, PAIR_R0, 1.0, B);
    pair_add(K, PAIR_R0, PAIR_R1, 1.0, B);
    pair_add(K, PAIR_R0, PAIR_R0, -1.0, B);
}

static void rope_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    const RopeData *p = in->data;
    const RopeState s = rope_state(in);
    if (s.length < rope_least) {
        return;
    }
    const TmlMat33 uu = m3_outer(s.u, s.u), up = m3_outer(s.u, s.p);
    const double side = s.tension / s.length;
    const TmlMat33 I = m3_diag(side, side, side);
    TmlMat33 Bq = m3_axpy(s.by_x * p->stiffness - side, &uu, &I);
    Bq = m3_axpy(s.by_rate, &up, &Bq);
    const TmlMat33 Bv = m3_scale(s.by_rate, &uu);
    rope_scatter(Kq, &Bq);
    rope_scatter(Kv, &Bv);
}

static void rope_f_map(const TmlElementIn *in, TmlRow *P)
{
    const RopeData *p = in->data;
    const RopeState s = rope_state(in);
    const double by_f = -p->stiffness * s.by_x;
    P[0] = (TmlRow){.r = v3_scale(by_f, s.u)};
    P[1] = (TmlRow){.r = v3_scale(-by_f, s.u)};
}

static double rope_energy(const TmlElementIn *in)
{
    const RopeData *p = in->data;
    const double x = rope_state(in).x, b = p->blend;
    if (p->stiffness == 0.0 || x <= -b) {
        return 0.0;
    }
    return x < b ? (x + b) * (x + b) * (x + b) / (12.0 * b * p->stiffness)
                 : (0.5 * x * x + b * b / 6.0) / p->stiffness; // (R5)
}

static void rope_output(const TmlElementIn *in, double *value)
{
    const RopeState s = rope_state(in);
    value[0] = s.length;
    value[1] = s.rate;
    value[2] = s.tension;
}

static void rope_output_tangent(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of)
{
    const RopeData *p = in->data;
    const RopeState s = rope_state(in);
    for (int k = 0; k < 2; ++k) {
        const double sign = k == 1 ? 1.0 : -1.0;
        const TmlRow along = {.r = v3_scale(sign, s.u)}, across = {.r = v3_scale(sign, s.p)};
        Oq[0 + k] = along;
        Oq[2 + k] = across;
        Ov[2 + k] = along;
        Oq[4 + k] = row_axpy(s.by_rate, across, row_scaled(s.by_x * p->stiffness, along));
        Ov[4 + k] = row_scaled(s.by_rate, along);
    }
    if (p->longer != NULL) {
        Of[2] = -p->stiffness * s.by_x;
    }
}

static const TmlParam rope_params[] = {
    {"stiffness", TML_PARAM_REAL, TML_POSITIVE, "N/m", offsetof(RopeData, stiffness), NULL,
     "tension per elongation while the rope is taut", NULL},
    {"damping", TML_PARAM_REAL, TML_NONNEGATIVE, "N s/m", offsetof(RopeData, damping), "0",
     "viscous rate while the rope is taut; its force is at most the elastic tension", NULL},
    {"free_length", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(RopeData, free_length), "",
     "length up to which the rope is slack; default: the initial length", NULL},
    {"longer", TML_PARAM_EXPR, TML_ANY, "m", offsetof(RopeData, longer), "",
     "expression that is added to the free length: a winch, or a variable that statics adjusts",
     NULL},
    {"blend", TML_PARAM_REAL, TML_NONNEGATIVE, "N", offsetof(RopeData, blend), "0",
     "the corner between slack and taut is rounded between minus and plus this tension", NULL},
    {0},
};

static const TmlOutput rope_outputs[] = {
    {"length", "m", "distance of the points"},
    {"rate", "m/s", "rate of the length"},
    {"tension", "N", "force with which the points are pulled together, never negative"},
    {0},
};

TML_FORCE_TYPE(rope) = {
    .info = {.name = "rope",
             .text = "Rope, chain or dropper without mass between two points: a spring and damper "
                     "that pulls and never pushes.",
             .example = "bodies: [ground, rod], points: [[0, 0, 0], [1, 0, 0]], stiffness: 1e5, "
                        "free_length: 0.99",
             .data_size = sizeof(RopeData),
             .params = rope_params,
             .outputs = rope_outputs},
    .ends = TML_ENDS_POINTS,
    .prepare = rope_prepare,
    .n_f = rope_n_f,
    .f_binding = rope_f_binding,
    .wrench = rope_wrench,
    .tangent = rope_tangent,
    .f_map = rope_f_map,
    .energy = rope_energy,
    .output = rope_output,
    .output_tangent = rope_output_tangent,
};
