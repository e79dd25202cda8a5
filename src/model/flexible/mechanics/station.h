/* model/flexible/mechanics/station.h - a place on the axis of a beam, between nodal vectors and local ones.
 *
 * Over the section r = c + y r_y + z r_z, so that everything a beam needs at one place of its axis
 * follows from six local vectors (slots). Forces and tangents are summed over the section for the
 * slots and go to the nodal vectors once a station: this is what keeps a beam of 24 coordinates
 * with 45 quadrature points cheap.
 */
#pragma once

#include "model/flexible/flexible.h"

typedef enum TmlSlot {
    TML_SLOT_RX, /* derivative of the axis, r_x */
    TML_SLOT_RY,
    TML_SLOT_RZ,
    TML_SLOT_RYX, /* derivatives of r_y, r_z, r_x along the axis */
    TML_SLOT_RZX,
    TML_SLOT_RXX,
    TML_SLOTS
} TmlSlot;

/* Vector i adds p_i x_i to one slot and q_i x_i to another: vectors of the axis to r_x and r_xx,
 * r_y to r_y and r_yx, r_z to r_z and r_zx. s: its shape function, for r_y over y, for r_z over z.
 */
typedef struct TmlStation {
    double s[TML_FLEX_MAX_VECTORS], p[TML_FLEX_MAX_VECTORS], q[TML_FLEX_MAX_VECTORS];
} TmlStation;

/* Which slots the vectors of an element go to. */
typedef struct TmlStationMap {
    int n; /* vectors */
    unsigned char p[TML_FLEX_MAX_VECTORS], q[TML_FLEX_MAX_VECTORS];
} TmlStationMap;

TmlStationMap tml_station_map(int nodes, int vectors, const TmlFlexKind *kind);

void tml_station_gather(const TmlStationMap *m, const TmlStation *s, const double *x,
                        double g[TML_SLOTS][3]);
/* f += what forces h on the slots do to the vectors */
void tml_station_scatter(const TmlStationMap *m, const TmlStation *s, double h[TML_SLOTS][3],
                         double *f);
/* K += the same for a tangent in blocks of slots; K has 3 n rows and columns */
void tml_station_expand(const TmlStationMap *m, const TmlStation *s,
                        double H[TML_SLOTS][TML_SLOTS][9], double *K);
