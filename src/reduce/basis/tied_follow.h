/* reduce/basis/tied_follow.h - which freedoms of a part follow from others. */
#pragma once

#include "reduce/basis/follow.h"
#include "reduce/basis/tied.h"

/* owner: the frame that holds a node, rigidly or as its own; -1: none. Freedom c of frame f is number fe->n + 6 f + c. Free *out
 * also after a failure.
 *   TML_E_MODEL  a relation resists rigid motion, or ties frames to each other: names its line */
TML_NODISCARD TmlStatus tml_tied_follow(const TmlTied *t, const int *owner, TmlFollow *out,
                                        TmlError *err);
