/* tests/sparse/test_csc.c - patterns and products against dense arithmetic. */
#include "sparse/csc.h"
#include "test.h"

TEST(pattern_sorts_and_merges)
{
    TmlArena arena = {0};
    TmlPattern p;
    TmlCsc A;
    TmlError err = {0};
    static const int entry[][2] = {{3, 1}, {0, 0}, {3, 1}, {1, 1}, {2, 4}, {0, 4}, {1, 1}};

    tml_pattern_init(&p, 4, 5);
    for (size_t k = 0; k < sizeof entry / sizeof entry[0]; ++k) {
        CHECK(t, tml_pattern_add(&p, entry[k][0], entry[k][1]));
    }
    CHECK_OK(t, tml_pattern_csc(&p, &arena, &A, &err), &err);
    static const int start[] = {0, 1, 3, 3, 3, 5}, row[] = {0, 1, 3, 0, 2};
    for (int j = 0; j <= 5; ++j) {
        CHECK_INT(t, A.start[j], start[j]);
    }
    for (int k = 0; k < 5; ++k) {
        CHECK_INT(t, A.row[k], row[k]);
        CHECK(t, A.x[k] == 0.0);
    }
    CHECK_INT(t, tml_csc_find(&A, 3, 1), 2);
    CHECK_INT(t, tml_csc_find(&A, 2, 1), -1);
    CHECK_INT(t, tml_csc_find(&A, 0, 2), -1);
    tml_pattern_free(&p);
    tml_arena_free(&arena);
}

TEST(empty_matrix)
{
    TmlArena arena = {0};
    TmlPattern p;
    TmlCsc A;
    TmlError err = {0};
    tml_pattern_init(&p, 0, 0);
    CHECK_OK(t, tml_pattern_csc(&p, &arena, &A, &err), &err);
    CHECK_INT(t, A.start[0], 0);
    tml_pattern_free(&p);
    tml_arena_free(&arena);
}

TEST(products_match_dense)
{
    enum { M = 13, N = 9 };
    double dense[M][N] = {{0}}, x[N], z[M], y[M] = {0}, w[N] = {0};
    TmlArena arena = {0};
    TmlPattern p;
    TmlCsc A;
    TmlError err = {0};

    tml_pattern_init(&p, M, N);
    for (int k = 0; k < 40; ++k) {
        const int i = (int)test_random(t, 0, M), j = (int)test_random(t, 0, N);
        dense[i][j] = test_random(t, -1, 1);
        CHECK(t, tml_pattern_add(&p, i, j));
    }
    CHECK_OK(t, tml_pattern_csc(&p, &arena, &A, &err), &err);
    for (int j = 0; j < N; ++j) {
        x[j] = test_random(t, -1, 1);
        for (int i = 0; i < M; ++i) {
            const int at = tml_csc_find(&A, i, j);
            CHECK(t, (at >= 0) == (dense[i][j] != 0.0));
            if (at >= 0) {
                A.x[at] = dense[i][j];
            }
        }
    }
    for (int i = 0; i < M; ++i) {
        z[i] = test_random(t, -1, 1);
    }
    tml_csc_mul(&A, x, y);
    tml_csc_tmul(&A, z, w);
    const double tol = 1e-15; // rounding of at most 13 products of size one
    for (int i = 0; i < M; ++i) {
        double sum = 0.0;
        for (int j = 0; j < N; ++j) {
            sum += dense[i][j] * x[j];
        }
        CHECK_NEAR(t, y[i], sum, tol);
    }
    for (int j = 0; j < N; ++j) {
        double sum = 0.0;
        for (int i = 0; i < M; ++i) {
            sum += dense[i][j] * z[i];
        }
        CHECK_NEAR(t, w[j], sum, tol);
    }
    tml_pattern_free(&p);
    tml_arena_free(&arena);
}

TEST_SUITE(sparse_csc) = {
    CASE(pattern_sorts_and_merges), CASE(empty_matrix), CASE(products_match_dense), {0}};
