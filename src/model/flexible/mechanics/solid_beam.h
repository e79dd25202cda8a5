/* model/flexible/mechanics/solid_beam.h - beams as solids: stresses integrated over section and axis.
 *
 * For elements whose vectors are r or r, r_x on the axis and r_y, r_z (two or three nodes).
 *
 *   (C1)  J = (r_x + y r_yx + z r_zx, r_y, r_z),  F = J T,  T = J_0^-1 R_0
 *
 * with J_0 of the stress-free shape and R_0 its axes on the axis (x along r_x, z along r_x x r_y):
 * strains and stresses are in the axes of the section.
 */
#pragma once

#include "model/flexible/mechanics/station.h"
#include "model/flexible/mechanics/stress.h"

typedef struct TmlBeamPoint {
    double y, z, volume;
    double T[9]; /* by columns */
} TmlBeamPoint;

enum { TML_BEAM_STATIONS = 6, TML_BEAM_POINTS = 13 };

typedef struct TmlBeamSolid {
    TmlStationMap map;
    bool straight; /* T is one everywhere */
    int n_stations, n_points;
    TmlSolid law, axis_law; /* over the section; on the axis, where n_axis is 1 */
    int n_axis;             /* of the points, the last ones */
    TmlStation station[TML_BEAM_STATIONS];
    TmlBeamPoint point[TML_BEAM_STATIONS][TML_BEAM_POINTS];
} TmlBeamSolid;

/* Weights of all vectors of an element of length l at xi. */
typedef void TmlBeamShape(double l, double xi, TmlStation *out);

/* T of (C1) at (y, z) of a station and det(J_0); T is left alone where det is not above zero. */
double tml_beam_reference(const TmlStationMap *map, const TmlStation *s, const double *x0, double y,
                          double z, double *T);

/* Fill the points for `stations` Gauss points along the axis; `map` is set. */
TML_NODISCARD TmlStatus tml_beam_solid_init(TmlBeamSolid *b, const TmlFlexData *data,
                                            const TmlFlexReference *ref, TmlBeamShape *shape,
                                            int stations, TmlError *err);

/* M[n * n], w[n] over the volume of the stress-free shape. */
void tml_beam_mass(const TmlStationMap *map, const TmlFlexData *data, const TmlFlexReference *ref,
                   TmlBeamShape *shape, double *M, double *w);

/* The laws over the section and on the axis: of `continuum` all over the section, of `enhanced`
 * split, of `elastic_line` without Poisson's effect (for output only). */
void tml_beam_split_law(const TmlFlexData *data, TmlSolid *law, TmlSolid *axis_law);

/* Outputs of beams, and their values at xi: strains at (y, z); stress of the section's law there
 * plus that of the axis law on the axis. */
extern const TmlOutput tml_beam_outputs[];
void tml_beam_values(const TmlStationMap *map, const TmlStation *at, const double *x0,
                     const double *x, const double xi[3], const TmlSolid *law,
                     const TmlSolid *axis_law, double *value);

/* TmlFlexType.shape from a station at xi[0]. */
void tml_beam_weights(const TmlStationMap *map, const TmlStation *at, const double xi[3],
                      TmlFlexKind what, double *s);

void tml_beam_solid_force(const TmlBeamSolid *b, const double *x, const double *v, double *f);
void tml_beam_solid_tangent(const TmlBeamSolid *b, const TmlFlexIn *in, double c_q, double c_v,
                            double *K);
double tml_beam_solid_energy(const TmlBeamSolid *b, const double *x);
double tml_beam_solid_volume(const TmlBeamSolid *b, const double *x);
