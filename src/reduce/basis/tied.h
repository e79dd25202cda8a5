/* reduce/basis/tied.h - interfaces: nodes tied to frames, and the matrices that are left.
 *
 * A spider ties nodes k at x_k to a frame at p with displacement d and rotation vector t. With
 * R_k = [1, -(x_k - p)~],
 *
 *     rigid (RBE2)       u_k = R_k (d, t)                                                     (IF1)
 *     averaging (RBE3)   (d, t) = H^-1 sum w_k R_k^T u_k,   H = sum w_k R_k^T R_k             (IF2)
 *
 * Rotations of nodes, where they have any, follow the rigid frame and do not count in the average.
 * Nodes of rigid spiders are eliminated: all freedoms are u = T q, and K, M become T^T K T, T^T M T.
 * Freedoms that linear relations of the mesh tie to others are eliminated in the same way (follow.h).
 * What an averaging spider says is a row D q = (d, t) beside the matrices, which stay as they are.
 */
#pragma once

#include "reduce/finite.h"

typedef enum TmlTie {
    TML_TIE_RIGID,   /* RBE2 */
    TML_TIE_AVERAGE, /* RBE3 */
    TML_TIE_NODE,    /* the freedoms of one node */
} TmlTie;

typedef struct TmlInterface {
    const char *name;
    TmlTie tie;
    TmlVec3 at; /* place of the frame; of a node: its own */
    int n;
    const int *node;      /* n, counted from 0 */
    const double *weight; /* n, of an average; NULL: all the same */
    bool follows;         /* of an average: `follower` is a node that moves as the frame does */
    int follower;
    int64_t id; /* number that its frame is given; 0: that of its node, if it is one */
} TmlInterface;

/* An interface in the tied matrices. Its motion is `count` numbers: displacement and, when there are
 * six, rotation. */
typedef struct TmlTiedFrame {
    const TmlInterface *of;
    int count; /* 3 or 6 */
    int first; /* of its numbers among those of all interfaces */
    int at;    /* first of its freedoms in q; -1: rows of D */
    int row;   /* first of its rows of D; -1: freedoms */
} TmlTiedFrame;

typedef struct TmlTied {
    TmlArena arena;
    const TmlFeMatrices *fe;
    int n;            /* freedoms q that are left */
    TmlCsc Tt;        /* n x fe->n: T^T */
    const int *where; /* fe->n: place in q of a freedom that is free; -1: it follows from others */
    TmlCsc K, M;      /* n x n, lower triangles */
    double *R;      /* n x 6: rigid motion about `centre` (three displacements, three rotations) */
    double *MR;     /* n x 6: M R */
    TmlVec3 centre; /* of mass */
    double mass;
    double inertia[36];      /* R^T M R, by columns */
    double length;           /* radius of gyration: what a rotation is measured by */
    int n_frames, n_motions; /* interfaces, and numbers of their motion */
    TmlTiedFrame *frame;
    int n_rows;
    double *D; /* n x n_rows: averages, one a column */
} TmlTied;

/* Ties n_interfaces; errors name the interface.
 *   TML_E_MODEL  nodes on a line or too few, a node in two rigid spiders, no mass */
TML_NODISCARD TmlStatus tml_tied_create(const TmlFeMatrices *fe, int n_interfaces,
                                        const TmlInterface *interfaces, TmlTied *out,
                                        TmlError *err);
/* Without interfaces, for mass and inertia: the part may be in pieces, which spiders hold together. */
TML_NODISCARD TmlStatus tml_tied_loose(const TmlFeMatrices *fe, TmlTied *out, TmlError *err);
void tml_tied_free(TmlTied *t);

/* The motion of interface f in q[n]: out[frame->count]. */
void tml_tied_motion(const TmlTied *t, int f, const double *q, double *out);

/* All freedoms of the nodes, u[fe->n] = T q. */
void tml_tied_expand(const TmlTied *t, const double *q, double *u);

/* "node 12, y" of a freedom of q, for messages. */
typedef struct TmlFreedomText {
    char text[96];
} TmlFreedomText;
TmlFreedomText tml_tied_freedom(const TmlTied *t, int freedom);
