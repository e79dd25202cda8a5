/* model/flexible/mechanics/station.c - sums between nodal vectors and the slots of a station. */
#include "model/flexible/mechanics/station.h"

#include <string.h>

TmlStationMap tml_station_map(int nodes, int vectors, const TmlFlexKind *kind)
{
    TmlStationMap m = {.n = nodes * vectors};
    for (int i = 0; i < m.n; ++i) {
        switch (kind[i % vectors]) {
        case TML_FLEX_RY:
            m.p[i] = TML_SLOT_RY;
            m.q[i] = TML_SLOT_RYX;
            break;
        case TML_FLEX_RZ:
            m.p[i] = TML_SLOT_RZ;
            m.q[i] = TML_SLOT_RZX;
            break;
        case TML_FLEX_R:
        case TML_FLEX_RX:
        case TML_FLEX_KINDS:
        default:
            m.p[i] = TML_SLOT_RX;
            m.q[i] = TML_SLOT_RXX;
            break;
        }
    }
    return m;
}

void tml_station_gather(const TmlStationMap *m, const TmlStation *s, const double *x,
                        double g[TML_SLOTS][3])
{
    memset(g, 0, TML_SLOTS * sizeof g[0]);
    for (int i = 0; i < m->n; ++i) {
        double *a = g[m->p[i]], *b = g[m->q[i]];
        for (int d = 0; d < 3; ++d) {
            a[d] += s->p[i] * x[3 * i + d];
            b[d] += s->q[i] * x[3 * i + d];
        }
    }
}

void tml_station_scatter(const TmlStationMap *m, const TmlStation *s, double h[TML_SLOTS][3],
                         double *f)
{
    for (int i = 0; i < m->n; ++i) {
        const double *a = h[m->p[i]], *b = h[m->q[i]];
        for (int d = 0; d < 3; ++d) {
            f[3 * i + d] += s->p[i] * a[d] + s->q[i] * b[d];
        }
    }
}

void tml_station_expand(const TmlStationMap *m, const TmlStation *s,
                        double H[TML_SLOTS][TML_SLOTS][9], double *K)
{
    const int size = 3 * m->n;
    for (int i = 0; i < m->n; ++i) {
        double X[TML_SLOTS * 9];
        const double *a = H[m->p[i]][0], *b = H[m->q[i]][0], p = s->p[i], q = s->q[i];
        for (int k = 0; k < TML_SLOTS * 9; ++k) {
            X[k] = p * a[k] + q * b[k];
        }
        for (int j = 0; j < m->n; ++j) {
            const double *c = X + 9 * m->p[j], *d = X + 9 * m->q[j];
            double *to = K + (size_t)(3 * i * size + 3 * j);
            for (int r = 0; r < 3; ++r, to += size, c += 3, d += 3) {
                to[0] += s->p[j] * c[0] + s->q[j] * d[0];
                to[1] += s->p[j] * c[1] + s->q[j] * d[1];
                to[2] += s->p[j] * c[2] + s->q[j] * d[2];
            }
        }
    }
}
