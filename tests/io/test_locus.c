/* tests/io/test_locus.c - eigenvalues over a parameter: branches, crossings, files, what is refused. */
#include "trammel/trammel.h"

#include "test.h"

#include <math.h>
#include <string.h>

/* Along x the damping vanishes at p = 1 (flutter with 3 rad/s), along y the stiffness at p = 2 (divergence; the pair becomes real at
 * p = sqrt(7) / 2); z stays stable. */
static const char model_text[] = "trammel: 1\n"
                                 "title: crossings\n"
                                 "parameters: {p: 0, q: 1}\n"
                                 "bodies: {m: {type: point, mass: 1}}\n"
                                 "forces:\n"
                                 "  f: {type: force, body: m, fx: -9*DX(m) - (q - p)*VX(m), "
                                 "fy: -(4 - p^2)*DY(m) - 3*VY(m), fz: -DZ(m) - VZ(m)}\n";

static TmlModel *load(TestCtx *t, const char *text)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "locus.yaml", 0, NULL, NULL, &m, &err), &err);
    return m;
}

TEST(crossings_are_found_to_digits)
{
    TmlModel *m = load(t, model_text);
    TmlLocusOptions o = tml_locus_options_default();
    TmlLocus *w = NULL;
    TmlError err = {0};
    o.parameter = "p";
    o.to = 2.7;
    // 28 values step on 1 and on 2, 4 and 2 are so coarse that both crossings lie in one interval
    static const int points[] = {28, 4, 2};
    for (int k = 0; k < 3 && m != NULL; ++k) {
        o.points = points[k];
        CHECK_OK(t, tml_locus(m, &o, &w, &err), &err);
        if (w == NULL) {
            break;
        }
        CHECK_INT(t, tml_locus_crossings(w), 2);
        const TmlCrossing flutter = tml_locus_crossing(w, 0), divergence = tml_locus_crossing(w, 1);
        CHECK_NEAR(t, flutter.value, 1.0, 1e-10); // stops at 1e-11 of the range
        CHECK_NEAR(t, flutter.frequency, 3.0 / (2.0 * M_PI), 1e-10);
        CHECK_NEAR(t, flutter.slope, 0.5, 0.2); // chord of -(1 - p) / 2
        CHECK_NEAR(t, divergence.value, 2.0, 1e-10);
        CHECK_NEAR(t, divergence.frequency, 0.0, 0.0);
        CHECK(t, flutter.unstable && divergence.unstable);
        const int last = tml_locus_points(w) - 1;
        CHECK_INT(t, tml_locus_unstable(w, 0), 0);
        CHECK_INT(t, tml_locus_unstable(w, last), 3);
        CHECK(t, last + 1 >= points[k]);
        CHECK(t, tml_locus_least(w, last) >= 0);
        tml_locus_free(w);
        w = NULL;
    }
    tml_model_free(m);
}

/* Backwards the motions become stable; with q = 1.5 the flutter is elsewhere; a branch goes on as itself. */
TEST(branches_are_followed)
{
    TmlModel *m = load(t, model_text), *other = NULL;
    TmlLocusOptions o = tml_locus_options_default();
    TmlLocus *w = NULL;
    TmlError err = {0};
    const char *const name = "q";
    const double q = 1.5;
    CHECK_OK(t, tml_model_with(m, 1, &name, &q, &other, &err), &err);
    o.parameter = "p";
    o.from = 1.9;
    o.points = 20;
    CHECK_OK(t, tml_locus(other, &o, &w, &err), &err);
    if (w != NULL) {
        CHECK_INT(t, tml_locus_crossings(w), 1);
        CHECK_NEAR(t, tml_locus_crossing(w, 0).value, 1.5, 1e-10); // as above
        CHECK(t, !tml_locus_crossing(w, 0).unstable);
        // the branch that crosses is that of x: -(1.5 - p) / 2 everywhere
        const int branch = tml_locus_crossing(w, 0).branch;
        int seen = 0;
        for (int k = 0; k < tml_locus_points(w); ++k) {
            for (int i = 0; i < tml_locus_modes(w, k); ++i) {
                if (tml_locus_branch(w, k, i) == branch) {
                    // rounding of LAPACK
                    CHECK_NEAR(t, tml_locus_mode(w, k, i).real, 0.5 * (tml_locus_value(w, k) - 1.5),
                               1e-12);
                    ++seen;
                }
            }
        }
        CHECK_INT(t, seen, tml_locus_points(w));
    }
    tml_locus_free(w);
    tml_model_free(other);
    tml_model_free(m);
}

static bool stop(void *user)
{
    return --*(int *)user >= 0;
}

TEST(bad_options_are_refused)
{
    TmlModel *m = load(t, model_text);
    TmlLocusOptions o = tml_locus_options_default();
    TmlLocus *w = NULL;
    TmlError err = {0};
    CHECK(t, tml_locus(m, &o, &w, &err) == TML_E_ARGUMENT && w == NULL);
    o.parameter = "speed";
    o.to = 1.0;
    CHECK(t, tml_locus(m, &o, &w, &err) != TML_OK && w == NULL);
    CHECK_HAS(t, err.message, "speed");
    o.parameter = "p";
    o.points = 1;
    CHECK(t, tml_locus(m, &o, &w, &err) == TML_E_ARGUMENT && w == NULL);
    CHECK_HAS(t, err.message, "from 2 to");
    o.points = 10;
    o.to = o.from;
    CHECK(t, tml_locus(m, &o, &w, &err) == TML_E_ARGUMENT && w == NULL);
    int left = 3;
    o.to = 1.0;
    o.user = &left;
    o.go_on = stop;
    CHECK(t, tml_locus(m, &o, &w, &err) == TML_E_CANCELLED && w == NULL);
    CHECK_HAS(t, err.message, "p = 0.333");
    tml_model_free(m);
}

TEST(a_value_that_cannot_be_is_named)
{
    TmlModel *m = load(t, "trammel: 1\nparameters: {m: 1}\nbodies: {b: {type: point, mass: m}}\n");
    TmlLocusOptions o = tml_locus_options_default();
    TmlLocus *w = NULL;
    TmlError err = {0};
    o.parameter = "m";
    o.from = 1.0;
    o.to = -1.0;
    o.points = 5;
    CHECK(t, tml_locus(m, &o, &w, &err) != TML_OK && w == NULL);
    CHECK_HAS(t, err.message, "at m = 0: ");
    tml_model_free(m);
}

TEST_SUITE(io_locus) = {CASE(crossings_are_found_to_digits),
                        CASE(branches_are_followed),
                        CASE(bad_options_are_refused),
                        CASE(a_value_that_cannot_be_is_named),
                        {0}};
