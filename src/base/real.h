/* base/real.h - numbers as texts. */
#pragma once

/* The number at the beginning of a text, as strtod reads it, but with a point whatever the locale
 * of the program is. *end: behind it, or the text when there is none; end may be NULL. */
double tml_real_read(const char *text, char **end);
