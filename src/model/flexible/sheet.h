/* model/flexible/sheet.h - the smooth surfaces with which plates, shells and flat beams are touched.
 *
 * The middle surface of a patch has a slope across its edges that differs from element to element (patch.h), and so has a
 * flat beam off its axis. What touches it would feel an edge there. The sheet is a surface by the same vectors of the same nodes
 * whose slope is continuous, with p, q, h as in patch.h and g(p) = +- l p^2 (1 - p), the cubics of Hermite:
 *
 *   (Z1)  patch:      r = sum  h(p) h(q) r_i + g(p) h(q) r_x,i + h(p) g(q) r_y,i
 *   (Z2)  flat beam:  r = sum  h(p) r_i + g(p) r_x,i + y h(p) r_y,i        or r_z for y, |y| <= reach
 *
 * Both are exact for rigid motions and for bending along the sides, where they are the middle surface itself, and share the work of
 * an even pressure among the vectors as that does. They have no twist r_xy at the nodes: a surface with the twist t is missed by
 * 0.009 t l_x l_y.
 */
#pragma once

#include "model/flexible/flexible.h"

/* How far a sheet goes along its two ways, m at rest. */
void tml_sheet_span(const TmlFlex *flex, TmlSheetKind kind, double reach, double span[2]);

/* The place at u, v from 0 to 1, as elements count it. */
void tml_sheet_xi(TmlSheetKind kind, double reach, const double place[2], double xi[3]);

/* (Z1), (Z2) at xi, or derivatives dx times by x and dy times by y, in metres; s[n] as TmlFlexType.shape has it. */
void tml_sheet_weights(const TmlFlexType *type, const TmlFlex *flex, TmlSheetKind kind,
                       const double xi[3], int dx, int dy, double *s);

/* The same of r, r_x, r_y, r_xx, r_xy, r_yy together. */
enum { TML_SHEET_JET = 6 };
void tml_sheet_jet(const TmlFlexType *type, const TmlFlex *flex, TmlSheetKind kind,
                   const double xi[3], double s[TML_SHEET_JET][TML_FLEX_MAX_VECTORS]);
