/* tests/model/test_body_contract.c - what every registered body type must satisfy.
 *
 * All derivatives are compared with fourth-order central differences at random states that are off
 * the velocity-level norm constraint (p . p' /= 0), where an approximate map would show.
 */
#include "test.h"

#include "math/vec3.h"
#include "model/body/point.h"
#include "model/body/rigid.h"
#include "model/read/read.h"
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

/* The sample moved by eps along y when rotation vectors are the coordinates: theta = eps c_q
 * y_theta, theta' = omega + eps c_v y_theta, theta'' = alpha + eps c_a y_theta. */
static Sample moved_on_chart(const Sample *s, const double *y, TmlCoeffs c, double eps)
{
    double x[NU] = {0}, x1[NU] = {0}, x2[NU], udot[NU] = {0}, D[NU] = {0};
    Sample m = *s;
    const TmlBodyKin kin = kin_of(s);
    const double u1[6] = {kin.k.v.x,     kin.k.v.y,     kin.k.v.z,
                          kin.k.omega.x, kin.k.omega.y, kin.k.omega.z};
    const double u2[6] = {kin.k.a.x,     kin.k.a.y,     kin.k.a.z,
                          kin.k.alpha.x, kin.k.alpha.y, kin.k.alpha.z};
    for (int k = 0; k < s->type->nu; ++k) {
        x[k] = eps * c.q * y[k];
        x1[k] = u1[k] + eps * c.v * y[k];
        x2[k] = u2[k] + eps * c.a * y[k];
    }
    s->type->chart_state(s->q, x, x1, m.q, m.v);
    // udot with chart_second(udot) = x2, by two trials: the relation is linear
    s->type->chart_second(x, x1, udot, D); // x2 = D + L udot, L near 1
    for (int it = 0; it < 60; ++it) {
        double now[NU] = {0};
        s->type->chart_second(x, x1, udot, now);
        for (int k = 0; k < s->type->nu; ++k) {
            udot[k] += x2[k] - now[k];
        }
    }
    s->type->acceleration(m.q, m.v, udot, m.a);
    return m;
}

/* x'' from chart_second is the second derivative of the coordinates of a motion, and the
 * coordinates of chart_state are those it was given. */
TEST(charts_follow_the_motion)
{
    static const double weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    static const double place[4] = {-2, -1, 1, 2};
    for (const TmlBodyType *const *p = tml_body_types; *p != NULL; ++p) {
        t->name = (*p)->info.name;
        for (int n = 0; n < STATES; ++n) {
            const Sample ref = sample(t, *p);
            double x[NU], x1[NU], q[NQ], v[NQ], a[NQ], udot[NU], x2[NU] = {0}, got[NU] = {0};
            double back[NU] = {0}, back1[NU] = {0};
            for (int k = 0; k < NU; ++k) {
                x[k] = test_random(t, -1, 1) * (n % 2 == 0 ? 1.0 : 0.05);
                x1[k] = test_random(t, -1, 1);
                udot[k] = test_random(t, -1, 1);
            }
            (*p)->chart_state(ref.q, x, x1, q, v);
            (*p)->chart_coordinates(ref.q, q, v, back, back1);
            for (int k = 0; k < (*p)->nu; ++k) {
                CHECK_NEAR(t, back[k], x[k], 1e-13); // roundings
                CHECK_NEAR(t, back1[k], x1[k], 1e-13);
            }
            (*p)->acceleration(q, v, udot, a);
            (*p)->chart_second(x, x1, udot, x2);
            (*p)->chart_acceleration(x, x1, x2, back);
            for (int k = 0; k < (*p)->nu; ++k) {
                CHECK_NEAR(t, back[k], udot[k], 1e-13); // roundings
            }
            for (int i = 0; i < 4; ++i) {
                const double h = place[i] * difference_step;
                double qh[NQ], vh[NQ], xh[NU] = {0}, x1h[NU] = {0};
                for (int k = 0; k < (*p)->nq; ++k) {
                    qh[k] = q[k] + h * v[k] + 0.5 * h * h * a[k];
                    vh[k] = v[k] + h * a[k];
                }
                (*p)->chart_coordinates(ref.q, qh, vh, xh, x1h);
                for (int k = 0; k < (*p)->nu; ++k) {
                    got[k] += weight[i] * x1h[k] / difference_step;
                }
            }
            for (int k = 0; k < (*p)->nu; ++k) {
                CHECK_NEAR(t, got[k], x2[k], tolerance * (1.0 + fabs(x2[k])));
            }
        }
    }
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
            TmlBodyMap room;
            TmlFrameMap map = tml_body_map(&room);
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
                dtheta = v3_axpy(y[k], v3(map.P[3 * nu + k], map.P[4 * nu + k], map.P[5 * nu + k]),
                                 dtheta);
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

TEST(frame_dual_is_frame_wrench_by_columns)
{
    for (const TmlBodyType *const *p = tml_body_types; *p != NULL; ++p) {
        t->name = (*p)->info.name;
        const Sample s = sample(t, *p);
        const TmlBodyKin kin = kin_of(&s);
        double X[6 * 2], Y[NU * 2] = {0};
        for (int k = 0; k < 12; ++k) {
            X[k] = test_random(t, -1, 1);
        }
        (*p)->frame_dual(&kin, &s.end, X, 2, Y);
        for (int c = 0; c < 2; ++c) {
            const TmlRow w = {{X[c], X[2 + c], X[4 + c]}, {X[6 + c], X[8 + c], X[10 + c]}};
            double e[NU] = {0};
            (*p)->frame_wrench(&kin, &s.end, &w, e);
            for (int k = 0; k < (*p)->nu; ++k) {
                CHECK_NEAR(t, Y[2 * k + c], e[k], 1e-15); // one rounding apart at most
            }
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

/* Types that documents may name are those that the key `type` of a body lists for help and schema.
 */
TEST(documents_name_all_types)
{
    char words[256] = "";
    const TmlKey *key = tml_keys_body;
    while (key->name != NULL && strcmp(key->name, "type") != 0) {
        ++key;
    }
    for (const TmlBodyType *const *p = tml_body_types; *p != NULL; ++p) {
        if ((*p)->read != NULL) {
            const size_t n = strlen(words);
            snprintf(words + n, sizeof words - n, "%s%s", n > 0 ? "|" : "", (*p)->info.name);
        }
    }
    CHECK_STR(t, key->choices, words);
}

TEST_SUITE(body_contract) = {CASE(tangents_match_differences),
                             CASE(frame_maps_match_differences),
                             CASE(frame_rates_follow_the_motion),
                             CASE(tangents_on_the_rotation_chart_match_differences),
                             CASE(charts_follow_the_motion),
                             CASE(frame_dual_is_frame_wrench_by_columns),
                             CASE(maps_between_q_and_u_are_inverse),
                             CASE(documents_name_all_types),
                             {0}};
