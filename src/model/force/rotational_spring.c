/* model/force/rotational_spring.c - torsion spring and damper about the z axis of a joint.
 *
 * a is the angle of end 1 relative to end 0 about z (primitive P5), with rows J, J_1 = -J_0; for
 * aligned axes J_1 = z. delta = a - a_0:
 *
 *   (T1)  tau = -[k delta + c a' + table(delta) + damping_table(a')] + preload + F
 *   (T2)  wrench on both ends: tau J: the power is tau a', whatever the frames do
 *   (T3)  dw = J (tau_a J . dx + tau_r (D . dx + J . dnu)) + tau K dx,  D = K^T nu,  K = dJ/dx
 *   (T4)  E = k delta^2 / 2 - preload delta + integral of the table from 0 to delta
 *
 * The angle counts turns: memory[0] is the angle of the last accepted state, without `turns`.
 * Text: docs/theory/forces.md#rotational-spring
 */
#include "expr/spline.h"
#include "model/force/pair.h"
#include "model/measure/measure_chain.h"
#include "model/primitive/primitive.h"
#include "model/registry.h"

typedef struct TorsionData {
    int joint, turns;
    double stiffness, damping, free_angle, preload;
    const TmlSpline *table, *damping_table;
    TmlBinding *expression;
} TorsionData;

typedef struct TorsionState {
    double angle, rate, torque, by_angle, by_rate;
    TmlRow J[2];
} TorsionState;

static const TmlPrim torsion_prim = {TML_PRIM_ANGLE, 0, 0};

static int torsion_n_f(const void *data)
{
    return ((const TorsionData *)data)->expression != NULL;
}

static const TmlBinding *torsion_f_binding(const void *data, int k)
{
    (void)k;
    return ((const TorsionData *)data)->expression;
}

static double torsion_angle(const TmlElementIn *in)
{
    const TorsionData *p = in->data;
    return tml_prim_value(&torsion_prim, &in->e[0], &in->e[1], in->memory[0]) +
           2.0 * M_PI * (double)p->turns;
}

/* (T1) without F, and its derivatives by angle and rate. */
static void torsion_law(const TorsionData *p, double angle, double rate, double law[3])
{
    const double delta = angle - p->free_angle;
    double x[2];
    law[0] = p->preload - p->stiffness * delta - p->damping * rate;
    law[1] = -p->stiffness;
    law[2] = -p->damping;
    if (p->table != NULL) {
        tml_spline_eval(p->table, delta, 1, x);
        law[0] -= x[0];
        law[1] -= x[1];
    }
    if (p->damping_table != NULL) {
        tml_spline_eval(p->damping_table, rate, 1, x);
        law[0] -= x[0];
        law[2] -= x[1];
    }
}

static bool torsion_axis_law(const void *data, double angle, double rate, double law[3])
{
    const TorsionData *p = data;
    torsion_law(p, angle, rate, law);
    return p->expression == NULL;
}

static TorsionState torsion_state(const TmlElementIn *in)
{
    const TorsionData *p = in->data;
    TorsionState s = {.angle = torsion_angle(in)};
    tml_prim_rows(&torsion_prim, &in->e[0], &in->e[1], &s.J[0], &s.J[1]);
    s.rate = v3_dot(s.J[1].theta, v3_sub(in->e[1].omega, in->e[0].omega));

    double law[3];
    torsion_law(p, s.angle, s.rate, law);
    s.torque = law[0];
    s.by_angle = law[1];
    s.by_rate = law[2];
    if (p->expression != NULL) {
        s.torque += in->f[0];
    }
    return s;
}

static void torsion_wrench(const TmlElementIn *in, TmlRow *w)
{
    const TorsionState s = torsion_state(in);
    w[0] = row_scaled(s.torque, s.J[0]); // (T2)
    w[1] = row_scaled(s.torque, s.J[1]);
}

/* D of (T3); K is the curvature of the angle. */
static void torsion_rate_rows(const TmlElementIn *in, double *K, TmlRow D[2])
{
    const TmlFrameKin *const e[2] = {&in->e[0], &in->e[1]};
    tml_prim_curvature(&torsion_prim, e[0], e[1], 1.0, K);
    tml_chain_rate(K, 2, e, D);
}

static void torsion_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    const TorsionState s = torsion_state(in);
    double K[PAIR_SIZE * PAIR_SIZE] = {0};
    TmlRow D[2];
    torsion_rate_rows(in, K, D);
    tml_chain_outer(Kq, 2, s.by_angle, s.J, s.J); // (T3)
    tml_chain_outer(Kq, 2, s.by_rate, s.J, D);
    tml_chain_outer(Kv, 2, s.by_rate, s.J, s.J);
    for (int k = 0; k < PAIR_SIZE * PAIR_SIZE; ++k) {
        Kq[k] += s.torque * K[k];
    }
}

static void torsion_f_map(const TmlElementIn *in, TmlRow *P)
{
    tml_prim_rows(&torsion_prim, &in->e[0], &in->e[1], &P[0], &P[1]);
}

static double torsion_energy(const TmlElementIn *in)
{
    const TorsionData *p = in->data;
    const double delta = torsion_angle(in) - p->free_angle;
    double energy = 0.5 * p->stiffness * delta * delta - p->preload * delta; // (T4)
    if (p->table != NULL) {
        energy += tml_spline_integral(p->table, 0.0, delta);
    }
    return energy;
}

static void torsion_output(const TmlElementIn *in, double *value)
{
    const TorsionState s = torsion_state(in);
    value[0] = s.angle;
    value[1] = s.rate;
    value[2] = s.torque;
}

static void torsion_output_tangent(const TmlElementIn *in, TmlRow *Oq, TmlRow *Ov, double *Of)
{
    const TorsionState s = torsion_state(in);
    double K[PAIR_SIZE * PAIR_SIZE] = {0};
    TmlRow D[2];
    torsion_rate_rows(in, K, D);
    for (int k = 0; k < 2; ++k) {
        Oq[0 + k] = s.J[k];
        Oq[2 + k] = D[k];
        Ov[2 + k] = s.J[k];
        Oq[4 + k] = row_axpy(s.by_rate, D[k], row_scaled(s.by_angle, s.J[k]));
        Ov[4 + k] = row_scaled(s.by_rate, s.J[k]);
    }
    if (((const TorsionData *)in->data)->expression != NULL) {
        Of[2] = 1.0;
    }
}

static void torsion_commit(const TmlElementIn *in, double *memory)
{
    memory[0] = tml_prim_value(&torsion_prim, &in->e[0], &in->e[1], in->memory[0]);
}

static const TmlParam torsion_params[] = {
    {"joint", TML_PARAM_JOINT, TML_ANY, "", offsetof(TorsionData, joint), "",
     "joint about whose z axis it acts", NULL},
    {"stiffness", TML_PARAM_REAL, TML_ANY, "N m/rad", offsetof(TorsionData, stiffness), "0",
     "spring rate", NULL},
    {"damping", TML_PARAM_REAL, TML_USUALLY_NONNEGATIVE, "N m s/rad",
     offsetof(TorsionData, damping), "0", "viscous rate", NULL},
    {"free_angle", TML_PARAM_REAL, TML_ANY, "rad", offsetof(TorsionData, free_angle), "0",
     "angle without spring torque", NULL},
    {"preload", TML_PARAM_REAL, TML_ANY, "N m", offsetof(TorsionData, preload), "0",
     "torque on the second body at the free angle", NULL},
    {"table", TML_PARAM_SPLINE, TML_ANY, "N m over rad", offsetof(TorsionData, table), "",
     "restoring torque over angle minus free angle, added", NULL},
    {"damping_table", TML_PARAM_SPLINE, TML_ANY, "N m over rad/s",
     offsetof(TorsionData, damping_table), "", "restoring torque over the angle's rate, added",
     NULL},
    {"expression", TML_PARAM_EXPR, TML_ANY, "N m", offsetof(TorsionData, expression), "",
     "torque on the second body about z as an expression of the state, added", NULL},
    {"turns", TML_PARAM_INT, TML_ANY, "", offsetof(TorsionData, turns), "0",
     "whole turns added to the angle, which starts between -pi and pi", NULL},
    {0},
};

static const TmlOutput torsion_outputs[] = {
    {"angle", "rad", "rotation of the second frame about z of the first"},
    {"rate", "rad/s", "rate of the angle"},
    {"torque", "N m", "torque on the second body about z"},
    {0},
};

TML_FORCE_TYPE(rotational_spring) = {
    .info = {.name = "rotational_spring",
             .text = "Torsion spring and damper about the z axis of a joint or of two frames.",
             .example = "joint: pin, stiffness: 400, damping: 15, free_angle: -90 deg",
             .data_size = sizeof(TorsionData),
             .params = torsion_params,
             .outputs = torsion_outputs},
    .ends = TML_ENDS_JOINT,
    .on_angle = true,
    .n_memory = 1,
    .n_f = torsion_n_f,
    .f_binding = torsion_f_binding,
    .wrench = torsion_wrench,
    .tangent = torsion_tangent,
    .f_map = torsion_f_map,
    .energy = torsion_energy,
    .output = torsion_output,
    .commit = torsion_commit,
    .output_tangent = torsion_output_tangent,
    .axis_angle = torsion_angle,
    .axis_law = torsion_axis_law,
};
