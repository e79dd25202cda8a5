/* tests/system/test_renewal.c - when the kept factors of a closure are renewed: the rules on made-up
 * sequences of corrections, and what they save on a mechanism.
 */
#include "analysis/study.h"

#include "system/coordinates/partition.h"
#include "system/coordinates/renewal.h"
#include "system/system_internal.h"

static const double rounding = 1e-15;

/* Corrections that shrink by this factor each, from 1e-3 on: the verdict on the last of them, and
 * how many there were. */
static TmlRenewalVerdict shrink_by(TmlRenewal *r, double factor)
{
    double size = 1e-3;
    TmlRenewalVerdict verdict = tml_renewal_judge(r, size);
    while (verdict == TML_CLOSURE_GOES_ON) {
        verdict = tml_renewal_judge(r, size *= factor);
    }
    return verdict;
}

/* (N1), (N2): on both sides of 0.3. With a factor f the next correction is below 1e-15 after k
 * where 1e-3 f^(k+1) <= 1e-15. */
TEST(slow_closures_get_new_factors)
{
    TmlRenewal r = {.floor = rounding};
    CHECK_INT(t, shrink_by(&r, 0.099), TML_CLOSURE_DONE);
    CHECK_INT(t, r.n, 12);
    CHECK_INT(t, r.renewals, 0);
    r = (TmlRenewal){.floor = rounding};
    CHECK_INT(t, shrink_by(&r, 0.29), TML_CLOSURE_DONE);
    CHECK_INT(t, r.n, 23);
    r = (TmlRenewal){.floor = rounding};
    CHECK_INT(t, shrink_by(&r, 0.31), TML_CLOSURE_RENEWS);
    CHECK_INT(t, r.n, 2);
    CHECK_INT(t, r.renewals, 1);
}

/* (N2): four sets of factors, the one that the closure began with among them. */
TEST(factors_that_do_not_help_end_it)
{
    TmlRenewal r = {.floor = rounding, .renewals = 1};
    CHECK_INT(t, tml_renewal_judge(&r, 1e-3), TML_CLOSURE_GOES_ON);
    for (int k = 0; k < 3; ++k) {
        CHECK_INT(t, tml_renewal_judge(&r, 1e-3), TML_CLOSURE_RENEWS);
    }
    CHECK_INT(t, tml_renewal_judge(&r, 1e-3), TML_CLOSURE_FAILED);
}

/* (N3): what does not shrink below 1e-11 is rounding, above it is not; what shrinks goes on. */
TEST(rounding_of_a_bad_position_closes)
{
    TmlRenewal r = {.floor = rounding, .n = 3, .last = 4.5e-11};
    CHECK_INT(t, tml_renewal_judge(&r, 4.4e-11), TML_CLOSURE_DONE); // floor / eps is 4.5
    r = (TmlRenewal){.floor = rounding, .n = 3, .last = 4.7e-11};
    CHECK_INT(t, tml_renewal_judge(&r, 4.6e-11), TML_CLOSURE_RENEWS);
    r = (TmlRenewal){.floor = rounding, .n = 3, .last = 4e-11};
    CHECK_INT(t, tml_renewal_judge(&r, 1.9e-11), TML_CLOSURE_RENEWS);
}

/* (N4): on both sides of a fiftieth, in the unit of the coordinate. */
TEST(far_positions)
{
    CHECK(t, !tml_renewal_is_far(-0.0399, 2.0));
    CHECK(t, tml_renewal_is_far(-0.0401, 2.0));
}

/* The four-bar goes once around in 800 closures of 0.0079 rad. A closure takes two corrections at
 * least, of which the second tells that there is no other; factors not older than 0.02 of an Euler
 * parameter (0.04 rad and a closure more) gain a factor of 20 with each, so that nine digits, from
 * the square of 0.0079 to 1e-13, take seven at most. Euler parameters of the crank change by 0.0028
 * to 0.0039 a closure, so that factors live 6 to 8 closures: 100 to 133 of them, and some more
 * where another body is faster. */
TEST(around_a_four_bar)
{
    enum { CLOSURES = 800 };
    TmlModel *model = study_model(t, "models/studies/four_bar.yaml");
    const TmlSimOptions o = study_options(1.0, 1.0, NULL);
    TmlSim *sim = study_sim(t, model, &o);
    TmlSystem *sys = sim->sys;
    TmlState *s = &sim->it.now;
    TmlPartition *p = NULL;
    TmlError err = {0};
    double *du = calloc((size_t)sys->dim.nu, sizeof *du);
    double *dq = calloc((size_t)sys->dim.nq, sizeof *dq);
    CHECK_OK(t, tml_partition_create(sys, &p, &err), &err);
    CHECK_OK(t, tml_partition_choose(p, s, &err), &err);
    for (int k = 0; k < CLOSURES; ++k) {
        if (tml_partition_worn(p)) {
            CHECK_OK(t, tml_partition_choose(p, s, &err), &err);
        }
        memset(du, 0, (size_t)sys->dim.nu * sizeof *du);
        du[5] = 2.0 * M_PI / CLOSURES; // of the crank, whichever is independent
        tml_system_expand(sys, s->q, du, dq);
        for (int i = 0; i < sys->dim.nq; ++i) {
            s->q[i] += dq[i];
        }
        tml_system_retract(sys, s->q);
        CHECK(t, tml_partition_close_positions(p, s));
    }
    const TmlClosureWork work = tml_partition_work(p);
    CHECK(t, work.corrections >= 2 * CLOSURES && work.corrections <= 7 * CLOSURES);
    CHECK(t, work.renewals >= 100 && work.renewals <= 200);
    free(du);
    free(dq);
    tml_partition_free(p);
    tml_sim_free(sim);
    tml_model_free(model);
}

TEST_SUITE(renewal) = {CASE(slow_closures_get_new_factors),
                       CASE(factors_that_do_not_help_end_it),
                       CASE(rounding_of_a_bad_position_closes),
                       CASE(far_positions),
                       CASE(around_a_four_bar),
                       {0}};
