/* reduce/element/hex8i.c - hexahedron of eight nodes with incompatible modes: bends as it should.
 *
 * Displacements have three modes more, of each component, inside of the element alone:
 *
 *   (HI1)  u = sum_a N_a u_a + sum_k (1 - x_k^2) alpha_k,  k = 1..3
 *   (HI2)  gradient of a mode: det J_0 / det J  J_0^-T (0, .., -2 x_k, ..),  J_0 at the centre
 *   (HI3)  alpha = -K_ii^-1 K_iu u,  K = K_uu - K_ui K_ii^-1 K_iu
 *
 * By (HI2) the modes do no work on uniform stress, so that the patch test holds for any shape.
 * Source: Taylor, Beresford, Wilson, Int. J. Num. Meth. Eng. 10 (1976) 1211.
 */
#include "reduce/element/hex.h"
#include "reduce/element/isoparametric.h"
#include "reduce/element/quadrature.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { NODES = 8, MODES = 3, ALL = NODES + MODES, N = 3 * NODES, I = 3 * MODES, POINTS = 8 };

static const char *const inp[] = {"C3D8I", "C3D8R", NULL};

/* J at natural coordinates. */
static TmlMat33 jacobian(const TmlFeOne *e, const double at[3])
{
    double shape[TML_FE_NODES], dN[TML_FE_NODES][3];
    TmlMat33 J = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    tml_hex8_shape(at, shape, dN);
    for (int a = 0; a < NODES; ++a) {
        J.cx = v3_axpy(dN[a][0], e->x[a], J.cx);
        J.cy = v3_axpy(dN[a][1], e->x[a], J.cy);
        J.cz = v3_axpy(dN[a][2], e->x[a], J.cz);
    }
    return J;
}

/* Gradients of the nodes' functions, then of the modes; the determinant. */
static double gradients(const TmlFeOne *e, const double at[3], TmlVec3 *g)
{
    const TmlMat33 J0 = jacobian(e, (const double[3]){0, 0, 0});
    const double det = tml_iso_gradient(e, at, g), s = -2.0 / det;
    g[NODES] =
        v3_scale(s * at[0], v3_cross(J0.cy, J0.cz)); // (HI2): det J_0 J_0^-T are cross products
    g[NODES + 1] = v3_scale(s * at[1], v3_cross(J0.cz, J0.cx));
    g[NODES + 2] = v3_scale(s * at[2], v3_cross(J0.cx, J0.cy));
    return det;
}

/* Stiffness of nodes and modes. */
static void whole_stiffness(const TmlFeOne *e, double K[3 * ALL][3 * ALL])
{
    TmlFePoint point[TML_FE_POINTS];
    TmlVec3 g[TML_FE_NODES];
    double lambda, mu;
    tml_iso_lame(&e->material, &lambda, &mu);
    memset(K, 0, sizeof(double[3 * ALL][3 * ALL]));
    (void)tml_hex_points_8(point);
    for (int k = 0; k < POINTS; ++k) {
        const double w = point[k].weight * gradients(e, point[k].at, g);
        for (int a = 0; a < ALL; ++a) {
            const double p[3] = {g[a].x, g[a].y, g[a].z};
            for (int b = 0; b < ALL; ++b) {
                const double q[3] = {g[b].x, g[b].y, g[b].z}, dot = mu * w * v3_dot(g[a], g[b]);
                for (int i = 0; i < 3; ++i) {
                    for (int j = 0; j < 3; ++j) {
                        K[3 * a + i][3 * b + j] +=
                            w * (lambda * p[i] * q[j] + mu * q[i] * p[j]) + (i == j ? dot : 0.0);
                    }
                }
            }
        }
    }
}

/* X = K_ii^-1 K_iu by Cholesky's factors. */
static void mode_response(double K[3 * ALL][3 * ALL], double X[I][N])
{
    double L[I][I] = {{0}};
    for (int j = 0; j < I; ++j) {
        for (int i = j; i < I; ++i) {
            double sum = K[N + i][N + j];
            for (int k = 0; k < j; ++k) {
                sum -= L[i][k] * L[j][k];
            }
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    }
    for (int c = 0; c < N; ++c) {
        for (int i = 0; i < I; ++i) {
            X[i][c] = K[N + i][c];
            for (int k = 0; k < i; ++k) {
                X[i][c] -= L[i][k] * X[k][c];
            }
            X[i][c] /= L[i][i];
        }
        for (int i = I - 1; i >= 0; --i) {
            for (int k = i + 1; k < I; ++k) {
                X[i][c] -= L[k][i] * X[k][c];
            }
            X[i][c] /= L[i][i];
        }
    }
}

static void hex8i_stiffness(const TmlFeOne *e, double *K)
{
    double all[3 * ALL][3 * ALL], X[I][N];
    whole_stiffness(e, all);
    mode_response(all, X);
    for (int j = 0; j < N; ++j) { // (HI3), one triangle and its mirror
        for (int i = j; i < N; ++i) {
            double sum = all[i][j];
            for (int k = 0; k < I; ++k) {
                sum -= all[N + k][i] * X[k][j];
            }
            K[j * N + i] = K[i * N + j] = sum;
        }
    }
}

static void hex8i_stress(const TmlFeOne *e, const double *u, double *out)
{
    TmlFePoint point[TML_FE_POINTS];
    TmlVec3 g[TML_FE_NODES];
    double all[3 * ALL][3 * ALL], X[I][N], v[3 * ALL], lambda, mu;
    tml_iso_lame(&e->material, &lambda, &mu);
    whole_stiffness(e, all);
    mode_response(all, X);
    memcpy(v, u, N * sizeof *u);
    for (int k = 0; k < I; ++k) {
        v[N + k] = 0.0;
        for (int j = 0; j < N; ++j) {
            v[N + k] -= X[k][j] * u[j]; // (HI3)
        }
    }
    (void)tml_hex_points_8(point);
    for (int k = 0; k < POINTS; ++k) {
        double slope[3][3] = {{0}};
        (void)gradients(e, point[k].at, g);
        for (int a = 0; a < ALL; ++a) {
            for (int i = 0; i < 3; ++i) {
                slope[i][0] += v[3 * a + i] * g[a].x;
                slope[i][1] += v[3 * a + i] * g[a].y;
                slope[i][2] += v[3 * a + i] * g[a].z;
            }
        }
        tml_iso_hooke(lambda, mu, slope, out + 6 * k);
    }
}

TML_FE_TYPE(hex8i) = {
    .name = "hex8i",
    .text = "Hexahedron of eight nodes with incompatible modes, for bending.",
    .inp = inp,
    .msh = 5,
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
    .stiffness = hex8i_stiffness,
    .mass = tml_iso_mass,
    .scalar_mass = tml_iso_scalar_mass,
    .n_stress = POINTS,
    .stress = hex8i_stress,
    .to_nodes = tml_hex_to_nodes,
    .geometric = tml_iso_geometric,
};
