/* base/graph.h - all that can be reached from a block, as bytes, and made again elsewhere.
 *
 * A graph is a set of blocks (base/block.h): the roots, and every block that a pointer in a block of the set leads into. Words
 * in which an address of such a block stands are pointers; they are written down as block and offset, so that the graph can
 * stand at other addresses. A portable graph also names what points into the program and its libraries by library and
 * offset: another process of the same program can make it again. Other words are kept as they are.
 */
#pragma once

#include "base/block.h"
#include "base/fail.h"

enum { TML_GRAPH_ROOTS = 2 };

/* What belongs to a graph: blocks of an owner, and all that were born before. Pointers to other blocks stay what they are, so
 * these must still exist when the graph is made again. */
typedef struct TmlGraphOf {
    uint64_t owner;
    uint64_t born_before; /* 0: none but the owner's */
    bool portable;
} TmlGraphOf;

/* Writes the graph of n roots. */
TML_NODISCARD TmlStatus tml_graph_take(int n, const void *const *root, const TmlGraphOf *of,
                                       TmlBytes *out, TmlError *err);

/* Makes the blocks of a graph, as a new group, and gives its roots. Pointers to the first root get the address `home`,
 * unless that is NULL: its contents are meant to move there.
 *   TML_E_MODEL  the graph is of another build of the program or its libraries, or damaged */
TML_NODISCARD TmlStatus tml_graph_make(TmlBytes *in, const void *home, uint64_t *group, int n,
                                       void **root, TmlError *err);

/* Whether the program or one of its libraries holds this address, so that a portable graph can name it. */
bool tml_graph_can_name(const void *p);
