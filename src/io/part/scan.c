/* io/part/scan.c - words and numbers of a text, with the line they stand in. */
#include "io/part/scan.h"

#include "base/real.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tml_scan_blank(TmlScan *s)
{
    while (isspace((unsigned char)*s->at)) {
        s->line += *s->at == '\n';
        s->at++;
    }
    return *s->at != '\0';
}

void tml_scan_next_line(TmlScan *s)
{
    s->at = strchrnul(s->at, '\n');
    if (*s->at == '\n') {
        s->at++;
        s->line++;
    }
}

TmlStatus tml_scan_fail(const TmlScan *s, TmlError *err, const char *fmt, ...)
{
    char text[TML_ERROR_MAX / 2];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return tml_fail(err, TML_E_MODEL, "%s:%d: %s", s->file, s->line, text);
}

/* What a file holds is not shown: it may be one that its reader must not see. */
static TmlStatus no_number(const TmlScan *s, const char *what, TmlError *err)
{
    return *s->at == '\0'
               ? tml_scan_fail(s, err, "%s: the file ends where %s should be", s->section, what)
               : tml_scan_fail(s, err, "%s: %s should be here", s->section, what);
}

static bool word_ends(const char *end)
{
    return *end == '\0' || isspace((unsigned char)*end);
}

TmlStatus tml_scan_int(TmlScan *s, int64_t low, int64_t high, const char *what, int64_t *out,
                       TmlError *err)
{
    char *end = NULL;
    (void)tml_scan_blank(s);
    errno = 0;
    const long long value = strtoll(s->at, &end, 10);
    if (end == s->at || !word_ends(end) || errno != 0) {
        return no_number(s, what, err);
    }
    if (value < low || value > high) {
        return tml_scan_fail(s, err, "%s: %s is %lld, not within %" PRId64 " and %" PRId64,
                             s->section, what, value, low, high);
    }
    *out = value;
    s->at = end;
    return TML_OK;
}

TmlStatus tml_scan_real(TmlScan *s, const char *what, double *out, TmlError *err)
{
    char *end = NULL;
    (void)tml_scan_blank(s);
    *out = tml_real_read(s->at, &end);
    if (end == s->at || !word_ends(end) || !isfinite(*out)) {
        return no_number(s, what, err);
    }
    s->at = end;
    return TML_OK;
}
