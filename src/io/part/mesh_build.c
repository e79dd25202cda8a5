/* io/part/mesh_build.c - a mesh as it grows while a file is read. */
#include "io/part/mesh_build.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tml_mesh_build_init(TmlMeshBuild *b, TmlFeMesh *mesh)
{
    *b = (TmlMeshBuild){.mesh = mesh};
}

static void free_sets(TmlSets *sets)
{
    for (int k = 0; k < sets->n; ++k) {
        tml_mem_free(sets->set[k].at);
        tml_mem_free(sets->set[k].span);
    }
    tml_mem_free(sets->set);
    tml_names_free(&sets->names);
}

void tml_mesh_build_free(TmlMeshBuild *b)
{
    tml_mem_free(b->id);
    tml_mem_free(b->x);
    tml_mem_free(b->line);
    tml_mem_free(b->element);
    tml_mem_free(b->node);
    tml_mem_free(b->left);
    free_sets(&b->nodes);
    free_sets(&b->elements);
    *b = (TmlMeshBuild){0};
}

void tml_mesh_add_node(TmlMeshBuild *b, int64_t id, TmlVec3 x, int line)
{
    const int n = b->n_nodes;
    if (!tml_mem_grow((void **)&b->id, &b->cap_nodes, n + 1, sizeof *b->id) ||
        !tml_mem_grow((void **)&b->x, &b->cap_x, n + 1, sizeof *b->x) ||
        !tml_mem_grow((void **)&b->line, &b->cap_lines, n + 1, sizeof *b->line)) {
        b->nomem = true;
        return;
    }
    b->id[n] = id;
    b->x[n] = x;
    b->line[n] = line;
    b->n_nodes++;
}

int tml_mesh_add_element(TmlMeshBuild *b, const TmlFeElementType *type, int64_t id,
                         const int64_t *node, int line)
{
    if (!tml_mem_grow((void **)&b->element, &b->cap_elements, b->n_elements + 1,
                      sizeof *b->element) ||
        !tml_mem_grow((void **)&b->node, &b->cap_places, b->n_places + type->n_nodes,
                      sizeof *b->node)) {
        b->nomem = true;
        return 0;
    }
    b->element[b->n_elements] = (TmlFeElement){
        .id = id, .type = type, .first = b->n_places, .material = -1, .section = -1, .line = line};
    memcpy(b->node + b->n_places, node, (size_t)type->n_nodes * sizeof *node);
    b->n_places += type->n_nodes;
    return b->n_elements++;
}

TmlGrowingSet *tml_mesh_set_keyed(TmlMeshBuild *b, TmlSets *sets, const char *key, const char *name,
                                  int line)
{
    const int known = tml_names_find(&sets->names, key);
    if (known >= 0) {
        return &sets->set[known];
    }
    char *own = tml_arena_strdup(&b->mesh->arena, name);
    char *own_key = tml_arena_strdup(&b->mesh->arena, key);
    if (own == NULL || own_key == NULL ||
        !tml_mem_grow((void **)&sets->set, &sets->cap, sets->n + 1, sizeof *sets->set) ||
        !tml_names_add(&sets->names, own_key, sets->n)) {
        b->nomem = true;
        return NULL;
    }
    sets->set[sets->n] = (TmlGrowingSet){.name = own, .line = line};
    return &sets->set[sets->n++];
}

TmlGrowingSet *tml_mesh_set(TmlMeshBuild *b, TmlSets *sets, const char *name, int line)
{
    return tml_mesh_set_keyed(b, sets, name, name, line);
}

void tml_mesh_set_span(TmlMeshBuild *b, TmlGrowingSet *set, int64_t first, int64_t last,
                       int64_t step)
{
    if (set == NULL ||
        !tml_mem_grow((void **)&set->span, &set->cap_spans, set->n_spans + 1, sizeof *set->span)) {
        b->nomem = true;
        return;
    }
    set->span[set->n_spans][0] = first;
    set->span[set->n_spans][1] = last;
    set->span[set->n_spans++][2] = step;
}

void tml_mesh_leave_out(TmlMeshBuild *b, int64_t id)
{
    if (!tml_mem_grow((void **)&b->left, &b->cap_left, b->n_left + 1, sizeof *b->left)) {
        b->nomem = true;
        return;
    }
    b->left[b->n_left++] = id;
}

void tml_mesh_set_add(TmlMeshBuild *b, TmlGrowingSet *set, int64_t id)
{
    if (set == NULL || !tml_mem_grow((void **)&set->at, &set->cap, set->n + 1, sizeof *set->at)) {
        b->nomem = true;
        return;
    }
    set->at[set->n++] = id;
}

void tml_mesh_note(TmlMeshBuild *b, const char *fmt, ...)
{
    enum { MOST = 100 }; // notes of a file; what is left out beyond them is more of the same
    char text[TML_ERROR_MAX];
    TmlFeMesh *mesh = b->mesh;
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (mesh->note == NULL) {
        mesh->note = tml_arena_alloc(&mesh->arena, MOST, sizeof *mesh->note);
    }
    b->nomem = b->nomem || mesh->note == NULL;
    for (int k = 0; mesh->note != NULL && k < mesh->n_notes; ++k) {
        if (strcmp(mesh->note[k], text) == 0) {
            return;
        }
    }
    if (b->nomem || mesh->n_notes == MOST) {
        return;
    }
    mesh->note[mesh->n_notes] = tml_arena_strdup(&mesh->arena, text);
    b->nomem = mesh->note[mesh->n_notes] == NULL;
    mesh->n_notes += !b->nomem;
}
