/* base/fail.h - recording failures and passing them up. */
#pragma once

#include "trammel/base.h"

/* Record a failure and return `status`. The message states what is wrong, with the numbers.
 * err may be NULL. */
TmlStatus tml_fail(TmlError *err, TmlStatus status, const char *fmt, ...) TML_PRINTF(3, 4);

/* Put context in front of a message on its way up ("context: message"); returns status. */
TmlStatus tml_fail_ctx(TmlError *err, TmlStatus status, const char *fmt, ...) TML_PRINTF(3, 4);

/* Pass a failure to the caller. */
#define TML_TRY(call)                                                                              \
    do {                                                                                           \
        TmlStatus try_status = (call);                                                             \
        if (try_status != TML_OK) {                                                                \
            return try_status;                                                                     \
        }                                                                                          \
    } while (0)

/* States what only a defect in Trammel can break, never user input. */
#ifdef TML_DEBUG
#define TML_ASSERT(cond) ((cond) ? (void)0 : __builtin_trap())
#else
#define TML_ASSERT(cond) ((void)0)
#endif
