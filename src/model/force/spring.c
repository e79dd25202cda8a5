/* model/force/spring.c - spring and damper between two points.
 *
 * d = r_1 - r_0, L = |d|, u = d / L, delta = L - L_0. The tension pulls the points together:
 *
 *   (S1)  T = k delta + c L' + preload + table(delta) + damping_table(L') + F
 *   (S2)  L' = u . d',  dL' = p . dd + u . dd',  p = (d' - L' u) / L
 *   (S3)  force on end 1: -T u,  on end 0: T u
 *   (S4)  d(T u) = [T_L u u^T + T_R u p^T + (T / L)(I - u u^T)] dd + T_R u u^T dd'
 *   (S5)  E = k delta^2 / 2 + preload delta + integral of the table from 0 to delta
 *
 * At L = 0 the line has no direction. Where the tension vanishes there, the limit along the motion
 * is smooth and is used: T u = T_L d + T_R d'. Otherwise force and tangent are zero there.
 * Text: docs/theory/forces.md#spring
 */
#include "expr/spline.h"
#include "model/force/pair.h"
#include "model/registry.h"

typedef struct SpringData {
    double stiffness, damping;
    double free_length; // NAN until prepare: the initial length
    double preload;
    const TmlSpline *table, *damping_table;
    TmlBinding *expression;
} SpringData;

typedef struct SpringState {
    TmlVec3 d, d_dot, u, p;
    double length, delta, rate, tension, by_length, by_rate;
    bool zero; // no direction
} SpringState;

// below this the square of the length underflows; m
static const double spring_least = 1e-150;

static TmlStatus spring_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    SpringData *p = data;
    (void)n_ends, (void)err;
    if (isnan(p->free_length)) {
        p->free_length = v3_norm(v3_sub(e[1].r, e[0].r));
    }
    return TML_OK;
}

static int spring_n_f(const void *data)
{
    return ((const SpringData *)data)->expression != NULL;
}

static const TmlBinding *spring_f_binding(const void *data, int k)
{
    (void)k;
    return ((const SpringData *)data)->expression;
}

/* The law (S1) without F at the length and rate in s. */
static void spring_law(const SpringData *p, SpringState *s)
{
    double x[2];
    s->delta = s->length - p->free_length;
    s->by_length = p->stiffness;
    s->by_rate = p->damping;
    s->tension = p->stiffness * s->delta + p->damping * s->rate + p->preload; // (S1)
    if (p->table != NULL) {
        tml_spline_eval(p->table, s->delta, 1, x);
        s->tension += x[0];
        s->by_length += x[1];
    }
    if (p->damping_table != NULL) {
        tml_spline_eval(p->damping_table, s->rate, 1, x);
        s->tension += x[0];
        s->by_rate += x[1];
    }
}

static SpringState spring_state(const TmlElementIn *in)
{
    const SpringData *p = in->data;
    SpringState s = {.d = v3_sub(in->e[1].r, in->e[0].r), .d_dot = v3_sub(in->e[1].v, in->e[0].v)};
    s.length = v3_norm(s.d);
    s.zero = s.length < spring_least;
    if (!s.zero) {
        s.u = v3_scale(1.0 / s.length, s.d);
        s.rate = v3_dot(s.u, s.d_dot); // (S2)
        s.p = v3_scale(1.0 / s.length, v3_axpy(-s.rate, s.u, s.d_dot));
    }
    spring_law(p, &s);
    if (s.zero && s.tension != 0.0) {
        s.by_length = s.by_rate = 0.0; // no smooth limit
    }
    if (p->expression != NULL) {
        s.tension += in->f[0];
    }
    return s;
}

static void spring_wrench(const TmlElementIn *in, TmlRow *w)
{
    const SpringState s = spring_state(in);
    const TmlVec3 pull = s.zero ? v3_axpy(s.by_rate, s.d_dot, v3_scale(s.by_length, s.d))
                                : v3_scale(s.tension, s.u); // (S3)
    w[0] = (TmlRow){.r = pull};
    w[1] = (TmlRow){.r = v3_neg(pull)};
}

/* K -= the derivative B of the pull by d (or d'). */
static void spring_scatter(double *K, const TmlMat33 *B)
{
    pair_add(K, PAIR_R1, PAIR_R1, -1.0, B);
    pair_add(K, PAIR_R1, PAIR_R0, 1.0, B);
    pair_add(K, PAIR_R0, PAIR_R1, 1.0, B);
    pair_add(K, PAIR_R0, PAIR_R0, -1.0, B);
}

static void spring_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    const SpringState s = spring_state(in);
    TmlMat33 Bq = m3_diag(s.by_length, s.by_length, s.by_length);
    TmlMat33 Bv = m3_diag(s.by_rate, s.by_rate, s.by_rate);
    if (!s.zero) {
        const TmlMat33 uu = m3_outer(s.u, s.u), up = m3_outer(s.u, s.p);
        const double side = s.tension / s.length;
        const TmlMat33 I = m3_diag(side, side, side);
        Bq = m3_axpy(s.by_length - side, &uu, &I); // (S4)
        Bq = m3_axpy(s.by_rate, &up, &Bq);
        Bv = m3_scale(s.by_rate, &uu);
    }
    spring_scatter(Kq, &Bq);
    spring_scatter(Kv, &Bv);
}

static void spring_f_map(const TmlElementIn *in, TmlRow *P)
{
    const SpringState s = spring_state(in);
    P[0] = (TmlRow){.r = s.u};
    P[1] = (TmlRow){.r = v3_neg(s.u)};
}

static double spring_energy(const TmlElementIn *in)
{
    const SpringData *p = in->data;
    const double delta = v3_norm(v3_sub(in->e[1].r, in->e[0].r)) - p->free_length;
    double energy = 0.5 * p->stiffness * delta * delta + p->preload * delta; // (S5)
    if (p->table != NULL) {
        energy += tml_spline_integral(p->table, 0.0, delta);
    }
    return energy;
}

static void spring_output(const TmlElementIn *in, double *value)
{
    const SpringState s = spring_state(in);
    value[0] = s.length;
    value[1] = s.rate;
    value[2] = s.tension;
}

static void spring_output_tangent(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of)
{
    const SpringState s = spring_state(in);
    for (int k = 0; k < 2; ++k) {
        const double sign = k == 1 ? 1.0 : -1.0;
        const TmlRow along = {.r = v3_scale(sign, s.u)}, across = {.r = v3_scale(sign, s.p)};
        Oq[0 + k] = along;
        Oq[2 + k] = across; // (S2)
        Ov[2 + k] = along;
        Oq[4 + k] = row_axpy(s.by_rate, across, row_scaled(s.by_length, along));
        Ov[4 + k] = row_scaled(s.by_rate, along);
    }
    if (((const SpringData *)in->data)->expression != NULL) {
        Of[2] = 1.0;
    }
}

static const TmlParam spring_params[] = {
    {"stiffness", TML_PARAM_REAL, TML_ANY, "N/m", offsetof(SpringData, stiffness), "0",
     "spring rate", NULL},
    {"damping", TML_PARAM_REAL, TML_USUALLY_NONNEGATIVE, "N s/m", offsetof(SpringData, damping),
     "0", "viscous rate", NULL},
    {"free_length", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(SpringData, free_length), "",
     "length without spring tension; default: the initial length", NULL},
    {"preload", TML_PARAM_REAL, TML_ANY, "N", offsetof(SpringData, preload), "0",
     "tension at the free length", NULL},
    {"table", TML_PARAM_SPLINE, TML_ANY, "N over m", offsetof(SpringData, table), "",
     "tension over length minus free length, added", NULL},
    {"damping_table", TML_PARAM_SPLINE, TML_ANY, "N over m/s", offsetof(SpringData, damping_table),
     "", "tension over the rate of the length, added", NULL},
    {"expression", TML_PARAM_EXPR, TML_ANY, "N", offsetof(SpringData, expression), "",
     "tension as an expression of the state, added", NULL},
    {0},
};

static const TmlOutput spring_outputs[] = {
    {"length", "m", "distance of the points"},
    {"rate", "m/s", "rate of the length"},
    {"tension", "N", "force with which the points are pulled together"},
    {0},
};

TML_FORCE_TYPE(spring) = {
    .info =
        {.name = "spring",
         .text = "Spring and damper between two points, linear, by table or by expression.",
         .example =
             "bodies: [ground, rod], points: [[0, 0, 0], [1, 0, 0]], stiffness: 1e4, damping: 50",
         .data_size = sizeof(SpringData),
         .params = spring_params,
         .outputs = spring_outputs},
    .ends = TML_ENDS_POINTS,
    .prepare = spring_prepare,
    .n_f = spring_n_f,
    .f_binding = spring_f_binding,
    .wrench = spring_wrench,
    .tangent = spring_tangent,
    .f_map = spring_f_map,
    .energy = spring_energy,
    .output = spring_output,
    .output_tangent = spring_output_tangent,
};
