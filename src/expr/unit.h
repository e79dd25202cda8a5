/* expr/unit.h - unit words after numbers. */
#pragma once

#include "base/fail.h"

/* One unit is factor / parts in SI. Case matters. False when there is no such unit. */
bool tml_unit_find(const char *name, int length, double *factor, double *parts);

/* Nearest unit to a misspelt one, or NULL. */
const char *tml_unit_nearest(const char *name);
