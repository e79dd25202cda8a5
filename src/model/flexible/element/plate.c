/* model/flexible/element/plate.c - plate or thick shell, four nodes with r, r_x, r_y, r_z.
 *
 * Shape functions (P1) to (P3) of patch.h; formulations `enhanced` (the usual one) and
 * `continuum` of plate.h. `continuum` takes any material and is too stiff in bending by
 * (1 - nu)^2/(1 - 2 nu), since the thickness cannot follow Poisson's effect; docs/theory/ancf.md.
 */
#include "model/flexible/flexible.h"
#include "model/registry.h"

#include "base/fail.h"
#include "math/gauss.h"
#include "model/flexible/mechanics/plate.h"

#include <stddef.h>
#include <string.h>

enum { VECTORS = TML_PLATE_VECTORS, SIZE = TML_PLATE_SIZE };

typedef struct Table {
    double size[2], M[VECTORS * VECTORS], w[VECTORS];
    double reference[SIZE];
    TmlSolid law;        /* of the output */
    TmlPlateSolid solid; /* volumes, and all of `continuum` */
    TmlPlateTied *tied;  /* `enhanced`; else NULL */
} Table;

static TmlStatus plate_check(const TmlFlexData *data, TmlError *err)
{
    if (data->section.kind != TML_CROSS_PLATE) {
        return tml_fail(err, TML_E_MODEL, "a plate needs a section with 'thickness'");
    }
    if (data->formulation == TML_FORM_ELASTIC_LINE) {
        return tml_fail(err, TML_E_MODEL,
                        "a plate has the formulations 'enhanced' and 'continuum' only");
    }
    if (data->material.model != TML_MATERIAL_ELASTIC && data->formulation != TML_FORM_CONTINUUM) {
        return tml_fail(err, TML_E_MODEL,
                        "the material mooney_rivlin needs the formulation 'continuum'");
    }
    return TML_OK;
}

static void shape_values(const double size[2], const double xi[3], TmlFlexKind what, double *s)
{
    const int dx = what == TML_FLEX_RX, dy = what == TML_FLEX_RY;
    double director[VECTORS];
    if (what == TML_FLEX_RZ) {
        tml_patch_director(size, xi, 0, 0, s);
        return;
    }
    tml_patch_surface(4, size, xi, dx, dy, s);
    tml_patch_director(size, xi, dx, dy, director);
    for (int i = 0; i < VECTORS; ++i) {
        s[i] += xi[2] * director[i];
    }
}

/* One point of the mass; 6 x 6 x 3 points are exact for flat plates. */
static void add_mass(Table *t, const TmlFlexData *data, const double xi[3], double weight)
{
    TmlPatchStation st;
    TmlPatchSlots g;
    double T[9], s[VECTORS];
    tml_plate_station(t->size, xi, &st);
    tml_patch_gather(VECTORS, &st, t->reference, g);
    shape_values(t->size, xi, TML_FLEX_R, s);
    const double m = data->material.density * data->section.height * weight * t->size[0] *
                     t->size[1] * tml_plate_reference(g, xi[2], T);
    for (int i = 0; i < VECTORS; ++i) {
        t->w[i] += m * s[i];
        for (int j = 0; j < VECTORS; ++j) {
            t->M[i * VECTORS + j] += m * s[i] * s[j];
        }
    }
}

static void fill_mass(Table *t, const TmlFlexData *data)
{
    enum { N = TML_GAUSS_MAX, LAYERS = 3 };
    double x[N], w[N], z[LAYERS], w_z[LAYERS];
    tml_gauss(N, x, w);
    tml_gauss(LAYERS, z, w_z);
    for (int k = 0; k < N * N * LAYERS; ++k) {
        const int i = k / (N * LAYERS), j = k / LAYERS % N, l = k % LAYERS;
        const double xi[3] = {x[i], x[j], data->section.height * (z[l] - 0.5)};
        add_mass(t, data, xi, w[i] * w[j] * w_z[l]);
    }
}

static TmlStatus plate_prepare(const TmlFlexData *data, const TmlFlexReference *ref,
                               TmlArena *arena, const void *last, const void **table, TmlError *err)
{
    Table *t;
    (void)last;
    TML_NEW(arena, t, 1);
    memcpy(t->size, ref->size, sizeof t->size);
    memcpy(t->reference, ref->x, sizeof t->reference);
    t->law = tml_solid_isotropic(&data->material);
    TML_TRY(tml_plate_solid_init(&t->solid, data, ref, err));
    if (data->formulation == TML_FORM_ENHANCED) {
        TML_NEW(arena, t->tied, 1);
        TML_TRY(tml_plate_tied_init(t->tied, data, ref, err));
    }
    fill_mass(t, data);
    *table = t;
    return TML_OK;
}

static void plate_force(const TmlFlexIn *in, double *f)
{
    const Table *t = in->table;
    if (t->tied != NULL) {
        tml_plate_tied_force(t->tied, in, f);
    } else {
        tml_plate_solid_force(&t->solid, in, f);
    }
}

static void plate_tangent(const TmlFlexIn *in, double c_q, double c_v, double *K)
{
    const Table *t = in->table;
    if (t->tied != NULL) {
        tml_plate_tied_tangent(t->tied, in, c_q, c_v, K);
    } else {
        tml_plate_solid_tangent(&t->solid, in, c_q, c_v, K);
    }
}

static double plate_energy(const TmlFlexIn *in)
{
    const Table *t = in->table;
    return t->tied != NULL ? tml_plate_tied_energy(t->tied, in->x)
                           : tml_plate_solid_energy(&t->solid, in->x);
}

static void plate_shape(const TmlFlexData *data, const void *table, const double xi[3],
                        TmlFlexKind what, double *s)
{
    (void)data;
    shape_values(((const Table *)table)->size, xi, what, s);
}

static double plate_volume(const TmlFlexIn *in)
{
    return tml_plate_solid_volume(&((const Table *)in->table)->solid, in->x);
}

/* Strains and stresses of the law at z. */
static void strain_at(const TmlFlexIn *in, const double xi[2], double z, double *E, double *S)
{
    const Table *t = in->table;
    TmlPatchStation st;
    TmlPatchSlots g;
    double T[9] = {0}, F[9];
    tml_plate_station(t->size, xi, &st);
    tml_patch_gather(VECTORS, &st, t->reference, g);
    tml_plate_reference(g, z, T);
    tml_patch_gather(VECTORS, &st, in->x, g);
    tml_plate_deformation(g, z, T, F);
    tml_solid_stress(&t->law, F, NULL, E, S);
}

static void plate_strain(const TmlFlexIn *in, const double xi[3], double *value)
{
    double E[6], S[6], E_middle[6], C[6][6];
    strain_at(in, xi, xi[2], E, S);
    if (((const Table *)in->table)->tied != NULL) {
        // that of the middle surface, and plane stress for what changes with z: (D6)
        strain_at(in, xi, 0.0, E_middle, S);
        tml_patch_plane_stress(&in->data->material, C);
        for (int k = 0; k < 36; ++k) {
            S[k / 6] += C[k / 6][k % 6] * (E[k % 6] - E_middle[k % 6]);
        }
    }
    for (int k = 0; k < 6; ++k) {
        value[k] = (k < 3 ? 1.0 : 0.5) * E[k];
        value[6 + k] = S[k];
    }
}

static const TmlOutput plate_outputs[] = {
    {"strain_xx", "", "Green-Lagrange strain along r_x"},
    {"strain_yy", "", "Green-Lagrange strain across it, in the surface"},
    {"strain_zz", "", "Green-Lagrange strain of the thickness"},
    {"strain_xy", "", "Green-Lagrange shear strain in the surface"},
    {"strain_xz", "", "Green-Lagrange shear strain"},
    {"strain_yz", "", "Green-Lagrange shear strain"},
    {"stress_xx", "Pa", "second Piola-Kirchhoff stress along r_x"},
    {"stress_yy", "Pa", "second Piola-Kirchhoff stress across it, in the surface"},
    {"stress_zz", "Pa", "second Piola-Kirchhoff stress along the normal"},
    {"stress_xy", "Pa", "second Piola-Kirchhoff shear stress in the surface"},
    {"stress_xz", "Pa", "second Piola-Kirchhoff shear stress"},
    {"stress_yz", "Pa", "second Piola-Kirchhoff shear stress"},
    {0},
};

TML_FLEX_TYPE(plate) = {
    .info = {.name = "plate",
             .text = "Plate or thick shell of four-node elements, with position and three "
                     "gradients per node; formulation enhanced (default) or continuum.",
             .outputs = plate_outputs},
    .topology = TML_FLEX_PATCH,
    .dim = 3,
    .nodes = 4,
    .vectors = 4,
    .kind = {TML_FLEX_R, TML_FLEX_RX, TML_FLEX_RY, TML_FLEX_RZ},
    .standard = TML_FORM_ENHANCED,
    .check = plate_check,
    .prepare = plate_prepare,
    .mass = offsetof(Table, M),
    .weight = offsetof(Table, w),
    .force = plate_force,
    .tangent = plate_tangent,
    .energy = plate_energy,
    .shape = plate_shape,
    .volume = plate_volume,
    .strain = plate_strain,
};
