/* base/arena.c - arenas, and arrays that grow. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, CHUNK_MIN = 1 << 14, CHUNK_MAX = 1 << 22 };

struct TmlArenaChunk {
    TmlArenaChunk *older;
    size_t fill, size; /* bytes of the payload */
};

void *tml_mem_zalloc(size_t n, size_t size)
{
    if (size != 0 && n > SIZE_MAX / size) {
        return NULL;
    }
    const size_t bytes = n * size != 0 ? n * size : 1;
    return tml_mem_resize(NULL, bytes);
}

void tml_mem_free(void *p)
{
    if (p != NULL) {
        tml_mem_resize(p, 0);
    }
}

bool tml_mem_grow(void **items, int *cap, int needed, size_t size)
{
    if (needed <= *cap) {
        return true;
    }
    int wider = *cap > 0 ? *cap : 8;
    while (wider < needed) {
        if (wider > (1 << 29)) {
            return false;
        }
        wider *= 2;
    }
    void *p = tml_mem_resize(*items, (size_t)wider * size);
    if (p == NULL) {
        return false;
    }
    *items = p;
    *cap = wider;
    return true;
}

/* First aligned byte of the payload. */
static char *payload(TmlArenaChunk *c)
{
    const uintptr_t raw = (uintptr_t)(c + 1);
    return (char *)((raw + ALIGN - 1) & ~(uintptr_t)(ALIGN - 1));
}

static bool chunk_push(TmlArena *arena, size_t bytes)
{
    size_t size = arena->reserved;
    size = size < CHUNK_MIN ? CHUNK_MIN : size > CHUNK_MAX ? CHUNK_MAX : size;
    size = size < bytes ? bytes : size;
    TmlArenaChunk *c = tml_mem_resize(NULL, sizeof *c + size + ALIGN);
    if (c == NULL) {
        return false;
    }
    *c = (TmlArenaChunk){.older = arena->chunk, .size = size};
    arena->chunk = c;
    arena->reserved += size;
    return true;
}

void *tml_arena_alloc(TmlArena *arena, size_t n, size_t size)
{
    if (size != 0 && n > (SIZE_MAX - 2 * ALIGN) / size) {
        return NULL;
    }
    const size_t bytes = (n * size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (arena->chunk == NULL || arena->chunk->size - arena->chunk->fill < bytes) {
        if (!chunk_push(arena, bytes)) {
            return NULL;
        }
    }
    char *p = payload(arena->chunk) + arena->chunk->fill;
    arena->chunk->fill += bytes;
    arena->used += bytes;
    arena->peak = arena->used > arena->peak ? arena->used : arena->peak;
    memset(p, 0, bytes);
    return p;
}

char *tml_arena_strndup(TmlArena *arena, const char *text, size_t length)
{
    char *copy = tml_arena_alloc(arena, length + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *tml_arena_strdup(TmlArena *arena, const char *text)
{
    return tml_arena_strndup(arena, text, strlen(text));
}

char *tml_arena_printf(TmlArena *arena, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = length >= 0 ? tml_arena_alloc(arena, (size_t)length + 1, 1) : NULL;
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, fmt, again);
    }
    va_end(again);
    return text;
}

static void chunk_pop(TmlArena *arena)
{
    TmlArenaChunk *c = arena->chunk;
    arena->chunk = c->older;
    arena->reserved -= c->size;
    tml_mem_free(c);
}

void tml_arena_free(TmlArena *arena)
{
    while (arena->chunk != NULL) {
        chunk_pop(arena);
    }
    arena->used = 0;
}

TmlArenaMark tml_arena_mark(const TmlArena *arena)
{
    return (TmlArenaMark){
        .chunk = arena->chunk,
        .fill = arena->chunk != NULL ? arena->chunk->fill : 0,
        .used = arena->used,
    };
}

void tml_arena_release(TmlArena *arena, TmlArenaMark mark)
{
    while (arena->chunk != mark.chunk) {
        chunk_pop(arena);
    }
    if (arena->chunk != NULL) {
        arena->chunk->fill = mark.fill;
    }
    arena->used = mark.used;
}
