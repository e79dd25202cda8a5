/* tests/base/test_graph.c - graphs of blocks: what belongs to one, what does not, and bytes that are damaged. */
#include "test.h"

#include "base/arena.h"
#include "base/graph.h"

#include <stdint.h>
#include <string.h>

enum { WORDS = 8 };

/* A block of eight words that belongs to this owner. */
static uintptr_t *block_of(uint64_t owner)
{
    const uint64_t former = tml_blocks_enter(owner);
    uintptr_t *out = tml_mem_zalloc(WORDS, sizeof *out);
    tml_blocks_enter(former);
    return out;
}

static TmlStatus take(const void *root, uint64_t owner, TmlBytes *out, TmlError *err)
{
    const TmlGraphOf of = {.owner = owner};
    const void *const roots[] = {root};
    return tml_graph_take(1, roots, &of, out, err);
}

/* A ring of two blocks is the same ring elsewhere; numbers stay. */
TEST(a_ring_is_made_again)
{
    const uint64_t owner = tml_blocks_new_owner();
    uintptr_t *a = block_of(owner), *b = block_of(owner);
    a[0] = (uintptr_t)b;
    a[1] = 17;
    b[3] = (uintptr_t)&a[1];
    TmlBytes bytes = {0};
    TmlError err = {0};
    uint64_t group = 0;
    void *root[1];
    CHECK_OK(t, take(a, owner, &bytes, &err), &err);
    CHECK_OK(t, tml_graph_make(&bytes, NULL, &group, 1, root, &err), &err);
    const uintptr_t *copy = root[0], *other = copy != NULL ? (const uintptr_t *)copy[0] : NULL;
    CHECK(t, copy != NULL && copy != a && other != b);
    if (other != NULL) {
        CHECK(t, copy[1] == 17 && other[3] == (uintptr_t)&copy[1]);
    }
    tml_blocks_free_group(group);
    tml_bytes_free(&bytes);
    tml_mem_free(a);
    tml_mem_free(b);
}

/* A stale pointer may lead into a block of another run, where that run is at work: neither that block nor what hangs on it is
 * copied, and the word stays what it is. */
TEST(blocks_of_others_do_not_belong)
{
    const uint64_t owner = tml_blocks_new_owner(), stranger = tml_blocks_new_owner();
    uintptr_t *a = block_of(owner), *b = block_of(stranger), *c = block_of(stranger);
    TmlBytes alone = {0}, stale = {0};
    TmlError err = {0};
    uint64_t group = 0;
    void *root[1];
    CHECK_OK(t, take(a, owner, &alone, &err), &err);
    a[2] = (uintptr_t)b;
    b[0] = (uintptr_t)c;
    CHECK_OK(t, take(a, owner, &stale, &err), &err);
    CHECK(t, stale.n == alone.n);
    CHECK_OK(t, tml_graph_make(&stale, NULL, &group, 1, root, &err), &err);
    CHECK(t, root[0] != NULL && ((const uintptr_t *)root[0])[2] == (uintptr_t)b);
    tml_blocks_free_group(group);
    tml_bytes_free(&alone);
    tml_bytes_free(&stale);
    tml_mem_free(a);
    tml_mem_free(b);
    tml_mem_free(c);
}

/* Numbers of a graph of one block: magic, place of the modules, count of blocks; then the block's size, its place in a period,
 * its contents, the count of its links, and each link: at, offset, what and index. */
enum { CONTENTS = 5 * 8, LINK = CONTENTS + 8 * WORDS + 8 };

static TmlStatus make_changed(const TmlBytes *good, size_t at, uint64_t value, TmlError *err)
{
    TmlBytes bytes = {0};
    uint64_t group = 0;
    void *root[1];
    tml_bytes_put(&bytes, good->at, good->n);
    memcpy(bytes.at + at, &value, sizeof value);
    const TmlStatus status = tml_graph_make(&bytes, NULL, &group, 1, root, err);
    if (status == TML_OK) {
        tml_blocks_free_group(group);
    }
    tml_bytes_free(&bytes);
    return status;
}

/* A link that would be written beyond its block, or that leads to no block, is refused. */
TEST(damaged_links_are_refused)
{
    const uint64_t owner = tml_blocks_new_owner(), size = WORDS * sizeof(uintptr_t);
    uintptr_t *a = block_of(owner);
    TmlBytes good = {0};
    TmlError err = {0};
    a[1] = (uintptr_t)a;
    CHECK_OK(t, take(a, owner, &good, &err), &err);
    CHECK_OK(t, make_changed(&good, LINK, 8, &err), &err);
    CHECK_OK(t, make_changed(&good, LINK, size - 8, &err), &err); // the last word of the block
    static const uint64_t beyond[] = {1, 4, 8};
    for (size_t k = 0; k < sizeof beyond / sizeof *beyond; ++k) {
        CHECK_INT(t, make_changed(&good, LINK, size - 8 + beyond[k], &err), TML_E_MODEL);
        CHECK_HAS(t, err.message, "damaged");
    }
    CHECK_INT(t, make_changed(&good, LINK, UINT64_MAX, &err), TML_E_MODEL);
    CHECK_INT(t, make_changed(&good, LINK + 8, size + 1, &err), TML_E_MODEL); // leads behind it
    CHECK_INT(t, make_changed(&good, LINK + 16, (uint64_t)1 << 32, &err), TML_E_MODEL); // block 1
    CHECK_INT(t, make_changed(&good, LINK - 8, WORDS + 1, &err), TML_E_MODEL); // more than words
    CHECK_INT(t, make_changed(&good, 0, 0, &err), TML_E_MODEL);
    tml_bytes_free(&good);
    tml_mem_free(a);
}

TEST_SUITE(graph) = {
    CASE(a_ring_is_made_again),
    CASE(blocks_of_others_do_not_belong),
    CASE(damaged_links_are_refused),
    {0},
};
