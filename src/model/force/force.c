/* model/force/force.c - a force given by expressions, on one body or between two.
 *
 * F_k are the unknowns, c_k axes of the chosen frame, d = r_1 - r_0:
 *
 *   (L1)  F = sum_k F_k c_k
 *   (L2)  on end 1: F at its origin;  on end 0: -F at the same point, i.e. torque -d x F
 *   (L3)  dF = -F~ dtheta of the chosen frame,  d(-d x F) = F~ dd + d~ F~ dtheta
 *
 * Text: docs/theory/forces.md#force
 */
#include "model/force/components.h"
#include "model/force/pair.h"
#include "model/registry.h"

/* The pair (L2) that a force at the origin of end 1 makes. */
static void force_pair(const TmlElementIn *in, TmlVec3 F, TmlRow *w)
{
    const TmlVec3 d = v3_sub(in->e[1].r, in->e[0].r);
    w[0] = (TmlRow){v3_neg(F), v3_neg(v3_cross(d, F))};
    w[1] = (TmlRow){.r = F};
}

static void force_wrench(const TmlElementIn *in, TmlRow *w)
{
    force_pair(in, components_vector(in), w);
}

static void force_tangent(const TmlElementIn *in, double *Kq, double *Kv)
{
    const ComponentsData *p = in->data;
    const TmlVec3 F = components_vector(in), d = v3_sub(in->e[1].r, in->e[0].r);
    const TmlMat33 skew = m3_skew(F), arm = m3_skew_skew(d, F);
    (void)Kv;
    pair_add(Kq, PAIR_T0, PAIR_R1, 1.0, &skew); // (L3)
    pair_add(Kq, PAIR_T0, PAIR_R0, -1.0, &skew);
    if (p->axes != AXES_GROUND) {
        const int turn = p->axes == AXES_FIRST ? PAIR_T0 : PAIR_T1;
        pair_add(Kq, PAIR_R1, turn, -1.0, &skew);
        pair_add(Kq, PAIR_R0, turn, 1.0, &skew);
        pair_add(Kq, PAIR_T0, turn, 1.0, &arm);
    }
}

static void force_f_map(const TmlElementIn *in, TmlRow *P)
{
    for (int k = 0; k < components_n_f(in->data); ++k) {
        force_pair(in, components_direction(in, k), &P[2 * k]);
    }
}

static const TmlParam force_params[] = {
    {"fx", TML_PARAM_EXPR, TML_ANY, "N", offsetof(ComponentsData, component[0]), "",
     "component along x as an expression of the state", NULL},
    {"fy", TML_PARAM_EXPR, TML_ANY, "N", offsetof(ComponentsData, component[1]), "",
     "component along y as an expression of the state", NULL},
    {"fz", TML_PARAM_EXPR, TML_ANY, "N", offsetof(ComponentsData, component[2]), "",
     "component along z as an expression of the state", NULL},
    {"axes", TML_PARAM_CHOICE, TML_ANY, "", offsetof(ComponentsData, axes), "ground",
     "frame in whose axes the components are", AXES_CHOICES},
    {0},
};

TML_FORCE_TYPE(force) = {
    .info = {.name = "force",
             .text = "Force on the second end, its reaction on the first, by components.",
             .data_size = sizeof(ComponentsData),
             .params = force_params},
    .ends = TML_ENDS_ONE,
    .n_f = components_n_f,
    .f_binding = components_f_binding,
    .wrench = force_wrench,
    .tangent = force_tangent,
    .f_map = force_f_map,
};
