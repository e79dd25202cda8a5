/* reduce/element/isoparametric.c - isoparametric solids: stiffness, mass, stress, geometric stiffness.
 *
 * x = sum_a N_a x_a and u = sum_a N_a u_a, with g_a the gradient of N_a by x, y, z:
 *
 *   (E1)  J = sum_a x_a (dN_a)^T,  g_a = J^-T dN_a
 *   (E2)  K_ab = int lambda g_a g_b^T + mu (g_b g_a^T + g_a . g_b I) dV
 *   (E3)  M_ab = S_ab I,  S_ab = int rho N_a N_b dV
 *   (E4)  stress = lambda tr(strain) I + 2 mu strain, strain = sym sum_a u_a g_a^T
 *   (E5)  Kg_ab = int g_a . stress g_b dV I
 *
 * (E2) is B^T D B of the isotropic material, written out.
 */
#include "reduce/element/isoparametric.h"

#include "math/vec3.h"
#include "reduce/element/quadrature.h"

#include <inttypes.h>
#include <string.h>

enum { XX, YY, ZZ, XY, YZ, ZX };

double tml_iso_gradient(const TmlFeOne *e, const double at[3], TmlVec3 *gradient)
{
    const int n = e->type->n_nodes;
    double N[TML_FE_NODES], dN[TML_FE_NODES][3];
    TmlMat33 J = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    e->type->shape(at, N, dN);
    for (int a = 0; a < n; ++a) { // (E1)
        J.cx = v3_axpy(dN[a][0], e->x[a], J.cx);
        J.cy = v3_axpy(dN[a][1], e->x[a], J.cy);
        J.cz = v3_axpy(dN[a][2], e->x[a], J.cz);
    }
    const double det = m3_det(&J), s = det != 0.0 ? 1.0 / det : 0.0;
    const TmlVec3 rx = v3_scale(s, v3_cross(J.cy, J.cz)); // columns of J^-T
    const TmlVec3 ry = v3_scale(s, v3_cross(J.cz, J.cx));
    const TmlVec3 rz = v3_scale(s, v3_cross(J.cx, J.cy));
    for (int a = 0; a < n; ++a) {
        gradient[a] =
            v3_add(v3_scale(dN[a][0], rx), v3_add(v3_scale(dN[a][1], ry), v3_scale(dN[a][2], rz)));
    }
    return det;
}

void tml_iso_lame(const TmlFeMaterial *m, double *lambda, double *mu)
{
    *lambda = m->young * m->poisson / ((1.0 + m->poisson) * (1.0 - 2.0 * m->poisson));
    *mu = 0.5 * m->young / (1.0 + m->poisson);
}

/* K += w K_ab at its place and transposed. (E2) */
static void add_pair(double *K, int n, int a, int b, double lw, double mw, TmlVec3 ga, TmlVec3 gb)
{
    const double p[3] = {ga.x, ga.y, ga.z}, q[3] = {gb.x, gb.y, gb.z};
    const double dot = mw * v3_dot(ga, gb);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double k = lw * p[i] * q[j] + mw * p[j] * q[i] + (i == j ? dot : 0.0);
            K[(3 * b + j) * n + 3 * a + i] += k;
        }
    }
}

/* Fills the upper triangle of blocks, which are not symmetric themselves, from the lower one. */
static void mirror(double *K, int n)
{
    for (int j = 0; j < n; ++j) {
        for (int i = j + 1; i < n; ++i) {
            K[i * n + j] = K[j * n + i];
        }
    }
}

void tml_iso_stiffness(const TmlFeOne *e, double *K)
{
    const int nodes = e->type->n_nodes, n = 3 * nodes;
    TmlFePoint point[TML_FE_POINTS];
    TmlVec3 g[TML_FE_NODES];
    double lambda, mu;
    tml_iso_lame(&e->material, &lambda, &mu);
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    const int count = e->type->stiffness_points(point);
    for (int k = 0; k < count; ++k) {
        const double w = point[k].weight * tml_iso_gradient(e, point[k].at, g);
        for (int b = 0; b < nodes; ++b) {
            for (int a = b; a < nodes; ++a) {
                add_pair(K, n, a, b, lambda * w, mu * w, g[a], g[b]);
            }
        }
    }
    mirror(K, n);
}

void tml_iso_scalar_mass(const TmlFeOne *e, double *S)
{
    const int n = e->type->n_nodes;
    TmlFePoint point[TML_FE_POINTS];
    TmlVec3 g[TML_FE_NODES];
    double N[TML_FE_NODES], dN[TML_FE_NODES][3];
    memset(S, 0, (size_t)(n * n) * sizeof *S);
    const int count =
        e->rule == TML_FE_MASS_CCX ? e->type->stiffness_points(point) : e->type->mass_points(point);
    for (int k = 0; k < count; ++k) {
        e->type->shape(point[k].at, N, dN);
        const double w =
            e->material.density * point[k].weight * tml_iso_gradient(e, point[k].at, g);
        for (int b = 0; b < n; ++b) {
            for (int a = 0; a < n; ++a) {
                S[b * n + a] += w * N[a] * N[b]; // (E3)
            }
        }
    }
}

/* Each entry of S times the unit matrix. */
static void spread(const double *S, int nodes, double *M)
{
    const int n = 3 * nodes;
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int b = 0; b < nodes; ++b) {
        for (int a = 0; a < nodes; ++a) {
            for (int i = 0; i < 3; ++i) {
                M[(3 * b + i) * n + 3 * a + i] = S[b * nodes + a];
            }
        }
    }
}

void tml_iso_mass(const TmlFeOne *e, double *M)
{
    double S[TML_FE_NODES * TML_FE_NODES];
    e->type->scalar_mass(e, S);
    spread(S, e->type->n_nodes, M);
}

void tml_iso_hooke(double lambda, double mu, double g[3][3], double *out)
{
    const double trace = lambda * (g[0][0] + g[1][1] + g[2][2]); // (E4)
    out[XX] = trace + 2.0 * mu * g[0][0];
    out[YY] = trace + 2.0 * mu * g[1][1];
    out[ZZ] = trace + 2.0 * mu * g[2][2];
    out[XY] = mu * (g[0][1] + g[1][0]);
    out[YZ] = mu * (g[1][2] + g[2][1]);
    out[ZX] = mu * (g[2][0] + g[0][2]);
}

void tml_iso_stress(const TmlFeOne *e, const double *u, double *out)
{
    TmlFePoint point[TML_FE_POINTS];
    TmlVec3 g[TML_FE_NODES];
    double lambda, mu;
    tml_iso_lame(&e->material, &lambda, &mu);
    const int count = e->type->stiffness_points(point);
    for (int k = 0; k < count; ++k) {
        double slope[3][3] = {{0}};
        (void)tml_iso_gradient(e, point[k].at, g);
        for (int a = 0; a < e->type->n_nodes; ++a) {
            for (int i = 0; i < 3; ++i) {
                slope[i][0] += u[3 * a + i] * g[a].x;
                slope[i][1] += u[3 * a + i] * g[a].y;
                slope[i][2] += u[3 * a + i] * g[a].z;
            }
        }
        tml_iso_hooke(lambda, mu, slope, out + 6 * k);
    }
}

void tml_iso_geometric(const TmlFeOne *e, const double *stress, double *K)
{
    const int n = e->type->n_nodes;
    TmlFePoint point[TML_FE_POINTS];
    TmlVec3 g[TML_FE_NODES];
    double S[TML_FE_NODES * TML_FE_NODES] = {0};
    const int count = e->type->stiffness_points(point);
    for (int k = 0; k < count; ++k) {
        const double w = point[k].weight * tml_iso_gradient(e, point[k].at, g);
        const double *s = stress + 6 * k;
        const TmlMat33 A = {{s[XX], s[XY], s[ZX]}, {s[XY], s[YY], s[YZ]}, {s[ZX], s[YZ], s[ZZ]}};
        for (int b = 0; b < n; ++b) {
            const TmlVec3 sg = v3_scale(w, m3_mulv(&A, g[b]));
            for (int a = 0; a < n; ++a) {
                S[b * n + a] += v3_dot(g[a], sg); // (E5)
            }
        }
    }
    spread(S, n, K);
}

/* --- to the nodes -------------------------------------------------------------------------- */

typedef void Continue(int n, const TmlFePoint *points, const double at[3], double *weight);

static void to_nodes(const TmlFeOne *e, Continue *rule, const double *stress, double *out)
{
    TmlFePoint point[TML_FE_POINTS];
    double weight[TML_FE_POINTS];
    const int count = e->type->stiffness_points(point);
    memset(out, 0, 6 * (size_t)e->type->n_nodes * sizeof *out);
    for (int a = 0; a < e->type->n_nodes; ++a) {
        rule(count, point, e->type->node_at[a], weight);
        for (int k = 0; k < count; ++k) {
            for (int i = 0; i < 6; ++i) {
                out[6 * a + i] += weight[k] * stress[6 * k + i];
            }
        }
    }
}

void tml_tet_to_nodes(const TmlFeOne *e, const double *stress, double *out)
{
    to_nodes(e, tml_tet_continue, stress, out);
}

void tml_hex_to_nodes(const TmlFeOne *e, const double *stress, double *out)
{
    to_nodes(e, tml_hex_continue, stress, out);
}

/* --- what can be wrong --------------------------------------------------------------------- */

/* Size of the element: the diagonal of its box. */
static double extent(const TmlFeOne *e)
{
    TmlVec3 low = e->x[0], high = e->x[0];
    for (int a = 1; a < e->type->n_nodes; ++a) {
        const TmlVec3 x = e->x[a];
        low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    return v3_norm(v3_sub(high, low));
}

/* The node where the determinant is smallest: the one that is told. */
static int worst_node(const TmlFeOne *e, double *det)
{
    TmlVec3 g[TML_FE_NODES];
    int at = 0;
    *det = (double)INFINITY;
    for (int a = 0; a < e->type->n_nodes; ++a) {
        const double here = tml_iso_gradient(e, e->type->node_at[a], g);
        if (here < *det) {
            *det = here;
            at = a;
        }
    }
    return at;
}

/* A node of an edge that lies further from its middle than half the edge is long belongs elsewhere. */
static TmlStatus check_edges(const TmlFeOne *e, TmlError *err)
{
    for (int k = e->type->n_corners; k < e->type->n_nodes; ++k) {
        const int *end = e->type->edge[k - e->type->n_corners];
        const TmlVec3 a = e->x[end[0]], b = e->x[end[1]];
        const TmlVec3 middle = v3_scale(0.5, v3_add(a, b));
        if (v3_norm(v3_sub(e->x[k], middle)) > 0.5 * v3_norm(v3_sub(b, a))) {
            return tml_fail(err, TML_E_MODEL,
                            "node %" PRId64 " does not lie near the edge from node %" PRId64
                            " to %" PRId64 ": are the nodes in the order of another program?",
                            e->id[k], e->id[end[0]], e->id[end[1]]);
        }
    }
    return TML_OK;
}

/* A volume of less than this part of that of its box is none; at a node it may be zero (collapsed
 * elements, nodes at a quarter of an edge), and less than that only by rounding. */
static const double flat = 1e-13;
static const double rounding = 1e-9;

TmlStatus tml_iso_check(const TmlFeOne *e, TmlError *err)
{
    TmlFePoint point[TML_FE_POINTS];
    TmlVec3 g[TML_FE_NODES];
    const double size = extent(e), box = size * size * size;
    double det = (double)INFINITY, at_node;
    TML_TRY(check_edges(e, err));
    const int node = worst_node(e, &at_node);
    for (int rule = 0; rule < 2; ++rule) {
        const int count =
            rule == 0 ? e->type->stiffness_points(point) : e->type->mass_points(point);
        for (int k = 0; k < count; ++k) {
            det = fmin(det, tml_iso_gradient(e, point[k].at, g));
        }
    }
    if (det > flat * box && at_node >= -rounding * box) {
        return TML_OK;
    }
    return tml_fail(err, TML_E_MODEL,
                    "the Jacobian is %s: %.3g at node %" PRId64
                    ", %.3g at a point of integration; the element is inverted, flat or twisted",
                    det < 0.0 || at_node < 0.0 ? "negative" : "zero", at_node, e->id[node], det);
}
