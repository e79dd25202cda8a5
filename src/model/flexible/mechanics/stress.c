/* model/flexible/mechanics/stress.c - (L1) and (L2) of stress.h.
 *
 *   (L3)  d(F S)_a = sum_b dS_ab f_b + S_ab df_b,   dE_ab + tau dE_ab' by l = (c_q + tau c_v) f +
 *         c_q tau v in the place of f
 *   (L4)  of (L2), with B = C^-1: S = 2 c10 J^-2/3 (1 - I1/3 B) + 2 c01 J^-4/3 (I1 - C - 2/3 I2 B)
 *         + bulk (J - 1) J B;  dB = -B dC B,  dJ = J/2 B:dC,  dI1 = tr dC,  dI2 = I1 dI1 - C:dC
 */
#include "model/flexible/mechanics/stress.h"

#include <math.h>
#include <string.h>

enum { XX, YY, ZZ, XY, XZ, YZ, STRAINS };

/* Place of (a, b) among the six. */
static const int place[3][3] = {{XX, XY, XZ}, {XY, YY, YZ}, {XZ, YZ, ZZ}};
static const int first[STRAINS] = {0, 1, 2, 0, 0, 1}, other[STRAINS] = {0, 1, 2, 1, 2, 2};

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

TmlSolid tml_solid_isotropic(const TmlMaterial *m)
{
    TmlSolid law = {.tau = m->damping};
    double mu = m->E / (2.0 * (1.0 + m->nu));
    double lambda = m->E * m->nu / ((1.0 + m->nu) * (1.0 - 2.0 * m->nu));
    if (m->model == TML_MATERIAL_MOONEY_RIVLIN) {
        law.rubber = true;
        law.c10 = m->c10;
        law.c01 = m->c01;
        law.bulk = m->bulk;
        mu = 2.0 * (m->c10 + m->c01);
        lambda = m->bulk - 2.0 / 3.0 * mu;
    }
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            law.N[a][b] = lambda + (a == b ? 2.0 * mu : 0.0);
        }
        law.G[a] = mu;
    }
    return law;
}

/* Strains, or with V their rates, times s. */
static void strains(const double *F, double *E)
{
    for (int k = 0; k < 3; ++k) {
        E[k] = 0.5 * (dot(F + 3 * k, F + 3 * k) - 1.0);
    }
    E[XY] = dot(F, F + 3);
    E[XZ] = dot(F, F + 6);
    E[YZ] = dot(F + 3, F + 6);
}

static void add_rates(const double *F, const double *V, double s, double *E)
{
    for (int k = 0; k < 3; ++k) {
        E[k] += s * dot(F + 3 * k, V + 3 * k);
    }
    E[XY] += s * (dot(F, V + 3) + dot(V, F + 3));
    E[XZ] += s * (dot(F, V + 6) + dot(V, F + 6));
    E[YZ] += s * (dot(F + 3, V + 6) + dot(V + 3, F + 6));
}

static void linear_stress(const TmlSolid *law, const double *E, double *S)
{
    for (int a = 0; a < 3; ++a) {
        S[a] = dot(law->N[a], E);
        S[3 + a] = law->G[a] * E[3 + a];
    }
}

/* --- (L2) ------------------------------------------------------------------------------------ */

typedef struct Rubber {
    double C[6], B[6]; /* C = F^T F, its inverse */
    double J, I1, I2;
} Rubber;

static Rubber rubber_state(const double *F)
{
    Rubber r;
    double *C = r.C, *B = r.B;
    for (int k = 0; k < STRAINS; ++k) {
        C[k] = dot(F + 3 * first[k], F + 3 * other[k]);
    }
    B[XX] = C[YY] * C[ZZ] - C[YZ] * C[YZ];
    B[YY] = C[XX] * C[ZZ] - C[XZ] * C[XZ];
    B[ZZ] = C[XX] * C[YY] - C[XY] * C[XY];
    B[XY] = C[XZ] * C[YZ] - C[XY] * C[ZZ];
    B[XZ] = C[XY] * C[YZ] - C[XZ] * C[YY];
    B[YZ] = C[XY] * C[XZ] - C[YZ] * C[XX];
    const double det = C[XX] * B[XX] + C[XY] * B[XY] + C[XZ] * B[XZ];
    r.I1 = C[XX] + C[YY] + C[ZZ];
    r.I2 = B[XX] + B[YY] + B[ZZ];
    r.J = sqrt(det); // an inverted point is found by its volume, not here
    for (int k = 0; k < STRAINS; ++k) {
        B[k] /= det;
    }
    return r;
}

/* The three factors of 1, C and B in (L4). */
static void rubber_factors(const TmlSolid *law, const Rubber *r, double k[3])
{
    const double j1 = 2.0 * law->c10 * pow(r->J, -2.0 / 3.0);
    const double j2 = 2.0 * law->c01 * pow(r->J, -4.0 / 3.0);
    k[0] = j1 + j2 * r->I1;
    k[1] = -j2;
    k[2] = -j1 * r->I1 / 3.0 - 2.0 / 3.0 * j2 * r->I2 + law->bulk * (r->J - 1.0) * r->J;
}

static void rubber_stress(const TmlSolid *law, const Rubber *r, double *S)
{
    double k[3];
    rubber_factors(law, r, k);
    for (int m = 0; m < STRAINS; ++m) {
        S[m] = (m < 3 ? k[0] : 0.0) + k[1] * r->C[m] + k[2] * r->B[m];
    }
}

/* D[k][m] = dS_k by strain m; dC is 2 on the diagonal for E_aa, and 1 twice for 2 E_ab. */
static void rubber_moduli(const TmlSolid *law, const Rubber *r, double D[6][6])
{
    const double j1 = 2.0 * law->c10 * pow(r->J, -2.0 / 3.0);
    const double j2 = 2.0 * law->c01 * pow(r->J, -4.0 / 3.0);
    double k[3];
    rubber_factors(law, r, k);
    for (int m = 0; m < STRAINS; ++m) {
        const int a = first[m], b = other[m];
        const double twice = 2.0; // B:dC and C:dC of either kind of strain
        const double log_J = 0.5 * twice * r->B[m], dI1 = m < 3 ? 2.0 : 0.0;
        const double dI2 = r->I1 * dI1 - twice * r->C[m];
        const double d1 = -2.0 / 3.0 * log_J * j1, d2 = -4.0 / 3.0 * log_J * j2;
        const double dk0 = d1 + d2 * r->I1 + j2 * dI1, dk1 = -d2;
        const double dk2 = -(d1 * r->I1 + j1 * dI1) / 3.0 - 2.0 / 3.0 * (d2 * r->I2 + j2 * dI2) +
                           law->bulk * (2.0 * r->J - 1.0) * r->J * log_J;
        for (int n = 0; n < STRAINS; ++n) {
            const int c = first[n], d = other[n];
            const double dC = n != m ? 0.0 : (m < 3 ? 2.0 : 1.0);
            const double dB =
                -(r->B[place[c][a]] * r->B[place[b][d]] + r->B[place[c][b]] * r->B[place[a][d]]);
            D[n][m] = (n < 3 ? dk0 : 0.0) + dk1 * r->C[n] + k[1] * dC + dk2 * r->B[n] + k[2] * dB;
        }
    }
}

/* --- stress and tangent ---------------------------------------------------------------------- */

void tml_solid_stress(const TmlSolid *law, const double *F, const double *V, double *strain,
                      double *S)
{
    double E[STRAINS];
    strains(F, E);
    if (strain != NULL) {
        memcpy(strain, E, sizeof E);
    }
    if (!law->rubber) {
        if (V != NULL) {
            add_rates(F, V, law->tau, E);
        }
        linear_stress(law, E, S);
        return;
    }
    const Rubber r = rubber_state(F);
    rubber_stress(law, &r, S);
    if (V != NULL) {
        double viscous[STRAINS], rate[STRAINS] = {0};
        add_rates(F, V, law->tau, rate);
        linear_stress(law, rate, viscous);
        for (int k = 0; k < STRAINS; ++k) {
            S[k] += viscous[k];
        }
    }
}

void tml_solid_piola(const double *F, const double *S, double *P)
{
    for (int i = 0; i < 3; ++i) {
        P[i] = S[XX] * F[i] + S[XY] * F[3 + i] + S[XZ] * F[6 + i];
        P[3 + i] = S[XY] * F[i] + S[YY] * F[3 + i] + S[YZ] * F[6 + i];
        P[6 + i] = S[XZ] * F[i] + S[YZ] * F[3 + i] + S[ZZ] * F[6 + i];
    }
}

static void add_outer(double s, const double *a, const double *b, double *A)
{
    for (int i = 0; i < 3; ++i) {
        const double x = s * a[i];
        for (int j = 0; j < 3; ++j) {
            A[3 * i + j] += x * b[j];
        }
    }
}

/* A[a][a] of the linear law and of S: one pass, nothing is read back. */
static void put_own(const TmlSolid *law, const double *F, const double *L, double s, int a,
                    double *A)
{
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    const double *la = L + 3 * a, *lb = L + 3 * b, *lc = L + 3 * c;
    const double gb = law->G[place[a][b] - 3], gc = law->G[place[a][c] - 3];
    for (int i = 0; i < 3; ++i) {
        const double x = law->N[a][a] * F[3 * a + i], y = gb * F[3 * b + i], z = gc * F[3 * c + i];
        for (int j = 0; j < 3; ++j) {
            A[3 * i + j] = x * la[j] + y * lb[j] + z * lc[j];
        }
        A[4 * i] += s;
    }
}

/* (L3) for the linear law, and S df of any: l stands for the change of its strains. */
static void put_linear(const TmlSolid *law, const double *F, const double *L, const double *S,
                       double c_q, double A[3][3][9])
{
    for (int a = 0; a < 3; ++a) {
        put_own(law, F, L, c_q * S[a], a, A[a][a]);
        for (int b = 0; b < 3; ++b) {
            if (b == a) {
                continue;
            }
            const int at = place[a][b];
            const double *la = L + 3 * a, *lb = L + 3 * b, g = law->G[at - 3], n = law->N[a][b];
            for (int i = 0; i < 3; ++i) {
                const double x = n * F[3 * a + i], y = g * F[3 * b + i];
                for (int j = 0; j < 3; ++j) {
                    A[a][b][3 * i + j] = x * lb[j] + y * la[j];
                }
                A[a][b][4 * i] += c_q * S[at];
            }
        }
    }
}

/* The part dS_ab f_b of (L3) for moduli D without zeros. */
static void add_full(double D[6][6], double s, const double *F, double A[3][3][9])
{
    for (int k = 0; k < STRAINS; ++k) {
        // strain k moves columns c and d; on column b by g
        for (int m = 0; m < STRAINS; ++m) {
            const double d = s * D[k][m];
            for (int i = 0; i < (k < 3 ? 1 : 2); ++i) {
                const int a = i == 0 ? first[k] : other[k], f = i == 0 ? other[k] : first[k];
                for (int j = 0; j < (m < 3 ? 1 : 2); ++j) {
                    const int b = j == 0 ? first[m] : other[m], g = j == 0 ? other[m] : first[m];
                    add_outer(d, F + 3 * f, F + 3 * g, A[a][b]);
                }
            }
        }
    }
}

void tml_solid_tangent(const TmlSolid *law, const double *F, const double *V, double c_q,
                       double c_v, double A[3][3][9])
{
    // the viscous part follows the linear law in both cases, the elastic one of rubber does not
    const double elastic = law->rubber ? 0.0 : c_q;
    double S[STRAINS], L[9];
    tml_solid_stress(law, F, V, NULL, S);
    for (int k = 0; k < 9; ++k) {
        L[k] = (elastic + law->tau * c_v) * F[k] + (V != NULL ? c_q * law->tau * V[k] : 0.0);
    }
    put_linear(law, F, L, S, c_q, A);
    if (law->rubber) {
        const Rubber r = rubber_state(F);
        double D[6][6];
        rubber_moduli(law, &r, D);
        add_full(D, c_q, F, A);
    }
}

void tml_solid_linear(const TmlSolid *law, const double *D, double c_q, double A[3][3][9])
{
    double E[STRAINS], S[STRAINS];
    if (law->rubber) {
        return;
    }
    strains(D, E);
    E[XX] += 0.5; // strains() takes the unit matrix off
    E[YY] += 0.5;
    E[ZZ] += 0.5;
    linear_stress(law, E, S);
    const double full[3][3] = {{S[XX], S[XY], S[XZ]}, {S[XY], S[YY], S[YZ]}, {S[XZ], S[YZ], S[ZZ]}};
    for (int k = 0; k < 27; ++k) {
        A[k / 9][k / 3 % 3][4 * (k % 3)] -= c_q * full[k / 9][k / 3 % 3];
    }
}

void tml_solid_pull_back(const double *T, double A[3][3][9])
{
    double X[3][3][9];
    for (int c = 0; c < 3; ++c) {
        for (int e = 0; e < 3; ++e) {
            for (int i = 0; i < 9; ++i) {
                X[c][e][i] = T[c] * A[0][e][i] + T[3 + c] * A[1][e][i] + T[6 + c] * A[2][e][i];
            }
        }
    }
    for (int c = 0; c < 3; ++c) {
        for (int e = 0; e < 3; ++e) {
            for (int i = 0; i < 9; ++i) {
                A[c][e][i] = T[e] * X[c][0][i] + T[3 + e] * X[c][1][i] + T[6 + e] * X[c][2][i];
            }
        }
    }
}

double tml_solid_energy(const TmlSolid *law, const double *F)
{
    if (law->rubber) {
        const Rubber r = rubber_state(F);
        return law->c10 * (pow(r.J, -2.0 / 3.0) * r.I1 - 3.0) +
               law->c01 * (pow(r.J, -4.0 / 3.0) * r.I2 - 3.0) +
               0.5 * law->bulk * (r.J - 1.0) * (r.J - 1.0);
    }
    double E[STRAINS], S[STRAINS], energy = 0.0;
    strains(F, E);
    linear_stress(law, E, S);
    for (int k = 0; k < STRAINS; ++k) {
        energy += 0.5 * E[k] * S[k];
    }
    return energy;
}
