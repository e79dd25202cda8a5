/* reduce/basis/matrix_check.h - what matrices from files must satisfy beside having the right form. */
#pragma once

#include "reduce/basis/tied.h"

/* The stiffness must not resist rigid motion (CK1), and no motion may have negative energy (CK2).
 * *hertz: the largest frequency that rigid motion has by these matrices: zero but for the digits of a file, or springs to ground.
 *   TML_E_MODEL  names node and freedom */
TML_NODISCARD TmlStatus tml_matrix_check(const TmlTied *t, double *hertz, TmlError *err);
