/* base/arena.h - memory that is dropped whole, and the one allocator hook.
 *
 * An arena hands out aligned, zeroed blocks and frees them all at once. A mark remembers a place;
 * releasing it drops everything handed out since (scratch memory of one call).
 */
#pragma once

#include "trammel/base.h"

typedef struct TmlArenaChunk TmlArenaChunk;

typedef struct TmlArena {
    TmlArenaChunk *chunk;  /* newest first */
    size_t used, reserved; /* bytes handed out and held */
    size_t peak;           /* largest `used` so far */
} TmlArena;

typedef struct TmlArenaMark {
    TmlArenaChunk *chunk;
    size_t fill, used;
} TmlArenaMark;

/* Zeroed block of n items of `size` bytes, 64-byte aligned; NULL when out of memory or when the
 * product overflows. n or size 0 gives a valid pointer. */
void *tml_arena_alloc(TmlArena *arena, size_t n, size_t size);
char *tml_arena_strdup(TmlArena *arena, const char *text); /* NULL: out of memory */
char *tml_arena_strndup(TmlArena *arena, const char *text, size_t length);
char *tml_arena_printf(TmlArena *arena, const char *fmt, ...) TML_PRINTF(2, 3);
void tml_arena_free(TmlArena *arena); /* the arena is empty and usable again */

TmlArenaMark tml_arena_mark(const TmlArena *arena);
void tml_arena_release(TmlArena *arena, TmlArenaMark mark);

/* Typed allocation that leaves the calling function with TML_E_NOMEM. */
#define TML_NEW(arena, out, n)                                                                     \
    do {                                                                                           \
        (out) = tml_arena_alloc((arena), (size_t)(n), sizeof *(out));                              \
        if ((out) == NULL) {                                                                       \
            return tml_fail(err, TML_E_NOMEM, "out of memory (%zu items of %zu bytes)",            \
                            (size_t)(n), sizeof *(out));                                           \
        }                                                                                          \
    } while (0)

/* All memory comes through here, by the hook: grows p (NULL: new) to size bytes, the new ones zero; size 0 frees. */
void *tml_mem_resize(void *p, size_t size);
void *tml_mem_zalloc(size_t n, size_t size);
void tml_mem_free(void *p);

/* Growing array: makes room for one more item. `cap` doubles. Returns false when out of memory. */
bool tml_mem_grow(void **items, int *cap, int needed, size_t size);
