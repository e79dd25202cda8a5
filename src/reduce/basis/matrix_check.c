/* reduce/basis/matrix_check.c - what matrices from files must satisfy beside having the right form.
 *
 * With R rigid motion, and entries that are rounded to the digits of a file:
 *
 *   (CK1)  |sum_j K_ij R_j| <= 1e-3 sum_j |K_ij| |R_j|   in each row: else the part is held, or K is no stiffness. Entries that
 *          symmetry would make zero are rounding, and so is all of their sum: 1e-6 of the same sum for motion in all directions is
 *          allowed beside
 *   (CK2)  M + 1e-6 diag(M) is definite. A mass may be singular (CalculiX' rule, nodes without inertia), not indefinite.
 *
 * That K is definite where the part is held is found when it is factored.
 */
#include "reduce/basis/matrix_check.h"

#include "math/vec3.h"
#include "sparse/cholesky.h"

#include <math.h>
#include <string.h>

static const double resists = 1e-3; // a file of four digits has 1e-4
static const double rounded = 1e-6;
static const double of_all = 1e-6; // of (CK1); single precision has 1e-7

/* sum_j |K_ij| |R_j| for each row and rigid motion. */
static void absolute_sums(const TmlCsc *K, const double *R, double *out)
{
    const size_t n = (size_t)K->rows;
    for (size_t c = 0; c < 6; ++c) {
        const double *r = R + c * n;
        double *to = out + c * n;
        for (int j = 0; j < K->cols; ++j) {
            for (int p = K->start[j]; p < K->start[j + 1]; ++p) {
                const int i = K->row[p];
                const double x = fabs(K->x[p]);
                to[i] += x * fabs(r[j]);
                to[j] += i != j ? x * fabs(r[i]) : 0.0;
            }
        }
    }
}

static TmlStatus check_rigid(const TmlTied *t, TmlArena *scratch, double *hertz, TmlError *err)
{
    static const char *const motion[6] = {"along x", "along y", "along z",
                                          "about x", "about y", "about z"};
    const size_t n = (size_t)t->n;
    double *force, *most, square = 0.0;
    TML_NEW(scratch, force, 6 * n + 1);
    TML_NEW(scratch, most, 6 * n + 1);
    tml_csc_lower_mul(&t->K, 6, t->R, force);
    absolute_sums(&t->K, t->R, most);
    for (size_t k = 0; k < 6 * n; ++k) {
        const size_t i = k % n;
        const double all =
            (most[i] + most[n + i] + most[2 * n + i]) * (k < 3 * n ? 1.0 : t->length);
        if (fabs(force[k]) > resists * most[k] + of_all * all) { // (CK1)
            return tml_fail(err, TML_E_MODEL,
                            "the stiffness resists rigid motion %s: %s would take a force, %.2g of "
                            "what its row of the matrix could make. Is the part held in these "
                            "matrices, or are stiffness and mass in each other's place?",
                            motion[k / n], tml_tied_freedom(t, (int)(k % n)).text,
                            fabs(force[k]) / most[k]);
        }
    }
    for (size_t c = 0; c < 6; ++c) {
        double stiff = 0.0;
        for (size_t k = c * n; k < (c + 1) * n; ++k) {
            stiff += t->R[k] * force[k];
        }
        const double mass = t->inertia[7 * c];
        square = mass > 0.0 ? fmax(square, fabs(stiff) / mass) : square;
    }
    *hertz = sqrt(square) / (2.0 * acos(-1.0));
    return TML_OK;
}

/* A copy with a larger diagonal, and some in place of none. */
static TmlStatus lifted(const TmlCsc *A, TmlArena *scratch, TmlCsc *out, TmlError *err)
{
    const int entries = A->start[A->cols];
    double largest = 0.0;
    *out = *A;
    TML_NEW(scratch, out->x, entries + 1);
    memcpy(out->x, A->x, (size_t)entries * sizeof *out->x);
    for (int k = 0; k < entries; ++k) {
        largest = fmax(largest, fabs(A->x[k]));
    }
    for (int j = 0; j < A->cols; ++j) {
        const int p = tml_csc_find(A, j, j);
        if (p >= 0) {
            out->x[p] += rounded * (A->x[p] > 0.0 ? A->x[p] : largest);
        }
    }
    return TML_OK;
}

static TmlStatus check_definite(const TmlTied *t, TmlArena *scratch, TmlError *err)
{
    TmlCholesky *factors = NULL;
    TmlCsc M;
    int weak = 0;
    TML_TRY(lifted(&t->M, scratch, &M, err));
    const TmlStatus status = tml_cholesky_create(&M, &factors, &weak, err); // (CK2)
    tml_cholesky_free(factors);
    return status != TML_E_SINGULAR
               ? status
               : tml_fail(err, TML_E_MODEL,
                          "the mass is not definite at %s: some motion has negative energy",
                          tml_tied_freedom(t, weak).text);
}

TmlStatus tml_matrix_check(const TmlTied *t, double *hertz, TmlError *err)
{
    TmlArena scratch = {0};
    TmlStatus status = check_rigid(t, &scratch, hertz, err);
    status = status == TML_OK ? check_definite(t, &scratch, err) : status;
    tml_arena_free(&scratch);
    return status;
}
