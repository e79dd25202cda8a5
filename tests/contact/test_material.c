/* tests/contact/test_material.c - what two materials make together.
 *
 * Each limit is rounding of a few products and roots.
 */
#include "model/contact/material.h"
#include "test.h"

static const TmlContactMaterial steel = {210e9, 0.3, 4e12, 0.8, 0.2, 0.25, 1e-4, 1e-5};
static const TmlContactMaterial rubber = {5e6, 0.48, 1e9, 0.6, 0.9, 1.1, 4e-3, 4e-4};

TEST(a_pair_follows_the_rules)
{
    const TmlMixingRules rules = {TML_MIX_MEAN, TML_MIX_GEOMETRIC, TML_MIX_LARGER}, usual = {0};
    const TmlMaterialPair p = tml_material_pair(&steel, &rubber, &rules);
    CHECK_NEAR(t, p.modulus, 1.0 / (0.91 / 210e9 + (1 - 0.48 * 0.48) / 5e6), 1e-15 * p.modulus);
    CHECK_NEAR(t, p.foundation, 4e12 * 1e9 / (4e12 + 1e9), 1e-15 * p.foundation);
    CHECK_NEAR(t, p.restitution, 0.7, 1e-15);
    CHECK_NEAR(t, p.friction_dynamic, sqrt(0.2 * 0.9), 1e-15);
    CHECK_NEAR(t, p.friction_static, sqrt(0.25 * 1.1), 1e-15);
    CHECK_NEAR(t, p.rolling, 4e-3, 0.0);
    CHECK_NEAR(t, p.spinning, 4e-4, 0.0);
    // without a word the smaller of both
    const TmlMaterialPair q = tml_material_pair(&steel, &rubber, &usual);
    CHECK_NEAR(t, q.restitution, 0.6, 0.0);
    CHECK_NEAR(t, q.friction_dynamic, 0.2, 0.0);
    CHECK_NEAR(t, q.friction_static, 0.25, 0.0);
    CHECK_NEAR(t, q.rolling, 1e-4, 0.0);
    // steel on steel: the modulus of E* = E / (2 (1 - nu^2))
    const TmlMaterialPair same = tml_material_pair(&steel, &steel, &usual);
    CHECK_NEAR(t, same.modulus, 210e9 / 1.82, 1e-15 * same.modulus);
}

/* Every rule is symmetric, keeps what is equal, and lies between the two. */
TEST(rules_are_means)
{
    for (int k = 0; k < 400; ++k) {
        const TmlMixing rule = (TmlMixing)(k % 4);
        const double a = test_random(t, 0, 1), b = test_random(t, 0, 1), m = tml_mix(rule, a, b);
        CHECK_NEAR(t, tml_mix(rule, b, a), m, 1e-15);
        CHECK_NEAR(t, tml_mix(rule, a, a), a, 1e-15);
        CHECK(t, m >= fmin(a, b) - 1e-15 && m <= fmax(a, b) + 1e-15);
        CHECK_NEAR(t, tml_mix(rule, a, -1.0), a, 0.0);
        CHECK_NEAR(t, tml_mix(rule, -1.0, b), b, 0.0);
        CHECK(t, tml_mix(rule, -1.0, -1.0) < 0.0);
    }
}

TEST(what_one_lacks_is_that_of_the_other)
{
    const TmlContactMaterial none = tml_material_none();
    const TmlMixingRules usual = {0};
    for (int k = 0; k < 2; ++k) {
        const TmlMaterialPair p =
            tml_material_pair(k == 0 ? &steel : &none, k == 0 ? &none : &steel, &usual);
        const TmlMaterialPair same = tml_material_pair(&steel, &steel, &usual);
        CHECK_NEAR(t, p.modulus, same.modulus, 1e-15 * same.modulus);
        CHECK_NEAR(t, p.foundation, steel.foundation, 0.0);
        CHECK_NEAR(t, p.friction_static, 0.25, 0.0);
        CHECK_NEAR(t, p.restitution, 0.8, 0.0);
    }
    const TmlMaterialPair p = tml_material_pair(&none, &none, &usual);
    CHECK(t, p.modulus < 0 && p.foundation < 0 && p.restitution < 0);
    CHECK(t, p.friction_dynamic < 0 && p.friction_static < 0 && p.rolling < 0 && p.spinning < 0);
    // dynamic friction alone holds at rest as well
    TmlContactMaterial dry = none;
    dry.friction_dynamic = 0.5;
    CHECK_NEAR(t, tml_material_pair(&dry, &steel, &usual).friction_static, 0.25, 0.0);
    CHECK_NEAR(t, tml_material_pair(&dry, &dry, &usual).friction_static, 0.5, 0.0);
}

TEST(wrong_properties_are_named)
{
    static const struct {
        TmlContactMaterial m;
        const char *part;
    } wrong[] = {
        {{.young = 0.0, .foundation = -1}, "young must be above 0"},
        {{.young = -1, .foundation = 0.0}, "foundation must be above 0"},
        {{.young = -1, .foundation = -1, .poisson = 1.2},
         "poisson must be between -1 and 1, got 1.2"},
        {{.young = -1, .foundation = -1, .restitution = 1.5}, "restitution must be at most 1"},
        {{.young = -1, .foundation = -1, .friction_dynamic = 0.5, .friction_static = 0.4}, "below"},
        {{.young = -1, .foundation = -1, .friction_dynamic = -1, .friction_static = 0.4}, "needs"},
    };
    TmlError err = {0};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        CHECK(t, tml_material_check(&wrong[k].m, "ice", &err) == TML_E_MODEL);
        CHECK_HAS(t, err.message, wrong[k].part);
        CHECK_HAS(t, err.message, "material 'ice'");
    }
    const TmlContactMaterial none = tml_material_none();
    CHECK_OK(t, tml_material_check(&none, "none", &err), &err);
    CHECK_OK(t, tml_material_check(&steel, "steel", &err), &err);
    CHECK_OK(t, tml_material_check(&rubber, "rubber", &err), &err);
}

TEST_SUITE(contact_material) = {
    CASE(a_pair_follows_the_rules),
    CASE(rules_are_means),
    CASE(what_one_lacks_is_that_of_the_other),
    CASE(wrong_properties_are_named),
    {0},
};
