/* model/contact/shape/mesh/triangle_gap.h - the gap between triangles and polyhedra that are apart. */
#pragma once

#include "model/contact/shape/mesh/mesh_solid.h"
#include "model/contact/shape/polyhedron/near_features.h"

/* A triangle as a polyhedron of one face; the arrays stand in the room. pose: of the mesh, or NULL. */
typedef struct TmlTriangleRoom {
    TmlVec3 corner[3], normal;
    double offset;
} TmlTriangleRoom;
TmlPolyhedron tml_triangle_polyhedron(const TmlMeshSolid *m, int triangle, const TmlPose *pose,
                                      TmlTriangleRoom *room);

/* The least gap so far. */
typedef struct TmlGap {
    double distance; /* at first the largest that counts */
    bool found;
    TmlNearPair near;
} TmlGap;
void tml_gap_look(TmlGap *gap, const TmlPolyhedron *first, const TmlPolyhedron *second);
/* Its touch; returns how many, 0 or 1. */
int tml_gap_touch(const TmlGap *gap, const TmlPose *pose, TmlTouch *touch, TmlTouchRate *rate);
