/* model/constraint/rack_pinion.c - a pinion that moves a rack.
 *
 *   (Z1)  coefficient_a radius angle + coefficient_d displacement = its initial value
 *
 * One term is the angle of the pinion's joint, the other the displacement of the rack's; with
 * coefficients 1 and -1 the rack moves by radius times angle.
 * Equations and derivatives: model/primitive/relation.c. Text: docs/theory/constraints.md#rack_pinion
 */
#include "base/fail.h"
#include "model/primitive/relation.h"
#include "model/registry.h"

typedef struct RackData {
    TmlRelation relation; // first: read by model/primitive/relation.c
    double radius;        // m
} RackData;

static TmlStatus rack_check(const void *data, TmlError *err)
{
    const RackData *p = data;
    const TmlTerms *terms = &p->relation.terms;
    TML_TRY(tml_relation_check(&p->relation, 2, err));
    if (terms->n != 2 || terms->term[0].coordinate == terms->term[1].coordinate) {
        return tml_fail(err, TML_E_MODEL,
                        "expected two terms: the angle of the pinion and the displacement of the "
                        "rack");
    }
    return TML_OK;
}

static TmlStatus rack_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    RackData *p = data;
    (void)n_ends, (void)err;
    double scale[2];
    for (int k = 0; k < 2; ++k) {
        const bool pinion = p->relation.terms.term[k].coordinate == TML_COORD_ANGLE;
        scale[k] = pinion ? p->radius : 1.0;
    }
    tml_relation_prepare(&p->relation, scale, e); // (Z1)
    return TML_OK;
}

static const TmlParam rack_params[] = {
    {"terms", TML_PARAM_TERMS, TML_ANY, "", offsetof(RackData, relation.terms), NULL,
     "angle of the pinion's joint and displacement of the rack's, with a coefficient each", NULL},
    {"radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(RackData, radius), NULL,
     "pitch radius of the pinion", NULL},
    {0},
};

TML_CONSTRAINT_TYPE(rack_pinion) = {
    .info = {.name = "rack_pinion",
             .text = "A pinion that rolls on a rack: displacement follows radius times angle.",
             .example = "terms: [{joint: pin}, {joint: slide}], radius: 0.05",
             .data_size = sizeof(RackData),
             .params = rack_params},
    .ends = TML_ENDS_TERMS,
    .check = rack_check,
    .prepare = rack_prepare,
    TML_RELATION_TABLE,
};
