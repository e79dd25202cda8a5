/* expr/unit.h - unit words after numbers. */
#pragma once

#include "expr/dimension.h"

/* One unit is factor / parts in SI. Case matters. False when there is no such unit. */
bool tml_unit_find(const char *name, int length, double *factor, double *parts,
                   TmlDimension *dimension);

/* The k-th unit of the table; NULL past the end. */
const char *tml_unit_name(int k);

/* Nearest unit to a misspelt one, or NULL. */
const char *tml_unit_nearest(const char *name);
