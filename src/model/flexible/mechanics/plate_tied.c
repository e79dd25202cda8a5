/* model/flexible/mechanics/plate_tied.c - plates with tied strains: (D2) to (D6) of plate.h.
 *
 * At a station there are nine strains: six of the middle surface, and shares of the twelve ties,
 * which are products of two gradients at a node. Of all of them, with gradients B by the vectors
 *
 *   (D8)  f = sum B^T S,  S = D (e - e_0 + tau e')
 *   (D9)  K = B^T D ((c_q + tau c_v) B + c_q tau B') + c_q sum S times the Hessian of e
 */
#include "base/fail.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/flexible/mechanics/plate.h"

#include <string.h>

enum { N = TML_PLATE_VECTORS, SIZE = TML_PLATE_SIZE, SIDE = 3, TIES = TML_PLATE_TIES };
enum { OWN = TML_SURFACE_STRAINS, STATIONS = TML_PLATE_TIED };

/* Six in the order of stress.h, curvatures. */
enum { E11, E22, E33, E12, E13, E23, K11, K22, K12, STRAINS };

/* Strains of the surface among them. */
static const int own[OWN] = {E11, E22, E12, K11, K22, K12};

/* What ties add: N to the first, -N_x and -N_y to the others. */
static const int tie_to[3][3] = {{E13, K11, K12}, {E23, K12, K22}, {E33, -1, -1}};

/* Tie i is c times the product of two gradients of node i % 4. */
typedef struct Tie {
    int a, b;
    double c;
} Tie;

static Tie tie_of(int i)
{
    static const int first[3] = {1, 2, 3}; // r_x, r_y, r_z of a node
    const int node = 4 * (i % 4), kind = i / 4;
    return (Tie){node + first[kind], node + 3, kind == 2 ? 0.5 : 1.0};
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double tie_value(int i, const double *x)
{
    const Tie t = tie_of(i);
    return t.c * dot(x + 3 * t.a, x + 3 * t.b);
}

/* Its rate with the velocities v. */
static double tie_rate(int i, const double *x, const double *v)
{
    const Tie t = tie_of(i);
    return t.c * (dot(x + 3 * t.a, v + 3 * t.b) + dot(v + 3 * t.a, x + 3 * t.b));
}

/* row += share of the gradient, which is linear in x. */
static void add_tie_row(int i, double share, const double *x, double *row)
{
    const Tie t = tie_of(i);
    for (int d = 0; d < 3; ++d) {
        row[3 * t.a + d] += share * t.c * x[3 * t.b + d];
        row[3 * t.b + d] += share * t.c * x[3 * t.a + d];
    }
}

/* --- tables ---------------------------------------------------------------------------------- */

/* out = share of a corner at xi, and its derivatives with the sign of (D3). */
static void tie_share(const double corner[2], const double size[2], const double xi[2],
                      double out[3])
{
    const double side_x = 2.0 * corner[0] - 1.0, side_y = 2.0 * corner[1] - 1.0;
    const double x = 1.0 - corner[0] + side_x * xi[0], y = 1.0 - corner[1] + side_y * xi[1];
    out[0] = x * y;
    out[1] = -side_x / size[0] * y;
    out[2] = -x * side_y / size[1];
}

/* The full law, shear across with 5/6. */
static void full_law(const TmlMaterial *m, double C[6][6])
{
    const TmlSolid law = tml_solid_isotropic(m);
    memset(C, 0, 36 * sizeof(double));
    for (int k = 0; k < 9; ++k) {
        C[k / 3][k % 3] = law.N[k / 3][k % 3];
    }
    C[E12][E12] = law.G[0];
    C[E13][E13] = 5.0 / 6.0 * law.G[1];
    C[E23][E23] = 5.0 / 6.0 * law.G[2];
}

static TmlStatus add_station(TmlPlateTied *p, int k, const TmlFlexData *data,
                             const TmlFlexReference *ref, const double xi[2], double weight,
                             TmlError *err)
{
    static const int in_plane[3] = {E11, E22, E12};
    const double h = data->section.height;
    TmlPatchStation director;
    TmlPatchSlots g, solid;
    TmlSurface s;
    double T[9], A[6][6], C[6][6], D[6][6];
    tml_surface_station(4, ref->size, xi, &p->at[k].s);
    tml_patch_gather(N, &p->at[k].s, ref->x, g);
    tml_plate_station(ref->size, xi, &director);
    tml_patch_gather(N, &director, ref->x, solid);
    const double det = tml_plate_reference(solid, 0.0, T);
    if (!(det > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "is inverted or has no size (volume ratio %.3g)", det);
    }
    const double volume = weight * ref->size[0] * ref->size[1] * det * h;
    tml_patch_strain_map(T, A);
    full_law(&data->material, C);
    tml_patch_moduli(C, A, volume, p->at[k].D);
    tml_surface_axes(g, T); // curvatures lie in the surface
    tml_patch_strain_map(T, A);
    tml_patch_plane_stress(&data->material, C);
    tml_patch_moduli(C, A, volume * h * h / 12.0, D);
    for (int i = 0; i < 9; ++i) {
        p->at[k].C[i / 3][i % 3] = D[in_plane[i / 3]][in_plane[i % 3]];
    }
    tml_surface_eval(g, &s);
    memcpy(p->at[k].rest, s.e, sizeof s.e);
    return TML_OK;
}

TmlStatus tml_plate_tied_init(TmlPlateTied *p, const TmlFlexData *data, const TmlFlexReference *ref,
                              TmlError *err)
{
    static const double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    double x[SIDE], w[SIDE];
    p->tau = data->material.damping;
    tml_gauss(SIDE, x, w);
    for (int k = 0; k < STATIONS; ++k) {
        const double xi[2] = {x[k / SIDE], x[k % SIDE]};
        TML_TRY(add_station(p, k, data, ref, xi, w[k / SIDE] * w[k % SIDE], err));
        for (int i = 0; i < 4; ++i) {
            tie_share(corner[i], ref->size, xi, p->at[k].share[i]);
        }
    }
    for (int i = 0; i < TIES; ++i) {
        p->rest[i] = tie_value(i, ref->x);
    }
    return TML_OK;
}

/* --- strains and stresses -------------------------------------------------------------------- */

/* e[STRAINS] from those of the surface and of the ties. */
static void join_strains(const TmlPlateTied *p, int k, const double *surface, const double *ties,
                         double *e)
{
    memset(e, 0, STRAINS * sizeof *e);
    for (int i = 0; i < OWN; ++i) {
        e[own[i]] = surface[i];
    }
    for (int i = 0; i < 3 * TIES; ++i) {
        const int to = tie_to[i / 12][i % 3];
        if (to >= 0) {
            e[to] += p->at[k].share[i / 3 % 4][i % 3] * ties[i / 3];
        }
    }
}

static void stress_of(const TmlPlateTied *p, int k, const double *e, double *S)
{
    for (int i = 0; i < STRAINS; ++i) {
        const double *row = i < K11 ? p->at[k].D[i] : p->at[k].C[i - K11];
        const double *from = i < K11 ? e : e + K11;
        S[i] = 0.0;
        for (int j = 0; j < (i < K11 ? 6 : 3); ++j) {
            S[i] += row[j] * from[j];
        }
    }
}

/* Ties less rest, with their rates. */
static void tie_strains(const TmlPlateTied *p, const TmlFlexIn *in, double *ties)
{
    for (int i = 0; i < TIES; ++i) {
        ties[i] = tie_value(i, in->x) - p->rest[i];
        if (p->tau > 0.0) {
            ties[i] += p->tau * tie_rate(i, in->x, in->v);
        }
    }
}

/* The surface at station k, and stresses there. */
static void station_state(const TmlPlateTied *p, int k, const TmlFlexIn *in, const double *ties,
                          TmlSurface *s, double *S)
{
    TmlPatchSlots g, v;
    double surface[OWN], e[STRAINS];
    tml_patch_gather(N, &p->at[k].s, in->x, g);
    tml_surface_eval(g, s);
    for (int i = 0; i < OWN; ++i) {
        surface[i] = s->e[i] - p->at[k].rest[i];
    }
    if (p->tau > 0.0) {
        tml_patch_gather(N, &p->at[k].s, in->v, v);
        tml_surface_rates(v, s);
        for (int i = 0; i < OWN; ++i) {
            surface[i] += p->tau * tml_surface_dot(s->B[i], v);
        }
    }
    join_strains(p, k, surface, ties, e);
    stress_of(p, k, e, S);
}

/* sum[TIES] += what stresses at station k are for the ties. */
static void add_tie_stress(const TmlPlateTied *p, int k, const double *S, double *sum)
{
    for (int i = 0; i < 3 * TIES; ++i) {
        const int from = tie_to[i / 12][i % 3];
        sum[i / 3] += from >= 0 ? p->at[k].share[i / 3 % 4][i % 3] * S[from] : 0.0;
    }
}

void tml_plate_tied_force(const TmlPlateTied *p, const TmlFlexIn *in, double *f)
{
    double ties[TIES], tie_stress[TIES] = {0};
    memset(f, 0, SIZE * sizeof *f);
    tie_strains(p, in, ties);
    for (int k = 0; k < STATIONS; ++k) {
        TmlPatchSlots h = {{0}};
        TmlSurface s;
        double S[STRAINS];
        station_state(p, k, in, ties, &s, S);
        for (int i = 0; i < TML_SURFACE_M; ++i) {
            for (int j = 0; j < OWN; ++j) {
                h[i / 3][i % 3] += S[own[j]] * s.B[j][i];
            }
        }
        tml_patch_scatter(N, &p->at[k].s, h, f);
        add_tie_stress(p, k, S, tie_stress);
    }
    for (int i = 0; i < TIES; ++i) {
        add_tie_row(i, tie_stress[i], in->x, f);
    }
}

/* --- tangent --------------------------------------------------------------------------------- */

/* Gradients of all strains at station k by the vectors, from those by the slots; x: of the ties. */
static void rows_at(const TmlPlateTied *p, int k, double by_slot[OWN][TML_SURFACE_M],
                    const double *x, double B[STRAINS][SIZE])
{
    memset(B, 0, STRAINS * SIZE * sizeof(double));
    for (int i = 0; i < OWN; ++i) {
        double *row = B[own[i]];
        for (int l = 0; l < TML_SURFACE_SLOTS; ++l) {
            const double *w = p->at[k].s.w[l], *b = by_slot[i] + 3 * l;
            for (int j = 0; j < N; ++j) {
                row[3 * j] += w[j] * b[0];
                row[3 * j + 1] += w[j] * b[1];
                row[3 * j + 2] += w[j] * b[2];
            }
        }
    }
    for (int i = 0; i < 3 * TIES; ++i) {
        const int to = tie_to[i / 12][i % 3];
        if (to >= 0) {
            add_tie_row(i / 3, p->at[k].share[i / 3 % 4][i % 3], x, B[to]);
        }
    }
}

/* K += B^T D L */
static void add_material(const TmlPlateTied *p, int k, double B[STRAINS][SIZE],
                         double L[STRAINS][SIZE], double *K)
{
    double DL[STRAINS][SIZE] = {{0}};
    for (int i = 0; i < STRAINS; ++i) {
        const int first = i < K11 ? 0 : K11, n = i < K11 ? 6 : 3;
        const double *D = i < K11 ? p->at[k].D[i] : p->at[k].C[i - K11];
        for (int l = 0; l < n; ++l) {
            for (int j = 0; j < SIZE; ++j) {
                DL[i][j] += D[l] * L[first + l][j];
            }
        }
    }
    for (int r = 0; r < SIZE; ++r) {
        for (int i = 0; i < STRAINS; ++i) {
            const double b = B[i][r];
            for (int j = 0; j < SIZE; ++j) {
                K[r * SIZE + j] += b * DL[i][j];
            }
        }
    }
}

/* Takes the stresses of membrane strains and ties that are not linear in the last move
 * (TmlFlexIn.moved). */
static void take_squares(const TmlPlateTied *p, int k, const double *moved, double *S)
{
    TmlPatchSlots d;
    double ties[TIES], e[STRAINS], square[STRAINS];
    tml_patch_gather(N, &p->at[k].s, moved, d);
    const double *a = d[TML_SURFACE_RX], *b = d[TML_SURFACE_RY];
    const double surface[OWN] = {0.5 * dot(a, a), 0.5 * dot(b, b), dot(a, b)};
    for (int i = 0; i < TIES; ++i) {
        ties[i] = tie_value(i, moved);
    }
    join_strains(p, k, surface, ties, e);
    stress_of(p, k, e, square);
    for (int i = 0; i < STRAINS; ++i) {
        S[i] -= square[i];
    }
}

/* K += c_q times stresses of ties and their Hessians. */
static void add_tie_hessians(const double *sum, double c_q, double *K)
{
    for (int i = 0; i < TIES; ++i) {
        const Tie t = tie_of(i);
        for (int d = 0; d < 3; ++d) {
            const int a = 3 * t.a + d, b = 3 * t.b + d;
            K[a * SIZE + b] += c_q * t.c * sum[i];
            K[b * SIZE + a] += c_q * t.c * sum[i];
        }
    }
}

/* One station: material part, Hessians of the surface, stresses of the ties. */
static void add_station_tangent(const TmlPlateTied *p, int k, const TmlFlexIn *in,
                                const double *ties, double c_q, double c_v, double *tie_stress,
                                double *K)
{
    TmlSurface s;
    TmlPatchBlock H = {{0}};
    double S[STRAINS], own_S[OWN], B[STRAINS][SIZE], L[STRAINS][SIZE];
    double by_slot[OWN][TML_SURFACE_M], l[SIZE];
    const double c = c_q + p->tau * c_v, c_rate = p->tau > 0.0 ? c_q * p->tau : 0.0;
    station_state(p, k, in, ties, &s, S);
    rows_at(p, k, s.B, in->x, B);
    for (int i = 0; i < OWN * TML_SURFACE_M; ++i) { // (D9)
        const int r = i / TML_SURFACE_M, j = i % TML_SURFACE_M;
        by_slot[r][j] = c * s.B[r][j] + (c_rate > 0.0 ? c_rate * s.R[r][j] : 0.0);
    }
    for (int i = 0; i < SIZE; ++i) {
        l[i] = c * in->x[i] + (c_rate > 0.0 ? c_rate * in->v[i] : 0.0);
    }
    rows_at(p, k, by_slot, l, L);
    add_material(p, k, B, L, K);
    if (in->moved != NULL) {
        take_squares(p, k, in->moved, S);
    }
    for (int i = 0; i < OWN; ++i) {
        own_S[i] = S[own[i]];
    }
    tml_surface_hessians(&s, own_S, c_q, H);
    tml_patch_expand(N, &p->at[k].s, H, K);
    add_tie_stress(p, k, S, tie_stress);
}

void tml_plate_tied_tangent(const TmlPlateTied *p, const TmlFlexIn *in, double c_q, double c_v,
                            double *K)
{
    double ties[TIES], tie_stress[TIES] = {0};
    memset(K, 0, SIZE * SIZE * sizeof *K);
    tie_strains(p, in, ties);
    for (int k = 0; k < STATIONS; ++k) {
        add_station_tangent(p, k, in, ties, c_q, c_v, tie_stress, K);
    }
    add_tie_hessians(tie_stress, c_q, K);
}

double tml_plate_tied_energy(const TmlPlateTied *p, const double *x)
{
    double ties[TIES], energy = 0.0;
    for (int i = 0; i < TIES; ++i) {
        ties[i] = tie_value(i, x) - p->rest[i];
    }
    for (int k = 0; k < STATIONS; ++k) {
        TmlPatchSlots g;
        TmlSurface s;
        double e[STRAINS], S[STRAINS];
        tml_patch_gather(N, &p->at[k].s, x, g);
        tml_surface_eval(g, &s);
        for (int i = 0; i < OWN; ++i) {
            s.e[i] -= p->at[k].rest[i];
        }
        join_strains(p, k, s.e, ties, e);
        stress_of(p, k, e, S);
        for (int i = 0; i < STRAINS; ++i) {
            energy += 0.5 * e[i] * S[i];
        }
    }
    return energy;
}
