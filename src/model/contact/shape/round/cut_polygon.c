/* model/contact/shape/round/cut_polygon.c - plane polygons in dual numbers, cut by lines. */
#include "model/contact/shape/round/cut_polygon.h"

#include <stdbool.h>

Dual tml_cut_value(const Dual g[3], const TmlCutPoint *x)
{
    return d6_add(g[0], d6_add(d6_mul(g[1], x->u), d6_mul(g[2], x->v)));
}

void tml_cut(const Dual g[3], TmlCutPolygon *p)
{
    double value[TML_CUT_CORNERS + 1];
    bool cut = false;
    for (int k = 0; k < p->n; ++k) {
        value[k] = tml_cut_value(g, &p->x[k]).x; // as below, to the last bit
        cut = cut || value[k] < 0.0;
    }
    if (!cut) {
        return;
    }
    TmlCutPolygon out;
    out.n = 0;
    for (int k = 0; k < p->n && out.n < TML_CUT_CORNERS; ++k) {
        const TmlCutPoint *a = &p->x[k], *b = &p->x[(k + 1) % p->n];
        const double va = value[k], vb = value[(k + 1) % p->n];
        if (va >= 0.0) {
            out.x[out.n++] = *a;
        }
        if ((va >= 0.0) != (vb >= 0.0)) {
            const Dual ga = tml_cut_value(g, a);
            const Dual s = d6_div(ga, d6_sub(ga, tml_cut_value(g, b)));
            out.x[out.n].u = d6_add(a->u, d6_mul(s, d6_sub(b->u, a->u)));
            out.x[out.n++].v = d6_add(a->v, d6_mul(s, d6_sub(b->v, a->v)));
        }
    }
    p->n = out.n;
    for (int k = 0; k < out.n; ++k) {
        p->x[k] = out.x[k];
    }
}
