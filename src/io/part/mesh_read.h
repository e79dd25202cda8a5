/* io/part/mesh_read.h - meshes of finite elements from files.
 *
 * Text files of Gmsh (.msh 2.2 and 4.1) and of Abaqus and CalculiX (.inp). Only plain files of a
 * bounded size are read. What is wrong is told with file and line, and what is left out in the notes of
 * the mesh.
 */
#pragma once

#include "reduce/element/element.h"

/* Elements have no material yet. Free with tml_fe_mesh_free, also after a failure. Physical groups of Gmsh become sets of nodes and of elements; groups without a name are called
 * DIMENSION:NUMBER. */
TML_NODISCARD TmlStatus tml_msh_read(const char *path, TmlFeMesh *out, TmlError *err);
