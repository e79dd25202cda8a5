/* model/contact/material.c - what two materials make together: material.h. */
#include "model/contact/material.h"

#include "base/fail.h"

#include <math.h>

TmlContactMaterial tml_material_none(void)
{
    return (TmlContactMaterial){.young = -1.0,
                                .poisson = 0.3,
                                .foundation = -1.0,
                                .restitution = -1.0,
                                .friction_dynamic = -1.0,
                                .friction_static = -1.0,
                                .rolling = -1.0,
                                .spinning = -1.0};
}

double tml_contact_modulus(double young_1, double poisson_1, double young_2, double poisson_2)
{
    const double first = (1.0 - poisson_1 * poisson_1) / young_1; // (M1)
    const double second = (1.0 - poisson_2 * poisson_2) / young_2;
    return 1.0 / (first + second);
}

double tml_mix(TmlMixing rule, double a, double b)
{
    if (a < 0.0 || b < 0.0) {
        return fmax(a, b); // one of the two, or none
    }
    switch (rule) { // (M3)
    case TML_MIX_LARGER:
        return fmax(a, b);
    case TML_MIX_MEAN:
        return 0.5 * (a + b);
    case TML_MIX_GEOMETRIC:
        return sqrt(a) * sqrt(b);
    default:
        return fmin(a, b);
    }
}

static double pair_modulus(const TmlContactMaterial *a, const TmlContactMaterial *b)
{
    const TmlContactMaterial *first = a->young > 0.0 ? a : b, *second = b->young > 0.0 ? b : a;
    return first->young > 0.0
               ? tml_contact_modulus(first->young, first->poisson, second->young, second->poisson)
               : -1.0;
}

static double pair_foundation(double a, double b)
{
    return a > 0.0 && b > 0.0 ? a * b / (a + b) : fmax(a, b); // (M2)
}

/* The static coefficient of a material that has the dynamic one only is the same. */
static double static_of(const TmlContactMaterial *m)
{
    return fmax(m->friction_static, m->friction_dynamic);
}

TmlMaterialPair tml_material_pair(const TmlContactMaterial *a, const TmlContactMaterial *b,
                                  const TmlMixingRules *rules)
{
    return (TmlMaterialPair){
        .modulus = pair_modulus(a, b),
        .foundation = pair_foundation(a->foundation, b->foundation),
        .restitution = tml_mix(rules->restitution, a->restitution, b->restitution),
        .friction_dynamic = tml_mix(rules->friction, a->friction_dynamic, b->friction_dynamic),
        .friction_static = tml_mix(rules->friction, static_of(a), static_of(b)),
        .rolling = tml_mix(rules->rolling, a->rolling, b->rolling),
        .spinning = tml_mix(rules->rolling, a->spinning, b->spinning),
    };
}

TmlStatus tml_material_check(const TmlContactMaterial *m, const char *name, TmlError *err)
{
    if (m->young == 0.0 || m->foundation == 0.0) {
        return tml_fail(err, TML_E_MODEL, "material '%s': %s must be above 0", name,
                        m->young == 0.0 ? "young" : "foundation");
    }
    if (!(fabs(m->poisson) < 1.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "material '%s': poisson must be between -1 and 1, got %.9g", name,
                        m->poisson);
    }
    if (m->restitution > 1.0) {
        return tml_fail(err, TML_E_MODEL, "material '%s': restitution must be at most 1, got %.9g",
                        name, m->restitution);
    }
    if (m->friction_static >= 0.0 && m->friction_static < m->friction_dynamic) {
        return tml_fail(err, TML_E_MODEL,
                        "material '%s': static friction (%.9g) must not be below dynamic (%.9g)",
                        name, m->friction_static, m->friction_dynamic);
    }
    if (m->friction_static >= 0.0 && m->friction_dynamic < 0.0) {
        return tml_fail(err, TML_E_MODEL,
                        "material '%s': static friction needs the dynamic coefficient, too", name);
    }
    return TML_OK;
}
