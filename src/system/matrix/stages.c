/* system/matrix/stages.c - the stage matrix as a polynomial of the step: (G1) of stages.h. */
#include "system/matrix/stages.h"

#include "base/clock.h"
#include "base/fail.h"
#include "model/flexible/mesh.h"
#include "system/system_internal.h"

#include <string.h>

TmlStatus tml_stages_create(TmlSystem *sys, TmlArena *arena, TmlStages *out, TmlError *err)
{
    TML_TRY(tml_system_build_stage(sys, err));
    const TmlCsc *K = &sys->matrix[TML_MATRIX_STAGE].K;
    const size_t nnz = (size_t)K->start[K->cols];
    for (int p = 0; p < 3; ++p) {
        TML_NEW(arena, out->K[p], nnz);
    }
    TML_NEW(arena, out->z, 2 * nnz);
    TML_TRY(tml_zlu_create(K, &out->lu, err));
    tml_zlu_set_equations(out->lu, sys->dim.nu + sys->dim.m);
    return TML_OK;
}

void tml_stages_free(TmlStages *st)
{
    tml_zlu_free(st->lu);
    st->lu = NULL;
}

/* Tells whether K_0 is the same at all states. */
static bool keeps_mass(const TmlSystem *sys)
{
    return sys->constant_mass && sys->dim.m_all == 0 &&
           sys->dim.nx + sys->dim.nv + sys->dim.nf == 0 && sys->touching == NULL &&
           sys->modal == NULL;
}

/* Tells whether nothing depends on velocities, so that K_1 = 0 too. */
static bool is_undamped(const TmlSystem *sys)
{
    const TmlModel *m = sys->model;
    bool damped = m->forces.n > 0 || m->constraints.n > 0;
    for (int k = 0; k < m->meshes.n; ++k) {
        const TmlMesh *mesh = &m->meshes.at[k];
        const TmlMaterial *material = &mesh->data->material;
        damped |= material->damping > 0.0 || material->mass_damping > 0.0 || mesh->load != NULL;
    }
    return keeps_mass(sys) && !damped;
}

void tml_stages_assemble(TmlSystem *sys, TmlStages *st, const TmlState *s)
{
    const bool known[3] = {st->made && keeps_mass(sys), st->made && is_undamped(sys), false};
    const TmlCsc *K = &sys->matrix[TML_MATRIX_STAGE].K;
    const size_t nnz = (size_t)K->start[K->cols];
    static const TmlCoeffs c[3] = {{.a = 1.0}, {.a = 1.0, .v = 1.0}, {.a = 1.0, .q = 1.0}};
    for (int p = 0; p < 3; ++p) {
        if (known[p]) {
            continue;
        }
        tml_system_stage_jacobian(sys, s, c[p], p == 1 ? 1.0 : 0.0);
        memcpy(st->K[p], K->x, nnz * sizeof *K->x);
    }
    for (int p = 1; p < 3; ++p) {
        for (size_t k = 0; k < nnz && !known[p]; ++k) {
            st->K[p][k] -= st->K[0][k];
        }
    }
    st->made = true;
}

int tml_stages_factor(TmlSystem *sys, TmlStages *st, double g)
{
    TmlCsc *K = &sys->matrix[TML_MATRIX_STAGE].K;
    const size_t nnz = (size_t)K->start[K->cols];
    for (size_t k = 0; k < nnz; ++k) {
        K->x[k] = st->K[0][k] + g * (st->K[1][k] + g * st->K[2][k]); // (G1)
    }
    return tml_system_factor(sys, TML_FACTORS_STAGE);
}

int tml_stages_factor_complex(TmlSystem *sys, TmlStages *st, double re, double im)
{
    const TmlCsc *K = &sys->matrix[TML_MATRIX_STAGE].K;
    const size_t nnz = (size_t)K->start[K->cols];
    const double start = tml_clock();
    const TmlLuInfo *lu = tml_zlu_info(st->lu);
    const int64_t pivoted = lu->factors, repeated = lu->refactors;
    const double re2 = re * re - im * im, im2 = 2.0 * re * im;
    for (size_t k = 0; k < nnz; ++k) {
        st->z[2 * k] = st->K[0][k] + re * st->K[1][k] + re2 * st->K[2][k]; // (G1)
        st->z[2 * k + 1] = im * st->K[1][k] + im2 * st->K[2][k];
    }
    const int column = tml_zlu_refactor(st->lu, K, st->z);
    sys->stats.factors += lu->factors - pivoted;
    sys->stats.refactors += lu->refactors - repeated;
    sys->stats.seconds_factor += tml_clock() - start;
    sys->out_of_memory |= column >= 0 && lu->out_of_memory;
    return column;
}

void tml_stages_solve(TmlSystem *sys, double *r)
{
    tml_system_solve(sys, TML_FACTORS_STAGE, r);
}

void tml_stages_solve_complex(TmlSystem *sys, TmlStages *st, double *z)
{
    const double start = tml_clock();
    tml_zlu_solve(st->lu, z);
    sys->stats.solves++;
    sys->stats.seconds_solve += tml_clock() - start;
}

void tml_stages_mul(const TmlSystem *sys, const TmlStages *st, int p, double s, const double *x,
                    double *y)
{
    const TmlCsc *K = &sys->matrix[TML_MATRIX_STAGE].K;
    for (int j = 0; j < K->cols; ++j) {
        const double f = s * x[j];
        for (int k = K->start[j]; k < K->start[j + 1] && f != 0.0; ++k) {
            y[K->row[k]] += st->K[p][k] * f;
        }
    }
}
