/* tests/model/test_past.c - the past of a delayed value: what is kept, and its derivatives. */
#include "test.h"

#include "model/measure/binding.h"
#include "model/measure/past.h"
#include "trammel/io.h"

/* x is a state, slow its value some time ago, quick the same with a delay that moves. */
static const char text[] = "trammel: 1\n"
                           "states: {x: {rate: \"delay(slow)^2*x + sin(delay(quick))*time\"}}\n"
                           "delays:\n"
                           "  slow: {value: x, time: 0.4, history: exp(time)*cos(3*time)}\n"
                           "  quick: {value: x, time: 0.2 + 0.1*x, history: sin(2*time)}\n";

static TmlModel *load(TestCtx *t)
{
    TmlModel *m = NULL;
    TmlError err = {0};
    CHECK_OK(t, tml_load_text(text, "text", 0, NULL, NULL, &m, &err), &err);
    return m;
}

static double wave(double s)
{
    return sin(1.3 * s) + 0.4 * s * s;
}

/* A record of the wave over steps of changing size from 0 to 2; kept: accepted values for what lies
 * behind it. */
static void fill(TestCtx *t, TmlPast *past, const TmlDelay *delay, double *work, int kept)
{
    *past = (TmlPast){.delay = delay, .work = work};
    tml_past_begin(past, 0.0, wave(0.0));
    double now = 0.0;
    for (int k = 0; now < 2.0; ++k) {
        const double h = fmin(0.05 + 0.03 * (k % 4), 2.0 - now);
        TmlPiece piece = {.t0 = now, .t1 = now + h};
        double f[TML_PAST_DEGREE + 1];
        for (int j = 0; j <= TML_PAST_DEGREE; ++j) {
            f[j] = wave(now + 0.5 * h * (1.0 + tml_piece_node(TML_PAST_DEGREE, j)));
        }
        tml_piece_fit(&piece, TML_PAST_DEGREE, f);
        CHECK(t, tml_past_add(past, &piece));
        now = 2.0 - now - h > 1e-12 ? now + h : 2.0;
        past->now = past->mesh_t[0] = now;
    }
    past->n_mesh = kept;
}

/* Degree 8 over steps of at most 0.14: the next Chebyshev coefficient of a wave of rate 1.3 is
 * 2 (1.3 0.07)^9 / (2^9 9!), far below rounding, which the sums of nine terms make a few 1e-15. */
TEST(record_is_the_value)
{
    TmlModel *m = load(t);
    double work[64];
    TmlPast past;
    fill(t, &past, &m->delays.at[0], work, 1);
    for (int k = 1; k < 200; ++k) {
        const double s = 0.01 * k;
        CHECK_NEAR(t, tml_past_eval(&past, s + 0.4, 7.0, 0.4).value, wave(s), 1e-14);
    }
    CHECK_NEAR(t, tml_past_eval(&past, 0.1, 7.0, 0.4).value, exp(-0.3) * cos(-0.9), 1e-14);
    tml_past_free(&past);
    tml_model_free(m);
}

/* Central differences of functions with third derivatives below 20 over 2e-5: 20 (2e-5)^2 / 6 =
 * 1.4e-9, and rounding 1e-14 / 2e-5 = 5e-10; (P3) of six values has larger third derivatives. */
TEST(derivatives_agree_with_differences)
{
    TmlModel *m = load(t);
    double work[64];
    static const double tau[] = {0.05, 0.15, 0.25, 0.4, 1.0, 2.5, 3.0};
    for (int kept = 1; kept <= TML_PAST_MESH; ++kept) {
        TmlPast past;
        fill(t, &past, &m->delays.at[1], work, kept);
        for (size_t k = 0; k < sizeof tau / sizeof tau[0]; ++k) {
            const double at = 2.2, y = wave(at) + 0.01, d = tau[k], e = 2e-5, tol = 5e-8;
            const TmlDelayed v = tml_past_eval(&past, at, y, d);
            CHECK_NEAR(t, v.by_y,
                       (tml_past_eval(&past, at, y + e, d).value -
                        tml_past_eval(&past, at, y - e, d).value) /
                           (2.0 * e),
                       tol);
            CHECK_NEAR(t, v.by_tau,
                       (tml_past_eval(&past, at, y, d + e).value -
                        tml_past_eval(&past, at, y, d - e).value) /
                           (2.0 * e),
                       tol);
            CHECK_NEAR(t, v.by_t,
                       (tml_past_eval(&past, at + e, y, d).value -
                        tml_past_eval(&past, at - e, y, d).value) /
                           (2.0 * e),
                       tol);
        }
        tml_past_free(&past);
    }
    tml_model_free(m);
}

/* The gradient of an expression by the unknowns that its delays read, in all places of the past. */
TEST(expressions_have_exact_gradients)
{
    TmlModel *m = load(t);
    const TmlBinding *b = m->states.at[0].binding;
    double history[64], work[256], u[8], g[8];
    TmlPast past[2];
    for (int k = 0; k < 2; ++k) {
        fill(t, &past[k], &m->delays.at[k], history, 3);
    }
    CHECK(t, b->work <= 256 && b->n_unknowns == 4 && b->n_ends == 0);
    for (int trial = 0; trial < 40; ++trial) {
        TmlBindIn in = {NULL, test_random(t, 2.05, 2.5), u, NULL, work, past, false, 0.0};
        TmlBindGrad out = {.u = g};
        for (int k = 0; k < 4; ++k) {
            u[k] = test_random(t, 0.05, 0.6);
        }
        tml_binding_gradient(b, &in, &out);
        for (int k = 0; k < 4; ++k) {
            const double e = 2e-6, kept = u[k];
            u[k] = kept + e;
            const double high = tml_binding_value(b, &in);
            u[k] = kept - e;
            const double low = tml_binding_value(b, &in);
            u[k] = kept;
            // rounding 1e-15 / 4e-6, curvature (2e-6)^2 times a third derivative of some 1e3
            CHECK_NEAR(t, g[k], (high - low) / (2.0 * e), 1e-8);
        }
        const double e = 2e-6, kept = in.t, rate = tml_binding_dt(b, &in);
        in.t = kept + e;
        const double high = tml_binding_value(b, &in);
        in.t = kept - e;
        CHECK_NEAR(t, rate, (high - tml_binding_value(b, &in)) / (2.0 * e), 1e-8);
    }
    tml_past_free(&past[0]);
    tml_past_free(&past[1]);
    tml_model_free(m);
}

/* A polynomial of degree k is what k accepted values and the present one give. */
TEST(between_steps_polynomials_are_exact)
{
    TmlModel *m = load(t);
    for (int k = 1; k <= TML_PAST_MESH; ++k) {
        TmlPast past = {.delay = &m->delays.at[1], .begun = true, .now = 1.0, .n_mesh = k};
        for (int j = 0; j < k; ++j) {
            past.mesh_t[j] = 1.0 - 0.1 * j * (1.0 + 0.2 * j);
            past.mesh_y[j] = pow(past.mesh_t[j] - 0.3, k);
        }
        for (int i = 0; i < 10; ++i) {
            const double at = 1.2, tau = 0.02 * i;
            const TmlDelayed v = tml_past_eval(&past, at, pow(at - 0.3, k), tau);
            CHECK_NEAR(t, v.value, pow(at - tau - 0.3, k), 1e-13); // rounding of six differences
        }
        CHECK_NEAR(t, tml_past_eval(&past, 1.2, 5.0, 0.0).value, 5.0, 1e-14);
        CHECK_NEAR(t, tml_past_eval(&past, 1.2, 5.0, 0.0).by_y, 1.0, 1e-14);
    }
    // a delay that is zero, or has been, is the value itself to the last bit
    TmlDelay none = {.time = -1};
    const TmlPast past = {.delay = &none, .begun = true, .now = 1.0, .n_mesh = 1};
    CHECK(t, tml_past_eval(&past, 1.2, 0.1, 0.0).value == 0.1);
    CHECK(t, tml_past_eval(NULL, 1.2, 0.1, 3.0).value == 0.1);
    tml_model_free(m);
}

/* (P5) is exact for degree five, though the piece it comes from is no more than a cubic. */
TEST(refined_pieces_are_quintics)
{
    const double c[6] = {0.3, -1.0, 0.7, 0.4, -0.9, 0.5};
    TmlDelay none = {.time = -1};
    TmlPast past = {.delay = &none};
    TmlPiece piece[2] = {{.t0 = 0.0, .t1 = 0.3}, {.t0 = 0.3, .t1 = 0.8}};
    tml_past_begin(&past, 0.0, c[0]);
    for (int k = 0; k < 2; ++k) {
        double f[TML_PAST_DEGREE + 1];
        const int n = k == 0 ? TML_PAST_DEGREE : 4;
        const double h = piece[k].t1 - piece[k].t0;
        for (int j = 0; j <= n; ++j) {
            const double x = 0.5 * (1.0 + tml_piece_node(n, j)), s = piece[k].t0 + x * h;
            f[j] = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))));
            // the cubic with the same values and slopes at the ends: their u (c_4 + c_5 (2 t0 +
            // 2 t1 + s)) is missing
            const double u = pow(x * (1.0 - x) * h * h, 2.0);
            f[j] -= k == 1 ? u * (c[4] + c[5] * (2.0 * (0.3 + 0.8) + s)) : 0.0;
        }
        tml_piece_fit(&piece[k], n, f);
        if (k == 1) {
            tml_past_refine(&past, &piece[k]);
        }
        CHECK(t, tml_past_add(&past, &piece[k]));
    }
    for (int k = 1; k < 16; ++k) {
        const double s = 0.05 * k;
        const double y = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))));
        CHECK_NEAR(t, tml_past_eval(&past, 1.0, 0.0, 1.0 - s).value, y, 1e-13); // rounding
    }
    tml_past_free(&past);
}

/* Jumps are seen from both sides; a long run keeps no more than it is asked to. */
TEST(jumps_and_forgetting)
{
    TmlDelay one = {.time = -1, .fixed = 1.0};
    TmlPast past = {.delay = &one};
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {2.0, 2.0, 2.0};
    tml_past_begin(&past, 0.0, 0.0);
    for (int k = 0; k < 20000; ++k) {
        TmlPiece piece = {.t0 = 0.01 * k, .t1 = 0.01 * (k + 1)};
        tml_piece_fit(&piece, 2, k % 1000 < 500 ? low : high);
        CHECK(t, tml_past_add(&past, &piece));
        tml_past_drop(&past, piece.t0 - 10.0);
    }
    CHECK(t, past.n - past.dropped < 1003 && past.cap < 8192);
    CHECK_NEAR(t, tml_past_jump(&past, 195.0), 2.0, 1e-15); // rounding of a polynomial
    CHECK_NEAR(t, tml_past_jump(&past, 194.0), 0.0, 0.0);
    // the step that ends there, then the one that begins
    CHECK_NEAR(t, tml_past_eval(&past, 196.0, 0.0, 1.0).value, 0.0, 0.0);
    past.next = true;
    CHECK_NEAR(t, tml_past_eval(&past, 196.0, 0.0, 1.0).value, 2.0, 1e-15);
    tml_past_free(&past);
}

TEST_SUITE(past) = {CASE(record_is_the_value),
                    CASE(derivatives_agree_with_differences),
                    CASE(expressions_have_exact_gradients),
                    CASE(between_steps_polynomials_are_exact),
                    CASE(refined_pieces_are_quintics),
                    CASE(jumps_and_forgetting),
                    {0}};
