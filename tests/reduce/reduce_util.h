/* tests/reduce/reduce_util.h - matrices of the reference cases, and tables beside them. */
#pragma once

#include "base/arena.h"
#include "io/part/matrix_market.h"
#include "reduce/reduce.h"
#include "test.h"

#include <stdlib.h>

/* Nodes of a Gmsh 2.2 text file, in the order of their numbers. */
static inline bool msh_nodes(TmlArena *arena, const char *path, TmlNodeTable *out)
{
    char line[256];
    FILE *f = fopen(path, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL && strncmp(line, "$Nodes", 6) != 0) {
    }
    int n = 0;
    if (f == NULL || fscanf(f, "%d", &n) != 1) {
        return false;
    }
    out->n = n;
    out->id = tml_arena_alloc(arena, (size_t)n, sizeof *out->id);
    out->x = tml_arena_alloc(arena, (size_t)n, sizeof *out->x);
    for (int k = 0; k < n; ++k) {
        long long id;
        TmlVec3 x;
        if (fscanf(f, "%lld %lf %lf %lf", &id, &x.x, &x.y, &x.z) != 4) {
            fclose(f);
            return false;
        }
        out->id[k] = id;
        out->x[k] = x;
    }
    fclose(f);
    return true;
}

/* Matrices of a case with `per` freedoms a node. */
static inline bool case_matrices(TestCtx *t, const char *folder, const char *K, const char *M,
                                 const TmlNodeTable *nodes, int per, TmlFeMatrices *out)
{
    char path[2][4600];
    TmlError err = {0};
    snprintf(path[0], sizeof path[0], "%s/modal/%s/%s", test_cases_dir(), folder, K);
    snprintf(path[1], sizeof path[1], "%s/modal/%s/%s", test_cases_dir(), folder, M);
    *out =
        (TmlFeMatrices){.n_nodes = nodes->n, .n = per * nodes->n, .id = nodes->id, .x = nodes->x};
    out->first = tml_arena_alloc(&out->arena, (size_t)nodes->n + 1, sizeof *out->first);
    for (int k = 0; k <= nodes->n; ++k) {
        out->first[k] = per * k;
    }
    const bool ok = tml_matrix_read(path[0], out->n, &out->arena, &out->K, &err) == TML_OK &&
                    tml_matrix_read(path[1], out->n, &out->arena, &out->M, &err) == TML_OK;
    if (!ok) {
        test_fail(t, __FILE__, __LINE__, "%s", err.message);
    }
    return ok;
}

/* A block of nx x ny x nz nodes, `step` apart and shifted by `from`, with bars between all that are
 * nearer than 1.8 steps: no motion without strain but rigid ones. Bars have unit axial stiffness EA =
 * 1e6 N and 1 kg/m of consistent mass, which is a number times the unit matrix. */
static inline void truss_block(TestCtx *t, int nx, int ny, int nz, double step, TmlVec3 from,
                               TmlFeMatrices *out)
{
    const int n = nx * ny * nz;
    TmlError err = {0};
    *out = (TmlFeMatrices){.n_nodes = n, .n = 3 * n};
    TmlVec3 *x = tml_arena_alloc(&out->arena, (size_t)n, sizeof *x);
    int64_t *id = tml_arena_alloc(&out->arena, (size_t)n, sizeof *id);
    out->first = tml_arena_alloc(&out->arena, (size_t)n + 1, sizeof *out->first);
    int *row = malloc(sizeof *row * (size_t)(36 * n * n)),
        *col = malloc(sizeof *col * (size_t)(36 * n * n));
    double *k = malloc(sizeof *k * (size_t)(36 * n * n)),
           *m = malloc(sizeof *m * (size_t)(36 * n * n));
    int entries = 0;
    for (int i = 0; i < n; ++i) {
        const int along_y = i / nx % ny, along_z = i / nx / ny;
        x[i] =
            (TmlVec3){from.x + step * (i % nx), from.y + step * along_y, from.z + step * along_z};
        id[i] = 100 + i;
        out->first[i] = 3 * i;
    }
    out->first[n] = 3 * n;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            const double d[3] = {x[i].x - x[j].x, x[i].y - x[j].y, x[i].z - x[j].z};
            const double L = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            for (int e = 0; e < 36 && L < 1.8 * step; ++e) {
                const int a = e / 6, c = e % 6;
                const int r = 3 * (a < 3 ? i : j) + a % 3, s = 3 * (c < 3 ? i : j) + c % 3;
                const double sign = (a < 3) == (c < 3) ? 1.0 : -1.0;
                if (r >= s) {
                    row[entries] = r;
                    col[entries] = s;
                    k[entries] = sign * 1e6 * d[a % 3] * d[c % 3] / (L * L * L);
                    m[entries++] = a % 3 == c % 3 ? L / (sign > 0 ? 3.0 : 6.0) : 0.0;
                }
            }
        }
    }
    out->id = id;
    out->x = x;
    CHECK_OK(t, tml_csc_triplets(3 * n, 3 * n, entries, row, col, k, &out->arena, &out->K, &err),
             &err);
    CHECK_OK(t, tml_csc_triplets(3 * n, 3 * n, entries, row, col, m, &out->arena, &out->M, &err),
             &err);
    free(row);
    free(col);
    free(k);
    free(m);
}

/* The nodes with coordinate x, as an interface with its frame at `at`. */
static inline TmlInterface face(TmlArena *arena, const TmlFeMatrices *fe, const char *name,
                                TmlTie tie, double x, TmlVec3 at)
{
    int *node = tml_arena_alloc(arena, (size_t)fe->n_nodes, sizeof *node), n = 0;
    for (int k = 0; k < fe->n_nodes; ++k) {
        if (fabs(fe->x[k].x - x) < 1e-9) {
            node[n++] = k;
        }
    }
    return (TmlInterface){.name = name, .tie = tie, .at = at, .n = n, .node = node};
}

/* A table of numbers of a case, by rows; lines that begin with no number are left out. */
typedef struct Table {
    int rows, cols;
    double x[64][64];
} Table;

static inline bool case_table(const char *file, Table *out)
{
    char path[4600], line[8192];
    snprintf(path, sizeof path, "%s/modal/%s", test_cases_dir(), file);
    FILE *f = fopen(path, "r");
    *out = (Table){0};
    while (f != NULL && fgets(line, sizeof line, f) != NULL && out->rows < 64) {
        char *at = line, *end = line;
        int n = 0;
        for (; n < 64; ++n, at = end + strspn(end, ", ")) {
            const double x = strtod(at, &end);
            if (end == at) {
                break;
            }
            out->x[out->rows][n] = x;
        }
        out->cols = n > out->cols ? n : out->cols;
        out->rows += n > 0;
    }
    if (f != NULL) {
        fclose(f);
    }
    return out->rows > 0;
}
