/* model/flexible/mechanics/plate.h - plates with r_z at the nodes: as solids, and with tied strains.
 *
 * r = c(x, y) + z r_z(x, y), c by (P1), (P2) and r_z by (P3) of patch.h, so that
 *
 *   (D1)  J = (r_x + z r_zx, r_y + z r_zy, r_z)
 *
 * `continuum`: F = J T as for beams (solid_beam.h), the law of the material at 4 x 4 x 3 points.
 *
 * `enhanced`: strains along the gradients on the middle surface, each less its value in the
 * stress-free shape:
 *
 *   (D2)  E_11, E_22, 2 E_12 of surface.h                                   3 x 3 points
 *   (D3)  K_11, K_22, 2 K_12 = n . r_xx - (2 E_13)_x, n . r_yy - (2 E_23)_y,
 *         2 n . r_xy - (2 E_13)_y - (2 E_23)_x                                   3 x 3 points
 *   (D4)  2 E_13, 2 E_23 = r_x . r_z, r_y . r_z at the nodes, bilinear between
 *   (D5)  E_33 = r_z . r_z / 2 at the nodes, bilinear between
 *   (D6)  U = 1/2 int E . D E h + K . C K h^3/12 dA, D the full law with 5/6 G for shear across,
 *         C that of plane stress
 *
 * (D3): how r_z turns is how the normal turns less how the angle between the two changes. So
 * bending is that of the cubic surface, linear along an element, where that of r_z would be
 * constant. (D4), (D5): r_z follows the surface and keeps its length at the nodes; between them it
 * cannot. (D6): the thickness would have to change linearly over itself to follow Poisson's effect
 * in bending; plane stress does it instead. So neither shear nor thickness lock, and without shear
 * this is the shell of flex/shell.c. own
 */
#pragma once

#include "model/flexible/mechanics/stress.h"
#include "model/flexible/mechanics/surface.h"

enum {
    TML_PLATE_VECTORS = 16,
    TML_PLATE_SIZE = 48,
    TML_PLATE_STATIONS = 16,
    TML_PLATE_LAYERS = 3,
    TML_PLATE_TIED = 9,
    TML_PLATE_TIES = 12 /* four each of (D4), (D4), (D5) */
};

/* Slots of solids. */
enum { TML_PLATE_RX, TML_PLATE_RY, TML_PLATE_RZ, TML_PLATE_RZX, TML_PLATE_RZY, TML_PLATE_SLOTS };

typedef struct TmlPlateSolid {
    TmlSolid law;
    TmlPatchStation station[TML_PLATE_STATIONS];
    struct {
        double z, volume, T[9];
    } point[TML_PLATE_STATIONS][TML_PLATE_LAYERS];
} TmlPlateSolid;

typedef struct TmlPlateTied {
    double tau;
    struct {
        TmlPatchStation s;
        double D[6][6], C[3][3]; /* of (D6), with weights */
        double rest[TML_SURFACE_STRAINS];
        double share[TML_PATCH_NODES][3]; /* of ties at each node: value, derivatives */
    } at[TML_PLATE_TIED];
    double rest[TML_PLATE_TIES];
} TmlPlateTied;

/* Weights of the slots of solids at xi, eta. */
void tml_plate_station(const double size[2], const double xi[2], TmlPatchStation *s);

/* Columns of (D1). */
void tml_plate_gradient(TmlPatchSlots g, double z, double *J);

/* F[9] from slots g at z; T of the stress-free slots. */
void tml_plate_deformation(TmlPatchSlots g, double z, const double *T, double *F);

/* T at z of the stress-free slots and det J; T is left alone where that is not above zero. */
double tml_plate_reference(TmlPatchSlots g, double z, double *T);

TML_NODISCARD TmlStatus tml_plate_solid_init(TmlPlateSolid *p, const TmlFlexData *data,
                                             const TmlFlexReference *ref, TmlError *err);
void tml_plate_solid_force(const TmlPlateSolid *p, const TmlFlexIn *in, double *f);
void tml_plate_solid_tangent(const TmlPlateSolid *p, const TmlFlexIn *in, double c_q, double c_v,
                             double *K);
double tml_plate_solid_energy(const TmlPlateSolid *p, const double *x);
/* Smallest ratio of volumes, for either formulation. */
double tml_plate_solid_volume(const TmlPlateSolid *p, const double *x);

TML_NODISCARD TmlStatus tml_plate_tied_init(TmlPlateTied *p, const TmlFlexData *data,
                                            const TmlFlexReference *ref, TmlError *err);
void tml_plate_tied_force(const TmlPlateTied *p, const TmlFlexIn *in, double *f);
void tml_plate_tied_tangent(const TmlPlateTied *p, const TmlFlexIn *in, double c_q, double c_v,
                            double *K);
double tml_plate_tied_energy(const TmlPlateTied *p, const double *x);
