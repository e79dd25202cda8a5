/* base/block.h - the blocks that the allocator hook gives, each with a head, and a list of them all.
 *
 * The list lets base/graph.c follow pointers from block to block. Links in heads are stored as complements, so that tools
 * which look for leaks do not take a block for reachable because it is listed.
 */
#pragma once

#include "trammel/base.h"

/* Bytes that grow while they are written, and a place from which they are read. */
typedef struct TmlBytes {
    unsigned char *at;
    size_t n, room, read;
    bool failed; /* out of memory, or read past the end */
} TmlBytes;

void tml_bytes_put(TmlBytes *b, const void *from, size_t n);
bool tml_bytes_get(TmlBytes *b, void *to, size_t n); /* false, and failed: there are fewer */
void tml_bytes_free(TmlBytes *b);

/* A block that owns memory of another library. Its copy has stale pointers to that memory until `thaw` has made the memory
 * anew from the bytes that `freeze` wrote. After a failed thaw `drop` gives back what was made. */
typedef struct TmlBlockKind {
    void (*freeze)(const void *block, TmlBytes *out);
    bool (*thaw)(void *block, TmlBytes *in);
    void (*drop)(void *block);
} TmlBlockKind;

/* A block whose address is `low` above a multiple of TML_BLOCK_PERIOD, as that of the one that it is a copy of was. Fields of
 * one or two bytes beside bytes that nobody has set may look like a pointer, whose last two bytes they are; a copy moves
 * such a word by a multiple of the period, and the fields stay what they are. */
enum { TML_BLOCK_PERIOD = 1 << 16 };
void *tml_block_like(size_t size, uintptr_t low);

void tml_block_set_kind(void *block, const TmlBlockKind *kind);
const TmlBlockKind *tml_block_kind(const void *block);

/* Blocks of a copy have a number in common, from 1 on. What is left of them goes with tml_blocks_free_group. */
uint64_t tml_blocks_new_group(void);
void tml_block_set_group(void *block, uint64_t group);
void tml_blocks_free_group(uint64_t group); /* 0: nothing */

/* Whose blocks this thread makes from here on; returns whose they were. An owner is a number of tml_blocks_new_owner;
 * 0: nobody's in particular. */
uint64_t tml_blocks_new_owner(void);
uint64_t tml_blocks_enter(uint64_t owner);
uint64_t
tml_blocks_born(void); /* a number between those of the blocks made so far and later ones */

/* All blocks there are, by address; NULL: out of memory. The caller gives the array back to tml_blocks_list_free. */
typedef struct TmlBlockAt {
    char *start;
    size_t size;
    uint64_t owner, born;
} TmlBlockAt;
TmlBlockAt *tml_blocks_list(size_t *n);
void tml_blocks_list_free(TmlBlockAt *list);
