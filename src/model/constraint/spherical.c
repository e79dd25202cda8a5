/* model/constraint/spherical.c - a ball joint: the origins coincide.
 *
 * x, y, z are the axes of the first frame (i) and of the second (j), d = r_j - r_i:
 *
 *   (S1)  d = 0
 *
 * Primitives and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#spherical
 */
#include "model/primitive/primitive.h"
#include "model/registry.h"

static const TmlPrim spherical_prims[] = {
    {TML_PRIM_COORD, .axis_i = 0},
    {TML_PRIM_COORD, .axis_i = 1},
    {TML_PRIM_COORD, .axis_i = 2},
};

static const char *const spherical_rows[] = {
    "translation along global x",
    "translation along global y",
    "translation along global z",
};

/* The rows are constant in the motion of the ends, so there is no curvature to compute. */
static void spherical_residual(const TmlElementIn *in, double *phi)
{
    tml_prims_residual(spherical_prims, TML_PRIM_COUNT(spherical_prims), in, phi);
}

static void spherical_jacobian(const TmlElementIn *in, TmlRow *J)
{
    tml_prims_jacobian(spherical_prims, TML_PRIM_COUNT(spherical_prims), in, J);
}

static void spherical_gamma(const TmlElementIn *in, double *gamma)
{
    tml_prims_gamma(spherical_prims, TML_PRIM_COUNT(spherical_prims), in, gamma);
}

static void spherical_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    tml_prims_gamma_tangent(spherical_prims, TML_PRIM_COUNT(spherical_prims), in, Gm, Gv);
}

TML_CONSTRAINT_TYPE(spherical) = {
    .info = {.name = "spherical", .text = "Three free rotations about a common point."},
    .ends = TML_ENDS_FRAMES,
    .rows = TML_PRIM_COUNT(spherical_prims),
    .row_names = spherical_rows,
    .free_rotation = TML_FREE_ALL,
    .residual = spherical_residual,
    .jacobian = spherical_jacobian,
    .gamma = spherical_gamma,
    .gamma_tangent = spherical_gamma_tangent,
};
