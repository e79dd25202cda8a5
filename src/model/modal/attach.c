/* model/modal/attach.c - frames that move relative to a body: (AT1) to (AT4) of attach.h. */
#include "model/modal/attach.h"

#include "math/array.h"
#include "math/rotation_derivative.h"
#include "math/vec3.h"

#include <string.h>

enum { N = TML_ATTACH_COLUMNS };

/* The relative angular velocity and its rate in the body's axes. */
static TmlVec3 relative_rate(const TmlAttach *z)
{
    return rotation_rate(z->psi[0], z->psi[1]);
}

static TmlVec3 relative_second(const TmlAttach *z)
{
    return v3_add(rotation_rate(z->psi[0], z->psi[2]), rotation_bias(z->psi[0], z->psi[1]));
}

void tml_attach_frame(const TmlFrameKin *k, const TmlAttach *z, TmlFrameKin *out)
{
    const TmlVec3 s = m3_mulv(&k->A, z->c[0]), s1 = m3_mulv(&k->A, z->c[1]);
    const TmlVec3 W = m3_mulv(&k->A, relative_rate(z)), ws = v3_cross(k->omega, s);
    const TmlMat33 R = q4_matrix(q4_exp(z->psi[0]));
    out->r = v3_add(k->r, s);
    out->A = m3_mul(&k->A, &R); // (AT1)
    out->v = v3_add(k->v, v3_add(ws, s1));
    out->a = v3_add(k->a, v3_cross(k->alpha, s));
    out->a = v3_add(out->a, v3_cross(k->omega, v3_axpy(2.0, s1, ws)));
    out->a = v3_add(out->a, m3_mulv(&k->A, z->c[2])); // (AT2)
    out->omega = v3_add(k->omega, W);
    out->alpha = v3_add(k->alpha, v3_cross(k->omega, W));
    out->alpha = v3_add(out->alpha, m3_mulv(&k->A, relative_second(z))); // (AT3)
}

/* What one of the twelve does to the body's frame, and to c, psi and their rates. */
typedef struct Change {
    TmlVec3 r, theta, v, omega, a, alpha;
    TmlVec3 c[3], psi[3]; /* body axes */
} Change;

static TmlVec3 entry(const double *M, int row, int column)
{
    return v3(M[row * 6 + column], M[(row + 1) * 6 + column], M[(row + 2) * 6 + column]);
}

static Change change_of(const TmlBodyMap *body, TmlCoeffs c, unsigned what, int column)
{
    Change d;
    memset(&d, 0, sizeof d);
    if (column < 6) {
        d.r = entry(body->P, 0, column);
        d.theta = entry(body->P, 3, column);
        if ((what & (TML_MAP_TWIST | TML_MAP_ACCELERATION)) != 0) {
            d.v = entry(body->W, 0, column);
            d.omega = entry(body->W, 3, column);
        }
        if ((what & TML_MAP_ACCELERATION) != 0) {
            d.a = entry(body->B, 0, column);
            d.alpha = entry(body->B, 3, column);
        }
        return d;
    }
    const double by[3] = {c.q, c.v, c.a};
    TmlVec3 *const of = column < 9 ? d.c : d.psi;
    for (int level = 0; level < 3; ++level) {
        const double x[3] = {column % 3 == 0 ? by[level] : 0.0, column % 3 == 1 ? by[level] : 0.0,
                             column % 3 == 2 ? by[level] : 0.0};
        of[level] = v3(x[0], x[1], x[2]);
    }
    return d;
}

/* Changes of the relative angular velocity and of its rate, body axes. */
static TmlVec3 rate_change(const TmlAttach *z, const Change *d)
{
    const TmlRotationCoeffs c = rotation_coeffs(z->psi[0]);
    return v3_add(rotation_rate(z->psi[0], d->psi[1]),
                  rotation_rate_change(z->psi[0], &c, z->psi[1], d->psi[0]));
}

static TmlVec3 second_change(const TmlAttach *z, const Change *d)
{
    const TmlRotationCoeffs c = rotation_coeffs(z->psi[0]);
    TmlVec3 x = rotation_rate(z->psi[0], d->psi[2]);
    x = v3_add(x, rotation_rate_change(z->psi[0], &c, z->psi[2], d->psi[0]));
    x = v3_add(x, rotation_bias_change(z->psi[0], &c, z->psi[1], d->psi[0]));
    return v3_add(x, rotation_bias_rate_change(z->psi[0], &c, z->psi[1], d->psi[1]));
}

static void put(double *M, int row, int column, TmlVec3 x)
{
    M[row * N + column] = x.x;
    M[(row + 1) * N + column] = x.y;
    M[(row + 2) * N + column] = x.z;
}

/* A vector fixed to the body by its components x, which change by dx: d(A x). */
static TmlVec3 turned(const TmlFrameKin *k, const Change *d, TmlVec3 Ax, TmlVec3 dx)
{
    return v3_add(v3_cross(d->theta, Ax), m3_mulv(&k->A, dx));
}

/* The variations of (AT2). */
static void put_translation(const TmlFrameKin *k, const TmlAttach *z, const Change *d,
                            unsigned what, int column, TmlFrameMap *out)
{
    const TmlVec3 s = m3_mulv(&k->A, z->c[0]), s1 = m3_mulv(&k->A, z->c[1]);
    const TmlVec3 s2 = m3_mulv(&k->A, z->c[2]), w = k->omega;
    const TmlVec3 ds = turned(k, d, s, d->c[0]), ds1 = turned(k, d, s1, d->c[1]);
    put(out->P, 0, column, v3_add(d->r, ds));
    const TmlVec3 dws = v3_add(v3_cross(d->omega, s), v3_cross(w, ds));
    if ((what & TML_MAP_TWIST) != 0) {
        put(out->W, 0, column, v3_add(d->v, v3_add(dws, ds1)));
    }
    if ((what & TML_MAP_ACCELERATION) != 0) {
        TmlVec3 x = v3_add(d->a, v3_add(v3_cross(d->alpha, s), v3_cross(k->alpha, ds)));
        x = v3_add(x, v3_cross(d->omega, v3_axpy(2.0, s1, v3_cross(w, s))));
        x = v3_add(x, v3_cross(w, v3_axpy(2.0, ds1, dws)));
        put(out->B, 0, column, v3_add(x, turned(k, d, s2, d->c[2])));
    }
}

/* The variations of (AT3). */
static void put_rotation(const TmlFrameKin *k, const TmlAttach *z, const Change *d, unsigned what,
                         int column, TmlFrameMap *out)
{
    const TmlVec3 turn = m3_mulv(&k->A, rotation_rate(z->psi[0], d->psi[0]));
    put(out->P, 3, column, v3_add(d->theta, turn));
    if ((what & (TML_MAP_TWIST | TML_MAP_ACCELERATION)) == 0) {
        return;
    }
    const TmlVec3 W = m3_mulv(&k->A, relative_rate(z)), dW = turned(k, d, W, rate_change(z, d));
    if ((what & TML_MAP_TWIST) != 0) {
        put(out->W, 3, column, v3_add(d->omega, dW));
    }
    if ((what & TML_MAP_ACCELERATION) != 0) {
        const TmlVec3 W1 = m3_mulv(&k->A, relative_second(z));
        TmlVec3 x = v3_add(d->alpha, v3_add(v3_cross(d->omega, W), v3_cross(k->omega, dW)));
        put(out->B, 3, column, v3_add(x, turned(k, d, W1, second_change(z, d))));
    }
}

void tml_attach_map(const TmlFrameKin *k, const TmlAttach *z, const TmlBodyMap *body, TmlCoeffs c,
                    unsigned what, TmlFrameMap *out)
{
    for (int column = 0; column < N; ++column) {
        const Change d = change_of(body, c, what, column);
        put_translation(k, z, &d, what, column, out);
        put_rotation(k, z, &d, what, column, out);
    }
}

/* D^T v; D(psi)^T = D(-psi). */
static TmlVec3 rate_dual(TmlVec3 psi, TmlVec3 v)
{
    return rotation_rate(v3_neg(psi), v);
}

void tml_attach_dual(const TmlFrameKin *k, const TmlAttach *z, const TmlRow *w, double g[12])
{
    const TmlVec3 s = m3_mulv(&k->A, z->c[0]);
    v3_put(g, w->r);
    v3_put(g + 3, v3_add(w->theta, v3_cross(s, w->r)));
    v3_put(g + 6, m3_tmulv(&k->A, w->r));
    v3_put(g + 9, rate_dual(z->psi[0], m3_tmulv(&k->A, w->theta))); // (AT4)
}

void tml_attach_geometric(const TmlFrameKin *k, const TmlAttach *z, TmlVec3 o, const TmlRow *w,
                          double c_q, double *K)
{
    const TmlVec3 f = w->r, s = m3_mulv(&k->A, z->c[0]);
    const TmlVec3 t = v3_add(w->theta, v3_cross(o, f)), t_b = m3_tmulv(&k->A, t);
    const TmlVec3 back = v3_neg(z->psi[0]);
    const TmlRotationCoeffs co = rotation_coeffs(back);
    const TmlBodyMap none = {{0}, {0}, {0}};
    for (int column = 3; column < N; ++column) { // nothing depends on the place of the body
        Change d = change_of(&none, (TmlCoeffs){.q = 1.0}, TML_MAP_MOTION, column);
        d.theta = v3(column == 3, column == 4, column == 5);
        const TmlVec3 turn = v3_add(d.theta, m3_mulv(&k->A, rotation_rate(z->psi[0], d.psi[0])));
        const TmlVec3 dt = v3_cross(v3_cross(turn, o), f), ds = turned(k, &d, s, d.c[0]);
        const TmlVec3 dt_b = m3_tmulv(&k->A, v3_sub(dt, v3_cross(d.theta, t)));
        TmlVec3 g = rate_dual(z->psi[0], dt_b);
        g = v3_sub(g, rotation_rate_change(back, &co, t_b, d.psi[0]));
        double e[N] = {0};
        v3_put(e + 3, v3_add(dt, v3_cross(ds, f)));
        v3_put(e + 6, m3_tmulv(&k->A, v3_neg(v3_cross(d.theta, f))));
        v3_put(e + 9, g);
        for (int row = 0; row < N; ++row) {
            K[row * N + column] += c_q * e[row];
        }
    }
}
