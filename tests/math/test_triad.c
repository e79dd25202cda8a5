/* tests/math/test_triad.c - moving axes and quadrature points of src/math against differences. */
#include "test.h"

#include "math/gauss.h"
#include "math/triad.h"
#include "math/vec3.h"

static const double stencil_at[4] = {-2, -1, 1, 2};
static const double stencil_weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

/* Polynomials of time with value, rate and second rate. */
typedef struct Motion {
    TmlVec3 a[4], b[4];
} Motion;

static void motion_at(const Motion *m, double h, TmlVec3 a[3], TmlVec3 b[3])
{
    const TmlVec3 *const c[2] = {m->a, m->b};
    TmlVec3 *const out[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        const TmlVec3 *x = c[k];
        out[k][0] = v3_axpy(h, v3_axpy(0.5 * h, v3_axpy(h / 3, x[3], x[2]), x[1]), x[0]);
        out[k][1] = v3_axpy(h, v3_axpy(h, x[3], x[2]), x[1]);
        out[k][2] = v3_axpy(2.0 * h, x[3], x[2]);
    }
}

static Motion motion_random(TestCtx *t)
{
    Motion m;
    for (int k = 0; k < 4; ++k) {
        m.a[k] = test_vec3(t);
        m.b[k] = test_vec3(t);
    }
    m.a[0] = v3_add(m.a[0], v3(2, 0, 0)); // never parallel, never short
    m.b[0] = v3_add(m.b[0], v3(0, 2, 0));
    return m;
}

typedef void Axes(const TmlVec3 a[3], const TmlVec3 b[3], TmlTriad *out);

static void least_turn(const TmlVec3 a[3], const TmlVec3 b[3], TmlTriad *out)
{
    const TmlMat33 start = m3_from_z(v3(0.1, 0.2, 1), v3(1, 0, 0));
    (void)b;
    tml_triad_least(a, &start, out);
}

/* Axes turn with omega = R (a', b'), and R' and R'' are the rates of R. */
static void check_rates(TestCtx *t, Axes *axes)
{
    const double h = 1e-3, tolerance = 1e-9; // h^4 times derivatives of up to 1e3
    for (int n = 0; n < 50; ++n) {
        const Motion m = motion_random(t);
        TmlVec3 a[3], b[3];
        TmlTriad now;
        double rate[18] = {0}, second[18] = {0};
        TmlMat33 dA = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        motion_at(&m, 0.0, a, b);
        axes(a, b, &now);
        for (int k = 0; k < 4; ++k) {
            TmlTriad moved;
            TmlVec3 ak[3], bk[3];
            motion_at(&m, stencil_at[k] * h, ak, bk);
            axes(ak, bk, &moved);
            dA = m3_axpy(stencil_weight[k] / h, &moved.A, &dA);
            for (int i = 0; i < 18; ++i) {
                rate[i] += stencil_weight[k] / h * moved.R[0][i];
                second[i] += stencil_weight[k] / h * moved.R[1][i];
            }
        }
        double w[3] = {0};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                w[i] += now.R[0][6 * i + j] * (&a[1].x)[j] + now.R[0][6 * i + 3 + j] * (&b[1].x)[j];
            }
        }
        const TmlMat33 W = m3_skew(v3(w[0], w[1], w[2])), want = m3_mul(&W, &now.A);
        const TmlMat33 off = m3_axpy(-1.0, &want, &dA), one = m3_tmul(&now.A, &now.A);
        CHECK_NEAR(t, v3_norm(off.cx) + v3_norm(off.cy) + v3_norm(off.cz), 0.0, tolerance);
        CHECK_NEAR(t, m3_det(&now.A), 1.0, 1e-14); // roundings
        CHECK_NEAR(t, v3_norm(v3_sub(one.cy, v3(0, 1, 0))), 0.0, 1e-14);
        if (axes == tml_triad_even) { // as far from a as from b turned back
            const TmlVec3 normal = v3_unit(v3_cross(a[0], b[0]));
            CHECK_NEAR(t, v3_norm(v3_sub(now.A.cz, normal)), 0.0, 1e-14);
            CHECK_NEAR(t, v3_dot(now.A.cy, a[0]), v3_dot(now.A.cx, b[0]), 1e-14);
            CHECK(t, v3_dot(now.A.cx, a[0]) + v3_dot(now.A.cy, b[0]) > 0.0);
        } else {
            CHECK_NEAR(t, v3_norm(v3_sub(now.A.cx, v3_unit(a[0]))), 0.0, 1e-14);
        }
        for (int i = 0; i < 18; ++i) {
            CHECK_NEAR(t, now.R[1][i], rate[i], tolerance);
            CHECK_NEAR(t, now.R[2][i], second[i], 10 * tolerance);
        }
    }
}

TEST(triads_turn_with_their_vectors)
{
    check_rates(t, tml_triad);
}

TEST(even_triads_turn_with_their_vectors)
{
    check_rates(t, tml_triad_even);
}

TEST(least_turns_follow_their_vector)
{
    check_rates(t, least_turn);
}

/* Along the vector they started with the axes are those of the start, and they stay finite when it
 * reverses. */
TEST(least_turns_start_where_they_should)
{
    const TmlMat33 start = m3_from_z(v3(0.3, -0.2, 1), v3(1, 0.5, 0));
    TmlVec3 a[3] = {v3_scale(1.7, start.cx), {1, 2, 3}, {0, 0, 0}};
    TmlTriad triad;
    tml_triad_least(a, &start, &triad);
    // a division and three products by axes of length one: a few roundings of 1e-16
    CHECK_NEAR(t, v3_norm(v3_sub(triad.A.cy, start.cy)), 0.0, 1e-15);
    CHECK_NEAR(t, v3_norm(v3_sub(triad.A.cz, start.cz)), 0.0, 1e-15);
    a[0] = v3_neg(a[0]);
    tml_triad_least(a, &start, &triad);
    CHECK(t, v3_finite(triad.A.cy) && v3_finite(triad.A.cz));
    for (int k = 0; k < 18; ++k) {
        CHECK(t, isfinite(triad.R[0][k]) && isfinite(triad.R[1][k]) && isfinite(triad.R[2][k]));
    }
}

/* H against differences of R^T t by a and b. */
TEST(dual_derivative_matches_differences)
{
    const double h = 1e-3;
    for (int n = 0; n < 50; ++n) {
        const Motion m = motion_random(t);
        const TmlVec3 torque = test_vec3(t);
        const double ts[3] = {torque.x, torque.y, torque.z};
        const TmlMat33 start = m3_from_z(v3_add(test_vec3(t), v3(0, 0, 2)), v3(1, 0, 0));
        const TmlTriadKind kind = (TmlTriadKind)(n % 3);
        double H[36];
        tml_triad_dual_derivative(kind, m.a[0], m.b[0], &start, torque, H);
        for (int j = 0; j < 6; ++j) {
            double want[6] = {0};
            for (int k = 0; k < 4; ++k) {
                TmlVec3 a[3] = {m.a[0]}, b[3] = {m.b[0]};
                TmlTriad triad;
                *(j < 3 ? &a[0].x + j : &b[0].x + j - 3) += stencil_at[k] * h;
                tml_triad_of(kind, a, b, &start, &triad);
                for (int i = 0; i < 18; ++i) {
                    want[i % 6] += stencil_weight[k] / h * triad.R[0][i] * ts[i / 6];
                }
            }
            for (int i = 0; i < 6; ++i) {
                CHECK_NEAR(t, H[6 * i + j], want[i], 1e-9); // h^4 of derivatives of up to 1e3
            }
        }
    }
}

TEST(gauss_points_integrate_polynomials)
{
    for (int n = 1; n <= TML_GAUSS_MAX; ++n) {
        double x[TML_GAUSS_MAX], w[TML_GAUSS_MAX];
        tml_gauss(n, x, w);
        for (int degree = 0; degree <= 2 * n; ++degree) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += w[k] * pow(x[k], degree);
            }
            const double off = fabs(sum - 1.0 / (degree + 1));
            CHECK(t, degree == 2 * n ? off > 1e-8 : off < 1e-15); // roundings; not beyond 2 n - 1
        }
    }
}

TEST_SUITE(triad) = {
    CASE(triads_turn_with_their_vectors),
    CASE(even_triads_turn_with_their_vectors),
    CASE(least_turns_follow_their_vector),
    CASE(least_turns_start_where_they_should),
    CASE(dual_derivative_matches_differences),
    CASE(gauss_points_integrate_polynomials),
    {0},
};
