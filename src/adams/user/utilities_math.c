/* adams/user/utilities_math.c - functions of expressions for user-written routines, with
 * derivatives by x.
 *
 * With u = (x - x0) / (x1 - x0), d = 1 / (x1 - x0), the steps are h0 + (h1 - h0) s(u) where
 *
 *   (U1)  step    s = u^2 (3 - 2 u),           s' = 6 u (1 - u),       s'' = 6 - 12 u
 *   (U2)  step5   s = u^3 (10 - 15 u + 6 u^2),  s' = 30 u^2 (1 - u)^2,  s'' = 60 u (1 - u) (1 - 2 u)
 *   (U3)  havsin  s = (1 - cos(pi u)) / 2,      s' = pi sin(pi u) / 2,  s'' = pi^2 cos(pi u) / 2
 */
#include <math.h>

#include "trammel/adams_user.h"

static void between(double x, double x0, double h0, double x1, double h1, int iord,
                    const double s[3], double *value, int *errflg)
{
    const double d = 1.0 / (x1 - x0);
    const bool inside = (x - x0) * (x - x1) < 0.0;
    *errflg = iord >= 0 && iord <= 2 && x0 != x1 ? 0 : 1;
    if (*errflg != 0) {
        *value = 0.0;
    } else if (inside) {
        *value = (iord == 0 ? h0 : 0.0) + (h1 - h0) * s[iord] * pow(d, iord);
    } else {
        *value = iord > 0 ? 0.0 : (x - x0) * d < 0.5 ? h0 : h1;
    }
}

void c_step(double x, double x0, double h0, double x1, double h1, int iord, double *value,
            int *errflg)
{
    const double u = (x - x0) / (x1 - x0);
    const double s[3] = {u * u * (3.0 - 2.0 * u), 6.0 * u * (1.0 - u), 6.0 - 12.0 * u}; // (U1)
    between(x, x0, h0, x1, h1, iord, s, value, errflg);
}

void c_step5(double x, double x0, double h0, double x1, double h1, int iord, double *value,
             int *errflg)
{
    const double u = (x - x0) / (x1 - x0), v = 1.0 - u;
    const double s[3] = {u * u * u * (10.0 - 15.0 * u + 6.0 * u * u), 30.0 * u * u * v * v,
                         60.0 * u * v * (1.0 - 2.0 * u)}; // (U2)
    between(x, x0, h0, x1, h1, iord, s, value, errflg);
}

void c_havsin(double x, double x0, double h0, double x1, double h1, int iord, double *value,
              int *errflg)
{
    const double a = M_PI * (x - x0) / (x1 - x0);
    const double s[3] = {0.5 * (1.0 - cos(a)), 0.5 * M_PI * sin(a),
                         0.5 * M_PI * M_PI * cos(a)}; // (U3)
    between(x, x0, h0, x1, h1, iord, s, value, errflg);
}

void c_poly(double x, double x0, const double *par, int npar, int iord, double *value, int *errflg)
{
    *errflg = iord >= 0 && iord <= 2 && npar > 0 ? 0 : 1;
    *value = 0.0;
    for (int k = npar - 1; k >= iord && *errflg == 0; --k) {
        const double factor = iord == 0 ? 1.0 : iord == 1 ? k : (double)k * (k - 1);
        *value = *value * (x - x0) + factor * par[k];
    }
}

/* Push while x is below x1: k (x1 - x)^e - c s(depth / d) x'. */
static double push(double x, double rate, double x1, double k, double e, double cmax, double d)
{
    const double depth = x1 - x, u = fmin(depth / d, 1.0);
    return depth > 0.0 ? fmax(0.0, k * pow(depth, e) - cmax * u * u * (3.0 - 2.0 * u) * rate) : 0.0;
}

void c_impact(double x, double dxdt, double x1, double k, double e, double cmax, double d, int iord,
              double *value, int *errflg)
{
    *errflg = iord == 0 && d > 0.0 ? 0 : 1;
    *value = *errflg == 0 ? push(x, dxdt, x1, k, e, cmax, d) : 0.0;
}

void c_bistop(double x, double dxdt, double x1, double x2, double k, double e, double cmax,
              double d, int iord, double *value, int *errflg)
{
    *errflg = iord == 0 && d > 0.0 && x1 < x2 ? 0 : 1;
    *value = *errflg != 0 ? 0.0
             : x < x1     ? push(x, dxdt, x1, k, e, cmax, d)
                          : -push(-x, -dxdt, -x2, k, e, cmax, d);
}

/* Sum of par[k] T_k(x - x0), by the recurrence of the polynomials and of its derivatives. */
void c_cheby(double x, double x0, const double *par, int npar, int iord, double *value, int *errflg)
{
    const double u = x - x0;
    double before[3] = {1.0, 0.0, 0.0}, now[3] = {u, 1.0, 0.0};
    *errflg = iord >= 0 && iord <= 2 && npar > 0 ? 0 : 1;
    *value = 0.0;
    for (int k = 0; k < npar && *errflg == 0; ++k) {
        *value += par[k] * before[iord];
        const double next[3] = {2.0 * u * now[0] - before[0],
                                2.0 * now[0] + 2.0 * u * now[1] - before[1],
                                4.0 * now[1] + 2.0 * u * now[2] - before[2]};
        for (int d = 0; d < 3; ++d) {
            before[d] = now[d];
            now[d] = next[d];
        }
    }
}

/* Derivative iord of a sine of k w (x - x0), turned by a quarter of a circle each. */
static double wave(double u, double w, int iord, double quarter)
{
    return pow(w, iord) * sin(w * u + 0.5 * M_PI * (iord + quarter));
}

void c_forcos(double x, double x0, double w, const double *par, int npar, int iord, double *value,
              int *errflg)
{
    *errflg = iord >= 0 && iord <= 2 && npar > 0 ? 0 : 1;
    *value = *errflg == 0 && iord == 0 ? par[0] : 0.0;
    for (int k = 1; k < npar && *errflg == 0; ++k) {
        *value += par[k] * wave(x - x0, k * w, iord, 1.0);
    }
}

void c_forsin(double x, double x0, double w, const double *par, int npar, int iord, double *value,
              int *errflg)
{
    *errflg = iord >= 0 && iord <= 2 && npar > 0 ? 0 : 1;
    *value = *errflg == 0 && iord == 0 ? par[0] : 0.0;
    for (int k = 1; k < npar && *errflg == 0; ++k) {
        *value += par[k] * wave(x - x0, k * w, iord, 0.0);
    }
}

/* a sin(w (x - x0) - phi) + b */
void c_shf(double x, double x0, double a, double w, double phi, double b, int iord, double *value,
           int *errflg)
{
    *errflg = iord >= 0 && iord <= 2 ? 0 : 1;
    *value = *errflg != 0 ? 0.0
                          : a * pow(w, iord) * sin(w * (x - x0) - phi + 0.5 * M_PI * iord) +
                                (iord == 0 ? b : 0.0);
}
