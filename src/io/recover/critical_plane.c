/* io/recover/critical_plane.c - the plane of a node whose normal stress does most damage.
 *
 *   (CP1)  s(n) = n . S n
 *
 * over time, for directions n on half a sphere: rings 7.5 degrees apart, and places on each ring as far from each other. The
 * best direction is off by 4 degrees or so, which changes the stress of a uniaxial state by cos^2, half a percent.
 */
#include "trammel/recover.h"

#include "base/arena.h"

#include <math.h>

enum { RINGS = 12 }; /* from the pole to the equator */

static void normal_stress(int64_t rows, const TmlNodeState *x, TmlVec3 n, double *out)
{
    for (int64_t k = 0; k < rows; ++k) {
        const double *s = x[k].stress;
        out[k] = s[0] * n.x * n.x + s[1] * n.y * n.y + s[2] * n.z * n.z + // (CP1)
                 2.0 * (s[3] * n.x * n.y + s[4] * n.y * n.z + s[5] * n.z * n.x);
    }
}

double tml_critical_plane(int64_t n, const TmlNodeState *x, const TmlStressLife *line,
                          TmlVec3 *normal, double *history)
{
    const double pi = 3.14159265358979323846;
    TmlCycle *cycle = tml_mem_zalloc((size_t)n + 1, sizeof *cycle);
    double most = -1.0;
    for (int ring = 0; ring <= RINGS && cycle != NULL; ++ring) {
        const double down = 0.5 * pi * ring / RINGS;
        const int turn = ring == 0 ? 1 : (int)ceil(4.0 * RINGS * sin(down)); // all around
        const int places = ring == RINGS ? turn / 2 : turn; // opposite normals are one plane
        for (int k = 0; k < places; ++k) {
            const double around = 2.0 * pi * k / turn;
            const TmlVec3 one = {sin(down) * cos(around), sin(down) * sin(around), cos(down)};
            normal_stress(n, x, one, history);
            const int cycles = tml_rainflow(n, history, cycle);
            const double damage = cycles >= 0 ? tml_miner(cycles, cycle, line) : -1.0;
            if (damage > most) {
                most = damage;
                *normal = one;
            }
        }
    }
    if (most >= 0.0) {
        normal_stress(n, x, *normal, history);
    }
    tml_mem_free(cycle);
    return most;
}
