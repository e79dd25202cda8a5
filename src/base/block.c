/* base/block.c - the only file that calls the allocator hook.
 *
 * A block begins at a multiple of 64 bytes, so that a copy of it has the same alignment inside. No block touches the lowest
 * 64 MB of a 4 GB page: two indices below 67 million, side by side, can then never be taken for an address
 * (base/graph.c).
 */
#include "base/block.h"

#include "base/arena.h"
#include "base/available.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 64, HEAD = 128, LARGE = 1 << 26 };

typedef struct BlockHead {
    uintptr_t next, prev; // complements
    uintptr_t raw;        // complement of what the hook gave
    size_t size;
    size_t mapped; // bytes that were mapped here instead; 0: the hook gave the block
    const TmlBlockKind *kind;
    uint64_t group, owner, born;
} BlockHead;

_Static_assert(sizeof(BlockHead) <= HEAD, "the head of a block fits in front of it");

static void *standard_resize(void *user, void *p, size_t size)
{
    (void)user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    if (size >= LARGE && size > tml_memory_available()) {
        return NULL; // the system might promise it, and end the process when it is used
    }
    // pages that come fresh from the system are zero, and take no memory before they are used
    return p != NULL ? realloc(p, size) : calloc(1, size);
}

static TmlAllocator hook = {NULL, standard_resize};

void tml_set_allocator(const TmlAllocator *allocator)
{
    hook = allocator != NULL ? *allocator : (TmlAllocator){NULL, standard_resize};
}

/* --- the list --------------------------------------------------------------------------------- */

static atomic_flag busy = ATOMIC_FLAG_INIT; // held for a few instructions
static BlockHead *first;
static size_t n_listed;
static atomic_uint_fast64_t groups, owners, births;
static _Thread_local uint64_t owner;

static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
    }
}

static void unlock(void)
{
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

static uintptr_t hide(const void *p)
{
    return ~(uintptr_t)p;
}

static void *show(uintptr_t hidden)
{
    return (void *)~hidden;
}

static BlockHead *head_of(const void *block)
{
    return (BlockHead *)((uintptr_t)block - HEAD);
}

static char *start_of(const BlockHead *h)
{
    return (char *)((uintptr_t)h + HEAD);
}

static void list_add(BlockHead *h)
{
    lock();
    h->prev = hide(NULL);
    h->next = hide(first);
    if (first != NULL) {
        first->prev = hide(h);
    }
    first = h;
    n_listed++;
    unlock();
}

static void list_remove(const BlockHead *h)
{
    lock();
    BlockHead *next = show(h->next), *prev = show(h->prev);
    if (prev != NULL) {
        prev->next = hide(next);
    } else {
        first = next;
    }
    if (next != NULL) {
        next->prev = hide(prev);
    }
    n_listed--;
    unlock();
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Whether some address of the block could be a pair of small indices. */
static bool ambiguous(uintptr_t start, size_t size)
{
    const uint64_t page = (uint64_t)1 << 32, window = (uint64_t)1 << 26;
    const uint64_t low = (uint64_t)start & (page - 1);
    return sizeof(void *) == 8 && (low < window || low + size >= page);
}

/* The first place behind raw and a head that is `low` above a multiple of `period`. */
static BlockHead *placed(void *raw, size_t size, uintptr_t low, uintptr_t period)
{
    const uintptr_t least = (uintptr_t)raw + HEAD, start = least + ((low - least) & (period - 1));
    BlockHead *h = head_of((void *)start);
    *h = (BlockHead){.raw = hide(raw), .size = size};
    return h;
}

/* Takes memory of the system at an address that is not ambiguous; NULL: there is none. */
static BlockHead *map_elsewhere(size_t size, uintptr_t low, uintptr_t period)
{
    static const uintptr_t hints[] = {0x6000a0000000u, 0x6100a0000000u, 0x6200a0000000u,
                                      0x6300a0000000u};
    const size_t bytes = size + HEAD + period;
    for (size_t k = 0; k < sizeof hints / sizeof hints[0]; ++k) {
        void *raw = mmap((void *)hints[k], bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (raw == MAP_FAILED) {
            return NULL;
        }
        if (!ambiguous((uintptr_t)raw, bytes)) {
            BlockHead *h = placed(raw, size, low, period);
            h->mapped = bytes;
            return h;
        }
        munmap(raw, bytes);
    }
    return NULL;
}

static void *block_new(size_t size, uintptr_t low, uintptr_t period)
{
    if (size > SIZE_MAX - HEAD - period) {
        return NULL;
    }
    void *raw = hook.resize(hook.user, NULL, size + HEAD + period);
    if (raw == NULL) {
        return NULL;
    }
    BlockHead *h = placed(raw, size, low, period);
    const bool standard = hook.resize == standard_resize;
    if (standard && ambiguous((uintptr_t)start_of(h), size)) {
        BlockHead *other = map_elsewhere(size, low, period);
        if (other != NULL) {
            hook.resize(hook.user, raw, 0);
            h = other;
        }
    }
    h->owner = owner;
    h->born = (uint64_t)atomic_fetch_add(&births, 1) + 1;
    if (!standard) {
        memset(start_of(h), 0, size); // what stood there before could be taken for a pointer
    }
    list_add(h);
    return start_of(h);
}

static void block_free(void *block)
{
    BlockHead *h = head_of(block);
    list_remove(h);
    if (h->mapped > 0) {
        munmap(show(h->raw), h->mapped);
    } else {
        hook.resize(hook.user, show(h->raw), 0);
    }
}

void *tml_mem_resize(void *p, size_t size)
{
    if (size == 0) {
        if (p != NULL) {
            block_free(p);
        }
        return NULL;
    }
    void *block = block_new(size, 0, ALIGN);
    if (p != NULL && block != NULL) {
        const size_t had = head_of(p)->size;
        memcpy(block, p, had < size ? had : size);
        block_free(p);
    }
    return block;
}

void *tml_block_like(size_t size, uintptr_t low)
{
    return size > 0 ? block_new(size, low, TML_BLOCK_PERIOD) : NULL;
}

/* --- what heads tell -------------------------------------------------------------------------- */

void tml_block_set_kind(void *block, const TmlBlockKind *kind)
{
    head_of(block)->kind = kind;
}

const TmlBlockKind *tml_block_kind(const void *block)
{
    return head_of(block)->kind;
}

uint64_t tml_blocks_new_group(void)
{
    return (uint64_t)atomic_fetch_add(&groups, 1) + 1;
}

uint64_t tml_blocks_new_owner(void)
{
    return (uint64_t)atomic_fetch_add(&owners, 1) + 1;
}

uint64_t tml_blocks_enter(uint64_t next)
{
    const uint64_t former = owner;
    owner = next;
    return former;
}

uint64_t tml_blocks_born(void)
{
    return (uint64_t)atomic_load(&births);
}

void tml_block_set_group(void *block, uint64_t group)
{
    head_of(block)->group = group;
}

void tml_blocks_free_group(uint64_t group)
{
    BlockHead *of_group;
    do {
        of_group = NULL;
        lock();
        for (BlockHead *h = group > 0 ? first : NULL; h != NULL && of_group == NULL;
             h = show(h->next)) {
            of_group = h->group == group ? h : NULL;
        }
        unlock();
        if (of_group != NULL) {
            block_free(start_of(of_group));
        }
    } while (of_group != NULL);
}

static int by_address(const void *a, const void *b)
{
    const TmlBlockAt *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

TmlBlockAt *tml_blocks_list(size_t *n)
{
    *n = 0;
    lock();
    const size_t expected = n_listed;
    unlock();
    const size_t room = expected + expected / 4 + 64; // other threads go on
    TmlBlockAt *list = tml_mem_resize(NULL, room * sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    lock();
    for (BlockHead *h = first; h != NULL && *n < room; h = show(h->next)) {
        list[(*n)++] = (TmlBlockAt){start_of(h), h->size, h->owner, h->born};
    }
    unlock();
    qsort(list, *n, sizeof *list, by_address);
    return list;
}

void tml_blocks_list_free(TmlBlockAt *list)
{
    tml_mem_free(list);
}

/* --- bytes ------------------------------------------------------------------------------------ */

void tml_bytes_put(TmlBytes *b, const void *from, size_t n)
{
    if (b->failed || n == 0) {
        return;
    }
    if (b->room - b->n < n) {
        size_t room = b->room > 0 ? b->room : 4096;
        while (room - b->n < n && room < SIZE_MAX / 2) {
            room *= 2;
        }
        unsigned char *grown = tml_mem_resize(b->at, room);
        b->failed = grown == NULL;
        if (b->failed) {
            return;
        }
        b->at = grown;
        b->room = room;
    }
    memcpy(b->at + b->n, from, n);
    b->n += n;
}

bool tml_bytes_get(TmlBytes *b, void *to, size_t n)
{
    b->failed |= n > b->n - b->read;
    if (b->failed) {
        return false;
    }
    if (n > 0) {
        memcpy(to, b->at + b->read, n);
    }
    b->read += n;
    return true;
}

void tml_bytes_free(TmlBytes *b)
{
    tml_mem_free(b->at);
    *b = (TmlBytes){0};
}
