/* reduce/element/line.h - what trusses and springs between two nodes have in common: truss2.c has the equations. */
#pragma once

#include "reduce/element/element.h"

enum { TML_LINE = 6 }; /* freedoms of both nodes */

/* The unit vector from the first node to the second; returns the length. */
double tml_line_axis(const TmlFeOne *e, TmlVec3 *n);
/* The nodes are at two places. */
TML_NODISCARD TmlStatus tml_line_check(const TmlFeOne *e, TmlError *err);
/* (TR1) of a rate k, N/m. */
void tml_line_stiffness(TmlVec3 n, double k, double *K);
/* By how much the line becomes longer. */
double tml_line_stretch(TmlVec3 n, const double *u);
/* (TR3) of a normal force. */
void tml_line_geometric(double F, double L, double *K);
