/* model/constraint/constant_velocity.c - two shafts that turn at the same speed.
 *
 *   (1)  d . e_k = 0                     global axes; the origins coincide
 *   (2)  x_i . y_j - y_i . x_j = 0       no rotation about z when the shafts are in line
 *
 * (2) says that the axes of j come from those of i by a turn about an axis across z, in the plane
 * that halves the angle between the shafts.                                                  own
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#constant_velocity
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

#include "math/vec3.h"

// the last two make one row, their difference
static const TmlPrim prims[] = {{TML_PRIM_COORD, .axis_i = 0},
                                {TML_PRIM_COORD, .axis_i = 1},
                                {TML_PRIM_COORD, .axis_i = 2},
                                {TML_PRIM_DOT, .axis_i = 0, .axis_j = 1},
                                {TML_PRIM_DOT, .axis_i = 1, .axis_j = 0}};

enum { ROWS = 4, PARTS = TML_PRIM_COUNT(prims) };

static const char *const constant_velocity_rows[] = {
    "translation along global x", "translation along global y", "translation along global z",
    "rotation along the shafts"};

/* Rows of the parts to rows of the joint. */
static void fold(const TmlRow part[2 * PARTS], TmlRow *J)
{
    for (int k = 0; k < 2 * ROWS; ++k) {
        J[k] = part[k];
        if (k / 2 == ROWS - 1) {
            J[k].r = v3_sub(J[k].r, part[k + 2].r);
            J[k].theta = v3_sub(J[k].theta, part[k + 2].theta);
        }
    }
}

static void constant_velocity_residual(const TmlElementIn *in, double *phi)
{
    double part[PARTS];
    tml_prims_residual(prims, PARTS, in, part);
    for (int k = 0; k < ROWS; ++k) {
        phi[k] = part[k] - (k == ROWS - 1 ? part[ROWS] : 0.0);
    }
}

static void constant_velocity_jacobian(const TmlElementIn *in, TmlRow *J)
{
    TmlRow part[2 * PARTS];
    tml_prims_jacobian(prims, PARTS, in, part);
    fold(part, J);
}

static void constant_velocity_gamma(const TmlElementIn *in, double *gamma)
{
    double part[PARTS];
    tml_prims_gamma(prims, PARTS, in, part);
    for (int k = 0; k < ROWS; ++k) {
        gamma[k] = part[k] - (k == ROWS - 1 ? part[ROWS] : 0.0);
    }
}

static void constant_velocity_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    const double part[PARTS] = {lambda[0], lambda[1], lambda[2], lambda[3], -lambda[3]};
    tml_prims_curvature(prims, PARTS, in, part, K);
}

static void constant_velocity_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    TmlRow m[2 * PARTS], v[2 * PARTS];
    tml_prims_gamma_tangent(prims, PARTS, in, m, v);
    fold(m, Gm);
    fold(v, Gv);
}

TML_CONSTRAINT_TYPE(constant_velocity) = {
    .info = {.name = "constant_velocity",
             .text = "Two shafts along z of their frames meet at a point and turn at the same "
                     "speed, whatever the angle between them."},
    .ends = TML_ENDS_FRAMES,
    .rows = ROWS,
    .row_names = constant_velocity_rows,
    .turns_only = true,
    .residual = constant_velocity_residual,
    .jacobian = constant_velocity_jacobian,
    .gamma = constant_velocity_gamma,
    .curvature = constant_velocity_curvature,
    .gamma_tangent = constant_velocity_gamma_tangent,
};
