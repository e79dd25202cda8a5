/* system/recursion/symmetric.h - symmetric 3x3 matrices by their six numbers. */
#pragma once

#include "math/vec3.h"

typedef struct TmlSym {
    double xx, yy, zz, xy, xz, yz;
} TmlSym;

static inline TmlVec3 sym_mulv(const TmlSym *S, TmlVec3 v)
{
    return v3(S->xx * v.x + S->xy * v.y + S->xz * v.z, S->xy * v.x + S->yy * v.y + S->yz * v.z,
              S->xz * v.x + S->yz * v.y + S->zz * v.z);
}

/* S += s v v^T */
static inline void sym_add_square(TmlSym *S, double s, TmlVec3 v)
{
    const TmlVec3 sv = v3_scale(s, v);
    S->xx += sv.x * v.x;
    S->yy += sv.y * v.y;
    S->zz += sv.z * v.z;
    S->xy += sv.x * v.y;
    S->xz += sv.x * v.z;
    S->yz += sv.y * v.z;
}

static inline void sym_add(TmlSym *S, const TmlSym *T)
{
    S->xx += T->xx;
    S->yy += T->yy;
    S->zz += T->zz;
    S->xy += T->xy;
    S->xz += T->xz;
    S->yz += T->yz;
}

/* S -= s c~ c~, c~ c~ = c c^T - |c|^2 1 */
static inline void sym_add_offset(TmlSym *S, double s, TmlVec3 c)
{
    const double cc = s * v3_dot(c, c);
    sym_add_square(S, -s, c);
    S->xx += cc;
    S->yy += cc;
    S->zz += cc;
}

/* A S A^T */
static inline TmlSym sym_turn(const TmlMat33 *A, const TmlSym *S)
{
    // the rows of A S
    const TmlVec3 a = v3(A->cx.x, A->cy.x, A->cz.x), b = v3(A->cx.y, A->cy.y, A->cz.y),
                  c = v3(A->cx.z, A->cy.z, A->cz.z);
    const TmlVec3 Sa = sym_mulv(S, a), Sb = sym_mulv(S, b), Sc = sym_mulv(S, c);
    return (TmlSym){v3_dot(a, Sa), v3_dot(b, Sb), v3_dot(c, Sc),
                    v3_dot(a, Sb), v3_dot(a, Sc), v3_dot(b, Sc)};
}

static inline TmlSym sym_of(const TmlMat33 *M)
{
    return (TmlSym){M->cx.x, M->cy.y, M->cz.z, M->cy.x, M->cz.x, M->cz.y};
}

static inline TmlSym sym_diagonal(double x)
{
    return (TmlSym){x, x, x, 0.0, 0.0, 0.0};
}

static inline double sym_trace(const TmlSym *S)
{
    return S->xx + S->yy + S->zz;
}

/* Sets *out to S^-1, by elimination without a change of order. False: a pivot is not above `least` of its own diagonal. */
static inline bool sym_invert(const TmlSym *S, double least, TmlSym *out)
{
    // S = L D L^T; least-axis pivots stay positive for definite matrices
    const double d0 = S->xx, i0 = 1.0 / d0;
    const double l1 = S->xy * i0, l2 = S->xz * i0;
    const double d1 = S->yy - l1 * S->xy, i1 = 1.0 / d1;
    const double y2 = S->yz - l2 * S->xy, l3 = y2 * i1;
    const double d2 = S->zz - l2 * S->xz - l3 * y2, i2 = 1.0 / d2;
    // L^-1 = [1; -l1 1; m -l3 1]
    const double m = l1 * l3 - l2;
    out->zz = i2;
    out->yz = -l3 * i2;
    out->xz = m * i2;
    out->yy = i1 - l3 * out->yz;
    out->xy = -l1 * i1 + m * out->yz;
    out->xx = i0 + l1 * l1 * i1 + m * out->xz;
    return d0 > 0.0 && d1 > least * S->yy && d2 > least * S->zz;
}
