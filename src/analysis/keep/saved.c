/* analysis/keep/saved.c - a whole run put aside and brought back: in memory, as another sim, and as bytes for another
 * process.
 *
 * What is kept is the memory of the sim as it is (base/graph.h): the state, the histories of the method, of delays and
 * contacts, step control, factors, accounts. Nothing has to list it, so nothing can be forgotten, and what follows is the
 * same to the last bit.
 */
#include "analysis/driver/image.h"
#include "analysis/driver/sim_internal.h"

#include "base/arena.h"
#include "base/fail.h"
#include "base/graph.h"
#include "model/model.h"

#include <string.h>

struct TmlSaved {
    TmlBytes bytes;
    const TmlModel *model;
};

/* What belongs to the caller is not followed. */
static TmlStatus take(const TmlSim *sim, bool portable, TmlBytes *out, TmlError *err)
{
    TmlSim *s = (TmlSim *)sim; // only this thread uses it
    const TmlHooks hooks = s->options.hooks;
    const uint64_t group = s->group;
    const void *const root[] = {sim, sim->model};
    const TmlGraphOf of = {sim->owner, portable ? sim->born : 0, portable};
    s->options.hooks = (TmlHooks){0};
    s->group = 0;
    const TmlStatus status = tml_graph_take(portable ? 2 : 1, root, &of, out, err);
    s->options.hooks = hooks;
    s->group = group;
    return status;
}

TmlStatus tml_sim_save(const TmlSim *sim, TmlSaved **out, TmlError *err)
{
    *out = NULL;
    TmlSaved *saved = tml_mem_zalloc(1, sizeof *saved);
    if (saved == NULL) {
        return tml_fail(err, TML_E_NOMEM, "out of memory for the state of a run");
    }
    saved->model = sim->model;
    const TmlStatus status = take(sim, false, &saved->bytes, err);
    if (status != TML_OK) {
        tml_saved_free(saved);
        return status;
    }
    *out = saved;
    return TML_OK;
}

void tml_saved_free(TmlSaved *saved)
{
    if (saved != NULL) {
        tml_bytes_free(&saved->bytes);
        tml_mem_free(saved);
    }
}

/* Makes a graph whose blocks belong to this owner. */
static TmlStatus make_of(uint64_t owner, TmlBytes *in, const void *home, uint64_t *group, int n,
                         void **root, TmlError *err)
{
    const uint64_t former = tml_blocks_enter(owner);
    const TmlStatus status = tml_graph_make(in, home, group, n, root, err);
    tml_blocks_enter(former);
    return status;
}

TmlStatus tml_sim_create_saved(const TmlSaved *saved, const TmlHooks *hooks, TmlSim **out,
                               TmlError *err)
{
    uint64_t group;
    void *root[1];
    *out = NULL;
    TmlBytes bytes = saved->bytes; // with a place to read of its own: several threads may do this
    const uint64_t owner = tml_blocks_new_owner();
    TML_TRY(make_of(owner, &bytes, NULL, &group, 1, root, err));
    TmlSim *sim = root[0];
    sim->group = group;
    sim->owner = owner;
    sim->options.hooks = hooks != NULL ? *hooks : (TmlHooks){0};
    *out = sim;
    return TML_OK;
}

TmlStatus tml_sim_copy(const TmlSim *sim, const TmlHooks *hooks, TmlSim **out, TmlError *err)
{
    TmlSaved *saved;
    *out = NULL;
    TML_TRY(tml_sim_save(sim, &saved, err));
    const TmlStatus status = tml_sim_create_saved(saved, hooks, out, err);
    tml_saved_free(saved);
    return status;
}

TmlStatus tml_sim_restore_saved(TmlSim *sim, const TmlSaved *saved, TmlError *err)
{
    uint64_t group;
    void *root[1];
    if (saved->model != sim->model) {
        return tml_fail(err, TML_E_ARGUMENT, "the saved state is of a run of another model");
    }
    TmlBytes bytes = saved->bytes;
    const uint64_t owner = sim->owner;
    TML_TRY(make_of(owner, &bytes, sim, &group, 1, root, err));
    const TmlHooks hooks = sim->options.hooks;
    tml_sim_clear(sim);
    memcpy(sim, root[0], sizeof *sim);
    tml_mem_free(root[0]);
    sim->group = group;
    sim->owner = owner;
    sim->options.hooks = hooks;
    return TML_OK;
}

/* --- for another process ---------------------------------------------------------------------- */

static TmlStatus known(const char *what, const char *name, const void *table, TmlError *err)
{
    return tml_graph_can_name(table)
               ? TML_OK
               : tml_fail(err, TML_E_ARGUMENT,
                          "the %s '%s' was registered from memory that another process does not "
                          "have: a checkpoint file "
                          "cannot hold this run; keep its state in memory instead",
                          what, name);
}

#define KNOWN_LIST(list, what, name_of)                                                            \
    for (int k = 0; k < (list).n; ++k) {                                                           \
        TML_TRY(known(what, (list).at[k]->name_of, (list).at[k], err));                            \
    }

/* Types that a program has registered must be where another process of the program has them, too. */
static TmlStatus check_portable(const TmlModel *m, TmlError *err)
{
    if (m->attached.self != NULL) {
        return tml_fail(err, TML_E_ARGUMENT,
                        "a checkpoint file cannot hold a run with user-written routines, whose own "
                        "variables nobody knows");
    }
    KNOWN_LIST(m->user_constraints, "joint type", info.name)
    KNOWN_LIST(m->user_forces, "force type", info.name)
    KNOWN_LIST(m->user_presses, "law of contact", info.name)
    KNOWN_LIST(m->user_shapes, "shape", info.name)
    KNOWN_LIST(m->user_slips, "law of friction", info.name)
    KNOWN_LIST(m->user_functions, "function", name)
    for (int k = 0; k < m->user_functions.n; ++k) {
        const TmlUserFunction *f = m->user_functions.at[k];
        TML_TRY(f->user == NULL ? TML_OK : known("data of the function", f->name, f->user, err));
    }
    return TML_OK;
}

TmlStatus tml_sim_freeze(const TmlSim *sim, TmlBytes *out, TmlError *err)
{
    TML_TRY(check_portable(sim->model, err));
    return take(sim, true, out, err);
}

TmlStatus tml_sim_thaw(TmlBytes *in, const TmlHooks *hooks, TmlModel **model, TmlSim **sim,
                       TmlError *err)
{
    uint64_t group;
    void *root[2];
    *model = NULL;
    *sim = NULL;
    const uint64_t owner = tml_blocks_new_owner();
    TML_TRY(make_of(owner, in, NULL, &group, 2, root, err));
    *sim = root[0];
    (*sim)->owner = owner;
    (*sim)->born = tml_blocks_born();
    *model = root[1];
    (*model)->group = group; // what is left of both goes with the model, the last to go
    (*sim)->options.hooks = hooks != NULL ? *hooks : (TmlHooks){0};
    (*sim)->started = 0.0;
    return TML_OK;
}
