/* base/fail.c - status texts and error messages. */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct StatusRow {
    const char *name, *text;
    int exit_status;
} StatusRow;

#define STATUS_ROW(code, exit_code, words) {#code, words, exit_code},
static const StatusRow status_rows[TML_STATUS_COUNT] = {TML_STATUS_LIST(STATUS_ROW)};
#undef STATUS_ROW

static const StatusRow *status_row(TmlStatus status)
{
    const unsigned k = (unsigned)status;
    return &status_rows[k < TML_STATUS_COUNT ? k : TML_E_INTERNAL];
}

const char *tml_status_name(TmlStatus status)
{
    return status_row(status)->name;
}

const char *tml_status_text(TmlStatus status)
{
    return status_row(status)->text;
}

int tml_status_exit(TmlStatus status)
{
    return status_row(status)->exit_status;
}

TmlStatus tml_fail(TmlError *err, TmlStatus status, const char *fmt, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, fmt);
        err->status = status;
        vsnprintf(err->message, sizeof err->message, fmt, args);
        va_end(args);
    }
    return status;
}

TmlStatus tml_fail_ctx(TmlError *err, TmlStatus status, const char *fmt, ...)
{
    if (err != NULL) {
        char context[512], old[TML_ERROR_MAX];
        va_list args;
        va_start(args, fmt);
        vsnprintf(context, sizeof context, fmt, args);
        va_end(args);
        memcpy(old, err->message, sizeof old);
        old[sizeof old - 1] = '\0';
        // "%.*s" keeps the compiler sure that nothing is cut without notice
        snprintf(err->message, sizeof err->message, "%s: %.*s", context,
                 (int)(sizeof err->message - sizeof context - 3), old);
    }
    return status;
}
