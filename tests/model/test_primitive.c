/* tests/model/test_primitive.c - values of the primitives at known places, and their derivatives.
 */
#include "test.h"

#include "math/vec3.h"
#include "model/primitive/primitive.h"

static const double pi = 3.14159265358979323846;

static TmlFrameKin frame_at(TmlVec3 r, TmlVec3 rotation)
{
    return (TmlFrameKin){.r = r, .A = q4_matrix(q4_exp(rotation))};
}

TEST(values_at_known_places)
{
    // second frame: at (3, 4, 12) from the first, turned by 30 degrees about z
    const double tol = 1e-15; // rounding of one sine or root
    const TmlFrameKin i = frame_at(v3(1, 1, 1), v3(0, 0, 0));
    const TmlFrameKin j = frame_at(v3(4, 5, 13), v3(0, 0, pi / 6));
    const TmlPrim coord = {TML_PRIM_COORD, 1, 0}, dot = {TML_PRIM_DOT, 0, 1};
    const TmlPrim along = {TML_PRIM_ALONG, 2, 0}, dist = {TML_PRIM_DIST, 0, 0};
    const TmlPrim angle = {TML_PRIM_ANGLE, 0, 0};
    CHECK(t, tml_prim_value(&coord, &i, &j, 0.0) == 4.0);
    CHECK(t, tml_prim_value(&along, &i, &j, 0.0) == 12.0);
    CHECK_NEAR(t, tml_prim_value(&dist, &i, &j, 0.0), 13.0, 13.0 * tol);
    CHECK_NEAR(t, tml_prim_value(&dot, &i, &j, 0.0), -0.5, tol); // x . y_j = -sin 30
    CHECK_NEAR(t, tml_prim_value(&angle, &i, &j, 0.0), pi / 6, tol);
    CHECK_NEAR(t, tml_prim_value(&along, &j, &i, 0.0), -12.0, 12.0 * tol);
}

TEST(angle_follows_turns)
{
    const TmlPrim angle = {TML_PRIM_ANGLE, 0, 0};
    const TmlFrameKin i = frame_at(test_vec3(t), test_vec3(t));
    double reference = 0.0;
    // steps of 1.9 rad, forward then back: less than half a turn, so the count is unique
    for (int k = 1; k <= 40; ++k) {
        const double truth = 1.9 * (k <= 20 ? k : 40 - k);
        TmlFrameKin j = i;
        const TmlMat33 turn = q4_matrix(q4_exp(v3(0, 0, truth)));
        j.A = m3_mul(&i.A, &turn);
        reference = tml_prim_value(&angle, &i, &j, reference);
        CHECK_NEAR(t, reference, truth, 1e-13); // rounding at angles of up to 38 rad
    }
}

/* With tilted axes the angle is the twist: twice atan2(z, w) of the relative quaternion. */
TEST(angle_of_tilted_frames_is_the_twist)
{
    const TmlPrim angle = {TML_PRIM_ANGLE, 0, 0};
    for (int k = 0; k < 20; ++k) {
        const TmlQuat p = test_quat(t);
        const TmlFrameKin i = frame_at(test_vec3(t), test_vec3(t));
        TmlFrameKin j = i;
        const TmlMat33 turn = q4_matrix(p);
        j.A = m3_mul(&i.A, &turn);
        const double twist = 2.0 * atan2(p.z, p.w), got = tml_prim_value(&angle, &i, &j, twist);
        // the frames are rounded; near opposite axes the angle magnifies it by 1 / (w^2 + z^2)
        CHECK_NEAR(t, got, twist, 1e-14 / (p.w * p.w + p.z * p.z));
    }
}

/* --- derivatives --------------------------------------------------------------------------- */

typedef struct Pair {
    TmlFrameKin e[2];
} Pair;

static Pair random_pair(TestCtx *t)
{
    for (;;) {
        Pair p;
        for (int end = 0; end < 2; ++end) {
            p.e[end] = (TmlFrameKin){.r = test_vec3(t),
                                     .A = q4_matrix(test_quat(t)),
                                     .v = test_vec3(t),
                                     .omega = test_vec3(t)};
        }
        const bool apart = v3_norm(v3_sub(p.e[1].r, p.e[0].r)) > 0.5;
        if (apart && v3_dot(p.e[0].A.cz, p.e[1].A.cz) > -0.5) {
            return p;
        }
    }
}

static Pair pair_moved(const Pair *p, const TmlRow *motion, const TmlRow *twist, double x)
{
    Pair m = *p;
    for (int end = 0; end < 2; ++end) {
        TmlFrameKin *e = &m.e[end];
        const TmlMat33 turn = q4_matrix(q4_exp(v3_scale(x, motion[end].theta)));
        e->r = v3_axpy(x, motion[end].r, e->r);
        e->A = m3_mul(&turn, &e->A);
        e->v = v3_axpy(x, twist[end].r, e->v);
        e->omega = v3_axpy(x, twist[end].theta, e->omega);
    }
    return m;
}

enum { VALUE, SPEED, SECOND }; // what is differenced

static double row_dot(const TmlRow *row, const TmlRow *x)
{
    return v3_dot(row[0].r, x[0].r) + v3_dot(row[0].theta, x[0].theta) + v3_dot(row[1].r, x[1].r) +
           v3_dot(row[1].theta, x[1].theta);
}

static double quantity(const TmlPrim *prim, const Pair *p, int what, double turns, const TmlRow *x)
{
    TmlRow J[2];
    switch (what) {
    case VALUE:
        return tml_prim_value(prim, &p->e[0], &p->e[1], turns);
    case SPEED: // the row along a fixed direction
        tml_prim_rows(prim, &p->e[0], &p->e[1], &J[0], &J[1]);
        return row_dot(J, x);
    default:
        return tml_prim_second_rate(prim, &p->e[0], &p->e[1]);
    }
}

/* Central difference of sixth order along a motion and a change of twist. */
static double slope(const TmlPrim *prim, const Pair *p, int what, const TmlRow *x,
                    const TmlRow *motion, const TmlRow *twist)
{
    static const double weight[3] = {45.0, -9.0, 1.0};
    const double h = 1e-3, turns = quantity(prim, p, VALUE, 0.0, NULL);
    double sum = 0.0;
    for (int k = 1; k <= 3; ++k) {
        const Pair plus = pair_moved(p, motion, twist, k * h);
        const Pair minus = pair_moved(p, motion, twist, -k * h);
        sum += weight[k - 1] *
               (quantity(prim, &plus, what, turns, x) - quantity(prim, &minus, what, turns, x));
    }
    return sum / (60.0 * h);
}

static void check_derivatives(TestCtx *t, const TmlPrim *prim)
{
    const double tol = 1e-10; // h^6 / 140 times the seventh derivative, 7e-21 times up to 1e8 of
                              // a distance; rounding 1e-15 / h
    static const TmlRow zero[2];
    const Pair p = random_pair(t);
    const TmlFrameKin *i = &p.e[0], *j = &p.e[1];
    const TmlRow x[2] = {{test_vec3(t), test_vec3(t)}, {test_vec3(t), test_vec3(t)}};
    const TmlRow y[2] = {{test_vec3(t), test_vec3(t)}, {test_vec3(t), test_vec3(t)}};
    const TmlRow nu[2] = {{i->v, i->omega}, {j->v, j->omega}};
    TmlRow J[2], m[2], v[2];
    double K[144] = {0}, yKx = 0.0;

    tml_prim_rows(prim, i, j, &J[0], &J[1]);
    CHECK_NEAR(t, row_dot(J, x), slope(prim, &p, VALUE, NULL, x, zero), tol);

    tml_prim_curvature(prim, i, j, 1.0, K);
    for (int k = 0; k < 144; ++k) {
        yKx += (&y[0].r.x)[k / 12] * K[k] * (&x[0].r.x)[k % 12];
    }
    CHECK_NEAR(t, yKx, slope(prim, &p, SPEED, y, x, zero), tol);

    // the second rate is the change of the row along the twists
    CHECK_NEAR(t, tml_prim_second_rate(prim, i, j), slope(prim, &p, SPEED, nu, nu, zero), tol);

    tml_prim_second_rate_tangent(prim, i, j, &m[0], &m[1], &v[0], &v[1]);
    const double scale = fmax(1.0, fabs(row_dot(m, x)));
    CHECK_NEAR(t, row_dot(m, x), slope(prim, &p, SECOND, NULL, x, zero), tol * scale);
    CHECK_NEAR(t, row_dot(v, x), slope(prim, &p, SECOND, NULL, zero, x), tol * scale);
}

TEST(derivatives_match_differences)
{
    static const char *const names[] = {"COORD", "DOT", "ALONG", "DIST", "ANGLE"};
    for (int state = 0; state < 50; ++state) {
        for (int kind = TML_PRIM_COORD; kind <= TML_PRIM_ANGLE; ++kind) {
            t->name = names[kind];
            for (int k = 0; k < 9; ++k) {
                const TmlPrim prim = {(TmlPrimKind)kind, k % 3, k / 3};
                check_derivatives(t, &prim);
            }
        }
    }
}

TEST_SUITE(primitive) = {
    CASE(values_at_known_places),
    CASE(angle_follows_turns),
    CASE(angle_of_tilted_frames_is_the_twist),
    CASE(derivatives_match_differences),
    {0},
};
