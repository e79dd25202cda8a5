/* reduce/finite.h - a finite-element part before it is reduced: nodes, elements, sets, and matrices.
 *
 * Meshes (element/, assemble.c), frames of beams and matrices from files all end in a TmlFeMatrices;
 * reduction (craig_bampton.c and others) sees nothing else, but for stresses and stiffening, which
 * ask the elements of a mesh.
 */
#pragma once

#include "base/arena.h"
#include "base/fail.h"
#include "sparse/csc.h"
#include "trammel/types.h"

typedef struct TmlFeElementType TmlFeElementType; /* element/element.h: one file a type */

typedef struct TmlFeMaterial {
    const char *name;
    double young, poisson, density; /* Pa, 1, kg/m^3; NAN: not given */
} TmlFeMaterial;

typedef struct TmlFeElement {
    int64_t id; /* its number in the file */
    const TmlFeElementType *type;
    int first;    /* of its nodes in TmlFeMesh.node */
    int material; /* -1: none given */
    int section;  /* of beams and shells; -1: none */
    int line;     /* of the file, for messages; 0: not known */
} TmlFeElement;

typedef struct TmlFeSet {
    const char *name;
    int n;
    const int *at; /* numbers of nodes or elements, counted from 0 */
} TmlFeSet;

/* Nodes that a file ties to a reference point: an interface of the part. */
typedef struct TmlFeCoupling {
    const char *name;
    TmlVec3 at;
    bool average; /* the point follows the mean of the nodes, which are not rigid */
    int64_t id;   /* number of the reference node; 0: it has none */
    int n, line;
    bool node_alone; /* the frame is the node itself, which relations tie others to */
    int follower;    /* a node with elements that moves as the average does; -1: none */
    const int *node; /* counted from 0 */
} TmlFeCoupling;

/* A freedom in a linear relation: 0 to 2 displacement along x, y, z, 3 to 5 rotation about them. */
typedef struct TmlFeTerm {
    int node, freedom;
    double factor; /* in the unit of length of the file: of rotations it is a length */
} TmlFeTerm;

/* sum of factor times freedom = 0, over terms first to first + n - 1; the first one is meant to follow from the others. */
typedef struct TmlFeRelation {
    const char *keyword; /* of the file */
    int first, n, line;
} TmlFeRelation;

typedef struct TmlFeMesh {
    TmlArena arena;
    const char *file;
    int n_nodes;
    int64_t *id; /* n_nodes: numbers in the file, which have gaps */
    TmlVec3 *x;  /* n_nodes */
    int n_elements;
    TmlFeElement *element;
    int *node; /* of all elements, one after the other, in the order of element/element.h */
    int n_materials;
    TmlFeMaterial *material;
    int n_sections;
    struct TmlFeSection *section;
    int n_node_sets, n_element_sets;
    TmlFeSet *node_set, *element_set;
    int n_couplings;
    TmlFeCoupling *coupling;
    int n_relations, n_terms;
    TmlFeRelation *relation;
    TmlFeTerm *term;
    int n_notes;
    const char **note; /* what was left out or taken for granted, one sentence each */
    int n_included;
    const char **included; /* files that the file includes */
} TmlFeMesh;

/* Symmetric matrices, lower triangles. A node has three freedoms (displacements), six (and
 * rotations) when an element of its has rotations, none when no element has it: a mesh may have such
 * nodes as places for frames. Freedoms of node k are first[k] to first[k + 1] - 1. */
typedef struct TmlFeMatrices {
    TmlArena arena;
    TmlCsc K, M;
    int n_nodes, n; /* nodes, freedoms */
    int *first;     /* n_nodes + 1 */
    const int64_t *id;
    const TmlVec3 *x;
    const TmlFeMesh *mesh; /* where they come from; NULL: from files */
} TmlFeMatrices;
