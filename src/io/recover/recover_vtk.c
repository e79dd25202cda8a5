/* io/recover/recover_vtk.c - modal bodies over time as VTK files for ParaView.
 *
 * One .vtu file (unstructured grid, raw numbers behind the XML) for each row and body, and modal.pvd,
 * which lists them by time. Points are the nodes where they are; cells the triangles of the surface, or
 * one vertex for each node where a part has none.
 */
#include "io/recover/recover.h"

#include "io/results/hdf5_driver.h"
#include "io/text/textbuf.h"
#include "math/vec3.h"
#include "trammel/io.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { B = TML_RECOVER_BLOCK, VTK_VERTEX = 1, VTK_TRIANGLE = 5, ARRAYS = 6 };

/* All nodes of a body in a block: place, displacement in global axes, von Mises. */
typedef struct Surface {
    const char *folder;
    int body;
    int n, cells, corners; /* nodes, cells, corners of a cell */
    float *place, *u;      /* B x n x 3 */
    float *mises;          /* B x n */
    int32_t *corner, *offset;
    uint8_t *type;
    bool stresses;
} Surface;

static TmlStatus surface_create(const TmlRecovery *r, int body, TmlArena *arena, Surface *s,
                                TmlError *err)
{
    const TmlPart *p = &r->at[body].part;
    const bool triangles = p->n_triangles > 0;
    s->body = body;
    s->n = p->n_nodes;
    s->corners = triangles ? 3 : 1;
    s->cells = triangles ? p->n_triangles : p->n_nodes;
    s->stresses = p->stress != NULL;
    TML_NEW(arena, s->place, 3 * (size_t)s->n * B);
    TML_NEW(arena, s->u, 3 * (size_t)s->n * B);
    TML_NEW(arena, s->mises, (size_t)s->n * B);
    TML_NEW(arena, s->corner, (size_t)s->corners * (size_t)s->cells);
    TML_NEW(arena, s->offset, s->cells);
    TML_NEW(arena, s->type, s->cells);
    for (int k = 0; k < s->cells; ++k) {
        for (int c = 0; c < s->corners; ++c) {
            s->corner[s->corners * k + c] = triangles ? p->corner[3 * k + c] : k;
        }
        s->offset[k] = s->corners * (k + 1);
        s->type[k] = triangles ? VTK_TRIANGLE : VTK_VERTEX;
    }
    return TML_OK;
}

static void put(float *to, TmlVec3 x)
{
    to[0] = (float)x.x;
    to[1] = (float)x.y;
    to[2] = (float)x.z;
}

/* (RC1), (RC2) of a node at all rows of a block. */
static void fill_node(const TmlPart *p, int node, const TmlRecoverBlock *b, const TmlMat33 *A,
                      const Surface *s)
{
    double u[3][B] = {{0}}, t[6][B];
    if (p->shape != NULL) {
        tml_recover_displacement(p, node, b, u);
    }
    if (s->stresses) {
        tml_recover_stress(p, node, b, t);
    }
    for (int k = 0; k < b->n; ++k) {
        const size_t at = (size_t)k * (size_t)s->n + (size_t)node;
        const TmlVec3 own = v3(u[0][k], u[1][k], u[2][k]);
        const TmlVec3 r = v3(b->r[3 * k], b->r[3 * k + 1], b->r[3 * k + 2]);
        put(s->place + 3 * at, v3_add(r, m3_mulv(&A[k], v3_add(p->x[node], own))));
        put(s->u + 3 * at, m3_mulv(&A[k], own));
        if (s->stresses) {
            const double one[6] = {t[0][k], t[1][k], t[2][k], t[3][k], t[4][k], t[5][k]};
            s->mises[at] = (float)tml_von_mises(one);
        }
    }
}

/* --- files --------------------------------------------------------------------------------------- */

typedef struct Array {
    const char *name, *type;
    int components;
    const void *at;
    uint64_t bytes;
} Array;

static void declare(TmlTextBuf *b, const Array *a, uint64_t *offset)
{
    tml_textbuf_add(b,
                    "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                    "format=\"appended\" offset=\"%llu\"/>\n",
                    a->type, a->name, a->components, (unsigned long long)*offset);
    *offset += sizeof a->bytes + a->bytes;
}

/* The head, and then all arrays, each behind its size. */
static TmlStatus write_file(const char *path, const char *head, const Array *a, TmlError *err)
{
    static const char tail[] = "\n</AppendedData>\n</VTKFile>\n";
    size_t size = strlen(head) + sizeof tail;
    for (int k = 0; k < ARRAYS; ++k) {
        size += sizeof a[k].bytes + a[k].bytes;
    }
    char *all = tml_mem_zalloc(size, 1), *at = all;
    if (all == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for '%s'", path);
    }
    at = (char *)memcpy(at, head, strlen(head)) + strlen(head);
    for (int k = 0; k < ARRAYS; ++k) {
        if (a[k].at != NULL) {
            at = (char *)memcpy(at, &a[k].bytes, sizeof a[k].bytes) + sizeof a[k].bytes;
            at = (char *)memcpy(at, a[k].at, a[k].bytes) + a[k].bytes;
        }
    }
    at = (char *)memcpy(at, tail, sizeof tail - 1) + sizeof tail - 1;
    const TmlStatus status = tml_file_write(path, all, (size_t)(at - all), err);
    tml_mem_free(all);
    return status;
}

static TmlStatus write_grid(const Surface *s, int k, const char *path, TmlError *err)
{
    const size_t at = (size_t)k * (size_t)s->n, n = (size_t)s->n, cells = (size_t)s->cells;
    const Array a[ARRAYS] = {
        {"displacement", "Float32", 3, s->u + 3 * at, 3 * n * sizeof(float)},
        {"von_mises", "Float32", 1, s->stresses ? s->mises + at : NULL,
         s->stresses ? n * sizeof(float) : 0},
        {"points", "Float32", 3, s->place + 3 * at, 3 * n * sizeof(float)},
        {"connectivity", "Int32", 1, s->corner, cells * (size_t)s->corners * sizeof(int32_t)},
        {"offsets", "Int32", 1, s->offset, cells * sizeof(int32_t)},
        {"types", "UInt8", 1, s->type, cells}};
    TmlTextBuf b = {0};
    uint64_t offset = 0;
    char *head = NULL;
    tml_textbuf_add(&b,
                    "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                    "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
                    "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<PointData>\n",
                    s->n, s->cells);
    for (int i = 0; i < ARRAYS; ++i) {
        tml_textbuf_put(&b, i == 2   ? "</PointData>\n<Points>\n"
                            : i == 3 ? "</Points>\n<Cells>\n"
                                     : "");
        if (a[i].at != NULL) {
            declare(&b, &a[i], &offset);
        }
    }
    tml_textbuf_put(&b, "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData "
                        "encoding=\"raw\">\n_");
    TmlStatus status = tml_textbuf_take(&b, &head, err);
    status = status == TML_OK ? write_file(path, head, a, err) : status;
    tml_text_free(head);
    return status;
}

static TmlStatus write_block(TmlRecovery *r, const Surface *s, const TmlRecoverBlock *b,
                             TmlTextBuf *pvd, TmlError *err)
{
    const TmlPart *p = &r->at[s->body].part;
    TmlMat33 A[B];
    for (int k = 0; k < b->n; ++k) {
        const double *q = b->quat + 4 * k;
        A[k] = q4_matrix((TmlQuat){q[0], q[1], q[2], q[3]});
    }
    for (int node = 0; node < s->n; ++node) {
        fill_node(p, node, b, A, s);
    }
    for (int k = 0; k < b->n; ++k) {
        char path[4096], name[64], t[TML_NUMBER_MAX];
        const int64_t row = b->first + k;
        snprintf(name, sizeof name, "modal%d_%06lld.vtu", s->body, (long long)row);
        snprintf(path, sizeof path, "%s/%s", s->folder, name);
        TML_TRY(write_grid(s, k, path, err));
        tml_textbuf_add(pvd, "<DataSet timestep=\"%s\" group=\"\" part=\"%d\" file=\"%s\"/>\n",
                        tml_number_text(r->file.time[row], t), s->body, name);
    }
    return TML_OK;
}

static TmlStatus write_body(TmlRecovery *r, int body, const char *folder, TmlArena *arena,
                            TmlTextBuf *pvd, TmlError *err)
{
    Surface s = {.folder = folder};
    TmlRecoverBlock b;
    TML_TRY(surface_create(r, body, arena, &s, err));
    TML_TRY(tml_recover_block_create(r->at[body].part.m, arena, &b, err));
    for (int64_t row = r->first; row < r->first + r->rows; row += B) {
        TML_TRY(tml_recover_block_read(r, body, row, true, &b, err));
        TML_TRY(write_block(r, &s, &b, pvd, err));
    }
    return TML_OK;
}

static TmlStatus write_all(TmlRecovery *r, const char *folder, TmlArena *arena, TmlTextBuf *pvd,
                           TmlError *err)
{
    char path[4096], *all = NULL;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return tml_fail(err, TML_E_IO, "cannot make the folder '%s': %s", folder, strerror(errno));
    }
    tml_textbuf_put(pvd, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                         "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (int k = 0; k < r->n; ++k) {
        TML_TRY(write_body(r, k, folder, arena, pvd, err));
    }
    tml_textbuf_put(pvd, "</Collection>\n</VTKFile>\n");
    TML_TRY(tml_textbuf_take(pvd, &all, err));
    snprintf(path, sizeof path, "%s/modal.pvd", folder);
    const TmlStatus status = tml_file_write(path, all, strlen(all), err);
    tml_text_free(all);
    return status;
}

TmlStatus tml_recovery_vtk(TmlRecovery *r, const char *folder, int64_t *rows, TmlError *err)
{
    TmlTextBuf pvd = {0};
    TmlArena arena = {0};
    const TmlStatus status = tml_h5_reads_check(write_all(r, folder, &arena, &pvd, err), err);
    *rows = r->rows;
    tml_arena_free(&arena);
    tml_textbuf_free(&pvd);
    return status;
}
