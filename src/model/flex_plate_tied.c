/* model/flex_plate_tied.c - plates with tied strains: (D2) to (D6) of flex_plate.h.
 *
 * Every strain is half a quadratic form of the vectors, e(x) = B(x) . x / 2 with rows B linear in
 * x; the row of rates is B(v). Strains at a station are its own six and shares of the twelve ties:
 *
 *   (D8)  f = sum B^T S,  S = D (e - e_0 + tau e')
 *   (D9)  K = B^T D ((c_q + tau c_v) B(x) + c_q tau B(v)) + c_q sum S times the matrix of the form
 */
#include "base/fail.h"
#include "math/gauss.h"
#include "math/vec3.h"
#include "model/flex_plate.h"

#include <string.h>

enum { N = TML_PLATE_VECTORS, SIZE = TML_PLATE_SIZE, SIDE = 3 };
enum {
    E11,
    E22,
    E33,
    E12,
    E13,
    E23,
    K11,
    K22,
    K12,
    STRAINS
}; /* six in the order of flex_solid.h */
enum { OWN = 6, TIES = TML_PLATE_TIES };

enum { RX, RY, RZ, RXX, RYY, RXY };

/* Strains as c times a product of slots; of E33, E13, E23 at the ties, of K without their part. */
typedef struct Form {
    int a, b;
    double c;
} Form;

static const Form forms[STRAINS] = {
    [E11] = {RX, RX, 0.5},   [E22] = {RY, RY, 0.5},   [E33] = {RZ, RZ, 0.5},
    [E12] = {RX, RY, 1.0},   [E13] = {RX, RZ, 1.0},   [E23] = {RY, RZ, 1.0},
    [K11] = {RXX, RZ, -1.0}, [K22] = {RYY, RZ, -1.0}, [K12] = {RXY, RZ, -2.0},
};

static const int own[OWN] = {E11, E22, E12, K11, K22, K12};

static int tied_strain(int tie)
{
    return tie < 4 ? E13 : tie < 8 ? E23 : E33;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double form_value(const Form *f, TmlPatchSlots g)
{
    return f->c * dot(g[f->a], g[f->b]);
}

/* e' with rates v */
static double form_rate(const Form *f, TmlPatchSlots g, TmlPatchSlots v)
{
    return f->c * (dot(g[f->a], v[f->b]) + dot(v[f->a], g[f->b]));
}

/* row[SIZE] = B */
static void form_row(const Form *f, const TmlPatchStation *s, TmlPatchSlots g, double *row)
{
    const double *a = s->w[f->a], *b = s->w[f->b];
    for (int k = 0; k < SIZE; ++k) {
        row[k] = f->c * (a[k / 3] * g[f->b][k % 3] + b[k / 3] * g[f->a][k % 3]);
    }
}

/* G[N][N] += c times the matrix of the form */
static void form_matrix(const Form *f, const TmlPatchStation *s, double c, double G[N][N])
{
    const double *a = s->w[f->a], *b = s->w[f->b];
    for (int j = 0; j < N * N; ++j) {
        G[j / N][j % N] += c * f->c * (a[j / N] * b[j % N] + b[j / N] * a[j % N]);
    }
}

/* What tie i adds to the strains of a station: three of them, with shares N, N_x, N_y. */
static const int tie_to[3][3] = {{E13, K11, K12}, {E23, K12, K22}, {E33, -1, -1}};

static void add_ties(const double tie[TIES][3], const double *from, double *e)
{
    for (int i = 0; i < 3 * TIES; ++i) {
        const int to = tie_to[i / 12][i % 3];
        if (to >= 0) {
            e[to] += tie[i / 3][i % 3] * from[i / 3];
        }
    }
}

static void station_at(const double size[2], const double xi[2], TmlPatchStation *s)
{
    static const int order[6][2] = {{1, 0}, {0, 1}, {0, 0}, {2, 0}, {0, 2}, {1, 1}};
    for (int k = 0; k < 6; ++k) {
        tml_patch_surface(4, size, xi, order[k][0], order[k][1], s->w[k]);
    }
    tml_patch_director(size, xi, 0, 0, s->w[RZ]);
}

/* --- tables ---------------------------------------------------------------------------------- */

/* out = share of a corner at xi, and its derivatives. */
static void tie_share(const double corner[2], const double size[2], const double xi[2],
                      double out[3])
{
    const double side_x = 2.0 * corner[0] - 1.0, side_y = 2.0 * corner[1] - 1.0;
    const double x = 1.0 - corner[0] + side_x * xi[0], y = 1.0 - corner[1] + side_y * xi[1];
    out[0] = x * y;
    out[1] = side_x / size[0] * y;
    out[2] = x * side_y / size[1];
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
    TmlPatchSlots g;
    double T[9], A[6][6], C[6][6], D[6][6];
    station_at(ref->size, xi, &p->at[k].s);
    tml_patch_gather(N, &p->at[k].s, ref->x, g);
    const double J[9] = {g[RX][0], g[RX][1], g[RX][2], g[RY][0], g[RY][1],
                         g[RY][2], g[RZ][0], g[RZ][1], g[RZ][2]};
    const double det = tml_patch_axes(J, J, T);
    if (!(det > 0.0)) {
        return tml_fail(err, TML_E_MODEL, "is inverted or has no size (volume ratio %.3g)", det);
    }
    const double volume = weight * ref->size[0] * ref->size[1] * det * h;
    tml_patch_strain_map(T, A);
    full_law(&data->material, C);
    tml_patch_moduli(C, A, volume, p->at[k].D);
    tml_patch_plane_stress(&data->material, C);
    tml_patch_moduli(C, A, volume * h * h / 12.0, D);
    for (int i = 0; i < 9; ++i) {
        p->at[k].C[i / 3][i % 3] = D[in_plane[i / 3]][in_plane[i % 3]];
    }
    for (int i = 0; i < OWN; ++i) {
        p->at[k].rest[i] = form_value(&forms[own[i]], g);
    }
    return TML_OK;
}

TmlStatus tml_plate_tied_init(TmlPlateTied *p, const TmlFlexData *data, const TmlFlexReference *ref,
                              TmlError *err)
{
    static const double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    double x[SIDE], w[SIDE];
    p->tau = data->material.damping;
    tml_gauss(SIDE, x, w);
    for (int k = 0; k < TML_PLATE_TIED; ++k) {
        const double xi[2] = {x[k / SIDE], x[k % SIDE]};
        TML_TRY(add_station(p, k, data, ref, xi, w[k / SIDE] * w[k % SIDE], err));
        for (int i = 0; i < TIES; ++i) {
            tie_share(corner[i % 4], ref->size, xi, p->at[k].tie[i]);
        }
    }
    for (int i = 0; i < TIES; ++i) {
        TmlPatchSlots g;
        station_at(ref->size, corner[i % 4], &p->tie[i].s);
        tml_patch_gather(N, &p->tie[i].s, ref->x, g);
        p->tie[i].rest = form_value(&forms[tied_strain(i)], g);
    }
    return TML_OK;
}

/* --- strains and stresses -------------------------------------------------------------------- */

/* Forms of all ties, less their rest where asked for. */
static void tie_values(const TmlPlateTied *p, const double *x, bool rest, double *e)
{
    for (int i = 0; i < TIES; ++i) {
        TmlPatchSlots g;
        tml_patch_gather(N, &p->tie[i].s, x, g);
        e[i] = form_value(&forms[tied_strain(i)], g) - (rest ? p->tie[i].rest : 0.0);
    }
}

/* All strains at station k. */
static void strains_at(const TmlPlateTied *p, int k, TmlPatchSlots g, const double *ties, bool rest,
                       double *e)
{
    memset(e, 0, STRAINS * sizeof *e);
    for (int i = 0; i < OWN; ++i) {
        e[own[i]] = form_value(&forms[own[i]], g) - (rest ? p->at[k].rest[i] : 0.0);
    }
    add_ties(p->at[k].tie, ties, e);
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

/* Rows of all ties at x. */
static void tie_rows(const TmlPlateTied *p, const double *x, double rows[TIES][SIZE])
{
    for (int i = 0; i < TIES; ++i) {
        TmlPatchSlots g;
        tml_patch_gather(N, &p->tie[i].s, x, g);
        form_row(&forms[tied_strain(i)], &p->tie[i].s, g, rows[i]);
    }
}

/* Rows of all strains at station k. */
static void rows_at(const TmlPlateTied *p, int k, const double *x, double ties[TIES][SIZE],
                    double B[STRAINS][SIZE])
{
    TmlPatchSlots g;
    tml_patch_gather(N, &p->at[k].s, x, g);
    memset(B, 0, STRAINS * SIZE * sizeof(double));
    for (int i = 0; i < OWN; ++i) {
        form_row(&forms[own[i]], &p->at[k].s, g, B[own[i]]);
    }
    for (int i = 0; i < 3 * TIES; ++i) {
        const int to = tie_to[i / 12][i % 3];
        for (int j = 0; j < SIZE && to >= 0; ++j) {
            B[to][j] += p->at[k].tie[i / 3][i % 3] * ties[i / 3][j];
        }
    }
}

/* Strains with tau e' at all stations, as stresses S[k]. */
static void stresses(const TmlPlateTied *p, const TmlFlexIn *in, double S[TML_PLATE_TIED][STRAINS])
{
    double ties[TIES];
    tie_values(p, in->x, true, ties);
    for (int i = 0; i < TIES && p->tau > 0.0; ++i) {
        TmlPatchSlots g, v;
        tml_patch_gather(N, &p->tie[i].s, in->x, g);
        tml_patch_gather(N, &p->tie[i].s, in->v, v);
        ties[i] += p->tau * form_rate(&forms[tied_strain(i)], g, v);
    }
    for (int k = 0; k < TML_PLATE_TIED; ++k) {
        TmlPatchSlots g, v;
        double e[STRAINS];
        tml_patch_gather(N, &p->at[k].s, in->x, g);
        strains_at(p, k, g, ties, true, e);
        if (p->tau > 0.0) {
            tml_patch_gather(N, &p->at[k].s, in->v, v);
            for (int i = 0; i < OWN; ++i) {
                e[own[i]] += p->tau * form_rate(&forms[own[i]], g, v);
            }
        }
        stress_of(p, k, e, S[k]);
    }
}

/* G = sum of stresses and matrices of forms, over stations and ties. */
static void stress_matrix(const TmlPlateTied *p, double S[TML_PLATE_TIED][STRAINS], double c,
                          double G[N][N])
{
    double tie[TIES] = {0};
    memset(G, 0, N * N * sizeof(double));
    for (int k = 0; k < TML_PLATE_TIED; ++k) {
        for (int i = 0; i < OWN; ++i) {
            form_matrix(&forms[own[i]], &p->at[k].s, c * S[k][own[i]], G);
        }
        for (int i = 0; i < 3 * TIES; ++i) {
            const int from = tie_to[i / 12][i % 3];
            tie[i / 3] += from >= 0 ? c * p->at[k].tie[i / 3][i % 3] * S[k][from] : 0.0;
        }
    }
    for (int i = 0; i < TIES; ++i) {
        form_matrix(&forms[tied_strain(i)], &p->tie[i].s, tie[i], G);
    }
}

void tml_plate_tied_force(const TmlPlateTied *p, const TmlFlexIn *in, double *f)
{
    double S[TML_PLATE_TIED][STRAINS], G[N][N];
    stresses(p, in, S);
    stress_matrix(p, S, 1.0, G);
    for (int k = 0; k < SIZE; ++k) { // (D8): rows are linear in x
        f[k] = 0.0;
        for (int j = 0; j < N; ++j) {
            f[k] += G[k / 3][j] * in->x[3 * j + k % 3];
        }
    }
}

/* Takes the stresses of what is not linear in the last move (TmlFlexIn.moved). */
static void take_squares(const TmlPlateTied *p, const double *moved,
                         double S[TML_PLATE_TIED][STRAINS])
{
    double ties[TIES];
    tie_values(p, moved, false, ties);
    for (int k = 0; k < TML_PLATE_TIED; ++k) {
        TmlPatchSlots d;
        double e[STRAINS], square[STRAINS];
        tml_patch_gather(N, &p->at[k].s, moved, d);
        strains_at(p, k, d, ties, false, e);
        stress_of(p, k, e, square);
        for (int i = 0; i < STRAINS; ++i) {
            S[k][i] -= square[i];
        }
    }
}

/* K += B^T D L */
static void add_material(const TmlPlateTied *p, int k, double B[STRAINS][SIZE],
                         double L[STRAINS][SIZE], double *K)
{
    double DL[STRAINS][SIZE];
    for (int j = 0; j < SIZE; ++j) {
        double e[STRAINS], S[STRAINS];
        for (int i = 0; i < STRAINS; ++i) {
            e[i] = L[i][j];
        }
        stress_of(p, k, e, S);
        for (int i = 0; i < STRAINS; ++i) {
            DL[i][j] = S[i];
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

void tml_plate_tied_tangent(const TmlPlateTied *p, const TmlFlexIn *in, double c_q, double c_v,
                            double *K)
{
    double S[TML_PLATE_TIED][STRAINS], G[N][N];
    double ties[TIES][SIZE], L_ties[TIES][SIZE], B[STRAINS][SIZE], L[STRAINS][SIZE], l[SIZE];
    stresses(p, in, S);
    if (in->moved != NULL) {
        take_squares(p, in->moved, S);
    }
    stress_matrix(p, S, c_q, G);
    for (int k = 0; k < SIZE * SIZE; ++k) {
        const int i = k / SIZE, j = k % SIZE;
        K[k] = i % 3 == j % 3 ? G[i / 3][j / 3] : 0.0;
    }
    for (int k = 0; k < SIZE; ++k) { // rows are linear: L = B(l), (D9)
        l[k] = (c_q + p->tau * c_v) * in->x[k] + (p->tau > 0.0 ? c_q * p->tau * in->v[k] : 0.0);
    }
    tie_rows(p, in->x, ties);
    tie_rows(p, l, L_ties);
    for (int k = 0; k < TML_PLATE_TIED; ++k) {
        rows_at(p, k, in->x, ties, B);
        rows_at(p, k, l, L_ties, L);
        add_material(p, k, B, L, K);
    }
}

double tml_plate_tied_energy(const TmlPlateTied *p, const double *x)
{
    double ties[TIES], energy = 0.0;
    tie_values(p, x, true, ties);
    for (int k = 0; k < TML_PLATE_TIED; ++k) {
        TmlPatchSlots g;
        double e[STRAINS], S[STRAINS];
        tml_patch_gather(N, &p->at[k].s, x, g);
        strains_at(p, k, g, ties, true, e);
        stress_of(p, k, e, S);
        for (int i = 0; i < STRAINS; ++i) {
            energy += 0.5 * e[i] * S[i];
        }
    }
    return energy;
}
