/* model/contact/law/elliptic.c - complete elliptic integrals by the arithmetic-geometric mean.
 *
 *   (E1)  a_0 = 1, b_0 = sqrt(q);  a_{n+1} = (a_n + b_n) / 2, b_{n+1} = sqrt(a_n b_n),
 *         c_1 = m / (2 (1 + b_0)),  c_{n+1} = c_n^2 / (4 a_{n+1})
 *   (E2)  K = pi / (2 a),  D = K (1/2 + sum_{n>=1} 2^(n-1) c_n^2 / m)
 *   (E3)  g(t) = ln(q D / B) - ln ratio, q = e^t:  g' = 3/2 - (q X / 2) (1/D + 1/B),
 *         X = (B / q - D) / m
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

double tml_hertz_ratio(double ratio)
{
    if (!(ratio > 0.0 && ratio <= 1.0)) {
        return ratio == 1.0 ? 1.0 : (double)NAN;
    }
    double q = pow(ratio, 4.0 / 3.0);
    for (int iteration = 0; iteration < 20 && q < 1.0; ++iteration) { // (E3)
        const TmlElliptic el = tml_elliptic(q);
        const double m = 1.0 - q;
        const double X = m > 1e-5 ? (el.B / q - el.D) / m : 3.0 * M_PI / 16.0;
        const double slope = 1.5 - 0.5 * q * X * (1.0 / el.D + 1.0 / el.B);
        const double step = log(ratio * el.B / (q * el.D)) / slope;
        q = fmin(q * exp(step), 1.0);
        if (fabs(step) < 1e-14) {
            break;
        }
    }
    return q;
}
