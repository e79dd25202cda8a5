/* reduce/element/shell4.c - shell of four nodes: membrane, bending with shear that does not lock.
 *
 * Shear strains along the natural directions are taken at the middles of edges and interpolated:
 *
 *   (S4A)  shear_r(s) = (1 + s)/2 shear_r(0, 1) + (1 - s)/2 shear_r(0, -1),
 *          shear_s(r) = (1 + r)/2 shear_s(1, 0) + (1 - r)/2 shear_s(-1, 0)
 *   (S4B)  shear_r = w,r + x,r ry - y,r rx;  (shear_x, shear_y) = J^-1 (shear_r, shear_s)
 *
 * Source: Bathe, Dvorkin, Int. J. Num. Meth. Eng. 21 (1985) 367.
 */
#include "reduce/element/shell_flat.h"

#include <string.h>

enum { N = 4, ALL = TML_SHELL_FREEDOMS, COLUMNS = TML_SHELL_COLUMNS, STRAINS = TML_SHELL_STRAINS };

static const char *const inp[] = {"S4", "S4R", NULL};
static const double corner[N][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
#define GAUSS 0.57735026918962576451 /* 1 / sqrt 3 */
static const double points[N][3] = {
    {-GAUSS, -GAUSS, 1}, {GAUSS, -GAUSS, 1}, {GAUSS, GAUSS, 1}, {-GAUSS, GAUSS, 1}};

static void shell4_shape(double r, double s, double *shape, double (*dN)[2])
{
    for (int k = 0; k < N; ++k) {
        const double a = corner[k][0], b = corner[k][1];
        shape[k] = 0.25 * (1.0 + a * r) * (1.0 + b * s);
        dN[k][0] = 0.25 * a * (1.0 + b * s);
        dN[k][1] = 0.25 * b * (1.0 + a * r);
    }
}

/* out += share * shear along direction i (0: r, 1: s) at a point. (S4B) */
static void add_shear(const TmlShellFlat *f, int i, double r, double s, double share, double *out)
{
    double shape[N], dN[N][2], dx = 0.0, dy = 0.0;
    shell4_shape(r, s, shape, dN);
    for (int k = 0; k < N; ++k) {
        dx += dN[k][i] * f->x[k];
        dy += dN[k][i] * f->y[k];
    }
    for (int k = 0; k < N; ++k) {
        out[6 * k + 2] += share * dN[k][i];
        out[6 * k + 4] += share * dx * shape[k];
        out[6 * k + 3] -= share * dy * shape[k];
    }
}

static double shell4_strains(const TmlShellFlat *f, double r, double s, double B[STRAINS][COLUMNS])
{
    double shape[N], g[N][2], dN[N][2], along[2][ALL] = {{0}}, J[2][2] = {{0}};
    const double det = tml_shell_gradient(f, shell4_shape, r, s, shape, g);
    tml_shell_plane_strains(N, shape, g, B);
    add_shear(f, 0, 0.0, 1.0, 0.5 * (1.0 + s), along[0]); // (S4A)
    add_shear(f, 0, 0.0, -1.0, 0.5 * (1.0 - s), along[0]);
    add_shear(f, 1, 1.0, 0.0, 0.5 * (1.0 + r), along[1]);
    add_shear(f, 1, -1.0, 0.0, 0.5 * (1.0 - r), along[1]);
    shell4_shape(r, s, shape, dN);
    for (int k = 0; k < N; ++k) {
        for (int i = 0; i < 2; ++i) {
            J[i][0] += dN[k][i] * f->x[k];
            J[i][1] += dN[k][i] * f->y[k];
        }
    }
    for (int j = 0; j < ALL; ++j) {
        B[6][j] = (J[1][1] * along[0][j] - J[0][1] * along[1][j]) / det;
        B[7][j] = (J[0][0] * along[1][j] - J[1][0] * along[0][j]) / det;
    }
    return det;
}

static const TmlShellKind kind = {
    .n_points = N,
    .point = points,
    .shape = shell4_shape,
    .strains = shell4_strains,
    .to_node = {1.86602540378443864676, -0.5, 0.13397459621556135324, -0.5}};

static const int face[N] = {0, 1, 2, 3};

TML_FE_TYPE(shell4) = {
    .name = "shell4",
    .text = "Shell of four nodes that turn; shear does not lock.",
    .inp = inp,
    .n_nodes = N,
    .n_corners = N,
    .n_freedoms = 6,
    .n_faces = 1,
    .n_around = N,
    .face = face,
    .shell = &kind,
    .check = tml_shell_check,
    .stiffness = tml_shell_stiffness,
    .mass = tml_shell_mass,
    .masses = tml_shell_masses,
    .n_stress = 2 * N,
    .stress = tml_shell_stress,
    .to_nodes = tml_shell_to_nodes,
    .sides = tml_shell_sides,
    .normal = tml_shell_normal,
    .geometric = tml_shell_geometric,
};
