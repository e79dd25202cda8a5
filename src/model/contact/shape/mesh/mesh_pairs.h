/* model/contact/shape/mesh/mesh_pairs.h - what a closed mesh of triangles does with other shapes; it is the first. */
#pragma once

#include "model/contact/shape/mesh/mesh_solid.h"
#include "model/contact/shape/polyhedron/polyhedron.h"
#include "model/contact/shape/round/solid.h"

int tml_mesh_solid_touch(const TmlMeshSolid *m, const TmlSolid *S, const TmlPose *pose,
                         double reach, TmlTouch *touch, TmlTouchRate *rate);
int tml_mesh_polyhedron_touch(const TmlMeshSolid *m, const TmlPolyhedron *P, const TmlPose *pose,
                              double reach, TmlTouch *touch, TmlTouchRate *rate);
int tml_meshes_touch(const TmlMeshSolid *first, const TmlMeshSolid *second, const TmlPose *pose,
                     double reach, TmlTouch *touch, TmlTouchRate *rate);
/* On the half-space z < 0, which is the first. */
int tml_mesh_floor_touch(const TmlMeshSolid *m, const TmlPose *pose, double reach, TmlTouch *touch,
                         TmlTouchRate *rate);

/* Triangles of types that have some. */
const TmlMeshSolid *tml_triangle_mesh_triangles(const void *data);
const TmlMeshSolid *tml_extrusion_triangles(const void *data);
const TmlMeshSolid *tml_revolution_triangles(const void *data);
const TmlMeshSolid *tml_height_field_triangles(const void *data);
