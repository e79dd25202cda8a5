/* trammel/base.h - status codes, error messages, allocator hook.
 *
 * Every function that can fail returns a TmlStatus and takes a TmlError last. The error is a
 * fixed-size struct of the caller: reporting cannot fail and nothing is global.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TML_API __attribute__((visibility("default")))
#define TML_NODISCARD __attribute__((warn_unused_result))
#define TML_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define TML_API
#define TML_NODISCARD
#define TML_PRINTF(a, b)
#endif

/* Each entry: the code, the exit status of the command for it, its text. */
#define TML_STATUS_LIST(X)                                                                         \
    X(TML_OK, 0, "done")                                                                           \
    X(TML_E_ARGUMENT, 2, "an argument or option is out of range")                                  \
    X(TML_E_MODEL, 2, "the model is wrong")                                                        \
    X(TML_E_ASSEMBLY, 1, "no state satisfies the constraints")                                     \
    X(TML_E_SINGULAR, 1, "the equations are singular")                                             \
    X(TML_E_STEP, 1, "the step became too small")                                                  \
    X(TML_E_NONFINITE, 1, "a value is not finite")                                                 \
    X(TML_E_CANCELLED, 1, "cancelled by the caller")                                               \
    X(TML_E_IO, 3, "a file could not be read or written")                                          \
    X(TML_E_NOMEM, 1, "out of memory")                                                             \
    X(TML_E_INTERNAL, 1, "a defect in Trammel")

#define TML_STATUS_ENUM(code, exit_status, text) code,
typedef enum TmlStatus { TML_STATUS_LIST(TML_STATUS_ENUM) TML_STATUS_COUNT } TmlStatus;
#undef TML_STATUS_ENUM

enum { TML_ERROR_MAX = 16384, TML_NAME_MAX = 128 };

/* What went wrong. `message` may hold several lines when a model file has several errors. */
typedef struct TmlError {
    TmlStatus status;
    char message[TML_ERROR_MAX];
} TmlError;

TML_API const char *tml_status_name(TmlStatus status); /* "TML_E_MODEL" */
TML_API const char *tml_status_text(TmlStatus status); /* "the model is wrong" */
TML_API int tml_status_exit(TmlStatus status);         /* exit status of the command line */

/* The library takes all its memory through `resize`, which works like realloc: with p NULL it allocates, with size 0
 * it frees and returns NULL. Call tml_set_allocator before any other function, or not at all; NULL restores the
 * allocator of the C library. */
typedef struct TmlAllocator {
    void *user;
    void *(*resize)(void *user, void *p, size_t size);
} TmlAllocator;

TML_API void tml_set_allocator(const TmlAllocator *allocator);

#ifdef __cplusplus
}
#endif
