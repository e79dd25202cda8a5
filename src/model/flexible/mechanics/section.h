/* model/flexible/mechanics/section.h - quadrature over the cross-section of a beam.
 *
 * Rectangles and circles are exact to degree four in y and z, what the energy of a St
 * Venant-Kirchhoff beam needs; of a general section area and second moments are exact.
 */
#pragma once

#include "model/flexible/flexible.h"

enum { TML_SECTION_POINTS = 12 };

typedef struct TmlSectionPoint {
    double y, z, area;
} TmlSectionPoint;

/* Fills point[TML_SECTION_POINTS]; returns how many. y and z are principal axes through the centre.
 */
int tml_section_rule(const TmlCrossSection *s, TmlSectionPoint *point);

/* The same for the mass: times the density, its moments are those of the inertia. */
int tml_section_mass_rule(const TmlCrossSection *s, TmlSectionPoint *point);

/* The section with the moments that its mass has: area, Iy and Iz only. */
TmlCrossSection tml_section_of_mass(const TmlCrossSection *s);
