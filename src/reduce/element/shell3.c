/* reduce/element/shell3.c - shell of three nodes: membrane of constant strain, bending with shear.
 *
 * Shear strains along the natural directions, with tying points 1 (1/2, 0), 2 (0, 1/2), 3 (1/2, 1/2):
 *
 *   (S3A)  shear_r = r1 + c s,  shear_s = s2 - c r,  c = s2 - r1 - s3 + r3
 *
 * where r1 is shear_r at point 1, and so on. Source: Lee, Bathe, Computers & Structures 82 (2004) 945.
 */
#include "reduce/element/shell_flat.h"

enum { N = 3, ALL = TML_SHELL_FREEDOMS, COLUMNS = TML_SHELL_COLUMNS, STRAINS = TML_SHELL_STRAINS };

static const char *const inp[] = {"S3", "S3R", NULL};
static const double points[N][3] = {
    {1.0 / 6, 1.0 / 6, 1.0 / 6}, {2.0 / 3, 1.0 / 6, 1.0 / 6}, {1.0 / 6, 2.0 / 3, 1.0 / 6}};

static void shell3_shape(double r, double s, double *shape, double (*dN)[2])
{
    static const double slope[N][2] = {{-1, -1}, {1, 0}, {0, 1}};
    shape[0] = 1.0 - r - s;
    shape[1] = r;
    shape[2] = s;
    for (int k = 0; k < N; ++k) {
        dN[k][0] = slope[k][0];
        dN[k][1] = slope[k][1];
    }
}

/* Shear along direction i (0: r, 1: s) at a point. */
static void shear_at(const TmlShellFlat *f, int i, double r, double s, double out[ALL])
{
    double shape[N], dN[N][2];
    const double dx = f->x[i + 1] - f->x[0], dy = f->y[i + 1] - f->y[0];
    shell3_shape(r, s, shape, dN);
    for (int k = 0; k < N; ++k) {
        out[6 * k + 2] = dN[k][i];
        out[6 * k + 4] = dx * shape[k];
        out[6 * k + 3] = -dy * shape[k];
    }
}

static double shell3_strains(const TmlShellFlat *f, double r, double s, double B[STRAINS][COLUMNS])
{
    double shape[N], g[N][2];
    double r1[ALL] = {0}, s2[ALL] = {0}, r3[ALL] = {0}, s3[ALL] = {0};
    const double det = tml_shell_gradient(f, shell3_shape, r, s, shape, g);
    const double xr = f->x[1] - f->x[0], yr = f->y[1] - f->y[0];
    const double xs = f->x[2] - f->x[0], ys = f->y[2] - f->y[0];
    tml_shell_plane_strains(N, shape, g, B);
    shear_at(f, 0, 0.5, 0.0, r1);
    shear_at(f, 1, 0.0, 0.5, s2);
    shear_at(f, 0, 0.5, 0.5, r3);
    shear_at(f, 1, 0.5, 0.5, s3);
    for (int j = 0; j < 6 * N; ++j) {
        const double c = s2[j] - r1[j] - s3[j] + r3[j]; // (S3A)
        const double along_r = r1[j] + c * s, along_s = s2[j] - c * r;
        B[6][j] = (ys * along_r - yr * along_s) / det;
        B[7][j] = (xr * along_s - xs * along_r) / det;
    }
    return det;
}

static const TmlShellKind kind = {.n_points = N,
                                  .point = points,
                                  .shape = shell3_shape,
                                  .strains = shell3_strains,
                                  .to_node = {5.0 / 3, -1.0 / 3, -1.0 / 3}};

static const int face[N] = {0, 1, 2};

TML_FE_TYPE(shell3) = {
    .name = "shell3",
    .text = "Shell of three nodes that turn; stiffer than that of four.",
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
