/* reduce/mesh/assemble.c - stiffness and mass of a mesh as sparse matrices, lower triangles. */
#include "reduce/mesh/assemble.h"

#include "reduce/mesh/node_graph.h"

#include <string.h>

static void gather(const TmlFeMatrices *a, const TmlFeElement *e, const double *u, double *out)
{
    const int m = e->type->n_freedoms;
    for (int i = 0; i < e->type->n_nodes; ++i) {
        const double *from = u + a->first[a->mesh->node[e->first + i]];
        memcpy(out + i * m, from, (size_t)m * sizeof *out);
    }
}

/* Freedoms of each node: the most that one of its elements has, or that a relation names. */
static TmlStatus number_freedoms(const TmlFeMesh *mesh, TmlFeMatrices *out, TmlError *err)
{
    int64_t total = 0;
    TML_NEW(&out->arena, out->first, mesh->n_nodes + 1);
    int *count = out->first + 1;
    for (int k = 0; k < mesh->n_elements; ++k) {
        const TmlFeElement *e = &mesh->element[k];
        for (int i = 0; i < e->type->n_nodes; ++i) {
            int *c = &count[mesh->node[e->first + i]];
            *c = *c > e->type->n_freedoms ? *c : e->type->n_freedoms;
        }
    }
    for (int k = 0; k < mesh->n_terms; ++k) {
        int *c = &count[mesh->term[k].node];
        const int wanted = mesh->term[k].freedom < 3 ? 3 : 6;
        *c = *c > wanted ? *c : wanted;
    }
    for (int k = 0; k < mesh->n_nodes; ++k) {
        total += count[k];
        count[k] = (int)total;
    }
    out->n = (int)total; // at most six for each of the nodes, whose number a reader bounds
    return TML_OK;
}

/* A mass of displacements alone is the same along x, y and z. */
static TmlBlockKind mass_kind(const TmlFeMesh *mesh)
{
    for (int k = 0; k < mesh->n_elements; ++k) {
        if (mesh->element[k].type->n_freedoms != 3) {
            return TML_BLOCK_FULL;
        }
    }
    return TML_BLOCK_DIAGONAL;
}

static TmlStatus add_elements(const TmlFeMesh *mesh, TmlFeMassRule rule, const TmlNodeGraph *graph,
                              TmlFeMatrices *out, TmlError *err)
{
    const TmlBlockKind kind = mass_kind(mesh);
    double block[TML_FE_FREEDOMS * TML_FE_FREEDOMS];
    TML_TRY(tml_node_graph_matrix(graph, out->first, TML_BLOCK_FULL, &out->arena, &out->K, err));
    TML_TRY(tml_node_graph_matrix(graph, out->first, kind, &out->arena, &out->M, err));
    for (int k = 0; k < mesh->n_elements; ++k) {
        TmlFeOne one;
        tml_fe_one(mesh, k, rule, &one);
        one.type->stiffness(&one, block);
        tml_node_graph_add(graph, mesh, out->first, k, TML_BLOCK_FULL, block, &out->K);
        one.type->mass(&one, block);
        tml_node_graph_add(graph, mesh, out->first, k, kind, block, &out->M);
    }
    return TML_OK;
}

TmlStatus tml_fe_assemble(const TmlFeMesh *mesh, TmlFeMassRule rule, TmlFeMatrices *out,
                          TmlError *err)
{
    TmlArena scratch = {0};
    TmlNodeGraph graph;
    *out = (TmlFeMatrices){.n_nodes = mesh->n_nodes, .id = mesh->id, .x = mesh->x, .mesh = mesh};
    TML_TRY(tml_fe_check(mesh, err));
    TML_TRY(number_freedoms(mesh, out, err));
    TmlStatus status = tml_node_graph(mesh, out->first, &scratch, &graph, err);
    if (status == TML_OK) {
        status = add_elements(mesh, rule, &graph, out, err);
    }
    tml_arena_free(&scratch);
    return status;
}

void tml_fe_matrices_free(TmlFeMatrices *a)
{
    tml_arena_free(&a->arena);
    *a = (TmlFeMatrices){0};
}

void tml_fe_mesh_free(TmlFeMesh *mesh)
{
    tml_arena_free(&mesh->arena);
    *mesh = (TmlFeMesh){0};
}

static TmlStatus add_geometric(const TmlFeMatrices *a, const TmlNodeGraph *graph, const double *u,
                               TmlArena *arena, TmlCsc *out, TmlError *err)
{
    const TmlFeMesh *mesh = a->mesh;
    const TmlBlockKind kind = mass_kind(mesh);
    double block[TML_FE_FREEDOMS * TML_FE_FREEDOMS], stress[6 * TML_FE_POINTS];
    double own[TML_FE_FREEDOMS];
    TML_TRY(tml_node_graph_matrix(graph, a->first, kind, arena, out, err));
    for (int k = 0; k < mesh->n_elements; ++k) {
        TmlFeOne one;
        tml_fe_one(mesh, k, TML_FE_MASS_EXACT, &one);
        gather(a, one.element, u, own);
        one.type->stress(&one, own, stress);
        one.type->geometric(&one, stress, block);
        tml_node_graph_add(graph, mesh, a->first, k, kind, block, out);
    }
    return TML_OK;
}

TmlStatus tml_fe_geometric(const TmlFeMatrices *a, const double *u, TmlArena *arena, TmlCsc *out,
                           TmlError *err)
{
    TmlArena scratch = {0};
    TmlNodeGraph graph;
    TmlStatus status = tml_node_graph(a->mesh, a->first, &scratch, &graph, err);
    if (status == TML_OK) {
        status = add_geometric(a, &graph, u, arena, out, err);
    }
    tml_arena_free(&scratch);
    return status;
}
