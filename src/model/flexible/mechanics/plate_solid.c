/* model/flexible/mechanics/plate_solid.c - plates as solids: (D1) of plate.h.
 *
 *   (D7)  columns Q = P T^T of the force of a point go to r_x, r_y, r_z, and z times the first two
 *         to r_zx, r_zy; tangents the same way on both sides
 */
#include "base/fail.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/flexible/mechanics/plate.h"

#include <math.h>
#include <string.h>

enum { N = TML_PLATE_VECTORS, SIDE = 4 };

void tml_plate_station(const double size[2], const double xi[2], TmlPatchStation *s)
{
    *s = (TmlPatchStation){0};
    tml_patch_surface(4, size, xi, 1, 0, s->w[TML_PLATE_RX]);
    tml_patch_surface(4, size, xi, 0, 1, s->w[TML_PLATE_RY]);
    tml_patch_director(size, xi, 0, 0, s->w[TML_PLATE_RZ]);
    tml_patch_director(size, xi, 1, 0, s->w[TML_PLATE_RZX]);
    tml_patch_director(size, xi, 0, 1, s->w[TML_PLATE_RZY]);
}

void tml_plate_gradient(TmlPatchSlots g, double z, double *J)
{
    for (int d = 0; d < 3; ++d) {
        J[d] = g[TML_PLATE_RX][d] + z * g[TML_PLATE_RZX][d];
        J[3 + d] = g[TML_PLATE_RY][d] + z * g[TML_PLATE_RZY][d];
        J[6 + d] = g[TML_PLATE_RZ][d];
    }
}

double tml_plate_reference(TmlPatchSlots g, double z, double *T)
{
    double J[9], J_middle[9];
    tml_plate_gradient(g, z, J);
    tml_plate_gradient(g, 0.0, J_middle);
    return tml_flex_axes(J, J_middle, T);
}

void tml_plate_deformation(TmlPatchSlots g, double z, const double *T, double *F)
{
    double J[9];
    tml_plate_gradient(g, z, J);
    for (int k = 0; k < 9; ++k) {
        const double *t = T + k / 3 * 3;
        F[k] = J[k % 3] * t[0] + J[3 + k % 3] * t[1] + J[6 + k % 3] * t[2];
    }
}

TmlStatus tml_plate_solid_init(TmlPlateSolid *p, const TmlFlexData *data,
                               const TmlFlexReference *ref, TmlError *err)
{
    double x[TML_GAUSS_MAX], w[TML_GAUSS_MAX], z[TML_GAUSS_MAX], w_z[TML_GAUSS_MAX];
    const double h = data->section.height, volume = ref->size[0] * ref->size[1] * h;
    p->law = tml_solid_isotropic(&data->material);
    tml_gauss(SIDE, x, w);
    tml_gauss(TML_PLATE_LAYERS, z, w_z);
    for (int k = 0; k < TML_PLATE_STATIONS; ++k) {
        const int i = k / SIDE, j = k % SIDE;
        TmlPatchSlots g;
        tml_plate_station(ref->size, (double[2]){x[i], x[j]}, &p->station[k]);
        tml_patch_gather(N, &p->station[k], ref->x, g);
        for (int l = 0; l < TML_PLATE_LAYERS; ++l) {
            p->point[k][l].z = h * (z[l] - 0.5);
            const double det = tml_plate_reference(g, p->point[k][l].z, p->point[k][l].T);
            if (!(det > 0.0)) {
                return tml_fail(err, TML_E_MODEL, "is inverted or has no size (volume ratio %.3g)",
                                det);
            }
            p->point[k][l].volume = volume * det * w[i] * w[j] * w_z[l];
        }
    }
    return TML_OK;
}

/* Slots and, with damping, their rates. */
static bool gather(const TmlPlateSolid *p, int k, const TmlFlexIn *in, TmlPatchSlots g,
                   TmlPatchSlots rate)
{
    tml_patch_gather(N, &p->station[k], in->x, g);
    if (p->law.tau > 0.0) {
        tml_patch_gather(N, &p->station[k], in->v, rate);
    }
    return p->law.tau > 0.0;
}

void tml_plate_solid_force(const TmlPlateSolid *p, const TmlFlexIn *in, double *f)
{
    memset(f, 0, TML_PLATE_SIZE * sizeof *f);
    for (int k = 0; k < TML_PLATE_STATIONS; ++k) {
        TmlPatchSlots g, rate, h = {{0}};
        const bool moving = gather(p, k, in, g, rate);
        for (int l = 0; l < TML_PLATE_LAYERS; ++l) {
            const double *T = p->point[k][l].T, z = p->point[k][l].z;
            double F[9], V[9], S[6], P[9];
            tml_plate_deformation(g, z, T, F);
            if (moving) {
                tml_plate_deformation(rate, z, T, V);
            }
            tml_solid_stress(&p->law, F, moving ? V : NULL, NULL, S);
            tml_solid_piola(F, S, P);
            for (int i = 0; i < 9; ++i) { // (D7)
                const int c = i / 3, d = i % 3;
                const double q = p->point[k][l].volume *
                                 (T[c] * P[d] + T[3 + c] * P[3 + d] + T[6 + c] * P[6 + d]);
                h[TML_PLATE_RX + c][d] += q;
                if (c < 2) {
                    h[TML_PLATE_RZX + c][d] += z * q;
                }
            }
        }
        tml_patch_scatter(N, &p->station[k], h, f);
    }
}

/* H += s A, (D7) on both sides. */
static void add_tangent(double s, double z, double A[3][3][9], TmlPatchBlock H)
{
    for (int i = 0; i < TML_PLATE_SLOTS; ++i) {
        for (int j = 0; j < TML_PLATE_SLOTS; ++j) {
            const double c = s * (i > TML_PLATE_RZ ? z : 1.0) * (j > TML_PLATE_RZ ? z : 1.0);
            for (int k = 0; k < 9; ++k) {
                H[3 * i + k / 3][3 * j + k % 3] += c * A[i % 3][j % 3][k];
            }
        }
    }
}

void tml_plate_solid_tangent(const TmlPlateSolid *p, const TmlFlexIn *in, double c_q, double c_v,
                             double *K)
{
    memset(K, 0, TML_PLATE_SIZE * TML_PLATE_SIZE * sizeof *K);
    for (int k = 0; k < TML_PLATE_STATIONS; ++k) {
        TmlPatchSlots g, rate, moved;
        TmlPatchBlock H = {{0}};
        const bool moving = gather(p, k, in, g, rate);
        if (in->moved != NULL) {
            tml_patch_gather(N, &p->station[k], in->moved, moved);
        }
        for (int l = 0; l < TML_PLATE_LAYERS; ++l) {
            const double *T = p->point[k][l].T, z = p->point[k][l].z;
            double F[9], V[9], A[3][3][9];
            tml_plate_deformation(g, z, T, F);
            if (moving) {
                tml_plate_deformation(rate, z, T, V);
            }
            tml_solid_tangent(&p->law, F, moving ? V : NULL, c_q, c_v, A);
            if (in->moved != NULL) {
                tml_plate_deformation(moved, z, T, V);
                tml_solid_linear(&p->law, V, c_q, A);
            }
            tml_solid_pull_back(T, A);
            add_tangent(p->point[k][l].volume, z, A, H);
        }
        tml_patch_expand(N, &p->station[k], H, K);
    }
}

double tml_plate_solid_energy(const TmlPlateSolid *p, const double *x)
{
    double energy = 0.0;
    for (int k = 0; k < TML_PLATE_STATIONS; ++k) {
        TmlPatchSlots g;
        tml_patch_gather(N, &p->station[k], x, g);
        for (int l = 0; l < TML_PLATE_LAYERS; ++l) {
            double F[9];
            tml_plate_deformation(g, p->point[k][l].z, p->point[k][l].T, F);
            energy += p->point[k][l].volume * tml_solid_energy(&p->law, F);
        }
    }
    return energy;
}

double tml_plate_solid_volume(const TmlPlateSolid *p, const double *x)
{
    double smallest = HUGE_VAL;
    for (int k = 0; k < TML_PLATE_STATIONS; ++k) {
        TmlPatchSlots g;
        tml_patch_gather(N, &p->station[k], x, g);
        for (int l = 0; l < TML_PLATE_LAYERS; ++l) {
            double F[9];
            tml_plate_deformation(g, p->point[k][l].z, p->point[k][l].T, F);
            const double det =
                v3_dot(v3(F[0], F[1], F[2]), v3_cross(v3(F[3], F[4], F[5]), v3(F[6], F[7], F[8])));
            smallest = det >= smallest ? smallest : det; // lets NaN through
        }
    }
    return smallest;
}
