/* model/constraint/gear.c - gear wheels in mesh: a relation between the angles of their joints.
 *
 *   (G1)  sum_k coefficient_k z_k s_k = its initial value
 *
 * s_k is the angle of the k-th joint and z_k its number of teeth (or radius); without `teeth` all
 * z are 1. An external mesh has coefficients of equal sign, an internal one of opposite sign; an
 * epicyclic train has three terms.
 * Equations and derivatives: model/primitive/relation.c. Text: docs/theory/constraints.md#gear
 */
#include "base/fail.h"
#include "model/primitive/relation.h"
#include "model/registry.h"

typedef struct GearData {
    TmlRelation relation; // first: read by model/primitive/relation.c
    TmlReals teeth;       // one per term, or none
} GearData;

static TmlStatus gear_check(const void *data, TmlError *err)
{
    const GearData *p = data;
    const TmlTerms *terms = &p->relation.terms;
    TML_TRY(tml_relation_check(&p->relation, 2, err));
    for (int k = 0; k < terms->n; ++k) {
        if (terms->term[k].coordinate != TML_COORD_ANGLE) {
            return tml_fail(err, TML_E_MODEL,
                            "term %d is a displacement, expected angles; use a rack_pinion or a "
                            "coupler",
                            k + 1);
        }
    }
    if (p->teeth.n != 0 && p->teeth.n != terms->n) {
        return tml_fail(err, TML_E_MODEL, "%d numbers of teeth for %d terms", p->teeth.n, terms->n);
    }
    for (int k = 0; k < p->teeth.n; ++k) {
        if (!(p->teeth.value[k] > 0.0)) {
            return tml_fail(err, TML_E_MODEL, "teeth of term %d are %g, expected more than 0",
                            k + 1, p->teeth.value[k]);
        }
    }
    return TML_OK;
}

static TmlStatus gear_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    GearData *p = data;
    (void)n_ends, (void)err;
    tml_relation_prepare(&p->relation, p->teeth.n > 0 ? p->teeth.value : NULL, e); // (G1)
    return TML_OK;
}

static const TmlParam gear_params[] = {
    {"terms", TML_PARAM_TERMS, TML_ANY, "", offsetof(GearData, relation.terms), NULL,
     "joints whose angles are related, with a coefficient each", NULL},
    {"teeth", TML_PARAM_REALS, TML_POSITIVE, "", offsetof(GearData, teeth), "",
     "number of teeth of each wheel, multiplied with the coefficients", NULL},
    {0},
};

TML_CONSTRAINT_TYPE(gear) = {
    .info = {.name = "gear",
             .text = "Wheels in mesh: a weighted sum of joint angles keeps its initial value.",
             .example = "terms: [{joint: pin}, {joint: pin2}], teeth: [20, 40]",
             .data_size = sizeof(GearData),
             .params = gear_params},
    .ends = TML_ENDS_TERMS,
    .check = gear_check,
    .prepare = gear_prepare,
    TML_RELATION_TABLE,
};
