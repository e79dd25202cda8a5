/* reduce/mesh/node_graph.h - which nodes of a mesh share an element, and where their blocks are in a matrix. */
#pragma once

#include "reduce/finite.h"

/* Lower triangle by columns: column j lists the nodes i >= j that share an element with j, itself
 * first. Nodes of no element have no entry. */
typedef struct TmlNodeGraph {
    int n;
    int *start;  /* n + 1 */
    int *row;    /* start[n], ascending within a column */
    int *before; /* start[n]: freedoms of the rows above it in its column */
} TmlNodeGraph;

/* first: freedoms of nodes, as in TmlFeMatrices. */
TML_NODISCARD TmlStatus tml_node_graph(const TmlFeMesh *mesh, const int *first, TmlArena *arena,
                                       TmlNodeGraph *out, TmlError *err);

/* Place of block (i, j), i >= j, in row[]; it exists. */
int tml_node_graph_find(const TmlNodeGraph *g, int i, int j);

/* Matrices with the blocks of the graph, values zero: each block whole, or its diagonal alone, or
 * one number for each pair of nodes. */
typedef enum TmlBlockKind { TML_BLOCK_FULL, TML_BLOCK_DIAGONAL, TML_BLOCK_SCALAR } TmlBlockKind;
TML_NODISCARD TmlStatus tml_node_graph_matrix(const TmlNodeGraph *g, const int *first,
                                              TmlBlockKind kind, TmlArena *arena, TmlCsc *out,
                                              TmlError *err);

/* Adds the matrix of element k, both triangles of all its freedoms (TML_BLOCK_SCALAR: of its nodes). */
void tml_node_graph_add(const TmlNodeGraph *g, const TmlFeMesh *mesh, const int *first, int k,
                        TmlBlockKind kind, const double *block, TmlCsc *to);
