/* model/contact/law/elliptic.c - complete elliptic integrals by the arithmetic-geometric mean.
 *
 *   (E1)  a_0 = 1, b_0 = sqrt(q);  a_{n+1} = (a_n + b_n) / 2, b_{n+1} = sqrt(a_n b_n),
 *         c_1 = m / (2 (1 + b_0)),  c_{n+1} = c_n^2 / (4 a_{n+1})
 *   (E2)  K = pi / (2 a),  D = K (1/2 + sum_{n>=1} 2^(n-1) c_n^2 / m)
 *   (E3)  g(t) = ln(q D / B) - ln ratio, q = e^t:  g' = 3/2 - (q X / 2) (1/D + 1/B),
 *         X = (B / q - D) / m
 *
 * The ellipse, k_1 <= k_2 curvatures of the gap, a and b its half axes along these, depth d:
 *
 *   (E4)  a = sqrt(2 D d / (k_1 K)),  b = a sqrt(q),  N = (2 pi / 3) E* sqrt(2 D / k_1) (d / K)^(3/2)
 *   (E5)  dK/dq = -B / (2 q),  dD/dq = -X / 2,  d ln q = (d ln k_1 - d ln k_2) / g'
 *   (E6)  dN/dk_1 = -N D / (2 k_1 K),  dN/dk_2 = -N B / (2 k_2 K)       at constant depth
 *
 * (E6) follows from the energy of the load F, 3/5 F d, which is a minimum over all pressures: its
 * derivative by k_1 is that of the gap alone, F a^2 / 10, so that the depth grows by a^2 / 6.
 *
 * Terms of (E2) have no difference in them. In B = K - D digits get lost as ln(1/q) grows, which is
 * slow.
 */
#include "model/contact/law/elliptic.h"

#include <math.h>

TmlElliptic tml_elliptic(double q)
{
    const double m = 1.0 - q;
    double a = 1.0, b = sqrt(q), c = m / (2.0 * (1.0 + b)), scale = 1.0;
    double sum = c / (2.0 * (1.0 + b)); // c_1^2 / m
    for (int n = 1; n < 30; ++n) {      // (E1); it converges quadratically
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
        if (!(c > 1e-17 * a)) {
            break;
        }
        const double next = c * c / (2.0 * (a + b));
        scale *= 2.0;
        sum += scale * next * next / m;
        c = next;
    }
    const double K = M_PI / (2.0 * a), D = K * (0.5 + sum); // (E2)
    return (TmlElliptic){K, D, K - D};
}

/* X and g' of (E3). Near the circle X is its series, where the difference has lost its digits. */
static double ratio_slope(double q, const TmlElliptic *el, double *X)
{
    const double m = 1.0 - q;
    *X = m > 1e-5 ? (el->B / q - el->D) / m : 3.0 * M_PI / 16.0 * (1.0 + 1.25 * m);
    return 1.5 - 0.5 * q * *X * (1.0 / el->D + 1.0 / el->B);
}

double tml_hertz_ratio(double ratio)
{
    if (!(ratio > 0.0 && ratio <= 1.0)) {
        return ratio == 1.0 ? 1.0 : (double)NAN;
    }
    double q = pow(ratio, 4.0 / 3.0);
    for (int iteration = 0; iteration < 20 && q < 1.0; ++iteration) { // (E3)
        const TmlElliptic el = tml_elliptic(q);
        double X;
        const double slope = ratio_slope(q, &el, &X);
        const double step = log(ratio * el.B / (q * el.D)) / slope;
        q = fmin(q * exp(step), 1.0);
        if (fabs(step) < 1e-14) {
            break;
        }
    }
    return q;
}

TmlEllipse tml_hertz_ellipse(double k_1, double k_2)
{
    const double k[2] = {k_1, k_2};
    const int small = k_1 <= k_2 ? 0 : 1, large = 1 - small;
    const double q = tml_hertz_ratio(k[small] / k[large]);
    const TmlElliptic el = tml_elliptic(q);
    double X;
    const double slope = ratio_slope(q, &el, &X);
    const double a = sqrt(2.0 * el.D / (k[small] * el.K)), b = a * sqrt(q); // (E4)
    TmlEllipse o = {.stiffness = 2.0 * M_PI / 3.0 * a / el.K};
    o.semi[small] = a;
    o.semi[large] = b;
    const double ln_a = 0.5 * (0.5 * el.B / el.K - 0.5 * q * X / el.D) / slope; // (E5): by ln q
    const double ln_b = ln_a + 0.5 / slope;
    o.semi_by[small][small] = a * (ln_a - 0.5) / k[small];
    o.semi_by[small][large] = -a * ln_a / k[large];
    o.semi_by[large][small] = b * (ln_b - 0.5) / k[small];
    o.semi_by[large][large] = -b * ln_b / k[large];
    o.stiffness_by[small] = -o.stiffness * el.D / (2.0 * k[small] * el.K); // (E6)
    o.stiffness_by[large] = -o.stiffness * el.B / (2.0 * k[large] * el.K);
    return o;
}
