/* system/recursion/joint_charts.c - charts of joint coordinates, for methods that integrate accelerations twice.
 *
 *   (N15)  a chart has as many coordinates c as there are speeds. Those of a ball are the rotation vector from the quaternion in
 *          `base`: q = exp(c) q_base, y = D c', y' = D c'' + D' c' ((R1), (R2) of math/rotation.h); of other links c = x
 *   (N16)  derivatives by c'', c', c from those by y', y and a turn (N11), in the columns of a ball:
 *          K_0 D,  K_1 D + K_0 (D'c')_c',  K_2 D + K_1 (D c')_c + K_0 (D c'' + D' c')_c
 */
#include "system/recursion/links.h"

#include "math/rotation_derivative.h"

#include <math.h>
#include <string.h>

static TmlVec3 at3(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

static void put(double *x, TmlVec3 v)
{
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

void tml_charts_begin(const TmlRecursion *r, const double *x, double *c)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        const int n = l->kind == TML_LINK_SHIFT ? 3 : 1;
        if (l->kind == TML_LINK_BALL) {
            put(c + l->y0, v3(0, 0, 0));
        } else {
            memcpy(c + l->y0, x + l->x0, (size_t)n * sizeof *c);
        }
    }
}

bool tml_charts_hold(const TmlRecursion *r, const double *c)
{
    static const double most = 5.0; // charts end at 2 pi
    bool good = true;
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        good = good && (l->kind != TML_LINK_BALL || v3_norm(at3(c + l->y0)) < most);
    }
    return good;
}

void tml_charts_motion(const TmlRecursion *r, const double *base, const double *c, const double *c1,
                       const double *c2, double *x, double *y, double *y1)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        const int n = l->kind == TML_LINK_SHIFT ? 3 : 1;
        if (l->kind != TML_LINK_BALL) {
            memcpy(x + l->x0, c + l->y0, (size_t)n * sizeof *x);
            memcpy(y + l->y0, c1 + l->y0, (size_t)n * sizeof *y);
            memcpy(y1 + l->y0, c2 + l->y0, (size_t)n * sizeof *y1);
            continue;
        }
        const TmlVec3 theta = at3(c + l->y0), rate = at3(c1 + l->y0);
        const double *b = base + l->x0;
        const TmlQuat q = q4_mul(q4_exp(theta), (TmlQuat){b[0], b[1], b[2], b[3]});
        x[l->x0] = q.w, x[l->x0 + 1] = q.x, x[l->x0 + 2] = q.y, x[l->x0 + 3] = q.z;
        put(y + l->y0, rotation_rate(theta, rate));
        put(y1 + l->y0, v3_add(rotation_rate(theta, at3(c2 + l->y0)), rotation_bias(theta, rate)));
    }
}

void tml_charts_coordinates(const TmlRecursion *r, const double *base, const double *x,
                            const double *y, double *c, double *c1)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        const int n = l->kind == TML_LINK_SHIFT ? 3 : 1;
        if (l->kind != TML_LINK_BALL) {
            memcpy(c + l->y0, x + l->x0, (size_t)n * sizeof *c);
            memcpy(c1 + l->y0, y + l->y0, (size_t)n * sizeof *c1);
            continue;
        }
        const double *q = x + l->x0, *b = base + l->x0;
        const TmlVec3 theta = rotation_log(
            q4_mul((TmlQuat){q[0], q[1], q[2], q[3]}, q4_conj((TmlQuat){b[0], b[1], b[2], b[3]})));
        put(c + l->y0, theta);
        put(c1 + l->y0, rotation_rate_inverse(theta, at3(y + l->y0)));
    }
}

void tml_charts_second(const TmlRecursion *r, const double *c, const double *c1, const double *y1,
                       double *c2)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        if (l->kind == TML_LINK_BALL) {
            const TmlVec3 theta = at3(c + l->y0);
            const TmlVec3 rest = v3_sub(at3(y1 + l->y0), rotation_bias(theta, at3(c1 + l->y0)));
            put(c2 + l->y0, rotation_rate_inverse(theta, rest));
        } else {
            memcpy(c2 + l->y0, y1 + l->y0, (l->kind == TML_LINK_SHIFT ? 3 : 1) * sizeof *c2);
        }
    }
}

void tml_charts_change(const TmlRecursion *r, const double *c, const double *dc, double *dy)
{
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        if (l->kind == TML_LINK_BALL) {
            put(dy + l->y0, rotation_rate(at3(c + l->y0), at3(dc + l->y0)));
        } else {
            memcpy(dy + l->y0, dc + l->y0, (l->kind == TML_LINK_SHIFT ? 3 : 1) * sizeof *dy);
        }
    }
}

/* (N16) of the columns that begin at `first`. */
static void turn_columns(int n, int first, const TmlVec3 D[3], const TmlVec3 B[3],
                         const TmlVec3 C1[3], const TmlVec3 C2[3], double *const K[3])
{
    for (int i = 0; i < n; ++i) {
        double *z[3];
        TmlVec3 k[3];
        for (int s = 0; s < 3; ++s) {
            z[s] = K[s] + (ptrdiff_t)i * n + first;
            k[s] = at3(z[s]);
        }
        for (int j = 0; j < 3; ++j) {
            z[0][j] = v3_dot(k[0], D[j]);
            z[1][j] = v3_dot(k[1], D[j]) + v3_dot(k[0], B[j]);
            z[2][j] = v3_dot(k[2], D[j]) + v3_dot(k[1], C1[j]) + v3_dot(k[0], C2[j]);
        }
    }
}

void tml_charts_matrices(const TmlRecursion *r, const double *c, const double *c1, const double *c2,
                         int n, double *const K[3])
{
    static const TmlVec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < r->n_links; ++k) {
        const TmlLink *l = &r->link[k];
        if (l->kind != TML_LINK_BALL) {
            continue;
        }
        const TmlVec3 theta = at3(c + l->y0), rate = at3(c1 + l->y0), second = at3(c2 + l->y0);
        const TmlRotationCoeffs co = rotation_coeffs(theta);
        TmlVec3 D[3], B[3], C1[3], C2[3];
        for (int j = 0; j < 3; ++j) {
            D[j] = rotation_rate(theta, unit[j]);
            B[j] = rotation_bias_rate_change(theta, &co, rate, unit[j]);
            C1[j] = rotation_rate_change(theta, &co, rate, unit[j]);
            C2[j] = v3_add(rotation_rate_change(theta, &co, second, unit[j]),
                           rotation_bias_change(theta, &co, rate, unit[j]));
        }
        turn_columns(n, l->y0, D, B, C1, C2, K);
    }
}
