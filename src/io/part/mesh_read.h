/* io/part/mesh_read.h - meshes of finite elements from files.
 *
 * Text files of Gmsh (.msh 2.2 and 4.1) and of Abaqus and CalculiX (.inp). Only plain files of a
 * bounded size are read. What is wrong is told with file and line, and what is left out in the notes of
 * the mesh.
 */
#pragma once

#include "reduce/element/element.h"

/* The kind is told by the end of the name. Free with tml_fe_mesh_free, also after a failure. */
TML_NODISCARD TmlStatus tml_fe_mesh_read(const char *path, TmlFeMesh *out, TmlError *err);

/* Abaqus and CalculiX: sets, materials and sections are those of the file. */
TML_NODISCARD TmlStatus tml_inp_read(const char *path, TmlFeMesh *out, TmlError *err);

/* Gmsh: elements have no material yet. Physical groups become sets of nodes and of elements; groups
 * without a name are called DIMENSION:NUMBER. */
TML_NODISCARD TmlStatus tml_msh_read(const char *path, TmlFeMesh *out, TmlError *err);
