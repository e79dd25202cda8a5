/* system/matrix/inverse.h - a linear system that stays for several right sides: by factors or by iterations.
 *
 * Which of both is chosen by what they take, in multiplications:
 *
 *   (S1)  direct:     F + s (l + u)      F: of a factorisation, s: right sides until the next matrix, l, u: entries of
 *                                        the factors, all from the symbolic analysis
 *   (S2)  iterative:  T + s k P          T: of the blocks, k: products a right side, P: of a product
 *   (S3)  k = k_0 sqrt(c_q / c_q0)       where c_q0 was the last that k_0 was seen for: products grow with h w, w the
 *                                        highest frequency that the step does not resolve
 *
 * The one in use stays until the other takes clearly less.
 */
#pragma once

#include "sparse/iterative.h"
#include "sparse/lu.h"
#include "trammel/trammel.h"

/* What may be used. */
typedef enum TmlSolver {
    TML_SOLVER_AUTO, /* what takes less */
    TML_SOLVER_DIRECT,
    TML_SOLVER_ITERATIVE /* wherever it is possible */
} TmlSolver;

/* Words of options, in the order of TmlSolver. */
#define TML_SOLVER_CHOICES "auto|direct|iterative"

/* (S1) to (S3) */
typedef struct TmlInverseWork {
    double factor, solve;         /* F, l + u */
    double take, product;         /* T, P */
    double solves;                /* s */
    double products, products_cq; /* k_0, c_q0; 0: not seen yet */
} TmlInverseWork;

/* Whether iterations are to be used for a matrix with this c_q; `now`: they are in use. */
bool tml_inverse_iterates(const TmlInverseWork *w, double cq, bool now);

typedef struct TmlInverse {
    TmlLu *lu;
    TmlIterative *iterative; /* NULL: not possible, or not thought of yet */
    bool iterates;           /* the last matrix was taken for iterations */
    bool known;              /* work is that of a pattern much like the present one */
    double entries;          /* of the pattern that work was looked up for */
    double cq;               /* of the last matrix */
    int64_t solves;          /* with the last matrix */
    TmlInverseWork work;
} TmlInverse;

typedef struct TmlInverseStats {
    int64_t factors, refactors, analyses, iterated, products;
} TmlInverseStats;

/* l, for matrices of another pattern with so many entries, takes over what was seen before; what the pattern takes only as long as
 * that was looked up for much the same one. */
void tml_inverse_inherit(TmlInverse *l, const TmlInverse *before, double entries);
/* Take the matrix A. Returns -1, or an unknown without a pivot. */
int tml_inverse_take(TmlInverse *l, const TmlCsc *A, TmlSolver solver, double cq,
                     TmlInverseStats *stats);
/* x: right side in, solution out, iterations to `accuracy`; where they fail the matrix is factored instead, and x is not
 * finite if it cannot be. */
void tml_inverse_solve(TmlInverse *l, double accuracy, double *x, TmlInverseStats *stats);
void tml_inverse_free(TmlInverse *l);
