/* model/flex_line.h - beams by resultants on their axis (formulation `elastic_line`).
 *
 * With ' the derivative by the arc length of the stress-free axis:
 *
 *   (E1)  axial    |r'| - 1                              E A             3 Gauss points
 *   (E2)  bending  -r_z . r'' / |r'|, r_y . r'' / |r'|   E Iy, E Iz      3 Gauss points
 *   (E3)  torsion  (r_y' . r_z - r_z' . r_y) / 2         G J             3 Gauss points
 *   (E4)  shear    r' . r_y, r' . r_z                    k_y G A, k_z G A     2 Gauss points
 *   (E5)  section  (r_y . r_y - 1)/2, (r_z . r_z - 1)/2, r_y . r_z   E A, E A, G A   both ends
 *
 * each less its value in the stress-free shape, each with its own stiffness: nothing couples
 * extension, bending and the section's own deformation ([000], 9.3). The shear of a cubic axis and
 * linear r_y vanishes at the two points for any bending, so that thin beams do not lock; sections
 * are held at the nodes only, because r_y shortens between nodes that turn.               own
 */
#pragma once

#include "model/flex_station.h"

enum { TML_LINE_STATIONS = 8, TML_LINE_STRAINS = 9 };

typedef struct TmlBeamLine {
    TmlStationMap map;
    double tau, stiffness[TML_LINE_STRAINS];
    int n_stations;
    struct {
        TmlStation s;
        unsigned what;                         /* bit k: strain k is measured here */
        double length;                         /* weight */
        double rest[TML_LINE_STRAINS], volume; /* of the stress-free shape */
    } at[TML_LINE_STATIONS];
} TmlBeamLine;

typedef void TmlLineShape(double l, double xi, TmlStation *out);

/* `map` is set. */
TML_NODISCARD TmlStatus tml_beam_line_init(TmlBeamLine *b, const TmlFlexData *data,
                                           const TmlFlexReference *ref, TmlLineShape *shape,
                                           TmlError *err);
void tml_beam_line_force(const TmlBeamLine *b, const double *x, const double *v, double *f);
void tml_beam_line_tangent(const TmlBeamLine *b, const TmlFlexIn *in, double c_q, double c_v,
                           double *K);
double tml_beam_line_energy(const TmlBeamLine *b, const double *x);
double tml_beam_line_volume(const TmlBeamLine *b, const double *x);

/* Weights by the arc length of the stress-free axis instead of x; returns |r_x| there. */
double tml_line_arc_length(const TmlStationMap *map, const double *x0, TmlStation *s);
