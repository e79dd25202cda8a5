/* model/flexible/element/beam.c - fully parameterised beam, two nodes with r, r_x, r_y, r_z.
 *
 * x from 0 to l along the axis, y and z across, xi = x/l, r = sum S_i x_i:
 *
 *   (B1)  S = 1 - 3 xi^2 + 2 xi^3,  l (xi - 2 xi^2 + xi^3),  y (1 - xi),  z (1 - xi),
 *             3 xi^2 - 2 xi^3,      l (xi^3 - xi^2),         y xi,        z xi
 *
 * Formulations: `continuum`, the solid of solid_beam.h with 5 Gauss points along the axis and full
 * points over the section, exact for straight elements; `enhanced`, the same with Poisson's effect
 * on the axis only and shear factors; `elastic_line`, the resultants of elastic_line.h.
 *
 * docs/theory/ancf.md says where each is good.
 */
#include "model/flexible/flexible.h"

#include "base/fail.h"
#include "model/flexible/mechanics/elastic_line.h"
#include "model/flexible/mechanics/solid_beam.h"
#include "model/registry.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { VECTORS = 8, SIZE = 24, STATIONS = 5 };

typedef struct Table {
    double length, M[VECTORS * VECTORS], w[VECTORS];
    double reference[SIZE];
    TmlStationMap map;
    TmlSolid law, axis_law; /* of the strain output */
    TmlBeamSolid *solid;    /* one of the two */
    TmlBeamLine *line;
} Table;

/* Shape functions for y = z = 1 and their derivatives, as station.h wants them. */
static void station_shape(double l, double xi, TmlStation *out)
{
    const double x2 = xi * xi, x3 = x2 * xi;
    *out = (TmlStation){
        .s = {1.0 - 3.0 * x2 + 2.0 * x3, l * (xi - 2.0 * x2 + x3), 1.0 - xi, 1.0 - xi,
              3.0 * x2 - 2.0 * x3, l * (x3 - x2), xi, xi},
        .p = {(6.0 * x2 - 6.0 * xi) / l, 1.0 - 4.0 * xi + 3.0 * x2, 1.0 - xi, 1.0 - xi,
              (6.0 * xi - 6.0 * x2) / l, 3.0 * x2 - 2.0 * xi, xi, xi},
        .q = {(12.0 * xi - 6.0) / (l * l), (6.0 * xi - 4.0) / l, -1.0 / l, -1.0 / l,
              (6.0 - 12.0 * xi) / (l * l), (6.0 * xi - 2.0) / l, 1.0 / l, 1.0 / l},
    };
}

static TmlStatus beam_check(const TmlFlexData *data, TmlError *err)
{
    if (data->section.kind == TML_CROSS_PLATE) {
        return tml_fail(err, TML_E_MODEL,
                        "a beam needs a section with height and width, radius, or area, Iy, Iz");
    }
    if (data->material.model != TML_MATERIAL_ELASTIC && data->formulation != TML_FORM_CONTINUUM) {
        return tml_fail(err, TML_E_MODEL,
                        "the material mooney_rivlin needs the formulation 'continuum'");
    }
    return TML_OK;
}

/* The element before, moved only: as along a straight line. */
static bool same_shape(const Table *last, const TmlFlexReference *ref)
{
    bool same = last != NULL && last->length == ref->size[0];
    for (int k = 0; k < SIZE && same; ++k) {
        const bool point = k / 3 % 4 == 0;
        const double a = last->reference[k] - (point ? last->reference[k % 3] : 0.0);
        const double b = ref->x[k] - (point ? ref->x[k % 3] : 0.0);
        same = fabs(a - b) <= 1e-13 * (point ? last->length : 1.0); // roundings of places
    }
    return same;
}

static TmlStatus beam_prepare(const TmlFlexData *data, const TmlFlexReference *ref, TmlArena *arena,
                              const void *last, const void **table, TmlError *err)
{
    static const TmlFlexKind kind[4] = {TML_FLEX_R, TML_FLEX_RX, TML_FLEX_RY, TML_FLEX_RZ};
    static const TmlLineRule rules[] = {
        {TML_LINE_ALONG | 1 << TML_LINE_TWIST, 3, false},
        {TML_LINE_SHEARS | TML_LINE_SECTIONS | TML_LINE_ANGLES, 2, true},
        {0}};
    Table *t;
    TML_NEW(arena, t, 1);
    *table = t;
    if (same_shape(last, ref)) {
        memcpy(t, last, sizeof *t); // and with it the large tables
        memcpy(t->reference, ref->x, sizeof t->reference);
        return TML_OK;
    }
    t->length = ref->size[0];
    t->map = tml_station_map(2, 4, kind);
    memcpy(t->reference, ref->x, sizeof t->reference);
    if (data->formulation == TML_FORM_ELASTIC_LINE) {
        TML_NEW(arena, t->line, 1);
        t->line->map = t->map;
        TML_TRY(tml_beam_line_init(t->line, data, ref, station_shape, rules, err));
    } else {
        TML_NEW(arena, t->solid, 1);
        t->solid->map = t->map;
        TML_TRY(tml_beam_solid_init(t->solid, data, ref, station_shape, STATIONS, err));
    }
    tml_beam_split_law(data, &t->law, &t->axis_law);
    tml_beam_mass(&t->map, data, ref, station_shape, t->M, t->w);
    return TML_OK;
}

static void beam_force(const TmlFlexIn *in, double *f)
{
    const Table *t = in->table;
    if (t->line != NULL) {
        memset(f, 0, SIZE * sizeof *f);
        tml_beam_line_force(t->line, in->x, in->v, f);
    } else {
        tml_beam_solid_force(t->solid, in->x, in->v, f);
    }
}

static void beam_tangent(const TmlFlexIn *in, double c_q, double c_v, double *K)
{
    const Table *t = in->table;
    if (t->line != NULL) {
        memset(K, 0, (size_t)(SIZE * SIZE) * sizeof *K);
        tml_beam_line_tangent(t->line, in, c_q, c_v, K);
    } else {
        tml_beam_solid_tangent(t->solid, in, c_q, c_v, K);
    }
}

static double beam_energy(const TmlFlexIn *in)
{
    const Table *t = in->table;
    return t->line != NULL ? tml_beam_line_energy(t->line, in->x)
                           : tml_beam_solid_energy(t->solid, in->x);
}

static void beam_shape(const TmlFlexData *data, const void *table, const double xi[3],
                       TmlFlexKind what, double *s)
{
    const Table *t = table;
    TmlStation at;
    (void)data;
    station_shape(t->length, xi[0], &at);
    tml_beam_weights(&t->map, &at, xi, what, s);
}

static double beam_volume(const TmlFlexIn *in)
{
    const Table *t = in->table;
    return t->line != NULL ? tml_beam_line_volume(t->line, in->x)
                           : tml_beam_solid_volume(t->solid, in->x);
}

static void beam_strain(const TmlFlexIn *in, const double xi[3], double *value)
{
    const Table *t = in->table;
    TmlStation at;
    station_shape(t->length, xi[0], &at);
    tml_beam_values(&t->map, &at, t->reference, in->x, xi, &t->law, &t->axis_law, value);
}

static void beam_resultant(const TmlFlexIn *in, double xi, double *value)
{
    tml_beam_line_resultants(((const Table *)in->table)->line, in, xi, value);
}

TML_FLEX_TYPE(beam) = {
    .info = {.name = "beam",
             .text = "Beam of two-node elements, with position and three gradients per node; "
                     "formulation continuum, enhanced or elastic_line.",
             .outputs = tml_beam_outputs},
    .topology = TML_FLEX_LINE,
    .dim = 3,
    .nodes = 2,
    .vectors = 4,
    .kind = {TML_FLEX_R, TML_FLEX_RX, TML_FLEX_RY, TML_FLEX_RZ},
    .check = beam_check,
    .prepare = beam_prepare,
    .mass = offsetof(Table, M),
    .weight = offsetof(Table, w),
    .force = beam_force,
    .tangent = beam_tangent,
    .energy = beam_energy,
    .shape = beam_shape,
    .volume = beam_volume,
    .strain = beam_strain,
    .resultants = tml_line_resultants,
    .resultant = beam_resultant,
};
