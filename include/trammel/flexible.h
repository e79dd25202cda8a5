/* trammel/flexible.h - flexible bodies: their meshes, and their shape at an output row.
 *
 * A flexible body is a mesh of elements between nodes. Each node has one or more vectors: its
 * position r and the gradients rx, ry, rz, which are the derivatives of the position by the material
 * coordinates x (along the body), y and z. Flexible bodies are numbered from 0. tml_model_body_count does
 * not count them.
 *
 * Three numbers give a place in a flexible body. For lines (beams, cables) the first goes from 0 to 1 along
 * the body, the others are y and z across it, in m from the axis. For patches (plates, shells) the first two
 * go from 0 to 1 along x and y, the third is z, in m from the middle surface.
 */
#pragma once

#include "trammel/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TmlFlexibleInfo {
    const char *type;           /* of its elements: "beam2d" */
    bool patch;                 /* a surface of elements_x times elements_y; false: a line */
    int32_t dim;                /* 3; 2: it moves in the plane z = 0 */
    int32_t nodes, vectors;     /* of the body; of each node */
    int32_t elements;           /* of the body */
    int32_t elements_x;         /* along a line, or along x of a patch */
    int32_t elements_y;         /* along y of a patch; 1 for lines */
    int32_t element_nodes;      /* of an element, 2 to 4 */
    int32_t outputs;            /* strains, stresses and the like at a place */
    int32_t degrees_of_freedom; /* its coordinates, without those of clamped ends */
    double mass;                /* kg */
    double volume;              /* m^3 */
    double height, width; /* m: rectangular section along y and z; a patch: thickness, 0; else 0 */
    double radius, inner; /* m: outer and inner radius of a circular section; else 0 */
} TmlFlexibleInfo;

TML_API int tml_model_flexible_count(const TmlModel *model);
/* The model owns the names; an index out of range gives NULL. */
TML_API const char *tml_model_flexible_name(const TmlModel *model, int flexible);
TML_API int tml_model_flexible_find(const TmlModel *model, const char *name); /* -1: unknown */
/* An index out of range gives zeros. */
TML_API TmlFlexibleInfo tml_model_flexible(const TmlModel *model, int flexible);
/* Indices of the nodes of an element. Returns how many there are; 0 out of range. */
TML_API int tml_model_flexible_element(const TmlModel *model, int flexible, int element,
                                       int32_t node[4]);
/* Name of a vector of each node: "r", "rx", "ry" or "rz"; NULL out of range. */
TML_API const char *tml_model_flexible_vector(const TmlModel *model, int flexible, int vector);
/* Name and SI unit of an output, as static texts; false out of range. */
TML_API bool tml_model_flexible_output(const TmlModel *model, int flexible, int output,
                                       const char **name, const char **unit);

/* --- at the output row ---------------------------------------------------------------------- */

/* A vector of a node and its rate; vector 0 is the position, m. An index out of range gives zeros. */
TML_API TmlVec3 tml_row_node(const TmlSim *sim, int flexible, int node, int vector);
TML_API TmlVec3 tml_row_node_rate(const TmlSim *sim, int flexible, int node, int vector);

/* Position of a place, m; beyond the ends of the body that of the nearest place. NAN: no such body. */
TML_API TmlVec3 tml_row_place(const TmlSim *sim, int flexible, const double place[3]);

/* Strain, stress or other output at a place. NAN: no such body or output. */
TML_API double tml_row_strain(const TmlSim *sim, int flexible, const double place[3], int output);

#ifdef __cplusplus
}
#endif
