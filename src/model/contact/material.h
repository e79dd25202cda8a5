/* model/contact/material.h - what a surface is made of, and what two of them make together.
 *
 *   (M1)  1/E* = (1 - nu_1^2) / E_1 + (1 - nu_2^2) / E_2                        Hertz
 *   (M2)  1/k = 1/k_1 + 1/k_2                                                   foundation: in series
 *   (M3)  restitution, friction and lengths of rolling: by a rule, the smaller of both by default
 *
 * A property that one of the two does not have is that of the other; where neither has it, the pair
 * has none. Text: docs/theory/contact_laws.md
 */
#pragma once

#include "trammel/contact.h"

/* How two coefficients become one. All are symmetric, and x with x gives x. */
typedef enum TmlMixing {
    TML_MIX_SMALLER,
    TML_MIX_LARGER,
    TML_MIX_MEAN,
    TML_MIX_GEOMETRIC,
} TmlMixing;

/* Negative: not given. */
typedef struct TmlContactMaterial {
    double young;       /* N/m^2 */
    double poisson;     /* may be negative; read with young only */
    double foundation;  /* N/m^3: pressure a depth */
    double restitution; /* 0 to 1 */
    double friction_dynamic, friction_static;
    double rolling, spinning; /* m: lever arms of resistance */
} TmlContactMaterial;

/* Nothing is given; poisson is 0.3. */
TmlContactMaterial tml_material_none(void);

/* Rules for what (M3) mixes. */
typedef struct TmlMixingRules {
    TmlMixing restitution, friction, rolling;
} TmlMixingRules;

/* What two materials make; `modulus` is E*. Negative: not known. */
typedef struct TmlMaterialPair {
    double modulus, foundation, restitution;
    double friction_dynamic, friction_static;
    double rolling, spinning;
} TmlMaterialPair;

TmlMaterialPair tml_material_pair(const TmlContactMaterial *a, const TmlContactMaterial *b,
                                  const TmlMixingRules *rules);

double tml_mix(TmlMixing rule, double a, double b); /* (M3); one that is negative is not given */

double tml_contact_modulus(double young_1, double poisson_1, double young_2,
                           double poisson_2); /* (M1) */

/* Names of the rules as models have them, words separated by |. */
#define TML_MIXING_CHOICES "smaller|larger|mean|geometric"

/* Fails with a message that names the property and the value; `name`: of the material. */
TmlStatus tml_material_check(const TmlContactMaterial *m, const char *name, TmlError *err);
