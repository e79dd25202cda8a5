/* system/redundancy/drive_rows.h - rows that make something follow a function of time. */
#pragma once

#include "sparse/csc.h"
#include "system/system_internal.h"

/* Whether the rows of the constraint drive. */
bool tml_constraint_drives(const TmlConstraint *c);

/* TML_E_ASSEMBLY when a row that drives depends on the others; the message names it and them. A:
 * all rows, scaled; rank: that of all rows, at this tolerance. */
TML_NODISCARD TmlStatus tml_drives_check(TmlSystem *sys, const TmlCsc *A, int rank,
                                         double tolerance, TmlError *err);
