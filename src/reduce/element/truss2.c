/* reduce/element/truss2.c - bar of two nodes that pulls and pushes along its axis and does not bend.
 *
 * With the length L, the unit vector n along it, s from 0 to 1, and the normal force F = E A n . (u2 - u1) / L
 *
 *   (TR1)  K = E A / L [n n^T, -n n^T; -n n^T, n n^T]
 *   (TR2)  u_p = (1 - s) u1 + s u2,  M = rho A L / 6 [2, 1; 1, 2]
 *   (TR3)  geometric stiffness F / L [1, -1; -1, 1]
 *
 * The stress is F / A n n^T, in the axes of the mesh.
 */
#include "reduce/element/line.h"

#include "math/gauss.h"
#include "math/vec3.h"

#include <inttypes.h>
#include <string.h>

static const char *const inp[] = {"T3D2", NULL};

/* --- lines ---------------------------------------------------------------------------------- */

double tml_line_axis(const TmlFeOne *e, TmlVec3 *n)
{
    const TmlVec3 d = v3_sub(e->x[1], e->x[0]);
    *n = v3_unit(d);
    return v3_norm(d);
}

TmlStatus tml_line_check(const TmlFeOne *e, TmlError *err)
{
    if (v3_norm(v3_sub(e->x[1], e->x[0])) > 0.0) {
        return TML_OK;
    }
    return tml_fail(err, TML_E_MODEL,
                    "has no length: nodes %" PRId64 " and %" PRId64 " are at one place", e->id[0],
                    e->id[1]);
}

void tml_line_stiffness(TmlVec3 n, double k, double *K)
{
    const double x[TML_LINE] = {n.x, n.y, n.z, -n.x, -n.y, -n.z};
    for (int j = 0; j < TML_LINE; ++j) {
        for (int i = 0; i < TML_LINE; ++i) {
            K[j * TML_LINE + i] = k * x[i] * x[j]; // (TR1)
        }
    }
}

double tml_line_stretch(TmlVec3 n, const double *u)
{
    return v3_dot(n, v3(u[3] - u[0], u[4] - u[1], u[5] - u[2]));
}

void tml_line_geometric(double F, double L, double *K)
{
    memset(K, 0, TML_LINE * TML_LINE * sizeof *K);
    for (int i = 0; i < TML_LINE; ++i) {
        K[i * TML_LINE + i] = F / L; // (TR3)
        K[i * TML_LINE + (i + 3) % TML_LINE] = -F / L;
    }
}

/* --- trusses --------------------------------------------------------------------------------- */

static TmlStatus truss_check(const TmlFeOne *e, TmlError *err)
{
    if (!(e->section.area > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "has no section with an area");
    }
    return tml_line_check(e, err);
}

static void truss_stiffness(const TmlFeOne *e, double *K)
{
    TmlVec3 n;
    const double L = tml_line_axis(e, &n);
    tml_line_stiffness(n, e->material.young * e->section.area / L, K);
}

static void truss_scalar_mass(const TmlFeOne *e, double *S)
{
    TmlVec3 n;
    const double m = e->material.density * e->section.area * tml_line_axis(e, &n) / 6.0;
    S[0] = S[3] = 2.0 * m; // (TR2)
    S[1] = S[2] = m;
}

static void truss_mass(const TmlFeOne *e, double *M)
{
    double S[4];
    truss_scalar_mass(e, S);
    memset(M, 0, TML_LINE * TML_LINE * sizeof *M);
    for (int i = 0; i < TML_LINE; ++i) {
        M[i * TML_LINE + i] = S[0];
        M[i * TML_LINE + (i + 3) % TML_LINE] = S[1];
    }
}

/* Two points of Gauss are exact for squares of linear shapes. */
static int truss_masses(const TmlFeOne *e, TmlFeMassPoint *out)
{
    enum { POINTS = 2 };
    double s[POINTS], w[POINTS];
    TmlVec3 n;
    const double L = tml_line_axis(e, &n), total = e->material.density * e->section.area * L;
    tml_gauss(POINTS, s, w);
    for (int p = 0; p < POINTS; ++p) {
        out[p] = (TmlFeMassPoint){.mass = w[p] * total, .x = v3_axpy(s[p] * L, n, e->x[0])};
        for (int i = 0; i < 3; ++i) {
            out[p].N[i][i] = 1.0 - s[p];
            out[p].N[i][3 + i] = s[p];
        }
    }
    return POINTS;
}

static void truss_stress(const TmlFeOne *e, const double *u, double *out)
{
    TmlVec3 n;
    const double L = tml_line_axis(e, &n), s = e->material.young * tml_line_stretch(n, u) / L;
    const double own[6] = {s * n.x * n.x, s * n.y * n.y, s * n.z * n.z,
                           s * n.x * n.y, s * n.y * n.z, s * n.z * n.x};
    memcpy(out, own, sizeof own);
}

static void truss_to_nodes(const TmlFeOne *e, const double *stress, double *out)
{
    (void)e;
    memcpy(out, stress, 6 * sizeof *out);
    memcpy(out + 6, stress, 6 * sizeof *out);
}

static void truss_geometric(const TmlFeOne *e, const double *stress, double *K)
{
    TmlVec3 n;
    const double L = tml_line_axis(e, &n);
    // the trace of n n^T is one
    tml_line_geometric(e->section.area * (stress[0] + stress[1] + stress[2]), L, K);
}

TML_FE_TYPE(truss2) = {
    .name = "truss2",
    .text = "Bar of two nodes without bending; several in a row are a chain without stiffness "
            "across.",
    .inp = inp,
    .n_nodes = 2,
    .n_corners = 2,
    .n_freedoms = 3,
    .check = truss_check,
    .stiffness = truss_stiffness,
    .mass = truss_mass,
    .scalar_mass = truss_scalar_mass,
    .masses = truss_masses,
    .n_stress = 1,
    .stress = truss_stress,
    .to_nodes = truss_to_nodes,
    .ends = true,
    .geometric = truss_geometric,
};
