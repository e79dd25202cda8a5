/* system/modal/modal_bodies.h - what a system keeps of modal bodies; internal to system/.
 *
 * The unknowns of a modal body are the six of its floating frame and its coordinates, which are those of hidden bodies and
 * follow each other. Its equations are (MO6) to (MO8) of model/modal/modal.h, turned to global axes in the rows of the frame.
 */
#pragma once

#include "model/modal/modal.h"
#include "system/system_internal.h"

typedef struct TmlModalState {
    const TmlModal *body;
    TmlParts parts; /* the frame, then the hidden bodies */
    double *x[3];   /* m each: coordinates, rates, second rates at the last kinematics */
    double *e;      /* 6 + m: residual in body axes at the last residual */
    TmlModalSums sums;
} TmlModalState;

/* A frame of a part that some end needs. */
typedef struct TmlModalNode {
    int point; /* of TmlModel.points */
    TmlAttach z;
    TmlFrameKin k;
} TmlModalNode;

struct TmlSystemModal {
    int n;
    TmlModalState *at;
    TmlModalNode *node; /* n_nodes: those that equations see, then those that only channels see */
    int n_nodes_loop, n_nodes;
    int *node_of; /* of each point of the model; -1: none */
    double *K;    /* the largest (6 + m)^2 */
    double *y;    /* the largest 6 + m, three times */
    bool *told;   /* n: it was said that the body is deformed much */
    char text[256];
};

TML_NODISCARD TmlStatus tml_modal_setup(TmlSystem *sys, TmlError *err);

/* Which end is at a frame of a modal body. */
static inline bool tml_end_is_modal(const TmlSystem *sys, int end)
{
    const int point = sys->end[end].point;
    return point > 0 && sys->modal != NULL && sys->modal->node_of[point - 1] >= 0;
}

/* Coordinates of all modal bodies at s and motion of their frames; after the motion of the bodies. */
void tml_modal_kinematics(TmlSystem *sys, const TmlState *s, bool channels);
/* Adds the equations to r[nu]; the power of stiffness and damping goes to power.stored. */
void tml_modal_forces(TmlSystem *sys, double *r);
/* Their derivatives at the last residual, handed to tml_parts_block. */
void tml_modal_blocks(TmlSystem *sys, TmlCoeffs c);
/* y[nu] += M x[nu] */
void tml_modal_mass_mul(const TmlSystem *sys, const double *x, double *y);
/* d[nu] += diagonal of the mass matrix, mean of the moments of inertia for rotations; total[0] += mass, kg. */
void tml_modal_mass_diagonal(TmlSystem *sys, double *d, double *total);
void tml_modal_energy(const TmlSystem *sys, TmlEnergy *e);
/* Of a coordinate: "modal body 'arm': mode 3". False: the body is none of a modal body. */
bool tml_modal_coordinate_name(const TmlSystem *sys, int body, int component, char *text,
                               size_t size);

/* --- modal_end.c: frames of modal bodies, as ends.c has them for all ------------------------------------ */

void tml_modal_end_frame(TmlSystem *sys, int end);
void tml_modal_end_map(const TmlSystem *sys, int end, TmlCoeffs c, unsigned what, TmlFrameMap *out);
void tml_modal_end_wrench(const TmlSystem *sys, int end, const TmlRow *w, double *r);
void tml_modal_end_dual(const TmlSystem *sys, int end, const double *X, int n, double *Y);
void tml_modal_end_geometric(const TmlSystem *sys, int end, const TmlRow *w, double c_q, double *K);
