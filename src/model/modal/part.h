/* model/modal/part.h - a part from finite elements, reduced to modes: what a modal body is made of.
 *
 * Made by src/reduce from matrices and meshes, kept in an HDF5 file (src/io), read by modal
 * bodies. All in SI units and in the axes of the part's frame, from its origin. A point x of the
 * part goes to
 *
 *     r + A (x + sum_j phi_j(x) eta_j)                                                        (MO1)
 *
 * where r, A are the frame's place and axes and eta_j the modal coordinates. With f_0 = x and
 * f_j = phi_j, j = 1..m, the mass is known by its moments
 *
 *     P_i = int rho f_i dV,   G_ij = int rho f_i f_j^T dV                                     (MO2)
 *
 * which are exact to second order in eta. What a matrix has beyond that (rotary inertia of nodes)
 * is constant: the rest J_r, C_r, M_r.
 */
#pragma once

#include "trammel/types.h"

/* Where a joint, a force or a shape may hold the part: a frame that is tied to nodes, or a node. */
typedef struct TmlPartFrame {
    const char *name;
    TmlVec3 x;         /* undeformed place */
    bool turns;        /* it has a rotation: a spider, or a node of beams and shells */
    const double *phi; /* 3 m: displacement by each mode, phi[3 j ...] */
    const double *psi; /* 3 m: rotation vector by each mode; zero when it does not turn */
    int64_t node; /* number of its node, as datasets of other programs name it; 0: it has none */
} TmlPartFrame;

/* Stresses that stiffen or soften the part, per unit of a load. */
typedef struct TmlPartStiffening {
    const char *name;
    const double *K; /* m x m, symmetric */
    const double *
        load; /* m: the load as forces on the modes, reactions included; NULL: an old file does not tell */
} TmlPartStiffening;

/* A load on the nodes that keeps its direction in the axes of the frame, f_k and moments n_k of unit size, as the unknowns of a
 * modal body feel it:
 *
 *   (ML1)  F = sum f_k,  T_0 = sum x_k x f_k + n_k,  q_j = sum phi_j . f_k + psi_j . n_k,  T_j = sum phi_j x f_k
 *
 * The torque about the origin is T_0 + sum T_j eta_j: arms grow as the part deforms. */
typedef struct TmlPartLoad {
    const char *name;
    TmlVec3 force, torque;
    const double *mode; /* m: q_j */
    const double *turn; /* 3 m: T_j */
} TmlPartLoad;

/* Places of stress of a node: its own (solids), the face of a shell on the side of its normal and the other one, and
 * outer fibres of a beam: TML_PART_FIBRE and more, around it. */
enum { TML_PART_NODE = 0, TML_PART_TOP = 1, TML_PART_BOTTOM = 2, TML_PART_FIBRE = 8 };

typedef struct TmlPart {
    const char *name;
    int m;                 /* modes */
    double mass;           /* kg */
    double size;           /* m: the diagonal of the box around the part */
    TmlVec3 origin;        /* of the part's frame, in the coordinates of the mesh */
    TmlMat33 axes;         /* of the part's frame, in the axes of the mesh, as columns */
    const double *P;       /* (m + 1) x 3 */
    const double *G;       /* (m + 1) x (m + 1) x 3 x 3: G[9 * (i * (m + 1) + j) + 3 * a + b] */
    const double *rest_J;  /* 3 x 3; NULL: no rest */
    const double *rest_C;  /* m x 3, NULL together with rest_J */
    const double *rest_M;  /* m x m */
    const double *K;       /* m x m, symmetric: stiffness */
    const double *D;       /* m x m, symmetric: damping; NULL: none */
    const double *hertz;   /* m: frequency of each mode, sqrt(K_jj / M_jj) / 2 pi */
    const double *largest; /* m: largest displacement of a node by each mode at eta = 1 */
    const double *turning; /* m: largest rotation of a frame by each mode at eta = 1 */
    int n_frames;
    const TmlPartFrame *frame;
    const double *centrifugal; /* 6 x m x m: K by w_x^2, w_y^2, w_z^2, w_x w_y, w_y w_z, w_z w_x;
                                * NULL: not computed */
    int n_stiffening;
    const TmlPartStiffening *stiffening;
    int n_loads;
    const TmlPartLoad *load;
    /* Nodes that are drawn, loaded or recovered. One that has several places of stress (faces of a shell, fibres of a
     * beam, materials that meet) is there once for each. */
    int n_nodes;
    const int64_t *id;   /* n_nodes: their numbers in the mesh */
    const int32_t *side; /* n_nodes: TML_PART_NODE and so on; NULL: an old file, all are nodes */
    const int64_t *
        element; /* n_nodes: number of the element that the place belongs to; 0: to all of the node */
    const TmlVec3 *x;    /* n_nodes */
    const float *shape;  /* n_nodes x 3 x m: shape[3 * (node * m + j) + a]; NULL: not kept */
    const float *stress; /* n_nodes x 6 x m, laid out as shape, xx yy zz xy yz zx, Pa; NULL */
    const double *
        elastic; /* n_nodes x 2: Young's modulus, Poisson's ratio; NAN without stress; NULL: not kept */
    int n_fixed;             /* modes with all interfaces held, or free ones, that it was made of */
    const double *fixed;     /* n_fixed: their frequencies, Hz */
    const double *effective; /* n_fixed x 6: shares of mass and moments of inertia; NULL */
    const int32_t *physical; /* m: 1 where the frequency is that of the mesh to about 1 %; NULL */
    int n_triangles;         /* of the surface */
    const int32_t *corner;   /* 3 n_triangles numbers of nodes, counted from 0 in `x` */
} TmlPart;
