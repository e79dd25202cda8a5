/* reduce/mesh/beam_section.c - area and moments of common cross sections of beams.
 *
 *   (BS1)  torsion of a rectangle a >= b:
 *          J = a b^3 / 3 (1 - 192 b / (pi^5 a) sum_{n odd} tanh(n pi a / 2 b) / n^5)
 *   (BS2)  torsion of a thin closed wall: J = 4 Am^2 t / s, Am within its middle line of length s
 *   (BS3)  shear factors: rectangle 10 (1 + p) / (12 + 11 p); circle and tube, m = inner / outer radius,
 *          6 (1 + p) (1 + m^2)^2 / ((7 + 6 p) (1 + m^2)^2 + (20 + 12 p) m^2); p: Poisson's ratio
 *   (BS4)  shear factor of a box: the walls along the force
 *   (BS5)  shear stress of a rectangle by a torque T, in the middle of the sides of length a and b:
 *          b T / J (1 - 8 / pi^2 sum_{n odd} 1 / (n^2 cosh(n pi a / 2 b))),
 *          b T / J  8 / pi^2 sum_{n odd} (-1)^((n - 1) / 2) tanh(n pi a / 2 b) / n^2; none at the corners
 *   (BS6)  of a thin closed wall: T / (2 Am t)
 *
 * Timoshenko and Goodier, Theory of elasticity, 109 and 115; Cowper, J. Applied Mechanics 33 (1966).
 */
#include "reduce/mesh/beam_section.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double rectangle_torsion(double p, double q)
{
    const double a = fmax(p, q), b = fmin(p, q);
    double sum = 0.0;
    for (int n = 1; n < 20; n += 2) { // terms fall as n^-5: the rest is below 1e-7
        sum += tanh(n * pi * a / (2.0 * b)) / pow(n, 5.0);
    }
    return a * b * b * b / 3.0 * (1.0 - 192.0 * b / (pow(pi, 5.0) * a) * sum); // (BS1)
}

/* By a unit of torque; J is that of the section. */
static void rectangle_twist(double along_y, double along_z, TmlFeSection *s)
{
    const double a = fmax(along_y, along_z), b = fmin(along_y, along_z), q = 0.5 * pi * a / b;
    double of_long = 1.0, of_short = 0.0;
    for (int n = 1, sign = 1; n < 20000; n += 2, sign = -sign) { // the rest of both is below 1e-8
        of_long -= 8.0 / (pi * pi * n * n * cosh(fmin(n * q, 700.0)));
        of_short += sign * 8.0 * tanh(n * q) / (pi * pi * n * n);
    }
    of_long *= b / s->J; // (BS5)
    of_short *= b / s->J;
    s->twist.corner = 0.0;
    s->twist.y = along_y < along_z ? of_long : of_short; // the side across the short axis is long
    s->twist.z = along_y < along_z ? of_short : of_long;
}

void tml_section_rectangle(double along_y, double along_z, double poisson, TmlFeSection *s)
{
    s->area = along_y * along_z;
    s->Iy = along_y * along_z * along_z * along_z / 12.0;
    s->Iz = along_z * along_y * along_y * along_y / 12.0;
    s->J = rectangle_torsion(along_y, along_z);
    s->shear_y = s->shear_z = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson); // (BS3)
    s->reach_y = 0.5 * along_y;
    s->reach_z = 0.5 * along_z;
    s->round = false;
    rectangle_twist(along_y, along_z, s);
}

void tml_section_tube(double radius, double inner_radius, double poisson, TmlFeSection *s)
{
    const double r2 = radius * radius, i2 = inner_radius * inner_radius, m2 = i2 / r2;
    const double q = (1.0 + m2) * (1.0 + m2);
    s->area = pi * (r2 - i2);
    s->Iy = s->Iz = 0.25 * pi * (r2 * r2 - i2 * i2);
    s->J = 2.0 * s->Iy;
    s->shear_y = s->shear_z = 6.0 * (1.0 + poisson) * q /
                              ((7.0 + 6.0 * poisson) * q + (20.0 + 12.0 * poisson) * m2); // (BS3)
    s->reach_y = s->reach_z = radius;
    s->round = true;
    s->twist.corner = s->twist.y = s->twist.z = radius / s->J;
}

void tml_section_box(double along_y, double along_z, double wall, TmlFeSection *s)
{
    TmlFeSection inner = *s;
    const double y = along_y - 2.0 * wall, z = along_z - 2.0 * wall;
    const double my = along_y - wall, mz = along_z - wall; // of the middle line
    tml_section_rectangle(along_y, along_z, 0.0, s);
    tml_section_rectangle(y, z, 0.0, &inner);
    s->area -= inner.area;
    s->Iy -= inner.Iy;
    s->Iz -= inner.Iz;
    s->J = 2.0 * my * my * mz * mz * wall / (my + mz);                  // (BS2)
    s->twist.corner = s->twist.y = s->twist.z = 0.5 / (my * mz * wall); // (BS6)
    s->shear_y = 2.0 * wall * along_y / s->area;                        // (BS4)
    s->shear_z = 2.0 * wall * along_z / s->area;
}
