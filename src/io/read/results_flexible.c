/* io/read/results_flexible.c - flexible bodies of a result file.
 *
 *   (F1)  r(p) = sum over the vectors v of the element's nodes of w(p, v) x(v)              own
 */
#include "io/read/results_flexible.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { POINTS_MAX = INT_MAX / 3 }; // more are damage; 3 numbers of each are counted by an int

/* A fixed array whole. */
static TmlStatus read_fixed(hid_t group, const char *name, hid_t type, size_t n, void *out,
                            TmlError *err)
{
    TmlH5Array a;
    if (!tml_h5_array_open(group, name, &a)) {
        return tml_h5_fail(err, "no dataset '%s'", name);
    }
    const TmlStatus status =
        (size_t)a.dim[0] * tml_h5_array_row(&a) == n
            ? tml_h5_array_read(&a, type, 0, (int64_t)a.dim[0], out, err)
            : tml_fail(err, TML_E_IO, "damaged: '%s' has an unexpected shape", name);
    tml_h5_array_close(&a);
    return status;
}

static TmlStatus texts_of(TmlResultFile *f, hid_t set, const char *name, int n,
                          const char *const **out, TmlError *err)
{
    int found = 0;
    TML_TRY(tml_h5_attr_list(&f->arena, set, name, &found, out, err));
    return found == n ? TML_OK
                      : tml_fail(err, TML_E_IO, "damaged: attribute '%s' has %d texts, not %d",
                                 name, found, n);
}

static TmlStatus values_open(TmlResultFile *f, hid_t group, TmlResultFlexible *b, TmlError *err)
{
    static const char *const names[TML_RESULT_VALUES] = {"strain", "stress"};
    for (int s = 0; s < TML_RESULT_VALUES; ++s) {
        TmlH5Array *a = &b->value[s];
        if (!tml_h5_array_open(group, names[s], a)) {
            continue;
        }
        if (a->rank != 4 || a->dim[1] != (hsize_t)b->elements || a->dim[2] != (hsize_t)b->points) {
            return tml_fail(err, TML_E_IO, "damaged: '%s' has an unexpected shape", names[s]);
        }
        if ((int64_t)a->dim[0] < f->rows) {
            tml_h5_array_refresh(a);
        }
        b->columns[s] = (int)a->dim[3];
        TML_TRY(texts_of(f, a->id, "columns", b->columns[s], &b->column[s], err));
        TML_TRY(texts_of(f, a->id, "units", b->columns[s], &b->unit[s], err));
        TML_NEW(&f->arena, b->row[s], tml_h5_array_row(a));
    }
    return TML_OK;
}

/* Connectivity and weights (F1); numbers of nodes are checked, for they become places in x. */
static TmlStatus mesh_read(TmlResultFile *f, hid_t group, TmlResultFlexible *b, TmlError *err)
{
    TmlH5Array weights;
    if (!tml_h5_array_open(group, "weights", &weights) || weights.rank != 3) {
        tml_h5_array_close(&weights);
        return tml_fail(err, TML_E_IO, "damaged: no weights");
    }
    b->elements = (int)weights.dim[0];
    b->points = (int)weights.dim[1];
    b->vectors = (int)weights.dim[2];
    tml_h5_array_close(&weights);
    const int per_node = (int)b->nodes.dim[2];
    b->element_nodes = per_node > 0 ? b->vectors / per_node : 0;
    if (per_node <= 0 || b->vectors % per_node != 0) {
        return tml_fail(err, TML_E_IO, "damaged: 'weights' has an unexpected shape");
    }
    const size_t points = (size_t)b->elements * (size_t)b->points;
    const size_t n_node = (size_t)b->elements * (size_t)b->element_nodes;
    if (points > POINTS_MAX || tml_h5_array_row(&b->nodes) > POINTS_MAX) {
        return tml_fail(err, TML_E_IO, "damaged: %zu points", points);
    }
    TML_NEW(&f->arena, b->weight, points * (size_t)b->vectors);
    TML_NEW(&f->arena, b->node, n_node);
    TML_NEW(&f->arena, b->r, 3 * points);
    TML_NEW(&f->arena, b->start, 3 * points);
    TML_TRY(read_fixed(group, "weights", H5T_NATIVE_DOUBLE, points * (size_t)b->vectors, b->weight,
                       err));
    TML_TRY(read_fixed(group, "elements", H5T_NATIVE_INT32, n_node, b->node, err));
    for (size_t k = 0; k < n_node; ++k) {
        if (b->node[k] < 0 || (hsize_t)b->node[k] >= b->nodes.dim[1]) {
            return tml_fail(err, TML_E_IO, "damaged: 'elements' names node %d", (int)b->node[k]);
        }
    }
    return TML_OK;
}

static TmlStatus body_fill(TmlResultFile *f, hid_t group, TmlResultFlexible *b, TmlError *err)
{
    const char *shape;
    TML_TRY(tml_h5_attr_one(&f->arena, group, "shape", &shape, err));
    const double dim = tml_h5_attr_value(group, "dim");
    if (isnan(dim) || shape == NULL || !tml_h5_array_open(group, "nodes", &b->nodes) ||
        b->nodes.rank != 4 || b->nodes.dim[3] != 3) {
        return tml_fail(err, TML_E_IO, "damaged: no shape, dim or nodes");
    }
    b->patch = strcmp(shape, "patch") == 0;
    b->plane = dim < 3.0;
    if ((int64_t)b->nodes.dim[0] < f->rows) {
        tml_h5_array_refresh(&b->nodes); // it was looked at before /time was
    }
    TML_NEW(&f->arena, b->x, tml_h5_array_row(&b->nodes));
    TML_TRY(mesh_read(f, group, b, err));
    return values_open(f, group, b, err);
}

TmlStatus tml_result_flexible(TmlResultFile *f, int *n, TmlResultFlexible **out, TmlError *err)
{
    const int count = tml_h5_links(f->file, "flexible");
    *n = 0;
    if (count < 0) {
        return tml_h5_fail(err, "damaged: cannot read group 'flexible'");
    }
    TML_NEW(&f->arena, *out, count);
    for (int k = 0; k < count; ++k) {
        const hid_t group = tml_h5_link_open(f->file, "flexible", k);
        if (group < 0) {
            return tml_h5_fail(err, "cannot read group 'flexible'");
        }
        TmlResultFlexible *b = &(*out)[(*n)++];
        TmlStatus status = tml_h5_attr_one(&f->arena, group, "name", &b->name, err);
        if (status == TML_OK) {
            status = b->name != NULL ? body_fill(f, group, b, err)
                                     : tml_fail(err, TML_E_IO, "damaged: a body has no name");
        }
        H5Oclose(group);
        if (status != TML_OK) {
            return tml_fail_ctx(err, status, "flexible body '%s'", b->name != NULL ? b->name : "");
        }
    }
    return TML_OK;
}

void tml_result_flexible_close(int n, TmlResultFlexible *bodies)
{
    for (int k = 0; k < n; ++k) {
        tml_h5_array_close(&bodies[k].nodes);
        for (int s = 0; s < TML_RESULT_VALUES; ++s) {
            tml_h5_array_close(&bodies[k].value[s]);
        }
    }
}

/* (F1) */
static void positions(TmlResultFlexible *b)
{
    const int per_node = (int)b->nodes.dim[2];
    double *r = b->r;
    for (int p = 0; p < b->elements * b->points; ++p, r += 3) {
        const double *w = b->weight + (size_t)p * (size_t)b->vectors;
        const int32_t *node = b->node + (size_t)(p / b->points) * (size_t)b->element_nodes;
        r[0] = r[1] = r[2] = 0.0;
        for (int v = 0; v < b->vectors; ++v) {
            const double *x = b->x + 3 * (node[v / per_node] * per_node + v % per_node);
            for (int c = 0; c < 3; ++c) {
                r[c] += w[v] * x[c];
            }
        }
    }
}

TmlStatus tml_result_flexible_row(TmlResultFlexible *b, int64_t k, TmlError *err)
{
    TML_TRY(tml_h5_array_read(&b->nodes, H5T_NATIVE_DOUBLE, k, 1, b->x, err));
    for (int s = 0; s < TML_RESULT_VALUES; ++s) {
        if (b->value[s].id > 0) {
            TML_TRY(tml_h5_array_read(&b->value[s], H5T_NATIVE_DOUBLE, k, 1, b->row[s], err));
        }
    }
    positions(b);
    if (k == 0) {
        memcpy(b->start, b->r, 3 * (size_t)(b->elements * b->points) * sizeof *b->r);
    }
    return TML_OK;
}
