/* tests/expr/test_spline.c - interpolation of tables. */
#include "expr/spline.h"
#include "test.h"

enum { N = 7 };
static const double X[N] = {-1, 0, 0.5, 2, 3, 3.25, 5};
static const double Y[N] = {1, -2, 0, 4, 4, 5, -1};

/* Piecewise cubics of numbers of size 10: a few hundred roundings at most. */
static const double ROUNDING = 1e-13;

static TmlSpline *make(TestCtx *t, TmlSplineKind kind, int n, const double *x, const double *y,
                       TmlArena *arena)
{
    TmlSpline *s = NULL;
    TmlError err;
    CHECK_OK(t, tml_spline_create(kind, n, x, y, arena, &s, &err), &err);
    return s;
}

TEST(passes_through_points)
{
    TmlArena arena = {0};
    for (int kind = TML_SPLINE_CUBIC; kind <= TML_SPLINE_LINEAR; ++kind) {
        const TmlSpline *s = make(t, (TmlSplineKind)kind, N, X, Y, &arena);
        CHECK_INT(t, tml_spline_smoothness(s), 2 - (int)kind); // 2, 1, 0
        for (int k = 0; k < N; ++k) {
            double d[4];
            tml_spline_eval(s, X[k], 0, d);
            CHECK_NEAR(t, d[0], Y[k], ROUNDING);
        }
    }
    tml_arena_free(&arena);
}

TEST(continuity_at_knots)
{
    static const int continuous[] = {
        [TML_SPLINE_CUBIC] = 2, [TML_SPLINE_AKIMA] = 1, [TML_SPLINE_LINEAR] = 0};
    TmlArena arena = {0};
    for (int kind = TML_SPLINE_CUBIC; kind <= TML_SPLINE_LINEAR; ++kind) {
        const TmlSpline *s = make(t, (TmlSplineKind)kind, N, X, Y, &arena);
        for (int k = 0; k < N; ++k) {
            double left[4], right[4];
            const double eps = 1e-9; // d[2] changes by 2 eps d[3], 1e-7 for d[3] of size 100
            tml_spline_eval(s, X[k] - eps, 3, left);
            tml_spline_eval(s, X[k] + eps, 3, right);
            for (int j = 0; j <= continuous[kind]; ++j) {
                CHECK_NEAR(t, left[j], right[j], 1e-6); // ten times that difference
            }
        }
    }
    tml_arena_free(&arena);
}

TEST(natural_ends)
{
    TmlArena arena = {0};
    const TmlSpline *s = make(t, TML_SPLINE_CUBIC, N, X, Y, &arena);
    double d[4];
    tml_spline_eval(s, X[0], 2, d);
    CHECK_NEAR(t, d[2], 0, ROUNDING * 10);
    tml_spline_eval(s, X[N - 1] - 1e-12, 2, d); // d[3] of size 10 over 1e-12
    CHECK_NEAR(t, d[2], 0, 1e-10);              // ten times the truncation 1e-12 d[3]
    tml_arena_free(&arena);
}

TEST(known_cubic)
{
    // natural spline through 0, 1, 0, 1 at 0, 1, 2, 3: by symmetry M_1 = -M_2 and
    // 4 M_1 + M_2 = 6 (0 - 2 + 0), so M_1 = -4, M_2 = 4; at 1/2: 1/2 - (M_0 + M_1) / 16 = 3/4
    static const double x[] = {0, 1, 2, 3}, y[] = {0, 1, 0, 1};
    TmlArena arena = {0};
    const TmlSpline *s = make(t, TML_SPLINE_CUBIC, 4, x, y, &arena);
    double d[4];
    tml_spline_eval(s, 0.5, 0, d);
    CHECK_NEAR(t, d[0], 0.75, ROUNDING);
    tml_spline_eval(s, 1, 2, d);
    CHECK_NEAR(t, d[2], -4, ROUNDING);
    tml_spline_eval(s, 1.5, 1, d);
    CHECK_NEAR(t, d[0], 0.5, ROUNDING);
    CHECK_NEAR(t, d[1], -4.0 / 3.0, ROUNDING); // chord -1, plus h (M_1 - M_2) / 24 = -1/3
    tml_arena_free(&arena);
}

TEST(known_akima)
{
    // chords 0 0 0 1 1 1: the slope at the corner is the mean, elsewhere flat or 1: no overshoot
    static const double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {0, 0, 0, 0, 1, 2, 3};
    TmlArena arena = {0};
    const TmlSpline *s = make(t, TML_SPLINE_AKIMA, 7, x, y, &arena);
    double d[4];
    tml_spline_eval(s, 1.7, 1, d);
    CHECK_NEAR(t, d[0], 0, 0);
    tml_spline_eval(s, 3, 1, d);
    CHECK_NEAR(t, d[1], 0.5, ROUNDING);
    tml_spline_eval(s, 4.6, 1, d);
    CHECK_NEAR(t, d[0], 1.6, ROUNDING);
    CHECK_NEAR(t, d[1], 1, ROUNDING);
    // a general slope: chords 1 3 2 -1 at the middle knot: w1 = |-1 - 2| = 3, w2 = |3 - 1| = 2
    static const double u[] = {0, 1, 2, 3, 4}, v[] = {0, 1, 4, 6, 5};
    s = make(t, TML_SPLINE_AKIMA, 5, u, v, &arena);
    tml_spline_eval(s, 2, 1, d);
    CHECK_NEAR(t, d[1], (3.0 * 3 + 2.0 * 2) / 5, ROUNDING);
    // first knot: chords -3 -1 | 1 3 extended by straight lines: w1 = 2, w2 = 2, slope 0
    tml_spline_eval(s, 0, 1, d);
    CHECK_NEAR(t, d[1], 0, ROUNDING);
    tml_arena_free(&arena);
}

TEST(reproduces_straight_lines)
{
    TmlArena arena = {0};
    double y[N];
    for (int k = 0; k < N; ++k) {
        y[k] = 3 - 2 * X[k];
    }
    for (int kind = TML_SPLINE_CUBIC; kind <= TML_SPLINE_LINEAR; ++kind) {
        const TmlSpline *s = make(t, (TmlSplineKind)kind, N, X, y, &arena);
        for (int k = 0; k < 50; ++k) {
            const double x = test_random(t, -5, 10);
            double d[4];
            tml_spline_eval(s, x, 3, d);
            CHECK_NEAR(t, d[0], 3 - 2 * x, ROUNDING * 10);
            CHECK_NEAR(t, d[1], -2, ROUNDING);
            CHECK_NEAR(t, d[2], 0, ROUNDING * 10);
            CHECK_NEAR(t, d[3], 0, ROUNDING * 100);
        }
    }
    tml_arena_free(&arena);
}

TEST(follows_tangent_outside)
{
    TmlArena arena = {0};
    for (int kind = TML_SPLINE_CUBIC; kind <= TML_SPLINE_LINEAR; ++kind) {
        const TmlSpline *s = make(t, (TmlSplineKind)kind, N, X, Y, &arena);
        double end[4], d[4];
        tml_spline_eval(s, X[0], 1, end);
        tml_spline_eval(s, X[0] - 3, 3, d);
        CHECK_NEAR(t, d[0], end[0] - 3 * end[1], ROUNDING);
        CHECK_NEAR(t, d[1], end[1], 0);
        CHECK(t, d[2] == 0 && d[3] == 0);
        tml_spline_eval(s, X[N - 1], 1, end);
        tml_spline_eval(s, X[N - 1] + 3, 3, d);
        CHECK_NEAR(t, d[0], end[0] + 3 * end[1], ROUNDING);
        CHECK_NEAR(t, d[1], end[1], 0);
        CHECK(t, d[2] == 0 && d[3] == 0);
    }
    tml_arena_free(&arena);
}

/* Squares go on as squares, whatever is between the points. */
TEST(parabola_outside)
{
    static const double squares[N] = {1, 0, 0.25, 4, 9, 10.5625, 25};
    TmlArena arena = {0};
    for (int kind = TML_SPLINE_CUBIC; kind <= TML_SPLINE_LINEAR; ++kind) {
        TmlSpline *s = make(t, (TmlSplineKind)kind, N, X, squares, &arena);
        double d[4];
        tml_spline_set_ends(s, TML_SPLINE_PARABOLA);
        for (int k = 0; k < 2; ++k) {
            const double x = k == 0 ? -3 : 7;
            tml_spline_eval(s, x, 3, d);
            CHECK_NEAR(t, d[0], x * x, ROUNDING * 10);
            CHECK_NEAR(t, d[1], 2 * x, ROUNDING * 10);
            CHECK_NEAR(t, d[2], 2, ROUNDING * 10);
            CHECK(t, d[3] == 0);
        }
        // the rules of one table go on in the same way
        tml_spline_eval(tml_spline_as(s, TML_SPLINE_AKIMA), -3, 0, d);
        CHECK_NEAR(t, d[0], 9, ROUNDING * 10);
        CHECK_NEAR(t, tml_spline_integral(s, 5, 8), (512 - 125) / 3.0, ROUNDING * 100);
        CHECK_NEAR(t, tml_spline_integral(s, -1, -4), (-64 + 1) / 3.0, ROUNDING * 100);
    }
    TmlSpline *two = make(t, TML_SPLINE_LINEAR, 2, X, Y, &arena);
    double d[4];
    tml_spline_set_ends(two, TML_SPLINE_PARABOLA);
    tml_spline_eval(two, 2, 3, d); // a straight line from (-1, 1) to (0, -2)
    CHECK_NEAR(t, d[0], -8, ROUNDING);
    CHECK(t, d[2] == 0);
    tml_arena_free(&arena);
}

TEST(constant_outside)
{
    TmlArena arena = {0};
    TmlSpline *s = make(t, TML_SPLINE_CUBIC, N, X, Y, &arena);
    double d[4];
    tml_spline_set_ends(s, TML_SPLINE_CONSTANT);
    tml_spline_eval(s, -9, 3, d);
    CHECK(t, d[0] == 1 && d[1] == 0 && d[2] == 0 && d[3] == 0);
    tml_spline_eval(s, 9, 3, d);
    CHECK_NEAR(t, d[0], -1, ROUNDING);
    CHECK(t, d[1] == 0 && d[2] == 0 && d[3] == 0);
    CHECK_NEAR(t, tml_spline_integral(s, 5, 9), -4, ROUNDING * 10);
    tml_arena_free(&arena);
}

/* Sines in place of a table: seven derivatives, the same by all rules. */
static void eval_sine(const void *user, double x, int order, double *d)
{
    const double w = *(const double *)user;
    for (int k = 0; k <= order; ++k) {
        d[k] = pow(w, k) * sin(w * x + 0.5 * k * 3.14159265358979323846);
    }
}

TEST(functions_in_place_of_tables)
{
    static const double w = 1.3, knot[] = {0, 1, 5};
    const TmlSplineSource source = {eval_sine, &w, 3, knot, 3, 0.0, 0.0};
    TmlArena arena = {0};
    TmlSpline *s = NULL;
    TmlError err;
    const double *x;
    double d[TML_SPLINE_HIGHEST + 1];
    CHECK_OK(t, tml_spline_from_source(&source, &arena, &s, &err), &err);
    tml_spline_eval(s, 0.7, TML_SPLINE_HIGHEST, d);
    CHECK_NEAR(t, d[0], sin(0.91), ROUNDING);
    CHECK_NEAR(t, d[6], -pow(1.3, 6) * sin(0.91), ROUNDING * 10);
    CHECK_INT(t, tml_spline_smoothness(s), 3);
    CHECK_INT(t, tml_spline_knots(s, &x), 3);
    CHECK(t, tml_spline_as(s, TML_SPLINE_CUBIC) == s && tml_spline_as(s, TML_SPLINE_LINEAR) == s);
    // cubics have no more than three
    tml_spline_eval(make(t, TML_SPLINE_CUBIC, N, X, Y, &arena), 0.7, TML_SPLINE_HIGHEST, d);
    CHECK(t, d[3] != 0 && d[4] == 0 && d[5] == 0 && d[6] == 0);
    tml_arena_free(&arena);
}

TEST(derivatives)
{
    TmlArena arena = {0};
    for (int kind = TML_SPLINE_CUBIC; kind <= TML_SPLINE_LINEAR; ++kind) {
        const TmlSpline *s = make(t, (TmlSplineKind)kind, N, X, Y, &arena);
        for (int k = 0; k < N - 1; ++k) {
            // inside one piece central differences of a cubic's derivatives are exact but for h^2
            // times the third derivative, of size 100
            const double h = 1e-5, x = 0.37 * X[k] + 0.63 * X[k + 1];
            double d[4], a[4], b[4];
            tml_spline_eval(s, x, 3, d);
            tml_spline_eval(s, x - h, 3, a);
            tml_spline_eval(s, x + h, 3, b);
            for (int j = 0; j < 3; ++j) {
                CHECK_NEAR(t, d[j + 1], (b[j] - a[j]) / (2 * h), 1e-7);
            }
        }
    }
    tml_arena_free(&arena);
}

TEST(integral)
{
    TmlArena arena = {0};
    for (int kind = TML_SPLINE_CUBIC; kind <= TML_SPLINE_LINEAR; ++kind) {
        const TmlSpline *s = make(t, (TmlSplineKind)kind, N, X, Y, &arena);
        for (int k = 0; k < 40; ++k) {
            const double x = test_random(t, -4, 8), from = test_random(t, -4, 8);
            double d[4];
            tml_spline_eval(s, x, 0, d);
            // derivative of the integral is the value; h^2 / 6 times curvature of size 100
            const double h = 1e-4;
            const double rate =
                (tml_spline_integral(s, from, x + h) - tml_spline_integral(s, from, x - h)) /
                (2 * h);
            CHECK_NEAR(t, rate, d[0], 1e-3 * h * 100 + 1e-8);
            CHECK_NEAR(t, tml_spline_integral(s, from, x), -tml_spline_integral(s, x, from),
                       ROUNDING * 10);
        }
    }
    // trapezoids
    const TmlSpline *s = make(t, TML_SPLINE_LINEAR, N, X, Y, &arena);
    CHECK_NEAR(t, tml_spline_integral(s, -1, 0.5), -0.5 - 0.5, ROUNDING);
    CHECK_NEAR(t, tml_spline_integral(s, -2, -1), 2.5, ROUNDING); // slope -3 from 1
    tml_arena_free(&arena);
}

TEST(same_table_other_rule)
{
    TmlArena arena = {0};
    const TmlSpline *cubic = make(t, TML_SPLINE_CUBIC, N, X, Y, &arena);
    const TmlSpline *akima = make(t, TML_SPLINE_AKIMA, N, X, Y, &arena);
    const TmlSpline *other = tml_spline_as(cubic, TML_SPLINE_AKIMA);
    CHECK_INT(t, tml_spline_smoothness(other), 1);
    CHECK(t, tml_spline_as(other, TML_SPLINE_CUBIC) == cubic);
    for (int k = 0; k < 20; ++k) {
        const double x = test_random(t, -2, 6);
        double a[4], b[4];
        tml_spline_eval(akima, x, 3, a);
        tml_spline_eval(other, x, 3, b);
        CHECK_NEAR(t, a[0], b[0], 0);
    }
    const double *x;
    CHECK_INT(t, tml_spline_knots(other, &x), N);
    CHECK_NEAR(t, x[N - 1], 5, 0);
    const TmlSpline *two = make(t, TML_SPLINE_LINEAR, 2, X, Y, &arena);
    CHECK(t, tml_spline_as(two, TML_SPLINE_CUBIC) == NULL);
    CHECK(t, tml_spline_as(two, TML_SPLINE_LINEAR) == two);
    tml_arena_free(&arena);
}

TEST(messages)
{
    static const double same[] = {0, 1, 1, 2}, back[] = {0, 1, 0.5, 2}, y[] = {1, 2, 3, 4};
    const double gap[] = {0, 1, (double)NAN, 2};
    TmlArena arena = {0};
    TmlError err;
    TmlSpline *s;
    CHECK_INT(t, tml_spline_create(TML_SPLINE_CUBIC, 3, X, Y, &arena, &s, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, "a spline of this type needs at least 4 points, got 3");
    CHECK(t, s == NULL);
    CHECK_INT(t, tml_spline_create(TML_SPLINE_LINEAR, 1, X, Y, &arena, &s, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, "a spline of this type needs at least 2 points, got 1");
    CHECK_INT(t, tml_spline_create(TML_SPLINE_AKIMA, 4, same, y, &arena, &s, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, "spline x must increase: point 3 has 1 after 1");
    CHECK_INT(t, tml_spline_create(TML_SPLINE_AKIMA, 4, back, y, &arena, &s, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, "spline x must increase: point 3 has 0.5 after 1");
    CHECK_INT(t, tml_spline_create(TML_SPLINE_AKIMA, 4, y, gap, &arena, &s, &err), TML_E_MODEL);
    CHECK_STR(t, err.message, "spline point 3 is not finite: (3, nan)");
    CHECK_INT(t, tml_spline_create(TML_SPLINE_AKIMA, 4, y, gap, &arena, &s, NULL), TML_E_MODEL);
    tml_arena_free(&arena);
}

TEST_SUITE(expr_spline) = {CASE(passes_through_points),
                           CASE(continuity_at_knots),
                           CASE(natural_ends),
                           CASE(known_cubic),
                           CASE(known_akima),
                           CASE(reproduces_straight_lines),
                           CASE(follows_tangent_outside),
                           CASE(parabola_outside),
                           CASE(constant_outside),
                           CASE(functions_in_place_of_tables),
                           CASE(derivatives),
                           CASE(integral),
                           CASE(same_table_other_rule),
                           CASE(messages),
                           {0}};
