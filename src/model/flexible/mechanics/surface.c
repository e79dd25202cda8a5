/* model/flexible/mechanics/surface.c - (F1) to (F3) of surface.h. */
#include "model/flexible/mechanics/surface.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { RX, RY, RXX, RYY, RXY, SLOTS, M = 3 * SLOTS };
enum { E11, E22, E12, K11, K22, K12, STRAINS };

static TmlVec3 vec(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

static void put(double *row, int slot, TmlVec3 v)
{
    row[3 * slot] = v.x;
    row[3 * slot + 1] = v.y;
    row[3 * slot + 2] = v.z;
}

void tml_surface_station(int vectors, const double size[2], const double xi[2], TmlPatchStation *s)
{
    static const int order[SLOTS][2] = {{1, 0}, {0, 1}, {2, 0}, {0, 2}, {1, 1}};
    *s = (TmlPatchStation){0};
    for (int k = 0; k < SLOTS; ++k) {
        tml_patch_surface(vectors, size, xi, order[k][0], order[k][1], s->w[k]);
    }
}

/* b of the three curvatures: the last one twice. */
static double twice(int k)
{
    return k == 2 ? 2.0 : 1.0;
}

/* (F1) and the gradients of (F2). */
void tml_surface_eval(TmlPatchSlots g, TmlSurface *s)
{
    const TmlVec3 a = vec(g[RX]), b = vec(g[RY]), c = v3_cross(a, b);
    const double det = v3_dot(c, c);
    memset(s->B, 0, sizeof s->B);
    s->n = v3_scale(1.0 / sqrt(det), c);
    s->dual[0] = v3_scale(1.0 / det, v3_cross(b, c));
    s->dual[1] = v3_scale(1.0 / det, v3_cross(c, a));
    s->e[E11] = 0.5 * v3_dot(a, a);
    s->e[E22] = 0.5 * v3_dot(b, b);
    s->e[E12] = v3_dot(a, b);
    put(s->B[E11], RX, a);
    put(s->B[E22], RY, b);
    put(s->B[E12], RX, b);
    put(s->B[E12], RY, a);
    for (int k = 0; k < 3; ++k) {
        const TmlVec3 second = v3_scale(twice(k), vec(g[RXX + k]));
        s->kappa[k] = s->e[K11 + k] = v3_dot(s->n, second);
        put(s->B[K11 + k], RXX + k, v3_scale(twice(k), s->n));
        for (int i = 0; i < 2; ++i) {
            s->beta[k][i] = v3_dot(second, s->dual[i]);
            put(s->B[K11 + k], RX + i, v3_scale(-s->beta[k][i], s->n));
            s->dual2[i][0] = v3_dot(s->dual[i], s->dual[0]);
            s->dual2[i][1] = v3_dot(s->dual[i], s->dual[1]);
        }
    }
}

/* Rates of the gradients: (F2), (F3) with the velocities. */
void tml_surface_rates(TmlPatchSlots v, TmlSurface *s)
{
    const TmlVec3 da[2] = {vec(v[RX]), vec(v[RY])};
    const double across[2] = {v3_dot(s->n, da[0]), v3_dot(s->n, da[1])};
    const TmlVec3 dn = v3_axpy(-across[0], s->dual[0], v3_scale(-across[1], s->dual[1]));
    memset(s->R, 0, sizeof s->R);
    put(s->R[E11], RX, da[0]);
    put(s->R[E22], RY, da[1]);
    put(s->R[E12], RX, da[1]);
    put(s->R[E12], RY, da[0]);
    for (int k = 0; k < 3; ++k) {
        const TmlVec3 second = v3_scale(twice(k), vec(v[RXX + k]));
        put(s->R[K11 + k], RXX + k, v3_scale(twice(k), dn));
        for (int i = 0; i < 2; ++i) {
            double beta = v3_dot(s->dual[i], second);
            for (int j = 0; j < 2; ++j) {
                beta += s->dual2[i][j] * s->kappa[k] * across[j] -
                        s->beta[k][j] * v3_dot(s->dual[i], da[j]);
            }
            put(s->R[K11 + k], RX + i, v3_axpy(-beta, s->n, v3_scale(-s->beta[k][i], dn)));
        }
    }
}

double tml_surface_dot(const double *row, TmlPatchSlots v)
{
    double sum = 0.0;
    for (int i = 0; i < M; ++i) {
        sum += row[i] * v[i / 3][i % 3];
    }
    return sum;
}

static void add_outer(double c, TmlVec3 a, TmlVec3 b, int row, int col, TmlPatchBlock H)
{
    const double u[3] = {c * a.x, c * a.y, c * a.z}, v[3] = {b.x, b.y, b.z};
    for (int k = 0; k < 9; ++k) {
        H[3 * row + k / 3][3 * col + k % 3] += u[k / 3] * v[k % 3];
    }
}

static void add_unit(double c, int row, int col, TmlPatchBlock H)
{
    for (int d = 0; d < 3; ++d) {
        H[3 * row + d][3 * col + d] += c;
    }
}

void tml_surface_hessians(const TmlSurface *s, const double *S, double c_q, TmlPatchBlock H)
{
    double beta[2] = {0}, kappa = 0.0;
    add_unit(c_q * S[E11], RX, RX, H);
    add_unit(c_q * S[E22], RY, RY, H);
    add_unit(c_q * S[E12], RX, RY, H);
    add_unit(c_q * S[E12], RY, RX, H);
    for (int k = 0; k < 3; ++k) {
        const double c = c_q * S[K11 + k];
        kappa += c * s->kappa[k];
        for (int i = 0; i < 2; ++i) {
            beta[i] += c * s->beta[k][i];
            add_outer(-c * twice(k), s->dual[i], s->n, RXX + k, RX + i, H);
            add_outer(-c * twice(k), s->n, s->dual[i], RX + i, RXX + k, H);
        }
    }
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            add_outer(beta[j], s->n, s->dual[i], RX + i, RX + j, H);
            add_outer(beta[i], s->dual[j], s->n, RX + i, RX + j, H);
            add_outer(-kappa * s->dual2[i][j], s->n, s->n, RX + i, RX + j, H);
        }
    }
}

double tml_surface_axes(TmlPatchSlots g, double *T)
{
    const TmlVec3 c = v3_cross(vec(g[RX]), vec(g[RY])), n = v3_unit(c);
    const double J[9] = {g[RX][0], g[RX][1], g[RX][2], g[RY][0], g[RY][1], g[RY][2], n.x, n.y, n.z};
    return v3_norm(c) > 0.0 ? tml_flex_axes(J, J, T) : 0.0;
}
