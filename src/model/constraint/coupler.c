/* model/constraint/coupler.c - a linear relation between the coordinates of any joints.
 *
 *   (V1)  sum_k coefficient_k s_k = its initial value,  s_k an angle or a displacement
 *
 * Equations and derivatives: model/primitive/relation.c. Text: docs/theory/constraints.md#coupler
 */
#include "model/primitive/relation.h"
#include "model/registry.h"

static TmlStatus coupler_check(const void *data, TmlError *err)
{
    return tml_relation_check(data, 1, err);
}

static TmlStatus coupler_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    (void)n_ends, (void)err;
    tml_relation_prepare(data, NULL, e); // (V1)
    return TML_OK;
}

static const TmlParam coupler_params[] = {
    {"terms", TML_PARAM_TERMS, TML_ANY, "", offsetof(TmlRelation, terms), NULL,
     "joints with the coordinate (angle or displacement) and the coefficient of each", NULL},
    {0},
};

TML_CONSTRAINT_TYPE(coupler) = {
    .info = {.name = "coupler",
             .text = "A weighted sum of joint angles and displacements keeps its initial value.",
             .data_size = sizeof(TmlRelation),
             .params = coupler_params},
    .ends = TML_ENDS_TERMS,
    .check = coupler_check,
    .prepare = coupler_prepare,
    TML_RELATION_TABLE,
};
