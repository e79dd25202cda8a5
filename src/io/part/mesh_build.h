/* io/part/mesh_build.h - a mesh as it grows while a file is read, then made whole.
 *
 * Elements name nodes, and sets name both, by the numbers of the file, before these need be known.
 * tml_mesh_finish finds them: numbers that are missing or given twice are errors with their lines.
 */
#pragma once

#include "base/names.h"
#include "reduce/element/element.h"

typedef struct TmlGrowingSet {
    const char *name;
    int n, cap;
    int64_t *at;   /* numbers of the file; places of elements when by_place */
    bool by_place; /* elements: counted from 0 as they were added */
    int line;
    int scope;   /* of the file: a part, its assembly */
    int n_spans; /* first, last and step of numbers, of those that are there */
    int64_t (*span)[3];
    int cap_spans;
} TmlGrowingSet;

typedef struct TmlSets {
    int n, cap;
    TmlGrowingSet *set;
    TmlNames names;
} TmlSets;

typedef struct TmlMeshBuild {
    TmlFeMesh *mesh;
    int n_nodes, cap_nodes;
    int64_t *id;
    TmlVec3 *x;
    int *line;
    int cap_lines, cap_x;
    int n_elements, cap_elements;
    TmlFeElement *element;
    int64_t *node; /* of all elements, one after the other */
    int n_places, cap_places;
    TmlSets nodes, elements;
    int64_t *left; /* numbers of elements that are left out: sets may name them */
    int n_left, cap_left;
    bool same_once; /* an element with the same nodes as another is that one: groups of Gmsh */
    bool nomem;
} TmlMeshBuild;

void tml_mesh_build_init(TmlMeshBuild *b, TmlFeMesh *mesh);
void tml_mesh_build_free(TmlMeshBuild *b); /* not the mesh */

/* What fails for want of memory sets nomem, which tml_mesh_finish looks at. */
void tml_mesh_add_node(TmlMeshBuild *b, int64_t id, TmlVec3 x, int line);
/* node: numbers of type->n_nodes nodes in the order of the type. Its place. */
int tml_mesh_add_element(TmlMeshBuild *b, const TmlFeElementType *type, int64_t id,
                         const int64_t *node, int line);
/* The set of that name, new or known; NULL: out of memory. */
TmlGrowingSet *tml_mesh_set(TmlMeshBuild *b, TmlSets *sets, const char *name, int line);
/* The same under a key of its own, for files whose names are the same in upper and lower case. */
TmlGrowingSet *tml_mesh_set_keyed(TmlMeshBuild *b, TmlSets *sets, const char *key, const char *name,
                                  int line);
void tml_mesh_set_span(TmlMeshBuild *b, TmlGrowingSet *set, int64_t first, int64_t last,
                       int64_t step);
void tml_mesh_leave_out(TmlMeshBuild *b, int64_t id);
void tml_mesh_set_add(TmlMeshBuild *b, TmlGrowingSet *set, int64_t id);
/* A note, once. */
void tml_mesh_note(TmlMeshBuild *b, const char *fmt, ...) TML_PRINTF(2, 3);

/* TML_E_NOMEM once memory was missing. */
TML_NODISCARD TmlStatus tml_mesh_memory(const TmlMeshBuild *b, TmlError *err);
TML_NODISCARD TmlStatus tml_mesh_finish(TmlMeshBuild *b, TmlError *err);
