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
