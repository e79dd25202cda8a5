/* system/consistent/row_motion.h - motion of what constraints see, and of nothing else. */
#pragma once

#include "system/system_internal.h"

typedef struct TmlRowMotion TmlRowMotion;

/* What the constraints of a system see; after its ends are known. */
TML_NODISCARD TmlStatus tml_row_motion_setup(TmlSystem *sys, TmlError *err);

/* The motion of all ends of constraints at s. Other ends keep what they had, so that only rows may be read after it. */
void tml_row_motion(TmlSystem *sys, const TmlState *s);
