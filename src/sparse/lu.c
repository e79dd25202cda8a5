/* sparse/lu.c - LU of real matrices: KLU's functions and the number of orderings for the shared
 * code of sparse/factors.c, which makes all choices.
 */
#include "sparse/lu.h"

#include "sparse/factors.h"

#include <string.h>

struct TmlLu {
    TmlLuFactors factors;
};

static const TmlKlu klu = {
    .width = 1,
    .plans = TML_FACTOR_PLANS,
    .factor = klu_factor,
    .refactor = klu_refactor,
    .rgrowth = klu_rgrowth,
    .solve = klu_solve,
    .free_numeric = klu_free_numeric,
};

void tml_lu_set_equations(TmlLu *lu, int first)
{
    lu->factors.scales.equations = first;
}

TmlLuPlan tml_lu_plan(const TmlLu *lu)
{
    const TmlLuFactors *f = &lu->factors;
    return f->chosen >= 0 ? (TmlLuPlan){f->chosen, f->entries_chosen, f->growth_chosen}
                          : f->preferred; // it was never asked
}

void tml_lu_prefer(TmlLu *lu, TmlLuPlan plan)
{
    lu->factors.preferred = plan;
}

void tml_lu_predict(TmlLu *lu, const TmlCsc *A, double *multiplications, double *entries)
{
    tml_lu_factors_predict(&lu->factors, A, multiplications, entries);
}

int tml_lu_factor(TmlLu *lu, const TmlCsc *A)
{
    return tml_lu_factors_full(&lu->factors, A, A->x);
}

int tml_lu_refactor(TmlLu *lu, const TmlCsc *A)
{
    return tml_lu_factors_fast(&lu->factors, A, A->x);
}

void tml_lu_drop(TmlLu *lu)
{
    const TmlLuPlan plan = tml_lu_plan(lu);
    tml_lu_factors_clear(&lu->factors);
    tml_lu_prefer(lu, plan);
}

void tml_lu_solve(TmlLu *lu, double *x)
{
    tml_lu_factors_solve(&lu->factors, x);
}

TmlStatus tml_lu_create(const TmlCsc *A, TmlLu **out, TmlError *err)
{
    *out = NULL;
    TmlLu *lu = tml_mem_zalloc(1, sizeof *lu);
    if (lu == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a factorisation");
    }
    tml_block_set_kind(lu, &tml_lu_factors_kind); // factors come first in it
    const TmlStatus status = tml_lu_factors_init(&lu->factors, &klu, A, err);
    if (status != TML_OK) {
        tml_lu_free(lu);
        return status;
    }
    *out = lu;
    return TML_OK;
}

void tml_lu_free(TmlLu *lu)
{
    if (lu != NULL) {
        tml_lu_factors_clear(&lu->factors);
        tml_mem_free(lu);
    }
}

/* Returns the sign of a permutation, which the lengths of its cycles tell. seen[n] is
 * overwritten. */
static int permutation_sign(int n, const int *p, int *seen)
{
    int sign = 1;
    memset(seen, 0, (size_t)n * sizeof *seen);
    for (int first = 0; first < n; ++first) {
        int length = 0;
        for (int k = first; !seen[k]; k = p[k], ++length) {
            seen[k] = 1;
        }
        sign = length > 0 && length % 2 == 0 ? -sign : sign;
    }
    return sign;
}

int tml_lu_sign(const TmlLu *lu)
{
    const TmlLuFactors *f = &lu->factors;
    const double *U = f->numeric->Udiag;
    // scales are positive
    int sign = permutation_sign(f->n, f->numeric->Pnum, f->position) *
               permutation_sign(f->n, f->plan[f->chosen].symbolic->Q, f->position);
    for (int k = 0; k < f->n; ++k) {
        sign = U[k] < 0.0 ? -sign : sign;
    }
    return sign;
}

const TmlLuInfo *tml_lu_info(const TmlLu *lu)
{
    return &lu->factors.info;
}
