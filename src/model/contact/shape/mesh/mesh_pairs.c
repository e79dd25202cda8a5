/* model/contact/shape/mesh/mesh_pairs.c - pairs of all types that have triangles: meshes, extrusions, revolutions, height
 * fields. */
#include "model/contact/shape/mesh/mesh_pairs.h"
#include "model/contact/shape/box.h"
#include "model/contact/shape/hull.h"
#include "model/contact/shape/pairs.h"

#define ROUND(type, round)                                                                         \
    TML_PAIR_FUNCTION(type, round)                                                                 \
    {                                                                                              \
        const TmlSolid S = tml_##round##_solid(second);                                            \
        return tml_mesh_solid_touch(tml_##type##_triangles(first), &S, pose, reach, touch, rate);  \
    }

#define BOX(type)                                                                                  \
    TML_PAIR_FUNCTION(type, box)                                                                   \
    {                                                                                              \
        TmlBoxRoom room;                                                                           \
        const TmlPolyhedron P = tml_box_polyhedron(((const TmlBoxData *)second)->size, &room);     \
        return tml_mesh_polyhedron_touch(tml_##type##_triangles(first), &P, pose, reach, touch,    \
                                         rate);                                                    \
    }

#define HULL(type)                                                                                 \
    TML_PAIR_FUNCTION(type, hull)                                                                  \
    {                                                                                              \
        return tml_mesh_polyhedron_touch(tml_##type##_triangles(first),                            \
                                         ((const TmlHullData *)second)->solid, pose, reach, touch, \
                                         rate);                                                    \
    }

#define MESHES(type, other)                                                                        \
    TML_PAIR_FUNCTION(type, other)                                                                 \
    {                                                                                              \
        return tml_meshes_touch(tml_##type##_triangles(first), tml_##other##_triangles(second),    \
                                pose, reach, touch, rate);                                         \
    }

#define FLOOR(type)                                                                                \
    TML_PAIR_FUNCTION(half_space, type)                                                            \
    {                                                                                              \
        (void)first;                                                                               \
        return tml_mesh_floor_touch(tml_##type##_triangles(second), pose, reach, touch, rate);     \
    }

#define SOLIDS(type) ROUND(type, cone) ROUND(type, ellipsoid) BOX(type) HULL(type)
#define RODS(type) ROUND(type, capsule) ROUND(type, cylinder)

SOLIDS(triangle_mesh)
RODS(triangle_mesh)
SOLIDS(extrusion) // rods: extrusion.c
SOLIDS(revolution)
RODS(revolution)
SOLIDS(height_field)
RODS(height_field)

MESHES(triangle_mesh, triangle_mesh)
MESHES(extrusion, triangle_mesh)
MESHES(revolution, triangle_mesh)
MESHES(height_field, triangle_mesh)
MESHES(extrusion, revolution) // with each other and half-spaces: extrusion.c
MESHES(revolution, revolution)
MESHES(height_field, extrusion)
MESHES(height_field, revolution)

FLOOR(triangle_mesh)
FLOOR(revolution)
