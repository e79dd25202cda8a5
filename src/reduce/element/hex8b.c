/* reduce/element/hex8b.c - hexahedron of eight nodes with a uniform change of volume.
 *
 * With g_a the gradients of the shape functions, G_a their mean over the volume V, and the bulk modulus
 * k = lambda + 2/3 mu, the change of volume of each point is that of the whole element:
 *
 *   (HB1)  K_ab = int mu (g_b g_a^T + g_a . g_b I) - 2/3 mu g_a g_b^T dV + k V G_a G_b^T
 *   (HB2)  stress = 2 mu (strain - tr(strain)/3 I) + k tr(mean strain) I
 *
 * This is C3D8 of Abaqus. Nearly incompressible materials do not lock; bending is as stiff as with
 * full integration. Source: Hughes, The finite element method (1987), 4.5.
 */
#include "reduce/element/hex.h"
#include "reduce/element/isoparametric.h"
#include "reduce/element/quadrature.h"

#include "math/vec3.h"

#include <string.h>

enum { NODES = 8, N = 24, POINTS = 8 };

static const char *const inp[] = {NULL};

/* Gradients at the points with weights times determinants, and their means; the volume. */
static double all_gradients(const TmlFeOne *e, TmlVec3 g[POINTS][NODES], double *w, TmlVec3 *mean)
{
    TmlFePoint point[TML_FE_POINTS];
    TmlVec3 here[TML_FE_NODES];
    double volume = 0.0;
    (void)tml_hex_points_8(point);
    memset(mean, 0, NODES * sizeof *mean);
    for (int k = 0; k < POINTS; ++k) {
        w[k] = point[k].weight * tml_iso_gradient(e, point[k].at, here);
        memcpy(g[k], here, sizeof g[k]);
        volume += w[k];
        for (int a = 0; a < NODES; ++a) {
            mean[a] = v3_axpy(w[k], here[a], mean[a]);
        }
    }
    for (int a = 0; a < NODES; ++a) {
        mean[a] = v3_scale(1.0 / volume, mean[a]);
    }
    return volume;
}

/* K_ab += s p q^T */
static void add_outer(double *K, int a, int b, double s, TmlVec3 p, TmlVec3 q)
{
    const double x[3] = {p.x, p.y, p.z}, y[3] = {q.x, q.y, q.z};
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
            K[(3 * b + j) * N + 3 * a + i] += s * x[i] * y[j];
        }
    }
}

static void hex8b_stiffness(const TmlFeOne *e, double *K)
{
    TmlVec3 g[POINTS][NODES], mean[NODES];
    double w[POINTS], lambda, mu;
    tml_iso_lame(&e->material, &lambda, &mu);
    const double volume = all_gradients(e, g, w, mean), bulk = lambda + 2.0 / 3.0 * mu;
    memset(K, 0, N * N * sizeof *K);
    for (int a = 0; a < NODES; ++a) {
        for (int b = 0; b < NODES; ++b) { // (HB1)
            add_outer(K, a, b, bulk * volume, mean[a], mean[b]);
            for (int k = 0; k < POINTS; ++k) {
                const double dot = mu * w[k] * v3_dot(g[k][a], g[k][b]);
                add_outer(K, a, b, mu * w[k], g[k][b], g[k][a]);
                add_outer(K, a, b, -2.0 / 3.0 * mu * w[k], g[k][a], g[k][b]);
                for (int i = 0; i < 3; ++i) {
                    K[(3 * b + i) * N + 3 * a + i] += dot;
                }
            }
        }
    }
}

static void hex8b_stress(const TmlFeOne *e, const double *u, double *out)
{
    TmlVec3 g[POINTS][NODES], mean[NODES];
    double w[POINTS], lambda, mu, swell = 0.0;
    tml_iso_lame(&e->material, &lambda, &mu);
    (void)all_gradients(e, g, w, mean);
    for (int a = 0; a < NODES; ++a) {
        swell += v3_dot(mean[a], v3(u[3 * a], u[3 * a + 1], u[3 * a + 2]));
    }
    for (int k = 0; k < POINTS; ++k) {
        double slope[3][3] = {{0}};
        for (int a = 0; a < NODES; ++a) {
            for (int i = 0; i < 3; ++i) {
                slope[i][0] += u[3 * a + i] * g[k][a].x;
                slope[i][1] += u[3 * a + i] * g[k][a].y;
                slope[i][2] += u[3 * a + i] * g[k][a].z;
            }
        }
        const double more = (swell - slope[0][0] - slope[1][1] - slope[2][2]) / 3.0;
        for (int i = 0; i < 3; ++i) {
            slope[i][i] += more; // (HB2)
        }
        tml_iso_hooke(lambda, mu, slope, out + 6 * k);
    }
}

TML_FE_TYPE(hex8b) = {
    .name = "hex8b",
    .text = "Hexahedron of eight nodes with a uniform change of volume, as C3D8 of Abaqus.",
    .inp = inp,
    .n_nodes = NODES,
    .n_corners = NODES,
    .n_freedoms = 3,
    .n_faces = 6,
    .n_around = 4,
    .face = &tml_hex8_face[0][0],
    .node_at = tml_hex_node_at,
    .shape = tml_hex8_shape,
    .stiffness_points = tml_hex_points_8,
    .mass_points = tml_hex_points_8,
    .check = tml_iso_check,
    .stiffness = hex8b_stiffness,
    .mass = tml_iso_mass,
    .scalar_mass = tml_iso_scalar_mass,
    .n_stress = POINTS,
    .stress = hex8b_stress,
    .to_nodes = tml_hex_to_nodes,
    .geometric = tml_iso_geometric,
};
