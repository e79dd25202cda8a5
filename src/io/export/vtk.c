/* io/export/vtk.c - results as VTK files for ParaView.
 *
 * One .vtu file (unstructured grid, XML in ASCII with 17 digits) for each row and flexible body,
 * one for the rigid bodies of a row, and results.pvd, which lists them by time. The points of a
 * flexible body are those of /flexible/<name>/points, element by element; beams are hexahedra
 * (quadrilaterals in the plane), cables lines, plates hexahedra or quadrilaterals.
 */
#include "io/read/results_flexible.h"
#include "io/results/hdf5_driver.h"
#include "io/text/textbuf.h"
#include "trammel/io.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// rows of the rigid bodies are read together, up to about this many numbers
enum { BLOCK = 1 << 20 };

enum { VTK_VERTEX = 1, VTK_LINE = 3, VTK_QUAD = 9, VTK_HEXAHEDRON = 12 };

typedef struct Export {
    TmlResultFile file;
    int n_flexible, n_rigid;
    TmlResultFlexible *flexible;
    int64_t first, n; /* rows of the block that is in memory */
    double *position, *orientation;
    double *rigid; /* 7 numbers for each body: position and quaternion */
} Export;

/* Cells of an element in numbers of its points. */
typedef struct Cells {
    int type, n, size; /* cells, points of each */
    int point[8][8];
} Cells;

static void put_number(TmlTextBuf *b, double x)
{
    char text[TML_NUMBER_MAX];
    tml_textbuf_put(b, tml_number_text(x, text));
}

/* Text within double quotes. */
static void put_quoted(TmlTextBuf *b, const char *text)
{
    for (const char *c = text; *c != '\0'; ++c) {
        switch (*c) {
        case '<':
            tml_textbuf_put(b, "&lt;");
            break;
        case '&':
            tml_textbuf_put(b, "&amp;");
            break;
        case '"':
            tml_textbuf_put(b, "&quot;");
            break;
        default:
            tml_textbuf_add(b, "%c", *c);
        }
    }
}

/* Do two points of an element always coincide? Then the element has no extent across. */
static bool coincide(const TmlResultFlexible *b, int p, int q)
{
    const double *w = b->weight;
    for (int v = 0; v < b->vectors; ++v) {
        if (w[p * b->vectors + v] != w[q * b->vectors + v]) {
            return false;
        }
    }
    return true;
}

static Cells line_cells(const TmlResultFlexible *b)
{
    const int fibres = b->points / 3;
    Cells c = {.type = VTK_LINE, .size = 2};
    const bool thin = fibres == 1 || coincide(b, 0, 1);
    for (int s = 0; s < 2; ++s) {
        const int f0 = s * fibres, f1 = f0 + fibres;
        if (thin) {
            memcpy(c.point[c.n++], (int[8]){f0, f1}, sizeof c.point[0]);
        } else if (fibres == 3) { // axis, bottom, top
            c.type = VTK_QUAD;
            c.size = 4;
            memcpy(c.point[c.n++], (int[8]){f0 + 1, f1 + 1, f1, f0}, sizeof c.point[0]);
            memcpy(c.point[c.n++], (int[8]){f0, f1, f1 + 2, f0 + 2}, sizeof c.point[0]);
        } else {
            c.type = VTK_HEXAHEDRON;
            c.size = 8;
            memcpy(c.point[c.n++],
                   (int[8]){f0 + 1, f0 + 2, f0 + 3, f0 + 4, f1 + 1, f1 + 2, f1 + 3, f1 + 4},
                   sizeof c.point[0]);
        }
    }
    return c;
}

static Cells patch_cells(const TmlResultFlexible *b)
{
    const bool thin = coincide(b, 0, 9);
    Cells c = {.type = thin ? VTK_QUAD : VTK_HEXAHEDRON, .size = thin ? 4 : 8};
    for (int k = 0; k < 4; ++k) {
        const int p = k / 2 * 3 + k % 2;
        memcpy(c.point[c.n++], (int[8]){p, p + 1, p + 4, p + 3, p + 9, p + 10, p + 13, p + 12},
               sizeof c.point[0]);
    }
    return c;
}

static void array_begin(TmlTextBuf *b, const char *type, const char *name, int components)
{
    tml_textbuf_add(b, "<DataArray type=\"%s\" Name=\"", type);
    put_quoted(b, name);
    tml_textbuf_add(b, "\" NumberOfComponents=\"%d\" format=\"ascii\">\n", components);
}

static void array_end(TmlTextBuf *b)
{
    tml_textbuf_put(b, "\n</DataArray>\n");
}

/* n vectors: x, or x less `from`. */
static void put_vectors(TmlTextBuf *b, const char *name, int n, const double *x, const double *from)
{
    array_begin(b, "Float64", name, 3);
    for (int k = 0; k < 3 * n; ++k) {
        put_number(b, from != NULL ? x[k] - from[k] : x[k]);
        tml_textbuf_put(b, k % 3 == 2 ? "\n" : " ");
    }
    array_end(b);
}

static void grid_begin(TmlTextBuf *b, int points, int cells)
{
    tml_textbuf_put(b, "<?xml version=\"1.0\"?>\n"
                       "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                       "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n");
    tml_textbuf_add(b, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n", points, cells);
}

static void grid_end(TmlTextBuf *b)
{
    tml_textbuf_put(b, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
}

static void put_cells(TmlTextBuf *b, const Cells *c, int elements, int points)
{
    tml_textbuf_put(b, "<Cells>\n");
    array_begin(b, "Int64", "connectivity", 1);
    for (int e = 0; e < elements; ++e) {
        for (int k = 0; k < c->n; ++k) {
            for (int i = 0; i < c->size; ++i) {
                tml_textbuf_add(b, "%d ", e * points + c->point[k][i]);
            }
        }
    }
    array_end(b);
    array_begin(b, "Int64", "offsets", 1);
    for (int k = 1; k <= elements * c->n; ++k) {
        tml_textbuf_add(b, "%d ", k * c->size);
    }
    array_end(b);
    array_begin(b, "UInt8", "types", 1);
    for (int k = 0; k < elements * c->n; ++k) {
        tml_textbuf_add(b, "%d ", c->type);
    }
    array_end(b);
    tml_textbuf_put(b, "</Cells>\n");
}

static void put_flexible(TmlTextBuf *b, const TmlResultFlexible *body)
{
    const int n = body->elements * body->points;
    const Cells cells = body->patch ? patch_cells(body) : line_cells(body);
    grid_begin(b, n, body->elements * cells.n);
    tml_textbuf_put(b, "<PointData>\n");
    put_vectors(b, "displacement", n, body->r, body->start);
    for (int s = 0; s < TML_RESULT_VALUES; ++s) {
        const int columns = body->columns[s];
        for (int c = 0; c < columns; ++c) {
            array_begin(b, "Float64", body->column[s][c], 1);
            for (int p = 0; p < n; ++p) {
                put_number(b, body->row[s][p * columns + c]);
                tml_textbuf_put(b, " ");
            }
            array_end(b);
        }
    }
    tml_textbuf_put(b, "</PointData>\n<Points>\n");
    put_vectors(b, "points", n, body->r, NULL);
    tml_textbuf_put(b, "</Points>\n");
    put_cells(b, &cells, body->elements, body->points);
    grid_end(b);
}

/* Rigid bodies as points with their axes. x: 7 numbers each, position and quaternion. */
static void put_rigid(TmlTextBuf *b, int n, const double *x)
{
    static const char *const axes[3] = {"x_axis", "y_axis", "z_axis"};
    const Cells one = {.type = VTK_VERTEX, .n = 1, .size = 1};
    grid_begin(b, n, n);
    tml_textbuf_put(b, "<PointData>\n");
    array_begin(b, "Int64", "body", 1); // number among the bodies of the model
    for (int k = 0; k < n; ++k) {
        tml_textbuf_add(b, "%d ", k + 1);
    }
    array_end(b);
    for (int a = 0; a < 3; ++a) {
        array_begin(b, "Float64", axes[a], 3);
        for (int k = 0; k < n; ++k) {
            const double *q = x + 7 * k + 3, w = q[0], i = q[1], j = q[2], l = q[3];
            const double A[3][3] = {
                {1 - 2 * (j * j + l * l), 2 * (i * j + w * l), 2 * (i * l - w * j)},
                {2 * (i * j - w * l), 1 - 2 * (i * i + l * l), 2 * (j * l + w * i)},
                {2 * (i * l + w * j), 2 * (j * l - w * i), 1 - 2 * (i * i + j * j)}};
            for (int c = 0; c < 3; ++c) {
                put_number(b, A[a][c]);
                tml_textbuf_put(b, c == 2 ? "\n" : " ");
            }
        }
        array_end(b);
    }
    tml_textbuf_put(b, "</PointData>\n<Points>\n");
    array_begin(b, "Float64", "points", 3);
    for (int k = 0; k < 3 * n; ++k) {
        put_number(b, x[7 * (k / 3) + k % 3]);
        tml_textbuf_put(b, k % 3 == 2 ? "\n" : " ");
    }
    array_end(b);
    tml_textbuf_put(b, "</Points>\n");
    put_cells(b, &one, n, 1);
    grid_end(b);
}

/* --- files --------------------------------------------------------------------------------- */

/* Write the text as a file of the folder and empty the buffer. */
static TmlStatus write_text(const char *folder, const char *name, TmlTextBuf *text, TmlError *err)
{
    char path[4096], *all;
    TML_TRY(tml_textbuf_take(text, &all, err));
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const TmlStatus status = tml_file_write(path, all, strlen(all), err);
    tml_text_free(all);
    return status;
}

/* A name of a file: what is no letter, digit, dash or dot becomes an underscore. */
static void file_name(char *out, size_t size, int part, const char *name, int row)
{
    char safe[128];
    snprintf(safe, sizeof safe, "%s", name);
    for (char *c = safe; *c != '\0'; ++c) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                           (*c >= '0' && *c <= '9') || *c == '-' || *c == '.';
        *c = plain ? *c : '_';
    }
    snprintf(out, size, "%d_%s_%06d.vtu", part, safe, row);
}

static void list_file(TmlTextBuf *pvd, double t, int part, const char *name, const char *file)
{
    tml_textbuf_put(pvd, "<DataSet timestep=\"");
    put_number(pvd, t);
    tml_textbuf_add(pvd, "\" group=\"\" part=\"%d\" name=\"", part);
    put_quoted(pvd, name);
    tml_textbuf_add(pvd, "\" file=\"%s\"/>\n", file);
}

/* Rows that are read together, from the given one on. */
static int64_t rows_of_block(const Export *x, int64_t row)
{
    const int64_t most = 1 + BLOCK / (4 * (x->n_rigid > 0 ? x->n_rigid : 1)),
                  left = x->file.rows - row;
    return left < most ? left : most;
}

/* Positions and orientations of a row, from the block that holds it. */
static TmlStatus rigid_row(Export *x, int64_t row, TmlError *err)
{
    const TmlResultSet *s = &x->file.set[TML_RESULT_BODIES];
    if (row >= x->first + x->n) {
        x->first = row;
        x->n = rows_of_block(x, row);
        TML_TRY(tml_result_read(&x->file, TML_RESULT_BODIES, -1, tml_result_field(s, "position"),
                                row, x->n, x->position, err));
        TML_TRY(tml_result_read(&x->file, TML_RESULT_BODIES, -1, tml_result_field(s, "orientation"),
                                row, x->n, x->orientation, err));
    }
    const size_t at = (size_t)(row - x->first) * (size_t)x->n_rigid;
    for (int k = 0; k < x->n_rigid; ++k) {
        memcpy(x->rigid + 7 * k, x->position + 3 * (at + (size_t)k), 3 * sizeof *x->rigid);
        memcpy(x->rigid + 7 * k + 3, x->orientation + 4 * (at + (size_t)k), 4 * sizeof *x->rigid);
    }
    return TML_OK;
}

static TmlStatus export_row(Export *x, int row, const char *folder, TmlTextBuf *pvd, TmlError *err)
{
    TmlTextBuf text = {0};
    char name[256];
    const double t = x->file.time[row];
    for (int k = 0; k < x->n_flexible; ++k) {
        TML_TRY(tml_result_flexible_row(&x->flexible[k], row, err));
        put_flexible(&text, &x->flexible[k]);
        file_name(name, sizeof name, k, x->flexible[k].name, row);
        TML_TRY(write_text(folder, name, &text, err));
        list_file(pvd, t, k, x->flexible[k].name, name);
    }
    if (x->n_rigid == 0) {
        return TML_OK;
    }
    TML_TRY(rigid_row(x, row, err));
    put_rigid(&text, x->n_rigid, x->rigid);
    file_name(name, sizeof name, x->n_flexible, "bodies", row);
    TML_TRY(write_text(folder, name, &text, err));
    list_file(pvd, t, x->n_flexible, "bodies", name);
    return TML_OK;
}

static TmlStatus export_open(Export *x, TmlError *err)
{
    const TmlResultSet *s = &x->file.set[TML_RESULT_BODIES];
    const int position = tml_result_field(s, "position"),
              orientation = tml_result_field(s, "orientation");
    x->n_rigid = s->n_items;
    if (x->n_rigid > 0 && (position < 0 || orientation < 0 || s->field[position].width != 3 ||
                           s->field[orientation].width != 4)) {
        return tml_fail(err, TML_E_IO, "damaged: bodies without position or orientation");
    }
    TML_NEW(&x->file.arena, x->rigid, 7 * x->n_rigid);
    const int64_t rows = rows_of_block(x, 0);
    TML_NEW(&x->file.arena, x->position, (int)(3 * rows) * x->n_rigid);
    TML_NEW(&x->file.arena, x->orientation, (int)(4 * rows) * x->n_rigid);
    return tml_result_flexible(&x->file, &x->n_flexible, &x->flexible, err);
}

static TmlStatus export_all(Export *x, const char *folder, TmlTextBuf *pvd, TmlError *err)
{
    TML_TRY(export_open(x, err));
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return tml_fail(err, TML_E_IO, "cannot make the folder '%s': %s", folder, strerror(errno));
    }
    tml_textbuf_put(pvd, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                         "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (int row = 0; row < x->file.rows; ++row) {
        TML_TRY(export_row(x, row, folder, pvd, err));
    }
    tml_textbuf_put(pvd, "</Collection>\n</VTKFile>\n");
    return write_text(folder, "results.pvd", pvd, err);
}

TmlStatus tml_export_vtk(const char *results, const char *folder, int64_t *rows, TmlError *err)
{
    TmlTextBuf pvd = {0};
    Export x = {0};
    *rows = 0;
    TmlStatus status = tml_result_open(results, &x.file, err);
    if (status == TML_OK) {
        status = tml_h5_reads_check(export_all(&x, folder, &pvd, err), err);
        *rows = x.file.rows;
        status = status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", results);
    }
    tml_result_flexible_close(x.n_flexible, x.flexible);
    tml_result_close(&x.file);
    tml_textbuf_free(&pvd);
    return status;
}
