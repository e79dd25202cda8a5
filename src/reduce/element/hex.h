/* reduce/element/hex.h - what hexahedra share: corners, edges, faces, shape functions.
 *
 * Corners 1 to 4 go round the face t = -1, 5 to 8 round t = 1; edges follow in the order of Abaqus.
 */
#pragma once

#include "reduce/element/element.h"

extern const double tml_hex_node_at[20][3];
extern const int tml_hex_edge[12][2];
extern const int tml_hex8_face[6][4], tml_hex20_face[6][8], tml_hex20_msh[20];

void tml_hex8_shape(const double at[3], double *N, double (*dN)[3]);
void tml_hex20_shape(const double at[3], double *N, double (*dN)[3]);
