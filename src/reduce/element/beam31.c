/* reduce/element/beam31.c - beam of two nodes that turn: bending, shear, torsion, rotary inertia.
 *
 * In axes of the section, x along the beam of length L, s = x / L, bending in the plane x y with
 * phi = 12 E Iz / (ky G A L^2) and d = 1 + phi:
 *
 *   (BM1)  v  = N1 v1 + N2 rz1 + N3 v2 + N4 rz2
 *          N1 = (1 - 3 s^2 + 2 s^3 + phi (1 - s)) / d,  N2 = L (s - 2 s^2 + s^3 + phi (s - s^2)/2) / d
 *          N3 = 1 - N1,                                 N4 = L (s^3 - s^2 + phi (s^2 - s)/2) / d
 *   (BM2)  rz = Q1 v1 + Q2 rz1 + Q3 v2 + Q4 rz2
 *          Q1 = -Q3 = 6 (s^2 - s) / (L d),  Q2 = (1 - 4 s + 3 s^2 + phi (1 - s)) / d,
 *          Q4 = (3 s^2 - 2 s + phi s) / d
 *   (BM3)  K = E Iz / (L^3 d) [12, 6 L, -12, 6 L; (4 + phi) L^2, -6 L, (2 - phi) L^2; 12, -6 L; ...]
 *
 * and the same in the plane x z with w, -ry, Iy, kz. (BM1) to (BM3) are exact for loads at the nodes.
 * Mass is at points: four along the beam, and in each section at (+-a, +-b), a^2 = Iz/A, b^2 = Iy/A:
 *
 *   (BM4)  u_p = (u - y rz + z ry, v - z rx, w + y rx),  M = sum_p m_p N_p^T N_p
 *
 * which is the consistent mass with rotary inertia: four points of Gauss are exact for squares of (BM1).
 *
 *   (BM5)  geometric stiffness of the normal force F: F int v'^2 + w'^2 + (Iy + Iz)/A rx'^2 dx
 *
 * Source: Przemieniecki, Theory of matrix structural analysis (1968), 5.6, 11.5.
 */
#include "reduce/element/beam.h"

#include "math/gauss.h"
#include "math/vec3.h"

#include <inttypes.h>
#include <string.h>

enum { N = 12, ALONG = 4 };

static const char *const inp[] = {"B31", NULL};

/* --- geometry ------------------------------------------------------------------------------ */

double tml_beam_axes(const TmlFeOne *e, TmlMat33 *A)
{
    const TmlVec3 d = v3_sub(e->x[1], e->x[0]);
    *A = m3_from_z(d, e->section.up);                      // x of that frame is the direction `up`
    *A = (TmlMat33){A->cz, v3_cross(A->cx, A->cz), A->cx}; // y = z x x
    return v3_norm(d);
}

/* Turns a matrix of section axes: B = T K T^T, T of four rotations A. */
static void turn(const TmlMat33 *A, const double *K, double *B)
{
    double half[N * N];
    for (int k = 0; k < N; ++k) { // columns: T K
        for (int p = 0; p < N; p += 3) {
            const double *from = K + k * N + p;
            const TmlVec3 v = m3_mulv(A, v3(from[0], from[1], from[2]));
            memcpy(half + k * N + p, (const double[3]){v.x, v.y, v.z}, 3 * sizeof v.x);
        }
    }
    for (int k = 0; k < N; ++k) { // rows: (T K) T^T
        for (int p = 0; p < N; p += 3) {
            const TmlVec3 v =
                m3_mulv(A, v3(half[p * N + k], half[(p + 1) * N + k], half[(p + 2) * N + k]));
            B[p * N + k] = v.x;
            B[(p + 1) * N + k] = v.y;
            B[(p + 2) * N + k] = v.z;
        }
    }
}

static double shear_modulus(const TmlFeMaterial *m)
{
    return 0.5 * m->young / (1.0 + m->poisson);
}

/* 12 E I / (k G A L^2); zero without shear. */
static double shear_ratio(const TmlFeOne *e, double I, double factor, double L)
{
    return 12.0 * e->material.young * I /
           (factor * shear_modulus(&e->material) * e->section.area * L * L);
}

static TmlStatus beam_check(const TmlFeOne *e, TmlError *err)
{
    const TmlFeSection *s = &e->section;
    const TmlVec3 d = v3_sub(e->x[1], e->x[0]);
    if (!(v3_norm(d) > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "has no length: nodes %" PRId64 " and %" PRId64 " are at one place",
                        e->id[0], e->id[1]);
    }
    if (!(s->area > 0.0 && s->Iy > 0.0 && s->Iz > 0.0 && s->J > 0.0 && s->shear_y > 0.0 &&
          s->shear_z > 0.0)) {
        return tml_fail(err, TML_E_MODEL,
                        "section '%s': area, moments and shear factors must be positive", s->name);
    }
    const TmlVec3 across = v3_cross(v3_unit(s->up), v3_unit(d));
    if (v3_norm(s->up) > 0.0 && v3_norm(across) < 1e-6) { // the direction of z would be a guess
        return tml_fail(err, TML_E_MODEL,
                        "section '%s': its direction is along the beam from node %" PRId64
                        " to %" PRId64,
                        s->name, e->id[0], e->id[1]);
    }
    return TML_OK;
}

/* --- stiffness ----------------------------------------------------------------------------- */

/* Adds a matrix of two unknowns at each node, at places p and q of the first; sign of the second. */
static void add_plane(double *K, int p, int q, double sign, const double k[4][4])
{
    const int at[4] = {p, q, p + 6, q + 6};
    const double s[4] = {1.0, sign, 1.0, sign};
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            K[at[j] * N + at[i]] += s[i] * s[j] * k[i][j];
        }
    }
}

static void add_bar(double *K, int p, double k)
{
    K[p * N + p] += k;
    K[(p + 6) * N + p + 6] += k;
    K[p * N + p + 6] -= k;
    K[(p + 6) * N + p] -= k;
}

static void add_bending(double *K, int p, int q, double sign, double EI, double phi, double L)
{
    const double c = EI / (L * L * L * (1.0 + phi)), l = 6.0 * L; // (BM3)
    const double a = (4.0 + phi) * L * L, b = (2.0 - phi) * L * L;
    const double k[4][4] = {{12 * c, l * c, -12 * c, l * c},
                            {l * c, a * c, -l * c, b * c},
                            {-12 * c, -l * c, 12 * c, -l * c},
                            {l * c, b * c, -l * c, a * c}};
    add_plane(K, p, q, sign, k);
}

static void section_stiffness(const TmlFeOne *e, double L, double *K)
{
    const TmlFeSection *s = &e->section;
    const double E = e->material.young;
    memset(K, 0, N * N * sizeof *K);
    add_bar(K, 0, E * s->area / L);
    add_bar(K, 3, shear_modulus(&e->material) * s->J / L);
    add_bending(K, 1, 5, 1.0, E * s->Iz, shear_ratio(e, s->Iz, s->shear_y, L), L);
    add_bending(K, 2, 4, -1.0, E * s->Iy, shear_ratio(e, s->Iy, s->shear_z, L), L);
}

static void beam_stiffness(const TmlFeOne *e, double *K)
{
    TmlMat33 A;
    double own[N * N];
    const double L = tml_beam_axes(e, &A);
    section_stiffness(e, L, own);
    turn(&A, own, K);
}

/* --- mass ---------------------------------------------------------------------------------- */

/* Deflection, its slope and the rotation by v1, r1, v2, r2. (BM1), (BM2) */
static void bending_shapes(double s, double phi, double L, double v[4], double slope[4],
                           double r[4])
{
    const double d = 1.0 / (1.0 + phi);
    v[0] = d * (1.0 - 3.0 * s * s + 2.0 * s * s * s + phi * (1.0 - s));
    v[1] = d * L * (s - 2.0 * s * s + s * s * s + 0.5 * phi * (s - s * s));
    v[2] = 1.0 - v[0];
    v[3] = d * L * (s * s * s - s * s + 0.5 * phi * (s * s - s));
    slope[0] = d * (-6.0 * s + 6.0 * s * s - phi) / L;
    slope[1] = d * (1.0 - 4.0 * s + 3.0 * s * s + 0.5 * phi * (1.0 - 2.0 * s));
    slope[2] = -slope[0];
    slope[3] = d * (3.0 * s * s - 2.0 * s + 0.5 * phi * (2.0 * s - 1.0));
    r[0] = d * 6.0 * (s * s - s) / L;
    r[1] = d * (1.0 - 4.0 * s + 3.0 * s * s + phi * (1.0 - s));
    r[2] = -r[0];
    r[3] = d * (3.0 * s * s - 2.0 * s + phi * s);
}

/* How a section at s moves: rows u v w rx ry rz by the freedoms, in axes of the section. */
static void section_shapes(const TmlFeOne *e, double L, double s, double B[6][N], double slope_v[N],
                           double slope_w[N])
{
    static const int in_y[4] = {1, 5, 7, 11}, in_z[4] = {2, 4, 8, 10};
    static const double sign[4] = {1, -1, 1, -1};
    const TmlFeSection *c = &e->section;
    double v[4], dv[4], r[4];
    memset(B, 0, 6 * N * sizeof(double));
    memset(slope_v, 0, N * sizeof(double));
    memset(slope_w, 0, N * sizeof(double));
    B[0][0] = B[3][3] = 1.0 - s;
    B[0][6] = B[3][9] = s;
    bending_shapes(s, shear_ratio(e, c->Iz, c->shear_y, L), L, v, dv, r);
    for (int k = 0; k < 4; ++k) {
        B[1][in_y[k]] = v[k];
        B[5][in_y[k]] = r[k];
        slope_v[in_y[k]] = dv[k];
    }
    bending_shapes(s, shear_ratio(e, c->Iy, c->shear_z, L), L, v, dv, r);
    for (int k = 0; k < 4; ++k) {
        B[2][in_z[k]] = sign[k] * v[k];
        B[4][in_z[k]] = -sign[k] * r[k];
        slope_w[in_z[k]] = sign[k] * dv[k];
    }
}

/* Motion of the point (y, z) of a section in axes of the mesh, by the freedoms there. (BM4) */
static void point_motion(const TmlMat33 *A, double B[6][N], double y, double z, TmlFeMassPoint *p)
{
    double own[3][N];
    for (int j = 0; j < N; ++j) {
        own[0][j] = B[0][j] - y * B[5][j] + z * B[4][j];
        own[1][j] = B[1][j] - z * B[3][j];
        own[2][j] = B[2][j] + y * B[3][j];
    }
    for (int j = 0; j < N; j += 3) { // A own A^T for each triple of freedoms
        const TmlMat33 block = {{own[0][j], own[1][j], own[2][j]},
                                {own[0][j + 1], own[1][j + 1], own[2][j + 1]},
                                {own[0][j + 2], own[1][j + 2], own[2][j + 2]}};
        const TmlMat33 At = m3_transpose(A), left = m3_mul(A, &block), all = m3_mul(&left, &At);
        const TmlVec3 column[3] = {all.cx, all.cy, all.cz};
        for (int k = 0; k < 3; ++k) {
            p->N[0][j + k] = column[k].x;
            p->N[1][j + k] = column[k].y;
            p->N[2][j + k] = column[k].z;
        }
    }
}

static int beam_masses(const TmlFeOne *e, TmlFeMassPoint *out)
{
    static const double side[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    const TmlFeSection *c = &e->section;
    const double a = sqrt(c->Iz / c->area), b = sqrt(c->Iy / c->area);
    double s[ALONG], w[ALONG], B[6][N], slope[2][N];
    TmlMat33 A;
    const double L = tml_beam_axes(e, &A), total = e->material.density * c->area * L;
    int n = 0;
    tml_gauss(ALONG, s, w);
    for (int k = 0; k < ALONG; ++k) {
        section_shapes(e, L, s[k], B, slope[0], slope[1]);
        const TmlVec3 centre = v3_axpy(s[k], v3_sub(e->x[1], e->x[0]), e->x[0]);
        for (int i = 0; i < 4; ++i, ++n) {
            const double y = side[i][0] * a, z = side[i][1] * b;
            out[n] = (TmlFeMassPoint){.mass = 0.25 * w[k] * total,
                                      .x = v3_axpy(y, A.cy, v3_axpy(z, A.cz, centre))};
            point_motion(&A, B, y, z, &out[n]);
        }
    }
    return n;
}

static void beam_mass(const TmlFeOne *e, double *M)
{
    TmlFeMassPoint point[TML_FE_MASSES];
    const int n = beam_masses(e, point);
    memset(M, 0, N * N * sizeof *M);
    for (int p = 0; p < n; ++p) {
        for (int i = 0; i < 3; ++i) {
            const double *row = point[p].N[i];
            for (int k = 0; k < N; ++k) {
                for (int j = 0; j < N; ++j) {
                    M[k * N + j] += point[p].mass * row[j] * row[k]; // (BM4)
                }
            }
        }
    }
}

/* --- forces and what they stiffen ---------------------------------------------------------- */

/* Forces and moments that the part beyond the section exerts, at both ends. */
static void beam_forces(const TmlFeOne *e, const double *u, double *out)
{
    TmlMat33 A;
    double K[N * N], own[N];
    const double L = tml_beam_axes(e, &A);
    section_stiffness(e, L, K);
    for (int p = 0; p < N; p += 3) {
        const TmlVec3 v = m3_tmulv(&A, v3(u[p], u[p + 1], u[p + 2]));
        memcpy(own + p, (const double[3]){v.x, v.y, v.z}, 3 * sizeof v.x);
    }
    memset(out, 0, N * sizeof *out);
    for (int j = 0; j < N; ++j) {
        for (int i = 0; i < N; ++i) {
            out[i] += (i < 6 ? -1.0 : 1.0) * K[j * N + i] * own[j];
        }
    }
}

static void beam_geometric(const TmlFeOne *e, const double *forces, double *K)
{
    const TmlFeSection *c = &e->section;
    const double F = forces[0];
    double s[ALONG], w[ALONG], B[6][N], dv[N], dw[N], own[N * N] = {0};
    TmlMat33 A;
    const double L = tml_beam_axes(e, &A);
    tml_gauss(ALONG, s, w);
    for (int k = 0; k < ALONG; ++k) {
        section_shapes(e, L, s[k], B, dv, dw);
        for (int j = 0; j < N; ++j) {
            for (int i = 0; i < N; ++i) {
                own[j * N + i] += F * L * w[k] * (dv[i] * dv[j] + dw[i] * dw[j]); // (BM5)
            }
        }
    }
    add_bar(own, 3, F * (c->Iy + c->Iz) / (c->area * L));
    turn(&A, own, K);
}

TML_FE_TYPE(beam31) = {
    .name = "beam31",
    .text = "Beam of two nodes that turn, with shear and rotary inertia.",
    .inp = inp,
    .n_nodes = 2,
    .n_corners = 2,
    .n_freedoms = 6,
    .check = beam_check,
    .stiffness = beam_stiffness,
    .mass = beam_mass,
    .masses = beam_masses,
    .n_stress = 2,
    .stress = beam_forces,
    .to_nodes = tml_beam_to_nodes,
    .sides = tml_beam_sides,
    .ends = true,
    .geometric = beam_geometric,
};
