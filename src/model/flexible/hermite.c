/* model/flexible/hermite.c - (H1) of hermite.h. */
#include "model/flexible/hermite.h"

#include "math/gauss.h"
#include "math/vec3.h"

#include <math.h>

void tml_hermite_at(const TmlHermite *c, double xi, TmlVec3 *r, TmlVec3 *d)
{
    const double x2 = xi * xi, x3 = x2 * xi, l = c->length;
    const double h[4] = {1.0 - 3.0 * x2 + 2.0 * x3, l * (xi - 2.0 * x2 + x3), 3.0 * x2 - 2.0 * x3,
                         l * (x3 - x2)};
    const double g[4] = {6.0 * x2 - 6.0 * xi, l * (1.0 - 4.0 * xi + 3.0 * x2), 6.0 * xi - 6.0 * x2,
                         l * (3.0 * x2 - 2.0 * xi)};
    const TmlVec3 v[4] = {c->r[0], c->t[0], c->r[1], c->t[1]};
    *r = *d = v3(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        *r = v3_axpy(h[k], v[k], *r);
        *d = v3_axpy(g[k], v[k], *d);
    }
}

/* Length from the first point to xi. */
static double arc_to(const TmlHermite *c, double xi)
{
    enum { PANELS = 4, POINTS = TML_GAUSS_MAX };
    double x[POINTS], w[POINTS], sum = 0.0;
    tml_gauss(POINTS, x, w);
    for (int k = 0; k < PANELS * POINTS; ++k) {
        const int panel = k / POINTS;
        TmlVec3 r, d;
        tml_hermite_at(c, xi * (panel + x[k % POINTS]) / PANELS, &r, &d);
        sum += w[k % POINTS] * v3_norm(d);
    }
    return xi * sum / PANELS;
}

TmlHermite tml_hermite(TmlVec3 r0, TmlVec3 t0, TmlVec3 r1, TmlVec3 t1)
{
    TmlHermite c = {{r0, r1}, {t0, t1}, v3_norm(v3_sub(r1, r0))};
    // the length hardly depends on l where the curve is a beam's, so that a few rounds do
    for (int k = 0; k < 50; ++k) {
        const double next = arc_to(&c, 1.0), change = fabs(next - c.length);
        c.length = next;
        if (change <= 1e-16 * next) {
            break;
        }
    }
    return c;
}

double tml_hermite_place(const TmlHermite *c, double fraction)
{
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 60; ++k) { // until the digits end
        const double middle = 0.5 * (low + high);
        if (arc_to(c, middle) < fraction * c->length) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}
