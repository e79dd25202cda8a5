/* system/coordinates/tree.h - joint coordinates: the bodies as a spanning tree, each hung on the one before it.
 *
 * Every body has one tree joint to its parent, whose free motion is its coordinates x; the other
 * constraints are cut: they remain as equations (system/coordinates/cut.h). A body that no such joint reaches
 * floats: three displacements from the ground and, unless it is a point, a rotation. Coordinates
 * count from the state that tml_tree_begin was given: x = 0 there.
 *
 *   (J1)  A_j = A_i R(x),  r_j = r_i + A_i (d + E x_t)     i, j: frames of the joint, first, second
 *   (J2)  R = R_z(x) R_0 | R_x(x_1) R_0 R_y(x_2) | exp(x) R_0 | R_0
 *   (J3)  twist about the origin of the global axes, V = (v_0, omega): V_child = V_parent + S x',
 *         rotations S = (r_j x s, s), s = A_i w(x), displacements S = (A_i e, 0); with the sign
 *         turned when the child has the first frame
 *   (J4)  V' of child - V' of parent - S' x' = S x''
 */
#pragma once

#include "system/system.h"

/* Motion about the origin of the global axes: velocity of the point there, angular velocity. */
typedef struct TmlTwist {
    TmlVec3 v, w;
} TmlTwist;

/* The joint that a body hangs on. */
typedef struct TmlTreeJoint {
    int body, parent;
    int constraint; /* -1: it floats */
    bool flip;      /* the body has the first frame of the joint */
    TmlFreeRotation rotation;
    unsigned along;     /* TML_ALONG_ bits */
    int x0, n, n_along; /* first coordinate, how many; displacements come first */
    TmlEnd i, j;        /* the frames */
    TmlQuat p_i, p_j;   /* their axes in the bodies */
    TmlQuat R0;         /* (J2), changed by begin and rebase */
    TmlVec3 d0;         /* (J1) */
    TmlVec3 r_j;        /* at the last positions */
    TmlMat33 A_i;
} TmlTreeJoint;

typedef struct TmlTree {
    TmlSystem *sys;
    TmlArena arena;
    int n;        /* coordinates */
    int n_joints; /* nb - 1: parents before children */
    TmlTreeJoint *joint;
    int *of_body;     /* nb: number of a body's joint; -1 for the ground */
    bool *in_tree;    /* per constraint: it is a joint of the tree */
    bool *length;     /* n: a displacement */
    TmlTwist *S;      /* n: (J3) at the last positions */
    TmlTwist *V, *V1; /* nb: twists; their derivatives or scratch */
    double *u, *udot; /* nu */
} TmlTree;

/* TML_E_MODEL when a body is of a type that has no place in a tree. */
TML_NODISCARD TmlStatus tml_tree_create(TmlSystem *sys, TmlTree **out, TmlError *err);
void tml_tree_free(TmlTree *tree);

/* Let coordinates count from s, which is on the constraints. */
void tml_tree_begin(TmlTree *tree, const TmlState *s);

/* q of s from x[n]: a recursion from the ground outwards, nothing to solve. Then velocities of s
 * from the rates x1[n] there. */
void tml_tree_positions(TmlTree *tree, const double *x, TmlState *s);
void tml_tree_velocities(TmlTree *tree, const double *x1, TmlState *s);

/* du[nu] that belongs to a change dx[n] at the last positions, and the way back, which leaves out
 * what the tree joints do not allow. */
void tml_tree_spread(TmlTree *tree, const TmlState *s, const double *dx, double *du);
void tml_tree_gather(TmlTree *tree, const TmlState *s, const double *x, const double *du,
                     double *dx);

/* Rates x1[n] of s, second rates x2[n] by (J4); at the last positions, where s is at x, x1. */
void tml_tree_read_rates(TmlTree *tree, const TmlState *s, const double *x, double *x1);
void tml_tree_read_second(TmlTree *tree, const TmlState *s, const double *x, const double *x1,
                          double *x2);

/* Accelerations of s from second rates x2[n], where its velocities were just set from x1. */
void tml_tree_accelerations(TmlTree *tree, const double *x, const double *x1, const double *x2,
                            TmlState *s);

/* A rotation vector whose length has passed half a radian: let it count from x. Returns the joint
 * after k for which that is due, or -1; rotate turns points of its history to the new base. */
int tml_tree_rebase(TmlTree *tree, const double *x, int k, TmlVec3 *base);
void tml_tree_rotate(TmlVec3 base, double *x, double *x1, double *x2); /* 3 each */
