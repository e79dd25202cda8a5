/* model/constraint/rolling_disc.c - a thin disc that rolls without slipping on a plane.
 *
 * The plane goes through the origin of the first frame, normal n = z_i; the disc has radius R,
 * centre r_j and spin axis s = z_j. Both may move. With d = r_j - r_i, c = n . s and
 * S = sqrt(1 - c^2), the sine of the tilt, the lowest point of the disc is r_j + p:
 *
 *   (K1)  p = R f / S,  f = c s - n
 *   (K2)  phi_0 = n . (d + p) = n . d - R S = 0                it touches the plane
 *   (K3)  u = v_j - v_i + w_j x p - w_i x (d + p)              slip of the touching material
 *   (K4)  phi_1 = x_i . u = 0,  phi_2 = y_i . u = 0            Pfaffian
 *
 * p is the lowest point of the rim, so that n . p does not change when p moves along the rim, and
 * phi_0' = n . u: all three rows have one form, with a = z_i, x_i, y_i:
 *
 *   (K5)  A: by r_j a, by theta_j p x a, by r_i -a, by theta_i a x (d + p)
 *   (K6)  (a . u)' = a' . u + a . u',  u' = w_j x p' - w_i x (v_j - v_i + p')
 *   (K7)  p' = R (T_1 c' f + T f'),  f' = c' s + c s' - n',  c' = n'.s + n.s'
 *         T = 1 / S,  T_1 = c / S^3,  T_2 = (1 + 2 c^2) / S^5
 *   (K8)  D p  = R (T_1 Dc f + T Df),  Df = Dc s + c Ds - Dn
 *   (K9)  D p' = R (T_2 Dc c' f + T_1 (Dc' f + c' Df + Dc f') + T Df')
 *
 * D is the derivative along a variation of motion and twist: Dn = Dtheta_i x n,
 * Dn' = Dw_i x n + w_i x Dn, and so on. The tangents take one variation per column.
 * All own; text: docs/theory/constraints.md#rolling_disc
 */
#include "base/fail.h"
#include "math/vec3.h"
#include "model/registry.h"

enum { ROWS = 3, NM = 12 }; // NM: motions of both ends

typedef struct DiscData {
    double radius; // m
} DiscData;

/* --- the contact point --------------------------------------------------------------------- */

/* A variation of the motions and twists of both ends. */
typedef struct Variation {
    TmlRow motion[2], twist[2];
} Variation;

/* Everything the slip needs, or its derivative along a variation. */
typedef struct Contact {
    TmlVec3 n, n1, s, s1; // axes and their rates
    double c, c1;
    TmlVec3 f, f1, p, p1; // (K1), (K7)
    TmlVec3 q, q1;        // d + p, its rate
    TmlVec3 u, u1;        // slip (K3), its rate without accelerations (K6)
} Contact;

static double sine(double c)
{
    return sqrt(1.0 - c * c);
}

static Contact contact(const TmlElementIn *in)
{
    const TmlFrameKin *i = &in->e[0], *j = &in->e[1];
    const double R = ((const DiscData *)in->data)->radius;
    const TmlVec3 v = v3_sub(j->v, i->v);
    Contact k = {.n = i->A.cz, .s = j->A.cz};
    k.n1 = v3_cross(i->omega, k.n);
    k.s1 = v3_cross(j->omega, k.s);
    k.c = v3_dot(k.n, k.s);
    k.c1 = v3_dot(k.n1, k.s) + v3_dot(k.n, k.s1);
    k.f = v3_axpy(k.c, k.s, v3_neg(k.n));
    k.f1 = v3_sub(v3_axpy(k.c1, k.s, v3_scale(k.c, k.s1)), k.n1);

    const double S = sine(k.c), T1 = k.c / (S * S * S);
    k.p = v3_scale(R / S, k.f);                                // (K1)
    k.p1 = v3_axpy(R * T1 * k.c1, k.f, v3_scale(R / S, k.f1)); // (K7)
    k.q = v3_add(v3_sub(j->r, i->r), k.p);
    k.q1 = v3_add(v, k.p1);
    k.u = v3_add(v, v3_sub(v3_cross(j->omega, k.p), v3_cross(i->omega, k.q))); // (K3)
    k.u1 = v3_sub(v3_cross(j->omega, k.p1), v3_cross(i->omega, k.q1));         // (K6)
    return k;
}

/* Dp and Dp' from what precedes them. */
static void vary_point(const Contact *k, double R, Contact *D)
{
    const double S = sine(k->c), S2 = S * S;
    const double T = 1.0 / S, T1 = k->c * T / S2, T2 = (1.0 + 2.0 * k->c * k->c) * T / (S2 * S2);
    D->p = v3_scale(R, v3_axpy(T1 * D->c, k->f, v3_scale(T, D->f))); // (K8)
    D->p1 = v3_scale(R * (T2 * D->c * k->c1 + T1 * D->c1), k->f);    // (K9)
    D->p1 = v3_axpy(R * T1 * k->c1, D->f, D->p1);
    D->p1 = v3_axpy(R * T1 * D->c, k->f1, D->p1);
    D->p1 = v3_axpy(R * T, D->f1, D->p1);
}

static Contact vary(const TmlElementIn *in, const Contact *k, const Variation *x)
{
    const TmlVec3 wi = in->e[0].omega, wj = in->e[1].omega;
    const TmlVec3 Dwi = x->twist[0].theta, Dwj = x->twist[1].theta;
    const TmlVec3 Dd = v3_sub(x->motion[1].r, x->motion[0].r);
    const TmlVec3 Dv = v3_sub(x->twist[1].r, x->twist[0].r);
    Contact D = {.n = v3_cross(x->motion[0].theta, k->n), .s = v3_cross(x->motion[1].theta, k->s)};
    D.n1 = v3_add(v3_cross(Dwi, k->n), v3_cross(wi, D.n));
    D.s1 = v3_add(v3_cross(Dwj, k->s), v3_cross(wj, D.s));
    D.c = v3_dot(D.n, k->s) + v3_dot(k->n, D.s);
    D.c1 = v3_dot(D.n1, k->s) + v3_dot(k->n1, D.s) + v3_dot(D.n, k->s1) + v3_dot(k->n, D.s1);
    D.f = v3_sub(v3_axpy(D.c, k->s, v3_scale(k->c, D.s)), D.n);
    D.f1 = v3_sub(v3_axpy(D.c1, k->s, v3_scale(k->c1, D.s)), D.n1);
    D.f1 = v3_add(D.f1, v3_axpy(D.c, k->s1, v3_scale(k->c, D.s1)));
    vary_point(k, ((const DiscData *)in->data)->radius, &D);

    D.q = v3_add(Dd, D.p);
    D.q1 = v3_add(Dv, D.p1);
    D.u = v3_add(Dv, v3_sub(v3_cross(Dwj, k->p), v3_cross(Dwi, k->q)));
    D.u = v3_add(D.u, v3_sub(v3_cross(wj, D.p), v3_cross(wi, D.q)));
    D.u1 = v3_sub(v3_cross(Dwj, k->p1), v3_cross(Dwi, k->q1));
    D.u1 = v3_add(D.u1, v3_sub(v3_cross(wj, D.p1), v3_cross(wi, D.q1)));
    return D;
}

/* The k-th component of two rows, ordered r_0, theta_0, r_1, theta_1. */
static double *component(TmlRow *rows, int k)
{
    TmlVec3 *v = k % 6 < 3 ? &rows[k / 6].r : &rows[k / 6].theta;
    return k % 3 == 0 ? &v->x : k % 3 == 1 ? &v->y : &v->z;
}

/* --- rows ---------------------------------------------------------------------------------- */

/* The axis of row k: the normal, then the two directions of slip. */
static TmlVec3 row_axis(const TmlElementIn *in, int k)
{
    const TmlMat33 *A = &in->e[0].A;
    return k == 0 ? A->cz : k == 1 ? A->cx : A->cy;
}

static TmlStatus disc_prepare(void *data, const TmlFrameKin *e, int n_ends, TmlError *err)
{
    // below this sine of the tilt the contact point is lost in rounding
    const double flat = 1e-6;
    (void)data, (void)n_ends;
    if (!(v3_norm(v3_cross(e[0].A.cz, e[1].A.cz)) > flat)) {
        return tml_fail(err, TML_E_MODEL,
                        "the disc lies flat on the plane: its axis (z of the second frame) is "
                        "parallel to the normal (z of the first), and no point of it is lowest");
    }
    return TML_OK;
}

static void disc_residual(const TmlElementIn *in, double *phi)
{
    const Contact k = contact(in);
    phi[0] = v3_dot(k.n, k.q);           // (K2)
    phi[1] = v3_dot(in->e[0].A.cx, k.u); // (K4)
    phi[2] = v3_dot(in->e[0].A.cy, k.u);
}

static void disc_jacobian(const TmlElementIn *in, TmlRow *J)
{
    const Contact k = contact(in);
    for (int row = 0; row < ROWS; ++row) {
        const TmlVec3 a = row_axis(in, row);
        J[2 * row] = (TmlRow){v3_neg(a), v3_cross(a, k.q)}; // (K5)
        J[2 * row + 1] = (TmlRow){a, v3_cross(k.p, a)};
    }
}

static void disc_gamma(const TmlElementIn *in, double *gamma)
{
    const Contact k = contact(in);
    for (int row = 0; row < ROWS; ++row) {
        const TmlVec3 a = row_axis(in, row), a1 = v3_cross(in->e[0].omega, a);
        gamma[row] = -v3_dot(a1, k.u) - v3_dot(a, k.u1); // (K6)
    }
}

static void disc_curvature(const TmlElementIn *in, const double *lambda, double *K)
{
    const Contact k = contact(in);
    TmlVec3 a = {0, 0, 0}; // sum of lambda times axis: (K5) is linear in a
    for (int row = 0; row < ROWS; ++row) {
        a = v3_axpy(lambda[row], row_axis(in, row), a);
    }
    for (int col = 0; col < NM; ++col) {
        Variation x = {0};
        *component(x.motion, col) = 1.0;
        const Contact D = vary(in, &k, &x);
        const TmlVec3 Da = v3_cross(x.motion[0].theta, a);
        TmlRow column[2] = {
            {v3_neg(Da), v3_add(v3_cross(Da, k.q), v3_cross(a, D.q))},
            {Da, v3_add(v3_cross(D.p, a), v3_cross(k.p, Da))},
        };
        for (int row = 0; row < NM; ++row) {
            K[row * NM + col] += *component(column, row);
        }
    }
}

static void disc_velocity_tangent(const TmlElementIn *in, TmlRow *D)
{
    const Contact k = contact(in);
    D[0] = D[1] = (TmlRow){0}; // row 0 is holonomic
    for (int col = 0; col < NM; ++col) {
        Variation x = {0};
        *component(x.motion, col) = 1.0;
        const Contact Dk = vary(in, &k, &x);
        for (int row = 1; row < ROWS; ++row) {
            const TmlVec3 a = row_axis(in, row), Da = v3_cross(x.motion[0].theta, a);
            *component(&D[2 * row], col) = v3_dot(Da, k.u) + v3_dot(a, Dk.u);
        }
    }
}

/* Derivative of gamma of a row along a variation. */
static double gamma_vary(const TmlElementIn *in, const Contact *k, const Contact *D,
                         const Variation *x, int row)
{
    const TmlVec3 w = in->e[0].omega, a = row_axis(in, row), a1 = v3_cross(w, a);
    const TmlVec3 Da = v3_cross(x->motion[0].theta, a);
    const TmlVec3 Da1 = v3_add(v3_cross(x->twist[0].theta, a), v3_cross(w, Da));
    return -v3_dot(Da1, k->u) - v3_dot(a1, D->u) - v3_dot(Da, k->u1) - v3_dot(a, D->u1);
}

static void disc_gamma_tangent(const TmlElementIn *in, TmlRow *Gm, TmlRow *Gv)
{
    const Contact k = contact(in);
    for (int col = 0; col < NM; ++col) {
        Variation m = {0}, v = {0};
        *component(m.motion, col) = 1.0;
        *component(v.twist, col) = 1.0;
        const Contact Dm = vary(in, &k, &m), Dv = vary(in, &k, &v);
        for (int row = 0; row < ROWS; ++row) {
            *component(&Gm[2 * row], col) = gamma_vary(in, &k, &Dm, &m, row);
            *component(&Gv[2 * row], col) = gamma_vary(in, &k, &Dv, &v, row);
        }
    }
}

static const char *const disc_rows[] = {
    "contact with the plane",
    "slip along x",
    "slip along y",
};

static const TmlParam disc_params[] = {
    {"radius", TML_PARAM_REAL, TML_POSITIVE, "m", offsetof(DiscData, radius), NULL,
     "radius of the disc", NULL},
    {0},
};

TML_CONSTRAINT_TYPE(rolling_disc) = {
    .info = {.name = "rolling_disc",
             .text = "A thin disc about z of the second frame rolls without slipping on the xy "
                     "plane of the first.",
             .example = "frames: [ground, {body: rod, rotation: {z: y, x: x}}], radius: 0.5",
             .data_size = sizeof(DiscData),
             .params = disc_params},
    .ends = TML_ENDS_FRAMES,
    .rows = ROWS,
    .pfaffian = 1u << 1 | 1u << 2,
    .row_names = disc_rows,
    .prepare = disc_prepare,
    .residual = disc_residual,
    .jacobian = disc_jacobian,
    .gamma = disc_gamma,
    .curvature = disc_curvature,
    .velocity_tangent = disc_velocity_tangent,
    .gamma_tangent = disc_gamma_tangent,
};
