/* base/graph.c - blocks that hang together, as bytes; see graph.h. */
#include "base/graph.h"

#include "base/arena.h"
#include "base/modules.h"

#include <string.h>

static const char magic[8] = "tmlgraph";

enum { TO_BLOCK, TO_MODULE, NOT_REACHED = -1 };

/* The word at byte `at` of a block points to byte `offset` of block or module number `index`. */
typedef struct Link {
    uint64_t at, offset;
    uint32_t what, index;
} Link;

typedef struct Take {
    const TmlGraphOf *of;
    TmlBlockAt *list; // all blocks, by address
    size_t n_list;
    uintptr_t low, high;
    int64_t *number; // n_list: in the graph
    size_t *queue;   // n_list: places in the list, in the order of their numbers
    size_t n;
    TmlModule module[TML_MODULES_MAX];
    int n_modules;
    int used[TML_MODULES_MAX]; // number of the module in the graph, or -1
    int n_used, use[TML_MODULES_MAX];
} Take;

/* Returns the place in the list of the block that holds the address, or n_list. The end of a block counts as its own. */
static size_t find_block(const Take *t, uintptr_t p)
{
    if (p < t->low || p > t->high) {
        return t->n_list;
    }
    size_t a = 0, b = t->n_list; // the last block that does not begin behind p
    while (b - a > 1) {
        const size_t m = a + (b - a) / 2;
        if ((uintptr_t)t->list[m].start <= p) {
            a = m;
        } else {
            b = m;
        }
    }
    const uintptr_t start = (uintptr_t)t->list[a].start;
    return start <= p && p - start <= t->list[a].size ? a : t->n_list;
}

static int find_module(const Take *t, uintptr_t p)
{
    for (int k = 0; k < t->n_modules; ++k) {
        if (p >= t->module[k].start && p < t->module[k].end) {
            return k;
        }
    }
    return -1;
}

static uintptr_t word_at(const TmlBlockAt *b, size_t at)
{
    uintptr_t word;
    memcpy(&word, b->start + at, sizeof word);
    return word;
}

/* Whether the block may belong to the graph. Stale pointers lead anywhere: factors of another owner may be at work. */
static bool is_of(const Take *t, size_t k)
{
    const TmlBlockAt *b = &t->list[k];
    return b->owner == t->of->owner ||
           (b->born <= t->of->born_before && tml_block_kind(b->start) == NULL);
}

/* Adds what can be reached from the queue. */
static void reach(Take *t)
{
    for (size_t k = 0; k < t->n; ++k) {
        const TmlBlockAt *b = &t->list[t->queue[k]];
        for (size_t at = 0; at + sizeof(uintptr_t) <= b->size; at += sizeof(uintptr_t)) {
            const size_t to = find_block(t, word_at(b, at));
            if (to < t->n_list && t->number[to] == NOT_REACHED && is_of(t, to)) {
                t->number[to] = (int64_t)t->n;
                t->queue[t->n++] = to;
            }
        }
    }
}

static bool add_root(Take *t, const void *root)
{
    const size_t to = find_block(t, (uintptr_t)root);
    if (to == t->n_list || t->list[to].start != (const char *)root) {
        return false;
    }
    if (t->number[to] == NOT_REACHED) {
        t->number[to] = (int64_t)t->n;
        t->queue[t->n++] = to;
    }
    return true;
}

static TmlStatus take_begin(Take *t, TmlError *err)
{
    memset(t->used, -1, sizeof t->used);
    t->list = tml_blocks_list(&t->n_list);
    t->number = tml_mem_zalloc(t->n_list + 1, sizeof *t->number);
    t->queue = tml_mem_zalloc(t->n_list + 1, sizeof *t->queue);
    if (t->list == NULL || t->number == NULL || t->queue == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the state of a run");
    }
    for (size_t k = 0; k < t->n_list; ++k) {
        t->number[k] = NOT_REACHED;
    }
    if (t->n_list > 0) {
        t->low = (uintptr_t)t->list[0].start;
        t->high = (uintptr_t)t->list[t->n_list - 1].start + t->list[t->n_list - 1].size;
    }
    return TML_OK;
}

static void take_end(Take *t)
{
    tml_mem_free(t->list);
    tml_mem_free(t->number);
    tml_mem_free(t->queue);
}

static uint32_t use_module(Take *t, int m)
{
    if (t->used[m] < 0) {
        t->used[m] = t->n_used;
        t->use[t->n_used++] = m;
    }
    return (uint32_t)t->used[m];
}

/* Finds what the word at `at` of a block points to; false: it is no pointer. */
static bool find_link(Take *t, const TmlBlockAt *b, size_t at, bool portable, Link *out)
{
    const uintptr_t word = word_at(b, at);
    const size_t to = find_block(t, word);
    if (to < t->n_list && t->number[to] >= 0) {
        *out = (Link){at, word - (uintptr_t)t->list[to].start, TO_BLOCK, (uint32_t)t->number[to]};
        return true;
    }
    const int m = portable && to == t->n_list ? find_module(t, word) : -1;
    if (m >= 0) {
        *out = (Link){at, word - t->module[m].start, TO_MODULE, use_module(t, m)};
    }
    return m >= 0;
}

static void put_number(TmlBytes *out, uint64_t x)
{
    tml_bytes_put(out, &x, sizeof x);
}

/* size, place in a period of addresses, contents with zeros in the place of pointers, links, bytes of another library */
static void put_block(Take *t, const TmlBlockAt *b, bool portable, TmlBytes *links, TmlBytes *out)
{
    put_number(out, b->size);
    put_number(out, (uintptr_t)b->start % TML_BLOCK_PERIOD);
    const size_t begin = out->n;
    tml_bytes_put(out, b->start, b->size);
    links->n = 0;
    for (size_t at = 0; at + sizeof(uintptr_t) <= b->size && !out->failed;
         at += sizeof(uintptr_t)) {
        Link link;
        memset(&link, 0, sizeof link);
        if (find_link(t, b, at, portable, &link)) {
            memset(out->at + begin + at, 0, sizeof(uintptr_t));
            tml_bytes_put(links, &link, sizeof link);
        }
    }
    put_number(out, links->n / sizeof(Link));
    tml_bytes_put(out, links->at, links->n);
    const TmlBlockKind *kind = tml_block_kind(b->start);
    Link of_kind;
    memset(&of_kind, 0, sizeof of_kind);
    if (kind != NULL) {
        const int m = portable ? find_module(t, (uintptr_t)kind) : -1;
        of_kind = m >= 0
                      ? (Link){1, (uintptr_t)kind - t->module[m].start, TO_MODULE, use_module(t, m)}
                      : (Link){1, (uintptr_t)kind, TO_BLOCK, 0};
    }
    tml_bytes_put(out, &of_kind, sizeof of_kind);
    if (kind != NULL) { // its length comes first
        const size_t place = out->n;
        put_number(out, 0);
        kind->freeze(b->start, out);
        const uint64_t n = out->n - place - sizeof n;
        if (!out->failed) {
            memcpy(out->at + place, &n, sizeof n);
        }
    }
}

/* Modules come last, as they are known then; their place stands in the beginning. */
static void put_modules(const Take *t, TmlBytes *out)
{
    put_number(out, (uint64_t)t->n_used);
    for (int k = 0; k < t->n_used; ++k) {
        const TmlModule *m = &t->module[t->use[k]];
        tml_bytes_put(out, m->name, sizeof m->name);
        put_number(out, tml_module_sum(m));
    }
}

static TmlStatus put_graph(Take *t, int n, const void *const *root, TmlBytes *out, TmlError *err)
{
    const bool portable = t->of->portable;
    TmlBytes links = {0};
    TML_TRY(take_begin(t, err));
    t->n_modules = portable ? tml_modules(t->module) : 0;
    for (int k = 0; k < n; ++k) {
        if (!add_root(t, root[k])) {
            return tml_fail(err, TML_E_INTERNAL, "a root of the graph is no block");
        }
    }
    reach(t);
    const size_t begin = out->n;
    tml_bytes_put(out, magic, sizeof magic);
    const size_t place = out->n;
    put_number(out, 0);
    put_number(out, t->n);
    for (size_t k = 0; k < t->n; ++k) {
        put_block(t, &t->list[t->queue[k]], portable, &links, out);
    }
    const uint64_t behind = out->n - begin;
    put_modules(t, out);
    const bool failed = out->failed || links.failed;
    tml_bytes_free(&links);
    if (failed) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the state of a run");
    }
    memcpy(out->at + place, &behind, sizeof behind);
    return TML_OK;
}

TmlStatus tml_graph_take(int n, const void *const *root, const TmlGraphOf *of, TmlBytes *out,
                         TmlError *err)
{
    Take *t = tml_mem_zalloc(1, sizeof *t);
    if (t == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the state of a run");
    }
    t->of = of;
    const TmlStatus status = put_graph(t, n, root, out, err);
    take_end(t);
    tml_mem_free(t);
    return status;
}

bool tml_graph_can_name(const void *p)
{
    Take *t = tml_mem_zalloc(1, sizeof *t);
    if (t == NULL) {
        return false;
    }
    t->n_modules = tml_modules(t->module);
    const bool can = find_module(t, (uintptr_t)p) >= 0;
    tml_mem_free(t);
    return can;
}

/* --- and back --------------------------------------------------------------------------------- */

typedef struct Make {
    TmlBytes *in;
    uint64_t n, n_modules;
    char **block;  // n; NULL: not there yet
    size_t *size;  // n
    size_t *place; // n: of links and what follows them, in the bytes
    bool *thawed;  // n
    uintptr_t module[TML_MODULES_MAX];
    size_t module_size[TML_MODULES_MAX];
    const void *home;
} Make;

static TmlStatus damaged(TmlError *err)
{
    return tml_fail(err, TML_E_MODEL, "the saved state is damaged");
}

static uint64_t get_number(TmlBytes *in)
{
    uint64_t x = 0;
    tml_bytes_get(in, &x, sizeof x);
    return x;
}

static TmlStatus get_modules(Make *m, TmlError *err)
{
    TmlModule *there = tml_mem_zalloc(TML_MODULES_MAX, sizeof *there);
    const int n = there != NULL ? tml_modules(there) : 0;
    TmlStatus status =
        there != NULL ? TML_OK : tml_fail(err, TML_E_NOMEM, "out of memory for the state of a run");
    m->n_modules = get_number(m->in);
    if (status == TML_OK && m->n_modules > TML_MODULES_MAX) {
        status = damaged(err);
    }
    for (uint64_t k = 0; status == TML_OK && k < m->n_modules; ++k) {
        char name[TML_MODULE_NAME] = "";
        tml_bytes_get(m->in, name, sizeof name);
        const uint64_t sum = get_number(m->in);
        name[sizeof name - 1] = '\0';
        int at = 0;
        while (at < n && strcmp(there[at].name, name) != 0) {
            at++;
        }
        if (m->in->failed) {
            status = damaged(err);
        } else if (at == n || tml_module_sum(&there[at]) != sum) {
            status = tml_fail(err, TML_E_MODEL, "the state was saved by another build of %s%s",
                              name[0] != '\0' ? "the library " : "the program", name);
        } else {
            m->module[k] = there[at].start;
            m->module_size[k] = there[at].end - there[at].start;
        }
    }
    tml_mem_free(there);
    return status;
}

static TmlStatus skip(TmlBytes *in, uint64_t n, TmlError *err)
{
    if (in->failed || n > in->n - in->read) {
        return damaged(err);
    }
    in->read += n;
    return TML_OK;
}

/* Makes block k with its contents; links wait until all blocks are there. */
static TmlStatus get_block(Make *m, uint64_t k, uint64_t group, TmlError *err)
{
    const uint64_t size = get_number(m->in), low = get_number(m->in);
    if (m->in->failed || size == 0 || size > m->in->n - m->in->read || low >= TML_BLOCK_PERIOD ||
        low % 64 != 0) {
        return damaged(err);
    }
    m->block[k] = tml_block_like(size, low);
    if (m->block[k] == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the state of a run");
    }
    tml_block_set_group(m->block[k], group);
    m->size[k] = size;
    tml_bytes_get(m->in, m->block[k], size);
    m->place[k] = m->in->read;
    const uint64_t n_links = get_number(m->in);
    if (n_links > size / sizeof(uintptr_t)) {
        return damaged(err);
    }
    return skip(m->in, n_links * sizeof(Link), err);
}

static bool resolve(const Make *m, const Link *link, uintptr_t *out)
{
    if (link->what == TO_BLOCK && link->index < m->n && link->offset <= m->size[link->index]) {
        const bool moves = link->index == 0 && m->home != NULL;
        *out = (moves ? (uintptr_t)m->home : (uintptr_t)m->block[link->index]) + link->offset;
        return true;
    }
    if (link->what == TO_MODULE && link->index < m->n_modules &&
        link->offset < m->module_size[link->index]) {
        *out = m->module[link->index] + link->offset;
        return true;
    }
    return false;
}

static TmlStatus put_links(const Make *m, uint64_t k, TmlError *err)
{
    const unsigned char *at = m->in->at + m->place[k];
    uint64_t n;
    memcpy(&n, at, sizeof n);
    at += sizeof n;
    for (uint64_t i = 0; i < n; ++i, at += sizeof(Link)) {
        Link link;
        uintptr_t word;
        memcpy(&link, at, sizeof link);
        if (!resolve(m, &link, &word) || link.at > m->size[k] - sizeof word) {
            return damaged(err);
        }
        memcpy(m->block[k] + link.at, &word, sizeof word);
    }
    return TML_OK;
}

/* The kind of a block, whose bytes are read; NULL: it has none. */
static TmlStatus get_kind(Make *m, const TmlBlockKind **out, TmlError *err)
{
    Link link;
    uintptr_t kind = 0;
    *out = NULL;
    if (!tml_bytes_get(m->in, &link, sizeof link)) {
        return damaged(err);
    }
    if (link.at == 0) {
        return TML_OK;
    }
    kind = link.offset; // of a graph that does not leave the process
    if (link.what == TO_MODULE && !resolve(m, &link, &kind)) {
        return damaged(err);
    }
    *out = (const TmlBlockKind *)kind;
    return TML_OK;
}

/* Reads all blocks; what is of another library is passed over, as it needs the pointers. */
static TmlStatus get_blocks(Make *m, uint64_t group, size_t first, TmlError *err)
{
    const TmlBlockKind *kind;
    m->in->read = first;
    for (uint64_t k = 0; k < m->n; ++k) {
        TML_TRY(get_block(m, k, group, err));
        TML_TRY(get_kind(m, &kind, err));
        if (kind != NULL) {
            TML_TRY(skip(m->in, get_number(m->in), err));
        }
    }
    for (uint64_t k = 0; k < m->n; ++k) {
        TML_TRY(put_links(m, k, err));
    }
    return TML_OK;
}

static TmlStatus thaw_blocks(Make *m, TmlError *err)
{
    for (uint64_t k = 0; k < m->n; ++k) {
        const TmlBlockKind *kind;
        m->in->read = m->place[k];
        const uint64_t n = get_number(m->in);
        TML_TRY(skip(m->in, n * sizeof(Link), err));
        TML_TRY(get_kind(m, &kind, err));
        tml_block_set_kind(m->block[k], kind);
        if (kind != NULL) {
            get_number(m->in);
            m->thawed[k] = true;
            if (!kind->thaw(m->block[k], m->in)) {
                return m->in->failed
                           ? damaged(err)
                           : tml_fail(err, TML_E_NOMEM, "out of memory for the factors of a run");
            }
        }
    }
    return TML_OK;
}

static TmlStatus make(Make *m, uint64_t group, TmlError *err)
{
    char head[sizeof magic];
    m->in->read = 0;
    m->in->failed = false;
    if (!tml_bytes_get(m->in, head, sizeof head) || memcmp(head, magic, sizeof head) != 0) {
        return damaged(err);
    }
    const uint64_t behind = get_number(m->in);
    m->n = get_number(m->in);
    const size_t first = m->in->read;
    if (m->in->failed || behind > m->in->n || m->n > m->in->n) {
        m->n = 0;
        return damaged(err);
    }
    m->in->read = behind;
    TML_TRY(get_modules(m, err));
    m->block = tml_mem_zalloc(m->n, sizeof *m->block);
    m->size = tml_mem_zalloc(m->n, sizeof *m->size);
    m->place = tml_mem_zalloc(m->n, sizeof *m->place);
    m->thawed = tml_mem_zalloc(m->n, sizeof *m->thawed);
    if (m->block == NULL || m->size == NULL || m->place == NULL || m->thawed == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the state of a run");
    }
    TML_TRY(get_blocks(m, group, first, err));
    return thaw_blocks(m, err);
}

TmlStatus tml_graph_make(TmlBytes *in, const void *home, uint64_t *group, int n, void **root,
                         TmlError *err)
{
    Make *m = tml_mem_zalloc(1, sizeof *m);
    if (m == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the state of a run");
    }
    *group = tml_blocks_new_group();
    m->in = in;
    m->home = home;
    TmlStatus status = make(m, *group, err);
    if (status == TML_OK && (uint64_t)n > m->n) {
        status = damaged(err);
    }
    for (uint64_t k = 0; status != TML_OK && k < m->n && m->thawed != NULL; ++k) {
        if (m->thawed[k]) {
            tml_block_kind(m->block[k])->drop(m->block[k]);
        }
    }
    for (int k = 0; k < n; ++k) {
        root[k] = status == TML_OK ? m->block[k] : NULL;
    }
    if (status != TML_OK) {
        tml_blocks_free_group(*group);
    }
    tml_mem_free(m->block);
    tml_mem_free(m->size);
    tml_mem_free(m->place);
    tml_mem_free(m->thawed);
    tml_mem_free(m);
    return status;
}
