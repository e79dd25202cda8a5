/* tests/reduce/test_fe_patch.c - several solids together: uniform strain, and bending. */
#include "fe_util.h"

#include "io/part/mesh_build.h"
#include "math/vec3.h"
#include "reduce/mesh/fe_stress.h"

/* Number of the node at half steps of a block of n cells. */
static int64_t number(const int n[3], int i, int j, int k)
{
    return 1 + i + (int64_t)(2 * n[0] + 1) * (j + (int64_t)(2 * n[1] + 1) * k);
}

/* Elements of a cell by the half steps of their corners. */
static void add_cell(TmlMeshBuild *b, const TmlFeElementType *type, const int n[3], const int at[3])
{
    static const int hex[1][8] = {{0, 1, 3, 2, 4, 5, 7, 6}};
    static const int tet[6][4] = {{0, 1, 3, 7}, {0, 1, 7, 5}, {0, 5, 7, 4},
                                  {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}};
    static const int wedge[2][6] = {{0, 1, 3, 4, 5, 7}, {0, 3, 2, 4, 7, 6}};
    const int count = type->n_corners == 8 ? 1 : type->n_corners == 6 ? 2 : 6;
    for (int e = 0; e < count; ++e) {
        int64_t node[TML_FE_NODES];
        int place[TML_FE_NODES][3];
        for (int a = 0; a < type->n_nodes; ++a) {
            for (int i = 0; i < 3; ++i) {
                if (a < type->n_corners) {
                    const int v = count == 1 ? hex[e][a] : count == 2 ? wedge[e][a] : tet[e][a];
                    place[a][i] = 2 * at[i] + 2 * (v >> i & 1);
                } else {
                    const int *end = type->edge[a - type->n_corners];
                    place[a][i] = (place[end[0]][i] + place[end[1]][i]) / 2;
                }
            }
            node[a] = number(n, place[a][0], place[a][1], place[a][2]);
        }
        (void)tml_mesh_add_element(b, type, b->n_elements + 1, node, 1);
    }
}

/* A block of n cells and size `size`; `bent`: nodes inside are moved by that part of a cell. */
static void block(TestCtx *t, const TmlFeElementType *type, const int n[3], TmlVec3 size,
                  double bent, TmlFeMesh *mesh)
{
    TmlMeshBuild b;
    TmlError err = {0};
    *mesh = (TmlFeMesh){.file = "block"};
    tml_mesh_build_init(&b, mesh);
    for (int k = 0; k < n[0] * n[1] * n[2]; ++k) {
        const int at[3] = {k % n[0], k / n[0] % n[1], k / (n[0] * n[1])};
        add_cell(&b, type, n, at);
    }
    const double h[3] = {size.x / (2 * n[0]), size.y / (2 * n[1]), size.z / (2 * n[2])};
    for (int k = 0; k <= 2 * n[2]; ++k) {
        for (int j = 0; j <= 2 * n[1]; ++j) {
            for (int i = 0; i <= 2 * n[0]; ++i) {
                // one bubble that vanishes at the faces: straight edges bend a little
                const double q = bent * sin(3.14159265358979 * i / (2 * n[0])) *
                                 sin(3.14159265358979 * j / (2 * n[1])) *
                                 sin(3.14159265358979 * k / (2 * n[2]));
                tml_mesh_add_node(&b, number(n, i, j, k),
                                  v3(h[0] * (i + q), h[1] * (j + 0.7 * q), h[2] * (k - 0.5 * q)),
                                  1);
            }
        }
    }
    CHECK_OK(t, tml_mesh_finish(&b, &err), &err);
    tml_mesh_build_free(&b);
    fe_material(mesh, 2e11, 0.3, 7800);
}

static bool on_face(TmlVec3 x, TmlVec3 size)
{
    return x.x < 1e-9 || x.y < 1e-9 || x.z < 1e-9 || x.x > size.x - 1e-9 || x.y > size.y - 1e-9 ||
           x.z > size.z - 1e-9;
}

/* Displacements that are linear on the faces are linear inside, whatever the shapes of the elements. */
TEST(patches)
{
    static const int n[3] = {2, 2, 2};
    const TmlVec3 size = v3(1, 0.8, 0.6);
    for (const TmlFeElementType *const *type = tml_fe_types; *type != NULL; ++type) {
        TmlFeMesh mesh;
        TmlFeMatrices a;
        TmlError err = {0};
        TmlArena arena = {0};
        FeSmall p;
        if ((*type)->shape == NULL) {
            continue;
        }
        t->name = (*type)->name;
        block(t, *type, n, size, 0.3, &mesh);
        CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
        const TmlMat33 W = {test_vec3(t), test_vec3(t), test_vec3(t)};
        bool *held = tml_arena_alloc(&arena, (size_t)a.n, sizeof *held);
        double *u = tml_arena_alloc(&arena, (size_t)a.n, sizeof *u);
        double *f = tml_arena_alloc(&arena, (size_t)a.n, sizeof *f);
        for (int k = 0; k < a.n_nodes; ++k) {
            if (a.first[k + 1] > a.first[k]) {
                const TmlVec3 v = m3_mulv(&W, a.x[k]);
                memcpy(u + a.first[k], (const double[3]){v.x, v.y, v.z}, 3 * sizeof *u);
                for (int i = 0; i < 3; ++i) {
                    held[a.first[k] + i] = on_face(a.x[k], size);
                }
            }
        }
        // forces inside that these displacements would need: none
        for (int j = 0; j < a.n; ++j) {
            for (int q = a.K.start[j]; q < a.K.start[j + 1]; ++q) {
                f[a.K.row[q]] += a.K.x[q] * u[j];
                f[j] += a.K.row[q] != j ? a.K.x[q] * u[a.K.row[q]] : 0.0;
            }
        }
        fe_small(t, &a, held, 0.0, &p);
        double *x = tml_arena_alloc(&arena, (size_t)p.n + 1, sizeof *x);
        for (int k = 0; k < a.n; ++k) {
            if (p.number[k] >= 0) {
                x[p.number[k]] = f[k];
            }
        }
        tml_lu_solve(p.lu, x); // what the displacements inside would be off
        for (int k = 0; k < p.n; ++k) {
            CHECK_NEAR(t, x[k], 0.0, 1e-13); // rounding of sums of some hundred terms
        }
        fe_small_free(&p);
        tml_arena_free(&arena);
        tml_fe_matrices_free(&a);
        tml_fe_mesh_free(&mesh);
    }
}

/* A cantilever of ten cells in a row, one across: which elements bend as a beam does. */
TEST(bending)
{
    static const struct {
        const char *type;
        int across;       // hex20r has motions without stiffness where it stands alone
        double low, high; // of the first frequency against that of a beam; measured 3.29, 3.17, ...
    } want[] = {{"hex8", 1, 3.0, 3.5},    {"hex8b", 1, 3.0, 3.5},     {"hex8i", 1, 0.99, 1.02},
                {"hex20", 1, 0.99, 1.02}, {"hex20r", 2, 0.99, 1.02},  {"tet10", 1, 0.99, 1.02},
                {"tet4", 1, 5.0, 6.0},    {"wedge15", 1, 0.99, 1.02}, {"wedge6", 1, 1.6, 1.9}};
    const TmlVec3 size = v3(1, 0.03, 0.02);
    // clamped beam: (1.8751)^2 / (2 pi L^2) sqrt(E I / (rho A)), thin side first
    const double beam = 3.51601527 / (2 * 3.14159265358979) * sqrt(2e11 * 0.02 * 0.02 / 12 / 7800);
    for (size_t k = 0; k < sizeof want / sizeof want[0]; ++k) {
        TmlFeMesh mesh;
        TmlFeMatrices a;
        TmlError err = {0};
        TmlArena arena = {0};
        double hertz[1];
        const int n[3] = {10, want[k].across, want[k].across};
        t->name = want[k].type;
        block(t, tml_fe_type_named(want[k].type), n, size, 0.0, &mesh);
        CHECK_OK(t, tml_fe_assemble(&mesh, TML_FE_MASS_EXACT, &a, &err), &err);
        bool *held = tml_arena_alloc(&arena, (size_t)a.n, sizeof *held);
        for (int q = 0; q < a.n_nodes; ++q) {
            for (int i = a.first[q]; i < a.first[q + 1]; ++i) {
                held[i] = a.x[q].x < 1e-9;
            }
        }
        fe_frequencies(t, &a, held, 0.0, 1, hertz);
        CHECK(t, hertz[0] / beam > want[k].low && hertz[0] / beam < want[k].high);
        if (getenv("TRAMMEL_MEASURE") != NULL) {
            fprintf(stderr, "measured %s: %.4f of the beam\n", want[k].type, hertz[0] / beam);
        }
        tml_arena_free(&arena);
        tml_fe_matrices_free(&a);
        tml_fe_mesh_free(&mesh);
    }
}

TEST_SUITE(fe_patch) = {CASE(patches), CASE(bending), {0}};
