/* io/part/gmsh4.c - sections of Gmsh's text files of version 4.1.
 *
 * Nodes and elements stand in blocks of an entity of the geometry; $Entities tells the groups of
 * each entity.
 */
#include "io/part/gmsh.h"

#include <stdlib.h>

enum { MOST = 200 * 1000 * 1000 };

typedef struct Entity {
    int64_t tag;
    int n_groups;
    int64_t *group;
} Entity;

struct TmlMshEntities {
    int n[4];
    Entity *entity[4]; /* by dimension, ascending by tag */
};

static int by_tag(const void *a, const void *b)
{
    const Entity *p = a, *q = b;
    return (p->tag > q->tag) - (p->tag < q->tag);
}

static TmlStatus read_tags(TmlMshReader *r, TmlArena *arena, int *count, int64_t **out,
                           TmlError *err)
{
    int64_t n = 0;
    int cap = 0;
    void *list = NULL; // grows as it is read: a number that lies would take all memory
    TmlStatus status = tml_scan_int(&r->scan, 0, MOST, "the number of tags", &n, err);
    for (int64_t k = 0; status == TML_OK && k < n; ++k) {
        if (!tml_mem_grow(&list, &cap, (int)k + 1, sizeof **out)) {
            status = tml_fail(err, TML_E_NOMEM, "out of memory for tags");
            break;
        }
        status = tml_scan_int(&r->scan, -INT32_MAX, INT32_MAX, "a tag", (int64_t *)list + k, err);
    }
    int64_t *own = status == TML_OK ? tml_arena_alloc(arena, (size_t)n, sizeof **out) : NULL;
    for (int64_t k = 0; own != NULL && k < n; ++k) {
        const int64_t tag = ((int64_t *)list)[k];
        own[k] = tag < 0 ? -tag : tag; // negative: turned round
    }
    tml_mem_free(list);
    *count = (int)n;
    *out = own;
    return status == TML_OK && own == NULL ? tml_fail(err, TML_E_NOMEM, "out of memory for tags")
                                           : status;
}

/* A point has three coordinates, other entities a box and the entities around them. */
static TmlStatus read_entity(TmlMshReader *r, int dimension, TmlArena *arena, Entity *out,
                             TmlError *err)
{
    double skipped;
    int around;
    int64_t *tags;
    TML_TRY(tml_scan_int(&r->scan, -INT32_MAX, INT32_MAX, "the tag of an entity", &out->tag, err));
    for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) {
        TML_TRY(tml_scan_real(&r->scan, "a coordinate", &skipped, err));
    }
    TML_TRY(read_tags(r, arena, &out->n_groups, &out->group, err));
    return dimension > 0 ? read_tags(r, arena, &around, &tags, err) : TML_OK;
}

TmlStatus tml_msh4_entities(TmlMshReader *r, TmlArena *arena, TmlMshEntities **out, TmlError *err)
{
    int64_t n[4];
    TML_NEW(arena, *out, 1);
    for (int d = 0; d < 4; ++d) {
        TML_TRY(tml_scan_int(&r->scan, 0, MOST, "the number of entities", &n[d], err));
    }
    for (int d = 0; d < 4; ++d) {
        int cap = 0;
        void *list = NULL;
        TmlStatus status = TML_OK;
        for (int64_t k = 0; status == TML_OK && k < n[d]; ++k) {
            status = tml_mem_grow(&list, &cap, (int)k + 1, sizeof(Entity))
                         ? read_entity(r, d, arena, (Entity *)list + k, err)
                         : tml_fail(err, TML_E_NOMEM, "out of memory for entities");
        }
        Entity *own = status == TML_OK ? tml_arena_alloc(arena, (size_t)n[d], sizeof *own) : NULL;
        for (int64_t k = 0; own != NULL && k < n[d]; ++k) {
            own[k] = ((Entity *)list)[k];
        }
        tml_mem_free(list);
        TML_TRY(status);
        if (own == NULL) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for entities");
        }
        qsort(own, (size_t)n[d], sizeof *own, by_tag);
        (*out)->n[d] = (int)n[d];
        (*out)->entity[d] = own;
    }
    return TML_OK;
}

static const Entity *find_entity(const TmlMshEntities *all, int64_t dimension, int64_t tag)
{
    const Entity wanted = {.tag = tag};
    return all != NULL && all->n[dimension] > 0
               ? bsearch(&wanted, all->entity[dimension], (size_t)all->n[dimension], sizeof wanted,
                         by_tag)
               : NULL;
}

/* Blocks, entries in all, smallest and largest number. */
static TmlStatus read_head(TmlMshReader *r, int64_t *blocks, int64_t *total, TmlError *err)
{
    int64_t skipped;
    TML_TRY(tml_scan_int(&r->scan, 0, MOST, "the number of blocks", blocks, err));
    TML_TRY(tml_scan_int(&r->scan, 0, MOST, "the number of entries", total, err));
    TML_TRY(tml_scan_int(&r->scan, 0, INT64_MAX, "the smallest number", &skipped, err));
    return tml_scan_int(&r->scan, 0, INT64_MAX, "the largest number", &skipped, err);
}

static TmlStatus read_block_nodes(TmlMshReader *r, int64_t n, int64_t extra, TmlError *err)
{
    TmlMeshBuild *b = &r->build;
    const int begin = b->n_nodes;
    for (int64_t k = 0; k < n && !b->nomem; ++k) {
        int64_t id = 0;
        TML_TRY(tml_scan_int(&r->scan, 1, INT64_MAX, "the number of a node", &id, err));
        tml_mesh_add_node(b, id, (TmlVec3){0, 0, 0}, r->scan.line);
    }
    for (int k = begin; k < b->n_nodes; ++k) {
        double skipped;
        TML_TRY(tml_scan_real(&r->scan, "a coordinate", &b->x[k].x, err));
        TML_TRY(tml_scan_real(&r->scan, "a coordinate", &b->x[k].y, err));
        TML_TRY(tml_scan_real(&r->scan, "a coordinate", &b->x[k].z, err));
        for (int64_t i = 0; i < extra; ++i) {
            TML_TRY(tml_scan_real(&r->scan, "a parameter of a node", &skipped, err));
        }
    }
    return TML_OK;
}

TmlStatus tml_msh4_nodes(TmlMshReader *r, TmlError *err)
{
    int64_t blocks = 0, total = 0, dimension, tag, parametric, n, seen = 0;
    TML_TRY(read_head(r, &blocks, &total, err));
    for (int64_t k = 0; k < blocks && !r->build.nomem; ++k) {
        TML_TRY(tml_scan_int(&r->scan, 0, 3, "the dimension of a block", &dimension, err));
        TML_TRY(tml_scan_int(&r->scan, -INT32_MAX, INT32_MAX, "the tag of a block", &tag, err));
        TML_TRY(tml_scan_int(&r->scan, 0, 1, "0 or 1 (parameters of nodes)", &parametric, err));
        TML_TRY(tml_scan_int(&r->scan, 0, total - seen, "the number of nodes", &n, err));
        TML_TRY(read_block_nodes(r, n, parametric * dimension, err));
        seen += n;
    }
    return seen == total || r->build.nomem
               ? TML_OK
               : tml_scan_fail(&r->scan, err, "$Nodes has %lld of %lld nodes", (long long)seen,
                               (long long)total);
}

TmlStatus tml_msh4_elements(TmlMshReader *r, const TmlMshEntities *entities, TmlError *err)
{
    int64_t blocks = 0, total = 0, dimension, tag, type, n, id, seen = 0;
    TML_TRY(read_head(r, &blocks, &total, err));
    for (int64_t k = 0; k < blocks; ++k) {
        TML_TRY(tml_scan_int(&r->scan, 0, 3, "the dimension of a block", &dimension, err));
        TML_TRY(tml_scan_int(&r->scan, -INT32_MAX, INT32_MAX, "the tag of a block", &tag, err));
        TML_TRY(tml_scan_int(&r->scan, 1, 1000, "the type of elements", &type, err));
        TML_TRY(tml_scan_int(&r->scan, 0, total - seen, "the number of elements", &n, err));
        const Entity *entity = find_entity(entities, dimension, tag);
        for (int64_t i = 0; i < n && !r->build.nomem; ++i) {
            TML_TRY(tml_scan_int(&r->scan, 1, INT64_MAX, "the number of an element", &id, err));
            TML_TRY(tml_msh_element(r, type, id, entity != NULL ? entity->n_groups : 0,
                                    entity != NULL ? entity->group : NULL, err));
        }
        seen += n;
    }
    return seen == total || r->build.nomem
               ? TML_OK
               : tml_scan_fail(&r->scan, err, "$Elements has %lld of %lld elements",
                               (long long)seen, (long long)total);
}
