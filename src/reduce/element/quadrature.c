/* reduce/element/quadrature.c - points of integration of tetrahedra, hexahedra and wedges.
 *
 * Barycentric coordinates of the points of tetrahedra, weights as parts of the volume 1/6:
 *
 *   (Q1)  4 points   (b, a, a, a) and its turns, a = (5 - sqrt 5)/20, b = 1 - 3 a, weight 1/4
 *   (Q2)  15 points  (1/4, 1/4, 1/4, 1/4), weight 16/135;
 *                    (b, a, a, a), a = (7 -+ sqrt 15)/34, weight (2665 +- 14 sqrt 15)/37800;
 *                    (c, c, d, d), c = (10 - 2 sqrt 15)/40, d = 1/2 - c, weight 10/189
 *
 * Triangles of wedges, weights as parts of the area 1/2:
 *
 *   (Q3)  3 points   (2/3, 1/6, 1/6) and its turns, weight 1/3
 *   (Q4)  6 points   (1 - 2 a, a, a) and its turns, a = (8 - sqrt 10 +- sqrt(38 - 44 sqrt(2/5))) / 18,
 *                    weight (620 +- sqrt(213125 - 53320 sqrt 10)) / 3720
 *
 * Source of (Q4): Dunavant, Int. J. Numer. Methods Eng. 21 (1985) 1129, degree 4, in closed form.
 * Source of (Q2): Stroud, Approximate calculation of multiple integrals (1971), T3:5-1.
 */
#include "reduce/element/quadrature.h"

#include "math/gauss.h"

#include <math.h>

/* --- tetrahedra ---------------------------------------------------------------------------- */

static TmlFePoint tet_point(const double b[4], double part)
{
    return (TmlFePoint){{b[1], b[2], b[3]}, part / 6.0};
}

/* Four points, at each of which one coordinate differs from the others. */
static int corner_points(double a, double part, TmlFePoint *out)
{
    for (int k = 0; k < 4; ++k) {
        double b[4] = {a, a, a, a};
        b[k] = 1.0 - 3.0 * a;
        out[k] = tet_point(b, part);
    }
    return 4;
}

int tml_tet_points_1(TmlFePoint *out)
{
    out[0] = tet_point((const double[4]){0.25, 0.25, 0.25, 0.25}, 1.0);
    return 1;
}

int tml_tet_points_4(TmlFePoint *out)
{
    return corner_points((5.0 - sqrt(5.0)) / 20.0, 0.25, out); // (Q1)
}

int tml_tet_points_15(TmlFePoint *out)
{
    const double s = sqrt(15.0), c = (10.0 - 2.0 * s) / 40.0, d = 0.5 - c;
    int n = tml_tet_points_1(out);
    out[0].weight *= 16.0 / 135.0; // (Q2)
    n += corner_points((7.0 - s) / 34.0, (2665.0 + 14.0 * s) / 37800.0, out + n);
    n += corner_points((7.0 + s) / 34.0, (2665.0 - 14.0 * s) / 37800.0, out + n);
    for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) {
            double b[4] = {d, d, d, d};
            b[i] = b[j] = c;
            out[n++] = tet_point(b, 10.0 / 189.0);
        }
    }
    return n;
}

void tml_tet_continue(int n, const TmlFePoint *points, const double at[3], double *weight)
{
    if (n == 1) {
        weight[0] = 1.0;
        return;
    }
    // the inverse of the matrix with b on its diagonal and a elsewhere has the same form
    const double a = points[0].at[0], b = 1.0 - 3.0 * a;
    const double L[4] = {1.0 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
    for (int k = 0; k < 4; ++k) {
        weight[k] = (L[k] - a) / (b - a);
    }
}

/* --- hexahedra ----------------------------------------------------------------------------- */

static int hex_points(int n, TmlFePoint *out)
{
    double x[TML_GAUSS_MAX], w[TML_GAUSS_MAX];
    int count = 0;
    tml_gauss(n, x, w);
    for (int k = 0; k < n; ++k) {
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                out[count++] = (TmlFePoint){{2.0 * x[i] - 1.0, 2.0 * x[j] - 1.0, 2.0 * x[k] - 1.0},
                                            8.0 * w[i] * w[j] * w[k]};
            }
        }
    }
    return count;
}

int tml_hex_points_8(TmlFePoint *out)
{
    return hex_points(2, out);
}

int tml_hex_points_27(TmlFePoint *out)
{
    return hex_points(3, out);
}

/* The polynomial of Lagrange that is one at point i of n along a line and zero at the others. */
static double lagrange(int n, const double *x, int i, double at)
{
    double value = 1.0;
    for (int k = 0; k < n; ++k) {
        value *= k != i ? (at - x[k]) / (x[i] - x[k]) : 1.0;
    }
    return value;
}

void tml_hex_continue(int n, const TmlFePoint *points, const double at[3], double *weight)
{
    const int m = n == 8 ? 2 : 3;
    double x[3];
    for (int i = 0; i < m; ++i) {
        x[i] = points[i].at[0];
    }
    for (int k = 0; k < n; ++k) {
        weight[k] = lagrange(m, x, k % m, at[0]) * lagrange(m, x, k / m % m, at[1]) *
                    lagrange(m, x, k / (m * m), at[2]);
    }
}

/* --- wedges ---------------------------------------------------------------------------------- */

/* Three points of the triangle, at each of which one coordinate differs from the others. */
static void turned_points(double a, double part, double (*out)[3])
{
    for (int k = 0; k < 3; ++k) {
        double b[3] = {a, a, a};
        b[k] = 1.0 - 2.0 * a;
        out[k][0] = b[1];
        out[k][1] = b[2];
        out[k][2] = 0.5 * part;
    }
}

/* n points of a triangle (two coordinates and a weight) times m of Gauss along the axis. */
static int wedge_points(int n, double (*triangle)[3], int m, TmlFePoint *out)
{
    double z[TML_GAUSS_MAX], w[TML_GAUSS_MAX];
    int count = 0;
    tml_gauss(m, z, w);
    for (int k = 0; k < m; ++k) {
        for (int i = 0; i < n; ++i) {
            out[count++] = (TmlFePoint){{triangle[i][0], triangle[i][1], 2.0 * z[k] - 1.0},
                                        2.0 * w[k] * triangle[i][2]};
        }
    }
    return count;
}

int tml_wedge_points_2(TmlFePoint *out)
{
    double one[1][3] = {{1.0 / 3.0, 1.0 / 3.0, 0.5}};
    return wedge_points(1, one, 2, out);
}

int tml_wedge_points_9(TmlFePoint *out)
{
    double three[3][3];
    turned_points(1.0 / 6.0, 1.0 / 3.0, three); // (Q3)
    return wedge_points(3, three, 3, out);
}

int tml_wedge_points_18(TmlFePoint *out)
{
    const double s = sqrt(10.0), r = sqrt(38.0 - 44.0 * sqrt(0.4));
    const double v = sqrt(213125.0 - 53320.0 * s);
    double six[6][3];
    turned_points((8.0 - s + r) / 18.0, (620.0 + v) / 3720.0, six); // (Q4)
    turned_points((8.0 - s - r) / 18.0, (620.0 - v) / 3720.0, six + 3);
    return wedge_points(6, six, 3, out);
}

void tml_wedge_continue(int n, const TmlFePoint *points, const double at[3], double *weight)
{
    const int around = n == 2 ? 1 : 3, m = n / around;
    const double L[3] = {1.0 - at[0] - at[1], at[0], at[1]};
    double z[3];
    for (int k = 0; k < m; ++k) {
        z[k] = points[around * k].at[2];
    }
    for (int k = 0; k < n; ++k) {
        // the inverse of the matrix with 2/3 on its diagonal and 1/6 elsewhere
        const double flat = around == 1 ? 1.0 : 2.0 * L[k % 3] - 1.0 / 3.0;
        weight[k] = flat * lagrange(m, z, k / around, at[2]);
    }
}
