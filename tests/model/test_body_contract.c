/* tests/model/test_body_contract.c - what every registered body type must satisfy.
 *
 * All derivatives are compared with fourth-order central differences at random states that are off
 * the velocity-level norm constraint (p . p' /= 0), where an approximate map would show.
 */
#include "test.h"

#include "math/vec3.h"
#include "model/body/point.h"
#include "model/body/rigid.h"
#include "model/registry.h"

enum { NQ = TML_BODY_MAX_NQ, NU = TML_BODY_MAX_NU, STATES = 50 };

/* Fourth-order differences with h = 1e-3: truncation about h^4 = 1e-12, rounding 1e-16 / h = 1e-13,
 * both relative to values of order ten. */
static const double difference_step = 1e-3, tolerance = 1e-8;

typedef union AnyData {
    TmlRigidData rigid;
    TmlPointData point;
} AnyData;

typedef struct Sample {
    const TmlBodyType *type;
    AnyData data;
    double q[NQ], v[NQ], a[NQ];
    TmlEnd end;
    TmlVec3 g;
    TmlRow w;
} Sample;

/* False for a type that this test does not know how to fill: it fails then. */
static bool sample_data(TestCtx *t, const TmlBodyType *type, AnyData *d)
{
    if (strcmp(type->info.name, "rigid") == 0) {
        const TmlVec3 x = test_vec3(t), y = test_vec3(t);
        const TmlMat33 xx = m3_outer(x, x), yy = m3_outer(y, y);
        d->rigid.mass = test_random(t, 0.5, 2.0);
        d->rigid.J = m3_diag(1.0, 1.5, 2.0);
        d->rigid.J = m3_add(&d->rigid.J, &xx);
        d->rigid.J = m3_add(&d->rigid.J, &yy);
        return true;
    }
    if (strcmp(type->info.name, "point") == 0) {
        d->point.mass = test_random(t, 0.5, 2.0);
        return true;
    }
    return strcmp(type->info.name, "ground") == 0;
}

static Sample sample(TestCtx *t, const TmlBodyType *type)
{
    Sample s = {.type = type, .g = test_vec3(t), .w = {test_vec3(t), test_vec3(t)}};
    const TmlQuat p = test_quat(t);
    CHECK(t, sample_data(t, type, &s.data));
    for (int k = 0; k < NQ; ++k) {
        s.q[k] = test_random(t, -1, 1);
        s.v[k] = test_random(t, -1, 1);
        s.a[k] = test_random(t, -1, 1);
    }
    s.q[3] = p.w, s.q[4] = p.x, s.q[5] = p.y, s.q[6] = p.z;
    const TmlQuat b = test_quat(t);
    s.end = (TmlEnd){.s_b = test_vec3(t), .A_b = q4_matrix(b)};
    return s;
}

/* The sample moved by eps along the u-direction y, as an integrator moves it. */
static Sample moved(const Sample *s, const double *y, TmlCoeffs c, double eps)
{
    Sample m = *s;
    double dq[NQ] = {0};
    s->type->expand(s->q, y, dq);
    for (int k = 0; k < s->type->nq; ++k) {
        m.q[k] += eps * c.q * dq[k];
        m.v[k] += eps * c.v * dq[k];
        m.a[k] += eps * c.a * dq[k];
    }
    return m;
}

static TmlBodyKin kin_of(const Sample *s)
{
    TmlBodyKin kin;
    const TmlBodyIn in = {&s->data, s->q, s->v, s->a};
    s->type->kin(&in, &kin);
    return kin;
}

/* What is differentiated: inertia forces, or the wrench map, nu values each. */
static void inertia(const Sample *s, double *e)
{
    const TmlBodyKin kin = kin_of(s);
    const TmlBodyIn in = {&s->data, s->q, s->v, s->a};
    memset(e, 0, NU * sizeof *e);
    s->type->residual(&in, &kin, s->g, e);
}

static void wrench(const Sample *s, double *e)
{
    const TmlBodyKin kin = kin_of(s);
    memset(e, 0, NU * sizeof *e);
    s->type->frame_wrench(&kin, &s->end, &s->w, e);
}

static void difference(const Sample *s, const double *y, TmlCoeffs c,
                       void (*f)(const Sample *, double *), double *out)
{
    static const double weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    static const double place[4] = {-2, -1, 1, 2};
    memset(out, 0, NU * sizeof *out);
    for (int i = 0; i < 4; ++i) {
        double e[NU];
        const Sample m = moved(s, y, c, place[i] * difference_step);
        f(&m, e);
        for (int k = 0; k < NU; ++k) {
            out[k] += weight[i] * e[k] / difference_step;
        }
    }
}

static void check_product(TestCtx *t, int nu, const double *K, const double *y, const double *want)
{
    bool all_equal = true;
    for (int r = 0; r < nu; ++r) {
        double sum = 0.0;
        for (int k = 0; k < nu; ++k) {
            sum += K[r * nu + k] * y[k];
        }
        CHECK_NEAR(t, sum, want[r], tolerance * (1.0 + fabs(want[r])));
        all_equal = all_equal && sum == want[r] && sum != 0.0;
    }
    CHECK(t, nu == 0 || !all_equal); // equal bits would mean the same code ran twice
}

TEST(tangents_match_differences)
{
    for (const TmlBodyType *const *p = tml_body_types; *p != NULL; ++p) {
        t->name = (*p)->info.name;
        for (int n = 0; n < STATES; ++n) {
            const Sample s = sample(t, *p);
            const TmlCoeffs c = {test_random(t, 0.5, 1), test_random(t, 0.2, 1),
                                 test_random(t, 0.2, 1), TML_CHART_COORDINATES};
            double K[NU * NU] = {0}, G[NU * NU] = {0}, y[NU], want[NU];
            for (int k = 0; k < NU; ++k) {
                y[k] = test_random(t, -1, 1);
            }
            const TmlBodyKin kin = kin_of(&s);
            const TmlBodyIn in = {&s.data, s.q, s.v, s.a};
            (*p)->tangent(&in, &kin, c, K);
            difference(&s, y, c, inertia, want);
            check_product(t, (*p)->nu, K, y, want);
            (*p)->frame_geometric(&kin, &s.end, &s.w, c.q, G);
            difference(&s, y, (TmlCoeffs){.q = c.q}, wrench, want);
            check_product(t, (*p)->nu, G, y, want);
        }
    }
}

/* The sample moved by eps along y when rotation vectors are the coordinates: theta = eps c_q y_theta,
 * theta' = omega + eps c_v y_theta, theta'' = alpha + eps c_a y_theta. */
static Sample moved_on_chart(const Sample *s, const double *y, TmlCoeffs c, double eps)
{
    Sample m = moved(s, y, c, eps); // right for translations
    if (s->type->nu < 6) {
        return m;
    }
    const TmlBodyKin kin = kin_of(s);
    const TmlVec3 yt = v3(y[3], y[4], y[5]);
    const TmlVec3 th = v3_scale(eps * c.q, yt), th1 = v3_axpy(eps * c.v, yt, kin.k.omega),
                  th2 = v3_axpy(eps * c.a, yt, kin.k.alpha);
    // omega = D theta', alpha = D theta'' + D' theta' to third order in theta
    const TmlVec3 omega =
        v3_add(th1, v3_add(v3_scale(0.5, v3_cross(th, th1)),
                           v3_scale(1.0 / 6.0, v3_cross(th, v3_cross(th, th1)))));
    TmlVec3 alpha = v3_add(th2, v3_add(v3_scale(0.5, v3_cross(th, th2)),
                                       v3_scale(1.0 / 6.0, v3_cross(th, v3_cross(th, th2)))));
    alpha = v3_axpy(1.0 / 6.0, v3_cross(th1, v3_cross(th, th1)), alpha);
    const TmlQuat p0 = {s->q[3], s->q[4], s->q[5], s->q[6]}, p = q4_mul(q4_exp(th), p0);
    const double du[6] = {m.v[0], m.v[1], m.v[2], omega.x, omega.y, omega.z};
    const double ddu[6] = {m.a[0], m.a[1], m.a[2], alpha.x, alpha.y, alpha.z};
    m.q[3] = p.w, m.q[4] = p.x, m.q[5] = p.y, m.q[6] = p.z;
    s->type->expand(m.q, du, m.v);
    s->type->acceleration(m.q, m.v, ddu, m.a);
    return m;
}

TEST(tangents_on_the_rotation_chart_match_differences)
{
    static const double weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    static const double place[4] = {-2, -1, 1, 2};
    for (const TmlBodyType *const *p = tml_body_types; *p != NULL; ++p) {
        t->name = (*p)->info.name;
        for (int n = 0; n < STATES; ++n) {
            Sample s = sample(t, *p);
            (*p)->retract_velocity(s.q, s.v);
            double udot[NU] = {0}, K[NU * NU] = {0}, y[NU], want[NU] = {0}, e[NU];
            for (int k = 0; k < NU; ++k) {
                y[k] = test_random(t, -1, 1);
                udot[k] = test_random(t, -1, 1);
            }
            (*p)->acceleration(s.q, s.v, udot, s.a);
            const TmlCoeffs c = {test_random(t, 0.5, 1), test_random(t, 0.2, 1),
                                 test_random(t, 0.2, 1), TML_CHART_ROTATION};
            const TmlBodyKin kin = kin_of(&s);
            const TmlBodyIn in = {&s.data, s.q, s.v, s.a};
            (*p)->tangent(&in, &kin, c, K);
            for (int i = 0; i < 4; ++i) {
                const Sample m = moved_on_chart(&s, y, c, place[i] * difference_step);
                inertia(&m, e);
                for (int k = 0; k < NU; ++k) {
                    want[k] += weight[i] * e[k] / difference_step;
                }
            }
            check_product(t, (*p)->nu, K, y, want);
        }
    }
}

/* Frame motion as six numbers by its level; rotation as A's columns is checked through P. */
static void frame_of(const Sample *s, TmlFrameKin *f)
{
    const TmlBodyKin kin = kin_of(s);
    s->type->frame(&kin, &s->end, f);
}

static TmlVec3 v3_diff4(TmlVec3 a, TmlVec3 b, TmlVec3 c, TmlVec3 d)
{
    const TmlVec3 outer = v3_scale(1.0 / 12.0, v3_sub(a, d));
    return v3_scale(1.0 / difference_step, v3_axpy(8.0 / 12.0, v3_sub(c, b), outer));
}

static void check_vec(TestCtx *t, const double *M, int nu, const double *y, TmlVec3 want)
{
    const double w[3] = {want.x, want.y, want.z};
    for (int r = 0; r < 3; ++r) {
        double sum = 0.0;
        for (int k = 0; k < nu; ++k) {
            sum += M[r * nu + k] * y[k];
        }
        CHECK_NEAR(t, sum, w[r], tolerance * (1.0 + fabs(w[r])));
    }
}

TEST(frame_maps_match_differences)
{
    for (const TmlBodyType *const *p = tml_body_types; *p != NULL; ++p) {
        const int nu = (*p)->nu;
        t->name = (*p)->info.name;
        for (int n = 0; n < STATES && nu > 0; ++n) {
            const Sample s = sample(t, *p);
            const TmlCoeffs c = {test_random(t, 0.5, 1), test_random(t, 0.2, 1),
                                 test_random(t, 0.2, 1), TML_CHART_COORDINATES};
            double y[NU];
            TmlFrameKin f[4], now;
            for (int k = 0; k < NU; ++k) {
                y[k] = test_random(t, -1, 1);
            }
            for (int i = 0; i < 4; ++i) {
                static const double place[4] = {-2, -1, 1, 2};
                const Sample m = moved(&s, y, c, place[i] * difference_step);
                frame_of(&m, &f[i]);
            }
            frame_of(&s, &now);
            TmlFrameMap map;
            const TmlBodyKin kin = kin_of(&s);
            (*p)->frame_map(&kin, &s.end, c, TML_MAP_ALL, &map);
            check_vec(t, map.P, nu, y, v3_diff4(f[0].r, f[1].r, f[2].r, f[3].r));
            check_vec(t, map.W, nu, y, v3_diff4(f[0].v, f[1].v, f[2].v, f[3].v));
            check_vec(t, map.W + 3 * nu, nu, y,
                      v3_diff4(f[0].omega, f[1].omega, f[2].omega, f[3].omega));
            check_vec(t, map.B, nu, y, v3_diff4(f[0].a, f[1].a, f[2].a, f[3].a));
            check_vec(t, map.B + 3 * nu, nu, y,
                      v3_diff4(f[0].alpha, f[1].alpha, f[2].alpha, f[3].alpha));
            // dA = dtheta~ A, so the change of each axis is dtheta x axis
            const TmlVec3 dx = v3_diff4(f[0].A.cx, f[1].A.cx, f[2].A.cx, f[3].A.cx);
            TmlVec3 dtheta = {0, 0, 0};
            for (int k = 0; k < nu; ++k) {
                dtheta = v3_axpy(y[k],
                                 v3(map.P[3 * nu + k], map.P[4 * nu + k], map.P[5 * nu + k]), dtheta);
            }
            const TmlVec3 want = v3_cross(dtheta, now.A.cx);
            CHECK_NEAR(t, v3_norm(v3_sub(dx, want)), 0.0, tolerance);
        }
    }
}

/* Motion along a curve: velocity and acceleration of a frame are the derivatives of its position
 * and velocity when q follows q + t v + t^2/2 a. */
TEST(frame_rates_follow_the_motion)
{
    for (const TmlBodyType *const *p = tml_body_types; *p != NULL; ++p) {
        t->name = (*p)->info.name;
        for (int n = 0; n < STATES; ++n) {
            const Sample s = sample(t, *p);
            TmlFrameKin f[4], now;
            frame_of(&s, &now);
            for (int i = 0; i < 4; ++i) {
                static const double place[4] = {-2, -1, 1, 2};
                const double h = place[i] * difference_step;
                Sample m = s;
                for (int k = 0; k < (*p)->nq; ++k) {
                    m.q[k] = s.q[k] + h * s.v[k] + 0.5 * h * h * s.a[k];
                    m.v[k] = s.v[k] + h * s.a[k];
                }
                frame_of(&m, &f[i]);
            }
            const TmlVec3 v = v3_diff4(f[0].r, f[1].r, f[2].r, f[3].r);
            const TmlVec3 a = v3_diff4(f[0].v, f[1].v, f[2].v, f[3].v);
            const TmlVec3 al = v3_diff4(f[0].omega, f[1].omega, f[2].omega, f[3].omega);
            CHECK_NEAR(t, v3_norm(v3_sub(v, now.v)), 0.0, tolerance);
            CHECK_NEAR(t, v3_norm(v3_sub(a, now.a)), 0.0, 10 * tolerance);
            CHECK_NEAR(t, v3_norm(v3_sub(al, now.alpha)), 0.0, 10 * tolerance);
        }
    }
}

TEST(maps_between_q_and_u_are_inverse)
{
    for (const TmlBodyType *const *p = tml_body_types; *p != NULL; ++p) {
        t->name = (*p)->info.name;
        const Sample s = sample(t, *p);
        double u[NU], dq[NQ] = {0}, back[NU] = {0}, a[NQ] = {0};
        for (int k = 0; k < NU; ++k) {
            u[k] = test_random(t, -1, 1);
        }
        (*p)->expand(s.q, u, dq);
        (*p)->reduce(s.q, dq, back);
        for (int k = 0; k < (*p)->nu; ++k) {
            CHECK_NEAR(t, back[k], u[k], 1e-14); // a few roundings
        }
        // udot -> a -> frame acceleration of the body
        (*p)->acceleration(s.q, s.v, u, a);
        Sample m = s;
        memcpy(m.a, a, sizeof a);
        const TmlBodyKin kin = kin_of(&m);
        if ((*p)->nu > 0) {
            CHECK_NEAR(t, kin.k.a.x, u[0], 1e-14);
        }
        if ((*p)->nu == 6) {
            CHECK_NEAR(t, kin.k.alpha.x, u[3], 1e-13);
            CHECK_NEAR(t, kin.k.alpha.z, u[5], 1e-13);
        }
    }
}

TEST_SUITE(body_contract) = {CASE(tangents_match_differences), CASE(frame_maps_match_differences),
                             CASE(frame_rates_follow_the_motion),
                             CASE(tangents_on_the_rotation_chart_match_differences),
                             CASE(maps_between_q_and_u_are_inverse), {0}};
