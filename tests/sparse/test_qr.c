/* tests/sparse/test_qr.c - rank of rows with known dependencies. */
#include "sparse/qr.h"
#include "test.h"

#include <stdlib.h>

/* Matrix from dense values, by rows. */
static TmlCsc from_dense(TestCtx *t, TmlArena *arena, int rows, int cols, const double *a)
{
    TmlPattern p;
    TmlCsc A = {0};
    TmlError err = {0};
    tml_pattern_init(&p, rows, cols);
    for (int k = 0; k < rows * cols; ++k) {
        CHECK(t, a[k] == 0.0 || tml_pattern_add(&p, k / cols, k % cols));
    }
    CHECK_OK(t, tml_pattern_csc(&p, arena, &A, &err), &err);
    for (int k = 0; k < rows * cols; ++k) {
        if (a[k] != 0.0) {
            A.x[tml_csc_find(&A, k / cols, k % cols)] = a[k];
        }
    }
    tml_pattern_free(&p);
    return A;
}

/* Later rows are the ones set aside, and their combinations are found. */
TEST(known_dependencies)
{
    static const double a[] = {
        1, 0,  0, 2, 0,  //
        0, 1,  0, 0, 3,  //
        2, -1, 0, 4, -3, // 2 row 0 - row 1
        0, 0,  1, 1, 0,  //
        0, 0,  0, 0, 0,  // empty
        1, 1,  1, 3, 3,  // row 0 + row 1 + row 3
    };
    static const bool expected[] = {true, true, false, true, false, false};
    static const double combination[3][6] = {{2, -1}, {0}, {1, 1, 0, 1}};
    static const int dependent[3] = {2, 4, 5};
    TmlArena arena = {0};
    TmlError err = {0};
    const TmlCsc A = from_dense(t, &arena, 6, 5, a);
    bool independent[6];
    int rank = -1;
    CHECK_OK(t, tml_qr_row_rank(&A, 0.0, independent, &rank, &err), &err);
    CHECK_INT(t, rank, 3);
    for (int i = 0; i < 6; ++i) {
        CHECK_INT(t, independent[i], expected[i]);
    }
    for (int k = 0; k < 3; ++k) {
        double c[6];
        CHECK_OK(t, tml_qr_combination(&A, independent, dependent[k], c, &err), &err);
        for (int i = 0; i < 6; ++i) {
            CHECK_NEAR(t, c[i], combination[k][i], 1e-14); // rounding; condition about 10
        }
    }
    tml_arena_free(&arena);
}

/* Many rows, more than the order is kept for: random products with every fifth row dependent. */
TEST(large_random_ranks)
{
    enum { ROWS = 700, COLS = 900 };
    double *a = calloc(ROWS * COLS, sizeof *a), *c = calloc(ROWS, sizeof *c);
    bool *independent = calloc(ROWS, sizeof *independent);
    TmlArena arena = {0};
    TmlError err = {0};
    int rank = -1, wrong = 0;
    for (int i = 0; i < ROWS; ++i) {
        if (i % 5 == 4) { // of the two rows before it
            for (int j = 0; j < COLS; ++j) {
                a[i * COLS + j] = 0.8 * a[(i - 1) * COLS + j] - 0.6 * a[(i - 2) * COLS + j];
            }
            continue;
        }
        a[i * COLS + i] = 1.0;
        for (int k = 0; k < 3; ++k) {
            a[i * COLS + (int)test_random(t, 0, COLS)] += test_random(t, -1, 1);
        }
    }
    const TmlCsc A = from_dense(t, &arena, ROWS, COLS, a);
    CHECK_OK(t, tml_qr_row_rank(&A, 1e-9, independent, &rank, &err), &err);
    CHECK_INT(t, rank, ROWS - ROWS / 5);
    for (int g = 0; g + 4 < ROWS; g += 5) { // one of the three rows of each group goes
        wrong += !independent[g] || !independent[g + 1] ||
                 independent[g + 2] + independent[g + 3] + independent[g + 4] != 2;
    }
    CHECK_INT(t, wrong, 0);
    for (int i = 0; i < 3 * 5; ++i) { // the combinations reproduce the rows
        if (independent[i]) {
            continue;
        }
        CHECK_OK(t, tml_qr_combination(&A, independent, i, c, &err), &err);
        for (int j = 0; j < COLS; ++j) {
            double sum = 0.0;
            for (int k = 0; k < ROWS; ++k) {
                sum += c[k] * a[k * COLS + j];
            }
            CHECK_NEAR(t, sum, a[i * COLS + j], 1e-12); // rounding by a condition below 1e3
        }
    }
    tml_arena_free(&arena);
    free(independent);
    free(c);
    free(a);
}

/* The tolerance decides what is dependent. */
TEST(tolerance_is_respected)
{
    static const double a[] = {1, 0, 0, 1, 1e-6, 0};
    TmlArena arena = {0};
    TmlError err = {0};
    const TmlCsc A = from_dense(t, &arena, 2, 3, a);
    bool independent[2];
    int rank = -1;
    CHECK_OK(t, tml_qr_row_rank(&A, 1e-7, independent, &rank, &err), &err);
    CHECK_INT(t, rank, 2);
    CHECK_OK(t, tml_qr_row_rank(&A, 1e-5, independent, &rank, &err), &err);
    CHECK_INT(t, rank, 1);
    CHECK(t, independent[0] && !independent[1]);
    tml_arena_free(&arena);
}

/* More rows than columns, no rows, no columns. */
TEST(odd_shapes)
{
    static const double tall[] = {1, 0, 1, 1, 0, 2, 3, -1};
    TmlArena arena = {0};
    TmlError err = {0};
    bool independent[4];
    int rank = -1;
    TmlCsc A = from_dense(t, &arena, 4, 2, tall);
    CHECK_OK(t, tml_qr_row_rank(&A, 0.0, independent, &rank, &err), &err);
    CHECK_INT(t, rank, 2);
    CHECK(t, independent[0] && independent[1] && !independent[2] && !independent[3]);
    A = from_dense(t, &arena, 0, 3, tall);
    CHECK_OK(t, tml_qr_row_rank(&A, 0.0, independent, &rank, &err), &err);
    CHECK_INT(t, rank, 0);
    A = from_dense(t, &arena, 4, 0, tall);
    CHECK_OK(t, tml_qr_row_rank(&A, 0.0, independent, &rank, &err), &err);
    CHECK_INT(t, rank, 0);
    CHECK(t, !independent[0] && !independent[3]);
    tml_arena_free(&arena);
}

TEST_SUITE(sparse_qr) = {CASE(known_dependencies),
                         CASE(large_random_ranks),
                         CASE(tolerance_is_respected),
                         CASE(odd_shapes),
                         {0}};
