/* system/variable_chain.h - variables that depend on each other in a circle. */
#pragma once

#include "system/system_internal.h"

/* "a (model.yaml:4) -> b (model.yaml:5) -> a" for the shortest circle through a variable; empty:
 * it depends on itself in no way that expressions show. */
void tml_variable_chain(const TmlSystem *sys, int variable, char *text, size_t size);
