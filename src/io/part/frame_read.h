/* io/part/frame_read.h - a space frame of beams, described by nodes, members and sections.
 *
 *     beams:
 *       nodes: {A: [0, 0, 0], B: [1, 0, 0], C: [1, 1, 0]}
 *       sections:
 *         bar: {rectangle: [60 mm, 40 mm], up: z}         # along y, along z
 *         tube: {tube: [20 mm, 2 mm], up: z}              # radius, wall; a full circle has no wall
 *         profile: {box: [60 mm, 40 mm, 3 mm], up: z}     # along y, along z, wall
 *         own: {area: 1e-3, Iy: 1e-7, Iz: 2e-7, J: 1e-8, shear: [0.8, 0.8], up: [0, 0, 1]}
 *       members:
 *         - {nodes: [A, B, C], section: bar, elements: 4}  # elements: of each piece; 1
 *
 * Each node is a set of its name, and the elements of a section are a set of the section's name.
 */
#pragma once

#include "model/read/read.h"
#include "reduce/element/element.h"

extern const TmlKey tml_beams_keys[], tml_beams_keys_section[], tml_beams_keys_member[];

/* What is wrong is reported by the reader, and the mesh is then not whole. Elements have no material
 * yet. Free the mesh in any case. */
TML_NODISCARD TmlStatus tml_frame_read(TmlReader *r, const TmlValue *beams, TmlFeMesh *out,
                                       TmlError *err);
