/* reduce/mesh/fe_surface.c - outer faces of a mesh as triangles.
 *
 * A face is known by the sorted numbers of its corners. Inner faces belong to two elements and are
 * found next to each other when all are sorted.
 */
#include "reduce/mesh/fe_stress.h"

#include <stdlib.h>
#include <string.h>

typedef struct Face {
    int corner[4]; /* ascending; -1 first where there are three */
    int element, face;
} Face;

static int by_corners(const void *a, const void *b)
{
    const Face *p = a, *q = b;
    for (int i = 0; i < 4; ++i) {
        if (p->corner[i] != q->corner[i]) {
            return p->corner[i] < q->corner[i] ? -1 : 1;
        }
    }
    return (p->element > q->element) - (p->element < q->element);
}

/* Nodes of a face: 3, 4, 6 or 8. */
static int nodes_around(const TmlFeElementType *type, int face)
{
    int n = type->n_around;
    while (type->face[face * type->n_around + n - 1] < 0) {
        n--;
    }
    return n;
}

static Face make_face(const TmlFeMesh *mesh, int element, int face)
{
    const TmlFeElement *e = &mesh->element[element];
    const int corners = nodes_around(e->type, face) % 4 == 0 ? 4 : 3;
    Face f = {.corner = {-1, -1, -1, -1}, .element = element, .face = face};
    for (int i = 0; i < corners; ++i) {
        const int node = mesh->node[e->first + e->type->face[face * e->type->n_around + i]];
        int k = 3;
        while (f.corner[k] > node) { // those before it are smaller: they move down
            --k;
        }
        memmove(f.corner, f.corner + 1, (size_t)k * sizeof f.corner[0]);
        f.corner[k] = node;
    }
    return f;
}

/* Triangles of a face by the places of its nodes. */
static int face_triangles(int n_around, const int (**out)[3])
{
    static const int three[1][3] = {{0, 1, 2}}, four[2][3] = {{0, 1, 2}, {0, 2, 3}};
    static const int six[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    static const int eight[6][3] = {{0, 4, 7}, {4, 1, 5}, {5, 2, 6},
                                    {6, 3, 7}, {4, 5, 6}, {4, 6, 7}};
    *out = n_around == 3 ? three : n_around == 4 ? four : n_around == 6 ? six : eight;
    return n_around == 3 ? 1 : n_around == 4 ? 2 : n_around == 6 ? 4 : 6;
}

static int add_triangles(const TmlFeMesh *mesh, const Face *f, int32_t *to)
{
    const TmlFeElement *e = &mesh->element[f->element];
    const int *around = e->type->face + f->face * e->type->n_around;
    const int(*triangle)[3];
    const int count = face_triangles(nodes_around(e->type, f->face), &triangle);
    for (int k = 0; to != NULL && k < 3 * count; ++k) {
        to[k] = e->first + around[triangle[k / 3][k % 3]];
    }
    return count;
}

/* Elements along a line have no faces: they are drawn as lines, triangles of which two corners are one node. */
static bool is_line(const TmlFeElement *e)
{
    return e->type->n_faces == 0 && e->type->n_nodes == 2;
}

static void add_lines(const TmlFeMesh *mesh, int *n, int32_t *corner)
{
    for (int k = 0; k < mesh->n_elements; ++k) {
        const TmlFeElement *e = &mesh->element[k];
        if (is_line(e)) {
            int32_t *to = corner + 3 * (size_t)*n;
            to[0] = e->first;
            to[1] = to[2] = e->first + 1;
            ++*n;
        }
    }
}

static bool is_outer(const Face *all, int64_t n, int64_t k)
{
    const size_t size = sizeof all->corner;
    return (k == 0 || memcmp(all[k - 1].corner, all[k].corner, size) != 0) &&
           (k + 1 == n || memcmp(all[k + 1].corner, all[k].corner, size) != 0);
}

/* All faces of all elements, sorted by their corners. */
static TmlStatus all_faces(const TmlFeMesh *mesh, TmlArena *scratch, int64_t *n, Face **out,
                           TmlError *err)
{
    *n = 0;
    for (int k = 0; k < mesh->n_elements; ++k) {
        *n += mesh->element[k].type->n_faces;
    }
    TML_NEW(scratch, *out, *n);
    *n = 0;
    for (int k = 0; k < mesh->n_elements; ++k) {
        for (int i = 0; i < mesh->element[k].type->n_faces; ++i) {
            (*out)[(*n)++] = make_face(mesh, k, i);
        }
    }
    qsort(*out, (size_t)*n, sizeof **out, by_corners);
    return TML_OK;
}

static TmlStatus outer_triangles(const TmlFeMesh *mesh, TmlArena *scratch, TmlArena *arena, int *n,
                                 int32_t **corner, TmlError *err)
{
    Face *all;
    int64_t faces = 0, triangles = 0;
    TML_TRY(all_faces(mesh, scratch, &faces, &all, err));
    for (int k = 0; k < mesh->n_elements && faces == 0; ++k) {
        triangles += is_line(&mesh->element[k]);
    }
    const bool lines = faces == 0; // a space frame; beside solids beams are not drawn
    for (int64_t k = 0; k < faces; ++k) {
        triangles += is_outer(all, faces, k) ? add_triangles(mesh, &all[k], NULL) : 0;
    }
    TML_NEW(arena, *corner, 3 * triangles);
    *n = 0;
    for (int64_t k = 0; k < faces; ++k) {
        if (is_outer(all, faces, k)) {
            *n += add_triangles(mesh, &all[k], *corner + 3 * (size_t)*n);
        }
    }
    if (lines) {
        add_lines(mesh, n, *corner);
    }
    return TML_OK;
}

TmlStatus tml_fe_surface(const TmlFeMesh *mesh, TmlArena *arena, int *n, int32_t **corner,
                         TmlError *err)
{
    TmlArena scratch = {0};
    const TmlStatus status = outer_triangles(mesh, &scratch, arena, n, corner, err);
    tml_arena_free(&scratch);
    return status;
}

TmlStatus tml_fe_outer_faces(const TmlFeMesh *mesh, TmlArena *arena, int *n, TmlFeFace **out,
                             TmlError *err)
{
    TmlArena scratch = {0};
    Face *all = NULL;
    int64_t faces = 0;
    TmlStatus status = all_faces(mesh, &scratch, &faces, &all, err);
    *n = 0;
    *out = status == TML_OK ? tml_arena_alloc(arena, (size_t)faces + 1, sizeof **out) : NULL;
    if (status == TML_OK && *out == NULL) {
        status = tml_fail(err, TML_E_NOMEM, "out of memory for %lld faces", (long long)faces);
    }
    for (int64_t k = 0; k < faces && status == TML_OK; ++k) {
        if (is_outer(all, faces, k)) {
            (*out)[(*n)++] = (TmlFeFace){all[k].element, all[k].face};
        }
    }
    tml_arena_free(&scratch);
    return status;
}

int tml_fe_face_nodes(const TmlFeMesh *mesh, TmlFeFace face, int *node)
{
    const TmlFeElement *e = &mesh->element[face.element];
    const int n = nodes_around(e->type, face.face);
    for (int i = 0; i < n; ++i) {
        node[i] = mesh->node[e->first + e->type->face[face.face * e->type->n_around + i]];
    }
    return n;
}
