/* io/part/gmsh.h - what readers of both versions of Gmsh's text files share. */
#pragma once

#include "io/part/mesh_build.h"
#include "io/part/scan.h"

typedef struct TmlMshReader {
    TmlScan scan;
    TmlMeshBuild build;
    int n_skipped;  /* elements of points, lines and surfaces */
    bool shells;    /* triangles and quadrangles are shells: the file has no solids */
    bool has_faces; /* some of these are left out */
    TmlNames names; /* of groups, by "DIMENSION:NUMBER": place in `name` */
    int n_names, cap_names;
    const char **name;
} TmlMshReader;

/* Dimension and nodes of a type by its number; 0 nodes: not known. */
typedef struct TmlMshType {
    int nodes, dimension;
    const char *name;
} TmlMshType;
TmlMshType tml_msh_type(int64_t number);

/* One element: its nodes are read, and it is added and entered in its groups. */
TML_NODISCARD TmlStatus tml_msh_element(TmlMshReader *r, int64_t type, int64_t id, int n_groups,
                                        const int64_t *groups, TmlError *err);

/* $Entities, $Nodes and $Elements of version 4.1. */
typedef struct TmlMshEntities TmlMshEntities;
TML_NODISCARD TmlStatus tml_msh4_entities(TmlMshReader *r, TmlArena *arena, TmlMshEntities **out,
                                          TmlError *err);
TML_NODISCARD TmlStatus tml_msh4_nodes(TmlMshReader *r, TmlError *err);
TML_NODISCARD TmlStatus tml_msh4_elements(TmlMshReader *r, const TmlMshEntities *entities,
                                          TmlError *err);
