/* reduce/element/shell_flat.h - flat shells of three and four nodes: what both share.
 *
 * A shell lies in the plane of its axes; nodes that do not (four need not) hang on it by rigid arms.
 */
#pragma once

#include "reduce/element/element.h"

enum {
    TML_SHELL_NODES = 4,
    TML_SHELL_FREEDOMS = 24,
    TML_SHELL_MODES = 4,    /* inside of an element of four nodes */
    TML_SHELL_COLUMNS = 28, /* freedoms and modes */
    TML_SHELL_STRAINS = 9   /* membrane xx yy xy, curvature xx yy xy, shear xz yz, drilling */
};

/* The element in its own plane. */
typedef struct TmlShellFlat {
    int n;
    TmlVec3 centre;
    TmlMat33 axes;                                                     /* z: the normal */
    double x[TML_SHELL_NODES], y[TML_SHELL_NODES], z[TML_SHELL_NODES]; /* z: out of the plane */
} TmlShellFlat;

/* Shape functions by natural coordinates: N, dN by r and s. */
typedef void TmlShellShape(double r, double s, double *N, double (*dN)[2]);

/* Gradients of the shape functions by x and y; the determinant of the Jacobian. */
double tml_shell_gradient(const TmlShellFlat *f, TmlShellShape *shape, double r, double s,
                          double *N, double (*g)[2]);

/* Strains at natural coordinates by the freedoms in axes of the shell; the determinant. */
typedef double TmlShellStrains(const TmlShellFlat *f, double r, double s,
                               double B[TML_SHELL_STRAINS][TML_SHELL_COLUMNS]);

/* What a type of shell is made of. */
typedef struct TmlShellKind {
    int n_points;
    const double (*point)[3]; /* r, s, weight */
    TmlShellShape *shape;
    TmlShellStrains *strains;
    double to_node
        [TML_SHELL_NODES]; /* weight at a node of the point beside it, and of the others around */
} TmlShellKind;

void tml_shell_flat(const TmlFeOne *e, TmlShellFlat *out);
/* Rows that drilling and membrane share: membrane strains, curvatures and drilling at a point. */
void tml_shell_plane_strains(int n, const double *N, double (*g)[2],
                             double B[TML_SHELL_STRAINS][TML_SHELL_COLUMNS]);

TmlStatus tml_shell_check(const TmlFeOne *e, TmlError *err);
void tml_shell_stiffness(const TmlFeOne *e, double *K);
int tml_shell_masses(const TmlFeOne *e, TmlFeMassPoint *out);
void tml_shell_mass(const TmlFeOne *e, double *M);
/* Stress in axes of the mesh, at each point on the side of the normal, then on the other. */
void tml_shell_stress(const TmlFeOne *e, const double *u, double *out);
/* At each node on the side of the normal, then on the other. */
void tml_shell_to_nodes(const TmlFeOne *e, const double *stress, double *out);
int tml_shell_sides(const TmlFeOne *e);
TmlVec3 tml_shell_normal(const TmlFeOne *e);
void tml_shell_geometric(const TmlFeOne *e, const double *stress, double *K);
