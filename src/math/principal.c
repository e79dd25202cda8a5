/* math/principal.c - principal axes of an inertia tensor, by Jacobi's rotations.
 *
 * Each rotation in the plane of two axes makes their product zero; rows of three are diagonal to
 * rounding after a few sweeps.                 t = tan of the smaller angle:
 *   (1)  theta = (J_jj - J_ii) / (2 J_ij),   t = sign(theta) / (|theta| + sqrt(1 + theta^2))
 */
#include "math/principal.h"

#include <math.h>

enum { SWEEPS = 30 };

/* J <- R^T J R, V <- V R for the rotation that clears J[i][j]. */
static void rotate(double J[3][3], double V[3][3], int i, int j)
{
    if (fabs(J[i][j]) <= 1e-300) {
        return;
    }
    const double theta = 0.5 * (J[j][j] - J[i][i]) / J[i][j]; // (1)
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + hypot(1.0, theta));
    const double c = 1.0 / hypot(1.0, t), s = t * c;
    for (int k = 0; k < 3; ++k) {
        const double a = J[k][i], b = J[k][j];
        J[k][i] = c * a - s * b;
        J[k][j] = s * a + c * b;
    }
    for (int k = 0; k < 3; ++k) {
        const double a = J[i][k], b = J[j][k];
        J[i][k] = c * a - s * b;
        J[j][k] = s * a + c * b;
        const double u = V[k][i], v = V[k][j];
        V[k][i] = c * u - s * v;
        V[k][j] = s * u + c * v;
    }
}

void tml_principal(const TmlMat33 *A, double w[3], TmlMat33 *out)
{
    double J[3][3] = {
        {A->cx.x, A->cy.x, A->cz.x}, {A->cy.x, A->cy.y, A->cz.y}, {A->cz.x, A->cz.y, A->cz.z}};
    double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < SWEEPS; ++k) {
        const double off = fabs(J[0][1]) + fabs(J[0][2]) + fabs(J[1][2]);
        if (!(off > 1e-15 * (fabs(J[0][0]) + fabs(J[1][1]) + fabs(J[2][2])))) {
            break;
        }
        rotate(J, V, 0, 1);
        rotate(J, V, 0, 2);
        rotate(J, V, 1, 2);
    }
    for (int k = 0; k < 3; ++k) {
        w[k] = J[k][k];
    }
    *out = (TmlMat33){
        {V[0][0], V[1][0], V[2][0]}, {V[0][1], V[1][1], V[2][1]}, {V[0][2], V[1][2], V[2][2]}};
}
