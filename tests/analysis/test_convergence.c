/* tests/analysis/test_convergence.c - verdicts on made-up sequences of corrections, and the degree
 * of predictions on made-up motions. */
#include "test.h"

#include "analysis/integrator/convergence.h"
#include "analysis/integrator/step_factors.h"
#include "analysis/integrator/step_history.h"

#include <math.h>

static TmlConvergence usual(void)
{
    return (TmlConvergence){
        .share = 1.0, .target = 1e-4, .floor = 1e-12, .noise = 0.3, .rate = 0.1, .slow_after = 3};
}

/* Feeds first, first xi, first xi^2, ... of at most n corrections; how many until a verdict. */
static int feed(TmlConvergence *c, double first, double xi, int n, TmlConvergenceVerdict *verdict)
{
    double size = first;
    *verdict = TML_GO_ON;
    int k = 0;
    while (k < n && *verdict == TML_GO_ON) {
        *verdict = tml_convergence_judge(c, size, n - 1 - k);
        size *= xi;
        ++k;
    }
    return k;
}

/* (C2), (C3): a sequence of rate 0.1 from 1 has xi / (1 - xi) = 1/9 of its last correction left:
 * 1e-4 is reached with 1e-4 / 9 after the fifth, 1e-3 / 9 = 1.1e-4 after the fourth is not enough. */
TEST(a_linear_rate_stops_by_what_is_left)
{
    TmlConvergenceVerdict verdict;
    TmlConvergence c = usual();
    CHECK_INT(t, feed(&c, 1.0, 0.1, 10, &verdict), 5);
    CHECK_INT(t, verdict, TML_CONVERGED);
    // rounding of products of 0.1
    CHECK_NEAR(t, c.rate, 0.1, 1e-12);
    CHECK_NEAR(t, c.worst, 0.1, 1e-12);

    c = usual();
    c.target = 1.2e-4; // now 1.1e-4 is
    CHECK_INT(t, feed(&c, 1.0, 0.1, 10, &verdict), 4);

    c = usual();
    c.measure = TML_NOT_MADE; // 10/9 of the size: 1e-4 is not enough, 1e-5 is
    CHECK_INT(t, feed(&c, 1.0, 0.1, 10, &verdict), 6);

    c = usual();
    c.measure = TML_ERROR_ITSELF;
    c.target = 1.01e-4;
    CHECK_INT(t, feed(&c, 1.0, 0.1, 10, &verdict), 5);

    c = usual();
    c.share = 10.0; // the same as a target of a tenth
    CHECK_INT(t, feed(&c, 1.0, 0.1, 10, &verdict), 6);
}

/* (C1): the first correction is judged by the remembered rate, which counts as 0.3 at least. */
TEST(a_first_correction_is_judged_with_care)
{
    TmlConvergence c = usual();
    c.rate = 1e-6;
    CHECK_INT(t, tml_convergence_judge(&c, 2.4e-4, 9), TML_GO_ON); // times 3/7 it is 1.03e-4
    c = usual();
    c.rate = 1e-6;
    CHECK_INT(t, tml_convergence_judge(&c, 2.3e-4, 9), TML_CONVERGED);
    c = usual();
    c.rate = 0.5; // a worse one counts as it is
    CHECK_INT(t, tml_convergence_judge(&c, 2.3e-4, 9), TML_GO_ON);
}

/* (C1): the geometric mean, so that one lucky ratio does not end the iteration. */
TEST(a_rate_is_remembered)
{
    TmlConvergence c = usual();
    tml_convergence_judge(&c, 1.0, 9);
    tml_convergence_judge(&c, 0.5, 8);
    CHECK_NEAR(t, c.rate, 0.5, 1e-15); // rounding
    tml_convergence_judge(&c, 0.01, 7);
    CHECK_NEAR(t, c.rate, sqrt(0.5 * 0.02), 1e-15); // rounding of a root
}

/* (C3): rounding ends an iteration, the usual kind and the large kind, the latter only where it may
 * and only when corrections no longer shrink. */
TEST(rounding_is_convergence)
{
    TmlConvergence c = usual();
    c.target = 1e-15;
    CHECK_INT(t, tml_convergence_judge(&c, 1e-12, 9), TML_CONVERGED);

    c = usual();
    tml_convergence_judge(&c, 0.29, 9);
    CHECK_INT(t, tml_convergence_judge(&c, 0.28, 8), TML_CONVERGED);
    c = usual();
    c.noise = 0.0;
    tml_convergence_judge(&c, 0.29, 9);
    CHECK_INT(t, tml_convergence_judge(&c, 0.28, 8), TML_STALLED);
    c = usual();
    c.share = 2.0; // 0.56 of the tolerance is no rounding
    tml_convergence_judge(&c, 0.29, 9);
    CHECK_INT(t, tml_convergence_judge(&c, 0.28, 8), TML_STALLED);
    c = usual();
    c.target = 1e-9;
    tml_convergence_judge(&c, 0.29, 9);
    CHECK_INT(t, tml_convergence_judge(&c, 0.25, 8), TML_GO_ON); // 0.86 shrinks
}

/* (C4): a second correction that does not shrink ends it, or the third where that is asked for;
 * growth above two ends it at once. */
TEST(what_does_not_shrink_is_stalled)
{
    TmlConvergence c = usual();
    tml_convergence_judge(&c, 10.0, 9);
    CHECK_INT(t, tml_convergence_judge(&c, 9.1, 8), TML_STALLED);
    c = usual();
    c.stall_after = 3;
    tml_convergence_judge(&c, 10.0, 9);
    CHECK_INT(t, tml_convergence_judge(&c, 9.1, 8), TML_GO_ON);
    CHECK_INT(t, tml_convergence_judge(&c, 9.0, 7), TML_STALLED);
    c = usual();
    c.stall_after = 3;
    tml_convergence_judge(&c, 10.0, 9);
    CHECK_INT(t, tml_convergence_judge(&c, 20.1, 8), TML_STALLED);
}

/* (C5): 10 corrections of rate 0.5 leave 2^-9 of 10, more than 1e-4: told at the third; 20 are enough. A
 * stop by the ratio alone, and none below the noise. */
TEST(what_will_not_arrive_is_slow)
{
    TmlConvergenceVerdict verdict;
    TmlConvergence c = usual();
    CHECK_INT(t, feed(&c, 10.0, 0.5, 10, &verdict), 3);
    CHECK_INT(t, verdict, TML_SLOW);
    c = usual();
    feed(&c, 1.0, 0.5, 20, &verdict);
    CHECK_INT(t, verdict, TML_CONVERGED);
    c = usual();
    c.slow_after = TML_NEVER;
    CHECK_INT(t, feed(&c, 1.0, 0.5, 10, &verdict), 10);
    CHECK_INT(t, verdict, TML_GO_ON);
    c = usual();
    c.slow_after = TML_NEVER;
    c.slowest = 0.45;
    CHECK_INT(t, feed(&c, 1.0, 0.5, 10, &verdict), 2);
    CHECK_INT(t, verdict, TML_SLOW);
    c = usual();
    CHECK_INT(t, feed(&c, 0.2, 0.5, 5, &verdict), 5); // all are below the noise
    CHECK_INT(t, verdict, TML_GO_ON);
}

/* New factors: what is known of the rate and of stalling counts no more. */
TEST(new_factors_start_afresh)
{
    TmlConvergence c = usual();
    tml_convergence_judge(&c, 10.0, 9);
    tml_convergence_again(&c, 0.1);
    CHECK_INT(t, tml_convergence_judge(&c, 11.0, 8), TML_GO_ON);
    CHECK_NEAR(t, c.rate, 0.1, 0.0);
}

/* --- kept factors -------------------------------------------------------------------------- */

/* Factors of a stiff model serve while a change of c_q slows the iteration to 0.2 at most; when three
 * steps have taken a correction more for it, to 0.05. Those of a model that is not stiff serve until c_q
 * is four times, or a quarter. */
TEST(factors_are_kept_while_they_pay)
{
    TmlStepFactors f = {.cq = 1.0};
    CHECK(t, !tml_step_factors_far(&f, 3.9) && !tml_step_factors_far(&f, 0.26));
    CHECK(t, tml_step_factors_far(&f, 4.1) && tml_step_factors_far(&f, 0.24));
    tml_step_factors_judge(&f, 1.04, 0.03); // too near to tell
    CHECK(t, !tml_step_factors_far(&f, 3.9));
    tml_step_factors_judge(&f, 1.1, 0.1); // as slow as c_q has changed: stiff
    CHECK(t, !tml_step_factors_far(&f, 1.19) && tml_step_factors_far(&f, 1.21));
    CHECK(t, !tml_step_factors_far(&f, 0.81) && tml_step_factors_far(&f, 0.79));
    tml_step_factors_judge(&f, 1.1, 0.1);
    CHECK(t, !tml_step_factors_far(&f, 1.19));
    tml_step_factors_judge(&f, 1.1, 0.1); // the third time
    CHECK(t, tml_step_factors_far(&f, 1.06) && !tml_step_factors_far(&f, 1.04));
    tml_step_factors_renewed(&f, NULL, 1.1);
    CHECK(t, !tml_step_factors_far(&f, 1.3)); // counts anew
    f.cq = 0.0;
    CHECK(t, tml_step_factors_far(&f, 1.0)); // there are none
}

/* --- history ------------------------------------------------------------------------------- */

/* A motion x = time^degree, from n steps of uneven length; the prediction of the next point by the
 * history, and the degree that it takes. */
static double predicted(TestCtx *t, int degree, int n, int *taken)
{
    TmlArena arena = {0};
    TmlHistory h = {0};
    TmlError err;
    double time = 1.0, weight[TML_HISTORY], sum = 0.0;
    CHECK_OK(t, tml_history_setup(&h, &arena, 2, 1, 1, 3, &err), &err);
    tml_history_restart(&h, time);
    h.past[0][1] = pow(time, degree);
    for (int k = 0; k < n; ++k) {
        time += k % 2 == 0 ? 0.1 : 0.17;
        const double x = pow(time, degree);
        tml_history_accept(&h, time, &x)[1] = x;
    }
    *taken = tml_history_predict(&h, time + 0.2, weight);
    for (int i = 0; i <= *taken; ++i) {
        sum += weight[i] * h.past[i][1];
    }
    tml_arena_free(&arena);
    return sum - pow(time + 0.2, degree);
}

/* (Y1): polynomials up to the third degree are met once their degree is the best, and the lowest
 * degree that is exact is as good as any. Limit: roundings of sums of size 30. */
TEST(predictions_meet_polynomials)
{
    for (int degree = 0; degree <= 3; ++degree) {
        int taken;
        CHECK_NEAR(t, predicted(t, degree, 12, &taken), 0.0, 1e-12);
        CHECK(t, taken >= degree);
    }
}

/* (Y2): degrees rise one by one after a restart, and fall with rejections. */
TEST(degrees_rise_one_by_one)
{
    for (int n = 0; n <= 3; ++n) {
        int taken;
        predicted(t, 3, n, &taken);
        CHECK(t, taken <= n);
    }
    TmlArena arena = {0};
    TmlHistory h = {0};
    TmlError err;
    double weight[TML_HISTORY];
    CHECK_OK(t, tml_history_setup(&h, &arena, 1, 0, 1, 3, &err), &err);
    tml_history_restart(&h, 0.0);
    h.past[0][0] = 0.0;
    for (int k = 1; k < 10; ++k) {
        const double x = (double)k * k * k;
        tml_history_accept(&h, k, &x)[0] = x;
    }
    CHECK_INT(t, tml_history_predict(&h, 10.0, weight), 3);
    tml_history_reject(&h);
    CHECK_INT(t, tml_history_predict(&h, 10.0, weight), 2);
    for (int k = 0; k < 5; ++k) {
        tml_history_reject(&h);
    }
    CHECK_INT(t, tml_history_predict(&h, 10.0, weight), 0);
    tml_arena_free(&arena);
}

TEST_SUITE(convergence_rules) = {CASE(a_linear_rate_stops_by_what_is_left),
                                 CASE(a_first_correction_is_judged_with_care),
                                 CASE(a_rate_is_remembered),
                                 CASE(rounding_is_convergence),
                                 CASE(what_does_not_shrink_is_stalled),
                                 CASE(what_will_not_arrive_is_slow),
                                 CASE(new_factors_start_afresh),
                                 CASE(factors_are_kept_while_they_pay),
                                 CASE(predictions_meet_polynomials),
                                 CASE(degrees_rise_one_by_one),
                                 {0}};
