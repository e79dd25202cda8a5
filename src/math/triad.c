/* math/triad.c - (T1), (T4) to (T6) with their first and second time derivatives. */
#include "math/triad.h"

#include "math/vec3.h"

#include <math.h>

/* Numbers and vectors with their first and second derivative by time. */
typedef struct Jet {
    double x, d, dd;
} Jet;
typedef struct VecJet {
    TmlVec3 x, d, dd;
} VecJet;

static Jet jet_mul(Jet a, Jet b)
{
    return (Jet){a.x * b.x, a.d * b.x + a.x * b.d, a.dd * b.x + 2.0 * a.d * b.d + a.x * b.dd};
}

static Jet jet_inverse(Jet a)
{
    const double r = 1.0 / a.x, d = -a.d * r * r;
    return (Jet){r, d, -a.dd * r * r - 2.0 * a.d * d * r};
}

static Jet jet_sqrt(Jet a)
{
    const double s = sqrt(a.x), d = a.d / (2.0 * s);
    return (Jet){s, d, (a.dd - 2.0 * d * d) / (2.0 * s)};
}

static Jet jet_dot(const VecJet *a, const VecJet *b)
{
    return (Jet){v3_dot(a->x, b->x), v3_dot(a->d, b->x) + v3_dot(a->x, b->d),
                 v3_dot(a->dd, b->x) + 2.0 * v3_dot(a->d, b->d) + v3_dot(a->x, b->dd)};
}

static VecJet jet_cross(const VecJet *a, const VecJet *b)
{
    return (VecJet){
        v3_cross(a->x, b->x), v3_add(v3_cross(a->d, b->x), v3_cross(a->x, b->d)),
        v3_add(v3_axpy(2.0, v3_cross(a->d, b->d), v3_cross(a->dd, b->x)), v3_cross(a->x, b->dd))};
}

static VecJet jet_scale(Jet s, const VecJet *a)
{
    return (VecJet){v3_scale(s.x, a->x), v3_axpy(s.d, a->x, v3_scale(s.x, a->d)),
                    v3_axpy(s.dd, a->x, v3_axpy(2.0 * s.d, a->d, v3_scale(s.x, a->dd)))};
}

static VecJet jet_unit(const VecJet *a)
{
    return jet_scale(jet_inverse(jet_sqrt(jet_dot(a, a))), a);
}

/* R[.][block of a (0) or b (3)] += x y^T */
static void add_outer(double R[3][18], int block, const VecJet *x, const VecJet *y, double sign)
{
    const double *xs[3] = {&x->x.x, &x->d.x, &x->dd.x}, *ys[3] = {&y->x.x, &y->d.x, &y->dd.x};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int at = 6 * i + block + j;
            R[0][at] += sign * xs[0][i] * ys[0][j];
            R[1][at] += sign * (xs[1][i] * ys[0][j] + xs[0][i] * ys[1][j]);
            R[2][at] +=
                sign * (xs[2][i] * ys[0][j] + 2.0 * xs[1][i] * ys[1][j] + xs[0][i] * ys[2][j]);
        }
    }
}

void tml_triad(const TmlVec3 a[3], const TmlVec3 b[3], TmlTriad *out)
{
    const VecJet ja = {a[0], a[1], a[2]}, jb = {b[0], b[1], b[2]};
    const VecJet normal = jet_cross(&ja, &jb);
    const VecJet e1 = jet_unit(&ja), e3 = jet_unit(&normal), e2 = jet_cross(&e3, &e1);
    const Jet la = jet_inverse(jet_sqrt(jet_dot(&ja, &ja)));
    const Jet b2 = jet_inverse(jet_dot(&jb, &e2));
    const Jet k = jet_mul(jet_mul(jet_dot(&jb, &e1), b2), la);
    const VecJet e2a = jet_scale(la, &e2), e3a = jet_scale(la, &e3);
    const VecJet e3k = jet_scale(k, &e3), e3b = jet_scale(b2, &e3);
    *out = (TmlTriad){.A = {e1.x, e2.x, e3.x}};
    add_outer(out->R, 0, &e3, &e2a, 1.0);
    add_outer(out->R, 0, &e2, &e3a, -1.0);
    add_outer(out->R, 0, &e1, &e3k, -1.0);
    add_outer(out->R, 3, &e1, &e3b, 1.0);
}

void tml_triad_even(const TmlVec3 a[3], const TmlVec3 b[3], TmlTriad *out)
{
    const VecJet ja = {a[0], a[1], a[2]}, jb = {b[0], b[1], b[2]};
    const VecJet normal = jet_cross(&ja, &jb), e3 = jet_unit(&normal), turned = jet_cross(&e3, &jb);
    const VecJet c = {v3_sub(ja.x, turned.x), v3_sub(ja.d, turned.d), v3_sub(ja.dd, turned.dd)};
    const VecJet e1 = jet_unit(&c), e2 = jet_cross(&e3, &e1);
    const Jet by_m = jet_inverse(jet_sqrt(jet_dot(&c, &c)));
    const Jet by_n = jet_inverse(jet_sqrt(jet_dot(&normal, &normal)));
    const VecJet e1m = jet_scale(by_m, &e1), e2m = jet_scale(by_m, &e2);
    const VecJet e3n = jet_scale(by_n, &e3);
    *out = (TmlTriad){.A = {e1.x, e2.x, e3.x}};
    add_outer(out->R, 0, &e3, &e2m, 1.0); // (T5)
    add_outer(out->R, 0, &jb, &e3n, -1.0);
    add_outer(out->R, 3, &ja, &e3n, 1.0);
    add_outer(out->R, 3, &e3, &e1m, -1.0);
}

/* R += s~ for a jet s, in the block of a. */
static void add_skew(double R[3][18], const VecJet *s)
{
    const TmlVec3 *const level[3] = {&s->x, &s->d, &s->dd};
    for (int k = 0; k < 3; ++k) {
        R[k][1] -= level[k]->z;
        R[k][2] += level[k]->y;
        R[k][6] += level[k]->z;
        R[k][8] -= level[k]->x;
        R[k][12] -= level[k]->y;
        R[k][13] += level[k]->x;
    }
}

void tml_triad_least(const TmlVec3 a[3], const TmlMat33 *start, TmlTriad *out)
{
    const VecJet ja = {a[0], a[1], a[2]}, e0 = {.x = start->cx}, e1 = jet_unit(&ja);
    const Jet la = jet_inverse(jet_sqrt(jet_dot(&ja, &ja)));
    const VecJet w = jet_cross(&e0, &e1), e1a = jet_scale(la, &e1);
    Jet c = jet_dot(&e0, &e1);
    c.x += 1.0;
    c = c.x > 1e-12 ? jet_inverse(c) : (Jet){1e12, 0.0, 0.0};
    const VecJet wk = jet_scale(jet_mul(c, la), &w);
    const TmlMat33 W = m3_skew(w.x), WW = m3_skew_skew(w.x, w.x), one = m3_identity();
    const TmlMat33 turn = m3_axpy(c.x, &WW, &W), whole = m3_add(&one, &turn);
    *out = (TmlTriad){.A = m3_mul(&whole, start)};
    add_skew(out->R, &e1a); // (T4)
    add_outer(out->R, 0, &e1, &wk, -1.0);
}

void tml_triad_spinless(const TmlVec3 a[3], const TmlMat33 *start, TmlTriad *out)
{
    const VecJet ja = {a[0], a[1], a[2]};
    const VecJet e1 = jet_scale(jet_inverse(jet_dot(&ja, &ja)), &ja);
    const TmlVec3 x = v3_unit(a[0]);
    const TmlVec3 y = fabs(v3_dot(x, start->cy)) < 0.9 ? start->cy : start->cz;
    const TmlVec3 z = v3_unit(v3_cross(x, y));
    *out = (TmlTriad){.A = {x, v3_cross(z, x), z}};
    add_skew(out->R, &e1); // (T6)
}

void tml_triad_of(TmlTriadKind kind, const TmlVec3 a[3], const TmlVec3 b[3], const TmlMat33 *start,
                  TmlTriad *out)
{
    switch (kind) {
    case TML_TRIAD_ALONG:
        tml_triad(a, b, out);
        break;
    case TML_TRIAD_EVEN:
        tml_triad_even(a, b, out);
        break;
    case TML_TRIAD_LEAST:
        tml_triad_least(a, start, out);
        break;
    case TML_TRIAD_SPINLESS:
        tml_triad_spinless(a, start, out);
        break;
    }
}

void tml_triad_dual_derivative(TmlTriadKind kind, TmlVec3 a, TmlVec3 b, const TmlMat33 *start,
                               TmlVec3 t, double *H)
{
    const double ts[3] = {t.x, t.y, t.z};
    for (int j = 0; j < 6; ++j) {
        // R' for a motion along unknown j is the derivative by it
        const double d[6] = {j == 0, j == 1, j == 2, j == 3, j == 4, j == 5};
        const TmlVec3 as[3] = {a, {d[0], d[1], d[2]}, {0, 0, 0}};
        const TmlVec3 bs[3] = {b, {d[3], d[4], d[5]}, {0, 0, 0}};
        TmlTriad triad;
        tml_triad_of(kind, as, bs, start, &triad);
        for (int i = 0; i < 6; ++i) {
            H[6 * i + j] = 0.0;
            for (int k = 0; k < 3; ++k) {
                H[6 * i + j] += triad.R[1][6 * k + i] * ts[k];
            }
        }
    }
}
