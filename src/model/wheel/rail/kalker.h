/* model/wheel/rail/kalker.h - Kalker's coefficients of linear creep. */
#pragma once

enum { KALKER_ROWS = 19, KALKER_KINDS = 3 };

/* C11, C22, C23 for one Poisson's ratio: values and second derivatives at the rows of the table. */
typedef struct TmlKalker {
    double value[KALKER_KINDS][KALKER_ROWS], bend[KALKER_KINDS][KALKER_ROWS];
} TmlKalker;

typedef struct TmlKalkerC {
    double c[KALKER_KINDS];     /* C11, C22, C23 */
    double slope[KALKER_KINDS]; /* derivatives by a/b */
} TmlKalkerC;

/* nu: Poisson's ratio, 0 to 0.5. */
void tml_kalker_prepare(double nu, TmlKalker *k);

/* ratio: half axis along rolling over the other; taken as 0.1 below it and as 10 above. */
TmlKalkerC tml_kalker(const TmlKalker *k, double ratio);
