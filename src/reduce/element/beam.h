/* reduce/element/beam.h - beams of two nodes: axes of the section, and stress at its outer fibres. */
#pragma once

#include "reduce/element/element.h"

/* Axes of the section as columns, x along the beam; its length. */
double tml_beam_axes(const TmlFeOne *e, TmlMat33 *A);

int tml_beam_sides(const TmlFeOne *e); /* 0: the section does not tell where its fibres are */
/* out[6 sides] at each end, from forces and moments of the section at both. */
void tml_beam_to_nodes(const TmlFeOne *e, const double *stress, double *out);
