/* analysis/integrator/radau/radau_tables.h - constants of Radau IIA with three stages, to 18 digits.
 *
 *   A, c     the method; its weights are the last row of A
 *   T        T^-1 A^-1 T = [g 0 0; 0 a -b; 0 b a] with g, a +- i b the eigenvalues of A^-1
 *   e        e_j = sum_i d_i A_ij and f_j = sum_i d_i (A A)_ij with the weights d of the embedded
 *            formula of order 3 [HW] IV.8
 */
#pragma once

static const double radau_c[3] = {0.155051025721682190, 0.644948974278317810, 1.0};

static const double radau_A[3][3] = {
    {0.196815477223660426, -0.0655354258501983881, 0.0237709743482201524},
    {0.394424314739087277, 0.292073411665228463, -0.0415487521259979302},
    {0.376403062700467275, 0.512485826188421614, 0.111111111111111111},
};

static const double radau_T[3][3] = {
    {0.0944387624889752415, -0.141255295020954208, -0.0300291941051474245},
    {0.250213122965333311, 0.204129352293799932, 0.382942112757261938},
    {1.0, 1.0, 0.0},
};

static const double radau_T_inverse[3][3] = {
    {4.17871859155190473, 0.327682820761062387, 0.523376445499449548},
    {-4.17871859155190473, -0.327682820761062387, 0.476623554500550452},
    {-0.502872634945786876, 2.57192694985560543, -0.596039204828224925},
};

static const double radau_g = 3.63783425274449573;
static const double radau_a = 2.68108287362775213, radau_b = 3.05043019924741057;

static const double radau_e[3] = {-1.55807820472492238, 0.891411538058255716,
                                  -0.333333333333333333};
static const double radau_f[3] = {-0.0805272079323987832, 0.191638319043509894,
                                  -0.111111111111111111};
