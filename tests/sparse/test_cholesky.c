/* tests/sparse/test_cholesky.c - factors of definite matrices, what is not definite, and lowest modes. */
#include "sparse/arpack.h"
#include "sparse/cholesky.h"
#include "test.h"

/* A chain of n springs of stiffness 1, held at one end (or at none), free at the other. */
static TmlCsc chain(TestCtx *t, TmlArena *arena, int n, bool held)
{
    enum { MOST = 4000 };
    static int row[MOST], col[MOST];
    static double x[MOST];
    TmlCsc A = {0};
    TmlError err = {0};
    int entries = 0;
    for (int i = 0; i < n; ++i) {
        row[entries] = col[entries] = i;
        x[entries++] = (i > 0 || held) + (i < n - 1);
        if (i + 1 < n) {
            row[entries] = i + 1;
            col[entries] = i;
            x[entries++] = -1.0;
        }
    }
    CHECK_OK(t, tml_csc_triplets(n, n, entries, row, col, x, arena, &A, &err), &err);
    return A;
}

/* Many right-hand sides at once: A X = B is met. */
TEST(many_right_hand_sides)
{
    enum { N = 300, COLUMNS = 70 };
    TmlArena arena = {0};
    TmlError err = {0};
    TmlCholesky *c = NULL;
    const TmlCsc A = chain(t, &arena, N, true);
    static double B[N * COLUMNS], X[N * COLUMNS], R[N * COLUMNS];
    for (int i = 0; i < N * COLUMNS; ++i) {
        B[i] = test_random(t, -1, 1);
        R[i] = -B[i];
    }
    CHECK_OK(t, tml_cholesky_create(&A, &c, NULL, &err), &err);
    CHECK_OK(t, tml_cholesky_solve(c, COLUMNS, B, X, &err), &err);
    tml_csc_lower_mul(&A, COLUMNS, X, R);
    for (int i = 0; i < N * COLUMNS; ++i) {
        CHECK_NEAR(t, R[i], 0.0, 1e-10); // eps times |A| |X|, which reaches N^2
    }
    CHECK(t, tml_cholesky_info(c).entries >= N);
    tml_cholesky_free(c);
    tml_arena_free(&arena);
}

/* A chain that hangs on nothing, an unknown without stiffness, a negative diagonal: the unknown is told. */
TEST(not_definite)
{
    TmlArena arena = {0};
    TmlError err = {0};
    TmlCholesky *c = NULL;
    int weak = -1;
    TmlCsc A = chain(t, &arena, 200, false);
    CHECK_INT(t, tml_cholesky_create(&A, &c, &weak, &err), TML_E_SINGULAR);
    CHECK(t, c == NULL && weak >= 0 && weak < 200);
    A = chain(t, &arena, 200, true);
    A.x[A.start[150]] = -2.0;
    CHECK_INT(t, tml_cholesky_create(&A, &c, &weak, &err), TML_E_SINGULAR);
    CHECK_INT(t, weak, 150);
    const int row[2] = {0, 2}, col[2] = {0, 2};
    const double x[2] = {1, 1};
    CHECK_OK(t, tml_csc_triplets(3, 3, 2, row, col, x, &arena, &A, &err), &err);
    CHECK_INT(t, tml_cholesky_create(&A, &c, &weak, &err), TML_E_SINGULAR);
    CHECK_INT(t, weak, 1);
    // a long chain that is held is definite, however small its last pivot is
    A = chain(t, &arena, 1500, true);
    CHECK_OK(t, tml_cholesky_create(&A, &c, &weak, &err), &err);
    tml_cholesky_free(c);
    tml_arena_free(&arena);
}

typedef struct Pair {
    TmlCholesky *c;
    const double *mass;
    int n;
} Pair;

static void inverse(void *user, const double *f, double *u)
{
    const Pair *p = user;
    TmlError err;
    (void)!tml_cholesky_solve(p->c, 1, f, u, &err);
}

static void mass(void *user, const double *x, double *y)
{
    const Pair *p = user;
    for (int i = 0; i < p->n; ++i) {
        y[i] = p->mass[i] * x[i];
    }
}

/* Fixed-free chain of equal masses: w_j = 2 sin((2 j - 1) pi / (4 n + 2)). Masses that are zero in a
 * second run leave fewer modes, and those are found, too. */
TEST(lowest_modes)
{
    enum { N = 400, K = 12 };
    static double unit[N], start[N], V[N * K], Mv[N];
    double w[K];
    TmlArena arena = {0};
    TmlError err = {0};
    const TmlCsc A = chain(t, &arena, N, true);
    Pair p = {.mass = unit, .n = N};
    CHECK_OK(t, tml_cholesky_create(&A, &p.c, NULL, &err), &err);
    const TmlOperator inv = {N, &p, inverse}, m = {N, &p, mass};
    for (int run = 0; run < 2; ++run) {
        for (int i = 0; i < N; ++i) {
            unit[i] = run == 0 || i % 2 == 1;
            Mv[i] = unit[i] * (1.0 + 0.3 * i / N);
        }
        inverse(&p, Mv, start);
        CHECK_OK(t, tml_arpack_smallest(&inv, &m, run == 0 ? N : N / 2, K, start, w, V, &err),
                 &err);
        for (int j = 0; j < K; ++j) {
            // with every other mass gone, springs in pairs: a chain of N/2 with half the stiffness
            const int n = run == 0 ? N : N / 2;
            const double s = 2.0 * sin((2 * j + 1) * 3.14159265358979323846 / (4.0 * n + 2.0));
            const double want = s * s * (run == 0 ? 1.0 : 0.5);
            CHECK_NEAR(t, w[j] / want, 1.0, 1e-11); // rounding: condition of A, N^2, times eps
            for (int i = 0; i <= j; ++i) {
                double dot = 0.0;
                for (int k = 0; k < N; ++k) {
                    dot += unit[k] * V[i * N + k] * V[j * N + k];
                }
                CHECK_NEAR(t, dot, i == j, 1e-12); // orthonormal to rounding
            }
        }
    }
    tml_cholesky_free(p.c);
    tml_arena_free(&arena);
}

TEST_SUITE(sparse_cholesky) = {
    CASE(many_right_hand_sides), CASE(not_definite), CASE(lowest_modes), {0}};
