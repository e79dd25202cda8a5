/* reduce/element/mass1.c - mass at a node. */
#include "reduce/element/element.h"

#include <string.h>

static const char *const inp[] = {"MASS", NULL};

static TmlStatus mass_check(const TmlFeOne *e, TmlError *err)
{
    return e->section.mass > 0.0
               ? TML_OK
               : tml_fail(err, TML_E_MODEL, "has no *MASS with a mass above zero");
}

static void no_stiffness(const TmlFeOne *e, double *K)
{
    (void)e;
    memset(K, 0, 9 * sizeof *K);
}

static void mass_matrix(const TmlFeOne *e, double *M)
{
    memset(M, 0, 9 * sizeof *M);
    M[0] = M[4] = M[8] = e->section.mass;
}

static void mass_scalar(const TmlFeOne *e, double *S)
{
    S[0] = e->section.mass;
}

static int mass_points(const TmlFeOne *e, TmlFeMassPoint *out)
{
    out[0] = (TmlFeMassPoint){.mass = e->section.mass, .x = e->x[0]};
    out[0].N[0][0] = out[0].N[1][1] = out[0].N[2][2] = 1.0;
    return 1;
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

TML_FE_TYPE(mass1) = {
    .name = "mass1",
    .text = "Mass at a node, without rotary inertia.",
    .inp = inp,
    .n_nodes = 1,
    .n_corners = 1,
    .n_freedoms = 3,
    .bare = true,
    .check = mass_check,
    .stiffness = no_stiffness,
    .mass = mass_matrix,
    .scalar_mass = mass_scalar,
    .masses = mass_points,
    .stress = no_stress,
    .geometric = no_geometric,
};
