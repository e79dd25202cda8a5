/* reduce/element/wedge.h - what wedges of six and of fifteen nodes share. */
#pragma once

#include "reduce/element/element.h"

extern const double tml_wedge_node_at[15][3];

/* Continued to the nodes: linear over the triangle where there are three points in it, polynomials of Lagrange along the axis. */
void tml_wedge_to_nodes(const TmlFeOne *e, const double *stress, double *out);
