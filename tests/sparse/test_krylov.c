/* tests/sparse/test_krylov.c - Arnoldi's method and its incomplete form on matrices. */
#include "test.h"

#include "sparse/krylov.h"

enum { N = 40 };

typedef struct Matrix {
    double a[N][N];
    int products, fail_at;
} Matrix;

static bool product(void *user, const double *v, double *w)
{
    Matrix *m = user;
    for (int i = 0; i < N; ++i) {
        w[i] = 0.0;
        for (int j = 0; j < N; ++j) {
            w[i] += m->a[i][j] * v[j];
        }
    }
    return ++m->products != m->fail_at;
}

static double residual(Matrix *m, const double *b, const double *x)
{
    double w[N], sum = 0.0;
    product(m, x, w);
    for (int i = 0; i < N; ++i) {
        sum += (b[i] - w[i]) * (b[i] - w[i]);
    }
    return sqrt(sum);
}

static void fill(TestCtx *t, Matrix *m, double *b)
{
    *m = (Matrix){.products = 0};
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < N; ++j) {
            m->a[i][j] = test_random(t, -0.1, 0.1) + (i == j ? 1.0 : 0.0);
        }
        b[i] = test_random(t, -1, 1);
    }
}

/* The residual that the recurrence tells is the true one, with all vectors and with three. */
static void check_residual(TestCtx *t, int depth)
{
    Matrix m;
    double b[N], x[N];
    TmlArena arena = {0};
    TmlKrylov k;
    TmlError err = {0};
    fill(t, &m, b);
    for (int max = 1; max <= 20; max += 3) {
        CHECK_OK(t, tml_krylov_setup(&k, &arena, N, max, depth, &err), &err);
        const TmlKrylovOut out = tml_krylov_solve(&k, product, &m, b, 0.0, x);
        CHECK_INT(t, out.iterations, max);
        // rounding of sums of 40 terms
        CHECK_NEAR(t, out.residual, residual(&m, b, x), 1e-12);
    }
    tml_arena_free(&arena);
}

TEST(residual_of_arnoldi)
{
    check_residual(t, 0);
}

TEST(residual_of_iom)
{
    check_residual(t, 3);
}

TEST(solves)
{
    Matrix m;
    double b[N], x[N];
    TmlArena arena = {0};
    TmlKrylov k;
    TmlError err = {0};
    fill(t, &m, b);
    CHECK_OK(t, tml_krylov_setup(&k, &arena, N, N, 0, &err), &err);
    TmlKrylovOut out = tml_krylov_solve(&k, product, &m, b, 1e-10, x);
    CHECK(t, out.converged && !out.failed);
    CHECK(t, residual(&m, b, x) <= 1.01e-10); // its own tolerance, and rounding
    CHECK_OK(t, tml_krylov_setup(&k, &arena, N, N, 5, &err), &err);
    out = tml_krylov_solve(&k, product, &m, b, 1e-6, x);
    CHECK(t, out.converged);
    CHECK(t, residual(&m, b, x) <= 1.01e-6); // as above
    tml_arena_free(&arena);
}

/* The identity needs one product, a subspace that closes ends the iteration, no product ends it. */
TEST(ends)
{
    Matrix m = {.fail_at = 0};
    double b[N] = {3.0}, x[N];
    TmlArena arena = {0};
    TmlKrylov k;
    TmlError err = {0};
    for (int i = 0; i < N; ++i) {
        m.a[i][i] = i < 2 ? 2.0 : 1.0;
    }
    m.a[1][0] = 1.0;
    CHECK_OK(t, tml_krylov_setup(&k, &arena, N, N, 0, &err), &err);
    TmlKrylovOut out = tml_krylov_solve(&k, product, &m, b, 0.0, x);
    CHECK(t, out.converged);
    CHECK_INT(t, out.iterations, 2);
    // rounding of a few products
    CHECK_NEAR(t, x[0], 1.5, 1e-15);
    CHECK_NEAR(t, x[1], -0.75, 1e-15);
    m.fail_at = m.products + 2;
    out = tml_krylov_solve(&k, product, &m, b, 0.0, x);
    CHECK(t, out.failed && !out.converged);
    // a rotation has no pivot in its first column
    m = (Matrix){.fail_at = 0};
    m.a[0][1] = -1.0;
    m.a[1][0] = 1.0;
    out = tml_krylov_solve(&k, product, &m, b, 1e-9, x);
    CHECK(t, !out.converged && !out.failed);
    CHECK_NEAR(t, x[0], 0.0, 0.0);
    tml_arena_free(&arena);
}

TEST_SUITE(krylov) = {
    CASE(residual_of_arnoldi), CASE(residual_of_iom), CASE(solves), CASE(ends), {0}};
