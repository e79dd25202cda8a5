/* base/real.c - see real.h. */
#include "base/real.h"

#include <locale.h>
#include <stdlib.h>

double tml_real_read(const char *text, char **end)
{
    // glibc keeps this locale: nothing is allocated or read
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        return strtod(text, end);
    }
    const double value = strtod_l(text, end, plain);
    freelocale(plain);
    return value;
}
