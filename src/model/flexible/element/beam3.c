/* model/flexible/element/beam3.c - three-node beam, quadratic along the axis: r, r_y, r_z at each node.
 *
 * x from 0 to l along the axis, y and z across, xi = x/l; nodes at xi = 0, 1/2, 1:
 *
 *   (Q1)  N = 1 - 3 xi + 2 xi^2,  4 xi - 4 xi^2,  2 xi^2 - xi;   S = N, y N, z N of each node
 *
 * No r_x at the nodes: it follows from the positions, so that axial strain may jump where sections
 * or loads do, and a node needs nine numbers instead of twelve.
 *
 * Formulation `enhanced` (the usual one): with the strains E of solid_beam.h in the axes of the
 * section and those of elastic_line.h
 *
 *   (Q2)  E E_xx^2 / 2 over section and axis                                2 Gauss points
 *   (Q3)  Poisson's effect, (D - E 1) of the normal strains, on the axis    2 Gauss points
 *   (Q4)  shear k_y G A, k_z G A of (E4), torsion G J of (E3)               2 Gauss points
 *   (Q5)  the section's own strains E A, E A, G A of (E5)                   three nodes
 *   (Q6)  their change along the axis: r_y' . r_y, r_z' . r_z, (r_y' . r_z + r_z' . r_y)/2 with
 *         k_y G Iz, k_z G Iy, G (Iy + Iz)                                   2 Gauss points
 *
 * Two points along the axis are where shear and axial strain of a quadratic element vanish in
 * bending: no shear or membrane locking. Poisson's effect on the axis does not resist bending, and
 * sections are held at the nodes, where they are vectors of their own: neither locks. Torsion has
 * the constant J of the section instead of Iy + Iz. (Q6) is the rest of the shear over the section;
 * without it a strongly bent beam of elements much shorter than its height buckles in its
 * thickness.                                                                                own
 *
 * Formulation `elastic_line`: resultants of a rod, with constants that do not change with the
 * strain: E A of (E1), E Iy and E Iz of (E8) at 2 Gauss points, with (Q4), (Q5) and (Q6), or a full
 * stiffness matrix of these six (E9), which are all measured at the same points. Linear
 * r_y, r_z of two-node beams are shorter between nodes that turn; quadratic ones keep rotary
 * inertia.
 *
 * Formulation `continuum`: the full law of the material at all points, two along the axis; bending
 * is too stiff (Poisson's effect is held). It is there for mooney_rivlin.
 */
#include "model/flexible/flexible.h"

#include "base/fail.h"
#include "model/flexible/mechanics/elastic_line.h"
#include "model/flexible/mechanics/solid_beam.h"
#include "model/registry.h"

#include <stddef.h>
#include <string.h>

enum { VECTORS = 9, SIZE = 27, STATIONS = 2 };

typedef struct Table {
    double length, M[VECTORS * VECTORS], w[VECTORS];
    double reference[SIZE];
    TmlStationMap map;
    TmlSolid law, axis_law; /* of the strain output */
    bool solid_counts;      /* not with elastic_line */
    TmlBeamSolid solid;     /* (Q2), (Q3) */
    TmlBeamLine *line;      /* (Q4) to (Q6), resultants; NULL: continuum */
} Table;

/* (Q1) for y = z = 1 and derivatives, as station.h wants them. */
static void station_shape(double l, double xi, TmlStation *out)
{
    const double N[3] = {1.0 - 3.0 * xi + 2.0 * xi * xi, 4.0 * xi - 4.0 * xi * xi,
                         2.0 * xi * xi - xi};
    const double D[3] = {(4.0 * xi - 3.0) / l, (4.0 - 8.0 * xi) / l, (4.0 * xi - 1.0) / l};
    const double DD[3] = {4.0 / (l * l), -8.0 / (l * l), 4.0 / (l * l)};
    *out = (TmlStation){0};
    for (int i = 0; i < VECTORS; ++i) {
        const int k = i / 3;
        out->s[i] = N[k];
        out->p[i] = i % 3 == 0 ? D[k] : N[k];
        out->q[i] = i % 3 == 0 ? DD[k] : D[k];
    }
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

static TmlStatus beam_prepare(const TmlFlexData *data, const TmlFlexReference *ref, TmlArena *arena,
                              const void *last, const void **table, TmlError *err)
{
    static const TmlFlexKind kind[3] = {TML_FLEX_R, TML_FLEX_RY, TML_FLEX_RZ};
    enum { ALWAYS = TML_LINE_SHEARS | TML_LINE_CHANGES | 1 << TML_LINE_TWIST };
    static const TmlLineRule enhanced[] = {
        {ALWAYS, STATIONS, false}, {TML_LINE_SECTIONS, 3, true}, {0}};
    static const TmlLineRule resultants[] = {
        {ALWAYS | 1 << TML_LINE_AXIAL | TML_LINE_TURNS, STATIONS, false},
        {TML_LINE_SECTIONS, 3, true},
        {0}};
    const bool line = data->formulation == TML_FORM_ELASTIC_LINE;
    Table *t;
    (void)last;
    TML_NEW(arena, t, 1);
    t->length = ref->size[0];
    t->map = t->solid.map = tml_station_map(3, 3, kind);
    memcpy(t->reference, ref->x, sizeof t->reference);
    TML_TRY(tml_beam_solid_init(&t->solid, data, ref, station_shape, STATIONS, err));
    t->solid_counts = !line;
    if (data->formulation != TML_FORM_CONTINUUM) {
        t->solid.law = (TmlSolid){.N = {{data->material.E}}, .tau = data->material.damping}; // (Q2)
        TML_NEW(arena, t->line, 1);
        t->line->map = t->map;
        TML_TRY(tml_beam_line_init(t->line, data, ref, station_shape, line ? resultants : enhanced,
                                   err));
    }
    tml_beam_split_law(data, &t->law, &t->axis_law);
    tml_beam_mass(&t->map, data, ref, station_shape, t->M, t->w);
    *table = t;
    return TML_OK;
}

static void beam_force(const TmlFlexIn *in, double *f)
{
    const Table *t = in->table;
    if (t->solid_counts) {
        tml_beam_solid_force(&t->solid, in->x, in->v, f);
    } else {
        memset(f, 0, SIZE * sizeof *f);
    }
    if (t->line != NULL) {
        tml_beam_line_force(t->line, in->x, in->v, f);
    }
}

static void beam_tangent(const TmlFlexIn *in, double c_q, double c_v, double *K)
{
    const Table *t = in->table;
    if (t->solid_counts) {
        tml_beam_solid_tangent(&t->solid, in, c_q, c_v, K);
    } else {
        memset(K, 0, (size_t)SIZE * SIZE * sizeof *K);
    }
    if (t->line != NULL) {
        tml_beam_line_tangent(t->line, in, c_q, c_v, K);
    }
}

static double beam_energy(const TmlFlexIn *in)
{
    const Table *t = in->table;
    return (t->solid_counts ? tml_beam_solid_energy(&t->solid, in->x) : 0.0) +
           (t->line != NULL ? tml_beam_line_energy(t->line, in->x) : 0.0);
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
    return tml_beam_solid_volume(&((const Table *)in->table)->solid, in->x);
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

TML_FLEX_TYPE(beam3) = {
    .info =
        {.name = "beam3",
         .text =
             "Beam of three-node elements, quadratic along the axis, with position and two section "
             "gradients per node; formulation enhanced (default), elastic_line or continuum.",
         .outputs = tml_beam_outputs},
    .topology = TML_FLEX_LINE,
    .dim = 3,
    .nodes = 3,
    .vectors = 3,
    .kind = {TML_FLEX_R, TML_FLEX_RY, TML_FLEX_RZ},
    .standard = TML_FORM_ENHANCED,
    .couples = true,
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
