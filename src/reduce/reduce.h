/* reduce/reduce.h - a finite-element part becomes a reduced one. */
#pragma once

#include "model/modal/part.h"
#include "reduce/applied_loads.h"
#include "reduce/basis/basis.h"
#include "reduce/basis/modes.h"
#include "reduce/element/element.h"
#include "reduce/moments.h"
#include "reduce/part_nodes.h"
#include "reduce/stiffening.h"

/* Damping of modes: ratio at a frequency, or Rayleigh's mass and stiffness parts, of which the first
 * acts on modes only and does not brake rigid motion. */
typedef struct TmlDamping {
    bool rayleigh;
    double mass, stiffness; /* 1/s, s */
    int n;                  /* points of the table of ratios; 1: a constant */
    const double *hertz, *ratio;
} TmlDamping;

/* A node that joints, forces and outputs can name. */
typedef struct TmlKeptNode {
    const char *name;
    int node;
} TmlKeptNode;

typedef struct TmlReduceOptions {
    const char *name;
    int n_interfaces;
    const TmlInterface *interface;
    TmlReduction reduction;
    int frame; /* an interface; -1: mean axes */
    TmlDamping damping;
    int n_kept;
    const TmlKeptNode *kept;
    TmlFeMassRule rule; /* that the mass of a mesh was made by */
    TmlPartNodes nodes;
    bool centrifugal; /* of a mesh only, and so are load cases */
    bool spin_shapes; /* the static shapes of centrifugal loads are among the modes */
    int n_load_cases;
    const TmlLoadCase *load_case;
    int n_loads; /* that forces of a model scale */
    const TmlAppliedLoad *load;
} TmlReduceOptions;

/* What is told of a reduction beside the part itself. */
typedef struct TmlReduceFacts {
    int freedoms;      /* of the matrices */
    int n_attachments; /* residual vectors, or Herting's */
    double mesh_mass;  /* by the matrices alone, without spiders */
    TmlVec3 mesh_centre;
    double mesh_inertia[9]; /* about the centre, by columns */
    double inertia[9];      /* of the reduced part about its centre */
    TmlVec3 centre;         /* of the reduced part, in the coordinates of the mesh */
    double
        rigid_hertz; /* of matrices from files: the frequency that rigid motion has by them; it is taken for zero */
    double spin_share;   /* the least of (GS3) over loads that matter; 1: none was looked at */
    double factor_bytes; /* memory of the factors */
    double factor_flops;
} TmlReduceFacts;

/* All memory of the part and the facts comes from the arena. */
TML_NODISCARD TmlStatus tml_reduce(const TmlFeMatrices *fe, const TmlReduceOptions *o,
                                   TmlArena *arena, TmlPart *part, TmlReduceFacts *facts,
                                   TmlError *err);

/* Centre of mass, in the coordinates of the mesh, and moments of inertia about it, by columns, of a part
 * that is not deformed. */
void tml_reduce_inertia(const TmlPart *part, TmlVec3 *centre, double inertia[9]);
