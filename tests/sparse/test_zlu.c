/* tests/sparse/test_zlu.c - complex factorisations: solutions, fast path, what cannot be factored.
 *
 * Matrices are saddle points K_0 + z K_1 + z^2 K_2 at a complex step z: the mass part of the
 * diagonal blocks gets a damping and a stiffness of its own.
 */
#include "saddle.h"

#include "klu_memory.h"
#include "sparse/zlu.h"

#include <math.h>

typedef struct Complex {
    Saddle s;
    double *z, *x, *b, *r; /* 2 * entries; 2 n: solution, right side, residual */
} Complex;

static bool complex_build(TestCtx *t, Complex *c, int bodies, SaddleShape shape,
                          double (*mass)(int body), double stiffness)
{
    const double re = 0.16, im = -0.18;
    if (!saddle_build(t, &c->s, bodies, shape, mass)) {
        return false;
    }
    const TmlCsc *A = &c->s.A;
    const size_t n = (size_t)A->cols, nnz = (size_t)A->start[A->cols];
    c->z = tml_arena_alloc(&c->s.arena, 2 * nnz, sizeof *c->z);
    c->x = tml_arena_alloc(&c->s.arena, 2 * n, sizeof *c->x);
    c->b = tml_arena_alloc(&c->s.arena, 2 * n, sizeof *c->b);
    c->r = tml_arena_alloc(&c->s.arena, 2 * n, sizeof *c->r);
    for (int j = 0; j < A->cols; ++j) {
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            const bool motion = A->row[p] < 6 * bodies && j < 6 * bodies;
            const double k = motion ? stiffness * A->x[p] : 0.0;
            c->z[2 * p] = A->x[p] + k * (re * re - im * im) + 0.1 * k * re;
            c->z[2 * p + 1] = 2.0 * k * re * im + 0.1 * k * im;
        }
    }
    return c->z != NULL && c->x != NULL && c->b != NULL && c->r != NULL;
}

/* Largest |b - A x| over |A| |x|, by components, for a random b. */
static double backward_error(TestCtx *t, TmlZlu *lu, const Complex *c)
{
    const TmlCsc *A = &c->s.A;
    const int n = A->cols;
    double size_x = 0.0, size_a = 0.0, off = 0.0;
    for (int i = 0; i < 2 * n; ++i) {
        c->x[i] = c->b[i] = c->r[i] = test_random(t, -1, 1);
    }
    tml_zlu_solve(lu, c->x);
    for (int j = 0; j < n; ++j) {
        const double xr = c->x[2 * j], xi = c->x[2 * j + 1];
        size_x = fmax(size_x, hypot(xr, xi));
        for (int p = A->start[j]; p < A->start[j + 1]; ++p) {
            const double ar = c->z[2 * p], ai = c->z[2 * p + 1];
            c->r[2 * A->row[p]] -= ar * xr - ai * xi;
            c->r[2 * A->row[p] + 1] -= ar * xi + ai * xr;
            size_a = fmax(size_a, hypot(ar, ai));
        }
    }
    for (int i = 0; i < 2 * n; ++i) {
        off = fmax(off, fabs(c->r[i]));
    }
    return off / (size_a * size_x);
}

static double light_mass(int body)
{
    (void)body;
    return 1e-6;
}

static double mixed_mass(int body)
{
    return body % 3 == 0 ? 1e-4 : body % 3 == 1 ? 1.0 : 1e4;
}

TEST(saddle_points)
{
    static const struct {
        const char *name;
        SaddleShape shape;
        double (*mass)(int body);
        double stiffness;
    } cases[] = {
        {"chain", SADDLE_CHAIN, saddle_unit_mass, 0.0},
        {"chain, damped and stiff", SADDLE_CHAIN, saddle_unit_mass, 1e6},
        {"light chain", SADDLE_CHAIN, light_mass, 10.0},
        {"mixed tree", SADDLE_TREE, mixed_mass, 1e3},
        {"star", SADDLE_STAR, saddle_unit_mass, 10.0},
    };
    TmlError err = {0};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        enum { BODIES = 300 };
        Complex c;
        TmlZlu *lu;
        t->name = cases[k].name;
        CHECK(t, complex_build(t, &c, BODIES, cases[k].shape, cases[k].mass, cases[k].stiffness));
        CHECK_OK(t, tml_zlu_create(&c.s.A, &lu, &err), &err);
        CHECK_INT(t, tml_zlu_factor(lu, &c.s.A, c.z), -1);
        CHECK_NEAR(t, backward_error(t, lu, &c), 0.0, 1e-11); // rounding by growth of up to 1e4
        // as the real one: quadratic fill would be thousands a body
        CHECK(t, tml_zlu_info(lu)->lnz + tml_zlu_info(lu)->unz < 200 * BODIES);
        tml_zlu_free(lu);
        tml_arena_free(&c.s.arena);
    }
    t->name = NULL;
}

/* A matrix without imaginary part has the solution of the real factorisation. */
TEST(real_values_agree_with_lu)
{
    Complex c;
    TmlZlu *zlu;
    TmlLu *lu;
    TmlError err = {0};
    CHECK(t, complex_build(t, &c, 40, SADDLE_TREE, saddle_unit_mass, 0.0));
    const int n = c.s.A.cols;
    CHECK_OK(t, tml_zlu_create(&c.s.A, &zlu, &err), &err);
    CHECK_OK(t, tml_lu_create(&c.s.A, &lu, &err), &err);
    CHECK_INT(t, tml_zlu_factor(zlu, &c.s.A, c.z), -1);
    CHECK_INT(t, tml_lu_factor(lu, &c.s.A), -1);
    for (int i = 0; i < n; ++i) {
        c.b[i] = c.x[2 * i] = test_random(t, -1, 1);
        c.x[2 * i + 1] = -2.0 * c.b[i];
    }
    tml_zlu_solve(zlu, c.x);
    tml_lu_solve(lu, c.b);
    for (int i = 0; i < n; ++i) {
        CHECK_NEAR(t, c.x[2 * i], c.b[i], 1e-9); // rounding by a condition of about 1e5
        CHECK_NEAR(t, c.x[2 * i + 1], -2.0 * c.b[i], 2e-9);
    }
    tml_zlu_free(zlu);
    tml_lu_free(lu);
    tml_arena_free(&c.s.arena);
}

/* Moved values: the pivots are kept, nothing is allocated, solutions stay right. */
TEST(fast_path)
{
    Complex c;
    TmlZlu *lu;
    TmlError err = {0};
    CHECK(t, complex_build(t, &c, 50, SADDLE_TREE, saddle_unit_mass, 100.0));
    CHECK_OK(t, tml_zlu_create(&c.s.A, &lu, &err), &err);
    CHECK_INT(t, tml_zlu_refactor(lu, &c.s.A, c.z), -1); // the first one is full
    CHECK_INT(t, tml_zlu_info(lu)->factors, 1);
    klu_count(true);
    for (int step = 0; step < 20; ++step) {
        for (int k = 0; k < 2 * c.s.A.start[c.s.A.cols]; ++k) {
            c.z[k] *= 1.0 + 1e-3 * test_random(t, -1, 1);
        }
        CHECK_INT(t, tml_zlu_refactor(lu, &c.s.A, c.z), -1);
        CHECK_NEAR(t, backward_error(t, lu, &c), 0.0, 1e-11); // as above
    }
    CHECK_INT(t, klu_calls, 0);
    klu_count(false);
    CHECK_INT(t, tml_zlu_info(lu)->factors, 1);
    CHECK_INT(t, tml_zlu_info(lu)->refactors, 20);
    CHECK_INT(t, tml_zlu_info(lu)->solves, 20);
    tml_zlu_free(lu);
    tml_arena_free(&c.s.arena);
}

/* Zero and not finite columns are named, and the matrix is usable again afterwards. */
TEST(bad_columns_are_named)
{
    Complex c;
    TmlZlu *lu;
    TmlError err = {0};
    CHECK(t, complex_build(t, &c, 10, SADDLE_CHAIN, saddle_unit_mass, 10.0));
    const TmlCsc *A = &c.s.A;
    const int from = 2 * A->start[11], n = 2 * A->start[12] - from;
    double kept[64];
    CHECK(t, n <= 64);
    memcpy(kept, c.z + from, (size_t)n * sizeof *kept);
    CHECK_OK(t, tml_zlu_create(A, &lu, &err), &err);
    CHECK_INT(t, tml_zlu_factor(lu, A, c.z), -1);
    memset(c.z + from, 0, (size_t)n * sizeof *kept);
    CHECK_INT(t, tml_zlu_refactor(lu, A, c.z), 11);
    CHECK(t, tml_zlu_info(lu)->rcond == 0.0);
    memcpy(c.z + from, kept, (size_t)n * sizeof *kept);
    c.z[from + 1] = (double)NAN;
    CHECK_INT(t, tml_zlu_refactor(lu, A, c.z), 11);
    memcpy(c.z + from, kept, (size_t)n * sizeof *kept);
    CHECK_INT(t, tml_zlu_refactor(lu, A, c.z), -1);
    CHECK_NEAR(t, backward_error(t, lu, &c), 0.0, 1e-12); // rounding
    tml_zlu_free(lu);
    tml_arena_free(&c.s.arena);
}

TEST(no_unknowns)
{
    TmlZlu *lu;
    TmlError err = {0};
    int start[1] = {0};
    const TmlCsc A = {.start = start};
    CHECK_OK(t, tml_zlu_create(&A, &lu, &err), &err);
    CHECK_INT(t, tml_zlu_factor(lu, &A, NULL), -1);
    CHECK_INT(t, tml_zlu_refactor(lu, &A, NULL), -1);
    tml_zlu_solve(lu, NULL);
    tml_zlu_free(lu);
}

TEST_SUITE(sparse_zlu) = {CASE(saddle_points), CASE(real_values_agree_with_lu),
                          CASE(fast_path),     CASE(bad_columns_are_named),
                          CASE(no_unknowns),   {0}};
