/* analysis/integrator/abm/abm_formula.h - coefficients of the Adams formulas for varying steps.
 *
 * Modified divided differences of f at t_n and before [Shampine, Gordon 1975], indices from 1:
 *
 *   (F1)  psi_i(n+1) = t_{n+1} - t_{n+1-i},  alpha_i = h / psi_i(n+1)
 *   (F2)  beta_1 = 1,  beta_i = beta_{i-1} psi_{i-1}(n+1) / psi_{i-1}(n)
 *   (F3)  phi_1 = f_n,  phi_i = psi_1(n) ... psi_{i-1}(n) f[t_n, ..., t_{n-i+1}]
 *   (F4)  g_{1,q} = 1/q,  g_{2,q} = 1/(q (q+1)),  g_{i,q} = g_{i-1,q} - alpha_{i-1} g_{i-1,q+1}
 *   (F5)  sigma_1 = 1,  sigma_{i+1} = i alpha_i sigma_i
 *   (F6)  y(t_n + s) = y_n + s sum G_i phi_i,  f = sum R_i phi_i          inside the last step
 */
#pragma once

enum { ADAMS_MAX = 12, ADAMS_PHI = ADAMS_MAX + 3 }; /* highest order; differences, from 1 */

typedef struct AdamsStep {
    double h;
    int k;
    double beta[ADAMS_PHI], sigma[ADAMS_PHI], g[ADAMS_PHI];
} AdamsStep;

/* The local error of order k at constant step is h gamma_k |difference|. */
static const double adams_gamma[ADAMS_PHI] = {
    1.0,
    1.0 / 2,
    1.0 / 12,
    1.0 / 24,
    19.0 / 720,
    3.0 / 160,
    863.0 / 60480,
    275.0 / 24192,
    33953.0 / 3628800,
    8183.0 / 1036800,
    3250433.0 / 479001600,
    4671.0 / 788480,
    13695779093.0 / 2615348736000,
    2224234463.0 / 475517952000,
};

/* Computes (F1), (F2), (F4), (F5) for a step h of order k. past holds the steps before, newest
 * first. */
static inline AdamsStep adams_step(const double *past, double h, int k)
{
    AdamsStep c = {.h = h, .k = k};
    double alpha[ADAMS_PHI] = {0.0}, w[ADAMS_PHI + 1] = {0.0};
    double psi = h, old = 0.0; // psi_i(n+1), psi_{i-1}(n)
    c.beta[1] = c.sigma[1] = 1.0;
    for (int i = 1; i <= k; ++i) {
        if (i > 1) {
            old += past[i - 2];
            c.beta[i] = c.beta[i - 1] * psi / old;
            psi = h + old;
        }
        alpha[i] = h / psi;
        c.sigma[i + 1] = i * alpha[i] * c.sigma[i];
    }
    for (int q = 1; q <= k + 1; ++q) {
        w[q] = 1.0 / q;
    }
    c.g[1] = 1.0;
    for (int i = 2; i <= k + 1; ++i) {
        for (int q = 1; q <= k + 2 - i; ++q) {
            w[q] = i == 2 ? 1.0 / (q * (q + 1.0)) : w[q] - alpha[i - 1] * w[q + 1];
        }
        c.g[i] = w[1];
    }
    return c;
}

/* Computes G[1..n] and R[1..n] of (F6) at s from the newest point. past holds the steps, newest
 * first. */
static inline void adams_interpolation(const double *past, int n, double s, double *G, double *R)
{
    double w[ADAMS_PHI + 1] = {0.0}, psi = 0.0, before = 0.0;
    for (int q = 1; q <= n; ++q) {
        w[q] = 1.0 / q;
    }
    G[1] = R[1] = 1.0;
    for (int j = 2; j <= n; ++j) {
        psi += past[j - 2];
        const double gamma = (s + before) / psi, eta = s / psi;
        for (int q = 1; q <= n + 1 - j; ++q) {
            w[q] = gamma * w[q] - eta * w[q + 1];
        }
        G[j] = w[1];
        R[j] = gamma * R[j - 1];
        before = psi;
    }
}
