/* model/body/rigid.c - rigid body with q = (r, p): centre of mass and Euler parameters.
 *
 * Quaternion products, p^-1 = conj(p) / (p.p). A and all maps are those of p / |p|, so they are
 * exact off the unit sphere too.
 *
 *   (B1)  2 p' p^-1 = (2 sigma, omega)            angular velocity, global; sigma = p.p' / p.p
 *   (B2)  2 p'' p^-1 = (mu, alpha_p),  alpha = alpha_p - 2 sigma omega
 *   (B3)  m a - m g = f,   I alpha + omega x I omega = t,   I = A J A^T     Newton-Euler
 *   (B4)  dp = 1/2 dtheta p:  d omega = -(sigma 1 + 1/2 omega~) dtheta            at fixed p'
 *   (B5)                      d alpha_p = -1/2 (mu 1 + alpha_p~) dtheta           at fixed p''
 *                             d sigma = 1/4 omega . dtheta
 *   (B6)  with dp'' = 1/2 y p, dp' = c_v dp'', dp = c_q dp'':
 *         d omega = G y,      G = c_v 1 - c_q (sigma 1 + 1/2 omega~)
 *         d alpha = H y,      H = c_a 1 - c_q/2 (mu 1 + alpha_p~) - c_q/2 omega omega^T - 2 sigma G
 *   (B9)  the same for rotation vectors theta from p (p.p' = 0), omega = D(theta) theta',
 *         D = 1 + theta~/2 + theta~ theta~/6 + ...: H = c_a 1 - c_q/2 alpha~ - c_q/6 omega~ omega~
 *   (B7)  d(I x) = dtheta x I x - I (dtheta x x) = (I x~ - (I x)~) dtheta         at fixed x
 *   (B8)  frame at s = A s_b: v_f = v + omega x s,
 *         a_f = a + alpha x s + omega x (omega x s),  ds = dtheta x s
 *
 * Derivation: docs/theory/rigid_body.md. All variations are global, from the left.
 */
#include "model/body/rigid.h"

#include "math/array.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "model/read/read.h"
#include "model/registry.h"

#include <string.h>

static TmlQuat quat_at(const double *q)
{
    return (TmlQuat){q[3], q[4], q[5], q[6]};
}

static void quat_put(double *q, TmlQuat p)
{
    q[3] = p.w;
    q[4] = p.x;
    q[5] = p.y;
    q[6] = p.z;
}

/* 1/2 (0, theta) p */
static TmlQuat half_left(TmlVec3 theta, TmlQuat p)
{
    return q4_mul((TmlQuat){0, 0.5 * theta.x, 0.5 * theta.y, 0.5 * theta.z}, p);
}

static TmlQuat q4_axpy(double s, TmlQuat x, TmlQuat y)
{
    return (TmlQuat){y.w + s * x.w, y.x + s * x.x, y.y + s * x.y, y.z + s * x.z};
}

static void rigid_initial(const TmlBody *body, double *q, double *v)
{
    v3_put(q, body->r0);
    quat_put(q, body->p0);
    v3_put(v, body->v0);
    quat_put(v, half_left(body->omega0, body->p0));
}

/* 2 x p^-1 for a rate x of p: scalar and vector part. */
static TmlVec3 rate_vector(TmlQuat x, TmlQuat p, double s, double *scalar)
{
    const TmlQuat w = q4_mul(x, q4_conj(p));
    *scalar = s * w.w;
    return v3(s * w.x, s * w.y, s * w.z);
}

static void rigid_kin(const TmlBodyIn *in, TmlBodyKin *out)
{
    const TmlQuat p = quat_at(in->q);
    const double s = 2.0 / q4_dot(p, p);

    out->k.r = v3_at(in->q);
    out->k.A = q4_matrix(p);
    out->k.v = v3_at(in->v);
    out->k.omega = rate_vector(quat_at(in->v), p, s, &out->sigma); // (B1)
    out->sigma *= 0.5;
    out->k.a = v3(0, 0, 0);
    out->k.alpha = v3(0, 0, 0);
    out->alpha_p = v3(0, 0, 0);
    out->mu = 0.0;
    if (in->a != NULL) {
        out->k.a = v3_at(in->a);
        out->alpha_p = rate_vector(quat_at(in->a), p, s, &out->mu);
        out->k.alpha = v3_axpy(-2.0 * out->sigma, out->k.omega, out->alpha_p); // (B2)
    }
}

/* A J A^T x */
static TmlVec3 inertia_mulv(const TmlRigidData *d, const TmlMat33 *A, TmlVec3 x)
{
    return m3_mulv(A, m3_mulv(&d->J, m3_tmulv(A, x)));
}

static TmlMat33 inertia_global(const TmlRigidData *d, const TmlMat33 *A)
{
    const TmlMat33 At = m3_transpose(A);
    const TmlMat33 JAt = m3_mul(&d->J, &At);
    return m3_mul(A, &JAt);
}

static void rigid_residual(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g, double *e)
{
    const TmlRigidData *d = in->data;
    const TmlFrameKin *k = &kin->k;
    // (B3) in body axes, so that J is used as stored
    const TmlVec3 w_b = m3_tmulv(&k->A, k->omega), al_b = m3_tmulv(&k->A, k->alpha);
    const TmlVec3 h_b = m3_mulv(&d->J, w_b);
    const TmlVec3 t_b = v3_add(m3_mulv(&d->J, al_b), v3_cross(w_b, h_b));
    const TmlVec3 t = m3_mulv(&k->A, t_b);

    e[0] += d->mass * (k->a.x - g.x);
    e[1] += d->mass * (k->a.y - g.y);
    e[2] += d->mass * (k->a.z - g.z);
    e[3] += t.x;
    e[4] += t.y;
    e[5] += t.z;
}

/* G and H of (B6). */
static TmlMat33 map_omega(const TmlBodyKin *kin, TmlCoeffs c)
{
    const TmlMat33 w = m3_skew(kin->k.omega);
    const double g = c.v - c.q * kin->sigma;
    const TmlMat33 one = m3_diag(g, g, g);
    return m3_axpy(-0.5 * c.q, &w, &one);
}

static TmlMat33 map_alpha(const TmlBodyKin *kin, TmlCoeffs c, const TmlMat33 *G)
{
    const TmlVec3 w = kin->k.omega;
    const bool chart = c.chart == TML_CHART_ROTATION;
    const TmlMat33 skew = m3_skew(kin->alpha_p), ww = m3_outer(w, w);
    const double h = c.a + c.q * (chart ? v3_dot(w, w) / 6.0 : -0.5 * kin->mu); // (B9), (B6)
    TmlMat33 H = m3_diag(h, h, h);
    H = m3_axpy(-0.5 * c.q, &skew, &H);
    H = m3_axpy(chart ? -c.q / 6.0 : -0.5 * c.q, &ww, &H);
    return m3_axpy(-2.0 * kin->sigma, G, &H);
}

/* K[r0.., c0..] += X for a 3x3 block of a matrix with `cols` columns, row major. */
static void block_add(double *K, int cols, int r0, int c0, const TmlMat33 *X)
{
    double *k = K + r0 * cols + c0;
    k[0] += X->cx.x;
    k[1] += X->cy.x;
    k[2] += X->cz.x;
    k += cols;
    k[0] += X->cx.y;
    k[1] += X->cy.y;
    k[2] += X->cz.y;
    k += cols;
    k[0] += X->cx.z;
    k[1] += X->cy.z;
    k[2] += X->cz.z;
}

static void rigid_tangent(const TmlBodyIn *in, const TmlBodyKin *kin, TmlCoeffs c, double *K)
{
    const TmlRigidData *d = in->data;
    const TmlVec3 w = kin->k.omega, al = kin->k.alpha;
    const TmlMat33 I = inertia_global(d, &kin->k.A);
    const TmlVec3 h = m3_mulv(&I, w), u = m3_mulv(&I, al);
    const TmlMat33 G = map_omega(kin, c), H = map_alpha(kin, c, &G);

    for (int k = 0; k < 3; ++k) {
        K[k * 6 + k] += c.a * d->mass;
    }
    // d(I alpha) = I H y + c_q (I alpha~ - u~) y                                        (B7)
    TmlMat33 S = m3_mul(&I, &H);
    const TmlMat33 al_skew = m3_skew(al), u_skew = m3_skew(u), w_skew = m3_skew(w),
                   h_skew = m3_skew(h);
    TmlMat33 X = m3_mul(&I, &al_skew);
    X = m3_axpy(-1.0, &u_skew, &X);
    // d(omega x h) = -h~ d omega + omega~ (I d omega + (I omega~ - h~) dtheta)
    TmlMat33 Y = m3_mul(&I, &w_skew);
    Y = m3_axpy(-1.0, &h_skew, &Y);
    const TmlMat33 wY = m3_mul(&w_skew, &Y);
    X = m3_add(&X, &wY);
    TmlMat33 Z = m3_mul(&w_skew, &I);
    Z = m3_axpy(-1.0, &h_skew, &Z);
    const TmlMat33 ZG = m3_mul(&Z, &G);
    S = m3_add(&S, &ZG);
    S = m3_axpy(c.q, &X, &S);
    block_add(K, 6, 3, 3, &S);
}

static void rigid_mass(const TmlBodyIn *in, const TmlBodyKin *kin, double *M)
{
    const TmlRigidData *d = in->data;
    const TmlMat33 I = inertia_global(d, &kin->k.A);
    memset(M, 0, 36 * sizeof *M);
    M[0] = M[7] = M[14] = d->mass;
    block_add(M, 6, 3, 3, &I);
}

static void rigid_frame(const TmlBodyKin *kin, const TmlEnd *end, TmlFrameKin *out)
{
    tml_frame_offset(&kin->k, end, out); // (B8)
}

/* [c 1, R; 0, Q] as 6 x 6 */
static void map_fill(double *M, double c, const TmlMat33 *R, const TmlMat33 *Q)
{
    memset(M, 0, 36 * sizeof *M);
    M[0] = M[7] = M[14] = c;
    block_add(M, 6, 0, 3, R);
    block_add(M, 6, 3, 3, Q);
}

/* Acceleration: da_f = da - s~ d alpha - alpha~ s~ dtheta - [(omega x s)~ + omega~ s~] d omega
 *               - omega~ omega~ s~ dtheta */
static void map_acceleration(const TmlBodyKin *kin, TmlVec3 s, TmlCoeffs c, const TmlMat33 *G,
                             double *out)
{
    const TmlVec3 w = kin->k.omega;
    const TmlMat33 H = map_alpha(kin, c, G), s_skew = m3_skew(s), w_skew = m3_skew(w);
    const TmlMat33 sH = m3_mul(&s_skew, &H), als = m3_skew_skew(kin->k.alpha, s);
    const TmlMat33 wss = m3_skew_skew(w, s), wwss = m3_mul(&w_skew, &wss);
    TmlMat33 D = m3_skew(v3_cross(w, s));
    D = m3_add(&D, &wss);
    const TmlMat33 DG = m3_mul(&D, G);
    TmlMat33 B = m3_scale(-1.0, &sH);
    B = m3_axpy(-c.q, &als, &B);
    B = m3_axpy(-1.0, &DG, &B);
    B = m3_axpy(-c.q, &wwss, &B);
    map_fill(out, c.a, &B, &H);
}

static void rigid_frame_map(const TmlBodyKin *kin, const TmlEnd *end, TmlCoeffs c, unsigned what,
                            TmlFrameMap *out)
{
    const TmlVec3 s = m3_mulv(&kin->k.A, end->s_b);
    const TmlMat33 s_skew = m3_skew(s);
    if ((what & TML_MAP_MOTION) != 0) { // dr_f = dr - s~ dtheta
        const TmlMat33 R = m3_scale(-c.q, &s_skew), Q = m3_diag(c.q, c.q, c.q);
        map_fill(out->P, c.q, &R, &Q);
    }
    if ((what & (TML_MAP_TWIST | TML_MAP_ACCELERATION)) == 0) {
        return;
    }
    const TmlMat33 G = map_omega(kin, c);
    if ((what & TML_MAP_TWIST) != 0) { // dv_f = dv - s~ d omega - omega~ s~ dtheta
        const TmlMat33 sG = m3_mul(&s_skew, &G), wss = m3_skew_skew(kin->k.omega, s);
        TmlMat33 V = m3_scale(-1.0, &sG);
        V = m3_axpy(-c.q, &wss, &V);
        map_fill(out->W, c.v, &V, &G);
    }
    if ((what & TML_MAP_ACCELERATION) != 0) {
        map_acceleration(kin, s, c, &G, out->B);
    }
}

static void rigid_frame_wrench(const TmlBodyKin *kin, const TmlEnd *end, const TmlRow *w, double *e)
{
    const TmlVec3 s = m3_mulv(&kin->k.A, end->s_b);
    const TmlVec3 t = v3_add(w->theta, v3_cross(s, w->r));
    e[0] += w->r.x;
    e[1] += w->r.y;
    e[2] += w->r.z;
    e[3] += t.x;
    e[4] += t.y;
    e[5] += t.z;
}

static void rigid_frame_dual(const TmlBodyKin *kin, const TmlEnd *end, const double *X, int n,
                             double *Y)
{
    const TmlVec3 s = m3_mulv(&kin->k.A, end->s_b);
    for (int k = 0; k < n; ++k) {
        const double fx = X[k], fy = X[n + k], fz = X[2 * n + k];
        Y[k] = fx;
        Y[n + k] = fy;
        Y[2 * n + k] = fz;
        Y[3 * n + k] = X[3 * n + k] + s.y * fz - s.z * fy;
        Y[4 * n + k] = X[4 * n + k] + s.z * fx - s.x * fz;
        Y[5 * n + k] = X[5 * n + k] + s.x * fy - s.y * fx;
    }
}

static void rigid_frame_geometric(const TmlBodyKin *kin, const TmlEnd *end, const TmlRow *w,
                                  double c_q, double *K)
{
    // d(s x f) = (dtheta x s) x f = f~ s~ dtheta
    const TmlVec3 s = m3_mulv(&kin->k.A, end->s_b);
    const TmlMat33 X = m3_skew_skew(w->r, s), cX = m3_scale(c_q, &X);
    block_add(K, 6, 3, 3, &cX);
}

static void rigid_expand(const double *q, const double *du, double *dq)
{
    v3_put(dq, v3_at(du));
    quat_put(dq, half_left(v3_at(du + 3), quat_at(q)));
}

static void rigid_reduce(const double *q, const double *dq, double *du)
{
    const TmlQuat p = quat_at(q);
    double scalar;
    v3_put(du, v3_at(dq));
    v3_put(du + 3, rate_vector(quat_at(dq), p, 2.0 / q4_dot(p, p), &scalar));
}

static void rigid_retract(double *q)
{
    quat_put(q, q4_unit(quat_at(q)));
}

static void rigid_retract_velocity(const double *q, double *v)
{
    const TmlQuat p = quat_at(q), d = quat_at(v);
    quat_put(v, q4_axpy(-q4_dot(p, d) / q4_dot(p, p), p, d));
}

static void rigid_acceleration(const double *q, const double *v, const double *udot, double *a)
{
    // 2 p'' p^-1 = (mu, alpha + 2 sigma omega) with mu from (p.p)'' = 0
    const TmlQuat p = quat_at(q), d = quat_at(v);
    const double pp = q4_dot(p, p);
    double sigma;
    const TmlVec3 w = rate_vector(d, p, 2.0 / pp, &sigma);
    const TmlVec3 al = v3_axpy(sigma, w, v3_at(udot + 3)); // sigma holds 2 sigma here
    v3_put(a, v3_at(udot));
    const TmlQuat tangential = half_left(al, p);
    quat_put(a, q4_axpy(-q4_dot(d, d) / pp, p, tangential));
}

static void rigid_chart_state(const double *q_ref, const double *x, const double *x1, double *q,
                              double *v)
{
    const TmlVec3 theta = v3_at(x + 3);
    const TmlQuat p = q4_mul(q4_exp(theta), quat_at(q_ref));
    v3_put(q, v3_add(v3_at(q_ref), v3_at(x)));
    quat_put(q, p);
    v3_put(v, v3_at(x1));
    quat_put(v, half_left(rotation_rate(theta, v3_at(x1 + 3)), p));
}

static void rigid_chart_second(const double *x, const double *x1, const double *udot, double *x2)
{
    const TmlVec3 theta = v3_at(x + 3);
    const TmlVec3 alpha = v3_sub(v3_at(udot + 3), rotation_bias(theta, v3_at(x1 + 3)));
    v3_put(x2, v3_at(udot));
    v3_put(x2 + 3, rotation_rate_inverse(theta, alpha));
}

static void rigid_chart_acceleration(const double *x, const double *x1, const double *x2,
                                     double *udot)
{
    const TmlVec3 theta = v3_at(x + 3), bias = rotation_bias(theta, v3_at(x1 + 3));
    v3_put(udot, v3_at(x2));
    v3_put(udot + 3, v3_add(rotation_rate(theta, v3_at(x2 + 3)), bias));
}

static void rigid_chart_coordinates(const double *q_ref, const double *q, const double *v,
                                    double *x, double *x1)
{
    const TmlVec3 theta = rotation_log(q4_unit(q4_mul(quat_at(q), q4_conj(quat_at(q_ref)))));
    double u[6];
    rigid_reduce(q, v, u);
    v3_put(x, v3_sub(v3_at(q), v3_at(q_ref)));
    v3_put(x + 3, theta);
    v3_put(x1, v3_at(u));
    v3_put(x1 + 3, rotation_rate_inverse(theta, v3_at(u + 3)));
}

static double rigid_kinetic(const TmlBodyIn *in, const TmlBodyKin *kin)
{
    const TmlRigidData *d = in->data;
    const TmlFrameKin *k = &kin->k;
    return 0.5 * d->mass * v3_dot(k->v, k->v) +
           0.5 * v3_dot(k->omega, inertia_mulv(d, &k->A, k->omega));
}

static double rigid_potential(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g)
{
    const TmlRigidData *d = in->data;
    return -d->mass * v3_dot(g, kin->k.r);
}

static const TmlParam rigid_params[] = {
    {"mass", TML_PARAM_REAL, TML_NONNEGATIVE, "kg", offsetof(TmlRigidData, mass), NULL, "mass",
     NULL},
    {0},
};

static void rigid_inertia(const void *data, double *mass, TmlMat33 *J)
{
    const TmlRigidData *p = data;
    *mass = p->mass;
    *J = p->J;
}

/* What rigid bodies and floating frames have in common: how they move. */
#define MOVES_AS_A_FRAME                                                                           \
    .nq = 7, .nu = 6, .turns = true, .lengths = 3, .initial = rigid_initial, .kin = rigid_kin,     \
    .frame = rigid_frame, .frame_map = rigid_frame_map, .frame_wrench = rigid_frame_wrench,        \
    .frame_dual = rigid_frame_dual, .frame_geometric = rigid_frame_geometric,                      \
    .expand = rigid_expand, .reduce = rigid_reduce, .retract = rigid_retract,                      \
    .retract_velocity = rigid_retract_velocity, .acceleration = rigid_acceleration,                \
    .chart_state = rigid_chart_state, .chart_second = rigid_chart_second,                          \
    .chart_acceleration = rigid_chart_acceleration, .chart_coordinates = rigid_chart_coordinates

TML_BODY_TYPE(rigid) = {
    .info = {.name = "rigid",
             .text = "Rigid body: centre of mass and Euler parameters, six degrees of freedom.",
             .data_size = sizeof(TmlRigidData),
             .params = rigid_params},
    MOVES_AS_A_FRAME,
    .read = tml_read_rigid,
    .inertia = rigid_inertia,
    .residual = rigid_residual,
    .tangent = rigid_tangent,
    .mass = rigid_mass,
    .kinetic = rigid_kinetic,
    .potential = rigid_potential,
};

static void floating_residual(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g, double *e)
{
    (void)in, (void)kin, (void)g, (void)e; // inertia belongs to the modal body
}

static void floating_tangent(const TmlBodyIn *in, const TmlBodyKin *kin, TmlCoeffs c, double *K)
{
    (void)in, (void)kin, (void)c, (void)K;
}

static void floating_mass(const TmlBodyIn *in, const TmlBodyKin *kin, double *M)
{
    (void)in, (void)kin;
    memset(M, 0, 36 * sizeof *M);
}

static double floating_kinetic(const TmlBodyIn *in, const TmlBodyKin *kin)
{
    (void)in, (void)kin;
    return 0.0;
}

static double floating_potential(const TmlBodyIn *in, const TmlBodyKin *kin, TmlVec3 g)
{
    (void)in, (void)kin, (void)g;
    return 0.0;
}

const TmlBodyType tml_body_floating = {
    .info = {.name = "modal", .text = "Floating frame of a modal body."},
    MOVES_AS_A_FRAME,
    .carried = true,
    .residual = floating_residual,
    .tangent = floating_tangent,
    .mass = floating_mass,
    .kinetic = floating_kinetic,
    .potential = floating_potential,
};
