/* model/flexible/mechanics/section.c - points of rectangles, circles and tubes, and general sections. */
#include "model/flexible/mechanics/section.h"

#include "math/gauss.h"

#include <math.h>

static int rectangle_points(const TmlCrossSection *s, TmlSectionPoint *point)
{
    enum { N = 3 };
    double x[N], w[N];
    tml_gauss(N, x, w);
    for (int k = 0; k < N * N; ++k) {
        point[k] = (TmlSectionPoint){s->height * (x[k / N] - 0.5), s->width * (x[k % N] - 0.5),
                                     s->area * w[k / N] * w[k % N]};
    }
    return N * N;
}

/* Six points on each of two circles. Over the radius the integrals are polynomials of u = r^2, and
 * six equal angles are exact to the fifth harmonic. */
static int circle_points(const TmlCrossSection *s, TmlSectionPoint *point)
{
    enum { RINGS = 2, ANGLES = 6 };
    const double r2 = s->radius * s->radius, i2 = s->inner * s->inner;
    double u[RINGS], w[RINGS];
    tml_gauss(RINGS, u, w);
    for (int k = 0; k < RINGS * ANGLES; ++k) {
        const double r = sqrt(i2 + (r2 - i2) * u[k / ANGLES]);
        const double angle = 2.0 * 3.14159265358979323846 * (k % ANGLES) / ANGLES;
        point[k] =
            (TmlSectionPoint){r * cos(angle), r * sin(angle), s->area * w[k / ANGLES] / ANGLES};
    }
    return RINGS * ANGLES;
}

/* Four points at the radii of gyration. */
static int general_points(const TmlCrossSection *s, TmlSectionPoint *point)
{
    const double y = sqrt(s->Iz / s->area), z = sqrt(s->Iy / s->area);
    for (int k = 0; k < 4; ++k) {
        point[k] = (TmlSectionPoint){k < 2 ? -y : y, k % 2 == 0 ? -z : z, 0.25 * s->area};
    }
    return 4;
}

TmlCrossSection tml_section_of_mass(const TmlCrossSection *s)
{
    return (TmlCrossSection){.kind = TML_CROSS_GENERAL,
                             .area = s->mass_area > 0.0 ? s->mass_area : s->area,
                             .Iy = s->mass_Iy > 0.0 ? s->mass_Iy : s->Iy,
                             .Iz = s->mass_Iz > 0.0 ? s->mass_Iz : s->Iz};
}

static int mass_points(const TmlCrossSection *s, TmlSectionPoint *point)
{
    if (s->mass_area > 0.0 || s->mass_Iy > 0.0 || s->mass_Iz > 0.0) {
        const TmlCrossSection mass = tml_section_of_mass(s);
        return general_points(&mass, point); // the mass needs second moments only
    }
    return tml_section_rule(s, point);
}

int tml_section_mass_rule(const TmlCrossSection *s, TmlSectionPoint *point)
{
    const int n = mass_points(s, point);
    for (int k = 0; k < n; ++k) {
        point[k].y += s->mass_centre[0];
        point[k].z += s->mass_centre[1];
    }
    return n;
}

int tml_section_rule(const TmlCrossSection *s, TmlSectionPoint *point)
{
    switch (s->kind) {
    case TML_CROSS_RECTANGLE:
        return rectangle_points(s, point);
    case TML_CROSS_CIRCLE:
        return circle_points(s, point);
    case TML_CROSS_GENERAL:
    case TML_CROSS_PLATE:
    default:
        return general_points(s, point);
    }
}
