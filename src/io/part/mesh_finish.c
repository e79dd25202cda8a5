/* io/part/mesh_finish.c - the numbers of a file become places in arrays, and the mesh is whole. */
#include "io/part/mesh_build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Numbered {
    int64_t id;
    int at;
} Numbered;

/* Ascending by number, then by place. */
static int by_number(const void *a, const void *b)
{
    const Numbered *p = a, *q = b;
    return p->id != q->id ? (p->id > q->id) - (p->id < q->id) : (p->at > q->at) - (p->at < q->at);
}

/* Place in the list of the first number that is not below this. */
static int not_below(const Numbered *list, int n, int64_t id)
{
    int low = 0, high = n;
    while (low < high) {
        const int mid = low + (high - low) / 2;
        if (list[mid].id < id) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

/* Place of a number, or -1. */
static int place_of(const Numbered *list, int n, int64_t id)
{
    const int k = not_below(list, n, id);
    return k < n && list[k].id == id ? list[k].at : -1;
}

/* --- nodes --------------------------------------------------------------------------------- */

static TmlStatus index_nodes(const TmlMeshBuild *b, TmlArena *scratch, Numbered **out,
                             TmlError *err)
{
    TML_NEW(scratch, *out, b->n_nodes);
    for (int k = 0; k < b->n_nodes; ++k) {
        (*out)[k] = (Numbered){b->id[k], k};
    }
    qsort(*out, (size_t)b->n_nodes, sizeof **out, by_number);
    for (int k = 1; k < b->n_nodes; ++k) {
        const Numbered *p = &(*out)[k - 1];
        if (p[0].id == p[1].id) {
            return tml_fail(err, TML_E_MODEL,
                            "%s:%d: node %" PRId64 " is given again: it was in line %d",
                            b->mesh->file, b->line[p[1].at], p[0].id, b->line[p[0].at]);
        }
    }
    return TML_OK;
}

static TmlStatus keep_nodes(const TmlMeshBuild *b, TmlError *err)
{
    TmlFeMesh *mesh = b->mesh;
    mesh->n_nodes = b->n_nodes;
    TML_NEW(&mesh->arena, mesh->id, b->n_nodes);
    TML_NEW(&mesh->arena, mesh->x, b->n_nodes);
    if (b->n_nodes > 0) {
        memcpy(mesh->id, b->id, (size_t)b->n_nodes * sizeof *b->id);
        memcpy(mesh->x, b->x, (size_t)b->n_nodes * sizeof *b->x);
    }
    return TML_OK;
}

/* --- elements ------------------------------------------------------------------------------ */

/* An element by a number that equal lists of nodes share. */
static int64_t hash_nodes(const TmlMeshBuild *b, int k)
{
    const TmlFeElement *e = &b->element[k];
    uint64_t sum = 0;
    for (int i = 0; i < e->type->n_nodes; ++i) { // the order of the nodes does not matter
        uint64_t h = (uint64_t)b->node[e->first + i] * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
        sum += h * 0xbf58476d1ce4e5b9u;
    }
    return (int64_t)(sum >> 1);
}

static bool same_nodes(const TmlMeshBuild *b, int p, int q)
{
    const TmlFeElement *e = &b->element[p], *f = &b->element[q];
    if (e->type->n_nodes != f->type->n_nodes || e->type->n_freedoms != f->type->n_freedoms ||
        e->type->bare != f->type->bare) {
        return false; // a spring beside a bar
    }
    for (int i = 0; i < e->type->n_nodes; ++i) {
        bool found = false;
        for (int j = 0; j < f->type->n_nodes; ++j) {
            found = found || b->node[e->first + i] == b->node[f->first + j];
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

/* instead[k]: the first element with the nodes of k. Two of them would be twice as stiff and heavy:
 * an error, unless the file repeats an element in each group that it belongs to. */
static TmlStatus find_repeated(const TmlMeshBuild *b, TmlArena *scratch, int *instead,
                               TmlError *err)
{
    Numbered *list;
    TML_NEW(scratch, list, b->n_elements);
    for (int k = 0; k < b->n_elements; ++k) {
        list[k] = (Numbered){hash_nodes(b, k), k};
        instead[k] = k;
    }
    qsort(list, (size_t)b->n_elements, sizeof *list, by_number);
    for (int k = 1; k < b->n_elements; ++k) {
        const int p = instead[list[k - 1].at], q = list[k].at;
        if (list[k - 1].id != list[k].id || !same_nodes(b, p, q)) {
            continue;
        }
        instead[q] = p;
        if (!b->same_once) {
            return tml_fail(err, TML_E_MODEL,
                            "%s:%d: element %" PRId64 " has the nodes of element %" PRId64
                            " in line %d: it would be there twice",
                            b->mesh->file, b->element[q].line, b->element[q].id, b->element[p].id,
                            b->element[p].line);
        }
    }
    return TML_OK;
}

static TmlStatus find_nodes(const TmlMeshBuild *b, const Numbered *index, const TmlFeElement *e,
                            int *out, TmlError *err)
{
    for (int i = 0; i < e->type->n_nodes; ++i) {
        const int64_t id = b->node[e->first + i];
        out[i] = place_of(index, b->n_nodes, id);
        if (out[i] < 0) {
            return tml_fail(err, TML_E_MODEL,
                            "%s:%d: element %" PRId64 ": there is no node %" PRId64, b->mesh->file,
                            e->line, e->id, id);
        }
    }
    return TML_OK;
}

/* Keeps each element once; instead[k] becomes its place in the mesh. */
static TmlStatus keep_elements(const TmlMeshBuild *b, const Numbered *index, int *instead,
                               TmlError *err)
{
    TmlFeMesh *mesh = b->mesh;
    int places = 0;
    TML_NEW(&mesh->arena, mesh->element, b->n_elements);
    TML_NEW(&mesh->arena, mesh->node, b->n_places);
    for (int k = 0; k < b->n_elements; ++k) {
        if (instead[k] != k) {
            instead[k] = instead[instead[k]]; // one before it, whose place is known
            continue;
        }
        TmlFeElement *e = &mesh->element[mesh->n_elements];
        TML_TRY(find_nodes(b, index, &b->element[k], mesh->node + places, err));
        *e = b->element[k];
        e->first = places;
        places += e->type->n_nodes;
        instead[k] = mesh->n_elements++;
    }
    return TML_OK;
}

static TmlStatus index_elements(const TmlMeshBuild *b, const int *instead, TmlArena *scratch,
                                Numbered **out, TmlError *err)
{
    TML_NEW(scratch, *out, b->n_elements);
    for (int k = 0; k < b->n_elements; ++k) {
        (*out)[k] = (Numbered){b->element[k].id, k};
    }
    qsort(*out, (size_t)b->n_elements, sizeof **out, by_number);
    for (int k = 1; k < b->n_elements; ++k) {
        const Numbered *p = &(*out)[k - 1];
        if (p[0].id == p[1].id && instead[p[0].at] != instead[p[1].at]) {
            return tml_fail(
                err, TML_E_MODEL, "%s:%d: element %" PRId64 " is given again: it was in line %d",
                b->mesh->file, b->element[p[1].at].line, p[0].id, b->element[p[0].at].line);
        }
    }
    return TML_OK;
}

/* --- sets ---------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

/* Where the members of a set are looked for. */
typedef struct Among {
    const char *what;
    const Numbered *index;
    int n;
    const int *instead; /* NULL: places stay */
} Among;

static int by_size(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

/* Members of a span that are there; at NULL: their number alone. */
static int span_members(const Among *among, const int64_t span[3], int *at)
{
    int n = 0;
    for (int k = not_below(among->index, among->n, span[0]);
         k < among->n && among->index[k].id <= span[1]; ++k) {
        if ((among->index[k].id - span[0]) % span[2] == 0) {
            if (at != NULL) {
                at[n] = among->index[k].at;
            }
            ++n;
        }
    }
    return n;
}

/* Members one by one; *n: their number. */
static TmlStatus listed_members(const TmlMeshBuild *b, const TmlGrowingSet *from,
                                const Among *among, int *at, int *n, TmlError *err)
{
    for (int k = 0; k < from->n; ++k) {
        const int place =
            from->by_place ? (int)from->at[k] : place_of(among->index, among->n, from->at[k]);
        if (place >= 0) {
            at[(*n)++] = place;
        } else if (among->instead == NULL || b->n_left == 0 ||
                   bsearch(&from->at[k], b->left, (size_t)b->n_left, sizeof *b->left, by_size) ==
                       NULL) {
            return tml_fail(err, TML_E_MODEL, "%s:%d: set '%s': there is no %s %" PRId64,
                            b->mesh->file, from->line, from->name, among->what, from->at[k]);
        }
    }
    return TML_OK;
}

static TmlStatus keep_set(const TmlMeshBuild *b, const TmlGrowingSet *from, const Among *among,
                          TmlFeSet *to, TmlError *err)
{
    int *at, n = 0, kept = 0;
    int64_t most = from->n;
    for (int k = 0; k < from->n_spans; ++k) {
        most += span_members(among, from->span[k], NULL);
    }
    TML_NEW(&b->mesh->arena, at, most);
    TML_TRY(listed_members(b, from, among, at, &n, err));
    for (int k = 0; k < from->n_spans; ++k) {
        n += span_members(among, from->span[k], at + n);
    }
    for (int k = 0; k < n && among->instead != NULL; ++k) {
        at[k] = among->instead[at[k]];
    }
    qsort(at, (size_t)n, sizeof *at, by_place);
    for (int k = 0; k < n; ++k) {
        if (kept == 0 || at[kept - 1] != at[k]) {
            at[kept++] = at[k];
        }
    }
    *to = (TmlFeSet){.name = from->name, .n = kept, .at = at};
    return TML_OK;
}

static TmlStatus keep_sets(const TmlMeshBuild *b, const TmlSets *sets, const Among *among,
                           int *count, TmlFeSet **out, TmlError *err)
{
    TML_NEW(&b->mesh->arena, *out, sets->n);
    for (int k = 0; k < sets->n; ++k) {
        TML_TRY(keep_set(b, &sets->set[k], among, &(*out)[k], err));
        *count = k + 1;
    }
    return TML_OK;
}

static TmlStatus finish(TmlMeshBuild *b, TmlArena *scratch, TmlError *err)
{
    TmlFeMesh *mesh = b->mesh;
    Numbered *nodes, *elements;
    int *instead;
    TML_NEW(scratch, instead, b->n_elements);
    TML_TRY(index_nodes(b, scratch, &nodes, err));
    TML_TRY(keep_nodes(b, err));
    TML_TRY(find_repeated(b, scratch, instead, err));
    TML_TRY(keep_elements(b, nodes, instead, err));
    TML_TRY(index_elements(b, instead, scratch, &elements, err));
    const Among of_nodes = {.what = "node", .index = nodes, .n = b->n_nodes};
    const Among of_elements = {
        .what = "element", .index = elements, .n = b->n_elements, .instead = instead};
    TML_TRY(keep_sets(b, &b->nodes, &of_nodes, &mesh->n_node_sets, &mesh->node_set, err));
    return keep_sets(b, &b->elements, &of_elements, &mesh->n_element_sets, &mesh->element_set, err);
}

TmlStatus tml_mesh_memory(const TmlMeshBuild *b, TmlError *err)
{
    return b->nomem
               ? tml_fail(err, TML_E_NOMEM, "out of memory for the mesh of '%s'", b->mesh->file)
               : TML_OK;
}

TmlStatus tml_mesh_finish(TmlMeshBuild *b, TmlError *err)
{
    TmlArena scratch = {0};
    TML_TRY(tml_mesh_memory(b, err));
    if (b->n_left > 0) {
        qsort(b->left, (size_t)b->n_left, sizeof *b->left, by_size);
    }
    const TmlStatus status = finish(b, &scratch, err);
    tml_arena_free(&scratch);
    return status;
}
