/* model/contact/shape/mesh/pressed.h - pressure over triangles of meshes, summed over flat patches. */
#pragma once

#include "model/contact/shape/mesh/mesh_solid.h"
#include "model/contact/shape/round/closest.h"
#include "model/contact/shape/round/cut_polygon.h"

enum { TML_PRESSED = 64 };

/* The plane of a triangle of one of the two shapes: a place, two directions in it, and its normal out of the mesh. */
typedef struct TmlSheet {
    DualVec origin, across[2], normal;
    int patch;
    bool second; /* it belongs to the second shape */
} TmlSheet;
/* at: pose of the second shape when the mesh is that, else NULL. */
void tml_sheet(const TmlMeshSolid *m, int triangle, const TmlDualPose *at, TmlSheet *out,
               TmlCutPolygon *polygon);
/* n . x + c in the coordinates of the sheet. */
void tml_sheet_linear(const TmlSheet *s, DualVec n, Dual c, Dual g[3]);

/* Moments of the pressure on a patch, about the place and along the directions of its first sheet. */
typedef struct TmlPressed {
    TmlSheet sheet;
    Dual force, first[2], second[3], energy; /* m^3, m^4, m^5, m^4 */
} TmlPressed;

typedef struct TmlPressedSum {
    TmlPressed part[TML_PRESSED];
    int n;
} TmlPressedSum;

/* Adds a pressure g, linear over a polygon of the sheet, times a weight. */
void tml_press_add(TmlPressedSum *sum, const TmlSheet *sheet, const TmlCutPolygon *polygon,
                   const Dual g[3], Dual weight);
/* Pieces of all patches; returns how many. */
int tml_press_write(const TmlPressedSum *sum, TmlTouch *touch, TmlTouchRate *rate);
