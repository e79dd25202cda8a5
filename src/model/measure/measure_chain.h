/* model/measure/measure_chain.h - the chain rule over scalars of the motion, to third order.
 *
 * y = f(p_1 .. p_n), each p_a a scalar of the motion with rows J_a, rate p_a' = J_a . nu (nu: the
 * twists), derivative K_a of the rows, and second rate p_a'' at zero accelerations:
 *
 *   (N1)  dp_a' = D_a . dx + J_a . dnu,  D_a = K_a^T nu
 *   (N2)  y'' = f_a p_a'' + f_ab p_a' p_b'
 *   (N3)  dy'' = f_a dp_a'' + (f_ab p_b'' + f_abc p_b' p_c') J_a . dx + 2 f_ab p_b' dp_a'
 */
#pragma once

#include "expr/expr.h"
#include "math/vec3.h"
#include "model/measure/measure.h"

/* Entry m of the 6 numbers of a row. */
static inline double tml_row_at(const TmlRow *row, int m)
{
    const double x[6] = {row->r.x, row->r.y, row->r.z, row->theta.x, row->theta.y, row->theta.z};
    return x[m];
}

/* K += h a b^T, K of order 6 n. */
static inline void tml_chain_outer(double *K, int n, double h, const TmlRow *a, const TmlRow *b)
{
    for (int r = 0; r < 6 * n; ++r) {
        const double x = h * tml_row_at(&a[r / 6], r % 6);
        for (int c = 0; c < 6 * n; ++c) {
            K[r * 6 * n + c] += x * tml_row_at(&b[c / 6], c % 6);
        }
    }
}

/* D = K^T nu (N1), the twists being those of e[0 .. n-1]. */
static inline void tml_chain_rate(const double *K, int n, const TmlFrameKin *const *e, TmlRow *D)
{
    for (int s = 0; s < n; ++s) {
        double x[6] = {0};
        for (int r = 0; r < 6 * n; ++r) {
            const double nu = tml_row_at(&(TmlRow){e[r / 6]->v, e[r / 6]->omega}, r % 6);
            for (int c = 0; c < 6; ++c) {
                x[c] += nu * K[r * 6 * n + 6 * s + c];
            }
        }
        D[s] = (TmlRow){v3(x[0], x[1], x[2]), v3(x[3], x[4], x[5])};
    }
}

/* Jet of f(s_1 p_1, ...) from that of f. */
static inline void tml_chain_scale(int n, const double *s, TmlJet *jet)
{
    for (int a = 0; a < n; ++a) {
        jet->g[a] *= s[a];
        for (int b = 0; b < n; ++b) {
            jet->H[a * n + b] *= s[a] * s[b];
            for (int c = 0; c < n; ++c) {
                jet->T[(a * n + b) * n + c] *= s[a] * s[b] * s[c];
            }
        }
    }
}

/* y'' of (N2); and the factors of J_a and of dp_a' in (N3), when by_row is not NULL. */
static inline double tml_chain_second(int n, const TmlJet *jet, const double *rate,
                                      const double *second, double *by_row, double *by_rate)
{
    double y = 0.0;
    for (int a = 0; a < n; ++a) {
        double hs = 0.0, hr = 0.0, tr = 0.0;
        for (int b = 0; b < n; ++b) {
            hs += jet->H[a * n + b] * second[b];
            hr += jet->H[a * n + b] * rate[b];
            for (int c = 0; c < n && by_row != NULL; ++c) {
                tr += jet->T[(a * n + b) * n + c] * rate[b] * rate[c];
            }
        }
        y += jet->g[a] * second[a] + hr * rate[a]; // (N2)
        if (by_row != NULL) {
            by_row[a] = hs + tr; // (N3)
            by_rate[a] = 2.0 * hr;
        }
    }
    return y;
}
