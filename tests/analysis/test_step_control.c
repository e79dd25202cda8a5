/* tests/analysis/test_step_control.c - the step law and its rules on made-up sequences of tries. */
#include "test.h"

#include "analysis/driver/sim_internal.h"

#include <math.h>

/* What rounding can be, and how often that was asked. */
typedef struct Rounding {
    double bound;
    int asked;
} Rounding;

static double rounding_of(void *user)
{
    Rounding *r = user;
    r->asked++;
    return r->bound;
}

static TmlStepControl control(Rounding *r)
{
    TmlStepControl c = {.h = 0.1, .h_min = 1e-12, .h_max = 1.0, .rounding = rounding_of, .user = r};
    tml_step_forget(&c);
    return c;
}

static TmlAttempt with_error(double error, int order)
{
    return (TmlAttempt){.converged = true, .error = error, .order = order, .worst = -1};
}

static const TmlAttempt no_convergence = {.cause = TML_CAUSE_NEWTON, .order = 2, .worst = -1};

/* (D1) by hand: h (6 e)^(-1/(p+1)), for several orders; the limits of growth and cut. */
TEST(sizes_follow_the_law)
{
    static const struct {
        double error;
        int order;
        double factor;
    } of[] = {
        {1.0 / 6.0 / 1.331, 2, 1.0},       // 1.1 is not worth a change
        {1.0 / 6.0 / 3.375, 2, 1.5},       // 1.5^3
        {1.0 / 6.0 / 0.125 / 8.0, 2, 1.0}, // exactly the aim
        {1.0 / 6.0 * 1.728, 2, 1.0 / 1.2}, // a little above it
        {1.0 / 6.0 / 16.0, 3, 2.0},        // 2^4, the most
        {1.0 / 6.0 / 7.59375, 4, 1.5},     // 1.5^5
        {1e-9, 2, 2.0},                    // no more than doubled
    };
    Rounding r = {0};
    for (size_t k = 0; k < sizeof of / sizeof of[0]; ++k) {
        TmlStepControl c = control(&r);
        const TmlAttempt a = with_error(of[k].error, of[k].order);
        CHECK_INT(t, tml_step_judge(&c, 0.1, &a), TML_STEP_TAKEN);
        tml_step_taken(&c, 0.1, 0.1, &a, TML_STEP_TAKEN);
        CHECK_NEAR(t, c.h, 0.1 * of[k].factor, 1e-12); // roundings of a power
    }
    CHECK_INT(t, r.asked, 0); // an ordinary step costs no factors
}

/* Sizes near 0.1 after a root and some products, up to rounding. */
static const double ROUNDING = 1e-15;

/* (D8): what a method knows to be rounding of its own estimate is taken, and the step keeps its
 * size; what is above it is an error. */
TEST(rounding_of_the_estimate_is_taken)
{
    Rounding r = {0};
    TmlStepControl c = control(&r);
    TmlAttempt a = with_error(3.0, 5);
    a.rounding = 2.9;
    CHECK_INT(t, tml_step_judge(&c, 0.1, &a), TML_STEP_REJECTED);
    tml_step_begin(&c);
    a.rounding = 3.1;
    a.proposal = 0.1;
    CHECK_INT(t, tml_step_judge(&c, 0.1, &a), TML_STEP_ROUNDED);
    tml_step_taken(&c, 0.1, 0.1, &a, TML_STEP_ROUNDED);
    CHECK_NEAR(t, c.h, 0.1, 0.0); // the same number
}

/* A rejected step is cut by the law, to a fifth at most, and the next one does not grow. */
TEST(rejected_steps_are_cut)
{
    Rounding r = {0};
    TmlStepControl c = control(&r);
    TmlAttempt a = with_error(8.0 / 6.0, 2);
    CHECK_INT(t, tml_step_judge(&c, 0.1, &a), TML_STEP_REJECTED);
    CHECK(t, !tml_step_rejected(&c, 0.1, &a));
    CHECK_NEAR(t, c.h, 0.05, ROUNDING);
    a = with_error(1e6, 2);
    CHECK_INT(t, tml_step_judge(&c, 0.05, &a), TML_STEP_REJECTED);
    (void)tml_step_rejected(&c, 0.05, &a);
    CHECK_NEAR(t, c.h, 0.01, ROUNDING);
    a = with_error(1e-6, 2);
    CHECK_INT(t, tml_step_judge(&c, 0.01, &a), TML_STEP_TAKEN);
    tml_step_taken(&c, 0.01, 0.01, &a, TML_STEP_TAKEN);
    CHECK_NEAR(t, c.h, 0.01, ROUNDING);
    tml_step_begin(&c); // the step after that may
    tml_step_taken(&c, 0.01, 0.01, &a, TML_STEP_TAKEN);
    CHECK_NEAR(t, c.h, 0.02, ROUNDING);
}

/* A break or event that shortened a step says nothing against the size that was wanted; a limit of
 * the method holds. */
TEST(shortened_steps_keep_their_size)
{
    Rounding r = {0};
    TmlStepControl c = control(&r);
    TmlAttempt a = with_error(1e-6, 2);
    tml_step_taken(&c, 0.001, 0.1, &a, TML_STEP_TAKEN);
    CHECK_NEAR(t, c.h, 0.1, ROUNDING);
    a.limit = 0.03;
    tml_step_taken(&c, 0.001, 0.1, &a, TML_STEP_TAKEN);
    CHECK_NEAR(t, c.h, 0.03, ROUNDING);
}

/* An onset of contact: the error grows while the step shrinks. Nothing above the tolerance is
 * taken, however long that lasts, when rounding is not the reason. */
TEST(errors_that_do_not_fall_are_no_rounding)
{
    Rounding r = {.bound = 0.99};
    TmlStepControl c = control(&r);
    double h = c.h;
    for (int k = 0; k < 12; ++k) {
        const TmlAttempt a = with_error(6.1e5 * pow(1.1, k), 4);
        CHECK_INT(t, tml_step_judge(&c, h, &a), TML_STEP_REJECTED);
        (void)tml_step_rejected(&c, h, &a);
        CHECK_NEAR(t, c.h, 0.2 * h, 1e-14);
        h = c.h;
    }
    CHECK_INT(t, r.asked, 1);
}

/* The same errors below the bound are: small ones are taken at once, and the size goes back to
 * where the shortening began. */
TEST(small_rounding_is_taken)
{
    Rounding r = {.bound = 50.0};
    TmlStepControl c = control(&r);
    TmlAttempt a = with_error(4.0, 2);
    CHECK_INT(t, tml_step_judge(&c, 0.1, &a), TML_STEP_REJECTED); // the first may be truncation
    (void)tml_step_rejected(&c, 0.1, &a);
    const double h = c.h;
    CHECK(t, h < 0.05);
    a.error = 3.9;
    CHECK_INT(t, tml_step_judge(&c, h, &a), TML_STEP_ROUNDED);
    tml_step_taken(&c, h, h, &a, TML_STEP_ROUNDED);
    CHECK_NEAR(t, c.h, 0.1, 1e-14);
}

/* An error that has fallen, or is of another order, is not rounding either. */
TEST(errors_that_fall_are_truncation)
{
    Rounding r = {.bound = 50.0};
    for (int k = 0; k < 2; ++k) {
        TmlStepControl c = control(&r);
        TmlAttempt a = with_error(4.0, 2);
        (void)tml_step_judge(&c, 0.1, &a);
        (void)tml_step_rejected(&c, 0.1, &a);
        a = k == 0 ? with_error(2.0, 2) : with_error(3.9, 1);
        CHECK_INT(t, tml_step_judge(&c, c.h, &a), TML_STEP_REJECTED);
    }
}

/* A large one is tried at sizes on both sides, and the best of all is repeated and taken. */
TEST(large_rounding_is_tried_on_both_sides)
{
    static const double factor[] = {0.7, 1.4, 0.5, 1.75}, error[] = {700.0, 80.0, 900.0, 600.0};
    Rounding r = {.bound = 1e4};
    TmlStepControl c = control(&r);
    TmlAttempt a = with_error(500.0, 2);
    CHECK_INT(t, tml_step_judge(&c, 0.1, &a), TML_STEP_REJECTED);
    (void)tml_step_rejected(&c, 0.1, &a);
    a.error = 2000.0;
    CHECK_INT(t, tml_step_judge(&c, c.h, &a), TML_STEP_REJECTED);
    (void)tml_step_rejected(&c, c.h, &a);
    for (int k = 0; k < 4; ++k) {
        CHECK_NEAR(t, c.h, factor[k] * 0.1, ROUNDING);
        a.error = error[k];
        CHECK_INT(t, tml_step_judge(&c, c.h, &a), TML_STEP_REJECTED);
        (void)tml_step_rejected(&c, c.h, &a);
    }
    CHECK_NEAR(t, c.h, 0.14, ROUNDING);
    a.error = 80.0;
    CHECK_INT(t, tml_step_judge(&c, c.h, &a), TML_STEP_ROUNDED);
}

/* The best is not taken when it is above the bound: then only shorter steps are left, and they come
 * to an end. */
TEST(the_best_must_be_rounding_too)
{
    Rounding r = {.bound = 1000.0};
    TmlStepControl c = control(&r);
    TmlAttempt a = with_error(900.0, 2);
    int tries = 0;
    for (; c.h > c.h_min && tries < 100; ++tries) {
        const double h = c.h;
        CHECK_INT(t, tml_step_judge(&c, h, &a), TML_STEP_REJECTED);
        (void)tml_step_rejected(&c, h, &a);
        a.error = tries == 0 ? 950.0 : 1001.0;
    }
    CHECK(t, tries < 40); // six of the search, then fifths: 1e-11 in 16 tries
}

/* (D3): a failed iteration cuts and never goes back; after eight the method starts afresh, once. */
TEST(failed_iterations_cut)
{
    Rounding r = {.bound = 0.05};
    TmlStepControl c = control(&r);
    for (int k = 1; k <= 12; ++k) {
        const double h = c.h;
        CHECK_INT(t, tml_step_judge(&c, h, &no_convergence), TML_STEP_REJECTED);
        CHECK_INT(t, tml_step_rejected(&c, h, &no_convergence), k == 8);
        CHECK_NEAR(t, c.h, 0.4 * h, ROUNDING);
    }
    const double h = c.h;
    const TmlAttempt a = with_error(1e-6, 2);
    tml_step_taken(&c, h, h, &a, TML_STEP_TAKEN);
    CHECK_NEAR(t, c.h, h, 0.0); // neither a leap nor growth after a rejection
    CHECK_INT(t, c.n_failed, 12);
    CHECK_INT(t, r.asked, 1);
}

/* (D5): near a singular position sizes on both sides, and the failed one again after a success. */
TEST(singular_positions_are_leapt_over)
{
    static const double factor[] = {0.7, 1.4, 0.5, 1.75, 0.2, 0.08};
    Rounding r = {.bound = 0.2};
    TmlStepControl c = control(&r);
    for (int k = 0; k < 6; ++k) {
        (void)tml_step_rejected(&c, c.h, &no_convergence);
        CHECK_NEAR(t, c.h, factor[k] * 0.1, ROUNDING);
    }
    const TmlAttempt a = with_error(1e-6, 2);
    tml_step_taken(&c, 0.008, 0.008, &a, TML_STEP_TAKEN);
    CHECK_NEAR(t, c.h, 0.1, ROUNDING);
    for (int k = 1; k < 8; ++k) { // not for ever
        tml_step_begin(&c);
        (void)tml_step_rejected(&c, 0.1, &no_convergence);
        tml_step_taken(&c, 0.008, 0.008, &a, TML_STEP_TAKEN);
        CHECK_NEAR(t, c.h, k < 6 ? 0.1 : 0.008, ROUNDING);
    }
}

static double no_weakness(void *user)
{
    (void)user;
    return 1e-3; // of constraints that hold
}

/* A bound that is large because bodies are far from the origin is no singular position: sizes fall, and none that failed comes
 * back. A ball that begins to roll at a tolerance of 1e-11 lost 91 of 168 tries by it. */
TEST(far_from_the_origin_is_not_singular)
{
    Rounding r = {.bound = 0.2};
    TmlStepControl c = control(&r);
    double h = c.h;
    c.weakness = no_weakness;
    for (int k = 0; k < 4; ++k) {
        (void)tml_step_rejected(&c, c.h, &no_convergence);
        CHECK_NEAR(t, c.h, 0.4 * h, ROUNDING);
        h = c.h;
    }
    const TmlAttempt a = with_error(1e-6, 2);
    tml_step_taken(&c, h, h, &a, TML_STEP_TAKEN);
    CHECK_NEAR(t, c.h, h, ROUNDING); // after a rejection a step does not grow
}

/* A method that knows what its iteration bears is believed, four times. */
TEST(limits_of_a_method_are_believed)
{
    Rounding r = {0};
    TmlStepControl c = control(&r);
    TmlAttempt a = no_convergence;
    for (int k = 1; k <= 4; ++k) {
        a.limit = 0.09 / k;
        (void)tml_step_rejected(&c, c.h, &a);
        CHECK_NEAR(t, c.h, a.limit, ROUNDING);
    }
    const double h = c.h;
    (void)tml_step_rejected(&c, h, &a);
    CHECK_NEAR(t, c.h, 0.4 * h, ROUNDING);
}

/* Steps of a hundredth of the usual for fifty steps: near a singular position the method starts
 * afresh with half of the usual; elsewhere, in a stiff contact, never, and that is asked seldom. */
TEST(collapsed_steps_recover_near_singular_positions_only)
{
    for (int near = 0; near < 2; ++near) {
        Rounding r = {.bound = near ? 1.0 : 0.05};
        TmlStepControl c = control(&r);
        double h = 0.0, usual = 0.0;
        int recovered = 0;
        CHECK(t, !tml_step_collapsed(&c, &h));
        c.h = 1e-6;
        for (int k = 0; k < 120; ++k) {
            tml_step_begin(&c);
            const bool now = tml_step_collapsed(&c, &h);
            recovered += now;
            usual = recovered == 1 && now ? h : usual;
        }
        CHECK_INT(t, recovered, near ? 2 : 0);
        CHECK_INT(t, r.asked, 2);
        if (near) {
            CHECK_NEAR(t, usual, 0.5 * 0.1 * pow(0.97, 49), ROUNDING); // forgets 3 % a step
        }
    }
}

/* (D6) */
TEST(steps_that_shrink_in_vain_grow_where_rounding_rules)
{
    for (int rounds = 0; rounds < 2; ++rounds) {
        Rounding r = {.bound = rounds ? 0.9 : 0.5};
        TmlStepControl c = control(&r);
        const TmlAttempt a = with_error(0.8, 2);
        tml_step_taken(&c, 0.1, 0.1, &a, TML_STEP_TAKEN);
        tml_step_begin(&c);
        tml_step_taken(&c, 0.05, 0.05, &a, TML_STEP_TAKEN);
        CHECK_NEAR(t, c.h, rounds ? 0.1 : 0.05 * pow(4.8, -1.0 / 3.0), ROUNDING);
    }
}

/* Points before a jump only stand in the way: one restart when the step has shrunk by 1e4. */
TEST(a_method_starts_afresh_at_a_jump)
{
    Rounding r = {0};
    TmlStepControl c = control(&r);
    int restarts = 0;
    double at = 0.0;
    for (int k = 0; k < 10; ++k) {
        const double h = c.h;
        const TmlAttempt a = with_error(1e5, 2);
        (void)tml_step_judge(&c, h, &a);
        const bool now = tml_step_rejected(&c, h, &a);
        restarts += now;
        at = now ? c.h : at;
    }
    CHECK_INT(t, restarts, 1);
    CHECK_NEAR(t, at, 0.1 * pow(0.2, 6), ROUNDING);
}

/* Fixed steps are taken whatever their error is, and keep their size. */
TEST(fixed_steps_stay)
{
    Rounding r = {0};
    TmlStepControl c = control(&r);
    c.fixed = 0.1;
    const TmlAttempt a = with_error(1e9, 2);
    CHECK_INT(t, tml_step_judge(&c, 0.03, &a), TML_STEP_TAKEN);
    tml_step_taken(&c, 0.03, 0.1, &a, TML_STEP_TAKEN);
    CHECK_NEAR(t, c.h, 0.1, 0.0);
    CHECK_INT(t, tml_step_judge(&c, 0.1, &no_convergence), TML_STEP_REJECTED);
}

/* --- the balance of energies ------------------------------------------------------------------ */

TEST(balance_is_off_by_the_size_of_the_motion)
{
    static const struct {
        TmlCertificate row[2];
        bool off;
        double passed; // J
    } of[] = {
        // a ball of 9.81 J that gained or lost its energy; a small loss
        {{{.potential = 9.81}, {.kinetic = 60000.0, .energy_error = 59990.0}}, true, 0.0},
        {{{.kinetic = 9.81}, {.energy_error = -9.8}}, true, 0.0},
        {{{.kinetic = 9.81}, {.kinetic = 9.4, .energy_error = -0.4}}, false, 0.0},
        // a slow drive lifts 100 J with a kinetic energy of 1e-6 J
        {{{.potential = 0.0},
          {.kinetic = 1e-6, .potential = 100.0, .work = 100.1, .energy_error = -0.1}},
         false,
         0.0},
        {{{.potential = 0.0},
          {.kinetic = 1e-6, .potential = 100.0, .work = 200.0, .energy_error = -100.0}},
         true,
         0.0},
        // at rest, 1e8 J up
        {{{.potential = 1e8}, {.potential = 1e8, .energy_error = 1e-3}}, false, 0.0},
        // a drive has moved a body from rest to rest between two rows, with 500 J there and back
        {{{.kinetic = 0.0}, {.energy_error = 1e-5}}, false, 1000.0},
        {{{.kinetic = 0.0}, {.energy_error = 1.0}}, true, 1000.0},
    };
    for (size_t k = 0; k < sizeof of / sizeof of[0]; ++k) {
        TmlEnergyWatch b = {0};
        (void)tml_energy_watch_add(&b, &of[k].row[0], of[k].passed);
        CHECK_INT(t, tml_energy_watch_add(&b, &of[k].row[1], of[k].passed), of[k].off);
    }
}

/* Steps that stability bounds: what is left of the last step's error is multiplied by h^12, as by a stability function at its
 * limit h = 1. Returns how many of 200 tries are lost, and the mean step. */
static int lost_at_the_limit(bool smooth, double *mean)
{
    Rounding r = {0};
    TmlStepControl c = control(&r);
    int lost = 0;
    double left = 1e-3;
    c.h_max = 100.0;
    c.smooth = smooth;
    *mean = 0.0;
    for (int k = 0; k < 200; ++k) {
        const double h = c.h, error = fmax(left * pow(h, 12.0), 1e-6 * pow(h, 8.0));
        const TmlAttempt a = with_error(error, 7);
        if (tml_step_judge(&c, h, &a) == TML_STEP_REJECTED) {
            tml_step_rejected(&c, h, &a);
            lost++;
            continue;
        }
        tml_step_taken(&c, h, h, &a, TML_STEP_TAKEN);
        tml_step_begin(&c);
        left = error;
        *mean += h / 200.0;
    }
    return lost;
}

/* (D9): the steps settle at the limit; the plain law swings about it. */
TEST(the_smooth_law_settles_at_a_limit)
{
    double h, plain;
    const int lost = lost_at_the_limit(true, &h), lost_plain = lost_at_the_limit(false, &plain);
    CHECK(t, lost <= 5);        // at the start
    CHECK_NEAR(t, h, 1.0, 0.1); // measured 0.99: shorter steps at the start
    CHECK(t, lost_plain >= 20); // one in ten: what the law is for
}

/* (D9) by hand, of order 7: after a start (2 e)^(-1/8), then (2 e)^(-0.7/8) (2 e_before)^(0.4/8). */
TEST(the_smooth_law_by_hand)
{
    Rounding r = {0};
    TmlStepControl c = control(&r);
    c.smooth = true;
    const TmlAttempt first = with_error(0.5 / 256.0, 7), second = with_error(0.5 / 16.0, 7);
    tml_step_taken(&c, 0.1, 0.1, &first, TML_STEP_TAKEN);
    CHECK_NEAR(t, c.h, 0.2, 1e-12); // roundings of a power
    tml_step_begin(&c);
    tml_step_taken(&c, 0.2, 0.2, &second, TML_STEP_TAKEN);
    CHECK_NEAR(t, c.h, 0.2 * pow(2.0, 4.0 * 0.7 / 8.0 - 8.0 * 0.4 / 8.0), 1e-12); // as above
    // a step that a break has cut short tells nothing of the next one
    tml_step_begin(&c);
    tml_step_taken(&c, 0.01, 0.2, &second, TML_STEP_TAKEN);
    CHECK_NEAR(t, c.error_before, 0.0, 0.0); // exactly
    // two tries whose errors fall with h^2 only: the second cut is that of the slope, 4 = (2 e)^(1/2) with e = 8
    tml_step_begin(&c);
    const TmlAttempt wide = with_error(32.0, 7), narrow = with_error(8.0, 7);
    CHECK_INT(t, tml_step_judge(&c, 0.2, &wide), TML_STEP_REJECTED);
    tml_step_rejected(&c, 0.2, &wide);
    CHECK_NEAR(t, c.h, 0.2 * pow(64.0, -1.0 / 8.0), 1e-12); // as above
    CHECK_INT(t, tml_step_judge(&c, 0.1, &narrow), TML_STEP_REJECTED);
    tml_step_rejected(&c, 0.1, &narrow);
    CHECK_NEAR(t, c.h, 0.025, 1e-12); // as above
}

TEST_SUITE(step_control) = {CASE(sizes_follow_the_law),
                            CASE(rounding_of_the_estimate_is_taken),
                            CASE(rejected_steps_are_cut),
                            CASE(shortened_steps_keep_their_size),
                            CASE(errors_that_do_not_fall_are_no_rounding),
                            CASE(small_rounding_is_taken),
                            CASE(errors_that_fall_are_truncation),
                            CASE(large_rounding_is_tried_on_both_sides),
                            CASE(the_best_must_be_rounding_too),
                            CASE(failed_iterations_cut),
                            CASE(singular_positions_are_leapt_over),
                            CASE(far_from_the_origin_is_not_singular),
                            CASE(limits_of_a_method_are_believed),
                            CASE(collapsed_steps_recover_near_singular_positions_only),
                            CASE(steps_that_shrink_in_vain_grow_where_rounding_rules),
                            CASE(a_method_starts_afresh_at_a_jump),
                            CASE(fixed_steps_stay),
                            CASE(balance_is_off_by_the_size_of_the_motion),
                            CASE(the_smooth_law_settles_at_a_limit),
                            CASE(the_smooth_law_by_hand),
                            {0}};
