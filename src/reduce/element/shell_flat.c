/* reduce/element/shell_flat.c - flat shells of three and four nodes: what both share.
 *
 * In axes of the shell, with rotations (rx, ry, rz) of nodes, thickness t:
 *
 *   (SH1)  membrane  u,x  v,y  u,y + v,x                 stiffness E t / (1 - p^2) (1, p, (1 - p)/2)
 *   (SH2)  curvature ry,x  -rx,y  ry,y - rx,x            the same times t^2 / 12
 *   (SH3)  shear     w,x + ry  w,y - rx                  5/6 G t; how they are taken is told by a type
 *   (SH4)  drilling  rz - (v,x - u,y)/2                  G t / 1000: rz has no stiffness of its own
 *   (SH5)  a node z out of the plane: u_flat = u - z (ry, -rx, 0)
 *   (SH6)  mass at the points, on both sides at z = t / sqrt 12:  u_p = u + z (ry, -rx, 0)
 *   (SH7)  geometric stiffness of the membrane stress s: int t g_a . s g_b dA I
 *   (SH8)  four nodes have incompatible modes of the membrane, (HI1) to (HI3) of hex8i.c in the plane:
 *          without them a web that bends in its plane is far too stiff
 *   (SH9)  stress at a node: what 1, r, s, r s (four nodes) or 1, r, s have there with the values of the points
 *
 * (SH6) gives the mass of displacements and the rotary inertia t^3 / 12.
 */
#include "reduce/element/shell_flat.h"

#include "math/vec3.h"

#include <inttypes.h>
#include <string.h>

enum {
    ALL = TML_SHELL_FREEDOMS,
    MODES = TML_SHELL_MODES,
    COLUMNS = TML_SHELL_COLUMNS,
    STRAINS = TML_SHELL_STRAINS
};

static const double shear_factor = 5.0 / 6.0;
/* A part of the shear stiffness that holds rotations about the normal and changes nothing else: the
 * strain that it acts on is zero in rigid motion and uniform strain. */
static const double drilling_share = 1e-3;
/* Nodes further out of the plane than this part of the size are no shell: their arms are not small. */
static const double most_warp = 0.2;

void tml_shell_flat(const TmlFeOne *e, TmlShellFlat *out)
{
    const int n = e->type->n_nodes;
    const TmlVec3 *x = e->x;
    const TmlVec3 p = n == 4 ? v3_sub(x[2], x[0]) : v3_sub(x[1], x[0]);
    const TmlVec3 q = n == 4 ? v3_sub(x[3], x[1]) : v3_sub(x[2], x[0]);
    const TmlVec3 along = n == 4 ? v3_sub(v3_add(x[1], x[2]), v3_add(x[0], x[3])) : p;
    out->n = n;
    out->axes = m3_from_z(v3_cross(p, q), along);
    out->centre = v3(0, 0, 0);
    for (int k = 0; k < n; ++k) {
        out->centre = v3_axpy(1.0 / n, x[k], out->centre);
    }
    for (int k = 0; k < n; ++k) {
        const TmlVec3 own = m3_tmulv(&out->axes, v3_sub(x[k], out->centre));
        out->x[k] = own.x;
        out->y[k] = own.y;
        out->z[k] = own.z;
    }
}

double tml_shell_gradient(const TmlShellFlat *f, TmlShellShape *shape, double r, double s,
                          double *N, double (*g)[2])
{
    double dN[TML_SHELL_NODES][2], J[2][2] = {{0}}; // x,r y,r; x,s y,s
    shape(r, s, N, dN);
    for (int k = 0; k < f->n; ++k) {
        for (int i = 0; i < 2; ++i) {
            J[i][0] += dN[k][i] * f->x[k];
            J[i][1] += dN[k][i] * f->y[k];
        }
    }
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    for (int k = 0; k < f->n; ++k) {
        g[k][0] = (J[1][1] * dN[k][0] - J[0][1] * dN[k][1]) / det;
        g[k][1] = (J[0][0] * dN[k][1] - J[1][0] * dN[k][0]) / det;
    }
    return det;
}

void tml_shell_plane_strains(int n, const double *N, double (*g)[2], double B[STRAINS][COLUMNS])
{
    memset(B, 0, sizeof(double[STRAINS][COLUMNS]));
    for (int k = 0; k < n; ++k) {
        const int u = 6 * k, v = u + 1, rx = u + 3, ry = u + 4, rz = u + 5;
        B[0][u] = g[k][0]; // (SH1)
        B[1][v] = g[k][1];
        B[2][u] = g[k][1];
        B[2][v] = g[k][0];
        B[3][ry] = g[k][0]; // (SH2)
        B[4][rx] = -g[k][1];
        B[5][ry] = g[k][1];
        B[5][rx] = -g[k][0];
        B[8][rz] = N[k]; // (SH4)
        B[8][v] = -0.5 * g[k][0];
        B[8][u] = 0.5 * g[k][1];
    }
}

TmlStatus tml_shell_check(const TmlFeOne *e, TmlError *err)
{
    const TmlShellKind *kind = e->type->shell;
    TmlShellFlat f;
    double N[TML_SHELL_NODES], g[TML_SHELL_NODES][2], size = 0.0;
    if (!(e->section.thickness > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "section '%s': the thickness must be positive",
                        e->section.name);
    }
    tml_shell_flat(e, &f);
    for (int k = 0; k < f.n; ++k) {
        size = fmax(size, hypot(f.x[k], f.y[k]));
    }
    for (int k = 0; k < f.n; ++k) {
        if (!(fabs(f.z[k]) <= most_warp * size)) {
            return tml_fail(err, TML_E_MODEL,
                            "node %" PRId64 " is far out of the plane of the others", e->id[k]);
        }
    }
    for (int k = 0; k < kind->n_points; ++k) {
        const double *p = kind->point[k];
        if (!(tml_shell_gradient(&f, kind->shape, p[0], p[1], N, g) > 1e-13 * size * size)) {
            return tml_fail(err, TML_E_MODEL,
                            "the Jacobian is not positive near node %" PRId64
                            ": the element is twisted or has no area",
                            e->id[k % f.n]);
        }
    }
    return TML_OK;
}

/* --- from the plane to the mesh ------------------------------------------------------------ */

/* Rows by freedoms of the flat element become rows by freedoms of the mesh. (SH5) */
static void to_mesh(const TmlShellFlat *f, double *row)
{
    for (int k = 0; k < f->n; ++k) {
        double *p = row + 6 * k;
        p[4] -= f->z[k] * p[0];
        p[3] += f->z[k] * p[1];
        const TmlVec3 u = m3_mulv(&f->axes, v3(p[0], p[1], p[2]));
        const TmlVec3 r = m3_mulv(&f->axes, v3(p[3], p[4], p[5]));
        memcpy(p, (const double[6]){u.x, u.y, u.z, r.x, r.y, r.z}, 6 * sizeof *p);
    }
}

/* --- stiffness ----------------------------------------------------------------------------- */

/* Forces by strains; those of one kind are isotropic. */
static void elasticity(const TmlFeOne *e, double D[STRAINS][STRAINS])
{
    const double E = e->material.young, p = e->material.poisson, t = e->section.thickness;
    const double c = E * t / (1.0 - p * p), G = 0.5 * E / (1.0 + p), b = c * t * t / 12.0;
    memset(D, 0, sizeof(double[STRAINS][STRAINS]));
    D[0][0] = D[1][1] = c;
    D[0][1] = D[1][0] = p * c;
    D[2][2] = 0.5 * (1.0 - p) * c;
    D[3][3] = D[4][4] = b;
    D[3][4] = D[4][3] = p * b;
    D[5][5] = 0.5 * (1.0 - p) * b;
    D[6][6] = D[7][7] = shear_factor * G * t;
    D[8][8] = drilling_share * G * t;
}

/* Columns of the modes, behind those of the freedoms. (SH8) */
static void add_modes(const TmlShellFlat *f, const TmlShellKind *kind, double r, double s,
                      double det, double B[STRAINS][COLUMNS])
{
    double N[TML_SHELL_NODES], dN[TML_SHELL_NODES][2], J[2][2] = {{0}};
    kind->shape(0.0, 0.0, N, dN);
    for (int k = 0; k < f->n; ++k) {
        for (int i = 0; i < 2; ++i) {
            J[i][0] += dN[k][i] * f->x[k];
            J[i][1] += dN[k][i] * f->y[k];
        }
    }
    const double g[2][2] = {{-2.0 * r * J[1][1] / det, 2.0 * r * J[1][0] / det},
                            {2.0 * s * J[0][1] / det, -2.0 * s * J[0][0] / det}};
    for (int m = 0; m < 2; ++m) {
        const int u = ALL + 2 * m, v = u + 1;
        B[0][u] = g[m][0];
        B[1][v] = g[m][1];
        B[2][u] = g[m][1];
        B[2][v] = g[m][0];
    }
}

/* Strains at point k by freedoms of the mesh and modes; its weight. */
static double mesh_strains(const TmlShellFlat *f, const TmlShellKind *kind, int k,
                           double B[STRAINS][COLUMNS])
{
    const double *p = kind->point[k];
    const double det = kind->strains(f, p[0], p[1], B);
    if (f->n == 4) {
        add_modes(f, kind, p[0], p[1], det, B);
    }
    for (int i = 0; i < STRAINS; ++i) {
        to_mesh(f, B[i]);
    }
    return p[2] * det;
}

/* K += w B^T D B. */
static void add_energy(double D[STRAINS][STRAINS], double B[STRAINS][COLUMNS], double w,
                       double K[COLUMNS][COLUMNS])
{
    double F[STRAINS][COLUMNS] = {{0}};
    for (int i = 0; i < STRAINS; ++i) {
        for (int j = 0; j < STRAINS; ++j) {
            for (int c = 0; c < COLUMNS && D[i][j] != 0.0; ++c) {
                F[i][c] += w * D[i][j] * B[j][c];
            }
        }
    }
    for (int i = 0; i < STRAINS; ++i) {
        for (int c = 0; c < COLUMNS; ++c) {
            for (int r = 0; r < COLUMNS; ++r) {
                K[c][r] += B[i][r] * F[i][c];
            }
        }
    }
}

/* Stiffness of freedoms and modes. */
static void whole_stiffness(const TmlFeOne *e, const TmlShellFlat *f, const TmlShellKind *kind,
                            double K[COLUMNS][COLUMNS])
{
    double D[STRAINS][STRAINS], B[STRAINS][COLUMNS];
    elasticity(e, D);
    memset(K, 0, sizeof(double[COLUMNS][COLUMNS]));
    for (int k = 0; k < kind->n_points; ++k) {
        const double w = mesh_strains(f, kind, k, B);
        add_energy(D, B, w, K);
    }
}

/* X = K_ii^-1 K_iu: the modes by the freedoms, with the sign turned; zero where there are none. */
static void mode_response(const TmlShellFlat *f, double K[COLUMNS][COLUMNS], double X[MODES][ALL])
{
    double A[MODES][MODES];
    memset(X, 0, sizeof(double[MODES][ALL]));
    for (int i = 0; i < MODES; ++i) {
        memcpy(A[i], &K[ALL + i][ALL], sizeof A[i]);
        memcpy(X[i], K[ALL + i], sizeof X[i]);
    }
    for (int p = 0; f->n == 4 && p < MODES; ++p) { // definite: elimination needs no pivots
        for (int i = 0; i < MODES; ++i) {
            const double factor = i != p ? A[i][p] / A[p][p] : 0.0;
            for (int c = p; c < MODES && i != p; ++c) {
                A[i][c] -= factor * A[p][c];
            }
            for (int c = 0; c < ALL && i != p; ++c) {
                X[i][c] -= factor * X[p][c];
            }
        }
    }
    for (int i = 0; f->n == 4 && i < MODES; ++i) {
        for (int c = 0; c < ALL; ++c) {
            X[i][c] /= A[i][i];
        }
    }
}

void tml_shell_stiffness(const TmlFeOne *e, double *K)
{
    const TmlShellKind *kind = e->type->shell;
    TmlShellFlat f;
    double all[COLUMNS][COLUMNS], X[MODES][ALL];
    tml_shell_flat(e, &f);
    whole_stiffness(e, &f, kind, all);
    mode_response(&f, all, X);
    const int n = 6 * f.n;
    for (int c = 0; c < n; ++c) { // one triangle and its mirror
        for (int r = c; r < n; ++r) {
            double sum = all[c][r];
            for (int i = 0; i < MODES; ++i) {
                sum -= all[ALL + i][r] * X[i][c];
            }
            K[c * n + r] = K[r * n + c] = sum;
        }
    }
}

/* --- mass ---------------------------------------------------------------------------------- */

int tml_shell_masses(const TmlFeOne *e, TmlFeMassPoint *out)
{
    const TmlShellKind *kind = e->type->shell;
    TmlShellFlat f;
    double N[TML_SHELL_NODES], g[TML_SHELL_NODES][2];
    const double t = e->section.thickness;
    int n = 0;
    tml_shell_flat(e, &f);
    for (int k = 0; k < kind->n_points; ++k) {
        const double *p = kind->point[k];
        const double det = tml_shell_gradient(&f, kind->shape, p[0], p[1], N, g);
        for (int side = -1; side <= 1; side += 2, ++n) {
            const double z = side * t / sqrt(12.0); // (SH6)
            double row[3][ALL] = {{0}};
            TmlVec3 at = v3_axpy(z, f.axes.cz, f.centre);
            for (int a = 0; a < f.n; ++a) {
                row[0][6 * a] = row[1][6 * a + 1] = row[2][6 * a + 2] = N[a];
                row[0][6 * a + 4] = z * N[a];
                row[1][6 * a + 3] = -z * N[a];
                at = v3_axpy(N[a] * f.x[a], f.axes.cx, v3_axpy(N[a] * f.y[a], f.axes.cy, at));
            }
            out[n] = (TmlFeMassPoint){.mass = 0.5 * e->material.density * t * p[2] * det, .x = at};
            for (int i = 0; i < 3; ++i) {
                to_mesh(&f, row[i]);
            }
            for (int j = 0; j < 6 * f.n; ++j) {
                const TmlVec3 v = m3_mulv(&f.axes, v3(row[0][j], row[1][j], row[2][j]));
                out[n].N[0][j] = v.x;
                out[n].N[1][j] = v.y;
                out[n].N[2][j] = v.z;
            }
        }
    }
    return n;
}

void tml_shell_mass(const TmlFeOne *e, double *M)
{
    TmlFeMassPoint point[TML_FE_MASSES];
    const int count = tml_shell_masses(e, point), n = 6 * e->type->n_nodes;
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int p = 0; p < count; ++p) {
        for (int i = 0; i < 3; ++i) {
            for (int c = 0; c < n; ++c) {
                for (int r = 0; r < n; ++r) {
                    M[c * n + r] += point[p].mass * point[p].N[i][r] * point[p].N[i][c];
                }
            }
        }
    }
}

/* --- stress -------------------------------------------------------------------------------- */

/* A plane stress xx yy xy in axes of the shell as xx yy zz xy yz zx in those of the mesh. */
static void turn_stress(const TmlMat33 *A, const double *s, double *out)
{
    const TmlMat33 own = {{s[0], s[2], 0}, {s[2], s[1], 0}, {0, 0, 0}}, At = m3_transpose(A);
    const TmlMat33 left = m3_mul(A, &own), all = m3_mul(&left, &At);
    memcpy(out, (const double[6]){all.cx.x, all.cy.y, all.cz.z, all.cy.x, all.cz.y, all.cx.z},
           6 * sizeof *out);
}

void tml_shell_stress(const TmlFeOne *e, const double *u, double *out)
{
    const TmlShellKind *kind = e->type->shell;
    TmlShellFlat f;
    double D[STRAINS][STRAINS], B[STRAINS][COLUMNS], all[COLUMNS][COLUMNS], X[MODES][ALL];
    double v[COLUMNS] = {0};
    const double t = e->section.thickness;
    tml_shell_flat(e, &f);
    elasticity(e, D);
    whole_stiffness(e, &f, kind, all);
    mode_response(&f, all, X);
    for (int j = 0; j < 6 * f.n; ++j) {
        v[j] = u[j];
        for (int i = 0; i < MODES; ++i) {
            v[ALL + i] -= X[i][j] * u[j];
        }
    }
    for (int k = 0; k < kind->n_points; ++k) {
        double strain[6] = {0};
        (void)mesh_strains(&f, kind, k, B);
        for (int i = 0; i < 6; ++i) {
            for (int j = 0; j < COLUMNS; ++j) {
                strain[i] += B[i][j] * v[j];
            }
        }
        for (int side = 1; side >= -1; side -= 2, out += 6) {
            double s[3] = {0};
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) {
                    s[i] += D[i][j] / t * (strain[j] + side * 0.5 * t * strain[3 + j]);
                }
            }
            turn_stress(&f.axes, s, out);
        }
    }
}

int tml_shell_sides(const TmlFeOne *e)
{
    (void)e;
    return 2;
}

TmlVec3 tml_shell_normal(const TmlFeOne *e)
{
    TmlShellFlat f;
    tml_shell_flat(e, &f);
    return f.axes.cz;
}

void tml_shell_to_nodes(const TmlFeOne *e, const double *stress, double *out)
{
    const TmlShellKind *kind = e->type->shell;
    const int n = e->type->n_nodes; // as many points, in the same order
    memset(out, 0, 12 * (size_t)n * sizeof *out);
    for (int a = 0; a < n; ++a) {
        for (int k = 0; k < n; ++k) {
            for (int c = 0; c < 12; ++c) {
                out[12 * a + c] += kind->to_node[(k - a + n) % n] * stress[12 * k + c]; // (SH9)
            }
        }
    }
}

void tml_shell_geometric(const TmlFeOne *e, const double *stress, double *K)
{
    const TmlShellKind *kind = e->type->shell;
    TmlShellFlat f;
    double N[TML_SHELL_NODES], g[TML_SHELL_NODES][2];
    tml_shell_flat(e, &f);
    const int n = 6 * f.n;
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    for (int k = 0; k < kind->n_points; ++k) {
        const double *p = kind->point[k], *a = stress + 12 * k, *b = a + 6;
        const double det = tml_shell_gradient(&f, kind->shape, p[0], p[1], N, g);
        const double w = p[2] * det * e->section.thickness;
        double s[6];
        for (int i = 0; i < 6; ++i) {
            s[i] = 0.5 * (a[i] + b[i]); // of the middle
        }
        const TmlMat33 S = {{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
        for (int i = 0; i < f.n; ++i) {
            const TmlVec3 gi = v3_axpy(g[i][0], f.axes.cx, v3_scale(g[i][1], f.axes.cy));
            for (int j = 0; j < f.n; ++j) {
                const TmlVec3 gj = v3_axpy(g[j][0], f.axes.cx, v3_scale(g[j][1], f.axes.cy));
                for (int c = 0; c < 3; ++c) { // (SH7)
                    K[(6 * j + c) * n + 6 * i + c] += w * v3_dot(gi, m3_mulv(&S, gj));
                }
            }
        }
    }
}
