/* analysis/driver/other_rows.c - the method goes on with other rows of redundant joints.
 *
 * A try that fails, or one whose state breaks a row that is left out, may do so because the rows
 * that are kept have become dependent (system/redundancy/share_choose.c). Where that is the case others are
 * kept from here on, and the method is set up anew: its memory belongs to unknowns that are gone.
 * Nothing is asked while tries succeed, so that models pay for it where it serves only.
 */
#include "analysis/driver/sim_internal.h"

bool tml_sim_rows_worn(TmlSim *sim)
{
    return tml_system_is_redundant(sim->sys) && tml_system_rows_worn(sim->sys, &sim->it.now);
}

TmlStatus tml_sim_other_rows(TmlSim *sim, TmlError *err)
{
    bool changed;
    TML_TRY(tml_system_choose_rows(sim->sys, &sim->it.now, &changed, err));
    if (!changed) {
        return TML_OK;
    }
    if (sim->type->teardown != NULL) {
        sim->type->teardown(&sim->it);
    }
    return tml_sim_setup_method(sim, err);
}
