/* model/constraint/distance.c - two points keep their distance (a massless rod).
 *
 *   (D1)  |r_j - r_i| - length = 0
 *
 * Primitive and derivatives: model/primitive/primitive.c. Text: docs/theory/constraints.md#distance
 */
#include "base/fail.h"
#include "model/primitive/primitive.h"
#include "model/registry.h"

typedef struct DistanceData {
    double length; // m; 0 until prepare: the initial distance
} DistanceData;

static const TmlPrim distance_prims[] = {{.kind = TML_PRIM_DIST}};

static const char *const distance_rows[] = {"distance of the points"};

TML_PRIM_DERIVATIVES(distance, distance_prims)

static TmlStatus distance_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    DistanceData *p = data;
    (void)n_ends;
    const double initial = tml_prim_value(distance_prims, &e[0], &e[1], 0.0);
    if (!(initial > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "the two points coincide: their distance has no direction; use a "
                        "spherical joint to keep them together");
    }
    if (!(p->length > 0.0)) {
        p->length = initial;
    }
    return TML_OK;
}

static void distance_residual(const TmlElementIn *in, double *phi)
{
    const DistanceData *p = in->data;
    phi[0] = tml_prim_value(distance_prims, &in->e[0], &in->e[1], 0.0) - p->length; // (D1)
}

static const TmlParam distance_params[] = {
    {"length", TML_PARAM_REAL, TML_NONNEGATIVE, "m", offsetof(DistanceData, length), "0",
     "distance of the two points; 0 means the initial distance", NULL},
    {0},
};

TML_CONSTRAINT_TYPE(distance) = {
    .info = {.name = "distance",
             .text = "The origins of both frames keep their distance, as by a massless rod.",
             .example = "bodies: [ground, rod], points: [[0, 0, 0], [1, 0, 0]]",
             .data_size = sizeof(DistanceData),
             .params = distance_params},
    .ends = TML_ENDS_POINTS,
    .rows = TML_PRIM_COUNT(distance_prims),
    .row_names = distance_rows,
    .prepare = distance_prepare,
    TML_PRIM_TABLE(distance),
};
