/* reduce/mesh/node_graph.c - which nodes of a mesh share an element, and where their blocks are in a matrix.
 *
 * The pattern of a matrix is found once by nodes, not by entries: a tenth of the work.
 */
#include "reduce/mesh/node_graph.h"

#include "reduce/element/element.h"

#include <limits.h>
#include <string.h>

/* Elements of each node: at[start[k]] to at[start[k + 1] - 1]. */
typedef struct Around {
    int *start, *at;
} Around;

static TmlStatus elements_around(const TmlFeMesh *mesh, TmlArena *arena, Around *out, TmlError *err)
{
    int64_t total = 0;
    TML_NEW(arena, out->start, mesh->n_nodes + 2);
    int *next = out->start + 1; // while filling: the next free place of a node
    for (int k = 0; k < mesh->n_elements; ++k) {
        const TmlFeElement *e = &mesh->element[k];
        total += e->type->n_nodes;
        for (int i = 0; i < e->type->n_nodes; ++i) {
            next[mesh->node[e->first + i] + 1]++;
        }
    }
    for (int k = 0; k < mesh->n_nodes; ++k) {
        next[k + 1] += next[k];
    }
    TML_NEW(arena, out->at, total);
    for (int k = 0; k < mesh->n_elements; ++k) {
        const TmlFeElement *e = &mesh->element[k];
        for (int i = 0; i < e->type->n_nodes; ++i) {
            out->at[next[mesh->node[e->first + i]]++] = k;
        }
    }
    return TML_OK;
}

static void sort_ascending(int n, int *x)
{
    for (int i = 1; i < n; ++i) { // lists of some dozen numbers
        const int value = x[i];
        int k = i;
        for (; k > 0 && x[k - 1] > value; --k) {
            x[k] = x[k - 1];
        }
        x[k] = value;
    }
}

typedef struct Growing {
    int *x, n, cap;
} Growing;

/* Appends column j: the nodes from j on that share an element with it. */
static bool add_column(const TmlFeMesh *mesh, const Around *around, int j, int *seen, Growing *rows)
{
    const int begin = rows->n;
    for (int p = around->start[j]; p < around->start[j + 1]; ++p) {
        const TmlFeElement *e = &mesh->element[around->at[p]];
        if (!tml_mem_grow((void **)&rows->x, &rows->cap, rows->n + TML_FE_NODES, sizeof *rows->x)) {
            return false;
        }
        for (int i = 0; i < e->type->n_nodes; ++i) {
            const int node = mesh->node[e->first + i];
            if (node >= j && seen[node] != j + 1) {
                seen[node] = j + 1;
                rows->x[rows->n++] = node;
            }
        }
    }
    if (rows->n > begin) {
        sort_ascending(rows->n - begin, rows->x + begin);
    }
    return true;
}

static TmlStatus fill_graph(const TmlFeMesh *mesh, const Around *around, TmlArena *arena,
                            Growing *rows, TmlNodeGraph *out, TmlError *err)
{
    int *seen;
    TML_NEW(arena, seen, mesh->n_nodes);
    for (int j = 0; j < mesh->n_nodes; ++j) {
        if (rows->n > INT_MAX / 2) {
            return tml_fail(err, TML_E_MODEL, "the mesh is too large: more than %d pairs of nodes",
                            INT_MAX / 2);
        }
        if (!add_column(mesh, around, j, seen, rows)) {
            return tml_fail(err, TML_E_NOMEM, "out of memory for the pattern of a matrix");
        }
        out->start[j + 1] = rows->n;
    }
    return TML_OK;
}

TmlStatus tml_node_graph(const TmlFeMesh *mesh, const int *first, TmlArena *arena,
                         TmlNodeGraph *out, TmlError *err)
{
    TmlArena scratch = {0};
    Around around;
    Growing rows = {0};
    *out = (TmlNodeGraph){.n = mesh->n_nodes};
    TML_NEW(arena, out->start, mesh->n_nodes + 1);
    TmlStatus status = elements_around(mesh, &scratch, &around, err);
    status = status == TML_OK ? fill_graph(mesh, &around, &scratch, &rows, out, err) : status;
    tml_arena_free(&scratch);
    out->row = status == TML_OK ? tml_arena_alloc(arena, (size_t)rows.n, sizeof(int)) : NULL;
    out->before = status == TML_OK ? tml_arena_alloc(arena, (size_t)rows.n, sizeof(int)) : NULL;
    if (status == TML_OK && (out->row == NULL || out->before == NULL)) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory (%d pairs of nodes)", rows.n);
    }
    if (status == TML_OK && rows.n > 0) {
        memcpy(out->row, rows.x, (size_t)rows.n * sizeof *rows.x);
    }
    tml_mem_free(rows.x);
    for (int j = 0; status == TML_OK && j < out->n; ++j) {
        int sum = 0;
        for (int p = out->start[j]; p < out->start[j + 1]; ++p) {
            out->before[p] = sum;
            sum += first[out->row[p] + 1] - first[out->row[p]];
        }
    }
    return status;
}

int tml_node_graph_find(const TmlNodeGraph *g, int i, int j)
{
    int low = g->start[j], high = g->start[j + 1] - 1;
    while (low < high) {
        const int mid = low + (high - low) / 2;
        if (g->row[mid] < i) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

/* --- matrices ------------------------------------------------------------------------------ */

/* Rows of column b of node j, or their number when out is NULL. */
static int column_rows(const TmlNodeGraph *g, const int *first, TmlBlockKind kind, int j, int b,
                       int *out)
{
    int n = 0;
    for (int p = g->start[j]; p < g->start[j + 1]; ++p) {
        const int i = g->row[p], count = first[i + 1] - first[i];
        const int from = kind == TML_BLOCK_DIAGONAL || i == j ? b : 0;
        const int to = kind == TML_BLOCK_DIAGONAL && b < count
                           ? b + 1
                           : count; // rotations may be on one side only
        for (int a = from; a < to; ++a, ++n) {
            if (out != NULL) {
                out[n] = first[i] + a;
            }
        }
    }
    return n;
}

static TmlStatus scalar_matrix(const TmlNodeGraph *g, TmlArena *arena, TmlCsc *out, TmlError *err)
{
    *out = (TmlCsc){.rows = g->n, .cols = g->n, .start = g->start, .row = g->row};
    TML_NEW(arena, out->x, g->start[g->n]);
    return TML_OK;
}

TmlStatus tml_node_graph_matrix(const TmlNodeGraph *g, const int *first, TmlBlockKind kind,
                                TmlArena *arena, TmlCsc *out, TmlError *err)
{
    if (kind == TML_BLOCK_SCALAR) {
        return scalar_matrix(g, arena, out, err);
    }
    const int n = first[g->n];
    int64_t total = 0;
    *out = (TmlCsc){.rows = n, .cols = n};
    TML_NEW(arena, out->start, n + 1);
    for (int j = 0; j < g->n; ++j) {
        for (int b = 0; b < first[j + 1] - first[j]; ++b) {
            total += column_rows(g, first, kind, j, b, NULL);
            if (total > INT_MAX) {
                return tml_fail(err, TML_E_MODEL,
                                "the mesh is too large: a matrix has more than %d entries",
                                INT_MAX);
            }
            out->start[first[j] + b + 1] = (int)total;
        }
    }
    TML_NEW(arena, out->row, total);
    TML_NEW(arena, out->x, total);
    for (int j = 0; j < g->n; ++j) {
        for (int b = 0; b < first[j + 1] - first[j]; ++b) {
            (void)column_rows(g, first, kind, j, b, out->row + out->start[first[j] + b]);
        }
    }
    return TML_OK;
}

/* Adds block (i, j), m x m, of an element's matrix of n columns whose corner is at `block`. */
static void add_block(const TmlNodeGraph *g, const int *first, TmlBlockKind kind, int i, int j,
                      const double *block, int n, int m, TmlCsc *to)
{
    const int p = tml_node_graph_find(g, i, j);
    if (kind == TML_BLOCK_SCALAR) {
        to->x[p] += block[0];
        return;
    }
    for (int b = 0; b < m; ++b) {
        double *column = to->x + to->start[first[j] + b];
        if (kind == TML_BLOCK_DIAGONAL) {
            column[p - g->start[j]] += block[b * n + b];
            continue;
        }
        for (int a = i == j ? b : 0; a < m; ++a) {
            column[g->before[p] + a - b] += block[b * n + a];
        }
    }
}

void tml_node_graph_add(const TmlNodeGraph *g, const TmlFeMesh *mesh, const int *first, int k,
                        TmlBlockKind kind, const double *block, TmlCsc *to)
{
    const TmlFeElement *e = &mesh->element[k];
    const int *node = mesh->node + e->first, nodes = e->type->n_nodes;
    const int m = kind == TML_BLOCK_SCALAR ? 1 : e->type->n_freedoms, n = nodes * m;
    for (int b = 0; b < nodes; ++b) {
        for (int a = 0; a < nodes; ++a) {
            if (node[a] >= node[b]) { // collapsed elements have a node twice: both orders count
                add_block(g, first, kind, node[a], node[b], block + b * m * n + a * m, n, m, to);
            }
        }
    }
}
