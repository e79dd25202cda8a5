/* model/force/torque.c - a torque given by expressions, on one body or between two.
 *
 * F_k are the unknowns, c_k axes of the chosen frame:
 *
 *   (Q1)  T = sum_k F_k c_k
 *   (Q2)  on end 1: T, on end 0: -T
 *   (Q3)  dT = -T~ dtheta of the chosen frame
 *
 * Text: docs/theory/forces.md#torque
 */
#include "model/force/components.h"
#include "model/force/pair.h"
#include "model/registry.h"

static void torque_wrench(const TmlElementIn *in, TmlRow *w)
{
    const TmlVec3 T = components_vector(in);
    w[0] = (TmlRow){.theta = v3_neg(T)}; // (Q2)
    w[1] = (TmlRow){.theta = T};
}

static void torque_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    const ComponentsData *p = in->data;
    const TmlMat33 skew = m3_skew(components_vector(in));
    (void)Kv;
    if (p->axes != AXES_GROUND) {
        const int turn = p->axes == AXES_FIRST ? PAIR_T0 : PAIR_T1;
        pair_add(Kq, PAIR_T1, turn, -1.0, &skew); // (Q3)
        pair_add(Kq, PAIR_T0, turn, 1.0, &skew);
    }
}

static void torque_f_map(const TmlElementIn *in, TmlRow *P)
{
    for (int k = 0; k < components_n_f(in->data); ++k) {
        const TmlVec3 c = components_direction(in, k);
        P[2 * k] = (TmlRow){.theta = v3_neg(c)};
        P[2 * k + 1] = (TmlRow){.theta = c};
    }
}

static const TmlParam torque_params[] = {
    {"tx", TML_PARAM_EXPR, TML_ANY, "N m", offsetof(ComponentsData, component[0]), "",
     "component along x as an expression of the state", NULL},
    {"ty", TML_PARAM_EXPR, TML_ANY, "N m", offsetof(ComponentsData, component[1]), "",
     "component along y as an expression of the state", NULL},
    {"tz", TML_PARAM_EXPR, TML_ANY, "N m", offsetof(ComponentsData, component[2]), "",
     "component along z as an expression of the state", NULL},
    {"axes", TML_PARAM_CHOICE, TML_ANY, "", offsetof(ComponentsData, axes), "ground",
     "frame in whose axes the components are", AXES_CHOICES},
    {0},
};

TML_FORCE_TYPE(torque) = {
    .info = {.name = "torque",
             .text = "Torque on the second end, its reaction on the first, by components.",
             .data_size = sizeof(ComponentsData),
             .params = torque_params},
    .ends = TML_ENDS_ONE,
    .n_f = components_n_f,
    .f_binding = components_f_binding,
    .wrench = torque_wrench,
    .tangent = torque_tangent,
    .f_map = torque_f_map,
};
