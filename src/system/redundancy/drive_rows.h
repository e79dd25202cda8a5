/* system/redundancy/drive_rows.h - rows that make something follow a function of time. */
#pragma once

#include "sparse/csc.h"
#include "system/system_internal.h"

/* Tells whether the rows of the constraint drive something. */
bool tml_constraint_drives(const TmlConstraint *c);

/* Returns TML_E_ASSEMBLY when a row that drives depends on the others; the message names it and
 * them. A holds all rows, scaled, and rank is that of all rows at this tolerance. */
TML_NODISCARD TmlStatus tml_drives_check(TmlSystem *sys, const TmlCsc *A, int rank,
                                         double tolerance, TmlError *err);
