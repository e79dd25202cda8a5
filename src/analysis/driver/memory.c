/* analysis/driver/memory.c - memory that a run will need, before it is taken.
 *
 * After assembly the matrix of a step and the fill of its factors are known, and with them
 *
 *   (Y1)  U = 24 f + 24 e + 200 n      bytes of a matrix of e entries and n unknowns with f entries
 *                                      in its factors: two plans of factors at a time (12 bytes an
 *                                      entry), the matrix with maps, and some 25 vectors
 *   (Y2)  (k + 1[redundant]) U         of a method with k matrices; rows of output with redundant
 *                                      joints have one more (system/redundancy/share.h)
 *
 * On chains of pins and balls, a tree, and loops of 10,000 bodies each this is 0.7 to 1.5 of what
 * the methods take. `auto` wants a quarter more; a method that was asked for is refused only where
 * half of it is not there. Before assembly there are the numbers of unknowns alone: the system
 * takes 1 to 1.7 kB for each, and is refused where a half of the least is not there. own
 */
#include "analysis/driver/memory.h"

#include "base/available.h"
#include "base/fail.h"

#include <stdio.h>
#include <string.h>

static const double unknown_bytes = 1000.0;
static const double hopeless_share = 0.5; // of an estimate: below this it cannot do
static const double caution_factor = 1.25;
enum { LARGE_MODEL = 1000 }; // unknowns; factors of fewer take less than half a megabyte

double tml_sim_memory_needed(const TmlSim *sim, const TmlIntegratorType *type)
{
    const TmlDims *d = tml_dims(sim->sys);
    const TmlLuInfo *lu = tml_system_lu_info(sim->sys, TML_FACTORS_ACCELERATION);
    const double e = tml_system_matrix(sim->sys, TML_MATRIX_STEP)->start[d->n];
    const double fill = (double)lu->lnz + (double)lu->unz, f = fill > e ? fill : 2.0 * e;
    const double unit = 24.0 * f + 24.0 * e + 200.0 * d->n; // (Y1)
    return (type->matrices + (d->m < d->m_all)) * unit;     // (Y2)
}

bool tml_sim_memory_suffices(const TmlSim *sim, const TmlIntegratorType *type)
{
    return caution_factor * tml_sim_memory_needed(sim, type) <= (double)tml_memory_available();
}

/* Returns the method that takes least. */
static const TmlIntegratorType *thriftiest(void)
{
    const TmlIntegratorType *least = tml_integrator_types[0];
    for (int k = 0; tml_integrator_types[k] != NULL; ++k) {
        least =
            tml_integrator_types[k]->matrices < least->matrices ? tml_integrator_types[k] : least;
    }
    return least;
}

TmlStatus tml_sim_memory_system(const TmlSim *sim, TmlError *err)
{
    const TmlDims *d = tml_dims(sim->sys);
    const double need = unknown_bytes * ((double)d->nu + d->m_all);
    return hopeless_share * need <= (double)tml_memory_available()
               ? TML_OK
               : tml_fail(err, TML_E_NOMEM,
                          "the model has %d unknowns and would take about %s of memory",
                          d->nu + d->m_all, tml_bytes_text(need).text);
}

TmlStatus tml_sim_memory_method(const TmlSim *sim, TmlError *err)
{
    const double need = tml_sim_memory_needed(sim, sim->type);
    return hopeless_share * need <= (double)tml_memory_available()
               ? TML_OK
               : tml_fail(err, TML_E_NOMEM, "integrator '%s' would take about %s of memory",
                          sim->type->info.name, tml_bytes_text(need).text);
}

void tml_sim_memory_spare(TmlSim *sim)
{
    if (tml_dims(sim->sys)->n >= LARGE_MODEL) {
        tml_system_release_factors(sim->sys);
    }
}

TmlStatus tml_sim_memory_told(const TmlSim *sim, TmlStatus status, TmlError *err)
{
    if (status == TML_OK) {
        return TML_OK; // every step comes by here
    }
    char what[TML_ERROR_MAX / 2] = "out of memory", advice[192];
    const TmlIntegratorType *least = thriftiest();
    const bool factors = sim->sys != NULL && tml_system_out_of_memory(sim->sys);
    if (status != TML_E_NOMEM && !(factors && status != TML_E_CANCELLED)) {
        return status;
    }
    if (err != NULL && status == TML_E_NOMEM) {
        snprintf(what, sizeof what, "%.*s", (int)sizeof what - 1, err->message);
    } else if (sim->sys != NULL) {
        snprintf(what, sizeof what, "out of memory for the factors of %d unknowns",
                 tml_dims(sim->sys)->n);
    }
    if (sim->it.arena != NULL && sim->type->matrices > least->matrices) { // it has been tried
        snprintf(advice, sizeof advice, "integrator '%s' takes least (-i %s)", least->info.name,
                 least->info.name);
    } else {
        snprintf(advice, sizeof advice,
                 "a smaller model, or a higher limit ('ulimit -v' shows it)");
    }
    return tml_fail(err, TML_E_NOMEM, "%s; %s are left, with %d bodies; what helps: %s", what,
                    tml_bytes_text((double)tml_memory_available()).text,
                    tml_model_body_count(sim->model) - 1, advice);
}
