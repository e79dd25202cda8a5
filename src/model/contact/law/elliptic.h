/* model/contact/law/elliptic.h - complete elliptic integrals as the ellipse of contact needs them. */
#pragma once

/* Of the parameter m = 1 - q:
 *
 *   K = int dt / r,  D = int sin^2 t dt / r,  B = int cos^2 t dt / r = K - D,  r = sqrt(1 - m sin^2 t)
 *
 * from 0 to pi/2. E = K - m D. */
typedef struct TmlElliptic {
    double K, D, B;
} TmlElliptic;

/* 0 < q <= 1; to rounding, also near 1. */
TmlElliptic tml_elliptic(double q);

/* The q with q D / B = ratio, 0 < ratio <= 1: square of the axes' ratio of the ellipse of contact whose
 * principal curvatures have that ratio. NaN outside. */
double tml_hertz_ratio(double ratio);

/* The ellipse in which two elastic bodies touch (Hertz). Lengths for a depth d: times sqrt(d); the force
 * is stiffness * E* * d^(3/2). */
typedef struct TmlEllipse {
    double stiffness;       /* force over E* d^(3/2) */
    double semi[2];         /* half axes over sqrt(d), along the first and the second curvature */
    double stiffness_by[2]; /* derivatives by the two curvatures */
    double semi_by[2][2];   /* [axis][curvature] */
} TmlEllipse;

/* k: principal curvatures of the gap, both above 0. */
TmlEllipse tml_hertz_ellipse(double k_1, double k_2);
