/* tests/sparse/test_iterative.c - Krylov's method with blocks on the diagonal against sparse LU. */
#include "sparse/iterative.h"

#include "sparse/lu.h"
#include "test.h"

enum { BODIES = 60, N = 6 * BODIES };

typedef struct Pile {
    TmlArena arena;
    TmlCsc A;
    int block[BODIES + 1];
    double unit[N];
} Pile;

/* Bodies in a ring, each coupled with the next two: full blocks on the diagonal with 1 + |rest| in it, blocks beside it
 * of size `coupling`. Symmetric or not. Rotations have the unit 1, lengths `length`. */
static void pile_create(TestCtx *t, double coupling, double length, Pile *s)
{
    TmlPattern p;
    TmlError err;
    *s = (Pile){0};
    tml_pattern_init(&p, N, N);
    for (int b = 0; b < BODIES; ++b) {
        s->block[b] = 6 * b;
        for (int d = -2; d <= 2; ++d) {
            const int c = (b + d + BODIES) % BODIES;
            for (int k = 0; k < 36; ++k) {
                CHECK(t, tml_pattern_add(&p, 6 * b + k / 6, 6 * c + k % 6));
            }
        }
    }
    s->block[BODIES] = N;
    CHECK_OK(t, tml_pattern_csc(&p, &s->arena, &s->A, &err), &err);
    tml_pattern_free(&p);
    for (int j = 0; j < N; ++j) {
        s->unit[j] = j % 6 < 3 ? length : 1.0;
        for (int k = s->A.start[j]; k < s->A.start[j + 1]; ++k) {
            const int i = s->A.row[k];
            const double own = i == j ? 4.0 : test_random(t, -0.5, 0.5);
            // rows and columns in units: the matrix of accelerations in other units of length
            s->A.x[k] = (i / 6 == j / 6 ? own : coupling * test_random(t, -1, 1)) / s->unit[j];
        }
    }
    for (int j = 0; j < N; ++j) {
        for (int k = s->A.start[j]; k < s->A.start[j + 1]; ++k) {
            s->A.x[k] /= s->unit[s->A.row[k]];
        }
    }
}

/* Largest difference of the solutions by iterations and by factors over the largest component, in units. */
static double difference(TestCtx *t, Pile *s, double accuracy, int *products)
{
    TmlIterative *it;
    TmlLu *lu;
    TmlError err;
    double x[N], y[N], most = 0.0, off = 0.0;
    CHECK_OK(t, tml_iterative_create(&s->A, BODIES, s->block, s->unit, &it, &err), &err);
    CHECK_OK(t, tml_lu_create(&s->A, &lu, &err), &err);
    CHECK_INT(t, tml_lu_factor(lu, &s->A), -1);
    CHECK_INT(t, tml_iterative_take(it, &s->A), -1);
    for (int k = 0; k < N; ++k) {
        x[k] = y[k] = test_random(t, -1, 1) / s->unit[k];
    }
    tml_lu_solve(lu, y);
    *products = tml_iterative_solve(it, accuracy, x);
    for (int k = 0; k < N; ++k) {
        most = fmax(most, fabs(y[k] / s->unit[k]));
        off = fmax(off, fabs((x[k] - y[k]) / s->unit[k]));
    }
    tml_iterative_free(it);
    tml_lu_free(lu);
    return off / most;
}

TEST(iterations_give_what_factors_give)
{
    static const double length[] = {1.0, 1e-3, 1e4}, accuracy[] = {1e-2, 1e-6, 1e-12};
    for (int k = 0; k < 3; ++k) {
        int before = 0;
        for (int i = 0; i < 3; ++i) {
            Pile s;
            int products;
            t->seed = 1; // the same matrix for each
            pile_create(t, 0.1, length[k], &s);
            // accuracy as asked for, of a norm that is twenty times the largest of 360 components at most
            CHECK_NEAR(t, difference(t, &s, accuracy[i], &products), 0.0, 20.0 * accuracy[i]);
            CHECK(t, products > before && products < 60);
            before = products;
            tml_arena_free(&s.arena);
        }
    }
}

/* Without anything beside the blocks one product shows that the first guess is right. */
TEST(blocks_alone_take_one_product)
{
    Pile s;
    int products;
    pile_create(t, 0.0, 1.0, &s);
    // rounding of six by six blocks, whose condition is below ten
    CHECK_NEAR(t, difference(t, &s, 1e-12, &products), 0.0, 1e-13);
    CHECK_INT(t, products, 1);
    tml_arena_free(&s.arena);
}

/* Where blocks say little the right side stays what it was, and a singular block is told. */
TEST(failure_is_told)
{
    Pile s;
    TmlIterative *it;
    TmlError err;
    double x[N];
    pile_create(t, 50.0, 1.0, &s);
    CHECK_OK(t, tml_iterative_create(&s.A, BODIES, s.block, s.unit, &it, &err), &err);
    CHECK_INT(t, tml_iterative_take(it, &s.A), -1);
    for (int k = 0; k < N; ++k) {
        x[k] = k;
    }
    CHECK_INT(t, tml_iterative_solve(it, 1e-10, x), -1);
    for (int k = 0; k < N; ++k) {
        CHECK(t, x[k] == k);
    }
    for (int k = 0; k < 6; ++k) {
        s.A.x[tml_csc_find(&s.A, 12 + k, 14)] = 0.0;
    }
    const int column = tml_iterative_take(it, &s.A);
    CHECK(t, column >= 12 && column < 18);
    tml_iterative_free(it);
    tml_arena_free(&s.arena);
}

TEST_SUITE(iterative) = {CASE(iterations_give_what_factors_give),
                         CASE(blocks_alone_take_one_product),
                         CASE(failure_is_told),
                         {0}};
