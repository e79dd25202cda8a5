/* io/part/scan.h - words and numbers of a text, with the line they stand in. */
#pragma once

#include "base/fail.h"

typedef struct TmlScan {
    const char *file;
    const char *at;
    int line;
    const char *section; /* what is being read, for messages */
} TmlScan;

/* Past blanks and ends of lines; false at the end of the text. */
bool tml_scan_blank(TmlScan *s);
void tml_scan_next_line(TmlScan *s);

/* The next number, or a failure with file and line: what was wanted, and what stands there. */
TML_NODISCARD TmlStatus tml_scan_int(TmlScan *s, int64_t low, int64_t high, const char *what,
                                     int64_t *out, TmlError *err);
TML_NODISCARD TmlStatus tml_scan_real(TmlScan *s, const char *what, double *out, TmlError *err);

/* A failure at the present line. */
TmlStatus tml_scan_fail(const TmlScan *s, TmlError *err, const char *fmt, ...) TML_PRINTF(3, 4);
