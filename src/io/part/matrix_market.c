/* io/part/matrix_market.c - symmetric matrices from Matrix Market and Abaqus files, see the header. */
#include "io/part/matrix_market.h"

#include "base/input.h"
#include "base/real.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Entries of the two triangles may differ by this part of the largest entry of the file: exports have
 * twelve digits and more. */
static const double symmetric_within = 1e-9;

typedef struct Matrix {
    const char *path;
    const char *at; /* of the text, the next line */
    int line;
    bool header;    /* Matrix Market */
    bool symmetric; /* the file says that it holds one triangle */
    int order, n, cap;
    int *row, *col, *from; /* n: counted from 0; line of the file */
    double *x;
} Matrix;

/* --- lines -------------------------------------------------------------------------------------- */

/* The next line that is neither empty nor a comment, or NULL. Its length is *length. */
static const char *next_line(Matrix *m, size_t *length)
{
    while (*m->at != '\0') {
        const char *line = m->at;
        *length = strcspn(line, "\r\n");
        m->at += *length;
        m->at += *m->at == '\r' ? 1 : 0;
        m->at += *m->at == '\n' ? 1 : 0;
        m->line++;
        const size_t blank = strspn(line, " \t");
        if (blank < *length && line[blank] != '%' && line[blank] != '*') {
            return line;
        }
    }
    return NULL;
}

static TmlStatus wrong_line(const Matrix *m, const char *line, size_t length, const char *expected,
                            TmlError *err)
{
    return tml_fail(err, TML_E_MODEL, "%s:%d: expected %s, got '%.*s'", m->path, m->line, expected,
                    (int)(length < 60 ? length : 60), line);
}

/* Up to n numbers of a line; returns how many, -1: something else stands there. */
static int numbers(const char *line, size_t length, int n, double *out)
{
    const char *end = line + length;
    for (int k = 0;; ++k) {
        line += strspn(line, " \t,;");
        if (line >= end) {
            return k;
        }
        char *behind;
        const double x = tml_real_read(line, &behind);
        if (behind == line || behind > end || k == n || strchr(" \t,;\r\n", *behind) == NULL) {
            return -1; // strchr also finds the end of the text
        }
        out[k] = x;
        line = behind;
    }
}

/* --- head --------------------------------------------------------------------------------------- */

static TmlStatus read_banner(Matrix *m, TmlError *err)
{
    char object[32] = "", format[32] = "", field[32] = "", symmetry[32] = "";
    if (strncasecmp(m->at, "%%MatrixMarket", 14) != 0) {
        return TML_OK;
    }
    m->header = true;
    m->line = 1;
    char banner[160];
    snprintf(banner, sizeof banner, "%.*s", (int)strcspn(m->at, "\r\n"), m->at);
    sscanf(banner + 14, "%31s %31s %31s %31s", object, format, field, symmetry);
    m->symmetric = strcasecmp(symmetry, "symmetric") == 0;
    if (strcasecmp(object, "matrix") != 0 || strcasecmp(format, "coordinate") != 0 ||
        (strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0 &&
         strcasecmp(field, "double") != 0) ||
        (!m->symmetric && strcasecmp(symmetry, "general") != 0)) {
        return tml_fail(err, TML_E_MODEL,
                        "%s:1: expected 'matrix coordinate real symmetric' or '... general', got "
                        "'%s %s %s %s'",
                        m->path, object, format, field, symmetry);
    }
    m->at += strcspn(m->at, "\r\n");
    m->at += *m->at == '\r' ? 1 : 0;
    m->at += *m->at == '\n' ? 1 : 0;
    return TML_OK;
}

/* The line of sizes: *entries. */
static TmlStatus read_sizes(Matrix *m, int *entries, TmlError *err)
{
    double size[3];
    size_t length = 0;
    const char *line = next_line(m, &length);
    if (line == NULL) {
        return tml_fail(err, TML_E_MODEL, "%s:%d: cut short: the sizes are missing", m->path,
                        m->line);
    }
    if (numbers(line, length, 3, size) != 3 || size[0] != floor(size[0]) || !(size[0] >= 1) ||
        !(size[0] <= INT_MAX) || !(size[2] >= 0) || !(size[2] <= INT_MAX)) {
        return wrong_line(m, line, length, "'rows columns entries'", err);
    }
    if (size[0] != size[1]) {
        return tml_fail(err, TML_E_MODEL,
                        "%s:%d: the matrix has %g rows and %g columns; it must be "
                        "square",
                        m->path, m->line, size[0], size[1]);
    }
    m->order = (int)size[0];
    *entries = (int)size[2];
    return TML_OK;
}

/* --- entries ------------------------------------------------------------------------------------ */

static bool grow(Matrix *m)
{
    int caps[4] = {m->cap, m->cap, m->cap, m->cap};
    const bool ok = tml_mem_grow((void **)&m->row, &caps[0], m->n + 1, sizeof *m->row) &&
                    tml_mem_grow((void **)&m->col, &caps[1], m->n + 1, sizeof *m->col) &&
                    tml_mem_grow((void **)&m->from, &caps[2], m->n + 1, sizeof *m->from) &&
                    tml_mem_grow((void **)&m->x, &caps[3], m->n + 1, sizeof *m->x);
    m->cap = ok ? caps[3] : m->cap;
    return ok;
}

static TmlStatus read_entry(Matrix *m, const char *line, size_t length, TmlError *err)
{
    double e[3];
    if (numbers(line, length, 3, e) != 3 || e[0] != floor(e[0]) || e[1] != floor(e[1])) {
        return wrong_line(m, line, length, "'row column value'", err);
    }
    const double most = m->header ? m->order : INT_MAX - 1;
    if (!(e[0] >= 1 && e[0] <= most && e[1] >= 1 && e[1] <= most)) {
        return tml_fail(err, TML_E_MODEL, "%s:%d: entry (%g, %g) lies outside of 1 to %g", m->path,
                        m->line, e[0], e[1], most);
    }
    if (!isfinite(e[2])) {
        return tml_fail(err, TML_E_MODEL, "%s:%d: entry (%g, %g) is not finite", m->path, m->line,
                        e[0], e[1]);
    }
    if (!grow(m)) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the entries of '%s'", m->path);
    }
    m->row[m->n] = (int)e[0] - 1;
    m->col[m->n] = (int)e[1] - 1;
    m->from[m->n] = m->line;
    m->x[m->n++] = e[2];
    if (!m->header) {
        const int larger = (int)fmax(e[0], e[1]);
        m->order = m->order > larger ? m->order : larger;
    }
    return TML_OK;
}

static TmlStatus read_entries(Matrix *m, TmlError *err)
{
    int entries = -1;
    size_t length = 0;
    if (m->header) {
        TML_TRY(read_sizes(m, &entries, err));
    }
    const char *line;
    while ((line = next_line(m, &length)) != NULL) {
        if (m->n == entries) {
            return tml_fail(err, TML_E_MODEL,
                            "%s:%d: more than the %d entries that line of sizes "
                            "promises",
                            m->path, m->line, entries);
        }
        TML_TRY(read_entry(m, line, length, err));
    }
    if (entries >= 0 && m->n < entries) {
        return tml_fail(err, TML_E_MODEL, "%s:%d: cut short: %d entries of %d", m->path, m->line,
                        m->n, entries);
    }
    return m->n > 0 ? TML_OK : tml_fail(err, TML_E_MODEL, "%s: the matrix has no entries", m->path);
}

/* --- both triangles become one ------------------------------------------------------------------ */

static TmlStatus not_symmetric(const Matrix *m, int k, double other, TmlError *err)
{
    return tml_fail(err, TML_E_MODEL,
                    "%s:%d: not symmetric: entry (%d, %d) is %.12g, and (%d, %d) is %.12g", m->path,
                    m->from[k], m->row[k] + 1, m->col[k] + 1, m->x[k], m->col[k] + 1, m->row[k] + 1,
                    other);
}

/* The lower triangle in which entries of the upper one have been seen; what both have is halved. */
static TmlStatus fold(Matrix *m, TmlArena *scratch, TmlArena *arena, TmlCsc *out, TmlError *err)
{
    bool upper = false, lower = false;
    double largest = 0.0;
    for (int k = 0; k < m->n; ++k) {
        upper = upper || m->row[k] < m->col[k];
        lower = lower || m->row[k] > m->col[k];
        largest = fmax(largest, fabs(m->x[k]));
        if (m->symmetric && m->row[k] < m->col[k]) {
            return tml_fail(err, TML_E_MODEL,
                            "%s:%d: entry (%d, %d) lies above the diagonal; a symmetric file holds "
                            "the lower triangle",
                            m->path, m->from[k], m->row[k] + 1, m->col[k] + 1);
        }
    }
    TmlCsc full;
    TML_TRY(tml_csc_triplets(m->order, m->order, m->n, m->row, m->col, m->x, scratch, &full, err));
    const bool both = upper && lower;
    for (int k = 0; k < m->n && (both || (upper && m->header)); ++k) {
        const int there = tml_csc_find(&full, m->row[k], m->col[k]);
        const int mirror = tml_csc_find(&full, m->col[k], m->row[k]);
        const double other = mirror >= 0 ? full.x[mirror] : 0.0;
        if (fabs(full.x[there] - other) > symmetric_within * largest) {
            return not_symmetric(m, k, other, err);
        }
    }
    for (int k = 0; k < m->n; ++k) {
        const int i = m->row[k], j = m->col[k];
        m->row[k] = i > j ? i : j;
        m->col[k] = i > j ? j : i;
        m->x[k] *= both && i != j ? 0.5 : 1.0;
    }
    return tml_csc_triplets(m->order, m->order, m->n, m->row, m->col, m->x, arena, out, err);
}

static TmlStatus read_matrix(Matrix *m, int order, TmlArena *scratch, TmlArena *arena, TmlCsc *out,
                             TmlError *err)
{
    TML_TRY(read_banner(m, err));
    TML_TRY(read_entries(m, err));
    if (order >= 0 && m->order > order) {
        return tml_fail(err, TML_E_MODEL, "%s: %d rows, but the nodes have %d degrees of freedom",
                        m->path, m->order, order);
    }
    if (order >= 0 && m->order < order && m->header) {
        return tml_fail(err, TML_E_MODEL, "%s: %d rows, but the nodes have %d degrees of freedom",
                        m->path, m->order, order);
    }
    m->order = order >= 0 ? order : m->order; // a list may end before the last freedoms
    return fold(m, scratch, arena, out, err);
}

TmlStatus tml_matrix_read(const char *path, int order, TmlArena *arena, TmlCsc *out, TmlError *err)
{
    char *text = NULL;
    size_t length = 0;
    TmlArena scratch = {0};
    TML_TRY(tml_input_read(path, &text, &length, err));
    Matrix m = {.path = path, .at = text};
    const TmlStatus status = read_matrix(&m, order, &scratch, arena, out, err);
    tml_arena_free(&scratch);
    tml_mem_free(m.row);
    tml_mem_free(m.col);
    tml_mem_free(m.from);
    tml_mem_free(m.x);
    tml_mem_free(text);
    return status;
}

/* --- tables of nodes ---------------------------------------------------------------------------- */

static TmlStatus read_nodes(Matrix *m, TmlArena *arena, TmlNodeTable *out, TmlError *err)
{
    const char *line, *first = m->at;
    size_t length = 0;
    int lines = 0, width = 0;
    while (next_line(m, &length) != NULL) {
        lines++;
    }
    TML_NEW(arena, out->id, lines + 1);
    TML_NEW(arena, out->x, lines + 1);
    m->at = first;
    m->line = 0;
    for (int k = 0; (line = next_line(m, &length)) != NULL; ++k) {
        double v[4];
        const int found = numbers(line, length, 4, v);
        if (found < 0 && k == 0) {
            continue; // names of columns
        }
        if ((found != 3 && found != 4) || (width > 0 && found != width)) {
            return wrong_line(m, line, length, "'x y z' or 'number x y z'", err);
        }
        width = found;
        const double *x = v + found - 3;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]) ||
            (found == 4 && !(fabs(v[0]) < 1e15 && v[0] == floor(v[0])))) {
            return wrong_line(m, line, length, "finite numbers, the first a whole one", err);
        }
        out->id[out->n] = found == 4 ? (int64_t)v[0] : out->n + 1;
        out->x[out->n++] = (TmlVec3){x[0], x[1], x[2]};
    }
    return out->n > 0 ? TML_OK : tml_fail(err, TML_E_MODEL, "%s: no nodes", m->path);
}

TmlStatus tml_node_table_read(const char *path, TmlArena *arena, TmlNodeTable *out, TmlError *err)
{
    char *text = NULL;
    size_t length = 0;
    *out = (TmlNodeTable){0};
    TML_TRY(tml_input_read(path, &text, &length, err));
    Matrix m = {.path = path, .at = text};
    const TmlStatus status = read_nodes(&m, arena, out, err);
    tml_mem_free(text);
    return status;
}
