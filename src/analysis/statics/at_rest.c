/* analysis/statics/at_rest.c - a run that starts from the static equilibrium.
 *
 * Positions, multipliers and what `adjust` leaves open are those of statics; velocities are those of the model. So a
 * vehicle stands on its springs and drives all the same. The equilibrium is that of the axes of the ground: what turns or
 * drives is not pressed by its own motion.
 */
#include "analysis/statics/at_rest.h"

#include "base/fail.h"
#include "trammel/analysis.h"

static TmlStatus rest(TmlSim *sim, TmlArena *arena, TmlError *err)
{
    TmlState given;
    TmlStaticsInfo info;
    TML_TRY(tml_state_create_in(sim->sys, arena, &given, err));
    tml_state_copy(sim->sys, &sim->it.now, &given);
    const TmlSimStats before = sim->stats;
    const TmlStatus status = tml_sim_statics(sim, NULL, &info, err);
    if (status != TML_OK) {
        return tml_fail_ctx(err, status, "start in equilibrium");
    }
    if (info.unstable > 0) {
        tml_notes_add(
            &sim->notes,
            "the equilibrium that the run starts from is unstable: %d motion%s away from it",
            (int)info.unstable, info.unstable == 1 ? " leads" : "s lead");
    }
    TML_TRY(tml_system_set_moving(sim->sys, &sim->it.now, &given, err));
    tml_system_commit(sim->sys, &sim->it.now);
    tml_state_copy(sim->sys, &sim->it.now, &sim->row);
    tml_account_begin(sim);
    sim->stats = before; // violations at rest are none of the run
    tml_sim_rows_start_over(sim);
    tml_sim_row_given(sim);
    sim->restart_pending = true;
    return TML_OK;
}

TmlStatus tml_sim_start_at_rest(TmlSim *sim, TmlError *err)
{
    TmlArena arena = {0};
    const TmlStatus status = rest(sim, &arena, err);
    tml_arena_free(&arena);
    return status;
}
