/* io/file/unnamed.h - files without a name: a kill leaves nothing of them. */
#pragma once

#include "base/fail.h"

/* Whether the path is that of a file without a name: tml_results_unnamed. */
bool tml_is_unnamed(const char *path);

/* The status of a call with that path; a message speaks of a temporary file, not of the path, which
 * tells nobody anything. */
TmlStatus tml_unnamed_told(const char *path, TmlStatus status, TmlError *err);
