/* reduce/element/spring2.c - spring between two nodes, along the line from one to the other: (TR1) with its rate, without mass. */
#include "reduce/element/line.h"

#include <string.h>

static const char *const inp[] = {"SPRINGA", NULL};

static TmlStatus spring_check(const TmlFeOne *e, TmlError *err)
{
    if (!(e->section.rate > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "has no *SPRING with a rate above zero");
    }
    return tml_line_check(e, err);
}

static void spring_stiffness(const TmlFeOne *e, double *K)
{
    TmlVec3 n;
    (void)tml_line_axis(e, &n);
    tml_line_stiffness(n, e->section.rate, K);
}

static void no_mass(const TmlFeOne *e, double *M)
{
    (void)e;
    memset(M, 0, TML_LINE * TML_LINE * sizeof *M);
}

static void no_scalar_mass(const TmlFeOne *e, double *S)
{
    (void)e;
    memset(S, 0, 4 * sizeof *S);
}

static int no_masses(const TmlFeOne *e, TmlFeMassPoint *out)
{
    (void)e, (void)out;
    return 0;
}

/* The force, as the normal force of a beam. */
static void spring_force(const TmlFeOne *e, const double *u, double *out)
{
    TmlVec3 n;
    (void)tml_line_axis(e, &n);
    memset(out, 0, 6 * sizeof *out);
    out[0] = e->section.rate * tml_line_stretch(n, u);
}

static void spring_geometric(const TmlFeOne *e, const double *force, double *K)
{
    TmlVec3 n;
    tml_line_geometric(force[0], tml_line_axis(e, &n), K);
}

TML_FE_TYPE(spring2) = {
    .name = "spring2",
    .text = "Spring between two nodes, along the line between them.",
    .inp = inp,
    .n_nodes = 2,
    .n_corners = 2,
    .n_freedoms = 3,
    .bare = true,
    .check = spring_check,
    .stiffness = spring_stiffness,
    .mass = no_mass,
    .scalar_mass = no_scalar_mass,
    .masses = no_masses,
    .n_stress = 1,
    .stress = spring_force,
    .geometric = spring_geometric,
};
