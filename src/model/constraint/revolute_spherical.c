/* model/constraint/revolute_spherical.c - a massless link with a pin and a ball.
 *
 * The link turns about z of the first frame and holds the origin of the second on a ball:
 *
 *   (Q1)  z_i . (r_j - r_i) = 0
 *   (Q2)  |r_j - r_i| - length = 0
 *
 * Primitives and derivatives: model/primitive/primitive.c.
 * Text: docs/theory/constraints.md#revolute_spherical
 */
#include "base/fail.h"
#include "model/primitive/primitive.h"
#include "model/registry.h"

typedef struct LinkData {
    double length; // m; 0 until prepare: the initial distance
} LinkData;

static const TmlPrim link_prims[] = {{TML_PRIM_ALONG, .axis_i = 2}, {.kind = TML_PRIM_DIST}};

static const char *const link_rows[] = {"translation along z", "distance of the points"};

TML_PRIM_DERIVATIVES(link, link_prims)

static TmlStatus link_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    LinkData *p = data;
    (void)n_ends;
    const double initial = tml_prim_value(&link_prims[1], &e[0], &e[1], 0.0);
    if (!(initial > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "the two points coincide: the link between them has no direction; use a "
                        "spherical joint to keep them together");
    }
    if (!(p->length > 0.0)) {
        p->length = initial;
    }
    return TML_OK;
}

static void link_residual(const TmlElementIn *in, double *phi)
{
    const LinkData *p = in->data;
    tml_prims_residual(link_prims, TML_PRIM_COUNT(link_prims), in, phi); // (Q1)
    phi[1] -= p->length;                                                 // (Q2)
}

static const TmlParam link_params[] = {
    {"length", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(LinkData, length), "0",
     "length of the link; 0 means the initial distance of the points", NULL},
    {0},
};

TML_CONSTRAINT_TYPE(revolute_spherical) = {
    .info = {.name = "revolute_spherical",
             .text = "A massless link that turns about z of the first frame and ends in a ball at "
                     "the second.",
             .data_size = sizeof(LinkData),
             .params = link_params},
    .ends = TML_ENDS_POINTS,
    .rows = TML_PRIM_COUNT(link_prims),
    .row_names = link_rows,
    .prepare = link_prepare,
    TML_PRIM_TABLE(link),
};
