/* io/part/part_layout.c - the arrays of a part file, one table for writing and reading. */
#include "io/part/part_layout.h"

#include <string.h>
#include <zlib.h>

#define AT(field) offsetof(TmlPart, field)

const TmlPartArray tml_part_arrays[] = {
    {"P", "M3", TML_PART_REAL, AT(P), true},
    {"G", "MM33", TML_PART_REAL, AT(G), true},
    {"rest_J", "33", TML_PART_REAL, AT(rest_J), false},
    {"rest_C", "m3", TML_PART_REAL, AT(rest_C), false},
    {"rest_M", "mm", TML_PART_REAL, AT(rest_M), false},
    {"K", "mm", TML_PART_REAL, AT(K), true},
    {"D", "mm", TML_PART_REAL, AT(D), false},
    {"hertz", "m", TML_PART_REAL, AT(hertz), true},
    {"largest", "m", TML_PART_REAL, AT(largest), true},
    {"turning", "m", TML_PART_REAL, AT(turning), true},
    {"centrifugal", "6mm", TML_PART_REAL, AT(centrifugal), false},
    {"fixed_hertz", "f", TML_PART_REAL, AT(fixed), true},
    {"effective_mass", "f6", TML_PART_REAL, AT(effective), false},
    {"physical", "m", TML_PART_INT, AT(physical), false},
    {"node_id", "n", TML_PART_LONG, AT(id), true},
    {"node_x", "n3", TML_PART_REAL, AT(x), true},
    {"shape", "nm3", TML_PART_FLOAT, AT(shape), false},
    {"stress", "nm6", TML_PART_FLOAT, AT(stress), false},
    {"elastic", "n2", TML_PART_REAL, AT(elastic), false},
    {"side", "n", TML_PART_INT, AT(side), false},
    {"element", "n", TML_PART_LONG, AT(element), false},
    {"triangles", "t3", TML_PART_INT, AT(corner), false},
    {0},
};

hid_t tml_part_h5_type(TmlPartType type)
{
    switch (type) {
    case TML_PART_FLOAT:
        return H5T_NATIVE_FLOAT;
    case TML_PART_INT:
        return H5T_NATIVE_INT32;
    case TML_PART_LONG:
        return H5T_NATIVE_INT64;
    case TML_PART_REAL:
    default:
        return H5T_NATIVE_DOUBLE;
    }
}

size_t tml_part_type_size(TmlPartType type)
{
    return type == TML_PART_FLOAT || type == TML_PART_INT ? 4 : 8;
}

int tml_part_dims(const TmlPart *p, const char *dims, hsize_t dim[TML_H5_RANK_MAX], size_t *values)
{
    int rank = 0;
    *values = 1;
    for (; dims[rank] != '\0' && rank < TML_H5_RANK_MAX; ++rank) {
        const char c = dims[rank];
        const int n = c == 'm'   ? p->m
                      : c == 'M' ? p->m + 1
                      : c == 'f' ? p->n_fixed
                      : c == 'n' ? p->n_nodes
                      : c == 't' ? p->n_triangles
                                 : c - '0';
        dim[rank] = (hsize_t)n;
        *values *= (size_t)n;
    }
    return rank;
}

static uint32_t add(uint32_t sum, const void *bytes, size_t size)
{
    return bytes != NULL ? (uint32_t)crc32_z(sum, bytes, size) : sum;
}

uint32_t tml_part_checksum(const TmlPart *p, const TmlPartFlat *flat)
{
    const size_t m = (size_t)p->m, f = (size_t)p->n_frames;
    const double numbers[14] = {p->mass,      p->size,      p->origin.x,  p->origin.y,
                                p->origin.z,  p->axes.cx.x, p->axes.cx.y, p->axes.cx.z,
                                p->axes.cy.x, p->axes.cy.y, p->axes.cy.z, p->axes.cz.x,
                                p->axes.cz.y, p->axes.cz.z};
    const int32_t counts[6] = {p->m,       p->n_frames, p->n_stiffening,
                               p->n_nodes, p->n_fixed,  p->n_triangles};
    uint32_t sum = (uint32_t)crc32_z(0, NULL, 0);
    sum = add(add(sum, counts, sizeof counts), numbers, sizeof numbers);
    for (const TmlPartArray *a = tml_part_arrays; a->name != NULL; ++a) {
        hsize_t dim[TML_H5_RANK_MAX];
        size_t values;
        const void *data;
        memcpy(&data, (const char *)p + a->offset, sizeof data);
        tml_part_dims(p, a->dims, dim, &values);
        sum = add(sum, data, values * tml_part_type_size(a->type));
    }
    sum = add(sum, flat->frame_x, 3 * f * sizeof(double));
    sum = add(sum, flat->turns, f * sizeof(int32_t));
    sum = add(sum, flat->node, f * sizeof(int64_t));
    sum = add(sum, flat->phi, 3 * m * f * sizeof(double));
    sum = add(sum, flat->psi, 3 * m * f * sizeof(double));
    sum = add(sum, flat->stiffening, m * m * (size_t)p->n_stiffening * sizeof(double));
    sum = add(sum, flat->load, m * (size_t)p->n_stiffening * sizeof(double));
    return add(sum, flat->applied, (6 + 4 * m) * (size_t)p->n_loads * sizeof(double));
}
