/* io/part/inp/inp_left.c - elements of Abaqus and CalculiX files that are left out or taken in two, and sets of their nodes.
 *
 * Programs write plane elements on the faces of solids, and trusses along their edges. Trusses with a section are elements of the
 * part: which ones is known when all of the file is read.
 */
#include "io/part/inp/inp.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void tml_inp_leave_out(TmlInpReader *r, int64_t id, const int64_t *node, int line)
{
    TmlMeshBuild *b = &r->build;
    const int n = r->n_wanted;
    if (line == 0) {
        tml_mesh_leave_out(b, id);
    }
    b->nomem |= !tml_mem_grow((void **)&r->left, &r->cap_left, r->n_left + 1, sizeof *r->left) ||
                !tml_mem_grow((void **)&r->left_node, &r->cap_left_nodes, r->n_left_nodes + n,
                              sizeof *r->left_node);
    if (!b->nomem) {
        r->left[r->n_left++] =
            (TmlInpLeft){.id = id, .first = r->n_left_nodes, .n = n, .line = line};
        memcpy(r->left_node + r->n_left_nodes, node, (size_t)n * sizeof *node);
        r->n_left_nodes += n;
    }
}

static int by_id(const void *a, const void *b)
{
    const TmlInpLeft *p = a, *q = b;
    return (p->id > q->id) - (p->id < q->id);
}

static bool member_of_spans(const TmlGrowingSet *set, int64_t id)
{
    for (int k = 0; k < set->n_spans; ++k) {
        const int64_t *span = set->span[k];
        if (id >= span[0] && id <= span[1] && (id - span[0]) % span[2] == 0) {
            return true;
        }
    }
    return false;
}

static TmlInpLeft *find_left(TmlInpReader *r, int64_t id)
{
    const TmlInpLeft wanted = {.id = id};
    return bsearch(&wanted, r->left, (size_t)r->n_left, sizeof wanted, by_id);
}

/* Which trusses a section names. */
static void mark_sections(TmlInpReader *r)
{
    const TmlSets *sets = &r->build.elements;
    for (int k = 0; k < r->n_sections; ++k) {
        char key[TML_INP_WORD];
        tml_inp_upper(r->section[k].elset, key);
        const int place = tml_names_find(&sets->names, key);
        const TmlGrowingSet *set = place >= 0 ? &sets->set[place] : NULL;
        for (int i = 0; set != NULL && i < set->n; ++i) {
            TmlInpLeft *left = find_left(r, set->at[i]);
            if (left != NULL) {
                left->section = true;
            }
        }
        for (int i = 0; set != NULL && set->n_spans > 0 && i < r->n_left; ++i) {
            r->left[i].section = r->left[i].section || member_of_spans(set, r->left[i].id);
        }
    }
}

/* Programs write lines of a mesh as trusses, too: those without a section are none. */
static void take_trusses(TmlInpReader *r)
{
    TmlMeshBuild *b = &r->build;
    mark_sections(r);
    for (int k = 0; k < r->n_left && !b->nomem; ++k) {
        TmlInpLeft *left = &r->left[k];
        if (left->line != 0 && left->section) {
            (void)tml_mesh_add_element(b, tml_fe_type_named("truss2"), left->id,
                                       r->left_node + left->first, left->line > 0 ? left->line : 0);
            left->n = 0;
        } else if (left->line != 0) {
            tml_mesh_leave_out(b, left->id);
            tml_mesh_note(b, "elements of type T3D2 without a section are left out; their sets are "
                             "sets of their nodes");
        }
    }
}

/* A set of solids and of their faces is none of nodes. */
static bool all_left_out(TmlInpReader *r, const TmlGrowingSet *set)
{
    bool all = set->n > 0 && set->n_spans == 0;
    for (int k = 0; k < set->n && all; ++k) {
        const TmlInpLeft *left = find_left(r, set->at[k]);
        all = left != NULL && left->n > 0;
    }
    return all;
}

static void add_nodes(TmlInpReader *r, const char *key, const TmlGrowingSet *from)
{
    TmlMeshBuild *b = &r->build;
    TmlGrowingSet *to = tml_mesh_set_keyed(b, &b->nodes, key, from->name, from->line);
    for (int k = 0; k < from->n && to != NULL; ++k) {
        const TmlInpLeft *left = find_left(r, from->at[k]);
        for (int i = 0; i < left->n && !b->nomem; ++i) {
            tml_mesh_set_add(b, to, r->left_node[left->first + i]);
        }
    }
}

void tml_inp_left_sets(TmlInpReader *r)
{
    TmlMeshBuild *b = &r->build;
    if (r->n_left == 0 || b->nomem) {
        return;
    }
    qsort(r->left, (size_t)r->n_left, sizeof *r->left, by_id);
    take_trusses(r);
    for (int s = 0; s < b->elements.n && !b->nomem; ++s) {
        const TmlGrowingSet from = b->elements.set[s];
        char key[TML_INP_WORD];
        tml_inp_upper(from.name, key);
        if (all_left_out(r, &from) && tml_names_find(&b->nodes.names, key) < 0) {
            add_nodes(r, key, &from);
        }
    }
}

/* --- nodes of elements --------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

static bool is_member(const TmlGrowingSet *set, const int64_t *sorted, int64_t id)
{
    return (set->n > 0 && bsearch(&id, sorted, (size_t)set->n, sizeof *sorted, by_size) != NULL) ||
           member_of_spans(set, id);
}

static TmlStatus nodes_of_set(TmlInpReader *r, const TmlInpNodesOf *w, TmlError *err)
{
    TmlMeshBuild *b = &r->build;
    char key[TML_INP_WORD];
    tml_inp_upper(w->of.text, key);
    const int place = tml_names_find(&b->elements.names, key);
    if (place < 0) {
        const TmlInpWho who = {.keyword = "NSET", .line = w->line};
        return tml_inp_who_fail(r, who, err, "there is no set of elements", w->of.text);
    }
    const TmlGrowingSet from = b->elements.set[place];
    int64_t *sorted;
    TML_NEW(&r->scratch, sorted, from.n + 1);
    if (from.n > 0) {
        memcpy(sorted, from.at, (size_t)from.n * sizeof *sorted);
        qsort(sorted, (size_t)from.n, sizeof *sorted, by_size);
    }
    TmlGrowingSet *to = &b->nodes.set[w->set];
    for (int k = 0; k < b->n_elements && !b->nomem; ++k) {
        const TmlFeElement *e = &b->element[k];
        for (int i = 0; i < e->type->n_nodes && is_member(&from, sorted, e->id); ++i) {
            tml_mesh_set_add(b, to, b->node[e->first + i]);
        }
    }
    for (int k = 0; k < r->n_left && !b->nomem; ++k) {
        for (int i = 0; i < r->left[k].n && is_member(&from, sorted, r->left[k].id); ++i) {
            tml_mesh_set_add(b, to, r->left_node[r->left[k].first + i]);
        }
    }
    return tml_mesh_memory(b, err);
}

TmlStatus tml_inp_nodes_of_elements(TmlInpReader *r, TmlError *err)
{
    for (int k = 0; k < r->n_wanted_sets; ++k) {
        TML_TRY(nodes_of_set(r, &r->wanted[k], err));
    }
    return TML_OK;
}

/* --- beams of three nodes ------------------------------------------------------------------------ */

static int by_half(const void *a, const void *b)
{
    const TmlInpHalf *p = a, *q = b;
    return (p->id > q->id) - (p->id < q->id);
}

TmlStatus tml_inp_take_halves(TmlInpReader *r, TmlError *err)
{
    TmlMeshBuild *b = &r->build;
    const int64_t offset = tml_inp_next_offset(r);
    if (r->n_halves == 0) {
        return TML_OK;
    }
    qsort(r->half, (size_t)r->n_halves, sizeof *r->half, by_half);
    for (int k = 0; k < r->n_halves; ++k) {
        const TmlInpHalf *h = &r->half[k];
        (void)tml_mesh_add_element(b, tml_fe_type_named("beam31"), h->id + offset, h->node,
                                   h->line);
    }
    for (int s = 0; s < b->elements.n && !b->nomem; ++s) {
        TmlGrowingSet *set = &b->elements.set[s];
        for (int i = 0, n = set->n; i < n && !b->nomem; ++i) {
            const TmlInpHalf wanted = {.id = set->at[i]};
            if (bsearch(&wanted, r->half, (size_t)r->n_halves, sizeof wanted, by_half) != NULL) {
                tml_mesh_set_add(b, set, wanted.id + offset);
            }
        }
        for (int i = 0; i < r->n_halves && set->n_spans > 0 && !b->nomem; ++i) {
            if (member_of_spans(set, r->half[i].id)) {
                tml_mesh_set_add(b, set, r->half[i].id + offset);
            }
        }
    }
    tml_inp_count(r, r->half[r->n_halves - 1].id + offset);
    tml_mesh_note(
        b,
        "B32 are taken as two straight beams each, which are exact for loads at nodes; %" PRId64
        " is added to the number of the second half",
        offset);
    return tml_mesh_memory(b, err);
}
