/* reduce/mesh/face.c - a face of an element and the point of it that is nearest to another point.
 *
 * The distance is made least by steps of Gauss and Newton: each takes the nearest point of the tangent plane that lies inside of
 * the triangle or square of natural coordinates.
 */
#include "reduce/mesh/face.h"

#include "math/gauss.h"
#include "math/vec3.h"

#include <math.h>

enum { STEPS = 50 };
static const double step_least = 1e-13; // of natural coordinates, whose range is one or two

/* --- shape functions ---------------------------------------------------------------------------- */

static void triangle(int n, const double at[2], double *N, double (*dN)[2])
{
    static const double dL[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    const double L[3] = {1.0 - at[0] - at[1], at[0], at[1]};
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        N[i] = n == 3 ? L[i] : L[i] * (2.0 * L[i] - 1.0);
        for (int c = 0; c < 2; ++c) {
            dN[i][c] = n == 3 ? dL[i][c] : (4.0 * L[i] - 1.0) * dL[i][c];
            if (n == 6) {
                dN[3 + i][c] = 4.0 * (L[i] * dL[j][c] + L[j] * dL[i][c]);
            }
        }
        if (n == 6) {
            N[3 + i] = 4.0 * L[i] * L[j];
        }
    }
}

static void square(int n, const double at[2], double *N, double (*dN)[2])
{
    static const double s[4] = {-1, 1, 1, -1}, t[4] = {-1, -1, 1, 1};
    const double x = at[0], y = at[1];
    for (int i = 0; i < 4; ++i) {
        const double a = 1.0 + s[i] * x, b = 1.0 + t[i] * y, c = s[i] * x + t[i] * y - 1.0;
        N[i] = 0.25 * a * b * (n == 8 ? c : 1.0);
        dN[i][0] = 0.25 * s[i] * b * (n == 8 ? c + a : 1.0);
        dN[i][1] = 0.25 * t[i] * a * (n == 8 ? c + b : 1.0);
    }
    for (int i = 0; i < 4 && n == 8; ++i) { // middles: y = -1, x = 1, y = 1, x = -1
        const bool along_x = i % 2 == 0;
        const double side = i == 0 || i == 3 ? -1.0 : 1.0;
        const double p = along_x ? x : y, q = along_x ? y : x; // along the edge, across it
        N[4 + i] = 0.5 * (1.0 - p * p) * (1.0 + side * q);
        dN[4 + i][along_x ? 0 : 1] = -p * (1.0 + side * q);
        dN[4 + i][along_x ? 1 : 0] = 0.5 * (1.0 - p * p) * side;
    }
}

static void shape(int n, const double at[2], double *N, double (*dN)[2])
{
    if (n % 4 == 0) {
        square(n, at, N, dN);
    } else {
        triangle(n, at, N, dN);
    }
}

/* --- the nearest point -------------------------------------------------------------------------- */

typedef struct Tangent {
    TmlVec3 x, t[2];
    double a[3]; /* t0.t0, t0.t1, t1.t1 */
} Tangent;

static void tangent_at(int n, const TmlVec3 *x, const double at[2], double *N, double (*dN)[2],
                       Tangent *out)
{
    *out = (Tangent){.x = v3(0, 0, 0), .t = {v3(0, 0, 0), v3(0, 0, 0)}};
    shape(n, at, N, dN);
    for (int i = 0; i < n; ++i) {
        out->x = v3_axpy(N[i], x[i], out->x);
        out->t[0] = v3_axpy(dN[i][0], x[i], out->t[0]);
        out->t[1] = v3_axpy(dN[i][1], x[i], out->t[1]);
    }
    out->a[0] = v3_dot(out->t[0], out->t[0]);
    out->a[1] = v3_dot(out->t[0], out->t[1]);
    out->a[2] = v3_dot(out->t[1], out->t[1]);
}

/* a . x = b of the symmetric a; false: the tangents are parallel. */
static bool solve2(const double a[3], const double b[2], double x[2])
{
    const double det = a[0] * a[2] - a[1] * a[1];
    if (!(det > 1e-14 * a[0] * a[2])) {
        return false;
    }
    x[0] = (a[2] * b[0] - a[1] * b[1]) / det;
    x[1] = (a[0] * b[1] - a[1] * b[0]) / det;
    return true;
}

static bool inside(int corners, const double at[2])
{
    return corners == 3 ? at[0] >= 0.0 && at[1] >= 0.0 && at[0] + at[1] <= 1.0
                        : fabs(at[0]) <= 1.0 && fabs(at[1]) <= 1.0;
}

/* The point of the triangle or square that is nearest to r in the tangent plane; `at` is where the plane touches. */
static void nearest_in_plane(int corners, const Tangent *T, TmlVec3 r, double at[2])
{
    static const double square_corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const double triangle_corner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    const double(*corner)[2] = corners == 4 ? square_corner : triangle_corner;
    const double b[2] = {v3_dot(T->t[0], r), v3_dot(T->t[1], r)};
    double step[2], best = (double)INFINITY, to[2] = {at[0], at[1]};
    if (solve2(T->a, b, step)) {
        const double whole[2] = {at[0] + step[0], at[1] + step[1]};
        if (inside(corners, whole)) {
            at[0] = whole[0];
            at[1] = whole[1];
            return;
        }
    }
    for (int e = 0; e < corners; ++e) {
        const double *p = corner[e], *q = corner[(e + 1) % corners];
        const TmlVec3 begin =
            v3_add(v3_scale(p[0] - at[0], T->t[0]), v3_scale(p[1] - at[1], T->t[1]));
        const TmlVec3 along =
            v3_add(v3_scale(q[0] - p[0], T->t[0]), v3_scale(q[1] - p[1], T->t[1]));
        const double length2 = v3_dot(along, along);
        double s = length2 > 0.0 ? v3_dot(along, v3_sub(r, begin)) / length2 : 0.0;
        s = fmin(1.0, fmax(0.0, s));
        const TmlVec3 miss = v3_sub(r, v3_axpy(s, along, begin));
        const double distance2 = v3_dot(miss, miss);
        if (distance2 < best) {
            best = distance2;
            to[0] = p[0] + s * (q[0] - p[0]);
            to[1] = p[1] + s * (q[1] - p[1]);
        }
    }
    at[0] = to[0];
    at[1] = to[1];
}

void tml_face_foot(int n, const TmlVec3 *x, TmlVec3 p, TmlFaceFoot *out)
{
    const int corners = n % 4 == 0 ? 4 : 3;
    double at[2] = {corners == 3 ? 1.0 / 3.0 : 0.0, corners == 3 ? 1.0 / 3.0 : 0.0};
    double dN[TML_FACE_NODES][2] = {{0}};
    Tangent T;
    *out = (TmlFaceFoot){0};
    for (int k = 0; k < STEPS; ++k) {
        const double before[2] = {at[0], at[1]};
        tangent_at(n, x, at, out->N, dN, &T);
        nearest_in_plane(corners, &T, v3_sub(p, T.x), at);
        if (fabs(at[0] - before[0]) + fabs(at[1] - before[1]) < step_least) {
            break;
        }
    }
    tangent_at(n, x, at, out->N, dN, &T);
    const TmlVec3 area = v3_cross(T.t[0], T.t[1]);
    out->foot = T.x;
    out->distance = v3_norm(v3_sub(p, T.x));
    out->size = sqrt(v3_norm(area)) * (corners == 4 ? 2.0 : sqrt(0.5));
    out->normal = v3_unit(area);
    for (int i = 0; i < n; ++i) {
        double c[2] = {0};
        if (solve2(T.a, dN[i], c)) {
            out->g[i] = v3_add(v3_scale(c[0], T.t[0]), v3_scale(c[1], T.t[1]));
        }
    }
}

void tml_face_row(const TmlFaceFoot *f, int i, TmlVec3 d, double out[3][3])
{
    const TmlVec3 n = f->normal, tilt = v3_cross(f->g[i], n);
    const TmlVec3 spin = v3_scale(0.5, v3_cross(n, f->g[i])); // n . (g x u) = u . (n x g)
    const double by_n[3] = {n.x, n.y, n.z}, by_spin[3] = {spin.x, spin.y, spin.z};
    const TmlVec3 from_tilt = v3_cross(tilt, d), from_spin = v3_cross(n, d);
    const double tilts[3] = {from_tilt.x, from_tilt.y, from_tilt.z};
    const double spins[3] = {from_spin.x, from_spin.y, from_spin.z};
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            out[a][b] = (a == b ? f->N[i] : 0.0) + tilts[a] * by_n[b] + spins[a] * by_spin[b];
        }
    }
}

void tml_face_pressure(int n, const TmlVec3 *x, double p, TmlVec3 *f)
{
    enum {
        GAUSS = 3
    }; // N is of degree 2, the normal of degree 2, and the way to a square adds one
    const bool square = n % 4 == 0;
    double at[GAUSS], w[GAUSS];
    tml_gauss(GAUSS, at, w);
    for (int k = 0; k < GAUSS * GAUSS; ++k) {
        const double a = at[k / GAUSS], b = at[k % GAUSS];
        const double place[2] = {square ? 2.0 * a - 1.0 : a,
                                 square ? 2.0 * b - 1.0 : b * (1.0 - a)};
        const double weight = w[k / GAUSS] * w[k % GAUSS] * (square ? 4.0 : 1.0 - a);
        double N[TML_FACE_NODES], dN[TML_FACE_NODES][2];
        Tangent T;
        tangent_at(n, x, place, N, dN, &T);
        const TmlVec3 push = v3_scale(-p * weight, v3_cross(T.t[0], T.t[1]));
        for (int i = 0; i < n; ++i) { // (FA2)
            f[i] = v3_axpy(N[i], push, f[i]);
        }
    }
}
