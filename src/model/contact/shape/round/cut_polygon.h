/* model/contact/shape/round/cut_polygon.h - plane polygons in dual numbers, cut by lines. */
#pragma once

#include "math/dual6.h"

enum { TML_CUT_CORNERS = 96 };

typedef struct TmlCutPoint {
    Dual u, v;
} TmlCutPoint;

typedef struct TmlCutPolygon {
    int n;
    TmlCutPoint x[TML_CUT_CORNERS + 1];
} TmlCutPolygon;

/* A linear function g[0] + g[1] u + g[2] v at a point. */
Dual tml_cut_value(const Dual g[3], const TmlCutPoint *x);
/* Cuts off where the function is negative. */
void tml_cut(const Dual g[3], TmlCutPolygon *p);
