/* reduce/element/quadrature.h - points of integration of tetrahedra, hexahedra and wedges.
 *
 * Natural coordinates of a tetrahedron are its second to fourth barycentric ones (weights sum to
 * 1/6), those of a hexahedron run from -1 to 1 (weights sum to 8), those of a wedge are the second and
 * third barycentric ones of its triangle and run from -1 to 1 along its axis (weights sum to 1).
 */
#pragma once

#include "reduce/element/element.h"

/* Each fills its points and returns their number. */
int tml_tet_points_1(TmlFePoint *out);    /* degree 1 */
int tml_tet_points_4(TmlFePoint *out);    /* degree 2 */
int tml_tet_points_15(TmlFePoint *out);   /* degree 5: mass of straight tetrahedra of ten nodes */
int tml_hex_points_8(TmlFePoint *out);    /* 2 x 2 x 2 */
int tml_hex_points_27(TmlFePoint *out);   /* 3 x 3 x 3 */
int tml_wedge_points_2(TmlFePoint *out);  /* one of the triangle, two along the axis */
int tml_wedge_points_9(TmlFePoint *out);  /* three, three */
int tml_wedge_points_18(TmlFePoint *out); /* six, of degree 4, three: mass of straight wedges */

/* Weights that continue values from points to a place: linear by barycentric coordinates (1 or 4
 * points), polynomials of Lagrange along each direction (8 or 27). */
void tml_tet_continue(int n, const TmlFePoint *points, const double at[3], double *weight);
void tml_hex_continue(int n, const TmlFePoint *points, const double at[3], double *weight);
void tml_wedge_continue(int n, const TmlFePoint *points, const double at[3], double *weight);
