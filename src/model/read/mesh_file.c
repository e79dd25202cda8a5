/* model/read/mesh_file.c - triangles from an STL file (text or binary) or an OBJ file.
 *
 * STL repeats the corners of each triangle; equal ones become one vertex. Of OBJ the vertices and
 * faces are read; faces with more than three corners become fans. Files are data of others: every
 * number is checked, and what cannot be drawn is an error with its line or triangle.
 */
#include "model/read/mesh_file.h"
#include "base/input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEAD = 84, FACET = 50 };

typedef struct Reader {
    TmlTriangles *to;
    int cap_vertices, cap_triangles;
    double scale;
    int32_t *slot; // table of vertices by their bits; -1: free
    int n_slots;
    bool nomem;
} Reader;

/* --- vertices and triangles ---------------------------------------------------------------- */

static int add_vertex(Reader *r, const float x[3])
{
    TmlTriangles *t = r->to;
    if (!tml_mem_grow((void **)&t->vertex, &r->cap_vertices, t->n_vertices + 1, 3 * sizeof *x)) {
        r->nomem = true;
        return 0;
    }
    memcpy(t->vertex + 3 * (size_t)t->n_vertices, x, 3 * sizeof *x);
    return t->n_vertices++;
}

static void add_triangle(Reader *r, const int32_t corner[3])
{
    TmlTriangles *t = r->to;
    if (!tml_mem_grow((void **)&t->triangle, &r->cap_triangles, t->n_triangles + 1,
                      3 * sizeof *corner)) {
        r->nomem = true;
        return;
    }
    memcpy(t->triangle + 3 * (size_t)t->n_triangles++, corner, 3 * sizeof *corner);
}

static uint32_t bits_hash(const float x[3])
{
    uint32_t word[3], h = 2166136261u;
    memcpy(word, x, sizeof word);
    for (int k = 0; k < 3; ++k) {
        h = (h ^ word[k]) * 16777619u;
        h ^= h >> 13;
    }
    return h;
}

static bool table_grow(Reader *r)
{
    const int n = r->n_slots > 0 ? 2 * r->n_slots : 1024;
    int32_t *slot = tml_mem_resize(NULL, (size_t)n * sizeof *slot);
    if (slot == NULL) {
        return false;
    }
    memset(slot, 0xff, (size_t)n * sizeof *slot);
    for (int k = 0; k < r->to->n_vertices; ++k) {
        uint32_t at = bits_hash(r->to->vertex + 3 * (size_t)k) & (uint32_t)(n - 1);
        while (slot[at] >= 0) {
            at = (at + 1) & (uint32_t)(n - 1);
        }
        slot[at] = k;
    }
    tml_mem_free(r->slot);
    r->slot = slot;
    r->n_slots = n;
    return true;
}

static bool same_bits(const float *a, const float *b)
{
    uint32_t x[3], y[3];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

/* The vertex with these bits, new or known. */
static int shared_vertex(Reader *r, const float x[3])
{
    if (2 * r->to->n_vertices >= r->n_slots && !table_grow(r)) {
        r->nomem = true;
        return 0;
    }
    uint32_t at = bits_hash(x) & (uint32_t)(r->n_slots - 1);
    while (r->slot[at] >= 0) {
        if (same_bits(r->to->vertex + 3 * (size_t)r->slot[at], x)) {
            return r->slot[at];
        }
        at = (at + 1) & (uint32_t)(r->n_slots - 1);
    }
    return r->slot[at] = add_vertex(r, x);
}

static bool scaled(const Reader *r, const double x[3], float out[3])
{
    for (int k = 0; k < 3; ++k) {
        const double value = r->scale * x[k];
        if (!(fabs(value) < 1e30)) {
            return false;
        }
        out[k] = (float)value + 0.0f; // no negative zero: equal corners have equal bits
    }
    return true;
}

/* --- STL ----------------------------------------------------------------------------------- */

static TmlStatus read_stl_binary(Reader *r, const char *data, size_t size, TmlError *err)
{
    const size_t n = (size - HEAD) / FACET;
    for (size_t k = 0; k < n && !r->nomem; ++k) {
        float raw[9], x[3];
        int32_t corner[3];
        memcpy(raw, data + HEAD + FACET * k + 12, sizeof raw);
        for (int c = 0; c < 3; ++c) {
            const double value[3] = {(double)raw[3 * c], (double)raw[3 * c + 1],
                                     (double)raw[3 * c + 2]};
            if (!scaled(r, value, x)) {
                return tml_fail(err, TML_E_MODEL, "triangle %zu has a corner that is no number",
                                k + 1);
            }
            corner[c] = shared_vertex(r, x);
        }
        add_triangle(r, corner);
    }
    return TML_OK;
}

static TmlStatus read_stl_text(Reader *r, const char *data, TmlError *err)
{
    int line = 0, corners = 0;
    int32_t corner[3];
    for (const char *at = data; *at != '\0' && !r->nomem;) {
        const char *end = strchrnul(at, '\n');
        double value[3];
        float x[3];
        line++;
        at += strspn(at, " \t");
        if (strncasecmp(at, "vertex", 6) == 0) {
            if (sscanf(at + 6, "%lf %lf %lf", &value[0], &value[1], &value[2]) != 3 ||
                !scaled(r, value, x)) {
                return tml_fail(err, TML_E_MODEL, "line %d: a vertex needs three numbers", line);
            }
            corner[corners % 3] = shared_vertex(r, x);
            if (++corners % 3 == 0) {
                add_triangle(r, corner);
            }
        } else if (strncasecmp(at, "endloop", 7) == 0 && corners % 3 != 0) {
            return tml_fail(err, TML_E_MODEL, "line %d: a facet has no three corners", line);
        }
        at = *end != '\0' ? end + 1 : end;
    }
    return TML_OK;
}

/* Binary files may start with "solid" too: their length tells. */
static TmlStatus read_stl(Reader *r, const char *data, size_t size, TmlError *err)
{
    uint32_t n = 0;
    if (size >= HEAD) {
        memcpy(&n, data + HEAD - 4, sizeof n);
        if (size == HEAD + FACET * (size_t)n) {
            return read_stl_binary(r, data, size, err);
        }
    }
    if (strncasecmp(data, "solid", 5) == 0) {
        return read_stl_text(r, data, err);
    }
    return tml_fail(err, TML_E_MODEL, "neither a text nor a binary STL file (%zu bytes)", size);
}

/* --- OBJ ----------------------------------------------------------------------------------- */

/* One corner "v", "v/vt", "v//vn"; negative numbers count back from the last vertex. */
static bool obj_corner(const Reader *r, const char **at, int32_t *out)
{
    char *end = NULL;
    const long v = strtol(*at, &end, 10);
    if (end == *at) {
        return false;
    }
    *at = end + strcspn(end, " \t\r\n");
    const long index = v < 0 ? r->to->n_vertices + v : v - 1;
    *out = (int32_t)index;
    return v != 0 && index >= 0 && index < r->to->n_vertices;
}

static bool obj_face(Reader *r, const char *at)
{
    int32_t corner[3] = {0}, next;
    int n = 0;
    for (at += strspn(at, " \t"); *at != '\0' && *at != '\n' && *at != '\r' && *at != '#';
         at += strspn(at, " \t")) {
        if (!obj_corner(r, &at, &next)) {
            return false;
        }
        if (n >= 2) {
            corner[2] = next;
            add_triangle(r, corner);
            corner[1] = next;
        } else {
            corner[n] = next;
        }
        n++;
    }
    return n >= 3;
}

static TmlStatus read_obj(Reader *r, const char *data, TmlError *err)
{
    int line = 0;
    for (const char *at = data; *at != '\0' && !r->nomem;) {
        const char *end = strchrnul(at, '\n');
        double value[3];
        float x[3];
        line++;
        at += strspn(at, " \t");
        if (at[0] == 'v' && (at[1] == ' ' || at[1] == '\t')) {
            if (sscanf(at + 1, "%lf %lf %lf", &value[0], &value[1], &value[2]) != 3 ||
                !scaled(r, value, x)) {
                return tml_fail(err, TML_E_MODEL, "line %d: a vertex needs three numbers", line);
            }
            add_vertex(r, x);
        } else if (at[0] == 'f' && (at[1] == ' ' || at[1] == '\t') && !obj_face(r, at + 1)) {
            return tml_fail(err, TML_E_MODEL,
                            "line %d: a face needs three or more vertices that stand above it",
                            line);
        }
        at = *end != '\0' ? end + 1 : end;
    }
    return TML_OK;
}

/* --- the file ------------------------------------------------------------------------------ */

TmlStatus tml_triangles_read(const char *path, double scale, TmlTriangles *out, TmlError *err)
{
    *out = (TmlTriangles){0};
    Reader r = {.to = out, .scale = scale};
    char *data = NULL;
    size_t size = 0;
    const char *dot = strrchr(path, '.');
    TmlStatus status = tml_input_read(path, &data, &size, err);
    if (status == TML_E_IO) {
        status = TML_E_MODEL; // the model names it
        err->status = status;
    }
    if (status == TML_OK) {
        status = dot != NULL && strcasecmp(dot, ".obj") == 0 ? read_obj(&r, data, err)
                                                             : read_stl(&r, data, size, err);
        if (status == TML_OK && r.nomem) {
            status = tml_fail(err, TML_E_NOMEM, "out of memory");
        } else if (status == TML_OK && out->n_triangles == 0) {
            status = tml_fail(err, TML_E_MODEL, "there is no triangle in it");
        }
        if (status != TML_OK) {
            status = tml_fail_ctx(err, status, "'%s'", path);
        }
    }
    tml_mem_free(r.slot);
    tml_mem_free(data);
    return status;
}

void tml_triangles_free(TmlTriangles *t)
{
    tml_mem_free(t->vertex);
    tml_mem_free(t->triangle);
    *t = (TmlTriangles){0};
}
