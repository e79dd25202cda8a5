/* model/primitive/primitive.c - values and exact derivatives of the primitives (P1) to (P5).
 *
 * A body-fixed axis moves as da = dtheta x a = -a~ dtheta and a' = w x a. With d = r_j - r_i,
 * a of end i, c of end j, w_i and w_j the angular velocities, and accelerations zero:
 *
 *   COORD  (P6)  d(d . e) = e . (dr_j - dr_i); the rows are constant
 *   DOT    (P7)  d(a . c) = n . (dtheta_i - dtheta_j),  n = a x c
 *          (P8)  dn = c~ a~ dtheta_i - a~ c~ dtheta_j
 *          (P9)  s = a''.c + 2 a'.c' + a.c''
 *          (P10) s = a . g,  g = w_i x (w_i x c) + 2 c' x w_i + c'':  s_theta_i = a x g
 *                s_w_i = a' x c + a x (c x w_i) + 2 a x c'; end j by exchange of the letters
 *   ALONG  (P11) d(a . d) = a . (dr_j - dr_i) + (a x d) . dtheta_i
 *          (P12) d(a x d) = d~ a~ dtheta_i + a~ (dr_j - dr_i)
 *          (P13) s = a''.d + 2 a'.d'
 *          (P14) s_theta_i = a x (w_i x (w_i x d) + 2 d' x w_i),  s_d = a'',  s_d' = 2 a'
 *                s_w_i = a' x d + a x (d x w_i) + 2 a x d'
 *   DIST   (P15) dL = u . dd,  u = d / L
 *          (P16) du = (I - u u^T) / L dd = P dd / L
 *          (P17) s = p . p / L,  p = P d'
 *          (P18) s_d = -(2 (u . d') p / L + s u) / L,  s_d' = 2 p / L
 *   ANGLE  with a = z_i, c = z_j, N = a + c, g = 1 + a . c = N.N / 2, w = w_j - w_i
 *          (P19) dphi = m . (dtheta_j - dtheta_i),  m = N / g
 *          (P20) dm = H dN,  H = I / g - N N^T / g^2
 *          (P21) s = w . H N',  N' = w_i x a + w_j x c
 *          (P22) s_theta_i = a x (k + Hw x w_i),  s_theta_j = c x (k + Hw x w_j)
 *                k = -[(w.N') N + (N.N') w + (w.N) N'] / g^2 + 2 (w.N)(N.N') N / g^3
 *          (P23) s_w_i = -H N' + a x Hw,  s_w_j = H N' + c x Hw
 *
 * s is the second derivative by time. All own; derived in docs/theory/constraints.md#primitives.
 */
#include "model/primitive/primitive.h"

#include "math/vec3.h"

enum { RI = 0, TI = 3, RJ = 6, TJ = 9, NK = 12 }; // places in a row of K

static const double two_pi = 6.283185307179586476925287;

static TmlVec3 axis(const TmlFrameKin *e, int k)
{
    return k == 0 ? e->A.cx : k == 1 ? e->A.cy : e->A.cz;
}

static TmlVec3 unit(int k)
{
    return v3(k == 0, k == 1, k == 2);
}

/* K[row.., col..] += scale M */
static void block_add(double *K, int row, int col, double scale, const TmlMat33 *M)
{
    const TmlVec3 column[3] = {M->cx, M->cy, M->cz};
    for (int k = 0; k < 3; ++k) {
        double *at = K + row * NK + col + k;
        at[0] += scale * column[k].x;
        at[NK] += scale * column[k].y;
        at[2 * NK] += scale * column[k].z;
    }
}

/* --- DOT ----------------------------------------------------------------------------------- */

static void dot_curvature(TmlVec3 a, TmlVec3 c, double scale, double *K)
{
    const TmlMat33 ca = m3_skew_skew(c, a), ac = m3_skew_skew(a, c);
    block_add(K, TI, TI, scale, &ca); // (P8)
    block_add(K, TI, TJ, -scale, &ac);
    block_add(K, TJ, TI, -scale, &ca);
    block_add(K, TJ, TJ, scale, &ac);
}

static double dot_second_rate(TmlVec3 a, TmlVec3 wi, TmlVec3 c, TmlVec3 wj)
{
    const TmlVec3 a1 = v3_cross(wi, a), c1 = v3_cross(wj, c);
    return v3_dot(v3_cross(wi, a1), c) + 2.0 * v3_dot(a1, c1) + v3_dot(a, v3_cross(wj, c1)); // (P9)
}

/* The half that belongs to the end of a; the other half by exchange of the ends. */
static void dot_tangent(TmlVec3 a, TmlVec3 wi, TmlVec3 c, TmlVec3 wj, TmlRow *m, TmlRow *v)
{
    const TmlVec3 a1 = v3_cross(wi, a), c1 = v3_cross(wj, c);
    const TmlVec3 g =
        v3_axpy(2.0, v3_cross(c1, wi), v3_add(v3_cross(wi, v3_cross(wi, c)), v3_cross(wj, c1)));
    m->theta = v3_cross(a, g); // (P10)
    v->theta = v3_axpy(2.0, v3_cross(a, c1), v3_add(v3_cross(a1, c), v3_cross(a, v3_cross(c, wi))));
}

/* --- ALONG --------------------------------------------------------------------------------- */

static void along_curvature(TmlVec3 a, TmlVec3 d, double scale, double *K)
{
    const TmlMat33 da = m3_skew_skew(d, a), at = m3_skew(a);
    block_add(K, TI, TI, scale, &da); // (P12)
    block_add(K, TI, RI, -scale, &at);
    block_add(K, TI, RJ, scale, &at);
    block_add(K, RI, TI, scale, &at);
    block_add(K, RJ, TI, -scale, &at);
}

static void along_tangent(TmlVec3 a, TmlVec3 w, TmlVec3 d, TmlVec3 d1, TmlRow *mi, TmlRow *mj,
                          TmlRow *vi, TmlRow *vj)
{
    const TmlVec3 a1 = v3_cross(w, a), a2 = v3_cross(w, a1);
    const TmlVec3 g = v3_axpy(2.0, v3_cross(d1, w), v3_cross(w, v3_cross(w, d)));
    mi->r = v3_neg(a2); // (P14)
    mi->theta = v3_cross(a, g);
    mj->r = a2;
    vi->r = v3_scale(-2.0, a1);
    vi->theta = v3_axpy(2.0, v3_cross(a, d1), v3_add(v3_cross(a1, d), v3_cross(a, v3_cross(d, w))));
    vj->r = v3_scale(2.0, a1);
}

/* --- DIST ---------------------------------------------------------------------------------- */

static void dist_curvature(TmlVec3 d, double scale, double *K)
{
    const double length = v3_norm(d);
    const TmlVec3 u = v3_scale(1.0 / length, d);
    const TmlMat33 identity = m3_identity(), uu = m3_outer(u, u);
    const TmlMat33 P = m3_axpy(-1.0, &uu, &identity);
    const double k = scale / length;
    block_add(K, RI, RI, k, &P); // (P16)
    block_add(K, RI, RJ, -k, &P);
    block_add(K, RJ, RI, -k, &P);
    block_add(K, RJ, RJ, k, &P);
}

static double dist_second_rate(TmlVec3 d, TmlVec3 d1)
{
    const double length = v3_norm(d);
    const TmlVec3 u = v3_scale(1.0 / length, d), p = v3_axpy(-v3_dot(u, d1), u, d1);
    return v3_dot(p, p) / length; // (P17)
}

static void dist_tangent(TmlVec3 d, TmlVec3 d1, TmlRow *mi, TmlRow *mj, TmlRow *vi, TmlRow *vj)
{
    const double length = v3_norm(d);
    const TmlVec3 u = v3_scale(1.0 / length, d), p = v3_axpy(-v3_dot(u, d1), u, d1);
    const double s = v3_dot(p, p) / length;
    const TmlVec3 by_d =
        v3_scale(-1.0 / length, v3_axpy(2.0 * v3_dot(u, d1) / length, p, v3_scale(s, u))); // (P18)
    const TmlVec3 by_d1 = v3_scale(2.0 / length, p);
    mi->r = v3_neg(by_d);
    mj->r = by_d;
    vi->r = v3_neg(by_d1);
    vj->r = by_d1;
}

/* --- ANGLE --------------------------------------------------------------------------------- */

static double angle_value(const TmlFrameKin *i, const TmlFrameKin *j, double turns)
{
    const double s = v3_dot(j->A.cx, i->A.cy) - v3_dot(j->A.cy, i->A.cx);
    const double c = v3_dot(j->A.cx, i->A.cx) + v3_dot(j->A.cy, i->A.cy);
    const double phi = atan2(s, c); // (P5)
    return phi + two_pi * round((turns - phi) / two_pi);
}

/* H x of (P20) */
static TmlVec3 angle_h(TmlVec3 N, double g, TmlVec3 x)
{
    return v3_axpy(-v3_dot(N, x) / (g * g), N, v3_scale(1.0 / g, x));
}

static void angle_curvature(TmlVec3 a, TmlVec3 c, double scale, double *K)
{
    const TmlVec3 N = v3_add(a, c);
    const double g = 0.5 * v3_dot(N, N);
    const TmlMat33 at = m3_skew(a), ct = m3_skew(c);
    // dN = -a~ dtheta_i - c~ dtheta_j
    const TmlMat33 Ha = {angle_h(N, g, at.cx), angle_h(N, g, at.cy), angle_h(N, g, at.cz)};
    const TmlMat33 Hc = {angle_h(N, g, ct.cx), angle_h(N, g, ct.cy), angle_h(N, g, ct.cz)};
    block_add(K, TI, TI, scale, &Ha); // (P20)
    block_add(K, TI, TJ, scale, &Hc);
    block_add(K, TJ, TI, -scale, &Ha);
    block_add(K, TJ, TJ, -scale, &Hc);
}

static double angle_second_rate(const TmlFrameKin *i, const TmlFrameKin *j)
{
    const TmlVec3 a = i->A.cz, c = j->A.cz, N = v3_add(a, c), w = v3_sub(j->omega, i->omega);
    const TmlVec3 N1 = v3_add(v3_cross(i->omega, a), v3_cross(j->omega, c));
    return v3_dot(w, angle_h(N, 0.5 * v3_dot(N, N), N1)); // (P21)
}

static void angle_tangent(const TmlFrameKin *i, const TmlFrameKin *j, TmlRow *mi, TmlRow *mj,
                          TmlRow *vi, TmlRow *vj)
{
    const TmlVec3 a = i->A.cz, c = j->A.cz, N = v3_add(a, c), w = v3_sub(j->omega, i->omega);
    const TmlVec3 N1 = v3_add(v3_cross(i->omega, a), v3_cross(j->omega, c));
    const double g = 0.5 * v3_dot(N, N), g2 = g * g;
    const double wN = v3_dot(w, N), wN1 = v3_dot(w, N1), NN1 = v3_dot(N, N1);
    const TmlVec3 Hw = angle_h(N, g, w), HN1 = angle_h(N, g, N1);
    const TmlVec3 k = v3_axpy(2.0 * wN * NN1 / (g2 * g) - wN1 / g2, N,
                              v3_axpy(-NN1 / g2, w, v3_scale(-wN / g2, N1)));
    mi->theta = v3_cross(a, v3_add(k, v3_cross(Hw, i->omega))); // (P22)
    mj->theta = v3_cross(c, v3_add(k, v3_cross(Hw, j->omega)));
    vi->theta = v3_sub(v3_cross(a, Hw), HN1); // (P23)
    vj->theta = v3_add(v3_cross(c, Hw), HN1);
}

/* --- by kind ------------------------------------------------------------------------------- */

double tml_prim_value(const TmlPrim *p, const TmlFrameKin *i, const TmlFrameKin *j, double turns)
{
    const TmlVec3 d = v3_sub(j->r, i->r);
    switch (p->kind) {
    case TML_PRIM_COORD:
        return p->axis_i == 0 ? d.x : p->axis_i == 1 ? d.y : d.z; // (P1)
    case TML_PRIM_DOT:
        return v3_dot(axis(i, p->axis_i), axis(j, p->axis_j)); // (P2)
    case TML_PRIM_ALONG:
        return v3_dot(axis(i, p->axis_i), d); // (P3)
    case TML_PRIM_DIST:
        return v3_norm(d); // (P4)
    case TML_PRIM_ANGLE:
        return angle_value(i, j, turns);
    }
    return (double)NAN;
}

void tml_prim_rows(const TmlPrim *p, const TmlFrameKin *i, const TmlFrameKin *j, TmlRow *Ji,
                   TmlRow *Jj)
{
    const TmlVec3 d = v3_sub(j->r, i->r);
    TmlVec3 x;
    *Ji = *Jj = (TmlRow){0};
    switch (p->kind) {
    case TML_PRIM_COORD:
        Jj->r = unit(p->axis_i); // (P6)
        Ji->r = v3_neg(Jj->r);
        break;
    case TML_PRIM_DOT:
        Ji->theta = v3_cross(axis(i, p->axis_i), axis(j, p->axis_j)); // (P7)
        Jj->theta = v3_neg(Ji->theta);
        break;
    case TML_PRIM_ALONG:
        Jj->r = axis(i, p->axis_i); // (P11)
        Ji->r = v3_neg(Jj->r);
        Ji->theta = v3_cross(Jj->r, d);
        break;
    case TML_PRIM_DIST:
        Jj->r = v3_scale(1.0 / v3_norm(d), d); // (P15)
        Ji->r = v3_neg(Jj->r);
        break;
    case TML_PRIM_ANGLE:
        x = v3_add(i->A.cz, j->A.cz);
        Jj->theta = v3_scale(2.0 / v3_dot(x, x), x); // (P19)
        Ji->theta = v3_neg(Jj->theta);
        break;
    }
}

double tml_prim_second_rate(const TmlPrim *p, const TmlFrameKin *i, const TmlFrameKin *j)
{
    const TmlVec3 d = v3_sub(j->r, i->r), d1 = v3_sub(j->v, i->v);
    switch (p->kind) {
    case TML_PRIM_COORD:
        return 0.0; // (P6)
    case TML_PRIM_DOT:
        return dot_second_rate(axis(i, p->axis_i), i->omega, axis(j, p->axis_j), j->omega);
    case TML_PRIM_ALONG: {
        const TmlVec3 a1 = v3_cross(i->omega, axis(i, p->axis_i));
        return v3_dot(v3_cross(i->omega, a1), d) + 2.0 * v3_dot(a1, d1); // (P13)
    }
    case TML_PRIM_DIST:
        return dist_second_rate(d, d1);
    case TML_PRIM_ANGLE:
        return angle_second_rate(i, j);
    }
    return (double)NAN;
}

void tml_prim_curvature(const TmlPrim *p, const TmlFrameKin *i, const TmlFrameKin *j, double scale,
                        double *K)
{
    const TmlVec3 d = v3_sub(j->r, i->r);
    switch (p->kind) {
    case TML_PRIM_COORD:
        break;
    case TML_PRIM_DOT:
        dot_curvature(axis(i, p->axis_i), axis(j, p->axis_j), scale, K);
        break;
    case TML_PRIM_ALONG:
        along_curvature(axis(i, p->axis_i), d, scale, K);
        break;
    case TML_PRIM_DIST:
        dist_curvature(d, scale, K);
        break;
    case TML_PRIM_ANGLE:
        angle_curvature(i->A.cz, j->A.cz, scale, K);
        break;
    }
}

void tml_prim_second_rate_tangent(const TmlPrim *p, const TmlFrameKin *i, const TmlFrameKin *j,
                                  TmlRow *mi, TmlRow *mj, TmlRow *vi, TmlRow *vj)
{
    const TmlVec3 d = v3_sub(j->r, i->r), d1 = v3_sub(j->v, i->v);
    *mi = *mj = *vi = *vj = (TmlRow){0};
    switch (p->kind) {
    case TML_PRIM_COORD:
        break;
    case TML_PRIM_DOT: {
        const TmlVec3 a = axis(i, p->axis_i), c = axis(j, p->axis_j);
        dot_tangent(a, i->omega, c, j->omega, mi, vi);
        dot_tangent(c, j->omega, a, i->omega, mj, vj);
        break;
    }
    case TML_PRIM_ALONG:
        along_tangent(axis(i, p->axis_i), i->omega, d, d1, mi, mj, vi, vj);
        break;
    case TML_PRIM_DIST:
        dist_tangent(d, d1, mi, mj, vi, vj);
        break;
    case TML_PRIM_ANGLE:
        angle_tangent(i, j, mi, mj, vi, vj);
        break;
    }
}

/* --- joints that are lists ----------------------------------------------------------------- */

void tml_prims_residual(const TmlPrim *list, int rows, const TmlElementIn *in, double *phi)
{
    for (int k = 0; k < rows; ++k) {
        phi[k] = tml_prim_value(&list[k], &in->e[0], &in->e[1], 0.0);
    }
}

void tml_prims_jacobian(const TmlPrim *list, int rows, const TmlElementIn *in, TmlRow *J)
{
    for (int k = 0; k < rows; ++k) {
        tml_prim_rows(&list[k], &in->e[0], &in->e[1], &J[2 * k], &J[2 * k + 1]);
    }
}

void tml_prims_gamma(const TmlPrim *list, int rows, const TmlElementIn *in, double *gamma)
{
    for (int k = 0; k < rows; ++k) {
        gamma[k] = -tml_prim_second_rate(&list[k], &in->e[0], &in->e[1]);
    }
}

void tml_prims_curvature(const TmlPrim *list, int rows, const TmlElementIn *in,
                         const double *lambda, double *K)
{
    for (int k = 0; k < rows; ++k) {
        const TmlPrim *p = &list[k];
        if (p->kind != TML_PRIM_DOT) {
            tml_prim_curvature(p, &in->e[0], &in->e[1], lambda[k], K);
            continue;
        }
        // (P8) is linear in a: rows with the same c are one
        TmlVec3 a = v3_scale(lambda[k], axis(&in->e[0], p->axis_i));
        for (; k + 1 < rows && p[1].kind == TML_PRIM_DOT && p[1].axis_j == p->axis_j; ++k, ++p) {
            a = v3_axpy(lambda[k + 1], axis(&in->e[0], p[1].axis_i), a);
        }
        dot_curvature(a, axis(&in->e[1], p->axis_j), 1.0, K);
    }
}

void tml_prims_gamma_tangent(const TmlPrim *list, int rows, const TmlElementIn *in, TmlRow *Gm,
                             TmlRow *Gv)
{
    for (int k = 0; k < rows; ++k) {
        TmlRow *m = &Gm[2 * k], *v = &Gv[2 * k];
        tml_prim_second_rate_tangent(&list[k], &in->e[0], &in->e[1], m, m + 1, v, v + 1);
        for (int end = 0; end < 2; ++end) {
            m[end] = (TmlRow){v3_neg(m[end].r), v3_neg(m[end].theta)};
            v[end] = (TmlRow){v3_neg(v[end].r), v3_neg(v[end].theta)};
        }
    }
}
