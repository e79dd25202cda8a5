/* io/vtk.c - results as VTK files for ParaView.
 *
 * One .vtu file (unstructured grid, XML in ASCII with 17 digits) for each row and flexible body,
 * one for the rigid bodies of a row, and results.pvd, which lists them by time. The points of a
 * flexible body are those of /flexible/<name>/points, element by element; beams are hexahedra
 * (quadrilaterals in the plane), cables lines, plates hexahedra or quadrilaterals.
 */
#include "io/textbuf.h"
#include "io/vtk_read.h"
#include "trammel/io.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { VTK_VERTEX = 1, VTK_LINE = 3, VTK_QUAD = 9, VTK_HEXAHEDRON = 12 };

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
static bool coincide(const TmlVtkBody *b, int p, int q)
{
    const double *w = b->weight;
    for (int v = 0; v < b->vectors; ++v) {
        if (w[p * b->vectors + v] != w[q * b->vectors + v]) {
            return false;
        }
    }
    return true;
}

static Cells line_cells(const TmlVtkBody *b)
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

static Cells patch_cells(const TmlVtkBody *b)
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

static void put_flexible(TmlTextBuf *b, const TmlVtkBody *body)
{
    const int n = body->elements * body->points;
    const Cells cells = body->patch ? patch_cells(body) : line_cells(body);
    grid_begin(b, n, body->elements * cells.n);
    tml_textbuf_put(b, "<PointData>\n");
    put_vectors(b, "displacement", n, body->r, body->start);
    for (int s = 0; s < 2; ++s) {
        const int columns = body->value[s].id > 0 ? (int)body->value[s].dim[3] : 0;
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
    FILE *file = fopen(path, "w");
    const bool written = file != NULL && fputs(all, file) != EOF;
    const bool closed = file != NULL && fclose(file) == 0;
    tml_text_free(all);
    return written && closed
               ? TML_OK
               : tml_fail(err, TML_E_IO, "cannot write '%s': %s", path, strerror(errno));
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

static TmlStatus export_row(TmlVtkFile *f, int row, const char *folder, double *rigid,
                            TmlTextBuf *pvd, TmlError *err)
{
    TmlTextBuf text = {0};
    char name[256];
    for (int k = 0; k < f->n_flexible; ++k) {
        TML_TRY(tml_vtk_body_row(&f->flexible[k], row, err));
        put_flexible(&text, &f->flexible[k]);
        file_name(name, sizeof name, k, f->flexible[k].name, row);
        TML_TRY(write_text(folder, name, &text, err));
        list_file(pvd, f->time[row], k, f->flexible[k].name, name);
    }
    if (f->n_rigid == 0) {
        return TML_OK;
    }
    for (int k = 0; k < f->n_rigid; ++k) {
        TML_TRY(tml_vtk_row(&f->rigid[k].position, row, rigid + 7 * k, err));
        TML_TRY(tml_vtk_row(&f->rigid[k].orientation, row, rigid + 7 * k + 3, err));
    }
    put_rigid(&text, f->n_rigid, rigid);
    file_name(name, sizeof name, f->n_flexible, "bodies", row);
    TML_TRY(write_text(folder, name, &text, err));
    list_file(pvd, f->time[row], f->n_flexible, "bodies", name);
    return TML_OK;
}

static TmlStatus export_all(TmlVtkFile *f, const char *folder, TmlTextBuf *pvd, TmlError *err)
{
    double *rigid;
    TML_NEW(&f->arena, rigid, 7 * f->n_rigid);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return tml_fail(err, TML_E_IO, "cannot make the folder '%s': %s", folder, strerror(errno));
    }
    tml_textbuf_put(pvd, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                         "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (int row = 0; row < f->rows; ++row) {
        TML_TRY(export_row(f, row, folder, rigid, pvd, err));
    }
    tml_textbuf_put(pvd, "</Collection>\n</VTKFile>\n");
    return write_text(folder, "results.pvd", pvd, err);
}

TmlStatus tml_export_vtk(const char *results, const char *folder, int64_t *rows, TmlError *err)
{
    TmlTextBuf pvd = {0};
    TmlVtkFile file;
    *rows = 0;
    const TmlH5Quiet quiet = tml_h5_quiet_begin();
    TmlStatus status = tml_vtk_open(results, &file, err);
    if (status == TML_OK) {
        status = export_all(&file, folder, &pvd, err);
        *rows = file.rows;
    }
    tml_vtk_close(&file);
    tml_textbuf_free(&pvd);
    tml_h5_quiet_end(&quiet);
    return status == TML_OK ? TML_OK : tml_fail_ctx(err, status, "'%s'", results);
}
