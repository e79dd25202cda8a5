/* math/gauss.h - Gauss-Legendre points for small numbers of points. */
#pragma once

enum { TML_GAUSS_MAX = 6 };

/* Points on (0, 1) and weights of sum one; n from 1 to TML_GAUSS_MAX. Exact to degree 2 n - 1. */
void tml_gauss(int n, double *x, double *w);
