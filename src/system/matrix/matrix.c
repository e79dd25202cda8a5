/* system/matrix/matrix.c - patterns and scatter maps of the system's matrices, their factors. */
#include "system/matrix/blocks.h"

#include "base/clock.h"
#include "base/fail.h"
#include "system/contact/touching.h"

#include <string.h>

enum { NU = TML_BODY_MAX_NU };

/* Returns deterministic numbers in (-1, 1) for the probing states. */
static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*seed * 0x1.0p-63;
}

static void random_state(const TmlSystem *sys, uint64_t *seed, TmlState *s)
{
    tml_system_initial(sys, s);
    for (int k = 0; k < sys->dim.nq; ++k) {
        s->q[k] += noise(seed);
        s->v[k] = noise(seed);
        s->a[k] = noise(seed);
    }
    for (int k = 3 * sys->dim.nq; k < sys->dim.size; ++k) {
        s->data[k] += 0.1 * noise(seed);
    }
    tml_system_retract(sys, s->q);
}

/* Counts block entries, then marks the ones that can be non-zero. */
static TmlStatus probe(TmlSystem *sys, TmlState *s, double *r, TmlError *err)
{
    TmlBlocks *b = sys->target->blocks;
    uint64_t seed = 1;
    for (int k = 0; k < 3; ++k) {
        const TmlCoeffs c = {.a = 1.0, .v = 0.5 + 0.1 * k, .q = 0.3 + 0.1 * k};
        random_state(sys, &seed, s);
        tml_system_residual(sys, s, TML_LEVEL_POSITION, r);
        if (k == 0) {
            b->pass = TML_PASS_COUNT;
            tml_blocks_all(sys, s, c, 0.1, false);
            b->size = b->cursor;
            b->map = tml_mem_zalloc(b->size, sizeof *b->map);
            b->mark = tml_mem_zalloc(b->size, 1);
            b->row = tml_mem_zalloc(b->size, sizeof *b->row);
            b->col = tml_mem_zalloc(b->size, sizeof *b->col);
            if (b->map == NULL || b->mark == NULL || b->row == NULL || b->col == NULL) {
                return tml_fail(err, TML_E_NOMEM, "out of memory for the matrix");
            }
        }
        b->pass = TML_PASS_PROBE;
        tml_blocks_all(sys, s, c, 0.1, false);
    }
    return TML_OK;
}

static TmlStatus pattern_fill(TmlSystem *sys, TmlArena *arena, TmlError *err)
{
    TmlBlocks *b = sys->target->blocks;
    TmlPattern p;
    bool ok = true;
    tml_pattern_init(&p, sys->dim.n, sys->dim.n);
    for (size_t k = 0; k < b->size && ok; ++k) {
        ok = b->mark[k] == 0 || tml_pattern_add(&p, b->row[k], b->col[k]);
    }
    for (int k = 0; k < sys->dim.nu && ok; ++k) {
        ok = tml_pattern_add(&p, k, k);
    }
    const TmlStatus status = ok ? tml_pattern_csc(&p, arena, &sys->target->K, err)
                                : tml_fail(err, TML_E_NOMEM, "out of memory for the matrix");
    tml_pattern_free(&p);
    if (status == TML_OK) {
        for (size_t k = 0; k < b->size; ++k) {
            b->map[k] = b->mark[k] != 0 ? tml_csc_find(&sys->target->K, b->row[k], b->col[k]) : -1;
        }
    }
    return status;
}

static size_t scratch_size(const TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    size_t size = 72 * 4;
    for (int k = 0; k < m->constraints.n; ++k) {
        const size_t n = (size_t)m->constraints.at[k].n_ends;
        const size_t need = 36 * n * (m->constraints.at[k].type->arrow ? 1 : n);
        size = need > size ? need : size;
    }
    for (int k = 0; k < m->forces.n; ++k) {
        const size_t n = (size_t)m->forces.at[k].n_ends;
        size = 72 * n * n > size ? 72 * n * n : size;
    }
    return size;
}

static void building_free(TmlBlocks *b)
{
    tml_mem_free(b->mark);
    tml_mem_free(b->row);
    tml_mem_free(b->col);
    b->mark = NULL;
    b->row = b->col = NULL;
}

/* The random states go through commit-free evaluations only, so memory values stay as they are. */
static TmlStatus probe_all(TmlSystem *sys, TmlArena *scratch, TmlError *err)
{
    TmlState s;
    double *r;
    TML_NEW(scratch, r, sys->dim.n);
    TML_TRY(tml_state_create_in(sys, scratch, &s, err));
    return probe(sys, &s, r, err);
}

static TmlStatus pattern_build(TmlSystem *sys, TmlError *err)
{
    TmlArena scratch = {0};
    if (sys->touching != NULL) {
        sys->touching->probing = true;
    }
    const TmlStatus status = probe_all(sys, &scratch, err);
    if (sys->touching != NULL) {
        sys->touching->probing = false;
    }
    tml_arena_free(&scratch);
    TML_TRY(status);
    return pattern_fill(sys, &sys->target->arena, err);
}

static void matrix_free(TmlMatrix *matrix)
{
    if (matrix->blocks != NULL) {
        building_free(matrix->blocks);
        tml_mem_free(matrix->blocks->map);
        tml_mem_free(matrix->blocks->diag);
        tml_mem_free(matrix->blocks);
    }
    tml_arena_free(&matrix->arena);
    *matrix = (TmlMatrix){.kind = matrix->kind};
}

static TmlStatus matrix_build(TmlSystem *sys, TmlMatrixKind kind, TmlError *err)
{
    TmlMatrix *matrix = &sys->matrix[kind];
    matrix_free(matrix);
    matrix->kind = kind;
    sys->target = matrix;
    TmlBlocks *b = tml_mem_zalloc(1, sizeof *b);
    if (b == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the matrix");
    }
    matrix->blocks = b;
    b->diag = tml_mem_zalloc((size_t)sys->dim.nb * NU * NU + scratch_size(sys), sizeof *b->diag);
    if (b->diag == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the matrix");
    }
    const TmlStatus status = pattern_build(sys, err);
    building_free(b);
    b->pass = TML_PASS_ADD;
    sys->stats = (TmlSystemStats){0};
    return status;
}

static TmlStatus factors_create(TmlSystem *sys, TmlFactors which, TmlMatrixKind kind, TmlError *err)
{
    sys->lu_matrix[which] = kind;
    sys->factored[which] = false;
    sys->inverse[which] = (TmlInverse){0};
    TML_TRY(tml_lu_create(&sys->matrix[kind].K, &sys->inverse[which].lu, err));
    tml_lu_set_equations(sys->inverse[which].lu, sys->dim.nu + sys->dim.m);
    return TML_OK;
}

/* --- iterations ----------------------------------------------------------------------------------- */

/* Below so many unknowns factors are cheap, whatever their fill. */
enum { FEW = 200 };

/* Whether the blocks of bodies on the diagonal are a preconditioner: bodies that touch, and nothing that holds. */
static bool may_iterate(const TmlSystem *sys, TmlFactors which)
{
    const TmlSolver solver = sys->solver[which];
    return sys->inverse[which].lu != NULL && solver != TML_SOLVER_DIRECT && sys->touching != NULL &&
           sys->flex == NULL && sys->modal == NULL && sys->dim.m == 0 && sys->dim.nv == 0 &&
           sys->dim.nf == 0 && sys->dim.nu > 0 &&
           (sys->dim.n >= FEW || solver == TML_SOLVER_ITERATIVE);
}

static int list_blocks(const TmlSystem *sys, int *block, double *unit)
{
    int n = 0;
    for (int b = 0; b < sys->dim.nb; ++b) {
        if (sys->dim.span[b].nu > 0) {
            block[n++] = sys->dim.span[b].u0;
        }
    }
    for (int k = 0; k < sys->dim.nx; ++k) {
        block[n++] = sys->dim.nu + k;
    }
    block[n] = sys->dim.n;
    for (int k = 0; k < sys->dim.n; ++k) {
        unit[k] = k < sys->dim.nu ? sys->unit[k] : 1.0;
    }
    return n;
}

static TmlStatus iterations_create(TmlSystem *sys, TmlArena *scratch, TmlError *err)
{
    int *block;
    double *unit;
    TML_NEW(scratch, block, sys->dim.n + 1);
    TML_NEW(scratch, unit, sys->dim.n);
    const int n = list_blocks(sys, block, unit);
    for (int k = 0; k < TML_FACTORS_COUNT; ++k) {
        TmlInverse *l = &sys->inverse[k];
        if (may_iterate(sys, (TmlFactors)k) && l->iterative == NULL) {
            TML_TRY(tml_iterative_create(&sys->matrix[sys->lu_matrix[k]].K, n, block, unit,
                                         &l->iterative, err));
        }
    }
    return TML_OK;
}

/* Room for iterations with the present matrices, where these may be used. */
static TmlStatus iterations_ready(TmlSystem *sys, TmlError *err)
{
    TmlArena scratch = {0};
    const TmlStatus status = iterations_create(sys, &scratch, err);
    tml_arena_free(&scratch);
    return status;
}

TmlStatus tml_system_set_solver(TmlSystem *sys, TmlSolver steps, TmlSolver others, TmlError *err)
{
    sys->solver[TML_FACTORS_STEP] = steps;
    sys->solver[TML_FACTORS_ACCELERATION] = sys->solver[TML_FACTORS_ROW] = others;
    return iterations_ready(sys, err);
}

void tml_system_set_accuracy(TmlSystem *sys, double accuracy)
{
    sys->accuracy = accuracy;
}

/* --- all of them ---------------------------------------------------------------------------------- */

TmlStatus tml_system_renew_pattern(TmlSystem *sys, TmlError *err)
{
    TmlInverse before[TML_FACTORS_COUNT];
    TmlLuPlan plan[TML_FACTORS_COUNT];
    for (int k = 0; k < TML_FACTORS_COUNT; ++k) {
        before[k] = sys->inverse[k];
        plan[k] = sys->inverse[k].lu != NULL ? tml_lu_plan(sys->inverse[k].lu) : tml_lu_no_plan;
    }
    TML_TRY(tml_system_build_pattern(sys, err));
    const double entries = sys->matrix[TML_MATRIX_STEP].K.start[sys->dim.n];
    for (int k = 0; k < TML_FACTORS_COUNT; ++k) {
        TmlInverse *l = &sys->inverse[k];
        if (l->lu != NULL) {
            tml_lu_prefer(l->lu, plan[k]);
        }
        tml_inverse_inherit(l, &before[k], entries);
    }
    return TML_OK;
}

TmlStatus tml_system_build_pattern(TmlSystem *sys, TmlError *err)
{
    tml_system_free_matrices(sys);
    TML_TRY(matrix_build(sys, TML_MATRIX_STEP, err));
    TML_TRY(factors_create(sys, TML_FACTORS_STEP, TML_MATRIX_STEP, err));
    TML_TRY(factors_create(sys, TML_FACTORS_ROW, TML_MATRIX_STEP, err));
    TML_TRY(factors_create(sys, TML_FACTORS_ACCELERATION, TML_MATRIX_STEP, err));
    return iterations_ready(sys, err);
}

void tml_system_swap_factors(TmlSystem *sys)
{
    const TmlInverse l = sys->inverse[TML_FACTORS_ROW];
    const bool factored = sys->factored[TML_FACTORS_ROW];
    sys->inverse[TML_FACTORS_ROW] = sys->inverse[TML_FACTORS_ACCELERATION];
    sys->factored[TML_FACTORS_ROW] = sys->factored[TML_FACTORS_ACCELERATION];
    sys->inverse[TML_FACTORS_ACCELERATION] = l;
    sys->factored[TML_FACTORS_ACCELERATION] = factored;
}

void tml_system_release_factors(TmlSystem *sys)
{
    tml_lu_drop(sys->inverse[TML_FACTORS_ACCELERATION].lu);
    sys->factored[TML_FACTORS_ACCELERATION] = false;
}

TmlStatus tml_system_build_stage(TmlSystem *sys, TmlError *err)
{
    TmlStatus status = matrix_build(sys, TML_MATRIX_STAGE, err);
    status =
        status == TML_OK ? factors_create(sys, TML_FACTORS_STAGE, TML_MATRIX_STAGE, err) : status;
    if (status != TML_OK) {
        matrix_free(&sys->matrix[TML_MATRIX_STAGE]); // a half would be taken for a whole matrix
    }
    return status;
}

void tml_system_free_matrices(TmlSystem *sys)
{
    for (int k = 0; k < TML_MATRIX_COUNT; ++k) {
        matrix_free(&sys->matrix[k]);
    }
    for (int k = 0; k < TML_FACTORS_COUNT; ++k) {
        tml_inverse_free(&sys->inverse[k]);
    }
}

bool tml_system_has_matrices(const TmlSystem *sys)
{
    return sys->inverse[TML_FACTORS_STEP].lu != NULL && sys->inverse[TML_FACTORS_ROW].lu != NULL &&
           sys->inverse[TML_FACTORS_ACCELERATION].lu != NULL;
}

static void count(TmlSystem *sys, const TmlInverseStats *done)
{
    sys->stats.factors += done->factors;
    sys->stats.refactors += done->refactors;
    sys->stats.analyses += done->analyses;
    sys->stats.iterated += done->iterated;
    sys->stats.products += done->products;
}

/* Gives (J5) its usual e back, also in the matrix K as it stands: where a motion loses its constraint a lower one does not help. */
static void regularise(TmlSystem *sys, TmlCsc *K)
{
    for (int k = sys->dim.nu; k < sys->dim.nu + sys->dim.m; ++k) {
        const int at = tml_csc_find(K, k, k);
        if (at >= 0) {
            K->x[at] *= TML_REGULARISATION / sys->regularisation;
        }
    }
    sys->regularisation = TML_REGULARISATION;
}

int tml_system_factor(TmlSystem *sys, TmlFactors which)
{
    const double start = tml_clock();
    TmlInverse *l = &sys->inverse[which];
    TmlCsc *K = &sys->matrix[sys->lu_matrix[which]].K;
    TmlInverseStats done = {0};
    int column = tml_inverse_take(l, K, sys->solver[which], sys->cq, &done);
    if (column >= 0 && sys->regularisation < TML_REGULARISATION) {
        regularise(sys, K);
        column = tml_inverse_take(l, K, sys->solver[which], sys->cq, &done);
    }
    count(sys, &done);
    sys->stats.seconds_factor += tml_clock() - start;
    sys->factored[which] = column < 0;
    sys->out_of_memory |= column >= 0 && tml_lu_info(l->lu)->out_of_memory;
    return column;
}

/* Accelerations have a matrix that is all blocks: their iterations end at rounding at once. */
static const double full_accuracy = 1e-12;

void tml_system_solve(TmlSystem *sys, TmlFactors which, double *r)
{
    const double start = tml_clock();
    TmlInverseStats done = {0};
    tml_inverse_solve(
        &sys->inverse[which],
        which == TML_FACTORS_STEP && sys->accuracy > 0.0 ? sys->accuracy : full_accuracy, r, &done);
    count(sys, &done);
    sys->stats.solves++;
    sys->stats.seconds_solve += tml_clock() - start;
}
