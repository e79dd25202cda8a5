/* math/gauss.c - roots of the Legendre polynomials by Newton's method.
 *
 *   (G1)  k P_k = (2 k - 1) z P_k-1 - (k - 1) P_k-2,   P_n' = n (z P_n - P_n-1) / (z^2 - 1)
 *   (G2)  w = 2 / ((1 - z^2) P_n'^2) on (-1, 1)
 */
#include "math/gauss.h"

#include <math.h>

/* P_n and its derivative at z inside (-1, 1). */
static void legendre(int n, double z, double *value, double *slope)
{
    double before = 1.0, now = z;
    for (int k = 2; k <= n; ++k) {
        const double next = ((2.0 * k - 1.0) * z * now - (k - 1.0) * before) / k; // (G1)
        before = now;
        now = next;
    }
    *value = now;
    *slope = n * (z * now - before) / (z * z - 1.0);
}

void tml_gauss(int n, double *x, double *w)
{
    for (int k = 0; k < n; ++k) {
        double z = -cos(3.14159265358979323846 * (k + 0.75) / (n + 0.5));
        double value = 0.0, slope = 1.0;
        for (int it = 0; it < 8; ++it) { // the guess is off by a few percent: four steps suffice
            legendre(n, z, &value, &slope);
            z -= value / slope;
        }
        legendre(n, z, &value, &slope);
        x[k] = 0.5 * (1.0 + z);
        w[k] = 1.0 / ((1.0 - z * z) * slope * slope); // (G2), halved
    }
}
