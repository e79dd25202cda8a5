/* model/flexible/element/shell.c - thin shell, four nodes with r, r_x, r_y (Kirchhoff and Love).
 *
 * Shape functions (P1), (P2) of patch.h; strains eps and curvatures kappa of surface.h,
 * each less its value in the stress-free shape, in axes with x along r_x and z along the normal
 * there:
 *
 *   (S1)  U = 1/2 int (eps . C eps + h^2/12 kappa . C kappa) h dA,   C of plane stress
 *
 * No shear across, no rotary inertia. 3 x 3 Gauss points: exact for bending; for the membrane one
 * order less than exact, which lets a strip bend without being stretched.
 *
 * Slopes across edges are continuous at the nodes only: constant curvature is exact on rectangles
 * and parallelograms, not on other shapes; docs/theory/ancf.md.
 */
#include "model/flexible/flexible.h"
#include "model/registry.h"

#include "base/fail.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/flexible/mechanics/surface.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { VECTORS = 12, SIZE = 36, GAUSS = 3, POINTS = GAUSS * GAUSS, M = TML_SURFACE_M };
enum { RX = TML_SURFACE_RX, RY = TML_SURFACE_RY };
enum { K11 = TML_SURFACE_K11, STRAINS = TML_SURFACE_STRAINS };

typedef struct Point {
    TmlPatchStation s;
    double D[3][3];       /* N */
    double rest[STRAINS]; /* strains of the stress-free shape */
    double area;          /* |a_1 x a_2| of the stress-free shape */
} Point;

typedef struct Table {
    double size[2], tau, bend; /* bend = h^2/12 */
    double M[VECTORS * VECTORS], w[VECTORS];
    double reference[SIZE];
    Point point[POINTS];
} Table;

static TmlVec3 vec(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

/* Membrane forces and moments of strains. */
static void stress_of(const Table *t, const Point *p, const double *e, double *S)
{
    for (int i = 0; i < 3; ++i) {
        const double *D = p->D[i];
        S[i] = D[0] * e[0] + D[1] * e[1] + D[2] * e[2];
        S[3 + i] = t->bend * (D[0] * e[3] + D[1] * e[4] + D[2] * e[5]);
    }
}

/* --- tables ---------------------------------------------------------------------------------- */

static TmlStatus shell_check(const TmlFlexData *data, TmlError *err)
{
    if (data->material.model != TML_MATERIAL_ELASTIC) {
        return tml_fail(err, TML_E_MODEL, "a shell needs an elastic material (E, nu)");
    }
    if (data->section.kind != TML_CROSS_PLATE) {
        return tml_fail(err, TML_E_MODEL, "a shell needs a section with 'thickness'");
    }
    if (data->formulation != TML_FORM_CONTINUUM) {
        return tml_fail(err, TML_E_MODEL, "a shell has one formulation: leave the key out");
    }
    return TML_OK;
}

static TmlStatus add_point(const TmlFlexData *data, const TmlFlexReference *ref, const double xi[2],
                           double weight, Point *p, TmlError *err)
{
    static const int in_plane[3] = {0, 1, 3};
    TmlPatchSlots g;
    TmlSurface s;
    double T[9], A[6][6], C[6][6], D[6][6];
    tml_surface_station(3, ref->size, xi, &p->s);
    tml_patch_gather(VECTORS, &p->s, ref->x, g);
    p->area = tml_surface_axes(g, T);
    if (!(p->area > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "has no size (area ratio %.3g)", p->area);
    }
    tml_patch_strain_map(T, A);
    tml_patch_plane_stress(&data->material, C);
    tml_patch_moduli(C, A, weight * ref->size[0] * ref->size[1] * p->area * data->section.height,
                     D);
    for (int k = 0; k < 9; ++k) {
        p->D[k / 3][k % 3] = D[in_plane[k / 3]][in_plane[k % 3]];
    }
    tml_surface_eval(g, &s);
    memcpy(p->rest, s.e, sizeof p->rest);
    return TML_OK;
}

static void add_mass(Table *t, const TmlFlexData *data, const double xi[2], double weight)
{
    TmlPatchStation st;
    TmlPatchSlots g;
    double T[9], s[VECTORS];
    tml_surface_station(3, t->size, xi, &st);
    tml_patch_gather(VECTORS, &st, t->reference, g);
    tml_patch_surface(3, t->size, xi, 0, 0, s);
    const double m = data->material.density * data->section.height * weight * t->size[0] *
                     t->size[1] * tml_surface_axes(g, T);
    for (int i = 0; i < VECTORS; ++i) {
        t->w[i] += m * s[i];
        for (int j = 0; j < VECTORS; ++j) {
            t->M[i * VECTORS + j] += m * s[i] * s[j];
        }
    }
}

static TmlStatus shell_prepare(const TmlFlexData *data, const TmlFlexReference *ref,
                               TmlArena *arena, const void *last, const void **table, TmlError *err)
{
    const double h = data->section.height;
    double x[TML_GAUSS_MAX], w[TML_GAUSS_MAX];
    Table *t;
    (void)last;
    TML_NEW(arena, t, 1);
    memcpy(t->size, ref->size, sizeof t->size);
    memcpy(t->reference, ref->x, sizeof t->reference);
    t->tau = data->material.damping;
    t->bend = h * h / 12.0;
    tml_gauss(GAUSS, x, w);
    for (int k = 0; k < POINTS; ++k) {
        const double xi[2] = {x[k / GAUSS], x[k % GAUSS]};
        TML_TRY(add_point(data, ref, xi, w[k / GAUSS] * w[k % GAUSS], &t->point[k], err));
    }
    tml_gauss(TML_GAUSS_MAX, x, w);
    for (int k = 0; k < TML_GAUSS_MAX * TML_GAUSS_MAX; ++k) {
        const int i = k / TML_GAUSS_MAX, j = k % TML_GAUSS_MAX;
        add_mass(t, data, (double[2]){x[i], x[j]}, w[i] * w[j]);
    }
    *table = t;
    return TML_OK;
}

/* --- forces ---------------------------------------------------------------------------------- */

/* Strains with rates tau e' at a point, and stresses of them. */
static void point_state(const TmlFlexIn *in, const Point *p, TmlSurface *s, double *S)
{
    const Table *t = in->table;
    TmlPatchSlots g, v;
    double e[STRAINS];
    tml_patch_gather(VECTORS, &p->s, in->x, g);
    tml_surface_eval(g, s);
    for (int k = 0; k < STRAINS; ++k) {
        e[k] = s->e[k] - p->rest[k];
    }
    if (t->tau > 0.0) {
        tml_patch_gather(VECTORS, &p->s, in->v, v);
        tml_surface_rates(v, s);
        for (int k = 0; k < STRAINS; ++k) {
            e[k] += t->tau * tml_surface_dot(s->B[k], v);
        }
    }
    stress_of(t, p, e, S);
}

static void shell_force(const TmlFlexIn *in, double *f)
{
    const Table *t = in->table;
    memset(f, 0, SIZE * sizeof *f);
    for (int k = 0; k < POINTS; ++k) {
        TmlPatchSlots h = {{0}};
        TmlSurface s;
        double S[STRAINS];
        point_state(in, &t->point[k], &s, S);
        for (int i = 0; i < M; ++i) {
            for (int j = 0; j < STRAINS; ++j) {
                h[i / 3][i % 3] += S[j] * s.B[j][i];
            }
        }
        tml_patch_scatter(VECTORS, &t->point[k].s, h, f);
    }
}

/* H += B^T D ((c_q + tau c_v) B + c_q tau R) */
static void add_material(const Table *t, const Point *p, const TmlSurface *s, double c_q,
                         double c_v, TmlPatchBlock H)
{
    double DL[STRAINS][M];
    for (int j = 0; j < M; ++j) {
        double l[STRAINS], S[STRAINS];
        for (int k = 0; k < STRAINS; ++k) {
            l[k] = (c_q + t->tau * c_v) * s->B[k][j] +
                   (t->tau > 0.0 ? c_q * t->tau * s->R[k][j] : 0.0);
        }
        stress_of(t, p, l, S);
        for (int k = 0; k < STRAINS; ++k) {
            DL[k][j] = S[k];
        }
    }
    for (int i = 0; i < M; ++i) {
        for (int k = 0; k < STRAINS; ++k) {
            const double b = s->B[k][i];
            for (int j = 0; j < M && b != 0.0; ++j) {
                H[i][j] += b * DL[k][j];
            }
        }
    }
}

/* Membrane forces less those of what is not linear in the last move (TmlFlexIn.moved). */
static void take_squares(const TmlFlexIn *in, const Point *p, double *S)
{
    TmlPatchSlots d;
    tml_patch_gather(VECTORS, &p->s, in->moved, d);
    const TmlVec3 a = vec(d[RX]), b = vec(d[RY]);
    const double e[STRAINS] = {0.5 * v3_dot(a, a), 0.5 * v3_dot(b, b), v3_dot(a, b)};
    double square[STRAINS];
    stress_of(in->table, p, e, square);
    for (int k = 0; k < 3; ++k) {
        S[k] -= square[k];
    }
}

static void shell_tangent(const TmlFlexIn *in, double c_q, double c_v, double *K)
{
    const Table *t = in->table;
    memset(K, 0, (size_t)(SIZE * SIZE) * sizeof *K);
    for (int k = 0; k < POINTS; ++k) {
        TmlPatchBlock H = {{0}};
        TmlSurface s;
        double S[STRAINS];
        point_state(in, &t->point[k], &s, S);
        if (in->moved != NULL) {
            take_squares(in, &t->point[k], S);
        }
        add_material(t, &t->point[k], &s, c_q, c_v, H);
        tml_surface_hessians(&s, S, c_q, H);
        tml_patch_expand(VECTORS, &t->point[k].s, H, K);
    }
}

static double shell_energy(const TmlFlexIn *in)
{
    const Table *t = in->table;
    double energy = 0.0;
    for (int k = 0; k < POINTS; ++k) {
        TmlPatchSlots g;
        TmlSurface s;
        double S[STRAINS];
        tml_patch_gather(VECTORS, &t->point[k].s, in->x, g);
        tml_surface_eval(g, &s);
        for (int i = 0; i < STRAINS; ++i) {
            s.e[i] -= t->point[k].rest[i];
        }
        stress_of(t, &t->point[k], s.e, S);
        for (int i = 0; i < STRAINS; ++i) {
            energy += 0.5 * s.e[i] * S[i];
        }
    }
    return energy;
}

static void shell_shape(const TmlFlexData *data, const void *table, const double xi[3],
                        TmlFlexKind what, double *s)
{
    const Table *t = table;
    (void)data;
    if (what == TML_FLEX_RZ) {
        memset(s, 0, VECTORS * sizeof *s);
        return;
    }
    tml_patch_surface(3, t->size, xi, what == TML_FLEX_RX, what == TML_FLEX_RY, s);
}

static double shell_volume(const TmlFlexIn *in)
{
    const Table *t = in->table;
    double smallest = HUGE_VAL;
    for (int k = 0; k < POINTS; ++k) {
        TmlPatchSlots g;
        tml_patch_gather(VECTORS, &t->point[k].s, in->x, g);
        const double ratio = v3_norm(v3_cross(vec(g[RX]), vec(g[RY]))) / t->point[k].area;
        smallest = ratio >= smallest ? smallest : ratio; // lets NaN through
    }
    return smallest;
}

/* --- output ---------------------------------------------------------------------------------- */

static void shell_strain(const TmlFlexIn *in, const double xi[3], double *value)
{
    static const int in_plane[3] = {0, 1, 3};
    const Table *t = in->table;
    TmlPatchStation st;
    TmlPatchSlots g, g0;
    TmlSurface s, s0;
    double T[9] = {0}, A[6][6], C[6][6], E[3] = {0}, K[3] = {0};
    tml_surface_station(3, t->size, xi, &st);
    tml_patch_gather(VECTORS, &st, in->x, g);
    tml_patch_gather(VECTORS, &st, t->reference, g0);
    tml_surface_eval(g, &s);
    tml_surface_eval(g0, &s0);
    tml_surface_axes(g0, T);
    tml_patch_strain_map(T, A);
    tml_patch_plane_stress(&in->data->material, C);
    for (int k = 0; k < 9; ++k) {
        const double a = A[in_plane[k / 3]][in_plane[k % 3]];
        E[k / 3] += a * (s.e[k % 3] - s0.e[k % 3]);
        K[k / 3] += a * (s.e[K11 + k % 3] - s0.e[K11 + k % 3]);
    }
    for (int k = 0; k < 3; ++k) {
        E[k] -= xi[2] * K[k]; // fibres towards n get shorter where the shell bends towards n
    }
    for (int k = 0; k < 3; ++k) {
        const double *c = C[in_plane[k]];
        const double half = k == 2 ? 0.5 : 1.0;
        value[k] = half * E[k];
        value[3 + k] = half * K[k];
        value[6 + k] = c[0] * E[0] + c[1] * E[1] + c[3] * E[2];
    }
}

static const TmlOutput shell_outputs[] = {
    {"strain_xx", "", "Green-Lagrange strain along r_x"},
    {"strain_yy", "", "Green-Lagrange strain across it, in the surface"},
    {"strain_xy", "", "Green-Lagrange shear strain in the surface"},
    {"curvature_xx", "1/m", "change of curvature along r_x, positive towards the normal"},
    {"curvature_yy", "1/m", "change of curvature across it"},
    {"curvature_xy", "1/m", "change of twist of the surface"},
    {"stress_xx", "Pa", "second Piola-Kirchhoff stress along r_x"},
    {"stress_yy", "Pa", "second Piola-Kirchhoff stress across it"},
    {"stress_xy", "Pa", "second Piola-Kirchhoff shear stress in the surface"},
    {0},
};

TML_FLEX_TYPE(shell) = {
    .info = {.name = "shell",
             .text = "Thin shell of four-node elements, with position and two surface gradients "
                     "per node; Kirchhoff-Love membrane and bending.",
             .outputs = shell_outputs},
    .topology = TML_FLEX_PATCH,
    .dim = 3,
    .nodes = 4,
    .vectors = 3,
    .kind = {TML_FLEX_R, TML_FLEX_RX, TML_FLEX_RY},
    .check = shell_check,
    .prepare = shell_prepare,
    .mass = offsetof(Table, M),
    .weight = offsetof(Table, w),
    .force = shell_force,
    .tangent = shell_tangent,
    .energy = shell_energy,
    .shape = shell_shape,
    .volume = shell_volume,
    .strain = shell_strain,
};
