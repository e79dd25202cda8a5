/* tests/sparse/test_lu.c - solutions, pivots, fill and memory of the sparse LU. */
#include "sparse/lu.h"
#include "sparse/saddle.h"

#include <SuiteSparse_config.h>
#include <stdlib.h>

/* Backward error, max_i |b - A x|_i / (|A|_i |x| + |b|_i) with the sums of the rows of |A| and the
 * largest |x|, for b at random. It is free of the condition of the matrix. */
static double backward_error(TestCtx *t, TmlLu *lu, Saddle *s)
{
    const int n = s->A.cols;
    const TmlArenaMark mark = tml_arena_mark(&s->arena);
    double *x = tml_arena_alloc(&s->arena, (size_t)n, sizeof *x), worst = 0.0, largest = 0.0;
    double *left = tml_arena_alloc(&s->arena, (size_t)n, sizeof *left);
    double *size = tml_arena_alloc(&s->arena, (size_t)n, sizeof *size);
    for (int i = 0; i < n; ++i) {
        x[i] = left[i] = test_random(t, -1, 1);
        size[i] = fabs(x[i]);
    }
    tml_lu_solve(lu, x);
    for (int i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(x[i]));
    }
    for (int j = 0; j < n; ++j) {
        for (int p = s->A.start[j]; p < s->A.start[j + 1]; ++p) {
            left[s->A.row[p]] -= s->A.x[p] * x[j];
            size[s->A.row[p]] += fabs(s->A.x[p]) * largest;
        }
    }
    for (int i = 0; i < n; ++i) {
        worst = fmax(worst, fabs(left[i]) / size[i]);
    }
    tml_arena_release(&s->arena, mark);
    return worst;
}

static double light_mass(int body)
{
    return 1e-9 * (1.0 + body % 3);
}

static double heavy_mass(int body)
{
    return 1e9 * (1.0 + body % 3);
}

static double mixed_mass(int body)
{
    return body % 2 == 0 ? 1e-4 : 1e4;
}

/* Bodies that turn but weigh nothing: zeros on the diagonal, and the matrix still regular. */
static void drop_masses(Saddle *s)
{
    for (int b = 1; b < s->bodies; b += 3) {
        for (int k = 6 * b; k < 6 * b + 3; ++k) {
            s->A.x[tml_csc_find(&s->A, k, k)] = 0.0;
        }
    }
}

/* Square matrix with a full diagonal (weak where asked) and entries at random. */
static void random_matrix(TestCtx *t, Saddle *s, int n, double diagonal)
{
    TmlPattern p;
    *s = (Saddle){0};
    tml_pattern_init(&p, n, n);
    for (int i = 0; i < n; ++i) {
        CHECK(t, tml_pattern_add(&p, i, i));
        CHECK(t, tml_pattern_add(&p, i, (i * 7 + 3) % n)); // a second full transversal
        CHECK(t, tml_pattern_add(&p, (int)test_random(t, 0, n), (int)test_random(t, 0, n)));
    }
    CHECK(t, tml_pattern_csc(&p, &s->arena, &s->A, NULL) == TML_OK);
    for (int k = 0; k < s->A.start[n]; ++k) {
        s->A.x[k] = test_random(t, -1, 1);
    }
    for (int i = 0; i < n; ++i) {
        s->A.x[tml_csc_find(&s->A, i, i)] += diagonal;
    }
    tml_pattern_free(&p);
}

TEST(random_systems)
{
    TmlError err = {0};
    for (int n = 1; n < 200; n += 11) {
        Saddle s;
        TmlLu *lu;
        random_matrix(t, &s, n, n % 2 == 0 ? 3.0 : 0.0);
        CHECK_OK(t, tml_lu_create(&s.A, &lu, &err), &err);
        CHECK_INT(t, tml_lu_factor(lu, &s.A), -1);
        CHECK_NEAR(t, backward_error(t, lu, &s), 0.0, 1e-11); // rounding by growth of up to 1e4
        tml_lu_free(lu);
        tml_arena_free(&s.arena);
    }
}

/* Mechanisms of all shapes and masses: right solutions, and fill that stays linear. */
TEST(saddle_points)
{
    static const struct {
        const char *name;
        SaddleShape shape;
        double (*mass)(int);
        bool massless;
    } cases[] = {
        {"chain", SADDLE_CHAIN, saddle_unit_mass, false},
        {"light chain", SADDLE_CHAIN, light_mass, false},
        {"heavy chain", SADDLE_CHAIN, heavy_mass, false},
        {"mixed chain", SADDLE_CHAIN, mixed_mass, false},
        {"massless links", SADDLE_CHAIN, saddle_unit_mass, true},
        {"tree", SADDLE_TREE, saddle_unit_mass, false},
        {"mixed tree", SADDLE_TREE, mixed_mass, false},
        {"star", SADDLE_STAR, saddle_unit_mass, false},
        {"light star", SADDLE_STAR, light_mass, false},
    };
    TmlError err = {0};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        enum { BODIES = 1000 };
        Saddle s;
        TmlLu *lu;
        t->name = cases[k].name;
        CHECK(t, saddle_build(t, &s, BODIES, cases[k].shape, cases[k].mass));
        if (cases[k].massless) {
            drop_masses(&s);
        }
        CHECK_OK(t, tml_lu_create(&s.A, &lu, &err), &err);
        CHECK_INT(t, tml_lu_factor(lu, &s.A), -1);
        CHECK_NEAR(t, backward_error(t, lu, &s), 0.0, 1e-11); // rounding by growth of up to 1e4
        // 86 a body for the plain chain; quadratic fill would be thousands
        CHECK(t, tml_lu_info(lu)->lnz + tml_lu_info(lu)->unz < 200 * BODIES);
        tml_lu_free(lu);
        tml_arena_free(&s.arena);
    }
    t->name = NULL;
}

/* Fast and full factorisations of moved values give the same solutions; the pivots are kept. */
TEST(refactor_equals_factor)
{
    Saddle s;
    TmlLu *fast, *full;
    TmlError err = {0};
    CHECK(t, saddle_build(t, &s, 50, SADDLE_TREE, saddle_unit_mass));
    const int n = s.A.cols;
    double *x = tml_arena_alloc(&s.arena, (size_t)n, sizeof *x);
    double *y = tml_arena_alloc(&s.arena, (size_t)n, sizeof *y);
    CHECK_OK(t, tml_lu_create(&s.A, &fast, &err), &err);
    CHECK_OK(t, tml_lu_create(&s.A, &full, &err), &err);
    CHECK_INT(t, tml_lu_refactor(fast, &s.A), -1); // the first one is full
    CHECK_INT(t, tml_lu_info(fast)->factors, 1);
    for (int step = 0; step < 20; ++step) {
        for (int k = 0; k < s.A.start[n]; ++k) {
            s.A.x[k] *= 1.0 + 1e-3 * test_random(t, -1, 1);
        }
        CHECK_INT(t, tml_lu_refactor(fast, &s.A), -1);
        CHECK_INT(t, tml_lu_factor(full, &s.A), -1);
        for (int i = 0; i < n; ++i) {
            x[i] = y[i] = test_random(t, -1, 1);
        }
        tml_lu_solve(fast, x);
        tml_lu_solve(full, y);
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(t, x[i], y[i], 1e-9); // rounding by a condition of about 1e5
        }
    }
    CHECK_INT(t, tml_lu_info(fast)->factors, 1);
    CHECK_INT(t, tml_lu_info(fast)->refactors, 20);
    CHECK_INT(t, tml_lu_info(fast)->solves, 20);
    tml_lu_free(fast);
    tml_lu_free(full);
    tml_arena_free(&s.arena);
}

/* Pivots that vanish later: the fast path must notice and choose again. */
TEST(refactor_falls_back)
{
    Saddle s;
    TmlLu *lu;
    TmlError err = {0};
    random_matrix(t, &s, 40, 3.0);
    CHECK_OK(t, tml_lu_create(&s.A, &lu, &err), &err);
    CHECK_INT(t, tml_lu_factor(lu, &s.A), -1);
    for (int i = 0; i < 40; ++i) { // the dominant entries move off the diagonal
        s.A.x[tml_csc_find(&s.A, i, i)] = 1e-13;
        s.A.x[tml_csc_find(&s.A, i, (i * 7 + 3) % 40)] = 3.0;
    }
    CHECK_INT(t, tml_lu_refactor(lu, &s.A), -1);
    CHECK_INT(t, tml_lu_info(lu)->factors, 2);
    CHECK_NEAR(t, backward_error(t, lu, &s), 0.0, 1e-12); // as in random_systems
    tml_lu_free(lu);
    tml_arena_free(&s.arena);
}

/* A joint doubled makes its multipliers undetermined: one of the two is named. */
TEST(singular_column_is_named)
{
    static double (*const mass[])(int) = {saddle_unit_mass, light_mass, heavy_mass, mixed_mass};
    enum { BODIES = 30, COPY = 17, FIRST = 6 * BODIES };
    TmlError err = {0};
    for (int k = 0; k < 4; ++k) {
        Saddle s;
        TmlLu *lu;
        CHECK(t, saddle_build(t, &s, BODIES, SADDLE_CHAIN, mass[k]));
        // row and column FIRST + COPY repeat the multiplier before them
        TmlPattern p;
        const int n = s.A.cols, copy = FIRST + COPY, same = FIRST + COPY - 3;
        tml_pattern_init(&p, n, n);
        double *dense = tml_arena_alloc(&s.arena, (size_t)n * (size_t)n, sizeof *dense);
        for (int j = 0; j < n; ++j) {
            for (int q = s.A.start[j]; q < s.A.start[j + 1]; ++q) {
                if (s.A.row[q] != copy && j != copy) {
                    dense[s.A.row[q] + n * j] = s.A.x[q];
                }
            }
        }
        for (int i = 0; i < n; ++i) {
            dense[copy + n * i] = 0.7 * dense[same + n * i];
            dense[i + n * copy] = 0.7 * dense[i + n * same];
        }
        for (int e = 0; e < n * n; ++e) {
            CHECK(t, dense[e] == 0.0 || tml_pattern_add(&p, e % n, e / n));
        }
        CHECK_OK(t, tml_pattern_csc(&p, &s.arena, &s.A, &err), &err);
        for (int e = 0; e < n * n; ++e) {
            if (dense[e] != 0.0) {
                s.A.x[tml_csc_find(&s.A, e % n, e / n)] = dense[e];
            }
        }
        CHECK_OK(t, tml_lu_create(&s.A, &lu, &err), &err);
        const int column = tml_lu_factor(lu, &s.A);
        CHECK(t, column == copy || column == same);
        CHECK(t, tml_lu_info(lu)->rcond == 0.0);
        tml_lu_free(lu);
        tml_pattern_free(&p);
        tml_arena_free(&s.arena);
    }
}

/* Structurally empty, zero and not finite columns; and the matrix is usable again afterwards. */
TEST(bad_columns_are_named)
{
    Saddle s;
    TmlLu *lu;
    TmlError err = {0};
    random_matrix(t, &s, 25, 3.0);
    double kept[8];
    const int from = s.A.start[11], n = s.A.start[12] - from;
    CHECK(t, n <= 8);
    memcpy(kept, s.A.x + from, (size_t)n * sizeof *kept);
    CHECK_OK(t, tml_lu_create(&s.A, &lu, &err), &err);
    CHECK_INT(t, tml_lu_factor(lu, &s.A), -1);
    memset(s.A.x + from, 0, (size_t)n * sizeof *kept);
    CHECK_INT(t, tml_lu_refactor(lu, &s.A), 11);
    CHECK_INT(t, tml_lu_factor(lu, &s.A), 11);
    s.A.x[from] = (double)NAN;
    CHECK_INT(t, tml_lu_factor(lu, &s.A), 11);
    memcpy(s.A.x + from, kept, (size_t)n * sizeof *kept);
    CHECK_INT(t, tml_lu_refactor(lu, &s.A), -1);
    s.A.x[from] = (double)INFINITY;
    CHECK_INT(t, tml_lu_refactor(lu, &s.A), 11);
    memcpy(s.A.x + from, kept, (size_t)n * sizeof *kept);
    CHECK_INT(t, tml_lu_refactor(lu, &s.A), -1);
    CHECK_NEAR(t, backward_error(t, lu, &s), 0.0, 1e-12); // as in random_systems
    tml_lu_free(lu);
    tml_arena_free(&s.arena);
}

/* I a - F = 1, V = 2, F - gain V = 3: each row by itself is as good as it can be, whatever the
 * gain. Without units for V the diagonal of F would be 1 / gain of its row. */
TEST(steep_equations_are_regular)
{
    for (int power = 0; power <= 200; power += 5) {
        const double gain = ldexp(1.0, power) * 1.1;
        int start[] = {0, 1, 3, 5}, row[] = {0, 1, 2, 0, 2};
        double x[] = {0.7, 1.0, -gain, -1.0, 1.0}, r[] = {1.0, 2.0, 3.0};
        const TmlCsc A = {.rows = 3, .cols = 3, .start = start, .row = row, .x = x};
        TmlLu *lu;
        TmlError err = {0};
        CHECK_OK(t, tml_lu_create(&A, &lu, &err), &err);
        tml_lu_set_equations(lu, 1);
        CHECK_INT(t, tml_lu_factor(lu, &A), -1);
        CHECK(t, tml_lu_info(lu)->rcond > 1e-10); // no pivot is near what counts as rounding
        tml_lu_solve(lu, r);
        const double F = 3.0 + 2.0 * gain;
        CHECK_NEAR(t, r[1], 2.0, 1e-15); // a few roundings, relative
        CHECK_NEAR(t, r[2] / F, 1.0, 1e-15);
        CHECK_NEAR(t, r[0] * 0.7 / (1.0 + F), 1.0, 1e-15);
        tml_lu_free(lu);
    }
}

/* Equations in a loop, V = gain F and F = gain V + 1, are scaled as well. */
TEST(steep_loops_are_regular)
{
    for (int power = 1; power <= 200; power += 10) {
        const double gain = ldexp(1.0, power) * 1.1;
        int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
        double x[] = {1.0, -gain, -gain, 1.0}, r[] = {0.0, 1.0};
        const TmlCsc A = {.rows = 2, .cols = 2, .start = start, .row = row, .x = x};
        TmlLu *lu;
        TmlError err = {0};
        CHECK_OK(t, tml_lu_create(&A, &lu, &err), &err);
        tml_lu_set_equations(lu, 0);
        CHECK_INT(t, tml_lu_factor(lu, &A), -1);
        tml_lu_solve(lu, r);
        const double F = 1.0 / (1.0 - gain * gain);
        CHECK_NEAR(t, r[1] / F, 1.0, 1e-14); // 1 - gain^2 loses one digit at 2.2
        CHECK_NEAR(t, r[0] / (gain * F), 1.0, 1e-14);
        tml_lu_free(lu);
    }
}

TEST(no_unknowns)
{
    TmlLu *lu;
    TmlError err = {0};
    int start[1] = {0};
    const TmlCsc A = {.start = start};
    CHECK_OK(t, tml_lu_create(&A, &lu, &err), &err);
    CHECK_INT(t, tml_lu_factor(lu, &A), -1);
    CHECK_INT(t, tml_lu_refactor(lu, &A), -1);
    tml_lu_solve(lu, NULL);
    tml_lu_free(lu);
}

/* --- memory: KLU's comes from SuiteSparse's hook, ours from tml_set_allocator --------------- */

static int allocations;

static void *counted_malloc(size_t size)
{
    allocations++;
    return malloc(size);
}

static void *counted_calloc(size_t n, size_t size)
{
    allocations++;
    return calloc(n, size);
}

static void *counted_realloc(void *p, size_t size)
{
    allocations++;
    return realloc(p, size);
}

static void *counted_resize(void *user, void *p, size_t size)
{
    (void)user;
    allocations++;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, size);
}

TEST(fast_path_allocates_nothing)
{
    Saddle s;
    TmlLu *lu;
    TmlError err = {0};
    const TmlAllocator counted = {NULL, counted_resize};
    const struct SuiteSparse_config_struct standard = SuiteSparse_config;
    SuiteSparse_config.malloc_func = counted_malloc;
    SuiteSparse_config.calloc_func = counted_calloc;
    SuiteSparse_config.realloc_func = counted_realloc;
    tml_set_allocator(&counted);

    CHECK(t, saddle_build(t, &s, 100, SADDLE_CHAIN, saddle_unit_mass));
    double *x = tml_arena_alloc(&s.arena, (size_t)s.A.cols, sizeof *x);
    CHECK_OK(t, tml_lu_create(&s.A, &lu, &err), &err);
    CHECK_INT(t, tml_lu_factor(lu, &s.A), -1);
    CHECK(t, allocations > 0); // the counters are connected
    const int before = allocations;
    for (int k = 0; k < 100; ++k) {
        x[k] = 1.0;
        CHECK_INT(t, tml_lu_refactor(lu, &s.A), -1);
        tml_lu_solve(lu, x);
    }
    CHECK_INT(t, allocations - before, 0);
    CHECK_INT(t, tml_lu_info(lu)->refactors, 100);

    tml_lu_free(lu);
    tml_arena_free(&s.arena);
    tml_set_allocator(NULL);
    SuiteSparse_config = standard;
}

/* Our own blocks fail one after the other: a status, and nothing lost. */
typedef struct Budget {
    int left, live;
} Budget;

static void *budget_resize(void *user, void *p, size_t size)
{
    Budget *b = user;
    if (size == 0) {
        b->live--;
        free(p);
        return NULL;
    }
    if (b->left-- <= 0) {
        return NULL;
    }
    b->live += p == NULL;
    return realloc(p, size);
}

TEST(out_of_memory_is_reported)
{
    Saddle s;
    CHECK(t, saddle_build(t, &s, 5, SADDLE_CHAIN, saddle_unit_mass));
    TmlStatus status = TML_E_NOMEM;
    for (int k = 0; k < 50 && status != TML_OK; ++k) {
        TmlLu *lu;
        TmlError err = {0};
        Budget budget = {.left = k};
        tml_set_allocator(&(TmlAllocator){&budget, budget_resize});
        status = tml_lu_create(&s.A, &lu, &err);
        CHECK(t, status == TML_OK || (status == TML_E_NOMEM && lu == NULL));
        tml_lu_free(lu);
        CHECK_INT(t, budget.live, 0);
        tml_set_allocator(NULL);
    }
    CHECK_INT(t, status, TML_OK);
    tml_arena_free(&s.arena);
}

static void *no_malloc(size_t size)
{
    (void)size;
    return NULL;
}

/* KLU without memory: no column is to blame, and with memory again all is well. */
TEST(factors_without_memory)
{
    Saddle s;
    TmlLu *lu;
    TmlError err = {0};
    CHECK(t, saddle_build(t, &s, 5, SADDLE_CHAIN, saddle_unit_mass));
    CHECK_OK(t, tml_lu_create(&s.A, &lu, &err), &err);
    const struct SuiteSparse_config_struct standard = SuiteSparse_config;
    SuiteSparse_config.malloc_func = no_malloc;
    CHECK(t, tml_lu_factor(lu, &s.A) >= 0);
    CHECK(t, tml_lu_info(lu)->out_of_memory);
    SuiteSparse_config = standard;
    CHECK_INT(t, tml_lu_factor(lu, &s.A), -1);
    CHECK(t, !tml_lu_info(lu)->out_of_memory);
    s.A.x[0] = (double)NAN;
    CHECK(t, tml_lu_factor(lu, &s.A) >= 0);
    CHECK(t, !tml_lu_info(lu)->out_of_memory);
    tml_lu_free(lu);
    tml_arena_free(&s.arena);
}

/* Memory that was given back is taken again, with the same ordering; where there is none that is told. */
TEST(dropped_factors)
{
    Saddle s;
    TmlLu *lu;
    TmlError err = {0};
    CHECK(t, saddle_build(t, &s, 50, SADDLE_TREE, saddle_unit_mass));
    CHECK_OK(t, tml_lu_create(&s.A, &lu, &err), &err);
    CHECK_INT(t, tml_lu_factor(lu, &s.A), -1);
    const TmlLuPlan before = tml_lu_plan(lu);
    const int64_t analyses = tml_lu_info(lu)->analyses;
    tml_lu_drop(lu);
    tml_lu_drop(lu); // nothing is left to give
    Budget none = {.left = 0};
    tml_set_allocator(&(TmlAllocator){&none, budget_resize});
    CHECK(t, tml_lu_refactor(lu, &s.A) >= 0);
    tml_set_allocator(NULL);
    CHECK(t, tml_lu_info(lu)->out_of_memory);
    CHECK_INT(t, tml_lu_refactor(lu, &s.A), -1);
    CHECK(t, !tml_lu_info(lu)->out_of_memory);
    CHECK_INT(t, tml_lu_plan(lu).ordering, before.ordering);
    CHECK_INT(t, tml_lu_info(lu)->analyses, analyses + 1); // that ordering alone
    CHECK_NEAR(t, backward_error(t, lu, &s), 0.0, 1e-12);  // as in random_systems
    tml_lu_free(lu);
    tml_arena_free(&s.arena);
}

/* Sign of the determinant by dense elimination; A by columns, destroyed. */
static int dense_sign(int n, double *A)
{
    int sign = 1;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            best = fabs(A[k * n + i]) > fabs(A[k * n + best]) ? i : best;
        }
        sign = best != k ? -sign : sign;
        for (int j = 0; j < n; ++j) {
            const double other = A[j * n + k];
            A[j * n + k] = A[j * n + best];
            A[j * n + best] = other;
        }
        sign = A[k * n + k] < 0.0 ? -sign : sign;
        for (int j = k + 1; j < n; ++j) {
            for (int i = k + 1; i < n; ++i) {
                A[j * n + i] -= A[k * n + i] / A[k * n + k] * A[j * n + k];
            }
        }
    }
    return sign;
}

TEST(sign_of_the_determinant)
{
    enum { N = 12 };
    int negative = 0;
    for (int trial = 0; trial < 40; ++trial) {
        Saddle s;
        TmlLu *lu;
        TmlError err = {0};
        double A[N * N] = {0};
        random_matrix(t, &s, N, 0.3);
        for (int j = 0; j < N; ++j) {
            for (int p = s.A.start[j]; p < s.A.start[j + 1]; ++p) {
                A[j * N + s.A.row[p]] = s.A.x[p];
            }
        }
        CHECK_OK(t, tml_lu_create(&s.A, &lu, &err), &err);
        if (tml_lu_factor(lu, &s.A) < 0) {
            const int want = dense_sign(N, A);
            CHECK_INT(t, tml_lu_sign(lu), want);
            negative += want < 0;
        }
        tml_lu_free(lu);
        tml_arena_free(&s.arena);
    }
    CHECK(t, negative > 5 && negative < 35); // both signs occur
}

TEST_SUITE(sparse_lu) = {CASE(sign_of_the_determinant),
                         CASE(random_systems),
                         CASE(saddle_points),
                         CASE(refactor_equals_factor),
                         CASE(refactor_falls_back),
                         CASE(singular_column_is_named),
                         CASE(bad_columns_are_named),
                         CASE(steep_equations_are_regular),
                         CASE(steep_loops_are_regular),
                         CASE(no_unknowns),
                         CASE(fast_path_allocates_nothing),
                         CASE(out_of_memory_is_reported),
                         CASE(factors_without_memory),
                         CASE(dropped_factors),
                         {0}};
