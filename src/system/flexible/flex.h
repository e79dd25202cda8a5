/* system/flexible/flex.h - what a system keeps of flexible bodies; internal to system/.
 *
 *   (F1)  M (x'' + d x') + f(x, x') - w g = 0     added to the rows (S1) through the vectors' maps
 *         D; d is the damping by mass
 *   (F2)  its tangent: D^T (c_a M + c_v f_v + c_q f_x) D for free vectors; in general
 *         D^T (M B + f_v W + f_x P) + c_q (D^T F)_u, F the force of (F1) on the vectors
 */
#pragma once

#include "math/triad.h"
#include "system/flexible/vectors.h"

/* Elements from which on threads pay: to start them takes about as long as twenty tangents. */
enum { TML_FLEX_MANY = 128 };

/* What one element is made of. */
typedef struct TmlFlexOwner {
    int n; /* vectors */
    const TmlVector *vector[TML_FLEX_MAX_VECTORS];
    TmlParts parts;
    int free[TML_FLEX_MAX_VECTORS]; /* body of a vector that is that body's own; else -1 */
    int col[TML_FLEX_MAX_VECTORS];  /* first local column of such a vector */
    int first[TML_FLEX_MAX_VECTORS], axes[TML_FLEX_MAX_VECTORS]; /* its numbers lie along the axes
                                       first, first + 1, ...: two of three for a mesh in a plane */
    TmlVec3 across[TML_FLEX_MAX_VECTORS]; /* what the third of them is then */
    bool plain; /* every vector is free, each of another body, or fixed to ground */
    const int *
        shown; /* plain: of each local column the number of the element's that it is; NULL: all, in this order */
} TmlFlexOwner;

typedef struct TmlPointKin {
    TmlFrameKin k;
    TmlVec3 a, b;   /* gradients that the axes come from */
    TmlVec3 a_rate; /* of a */
    TmlTriad triad;
} TmlPointKin;

struct TmlSystemFlex {
    TmlFlexOwner *element; /* model->flexes.n */
    TmlPointKin *point;    /* model->points.n */
    TmlFlexPoint *at; /* model->points.n: those of the model; some travel along their element */
    double *x;        /* flexes * 3 * TML_FLEX_MAX_N: vectors, rates, second rates */
    double *f;        /* flexes * TML_FLEX_MAX_N: forces of (F1) */
    double *before;   /* flexes * TML_FLEX_MAX_N: vectors before the last move; see flexible.h */
    double *noted;    /* those of tml_flex_note */
    bool moved;       /* `before` counts */
    double *power;    /* flexes: of stresses, W */
    int *point_order; /* points that equations see, then those that only channels see */
    int n_points_loop, n_points;
    struct TmlPool *pool; /* of loops over elements; NULL: one thread */
    int width;            /* most numbers that an element has */
    double *chunk;        /* tangents of a group of elements, before they are added */
    struct TmlFlexTangents *tangents;
    double *local;              /* TML_END_MAX_NU squared: a tangent in local columns */
    struct TmlFlexLoads *loads; /* NULL: no body has a load */
};

/* Vector i of an element at the last kinematics; level: value, rate, second rate. */
TmlVec3 tml_flex_vector(const TmlSystem *sys, int element, int i, int level);

/* Sets x, x', x'' of one element, after the motion of its bodies. */
void tml_flex_element_motion(TmlSystem *sys, const TmlState *s, int e);
void tml_flex_point_kin(const TmlSystem *sys, int point);
void tml_flex_end_frame(TmlSystem *sys, int end);
void tml_flex_end_map(const TmlSystem *sys, int end, TmlCoeffs c, unsigned what, TmlFrameMap *out);
void tml_flex_end_wrench(const TmlSystem *sys, int end, const TmlRow *w, double *r);
void tml_flex_end_dual(const TmlSystem *sys, int end, const double *X, int n, double *Y);
/* What the place x of an end along its element (way 0), or y over its sheet, does at fixed vectors: derivatives of the velocity and the angular velocity,
 * and of T^T w, one number for each column. */
void tml_flex_end_travel(const TmlSystem *sys, int end, int way, const TmlRow *w, TmlVec3 *v_x,
                         TmlVec3 *omega_x, double *Y);
void tml_flex_end_geometric(const TmlSystem *sys, int end, const TmlRow *w, double c_q, double *K);

/* After the offsets of bodies are known. */
TML_NODISCARD TmlStatus tml_flex_setup(TmlSystem *sys, TmlError *err);
void tml_flex_free(TmlSystem *sys);

TML_NODISCARD TmlStatus tml_flex_tangent_setup(TmlSystem *sys, TmlError *err);

/* Vectors of all elements at s and motion of the points that equations see, with channels of all
 * points that anything sees; after the motion of the bodies. */
void tml_flex_kinematics(TmlSystem *sys, const TmlState *s, bool channels);

/* (F1) into r[nu]; the power of stresses goes to power.stored, that of loads to power.other. */
void tml_flex_residual(TmlSystem *sys, double t, double *r);

/* (F2) at the last residual, handed to tml_parts_block. */
void tml_flex_blocks(TmlSystem *sys, TmlCoeffs c);

/* The body whose own vector of dim numbers v is, or -1. */
int tml_flex_free_body(const TmlSystem *sys, const TmlVector *v, int dim);

/* Returns the values of element e at the last kinematics. */
TmlFlexIn tml_flex_in(const TmlSystem *sys, int e);

/* y[nu] += D^T M D x[nu] */
void tml_flex_mass_mul(const TmlSystem *sys, const double *x, double *y);

/* d[nu] += diagonal of the mass matrix of free vectors; total[0] += mass, kg. */
void tml_flex_mass_diagonal(TmlSystem *sys, double *d, double *total);

/* Adds kinetic, gravity and strain energy at the last kinematics. */
void tml_flex_energy(const TmlSystem *sys, TmlEnergy *e);
