/* reduce/element/rotary1.c - rotary inertia at a node, about x, y and z, without mass.
 *
 * Its mass is represented by pairs of points at one metre on both sides along each axis, and one in the middle that takes their
 * mass away again: with the second moments S_x = (I_y + I_z - I_x) / 2 and so on
 *
 *   (RI1)  m = S_k / 2 at x +- e_k,   m = -(S_x + S_y + S_z) at x
 */
#include "math/vec3.h"
#include "reduce/element/element.h"

#include <string.h>

enum { N = 6 };

static const char *const inp[] = {"ROTARYI", NULL};

static TmlStatus rotary_check(const TmlFeOne *e, TmlError *err)
{
    const double *I = e->section.inertia;
    return I[0] >= 0.0 && I[1] >= 0.0 && I[2] >= 0.0 && I[0] + I[1] + I[2] > 0.0
               ? TML_OK
               : tml_fail(err, TML_E_MODEL, "has no *ROTARY INERTIA with moments above zero");
}

static void no_stiffness(const TmlFeOne *e, double *K)
{
    (void)e;
    memset(K, 0, N * N * sizeof *K);
}

static void rotary_matrix(const TmlFeOne *e, double *M)
{
    no_stiffness(e, M);
    for (int k = 0; k < 3; ++k) {
        M[(3 + k) * (N + 1)] = e->section.inertia[k];
    }
}

static int rotary_points(const TmlFeOne *e, TmlFeMassPoint *out)
{
    const double *I = e->section.inertia;
    const TmlVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int p = 0; p < 7; ++p) { // (RI1)
        const double second = 0.5 * (I[0] + I[1] + I[2]) - I[p / 2 % 3];
        const TmlVec3 r = p < 6 ? v3_scale(p % 2 == 0 ? 1.0 : -1.0, axis[p / 2]) : v3(0, 0, 0);
        const double skew[3][3] = {{0, r.z, -r.y}, {-r.z, 0, r.x}, {r.y, -r.x, 0}};
        out[p] = (TmlFeMassPoint){.mass = p < 6 ? 0.5 * second : -0.5 * (I[0] + I[1] + I[2]),
                                  .x = v3_add(e->x[0], r)};
        for (int a = 0; a < 3; ++a) {
            out[p].N[a][a] = 1.0;
            for (int b = 0; b < 3; ++b) {
                out[p].N[a][3 + b] = skew[a][b];
            }
        }
    }
    return 7;
}

static void no_stress(const TmlFeOne *e, const double *u, double *out)
{
    (void)e, (void)u, (void)out; // it has no points of stress
}

static void no_geometric(const TmlFeOne *e, const double *stress, double *K)
{
    (void)stress;
    no_stiffness(e, K);
}

TML_FE_TYPE(rotary1) = {
    .name = "rotary1",
    .text = "Rotary inertia at a node, without mass.",
    .inp = inp,
    .n_nodes = 1,
    .n_corners = 1,
    .n_freedoms = 6,
    .bare = true,
    .check = rotary_check,
    .stiffness = no_stiffness,
    .mass = rotary_matrix,
    .masses = rotary_points,
    .stress = no_stress,
    .geometric = no_geometric,
};
