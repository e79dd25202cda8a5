/* system/recursion/tangent.h - what the files of the derivatives share; see recursion_tangent.c.
 *
 * Unknowns and equations stand in this order: accelerations of the joints and (N10), rates of the states, multipliers of the kept
 * rows of loops and these rows.
 */
#pragma once

#include "system/recursion/links.h"

enum { TML_FRAME_SIZE = 6 }; /* numbers of a frame's motion: displacement and turn */

/* What a unit change does to a link. */
typedef struct TmlLinkChange {
    TmlVec3 r, v, w, a, alpha; /* of its joint point; its turning */
    TmlVec3 f, n;              /* of (N10), inwards */
} TmlLinkChange;

typedef enum TmlSeed { TML_BY_ACCELERATION, TML_BY_SPEED, TML_BY_POSITION } TmlSeed;

/* One column: a unit change of a coordinate of link j, whose subtree ends before `end`. */
typedef struct TmlColumn {
    TmlSeed seed;
    int j, end;
    TmlVec3 phi, shift; /* turning of all that is behind; displacement of the joint point of j */
} TmlColumn;

/* The change of an end's motion. */
typedef struct TmlEndChange {
    TmlVec3 r, phi, v, w, a, alpha;
} TmlEndChange;

/* Derivatives of a joint that is cut. */
typedef struct TmlCutTangent {
    double *K;          /* of J^T lambda by the motions of its ends */
    double *row;        /* the same of one row: scratch */
    TmlRow *m, *v;      /* rows * ends: of the rows at acceleration level, by motions and twists */
    TmlRow *wrench;     /* ends: J^T lambda */
    TmlRow *moved;      /* ends: change of it in a column */
    TmlEndChange *ends; /* ends: of a column */
} TmlCutTangent;

struct TmlTangent {
    TmlRecursion *r;
    int size;              /* unknowns */
    TmlLinkChange *change; /* links + 1; [0] is the ground */
    int *behind;           /* of each link: one past the last link behind it */
    TmlVec3 *y1w;          /* of each link: S y', and S y */
    TmlVec3 *yw;
    double *K;  /* of all forces with frames: K_q, K_v */
    size_t *K0; /* of each force: its place there */
    TmlRow *P;  /* of all forces: wrenches by F */
    size_t *P0;
    TmlRow *gq, *gv; /* of all equations: gradients by motion and twist of each frame */
    double *gu;      /* and by unknowns */
    size_t *g0, *gu0;
    double *dX, *dV;      /* of a column: nx; nv + nf */
    double *reach;        /* of each link */
    double *sum;          /* two for each link: scratch */
    TmlCutTangent *cut;   /* loops.n_cut */
    const double *lambda; /* of the last residual: loops.m, in the caller's unknowns */
};

/* --- recursion_tangent.c --- */

/* The change of a frame on a link, by that of the link. */
void tml_tangent_end(const TmlTangent *t, const TmlColumn *c, int body, TmlVec3 place,
                     TmlEndChange *out);

/* --- tangent_loops.c --- */

TML_NODISCARD TmlStatus tml_tangent_loops_setup(TmlTangent *t, TmlError *err);
/* Moves the joints that are cut, adds J^T lambda to f and n of the links, and sets the rows at acceleration level,
 * out[loops.m]. */
void tml_tangent_loops_residual(TmlTangent *t, double time, double *out);
/* Derivatives of both, by the motions of the ends. */
void tml_tangent_loops_evaluate(TmlTangent *t, double time);
/* Adds the change of the wrenches in a column to f and n of the links. */
void tml_tangent_loops_change(TmlTangent *t, const TmlColumn *c);
/* Writes the rows of loops of a column, whose first one is K[0]. */
void tml_tangent_loops_rows(TmlTangent *t, const TmlColumn *c, double *K);
/* Adds the wrenches of a unit of multiplier k to f and n of the changes. */
void tml_tangent_loops_load(TmlTangent *t, int k);
