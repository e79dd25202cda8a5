/* model/flexible/mechanics/elastic_line_output.c - forces and moments of the section of elastic_line.h.
 *
 * Strains are best where they are measured: at Gauss points, shear of two-node beams at the nodes.
 * From there a straight line, fitted by least squares, goes to the place that is asked for:
 *
 *   (O1)  Q(xi) = a + b xi,   sum over stations of (Q(xi_i) - Q_i)^2 least
 *
 * What the part beyond does to the part before, along and about the section's x, y, z; elastic and
 * viscous.                                                                                     own
 */
#include "model/flexible/mechanics/elastic_line.h"
#include "model/flexible/mechanics/elastic_line_strain.h"

#include "math/vec3.h"

#include <string.h>

const TmlOutput tml_line_resultants[] = {
    {"force_x", "N", "tension, of the section's axes (formulation elastic_line)"},
    {"force_y", "N", "shear force along y of the section"},
    {"force_z", "N", "shear force along z of the section"},
    {"moment_x", "N m", "torsion moment"},
    {"moment_y", "N m", "bending moment about y of the section"},
    {"moment_z", "N m", "bending moment about z of the section"},
    {0},
};

/* The strain that stands for resultant k at station i; -1: not measured there. */
static int strain_of(const TmlBeamLine *b, int i, int k)
{
    static const int first[TML_RESULTANTS] = {TML_LINE_AXIAL, TML_LINE_SHEAR_Y, TML_LINE_SHEAR_Z,
                                              TML_LINE_TWIST, TML_LINE_BEND_Y,  TML_LINE_BEND_Z};
    static const int other[TML_RESULTANTS] = {TML_LINE_AXIAL, TML_LINE_SHEAR_Y, TML_LINE_SHEAR_Z,
                                              TML_LINE_TWIST, TML_LINE_TURN_Y,  TML_LINE_TURN_Z};
    const unsigned what = b->at[i].what;
    return (what >> first[k] & 1u) != 0 ? first[k] : (what >> other[k] & 1u) != 0 ? other[k] : -1;
}

/* e - e_0 + tau e' of strain s at station i. */
static double strain_at(const TmlBeamLine *b, int i, int s, const TmlFlexIn *in)
{
    TmlSlots g, d;
    TmlLineValue value;
    tml_station_gather(&b->map, &b->at[i].s, in->x, g);
    tml_station_gather(&b->map, &b->at[i].s, in->v, d);
    tml_line_strain(s, g, d, &value);
    double e = value.e - b->at[i].rest[s];
    for (int n = 0; n < value.n && b->tau > 0.0; ++n) {
        const double *v = d[value.slot[n]];
        e += b->tau * v3_dot(value.g[n], v3(v[0], v[1], v[2]));
    }
    return e;
}

/* Stress of strain s at station i, with what others add to it (E9). */
static double stress_at(const TmlBeamLine *b, int i, int s, const TmlFlexIn *in)
{
    double turn[2], e = strain_at(b, i, s, in);
    if (s == TML_LINE_BEND_Y || s == TML_LINE_BEND_Z) {
        tml_beam_line_turns(b, in, turn);
        e += turn[s - TML_LINE_BEND_Y];
    }
    double stress = b->stiffness[s] * e;
    for (const TmlLinePair *p = b->pair; p < b->pair + b->n_pairs; ++p) {
        if (p->a == s || p->b == s) {
            stress += p->stiffness * strain_at(b, i, p->a == s ? p->b : p->a, in);
        }
    }
    return stress;
}

void tml_beam_line_resultants(const TmlBeamLine *b, const TmlFlexIn *in, double xi, double *value)
{
    for (int k = 0; k < TML_RESULTANTS; ++k) {
        double n = 0.0, x = 0.0, xx = 0.0, q = 0.0, xq = 0.0;
        for (int i = 0; i < b->n_stations; ++i) {
            const int s = strain_of(b, i, k);
            if (s >= 0) {
                const double place = b->at[i].xi, Q = stress_at(b, i, s, in);
                n += 1.0;
                x += place;
                xx += place * place;
                q += Q;
                xq += place * Q;
            }
        }
        const double slope = (n * xq - x * q) / (n * xx - x * x); // (O1)
        value[k] = (q - slope * x) / n + slope * xi;
    }
}
