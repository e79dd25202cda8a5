/* io/part/frame_read.h - a space frame of beams, described by nodes, members and sections.
 *
 *     frame:
 *       nodes: {A: [0, 0, 0], B: [1, 0, 0], C: [1, 1, 0]}
 *       sections:
 *         bar: {rectangle: [60 mm, 40 mm], up: z}         # along y, along z
 *         tube: {tube: {radius: 20 mm, wall: 2 mm}}       # wall left out: a full circle
 *         profile: {box: [60 mm, 40 mm, 3 mm], up: z}     # along y, along z, wall
 *         own: {area: 1e-3, Iy: 1e-7, Iz: 2e-7, J: 1e-8, shear: [0.8, 0.8], up: [0, 0, 1]}
 *       members:
 *         - {nodes: [A, B, C], section: bar, elements: 4}  # elements: of each piece; 1
 *
 * Each node is a set of its name, and the elements of a section are a set of the section's name.
 */
#pragma once

#include "model/read/value.h"
#include "reduce/element/element.h"

/* What is wrong is added to the report, and the mesh is then not whole. Elements have no material
 * yet. Free the mesh in any case. */
TML_NODISCARD TmlStatus tml_frame_read(const TmlValue *frame, TmlReport *report, TmlFeMesh *out,
                                       TmlError *err);
