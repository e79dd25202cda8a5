/* model/flex/shell.c - thin shell, four nodes with r, r_x, r_y (Kirchhoff and Love).
 *
 * Shape functions (P1), (P2) of flex_patch.h. With a_1 = r_x, a_2 = r_y, n = a_1 x a_2 / |a_1 x
 * a_2| and b = r_xx, r_yy, 2 r_xy on the middle surface:
 *
 *   (S1)  eps = (a_i . a_j - A_i . A_j)/2,   kappa = n . b - N . B,   capitals: stress-free
 *   (S2)  U = 1/2 int (eps . C eps + h^2/12 kappa . C kappa) h dA,   C of plane stress
 *
 * in the axes x along A_1, z along N. No shear across, no rotary inertia. With the dual vectors
 * a^i (a^i . a_j = delta, in the tangent plane), beta^i = b . a^i and any change ' :
 *
 *   (S3)  n' = -(n . a_i') a^i,   kappa' = n . b' - beta^i n . a_i'
 *   (S4)  beta^i' = a^i . b' - beta^j a^i . a_j' + a^i . a^j kappa n . a_j'
 *
 * (S3) gives the gradient of kappa, once more its Hessian. 3 x 3 Gauss points: exact for bending;
 * for the membrane one order less than exact, which lets a strip bend without being stretched.
 *
 * Slopes across edges are continuous at the nodes only: constant curvature is exact on rectangles
 * and parallelograms, not on other shapes; docs/theory/ancf.md.
 */
#include "model/flex.h"

#include "base/fail.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/flex_patch.h"

#include <math.h>
#include <string.h>

enum { VECTORS = 12, SIZE = 36, GAUSS = 3, POINTS = GAUSS * GAUSS, SLOTS = 5, M = 3 * SLOTS };
enum { RX, RY, RXX, RYY, RXY };
enum { E11, E22, E12, K11, K22, K12, STRAINS };

typedef struct Point {
    TmlPatchStation s;
    double D[3][3];       /* N */
    double rest[STRAINS]; /* of (S1), without the halves' unit matrix */
    double area;          /* |a_1 x a_2| of the stress-free shape */
} Point;

typedef struct Table {
    double size[2], tau, bend; /* bend = h^2/12 */
    double M[VECTORS * VECTORS], w[VECTORS];
    double reference[SIZE];
    Point point[POINTS];
} Table;

/* Strains and what they need; rates only with v. */
typedef struct State {
    double e[STRAINS];
    TmlVec3 n, a[2], dual[2];
    double dual2[2][2], beta[3][2], kappa[3];
    double B[STRAINS][M], R[STRAINS][M]; /* gradients of e, their rates */
} State;

static TmlVec3 vec(const double *x)
{
    return v3(x[0], x[1], x[2]);
}

static void put(double *row, int slot, TmlVec3 v)
{
    row[3 * slot] = v.x;
    row[3 * slot + 1] = v.y;
    row[3 * slot + 2] = v.z;
}

static void station_at(const double size[2], const double xi[2], TmlPatchStation *s)
{
    static const int order[SLOTS][2] = {{1, 0}, {0, 1}, {2, 0}, {0, 2}, {1, 1}};
    *s = (TmlPatchStation){0};
    for (int k = 0; k < SLOTS; ++k) {
        tml_patch_surface(3, size, xi, order[k][0], order[k][1], s->w[k]);
    }
}

/* b of the three curvatures: the last one twice. */
static double twice(int k)
{
    return k == 2 ? 2.0 : 1.0;
}

/* (S1) and the gradients of (S3). */
static void state_eval(TmlPatchSlots g, State *s)
{
    const TmlVec3 a = vec(g[RX]), b = vec(g[RY]), c = v3_cross(a, b);
    const double det = v3_dot(c, c);
    memset(s->B, 0, sizeof s->B);
    s->a[0] = a;
    s->a[1] = b;
    s->n = v3_scale(1.0 / sqrt(det), c);
    s->dual[0] = v3_scale(1.0 / det, v3_cross(b, c));
    s->dual[1] = v3_scale(1.0 / det, v3_cross(c, a));
    s->e[E11] = 0.5 * v3_dot(a, a);
    s->e[E22] = 0.5 * v3_dot(b, b);
    s->e[E12] = v3_dot(a, b);
    put(s->B[E11], RX, a);
    put(s->B[E22], RY, b);
    put(s->B[E12], RX, b);
    put(s->B[E12], RY, a);
    for (int k = 0; k < 3; ++k) {
        const TmlVec3 second = v3_scale(twice(k), vec(g[RXX + k]));
        s->kappa[k] = s->e[K11 + k] = v3_dot(s->n, second);
        put(s->B[K11 + k], RXX + k, v3_scale(twice(k), s->n));
        for (int i = 0; i < 2; ++i) {
            s->beta[k][i] = v3_dot(second, s->dual[i]);
            put(s->B[K11 + k], RX + i, v3_scale(-s->beta[k][i], s->n));
            s->dual2[i][0] = v3_dot(s->dual[i], s->dual[0]);
            s->dual2[i][1] = v3_dot(s->dual[i], s->dual[1]);
        }
    }
}

/* Rates of the gradients: (S3), (S4) with the velocities. */
static void state_rates(TmlPatchSlots v, State *s)
{
    const TmlVec3 da[2] = {vec(v[RX]), vec(v[RY])};
    const double across[2] = {v3_dot(s->n, da[0]), v3_dot(s->n, da[1])};
    const TmlVec3 dn = v3_axpy(-across[0], s->dual[0], v3_scale(-across[1], s->dual[1]));
    memset(s->R, 0, sizeof s->R);
    put(s->R[E11], RX, da[0]);
    put(s->R[E22], RY, da[1]);
    put(s->R[E12], RX, da[1]);
    put(s->R[E12], RY, da[0]);
    for (int k = 0; k < 3; ++k) {
        const TmlVec3 second = v3_scale(twice(k), vec(v[RXX + k]));
        put(s->R[K11 + k], RXX + k, v3_scale(twice(k), dn));
        for (int i = 0; i < 2; ++i) {
            double beta = v3_dot(s->dual[i], second);
            for (int j = 0; j < 2; ++j) {
                beta += s->dual2[i][j] * s->kappa[k] * across[j] -
                        s->beta[k][j] * v3_dot(s->dual[i], da[j]);
            }
            put(s->R[K11 + k], RX + i, v3_axpy(-beta, s->n, v3_scale(-s->beta[k][i], dn)));
        }
    }
}

static double row_dot(const double *row, TmlPatchSlots v)
{
    double sum = 0.0;
    for (int i = 0; i < M; ++i) {
        sum += row[i] * v[i / 3][i % 3];
    }
    return sum;
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

/* Axes of the stress-free shape at g; returns the area ratio. */
static double shell_axes(TmlPatchSlots g, double *T)
{
    const TmlVec3 c = v3_cross(vec(g[RX]), vec(g[RY])), n = v3_unit(c);
    const double J[9] = {g[RX][0], g[RX][1], g[RX][2], g[RY][0], g[RY][1], g[RY][2], n.x, n.y, n.z};
    return v3_norm(c) > 0.0 ? tml_patch_axes(J, J, T) : 0.0;
}

static TmlStatus add_point(const TmlFlexData *data, const TmlFlexReference *ref, const double xi[2],
                           double weight, Point *p, TmlError *err)
{
    static const int in_plane[3] = {0, 1, 3};
    TmlPatchSlots g;
    State s;
    double T[9], A[6][6], C[6][6], D[6][6];
    station_at(ref->size, xi, &p->s);
    tml_patch_gather(VECTORS, &p->s, ref->x, g);
    p->area = shell_axes(g, T);
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
    state_eval(g, &s);
    memcpy(p->rest, s.e, sizeof p->rest);
    return TML_OK;
}

static void add_mass(Table *t, const TmlFlexData *data, const double xi[2], double weight)
{
    TmlPatchStation st;
    TmlPatchSlots g;
    double T[9], s[VECTORS];
    station_at(t->size, xi, &st);
    tml_patch_gather(VECTORS, &st, t->reference, g);
    tml_patch_surface(3, t->size, xi, 0, 0, s);
    const double m = data->material.density * data->section.height * weight * t->size[0] *
                     t->size[1] * shell_axes(g, T);
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

static const double *shell_mass(const TmlFlexData *data, const void *table)
{
    (void)data;
    return ((const Table *)table)->M;
}

static const double *shell_weight(const TmlFlexData *data, const void *table)
{
    (void)data;
    return ((const Table *)table)->w;
}

/* --- forces ---------------------------------------------------------------------------------- */

/* Strains with rates tau e' at a point, and stresses of them. */
static void point_state(const TmlFlexIn *in, const Point *p, State *s, double *S)
{
    const Table *t = in->table;
    TmlPatchSlots g, v;
    double e[STRAINS];
    tml_patch_gather(VECTORS, &p->s, in->x, g);
    state_eval(g, s);
    for (int k = 0; k < STRAINS; ++k) {
        e[k] = s->e[k] - p->rest[k];
    }
    if (t->tau > 0.0) {
        tml_patch_gather(VECTORS, &p->s, in->v, v);
        state_rates(v, s);
        for (int k = 0; k < STRAINS; ++k) {
            e[k] += t->tau * row_dot(s->B[k], v);
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
        State s;
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

static void add_outer(double c, TmlVec3 a, TmlVec3 b, int row, int col, TmlPatchBlock H)
{
    const double u[3] = {c * a.x, c * a.y, c * a.z}, v[3] = {b.x, b.y, b.z};
    for (int k = 0; k < 9; ++k) {
        H[3 * row + k / 3][3 * col + k % 3] += u[k / 3] * v[k % 3];
    }
}

static void add_unit(double c, int row, int col, TmlPatchBlock H)
{
    for (int d = 0; d < 3; ++d) {
        H[3 * row + d][3 * col + d] += c;
    }
}

/* c_q times the sum of stresses and Hessians of the strains. */
static void add_hessians(const State *s, const double *S, double c_q, TmlPatchBlock H)
{
    double beta[2] = {0}, kappa = 0.0;
    add_unit(c_q * S[E11], RX, RX, H);
    add_unit(c_q * S[E22], RY, RY, H);
    add_unit(c_q * S[E12], RX, RY, H);
    add_unit(c_q * S[E12], RY, RX, H);
    for (int k = 0; k < 3; ++k) {
        const double c = c_q * S[K11 + k];
        kappa += c * s->kappa[k];
        for (int i = 0; i < 2; ++i) {
            beta[i] += c * s->beta[k][i];
            add_outer(-c * twice(k), s->dual[i], s->n, RXX + k, RX + i, H);
            add_outer(-c * twice(k), s->n, s->dual[i], RX + i, RXX + k, H);
        }
    }
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            add_outer(beta[j], s->n, s->dual[i], RX + i, RX + j, H);
            add_outer(beta[i], s->dual[j], s->n, RX + i, RX + j, H);
            add_outer(-kappa * s->dual2[i][j], s->n, s->n, RX + i, RX + j, H);
        }
    }
}

/* H += B^T D ((c_q + tau c_v) B + c_q tau R) */
static void add_material(const Table *t, const Point *p, const State *s, double c_q, double c_v,
                         TmlPatchBlock H)
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
        for (int j = 0; j < M; ++j) {
            for (int k = 0; k < STRAINS; ++k) {
                H[i][j] += s->B[k][i] * DL[k][j];
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
        State s;
        double S[STRAINS];
        point_state(in, &t->point[k], &s, S);
        if (in->moved != NULL) {
            take_squares(in, &t->point[k], S);
        }
        add_material(t, &t->point[k], &s, c_q, c_v, H);
        add_hessians(&s, S, c_q, H);
        tml_patch_expand(VECTORS, &t->point[k].s, H, K);
    }
}

static double shell_energy(const TmlFlexIn *in)
{
    const Table *t = in->table;
    double energy = 0.0;
    for (int k = 0; k < POINTS; ++k) {
        TmlPatchSlots g;
        State s;
        double S[STRAINS];
        tml_patch_gather(VECTORS, &t->point[k].s, in->x, g);
        state_eval(g, &s);
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
    State s, s0;
    double T[9] = {0}, A[6][6], C[6][6], E[3] = {0}, K[3] = {0};
    station_at(t->size, xi, &st);
    tml_patch_gather(VECTORS, &st, in->x, g);
    tml_patch_gather(VECTORS, &st, t->reference, g0);
    state_eval(g, &s);
    state_eval(g0, &s0);
    shell_axes(g0, T);
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

const TmlFlexType tml_flex_shell = {
    .info = {.name = "shell",
             .text = "Thin shell of four-node elements with position and two gradients in the "
                     "surface a node; membrane and bending of Kirchhoff and Love.",
             .outputs = shell_outputs},
    .topology = TML_FLEX_PATCH,
    .dim = 3,
    .nodes = 4,
    .vectors = 3,
    .kind = {TML_FLEX_R, TML_FLEX_RX, TML_FLEX_RY},
    .check = shell_check,
    .prepare = shell_prepare,
    .mass = shell_mass,
    .weight = shell_weight,
    .force = shell_force,
    .tangent = shell_tangent,
    .energy = shell_energy,
    .shape = shell_shape,
    .volume = shell_volume,
    .strain = shell_strain,
};
