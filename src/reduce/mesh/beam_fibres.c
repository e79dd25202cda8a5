/* reduce/mesh/beam_fibres.c - stress at the outer fibres of a beam's ends.
 *
 * In axes of the section, with normal force F, torque T and moments My, Mz of the part beyond it, a fibre at (y, z) has
 *
 *   (BF1)  s = F / A + My z / Iy - Mz y / Iz                  along the beam
 *   (BF2)  t = c T                                            along the wall, (-z, y) / |(y, z)|
 *
 * c is that of TmlFeSection.twist. Shear by transverse forces is left out: it is zero where bending is largest, and of the
 * order of depth over length beside it. Fibres are 16 around a circle, or corners and middles of the sides of a rectangle,
 * in either case counted from the y axis towards the z axis. Bending about any axis misses the largest stress of a circle
 * by 1 - cos(pi / 16), 2 %, at most.
 */
#include "reduce/element/beam.h"

#include "math/vec3.h"

#include <math.h>

enum { AROUND = 16, ON_SIDES = 8 };

typedef struct Fibre {
    double y, z;   /* m */
    double ey, ez; /* direction of the shear */
    double twist;  /* c of (BF2) */
} Fibre;

static Fibre fibre(const TmlFeSection *c, int k)
{
    static const int side[ON_SIDES][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                          {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    const double angle = k * (3.14159265358979323846 / 8);
    Fibre f = {
        .y = c->reach_y * cos(angle), .z = c->reach_z * sin(angle), .twist = c->twist.corner};
    if (!c->round) {
        f.y = side[k][0] * c->reach_y;
        f.z = side[k][1] * c->reach_z;
        f.twist = side[k][1] == 0 ? c->twist.y : side[k][0] == 0 ? c->twist.z : c->twist.corner;
    }
    const double r = hypot(f.y, f.z);
    f.ey = -f.z / r;
    f.ez = f.y / r;
    return f;
}

int tml_beam_sides(const TmlFeOne *e)
{
    const TmlFeSection *c = &e->section;
    return !(c->reach_y > 0.0 && c->reach_z > 0.0) ? 0 : c->round ? AROUND : ON_SIDES;
}

void tml_beam_to_nodes(const TmlFeOne *e, const double *stress, double *out)
{
    const TmlFeSection *c = &e->section;
    const int n = tml_beam_sides(e);
    TmlMat33 A;
    (void)tml_beam_axes(e, &A);
    for (int end = 0; end < 2; ++end) {
        const double *F = stress + 6 * end;
        for (int k = 0; k < n; ++k, out += 6) {
            const Fibre f = fibre(c, k);
            const double s = F[0] / c->area + F[4] * f.z / c->Iy - F[5] * f.y / c->Iz; // (BF1)
            const TmlVec3 a = A.cx;
            const TmlVec3 b = v3_scale(f.twist * F[3], v3_axpy(f.ey, A.cy, v3_scale(f.ez, A.cz)));
            out[0] = s * a.x * a.x + 2.0 * a.x * b.x; // s a a^T + a b^T + b a^T, b by (BF2)
            out[1] = s * a.y * a.y + 2.0 * a.y * b.y;
            out[2] = s * a.z * a.z + 2.0 * a.z * b.z;
            out[3] = s * a.x * a.y + a.x * b.y + a.y * b.x;
            out[4] = s * a.y * a.z + a.y * b.z + a.z * b.y;
            out[5] = s * a.z * a.x + a.z * b.x + a.x * b.z;
        }
    }
}
