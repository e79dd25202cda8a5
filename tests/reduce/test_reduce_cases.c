/* tests/reduce/test_reduce_cases.c - reductions beside the reference cases: frequencies, reduced
 * matrices, statics. */
#include "reduce/basis/held_part.h"
#include "reduce_util.h"

#include "math/vec3.h"

static const double pi = 3.14159265358979323846;

typedef struct Beam {
    TmlArena arena;
    TmlFeMatrices fe;
    TmlInterface end[2];
} Beam;

/* The coarse beam of tetrahedra; files of 12 digits. */
static bool coarse_beam(TestCtx *t, TmlTie tie, Beam *b)
{
    char path[4600];
    TmlNodeTable nodes = {0};
    *b = (Beam){0};
    if (test_cases_dir() == NULL) {
        test_skip(t, "the reference data are not there");
        return false;
    }
    snprintf(path, sizeof path, "%s/modal/tet10_beam_coarse/mesh.msh", test_cases_dir());
    CHECK(t, msh_nodes(&b->arena, path, &nodes));
    if (!case_matrices(t, "tet10_beam_coarse", "K.mtx", "M.mtx", &nodes, 3, &b->fe)) {
        return false;
    }
    b->end[0] = face(&b->arena, &b->fe, "A", tie, 0.0, v3(0, 0.03, 0.02));
    b->end[1] = face(&b->arena, &b->fe, "B", tie, 1.0, v3(1, 0.03, 0.02));
    return true;
}

static void beam_free(Beam *b)
{
    tml_arena_free(&b->fe.arena);
    tml_arena_free(&b->arena);
}

static TmlReduction lowest(int count)
{
    return (TmlReduction){.count = count, .hertz = INFINITY};
}

/* Frequencies of the Craig-Bampton body for each count of modes; -1 is the unreduced model. */
TEST(coarse_beam_frequencies)
{
    Beam b;
    Table table;
    if (!coarse_beam(t, TML_TIE_RIGID, &b)) {
        return;
    }
    CHECK(t, case_table("tet10_beam_coarse/craig_bampton.csv", &table));
    TmlTied tied;
    TmlError err = {0};
    CHECK_OK(t, tml_tied_create(&b.fe, 2, b.end, &tied, &err), &err);
    for (int r = 0; r < table.rows; ++r) {
        const int n = (int)table.x[r][0];
        TmlBasis basis;
        TmlModes modes;
        if (n < 0) {
            continue;
        }
        const TmlReduction how = lowest(n);
        CHECK_OK(t, tml_basis_create(&tied, &how, &basis, &err), &err);
        CHECK_OK(t, tml_modes_create(&basis, -1, &modes, &err), &err);
        CHECK_INT(t, modes.m, 6 + n);
        for (int j = 0; j < 10 && j < modes.m; ++j) {
            const double want = table.x[r][j + 1];
            // files of 12 digits: 9e-8 was measured for such frequencies, 2e-6 is what they allow
            CHECK_NEAR(t, sqrt(modes.w2[j]) / (2 * pi) / want, 1.0, 1e-7);
        }
        tml_modes_free(&modes);
        tml_basis_free(&basis);
    }
    tml_tied_free(&tied);
    beam_free(&b);
}

/* K and M of eight modes, up to the signs of the modes. */
TEST(coarse_beam_matrices)
{
    Beam b;
    Table K, M;
    if (!coarse_beam(t, TML_TIE_RIGID, &b)) {
        return;
    }
    CHECK(t, case_table("tet10_beam_coarse/cb8_K.csv", &K));
    CHECK(t, case_table("tet10_beam_coarse/cb8_M.csv", &M));
    TmlTied tied;
    TmlBasis basis;
    TmlError err = {0};
    const TmlReduction how = lowest(8);
    CHECK_OK(t, tml_tied_create(&b.fe, 2, b.end, &tied, &err), &err);
    CHECK_OK(t, tml_basis_create(&tied, &how, &basis, &err), &err);
    CHECK_INT(t, basis.n, 20);
    double most_K = 0, most_M = 0;
    for (int i = 0; i < 400; ++i) {
        most_K = fmax(most_K, fabs(K.x[i / 20][i % 20]));
        most_M = fmax(most_M, fabs(M.x[i / 20][i % 20]));
    }
    for (int i = 0; i < 20; ++i) {
        for (int j = 0; j < 20; ++j) {
            // M_bi of a mode may have the other sign; what is left of K and M has none
            const bool mixed = (i < 12) != (j < 12);
            const double k = basis.K[20 * i + j], m = basis.M[20 * i + j];
            CHECK_NEAR(t, k / most_K, K.x[i][j] / most_K, 2e-6); // the digits of the files
            CHECK_NEAR(t, (mixed ? fabs(m) : m) / most_M,
                       (mixed ? fabs(M.x[i][j]) : M.x[i][j]) / most_M, 2e-6); // the same
        }
    }
    tml_basis_free(&basis);
    tml_tied_free(&tied);
    beam_free(&b);
}

TEST_SUITE(reduce_cases) = {CASE(coarse_beam_frequencies), CASE(coarse_beam_matrices), {0}};
