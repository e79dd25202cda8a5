/* model/flexible/mechanics/patch.c - shape functions of patches, sums between nodal vectors and slots. */
#include "model/flexible/mechanics/patch.h"

#include "math/vec3.h"

#include <string.h>

/* One direction: functions of both ends and derivatives by the length. */
typedef struct Side {
    double h[2], line[2], g[2];
} Side;

static double cubic(double c1, double c2, double c3, double p, int d)
{
    switch (d) {
    case 0:
        return p * (c1 + p * (c2 + p * c3));
    case 1:
        return c1 + p * (2.0 * c2 + p * 3.0 * c3);
    default:
        return 2.0 * c2 + 6.0 * c3 * p;
    }
}

/* Derivatives of order d at u from 0 to 1 of a side of the length l. */
static Side side_at(double l, double u, int d)
{
    Side s;
    for (int k = 0; k < 2; ++k) {
        const double p = k == 0 ? 1.0 - u : u, dp = k == 0 ? -1.0 / l : 1.0 / l;
        const double scale = d == 0 ? 1.0 : d == 1 ? dp : dp * dp;
        s.h[k] = scale * cubic(0.0, 3.0, -2.0, p, d);
        s.line[k] = scale * cubic(1.0, 0.0, 0.0, p, d);
        s.g[k] = (k == 0 ? l : -l) * scale * cubic(0.0, 1.0, -1.0, p, d);
    }
    return s;
}

/* Ends of the sides that node k is at. */
static const int end_x[TML_PATCH_NODES] = {0, 1, 1, 0}, end_y[TML_PATCH_NODES] = {0, 0, 1, 1};

void tml_patch_surface(int vectors, const double size[2], const double xi[2], int dx, int dy,
                       double *s)
{
    const Side x = side_at(size[0], xi[0], dx), y = side_at(size[1], xi[1], dy);
    memset(s, 0, (size_t)(TML_PATCH_NODES * vectors) * sizeof *s);
    for (int k = 0; k < TML_PATCH_NODES; ++k) {
        const int i = end_x[k], j = end_y[k];
        double *to = s + k * vectors;
        to[0] = x.h[i] * y.line[j] + x.line[i] * y.h[j] - x.line[i] * y.line[j]; // (P1)
        to[1] = x.g[i] * y.line[j];                                              // (P2)
        to[2] = x.line[i] * y.g[j];
    }
}

void tml_patch_director(const double size[2], const double xi[2], int dx, int dy, double *s)
{
    const Side x = side_at(size[0], xi[0], dx), y = side_at(size[1], xi[1], dy);
    memset(s, 0, 4 * TML_PATCH_NODES * sizeof *s);
    for (int k = 0; k < TML_PATCH_NODES; ++k) {
        s[4 * k + 3] = x.line[end_x[k]] * y.line[end_y[k]]; // (P3)
    }
}

void tml_patch_gather(int n, const TmlPatchStation *s, const double *x, TmlPatchSlots g)
{
    for (int k = 0; k < TML_PATCH_SLOTS; ++k) {
        double sum[3] = {0};
        for (int i = 0; i < n; ++i) {
            sum[0] += s->w[k][i] * x[3 * i];
            sum[1] += s->w[k][i] * x[3 * i + 1];
            sum[2] += s->w[k][i] * x[3 * i + 2];
        }
        memcpy(g[k], sum, sizeof sum);
    }
}

void tml_patch_scatter(int n, const TmlPatchStation *s, TmlPatchSlots h, double *f)
{
    for (int k = 0; k < TML_PATCH_SLOTS; ++k) {
        for (int i = 0; i < n; ++i) {
            f[3 * i] += s->w[k][i] * h[k][0];
            f[3 * i + 1] += s->w[k][i] * h[k][1];
            f[3 * i + 2] += s->w[k][i] * h[k][2];
        }
    }
}

void tml_patch_expand(int n, const TmlPatchStation *s, TmlPatchBlock H, double *K)
{
    enum { M = 3 * TML_PATCH_SLOTS };
    for (int i = 0; i < n; ++i) {
        double X[3][M] = {{0}};
        for (int k = 0; k < TML_PATCH_SLOTS; ++k) {
            const double w = s->w[k][i];
            for (int d = 0; d < 3 && w != 0.0; ++d) {
                for (int j = 0; j < M; ++j) {
                    X[d][j] += w * H[3 * k + d][j];
                }
            }
        }
        for (int d = 0; d < 3; ++d) {
            double *to = K + (size_t)((3 * i + d) * 3 * n);
            for (int k = 0; k < TML_PATCH_SLOTS; ++k) {
                const double x = X[d][3 * k], y = X[d][3 * k + 1], z = X[d][3 * k + 2];
                for (int j = 0; j < n; ++j) {
                    to[3 * j] += s->w[k][j] * x;
                    to[3 * j + 1] += s->w[k][j] * y;
                    to[3 * j + 2] += s->w[k][j] * z;
                }
            }
        }
    }
}

void tml_patch_strain_map(const double *T, double A[6][6])
{
    static const int first[6] = {0, 1, 2, 0, 0, 1}, other[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 36; ++k) {
        const int row = k / 6, col = k % 6;
        const double *a = T + 3 * first[row], *b = T + 3 * other[row];
        const int i = first[col], j = other[col];
        const double twice = row < 3 ? 1.0 : 2.0; // 2 E_ab in the last three
        A[row][col] = col < 3 ? twice * a[i] * b[i] : 0.5 * twice * (a[i] * b[j] + a[j] * b[i]);
    }
}

void tml_patch_moduli(double C[6][6], double A[6][6], double weight, double D[6][6])
{
    double CA[6][6] = {{0}};
    for (int k = 0; k < 216; ++k) {
        CA[k / 36][k % 6] += C[k / 36][k / 6 % 6] * A[k / 6 % 6][k % 6];
    }
    memset(D, 0, 36 * sizeof(double));
    for (int k = 0; k < 216; ++k) {
        D[k / 36][k % 6] += weight * A[k / 6 % 6][k / 36] * CA[k / 6 % 6][k % 6];
    }
}

void tml_patch_plane_stress(const TmlMaterial *m, double C[6][6])
{
    const double c = m->E / (1.0 - m->nu * m->nu);
    memset(C, 0, 36 * sizeof(double));
    C[0][0] = C[1][1] = c;
    C[0][1] = C[1][0] = c * m->nu;
    C[3][3] = m->E / (2.0 * (1.0 + m->nu));
}
