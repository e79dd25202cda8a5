/* reduce/basis/held_part.h - static solutions of a part that is held by freedoms and by rows.
 *
 *     K u + D^T l = f,   D u = d,   u given at held freedoms                                  (HE1)
 *
 * Without held freedoms K is singular; the part then floats, and six pins that carry no load keep
 * the factors regular: with u = R a + K_h^-1 (f - D^T l), R rigid motion and K_h the pinned K,
 *
 *     [ -D K_h^-1 D^T   D R ] [l]   [ d - D K_h^-1 f ]
 *     [  R^T D^T         0  ] [a] = [ R^T f          ]                                        (HE2)
 *
 * Rows D = R^T M make (HE1) inertia relief, and its solutions orthogonal to rigid motion.
 */
#pragma once

#include "reduce/basis/tied.h"
#include "sparse/cholesky.h"

typedef struct TmlHeld {
    TmlArena arena;
    const TmlTied *t;
    bool floats; /* held by rows alone */
    int n_free;  /* unknowns of the factors */
    int *at;     /* n_free: their freedoms */
    int *index;  /* t->n: the inverse; -1: held, or a pin */
    TmlCholesky *factors;
    int n_rows;
    const double *D; /* t->n x n_rows, one row a column */
    double *Y;       /* n_free x n_rows: K_h^-1 D^T */
    double *S;       /* factors of the small matrix (HE2) */
    int *pivot;
    int order;           /* of S */
    double *load, *move; /* work of one block of columns */
} TmlHeld;

/* held: t->n flags, NULL: it floats. D: t->n x n_rows, lives as long as `out`.
 *   TML_E_MODEL  a piece of the part, or all of it, is not held: names a node */
TML_NODISCARD TmlStatus tml_held_create(const TmlTied *t, const bool *held, int n_rows,
                                        const double *D, TmlHeld *out, TmlError *err);
void tml_held_free(TmlHeld *h);

/* U[t->n * columns]: at held freedoms it is given, elsewhere it is found. F[t->n * columns], NULL:
 * no load; d[n_rows * columns], NULL: zeros. */
TML_NODISCARD TmlStatus tml_held_solve(TmlHeld *h, int columns, const double *F, const double *d,
                                       double *U, TmlError *err);
