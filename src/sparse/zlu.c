/* sparse/zlu.c - LU of complex matrices, such as stage matrices at complex steps: KLU's functions
 * and the number of orderings for the shared code of sparse/factors.c, which makes all choices.
 */
#include "sparse/zlu.h"

#include "sparse/factors.h"

struct TmlZlu {
    TmlLuFactors factors;
};

static const TmlKlu klu = {
    .width = 2,
    .plans = 3,
    .factor = klu_z_factor,
    .refactor = klu_z_refactor,
    .rgrowth = klu_z_rgrowth,
    .solve = klu_z_solve,
    .free_numeric = klu_z_free_numeric,
};

void tml_zlu_set_equations(TmlZlu *lu, int first)
{
    lu->factors.scales.equations = first;
}

int tml_zlu_factor(TmlZlu *lu, const TmlCsc *A, const double *z)
{
    return tml_lu_factors_full(&lu->factors, A, z);
}

int tml_zlu_refactor(TmlZlu *lu, const TmlCsc *A, const double *z)
{
    return tml_lu_factors_fast(&lu->factors, A, z);
}

void tml_zlu_solve(TmlZlu *lu, double *x)
{
    tml_lu_factors_solve(&lu->factors, x);
}

TmlStatus tml_zlu_create(const TmlCsc *A, TmlZlu **out, TmlError *err)
{
    *out = NULL;
    TmlZlu *lu = tml_mem_zalloc(1, sizeof *lu);
    if (lu == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for a factorisation");
    }
    tml_block_set_kind(lu, &tml_lu_factors_kind); // factors come first in it
    const TmlStatus status = tml_lu_factors_init(&lu->factors, &klu, A, err);
    if (status != TML_OK) {
        tml_zlu_free(lu);
        return status;
    }
    *out = lu;
    return TML_OK;
}

void tml_zlu_free(TmlZlu *lu)
{
    if (lu != NULL) {
        tml_lu_factors_clear(&lu->factors);
        tml_mem_free(lu);
    }
}

const TmlLuInfo *tml_zlu_info(const TmlZlu *lu)
{
    return &lu->factors.info;
}
