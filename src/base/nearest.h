/* base/nearest.h - the nearest valid spelling of a misspelt word. */
#pragma once

#include "trammel/base.h"

/* Nearest of n candidates to a misspelt word, upper and lower case being equal, or NULL when none
 * is near. The first of equally near ones wins. */
const char *tml_nearest(const char *word, const char *const *candidates, int n);
