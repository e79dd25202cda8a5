/* model/flexible/mechanics/elastic_line.h - beams by resultants on their axis (formulation `elastic_line`).
 *
 * With ' the derivative by the arc length of the stress-free axis, L the element's length along it:
 *
 *   (E1)  axial    |r'| - 1                                  E A        3 Gauss points
 *   (E2)  bending  k . r_y / |r_y| + (angle_z2 - angle_z1) / L + t (angle_y1 + angle_y2) / 2   E Iy
 *                  k . r_z / |r_z| - (angle_y2 - angle_y1) / L + t (angle_z1 + angle_z2) / 2   E Iz
 *                  with k = r' x r'' / r'.r', t of (E3) in the middle;             3 Gauss points
 *   (E3)  torsion  (r_y' . r_z - r_z' . r_y) / 2             G J        3 Gauss points
 *   (E4)  shear    r' . r_y, r' . r_z                k_y G A, k_z G A   at the nodes
 *   (E5)  section  (r_y . r_y - 1)/2, (r_z . r_z - 1)/2, r_y . r_z      E A, E A, G A, at the nodes
 *
 * each less its value in the stress-free shape, each with its own stiffness: nothing couples
 * extension, bending and the section's own deformation ([000], 9.3). Bending is the curvature of
 * the axis less the change of shear: how the section turns, as Timoshenko has it. With the tangent
 * x + angle_y y + angle_z z in axes of the section that turn by (t, k_y, k_z), its curvature has
 * the components k_y - angle_z' - t angle_y and k_z + angle_y' - t angle_z. Shear and section are
 * held at the nodes only. Between them a linear r_y cannot follow the normal of a cubic axis and
 * grows shorter when the nodes turn: held there too, thin beams would lock.                 own
 *
 * Elements whose sections are better than linear (flex/beam3.c) need no curvature of the axis:
 *
 *   (E8)  bending  [r_z x r_z' / r_z.r_z] . r_y / |r_y|,  [r_y x r_y' / r_y.r_y] . r_z / |r_z|
 *
 * is how the section turns about r_y and r_z, whatever its own deformation.                     own
 *
 * A section with a stiffness matrix adds, for elements that measure all six at the same stations
 * (E1, E3, E4, E8),
 *
 *   (E9)  e_a C_ab e_b   for a < b of axial, shear y, shear z, torsion, bending y, bending z
 *
 * to the energy. Where the mass of a section has larger moments than its stiffness, (E5) is stiffer
 * by mass_Iz/Iz and mass_Iy/Iy: its own frequencies are then those of a homogeneous section. own
 */
#pragma once

#include "model/flexible/mechanics/station.h"

typedef enum TmlLineStrain {
    TML_LINE_AXIAL,
    TML_LINE_BEND_Y,
    TML_LINE_BEND_Z,
    TML_LINE_TWIST,
    TML_LINE_SHEAR_Y,
    TML_LINE_SHEAR_Z,
    TML_LINE_SECTION_Y,
    TML_LINE_SECTION_Z,
    TML_LINE_SECTION_YZ,
    TML_LINE_ANGLE_Y, /* those in (E2) */
    TML_LINE_ANGLE_Z,
    TML_LINE_CHANGE_Y, /* of the section along the axis, (Q6) of flex/beam3.c */
    TML_LINE_CHANGE_Z,
    TML_LINE_CHANGE_YZ,
    TML_LINE_TURN_Y, /* (E8) */
    TML_LINE_TURN_Z,
    TML_LINE_STRAINS
} TmlLineStrain;

enum {
    TML_LINE_ALONG = 1 << TML_LINE_AXIAL | 1 << TML_LINE_BEND_Y | 1 << TML_LINE_BEND_Z,
    TML_LINE_SHEARS = 1 << TML_LINE_SHEAR_Y | 1 << TML_LINE_SHEAR_Z,
    TML_LINE_SECTIONS =
        1 << TML_LINE_SECTION_Y | 1 << TML_LINE_SECTION_Z | 1 << TML_LINE_SECTION_YZ,
    TML_LINE_ANGLES = 1 << TML_LINE_ANGLE_Y | 1 << TML_LINE_ANGLE_Z,
    TML_LINE_CHANGES = 1 << TML_LINE_CHANGE_Y | 1 << TML_LINE_CHANGE_Z | 1 << TML_LINE_CHANGE_YZ,
    TML_LINE_TURNS = 1 << TML_LINE_TURN_Y | 1 << TML_LINE_TURN_Z,
    TML_LINE_STATIONS = 8
};

/* Strains (bits 1 << TmlLineStrain) and where they are measured: at n Gauss points, or at n nodes,
 * two or three (trapezium, Simpson). Angles, if any, are at two nodes, after bending. */
typedef struct TmlLineRule {
    unsigned what;
    int n;
    bool nodes;
} TmlLineRule;

/* Two strains at the same stations whose stresses mix: stiffness off the diagonal. */
typedef struct TmlLinePair {
    int a, b;
    double stiffness;
} TmlLinePair;

typedef struct TmlBeamLine {
    TmlStationMap map;
    double tau, length, stiffness[TML_LINE_STRAINS];
    int n_pairs;
    TmlLinePair pair[TML_RESULTANTS * (TML_RESULTANTS - 1) / 2];
    int n_stations;
    int angles; /* the first of the two stations of angles; -1: (E2) has none */
    int middle; /* the station of t in (E2); -1: none */
    struct {
        TmlStation s;
        unsigned what;                         /* bit k: strain k is measured here */
        double xi;                             /* place, from 0 to 1 */
        double length;                         /* weight */
        double rest[TML_LINE_STRAINS], volume; /* of the stress-free shape */
    } at[TML_LINE_STATIONS];
} TmlBeamLine;

typedef void TmlLineShape(double l, double xi, TmlStation *out);

/* `map` is set; the rules end with one of n = 0. */
TML_NODISCARD TmlStatus tml_beam_line_init(TmlBeamLine *b, const TmlFlexData *data,
                                           const TmlFlexReference *ref, TmlLineShape *shape,
                                           const TmlLineRule *rule, TmlError *err);

/* f += and K += */
void tml_beam_line_force(const TmlBeamLine *b, const double *x, const double *v, double *f);
void tml_beam_line_tangent(const TmlBeamLine *b, const TmlFlexIn *in, double c_q, double c_v,
                           double *K);
/* value[TML_RESULTANTS] at xi, from 0 to 1 along the element; names: tml_line_resultants. */
void tml_beam_line_resultants(const TmlBeamLine *b, const TmlFlexIn *in, double xi, double *value);
extern const TmlOutput tml_line_resultants[];
double tml_beam_line_energy(const TmlBeamLine *b, const double *x);
double tml_beam_line_volume(const TmlBeamLine *b, const double *x);

/* What the angles at the nodes add to bending about y and z, (E2), elastic and viscous. */
void tml_beam_line_turns(const TmlBeamLine *b, const TmlFlexIn *in, double turn[2]);

/* Weights by the arc length of the stress-free axis instead of x; returns |r_x| there. */
double tml_line_arc_length(const TmlStationMap *map, const double *x0, TmlStation *s);
